//! What a section may be: enums, generic and recursive types, pointers, maps.

use super::prints;
use prompt_core::Markdown;
use prompt_core::PromptNode;
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt::Display,
    rc::Rc,
    sync::Arc,
};

/// {text}
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, PromptNode)]
#[prompt(vars(text = self.0))]
struct Leaf(&'static str);

#[derive(PromptNode)]
enum Mode {
    /// Nothing to say.
    Quiet,
    /// Say {word}.
    ///
    /// # Twice
    #[prompt(vars(word = _0))]
    Loud(&'static str),
    /// Plan for {days} days.
    #[prompt(title = "The plan", vars(twice = days * 2))]
    Plan {
        days: u8,
        /// At most {twice}.
        #[section(when = *days > 1)]
        limit: (),
        #[section]
        steps: Option<Leaf>,
    },
}

#[test]
fn the_active_variant_prints() {
    #[derive(PromptNode)]
    struct Modes {
        #[section]
        mode: Mode,
    }
    prints(
        &Modes { mode: Mode::Quiet },
        &["# Mode", "", "Nothing to say."],
    );
    prints(
        &Modes {
            mode: Mode::Loud("hey"),
        },
        &["# Mode", "", "Say hey.", "", "## Twice"],
    );
    prints(
        &Modes {
            mode: Mode::Plan {
                days: 2,
                limit: (),
                steps: Some(Leaf("go")),
            },
        },
        &[
            "# The plan",
            "",
            "Plan for 2 days.",
            "",
            "## Limit",
            "",
            "At most 4.",
            "",
            "## Steps",
            "",
            "go",
        ],
    );
    prints(
        &Mode::Plan {
            days: 1,
            limit: (),
            steps: None,
        },
        &["Plan for 1 days."],
    );
}

#[test]
fn generic_types() {
    /// {value}
    ///
    /// {child}
    #[derive(PromptNode)]
    struct Generic<'a, V: Display, N, const C: usize>
    where
        N: PromptNode,
    {
        value: V,
        #[section]
        child: N,
        #[section]
        many: [&'a N; C],
    }
    let leaf = Leaf("x");
    let node = Generic {
        value: 1.5,
        child: Some(Leaf("y")),
        many: [&Some(leaf)],
    };
    prints(
        &node,
        &[
            "1.5",
            "",
            "# Child",
            "",
            "y",
            "",
            "# Many",
            "",
            "## Many 1",
            "",
            "x",
        ],
    );
}

#[test]
fn recursive_types() {
    /// {name}
    #[derive(PromptNode)]
    struct Tree {
        name: &'static str,
        #[section(untitled)]
        boxed: Option<Box<Tree>>,
        #[section(item_title = "{item.name}")]
        branches: Vec<Tree>,
    }
    let leaf = |name| Tree {
        name,
        boxed: None,
        branches: vec![],
    };
    let tree = Tree {
        name: "a",
        boxed: Some(Box::new(leaf("b"))),
        branches: vec![leaf("c")],
    };
    prints(
        &tree,
        &["a", "", "b", "", "# Branches", "", "## c", "", "c"],
    );
}

#[test]
fn recursive_enums() {
    #[derive(PromptNode)]
    enum Expr {
        /// {number}
        #[prompt(vars(number = _0))]
        Number(u8),
        #[prompt(template = "{left}\n{op}\n{right}")]
        Binary {
            op: char,
            #[section(untitled)]
            left: Box<Expr>,
            #[section(untitled)]
            right: Box<Expr>,
        },
    }
    let number = |n| Box::new(Expr::Number(n));
    let sum = Expr::Binary {
        op: '+',
        left: number(1),
        right: number(2),
    };
    prints(
        &Expr::Binary {
            op: '*',
            left: Box::new(sum),
            right: number(3),
        },
        &["1", "+", "2", "*", "3"],
    );
}

#[test]
fn pointers_are_what_they_point_to() {
    #[derive(PromptNode)]
    struct Pointers<'a> {
        #[section]
        reference: &'a Leaf,
        #[section]
        boxed: Box<Leaf>,
        #[section]
        shared: Arc<Leaf>,
        #[section]
        counted: Rc<Leaf>,
        #[section]
        cow: Cow<'a, Leaf>,
        #[section]
        text: Cow<'a, str>,
        #[section]
        words: &'a str,
        #[section]
        option: &'a Option<Leaf>,
        #[section]
        dynamic: &'a dyn PromptNode,
    }
    let leaf = Leaf("x");
    let pointers = Pointers {
        reference: &leaf,
        boxed: Box::new(leaf.clone()),
        shared: Arc::new(leaf.clone()),
        counted: Rc::new(leaf.clone()),
        cow: Cow::Borrowed(&leaf),
        text: Cow::Borrowed("x"),
        words: "x",
        option: &None,
        dynamic: &leaf,
    };
    let text = pointers.prompt().text().unwrap();
    let expected = [
        "Reference",
        "Boxed",
        "Shared",
        "Counted",
        "Cow",
        "Text",
        "Words",
        "Dynamic",
    ];
    assert_eq!(
        text,
        expected.map(|title| format!("# {title}\n\nx")).join("\n\n")
    );
}

#[test]
fn lists_of_every_kind() {
    #[derive(PromptNode)]
    struct Lists<'a> {
        #[section(untitled)]
        vec: Vec<Leaf>,
        #[section(untitled)]
        array: [Leaf; 1],
        #[section(untitled)]
        slice: &'a [Leaf],
        #[section(untitled)]
        queue: VecDeque<Leaf>,
        #[section(untitled)]
        set: BTreeSet<Leaf>,
        #[section(untitled)]
        map: BTreeMap<u8, Leaf>,
        #[section(untitled)]
        option: Option<Vec<Leaf>>,
    }
    let lists = Lists {
        vec: vec![Leaf("a")],
        array: [Leaf("b")],
        slice: &[Leaf("c")],
        queue: [Leaf("d")].into(),
        set: [Leaf("f"), Leaf("e")].into(),
        map: [(2, Leaf("h")), (1, Leaf("g"))].into(),
        option: Some(vec![Leaf("i")]),
    };
    let text = lists.prompt().text().unwrap();
    let words: Vec<&str> = text.lines().filter(|line| line.len() == 1).collect();
    assert_eq!(words.concat(), "abcdefghi");
}

#[test]
fn maps_print_their_keys() {
    #[derive(PromptNode)]
    struct Maps {
        #[section]
        texts: BTreeMap<String, String>,
        #[section]
        nodes: BTreeMap<u8, Leaf>,
    }
    let maps = Maps {
        texts: [("b".into(), "two".into()), ("a".into(), "one\nmore".into())].into(),
        nodes: [(7, Leaf("x"))].into(),
    };
    prints(
        &maps,
        &[
            "# Texts", "", "- a: one", "  more", "- b: two", "", "# Nodes", "", "## 7", "", "x",
        ],
    );
}

#[test]
fn markdown_values_align() {
    #[derive(PromptNode)]
    struct Notes {
        #[section]
        notes: Markdown,
        #[section(untitled)]
        bare: Markdown,
    }
    let markdown =
        || Markdown::from("Intro {x} {?y}\n\n### A\n```sh\n# not a title\n```\n#### B\n");
    prints(
        &Notes {
            notes: markdown(),
            bare: markdown(),
        },
        &[
            "# Notes",
            "",
            "Intro {x} {?y}",
            "",
            "## A",
            "```sh",
            "# not a title",
            "```",
            "### B",
            "",
            "Intro {x} {?y}",
            "",
            "# A",
            "```sh",
            "# not a title",
            "```",
            "## B",
        ],
    );
}

#[test]
fn every_kind_of_value_is_a_prompt_of_its_own() {
    prints(&"text", &["text"]);
    prints(&(), &[""]);
    prints(&Some(Leaf("x")), &["x"]);
    prints(&None::<Leaf>, &[""]);
    prints(&vec!["a", "b"], &["- a", "- b"]);
    prints(&Markdown::from("## A\n\n### B"), &["# A", "", "## B"]);
}

#[test]
fn variants_inherit_what_the_enum_says() {
    #[derive(PromptNode)]
    #[prompt(tight, end = "!", vars(who = "all"))]
    enum Shared {
        /// For {who}.
        One {
            /// Text.
            #[section]
            part: (),
        },
        /// For {who}.
        #[prompt(end = "?")]
        Two,
    }
    prints(
        &Shared::One { part: () },
        &["For all.", "", "# Part", "Text.!"],
    );
    prints(&Shared::Two, &["For all.?"]);
}

#[test]
fn comments_of_markdown_values_stay() {
    #[derive(PromptNode)]
    struct Notes {
        #[section]
        notes: Markdown,
    }
    for text in ["A\n<!--# note -->\nB", "<!--# open", "a\n<!--\n# x\n-->\nb"] {
        let notes = Notes {
            notes: Markdown::from(text),
        };
        assert_eq!(notes.prompt().text().unwrap(), format!("# Notes\n\n{text}"));
    }
}
