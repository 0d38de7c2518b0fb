//! Loops, paths through an `Option`, and values that are cut to size, in derived types.

use prompt_core::PromptNode;
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
        list: vec!["a", "bcd"],
    };
    assert_eq!(cut.prompt().text().unwrap(), "äbc|ab ..|(grö…)|<a>,<bc+|ÄB");
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
