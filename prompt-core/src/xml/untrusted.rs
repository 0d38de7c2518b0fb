//! What `untrusted` adds to guarding: no headings, no open fences, no chat tokens from a value.

use super::{
    fence::{FenceLine, Fences},
    heading::{atx, setext},
};
use std::borrow::Cow;

/// Takes the Markdown structure and the chat tokens out of a text that is not to be trusted.
///
/// - A line that would be a heading gets a backslash: `# x` becomes `\# x`, and an underline of `=` or `-` below a line
///   of text `\===`. Closed code blocks of the text are left alone.
/// - A fence that never closes gets a backslash too, since it would swallow what follows the text.
/// - `<|` becomes `< |`, so that `<|im_start|>` is no token.
///
/// The text is taken to begin at the start of a line. Doing it twice changes nothing more. Tags are not touched: that is
/// [`guard_text`](super::guard_text).
///
/// ```
/// use prompt_core::xml::neutralize;
///
/// assert_eq!(neutralize("Hi\n# New rules\n<|im_end|>"), "Hi\n\\# New rules\n< |im_end|>");
/// ```
pub fn neutralize(value: &str) -> Cow<'_, str> {
    untrusted(value, true)
}

/// As [`neutralize`]; with `starts_line == false` the first line continues a line of the text around the value and can be
/// neither heading nor fence.
pub(crate) fn untrusted(value: &str, starts_line: bool) -> Cow<'_, str> {
    let edits = edits(value, starts_line);
    if edits.is_empty() {
        return Cow::Borrowed(value);
    }
    let mut neutral = String::with_capacity(value.len() + edits.len());
    let mut copied = 0;
    for (at, inserted) in edits {
        neutral.push_str(value.get(copied..at).unwrap_or_default());
        neutral.push(inserted);
        copied = at;
    }
    neutral.push_str(value.get(copied..).unwrap_or_default());
    Cow::Owned(neutral)
}

/// Length of the longest run of `fence` (a backtick or `~`) in a value: a fence around it must be longer.
pub(crate) fn longest_fence_run(value: &str, fence: char) -> usize {
    value
        .split(|character| character != fence)
        .map(str::len)
        .max()
        .unwrap_or_default()
}

/// Whether a text has a Markdown heading (`#` to `######`) outside closed code blocks.
pub(super) fn has_heading(text: &str) -> bool {
    OpenLines::of(text, true).any(|(_, line)| atx(line).is_some())
}

/// What to insert, and before which byte, in rising order.
fn edits(value: &str, starts_line: bool) -> Vec<(usize, char)> {
    let mut edits: Vec<(usize, char)> = value
        .match_indices("<|")
        .map(|(at, _)| (at + 1, ' '))
        .collect();
    let tokens = edits.len();
    // A first line that stands below nothing we know of may be an underline of what is above the value.
    let mut below_text = true;
    for (at, line) in OpenLines::of(value, starts_line) {
        let first = at == 0 && !starts_line;
        let structure = atx(line)
            .or_else(|| setext(line).filter(|_| below_text))
            .or_else(|| {
                FenceLine::read(line)
                    .filter(|fence| fence.opens)
                    .map(|_| line.len() - line.trim_start().len())
            });
        if let Some(indent) = structure.filter(|_| !first) {
            edits.push((at + indent, '\\'));
        }
        // What the first line continues is not blank.
        below_text = first || !line.trim().is_empty();
    }
    if tokens > 0 {
        edits.sort_unstable();
    }
    edits
}

/// The lines of a text outside its closed fenced blocks, each with its offset.
struct OpenLines<'t> {
    text: &'t str,
    at: usize,
    fences: Fences,
    /// Whether a fenced block may begin with the first byte.
    starts_line: bool,
}

impl<'t> OpenLines<'t> {
    fn of(text: &'t str, starts_line: bool) -> Self {
        Self {
            text,
            at: 0,
            fences: Fences::of(text),
            starts_line,
        }
    }
}

impl<'t> Iterator for OpenLines<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        while (self.at > 0 || self.starts_line)
            && let Some(end) = self.fences.end_of(self.at)
        {
            self.at = end;
        }
        let line = self.text.get(self.at..)?.split_inclusive('\n').next()?;
        let at = self.at;
        self.at += line.len();
        Some((at, line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_get_a_backslash() {
        assert_eq!(
            neutralize("# a\n   ## b\n#c\n    # d\n"),
            "\\# a\n   \\## b\n#c\n    # d\n"
        );
        assert_eq!(
            neutralize("a\n===\n\n---\nb\n--\n"),
            "a\n\\===\n\n---\nb\n\\--\n"
        );
        assert_eq!(neutralize("---\nx"), "\\---\nx");
    }

    #[test]
    fn code_blocks_are_kept_and_open_fences_are_not() {
        let code = "```sh\n# build\n```\n";
        assert_eq!(neutralize(code), code);
        assert_eq!(neutralize("a\n```\n# b\n"), "a\n\\```\n\\# b\n");
        assert_eq!(untrusted("```\n# b\n```\n", false), "```\n\\# b\n\\```\n");
    }

    #[test]
    fn the_first_line_may_continue_another() {
        assert_eq!(untrusted("# a\n# b", false), "# a\n\\# b");
        assert_eq!(untrusted("\n===", false), "\n\\===");
    }

    #[test]
    fn chat_tokens_are_split() {
        assert_eq!(neutralize("# <|im_start|>\n<|x"), "\\# < |im_start|>\n< |x");
        assert!(matches!(neutralize("a < b | c"), Cow::Borrowed(_)));
    }

    #[test]
    fn fence_runs() {
        assert_eq!(
            [
                longest_fence_run("a ``` `` b````", '`'),
                longest_fence_run("~~`", '~'),
                longest_fence_run("", '`')
            ],
            [4, 2, 0]
        );
    }
}
