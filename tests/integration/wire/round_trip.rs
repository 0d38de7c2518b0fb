//! Random histories through every format and back: what a format can express survives, what it cannot is an error that
//! names a message with such a piece.

use prompt_agent::wire::Provider;
use prompt_agent::wire::RequestOptions;
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
use prompt_core::message::CachePoint;
use prompt_core::message::ImageSource;
use prompt_tests::requests;
use proptest::prelude::*;
use serde_json::{Value, json};

fn text() -> impl Strategy<Value = String> {
    "[a-z\"<&#é\\\\🦀]{1,6}([ \n]{1,2}[a-zé]{1,4})?"
}

fn image() -> impl Strategy<Value = Content> {
    let source = prop_oneof![
        4 => "[A-Za-z0-9+/]{4}".prop_map(ImageSource::Data),
        1 => "https://[a-z]{3}/[a-z]{3}".prop_map(ImageSource::Url),
    ];
    // An address does not tell the media type, so only the open one can come back.
    source.prop_map(|source| match source {
        ImageSource::Data(_) => Content::Image {
            mime: "image/png".into(),
            source,
        },
        _ => Content::Image {
            mime: "image/*".into(),
            source,
        },
    })
}

fn resource() -> impl Strategy<Value = Content> {
    (
        "[a-z]{3}:[a-z]{3}",
        prop::option::of(Just("text/markdown".to_owned())),
        text(),
    )
        .prop_map(|(uri, mime, text)| Content::Resource { uri, mime, text })
}

fn user() -> impl Strategy<Value = Vec<Message>> {
    let piece = prop_oneof![12 => text().prop_map(Content::text), 2 => image(), 1 => resource()];
    prop::collection::vec(piece, 1..4).prop_map(|content| {
        vec![Message {
            role: Role::User,
            content,
            cache: None,
        }]
    })
}

/// Thoughts first, then texts, as every format orders them.
fn said() -> impl Strategy<Value = Vec<Content>> {
    let thought = prop_oneof![
        20 => Just(Vec::new()),
        1 => text().prop_map(|text| vec![Content::Thought { text }, Content::Signature { data: "s0".into() }]),
        1 => text().prop_map(|text| vec![Content::Thought { text }]),
        1 => Just(vec![Content::Native { format: "anthropic".into(), value: json!({ "type": "redacted_thinking", "data": "x" }) }]),
        1 => Just(vec![Content::Native { format: "gemini".into(), value: json!({ "executableCode": { "code": "1" } }) }]),
    ];
    let signed = prop_oneof![20 => Just(false), 1 => Just(true)];
    (thought, text(), signed).prop_map(|(mut pieces, text, signed)| {
        pieces.push(Content::text(text));
        pieces.extend(signed.then(|| Content::Signature { data: "s1".into() }));
        pieces
    })
}

fn answer() -> impl Strategy<Value = Vec<Message>> {
    said().prop_map(|content| {
        vec![Message {
            role: Role::Assistant,
            content,
            cache: None,
        }]
    })
}

/// Calls with their results, in one message or one for each.
fn exchange() -> impl Strategy<Value = Vec<Message>> {
    let result = (text(), any::<bool>(), "[a-z_]{1,8}", text());
    (said(), prop::collection::vec(result, 1..4), any::<bool>()).prop_map(
        |(mut content, results, together)| {
            let mut answers = Vec::new();
            for (at, (argument, is_error, name, text)) in results.into_iter().enumerate() {
                let id = format!("id_{at}");
                content.push(Content::ToolCall {
                    id: id.clone(),
                    name,
                    arguments: json!({ "a": argument, "b": [1, null] }),
                });
                answers.push(Content::ToolResult {
                    id,
                    content: text,
                    is_error,
                });
            }
            let tool = |content| Message {
                role: Role::Tool,
                content,
                cache: None,
            };
            let mut messages = vec![Message {
                role: Role::Assistant,
                content,
                cache: None,
            }];
            if together {
                messages.push(tool(answers));
            } else {
                messages.extend(answers.into_iter().map(|answer| tool(vec![answer])));
            }
            messages
        },
    )
}

fn history() -> impl Strategy<Value = Vec<Message>> {
    let system = prop::collection::vec(text().prop_map(Message::system), 0..3);
    let late = text().prop_map(|text| vec![Message::system(text)]);
    let turn = prop_oneof![12 => user(), 8 => answer(), 6 => exchange(), 1 => late];
    (system, prop::collection::vec(turn, 1..8)).prop_map(|(mut messages, turns)| {
        messages.extend(turns.into_iter().flatten());
        distinct(messages)
    })
}

/// Each call has an id of its own, as in a conversation: calls that share one get others in a request.
fn distinct(mut messages: Vec<Message>) -> Vec<Message> {
    let mut exchanges = 0;
    for message in &mut messages {
        exchanges += usize::from(message.role == Role::Assistant);
        for piece in &mut message.content {
            if let Content::ToolCall { id, .. } | Content::ToolResult { id, .. } = piece {
                *id = format!("{id}_{exchanges}");
            }
        }
    }
    messages
}

/// Puts up to four points on messages that every format with markers can mark.
fn with_points(mut messages: Vec<Message>, seed: &[usize]) -> Vec<Message> {
    let count = messages.len();
    for at in seed.iter().map(|seed| seed % count) {
        if messages[at].role != Role::Assistant {
            messages[at].cache = Some(CachePoint::default());
        }
    }
    messages
}

/// What the message of an error must contain for the error to be right.
fn has(
    messages: &[Message],
    index: usize,
    cannot: fn(&Content) -> bool,
    late_system: bool,
) -> bool {
    let leading = messages
        .iter()
        .take_while(|message| message.role == Role::System)
        .count();
    let message = &messages[index];
    let late = late_system && message.role == Role::System && index >= leading;
    late || message.content.iter().any(cannot)
}

/// A format: how it writes and reads, what it cannot say, and what a history looks like once it has been through it.
struct Format {
    name: &'static str,
    write: fn(&[Message]) -> Result<Value, WireError>,
    read: fn(&Value) -> Vec<Message>,
    /// System messages alone are no request.
    needs_turn: bool,
    cannot: fn(&Content) -> bool,
    /// What only another provider understands, and is left out.
    foreign: fn(&[Content], usize) -> bool,
    refuses_late_system: bool,
    normal: fn(Vec<Message>) -> Vec<Message>,
}

/// The messages without what is left out.
fn without_foreign(messages: &[Message], foreign: fn(&[Content], usize) -> bool) -> Vec<Message> {
    let own = |message: &Message| Message {
        content: (0..message.content.len())
            .filter(|&at| !foreign(&message.content, at))
            .map(|at| message.content[at].clone())
            .collect(),
        ..*message
    };
    messages.iter().map(own).collect()
}

fn check(format: &Format, messages: &[Message]) -> Result<(), TestCaseError> {
    let sent = without_foreign(messages, format.foreign);
    let left_out: usize = messages
        .iter()
        .map(|message| message.content.len())
        .sum::<usize>()
        - sent
            .iter()
            .map(|message| message.content.len())
            .sum::<usize>();
    if let Ok(provider) = format.name.parse::<Provider>() {
        prop_assert_eq!(provider.left_out(messages).len(), left_out, "{}", provider);
    }
    let wrong: Vec<usize> = (0..messages.len())
        .filter(|&at| has(&sent, at, format.cannot, format.refuses_late_system))
        .collect();
    match (format.write)(messages) {
        Ok(body) => {
            prop_assert!(
                wrong.is_empty(),
                "messages {wrong:?} should have been refused"
            );
            let read = (format.read)(&body);
            prop_assert_eq!(
                merged((format.normal)(read)),
                merged((format.normal)(sent.clone())),
                "{:#}",
                body
            );
            // Equal input, equal bytes.
            prop_assert_eq!(
                (format.write)(messages).unwrap().to_string(),
                body.to_string()
            );
        }
        Err(WireError::NoTurn { .. }) => {
            let all_system = messages.iter().all(|message| message.role == Role::System);
            prop_assert!(all_system && format.needs_turn);
        }
        Err(error) => {
            let named = error.message().unwrap();
            prop_assert!(
                wrong.contains(&named),
                "{error} is not about one of {wrong:?}"
            );
        }
    }
    Ok(())
}

/// Neighbours of one role as one message; a cache point keeps them apart.
fn merged(messages: Vec<Message>) -> Vec<Message> {
    let mut result: Vec<Message> = Vec::new();
    for message in messages {
        match result.last_mut() {
            Some(last) if last.role == message.role && last.cache.is_none() => {
                last.content.extend(message.content);
                last.cache = message.cache;
            }
            _ => result.push(message),
        }
    }
    result
}

fn each_piece(mut messages: Vec<Message>, change: impl Fn(&mut Content)) -> Vec<Message> {
    messages
        .iter_mut()
        .flat_map(|message| &mut message.content)
        .for_each(change);
    messages
}

fn without_points(messages: Vec<Message>) -> Vec<Message> {
    messages
        .into_iter()
        .map(|message| Message {
            cache: None,
            ..message
        })
        .collect()
}

/// The system messages at the start as one text.
fn one_system_text(messages: &[Message]) -> Vec<Message> {
    let leading = messages
        .iter()
        .take_while(|message| message.role == Role::System)
        .count();
    let texts: Vec<String> = messages[..leading]
        .iter()
        .flat_map(|message| message.content.iter().filter_map(Content::as_text))
        .map(str::to_owned)
        .collect();
    let first = (leading > 0).then(|| Message::system(texts.join("\n\n")));
    first
        .into_iter()
        .chain(messages[leading..].iter().cloned())
        .collect()
}

fn is_resource(piece: &Content) -> bool {
    matches!(piece, Content::Resource { .. })
}

/// Thoughts, signatures, and what another provider wrote.
fn is_private(pieces: &[Content], at: usize) -> bool {
    let private = [pieces[at].clone()].map(|piece| Message {
        content: vec![piece],
        ..Message::assistant("")
    });
    private.map(Message::without_reasoning)[0]
        .content
        .is_empty()
}

fn is_signed(pieces: &[Content], at: usize) -> bool {
    matches!(pieces.get(at + 1), Some(Content::Signature { .. }))
}

fn is_thought(piece: Option<&Content>) -> bool {
    matches!(piece, Some(Content::Thought { .. }))
}

const CHAT: Format = Format {
    name: "openai_chat",
    write: |messages| openai_chat::request(messages, &[], &RequestOptions::new("m")),
    read: |body| requests::openai_chat::messages(body).unwrap(),
    needs_turn: false,
    cannot: is_resource,
    foreign: is_private,
    refuses_late_system: false,
    normal: without_points,
};

const CHAT_WITH_BREAKPOINTS: Format = Format {
    write: |messages| {
        openai_chat::request(messages, &[], &RequestOptions::new("m").breakpoints(true))
    },
    normal: |messages| messages,
    ..CHAT
};

const RESPONSES: Format = Format {
    name: "openai_responses",
    write: |messages| openai_responses::request(messages, &[], &RequestOptions::new("m")),
    read: |body| requests::openai_responses::messages(body).unwrap(),
    needs_turn: true,
    cannot: is_resource,
    foreign: is_private,
    refuses_late_system: false,
    normal: |messages| one_system_text(&without_points(messages)),
};

const RESPONSES_WITH_BREAKPOINTS: Format = Format {
    write: |messages| {
        openai_responses::request(
            messages,
            &[],
            &RequestOptions::new("m")
                .breakpoints(true)
                .instructions(false),
        )
    },
    normal: |messages| messages,
    ..RESPONSES
};

const ANTHROPIC: Format = Format {
    name: "anthropic",
    write: |messages| anthropic::request(messages, &[], &RequestOptions::new("m").max_tokens(9)),
    read: |body| requests::anthropic::messages(body).unwrap(),
    needs_turn: true,
    cannot: |_| false,
    foreign: |pieces, at| match &pieces[at] {
        Content::Thought { .. } => !is_signed(pieces, at),
        Content::Signature { .. } => !is_thought(pieces.get(at - 1)),
        Content::Native { format, .. } => format != "anthropic",
        _ => false,
    },
    refuses_late_system: true,
    normal: |messages| messages,
};

const GEMINI: Format = Format {
    name: "gemini",
    write: |messages| gemini::request(messages, &[], &RequestOptions::default().call_ids(true)),
    read: |body| requests::gemini::messages(body).unwrap(),
    needs_turn: true,
    cannot: is_resource,
    // Signed thoughts are Anthropic's.
    foreign: |pieces, at| match &pieces[at] {
        Content::Thought { .. } => is_signed(pieces, at),
        Content::Signature { .. } => is_thought(pieces.get(at - 1)),
        Content::Native { format, .. } => format != "gemini",
        _ => false,
    },
    refuses_late_system: true,
    normal: |messages| one_system_text(&without_points(messages)),
};

const OLLAMA: Format = Format {
    name: "ollama",
    write: |messages| ollama::request(messages, &[], &RequestOptions::new("m").call_ids(true)),
    read: |body| requests::ollama::messages(body).unwrap(),
    needs_turn: false,
    cannot: |piece| {
        matches!(
            piece,
            Content::Image {
                source: ImageSource::Url(_),
                ..
            } | Content::Resource { .. }
        )
    },
    foreign: |pieces, at| match &pieces[at] {
        Content::Thought { .. } => is_signed(pieces, at),
        piece => is_private(std::slice::from_ref(piece), 0),
    },
    refuses_late_system: false,
    normal: |messages| {
        let messages = each_piece(without_points(messages), |piece| {
            if let Content::Image { mime, .. } = piece {
                *mime = "image/*".into();
            }
        });
        messages.iter().map(one_string).collect()
    },
};

/// A message with one text and its images behind it.
fn one_string(message: &Message) -> Message {
    let texts: Vec<&str> = message
        .content
        .iter()
        .filter_map(Content::as_text)
        .collect();
    let text = (!texts.is_empty()).then(|| Content::text(texts.join("\n\n")));
    let (thoughts, others): (Vec<Content>, Vec<Content>) = message
        .content
        .iter()
        .filter(|piece| piece.as_text().is_none())
        .cloned()
        .partition(|piece| matches!(piece, Content::Thought { .. }));
    Message {
        content: thoughts.into_iter().chain(text).chain(others).collect(),
        ..*message
    }
}

const MCP: Format = Format {
    name: "mcp",
    write: |messages| mcp::prompts_get("", messages, &mcp::McpOptions::new()),
    read: |body| mcp::messages(body).unwrap(),
    needs_turn: false,
    cannot: |piece| {
        !matches!(
            piece,
            Content::Text { .. }
                | Content::Resource { .. }
                | Content::Image {
                    source: ImageSource::Data(_),
                    ..
                }
        )
    },
    foreign: is_private,
    refuses_late_system: false,
    normal: |messages| {
        let spoken = |message: Message| match message.role {
            Role::System => Message {
                role: Role::User,
                ..message
            },
            _ => message,
        };
        without_points(messages).into_iter().map(spoken).collect()
    },
};

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(400), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn histories_survive(messages in history(), seed in prop::collection::vec(0_usize..100, 0..5)) {
        let messages = with_points(messages, &seed);
        for format in [CHAT, RESPONSES, ANTHROPIC, GEMINI, OLLAMA, MCP] {
            check(&format, &messages)?;
        }
        for format in [CHAT_WITH_BREAKPOINTS, RESPONSES_WITH_BREAKPOINTS] {
            check(&format, &messages)?;
        }
    }

    #[test]
    fn serde_keeps_every_message(messages in history()) {
        let text = serde_json::to_string(&messages).unwrap();
        prop_assert_eq!(serde_json::from_str::<Vec<Message>>(&text).unwrap(), messages);
    }

    /// Whatever the order and the roles, nothing panics, and an error names a message that exists.
    #[test]
    fn any_order_is_written_or_refused(messages in history(), order in prop::collection::vec(0_usize..100, 1..12), role in 0_usize..4) {
        let count = messages.len();
        let mut mixed: Vec<Message> = order.iter().map(|at| messages[at % count].clone()).collect();
        let roles = [Role::System, Role::User, Role::Assistant, Role::Tool];
        if let Some(first) = mixed.first_mut().filter(|_| order[0] % 2 == 0) {
            first.role = roles[role];
        }
        for format in [CHAT, CHAT_WITH_BREAKPOINTS, RESPONSES, ANTHROPIC, GEMINI, OLLAMA, MCP] {
            match (format.write)(&mixed) {
                Ok(body) => { (format.read)(&body); }
                Err(WireError::NoTurn { .. }) => {}
                Err(error) => prop_assert!(error.message().unwrap() < mixed.len(), "{}", error),
            }
        }
    }
}
