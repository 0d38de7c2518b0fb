//! Other texts for a derived type, by path: what they change, and all that can be wrong with them.

use prompt_core::dynamic::{Wordings, with_text};
use prompt_core::{Code, Disclosure, Overrides, PromptNode};
use std::cell::Cell;

/// You answer customers of {shop}.
///
/// ## How to work
///
/// {PROMPT_SUBTREE}
#[derive(PromptNode)]
struct Clerk {
    shop: &'static str,
    vip: bool,
    /// What the shop promises to all {?vip}important {/vip}customers:
    #[section(
        visibility = "summary",
        summary = "What {shop} promises.",
        title = "Policy"
    )]
    policy: Policy,
    /// Never shout.
    #[section]
    tone: (),
    /// Only for you.
    #[section(when = self.vip)]
    bonus: Bonus,
    /// The goods:
    #[section]
    goods: Vec<Good>,
}

/// Nothing is promised by {name}.
#[derive(PromptNode)]
struct Policy {
    name: &'static str,
    days: u32,
    price: f32,
    /// Goods come back within {days} days, for {price:.2} EUR.
    #[section]
    returns: (),
    #[section]
    more: Deeper,
}

/// Deep words.
#[derive(PromptNode)]
struct Deeper;

/// A bonus of {percent} %.
#[derive(PromptNode)]
struct Bonus {
    percent: u8,
}

/// One good: {name}.
#[derive(PromptNode)]
#[prompt(title = "{name}")]
struct Good {
    name: &'static str,
}

fn clerk(vip: bool) -> Clerk {
    Clerk {
        shop: "Heron",
        vip,
        policy: Policy {
            name: "Heron",
            days: 14,
            price: 2.5,
            returns: (),
            more: Deeper,
        },
        tone: (),
        bonus: Bonus { percent: 5 },
        goods: vec![Good { name: "Lamp" }, Good { name: "Chair" }],
    }
}

fn open(node: &impl PromptNode) -> String {
    let mut overrides = Overrides::default();
    overrides.open("policy");
    node.prompt().overrides(&overrides).text().unwrap()
}

#[test]
fn texts_of_sections_and_child_types_are_exchanged_by_path() {
    let texts = Wordings::default()
        .text("b", "", "Serve {shop}.\n\n{PROMPT_SUBTREE}")
        .text("b", "policy", "What {name} says holds.")
        .text(
            "b",
            "policy:introduction",
            "To {?vip}our best{else}all{/vip}:",
        )
        .text("b", "policy:summary", "In short, {shop} promises much.")
        .text(
            "b",
            "policy.returns",
            "You have {days} days ({price:.2} EUR).",
        )
        .text("b", "policy.more", "Deeper words.")
        .text("b", "tone", "Whisper.")
        .text("b", "goods", "What we have:");
    let clerk = clerk(false);
    let b = texts.put("b", &clerk).unwrap().unwrap();
    assert_eq!(
        open(&b),
        "Serve Heron.\n\n# Policy\n\nTo all:\n\nWhat Heron says holds.\n\n## Returns\n\nYou have 14 days (2.50 EUR).\n\n\
         ## More\n\nDeeper words.\n\n# Tone\n\nWhisper.\n\n# Goods\n\nWhat we have:\n\n## Lamp\n\nOne good: Lamp.\n\n\
         ## Chair\n\nOne good: Chair."
    );
    let closed = b.prompt().text().unwrap();
    assert!(
        closed.contains("# Policy\n\nIn short, Heron promises much.\n"),
        "{closed}"
    );
    // Everything else is that of the node: its keys, its tool, what was not reworded.
    let rendered = b.prompt().render().unwrap();
    assert_eq!(rendered.tools().len(), 1);
    let paths: Vec<String> = b
        .prompt()
        .walk()
        .unwrap()
        .into_iter()
        .map(|leaf| leaf.path.clone())
        .collect();
    let own: Vec<String> = clerk
        .prompt()
        .walk()
        .unwrap()
        .into_iter()
        .map(|leaf| leaf.path.clone())
        .collect();
    assert_eq!(paths, own);
    // In a conversation, too.
    let mut disclosure = Disclosure::new(&b);
    let call = |keys: &str| prompt_core::ToolCall {
        id: "1".into(),
        name: "open_sections".into(),
        arguments: format!("{{\"section_keys\":[\"{keys}\"],\"reason\":\"x\"}}")
            .parse()
            .unwrap(),
    };
    let results = disclosure.handle(&[call("policy")]).unwrap();
    assert!(!results[0].is_error);
    assert!(
        disclosure
            .render()
            .unwrap()
            .as_str()
            .contains("You have 14 days (2.50 EUR).")
    );
}

#[test]
fn the_same_texts_give_the_same_bytes() {
    let texts = Wordings::default()
        .text(
            "b",
            "",
            "You answer customers of {shop}.\n\n## How to work\n\n{PROMPT_SUBTREE}",
        )
        .text("b", "policy", "Nothing is promised by {name}.")
        .text(
            "b",
            "policy:introduction",
            "What the shop promises to all {?vip}important {/vip}customers:",
        )
        .text("b", "policy:summary", "What {shop} promises.")
        .text(
            "b",
            "policy.returns",
            "Goods come back within {days} days, for {price:.2} EUR.",
        )
        .text("b", "bonus:introduction", "Only for you.")
        .text("b", "bonus", "A bonus of {percent} %.")
        .text("b", "tone", "Never shout.");
    for vip in [false, true] {
        let clerk = clerk(vip);
        let b = texts.put("b", &clerk).unwrap().unwrap();
        assert_eq!(open(&b), open(&clerk));
        assert_eq!(b.prompt().text().unwrap(), clerk.prompt().text().unwrap());
    }
}

#[test]
fn all_faults_of_all_texts_come_out_at_once_with_their_places() {
    let texts = Wordings::default()
        .text("b", "", "{shopp}\n  {naem}\n{?vipp}x{/vipp}")
        .text("b", "policy.returns", "One.\n{price} {dayz}")
        .text("b", "policy.retruns", "x")
        .text("b", "tone.x", "x")
        .text("b", "goods.lamp", "x")
        .text("b", "tone", "  \n")
        .text("b", "tone:summary", "x")
        .text("b", "tone:tittle", "x");
    let clerk = clerk(true);
    let faults = texts.check(&clerk).unwrap_err();
    let mut told: Vec<_> = faults
        .iter()
        .map(|fault| (fault.path.as_str(), fault.code, fault.place))
        .collect();
    told.sort_by_key(|(path, _, place)| (path.to_owned(), *place));
    assert_eq!(
        told,
        [
            ("", Code::UnknownVariable, Some((1, 1))),
            ("", Code::UnknownVariable, Some((2, 3))),
            ("", Code::UnknownVariable, Some((3, 1))),
            ("goods.lamp", Code::UnknownPath, None),
            ("policy.retruns", Code::UnknownPath, None),
            ("policy.returns", Code::UnknownVariable, Some((2, 1))),
            ("policy.returns", Code::UnknownVariable, Some((2, 9))),
            ("tone", Code::InvalidInput, None),
            ("tone", Code::SummaryMissing, None),
            ("tone", Code::UnknownPath, None),
            ("tone.x", Code::UnknownPath, None),
        ],
        "{faults}"
    );
    let words = faults.to_string();
    for part in [
        "did you mean `policy.returns`?",
        "print it as `{price:.2}`",
        "the text is empty",
        "section `tone` has no summary",
        "`tone:tittle` names no text",
        "text of section `policy.returns`: line 2, column 1: ",
    ] {
        assert!(words.contains(part), "{part}\n{words}");
    }
    // Where nothing is near, what there is is listed.
    let faults = Wordings::default()
        .text("b", "weather", "x")
        .check(&clerk)
        .unwrap_err();
    assert!(
        faults
            .to_string()
            .contains("there are `policy`, `tone`, `bonus`, `goods`"),
        "{faults}"
    );
    let faults = with_text(&clerk, "{zzzzzzzz}").unwrap_err();
    assert!(faults.to_string().contains("`shop`"), "{faults}");
}

const WORDINGS: &str = r#"
[friendly]
text = """
Serve the people of {shop} like neighbours.

{PROMPT_SUBTREE}
"""

[friendly.texts]
"policy.returns" = "You have {days} days."

[short.texts]
tone = "Whisper."
bonus = "{percent} % for you."
"#;

#[test]
fn wordings_in_a_file_are_checked_by_one_call() {
    let wordings = Wordings::from_toml(WORDINGS).unwrap();
    assert_eq!(wordings.names().collect::<Vec<_>>(), ["friendly", "short"]);
    wordings.check(&clerk(true)).unwrap();
    let clerk = clerk(true);
    let short = wordings.put("short", &clerk).unwrap().unwrap();
    assert!(short.prompt().text().unwrap().contains("5 % for you."));
    assert!(wordings.put("long", &clerk).unwrap().is_none());

    let broken = WORDINGS
        .replace("{days}", "{dyas}")
        .replace("{percent}", "{percnt}")
        .replace("{shop}", "{shpo}");
    let faults = Wordings::from_toml(&broken)
        .unwrap()
        .check(&clerk)
        .unwrap_err();
    let places: Vec<_> = faults
        .iter()
        .map(|fault| (fault.line, fault.column))
        .collect();
    assert_eq!(
        places,
        [
            (Some(4), Some(21)),
            (Some(10), Some(30)),
            (Some(14), Some(10))
        ],
        "{faults}"
    );
    assert!(
        faults
            .to_string()
            .starts_with("line 4: text of the root, column 21: "),
        "{faults}"
    );

    let json = serde_json::json!({ "a": { "texts": { "tone": "Whisper." } } }).to_string();
    Wordings::from_json(&json).unwrap().check(&clerk).unwrap();
}

#[test]
fn what_is_no_wording_is_told_with_its_place() {
    let file = "[a]\ntxt = \"x\"\ntext = 5\n[b]\ntexts = \"x\"\n[c.texts]\ntone = 1\n";
    let faults = Wordings::from_toml(file).unwrap_err();
    let lines: Vec<_> = faults.iter().map(|fault| fault.line.unwrap()).collect();
    assert_eq!(lines, [2, 3, 5, 7], "{faults}");
    assert!(faults.to_string().contains("did you mean `text`?"));
    assert!(Wordings::from_toml("").is_err());
    assert!(Wordings::from_toml("a = 1").is_err());
    assert!(Wordings::from_json("[1]").is_err());
}

#[test]
fn hints_of_new_texts_are_lints_of_their_section() {
    let texts = Wordings::default().text("b", "policy.more", "Say {{thing}}.");
    let clerk = clerk(false);
    let lints = texts.put("b", &clerk).unwrap().unwrap().prompt().lint();
    let found = lints.iter().find(|lint| lint.code == Code::DoubledBraces);
    assert_eq!(found.unwrap().path, "policy.more");
}

/// A keeper.
#[derive(PromptNode)]
struct Counted<'c> {
    asked: &'c Cell<usize>,
    #[section(when = { self.asked.set(self.asked.get() + 1); true })]
    inner: Inner,
}

/// {a} {b} {c}
#[derive(PromptNode)]
struct Inner {
    a: u8,
    b: u8,
    c: u8,
}

#[test]
fn what_is_not_reworded_is_asked_once() {
    let asked = Cell::new(0);
    let inner = Inner { a: 1, b: 2, c: 3 };
    let node = Counted {
        asked: &asked,
        inner,
    };
    let own = with_text(&node, "Another.").unwrap();
    asked.set(0);
    own.prompt().text().unwrap();
    assert_eq!(asked.get(), 1);
    // A child with another text, too.
    let texts = Wordings::default().text("b", "inner", "{c}, {b}, {a}");
    let child = texts.put("b", &node).unwrap().unwrap();
    asked.set(0);
    assert_eq!(
        child.prompt().text().unwrap(),
        "A keeper.\n\n# Inner\n\n3, 2, 1"
    );
    assert_eq!(asked.get(), 1);
}

// ---- enums

#[derive(Clone, Copy, PromptNode)]
enum Mode {
    /// careful work
    Careful,
    /// quick work in {minutes} minutes
    Quick { minutes: u8 },
    /// What we do:
    Long {
        #[section]
        steps: Steps,
    },
}

/// Step by step.
#[derive(Clone, Copy, PromptNode)]
#[prompt(title = "All steps")]
struct Steps;

/// You work.
#[derive(PromptNode)]
struct Worker {
    #[section]
    how: Mode,
    #[section]
    other: Option<Mode>,
    #[section]
    history: Vec<Mode>,
}

fn worker(how: Mode) -> Worker {
    Worker {
        how,
        other: None,
        history: vec![],
    }
}

fn faults(wordings: &Wordings, node: &impl PromptNode) -> String {
    wordings.check(node).unwrap_err().to_string()
}

#[test]
fn a_wording_of_a_variant_is_printed_for_that_variant_alone() {
    let wordings = Wordings::default()
        .text("b", "how.Careful", "CAREFUL: look twice.")
        .text("b", "history.item.Careful", "It was careful.")
        .text("b", "how.Long.steps", "One by one.");
    let modes = [
        Mode::Careful,
        Mode::Quick { minutes: 5 },
        Mode::Long { steps: Steps },
    ];
    let texts = modes.map(|how| {
        let node = Worker {
            history: vec![Mode::Quick { minutes: 1 }, Mode::Careful],
            ..worker(how)
        };
        wordings.check(&node).unwrap();
        let b = wordings.put("b", &node).unwrap().unwrap();
        b.prompt().text().unwrap()
    });
    let history =
        "# History\n\n## History 1\n\nquick work in 1 minutes\n\n## History 2\n\nIt was careful.";
    assert_eq!(
        texts,
        [
            format!("You work.\n\n# How\n\nCAREFUL: look twice.\n\n{history}"),
            format!("You work.\n\n# How\n\nquick work in 5 minutes\n\n{history}"),
            format!(
                "You work.\n\n# How\n\nWhat we do:\n\n## All steps\n\nOne by one.\n\n{history}"
            ),
        ]
    );
}

#[test]
fn the_path_of_an_enum_names_its_variants() {
    for (path, help) in [
        (
            "how",
            "name the variant: `how.Careful`, `how.Quick`, `how.Long`",
        ),
        (
            "other",
            "name the variant: `other.Careful`, `other.Quick`, `other.Long`",
        ),
        (
            "history.item",
            "name the variant: `history.item.Careful`, `history.item.Quick`",
        ),
        ("how.Carefull", "did you mean `how.Careful`?"),
        ("how.steps", "name the variant: `how.Long.steps`"),
    ] {
        let wordings = Wordings::default().text("b", path, "x");
        let told = faults(&wordings, &worker(Mode::Careful));
        assert!(told.contains(help), "{path}\n{told}");
        // It is no text of this one value either.
        assert!(wordings.put("b", &worker(Mode::Careful)).is_err(), "{path}");
    }
    let told = with_text(&Mode::Careful, "x").unwrap_err().to_string();
    assert!(
        told.contains("name the variant: `Careful`, `Quick`, `Long`"),
        "{told}"
    );
    let wordings = Wordings::default().text("b", "Quick", "{minutes} min");
    let quick = wordings
        .put("b", Mode::Quick { minutes: 5 })
        .unwrap()
        .unwrap();
    assert_eq!(quick.prompt().text().unwrap(), "5 min");
    let careful = wordings.put("b", Mode::Careful).unwrap().unwrap();
    assert_eq!(careful.prompt().text().unwrap(), "careful work");
}

#[test]
fn all_variants_are_checked_and_what_is_absent_too() {
    let wordings = Wordings::default()
        .text("b", "how.Quick", "Since {minuets} minutes.")
        .text("b", "other.Careful", "{minutes}")
        .text("b", "history.item.Long.step", "x");
    let told = faults(&wordings, &worker(Mode::Careful));
    for part in [
        "with a similar name exists: `minutes`",
        "text of section `other.Careful`: line 1, column 1: ",
        "did you mean `history.item.Long.steps`?",
    ] {
        assert!(told.contains(part), "{part}\n{told}");
    }
}

/// Its mode changes while it is reworded.
#[derive(PromptNode)]
#[prompt(template = "You work.")]
struct Changing {
    #[section]
    how: Changed,
}

struct Changed(Cell<bool>);

impl PromptNode for Changed {
    fn embedded(&self) -> prompt_core::Embedded<'_> {
        static QUICK: Mode = Mode::Quick { minutes: 2 };
        if self.0.get() {
            QUICK.embedded()
        } else {
            Mode::Careful.embedded_static()
        }
    }
}

trait Static {
    fn embedded_static(&self) -> prompt_core::Embedded<'static>;
}

impl Static for Mode {
    fn embedded_static(&self) -> prompt_core::Embedded<'static> {
        static CAREFUL: Mode = Mode::Careful;
        CAREFUL.embedded()
    }
}

#[test]
fn a_value_that_becomes_another_variant_prints_the_text_of_that_one() {
    let node = Changing {
        how: Changed(Cell::new(false)),
    };
    let wordings = Wordings::default().text("b", "how.Careful", "CAREFUL.");
    let b = wordings.put("b", &node).unwrap().unwrap();
    assert_eq!(b.prompt().text().unwrap(), "You work.\n\n# How\n\nCAREFUL.");
    node.how.0.set(true);
    assert_eq!(
        b.prompt().text().unwrap(),
        "You work.\n\n# How\n\nquick work in 2 minutes"
    );
}
