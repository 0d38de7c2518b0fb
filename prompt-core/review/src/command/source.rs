//! A prompt that lives in a file: a tree in JSON or TOML, or one text in Markdown. With values it is rendered; with
//! faults, all of them are told as a compiler does, each with its place in the file and the line that stands there.

use super::arguments::Kind;
use super::finding::{Finding, Severity, code};
use super::paint::{BLUE, Paint, RED, YELLOW};
use super::text_file::{self, TextFile};
use crate::html::{visible, visible_name};
use prompt_core::diagnostics::Diagnostic;
use prompt_core::dynamic::Wordings;
use prompt_core::lint::Lint;
use prompt_core::{Code, Diagnostics, DynamicNode, PromptError, SkillError};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

/// Why there is no prompt. [`report`](Failure::report) tells it to the author of the file.
#[derive(Debug)]
pub(super) enum Failure {
    /// A wrong command.
    Usage(String),
    /// A file that cannot be read or written.
    Unreadable(String, io::Error),
    /// A file that is no text, of no kind that is known here, or of no use as what it was given as; with the line.
    Unusable(String, Option<usize>, String),
    /// The faults of this file.
    Faults(Box<Source>, Diagnostics),
    /// A file that is sound, and values that do not fit it.
    Values(Box<Source>, Diagnostics),
    /// A sound tree that cannot be rendered as asked.
    Prompt(String, PromptError),
    /// The front matter of a file that cannot be read.
    FrontMatter(String, SkillError),
    /// What is told of a file and denied in it.
    Denied(Vec<Finding>),
    /// A sound prompt that a provider does not take, with the code of that.
    Refused(String, &'static str, String),
}

impl Failure {
    /// Whether it is about the command, and not about a prompt.
    pub(super) fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Usage(_) | Self::Unreadable(..) | Self::Unusable(..)
        )
    }

    /// The report for the author of the file.
    pub(super) fn report(&self, paint: Paint) -> String {
        match self {
            Self::Usage(fact) => visible(fact).into_owned(),
            Self::Unreadable(file, error) => {
                format!("{}: {}", visible_name(file), visible(&error.to_string()))
            }
            Self::Unusable(file, line, fact) => {
                let line = line.map(|line| format!(":{line}")).unwrap_or_default();
                format!("{}{line}: {}", visible_name(file), visible(fact))
            }
            Self::Prompt(..) | Self::FrontMatter(..) | Self::Refused(..) | Self::Denied(_) => {
                let findings = self.findings();
                findings
                    .iter()
                    .map(|finding| finding.report(paint))
                    .collect()
            }
            Self::Faults(source, faults) | Self::Values(source, faults) => {
                let mut report = String::new();
                for fault in faults {
                    let fault = self.with_remedy(source, fault);
                    report.push_str(&source.report("error", &fault, paint));
                    report.push('\n');
                }
                let plural = if faults.len() == 1 { "" } else { "s" };
                let (name, many) = (visible_name(&source.name), faults.len());
                _ = write!(report, "{name}: {many} fault{plural}");
                report
            }
        }
    }

    /// The same for a machine.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let error = |code, message: String| Finding::new(Severity::Error, code, message);
        match self {
            Self::Usage(fact) => vec![error(code::USAGE, fact.clone())],
            Self::Unreadable(file, fact) => {
                vec![error(code::UNREADABLE, fact.to_string()).of(file)]
            }
            Self::Unusable(file, line, fact) => vec![Finding {
                line: *line,
                ..error(code::UNREADABLE, fact.clone()).of(file)
            }],
            Self::Prompt(file, fact) => {
                vec![error(fact.code().as_str(), fact.to_string()).of(file)]
            }
            Self::Denied(findings) => findings.clone(),
            Self::Refused(file, code, fact) => vec![error(code, fact.clone()).of(file)],
            Self::FrontMatter(file, fault) => vec![Finding {
                line: Some(fault.line()),
                ..error(fault.code().as_str(), fault.to_string()).of(file)
            }],
            Self::Faults(source, faults) | Self::Values(source, faults) => faults
                .iter()
                .map(|fault| source.finding(Severity::Error, &self.with_remedy(source, fault)))
                .collect(),
        }
    }

    /// A fault as the command tells it: a value that is missing is given to the command.
    fn with_remedy(&self, source: &Source, fault: &Diagnostic) -> Diagnostic {
        let mut fault = fault.clone();
        let is_sound = matches!(self, Self::Values(..));
        if let Some(name) = missing(&fault).filter(|_| is_sound) {
            let value = if source.is_loop(&fault) {
                "'[\"..\"]'"
            } else {
                ".."
            };
            let name = source.path_at(&fault, name);
            fault.help = format!("give it a value: `--set {name}={value}`, or `--values FILE`");
        }
        fault
    }
}

/// What is reported, and where.
struct Told<'t> {
    /// What it is, with its code.
    head: String,
    message: &'t str,
    place: Option<(usize, usize)>,
    section: Option<String>,
    /// How many of its rule there are besides.
    more: usize,
    help: &'t str,
}

/// The name that a fault says has no value, where none is given that it may have been meant for.
fn missing(fault: &Diagnostic) -> Option<&str> {
    let said = ["unknown variable `", "there is no value `"];
    let rest = said
        .iter()
        .find_map(|said| fault.message.strip_prefix(said))?;
    let has_remedy = [
        "similar name",
        "is not looked at",
        "is no name of a variable",
    ];
    let has_remedy = has_remedy.iter().any(|words| fault.help.contains(words));
    let is_missing = fault.code == Code::UnknownVariable && !has_remedy;
    rest.split('`').next().filter(|_| is_missing)
}

/// A prompt file as it was read.
#[derive(Clone, Debug)]
pub(super) struct Source {
    name: String,
    text: String,
    kind: Kind,
    /// The text with the keys above it, in Markdown.
    text_file: Option<TextFile>,
    lines: Lines,
    /// What is in it; null where it cannot be read.
    root: Value,
}

/// The names of values that stand in a prompt, as it is read: escapes are what they stand for.
#[derive(Default)]
pub(super) struct Names {
    /// Those in braces.
    written: BTreeSet<String>,
    /// Texts that may be one: `when = "name"`.
    said: BTreeSet<String>,
}

impl Names {
    fn add(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.add_text(text),
            Value::Array(items) => items.iter().for_each(|item| self.add(item)),
            Value::Object(entries) => {
                for (key, value) in entries {
                    self.add_text(key);
                    self.add(value);
                }
            }
            _ => {}
        }
    }

    fn add_text(&mut self, text: &str) {
        let first = |path: &str| path.split('.').next().unwrap_or_default().to_owned();
        self.said.insert(first(text.trim_start_matches('!')));
        for (at, _) in text.match_indices('{') {
            let before = &text[..=at];
            let braces = before.len() - before.trim_end_matches('{').len();
            let inside = text[at + 1..].trim_start_matches(['?', '*', '/', '!']);
            let end = inside
                .find(['{', '}', ':', '.', ' ', '\n'])
                .unwrap_or(inside.len());
            let is_name =
                inside[end..].starts_with(['}', ':', '.']) || inside[end..].starts_with(" as ");
            // Doubled braces are text.
            if is_name && braces % 2 == 1 {
                self.written.insert(inside[..end].to_owned());
            }
        }
    }

    /// Whether a text has a variable, condition or loop of this name. In code nothing else says whether it is used.
    pub(super) fn has_written(&self, name: &str) -> bool {
        self.written.contains(name)
    }

    /// Whether something else may mean it.
    pub(super) fn may_mean(&self, name: &str) -> bool {
        self.said.contains(name)
    }
}

/// What finds the lines of a text, however many are asked for.
#[derive(Clone, Debug)]
struct Lines {
    starts: Vec<usize>,
    /// Whether its columns are bytes.
    is_ascii: bool,
}

impl Lines {
    fn of(text: &str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            starts: std::iter::once(0).chain(breaks).collect(),
            is_ascii: text.is_ascii(),
        }
    }
}

impl Kind {
    /// What the name of a file ends in.
    pub(super) fn of(file: &Path) -> Option<Self> {
        match file.extension()?.to_ascii_lowercase().to_str()? {
            "json" => Some(Self::Json),
            "toml" => Some(Self::Toml),
            "md" => Some(Self::Markdown),
            _ => None,
        }
    }
}

impl Source {
    /// Reads a file; of this kind, if its name does not say which.
    ///
    /// # Errors
    /// When it cannot be read, or its name has no known ending.
    pub(super) fn read(path: &Path, kind: Option<Kind>) -> Result<Self, Failure> {
        let name = path.display().to_string();
        let text = read(path)?;
        let Some(kind) = Kind::of(path).or(kind) else {
            let fact = "a prompt file ends in .json, .toml or .md; of another one say `--as`";
            return Err(Failure::Unusable(name, None, fact.to_owned()));
        };
        Self::new(name, text, kind)
    }

    /// What comes from the standard input: of the kind that is said, or JSON if it begins as such.
    ///
    /// # Errors
    /// When it cannot be read, or its kind cannot be told.
    pub(super) fn of_stream(stream: &mut dyn Read, kind: Option<Kind>) -> Result<Self, Failure> {
        const NAME: &str = "(stdin)";
        let mut text = Vec::new();
        let unreadable = |error| Failure::Unreadable(NAME.to_owned(), error);
        stream.read_to_end(&mut text).map_err(unreadable)?;
        let text = utf8(NAME, text)?;
        let begins = text.trim_start_matches('\u{feff}').trim_start();
        let Some(kind) = kind.or_else(|| begins.starts_with('{').then_some(Kind::Json)) else {
            let fact = "what comes from `-` may be a tree or a text: say `--as json`, `--as toml` or `--as md`";
            return Err(Failure::Usage(fact.to_owned()));
        };
        Self::new(NAME.to_owned(), text, kind)
    }

    fn new(name: String, mut text: String, kind: Kind) -> Result<Self, Failure> {
        // Places do not count it.
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        // In a prompt's text a lone return ends a line. JSON and TOML know none.
        if kind == Kind::Markdown && text.contains('\r') {
            text = text.replace("\r\n", "\n").replace('\r', "\n");
        }
        let unread = |fault| Failure::FrontMatter(name.clone(), fault);
        let text_file = match kind {
            Kind::Markdown => Some(TextFile::read(&name, &text).map_err(unread)?),
            Kind::Json | Kind::Toml => None,
        };
        let root = match &text_file {
            Some(file) => serde_json::from_str(&file.tree).ok(),
            None if kind == Kind::Toml => toml::from_str(&text).ok(),
            None => serde_json::from_str(&text).ok(),
        };
        Ok(Self {
            name,
            root: root.unwrap_or_default(),
            lines: Lines::of(&text),
            text,
            kind,
            text_file,
        })
    }

    /// What the file is called.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The names of values that stand in it.
    pub(super) fn names(&self) -> Names {
        let mut names = Names::default();
        names.add(&self.root);
        names
    }

    /// Whether a text prints a value of this name with a precision: `{name:.2}`, or by another name that `vars` gives it.
    pub(super) fn rounds(&self, name: &str) -> bool {
        let vars = self.root["vars"].as_object().into_iter().flatten();
        let others = vars.filter_map(|(other, form)| {
            let rest = name.strip_prefix(form["of"].as_str()?)?;
            (rest.is_empty() || rest.starts_with('.')).then(|| format!("{other}{rest}"))
        });
        let mut starts = std::iter::once(name.to_owned()).chain(others);
        starts.any(|name| has_precision(&self.root, &format!("{{{name}:")))
    }

    /// Whether it is a JSON schema, such as that of prompt files.
    pub(super) fn is_schema(&self) -> bool {
        let name = self.root["$schema"].as_str().unwrap_or_default();
        let is_one = name.contains("json-schema.org") && self.root["key"].is_null();
        self.kind == Kind::Json && is_one
    }

    /// What it is, if that is no prompt.
    pub(super) fn other_than_prompt(&self) -> Option<&'static str> {
        let wordings = || self.wordings().map(|_| "a file of wordings");
        self.is_schema().then_some(SCHEMA).or_else(wordings)
    }

    /// The wordings in it, if it is a file of those: tables of which one has a `text` or `texts`.
    pub(super) fn wordings(&self) -> Option<Result<Wordings, Diagnostics>> {
        let root = self
            .root
            .as_object()
            .filter(|_| self.kind != Kind::Markdown)?;
        let has_texts = |it: &Value| it["text"].is_string() || it["texts"].is_object();
        let is_wordings = root.values().all(Value::is_object) && root.values().any(has_texts);
        is_wordings.then(|| self.read_wordings())
    }

    /// The wordings that it is to have.
    pub(super) fn read_wordings(&self) -> Result<Wordings, Diagnostics> {
        match self.kind {
            Kind::Json => Wordings::from_json(&self.text),
            _ => Wordings::from_toml(&self.text),
        }
    }

    /// The tree in it; with its variables filled, if there are values.
    ///
    /// # Errors
    /// Every fault of the file, and with values every variable without one; a file of wordings.
    pub(super) fn node(&self, values: Option<&Map<String, Value>>) -> Result<DynamicNode, Failure> {
        if self.wordings().is_some() {
            let fact = "its wordings are printed by the program that has their type: `prompt_review::command`";
            return Err(Failure::Unusable(self.name.clone(), None, fact.to_owned()));
        }
        self.load(values).map_err(|faults| {
            if values.is_some() && self.load(None).is_ok() {
                Failure::Values(Box::new(self.clone()), faults)
            } else {
                Failure::Faults(Box::new(self.clone()), faults)
            }
        })
    }

    fn load(&self, values: Option<&Map<String, Value>>) -> Result<DynamicNode, Diagnostics> {
        let text_file = self.text_file.as_ref();
        let text = text_file.map_or(&self.text, |file| &file.tree);
        match (self.kind, values) {
            (Kind::Toml, None) => DynamicNode::from_toml(text),
            (Kind::Toml, Some(values)) => DynamicNode::from_toml_with(text, values),
            (_, None) => DynamicNode::from_json(text),
            (_, Some(values)) => DynamicNode::from_json_with(text, values),
        }
    }

    /// What is to be told of front matter.
    pub(super) fn remarks(&self) -> &[Finding] {
        self.text_file.as_ref().map_or(&[], |file| &file.remarks)
    }

    /// A fault for a machine.
    pub(super) fn finding(&self, severity: Severity, fault: &Diagnostic) -> Finding {
        let code = fault.code.as_str();
        Finding {
            section: fault.path.clone(),
            ..Finding::new(severity, code, fault.message.as_str())
                .of(&self.name)
                .at(self.place(fault))
                .help(self.help(&fault.help))
        }
    }

    /// A fault as compilers print it: what is wrong, where, the line of the file with the place marked, and the remedy.
    pub(super) fn report(&self, what: &str, fault: &Diagnostic, paint: Paint) -> String {
        let colour = if what == "error" { RED } else { YELLOW };
        let told = Told {
            head: paint.with(colour, &format!("{what}[{}]", fault.code)),
            message: &fault.message,
            place: self.place(fault),
            section: self.section(&fault.path, fault.part),
            more: 0,
            help: &fault.help,
        };
        self.told(&told, paint)
    }

    /// The same of what a linter says of the tree in it. `more` is how many there are of its rule besides.
    pub(super) fn report_lint(
        &self,
        lint: &Lint,
        place: Option<(usize, usize)>,
        more: usize,
        paint: Paint,
    ) -> String {
        let told = Told {
            head: paint.with(YELLOW, &format!("warning[{}]", lint.code)),
            message: message(lint),
            place,
            section: self.section(&lint.path, &lint.part),
            more,
            help: &lint.help,
        };
        self.told(&told, paint)
    }

    /// The same for a machine.
    pub(super) fn finding_of(&self, lint: &Lint, place: Option<(usize, usize)>) -> Finding {
        Finding {
            section: lint.path.clone(),
            ..Finding::new(Severity::Warning, lint.code.as_str(), message(lint))
                .of(&self.name)
                .at(place)
                .help(self.help(&lint.help))
        }
    }

    /// Where each lint is about something in the file.
    pub(super) fn places(
        &self,
        lints: &[&Lint],
        tree: &DynamicNode,
    ) -> Vec<Option<(usize, usize)>> {
        let places = match &self.text_file {
            None => {
                let parts: Vec<String> = lints.iter().map(|lint| part(lint)).collect();
                let asked = lints.iter().zip(&parts);
                tree.places(asked.map(|(lint, part)| (&*lint.path, &**part, lint.line)))
            }
            Some(file) => {
                let place = |lint: &&Lint| match lint.part.as_str() {
                    "body" => lint.line.map(|line| (line + file.above, 1)),
                    "" => None,
                    key => file.line_of(key).map(|line| (line, 1)),
                };
                lints.iter().map(place).collect()
            }
        };
        let places = places.into_iter().zip(lints);
        let exact =
            |(place, lint): (Option<(usize, usize)>, &&Lint)| Some(self.in_line(place?, lint));
        places.map(exact).collect()
    }

    /// The place in a line of what a lint says is wrong in it.
    fn in_line(&self, (row, column): (usize, usize), lint: &Lint) -> (usize, usize) {
        let written = message(lint)
            .split('`')
            .nth(1)
            .filter(|_| lint.line.is_some());
        let behind = self.line_from(row, column).zip(written);
        let before = behind.and_then(|(text, written)| text.split_once(written));
        (
            row,
            column + before.map_or(0, |(before, _)| before.chars().count()),
        )
    }

    fn told(&self, told: &Told<'_>, paint: Paint) -> String {
        let (arrow, bar) = (paint.with(BLUE, "-->"), paint.with(BLUE, "|"));
        let (equals, file) = (paint.with(BLUE, "="), visible_name(&self.name));
        let number = told
            .place
            .map_or_else(|| " ".to_owned(), |(line, _)| line.to_string());
        let blank = " ".repeat(number.len());
        let (head, message) = (&told.head, visible(told.message));
        let mut report = format!("{head}: {message}\n{blank}{arrow} {file}");
        if let Some((line, column)) = told.place {
            let (written, shown_at) = self.excerpt(line, column);
            // A tab in front of the mark stays one, so that the mark stands below its place on any terminal.
            let before = written.chars().take(shown_at - 1);
            let before: String = before.map(|c| if c == '\t' { c } else { ' ' }).collect();
            let (number, mark) = (paint.with(BLUE, &number), paint.with(RED, "^"));
            _ = write!(
                report,
                ":{line}:{column}\n{blank} {bar}\n{number} {bar} {written}"
            );
            _ = write!(report, "\n{blank} {bar} {before}{mark}");
        }
        report.push('\n');
        if let Some(place) = &told.section {
            _ = writeln!(report, "{blank} {equals} in: {}", visible(place));
        }
        if told.more > 0 {
            let plural = if told.more == 1 { "" } else { "s" };
            _ = writeln!(
                report,
                "{blank} {equals} and at {} more place{plural}",
                told.more
            );
        }
        if !told.help.is_empty() {
            let help = self.help(told.help);
            _ = writeln!(report, "{blank} {equals} help: {}", visible(&help));
        }
        report
    }

    /// What to write, in the syntax of the file: what is said of keys is said in TOML.
    fn help(&self, help: &str) -> String {
        let is_key = |name: &str| {
            let is_part = |c: char| c.is_ascii_lowercase() || c == '_';
            !name.is_empty() && name.chars().all(is_part)
        };
        let is_text = self.kind == Kind::Markdown;
        let (mut told, mut rest) = (String::new(), help);
        let mut has_allow = false;
        while let Some((before, after)) = rest.split_once('`') {
            told.extend([before, "`"]);
            rest = after;
            let code = after.split('`').next().unwrap_or_default();
            if let Some((key, value)) = code.split_once(" = ").filter(|(key, _)| is_key(key)) {
                rest = &after[code.len()..];
                has_allow |= key == "allow";
                match self.kind {
                    Kind::Json => _ = write!(told, "\"{key}\": {value}"),
                    Kind::Markdown if !text_file::is_toml(&self.text) => {
                        _ = write!(told, "{key}: {value}");
                    }
                    _ => told.push_str(code),
                }
            }
        }
        told.push_str(rest);
        if is_text && has_allow {
            told.push_str(" in front matter");
        }
        told
    }

    /// The part of the tree that a fault is about, in words.
    fn section(&self, path: &str, part: &str) -> Option<String> {
        match (path, part) {
            _ if self.kind == Kind::Markdown => None,
            ("", "") => None,
            ("", part) => Some(format!("{part} of the root")),
            (path, "") => Some(format!("section `{path}`")),
            // Of a list section or of a value.
            (path, "join" | "last" | "default" | "more") => Some(format!("{part} of `{path}`")),
            (path, part) => Some(format!("{part} of section `{path}`")),
        }
    }

    /// What stands in a line of the file, from a column on.
    fn line_from(&self, line: usize, column: usize) -> Option<&str> {
        let start = *self.lines.starts.get(line - 1)?;
        let end = self.lines.starts.get(line).map(|next| next - 1);
        let line = self.text.get(start..end.unwrap_or(self.text.len()))?;
        if self.lines.is_ascii {
            return line.get(column - 1..);
        }
        let mut characters = line.char_indices();
        let at = characters.nth(column - 1).map_or(line.len(), |(at, _)| at);
        line.get(at..)
    }

    /// Whether a fault is about a loop.
    fn is_loop(&self, fault: &Diagnostic) -> bool {
        let line = self
            .place(fault)
            .and_then(|(line, column)| self.line_from(line, column));
        line.is_some_and(|line| line.starts_with("{*"))
    }

    /// The name with the path behind it that stands at the place of a fault, such as `user.name`.
    fn path_at<'n>(&'n self, fault: &Diagnostic, name: &'n str) -> &'n str {
        let written = || {
            let (line, column) = self.place(fault)?;
            let line = self.line_from(line, column)?;
            let inside = line.strip_prefix('{')?.trim_start_matches(['?', '*', '!']);
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
            let end = inside.find(|c| !is_part(c)).unwrap_or(inside.len());
            let path = inside[..end].trim_end_matches('.');
            path.split('.').next().filter(|first| *first == name)?;
            Some(path)
        };
        written().unwrap_or(name)
    }

    /// Line and column of a fault in the file, from 1.
    fn place(&self, fault: &Diagnostic) -> Option<(usize, usize)> {
        match self.kind {
            Kind::Markdown => {
                let file = self.text_file.as_ref()?;
                match fault.part {
                    "body" | "" => fault
                        .place
                        .map(|(line, column)| (line + file.above, column)),
                    key => file.line_of(key).map(|line| (line, 1)),
                }
            }
            _ => fault.line.zip(fault.column),
        }
    }

    /// A line, from 1, as far as it is shown, and where a column of it stands there, from 1.
    fn excerpt(&self, line: usize, column: usize) -> (String, usize) {
        let skipped = column.saturating_sub(SHOWN / 2);
        let line = self.line_from(line, skipped + 1).unwrap_or_default();
        let shown: String = line.chars().take(SHOWN).collect();
        let shown = visible(shown.trim_end_matches('\r'));
        (shown.into_owned(), column - skipped)
    }
}

/// Whether a text in a tree has this beginning of a variable, and behind it a precision.
fn has_precision(tree: &Value, start: &str) -> bool {
    match tree {
        Value::String(text) => {
            let specs = text.split(start).skip(1);
            let mut specs = specs.filter_map(|rest| rest.split('}').next());
            specs.any(|spec| spec.contains('.'))
        }
        Value::Array(items) => items.iter().any(|item| has_precision(item, start)),
        Value::Object(entries) => entries.values().any(|it| has_precision(it, start)),
        _ => false,
    }
}

/// The key that a lint is about.
fn part(lint: &Lint) -> String {
    let name = message(lint).split('`').nth(1).unwrap_or_default();
    match lint.code {
        Code::Naming | Code::GenericName | Code::LongName | Code::OverNesting => "tag".to_owned(),
        Code::UnusedVariable if lint.part == "vars" => format!("vars.{name}"),
        _ => lint.part.clone(),
    }
}

/// What a linter says, without the place that stands above it.
fn message(lint: &Lint) -> &str {
    let start = match lint.line {
        Some(number) => format!("{}, line {number}: ", lint.part),
        None => format!("{}: ", lint.part),
    };
    lint.message.strip_prefix(&start).unwrap_or(&lint.message)
}

/// What a JSON schema is called.
pub(super) const SCHEMA: &str = "a JSON schema";

/// Characters of a line that are shown.
const SHOWN: usize = 200;

/// The text of a file.
///
/// # Errors
/// When it cannot be read, or is none.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    let name = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| Failure::Unreadable(name.clone(), error))?;
    utf8(&name, bytes)
}

/// The text of a file; what is none is told with its place.
fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..at]);
        let line = text.matches('\n').count() + 1;
        let fact = format!("byte {at} is no UTF-8; save the file in that encoding");
        Failure::Unusable(name.to_owned(), Some(line), fact)
    })
}
