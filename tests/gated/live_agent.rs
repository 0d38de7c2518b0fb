//! The live agent against a server in this process that speaks the recorded wire format over real sockets.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use prompt_core::Message;
use prompt_core::Role;
use prompt_core::ToolCall;
use prompt_core::ToolResult;
use prompt_core::ToolSpec;
use prompt_core::answer::Answer;
use prompt_core::wire::openai_chat;
use prompt_examples::bulletin::{self, Bulletin, Report, Warning};
use prompt_examples::live::{Agent, Event, LiveError, Settings};
use serde_json::{Value, json};
use server::{Script, Server};
use std::net::TcpListener;
use std::time::{Duration, Instant};

#[cfg(feature = "client-programs")]
mod clients;
mod server;

fn chunk(delta: &Value, finish: Option<&str>) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m",
        "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
    })
}

/// A text in three pieces, as a server streams it.
fn spoken(text: &str) -> Script {
    let (first, second) = text.split_at(text.len() / 2);
    Script::Stream(vec![
        chunk(&json!({ "role": "assistant", "content": "" }), None),
        chunk(&json!({ "content": first }), None),
        chunk(&json!({ "content": second }), None),
        chunk(&json!({}), Some("stop")),
        json!({ "choices": [], "usage": { "total_tokens": 9 } }),
    ])
}

/// Two calls whose arguments come in pieces.
fn calling() -> Script {
    let piece = |index: u32, value: Value| {
        let mut value = value;
        value["index"] = index.into();
        chunk(&json!({ "tool_calls": [value] }), None)
    };
    Script::Stream(vec![
        chunk(&json!({ "role": "assistant", "content": null }), None),
        piece(
            0,
            json!({ "id": "call_1", "type": "function", "function": { "name": "look_up", "arguments": "" } }),
        ),
        piece(0, json!({ "function": { "arguments": "{\"term\":" } })),
        piece(
            1,
            json!({ "id": "call_2", "type": "function", "function": { "name": "look_up", "arguments": "{\"term\":\"rain\"}" } }),
        ),
        piece(0, json!({ "function": { "arguments": "\"level\"}" } })),
        chunk(&json!({}), Some("tool_calls")),
    ])
}

fn tools() -> Vec<ToolSpec> {
    let parameters = json!({
        "type": "object",
        "properties": { "term": { "type": "string" } },
        "required": ["term"],
        "additionalProperties": false,
    });
    vec![ToolSpec::new("look_up", "Looks a term up.", parameters).unwrap()]
}

fn agent(url: &str, retries: u32) -> Agent {
    let settings = Settings {
        retries,
        retry_pause: Duration::from_millis(1),
        silence: Duration::from_secs(10),
        rounds: 3,
        ..Settings::new(url)
    };
    let messages = vec![
        Message::system("Be brief."),
        Message::user("How high is the river?"),
    ];
    Agent::new(settings, openai_chat::Options::new("m"), tools(), messages).unwrap()
}

fn answer_calls(calls: &[ToolCall]) -> Vec<ToolResult> {
    calls
        .iter()
        .map(|call| ToolResult::ok(call, format!("about {}", call.arguments["term"])))
        .collect()
}

/// Runs one answer; gives the outcome, the text shown, and how many retries were reported.
fn run(agent: &mut Agent) -> (Result<String, LiveError>, String, usize) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let (mut shown, mut retries) = (String::new(), 0);
    let outcome = runtime.block_on(agent.run(answer_calls, |event| match event {
        Event::Text(text) => shown.push_str(text),
        Event::Retry(_) => retries += 1,
        _ => {}
    }));
    (outcome, shown, retries)
}

#[test]
fn an_answer_is_streamed_and_kept() {
    let server = Server::start(vec![spoken("2.1 metres")]);
    let mut agent = agent(&server.url, 0);
    let body = agent.body().unwrap();
    let (outcome, shown, _) = run(&mut agent);
    assert_eq!(outcome.unwrap(), "2.1 metres");
    assert_eq!(shown, "2.1 metres");
    assert_eq!(agent.messages()[2], Message::assistant("2.1 metres"));
    // What the dry run shows is what the server gets.
    assert_eq!(server.requests(), [body]);
}

#[test]
fn calls_are_answered_and_the_conversation_only_grows() {
    let server = Server::start(vec![calling(), spoken("2.1 m, 40 mm")]);
    let mut agent = agent(&server.url, 0);
    let (outcome, ..) = run(&mut agent);
    assert_eq!(outcome.unwrap(), "2.1 m, 40 mm");
    let requests = server.requests();
    let (first, second) = (&requests[0]["messages"], &requests[1]["messages"]);
    let (first, second) = (first.as_array().unwrap(), second.as_array().unwrap());
    assert_eq!(second[..first.len()], first[..]);
    assert_eq!(
        second[2]["tool_calls"][0]["function"]["arguments"],
        "{\"term\":\"level\"}"
    );
    assert_eq!(
        second[3],
        json!({ "role": "tool", "tool_call_id": "call_1", "content": "about \"level\"" })
    );
    assert_eq!(second[4]["tool_call_id"], "call_2");
    assert_eq!(
        requests[0]["tools"].to_string(),
        requests[1]["tools"].to_string()
    );
}

#[test]
fn an_answer_in_one_piece_is_the_same_answer() {
    let whole = r#"{"id":"1","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"2.1 metres"},"finish_reason":"stop"}]}"#;
    let cut = r#"{"choices":[{"message":{"role":"assistant","content":"2.1"},"finish_reason":"length"}]}"#;
    let body = |body| Script::Body("application/json", body);
    let server = Server::start(vec![body(whole), body(cut), body("{}")]);
    let settings = Settings {
        stream: false,
        ..Settings::new(&server.url)
    };
    let messages = vec![Message::user("How high is the river?")];
    let options = openai_chat::Options::new("m");
    let mut agent = Agent::new(settings, options, tools(), messages).unwrap();
    let (outcome, shown, _) = run(&mut agent);
    assert_eq!(
        (outcome.unwrap().as_str(), shown.as_str()),
        ("2.1 metres", "2.1 metres")
    );
    assert!(
        matches!(run(&mut agent).0.unwrap_err(), LiveError::Cut { partial, .. } if partial == "2.1")
    );
    assert!(matches!(
        run(&mut agent).0.unwrap_err(),
        LiveError::Malformed(_)
    ));
    assert_eq!(agent.messages().len(), 2);
    assert!(server.requests().iter().all(|body| body["stream"] != true));
}

#[test]
fn an_error_status_is_an_error_and_not_retried_unasked() {
    let refusal = r#"{"error":{"message":"no such model","type":"invalid_request_error","param":"model","code":null}}"#;
    for (status, body, code) in [
        ("404 Not Found", refusal, 404),
        ("500 Internal Server Error", "oops", 500),
        ("429 Too Many Requests", refusal, 429),
    ] {
        let server = Server::start(vec![Script::Status(status, body)]);
        let mut agent = agent(&server.url, 0);
        let before = agent.messages().to_vec();
        let (outcome, _, retries) = run(&mut agent);
        let error = outcome.unwrap_err();
        assert!(
            matches!(&error, LiveError::Status { code: found, .. } if *found == code),
            "{error:?}"
        );
        assert!(error.to_string().contains(&code.to_string()), "{error}");
        assert_eq!((agent.messages(), retries), (before.as_slice(), 0));
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn a_retry_that_was_asked_for_sends_the_same_bytes() {
    let broken = Script::Broken(vec![chunk(&json!({ "content": "2.1" }), None)]);
    let server = Server::start(vec![
        Script::Status("503 Service Unavailable", "later"),
        Script::Drop,
        broken,
        spoken("2.1 metres"),
    ]);
    let mut agent = agent(&server.url, 3);
    let (outcome, _, retries) = run(&mut agent);
    assert_eq!(outcome.unwrap(), "2.1 metres");
    assert_eq!(retries, 3);
    assert_eq!(agent.messages().len(), 3);
    let requests: Vec<String> = server.requests().iter().map(Value::to_string).collect();
    assert!(requests.iter().all(|request| *request == requests[0]));
}

#[test]
fn a_refusal_is_not_retried_even_when_asked() {
    let server = Server::start(vec![Script::Status(
        "400 Bad Request",
        r#"{"error":{"message":"bad"}}"#,
    )]);
    let (outcome, _, retries) = run(&mut agent(&server.url, 5));
    assert!(matches!(
        outcome.unwrap_err(),
        LiveError::Status { code: 400, .. }
    ));
    assert_eq!(retries, 0);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_malformed_body_is_named() {
    for (kind, body) in [
        ("text/event-stream", "data: {\"choices\": [\n\n"),
        (
            "text/event-stream",
            "data: {\"hello\": 1}\n\ndata: [DONE]\n\n",
        ),
        ("text/event-stream", ""),
        ("text/html", "<html>It works!</html>"),
    ] {
        let server = Server::start(vec![Script::Body(kind, body)]);
        let (outcome, ..) = run(&mut agent(&server.url, 0));
        let error = outcome.unwrap_err();
        assert!(
            matches!(error, LiveError::Malformed(_)),
            "{body}: {error:?}"
        );
        server.requests();
    }
}

#[test]
fn an_error_in_the_stream_is_named() {
    let chunks = vec![
        chunk(&json!({ "content": "2" }), None),
        json!({ "error": { "message": "overloaded" } }),
    ];
    let server = Server::start(vec![Script::Stream(chunks)]);
    let (outcome, ..) = run(&mut agent(&server.url, 0));
    assert!(matches!(outcome.unwrap_err(), LiveError::Refused(message) if message == "overloaded"));
    server.requests();
}

#[test]
fn broken_arguments_are_answered_and_go_back_unchanged() {
    let call = json!({ "index": 0, "id": "call_9", "function": { "name": "look_up", "arguments": "{\"term\":" } });
    let chunks = vec![
        chunk(&json!({ "tool_calls": [call] }), None),
        chunk(&json!({}), Some("tool_calls")),
    ];
    let server = Server::start(vec![Script::Stream(chunks), spoken("2.1 metres")]);
    let (outcome, ..) = run(&mut agent(&server.url, 0));
    assert_eq!(outcome.unwrap(), "2.1 metres");
    let second = &server.requests()[1]["messages"];
    let call = &second[2]["tool_calls"][0];
    assert_eq!(
        (&call["id"], &call["function"]["arguments"]),
        (&json!("call_9"), &json!("{\"term\":"))
    );
    assert_eq!(second[3]["tool_call_id"], "call_9");
}

#[test]
fn a_dropped_connection_is_an_error_and_loses_nothing() {
    let server = Server::start(vec![Script::Drop]);
    let (outcome, ..) = run(&mut agent(&server.url, 0));
    assert!(matches!(outcome.unwrap_err(), LiveError::Connection(_)));
    server.requests();

    // The first turn was complete: after the break the agent goes on from there.
    let half = vec![chunk(&json!({ "content": "The riv" }), None)];
    let server = Server::start(vec![calling(), Script::Broken(half), spoken("2.1 metres")]);
    let mut agent = agent(&server.url, 0);
    let (outcome, shown, _) = run(&mut agent);
    match outcome.unwrap_err() {
        LiveError::Cut { partial, .. } => {
            assert_eq!((partial.as_str(), shown.as_str()), ("The riv", "The riv"))
        }
        other => panic!("{other:?}"),
    }
    let roles: Vec<Role> = agent
        .messages()
        .iter()
        .map(|message| message.role)
        .collect();
    assert_eq!(
        roles,
        [Role::System, Role::User, Role::Assistant, Role::Tool]
    );
    assert_eq!(run(&mut agent).0.unwrap(), "2.1 metres");
    let requests = server.requests();
    assert_eq!(requests[1], requests[2]);
}

#[test]
fn a_stream_that_just_ends_is_cut() {
    let server = Server::start(vec![Script::Stream(vec![chunk(
        &json!({ "content": "2.1" }),
        None,
    )])]);
    let (outcome, ..) = run(&mut agent(&server.url, 0));
    assert!(matches!(outcome.unwrap_err(), LiveError::Cut { partial, .. } if partial == "2.1"));
    server.requests();
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let address = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let (outcome, ..) = run(&mut agent(&format!("http://{address}/v1"), 0));
    let error = outcome.unwrap_err();
    assert!(matches!(error, LiveError::Connection(_)), "{error:?}");
}

#[test]
fn endless_calls_end() {
    let server = Server::start(vec![calling(), calling(), calling()]);
    let mut agent = agent(&server.url, 0);
    assert!(matches!(
        run(&mut agent).0.unwrap_err(),
        LiveError::Rounds(3)
    ));
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_typed_answer_survives_what_models_do_to_it() {
    let ends = |text: &str, finish: &str| {
        let piece = chunk(&json!({ "role": "assistant", "content": text }), None);
        Script::Stream(vec![piece, chunk(&json!({}), Some(finish))])
    };
    let server = Server::start(vec![
        calling(),
        ends("Here: {\"text\": \"Low.\", \"warning\": \"fog\"}", "stop"),
        ends("```json\n{\"text\": \"The north gauge rea", "length"),
        ends(
            "Now:\n```json\n{\"text\": \"Low.\", \"warning\": \"Watch-Out\", \"highest\": \"2.1\",}\n```\nGood luck.",
            "stop",
        ),
    ]);
    let mut answer = Answer::<Report>::new();
    let options = openai_chat::Options::new("m").answer(&answer);
    let messages = vec![Message::user("Write it.")];
    let mut agent = Agent::new(Settings::new(&server.url), options, tools(), messages).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let report = runtime.block_on(agent.run_typed(&mut answer, answer_calls, |_| {}));
    let wanted = Report {
        text: "Low.".into(),
        warning: Warning::WatchOut,
        highest: Some(2.1),
    };
    assert_eq!(report.unwrap(), wanted);
    let requests = server.requests();
    assert_eq!(requests.len(), 4);
    assert_eq!(requests[0]["response_format"]["type"], "json_schema");
    let told = requests[2]["messages"].as_array().unwrap().last().unwrap();
    assert!(
        told["content"].as_str().unwrap().contains("/warning"),
        "{told}"
    );
    assert_eq!(answer.tries(), 0);
}

#[test]
fn open_sections_goes_round_and_the_prefix_stays() {
    let open = json!({ "section_keys": ["house_style"], "reason": "wording" }).to_string();
    let call = json!({ "tool_calls": [{
        "index": 0, "id": "call_1", "type": "function", "function": { "name": "open_sections", "arguments": open }
    }] });
    let asking = Script::Stream(vec![
        chunk(&call, None),
        chunk(&json!({}), Some("tool_calls")),
    ]);
    let server = Server::start(vec![asking, spoken("North gauge 2.40 m.")]);
    let bulletin = Bulletin::new().unwrap();
    let tools = bulletin::tools().unwrap();
    let mut disclosure = bulletin.disclosure();
    let prompt = disclosure.render().unwrap();
    let mut messages = prompt.messages();
    messages.push(Message::user("Write it."));
    let options = openai_chat::Options::new("m");
    let mut agent = Agent::new(
        Settings::new(&server.url),
        options,
        prompt.tools().to_vec(),
        messages,
    )
    .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let answer = runtime.block_on(agent.run(
        |calls| bulletin::answer_calls(&mut disclosure, &tools, calls),
        |_| {},
    ));
    assert_eq!(answer.unwrap(), "North gauge 2.40 m.");
    let requests = server.requests();
    let (first, second) = (&requests[0]["messages"], &requests[1]["messages"]);
    assert_eq!(first[0], second[0]);
    assert_eq!(
        requests[0]["tools"].to_string(),
        requests[1]["tools"].to_string()
    );
    let result = second[3]["content"].as_str().unwrap();
    assert!(result.contains("One sentence for each gauge"), "{result}");
    assert!(!first.to_string().contains("One sentence for each gauge"));
}

#[test]
fn a_signature_of_a_call_goes_back() {
    let extra = json!({ "google": { "thought_signature": "SIG-1" } });
    let call = json!({ "index": 0, "id": "call_1", "type": "function", "extra_content": extra,
        "function": { "name": "look_up", "arguments": "{\"term\":\"level\"}" } });
    let calling = Script::Stream(vec![
        chunk(&json!({ "role": "assistant", "tool_calls": [call] }), None),
        chunk(&json!({}), Some("tool_calls")),
    ]);
    let server = Server::start(vec![calling, spoken("2.1 metres")]);
    let (outcome, _, _) = run(&mut agent(&server.url, 0));
    assert_eq!(outcome.unwrap(), "2.1 metres");
    let sent = &server.requests()[1]["messages"][2]["tool_calls"][0];
    assert_eq!(sent["extra_content"], extra);
}

#[test]
fn a_withheld_answer_is_no_answer() {
    let withheld = Script::Stream(vec![
        chunk(&json!({ "role": "assistant", "content": "2.1" }), None),
        chunk(&json!({}), Some("content_filter")),
    ]);
    let server = Server::start(vec![withheld]);
    let (outcome, shown, _) = run(&mut agent(&server.url, 0));
    let error = outcome.unwrap_err();
    assert!(
        matches!(&error, LiveError::Filtered { partial, reason } if partial == "2.1" && reason == "content_filter"),
        "{error}"
    );
    assert_eq!(shown, "2.1");
    server.requests();
}

#[test]
fn a_server_that_falls_silent_is_left() {
    let begun = vec![chunk(
        &json!({ "role": "assistant", "content": "2.1" }),
        None,
    )];
    let server = Server::start(vec![Script::Stalled(begun, Duration::from_secs(2))]);
    let settings = Settings {
        silence: Duration::from_millis(200),
        ..Settings::new(&server.url)
    };
    let question = vec![Message::user("How high is the river?")];
    let mut agent =
        Agent::new(settings, openai_chat::Options::new("m"), tools(), question).unwrap();
    let begin = Instant::now();
    let (outcome, shown, _) = run(&mut agent);
    assert!(begin.elapsed() < Duration::from_millis(1500));
    assert!(outcome.unwrap_err().is_passing());
    assert_eq!(shown, "2.1");
    server.requests();
}
