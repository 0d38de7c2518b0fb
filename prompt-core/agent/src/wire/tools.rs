//! Checks of the tools of a request, for all formats: unique names, and schemas that the provider takes.

use super::WireError;
use super::dialect::{Fault, schemas_in};
use prompt_core::tool::ToolSpec;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Every provider refuses two tools of one name.
pub(super) fn check_names(tools: &[ToolSpec]) -> Result<(), WireError> {
    let mut seen = BTreeSet::new();
    match tools.iter().find(|tool| !seen.insert(tool.name())) {
        Some(twice) => Err(WireError::DuplicateTool {
            name: twice.name().to_owned(),
        }),
        None => Ok(()),
    }
}

/// Checks every schema in a tool by the rule of a provider.
pub(super) fn check_schema(
    tool: &ToolSpec,
    format: &'static str,
    rule: fn(&Map<String, Value>) -> Fault,
) -> Result<(), WireError> {
    for (path, schema) in schemas_in(tool.parameters()) {
        if let Some((step, reason)) = rule(schema) {
            return Err(WireError::Schema {
                tool: tool.name().to_owned(),
                format,
                path: format!("{path}{step}"),
                reason: reason.to_owned(),
            });
        }
    }
    Ok(())
}
