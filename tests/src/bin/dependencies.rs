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
    ("clap", "reads the arguments of the command"),
    ("darling", "reads the attributes of the derives"),
    ("glob", "patterns in the names of files"),
    ("itoa", "writes integers"),
    ("maud", "writes pages"),
    ("memchr", "finds tags and braces in finished text"),
    ("proc-macro2", "tokens of the derives, and where they stand"),
    ("quote", "what the derives write"),
    ("rustix", "tells the command when its reader has gone"),
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
    (
        "regex-lite",
        "patterns of a type in answers and arguments (feature `answer`)",
    ),
    ("similar", "compares lines and words"),
    ("syn", "reads the types that are derived"),
    ("thiserror", "writes the messages of errors"),
    ("tiktoken", "exact counts of tokens (feature `tiktoken`)"),
    (
        "serde_path_to_error",
        "the place of what serde refuses in an answer (feature `answer`)",
    ),
    ("toml", "prompt files and settings in TOML (feature `toml`)"),
    (
        "saphyr-parser",
        "front matter of skills in YAML (feature `yaml`)",
    ),
    ("tracing", "spans (feature `tracing`)"),
    ("walkdir", "the files below a folder"),
];

const HEAD: &str = "# Dependencies

What each of the published crates brings along with every feature on, on any platform. By default it is less: what only stands
behind a feature says so. `cargo run -p prompt-tests --bin dependencies -- --write` writes this list, and the gate compares it;
`cargo deny check` judges licences and advisories by `deny.toml`.
";

/// The crates that a program depends on, with what is said of each.
const CRATES: [(&str, &str); 3] = [
    ("prompt-core", "With `prompt-macros` and `prompt-syntax`."),
    ("prompt-agent", "Beside those of `prompt-core`."),
    ("prompt-review", "Beside those of `prompt-core`."),
];

/// Crates by name and version.
type Packages = BTreeMap<(String, String), Package>;

/// A crate of the tree.
#[derive(Default)]
struct Package {
    licence: String,
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
    let mut listed = Packages::new();
    let mut list = HEAD.to_owned();
    for (name, fact) in CRATES {
        let mut packages = tree(&root, name)?;
        check_compilers(&root, &packages)?;
        packages.retain(|key, _| !listed.contains_key(key));
        list += &format!("\n## {name}\n\n{fact}\n\n{}", table(&packages)?);
        listed.extend(packages);
    }
    let file: PathBuf = root.join("DEPENDENCIES.md");
    if std::env::args().any(|argument| argument == "--write") {
        std::fs::write(&file, list)?;
    } else if std::fs::read_to_string(&file)? != list {
        return Err("DEPENDENCIES.md is not up to date; see its first lines".into());
    }
    println!("dependencies: {} crates", listed.len());
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

/// Every crate behind one of ours, but our own.
fn tree(root: &Path, package: &str) -> Result<Packages, Box<dyn Error>> {
    #[rustfmt::skip]
    let lines = cargo(root, &[
        "tree", "--locked", "--package", package, "--all-features", "--edges", "normal,build", "--target", "all",
        "--prefix", "depth", "--no-dedupe", "--format", "|{p}|{l}",
    ])?;
    let mut packages = Packages::new();
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
            let key = (name.clone(), version.to_owned());
            let found = packages.entry(key).or_default();
            found.licence = licence.replace('/', " OR ");
            found.through.extend(above.last().cloned());
        }
        above.push(name);
    }
    Ok(packages)
}

/// No crate wants a newer compiler than the one that we promise.
fn check_compilers(root: &Path, ours: &Packages) -> Result<(), Box<dyn Error>> {
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
            let part = |name: &str| package[name].as_str().unwrap_or_default().to_owned();
            ours.contains_key(&(part("name"), part("version")))
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

fn table(packages: &Packages) -> Result<String, Box<dyn Error>> {
    let mut table = "| crate | licence | why |\n|---|---|---|\n".to_owned();
    for ((name, _), package) in packages {
        let reason = REASONS.iter().find(|(known, _)| known == name);
        let is_direct = package.through.iter().any(|by| by.starts_with("prompt-"));
        let through = || {
            let through: Vec<&str> = package.through.iter().map(String::as_str).collect();
            format!("through {}", through.join(", "))
        };
        let why = match (reason, is_direct) {
            (Some((_, why)), true) => (*why).to_owned(),
            (None, false) => through(),
            (None, true) => return Err(format!("say in `REASONS` why `{name}` is there").into()),
            // Another version of what we use ourselves.
            (Some(_), false) => through(),
        };
        table += &format!("| `{name}` | {} | {why} |\n", package.licence);
    }
    Ok(table)
}
