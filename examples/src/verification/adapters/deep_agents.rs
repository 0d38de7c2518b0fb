//! Deep agents: the framework enforces schemas, and the agent tends to ask back; one sentence keeps it going.

use super::{JUDGMENT, RUBRIC, register_all, system_only};
use crate::verification::VerificationTask;
use prompt_core::assembly::RegistryBuilder;

const NO_QUESTIONS: &str =
    "Nobody can answer a question of yours: where something is unclear, take the likelier reading.";

const OTHERS: [VerificationTask; 3] = [
    VerificationTask::Parsing,
    VerificationTask::AbstentionDetection,
    VerificationTask::SufficiencyDetection,
];

pub(super) fn register(builder: RegistryBuilder) -> RegistryBuilder {
    [&OTHERS[..], &RUBRIC, &JUDGMENT]
        .into_iter()
        .fold(builder, |builder, tasks| {
            register_all(builder, "langchain_deep_agents", tasks, |_| {
                Ok(system_only(NO_QUESTIONS))
            })
        })
}
