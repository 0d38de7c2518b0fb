#![deny(warnings)]

use prompt_core::PromptNode;
use std::{collections::BTreeMap, fmt::Debug, fmt::Display, rc::Rc};

struct Odd;

/// {value}
#[derive(PromptNode)]
pub struct Leaf<T> {
    value: T,
}

/// {shown:?} {listed} {maybe}
#[derive(PromptNode)]
pub struct Follows<T, D, K> {
    #[section]
    leaf: Leaf<T>,
    #[section]
    map: BTreeMap<K, Leaf<T>>,
    shown: D,
    #[var(debug)]
    listed: Vec<D>,
    #[var(some = "{}")]
    maybe: Rc<Option<T>>,
}

/// {value}
#[derive(PromptNode)]
#[prompt(bound = "T: Display + Clone, U: Debug")]
pub struct Bound<T, U> {
    value: T,
    #[section(when = format!("{:?}", self.other).is_empty())]
    end: (),
    other: U,
}

#[derive(Debug)]
struct OnlyDebug;

fn node<T: PromptNode>(_: &T) {}

fn main() {
    let _ = Odd;
    let leaf = |value| Leaf { value };
    let map = BTreeMap::from([(1, leaf("b"))]);
    let (shown, listed) = (OnlyDebug, vec![OnlyDebug]);
    node(&Follows { leaf: leaf("a"), map, shown, listed, maybe: Rc::new(Some("c")) });
    node(&Bound { value: "x", end: (), other: OnlyDebug });
}
