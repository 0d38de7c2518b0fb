//! Loops, paths through an `Option`, and values that are cut to size, in derived types.

use prompt_core::dynamic::with_text;
use prompt_core::{DynamicNode, PromptNode};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
struct Dock {
    name: String,
    boats: Vec<Boat>,
    depth: Option<u8>,
}

#[derive(Default)]
struct Boat {
    name: &'static str,
    mate: Option<Mate>,
    holds: Option<Vec<&'static str>>,
}

#[derive(Default)]
struct Mate {
    name: &'static str,
    languages: Vec<&'static str>,
}

fn docks() -> Vec<Dock> {
    let mate = Mate {
        name: "Ines",
        languages: vec!["en", "pt"],
    };
    let boats = vec![
        Boat {
            name: "Heron",
            mate: Some(mate),
            holds: Some(vec!["salt", "rope"]),
        },
        Boat {
            name: "Gull",
            ..Boat::default()
        },
    ];
    vec![
        Dock {
            name: "North".into(),
            boats,
            depth: Some(4),
        },
        Dock {
            name: "Mole".into(),
            ..Dock::default()
        },
    ]
}

/// Docks of {town}: {*docks}{item.name}{?!last}, {/last}{/docks}.
///
/// {*docks as dock}
/// ## {index}. {dock.name}{?dock.depth}, {dock.depth} m{/dock.depth}
///
/// - {*dock.boats as boat}{boat.name} at {dock.name} in {town}{?boat.mate}, {boat.mate.name}{*boat.mate.languages} {item}{/boat.mate.languages}{/boat.mate}
///
/// {*dock.boats}
/// {?item.holds}
/// {item.name} of {index0}: {*item.holds as hold}{hold}{?!last} and {/last}{/item.holds}
/// {/item.holds}
/// {else}
/// Empty.
/// {/dock.boats}
///
/// {else}
/// No docks.
/// {/docks}
/// End.
#[derive(PromptNode)]
struct Harbour {
    town: &'static str,
    docks: Vec<Dock>,
}

#[test]
fn loops_nest_and_see_what_is_around() {
    let mut harbour = Harbour {
        town: "Kar",
        docks: docks(),
    };
    let expected = "Docks of Kar: North, Mole.\n\n\
        ## 1. North, 4 m\n\n\
        - Heron at North in Kar, Ines en pt\n- Gull at North in Kar\n\n\
        Heron of 0: salt and rope\n\n\
        ## 2. Mole\n\n\
        Empty.\n\
        End.";
    assert_eq!(harbour.prompt().text().unwrap(), expected);
    harbour.docks.clear();
    let text = harbour.prompt().text().unwrap();
    assert_eq!(text, "Docks of Kar: .\n\nNo docks.\nEnd.");
}

#[derive(serde::Serialize)]
struct Task {
    name: &'static str,
    checks: Vec<&'static str>,
    call: BTreeMap<&'static str, u8>,
}

/// {*steps as step}
/// {step.index}. {step.name} {step.call:json}
/// {*step.checks as check}
/// {step.index}.{index} {check:json} ({step.index0:>2})
/// {/step.checks}
/// {/steps}
#[derive(PromptNode)]
struct Runbook {
    steps: Vec<Task>,
}

#[test]
fn an_item_prints_as_json_and_the_number_of_an_outer_loop_has_its_name() {
    let step = |name, checks| Task {
        name,
        checks,
        call: BTreeMap::from([("b", 1), ("a", 2)]),
    };
    let steps = vec![step("Open", vec!["lid", "\"seal\""]), step("Close", vec![])];
    let text = include_str!("loops.rs").lines();
    let text = text.skip_while(|line| !line.starts_with("/// {*steps"));
    let text = text.map_while(|line| line.strip_prefix("/// "));
    let text = text.collect::<Vec<_>>().join("\n");
    let expected = "1. Open {\"a\":2,\"b\":1}\n1.1 \"lid\" ( 0)\n1.2 \"\\\"seal\\\"\" ( 0)\n\
        2. Close {\"a\":2,\"b\":1}";
    let values = serde_json::json!({ "steps": &steps });
    let at_run_time = DynamicNode::builder("a").body(&*text).build_with(&values);
    let typed = Runbook { steps };
    assert_eq!(typed.prompt().text().unwrap(), expected);
    let at_run_time = at_run_time.unwrap();
    assert_eq!(at_run_time.prompt().text().unwrap(), expected);
    let reworded = with_text(typed, &text).unwrap();
    assert_eq!(reworded.prompt().text().unwrap(), expected);
}

#[test]
fn a_condition_asks_a_text_as_trim_prints_it() {
    /// A
    /// {?text}
    /// {text}
    /// {/text}
    /// {?!maybe}none
    /// {?!named}none
    /// {?boxed}{boxed}
    #[derive(PromptNode)]
    #[prompt(vars(named = format!("{}\n", self.text), { trim }))]
    struct Asked<'a> {
        #[var(trim)]
        text: &'a str,
        #[var(trim, default = "")]
        maybe: Option<std::borrow::Cow<'a, str>>,
        #[var(trim)]
        boxed: Box<str>,
    }
    let asked = |text: &'static str| Asked {
        text,
        maybe: Some(text.into()),
        boxed: text.into(),
    };
    assert_eq!(asked(" \n").prompt().text().unwrap(), "A\nnone\nnone");
    assert_eq!(asked(" b ").prompt().text().unwrap(), "A\nb\nb");
    let tree =
        serde_json::json!({ "body": "A\n{?x}\n{x}\n{/x}\nB", "vars": { "x": { "trim": true } } });
    let print = |x: &str| {
        let values = serde_json::json!({ "x": x });
        let node = DynamicNode::from_json_with(&tree.to_string(), &values).unwrap();
        node.prompt().text().unwrap()
    };
    assert_eq!([print(" \n"), print(" b ")], ["A\nB", "A\nb\nB"]);
}

/// {*map}{item.0}={item.1};{/map} {*set}{index}{item}{/set} {*array as pair}{pair.0}{?pair.1}!{/pair.1}{/array}
/// {*maybe}{item}{else}none{/maybe} {*boxed}<{item:>3}>{/boxed} {*optional}{?item}{item}{else}-{/item}{/optional}
#[derive(PromptNode)]
struct Lists<'a> {
    map: BTreeMap<&'static str, u8>,
    set: BTreeSet<char>,
    array: [(u8, bool); 2],
    maybe: Option<Vec<u8>>,
    boxed: Box<[u8]>,
    optional: &'a [Option<u8>],
}

#[test]
fn every_list_can_be_gone_through() {
    let mut lists = Lists {
        map: BTreeMap::from([("b", 2), ("a", 1)]),
        set: BTreeSet::from(['x', 'y']),
        array: [(1, true), (2, false)],
        maybe: Some(vec![7, 8]),
        boxed: Box::new([9]),
        optional: &[Some(1), None],
    };
    let text = lists.prompt().text().unwrap();
    assert_eq!(text, "a=1;b=2; 1x2y 1!2\n78 <  9> 1-");
    lists.maybe = None;
    assert!(lists.prompt().text().unwrap().contains("\nnone "));
}

/// {list}
#[derive(PromptNode)]
struct Templates {
    #[var(
        item = "{index}. {item.name}{*item.boats as boat} [{boat.name}{?!last},{/last}]{/item.boats}",
        join = "\n"
    )]
    list: Vec<Dock>,
    #[section(
        item_title = "{item.name}: {*item.boats}{item.name}{?!last}, {/last}{else}none{/item.boats}",
        item = "{item.name}"
    )]
    docks: Vec<Dock>,
}

#[test]
fn templates_have_loops_too() {
    let templates = Templates {
        list: docks(),
        docks: docks(),
    };
    assert_eq!(
        templates.prompt().text().unwrap(),
        "1. North [Heron,] [Gull]\n2. Mole\n\n# Docks\n\n## North: Heron, Gull\n\nNorth\n\n## Mole: none\n\nMole"
    );
}

#[derive(PromptNode)]
enum Step {
    /// {?boat}{boat.name}{*boat.holds} {item}{/boat.holds}{else}nobody{/boat}: {*works}{index}{item.0}{/works}
    Named {
        boat: Option<Boat>,
        works: Vec<(&'static str, u8)>,
    },
    /// Rest.
    Rest,
}

#[test]
fn variants_loop_over_their_fields() {
    let works = vec![("a", 1), ("b", 2)];
    let boat = docks().remove(0).boats.remove(0);
    let step = Step::Named {
        boat: Some(boat),
        works: works.clone(),
    };
    assert_eq!(step.prompt().text().unwrap(), "Heron salt rope: 1a2b");
    let step = Step::Named { boat: None, works };
    assert_eq!(step.prompt().text().unwrap(), "nobody: 1a2b");
    assert_eq!(Step::Rest.prompt().text().unwrap(), "Rest.");
}

/// {note}|{cut}|{maybe}|{list}|{shout}
#[derive(PromptNode)]
#[prompt(vars(shout = self.note.to_uppercase(), { trim, max = 2 }))]
struct Cut {
    #[var(trim)]
    note: String,
    #[var(max = 4, more = " ..")]
    cut: &'static str,
    #[var(trim, max = 3, more = "…", some = "({})")]
    maybe: Option<&'static str>,
    #[var(item = "<{item}>", join = ",", trim, max = 3, more = "+")]
    list: Vec<&'static str>,
}

#[test]
fn values_are_trimmed_and_cut() {
    let cut = Cut {
        note: " \n äbc \t".into(),
        cut: "ab  cd",
        maybe: Some("  größer "),
        list: vec![" a", "bcde"],
    };
    assert_eq!(
        cut.prompt().text().unwrap(),
        "äbc|ab ..|(grö…)|<a>,<bcd+>|ÄB"
    );
    let cut = Cut {
        cut: "abcd",
        maybe: None,
        list: Vec::new(),
        ..cut
    };
    assert_eq!(cut.prompt().text().unwrap(), "äbc|abcd|||ÄB");
}

/// {names}, {*names}{item}{/names}, {count:03}
#[derive(PromptNode)]
#[prompt(vars(
    names = self.names.iter().map(|name| name.to_uppercase()).collect::<Vec<_>>(), { join = "+" },
    count = self.count + 1,
))]
struct Replaced {
    /// Who is there.
    names: Vec<&'static str>,
    count: u8,
}

#[test]
fn an_entry_of_vars_stands_for_the_field_of_its_name() {
    let replaced = Replaced {
        names: vec!["a", "b"],
        count: 6,
    };
    assert_eq!(replaced.prompt().text().unwrap(), "A+B, AB, 007");
}

/// {*lines}
/// - {item}
/// {/lines}
#[derive(PromptNode)]
struct Long {
    lines: Vec<usize>,
}

#[test]
fn ten_thousand_items_are_ten_thousand_lines() {
    let long = Long {
        lines: (0..10_000).collect(),
    };
    assert_eq!(long.prompt().text().unwrap().lines().count(), 10_000);
}
