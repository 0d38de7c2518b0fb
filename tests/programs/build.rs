//! Writes a module for each program that must compile, and a list of them: see `main.rs`.
#![allow(clippy::unwrap_used, clippy::panic)]

#[allow(dead_code)]
mod remedies;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

fn main() {
    println!("cargo::rerun-if-changed={}", remedies::ui().display());
    let mut modules = String::new();
    let mut list = String::new();
    for (name, path) in remedies::programs("pass") {
        let text = fs::read_to_string(path).unwrap();
        // For lints of a whole crate: a program of its own, see `Cargo.toml`.
        if name == "lints/deny_warnings" {
            continue;
        }
        let text = text.replace("\nfn main()", "\npub(crate) fn main()");
        let module = write_module(&mut modules, "dead_code", &name, &text);
        writeln!(list, "    ({name:?}, {module}::main),").unwrap();
    }
    let remedies = remedies::remedies();
    for (name, path) in remedies::programs("fail") {
        if let Some(remedy) = remedies.get(&name) {
            let (text, _) = remedy.applied(&fs::read_to_string(path).unwrap());
            write_module(&mut modules, "unused", &name, &text);
        }
    }
    let all = format!("{modules}\nconst PROGRAMS: &[(&str, fn())] = &[\n{list}];\n");
    fs::write(out().join("programs.rs"), all).unwrap();
}

fn out() -> PathBuf {
    std::env::var_os("OUT_DIR").unwrap().into()
}

/// In a file of its own, so that a message of the compiler names it.
fn write_module(modules: &mut String, allowed: &str, name: &str, text: &str) -> String {
    let module = name.replace('/', "_");
    let path = out().join(name).with_extension("rs");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let text = text.replace("crate::", &format!("crate::{module}::"));
    fs::write(&path, text).unwrap();
    let allowed = format!("#[allow({allowed}, clippy::all, clippy::pedantic)]");
    writeln!(modules, "{allowed}\n#[path = {path:?}]\nmod {module};").unwrap();
    module
}
