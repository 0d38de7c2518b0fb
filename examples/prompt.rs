//! Checks, previews, renders and compares prompt files: the command that `cargo install prompt-core --features command`
//! installs, without installing it.
//!
//! ```text
//! cargo run -p prompt-examples --example prompt -- check examples/data/ferry_broken.toml
//! cargo run -p prompt-examples --example prompt -- preview examples/data/ferry.json --values examples/data/ferry_values.toml
//! cargo run -p prompt-examples --example prompt -- watch examples/data/ferry.md --html page.html --set ferry=Heron
//! cargo run -p prompt-examples --example prompt -- diff old.toml new.toml --set ferry=Heron
//! cargo run -p prompt-examples --example prompt -- --help
//! ```
//!
//! Colours on a terminal only, and never with `NO_COLOR`. Exit codes: 0 nothing wrong, 1 faults, 2 wrong usage.

fn main() -> std::process::ExitCode {
    prompt_examples::command::main()
}
