//! How often the allocator is asked: a flat text for itself and the ranges of its values, a tree for each section a few times.

use allocation_counter::measure;
use prompt_core::{PromptNode, Style};

/// You review {language} code for {team}.
///
/// ## How
///
/// Read it {times} times.
#[derive(PromptNode)]
struct Flat {
    language: String,
    team: &'static str,
    times: u32,
}

/// Name {count} faults.
#[derive(PromptNode)]
struct Leaf {
    count: u8,
}

#[derive(PromptNode)]
struct Branch {
    #[section]
    first: Leaf,
    /// A few words before it.
    #[section]
    second: Option<Leaf>,
    #[section]
    text: String,
}

/// You review {language} code for {team}.
/// {?strict}End with a line that says APPROVE or REJECT.
///
/// ## How to work
///
/// {PROMPT_SUBTREE}
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    team: String,
    strict: bool,

    /// Read the diff twice before the first comment.
    #[section]
    method: (),

    /// The house style, rule by rule:
    #[section(
        visibility = "summary",
        summary = "The {team} style guide is available."
    )]
    style_guide: StyleGuide,

    #[section(tag = "critical_rules", priority = "required")]
    rules: Vec<String>,
}

/// Names are snake_case. Errors name the file.
#[derive(PromptNode)]
struct StyleGuide;

/// You review code.
#[derive(PromptNode)]
struct Tree {
    #[section]
    left: Branch,
    #[section(title = "The other one")]
    right: Branch,
}

fn flat() -> Flat {
    Flat {
        language: "Rust".into(),
        team: "Tern",
        times: 2,
    }
}

fn tree() -> Tree {
    let branch = || Branch {
        first: Leaf { count: 3 },
        second: Some(Leaf { count: 4 }),
        text: "Be brief.".into(),
    };
    Tree {
        left: branch(),
        right: branch(),
    }
}

/// How often `print` allocates, once the description of its types has been read.
fn allocations<T>(print: impl Fn() -> T) -> u64 {
    drop(print());
    measure(|| drop(print())).count_total
}

#[test]
fn a_flat_text_is_allocated_with_the_ranges_of_its_values() {
    let flat = flat();
    // The lists of the document, what values wrote, and the text.
    let lists = allocations(|| flat.prompt().text().unwrap());
    assert!(lists <= 12, "{lists}");
    let mut kept = String::new();
    flat.prompt().render_into(&mut kept).unwrap();
    let counted = measure(|| {
        kept.clear();
        flat.prompt().render_into(&mut kept).unwrap();
    });
    assert!(counted.count_total < lists, "{}", counted.count_total);
}

#[test]
fn the_prompt_of_the_readme_is_a_handful_of_lists() {
    let reviewer = Reviewer {
        language: "Rust".into(),
        team: "storage".into(),
        strict: false,
        method: (),
        style_guide: StyleGuide,
        rules: vec!["Never approve unsafe code.".into()],
    };
    let lists = allocations(|| reviewer.prompt().text().unwrap());
    assert!(lists <= 10, "{lists}");
}

#[test]
fn a_section_is_a_few_allocations() {
    let tree = tree();
    let sections = 8;
    let text = allocations(|| tree.prompt().text().unwrap());
    assert!(text <= 4 * sections, "{text}");
    let render = allocations(|| tree.prompt().render().unwrap());
    assert!(render <= 6 * sections, "{render}");
    let tags = || tree.prompt().style(Style::Xml).text().unwrap();
    let tags = allocations(tags);
    assert!(tags <= 8 * sections, "{tags}");
}
