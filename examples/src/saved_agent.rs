//! An agent whose conversation lives in SQLite: one step, one transaction. What a tool does stands in the same transaction as
//! the conversation that says so, so that neither is there without the other.

use prompt_core::testing::Script;
use prompt_core::wire::{Provider, RequestOptions};
use prompt_core::{Budget, Conversation, PromptNode, Role, ToolCall, ToolResult, ToolSpec};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::json;
use std::error::Error;
use std::path::Path;

/// You run the harbour. End each answer with a line `recap - ..`.
#[derive(Debug, PromptNode)]
#[prompt(tools = self.ring.clone())]
pub struct Harbour {
    ring: ToolSpec,

    /// High water at six.
    #[section(visibility = "summary", summary = "On tides.")]
    tides: (),
}

/// What the user asks, one question after the other.
const QUESTIONS: [&str; 2] = ["When is high water? Ring for it.", "And low water?"];

/// What became of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// There are more to come.
    Done,
    /// All questions are answered.
    Over,
}

/// The agent over its database.
#[derive(Debug)]
pub struct SavedAgent {
    harbour: Harbour,
    database: Connection,
}

impl SavedAgent {
    /// Goes on with what the database holds, or begins.
    ///
    /// # Errors
    /// When it is no database, or cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let database = Connection::open(path)?;
        let made = database.execute_batch(
            "create table if not exists conversation (name text primary key, saved text not null);
             create table if not exists bell (at integer primary key);",
        );
        made.map_err(|error| format!("{}: {error}", path.display()))?;
        let harbour = Harbour {
            ring: ToolSpec::closed("ring_bell", "Rings the bell once.")?,
            tides: (),
        };
        Ok(Self { harbour, database })
    }

    /// The next step: a question, a tool, or a request. `before_saving` is called when everything is done but the commit:
    /// there a test kills the program.
    ///
    /// # Errors
    /// When something fails; the database is as it was before.
    pub fn step(&mut self, before_saving: impl FnOnce()) -> Result<Step, Box<dyn Error>> {
        let transaction = self.database.transaction()?;
        let mut conversation = load(&transaction)?;
        let open = conversation.open_calls();
        if conversation.is_answered() {
            let Some(question) = QUESTIONS.get(said(&conversation, Role::User)) else {
                return Ok(Step::Over);
            };
            conversation.begin(*question);
        } else if let Some(call) = open.first() {
            let result = run(&transaction, call)?;
            conversation.answer([result])?;
        } else {
            let prompt = conversation.prompt(&self.harbour);
            let prompt = prompt.budget(Budget::request(4_000)).render()?;
            let asked = said(&conversation, Role::Assistant);
            let provider = [Provider::Anthropic, Provider::OpenAiChat][asked % 2];
            let options = RequestOptions::new("a-model");
            let body = provider.request(&prompt.messages(), prompt.tools(), &options)?;
            let reply = provider.reply(&model(asked).reply(provider, &body))?;
            conversation.push(reply);
        }
        let saved = serde_json::to_string(&conversation)?;
        let sql = "insert into conversation values ('harbour', ?1) on conflict (name) do update set saved = ?1";
        transaction.execute(sql, params![saved])?;
        before_saving();
        transaction.commit()?;
        Ok(Step::Done)
    }

    /// How often the bell was rung.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn rung(&self) -> Result<u32, Box<dyn Error>> {
        let count = "select count(*) from bell";
        Ok(self.database.query_row(count, [], |row| row.get(0))?)
    }

    /// What was said.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn conversation(&mut self) -> Result<Conversation, Box<dyn Error>> {
        load(&self.database.transaction()?)
    }
}

fn load(transaction: &Transaction<'_>) -> Result<Conversation, Box<dyn Error>> {
    let sql = "select saved from conversation where name = 'harbour'";
    let saved = transaction.query_row(sql, [], |row| row.get::<_, String>(0));
    let Some(saved) = saved.optional()? else {
        return Ok(Conversation::default().named("harbour"));
    };
    let restored = serde_json::from_str(&saved);
    Ok(restored.map_err(|fault| format!("the saved conversation `harbour`: {fault}"))?)
}

fn said(conversation: &Conversation, role: Role) -> usize {
    let log = conversation.history().log().iter();
    log.filter(|message| message.role == role).count()
}

fn run(transaction: &Transaction<'_>, call: &ToolCall) -> Result<ToolResult, rusqlite::Error> {
    if call.name != "ring_bell" {
        return Ok(ToolResult::failed(call, "There is no such tool."));
    }
    transaction.execute("insert into bell default values", [])?;
    Ok(ToolResult::ok(call, "Rung."))
}

/// The model after this many answers. A real one remembers nothing either.
fn model(answers: usize) -> Script {
    let mut script = Script::new()
        .opens(["tides"])
        .calls("ring_bell", json!({}))
        .and_calls("ring_bell", json!({}))
        .says("At six; the bell is rung.\nrecap - high water at six, bell rung")
        .says("At noon.\nrecap - low water at noon");
    for _ in 0..answers {
        let _ = script.message();
    }
    script
}
