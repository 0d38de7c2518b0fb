//! Guarding of every kind of template: whatever the values hold, the tags of the output are those of the author and the
//! renderer, as with harmless values in the same places.

use prompt_core::{Markdown, PromptNode, Style, xml};
use prompt_tests::lenient::signed;
use proptest::prelude::*;

/// <half for="{who}">{?loud}<loud>{who}</loud>{else}{who}{/loud}</half>
#[derive(PromptNode)]
struct Half {
    who: String,
    loud: bool,
}

struct Item {
    name: String,
    note: Option<String>,
}

/// <job id="{who}" kind={which}>{maybe}{flag}</job> <b>{which}</b> <a>{none}</a> <a b='{who}'/>
/// ## <b>{which}</b>{?flag} <i>{who}</i>{else} <u>{which}</u>{/flag}
/// <intro>
/// {which}{who}
/// </intro>
///
/// {words}
/// {pairs}
/// {items}
///
/// {?maybe}
/// <maybe>
/// {maybe}
/// </maybe>
/// {else}
/// <no>{who}</no>
/// {/maybe}
///
/// - {?flag}<line>{who}</line> {half} and <{which}
///
/// ```xml
/// <code>{who}</code>
/// {which}
/// ```
///
/// Say `<b>{who}</b>` or {which}</b{who}
///
/// {PROMPT_SUBTREE}
#[derive(PromptNode)]
#[prompt(
    start = "<page>\n",
    end = "\n</page>",
    heading = "<head>{title}</head>",
    summary_suffix = "<more></more>",
    vars(shout = &self.words, { item = "<i>{item}{index0}</i>", join = "<br/>" })
)]
struct Page {
    who: String,
    which: String,
    #[var(some = "<some>{}</some>{which}")]
    maybe: Option<String>,
    #[var(default = "<none>{which}</none>", some = "<got>{}</got>")]
    none: Option<String>,
    #[var(yes = "<yes>{who}</yes>", no = "<not>{which}</not>")]
    flag: bool,
    #[var(
        item = "<w n=\"{item}\">{item}</w>",
        join = "<br/>",
        last = "<hr/>",
        some = "<ws>{}</ws>"
    )]
    words: Vec<String>,
    #[var(item = "<p>{item.0}</p>{item.1}", join = "")]
    pairs: Vec<(String, String)>,
    #[var(
        item = "<it>{item.name}{?item.note}<n>{item.note}</n>{else}<nn/>{/item.note}</it>",
        join = "\n"
    )]
    items: Vec<Item>,
    half: Half,
    /// <lead>{who}</lead>
    #[section(title = "<t>{which}</t>", tag = "rules", attr(by = self.who, n = 1))]
    rules: Vec<String>,
    #[section(
        item = "<doc>{item.name}</doc>",
        item_title = "{item.name}<x/>",
        join = "\n<br/>\n"
    )]
    docs: Vec<Item>,
    #[section(item_tag = "chip", empty = "<void>{who}</void>")]
    chips: Vec<String>,
    #[section(visibility = "summary", summary = "<sum>{who}</sum>")]
    long: Markdown,
    #[section(tag = "line", inline, untrusted)]
    one: String,
    #[section(title = "{which} {who}", untrusted)]
    text: Markdown,
    #[section(tag = "cut", guard = "escaped")]
    cut: Deep,
    #[section(heading = "<h n=\"{title}\"/>")]
    halves: Vec<Half>,
}

/// # {who}
///
/// {parts}
#[derive(PromptNode)]
#[prompt(tag = "deep", attr(of = &self.who), title = "Deep {who}")]
struct Deep {
    who: String,
    #[var(join = "<br/>")]
    parts: Vec<String>,
}

#[derive(Clone, Debug)]
struct Values {
    texts: Vec<String>,
    lists: [usize; 5],
    options: [bool; 3],
    flags: [bool; 2],
}

impl Values {
    /// The same shape with harmless values.
    fn harmless(&self) -> Self {
        Self {
            texts: self.texts.iter().map(|_| "zz".to_owned()).collect(),
            ..self.clone()
        }
    }

    fn page(&self) -> Page {
        let mut texts = self.texts.iter().cycle().cloned();
        let mut text = move || texts.next().unwrap_or_default();
        let [words, pairs, items, rules, docs] = self.lists;
        let [maybe, none, note] = self.options;
        let [flag, loud] = self.flags;
        let mut item = |at: usize| Item {
            name: self.texts[at % self.texts.len()].clone(),
            note: note.then(|| self.texts[(at + 1) % self.texts.len()].clone()),
        };
        Page {
            who: text(),
            which: text(),
            maybe: maybe.then(&mut text),
            none: none.then(&mut text),
            flag,
            words: (0..words).map(|_| text()).collect(),
            pairs: (0..pairs).map(|_| (text(), text())).collect(),
            items: (0..items).map(&mut item).collect(),
            half: Half { who: text(), loud },
            rules: (0..rules).map(|_| text()).collect(),
            docs: (0..docs).map(&mut item).collect(),
            chips: (0..words).map(|_| text()).collect(),
            long: Markdown::from(text()),
            one: text(),
            text: Markdown::from(text()),
            cut: Deep {
                who: text(),
                parts: vec![text(), text()],
            },
            halves: vec![
                Half {
                    who: text(),
                    loud: flag,
                },
                Half { who: text(), loud },
            ],
        }
    }
}

/// Names of tags that open and close somewhere in the templates, outside of code.
const NAMES: &[&str] = &[
    "a", "b", "half", "loud", "job", "i", "u", "intro", "maybe", "no", "line", "page", "head",
    "more", "some", "none", "got", "yes", "not", "w", "ws", "p", "it", "n", "lead", "t", "rules",
    "doc", "chip", "void", "sum", "cut", "deep", "section",
];

fn values() -> impl Strategy<Value = Values> {
    const PIECES: &[&str] = &[
        "<",
        "</",
        ">",
        "/>",
        "/",
        " ",
        "\n",
        "\t",
        "\r",
        "\r\n\r\n",
        "rules",
        "RU",
        "les",
        "a",
        "A",
        "page",
        "br",
        "doc",
        "section",
        "half",
        "```",
        "~~~~",
        "`",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "?>",
        "\"",
        "'",
        "=",
        " x=\"",
        "# ",
        "\n## rules",
        "\n---",
        "<|",
        "|>",
        "&lt;",
        "&",
        "{",
        "{who}",
        "}",
        "é",
        "\u{a0}",
        "\u{2028}",
        "🦀",
        "\u{0}",
        "\u{feff}",
        "</rules>",
        "<rules>",
        "< / rules >",
        "</\nRules",
        "<a ",
        "</a>",
        "<b>",
        "</b",
        "<job id=\"",
        "<t>",
        "</page>",
        "<page",
        "<nope>",
        "word",
    ];
    let piece = prop_oneof![9 => proptest::sample::select(PIECES).prop_map(str::to_owned), 1 => any::<String>()];
    let text = proptest::collection::vec(piece, 1..5)
        .prop_map(|pieces| pieces.concat())
        .prop_filter("prints something", |text| {
            text.chars().any(|c| !c.is_whitespace() && c != '\u{feff}')
        });
    (
        proptest::collection::vec(text, 2..12),
        proptest::array::uniform5(0..3_usize),
        any::<[bool; 3]>(),
        any::<[bool; 2]>(),
    )
        .prop_map(|(texts, lists, options, flags)| Values {
            texts,
            lists,
            options,
            flags,
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(1_500), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_tags_are_those_of_the_templates(values in values(), in_xml in any::<bool>()) {
        let style = if in_xml { Style::Xml } else { Style::Markdown };
        let print = |values: &Values| values.page().prompt().style(style).text().unwrap();
        let (text, expected) = (print(&values), print(&values.harmless()));
        let all = signed(&expected, NAMES);
        let names: Vec<&str> = NAMES.iter().copied().filter(|name| all.iter().any(|tag| tag[1..] == **name)).collect();
        prop_assert_eq!(signed(&text, &names), all, "{}\n=====\n{}", text, expected);
        if let Err(errors) = xml::validate_known(&text, &names) {
            prop_assert!(false, "{errors}\n{text}");
        }
    }
}
