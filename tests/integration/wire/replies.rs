//! What comes back, read whole: text, calls, why it stopped, what it cost, broken arguments, errors; and that it can be
//! sent back.

use prompt_agent::wire::{
    Provider, Reply, RequestOptions, StopReason, Usage, WireError, anthropic, gemini, ollama,
    openai_chat, openai_responses,
};
use prompt_core::{Content, Message, ToolResult};
use serde_json::{Value, json};

fn chat(message: Value, finish: Value) -> Value {
    json!({
        "id": "chatcmpl-1", "model": "m-1",
        "choices": [{ "index": 0, "message": message, "finish_reason": finish }],
        "usage": {
            "prompt_tokens": 120, "completion_tokens": 8,
            "prompt_tokens_details": { "cached_tokens": 64 },
        },
    })
}

fn responses(output: Value, status: &str, reason: Value) -> Value {
    let details = reason.is_string().then(|| json!({ "reason": reason }));
    json!({
        "id": "resp_1", "model": "m-1", "status": status, "error": null,
        "incomplete_details": details, "output": output,
        "usage": { "input_tokens": 120, "input_tokens_details": { "cached_tokens": 64 }, "output_tokens": 8 },
    })
}

fn claude(content: Value, stop: Value) -> Value {
    json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m-1",
        "content": content, "stop_reason": stop,
        "usage": {
            "input_tokens": 40, "cache_read_input_tokens": 64, "cache_creation_input_tokens": 16,
            "output_tokens": 8,
        },
    })
}

fn google(parts: Value, finish: &str) -> Value {
    json!({
        "responseId": "r_1", "modelVersion": "m-1",
        "candidates": [{ "content": { "role": "model", "parts": parts }, "finishReason": finish }],
        "usageMetadata": {
            "promptTokenCount": 100, "toolUsePromptTokenCount": 20, "cachedContentTokenCount": 64,
            "candidatesTokenCount": 5, "thoughtsTokenCount": 3,
        },
    })
}

fn llama(message: Value, reason: &str) -> Value {
    json!({
        "model": "m-1", "message": message, "done": true, "done_reason": reason,
        "prompt_eval_count": 120, "eval_count": 8,
    })
}

fn said(text: &str) -> Value {
    json!({ "role": "assistant", "content": text })
}

fn item(text: &str) -> Value {
    json!([{ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": text }] }])
}

fn block(text: &str) -> Value {
    json!([{ "type": "text", "text": text }])
}

/// The same answer from all of them.
fn answers(text: &str) -> Vec<(Provider, Value)> {
    vec![
        (Provider::OpenAiChat, chat(said(text), json!("stop"))),
        (
            Provider::OpenAiResponses,
            responses(item(text), "completed", Value::Null),
        ),
        (Provider::Anthropic, claude(block(text), json!("end_turn"))),
        (Provider::Gemini, google(json!([{ "text": text }]), "STOP")),
        (Provider::Ollama, llama(said(text), "stop")),
    ]
}

#[test]
fn a_text_is_the_same_reply_from_everyone() {
    for (provider, answer) in answers("Two fathoms.") {
        let reply = provider.reply(&answer).unwrap();
        assert_eq!(
            reply.message,
            Message::assistant("Two fathoms."),
            "{provider}"
        );
        assert_eq!(reply.stop, StopReason::End, "{provider}");
        assert_eq!(reply.model.as_deref(), Some("m-1"), "{provider}");
        assert_eq!(
            reply.id.is_some(),
            provider != Provider::Ollama,
            "{provider}"
        );
    }
}

#[test]
fn the_input_counts_cached_tokens_for_everyone() {
    for (provider, answer) in answers("x") {
        let Usage {
            input,
            output,
            cache_read,
            cache_write,
            ..
        } = provider.reply(&answer).unwrap().usage;
        assert_eq!((input, output), (120, 8), "{provider}");
        let cached = match provider {
            Provider::Ollama => (0, 0),
            Provider::Anthropic => (64, 16),
            _ => (64, 0),
        };
        assert_eq!((cache_read, cache_write), cached, "{provider}");
    }
    // Numbers that nobody can have used do not overflow, and a missing count is none.
    let mut huge = claude(block("x"), json!("end_turn"));
    huge["usage"] = json!({ "input_tokens": u64::MAX, "cache_read_input_tokens": u64::MAX });
    let usage = anthropic::reply(&huge).unwrap().usage;
    assert_eq!((usage.input, usage.output), (u64::MAX, 0));
    assert_eq!([usage, usage].into_iter().sum::<Usage>().input, u64::MAX);
}

#[test]
fn every_reason_to_stop_is_told_apart() {
    let chat_of = |reason| openai_chat::reply(&chat(said("x"), json!(reason)));
    let responses_of =
        |status, reason| openai_responses::reply(&responses(item("x"), status, reason));
    let claude_of = |reason| anthropic::reply(&claude(block("x"), json!(reason)));
    let google_of = |reason| gemini::reply(&google(json!([{ "text": "x" }]), reason));
    let llama_of = |reason| ollama::reply(&llama(said("x"), reason));
    let other = |word: &str| StopReason::Other(word.into());
    for (reply, expected) in [
        (chat_of("length"), StopReason::Length),
        (chat_of("content_filter"), StopReason::Filtered),
        (chat_of("tired"), other("tired")),
        (
            responses_of("incomplete", json!("max_output_tokens")),
            StopReason::Length,
        ),
        (
            responses_of("incomplete", json!("content_filter")),
            StopReason::Filtered,
        ),
        (responses_of("incomplete", json!("tired")), other("tired")),
        (responses_of("cancelled", Value::Null), other("cancelled")),
        (claude_of("stop_sequence"), StopReason::End),
        (claude_of("max_tokens"), StopReason::Length),
        (
            claude_of("model_context_window_exceeded"),
            StopReason::Length,
        ),
        (claude_of("refusal"), StopReason::Filtered),
        (claude_of("pause_turn"), StopReason::Paused),
        (claude_of("tired"), other("tired")),
        (google_of("MAX_TOKENS"), StopReason::Length),
        (google_of("SAFETY"), StopReason::Filtered),
        (google_of("PROHIBITED_CONTENT"), StopReason::Filtered),
        (
            google_of("MALFORMED_FUNCTION_CALL"),
            other("MALFORMED_FUNCTION_CALL"),
        ),
        (llama_of("length"), StopReason::Length),
        (llama_of("unload"), other("unload")),
    ] {
        assert_eq!(reply.unwrap().stop, expected);
    }
    // A reason that was not given is not an end.
    let silent = openai_chat::reply(&chat(said("x"), Value::Null)).unwrap();
    assert_eq!(silent.stop, other("unknown"));
    for word in ["end", "tool_calls", "length", "filtered", "paused", "tired"] {
        let reason: StopReason = serde_json::from_value(json!(word)).unwrap();
        assert_eq!(reason.to_string(), word);
        assert_eq!(StopReason::from(word.to_owned()), reason);
        assert_eq!(matches!(reason, StopReason::Other(_)), word == "tired");
    }
}

#[test]
fn refusals_and_blocked_prompts_are_filtered() {
    let refusal = json!({ "role": "assistant", "content": null, "refusal": "I cannot." });
    let reply = openai_chat::reply(&chat(refusal, json!("stop"))).unwrap();
    assert_eq!(
        (reply.stop, reply.message.text().as_str()),
        (StopReason::Filtered, "I cannot.")
    );
    let part = json!([{ "type": "refusal", "refusal": "I cannot." }]);
    let output = json!([{ "type": "message", "role": "assistant", "content": part }]);
    let reply = openai_responses::reply(&responses(output, "completed", Value::Null)).unwrap();
    assert_eq!(
        (reply.stop, reply.message.text().as_str()),
        (StopReason::Filtered, "I cannot.")
    );
    let blocked = json!({
        "promptFeedback": { "blockReason": "SAFETY" },
        "usageMetadata": { "promptTokenCount": 7 },
    });
    let reply = gemini::reply(&blocked).unwrap();
    assert_eq!((reply.stop, reply.usage.input), (StopReason::Filtered, 7));
    assert!(reply.message.content.is_empty());
}

/// The same call from all of them; `arguments` as the model wrote them.
fn calling(arguments: &str) -> Vec<(Provider, Value)> {
    let value: Value = serde_json::from_str(arguments).unwrap_or_else(|_| json!(arguments));
    let function = json!({ "name": "look", "arguments": arguments });
    let call = json!({ "id": "call_1", "type": "function", "function": function });
    let message = json!({ "role": "assistant", "content": null, "tool_calls": [call] });
    let item = json!([{ "type": "function_call", "call_id": "call_1", "name": "look", "arguments": arguments }]);
    let used = json!([{ "type": "tool_use", "id": "call_1", "name": "look", "input": value }]);
    let part = json!([{ "functionCall": { "name": "look", "args": value } }]);
    let function = json!({ "function": { "name": "look", "arguments": value } });
    let local = json!({ "role": "assistant", "content": "", "tool_calls": [function] });
    vec![
        (Provider::OpenAiChat, chat(message, json!("tool_calls"))),
        (
            Provider::OpenAiResponses,
            responses(item, "completed", Value::Null),
        ),
        (Provider::Anthropic, claude(used, json!("tool_use"))),
        (Provider::Gemini, google(part, "STOP")),
        (Provider::Ollama, llama(local, "stop")),
    ]
}

/// The arguments of the call in a request.
fn sent_arguments(provider: Provider, body: &Value) -> &Value {
    let place = match provider {
        Provider::OpenAiChat => "/messages/1/tool_calls/0/function/arguments",
        Provider::OpenAiResponses => "/input/1/arguments",
        Provider::Anthropic => "/messages/1/content/0/input",
        Provider::Gemini => "/contents/1/parts/0/functionCall/args",
        _ => "/messages/1/tool_calls/0/function/arguments",
    };
    body.pointer(place).unwrap()
}

#[test]
fn calls_are_read_whatever_the_arguments_are() {
    for (written, expected) in [
        (r#"{"at":"a"}"#, json!({ "at": "a" })),
        ("{\"at\":", json!("{\"at\":")),
        ("[1]", json!("[1]")),
        ("", json!({})),
    ] {
        for (provider, answer) in calling(written) {
            let reply = provider.reply(&answer).unwrap();
            assert_eq!(reply.stop, StopReason::ToolCalls, "{provider}");
            let calls: Vec<_> = reply.message.tool_calls().collect();
            assert_eq!(calls.len(), 1, "{provider}");
            assert_eq!(
                (calls[0].id.as_str(), calls[0].name.as_str()),
                ("call_1", "look")
            );
            assert_eq!(calls[0].arguments, expected, "{provider}: {written}");

            // Sent back unchanged, or as nothing where only objects are taken.
            let result = Message::tool([ToolResult::failed(&calls[0], "What?")]);
            let log = [Message::user("Look."), reply.message, result];
            let body = provider
                .request(&log, &[], &RequestOptions::new("m"))
                .unwrap();
            let sent = sent_arguments(provider, &body);
            match provider {
                Provider::OpenAiChat | Provider::OpenAiResponses => {
                    let text = if written.is_empty() { "{}" } else { written };
                    assert_eq!(*sent, json!(text), "{provider}");
                }
                _ if expected.is_object() => assert_eq!(*sent, expected, "{provider}"),
                _ => assert_eq!(*sent, json!({}), "{provider}"),
            }
        }
    }
}

#[test]
fn an_answer_that_says_nothing_can_be_sent_back() {
    for (provider, answer) in answers("") {
        let reply = provider.reply(&answer).unwrap();
        assert!(reply.message.content.is_empty(), "{provider}");
        let log = [Message::user("a"), reply.message, Message::user("b")];
        let body = provider
            .request(&log, &[], &RequestOptions::new("m"))
            .unwrap();
        let text = body.to_string();
        assert!(
            text.contains("\"a\"") && text.contains("\"b\""),
            "{provider}: {text}"
        );
        if provider == Provider::OpenAiChat {
            assert_eq!(
                body["messages"][1],
                json!({ "role": "assistant", "content": "" })
            );
        }
    }
}

/// Sends a reply back; gives the message that the format makes of it.
fn back(provider: Provider, reply: Reply) -> Value {
    let results: Vec<ToolResult> = reply
        .message
        .tool_calls()
        .map(|call| ToolResult::ok(&call, "seen"))
        .collect();
    let mut log = vec![Message::user("Look."), reply.message];
    log.extend((!results.is_empty()).then(|| Message::tool(results)));
    let body = provider
        .request(&log, &[], &RequestOptions::new("m"))
        .unwrap();
    let list = ["messages", "contents", "input"];
    let list = list.iter().find_map(|key| body.get(*key)).unwrap();
    list[1].clone()
}

#[test]
fn what_only_a_provider_understands_goes_back_as_it_came() {
    let content = json!([
        { "type": "thinking", "thinking": "Hm.", "signature": "sig" },
        { "type": "redacted_thinking", "data": "xyz" },
        { "type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": { "query": "tide" } },
        { "type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [] },
        { "type": "text", "text": "Looking." },
        { "type": "tool_use", "id": "a", "name": "look", "input": {} },
    ]);
    let reply = anthropic::reply(&claude(content.clone(), json!("tool_use"))).unwrap();
    assert_eq!(back(Provider::Anthropic, reply)["content"], content);

    // Thinking of a server that signs nothing.
    let unsigned =
        json!([{ "type": "thinking", "thinking": "Hm." }, { "type": "text", "text": "x" }]);
    let reply = anthropic::reply(&claude(unsigned.clone(), json!("end_turn"))).unwrap();
    assert_eq!(back(Provider::Anthropic, reply)["content"], unsigned);

    let message = json!({ "role": "assistant", "content": "x", "reasoning_content": "Hm." });
    let reply = openai_chat::reply(&chat(message.clone(), json!("stop"))).unwrap();
    assert_eq!(reply.message.text(), "x");
    assert_eq!(back(Provider::OpenAiChat, reply), message);

    let thinking = json!({ "role": "assistant", "thinking": "Hm.", "content": "x" });
    let reply = ollama::reply(&llama(thinking.clone(), "stop")).unwrap();
    assert_eq!(
        reply.message.content[0],
        Content::Thought { text: "Hm.".into() }
    );
    assert_eq!(back(Provider::Ollama, reply), thinking);
}

#[test]
fn custom_calls_are_kept_and_answered() {
    let custom =
        json!({ "id": "c1", "type": "custom", "custom": { "name": "sh", "input": "ls -l" } });
    let message = json!({ "role": "assistant", "content": null, "tool_calls": [custom] });
    let reply = openai_chat::reply(&chat(message.clone(), json!("tool_calls"))).unwrap();
    assert_eq!(reply.stop, StopReason::ToolCalls);
    let answer = ToolResult::ok(&prompt_core::ToolCall::new("c1", "sh", json!({})), "a.txt");
    let log = [
        Message::user("?"),
        reply.message,
        Message::tool([answer.clone()]),
    ];
    let body = Provider::OpenAiChat
        .request(&log, &[], &RequestOptions::new("m"))
        .unwrap();
    assert_eq!(body["messages"][1], message);
    assert_eq!(body["messages"][2]["tool_call_id"], "c1");

    let item =
        json!({ "type": "custom_tool_call", "call_id": "c1", "name": "sh", "input": "ls -l" });
    let reply =
        openai_responses::reply(&responses(json!([item]), "completed", Value::Null)).unwrap();
    let log = [
        Message::user("?"),
        reply.message.clone(),
        Message::tool([answer]),
    ];
    let body = Provider::OpenAiResponses
        .request(&log, &[], &RequestOptions::new("m"))
        .unwrap();
    assert_eq!(body["input"][1], item);
    let output = json!({ "type": "custom_tool_call_output", "call_id": "c1", "output": "a.txt" });
    assert_eq!(body["input"][2], output);
    // It is a call like any other: the conversation cannot go on without its result.
    let log = [Message::user("?"), reply.message, Message::user("So?")];
    let error = Provider::OpenAiResponses.request(&log, &[], &RequestOptions::new("m"));
    assert_eq!(
        error,
        Err(WireError::UnansweredCall {
            message: 1,
            id: "c1".into()
        })
    );
}

#[test]
fn reasoning_that_nobody_kept_is_not_sent_back() {
    let lost = json!({ "type": "reasoning", "id": "rs_1", "summary": [] });
    let output = json!([lost, { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "x" }] }]);
    let reply = openai_responses::reply(&responses(output, "completed", Value::Null)).unwrap();
    let log = [Message::user("?"), reply.message, Message::user("!")];
    let options = RequestOptions::new("m");
    let body = openai_responses::request(&log, &[], &options).unwrap();
    assert_eq!(body["input"].as_array().unwrap().len(), 3);
    let body = openai_responses::request(&log, &[], &options.store(true)).unwrap();
    assert_eq!(body["input"][1], lost);
}

#[test]
fn errors_are_what_the_server_said() {
    let api = |status: Option<u16>, code: Option<&str>, message: &str| WireError::Api {
        status,
        code: code.map(str::to_owned),
        message: message.into(),
        retry_after: None,
    };
    for (provider, body, expected) in [
        (
            Provider::OpenAiChat,
            json!({ "error": { "message": "No such model.", "type": "invalid_request_error", "param": null, "code": "model_not_found" } }),
            api(None, Some("model_not_found"), "No such model."),
        ),
        (
            Provider::OpenAiChat,
            json!({ "object": "error", "message": "Too long.", "type": "BadRequestError", "code": 400 }),
            api(Some(400), Some("BadRequestError"), "Too long."),
        ),
        (
            Provider::OpenAiResponses,
            json!({ "id": "resp_1", "status": "failed", "output": [], "error": { "code": "server_error", "message": "Sorry." } }),
            api(None, Some("server_error"), "Sorry."),
        ),
        (
            Provider::Anthropic,
            json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" }, "request_id": "r" }),
            api(None, Some("overloaded_error"), "Overloaded"),
        ),
        (
            Provider::Gemini,
            json!({ "error": { "code": 429, "message": "Quota.", "status": "RESOURCE_EXHAUSTED" } }),
            api(Some(429), Some("RESOURCE_EXHAUSTED"), "Quota."),
        ),
        (
            Provider::Gemini,
            json!([{ "error": { "code": 400, "message": "Bad.", "status": "INVALID_ARGUMENT" } }]),
            api(Some(400), Some("INVALID_ARGUMENT"), "Bad."),
        ),
        (
            Provider::Ollama,
            json!({ "error": "model 'x' not found" }),
            api(None, None, "model 'x' not found"),
        ),
    ] {
        let error = provider.reply(&body).unwrap_err();
        assert_eq!(error, expected, "{provider}");
        assert_eq!(
            provider.stream().push(&body).unwrap_err(),
            expected,
            "{provider}"
        );
        assert_eq!(error.message(), None);
    }
}

#[test]
fn what_is_no_reply_is_refused_with_its_place() {
    let place = |reply: Result<Reply, WireError>| match reply {
        Err(WireError::Shape { path, .. }) => path,
        other => panic!("{other:?}"),
    };
    assert_eq!(place(openai_chat::reply(&json!({}))), "/choices");
    assert_eq!(
        place(openai_chat::reply(&json!({ "choices": [] }))),
        "/choices"
    );
    let nameless = json!({ "tool_calls": [{ "id": "a", "function": {} }] });
    assert_eq!(
        place(openai_chat::reply(&chat(nameless, json!("stop")))),
        "/choices/0/message/tool_calls/0/function/name"
    );
    assert_eq!(place(openai_responses::reply(&json!({}))), "/output");
    assert_eq!(
        place(openai_responses::reply(&json!({ "output": [{}] }))),
        "/output/0/type"
    );
    assert_eq!(
        place(anthropic::reply(&json!({ "type": "message" }))),
        "/content"
    );
    let bare = json!({ "content": [{ "type": "tool_use", "id": "a" }] });
    assert_eq!(place(anthropic::reply(&bare)), "/content/0/name");
    assert_eq!(place(gemini::reply(&json!({}))), "/candidates");
    assert_eq!(
        place(gemini::reply(&json!({ "candidates": [{}] }))),
        "/candidates/0/content"
    );
    assert_eq!(place(ollama::reply(&json!({}))), "/message");
    for garbage in [
        json!(null),
        json!(1),
        json!("x"),
        json!([1]),
        json!([[]]),
        json!({ "error": null }),
    ] {
        for provider in Provider::ALL {
            assert!(provider.reply(&garbage).is_err(), "{provider}: {garbage}");
        }
    }
}

#[test]
fn a_reply_can_be_stored() {
    for (provider, answer) in calling(r#"{"at":1}"#) {
        let reply = provider.reply(&answer).unwrap();
        let text = serde_json::to_string(&reply).unwrap();
        assert_eq!(serde_json::from_str::<Reply>(&text).unwrap(), reply);
    }
}
