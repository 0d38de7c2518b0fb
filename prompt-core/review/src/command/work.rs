//! What is done with a prompt, whether it comes from a file or from a program.

use super::arguments::{Format, Look, Page, Printed, Style};
use super::finding::{self, Finding};
use super::outcome::Outcome;
use super::page_file::write_page;
use super::paint::{BLUE, GREEN, Paint, RED, YELLOW};
use super::source::{Failure, Source};
use crate::html::visible;
use crate::{diff, page};
use prompt_agent::wire::RequestOptions;
use prompt_core::diagnostics::Diagnostic;
use prompt_core::lint::{Lint, Lints};
use prompt_core::prompt::Preview;
use prompt_core::{Budget, Code, DynamicNode, Message, Prompt, PromptNode, Role};
use std::fmt::Write;
use std::path::Path;

/// How prompts are looked at, and what is told of them.
pub(super) struct Work<'a> {
    pub(super) look: &'a Look,
    pub(super) paint: Paint,
    pub(super) outcome: Outcome,
}

impl<'a> Work<'a> {
    pub(super) fn of(look: &'a Look, paint: Paint) -> Self {
        let outcome = Outcome::default();
        Self {
            look,
            paint,
            outcome,
        }
    }

    /// The same, where a check is told to a machine.
    pub(super) fn telling(mut self, format: Option<Format>) -> Self {
        let is_machine = format.is_some_and(|format| format != Format::Text);
        self.outcome.findings = is_machine.then(Vec::new);
        self
    }

    /// What it has to tell, at the end.
    pub(super) fn told(mut self, done: Result<(), Failure>, format: Option<Format>) -> Outcome {
        if let Err(failure) = done {
            self.outcome.fail(&failure, self.paint);
        }
        if let (Some(findings), Some(format)) = (self.outcome.findings.take(), format) {
            self.outcome.out = finding::print(&findings, format);
        }
        self.outcome
    }

    fn prompt<'n>(&self, node: &'n dyn PromptNode) -> Prompt<'n, dyn PromptNode + 'n> {
        let prompt = Prompt::new(node).style(match self.look.style {
            Style::Markdown => prompt_core::Style::Markdown,
            Style::Xml => prompt_core::Style::Xml,
        });
        match self.look.budget {
            Some(tokens) => prompt.budget(Budget::tokens(tokens)),
            None => prompt,
        }
    }

    /// Tells what a linter says. Without values a prompt is looked at as far as that goes.
    pub(super) fn check(
        &mut self,
        name: &str,
        node: &dyn PromptNode,
        source: Option<(&Source, &DynamicNode)>,
        has_values: bool,
        deny: bool,
    ) -> Result<(), Failure> {
        let prompt = self.prompt(node);
        let mut is_empty = false;
        let is_seen = match prompt.render() {
            Ok(rendered) => {
                is_empty = rendered.messages().is_empty();
                has_values
            }
            Err(error) if !has_values && error.code() == Code::MissingValue => false,
            Err(error) => return Err(Failure::Prompt(name.to_owned(), error)),
        };
        let lints = prompt.lint().into_iter();
        let lints: Lints = lints
            .filter(|lint| is_seen || lint.code != Code::MissingValue)
            .collect();
        if let Some(findings) = &mut self.outcome.findings {
            findings.extend(lints.iter().map(|lint| match source {
                Some((source, node)) => source.finding_of(lint, node),
                None => Finding {
                    code: Some(lint.code.as_str()),
                    section: lint.path.clone(),
                    help: lint.help.clone(),
                    ..warning(Some(name), &lint.message)
                },
            }));
        } else {
            for (lint, count) in lints.by_code() {
                if let Some((source, node)) = source {
                    let report = source.report_lint(lint, count - 1, node, self.paint);
                    self.outcome.err.push_str(&report);
                    self.outcome.err.push('\n');
                } else {
                    self.warn(lint, count, name);
                }
            }
        }
        if is_empty {
            self.note(Some(name), "the prompt is empty");
        }
        let limits = if is_seen {
            ""
        } else {
            ", looked at without values"
        };
        self.sound(name, lints.len() + usize::from(is_empty), limits, deny);
        if deny && !is_seen && self.outcome.findings.is_some() {
            self.note(
                Some(name),
                "not all was looked at: only values tell which braces are variables",
            );
            self.outcome.code = self.outcome.code.max(1);
        } else if deny && !is_seen {
            let (head, name) = (self.paint.with(RED, "error"), visible(name));
            _ = writeln!(
                self.outcome.err,
                "{head}: {name}: not all was looked at: only values tell which braces are variables\n  \
                 = help: give them with `--values FILE` or `--set NAME=VALUE`"
            );
            self.outcome.code = self.outcome.code.max(1);
        }
        Ok(())
    }

    /// Tells that a file of wordings is sound, and what in it looks like a slip.
    pub(super) fn wordings(&mut self, file: &Source, hints: &[Diagnostic], note: &str, deny: bool) {
        if let Some(findings) = &mut self.outcome.findings {
            findings.extend(hints.iter().map(|hint| file.finding("warning", hint)));
            return self.sound(file.name(), hints.len(), note, deny);
        }
        for hint in hints {
            let report = file.report("warning", hint, self.paint);
            self.outcome.err.push_str(&report);
            self.outcome.err.push('\n');
        }
        self.sound(file.name(), hints.len(), note, deny);
    }

    fn sound(&mut self, name: &str, warnings: usize, note: &str, deny: bool) {
        let warned = match warnings {
            0 => String::new(),
            1 => ", 1 warning".to_owned(),
            many => format!(", {many} warnings"),
        };
        let name = visible(name);
        if self.outcome.findings.is_none() {
            self.outcome.line(&format!("{name}: sound{warned}{note}"));
        }
        if deny && warnings > 0 {
            self.outcome.code = self.outcome.code.max(1);
        }
    }

    /// Tells that no text uses a value that was given.
    pub(super) fn unused(&mut self, name: &str, deny: bool) {
        self.note(None, &format!("no text uses the value `{name}`"));
        if deny {
            self.outcome.code = self.outcome.code.max(1);
        }
    }

    /// Tells what is to be told of front matter.
    pub(super) fn remarks(&mut self, source: &Source, deny: bool) {
        for (fact, line) in source.remarks() {
            if let Some(findings) = &mut self.outcome.findings {
                findings.push(Finding {
                    line: Some(line),
                    ..warning(Some(source.name()), &fact)
                });
            } else {
                self.note(Some(&format!("{}:{line}", source.name())), &fact);
            }
            if deny {
                self.outcome.code = self.outcome.code.max(1);
            }
        }
    }

    /// Tells people of a file or folder that was not looked at.
    pub(super) fn passed_over(&mut self, name: &str, reason: &str) {
        if self.outcome.findings.is_none() {
            let err = &mut self.outcome.err;
            _ = writeln!(err, "{}: {reason}, not looked at", visible(name));
        }
    }

    /// Tells of a text that a wording must have, and has not.
    pub(super) fn incomplete(&mut self, source: &Source, fact: &str) {
        self.note(Some(source.name()), fact);
        self.outcome.code = self.outcome.code.max(1);
    }

    /// Tells of something that has no code.
    fn note(&mut self, file: Option<&str>, fact: &str) {
        if let Some(findings) = &mut self.outcome.findings {
            return findings.push(warning(file, fact));
        }
        let head = self.paint.with(YELLOW, "warning");
        let file = file.map(|file| format!("{file}: ")).unwrap_or_default();
        let text = format!("{file}{fact}");
        _ = writeln!(self.outcome.err, "{head}: {}", visible(&text));
    }

    /// Tells of a rule by the first of so many places.
    fn warn(&mut self, lint: &Lint, count: usize, file: &str) {
        let head = format!("warning[{}]", lint.code);
        let [head, arrow, equals] = [(YELLOW, head.as_str()), (BLUE, "-->"), (BLUE, "=")]
            .map(|(colour, text)| self.paint.with(colour, text));
        let [message, file, path, help] =
            [&lint.message, file, &lint.path, &lint.help].map(visible);
        let err = &mut self.outcome.err;
        _ = write!(err, "{head}: {message}\n {arrow} {file}");
        if !path.is_empty() {
            _ = write!(err, ", section `{path}`");
        }
        if count > 1 {
            _ = write!(err, ", and {} more", count - 1);
        }
        if !help.is_empty() {
            _ = write!(err, "\n  {equals} help: {help}");
        }
        err.push_str("\n\n");
    }

    pub(super) fn previewed(&self, name: &str, node: &dyn PromptNode) -> Result<Preview, Failure> {
        let failed = |error| Failure::Prompt(name.to_owned(), error);
        self.prompt(node).preview().map_err(failed)
    }

    pub(super) fn preview(
        &mut self,
        name: &str,
        node: &dyn PromptNode,
        asked: &Page,
    ) -> Result<(), Failure> {
        let preview = self.previewed(name, node)?;
        if let Some(file) = &asked.html {
            write_page(file, &page(&preview))?;
            self.written(file);
        } else {
            self.outcome.line(preview.as_str());
        }
        Ok(())
    }

    /// Tells that a page is there.
    pub(super) fn written(&mut self, file: &Path) {
        let file = file.display().to_string();
        self.outcome.line(&format!("{}: written", visible(&file)));
    }

    pub(super) fn render(
        &mut self,
        name: &str,
        node: &dyn PromptNode,
        asked: &Printed,
    ) -> Result<(), Failure> {
        let failed = |error| Failure::Prompt(name.to_owned(), error);
        let rendered = self.prompt(node).render().map_err(failed)?;
        if let Some(provider) = asked.request {
            let mut messages = rendered.messages();
            // A request is an answer to somebody.
            if messages.iter().all(|it| it.role == Role::System) {
                messages.push(Message::user(PLACEHOLDER));
            }
            let options = RequestOptions::new(&asked.model);
            let body = provider.request(&messages, rendered.tools(), &options);
            let body = body.map_err(|error| format!("{name}: {provider}: {error}"));
            let body = body.map_err(Failure::Unsupported)?;
            self.outcome.line(&format!("{body:#}"));
        } else if asked.messages {
            for message in rendered.messages() {
                self.outcome.line(&heading(&message, self.paint));
                self.outcome.line(&message.text());
            }
        } else {
            self.outcome.out.push_str(rendered.as_str());
        }
        Ok(())
    }

    /// Tells what changed, and gives whether anything did. Values hide what others would print.
    pub(super) fn diff(
        &mut self,
        [(old_name, old), (new_name, new)]: [(&str, &Preview); 2],
        has_values: bool,
        asked: &Page,
    ) -> Result<bool, Failure> {
        let diff = diff(old, new).named(old_name, new_name);
        if let Some(file) = &asked.html {
            write_page(file, &diff.page())?;
            self.written(file);
        } else {
            for line in diff.to_string().lines() {
                self.outcome.line(&painted(&visible(line), self.paint));
            }
            if diff.is_empty() && has_values {
                self.outcome
                    .line("with these values: what others print is not compared");
            }
        }
        Ok(!diff.is_empty())
    }
}

fn warning(file: Option<&str>, message: &str) -> Finding {
    Finding {
        severity: "warning",
        file: file.map(str::to_owned),
        message: message.to_owned(),
        ..Finding::default()
    }
}

/// What stands in the place of a user's turn where a prompt has none.
const PLACEHOLDER: &str = "(what the user says)";

/// The line over a message.
fn heading(message: &Message, paint: Paint) -> String {
    let cache = message.cache.map(|point| match point.ttl {
        Some(seconds) => format!(" (cache point, {seconds} s)"),
        None => " (cache point)".to_owned(),
    });
    let (role, cache) = (message.role.as_str(), cache.unwrap_or_default());
    paint.with(BLUE, &format!("--- {role}{cache}"))
}

/// A line of a diff in the colour of what it tells.
fn painted(line: &str, paint: Paint) -> String {
    match line.trim_start().as_bytes().first() {
        Some(b'+') => paint.with(GREEN, line),
        Some(b'-') => paint.with(RED, line),
        Some(b'~') => paint.with(YELLOW, line),
        _ => line.to_owned(),
    }
}
