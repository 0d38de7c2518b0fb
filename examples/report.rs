//! A report of thirteen leaves worked through one by one: for each the prompt with what has been written so far, the
//! answer, and everything saved. In the middle the program stops and takes the work up again from the file.
//!
//! ```text
//! cargo run --example report                      saves to a file in the temporary folder, and removes it
//! cargo run --example report -- report.json       saves there; run again, it goes on where it stopped
//! ```

use prompt_core::PromptNode;
use prompt_examples::arguments::Request;
use prompt_examples::report::{RiverReport, ScriptedModel, Session};
use std::{env, error::Error, fs, path::Path, path::PathBuf, process::ExitCode};

/// After as many answers the first session is left.
const STOP_AFTER: usize = 6;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let Request::Run(arguments) = Request::from_env(1, &[])? else {
        println!(
            "usage: report [FILE]\n\nSaves the work there, and goes on from there if it exists."
        );
        return Ok(());
    };
    let given = arguments.words.first().map(PathBuf::from);
    let file = given.clone().unwrap_or_else(|| scratch_file("saved"));
    let report = RiverReport::new("Alder", 2024, "the anglers' club of Lower Wick");
    let model = ScriptedModel::read(Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/data/report_answers.json"
    )))?;

    println!("leaves: {}\n", leaves(&report)?);
    write(&report, &model, &file, Some(STOP_AFTER))?;
    println!(
        "\n======== stopped; everything is in the file, and a new session reads it ========\n"
    );
    let resumed = write(&report, &model, &file, None)?;

    let in_one_go = scratch_file("in-one-go");
    let whole = quietly(&report, &model, &in_one_go)?;
    fs::remove_file(in_one_go)?;
    println!("\n======== the report ========\n\n{resumed}\n");
    println!("the same as written in one go: {}", resumed == whole);
    if given.is_none() {
        fs::remove_file(file)?;
    }
    if resumed == whole {
        Ok(())
    } else {
        Err("stopping changed the report".into())
    }
}

fn leaves(report: &RiverReport) -> Result<String, Box<dyn Error>> {
    let leaves = report.prompt().walk()?;
    Ok(leaves
        .iter()
        .map(|leaf| leaf.path.as_str())
        .collect::<Vec<_>>()
        .join(", "))
}

/// Works through the leaves, at most so many of them.
fn write(
    report: &RiverReport,
    model: &ScriptedModel,
    file: &Path,
    most: Option<usize>,
) -> Result<String, Box<dyn Error>> {
    let mut session = Session::open(report, file)?;
    println!("{} leaves are written", session.written());
    for _ in 0..most.unwrap_or(usize::MAX) {
        let Some((leaf, prompt)) = session.next_prompt()? else {
            break;
        };
        let answer = model.answer(&leaf)?;
        println!("\n---- prompt for {leaf} ----\n{prompt}\n\n---- answer ----\n{answer}");
        session.take(leaf, answer)?;
    }
    Ok(session.text()?)
}

fn quietly(
    report: &RiverReport,
    model: &ScriptedModel,
    file: &Path,
) -> Result<String, Box<dyn Error>> {
    let mut session = Session::open(report, file)?;
    while let Some((leaf, _)) = session.next_prompt()? {
        let answer = model.answer(&leaf)?;
        session.take(leaf, answer)?;
    }
    Ok(session.text()?)
}

fn scratch_file(name: &str) -> PathBuf {
    env::temp_dir().join(format!(
        "prompt-core-report-{name}-{}.json",
        std::process::id()
    ))
}
