//! Lists the public names of a crate with their signatures, from the JSON that rustdoc writes of it:
//! `public_api target/doc/prompt_core.json`. `tests/public_api.sh` makes that JSON, and compares the list.
//! `public_api count tests/api/*.txt` counts the names that users meet.
//!
//! A line is a path and the words of its declaration, as they stand in the source; a type has one line with the traits it
//! implements, but for those of every type.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let path = match arguments.as_slice() {
        [word, lists @ ..] if word == "count" && !lists.is_empty() => {
            count(lists);
            return ExitCode::SUCCESS;
        }
        [path] => path,
        _ => {
            eprintln!("usage: public_api <rustdoc.json>, or: public_api count <list> ..");
            return ExitCode::FAILURE;
        }
    };
    let text = fs::read_to_string(path).expect("the JSON of rustdoc can be read");
    let json: Value = serde_json::from_str(&text).expect("rustdoc writes JSON");
    let mut list = List {
        index: json["index"].as_object().expect("an index of items"),
        paths: &json["paths"],
        sources: BTreeMap::new(),
        lines: BTreeSet::new(),
        listed: BTreeMap::new(),
    };
    let root = json["root"].clone();
    let name = list.item(&root).and_then(|item| item["name"].as_str());
    let name = name.expect("a crate has a name").to_owned();
    list.visit(&root, &name);
    for line in &list.lines {
        println!("{line}");
    }
    ExitCode::SUCCESS
}

/// Prints how many types (aliases among them), traits, functions and derives the lists have, each once however many places
/// name it; not counted are methods, fields, variants, constants and modules. Of `prompt-syntax`, which prompts do not name,
/// what the others show counts, and its own sum stands beside.
fn count(lists: &[String]) {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for list in lists {
        let text = fs::read_to_string(list).expect("the list can be read");
        let own: BTreeSet<String> = text.lines().filter_map(counted).collect();
        println!("{:4} {list}", own.len());
        if !list.ends_with("prompt-syntax.txt") {
            names.extend(own);
        }
    }
    println!("{:4} public names", names.len());
}

/// The path of what a line of a list declares, or of what it names of `prompt-syntax`.
fn counted(line: &str) -> Option<String> {
    let (path, words) = line.split_once(": ")?;
    if let Some(name) = words.strip_prefix("pub use prompt_syntax::") {
        return Some(format!("prompt_syntax::{name}"));
    }
    let is_type = |name: &str| name.starts_with(char::is_uppercase);
    let is_member = path.rsplit("::").skip(1).any(is_type);
    let words = words.strip_prefix("pub ").unwrap_or(words);
    let kinds = [
        "struct ",
        "enum",
        "trait ",
        "type ",
        "fn ",
        "const fn ",
        "async fn ",
        "proc macro",
    ];
    let is_counted = !is_member && kinds.iter().any(|kind| words.starts_with(kind));
    is_counted.then(|| path.to_owned())
}

struct List<'a> {
    index: &'a Map<String, Value>,
    /// Whose item each path is: 0 is the crate itself.
    paths: &'a Value,
    /// The lines of the files that were read.
    sources: BTreeMap<String, Vec<String>>,
    lines: BTreeSet<String>,
    /// Where an item is listed already: its second place only says so.
    listed: BTreeMap<String, String>,
}

impl<'a> List<'a> {
    /// The item of an id, which is a number or a text; `None` for one of another crate.
    fn item(&self, id: &Value) -> Option<&'a Value> {
        let key = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
        self.index.get(&key)
    }

    fn visit(&mut self, id: &Value, path: &str) {
        let (Some(item), key) = (self.item(id), id.to_string()) else {
            return;
        };
        let Some((kind, inner)) = item["inner"].as_object().and_then(|it| it.iter().next()) else {
            return;
        };
        if let Some(first) = self.listed.get(&key) {
            self.lines.insert(format!("{path}: pub use {first}"));
            return;
        }
        if kind != "use" {
            self.listed.insert(key, path.to_owned());
        }
        if !matches!(kind.as_str(), "module" | "use" | "impl") {
            let declared = self.declaration(item);
            self.lines.insert(format!("{path}: {declared}"));
        }
        match kind.as_str() {
            "module" | "trait" => self.children(&inner["items"], path),
            "use" => self.reexport(inner, path),
            "struct" => {
                let fields = &inner["kind"];
                self.children(&fields["plain"]["fields"], path);
                self.implementations(&inner["impls"], path);
            }
            "enum" => {
                self.children(&inner["variants"], path);
                self.implementations(&inner["impls"], path);
            }
            "variant" => self.children(&inner["kind"]["struct"]["fields"], path),
            _ => {}
        }
    }

    fn children(&mut self, ids: &Value, path: &str) {
        let is_module = |id: &Value| {
            self.item(id)
                .is_some_and(|it| it["inner"].get("module").is_some())
        };
        // The home of a name is its module; the root names it again.
        let (mut ids, others): (Vec<_>, Vec<_>) = ids
            .as_array()
            .into_iter()
            .flatten()
            .partition(|id| is_module(id));
        ids.extend(others);
        for id in ids {
            let name = self.item(id).and_then(|item| item["name"].as_str());
            let is_use = self
                .item(id)
                .is_some_and(|item| item["inner"].get("use").is_some());
            match name {
                Some(name) if !is_use => self.visit(id, &format!("{path}::{name}")),
                _ => self.visit(id, path),
            }
        }
    }

    fn reexport(&mut self, inner: &Value, path: &str) {
        let (id, source) = (&inner["id"], inner["source"].as_str().unwrap_or_default());
        let is_glob = inner["is_glob"] == true;
        match self.item(id) {
            Some(_) if is_glob => self.visit(id, path),
            Some(_) => self.visit(
                id,
                &format!("{path}::{}", inner["name"].as_str().unwrap_or("_")),
            ),
            None => {
                self.lines.insert(format!("{path}: pub use {source}"));
            }
        }
    }

    /// The methods and constants of a type, and the traits that are implemented for it by name.
    fn implementations(&mut self, ids: &Value, path: &str) {
        let mut traits = BTreeSet::new();
        for id in ids.as_array().into_iter().flatten() {
            let Some(inner) = self.item(id).map(|item| &item["inner"]["impl"]) else {
                continue;
            };
            match inner["trait"]["path"].as_str() {
                None => self.children(&inner["items"], path),
                Some(_) if inner["is_synthetic"] == true || !inner["blanket_impl"].is_null() => {}
                // Another type's, in which this one is an argument; or a trait that only derives know.
                Some(_) if !path.ends_with(&format!("::{}", type_name(&inner["for"]))) => {}
                Some(_) if self.is_hidden(&inner["trait"]["id"]) => {}
                Some(name) => {
                    let of = &inner["trait"]["args"]["angle_bracketed"]["args"];
                    let of = of.as_array().into_iter().flatten().map(name_of);
                    let of: Vec<String> = of.collect();
                    let name = name.rsplit("::").next().unwrap_or(name);
                    traits.insert(match of.as_slice() {
                        [] => name.to_owned(),
                        of => format!("{name}<{}>", of.join(", ")),
                    });
                }
            }
        }
        traits.remove("StructuralPartialEq");
        if !traits.is_empty() {
            let traits: Vec<String> = traits.into_iter().collect();
            self.lines
                .insert(format!("{path}: impl {}", traits.join(", ")));
        }
    }

    /// Whether a trait of this crate is not shown.
    fn is_hidden(&self, id: &Value) -> bool {
        let is_own = self.paths[id.to_string()]["crate_id"] == 0;
        is_own && self.item(id).is_none()
    }

    /// The words of a declaration: from where it begins to its body, in one line. What a macro made has its kind only.
    fn declaration(&mut self, item: &Value) -> String {
        let kind = item["inner"].as_object().and_then(|it| it.keys().next());
        let kind = kind.map_or("item", String::as_str).replace('_', " ");
        let name = item["name"].as_str().unwrap_or_default();
        let span = &item["span"];
        let (Some(file), Some(begin)) = (span["filename"].as_str(), place(&span["begin"])) else {
            return kind;
        };
        let end = place(&span["end"]).unwrap_or(begin);
        let lines = self.sources.entry(file.to_owned()).or_insert_with(|| {
            let text = fs::read_to_string(file).unwrap_or_default();
            text.lines().map(str::to_owned).collect()
        });
        let lines = lines.iter().take(end.0).skip(begin.0 - 1);
        let lines = lines
            .map(|line| line.trim())
            .filter(|line| !line.starts_with("//") && !line.starts_with("#["));
        let text = lines.collect::<Vec<_>>().join(" ");
        let words = head(&text, &kind)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let words = words
            .replace("( ", "(")
            .replace(", )", ")")
            .replace(",)", ")");
        if words.contains(name) {
            words.trim_end_matches(',').to_owned()
        } else {
            kind
        }
    }
}

/// Line and column, from 1.
fn place(place: &Value) -> Option<(usize, usize)> {
    let number = |at: usize| usize::try_from(place[at].as_u64()?).ok();
    Some((number(0)?, number(1)?))
}

/// The part of a declaration before its body or value.
fn head<'t>(text: &'t str, kind: &str) -> &'t str {
    let end = match kind {
        "struct field" => None,
        "constant" | "assoc const" => text.find(" = "),
        "variant" => text
            .find([' ', '(', '{', ','])
            .filter(|_| text.contains('{')),
        "struct" if !text.contains('{') => text.find(['(', ';']),
        "type alias" => text.find(';'),
        _ => text.find(['{', ';']),
    };
    text.get(..end.unwrap_or(text.len())).unwrap_or(text)
}

/// A type among the arguments of a trait, as far as it has a name.
fn name_of(argument: &Value) -> String {
    if let Some(lifetime) = argument["lifetime"].as_str() {
        return lifetime.to_owned();
    }
    type_name(&argument["type"])
}

fn type_name(mut argument: &Value) -> String {
    let mut signs = String::new();
    while let Some(of) = argument.get("borrowed_ref") {
        signs.push('&');
        argument = &of["type"];
    }
    let named = argument["resolved_path"]["path"].as_str();
    let named = named.or_else(|| argument["primitive"].as_str());
    let named = named
        .or_else(|| argument["generic"].as_str())
        .unwrap_or("_");
    signs + named.rsplit("::").next().unwrap_or(named)
}
