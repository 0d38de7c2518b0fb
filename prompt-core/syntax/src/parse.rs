//! From a text to its elements.

use crate::{
    Code, Element, Elements, Inline, InlineText, Metadata, Options, Place, Problem,
    blocks::{Reading, read_source},
    check,
    findings::Findings,
    front_matter::front_matter,
    known::Names,
    nest::Builder,
    problem::{self, LineCounter},
    source::Source,
    structure::{Shape, Structure},
    uses::{Use, uses},
};
use alloc::{collections::BTreeSet, vec::Vec};

/// What [`parse`] found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The pieces of the text, in order. What is wrong stands in them as literal text, so that printing them always
    /// gives the text back.
    pub elements: Elements,
    /// Where variables and conditions stand, in text order.
    pub uses: Vec<Use>,
    /// Every problem, in text order.
    pub problems: Vec<Problem>,
}

/// Reads a prompt text.
///
/// All problems come out in one pass, with spans in bytes of `text` as it was given, whatever its line ends. Author's
/// notes (`<!--# .. -->` on lines of their own), a byte order mark, and blank lines at both ends are not part of the
/// prompt. With [`Place::Inline`] the text is read as it is, as one [`Element::Text`](crate::Element::Text); an empty text has no element.
///
/// The time is linear in the length of the text, for any text. One of more than [`MAX_TEXT`](crate::MAX_TEXT) bytes is not read: its only
/// problem is that it is too long.
///
/// ```
/// use prompt_syntax::{Element, Options, Place, parse};
///
/// let options = Options { names: &["language"], ..Options::new(Place::Node) };
/// let parsed = parse("You review {language} code.\n\n## Rules\n\n{PROMPT_SUBTREE}", &options);
/// assert!(parsed.problems.is_empty());
/// assert_eq!(parsed.elements.get(2), Some(&Element::slot("PROMPT_SUBTREE", 3)));
/// assert_eq!((parsed.uses[0].name.as_str(), parsed.uses[0].line, parsed.uses[0].column), ("language", 1, 12));
///
/// let parsed = parse("You review {langage} code.", &options);
/// assert_eq!(parsed.problems[0].message, "unknown variable `langage`");
/// assert_eq!(parsed.problems[0].help, "a field with a similar name exists: `language`");
/// assert_eq!((parsed.problems[0].line, parsed.problems[0].column), (1, 12));
/// ```
#[must_use]
pub fn parse(text: &str, options: &Options<'_>) -> Parsed {
    if options.place == Place::Template {
        return template(text, options);
    }
    let mut parsed = read(text, &Names::new(options));
    if options.place == Place::Inline
        && let Some(found) = fence_in_line(text)
    {
        parsed.problems.push(found);
        problem::locate(
            LineCounter::start(text, text.contains('\r')),
            &mut parsed.problems,
        );
    }
    parsed
}

/// The problem of a text that is printed on one line and has a fence: on one line it would be neither code nor words.
fn fence_in_line(text: &str) -> Option<Problem> {
    let source = Source::verbatim(text);
    let mut structure = Structure::default();
    let mut start = 0;
    for line in source.text.split_inclusive('\n') {
        let opens = match structure.read(line.trim_end_matches('\n')) {
            Shape::FenceOpen(_) => true,
            Shape::Text(line) => line.opens_fence(),
            _ => false,
        };
        if opens {
            let span = source.span(start..start + line.trim_end().len());
            return Some(Problem {
                span,
                ..check::fence_in_line()
            });
        }
        start += line.len();
    }
    None
}

/// Reads what a value prints. Only a heading in it makes a difference: it moves to its level, and what stands in a fence is
/// none. Line breaks at both ends are part of it.
fn template(text: &str, options: &Options<'_>) -> Parsed {
    let is_block =
        |element: &Element| matches!(element, Element::Title { .. } | Element::Code { .. });
    if text.contains('#') || text.contains("```") || text.contains("~~~") {
        let mut parsed = read(text, &Names::new(options));
        if parsed.elements.all().any(is_block) {
            parsed.elements = with_ends(parsed.elements, text);
            return parsed;
        }
    }
    let place = Place::Inline;
    read(text, &Names::new(&Options { place, ..*options }))
}

/// Elements with the line breaks that stand around them in their text.
fn with_ends(elements: Elements, text: &str) -> Elements {
    let breaks =
        |text: &str, rest: &str| u32::try_from(text.len() - rest.len()).unwrap_or(u32::MAX);
    let before = breaks(text, text.trim_start_matches('\n'));
    let behind = breaks(text, text.trim_end_matches('\n'));
    let nothing = |blank_lines| Element::Text {
        text: InlineText::from_iter([Inline::Nothing]),
        metadata: Metadata::at(1, blank_lines),
    };
    let mut elements: Vec<Element> = elements.into_iter().collect();
    if let Some(first) = elements.first_mut().filter(|_| before > 0) {
        first.metadata_mut().blank_lines = before - 1;
        elements.insert(0, nothing(0));
    }
    if behind > 0 {
        elements.push(nothing(behind - 1));
    }
    Elements::from(elements).with_optional()
}

/// Reads a text in which every name is a variable, as at run time.
///
/// The names that a text uses are only known when it has been read, and only known names count in code: so a text that
/// has one of them there is read twice.
///
/// ```
/// use prompt_syntax::{Options, Place, parse_free};
///
/// let parsed = parse_free("Greet {name}. Not `{this}`, but `{name}`.", &Options::new(Place::Free));
/// assert_eq!(parsed.elements.names(), ["name"]);
/// assert_eq!(parsed.uses.len(), 2);
/// ```
#[must_use]
pub fn parse_free(text: &str, options: &Options<'_>) -> Parsed {
    let known = Names::new(options);
    let first = read(text, &known);
    let used = first.uses.iter().filter(|used| used.in_loop.is_none());
    let used = used.map(|used| used.name.as_str());
    let names: BTreeSet<&str> = used.chain(options.names.iter().copied()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let all = Names::new(&Options {
        names: &names,
        ..*options
    });
    if known.is_enough(&all) {
        return first;
    }
    read(text, &all)
}

fn read(text: &str, known: &Names<'_>) -> Parsed {
    if let Some(problem) = problem::of_length(text.len()) {
        return Parsed {
            problems: Vec::from([problem]),
            ..Parsed::default()
        };
    }
    let mut problems = Vec::new();
    let source = Source::read(text, &known.options, &mut problems);
    let notes = problems.len();
    let mut reading = read_source(&source, text, known, problems, false);
    let is_closed = |found: &Findings<'_>| !found.problems.iter().skip(notes).any(is_left_open);
    // Where fences as `CommonMark` reads them leave something open, they may be meant to stand in one another.
    if reading.has_fences && !is_closed(&reading.found) {
        let problems = reading.found.problems[..notes].to_vec();
        let nested = read_source(&source, text, known, problems, true);
        if is_closed(&nested.found) {
            reading = nested;
        }
    }
    let Reading {
        mut found, flats, ..
    } = reading;
    let builder = Builder {
        text: &source.text,
        tokens: &found.tokens,
        forms: &found.resolver.forms,
    };
    let elements = builder.elements(flats);
    let uses = uses(&source, &found, text);
    // A slot behind a loop that never ends is no second mistake.
    for (token, range, problem) in core::mem::take(&mut found.slots_in_loops) {
        if found.resolver.forms[token].is_some() {
            found.report(range, problem);
        }
    }
    found.report_conditional_slots();
    if !known.options.place.is_template()
        && let Some(front) = front_matter(&source.text)
    {
        // Its last line is a mark, and no heading's.
        let end = source.span(0..source.text.len() - front.body.len()).end;
        let is_inside = |it: &Problem| it.code == Code::SetextHeading && it.span.start < end;
        found.problems.retain(|it| !is_inside(it));
        let mark = source.text.find('\n').unwrap_or_default();
        found.report(0..mark, check::front_matter(known));
    }
    let explained = core::mem::take(&mut found.resolver.explained);
    let is_told = |problem: &Problem| {
        let at = problem.span.start;
        !matches!(
            problem.code,
            Code::UnknownVariable | Code::UnclosedCondition | Code::UnclosedLoop
        ) || !explained.contains(&at)
    };
    let in_code = found.tokens.iter().filter(|token| token.is_code);
    let in_code: BTreeSet<usize> = in_code
        .filter(|_| known.options.is_read_again)
        .map(|token| source.span(token.range.clone()).start)
        .collect();
    found.problems.retain(|problem| {
        let is_later = is_left_open(problem) && in_code.contains(&problem.span.start);
        !is_later && !known.allows(problem.code) && is_told(problem)
    });
    problem::locate(source.line_counter(text), &mut found.problems);
    Parsed {
        elements: Elements::from(elements).with_optional(),
        uses,
        problems: found.problems,
    }
}

/// Whether a problem may come from a fence that was closed too early.
fn is_left_open(problem: &Problem) -> bool {
    matches!(
        problem.code,
        Code::UnclosedFence
            | Code::UnclosedCondition
            | Code::UnclosedLoop
            | Code::MismatchedCondition
            | Code::StrayElse
    )
}
