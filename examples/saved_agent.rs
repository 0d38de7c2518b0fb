//! An agent that keeps its conversation in SQLite, one transaction a step. Kill it where you like, or let it kill itself, and
//! start it again: it goes on with the next step.
//!
//! ```text
//! cargo run --example saved_agent --features sqlite -- talk.sqlite --kill-after 4
//! cargo run --example saved_agent --features sqlite -- talk.sqlite
//! ```

use prompt_examples::arguments::Request;
use prompt_examples::saved_agent::{SavedAgent, Step};
use std::error::Error;
use std::path::PathBuf;

const USAGE: &str = "\
usage: saved_agent DATABASE [--kill-after STEPS]

DATABASE is made where there is none. After so many STEPS the program kills itself in the middle of the next one.";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = match Request::from_env(1, &["--kill-after"])? {
        Request::Run(arguments) => arguments,
        Request::Help => {
            println!("{USAGE}");
            return Ok(());
        }
    };
    let path = PathBuf::from(arguments.words.pop().ok_or(USAGE)?);
    let kill_after = arguments
        .option("--kill-after")
        .map(|steps| steps.to_string_lossy().parse())
        .transpose()?;
    let agent = SavedAgent::open(&path)?;
    for step in 0.. {
        let kill = move || {
            if kill_after == Some(step) {
                std::process::abort();
            }
        };
        let step = agent.step(kill);
        match step.map_err(|error| format!("{}: {error}", path.display()))? {
            Step::Done => println!(),
            Step::Answered(resolution) => println!("\n{resolution:?}\n"),
            Step::Over => break,
        }
    }
    println!("refunds: {}", agent.refunds()?);
    for message in agent.conversation()?.history().log() {
        let text = message.text().replace('\n', " / ");
        println!("{:>9}: {text}", message.role);
    }
    Ok(())
}
