//! Lines that Markdown reads as headings.

/// Bytes before the first `#` of an ATX heading line: up to three spaces, one to six `#`, then a blank or the end.
pub(super) fn atx(line: &str) -> Option<usize> {
    let marked = line.trim_start_matches(' ');
    let rest = marked.trim_start_matches('#');
    let level = marked.len() - rest.len();
    let ends = rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']);
    let indent = line.len() - marked.len();
    (indent <= 3 && (1..=6).contains(&level) && ends).then_some(indent)
}

/// Bytes before the first `=` or `-` of a line that would make the paragraph line above it a heading.
pub(super) fn setext(line: &str) -> Option<usize> {
    let marked = line.trim_start_matches(' ');
    let indent = line.len() - marked.len();
    let marks = marked.trim_ascii_end();
    let underlines = |mark: char| !marks.is_empty() && marks.trim_start_matches(mark).is_empty();
    (indent <= 3 && (underlines('=') || underlines('-'))).then_some(indent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atx_headings() {
        assert_eq!(
            [atx("# a\n"), atx("   ###### b"), atx("#"), atx("##\tx")],
            [Some(0), Some(3), Some(0), Some(0)]
        );
        assert_eq!(
            [
                atx("#a"),
                atx("    # a"),
                atx("####### a"),
                atx("\\# a"),
                atx("- # a")
            ],
            [None; 5]
        );
    }

    #[test]
    fn setext_underlines() {
        assert_eq!(
            [setext("==="), setext("  -- \n"), setext("=")],
            [Some(0), Some(2), Some(0)]
        );
        assert_eq!(
            [
                setext("- a"),
                setext("=-="),
                setext("    --"),
                setext(""),
                setext("--- | ---")
            ],
            [None; 5]
        );
    }
}
