//! The rules of single formats: placing, merging, what is refused and where.

use prompt_agent::wire::Alternation;
use prompt_agent::wire::LateSystem;
use prompt_agent::wire::Provider;
use prompt_agent::wire::RequestOptions;
use prompt_agent::wire::SystemRole;
use prompt_agent::wire::ToolChoice;
use prompt_agent::wire::WireError;
use prompt_agent::wire::anthropic;
use prompt_agent::wire::gemini;
use prompt_agent::wire::mcp;
use prompt_agent::wire::ollama;
use prompt_agent::wire::openai_chat;
use prompt_agent::wire::openai_responses;
use prompt_core::Content;
use prompt_core::Message;
use prompt_core::Role;
use prompt_core::ToolCall;
use prompt_core::ToolResult;
use prompt_core::ToolSpec;
use prompt_core::message::CachePoint;
use prompt_core::message::ImageSource;
use prompt_tests::requests;
use serde_json::{Value, json};

type Encode = fn(&[Message]) -> Result<Value, WireError>;

fn chat(messages: &[Message]) -> Result<Value, WireError> {
    openai_chat::request(messages, &[], &RequestOptions::new("m"))
}

fn responses(messages: &[Message]) -> Result<Value, WireError> {
    openai_responses::request(messages, &[], &RequestOptions::new("m"))
}

fn claude(messages: &[Message]) -> Result<Value, WireError> {
    anthropic::request(messages, &[], &RequestOptions::new("m").max_tokens(9))
}

fn google(messages: &[Message]) -> Result<Value, WireError> {
    gemini::request(messages, &[], &RequestOptions::default())
}

fn llama(messages: &[Message]) -> Result<Value, WireError> {
    ollama::request(messages, &[], &RequestOptions::new("m"))
}

const FORMATS: [(&str, Encode); 5] = [
    ("chat", chat),
    ("responses", responses),
    ("anthropic", claude),
    ("gemini", google),
    ("ollama", llama),
];

fn assistant(content: Vec<Content>) -> Message {
    Message {
        role: Role::Assistant,
        content,
        cache: None,
    }
}

fn call(id: &str) -> Content {
    Content::ToolCall {
        id: id.into(),
        name: "look".into(),
        arguments: json!({ "at": id }),
    }
}

fn result(id: &str) -> Message {
    let answered = ToolCall {
        id: id.into(),
        name: "look".into(),
        arguments: json!({}),
    };
    Message::tool([ToolResult::ok(&answered, format!("seen {id}"))])
}

/// What is put in front of a conversation that the model would open.
/// What is put in front of a conversation that the model would open.
fn opening() -> &'static str {
    "(continued)"
}

#[test]
fn results_are_placed_after_their_call() {
    let messages = [
        Message::user("Look twice."),
        assistant(vec![call("a"), call("b")]),
        result("b"),
        Message::user("Hurry."),
        result("a"),
    ];
    let body = chat(&messages).unwrap();
    let roles: Vec<&str> = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "tool", "tool", "user"]);
    assert_eq!(body["messages"][2]["tool_call_id"], "b");

    let body = claude(&messages).unwrap();
    assert_eq!(body["messages"].as_array().unwrap().len(), 3);
    let kinds: Vec<&str> = body["messages"][2]["content"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| b["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["tool_result", "tool_result", "text"]);

    let body = google(&messages).unwrap();
    let parts = body["contents"][2]["parts"].as_array().unwrap();
    assert!(
        parts[0].get("functionResponse").is_some() && parts[1].get("functionResponse").is_some()
    );
    assert_eq!(parts[2]["text"], "Hurry.");
}

#[test]
fn a_call_without_result_is_named() {
    let messages = [
        Message::user("Look."),
        assistant(vec![call("a"), call("b")]),
        result("a"),
        Message::user("So?"),
    ];
    for (format, encode) in FORMATS {
        let expected = WireError::UnansweredCall {
            message: 1,
            id: "b".into(),
        };
        assert_eq!(encode(&messages), Err(expected), "{format}");
        // The turn that is being worked on may leave calls open.
        assert!(encode(&messages[..3]).is_ok(), "{format}");
    }
}

#[test]
fn a_result_without_call_is_named() {
    let stray = [Message::user("Look."), result("a")];
    let twice = [
        Message::user("Look."),
        assistant(vec![call("a")]),
        result("a"),
        result("a"),
    ];
    for (format, encode) in FORMATS {
        assert_eq!(
            encode(&stray),
            Err(WireError::UnknownCall {
                message: 1,
                id: "a".into()
            }),
            "{format}"
        );
        assert_eq!(
            encode(&twice),
            Err(WireError::AnsweredTwice {
                message: 3,
                id: "a".into()
            }),
            "{format}"
        );
    }
    let follow = RequestOptions::new("m").previous_response_id("resp_1");
    let body = openai_responses::request(&stray, &[], &follow).unwrap();
    assert_eq!(body["input"][1]["call_id"], "a");
    assert_eq!(body["previous_response_id"], "resp_1");
}

#[test]
fn an_id_may_come_again_in_a_later_turn() {
    let messages = [
        Message::user("Look."),
        assistant(vec![call("call_1")]),
        result("call_1"),
        assistant(vec![call("call_1")]),
        result("call_1"),
    ];
    for (format, encode) in FORMATS {
        assert!(encode(&messages).is_ok(), "{format}");
    }
}

#[test]
fn a_user_message_may_carry_results() {
    let results = result("a").content;
    let mixed = Message {
        role: Role::User,
        content: [vec![Content::text("And?")], results].concat(),
        cache: None,
    };
    let messages = [Message::user("Look."), assistant(vec![call("a")]), mixed];
    let body = claude(&messages).unwrap();
    assert_eq!(body["messages"][2]["content"][0]["type"], "tool_result");
    let body = chat(&messages).unwrap();
    assert_eq!(body["messages"][2]["role"], "tool");
    assert_eq!(body["messages"][3]["content"], "And?");
}

#[test]
fn pieces_stand_only_where_they_can() {
    for (role, piece) in [
        (Role::User, call("a")),
        (Role::System, call("a")),
        (Role::Tool, Content::text("x")),
        (Role::Assistant, result("a").content.remove(0)),
        (
            Role::System,
            Content::Image {
                mime: "image/png".into(),
                source: ImageSource::Data("AA==".into()),
            },
        ),
    ] {
        let messages = [
            Message::user("x"),
            Message {
                role,
                content: vec![piece],
                cache: None,
            },
        ];
        for (format, encode) in FORMATS {
            let error = encode(&messages).unwrap_err();
            assert!(
                matches!(error, WireError::Misplaced { message: 1, role: found, .. } if found == role),
                "{format}"
            );
        }
    }
}

#[test]
fn calls_are_well_formed() {
    let bad_arguments = Content::ToolCall {
        id: "a".into(),
        name: "look".into(),
        arguments: json!([1]),
    };
    let bad_name = Content::ToolCall {
        id: "a".into(),
        name: "look here".into(),
        arguments: json!({}),
    };
    for (format, encode) in FORMATS {
        let error =
            encode(&[Message::user("x"), assistant(vec![bad_arguments.clone()])]).unwrap_err();
        assert!(
            matches!(error, WireError::Arguments { message: 1, .. }),
            "{format}"
        );
        // What a model makes up is sent in a way that the provider takes.
        let sent = encode(&[Message::user("x"), assistant(vec![bad_name.clone()])]);
        assert!(
            sent.unwrap().to_string().contains("\"look_here\""),
            "{format}"
        );
        let nothing = Message {
            role: Role::User,
            content: Vec::new(),
            cache: None,
        };
        assert_eq!(
            encode(&[nothing]),
            Err(WireError::Empty { message: 0 }),
            "{format}"
        );
    }
    let sent = claude(&[Message::user("x"), assistant(vec![call("a:1")])]);
    assert_eq!(sent.unwrap()["messages"][1]["content"][0]["id"], "a_1");
}

#[test]
fn tools_have_different_names() {
    let tools = [
        ToolSpec::closed("a", "").unwrap(),
        ToolSpec::closed("a", "again").unwrap(),
    ];
    let user = [Message::user("x")];
    let expected = Err(WireError::DuplicateTool { name: "a".into() });
    assert_eq!(
        openai_chat::request(&user, &tools, &RequestOptions::new("m")),
        expected
    );
    assert_eq!(
        anthropic::request(&user, &tools, &RequestOptions::new("m").max_tokens(1)),
        expected
    );
    assert_eq!(
        gemini::request(&user, &tools, &RequestOptions::default()),
        expected
    );
}

#[test]
fn strict_alternation_merges_and_drops_nothing() {
    let messages = [
        Message::system("s1"),
        Message::system("s2"),
        Message::user("u1"),
        Message::user("u2"),
        Message::assistant("a1"),
        assistant(vec![call("a")]),
        result("a"),
        Message::user("u3"),
    ];
    let separate = chat(&messages).unwrap();
    assert_eq!(separate["messages"].as_array().unwrap().len(), 8);

    let strict = RequestOptions::new("m").alternation(Alternation::Strict);
    let body = openai_chat::request(&messages, &[], &strict).unwrap();
    let written = body["messages"].as_array().unwrap();
    let roles: Vec<&str> = written
        .iter()
        .map(|m| m["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "user"]);
    assert_eq!(
        written[1]["content"],
        json!([{ "type": "text", "text": "u1" }, { "type": "text", "text": "u2" }])
    );
    assert_eq!(written[2]["content"], "a1");
    assert_eq!(written[2]["tool_calls"][0]["id"], "a");

    let body = claude(&messages).unwrap();
    let roles: Vec<&str> = body["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "assistant", "user"]);
    assert_eq!(body["system"].as_array().unwrap().len(), 2);
    let body = google(&messages).unwrap();
    let roles: Vec<&str> = body["contents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["user", "model", "user"]);
}

#[test]
fn formats_that_alternate_start_with_the_user() {
    let messages = [
        Message::system("s"),
        Message::assistant("recap"),
        Message::user("Go on."),
    ];
    assert_eq!(
        claude(&messages).unwrap()["messages"][0]["content"][0]["text"],
        opening()
    );
    assert_eq!(
        google(&messages).unwrap()["contents"][0]["parts"][0]["text"],
        opening()
    );
    let strict = RequestOptions::new("m").alternation(Alternation::Strict);
    let body = openai_chat::request(&messages, &[], &strict).unwrap();
    let said = json!({ "role": "user", "content": opening() });
    assert_eq!(body["messages"][1], said);
    // With breakpoints it is written in parts, as all texts are then.
    let marked = [
        messages[0].clone().cached(CachePoint::default()),
        messages[1].clone(),
    ];
    let body = openai_chat::request(&marked, &[], &strict.breakpoints(true)).unwrap();
    let said = json!([{ "type": "text", "text": opening() }]);
    assert_eq!(body["messages"][1]["content"], said);
    // Reading leaves our own opening out again.
    assert_eq!(
        requests::anthropic::messages(&claude(&messages).unwrap()).unwrap(),
        messages
    );
    // Formats that do not alternate get no such message.
    assert_eq!(
        chat(&messages).unwrap()["messages"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
}

#[test]
fn late_system_messages_are_refused_or_sent_as_told() {
    let messages = [
        Message::system("s"),
        Message::user("u"),
        Message::system("late"),
    ];
    for (format, encode) in [("anthropic", claude as Encode), ("gemini", google)] {
        assert!(
            matches!(
                encode(&messages),
                Err(WireError::Unsupported { message: 2, .. })
            ),
            "{format}"
        );
    }
    let as_user = RequestOptions::new("m")
        .max_tokens(1)
        .late_system(LateSystem::User);
    let body = anthropic::request(&messages, &[], &as_user).unwrap();
    assert_eq!(body["messages"][0]["content"][1]["text"], "late");
    let as_system = RequestOptions::new("m")
        .max_tokens(1)
        .late_system(LateSystem::System);
    let body = anthropic::request(&messages, &[], &as_system).unwrap();
    assert_eq!(body["messages"][1]["role"], "system");
    let never = RequestOptions::default().late_system(LateSystem::System);
    assert!(gemini::request(&messages, &[], &never).is_err());
    assert_eq!(chat(&messages).unwrap()["messages"][2]["role"], "system");
    assert_eq!(
        responses(&messages).unwrap()["input"][1]["role"],
        "developer"
    );
    assert_eq!(llama(&messages).unwrap()["messages"][2]["role"], "system");
}

#[test]
fn the_system_role_follows_the_model() {
    let messages = [Message::system("s"), Message::user("u")];
    for (role, name) in [
        (SystemRole::System, "system"),
        (SystemRole::Developer, "developer"),
        (SystemRole::User, "user"),
    ] {
        let body =
            openai_chat::request(&messages, &[], &RequestOptions::new("m").system_role(role))
                .unwrap();
        assert_eq!(body["messages"][0]["role"], name);
        let options = RequestOptions::new("m")
            .system_role(role)
            .instructions(false);
        let body = openai_responses::request(&messages, &[], &options).unwrap();
        assert_eq!(body["input"][0]["role"], name);
        assert!(body.get("instructions").is_none());
    }
}

#[test]
fn an_answer_begun_for_anthropic_may_start_with_white_space_but_not_end_with_it() {
    let begun = |text: &str| claude(&[Message::user("How deep?"), Message::assistant(text)]);
    let body = begun(" Two fathoms").unwrap();
    assert_eq!(body["messages"][1]["content"][0]["text"], " Two fathoms");
    let refused = begun("Two fathoms ").unwrap_err();
    assert!(matches!(refused, WireError::Unsupported { message: 1, .. }));
}

#[test]
fn anthropic_has_no_blank_texts() {
    let padded = Message {
        content: vec![Content::text(" \n"), Content::text("x"), Content::text("")],
        ..Message::user("")
    };
    let body = claude(&[padded.cached(CachePoint::default())]).unwrap();
    let expected =
        json!([{ "type": "text", "text": "x", "cache_control": { "type": "ephemeral" } }]);
    assert_eq!(body["messages"][0]["content"], expected);
    assert_eq!(
        claude(&[
            Message::user("x"),
            Message::assistant("y"),
            Message::user(" ")
        ]),
        Err(WireError::Empty { message: 2 })
    );
    assert_eq!(
        claude(&[Message::system(""), Message::user("x")]),
        Err(WireError::Empty { message: 0 })
    );
    let error = claude(&[Message::user("x"), Message::assistant("Sure: ")]).unwrap_err();
    assert!(matches!(error, WireError::Unsupported { message: 1, .. }));
    let silent = Message {
        content: result("a").content,
        ..Message::user("")
    };
    let mut messages = [Message::user("x"), assistant(vec![call("a")]), silent];
    messages[2].content = vec![Content::ToolResult {
        id: "a".into(),
        content: String::new(),
        is_error: true,
    }];
    let block =
        json!({ "type": "tool_result", "tool_use_id": "a", "content": [], "is_error": true });
    assert_eq!(
        claude(&messages).unwrap()["messages"][2]["content"][0],
        block
    );
}

#[test]
fn failed_tools_say_so_in_every_format() {
    let answered = ToolCall {
        id: "a".into(),
        name: "look".into(),
        arguments: json!({}),
    };
    let failed = [ToolResult::failed(&answered, "too dark")];
    assert_eq!(
        Provider::Anthropic.tool_results(&failed)[0]["content"][0]["is_error"],
        true
    );
    let response =
        &Provider::Gemini.tool_results(&failed)[0]["parts"][0]["functionResponse"]["response"];
    assert_eq!(*response, json!({ "error": "too dark" }));
    assert_eq!(
        mcp::tool_results(&failed, &mcp::McpOptions::new())[0]["isError"],
        true
    );
    for (results, key) in [
        (Provider::OpenAiChat.tool_results(&failed), "content"),
        (Provider::OpenAiResponses.tool_results(&failed), "output"),
        (Provider::Ollama.tool_results(&failed), "content"),
    ] {
        assert_eq!(results[0][key], "Error: too dark");
    }
    // In a request it is said in the same way, and once.
    let said = [
        failed[0].clone(),
        ToolResult::failed(&answered, "Error: dark"),
    ];
    for (result, text) in said.iter().zip(["Error: too dark", "Error: dark"]) {
        let messages = [
            Message::user("Look."),
            assistant(vec![call("a")]),
            Message::tool([result.clone()]),
        ];
        assert_eq!(chat(&messages).unwrap()["messages"][2]["content"], text);
        assert_eq!(responses(&messages).unwrap()["input"][2]["output"], text);
        assert_eq!(llama(&messages).unwrap()["messages"][2]["content"], text);
    }
    assert!(
        Provider::Anthropic.tool_results(&[]).is_empty()
            && Provider::Gemini.tool_results(&[]).is_empty()
    );
}

#[test]
fn gemini_gets_its_thought_signatures_back() {
    let content = json!({ "role": "model", "parts": [
        { "text": "I should look.", "thought": true, "thoughtSignature": "s0" },
        { "functionCall": { "name": "look", "args": { "at": "a" } }, "thoughtSignature": "s1" },
        { "functionCall": { "name": "look", "args": { "at": "b" } } },
        { "text": "", "thoughtSignature": "s2" },
        { "executableCode": { "language": "PYTHON", "code": "1" }, "thoughtSignature": "s3" },
    ] });
    let candidate = json!({ "content": content, "finishReason": "STOP" });
    let reply = gemini::reply(&json!({ "candidates": [candidate] })).unwrap();
    let history = [Message::user("Look."), reply.message];
    let body = google(&history).unwrap();
    assert_eq!(body["contents"][1], content);
    // The others get it without them.
    for (format, encode) in [
        ("chat", chat as Encode),
        ("responses", responses),
        ("anthropic", claude),
        ("ollama", llama),
    ] {
        let plain = history.clone().map(Message::without_reasoning);
        assert_eq!(encode(&history), encode(&plain), "{format}");
    }
    let alone = [
        Message::user("x"),
        assistant(vec![Content::Signature { data: "s".into() }]),
    ];
    assert!(matches!(
        google(&alone),
        Err(WireError::Unsupported { message: 1, .. })
    ));
}

#[test]
fn anthropic_gets_its_thinking_back() {
    let reply = json!({ "role": "assistant", "content": [
        { "type": "thinking", "thinking": "Hm.", "signature": "sig" },
        { "type": "redacted_thinking", "data": "xyz" },
        { "type": "text", "text": "Looking." },
        { "type": "tool_use", "id": "a", "name": "look", "input": {} },
    ] });
    let said = anthropic::reply(&reply).unwrap().message;
    let body = claude(&[Message::user("Look."), said]).unwrap();
    assert_eq!(body["messages"][1], reply);
    let unsigned = [
        Message::user("x"),
        assistant(vec![Content::Thought { text: "Hm.".into() }]),
    ];
    assert_eq!(claude(&unsigned), claude(&unsigned[..1]));
}

#[test]
fn responses_gets_its_reasoning_back() {
    let reasoning =
        json!({ "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x" });
    let function =
        json!({ "type": "function_call", "call_id": "a", "name": "look", "arguments": "{}" });
    let reply = json!({ "output": [reasoning, function] });
    let said = openai_responses::reply(&reply).unwrap().message;
    let body = responses(&[Message::user("Look."), said]).unwrap();
    assert_eq!(body["input"][1], reasoning);
    assert_eq!(body["input"][2], function);
}

#[test]
fn images_and_resources_go_where_they_can() {
    let image = |source| Content::Image {
        mime: "image/png".into(),
        source,
    };
    let inline = [Message {
        content: vec![image(ImageSource::Data("AA==".into()))],
        ..Message::user("")
    }];
    let linked = [Message {
        content: vec![image(ImageSource::Url("https://x/y.png".into()))],
        ..Message::user("")
    }];
    let data = "data:image/png;base64,AA==";
    assert_eq!(
        chat(&inline).unwrap()["messages"][0]["content"][0]["image_url"]["url"],
        data
    );
    assert_eq!(
        responses(&inline).unwrap()["input"][0]["content"][0]["image_url"],
        data
    );
    let source = json!({ "type": "base64", "media_type": "image/png", "data": "AA==" });
    assert_eq!(
        claude(&inline).unwrap()["messages"][0]["content"][0]["source"],
        source
    );
    assert_eq!(
        google(&linked).unwrap()["contents"][0]["parts"][0]["fileData"]["fileUri"],
        "https://x/y.png"
    );
    assert_eq!(
        llama(&inline).unwrap()["messages"][0]["images"],
        json!(["AA=="])
    );
    assert!(matches!(
        llama(&linked),
        Err(WireError::Unsupported { message: 0, .. })
    ));
    assert!(matches!(
        mcp::prompts_get("", &linked, &mcp::McpOptions::new()),
        Err(WireError::Unsupported { message: 0, .. })
    ));

    let resource = Content::Resource {
        uri: "file:///a.md".into(),
        mime: Some("text/markdown".into()),
        text: "# A".into(),
    };
    let messages = [Message {
        content: vec![resource],
        ..Message::user("")
    }];
    let block = &claude(&messages).unwrap()["messages"][0]["content"][0];
    assert_eq!(
        (&block["title"], &block["context"]),
        (&json!("file:///a.md"), &json!("text/markdown"))
    );
    let given = mcp::prompts_get("", &messages, &mcp::McpOptions::new()).unwrap();
    assert_eq!(given["messages"][0]["content"]["resource"]["text"], "# A");
    for (format, encode) in [
        ("chat", chat as Encode),
        ("responses", responses),
        ("gemini", google),
        ("ollama", llama),
    ] {
        assert!(
            matches!(
                encode(&messages),
                Err(WireError::Unsupported { message: 0, .. })
            ),
            "{format}"
        );
    }
}

#[test]
fn mcp_has_neither_tool_traffic_nor_a_system_role() {
    let options = mcp::McpOptions::new();
    let messages = [Message::user("x"), assistant(vec![call("a")]), result("a")];
    assert!(matches!(
        mcp::prompts_get("", &messages, &options),
        Err(WireError::Unsupported { message: 1, .. })
    ));
    let two = Message {
        content: vec![Content::text("a"), Content::text("b")],
        ..Message::system("")
    };
    let given = mcp::prompts_get("", &[two], &options).unwrap();
    assert_eq!(given["messages"].as_array().unwrap().len(), 2);
    assert_eq!(given["messages"][0]["role"], "user");
}

#[test]
fn gemini_schemas_speak_its_subset() {
    let spec = ToolSpec::new("t", "", json!({
        "type": "object",
        "properties": {
            "a": { "type": ["string", "null"], "enum": ["x", null] },
            "b": { "anyOf": [{ "type": "object", "properties": { "f": { "type": "integer" } }, "required": ["f"], "additionalProperties": false }, { "type": "null" }] },
            "c": { "type": "string", "const": "y" },
            "d": { "type": "string", "format": "email" },
            "e": { "type": "array", "items": { "type": "string", "format": "date-time" } },
        },
        "required": ["a", "b", "c", "d", "e"],
        "additionalProperties": false,
    })).unwrap();
    let body = gemini::request(&[Message::user("x")], &[spec], &RequestOptions::default()).unwrap();
    let properties = &body["tools"][0]["functionDeclarations"][0]["parameters"]["properties"];
    assert_eq!(
        properties["a"],
        json!({ "type": "string", "enum": ["x"], "nullable": true })
    );
    assert_eq!(
        properties["b"],
        json!({ "anyOf": [{ "type": "object", "properties": { "f": { "type": "integer" } }, "required": ["f"] }], "nullable": true })
    );
    assert_eq!(properties["c"], json!({ "type": "string", "enum": ["y"] }));
    assert_eq!(properties["d"], json!({ "type": "string" }));
    assert_eq!(properties["e"]["items"]["format"], "date-time");
    let closed = ToolSpec::closed("now", "The time.").unwrap();
    let body =
        gemini::request(&[Message::user("x")], &[closed], &RequestOptions::default()).unwrap();
    assert_eq!(
        body["tools"][0]["functionDeclarations"][0],
        json!({ "name": "now", "description": "The time." })
    );
}

#[test]
fn choices_and_settings_use_each_formats_words() {
    let user = [Message::user("x")];
    let tools = [ToolSpec::closed("now", "").unwrap()];
    let only = ToolChoice::Tool("now".into());
    let options = RequestOptions::new("m")
        .tool_choice(only.clone())
        .max_tokens(5)
        .stream(true)
        .set("temperature", 0);
    let body = openai_chat::request(&user, &tools, &options).unwrap();
    assert_eq!(body["tool_choice"]["function"]["name"], "now");
    assert_eq!(
        (
            &body["max_completion_tokens"],
            &body["stream"],
            &body["temperature"]
        ),
        (&json!(5), &json!(true), &json!(0))
    );
    let options = RequestOptions::new("m")
        .tool_choice(ToolChoice::Required)
        .max_tokens(5)
        .store(true);
    let body = openai_responses::request(&user, &tools, &options).unwrap();
    assert_eq!(
        (
            &body["tool_choice"],
            &body["max_output_tokens"],
            &body["store"]
        ),
        (&json!("required"), &json!(5), &json!(true))
    );
    let options = RequestOptions::new("m")
        .max_tokens(5)
        .tool_choice(ToolChoice::Required);
    assert_eq!(
        anthropic::request(&user, &tools, &options).unwrap()["tool_choice"]["type"],
        "any"
    );
    let options = RequestOptions::default().tool_choice(only).max_tokens(5);
    let body = gemini::request(&user, &tools, &options).unwrap();
    let expected = json!({ "mode": "ANY", "allowedFunctionNames": ["now"] });
    assert_eq!(body["toolConfig"]["functionCallingConfig"], expected);
    assert_eq!(body["generationConfig"]["maxOutputTokens"], 5);
    let body = ollama::request(
        &user,
        &tools,
        &RequestOptions::new("m").max_tokens(5).stream(true),
    )
    .unwrap();
    assert_eq!(
        (&body["options"]["num_predict"], &body["stream"]),
        (&json!(5), &json!(true))
    );
    // Without tools there is nothing to choose.
    assert!(chat(&user).unwrap().get("tool_choice").is_none());
}

#[test]
fn an_empty_text_beside_other_pieces_is_left_out() {
    let messages = [
        Message::user("Look."),
        assistant(vec![Content::text(""), call("a")]),
        result("a"),
    ];
    assert_eq!(
        chat(&messages).unwrap()["messages"][1]["content"],
        Value::Null
    );
    assert_eq!(
        responses(&messages).unwrap()["input"][1]["type"],
        "function_call"
    );
    assert_eq!(
        google(&messages).unwrap()["contents"][1]["parts"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    // Alone it is what was said.
    assert_eq!(
        chat(&[Message::user("")]).unwrap()["messages"][0]["content"],
        ""
    );
    assert_eq!(
        google(&[Message::user("")]),
        Err(WireError::Empty { message: 0 })
    );
}

#[test]
fn results_without_ids_answer_calls_of_their_name_in_order() {
    let named = |id: &str, name: &str| Content::ToolCall {
        id: id.into(),
        name: name.into(),
        arguments: json!({}),
    };
    let answer = |id: &str, text: &str| Content::ToolResult {
        id: id.into(),
        content: text.into(),
        is_error: false,
    };
    let content = vec![
        answer("call_1", "one"),
        answer("call_3", "three"),
        answer("call_2", "two"),
    ];
    let messages = [
        Message::user("Look."),
        assistant(vec![
            named("call_1", "look"),
            named("call_2", "hear"),
            named("call_3", "look"),
        ]),
        Message {
            role: Role::Tool,
            content,
            cache: None,
        },
    ];
    assert_eq!(
        requests::gemini::messages(&google(&messages).unwrap()).unwrap(),
        messages
    );
    let read = requests::ollama::messages(&llama(&messages).unwrap()).unwrap();
    let pieces: Vec<Content> = read[2..]
        .iter()
        .flat_map(|message| message.content.clone())
        .collect();
    assert_eq!(pieces, messages[2].content);
}

/// An answer that says nothing is left out where a format has no empty ones, and its cache point goes to what stands before.
#[test]
fn a_cache_point_of_an_answer_that_says_nothing_is_kept() {
    let body = claude(&[
        Message::user("Look."),
        assistant(vec![Content::text("")]).cached(CachePoint::default()),
        Message::user("Again."),
    ])
    .unwrap();
    let expected = json!([
        { "type": "text", "text": "Look.", "cache_control": { "type": "ephemeral" } },
        { "type": "text", "text": "Again." },
    ]);
    assert_eq!(body["messages"][0]["content"], expected);
}

/// Of several calls without a result the first is named, whatever their ids.
#[test]
fn the_first_call_without_result_is_named() {
    let messages = [
        Message::user("Look."),
        assistant(vec![call("z"), call("a")]),
        Message::user("And?"),
        assistant(vec![call("b")]),
        Message::user("So?"),
    ];
    for (format, encode) in FORMATS {
        let Err(WireError::UnansweredCall { message, .. }) = encode(&messages) else {
            panic!("{format} takes it");
        };
        assert_eq!(message, 1, "{format}");
    }
}
