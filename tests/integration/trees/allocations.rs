//! What is printed in one go asks the allocator for its text, its table and the names of its tags, and for nothing else.

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
fn a_flat_text_is_allocated_once_and_not_at_all_in_a_kept_buffer() {
    let flat = flat();
    assert_eq!(allocations(|| flat.prompt().text().unwrap()), 1);
    let mut kept = String::new();
    flat.prompt().render_into(&mut kept).unwrap();
    let counted = measure(|| {
        kept.clear();
        flat.prompt().render_into(&mut kept).unwrap();
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn a_tree_is_allocated_once_with_its_table_twice_in_tags_three_times() {
    let tree = tree();
    assert_eq!(allocations(|| tree.prompt().text().unwrap()), 1);
    assert_eq!(allocations(|| tree.prompt().render().unwrap()), 2);
    let tags = || tree.prompt().style(Style::Xml).text().unwrap();
    assert_eq!(allocations(tags), 3);
}
