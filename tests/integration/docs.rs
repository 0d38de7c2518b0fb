//! The page of codes and the README say what the code does. (The keys of attributes are compared in the macro crate.)

use prompt_core::{Code, DynamicNode, PromptNode, Style};
use serde_json::{Value, json};
use std::error::Error;
use std::path::{Path, PathBuf};

fn top(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn read(path: &str) -> String {
    let path = top(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn guide(page: &str) -> String {
    read(&format!("prompt-core/src/guide/{page}.md"))
}

/// The part of a page under a first-level heading.
fn chapter<'p>(page: &'p str, heading: &str) -> &'p str {
    let start = page.find(&format!("# {heading}"));
    let part = &page[start.unwrap_or_else(|| panic!("no chapter `{heading}`"))..];
    part.split("\n# `").next().unwrap_or_default()
}

/// The fenced blocks of a chapter: info string and text.
fn fences(chapter: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = chapter.lines();
    while let Some(line) = lines.next() {
        let length = line.bytes().take_while(|byte| *byte == b'`').count();
        if length < 3 {
            continue;
        }
        let (fence, info) = line.split_at(length);
        let text: Vec<&str> = lines.by_ref().take_while(|line| *line != fence).collect();
        found.push((info.to_owned(), text.join("\n")));
    }
    found
}

/// The codes of everything that is wrong with a node, or not quite right.
fn complaints(node: Result<DynamicNode, prompt_core::Diagnostics>) -> Vec<Code> {
    let node = match node {
        Ok(node) => node,
        Err(errors) => return errors.iter().map(|error| error.code).collect(),
    };
    let lints = node
        .prompt()
        .style(Style::Xml)
        .lint()
        .into_iter()
        .chain(node.prompt().lint());
    let failed = node.prompt().render().err().map(|error| error.code());
    lints.map(|lint| lint.code).chain(failed).collect()
}

fn values() -> Value {
    json!({ "name": "Ada", "flag": true, "notes": "# Tides\n\nHigh at six.", "gates": ["East", "West"] })
}

fn from_text(text: &str) -> Vec<Code> {
    let part = DynamicNode::builder("part").untitled().body("A part.");
    complaints(
        DynamicNode::builder("page")
            .body(text)
            .section(part)
            .build_with(values()),
    )
}

/// What the compiler says of the programs in a folder and those below it.
fn compiler_messages(folder: &Path) -> String {
    let mut told = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            told.push_str(&compiler_messages(&path));
        } else if path
            .extension()
            .is_some_and(|extension| extension == "stderr")
        {
            told.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
    told
}

fn from_json(text: &str) -> Vec<Code> {
    complaints(DynamicNode::from_json_with(text, values()))
}

#[test]
fn every_code_has_a_wrong_and_a_right_example() {
    let page = guide("codes");
    let headings: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("# `")?.strip_suffix('`'))
        .collect();
    let codes: Vec<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    // Those that no text and no tree can have stand in a table: `errors.rs` gives each of them.
    let calls = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    assert_eq!(
        headings.iter().copied().chain(calls).collect::<Vec<_>>(),
        codes,
        "the page has every code once, in the order of `Code::ALL`"
    );

    let told = compiler_messages(&top("tests/ui/fail"));
    // Those programs are binaries, which have no doctests.
    let library = top("prompt-macros/tests/expansion/wrong.expanded.rs");
    let told = told + &std::fs::read_to_string(library).unwrap();
    let mut failures = Vec::new();
    for &code in &Code::ALL[..headings.len()] {
        let blocks = fences(chapter(&page, &format!("`{code}`\n")));
        let infos: Vec<&str> = blocks.iter().map(|(info, _)| info.as_str()).collect();
        let run = match infos.as_slice() {
            ["markdown wrong", "markdown right"] => from_text,
            ["json wrong", "json right"] => from_json,
            // Doctests: that they fail to compile, or run. With which code they fail is the compiler's word for programs like
            // them in `tests/ui`.
            ["rust,compile_fail", "rust"] => {
                if !told.contains(&format!("[{code}]")) {
                    failures.push(format!("{code}: no program of the UI tests gives it"));
                }
                continue;
            }
            ["rust" | "rust,no_run"] => {
                let named = format!("Code::{code:?}");
                let mut statements = blocks[0].1.split(';');
                if !statements.any(|it| it.contains("assert") && it.contains(&named)) {
                    failures.push(format!("{code}: its program does not assert it"));
                }
                continue;
            }
            other => {
                failures.push(format!("{code}: its blocks are {other:?}"));
                continue;
            }
        };
        let (wrong, right) = (run(&blocks[0].1), run(&blocks[1].1));
        if !wrong.contains(&code) {
            failures.push(format!("{code}: the wrong example gives {wrong:?}"));
        }
        if !right.is_empty() {
            failures.push(format!("{code}: the right example gives {right:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

// The programs of the README, between two markers each.

// readme: types
/// You review {language} code for {team}.
/// {?strict}End with a line that says APPROVE or REJECT.
///
/// ## How to work
///
/// {PROMPT_SUBTREE}
#[derive(PromptNode)]
struct Reviewer {
    language: String,
    team: String,
    strict: bool,

    /// Read the diff twice before the first comment.
    #[section]
    method: (),

    /// The house style, rule by rule:
    #[section(
        visibility = "summary",
        summary = "The {team} style guide is available."
    )]
    style_guide: StyleGuide,

    #[section(tag = "critical_rules", priority = "required")]
    rules: Vec<String>,
}

/// Names say what a thing is for: `retries`, not `n`. An error names the file, the line, and what to do about it; nothing is
/// logged and returned. One test for each rule, which fails when the rule is broken.
#[derive(PromptNode)]
struct StyleGuide;
// readme: end

#[allow(clippy::let_and_return)]
fn reviewer() -> Reviewer {
    // readme: value
    let reviewer = Reviewer {
        language: "Rust".into(),
        team: "storage".into(),
        strict: false,
        method: (),
        style_guide: StyleGuide,
        rules: vec![
            "Never approve unsafe code.".into(),
            "Quote the line you mean.".into(),
        ],
    };
    // readme: end
    reviewer
}

/// Without white space, and the commas that stand at the ends of lists over several lines.
fn flat(text: &str) -> String {
    let flat: String = text.split_whitespace().collect();
    flat.replace(",]", "]").replace(",)", ")")
}

/// The lines of this file between two markers.
fn marked(name: &str) -> &'static str {
    let start = format!("// readme: {name}\n");
    let text = include_str!("docs.rs").split(&start).nth(1);
    let text = text.unwrap_or_else(|| panic!("no mark `{name}`"));
    text.split("// readme: end").next().unwrap_or_default()
}

#[test]
fn the_readme_shows_programs_that_run() {
    let readme = flat(&read("README.md"));
    for name in ["types", "value"] {
        assert!(readme.contains(&flat(marked(name))), "`{name}` differs");
    }
}

/// A summary that costs more than what it stands for is no example.
#[test]
fn the_prompt_of_the_readme_has_no_lints() {
    let lints = reviewer().prompt().lint();
    assert!(lints.is_empty(), "{lints}");
}

#[test]
fn the_readme_shows_the_printed_prompt() -> Result<(), Box<dyn Error>> {
    let prompt = reviewer().prompt().render()?;
    assert!(
        read("README.md").contains(&format!("```text\n{prompt}\n```\n")),
        "{prompt}"
    );
    Ok(())
}

#[test]
fn the_readme_shows_what_the_compiler_says() {
    let said = read("tests/ui/fail/variables/unknown_variable_near.stderr");
    let said = said.replace("ui/fail/variables/unknown_variable_near.rs", "src/main.rs");
    assert!(
        read("README.md").contains(&format!("```text\n{}\n```\n", said.trim_end())),
        "{said}"
    );
}

/// Pieces of the expansion, with `// ..` between them.
#[test]
fn the_page_for_contributors_shows_what_the_derive_writes() {
    let page = read("CONTRIBUTING.md");
    let (_, part) = page
        .split_once("<!-- expansion: begin -->\n```rust,ignore\n")
        .unwrap();
    let (shown, _) = part.split_once("\n```").unwrap();
    let written = flat(&read(
        "prompt-macros/tests/expansion/quickstart.expanded.rs",
    ));
    for piece in shown.split("\n// ..\n") {
        assert!(written.contains(&flat(piece)), "{piece}");
    }
}

/// It runs as a doctest.
#[test]
fn the_agent_of_the_readme_is_short() {
    let readme = read("README.md");
    let (_, agent) = readme.split_once("\n```rust\nuse prompt_agent::").unwrap();
    let (agent, _) = agent.split_once("\n```\n").unwrap();
    assert!(agent.contains("fn main()"));
    let lines = agent.lines().filter(|line| !line.is_empty());
    assert!(lines.count() <= 45, "{agent}");
}

/// The lines of a page outside of fences.
fn outside_code(page: &str) -> impl Iterator<Item = &str> {
    let mut fence = 0;
    page.lines().filter(move |line| {
        let marks = line.len() - line.trim_start_matches('`').len();
        let is_fence = marks >= 3 && (fence == 0 || marks >= fence && line.len() == marks);
        if is_fence {
            fence = if fence == 0 { marks } else { 0 };
        }
        !is_fence && fence == 0
    })
}

/// The targets of a page's links and pictures, outside of code.
fn links(page: &str) -> Vec<&str> {
    let rest = outside_code(page).flat_map(|line| line.split("](").skip(1));
    rest.filter_map(|rest| rest.split(')').next()).collect()
}

/// The headings of a page, as links name them.
fn anchors(page: &str) -> Vec<String> {
    let headings = outside_code(page).filter(|line| line.starts_with('#'));
    let is_kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    let anchor = |line: &str| {
        let words = line.trim_start_matches('#').trim().chars();
        let words: String = words.filter(is_kept).collect();
        words.to_lowercase().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

/// The guides: their folders, and how links name their pages.
const GUIDES: [(&str, &str); 3] = [
    ("prompt-core/src/guide", "prompt_core::guide::"),
    ("prompt-core/agent/src/guide", "prompt_agent::guide::"),
    ("prompt-core/review/src/guide", "prompt_review::guide::"),
];

/// The file that a link of a page names: a page of a guide, or one beside it. None where rustdoc looks it up.
fn target(page: &str, link: &str) -> Option<String> {
    let own = GUIDES.iter().find(|(folder, _)| page.starts_with(folder));
    let named = GUIDES.iter().find_map(|(folder, start)| {
        let name = link.strip_prefix(start)?;
        Some(format!("{folder}/{name}.md"))
    });
    let own_page = own.and_then(|(folder, _)| {
        let name = link.strip_prefix("crate::guide::")?;
        Some(format!("{folder}/{name}.md"))
    });
    if let Some(file) = named.or(own_page) {
        return Some(file);
    }
    let is_name = own.is_some() && (link.contains("::") || link == "crate");
    let file = Path::new(page).with_file_name(link);
    (!is_name).then(|| file.to_string_lossy().into_owned())
}

/// Nothing is published yet: what a page links to is in the repository, or is somebody else's.
#[test]
fn links_work_from_a_clone() {
    let tops = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "examples/README.md",
    ];
    let packages = [
        "prompt-core/agent",
        "prompt-core/review",
        "prompt-core/syntax",
        "prompt-macros",
    ];
    let mut pages: Vec<String> = tops.map(str::to_owned).into();
    pages.extend(packages.map(|folder| format!("{folder}/README.md")));
    for (folder, _) in GUIDES {
        let files = std::fs::read_dir(top(folder)).unwrap();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        pages.extend(
            names
                .filter(|name| name.ends_with(".md"))
                .map(|name| format!("{folder}/{name}")),
        );
    }
    let mut seen = 0;
    for page in &pages {
        let text = read(page);
        for link in links(&text) {
            if link.starts_with("http") {
                assert!(!link.contains("docs.rs/prompt-"), "{page}: {link}");
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = if path.is_empty() {
                Some(page.clone())
            } else {
                target(page, path)
            };
            let Some(file) = file else {
                continue;
            };
            assert!(top(&file).exists(), "{page}: {link}");
            let is_known = |known: &String| known == anchor;
            assert!(
                anchor.is_empty() || anchors(&read(&file)).iter().any(is_known),
                "{page}: {link}"
            );
            seen += 1;
        }
    }
    assert!(seen > 80, "{seen}");
}

/// It is read in one go, and each check says in CONTRIBUTING.md what it is for.
#[test]
fn the_readme_is_short_and_the_checks_have_a_page() {
    let readme = read("README.md");
    assert!(readme.lines().count() <= 260, "{}", readme.lines().count());
    let (_, commands) = readme.split_once("\n```sh\n").unwrap();
    let starts = [
        "git clone ",
        "cargo run --example quickstart ",
        "cargo test --workspace ",
    ];
    for (line, start) in commands.lines().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
    let page = read("CONTRIBUTING.md");
    for entry in std::fs::read_dir(top("tests")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(
            !name.ends_with(".sh") || page.contains(&format!("tests/{name}")),
            "{name}"
        );
    }
}

#[test]
fn every_feature_is_in_the_tables() {
    for (folder, front) in [
        ("prompt-core", "src/lib.rs"),
        ("prompt-core/agent", "README.md"),
    ] {
        let manifest: toml::Table = read(&format!("{folder}/Cargo.toml")).parse().unwrap();
        let front = read(&format!("{folder}/{front}"));
        let features = manifest["features"].as_table().unwrap();
        for feature in features.keys().filter(|name| *name != "default") {
            let is_named =
                |line: &str| line.contains("| ") && line.contains(&format!("`{feature}`"));
            assert!(front.lines().any(is_named), "{folder}: {feature}");
        }
    }
}

/// The programs for client crates share a row.
#[test]
fn every_example_is_in_their_readme_and_no_other() {
    let manifest: toml::Table = read("examples/Cargo.toml").parse().unwrap();
    let examples = manifest["example"].as_array().unwrap();
    let names = examples
        .iter()
        .filter_map(|example| example["name"].as_str());
    let mut names: Vec<&str> = names.filter(|name| !name.starts_with("client_")).collect();
    let readme = read("examples/README.md");
    let rows = readme
        .lines()
        .filter(|line| line.starts_with("| `cargo run "));
    let shown = rows.filter_map(|row| row.split("--example ").nth(1)?.split([' ', '`']).next());
    let mut shown: Vec<&str> = shown.filter(|name| !name.starts_with("client_")).collect();
    names.sort_unstable();
    shown.sort_unstable();
    assert_eq!(shown, names);
}

#[test]
fn every_page_of_the_guide_is_a_module_with_a_row() {
    let head = read("prompt-core/src/guide/mod.rs");
    for entry in std::fs::read_dir(top("prompt-core/src/guide")).unwrap() {
        let path = entry.unwrap().path();
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.extension().is_some_and(|extension| extension == "md") {
            assert!(head.contains(&format!("{name}: \"{name}.md\"")), "{name}");
            assert!(head.contains(&format!("[`{name}`]")), "{name}");
        }
    }
}

/// A reader copies what is shown: hidden lines only assert, end a body, or ask for features. (The pages of the language and
/// of migrating say what `check` and `ported` do.)
#[test]
fn programs_of_the_guide_compile_without_their_hidden_lines() {
    let hidden = [
        "Ok::<",
        "}",
        "#[cfg(",
        "assert",
        "main()?;",
        "mod guide ",
        "use prompt_core::PromptNode;",
    ];
    for entry in std::fs::read_dir(top("prompt-core/src/guide")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let page = std::fs::read_to_string(&path).unwrap();
        for line in page.split("\n```rust").skip(1).flat_map(|rest| {
            let program = rest.split("\n```").next().unwrap_or_default();
            program.lines().filter_map(|line| line.strip_prefix("# "))
        }) {
            let is_allowed = hidden.iter().any(|start| line.trim().starts_with(start));
            assert!(is_allowed, "{}: {line}", path.display());
        }
    }
}

/// The page shows the template that the engine read; its program is a doctest.
#[test]
fn the_template_of_the_migrating_page_is_that_of_the_engine() {
    let page = guide("migrating");
    let template = read("prompt-core/src/guide/ported/jinja.j2");
    assert!(page.contains(&format!("text\n{template}")));
}

/// The agent of the guide is the one that the example with a client runs, and a page long.
#[test]
fn the_agent_of_the_guide_is_that_of_the_example() {
    let page = read("prompt-core/agent/src/guide/agents.md");
    let program = chapter(&page, "The program");
    let (_, program) = program.split_once("```rust\n").unwrap();
    let (program, _) = program.split_once("```\n").unwrap();
    let shown = program.lines().filter(|line| !line.starts_with("# "));
    assert!(shown.clone().count() <= 72, "{}", shown.count());
    // But for white space and the commas before a line break.
    let code = |text: &str| text.replace([' ', '\n', ','], "");
    let agent = |text: &str, end: &str| {
        let (_, agent) = text.split_once("/// You write for a river").unwrap();
        code(agent.split_once(end).unwrap().0)
    };
    let example = read("examples/src/bulletin.rs");
    assert_eq!(
        agent(program, "fn main"),
        agent(&example, "// What follows")
    );
}

/// What a newcomer copies to ask a real provider is a program that builds.
#[test]
fn the_page_on_clients_shows_the_example() {
    let example = read("examples/ask.rs");
    let (_, program) = example.split_once("\n\nuse ").unwrap();
    assert!(
        read("prompt-core/agent/src/guide/clients.md").contains(program),
        "{program}"
    );
}

/// Without the page of codes, which has two examples for each.
#[test]
fn the_guide_is_no_longer_than_it_may_be() {
    let pages = std::fs::read_dir(top(GUIDES[0].0)).unwrap();
    let names = pages.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names = names.filter(|name| name.ends_with(".md") && name != "codes.md");
    let words: usize = names
        .map(|name| {
            guide(name.trim_end_matches(".md"))
                .split_whitespace()
                .count()
        })
        .sum();
    assert!(words <= 17_000, "{words}");
}

#[test]
fn figures_of_pages_are_those_that_the_benches_wrote() {
    for (page, figures) in [
        ("README.md", "tests/benches/realistic/figures.md"),
        (
            "prompt-core/src/guide/compared.md",
            "tests/peers-bench/figures.md",
        ),
    ] {
        assert!(
            read(page).contains(&read(figures)),
            "{page} quotes {figures}"
        );
    }
}
