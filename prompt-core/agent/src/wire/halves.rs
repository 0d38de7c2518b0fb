//! Halves of characters. JavaScript counts in units of UTF-16, and its servers cut a text between the two of one character:
//! `"x\ud83d"`, then `"\ude00y"`. JSON allows that; strings of Rust do not hold it. In come texts of JSON, out come values in
//! which the halves are joined, or U+FFFD.

use serde_json::{Error, Value};
use std::ops::Range;

/// The events of a stream on their way to JSON.
#[derive(Default)]
pub(super) struct Halves {
    /// An event with a text that ends in the first half of a character: the next may begin with the second.
    held: Option<String>,
}

impl Halves {
    /// The values that can be read now: none where the text is held for the next one, two where one was held. The last event is not
    /// held.
    ///
    /// # Errors
    /// Those of `serde_json` for what is no JSON, or goes on in the next line; nothing was taken then.
    pub(super) fn read(
        &mut self,
        text: &str,
        is_last: impl Fn(&Value) -> bool,
    ) -> Result<Vec<Value>, Error> {
        match serde_json::from_str(text) {
            Ok(value) if self.held.is_none() => return Ok(vec![value]),
            Err(fault) if halves(text).is_empty() => return Err(fault),
            _ => {}
        }
        whole(text)?;
        let mut text = text.to_owned();
        let mut values = Vec::new();
        if let Some(mut held) = self.held.take() {
            if let (Some(first), Some(second)) = (at_edge(&held, false), at_edge(&text, true)) {
                held.insert_str(first.end, &text[second.clone()]);
                text.replace_range(second, "");
            }
            values.push(whole(&held)?);
        }
        let value = whole(&text)?;
        if at_edge(&text, false).is_some() && !is_last(&value) {
            self.held = Some(text);
        } else {
            values.push(value);
        }
        Ok(values)
    }

    /// The event that is held, if no other comes.
    pub(super) fn end(&mut self) -> Option<Value> {
        whole(&self.held.take()?).ok()
    }
}

/// A text of JSON as a value, with U+FFFD for halves of characters.
fn whole(text: &str) -> Result<Value, Error> {
    let mut whole = text.to_owned();
    for half in halves(text) {
        whole.replace_range(half.at, r"\ufffd");
    }
    serde_json::from_str(&whole)
}

/// The escape of a half whose other half does not stand beside it.
struct Half {
    at: Range<usize>,
    is_second: bool,
    /// Whether the first half ends its string, the second begins it.
    is_at_edge: bool,
}

/// The half whose other one may stand in the event before, or in the next.
fn at_edge(text: &str, is_second: bool) -> Option<Range<usize>> {
    let mut halves = halves(text).into_iter();
    let found = halves.find(|half| half.is_at_edge && half.is_second == is_second);
    found.map(|half| half.at)
}

fn halves(text: &str) -> Vec<Half> {
    const ESCAPE: usize = r"\ud83d".len();
    let bytes = text.as_bytes();
    let unit = |at: usize| {
        let digits = text.get(at..at + ESCAPE)?.strip_prefix(r"\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let is_first = |unit: &u16| (0xd800..0xdc00).contains(unit);
    let is_second = |unit: &u16| (0xdc00..0xe000).contains(unit);
    let (mut found, mut begin, mut at) = (Vec::new(), None, 0);
    while let Some(byte) = bytes.get(at) {
        let step = match (byte, begin) {
            (b'"', None) => {
                begin = Some(at + 1);
                1
            }
            (b'"', Some(_)) => {
                begin = None;
                1
            }
            (b'\\', Some(begin)) => match unit(at) {
                Some(first)
                    if is_first(&first)
                        && unit(at + ESCAPE).is_some_and(|unit| is_second(&unit)) =>
                {
                    2 * ESCAPE
                }
                Some(unit) if is_first(&unit) || is_second(&unit) => {
                    let end = at + ESCAPE;
                    let is_second = is_second(&unit);
                    found.push(Half {
                        at: at..end,
                        is_second,
                        is_at_edge: if is_second {
                            at == begin
                        } else {
                            bytes.get(end) == Some(&b'"')
                        },
                    });
                    ESCAPE
                }
                Some(_) => ESCAPE,
                None => 2,
            },
            _ => 1,
        };
        at += step;
    }
    found
}
