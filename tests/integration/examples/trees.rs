//! The examples that work with trees do what they say.

use prompt_core::Code;
use prompt_core::PromptNode;
use prompt_examples::{
    from_file::{Failure, Values, read_values, render, set},
    report::{RiverReport, ScriptedModel, Session},
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

fn data(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples/data")
        .join(file)
}

/// A file of this test's own, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let file =
            std::env::temp_dir().join(format!("prompt-tests-{name}-{}.json", std::process::id()));
        std::fs::remove_file(&file).ok();
        Self(file)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).ok();
    }
}

// ---- report

fn report() -> RiverReport {
    RiverReport::new("Alder", 2024, "the anglers' club")
}

/// Writes at most so many leaves; returns the prompts and the text.
fn write(report: &RiverReport, file: &Path, most: usize) -> (Vec<String>, String) {
    let model = ScriptedModel::read(&data("report_answers.json")).unwrap();
    let mut session = Session::open(report, file).unwrap();
    let mut prompts = Vec::new();
    while let Some((leaf, prompt)) = session
        .next_prompt()
        .unwrap()
        .filter(|_| prompts.len() < most)
    {
        session
            .take(leaf.clone(), model.answer(&leaf).unwrap())
            .unwrap();
        prompts.push(prompt);
    }
    (prompts, session.text().unwrap())
}

#[test]
fn the_report_has_three_levels_and_twelve_leaves_at_least() {
    let leaves = report().prompt().walk().unwrap();
    assert!(leaves.len() >= 12);
    assert!(
        leaves
            .iter()
            .any(|leaf| leaf.path.matches('.').count() >= 2)
    );
}

#[test]
fn a_report_that_was_stopped_anywhere_is_the_same_report() {
    let report = report();
    let whole = write(&report, &Scratch::new("whole").0, usize::MAX);
    assert_eq!(whole.0.len(), 13);
    for stop in [0, 1, 6, 12, 13] {
        let scratch = Scratch::new(&format!("stopped-{stop}"));
        let (mut prompts, _) = write(&report, &scratch.0, stop);
        let (rest, text) = write(&report, &scratch.0, usize::MAX);
        prompts.extend(rest);
        assert_eq!(prompts, whole.0, "stopped after {stop}");
        assert_eq!(text, whole.1, "stopped after {stop}");
    }
}

#[test]
fn each_prompt_shows_its_chain_and_what_is_written() {
    let (prompts, text) = write(&report(), &Scratch::new("prompts").0, usize::MAX);
    let oxygen = &prompts[3];
    assert!(
        oxygen.contains("### The Water")
            && oxygen.contains("#### Chemistry")
            && oxygen.contains("##### Oxygen")
    );
    assert!(
        oxygen.contains("#### Temperature\n\nThe highest reading was 22.4 °C"),
        "{oxygen}"
    );
    assert!(
        oxygen.contains("#### Course\n\nThe Alder rises at 612 m"),
        "{oxygen}"
    );
    assert!(
        !oxygen.contains("Nutrients") && !oxygen.contains("Life in the River"),
        "{oxygen}"
    );
    assert!(
        !prompts[0].contains("Written so far"),
        "the heading goes with the empty slot"
    );
    assert!(text.contains("#### Heavy Metals\n\nZinc at the mine outfall"));
}

// ---- prompt files

fn values(assignments: &[&str]) -> Values {
    let mut values = Values::new();
    for assignment in assignments {
        set(assignment, &mut values).unwrap();
    }
    values
}

#[test]
fn the_shipped_prompt_files_render() {
    let toml = render(
        &data("ferry.toml"),
        &values(&["ferry=Heron", "captain=Ada", "fog=false"]),
    )
    .unwrap();
    assert!(
        toml.starts_with(
            "You make the announcements on the ferry Heron. The captain today is Ada."
        )
    );
    assert!(
        toml.contains("Begin with the time of arrival.") && !toml.contains("horn"),
        "{toml}"
    );
    assert!(
        toml.contains("`{hh:mm}`") && toml.contains("### Lost and Found\n\nHow to announce"),
        "{toml}"
    );
    let json = render(
        &data("ferry.json"),
        &read_values(&data("ferry_values.toml")).unwrap(),
    )
    .unwrap();
    assert!(
        json.contains("Selby, then Wick.") && json.contains("cast off &lt;/log&gt;"),
        "{json}"
    );
    let markdown = render(&data("ferry.md"), &values(&["ferry=Heron", "captain=null"])).unwrap();
    assert!(
        markdown
            .ends_with("## Manner\n\nOne announcement is at most forty words: {\"words\": 40}."),
        "{markdown}"
    );
}

#[test]
fn a_broken_file_is_told_all_its_faults_at_once() {
    let values = values(&["ferry=Heron", "captain=Ada"]);
    let failure = render(&data("ferry_broken.toml"), &values).unwrap_err();
    let report = failure.to_string();
    let Failure::Faults(_, faults) = failure else {
        panic!("{report}")
    };
    let codes: BTreeSet<&str> = faults.iter().map(|fault| fault.code.as_str()).collect();
    assert!(codes.len() >= 6, "{codes:?}");
    assert!(
        faults
            .iter()
            .any(|fault| fault.code == Code::SpacedVariable && fault.path == "departure")
    );
    for fault in &faults {
        assert!(report.contains(&fault.to_string()), "{report}");
    }
    let place = "ferry_broken.toml: line 31: body of section `departure`, column 1: ";
    assert!(report.contains(place), "{report}");
    assert!(
        report.ends_with("ferry_broken.toml: faults: 11"),
        "{report}"
    );
}

#[test]
fn what_cannot_be_read_says_where() {
    let text = |file: &str| {
        render(Path::new(file), &Values::new())
            .unwrap_err()
            .to_string()
    };
    assert!(text("no/such/file.json").starts_with("no/such/file.json: "));
    assert_eq!(text(file!()).lines().count(), 1);
    let scratch = Scratch::new("syntax");
    std::fs::write(&scratch.0, "{\n  \"key\" 3\n}").unwrap();
    assert!(
        text(scratch.0.to_str().unwrap()).contains(".json: line 2, column 9: "),
        "{}",
        text(scratch.0.to_str().unwrap())
    );
    assert!(set("novalue", &mut Values::new()).is_err());
}

#[test]
fn set_keeps_numbers_as_they_are_written() {
    assert_eq!(values(&["n=01"])["n"], "01");
    assert_eq!(values(&["v=1.10"])["v"], "1.10");
    assert_eq!(values(&["t=true"])["t"], true);
}
