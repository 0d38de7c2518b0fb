//! What a list of skills costs: forty of them beside the same list written by hand, and 1,500 under a budget.

use prompt_core::{Budget, Disclosure, Overrides, PromptNode, Style, ToolCall, tokens};
use prompt_examples::shop::Skill;
use std::error::Error;
use std::path::Path;

/// You are the assistant of a hardware shop.
#[derive(PromptNode)]
struct Assistant {
    /// How to do a job at home.
    #[section(item_key = slug, item_title = "{item.name}", priority = 20, visibility = "summary", summary = "{item.teaser}")]
    skills: Vec<Skill>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/shop/skills");
    let assistant = Assistant {
        skills: Skill::folder(&folder)?,
    };
    let prompt = assistant.prompt().render()?;
    println!("{prompt}");
    let x = assistant.prompt().style(Style::Xml).render()?;
    println!("{}", &x.as_str()[..800]);
    println!("{}", serde_json::to_string(prompt.tools())?);
    let mut hand = String::from(
        "You are the assistant of a hardware shop.\n\n# Skills\n\nHow to do a job at home.\n",
    );
    let mut hand2 = hand.clone();
    for s in &assistant.skills {
        hand += &format!("\n- {}: {}", s.slug, s.teaser);
        hand2 += &format!("\n- skills.{}: {}", s.slug, s.teaser);
    }
    let count = tokens::EstimatedTokens::default();
    let n = |t: &str| tokens::TokenCounter::count(&count, t);
    println!(
        "{} {} {} tools {}",
        n(prompt.as_str()),
        n(&hand),
        n(&hand2),
        tokens::request(&[], prompt.tools(), &count)
    );
    for style in [Style::Markdown, Style::Xml] {
        let l = assistant.prompt().style(style).lint();
        println!("lint {style:?} {}", l.len());
        for l in l.iter().take(3) {
            println!("{l}");
        }
    }
    let mut o = Overrides::default();
    o.open("skills.paint_a_radiator");
    println!("{}", &assistant.prompt().overrides(&o).text()?[3000..]);
    let many = Assistant {
        skills: (0..1500)
            .map(|n| Skill {
                slug: format!("skill_{n}"),
                ..assistant.skills[n % 40].clone()
            })
            .collect(),
    };
    let mut d = Disclosure::new(&many).configure(|p| p.budget(Budget::request(2000)));
    let p = d.render()?;
    println!("{}", &p.as_str()[p.as_str().len() - 500..]);
    println!("{}", p.budget_report().unwrap().used);
    println!("{}", serde_json::to_string(p.tools())?);
    let call = |k: &str| {
        ToolCall::new(
            "c",
            "open_sections",
            serde_json::json!({"section_keys":[k]}),
        )
    };
    let a = d.handle(&[call("skills")])?;
    println!("{} {}", a[0].is_error, &a[0].content[..300]);
    let a = d.handle(&[call("skill_1234")])?;
    println!("{} {}", a[0].is_error, &a[0].content[..300]);
    let a = d.handle(&[call("skills.skill_1234")])?;
    println!("{} {}", a[0].is_error, &a[0].content);
    println!("{}", d.render()?.as_str());
    Ok(())
}
