//! The usual text, and the usual section, printed at once: what has nothing in it that moves, stops or is treated needs
//! neither a walk over marks nor a frame. Everything else takes the long way, with the same result.

use super::{
    look::Style,
    run,
    state::{CloseFrame, Printer, Scope},
    words::Words,
};
use crate::error::PromptError;
use crate::node::{Content, Guarding, Markup, NodeInfo, SectionInfo, Str, Text, Title, holds};
use crate::outline::{Host, Row, RowId};
use crate::show::Form;
use prompt_syntax::MarkKind;
use std::borrow::Cow;

/// What a text is, as far as printing at once goes.
enum Kind {
    /// Nothing but literal text, and headings that stay where they are.
    Literal,
    /// It begins with literal text, and its first variable stands there.
    Values(usize),
    /// Anything else, for all that is known.
    Other,
}

/// Looks at the marks of a text up to the first variable.
fn kind(text: &Text) -> Kind {
    for mark in text.marks.iter() {
        match mark.kind {
            MarkKind::Text { .. }
            | MarkKind::Escape { .. }
            | MarkKind::Title {
                optional: false,
                marks: 0,
                ..
            } => {}
            MarkKind::Variable(_) if mark.at > 0 => return Kind::Values(mark.at as usize),
            _ => return Kind::Other,
        }
    }
    Kind::Literal
}

/// Whether nothing stands around the text of a node.
fn is_bare(info: &NodeInfo) -> bool {
    let container = &info.container;
    is_unmarked(&container.markup) && container.start.is_empty() && container.end.is_empty()
}

/// Whether nothing is said of a tag.
fn is_unmarked(markup: &Markup) -> bool {
    markup.tag.is_none() && markup.attributes.is_empty() && !markup.inline
}

fn failed(info: &NodeInfo, index: usize) -> PromptError {
    run::failed(info, u16::try_from(index).unwrap_or(u16::MAX))
}

impl<'a> Printer<'_, 'a> {
    /// Prints the text of a node at once, if that can be done in this place, and says whether it was.
    pub(super) fn text_at_once(
        &mut self,
        host: Host<'a>,
        scope: &Scope<'a>,
        shift: i32,
    ) -> Result<bool, PromptError> {
        let text = &host.info.text;
        let has_titles = text.end > 1;
        if has_titles && (shift != 0 || self.look.style == Style::Xml) {
            return Ok(false);
        }
        let first = match kind(text) {
            Kind::Literal => {
                self.writer.literal(&text.literal);
                return Ok(true);
            }
            Kind::Values(first) => first,
            Kind::Other => return Ok(false),
        };
        if scope.untrusted || scope.guarding != Guarding::Default || self.ask.memo.is_some() {
            return Ok(false);
        }
        self.writer
            .at_once(first, |output| host.node.print(output))
            .map_err(|index| failed(host.info, index))
    }

    /// Prints the section at a row, if it is a usual one, shown in full: a generated heading of fixed words, or in XML
    /// the tag of its key, around a node. Says whether it did.
    pub(super) fn usual_section(
        &mut self,
        id: RowId,
        row: &Row<'a>,
        scope: &Scope<'a>,
        start: usize,
    ) -> Result<bool, PromptError> {
        let Content::Node(node) = row.content else {
            return Ok(false);
        };
        let is_full =
            self.shown.form(id) == Form::Full && !(self.with_summaries && row.is_openable(id));
        if !is_full || !is_usual_place(scope) || !is_usual(row.info) {
            return Ok(false);
        }
        let (info, child) = (row.info, Host::new(node, Some(id)));
        let Some(title) = fixed_title(info, child.info).filter(|_| is_bare(child.info)) else {
            return Ok(false);
        };
        if row.conditional || self.reduced {
            self.writer.depends();
        }
        let is_xml = self.look.style == Style::Xml;
        if self.writer.len() > start {
            let gap = info
                .heading
                .gap
                .or(row.host.info.container.heading.gap)
                .map_or(usize::from(!is_xml || scope.depth == 0), usize::from);
            self.writer.owe_lines(gap);
        }
        let before = self.writer.point();
        let words = || Words::fixed(title.clone());
        let span = self.enter(id, words, Form::Full, scope.level);
        let tag = if is_xml {
            let mut tag = self.open_tag(Cow::Borrowed(&info.key), *scope, false);
            tag.is_hollow = row.content.is_hollow();
            self.end_of_open_tag(&mut tag);
            self.writer.tentative_since(before.len);
            Some(tag)
        } else {
            self.writer.hashes(self.look.overflow.level(scope.level)?);
            self.writer.literal(title);
            let tight = scope.tight || info.heading.tight;
            self.writer.owe(if tight { "\n" } else { "\n\n" });
            if !child.info.sections.is_empty() {
                self.writer.tentative_since(before.len);
            }
            None
        };
        let inner = Scope {
            level: scope.level + i32::from(!is_xml),
            depth: scope.depth + usize::from(is_xml),
            indent: info.markup.indent.map_or(scope.indent, usize::from),
            ..*scope
        };
        let (body, below) = (self.writer.len(), self.frames.len());
        self.node(child, inner, inner.level - i32::from(child.info.text.base))?;
        let waits = self.frames.len() > below;
        if waits {
            self.numbers.push(0);
        }
        let close = CloseFrame {
            span: Some(span),
            body,
            before,
            tag,
            is_section: waits,
            may_vanish: !child.info.sections.is_empty(),
        };
        self.close_behind(close, below);
        Ok(true)
    }
}

/// Whether a place asks for nothing but a heading of hashes.
fn is_usual_place(scope: &Scope<'_>) -> bool {
    scope.heading.is_none()
        && !scope.numbered
        && !scope.untrusted
        && scope.guarding == Guarding::Default
}

/// Whether a section asks for nothing but a heading of hashes, or the tag of its key.
fn is_usual(info: &SectionInfo) -> bool {
    info.heading.form.is_none()
        && info.intro.is_empty()
        && is_unmarked(&info.markup)
        && !info.markup.untrusted
        && info.markup.guarding == Guarding::Default
        && info.policy.role.is_none()
}

/// The words of a heading, where they are the author's and stand on one line.
fn fixed_title<'i>(info: &'i SectionInfo, child: &NodeInfo) -> Option<&'i Str> {
    let title = match &info.title {
        Title::Explicit(text) if matches!(kind(text), Kind::Literal) => &text.literal,
        Title::Fallback(title) if child.container.title.is_none() => title,
        _ => return None,
    };
    (!holds(title, b'\n')).then_some(title)
}
