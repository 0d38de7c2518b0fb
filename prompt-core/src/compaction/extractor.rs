//! Finding the recap of an answer in its text.

use prompt_syntax::{CodeKind, code};
use serde::{Deserialize, Serialize};
use serde_json::{Deserializer, Value};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What every recap line starts with, by default.
const RECAP_MARKER: &str = "recap -";

/// Where the recap of an answer is found. In serde: `"recap_line"`, `{"marker": "Summary:"}`, `{"first_lines": 2}`,
/// `{"field": "/hypothesis"}`, `"whole_answer"`; a closure cannot be stored, and serialising it is an error.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Extractor {
    /// The last line outside of blocks of code whose trimmed text starts with `recap -` (in this case and with one space) and
    /// says something behind it, trimmed.
    #[default]
    RecapLine,
    /// The last line outside of blocks of code whose trimmed text starts with this marker and says something behind it, trimmed,
    /// the marker kept.
    Marker(String),
    /// The first lines of the trimmed text, that many at most.
    FirstLines(usize),
    /// A field of an answer that is JSON: see [`Extractor::field`].
    Field(String),
    /// Nowhere: no recaps were asked for, and every answer stays as the model gave it.
    WholeAnswer,
    /// A closure: see [`Extractor::custom`].
    #[serde(skip)]
    Custom(CustomExtractor),
}

/// A closure that finds recaps. Two are equal if they are clones of one.
#[derive(Clone)]
pub struct CustomExtractor(Arc<Find>);

type Find = dyn Fn(&str) -> Option<String> + Send + Sync;

impl Extractor {
    /// A closure from the text of an answer to its recap, or `None` if it has none. Same text, same recap, or the view
    /// is not stable; and the recap of a recap should be itself, or compacting twice differs from compacting once.
    ///
    /// ```
    /// use prompt_core::compaction::Extractor;
    /// let last_line = Extractor::custom(|text| text.lines().last().map(str::to_owned));
    /// assert_eq!(last_line.extract("Done.\nAll tests pass."), Some("All tests pass.".into()));
    /// ```
    pub fn custom(find: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self::Custom(CustomExtractor(Arc::new(find)))
    }

    /// A field of answers that are JSON, as typed answers are, by its JSON pointer (RFC 6901): a text as it is, anything else as
    /// JSON. Of several values in a text the last counts that has the field. An answer without one has a recap line, or none.
    ///
    /// ```
    /// use prompt_core::compaction::Extractor;
    /// let field = Extractor::field("/hypothesis");
    /// let answer = "```json\n{ \"hypothesis\": \"The gauge is stuck.\", \"certain\": false }\n```";
    /// assert_eq!(field.extract(answer), Some("The gauge is stuck.".into()));
    /// assert_eq!(field.extract("In words.\nrecap - gauge stuck"), Some("recap - gauge stuck".into()));
    /// assert_eq!(serde_json::to_string(&field)?, r#"{"field":"/hypothesis"}"#);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn field(pointer: impl Into<String>) -> Self {
        Self::Field(pointer.into())
    }

    /// The recap of an answer with this text; `None` if there is none or it is blank.
    ///
    /// ```
    /// use prompt_core::compaction::Extractor;
    /// let text = "The gauge reads 2.1 m.\n  recap - gauge 2.1 m\r\nShall I look again?";
    /// assert_eq!(Extractor::RecapLine.extract(text), Some("recap - gauge 2.1 m".into()));
    /// assert_eq!(Extractor::Marker("Shall".into()).extract(text), Some("Shall I look again?".into()));
    /// assert_eq!(Extractor::FirstLines(1).extract(text), Some("The gauge reads 2.1 m.".into()));
    /// ```
    pub fn extract(&self, text: &str) -> Option<String> {
        match self {
            Self::RecapLine => recap_line(text, RECAP_MARKER),
            Self::Marker(marker) => recap_line(text, marker),
            Self::FirstLines(count) => Some(first_lines(text, *count)),
            Self::Field(pointer) => field(text, pointer).or_else(|| Self::RecapLine.extract(text)),
            Self::WholeAnswer => None,
            Self::Custom(CustomExtractor(find)) => find(text),
        }
        .filter(|recap| !recap.trim().is_empty())
    }

    /// An answer in what a person should see, and its recap: the line of the recap is taken out, with its line break. An
    /// answer without a recap is shown as it is; so is one whose recap is a part of its text
    /// ([`FirstLines`](Self::FirstLines), [`Field`](Self::Field), or a closure that finds something other than one line; of
    /// several lines like it the last goes).
    ///
    /// ```
    /// use prompt_core::compaction::Extractor;
    /// let (shown, recap) = Extractor::RecapLine.split("The gauge reads 2.1 m.\nrecap - gauge 2.1 m");
    /// assert_eq!((shown.as_str(), recap.as_deref()), ("The gauge reads 2.1 m.", Some("recap - gauge 2.1 m")));
    /// ```
    pub fn split(&self, text: &str) -> (String, Option<String>) {
        let recap = self.extract(text);
        let line = match (self, &recap) {
            (Self::FirstLines(_), _) | (_, None) => None,
            (_, Some(recap)) => last_line(text, |line| line == recap),
        };
        let shown = line.map(|line| without_line(&text[..line.start], &text[line.end..]));
        (shown.unwrap_or_else(|| text.to_owned()), recap)
    }

    /// The sentence that asks a model for recaps that this extractor finds, for the system prompt. Empty for a field, which
    /// the form of the answer asks for, without recaps, and for a closure: only its author knows.
    ///
    /// ```
    /// use prompt_core::compaction::Extractor;
    /// assert!(Extractor::Marker("Summary:".into()).instruction().contains("`Summary:`"));
    /// ```
    pub fn instruction(&self) -> String {
        match self {
            Self::RecapLine => asking_for(RECAP_MARKER),
            Self::Marker(marker) => asking_for(marker),
            Self::FirstLines(1) => {
                "Begin every answer with one line that can stand for the whole answer later: \
                                    what was found, decided or done."
                    .to_owned()
            }
            Self::FirstLines(count) => format!(
                "Begin every answer with {count} lines that can stand for the whole answer later: what was found, \
                 decided or done."
            ),
            Self::Field(_) | Self::WholeAnswer | Self::Custom(_) => String::new(),
        }
    }
}

fn asking_for(marker: &str) -> String {
    format!(
        "End every answer with one line of its own that starts with `{marker}` and says in a few words what of the \
         answer must be remembered: what was found, decided or done."
    )
}

/// The last line outside of blocks of code that begins with the marker and says something behind it.
fn recap_line(text: &str, marker: &str) -> Option<String> {
    let says = |line: &str| {
        line.strip_prefix(marker)
            .is_some_and(|rest| !rest.trim().is_empty())
    };
    let line = last_line(text, says)?;
    Some(text[line].trim().to_owned())
}

/// The last line outside of blocks of code that is wanted, trimmed; with its break.
fn last_line(text: &str, is_wanted: impl Fn(&str) -> bool) -> Option<Range<usize>> {
    let mut end = text.len();
    let lines = text.split_inclusive('\n').rev().map(|line| {
        let range = end - line.len()..end;
        end = range.start;
        range
    });
    let mut wanted = lines
        .filter(|line| is_wanted(text[line.clone()].trim()))
        .peekable();
    wanted.peek()?;
    let blocks = code(text)
        .into_iter()
        .filter(|code| code.kind != CodeKind::Inline);
    let blocks: Vec<Range<usize>> = blocks.map(|code| code.range).collect();
    let is_code = |line: &Range<usize>| {
        let behind = blocks.partition_point(|block| block.end <= line.start);
        blocks
            .get(behind)
            .is_some_and(|block| block.start < line.end)
    };
    wanted.find(|line| !is_code(line))
}

/// Where the line was the last one, the line break before it goes with it.
fn without_line(before: &str, after: &str) -> String {
    if after.is_empty() {
        let before = before.strip_suffix('\n').unwrap_or(before);
        before.strip_suffix('\r').unwrap_or(before).to_owned()
    } else {
        format!("{before}{after}")
    }
}

/// What stands at the pointer in the last object of the text that has something there. No byte is read twice: behind what is no
/// object it goes on where reading stopped.
fn field(text: &str, pointer: &str) -> Option<String> {
    let (mut found, mut rest) = (None, text);
    while let Some((_, inner)) = rest.split_once('{') {
        let object = &rest[rest.len() - inner.len() - 1..];
        let mut values = Deserializer::from_str(object).into_iter::<Value>();
        let end = match values.next() {
            Some(Ok(value)) => {
                let field = value.pointer(pointer).filter(|field| !field.is_null());
                found = field.cloned().or(found);
                values.byte_offset()
            }
            Some(Err(fault)) if !fault.is_eof() => {
                let lines = object.split_inclusive('\n').take(fault.line() - 1);
                lines.map(str::len).sum::<usize>() + fault.column() - 1
            }
            _ => break,
        };
        rest = object.get(end.max(1)..).unwrap_or(inner);
    }
    Some(match found? {
        Value::String(text) => text,
        other => other.to_string(),
    })
}

fn first_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.trim().lines().take(count).collect();
    lines.join("\n").trim_end().to_owned()
}

impl fmt::Debug for CustomExtractor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CustomExtractor(..)")
    }
}

impl PartialEq for CustomExtractor {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
