//! What has been collected, ready to be printed: which node prints it, under which titles.

use super::{Step, resolve_all};
use crate::collected::Collected;
use crate::collected::ContextForm;
use crate::error::PromptError;
use crate::node::PromptNode;

/// One collected text.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// Steps to the node that prints it.
    pub(crate) owner: Vec<Step>,
    /// Steps and titles from there to the section it was collected for.
    pub(crate) titles: Vec<(Step, String)>,
    pub(crate) text: String,
    /// Whether the text is a value, and not a reference.
    pub(crate) is_value: bool,
}

/// The collected texts in declaration order. Each is printed by the deepest node above it (on the focused path, if
/// there is one) whose text has the slot; what no node prints is left out.
pub(crate) fn contexts(
    root: &dyn PromptNode,
    collected: &Collected,
    form: ContextForm,
    focus: Option<&[Step]>,
) -> Result<Vec<Context>, PromptError> {
    let paths: Vec<&str> = collected.iter().map(|(path, _)| path).collect();
    let mut contexts = Vec::new();
    for section in resolve_all(root, &paths)? {
        let shared = focus.map_or(usize::MAX, |focus| {
            focus
                .iter()
                .zip(&section.steps)
                .take_while(|(a, b)| a == b)
                .count()
        });
        let reach = shared.min(section.steps.len().saturating_sub(1));
        let Some(depth) = (0..=reach)
            .rev()
            .find(|depth| section.collects.get(*depth) == Some(&true))
        else {
            continue;
        };
        let is_value = form == ContextForm::Value;
        let text = match form {
            ContextForm::Value => collected.get(&section.path).unwrap_or_default().to_owned(),
            ContextForm::Reference => format!("{{{}}}", section.path),
        };
        let titles = section
            .steps
            .iter()
            .copied()
            .zip(section.titles)
            .skip(depth)
            .collect();
        contexts.push(Context {
            owner: section.steps.get(..depth).unwrap_or_default().to_vec(),
            titles,
            text,
            is_value,
        });
    }
    Ok(contexts)
}
