//! The prompt of the programs that talk to a server: a bulletin writer whose house style stays closed until the model
//! asks for it. The agent is the program of the guide's page on agents, word for word.
#![allow(
    clippy::missing_errors_doc,
    reason = "the guide has no room for what goes without saying"
)]

use prompt_agent::Conversation;
use prompt_agent::Tools;
use prompt_agent::answer::{Accepted, Answer};
use prompt_agent::wire::Reply;
use prompt_core::tool::ToolSpecError;
use prompt_core::{Budget, PromptNode, RenderedPrompt, ToolSpec};
use serde::Deserialize;
use serde_json::json;
use std::error::Error;

/// You write for a river gauge bulletin. Look terms up before you use them.
#[derive(Clone, Debug, PromptNode)]
#[prompt(tools = self.tools.clone())]
pub struct Bulletin {
    tools: Vec<ToolSpec>,
    /// One sentence for each gauge, the highest level first.
    #[section(
        visibility = "summary",
        summary = "Rules for wording, numbers and warnings."
    )]
    house_style: (),
}

/// The answer.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
pub struct Report {
    /// What the reader sees.
    pub text: String,
    /// The highest level of all gauges, in metres.
    pub highest: Option<f64>,
}

/// One step, after which the conversation is saved: a tool runs, or the model is asked. At the end, the report.
pub fn step(
    conversation: &mut Conversation,
    tools: &Tools,
    ask: impl FnOnce(&RenderedPrompt, &Answer<Report>) -> Result<Reply, Box<dyn Error>>,
) -> Result<Option<Report>, Box<dyn Error>> {
    if let Some(call) = conversation.next_call() {
        conversation.push_results([tools.run(&call)])?;
        return Ok(None);
    }
    let bulletin = Bulletin {
        tools: tools.specs().to_vec(),
        house_style: (),
    };
    let prompt = conversation
        .prompt(&bulletin)
        .budget(Budget::request(8_000))
        .render()?;
    let answer = Answer::new();
    let reply = ask(&prompt, &answer)?;
    Ok(conversation.read(&answer, reply)?.map(Accepted::into_value))
}

// What follows is for programs with a loop of their own.

impl Bulletin {
    /// The prompt with its tool.
    ///
    /// # Errors
    /// None in practice: the schema of the tool is fixed.
    pub fn new() -> Result<Self, ToolSpecError> {
        Ok(Self {
            tools: tools()?.specs().to_vec(),
            house_style: (),
        })
    }
}

/// The tools of the bulletin with what they do.
///
/// # Errors
/// None in practice: the schemas are fixed.
pub fn tools() -> Result<Tools, ToolSpecError> {
    let parameters = json!({
        "type": "object",
        "properties": { "term": { "type": "string", "enum": ["level", "rain", "flow"] } },
        "required": ["term"],
        "additionalProperties": false,
    });
    let look_up = ToolSpec::new("look_up", "The house style for a term.", parameters)?;
    Tools::new().add(look_up, |look: LookUp| match look.term {
        Term::Level => "Metres above the gauge zero, two decimals.",
        Term::Rain => "Millimetres since midnight, whole numbers.",
        Term::Flow => "Cubic metres per second, one decimal.",
    })
}

/// The arguments of `look_up`.
#[derive(Deserialize)]
struct LookUp {
    term: Term,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Term {
    Level,
    Rain,
    Flow,
}
