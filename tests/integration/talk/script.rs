//! The scripted model: the same answer whole and as a stream, in every format.

use prompt_agent::testing::Script;
use prompt_agent::wire::{Provider, Reply, RequestOptions, StopReason, WireError};
use prompt_core::{Content, Message};
use serde_json::{Value, json};
use std::time::Duration;

fn body(provider: Provider) -> Value {
    let messages = [Message::user("How deep is it here?")];
    let options = RequestOptions::new("a-model");
    provider.request(&messages, &[], &options).unwrap()
}

/// Reads a streamed answer line by line.
fn read(provider: Provider, bytes: &[u8]) -> Result<Reply, WireError> {
    let mut reader = provider.stream();
    for line in String::from_utf8_lossy(bytes).lines() {
        reader.push_line(line)?;
    }
    reader.finish()
}

fn every_step() -> Script {
    Script::new()
        .says("Zwei Fäden, 鉛 am Lot.")
        .opens(["tides", "lamps.horn"])
        .calls("sound", json!({ "at": "quay", "times": 3 }))
        .says("Let me look.")
        .and_calls("sound", json!({}))
        .and_opens(["tides"])
        .calls("no_such_tool", json!({ "ä": "ö" }))
        .says("It is two fa")
        .and_stops(StopReason::Length)
        .says("")
        .and_stops(StopReason::Filtered)
        .says("Wait.")
        .and_stops(StopReason::Other("weather".into()))
}

#[test]
fn streamed_and_whole_are_one_answer() {
    for provider in Provider::ALL.iter().copied() {
        let body = body(provider);
        let (mut whole, mut streamed) = (every_step(), every_step());
        let mut stops = Vec::new();
        for step in 0..whole.left() {
            let one = provider.reply(&whole.reply(provider, &body)).unwrap();
            let response = streamed.stream(provider, &body);
            assert_eq!((response.status(), response.is_cut()), (200, false));
            let pieces: Vec<&[u8]> = response.pieces(step as u64).collect();
            assert!(pieces.iter().all(|piece| piece.len() <= 16));
            assert_eq!(pieces.concat(), response.body());
            let other = read(provider, response.body()).unwrap();
            assert_eq!(one, other, "{provider} {step}");
            stops.push(one.stop);
        }
        assert_eq!(
            stops[..3],
            [
                StopReason::End,
                StopReason::ToolCalls,
                StopReason::ToolCalls
            ]
        );
        assert_eq!(stops[5], StopReason::Length, "{provider}");
        assert_eq!(stops[7], StopReason::Other("weather".into()), "{provider}");
    }
}

#[test]
fn what_is_scripted_is_what_is_read() {
    for provider in Provider::ALL.iter().copied() {
        let (body, mut script) = (body(provider), every_step());
        let mut messages = Vec::new();
        while script.left() > 0 {
            messages.push(
                provider
                    .reply(&script.reply(provider, &body))
                    .unwrap()
                    .message,
            );
        }
        // Beside the text a provider may have fields of its own.
        let mut first = messages[0].clone();
        first
            .content
            .retain(|piece| !matches!(piece, Content::Extra { .. }));
        assert_eq!(first, Message::assistant("Zwei Fäden, 鉛 am Lot."));
        let calls: Vec<_> = messages[1].tool_calls().collect();
        assert_eq!(calls[0].name, "open_sections");
        assert_eq!(
            calls[0].arguments["section_keys"],
            json!(["tides", "lamps.horn"])
        );
        let names: Vec<String> = messages[3].tool_calls().map(|call| call.name).collect();
        assert_eq!(names, ["sound", "open_sections"]);
        assert_eq!(messages[3].text(), "Let me look.");
        assert_eq!(script.requests().len(), 8);
        assert_eq!(script.requests()[0], body);
    }
}

#[test]
fn broken_arguments_come_as_the_model_wrote_them() {
    for provider in Provider::ALL.iter().copied() {
        for streams in [false, true] {
            let mut script = Script::new().calls("sound", r#"{ "at": "qu"#);
            let body = body(provider);
            let reply = if streams {
                read(provider, script.stream(provider, &body).body())
            } else {
                provider.reply(&script.reply(provider, &body))
            };
            let call = reply.unwrap().message.tool_calls().next().unwrap();
            assert_eq!(
                call.arguments,
                json!(r#"{ "at": "qu"#),
                "{provider} {streams}"
            );
        }
    }
}

#[test]
fn failures_have_a_status_and_the_provider_s_body() {
    for provider in Provider::ALL.iter().copied() {
        let body = body(provider);
        let mut script = Script::new()
            .limited(Duration::from_secs(7))
            .fails(503, "The tide is out.");
        let response = script.respond(provider, &body);
        assert_eq!(response.status(), 429);
        assert_eq!(response.retry_after(), Some(Duration::from_secs(7)));
        assert!(response.headers().contains(&("retry-after", "7".into())));
        let json: Value = serde_json::from_slice(response.body()).unwrap();
        assert!(matches!(provider.reply(&json), Err(WireError::Api { .. })));
        let error = provider.reply(&script.reply(provider, &body)).unwrap_err();
        assert!(
            error.to_string().contains("The tide is out."),
            "{provider}: {error}"
        );
        // Past the end it says so.
        let error = provider.reply(&script.reply(provider, &body)).unwrap_err();
        assert!(
            error.to_string().contains("request 3"),
            "{provider}: {error}"
        );
    }
}

#[test]
fn a_connection_that_is_cut_ends_in_the_middle() {
    for provider in Provider::ALL.iter().copied() {
        let body = body(provider);
        let script = Script::new().says("Zwei Fäden, glaube ich.").and_hangs_up();
        let response = script.clone().stream(provider, &body);
        assert!(response.is_cut());
        assert!(read(provider, response.body()).is_err(), "{provider}");
        let response = script.clone().respond(provider, &body);
        assert!(serde_json::from_slice::<Value>(response.body()).is_err());
        assert!(
            provider
                .reply(&script.clone().reply(provider, &body))
                .is_err()
        );
    }
}

#[test]
fn without_a_format_it_is_messages() {
    let mut script = Script::new()
        .says("Let me look.")
        .and_calls("sound", json!({ "at": "quay" }))
        .fails(500, "No.");
    let message = script.message().unwrap();
    let call = message.tool_calls().next().unwrap();
    assert_eq!(
        message.content,
        [Content::text("Let me look."), call.into()]
    );
    assert!(matches!(
        script.message(),
        Err(WireError::Api {
            status: Some(500),
            ..
        })
    ));
    assert!(script.message().is_err());
}

#[test]
fn a_request_for_a_stream_gets_one() {
    let provider = Provider::OpenAiChat;
    let options = RequestOptions::new("a-model").stream(true);
    let body = provider
        .request(&[Message::user("Deep?")], &[], &options)
        .unwrap();
    let mut script = Script::new().says("Two.").says("Three.");
    let response = script.respond(provider, &body);
    assert!(response.body().ends_with(b"data: [DONE]\n\n"));
    assert_eq!(
        read(provider, response.body()).unwrap().message.text(),
        "Two."
    );
}
