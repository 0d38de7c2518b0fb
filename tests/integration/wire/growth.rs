//! Long conversations: the work grows with their length, whatever ids and orders they use.

use prompt_core::wire::{Provider, RequestOptions};
use prompt_core::{Content, Message, Role, ToolCall, ToolResult};
use serde_json::json;
use std::time::{Duration, Instant};

fn calls(ids: impl Iterator<Item = String>) -> Message {
    let call = |id| Content::from(ToolCall::new(id, "look", json!({})));
    Message {
        role: Role::Assistant,
        content: ids.map(call).collect(),
        cache: None,
    }
}

fn results(ids: impl Iterator<Item = String>) -> Vec<ToolResult> {
    ids.map(|id| ToolResult::ok(&ToolCall::new(id, "look", json!({})), "x"))
        .collect()
}

/// `n` calls in one message; one id for all of them, or one each, answered from the back, together or one by one.
fn conversations(n: usize) -> Vec<(&'static str, Vec<Message>)> {
    let same = || (0..n).map(|_| "a".to_owned());
    let each = || (0..n).map(|at| format!("id_{at}"));
    let back = || (0..n).rev().map(|at| format!("id_{at}"));
    let user = || Message::user("Go.");
    let single =
        |results: Vec<ToolResult>| results.into_iter().map(|result| Message::tool([result]));
    let alternating = (0..n).flat_map(|_| {
        [
            calls(["a".into()].into_iter()),
            Message::tool(results(["a".into()].into_iter())),
        ]
    });
    vec![
        (
            "one id",
            vec![user(), calls(same()), Message::tool(results(same()))],
        ),
        (
            "backwards",
            vec![user(), calls(each()), Message::tool(results(back()))],
        ),
        (
            "one by one",
            [user(), calls(each())]
                .into_iter()
                .chain(single(results(back())))
                .collect(),
        ),
        (
            "one id, one by one",
            [user(), calls(same())]
                .into_iter()
                .chain(single(results(same())))
                .collect(),
        ),
        (
            "an id again and again",
            [user()].into_iter().chain(alternating).collect(),
        ),
        (
            "texts of one role",
            (0..n)
                .map(|_| user().cached(prompt_core::message::CachePoint::default()))
                .collect(),
        ),
        (
            "empty texts",
            vec![
                Message {
                    content: (0..n).map(|_| Content::text("")).collect(),
                    ..user()
                },
                user(),
            ],
        ),
        (
            "system text for a model without",
            (0..n)
                .map(|_| Message::system("s"))
                .chain([user()])
                .collect(),
        ),
    ]
}

/// The fastest of three.
fn time(provider: Provider, messages: &[Message], options: &RequestOptions) -> Duration {
    let runs = (0..3).map(|_| {
        let start = Instant::now();
        provider.request(messages, &[], options).unwrap();
        start.elapsed()
    });
    runs.min().unwrap()
}

#[test]
fn requests_are_written_in_linear_time() {
    const FACTOR: usize = 8;
    let options = RequestOptions::new("m").system_role(prompt_core::wire::SystemRole::User);
    for provider in Provider::ALL {
        let pairs = conversations(1_000)
            .into_iter()
            .zip(conversations(1_000 * FACTOR));
        for ((name, few), (_, many)) in pairs {
            let (few, many) = (
                time(*provider, &few, &options),
                time(*provider, &many, &options),
            );
            // Quadratic work would take 64 times as long; a busy machine may double a linear one.
            let bar = few * 3 * u32::try_from(FACTOR).unwrap() + Duration::from_millis(20);
            assert!(many < bar, "{provider}, {name}: {few:?}, then {many:?}");
        }
    }
}

#[test]
fn streams_are_read_in_linear_time() {
    let read = |n: usize| {
        let start = Instant::now();
        let mut reader = Provider::OpenAiChat.stream();
        for at in 0..n {
            let piece = json!({ "index": at % 100, "id": format!("c{}", at % 100), "function": { "name": "look", "arguments": "1" } });
            let delta = json!({ "content": "word ", "tool_calls": [piece] });
            reader
                .push(&json!({ "choices": [{ "delta": delta }] }))
                .unwrap();
        }
        reader
            .push(&json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }))
            .unwrap();
        assert_eq!(
            reader.finish().unwrap().message.tool_calls().count(),
            100.min(n)
        );
        start.elapsed()
    };
    read(1_000);
    let (few, many) = (read(4_000), read(32_000));
    assert!(
        many < few * 24 + Duration::from_millis(20),
        "{few:?}, then {many:?}"
    );
}
