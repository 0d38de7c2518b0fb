//! The outline of a list: an indented tree for debugging.

use super::{Element, Elements};

/// Characters of a text that an outline shows.
const SHOWN: usize = 48;

impl Elements {
    /// An indented tree of the list: one line per element, below the title it belongs to. It is made for reading and
    /// for snapshots, not for parsing.
    ///
    /// ```
    /// use prompt_core::elements::Elements;
    ///
    /// let elements = Elements::parse("Sort {count} mails.\n\n## Rules\n\n```json\n{}\n```\n\n{PROMPT_SUBTREE}")?;
    /// assert_eq!(
    ///     elements.outline(),
    ///     "text: Sort {count} mails.\n## Rules\n  code json: {}\n  slot PROMPT_SUBTREE at level 3\n"
    /// );
    /// # Ok::<(), prompt_core::Diagnostics>(())
    /// ```
    pub fn outline(&self) -> String {
        let mut outline = String::new();
        let mut open: Vec<u8> = Vec::new();
        for (element, optional) in self.iter().zip(self.optional()) {
            if let Element::Title { level, .. } = element {
                while open.pop_if(|above| *above >= *level).is_some() {}
            }
            outline.extend(std::iter::repeat_n("  ", open.len()));
            outline.push_str(&line(element, optional));
            outline.push('\n');
            if let Element::Title { level, .. } = element {
                open.push(*level);
            }
        }
        outline
    }
}

fn line(element: &Element, optional: bool) -> String {
    match element {
        Element::Title { level, text, .. } => {
            let mark = if optional { " (optional)" } else { "" };
            format!("{} {text}{mark}", "#".repeat(usize::from(*level)))
        }
        Element::Text { text, .. } => format!("text: {}", excerpt(&text.to_string())),
        Element::Code { info, text, .. } if info.is_empty() => {
            format!("code: {}", excerpt(&text.to_string()))
        }
        Element::Code { info, text, .. } => format!("code {info}: {}", excerpt(&text.to_string())),
        Element::Slot { name, level, .. } => format!("slot {name} at level {level}"),
    }
}

/// The first line, cut, and how many lines there are.
fn excerpt(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    let mut excerpt: String = first.chars().take(SHOWN).collect();
    if excerpt.len() < first.len() {
        excerpt.push_str("...");
    }
    match text.lines().count() {
        0 | 1 => excerpt,
        lines => format!("{excerpt} ({lines} lines)"),
    }
}
