//! The agent over SQLite, killed at every step and at any moment: nothing is lost, and no tool has run twice.

use prompt_agent::Conversation;
use prompt_core::Role;
use prompt_examples::saved_agent::{Category, SavedAgent, Step};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

fn file(name: &str) -> PathBuf {
    let name = format!("saved-agent-{name}-{}.sqlite", std::process::id());
    let path = std::env::temp_dir().join(name);
    remove(&path);
    path
}

fn remove(path: &Path) {
    let _ = fs::remove_file(path);
    let _ = fs::remove_file(path.with_extension("sqlite-journal"));
}

/// Runs to the end; gives the steps.
fn run(path: &Path) -> usize {
    let agent = SavedAgent::open(path).unwrap();
    (0..)
        .take_while(|_| agent.step(|| {}).unwrap() != Step::Over)
        .count()
}

/// The refunds, and the log.
fn kept(path: &Path) -> (u32, String) {
    let agent = SavedAgent::open(path).unwrap();
    let log = agent.conversation().unwrap().history().log().to_vec();
    (
        agent.refunds().unwrap(),
        serde_json::to_string(&log).unwrap(),
    )
}

/// A server that is busy, breaks off and fails, a tool that is not there, arguments that break off, an answer that does not fit
/// and one that is cut off: every letter gets its answer.
#[test]
fn the_letters_are_answered() {
    let path = file("letters");
    let agent = SavedAgent::open(&path).unwrap();
    let mut answers = Vec::new();
    loop {
        match agent.step(|| {}).unwrap() {
            Step::Over => break,
            Step::Answered(resolution) => answers.push(resolution),
            Step::Done => {}
        }
    }
    let replies: Vec<_> = answers
        .iter()
        .map(|answer| (&answer.category, answer.reply.as_str()))
        .collect();
    assert_eq!(
        replies,
        [
            (&Category::Delay, "We refund it."),
            (&Category::Other, "Dogs go free.")
        ]
    );
    let conversation = agent.conversation().unwrap();
    let refused = |conversation: &Conversation| {
        let log = conversation.history().log().iter();
        log.filter(|said| said.role == Role::User && said.verdict().is_some())
            .count()
    };
    assert_eq!((agent.refunds().unwrap(), refused(&conversation)), (1, 2));
    // What was refused is in the log, and sent no more.
    let sent = conversation.history().view().messages();
    assert!(sent.iter().all(|said| said.verdict().is_none()));
    remove(&path);
}

#[test]
fn killed_before_any_commit_it_goes_on() {
    let path = file("whole");
    let steps = run(&path);
    let whole = kept(&path);
    assert_eq!(steps, 12);
    for kill in 0..steps {
        let path = file(&format!("killed-{kill}"));
        for _ in 0..kill {
            let agent = SavedAgent::open(&path).unwrap();
            assert_ne!(agent.step(|| {}).unwrap(), Step::Over);
        }
        let agent = SavedAgent::open(&path).unwrap();
        let killed = catch_unwind(AssertUnwindSafe(|| agent.step(|| panic!("killed"))));
        assert!(killed.is_err());
        drop(agent);
        assert_eq!(run(&path), steps - kill, "killed at {kill}");
        assert_eq!(kept(&path), whole);
        remove(&path);
    }
    remove(&path);
}

/// The process itself is killed, at any moment.
#[test]
fn killed_at_any_moment_it_goes_on() {
    let path = file("uncut");
    run(&path);
    let whole = kept(&path);
    remove(&path);
    for moment in (0..240).step_by(12) {
        let path = file(&format!("moment-{moment}"));
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_process_to_be_killed", "--ignored"])
            .env("SAVED_AGENT", &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(moment));
        let _ = child.kill();
        child.wait().unwrap();
        run(&path);
        assert_eq!(kept(&path), whole, "after {moment} ms");
        remove(&path);
    }
}

#[test]
#[ignore = "no test of its own: `killed_at_any_moment_it_goes_on` starts it as a process, and kills it"]
fn a_process_to_be_killed() {
    if let Ok(path) = std::env::var("SAVED_AGENT") {
        run(Path::new(&path));
    }
}

/// Bits that flip in the file: an error, or a text that is another. Nothing panics, and what is refused is not changed.
#[test]
fn flipped_bits_are_read_or_refused() {
    let path = file("bits");
    run(&path);
    let saved = fs::read(&path).unwrap();
    let mut refused = 0;
    for at in (0..saved.len()).step_by(211) {
        let mut flipped = saved.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&path, &flipped).unwrap();
        let step = SavedAgent::open(&path).and_then(|agent| agent.step(|| {}));
        if let Err(error) = step {
            refused += 1;
            assert!(!error.to_string().is_empty());
            assert_eq!(fs::read(&path).unwrap(), flipped);
        }
    }
    assert!(refused > 0);
    remove(&path);
}

#[test]
fn what_is_no_database_is_named_and_left_alone() {
    let path = file("text");
    let letter = b"This is a letter, and no database at all.";
    fs::write(&path, letter).unwrap();
    let error = SavedAgent::open(&path).unwrap_err().to_string();
    assert!(error.contains("saved-agent-text"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), letter);
    for path in [path.join("below"), std::env::temp_dir()] {
        let error = SavedAgent::open(&path).unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()), "{error}");
    }
    remove(&path);
}
