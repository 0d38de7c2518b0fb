//! An agent on any server that speaks `OpenAI`'s Chat Completions: streams the answer and runs the tools it calls.
//!
//! ```text
//! cargo run --example live_agent --features live -- --base-url http://localhost:11434/v1 --model qwen3
//! cargo run --example live_agent --features live -- --model gpt-5.6 --dry-run
//! ```
//!
//! The key comes from `OPENAI_API_KEY`; servers on this machine need none.

use prompt_core::wire::openai_chat;
use prompt_core::{Message, ToolCall, ToolResult, ToolSpec};
use prompt_examples::live::{Agent, Event, Settings};
use serde_json::{Value, json};
use std::io::Write;
use std::process::ExitCode;

const OPENAI: &str = "https://api.openai.com/v1";
const USAGE: &str = "usage: live_agent --model NAME [--base-url URL] [--ask TEXT] [--retries N] [--dry-run]";

type Failure = Box<dyn std::error::Error>;

struct Arguments {
    model: String,
    base_url: String,
    question: String,
    retries: u32,
    dry_run: bool,
}

impl Arguments {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut parsed = Self {
            model: String::new(),
            base_url: OPENAI.into(),
            question: "Which units does the house style use for a river level, and why?".into(),
            retries: 0,
            dry_run: false,
        };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value\n{USAGE}"));
            match word.as_str() {
                "--model" => parsed.model = value()?,
                "--base-url" => parsed.base_url = value()?,
                "--ask" => parsed.question = value()?,
                "--retries" => parsed.retries = value()?.parse()?,
                "--dry-run" => parsed.dry_run = true,
                other => return Err(format!("unknown argument {other}\n{USAGE}").into()),
            }
        }
        if parsed.model.is_empty() {
            return Err(format!("--model is missing\n{USAGE}").into());
        }
        Ok(parsed)
    }
}

fn tools() -> Result<Vec<ToolSpec>, Failure> {
    let parameters = json!({
        "type": "object",
        "properties": { "term": { "type": "string", "enum": ["level", "rain", "flow"] } },
        "required": ["term"],
        "additionalProperties": false,
    });
    Ok(vec![ToolSpec::new("look_up", "The house style for a term.", parameters)?])
}

/// Runs the calls of one turn: one result for each, in order.
fn answer_calls(calls: &[ToolCall]) -> Vec<ToolResult> {
    calls.iter().map(answer_call).collect()
}

fn answer_call(call: &ToolCall) -> ToolResult {
    let term = call.arguments.get("term").and_then(Value::as_str);
    match (call.name.as_str(), term) {
        ("look_up", Some("level")) => ToolResult::ok(call, "Metres above the gauge zero, two decimals."),
        ("look_up", Some("rain")) => ToolResult::ok(call, "Millimetres since midnight, whole numbers."),
        ("look_up", Some("flow")) => ToolResult::ok(call, "Cubic metres per second, one decimal."),
        ("look_up", _) => ToolResult::failed(call, "`term` must be one of level, rain, flow."),
        (name, _) => ToolResult::failed(call, format!("There is no tool `{name}`.")),
    }
}

fn show(event: Event<'_>) {
    match event {
        Event::Text(text) => {
            print!("{text}");
            // A line that is not shown yet is no reason to stop.
            let _ = std::io::stdout().flush();
        }
        Event::Call(call) => eprintln!("\n[{} {}]", call.name, call.arguments),
        Event::Result(result) => eprintln!("[-> {}]", result.content),
        Event::Retry(error) => eprintln!("\n[{error}; trying again]"),
        _ => {}
    }
}

fn main() -> ExitCode {
    match talk() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("live_agent: {error}");
            ExitCode::FAILURE
        }
    }
}

fn talk() -> Result<(), Failure> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    let key = std::env::var("OPENAI_API_KEY").ok().filter(|key| !key.is_empty());
    if !arguments.dry_run && arguments.base_url == OPENAI && key.is_none() {
        return Err(format!("{OPENAI} needs a key in OPENAI_API_KEY; --base-url names another server").into());
    }
    let settings = Settings { api_key: key, retries: arguments.retries, ..Settings::new(arguments.base_url) };
    let messages = vec![
        Message::system("You write for a river gauge bulletin. Look terms up before you use them."),
        Message::user(arguments.question),
    ];
    let mut agent = Agent::new(settings, openai_chat::Options::new(arguments.model), tools()?, messages)?;
    if arguments.dry_run {
        println!("{:#}", agent.body()?);
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(agent.run(answer_calls, show))?;
    println!();
    Ok(())
}
