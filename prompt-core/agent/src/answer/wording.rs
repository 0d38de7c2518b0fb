//! The words that the model is told about its answer: faults come in, the message that asks again goes out.

use super::fault::{Fault, FaultKind, told};
use serde::{Deserialize, Serialize};

/// Faults that a message lists.
const MOST_FAULTS: usize = 20;

/// The sentences with which an answer is asked for again. Each may be replaced, by those of another language for
/// instance; `{path}`, `{found}`, `{expected}`, `{nearest}` and `{count}` are filled in.
///
/// ```
/// use prompt_agent::answer::AnswerWording;
/// let mut wording = AnswerWording::default();
/// wording.refused = "Die Antwort passt nicht:".into();
/// assert!(wording.missing.contains("{path}"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct AnswerWording {
    /// Above the list of faults.
    pub refused: String,
    /// Below the list of faults.
    pub again: String,
    /// For an answer that was stopped by its length.
    pub cut_off: String,
    /// The whole value, where a path is empty.
    pub root: String,
    /// [`FaultKind::Missing`] at the root: there is nothing that looks like a value.
    pub no_value: String,
    /// [`FaultKind::Missing`].
    pub missing: String,
    /// [`FaultKind::UnknownField`].
    pub unknown_field: String,
    /// [`FaultKind::DuplicateField`].
    pub duplicate_field: String,
    /// [`FaultKind::Type`].
    pub wrong_type: String,
    /// [`FaultKind::Variant`].
    pub variant: String,
    /// [`FaultKind::Bound`].
    pub bound: String,
    /// [`FaultKind::Syntax`] and [`FaultKind::Custom`]; [`FaultKind::Missing`] at the root, where a bracket begins no value.
    pub reason: String,
    /// Behind a fault with a name that was most likely meant.
    pub nearest: String,
    /// Behind a missing field in whose place another name stands.
    pub instead: String,
    /// Below the first 20 faults, if there are more.
    pub more: String,
    /// For other calls beside the one that answers: they were not run.
    pub not_run: String,
    /// The result of an accepted answer that was a tool call.
    pub accepted: String,
}

impl Default for AnswerWording {
    fn default() -> Self {
        let text = str::to_owned;
        Self {
            refused: text("Your answer was not accepted:"),
            again: text("Answer with the corrected JSON value only."),
            cut_off: text(
                "Your answer stopped in the middle, in {path}. Send the whole JSON value again, shorter.",
            ),
            root: text("the value"),
            no_value: text("there is no JSON value in it."),
            missing: text("{path}: missing ({expected})."),
            unknown_field: text("{path}: there is no such field."),
            duplicate_field: text("{path}: stands there twice, with different values."),
            wrong_type: text("{path}: {found} is not of the type {expected}."),
            variant: text("{path}: {found} is none of {expected}."),
            bound: text("{path}: {found} is out of bounds: {expected}."),
            reason: text("{path}: {expected}."),
            nearest: text(" Did you mean \"{nearest}\"?"),
            instead: text(" \"{nearest}\" stands there instead."),
            more: text("and {count} more"),
            not_run: text("Not run: the answer comes first."),
            accepted: text("Accepted."),
        }
    }
}

impl AnswerWording {
    /// The sentence for a fault.
    pub fn fault(&self, fault: &Fault) -> String {
        let sentence = match fault.kind {
            FaultKind::Missing if fault.path.is_empty() && fault.found.is_empty() => {
                return self.no_value.clone();
            }
            FaultKind::Missing if fault.path.is_empty() => &self.reason,
            FaultKind::Missing => &self.missing,
            FaultKind::UnknownField => &self.unknown_field,
            FaultKind::DuplicateField => &self.duplicate_field,
            FaultKind::Type => &self.wrong_type,
            FaultKind::Variant => &self.variant,
            FaultKind::Bound => &self.bound,
            FaultKind::Syntax | FaultKind::Custom => &self.reason,
        };
        let path = self.place(&fault.path);
        let named = [
            ("path", path),
            ("found", fault.found.as_str()),
            ("expected", fault.expected.trim_end_matches('.')),
        ];
        let mut text = fill(sentence, &named);
        if let Some(name) = &fault.nearest {
            let hint = match fault.kind {
                FaultKind::Missing => &self.instead,
                _ => &self.nearest,
            };
            text.push_str(&fill(hint, &[("nearest", name)]));
        }
        text
    }

    /// The message that asks for a corrected answer.
    pub(super) fn refusal(&self, faults: &[Fault]) -> String {
        let mut text = self.refused.clone();
        let faults = told(faults);
        for fault in faults.iter().take(MOST_FAULTS) {
            text.push_str("\n- ");
            text.push_str(&self.fault(fault));
        }
        if let Some(count @ 1..) = faults.len().checked_sub(MOST_FAULTS) {
            text.push_str("\n- ");
            text.push_str(&fill(&self.more, &[("count", &count.to_string())]));
        }
        text.push('\n');
        text.push_str(&self.again);
        text
    }

    /// The message that asks for a shorter answer.
    pub(super) fn cut_off(&self, path: &str) -> String {
        fill(&self.cut_off, &[("path", self.place(path))])
    }

    fn place<'a>(&'a self, path: &'a str) -> &'a str {
        if path.is_empty() { &self.root } else { path }
    }
}

/// Fills `{name}` in, in one pass: what is filled in is not looked at again.
fn fill(sentence: &str, named: &[(&str, &str)]) -> String {
    let mut text = String::with_capacity(sentence.len() + 40);
    let mut rest = sentence;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let name = after.split_once('}');
        let value = name.and_then(|(name, after)| {
            let (_, value) = named.iter().find(|(known, _)| *known == name)?;
            Some((value, after))
        });
        if let Some((value, after)) = value {
            text.push_str(value);
            rest = after;
        } else {
            text.push('{');
            rest = after;
        }
    }
    text.push_str(rest);
    text
}
