//! Keys that say how a value is worded are conditions and loops. `{words}` with `item = "<w>{item}</w>"` and `join = ", "`
//! is the loop `{*words}<w>{item}</w>{/words}` with `, ` between its items; with `default` it is the branch of a condition
//! that asks whether `words` is there.

use crate::{
    Element, Elements, Inline, List, Str, Used, branches::own, inline_text::join,
    lines::quote_marker,
};
use alloc::{string::String, vec, vec::Vec};

/// What the keys of a value say.
#[derive(Clone, Debug, Default)]
pub struct Wording {
    /// Of a flag: where it is on, and where it is not.
    pub flag: Option<[Elements; 2]>,
    /// Where the value is there: `{}` in it is the value.
    pub some: Option<Elements>,
    /// Where it is absent.
    pub default: Option<Elements>,
    /// Of a list.
    pub list: Option<ListWording>,
}

/// What the keys of a list say.
#[derive(Clone, Debug)]
pub struct ListWording {
    /// The text of an item.
    pub item: Option<Elements>,
    /// Between two items.
    pub join: Str,
    /// Between the last two.
    pub last: Option<Str>,
}

/// How the values of a node are worded.
pub trait Wordings {
    /// What the keys of a value say; nothing where it has none, and of what is no value of the node.
    fn of(&self, used: &Used) -> Option<&Wording>;
}

impl Wording {
    /// Whether nothing is said of a value.
    pub(crate) fn is_plain(&self) -> bool {
        self.flag.is_none() && self.some.is_none() && self.default.is_none() && self.list.is_none()
    }
}

/// A text of a value as pieces of the line in which the value stands. A text of one paragraph gives its own.
pub(crate) fn pieces(text: &Elements) -> Vec<Inline> {
    let mut list = text.0.to_vec();
    match list.as_mut_slice() {
        [] => Vec::new(),
        [Element::Text { text, .. }] => core::mem::take(&mut text.0).into_owned(),
        [.., end] => {
            // A break at the end of a text: at the end of a prompt it goes.
            if let Element::Text { text, .. } = end
                && matches!(text.0.as_ref(), [Inline::Nothing])
            {
                text.0 = vec![Inline::Literal(Str::default())].into();
            }
            vec![Inline::Blocks(list.into())]
        }
    }
}

/// Pieces in which each `{}` of the author's words is this value, in the quotation in which it stands.
pub(crate) fn filled(list: List<Inline>, value: &Inline) -> List<Inline> {
    fill(list, &mut String::new(), &|line| {
        let mut value = value.clone();
        if let Inline::Value { quote, .. } = &mut value {
            *quote = quote_marker(line).into();
        }
        value
    })
}

/// `value` is made of what the author wrote before it on its line.
fn fill(list: List<Inline>, line: &mut String, value: &dyn Fn(&str) -> Inline) -> List<Inline> {
    let mut filled = Vec::with_capacity(list.len() + 2);
    for piece in list.into_owned() {
        filled.push(match piece {
            Inline::Literal(words) if words.contains("{}") => {
                for (index, words) in words.split("{}").enumerate() {
                    if index > 0 {
                        filled.push(value(line));
                    }
                    read_on(line, words);
                    join(&mut filled, Inline::Literal(own(words)));
                }
                continue;
            }
            Inline::Literal(words) => {
                read_on(line, &words);
                Inline::Literal(words)
            }
            Inline::Break(words) => {
                line.clear();
                Inline::Break(words)
            }
            Inline::Line { head } => {
                *line = head.clone().into_owned();
                Inline::Line { head }
            }
            Inline::If(branches) => Inline::If(branches.map(|list| fill(list, line, value))),
            Inline::Each(branches) => Inline::Each(branches.map(|list| fill(list, line, value))),
            Inline::Blocks(list) => {
                let unquoted = |_: &str| value("");
                let fill_all = |mut element: Element| {
                    let is_text = matches!(element, Element::Text { .. });
                    let value = if is_text { value } else { &unquoted };
                    for text in element.inline_texts_mut() {
                        text.0 = fill(core::mem::take(&mut text.0), &mut String::new(), value);
                    }
                    element
                };
                Inline::Blocks(Elements(list).map(fill_all).0)
            }
            piece => piece,
        });
    }
    filled.into()
}

/// Words go on in a line, or begin one.
fn read_on(line: &mut String, words: &str) {
    if words.contains('\n') {
        line.clear();
    }
    line.extend(words.rsplit('\n').next());
}
