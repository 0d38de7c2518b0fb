//! The cases of the design, and a small printer that follows what the list of elements says and nothing else.
#![allow(dead_code, reason = "each test program uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

pub(crate) mod texts;

use prompt_syntax::{
    Context, Each, Element, Form, Inline, Options, Origin, Parsed, Part, Place, Tables, Used, parse,
};
use serde_json::Value;

/// The cases of one family in `elements.json`.
pub(crate) fn cases(family: &str) -> Vec<Value> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/cases/elements.json"
    );
    let text = std::fs::read_to_string(path).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    all[family].as_array().unwrap().clone()
}

/// Cases that say something else than the guide, each with what holds instead.
const SKIPPED: [(&str, &str); 1] = [(
    "lo25",
    "a blank line at the start of a loop's body stands before every item, the first too",
)];

/// Runs all cases of a family and reports those that fail together.
pub(crate) fn run_all(family: &str, check: impl Fn(&Value) -> Result<(), String>) {
    let cases = cases(family);
    assert!(!cases.is_empty());
    let failed: Vec<String> = cases
        .iter()
        .filter(|case| !SKIPPED.iter().any(|(id, _)| case["id"] == *id))
        .filter_map(|case| {
            check(case)
                .err()
                .map(|error| format!("{}: {error}", case["id"]))
        })
        .collect();
    assert!(
        failed.is_empty(),
        "{} of {} cases\n{}",
        failed.len(),
        cases.len(),
        failed.join("\n")
    );
}

/// A node's text, read with the names of an object.
pub(crate) fn read(text: &str, values: &Value) -> Parsed {
    let names: Vec<&str> = values
        .as_object()
        .map(|values| values.keys().map(String::as_str).collect())
        .unwrap_or_default();
    let options = Options {
        names: &names,
        ..Options::new(Place::Node)
    };
    parse(text, &options)
}

/// What a list prints with some values.
pub(crate) fn print(parsed: Parsed, values: &Value) -> String {
    let mut tables = Tables::new(&[]);
    let text = tables.text(parsed.elements, &Context::default());
    let mut printer = Printer {
        tables: &tables,
        values,
        items: vec![None; tables.loops().len()],
        page: Page::default(),
        is_code: false,
    };
    printer.elements(&text.elements);
    printer.page.out
}

/// A page: what was printed, and the white space that is owed.
#[derive(Clone, Default)]
struct Page {
    out: String,
    /// Blank lines that are owed behind a line break, and whether the line that has ended was a marker, so that the
    /// next break is its own.
    owed: Option<(String, bool)>,
    /// Something of the line stands.
    has_line: bool,
    /// What stands of a line that goes if no more comes.
    held: Option<String>,
}

impl Page {
    fn gap(&mut self, gap: &str) {
        let blanks = &gap[1..];
        self.held = None;
        if self.has_line {
            self.owed = Some((blanks.into(), false));
        } else if let Some((owed, is_open)) = &mut self.owed {
            if *is_open {
                owed.push_str(blanks);
                *is_open = false;
            } else if !blanks.is_empty() {
                *owed = blanks.into();
            }
        }
        self.has_line = false;
    }

    /// Blank lines of a branch.
    fn owe(&mut self, blanks: &str) {
        if let Some((owed, _)) = &mut self.owed {
            owed.push_str(blanks);
        }
    }

    fn text(&mut self, text: &str) {
        if let Some(held) = &mut self.held {
            held.push_str(text);
            if text.trim_matches([' ', '\t']).is_empty() {
                return;
            }
            let held = self.held.take().unwrap();
            self.put(&held);
        } else if !text.is_empty() {
            self.put(text);
        }
    }

    fn put(&mut self, text: &str) {
        if let Some((blanks, _)) = self.owed.take() {
            self.out.push('\n');
            self.out.push_str(&blanks);
        }
        self.out.push_str(text);
        self.has_line = true;
    }
}

struct Printer<'p> {
    tables: &'p Tables,
    values: &'p Value,
    /// The item of each loop, its index, and how many there are.
    items: Vec<Option<(Value, usize, usize)>>,
    page: Page,
    /// Blank lines are lines like others.
    is_code: bool,
}

impl Printer<'_> {
    fn elements(&mut self, list: &[Element]) {
        for (index, element) in list.iter().enumerate() {
            if index > 0 {
                self.page.gap(&format!("\n{}", element.metadata()));
            }
            self.element(element);
        }
    }

    fn element(&mut self, element: &Element) {
        match element {
            Element::Title {
                level,
                text,
                margins,
                ..
            } => {
                let page = std::mem::take(&mut self.page);
                self.pieces(text.iter().as_slice());
                let title = std::mem::replace(&mut self.page, page).out;
                if !title.is_empty() {
                    let hashes = "#".repeat(usize::from(*level));
                    let (before, behind, close) =
                        (&margins.before, &margins.behind, &margins.close);
                    self.page
                        .text(&format!("{before}{hashes}{behind}{title}{close}"));
                }
            }
            Element::Text { text, .. } => self.pieces(text.iter().as_slice()),
            Element::Code {
                fence,
                info,
                after_info,
                text,
                close,
                ..
            } => {
                self.page.text(fence);
                self.pieces(info.iter().as_slice());
                self.page.text(after_info);
                self.is_code = true;
                if !text.is_empty() {
                    self.page.gap("\n");
                    self.pieces(text.iter().as_slice());
                }
                self.is_code = false;
                if !close.is_empty() {
                    self.page.gap("\n");
                    self.page.text(close);
                }
            }
            Element::Slot { .. } => {}
            Element::If { branches, .. } => {
                let holds = self.ask(&self.tables.conditions()[usize::from(branches.index)]);
                let part = if holds == branches.negated {
                    branches.otherwise.as_ref()
                } else {
                    Some(&branches.then)
                };
                self.part(branches.form, part, Self::elements);
            }
            Element::Each { branches, .. } => self.each(branches, Self::elements),
        }
    }

    fn pieces(&mut self, list: &[Inline]) {
        for piece in list {
            self.piece(piece);
        }
    }

    fn piece(&mut self, piece: &Inline) {
        match piece {
            Inline::Literal(text) | Inline::Escaped(text) => self.text(text),
            Inline::Fence { is_open } => self.is_code = *is_open,
            Inline::Nothing => {
                let held = self.page.held.take().unwrap_or_default();
                self.page.put(&held);
            }
            Inline::Value { index, quote, .. } => {
                let value = self.value(&self.tables.values()[usize::from(*index)]);
                self.text(&quoted(&value, quote));
            }
            // Nothing is worded here.
            Inline::Special(_) | Inline::Blocks(_) => {}
            Inline::Line { head } => self.page.held = Some(head.to_string()),
            Inline::Break(gap) if self.is_code => {
                self.page.gap("\n");
                self.blank_lines(&gap[1..]);
            }
            Inline::Break(gap) => self.page.gap(gap),
            Inline::If(branches) => {
                let holds = self.ask(&self.tables.conditions()[usize::from(branches.index)]);
                let part = if holds == branches.negated {
                    branches.otherwise.as_ref()
                } else {
                    Some(&branches.then)
                };
                self.part(branches.form, part, Self::pieces);
            }
            Inline::Each(branches) => self.each(branches, Self::pieces),
        }
    }

    /// In code a line is there, whatever is on it.
    fn text(&mut self, text: &str) {
        if self.is_code && self.page.held.is_none() {
            self.page.put(text);
        } else {
            self.page.text(text);
        }
    }

    /// Blank lines of code, each with its break.
    fn blank_lines(&mut self, lines: &str) {
        for line in lines.split_terminator('\n') {
            self.page.put(line);
            self.page.gap("\n");
        }
    }

    fn part<T: Clone>(
        &mut self,
        form: Form,
        part: Option<&Part<T>>,
        print: impl Fn(&mut Self, &[T]),
    ) {
        let Some(part) = part else { return };
        if form != Form::Block {
            return print(self, &part.list);
        }
        if self.is_code {
            self.blank_lines(&part.lead);
            print(self, &part.list);
            self.end_block("");
            return self.blank_lines(&part.trail);
        }
        if part.list.is_empty() && !part.lead.is_empty() {
            // A branch of nothing but blank lines prints them.
            self.page.owe(&part.lead);
            if let Some((_, is_open)) = &mut self.page.owed {
                *is_open = true;
            }
            return;
        }
        let before = self.page.clone();
        self.page.owe(&part.lead);
        print(self, &part.list);
        if self.page.out.len() == before.out.len() && !self.page.has_line {
            self.page = before;
            return;
        }
        self.end_block(&part.trail);
    }

    fn end_block(&mut self, trail: &str) {
        if self.page.has_line {
            self.page.owed = Some((trail.into(), true));
        } else if !trail.is_empty() {
            // Something has vanished at the end of the branch: later blank lines replace those before it.
            self.page.owed = Some((trail.into(), true));
        }
        self.page.has_line = false;
    }

    fn each<T: Clone>(&mut self, branches: &Each<T>, print: impl Fn(&mut Self, &[T])) {
        let number = usize::from(branches.index);
        let items = items(&self.find(&self.tables.loops()[number].list));
        if items.is_empty() {
            return self.part(branches.form, branches.otherwise.as_ref(), print);
        }
        let length = items.len();
        let mut is_behind = false;
        let body = &branches.body;
        for (index, item) in items.into_iter().enumerate() {
            self.items[number] = Some((item, index, length));
            let before = self.page.clone();
            match branches.form {
                Form::Inline => {
                    print(self, &body.list);
                    continue;
                }
                Form::Line if is_behind => {
                    self.page.owed = Some((String::new(), false));
                    self.page.has_line = false;
                }
                Form::Block if self.is_code => {
                    if is_behind {
                        self.page.owed = Some((String::new(), false));
                        self.page.has_line = false;
                        self.blank_lines(&body.trail);
                    }
                    self.blank_lines(&body.lead);
                }
                Form::Block if is_behind => {
                    self.page.owed = Some((format!("{}{}", body.trail, body.lead), false));
                    self.page.has_line = false;
                }
                Form::Block => self.page.owe(&body.lead),
                Form::Line => {}
            }
            let start = self.page.out.len();
            print(self, &body.list);
            self.page.held = None;
            if self.page.out.len() == start {
                self.page = before;
                continue;
            }
            is_behind = true;
            if branches.form == Form::Block {
                self.end_block("");
            }
        }
    }

    fn ask(&self, used: &Used) -> bool {
        match used.origin {
            Origin::First(number) => self.item(number).1 == 0,
            Origin::Last(number) => {
                let (_, index, length) = self.item(number);
                index + 1 == length
            }
            _ => match self.find(used) {
                Value::Null => false,
                Value::Bool(value) => value,
                Value::String(text) => !text.is_empty(),
                Value::Array(items) => !items.is_empty(),
                Value::Object(fields) => !fields.is_empty(),
                Value::Number(_) => true,
            },
        }
    }

    fn item(&self, number: u16) -> (Value, usize, usize) {
        self.items[usize::from(number)].clone().unwrap()
    }

    fn value(&self, used: &Used) -> String {
        match self.find(used) {
            Value::Null => String::new(),
            Value::String(text) => text,
            value => value.to_string(),
        }
    }

    fn find(&self, used: &Used) -> Value {
        let mut value = match used.origin {
            Origin::Item(number) => self.item(number).0,
            Origin::Index(number) => (self.item(number).1 + 1).into(),
            Origin::Index0(number) => self.item(number).1.into(),
            _ => self.values[&used.name].clone(),
        };
        for field in &used.path {
            value = match field.parse::<usize>() {
                Ok(index) => value[index].clone(),
                Err(_) => value[field].clone(),
            };
        }
        value
    }
}

/// The items of a list, or the pairs of a map.
fn items(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items.clone(),
        Value::Object(fields) => {
            let pair = |(key, value): (&String, &Value)| {
                Value::from(vec![key.clone().into(), value.clone()])
            };
            fields.iter().map(pair).collect()
        }
        _ => Vec::new(),
    }
}

fn quoted(value: &str, quote: &str) -> String {
    let lines = value.split('\n').enumerate().map(|(index, line)| {
        let quote = if index == 0 { "" } else { quote };
        let quote = if line.is_empty() {
            quote.trim_end()
        } else {
            quote
        };
        format!("{quote}{line}")
    });
    lines.collect::<Vec<_>>().join("\n")
}
