//! The commands for a program's own prompt, and for other words for it.

use super::arguments::{Kind, OwnArguments, OwnCommand};
use super::files;
use super::finding::{Finding, Severity, code};
use super::outcome::Outcome;
use super::page_file::check_page;
use super::paint::Paint;
use super::source::{Failure, SCHEMA, Source};
use super::work::Work;
use prompt_core::PromptNode;
use prompt_core::dynamic::Wordings;
use std::fmt::Write;
use std::path::Path;

/// What a prompt is called that has no file.
const PROMPT: &str = "the prompt";

/// Runs a command for this node.
pub(super) fn run(asked: &OwnArguments, node: &dyn PromptNode, paint: Paint) -> Outcome {
    let checking = match &asked.command {
        OwnCommand::Check { checking, .. } => Some(checking),
        _ => None,
    };
    let mut work = Work::of(&asked.look, paint, checking);
    let done = done(&asked.command, node, &mut work);
    work.told(done)
}

fn done(command: &OwnCommand, node: &dyn PromptNode, work: &mut Work<'_>) -> Result<(), Failure> {
    match command {
        OwnCommand::Skeleton { name } => work.outcome.out = Wordings::skeleton(name, node),
        OwnCommand::Check {
            files, complete, ..
        } => {
            if files.is_empty() {
                work.check(PROMPT, node, None, true)?;
            }
            let meant = files::expand(files);
            for file in meant.files {
                // Beside wordings there may be a file about them.
                let is_named = |file: &Path| files.iter().any(|word| word == file);
                if let Ok(file) = &file
                    && Kind::of(file) == Some(Kind::Markdown)
                    && !is_named(file)
                {
                    work.passed_over(&file.display().to_string(), "no file of wordings");
                } else if let Err(failure) = file.and_then(|it| check(&it, node, work, *complete)) {
                    work.outcome.fail(&failure, work.paint);
                }
            }
            for path in meant.hidden {
                work.passed_over(&path.display().to_string(), "hidden");
            }
        }
        OwnCommand::Preview { worded, page } => {
            check_page(page)?;
            let node = reworded(worded.file.as_deref(), worded.wording.as_deref(), node)?;
            work.preview(PROMPT, &*node, page)?;
        }
        OwnCommand::Render { worded, printed } => {
            let node = reworded(worded.file.as_deref(), worded.wording.as_deref(), node)?;
            work.render(PROMPT, &*node, printed)?;
        }
        OwnCommand::Diff {
            file,
            wording,
            page,
        } => {
            check_page(page)?;
            // Faults are told apart from changes.
            work.outcome.code = 2;
            let old = work.previewed(PROMPT, node)?;
            let node = reworded(Some(file), wording.as_deref(), node)?;
            let new = work.previewed(PROMPT, &*node)?;
            let name = file.display().to_string();
            let versions = [(PROMPT, &old), (name.as_str(), &new)];
            let change = work.diff(versions, page)?;
            if change.code() == 0 && page.html.is_none() {
                work.tell_values();
            }
            work.outcome.code = change.code();
        }
    }
    Ok(())
}

fn check(
    file: &Path,
    node: &dyn PromptNode,
    work: &mut Work<'_>,
    complete: bool,
) -> Result<(), Failure> {
    let source = wordings(file)?;
    if source.is_schema() {
        work.passed_over(source.name(), SCHEMA);
        return Ok(());
    }
    let checked = source
        .read_wordings()
        .and_then(|it| Ok((it.check(node)?, it)));
    let (hints, wordings) = match checked {
        Ok(checked) => checked,
        Err(faults) => return Err(Failure::Faults(Box::new(source), faults)),
    };
    let (missing, unchanged) = (wordings.missing(node), wordings.unchanged(node));
    let mut extent = match missing.len() {
        0 => ", complete".to_owned(),
        1 => ", 1 text stays as it is".to_owned(),
        many => format!(", {many} texts stay as they are"),
    };
    match unchanged.len() {
        0 => {}
        1 => extent.push_str(", 1 is that of the type"),
        many => _ = write!(extent, ", {many} are those of the type"),
    }
    let is_incomplete = complete && !missing.is_empty();
    let state = if is_incomplete { "incomplete" } else { "sound" };
    work.wordings(&source, state, &hints, &extent);
    if complete {
        for (name, path) in &missing {
            let path = if path.is_empty() { "text" } else { path };
            let fact = format!("the wording `{name}` has no `{path}`");
            let help = "write it there, also where it is that of the type";
            let missing = Finding::new(Severity::Error, code::INCOMPLETE, fact);
            work.tell(missing.of(source.name()).help(help));
        }
    }
    Ok(())
}

/// A file of wordings.
fn wordings(file: &Path) -> Result<Source, Failure> {
    if !matches!(Kind::of(file), Some(Kind::Toml | Kind::Json)) {
        let fact = "a file of wordings ends in .toml or .json".to_owned();
        return Err(Failure::Unusable(file.display().to_string(), None, fact));
    }
    Source::read(file, None)
}

/// The node in the wording of this name, or in the only one of the file; without a file as it is.
fn reworded<'n>(
    file: Option<&Path>,
    name: Option<&str>,
    node: &'n dyn PromptNode,
) -> Result<Box<dyn PromptNode + 'n>, Failure> {
    let Some(file) = file else {
        return Ok(Box::new(node));
    };
    let source = wordings(file)?;
    let put = source.read_wordings().and_then(|wordings| {
        let names: Vec<&str> = wordings.names().collect();
        let only = names.first().filter(|_| names.len() == 1).copied();
        let node = wordings.put(name.or(only).unwrap_or_default(), node)?;
        Ok(node.ok_or_else(|| names.join(", ")))
    });
    match put {
        Ok(Ok(node)) => Ok(Box::new(node)),
        Ok(Err(names)) => {
            let fact = format!("name one of its wordings: {names}");
            Err(Failure::Unusable(source.name().to_owned(), None, fact))
        }
        Err(faults) => Err(Failure::Faults(Box::new(source), faults)),
    }
}
