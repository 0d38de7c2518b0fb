//! The command for a program's own prompt: a test of wordings, a page and a diff without a line of code.
//!
//! `cargo run --example prompts -- check examples/data/wordings.toml`; in place of `check FILE` also `skeleton`,
//! `preview --html PAGE`, `render FILE short`, `diff FILE plain`.

use prompt_core::PromptNode;
use std::process::ExitCode;

/// You are on call for {team}.
#[derive(PromptNode)]
struct Desk {
    team: &'static str,
    #[section]
    severity: Severity,
    /// What runs:
    #[section]
    services: Vec<Service>,
    #[section]
    lead: Option<Lead>,
}

#[derive(PromptNode)]
enum Severity {
    /// Customers cannot pay.
    #[expect(dead_code, reason = "a wording has words for what is not there, too")]
    Major,
    /// It is slow, since {minutes} minutes.
    Minor { minutes: u32 },
}

/// Owner: {owner}.{?page} Page {page}.{/page}
#[derive(PromptNode)]
#[prompt(title = "Service {name}")]
struct Service {
    name: &'static str,
    owner: &'static str,
    page: Option<&'static str>,
}

/// Ask {name} first.
#[derive(PromptNode)]
struct Lead {
    name: &'static str,
}

fn main() -> ExitCode {
    prompt_review::command(&Desk {
        team: "payments",
        severity: Severity::Minor { minutes: 5 },
        services: vec![
            Service {
                name: "api",
                owner: "Ines",
                page: Some("+44 20"),
            },
            Service {
                name: "ledger",
                owner: "Otto",
                page: None,
            },
        ],
        lead: Some(Lead { name: "Ada" }),
    })
}
