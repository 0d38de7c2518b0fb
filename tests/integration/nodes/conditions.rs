//! Conditions: `{?name}`, `{?!name}`, `{else}`, `{/name}`.

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
    #[prompt(template = "{?on}a\nb `{?off}` `{/off}` `{?}` {?1}")]
    struct Elsewhere {
        on: bool,
    }
    let text = "b `{?off}` `{/off}` `{?}` {?1}";
    prints(&Elsewhere { on: false }, &[text]);
    prints(&Elsewhere { on: true }, &["a", text]);
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

/// Sail{?wind} with {wind}{else} not{/wind}{?!crew} alone{/crew}.
///
/// {?crew}
/// ## Crew
/// {crew}
/// {else}
/// Nobody is on board.
/// {/crew}
#[derive(PromptNode)]
struct Boat {
    wind: Option<&'static str>,
    #[var(item = "{index0}. {item}")]
    crew: Vec<&'static str>,
}

#[test]
fn branches_in_a_line_and_around_blocks() {
    let boat = Boat {
        wind: Some("wind"),
        crew: vec!["Ada", "Bo"],
    };
    prints(
        &boat,
        &["Sail with wind.", "", "## Crew", "0. Ada", "1. Bo"],
    );
    let boat = Boat {
        wind: None,
        crew: vec![],
    };
    prints(&boat, &["Sail not alone.", "", "Nobody is on board."]);
}

#[test]
fn an_option_behind_its_condition_needs_no_default() {
    struct Config {
        note: Option<&'static str>,
        plain: &'static str,
    }

    /// {?note}Note: {note:>4}
    /// {?config.note}Config: {config.note}{?config.plain}, {config.plain}{/config.plain}
    /// {?named}Named: {named}
    #[derive(PromptNode)]
    #[prompt(vars(named = self.note))]
    struct Freed {
        note: Option<&'static str>,
        config: Config,
    }
    let note = Some("x");
    let config = Config { note, plain: "y" };
    prints(
        &Freed { note, config },
        &["Note:    x", "Config: x, y", "Named: x"],
    );
    let (note, plain) = (None, "");
    let config = Config { note, plain };
    prints(&Freed { note, config }, &[""]);
}

#[test]
fn an_item_asks_about_itself_and_its_node() {
    struct Station {
        name: &'static str,
        note: Option<&'static str>,
    }

    /// {stations}
    #[derive(PromptNode)]
    struct Stations {
        #[var(item = "- {item.name}{?item.note} ({item.note}){/item.note}{?loud}!{else}.{/loud}")]
        stations: Vec<Station>,
        loud: bool,
        #[section(
            item_title = "{item.name}{?item.note}, {item.note}{/item.note}",
            item = "{?item.note}Noted.{else}Nothing.{/item.note}"
        )]
        more: Vec<Station>,
    }
    let stations = || {
        vec![
            Station {
                name: "Tern",
                note: Some("empty"),
            },
            Station {
                name: "Gull",
                note: None,
            },
        ]
    };
    let node = Stations {
        stations: stations(),
        loud: false,
        more: stations(),
    };
    prints(
        &node,
        &[
            "- Tern (empty).",
            "- Gull.",
            "",
            "# More",
            "",
            "## Tern, empty",
            "",
            "Noted.",
            "",
            "## Gull",
            "",
            "Nothing.",
        ],
    );
}

#[test]
fn a_condition_asks_whether_a_section_prints() {
    /// {?rules}See the rules.{else}There are no rules.{/rules}
    #[derive(PromptNode)]
    struct Asks {
        #[section]
        rules: Vec<&'static str>,
        #[section(when = false)]
        never: (),
        /// {?never}Never.{else}Always.{/never}
        #[section]
        end: (),
    }
    let some = Asks {
        rules: vec!["one"],
        never: (),
        end: (),
    };
    prints(
        &some,
        &[
            "See the rules.",
            "",
            "# Rules",
            "",
            "- one",
            "",
            "# End",
            "",
            "Always.",
        ],
    );
    let none = Asks {
        rules: vec![],
        ..some
    };
    prints(&none, &["There are no rules.", "", "# End", "", "Always."]);
}

#[test]
fn in_a_loop_both_branches_are_there_for_a_budget() {
    use prompt_core::Budget;
    struct Ship {
        name: &'static str,
        home: &'static str,
    }
    /// {*ships as ship}
    /// - {?notes}See the notes on {ship.name}.{else}One from {ship.home}.{/notes}
    /// {/ships}
    #[derive(PromptNode)]
    struct Ships {
        ships: Vec<Ship>,
        #[section(priority = 1)]
        notes: &'static str,
    }
    let ship = |name, home| Ship { name, home };
    let ships = Ships {
        ships: vec![ship("Tern", "Hull"), ship("Gull", "Leith")],
        notes: "They are old, and leak in many places, as old ships do.",
    };
    let words = |text: &str| text.split_whitespace().count();
    let print = |limit| {
        let budget = Budget::tokens(limit).counter(&words);
        let prompt = ships.prompt().budget(budget).render().unwrap();
        prompt.into_string()
    };
    let whole = print(100);
    assert!(whole.starts_with("- See the notes on Tern.\n- See the notes on Gull.\n\n# Notes"));
    assert_eq!(print(12), "- One from Hull.\n- One from Leith.");
}

#[test]
fn every_template_sees_conditions() {
    #[derive(PromptNode)]
    #[prompt(
        template = "{maybe}{list}{flag}",
        vars(shout = self.flag),
        end = ""
    )]
    struct Templates {
        #[var(some = "<{}{?flag}!{/flag}>", default = "{?flag}none{else}nil{/flag}")]
        maybe: Option<&'static str>,
        #[var(some = "[{}]", join = "+", default = "{?!flag}empty{/flag}")]
        list: Vec<u8>,
        #[var(yes = "{?maybe}on{/maybe}", no = "off{?!maybe} {list}{/maybe}")]
        flag: bool,
        #[section(
            title = "{?shout}LOUD{else}quiet{/shout}",
            empty = "{?flag}nobody{/flag}"
        )]
        section: Option<&'static str>,
    }
    let node = Templates {
        maybe: Some("x"),
        list: vec![1, 2],
        flag: true,
        section: None,
    };
    prints(&node, &["<x!>[1+2]on", "", "# LOUD", "", "nobody"]);
    let node = Templates {
        maybe: None,
        list: vec![],
        flag: false,
        section: Some("y"),
    };
    prints(&node, &["nilemptyoff empty", "", "# quiet", "", "y"]);
}
