//! What is printed in one go is what outline and forms would have given: text, sections, places, errors.

use prompt_core::prompt::RenderedSection;
use prompt_core::{Overrides, Prompt, PromptError, PromptNode, RenderedPrompt, Style};
use proptest::prelude::*;
use std::{borrow::Cow, cell::Cell, fmt};

/// A leaf with values.
#[derive(PromptNode, Debug, Clone)]
#[prompt(template = "Call {name} at {hour}, {name}.")]
struct Call {
    name: String,
    hour: u8,
}

/// A leaf of fixed words.
#[derive(PromptNode, Debug, Clone)]
#[prompt(template = "Be kind.", title = "Manners", summary = "Kind.")]
struct Manners;

// A node in which nothing stands but its sections: it goes where they go. (A doc comment would be its text.)
#[derive(PromptNode, Debug, Clone)]
struct Wrapper {
    #[section]
    call: Option<Call>,
    #[section(when = self.open)]
    manners: Manners,
    open: bool,
}

#[derive(PromptNode, Debug, Clone)]
#[prompt(template = "Two\nlines.", tight, gap = 2)]
struct Tight {
    #[section(level = 3)]
    first: Call,
    #[section(gap = 0, title = "The second")]
    second: Option<Wrapper>,
    #[section(untitled)]
    third: Manners,
}

/// A phrase that may begin a tag.
#[derive(PromptNode, Debug, Clone)]
#[prompt(template = "1 <{name}")]
struct Bold {
    name: String,
}

/// A `<` in words of the author: in a phrase, and in a text.
#[derive(PromptNode, Debug, Clone)]
#[prompt(template = "If {bold}, {name}{name}.")]
struct Phrased {
    bold: Bold,
    name: String,
}

#[derive(PromptNode, Debug, Clone)]
#[prompt(template = "If 1 <{name}.")]
struct Less {
    name: String,
    #[section]
    phrased: Option<Phrased>,
}

/// A root in whose own words no `<` stands.
#[derive(PromptNode, Debug, Clone)]
#[prompt(template = "Words.")]
struct Spoken {
    #[section]
    phrased: Phrased,
}

/// Everything that can be printed in one go.
#[derive(PromptNode, Debug, Clone)]
#[prompt(template = "For {name}.", allow(skipped_level))]
struct Whole {
    name: String,
    #[section]
    wrapper: Wrapper,
    /// A few words first.
    #[section(summary = "Short.")]
    tight: Option<Tight>,
    #[section(title = "A text")]
    text: String,
    #[section(untitled)]
    loose: Cow<'static, str>,
    #[section]
    nothing: (),
    /// Words, and nothing under them.
    #[section]
    told: (),
    /// Words over a text.
    #[section]
    over: Option<String>,
    /// Words over what may not be there.
    #[section]
    around: Wrapper,
    #[section]
    borrowed: &'static str,
    #[section]
    bullets: Vec<String>,
    /// Words over bullets.
    #[section(tight)]
    more_bullets: Option<[Cow<'static, str>; 2]>,
    /// And a few under the title of the node itself.
    #[section]
    manners: Manners,
    #[section]
    last: Wrapper,
    #[section]
    phrased: Phrased,
    #[section]
    less: Option<Less>,
}

// A root without words, and one with headings of its own.
#[derive(PromptNode, Debug, Clone)]
struct Bare {
    #[section]
    wrapper: Wrapper,
    #[section]
    whole: Whole,
}

#[derive(PromptNode, Debug, Clone)]
#[prompt(template = "# Day\n\nWork for {name}.\n\n## Night")]
struct Headed {
    name: String,
    #[section]
    wrapper: Wrapper,
    #[section]
    call: Call,
}

/// A list of which something is said is not.
#[derive(PromptNode)]
struct Keyed {
    #[section(item = "{item}", join = ", ")]
    items: Vec<String>,
}

#[derive(PromptNode)]
struct Tagged {
    #[section(item_tag = "rule")]
    items: Vec<String>,
}

pub(super) fn value() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-z]{1,6}",
        1 => Just("\n".to_owned()),
        1 => Just("\r\n".to_owned()),
        1 => Just("  ".to_owned()),
        1 => Just("</wrapper>".to_owned()),
        1 => Just("wrapper>".to_owned()),
        1 => Just("<call".to_owned()),
        1 => Just(">".to_owned()),
        1 => Just("é\u{2028}".to_owned()),
    ];
    proptest::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

prop_compose! {
    fn call()(name in value(), hour in 0..24_u8) -> Call {
        Call { name, hour }
    }
}

prop_compose! {
    fn wrapper()(call in proptest::option::of(call()), open: bool) -> Wrapper {
        Wrapper { call, manners: Manners, open }
    }
}

prop_compose! {
    fn tight()(first in call(), second in proptest::option::of(wrapper())) -> Tight {
        Tight { first, second, third: Manners }
    }
}

prop_compose! {
    fn phrased()(word in value(), name in value()) -> Phrased {
        Phrased { bold: Bold { name: word }, name }
    }
}

prop_compose! {
    fn less()(name in value(), phrased in proptest::option::of(phrased())) -> Less {
        Less { name, phrased }
    }
}

prop_compose! {
    fn whole()(
        name in value(),
        wrapper in wrapper(),
        tight in proptest::option::of(tight()),
        text in value(),
        loose in value(),
        over in proptest::option::of(value()),
        around in self::wrapper(),
        borrowed in prop_oneof![Just(""), Just("Words."), Just("\n\n")],
        last in self::wrapper(),
        bullets in proptest::collection::vec(value(), 0..4),
        pair in proptest::option::of([value(), value()]),
        phrased in phrased(),
        less in proptest::option::of(less()),
    ) -> Whole {
        let (loose, nothing, told, manners) = (Cow::Owned(loose), (), (), Manners);
        let more_bullets = pair.map(|pair| pair.map(Cow::Owned));
        Whole {
            name,
            wrapper,
            tight,
            text,
            loose,
            nothing,
            told,
            over,
            around,
            borrowed,
            bullets,
            more_bullets,
            manners,
            last,
            phrased,
            less,
        }
    }
}

/// The same prompt by the other way: an override that names no section says nothing, but it has to be looked for.
fn long_way<'a, N: PromptNode>(prompt: Prompt<'a, N>, overrides: &'a Overrides) -> Prompt<'a, N> {
    prompt.overrides(overrides)
}

fn told(prompt: &RenderedPrompt) -> (String, Vec<RenderedSection>, usize, String) {
    let tools = format!("{:?}", prompt.tools());
    let text = prompt.as_str().to_owned();
    (text, prompt.sections(), prompt.static_prefix(), tools)
}

pub(super) fn agree<N: PromptNode>(node: &N) -> Result<(), TestCaseError> {
    let mut overrides = Overrides::default();
    overrides.open("no.such.section");
    for style in [Style::Markdown, Style::Xml] {
        for (level, columns) in [(1, 2), (2, 0), (5, 30)] {
            let prompt = || node.prompt().style(style).base_level(level).indent(columns);
            let long = long_way(prompt(), &overrides).render().unwrap();
            prop_assert_eq!(told(&prompt().render().unwrap()), told(&long));
            prop_assert_eq!(prompt().text().unwrap(), long.as_str());
            let mut kept = "Kept. ".to_owned();
            prompt().render_into(&mut kept).unwrap();
            prop_assert_eq!(kept, format!("Kept. {long}"));
            let kept = prompt().keep_tool(true).render().unwrap();
            let long = long_way(prompt().keep_tool(true), &overrides)
                .render()
                .unwrap();
            prop_assert_eq!(told(&kept), told(&long));
            prop_assert_eq!(kept.messages(), long.messages());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(prompt_tests::random_cases(200)) })]

    #[test]
    fn both_ways_give_the_same(whole in whole()) {
        agree(&whole)?;
        agree(&Some(whole.clone()))?;
        agree(&whole.wrapper)?;
        let headed = Headed {
            name: whole.name.clone(),
            wrapper: whole.wrapper.clone(),
            call: Call { name: whole.text.clone(), hour: 1 },
        };
        agree(&headed)?;
        agree(&Keyed { items: whole.bullets.clone() })?;
        agree(&Tagged { items: whole.bullets.clone() })?;
        agree(&Bare { wrapper: whole.last.clone(), whole })?;
    }
}

/// Fails to print, and counts how often it was asked.
struct Failing<'c>(&'c Cell<u32>);

impl fmt::Display for Failing<'_> {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.set(self.0.get() + 1);
        Err(fmt::Error)
    }
}

#[derive(PromptNode)]
#[prompt(template = "A {value} here.")]
struct Inner<'c> {
    value: Failing<'c>,
}

#[derive(PromptNode)]
#[prompt(template = "Words.")]
struct Middle<'c> {
    #[section]
    inner: Inner<'c>,
}

#[derive(PromptNode)]
struct Outer<'c> {
    #[section(key = "the-middle")]
    middle: Middle<'c>,
}

#[test]
fn a_value_that_fails_is_named_with_its_place_and_nothing_is_printed() {
    let asked = Cell::new(0);
    let node = Outer {
        middle: Middle {
            inner: Inner {
                value: Failing(&asked),
            },
        },
    };
    let wanted = PromptError::FailedValue {
        path: "the-middle.inner".into(),
        name: "value".into(),
    };
    for style in [Style::Markdown, Style::Xml] {
        let mut buffer = "Kept.".to_owned();
        let prompt = node.prompt().style(style);
        assert_eq!(prompt.render_into(&mut buffer), Err(wanted.clone()));
        assert_eq!(buffer, "Kept.");
        assert_eq!(prompt.render().unwrap_err(), wanted);
    }
    assert_eq!(asked.get(), 4, "once each");
}

/// What words of the author and a value make a tag of together is guarded, wherever the words stand.
#[test]
fn a_tag_that_a_value_ends_is_guarded() {
    fn guarded(root: &impl PromptNode, words: &str) {
        let prompt = || root.prompt().style(Style::Xml);
        let text = prompt().text().unwrap();
        let overrides = Overrides::default().open("none").clone();
        assert_eq!(text, long_way(prompt(), &overrides).text().unwrap());
        assert!(!text.contains(words), "{text}");
    }
    let phrased = |word: &str| Phrased {
        bold: Bold { name: word.into() },
        name: "x".into(),
    };
    let less = |name: &str, phrased: Phrased| Less {
        name: name.into(),
        phrased: Some(phrased),
    };
    let spoken = Spoken {
        phrased: phrased("phrased>"),
    };
    guarded(&less("phrased>", phrased("x")), "If 1 <phrased>.");
    guarded(&less("x", phrased("phrased>")), "If 1 <phrased>,");
    guarded(&spoken, "If 1 <phrased>,");
}

/// Fields of one well-known type share an arm, by the name of the type: one that only has that name prints as what it is.
#[test]
fn a_type_that_is_named_like_a_known_one_is_printed_as_itself() {
    mod own {
        use prompt_core::PromptNode;

        #[derive(PromptNode)]
        #[prompt(template = "<{word}")]
        pub struct String {
            pub word: &'static str,
        }

        #[derive(PromptNode)]
        #[prompt(template = "Say {a}, {b}, {c}.")]
        pub struct Three {
            pub a: String,
            pub b: String,
            pub c: String,
        }

        #[derive(PromptNode)]
        pub struct Root {
            #[section]
            pub three: Three,
        }
    }
    let word = |word| own::String { word };
    let (a, b, c) = (word("x"), word("three>"), word("z"));
    let root = own::Root {
        three: own::Three { a, b, c },
    };
    let text = root.prompt().style(Style::Xml).text().unwrap();
    assert_eq!(text, "<three>\nSay <x, &lt;three>, <z.\n</three>\n");
}

/// The static prefix in either way of printing.
fn prefixes(root: &impl PromptNode, style: Style) -> [usize; 2] {
    let mut overrides = Overrides::default();
    overrides.open("none");
    let prompt = || root.prompt().style(style);
    let long = long_way(prompt(), &overrides).render().unwrap();
    [prompt().render().unwrap(), long].map(|prompt| prompt.static_prefix())
}

/// A heading that goes where nothing stands under it is no part of the static prefix, whichever way it is printed.
#[test]
fn a_heading_that_may_go_is_not_static() {
    let wrapper = |call| Wrapper {
        call,
        manners: Manners,
        open: false,
    };
    let call = || Call {
        name: "Ada".into(),
        hour: 7,
    };
    for call in [Some(call()), None] {
        let root = Around {
            wrapper: wrapper(call),
            manners: Manners,
        };
        // Without the call the text goes on with "# Manners".
        assert_eq!(prefixes(&root, Style::Markdown), [6, 6]);
    }
}

#[derive(PromptNode)]
#[prompt(template = "Begin.")]
struct Around {
    #[section]
    wrapper: Wrapper,
    #[section]
    manners: Manners,
}

/// The same where what is in it goes first.
#[test]
fn a_heading_around_one_that_went_is_not_static() {
    #[derive(PromptNode)]
    struct Outer {
        #[section]
        wrapper: Wrapper,
        #[section]
        call: Option<Call>,
    }
    #[derive(PromptNode)]
    #[prompt(template = "Begin.")]
    struct Root {
        #[section]
        outer: Outer,
    }
    let root = |call| Root {
        outer: Outer {
            wrapper: Wrapper {
                call: None,
                manners: Manners,
                open: false,
            },
            call,
        },
    };
    let call = Call {
        name: "Ada".into(),
        hour: 7,
    };
    for (style, text) in [(Style::Markdown, "Begin."), (Style::Xml, "Begin.\n")] {
        assert_eq!(root(None).prompt().style(style).text().unwrap(), text);
        assert_eq!(prefixes(&root(Some(call.clone())), style), [6, 6]);
    }
}

/// The same in XML, where a tag goes in which nothing is written, whatever the values are.
#[test]
fn a_tag_around_one_that_went_is_not_static() {
    #[derive(PromptNode)]
    struct Outer {
        #[section]
        nothing: (),
        #[section]
        call: Option<Call>,
    }
    #[derive(PromptNode)]
    #[prompt(template = "Begin.")]
    struct Root {
        #[section]
        outer: Outer,
    }
    let call = Call {
        name: "Ada".into(),
        hour: 7,
    };
    let (nothing, call) = ((), Some(call));
    let root = Root {
        outer: Outer { nothing, call },
    };
    assert_eq!(prefixes(&root, Style::Xml), [6, 6]);
}
