//! What a command finds, as people and machines read it.

use super::arguments::Format;
use super::paint::{BLUE, Paint, RED, YELLOW};
use crate::html::{visible, visible_name};
use serde::Serialize;
use std::fmt::Write;

/// How much it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Severity {
    /// It fails a check.
    Error,
    /// It fails one that denies warnings.
    Warning,
    /// It fails none.
    Notice,
}

impl Severity {
    fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }
}

/// An error, a warning, or what was passed over.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Finding {
    pub(super) severity: Severity,
    pub(super) code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) file: Option<String>,
    /// Its dotted path.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) section: String,
    /// From 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<usize>,
    /// In characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) column: Option<usize>,
    pub(super) message: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) help: String,
}

/// The command's own codes, beside those of [`Code`](prompt_core::Code).
pub(super) mod code {
    /// A wrong command.
    pub(crate) const USAGE: &str = "usage";
    /// A file that cannot be read.
    pub(crate) const UNREADABLE: &str = "unreadable";
    /// A file that is left out, or of which only values or a type could tell more.
    pub(crate) const NOT_LOOKED_AT: &str = "not_looked_at";
    /// A prompt that sends nothing.
    pub(crate) const EMPTY: &str = "empty_prompt";
    /// A value that no text uses.
    pub(crate) const UNUSED: &str = "unused_value";
    /// A text that a wording does not have.
    pub(crate) const INCOMPLETE: &str = "incomplete_wording";
}

/// All of them as a machine reads them, each line with its break.
pub(super) fn print(findings: &[Finding], format: Format) -> String {
    match format {
        Format::Json => {
            let list = serde_json::to_string_pretty(findings).unwrap_or_default();
            list + "\n"
        }
        _ => findings.iter().map(Finding::annotation).collect(),
    }
}

impl Finding {
    pub(super) fn new(severity: Severity, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity,
            code,
            file: None,
            section: String::new(),
            line: None,
            column: None,
            message: message.into(),
            help: String::new(),
        }
    }

    /// It is of this file.
    pub(super) fn of(self, file: &str) -> Self {
        Self {
            file: Some(file.to_owned()),
            ..self
        }
    }

    /// It stands there.
    pub(super) fn at(self, place: Option<(usize, usize)>) -> Self {
        let (line, column) = place.unzip();
        Self {
            line,
            column,
            ..self
        }
    }

    /// It is mended so.
    pub(super) fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: help.into(),
            ..self
        }
    }

    /// For people: what is wrong, where, and the remedy.
    pub(super) fn report(&self, paint: Paint) -> String {
        let message = visible(&self.message);
        let file = self.file.as_deref().map(visible_name);
        if self.severity == Severity::Notice {
            let file = file.map(|file| format!("{file}: ")).unwrap_or_default();
            return format!("{file}{message}\n");
        }
        let colour = match self.severity {
            Severity::Error => RED,
            _ => YELLOW,
        };
        let head = paint.with(colour, &format!("{}[{}]", self.severity.name(), self.code));
        let mut report = format!("{head}: {message}\n");
        if let Some(file) = file {
            let place = match (self.line, self.column) {
                (Some(line), Some(column)) => format!(":{line}:{column}"),
                (Some(line), None) => format!(":{line}"),
                _ => String::new(),
            };
            let section = Some(visible(&self.section)).filter(|section| !section.is_empty());
            let section = section.map(|section| format!(", section `{section}`"));
            let (arrow, section) = (paint.with(BLUE, "-->"), section.unwrap_or_default());
            _ = writeln!(report, " {arrow} {file}{place}{section}");
        }
        if !self.help.is_empty() {
            let help = visible(&self.help);
            _ = writeln!(report, "  {} help: {help}", paint.with(BLUE, "="));
        }
        report.push('\n');
        report
    }

    /// A workflow command of GitHub Actions: <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.
    fn annotation(&self) -> String {
        let mut line = format!("::{} ", self.severity.name());
        let (at, column) = (self.line, self.column);
        let numbers = [("line", at), ("col", column)];
        let numbers = numbers.map(|(name, number)| (name, number.map(|number| number.to_string())));
        let title = Some(self.code.to_owned());
        let mut parts = vec![("file", self.file.clone())];
        parts.extend(numbers);
        parts.push(("title", title));
        let parts = parts
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        for (index, (name, value)) in parts.enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let value = escaped(&value).replace(':', "%3A").replace(',', "%2C");
            _ = write!(line, "{comma}{name}={value}");
        }
        let mut message = self.message.clone();
        if !self.help.is_empty() {
            message = format!("{message}\nhelp: {}", self.help);
        }
        _ = writeln!(line, "::{}", escaped(&message));
        line
    }
}

fn escaped(text: &str) -> String {
    visible(text)
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}
