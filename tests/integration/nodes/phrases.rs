//! Values of a kind of their own: entries of `vars`, derived types in a sentence, and the keys with numbers.

use super::prints;
use prompt_core::{DynamicNode, PromptNode, Style, Visibility};
use serde::Serialize;

mod limits {
    pub(super) const MAX: u8 = 9;
}

struct Tools {
    shell: &'static str,
    search: &'static str,
}

const TOOLS: Tools = Tools {
    shell: "sh",
    search: "find",
};

#[test]
fn vars_are_expressions_constants_and_lists() {
    /// At most {MAX} calls of `{tools.shell}` or `{TOOLS.search}`: {names} ({short}).
    /// {?many}Many.
    #[derive(PromptNode)]
    #[prompt(vars(
        limits::MAX,
        tools = TOOLS,
        TOOLS,
        names = &self.list, { item = "<{item}>", join = " and " },
        short = self.list, { join = "/", last = "+" },
        many = self.list.len() > 2,
    ))]
    struct Vars {
        list: Vec<&'static str>,
    }
    let list = vec!["a", "b", "c"];
    prints(
        &Vars { list },
        &[
            "At most 9 calls of `sh` or `find`: <a> and <b> and <c> (a/b+c).",
            "Many.",
        ],
    );
}

#[derive(PromptNode)]
enum Mode {
    /// quietly{?twice}, twice{/twice}
    Quiet { twice: bool },
    /// at {volume} percent
    Loud { volume: u8 },
}

#[test]
fn a_derived_type_can_stand_in_a_sentence() {
    /// Speak {mode}, {boxed}{maybe}: {modes}.
    #[derive(PromptNode)]
    struct Speaker {
        mode: Mode,
        boxed: Box<Mode>,
        #[var(some = " or {}")]
        maybe: Option<Mode>,
        #[var(join = "; ")]
        modes: Vec<Mode>,
    }
    let node = Speaker {
        mode: Mode::Quiet { twice: true },
        boxed: Box::new(Mode::Loud { volume: 30 }),
        maybe: Some(Mode::Quiet { twice: false }),
        modes: vec![Mode::Loud { volume: 1 }, Mode::Quiet { twice: false }],
    };
    prints(
        &node,
        &["Speak quietly, twice, at 30 percent or quietly: at 1 percent; quietly."],
    );
}

#[derive(Serialize)]
struct Config {
    limit: u8,
}

#[test]
fn numbers_of_columns_and_blank_lines() {
    /// Config: {config}
    /// Notes: {notes}
    #[derive(PromptNode)]
    #[prompt(start = "Start.\n", end = "\nEnd.", gap = 0)]
    struct Numbers {
        #[var(json = 4)]
        config: Config,
        #[var(hang = 2)]
        notes: &'static str,
        #[section]
        first: &'static str,
        #[section(gap = 2)]
        second: &'static str,
        #[section]
        third: &'static str,
    }
    let node = Numbers {
        config: Config { limit: 3 },
        notes: "a\nb",
        first: "1",
        second: "2",
        third: "3",
    };
    let text = node.prompt().text().unwrap();
    let head = "Start.\nConfig: {\n    \"limit\": 3\n}\nNotes: a\n  b\n";
    assert!(
        text.starts_with(head) && text.ends_with("3\nEnd."),
        "{text}"
    );
    assert!(text.contains("1\n\n\n# Second"), "{text}");
}

#[derive(PromptNode)]
#[prompt(title = "Rule {number}", summary = "Rule {number} in short.")]
struct Rule {
    number: u8,
    /// Text.
    #[section(untitled)]
    text: (),
}

#[test]
fn containers_give_a_summary_and_lists_leave_titles_out() {
    #[derive(PromptNode)]
    struct Rules {
        #[section(visibility = Visibility::Summary)]
        one: Rule,
        #[section(untitled_items, join = "\n")]
        many: Vec<Rule>,
    }
    let rule = |number| Rule { number, text: () };
    let rules = Rules {
        one: rule(1),
        many: vec![rule(2), rule(3)],
    };
    let text = rules.prompt().text().unwrap();
    assert!(text.contains("Rule 1 in short."), "{text}");
    assert!(text.ends_with("# Many\n\nText.\nText."), "{text}");
}

#[test]
fn a_level_holds_in_a_slot_too() {
    /// # Above
    ///
    /// {beside}
    #[derive(PromptNode)]
    struct Beside {
        #[section(level = 1)]
        beside: &'static str,
    }
    prints(
        &Beside { beside: "x" },
        &["# Above", "", "# Beside", "", "x"],
    );
}

fn shout(word: &&'static str) -> String {
    word.to_uppercase()
}

#[test]
fn a_spec_holds_for_what_a_function_returns() {
    /// {word:>6}|{word}
    #[derive(PromptNode)]
    struct Spec {
        #[var(with = shout)]
        word: &'static str,
    }
    prints(&Spec { word: "hi" }, &["    HI|HI"]);
}

#[test]
fn headings_of_a_summary_are_aligned() {
    #[derive(PromptNode)]
    struct Short {
        #[section(
            visibility = "summary",
            summary = "# Head of {who}\n\nText.\n\n## Sub\n\nMore."
        )]
        long: &'static str,
        who: &'static str,
    }
    let node = Short {
        long: "x",
        who: "all",
    };
    let text = node.prompt().text().unwrap();
    let head = "# Long\n\n## Head of all\n\nText.\n\n### Sub\n\nMore.\n";
    assert!(text.starts_with(head), "{text}");

    let long = DynamicNode::builder("long")
        .summary("# Head\n\n## Sub\n\nMore.")
        .visibility(Visibility::Summary)
        .body("x");
    let node = DynamicNode::builder("root").section(long).build().unwrap();
    let text = node.prompt().style(Style::Xml).text().unwrap();
    let head = "<long>\n  <head>\n    <sub>\nMore.\n    </sub>\n  </head>\n";
    assert!(text.starts_with(head), "{text}");
}
