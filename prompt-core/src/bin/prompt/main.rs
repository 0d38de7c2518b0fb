//! The command `prompt`: checks, shows, renders and compares prompt files. `cargo install prompt-core --features command`
//! installs it; `prompt --help` tells the rest.

#![allow(
    unreachable_pub,
    reason = "the examples have the same files as a public module"
)]

#[path = "mod.rs"]
mod command;

fn main() -> std::process::ExitCode {
    command::main()
}
