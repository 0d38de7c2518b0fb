//! The commands, each for the files that are meant.

use super::arguments::{Arguments, Command, How, Page};
use super::files;
use super::outcome::Outcome;
use super::page_file::{check_page, write_page};
use super::paint::Paint;
use super::source::{Failure, Source, Values, read_values};
use super::work::Work;
use crate::html::visible;
use crate::page;
use prompt_core::DynamicNode;
use prompt_core::prompt::Preview;
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Runs a command. `paint` is for both outputs; `-` among the files is read from `stdin`. A `watch` looks once.
pub(super) fn run(asked: &Arguments, paint: Paint, stdin: &mut dyn Read) -> Outcome {
    let Arguments { how, command } = asked;
    let mut task = Task {
        how,
        values: None,
        stdin,
        work: Work::of(&how.look, paint),
    };
    let done = task.read_values().and_then(|()| match command {
        Command::Check { files, deny } => {
            task.each(files, |task, source| task.check(source, deny.deny_warnings))
        }
        Command::Preview { files, page } => task.preview(files, page),
        Command::Render { files, printed } => task.each(files, |task, source| {
            let node = task.bound(source)?;
            task.work.render(source.name(), &node, printed)
        }),
        Command::Diff { old, new, page } => task.diff([old, new], page),
        Command::Watch { files, page } => task.look(files, page),
        Command::Schema => {
            let schema = prompt_core::dynamic::json_schema();
            task.work.outcome.line(&format!("{schema:#}"));
            Ok(())
        }
    });
    task.work.told(done)
}

/// Sets a value; `user.name` is the entry `name` of the map `user`.
fn set(values: &mut Values, name: &str, value: Value) -> Result<(), Failure> {
    let Some((around, inside)) = name.rsplit_once('.') else {
        values.insert(name.to_owned(), value);
        return Ok(());
    };
    let mut map = values;
    for step in around.split('.') {
        let entry = map
            .entry(step)
            .or_insert_with(|| Value::Object(Values::new()));
        map = entry.as_object_mut().ok_or_else(|| {
            let fact = "is no map: only entries of maps can be set, a list or a text as a whole";
            Failure::Unsupported(format!("`--set {name}`: the value of `{step}` {fact}"))
        })?;
    }
    map.insert(inside.to_owned(), value);
    Ok(())
}

fn input_is_there_once() -> Failure {
    Failure::Unsupported("`-` can be read once".to_owned())
}

/// How files are to be looked at.
struct Task<'a> {
    how: &'a How,
    values: Option<Values>,
    stdin: &'a mut dyn Read,
    work: Work<'a>,
}

impl Task<'_> {
    fn read_values(&mut self) -> Result<(), Failure> {
        for file in &self.how.values {
            let more = read_values(file)?;
            self.values.get_or_insert_default().extend(more);
        }
        for (name, value) in &self.how.set {
            set(self.values.get_or_insert_default(), name, value.clone())?;
        }
        Ok(())
    }

    /// What was set, and has a name that none of these files uses: each is sound without the value, where a missing one is a
    /// fault.
    fn tell_unused(&mut self, sources: &[Source]) {
        let is_prompt = |source: &&Source| source.wordings().is_none();
        let sources: Vec<&Source> = sources.iter().filter(is_prompt).collect();
        let first = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
        let names: BTreeSet<String> = self.how.set.iter().map(|(name, _)| first(name)).collect();
        for name in names {
            let mut without = self.values.clone().unwrap_or_default();
            without.shift_remove(&name);
            let is_idle = |source: &&Source| source.node(Some(&without)).is_ok();
            if !sources.is_empty() && sources.iter().all(is_idle) {
                self.work.unused(&name);
            }
        }
    }

    /// The files that are meant. The standard input is there once; a file of values is no prompt.
    fn files(&self, words: &[OsString]) -> Result<Vec<Result<PathBuf, Failure>>, Failure> {
        let values: Vec<PathBuf> = self.how.values.iter().flat_map(fs::canonicalize).collect();
        let is_prompt =
            |file: &PathBuf| fs::canonicalize(file).map_or(true, |file| !values.contains(&file));
        let mut files = files::expand(words);
        files.retain(|file| file.as_ref().map_or(true, is_prompt));
        let is_input =
            |file: &&Result<PathBuf, Failure>| matches!(file, Ok(file) if file.as_os_str() == "-");
        if files.iter().filter(is_input).count() > 1 {
            return Err(input_is_there_once());
        }
        Ok(files)
    }

    /// One broken file hides no other.
    fn each(
        &mut self,
        words: &[OsString],
        mut one: impl FnMut(&mut Self, &Source) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut sound = Vec::new();
        for file in self.files(words)? {
            let source = file.and_then(|file| self.source(&file));
            match source.and_then(|source| one(self, &source).map(|()| source)) {
                Ok(source) => sound.push(source),
                Err(failure) => self.work.outcome.fail(&failure, self.work.paint),
            }
        }
        self.tell_unused(&sound);
        Ok(())
    }

    fn source(&mut self, file: &Path) -> Result<Source, Failure> {
        if file.as_os_str() == "-" {
            Source::of_stream(self.stdin, self.how.kind)
        } else {
            Source::read(file)
        }
    }

    /// The tree with its values, or without any.
    fn bound(&self, source: &Source) -> Result<DynamicNode, Failure> {
        source.node(Some(&self.values.clone().unwrap_or_default()))
    }

    fn previewed(&self, source: &Source) -> Result<Preview, Failure> {
        self.work.previewed(source.name(), &self.bound(source)?)
    }

    fn check(&mut self, source: &Source, deny: bool) -> Result<(), Failure> {
        let Some(wordings) = source.wordings() else {
            let node = source.node(self.values.as_ref())?;
            let has_values = self.values.is_some();
            return self.work.check(source.name(), &node, has_values, deny);
        };
        let checked = wordings.and_then(|it| Ok((it.names().count(), it.check_syntax()?)));
        let (count, hints) =
            checked.map_err(|faults| Failure::Faults(Box::new(source.clone()), faults))?;
        let plural = if count == 1 { "" } else { "s" };
        let note = format!(
            ", {count} wording{plural}, looked at without the type: the program that has it checks names and paths, with \
             `Wordings::check` or `prompt_review::command`"
        );
        self.work.wordings(source, &hints, &note, deny);
        Ok(())
    }

    fn preview(&mut self, words: &[OsString], asked: &Page) -> Result<(), Failure> {
        check_page(asked)?;
        if asked.html.is_some() && self.files(words)?.len() > 1 {
            let fact = "`--html` goes with one file";
            return Err(Failure::Unsupported(fact.to_owned()));
        }
        self.each(words, |task, source| {
            let node = task.bound(source)?;
            task.work.preview(source.name(), &node, asked)
        })
    }

    fn diff(&mut self, files: [&OsString; 2], asked: &Page) -> Result<(), Failure> {
        check_page(asked)?;
        if files.iter().all(|file| *file == "-") {
            return Err(input_is_there_once());
        }
        // Faults are told apart from changes.
        self.work.outcome.code = 2;
        let sides = files.map(|file| {
            let source = self.source(Path::new(file))?;
            self.previewed(&source)
        });
        match sides {
            [Ok(old), Ok(new)] => self.work.diff(&old, &new, asked)?,
            sides => {
                for failure in sides.into_iter().filter_map(Result::err) {
                    self.work.outcome.fail(&failure, self.work.paint);
                }
            }
        }
        Ok(())
    }

    /// Checks the files; the first one that can be rendered makes the page.
    fn look(&mut self, words: &[OsString], asked: &Page) -> Result<(), Failure> {
        let mut wanted = asked.html.as_deref();
        self.each(words, |task, source| {
            task.check(source, false)?;
            if let Some(file) = wanted.take_if(|_| source.wordings().is_none())
                && write_page(file, &page(&task.previewed(source)?))?
            {
                let file = file.display().to_string();
                let line = format!("{}: written", visible(&file));
                task.work.outcome.line(&line);
            }
            Ok(())
        })
    }
}
