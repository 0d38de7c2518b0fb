//! The commands, each for the files that are meant.

use super::arguments::{Command, Diff, How, Preview, Render, Style, Watch};
use super::files;
use super::outcome::Outcome;
use super::page_file::{check_page, write_page};
use super::paint::{BLUE, GREEN, Paint, RED, YELLOW};
use super::source::{Failure, Source, Values, read_values};
use crate::html::visible;
use crate::{diff, page};
use prompt_agent::wire::RequestOptions;
use prompt_core::lint::Lint;
use prompt_core::{Budget, Code, DynamicNode, Message, Prompt, PromptNode, prompt};
use std::ffi::OsString;
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Runs a command. `paint` is for both outputs; `-` among the files is read from `stdin`. A `watch` looks once.
pub(super) fn run(command: &Command, paint: Paint, stdin: &mut dyn Read) -> Outcome {
    let how = match command {
        Command::Check(it) => &it.sources.how,
        Command::Preview(it) => &it.sources.how,
        Command::Render(it) => &it.sources.how,
        Command::Diff(it) => &it.how,
        Command::Watch(it) => &it.sources.how,
    };
    let mut outcome = Outcome::default();
    let task = Task::of(how, paint, stdin, &mut outcome);
    let done = task.and_then(|mut task| match command {
        Command::Check(it) => {
            let check = |task: &mut Task<'_>, source: &Source| task.check(source, it.deny_warnings);
            task.each(files(&it.sources.files)?, check);
            Ok(())
        }
        Command::Preview(it) => task.preview(it),
        Command::Render(it) => task.render(it),
        Command::Diff(it) => task.diff(it),
        Command::Watch(it) => {
            task.look(it);
            Ok(())
        }
    });
    if let Err(failure) = done {
        outcome.fail(&failure, paint);
    }
    outcome
}

/// The files that are meant. The standard input is there once.
fn files<'w>(
    words: impl IntoIterator<Item = &'w OsString>,
) -> Result<Vec<Result<PathBuf, Failure>>, Failure> {
    let files = files::expand(words);
    let is_input =
        |file: &&Result<PathBuf, Failure>| matches!(file, Ok(file) if file.as_os_str() == "-");
    if files.iter().filter(is_input).count() > 1 {
        return Err(input_is_there_once());
    }
    Ok(files)
}

fn input_is_there_once() -> Failure {
    Failure::Unsupported("`-` can be read once".to_owned())
}

/// How files are to be looked at, and what is told of them.
struct Task<'a> {
    how: &'a How,
    values: Option<Values>,
    paint: Paint,
    stdin: &'a mut dyn Read,
    outcome: &'a mut Outcome,
}

impl<'a> Task<'a> {
    fn of(
        how: &'a How,
        paint: Paint,
        stdin: &'a mut dyn Read,
        outcome: &'a mut Outcome,
    ) -> Result<Self, Failure> {
        let mut values = None;
        for file in &how.values {
            let more = read_values(file)?;
            values.get_or_insert_with(Values::new).extend(more);
        }
        for (name, value) in &how.set {
            let values = values.get_or_insert_with(Values::new);
            values.insert(name.clone(), value.clone());
        }
        Ok(Self {
            how,
            values,
            paint,
            stdin,
            outcome,
        })
    }

    /// One broken file hides no other.
    fn each(
        &mut self,
        files: Vec<Result<PathBuf, Failure>>,
        mut one: impl FnMut(&mut Self, &Source) -> Result<(), Failure>,
    ) {
        for file in files {
            let source = file.and_then(|file| self.source(&file));
            if let Err(failure) = source.and_then(|source| one(self, &source)) {
                self.outcome.fail(&failure, self.paint);
            }
        }
    }

    fn source(&mut self, file: &Path) -> Result<Source, Failure> {
        if file.as_os_str() == "-" {
            Source::of_stream(self.stdin, self.how.kind)
        } else {
            Source::read(file)
        }
    }

    fn prompt<'n>(&self, node: &'n DynamicNode) -> Prompt<'n, DynamicNode> {
        let prompt = node.prompt().style(match self.how.style {
            Style::Markdown => prompt_core::Style::Markdown,
            Style::Xml => prompt_core::Style::Xml,
        });
        match self.how.budget {
            Some(tokens) => prompt.budget(Budget::tokens(tokens)),
            None => prompt,
        }
    }

    fn check(&mut self, source: &Source, deny_warnings: bool) -> Result<(), Failure> {
        let node = source.node(self.values.as_ref())?;
        let prompt = self.prompt(&node);
        // Without values the file is looked at as far as that goes.
        let unseen = match prompt.render() {
            Ok(_) => None,
            Err(error) if self.values.is_none() && error.code() == Code::MissingValue => {
                Some(error.code())
            }
            Err(error) => return Err(source.failure(error)),
        };
        let mut lints = prompt.lint();
        lints.retain(|lint| unseen != Some(lint.code));
        for lint in &lints {
            self.warn(lint, source.name());
        }
        let mut facts = vec![format!("{}: sound", visible(source.name()))];
        match lints.len() {
            0 => {}
            1 => facts.push("1 warning".to_owned()),
            many => facts.push(format!("{many} warnings")),
        }
        if unseen.is_some() {
            facts.push("looked at without values".to_owned());
        }
        self.outcome.line(&facts.join(", "));
        if !deny_warnings || unseen.is_none() && lints.is_empty() {
            return Ok(());
        }
        if unseen.is_some() {
            let (head, name) = (self.paint.with(RED, "error"), visible(source.name()));
            _ = writeln!(
                self.outcome.err,
                "{head}: {name}: what it prints was not looked at, because it has variables without values\n  \
                 = help: give them with `--values FILE` or `--set NAME=VALUE`"
            );
        }
        self.outcome.code = self.outcome.code.max(1);
        Ok(())
    }

    fn warn(&mut self, lint: &Lint, file: &str) {
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
        if !help.is_empty() {
            _ = write!(err, "\n  {equals} help: {help}");
        }
        err.push_str("\n\n");
    }

    fn preview(&mut self, asked: &Preview) -> Result<(), Failure> {
        asked.html.as_deref().map_or(Ok(()), check_page)?;
        let files = files(&asked.sources.files)?;
        if asked.html.is_some() && files.len() > 1 {
            let fact = "`--html` goes with one file";
            return Err(Failure::Unsupported(fact.to_owned()));
        }
        self.each(files, |task, source| {
            let preview = task.previewed(source)?;
            if let Some(file) = &asked.html {
                write_page(file, &page(&preview))?;
            } else {
                task.outcome.line(preview.as_str());
            }
            Ok(())
        });
        Ok(())
    }

    fn previewed(&self, source: &Source) -> Result<prompt::Preview, Failure> {
        let preview = self.prompt(&self.bound(source)?).preview();
        preview.map_err(|error| source.failure(error))
    }

    /// The tree with its values, or without any.
    fn bound(&self, source: &Source) -> Result<DynamicNode, Failure> {
        source.node(Some(&self.values.clone().unwrap_or_default()))
    }

    fn render(&mut self, asked: &Render) -> Result<(), Failure> {
        let options = RequestOptions::new(&asked.model);
        self.each(files(&asked.sources.files)?, |task, source| {
            let rendered = task.prompt(&task.bound(source)?).render();
            let rendered = rendered.map_err(|error| source.failure(error))?;
            if let Some(provider) = asked.request {
                let name = source.name();
                let body = provider.request(&rendered.messages(), rendered.tools(), &options);
                let body = body.map_err(|error| format!("{name}: {provider}: {error}"));
                let body = body.map_err(Failure::Unsupported)?;
                task.outcome.line(&format!("{body:#}"));
            } else if asked.messages {
                for message in rendered.messages() {
                    task.outcome.line(&heading(&message, task.paint));
                    task.outcome.line(&message.text());
                }
            } else {
                task.outcome.out.push_str(rendered.as_str());
            }
            Ok(())
        });
        Ok(())
    }

    fn diff(&mut self, asked: &Diff) -> Result<(), Failure> {
        asked.html.as_deref().map_or(Ok(()), check_page)?;
        let [old, new] = [&asked.old, &asked.new].map(PathBuf::from);
        if old == new && old.as_os_str() == "-" {
            return Err(input_is_there_once());
        }
        let mut sides = Vec::new();
        for file in [old, new] {
            let source = self.source(&file);
            match source.and_then(|source| self.previewed(&source)) {
                Ok(preview) => sides.push(preview),
                Err(failure) => {
                    self.outcome.fail(&failure, self.paint);
                    self.outcome.code = 2;
                }
            }
        }
        let [old, new] = sides.as_slice() else {
            return Ok(());
        };
        let diff = diff(old, new);
        if let Some(file) = &asked.html {
            write_page(file, &diff.page())?;
        } else {
            for line in diff.to_string().lines() {
                self.outcome.line(&painted(&visible(line), self.paint));
            }
        }
        self.outcome.code = u8::from(!diff.is_empty());
        Ok(())
    }

    /// Checks the files; the first one that can be rendered makes the page.
    fn look(&mut self, asked: &Watch) {
        let mut wanted = asked.html.as_deref();
        self.each(files::expand(&asked.sources.files), |task, source| {
            task.check(source, false)?;
            let Some(file) = wanted.take() else {
                return Ok(());
            };
            if write_page(file, &page(&task.previewed(source)?))? {
                let file = file.display().to_string();
                task.outcome.line(&format!("{}: written", visible(&file)));
            }
            Ok(())
        });
    }
}

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
