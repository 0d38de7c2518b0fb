//! Code in a text: fences, indented blocks, and inline code as `CommonMark` finds it: a run of backticks up to the next
//! run of the same length.

use crate::{
    lines::Line,
    scan::{find, run},
    structure::{Shape, Structure, TextKind},
};
use alloc::{vec, vec::Vec};
use core::ops::Range;

/// The backtick runs of one paragraph. Each run knows the next one of its length, so that every search is one step.
#[derive(Debug, Default)]
pub(crate) struct CodeSpans {
    runs: Vec<Run>,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    start: usize,
    length: usize,
    /// The next run of the same length.
    same: Option<usize>,
    /// The next run that is one shorter: what counts where a backslash escapes the first backtick.
    shorter: Option<usize>,
}

impl CodeSpans {
    /// Finds the runs in a range of a text.
    pub(crate) fn find(text: &str, range: Range<usize>) -> Self {
        let mut runs = Vec::new();
        let mut at = range.start;
        while let Some(start) = find(text, at..range.end, [b'`']) {
            let length = run(&text[start..range.end], b'`');
            runs.push(Run {
                start,
                length,
                same: None,
                shorter: None,
            });
            at = start + length;
        }
        // The next run of each length.
        let longest = runs.iter().map(|run: &Run| run.length).max();
        let mut next = vec![None; longest.map_or(0, |longest| longest + 1)];
        for (index, run) in runs.iter_mut().enumerate().rev() {
            run.same = next.get(run.length).copied().flatten();
            run.shorter = next.get(run.length - 1).copied().flatten();
            if let Some(next) = next.get_mut(run.length) {
                *next = Some(index);
            }
        }
        Self { runs }
    }

    /// The code span that the backticks at `at` open: what stands between the two runs, and the end of the second.
    /// Without a second run, the end of the first.
    /// `from` is where the text before it starts to count, for backslashes.
    pub(crate) fn span(
        &self,
        text: &str,
        at: usize,
        from: usize,
    ) -> Result<(Range<usize>, usize), usize> {
        let index = self.runs.partition_point(|run| run.start < at);
        let Some(run) = self.runs.get(index) else {
            return Err(at + 1);
        };
        let before = text.as_bytes().get(from..at).unwrap_or_default();
        let is_escaped = before
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'\\')
            .count()
            % 2
            == 1;
        let end = run.start + run.length;
        let closing = if is_escaped { run.shorter } else { run.same };
        let closing = closing
            .and_then(|closing| self.runs.get(closing))
            .ok_or(end)?;
        Ok((end..closing.start, closing.start + closing.length))
    }
}

/// Code in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeRange {
    /// Its bytes, fence lines and backticks included, without the last line break.
    pub range: Range<usize>,
    /// What it is.
    pub kind: CodeKind,
}

/// The kinds of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// A fenced block, also in a list item or a quote.
    Fence {
        /// Whether it has its closing line; else it reaches to the end of the text, list item or quote.
        is_closed: bool,
    },
    /// A block that is indented by four columns or more.
    Indented,
    /// Code between backticks within a paragraph.
    Inline,
}

/// The code in a text, in order. The time is linear in the length of the text.
///
/// A fence may stand deeper than `CommonMark` has it, since nested tags indent what is in them; it is closed by a line
/// that is indented by four columns or more only if it is itself.
///
/// ```
/// use prompt_syntax::{CodeKind, code};
///
/// let text = "Run `a`:\n\n```sh\nb\n```\n\n    c\n\n~~~\nd";
/// let found: Vec<_> = code(text).into_iter().map(|code| (&text[code.range], code.kind)).collect();
/// assert_eq!(found, [
///     ("`a`", CodeKind::Inline),
///     ("```sh\nb\n```", CodeKind::Fence { is_closed: true }),
///     ("    c", CodeKind::Indented),
///     ("~~~\nd", CodeKind::Fence { is_closed: false }),
/// ]);
/// ```
#[must_use]
pub fn code(text: &str) -> Vec<CodeRange> {
    let mut finder = CodeFinder {
        text,
        found: Vec::new(),
        paragraph: 0..0,
    };
    let has_fences = text.contains("```") || text.contains("~~~");
    if !has_fences && find(text, 0..text.len(), [b'`']).is_none() && !has_indented_lines(text) {
        return finder.found;
    }
    let mut structure = Structure::with_deep_fences();
    let mut at = 0;
    while let Some(line) = Line::at(text, at) {
        at = line.next();
        let shape = structure.read(line.text);
        finder.read(&line, &shape, structure.is_in_indented_code());
    }
    finder.end_paragraph();
    finder.found
}

fn has_indented_lines(text: &str) -> bool {
    text.starts_with(['\t', ' ']) || text.contains("\n    ") || text.contains('\t')
}

struct CodeFinder<'t> {
    text: &'t str,
    found: Vec<CodeRange>,
    /// The lines that inline code can reach across.
    paragraph: Range<usize>,
}

impl CodeFinder<'_> {
    fn read(&mut self, line: &Line<'_>, shape: &Shape, is_indented: bool) {
        match shape {
            Shape::FenceOpen(_) => self.open(line, CodeKind::Fence { is_closed: false }),
            Shape::FenceInside => self.go_on(line, false),
            Shape::FenceClose => self.go_on(line, true),
            Shape::Text(text) if text.opens_fence() => {
                self.open(line, CodeKind::Fence { is_closed: false });
            }
            Shape::Text(text) if text.is_code() => {
                self.go_on(line, text.kind == TextKind::FenceClose);
            }
            Shape::Text(text) if is_indented => {
                let is_new =
                    text.kind == TextKind::Indented || self.last_kind() != Some(CodeKind::Indented);
                if is_new {
                    self.open(line, CodeKind::Indented);
                } else {
                    self.go_on(line, false);
                }
            }
            Shape::Text(text) if !text.fresh && !self.paragraph.is_empty() => {
                self.paragraph.end = line.end();
            }
            Shape::Text(_) | Shape::Heading(_) => {
                self.end_paragraph();
                self.paragraph = line.start..line.end();
            }
            Shape::Blank => self.end_paragraph(),
        }
    }

    fn last_kind(&self) -> Option<CodeKind> {
        self.found.last().map(|code| code.kind)
    }

    fn open(&mut self, line: &Line<'_>, kind: CodeKind) {
        self.end_paragraph();
        self.found.push(CodeRange {
            range: line.start..line.end(),
            kind,
        });
    }

    fn go_on(&mut self, line: &Line<'_>, closes: bool) {
        if let Some(code) = self.found.last_mut() {
            code.range.end = line.end();
            if let (true, CodeKind::Fence { is_closed }) = (closes, &mut code.kind) {
                *is_closed = true;
            }
        }
    }

    /// Finds the inline code of the paragraph that ends here.
    fn end_paragraph(&mut self) {
        let range = core::mem::take(&mut self.paragraph);
        let Some(first) = find(self.text, range.clone(), [b'`']) else {
            return;
        };
        let spans = CodeSpans::find(self.text, first..range.end);
        let (mut from, mut at) = (range.start, first);
        loop {
            match spans.span(self.text, at, from) {
                Ok((_, end)) => {
                    self.found.push(CodeRange {
                        range: at..end,
                        kind: CodeKind::Inline,
                    });
                    from = end;
                }
                Err(end) => from = end,
            }
            match find(self.text, from..range.end, [b'`']) {
                Some(next) => at = next,
                None => return,
            }
        }
    }
}
