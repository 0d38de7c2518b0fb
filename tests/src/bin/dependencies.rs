//! Lists what the published crates depend on, all features on and on every platform, in `DEPENDENCIES.md`: each crate's
//! licence and why it is there. Fails if the list is not the one in the file, or if a crate wants a newer compiler than
//! ours: `cargo run -p prompt-tests --bin dependencies [-- --write]`.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Why each direct dependency is there; what comes with it is named after it.
const REASONS: &[(&str, &str)] = &[
    ("darling", "reads the attributes of the derives"),
    ("itoa", "writes integers"),
    ("memchr", "finds tags and braces in finished text"),
    ("proc-macro2", "tokens of the derives, and where they stand"),
    ("quote", "what the derives write"),
    (
        "schemars",
        "schemas of the types of tools (feature `schemars`)",
    ),
    ("serde", "messages, tools, histories and reports are data"),
    (
        "serde_core",
        "the elements of the grammar are data, without a derive",
    ),
    (
        "serde_json",
        "the JSON of providers, tool schemas, prompt files",
    ),
    ("syn", "reads the types that are derived"),
    ("thiserror", "writes the messages of errors"),
    ("tiktoken", "exact counts of tokens (feature `tiktoken`)"),
    (
        "serde_path_to_error",
        "the place of what serde refuses in an answer (feature `answer`)",
    ),
    ("toml", "prompt files and settings in TOML (feature `toml`)"),
    ("tracing", "spans (feature `tracing`)"),
];

const HEAD: &str = "# Dependencies

What `prompt-core`, `prompt-macros` and `prompt-syntax` bring into a program with every feature on, on any platform. By
default it is less: what only stands behind a feature says so. `cargo run -p prompt-tests --bin dependencies -- --write`
writes this list, and the gate compares it; `cargo deny check` judges licences and advisories by `deny.toml`.

";

/// A crate of the tree.
#[derive(Default)]
struct Package {
    licence: String,
    versions: BTreeSet<String>,
    /// The crates that want it.
    through: BTreeSet<String>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dependencies: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let packages = tree(&root)?;
    check_compilers(&root, &packages)?;
    let list = list(&packages)?;
    let file: PathBuf = root.join("DEPENDENCIES.md");
    if std::env::args().any(|argument| argument == "--write") {
        std::fs::write(&file, list)?;
    } else if std::fs::read_to_string(&file)? != list {
        return Err("DEPENDENCIES.md is not up to date; see its first lines".into());
    }
    println!("dependencies: {} crates", packages.len());
    Ok(())
}

fn cargo(root: &Path, arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(root)
        .args(arguments)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Every crate behind `prompt-core` but our own, by name.
fn tree(root: &Path) -> Result<BTreeMap<String, Package>, Box<dyn Error>> {
    #[rustfmt::skip]
    let lines = cargo(root, &[
        "tree", "--locked", "--package", "prompt-core", "--all-features", "--edges", "normal,build", "--target", "all",
        "--prefix", "depth", "--no-dedupe", "--format", "|{p}|{l}",
    ])?;
    let mut packages: BTreeMap<String, Package> = BTreeMap::new();
    let mut above: Vec<String> = Vec::new();
    for line in lines.lines() {
        let parts: Vec<&str> = line.split('|').collect();
        let [depth, package, licence] = parts[..] else {
            return Err(format!("`{line}`").into());
        };
        let mut words = package.split(' ');
        let name = words.next().unwrap_or_default().to_owned();
        let version = words.next().unwrap_or_default().trim_start_matches('v');
        above.truncate(depth.parse()?);
        if !name.starts_with("prompt-") {
            let found = packages.entry(name.clone()).or_default();
            found.licence = licence.replace('/', " OR ");
            found.versions.insert(version.to_owned());
            found.through.extend(above.last().cloned());
        }
        above.push(name);
    }
    Ok(packages)
}

/// No crate wants a newer compiler than the one that we promise.
fn check_compilers(root: &Path, ours: &BTreeMap<String, Package>) -> Result<(), Box<dyn Error>> {
    let metadata = cargo(root, &["metadata", "--locked", "--format-version", "1"])?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let known: Vec<&Value> = metadata["packages"]
        .as_array()
        .into_iter()
        .flatten()
        .collect();
    let core = known
        .iter()
        .find(|package| package["name"] == "prompt-core");
    let promised = core.map_or(0, |package| minor(&package["rust_version"]));
    let too_new: Vec<String> = known
        .iter()
        .filter(|package| {
            let name = package["name"].as_str().unwrap_or_default();
            let version = package["version"].as_str().unwrap_or_default();
            ours.get(name)
                .is_some_and(|ours| ours.versions.contains(version))
        })
        .filter(|package| minor(&package["rust_version"]) > promised)
        .map(|package| format!("{} needs Rust {}", package["name"], package["rust_version"]))
        .collect();
    if too_new.is_empty() {
        Ok(())
    } else {
        Err(too_new.join(", ").into())
    }
}

/// The second number of a version; 0 where nothing is said.
fn minor(version: &Value) -> u32 {
    let number = version
        .as_str()
        .and_then(|version| version.split('.').nth(1));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn list(packages: &BTreeMap<String, Package>) -> Result<String, Box<dyn Error>> {
    let mut list = format!("{HEAD}| crate | licence | why |\n|---|---|---|\n");
    for (name, package) in packages {
        let reason = REASONS.iter().find(|(known, _)| known == name);
        let is_direct = package.through.iter().any(|by| by.starts_with("prompt-"));
        let why = match (reason, is_direct) {
            (Some((_, why)), true) => (*why).to_owned(),
            (None, false) => {
                let through: Vec<&str> = package.through.iter().map(String::as_str).collect();
                format!("through {}", through.join(", "))
            }
            (None, true) => return Err(format!("say in `REASONS` why `{name}` is there").into()),
            (Some(_), false) => {
                return Err(format!("`REASONS` names `{name}`, which we do not use").into());
            }
        };
        list += &format!("| `{name}` | {} | {why} |\n", package.licence);
    }
    Ok(list)
}
