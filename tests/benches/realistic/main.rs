//! What realistic prompts cost over `push_str` of the same bytes: instructions where valgrind is there (the same on a busy
//! machine, within a percent), and times. `cargo bench -p prompt-tests --bench realistic [-- NAME]`
//!
//! The instructions of each call are held to `ceilings.txt`, in multiples of `push_str`: the command fails where one is over.
//! `-- --write` writes `figures.md`, which README quotes (a test compares them), and lowers the ceilings to what was reached.
#![allow(clippy::unwrap_used, clippy::cast_precision_loss, missing_docs)]

mod callgrind;
mod prompts;

use prompts::Case;
use std::{
    collections::BTreeMap,
    env,
    error::Error,
    fmt::Write as _,
    fs,
    path::Path,
    process::ExitCode,
    time::{Duration, Instant},
};

/// What a case may cost, in multiples of `push_str`, by name.
const CEILINGS: &str = include_str!("ceilings.txt");

const ROUNDS: usize = 30;
const CALLS: u32 = 50;

/// Asks for the files.
const WRITE: &str = "--write";

/// What README quotes: prompts in its words, and the calls of the two columns.
const QUOTED: [(&str, &[&str], &[&str]); 6] = [
    (
        "the reviewer above",
        &["reviewer text()"],
        &["reviewer render()"],
    ),
    (
        "an agent with tools; a chat",
        &["agent_prompt text()", "chat text()"],
        &["agent_prompt render()", "chat render()"],
    ),
    (
        "100 sections of fixed words; in XML",
        &["handbook text()", "handbook, boxed, XML text()"],
        &["handbook render()", "handbook, boxed, XML render()"],
    ),
    (
        "an agent in XML, its values guarded",
        &["warden, XML text()"],
        &["warden, XML render()"],
    ),
    (
        "20 summaries in `Disclosure`; a turn of it",
        &[],
        &["disclosure render()", "disclosure a turn"],
    ),
    (
        "100 sections, of which a budget cuts half",
        &[],
        &["100 sections budget of half"],
    ),
];

/// What a call costs.
struct Cost {
    name: String,
    /// In multiples of `push_str`.
    ratio: f64,
    time: Duration,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut wanted: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let writes = wanted.iter().any(|arg| arg == WRITE);
    wanted.retain(|arg| arg != WRITE);
    let cases = prompts::all();
    if wanted.first().is_some_and(|arg| arg == callgrind::MEASURE) {
        callgrind::measure(cases.iter().map(|case| &*case.job));
        return Ok(ExitCode::SUCCESS);
    }
    let ceilings = ceilings();
    let instructions = callgrind::instructions(cases.len())?;
    if instructions.is_none() {
        println!("valgrind is not there: no instructions, and no ceiling is held\n");
    }
    let times = times(&cases);
    let (mut over, mut costs) = (Vec::new(), Vec::new());
    println!("| prompt | call | instructions | x | at most | time x |\n|---|---|--:|--:|--:|--:|");
    for (index, case) in cases.iter().enumerate() {
        let Case { prompt, call, .. } = case;
        let name = format!("{prompt} {call}");
        if wanted.iter().any(|wanted| !name.contains(wanted.as_str())) {
            continue;
        }
        let base = cases
            .iter()
            .position(|base| base.prompt == *prompt)
            .unwrap();
        let ceiling = ceilings.get(name.as_str());
        let time = times[index].as_secs_f64() / times[base].as_secs_f64();
        let Some(counts) = &instructions else {
            println!("| {prompt} | {call} | | | | {time:.1} |");
            continue;
        };
        let ratio = counts[index] as f64 / counts[base] as f64;
        let most = ceiling.map_or_else(String::new, f64::to_string);
        println!(
            "| {prompt} | {call} | {} | {ratio:.1} | {most} | {time:.1} |",
            counts[index]
        );
        let is_base = index == base;
        costs.extend((!is_base).then(|| Cost {
            name: name.clone(),
            ratio,
            time: times[index],
        }));
        if ceiling.is_none_or(|ceiling| ratio > *ceiling) && !is_base {
            over.push(format!("{name}: {ratio:.1}, at most {most}"));
        }
    }
    if writes {
        write(&costs)?;
    }
    if over.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    println!("\nover `ceilings.txt`:\n{}", over.join("\n"));
    Ok(ExitCode::FAILURE)
}

/// The table that README quotes, and the ceilings, where they were not lower: five in a hundred above what was reached, since
/// what the compiler makes of the calls of the hand differs by about that from build to build.
fn write(costs: &[Cost]) -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/realistic");
    let of = |names: &[&str]| {
        let cost = |name: &&str| costs.iter().find(|cost| cost.name == *name);
        let shown =
            |Cost { ratio, time, .. }: &Cost| format!("{ratio:.0}x, {} µs", microseconds(*time));
        let shown: Vec<String> = names.iter().filter_map(cost).map(shown).collect();
        shown.join("; ")
    };
    let mut table = String::from("| prompt | `text()` | `render()` |\n|---|--:|--:|\n");
    for (prompt, text, render) in QUOTED {
        writeln!(table, "| {prompt} | {} | {} |", of(text), of(render))?;
    }
    fs::write(folder.join("figures.md"), table)?;
    let mut lines: Vec<String> = Vec::new();
    for line in CEILINGS.lines() {
        let name = line.split_once('|').map(|(name, _)| name.trim());
        let cost = costs.iter().find(|cost| Some(&*cost.name) == name);
        let old = name.and_then(|name| ceilings().get(name).copied());
        lines.push(match cost {
            Some(Cost { name, ratio, .. }) => {
                let most = (ratio * 10.5).ceil() / 10.0;
                format!("{name} | {}", old.map_or(most, |old| old.min(most)))
            }
            None => line.to_owned(),
        });
    }
    fs::write(folder.join("ceilings.txt"), lines.join("\n") + "\n")?;
    Ok(())
}

fn microseconds(time: Duration) -> String {
    let time = time.as_secs_f64() * 1e6;
    if time < 10.0 {
        format!("{time:.1}")
    } else {
        format!("{time:.0}")
    }
}

/// The table in `ceilings.txt`.
fn ceilings() -> BTreeMap<&'static str, f64> {
    let line = |line: &'static str| {
        let (name, most) = line.split_once('|')?;
        Some((name.trim(), most.trim().parse().ok()?))
    };
    CEILINGS.lines().filter_map(line).collect()
}

/// The best time of each case; each round runs all of them.
fn times(cases: &[Case]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; cases.len()];
    for _ in 0..ROUNDS {
        for (Case { job, .. }, best) in cases.iter().zip(&mut best) {
            let start = Instant::now();
            for _ in 0..CALLS {
                callgrind::measured_call(job);
            }
            *best = (*best).min(start.elapsed() / CALLS);
        }
    }
    best
}
