//! The commands for a program's own prompt, and for other words for it.

use super::arguments::{OwnArguments, OwnCommand};
use super::outcome::Outcome;
use super::page_file::check_page;
use super::paint::Paint;
use super::source::{Failure, Source};
use super::work::Work;
use prompt_core::PromptNode;
use prompt_core::dynamic::Wordings;
use std::path::Path;

/// What a prompt is called that has no file.
const PROMPT: &str = "the prompt";

/// Runs a command for this node.
pub(super) fn run(asked: &OwnArguments, node: &dyn PromptNode, paint: Paint) -> Outcome {
    let format = match &asked.command {
        OwnCommand::Check { checking, .. } => Some(checking.format),
        _ => None,
    };
    let mut work = Work::of(&asked.look, paint).telling(format);
    let done = done(&asked.command, node, &mut work);
    work.told(done, format)
}

fn done(command: &OwnCommand, node: &dyn PromptNode, work: &mut Work<'_>) -> Result<(), Failure> {
    match command {
        OwnCommand::Skeleton { name } => work.outcome.out = Wordings::skeleton(name, node),
        OwnCommand::Check {
            files,
            complete,
            checking,
        } => {
            if files.is_empty() {
                work.check(PROMPT, node, None, true, checking.deny_warnings)?;
            }
            for file in files {
                if let Err(failure) = check(file, node, work, checking.deny_warnings, *complete) {
                    work.outcome.fail(&failure, work.paint);
                }
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
            work.outcome.code = u8::from(work.diff(versions, true, page)?);
        }
    }
    Ok(())
}

fn check(
    file: &Path,
    node: &dyn PromptNode,
    work: &mut Work<'_>,
    deny: bool,
    complete: bool,
) -> Result<(), Failure> {
    let source = Source::read(file, None)?;
    let checked = source
        .read_wordings()
        .and_then(|it| Ok((it.check(node)?, it)));
    let (hints, wordings) = match checked {
        Ok(checked) => checked,
        Err(faults) => return Err(Failure::Faults(Box::new(source), faults)),
    };
    let missing = wordings.missing(node);
    let extent = match missing.len() {
        0 => ", complete".to_owned(),
        1 => ", 1 text stays as it is".to_owned(),
        many => format!(", {many} texts stay as they are"),
    };
    work.wordings(&source, &hints, &extent, deny);
    if complete {
        for (name, path) in &missing {
            let path = if path.is_empty() { "text" } else { path };
            work.incomplete(&source, &format!("the wording `{name}` has no `{path}`"));
        }
    }
    Ok(())
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
    let source = Source::read(file, None)?;
    let put = source.read_wordings().and_then(|wordings| {
        let names: Vec<&str> = wordings.names().collect();
        let only = names.first().filter(|_| names.len() == 1).copied();
        let node = wordings.put(name.or(only).unwrap_or_default(), node)?;
        Ok(node.ok_or_else(|| names.join(", ")))
    });
    match put {
        Ok(Ok(node)) => Ok(Box::new(node)),
        Ok(Err(names)) => {
            let fact = format!("{}: name one of its wordings: {names}", source.name());
            Err(Failure::Unsupported(fact))
        }
        Err(faults) => Err(Failure::Faults(Box::new(source), faults)),
    }
}
