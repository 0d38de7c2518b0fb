//! Walks over a text from `<` to `<`, past everything in which a tag is no tag: comments, CDATA, processing instructions,
//! closed fenced blocks, inline code.

use super::{
    code_span::{CodeSpans, run_length},
    fence::Fences,
};

/// What the walk stops at.
pub(super) enum Stop {
    /// A `<`.
    Angle(usize),
    /// A `<!--` without `-->`.
    UnclosedComment(usize),
    /// A `<![CDATA[` without `]]>`.
    UnclosedCdata(usize),
}

/// Every region is searched for its end once; an opener without an end hides nothing.
pub(super) struct Walk<'t> {
    text: &'t str,
    at: usize,
    fences: Fences,
    code: CodeSpans,
    comments: Region,
    cdata: Region,
    instructions: Region,
}

impl<'t> Walk<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let fences = Fences::of(text);
        let mut walk = Self {
            text,
            at: 0,
            fences,
            code: CodeSpans::default(),
            comments: Region::new("<!--", "-->"),
            cdata: Region::new("<![CDATA[", "]]>"),
            instructions: Region::new("<?", "?>"),
        };
        walk.begin_line(0);
        walk
    }

    /// Goes on after a tag that ends before `at`.
    pub(super) fn skip_to(&mut self, at: usize) {
        self.at = at;
    }

    /// A line starts at `at`: a fenced block is passed.
    fn begin_line(&mut self, at: usize) {
        self.at = at;
        while let Some(end) = self.fences.end_of(self.at) {
            self.at = end;
        }
    }

    /// At a backtick: a code span is passed, else its run.
    fn pass_code(&mut self, at: usize) {
        let end = self.code.end_of(self.text, &self.fences, at);
        self.at = end.unwrap_or_else(|| at + run_length(self.text, at));
    }

    /// At a `<`: `None` if it opens a region that was passed.
    fn angle(&mut self, at: usize) -> Option<Stop> {
        self.at = at + 1;
        let stop = [
            (&mut self.comments, Some(Stop::UnclosedComment(at))),
            (&mut self.cdata, Some(Stop::UnclosedCdata(at))),
            (&mut self.instructions, None),
        ]
        .into_iter()
        .find(|(region, _)| region.opens(self.text, at));
        let Some((region, unclosed)) = stop else {
            return Some(Stop::Angle(at));
        };
        match region.end_of(self.text, at) {
            End::At(end) => {
                self.at = end;
                None
            }
            End::Missing => unclosed,
            End::KnownMissing => None,
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Stop;

    fn next(&mut self) -> Option<Stop> {
        loop {
            let rest = self.text.as_bytes().get(self.at..)?;
            let offset = rest
                .iter()
                .position(|byte| matches!(byte, b'<' | b'`' | b'\n'))?;
            let at = self.at + offset;
            match rest.get(offset) {
                Some(b'\n') => self.begin_line(at + 1),
                Some(b'`') => self.pass_code(at),
                _ => {
                    if let Some(stop) = self.angle(at) {
                        return Some(stop);
                    }
                }
            }
        }
    }
}

/// A kind of region with an opener and an end.
struct Region {
    open: &'static str,
    close: &'static str,
    /// No end follows any more: no opener further on needs to be searched from.
    missing: bool,
}

enum End {
    At(usize),
    Missing,
    KnownMissing,
}

impl Region {
    fn new(open: &'static str, close: &'static str) -> Self {
        Self {
            open,
            close,
            missing: false,
        }
    }

    fn opens(&self, text: &str, at: usize) -> bool {
        text.as_bytes()
            .get(at..)
            .is_some_and(|rest| rest.starts_with(self.open.as_bytes()))
    }

    fn end_of(&mut self, text: &str, at: usize) -> End {
        if self.missing {
            return End::KnownMissing;
        }
        let from = at + self.open.len();
        let offset = text.get(from..).and_then(|rest| rest.find(self.close));
        self.missing = offset.is_none();
        offset.map_or(End::Missing, |offset| {
            End::At(from + offset + self.close.len())
        })
    }
}
