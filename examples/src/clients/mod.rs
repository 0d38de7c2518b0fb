//! Our prompts in client crates that a program already has.
//!
//! The messages and tools go out as the body that `wire` wrote, the client only carries it, and its raw answer is read
//! whole by `wire` again: roles, cache points, strict schemas and call ids are the same whatever crate is in between.

#[cfg(feature = "client-async-openai")]
pub mod async_openai;
#[cfg(feature = "client-genai")]
pub mod genai;
#[cfg(feature = "client-reqwest")]
pub mod reqwest;
#[cfg(feature = "client-rig")]
pub mod rig;
#[cfg(feature = "client-rmcp")]
pub mod rmcp;

#[cfg(any(
    feature = "client-async-openai",
    feature = "client-genai",
    feature = "client-reqwest",
    feature = "client-rig"
))]
pub use conversation::{Failure, Server, converse, run};

#[cfg(any(
    feature = "client-async-openai",
    feature = "client-genai",
    feature = "client-reqwest",
    feature = "client-rig"
))]
mod conversation {
    use crate::arguments::Request;
    use crate::bulletin::{self, Bulletin};
    use prompt_agent::Conversation;
    use prompt_agent::wire::{Reply, RequestOptions, StopReason, openai_chat};
    use prompt_core::disclosure::Delivery;
    use serde_json::Value;
    use std::error::Error;
    use std::fmt;

    /// As many turns with calls may come before an answer.
    const ROUNDS: usize = 8;

    /// Any error.
    pub type Failure = Box<dyn Error + Send + Sync>;

    /// Where to ask, and what.
    #[derive(Clone, Debug)]
    pub struct Server {
        /// The address before `/chat/completions`, such as `http://localhost:11434/v1`.
        pub base_url: String,
        /// The key, empty for servers that want none.
        pub key: String,
        /// The model's name at that server.
        pub model: String,
    }

    /// Why there is no answer.
    #[derive(Debug)]
    struct NoAnswer(String);

    impl fmt::Display for NoAnswer {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(&self.0)
        }
    }

    impl Error for NoAnswer {}

    impl Server {
        /// An HTTP client; servers on this machine are reached directly, whatever proxy the environment names.
        ///
        /// # Errors
        ///
        /// When it cannot be set up.
        pub fn http(&self) -> Result<::reqwest::Client, ::reqwest::Error> {
            let host = self.base_url.split_once("://").map_or("", |(_, rest)| rest);
            let is_local = ["localhost", "127.0.0.1", "[::1]"]
                .iter()
                .any(|local| host.starts_with(local));
            let builder = ::reqwest::Client::builder();
            if is_local {
                builder.no_proxy().build()
            } else {
                builder.build()
            }
        }
    }

    /// Asks the bulletin's question and runs the tools until the model answers. `send` carries a body to the server and
    /// gives the reply.
    ///
    /// # Errors
    ///
    /// That of `send`, a `WireError`, or that the answer is cut off or never comes.
    pub async fn converse(
        model: &str,
        question: &str,
        send: impl AsyncFn(Value) -> Result<Reply, Failure>,
    ) -> Result<String, Failure> {
        let (bulletin, tools) = (Bulletin::new()?, bulletin::tools()?);
        let options = RequestOptions::new(model);
        // What is opened travels in the tool result, so that system text and tools never change.
        let mut conversation = Conversation::default().delivery(Delivery::Append);
        conversation.begin(question);
        for _ in 0..ROUNDS {
            while let Some(call) = conversation.next_call() {
                conversation.push_results([tools.run(&call)])?;
            }
            let prompt = conversation.prompt(&bulletin).render()?;
            let body = openai_chat::request(&prompt.messages(), prompt.tools(), &options)?;
            let reply = send(body).await?;
            match &reply.stop {
                StopReason::ToolCalls => conversation.push(reply),
                StopReason::End => return Ok(reply.message.text()),
                other => return Err(NoAnswer(format!("the answer stopped early: {other}")).into()),
            }
        }
        Err(NoAnswer(format!("still no answer after {ROUNDS} turns with calls")).into())
    }

    /// The program: reads the arguments, asks, and prints the answer.
    ///
    /// # Errors
    ///
    /// An argument that is not understood, or what [`converse`] says.
    pub fn run(
        name: &str,
        ask: impl AsyncFn(&Server, &str) -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        let options = ["--model", "--base-url", "--ask"];
        let Request::Run(given) = Request::from_env(0, &options)? else {
            println!(
                "usage: {name} --model NAME [--base-url URL] [--ask TEXT]\n\nThe key comes from OPENAI_API_KEY."
            );
            return Ok(());
        };
        let word = |option: &str, default: &str| {
            let value = given.option(option).map(|value| value.to_string_lossy());
            value.map_or_else(|| default.to_owned(), std::borrow::Cow::into_owned)
        };
        let server = Server {
            base_url: word("--base-url", "https://api.openai.com/v1"),
            key: std::env::var("OPENAI_API_KEY").unwrap_or_default(),
            model: word("--model", ""),
        };
        if server.model.is_empty() {
            return Err(NoAnswer("--model is missing; see --help".into()).into());
        }
        let question = word("--ask", "Which units does the house style use for a level?");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        println!("{}", runtime.block_on(ask(&server, &question))?);
        Ok(())
    }
}
