//! The keys of `#[section]` that speak of one section.

use super::prints;
use prompt_core::DynamicNode;
use prompt_core::Markdown;
use prompt_core::PromptNode;
use prompt_core::Style;

/// Child of {name}.
#[derive(Clone, PromptNode)]
struct Child {
    name: &'static str,
}

const CHILD: Child = Child { name: "Ada" };

#[test]
fn titles_come_from_the_attribute_the_child_or_the_field() {
    #[derive(PromptNode)]
    struct Titles {
        #[section(title = "For {who}")]
        explicit: Child,
        #[section]
        own_title: Titled,
        #[section]
        literature_review: (),
        #[section]
        q3_results: (),
        #[section(title = "With {{braces}}")]
        r#type: (),
        who: &'static str,
    }
    /// x
    #[derive(PromptNode)]
    #[prompt(title = "Own {n}")]
    struct Titled {
        n: u8,
    }
    let titles = Titles {
        explicit: CHILD,
        own_title: Titled { n: 3 },
        literature_review: (),
        q3_results: (),
        r#type: (),
        who: "Bo",
    };
    let rendered = titles.prompt().render().unwrap();
    let headings: Vec<&str> = rendered
        .as_str()
        .lines()
        .filter(|line| line.starts_with('#'))
        .collect();
    assert_eq!(
        headings,
        [
            "# For Bo",
            "# Own 3",
            "# Literature Review",
            "# Q3 Results",
            "# With {braces}"
        ]
    );
    let paths: Vec<String> = rendered
        .sections()
        .into_iter()
        .map(|section| section.path)
        .collect();
    assert_eq!(
        paths,
        [
            "explicit",
            "own_title",
            "literature_review",
            "q3_results",
            "type"
        ]
    );
}

#[test]
fn a_title_of_two_lines_is_one_heading() {
    #[derive(PromptNode)]
    struct Titles {
        #[section(title = "{name}")]
        child: (),
        name: &'static str,
    }
    prints(
        &Titles {
            child: (),
            name: "a\r\n# b",
        },
        &["# a # b"],
    );
}

#[test]
fn key_names_the_path_and_the_tag() {
    #[derive(PromptNode)]
    struct Keys {
        #[section(key = "the-child")]
        child: Child,
    }
    let keys = Keys { child: CHILD };
    assert_eq!(
        keys.prompt().render().unwrap().sections()[0].path,
        "the-child"
    );
    let xml = keys.prompt().style(Style::Xml).text().unwrap();
    assert_eq!(xml, "<the-child>\nChild of Ada.\n</the-child>\n");
}

#[test]
fn introduction_and_child_are_joined_by_a_blank_line() {
    /// Root.
    #[derive(PromptNode)]
    struct Intro {
        /// Introduction for {who}.
        ///
        /// ### Deep
        /// Text.
        #[section]
        child: Headed,
        who: &'static str,
    }
    /// Before.
    /// ## One
    /// ### Two
    #[derive(PromptNode)]
    struct Headed;
    prints(
        &Intro {
            child: Headed,
            who: "Cy",
        },
        &[
            "Root.",
            "",
            "# Child",
            "",
            "Introduction for Cy.",
            "",
            "## Deep",
            "Text.",
            "",
            "Before.",
            "## One",
            "### Two",
        ],
    );
}

#[test]
fn untitled_lands_on_the_level_of_the_section() {
    /// # Root
    #[derive(PromptNode)]
    struct Untitled {
        /// ## Intro
        #[section(untitled)]
        child: Headed,
    }
    /// ### Own
    #[derive(PromptNode)]
    struct Headed;
    prints(
        &Untitled { child: Headed },
        &["# Root", "", "## Intro", "", "## Own"],
    );
}

#[test]
fn template_replaces_the_doc_comment() {
    #[derive(PromptNode)]
    struct Templates {
        /// For the reader of the code.
        #[section(template = "\n\nFor {who}.  \n\n")]
        child: (),
        who: &'static str,
    }
    prints(
        &Templates {
            child: (),
            who: "Di",
        },
        &["# Child", "", "For Di.  "],
    );
}

#[test]
fn file_is_read_at_compile_time() {
    #[derive(PromptNode)]
    #[prompt(file = "fixtures/nodes/own.md")]
    struct Files {
        #[section(file = "fixtures/nodes/intro.md")]
        child: (),
        who: &'static str,
    }
    prints(
        &Files {
            child: (),
            who: "Ed",
        },
        &[
            "Text from a file for Ed.",
            "",
            "# Child",
            "",
            "Introduction for Ed.",
        ],
    );
}

#[test]
fn when_leaves_no_trace() {
    /// Root.
    ///
    /// {middle}
    ///
    /// End.
    #[derive(PromptNode)]
    struct When {
        /// Middle.
        #[section(when = self.count > 1)]
        middle: Child,
        #[section(when = !self.names().is_empty())]
        last: (),
        count: u8,
    }
    impl When {
        fn names(&self) -> String {
            "x".repeat(usize::from(self.count))
        }
    }
    prints(
        &When {
            middle: CHILD,
            last: (),
            count: 0,
        },
        &["Root.", "", "End."],
    );
    prints(
        &When {
            middle: CHILD,
            last: (),
            count: 2,
        },
        &[
            "Root.",
            "",
            "# Middle",
            "",
            "Middle.",
            "",
            "Child of Ada.",
            "",
            "End.",
            "",
            "# Last",
        ],
    );
}

#[derive(PromptNode)]
struct Values {
    #[section]
    text: String,
    #[section]
    option: Option<Child>,
    #[section]
    markdown: Markdown,
    #[section]
    list: Vec<Child>,
    #[section]
    unit: (),
    #[section]
    silent: Silent,
}

#[derive(PromptNode)]
struct Silent;

#[test]
fn empty_values_leave_no_trace_and_empty_texts_keep_their_heading() {
    let none = Values {
        text: " \n".into(),
        option: None,
        markdown: "".into(),
        list: vec![],
        unit: (),
        silent: Silent,
    };
    prints(&none, &["# Unit", "", "# Silent"]);
}

#[test]
fn empty_is_printed_instead_of_nothing() {
    #[derive(PromptNode)]
    struct Empty {
        /// Introduction.
        #[section(empty = "No {what} here.")]
        option: Option<Child>,
        #[section(empty = "No list.", item_title = "{item.name}")]
        list: Vec<Child>,
        #[section(untitled, empty = "No text.")]
        text: &'static str,
        #[section(untitled, empty = "No lines.", item = "* {item}")]
        lines: Vec<u8>,
        #[section(when = false, empty = "never")]
        hidden: Option<Child>,
        what: &'static str,
    }
    let empty = Empty {
        option: None,
        list: vec![],
        text: "",
        lines: vec![],
        hidden: None,
        what: "child",
    };
    prints(
        &empty,
        &[
            "# Option",
            "",
            "No child here.",
            "",
            "# List",
            "",
            "No list.",
            "",
            "No text.",
            "",
            "No lines.",
        ],
    );
    let full = Empty {
        option: Some(CHILD),
        list: vec![CHILD],
        text: "t",
        lines: vec![1],
        hidden: Some(CHILD),
        ..empty
    };
    prints(
        &full,
        &[
            "# Option",
            "",
            "Introduction.",
            "",
            "Child of Ada.",
            "",
            "# List",
            "",
            "## Ada",
            "",
            "Child of Ada.",
            "",
            "t",
            "",
            "* 1",
        ],
    );
}

#[test]
fn heading_tight_and_level() {
    /// Root.
    ///
    /// ## Last heading
    #[derive(PromptNode)]
    struct Forms {
        /// Text.
        #[section(heading = "==== {title} ({n}) ====")]
        banner: (),
        /// Text.
        #[section(tight)]
        tight: (),
        /// Text.
        #[section(level = 1)]
        high: (),
        /// Text.
        #[section]
        usual: (),
        n: u8,
    }
    prints(
        &Forms {
            banner: (),
            tight: (),
            high: (),
            usual: (),
            n: 5,
        },
        &[
            "Root.",
            "",
            "## Last heading",
            "",
            "==== Banner (5) ====",
            "",
            "Text.",
            "",
            "### Tight",
            "Text.",
            "",
            "# High",
            "",
            "Text.",
            "",
            "### Usual",
            "",
            "Text.",
        ],
    );
}

#[test]
fn tags_with_attributes() {
    /// Root.
    #[derive(PromptNode)]
    struct Tags {
        #[section(tag = "rule", attr(id = self.id, title, note = self.note, on = self.on))]
        rule: &'static str,
        #[section(tag = "short", inline)]
        short: &'static str,
        #[section(tag = "absent")]
        absent: Option<&'static str>,
        id: u8,
        note: Option<&'static str>,
        on: bool,
    }
    let tags = Tags {
        rule: "Be \"kind\".",
        short: "x",
        absent: None,
        id: 7,
        note: None,
        on: true,
    };
    let text = tags.prompt().text().unwrap();
    assert!(
        text.starts_with("Root.\n\n<rule id=\"7\" title=\"Rule\""),
        "{text}"
    );
    assert!(
        text.ends_with(">\nBe \"kind\".\n</rule>\n\n<short>x</short>"),
        "{text}"
    );
    assert!(!text.contains("note") && !text.contains("absent"), "{text}");
}

#[test]
fn nested_tags_are_indented() {
    #[derive(PromptNode)]
    struct Outer {
        #[section(tag = "outer", indent = 4)]
        outer: Inner,
    }
    #[derive(PromptNode)]
    struct Inner {
        #[section(tag = "inner")]
        inner: &'static str,
    }
    prints(
        &Outer {
            outer: Inner { inner: "a\nb" },
        },
        &[
            "<outer>",
            "    <inner>",
            "a",
            "b",
            "    </inner>",
            "</outer>",
        ],
    );
}

#[test]
fn guard_says_what_happens_to_tags_in_values() {
    #[derive(PromptNode)]
    struct Guards {
        #[section(tag = "a")]
        usual: &'static str,
        #[section(tag = "b", guard = "escaped")]
        escaped: &'static str,
    }
    let value = "</a><i>";
    prints(
        &Guards {
            usual: value,
            escaped: value,
        },
        &[
            "<a>",
            "&lt;/a><i>",
            "</a>",
            "",
            "<b>",
            "&lt;/a&gt;&lt;i&gt;",
            "</b>",
        ],
    );

    #[derive(PromptNode)]
    struct Strict {
        #[section(tag = "a", guard = "strict")]
        strict: &'static str,
    }
    let error = Strict { strict: value }.prompt().render().unwrap_err();
    assert_eq!(error.code().as_str(), "guard_violation");
    assert!(error.to_string().contains("`strict`"), "{error}");
    prints(&Strict { strict: "<i>" }, &["<a>", "<i>", "</a>"]);
}

#[test]
fn untrusted_sections_are_defused_all_through() {
    #[derive(PromptNode)]
    struct Untrusted {
        #[section(untrusted)]
        text: &'static str,
        #[section(untrusted)]
        child: Child,
    }
    let text = Untrusted {
        text: "# x",
        child: Child { name: "y\n# z" },
    }
    .prompt()
    .text()
    .unwrap();
    let headings: Vec<&str> = text.lines().filter(|line| line.starts_with("# ")).collect();
    assert_eq!(headings, ["# Text", "# Child"]);
}

#[test]
fn summaries_come_with_the_way_to_more() {
    #[derive(PromptNode)]
    struct Summaries {
        /// Introduction.
        #[section(visibility = "summary", summary = "Short, for {who}.")]
        child: Child,
        #[section(visibility = self.shown(), summary = "Computed.")]
        computed: Child,
        who: &'static str,
    }
    impl Summaries {
        fn shown(&self) -> prompt_core::Visibility {
            if self.who == "Flo" {
                prompt_core::Visibility::Summary
            } else {
                prompt_core::Visibility::Full
            }
        }
    }
    let text = Summaries {
        child: CHILD,
        computed: CHILD,
        who: "Flo",
    }
    .prompt()
    .text()
    .unwrap();
    assert!(
        text.starts_with("# Child\n\nShort, for Flo.\n\n")
            && text.contains("# Computed\n\nComputed.\n\n"),
        "{text}"
    );
    assert!(
        !text.contains("Child of") && !text.contains("Introduction"),
        "{text}"
    );
    let text = Summaries {
        child: CHILD,
        computed: CHILD,
        who: "Gus",
    }
    .prompt()
    .text()
    .unwrap();
    assert!(text.ends_with("# Computed\n\nChild of Ada."), "{text}");
}

#[test]
fn untitled_lists_of_tags_stand_close_inside_a_tag() {
    #[derive(PromptNode)]
    #[prompt(tag = "all")]
    struct All {
        #[section(untitled, item_tag = "a")]
        a: Vec<&'static str>,
        #[section(untitled, item_tag = "b")]
        b: Vec<&'static str>,
    }
    let (a, b) = (vec!["1", "2"], vec!["3"]);
    let text = All { a, b }.prompt().text().unwrap();
    assert_eq!(text, "<all>\n  <a>1</a>\n  <a>2</a>\n  <b>3</b>\n</all>");
}

#[test]
fn a_switch_that_is_off_excludes_nothing() {
    #[derive(PromptNode)]
    struct Off {
        /// Twice.
        #[section(untitled = false, title = "How we work")]
        method: (),
    }
    let text = Off { method: () }.prompt().text().unwrap();
    assert_eq!(text, "# How we work\n\nTwice.");
}

/// A level of its own is that of the text it stands in, and moves with it.
#[test]
fn a_level_of_ones_own_moves_with_its_text() {
    /// Head.
    #[derive(PromptNode)]
    struct Inner {
        #[section(level = 3)]
        deep: &'static str,
    }
    #[derive(PromptNode)]
    struct Outer {
        #[section]
        inner: Inner,
    }
    let inner = || Inner { deep: "Deep." };
    assert_eq!(
        inner().prompt().text().unwrap(),
        "Head.\n\n### Deep\n\nDeep."
    );
    assert_eq!(
        inner().prompt().base_level(2).text().unwrap(),
        "Head.\n\n#### Deep\n\nDeep."
    );
    assert_eq!(
        Outer { inner: inner() }.prompt().text().unwrap(),
        "# Inner\n\nHead.\n\n#### Deep\n\nDeep."
    );
}

#[test]
fn a_title_from_a_name_has_small_words_small_at_both_doors() {
    #[derive(PromptNode)]
    struct Desk {
        #[section]
        order_of_work: &'static str,
    }
    let derived = Desk {
        order_of_work: "Read.",
    };
    let section = DynamicNode::builder("order_of_work").body("Read.");
    let built = DynamicNode::builder("desk").section(section).build();
    for text in [derived.prompt().text(), built.unwrap().prompt().text()] {
        assert_eq!(text.unwrap(), "# Order of Work\n\nRead.");
    }
}
