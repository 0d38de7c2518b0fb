//! Pages for `tests/preview_page.sh`: a turn of a conversation, and two of thirty sections that changed.
//!
//! `cargo run -p prompt-tests --bin pages -- FOLDER`

use prompt_agent::Conversation;
use prompt_core::message::CachePoint;
use prompt_core::prompt::Preview;
use prompt_core::{DynamicNode, Message, PromptNode};
use std::error::Error;
use std::path::Path;

/// You keep the desk of {place}.
#[derive(PromptNode)]
struct Desk {
    place: &'static str,
    #[section(cache = 3600)]
    rules: Vec<String>,
    #[section(visibility = "summary", summary = "Short.")]
    almanac: &'static str,
}

fn turn() -> Result<Preview, Box<dyn Error>> {
    let mut conversation = Conversation::default();
    conversation.begin("Is there rain on Monday, and who is on watch?");
    conversation.push(Message::assistant("There is. Ines is on watch."));
    conversation.begin("And on Tuesday?");
    let desk = Desk {
        place: "Wick",
        rules: (1..9).map(|at| format!("Rule {at}: be brief.")).collect(),
        almanac: "Rain.",
    };
    let mut preview = conversation.prompt(&desk).preview()?;
    if let Some(last) = preview.messages.last_mut() {
        last.0.cache = Some(CachePoint::default());
    }
    Ok(preview)
}

fn version(rule: &str, note: &str) -> Result<Preview, Box<dyn Error>> {
    let mut node = DynamicNode::builder("desk").body("You answer letters.");
    for at in 1..=30 {
        let body = match at {
            17 => format!("Read the letter twice.\n{rule}\nSign it with the name of the office."),
            29 => note.to_owned(),
            _ => format!("This is the chapter with the number {at}.\nIt stays as it is."),
        };
        let key = format!("chapter_{at}");
        node = node.section(DynamicNode::builder(key).body(body));
    }
    Ok(node.build()?.prompt().preview()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: pages FOLDER")?;
    let folder = Path::new(&folder);
    std::fs::write(folder.join("turn.html"), prompt_review::page(&turn()?))?;
    let old = version("Answer every letter kindly and soon.", "Tea at four.")?;
    let new = version("Answer every letter briefly and soon.", "Coffee at ten.")?;
    let many = prompt_review::diff(&old, &new).page();
    Ok(std::fs::write(folder.join("many.html"), many)?)
}
