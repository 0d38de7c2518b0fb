//! A wording is checked like the doc comments in whose place its texts come, and the file with all texts of a type reads back.

use prompt_core::dynamic::{DynamicNode, Wordings, with_text};
use prompt_core::{Code, Markdown, PromptNode};
use std::{collections::BTreeMap, sync::Arc};

/// You help the people of {team}.{?page} Page {page}.{/page}
///
/// On call now:
///
/// {lead}
///
/// {*shifts as shift}
/// {shift.day}: {shift.who}{?shift.phone} ({shift.phone}){/shift.phone}{?!last};{/last}
/// {/shifts}
#[derive(PromptNode)]
#[prompt(deny(doubled_braces), description = "A desk.")]
struct Desk {
    team: String,
    page: Option<String>,
    shifts: Vec<Shift>,
    #[section]
    lead: Option<Lead>,
    /// How bad it is, \"at least\" \\ `so`:
    #[section(
        title = "Severity of {team}",
        visibility = "summary",
        summary = "It is bad."
    )]
    severity: Severity,
    #[section(item_title = "{index}. {item.name}")]
    services: Vec<Service>,
    #[section(empty = "Nothing is known.", untitled)]
    notes: Vec<String>,
    #[section]
    runbooks: BTreeMap<String, Runbook>,
    #[section]
    other: Option<Box<dyn PromptNode>>,
    #[section]
    page_of: Markdown,
}

#[derive(Clone)]
struct Shift {
    day: &'static str,
    who: &'static str,
    phone: Option<&'static str>,
}

/// Ask {name} first.
#[derive(PromptNode)]
#[prompt(title = "Lead {name}", summary = "{name} leads.")]
struct Lead {
    name: &'static str,
}

#[derive(PromptNode)]
#[allow(dead_code)]
enum Severity {
    /// Customers cannot pay.
    Major,
    /// It is slow, since {minutes} minutes.
    Minor {
        minutes: u32,
        /// Look at the graphs.
        #[section]
        graphs: (),
    },
    Other(#[section(key = "inner")] Box<Severity>),
}

/// Owner: {owner}.
#[derive(PromptNode)]
#[prompt(title = "Service {name}")]
struct Service {
    name: &'static str,
    owner: &'static str,
    #[section]
    steps: Vec<Severity>,
}

/// Restart it.
///
/// ```sh
/// echo "{{ $1 }}" \n
/// ```
#[derive(PromptNode)]
struct Runbook;

fn desk(is_full: bool) -> Desk {
    let service = |name, owner| Service {
        name,
        owner,
        steps: vec![Severity::Major],
    };
    let shift = |day, who, phone| Shift { day, who, phone };
    Desk {
        team: "payments".into(),
        page: is_full.then(|| "5".to_owned()),
        shifts: vec![shift("Mon", "Ines", Some("1")), shift("Tue", "Bo", None)],
        lead: is_full.then_some(Lead { name: "Ines" }),
        severity: Severity::Minor {
            minutes: 5,
            graphs: (),
        },
        services: match is_full {
            true => vec![service("api", "Ines"), service("web", "Bo")],
            false => vec![],
        },
        notes: vec![],
        runbooks: BTreeMap::from([("DNS".to_owned(), Runbook)]),
        other: is_full.then(|| Box::new(Lead { name: "Bo" }) as Box<dyn PromptNode>),
        page_of: Markdown::from("# x"),
    }
}

fn of(path: &str, text: &str) -> Wordings {
    Wordings::default().text("b", path, text)
}

/// Code, line and column of each fault.
fn faults(path: &str, text: &str) -> Vec<(Code, Option<(usize, usize)>)> {
    let faults = of(path, text).check(&desk(true)).unwrap_err();
    faults.iter().map(|it| (it.code, it.place)).collect()
}

fn printed(path: &str, text: &str) -> String {
    let wordings = of(path, text);
    let desk = desk(true);
    wordings.check(&desk).unwrap();
    let b = wordings.put("b", &desk).unwrap().unwrap();
    b.prompt().text().unwrap()
}

#[test]
fn what_may_be_absent_is_asked_for() {
    let at = |column| vec![(Code::MissingDefault, Some((1, column)))];
    assert_eq!(faults("", "Page {page}."), at(6));
    assert_eq!(faults("", "{?!page}none{else}ok{/page} {page}."), at(29));
    let inside = faults("", "{*shifts as s}\n{s.phone}\n{/shifts}");
    assert_eq!(inside, [(Code::MissingDefault, Some((2, 1)))]);
    assert_eq!(
        printed("", "{?page}Page {page}.{/page}").lines().next(),
        Some("Page 5.")
    );
    let text = "{*shifts as s}\n{?s.phone}{s.phone}{else}{s.who}{/s.phone}\n{/shifts}";
    assert!(printed("", text).starts_with("1\nBo\n"));
}

#[test]
fn every_loop_knows_the_place_of_its_items() {
    let text = "{*shifts as s}\n{index}/{index0} {s.who}{?first} (now){/first}{?last}.{else},{/last}\n{/shifts}";
    assert!(printed("", text).starts_with("1/0 Ines (now),\n2/1 Bo.\n"));
}

/// {*weeks as week}
/// {*week.days as day}
/// {day}
/// {/week.days}
/// {/weeks}
#[derive(PromptNode)]
struct Calendar {
    weeks: Vec<Week>,
}

struct Week {
    days: Vec<&'static str>,
}

#[test]
fn loops_in_loops_know_their_places_too() {
    let week = |days: &[&'static str]| Week {
        days: days.to_vec(),
    };
    let calendar = Calendar {
        weeks: vec![week(&["Mon", "Tue"]), week(&["Wed"])],
    };
    let text = "{*weeks as w}\nWeek {index}{?last}, the last{/last}\n{*w.days}\n{index}. {item}{?!last};{/last}\n{/w.days}\n{/weeks}";
    let b = with_text(&calendar, text).unwrap();
    let wanted = "Week 1\n1. Mon;\n2. Tue\nWeek 2, the last\n1. Wed";
    assert_eq!(b.prompt().text().unwrap(), wanted);
    // Also where the answers are kept.
    let budget = prompt_core::Budget::tokens(1000);
    assert_eq!(b.prompt().budget(budget).text().unwrap(), wanted);
    let told = with_text(&calendar, "{*weeks}\n{index:>3}\n{/weeks}").unwrap_err();
    assert!(told.to_string().contains("write `{index}`"), "{told}");
}

#[test]
fn rules_that_the_type_denies_or_allows_hold() {
    assert_eq!(faults("", "{{nobody}}")[0].0, Code::DoubledBraces);
    // They are those of the type whose text it is.
    let wordings = of("services.item", "{{owner}} {{nobody}}");
    let hints = wordings.check(&desk(true)).unwrap();
    assert!(
        hints.iter().any(|hint| hint.code == Code::DoubledBraces),
        "{hints:?}"
    );
}

#[test]
fn slips_have_the_codes_of_doc_comments() {
    for (path, text, code) in [
        ("", "{?page}\nx", Code::UnclosedCondition),
        ("", "{*shifts}\nx", Code::UnclosedLoop),
        ("", "{/page}", Code::MismatchedCondition),
        ("", "{ team }", Code::SpacedVariable),
        ("", "{team", Code::UnclosedBrace),
        ("", "{if page}x{endif}", Code::ForeignTemplate),
        ("", "Ask {lead} first.", Code::SlotNotAlone),
        ("", "# Hi\n\n{lead}\n\n{lead}", Code::DuplicateSlot),
        (
            "severity:introduction",
            "{PROMPT_SUBTREE}",
            Code::SlotInSection,
        ),
        ("severity:introduction", "{lead}", Code::UnknownVariable),
        ("severity.Minor", "{team}", Code::UnknownVariable),
        ("severity:title", "{minutes}", Code::UnknownVariable),
        ("services.item:title", "{owner}", Code::UnknownVariable),
        ("notes:title", "Notes", Code::InvalidInput),
        ("services:empty", "None.", Code::InvalidInput),
        ("services:summary", "None.", Code::SummaryMissing),
        ("services.item", " ", Code::InvalidInput),
        ("notes.item", "x", Code::UnknownPath),
        ("services.0", "x", Code::UnknownPath),
        ("severity.Minor.graphs.x", "x", Code::UnknownPath),
        ("severity.Minor:introduction", "x", Code::UnknownPath),
        ("page_of.x", "x", Code::UnknownPath),
        ("lead:titel", "x", Code::UnknownPath),
    ] {
        let found = faults(path, text);
        assert!(
            found.iter().any(|(it, _)| *it == code),
            "{path}: {text}: {found:?}"
        );
    }
}

#[test]
fn what_a_wording_leaves_out_is_told() {
    let hints = |path, text| -> Vec<String> {
        let hints = of(path, text).check(&desk(true)).unwrap();
        let told = hints.into_iter().filter(|it| it.code == Code::WordingDrops);
        told.map(|hint| hint.message).collect()
    };
    // The section `lead` is printed all the same, at the end.
    let told = "the type's text prints `{page}`, `{shift.day}`, `{shift.who}` and `{shift.phone}`, this one does not";
    assert_eq!(hints("", "{team}"), [told]);
    assert_eq!(
        hints("severity.Minor", "Slow."),
        ["the type's text prints `{minutes}`, this one does not"]
    );
    assert_eq!(
        hints("services.item:title", "One"),
        ["the type's text prints `{index}` and `{item.name}`, this one does not"]
    );
    assert_eq!(hints("severity.Major", "They cannot pay."), [""; 0]);
}

/// You are on call with {people}. Log: {log}
#[derive(PromptNode)]
struct Watch {
    #[var(join = ", ", last = " and ", default = "nobody")]
    people: Vec<&'static str>,
    #[var(max = 4, more = " (cut)")]
    log: &'static str,
    #[section(item = "{item}", join = ", ", last = " and ")]
    harbours: Vec<&'static str>,
    #[section]
    inner: Inner,
}

/// By {boats}.
#[derive(PromptNode)]
struct Inner {
    #[var(item = "<{item}>", join = " or ", some = "one of {}")]
    boats: Vec<&'static str>,
}

/// Words that are printed as they stand end their lines as texts do, whoever writes them.
#[test]
fn words_of_keys_have_line_feeds() {
    let watch = Watch {
        people: vec!["Ines", "Olli", "Runa"],
        log: "All is calm.",
        harbours: vec!["Wick", "Mole", "Quay"],
        inner: Inner { boats: vec![] },
    };
    let wordings = [
        ("people:join", "\r"),
        ("people:last", "\r\n"),
        ("log:more", "..\r."),
        ("harbours:join", "\r\n\r"),
    ];
    let wordings = wordings
        .iter()
        .fold(Wordings::default(), |it, (path, text)| {
            it.text("b", *path, *text)
        });
    let worded = wordings.put("b", &watch).unwrap().unwrap();
    let text = worded.prompt().text().unwrap();
    let wanted = "You are on call with Ines\nOlli\nRuna. Log: All..\n.\n\n# Harbours\n\nWick\n\nMole and Quay";
    assert!(text.starts_with(wanted), "{text}");

    let tree = r#"{"key": "desk", "body": "{people} {log}", "start": "<\r>", "end": "<\r\n>",
        "vars": {"people": {"join": "\r", "last": "\r\n"}, "log": {"max": 1, "more": "\r."}},
        "sections": [{"key": "rules", "untitled": true, "item": "{item}", "join": "\r\n", "last": "\r"}]}"#;
    let three = ["a", "b", "c"];
    let values = serde_json::json!({"people": three, "log": "xy", "rules": three});
    let values = values.as_object().unwrap();
    let node = DynamicNode::from_json_with(tree, values).unwrap();
    assert_eq!(
        node.prompt().text().unwrap(),
        "<\n>a\nb\nc x\n.\n\na\nb\nc<\n>"
    );
}

/// A line end of another system is no change.
#[test]
fn texts_of_the_type_are_unchanged_with_other_line_ends() {
    let watch = Watch {
        people: vec![],
        log: "",
        harbours: vec![],
        inner: Inner { boats: vec![] },
    };
    let skeleton = Wordings::skeleton("all", &watch);
    let all = Wordings::from_toml(&skeleton).unwrap().unchanged(&watch);
    let other = Wordings::from_toml(&skeleton.replace('\n', "\r\n")).unwrap();
    assert_eq!(other.unchanged(&watch), all);
    assert!(all.len() > 5);
}

/// Where a slip leads to no text, the help says what was meant.
#[test]
fn paths_that_are_keys_are_told_as_such() {
    let watch = Watch {
        people: vec![],
        log: "",
        harbours: vec![],
        inner: Inner { boats: vec![] },
    };
    for (file, help) in [
        (
            "[b.texts]\ntext = \"x\"",
            "the text of the type is `text` above `[NAME.texts]`",
        ),
        ("[b.texts]\n\"inner.title\" = \"x\"", "write `inner:title`"),
    ] {
        let faults = Wordings::from_toml(file)
            .unwrap()
            .check(&watch)
            .unwrap_err();
        assert_eq!(faults.iter().next().unwrap().help, help);
    }
    for (file, help) in [
        (
            "text = \"x\"",
            "write `[NAME]` and below it `text = \"..\"`",
        ),
        (
            "[texts]\ninner = \"x\"",
            "other texts stand below `[NAME.texts]`",
        ),
    ] {
        let faults = Wordings::from_toml(file).unwrap_err();
        let told = &faults.iter().next().unwrap().help;
        assert!(told.contains(help), "{told}");
    }
}

/// What the syntax of a file says is no more than what the type says.
#[test]
fn the_end_of_nothing_is_text_in_a_title() {
    let title = Wordings::default().text("b", "harbours:title", "Here{/page}");
    assert_eq!(title.check_syntax().unwrap(), []);
    let unclosed = Wordings::default().text("b", "harbours:title", "Here{?page}");
    assert!(unclosed.check_syntax().is_err());
}

/// What the derive refuses in the words of a key a wording cannot say either.
#[test]
fn words_of_keys_take_no_values() {
    let watch = Watch {
        people: vec![],
        log: "",
        harbours: vec![],
        inner: Inner { boats: vec![] },
    };
    for (path, text, fact) in [
        (
            "people:join",
            " {log} ",
            "`join` takes no values: `{log}` would be printed as it stands",
        ),
        (
            "people:default",
            " ",
            "`default` is white space, which goes where it stands alone",
        ),
    ] {
        let wrong = Wordings::default().text("b", path, text);
        let faults = wrong.check(&watch).unwrap_err();
        assert_eq!(faults.iter().next().unwrap().message, fact);
        assert!(wrong.put("b", &watch).is_err(), "{path}");
    }
    let braces = Wordings::default().text("b", "people:join", " {or} ");
    assert_eq!(braces.check(&watch).unwrap(), []);
}

/// What keys of values say is put into other words as texts are.
#[test]
fn words_of_keys_have_paths() {
    let watch = |people| Watch {
        people,
        log: "All is calm.",
        harbours: vec!["Wick", "Mole"],
        inner: Inner {
            boats: vec!["Tern", "Heron"],
        },
    };
    let german = [
        ("people:join", "; "),
        ("people:last", " und "),
        ("people:default", "niemand"),
        ("log:more", " (gekürzt)"),
        ("harbours:last", " sowie "),
        ("inner.boats:join", " oder "),
    ];
    let wordings = german.iter().fold(Wordings::default(), |it, (path, text)| {
        it.text("de", *path, *text)
    });
    let full = watch(vec!["Ines", "Olli", "Runa"]);
    assert_eq!(wordings.check(&full).unwrap(), []);
    assert_eq!(
        wordings
            .put("de", &full)
            .unwrap()
            .unwrap()
            .prompt()
            .text()
            .unwrap(),
        "You are on call with Ines; Olli und Runa. Log: All (gekürzt)\n\n# Harbours\n\nWick sowie Mole\n\n\
         # Inner\n\nBy one of <Tern> oder <Heron>."
    );
    let alone = watch(vec![]);
    let text = wordings
        .put("de", &alone)
        .unwrap()
        .unwrap()
        .prompt()
        .text()
        .unwrap();
    assert!(text.starts_with("You are on call with niemand."), "{text}");
    // With another text, too, in whatever order.
    let both = [("people:last", " und "), ("", "Mit {people}. {log}")];
    for [first, second] in [both, [both[1], both[0]]] {
        let wordings = Wordings::default()
            .text("de", first.0, first.1)
            .text("de", second.0, second.1);
        let put = wordings.put("de", &full).unwrap().unwrap();
        let text = put.prompt().text().unwrap();
        let wanted = "Mit Ines, Olli und Runa. All (cut)";
        assert!(text.starts_with(wanted), "{text}");
    }

    // The file with all texts has them, and changes nothing.
    let skeleton = Wordings::skeleton("all", &full);
    for line in [
        "\"people:last\" = \" and \"",
        "\"log:more\" = \" (cut)\"",
        "\"harbours:join\" = \", \"",
        "\"inner.boats:join\" = \" or \"",
    ] {
        assert!(skeleton.contains(line), "{line}\n{skeleton}");
    }
    let all = Wordings::from_toml(&skeleton).unwrap();
    assert_eq!(
        (all.check(&full).unwrap(), all.missing(&full)),
        (vec![], vec![])
    );
    assert_eq!(
        all.put("all", &full)
            .unwrap()
            .unwrap()
            .prompt()
            .text()
            .unwrap(),
        full.prompt().text().unwrap()
    );

    for (path, fact) in [
        ("people:more", "`people` has no `more`"),
        ("harbours:default", "`harbours` has no `default`"),
        ("inner.boats:last", "`inner.boats` has no `last`"),
        ("nobody:join", "`nobody` has no `join`"),
        ("inner:join", "`inner` has no `join`"),
        (":join", "`:join` is of no value"),
    ] {
        let wrong = Wordings::default().text("de", path, "x");
        let faults = wrong.check(&full).unwrap_err();
        assert_eq!(faults.code(), Code::UnknownPath, "{path}");
        assert!(faults.to_string().contains(fact), "{faults}");
    }
}

/// Answer in the order of the queue.
///
/// {tickets}
#[derive(PromptNode)]
struct Queue {
    #[section(untitled)]
    tickets: Tickets,
}

#[derive(PromptNode)]
enum Tickets {
    /// One ticket waits.
    One,
    /// {count} tickets wait.
    Few { count: u32 },
    /// {count} tickets wait.
    Many { count: u32 },
}

/// A language with more plurals than English has a variant for each, as the guide says.
#[test]
fn plurals_are_variants() {
    let polish = Wordings::default()
        .text("pl", "", "Odpowiadaj po kolei.\n\n{tickets}")
        .text("pl", "tickets.One", "Czeka jedno zgłoszenie.")
        .text("pl", "tickets.Few", "Czekają {count} zgłoszenia.")
        .text("pl", "tickets.Many", "Czeka {count} zgłoszeń.");
    for (tickets, wanted) in [
        (Tickets::One, "Czeka jedno zgłoszenie."),
        (Tickets::Few { count: 3 }, "Czekają 3 zgłoszenia."),
        (Tickets::Many { count: 5 }, "Czeka 5 zgłoszeń."),
    ] {
        let queue = Queue { tickets };
        assert_eq!(polish.check(&queue).unwrap(), []);
        let put = polish.put("pl", &queue).unwrap().unwrap();
        assert_eq!(
            put.prompt().text().unwrap(),
            format!("Odpowiadaj po kolei.\n\n{wanted}")
        );
    }
}

#[test]
fn titles_items_and_other_texts_have_paths() {
    for (path, text, wanted) in [
        (
            "lead:title",
            "First {name}",
            "# First Ines\n\nAsk Ines first.",
        ),
        ("severity:title", "How bad", "# How bad\n\nIt is bad."),
        (
            "severity:summary",
            "Bad for {team}.",
            "\n\nBad for payments.",
        ),
        ("services:title", "What runs", "# What runs\n\n"),
        (
            "services",
            "All of {team}:",
            "# Services\n\nAll of payments:\n\n## 1. api",
        ),
        ("services.item", "{owner} knows.", "## 2. web\n\nBo knows."),
        (
            "services.item:title",
            "{item.name} ({index})",
            "## web (2)\n\nOwner: Bo.",
        ),
        (
            "services.item.steps:title",
            "What to do",
            "### What to do\n\n",
        ),
        ("services.item.steps.item.Major", "Hurry.", "Hurry."),
        (
            "notes:empty",
            "Nothing for {team}.",
            "Nothing for payments.",
        ),
        (
            "runbooks.item",
            "Do not restart it.",
            "## DNS\n\nDo not restart it.",
        ),
        ("other", "{name}!", "# Lead Bo\n\nBo!"),
        ("page_of:title", "Text", "# Text\n\n"),
    ] {
        let text = printed(path, text);
        assert!(text.contains(wanted), "{path}\n{text}");
    }
}

#[test]
fn what_is_absent_is_checked_where_its_type_is_known() {
    let check = |path, text| {
        let faults = of(path, text).check(&desk(false));
        faults.map(drop).map_err(|faults| faults.to_string())
    };
    assert!(
        check("lead", "{nobody}")
            .unwrap_err()
            .contains("unknown variable `nobody`")
    );
    assert!(
        check("services.item", "{nobody}")
            .unwrap_err()
            .contains("unknown variable")
    );
    check("lead", "{name}").unwrap();
    // Of a trait object nothing is known: the check says so, a call in production goes on.
    assert!(
        check("other", "{name}")
            .unwrap_err()
            .contains("check with a value that has it")
    );
    assert!(of("other", "{name}").put("b", &desk(false)).is_ok());
}

#[test]
fn a_wording_goes_over_another_one() {
    let desk = desk(true);
    let first = of("services.item", "{owner} knows.").text("b", "", "You help {team}.");
    let first = first.put("b", &desk).unwrap().unwrap();
    let second = of("services.item.steps:title", "Do").text("b", "severity.Major", "Hurry.");
    let both = second.put("b", &first).unwrap().unwrap();
    let text = both.prompt().text().unwrap();
    assert!(text.starts_with("You help payments."), "{text}");
    assert!(text.contains("Ines knows.\n\n### Do"), "{text}");
}

#[test]
fn a_tree_that_is_built_at_run_time_is_reworded_too() {
    let page = DynamicNode::builder("page").body("Hello {name}.").embed(
        "lead",
        Arc::new(with_text(Lead { name: "Ines" }, "{name}.").unwrap()),
    );
    let page = page
        .build_with(serde_json::json!({ "name": "Ada" }))
        .unwrap();
    let wordings = of("", "Hi {name}.").text("b", "lead", "Again {name}.");
    let b = wordings.put("b", &page).unwrap().unwrap();
    assert_eq!(
        b.prompt().text().unwrap(),
        "Hi Ada.\n\n# Lead Ines\n\nAgain Ines."
    );
}

#[test]
fn the_file_with_all_texts_reads_back_and_changes_nothing() {
    let file = Wordings::skeleton("own", &desk(true));
    let wordings = Wordings::from_toml(&file).unwrap_or_else(|faults| panic!("{faults}\n{file}"));
    assert_eq!(wordings.check_syntax().unwrap(), []);
    for is_full in [true, false] {
        let desk = desk(is_full);
        if is_full {
            let hints = wordings
                .check(&desk)
                .unwrap_or_else(|faults| panic!("{faults}\n{file}"));
            assert_eq!(hints, [], "{file}");
        }
        let same = wordings.put("own", &desk).unwrap().unwrap();
        for style in [prompt_core::Style::Markdown, prompt_core::Style::Xml] {
            let own = desk.prompt().style(style).text().unwrap();
            assert_eq!(same.prompt().style(style).text().unwrap(), own);
        }
    }
    let paths: Vec<&str> = file
        .lines()
        .filter_map(|line| line.strip_prefix('"')?.split('"').next())
        .collect();
    assert_eq!(
        paths,
        [
            "lead:title",
            "lead:summary",
            "lead",
            "severity:title",
            "severity:introduction",
            "severity:summary",
            "severity.Major",
            "severity.Minor",
            "severity.Minor.graphs:title",
            "severity.Minor.graphs",
            "severity.Other.inner:title",
            "services:title",
            "services.item:title",
            "services.item",
            "services.item.steps:title",
            "services.item.steps.item.Major",
            "services.item.steps.item.Minor",
            "services.item.steps.item.Minor.graphs:title",
            "services.item.steps.item.Minor.graphs",
            "services.item.steps.item.Other.inner:title",
            "notes:empty",
            "runbooks:title",
            "runbooks.item",
            "other:title",
            "other:summary",
            "other",
            "page_of:title",
        ],
        "{file}"
    );
}

#[test]
fn syntax_is_told_without_the_type() {
    let file = "[a]\ntext = \"{?x}\\na\"\n[a.texts]\n\"b:title\" = \"{x\"\n\"c:tittle\" = \"x\"\n";
    let wordings = Wordings::from_toml(file).unwrap();
    let faults = wordings.check_syntax().unwrap_err();
    let told: Vec<_> = faults.iter().map(|it| (it.code, it.line)).collect();
    assert_eq!(
        told,
        [
            (Code::UnclosedCondition, Some(2)),
            (Code::UnclosedBrace, Some(4)),
            (Code::UnknownPath, Some(5)),
        ],
        "{faults}"
    );
    assert!(
        Wordings::from_toml("[a.texts]\nb = \"{x} {?y}z{/y}\"")
            .unwrap()
            .check_syntax()
            .is_ok()
    );
}

#[test]
fn sections_that_are_alike_are_told_apart_in_a_tree_of_run_time() {
    let tree = r#"{ "key": "root", "sections": [
        { "key": "a", "sections": [{ "key": "a", "sections": [{ "key": "a", "body": "Deep." }] }] }
    ] }"#;
    let node = DynamicNode::from_json_with(tree, serde_json::json!({})).unwrap();
    let file = Wordings::skeleton("own", &node);
    assert!(file.contains("\"a.a.a\" = \"Deep.\""), "{file}");
}
