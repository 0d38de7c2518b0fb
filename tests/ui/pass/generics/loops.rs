#![deny(warnings)]

use prompt_core::PromptNode;
use std::fmt::{Debug, Display};

/// {*names}{item}, {/names}{*pairs as pair}{pair.0}{*pair.1}{item:?}{/pair.1}{/pairs}
#[derive(PromptNode)]
#[prompt(bound = "T: Display + Debug")]
struct Bound<T> {
    names: Vec<T>,
    pairs: Vec<(T, Vec<T>)>,
}

/// {*names}{item}, {/names}{?lead}{lead}{/lead}{*more}{item}{/more}
#[derive(PromptNode)]
struct Inferred<'a, T, const N: usize> {
    names: &'a [T],
    lead: Option<T>,
    more: Option<[T; N]>,
}

fn main() {
    let bound = Bound { names: vec![1], pairs: vec![(1, vec![2])] };
    assert_eq!(bound.prompt().text().unwrap(), "1, 12");
    let inferred = Inferred { names: &["a"], lead: Some("b"), more: Some(["c", "d"]) };
    assert_eq!(inferred.prompt().text().unwrap(), "a, bcd");
}
