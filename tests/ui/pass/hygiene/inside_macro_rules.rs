#![deny(warnings)]

use prompt_core::PromptNode;

macro_rules! node {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $ty:ty = $when:expr),* }) => {
        $(#[$meta])*
        #[derive(PromptNode)]
        #[prompt(vars(size = 3 + 4))]
        struct $name {
            $(#[section(when = $when)] $field: $ty),*
        }
    };
}

node! {
    /// Hello {size}.
    Node { one: String = true, two: Option<String> = 1 > 2 }
}

fn main() {
    let _ = Node { one: String::new(), two: None };
}
