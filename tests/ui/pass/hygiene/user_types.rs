#![deny(warnings)]

use prompt_core::PromptNode;
use std::fmt;

pub mod own {
    pub struct Vec<T>(pub T);
}

pub struct Option;

impl fmt::Display for Option {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("option")
    }
}

impl<T: fmt::Display> fmt::Display for own::Vec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// {option}, {list}
#[derive(PromptNode)]
pub struct Reviewer {
    option: Option,
    list: own::Vec<u8>,
}

fn main() {
    let reviewer = Reviewer { option: Option, list: own::Vec(3) };
    assert_eq!(reviewer.prompt().text().unwrap(), "option, 3");
}
