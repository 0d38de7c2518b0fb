//! What a check finds, for machines.

use super::arguments::Format;
use serde::Serialize;
use std::fmt::Write;

/// An error or a warning.
#[derive(Debug, Default, Serialize)]
pub(super) struct Finding {
    /// `error` or `warning`.
    pub(super) severity: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<&'static str>,
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
    /// A workflow command of GitHub Actions: <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.
    fn annotation(&self) -> String {
        let mut line = format!("::{} ", self.severity);
        let (at, column) = (self.line, self.column);
        let numbers = [("line", at), ("col", column)];
        let numbers = numbers.map(|(name, number)| (name, number.map(|number| number.to_string())));
        let title = self.code.map(str::to_owned);
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
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}
