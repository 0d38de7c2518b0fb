//! What comes over HTTP: a status, headers, bytes. A reply, or an error that says whether and when to try again.

use prompt_agent::Conversation;
use prompt_agent::testing::Script;
use prompt_agent::wire::{Delta, Provider, Reply, RequestOptions, StopReason, WireError};
use prompt_core::Message;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;

const NONE: [(&str, &str); 0] = [];

fn failed(status: u16, body: &str) -> WireError {
    let errors = Provider::ALL.iter().map(|provider| {
        let whole = provider.read(status, NONE, body.as_bytes()).unwrap_err();
        // The same piece by piece.
        let mut reader = provider.stream().response(status, NONE);
        for byte in body.as_bytes() {
            if reader.push_bytes(&[*byte]).is_err() {
                break;
            }
        }
        assert_eq!(reader.finish(), Err(whole.clone()), "{provider}");
        whole
    });
    let errors: Vec<WireError> = errors.collect();
    assert!(
        errors.iter().all(|error| *error == errors[0]),
        "{errors:#?}"
    );
    errors[0].clone()
}

#[test]
fn the_page_of_a_gateway_is_judged_by_its_status() {
    let page = "<html>\n<body>Bad Gateway</body>\n</html>\n";
    for (status, body, is_transient) in [
        (502, page, true),
        (503, "", true),
        (503, "upstream connect error", true),
        (429, "Too Many Requests", true),
        (408, "", true),
        (529, "{\"broken\": ", true),
        (504, "data: oops\n\n", true),
        (404, page, false),
        (403, "Blocked.", false),
        (401, "", false),
        (302, "Found.", false),
        // What says that all is well, and is no answer, is of something in between.
        (200, page, true),
        (200, "OK", true),
    ] {
        let error = failed(status, body);
        assert_eq!(error.is_transient(), is_transient, "{status} {body}");
        let WireError::NoReply { status: told, .. } = error else {
            panic!("{status} {body}: {error:?}");
        };
        assert_eq!(told, Some(status));
    }
    let text = failed(502, page).to_string();
    assert!(
        text.starts_with("what came with the status 502 is no reply: `<html>"),
        "{text}"
    );
}

#[test]
fn an_answer_that_breaks_off_is_to_be_asked_for_again() {
    for body in [
        "",
        "\n",
        "{",
        "{\"choices\": [{\"message\": {\"content\": \"Two",
        "data: {\"a\": ",
    ] {
        assert_eq!(failed(200, body), WireError::Unfinished, "{body}");
    }
    assert!(WireError::Unfinished.is_transient());
    // JSON that is none of a reply will be none the next time either.
    for provider in Provider::ALL {
        for body in ["{}", "{\"detail\": \"Here is nothing.\"}", "[1]", "[]"] {
            let error = provider.read(200, NONE, body.as_bytes()).unwrap_err();
            assert!(
                matches!(error, WireError::Shape { .. }),
                "{provider} {body}: {error:?}"
            );
            assert!(!error.is_transient());
        }
    }
}

#[test]
fn an_error_has_the_status_of_its_response() {
    for (status, body, told, code, message, is_transient) in [
        // Azure writes the status as a text.
        (
            429,
            r#"{"error":{"code":"429","message":"Slow."}}"#,
            429,
            None,
            "Slow.",
            true,
        ),
        (
            200,
            r#"{"error":{"code":"429","message":"Slow."}}"#,
            429,
            None,
            "Slow.",
            true,
        ),
        // OpenRouter's errors come with the status 200.
        (
            200,
            r#"{"error":{"code":502,"message":"No."}}"#,
            502,
            None,
            "No.",
            true,
        ),
        (
            503,
            r#"{"error":"server busy, please try again."}"#,
            503,
            Some("overloaded"),
            "server busy, please try again.",
            true,
        ),
        (
            500,
            r#"{"error":{"type":"invalid_request_error","message":"?"}}"#,
            500,
            Some("invalid_request_error"),
            "?",
            true,
        ),
        (
            400,
            r#"{"error":{"type":"invalid_request_error","message":"?"}}"#,
            400,
            Some("invalid_request_error"),
            "?",
            false,
        ),
        (
            429,
            r#"{"error":{"type":"insufficient_quota","code":"billing","message":"Pay."}}"#,
            429,
            Some("insufficient_quota"),
            "Pay.",
            false,
        ),
        // Gateways have words of their own.
        (
            503,
            r#"{"message":"no healthy upstream"}"#,
            503,
            None,
            "no healthy upstream",
            true,
        ),
        (
            404,
            r#"{"detail":"Not Found"}"#,
            404,
            None,
            "Not Found",
            false,
        ),
        (502, r#"{"a":1}"#, 502, None, r#"{"a":1}"#, true),
        (500, "[]", 500, None, "[]", true),
        // Whatever it says, a status that refuses is no answer.
        (
            500,
            r#"{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}]}"#,
            500,
            None,
            r#"{"choices":[{"finish_reason":"stop","message":{"content":"x"}}]}"#,
            true,
        ),
    ] {
        let error = failed(status, body);
        assert_eq!(error.is_transient(), is_transient, "{body}");
        let WireError::Api {
            status,
            code: found,
            message: text,
            ..
        } = error
        else {
            panic!("{body}: {error:?}");
        };
        assert_eq!((status, found.as_deref()), (Some(told), code), "{body}");
        // A map that keeps its order writes the keys as they came.
        assert!(text == message || text == body, "{text}");
    }
}

/// Without a status, where only the body is at hand.
#[test]
fn a_body_alone_says_whether_another_try_is_worth_it() {
    let error = |body: Value| {
        Provider::OpenAiChat
            .reply(&json!({ "error": body }))
            .unwrap_err()
    };
    for busy in [
        json!({ "code": "429" }),
        json!({ "code": "503" }),
        json!({ "status": "529" }),
        json!({ "type": "server_error", "code": "x" }),
        json!({ "type": "overloaded_error", "code": "busy" }),
        json!("server busy, please try again.  maximum pending requests exceeded"),
    ] {
        assert!(error(busy.clone()).is_transient(), "{busy}");
    }
    for lasting in [
        json!({ "code": "400" }),
        json!({ "code": "99" }),
        json!({ "type": "invalid_request_error", "code": "x" }),
        json!({ "type": "server_error", "code": "insufficient_quota" }),
        json!({ "code": "429", "type": "insufficient_quota" }),
        json!("model 'x' not found"),
    ] {
        assert!(!error(lasting.clone()).is_transient(), "{lasting}");
    }
}

#[test]
fn headers_say_when_to_try_again() {
    let wait = |provider: Provider, status: u16, body: &str| {
        let read = provider.read(status, [("Retry-After", "7")], body.as_bytes());
        read.unwrap_err().retry_after()
    };
    let seven = Some(Duration::from_secs(7));
    for provider in Provider::ALL {
        assert_eq!(wait(*provider, 503, "<html>"), seven);
        assert_eq!(wait(*provider, 429, r#"{"error":{"message":"x"}}"#), seven);
        assert_eq!(wait(*provider, 400, r#"{"error":{"message":"x"}}"#), None);
        assert_eq!(wait(*provider, 404, "<html>"), None);
        assert_eq!(wait(*provider, 200, ""), None);
    }
    // Headers come as the client has them.
    let error = |error: Result<Reply, WireError>| error.unwrap_err().retry_after();
    let of_strings: HashMap<String, Vec<u8>> =
        HashMap::from([("RETRY-AFTER".into(), b"7".to_vec())]);
    assert_eq!(error(Provider::Ollama.read(503, &of_strings, b"")), seven);
    assert_eq!(
        error(Provider::Ollama.read(503, vec![("retry-after", "7".to_owned())], b"")),
        seven
    );
    let odd = [("retry-after", &[0xff, b'7'][..])];
    assert_eq!(error(Provider::Ollama.read(503, odd, b"")), None);
    // Google says it in the body; a header is the nearer word.
    let delay =
        json!({ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s" });
    let body =
        json!({ "error": { "code": 429, "message": "Quota.", "details": [{ "a": 1 }, delay] } });
    let body = body.to_string();
    assert_eq!(
        error(Provider::Gemini.read(429, NONE, body.as_bytes())),
        Some(Duration::from_millis(34_500))
    );
    assert_eq!(wait(Provider::Gemini, 429, &body), seven);
    for odd in ["soon", "-1s", "1e400s", ""] {
        let body = body.replace("34.5s", odd);
        assert_eq!(
            error(Provider::Gemini.read(429, NONE, body.as_bytes())),
            None,
            "{odd}"
        );
    }
}

/// Whole or streamed, printed in lines or not: one call reads it.
#[test]
fn one_call_reads_what_came() {
    for provider in Provider::ALL {
        let options = RequestOptions::new("m");
        let body = provider
            .request(&[Message::user("?")], &[], &options)
            .unwrap();
        let script = || {
            Script::new()
                .says("Two fathoms.")
                .calls("look", json!({ "at": 1 }))
                .limited(Duration::from_secs(3))
                .says("It is two fa")
                .and_hangs_up()
        };
        let (mut whole, mut streamed) = (script(), script());
        for step in 0..4 {
            let responses = [
                whole.respond(*provider, &body),
                streamed.stream(*provider, &body),
            ];
            let [one, other] = responses.map(|response| {
                let read = provider.read(response.status(), response.headers(), response.body());
                let mut reader = provider
                    .stream()
                    .response(response.status(), response.headers());
                let mut heard = String::new();
                for piece in response.pieces(step) {
                    for delta in reader.push_bytes(piece).unwrap_or_default() {
                        if let Delta::Text(text) = delta {
                            heard.push_str(&text);
                        }
                    }
                }
                let finished = reader.finish();
                if let Ok(reply) = &finished {
                    assert_eq!(reply.message.text(), heard);
                }
                assert_eq!(finished, read, "{provider} {step}");
                read
            });
            assert_eq!(one, other, "{provider} {step}");
            match (step, one) {
                (0, Ok(reply)) => assert_eq!(reply.message.text(), "Two fathoms."),
                (1, Ok(reply)) => assert_eq!(reply.stop, StopReason::ToolCalls),
                (2, Err(error)) => assert_eq!(error.retry_after(), Some(Duration::from_secs(3))),
                (3, Err(error)) => assert_eq!(error, WireError::Unfinished),
                (_, other) => panic!("{provider} {step}: {other:?}"),
            }
        }
    }
}

/// Calls that only one provider has a form for, each with what answers it.
#[test]
fn a_call_to_be_answered_stops_with_that_word() {
    let item = |kind: &str, fields: Value| {
        let mut item =
            json!({ "type": kind, "id": "i_1", "call_id": "c_1", "status": "completed" });
        item.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        item
    };
    let commands = json!({ "commands": ["ls"], "max_output_length": 90 });
    let exit = |code: u8| json!([{ "stdout": "a.txt", "stderr": "", "outcome": { "type": "exit", "exit_code": code } }]);
    for (item, name, id, is_error, output) in [
        (
            item(
                "custom_tool_call",
                json!({ "name": "sql", "input": "select 1" }),
            ),
            "sql",
            "c_1",
            false,
            json!({ "type": "custom_tool_call_output", "call_id": "c_1", "output": "a.txt" }),
        ),
        (
            item(
                "local_shell_call",
                json!({ "action": { "type": "exec", "command": ["ls"], "env": {} } }),
            ),
            "local_shell_call",
            "c_1",
            false,
            json!({ "type": "local_shell_call_output", "call_id": "c_1", "output": "a.txt" }),
        ),
        (
            item(
                "shell_call",
                json!({ "action": commands, "environment": { "type": "local" } }),
            ),
            "shell_call",
            "c_1",
            false,
            json!({ "type": "shell_call_output", "call_id": "c_1", "output": exit(0), "max_output_length": 90 }),
        ),
        (
            item("shell_call", json!({ "action": { "commands": ["ls"] } })),
            "shell_call",
            "c_1",
            true,
            json!({ "type": "shell_call_output", "call_id": "c_1", "output": exit(1) }),
        ),
        (
            item(
                "apply_patch_call",
                json!({ "operation": { "type": "delete_file", "path": "a.txt" } }),
            ),
            "apply_patch_call",
            "c_1",
            true,
            json!({ "type": "apply_patch_call_output", "call_id": "c_1", "status": "failed", "output": "a.txt" }),
        ),
        (
            item(
                "mcp_approval_request",
                json!({ "server_label": "files", "name": "remove", "arguments": "{}" }),
            ),
            "mcp_approval_request",
            "i_1",
            true,
            json!({ "type": "mcp_approval_response", "approval_request_id": "i_1", "approve": false, "reason": "a.txt" }),
        ),
        (
            item(
                "mcp_approval_request",
                json!({ "server_label": "files", "name": "list", "arguments": "{}" }),
            ),
            "mcp_approval_request",
            "i_1",
            false,
            json!({ "type": "mcp_approval_response", "approval_request_id": "i_1", "approve": true, "reason": "a.txt" }),
        ),
    ] {
        let provider = Provider::OpenAiResponses;
        let body = json!({ "status": "completed", "output": [item] });
        let mut conversation = Conversation::default();
        conversation.begin("Well?");
        let reply = provider
            .read(200, NONE, body.to_string().as_bytes())
            .unwrap();
        assert_eq!(reply.stop, StopReason::ToolCalls, "{item}");
        conversation.push(reply);
        assert!(!conversation.is_answered());
        let open = conversation.open_calls();
        assert_eq!((open[0].id.as_str(), open[0].name.as_str()), (id, name));
        if name == item["type"] {
            assert_eq!(open[0].arguments, item);
        }
        let mut result = prompt_core::ToolResult::ok(&open[0], "a.txt");
        result.is_error = is_error;
        conversation.push_results([result]).unwrap();
        let log = conversation.history().log();
        let options = RequestOptions::new("m");
        let sent = provider.request(log, &[], &options).unwrap();
        assert_eq!(sent["input"][1], item);
        assert_eq!(sent["input"][2], output);
        // Another provider gets a call and a result.
        for other in Provider::ALL.iter().filter(|other| **other != provider) {
            let sent = other.request(log, &[], &options).unwrap().to_string();
            assert!(
                sent.contains(name) && sent.contains("a.txt"),
                "{other}: {sent}"
            );
        }
        // The conversation cannot go on without it.
        let unanswered = [log[0].clone(), log[1].clone(), Message::user("So?")];
        let error = provider.request(&unanswered, &[], &options);
        assert!(
            matches!(error, Err(WireError::UnansweredCall { .. })),
            "{item}"
        );
    }
    // What runs at the provider is answered there.
    let hosted = json!({ "type": "container_reference", "container_id": "box" });
    let body = json!({ "status": "completed", "output": [
        item("shell_call", json!({ "action": { "commands": ["ls"] }, "environment": hosted })),
        { "type": "shell_call_output", "call_id": "c_1", "output": [] },
        { "type": "web_search_call", "id": "w", "status": "completed" },
    ] });
    let reply = Provider::OpenAiResponses.reply(&body).unwrap();
    assert_eq!(reply.stop, StopReason::End);
    // A server of Chat Completions that calls and says that it is at its end.
    let custom = json!({ "id": "c", "type": "custom", "custom": { "name": "sql", "input": "" } });
    let body =
        json!({ "choices": [{ "message": { "tool_calls": [custom] }, "finish_reason": "stop" }] });
    assert_eq!(
        Provider::OpenAiChat.reply(&body).unwrap().stop,
        StopReason::ToolCalls
    );
}

/// A computer is answered by what is on its screen, with what the program acknowledges.
#[test]
fn a_computer_is_answered_with_a_screenshot() {
    use prompt_core::message::{Content, ImageSource};
    let item = json!({ "type": "computer_call", "id": "i_1", "call_id": "c_1", "action": { "type": "screenshot" }, "pending_safety_checks": [{ "id": "s" }] });
    let body = json!({ "status": "completed", "output": [item] });
    let reply = Provider::OpenAiResponses.reply(&body).unwrap();
    assert_eq!(reply.stop, StopReason::ToolCalls);
    let mut conversation = Conversation::default();
    conversation.begin("Well?");
    conversation.push(reply);
    let call = conversation.open_calls().remove(0);
    let mut answer = Message::tool([prompt_core::ToolResult::ok(&call, "")]);
    let request = |conversation: &Conversation| {
        let log = conversation.history().log();
        Provider::OpenAiResponses.request(log, &[], &RequestOptions::new("m"))
    };
    let mut blind = conversation.clone();
    blind.push(answer.clone());
    let error = request(&blind).unwrap_err();
    assert!(
        matches!(error, WireError::Unsupported { message: 2, .. }),
        "{error}"
    );
    let acknowledged = json!({ "acknowledged_safety_checks": [{ "id": "s" }] });
    answer.content.extend([
        Content::Extra {
            format: "openai_responses".into(),
            value: acknowledged,
        },
        Content::Image {
            mime: "image/png".into(),
            source: ImageSource::Data("AA==".into()),
        },
    ]);
    conversation.push(answer);
    let screen =
        json!({ "type": "computer_screenshot", "image_url": "data:image/png;base64,AA==" });
    assert_eq!(
        request(&conversation).unwrap()["input"][2],
        json!({ "type": "computer_call_output", "call_id": "c_1", "output": screen, "acknowledged_safety_checks": [{ "id": "s" }] })
    );
}
