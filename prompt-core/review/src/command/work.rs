//! What is done with a prompt, whether it comes from a file or from a program.

use super::arguments::{Checking, Format, Look, Page, Printed, Style};
use super::finding::{self, Finding, Severity, code};
use super::outcome::Outcome;
use super::page_file::write_page;
use super::paint::{BLUE, GREEN, Paint, RED, YELLOW};
use super::source::{Failure, Source};
use crate::diff::Change;
use crate::html::{visible, visible_name};
use crate::{diff, page};
use prompt_agent::wire::{RequestOptions, WireError};
use prompt_core::diagnostics::Diagnostic;
use prompt_core::lint::{Lint, Lints};
use prompt_core::prompt::Preview;
use prompt_core::{Budget, Code, DynamicNode, Message, Prompt, PromptNode, Role};
use std::path::Path;

/// How prompts are looked at, and what is told of them.
pub(super) struct Work<'a> {
    pub(super) look: &'a Look,
    pub(super) paint: Paint,
    pub(super) outcome: Outcome,
    /// Whether warnings fail.
    deny: bool,
    format: Format,
}

impl<'a> Work<'a> {
    /// The work of a command; `checking` is how a check tells what it finds.
    pub(super) fn of(look: &'a Look, paint: Paint, checking: Option<&Checking>) -> Self {
        let format = checking.map_or(Format::Text, |it| it.format);
        let findings = (format != Format::Text).then(Vec::new);
        Self {
            look,
            paint,
            outcome: Outcome {
                findings,
                ..Outcome::default()
            },
            deny: checking.is_some_and(|it| it.deny_warnings),
            format,
        }
    }

    /// What it has to tell, at the end.
    pub(super) fn told(mut self, done: Result<(), Failure>) -> Outcome {
        if let Err(failure) = done {
            self.outcome.fail(&failure, self.paint);
        }
        if let Some(findings) = self.outcome.findings.take() {
            self.outcome.out = finding::print(&findings, self.format);
        }
        self.outcome
    }

    /// Whether people read it.
    pub(super) fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    /// Tells what was found.
    pub(super) fn tell(&mut self, finding: Finding) {
        let fails = match finding.severity {
            Severity::Error => true,
            Severity::Warning => self.deny,
            Severity::Notice => false,
        };
        self.outcome.code = self.outcome.code.max(u8::from(fails));
        match &mut self.outcome.findings {
            Some(findings) => findings.push(finding),
            None => self.outcome.err.push_str(&finding.report(self.paint)),
        }
    }

    /// Tells of a file or folder that was left out.
    pub(super) fn passed_over(&mut self, name: &str, reason: &str) {
        let fact = format!("{reason}, not looked at");
        self.tell(Finding::new(Severity::Notice, code::NOT_LOOKED_AT, fact).of(name));
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

    /// Tells what a linter says, of a file with its tree or of a program. Without values a prompt is looked at as far as that
    /// goes.
    pub(super) fn check(
        &mut self,
        name: &str,
        node: &dyn PromptNode,
        source: Option<(&Source, &DynamicNode)>,
        has_values: bool,
    ) -> Result<(), Failure> {
        let remarks = source.map_or(&[][..], |(source, _)| source.remarks());
        let denied = remarks.iter().filter(|it| it.severity == Severity::Error);
        let denied: Vec<Finding> = denied.cloned().collect();
        if !denied.is_empty() {
            return Err(Failure::Denied(denied));
        }
        let prompt = self.prompt(node);
        let mut is_empty = false;
        let is_seen = match prompt.render() {
            Ok(rendered) => {
                let mut messages = rendered.messages().into_iter();
                is_empty = messages.all(|message| message.text().trim().is_empty());
                has_values
            }
            Err(error) if !has_values && error.code() == Code::MissingValue => false,
            Err(error) => return Err(Failure::Prompt(name.to_owned(), error)),
        };
        let lints = prompt.lint().into_iter();
        let lints: Lints = lints
            .filter(|lint| is_seen || lint.code != Code::MissingValue)
            .collect();
        // The prompt of a program is no file.
        let is_named = source.is_some() || self.is_text();
        let named = |finding: Finding| if is_named { finding.of(name) } else { finding };
        let warnings = lints.len() + usize::from(is_empty) + remarks.len();
        for remark in remarks {
            self.tell(remark.clone());
        }
        match (source, self.is_text()) {
            (Some((source, node)), true) => {
                let first: Vec<(&Lint, usize)> = lints.by_code().collect();
                let all: Vec<&Lint> = first.iter().map(|(lint, _)| *lint).collect();
                for ((lint, count), place) in first.into_iter().zip(source.places(&all, node)) {
                    let report = source.report_lint(lint, place, count - 1, self.paint);
                    self.warn(&report);
                }
            }
            (Some((source, node)), false) => {
                let all: Vec<&Lint> = lints.iter().collect();
                for (lint, place) in lints.iter().zip(source.places(&all, node)) {
                    self.tell(source.finding_of(lint, place));
                }
            }
            (None, _) => {
                for lint in &lints {
                    self.tell(Finding {
                        section: lint.path.clone(),
                        ..named(Finding::new(
                            Severity::Warning,
                            lint.code.as_str(),
                            &*lint.message,
                        ))
                        .help(&*lint.help)
                    });
                }
            }
        }
        if is_empty {
            let fact = "the prompt is empty: nothing would be sent";
            self.tell(named(Finding::new(Severity::Warning, code::EMPTY, fact)));
        }
        let mut limits = "";
        if !is_seen {
            limits = ", looked at without values";
            self.not_looked_at(
                name,
                "not all was looked at: only values tell which braces are variables",
                "give them with `--values FILE` or `--set NAME=VALUE`; if none is one, a file with an empty map",
            );
        }
        self.state(name, "sound", warnings, limits);
        Ok(())
    }

    /// Tells how a file of wordings is that has no errors, and what in it looks like a slip.
    pub(super) fn wordings(
        &mut self,
        file: &Source,
        state: &str,
        hints: &[Diagnostic],
        note: &str,
    ) {
        for hint in hints {
            if self.is_text() {
                self.warn(&file.report("warning", hint, self.paint));
            } else {
                self.tell(file.finding(Severity::Warning, hint));
            }
        }
        self.state(file.name(), state, hints.len(), note);
    }

    /// Prints a warning that has an excerpt of its file.
    fn warn(&mut self, report: &str) {
        self.outcome.err.push_str(report);
        self.outcome.err.push('\n');
        self.outcome.code = self.outcome.code.max(u8::from(self.deny));
    }

    /// Tells what a check could not look at. People read that in the line of a file, if it fails nothing.
    pub(super) fn not_looked_at(&mut self, name: &str, fact: &str, help: &str) {
        if self.deny || !self.is_text() {
            let finding = Finding::new(Severity::Warning, code::NOT_LOOKED_AT, fact);
            self.tell(finding.of(name).help(help));
        }
    }

    /// The line of a file that was looked at.
    fn state(&mut self, name: &str, state: &str, warnings: usize, note: &str) {
        let warned = match warnings {
            0 => String::new(),
            1 => ", 1 warning".to_owned(),
            many => format!(", {many} warnings"),
        };
        if self.is_text() {
            let name = visible_name(name);
            self.outcome.line(&format!("{name}: {state}{warned}{note}"));
        }
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
            for absent in &preview.absent {
                let around = absent.parent.map(|parent| preview.path(parent) + ".");
                let path = around.unwrap_or_default() + &absent.key;
                self.outcome
                    .line(&format!("not there: {path}, {}", absent.reason));
            }
        }
        Ok(())
    }

    /// Tells that a page is there.
    pub(super) fn written(&mut self, file: &Path) {
        let file = file.display().to_string();
        self.outcome
            .line(&format!("{}: written", visible_name(&file)));
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
            let refused = |error: WireError| {
                let fact = format!("{provider}: {error}");
                Failure::Refused(name.to_owned(), error.code().as_str(), fact)
            };
            let body = body.map_err(refused)?;
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

    /// Tells that values hide what others would print.
    pub(super) fn tell_values(&mut self) {
        let fact = "with these values: what others print is not compared";
        self.outcome.line(fact);
    }

    /// Tells what changed, and gives what the two are to each other.
    pub(super) fn diff(
        &mut self,
        [(old_name, old), (new_name, new)]: [(&str, &Preview); 2],
        asked: &Page,
    ) -> Result<Versions, Failure> {
        let diff = diff(old, new).named(old_name, new_name);
        if let Some(file) = &asked.html {
            write_page(file, &diff.page())?;
            self.written(file);
        } else {
            for line in diff.to_string().lines() {
                let line = blanks_shown(&visible(line));
                self.outcome.line(&painted(&line, self.paint));
            }
        }
        let is_alike =
            diff.unsent.is_empty() && diff.sections.iter().all(|it| it.change == Change::Same);
        Ok(match diff.is_empty() {
            true if is_alike => Versions::Same,
            true => Versions::Alike,
            false => Versions::Changed,
        })
    }
}

/// What two versions of a prompt are to each other.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Versions {
    /// Nothing differs.
    Same,
    /// The same is sent, and something is told of the rest.
    Alike,
    Changed,
    /// One of them has faults, or cannot be read.
    Faulty,
}

impl Versions {
    pub(super) fn code(self) -> u8 {
        match self {
            Self::Same | Self::Alike => 0,
            Self::Changed => 1,
            Self::Faulty => 2,
        }
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

/// A line of a diff: in one that is new or gone a tab and a blank that is no space have pictures, as they may be all that
/// differs.
fn blanks_shown(line: &str) -> String {
    let picture = |c: char| match c {
        '\t' => '\u{2409}',
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' => '\u{237d}',
        c => c,
    };
    if line.starts_with("    + ") || line.starts_with("    - ") {
        line.chars().map(picture).collect()
    } else {
        line.to_owned()
    }
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
