//! The cases of the design, and a small renderer that follows the rules of the marks and nothing else.
#![allow(dead_code, reason = "each test program uses its own part")]

pub(crate) mod texts;

use prompt_syntax::{Lowered, Mark, MarkKind};
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

/// Runs all cases of a family and reports those that fail together.
pub(crate) fn run_all(family: &str, check: impl Fn(&Value) -> Result<(), String>) {
    let cases = cases(family);
    assert!(!cases.is_empty());
    let failed: Vec<String> = cases
        .iter()
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

/// What a value prints.
fn print(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

/// Whether a condition on a value holds.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        Value::Number(_) => true,
    }
}

fn get<'v>(values: &'v Value, name: &str, path: &[String]) -> &'v Value {
    path.iter().fold(&values[name], |value, field| {
        field
            .parse::<usize>()
            .map_or_else(|_| &value[field], |index| &value[index])
    })
}

/// Renders a lowered text by the rules of the marks. Slots come out empty.
pub(crate) fn render(lowered: &Lowered, values: &Value) -> String {
    let mut renderer = Renderer {
        lowered,
        values,
        ..Renderer::new(lowered, values)
    };
    renderer.run();
    renderer.out
}

struct Renderer<'r> {
    lowered: &'r Lowered,
    values: &'r Value,
    out: String,
    /// How far the literal has been printed or passed.
    at: usize,
    ends_line: bool,
    blank: String,
    vanished: bool,
    line: Option<OpenLine>,
    /// For each open condition how long the output was when it began.
    open: Vec<usize>,
}

/// A line that may be taken back.
struct OpenLine {
    out: usize,
    head: String,
    ends_line: bool,
    blank: String,
}

impl<'r> Renderer<'r> {
    fn new(lowered: &'r Lowered, values: &'r Value) -> Self {
        Self {
            lowered,
            values,
            out: String::new(),
            at: 0,
            ends_line: false,
            blank: String::new(),
            vanished: false,
            line: None,
            open: Vec::new(),
        }
    }

    fn run(&mut self) {
        let mut next = 0;
        while let Some(mark) = self.lowered.marks.get(next) {
            self.copy_to(mark.at as usize);
            next = self.mark(mark, next);
        }
        self.copy_to(self.lowered.literal.len());
        self.end_line();
    }

    fn print(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if !self.out.is_empty() {
            if self.ends_line {
                self.out.push('\n');
            }
            self.out.push_str(&self.blank);
        }
        self.ends_line = false;
        self.blank.clear();
        self.vanished = false;
        self.out.push_str(text);
    }

    fn copy_to(&mut self, at: usize) {
        if at > self.at {
            let text = &self.lowered.literal[self.at..at];
            self.at = at;
            self.print(text);
        }
    }

    /// Ends a line that may be taken back; whether it was.
    fn end_line(&mut self) -> bool {
        let Some(line) = self.line.take() else {
            return false;
        };
        let printed = self.out[line.out..].trim_start_matches('\n');
        let is_empty = printed
            .strip_prefix(&line.head)
            .unwrap_or(printed)
            .trim()
            .is_empty();
        if is_empty {
            self.out.truncate(line.out);
            self.ends_line = line.ends_line;
            self.blank = line.blank;
            self.vanished = true;
        }
        is_empty
    }

    /// Does what a mark says; gives the next one.
    fn mark(&mut self, mark: &Mark, index: usize) -> usize {
        let (lowered, values) = (self.lowered, self.values);
        match mark.kind {
            MarkKind::Gap { len, ends_line } => {
                let mut text = &lowered.literal[self.at..self.at + len as usize];
                self.at += len as usize;
                if ends_line {
                    text = text
                        .strip_prefix('\n')
                        .expect("a gap that ends a line begins with its break");
                    if !self.end_line() {
                        self.ends_line |= !self.vanished;
                    }
                }
                if self.vanished && !text.is_empty() {
                    self.blank.clear();
                    self.vanished = false;
                }
                self.blank.push_str(text);
            }
            MarkKind::Line { head } => {
                let head = &lowered.literal[self.at..self.at + usize::from(head)];
                self.line = Some(OpenLine {
                    out: self.out.len(),
                    head: head.to_owned(),
                    ends_line: self.ends_line,
                    blank: self.blank.clone(),
                });
            }
            MarkKind::Variable(index) | MarkKind::Block(index) => {
                let variable = &lowered.variables[usize::from(index)];
                let text = print(get(values, &variable.name, &variable.path));
                if matches!(mark.kind, MarkKind::Block(_)) {
                    self.vanished |= text.is_empty();
                    self.print(text.trim_matches('\n'));
                } else {
                    self.print(&text);
                }
            }
            MarkKind::If {
                condition,
                negated,
                end,
                ..
            } => {
                self.open.push(self.out.len());
                let condition = &lowered.conditions[usize::from(condition)];
                let holds = is_true(get(values, &condition.name, &condition.path)) != negated;
                return if holds { index + 1 } else { self.jump(end) };
            }
            MarkKind::Else { end, .. } => return self.jump(end),
            MarkKind::End { .. } => self.close(),
            MarkKind::Slot { .. } => self.vanished = true,
            _ => {}
        }
        index + 1
    }

    /// Goes on behind a mark.
    fn jump(&mut self, end: u32) -> usize {
        let mark = &self.lowered.marks[end as usize];
        self.at = mark.at as usize;
        if matches!(mark.kind, MarkKind::End { .. }) {
            self.close();
        }
        end as usize + 1
    }

    fn close(&mut self) {
        let start = self.open.pop().expect("an end has its condition");
        self.vanished |= self.out.len() == start;
    }
}
