//! What each adapter adds, and the registry of them all.
//!
//! Fifteen tasks end in data that a program reads, and adapters add to these only; the calls that end in prose
//! (generation, investigation, reasoning) and the agentic ones need nothing.

mod claude;
mod deep_agents;
mod langchain;

use super::VerificationTask;
use prompt_core::assembly::AdapterContext;
use prompt_core::assembly::AdapterInstruction;
use prompt_core::assembly::AssemblyError;
use prompt_core::assembly::Registry;
use prompt_core::assembly::RegistryBuilder;

/// Every interface of the pipeline. `manual` replays recorded answers and has no adapter.
pub const INTERFACES: [&str; 7] = [
    "langchain",
    "openrouter",
    "openai_endpoint",
    "claude_tool",
    "claude_agent_sdk",
    "langchain_deep_agents",
    "manual",
];

/// The rubric calls that end in data.
const RUBRIC: [VerificationTask; 7] = [
    VerificationTask::RubricLlmTraitBatch,
    VerificationTask::RubricLlmTraitSingle,
    VerificationTask::RubricLlmTraitTemplate,
    VerificationTask::RubricLiteralTraitBatch,
    VerificationTask::RubricLiteralTraitSingle,
    VerificationTask::RubricMetricTrait,
    VerificationTask::RubricDynamicPresenceCheck,
];

/// The calls of the deep judgment that end in data.
const JUDGMENT: [VerificationTask; 5] = [
    VerificationTask::DjTemplateExcerptExtraction,
    VerificationTask::DjTemplateHallucination,
    VerificationTask::DjRubricExcerptExtraction,
    VerificationTask::DjRubricHallucination,
    VerificationTask::DjRubricScoreExtraction,
];

/// The registry of the pipeline.
pub fn registry() -> Registry {
    let builder = langchain::register(Registry::builder());
    let builder = claude::register(builder);
    deep_agents::register(builder).build()
}

/// What a factory does, as a plain function, so that one can be registered for many pairs.
type Factory = fn(&AdapterContext) -> Result<AdapterInstruction, AssemblyError>;

/// One factory for several tasks of an interface.
fn register_all(
    builder: RegistryBuilder,
    interface: &str,
    tasks: &[VerificationTask],
    factory: Factory,
) -> RegistryBuilder {
    tasks.iter().fold(builder, |builder, task| {
        builder.register(interface, *task, factory)
    })
}

/// An instruction for the system text alone.
fn system_only(text: &str) -> AdapterInstruction {
    AdapterInstruction {
        system: text.to_owned(),
        user: String::new(),
    }
}

/// The schema of the context as a titled block, if there is one.
fn schema_block(context: &AdapterContext) -> Result<Option<String>, AssemblyError> {
    let Some(schema) = &context.json_schema else {
        return Ok(None);
    };
    let schema = serde_json::to_string_pretty(schema)?;
    Ok(Some(format!(
        "## JSON schema of your reply\n\n```json\n{schema}\n```"
    )))
}

/// A text of the context, if it says anything.
fn said(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.is_empty())
}
