#![deny(warnings)]

use prompt_core::PromptNode;

/// {type} {index} {out} {value} {item} {self_} {größe} {list}
#[derive(PromptNode)]
struct Fields {
    r#type: String,
    index: usize,
    out: u8,
    value: char,
    item: bool,
    self_: i64,
    größe: u16,
    #[var(item = "{item}{out}", join = ", ")]
    list: Vec<u8>,
    #[section]
    r#match: String,
}

#[derive(PromptNode)]
enum Variants {
    /// {type} {index} {out} {value} {item} {section} {total} {list}
    #[prompt(vars(total = index + value))]
    Fields {
        r#type: String,
        index: usize,
        out: u8,
        value: usize,
        item: bool,
        section: i64,
        #[var(item = "{item.0}{out}", join = ", ")]
        list: Vec<(u8, u8)>,
        #[section(when = *index > 3)]
        number: String,
    },
}

fn main() {}
