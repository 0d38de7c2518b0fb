//! The command line tool for prompt files: what it prints, and how it ends.

use prompt_examples::prompt_command::{Outcome, OwnText, USAGE, changes, own_texts, run};
use prompt_examples::prompt_file::{Paint, Source};
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
    run(arguments.iter().map(OsString::from), Paint::Plain)
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
            out: format!("{sound}: sound\n"),
            err: String::new()
        }
    );
    let both = prompt(&["check", &broken, &sound]);
    assert_eq!(both.code, 1);
    assert_eq!(both.out, format!("{sound}: sound\n"));
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
    assert_eq!((outcome.code, outcome.err.as_str()), (0, ""));
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
    assert!(lines[8].starts_with("total: "), "{}", outcome.out);
    assert_eq!(lines.len(), 9);

    let same = prompt(&["diff", &old, &old, "--set", "tone=kind"]);
    let first = same.out.lines().next().unwrap();
    assert_eq!(first, "no section changed");
    assert!(same.out.ends_with("(+0)\n"), "{}", same.out);
    assert_eq!(prompt(&["diff", &old, &new]).code, 1);
}

#[test]
fn the_own_texts_of_all_sections_are_the_whole_text() {
    use prompt_core::PromptNode;
    let source = Source::new("old.toml".into(), OLD.into()).unwrap();
    let values = [("tone".to_owned(), "kind".into())].into_iter().collect();
    let node = source.node(Some(&values)).unwrap();
    let rendered = node.prompt().render().unwrap();
    let own = own_texts(&rendered);
    let paths: Vec<&str> = own.iter().map(|section| section.path.as_str()).collect();
    assert_eq!(paths, ["", "rules", "rules.night", "log"]);
    let bytes: usize = own.iter().map(|section| section.text.len()).sum();
    assert_eq!(bytes, rendered.as_str().len());
    assert!(own[1].text.contains("Speak slowly.") && !own[1].text.contains("Whisper."));
}

#[test]
fn an_order_that_changed_is_told() {
    let text = |path: &str| OwnText {
        path: path.into(),
        text: path.into(),
    };
    let (old, new) = (
        [text(""), text("a"), text("b")],
        [text(""), text("b"), text("a")],
    );
    let told = changes(&old, &new, Paint::Plain);
    assert!(
        told.starts_with("the order of the sections changed\n"),
        "{told}"
    );
    // A section that came or went moves no other.
    let told = changes(&old, &[text(""), text("b")], Paint::Plain);
    assert!(!told.contains("order"), "{told}");
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
