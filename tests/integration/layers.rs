//! The layers of the house, read from the paths in the code: nothing imports upwards, nothing through the crate root, and no
//! two files of a module import each other in a circle.

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
    "layout",
    "print",
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
            "messages::message",
            "tokens",
            "messages::tool::NOW_SHOWN",
            "messages::tool::OPENED_TOGETHER",
            "messages::tool::OPEN_SECTIONS",
        ],
    ),
    (
        "assembly",
        &[
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
        assert_eq!(circle(&edges), None);
    }
}

#[test]
fn no_files_of_a_module_import_each_other_in_a_circle() {
    let mut circles = Vec::new();
    for path in [
        "../prompt-core/src",
        "../prompt-core/agent/src",
        "../prompt-core/review/src",
        "../prompt-core/syntax/src",
        "../prompt-macros/src",
    ] {
        let root = folder(path);
        let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for file in sources(&root) {
            let name = file
                .strip_prefix(&root)
                .unwrap()
                .to_string_lossy()
                .into_owned();
            let parent = file.parent().unwrap();
            let parent = if name.ends_with("mod.rs") {
                parent.parent().unwrap()
            } else {
                parent
            };
            for import in imports(&fs::read_to_string(&file).unwrap()) {
                let Some(path) = import.strip_prefix("super::") else {
                    continue;
                };
                let first = path.split("::").next().unwrap();
                let sibling = parent.join(format!("{first}.rs"));
                let inside = parent.join("mod.rs");
                let target = if sibling.exists() { sibling } else { inside };
                if target.exists() && target != file {
                    let target = target
                        .strip_prefix(&root)
                        .unwrap()
                        .to_string_lossy()
                        .into_owned();
                    edges.entry(name.clone()).or_default().insert(target);
                }
            }
        }
        circles.extend(circle(&edges));
    }
    assert_eq!(circles, [""; 0]);
}

/// A circle, if there is one.
fn circle(edges: &BTreeMap<String, BTreeSet<String>>) -> Option<String> {
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for start in edges.keys() {
        let mut trail = Vec::new();
        if let Some(found) = visit(start, edges, &mut trail, &mut done) {
            return Some(found);
        }
    }
    None
}

fn visit<'e>(
    at: &'e str,
    edges: &'e BTreeMap<String, BTreeSet<String>>,
    trail: &mut Vec<&'e str>,
    done: &mut BTreeSet<&'e str>,
) -> Option<String> {
    if let Some(first) = trail.iter().position(|seen| *seen == at) {
        return Some(format!("{} -> {at}", trail[first..].join(" -> ")));
    }
    if done.contains(at) {
        return None;
    }
    trail.push(at);
    for next in edges.get(at).into_iter().flatten() {
        if let Some(found) = visit(next, edges, trail, done) {
            return Some(found);
        }
    }
    trail.pop();
    done.insert(at);
    None
}

#[test]
fn the_core_has_few_rooms() {
    let entries = fs::read_dir(folder("../prompt-core/src")).unwrap().count();
    assert!(entries <= 16, "{entries} files and folders");
}
