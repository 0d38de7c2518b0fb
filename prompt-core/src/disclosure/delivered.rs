//! The text of opened sections, as it travels in the result of a call.

use crate::document::{Document, SectionId};
use crate::errors::PromptError;
use crate::messages::message::{Content, Message};
use crate::node::Form;
use crate::page::{Printing, Span, Style};
use crate::select::{Forms, Resolved, Text, View};

/// What sections print once they are opened.
pub(super) struct Opened {
    pub(super) text: String,
    /// Those of which nothing is printed.
    pub(super) blank: Vec<SectionId>,
}

/// Some sections as they stand alone, with the headings that lead to them.
///
/// # Errors
/// What cannot be printed.
pub(super) fn print_alone<'a>(
    tree: &Resolved<'a>,
    shown: &Forms,
    opened: &[SectionId],
) -> Result<Text<'a>, PromptError> {
    let forms = Wanted::of(tree, opened).forms(tree, shown);
    // What stands in a branch is there by what the whole tree shows.
    tree.print(Printing {
        asked: Some(&shown.forms),
        ..tree.printing(&forms)
    })
}

/// The texts of these sections in declaration order, each once: one that stands in another of them is not repeated. One
/// alone stands for itself; several stand under the headings that lead to them, each of which is printed once.
pub(super) fn opened_text(
    tree: &Resolved<'_>,
    Text { text, printed }: &Text<'_>,
    view: &View<'_>,
    opened: &[SectionId],
) -> Opened {
    let outline = tree;
    let wanted = Wanted::of(outline, opened);
    let mut pieces: Vec<String> = Vec::new();
    // The rows and close tags of the headings that are open.
    let mut open: Vec<(SectionId, Option<String>)> = Vec::new();
    for span in &printed.spans {
        while let Some((_, close)) = open.pop_if(|(id, _)| !outline.is_below(span.section, *id)) {
            pieces.extend(close);
        }
        if wanted.is_at(span.section) {
            pieces.push(spoken(outline, &printed.spans, span, text));
        } else if wanted.outermost.len() > 1 && wanted.is_below(outline, span.section) {
            let heading = text.get(span.start..span.body).unwrap_or_default();
            let heading = heading.trim_matches('\n');
            open.push((span.section, close_tag(heading)));
            pieces.push(heading.to_owned());
        }
    }
    pieces.extend(open.into_iter().rev().filter_map(|(_, close)| close));
    pieces.retain(|piece| !piece.is_empty());
    let gap = if view.format.style == Style::Xml {
        "\n"
    } else {
        "\n\n"
    };
    let is_blank = |id: &SectionId| {
        let mut spans = printed.spans.iter();
        let has_text = |span: &Span| !text[span.start..span.end].trim_matches('\n').is_empty();
        let mut inside = outline.sections[*id as usize..outline.section(*id).end as usize].iter();
        let has_words = spans.any(|span| span.section == *id && has_text(span));
        !has_words && inside.all(|section| section.messages().is_none_or(<[Message]>::is_empty))
    };
    Opened {
        text: pieces.join(gap),
        blank: opened.iter().copied().filter(is_blank).collect(),
    }
}

/// The sections that are opened, without those that stand in others of them.
struct Wanted {
    /// Each with the end of what is in it, ascending. The text may have another order than the rows: they are found by
    /// number, not one after the other.
    outermost: Vec<(SectionId, SectionId)>,
}

impl Wanted {
    fn of(rows: &Document<'_>, opened: &[SectionId]) -> Self {
        let mut outermost: Vec<(SectionId, SectionId)> = Vec::new();
        let mut sorted = opened.to_vec();
        sorted.sort_unstable();
        for id in sorted {
            if outermost.last().is_none_or(|(_, last)| id >= *last) {
                outermost.push((id, rows.section(id).end));
            }
        }
        Self { outermost }
    }

    /// Only they, and what leads to them, are printed.
    fn forms(&self, rows: &Document<'_>, shown: &Forms) -> Vec<Form> {
        let mut forms = vec![Form::Gone; shown.forms.len()];
        for (id, end) in &self.outermost {
            let range = *id as usize..*end as usize;
            forms[range.clone()].copy_from_slice(&shown.forms[range]);
            for around in rows.around(*id) {
                let form = &mut forms[around as usize];
                if *form != Form::Gone {
                    break;
                }
                *form = Form::Full;
            }
        }
        forms
    }

    fn is_at(&self, row: SectionId) -> bool {
        let found = self.outermost.binary_search_by_key(&row, |(id, _)| *id);
        found.is_ok()
    }

    /// Whether one of them stands in a row.
    fn is_below(&self, rows: &Document<'_>, row: SectionId) -> bool {
        let next = self.outermost.partition_point(|(id, _)| *id <= row);
        let next = self.outermost.get(next);
        next.is_some_and(|(id, _)| rows.is_below(*id, row))
    }
}

/// The text of an opened section. Sections with a role and histories in it are no part of the system text: who speaks
/// stands on a line before each.
fn spoken(rows: &Document<'_>, spans: &[Span], section: &Span, text: &str) -> String {
    let slice = |from, to| text.get(from..to).unwrap_or_default().trim_matches('\n');
    let own = spans.iter().filter(|span| {
        span.section == section.section || rows.is_below(span.section, section.section)
    });
    let (mut pieces, mut from) = (Vec::new(), section.start);
    for span in own {
        if span.start < from {
            continue;
        }
        let row = rows.section(span.section);
        if let Some(role) = row.policy().role.filter(|_| span.end > span.start) {
            pieces.push(slice(from, span.start).to_owned());
            pieces.push(format!(
                "{}:\n{}",
                crate::messages::message::Role::from(role),
                slice(span.start, span.end)
            ));
            from = span.end;
        }
        if let Some(messages) = row.messages() {
            pieces.push(slice(from, span.end.max(from)).to_owned());
            from = span.end.max(from);
            pieces.extend(
                messages
                    .iter()
                    .map(|message| format!("{}:\n{}", message.role, said(message))),
            );
        }
    }
    pieces.push(slice(from, section.end).to_owned());
    pieces.retain(|piece| !piece.is_empty());
    pieces.join("\n\n")
}

/// What a message says, as text.
fn said(message: &Message) -> String {
    let piece = |piece: &Content| match piece {
        Content::Text { text } | Content::Resource { text, .. } => Some(text.clone()),
        Content::ToolCall {
            name, arguments, ..
        } => Some(format!("{name} {arguments}")),
        Content::ToolResult { content, .. } => Some(content.clone()),
        Content::Image { mime, .. } => Some(format!("({mime})")),
        _ => None,
    };
    message
        .content
        .iter()
        .filter_map(piece)
        .collect::<Vec<_>>()
        .join("\n")
}

/// What closes an open tag.
fn close_tag(open: &str) -> Option<String> {
    let (indent, tag) = open.split_once('<')?;
    let name = tag.split([' ', '>', '/']).next()?;
    indent
        .trim()
        .is_empty()
        .then(|| format!("{indent}</{name}>"))
}
