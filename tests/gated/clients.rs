//! The programs with other client crates against a server that plays the recorded formats.

use crate::server::{Script, Server};
use prompt_agent::wire::RequestOptions;
use prompt_agent::wire::mcp;
use prompt_agent::wire::openai_chat;
use prompt_core::disclosure::Delivery;
use prompt_examples::clients;
use serde_json::{Value, json};
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

type Answer = Result<String, Box<dyn Error + Send + Sync>>;

const QUESTION: &str = "How is a level written?";

/// The recorded answers: a turn that opens a section, a turn that calls a tool, and a text.
const OPENS: &str = r#"{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":null,"tool_calls":[
    {"id":"call_1","type":"function","function":{"name":"open_sections","arguments":"{\"section_keys\":[\"house_style\"],\"reason\":\"wording\"}"}}
]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":90,"completion_tokens":20,"total_tokens":110}}"#;
const LOOKS_UP: &str = r#"{"id":"chatcmpl-2","object":"chat.completion","created":2,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"One moment.","tool_calls":[
    {"id":"call_2","type":"function","function":{"name":"look_up","arguments":"{\"term\":\"level\"}"}},
    {"id":"call_3","type":"function","function":{"name":"look_up","arguments":"{\"term\":\"tide\"}"}}
]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":110,"completion_tokens":20,"total_tokens":130}}"#;
const TEXT: &str = r#"{"id":"chatcmpl-2","object":"chat.completion","created":2,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"In metres, with two decimals."},"finish_reason":"stop"}],"usage":{"prompt_tokens":120,"completion_tokens":8,"total_tokens":128}}"#;
const CUT: &str = r#"{"id":"chatcmpl-3","object":"chat.completion","created":3,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"In met"},"finish_reason":"length"}],"usage":{"prompt_tokens":120,"completion_tokens":2,"total_tokens":122}}"#;

/// Lets one client talk to a server with these answers.
fn talk(
    answers: &[&'static str],
    ask: impl AsyncFn(&clients::Server, &str) -> Answer,
) -> (Answer, Vec<Value>) {
    let script = |body: &&'static str| Script::Body("application/json", body);
    let server = Server::start(answers.iter().map(script).collect());
    let at = clients::Server {
        base_url: server.url.clone(),
        key: "key".into(),
        model: "m".into(),
    };
    let answer = runtime().block_on(ask(&at, QUESTION));
    (answer, server.requests())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
}

/// The body that our library writes is the body that the server gets, and its answers are read as they are.
fn carries_bodies_unchanged(ask: impl AsyncFn(&clients::Server, &str) -> Answer) {
    let (answer, requests) = talk(&[OPENS, LOOKS_UP, TEXT], &ask);
    assert_eq!(answer.unwrap(), "In metres, with two decimals.");

    let bulletin = prompt_examples::bulletin::Bulletin::new().unwrap();
    let disclosure = prompt_core::Disclosure::new(&bulletin).delivery(Delivery::Append);
    let prompt = disclosure.render().unwrap();
    let mut messages = prompt.messages();
    messages.push(prompt_core::Message::user(QUESTION));
    let options = RequestOptions::new("m");
    let first = openai_chat::request(&messages, prompt.tools(), &options).unwrap();
    assert_same_body(&requests[0], &first);
    assert_eq!(first["tools"].as_array().unwrap().len(), 2);

    // What came back goes out again: our reading of it, in the order of the conversation.
    let list = |at: usize| requests[at]["messages"].as_array().unwrap();
    let content = |message: &Value| message["content"].as_str().unwrap().to_owned();
    let sent = list(0).len();
    assert_eq!(list(1)[..sent], list(0)[..]);
    assert_eq!(list(2)[..sent + 2], list(1)[..]);
    let opened = &list(2)[sent..];
    assert_eq!(opened[0]["tool_calls"][0]["id"], "call_1");
    assert!(content(&opened[1]).contains("One sentence for each gauge"));
    assert_eq!(content(&opened[2]), "One moment.");
    assert_eq!(opened[3]["tool_call_id"], "call_2");
    assert_eq!(
        content(&opened[3]),
        "Metres above the gauge zero, two decimals."
    );
    assert!(content(&opened[4]).contains("unknown variant `tide`"));

    // An answer that was cut off is not mistaken for an answer.
    let (answer, _) = talk(&[CUT], &ask);
    assert!(answer.unwrap_err().to_string().contains("stopped early"));
}

/// Every key of ours arrives as it was; a client may add its own switches, but no messages and no tools.
fn assert_same_body(sent: &Value, ours: &Value) {
    for (key, value) in ours.as_object().unwrap() {
        assert_eq!(&sent[key], value, "{key}");
    }
    let added = sent.as_object().unwrap().iter();
    for (key, value) in added.filter(|(key, _)| ours.get(*key).is_none()) {
        assert!(
            matches!(value, Value::Bool(false) | Value::Null),
            "{key}: {value}"
        );
    }
}

/// An answer with something in every place that matters to a later turn, or to a bill.
const FULL: &str = r#"{"id":"the-id","object":"chat.completion","created":1,"model":"the-model","system_fingerprint":"the-fingerprint","service_tier":"flex","choices":[{"index":0,"message":{
    "role":"assistant","content":"the-text","reasoning_content":"the-reasoning","reasoning_details":[{"type":"reasoning.encrypted","data":"the-signature"}],
    "annotations":[{"type":"url_citation","url_citation":{"start_index":0,"end_index":2,"title":"the-title","url":"the-citation"}}],
    "tool_calls":[{"id":"the-call","type":"function","function":{"name":"look_up","arguments":"{\"term\":\"the-term\"}"},"extra_content":{"google":{"thought_signature":"the-thought"}}}]
},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":120,"completion_tokens":8,"total_tokens":128,"prompt_tokens_details":{"cached_tokens":8197},"completion_tokens_details":{"reasoning_tokens":8205}}}"#;

/// What stands in `FULL`, by what it is.
const KEPT: [(&str, &str); 10] = [
    ("the text", "the-text"),
    ("the id of a call", "the-call"),
    ("its arguments", "the-term"),
    ("a signature of a call", "the-thought"),
    ("reasoning", "the-reasoning"),
    ("its signature", "the-signature"),
    ("citations", "the-citation"),
    ("the fingerprint", "the-fingerprint"),
    ("cached tokens", "8197"),
    ("reasoning tokens", "8205"),
];

/// What a client loses of an answer that its own type reads. `prompt_agent::guide::clients` has the table;
/// `cargo test -p prompt-tests --features client-programs --test live_agent loses -- --nocapture` prints it.
fn loses(name: &str, own: impl AsyncFn(&clients::Server, Value) -> Answer) -> Vec<&'static str> {
    let body = openai_chat::request(
        &[prompt_core::Message::user(QUESTION)],
        &[],
        &RequestOptions::new("m"),
    );
    let body = body.unwrap();
    let server = Server::start(vec![Script::Body("application/json", FULL)]);
    let at = clients::Server {
        base_url: server.url.clone(),
        key: "key".into(),
        model: "m".into(),
    };
    let kept = runtime().block_on(own(&at, body)).unwrap();
    server.requests();
    let lost = KEPT.iter().filter(|(_, mark)| !kept.contains(mark));
    let lost = lost.map(|(what, _)| *what).collect();
    println!("{name} loses {lost:?}");
    lost
}

#[test]
fn what_each_client_loses_is_what_the_guide_says() {
    let guide = include_str!("../../prompt-core/agent/src/guide/clients.md");
    for (name, lost) in [
        (
            "async-openai",
            loses("async-openai", clients::async_openai::own),
        ),
        ("genai", loses("genai", clients::genai::own)),
        ("rig-core", loses("rig-core", clients::rig::own)),
    ] {
        let lost = format!("| {} |", lost.join(", "));
        let row = guide
            .lines()
            .find(|line| line.starts_with(&format!("| `{name}`")));
        assert!(
            row.is_some_and(|row| row.ends_with(&lost)),
            "{name}: {lost}\n{row:?}"
        );
    }
}

#[test]
fn reqwest_carries_our_bodies() {
    carries_bodies_unchanged(clients::reqwest::ask);
}

#[test]
fn async_openai_carries_our_bodies() {
    carries_bodies_unchanged(clients::async_openai::ask);
}

#[test]
fn genai_carries_our_bodies() {
    carries_bodies_unchanged(clients::genai::ask);
}

#[test]
fn rig_carries_our_bodies() {
    carries_bodies_unchanged(clients::rig::ask);
}

#[test]
fn a_refusal_of_the_server_reaches_the_caller_of_each_client() {
    let refused = |ask: &dyn Fn(&clients::Server) -> Answer| {
        let body = r#"{"error":{"message":"no such model","type":"invalid_request_error","param":null,"code":"model_not_found"}}"#;
        let server = Server::start(vec![Script::Status("404 Not Found", body)]);
        let at = clients::Server {
            base_url: server.url.clone(),
            key: "key".into(),
            model: "m".into(),
        };
        let error = ask(&at).unwrap_err().to_string();
        assert!(
            error.contains("no such model") || error.contains("404"),
            "{error}"
        );
        server.requests();
    };
    refused(&|at| runtime().block_on(clients::reqwest::ask(at, QUESTION)));
    refused(&|at| runtime().block_on(clients::async_openai::ask(at, QUESTION)));
    refused(&|at| runtime().block_on(clients::genai::ask(at, QUESTION)));
    refused(&|at| runtime().block_on(clients::rig::ask(at, QUESTION)));
}

/// Reads one JSON-RPC message; `None` at the end.
fn line(reader: &mut impl BufRead) -> Option<Value> {
    let mut line = String::new();
    let read = reader.read_line(&mut line).unwrap();
    (read > 0).then(|| serde_json::from_str(&line).unwrap())
}

#[test]
fn rmcp_reads_a_recorded_server() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = std::thread::spawn(move || {
        let (mut socket, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(socket.try_clone().unwrap());
        let mut asked = Vec::new();
        while let Some(request) = line(&mut reader) {
            let Some(id) = request.get("id").cloned() else {
                continue;
            };
            let method = request["method"].as_str().unwrap_or_default().to_owned();
            let result = match method.as_str() {
                "initialize" => json!({
                    "protocolVersion": "2025-11-25",
                    "capabilities": { "prompts": {}, "tools": {} },
                    "serverInfo": { "name": "recorded", "version": "1" },
                }),
                "tools/list" => json!({ "tools": [{
                    "name": "look_up",
                    "description": "The house style for a term.",
                    "inputSchema": { "type": "object", "properties": { "term": { "type": "string", "minLength": 1 } } },
                }] }),
                "prompts/get" => json!({ "description": "d", "messages": [
                    { "role": "user", "content": { "type": "text", "text": "You write a bulletin." } },
                ] }),
                _ => {
                    json!({ "content": [{ "type": "text", "text": "Metres." }], "isError": false })
                }
            };
            asked.push((method, request["params"].clone()));
            let mut answer = mcp::reply(id, result).to_string();
            answer.push('\n');
            socket.write_all(answer.as_bytes()).unwrap();
        }
        asked
    });
    let offer = runtime()
        .block_on(clients::rmcp::connect(&address))
        .unwrap();
    assert_eq!(offer.answer, "Metres.");
    assert_eq!(
        offer.messages,
        [prompt_core::Message::user("You write a bulletin.")]
    );
    let body =
        openai_chat::request(&offer.messages, &offer.tools, &RequestOptions::new("m")).unwrap();
    let function = &body["tools"][0]["function"];
    assert_eq!(function["name"], "look_up");
    assert_eq!(function["parameters"]["properties"]["term"]["minLength"], 1);
    assert_ne!(function["strict"], true);
    let asked = server.join().unwrap();
    let (method, params) = asked.last().unwrap();
    assert_eq!(method, "tools/call");
    assert_eq!(params["arguments"], json!({ "term": "level" }));
}

#[test]
fn rmcp_serves_what_our_formats_write() {
    let runtime = runtime();
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let address = listener.local_addr().unwrap();
    let client = std::thread::spawn(move || {
        let mut socket = TcpStream::connect(address).unwrap();
        let mut reader = BufReader::new(socket.try_clone().unwrap());
        let mut notify = socket.try_clone().unwrap();
        let mut ask = |method: &str, params: Value| {
            let request = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
            writeln!(socket, "{request}").unwrap();
            line(&mut reader).unwrap()
        };
        let hello = json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let mut said = vec![ask("initialize", hello)];
        writeln!(
            notify,
            "{}",
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })
        )
        .unwrap();
        said.push(ask("prompts/list", json!({})));
        said.push(ask("prompts/get", json!({ "name": "bulletin" })));
        said.push(ask("prompts/get", json!({ "name": "other" })));
        said.push(ask("tools/list", json!({})));
        said.push(ask(
            "tools/call",
            json!({ "name": "look_up", "arguments": { "term": "rain" } }),
        ));
        said.push(ask(
            "tools/call",
            json!({ "name": "look_up", "arguments": { "term": "tide" } }),
        ));
        said
    });
    runtime.block_on(clients::rmcp::serve(&listener)).unwrap();
    let said = client.join().unwrap();
    assert!(said[0]["result"]["capabilities"]["prompts"].is_object());
    assert_eq!(said[1]["result"]["prompts"][0]["name"], "bulletin");
    let messages = mcp::messages(&said[2]).unwrap();
    assert!(messages[0].text().contains("river gauge bulletin"));
    assert!(
        said[3]["error"]["message"]
            .as_str()
            .unwrap()
            .contains("`other`")
    );
    assert_eq!(said[4]["result"]["tools"][0]["name"], "look_up");
    let text = |at: usize| {
        said[at]["result"]["content"][0]["text"]
            .as_str()
            .unwrap_or_default()
    };
    assert_eq!(text(5), "Millimetres since midnight, whole numbers.");
    assert_eq!(said[6]["result"]["isError"], true);
    assert!(text(6).contains("`tide`"), "{}", text(6));
}
