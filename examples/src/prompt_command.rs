//! The command line tool for prompt files: `check`, `preview`, `render` and `diff`. A command is a function from
//! arguments to an [`Outcome`], so that a test runs what the terminal runs.

use crate::arguments::{Arguments, Request};
use crate::prompt_file::{Failure, Paint, Source, Values, read_values, set};
use prompt_core::tokens::{EstimatedTokens, TokenCounter};
use prompt_core::{Budget, DynamicNode, PromptNode, RenderedPrompt, Style};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;

/// What `--help` prints.
pub const USAGE: &str = "\
usage: prompt COMMAND FILE.. [OPTIONS]

Works on prompt files: trees in .json or .toml, single texts in .md.

  check FILE..        tells all faults, with file, line and column; then what a linter would say
  preview FILE..      prints the tree: sections, how they are shown, what they cost
  render FILE..       prints the prompt
  diff OLD NEW        tells what changed between two versions, by section, with tokens

  --values FILE       takes values of variables from a .json or .toml file
  --set NAME=VALUE    sets one; may be repeated
  --style STYLE       markdown (default) or xml
  --html PAGE         writes the preview of one file as a page for the browser
  --budget TOKENS     keeps the prompt within this many estimated tokens
  --deny-warnings     lets what a linter says fail the check

Without values `check` looks at the files alone; the other commands need a value for every variable.
Exit codes: 0 nothing wrong, 1 faults, 2 a command or file that cannot be worked on.";

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

    fn fail(&mut self, failure: &Failure, paint: Paint) {
        self.err.push_str(&failure.report(paint));
        self.err.push('\n');
        let is_usage = matches!(failure, Failure::Unreadable(..) | Failure::Unsupported(_));
        self.code = self.code.max(if is_usage { 2 } else { 1 });
    }
}

/// How files are to be looked at.
struct Task {
    values: Option<Values>,
    style: Style,
    budget: Option<usize>,
    page: Option<OsString>,
    denies_warnings: bool,
    paint: Paint,
}

/// Runs a command. `paint` is for both outputs.
pub fn run(given: impl IntoIterator<Item = OsString>, paint: Paint) -> Outcome {
    let mut outcome = Outcome::default();
    let options = ["--values", "--set", "--style", "--budget", "--html"];
    let arguments =
        match Request::read_with_flags(given, usize::MAX, &options, &["--deny-warnings"]) {
            Ok(Request::Run(arguments)) => arguments,
            Ok(Request::Help) => {
                outcome.print(USAGE);
                return outcome;
            }
            Err(fact) => {
                outcome.fail(&Failure::Unsupported(fact), paint);
                return outcome;
            }
        };
    if let Err(failure) =
        Task::read(&arguments, paint).and_then(|task| task.run(&arguments.words, &mut outcome))
    {
        outcome.fail(&failure, paint);
    }
    outcome
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
        let wrong = |fact: String| Failure::Unsupported(format!("{fact}; see --help"));
        let style = match text("--style").as_deref() {
            None | Some("markdown") => Style::Markdown,
            Some("xml") => Style::Xml,
            Some(other) => return Err(wrong(format!("`{other}` is no style"))),
        };
        let number = |text: String| {
            let number = text.parse().ok();
            number.ok_or_else(|| wrong(format!("`{text}` is no number of tokens")))
        };
        Ok(Self {
            values,
            style,
            budget: text("--budget").map(number).transpose()?,
            page: arguments.option("--html").cloned(),
            denies_warnings: arguments.has("--deny-warnings"),
            paint,
        })
    }

    fn run(&self, words: &[OsString], outcome: &mut Outcome) -> Result<(), Failure> {
        let wrong = |fact: String| Err(Failure::Unsupported(format!("{fact}; see --help")));
        let Some((command, files)) = words.split_first() else {
            return wrong("a command is missing".to_owned());
        };
        let command = command.to_string_lossy();
        let one: fn(&Self, &Source, &mut Outcome) -> Result<(), Failure> = match command.as_ref() {
            "check" => Self::check,
            "preview" => Self::preview,
            "render" => Self::render,
            "diff" => {
                let [old, new] = files else {
                    return wrong("`diff` takes two files".to_owned());
                };
                self.diff(Path::new(old), Path::new(new), outcome);
                return Ok(());
            }
            other => return wrong(format!("`{other}` is no command")),
        };
        if self.page.is_some() && (command != "preview" || files.len() > 1) {
            return wrong("`--html` goes with `preview` and one file".to_owned());
        }
        if files.is_empty() {
            return wrong(format!("`{command}` takes a file"));
        }
        // One broken file hides no other.
        for file in files {
            let done = Source::read(Path::new(file)).and_then(|file| one(self, &file, outcome));
            if let Err(failure) = done {
                outcome.fail(&failure, self.paint);
            }
        }
        Ok(())
    }

    fn check(&self, source: &Source, outcome: &mut Outcome) -> Result<(), Failure> {
        let node = source.node(self.values.as_ref())?;
        match self.rendered(source, &node) {
            Err(failure) if self.values.is_some() => return Err(failure),
            // Without values the file was all there is to look at.
            Err(_) => {
                outcome.print(&format!("{}: sound", source.name()));
                return Ok(());
            }
            Ok(_) => {}
        }
        let lints = node.prompt().style(self.style).lint();
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
        match lints.len() {
            0 => outcome.print(&format!("{}: sound", source.name())),
            1 => outcome.print(&format!("{}: sound, 1 warning", source.name())),
            many => outcome.print(&format!("{}: sound, {many} warnings", source.name())),
        }
        if self.denies_warnings && !lints.is_empty() {
            outcome.code = outcome.code.max(1);
        }
        Ok(())
    }

    fn preview(&self, source: &Source, outcome: &mut Outcome) -> Result<(), Failure> {
        let node = source.node(Some(&self.values_or_none()))?;
        let mut prompt = node.prompt().style(self.style);
        if let Some(tokens) = self.budget {
            prompt = prompt.budget(Budget::tokens(tokens));
        }
        let preview = prompt
            .preview()
            .map_err(|error| Failure::Prompt(source.name().to_owned(), error))?;
        match &self.page {
            Some(page) => std::fs::write(page, preview.to_html())
                .map_err(|error| Failure::Unreadable(page.to_string_lossy().into_owned(), error))?,
            None => outcome.print(&preview.to_string()),
        }
        Ok(())
    }

    fn render(&self, source: &Source, outcome: &mut Outcome) -> Result<(), Failure> {
        let node = source.node(Some(&self.values_or_none()))?;
        let rendered = self.rendered(source, &node)?;
        outcome.print(rendered.as_str());
        Ok(())
    }

    fn diff(&self, old: &Path, new: &Path, outcome: &mut Outcome) {
        let mut sides = Vec::new();
        for file in [old, new] {
            let side = Source::read(file).and_then(|source| {
                let node = source.node(Some(&self.values_or_none()))?;
                self.rendered(&source, &node)
            });
            match side {
                Ok(rendered) => sides.push(own_texts(&rendered)),
                Err(failure) => outcome.fail(&failure, self.paint),
            }
        }
        if let [old, new] = sides.as_slice() {
            outcome.print(&changes(old, new, self.paint));
        }
    }

    fn values_or_none(&self) -> Values {
        self.values.clone().unwrap_or_default()
    }

    fn rendered(&self, source: &Source, node: &DynamicNode) -> Result<RenderedPrompt, Failure> {
        let mut prompt = node.prompt().style(self.style);
        if let Some(tokens) = self.budget {
            prompt = prompt.budget(Budget::tokens(tokens));
        }
        let failed = |error| Failure::Prompt(source.name().to_owned(), error);
        prompt.render().map_err(failed)
    }
}

/// The text that a section has for itself, without the sections in it; the root's path is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnText {
    /// The dotted path.
    pub path: String,
    /// The text: heading and body.
    pub text: String,
}

/// The texts of all sections of a prompt, in their order, the root first.
#[must_use]
pub fn own_texts(rendered: &RenderedPrompt) -> Vec<OwnText> {
    let whole = rendered.as_str();
    let sections = rendered.sections();
    let mut own = vec![OwnText {
        path: String::new(),
        text: String::new(),
    }];
    own.extend(sections.iter().map(|section| OwnText {
        path: section.path.clone(),
        text: String::new(),
    }));
    // Ranges nest: what stands between the edges of two of them belongs to the innermost that is open.
    let mut open = vec![(0, whole.len())];
    let mut at = 0;
    let mut take = |to: usize, open: &[(usize, usize)], own: &mut [OwnText]| {
        let piece = whole.get(at..to).unwrap_or_default();
        if let Some(owner) = open.last().and_then(|&(index, _)| own.get_mut(index)) {
            owner.text.push_str(piece);
        }
        at = at.max(to);
    };
    for (index, section) in sections.iter().enumerate() {
        while let Some(&(_, end)) = open.last().filter(|(_, end)| *end <= section.range.start) {
            take(end, &open, &mut own);
            open.pop();
        }
        take(section.range.start, &open, &mut own);
        open.push((index + 1, section.range.end));
    }
    while let Some(&(_, end)) = open.last() {
        take(end, &open, &mut own);
        open.pop();
    }
    own
}

/// What changed between two prompts: a line for each section that is new, gone, changed or moved, with its tokens, and
/// below it the lines that differ; then the sum.
#[must_use]
pub fn changes(old: &[OwnText], new: &[OwnText], paint: Paint) -> String {
    let count = |text: &str| EstimatedTokens::default().count(text);
    let total = |side: &[OwnText]| {
        let whole: String = side.iter().map(|section| section.text.as_str()).collect();
        count(&whole)
    };
    let before: std::collections::BTreeMap<&str, &str> = old
        .iter()
        .map(|section| (section.path.as_str(), section.text.as_str()))
        .collect();
    let after: std::collections::BTreeSet<&str> =
        new.iter().map(|section| section.path.as_str()).collect();
    let mut lines = Vec::new();
    for section in new {
        let name = name_of(&section.path);
        let text = section.text.trim();
        match before.get(section.path.as_str()).map(|text| text.trim()) {
            None => {
                let tokens = count(text);
                lines.push(paint.green(&format!("+ {name}: {tokens} tokens")));
                lines.extend(
                    text.lines()
                        .map(|line| paint.green(&format!("    + {line}"))),
                );
            }
            Some(old) if old != text => {
                let (was, is) = (count(old), count(text));
                let tokens = difference(was, is);
                lines.push(paint.yellow(&format!("~ {name}: {tokens}")));
                lines.extend(changed_lines(old, text, paint));
            }
            Some(_) => {}
        }
    }
    for section in old.iter().filter(|old| !after.contains(old.path.as_str())) {
        let (name, tokens) = (name_of(&section.path), count(section.text.trim()));
        lines.push(paint.red(&format!("- {name}: {tokens} tokens")));
    }
    let paths = |side: &[OwnText], other: &dyn Fn(&str) -> bool| -> Vec<String> {
        let both = side.iter().filter(|section| other(&section.path));
        both.map(|section| section.path.clone()).collect()
    };
    let kept = paths(new, &|path| before.contains_key(path));
    if kept != paths(old, &|path| after.contains(path)) {
        lines.push("the order of the sections changed".to_owned());
    }
    if lines.is_empty() {
        lines.push("no section changed".to_owned());
    }
    lines.push(format!("total: {}", difference(total(old), total(new))));
    lines.join("\n")
}

fn name_of(path: &str) -> &str {
    if path.is_empty() { "(own text)" } else { path }
}

fn difference(was: usize, is: usize) -> String {
    let sign = if is < was { '-' } else { '+' };
    format!("{was} -> {is} tokens ({sign}{})", is.abs_diff(was))
}

/// The lines between the first and the last that differ, old and new.
fn changed_lines(old: &str, new: &str, paint: Paint) -> Vec<String> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = old.iter().zip(&new).take_while(same).count();
    let (old, new) = (
        old.get(head..).unwrap_or_default(),
        new.get(head..).unwrap_or_default(),
    );
    let tail = old.iter().rev().zip(new.iter().rev());
    let tail = tail.take_while(same).count();
    let gone = old.iter().take(old.len() - tail);
    let come = new.iter().take(new.len() - tail);
    let gone = gone.map(|line| paint.red(&format!("    - {line}")));
    let come = come.map(|line| paint.green(&format!("    + {line}")));
    gone.chain(come).collect()
}
