//! The problems of a text: for each rule the fact, in plain words, and the remedy.

use crate::{
    Code, Form, Place, Problem, Specs,
    book::listed,
    brace::{Inside, Reference, Slip, SpecKind, TokenKind, inside},
    known::{Names, Site, TREE_SLOTS},
    slips::{Foreign, is_foreign_doubled},
    token::ITEM_NAMES,
};
use alloc::{format, string::String};

impl Names<'_> {
    /// Whether a help is read by the author of a file, not of a type.
    fn is_file(&self) -> bool {
        self.options.specs == Specs::Runtime
    }

    /// What gives a name its value.
    fn field(&self) -> &'static str {
        if self.is_file() { "value" } else { "field" }
    }

    /// How a rule is switched off.
    fn allow(&self, code: Code) -> String {
        if self.is_file() {
            format!("`allow = [\"{code}\"]`")
        } else {
            format!("`allow({code})`")
        }
    }
}

/// Names that the renderer fills in: `heading` and `summary_suffix` have them.
const OF_RENDERER: [&str; 3] = ["title", "key", "subsections"];

/// How many names are listed where none is similar.
const LISTED: usize = 8;

/// Characters of the prompt that a message shows.
const SHOWN: usize = 40;

/// In text, a `{name}` must be known.
pub(crate) fn unknown_variable(
    known: &Names<'_>,
    name: &str,
    written: &str,
    in_loop: InLoops<'_>,
) -> Problem {
    let message = format!("unknown variable `{name}`");
    let literal = if is_variable(written) {
        format!("to print the braces, write `{{{written}}}`")
    } else {
        in_code(written)
    };
    let near = known.nearest(name);
    let help = in_loop.help(near);
    let help = help.unwrap_or_else(|| match (known.options.place, near) {
        (Place::Introduction | Place::Inline | Place::Template, _) if known.is_section(name) => {
            format!(
                "`{name}` is a section: it can stand alone on a line of the node's own text, but not here"
            )
        }
        (_, Some(near)) if TREE_SLOTS.contains(&near) => similar("slot", near),
        (_, None) if ITEM_NAMES.contains(&name) => of_items(name, "", &literal),
        (_, near) => field_or_literal(known, name, near, &literal),
    });
    Problem::in_text(Code::UnknownVariable, message, help)
}

/// In text, what `{?name}` asks must be known.
pub(crate) fn unknown_condition(
    known: &Names<'_>,
    name: &str,
    written: &str,
    in_loop: InLoops<'_>,
) -> Problem {
    let message = format!("unknown variable `{name}`");
    let literal = in_code(written);
    let near = known.nearest_asked(name);
    let help = in_loop.help(near).unwrap_or_else(|| match near {
        Some(_) if known.is_section(name) => format!(
            "`{name}` is a section: `{{{name}}}` alone on a line prints it with its items; a loop goes over a value"
        ),
        None if ITEM_NAMES.contains(&name) => of_items(name, "?", &literal),
        None if matches!(name, "first" | "last") => {
            let is_item = known.is_name("item");
            let keys = "; what stands between items is given by the keys `join` and `last`";
            let keys = if is_item { keys } else { "" };
            format!("`{written}` stands in a loop, `{{*names}}..{{/names}}`{keys}; {literal}")
        }
        near => field_or_literal(known, name, near, &literal),
    });
    Problem::in_text(Code::UnknownVariable, message, help)
}

/// How braces are printed that cannot be doubled.
fn in_code(written: &str) -> String {
    format!("to print it, write `{written}` in code, between backticks")
}

/// What the loops around an unknown name say of it.
#[derive(Clone, Copy)]
pub(crate) struct InLoops<'t> {
    /// The nearest name of an item.
    pub(crate) near: Option<&'t str>,
    /// What the innermost loop goes over, if its item has no name of its own.
    pub(crate) list: Option<&'t str>,
}

impl InLoops<'_> {
    /// What to write instead, if they know; `near` is the nearest name of the node.
    fn help(&self, near: Option<&str>) -> Option<String> {
        if let Some(near) = self.near {
            return Some(format!("the item of the loop has a similar name: `{near}`"));
        }
        let list = self.list.filter(|list| near == Some(*list))?;
        Some(format!(
            "the item of `{{*{list}}}` is `{{item}}`; `{{*{list} as name}}` gives it another name"
        ))
    }
}

/// What a loop gives stands in a loop.
fn of_items(name: &str, sign: &str, literal: &str) -> String {
    format!(
        "`{{{sign}{name}}}` stands in a loop, `{{*names}}..{{/names}}`, or in the template of an item; {literal}"
    )
}

fn similar(kind: &str, near: &str) -> String {
    format!("a {kind} with a similar name exists: `{near}`")
}

/// A name whose accents are characters of their own (NFD) looks like the one that the compiler has composed (NFC), and is
/// another.
fn is_decomposed(name: &str) -> bool {
    name.contains(|sign| ('\u{300}'..='\u{36f}').contains(&sign))
}

/// The nearest name, or else all of them, and how the braces are printed as text.
fn field_or_literal(known: &Names<'_>, name: &str, near: Option<&str>, literal: &str) -> String {
    if is_decomposed(name) {
        return String::from(
            "its accents are characters of their own here, which names of Rust do not have: type it again",
        );
    }
    match (near, known.names()) {
        (Some(near), _) if ITEM_NAMES.contains(&near) || OF_RENDERER.contains(&near) => {
            similar("variable", near)
        }
        (Some(near), _) => similar(known.field(), near),
        (None, []) if !known.is_file() => match known.options.sections {
            sections @ [_, ..] if sections.len() <= LISTED => format!(
                "there are no variables here, and the sections are {}; {literal}",
                listed(sections, "`", ",")
            ),
            _ => format!("there are no variables here; {literal}"),
        },
        (None, names @ [_, ..]) if names.len() <= LISTED => {
            let kind = if known.is_file() {
                "values"
            } else {
                "variables"
            };
            format!("the {kind} are {}; {literal}", listed(names, "`", ","))
        }
        (None, _) if known.is_file() => format!("bind a value to `{name}`; {literal}"),
        (None, _) => format!("add a field of that name; {literal}"),
    }
}

/// In code, a name may be unknown, but not one letter away from a known one.
pub(crate) fn misspelt_variable(known: &Names<'_>, name: &str, near: &str) -> Problem {
    let message = format!("unknown variable `{name}`");
    let help = format!(
        "a {0} with a similar name exists: `{near}`; in code, names that are not similar to a {0} stay",
        known.field()
    );
    Problem::in_text(Code::UnknownVariable, message, help)
}

/// The rule that a slip breaks.
pub(crate) fn code_of_slip(slip: &Slip<'_>) -> Code {
    match slip.meant {
        Some(TokenKind::Else) if !slip.is_spaced => Code::StrayElse,
        Some(TokenKind::Else) => Code::SpacedVariable,
        _ if slip.is_spaced && slip.asks.is_some() => Code::SpacedVariable,
        Some(TokenKind::End) => Code::MismatchedCondition,
        _ => Code::UnsupportedExpression,
    }
}

/// Markers and variables are written as they are, without a blank in them. `expected` is the end of what is open.
pub(crate) fn slip(
    known: &Names<'_>,
    code: Code,
    written: &str,
    slip: &Slip<'_>,
    expected: Option<&str>,
) -> Problem {
    let asks = slip
        .asks
        .map(|Reference { name, path, .. }| [name, path].concat());
    let usual = match (slip.meant, asks.as_deref()) {
        (Some(TokenKind::Else), _) => String::from("{else}"),
        (Some(TokenKind::End), None) => String::from(expected.unwrap_or("{/name}")),
        (_, None) => {
            let message = format!("`{written}` names nothing");
            let help =
                "write a name behind the sign; to print it, write it in code, between backticks";
            return Problem::in_text(code, message, help);
        }
        (Some(TokenKind::End), Some(asks)) => format!("{{/{asks}}}"),
        (Some(TokenKind::If { negated: true }), Some(asks)) => format!("{{?!{asks}}}"),
        (Some(TokenKind::If { .. }), Some(asks)) => format!("{{?{asks}}}"),
        (Some(TokenKind::Each { alias: Some(alias) }), Some(asks)) => {
            format!("{{*{asks} as {alias}}}")
        }
        (Some(_), Some(asks)) => format!("{{*{asks}}}"),
        (None, Some(_)) => {
            let inner = written.trim_matches(['{', '}', ' ', '\t', ':']);
            format!("{{{inner}}}")
        }
    };
    let shown = excerpt(written);
    let what = if slip.meant.is_none() {
        "variable"
    } else {
        "marker"
    };
    let message = match code {
        Code::SpacedVariable => {
            format!("`{shown}` has blanks inside its braces, and so is no {what}")
        }
        Code::UnsupportedExpression => {
            format!("`{shown}` begins with a known name and is no {what}")
        }
        Code::StrayElse => format!("`{shown}` is no `{usual}`"),
        _ => format!("`{shown}` is no `{usual}`, and ends nothing"),
    };
    let mut help = format!("write `{usual}`");
    let stray = expected.is_none() && slip.ends();
    match slip.meant {
        _ if stray => {
            help.push_str(" behind the `{?name}` or `{*name}` that it belongs to; to print it, ");
            help.push_str(match slip.asks {
                Some(_) => "double its braces",
                None => "write it in code, between backticks",
            });
        }
        Some(TokenKind::If { .. }) if !slip.behind.is_empty() => {
            return condition_on_expression(known, message);
        }
        Some(TokenKind::If { negated: true }) if !slip.is_spaced => {
            help.push_str(" to ask whether it is not there; to print the braces, double them");
        }
        Some(TokenKind::Each { .. }) if !slip.behind.is_empty() => help.push_str(rows(known)),
        None | Some(TokenKind::If { .. }) if !slip.is_spaced => {
            help.push_str("; to print the braces, double them");
        }
        _ => {}
    }
    Problem::in_text(code, message, help)
}

/// How a loop goes over something that is no name.
fn rows(known: &Names<'_>) -> &'static str {
    if known.is_file() {
        ", or `{*name as item}` to name the item; another list is bound under a name of its own"
    } else {
        ", or `{*name as item}` to name the item; another list gets a name, `vars(rows = self.list.iter().map(..).collect::<Vec<_>>())`, and `{*rows}`"
    }
}

/// A condition asks a name.
fn condition_on_expression(known: &Names<'_>, message: String) -> Problem {
    Problem::in_text(Code::UnsupportedExpression, message, of_condition(known))
}

fn of_condition(known: &Names<'_>) -> String {
    let help = "a condition asks a name, as in `{?name}` or `{?!name}`";
    if known.is_file() {
        format!("{help}: bind the answer to a name of its own")
    } else {
        format!("{help}: give the answer one, `vars(is_large = self.size > 3)`")
    }
}

/// A brace before a known name closes.
pub(crate) fn unclosed_brace(written: &str) -> Problem {
    let message = format!("the brace of `{written}` never closes");
    let help = format!("write `{written}}}`");
    Problem::in_text(Code::UnclosedBrace, message, help)
}

/// A format spec is one that can be used here.
pub(crate) fn unsupported_spec(known: &Names<'_>, name: &str, spec: &str) -> Problem {
    let message = format!("the format spec `{spec}` of `{name}` cannot be used here");
    let help = match (known.options.specs, crate::brace::spec_kind(spec)) {
        _ if crate::brace::passes_number(spec) => "width and precision are at most 65535",
        (Specs::Runtime, _) => {
            "fill, align, width and precision can be used, as in `{name:>8}` or `{name:.2}`"
        }
        (_, Some(SpecKind::Unusable)) if spec.contains(['$', '*']) => {
            "write width and precision as numbers"
        }
        _ => "write a spec that `std::fmt` reads, such as `>8`, `.2` or `?`",
    };
    Problem::in_text(Code::UnsupportedSpec, message, help)
}

/// A brace that begins with a known name is a variable, or it is doubled. `item_of` is the list where the name is an item.
pub(crate) fn unsupported_expression(
    known: &Names<'_>,
    written: &str,
    item_of: Option<&str>,
) -> Problem {
    let shown = excerpt(written);
    let message = format!("`{shown}` begins with a known name and is no variable");
    let plain = written.replace("r#", "");
    let is_raw = plain.len() < written.len() && is_variable(&plain);
    let double = doubled(written);
    let help = if is_raw {
        format!("names stand in texts without `r#`: write `{plain}`")
    } else if written.starts_with("{?") {
        return condition_on_expression(known, message);
    } else if let Some(name) = asked_with_a_sign(written) {
        format!("`{{?{name}}}` asks whether it is there, and `{{?!{name}}}` whether not; {double}")
    } else if let Some(list) = item_of {
        of_an_item(known, list, double)
    } else if known.is_file() {
        format!("bind the result under a name of its own and write that; {double}")
    } else if let Some(name) = name_of_pair(written) {
        format!(
            "to print the braces, as of JSON, double them; to print the value alone, write `{{{name}}}`"
        )
    } else {
        let expression = expression(known, written).unwrap_or_else(|| "..".into());
        format!("give it a name, `vars(n = {expression})`, and write `{{n}}`; {double}")
    };
    Problem::in_text(Code::UnsupportedExpression, message, help)
}

/// How the braces of an expression are printed.
fn doubled(written: &str) -> &'static str {
    let body = written.trim_matches(['{', '}']);
    if is_foreign_doubled(body) || body.contains('`') {
        "to print it, write it in code, between backticks"
    } else {
        "to print the braces, double them"
    }
}

/// Of an item its fields are printed; what is more stands in items that are made for it.
fn of_an_item(known: &Names<'_>, list: &str, double: &str) -> String {
    let fields = "of an item its fields are printed, as in `{item.field}`";
    if known.is_file() {
        return format!("{fields}: bind a list whose items have a field for this; {double}");
    }
    let list = if list.is_empty() { "items" } else { list };
    let access = known.options.access;
    format!(
        "{fields}: for anything else loop over items that have it, \
         `vars(rows = {access}{list}.iter().map(..).collect::<Vec<_>>())` and `{{*rows}}`; {double}"
    )
}

/// The name in `{name?}`.
fn asked_with_a_sign(written: &str) -> Option<&str> {
    let name = written
        .strip_prefix('{')?
        .strip_suffix('}')?
        .trim()
        .strip_suffix('?')?;
    let name = name.trim_end();
    let is_path = |part: &str| crate::brace::identifier(part) == Some(part);
    name.split('.').all(is_path).then_some(name)
}

/// What stands between the braces as an expression of Rust, if it is likely to be one.
fn expression(known: &Names<'_>, written: &str) -> Option<String> {
    let inner = written.strip_prefix('{')?.strip_suffix('}')?.trim();
    let is_odd = |sign: char| {
        matches!(
            sign,
            '!' | '|' | '?' | ';' | '@' | '#' | '$' | '`' | '\\' | '{' | '}' | '\n'
        )
    };
    let is_cut = inner.chars().count() > SHOWN;
    let has_end = inner
        .ends_with(|last: char| last.is_alphanumeric() || matches!(last, '_' | ')' | ']' | '"'));
    if is_cut || !has_end || inner.contains(is_odd) || inner.contains("::") || inner.contains(": ")
    {
        return None;
    }
    let mut depth = 0_usize;
    let mut found = String::new();
    let mut rest = inner;
    while let Some(first) = rest.chars().next() {
        let name = crate::brace::identifier(rest);
        let is_field = name.is_some_and(|name| known.is_name(name)) && !found.ends_with('.');
        if is_field {
            found.push_str(known.options.access);
        }
        match first {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => return None,
            _ => {}
        }
        let length = name.map_or(first.len_utf8(), str::len);
        found.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    (depth == 0).then_some(found)
}

/// The name of `{ name: 1 }`, which is no expression.
fn name_of_pair(written: &str) -> Option<&str> {
    let inner = written.trim_matches(['{', '}']).trim();
    let (name, rest) = inner.split_once(':')?;
    let is_pair = crate::brace::identifier(name) == Some(name) && !rest.starts_with(':');
    is_pair.then_some(name)
}

/// Whether it is a variable or a condition, with its braces.
fn is_variable(written: &str) -> bool {
    let (inside, _) = inside(written.get(1..).unwrap_or_default());
    match inside {
        Inside::Marker { kind, .. } => matches!(kind, TokenKind::If { .. }),
        inside => matches!(inside, Inside::Variable(_)),
    }
}

/// A field of a tuple is printed by a name that `vars` gives it.
pub(crate) fn tuple_field(written: &str, reads: &str) -> Problem {
    let message = format!("`{written}` is text: a tuple field has no name to write");
    let help = format!(
        "give it one, `#[prompt(vars(name = {reads}))]`, and write `{{name}}`; to print the braces, `allow(tuple_field)`"
    );
    Problem::in_text(Code::TupleField, message, help)
}

/// Two braces print one and no value, which is not seen in a text of another template language. Four print two, wherever
/// they stand.
pub(crate) fn doubled_braces(known: &Names<'_>, written: &str, is_known: bool) -> Problem {
    let shown = written.get(1..written.len() - 1).unwrap_or_default();
    let inner = shown.trim_matches(['{', '}']);
    let allow = known.allow(Code::DoubledBraces);
    let message = match (is_known, shown.starts_with("{{")) {
        (true, true) => format!("`{written}` prints a brace, the value and a brace"),
        (true, false) => format!("`{written}` prints `{shown}` and no value: two braces print one"),
        (false, _) => format!("`{written}` prints `{shown}`: two braces print one"),
    };
    let value = match (is_known, is_variable(&format!("{{{inner}}}"))) {
        (true, true) => format!("`{{{inner}}}` to print the value, "),
        (false, true) => format!("`{{{inner}}}` if it is to be a variable, "),
        (_, false) => String::new(),
    };
    let help = format!(
        "write {value}`{{{{{{{{{inner}}}}}}}}}` to print two braces; if what is printed is meant, switch the hint off with {allow}"
    );
    Problem::in_text(Code::DoubledBraces, message, help)
}

/// In a fence `{_}` is text: blank lines of code are printed as they stand.
pub(crate) fn nothing_in_code(known: &Names<'_>) -> Problem {
    let message = "`{_}` in a fence is text, and printed";
    let allow = known.allow(Code::NothingInCode);
    let help = format!(
        "leave the line blank: in a fence every blank line is printed; if `{{_}}` is meant, switch the hint off with {allow}"
    );
    Problem::in_text(Code::NothingInCode, message, help)
}

/// A condition or loop ends.
pub(crate) fn unclosed(code: Code, written: &str, end: &str, form: Form, is_code: bool) -> Problem {
    let kind = match code {
        Code::UnclosedLoop => "loop",
        _ => "condition",
    };
    let message = format!("the {kind} `{written}` never ends");
    let help = match form {
        Form::Block => format!("write `{end}` alone on a line behind its last line"),
        Form::Line => format!(
            "write `{end}` where it ends on this line; or put `{written}` alone on the line before, and `{end}` alone on \
             a line behind"
        ),
        Form::Inline if is_code => format!("write `{end}` where it ends, on the same line"),
        Form::Inline => format!("write `{end}` where it ends, in the same paragraph or heading"),
    };
    Problem::in_text(code, message, help)
}

/// What ends in a fence that never closes ends with the fence.
pub(crate) fn end_in_fence(end: &str) -> String {
    format!("`{end}` stands in a fence that never closes: close the fence before it")
}

/// Conditions and loops are nested as deep as trees are at most.
pub(crate) fn nested_too_deep(deepest: usize) -> Problem {
    let message = format!("conditions and loops are nested more than {deepest} deep");
    let help = "move a part of the text into a section of its own";
    Problem::in_text(Code::TooDeep, message, help)
}

/// A slot stands once, so it stands in no loop.
pub(crate) fn slot_in_loop(name: &str) -> Problem {
    let message =
        format!("the slot `{{{name}}}` stands in a loop, which would embed it again and again");
    let help = "put it behind the loop; a part for each item is a list of sections";
    Problem::in_text(Code::SlotInLoop, message, help)
}

/// The slot of a section that the text asks about stands under no condition but that on the section, and no slot under a
/// condition on another section: what is shown cannot decide where others stand.
pub(crate) fn conditional_slot(name: &str, condition: &str, asks: bool) -> Problem {
    let message = if asks {
        format!(
            "the slot `{{{name}}}` stands under `{condition}`, which asks whether a section is shown"
        )
    } else {
        format!(
            "the slot `{{{name}}}` stands under `{condition}`, and this text asks whether the section `{name}` is there"
        )
    };
    let instead = if asks {
        String::from("that instead")
    } else {
        format!("that instead of `{name}`")
    };
    let help = format!(
        "put the slot outside of `{condition}`, or give what is asked a name of its own, as a `vars` entry that is a bool, and ask {instead}"
    );
    Problem::in_text(Code::ConditionalSlot, message, help)
}

/// What a loop gives hides what the node has under the same name.
pub(crate) fn hidden_name(known: &Names<'_>, name: &str) -> Problem {
    let field = known.field();
    let message =
        format!("in this loop `{name}` is the loop's own, and hides the {field} `{name}`");
    let remedy = if known.is_file() {
        "rename the value, or name the item with `as`"
    } else {
        "rename the field, or give it another name with `vars(..)`"
    };
    let allow = known.allow(Code::HiddenName);
    let help = format!("{remedy}; if the loop's `{name}` is meant, {allow}");
    Problem::in_text(Code::HiddenName, message, help)
}

/// Words of other template languages are not printed by accident. `expected` is the end of what is open.
pub(crate) fn foreign_template(
    known: &Names<'_>,
    written: &str,
    meant: Foreign<'_>,
    expected: Option<&str>,
) -> Problem {
    let shown = excerpt(written);
    let message = format!("`{shown}` is a word of another template language and would be printed");
    let remedy = match meant {
        Foreign::Block { .. } => foreign_block(known, meant),
        Foreign::Value(Reference { name, .. }) if known.is_section(name) => {
            format!("write `{{{name}}}` alone on its line")
        }
        Foreign::Value(Reference { name, path, .. }) => format!("write `{{{name}{path}}}`"),
        Foreign::Expression(_) if known.is_file() => {
            "bind the result under a name of its own and write that".into()
        }
        Foreign::Expression(_) => "give the result a name, `vars(n = ..)`, and write `{n}`".into(),
        Foreign::Note => "a note is `<!--# .. -->` on lines of its own".into(),
        Foreign::Else => "write `{else}`".into(),
        Foreign::ElseIf => "an else-if is a condition within the `{else}`: `{else}{?other}..{/other}`, or on lines of their own".into(),
        Foreign::End => format!("write `{}`", expected.unwrap_or("{/name}")),
    };
    let help = format!(
        "{remedy}; to print it, write it in code, between backticks, or switch the rule off with {}",
        known.allow(Code::ForeignTemplate)
    );
    Problem::in_text(Code::ForeignTemplate, message, help)
}

/// What a block of another template language is here.
fn foreign_block(known: &Names<'_>, meant: Foreign<'_>) -> String {
    let Foreign::Block {
        word,
        alias,
        asks: Reference { name, path, .. },
        asked,
        negated,
    } = meant
    else {
        return String::new();
    };
    let positive = asked.trim_start_matches('!');
    let positive = positive.strip_prefix("not ").unwrap_or(positive);
    let is_not = negated ^ (word == "unless") ^ (positive.len() < asked.len());
    let sign = if is_not { "?!" } else { "?" };
    let condition = if positive.trim_matches([' ', '(', ')', '.']) == [name, path].concat() {
        format!("a condition is `{{{sign}{name}{path}}}..{{else}}..{{/{name}{path}}}`")
    } else {
        of_condition(known)
    };
    let (names, item) = match alias {
        Some(alias) => (format!("{{*{name}{path} as {alias}}}"), alias),
        None => (format!("{{*{name}{path}}}"), "item"),
    };
    let each = format!("a loop is `{names}..{{{item}}}..{{/{name}{path}}}`");
    match word {
        "if" | "unless" => condition,
        "for" | "foreach" | "each" | "loop" | "range" => each,
        _ => format!("{condition}, {each}"),
    }
}

/// What ends has begun; it has not if its opener ended with its line.
pub(crate) fn end_without_condition(written: &str, ended: Option<&str>) -> Problem {
    let message = format!("`{written}` ends a condition or loop that is not open");
    let help = match ended {
        Some(opener) => format!(
            "`{opener}` is first on its line and ends with the line, unless it is closed on it: to reach further, put it \
             alone on the line before, and `{written}` alone on the line behind"
        ),
        None => String::from(
            "write the beginning where it belongs, `{?name}` or `{*name}`, or remove the end",
        ),
    };
    Problem::in_text(Code::MismatchedCondition, message, help)
}

/// How a phrase ends whose end was written alone on its line.
pub(crate) fn end_alone(opener: &str, end: &str) -> String {
    format!(
        "`{end}` alone on its line ends whole lines: write it behind the last words, or `{{_}}` before it; or put `{opener}` alone on the line before"
    )
}

/// Behind a loop that ended with its line there is no item.
pub(crate) fn behind_loop(name: &str, [opener, end]: [&str; 2]) -> Problem {
    let message = format!("unknown variable `{name}`: the loop `{opener}` has ended with its line");
    let help = format!(
        "put `{opener}` alone on the line before, and `{end}` alone on a line behind the last that it repeats"
    );
    Problem::in_text(Code::UnknownVariable, message, help)
}

/// The innermost condition ends first. `is_open` is whether the other one has begun.
pub(crate) fn wrong_end(written: &str, expected: &str, is_open: bool) -> Problem {
    let message = format!("`{written}` stands where `{expected}` is expected");
    let help = if is_open {
        format!("write `{expected}`, or put it before `{written}`")
    } else {
        format!("write `{expected}`")
    };
    Problem::in_text(Code::MismatchedCondition, message, help)
}

/// A condition that stands alone on a line ends alone on a line.
pub(crate) fn end_not_alone(written: &str) -> Problem {
    let message = format!("`{written}` ends a condition over whole lines and shares its line");
    let help = "put it on a line of its own";
    Problem::in_text(Code::MismatchedCondition, message, help)
}

/// An `{else}` has a condition.
pub(crate) fn stray_else() -> Problem {
    let help =
        "put it between `{?name}` and `{/name}`; to print it, write it in code, between backticks";
    let message = "`{else}` stands outside of every condition and loop";
    Problem::in_text(Code::StrayElse, message, help)
}

/// A condition has one `{else}`.
pub(crate) fn second_else() -> Problem {
    let message = "a second `{else}` in one condition";
    let help = "keep one of them, or end the condition before it";
    Problem::in_text(Code::StrayElse, message, help)
}

/// In a condition over whole lines, the `{else}` has a line of its own.
pub(crate) fn else_not_alone() -> Problem {
    let message = "`{else}` belongs to a condition over whole lines and shares its line";
    Problem::in_text(Code::StrayElse, message, "put it on a line of its own")
}

/// An author's note closes.
pub(crate) fn unclosed_note() -> Problem {
    let message = "the note `<!--#` never closes";
    let help = "end it with `-->` at the end of a line";
    Problem::in_text(Code::UnclosedNote, message, help)
}

/// The first part of something long.
fn excerpt(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let mut shown: String = line.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push_str("..");
    }
    shown
}

/// A slot stands alone on its line, outside headings and introductions.
pub(crate) fn misplaced_slot(known: &Names<'_>, site: Site, name: &str) -> Problem {
    let (code, place, help) = match (site, known.options.place) {
        (Site::Title, _) => (
            Code::SlotInHeading,
            "stands in a heading",
            "put it on a line of its own, below the heading",
        ),
        (_, Place::Introduction) => (
            Code::SlotInSection,
            "stands in the introduction of a section",
            "put it into the text of the section's own type; an introduction has no slots",
        ),
        (_, Place::Inline | Place::Template) => (
            Code::SlotNotAlone,
            "stands in a template, where nothing can be embedded",
            "put it on a line of its own in the node's text",
        ),
        _ => {
            let message = format!("`{{{name}}}` must stand alone on its line");
            return Problem::in_text(Code::SlotNotAlone, message, "put it on a line of its own");
        }
    };
    Problem::in_text(code, format!("the slot `{{{name}}}` {place}"), help)
}

/// A section is embedded as a whole: its fields are values of their own.
pub(crate) fn field_of_section(
    known: &Names<'_>,
    written: &str,
    reference: Reference<'_>,
) -> Problem {
    let Reference { name, path, .. } = reference;
    let message = format!("`{written}`: `{name}` is a section, which has no fields to print");
    let last = path.rsplit('.').next().unwrap_or_default();
    let last = if last.starts_with(|first: char| first.is_ascii_digit()) {
        "value"
    } else {
        last
    };
    let help = if known.is_file() {
        format!(
            "give the value another name, `vars.{last}.of = \"{name}{path}\"`, and write `{{{last}}}`"
        )
    } else {
        let access = known.options.access;
        format!(
            "give the field a name, `vars({last} = &{access}{name}{path})`, and write `{{{last}}}`"
        )
    };
    Problem::in_text(Code::UnsupportedExpression, message, help)
}

/// A slot stands once in a text.
pub(crate) fn duplicate_slot(name: &str) -> Problem {
    let message = format!("the slot `{{{name}}}` stands twice in this text");
    Problem::in_text(Code::DuplicateSlot, message, "keep one of them")
}

/// Headings have at most six hashes.
pub(crate) fn heading_level(hashes: usize) -> Problem {
    let message = format!("a heading with {hashes} hashes: Markdown has six levels");
    let help = "use at most six; to print the hashes as text, put `{_}` behind them";
    Problem::in_text(Code::HeadingLevel, message, help)
}

/// Headings have text.
pub(crate) fn empty_heading() -> Problem {
    let help = "write the text of the heading; to print the hashes, put `{_}` behind them";
    Problem::in_text(Code::EmptyHeading, "a heading without text", help)
}

/// What may be meant: its rule can be switched off.
fn lint(known: &Names<'_>, code: Code, message: impl Into<String>, remedy: &str) -> Problem {
    let help = format!(
        "{remedy}, or switch the rule off with {}",
        known.allow(code)
    );
    Problem::in_text(code, message, help)
}

/// A heading is at most one level below the one before.
pub(crate) fn skipped_level(known: &Names<'_>, level: u8, before: u8) -> Problem {
    let message = format!("a heading of level {level} follows one of level {before}");
    let remedy = format!("write it with {} hashes", before + 1);
    lint(known, Code::SkippedLevel, message, &remedy)
}

/// No heading is above the level of the first.
pub(crate) fn heading_above_top(known: &Names<'_>, level: u8, top: u8) -> Problem {
    let message =
        format!("a heading of level {level} in a text whose first heading has level {top}");
    let remedy = format!("write it with {top} hashes or more");
    lint(known, Code::HeadingAboveTop, message, &remedy)
}

/// A row of `=` or `-` does not stand right under a paragraph.
pub(crate) fn setext_heading(known: &Names<'_>) -> Problem {
    let message = "Markdown reads the paragraph above this line as a heading; here it is text and is never aligned";
    let remedy = "write a heading with `#`, or a blank line between the two";
    lint(known, Code::SetextHeading, message, remedy)
}

/// A text does not begin with data about it.
pub(crate) fn front_matter(known: &Names<'_>) -> Problem {
    let message = "the text begins with front matter, which is printed with it";
    let help = format!(
        "take it out, read the file with `Skill::parse`, or hand it over as a value of type `Markdown`; or switch the rule off with {}",
        known.allow(Code::FrontMatter)
    );
    Problem::in_text(Code::FrontMatter, message, help)
}

/// A fence closes.
pub(crate) fn unclosed_fence(known: &Names<'_>, fence: &str) -> Problem {
    let message = format!("the fence \"{fence}\" never closes");
    let help = format!(
        "close it with a line \"{fence}\"; where the answer is to go on inside it, switch the rule off with {}",
        known.allow(Code::UnclosedFence)
    );
    Problem::in_text(Code::UnclosedFence, message, help)
}

/// A text of one line has no room for a fence.
pub(crate) fn fence_in_line() -> Problem {
    let message = "a fence stands in a text that is printed on one line";
    let help = "write the code in the text below the title, or in words: `` `name` ``";
    Problem::in_text(Code::FenceInTitle, message, help)
}

/// Code in a doc comment is not one of rustdoc's tests.
pub(crate) fn doctest_fence(is_indented: bool) -> Problem {
    let (block, write) = if is_indented {
        ("indented block", "a fence with a tag, such as ```text,")
    } else {
        (
            "code block",
            "```text, or ```ignore to print it without a tag,",
        )
    };
    let message = format!("rustdoc compiles this {block} as a test");
    let help = format!(
        "write {write} or use `template` or `file`; in a library without doctests, `allow(doctest_fence)` will do"
    );
    Problem::in_text(Code::DoctestFence, message, help)
}

/// Whether rustdoc would compile a code block with this info string.
pub(crate) fn is_doctest(info: &str) -> bool {
    let (mut has_rust, mut has_other) = (false, false);
    for token in info
        .split([',', ' ', '\t'])
        .filter(|token| !token.is_empty())
    {
        match token {
            "ignore" | "custom" => return false,
            "rust" => has_rust = true,
            "should_panic" | "no_run" | "compile_fail" | "test_harness" | "standalone_crate"
            | "standalone" => {}
            _ if token.starts_with("ignore-")
                || token.starts_with("edition")
                || is_error_code(token) => {}
            _ => has_other = true,
        }
    }
    has_rust || !has_other
}

/// `E0123`
fn is_error_code(token: &str) -> bool {
    token.len() == 5
        && token.starts_with('E')
        && token.bytes().skip(1).all(|byte| byte.is_ascii_digit())
}
