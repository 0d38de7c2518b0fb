//! The assistant of a hardware shop: a prompt with closed sections and a folder of skills, tools, typed answers that are shown as
//! they are written, a budget, and a conversation that is saved after every step.
#![allow(
    missing_docs,
    reason = "a comment on a field is read by the model, and most say enough by their names"
)]

mod prompt;
mod skills;
mod tools;

pub use prompt::{Assistant, Delivery, Returns, Zone};
pub use skills::folder;

use crate::disk::{self, OsDisk};
use prompt_agent::answer::{Answer, Shown};
use prompt_agent::testing::Script;
use prompt_agent::wire::{Delta, Provider, Reply, RequestOptions};
use prompt_agent::{Conversation, Tools};
use prompt_core::compaction::{CompactionConfig, Extractor};
use prompt_core::{Budget, Code, PromptError, RenderedPrompt, disclosure};
use schemars::JsonSchema;
use serde::Deserialize;
use std::error::Error;
use std::path::Path;

/// Tokens of a request.
const BUDGET: usize = 8_000;
/// Steps of one turn: requests and tools.
const MOST_STEPS: usize = 20;

/// What the assistant answers.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
pub struct ShopAnswer {
    /// What the customer reads.
    pub reply: String,
    pub products: Vec<Product>,
    pub next: Next,
    /// One line: what was asked and settled.
    pub recap: String,
}

/// So many of an article.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
pub struct Product {
    pub sku: String,
    #[schemars(range(min = 1, max = 500))]
    pub quantity: u32,
}

/// Who goes on.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// Nothing more to do.
    Done,
    /// A person at the counter has to look.
    HandOver,
}

/// The shop, as it is for all customers.
pub struct Shop {
    pub assistant: Assistant,
    tools: Tools,
    answer: Answer<ShopAnswer>,
}

/// Where the model is, and how it is asked. In the place of the script an HTTP client posts the bodies.
pub struct Server {
    pub provider: Provider,
    pub is_streaming: bool,
    pub model: Script,
}

/// What a customer sees while the assistant works.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// This tool is used.
    Uses(String),
    /// The answer so far, or that it does not hold.
    Answer(Shown),
}

impl Shop {
    /// The shop, with the skills of a folder.
    ///
    /// # Errors
    /// When a file of the folder cannot be read; the error names it.
    pub fn open(skills: &Path) -> Result<Self, Box<dyn Error>> {
        let tools = tools::tools()?;
        let answer = Answer::new();
        let assistant = Assistant {
            tools: tools.specs().to_vec(),
            shop: "Nut & Bolt".into(),
            town: "Wick".into(),
            after_hours: false,
            form: answer.format(),
            method: (),
            rules: vec![
                "Never advise on gas pipes: hand over.".into(),
                "Never name a price that no tool gave.".into(),
            ],
            returns: Returns {
                days: 30,
                electrical: (),
            },
            delivery: Delivery {
                zones: vec![Zone::new("Town", 4.9), Zone::new("County", 12.0)],
            },
            skills: folder(skills)?,
        };
        Ok(Self {
            assistant,
            tools,
            answer,
        })
    }

    /// A conversation with a customer. The recap of an answer is a field of it.
    ///
    /// # Errors
    /// None, as these settings are.
    pub fn conversation() -> Result<Conversation, Box<dyn Error>> {
        let config = CompactionConfig::builder()
            .min_preserved(1)
            .batch_size(2)
            .extractor(Extractor::field("/recap"))
            .build()?;
        let conversation = Conversation::new(config).named("shop");
        Ok(conversation.delivery(disclosure::Delivery::Append))
    }

    /// A customer asks. The conversation is saved in `state` after every step; one that was saved within a turn
    /// [goes on](Self::go_on). `None` where the question is too long: it is taken back.
    ///
    /// # Errors
    /// When the server fails, or the model answers nothing that fits. The conversation is as it was saved, and may go on.
    pub fn ask(
        &self,
        conversation: &mut Conversation,
        question: &str,
        server: &mut Server,
        state: &Path,
        show: impl FnMut(Event),
    ) -> Result<Option<ShopAnswer>, Box<dyn Error>> {
        // What a customer writes stands in a tag of its own, and opens and closes none of the prompt.
        conversation.begin_in("customer_message", question)?;
        match self.go_on(conversation, server, state, show) {
            Err(error) if is_too_large(&*error) => {
                conversation.take_back();
                save(conversation, state)?;
                Ok(None)
            }
            answer => answer.map(Some),
        }
    }

    /// One step after the other, up to the answer.
    ///
    /// # Errors
    /// As for [`ask`](Self::ask).
    pub fn go_on(
        &self,
        conversation: &mut Conversation,
        server: &mut Server,
        state: &Path,
        mut show: impl FnMut(Event),
    ) -> Result<ShopAnswer, Box<dyn Error>> {
        for _ in 0..MOST_STEPS {
            save(conversation, state)?;
            if let Some(call) = conversation.next_call() {
                conversation.push_results([self.tools.run(&call)])?;
                continue;
            }
            let prompt = self.prompt(conversation)?;
            let mut partial = self.answer.partial_stream();
            let reply = server.reply(&prompt, &self.answer, |delta| {
                if let Delta::Call { name, .. } = delta {
                    show(Event::Uses(name.clone()));
                }
                if let Some(shown) = partial.show(delta) {
                    show(Event::Answer(shown));
                }
            });
            let read = reply.and_then(|reply| Ok(conversation.read(&self.answer, reply)?));
            if let Some(shown) = partial.settle(&read) {
                show(Event::Answer(shown));
            }
            if let Some(accepted) = read? {
                save(conversation, state)?;
                return Ok(accepted.into_value());
            }
        }
        Err("too many steps".into())
    }

    /// What is sent next.
    ///
    /// # Errors
    /// When it does not fit.
    pub fn prompt(&self, conversation: &Conversation) -> Result<RenderedPrompt, PromptError> {
        let prompt = conversation.prompt(&self.assistant);
        prompt.budget(Budget::request(BUDGET)).render()
    }
}

impl Server {
    /// Posts the prompt, and reads the reply, in pieces or as a whole.
    fn reply(
        &mut self,
        prompt: &RenderedPrompt,
        answer: &Answer<ShopAnswer>,
        mut read: impl FnMut(&Delta),
    ) -> Result<Reply, Box<dyn Error>> {
        let options = RequestOptions::new("a-model").answer(answer);
        let options = options.stream(self.is_streaming);
        let body = self
            .provider
            .request(&prompt.messages(), prompt.tools(), &options)?;
        let response = self.model.respond(self.provider, &body);
        let (status, headers) = (response.status(), response.headers());
        if !self.is_streaming {
            return Ok(self.provider.read(status, headers, response.body())?);
        }
        let mut reader = self.provider.stream().response(status, headers);
        for bytes in response.pieces(11) {
            reader.push_bytes(bytes)?.iter().for_each(&mut read);
        }
        Ok(reader.finish()?)
    }
}

fn is_too_large(error: &(dyn Error + 'static)) -> bool {
    let error = error.downcast_ref::<PromptError>();
    error.is_some_and(|error| error.code() == Code::BaseTooLarge)
}

/// A crash leaves the file as it was before, or as it is after.
fn save(conversation: &Conversation, state: &Path) -> Result<(), Box<dyn Error>> {
    let saved = serde_json::to_vec(conversation)?;
    Ok(disk::replace(&mut OsDisk, state, &saved)?)
}
