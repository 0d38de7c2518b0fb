//! An agent whose conversation lives in SQLite: one step, one transaction. What a tool does stands in the same transaction as
//! the conversation that says so, so that neither is there without the other. Providers take turns, answers stream, a busy
//! server is asked again when it says, and an answer is a Rust type.

mod desk;

pub use desk::{Category, Resolution};

use desk::{Desk, LETTERS, Refund, model};
use prompt_agent::Conversation;
use prompt_agent::Tools;
use prompt_agent::answer::Answer;
use prompt_agent::testing::Response;
use prompt_agent::wire::{Delta, Provider, Reply, RequestOptions, WireError};
use prompt_core::{Budget, Message, Role, ToolCall, ToolSpec};
use rusqlite::{Connection, OptionalExtension, params};
use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::Duration;

/// What became of a step.
#[derive(Debug, PartialEq)]
pub enum Step {
    /// There are more to come.
    Done,
    /// A letter is answered.
    Answered(Resolution),
    /// All letters are.
    Over,
}

/// The agent over its database.
#[derive(Debug)]
pub struct SavedAgent {
    database: Arc<Mutex<Connection>>,
    tools: Tools,
}

impl SavedAgent {
    /// Goes on with what the database holds, or begins.
    ///
    /// # Errors
    /// When it is no database, or cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let named = |error| format!("{}: {error}", path.display());
        let database = Connection::open(path).map_err(named)?;
        let made = database.execute_batch(
            "create table if not exists conversation (name text primary key, saved text not null);
             create table if not exists refund (call text, ticket integer, amount real);",
        );
        made.map_err(named)?;
        let database = Arc::new(Mutex::new(database));
        let bank = Arc::clone(&database);
        let refund = move |call: &ToolCall, asked: Refund| {
            let sql = "insert into refund values (?1, ?2, ?3)";
            let row = params![call.id, asked.ticket, asked.amount];
            lock(&bank).execute(sql, row).map(|_| "Refunded.")
        };
        let tools = Tools::new().add_with_call(ToolSpec::of::<Refund>("refund")?, refund)?;
        Ok(Self { database, tools })
    }

    /// The next step: a letter, a tool, or a request. `before_saving` is called when everything is done but the commit: there
    /// a test kills the program.
    ///
    /// # Errors
    /// When something fails; the database is as it was before.
    pub fn step(&self, before_saving: impl FnOnce()) -> Result<Step, Box<dyn Error>> {
        lock(&self.database).execute_batch("begin immediate")?;
        let done = self.go_on().inspect(|_| before_saving());
        let end = if done.is_ok() { "commit" } else { "rollback" };
        lock(&self.database).execute_batch(end)?;
        done
    }

    fn go_on(&self) -> Result<Step, Box<dyn Error>> {
        let (mut conversation, mut step) = (self.conversation()?, Step::Done);
        let count = |is_meant: fn(&Message) -> bool| {
            let log = conversation.history().log().iter();
            log.filter(|message| is_meant(message)).count()
        };
        let letters = count(|said| said.role == Role::User && said.verdict().is_none());
        let asked = count(|said| said.role == Role::Assistant);
        if conversation.is_answered() {
            let Some(letter) = LETTERS.get(letters) else {
                return Ok(Step::Over);
            };
            conversation.begin(*letter);
        } else if let Some(call) = conversation.next_call() {
            conversation.push_results([self.tools.run(&call)])?;
        } else {
            let desk = Desk::new(self.tools.specs());
            let prompt = conversation.prompt(&desk).budget(Budget::request(4_000));
            let (prompt, answer) = (prompt.render()?, Answer::new());
            let provider = [Provider::Anthropic, Provider::OpenAiChat][asked % 2];
            let options = RequestOptions::new("a-model").stream(true).answer(&answer);
            let body = provider.request(&prompt.messages(), prompt.tools(), &options)?;
            let mut model = model(asked);
            let reply = ask(provider, || model.respond(provider, &body))?;
            if let Some(accepted) = conversation.read(&answer, reply)? {
                step = Step::Answered(accepted.into_value());
            }
        }
        let sql =
            "insert into conversation values ('desk', ?1) on conflict do update set saved = ?1";
        lock(&self.database).execute(sql, [serde_json::to_string(&conversation)?])?;
        Ok(step)
    }

    /// What was said.
    ///
    /// # Errors
    /// When the database cannot be read, or holds what is no conversation.
    pub fn conversation(&self) -> Result<Conversation, Box<dyn Error>> {
        let sql = "select saved from conversation where name = 'desk'";
        let saved = lock(&self.database).query_row(sql, [], |row| row.get::<_, String>(0));
        let Some(saved) = saved.optional()? else {
            return Ok(Conversation::default().named("desk"));
        };
        let restored = serde_json::from_str(&saved);
        Ok(restored.map_err(|fault| format!("the saved conversation `desk`: {fault}"))?)
    }

    /// How often a fare was refunded.
    ///
    /// # Errors
    /// When the database cannot be read.
    pub fn refunds(&self) -> Result<u32, Box<dyn Error>> {
        let count = "select count(*) from refund";
        Ok(lock(&self.database).query_row(count, [], |row| row.get(0))?)
    }
}

fn lock(database: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    database.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One reply; a server that is busy, or broke off, is asked again when it says so.
fn ask(provider: Provider, mut send: impl FnMut() -> Response) -> Result<Reply, Box<dyn Error>> {
    for wait in [100, 200, 400, 800].map(Duration::from_millis) {
        match read(provider, &send()) {
            Err(busy) if busy.is_transient() => sleep(busy.retry_after().unwrap_or(wait)),
            read => return Ok(read?),
        }
    }
    Err("the server stays busy".into())
}

/// A whole answer of the server, shown as it comes; its error otherwise.
fn read(provider: Provider, response: &Response) -> Result<Reply, WireError> {
    let mut reader = provider
        .stream()
        .response(response.status(), response.headers());
    for bytes in response.pieces(7) {
        for delta in reader.push_bytes(bytes)? {
            if let Delta::Text(piece) = delta {
                print!("{piece}");
            }
        }
    }
    reader.finish()
}
