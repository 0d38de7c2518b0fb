//! The agent of the guide and its client, against a server in this process that speaks the recorded wire format over real
//! sockets.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use prompt_agent::Conversation;
use prompt_agent::wire::{Provider, Reply, RequestOptions, StopReason, WireError};
use prompt_core::disclosure::Delivery;
use prompt_core::{Message, Role};
use prompt_examples::bulletin::{self, Report, step};
use prompt_examples::live::{Client, Event, LiveError, Settings};
use serde_json::{Value, json};
use server::{Script, Server};
use std::error::Error;
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

fn settings(url: &str, retries: u32) -> Settings {
    Settings {
        retries,
        retry_pause: Duration::from_millis(1),
        silence: Duration::from_secs(10),
        ..Settings::new(url)
    }
}

fn options(stream: bool) -> RequestOptions {
    RequestOptions::new("m").stream(stream)
}

fn body(stream: bool) -> Value {
    let messages = [
        Message::system("Be brief."),
        Message::user("How high is the river?"),
    ];
    let tools = bulletin::tools().unwrap();
    let request = Provider::OpenAiChat.request(&messages, tools.specs(), &options(stream));
    request.unwrap()
}

fn block_on<F: Future>(work: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}

/// Sends one body; gives the outcome, the text shown, and how many retries were reported.
fn ask(settings: Settings, body: &Value) -> (Result<Reply, LiveError>, String, usize) {
    let client = Client::new(settings).unwrap();
    let (mut shown, mut retries) = (String::new(), 0);
    let outcome = block_on(client.ask(body, |event| match event {
        Event::Text(text) => shown.push_str(text),
        Event::Retry(_) => retries += 1,
        _ => {}
    }));
    (outcome, shown, retries)
}

/// The same with a streamed body and no settings but these.
fn fails(url: &str) -> LiveError {
    ask(settings(url, 0), &body(true)).0.unwrap_err()
}

/// Lets the agent go on to its report.
fn run(conversation: &mut Conversation, url: &str) -> Result<Report, Box<dyn Error>> {
    let tools = bulletin::tools().unwrap();
    let client = Client::new(settings(url, 0)).unwrap();
    loop {
        let saved = serde_json::to_string(conversation).unwrap();
        *conversation = serde_json::from_str(&saved).unwrap();
        let report = step(conversation, &tools, |prompt, answer| {
            let options = options(true).answer(answer);
            let body =
                Provider::OpenAiChat.request(&prompt.messages(), prompt.tools(), &options)?;
            Ok(block_on(client.ask(&body, |_| {}))?)
        })?;
        if let Some(report) = report {
            return Ok(report);
        }
    }
}

fn conversation() -> Conversation {
    let mut conversation = Conversation::default().delivery(Delivery::Append);
    conversation.begin("Write it.");
    conversation
}

const LOW: &str = r#"{"text": "Low.", "highest": 2.1}"#;

fn low() -> Report {
    serde_json::from_str(LOW).unwrap()
}

#[test]
fn an_answer_is_streamed_and_read() {
    let server = Server::start(vec![spoken("2.1 metres")]);
    let (outcome, shown, _) = ask(settings(&server.url, 0), &body(true));
    assert_eq!(outcome.unwrap().message, Message::assistant("2.1 metres"));
    assert_eq!(shown, "2.1 metres");
    assert_eq!(server.requests(), [body(true)]);
}

#[test]
fn calls_are_answered_and_the_conversation_only_grows() {
    let server = Server::start(vec![calling(), spoken(LOW)]);
    let mut conversation = conversation();
    assert_eq!(run(&mut conversation, &server.url).unwrap(), low());
    let requests = server.requests();
    let (first, second) = (&requests[0]["messages"], &requests[1]["messages"]);
    let (first, second) = (first.as_array().unwrap(), second.as_array().unwrap());
    assert_eq!(second[..first.len()], first[..]);
    assert_eq!(
        second[2]["tool_calls"][0]["function"]["arguments"],
        "{\"term\":\"level\"}"
    );
    let told = "Metres above the gauge zero, two decimals.";
    assert_eq!(
        second[3],
        json!({ "role": "tool", "tool_call_id": "call_1", "content": told })
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
    let said = |body| Script::Body("application/json", body);
    let server = Server::start(vec![said(whole), said(cut), said("{}")]);
    let next = || ask(settings(&server.url, 0), &body(false));
    let (outcome, shown, _) = next();
    assert_eq!(
        (outcome.unwrap().message.text().as_str(), shown.as_str()),
        ("2.1 metres", "2.1 metres")
    );
    assert_eq!(next().0.unwrap().stop, StopReason::Length);
    let error = next().0.unwrap_err();
    assert!(
        matches!(error, LiveError::Reply(WireError::Shape { .. })),
        "{error:?}"
    );
    assert!(server.requests().iter().all(|body| body["stream"] != true));
}

#[test]
fn an_error_status_is_an_error_and_not_retried_unasked() {
    let refusal = r#"{"error":{"message":"no such model","type":"invalid_request_error","param":"model","code":null}}"#;
    for (status, text, code) in [
        ("404 Not Found", refusal, 404),
        ("500 Internal Server Error", "oops", 500),
        ("429 Too Many Requests", refusal, 429),
    ] {
        let server = Server::start(vec![Script::Status(status, text)]);
        let (outcome, _, retries) = ask(settings(&server.url, 0), &body(true));
        let error = outcome.unwrap_err();
        let (LiveError::Reply(WireError::Api { status, .. })
        | LiveError::Reply(WireError::NoReply { status, .. })) = &error
        else {
            panic!("{error:?}");
        };
        assert_eq!(*status, Some(code));
        assert!(error.to_string().contains(&code.to_string()), "{error}");
        assert_eq!((retries, server.requests().len()), (0, 1));
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
    let (outcome, _, retries) = ask(settings(&server.url, 3), &body(true));
    assert_eq!(outcome.unwrap().message.text(), "2.1 metres");
    assert_eq!(retries, 3);
    let requests: Vec<String> = server.requests().iter().map(Value::to_string).collect();
    assert!(requests.iter().all(|request| *request == requests[0]));
}

#[test]
fn a_refusal_is_not_retried_even_when_asked() {
    let server = Server::start(vec![Script::Status(
        "400 Bad Request",
        r#"{"error":{"message":"bad"}}"#,
    )]);
    let (outcome, _, retries) = ask(settings(&server.url, 5), &body(true));
    let error = outcome.unwrap_err();
    assert!(
        error.to_string().contains("400") && !error.is_passing(),
        "{error:?}"
    );
    assert_eq!((retries, server.requests().len()), (0, 1));
}

#[test]
fn a_malformed_body_is_named() {
    for (kind, text, named) in [
        ("text/event-stream", "data: {\"choices\": [\n\n", "no reply"),
        (
            "text/event-stream",
            "data: {\"hello\": 1}\n\ndata: [DONE]\n\n",
            "breaks off",
        ),
        ("text/event-stream", "", "breaks off"),
        ("text/html", "<html>It works!</html>", "It works!"),
    ] {
        let server = Server::start(vec![Script::Body(kind, text)]);
        let error = fails(&server.url);
        assert!(error.to_string().contains(named), "{text}: {error:?}");
        server.requests();
    }
}

/// The server ignores that a stream was asked for.
#[test]
fn a_whole_answer_is_shown_and_read() {
    let whole = r#"{"choices":[{"message":{"role":"assistant","content":"2.1 metres"},"finish_reason":"stop"}]}"#;
    let server = Server::start(vec![Script::Body("application/json", whole)]);
    let (outcome, shown, _) = ask(settings(&server.url, 0), &body(true));
    assert_eq!(outcome.unwrap().message.text(), "2.1 metres");
    assert_eq!(shown, "2.1 metres");
    server.requests();
}

/// A page of something in between is worth another try; a page that is not there is none.
#[test]
fn the_page_of_a_gateway_is_tried_again() {
    let server = Server::start(vec![
        Script::Status("502 Bad Gateway", "<html>Bad Gateway</html>"),
        Script::Status("503 Service Unavailable", ""),
        spoken("2.1 metres"),
    ]);
    let (outcome, _, retries) = ask(settings(&server.url, 2), &body(true));
    assert_eq!(
        (outcome.unwrap().message.text().as_str(), retries),
        ("2.1 metres", 2)
    );
    server.requests();
    let server = Server::start(vec![Script::Status("404 Not Found", "<html>No.</html>")]);
    assert!(!fails(&server.url).is_passing());
    server.requests();
}

#[test]
fn an_error_in_the_stream_is_named() {
    let chunks = vec![
        chunk(&json!({ "content": "2" }), None),
        json!({ "error": { "message": "overloaded" } }),
    ];
    let server = Server::start(vec![Script::Stream(chunks)]);
    let error = fails(&server.url).to_string();
    assert!(error.ends_with(": overloaded"), "{error}");
    server.requests();
}

#[test]
fn broken_arguments_are_answered_and_go_back_unchanged() {
    let call = json!({ "index": 0, "id": "call_9", "function": { "name": "look_up", "arguments": "{\"term\":" } });
    let chunks = vec![
        chunk(&json!({ "tool_calls": [call] }), None),
        chunk(&json!({}), Some("tool_calls")),
    ];
    let server = Server::start(vec![Script::Stream(chunks), spoken(LOW)]);
    assert_eq!(run(&mut conversation(), &server.url).unwrap(), low());
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
    assert!(matches!(fails(&server.url), LiveError::Connection(_)));
    server.requests();

    // The first turn was complete: after the break the agent goes on from there.
    let half = vec![chunk(&json!({ "content": "The riv" }), None)];
    let server = Server::start(vec![calling(), Script::Broken(half), spoken(LOW)]);
    let mut conversation = conversation();
    let error = run(&mut conversation, &server.url).unwrap_err();
    assert!(
        matches!(error.downcast_ref(), Some(LiveError::Connection(_))),
        "{error}"
    );
    let log = conversation.history().log().iter();
    let roles: Vec<Role> = log.map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool]);
    assert_eq!(run(&mut conversation, &server.url).unwrap(), low());
    let requests = server.requests();
    assert_eq!(requests[1], requests[2]);
}

#[test]
fn a_stream_that_just_ends_is_cut() {
    let begun = chunk(&json!({ "content": "2.1" }), None);
    let server = Server::start(vec![Script::Stream(vec![begun])]);
    let (outcome, shown, _) = ask(settings(&server.url, 0), &body(true));
    assert_eq!(shown, "2.1");
    let error = outcome.unwrap_err();
    assert!(
        matches!(error, LiveError::Reply(WireError::Unfinished)),
        "{error:?}"
    );
    server.requests();
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let address = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let error = fails(&format!("http://{address}/v1"));
    assert!(matches!(error, LiveError::Connection(_)), "{error:?}");
}

#[test]
fn a_typed_answer_survives_what_models_do_to_it() {
    let ends = |text: &str, finish: &str| {
        let piece = chunk(&json!({ "role": "assistant", "content": text }), None);
        Script::Stream(vec![piece, chunk(&json!({}), Some(finish))])
    };
    let server = Server::start(vec![
        calling(),
        ends("Here: {\"text\": \"Low.\", \"highest\": \"fog\"}", "stop"),
        ends("```json\n{\"text\": \"The north gauge rea", "length"),
        ends(
            "Now:\n```json\n{\"text\": \"Low.\", \"highest\": \"2.1\",}\n```\nGood luck.",
            "stop",
        ),
    ]);
    let mut conversation = conversation();
    assert_eq!(run(&mut conversation, &server.url).unwrap(), low());
    let requests = server.requests();
    assert_eq!(requests.len(), 4);
    assert_eq!(requests[0]["response_format"]["type"], "json_schema");
    let told = requests[2]["messages"].as_array().unwrap().last().unwrap();
    assert!(
        told["content"].as_str().unwrap().contains("/highest"),
        "{told}"
    );
    assert_eq!(conversation.tries(), 2);
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
    let server = Server::start(vec![asking, spoken(LOW)]);
    assert_eq!(run(&mut conversation(), &server.url).unwrap(), low());
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
    let server = Server::start(vec![calling, spoken(LOW)]);
    assert_eq!(run(&mut conversation(), &server.url).unwrap(), low());
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
    let (outcome, shown, _) = ask(settings(&server.url, 0), &body(true));
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
    let begin = Instant::now();
    let (outcome, shown, _) = ask(settings, &body(true));
    assert!(begin.elapsed() < Duration::from_millis(1500));
    assert!(outcome.unwrap_err().is_passing());
    assert_eq!(shown, "2.1");
    server.requests();
}
