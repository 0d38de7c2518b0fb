//! A conversation that outlives the program: one message per line of an append-only file.
//!
//! Every message is on the disk before the next one is asked for; a crash while one is saved loses that one at most, and what
//! a failed save leaves is passed over (`examples/src/history_file.rs`). The file is the log; the recaps and the frontier
//! follow from it, byte for byte.
//!
//! `cargo run --example history_file`

use prompt_core::Message;
use prompt_core::compaction::CompactionConfig;
use prompt_core::compaction::CompactionError;
use prompt_examples::arguments::Request;
use prompt_examples::history_file::HistoryFile;
use std::error::Error;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    if let Request::Help = Request::from_env(0, &[])? {
        println!(
            "usage: history_file\n\nWrites and reads a scratch file in the folder for temporary files."
        );
        return Ok(());
    }
    let path = scratch_file();
    let sent = first_session(&path)?;
    let log_len = crash_while_saving(&path)?;
    second_session(&path, &sent, log_len)?;
    fs::remove_file(&path)?;
    Ok(())
}

fn config() -> Result<CompactionConfig, CompactionError> {
    CompactionConfig::builder()
        .min_preserved(1)
        .batch_size(2)
        .build()
}

/// Three turns; what would be sent after them.
fn first_session(path: &Path) -> Result<Vec<Message>, Box<dyn Error>> {
    let mut conversation = HistoryFile::open(path, config()?)?;
    conversation.push(Message::system("You help to plan a walk along the coast."))?;
    for (question, answer) in [
        (
            "Where do we start, and how long is the first day?",
            "At the old lifeboat house. Eleven kilometres with two climbs, so about four hours.\n\
             recap - day 1: from the lifeboat house, 11 km, 4 h",
        ),
        (
            "Is there anything to eat on the way?",
            "A farm shop after six kilometres, open until five, and an inn at the end of the day.\n\
             recap - food: farm shop at km 6 until 17:00, inn at the end",
        ),
        (
            "And the second day?",
            "Nine kilometres on the beach; mind the tide.\nrecap - day 2: 9 km of beach",
        ),
    ] {
        conversation.push(Message::user(question))?;
        conversation.push(Message::assistant(answer))?;
    }
    let view = conversation.history().view();
    println!(
        "first session: {} messages saved, {} sent",
        view.log().len(),
        view.len()
    );
    Ok(view.messages())
}

/// The program dies in the middle of a line.
fn crash_while_saving(path: &Path) -> io::Result<usize> {
    let saved = fs::read_to_string(path)?.lines().count();
    let mut file = OpenOptions::new().append(true).open(path)?;
    file.write_all(br#"{"role":"user","content":[{"type":"text","te"#)?;
    println!("crash: half a message at the end of the file");
    Ok(saved)
}

/// Goes on where the first one stopped, with the same bytes.
fn second_session(path: &Path, sent: &[Message], log_len: usize) -> Result<(), Box<dyn Error>> {
    let mut conversation = HistoryFile::open(path, config()?)?;
    let view = conversation.history().view();
    let same = serde_json::to_string(&view.messages())? == serde_json::to_string(sent)?;
    println!(
        "second session: {} of {log_len} messages back, same bytes sent: {same}",
        view.log().len()
    );
    conversation.push(Message::user("When is low water?"))?;
    for message in conversation.history().view().messages() {
        println!(
            "  {:?}: {}",
            message.role,
            message.text().replace('\n', " / ")
        );
    }
    if same && conversation.history().len() == log_len + 1 {
        Ok(())
    } else {
        Err("the second session does not go on where the first one stopped".into())
    }
}

fn scratch_file() -> PathBuf {
    std::env::temp_dir().join(format!("prompt-core-history-{}.jsonl", std::process::id()))
}
