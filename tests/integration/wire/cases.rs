//! The scenario of `cases/wire.json` in every format: what we write equals the recorded JSON, what we read back equals
//! what we wrote.

use prompt_agent::wire::Provider;
use prompt_agent::wire::RequestOptions;
use prompt_agent::wire::anthropic;
use prompt_agent::wire::gemini;
use prompt_agent::wire::mcp;
use prompt_agent::wire::mcp::McpArgument;
use prompt_agent::wire::mcp::McpPrompt;
use prompt_agent::wire::mcp::McpTool;
use prompt_agent::wire::ollama;
use prompt_agent::wire::openai_chat;
use prompt_agent::wire::openai_responses;
use prompt_agent::wire::{Reply, WireError};
use prompt_core::Content;
use prompt_core::Message;
use prompt_core::Role;
use prompt_core::ToolCall;
use prompt_core::ToolResult;
use prompt_core::ToolSpec;
use prompt_core::message::CachePoint;
use prompt_tests::requests;
use serde_json::{Value, json};

const INTRO: &str = "You review Rust code.";
const GUIDE: &str = "<style_guide visibility=\"summary\">\nNaming and error rules (412 tokens hidden).\n</style_guide>";
const OPENED: &str =
    "<style_guide visibility=\"full\">\nUse snake_case. Return Result.\n</style_guide>";

fn case(pointer: &str) -> Value {
    let cases: Value = serde_json::from_str(include_str!("../../cases/wire.json")).unwrap();
    cases
        .pointer(pointer)
        .unwrap_or_else(|| panic!("no case at {pointer}"))
        .clone()
}

fn tool() -> ToolSpec {
    let declared = case("/openai_responses/request/tools/0");
    let text = |key: &str| declared[key].as_str().unwrap().to_owned();
    ToolSpec::new(
        text("name"),
        text("description"),
        declared["parameters"].clone(),
    )
    .unwrap()
}

fn turn_1() -> Vec<Message> {
    vec![
        Message::system(format!("{INTRO}\n\n{GUIDE}")),
        Message::user("Review this function."),
    ]
}

/// The same prompt with its system text in two blocks, the first of which can be cached for long.
fn cached_turn_1() -> Vec<Message> {
    vec![
        Message::system(INTRO).cached(CachePoint::one_hour()),
        Message::system(GUIDE).cached(CachePoint::default()),
        Message::user("Review this function."),
    ]
}

fn call(id: &str) -> ToolCall {
    let arguments = json!({ "section_keys": ["style_guide"], "reason": "naming rules" });
    ToolCall {
        id: id.into(),
        name: "open_sections".into(),
        arguments,
    }
}

/// A model's call and our answer.
fn exchange(id: &str) -> [Message; 2] {
    let call = call(id);
    let answer = Message::tool([ToolResult::ok(&call, OPENED)]);
    [
        Message {
            content: vec![Content::from(call)],
            ..Message::assistant("")
        },
        answer,
    ]
}

fn turn_2(id: &str) -> Vec<Message> {
    let mut messages = turn_1();
    messages.extend(exchange(id));
    messages
}

fn calls(reply: Result<Reply, WireError>) -> Vec<ToolCall> {
    let reply = reply.unwrap();
    assert_eq!(reply.message.role, Role::Assistant);
    reply.message.tool_calls().collect()
}

/// Turn 2 is turn 1 and two more messages: the earlier bytes stay.
fn assert_prefix(first: &Value, second: &Value, list: &str, stable: &[&str]) {
    let bytes = |value: &Value| serde_json::to_string(value).unwrap();
    let earlier = first[list].as_array().unwrap();
    let later = second[list].as_array().unwrap();
    assert!(later.len() > earlier.len());
    for (before, after) in earlier.iter().zip(later) {
        assert_eq!(bytes(before), bytes(after));
    }
    for key in stable {
        assert_eq!(bytes(&first[*key]), bytes(&second[*key]), "{key}");
    }
}

#[test]
fn openai_chat_writes_the_recorded_request() {
    let options = RequestOptions::new("gpt-5.6");
    let first = openai_chat::request(&turn_1(), &[tool()], &options).unwrap();
    assert_eq!(first, case("/openai_chat_completions/request"));

    let second = openai_chat::request(&turn_2("call_1"), &[tool()], &options).unwrap();
    assert_eq!(
        second["messages"][2],
        case("/openai_chat_completions/assistant_tool_call_message")
    );
    assert_eq!(
        second["messages"][3],
        case("/openai_chat_completions/tool_result_message")
    );
    assert_prefix(&first, &second, "messages", &["tools"]);
    assert_eq!(
        requests::openai_chat::messages(&second).unwrap(),
        turn_2("call_1")
    );
}

#[test]
fn openai_chat_reads_a_call_and_writes_its_result() {
    let message = case("/openai_chat_completions/assistant_tool_call_message");
    let reply =
        json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }] });
    assert_eq!(calls(openai_chat::reply(&reply)), [call("call_1")]);
    let results = [ToolResult::ok(&call("call_1"), OPENED)];
    assert_eq!(
        Provider::OpenAiChat.tool_results(&results),
        [case("/openai_chat_completions/tool_result_message")]
    );
}

#[test]
fn openai_chat_writes_breakpoints_on_parts() {
    let mut messages = cached_turn_1();
    messages[1].cache = None;
    let options = RequestOptions::new("gpt-5.6")
        .breakpoints(true)
        .set("prompt_cache_key", "reviewer-v1");
    let body = openai_chat::request(&messages, &[tool()], &options).unwrap();
    assert_eq!(
        body["messages"],
        case("/openai_chat_completions/cache_variant_messages")
    );
    let fields = case("/openai_chat_completions/cache_request_fields");
    for (key, value) in fields.as_object().unwrap() {
        assert_eq!(&body[key], value, "{key}");
    }
    // Without the option the points are left to the provider.
    let plain =
        openai_chat::request(&messages, &[tool()], &RequestOptions::new("gpt-5.6")).unwrap();
    assert!(!plain.to_string().contains("cache"));
}

#[test]
fn openai_responses_writes_the_recorded_request() {
    let options = RequestOptions::new("gpt-5.6");
    let first = openai_responses::request(&turn_1(), &[tool()], &options).unwrap();
    assert_eq!(first, case("/openai_responses/request"));

    let second = openai_responses::request(&turn_2("call_1"), &[tool()], &options).unwrap();
    assert_eq!(
        second["input"][1],
        case("/openai_responses/function_call_item")
    );
    assert_eq!(
        second["input"][2],
        case("/openai_responses/function_call_output_item")
    );
    assert_prefix(&first, &second, "input", &["tools", "instructions"]);
    assert_eq!(
        requests::openai_responses::messages(&second).unwrap(),
        turn_2("call_1")
    );
}

#[test]
fn openai_responses_reads_a_call_and_writes_its_result() {
    let item = case("/openai_responses/function_call_item");
    let reply = json!({ "id": "resp_1", "instructions": "x", "output": [item] });
    assert_eq!(calls(openai_responses::reply(&reply)), [call("call_1")]);
    let results = [ToolResult::ok(&call("call_1"), OPENED)];
    assert_eq!(
        Provider::OpenAiResponses.tool_results(&results),
        [case("/openai_responses/function_call_output_item")]
    );
}

#[test]
fn openai_responses_writes_breakpoints_on_input_messages() {
    let mut messages = cached_turn_1();
    messages[1].cache = None;
    let options = RequestOptions::new("gpt-5.6").breakpoints(true);
    let body = openai_responses::request(&messages, &[tool()], &options).unwrap();
    assert_eq!(body["input"], case("/openai_responses/cache_variant_input"));
    assert!(body.get("instructions").is_none());
}

#[test]
fn anthropic_writes_the_recorded_request() {
    let options = RequestOptions::new("claude-sonnet-4-6").max_tokens(1024);
    let first = anthropic::request(&cached_turn_1(), &[tool()], &options).unwrap();
    assert_eq!(first, case("/anthropic_messages/request"));

    let mut messages = cached_turn_1();
    messages.extend(exchange("toolu_1"));
    messages[4].cache = Some(CachePoint::default());
    let second = anthropic::request(&messages, &[tool()], &options).unwrap();
    assert_eq!(
        second["messages"][1],
        case("/anthropic_messages/assistant_tool_use_message")
    );
    assert_eq!(
        second["messages"][2],
        case("/anthropic_messages/tool_result_message")
    );
    assert_prefix(&first, &second, "messages", &["tools", "system"]);
    assert_eq!(requests::anthropic::messages(&second).unwrap(), messages);
}

#[test]
fn anthropic_reads_a_call_and_writes_its_result() {
    let message = case("/anthropic_messages/assistant_tool_use_message");
    assert_eq!(calls(anthropic::reply(&message)), [call("toolu_1")]);
    let results = [ToolResult::ok(&call("toolu_1"), OPENED)];
    let mut expected = case("/anthropic_messages/tool_result_message");
    expected["content"][0]
        .as_object_mut()
        .unwrap()
        .shift_remove("cache_control");
    assert_eq!(Provider::Anthropic.tool_results(&results), [expected]);
}

#[test]
fn gemini_writes_the_recorded_request() {
    let options = RequestOptions::default();
    let first = gemini::request(&turn_1(), &[tool()], &options).unwrap();
    assert_eq!(first, case("/gemini_generate_content/request"));

    let second = gemini::request(&turn_2("call_1"), &[tool()], &options).unwrap();
    assert_eq!(
        second["contents"][1],
        case("/gemini_generate_content/model_function_call_content")
    );
    assert_eq!(
        second["contents"][2],
        case("/gemini_generate_content/function_response_content")
    );
    assert_prefix(&first, &second, "contents", &["tools", "systemInstruction"]);
    assert_eq!(
        requests::gemini::messages(&second).unwrap(),
        turn_2("call_1")
    );

    let schema = gemini::request(&turn_1(), &[tool()], &options.json_schema(true)).unwrap();
    let declared = case("/gemini_generate_content/parameters_json_schema_variant");
    assert_eq!(schema["tools"][0]["functionDeclarations"][0], declared);
}

#[test]
fn gemini_reads_a_call_and_writes_its_result() {
    let content = case("/gemini_generate_content/model_function_call_content");
    let reply = json!({ "candidates": [{ "content": content }] });
    assert_eq!(calls(gemini::reply(&reply)), [call("call_1")]);
    let results = [ToolResult::ok(&call("call_1"), OPENED)];
    assert_eq!(
        Provider::Gemini.tool_results(&results),
        [case("/gemini_generate_content/function_response_content")]
    );
}

#[test]
fn ollama_writes_the_recorded_request() {
    let options = RequestOptions::new("qwen3");
    let first = ollama::request(&turn_1(), &[tool()], &options).unwrap();
    assert_eq!(first, case("/ollama_chat/request"));

    let second = ollama::request(&turn_2("call_1"), &[tool()], &options).unwrap();
    assert_eq!(
        second["messages"][2],
        case("/ollama_chat/assistant_tool_call_message")
    );
    assert_eq!(
        second["messages"][3],
        case("/ollama_chat/tool_result_message")
    );
    assert_prefix(&first, &second, "messages", &["tools"]);
    assert_eq!(
        requests::ollama::messages(&second).unwrap(),
        turn_2("call_1")
    );
}

#[test]
fn ollama_reads_a_call_and_writes_its_result() {
    let message = case("/ollama_chat/assistant_tool_call_message");
    assert_eq!(
        calls(ollama::reply(&json!({ "message": message }))),
        [call("call_1")]
    );
    let results = [ToolResult::ok(&call("call_1"), OPENED)];
    assert_eq!(
        Provider::Ollama.tool_results(&results),
        [case("/ollama_chat/tool_result_message")]
    );
}

fn open_sections() -> McpTool {
    let mut tool = McpTool::new(tool()).title("Open sections").read_only(true);
    (tool.idempotent, tool.open_world) = (Some(true), Some(false));
    tool
}

#[test]
fn mcp_writes_the_recorded_tool_messages() {
    let options = mcp::McpOptions::new();
    assert_eq!(
        mcp::call(1, "tools/list", None, &options),
        case("/mcp_2025_11_25/tools_list_request")
    );
    let listed = mcp::reply(1, mcp::tools_list(&[open_sections()], &options));
    assert_eq!(listed, case("/mcp_2025_11_25/tools_list_result"));

    assert_eq!(
        mcp::tool_calls(&case("/mcp_2025_11_25/tools_call_request")).unwrap(),
        [call("2")]
    );
    let answered = mcp::tool_results(&[ToolResult::ok(&call("2"), OPENED)], &options);
    assert_eq!(
        mcp::reply(2, answered[0].clone()),
        case("/mcp_2025_11_25/tools_call_result")
    );
}

#[test]
fn mcp_writes_the_recorded_prompt_messages() {
    let options = mcp::McpOptions::new();
    assert_eq!(
        mcp::call(3, "prompts/list", None, &options),
        case("/mcp_2025_11_25/prompts_list_request")
    );
    let mut code = McpArgument::required("code");
    code.description = Some("The code to review.".into());
    let mut reviewer = McpPrompt::new("reviewer");
    reviewer.title = Some("Reviewer".into());
    reviewer.description = Some("Reviews Rust code.".into());
    reviewer.arguments.push(code);
    let listed = mcp::reply(3, mcp::prompts_list(&[reviewer], &options));
    assert_eq!(listed, case("/mcp_2025_11_25/prompts_list_result"));

    let given = mcp::reply(
        4,
        mcp::prompts_get("Reviews Rust code.", &turn_1(), &options).unwrap(),
    );
    assert_eq!(given, case("/mcp_2025_11_25/prompts_get_result"));
    let texts: Vec<String> = mcp::messages(&given)
        .unwrap()
        .iter()
        .map(Message::text)
        .collect();
    assert_eq!(
        texts,
        turn_1().iter().map(Message::text).collect::<Vec<_>>()
    );
}

#[test]
fn mcp_writes_the_later_version() {
    let options = mcp::McpOptions::stateless().client("demo", "0.1.0");
    let expected = case("/mcp_2026_07_28_differences/request_meta_required");
    let params = json!({ "name": "reviewer", "arguments": { "code": "fn f() {}" } });
    let asked = mcp::call(4, "prompts/get", params.as_object().cloned(), &options);
    assert_eq!(asked, expected);

    let mut reviewer = McpPrompt::new("reviewer");
    reviewer.description = Some("Reviews Rust code.".into());
    reviewer.arguments.push(McpArgument::required("code"));
    let listed = mcp::reply(3, mcp::prompts_list(&[reviewer], &options));
    assert_eq!(
        listed,
        case("/mcp_2026_07_28_differences/prompts_list_result")
    );
    let given = mcp::prompts_get("", &turn_1(), &options).unwrap();
    assert_eq!(given["resultType"], "complete");
}
