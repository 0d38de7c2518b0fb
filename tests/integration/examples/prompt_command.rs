//! The command line tool for prompt files: what it prints, and how it ends.

use prompt_examples::command::run::{Outcome, USAGE, run};
use prompt_examples::command::source::{Paint, Source};
use prompt_examples::command::watch::Watch;
use std::ffi::OsString;
use std::path::PathBuf;

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("prompt-tests-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// Writes a file and gives its path.
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

fn data(file: &str) -> String {
    format!("{}/../examples/data/{file}", env!("CARGO_MANIFEST_DIR"))
}

fn prompt(arguments: &[&str]) -> Outcome {
    run(
        arguments.iter().map(OsString::from),
        Paint::Plain,
        &mut std::io::empty(),
    )
}

/// The report for a file of this name with one fault.
#[track_caller]
fn report(name: &str, text: &str) -> String {
    let source = Source::new(name.into(), text.into()).unwrap();
    source.node(None).unwrap_err().to_string()
}

#[test]
fn each_fault_stands_under_its_line_of_the_file() {
    let toml = "key = \"a\"\nbody = \"\"\"\n    Über {PROMPT_SUBTREE} uns.\n    Gut.\n\"\"\"\n";
    let found = report("p.toml", toml);
    let place = " --> p.toml:3:10\n  |\n3 |     Über {PROMPT_SUBTREE} uns.\n  |          ^\n  = in: body of the root\n";
    assert!(found.contains(place), "{found}");

    // One line of JSON holds all lines of a text.
    let json = "{\n  \"body\": \"# \\\"A\\\"\\n\\n####### B\"\n}";
    let found = report("p.json", json);
    let column = json.lines().nth(1).unwrap().find("#######").unwrap() + 1;
    assert!(found.contains(&format!("p.json:2:{column}\n")), "{found}");

    // A section far down, with escapes that JSON would not write, still has its line.
    let toml = "[[sections]]\nkey = \"a\"\n[[sections.sections]]\nkey = \"b\"\nbody = \"\\u0041 {PROMPT_SUBTREE\\u007d\"\n";
    let found = report("p.toml", toml);
    assert!(found.contains("p.toml:5:16\n"), "{found}");
    assert!(found.contains("= in: body of section `a.b`"), "{found}");

    // A bad value is marked, not its key; an unknown key is marked itself.
    let found = report(
        "p.toml",
        "key = \"a\"\n[[sections]]\nkey = \"b\"\n  level   = 9\n",
    );
    assert!(found.contains("p.toml:4:13\n"), "{found}");
    let found = report("p.toml", "key = \"a\"\n  titel = \"A\"\n");
    assert!(
        found.contains("p.toml:2:3\n") && found.contains("help: did you mean `title`?"),
        "{found}"
    );

    // A Markdown file is its own text.
    let found = report("p.md", "  Hello.\n\n  ####### Deep\n");
    assert!(
        found.contains("p.md:3:3\n3 |   ####### Deep\n")
            || found.contains("p.md:3:3\n  |\n3 |   ####### Deep\n  |   ^\n"),
        "{found}"
    );

    // A file that is no JSON at all.
    let found = report("p.json", "{\n  \"key\" 3\n}");
    assert!(found.contains("p.json:2:9\n"), "{found}");
    let empty = report("p.json", "");
    assert!(empty.contains("error[invalid_input]"), "{empty}");
}

#[test]
fn colours_are_added_and_change_no_letter() {
    let source = Source::new("p.toml".into(), "body = \"####### A\"".into()).unwrap();
    let failure = source.node(None).unwrap_err();
    let (plain, coloured) = (
        failure.report(Paint::Plain),
        failure.report(Paint::Coloured),
    );
    assert!(
        coloured.contains("\u{1b}[1;31merror[heading_level]\u{1b}[0m: "),
        "{coloured}"
    );
    let mut letters = String::new();
    for (at, piece) in coloured.split('\u{1b}').enumerate() {
        letters.push_str(if at == 0 {
            piece
        } else {
            piece.split_once('m').unwrap().1
        });
    }
    assert_eq!(letters, plain);
    assert_eq!(Paint::for_terminal(false), Paint::Plain);
}

#[test]
fn check_tells_all_files_and_ends_with_one_for_faults() {
    let (sound, broken) = (data("ferry.toml"), data("ferry_broken.toml"));
    assert_eq!(
        prompt(&["check", &sound]),
        Outcome {
            code: 0,
            out: format!("{sound}: sound, looked at without values\n"),
            err: String::new()
        }
    );
    let both = prompt(&["check", &broken, &sound]);
    assert_eq!(both.code, 1);
    assert_eq!(
        both.out,
        format!("{sound}: sound, looked at without values\n")
    );
    assert!(both.err.matches("error[").count() >= 8, "{}", both.err);
    assert_eq!(
        both.err.matches("error[").count(),
        both.err.matches("-->").count()
    );
    // With values it also misses those that are not there.
    let missing = prompt(&["check", &sound, "--set", "ferry=Heron"]);
    assert_eq!(missing.code, 1);
    assert!(missing.err.contains("`captain`"), "{}", missing.err);
}

#[test]
fn warnings_fail_a_check_only_when_asked() {
    let folder = Folder::new("warnings");
    let file = folder.file(
        "w.toml",
        "[[sections]]\nkey = \"a\"\ntag = \"CriticalRules\"\nbody = \"Ask.\"\n",
    );
    let outcome = prompt(&["check", &file, "--style", "xml"]);
    assert_eq!(
        (outcome.code, outcome.out),
        (0, format!("{file}: sound, 1 warning\n"))
    );
    assert!(
        outcome.err.starts_with("warning[naming]: "),
        "{}",
        outcome.err
    );
    assert!(outcome.err.contains("section `a`"), "{}", outcome.err);
    assert_eq!(
        prompt(&["check", &file, "--style", "xml", "--deny-warnings"]).code,
        1
    );
}

#[test]
fn render_and_preview_print_the_prompt_with_its_values() {
    let (file, values) = (data("ferry.json"), data("ferry_values.toml"));
    let rendered = prompt(&["render", &file, "--values", &values]);
    assert_eq!((rendered.code, rendered.err.as_str()), (0, ""));
    // The bytes of the prompt, and no line break behind them.
    let from_library = {
        use prompt_core::{DynamicNode, PromptNode};
        let text = std::fs::read_to_string(&file).unwrap();
        let values = std::fs::read_to_string(&values).unwrap();
        let values: serde_json::Value = toml::from_str(&values).unwrap();
        let node = DynamicNode::from_json_with(&text, values).unwrap();
        node.prompt().text().unwrap()
    };
    assert_eq!(rendered.out, from_library);
    assert!(
        rendered.out.contains("Selby, then Wick."),
        "{}",
        rendered.out
    );
    let other = prompt(&["render", &file, "--values", &values, "--set", "ferry=Otter"]);
    assert!(
        other.out.contains("Otter") && !other.out.contains("Heron"),
        "{}",
        other.out
    );
    let preview = prompt(&["preview", &file, "--values", &values]);
    assert!(preview.out.contains(" tokens"), "{}", preview.out);
    let tight = prompt(&[
        "preview",
        &data("ferry.toml"),
        "--set",
        "ferry=H",
        "--set",
        "captain=A",
        "--set",
        "fog=false",
        "--budget",
        "120",
    ]);
    assert!(
        tight.out.contains("dropped") || tight.code == 1,
        "{tight:?}"
    );
    let without = prompt(&["render", &file]);
    assert_eq!((without.code, without.out.as_str()), (1, ""));
}

#[test]
fn usage_is_told_and_ends_with_two() {
    assert_eq!(
        prompt(&["--help"]),
        Outcome {
            code: 0,
            out: format!("{USAGE}\n"),
            err: String::new()
        }
    );
    for (arguments, fact) in [
        (vec![], "a command is missing"),
        (vec!["chek", "a.toml"], "`chek` is no command"),
        (vec!["check"], "`check` takes a file"),
        (vec!["diff", "a.toml"], "`diff` takes two files"),
        (vec!["check", "no/such/file.toml"], "no/such/file.toml: "),
        (
            vec!["check", "a.toml", "--style", "html"],
            "`html` is no style",
        ),
        (
            vec!["check", "a.toml", "--budget", "many"],
            "`many` is no number",
        ),
        (
            vec!["check", "a.toml", "--set", "x"],
            "--set takes name=value",
        ),
        (vec!["check", "--values"], "`--values` needs a value"),
        (vec!["check", "--strict"], "`--strict` is not understood"),
        (
            vec!["check", "a.toml", "--messages"],
            "`--messages` and `--request` go with",
        ),
        (
            vec!["render", "a.toml", "--request", "openai"],
            "`openai` is no provider; those of the features that are on: openai_chat,",
        ),
        (
            vec!["render", "a.toml", "--model", "m"],
            "`--model` goes with `--request`",
        ),
        (
            vec!["render", "a.toml", "--html", "p"],
            "`--html` goes with `preview`",
        ),
        (vec!["check", "-", "--as", "yaml"], "`yaml` is no kind"),
        (
            vec!["watch", "-"],
            "`watch` takes files that can be read again",
        ),
        (vec!["check", "no/such/*.toml"], "no/such/*.toml: "),
    ] {
        let outcome = prompt(&arguments);
        assert_eq!(
            (outcome.code, outcome.out.as_str()),
            (2, ""),
            "{arguments:?}"
        );
        assert!(
            outcome.err.starts_with(fact),
            "{arguments:?}: {}",
            outcome.err
        );
        assert_eq!(outcome.err.lines().count(), 1, "{}", outcome.err);
    }
}

const OLD: &str = r#"
body = "Be {tone}."
[[sections]]
key = "rules"
body = """
- Never promise a connection.
- Count the boats.
- Speak slowly.
"""
[[sections.sections]]
key = "night"
body = "Whisper."
[[sections]]
key = "log"
body = "Write it down."
"#;

#[test]
fn diff_tells_what_changed_by_section() {
    let folder = Folder::new("diff");
    let old = folder.file("old.toml", OLD);
    let changed = OLD
        .replace("Count the boats", "Count all boats twice")
        .replace(
            "key = \"log\"\nbody = \"Write it down.\"",
            "key = \"watch\"\nbody = \"Look out.\"",
        );
    let new = folder.file("new.toml", &changed);
    let outcome = prompt(&["diff", &old, &new, "--set", "tone=kind"]);
    assert_eq!((outcome.code, outcome.err.as_str()), (1, ""));
    let lines: Vec<&str> = outcome.out.lines().collect();
    assert!(
        lines[0].starts_with("~ rules: ") && lines[0].contains(" -> "),
        "{}",
        outcome.out
    );
    assert_eq!(
        lines[1..3],
        ["    - - Count the boats.", "    + - Count all boats twice."]
    );
    assert!(lines[3].starts_with("+ watch: "), "{}", outcome.out);
    assert_eq!(lines[4..7], ["    + # Watch", "    + ", "    + Look out."]);
    assert!(lines[7].starts_with("- log: "), "{}", outcome.out);
    assert_eq!(
        lines[8..11],
        ["    - # Log", "    - ", "    - Write it down."]
    );
    assert!(lines[11].starts_with("total: "), "{}", outcome.out);
    assert_eq!(lines.len(), 12);

    let same = prompt(&["diff", &old, &old, "--set", "tone=kind"]);
    let first = same.out.lines().next().unwrap();
    assert_eq!((first, same.code), ("no section changed", 0));
    assert!(same.out.ends_with("(+0)\n"), "{}", same.out);
    // Faults are told apart from changes.
    let faults = prompt(&["diff", &old, &new]);
    assert_eq!((faults.code, faults.out.as_str()), (2, ""));
}

#[test]
fn a_preview_is_written_as_a_page() {
    let folder = Folder::new("page");
    let file = folder.file("p.md", "Hello {name}.");
    let page = folder.0.join("page.html").display().to_string();
    let done = prompt(&["preview", &file, "--set", "name=Ada", "--html", &page]);
    assert_eq!((done.code, done.out.as_str()), (0, ""), "{}", done.err);
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(
        html.contains("<mark data-from=\"name\">Ada</mark>"),
        "{html}"
    );

    let refused = prompt(&["render", &file, "--set", "name=Ada", "--html", &page]);
    assert_eq!(refused.code, 2);
    let nowhere = folder.0.join("no/page.html").display().to_string();
    let failed = prompt(&["preview", &file, "--set", "name=Ada", "--html", &nowhere]);
    assert_eq!(failed.code, 2);
    assert!(failed.err.contains("page.html"), "{}", failed.err);
}

fn prompt_of(stdin: &str, arguments: &[&str]) -> Outcome {
    let arguments = arguments.iter().map(OsString::from);
    run(arguments, Paint::Plain, &mut stdin.as_bytes())
}

#[test]
fn a_prompt_comes_from_the_standard_input() {
    let json = "{ \"body\": \"Hello {name}.\" }";
    let done = prompt_of(json, &["render", "-", "--set", "name=Ada"]);
    assert_eq!((done.code, done.out.as_str()), (0, "Hello Ada."));
    let done = prompt_of(
        "Hello {name}.",
        &["render", "-", "--as", "md", "--set", "name=Ada"],
    );
    assert_eq!((done.code, done.out.as_str()), (0, "Hello Ada."));
    let broken = prompt_of("body = \"####### A\"", &["check", "-", "--as", "toml"]);
    assert_eq!(broken.code, 1);
    assert!(broken.err.contains("--> (stdin):1:9\n"), "{}", broken.err);
    // A TOML file read as a text would be sound.
    let unsaid = prompt_of("body = \"x\"", &["check", "-"]);
    assert_eq!(unsaid.code, 2);
    assert!(
        unsaid
            .err
            .contains("say `--as json`, `--as toml` or `--as md`")
    );
}

#[test]
fn folders_and_patterns_name_the_files_below_them() {
    let folder = Folder::new("folders");
    std::fs::create_dir_all(folder.0.join("b/c")).unwrap();
    std::fs::create_dir_all(folder.0.join(".git")).unwrap();
    for file in [
        "b/two.md",
        "a.toml",
        "b/c/three.json",
        ".git/hidden.md",
        "b/notes.txt",
    ] {
        let text = if file.ends_with("json") {
            "{\"body\": \"x\"}"
        } else {
            "body = \"x\""
        };
        folder.file(file, text);
    }
    let names = |arguments: &[&str]| -> Vec<String> {
        let outcome = prompt(arguments);
        assert_eq!(outcome.code, 0, "{}", outcome.err);
        let root = format!("{}/", folder.0.display());
        let lines = outcome.out.lines();
        lines
            .map(|line| line.strip_suffix(": sound").unwrap().replace(&root, ""))
            .collect()
    };
    let root = folder.0.display().to_string();
    assert_eq!(
        names(&["check", &root]),
        ["a.toml", "b/c/three.json", "b/two.md"]
    );
    let pattern = |pattern: &str| format!("{root}/{pattern}");
    assert_eq!(names(&["check", &pattern("**/*o*.md")]), ["b/two.md"]);
    assert_eq!(names(&["check", &pattern("b/*.m?")]), ["b/two.md"]);
    assert_eq!(
        names(&["check", &pattern("**/t*.json"), &pattern("a.toml")]),
        ["b/c/three.json", "a.toml"]
    );
    let none = prompt(&["check", &pattern("x*.toml")]);
    assert_eq!(none.code, 2);
    assert!(
        none.err.ends_with("there is no prompt file\n"),
        "{}",
        none.err
    );
    assert_eq!(prompt(&["check", &pattern("no")]).code, 2);
    // Each word for itself: what is missing hides nothing.
    let some = prompt(&["check", &pattern("no"), &pattern("a.toml")]);
    assert_eq!((some.code, some.out.lines().count()), (2, 1));
}

const TALK: &str = r#"
body = "Be {tone}."
[[sections]]
key = "rules"
cache = 60
body = "Never shout."
[[sections]]
key = "question"
role = "user"
body = "And now?"
"#;

#[test]
fn render_shows_messages_and_requests() {
    let folder = Folder::new("messages");
    let file = folder.file("talk.toml", TALK);
    let done = prompt(&["render", &file, "--messages", "--set", "tone=kind"]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
    assert_eq!(
        done.out,
        "--- system (cache point, 60 s)\nBe kind.\n\n# Rules\n\nNever shout.\n--- user\nAnd now?\n"
    );
    for (provider, part) in [
        ("openai_chat", "\"role\": \"system\""),
        ("openai_responses", "\"instructions\""),
        ("anthropic", "\"system\""),
        ("gemini", "\"systemInstruction\""),
        ("ollama", "\"messages\""),
    ] {
        let done = prompt(&[
            "render",
            &file,
            "--request",
            provider,
            "--model",
            "m-1",
            "--set",
            "tone=kind",
        ]);
        assert_eq!(done.code, 0, "{}", done.err);
        let body: serde_json::Value = serde_json::from_str(&done.out).unwrap();
        assert!(
            done.out.contains("And now?") && body.is_object(),
            "{}",
            done.out
        );
        assert!(
            done.out.contains(part) || provider.contains("responses"),
            "{provider}: {}",
            done.out
        );
        assert!(
            done.out.contains("m-1") || provider == "gemini",
            "{}",
            done.out
        );
    }
}

#[test]
fn a_missing_value_is_asked_for_as_the_command_takes_it() {
    let folder = Folder::new("missing");
    let file = folder.file("m.toml", "body = \"On {day} at {place}.\"\n");
    for command in ["render", "preview"] {
        let missing = prompt(&[command, &file, "--set", "place=Wick"]);
        assert_eq!(missing.code, 1);
        let help = "= help: give it a value: `--set day=..`, or `--values FILE`\n";
        assert!(missing.err.contains(help), "{}", missing.err);
        assert!(!missing.err.contains("{{day}}"), "{}", missing.err);
    }
    // One that is nearly there is named instead.
    let near = prompt(&["render", &file, "--set", "place=Wick", "--set", "dya=1"]);
    assert!(
        near.err.contains("similar name exists: `dya`"),
        "{}",
        near.err
    );
    // A fault of the file itself keeps its own advice.
    let broken = folder.file("b.toml", "body = \"####### {day}\"\n");
    let told = prompt(&["render", &broken]);
    assert!(!told.err.contains("--set"), "{}", told.err);
}

#[test]
fn deny_warnings_skips_nothing() {
    let folder = Folder::new("deny");
    let text = "body = \"{day}\"\n[[sections]]\nkey = \"a\"\npriority = 1\nbody = \"A.\"\n\
                [[sections.sections]]\nkey = \"b\"\npriority = 9\nbody = \"B.\"\n";
    let file = folder.file("w.toml", text);
    // A warning that needs no value is told without one.
    let told = prompt(&["check", &file]);
    assert_eq!(
        (told.code, told.out),
        (
            0,
            format!("{file}: sound, 1 warning, looked at without values\n")
        )
    );
    assert!(
        told.err.contains("warning[priority_inversion]"),
        "{}",
        told.err
    );
    let denied = prompt(&["check", &file, "--deny-warnings"]);
    assert_eq!(denied.code, 1);
    // What could not be looked at is no pass.
    let unseen = folder.file("u.toml", "body = \"{day}\"\n");
    assert_eq!(prompt(&["check", &unseen]).code, 0);
    let denied = prompt(&["check", &unseen, "--deny-warnings"]);
    assert_eq!(denied.code, 1);
    assert!(denied.err.contains("was not looked at"), "{}", denied.err);
    let seen = prompt(&["check", &unseen, "--deny-warnings", "--set", "day=1"]);
    assert_eq!((seen.code, seen.err.as_str()), (0, ""));
}

#[test]
fn many_faults_in_one_long_line_are_told_once_each_in_linear_time() {
    let sections: Vec<String> = (0..2000)
        .map(|at| format!("{{\"key\":\"k{at}\",\"level\":9}}"))
        .collect();
    let json = format!("{{\"sections\":[{}]}}", sections.join(","));
    let start = std::time::Instant::now();
    let done = prompt_of(&json, &["check", "-"]);
    assert_eq!(done.code, 1);
    assert_eq!(done.err.matches("error[").count(), 2000);
    let mut columns: Vec<&str> = done
        .err
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("--> (stdin):1:"))
        .collect();
    assert_eq!(columns.len(), 2000);
    columns.sort_unstable();
    columns.dedup();
    assert_eq!(columns.len(), 2000);
    // 88 KB a fault were 262 MB.
    assert!(done.err.len() < 2000 * 800, "{}", done.err.len());
    assert!(start.elapsed().as_secs() < 20);
}

#[test]
fn what_is_no_utf8_is_told_with_its_place() {
    let folder = Folder::new("latin");
    let path = folder.0.join("l.md");
    std::fs::write(&path, b"One\nGr\xfc\xdfe.\n").unwrap();
    let told = prompt(&["check", path.to_str().unwrap()]);
    assert_eq!(told.code, 2);
    assert!(
        told.err.contains("l.md:2: byte 6 is no UTF-8"),
        "{}",
        told.err
    );
}

#[test]
fn a_diff_is_written_as_a_page() {
    let folder = Folder::new("diff-page");
    let (old, new) = (
        folder.file("old.md", "One.\nTwo."),
        folder.file("new.md", "One.\n2."),
    );
    let page = folder.0.join("diff.html").display().to_string();
    let done = prompt(&["diff", &old, &new, "--html", &page]);
    assert_eq!((done.code, done.out.as_str()), (1, ""), "{}", done.err);
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(
        html.contains("<del>Two.</del>") && html.contains("<ins>2.</ins>"),
        "{html}"
    );
    // One side may come from the standard input: what a repository has.
    let piped = prompt_of("One.\nTwo.", &["diff", "-", &new, "--as", "md"]);
    assert!(
        piped.out.contains("    - Two.\n    + 2.\n"),
        "{}",
        piped.out
    );
}

#[test]
fn a_watch_looks_again_when_a_file_changes() {
    let folder = Folder::new("watch");
    let file = folder.file("w.md", "Hello {name}.");
    let page = folder.0.join("page.html").display().to_string();
    let arguments = ["watch", &file, "--set", "name=Ada", "--html", &page];
    let given: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let mut watch = Watch::asked_for(&given, Paint::Plain).unwrap();
    let first = watch.look().unwrap();
    assert_eq!(
        (first.code, first.out),
        (0, format!("{file}: sound\n{page}: written\n"))
    );
    assert!(watch.look().is_none());
    folder.file("w.md", "Good morning, {name}.");
    let second = watch.look().unwrap();
    assert!(second.out.ends_with(": written\n"), "{second:?}");
    assert!(
        std::fs::read_to_string(&page)
            .unwrap()
            .contains("Good morning")
    );
    // A fault is told, and the page stays as it was.
    folder.file("w.md", "####### {name} and more");
    let third = watch.look().unwrap();
    assert_eq!(third.code, 1);
    assert!(third.err.contains("error[heading_level]"), "{}", third.err);
    assert!(
        std::fs::read_to_string(&page)
            .unwrap()
            .contains("Good morning")
    );
    assert!(Watch::asked_for(&given[1..], Paint::Plain).is_none());
}
