//! Where sections stand: in slots, in `{PROMPT_SUBTREE}`, or at the end.

use super::prints;
use prompt_core::PromptNode;

/// {text}
#[derive(PromptNode)]
struct Leaf {
    text: &'static str,
}

const LEAF: Leaf = Leaf { text: "leaf" };

#[test]
fn slots_subtree_and_declaration_order() {
    /// Head.
    ///
    /// {third}
    ///
    /// ## Under a heading
    ///
    /// {PROMPT_SUBTREE}
    ///
    /// Tail.
    #[derive(PromptNode)]
    struct Placed {
        #[section]
        first: (),
        #[section]
        second: (),
        #[section]
        third: (),
    }
    prints(
        &Placed {
            first: (),
            second: (),
            third: (),
        },
        &[
            "Head.",
            "",
            "# Third",
            "",
            "## Under a heading",
            "",
            "### First",
            "",
            "### Second",
            "",
            "Tail.",
        ],
    );
}

#[test]
fn unplaced_sections_follow_at_the_level_of_a_slot_there() {
    /// # Title
    ///
    /// ## Sub
    ///
    /// {first}
    #[derive(PromptNode)]
    struct Unplaced {
        #[section]
        first: (),
        #[section]
        second: (),
    }
    prints(
        &Unplaced {
            first: (),
            second: (),
        },
        &["# Title", "", "## Sub", "", "### First", "", "### Second"],
    );
}

#[test]
fn a_container_says_where_unplaced_sections_stand() {
    /// ## Sub
    #[derive(PromptNode)]
    #[prompt(level = 2)]
    struct Level {
        #[section]
        inner: Inner,
    }
    /// # Own
    #[derive(PromptNode)]
    #[prompt(level = 1)]
    struct Inner {
        #[section]
        deep: (),
    }
    prints(
        &Level {
            inner: Inner { deep: () },
        },
        &["## Sub", "", "## Inner", "", "### Own", "", "### Deep"],
    );
}

#[test]
fn a_node_without_text_is_its_sections() {
    #[derive(PromptNode)]
    struct Bare {
        #[section(untitled)]
        a: Leaf,
        #[section]
        b: Leaf,
    }
    prints(&Bare { a: LEAF, b: LEAF }, &["leaf", "", "# B", "", "leaf"]);
}

#[test]
fn slots_directly_under_a_line() {
    /// Before
    /// {a}
    /// Between
    /// {b}
    /// {c}
    /// After
    #[derive(PromptNode)]
    struct Tight {
        #[section(untitled)]
        a: Option<Leaf>,
        #[section(untitled)]
        b: Leaf,
        #[section(untitled)]
        c: Leaf,
    }
    prints(
        &Tight {
            a: Some(LEAF),
            b: LEAF,
            c: LEAF,
        },
        &["Before", "leaf", "Between", "leaf", "leaf", "After"],
    );
    prints(
        &Tight {
            a: None,
            b: LEAF,
            c: LEAF,
        },
        &["Before", "Between", "leaf", "leaf", "After"],
    );
}

#[test]
fn an_indented_slot_indents_what_it_embeds() {
    /// - Head
    ///
    ///   {child}
    ///
    ///   Same column.
    #[derive(PromptNode)]
    struct Indented {
        #[section(untitled)]
        child: Lines,
    }
    /// one {value}
    ///
    /// ```text
    ///   code
    /// ```
    ///     {deep}
    #[derive(PromptNode)]
    struct Lines {
        value: &'static str,
        #[section(untitled)]
        deep: &'static str,
    }
    prints(
        &Indented {
            child: Lines {
                value: "a\nb",
                deep: "x\n\ny",
            },
        },
        &[
            "- Head",
            "",
            "  one a",
            "  b",
            "",
            "  ```text",
            "    code",
            "  ```",
            "      x",
            "",
            "      y",
            "",
            "  Same column.",
        ],
    );
}

#[test]
fn an_empty_slot_takes_its_line_and_the_blank_lines_before_it() {
    /// {first}
    ///
    /// Text.
    ///
    ///
    /// {second}
    ///
    /// More.
    ///
    /// {third}
    #[derive(PromptNode)]
    struct Empty {
        #[section(untitled)]
        first: Option<Leaf>,
        #[section(untitled)]
        second: Option<Leaf>,
        #[section(untitled)]
        third: Option<Leaf>,
    }
    let leaf = || Some(LEAF);
    prints(
        &Empty {
            first: None,
            second: None,
            third: None,
        },
        &["Text.", "", "More."],
    );
    prints(
        &Empty {
            first: leaf(),
            second: leaf(),
            third: leaf(),
        },
        &["leaf", "", "Text.", "", "", "leaf", "", "More.", "", "leaf"],
    );
}

#[test]
fn a_heading_whose_body_was_empty_slots_goes_too() {
    /// # Kept
    ///
    /// # Gone
    ///
    /// {a}
    /// {b}
    ///
    /// ## Gone with it
    ///
    /// {c}
    ///
    /// # Next
    /// Text.
    #[derive(PromptNode)]
    struct Headings {
        #[section(untitled)]
        a: Option<Leaf>,
        #[section(untitled)]
        b: Option<Leaf>,
        #[section(untitled)]
        c: Option<Leaf>,
    }
    let leaf = || Some(LEAF);
    prints(
        &Headings {
            a: None,
            b: None,
            c: None,
        },
        &["# Kept", "", "# Next", "Text."],
    );
    prints(
        &Headings {
            a: leaf(),
            b: None,
            c: None,
        },
        &["# Kept", "", "# Gone", "", "leaf", "", "# Next", "Text."],
    );
    prints(
        &Headings {
            a: None,
            b: None,
            c: leaf(),
        },
        &[
            "# Kept",
            "",
            "# Gone",
            "",
            "## Gone with it",
            "",
            "leaf",
            "",
            "# Next",
            "Text.",
        ],
    );
}

#[test]
fn slots_in_code_and_elsewhere_are_text() {
    /// `{child}` and
    /// ```text
    /// {child}
    /// {PROMPT_SUBTREE}
    /// ```
    #[derive(PromptNode)]
    struct Code {
        #[section(untitled)]
        child: Leaf,
    }
    prints(
        &Code { child: LEAF },
        &[
            "`{child}` and",
            "```text",
            "{child}",
            "{PROMPT_SUBTREE}",
            "```",
            "",
            "leaf",
        ],
    );
}
