//! Our prompt and tools in a program that uses `reqwest`; the line that it needs is in `src/clients/reqwest.rs`.
//!
//! ```text
//! cargo run --example client_reqwest --features client-reqwest -- --base-url http://localhost:11434/v1 --model qwen3
//! ```

use prompt_examples::clients::{reqwest, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run("client_reqwest", reqwest::ask) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("client_reqwest: {error}");
            ExitCode::FAILURE
        }
    }
}
