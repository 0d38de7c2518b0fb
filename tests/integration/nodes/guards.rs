//! Line guards: `{?name}` and `{?!name}`.

use super::prints;
use prompt_core::PromptNode;
use std::collections::BTreeMap;

/// A
/// {?on}B {value}
/// {?!on}C
/// D
#[derive(PromptNode)]
struct Lines {
    on: bool,
    value: u8,
}

#[test]
fn a_guard_keeps_or_drops_its_line() {
    prints(&Lines { on: true, value: 1 }, &["A", "B 1", "D"]);
    prints(
        &Lines {
            on: false,
            value: 1,
        },
        &["A", "C", "D"],
    );
}

#[test]
fn what_holds() {
    /// x
    /// {?flag}flag
    /// {?option}option
    /// {?text}text
    /// {?list}list
    /// {?map}map
    /// {?boxed}boxed
    /// {?!reference}no reference
    #[derive(PromptNode)]
    struct Asked<'a> {
        flag: bool,
        option: Option<()>,
        text: String,
        list: Vec<u8>,
        map: BTreeMap<u8, u8>,
        boxed: Box<Option<u8>>,
        reference: &'a str,
    }
    let off = Asked {
        flag: false,
        option: None,
        text: String::new(),
        list: vec![],
        map: BTreeMap::new(),
        boxed: Box::new(None),
        reference: "",
    };
    prints(&off, &["x", "no reference"]);
    let on = Asked {
        flag: true,
        option: Some(()),
        text: "t".into(),
        list: vec![0],
        map: [(0, 0)].into(),
        boxed: Box::new(Some(0)),
        reference: "r",
    };
    prints(
        &on,
        &["x", "flag", "option", "text", "list", "map", "boxed"],
    );
}

#[test]
fn a_guard_stands_behind_the_list_marker() {
    /// - one
    ///   - {?on}two
    /// * {?on}three
    /// 4. {?!on}four
    #[derive(PromptNode)]
    struct Markers {
        on: bool,
    }
    prints(&Markers { on: true }, &["- one", "  - two", "* three"]);
    prints(&Markers { on: false }, &["- one", "4. four"]);
}

#[test]
fn an_emptied_paragraph_takes_its_blank_lines_along() {
    /// One.
    ///
    /// {?on}Two
    /// {?on}and a half.
    ///
    ///
    /// Three.
    #[derive(PromptNode)]
    struct Paragraphs {
        on: bool,
    }
    prints(
        &Paragraphs { on: true },
        &["One.", "", "Two", "and a half.", "", "", "Three."],
    );
    prints(&Paragraphs { on: false }, &["One.", "", "", "Three."]);
}

#[test]
fn an_emptied_first_paragraph_takes_those_after_it() {
    /// {?on}One.
    ///
    /// Two.
    ///
    /// {?on}Three.
    #[derive(PromptNode)]
    struct Ends {
        on: bool,
    }
    prints(&Ends { on: false }, &["Two."]);
    prints(&Ends { on: true }, &["One.", "", "Two.", "", "Three."]);
}

#[test]
fn the_first_and_last_line_of_a_paragraph() {
    /// {?a}A
    /// B
    /// {?c}C
    ///
    /// D
    #[derive(PromptNode)]
    struct Edges {
        a: bool,
        c: bool,
    }
    prints(&Edges { a: true, c: true }, &["A", "B", "C", "", "D"]);
    prints(&Edges { a: false, c: true }, &["B", "C", "", "D"]);
    prints(&Edges { a: true, c: false }, &["A", "B", "", "D"]);
    prints(&Edges { a: false, c: false }, &["B", "", "D"]);
}

#[test]
fn a_dropped_line_takes_its_variables_along() {
    /// {?on}{text} and {text}
    /// {text}
    #[derive(PromptNode)]
    struct Dropped {
        on: bool,
        text: &'static str,
    }
    prints(
        &Dropped {
            on: false,
            text: "x",
        },
        &["x"],
    );
    prints(
        &Dropped {
            on: true,
            text: "x",
        },
        &["x and x", "x"],
    );
}

#[test]
fn under_a_heading() {
    /// # Rules
    /// {?on}- one
    /// - two
    ///
    /// # More
    /// {?on}- three
    ///
    /// # End
    #[derive(PromptNode)]
    struct Headed {
        on: bool,
    }
    prints(
        &Headed { on: true },
        &[
            "# Rules", "- one", "- two", "", "# More", "- three", "", "# End",
        ],
    );
    prints(
        &Headed { on: false },
        &["# Rules", "- two", "", "# More", "", "# End"],
    );
}

#[test]
fn in_code_and_without_a_name_it_is_text() {
    #[derive(PromptNode)]
    #[prompt(template = "{?on}a\nb `{?on}` {?} {?1}")]
    struct Elsewhere {
        on: bool,
    }
    prints(&Elsewhere { on: false }, &["b `{?on}` {?} {?1}"]);
}

#[test]
fn a_slot_after_a_dropped_line_still_takes_its_blank_lines_along() {
    /// A
    /// {?on}B
    ///
    /// {slot}
    /// C
    #[derive(PromptNode)]
    struct Slots {
        on: bool,
        #[section(untitled)]
        slot: Option<&'static str>,
    }
    prints(
        &Slots {
            on: false,
            slot: None,
        },
        &["A", "C"],
    );
    prints(
        &Slots {
            on: true,
            slot: None,
        },
        &["A", "B", "C"],
    );
    prints(
        &Slots {
            on: false,
            slot: Some("x"),
        },
        &["A", "", "x", "C"],
    );
    prints(
        &Slots {
            on: true,
            slot: Some("x"),
        },
        &["A", "B", "", "x", "C"],
    );
}
