//! An agent's prompt over the documentation of this repository, most of it behind summaries, and a model that opens what
//! it needs. The model is scripted; everything else is as in a real program.
//!
//! ```text
//! cargo run --example disclosure
//! ```

use prompt_agent::testing::Script;
use prompt_core::Disclosure;
use prompt_core::Markdown;
use prompt_core::Message;
use prompt_core::Overrides;
use prompt_core::PromptNode;
use prompt_core::RenderedPrompt;
use prompt_core::ToolCall;
use prompt_core::ToolResult;
use prompt_core::Visibility;
use prompt_core::disclosure::Delivery;
use prompt_core::disclosure::DisclosureError;
use prompt_core::tokens::EstimatedTokens;
use prompt_core::tokens::TokenCounter;
use prompt_examples::arguments::Request;
use prompt_examples::documentation;
use std::{
    error::Error,
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
};

/// You answer questions about the library {name} from its documentation.
///
/// Quote what you rely on. What is not in the documentation you do not know.
#[derive(PromptNode)]
struct Librarian {
    name: &'static str,

    #[section(visibility = "summary", summary = "What {name} is, and how to begin.")]
    readme: Option<Markdown>,

    #[section(
        visibility = "summary",
        summary = "What changed from version to version."
    )]
    changelog: Option<Markdown>,

    /// One note per module of the crate.
    #[section(
        item_key = key,
        item_title = "Module {item.key}",
        visibility = "summary",
        summary = "{item.teaser}"
    )]
    design_notes: Vec<Note>,
}

/// {teaser}
#[derive(PromptNode)]
struct Note {
    key: String,
    teaser: String,
    #[section(untitled, item_title = "{item.name}")]
    files: Vec<File>,
}

#[derive(PromptNode)]
struct File {
    name: String,
    #[section(untitled)]
    text: Markdown,
}

impl Librarian {
    fn load() -> Result<Self, Box<dyn Error>> {
        let file = |file: documentation::SourceFile| File {
            name: file.name,
            text: Markdown::from(file.text),
        };
        let note = |chapter: documentation::Chapter| Note {
            key: chapter.key,
            teaser: chapter.teaser,
            files: chapter.files.into_iter().map(file).collect(),
        };
        Ok(Self {
            name: "prompt-core",
            readme: documentation::top_level("README.md").map(Markdown::from),
            changelog: documentation::top_level("CHANGELOG.md").map(Markdown::from),
            design_notes: documentation::chapters()?.into_iter().map(note).collect(),
        })
    }
}

/// A conversation with a scripted model. A real client sends `prompt.messages()`, the history and `prompt.tools()` in its
/// provider's format.
struct Client {
    script: Script,
    history: Vec<Message>,
    /// Tools, system text and history of each turn, in the order in which providers cache them.
    requests: Vec<String>,
}

impl Client {
    fn new(librarian: &Librarian) -> Result<Self, prompt_core::PromptError> {
        Ok(Self {
            script: script(librarian)?,
            history: Vec::new(),
            requests: Vec::new(),
        })
    }

    /// The text of the answer, or the calls of the model.
    fn send(&mut self, prompt: &RenderedPrompt) -> Result<(String, Vec<ToolCall>), Box<dyn Error>> {
        let mut request = format!("{}\n{prompt}\n", serde_json::to_string(prompt.tools())?);
        for message in &self.history {
            request.push_str(&serde_json::to_string(message)?);
            request.push('\n');
        }
        let kept = self
            .requests
            .last()
            .map_or(0, |last| same_bytes(last, &request));
        println!(
            "  turn {}: {} bytes, about {} tokens; the first {kept} bytes are those of the turn before",
            self.requests.len() + 1,
            request.len(),
            tokens(&request),
        );
        self.requests.push(request);
        let reply = self.script.message()?;
        let calls: Vec<ToolCall> = reply.tool_calls().collect();
        for call in &calls {
            println!("    the model calls {} {}", call.name, call.arguments);
        }
        let text = reply.text();
        self.history.push(reply);
        Ok((text, calls))
    }

    /// Sends like the function above, for asynchronous programs. This one only waits for its turn.
    async fn send_async(
        &mut self,
        prompt: &RenderedPrompt,
    ) -> Result<(String, Vec<ToolCall>), Box<dyn Error>> {
        yield_now().await;
        self.send(prompt)
    }

    fn push(&mut self, results: Vec<ToolResult>) {
        for result in &results {
            println!("    we answer with {} bytes:", result.content.len());
            for line in result.content.lines().take(6) {
                println!("      {}", cut(line));
            }
        }
        self.history.push(Message::tool(results));
    }
}

/// What the model does: it misspells a key, takes the one that is suggested, opens a second section, and answers with a line
/// of the first.
fn script(librarian: &Librarian) -> Result<Script, prompt_core::PromptError> {
    let documentation = everything(librarian)?;
    let mut lines = documentation.lines();
    let line = lines.find(|line| line.starts_with("- `struct Disclosure<"));
    let answer = line.unwrap_or("The documentation does not say.");
    Ok(Script::new()
        .opens(["design_notes.disclosur"])
        .opens(["design_notes.disclosure"])
        .opens(["changelog"])
        .says(answer.trim_start_matches("- ")))
}

fn converse(librarian: &Librarian, delivery: Delivery) -> Result<(String, Client), Box<dyn Error>> {
    let mut client = Client::new(librarian)?;
    let mut disclosure = Disclosure::new(librarian)
        .delivery(delivery)
        .max_rounds(5)
        .max_opened_tokens(50_000);
    let answer = loop {
        let prompt = disclosure.render().map_err(DisclosureError::from)?;
        let (text, calls) = client.send(&prompt)?;
        if calls.is_empty() {
            break text;
        }
        client.push(disclosure.handle(&calls)?);
    };
    Ok((answer, client))
}

/// The same loop in an asynchronous function: `Disclosure` waits for nothing, so it needs no runtime.
async fn converse_async(
    librarian: &Librarian,
    delivery: Delivery,
) -> Result<(String, Client), Box<dyn Error>> {
    let mut client = Client::new(librarian)?;
    let mut disclosure = Disclosure::new(librarian)
        .delivery(delivery)
        .max_rounds(5)
        .max_opened_tokens(50_000);
    let answer = loop {
        let prompt = disclosure.render()?;
        let (text, calls) = client.send_async(&prompt).await?;
        if calls.is_empty() {
            break text;
        }
        // The plan says which calls are the program's to run; here they could wait for a network.
        let plan = disclosure.plan(&calls)?;
        let mut results = Vec::new();
        for call in plan.run() {
            results.push(run(call).await);
        }
        client.push(plan.finish(results)?);
    };
    Ok((answer, client))
}

/// The tools of this program: it has none of its own.
async fn run(call: &ToolCall) -> ToolResult {
    yield_now().await;
    ToolResult::failed(call, "There is no such tool.")
}

fn main() -> Result<(), Box<dyn Error>> {
    let Request::Run(_) = Request::from_env(0, &[])? else {
        println!("usage: disclosure\n\nShows how a model opens the sections that it needs.");
        return Ok(());
    };
    let librarian = Librarian::load()?;
    let closed = librarian.prompt().render()?;
    println!(
        "The prompt that the model gets first:\n\n{}",
        beginning(closed.as_str())
    );
    let full = everything(&librarian)?;
    println!(
        "Everything shown, the prompt is {} bytes, about {} tokens.",
        full.len(),
        tokens(&full)
    );

    println!("\nEach opening renders the prompt anew:");
    let (answer, client) = converse(&librarian, Delivery::Rerender)?;
    report(&client, &full, &answer);

    println!("\nOpened text travels in the results, in an asynchronous function:");
    let (answer, client) = block_on(converse_async(&librarian, Delivery::Append))?;
    report(&client, &full, &answer);
    Ok(())
}

/// The first lines of a prompt, with the sections and suffixes in them.
fn beginning(prompt: &str) -> String {
    const SHOWN: usize = 24;
    let lines = prompt.lines().take(SHOWN).chain(["..", ""]);
    let lines: Vec<&str> = lines.collect();
    format!("    {}\n", lines.join("\n    "))
}

/// The prompt with every section open.
fn everything(librarian: &Librarian) -> Result<String, prompt_core::PromptError> {
    let mut overrides = Overrides::default();
    loop {
        let prompt = librarian.prompt().overrides(&overrides).render()?;
        let closed = prompt
            .visibility()
            .into_iter()
            .filter(|(_, visibility)| *visibility == Visibility::Summary);
        let closed: Vec<String> = closed.map(|(path, _)| path).collect();
        if closed.is_empty() {
            return Ok(prompt.into_string());
        }
        for path in closed {
            overrides.open(path);
        }
    }
}

fn report(client: &Client, full: &str, answer: &str) {
    println!("  the model answers: {}", cut(answer));
    let sent: usize = client.requests.iter().map(|request| tokens(request)).sum();
    let turns = client.requests.len();
    let (once, always) = (tokens(full), tokens(full) * turns);
    println!("  sent in {turns} turns: about {sent} tokens");
    println!(
        "  against one turn with everything shown: {once} tokens, {}",
        saved(sent, once)
    );
    println!(
        "  against {turns} turns with everything shown: {always} tokens, {}",
        saved(sent, always)
    );
    let pairs = client.requests.iter().zip(client.requests.iter().skip(1));
    let (kept, before) = pairs.fold((0, 0), |(kept, before), (last, next)| {
        (kept + same_bytes(last, next), before + last.len())
    });
    println!("  from turn to turn {kept} of {before} bytes stayed the same prefix");
}

fn saved(sent: usize, full: usize) -> String {
    match full.checked_sub(sent) {
        Some(saved) => format!("saved {} %", 100 * saved / full.max(1)),
        None => "nothing saved".to_owned(),
    }
}

/// The beginning of a text.
fn cut(text: &str) -> String {
    match text.char_indices().nth(160) {
        Some((end, _)) => format!("{} ...", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn tokens(text: &str) -> usize {
    EstimatedTokens::default().count(text)
}

fn same_bytes(left: &str, right: &str) -> usize {
    left.bytes()
        .zip(right.bytes())
        .take_while(|(left, right)| left == right)
        .count()
}

/// Waits once, so that the future is polled more than once.
async fn yield_now() {
    let mut waited = false;
    std::future::poll_fn(|context| {
        if waited {
            return Poll::Ready(());
        }
        waited = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// Runs a future that is always ready to go on, in place of a runtime.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}
