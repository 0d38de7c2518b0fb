#![deny(warnings)]

use prompt_core::Markdown;
use prompt_core::Message;
use prompt_core::PromptNode;
use prompt_core::ToolSpec;
use std::{borrow::Cow, collections::*, rc::Rc, sync::Arc};

/// Unit.
#[derive(PromptNode)]
pub struct Unit;

#[derive(PromptNode)]
pub struct Empty {}

/// Tuple of {count}.
///
/// {first}
#[derive(PromptNode)]
#[prompt(vars(count = self.1))]
pub struct Tuple(#[section(key = "first")] String, u8);

#[derive(PromptNode)]
pub enum Never {}

/// Sections.
#[derive(PromptNode)]
#[prompt(tools = self.tools)]
pub struct Sections<'a> {
    tools: Vec<ToolSpec>,
    #[section(tools = &self.tools)]
    text: String,
    #[section]
    str: &'a str,
    #[section]
    cow: Cow<'a, str>,
    #[section]
    markdown: Markdown,
    #[section]
    boxed: Box<dyn PromptNode>,
    #[section]
    arc: Arc<str>,
    #[section]
    rc: Rc<Unit>,
    #[section]
    reference: &'a Unit,
    #[section]
    slice: &'a [Unit],
    #[section]
    array: [Unit; 2],
    #[section]
    deque: VecDeque<Unit>,
    #[section]
    set: BTreeSet<String>,
    #[section]
    map: BTreeMap<String, Unit>,
    #[section(messages)]
    history: Vec<Message>,
    #[section]
    nested: Vec<Vec<Option<Unit>>>,
}

fn main() {}
