//! A prompt as a tree one can read: what is in it, how it is shown, what it costs, what a budget took away and why.

use crate::budget::BudgetedSection;
use crate::budget::Outcome;
use crate::error::PromptError;
use crate::render::Prompt;
use crate::rendered::RenderedPrompt;
use crate::tokens::EstimatedTokens;
use crate::tokens::TokenCounter;
use crate::tree;
use crate::visibility::Visibility;
use std::{collections::BTreeMap, fmt};

/// What [`Prompt::preview`] shows. The same prompt gives the same text: made for snapshots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    text: String,
}

/// A line of the tree.
struct Line {
    depth: usize,
    name: String,
    facts: Vec<String>,
}

impl Prompt<'_> {
    /// The tree of this prompt as text: for each section key, title, visibility, priority, tokens of its own text and
    /// their share of the whole, and what a budget dropped and why. Tokens are counted by the budget's counter if there
    /// is one, and estimated otherwise.
    ///
    /// ```
    /// use prompt_core::DynamicNode;
    /// use prompt_core::PromptNode;
    ///
    /// let node = DynamicNode::builder("memo").body("Write.").section(DynamicNode::builder("tone").body("Be kind.")).build()?;
    /// let preview = node.prompt().preview()?.to_string();
    /// assert!(preview.contains("tone \"Tone\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Prompt::render`].
    pub fn preview(&self) -> Result<Preview, PromptError> {
        let rendered = self.render()?;
        let shown: BTreeMap<String, usize> = (0..rendered.record.entries.len())
            .map(|index| (rendered.record.path(index), index))
            .collect();
        let count = |text: &str| {
            self.options.budget.as_ref().map_or_else(
                || EstimatedTokens::default().count(text),
                |budget| budget.count(text),
            )
        };
        let (fragments, own) = rendered.record.fragments(&rendered.text);
        let total = rendered
            .report
            .as_ref()
            .map_or_else(|| count(&rendered.text), |report| report.used);
        let mut lines = vec![Line {
            depth: 0,
            name: self.root_name(),
            facts: vec![format!("{total} tokens")],
        }];
        if !own.trim().is_empty() {
            lines.push(Line {
                depth: 1,
                name: "(own text)".into(),
                facts: vec![cost(count(&own), total)],
            });
        }
        tree::visit(self.root, |section| {
            let key = section.path.rsplit('.').next().unwrap_or_default();
            let name = format!("{key} \"{}\"", section.title()?);
            let mut facts = Vec::new();
            match shown
                .get(section.path)
                .and_then(|index| Some((*index, rendered.record.entries.get(*index)?)))
            {
                Some((index, entry)) => {
                    facts.push(
                        if entry.visibility == Visibility::Full {
                            "full"
                        } else {
                            "summary"
                        }
                        .to_owned(),
                    );
                    facts.extend(
                        entry
                            .priority
                            .map(|priority| format!("priority {priority}")),
                    );
                    let tokens = fragments.get(index).map_or(0, |fragment| count(fragment));
                    facts.push(cost(tokens, total));
                }
                None => facts.push(absence(&rendered, section.path)),
            }
            lines.push(Line {
                depth: section.steps.len(),
                name,
                facts,
            });
            Ok(tree::Flow::Into)
        })?;
        let tools: Vec<&str> = rendered
            .tools
            .iter()
            .map(crate::tool::ToolSpec::name)
            .collect();
        let mut text = print(&lines);
        if !tools.is_empty() {
            text.push_str("\ntools: ");
            text.push_str(&tools.join(", "));
        }
        Ok(Preview { text })
    }

    fn root_name(&self) -> String {
        let embedded = self.root.embedded();
        let info = tree::info_of(&embedded);
        if info.name.is_empty() {
            "prompt".to_owned()
        } else {
            info.name.to_string()
        }
    }
}

fn cost(tokens: usize, total: usize) -> String {
    let share = (tokens * 100 + total / 2)
        .checked_div(total)
        .unwrap_or_default();
    format!("{tokens} tokens, {share} %")
}

/// Why a section that is present is not in the text.
fn absence(rendered: &RenderedPrompt, path: &str) -> String {
    let dropped = |section: &&BudgetedSection| section.outcome == Outcome::Dropped;
    match rendered
        .report
        .as_ref()
        .and_then(|report| report.section(path))
        .filter(dropped)
    {
        Some(section) => format!("dropped ({}, {} tokens)", section.reason, section.tokens),
        None => "not shown".to_owned(),
    }
}

fn print(lines: &[Line]) -> String {
    let width = lines
        .iter()
        .map(|line| line.depth * 2 + line.name.chars().count())
        .max()
        .unwrap_or_default();
    let print = |line: &Line| {
        let name = format!("{}{}", "  ".repeat(line.depth), line.name);
        format!("{name:width$}  {}", line.facts.join("  "))
    };
    lines.iter().map(print).collect::<Vec<_>>().join("\n")
}

impl Preview {
    /// The tree.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Preview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
