//! What skills cost: forty of them, a line each, beside the same lines written by hand; and 1,500 of them under a budget.

use prompt_core::disclosure::{Disclosure, ToolError};
use prompt_core::tokens::{self, EstimatedTokens, TokenCounter};
use prompt_core::{Budget, PromptNode, Skill, Style, ToolCall};
use prompt_examples::shop;
use serde_json::json;
use std::error::Error;
use std::path::Path;

const SKILLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/shop/skills");

/// You are the assistant of a hardware shop.
#[derive(PromptNode)]
struct Assistant {
    /// How to do a job at home.
    #[section(item_key = name, visibility = "summary", priority = 20)]
    skills: Vec<Skill>,
}

impl Assistant {
    /// The same list, as one would write it.
    fn by_hand(&self) -> String {
        let lines = self.skills.iter();
        let lines = lines.map(|skill| format!("- {}: {}", skill.name, skill.description));
        let lines: Vec<String> = lines.collect();
        format!(
            "You are the assistant of a hardware shop.\n\n# Skills\n\nHow to do a job at home.\n\n{}",
            lines.join("\n")
        )
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let counter = EstimatedTokens::default();
    let assistant = Assistant {
        skills: shop::folder(Path::new(SKILLS))?,
    };
    let prompt = assistant.prompt().render()?;
    let by_hand = counter.count(&assistant.by_hand());
    let listed = counter.count(prompt.as_str());
    let tools = tokens::request(&[], prompt.tools(), &counter);
    println!("{} skills, a line each", assistant.skills.len());
    println!("  by hand        {by_hand:>6} tokens");
    println!(
        "  as a catalogue {listed:>6} tokens, {:.2}x",
        ratio(listed, by_hand)
    );
    println!("  open_sections  {tools:>6} tokens");
    assert!(
        10 * listed <= 11 * by_hand,
        "at most 1.1 times the list by hand"
    );
    assert!(tools <= 250, "at most 250 tokens of tools");
    for style in [Style::Markdown, Style::Xml] {
        let lints = assistant.prompt().style(style).lint();
        assert!(lints.is_empty(), "{lints}");
    }
    let many = many(&assistant);
    let disclosure = Disclosure::new(&many);
    let mut disclosure = disclosure.configure(|prompt| prompt.budget(Budget::request(4_000)));
    let prompt = disclosure.render()?;
    let (count, shown) = (
        many.skills.len(),
        prompt.as_str().matches("\n- skills.").count(),
    );
    let report = prompt.budget_report().ok_or("there is a budget")?;
    println!("{count} skills under a budget of {} tokens", report.limit);
    println!(
        "  {shown} in the list, {} tokens in all; behind them",
        report.used
    );
    println!("  {}", prompt.as_str().lines().last().unwrap_or_default());
    // The model asks for the list, and gets its keys, as far as a quarter of the budget has room; and for those that begin in
    // some way. Each of them opens a skill, whether its line is there or not.
    let listed = disclosure.handle(&[open(&["skills"]), open(&["skills.wire*"])])?;
    for answer in &listed {
        let words = answer.content.rsplit("', '").next().unwrap_or_default();
        println!(
            "  {} keys .. '{words}",
            answer.content.matches("'skills.").count() - 1
        );
    }
    let names = many.skills.iter();
    let keys: Vec<String> = names
        .map(|skill| format!("skills.{}", skill.name))
        .collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let Err(ToolError::Expansion(all)) = prompt.call(&open(&keys)) else {
        return Err("a key is none".into());
    };
    println!("  {} can be opened", all.paths().count());
    assert_eq!(all.paths().count(), count);
    disclosure.handle(&[open(&keys[count - 1..])])?;
    let prompt = disclosure.render()?;
    assert!(
        prompt
            .as_str()
            .contains(&format!("## {}", many.skills[count - 1].name))
    );
    Ok(())
}

fn open(keys: &[&str]) -> ToolCall {
    ToolCall::new(
        "call",
        "open_sections",
        json!({ "section_keys": keys, "reason": "asked" }),
    )
}

/// 1,500 skills, made of the forty.
fn many(assistant: &Assistant) -> Assistant {
    let skills = assistant.skills.iter().cycle().take(1_500).enumerate();
    let skills = skills.map(|(at, skill)| {
        let name = format!("{}_{at}", skill.name);
        Skill::new(name, skill.description.as_str(), skill.body.clone())
    });
    Assistant {
        skills: skills.collect(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a few thousand tokens")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}
