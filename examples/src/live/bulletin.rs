//! The prompt of the live agent: a bulletin writer whose house style stays closed until the model asks for it.

use prompt_core::Disclosure;
use prompt_core::PromptNode;
use prompt_core::ToolCall;
use prompt_core::ToolResult;
use prompt_core::ToolSpec;
use prompt_core::disclosure::Delivery;
use prompt_core::tool::ToolSpecError;
use serde_json::{Value, json};

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

impl Bulletin {
    /// The prompt with its tool.
    ///
    /// # Errors
    /// None in practice: the schema of the tool is fixed.
    pub fn new() -> Result<Self, ToolSpecError> {
        let parameters = json!({
            "type": "object",
            "properties": { "term": { "type": "string", "enum": ["level", "rain", "flow"] } },
            "required": ["term"],
            "additionalProperties": false,
        });
        Ok(Self {
            look_up: ToolSpec::new("look_up", "The house style for a term.", parameters)?,
            house_style: HouseStyle {},
        })
    }

    /// A conversation over it. What is opened travels in the tool result, so that system text and tools never change.
    pub fn disclosure(&self) -> Disclosure<'_, Self> {
        Disclosure::new(self).delivery(Delivery::Append)
    }
}

/// Runs the calls of one turn: `open_sections` opens, everything else is looked up. One result for each, in order.
pub fn answer_calls(
    disclosure: &mut Disclosure<'_, Bulletin>,
    calls: &[ToolCall],
) -> Vec<ToolResult> {
    disclosure
        .handle_all(calls, look_up)
        .unwrap_or_else(|error| {
            let failed = |call: &ToolCall| ToolResult::failed(call, error.to_string());
            calls.iter().map(failed).collect()
        })
}

fn look_up(call: &ToolCall) -> ToolResult {
    let term = call.arguments.get("term").and_then(Value::as_str);
    match (call.name.as_str(), term) {
        ("look_up", Some("level")) => {
            ToolResult::ok(call, "Metres above the gauge zero, two decimals.")
        }
        ("look_up", Some("rain")) => {
            ToolResult::ok(call, "Millimetres since midnight, whole numbers.")
        }
        ("look_up", Some("flow")) => ToolResult::ok(call, "Cubic metres per second, one decimal."),
        ("look_up", _) => ToolResult::failed(call, "`term` must be one of level, rain, flow."),
        (name, _) => ToolResult::failed(call, format!("There is no tool `{name}`.")),
    }
}
