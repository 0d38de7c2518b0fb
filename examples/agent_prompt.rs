//! The system prompt of a coding agent, as the command line asks for it.
//!
//! `cargo run --example agent_prompt -- --os linux --no-git src/`
//!
//! Paths are looked up in the current folder, and then in a small sample project that comes with this example. The prompt
//! itself is in `src/agent_prompt/`.

use prompt_core::PromptNode;
use prompt_examples::agent_prompt::{self, Agent};
use std::{env, error::Error, path::Path, process::ExitCode};

fn main() -> ExitCode {
    match run() {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<String, Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments
        .iter()
        .any(|given| given == "--help" || given == "-h")
    {
        return Ok(agent_prompt::USAGE.to_owned());
    }
    let roots = [Path::new("."), agent_prompt::sample_project()];
    let agent = Agent::from_args(arguments, &roots)?;
    Ok(agent.prompt().render()?.into_string())
}
