//! What comes in odd shapes is kept, answered and sent on: changes of provider, invented names, long numbers, images of
//! tools, bytes of a socket, and what a reply says beside its message.

use prompt_agent::Tools;
use prompt_agent::wire::{
    Delta, Provider, RequestOptions, StopReason, WireError, anthropic, gemini, mcp, ollama,
    openai_chat, openai_responses,
};
use prompt_core::compaction::Compact;
use prompt_core::message::ImageSource;
use prompt_core::{Content, Message, ToolCall, ToolResult, ToolSpec};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

/// An answer of each provider with all that only it understands, and a call.
fn answers() -> [(Provider, Value); 5] {
    let function = json!({ "name": "look", "arguments": "{\"at\":1}" });
    [
        (
            Provider::Anthropic,
            json!({ "stop_reason": "tool_use", "container": { "id": "PRIVATE" }, "content": [
            { "type": "thinking", "thinking": "PRIVATE", "signature": "PRIVATE" },
            { "type": "redacted_thinking", "data": "PRIVATE" },
            { "type": "text", "text": "I look.", "citations": [{ "cited_text": "PRIVATE" }] },
            { "type": "tool_use", "id": "a1", "name": "look", "input": { "at": 1 }, "caller": { "type": "PRIVATE" } },
        ] }),
        ),
        (
            Provider::OpenAiChat,
            json!({ "choices": [{ "finish_reason": "tool_calls", "message": {
            "content": "I look.", "reasoning_content": "PRIVATE", "audio": { "id": "PRIVATE" },
            "tool_calls": [{ "id": "a1", "type": "function", "function": function, "extra_content": "PRIVATE" }] } }] }),
        ),
        (
            Provider::OpenAiResponses,
            json!({ "status": "completed", "output": [
            { "type": "reasoning", "id": "PRIVATE", "summary": [], "encrypted_content": "PRIVATE" },
            { "type": "message", "id": "PRIVATE", "role": "assistant", "content": [{ "type": "output_text", "text": "I look.", "annotations": ["PRIVATE"] }] },
            { "type": "function_call", "id": "PRIVATE", "call_id": "a1", "name": "look", "arguments": "{\"at\":1}" },
        ] }),
        ),
        (
            Provider::Gemini,
            json!({ "candidates": [{ "finishReason": "STOP", "content": { "parts": [
            { "text": "PRIVATE", "thought": true, "thoughtSignature": "PRIVATE" },
            { "text": "I look.", "thoughtSignature": "PRIVATE" },
            { "executableCode": { "code": "PRIVATE" } },
            { "functionCall": { "id": "a1", "name": "look", "args": { "at": 1 } }, "partMetadata": "PRIVATE" },
        ] } }] }),
        ),
        (
            Provider::Ollama,
            json!({ "done": true, "done_reason": "stop", "message": {
            "thinking": "", "content": "I look.", "logprobs": "PRIVATE",
            "tool_calls": [{ "id": "a1", "function": { "index": 0, "name": "look", "arguments": { "at": 1 } } }] } }),
        ),
    ]
}

#[test]
fn a_conversation_changes_its_provider_at_any_time() {
    for (from, body) in answers() {
        let reply = from.reply(&body).unwrap();
        let call = reply.message.tool_calls().next().unwrap();
        let log = [
            Message::user("Look!"),
            reply.message,
            Message::tool([ToolResult::ok(&call, "a whale")]),
        ];
        for to in Provider::ALL {
            let options = RequestOptions::new("m");
            let sent = to.request(&log, &[], &options).unwrap().to_string();
            for said in ["I look.", "look", "a whale"] {
                assert!(sent.contains(said), "{from} to {to}: {said} in {sent}");
            }
            let private = *to != from && sent.contains("PRIVATE");
            assert!(!private, "{from} to {to}: {sent}");
            let left = to.left_out(&log);
            assert_eq!(left.is_empty(), *to == from, "{from} to {to}: {left:?}");
            assert!(left.iter().all(|left| left.message == 1));
        }
    }
}

#[test]
fn a_custom_call_is_a_call_everywhere() {
    let call =
        json!({ "id": "c1", "type": "custom", "custom": { "name": "sql", "input": "select 1" } });
    let body = json!({ "choices": [{ "message": { "content": null, "tool_calls": [call] }, "finish_reason": "tool_calls" }] });
    let result = Content::ToolResult {
        id: "c1".into(),
        content: "1".into(),
        is_error: false,
    };
    let answer = Message {
        content: vec![result],
        ..Message::tool([])
    };
    let log = [
        Message::user("x"),
        openai_chat::reply(&body).unwrap().message,
        answer,
        Message::user("y"),
    ];
    for provider in Provider::ALL {
        let sent = provider
            .request(&log, &[], &RequestOptions::new("m"))
            .unwrap();
        assert!(sent.to_string().contains("select 1"), "{provider}: {sent}");
    }
    let sent = openai_responses::request(&log, &[], &RequestOptions::new("m")).unwrap();
    assert_eq!(sent["input"][1]["type"], "function_call");
    assert_eq!(sent["input"][2]["type"], "function_call_output");
}

#[test]
fn different_ids_stay_different() {
    let ids = ["a:1", "a.1", "a_1", "", "call", "a:1"];
    let mut log = vec![Message::user("x")];
    for (at, id) in ids.iter().enumerate() {
        let call = ToolCall::new(*id, "look", json!({}));
        log.push(Message::calls([call.clone()]));
        log.push(Message::tool([ToolResult::ok(&call, at.to_string())]));
    }
    let sent = anthropic::request(&log, &[], &RequestOptions::new("m").max_tokens(9)).unwrap();
    let messages = sent["messages"].as_array().unwrap();
    let mut seen = Vec::new();
    for pair in messages[1..].chunks(2) {
        let id = pair[0]["content"][0]["id"].as_str().unwrap();
        assert_eq!(pair[1]["content"][0]["tool_use_id"], id);
        seen.push(id);
    }
    assert_eq!(seen, ["a_1", "a_1_2", "a_1_3", "call", "call_2", "a_1_4"]);
    // What an id becomes does not hang on what follows.
    let shorter =
        anthropic::request(&log[..3], &[], &RequestOptions::new("m").max_tokens(9)).unwrap();
    assert_eq!(shorter["messages"].as_array().unwrap()[..], messages[..3]);
}

#[test]
fn images_of_a_tool_go_where_the_provider_takes_them() {
    let call = ToolCall::new("a", "look", json!({}));
    let mut answer = Message::tool([ToolResult::ok(&call, "a whale")]);
    answer.content.push(Content::Image {
        mime: "image/png".into(),
        source: ImageSource::Data("AA==".into()),
    });
    let log = [Message::user("x"), Message::calls([call]), answer];
    let options = RequestOptions::new("m");
    let sent = |provider: Provider| provider.request(&log, &[], &options);
    let body = sent(Provider::Anthropic).unwrap();
    assert_eq!(
        body["messages"][2]["content"][0]["content"][1]["source"]["data"],
        "AA=="
    );
    let body = sent(Provider::OpenAiResponses).unwrap();
    assert_eq!(
        body["input"][2]["output"][1]["image_url"],
        "data:image/png;base64,AA=="
    );
    let body = sent(Provider::Gemini).unwrap();
    assert_eq!(
        body["contents"][2]["parts"][0]["functionResponse"]["parts"][0]["inlineData"]["data"],
        "AA=="
    );
    let body = sent(Provider::Ollama).unwrap();
    assert_eq!(body["messages"][2]["images"][0], "AA==");
    let error = sent(Provider::OpenAiChat).unwrap_err();
    assert!(
        matches!(error, WireError::Unsupported { message: 2, .. }),
        "{error}"
    );
}

#[test]
fn long_numbers_reach_the_tool_and_the_model() {
    #[derive(serde::Deserialize)]
    struct Amount {
        wei: u128,
    }
    let digits = "340282366920938463463374607431768211455";
    let written = format!("{{\"wei\":{digits}}}");
    let spec = ToolSpec::loose("pay", "Pays.", json!({ "type": "object" })).unwrap();
    let tools = Tools::new()
        .add(spec, |amount: Amount| amount.wei.to_string())
        .unwrap();
    let function = json!({ "id": "a", "type": "function", "function": { "name": "pay", "arguments": written } });
    let body = json!({ "choices": [{ "message": { "tool_calls": [function] }, "finish_reason": "tool_calls" }] });
    let reply = openai_chat::reply(&body).unwrap();
    let call = reply.message.tool_calls().next().unwrap();
    assert_eq!(tools.run(&call).content, digits);
    let log = [Message::user("x"), reply.message];
    let sent = Provider::OpenAiChat
        .request(&log, &[], &RequestOptions::new("m"))
        .unwrap();
    assert_eq!(
        sent["messages"][1]["tool_calls"][0]["function"]["arguments"],
        written
    );
    let sent = Provider::Anthropic
        .request(&log, &[], &RequestOptions::new("m"))
        .unwrap();
    assert_eq!(
        sent["messages"][1]["content"][0]["input"],
        json!({ "wei": digits })
    );
    // In a stream, where an object is cut to pieces.
    let mut reader = anthropic::StreamReader::new();
    for event in [
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "tool_use", "id": "a", "name": "pay", "input": {} } }),
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "input_json_delta", "partial_json": written } }),
        json!({ "type": "message_stop" }),
    ] {
        reader.push(&event).unwrap();
    }
    let call = reader
        .finish()
        .unwrap()
        .message
        .tool_calls()
        .next()
        .unwrap();
    assert_eq!(call.arguments, Value::from(written));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prompt_tests::random_cases(256)))]

    /// A number comes back with its digits, in whichever way it is kept.
    #[test]
    fn numbers_keep_their_digits(number in "-?(0|[1-9][0-9]{0,40})(\\.[0-9]{0,25}[1-9])?(e-?[1-9][0-9]?)?", text in "[a-z0-9\\\\\"]{0,6}") {
        let written = json!({ "text": text }).to_string().replace('}', &format!(",\"n\":[{number}]}}"));
        let function = json!({ "id": "a", "type": "function", "function": { "name": "f", "arguments": written } });
        let body = json!({ "choices": [{ "message": { "tool_calls": [function] }, "finish_reason": "tool_calls" }] });
        let reply = openai_chat::reply(&body).unwrap();
        let log = [Message::user("x"), reply.message];
        let sent = Provider::Gemini.request(&log, &[], &RequestOptions::new("m")).unwrap();
        let args = &sent["contents"][1]["parts"][0]["functionCall"]["args"];
        prop_assert_eq!(&args["text"], &json!(text));
        let digits = |text: &str| {
            let mantissa = text.split('e').next().unwrap_or_default().to_owned();
            let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
            digits.trim_matches('0').to_owned()
        };
        let kept = args["n"][0].as_str().map_or_else(|| args["n"][0].to_string(), str::to_owned);
        prop_assert_eq!(digits(&kept), digits(&number), "{}", kept);
    }

    /// Bytes of any body, cut anywhere, give what the whole body gives.
    #[test]
    fn any_cut_gives_the_same_reply(text in "[a-zé🦀\n ]{0,12}", end in 0_usize..3, sizes in prop::collection::vec(1_usize..9, 1..6)) {
        let end = ["\n", "\r\n", "\r"][end];
        let event = json!({ "choices": [{ "index": 0, "delta": { "content": text } }] });
        let pretty = serde_json::to_string_pretty(&event).unwrap().replace('\n', &format!("{end}data: "));
        let last = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
        let body = format!("\u{feff}:{end}data: {event}{end}{end}data: {pretty}{end}{end}id: 7{end}data:{last}{end}{end}data: [DONE]{end}data: {event}");
        let mut whole = openai_chat::StreamReader::new();
        let heard = whole.push_bytes(body.as_bytes()).unwrap();
        let mut reader = openai_chat::StreamReader::new();
        let (mut rest, mut pieces, mut at) = (body.as_bytes(), Vec::new(), 0);
        while !rest.is_empty() {
            let (head, tail) = rest.split_at(sizes[at % sizes.len()].min(rest.len()));
            pieces.extend(reader.push_bytes(head).unwrap());
            (rest, at) = (tail, at + 1);
        }
        prop_assert!(reader.is_done());
        prop_assert_eq!(pieces, heard);
        let reply = reader.finish().unwrap();
        prop_assert_eq!(reply.message.text(), format!("{text}{text}"));
        prop_assert_eq!(whole.finish().unwrap(), reply);
    }
}

#[test]
fn what_is_no_stream_is_said_to_be_none() {
    let read = |body: &str| {
        let mut reader = ollama::StreamReader::new();
        reader
            .push_bytes(body.as_bytes())
            .and_then(|_| reader.finish())
    };
    let page = format!("<html>\n<body>502 Bad Gateway{}\n", "é".repeat(300));
    let error = read(&page).unwrap_err();
    assert!(
        matches!(&error, WireError::NoReply { text, .. } if text.len() <= 200 && text.contains("502 Bad Gateway"))
    );
    let error = read("{\n  \"error\": { \"message\": \"Busy.\", \"code\": 503 }\n}\n").unwrap_err();
    assert!(
        matches!(
            error,
            WireError::Api {
                status: Some(503),
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(
        read("{\"message\": {\"content\": \"Two fath"),
        Err(WireError::Unfinished)
    );
    let error = read("data: {\"message\": {\"content\": \"Two fath\n\n").unwrap_err();
    assert!(matches!(error, WireError::NoReply { .. }), "{error}");
    assert_eq!(read(""), Err(WireError::Unfinished));
    let whole = "{\"message\":{\"content\":\"Two\"},\"done\":true}";
    assert_eq!(read(whole).unwrap().message.text(), "Two");
    // Nothing after the end counts.
    let after = read(&format!("{whole}\n{whole}\n")).unwrap();
    assert_eq!(after.message.text(), "Two");
    // A line with a blank in front is no data.
    let mut reader = openai_chat::StreamReader::new();
    let odd = " data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}";
    assert_eq!(reader.push_line(odd), Ok(Vec::new()));
}

#[test]
fn streams_are_read_as_leniently_as_whole_answers() {
    let mut reader = openai_chat::StreamReader::new();
    let call = json!({ "index": 0, "id": "c", "type": "function", "function": { "name": "f", "arguments": { "a": 1 } } });
    for event in [
        json!({ "choices": null }),
        json!({ "id": "x" }),
        json!({ "choices": [{ "delta": { "content": [{ "type": "text", "text": "Two " }] } }] }),
        json!({ "choices": [{ "delta": { "content": "fathoms." } }] }),
        json!({ "choices": [{ "delta": { "tool_calls": [call] }, "finish_reason": "tool_calls" }] }),
    ] {
        reader.push(&event).unwrap();
    }
    let reply = reader.finish().unwrap();
    assert_eq!(reply.message.text(), "Two fathoms.");
    assert_eq!(
        reply.message.tool_calls().next().unwrap().arguments,
        json!({ "a": 1 })
    );

    // Gemini's arguments that come one by one.
    let part = |call: Value| json!({ "candidates": [{ "content": { "parts": [{ "functionCall": call }] } }] });
    let piece = |path: &str, value: &str, more: bool| json!({ "jsonPath": path, "stringValue": value, "willContinue": more });
    let mut reader = gemini::StreamReader::new();
    let mut deltas = Vec::new();
    for event in [
        part(json!({ "id": "g1", "name": "find", "willContinue": true })),
        part(json!({ "partialArgs": [piece("$.place.name", "Har", true)], "willContinue": true })),
        part(
            json!({ "partialArgs": [piece("$.place.name", "bour", false), { "jsonPath": "$.depths[0]", "numberValue": 2.5 }], "willContinue": true }),
        ),
        part(
            json!({ "partialArgs": [{ "jsonPath": "$.depths[1]", "boolValue": true }, { "jsonPath": "$['a b']", "nullValue": "NULL_VALUE" }], "willContinue": true }),
        ),
        part(json!({})),
        json!({ "candidates": [{ "content": { "parts": [{ "text": "Done." }] }, "finishReason": "STOP" }] }),
    ] {
        deltas.extend(reader.push(&event).unwrap());
    }
    let calls = deltas
        .iter()
        .filter(|delta| matches!(delta, Delta::Call { .. }))
        .count();
    assert_eq!(calls, 1);
    assert!(reader.is_done());
    let reply = reader.finish().unwrap();
    assert_eq!(reply.message.text(), "Done.");
    let call = reply.message.tool_calls().next().unwrap();
    assert_eq!((call.id.as_str(), call.name.as_str()), ("g1", "find"));
    assert_eq!(
        call.arguments,
        json!({ "place": { "name": "Harbour" }, "depths": [2.5, true], "a b": null })
    );
}

/// Quotes in a path of Gemini's make one name of what stands in them.
#[test]
fn quoted_names_of_arguments_are_one_name() {
    let arguments = |pieces: &[(&str, Value)]| {
        let pieces = pieces
            .iter()
            .map(|(path, value)| json!({ "jsonPath": path, "stringValue": value }));
        let call = json!({ "name": "f", "partialArgs": pieces.collect::<Value>() });
        let event = json!({ "candidates": [{ "content": { "parts": [{ "functionCall": call }] }, "finishReason": "STOP" }] });
        let mut reader = gemini::StreamReader::new();
        reader.push(&event).unwrap();
        let call = reader.finish().unwrap().message.tool_calls().next();
        call.unwrap().arguments
    };
    for (path, expected) in [
        ("$['a.b']", json!({ "a.b": "x" })),
        ("$[\"a.b\"]", json!({ "a.b": "x" })),
        ("$['a[0].b']['c']", json!({ "a[0].b": { "c": "x" } })),
        ("$['it\\'s'].b", json!({ "it's": { "b": "x" } })),
        ("$['0']", json!({ "0": "x" })),
        ("$.a[0]['b.c'][0]", json!({ "a": [{ "b.c": ["x"] }] })),
        ("a.b", json!({ "a": { "b": "x" } })),
        ("$['open", json!({ "open": "x" })),
    ] {
        assert_eq!(arguments(&[(path, json!("x"))]), expected, "{path}");
    }
    let more = [("$['a.b']", json!("Har")), ("$['a.b']", json!("bour"))];
    assert_eq!(arguments(&more), json!({ "a.b": "Harbour" }));
}

/// An empty text with the provider's own fields is something that was said.
#[test]
fn an_empty_text_with_fields_goes_back() {
    let parts = json!([{ "text": "", "partMetadata": { "a": 1 } }]);
    let content = json!({ "role": "model", "parts": parts });
    let body = json!({ "candidates": [{ "content": content, "finishReason": "STOP" }] });
    let log = [
        Message::user("x"),
        gemini::reply(&body).unwrap().message,
        Message::user("y"),
    ];
    let sent = gemini::request(&log, &[], &RequestOptions::default()).unwrap();
    assert_eq!(sent["contents"][1], content);
    // Anthropic refuses a text without a visible character, whatever is beside it.
    let body = json!({ "stop_reason": "end_turn", "content": [
        { "type": "text", "text": "", "citations": [{ "cited_text": "a" }] },
        { "type": "text", "text": "x" },
    ] });
    let log = [Message::user("x"), anthropic::reply(&body).unwrap().message];
    let sent = anthropic::request(&log, &[], &RequestOptions::new("m").max_tokens(9)).unwrap();
    assert_eq!(
        sent["messages"][1]["content"],
        json!([{ "type": "text", "text": "x" }])
    );
}

/// What an MCP server says in the name of the model comes back as it was.
#[test]
fn a_resource_of_the_model_is_a_message_of_a_prompt() {
    let resource = json!({ "uri": "file:///a", "text": "# A", "mimeType": "text/markdown" });
    let block = json!({ "type": "resource", "resource": resource });
    let came = json!([{ "role": "assistant", "content": block }]);
    let messages = mcp::messages(&came).unwrap();
    let sent = mcp::prompts_get("", &messages, &mcp::McpOptions::new()).unwrap();
    assert_eq!(sent["messages"], came);
}

#[test]
fn a_reply_says_what_the_provider_says() {
    let body = json!({ "content": [], "stop_reason": "stop_sequence", "stop_sequence": "END", "usage": { "output_tokens": 9, "output_tokens_details": { "thinking_tokens": 4 } } });
    let reply = anthropic::reply(&body).unwrap();
    assert_eq!(
        (reply.stop_sequence.as_deref(), reply.usage.reasoning),
        (Some("END"), 4)
    );
    assert_eq!(reply.raw, body);
    let body = json!({ "content": [], "stop_reason": "refusal", "stop_details": { "type": "refusal", "category": "cyber" } });
    let reply = anthropic::reply(&body).unwrap();
    assert_eq!(
        (reply.stop, reply.refusal.as_deref()),
        (StopReason::Filtered, Some("cyber"))
    );
    let blocked = gemini::reply(&json!({ "promptFeedback": { "blockReason": "SAFETY" } })).unwrap();
    assert_eq!(blocked.refusal.as_deref(), Some("SAFETY"));
    let body = json!({ "choices": [{ "message": { "content": "x" }, "finish_reason": "content_filter" }], "usage": { "completion_tokens_details": { "reasoning_tokens": 3 } } });
    let reply = openai_chat::reply(&body).unwrap();
    assert_eq!(
        (reply.refusal.as_deref(), reply.usage.reasoning),
        (Some("content_filter"), 3)
    );
    // Of several answers, the one with the index 0, whole as in a stream.
    let several = json!({ "candidates": [
        { "index": 1, "content": { "parts": [{ "text": "no" }] }, "finishReason": "STOP" },
        { "index": 0, "content": { "parts": [{ "text": "yes" }] }, "finishReason": "STOP" },
    ] });
    assert_eq!(gemini::reply(&several).unwrap().message.text(), "yes");
    // The container in which tools ran is named again.
    let body = json!({ "container": { "id": "box-1", "expires_at": "soon" }, "content": [{ "type": "text", "text": "x" }], "stop_reason": "end_turn" });
    let log = [
        Message::user("a"),
        anthropic::reply(&body).unwrap().message,
        Message::user("b"),
    ];
    let sent = anthropic::request(&log, &[], &RequestOptions::new("m").max_tokens(9)).unwrap();
    assert_eq!(
        (&sent["container"], &sent["messages"][1]["content"]),
        (&json!("box-1"), &json!([{ "type": "text", "text": "x" }]))
    );
}

#[test]
fn errors_say_whether_another_try_is_worth_it() {
    let error = |body: Value| openai_chat::reply(&body).unwrap_err();
    let busy = error(json!({ "error": { "code": 429, "message": "Slow down" } }));
    assert!(busy.is_transient());
    assert!(
        error(json!({ "error": { "type": "overloaded_error", "message": "x" } })).is_transient()
    );
    assert!(WireError::Unfinished.is_transient());
    for lasting in [
        json!({ "error": { "code": "insufficient_quota", "type": "insufficient_quota", "message": "x" } }),
        json!({ "error": { "code": 400, "message": "x" } }),
        json!({ "error": { "type": "authentication_error", "message": "x" } }),
        json!({}),
    ] {
        let error = error(lasting);
        assert!(!error.is_transient(), "{error}");
    }
    let wait = |headers: &[(&str, &str)]| {
        let read = Provider::OpenAiChat.read(429, headers.iter().copied(), b"Slow down");
        read.unwrap_err().retry_after()
    };
    assert_eq!(wait(&[("retry-after", "3")]), Some(Duration::from_secs(3)));
    assert_eq!(
        wait(&[("Retry-After-Ms", "250"), ("Retry-After", "3")]),
        Some(Duration::from_millis(250))
    );
    let now = ("date", "Sun, 28 Feb 2027 23:59:30 GMT");
    assert_eq!(
        wait(&[("retry-after", "Mon, 01 Mar 2027 00:00:30 GMT"), now]),
        Some(Duration::from_secs(60))
    );
    assert_eq!(
        wait(&[("retry-after", "Mon, 01 Mar 2027 00:00:30 GMT")]),
        None
    );
    for odd in [
        "",
        "soon",
        "-1",
        "NaN",
        "1e300",
        "Mon, 99999 Mar 99999 99999:0:0 GMT",
    ] {
        assert_eq!(wait(&[("retry-after", odd), now]), None, "{odd}");
    }
}

#[test]
fn gemini_gets_inner_objects_without_properties_as_json_schema() {
    let inner = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
    let schema = json!({ "type": "object", "properties": { "e": inner }, "required": ["e"], "additionalProperties": false });
    let tool = ToolSpec::new("f", "F.", schema.clone()).unwrap();
    let sent = gemini::request(&[Message::user("x")], &[tool], &RequestOptions::default()).unwrap();
    let function = &sent["tools"][0]["functionDeclarations"][0];
    assert_eq!(
        (
            &function["parametersJsonSchema"],
            function.get("parameters")
        ),
        (&schema, None)
    );
}

#[test]
fn fields_beside_a_text_do_not_keep_it_from_being_plain() {
    let part = json!({ "type": "output_text", "text": "Two fathoms.", "annotations": [] });
    let item = json!({ "type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part] });
    let reply =
        openai_responses::reply(&json!({ "status": "completed", "output": [item] })).unwrap();
    assert_eq!(reply.message.content.len(), 2);
    assert_eq!(reply.message.plain_text().as_deref(), Some("Two fathoms."));
}
