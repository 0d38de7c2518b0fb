//! What the first build costs someone who adds the library: wall and CPU seconds of `cargo build` in a fresh target
//! directory, how many crates that is, and which of them cost most; beside `serde` with its derive and `serde_json`,
//! which most trees have already. Sources are fetched before, and built without increments, as crates from the registry
//! are. Linux only: CPU time is read from `/proc`.
//!
//! `cargo bench -p prompt-tests --bench cold_build [-- full]`; in full, the best of three rounds counts.

use prompt_tests::{cpu::children_seconds, is_full_bench};
use std::{
    collections::BTreeMap,
    env, fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::Instant,
};

/// Where this program notes what each crate costs, when cargo runs it in place of the compiler.
const LOG: &str = "COLD_BUILD_LOG";
/// How many crates are listed.
const COSTLIEST: usize = 5;

/// A crate whose dependencies are built.
struct Contestant {
    name: &'static str,
    dependencies: String,
}

/// One build from nothing.
struct Build {
    wall: f64,
    /// CPU seconds of the compiler, by crate.
    crates: BTreeMap<String, f64>,
}

fn main() -> ExitCode {
    if let Some(log) = env::var_os(LOG) {
        return compile(Path::new(&log));
    }
    let rounds = if is_full_bench() { 3 } else { 1 };
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("../prompt-core");
    let contestants = [
        Contestant {
            name: "serde",
            dependencies:
                "serde = { version = \"1\", features = [\"derive\"] }\nserde_json = \"1\"".into(),
        },
        Contestant {
            name: "prompt-core",
            dependencies: format!("prompt-core = {{ path = {core:?} }}"),
        },
    ];
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cold-build");
    let paths = contestants.each_ref().map(|it| write_crate(&root, it));
    let mut best: [Option<Build>; 2] = [None, None];
    for _ in 0..rounds {
        for (path, best) in paths.iter().zip(&mut best) {
            let build = build(path);
            let is_better = |best: &Build| build.seconds() < best.seconds();
            if best.as_ref().is_none_or(is_better) {
                *best = Some(build);
            }
        }
    }
    let [Some(serde), Some(core)] = best else {
        return ExitCode::FAILURE;
    };
    println!("cold build, dev profile, best of {rounds}");
    println!("{:<12} {:>7} {:>7} {:>7}", "", "wall s", "CPU s", "crates");
    for (it, build) in contestants.iter().zip([&serde, &core]) {
        println!(
            "{:<12} {:>7.1} {:>7.1} {:>7}",
            it.name,
            build.wall,
            build.seconds(),
            build.crates.len()
        );
    }
    println!(
        "{:<12} {:>6.2}x {:>6.2}x",
        "ratio",
        core.wall / serde.wall,
        core.seconds() / serde.seconds()
    );
    println!("costliest, CPU s: {}", core.costliest().join(", "));
    ExitCode::SUCCESS
}

impl Build {
    fn seconds(&self) -> f64 {
        self.crates.values().sum()
    }

    fn costliest(&self) -> Vec<String> {
        let mut crates: Vec<_> = self.crates.iter().collect();
        crates.sort_by(|a, b| b.1.total_cmp(a.1));
        let first = crates.into_iter().take(COSTLIEST);
        first.map(|(name, s)| format!("{name} {s:.1}")).collect()
    }
}

/// An empty crate with these dependencies, in the versions that this workspace is tested with, all of them fetched.
fn write_crate(root: &Path, it: &Contestant) -> PathBuf {
    let path = root.join(it.name);
    fs::create_dir_all(path.join("src")).expect("the folder can be written");
    let manifest = format!(
        "[package]\nname = \"cold-{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n{}\n[workspace]\n",
        it.name, it.dependencies
    );
    fs::write(path.join("Cargo.toml"), manifest).expect("the manifest can be written");
    fs::write(path.join("src/lib.rs"), "").expect("the source can be written");
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    fs::copy(lock, path.join("Cargo.lock")).expect("the versions can be copied");
    assert!(cargo(&path, "fetch"), "the sources cannot be fetched");
    path
}

/// Builds from nothing, with this program around the compiler.
fn build(path: &Path) -> Build {
    let (target, log) = (path.join("target"), path.join("log"));
    let _ = fs::remove_dir_all(&target);
    fs::write(&log, "").expect("the log can be written");
    let start = Instant::now();
    assert!(cargo(path, "build"), "{} does not build", path.display());
    let wall = start.elapsed().as_secs_f64();
    let log = fs::read_to_string(&log).expect("the log is there");
    let mut crates = BTreeMap::new();
    for (name, seconds) in log.lines().filter_map(|line| line.split_once(' ')) {
        let seconds: f64 = seconds.parse().expect("seconds are a number");
        *crates.entry(name.to_owned()).or_default() += seconds;
    }
    // The empty crate itself, and what was asked without building anything.
    crates.retain(|name, _| !name.is_empty() && !name.starts_with("cold-"));
    Build { wall, crates }
}

fn cargo(path: &Path, command: &str) -> bool {
    let program = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let this = env::current_exe().expect("a program knows its own path");
    let status = Command::new(program)
        .args([command, "--quiet"])
        .env("CARGO_TARGET_DIR", path.join("target"))
        .env("CARGO_INCREMENTAL", "0")
        .env("RUSTC_WRAPPER", this)
        .env(LOG, path.join("log"))
        // That of this bench; what the compiler is asked outside of any crate has none.
        .env_remove("CARGO_PKG_NAME")
        .current_dir(path)
        .stdout(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Runs the compiler and notes the crate and its CPU seconds.
fn compile(log: &Path) -> ExitCode {
    let mut words = env::args_os().skip(1);
    let program = words.next().unwrap_or_default();
    let succeeded = Command::new(program).args(words).status();
    let name = env::var("CARGO_PKG_NAME").unwrap_or_default();
    let line = format!("{name} {}\n", children_seconds());
    let file = fs::OpenOptions::new().create(true).append(true).open(log);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    match (succeeded, written) {
        (Ok(status), Ok(())) if status.success() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
