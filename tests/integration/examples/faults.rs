//! The programs that save, when the world fails them: full disks, files that cannot be opened, programs that are killed at
//! any point, bits that flip. Nothing is lost, or a clear error names file and line.

use prompt_core::compaction::CompactionConfig;
use prompt_core::{Message, ToolCall};
use prompt_examples::disk::{Disk, OsDisk, replace};
use prompt_examples::history_file::HistoryFile;
use prompt_examples::report::{RiverReport, ScriptedModel, Session};
use serde_json::json;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// A disk on which one step fails, and so many after it; what is written then is written in part. Or the program dies there:
/// nothing more is done.
#[derive(Debug, Default)]
struct Failing {
    disk: OsDisk,
    steps: usize,
    /// The first step that fails, and how many do.
    fails: Option<(usize, usize)>,
    dies: bool,
    /// How much of the bytes of a failing write comes through.
    part: usize,
}

impl Failing {
    fn at(step: usize, count: usize, part: usize) -> Self {
        Self {
            fails: Some((step, count)),
            part,
            ..Self::default()
        }
    }

    /// Whether this step fails.
    fn step(&mut self) -> Option<io::Error> {
        let (first, count) = self.fails.unwrap_or((usize::MAX, 0));
        let fails = self.steps >= first && (self.dies || self.steps - first < count);
        self.steps += 1;
        fails.then(|| io::Error::new(io::ErrorKind::StorageFull, "No space left on device"))
    }

    fn some<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        &bytes[..bytes.len() * self.part / 4]
    }
}

impl Disk for Failing {
    fn read(&mut self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        self.step().map_or_else(|| self.disk.read(path), Err)
    }

    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let Some(error) = self.step() else {
            return self.disk.create(path, bytes);
        };
        self.disk.create(path, self.some(bytes))?;
        Err(error)
    }

    fn append(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let Some(error) = self.step() else {
            return self.disk.append(path, bytes);
        };
        // An append that fails has not written all.
        let some = self.some(bytes);
        self.disk
            .append(path, &some[..some.len().min(bytes.len() - 1)])?;
        Err(error)
    }

    fn sync(&mut self, path: &Path) -> io::Result<()> {
        self.step().map_or_else(|| self.disk.sync(path), Err)
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        self.step().map_or_else(|| self.disk.rename(from, to), Err)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        self.step().map_or_else(|| self.disk.remove(path), Err)
    }
}

/// A folder of its own, gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("prompt-core-faults-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn messages() -> Vec<Message> {
    let message = |number: usize| match number % 2 {
        0 => Message::user(format!("Question {number}: wie weit ist es, 鉛?")),
        _ => Message::assistant(format!("Answer {number}.\nrecap - {number}")),
    };
    let mut messages: Vec<Message> = (0..12).map(message).collect();
    // A call whose arguments look like a message.
    let call = ToolCall::new(
        "a",
        "say",
        json!({ "as": { "role": "user", "content": [] } }),
    );
    messages[7].content.push(call.into());
    messages
}

fn config() -> CompactionConfig {
    CompactionConfig::builder()
        .min_preserved(1)
        .batch_size(2)
        .build()
        .unwrap()
}

fn log(path: &Path) -> Vec<Message> {
    HistoryFile::open(path, config())
        .unwrap()
        .history()
        .log()
        .to_vec()
}

// ---- histories

/// Every step fails once or three times, with nothing, a part, or all of the bytes written. The program tries again.
#[test]
fn a_history_loses_nothing_and_doubles_nothing_when_a_step_fails() {
    let folder = Folder::new("history");
    let messages = messages();
    for fails in 0..16 {
        for (count, part) in [(1, 0), (1, 2), (1, 4), (3, 0), (3, 2), (3, 4)] {
            let path = folder.file(&format!("{fails}-{count}-{part}.jsonl"));
            let mut disk = Some(Failing::at(fails, count, part));
            let mut file = loop {
                match HistoryFile::open_on(disk.take().unwrap_or_default(), &path, config()) {
                    Ok(file) => break file,
                    Err(error) => assert!(error.to_string().contains(".jsonl"), "{error}"),
                }
            };
            let mut failed = 0;
            for message in &messages {
                while let Err(error) = file.push(message.clone()) {
                    assert!(error.to_string().contains(".jsonl: No space"), "{error}");
                    failed += 1;
                    assert!(failed < 10);
                }
            }
            assert_eq!(file.history().log(), messages);
            assert_eq!(log(&path), messages, "{fails} {count} {part}");
        }
    }
}

/// The program is killed at every step, and started again.
#[test]
fn a_history_that_is_killed_loses_the_last_message_at_most() {
    let folder = Folder::new("killed");
    let messages = messages();
    // Each message is written, and then brought to the disk.
    for step in 1..2 * messages.len() + 1 {
        for part in 0..=4 {
            let path = folder.file(&format!("{step}-{part}.jsonl"));
            let disk = Failing {
                dies: true,
                ..Failing::at(step, 0, part)
            };
            let mut file = HistoryFile::open_on(disk, &path, config()).unwrap();
            let taken = messages
                .iter()
                .take_while(|message| file.push((*message).clone()).is_ok())
                .count();
            let mut again = HistoryFile::open(&path, config()).unwrap();
            let kept = again.history().len();
            let is_there = step % 2 == 0 || part == 4;
            assert_eq!(kept, taken + usize::from(is_there), "{step} {part}");
            for message in &messages[kept..] {
                again.push(message.clone()).unwrap();
            }
            assert_eq!(log(&path), messages);
        }
    }
}

/// Two programs on one file, on a disk that is full every now and then: what either was told is saved is there, once.
#[test]
fn two_programs_on_a_full_disk_lose_nothing_that_was_saved() {
    let folder = Folder::new("two");
    for seed in 0..200_usize {
        let path = folder.file(&format!("{seed}.jsonl"));
        let mut programs = [0, 1].map(|program| {
            let disk = Failing::at(
                1 + (seed + program) % 5,
                1 + seed % 4,
                (seed / 5 + program) % 4,
            );
            (
                HistoryFile::open_on(disk, &path, config()).unwrap(),
                Vec::new(),
            )
        });
        for step in 0..24 {
            let (file, saved) = &mut programs[(step * (seed | 1) / 3) % 2];
            let message = Message::user(format!("Question {step}: {{\"role\":鉛?"));
            if file.push(message.clone()).is_ok() {
                saved.push(message);
            }
        }
        let kept = log(&path);
        let mut saved = programs.map(|(_, saved)| saved).concat();
        saved.sort_by_key(|message| kept.iter().position(|kept| kept == message));
        // What a disk took and failed only then may be there, too.
        let told = kept.into_iter().filter(|message| saved.contains(message));
        assert_eq!(told.collect::<Vec<_>>(), saved, "{seed}");
    }
}

/// What is no log is refused, and not changed by a byte.
#[test]
fn a_file_that_is_no_log_is_left_alone() {
    let folder = Folder::new("no-log");
    let list = serde_json::to_string(&messages()).unwrap();
    let pretty = serde_json::to_string_pretty(&messages()[0]).unwrap();
    let history = r#"{"config":{},"log":[],"frontier":0}"#.to_owned();
    let half_list = list[..200].to_owned();
    let good = serde_json::to_string(&messages()[0]).unwrap();
    let bad_line = format!("{good}\n{{\"role\":\"usher\",\"content\":[]}}\n{good}\n");
    for (saved, line) in [
        (list, 1),
        (pretty, 1),
        (history, 1),
        (half_list, 1),
        (bad_line, 2),
        ("a letter".into(), 1),
    ] {
        let path = folder.file("saved.jsonl");
        fs::write(&path, &saved).unwrap();
        let error = HistoryFile::open(&path, config()).unwrap_err().to_string();
        assert!(
            error.contains(&format!("saved.jsonl, line {line}: ")),
            "{error}"
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), saved);
    }
}

#[test]
fn a_last_line_without_its_break_counts() {
    let folder = Folder::new("no-break");
    let path = folder.file("saved.jsonl");
    let lines: Vec<String> = messages()
        .iter()
        .map(|message| serde_json::to_string(message).unwrap())
        .collect();
    fs::write(&path, lines.join("\n")).unwrap();
    let mut file = HistoryFile::open(&path, config()).unwrap();
    file.push(Message::user("One more.")).unwrap();
    assert_eq!(
        log(&path),
        [messages(), vec![Message::user("One more.")]].concat()
    );
}

/// Cut anywhere: the whole lines come back. A bit flipped anywhere: the same log but for one text, or an error with a line.
#[test]
fn a_history_with_flipped_bits_or_cut_off_is_read_or_refused() {
    let folder = Folder::new("bits");
    let path = folder.file("saved.jsonl");
    let mut file = HistoryFile::open(&path, config()).unwrap();
    for message in messages() {
        file.push(message).unwrap();
    }
    let saved = fs::read(&path).unwrap();
    for end in 0..saved.len() {
        fs::write(&path, &saved[..end]).unwrap();
        let whole = saved[..end].iter().filter(|byte| **byte == b'\n').count();
        let mut kept = log(&path);
        assert!(kept.len() >= whole && kept[..] == messages()[..kept.len()]);
        // It goes on there.
        let more = Message::user("More.");
        let mut file = HistoryFile::open(&path, config()).unwrap();
        file.push(more.clone()).unwrap();
        kept.push(more);
        assert_eq!(log(&path), kept, "{end}");
    }
    for at in (0..saved.len()).step_by(3) {
        let mut flipped = saved.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&path, &flipped).unwrap();
        match HistoryFile::open(&path, config()) {
            Ok(file) => assert!(file.history().len() >= messages().len() - 1, "{at}"),
            Err(error) => {
                assert!(error.to_string().contains("saved.jsonl, line "), "{error}");
                assert_eq!(fs::read(&path).unwrap(), flipped);
            }
        }
    }
}

// ---- reports

fn report() -> RiverReport {
    RiverReport::new("Tern", 2024, "the county")
}

fn model() -> ScriptedModel {
    let answers = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../examples/data/report_answers.json"
    );
    ScriptedModel::read(Path::new(answers)).unwrap()
}

/// Writes until it is done; what fails is tried again.
fn write<D: Disk>(session: &mut Session<'_, D>, most: usize) -> (usize, Option<io::Error>) {
    let model = model();
    for written in 0..most {
        let Some((leaf, _)) = session.next_prompt().unwrap() else {
            return (written, None);
        };
        let answer = model.answer(&leaf).unwrap().to_owned();
        if let Err(error) = session.take(leaf, &answer) {
            return (written, Some(error));
        }
    }
    (most, None)
}

#[test]
fn a_report_is_whole_wherever_a_step_fails_or_it_is_killed() {
    let folder = Folder::new("report");
    let report = report();
    let path = folder.file("whole.json");
    let mut session = Session::open(&report, &path).unwrap();
    write(&mut session, usize::MAX);
    let whole = session.text().unwrap();
    for step in 1..12 {
        for (dies, part) in [(false, 0), (false, 2), (true, 0), (true, 2), (true, 4)] {
            let path = folder.file(&format!("{step}-{dies}-{part}.json"));
            let disk = Failing {
                dies,
                ..Failing::at(step, 1, part)
            };
            let mut session = Session::open_on(disk, &report, &path).unwrap();
            let (written, error) = write(&mut session, usize::MAX);
            let error = error.unwrap().to_string();
            assert!(error.contains(".json: No space"), "{error}");
            // What failed does not count as written, here or in the file.
            assert_eq!(session.written(), written);
            let mut again = Session::open(&report, &path).unwrap();
            assert_eq!(again.written(), written);
            write(&mut again, usize::MAX);
            assert_eq!(again.text().unwrap(), whole);
        }
    }
    // A program that was killed may leave its unfinished file, one whose step failed does not.
    let left = folder
        .names()
        .into_iter()
        .filter(|name| name.ends_with("unfinished"));
    assert!(
        left.clone().all(|name| name.contains("-true-")),
        "{:?}",
        left.collect::<Vec<_>>()
    );
}

/// What a program left that was killed while it saved goes with a later save; what another is just writing stays.
#[test]
fn unfinished_files_of_programs_that_are_gone_are_removed() {
    let folder = Folder::new("stale");
    let path = folder.file("saved.json");
    let (stale, fresh) = (
        folder.file(".saved.json.1-0.unfinished"),
        folder.file(".saved.json.2-0.unfinished"),
    );
    let other = folder.file(".other.json.1-0.unfinished");
    for file in [&stale, &fresh, &other] {
        fs::write(file, "half").unwrap();
    }
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(3_600);
    for file in [&stale, &other] {
        fs::File::options()
            .append(true)
            .open(file)
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
    }
    let report = report();
    write(&mut Session::open(&report, &path).unwrap(), 1);
    assert_eq!(
        folder.names(),
        [
            ".other.json.1-0.unfinished",
            ".saved.json.2-0.unfinished",
            "saved.json"
        ]
    );
}

/// No name is special: not that of another file, nor one that looks like an unfinished one.
#[test]
fn no_other_file_is_touched() {
    let folder = Folder::new("names");
    let report = report();
    for name in ["a.new", "a.json", "a.toml", "a"] {
        let mut session = Session::open(&report, &folder.file(name)).unwrap();
        write(&mut session, 2);
    }
    assert_eq!(folder.names(), ["a", "a.json", "a.new", "a.toml"]);
    let unfinished = folder.file(&format!(".b.{}-0.unfinished", std::process::id()));
    fs::write(&unfinished, "mine").unwrap();
    replace(&mut OsDisk, &folder.file("b"), b"whole").unwrap();
    assert_eq!(fs::read(&unfinished).unwrap(), b"mine");
    assert_eq!(fs::read(folder.file("b")).unwrap(), b"whole");
}

#[test]
fn a_broken_report_is_named_with_its_line() {
    let folder = Folder::new("broken");
    let path = folder.file("saved.json");
    let report = report();
    write(&mut Session::open(&report, &path).unwrap(), 3);
    let saved = fs::read(&path).unwrap();
    for end in (1..saved.len() - 1).step_by(50) {
        fs::write(&path, &saved[..end]).unwrap();
        let error = Session::open(&report, &path).unwrap_err().to_string();
        assert!(error.contains("saved.json, line "), "{error}");
        assert_eq!(fs::read(&path).unwrap(), &saved[..end]);
    }
}

/// Folders that are missing, are files, or may not be written.
#[test]
fn what_cannot_be_opened_is_named() {
    let folder = Folder::new("folders");
    fs::write(folder.file("file"), "").unwrap();
    let report = report();
    for path in [
        folder.file("missing/a.json"),
        folder.file("file/a.json"),
        folder.0.clone(),
    ] {
        let named = path.display().to_string();
        let error = match Session::open(&report, &path) {
            Ok(mut session) => write(&mut session, 1).1.unwrap(),
            Err(error) => error,
        };
        assert!(error.to_string().contains(&named), "{error}");
        let error = match HistoryFile::open(&path, config()) {
            Ok(mut file) => file.push(Message::user("?")).unwrap_err(),
            Err(error) => error,
        };
        assert!(error.to_string().contains(&named), "{error}");
    }
}

/// A folder that may only be read: what is in it is read, and an error names the file that cannot be written. (Whoever may
/// write everywhere does.)
#[test]
fn what_may_only_be_read_is_left_alone() {
    let folder = Folder::new("read-only");
    let (log_path, report_path) = (folder.file("saved.jsonl"), folder.file("saved.json"));
    let mut file = HistoryFile::open(&log_path, config()).unwrap();
    file.push(Message::user("?")).unwrap();
    let report = report();
    write(&mut Session::open(&report, &report_path).unwrap(), 1);
    let files = [&log_path, &report_path].map(|path| (path, fs::read(path).unwrap()));
    let read_only = |path: &Path, is_read_only: bool| {
        let mut permissions = fs::metadata(path).unwrap().permissions();
        permissions.set_readonly(is_read_only);
        fs::set_permissions(path, permissions).unwrap();
    };
    let all = [&log_path, &report_path, &folder.0];
    all.iter().for_each(|path| read_only(path, true));
    let may_write = fs::write(folder.file("probe"), "").is_ok();
    let mut file = HistoryFile::open(&log_path, config()).unwrap();
    let mut session = Session::open(&report, &report_path).unwrap();
    if !may_write {
        let error = file.push(Message::user("??")).unwrap_err().to_string();
        assert!(error.contains("saved.jsonl"), "{error}");
        let error = write(&mut session, 1).1.unwrap().to_string();
        assert!(error.contains("saved.json"), "{error}");
    }
    all.iter().rev().for_each(|path| read_only(path, false));
    assert_eq!((file.history().len(), session.written()), (1, 1));
    for (path, before) in files {
        assert_eq!(fs::read(path).unwrap(), before);
    }
}
