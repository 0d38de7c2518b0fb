//! The `LangChain` family: replies are plain text, so the prompt itself must ask for JSON and show its schema.

use super::{JUDGMENT, RUBRIC, register_all, said, schema_block, system_only};
use crate::verification::VerificationTask;
use prompt_core::assembly::AdapterContext;
use prompt_core::assembly::AdapterInstruction;
use prompt_core::assembly::AssemblyError;
use prompt_core::assembly::RegistryBuilder;

/// Interfaces that end up in the same client, and so share one set of factories.
const FAMILY: [&str; 3] = ["langchain", "openrouter", "openai_endpoint"];

const BARE_JSON: &str = "## Form of your reply\n\nReply with one JSON object, in the form that the message shows. The first \
    character is `{` and the last is `}`: no code fence, no sentence before or after it.";

const ABSTENTION: &str = "## Form of your reply\n\nReply with one JSON object and nothing else. Write the reason before the \
    verdict:\n\n{\"reasoning\": \"one or two sentences\", \"abstention_detected\": true}";

const SUFFICIENCY: &str = "## Form of your reply\n\nReply with one JSON object and nothing else. Write the reason before the \
    verdict:\n\n{\"reasoning\": \"one or two sentences\", \"missing_fields\": [\"name\"], \"sufficient\": false}";

const BEGIN: &str = "Begin the JSON object now.";

pub(super) fn register(builder: RegistryBuilder) -> RegistryBuilder {
    FAMILY.iter().fold(builder, |builder, interface| {
        let builder = builder
            .register(*interface, VerificationTask::Parsing, parsing)
            .register(*interface, VerificationTask::AbstentionDetection, |_| {
                Ok(system_only(ABSTENTION))
            })
            .register(*interface, VerificationTask::SufficiencyDetection, |_| {
                Ok(system_only(SUFFICIENCY))
            });
        let builder = register_all(builder, interface, &RUBRIC, rubric);
        register_all(builder, interface, &JUDGMENT, judgment)
    })
}

/// The caller's own words on the format go to the system text, the schema to the user text; each only if it is there.
fn parsing(context: &AdapterContext) -> Result<AdapterInstruction, AssemblyError> {
    let system = said(context.format_instructions.as_ref()).map(|format| {
        format!(
            "## Form of your reply\n\nReply with the JSON object alone, in this form:\n\n{format}"
        )
    });
    let user = schema_block(context)?.map(|schema| {
        format!(
            "{schema}\n\nFill each field from its description. Where the answer is silent, write `null` if the field allows \
             it, else your best reading.\n\n{BEGIN}"
        )
    });
    Ok(AdapterInstruction {
        system: system.unwrap_or_default(),
        user: user.unwrap_or_default(),
    })
}

/// An example of the result, or a hint at it, helps most with grades.
fn rubric(context: &AdapterContext) -> Result<AdapterInstruction, AssemblyError> {
    let example =
        said(context.example_json.as_ref()).map(|json| format!("## Example of a reply\n\n{json}"));
    let hint = || {
        said(context.output_format_hint.as_ref()).map(|hint| format!("## What to return\n\n{hint}"))
    };
    Ok(bare_json(schema_block(context)?, example.or_else(hint)))
}

/// Notes on quoting and escaping help most with excerpts.
fn judgment(context: &AdapterContext) -> Result<AdapterInstruction, AssemblyError> {
    let notes = said(context.parsing_notes.as_ref())
        .map(|notes| format!("## Mind when you write it\n\n{notes}"));
    Ok(bare_json(schema_block(context)?, notes))
}

fn bare_json(schema: Option<String>, aid: Option<String>) -> AdapterInstruction {
    let blocks: Vec<String> = schema
        .into_iter()
        .chain(aid)
        .chain([BEGIN.to_owned()])
        .collect();
    AdapterInstruction {
        system: BARE_JSON.to_owned(),
        user: blocks.join("\n\n"),
    }
}
