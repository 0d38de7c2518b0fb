//! The printed form of a type. Its shape comes in; out goes text as a person would write it: a field per line, `?` for what
//! may be left out, doc comments behind it.

use super::shape::{Bounds, Object, Rest, Shape, Shapes, What, Word};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Longest object that is written on one line.
const LONGEST_LINE: usize = 100;
/// A type that is used more than once is written in place up to so many lines, else once under its name.
const INLINE_LINES: usize = 5;
/// Words or fields that a fault lists.
const LISTED: usize = 10;

/// A piece of the printed type.
enum Layout {
    Line(String),
    /// Opened by `head`, which a comment may follow; then `body`, whole lines; then `tail` on a line of its own. Without
    /// head and tail the body is a union, a line for each alternative.
    Block {
        head: String,
        body: String,
        tail: String,
    },
}

/// The whole type: the root, and what is printed under its name.
pub(super) fn print(shapes: &Shapes) -> String {
    let mut uses = BTreeMap::new();
    count_uses(&shapes.root, &mut uses);
    for shape in shapes.named.values() {
        count_uses(shape, &mut uses);
    }
    let printer = Printer {
        shapes,
        uses,
        apart: RefCell::default(),
        wanted: RefCell::default(),
    };
    let mut out = String::new();
    if shapes.named.contains_key("") {
        printer.define("", &mut out);
    } else {
        let layout = Printer::nullable(&shapes.root, printer.value(&shapes.root, 0), 0);
        match layout {
            // A union that stands alone has no line above it.
            Layout::Block { head, body, .. } if head.is_empty() => {
                let lines = body
                    .lines()
                    .map(|line| line.strip_prefix("  ").unwrap_or(line));
                out.push_str(&lines.collect::<Vec<_>>().join("\n"));
            }
            layout => Printer::finish(layout, &printer.comment(&shapes.root), 0, &mut out),
        }
    }
    // Printing a type may name others.
    let mut done = 0;
    loop {
        let Some(named) = printer.wanted.borrow().get(done).cloned() else {
            return out;
        };
        done += 1;
        if !named.is_empty() {
            out.push('\n');
            printer.define(&named, &mut out);
        }
    }
}

/// What may stand in a place, in a few words of the printed type.
pub(super) fn brief(shapes: &Shapes, shape: &Shape) -> String {
    let shape = shapes.resolve(shape);
    match &shape.what {
        What::Any | What::Named(_) => "any".into(),
        What::Null => "null".into(),
        What::Boolean => "boolean".into(),
        What::Integer => "integer".into(),
        What::Number => "number".into(),
        What::Text => "string".into(),
        What::Words(words) => listed(words.iter().map(|word| word.value.to_string()), " | "),
        What::List(item) => {
            let item = brief(shapes, item);
            if item.contains(" | ") {
                format!("({item})[]")
            } else {
                format!("{item}[]")
            }
        }
        What::Tuple(items) => format!(
            "[{}]",
            listed(items.iter().map(|item| brief(shapes, item)), ", ")
        ),
        What::Object(object) if object.fields.is_empty() => "{ .. }".into(),
        What::Object(object) => {
            let names = object.fields.iter().map(|field| key(&field.name));
            format!("{{ {} }}", listed(names, ", "))
        }
        // An alternative of an alternative is seldom, and what it says would be long.
        What::Either(list) => listed(
            list.iter().map(|shape| match shapes.resolve(shape).what {
                What::Either(_) | What::All(_) => "{ .. }".to_owned(),
                _ => brief(shapes, shape),
            }),
            " | ",
        ),
        What::All(_) => "{ .. }".into(),
    }
}

/// The first few of a list.
pub(super) fn listed(names: impl Iterator<Item = String>, between: &str) -> String {
    let mut names: Vec<String> = names.take(LISTED + 1).collect();
    if let Some(last) = names.get_mut(LISTED) {
        "..".clone_into(last);
    }
    names.join(between)
}

/// Bounds in words, as far as they are not those of the number type.
pub(super) fn limits(bounds: &Bounds, what: &What) -> String {
    let mut said = Vec::new();
    let text = |limit: &Option<super::shape::Limit>, inclusive: &str, exclusive: &str| {
        let limit = limit.as_ref().filter(|limit| !limit.implied)?;
        let word = if limit.exclusive {
            exclusive
        } else {
            inclusive
        };
        Some((word.to_owned(), limit.text.clone()))
    };
    let least = text(&bounds.least, "at least", "above");
    let most = text(&bounds.most, "at most", "below");
    match (least, most) {
        (Some((from, least)), Some((to, most))) if from == "at least" && to == "at most" => {
            said.push(format!("{least} to {most}"));
        }
        (least, most) => said.extend(
            [least, most]
                .into_iter()
                .flatten()
                .map(|(word, limit)| format!("{word} {limit}")),
        ),
    }
    let entries = |count: u64| match (what, count) {
        (What::Text, 1) => "1 character".to_owned(),
        (What::Text, count) => format!("{count} characters"),
        (_, 1) => "1 entry".to_owned(),
        (_, count) => format!("{count} entries"),
    };
    match (bounds.shortest.filter(|&least| least > 0), bounds.longest) {
        _ if matches!(what, What::Tuple(_)) => {}
        (Some(least), Some(most)) if least == most => said.push(entries(most)),
        (Some(least), Some(most)) => said.push(format!("{least} to {}", entries(most))),
        (Some(least), None) => said.push(format!("at least {}", entries(least))),
        (None, Some(most)) => said.push(format!("at most {}", entries(most))),
        (None, None) => {}
    }
    if bounds.unique {
        said.push("all different".into());
    }
    said.extend(bounds.format.clone());
    said.join(", ")
}

fn count_uses<'s>(shape: &'s Shape, uses: &mut BTreeMap<&'s str, usize>) {
    match &shape.what {
        What::Named(pointer) => *uses.entry(pointer).or_default() += 1,
        What::List(item) => count_uses(item, uses),
        What::Tuple(list) | What::Either(list) | What::All(list) => {
            for shape in list {
                count_uses(shape, uses);
            }
        }
        What::Object(object) => {
            object
                .fields
                .iter()
                .for_each(|field| count_uses(&field.shape, uses));
            if let Rest::Of(shape) = &object.rest {
                count_uses(shape, uses);
            }
        }
        _ => {}
    }
}

/// Whether a type is printed apart, under its name.
#[derive(Clone, Copy, PartialEq)]
enum Apart {
    /// It is being looked at: meeting it again means that it contains itself.
    Open,
    No,
    Yes,
}

struct Printer<'s> {
    shapes: &'s Shapes,
    uses: BTreeMap<&'s str, usize>,
    apart: RefCell<BTreeMap<String, Apart>>,
    /// Types that were named so far, in the order in which they were met.
    wanted: RefCell<Vec<String>>,
}

impl Printer<'_> {
    /// `Name = {..}`
    fn define(&self, pointer: &str, out: &mut String) {
        let Some(shape) = self.shapes.named.get(pointer) else {
            return;
        };
        out.push_str(&self.shapes.name(pointer));
        out.push_str(" =");
        let layout = self.value(shape, 0);
        if !matches!(&layout, Layout::Block { head, .. } if head.is_empty()) {
            out.push(' ');
        }
        Self::finish(layout, &self.comment(shape), 0, out);
    }

    /// Whether a type contains itself, or is long and used more than once.
    fn is_apart(&self, pointer: &str) -> bool {
        if pointer.is_empty() {
            return true;
        }
        let known = self.apart.borrow().get(pointer).copied();
        match known {
            Some(Apart::Yes) => return true,
            Some(Apart::No) => return false,
            Some(Apart::Open) => {
                self.apart
                    .borrow_mut()
                    .insert(pointer.to_owned(), Apart::Yes);
                return true;
            }
            None => {}
        }
        let Some(shape) = self.shapes.named.get(pointer) else {
            return false;
        };
        self.apart
            .borrow_mut()
            .insert(pointer.to_owned(), Apart::Open);
        // What is only tried leaves no names.
        let named = self.wanted.borrow().len();
        let lines = match self.value(shape, 0) {
            Layout::Line(_) => 1,
            Layout::Block { body, .. } => body.lines().count() + 2,
        };
        self.wanted.borrow_mut().truncate(named);
        let often = self.uses.get(pointer).is_some_and(|&uses| uses > 1);
        let contains_itself = self.apart.borrow().get(pointer) == Some(&Apart::Yes);
        let apart = contains_itself || (often && lines > INLINE_LINES);
        let apart_is = if apart { Apart::Yes } else { Apart::No };
        self.apart.borrow_mut().insert(pointer.to_owned(), apart_is);
        apart
    }

    fn value(&self, shape: &Shape, level: usize) -> Layout {
        match &shape.what {
            What::Named(pointer) if self.is_apart(pointer) => {
                if !self.wanted.borrow().contains(pointer) {
                    self.wanted.borrow_mut().push(pointer.clone());
                }
                Layout::Line(self.shapes.name(pointer).into_owned())
            }
            What::Named(pointer) => match self.shapes.named.get(pointer) {
                Some(shape) => {
                    let layout = self.value(shape, level);
                    Self::nullable(shape, layout, level)
                }
                None => Layout::Line("any".into()),
            },
            What::Words(words) => Self::words(words, level),
            What::List(item) => {
                let layout = self.value(item, level);
                list_of(Self::nullable(item, layout, level))
            }
            What::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.line(item)).collect();
                Layout::Line(format!("[{}]", items.join(", ")))
            }
            What::Object(object) => self.object(&[object], level),
            What::All(parts) => self.all(parts, level),
            What::Either(list) => self.either(list, level),
            _ => Layout::Line(brief(self.shapes, shape)),
        }
    }

    fn nullable(shape: &Shape, layout: Layout, level: usize) -> Layout {
        if !shape.nullable {
            return layout;
        }
        match layout {
            Layout::Line(text) => Layout::Line(format!("{text} | null")),
            Layout::Block { head, body, tail } if head.is_empty() => Layout::Block {
                body: format!("{body}{}| null\n", indent(level + 1)),
                head,
                tail,
            },
            Layout::Block { head, body, tail } => Layout::Block {
                head,
                body,
                tail: tail + " | null",
            },
        }
    }

    /// Words in a line, or, where one of them has a comment, in a line each.
    fn words(words: &[Word], level: usize) -> Layout {
        if words.iter().all(|word| word.doc.is_empty()) {
            let words: Vec<String> = words.iter().map(|word| word.value.to_string()).collect();
            return Layout::Line(words.join(" | "));
        }
        let mut body = String::new();
        for word in words {
            body.push_str(&indent(level + 1));
            body.push_str("| ");
            body.push_str(&word.value.to_string());
            push_comment(&word.doc, &mut body);
            body.push('\n');
        }
        Layout::Block {
            head: String::new(),
            body,
            tail: String::new(),
        }
    }

    fn either(&self, list: &[Shape], level: usize) -> Layout {
        let comments: Vec<String> = list.iter().map(|shape| self.comment(shape)).collect();
        let lines: Vec<Layout> = list
            .iter()
            .map(|shape| match self.short(shape) {
                Some(line) => Layout::Line(line),
                None => self.value(shape, level + 1),
            })
            .collect();
        let is_object = |text: &str| text.starts_with('{');
        let plain: Option<Vec<&str>> = lines
            .iter()
            .map(|layout| match layout {
                Layout::Line(text) if !is_object(text) => Some(text.as_str()),
                _ => None,
            })
            .collect();
        if let Some(plain) = plain.filter(|_| comments.iter().all(String::is_empty)) {
            return Layout::Line(plain.join(" | "));
        }
        let mut body = String::new();
        for (layout, comment) in lines.into_iter().zip(comments) {
            // Alternatives of an alternative stand among the others.
            if let Layout::Block {
                head, body: inner, ..
            } = &layout
                && head.is_empty()
            {
                body.push_str(inner);
                continue;
            }
            body.push_str(&indent(level + 1));
            body.push_str("| ");
            Self::finish(layout, &comment, level + 1, &mut body);
            body.push('\n');
        }
        Layout::Block {
            head: String::new(),
            body,
            tail: String::new(),
        }
    }

    /// An object in several parts: what `flatten` and tagged variants give.
    fn all(&self, parts: &[Shape], level: usize) -> Layout {
        let mut objects = Vec::new();
        let mut others = Vec::new();
        for part in parts {
            match &self.shapes.resolve(part).what {
                What::Object(object) => objects.push(object),
                _ => others.push(part),
            }
        }
        if others.is_empty() {
            return self.object(&objects, level);
        }
        let mut lines: Vec<String> = Vec::new();
        if !objects.is_empty() {
            lines.push(
                self.object_line(&objects)
                    .unwrap_or_else(|| "{ .. }".into()),
            );
        }
        lines.extend(
            others
                .into_iter()
                .map(|part| format!("({})", self.line(part))),
        );
        Layout::Line(lines.join(" & "))
    }

    fn object(&self, parts: &[&Object], level: usize) -> Layout {
        let mut body = String::new();
        let mut names = BTreeSet::new();
        let inner = indent(level + 1);
        let fields = parts.iter().flat_map(|part| &part.fields);
        for field in fields.filter(|field| names.insert(field.name.as_str())) {
            body.push_str(&inner);
            body.push_str(&key(&field.name));
            body.push_str(if field.required { ":" } else { "?:" });
            let mut layout = self.value(&field.shape, level + 1);
            if field.required {
                layout = Self::nullable(&field.shape, layout, level + 1);
            }
            if !matches!(&layout, Layout::Block { head, .. } if head.is_empty()) {
                body.push(' ');
            }
            Self::finish(layout, &self.comment(&field.shape), level + 1, &mut body);
            body.push('\n');
        }
        let rest = parts.iter().find_map(|part| match &part.rest {
            Rest::Of(shape) => Some(shape),
            _ => None,
        });
        match rest {
            Some(shape) if body.is_empty() => match self.value(shape, level) {
                Layout::Line(text) => {
                    let layout = Self::nullable(shape, Layout::Line(text), level);
                    let Layout::Line(text) = layout else {
                        return layout;
                    };
                    Layout::Line(format!("{{ [key: string]: {text} }}"))
                }
                Layout::Block { head, body, tail } if !head.is_empty() => Layout::Block {
                    head: format!("{{ [key: string]: {head}"),
                    body,
                    tail: tail + " }",
                },
                Layout::Block { .. } => {
                    Layout::Line(format!("{{ [key: string]: {} }}", self.line(shape)))
                }
            },
            Some(shape) => {
                body.push_str(&inner);
                body.push_str("[key: string]: ");
                let layout = self.value(shape, level + 1);
                Self::finish(layout, &self.comment(shape), level + 1, &mut body);
                body.push('\n');
                braces(body)
            }
            None if body.is_empty()
                && parts.iter().any(|part| matches!(part.rest, Rest::Anything)) =>
            {
                Layout::Line("{ [key: string]: any }".into())
            }
            None if body.is_empty() => Layout::Line("{}".into()),
            None => braces(body),
        }
    }

    /// An object of a variant on one line, if it is short and has no comments.
    fn short(&self, shape: &Shape) -> Option<String> {
        let line = match &self.shapes.resolve(shape).what {
            What::Object(object) if !object.fields.is_empty() => self.object_line(&[object]),
            What::All(parts) => {
                let objects = parts
                    .iter()
                    .map(|part| match &self.shapes.resolve(part).what {
                        What::Object(object) => Some(object),
                        _ => None,
                    });
                self.object_line(&objects.collect::<Option<Vec<_>>>()?)
            }
            _ => None,
        };
        line.filter(|line| line.len() <= LONGEST_LINE)
    }

    fn object_line(&self, parts: &[&Object]) -> Option<String> {
        let mut names = BTreeSet::new();
        let mut fields = Vec::new();
        for field in parts.iter().flat_map(|part| &part.fields) {
            if !names.insert(field.name.as_str()) {
                continue;
            }
            if !self.comment(&field.shape).is_empty() {
                return None;
            }
            let layout = match self.short(&field.shape) {
                Some(line) => Layout::Line(line),
                None => self.value(&field.shape, 0),
            };
            let Layout::Line(text) = layout else {
                return None;
            };
            let mark = if field.required { "" } else { "?" };
            fields.push(format!("{}{mark}: {text}", key(&field.name)));
        }
        Some(format!("{{ {} }}", fields.join(", ")))
    }

    /// A shape where there is only room for a line.
    fn line(&self, shape: &Shape) -> String {
        let text = match self.value(shape, 0) {
            Layout::Line(text) => text,
            Layout::Block { .. } => self
                .short(shape)
                .unwrap_or_else(|| brief(self.shapes, shape)),
        };
        if shape.nullable {
            text + " | null"
        } else {
            text
        }
    }

    /// What is said behind a shape: its doc comment, those of its type and of its elements if they are printed in place, and
    /// limits.
    fn comment(&self, shape: &Shape) -> String {
        let mut said: Vec<String> = Vec::new();
        let mut limited = Vec::new();
        let mut within = Some(shape);
        while let Some(shape) = within {
            if !said.contains(&shape.doc) {
                said.push(shape.doc.clone());
            }
            limited.push(limits(&shape.bounds, &shape.what));
            within = match &shape.what {
                What::Named(pointer) if !self.is_apart(pointer) => self.shapes.named.get(pointer),
                What::List(item) => Some(item),
                _ => None,
            };
        }
        said.retain(|text| !text.is_empty());
        limited.retain(|text| !text.is_empty());
        let (doc, limits) = (said.join(" "), limited.join(", each "));
        match (doc.is_empty(), limits.is_empty()) {
            (_, true) => doc,
            (true, false) => limits,
            (false, false) => format!("{doc} ({limits})"),
        }
    }

    /// Writes a piece and the comment: behind the line, or behind what opens the block.
    fn finish(layout: Layout, comment: &str, level: usize, out: &mut String) {
        match layout {
            Layout::Line(text) => {
                out.push_str(&text);
                push_comment(comment, out);
            }
            Layout::Block { head, body, tail } => {
                out.push_str(&head);
                push_comment(comment, out);
                out.push('\n');
                out.push_str(&body);
                if tail.is_empty() {
                    // The caller ends the last line.
                    out.truncate(out.trim_end_matches('\n').len());
                } else {
                    out.push_str(&indent(level));
                    out.push_str(&tail);
                }
            }
        }
    }
}

fn braces(body: String) -> Layout {
    Layout::Block {
        head: "{".into(),
        body,
        tail: "}".into(),
    }
}

fn list_of(layout: Layout) -> Layout {
    match layout {
        Layout::Line(text) if text.contains(" | ") || text.contains(" & ") => {
            Layout::Line(format!("({text})[]"))
        }
        Layout::Line(text) => Layout::Line(text + "[]"),
        Layout::Block { head, body, .. } if head.is_empty() => Layout::Block {
            head: "(".into(),
            body,
            tail: ")[]".into(),
        },
        Layout::Block { head, body, tail } if tail.ends_with(" | null") => Layout::Block {
            head: format!("({head}"),
            body,
            tail: tail + ")[]",
        },
        Layout::Block { head, body, tail } => Layout::Block {
            head,
            body,
            tail: tail + "[]",
        },
    }
}

fn push_comment(comment: &str, out: &mut String) {
    if !comment.is_empty() {
        out.push_str(" // ");
        out.push_str(comment);
    }
}

fn indent(level: usize) -> String {
    "  ".repeat(level)
}

/// A key, in quotes where it is no name.
fn key(name: &str) -> String {
    let mut chars = name.chars();
    let is_name = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_');
    if is_name {
        name.to_owned()
    } else {
        serde_json::Value::from(name).to_string()
    }
}
