#![no_implicit_prelude]
#![deny(warnings)]

/// {type}: {*out as entry}{entry.0}{*entry.1 as around}{around}{index}{?!last}, {/last}{/entry.1}{/out}
///
/// {*out as type}
/// - {type.0} {item.0} {index0}
/// {else}
/// None of {body}.
/// {/out}
///
/// {*at as self}{index}
/// {?boat}{boat.0} {?boat.1}{boat.1.0}{/boat.1}{*boat.2 as boat}{boat}{/boat.2}
/// {list}
#[derive(::prompt_core::PromptNode)]
pub struct Loops<'a> {
    r#type: &'a str,
    out: ::std::vec::Vec<(u8, [&'a str; 2])>,
    item: u8,
    body: u8,
    at: ::std::collections::BTreeMap<u8, u8>,
    boat: ::std::option::Option<(u8, ::std::option::Option<(u8,)>, ::std::vec::Vec<u8>)>,
    #[var(item = "{?item.1}{item.0}{*item.1 as index}{index}{/item.1}{/item.1}")]
    list: ::std::vec::Vec<(u8, ::std::vec::Vec<u8>)>,
    #[section(item_title = "{*item.parts as value}{value}{?!last}, {/last}{/item.parts}")]
    nodes: ::std::vec::Vec<Part>,
}

/// {*parts as list}{list}{/parts}
#[derive(::prompt_core::PromptNode)]
pub struct Part {
    parts: ::std::vec::Vec<u8>,
}

#[derive(::prompt_core::PromptNode)]
pub enum Variants {
    /// {*list}{item.0}{*item.1 as x}{x}{out}{/item.1}{/list}{?boat}{boat.0}{/boat}
    Named {
        list: ::std::vec::Vec<(u8, ::std::vec::Vec<u8>)>,
        out: u8,
        boat: ::std::option::Option<(u8,)>,
    },
    Unit,
}

fn main() {}
