//! An agent on any server that speaks `OpenAI`'s Chat Completions: streams the answer and runs the tools it calls,
//! `open_sections` among them. With `--typed` the answer is a Rust type, asked for again until it fits.
//!
//! ```text
//! cargo run --example live_agent --features live -- --base-url http://localhost:11434/v1 --model qwen3
//! cargo run --example live_agent --features live -- --model gpt-5.6 --dry-run
//! ```
//!
//! The key comes from `OPENAI_API_KEY`; servers on this machine need none.

use prompt_core::Message;
use prompt_core::answer::Answer;
use prompt_core::wire::openai_chat;
use prompt_examples::bulletin::{self, Bulletin, Report};
use prompt_examples::live::{Agent, Event, Settings};
use std::io::Write;
use std::process::ExitCode;

const OPENAI: &str = "https://api.openai.com/v1";
const USAGE: &str = "usage: live_agent --model NAME [--base-url URL] [--ask TEXT] [--retries N] [--no-stream] [--typed] [--dry-run]";

type Failure = Box<dyn std::error::Error>;

struct Arguments {
    model: String,
    base_url: String,
    question: String,
    retries: u32,
    stream: bool,
    typed: bool,
    dry_run: bool,
}

impl Arguments {
    /// `None` if only the usage is asked for.
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Option<Self>, Failure> {
        let mut parsed = Self {
            model: String::new(),
            base_url: OPENAI.into(),
            question: "Which units does the house style use for a river level, and why?".into(),
            retries: 0,
            stream: true,
            typed: false,
            dry_run: false,
        };
        while let Some(word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .ok_or_else(|| format!("{word} needs a value\n{USAGE}"))
            };
            match word.as_str() {
                "--help" | "-h" => return Ok(None),
                "--model" => parsed.model = value()?,
                "--base-url" => parsed.base_url = value()?,
                "--ask" => parsed.question = value()?,
                "--retries" => parsed.retries = value()?.parse()?,
                "--no-stream" => parsed.stream = false,
                "--typed" => parsed.typed = true,
                "--dry-run" => parsed.dry_run = true,
                other => return Err(format!("unknown argument {other}\n{USAGE}").into()),
            }
        }
        if parsed.model.is_empty() {
            return Err(format!("--model is missing\n{USAGE}").into());
        }
        Ok(Some(parsed))
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
    let Some(arguments) = Arguments::parse(std::env::args().skip(1))? else {
        println!("{USAGE}");
        return Ok(());
    };
    let key = std::env::var("OPENAI_API_KEY")
        .ok()
        .filter(|key| !key.is_empty());
    if !arguments.dry_run && arguments.base_url == OPENAI && key.is_none() {
        return Err(format!(
            "{OPENAI} needs a key in OPENAI_API_KEY; --base-url names another server"
        )
        .into());
    }
    let settings = Settings {
        api_key: key,
        retries: arguments.retries,
        stream: arguments.stream,
        ..Settings::new(arguments.base_url)
    };
    let bulletin = Bulletin::new()?;
    let tools = bulletin::tools()?;
    let mut disclosure = bulletin.disclosure();
    let prompt = disclosure.render()?;
    let mut messages = prompt.messages();
    messages.push(Message::user(arguments.question));
    let mut options = openai_chat::Options::new(arguments.model);
    let mut answer = Answer::<Report>::new();
    if arguments.typed {
        options = options.answer(&answer);
    }
    let mut agent = Agent::new(settings, options, prompt.tools().to_vec(), messages)?;
    if arguments.dry_run {
        println!("{:#}", agent.body()?);
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let answer_calls = |calls: &[_]| bulletin::answer_calls(&mut disclosure, &tools, calls);
    if arguments.typed {
        let report = runtime.block_on(agent.run_typed(&mut answer, answer_calls, show))?;
        println!("\n{report:#?}");
    } else {
        runtime.block_on(agent.run(answer_calls, show))?;
        println!();
    }
    Ok(())
}
