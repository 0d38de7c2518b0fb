//! The gate and its scripts: a failure of a command is the failure of the gate, and everything is compiled by it.

use std::path::{Path, PathBuf};

fn top(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The gate, the workflows, and the scripts that they run.
fn scripts() -> Vec<(PathBuf, String)> {
    let mut paths = vec![top(".ci/run"), top(".ci/beside")];
    for (folder, extension) in [(".github/workflows", "yml"), ("tests", "sh")] {
        let entries = std::fs::read_dir(top(folder)).unwrap();
        let files = entries.map(|entry| entry.unwrap().path());
        paths.extend(files.filter(|path| path.extension().is_some_and(|of| of == extension)));
    }
    assert!(paths.len() > 5);
    let read = |path: PathBuf| (path.clone(), read(&path));
    paths.into_iter().map(read).collect()
}

#[test]
fn no_command_of_the_gate_fails_without_a_word() {
    for (path, script) in scripts() {
        for line in script.lines().map(str::trim) {
            let place = format!("{}: {line}", path.display());
            // The list of a loop, or of an array, may fail: then there is nothing to do, and all is well.
            let is_list =
                line.starts_with("for ") && line.contains(" in $(") || line.contains("=($(");
            assert!(!is_list, "{place}");
            // Any failure would do, also that of the compiler.
            assert!(!line.starts_with("! "), "{place}");
            let is_silent = line.contains("cargo ") || line.starts_with("-Z ");
            assert!(!is_silent || !line.contains("/dev/null"), "{place}");
        }
    }
}

/// `cargo test --workspace` leaves out what takes long, and the gate does not.
#[test]
fn the_gate_runs_all_tests() {
    let gate = read(&top(".ci/run"));
    let steps: Vec<&str> = gate.lines().map(str::trim).collect();
    assert!(steps.contains(&"export CASES_PERCENT=100"));
    let all = r#"step cargo test --workspace --lib --bins --tests --examples "${all[@]}""#;
    assert!(steps.contains(&all));
    let mut left_out = Vec::new();
    for folder in ["tests", "tests/programs"] {
        let manifest: toml::Table = read(&top(folder).join("Cargo.toml")).parse().unwrap();
        let tests = manifest.get("test").and_then(|tests| tests.as_array());
        for test in tests.into_iter().flatten() {
            if test
                .get("test")
                .is_some_and(|test| test.as_bool() == Some(false))
            {
                left_out.push(test["name"].as_str().unwrap().to_owned());
            }
        }
    }
    assert_eq!(left_out, ["ui"]);
    assert!(steps.contains(&r#"step cargo test --workspace --test ui "${all[@]}""#));
}

/// What stands outside of the workspace is compiled by nothing else.
#[test]
fn what_is_no_member_of_the_workspace_is_compiled_beside_the_gate() {
    let manifest = read(&top("Cargo.toml"));
    let excluded = manifest
        .lines()
        .find_map(|line| line.strip_prefix("exclude = "));
    let excluded: Vec<String> = serde_json::from_str(excluded.unwrap()).unwrap();
    assert!(excluded.len() > 1, "{excluded:?}");
    let gate = read(&top(".ci/beside"));
    for folder in excluded {
        let manifest = format!("--manifest-path {folder}/Cargo.toml");
        assert!(gate.contains(&manifest), "{folder}");
        assert!(
            top(&folder).join("Cargo.lock").exists(),
            "{folder}: --locked needs its lock file"
        );
    }
}
