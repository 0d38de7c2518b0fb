//! The keys of `#[prompt]`.

use super::prints;
use prompt_core::__private::Node;
use prompt_core::PromptNode;
use prompt_core::Style;
use prompt_core::ToolSpec;
use prompt_core::Visibility;
use prompt_core::prompt::Numbering;

const LIMIT: u8 = 9;

#[test]
fn vars_are_named_expressions() {
    /// {LIMIT_WORD} {twice} {joined} {len}
    /// {?many}- many
    #[derive(PromptNode)]
    #[prompt(vars(LIMIT_WORD = LIMIT, twice = self.n * 2, joined = self.names.join("+"), len = self.names.len(), many = self.n > 1))]
    struct Vars {
        n: u8,
        names: Vec<&'static str>,
    }
    prints(
        &Vars {
            n: 2,
            names: vec!["a", "b"],
        },
        &["9 4 a+b 2", "- many"],
    );
    prints(
        &Vars {
            n: 1,
            names: vec![],
        },
        &["9 2  0"],
    );
}

#[test]
fn end_is_appended_after_everything() {
    /// Text.
    #[derive(PromptNode)]
    #[prompt(end = "\n<end>\n")]
    struct End {
        #[section]
        child: Option<Inner>,
    }
    /// x
    #[derive(PromptNode)]
    #[prompt(end = "!")]
    struct Inner;
    prints(&End { child: None }, &["Text.", "<end>", ""]);
    prints(
        &End { child: Some(Inner) },
        &["Text.", "", "# Child", "", "x!", "<end>", ""],
    );
}

#[test]
fn tight_and_heading_reach_their_own_sections_only() {
    #[derive(PromptNode)]
    #[prompt(tight, heading = "== {title} ==")]
    struct Outer {
        /// Text.
        #[section]
        a: (),
        #[section]
        b: Inner,
        #[section(heading = "* {title}")]
        c: Inner,
    }
    #[derive(PromptNode)]
    struct Inner {
        /// Deep.
        #[section]
        d: (),
    }
    prints(
        &Outer {
            a: (),
            b: Inner { d: () },
            c: Inner { d: () },
        },
        &[
            "== A ==", "Text.", "", "== B ==", "## D", "", "Deep.", "", "* C", "## D", "", "Deep.",
        ],
    );
}

#[derive(PromptNode)]
struct Numbered {
    #[section]
    task: Parts,
    #[section(untitled)]
    aside: (),
    #[section(when = self.on)]
    hidden: (),
    #[section]
    last: Vec<Parts>,
    on: bool,
}

#[derive(PromptNode)]
struct Parts {
    #[section]
    one: (),
    #[section]
    two: (),
}

const PARTS: Parts = Parts { one: (), two: () };

fn headings(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with('#')).collect()
}

#[test]
fn numbers_are_fixed_by_declaration() {
    let numbered = |on| Numbered {
        task: PARTS,
        aside: (),
        hidden: (),
        last: vec![PARTS],
        on,
    };
    let text = numbered(false)
        .prompt()
        .numbering(Numbering::Decimal)
        .text()
        .unwrap();
    assert_eq!(
        headings(&text),
        [
            "# 1. Task",
            "## 1.1. One",
            "## 1.2. Two",
            "# 3. Last",
            "## 3.1. Last 1",
            "### 3.1.1. One",
            "### 3.1.2. Two"
        ]
    );
    let text = numbered(true)
        .prompt()
        .numbering(Numbering::Decimal)
        .text()
        .unwrap();
    assert_eq!(headings(&text)[3..5], ["# 2. Hidden", "# 3. Last"]);
    assert_eq!(
        headings(&numbered(true).prompt().text().unwrap())[0],
        "# Task"
    );
}

/// What is switched off before a section without a heading keeps its number too: nothing that is printed takes it.
#[test]
fn numbers_in_a_section_without_a_heading_leave_gaps_too() {
    #[derive(PromptNode)]
    struct Around {
        #[section]
        first: (),
        #[section(when = self.on)]
        second: (),
        #[section(untitled)]
        parts: Parts,
        #[section]
        last: (),
        on: bool,
    }
    let titles = |on| {
        let around = Around {
            first: (),
            second: (),
            parts: PARTS,
            last: (),
            on,
        };
        let numbered = around.prompt().numbering(Numbering::Decimal);
        let text = numbered.text().unwrap();
        headings(&text).join(", ")
    };
    assert_eq!(
        titles(true),
        "# 1. First, # 2. Second, # 3. One, # 4. Two, # 5. Last"
    );
    assert_eq!(titles(false), "# 1. First, # 3. One, # 4. Two, # 5. Last");
}

#[test]
fn numbering_of_a_container_reaches_the_tree_below() {
    #[derive(PromptNode)]
    struct Outer {
        #[section]
        plain: Parts,
        #[section]
        counted: Counted,
    }
    #[derive(PromptNode)]
    #[prompt(numbering = "decimal")]
    struct Counted {
        #[section]
        parts: Parts,
        #[section]
        off: Off,
    }
    #[derive(PromptNode)]
    #[prompt(numbering = "none")]
    struct Off {
        #[section]
        one: (),
    }
    let outer = Outer {
        plain: PARTS,
        counted: Counted {
            parts: PARTS,
            off: Off { one: () },
        },
    };
    let text = outer.prompt().text().unwrap();
    let titles: Vec<&str> = headings(&text)
        .iter()
        .map(|line| line.trim_start_matches('#').trim())
        .collect();
    assert_eq!(titles[..4], ["Plain", "One", "Two", "Counted"]);
    assert!(
        titles[4].ends_with("1. Parts") && titles[5].ends_with("1.1. One"),
        "{titles:?}"
    );
    assert!(
        titles[7].ends_with("2. Off") && titles[8] == "One",
        "{titles:?}"
    );
}

#[test]
fn a_container_with_a_tag() {
    #[derive(PromptNode)]
    struct Outer {
        #[section]
        rule: Rule,
    }
    /// {text}
    #[derive(PromptNode)]
    #[prompt(tag = "rule", inline, attr(id = self.id))]
    struct Rule {
        id: u8,
        text: &'static str,
    }
    prints(
        &Outer {
            rule: Rule { id: 1, text: "a" },
        },
        &["<rule id=\"1\">a</rule>"],
    );
    prints(&Rule { id: 1, text: "a" }, &["<rule id=\"1\">a</rule>"]);
}

#[test]
fn the_title_of_a_root_is_not_printed() {
    /// Text.
    #[derive(PromptNode)]
    #[prompt(title = "Root", key = "other", description = "What it is for")]
    struct Root;
    prints(&Root, &["Text."]);
    assert_eq!(Root.info().container.key.as_deref(), Some("other"));
    assert_eq!(
        Root.info().container.description.as_deref(),
        Some("What it is for")
    );
}

#[test]
fn summary_suffix_reaches_the_tree_below() {
    #[derive(PromptNode)]
    #[prompt(summary_suffix = "[open {key}: {subsections}]")]
    struct Outer {
        #[section]
        inner: Inner,
    }
    #[derive(PromptNode)]
    struct Inner {
        #[section(summary = "Short.", visibility = Visibility::Summary)]
        parts: Parts,
    }
    prints(
        &Outer {
            inner: Inner { parts: PARTS },
        },
        &[
            "# Inner",
            "",
            "## Parts",
            "",
            "Short.",
            "",
            "[open inner.parts: one, two]",
        ],
    );
}

#[test]
fn tools_belong_to_the_node() {
    /// x
    #[derive(PromptNode)]
    #[prompt(tools = tool("own"))]
    struct Tools {
        #[section(tools = [tool("one"), tool("two")])]
        child: (),
        #[section(tools = tool("never"), when = false)]
        hidden: (),
    }
    fn tool(name: &str) -> ToolSpec {
        ToolSpec::closed(name, "").unwrap()
    }
    let rendered = Tools {
        child: (),
        hidden: (),
    }
    .prompt()
    .render()
    .unwrap();
    let names: Vec<&str> = rendered.tools().iter().map(|tool| tool.name()).collect();
    assert_eq!(names, ["own", "one", "two"]);
}

#[test]
fn allow_switches_a_rule_off() {
    /// ## Sub
    ///
    /// # Above
    ///
    /// ### Skips
    #[derive(PromptNode)]
    #[prompt(allow(heading_above_top, skipped_level))]
    struct Allowed;
    prints(&Allowed, &["## Sub", "", "# Above", "", "### Skips"]);
}

#[test]
fn xml_ends_with_a_line_break() {
    #[derive(PromptNode)]
    struct Xml {
        #[section]
        text: &'static str,
    }
    assert_eq!(
        Xml { text: "a" }.prompt().style(Style::Xml).text().unwrap(),
        "<text>\na\n</text>\n"
    );
    assert_eq!(
        Xml { text: "" }.prompt().style(Style::Xml).text().unwrap(),
        ""
    );
}
