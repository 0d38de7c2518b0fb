//! The agent of the guide with an HTTP client: it runs on any server that speaks `OpenAI`'s Chat Completions, shows what the model
//! says while it streams, runs the tools it calls, opens sections, and asks again until the answer is a Rust type. With
//! `--save` the conversation is in a file after each step, and the program goes on where it ended.
//!
//! ```text
//! cargo run --example live_agent --features live -- --base-url http://localhost:11434/v1 --model qwen3
//! cargo run --example live_agent --features live -- --model gpt-5.6 --dry-run
//! ```
//!
//! The key comes from `OPENAI_API_KEY`; servers on this machine need none.

use prompt_agent::Conversation;
use prompt_agent::answer::Answer;
use prompt_agent::wire::{Provider, RequestOptions};
use prompt_core::RenderedPrompt;
use prompt_core::disclosure::Delivery;
use prompt_examples::arguments::{Arguments, Request};
use prompt_examples::bulletin::{self, Bulletin, Report, step};
use prompt_examples::disk::{Disk, OsDisk, at, at_line, replace};
use prompt_examples::live::{Client, Event, Settings};
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const OPENAI: &str = "https://api.openai.com/v1";
const USAGE: &str = "usage: live_agent --model NAME [--base-url URL] [--ask TEXT] [--retries N] [--save FILE] [--no-stream] [--dry-run]";
const QUESTION: &str = "Which units does the house style use for a river level, and why?";
/// So many steps may come before the answer.
const STEPS: usize = 40;

type Failure = Box<dyn Error>;

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
    let options = ["--model", "--base-url", "--ask", "--retries", "--save"];
    let flags = ["--no-stream", "--dry-run"];
    let words = std::env::args_os().skip(1);
    let Request::Run(given) = Request::read_with_flags(words, 0, &options, &flags)? else {
        println!("{USAGE}");
        return Ok(());
    };
    let word = |option: &str| given.option(option).map(|word| word.to_string_lossy());
    let model = word("--model").ok_or_else(|| format!("--model is missing\n{USAGE}"))?;
    let options = RequestOptions::new(model).stream(!given.has("--no-stream"));
    let request = |prompt: &RenderedPrompt, answer: &Answer<Report>| {
        let options = options.clone().answer(answer);
        Provider::OpenAiChat.request(&prompt.messages(), prompt.tools(), &options)
    };
    let path = given.option("--save").map(PathBuf::from);
    let mut conversation = load(path.as_deref())?;
    if conversation.is_answered() {
        conversation.begin(word("--ask").unwrap_or_else(|| QUESTION.into()));
    }
    if given.has("--dry-run") {
        let bulletin = Bulletin::new()?;
        let prompt = conversation.prompt(&bulletin).render()?;
        println!("{:#}", request(&prompt, &Answer::new())?);
        return Ok(());
    }
    let (client, tools) = (client(&given)?, bulletin::tools()?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    for _ in 0..STEPS {
        save(path.as_deref(), &conversation)?;
        let report = step(&mut conversation, &tools, |prompt, answer| {
            let body = request(prompt, answer)?;
            Ok(runtime.block_on(client.ask(&body, show))?)
        })?;
        if let Some(report) = report {
            save(path.as_deref(), &conversation)?;
            println!("\n{report:#?}");
            return Ok(());
        }
        let last = conversation.history().log().last();
        for call in last.iter().flat_map(|message| message.tool_calls()) {
            eprintln!("\n[{} {}]", call.name, call.arguments);
        }
    }
    Err(format!("no answer after {STEPS} steps").into())
}

/// The conversation of a file; where there is none yet, a new one. What is opened travels in the result of the call, so that
/// system text and tools never change.
fn load(path: Option<&Path>) -> Result<Conversation, Failure> {
    let saved = path.map(|path| OsDisk.read(path).map_err(|error| at(path, &error)));
    match (path, saved.transpose()?.flatten()) {
        (Some(path), Some(saved)) => serde_json::from_slice(&saved)
            .map_err(|fault| at_line(path, fault.line(), &fault).into()),
        _ => Ok(Conversation::default()
            .named("bulletin")
            .delivery(Delivery::Append)),
    }
}

fn save(path: Option<&Path>, conversation: &Conversation) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    Ok(replace(
        &mut OsDisk,
        path,
        &serde_json::to_vec(conversation)?,
    )?)
}

fn client(given: &Arguments) -> Result<Client, Failure> {
    let url = given.option("--base-url");
    let url = url.map_or(OPENAI.into(), |url| url.to_string_lossy());
    let key = std::env::var("OPENAI_API_KEY");
    let key = key.ok().filter(|key| !key.is_empty());
    if url == OPENAI && key.is_none() {
        let fault = "needs a key in OPENAI_API_KEY; --base-url names another server";
        return Err(format!("{OPENAI} {fault}").into());
    }
    let retries = given.option("--retries");
    let retries = retries.map(|count| count.to_string_lossy().parse());
    Ok(Client::new(Settings {
        api_key: key,
        retries: retries.transpose()?.unwrap_or(0),
        ..Settings::new(url)
    })?)
}

fn show(event: Event<'_>) {
    match event {
        Event::Text(text) => {
            print!("{text}");
            // A line that is not shown yet is no reason to stop.
            let _ = std::io::stdout().flush();
        }
        Event::Retry(error) => eprintln!("\n[{error}; trying again]"),
        _ => {}
    }
}
