//! Files with front matter: what is read of them, what is printed, and what is told.

use prompt_core::lint::Lint;
use prompt_core::{Code, DynamicNode, Markdown, Overrides, PromptNode, Skill, SkillError, Style};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Files as people write them: the name, the description, and what else is said.
const FILES: [(&str, &str, &str, &str); 10] = [
    (
        "---\nname: tide-tables\ndescription: Reads tide tables and tells when a harbour can be entered.\n---\n\n# Tide tables\n\nAdd one hour in summer.\n",
        "tide-tables",
        "Reads tide tables and tells when a harbour can be entered.",
        "{}",
    ),
    (
        "---\nname: \"invoice-check\"\ndescription: \"Checks an invoice: sums, tax, \\\"net 30\\\". Use when a PDF or a scan comes in.\"\nlicense: Complete terms in LICENSE.txt\n---\n# Checking\n",
        "invoice-check",
        "Checks an invoice: sums, tax, \"net 30\". Use when a PDF or a scan comes in.",
        r#"{"license":"Complete terms in LICENSE.txt"}"#,
    ),
    (
        "---\nname: release_notes\ndescription: >-\n  Writes release notes\n  from commits.\n\n  Not for changelogs of libraries.\nallowed-tools: Read, Grep, Bash(git log:*)\n---\nBody\n",
        "release_notes",
        "Writes release notes from commits.\nNot for changelogs of libraries.",
        r#"{"allowed-tools":"Read, Grep, Bash(git log:*)"}"#,
    ),
    (
        "---\nname: bread\ndescription: |\n  Bakes bread.\n\n  Use when:\n  - the dough has risen\n  - the oven is hot\n\nmetadata:\n  author: mill-co\n  version: \"1.0\"\n  tags: [flour, 'sour dough', 3]\n---\n",
        "bread",
        "Bakes bread.\n\nUse when:\n- the dough has risen\n- the oven is hot",
        r#"{"metadata":{"author":"mill-co","version":"1.0","tags":["flour","sour dough",3]}}"#,
    ),
    (
        "---\n# Reviewed in spring.\nname: pr-review   # short\ndescription: Reviews a pull request\n# allowed-tools: none\nallowed-tools:\n  - Read\n  - Grep\ndisable-model-invocation: true\n---\n\nRead the diff twice.\n",
        "pr-review",
        "Reviews a pull request",
        r#"{"allowed-tools":["Read","Grep"],"disable-model-invocation":true}"#,
    ),
    (
        "---\nname: harden\ndescription: Make services ready: timeouts, empty states, it's all here. Use when: before launch\n---\nGo.\n",
        "harden",
        "Make services ready: timeouts, empty states, it's all here. Use when: before launch",
        "{}",
    ),
    (
        "\u{feff}---  \r\nname: windows-file\r\ndescription: 'It''s from an editor\r\n  on Windows.'\r\n---\t\r\n\r\n# Steps\r\n\r\n1. One.\r\n",
        "windows-file",
        "It's from an editor on Windows.",
        "{}",
    ),
    (
        "---\nname: übersetzen\ndescription: 翻訳します。 Übersetzt Texte — auch lange.\nversion: 1.2\ncreated: 2025-01-02\nbudget: 0x10\n---\nText.\n",
        "",
        "",
        "",
    ),
    (
        "---\nname: db-migrate\ndescription: Plans a migration of a table.\nversion: 1.2\ncreated: 2025-01-02\nmodel:\nsteps: -3\nratio: 5e-1\nenabled: yes\nhooks: {PreToolUse: [{matcher: \"Bash\", command: ./check.sh}]}\n...\nFirst dump the schema.\n",
        "db-migrate",
        "Plans a migration of a table.",
        r#"{"version":1.2,"created":"2025-01-02","model":null,"steps":-3,"ratio":0.5,"enabled":"yes","hooks":{"PreToolUse":[{"matcher":"Bash","command":"./check.sh"}]}}"#,
    ),
    (
        "---\ndescription:\n  Draws charts\n  with few colours\nname: charts\ndefaults: &base\n  width: 800\nwide: *base\n42: the answer\n---\n\n---\n\nA rule stands above.\n",
        "charts",
        "Draws charts with few colours",
        r#"{"defaults":{"width":800},"wide":{"width":800},"42":"the answer"}"#,
    ),
];

#[test]
fn files_as_people_write_them() {
    for (file, name, description, metadata) in FILES {
        let skill = match Skill::parse(file) {
            Ok(skill) => skill,
            Err(error) => {
                // Letters that no key has.
                assert_eq!(name, "", "{error}");
                assert_eq!((error.code(), error.line()), (Code::InvalidKey, 2));
                continue;
            }
        };
        assert_eq!((&*skill.name, &*skill.description), (name, description));
        assert_eq!(serde_json::to_string(&skill.metadata).unwrap(), metadata);
        assert!(file.ends_with(skill.body.as_str()));
        assert!(!skill.body.as_str().starts_with(['\n', '\r']));
        let saved = serde_json::to_string(&skill).unwrap();
        assert_eq!(serde_json::from_str::<Skill>(&saved).unwrap(), skill);
        assert_eq!(skill.clone(), skill);
    }
}

#[test]
fn a_body_may_be_empty_and_a_name_may_look_like_a_number() {
    for file in [
        "---\nname: 2024\ndescription: true\n---",
        "---\nname: 2024\ndescription: true\n---\n \n\n",
        "---\rname: 2024\rdescription: true\r...\r",
        "---\n{name: 2024, description: true}\n---\n",
        "---\n\"name\": 2024\n? description\n: true\n---\n",
        "---\nname: !!str 2024\ndescription: !words true\n---\n",
    ] {
        let skill = Skill::parse(file).unwrap();
        assert_eq!((&*skill.name, &*skill.description), ("2024", "true"));
        assert_eq!(skill.body, Markdown::default());
        assert_eq!(skill, Skill::new("2024", "true", ""));
    }
}

/// The whole message of a file that is refused, and its code.
fn refused(file: &str) -> (String, Code) {
    let error = Skill::parse(file).expect_err(file);
    let told = error.to_string();
    assert!(told.starts_with(&format!("line {}: ", error.line())));
    assert_eq!(format!("{error:?}"), told);
    (told, error.code())
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let mut faults = Vec::new();
    let mut told = |file: &str, start: &str, code| {
        let (message, found) = refused(file);
        if !message.starts_with(start) || found != code {
            faults.push(format!("{file:?} [{found}]: {message}"));
        }
    };
    let yaml = Code::InvalidFrontMatter;
    for file in [
        "",
        "# Steps",
        "\n---\nname: a\n---",
        "---- \nname: a",
        "+++\nname = 1\n+++\n",
    ] {
        told(
            file,
            "line 1: there is no front matter",
            Code::NoFrontMatter,
        );
    }
    for file in [
        "---",
        "---\nname: a\ndescription: b\n",
        "---\nname: a\n --- \n----\n",
    ] {
        told(
            file,
            "line 1: the front matter does not end",
            Code::UnclosedFrontMatter,
        );
    }
    told("---\n---\n", "line 1: the front matter has no `name`", yaml);
    told(
        "---\nname: a\n---\n",
        "line 1: the front matter has no `description`",
        yaml,
    );
    told(
        "---\nname:\n  - a\ndescription: b\n---",
        "line 2: `name` is no text",
        yaml,
    );
    told(
        "---\nname: a\n\ndescription: {b: c}\n---",
        "line 4: `description` is no text",
        yaml,
    );
    for empty in ["", "~", "null", "''", "' '", ">-", "# later"] {
        let file = format!("---\nname: a\ndescription: {empty}\n---\n");
        told(&file, "line 3: `description` is empty: say what", yaml);
    }
    told(
        "---\nname: null\ndescription: b\n---",
        "line 2: `name` is empty: give",
        yaml,
    );
    for name in ["Bleed a radiator", "A", "-a", "a.b", "' a'", "a/b"] {
        let file = format!("---\n\nname: {name}\ndescription: b\n---\n");
        let (message, code) = refused(&file);
        assert!(message.starts_with("line 3: the name `"), "{message}");
        assert_eq!(code, Code::InvalidKey);
    }
    let read = |line, reason| format!("line {line}: the front matter cannot be read: {reason}");
    told(
        "---\nname: a\nname: b\n---",
        &read(3, "the key `name` stands twice"),
        yaml,
    );
    told(
        "---\nname: a\nm:\n  b: 1\n  b: 1\n---",
        &read(5, "the key `b` stands twice"),
        yaml,
    );
    told("---\n- name\n---", &read(2, "write keys with values"), yaml);
    told(
        "---\njust words\n---",
        &read(2, "write keys with values"),
        yaml,
    );
    told(
        "---\nname: a\n[b]: c\n---",
        &read(3, "a key is missing, or is no text"),
        yaml,
    );
    told(
        "---\nname: a\n: c\n---",
        &read(3, "a key is missing, or is no text"),
        yaml,
    );
    told("---\nname: a\n\tb: c\n---", &read(2, ""), yaml);
    told("---\nname: a\nb: \"c\n---\n", &read(3, ""), yaml);
    told("---\nname: a\nb: [c\n---\n", &read(4, ""), yaml);
    told("---\nname: a\nb: *c\n---\n", &read(3, ""), yaml);
    told(
        "---\nname: a\nb: &c [*c]\n---\n",
        &read(3, "an alias stands for what it is in"),
        yaml,
    );
    told(
        "---\nname: a\n--- b\nc: d\n---\n",
        &read(3, "a second document begins"),
        yaml,
    );
    // Over several lines a colon is no text's.
    let file = "---\nname: a\ndescription: b\n  when: c\n---\n";
    told(file, &read(4, "mapping values"), yaml);
    assert!(refused(file).0.ends_with("between quotes"));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn hostile_front_matter_costs_little() {
    let file = |data: &str| format!("---\nname: a\ndescription: b\n{data}\n---\n");
    let deep = |depth: usize| file(&format!("c: {}{}", "[".repeat(depth), "]".repeat(depth)));
    assert!(Skill::parse(&deep(60)).is_ok());
    for depth in [100, 100_000] {
        let error = Skill::parse(&deep(depth)).unwrap_err();
        assert_eq!((error.line(), error.code()), (4, Code::InvalidFrontMatter));
    }
    let mut bomb = "l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..30 {
        let inside = vec![format!("*l{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("l{level}: &l{level} [{inside}]\n"));
    }
    let error = Skill::parse(&file(&bomb)).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("aliases make it larger than a megabyte")
    );
    let long = format!(
        "l: &l {}\nm: [{}]",
        "x".repeat(100_000),
        "*l, ".repeat(100_000)
    );
    assert!(Skill::parse(&file(&long)).is_err());
    let keys: String = (0..20_000).map(|key| format!("k{key}: {key}\n")).collect();
    assert_eq!(Skill::parse(&file(&keys)).unwrap().metadata.len(), 20_000);
    for data in [
        "c: \"\\uD800\"",
        "c: \0",
        "c: !<",
        "%YAML 9",
        "c: 1e999",
        "c: .inf",
        "c: -",
    ] {
        _ = Skill::parse(&file(data));
    }
    let number =
        |text: &str| Skill::parse(&file(&format!("c: {text}"))).unwrap().metadata["c"].clone();
    let big = u64::MAX.to_string();
    assert_eq!(number(&big), json!(u64::MAX));
    for text in [
        "1e999",
        ".inf",
        "-.inf",
        ".nan",
        "99999999999999999999",
        "0xg",
        "1.2.3",
        "+",
        ".",
        "1e",
        "--1",
    ] {
        assert_eq!(number(text), json!(text));
    }
    for (text, value) in [
        ("0o17", json!(15)),
        ("+1", json!(1)),
        ("-0", json!(0)),
        (".5", json!(0.5)),
        ("1.", json!(1.0)),
    ] {
        assert_eq!(number(text), value, "{text}");
    }
}

/// You mend clocks.
#[derive(PromptNode)]
struct Workshop {
    #[section(item_key = name, visibility = "summary")]
    skills: Vec<Skill>,
}

fn opened(path: &str) -> Overrides {
    let mut overrides = Overrides::default();
    overrides.open(path);
    overrides
}

fn workshop() -> Workshop {
    let dial = "---\nname: dial\ndescription: Use when a dial is dirty.\n---\n# Dust\n\nSoft brush.\n\n## Oil\n\nNone.\n";
    Workshop {
        skills: vec![
            Skill::parse(dial).unwrap(),
            Skill::new(
                "wheel",
                "Use when teeth are missing.",
                "Count them twice, once on each side, and mark the first one. Then cut every second tooth, and the others after them.",
            ),
        ],
    }
}

#[test]
fn a_list_of_skills_is_opened_one_by_one() {
    let workshop = workshop();
    let closed = workshop.prompt().render().unwrap();
    for words in [
        "dial",
        "Use when a dial is dirty.",
        "wheel",
        "Use when teeth are missing.",
    ] {
        assert!(closed.as_str().contains(words), "{closed}");
    }
    for words in ["brush", "Count", "Oil"] {
        assert!(!closed.as_str().contains(words), "{closed}");
    }
    assert_eq!(closed.tools()[0].name(), "open_sections");
    let open = opened("skills.dial");
    let text = workshop.prompt().overrides(&open).text().unwrap();
    assert!(
        text.contains("## dial\n\n### Dust\n\nSoft brush.\n\n#### Oil\n\nNone."),
        "{text}"
    );
    assert!(!text.contains("Count"), "{text}");
    let xml = workshop.prompt().style(Style::Xml).overrides(&open);
    let xml = xml.text().unwrap();
    assert!(xml.contains("<skill name=\"dial\">"), "{xml}");
    assert_eq!(workshop.prompt().lint(), []);
}

/// A name that is no key is refused where it is used as one.
#[test]
fn a_skill_made_by_a_program_is_checked_when_it_is_printed() {
    let skills = vec![Skill::new("Two words", "Never.", "")];
    let error = Workshop { skills }.prompt().text().unwrap_err();
    assert_eq!(error.code(), Code::InvalidKey);
}

#[test]
fn a_skill_alone_is_its_body() {
    let skill = Skill::new("dial", "Never printed here.", "# Dust\n\nSoft brush.");
    assert_eq!(skill.prompt().text().unwrap(), "# Dust\n\nSoft brush.");
    assert_eq!(
        Skill::new("dial", "Empty.", "").prompt().text().unwrap(),
        ""
    );
}

/// What front matter is, and what is text.
#[test]
fn front_matter_is_kept_apart() {
    let split = |text: &str| {
        let markdown = Markdown::from(text);
        assert_eq!(markdown.as_str(), text);
        assert_eq!(String::from(markdown.clone()), text);
        assert_eq!(serde_json::to_value(&markdown).unwrap(), json!(text));
        assert_eq!(markdown.to_string(), markdown.body());
        let front = markdown.front_matter().map(str::to_owned);
        (front, markdown.body().to_owned())
    };
    let apart = |text: &str, front: &str, body: &str| {
        assert_eq!(
            split(text),
            (Some(front.to_owned()), body.to_owned()),
            "{text:?}"
        );
    };
    apart("---\nname: x\n---\nHi.", "name: x\n", "Hi.");
    apart(
        "\u{feff}--- \t\r\nname: x\r\n...\r\n\r\n \t\r\nHi.\r\n",
        "name: x\r\n",
        "Hi.\r\n",
    );
    apart("---\rname:\r---\rHi.", "name:\r", "Hi.");
    apart(
        "---\n\n# Comment\nlast update_1.a-b:\tx\n---",
        "\n# Comment\nlast update_1.a-b:\tx\n",
        "",
    );
    apart(
        "+++\ntitle = \"x\"\n+++\n\n  Hi.",
        "title = \"x\"\n",
        "  Hi.",
    );
    apart(
        "---\na: b\n---\n---\nc: d\n---\n",
        "a: b\n",
        "---\nc: d\n---\n",
    );
    for text in [
        "",
        "---",
        "---\nname: x",
        "---\n---\nHi.",
        "---\n# Only a comment\n---\nHi.",
        "---\n\nText\n\n---\n",
        "---\nWords: and more\n",
        "---\nhttp://a.b\n---\n",
        "---\n- name: x\n---\n",
        "---\n1. x: y\n---\n",
        "----\nname: x\n---\n",
        "\n---\nname: x\n---\n",
        " ---\nname: x\n---\n",
        "---\nname: x\n ---\n",
        "+++\nname: x\n+++\n",
        "---\nname = x\n---\n",
        "Hi.\n\n---\nname: x\n---\n",
    ] {
        assert_eq!(split(text), (None, text.to_owned()), "{text:?}");
        let written = Markdown::from(text).prompt().text().unwrap();
        assert_eq!(written, text.trim_matches('\n'), "{text:?}");
    }
}

const FILE: &str = "---\n# Kept in the file.\nname: x\n---\n\n# Hi\n\nYou.";

/// Page {notes}
#[derive(PromptNode)]
struct Page<T: PromptNode + std::fmt::Display> {
    notes: T,
}

#[derive(PromptNode)]
#[prompt(template = "")]
struct Sections<T: PromptNode> {
    #[section]
    notes: T,
    #[section(untrusted)]
    strange: T,
    #[section(guard = "escaped")]
    escaped: T,
}

/// What is told of front matter, and where: in both styles the same.
fn lints(node: &impl PromptNode) -> Vec<(String, String)> {
    let told = |style| {
        let lints = node.prompt().style(style).lint().into_iter();
        let found = lints.filter(|lint| lint.code == Code::FrontMatter);
        let what = |lint: &Lint| {
            lint.message
                .split(" begins")
                .next()
                .unwrap_or_default()
                .to_owned()
        };
        found
            .map(|lint| (what(&lint), lint.path))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(Style::Markdown), told(Style::Xml));
    told(Style::Markdown)
}

#[test]
fn markdown_prints_no_front_matter() {
    let notes = Markdown::from(FILE);
    let page = Page {
        notes: notes.clone(),
    };
    assert_eq!(page.prompt().text().unwrap(), "Page # Hi\n\nYou.");
    let sections = Sections {
        notes: notes.clone(),
        strange: notes.clone(),
        escaped: notes.clone(),
    };
    for style in [Style::Markdown, Style::Xml] {
        let text = sections.prompt().style(style).text().unwrap();
        assert!(
            !text.contains("name: x") && !text.contains("Kept"),
            "{text}"
        );
        assert_eq!(text.matches("You.").count(), 3);
    }
    assert_eq!(lints(&sections), []);
    assert_eq!(notes.prompt().text().unwrap(), "# Hi\n\nYou.");
    // The lines are those of the file.
    let notes = Markdown::from("---\nname: x\n---\n\nA\n=\n");
    let lint = notes.prompt().lint();
    assert!(lint.is_empty(), "a root has no section");
    let sections = Sections {
        notes: notes.clone(),
        strange: Markdown::default(),
        escaped: Markdown::default(),
    };
    let lint = sections.prompt().lint();
    assert!(lint[0].message.starts_with("line 6: "), "{lint:?}");
}

#[test]
fn a_lint_tells_where_front_matter_is_printed() {
    let told = |what: &str| (what.to_owned(), String::new());
    let sections = Sections {
        notes: FILE,
        strange: FILE,
        escaped: FILE,
    };
    // What is not trusted prints `\---`, which is none.
    assert_eq!(lints(&sections), [told("`notes`"), told("`escaped`")]);
    let found = sections.prompt().lint();
    let lint = found.iter().find(|lint| lint.code == Code::FrontMatter);
    assert!(lint.is_some_and(|lint| lint.help.contains("`Skill::parse`")));
    assert_eq!(lints(&FILE), [told("the text")]);
    // In a sentence it is none.
    assert_eq!(lints(&Page { notes: FILE }), []);

    let file = |body: &str| DynamicNode::builder("prompt").body(body).build().unwrap();
    let body = || vec![told("body, line 1: the text")];
    assert_eq!(lints(&file(FILE)), body());
    assert_eq!(lints(&file("---\nname: x\n---\nHi.")), body());
    assert_eq!(lints(&file("+++\nname = 1\n+++\n\nHi.")), body());
    assert_eq!(lints(&file("---\n\nHi.\n\n---")), []);
    let all = file("---\nname: x\n---\nHi.").prompt().lint();
    assert_eq!(all.len(), 1, "no heading is meant: {all:?}");

    #[derive(PromptNode)]
    #[prompt(template = "---\nname: x\n---\n\nHi.")]
    struct Told;
    #[derive(PromptNode)]
    #[prompt(template = "---\nname: x\n---\n\n{notes}", allow(front_matter))]
    struct Allowed {
        notes: &'static str,
    }
    assert_eq!(lints(&Told).len(), 1);
    let notes = "---\na: b\n---\n";
    assert_eq!(lints(&Allowed { notes }), []);
}

fn yaml_like() -> impl Strategy<Value = String> {
    let token = prop::sample::select(vec![
        "---\n",
        "...\n",
        "\n",
        "\n  ",
        "\r\n",
        "\t",
        " ",
        "name: ",
        "description: ",
        "a",
        "b: ",
        "- ",
        "? ",
        ":",
        "[",
        "]",
        "{",
        "}",
        ",",
        "|",
        ">-",
        "|2",
        "'",
        "\"",
        "\\",
        "\\x",
        "&a ",
        "*a",
        "!",
        "!!str ",
        "%YAML 1.2\n",
        "# c",
        "@",
        "`",
        "\u{feff}",
        "é",
        "\0",
        "\u{85}",
        "<<: ",
        "~",
        "0x",
        "1e9",
    ]);
    prop::collection::vec(token, 0..30).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prompt_tests::random_cases(256)))]

    #[test]
    fn no_text_panics(data in yaml_like(), body in ".{0,20}") {
        for text in [data.clone(), format!("---\n{data}\n---\n{body}"), format!("---\nname: a\ndescription: b\n{data}\n---\n{body}")] {
            if let Err(error) = Skill::parse(&text) {
                prop_assert!(error.line() >= 1 && error.line() <= text.replace("\r\n", "\n").split(['\n', '\r']).count());
                prop_assert_ne!(error.to_string(), "");
            }
            let markdown = Markdown::from(&*text);
            prop_assert!(text.ends_with(markdown.body()));
            prop_assert!(markdown.front_matter().is_none_or(|front| text.contains(front)));
            _ = markdown.prompt().lint();
            _ = markdown.prompt().text();
        }
    }

    /// A value that JSON and YAML write alike comes back.
    #[test]
    fn json_is_yaml(text in "[ -~é\n]{0,20}", number in any::<i32>(), list in prop::collection::vec("[ -~]{0,5}", 0..4)) {
        let value = json!({ "text": text, "number": number, "list": list, "none": null, "on": true });
        let skill = Skill::parse(&format!("---\nname: a\ndescription: b\nvalue: {value}\n---\n")).unwrap();
        prop_assert_eq!(&skill.metadata["value"], &value);
        let quoted = Value::from(text.clone());
        let read = Skill::parse(&format!("---\nname: a\ndescription: {quoted}\n---\n"));
        match read {
            Ok(skill) => prop_assert_eq!(skill.description, text.trim_end()),
            Err(error) => {
                let is_empty = matches!(error, SkillError::Empty { .. });
                prop_assert!(is_empty && text.trim().is_empty());
            }
        }
    }

    #[test]
    fn a_skill_in_full_prints_its_body(lines in prop::collection::vec("[a-z][ -z]{0,20}", 1..6), blank in 0_usize..3) {
        let body = lines.join("\n");
        let file = format!("---\nname: a\ndescription: b\n---\n{}{body}\n", "\n".repeat(blank));
        let skill = Skill::parse(&file).unwrap();
        prop_assert_eq!(skill.body.as_str(), format!("{body}\n"));
        prop_assert_eq!(skill.prompt().text().unwrap(), body.clone());
        let workshop = Workshop { skills: vec![skill] };
        let open = opened("skills.a");
        let text = workshop.prompt().overrides(&open).text().unwrap();
        prop_assert!(text.ends_with(&format!("## a\n\n{body}")), "{text}");
    }
}
