//! Prompts and tools over the Model Context Protocol with `rmcp`: as a server, and as a client of one. The lines that it
//! needs are in `src/clients/rmcp.rs`.
//!
//! ```text
//! cargo run --example client_rmcp --features client-rmcp -- --serve 127.0.0.1:4790
//! cargo run --example client_rmcp --features client-rmcp -- --connect 127.0.0.1:4790
//! ```

use prompt_examples::arguments::Request;
use prompt_examples::clients::rmcp::{connect, serve};
use std::error::Error;
use std::process::ExitCode;
use tokio::net::TcpListener;

const USAGE: &str = "usage: client_rmcp --serve ADDRESS | --connect ADDRESS\n\nThe server offers its prompt to one client after the other.";

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let outcome = runtime
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(run()));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("client_rmcp: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<(), Box<dyn Error + Send + Sync>> {
    let Request::Run(given) = Request::from_env(0, &["--serve", "--connect"])? else {
        println!("{USAGE}");
        return Ok(());
    };
    let address = |option| given.option(option).map(|value| value.to_string_lossy());
    match (address("--serve"), address("--connect")) {
        (Some(address), None) => {
            let listener = TcpListener::bind(address.as_ref()).await?;
            loop {
                if let Err(error) = serve(&listener).await {
                    eprintln!("client_rmcp: {error}");
                }
            }
        }
        (None, Some(address)) => {
            let offer = connect(&address).await?;
            for tool in &offer.tools {
                println!("tool {}: {}", tool.name(), tool.description());
            }
            for message in &offer.messages {
                println!("\n{}", message.text());
            }
            println!("\nlook_up(level): {}", offer.answer);
            Ok(())
        }
        _ => Err(USAGE.into()),
    }
}
