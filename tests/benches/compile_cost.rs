//! What a derive costs the compiler: CPU seconds of `cargo check` for many structs of ten documented fields, plain, with
//! `serde::Serialize`, and with `PromptNode`; then the same for a tenth of them with ten sections and three lists each, and for
//! structs whose texts reach into another one, in growing numbers: what one of them costs stays the same.
//! Linux only: CPU time is read from `/proc`. (Expanded sizes: test `expansion`.)
//!
//! `cargo bench -p prompt-tests --bench compile_cost [-- full]`; the median of five rounds, in full of nine.

use prompt_tests::{cpu::children_seconds, is_full_bench};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// How many structs have variables; a tenth as many have sections.
const STRUCTS: usize = 1000;

/// What the structs of a crate derive.
struct Contestant {
    name: &'static str,
    derive: &'static str,
    dependency: String,
    /// How many structs it has.
    structs: usize,
    has: Has,
}

/// What the structs have.
#[derive(Clone, Copy, PartialEq)]
enum Has {
    Variables,
    /// Ten sections and three lists.
    Sections,
    /// Two paths into a field.
    Paths,
}

fn main() {
    let rounds = if is_full_bench() { 9 } else { 5 };
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("../prompt-core");
    let core = format!("prompt-core = {{ path = {core:?} }}");
    let serde = "serde = { version = \"1\", features = [\"derive\"] }";
    let contestants = [
        Contestant {
            name: "plain",
            derive: "Clone",
            dependency: String::new(),
            structs: STRUCTS,
            has: Has::Variables,
        },
        Contestant {
            name: "serde",
            derive: "serde::Serialize",
            dependency: serde.into(),
            structs: STRUCTS,
            has: Has::Variables,
        },
        Contestant {
            name: "prompt-core",
            derive: "prompt_core::PromptNode",
            dependency: core.clone(),
            structs: STRUCTS,
            has: Has::Variables,
        },
        Contestant {
            name: "ten-sections",
            derive: "prompt_core::PromptNode",
            dependency: core.clone(),
            structs: STRUCTS / 10,
            has: Has::Sections,
        },
        with_paths("paths-100", 100, &core),
        with_paths("paths-300", 300, &core),
        with_paths("paths-900", 900, &core),
    ];
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compile-cost");
    let crates: Vec<PathBuf> = contestants
        .iter()
        .map(|it| write_crate(&root, it))
        .collect();
    let mut seconds = vec![Vec::new(); crates.len()];
    // What they depend on is built before.
    for path in &crates {
        check(path, "");
    }
    let sources = contestants.each_ref().map(Contestant::source);
    for _ in 0..rounds {
        for ((path, source), seconds) in crates.iter().zip(&sources).zip(&mut seconds) {
            seconds.push(check(path, source));
        }
    }
    let medians: Vec<f64> = seconds.into_iter().map(median).collect();
    println!(
        "cargo check of {STRUCTS} structs of ten documented fields, CPU seconds, median of {rounds}"
    );
    println!(
        "{:<12} {:>8} {:>8} {:>12}",
        "", "structs", "CPU s", "over plain"
    );
    for (it, median) in contestants.iter().zip(&medians) {
        print!("{:<12} {:>8} {median:>8.2}", it.name, it.structs);
        // As many plain structs stand beside it, or nothing.
        if it.structs == STRUCTS {
            print!(" {:>12.2}", median - medians[0]);
        }
        println!();
    }
}

fn write_crate(root: &Path, it: &Contestant) -> PathBuf {
    let path = root.join(it.name);
    fs::create_dir_all(path.join("src")).expect("the folder can be written");
    let manifest = format!(
        "[package]\nname = \"cost-{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n{}\n[workspace]\n",
        it.name, it.dependency
    );
    fs::write(path.join("Cargo.toml"), manifest).expect("the manifest can be written");
    path
}

impl Contestant {
    fn source(&self) -> String {
        let text = |number| match self.has {
            Has::Variables => with_variables(number, self.derive),
            Has::Sections => with_sections(number),
            Has::Paths => format!(
                "/// Hello {{inner.name}} of {{inner.place}}.\n#[derive(prompt_core::PromptNode)]\n\
                 pub struct S{number} {{\n    inner: Inner,\n}}\n"
            ),
        };
        let structs: String = (0..self.structs).map(text).collect();
        let inner = "pub struct Inner {\n    pub name: String,\n    pub place: String,\n}\n";
        format!("#![allow(dead_code)]\n{inner}{structs}")
    }
}

fn with_paths(name: &'static str, structs: usize, core: &str) -> Contestant {
    Contestant {
        name,
        derive: "prompt_core::PromptNode",
        dependency: core.to_owned(),
        structs,
        has: Has::Paths,
    }
}

/// Ten documented variables.
fn with_variables(number: usize, derive: &str) -> String {
    let mut source = String::from("/// You review {f0} code for {f1}: {f2}, {f3}, {f4}.\n///\n");
    source.push_str("/// - {f5}\n/// - {f6} and {f7}\n/// - {f8}, {f9}\n");
    source.push_str(&format!("#[derive({derive})]\npub struct S{number} {{\n"));
    for field in 0..10 {
        source.push_str(&format!(
            "    /// What field {field} means.\n    pub f{field}: String,\n"
        ));
    }
    source + "}\n"
}

/// Ten sections and three lists.
fn with_sections(number: usize) -> String {
    let mut source = format!(
        "/// You review code.\n#[derive(prompt_core::PromptNode)]\npub struct S{number} {{\n"
    );
    for field in 0..10 {
        source.push_str(&format!(
            "    /// Introduction of part {field}.\n    #[section]\n    pub s{field}: String,\n"
        ));
    }
    source.push_str("    #[section]\n    pub bullets: Vec<String>,\n");
    source.push_str("    #[section(item = \"{index}. {item}\", join = \"\\n\")]\n    pub numbered: Vec<String>,\n");
    source.push_str(
        "    #[section(untitled, join = \", \", last = \" or \")]\n    pub choices: Vec<String>,\n",
    );
    source + "}\n"
}

/// Checks the crate with this source (its dependencies stay built) and gives the CPU seconds of all processes.
fn check(path: &Path, source: &str) -> f64 {
    fs::write(path.join("src/lib.rs"), source).expect("the source can be written");
    let before = children_seconds();
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["check", "--quiet"])
        .env("CARGO_TARGET_DIR", path.with_file_name("target"))
        // With what it remembers of the last time, the compiler would check nothing but what the macros wrote.
        .env("CARGO_INCREMENTAL", "0")
        .current_dir(path)
        .stdout(Stdio::null())
        .status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "{} does not build",
        path.display()
    );
    children_seconds() - before
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
