#![deny(warnings)]
#![allow(dead_code, non_camel_case_types)]

struct String;
struct Option;
struct Result;
struct Vec;
struct Box;
enum Own {
    Some,
    None,
    Ok,
    Err,
}
#[allow(unused_imports)]
use Own::{Err, None, Ok, Some};
mod core {}
mod std {}
mod p {
    pub const TOOL: &str = "grep";
}
const INFO: &str = "info";
const VARIABLES: usize = 3;

impl ::std::fmt::Display for String {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str("own")
    }
}

/// {text} {count} {tool} {info} {list} {own}
#[derive(prompt_core::PromptNode)]
#[prompt(vars(tool = p::TOOL, info = INFO, count = VARIABLES))]
struct Reviewer {
    text: &'static str,
    own: String,
    #[var(join = ", ")]
    list: [u8; 3],
    #[section(when = self.list[0] > 1)]
    unit: (),
}

fn main() {}
