//! The agent over SQLite, killed at every step: nothing is lost, and no tool has run twice.

use prompt_examples::saved_agent::{SavedAgent, Step};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

fn file(name: &str) -> PathBuf {
    let path =
        std::env::temp_dir().join(format!("saved-agent-{name}-{}.sqlite", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// Runs to the end; gives the steps, the strokes of the bell, and the log.
fn run(path: &PathBuf) -> (usize, u32, String) {
    let mut agent = SavedAgent::open(path).unwrap();
    let mut steps = 0;
    while agent.step(|| {}).unwrap() == Step::Done {
        steps += 1;
    }
    let log = agent.conversation().unwrap().history().log().to_vec();
    (
        steps,
        agent.rung().unwrap(),
        serde_json::to_string(&log).unwrap(),
    )
}

#[test]
fn killed_before_any_commit_it_goes_on() {
    let path = file("whole");
    let (steps, rung, log) = run(&path);
    assert_eq!((steps, rung), (8, 2));
    for kill in 0..steps {
        let path = file(&format!("killed-{kill}"));
        for _ in 0..kill {
            assert_eq!(
                SavedAgent::open(&path).unwrap().step(|| {}).unwrap(),
                Step::Done
            );
        }
        let mut agent = SavedAgent::open(&path).unwrap();
        let killed = catch_unwind(AssertUnwindSafe(|| agent.step(|| panic!("killed"))));
        assert!(killed.is_err());
        drop(agent);
        let (left, rung_again, log_again) = run(&path);
        assert_eq!((left, rung_again), (steps - kill, rung), "killed at {kill}");
        assert_eq!(log_again, log);
        std::fs::remove_file(&path).unwrap();
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn a_file_that_is_no_database_is_named_and_left_alone() {
    let path = file("text");
    std::fs::write(&path, "This is a letter, and no database at all.").unwrap();
    let error = SavedAgent::open(&path).unwrap_err().to_string();
    assert!(error.contains("saved-agent-text"), "{error}");
    assert_eq!(
        std::fs::read(&path).unwrap(),
        b"This is a letter, and no database at all."
    );
    std::fs::remove_file(&path).unwrap();
}
