//! The printed form of a type. Its shape comes in; out goes text as a person would write it: a field per line, `?` for what
//! may be left out, doc comments behind it.

use super::shape::{Bounds, Field, Object, Pattern, Rest, Shape, Shapes, What, Word};
use std::collections::{BTreeMap, BTreeSet};

/// Longest object that is written on one line.
const LONGEST_LINE: usize = 100;
/// A type that is used more than once is written in place up to so many lines, else once under its name.
const INLINE_LINES: usize = 5;
/// Words or fields that a fault lists.
const LISTED: usize = 10;

/// A piece of the printed type: a line is its head alone. Other pieces are opened by the head, which a comment may follow; then
/// comes the body, whole lines, and the tail on a line of its own. Without head and tail the body is a union, a line for each
/// alternative.
#[derive(Default)]
struct Layout {
    head: String,
    body: String,
    tail: String,
}

impl Layout {
    fn line(text: impl Into<String>) -> Self {
        Self {
            head: text.into(),
            ..Self::default()
        }
    }

    fn union(body: String) -> Self {
        Self {
            body,
            ..Self::default()
        }
    }

    fn braces(body: String) -> Self {
        Self {
            head: "{".into(),
            body,
            tail: "}".into(),
        }
    }

    fn is_line(&self) -> bool {
        self.body.is_empty()
    }

    fn is_union(&self) -> bool {
        self.head.is_empty()
    }

    fn or_null(mut self, level: usize) -> Self {
        if self.is_line() {
            self.head.push_str(" | null");
        } else if self.is_union() {
            self.body.push_str(&indent(level + 1));
            self.body.push_str("| null\n");
        } else {
            self.tail.push_str(" | null");
        }
        self
    }

    fn list(self) -> Self {
        let Self { head, body, tail } = self;
        if body.is_empty() {
            let is_joined = head.contains(" | ") || head.contains(" & ");
            Self::line(if is_joined {
                format!("({head})[]")
            } else {
                head + "[]"
            })
        } else if head.is_empty() || tail.ends_with(" | null") || tail == ")" {
            Self {
                head: format!("({head}"),
                body,
                tail: tail + ")[]",
            }
        } else {
            Self {
                head,
                body,
                tail: tail + "[]",
            }
        }
    }

    /// Both at once: `{..} & (..)`.
    fn and(self, other: Self, level: usize) -> Self {
        let other = match other {
            Self { head, body, .. } if head.is_empty() => Self {
                head: "(".into(),
                body,
                tail: ")".into(),
            },
            other => other,
        };
        if self.is_line() {
            let head = format!("{} & {}", self.head, other.head);
            return Self { head, ..other };
        }
        let end = format!("{} & {}", self.tail, other.head);
        if other.is_line() {
            return Self { tail: end, ..self };
        }
        Self {
            body: format!("{}{}{end}\n{}", self.body, indent(level), other.body),
            ..Self {
                head: self.head,
                ..other
            }
        }
    }

    /// Writes the piece and the comment: behind the line, or behind what opens the block.
    fn write(&self, comment: &str, level: usize, out: &mut String) {
        out.push_str(&self.head);
        push_comment(comment, out);
        if self.is_line() {
            return;
        }
        out.push('\n');
        out.push_str(&self.body);
        if self.tail.is_empty() {
            // The caller ends the last line.
            out.truncate(out.trim_end_matches('\n').len());
        } else {
            out.push_str(&indent(level));
            out.push_str(&self.tail);
        }
    }
}

/// The whole type: the root, and what is printed under its name.
pub(super) fn print(shapes: &Shapes) -> String {
    let mut uses = BTreeMap::new();
    count_uses(&shapes.root, &mut uses);
    for shape in shapes.named.values() {
        count_uses(shape, &mut uses);
    }
    let mut printer = Printer {
        shapes,
        uses,
        apart: BTreeMap::new(),
        wanted: Vec::new(),
    };
    let mut out = String::new();
    if shapes.named.contains_key("") {
        printer.define("", &mut out);
    } else {
        let layout = printer.nullable(&shapes.root, 0);
        if layout.is_union() {
            // A union that stands alone has no line above it.
            let lines = layout.body.lines();
            let lines = lines.map(|line| line.strip_prefix("  ").unwrap_or(line));
            out.push_str(&lines.collect::<Vec<_>>().join("\n"));
        } else {
            layout.write(&printer.comment(&shapes.root), 0, &mut out);
        }
    }
    // Printing a type may name others.
    let mut done = 0;
    while let Some(&named) = printer.wanted.get(done) {
        done += 1;
        if !named.is_empty() {
            out.push('\n');
            printer.define(named, &mut out);
        }
    }
    out
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
        // An alternative of an alternative is seldom, and what it says would be long.
        What::Either(list) => listed(
            list.iter().map(|shape| match shapes.resolve(shape).what {
                What::Either(_) => "{ .. }".to_owned(),
                _ => brief(shapes, shape),
            }),
            " | ",
        ),
        What::Object(_) | What::All(_) => {
            let objects: Option<Vec<&Object>> = shapes.objects(shape).into_iter().collect();
            let objects = objects.into_iter().flatten();
            let fields: Vec<&Field> = objects.flat_map(|object| &object.fields).collect();
            if fields.is_empty() {
                return "{ .. }".into();
            }
            let fields = fields.into_iter().map(brief_field);
            format!("{{ {} }}", listed(fields, ", "))
        }
    }
}

/// The name of a field, and of a tag its word.
fn brief_field(field: &Field) -> String {
    match &field.shape.what {
        What::Words(words) if words.len() == 1 && field.required => {
            format!("{}: {}", key(&field.name), words[0].value)
        }
        _ => key(&field.name),
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
    let least = bounds.least.as_ref().filter(|limit| !limit.implied);
    let most = bounds.most.as_ref().filter(|limit| !limit.implied);
    match (least, most) {
        (Some(least), Some(most)) if !least.exclusive && !most.exclusive => {
            said.push(format!("{} to {}", least.text, most.text));
        }
        _ => {
            let words = [(least, ["at least", "above"]), (most, ["at most", "below"])];
            said.extend(words.into_iter().filter_map(|(limit, words)| {
                let limit = limit?;
                let word = words[usize::from(limit.exclusive)];
                Some(format!("{word} {}", limit.text))
            }));
        }
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
    let pattern = bounds.pattern.as_ref();
    said.extend(pattern.map(|Pattern(regex)| format!("like `{}`", regex.as_str())));
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
            for field in &object.fields {
                count_uses(&field.shape, uses);
            }
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
    apart: BTreeMap<&'s str, Apart>,
    /// Types that were named so far, in the order in which they were met.
    wanted: Vec<&'s str>,
}

impl<'s> Printer<'s> {
    /// `Name = {..}`
    fn define(&mut self, pointer: &'s str, out: &mut String) {
        if let Some(shape) = self.shapes.named.get(pointer) {
            let name = format!("{} =", self.shapes.name(pointer));
            let layout = self.value(shape, 0);
            self.write(&name, &layout, shape, 0, out);
        }
    }

    /// Writes what has a name: a union begins on the next line.
    fn write(
        &mut self,
        name: &str,
        layout: &Layout,
        shape: &'s Shape,
        level: usize,
        out: &mut String,
    ) {
        out.push_str(name);
        out.push_str(if layout.is_union() { "" } else { " " });
        layout.write(&self.comment(shape), level, out);
    }

    /// Whether a type contains itself, or is long and used more than once.
    fn is_apart(&mut self, pointer: &'s str) -> bool {
        match self.apart.get(pointer) {
            _ if pointer.is_empty() => return true,
            Some(Apart::Open | Apart::Yes) => {
                self.apart.insert(pointer, Apart::Yes);
                return true;
            }
            Some(Apart::No) => return false,
            None => {}
        }
        let Some(shape) = self.shapes.named.get(pointer) else {
            return false;
        };
        self.apart.insert(pointer, Apart::Open);
        // What is only tried leaves no names.
        let named = self.wanted.len();
        let layout = self.value(shape, 0);
        self.wanted.truncate(named);
        let is_long = layout.body.lines().count() + 2 > INLINE_LINES;
        let often = self.uses.get(pointer).is_some_and(|&uses| uses > 1);
        let contains_itself = self.apart.get(pointer) == Some(&Apart::Yes);
        let is_apart = contains_itself || (often && is_long);
        let known = if is_apart { Apart::Yes } else { Apart::No };
        self.apart.insert(pointer, known);
        is_apart
    }

    /// A shape, and null where that may stand here, too.
    fn nullable(&mut self, shape: &'s Shape, level: usize) -> Layout {
        let layout = self.value(shape, level);
        if shape.nullable {
            layout.or_null(level)
        } else {
            layout
        }
    }

    fn value(&mut self, shape: &'s Shape, level: usize) -> Layout {
        match &shape.what {
            What::Named(pointer) if self.is_apart(pointer) => {
                if !self.wanted.contains(&pointer.as_str()) {
                    self.wanted.push(pointer);
                }
                Layout::line(self.shapes.name(pointer))
            }
            What::Named(pointer) => match self.shapes.named.get(pointer) {
                Some(shape) => self.nullable(shape, level),
                None => Layout::line("any"),
            },
            What::Words(words) => Self::words(words, level),
            What::List(item) => self.nullable(item, level).list(),
            What::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.line(item)).collect();
                Layout::line(format!("[{}]", items.join(", ")))
            }
            What::Object(object) => self.object(&[object], level),
            What::All(parts) => self.all(parts, level),
            What::Either(list) => self.either(list, level),
            _ => Layout::line(brief(self.shapes, shape)),
        }
    }

    /// Words in a line, or, where one of them has a comment, in a line each.
    fn words(words: &[Word], level: usize) -> Layout {
        if words.iter().all(|word| word.doc.is_empty()) {
            let words: Vec<String> = words.iter().map(|word| word.value.to_string()).collect();
            return Layout::line(words.join(" | "));
        }
        let mut body = String::new();
        for word in words {
            body.extend([&indent(level + 1), "| ", &word.value.to_string()]);
            push_comment(&word.doc, &mut body);
            body.push('\n');
        }
        Layout::union(body)
    }

    fn either(&mut self, list: &'s [Shape], level: usize) -> Layout {
        let comments: Vec<String> = list.iter().map(|shape| self.comment(shape)).collect();
        let layout = |shape: &'s Shape| match self.short(shape) {
            Some(line) => Layout::line(line),
            None => self.value(shape, level + 1),
        };
        let layouts: Vec<Layout> = list.iter().map(layout).collect();
        let is_plain = |layout: &Layout| layout.is_line() && !layout.head.starts_with('{');
        if layouts.iter().all(is_plain) && comments.iter().all(String::is_empty) {
            let heads: Vec<&str> = layouts.iter().map(|layout| layout.head.as_str()).collect();
            return Layout::line(heads.join(" | "));
        }
        let mut body = String::new();
        for (layout, comment) in layouts.iter().zip(comments) {
            // Alternatives of an alternative stand among the others.
            if layout.is_union() {
                body.push_str(&layout.body);
                continue;
            }
            body.extend([&indent(level + 1), "| "]);
            layout.write(&comment, level + 1, &mut body);
            body.push('\n');
        }
        Layout::union(body)
    }

    /// An object in several parts: what `flatten` and tagged variants give.
    fn all(&mut self, parts: &'s [Shape], level: usize) -> Layout {
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
        let fields = (!objects.is_empty()).then(|| self.object(&objects, level));
        let parts = others.into_iter().map(|part| self.value(part, level));
        let parts: Vec<Layout> = fields.into_iter().chain(parts).collect();
        let both = parts.into_iter().reduce(|one, other| one.and(other, level));
        both.unwrap_or_default()
    }

    fn object(&mut self, parts: &[&'s Object], level: usize) -> Layout {
        let mut body = String::new();
        let mut names = BTreeSet::new();
        let inner = indent(level + 1);
        let fields = parts.iter().flat_map(|part| &part.fields);
        for field in fields.filter(|field| names.insert(field.name.as_str())) {
            let shape = &field.shape;
            // What may be left out need not be null.
            let (mark, layout) = if field.required {
                (":", self.nullable(shape, level + 1))
            } else {
                ("?:", self.value(shape, level + 1))
            };
            let name = format!("{inner}{}{mark}", key(&field.name));
            self.write(&name, &layout, shape, level + 1, &mut body);
            body.push('\n');
        }
        let rest = parts.iter().find_map(|part| match &part.rest {
            Rest::Of(shape) => Some(shape),
            _ => None,
        });
        let is_open = parts.iter().any(|part| matches!(part.rest, Rest::Anything));
        match rest {
            Some(shape) if body.is_empty() => {
                let layout = self.nullable(shape, level);
                let layout = if layout.is_union() {
                    Layout::line(self.line(shape))
                } else {
                    layout
                };
                map_of(layout)
            }
            Some(shape) => {
                body.extend([&inner, "[key: string]: "]);
                let layout = self.nullable(shape, level + 1);
                layout.write(&self.comment(shape), level + 1, &mut body);
                body.push('\n');
                Layout::braces(body)
            }
            None if !body.is_empty() => Layout::braces(body),
            None if is_open => Layout::line("{ [key: string]: any }"),
            None => Layout::line("{}"),
        }
    }

    /// An object of a variant on one line, if it is short and has no comments.
    fn short(&mut self, shape: &'s Shape) -> Option<String> {
        let objects: Option<Vec<&Object>> = self.shapes.objects(shape).into_iter().collect();
        let line = match objects?.as_slice() {
            [] => None,
            [object] if object.fields.is_empty() => None,
            objects => self.object_line(objects),
        };
        line.filter(|line| line.len() <= LONGEST_LINE)
    }

    fn object_line(&mut self, parts: &[&'s Object]) -> Option<String> {
        let mut names = BTreeSet::new();
        let mut fields = Vec::new();
        for field in parts.iter().flat_map(|part| &part.fields) {
            if !names.insert(field.name.as_str()) {
                continue;
            }
            if !self.comment(&field.shape).is_empty() {
                return None;
            }
            let text = match self.short(&field.shape) {
                Some(line) => line,
                None => self.as_line(&field.shape)?,
            };
            let mark = if field.required { "" } else { "?" };
            fields.push(format!("{}{mark}: {text}", key(&field.name)));
        }
        Some(format!("{{ {} }}", fields.join(", ")))
    }

    fn as_line(&mut self, shape: &'s Shape) -> Option<String> {
        let layout = self.value(shape, 0);
        layout.is_line().then_some(layout.head)
    }

    /// A shape where there is only room for a line.
    fn line(&mut self, shape: &'s Shape) -> String {
        let line = self.as_line(shape).or_else(|| self.short(shape));
        let text = line.unwrap_or_else(|| brief(self.shapes, shape));
        let null = if shape.nullable { " | null" } else { "" };
        text + null
    }

    /// The comment behind a shape: its doc comment, that of its type if it is printed in place, and limits; then the same of
    /// its elements.
    fn comment(&mut self, shape: &'s Shape) -> String {
        let mut said = vec![Said::default()];
        let mut within = Some(shape);
        while let Some(shape) = within {
            if let Some(last) = said.last_mut() {
                last.add(&shape.doc, limits(&shape.bounds, &shape.what));
            }
            within = match &shape.what {
                What::Named(pointer) if !self.is_apart(pointer) => self.shapes.named.get(pointer),
                What::List(item) => {
                    said.push(Said::default());
                    Some(item)
                }
                _ => None,
            };
        }
        said.retain(|said| !said.docs.is_empty() || !said.limits.is_empty());
        let mut said = said.into_iter();
        let mut whole = said.next().unwrap_or_default();
        let mut each = String::new();
        for inner in said {
            if inner.docs.is_empty() && each.is_empty() {
                whole.limits.extend(inner.limits);
            } else {
                each.push_str(" Each: ");
                each.push_str(&inner.text());
            }
        }
        whole.text() + &each
    }
}

/// What a comment says of a value.
#[derive(Default)]
struct Said<'s> {
    docs: Vec<&'s str>,
    limits: Vec<String>,
}

impl<'s> Said<'s> {
    fn add(&mut self, doc: &'s str, limits: String) {
        if !doc.is_empty() && !self.docs.contains(&doc) {
            self.docs.push(doc);
        }
        self.limits
            .extend(Some(limits).filter(|limits| !limits.is_empty()));
    }

    fn text(&self) -> String {
        let (doc, limits) = (self.docs.join(" "), self.limits.join(", each "));
        match (doc.is_empty(), limits.is_empty()) {
            (_, true) => doc,
            (true, false) => limits,
            (false, false) => format!("{doc} ({limits})"),
        }
    }
}

/// An object with any keys, all of whose values are of one type.
fn map_of(layout: Layout) -> Layout {
    let head = format!("{{ [key: string]: {}", layout.head);
    if layout.is_line() {
        return Layout::line(head + " }");
    }
    Layout {
        head,
        tail: layout.tail + " }",
        ..layout
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
pub(super) fn key(name: &str) -> String {
    let mut chars = name.chars();
    let is_name = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
        && chars.all(|c| c.is_alphanumeric() || c == '_');
    if is_name {
        name.to_owned()
    } else {
        serde_json::Value::from(name).to_string()
    }
}
