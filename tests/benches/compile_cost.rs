//! What a derive costs the compiler: CPU seconds of `cargo check` for many structs of ten documented fields, plain, with
//! `serde::Serialize`, and with `PromptNode`; then the same for a tenth of them with ten sections and three lists each.
//! Linux only: CPU time is read from `/proc`. (Expanded sizes: test `expansion`.)
//!
//! `cargo bench -p prompt-tests --bench compile_cost [-- STRUCTS]` (1000 by default)

use prompt_tests::cpu::children_seconds;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const ROUNDS: usize = 3;

/// What the structs of a crate derive.
struct Contestant {
    name: &'static str,
    derive: &'static str,
    dependency: String,
    /// How many structs it has.
    structs: usize,
    /// Ten sections and three lists instead of ten variables.
    sections: bool,
}

fn main() {
    let structs = std::env::args()
        .skip(1)
        .find_map(|word| word.parse().ok())
        .unwrap_or(1000);
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("../prompt-core");
    let core = format!("prompt-core = {{ path = {core:?} }}");
    let few = structs / 10;
    let serde = "serde = { version = \"1\", features = [\"derive\"] }";
    let contestants = [
        Contestant {
            name: "plain",
            derive: "Clone",
            dependency: String::new(),
            structs,
            sections: false,
        },
        Contestant {
            name: "serde",
            derive: "serde::Serialize",
            dependency: serde.into(),
            structs,
            sections: false,
        },
        Contestant {
            name: "prompt-core",
            derive: "prompt_core::PromptNode",
            dependency: core.clone(),
            structs,
            sections: false,
        },
        Contestant {
            name: "ten-sections",
            derive: "prompt_core::PromptNode",
            dependency: core,
            structs: few,
            sections: true,
        },
    ];
    let root = std::env::temp_dir().join("prompt-core-compile-cost");
    let crates: Vec<PathBuf> = contestants
        .iter()
        .map(|it| write_crate(&root, it))
        .collect();
    let mut seconds = vec![Vec::new(); crates.len()];
    for path in &crates {
        check(path);
    }
    for _ in 0..ROUNDS {
        for (path, seconds) in crates.iter().zip(&mut seconds) {
            seconds.push(check(path));
        }
    }
    let medians: Vec<f64> = seconds.into_iter().map(median).collect();
    println!(
        "cargo check of {structs} structs of ten documented fields, CPU seconds, median of {ROUNDS}"
    );
    println!(
        "{:<12} {:>8} {:>8} {:>12}",
        "", "structs", "CPU s", "over plain"
    );
    for (it, median) in contestants.iter().zip(&medians) {
        println!(
            "{:<12} {:>8} {median:>8.2} {:>12.2}",
            it.name,
            it.structs,
            median - medians[0]
        );
    }
}

fn write_crate(root: &Path, it: &Contestant) -> PathBuf {
    let path = root.join(it.name);
    fs::create_dir_all(path.join("src")).expect("the temporary folder can be written");
    let manifest = format!(
        "[package]\nname = \"cost-{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n{}\n[workspace]\n",
        it.name, it.dependency
    );
    let mut source = String::from("#![allow(dead_code)]\n");
    for number in 0..it.structs {
        source.push_str(&if it.sections {
            with_sections(number)
        } else {
            with_variables(number, it.derive)
        });
    }
    fs::write(path.join("Cargo.toml"), manifest).expect("the manifest can be written");
    fs::write(path.join("src/lib.rs"), source).expect("the source can be written");
    path
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

/// Checks the crate anew (its dependencies stay built) and gives the CPU seconds of all processes.
fn check(path: &Path) -> f64 {
    let source = path.join("src/lib.rs");
    let text = fs::read(&source).expect("the source is there");
    fs::write(&source, text).expect("the source can be written");
    let before = children_seconds();
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["check", "--quiet"])
        .env("CARGO_TARGET_DIR", path.join("target"))
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
