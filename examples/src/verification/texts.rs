//! The task's own texts. They say what to judge and how, and nothing of formats or interfaces: that is the adapters'.

use super::VerificationTask;

/// What is verified.
#[derive(Clone, Copy, Debug)]
pub struct Exchange<'a> {
    /// The question that was asked.
    pub question: &'a str,
    /// What the model answered.
    pub answer: &'a str,
    /// The trait, template or evidence that this call is about.
    pub subject: &'a str,
}

/// The system text and the user text of a call.
pub fn task_texts(task: VerificationTask, exchange: Exchange<'_>) -> (String, String) {
    let Exchange {
        question,
        answer,
        subject,
    } = exchange;
    let user = match task {
        VerificationTask::Generation => question.to_owned(),
        _ => format!(
            "<question>\n{question}\n</question>\n\n<answer>\n{answer}\n</answer>\n\n<subject>\n{subject}\n</subject>"
        ),
    };
    (system_text(task).to_owned(), user)
}

fn system_text(task: VerificationTask) -> &'static str {
    use VerificationTask as T;
    match task {
        T::Generation | T::Parsing | T::AbstentionDetection | T::SufficiencyDetection => {
            answer_text(task)
        }
        T::AgenticParsingInvestigation
        | T::AgenticParsingExtraction
        | T::AgenticParsingDecision => agentic_text(task),
        _ if task.as_str().starts_with("rubric_") => rubric_text(task),
        _ => judgment_text(task),
    }
}

fn answer_text(task: VerificationTask) -> &'static str {
    match task {
        VerificationTask::Generation => {
            "You answer questions from your own knowledge. Give the answer first, then at most three sentences of support. \
             If you are not sure, say how sure you are; do not invent sources."
        }
        VerificationTask::Parsing => {
            "You take an answer apart into the fields that the subject lists. Report what the answer claims, whether or not \
             it is true. Where it gives several values for one field, take the one it settles on."
        }
        VerificationTask::AbstentionDetection => {
            "You decide whether an answer avoids its question. Refusals, requests for more information and statements of not \
             knowing are avoidance; an answer that is wrong, short or hedged but commits itself is not."
        }
        _ => {
            "You decide whether an answer says enough to fill every field that the subject lists. Judge only whether the \
             information is there, not whether it is right. Name each field that is missing."
        }
    }
}

fn agentic_text(task: VerificationTask) -> &'static str {
    match task {
        VerificationTask::AgenticParsingInvestigation => {
            "You look through the files of a finished run for what the subject asks. Open a file before you rely on it, and \
             note the path and line of everything you use. Stop when every field is settled or shown to be missing."
        }
        VerificationTask::AgenticParsingExtraction => {
            "You turn the notes of an investigation into the fields that the subject lists. Use only what the notes support \
             with a path; leave a field open rather than guess."
        }
        _ => {
            "You decide whether an investigation can end. It can when each field of the subject is supported by a file that \
             was read, or when two different attempts found nothing."
        }
    }
}

fn rubric_text(task: VerificationTask) -> &'static str {
    use VerificationTask as T;
    match task {
        T::RubricLlmTraitBatch => {
            "You judge an answer by several traits. Judge each by its own description, as if it were the only one: a weak \
             result in one must not colour the next."
        }
        T::RubricLlmTraitSingle => {
            "You judge an answer by one trait. Read its description to the end, look for the passage that decides it, and \
             give the value that this passage supports."
        }
        T::RubricLlmTraitTemplate => {
            "You judge an answer by one trait whose result has several fields. Settle the fields one after the other, each \
             from the text of the answer, and see that they do not contradict each other."
        }
        T::RubricLiteralTraitBatch => {
            "You sort an answer into named classes, once per trait. Give exactly one class per trait, by its name; where two \
             fit, take the one whose description names more of what you see."
        }
        T::RubricLiteralTraitSingle => {
            "You sort an answer into one of the named classes of a trait. Compare it with every description before you \
             choose, and give the name of the class as it is written."
        }
        T::RubricMetricTrait => {
            "You compare an answer with a list of points. Say of each expected point whether the answer makes it, in any \
             wording, and of each unwanted point whether it is absent. Do not count a point that is only hinted at."
        }
        T::RubricAgenticTraitInvestigation => {
            "You look through the files of a finished run for evidence on one trait. Quote what you find with path and line, \
             for and against, and leave the verdict to a later call."
        }
        T::RubricAgenticTraitExtraction => {
            "You turn an investigation report into the value of one trait. Weigh the quoted evidence only; if it does not \
             decide the trait, give the lowest value and say why."
        }
        _ => {
            "You decide whether a trait can be judged on an answer at all. It can if the answer touches what the trait is \
             about, even if it does so badly."
        }
    }
}

fn judgment_text(task: VerificationTask) -> &'static str {
    use VerificationTask as T;
    match task {
        T::DjTemplateExcerptExtraction => {
            "You find the passages of an answer that each field of the subject rests on. Quote them letter by letter, at most \
             three per field, strongest first. A field without a passage gets none, and the reason."
        }
        T::DjTemplateHallucination => {
            "You compare quoted passages with search results. Rate how likely each passage is made up: none if a result \
             confirms it, high if the results contradict it, and in between where they are silent."
        }
        T::DjTemplateReasoning => {
            "You explain, field by field, how the quoted passages lead to a value. Name the passage you rely on, and where \
             passages disagree say which one you follow and why."
        }
        T::DjTemplateReasoningOnly => {
            "You explain, field by field, how the answer as a whole leads to a value. No passages were quoted, so say for \
             each field what in the answer it rests on."
        }
        T::DjRubricExcerptExtraction => {
            "You find the passages of an answer that speak for or against a trait. Quote them letter by letter, and rate how \
             sure you are that each bears on the trait."
        }
        T::DjRubricHallucination => {
            "You compare passages quoted for a trait with search results, and rate for each how likely it is made up. Judge \
             the facts in the passage, not how well it fits the trait."
        }
        T::DjRubricReasoning => {
            "You explain what the quoted passages say about a trait. Weigh those for it against those against it, and end \
             with the side that is stronger. Do not give a value yet."
        }
        _ => {
            "You give the value of a trait that the explanation supports. The explanation is settled: do not argue with it, \
             and do not look at the answer again."
        }
    }
}
