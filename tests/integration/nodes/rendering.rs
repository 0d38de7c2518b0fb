//! Options of a prompt, and what a rendered prompt says of itself.

use super::prints;
use prompt_core::Code;
use prompt_core::Markdown;
use prompt_core::Prompt;
use prompt_core::PromptError;
use prompt_core::PromptNode;
use prompt_core::Style;
use prompt_core::Visibility;
use prompt_core::prompt::HeadingOverflow;
use std::fmt;

/// # Top
///
/// {child}
#[derive(PromptNode)]
struct Root {
    #[section]
    child: Markdown,
}

fn root() -> Root {
    Root {
        child: "# A\n## B\n### C\n#### D\n##### E".into(),
    }
}

#[test]
fn headings_past_six_stay_at_six_or_fail() {
    let text = root().prompt().text().unwrap();
    assert!(text.ends_with("##### C\n###### D\n###### E"), "{text}");
    let error = root()
        .prompt()
        .heading_overflow(HeadingOverflow::Error)
        .render()
        .unwrap_err();
    assert_eq!(
        error,
        PromptError::HeadingLevel {
            path: "child".into(),
            level: 7
        }
    );
    assert_eq!(error.code().as_str(), "heading_level");
}

#[test]
fn base_level_moves_everything() {
    let text = root().prompt().base_level(3).text().unwrap();
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    assert_eq!(
        headings,
        [
            "### Top",
            "#### Child",
            "##### A",
            "###### B",
            "###### C",
            "###### D",
            "###### E"
        ]
    );
    assert_eq!(
        root().prompt().base_level(0).text().unwrap(),
        root().prompt().text().unwrap()
    );

    /// ### Own level
    #[derive(PromptNode)]
    struct Own;
    prints(&Own, &["### Own level"]);
    assert_eq!(Own.prompt().base_level(2).text().unwrap(), "#### Own level");
}

/// Head {n}.
///
/// {child}
///
/// Tail.
#[derive(PromptNode)]
struct Table {
    n: u8,
    /// Intro.
    #[section(title = "Child {n}")]
    child: Inner,
    #[section(visibility = "summary", summary = "Short.")]
    more: (),
}

#[derive(PromptNode)]
struct Inner {
    #[section]
    text: &'static str,
}

fn table(n: u8) -> Table {
    Table {
        n,
        child: Inner { text: "words" },
        more: (),
    }
}

#[test]
fn the_table_of_sections() {
    let rendered = table(1).prompt().render().unwrap();
    let text = rendered.as_str();
    let sections = rendered.sections();
    let shown: Vec<_> = sections
        .iter()
        .map(|section| {
            (
                section.path.as_str(),
                section.title.as_str(),
                section.level,
                &text[section.range.clone()],
            )
        })
        .collect();
    assert_eq!(
        shown[0],
        (
            "child",
            "Child 1",
            1,
            "# Child 1\n\nIntro.\n\n## Text\n\nwords"
        )
    );
    assert_eq!(shown[1], ("child.text", "Text", 2, "## Text\n\nwords"));
    assert_eq!((shown[2].0, shown[2].1, shown[2].2), ("more", "More", 1));
    assert!(shown[2].3.starts_with("# More\n\nShort."), "{shown:?}");
    let visible: Vec<_> = sections.iter().map(|section| section.visibility).collect();
    assert_eq!(
        visible,
        [Visibility::Full, Visibility::Full, Visibility::Summary]
    );
    let location = sections[0].location.unwrap();
    assert!(
        location.file.ends_with("rendering.rs") && location.line > 30,
        "{location:?}"
    );
    assert!(
        serde_json::to_string(&sections)
            .unwrap()
            .contains("\"path\":\"child.text\"")
    );
}

#[test]
fn display_and_conversions_give_the_text() {
    let rendered = table(1).prompt().render().unwrap();
    let text = table(1).prompt().text().unwrap();
    assert_eq!(rendered.to_string(), text);
    assert_eq!(rendered.as_ref(), text);
    assert_eq!(String::from(rendered.clone()), text);
    assert_eq!(rendered.into_string(), text);
}

#[test]
fn the_hash_is_fnv_1a() {
    // Test vectors of the draft: <https://datatracker.ietf.org/doc/html/draft-eastlake-fnv-17>, 64 bits.
    for (text, hash) in [
        ("", 0xcbf2_9ce4_8422_2325),
        ("a", 0xaf63_dc4c_8601_ec8c),
        ("foobar", 0x8594_4171_f739_67e8),
    ] {
        assert_eq!(Prompt::new(&text).render().unwrap().hash(), hash);
    }
    assert_ne!(
        table(1).prompt().render().unwrap().hash(),
        table(2).prompt().render().unwrap().hash()
    );
}

struct Fails;

impl fmt::Display for Fails {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("partly")?;
        Err(fmt::Error)
    }
}

#[test]
fn render_into_appends() {
    let mut buffer = String::from("kept # {x}\n\n\n");
    table(1).prompt().render_into(&mut buffer).unwrap();
    assert_eq!(
        buffer,
        format!("kept # {{x}}\n\n\n{}", table(1).prompt().text().unwrap())
    );
    let mut again = String::from("  ");
    root().prompt().render_into(&mut again).unwrap();
    assert_eq!(again, format!("  {}", root().prompt().text().unwrap()));
}

#[test]
fn an_error_leaves_the_buffer_as_it_was() {
    /// A long text before it. {fails}
    #[derive(PromptNode)]
    struct Failing {
        fails: Fails,
    }
    #[derive(PromptNode)]
    struct Outer {
        #[section]
        inner: Failing,
    }
    let outer = Outer {
        inner: Failing { fails: Fails },
    };
    let mut buffer = String::from("kept");
    let error = outer.prompt().render_into(&mut buffer).unwrap_err();
    assert_eq!(
        error,
        PromptError::FailedValue {
            path: "inner".into(),
            name: "fails".into()
        }
    );
    assert_eq!(buffer, "kept");
    assert_eq!(outer.prompt().text(), Err(error));
}

#[test]
fn a_kept_buffer_is_not_allocated_again() {
    /// Head {n} of {name}.
    ///
    /// # Title
    /// Text {n}.
    #[derive(PromptNode)]
    struct Flat {
        n: u8,
        name: &'static str,
    }
    let flat = Flat { n: 200, name: "x" };
    let mut buffer = String::new();
    flat.prompt().render_into(&mut buffer).unwrap();
    let (capacity, place) = (buffer.capacity(), buffer.as_ptr());
    buffer.clear();
    flat.prompt().render_into(&mut buffer).unwrap();
    assert_eq!((buffer.capacity(), buffer.as_ptr()), (capacity, place));
}

#[test]
fn the_same_tree_gives_the_same_bytes() {
    let first = table(3).prompt().render().unwrap();
    for _ in 0..3 {
        let next = table(3).prompt().render().unwrap();
        assert_eq!(
            (next.as_str(), next.sections()),
            (first.as_str(), first.sections())
        );
    }
}

/// Level {depth}.
#[derive(PromptNode)]
struct Deep {
    depth: usize,
    #[section(untitled)]
    next: Option<Box<Deep>>,
}

/// Level {depth}.
#[derive(PromptNode)]
struct DeepList {
    depth: usize,
    #[section]
    next: Vec<DeepList>,
}

/// A chain of so many sections, and one of so many lists, each of which is two levels.
fn deep(levels: usize) -> (Option<Box<Deep>>, Vec<DeepList>) {
    let (mut deep, mut list) = (None, Vec::new());
    for depth in (0..=levels).rev() {
        deep = Some(Box::new(Deep { depth, next: deep }));
        if depth <= levels / 2 {
            list = vec![DeepList { depth, next: list }];
        }
    }
    (deep, list)
}

/// The stack of a small thread, in a debug build: the walk is a recursion.
const SMALL_STACK: usize = 512 * 1024;

#[test]
fn a_tree_of_128_levels_needs_little_stack() {
    const LEVELS: usize = 128;
    let check = || {
        let (deep, list) = deep(LEVELS);
        let rendered = deep.as_ref().unwrap().prompt().render().unwrap();
        assert_eq!(rendered.as_str().matches("Level").count(), LEVELS + 1);
        assert_eq!(rendered.sections().len(), LEVELS);
        assert!(rendered.as_str().ends_with("Level 128."));
        let rendered = list[0].prompt().style(Style::Xml).render().unwrap();
        assert_eq!(rendered.as_str().matches("Level").count(), LEVELS / 2 + 1);
    };
    let thread = std::thread::Builder::new().stack_size(SMALL_STACK);
    thread.spawn(check).unwrap().join().unwrap();
}

#[test]
fn a_deeper_tree_is_an_error_with_its_path() {
    let (deep, list) = deep(129);
    let error = deep.unwrap().prompt().text().unwrap_err();
    let path = ["next"; 129].join(".");
    assert_eq!(error, PromptError::TooDeep { path });
    assert_eq!(error.code(), Code::TooDeep);
    assert!(error.to_string().contains("128"), "{error}");
    assert!(list[0].prompt().text().is_ok());
}

#[test]
fn a_rendered_prompt_can_be_stored() {
    /// Be kind.
    #[derive(PromptNode)]
    struct Root {
        /// Quote.
        #[section]
        rules: (),
    }
    let prompt = Root { rules: () }.prompt().render().unwrap();
    let stored = serde_json::to_value(&prompt).unwrap();
    assert_eq!(stored["text"], prompt.as_str());
    assert_eq!(stored["static_prefix"], prompt.static_prefix());
    assert_eq!(stored["sections"][0]["path"], "rules");
    assert_eq!(stored["messages"][0]["role"], "system");
}
