//! A history and the file that holds its log: one message per line. The file only grows, so that programs that share it cut
//! off nothing of each other: what a failed save or a crash has left stands before the next message, and is passed over.

use crate::disk::{Disk, OsDisk, at, at_line};
use prompt_core::compaction::CompactionConfig;
use prompt_core::{History, Message};
use serde_json::Result as Json;
use std::io;
use std::path::{Path, PathBuf};

/// How each message begins in the file.
const START: &[u8] = br#"{"role":"#;

/// The last place where a message, or as much of it as was written, may begin.
fn last_start(bytes: &[u8]) -> Option<usize> {
    (0..bytes.len()).rev().find(|at| begins(&bytes[*at..]))
}

/// Whether bytes begin as a message does, or are a part of that.
fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(START) || START.starts_with(bytes)
}

/// Whether bytes are the beginning of JSON, and no more.
fn breaks_off(bytes: &[u8]) -> bool {
    let read = serde_json::from_slice::<serde::de::IgnoredAny>(bytes);
    read.is_err_and(|fault| fault.is_eof())
}

/// The messages of a line: one, and before it or at the end of the file what failed saves and crashes have left. That is the
/// beginning of a message, which counts for nothing; or a message that only lacks its line break. Also whether a message is
/// the last of it.
fn messages_in(line: &[u8]) -> Json<(Vec<Message>, bool)> {
    let fault = match serde_json::from_slice(line) {
        Ok(message) => return Ok((vec![message], true)),
        Err(fault) => fault,
    };
    let is_ended = line.ends_with(b"\n");
    let (mut found, mut start, mut end) = (Vec::new(), line.len(), line.trim_ascii_end().len());
    let (last, mut is_whole, mut may_be_left) = (end, false, !is_ended);
    loop {
        // What is left of one message may hold what looks like another, among the arguments of a call.
        if may_be_left && begins(line) && breaks_off(&line[..end]) {
            end = 0;
        }
        let Some(at) = last_start(&line[..start.min(end)]) else {
            break;
        };
        start = at;
        let piece = &line[at..end];
        may_be_left = true;
        if let Ok(message) = serde_json::from_slice(piece) {
            is_whole |= end == last;
            (end, found) = (at, [vec![message], found].concat());
        } else if breaks_off(piece) && !(is_ended && end == last) {
            end = at;
        } else {
            // It begins within a message.
            may_be_left = false;
        }
    }
    // One that lacked its line break was pushed again.
    found.dedup();
    if end == 0 {
        Ok((found, is_whole))
    } else {
        Err(fault)
    }
}

/// A history and the file that holds its log. What [`push`](Self::push) has taken is on the disk. Other programs may push to
/// the same file: what they have saved is seen when it is opened.
#[derive(Debug)]
pub struct HistoryFile<D: Disk = OsDisk> {
    history: History,
    path: PathBuf,
    disk: D,
    /// A line that is in the file, but perhaps not on the disk.
    unsynced: Option<Vec<u8>>,
}

impl HistoryFile {
    /// Opens the file; there need be none yet.
    ///
    /// # Errors
    /// When it cannot be read, or holds a line that is no message: the error names file and line, and the file is untouched.
    pub fn open(path: &Path, config: CompactionConfig) -> io::Result<Self> {
        Self::open_on(OsDisk, path, config)
    }
}

impl<D: Disk> HistoryFile<D> {
    /// Opens a history on any disk.
    ///
    /// # Errors
    /// As [`open`](HistoryFile::open).
    pub fn open_on(mut disk: D, path: &Path, config: CompactionConfig) -> io::Result<Self> {
        let saved = disk.read(path).map_err(|error| at(path, &error))?;
        let saved = saved.unwrap_or_default();
        let (mut messages, mut is_ended) = (Vec::new(), true);
        for (number, line) in saved.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let read = messages_in(line);
            let (read, is_whole) = read.map_err(|fault| at_line(path, number + 1, fault))?;
            messages.extend(read);
            is_ended = line.ends_with(b"\n") || !is_whole;
        }
        // A last message whose line break is missing counts.
        if !is_ended {
            let ended = disk.append(path, b"\n");
            ended.map_err(|error| at(path, &error))?;
        }
        Ok(Self {
            history: History::from_log(config, messages),
            path: path.to_owned(),
            disk,
            unsynced: None,
        })
    }

    /// The history.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Gives the disk back.
    pub fn into_disk(self) -> D {
        self.disk
    }

    /// Saves the message, then lets the history see it.
    ///
    /// # Errors
    /// When it cannot be saved: then it is not in the history, and can be pushed again. (It may be in the file all the same,
    /// where the disk has taken it and failed only then; pushed again, it is not doubled.)
    pub fn push(&mut self, message: Message) -> io::Result<()> {
        let mut line = serde_json::to_vec(&message)?;
        line.push(b'\n');
        let saved = self.save(line);
        saved.map_err(|error| at(&self.path, &error))?;
        self.history.push(message);
        Ok(())
    }

    fn save(&mut self, line: Vec<u8>) -> io::Result<()> {
        if self.unsynced.as_ref() != Some(&line) {
            self.disk.append(&self.path, &line)?;
            self.unsynced = Some(line);
        }
        self.disk.sync(&self.path)?;
        self.unsynced = None;
        Ok(())
    }
}
