//! The tools of the agent. What the prompt lists and what the model may call is the same data.

use prompt_core::ToolSpec;
use prompt_core::tool::ToolSpecError;
use serde_json::json;

/// A tool, and its words for the list in the prompt.
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) description: String,
    spec: ToolSpec,
}

/// What the model may call.
pub(super) fn specs(tools: &[Tool]) -> Vec<ToolSpec> {
    tools.iter().map(|tool| tool.spec.clone()).collect()
}

pub(super) fn all(plan: bool) -> Result<Vec<Tool>, ToolSpecError> {
    let mut tools = vec![
        tool("read_file", "the text of a file, with line numbers", "path")?,
        tool(
            "search",
            "the lines that match a pattern, in all files",
            "pattern",
        )?,
    ];
    if !plan {
        tools.push(tool("edit_file", "replaces one passage of a file", "path")?);
        tools.push(tool(
            "run",
            "runs a command and gives its output",
            "command",
        )?);
    }
    Ok(tools)
}

fn tool(name: &str, description: &str, argument: &str) -> Result<Tool, ToolSpecError> {
    let parameters = json!({
        "type": "object",
        "properties": { argument: { "type": "string" } },
        "required": [argument],
        "additionalProperties": false,
    });
    Ok(Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        spec: ToolSpec::new(name, description, parameters)?,
    })
}
