use prompt_core::*;
/// You review {language} code for {team}.
///
/// ## How to work
///
/// {PROMPT_SUBTREE}
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    team: String,
    /// Read the diff twice before the first comment.
    #[section]
    method: (),
    /// The house style, rule by rule:
    #[section(visibility = "summary", summary = "The {team} style guide is available.")]
    style_guide: StyleGuide,
    #[section(tag = "critical_rules", priority = "required")]
    rules: Vec<String>,
}
/// Names are snake_case. Errors name the file.
#[derive(PromptNode)]
struct StyleGuide;
fn main() {
    let r = Reviewer { language: "Rust".into(), team: "storage".into(), method: (), style_guide: StyleGuide, rules: vec!["Never approve unsafe code.".into(), "Quote the line you mean.".into()] };
    println!("{}", r.prompt().text().unwrap());
    println!("=====");
    println!("{}", r.prompt().style(Style::Xml).render().unwrap());
    println!("{:?}", r.prompt().render().unwrap().sections());
    println!("{}", r.prompt().budget(Budget::tokens(40)).render().map(|r| r.as_str().to_owned()).unwrap_or_else(|e| e.to_string()));
    println!("{}", r.prompt().preview().unwrap());
}
