//! The reference pages and the README say what the code does: keys, codes, examples, printed prompts.

use prompt_core::wire::{StopReason, openai_chat};
use prompt_core::{Code, Disclosure, DynamicNode, Message, PromptNode, Style, ToolCall};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
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
    part.split("\n# ").next().unwrap_or_default()
}

/// What stands in backticks in the first column of the tables, up to the first character that no key has.
fn first_column(page: &str) -> BTreeSet<String> {
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.flat_map(|row| row.split(" | ").take(1));
    let codes = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let key = |code: &str| {
        code.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .next()
            .map(str::to_owned)
    };
    codes.filter_map(key).collect()
}

/// The keys of each attribute, read from the macro crate's own tables.
#[derive(Default)]
struct Keys {
    /// `KEYS` of each receiver, by file and name.
    groups: BTreeMap<(PathBuf, String), Vec<String>>,
    /// Receivers of each attribute, with the file that names them.
    books: Vec<(PathBuf, String, Vec<String>)>,
    /// Lists of codes by name, such as `ALLOWED`.
    codes: BTreeMap<String, BTreeSet<String>>,
}

impl Keys {
    fn of_the_macros() -> Self {
        let mut keys = Self::default();
        let mut folders = vec![top("prompt-macros/src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    keys.read(&path);
                }
            }
        }
        keys
    }

    fn read(&mut self, path: &Path) {
        let file = syn::parse_file(&std::fs::read_to_string(path).unwrap()).unwrap();
        for item in file.items {
            match item {
                syn::Item::Impl(item) => {
                    let syn::Type::Path(name) = &*item.self_ty else {
                        continue;
                    };
                    let Some(name) = name.path.segments.last() else {
                        continue;
                    };
                    for inner in &item.items {
                        if let syn::ImplItem::Const(constant) = inner
                            && constant.ident == "KEYS"
                        {
                            let words = literals(&constant.expr);
                            self.groups
                                .insert((path.into(), name.ident.to_string()), words);
                        }
                    }
                }
                syn::Item::Static(item) => self.book(path, &item.expr),
                syn::Item::Const(item) => {
                    self.codes.insert(item.ident.to_string(), codes(&item.expr));
                }
                _ => {}
            }
        }
    }

    fn book(&mut self, path: &Path, value: &syn::Expr) {
        let syn::Expr::Struct(book) = value else {
            return;
        };
        let field = |name: &str| {
            let is_named = |field: &&syn::FieldValue| matches!(&field.member, syn::Member::Named(word) if word == name);
            book.fields.iter().find(is_named).map(|field| &field.expr)
        };
        let (Some(attribute), Some(groups)) = (field("attribute"), field("groups")) else {
            return;
        };
        let attribute = literals(attribute).concat();
        self.books.push((path.into(), attribute, receivers(groups)));
    }

    /// All keys of an attribute. A receiver is looked for in the file of the book first.
    fn of(&self, attribute: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for (path, _, groups) in self.books.iter().filter(|(_, name, _)| name == attribute) {
            for group in groups {
                let here = self.groups.get(&(path.clone(), group.clone()));
                let there = || {
                    self.groups
                        .iter()
                        .find(|((_, name), _)| name == group)
                        .map(|(_, words)| words)
                };
                let words = here
                    .or_else(there)
                    .unwrap_or_else(|| panic!("no keys of `{group}`"));
                found.extend(words.iter().cloned());
            }
        }
        assert!(!found.is_empty(), "no keys of `{attribute}`");
        found
    }
}

fn elements(value: &syn::Expr) -> Vec<&syn::Expr> {
    match value {
        syn::Expr::Reference(reference) => elements(&reference.expr),
        syn::Expr::Array(array) => array.elems.iter().collect(),
        other => vec![other],
    }
}

fn literals(value: &syn::Expr) -> Vec<String> {
    let literal = |value: &syn::Expr| match value {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(text),
            ..
        }) => Some(text.value()),
        _ => None,
    };
    elements(value).into_iter().filter_map(literal).collect()
}

/// The types of `Type::KEYS`.
fn receivers(value: &syn::Expr) -> Vec<String> {
    let receiver = |value: &syn::Expr| match value {
        syn::Expr::Path(path) => path
            .path
            .segments
            .iter()
            .rev()
            .nth(1)
            .map(|segment| segment.ident.to_string()),
        _ => None,
    };
    elements(value).into_iter().filter_map(receiver).collect()
}

/// The spelling of `Code::Variant`s.
fn codes(value: &syn::Expr) -> BTreeSet<String> {
    let spelling = |value: &syn::Expr| match value {
        syn::Expr::Path(path)
            if path.path.segments.len() == 2 && path.path.segments[0].ident == "Code" =>
        {
            let name = path.path.segments[1].ident.to_string();
            let code = Code::ALL.iter().find(|code| format!("{code:?}") == name);
            code.map(ToString::to_string)
        }
        _ => None,
    };
    elements(value).into_iter().filter_map(spelling).collect()
}

#[test]
fn every_key_of_an_attribute_has_a_row() {
    let page = guide("attributes");
    let keys = Keys::of_the_macros();
    for attribute in ["prompt", "var", "section", "task"] {
        let rows = first_column(chapter(&page, &format!("`#[{attribute}(..)]`")));
        assert_eq!(rows, keys.of(attribute), "#[{attribute}(..)]");
    }
}

#[test]
fn the_derive_names_every_key() {
    let docs = read("prompt-macros/src/lib.rs");
    let keys = Keys::of_the_macros();
    for attribute in ["prompt", "var", "section"] {
        let row = docs
            .lines()
            .find(|line| line.starts_with(&format!("/// | `#[{attribute}(..)]`")));
        let row = row.unwrap_or_else(|| panic!("no row of `{attribute}`"));
        let words = row.rsplit(" | ").next().unwrap_or_default();
        let named: BTreeSet<String> = words
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        assert_eq!(named, keys.of(attribute), "#[{attribute}(..)]");
    }
}

#[test]
fn the_rules_of_allow_and_deny_are_named() {
    let page = guide("attributes");
    let keys = Keys::of_the_macros();
    for (key, list) in [("allow", "ALLOWED"), ("deny", "DENIED")] {
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{key}(")));
        let row = row.unwrap_or_else(|| panic!("no row of `{key}`"));
        let named: BTreeSet<String> = row
            .split(". The")
            .take(1)
            .flat_map(|part| part.split('`').skip(3).step_by(2))
            .map(str::to_owned)
            .collect();
        assert_eq!(Some(&named), keys.codes.get(list), "{key}(..)");
    }
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
    json!({ "name": "Ada", "flag": true, "notes": "# Tides\n\nHigh at six." })
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
    assert_eq!(
        headings, codes,
        "the page has every code once, in the order of `Code::ALL`"
    );

    let messages = compiler_messages();
    let mut failures = Vec::new();
    for &code in Code::ALL {
        let blocks = fences(chapter(&page, &format!("`{code}`\n")));
        let infos: Vec<&str> = blocks.iter().map(|(info, _)| info.as_str()).collect();
        let run = match infos.as_slice() {
            ["markdown wrong", "markdown right"] => from_text,
            ["json wrong", "json right"] => from_json,
            // Doctests. What the compiler says is compared where its messages are.
            ["compile_fail", ""] => {
                if !messages.contains(&format!("[{code}]")) {
                    failures.push(format!("{code}: no test in ui/fail has it"));
                }
                continue;
            }
            [""] => {
                if !blocks[0].1.contains(&format!("Code::{code:?}")) {
                    failures.push(format!("{code}: its program does not name it"));
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

/// Everything that the UI tests expect the compiler to say.
fn compiler_messages() -> String {
    let mut text = String::new();
    for theme in std::fs::read_dir(top("tests/ui/fail")).unwrap() {
        for file in std::fs::read_dir(theme.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path
                .extension()
                .is_some_and(|extension| extension == "stderr")
            {
                text.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }
    text
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

/// Names are snake_case. Errors name the file.
#[derive(PromptNode)]
struct StyleGuide;

fn reviewer() -> Reviewer {
    Reviewer {
        language: "Rust".into(),
        team: "storage".into(),
        strict: false,
        method: (),
        style_guide: StyleGuide,
        rules: vec![
            "Never approve unsafe code.".into(),
            "Quote the line you mean.".into(),
        ],
    }
}
// readme: end

// readme: round trip
/// Answers a question; `send` posts a body and gives back what came.
fn ask(
    reviewer: &Reviewer,
    question: &str,
    mut send: impl FnMut(Value) -> Value,
) -> Result<String, Box<dyn Error>> {
    let mut disclosure = Disclosure::new(reviewer).max_rounds(10);
    let mut log = vec![Message::user(question)];
    loop {
        let prompt = disclosure.render()?;
        let messages = [prompt.messages(), log.clone()].concat();
        let options = openai_chat::Options::new("gpt-5.6");
        let body = openai_chat::request(&messages, prompt.tools(), &options)?;
        let reply = openai_chat::reply(&send(body))?;
        log.push(reply.message.clone());
        match reply.stop {
            StopReason::End => return Ok(reply.message.text()),
            StopReason::ToolCalls => {
                let calls: Vec<ToolCall> = reply.message.tool_calls().collect();
                log.push(Message::tool(disclosure.handle(&calls)?));
            }
            other => return Err(format!("no answer: {other}").into()),
        }
    }
}
// readme: end

/// The lines of this file between two markers.
fn marked(name: &str) -> String {
    let source = include_str!("docs.rs");
    let start = format!("// readme: {name}\n");
    let text = source
        .split(&start)
        .nth(1)
        .unwrap_or_else(|| panic!("no mark `{name}`"));
    text.split("// readme: end")
        .next()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn the_readme_shows_programs_that_run() {
    let readme = read("README.md");
    for name in ["types", "round trip"] {
        assert!(readme.contains(&marked(name)), "`{name}` differs");
    }
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

#[test]
fn the_round_trip_of_the_readme_ends_with_an_answer() -> Result<(), Box<dyn Error>> {
    let arguments = json!({ "section_keys": ["style_guide"], "reason": "naming rules" });
    let function = json!({ "name": "open_sections", "arguments": arguments.to_string() });
    let call = json!({ "id": "call_1", "type": "function", "function": function });
    let mut answers = vec![
        json!({ "role": "assistant", "content": null, "tool_calls": [call] }),
        json!({ "role": "assistant", "content": "`fooBar` breaks the guide." }),
    ]
    .into_iter();
    let mut bodies = Vec::new();
    let answer = ask(&reviewer(), "Is `fooBar` fine?", |body| {
        bodies.push(body.to_string());
        let message = answers.next().unwrap_or_default();
        let finish = if message["tool_calls"].is_array() {
            "tool_calls"
        } else {
            "stop"
        };
        json!({ "choices": [{ "index": 0, "message": message, "finish_reason": finish }] })
    })?;
    assert_eq!(answer, "`fooBar` breaks the guide.");
    let shown: Vec<bool> = bodies
        .iter()
        .map(|body| body.contains("Names are snake_case."))
        .collect();
    assert_eq!(
        shown,
        [false, true],
        "the guide is there once the model has asked for it"
    );
    Ok(())
}

#[test]
fn the_pages_and_the_readme_link_only_to_files_that_exist() {
    let readme = read("README.md");
    let links = readme
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let mut count = 0;
    for link in links.filter(|link| !link.starts_with("http")) {
        assert!(top(link).exists(), "{link}");
        count += 1;
    }
    assert!(count > 0);
}
