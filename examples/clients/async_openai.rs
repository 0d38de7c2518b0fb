//! Our prompt and tools in a program that uses `async-openai`; the line that it needs is in `src/clients/async_openai.rs`.
//!
//! ```text
//! cargo run --example client_async_openai --features client-async-openai -- --base-url http://localhost:11434/v1 --model qwen3
//! ```

use prompt_examples::clients::{async_openai, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    match run("client_async_openai", async_openai::ask) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("client_async_openai: {error}");
            ExitCode::FAILURE
        }
    }
}
