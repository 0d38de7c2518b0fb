//! Our prompt and tools in a program that uses `rig-core`; the line that it needs is in `src/clients/rig.rs`.
//!
//! ```text
//! cargo run --example client_rig --features client-rig -- --base-url http://localhost:11434/v1 --model qwen3
//! ```

use prompt_examples::clients::{rig, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run("client_rig", rig::ask) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("client_rig: {error}");
            ExitCode::FAILURE
        }
    }
}
