//! The commands: `check`, `preview`, `render`, `diff` and `watch`.

use super::arguments::{Arguments, Request};
use super::files;
use super::source::{Failure, Paint, Source, Values, read_values, set};
use prompt_core::prompt::Preview;
use prompt_core::wire::{Provider, RequestOptions};
use prompt_core::{Budget, DynamicNode, Message, Prompt, PromptError, PromptNode, Style};
use std::ffi::OsString;
use std::fmt::Write;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What `--help` prints.
pub const USAGE: &str = "\
usage: prompt COMMAND FILE.. [OPTIONS]

Works on prompt files: trees in .json or .toml, single texts in .md. FILE may be `-` for the standard input, a folder for
all prompt files below it, or a pattern in quotes: 'prompts/**/*.toml'.

  check FILE..        tells all faults, with file, line and column; then what a linter would say
  preview FILE..      prints the tree: sections, how they are shown, what they cost
  render FILE..       prints the prompt, and nothing else
  diff OLD NEW        tells what changed between two versions, by section and line, with tokens
  watch FILE..        checks again whenever a file changes, and writes the page anew with --html

  --values FILE       takes values of variables from a .json or .toml file
  --set NAME=VALUE    sets one; may be repeated
  --style STYLE       markdown (default) or xml
  --html PAGE         writes the preview of one file, or the diff, as a page for the browser
  --budget TOKENS     keeps the prompt within this many estimated tokens
  --messages          with render: the messages, each under a line with its role
  --request PROVIDER  with render: the body of the request, as JSON
  --model NAME        the model of that request
  --as KIND           what comes from `-`: json, toml or md
  --deny-warnings     lets what a linter says fail the check, and what it could not look at

Without values `check` looks at the files alone; the other commands need a value for every variable.
Exit codes: 0 nothing wrong, 1 faults, 2 a command or file that cannot be worked on. Those of `diff`: 0 nothing changed,
1 something did, 2 faults.";

/// The value of `--html` and its kind, the command, and all else that can be asked.
const OPTIONS: [&str; 8] = [
    "--values",
    "--set",
    "--style",
    "--budget",
    "--html",
    "--request",
    "--model",
    "--as",
];
const FLAGS: [&str; 2] = ["--deny-warnings", "--messages"];

/// What a command prints, and how the program ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The exit code: 0, 1 for faults, 2 for wrong usage.
    pub code: u8,
    /// For the standard output.
    pub out: String,
    /// For the standard error output.
    pub err: String,
}

impl Outcome {
    fn print(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    pub(super) fn fail(&mut self, failure: &Failure, paint: Paint) {
        self.err.push_str(&failure.report(paint));
        self.err.push('\n');
        let is_usage = matches!(failure, Failure::Unreadable(..) | Failure::Unsupported(_));
        self.code = self.code.max(if is_usage { 2 } else { 1 });
    }
}

/// Reads the arguments; `None` where help is asked for.
pub(super) fn read(given: Vec<OsString>) -> Result<Option<Arguments>, Failure> {
    match Request::read_with_flags(given, usize::MAX, &OPTIONS, &FLAGS) {
        Ok(Request::Run(arguments)) => Ok(Some(arguments)),
        Ok(Request::Help) => Ok(None),
        Err(fact) => Err(Failure::Unsupported(fact)),
    }
}

/// Runs a command. `paint` is for both outputs; `-` among the files is read from `stdin`. A `watch` looks once.
pub fn run(
    given: impl IntoIterator<Item = OsString>,
    paint: Paint,
    stdin: &mut dyn Read,
) -> Outcome {
    let mut outcome = Outcome::default();
    let done = read(given.into_iter().collect()).and_then(|arguments| {
        let Some(arguments) = arguments else {
            outcome.print(USAGE);
            return Ok(());
        };
        Task::read(&arguments, paint)?.run(&arguments.words, stdin, &mut outcome)
    });
    if let Err(failure) = done {
        outcome.fail(&failure, paint);
    }
    outcome
}

fn wrong(fact: &str) -> Failure {
    Failure::Unsupported(format!("{fact}; see --help"))
}

/// How files are to be looked at.
pub(super) struct Task {
    values: Option<Values>,
    style: Style,
    budget: Option<usize>,
    page: Option<OsString>,
    shows_messages: bool,
    request: Option<(Provider, RequestOptions)>,
    kind: Option<String>,
    denies_warnings: bool,
    paint: Paint,
}

impl Task {
    fn read(arguments: &Arguments, paint: Paint) -> Result<Self, Failure> {
        let text = |name: &str| {
            let value = arguments.option(name);
            value.map(|value| value.to_string_lossy().into_owned())
        };
        let mut values = None;
        for file in arguments.all("--values") {
            let more = read_values(Path::new(file))?;
            values.get_or_insert_with(Values::new).extend(more);
        }
        for assignment in arguments.all("--set") {
            let values = values.get_or_insert_with(Values::new);
            set(&assignment.to_string_lossy(), values)?;
        }
        let style = match text("--style").as_deref() {
            None | Some("markdown") => Style::Markdown,
            Some("xml") => Style::Xml,
            Some(other) => return Err(wrong(&format!("`{other}` is no style"))),
        };
        let number = |text: String| {
            let number = text.parse().ok();
            number.ok_or_else(|| wrong(&format!("`{text}` is no number of tokens")))
        };
        let model = text("--model");
        let request = match text("--request").map(|name| name.parse::<Provider>()) {
            Some(Ok(provider)) => {
                let model = model.unwrap_or_else(|| "MODEL".to_owned());
                Some((provider, RequestOptions::new(model)))
            }
            Some(Err(unknown)) => return Err(wrong(&unknown.to_string())),
            None if model.is_some() => return Err(wrong("`--model` goes with `--request`")),
            None => None,
        };
        let kind = text("--as");
        if let Some(kind) = kind
            .as_deref()
            .filter(|kind| !files::ENDINGS.contains(kind))
        {
            return Err(wrong(&format!("`{kind}` is no kind of prompt file")));
        }
        Ok(Self {
            values,
            style,
            budget: text("--budget").map(number).transpose()?,
            page: arguments.option("--html").cloned(),
            shows_messages: arguments.has("--messages"),
            request,
            kind,
            denies_warnings: arguments.has("--deny-warnings"),
            paint,
        })
    }

    fn run(
        &self,
        words: &[OsString],
        stdin: &mut dyn Read,
        outcome: &mut Outcome,
    ) -> Result<(), Failure> {
        let Some((command, files)) = words.split_first() else {
            return Err(wrong("a command is missing"));
        };
        let command = command.to_string_lossy();
        let one: fn(&Self, &Source, &mut Outcome) -> Result<(), Failure> = match command.as_ref() {
            "check" => Self::check,
            "preview" => Self::preview,
            // Those that look at more than one file at once have a way of their own below.
            "render" | "diff" | "watch" => Self::render,
            other => return Err(wrong(&format!("`{other}` is no command"))),
        };
        let is_of_render = self.shows_messages || self.request.is_some();
        if is_of_render && command != "render" {
            return Err(wrong("`--messages` and `--request` go with `render`"));
        }
        if self.page.is_some() && matches!(command.as_ref(), "check" | "render") {
            return Err(wrong("`--html` goes with `preview`, `diff` and `watch`"));
        }
        if command == "diff" {
            let [old, new] = files else {
                return Err(wrong("`diff` takes two files"));
            };
            return self.diff([old, new], stdin, outcome);
        }
        if files.is_empty() {
            return Err(wrong(&format!("`{command}` takes a file")));
        }
        if command == "watch" {
            if files.iter().any(files::is_stream) {
                return Err(wrong("`watch` takes files that can be read again"));
            }
            self.watch(files, outcome);
            return Ok(());
        }
        let files = files::expand(files);
        if self.page.is_some() && files.len() > 1 {
            return Err(wrong("`--html` goes with one file"));
        }
        // One broken file hides no other.
        for file in files {
            let done = file
                .and_then(|file| self.source(&file, stdin))
                .and_then(|source| one(self, &source, outcome));
            if let Err(failure) = done {
                outcome.fail(&failure, self.paint);
            }
        }
        Ok(())
    }

    fn source(&self, file: &Path, stdin: &mut dyn Read) -> Result<Source, Failure> {
        if file == Path::new("-") {
            Source::of_stream(stdin, self.kind.as_deref())
        } else {
            Source::read(file)
        }
    }

    fn prompt<'n>(&self, node: &'n DynamicNode) -> Prompt<'n, DynamicNode> {
        let prompt = node.prompt().style(self.style);
        match self.budget {
            Some(tokens) => prompt.budget(Budget::tokens(tokens)),
            None => prompt,
        }
    }

    fn check(&self, source: &Source, outcome: &mut Outcome) -> Result<(), Failure> {
        let node = source.node(self.values.as_ref())?;
        let prompt = self.prompt(&node);
        // Without values the file is looked at as far as that goes.
        let unseen = match prompt.render() {
            Ok(_) => None,
            Err(error) if self.values.is_some() || !is_missing(&error) => {
                return Err(Failure::Prompt(source.name().to_owned(), error));
            }
            Err(error) => Some(error),
        };
        let unseen_code = unseen.as_ref().map(PromptError::code);
        let mut lints = prompt.lint();
        lints.retain(|lint| unseen_code != Some(lint.code));
        for lint in &lints {
            let head = self.paint.yellow(&format!("warning[{}]", lint.code));
            let arrow = self.paint.blue("-->");
            let mut report = format!("{head}: {}\n {arrow} {}", lint.message, source.name());
            if !lint.path.is_empty() {
                _ = write!(report, ", section `{}`", lint.path);
            }
            if !lint.help.is_empty() {
                _ = write!(report, "\n  {} help: {}", self.paint.blue("="), lint.help);
            }
            outcome.err.push_str(&report);
            outcome.err.push_str("\n\n");
        }
        let mut facts = vec![format!("{}: sound", source.name())];
        match lints.len() {
            0 => {}
            1 => facts.push("1 warning".to_owned()),
            many => facts.push(format!("{many} warnings")),
        }
        if unseen.is_some() {
            facts.push("looked at without values".to_owned());
        }
        outcome.print(&facts.join(", "));
        if !self.denies_warnings {
            return Ok(());
        }
        if unseen.is_some() {
            let head = self.paint.red("error");
            let name = source.name();
            _ = writeln!(
                outcome.err,
                "{head}: {name}: what it prints was not looked at, because it has variables without values\n  \
                 = help: give them with `--values FILE` or `--set NAME=VALUE`"
            );
        }
        if unseen.is_some() || !lints.is_empty() {
            outcome.code = outcome.code.max(1);
        }
        Ok(())
    }

    fn preview(&self, source: &Source, outcome: &mut Outcome) -> Result<(), Failure> {
        let preview = self.previewed(source)?;
        if let Some(page) = &self.page {
            return write_page(page, &preview.to_html()).map(drop);
        }
        outcome.print(preview.as_str());
        Ok(())
    }

    fn previewed(&self, source: &Source) -> Result<Preview, Failure> {
        let node = source.node(Some(&self.values_or_none()))?;
        let preview = self.prompt(&node).preview();
        preview.map_err(|error| Failure::Prompt(source.name().to_owned(), error))
    }

    fn render(&self, source: &Source, outcome: &mut Outcome) -> Result<(), Failure> {
        let node = source.node(Some(&self.values_or_none()))?;
        let rendered = self.prompt(&node).render();
        let rendered =
            rendered.map_err(|error| Failure::Prompt(source.name().to_owned(), error))?;
        if let Some((provider, options)) = &self.request {
            let body = provider.request(&rendered.messages(), rendered.tools(), options);
            let body = body.map_err(|error| {
                Failure::Unsupported(format!("{}: {provider}: {error}", source.name()))
            })?;
            outcome.print(&format!("{body:#}"));
        } else if self.shows_messages {
            for message in rendered.messages() {
                outcome.print(&heading(&message, self.paint));
                outcome.print(&message.text());
            }
        } else {
            outcome.out.push_str(rendered.as_str());
        }
        Ok(())
    }

    fn diff(
        &self,
        files: [&OsString; 2],
        stdin: &mut dyn Read,
        outcome: &mut Outcome,
    ) -> Result<(), Failure> {
        let mut sides = Vec::new();
        for file in files {
            let source = self.source(Path::new(file), stdin);
            match source.and_then(|source| self.previewed(&source)) {
                Ok(preview) => sides.push(preview),
                Err(failure) => {
                    outcome.fail(&failure, self.paint);
                    outcome.code = 2;
                }
            }
        }
        let [old, new] = sides.as_slice() else {
            return Ok(());
        };
        let diff = old.diff(new);
        if let Some(page) = &self.page {
            write_page(page, &diff.to_html())?;
        } else {
            for line in diff.to_string().lines() {
                outcome.print(&painted(line, self.paint));
            }
        }
        outcome.code = u8::from(!diff.is_empty());
        Ok(())
    }

    /// A task that can be done again and again.
    pub(super) fn of_watch(arguments: &Arguments, paint: Paint) -> Result<Self, Failure> {
        let files = arguments.words.get(1..).unwrap_or_default();
        let task = Self::read(arguments, paint)?;
        if files.is_empty() || files.iter().any(files::is_stream) {
            return Err(wrong("`watch` takes files that can be read again"));
        }
        Ok(task)
    }

    /// Checks all files, and writes the page of the first one that can be rendered.
    pub(super) fn watch(&self, words: &[OsString], outcome: &mut Outcome) {
        let mut page = self.page.as_ref();
        for file in files::expand(words) {
            let done = file.and_then(|file: PathBuf| {
                let source = Source::read(&file)?;
                self.check(&source, outcome)?;
                if let Some(page) = page.take() {
                    let html = self.previewed(&source)?.to_html();
                    if write_page(page, &html)? {
                        outcome.print(&format!("{}: written", page.to_string_lossy()));
                    }
                }
                Ok(())
            });
            if let Err(failure) = done {
                outcome.fail(&failure, self.paint);
            }
        }
    }

    fn values_or_none(&self) -> Values {
        self.values.clone().unwrap_or_default()
    }
}

/// Whether a prompt cannot be rendered because it has no values.
fn is_missing(error: &PromptError) -> bool {
    error.code() == prompt_core::Code::MissingValue
}

fn write_page(page: &OsString, html: &str) -> Result<bool, Failure> {
    let unwritable =
        |error: io::Error| Failure::Unreadable(page.to_string_lossy().into_owned(), error);
    files::write_if_new(page, html).map_err(unwritable)
}

/// The line over a message.
fn heading(message: &Message, paint: Paint) -> String {
    let mut line = format!("--- {}", message.role.as_str());
    if let Some(point) = message.cache {
        line.push_str(" (cache point");
        if let Some(seconds) = point.ttl {
            _ = write!(line, ", {seconds} s");
        }
        line.push(')');
    }
    paint.blue(&line)
}

/// A line of a diff in the colour of what it tells.
fn painted(line: &str, paint: Paint) -> String {
    match line.trim_start().as_bytes().first() {
        Some(b'+') => paint.green(line),
        Some(b'-') => paint.red(line),
        Some(b'~') => paint.yellow(line),
        _ => line.to_owned(),
    }
}
