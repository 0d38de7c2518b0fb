#![deny(warnings)]

use prompt_core::PromptNode;

macro_rules! node {
    ($doc:expr, $total:expr, $(#[$meta:meta])* $name:ident { $($field:ident: $ty:ty = $when:expr),* }) => {
        #[doc = $doc]
        $(#[$meta])*
        #[derive(PromptNode)]
        #[prompt(vars(size = 3 + 4, total = $total), tag = $doc, attr(total = $total))]
        struct $name {
            $(#[section(when = $when, priority = $total)] $field: $ty),*
        }
    };
}

node! {
    "hello",
    1 + 2 * 3,
    /// Hello {size} of {total}.
    Node { one: String = true, two: Option<String> = 1 > 2 || 3 > 4 }
}

fn main() {
    let node = Node { one: String::new(), two: None };
    assert_eq!(node.prompt().text().unwrap(), "<hello total=\"7\">\nhello\nHello 7 of 7.\n</hello>");
}
