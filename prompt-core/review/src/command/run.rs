//! The commands, each for the files that are meant.

use super::arguments::{Arguments, Command, How, Page, Printed};
use super::files;
use super::finding::{Finding, Severity, code};
use super::outcome::Outcome;
use super::page_file::{check_page, write_page};
use super::paint::Paint;
use super::source::{Failure, Names, SCHEMA, Source};
use super::values::{self, Values};
use super::work::{Versions, Work};
use crate::html::visible_name;
use crate::page;
use prompt_core::DynamicNode;
use prompt_core::prompt::Preview;
use serde_json::{Number, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Runs a command. `paint` is for both outputs; `-` among the files is read from `stdin`. A `watch` looks once.
pub(super) fn run(asked: &Arguments, paint: Paint, stdin: &mut dyn Read) -> Outcome {
    let Arguments { how, command } = asked;
    let checking = match command {
        Command::Check { checking, .. } => Some(checking),
        _ => None,
    };
    let mut task = Task {
        how,
        values: None,
        files: BTreeMap::new(),
        stdin,
        work: Work::of(&how.look, paint, checking),
    };
    let done = task.read_values().and_then(|()| match command {
        Command::Check { files, .. } => {
            let (sound, faulty) = task.each(files, Task::check)?;
            let count = sound.len();
            // One that is faulty may use what the others do not.
            if faulty == 0 {
                let names = task.values.iter().flat_map(Values::keys).cloned().collect();
                task.tell_unused(&sound, names);
            }
            for path in files::expand(files).hidden {
                task.work.passed_over(&path.display().to_string(), "hidden");
            }
            if count + faulty > 1 && task.work.is_text() {
                let sum = format!("{} files: {count} sound, {faulty} faulty", count + faulty);
                task.work.outcome.line(&sum);
            }
            Ok(())
        }
        Command::Preview { files, page } => task.preview(files, page),
        Command::Render { files, printed } => task.render(files, printed),
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
            Failure::Usage(format!("`--set {name}`: the value of `{step}` {fact}"))
        })?;
    }
    map.insert(inside.to_owned(), value);
    Ok(())
}

/// The name of a value whose entry is set.
fn first_name(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

fn no_prompt_file() -> Failure {
    Failure::Usage("there is no prompt file".to_owned())
}

fn input_is_there_once() -> Failure {
    Failure::Usage("`-` can be read once".to_owned())
}

/// How files are to be looked at.
struct Task<'a> {
    how: &'a How,
    values: Option<Values>,
    /// The files that give values, by the names.
    files: BTreeMap<String, PathBuf>,
    stdin: &'a mut dyn Read,
    work: Work<'a>,
}

impl Task<'_> {
    fn read_values(&mut self) -> Result<(), Failure> {
        for file in &self.how.values {
            let more = values::from_file(file)?;
            let names = more.keys().map(|name| (name.clone(), file.clone()));
            self.files.extend(names);
            self.values.get_or_insert_default().extend(more);
        }
        for (name, value) in &self.how.set {
            let wrong = |fact| Failure::Usage(format!("`--set {name}`: {fact}"));
            let value = values::from_text(value).map_err(wrong)?;
            set(self.values.get_or_insert_default(), name, value)?;
        }
        Ok(())
    }

    /// What was given, and has a name that none of these files uses: each is sound without the value, where a missing one is a
    /// fault.
    fn tell_unused(&mut self, sources: &[Source], names: Vec<String>) {
        let prompts = sources.iter().filter(|source| source.wordings().is_none());
        let prompts: Vec<_> = prompts.map(|source| (source, source.names())).collect();
        for name in names {
            let is_idle = |(source, names): &(&Source, Names)| {
                let without = || {
                    let mut values = self.values.clone().unwrap_or_default();
                    values.shift_remove(&name);
                    source.node(Some(&values))
                };
                !names.has_written(&name) && (!names.may_mean(&name) || without().is_ok())
            };
            if !prompts.is_empty() && prompts.iter().all(is_idle) {
                let fact = format!("no text uses the value `{name}`");
                let unused = Finding::new(Severity::Warning, code::UNUSED, fact);
                let set = |(set, _): &(String, String)| first_name(set) == name;
                let file = self
                    .files
                    .get(&name)
                    .filter(|_| !self.how.set.iter().any(set));
                self.work.tell(match file {
                    Some(file) => unused.of(&file.display().to_string()),
                    None => unused,
                });
            }
        }
    }

    /// The files that are meant. The standard input is there once; a file of values is no prompt.
    fn files(&self, words: &[OsString]) -> Result<Vec<Result<PathBuf, Failure>>, Failure> {
        let values: Vec<PathBuf> = self.how.values.iter().flat_map(fs::canonicalize).collect();
        let is_prompt =
            |file: &PathBuf| fs::canonicalize(file).map_or(true, |file| !values.contains(&file));
        let mut files = files::expand(words).files;
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
    ) -> Result<(Vec<Source>, usize), Failure> {
        let (mut sound, mut faulty) = (Vec::new(), 0);
        for file in self.files(words)? {
            let source = file.and_then(|file| self.source(&file));
            // It lies beside the files that an editor checks by it.
            if let Some(schema) = source.as_ref().ok().filter(|source| source.is_schema()) {
                self.work.passed_over(schema.name(), SCHEMA);
                continue;
            }
            match source.and_then(|source| one(self, &source).map(|()| source)) {
                Ok(source) => sound.push(source),
                Err(failure) => {
                    faulty += 1;
                    self.work.outcome.fail(&failure, self.work.paint);
                }
            }
        }
        if sound.is_empty() && faulty == 0 {
            return Err(no_prompt_file());
        }
        Ok((sound, faulty))
    }

    /// The same for a command that prints. What was set and no text uses is told behind it; a file of values may have some for
    /// other prompts.
    fn print_each(
        &mut self,
        words: &[OsString],
        one: impl FnMut(&mut Self, &Source) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (sound, _) = self.each(words, one)?;
        let names: BTreeSet<&str> = self
            .how
            .set
            .iter()
            .map(|(name, _)| first_name(name))
            .collect();
        let names = names.into_iter().map(str::to_owned);
        self.tell_unused(&sound, names.collect());
        Ok(())
    }

    fn source(&mut self, file: &Path) -> Result<Source, Failure> {
        if file.as_os_str() == "-" {
            Source::of_stream(self.stdin, self.how.kind)
        } else {
            Source::read(file, self.how.kind)
        }
    }

    /// The tree with its values, or without any.
    fn bound(&self, source: &Source) -> Result<DynamicNode, Failure> {
        source.node(Some(&self.values_for(source)))
    }

    /// The values, where what was set is a number if a text rounds it, as it would be in a file.
    fn values_for(&self, source: &Source) -> Values {
        let mut values = self.values.clone().unwrap_or_default();
        for (name, value) in &self.how.set {
            let read = || -> Option<Number> {
                let of_json = serde_json::from_str(value).ok();
                let whole = || value.parse::<i64>().ok().map(Number::from);
                of_json
                    .or_else(whole)
                    .or_else(|| Number::from_f64(value.parse().ok()?))
            };
            if source.rounds(name)
                && let Some(number) = read()
            {
                _ = set(&mut values, name, number.into());
            }
        }
        values
    }

    fn previewed(&self, source: &Source) -> Result<Preview, Failure> {
        self.work.previewed(source.name(), &self.bound(source)?)
    }

    fn check(&mut self, source: &Source) -> Result<(), Failure> {
        let Some(wordings) = source.wordings() else {
            let values = self.values.is_some().then(|| self.values_for(source));
            let node = source.node(values.as_ref())?;
            let has_values = values.is_some() || !may_name_values(&node);
            let tree = Some((source, &node));
            return self.work.check(source.name(), &node, tree, has_values);
        };
        let checked = wordings.and_then(|it| Ok((it.names().count(), it.check_syntax()?)));
        let (count, hints) =
            checked.map_err(|faults| Failure::Faults(Box::new(source.clone()), faults))?;
        let plural = if count == 1 { "" } else { "s" };
        let note = format!(
            ", {count} wording{plural}, looked at without the type: the program that has it checks names and paths, with \
             `Wordings::check` or `prompt_review::command`"
        );
        self.work.wordings(source, "sound", &hints, &note);
        self.work.not_looked_at(
            source.name(),
            "names and paths were not looked at",
            "check it by the program that has the type, with `Wordings::check` or `prompt_review::command`, and keep it in a \
             folder of its own",
        );
        Ok(())
    }

    fn preview(&mut self, words: &[OsString], asked: &Page) -> Result<(), Failure> {
        check_page(asked)?;
        if asked.html.is_some() && self.files(words)?.len() > 1 {
            let fact = "`--html` goes with one file";
            return Err(Failure::Usage(fact.to_owned()));
        }
        let is_one = self.files(words)?.len() == 1;
        self.print_each(words, |task, source| {
            let node = task.bound(source)?;
            task.head(source, is_one);
            task.work.preview(source.name(), &node, asked)
        })
    }

    fn render(&mut self, words: &[OsString], asked: &Printed) -> Result<(), Failure> {
        let is_one = self.files(words)?.len() == 1;
        if asked.request.is_some() && !is_one {
            let fact = "`--request` goes with one file";
            return Err(Failure::Usage(fact.to_owned()));
        }
        self.print_each(words, |task, source| {
            let node = task.bound(source)?;
            task.head(source, is_one);
            task.work.render(source.name(), &node, asked)?;
            if !is_one && !task.work.outcome.out.ends_with('\n') {
                task.work.outcome.out.push('\n');
            }
            Ok(())
        })
    }

    /// Of several files each has a line that says which it is.
    fn head(&mut self, source: &Source, is_one: bool) {
        if !is_one {
            self.work
                .outcome
                .line(&format!("== {}", visible_name(source.name())));
        }
    }

    fn diff(&mut self, words: [&OsString; 2], asked: &Page) -> Result<(), Failure> {
        check_page(asked)?;
        if words.iter().all(|word| *word == "-") {
            return Err(input_is_there_once());
        }
        let paths = words.map(Path::new);
        for path in paths.iter().filter(|path| path.as_os_str() != "-") {
            let unreadable = |error| Failure::Unreadable(path.display().to_string(), error);
            fs::metadata(path).map_err(unreadable)?;
        }
        match paths.map(Path::is_dir) {
            [false, false] => {
                let change = self.diff_of(paths, asked);
                if change.code() == 0 && self.values.is_some() && asked.html.is_none() {
                    self.work.tell_values();
                }
                self.work.outcome.code = change.code();
            }
            [true, true] if asked.html.is_some() => {
                let fact = "`--html` goes with two files";
                return Err(Failure::Usage(fact.to_owned()));
            }
            [true, true] => self.diff_of_folders(words)?,
            _ => {
                let fact = "`diff` compares two files, or two folders";
                return Err(Failure::Usage(fact.to_owned()));
            }
        }
        Ok(())
    }

    /// Two files. What is wrong in one hides nothing of the other.
    fn diff_of(&mut self, files: [&Path; 2], asked: &Page) -> Versions {
        let sources = files.map(|file| self.source(file));
        let previewed = |source: &Source| Ok((source.name().to_owned(), self.previewed(source)?));
        let sides = sources.map(|source| source.and_then(|source| previewed(&source)));
        let told = match &sides {
            [Ok((old_name, old)), Ok((new_name, new))] => {
                let versions = [(old_name.as_str(), old), (new_name.as_str(), new)];
                self.work.diff(versions, asked)
            }
            _ => Ok(Versions::Same),
        };
        let mut failures: Vec<Failure> = sides.into_iter().filter_map(Result::err).collect();
        let change = told.unwrap_or_else(|failure| {
            failures.push(failure);
            Versions::Faulty
        });
        for failure in &failures {
            self.work.outcome.fail(failure, self.work.paint);
        }
        if failures.is_empty() {
            change
        } else {
            Versions::Faulty
        }
    }

    /// A file that one of two folders has.
    fn alone(&mut self, file: &Path, told: &str) -> Versions {
        let previewed = self.source(file).and_then(|source| self.previewed(&source));
        if let Err(failure) = previewed {
            self.work.outcome.fail(&failure, self.work.paint);
            return Versions::Faulty;
        }
        self.work.outcome.line(told);
        Versions::Changed
    }

    /// All files below two folders, by their names.
    fn diff_of_folders(&mut self, words: [&OsString; 2]) -> Result<(), Failure> {
        let mut code = 0;
        let [old, new] = words.map(|word| files::below(word));
        for failure in old.1.iter().chain(&new.1) {
            self.work.outcome.fail(failure, self.work.paint);
            code = 2;
        }
        let names: BTreeSet<&PathBuf> = old.0.keys().chain(new.0.keys()).collect();
        if names.is_empty() && code == 0 {
            return Err(no_prompt_file());
        }
        let page = Page { html: None };
        let [mut changed, mut same, mut faulty] = [0; 3];
        for name in names {
            let shown = visible_name(&name.display().to_string());
            let sides = [old.0.get(name), new.0.get(name)];
            let mut sources = sides.into_iter().flatten().map(|file| self.source(file));
            if let Some(reason) = sources.find_map(|source| source.ok()?.other_than_prompt()) {
                self.work.passed_over(&shown, reason);
                continue;
            }
            let before = self.work.outcome.out.len();
            let versions = match sides {
                [Some(old), Some(new)] => {
                    self.work.outcome.line(&format!("== {shown}"));
                    self.diff_of([old, new], &page)
                }
                [Some(old), None] => self.alone(old, &format!("== {shown}: gone")),
                [None, Some(new)] => self.alone(new, &format!("== {shown}: new")),
                [None, None] => continue,
            };
            code = code.max(versions.code());
            match versions {
                Versions::Changed => changed += 1,
                Versions::Same | Versions::Alike => same += 1,
                Versions::Faulty => faulty += 1,
            }
            if matches!(versions, Versions::Same | Versions::Faulty) {
                self.work.outcome.out.truncate(before);
            }
        }
        let of_faulty = if faulty > 0 {
            format!(", {faulty} faulty")
        } else {
            String::new()
        };
        let sum = format!(
            "{changed} of {} files changed{of_faulty}",
            changed + same + faulty
        );
        self.work.outcome.line(&sum);
        if changed == 0 && self.values.is_some() {
            self.work.tell_values();
        }
        self.work.outcome.code = code;
        Ok(())
    }

    /// Checks the files; the first one that can be rendered makes the page.
    fn look(&mut self, words: &[OsString], asked: &Page) -> Result<(), Failure> {
        let mut wanted = asked.html.as_deref();
        self.print_each(words, |task, source| {
            task.check(source)?;
            if let Some(file) = wanted.take_if(|_| source.wordings().is_none())
                && write_page(file, &page(&task.previewed(source)?))?
            {
                task.work.written(file);
            }
            Ok(())
        })
    }
}

/// Whether the texts of a tree have a brace with a name in it. Without values nobody knows whether that is one.
fn may_name_values(node: &DynamicNode) -> bool {
    fn any_text(value: &Value, holds: fn(&str) -> bool) -> bool {
        match value {
            Value::String(text) => holds(text),
            Value::Array(items) => items.iter().any(|item| any_text(item, holds)),
            Value::Object(entries) => entries.values().any(|entry| any_text(entry, holds)),
            _ => false,
        }
    }
    let tree = serde_json::to_value(node).unwrap_or_default();
    any_text(&tree, |text| {
        text.split('{').skip(1).any(|rest| {
            let name = rest.trim_start_matches([' ', '\t', '%', '#', '*', '?', '!', '/', ':']);
            name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        })
    })
}
