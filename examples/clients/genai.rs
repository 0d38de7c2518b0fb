//! Our prompt and tools in a program that uses `genai`; the line that it needs is in `src/clients/genai.rs`.
//!
//! ```text
//! cargo run --example client_genai --features client-genai -- --base-url http://localhost:11434/v1 --model qwen3
//! ```

use prompt_examples::clients::{genai, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run("client_genai", genai::ask) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("client_genai: {error}");
            ExitCode::FAILURE
        }
    }
}
