//! The prompt of the programs that talk to a server: a bulletin writer whose house style stays closed until the model
//! asks for it.

use prompt_core::Disclosure;
use prompt_core::PromptNode;
use prompt_core::ToolCall;
use prompt_core::ToolResult;
use prompt_core::ToolSpec;
use prompt_core::disclosure::Delivery;
use prompt_core::tool::{ToolSpecError, Tools};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// You write for a river gauge bulletin. Look terms up before you use them.
#[derive(Clone, Debug, PromptNode)]
#[prompt(tools = self.look_up)]
pub struct Bulletin {
    look_up: ToolSpec,

    #[section(
        visibility = "summary",
        summary = "Rules for wording, numbers and warnings."
    )]
    house_style: HouseStyle,
}

/// - One sentence for each gauge, the highest level first.
/// - Levels in metres with two decimals, rain in whole millimetres.
/// - "Warning" only if a gauge is above its mark; then say what people should do.
#[derive(Clone, Debug, PromptNode)]
pub struct HouseStyle {}

/// The bulletin as a program takes it.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
pub struct Report {
    /// What the reader sees, one sentence for each gauge.
    pub text: String,
    /// Whether the reader must do something.
    pub warning: Warning,
    /// The highest level of all gauges, in metres.
    pub highest: Option<f64>,
}

/// How serious it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// All gauges are far below their marks.
    None,
    /// A gauge comes near its mark.
    WatchOut,
    /// A gauge is above its mark.
    Flood,
}

impl Bulletin {
    /// The prompt with its tool.
    ///
    /// # Errors
    /// None in practice: the schema of the tool is fixed.
    pub fn new() -> Result<Self, ToolSpecError> {
        Ok(Self {
            look_up: look_up_tool()?,
            house_style: HouseStyle {},
        })
    }

    /// A conversation over it. What is opened travels in the tool result, so that system text and tools never change.
    pub fn disclosure(&self) -> Disclosure<'_, Self> {
        Disclosure::new(self).delivery(Delivery::Append)
    }
}

/// The tools of the bulletin with what they do.
///
/// # Errors
/// None in practice: the schemas are fixed.
pub fn tools() -> Result<Tools, ToolSpecError> {
    Tools::new().add(look_up_tool()?, |look: LookUp| match look.term {
        Term::Level => "Metres above the gauge zero, two decimals.",
        Term::Rain => "Millimetres since midnight, whole numbers.",
        Term::Flow => "Cubic metres per second, one decimal.",
    })
}

/// Runs the calls of one turn: `open_sections` opens, everything else goes to the tools. One result for each, in order.
pub fn answer_calls(
    disclosure: &mut Disclosure<'_, Bulletin>,
    tools: &Tools,
    calls: &[ToolCall],
) -> Vec<ToolResult> {
    disclosure
        .handle_all(calls, |call| tools.answer(call))
        .unwrap_or_else(|error| {
            let failed = |call: &ToolCall| ToolResult::failed(call, error.to_string());
            calls.iter().map(failed).collect()
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

fn look_up_tool() -> Result<ToolSpec, ToolSpecError> {
    let parameters = json!({
        "type": "object",
        "properties": { "term": { "type": "string", "enum": ["level", "rain", "flow"] } },
        "required": ["term"],
        "additionalProperties": false,
    });
    ToolSpec::new("look_up", "The house style for a term.", parameters)
}
