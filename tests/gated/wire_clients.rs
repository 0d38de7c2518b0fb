//! Our JSON through the types of real client crates and back: nothing is lost on the way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

use async_openai::types::chat::CreateChatCompletionRequest;
use async_openai::types::responses::CreateResponse;
use prompt_agent::wire::RequestOptions;
use prompt_agent::wire::anthropic;
use prompt_agent::wire::mcp;
use prompt_agent::wire::mcp::McpArgument;
use prompt_agent::wire::mcp::McpPrompt;
use prompt_agent::wire::mcp::McpTool;
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
use rmcp::model::{
    CallToolRequestParams, CallToolResult, GetPromptResult, ListPromptsResult, ListToolsResult,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// Everything a client reads it also writes. It may write more, such as defaults, and leave nulls out.
fn assert_contains(theirs: &Value, ours: &Value, path: &str) {
    match (theirs, ours) {
        (Value::Object(found), Value::Object(wanted)) => {
            for (key, value) in wanted.iter().filter(|(_, value)| !value.is_null()) {
                let inner = found
                    .get(key)
                    .unwrap_or_else(|| panic!("{path}/{key} was lost"));
                assert_contains(inner, value, &format!("{path}/{key}"));
            }
        }
        (Value::Array(found), Value::Array(wanted)) => {
            assert_eq!(found.len(), wanted.len(), "{path}");
            for (at, (found, wanted)) in found.iter().zip(wanted).enumerate() {
                assert_contains(found, wanted, &format!("{path}/{at}"));
            }
        }
        _ => assert_eq!(theirs, ours, "{path}"),
    }
}

/// Reads our JSON into a type of the client and writes it again.
fn through<T: Serialize + DeserializeOwned>(ours: &Value) -> (T, Value) {
    let read: T =
        serde_json::from_value(ours.clone()).unwrap_or_else(|error| panic!("{error}: {ours:#}"));
    let theirs = serde_json::to_value(&read).unwrap();
    assert_contains(&theirs, ours, "");
    (read, theirs)
}

fn tools() -> Vec<ToolSpec> {
    let parameters = json!({
        "type": "object",
        "properties": {
            "keys": { "type": "array", "items": { "type": "string", "enum": ["a", "b"] } },
            "reason": { "type": ["string", "null"], "description": "Why." },
        },
        "required": ["keys", "reason"],
        "additionalProperties": false,
    });
    vec![
        ToolSpec::new("open_sections", "Opens sections.", parameters).unwrap(),
        ToolSpec::closed("now", "The time.").unwrap(),
    ]
}

/// Every kind of message that all of the formats know.
fn messages() -> Vec<Message> {
    let call = |id: &str| ToolCall {
        id: id.into(),
        name: "open_sections".into(),
        arguments: json!({ "keys": ["a"], "reason": null }),
    };
    let picture = Content::Image {
        mime: "image/png".into(),
        source: ImageSource::Data("iVBORw0=".into()),
    };
    let said = |content| Message {
        role: Role::Assistant,
        content,
        cache: None,
    };
    vec![
        Message::system("You review {code}.\n\n# \"Quoted\" \u{1F980}"),
        Message {
            content: vec![Content::text("Look at this."), picture],
            ..Message::user("")
        },
        said(vec![
            Content::text("I open two."),
            call("call_1").into(),
            call("call_2").into(),
        ]),
        Message::tool([
            ToolResult::ok(&call("call_1"), "text of a"),
            ToolResult::ok(&call("call_2"), ""),
        ]),
        Message::assistant("Done."),
        Message::user("Thanks."),
    ]
}

/// The same with cache points at the end of the system text, of a user message, of results and at the very end.
fn cached_messages() -> Vec<Message> {
    let mut messages = messages();
    for at in [0, 1, 3, 5] {
        messages[at].cache = Some(CachePoint::default());
    }
    messages
}

/// One message per result, as formats read them.
fn single_results(messages: Vec<Message>) -> Vec<Message> {
    let split = |message: Message| match message.role {
        Role::Tool => {
            let (count, cache) = (message.content.len(), message.cache);
            let pieces = message.content.into_iter().enumerate();
            let single = |(at, piece)| Message {
                role: Role::Tool,
                content: vec![piece],
                cache: cache.filter(|_| at + 1 == count),
            };
            pieces.map(single).collect()
        }
        _ => vec![message],
    };
    messages.into_iter().flat_map(split).collect()
}

#[test]
fn async_openai_chat_loses_nothing() {
    let plain = RequestOptions::new("gpt-5.6").max_tokens(100).stream(true);
    let explicit = plain.clone().breakpoints(true).set("prompt_cache_key", "k");
    for (messages, options) in [(messages(), plain), (cached_messages(), explicit)] {
        let body = openai_chat::request(&messages, &tools(), &options).unwrap();
        let (_, theirs) = through::<CreateChatCompletionRequest>(&body);
        assert_eq!(
            requests::openai_chat::messages(&theirs).unwrap(),
            single_results(messages)
        );
    }
}

#[test]
fn async_openai_responses_loses_nothing() {
    let plain = RequestOptions::new("gpt-5.6").max_tokens(100).stream(true);
    let explicit = plain.clone().breakpoints(true).set("prompt_cache_key", "k");
    for (messages, options) in [(messages(), plain), (cached_messages(), explicit)] {
        let body = openai_responses::request(&messages, &tools(), &options).unwrap();
        let (_, theirs) = through::<CreateResponse>(&body);
        assert_eq!(
            requests::openai_responses::messages(&theirs).unwrap(),
            messages
        );
    }
}

#[test]
fn misanthropic_loses_nothing_and_accepts_our_markers() {
    let options = RequestOptions::new("claude-sonnet-4-6").max_tokens(1024);
    let mut marked = cached_messages();
    marked[0].cache = Some(CachePoint::one_hour());
    let tools_too = options.clone().cache_tools(CachePoint::one_hour());
    for (messages, options) in [
        (messages(), &options),
        (marked.clone(), &options),
        (marked, &tools_too),
    ] {
        let body = anthropic::request(&messages, &tools(), options).unwrap();
        let (prompt, theirs) = through::<misanthropic::Prompt>(&body);
        prompt.check_cache().unwrap();
        let read = requests::anthropic::messages(&theirs).unwrap();
        let without_cache = |messages: Vec<Message>| -> Vec<Message> {
            messages
                .into_iter()
                .map(|message| Message {
                    cache: None,
                    ..message
                })
                .collect()
        };
        assert_eq!(without_cache(read), without_cache(messages));
    }
}

#[test]
fn misanthropic_reads_documents_and_thinking() {
    let resource = Content::Resource {
        uri: "file:///a.md".into(),
        mime: None,
        text: "# A".into(),
    };
    let thought = vec![
        Content::Thought { text: "Hm.".into() },
        Content::Signature { data: "sig".into() },
        Content::text("Yes."),
    ];
    let messages = [
        Message {
            content: vec![resource, Content::text("?")],
            ..Message::user("")
        },
        Message {
            content: thought,
            ..Message::assistant("")
        },
        Message::user("Go."),
    ];
    let body = anthropic::request(
        &messages,
        &[],
        &RequestOptions::new("claude-sonnet-4-6").max_tokens(9),
    )
    .unwrap();
    let (_, theirs) = through::<misanthropic::Prompt>(&body);
    assert_eq!(requests::anthropic::messages(&theirs).unwrap(), messages);
}

#[test]
fn rmcp_loses_nothing() {
    let options = mcp::McpOptions::new();
    let mut code = McpArgument::required("code");
    code.description = Some("The code.".into());
    let mut reviewer = McpPrompt::new("reviewer");
    reviewer.title = Some("Reviewer".into());
    reviewer.arguments = vec![code, McpArgument::optional("style")];
    through::<ListPromptsResult>(&mcp::prompts_list(&[reviewer], &options));

    let listed: Vec<McpTool> = tools()
        .into_iter()
        .map(|tool| McpTool::new(tool).title("T").read_only(true))
        .collect();
    let (read, _) = through::<ListToolsResult>(&mcp::tools_list(&listed, &options));
    assert_eq!(read.tools.len(), 2);

    let spoken: Vec<Message> = messages()
        .into_iter()
        .filter(|message| message.text() == "Done." || message.role == Role::User)
        .collect();
    let (_, theirs) =
        through::<GetPromptResult>(&mcp::prompts_get("Reviews.", &spoken, &options).unwrap());
    let pieces = |messages: &[Message]| -> Vec<Content> {
        messages
            .iter()
            .flat_map(|message| message.content.clone())
            .collect()
    };
    assert_eq!(pieces(&mcp::messages(&theirs).unwrap()), pieces(&spoken));

    let call = ToolCall {
        id: "1".into(),
        name: "now".into(),
        arguments: json!({}),
    };
    let results = [
        ToolResult::ok(&call, "noon"),
        ToolResult::failed(&call, "no clock"),
    ];
    for result in mcp::tool_results(&results, &options) {
        through::<CallToolResult>(&result);
    }
    let asked = serde_json::to_value(CallToolRequestParams::new("now")).unwrap();
    let request = mcp::call("1", "tools/call", asked.as_object().cloned(), &options);
    assert_eq!(mcp::tool_calls(&request).unwrap(), [call]);
}

#[test]
fn the_later_mcp_version_is_what_rmcp_writes_itself() {
    let options = mcp::McpOptions::stateless();
    through::<ListPromptsResult>(&mcp::prompts_list(&[McpPrompt::new("a")], &options));
    through::<GetPromptResult>(&mcp::prompts_get("d", &[Message::user("x")], &options).unwrap());
    let call = ToolCall {
        id: "1".into(),
        name: "now".into(),
        arguments: json!({}),
    };
    through::<CallToolResult>(&mcp::tool_results(&[ToolResult::ok(&call, "noon")], &options)[0]);
}
