//! The command `prompt`: checks, shows, renders and compares prompt files. `cargo install --path prompt-core/review` installs it from a clone;
//! `prompt --help` tells the rest.
#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    prompt_review::run(std::env::args_os())
}
