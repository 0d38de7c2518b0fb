//! The layers of the house, read from the paths in the code: nothing imports upwards, nothing through the crate root, and no
//! files import each other in a circle but those that are listed.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The folders of the crates with layers, and their modules from the ground up. A module names those before it in the list
/// only; what is not in it may use all of them.
const CRATES: &[(&str, &[&str])] = &[
    ("../prompt-core/src", ROOMS),
    (
        "../prompt-core/agent/src",
        &["telemetry", "conversation", "answer", "wire", "testing"],
    ),
];

/// The rooms of `prompt-core`.
const ROOMS: &[&str] = &[
    "errors",
    "xml",
    "messages",
    "tokens",
    "node",
    "document",
    "page",
    "select",
    "prompt",
    "disclosure",
    "dynamic",
];

/// Modules that stand beside the core, and could be crates of their own: what each may name of it. A whole module here is one
/// that stands beside the core, too, or that messages and tools are made of.
const BESIDE: &[(&str, &[&str])] = &[
    ("tokens", &["messages::message", "messages::tool::ToolSpec"]),
    (
        "compaction",
        &[
            "errors::debug_as_display",
            "messages::message",
            "messages::saved",
            "tokens",
            "messages::tool::OPEN_SECTIONS",
            "messages::tool::is_notice",
        ],
    ),
    (
        "assembly",
        &[
            "errors::debug_as_display",
            "errors::diagnostics::UnknownName",
            "errors::feature",
            "messages::message",
            "prompt::RenderedPrompt",
        ],
    ),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The paths through the crate that stand in the code of a file, in `use` items and elsewhere, with braces written out.
fn imports(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let code: String = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .map(|line| format!("{line}\n"))
        .collect();
    for item in code.split("use ").skip(1) {
        let Some((item, _)) = item.split_once(';') else {
            continue;
        };
        if item.starts_with("crate::") || item.starts_with("super::") {
            expand(&item.split_whitespace().collect::<String>(), &mut found);
        }
    }
    for path in code.split("crate::").skip(1) {
        let end = path.find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':'));
        let path = &path[..end.unwrap_or(path.len())];
        // With `::` at its end it is that of a tree, which is written out above.
        if !path.is_empty() && !path.ends_with("::") {
            found.push(format!("crate::{path}"));
        }
    }
    found
}

/// Writes out the braces of a `use` tree.
fn expand(tree: &str, found: &mut Vec<String>) {
    let Some(open) = tree.find('{') else {
        found.push(tree.to_owned());
        return;
    };
    let (head, rest) = tree.split_at(open);
    let inner = rest.trim_start_matches('{');
    let inner = inner.strip_suffix('}').unwrap_or(inner);
    let (mut depth, mut from) = (0, 0);
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = &inner[from..at];
                if !part.is_empty() {
                    expand(&format!("{head}{part}"), found);
                }
                from = at + 1;
            }
            _ => {}
        }
    }
}

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The top-level module that a file belongs to.
fn module(file: &Path, root: &Path) -> String {
    let inside = file.strip_prefix(root).unwrap();
    let first = inside.components().next().unwrap().as_os_str();
    first.to_string_lossy().trim_end_matches(".rs").to_owned()
}

#[test]
fn nothing_imports_upwards_or_through_the_root() {
    let mut faults = Vec::new();
    for (path, order) in CRATES {
        let root = folder(path);
        for file in sources(&root) {
            let importer = module(&file, &root);
            if matches!(importer.as_str(), "lib" | "private") {
                continue;
            }
            for import in imports(&fs::read_to_string(&file).unwrap()) {
                let fault = import
                    .strip_prefix("crate::")
                    .and_then(|path| fault(order, &importer, path));
                faults.extend(fault.map(|fault| format!("{}: `{import}` {fault}", file.display())));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is wrong with an import of one module in another.
fn fault(order: &[&str], importer: &str, path: &str) -> Option<&'static str> {
    let imported = path.split("::").next().unwrap();
    if imported.starts_with(char::is_uppercase) {
        return Some("goes through the root");
    }
    let rank = |name: &str| order.iter().position(|room| *room == name);
    let is_below = match (rank(importer), rank(imported)) {
        (Some(own), Some(other)) => other <= own,
        // What stands above the list may use all of it, but nothing in the list uses what stands above.
        (Some(_), None) => false,
        (None, _) => true,
    };
    (!is_below).then_some("is above it")
}

/// The crates above the core use what every program may use.
#[test]
fn the_crates_above_the_core_use_what_is_public() {
    for path in ["../prompt-core/agent/src", "../prompt-core/review/src"] {
        for file in sources(&folder(path)) {
            let source = fs::read_to_string(&file).unwrap();
            assert!(!source.contains("__private"), "{}", file.display());
        }
    }
}

#[test]
fn what_stands_beside_the_core_names_little_of_it() {
    let root = folder("../prompt-core/src");
    let mut faults = Vec::new();
    for file in sources(&root) {
        let importer = module(&file, &root);
        let Some((_, allowed)) = BESIDE.iter().find(|(name, _)| *name == importer) else {
            continue;
        };
        for import in imports(&fs::read_to_string(&file).unwrap()) {
            let path = import.strip_prefix("crate::").unwrap_or_default();
            let imported = path.split("::").next().unwrap();
            let is_in = |allowed: &&str| {
                let rest = path.strip_prefix(allowed);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
            };
            if !imported.is_empty() && imported != importer && !allowed.iter().any(is_in) {
                faults.push(format!("{}: `{import}`", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_modules_import_each_other_in_a_circle() {
    for (path, _) in CRATES {
        let root = folder(path);
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for file in sources(&root) {
            let importer = module(&file, &root);
            if matches!(importer.as_str(), "lib" | "private") {
                continue;
            }
            for import in imports(&fs::read_to_string(&file).unwrap()) {
                if let Some(path) = import.strip_prefix("crate::") {
                    let imported = path.split("::").next().unwrap().to_owned();
                    if imported != importer {
                        edges.entry(importer.clone()).or_default().insert(imported);
                    }
                }
            }
        }
        assert_eq!(circles(&edges), BTreeSet::new());
    }
}

/// Files that import each other, by crate: what is still to be untied. A circle may become smaller; none may be added.
const CIRCLES: &[(&str, &[&[&str]])] = &[
    (
        "../prompt-core/src",
        &[&[
            "node::each",
            "node::embedded",
            "node::reworded",
            "node::sequence",
        ]],
    ),
    (
        "../prompt-core/agent/src",
        &[
            &["answer", "answer::choose"],
            &["conversation", "conversation::settle"],
        ],
    ),
    ("../prompt-core/review/src", &[]),
    (
        "../prompt-core/syntax/src",
        &[&[
            "blocks",
            "build",
            "check",
            "condition",
            "findings",
            "inline",
            "problem",
            "slips",
            "source",
            "text_lines",
        ]],
    ),
    (
        "../prompt-macros/src",
        &[&["check", "model", "model::paths", "model::section"]],
    ),
];

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut faults = Vec::new();
    for (path, known) in CIRCLES {
        let known: Vec<BTreeSet<String>> = known.iter().map(|it| names(it)).collect();
        for circle in circles(&Files::read(&folder(path)).edges()) {
            if !known.iter().any(|known| circle.is_subset(known)) {
                faults.push(format!("{path}: {circle:?}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// The files of a crate by the paths of their modules. The file of the crate itself, which only declares, is left out.
struct Files {
    /// The paths that stand in each. What is given on (`pub use`) is no import.
    paths: BTreeMap<String, Vec<String>>,
    /// What a name in a module stands for.
    given_on: BTreeMap<String, String>,
}

impl Files {
    fn read(root: &Path) -> Self {
        let mut files = Self {
            paths: BTreeMap::new(),
            given_on: BTreeMap::new(),
        };
        for file in sources(root) {
            let name = file.strip_prefix(root).unwrap().to_string_lossy();
            let module = name.trim_end_matches(".rs").trim_end_matches("/mod");
            let module = module.replace('/', "::");
            if !matches!(module.as_str(), "lib" | "main" | "private") {
                files.note(&module, &fs::read_to_string(&file).unwrap());
            }
        }
        files
    }

    fn note(&mut self, module: &str, source: &str) {
        let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let lines = source
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        let code: String = lines.map(|line| format!("{line}\n")).collect();
        let own = imports(source);
        let mut paths: Vec<String> = own.iter().map(|path| absolute(module, path)).collect();
        for (at, _) in code.match_indices("use ") {
            let line = code[..at].rfind('\n').map_or(0, |end| end + 1);
            let before = code[line..at].trim();
            let is_given_on = before.starts_with("pub");
            if !before.is_empty() && !is_given_on {
                continue;
            }
            let tree = code[at + "use ".len()..].split(';').next().unwrap();
            let tree = tree.replace(" as ", "=");
            let mut found = Vec::new();
            expand(&tree.split_whitespace().collect::<String>(), &mut found);
            for path in found {
                let (path, alias) = path.split_once('=').unwrap_or((&path, ""));
                let own = path.rsplit("::").next().unwrap();
                let name = if alias.is_empty() { own } else { alias };
                let path = absolute(module, path);
                if is_given_on {
                    paths.retain(|other| *other != path);
                    self.given_on.insert(format!("{module}::{name}"), path);
                } else {
                    paths.push(path);
                }
            }
        }
        self.paths.insert(module.to_owned(), paths);
    }

    /// The module that a path leads to, through what others give on.
    fn home(&self, path: &str) -> Option<&str> {
        let mut path = path.to_owned();
        // A name that is given on in a circle is given on by nobody.
        for _ in 0..8 {
            let whole = path.clone();
            let given = self.given_on.iter().find_map(|(name, target)| {
                let rest = whole.strip_prefix(name.as_str())?;
                (rest.is_empty() || rest.starts_with("::")).then(|| format!("{target}{rest}"))
            });
            match given {
                Some(target) if target != path => path = target,
                _ => break,
            }
        }
        let mut module = path.as_str();
        loop {
            if let Some((found, _)) = self.paths.get_key_value(module) {
                return Some(found);
            }
            module = module.rsplit_once("::")?.0;
        }
    }

    fn edges(&self) -> BTreeMap<String, BTreeSet<String>> {
        let edges = self.paths.iter().map(|(module, paths)| {
            let homes = paths.iter().filter_map(|path| self.home(path));
            let others = homes.filter(|home| home != module).map(str::to_owned);
            (module.clone(), others.collect())
        });
        edges.collect()
    }
}

/// A path in a module as one from the root of the crate.
fn absolute(module: &str, path: &str) -> String {
    if let Some(path) = path.strip_prefix("crate::") {
        return path.to_owned();
    }
    let (mut module, mut path) = (module, path);
    while let Some(rest) = path.strip_prefix("super::") {
        (module, path) = (
            module.rsplit_once("::").map_or("", |(above, _)| above),
            rest,
        );
    }
    format!("{module}::{path}")
        .trim_start_matches("::")
        .to_owned()
}

/// The sets of names that reach each other.
fn circles(edges: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<BTreeSet<String>> {
    let reach = |from: &str| {
        let (mut found, mut next) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(name) = next.pop() {
            let others = edges.get(&name).into_iter().flatten();
            next.extend(
                others
                    .filter(|other| found.insert((*other).clone()))
                    .cloned(),
            );
        }
        found
    };
    let reached: BTreeMap<&str, BTreeSet<String>> = edges
        .keys()
        .map(|name| (name.as_str(), reach(name)))
        .collect();
    let circle = |name: &&str| -> BTreeSet<String> {
        let leads_back = |other: &&String| {
            reached
                .get(other.as_str())
                .is_some_and(|it| it.contains(*name))
        };
        reached[name].iter().filter(leads_back).cloned().collect()
    };
    let circles = reached.keys().map(circle);
    circles.filter(|circle| circle.len() > 1).collect()
}

#[test]
fn the_core_has_few_rooms() {
    let entries = fs::read_dir(folder("../prompt-core/src")).unwrap().count();
    assert!(entries <= 16, "{entries} files and folders");
}
