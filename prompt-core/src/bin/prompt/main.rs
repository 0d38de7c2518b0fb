//! The command `prompt`: checks, shows, renders and compares prompt files. `cargo install prompt-core --features command`
//! installs it; `prompt --help` tells the rest.

#[path = "mod.rs"]
mod command;

fn main() -> std::process::ExitCode {
    command::main()
}
