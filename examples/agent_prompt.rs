//! The system prompt of a coding agent, as the command line asks for it.
//!
//! `cargo run --example agent_prompt -- --os linux --no-git src/`
//!
//! Paths are looked up in the current folder, and then in a small sample project that comes with this example. The prompt
//! itself is in `src/agent_prompt.rs`.

use prompt_core::PromptNode;
use prompt_examples::agent_prompt::{self, Agent};
use std::{env, error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    let agent = Agent::from_args(
        env::args().skip(1),
        &[Path::new("."), agent_prompt::sample_project()],
    )?;
    println!("{}", agent.prompt().render()?);
    Ok(())
}
