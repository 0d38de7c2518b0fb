//! The usual text, and the usual section, printed at once: what has nothing in it that moves, stops or is treated needs
//! neither a walk over marks nor a frame. Everything else takes the long way, with the same result.

use super::{
    look::Style,
    run,
    state::{CloseFrame, Frame, Printer, Scope},
    words::Words,
};
use crate::error::PromptError;
use crate::node::{Content, Embedded, Guarding, NodeInfo, Plain, SectionInfo, Str, Text, Title};
use crate::outline::{Host, Row, RowId};
use crate::show::Form;
use prompt_syntax::MarkKind;

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

/// Appends the prompt of a node without sections whose text can be printed at once; `None` where it cannot. The caller
/// has seen to it that nothing is asked for but the text in Markdown, from level 1 on.
pub(crate) fn print_at_once(
    root: &Embedded<'_>,
    buffer: &mut String,
) -> Option<Result<(), PromptError>> {
    let node = root.content.node()?;
    let info = node.info();
    if !info.sections.is_empty() || !info.tags.is_empty() || !is_bare(info) {
        return None;
    }
    let before = buffer.len();
    match node.print(Plain(buffer)) {
        Ok(true) => Some(Ok(())),
        Ok(false) => None,
        Err(index) => {
            buffer.truncate(before);
            Some(Err(failed(info, index)))
        }
    }
}

/// Whether nothing stands around the text of a node.
fn is_bare(info: &NodeInfo) -> bool {
    let container = &info.container;
    container.markup.tag.is_none() && container.start.is_empty() && container.end.is_empty()
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
            .at_once(first, |buffer| host.node.print(Plain(buffer)))
            .map_err(|index| failed(host.info, index))
    }

    /// Prints the section at a row, if it is a usual one: a generated heading of fixed words over a node, in full, in
    /// Markdown. Says whether it did.
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
        let is_wanted = self.look.style == Style::Markdown
            && self.shown.form(id) == Form::Full
            && !(self.with_summaries && row.is_openable(id));
        if !is_wanted || !is_usual_place(scope) || !is_usual(row.info) {
            return Ok(false);
        }
        let (info, child) = (row.info, Host::new(node, Some(id)));
        let Some(title) = fixed_title(info, child.info).filter(|_| is_bare(child.info)) else {
            return Ok(false);
        };
        let gap = row.host.info.container.heading.gap;
        if row.conditional || self.reduced {
            self.writer.depends();
        }
        if self.writer.len() > start {
            let gap = info.heading.gap.or(gap);
            self.writer.owe_lines(gap.map_or(1, usize::from));
        }
        let before = self.writer.point();
        let words = || Words::fixed(title.clone());
        let span = self.enter(id, words, Form::Full, scope.level);
        self.writer.hashes(self.look.overflow.level(scope.level)?);
        self.writer.literal(title);
        let tight = scope.tight || info.heading.tight;
        self.writer.owe(if tight { "\n" } else { "\n\n" });
        let (len, body, below) = (before.len, self.writer.len(), self.frames.len());
        let inner = Scope {
            level: scope.level + 1,
            indent: info.markup.indent.map_or(scope.indent, usize::from),
            ..*scope
        };
        self.node(child, inner, inner.level - i32::from(child.info.text.base))?;
        let may_vanish = !child.info.sections.is_empty();
        if self.frames.len() == below && !may_vanish {
            self.leave(span, len, body);
            return Ok(true);
        }
        let close = Frame::Close(CloseFrame {
            span: Some(span),
            body,
            before,
            tag: None,
            is_section: true,
            may_vanish,
        });
        // It closes behind all that waits to be printed in it.
        self.frames.insert(below, close);
        self.numbers.push(0);
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

/// Whether a section asks for nothing but a heading of hashes.
fn is_usual(info: &SectionInfo) -> bool {
    info.heading.form.is_none()
        && info.intro.is_empty()
        && info.markup.tag.is_none()
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
    (!title.contains('\n')).then_some(title)
}
