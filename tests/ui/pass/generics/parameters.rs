#![deny(warnings)]

use prompt_core::PromptNode;
use std::fmt::Display;

/// {name}, {maybe}, {list}
#[derive(PromptNode)]
pub struct Plain<T, N, M, L> {
    name: N,
    #[var(default = "none")]
    maybe: Option<M>,
    #[var(join = ", ")]
    list: Vec<L>,
    #[section]
    one: T,
    #[section]
    many: Vec<Option<Box<T>>>,
}

/// {name}
#[derive(PromptNode)]
pub struct Bounded<'a, T: PromptNode + ?Sized, const N: usize>
where
    T: Display,
{
    name: &'a T,
    #[section]
    text: &'a T,
    #[section]
    list: [String; N],
}

/// Node.
#[derive(PromptNode)]
pub struct Tree<T = String> {
    #[section]
    value: T,
    #[section]
    left: Option<Box<Tree<T>>>,
    #[section]
    all: Vec<Tree<T>>,
    #[section]
    parent: Option<&'static Tree<String>>,
}

#[derive(PromptNode)]
pub enum Either<'a, L, R> {
    /// Left.
    Left(#[section(key = "left")] L),
    /// {right}
    Right { right: &'a R },
}

fn node<T: PromptNode>(_: &T) {}

fn main() {
    node(&Plain { name: 1, maybe: Some(2.5), list: vec!['x'], one: "a", many: vec![] });
    node(&Bounded { name: "x", text: "y", list: [String::new()] });
    node(&Tree { value: (), left: None, all: vec![], parent: None });
    let right: Either<'_, String, u8> = Either::Right { right: &3 };
    node(&right);
    let left: Either<'_, String, u8> = Either::Left(String::new());
    node(&left);
}
