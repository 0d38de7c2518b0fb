//! The tools of the agent. What the prompt lists and what the model may call is the same data.

use prompt_core::ToolSpec;
use prompt_core::tool::ToolSpecError;
use serde_json::json;

pub(super) fn all(plan: bool) -> Result<Vec<ToolSpec>, ToolSpecError> {
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

fn tool(name: &str, description: &str, argument: &str) -> Result<ToolSpec, ToolSpecError> {
    let parameters = json!({
        "type": "object",
        "properties": { argument: { "type": "string" } },
        "required": [argument],
        "additionalProperties": false,
    });
    ToolSpec::new(name, description, parameters)
}
