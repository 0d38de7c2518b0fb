//! The text of opened sections, as it travels in the result of a call.

use crate::error::PromptError;
use crate::message::{Content, Message};
use crate::page::{RowId, Span, Style};
use crate::print::{Played, Playing, Recording, Shown, View};
use crate::rows::Rows;
use crate::visibility::Form;

/// The texts of these sections in declaration order, each once: one that stands in another of them is not repeated. One
/// alone stands for itself; several stand under the headings that lead to them, each of which is printed once.
pub(super) fn opened_text(
    tape: &Recording<'_>,
    shown: &Shown,
    view: &View<'_>,
    opened: &[RowId],
) -> Result<String, PromptError> {
    let outline = &tape.rows;
    let mut outermost: Vec<(RowId, RowId)> = Vec::new();
    let mut sorted = opened.to_vec();
    sorted.sort_unstable();
    for id in sorted {
        let end = outline.row(id).end;
        if outermost.last().is_none_or(|(_, last)| id >= *last) {
            outermost.push((id, end));
        }
    }
    // Only they, and what leads to them, are printed.
    let mut forms = vec![Form::Gone; shown.forms.len()];
    for (id, end) in &outermost {
        let range = *id as usize..*end as usize;
        forms[range.clone()].copy_from_slice(&shown.forms[range]);
        for around in outline.around(*id) {
            let form = &mut forms[around as usize];
            if *form != Form::Gone {
                break;
            }
            *form = Form::Full;
        }
    }
    let Played { text, printed, .. } = tape.play(Playing::new(&view.look, &forms))?;
    let slice = |start, end| text.get(start..end).unwrap_or_default().trim_matches('\n');
    let mut pieces: Vec<String> = Vec::new();
    // The rows and close tags of the headings that are open.
    let mut open: Vec<(RowId, Option<String>)> = Vec::new();
    // In the order of the text, which need not be that of the rows: the rows are found by number, not one after the other.
    let wanted_at = |row: RowId| {
        let found = outermost.binary_search_by_key(&row, |(id, _)| *id);
        found.is_ok()
    };
    let leads_to_wanted = |row: RowId| {
        let next = outermost.partition_point(|(id, _)| *id <= row);
        outermost
            .get(next)
            .is_some_and(|(id, _)| outline.is_below(*id, row))
    };
    for span in &printed.spans {
        while let Some((_, close)) = open.pop_if(|(id, _)| !outline.is_below(span.row, *id)) {
            pieces.extend(close);
        }
        if wanted_at(span.row) {
            pieces.push(spoken(outline, &printed.spans, span, &text));
        } else if outermost.len() > 1 && leads_to_wanted(span.row) {
            let heading = slice(span.start, span.body);
            open.push((span.row, close_tag(heading)));
            pieces.push(heading.to_owned());
        }
    }
    pieces.extend(open.into_iter().rev().filter_map(|(_, close)| close));
    pieces.retain(|piece| !piece.is_empty());
    let gap = if view.look.style == Style::Xml {
        "\n"
    } else {
        "\n\n"
    };
    Ok(pieces.join(gap))
}

/// The text of an opened section. Sections with a role and histories in it are no part of the system text: who speaks
/// stands on a line before each.
fn spoken(rows: &Rows<'_>, spans: &[Span], section: &Span, text: &str) -> String {
    let slice = |from, to| text.get(from..to).unwrap_or_default().trim_matches('\n');
    let own = spans
        .iter()
        .filter(|span| span.row == section.row || rows.is_below(span.row, section.row));
    let (mut pieces, mut from) = (Vec::new(), section.start);
    for span in own {
        if span.start < from {
            continue;
        }
        let row = rows.row(span.row);
        if let Some(role) = row.policy().role.filter(|_| span.end > span.start) {
            pieces.push(slice(from, span.start).to_owned());
            pieces.push(format!("{role}:\n{}", slice(span.start, span.end)));
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
