//! The two Claude adapters: schemas are enforced by the interface, so a sentence on how to judge is enough. Parsing shows
//! the schema all the same, because both can be pointed at endpoints that only imitate the interface.

use super::{JUDGMENT, RUBRIC, register_all, schema_block, system_only};
use crate::verification::VerificationTask;
use prompt_core::assembly::AdapterContext;
use prompt_core::assembly::AdapterInstruction;
use prompt_core::assembly::AssemblyError;
use prompt_core::assembly::RegistryBuilder;

const EXTRACT: &str = "## How to extract\n\n\
    - Take over what the text states; add nothing it leaves open.\n\
    - Write `null` for what is not stated, where the field allows it.\n\
    - Keep to the names and types of the fields: one string is not a list, `true` is not \"yes\".";

const INTERPRET: &str =
    "Where the text can be read in two ways, take the reading its context favours, and go on.";

const BY_THE_CRITERIA: &str = "Go by the given criteria alone, and treat equal passages alike.";

const QUOTED_ONLY: &str = "Use what is quoted; what is not there stays `null`.";

const WITH_REASON: &str =
    "Decide only after you have named the sentence of the answer that decides it.";

const AS_WRITTEN: &str =
    "Every required field is there, under exactly the name the schema gives it.";

pub(super) fn register(builder: RegistryBuilder) -> RegistryBuilder {
    agent_sdk(tool(builder))
}

fn tool(builder: RegistryBuilder) -> RegistryBuilder {
    let interface = "claude_tool";
    let builder = builder
        .register(
            interface,
            VerificationTask::Parsing,
            |context: &AdapterContext| parsing(EXTRACT.to_owned(), context),
        )
        .register(interface, VerificationTask::AbstentionDetection, |_| {
            Ok(system_only(WITH_REASON))
        })
        .register(interface, VerificationTask::SufficiencyDetection, |_| {
            Ok(system_only(WITH_REASON))
        });
    let builder = register_all(builder, interface, &RUBRIC, |_| {
        Ok(system_only(BY_THE_CRITERIA))
    });
    register_all(builder, interface, &JUDGMENT, |_| {
        Ok(system_only(QUOTED_ONLY))
    })
}

fn agent_sdk(builder: RegistryBuilder) -> RegistryBuilder {
    let interface = "claude_agent_sdk";
    let builder = builder
        .register(
            interface,
            VerificationTask::Parsing,
            |context: &AdapterContext| parsing(format!("{EXTRACT}\n- {INTERPRET}"), context),
        )
        .register(interface, VerificationTask::AbstentionDetection, |_| {
            Ok(system_only(INTERPRET))
        })
        .register(interface, VerificationTask::SufficiencyDetection, |_| {
            Ok(system_only(INTERPRET))
        });
    let builder = register_all(builder, interface, &RUBRIC, |_| Ok(system_only(INTERPRET)));
    register_all(builder, interface, &JUDGMENT, |_| {
        Ok(system_only(INTERPRET))
    })
}

fn parsing(system: String, context: &AdapterContext) -> Result<AdapterInstruction, AssemblyError> {
    let user = schema_block(context)?.map(|schema| format!("{schema}\n\n{AS_WRITTEN}"));
    Ok(AdapterInstruction {
        system,
        user: user.unwrap_or_default(),
    })
}
