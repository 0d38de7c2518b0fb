//! The book of keys: everything that can be said of a node, a section or a value, in one table.
//!
//! The derives read their attributes with it and prompt files are read with it, so that a key has one meaning, one spelling
//! and one wording of its mistakes wherever it stands; the reference page of the guide is printed from it. Values are read by each door
//! itself, which then asks the book for the words: [`find`] for a key that may not exist, [`Key::refuse`] for a value that it
//! cannot have, [`clash`] and [`twice`] for keys that do not go together.
//!
//! ```
//! use prompt_syntax::book::{Holder, find};
//!
//! let level = find(Holder::Section, "level")?;
//! let problem = level.refuse(Holder::Section, None);
//! assert_eq!(problem.message, "`level` takes a heading level");
//! assert_eq!(problem.help, "write a number from 1 to 6");
//!
//! let problem = find(Holder::Section, "sumary").unwrap_err();
//! assert_eq!(problem.help, "did you mean `summary`?");
//! # Ok::<(), prompt_syntax::Problem>(())
//! ```

mod rows;
#[doc(hidden)]
pub mod rules;

pub use rows::KEYS;

use crate::{Code, Problem, nearest};
use alloc::{borrow::ToOwned, format, string::String, vec, vec::Vec};

/// What has keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// `#[prompt(..)]` on a struct, an enum or a variant.
    Prompt,
    /// `#[var(..)]` on a field, and the braces behind an entry of `vars(..)`.
    Var,
    /// `#[section(..)]` on a field.
    Section,
    /// `#[task(..)]` on an enum.
    TaskEnum,
    /// `#[task(..)]` on a variant.
    TaskVariant,
    /// The root of a prompt file.
    FileRoot,
    /// A section of a prompt file.
    FileSection,
    /// An entry of `vars` in a prompt file.
    FileVar,
}

impl Holder {
    /// Its name in a complaint.
    fn name(self) -> &'static str {
        match self {
            Self::Prompt => "`prompt`",
            Self::Var => "`var`",
            Self::Section => "`section`",
            Self::TaskEnum | Self::TaskVariant => "`task`",
            Self::FileRoot => "the root",
            Self::FileSection => "a section",
            Self::FileVar => "an entry of `vars`",
        }
    }

    /// Where a key of it is to be written.
    fn place(self) -> &'static str {
        match self {
            Self::Prompt => "`#[prompt(..)]`",
            Self::Var => "`#[var(..)]`",
            Self::Section => "`#[section(..)]`",
            Self::TaskEnum => "`#[task(..)]` on the enum",
            Self::TaskVariant => "`#[task(..)]` on a variant",
            _ => self.name(),
        }
    }

    /// Whether its keys stand in a prompt file, where there is no Rust.
    pub fn is_file(self) -> bool {
        matches!(self, Self::FileRoot | Self::FileSection | Self::FileVar)
    }

    /// Where else a key that it does not have may belong.
    fn others(self) -> &'static [Self] {
        match self {
            Self::Prompt => &[Self::Section, Self::Var],
            Self::Section => &[Self::Var, Self::Prompt],
            Self::Var => &[Self::Section, Self::Prompt],
            Self::TaskEnum => &[Self::TaskVariant],
            Self::TaskVariant => &[Self::TaskEnum],
            Self::FileRoot => &[Self::FileSection, Self::FileVar],
            Self::FileSection => &[Self::FileRoot, Self::FileVar],
            Self::FileVar => &[Self::FileSection],
        }
    }
}

/// Keys that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Where a text comes from, if not from the doc comment.
    Text,
    /// What only a node has.
    Node,
    /// How headings stand: of one section, or of all sections of a node.
    Heading,
    /// A tag instead of a heading.
    Tag,
    /// How a value is printed.
    Print,
    /// How the items of a list print.
    Items,
    /// The names of a section, whether it is there, and its short forms.
    Section,
    /// What each item of a list section has of its own.
    Each,
    /// What happens in the tag of a section.
    Markup,
    /// What becomes of a section outside of its own text.
    Policy,
    /// The keys of a task enum and of its variants.
    Task,
}

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// A text or template.
    Text,
    /// Nothing, `true` or `false`.
    Switch,
    /// A heading level, 1 to 6.
    Level,
    /// Blank lines, 0 to 2.
    Gap,
    /// Columns, 0 to 255.
    Columns,
    /// Characters, 1 to 65,535.
    Characters,
    /// Nothing, or a column.
    Hang,
    /// Nothing, or a number of seconds.
    Seconds,
    /// A number, `"required"` or, in a derive, an expression.
    Priority,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// One of these words or, in a derive, an expression.
    OneOfOrExpression(&'static [&'static str]),
    /// Nothing, or one of these words.
    OneOfOrNothing(&'static [&'static str]),
    /// Nothing, `"pretty"`, or columns.
    Json,
    /// A Rust expression.
    Expression,
    /// A Rust path.
    Path,
    /// A field of an item, or a field of that.
    ItemField,
    /// The bounds of a `where` clause, in quotes.
    Bounds,
    /// A list in parentheses.
    List,
    /// A list of texts.
    Texts,
    /// The name of a value, with fields behind dots.
    ValueName,
    /// `true`, `false`, or the name of a value.
    Decision,
    /// A map of names.
    Map,
    /// Sections.
    Sections,
}

/// A key of the book.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// With which others it belongs together.
    pub group: Group,
    /// Where it may stand.
    pub on: &'static [Holder],
    /// What it takes.
    pub takes: Takes,
    /// The keys beside which it cannot stand. Each pair is written once, at either of the two.
    pub excludes: &'static [&'static str],
    /// How a page shows it, where [`Takes`] does not say it.
    shown: &'static [&'static str],
    /// What it does: one sentence in Markdown.
    pub about: &'static str,
}

/// The keys of a holder, in the order of the book.
pub fn keys(holder: Holder) -> impl Iterator<Item = &'static Key> {
    KEYS.iter().filter(move |key| key.on.contains(&holder))
}

/// The key of this name.
///
/// # Errors
/// There is none here: where it belongs, the nearest name, or all that there are.
pub fn find(holder: Holder, name: &str) -> Result<&'static Key, Problem> {
    if let Some(key) = keys(holder).find(|key| key.name == name) {
        return Ok(key);
    }
    let names = || keys(holder).map(|key| key.name);
    let has_it = |other: &&Holder| keys(**other).any(|key| key.name == name);
    let help = match (holder.others().iter().find(has_it), nearest(name, names())) {
        (Some(other), _) => format!("it is a key of {}", other.place()),
        (None, Some(near)) => format!("did you mean `{near}`?"),
        (None, None) => {
            let names: Vec<&str> = names().collect();
            format!("its keys are {}", listed(&names, "`", " and"))
        }
    };
    let message = format!("{} has no key `{name}`", holder.name());
    Err(Problem::new(Code::UnknownAttribute, message, help))
}

/// The problem of two keys that exclude each other; `None` where they do not.
pub fn clash(earlier: &Key, later: &Key) -> Option<Problem> {
    let excludes = |one: &Key, other: &Key| one.excludes.contains(&other.name);
    (excludes(earlier, later) || excludes(later, earlier)).then(|| {
        let message = format!("`{}` and `{}` exclude each other", earlier.name, later.name);
        Problem::new(
            Code::ConflictingAttributes,
            message,
            "remove one of the two",
        )
    })
}

/// The problem of a name that is given twice: a key, an attribute, a variable.
pub fn twice(name: &str) -> Problem {
    let message = format!("`{name}` is given twice");
    Problem::new(Code::DuplicateAttribute, message, "keep one of them")
}

/// The rule of this name that `allow` or `deny` takes.
///
/// # Errors
/// There is none: the nearest, or all that there are.
#[doc(hidden)]
pub fn rule(key: &str, name: &str, is_meant: impl Fn(Code) -> bool) -> Result<Code, Problem> {
    let code = name.parse().ok().filter(|code| is_meant(*code));
    code.ok_or_else(|| {
        let known = Code::ALL.iter().filter(|code| is_meant(**code));
        let names: Vec<&str> = known.map(|code| code.as_str()).collect();
        let message = format!("`{key}` has no rule `{name}`");
        Problem::new(
            Code::InvalidValue,
            message,
            instead(name, &names, "it takes"),
        )
    })
}

/// What to write instead of a name that is none: the nearest of these, or else all of them, behind some words.
#[doc(hidden)]
pub fn instead(name: &str, names: &[&str], words: &str) -> String {
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("{words} {}", listed(names, "`", " or")),
    }
}

impl Key {
    /// The problem of a value that it cannot have; `written` is that value, if it is a text.
    pub fn refuse(&self, holder: Holder, written: Option<&str>) -> Problem {
        let (what, help) = self.takes.refusal(self.name, holder, written);
        Problem::new(Code::InvalidValue, format!("`{}` {what}", self.name), help)
    }

    /// The first cell of its row.
    fn cell(&self) -> String {
        if !self.shown.is_empty() {
            return listed(self.shown, "`", ",");
        }
        let value = match self.takes {
            Takes::Text => " = \"..\"",
            Takes::Expression => " = expr",
            Takes::Path => " = path",
            Takes::ItemField => " = name",
            _ => "",
        };
        format!("`{}{value}`", self.name)
    }
}

impl Takes {
    /// What is to be said of a value that is none of these, and what to write.
    fn refusal(self, name: &str, holder: Holder, written: Option<&str>) -> (String, String) {
        let write = |ends: &[&str]| {
            let whole = ends.iter().map(|end| format!("{name}{end}"));
            let whole: Vec<String> = whole.collect();
            format!("write {}", listed(&whole, "`", " or"))
        };
        let is_file = holder.is_file();
        let (what, help) = match self {
            Self::Text if is_file => ("takes a text", write(&[" = \"..\""])),
            Self::Text => ("takes a string literal", write(&[" = \"..\""])),
            Self::Switch if is_file => ("is on or off", write(&[" = true", " = false"])),
            Self::Switch => ("is on or off", write(&["", " = true", " = false"])),
            Self::Level => (
                "takes a heading level",
                "write a number from 1 to 6".to_owned(),
            ),
            Self::Gap => ("takes a number of blank lines", "write a number from 0 to 9".to_owned()),
            Self::Columns => (
                "takes a number of columns",
                "write a number from 0 to 255".to_owned(),
            ),
            Self::Characters => (
                "takes a number of characters",
                "write a number from 1 to 65535".to_owned(),
            ),
            Self::Hang => ("takes a column, or no value", write(&["", " = 4"])),
            Self::Seconds if is_file => (
                "takes a number of seconds, or `true`",
                write(&[" = true", " = 3600"]),
            ),
            Self::Seconds => (
                "takes a number of seconds, or no value",
                write(&["", " = 3600"]),
            ),
            Self::Priority if is_file => (
                "takes a whole number, or \"required\"",
                "write a number of 32 bits, the larger the longer it is kept, or \"required\"".to_owned(),
            ),
            Self::Priority => (
                "takes a whole number, or \"required\"",
                "write a number, the larger the longer it is kept, `\"required\"`, or an expression that gives an `i32`".to_owned(),
            ),
            Self::OneOf(words) | Self::OneOfOrExpression(words) | Self::OneOfOrNothing(words) => {
                return one_of(words, written);
            }
            Self::Json if written.is_some() => return one_of(&["pretty"], written),
            Self::Json => (
                "takes an indentation",
                write(&["", " = \"pretty\"", " = 4"]),
            ),
            Self::Expression => ("takes a Rust expression", write(&[" = self.field"])),
            Self::Path if written.is_some() => {
                ("takes a path, without quotes", write(&[" = module::name"]))
            }
            Self::Path => ("takes a path", write(&[" = module::name"])),
            Self::ItemField if is_file => (
                "takes the name of a field of the item",
                write(&[" = \"name\""]),
            ),
            Self::ItemField if written.is_some() => (
                "takes the name of a field of the item, without quotes",
                write(&[" = name"]),
            ),
            Self::ItemField => ("takes the name of a field of the item", write(&[" = name"])),
            Self::Bounds => (
                "takes the bounds of a `where` clause",
                write(&[" = \"T: Display, U: PromptNode\""]),
            ),
            Self::List => ("takes a list in parentheses", write(&["(..)"])),
            Self::Texts => ("takes a list of texts", write(&[" = [\"..\", \"..\"]"])),
            Self::ValueName => ("takes the name of a value", write(&[" = \"..\""])),
            Self::Decision => (
                "takes `true`, `false`, or the name of a value",
                write(&[" = \"fog\"", " = \"!fog\""]),
            ),
            Self::Map => ("takes a map", write(&[" = { name = \"..\" }"])),
            Self::Sections => ("takes a list of sections", write(&[" = [..]"])),
        };
        (what.to_owned(), help)
    }
}

/// A word that is none of those that a key takes.
fn one_of(words: &[&str], written: Option<&str>) -> (String, String) {
    let all = listed(words, "\"", " or");
    let Some(text) = written else {
        let what = "has a value that it cannot have";
        return (what.to_owned(), format!("it can be {all}"));
    };
    let help = match nearest(text, words.iter().copied()) {
        Some(near) if words.len() == 1 => format!("did you mean \"{near}\"?"),
        Some(near) => format!("did you mean \"{near}\"? It can be {all}"),
        None => format!("it can be {all}"),
    };
    (format!("cannot be \"{text}\""), help)
}

/// Words in quotes, the last one behind `and` or the like.
pub(crate) fn listed(words: &[impl AsRef<str>], quote: &str, last: &str) -> String {
    let mut text = String::new();
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            let is_last = index + 1 == words.len();
            text.push_str(if is_last { last } else { "," });
            text.push(' ');
        }
        for part in [quote, word.as_ref(), quote] {
            text.push_str(part);
        }
    }
    text
}

/// The keys of some holders as a table in Markdown, one row each.
pub fn table(holders: &[Holder]) -> String {
    let mut rows = vec![String::from("| key | meaning |"), String::from("|---|---|")];
    let keys = holders.iter().flat_map(|holder| keys(*holder));
    rows.extend(keys.map(|key| format!("| {} | {} |", key.cell(), key.about)));
    rows.push(String::new());
    rows.join("\n")
}
