//! The command `prompt`, as a user runs it: what it prints, and how it ends.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A folder of this test's own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("prompt-review-{name}-{}", std::process::id()));
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
    format!("{}/../../examples/data/{file}", env!("CARGO_MANIFEST_DIR"))
}

/// What a run of the command said, and how it ended.
#[derive(Debug, PartialEq)]
struct Outcome {
    code: i32,
    out: String,
    err: String,
}

fn command(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prompt"));
    command.args(arguments);
    command
}

fn prompt_of(stdin: &str, arguments: &[impl AsRef<OsStr>]) -> Outcome {
    let mut running = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = running.stdin.take().unwrap();
    // One that does not read may be gone.
    input.write_all(stdin.as_bytes()).ok();
    drop(input);
    let done = running.wait_with_output().unwrap();
    Outcome {
        code: done.status.code().unwrap(),
        out: String::from_utf8(done.stdout).unwrap(),
        err: String::from_utf8(done.stderr).unwrap(),
    }
}

fn prompt(arguments: &[&str]) -> Outcome {
    prompt_of("", arguments)
}

/// The report for a file of this name with one fault.
#[track_caller]
fn report(name: &str, text: &str) -> String {
    let kind = name.rsplit_once('.').unwrap().1;
    let told = prompt_of(text, &["check", "-", "--as", kind]);
    assert_eq!(told.code, 1, "{told:?}");
    told.err.replace("(stdin)", name)
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

    // A byte order mark is no column.
    let found = report("b.json", "\u{feff}{\"body\": \"####### x\"}");
    let mark = " --> b.json:1:11\n  |\n1 | {\"body\": \"####### x\"}\n  |           ^\n";
    assert!(found.contains(mark), "{found}");

    // A return alone ends a line as well, one with a line feed does not end two.
    for (text, column) in [
        (r#"{"body": "a\rb {c"}"#, 16),
        (r#"{"body": "a\r\nb {c"}"#, 18),
    ] {
        let told = prompt_of(text, &["check", "-", "--as", "json", "--set", "c=1"]);
        assert!(
            told.err.contains(&format!("(stdin):1:{column}\n")),
            "{}",
            told.err
        );
    }

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
        format!("{sound}: sound, looked at without values\n2 files: 1 sound, 1 faulty\n")
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
fn names_of_values_are_understood_or_told() {
    let folder = Folder::new("names");
    let file = folder.file("n.toml", "body = \"Hello {first-name}, {user.name}.\"\n");
    let odd = prompt(&[
        "check",
        &file,
        "--set",
        "first-name=Ada",
        "--set",
        "user.name=Bo",
    ]);
    assert_eq!(odd.code, 1);
    assert!(
        odd.err
            .contains("`{first-name}` is text: no variable has such a name, and a value has")
            && odd.err.contains(":1:15\n")
            && odd
                .err
                .contains("name the value `first_name`, and write `{first_name}`"),
        "{}",
        odd.err
    );
    for name in ["first name", "0", "\u{1f600}"] {
        let file = folder.file("odd.toml", &format!("body = \"A {{{name}}} b.\"\n"));
        let odd = prompt(&["check", &file, "--set", &format!("{name}=x")]);
        assert_eq!(odd.code, 1, "{name}");
        assert!(
            odd.err.contains("is text: no variable has such a name"),
            "{}",
            odd.err
        );
    }
    let missing = prompt(&["render", &file]);
    assert!(
        missing.err.contains("`--set user.name=..`"),
        "{}",
        missing.err
    );
    let set = prompt(&[
        "render",
        &file,
        "--set",
        "user.name=Bo",
        "--set",
        "user.age=7",
        "--set",
        "zz=1",
    ]);
    assert_eq!((set.code, set.out.as_str()), (0, "Hello {first-name}, Bo."));
    assert_eq!(
        set.err,
        "warning[unused_value]: no text uses the value `zz`\n\n"
    );
    let flat = folder.file("v.json", r#"{ "user.name": "Bo" }"#);
    let flat = prompt(&["render", &file, "--values", &flat]);
    assert!(
        flat.err.contains(
            "the value `user.name` is not looked at: give `user` as a map with the entry `name`"
        ),
        "{}",
        flat.err
    );
    let no_map = prompt(&["render", &file, "--set", "user=3", "--set", "user.name=Bo"]);
    assert!(
        no_map
            .err
            .contains("`--set user.name`: the value of `user` is no map"),
        "{}",
        no_map.err
    );
    // What is set again, or wins over a file, is used.
    let values = folder.file("w.json", r#"{ "user": { "name": "Al" }, "v": 1 }"#);
    let over = prompt(&[
        "render",
        &file,
        "--values",
        &values,
        "--set",
        "user.name=Bo",
        "--set",
        "user.name=Cy",
    ]);
    assert_eq!(
        (over.out.as_str(), over.err.as_str()),
        ("Hello {first-name}, Cy.", "")
    );
    let loops = folder.file("l.toml", "body = \"{*v}{item.0}={item.1};{/v}\"\n");
    let loops = prompt(&["render", &loops, "--set", "v.a=1", "--set", "v.b=2"]);
    assert_eq!((loops.out.as_str(), loops.err.as_str()), ("a=1;b=2;", ""));
    // Of several files it is enough that one uses it.
    let other = folder.file("o.toml", "body = \"Bye {zz}.\"\n");
    let both = prompt(&[
        "render",
        &file,
        &other,
        "--set",
        "user.name=Bo",
        "--set",
        "zz=1",
    ]);
    assert_eq!((both.code, both.err.as_str()), (0, ""));
}

#[test]
fn remedies_for_names_of_values_work() {
    let folder = Folder::new("remedies");
    // Every marker of such a name is one.
    for text in [
        "{?first-name}yes{/first-name}",
        "{first-name:>8}",
        "{*first-name}x{/first-name}",
        "{first-name.a}",
    ] {
        let file = folder.file("marker.toml", &format!("body = \"A {text} b.\"\n"));
        let odd = prompt(&["check", &file, "--set", "first-name=x"]);
        assert!(
            odd.err.contains("name the value `first_name`"),
            "{text}: {}",
            odd.err
        );
    }
    // The name that a variable could have.
    let like = folder.file("like.toml", "body = \"A {first_name} b.\"\n");
    let like = prompt(&["check", &like, "--set", "first-name=x"]);
    assert!(
        like.err
            .contains("name the value `first_name`: `first-name` is no name of a variable"),
        "{}",
        like.err
    );
    // Braces around nothing ask for no value.
    let nothing = folder.file("nothing.toml", "body = \"A {} b.\"\n");
    let empty = folder.file("nothing.json", r#"{ "": 1 }"#);
    assert_eq!(prompt(&["check", &nothing, "--values", &empty]).code, 0);
    let second = folder.file("second.toml", "body = \"A {2nd} b.\"\n");
    let second = prompt(&["check", &second, "--set", "2nd=x"]);
    assert!(
        second.err.contains("that begins with none of the digits"),
        "{}",
        second.err
    );
    let deep = folder.file("deep.toml", "body = \"A {a.b.c} b.\"\n");
    let flat = folder.file("deep.json", r#"{ "a.b.c": 1 }"#);
    let flat = prompt(&["check", &deep, "--values", &flat]);
    assert!(
        flat.err
            .contains("give `a` as a map with the entry `b`, that as a map with the entry `c`"),
        "{}",
        flat.err
    );
    let short = prompt(&["check", &deep, "--set", "a.b=x"]);
    assert!(
        short.err.contains("the value of `a.b` has no `c`"),
        "{}",
        short.err
    );
    let empty = prompt(&["check", &deep, "--set", "a..b=x"]);
    assert!(
        empty.err.contains("a part of it is missing"),
        "{}",
        empty.err
    );
}

/// It has keys of the root, is never printed, and what is not known in it is told.
#[test]
fn front_matter_of_a_text_has_keys_of_the_prompt() {
    let folder = Folder::new("front-matter");
    let text = "---\nmode: agent\ndescription: Says hi.\nallow: [doubled_braces]\n---\n\nHi {name}, {{name}}.";
    let toml = "+++\nmode = 1\nallow = [\"doubled_braces\"]\n+++\n\nHi {name}, {{name}}.";
    for text in [text, &text.replace('\n', "\r\n"), toml] {
        let file = folder.file("f.md", text);
        let printed = prompt(&["render", &file, "--set", "name=Ada"]);
        assert_eq!((printed.code, printed.out.as_str()), (0, "Hi Ada, {name}."));
        let told = prompt(&["check", &file, "--set", "name=Ada"]);
        let fact = format!(
            "warning[front_matter]: front matter has no key `mode`: it is not looked at\n --> {file}:2:1\n"
        );
        assert_eq!(told.code, 0);
        assert!(told.err.starts_with(&fact), "{}", told.err);
        assert_eq!(told.out, format!("{file}: sound, 1 warning\n"));
        let denied = prompt(&["check", &file, "--set", "name=Ada", "--deny-warnings"]);
        assert_eq!(denied.code, 1);
    }
    // A skill says who it is.
    let skill =
        "---\nname: knots\ndescription: Ties.\nlicense: MIT\nallowed-tools: Read\n---\nTie it.";
    let told = prompt(&["check", &folder.file("s.md", skill), "--deny-warnings"]);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let told = prompt(&[
        "check",
        &folder.file("s.md", &skill.replace("description", "model")),
    ]);
    for key in ["name", "model", "license"] {
        assert!(
            told.err.contains(&format!("no key `{key}`")),
            "{}",
            told.err
        );
    }
    // Places are those of the file.
    let broken = report("f.md", "---\nlevel: 9\n---\n\nHi.\n{?x}\n");
    assert!(
        broken.contains("error[invalid_value]") && broken.contains(" --> f.md:2:1\n"),
        "{broken}"
    );
    assert!(
        broken.contains("error[unclosed_condition]") && broken.contains(" --> f.md:6:1\n"),
        "{broken}"
    );
    let unread = report("f.md", "---\nallow: [x\n---\nHi.");
    assert!(
        unread.starts_with("error[invalid_front_matter]: line 3: "),
        "{unread}"
    );
    // The help is in the syntax of the file.
    for (name, text, help) in [
        (
            "h.md",
            "{{x}}",
            "`allow: [\"doubled_braces\"]` in front matter",
        ),
        (
            "h.json",
            r#"{"body": "{{x}}"}"#,
            "`\"allow\": [\"doubled_braces\"]`",
        ),
        (
            "h.toml",
            "body = \"{{x}}\"",
            "`allow = [\"doubled_braces\"]`",
        ),
    ] {
        let told = prompt(&["check", &folder.file(name, text)]);
        assert!(told.err.contains(help), "{}", told.err);
    }
    let file = folder.file("f.md", "---\n\nHi.\n\n---\n");
    assert_eq!(prompt(&["check", &file, "--deny-warnings"]).code, 0);
    assert_eq!(prompt(&["render", &file]).out, "---\n\nHi.\n\n---");
}

#[test]
fn front_matter_that_does_not_end_is_told() {
    for text in ["---\na: x\nHi.", "+++\na = 1\nHi.", "---\n# none\n---\nHi."] {
        let told = prompt_of(text, &["check", "-", "--as", "md", "--deny-warnings"]);
        let fence = &text[..3];
        let fact = format!("warning[front_matter]: a first line `{fence}` is printed");
        assert!(told.code == 1 && told.err.contains(&fact), "{told:?}");
        let rendered = prompt_of(text, &["render", "-", "--as", "md"]);
        assert_eq!((rendered.code, rendered.out.as_str()), (0, text));
    }
}

#[test]
fn names_of_values_have_not_too_many_parts() {
    for count in [129, 20_000] {
        let set = format!("{}=1", vec!["a"; count].join("."));
        let told = prompt_of("{a}", &["render", "-", "--as", "md", "--set", &set]);
        let fact = "the name has more than 128 parts";
        assert!(told.code == 2 && told.err.contains(fact), "{told:?}");
    }
}

#[test]
fn what_has_a_key_is_no_schema() {
    let text =
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "key": "k", "body": "Hi."}"#;
    let told = prompt_of(text, &["check", "-", "--as", "json"]);
    assert!(
        told.code == 1 && told.err.contains("unknown_attribute"),
        "{told:?}"
    );
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
    // Of each rule the first place is told, and how many more there are.
    let section = |key: &str, tag: &str| {
        format!("[[sections]]\nkey = \"{key}\"\ntag = \"{tag}\"\nbody = \"Ask.\"\n")
    };
    let text = section("a", "OneTag") + &section("b", "Two") + &section("c", "section_3");
    let many = folder.file("m.toml", &text);
    let outcome = prompt(&["check", &many]);
    assert_eq!(outcome.out, format!("{many}: sound, 3 warnings\n"));
    assert_eq!(
        outcome.err.matches("warning[").count(),
        2,
        "{}",
        outcome.err
    );
    assert!(
        outcome.err.starts_with(&format!(
            "warning[naming]: the tag `OneTag` is not in snake case, or starts with `xml`\n --> {many}:3:7\n"
        )),
        "{}",
        outcome.err
    );
    assert!(
        outcome.err.contains("  = and at 1 more place\n"),
        "{}",
        outcome.err
    );
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
    let help = prompt(&["--help"]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    for word in [
        "check",
        "preview",
        "render",
        "diff",
        "watch",
        "schema",
        "Exit codes:\n  0  no error",
    ] {
        assert!(help.out.contains(word), "{}", help.out);
    }
    for (arguments, fact) in [
        (vec![], "Usage: prompt [OPTIONS] <COMMAND>"),
        (
            vec!["checks", "a.toml"],
            "a similar subcommand exists: 'check'",
        ),
        (vec!["check"], "<FILE>..."),
        (vec!["diff", "a.toml"], "<NEW>"),
        (vec!["check", "no/such/file.toml"], "no/such/file.toml: "),
        (
            vec!["check", "a.toml", "--style", "html"],
            "[possible values: markdown, xml]",
        ),
        (
            vec!["check", "a.toml", "--budget", "many"],
            "invalid value 'many'",
        ),
        (vec!["check", "a.toml", "--set", "x"], "there is no `=`"),
        (
            vec!["check", "--values"],
            "a value is required for '--values <FILE>'",
        ),
        (
            vec!["check", "a", "--deny"],
            "a similar argument exists: '--deny-warnings'",
        ),
        (
            vec!["check", "a.toml", "--messages"],
            "unexpected argument '--messages'",
        ),
        (
            vec!["render", "a.toml", "--request", "openai"],
            "[possible values: openai_chat, openai_responses, anthropic, gemini, ollama]",
        ),
        (
            vec!["render", "a.toml", "--model", "m"],
            "--request <PROVIDER>",
        ),
        (
            vec!["render", "a.toml", "--html", "p"],
            "unexpected argument '--html'",
        ),
        (
            vec!["check", "-", "--as", "yaml"],
            "[possible values: json, toml, md]",
        ),
        (
            vec!["watch", "-"],
            "`watch` takes files that can be read again",
        ),
        (vec!["watch", "no/such/file.md"], "no/such: "),
        (vec!["check", "no/such/*.toml"], "no/such/*.toml: "),
    ] {
        let outcome = prompt(&arguments);
        assert_eq!(
            (outcome.code, outcome.out.as_str()),
            (2, ""),
            "{arguments:?}"
        );
        assert!(outcome.err.contains(fact), "{arguments:?}: {}", outcome.err);
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

/// The options that a text names, as they are typed.
fn options(text: &str) -> BTreeSet<&str> {
    let words = text.split(|it: char| !it.is_ascii_lowercase() && it != '-');
    words
        .filter(|word| word.len() > 3 && word.starts_with("--") && !word.starts_with("---"))
        .collect()
}

#[test]
fn the_help_and_the_page_say_the_same() {
    let page = include_str!("../src/guide/command.md");
    let help = prompt(&["--help"]).out;
    let mut known = BTreeSet::new();
    let mut helps = vec![help.clone()];
    for name in ["check", "preview", "render", "diff", "watch", "schema"] {
        assert!(page.contains(&format!("| `prompt {name} ")), "{name}");
        helps.push(prompt(&[name, "--help"]).out);
    }
    for help in &helps {
        known.extend(options(help));
    }
    // Those of every command, of cargo, and of the command of a program.
    let mut named = options(page);
    for other in ["--path", "--bin", "--complete"] {
        assert!(named.remove(other), "{other}");
    }
    for of_all in ["--help", "--version"] {
        assert!(known.remove(of_all), "{of_all}");
        named.remove(of_all);
    }
    assert_eq!(named, known);

    let (_, codes) = page.split_once("# Exit codes").unwrap();
    let (_, of_help) = help.split_once("Exit codes:\n").unwrap();
    for line in of_help.lines() {
        let (code, meaning) = line.trim().split_once("  ").unwrap();
        let row = codes
            .lines()
            .find(|row| row.starts_with(&format!("| {code} |")));
        let cells: Vec<&str> = row.unwrap().split('|').map(str::trim).collect();
        let said = format!("{}; of `diff`: {}", cells[2], cells[3]);
        assert_eq!(
            said.replace("`--deny-warnings`", "--deny-warnings"),
            meaning
        );
    }
}

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
    assert_eq!((first, same.code), ("nothing changed", 0));
    // Other values may print what these do not.
    let last = same.out.lines().last().unwrap();
    assert!(last.starts_with("with these values: "), "{}", same.out);
    // Faults are told apart from changes.
    let faults = prompt(&["diff", &old, &new]);
    assert_eq!((faults.code, faults.out.as_str()), (2, ""));
}

/// What differs is told, and equal bytes and messages are equal, wherever they are declared.
#[test]
fn diff_sees_every_change() {
    let folder = Folder::new("diff-changes");
    let tree = |body: &str, sections: &str| {
        format!("{{\"key\": \"d\", \"body\": {body:?}, \"sections\": [{sections}]}}")
    };
    let (a, b) = (
        r#"{"key": "a", "body": "A"}"#,
        r#"{"key": "b", "body": "B"}"#,
    );
    let (ab, ba) = (format!("{a}, {b}"), format!("{b}, {a}"));
    let with = |more: &str| format!(r#"{{"key": "a", "body": "A", {more}}}"#);
    let two = "{a}\n\n{b}";
    for (old, new, told) in [
        (
            tree(two, &ab),
            tree("{b}\n\n{a}", &ab),
            "the order of the text changed",
        ),
        (tree(two, &ab), tree(two, &ba), "nothing changed"),
        (
            tree("Top.\n\n{a}", a),
            tree("{a}\n\nTop.", a),
            "the order of the text changed",
        ),
        (
            tree("Top.\n\n{a}", a),
            tree("Top.\n\n\n\n{a}", a),
            "white space changed",
        ),
        (
            tree("", a),
            tree("", r#"{"key": "a", "body": "A", "end": " "}"#),
            "white space changed",
        ),
        (
            tree("", &with(r#""role": "user""#)),
            tree("", &with(r#""role": "assistant""#)),
            "    role: user -> assistant",
        ),
        (
            tree("", a),
            tree("", &with(r#""cache": true"#)),
            "    cache point: none -> set",
        ),
        (
            tree("", &with(r#""cache": 300"#)),
            tree("", &with(r#""cache": 3600"#)),
            "    cache point: 300 s -> 3600 s",
        ),
        (tree("", a), tree("", &with(r#""title": "B""#)), "    - # A"),
        (
            tree("", r#"{"key": "rules", "body": "Be kind."}"#),
            tree("", r#"{"key": "house_rules", "body": "Be kind."}"#),
            "~ rules is now house_rules: ",
        ),
        (
            tree(
                "",
                r#"{"key": "a", "sections": [{"key": "x", "body": "One."}], "body": "All."}"#,
            ),
            tree(
                "",
                r#"{"key": "b", "sections": [{"key": "x", "body": "Two."}], "body": "All."}"#,
            ),
            "~ a.x is now b.x: ",
        ),
        (
            tree("", a),
            tree(
                "",
                &with(r#""visibility": "summary", "summary": "In short.""#),
            ),
            "the tool `open_sections` is new",
        ),
    ] {
        diff_tells(&folder, [&old, &new], told);
    }
}

/// Holds the code against what is sent.
fn diff_tells(folder: &Folder, [old, new]: [&str; 2], told: &str) {
    let files = [folder.file("old.json", old), folder.file("new.json", new)];
    let outcome = prompt(&["diff", &files[0], &files[1]]);
    assert!(
        outcome.out.lines().any(|line| line.starts_with(told)),
        "{old}\n{new}\n{outcome:?}"
    );
    let print = |file: &str| prompt(&["render", file, "--request", "anthropic"]).out;
    let is_same = print(&files[0]) == print(&files[1]);
    assert_eq!(outcome.code, i32::from(!is_same), "{outcome:?}");
    let says_same = matches!(told, "nothing changed" | "the same is sent");
    assert_eq!(says_same, is_same, "{outcome:?}");
}

#[test]
fn diff_knows_what_is_sent_from_what_it_is_called() {
    let folder = Folder::new("diff-sent");
    let tree = |more: &str| format!("{{\"key\": \"d\", \"body\": \"Top.\", {more}}}");
    let list = |sections: [&str; 2]| {
        let [a, b] =
            sections.map(|key| format!(r#"{{"key": "{key}", "untitled": true, "body": "A"}}"#));
        tree(&format!("\"sections\": [{a}, {b}]"))
    };
    for (old, new, told) in [
        (
            tree(r#""sections": [{"key": "a", "title": "T", "body": "A"}]"#),
            tree(r#""sections": [{"key": "b", "title": "T", "body": "A"}]"#),
            "the same is sent",
        ),
        (list(["a", "b"]), list(["b", "a"]), "nothing changed"),
        (
            tree(r#""tools": ["x", "y"]"#),
            tree(r#""tools": ["y", "x"]"#),
            "the order of the tools changed",
        ),
        (
            tree(r#""tools": ["x"], "sections": [{"key": "a", "body": "A", "tools": ["y"]}]"#),
            tree(r#""tools": ["y"], "sections": [{"key": "a", "body": "A", "tools": ["x"]}]"#),
            "the order of the tools changed",
        ),
    ] {
        diff_tells(&folder, [&old, &new], told);
    }
}

#[test]
fn diff_compares_folders_by_the_names_of_files() {
    let folder = Folder::new("diff-folders");
    for part in ["old/in", "new/in"] {
        std::fs::create_dir_all(folder.0.join(part)).unwrap();
    }
    for (name, text) in [
        ("old/same.md", "One."),
        ("new/same.md", "One."),
        ("old/in/a.md", "Two."),
        ("new/in/a.md", "2."),
        ("old/gone.md", "Three."),
        ("new/more.md", "Four."),
    ] {
        folder.file(name, text);
    }
    let [old, new] = ["old", "new"].map(|name| folder.0.join(name).display().to_string());
    let outcome = prompt(&["diff", &old, &new]);
    assert_eq!((outcome.code, outcome.err.as_str()), (1, ""));
    let lines: Vec<&str> = outcome
        .out
        .lines()
        .filter(|line| line.starts_with("== "))
        .collect();
    assert_eq!(lines, ["== gone.md: gone", "== in/a.md", "== more.md: new"]);
    assert!(
        outcome.out.contains("    - Two.\n    + 2.\n")
            && outcome.out.ends_with("3 of 4 files changed\n")
    );
    let same = prompt(&["diff", &old, &old]);
    assert_eq!(
        (same.code, same.out.as_str()),
        (0, "0 of 3 files changed\n")
    );
    // A fault is no change.
    folder.file("new/same.md", "####### x");
    assert_eq!(prompt(&["diff", &old, &new]).code, 2);
    let mixed = prompt(&["diff", &old, &format!("{new}/in/a.md")]);
    assert_eq!(mixed.code, 2);
    assert!(
        mixed.err.contains("two files, or two folders"),
        "{}",
        mixed.err
    );
}

#[test]
fn a_preview_is_written_as_a_page() {
    let folder = Folder::new("page");
    let file = folder.file("p.md", "Hello {name}.");
    let page = folder.0.join("page.html").display().to_string();
    let done = prompt(&["preview", &file, "--set", "name=Ada", "--html", &page]);
    assert_eq!(
        (done.code, done.out),
        (0, format!("{page}: written\n")),
        "{}",
        done.err
    );
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
        let lines = lines.filter_map(|line| line.strip_suffix(": sound"));
        lines.map(|line| line.replace(&root, "")).collect()
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
    assert_eq!((some.code, some.out.lines().count()), (2, 2));
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
    assert!(
        denied.err.contains("not all was looked at"),
        "{}",
        denied.err
    );
    let seen = prompt(&["check", &unseen, "--deny-warnings", "--set", "day=1"]);
    assert_eq!((seen.code, seen.err.as_str()), (0, ""));
}

/// Without values nobody knows what a brace with a name is: a variable, a slip, or text.
#[test]
fn a_check_without_values_says_so_where_braces_have_names() {
    let folder = Folder::new("unvalued");
    for text in [
        "{name",
        "{ name }",
        "{name|upper}",
        "{% if name %}a{% endif %}",
        "a{/name}",
        "{{name}}",
    ] {
        let file = folder.file("s.md", &format!("Hi {text}"));
        let told = prompt(&["check", &file]);
        assert_eq!(told.code, 0, "{text}");
        assert!(
            told.out.ends_with(", looked at without values\n"),
            "{text}: {}",
            told.out
        );
        assert_eq!(
            prompt(&["check", &file, "--deny-warnings"]).code,
            1,
            "{text}"
        );
        let judged = prompt(&["check", &file, "--deny-warnings", "--set", "name=Ada"]);
        assert_eq!(judged.code, 1, "{text}: {judged:?}");
    }
    for text in ["Hi.", "{\"a\": 1}", "{ }", "a } b"] {
        let file = folder.file("s.md", text);
        let told = prompt(&["check", &file, "--deny-warnings"]);
        assert_eq!((told.code, told.err.as_str()), (0, ""), "{text}");
    }
}

#[test]
fn a_check_tells_of_empty_files_and_of_values_that_nothing_uses() {
    let folder = Folder::new("idle");
    for (name, text) in [
        ("e.md", ""),
        ("e.toml", ""),
        ("e.json", "{}"),
        ("w.md", " \n\n"),
        // A provider takes no text that is white space.
        ("n.md", "\u{a0}"),
    ] {
        let file = folder.file(name, text);
        let told = prompt(&["check", &file]);
        assert_eq!(
            (told.code, told.out),
            (0, format!("{file}: sound, 1 warning\n")),
            "{name}"
        );
        let fact = "warning[empty_prompt]: the prompt is empty: nothing would be sent\n";
        assert!(told.err.starts_with(fact), "{}", told.err);
        assert_eq!(
            prompt(&["check", &file, "--deny-warnings"]).code,
            1,
            "{name}"
        );
    }
    let file = folder.file("a.md", "Hi {name}.");
    let values = folder.file("v.json", r#"{ "name": "Ada", "nmae": "Bo" }"#);
    let told = prompt(&["check", &file, "--values", &values, "--set", "more=1"]);
    assert_eq!(told.code, 0);
    assert_eq!(
        told.err,
        format!(
            "warning[unused_value]: no text uses the value `nmae`\n --> {values}\n\n\
             warning[unused_value]: no text uses the value `more`\n\n"
        )
    );
    assert_eq!(
        prompt(&["check", &file, "--values", &values, "--deny-warnings"]).code,
        1
    );
    // One file of several uses it.
    let other = folder.file("b.md", "Bye {nmae}, {name}.");
    let told = prompt(&[
        "check",
        &file,
        &other,
        "--values",
        &values,
        "--deny-warnings",
    ]);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
}

#[test]
fn files_of_values_are_read_strictly() {
    let folder = Folder::new("values");
    let file = folder.file("a.md", "Hi {name}.");
    let render =
        |name: &str, text: &str| prompt(&["render", &file, "--values", &folder.file(name, text)]);
    for (name, text) in [
        ("v.json", "\u{feff}{ \"name\": \"Ada\" }"),
        ("v.toml", "\u{feff}name = \"Ada\""),
    ] {
        assert_eq!(render(name, text).out, "Hi Ada.");
    }
    for (name, text, fact) in [
        (
            "v.yaml",
            "name: Ada",
            "values are in a file that ends in .json or .toml",
        ),
        (
            "v.txt",
            "{}",
            "values are in a file that ends in .json or .toml",
        ),
        (
            "v.json",
            r#"{ "name": 1, "name": 2 }"#,
            "`name` is given twice",
        ),
        (
            "v.json",
            r#"{ "name": [{ "x": 1, "x": 2 }] }"#,
            "`x` is given twice",
        ),
        ("v.json", "[1]", "it is no map of names and values"),
        (
            "v.toml",
            "name = nan",
            "NaN is no number that can be printed",
        ),
    ] {
        let told = render(name, text);
        assert_eq!((told.code, told.out.as_str()), (2, ""), "{text}");
        assert!(told.err.contains(fact), "{}", told.err);
    }
    // Wordings, too: TOML reads none that are given twice.
    for text in [
        r#"{"de": {"text": "A", "text": "B"}}"#,
        r#"{"de": {"text": "A"}, "de": {"text": "B"}}"#,
        r#"{"de": {"texts": {"a": "A", "a": "B"}}}"#,
    ] {
        let told = prompt(&["check", &folder.file("w.json", text)]);
        assert_eq!(told.code, 1, "{text}");
        assert!(told.err.contains("is given twice"), "{}", told.err);
    }
}

/// A number that was set stays as it is written, but where a text rounds it.
#[test]
fn numbers_that_are_set_are_texts_unless_they_are_rounded() {
    let folder = Folder::new("rounded");
    for (text, value, printed) in [
        ("{n}", "1.10", "1.10"),
        ("{n}", "01", "01"),
        ("{n:.2}", "3.14159", "3.14"),
        ("{n:>7.1}|", "2.25", "    2.2|"),
        ("{n:.2}", "abc", "ab"),
        ("{n:>4}|", "01", "  01|"),
    ] {
        let file = folder.file("n.md", text);
        let told = prompt(&["render", &file, "--set", &format!("n={value}")]);
        assert_eq!(told.out, printed, "{text} {value}");
    }
    let file = folder.file("n.md", "{ship.draught:.1}");
    assert_eq!(
        prompt(&["render", &file, "--set", "ship.draught=2.25"]).out,
        "2.2"
    );
}

/// As errors are: with the line of the file, in whatever form a text stands in it.
#[test]
fn warnings_have_their_places_in_the_file() {
    let folder = Folder::new("places");
    for (name, text, place) in [
        ("a.toml", "body = \"\"\"\nOne.\n{{x}}\n\"\"\"\n", "3:1"),
        (
            "a.toml",
            "[[sections]]\nkey = \"a\"\nbody = 'One.'\nsummary = \"{{x}}\"\n",
            "4:12",
        ),
        ("a.json", "{\n  \"body\": \"One.\\n{{x}}\" }", "2:18"),
        ("a.md", "One.\n\n{{x}}", "3:1"),
        ("a.md", "---\ndescription: D.\n---\n\nOne.\n{{x}}", "6:1"),
        (
            "a.toml",
            "[[sections]]\nkey = \"a\"\ntag = \"ATag\"\nbody = 'One.'\n",
            "3:7",
        ),
    ] {
        let file = folder.file(name, text);
        let told = prompt(&["check", &file, "--values", &folder.file("v.json", "{}")]);
        assert!(
            told.err.contains(&format!(" --> {file}:{place}\n")),
            "{text}\n{}",
            told.err
        );
        let (line, column) = place.split_once(':').unwrap();
        let json = prompt(&["check", &file, "--format", "json"]);
        let list: Vec<serde_json::Value> = serde_json::from_str(&json.out).unwrap();
        assert_eq!(
            (list[0]["line"].to_string(), list[0]["column"].to_string()),
            (line.into(), column.into()),
            "{text}"
        );
    }
}

/// For editors and CI systems.
#[test]
fn a_check_tells_machines_what_it_found() {
    let folder = Folder::new("machines");
    let faulty = folder.file("a.toml", "body = \"\"\"\nHi {nmae}, 100%:\n\"\"\"\n");
    let odd = folder.file("b.md", "{{x}} it is");
    let check = |format: &str| {
        prompt(&[
            "check", &faulty, &odd, "--set", "name=1", "--set", "x=2", "--format", format,
        ])
    };
    let json = check("json");
    assert_eq!((json.code, json.err.as_str()), (1, ""));
    let list: Vec<serde_json::Value> = serde_json::from_str(&json.out).unwrap();
    assert_eq!(list[0]["severity"], "error");
    assert_eq!(list[0]["code"], "unknown_variable");
    assert_eq!(list[0]["file"], faulty.as_str());
    assert_eq!(
        (&list[0]["line"], &list[0]["column"]),
        (&2.into(), &4.into())
    );
    assert_eq!(
        list[0]["help"],
        "a value with a similar name exists: `name`"
    );
    assert_eq!(
        (&list[1]["severity"], &list[1]["code"]),
        (&"warning".into(), &"doubled_braces".into())
    );
    assert_eq!(list.len(), 2, "{}", json.out);
    let github = check("github");
    let lines: Vec<&str> = github.out.lines().collect();
    let file = faulty.replace(':', "%3A");
    assert_eq!(
        lines[0],
        format!(
            "::error file={file},line=2,col=4,title=unknown_variable::unknown variable `nmae`%0Ahelp: a value with a similar name exists: `name`"
        )
    );
    assert!(
        lines[1].starts_with("::warning file=") && lines.len() == 2,
        "{}",
        github.out
    );
    let sound = prompt(&["check", &odd, "--set", "x=2", "--format", "json"]);
    assert_eq!(sound.code, 0);
    let nothing = prompt(&["check", &folder.file("c.md", "Hi."), "--format", "json"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (0, "[]\n"));
    // For people there is a sum.
    let people = prompt(&["check", &faulty, &odd, "--set", "name=1", "--set", "x=2"]);
    assert!(
        people.out.ends_with("2 files: 1 sound, 1 faulty\n"),
        "{}",
        people.out
    );
}

#[test]
fn a_file_of_another_name_is_what_is_said() {
    let folder = Folder::new("kinds");
    let file = folder.file("rule.mdc", "Hi {name}.");
    let told = prompt(&["render", &file, "--set", "name=Ada"]);
    assert_eq!(told.code, 2);
    assert!(
        told.err.contains("of another one say `--as`"),
        "{}",
        told.err
    );
    let told = prompt(&["render", &file, "--set", "name=Ada", "--as", "md"]);
    assert_eq!((told.code, told.out.as_str()), (0, "Hi Ada."));
    // A name that says its kind is believed.
    let file = folder.file("tree.toml", "body = \"Hi.\"");
    assert_eq!(prompt(&["render", &file, "--as", "md"]).out, "Hi.");
}

#[test]
fn a_check_names_hidden_folders_and_looks_at_those_that_are_named() {
    let folder = Folder::new("hidden");
    for part in [".github/prompts", ".git", "more/.claude"] {
        std::fs::create_dir_all(folder.0.join(part)).unwrap();
    }
    let file = folder.file("a.md", "Hi.");
    folder.file(".github/prompts/b.md", "####### x");
    let root = folder.0.display().to_string();
    let told = prompt(&["check", &root]);
    assert_eq!((told.code, told.out), (0, format!("{file}: sound\n")));
    assert_eq!(
        told.err,
        format!(
            "{root}/.github: hidden, not looked at\n{root}/more/.claude: hidden, not looked at\n"
        )
    );
    assert_eq!(prompt(&["check", &format!("{root}/.github")]).code, 1);
}

#[test]
fn the_schema_of_prompt_files_may_lie_beside_them() {
    let folder = Folder::new("schema");
    let schema = prompt(&["schema"]);
    assert_eq!(schema.code, 0);
    folder.file("prompt.schema.json", &schema.out);
    let file = folder.file("a.toml", "#:schema ./prompt.schema.json\nbody = \"Hi.\"");
    let root = folder.0.display().to_string();
    let told = prompt(&["check", &root, "--deny-warnings"]);
    assert_eq!((told.code, told.out), (0, format!("{file}: sound\n")));
    assert_eq!(
        told.err,
        format!("{root}/prompt.schema.json: a JSON schema, not looked at\n")
    );
}

#[test]
fn several_files_that_are_printed_say_which_is_which() {
    let folder = Folder::new("several");
    let (a, b) = (
        folder.file("a.md", "Hi {name}"),
        folder.file("b.md", "Bye {name}\n"),
    );
    let told = prompt(&["render", &a, &b, "--set", "name=Ada"]);
    assert_eq!(told.out, format!("== {a}\nHi Ada\n== {b}\nBye Ada\n"));
    let told = prompt(&["preview", &a, &b, "--set", "name=Ada"]);
    assert!(
        told.out.starts_with(&format!("== {a}\n")) && told.out.contains(&format!("\n== {b}\n"))
    );
    let told = prompt(&[
        "render",
        &a,
        &b,
        "--set",
        "name=Ada",
        "--request",
        "anthropic",
    ]);
    assert_eq!(told.code, 2);
    assert!(
        told.err.contains("`--request` goes with one file"),
        "{}",
        told.err
    );
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
    assert_eq!(
        (done.code, done.out),
        (1, format!("{page}: written\n")),
        "{}",
        done.err
    );
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(
        html.contains("<del>Two.</del>") && html.contains("<ins>2.</ins>"),
        "{html}"
    );
    assert!(
        html.contains(&format!("<code>{old}</code> to <code>{new}</code>")),
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

/// A watch that runs, and what it says, line by line.
struct Watch {
    running: Child,
    out: Option<BufReader<ChildStdout>>,
}

impl Watch {
    fn begin(arguments: &[&str]) -> Self {
        let mut running = command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = running.stdout.take().map(BufReader::new);
        Self { running, out }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let out = self.out.as_mut().unwrap();
        out.read_line(&mut line).unwrap();
        line
    }

    /// The code with which it ends by itself, if it does so soon.
    fn end(&mut self) -> Option<i32> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(20) {
            if let Some(status) = self.running.try_wait().unwrap() {
                return Some(status.code().unwrap());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.running.kill().ok();
        self.running.wait().ok();
    }
}

#[test]
fn a_watch_looks_again_when_a_file_changes() {
    let folder = Folder::new("watch");
    let file = folder.file("w.md", "Hello {name}.");
    let values = folder.file("v.json", "{ \"name\": \"Ada\" }");
    let page = folder.0.join("page.html").display().to_string();
    let read = || std::fs::read_to_string(&page).unwrap();
    let mut watch = Watch::begin(&["watch", &file, "--values", &values, "--html", &page]);
    let (sound, written) = (format!("{file}: sound\n"), format!("{page}: written\n"));
    assert_eq!(
        (watch.line(), watch.line()),
        (sound.clone(), written.clone())
    );
    folder.file("w.md", "Good morning, {name}.");
    assert_eq!(
        (watch.line(), watch.line()),
        (sound.clone(), written.clone())
    );
    assert!(read().contains("Good morning"));
    // As many editors save: another file takes its place.
    std::fs::rename(folder.file("new", "Good evening, {name}."), &file).unwrap();
    assert_eq!(
        (watch.line(), watch.line()),
        (sound.clone(), written.clone())
    );
    folder.file("v.json", "{ \"name\": \"Bea\" }");
    assert_eq!(
        (watch.line(), watch.line()),
        (sound.clone(), written.clone())
    );
    assert!(read().contains("Bea"));
    // What changes beside them is none of its matter. A fault is told, and the page stays as it was.
    folder.file("other.md", "####### A");
    folder.file("w.md", "####### {name} and more");
    let mut told = String::new();
    let mut err = BufReader::new(watch.running.stderr.take().unwrap());
    while !told.contains("1 fault\n") {
        err.read_line(&mut told).unwrap();
    }
    let why = format!("== changed: {file}\n");
    assert!(told.starts_with(&why), "{told}");
    assert!(
        told.contains("error[heading_level]") && !told.contains("other.md"),
        "{told}"
    );
    assert!(read().contains("Good evening"));
    folder.file("w.md", "Good night, {name}.");
    assert_eq!((watch.line(), watch.line()), (sound, written));
}

/// As a checkout of another branch and back does it; and what links lead to.
#[cfg(unix)]
#[test]
fn a_watch_outlives_its_folder_and_follows_links() {
    let folder = Folder::new("watch-folder");
    let (prompts, other) = (folder.0.join("prompts"), folder.0.join("other"));
    for path in [&prompts, &other] {
        std::fs::create_dir(path).unwrap();
    }
    folder.file("prompts/a.md", "One.");
    folder.file("other/b.md", "Two.");
    let root = prompts.display().to_string();
    let mut watch = Watch::begin(&["watch", &root]);
    let sound = |name: &str| format!("{root}/{name}: sound\n");
    assert_eq!(watch.line(), sound("a.md"));
    std::fs::remove_dir_all(&prompts).unwrap();
    let mut err = BufReader::new(watch.running.stderr.take().unwrap());
    let mut told = String::new();
    err.read_line(&mut told).unwrap();
    err.read_line(&mut told).unwrap();
    let why = format!("== changed: {root}, {root}/a.md\n{root}: ");
    assert!(told.starts_with(&why), "{told}");
    std::fs::create_dir(&prompts).unwrap();
    folder.file("prompts/a.md", "Once more.");
    assert_eq!(watch.line(), sound("a.md"));
    std::os::unix::fs::symlink(&other, prompts.join("linked")).unwrap();
    assert_eq!(
        [watch.line(), watch.line()],
        [sound("a.md"), sound("linked/b.md")]
    );
    folder.file("other/b.md", "Another text.");
    assert_eq!(
        [watch.line(), watch.line()],
        [sound("a.md"), sound("linked/b.md")]
    );
}

#[test]
fn a_watch_ends_when_nobody_reads_it() {
    let folder = Folder::new("unread");
    folder.file("w.md", "Hello.");
    let root = folder.0.display().to_string();
    let mut watch = Watch::begin(&["watch", &root]);
    assert!(watch.line().ends_with("w.md: sound\n"));
    // The reader goes.
    watch.out = None;
    assert_eq!(watch.end(), Some(0));
}

/// What a browser is told, and nothing else, may be written over.
#[test]
fn a_page_takes_the_place_of_a_page_only() {
    let folder = Folder::new("no-page");
    let file = folder.file("a.md", "Hello {name}.");
    let notes = folder.file("notes.html", "<!DOCTYPE html>\n<p>Mine.</p>\n");
    let values = folder.file("v.json", "{ \"name\": \"Ada\" }");
    let root = folder.0.display().to_string();
    for page in [&file, &notes, &values, &root] {
        for command in ["preview", "diff", "watch"] {
            let mut arguments = vec![command, "--html", page, "--set", "name=Ada", &file];
            if command == "diff" {
                arguments.push(&file);
            }
            let refused = prompt(&arguments);
            assert_eq!(refused.code, 2, "{arguments:?}: {refused:?}");
            assert!(refused.err.contains("is something else"), "{}", refused.err);
        }
    }
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "Hello {name}.");
    assert!(
        std::fs::read_to_string(&notes)
            .unwrap()
            .ends_with("Mine.</p>\n")
    );
    assert!(std::fs::read_to_string(&values).unwrap().starts_with("{ "));
    // The name of a prompt file is none for a page, whether the file is there or not.
    let new = folder.0.join("new.toml").display().to_string();
    assert_eq!(
        prompt(&["preview", &file, "--set", "name=A", "--html", &new]).code,
        2
    );
    assert!(!PathBuf::from(&new).exists());
    // A page, and a file in which nothing stands, have nothing to lose.
    let page = folder.file("page", "");
    for name in ["name=Ada", "name=Bea"] {
        let done = prompt(&["preview", &file, "--set", name, "--html", &page]);
        assert_eq!((done.code, done.err.as_str()), (0, ""));
    }
    let other = prompt(&["diff", &file, &notes.replace("html", "md"), "--html", &page]);
    assert_eq!(other.code, 2);
    let done = prompt(&["diff", &file, &file, "--set", "name=A", "--html", &page]);
    assert_eq!((done.code, done.err.as_str()), (0, ""));
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_told_and_a_reader_that_left_is_not() {
    let folder = Folder::new("full");
    let file = folder.file("a.md", "Hello.");
    let run = |out: Stdio| {
        let done = command(["render", &file]).stdout(out).output().unwrap();
        (done.status.code(), String::from_utf8(done.stderr).unwrap())
    };
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    let (code, told) = run(full.unwrap().into());
    assert_eq!(code, Some(2));
    assert!(told.starts_with("the output was not written: "), "{told}");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    assert_eq!(run(writer.into()), (Some(0), String::new()));
    // What is wrong is told all the same.
    let faults = folder.file("b.md", "####### A");
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let done = command(["check", &faults]).stdout(writer).output().unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(String::from_utf8(done.stderr).unwrap().contains("1 fault"));
}

#[test]
fn lines_of_a_text_end_as_the_grammar_ends_them() {
    let place = |text: &str| {
        let found = report("l.md", text);
        let (_, rest) = found.split_once("--> l.md:").unwrap();
        rest.to_owned()
    };
    for text in [
        "one\rtwo\rHello {?a}x\rfoo",
        "one\r\ntwo\r\nHello {?a}x\r\nfoo",
        "one\ntwo\rHello {?a}x\nfoo",
    ] {
        let found = place(text);
        assert!(found.starts_with("3:7\n"), "{found}");
        assert!(
            found.contains("\n3 | Hello {?a}x\n  |       ^\n"),
            "{found}"
        );
    }
    // The same for values that are missing.
    let missing = prompt_of("a\r\r{b}", &["render", "-", "--as", "md"]);
    assert!(missing.err.contains("(stdin):3:1\n"), "{}", missing.err);
    // A return in JSON is a blank.
    let found = report("p.json", "{\r\"body\":\r\"####### A\"}");
    assert!(found.contains("--> p.json:1:12\n"), "{found}");
    assert!(
        found.contains("\n1 | {\u{240d}\"body\":\u{240d}\"####### A\"}\n"),
        "{found}"
    );
}

#[test]
fn what_is_no_text_is_refused_and_what_cannot_be_seen_is_shown() {
    use std::os::unix::ffi::OsStringExt;
    let folder = Folder::new("hidden");
    let file = folder.file("h.md", "####### \u{1b}[31mred \u{202e}left\u{7f}\u{85}");
    let broken = |option: &str| {
        let value = OsString::from_vec(b"a=\xff".to_vec());
        let arguments = [
            OsString::from("render"),
            OsString::from(&file),
            option.into(),
            value,
        ];
        prompt_of("", &arguments)
    };
    for option in [
        "--set",
        "--model",
        "--style",
        "--request",
        "--as",
        "--budget",
    ] {
        let told = broken(option);
        assert_eq!((told.code, told.out.as_str()), (2, ""), "{told:?}");
        assert!(told.err.starts_with("error: "), "{}", told.err);
    }
    let told = prompt(&["check", &file]);
    assert!(
        told.err
            .contains("####### \u{241b}[31mred \u{fffd}left\u{2421}\u{fffd}\n"),
        "{}",
        told.err
    );
    // Names of files, of sound ones too.
    let odd = folder.file("\u{1b}[2J\u{2066}.md", "Hello.");
    let told = prompt(&["check", &odd]);
    assert_eq!(told.code, 0);
    assert!(
        told.out.ends_with("\u{241b}[2J\u{fffd}.md: sound\n"),
        "{}",
        told.out
    );
    let gone = prompt(&["check", &format!("{odd}.toml")]);
    assert!(!gone.err.contains('\u{1b}'), "{}", gone.err);
    // What changed is shown, too.
    let diff = prompt(&["diff", &odd, &folder.file("b.md", "Hello\u{7}.")]);
    assert!(diff.out.contains("    + Hello\u{2407}.\n"), "{}", diff.out);
    // A prompt goes out to the byte.
    let rendered = prompt_of("\u{1b}[0m\u{202e}", &["render", "-", "--as", "md"]);
    assert_eq!(rendered.out, "\u{1b}[0m\u{202e}");
}

#[test]
fn the_standard_input_is_read_once() {
    for arguments in [
        ["render", "-", "-"],
        ["diff", "-", "-"],
        ["check", "-", "-"],
    ] {
        let told = prompt_of("{ \"body\": \"x\" }", &arguments);
        assert_eq!((told.code, told.out.as_str()), (2, ""), "{arguments:?}");
        assert!(told.err.contains("`-`"), "{}", told.err);
    }
}

#[test]
fn a_folder_that_cannot_be_read_hides_only_itself() {
    // A path can be longer than the system takes, for a tree that was moved into another one.
    let folder = Folder::new("deep");
    let long = |name: &str| {
        let steps = vec!["d".repeat(200); 15].join("/");
        let path = folder.0.join(name).join(&steps);
        std::fs::create_dir_all(&path).unwrap();
        path
    };
    let end = long("outer");
    long("inner");
    std::fs::rename(folder.0.join("inner"), end.join("inner")).unwrap();
    folder.file("a.md", "Hello.");
    let found = prompt(&["check", &folder.0.display().to_string()]);
    assert_eq!(found.code, 2);
    assert!(found.out.contains("a.md: sound\n"), "{}", found.out);
    let (blamed, _) = found.err.split_once(": ").unwrap();
    assert!(
        blamed.starts_with(&end.display().to_string()),
        "{}",
        found.err
    );
}

#[test]
fn a_file_of_wordings_is_told_to_be_one_and_its_syntax_is_checked() {
    let folder = Folder::new("wordings");
    let text = "[calm]\ntext = \"Breathe, {name}.\"\n[calm.texts]\n\"tone\" = \"{?x}Slow.{/x}\"\n";
    let file = folder.file("wordings.toml", text);
    let told = prompt(&["check", &file]);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let begin = format!("{file}: sound, 1 wording, looked at without the type: ");
    assert!(told.out.starts_with(&begin), "{}", told.out);
    assert!(
        told.out.contains("`Wordings::check`") && told.out.contains("`prompt_review::command`")
    );

    let slip = folder.file("slip.toml", &text.replace("{/x}", "{/y}"));
    let told = prompt(&["check", &slip]);
    assert_eq!(told.code, 1);
    assert!(
        told.err.contains("error[mismatched_condition]"),
        "{}",
        told.err
    );
    assert!(told.err.contains("slip.toml:4:"), "{}", told.err);
    let key = folder.file(
        "key.json",
        "{ \"a\": { \"text\": \"x\" }, \"b\": { \"txt\": \"y\" } }",
    );
    let told = prompt(&["check", &key]);
    assert!(
        told.err.contains("help: did you mean `text`?"),
        "{}",
        told.err
    );

    // It is printed where its type is.
    let told = prompt(&["render", &file]);
    assert_eq!(told.code, 2);
    assert!(
        told.err.contains("the program that has their type"),
        "{}",
        told.err
    );
    // A tree with nothing but tables is a tree.
    let tree = folder.file("tree.toml", "[vars.text]\nuntrusted = true\n");
    assert!(!prompt(&["check", &tree]).out.contains("1 wording"));
}

#[test]
fn a_file_of_values_is_no_prompt_of_its_folder() {
    let folder = Folder::new("values");
    folder.file("a.md", "Hello {name}.");
    let values = folder.file("values.toml", "name = \"Ada\"\n");
    let root = folder.0.display().to_string();
    let told = prompt(&["check", &root, "--values", &values]);
    let sound = format!("{root}/a.md: sound\n");
    assert_eq!((told.code, told.out, told.err), (0, sound, String::new()));
}

#[test]
fn a_request_without_a_turn_of_the_user_has_one_that_stands_in() {
    let asked = ["render", "-", "--as", "md", "--request", "anthropic"];
    let told = prompt_of("Be brief.", &asked);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    assert!(
        told.out.contains("\"text\": \"(what the user says)\""),
        "{}",
        told.out
    );
    let asked = ["render", "-", "--request", "anthropic"];
    let section = "{ \"sections\": [{ \"key\": \"q\", \"role\": \"user\", \"body\": \"Well?\" }] }";
    let told = prompt_of(section, &asked);
    assert!(!told.out.contains("what the user says"), "{}", told.out);
}

/// What is left out is told to people and machines, and fails nothing.
#[test]
fn hidden_files_are_told_or_named_by_a_pattern() {
    let folder = Folder::new("dots");
    for part in [".hidden", ".git"] {
        std::fs::create_dir_all(folder.0.join(part)).unwrap();
    }
    let file = folder.file("a.md", "Hi.");
    for name in [".b.md", ".hidden/c.md", ".git/d.md", ".other"] {
        folder.file(name, "####### x");
    }
    let root = folder.0.display().to_string();
    let left_out =
        format!("{root}/.b.md: hidden, not looked at\n{root}/.hidden: hidden, not looked at\n");
    for meant in [
        root.clone(),
        format!("{root}/*.md"),
        format!("{root}/**/*.md"),
    ] {
        let told = prompt(&["check", &meant, "--deny-warnings"]);
        assert_eq!((told.code, told.out), (0, format!("{file}: sound\n")));
        // A pattern of one name reaches no folder.
        let is_flat = meant.ends_with("*.md") && !meant.contains("**");
        let lines = left_out.lines().take(if is_flat { 1 } else { 2 });
        assert!(told.err.lines().eq(lines), "{meant}: {}", told.err);
    }
    let json = prompt(&["check", &root, "--format", "json"]).out;
    let list: Vec<serde_json::Value> = serde_json::from_str(&json).unwrap();
    let found: Vec<_> = list
        .iter()
        .map(|it| (&it["severity"], &it["code"]))
        .collect();
    assert_eq!(found, [(&"notice".into(), &"not_looked_at".into()); 2]);
    let github = prompt(&["check", &root, "--format", "github"]).out;
    assert!(github.starts_with("::notice file="), "{github}");
    for meant in ["/.*.md", "/.hidden/*.md", "/.hidden", "/.git"] {
        let told = prompt(&["check", &format!("{root}{meant}")]);
        assert_eq!((told.code, told.out.as_str()), (1, ""), "{meant}");
    }
    // What is named is not left out.
    let told = prompt(&["check", &root, &format!("{root}/.b.md")]);
    assert!(!told.err.contains(".b.md: hidden"), "{}", told.err);
}

/// A check that looked at nothing is none.
#[test]
fn a_folder_with_nothing_but_a_schema_is_no_success() {
    let folder = Folder::new("schema-only");
    let schema = folder.file("prompt.schema.json", &prompt(&["schema"]).out);
    let told = prompt(&["check", &folder.0.display().to_string()]);
    let fact = format!("{schema}: a JSON schema, not looked at\nthere is no prompt file\n");
    assert_eq!((told.code, told.err), (2, fact));
}

#[test]
fn folders_are_compared_without_what_is_no_prompt() {
    let folder = Folder::new("diff-kinds");
    for part in ["old", "new"] {
        std::fs::create_dir_all(folder.0.join(part)).unwrap();
    }
    let schema = prompt(&["schema"]).out;
    for (name, text) in [
        ("old/prompt.schema.json", schema.as_str()),
        ("new/prompt.schema.json", "{}"),
        ("new/words.toml", "[de]\ntext = \"Hallo.\"\n"),
        ("old/a.md", "Hi {name}."),
        ("new/a.md", "Hi {name}."),
    ] {
        folder.file(name, text);
    }
    let [old, new] = ["old", "new"].map(|name| folder.0.join(name).display().to_string());
    let told = prompt(&["diff", &old, &new, "--set", "name=Ada"]);
    let values = "with these values: what others print is not compared\n";
    assert_eq!(
        (told.code, told.out),
        (0, format!("0 of 1 files changed\n{values}"))
    );
    assert_eq!(
        told.err,
        "prompt.schema.json: a JSON schema, not looked at\nwords.toml: a file of wordings, not looked at\n"
    );
    // What has faults is not changed.
    folder.file("new/a.md", "####### x");
    let told = prompt(&["diff", &old, &new, "--set", "name=Ada"]);
    assert_eq!(
        (told.code, told.out),
        (2, format!("0 of 1 files changed, 1 faulty\n{values}"))
    );
    assert_eq!(told.err.matches("error[").count(), 1, "{}", told.err);
}

#[test]
fn what_is_set_is_json_where_it_is_a_list_or_a_map() {
    let print = |value: &str| prompt_of("{x}", &["render", "-", "--as", "md", "--set", value]);
    for (value, printed) in [
        // No JSON: a text.
        ("x=[draft] it", "[draft] it"),
        ("x=[a, b]", "[a, b]"),
        ("x= true ", " true "),
        ("x=\"q\"", "\"q\""),
        ("x=1.10", "1.10"),
        // JSON: a list, whose numbers are numbers.
        ("x= [1.10, 2]", "[1.1,2]"),
    ] {
        let told = print(value);
        assert_eq!(
            (told.code, told.out.as_str()),
            (0, printed),
            "{value}: {}",
            told.err
        );
    }
    let twice = print(r#"x={"a": 1, "a": 2}"#);
    assert_eq!(
        (twice.code, twice.err.as_str()),
        (2, "`--set x`: `a` is given twice\n")
    );
}

/// Everything that a machine is told has a code, and a file if it is of one.
#[test]
fn findings_of_a_check_have_codes_and_files() {
    let folder = Folder::new("codes");
    let values = folder.file("v.json", "{\n  \"zz\": 1,\n  \"x\": 2\n}");
    let broken = folder.file("w.json", "{\n  \"zz\": 1\n  \"x\": 2\n}");
    let file = folder.file("a.md", "---\nmode: agent\n---\n{x}");
    let unseen = folder.file("b.md", "{y}");
    let empty = folder.file("c.md", "");
    let gone = format!("{file}.gone");
    let check = |arguments: &[&str]| -> Vec<serde_json::Value> {
        let all = [&["check", "--format", "json"], arguments].concat();
        serde_json::from_str(&prompt(&all).out).unwrap()
    };
    let found = |arguments: &[&str]| -> Vec<String> {
        let told = check(arguments).into_iter();
        told.map(|it| {
            let line = it["line"].as_u64().map(|line| format!(":{line}"));
            let file = it["file"].as_str().unwrap_or("-");
            let name = file.rsplit('/').next().unwrap();
            let text = |key: &str| it[key].as_str().unwrap().to_owned();
            format!(
                "{}[{}] {name}{}",
                text("severity"),
                text("code"),
                line.unwrap_or_default()
            )
        })
        .collect()
    };
    assert_eq!(
        found(&[&file, "--values", &values, "--set", "yy=1"]),
        [
            "warning[front_matter] a.md:2",
            "warning[unused_value] v.json",
            "warning[unused_value] -"
        ]
    );
    assert_eq!(found(&[&unseen]), ["warning[not_looked_at] b.md"]);
    assert_eq!(found(&[&empty]), ["warning[empty_prompt] c.md"]);
    assert_eq!(
        found(&[&file, "--values", &broken]),
        ["error[unreadable] w.json:3"]
    );
    assert_eq!(found(&[&gone]), ["error[unreadable] a.md.gone"]);
    assert_eq!(found(&["-", "-"]), ["error[usage] -"]);
    // A value that is missing has the remedy of the command.
    let missing = check(&[&unseen, "--values", &values]);
    assert_eq!(
        missing[0]["help"],
        "give it a value: `--set y=..`, or `--values FILE`"
    );
}

/// Errors are no more costly than their number.
#[test]
fn many_faults_of_a_text_are_told_in_linear_time() {
    // It took six seconds when each fault read the file anew, and ten when each counted the characters of its line.
    for (text, many, set) in [("Line {x} here.\n", 400, "y=1"), ("{/x}", 8000, "x=1")] {
        let start = Instant::now();
        let text = text.repeat(many);
        let told = prompt_of(&text, &["render", "-", "--as", "md", "--set", set]);
        assert_eq!(told.code, 1);
        assert!(start.elapsed() < Duration::from_secs(3), "{many}");
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_are_one_line() {
    let folder = Folder::new("names");
    let file = folder.file("a\nerror: b.md", "{{x}}");
    let told = prompt(&["check", &file, "--set", "x=1"]);
    let lines = told.out.lines().count()
        + told
            .err
            .lines()
            .filter(|it| it.starts_with("error:"))
            .count();
    assert_eq!(lines, 1, "{told:?}");
    let told = prompt(&["render", &file, &file, "--set", "x=1"]);
    assert!(
        told.out.starts_with("== ") && told.out.lines().count() == 4,
        "{}",
        told.out
    );
}

/// In code a name without a value is text: that it is used is seen where it has one.
#[test]
fn a_value_that_is_used_in_code_is_used() {
    for text in [
        "Use `{lang}`.",
        "```\n{lang}\n```",
        "`{?lang}y{/lang}`",
        "{lang:>3}",
    ] {
        let told = prompt_of(
            text,
            &[
                "check",
                "-",
                "--as",
                "md",
                "--set",
                "lang=rust",
                "--deny-warnings",
            ],
        );
        assert_eq!((told.code, told.err.as_str()), (0, ""), "{text}");
    }
    // As Python writes it.
    for (kind, text) in [
        ("json", r#"{"body": "Hi {caf\u00e9}."}"#),
        (
            "json",
            r#"{"body": "Hi.", "sections": [{"key": "a", "when": "!caf\u00e9", "body": "x"}]}"#,
        ),
        ("toml", r#"body = "Hi {caf\u00e9}.""#),
    ] {
        let told = prompt_of(text, &["check", "-", "--as", kind, "--set", "café=1"]);
        assert_eq!((told.code, told.err.as_str()), (0, ""), "{text}");
    }
    for text in ["lang", "{language}"] {
        let told = prompt_of(
            text,
            &[
                "render",
                "-",
                "--as",
                "md",
                "--set",
                "lang=rust",
                "--set",
                "language=x",
            ],
        );
        assert!(
            told.err.contains("no text uses the value `lang`"),
            "{text}: {told:?}"
        );
    }
}

/// What is not sent changes no code, and is not hidden either.
#[test]
fn diff_tells_of_texts_that_are_not_sent() {
    let folder = Folder::new("unsent");
    let file = |name: &str, body: &str, off: &str| {
        let closed = format!(
            "[[sections]]\nkey = \"a\"\nvisibility = \"summary\"\nsummary = \"Short.\"\nbody = \"{body}\"\n"
        );
        let absent = format!("[[sections]]\nkey = \"b\"\nwhen = \"x\"\nbody = \"{off}\"\n");
        folder.file(name, &format!("{closed}{absent}"))
    };
    let old = file("old.toml", "One.", "Two.");
    for (body, off, paths) in [
        ("1.", "Two.", "`a`"),
        ("One.", "2.", "`b`"),
        ("1.", "2.", "`a`, `b`"),
    ] {
        let new = file("new.toml", body, off);
        let told = prompt(&["diff", &old, &new, "--set", "x="]);
        let fact = format!("the same is sent\nchanged where it is not sent: {paths}\n");
        assert!(told.code == 0 && told.out.starts_with(&fact), "{told:?}");
    }
    let told = prompt(&["diff", &old, &old, "--set", "x="]);
    assert!(told.out.starts_with("nothing changed\n"), "{told:?}");
    // Also of a section whose short form, which is sent, is another.
    let both = std::fs::read_to_string(&old)
        .unwrap()
        .replace("One.", "1.")
        .replace("Short.", "S.");
    let new = folder.file("new.toml", &both);
    let told = prompt(&["diff", &old, &new, "--set", "x="]);
    assert!(
        told.code == 1 && told.out.contains("changed where it is not sent: `a`\n"),
        "{told:?}"
    );
    // And in folders.
    for part in ["before", "after"] {
        std::fs::create_dir(folder.0.join(part)).unwrap();
    }
    folder.file("before/a.toml", &std::fs::read_to_string(&old).unwrap());
    file("after/a.toml", "1.", "Two.");
    let [before, after] = ["before", "after"].map(|name| folder.0.join(name).display().to_string());
    let told = prompt(&["diff", &before, &after, "--set", "x="]);
    let fact = "== a.toml\nthe same is sent\nchanged where it is not sent: `a`\n";
    assert!(
        told.code == 0 && told.out.starts_with(fact) && told.out.contains("0 of 1 files changed\n"),
        "{told:?}"
    );
}

/// Each is what the file takes, where it stands.
#[test]
fn remedies_are_in_the_syntax_of_the_file() {
    let check =
        |text: &str, kind: &str| prompt_of(text, &["check", "-", "--as", kind, "--set", "y=1"]).err;
    for (text, kind, remedy) in [
        (
            "+++\ndescription = \"x\"\n+++\nHi {{x}}",
            "md",
            "`allow = [\"doubled_braces\"]` in front matter",
        ),
        (
            "Hi.\n\n```\n{y}",
            "md",
            "`allow: [\"unclosed_fence\"]` in front matter",
        ),
        (
            "{\"body\": \"Hi.\\n\\n```\\n{y}\"}",
            "json",
            "`\"allow\": [\"unclosed_fence\"]`",
        ),
        (
            "---\nmode: agent\n---\n{y}",
            "md",
            "`allow: [\"front_matter\"]`",
        ),
        (
            "+++\nmode = 1\n+++\n{y}",
            "md",
            "`allow = [\"front_matter\"]`",
        ),
        ("{*z}{item}{/z}{y}", "md", "`--set z='[\"..\"]'`"),
        (
            "body = \"{y}\"\nvars.y.join = \", \"",
            "toml",
            "make it a list",
        ),
    ] {
        let told = check(text, kind);
        assert!(told.contains(remedy), "{text}: {told}");
    }
    let denied = "---\nmode: agent\ndeny: [front_matter]\n---\n{y}";
    let told = prompt_of(denied, &["check", "-", "--as", "md", "--set", "y=1"]);
    assert!(
        told.code == 1 && told.out.is_empty() && told.err.starts_with("error[front_matter]"),
        "{told:?}"
    );
    let allowed = "---\nmode: agent\nallow: [front_matter]\n---\n{y}";
    let told = prompt_of(
        allowed,
        &[
            "check",
            "-",
            "--as",
            "md",
            "--set",
            "y=1",
            "--deny-warnings",
        ],
    );
    assert_eq!((told.code, told.err.as_str()), (0, ""));
}

/// A warning of a line marks what is wrong in it.
#[test]
fn warnings_of_a_line_have_its_column() {
    for (text, kind, places) in [
        ("aaaa bbbb {{x}} cccc {{y}}", "md", ["1:11", "1:22"]),
        (
            "{\"body\": \"A\\nä {{x}} {{y}}\"}",
            "json",
            ["1:16", "1:22"],
        ),
    ] {
        let told = prompt_of(
            text,
            &[
                "check", "-", "--as", kind, "--set", "x=1", "--set", "y=1", "--format", "json",
            ],
        );
        let list: Vec<serde_json::Value> = serde_json::from_str(&told.out).unwrap();
        let found = list.iter().filter(|it| it["code"] == "doubled_braces");
        let found: Vec<String> = found
            .map(|it| format!("{}:{}", it["line"], it["column"]))
            .collect();
        assert_eq!(found, places, "{text}");
    }
}

#[test]
fn what_is_not_there_is_told_as_such() {
    let folder = Folder::new("gone");
    let file = folder.file("a.md", "Hi.");
    let root = folder.0.display().to_string();
    let gone = format!("{root}/gone");
    for words in [[&gone, &root], [&root, &gone], [&file, &gone]] {
        let told = prompt(&["diff", words[0], words[1]]);
        let fact = format!("{gone}: No such file");
        assert!(told.code == 2 && told.err.starts_with(&fact), "{told:?}");
    }
    let told = prompt(&["check", &format!("{root}/{{a,b}}/*.md")]);
    assert!(
        told.code == 2 && told.err.contains("{a,b}/*.md: No such file"),
        "{told:?}"
    );
}

/// What is set is what it would be in a file, where a text rounds it: whole numbers too, and by another name.
#[test]
fn what_is_set_and_rounded_is_as_in_a_file() {
    let folder = Folder::new("rounded");
    for (file, set, value) in [
        (r#"{"body": "{n:.2}"}"#, "n=3.14159", r#"{"n": 3.14159}"#),
        (r#"{"body": "{n:.2}"}"#, "n=5", r#"{"n": 5}"#),
        (r#"{"body": "{n:.2}"}"#, "n=05", r#"{"n": 5}"#),
        (
            r#"{"body": "{n:.2}"}"#,
            "n=9007199254740993",
            r#"{"n": 9007199254740993}"#,
        ),
        (
            r#"{"body": "{p:.2}", "vars": {"p": {"of": "n"}}}"#,
            "n=12.375",
            r#"{"n": 12.375}"#,
        ),
        (
            r#"{"body": "{p:.2}", "vars": {"p": {"of": "ship.n"}}}"#,
            "ship.n=12.375",
            r#"{"ship": {"n": 12.375}}"#,
        ),
        (
            r#"{"body": "{p.n:.2}", "vars": {"p": {"of": "ship"}}}"#,
            "ship.n=12.375",
            r#"{"ship": {"n": 12.375}}"#,
        ),
    ] {
        let file = folder.file("r.json", file);
        let values = folder.file("v.json", value);
        let by_set = prompt(&["render", &file, "--set", set]);
        let by_file = prompt(&["render", &file, "--values", &values]);
        assert_eq!(by_set, by_file, "{set}");
        assert_eq!(by_set.code, 0, "{by_set:?}");
    }
    // What is no number stays a text, of which the precision takes characters.
    let told = prompt_of("{n:.2}", &["render", "-", "--as", "md", "--set", "n=abc"]);
    assert_eq!(told.out, "ab");
    let deep = format!("n={}{}", "[".repeat(200), "]".repeat(200));
    let told = prompt_of("{n}", &["render", "-", "--as", "md", "--set", &deep]);
    assert!(
        told.code == 2 && told.err.contains("recursion limit"),
        "{told:?}"
    );
}

/// A new file with faults is no new prompt, and an empty folder has none.
#[test]
fn folders_are_compared_with_what_only_one_has() {
    let folder = Folder::new("alone");
    for part in ["old", "new", "none"] {
        std::fs::create_dir_all(folder.0.join(part)).unwrap();
    }
    folder.file("old/a.md", "One.");
    folder.file("new/a.md", "One.");
    folder.file("new/b.json", "{\"key\":");
    let [old, new, none] =
        ["old", "new", "none"].map(|name| folder.0.join(name).display().to_string());
    let told = prompt(&["diff", &old, &new]);
    assert_eq!(
        (told.code, told.out.as_str()),
        (2, "0 of 2 files changed, 1 faulty\n")
    );
    assert!(told.err.contains("b.json:1:"), "{}", told.err);
    let told = prompt(&["diff", &none, &old]);
    assert_eq!(
        (told.code, told.out.as_str()),
        (1, "== a.md: new\n1 of 1 files changed\n")
    );
}

/// Files that are not meant do no harm to those that are.
#[cfg(unix)]
#[test]
fn what_cannot_be_read_and_is_not_meant_is_left_out() {
    let folder = Folder::new("beside");
    let file = folder.file("a.md", "Hi.");
    let root = folder.0.display().to_string();
    // As an editor marks a file that is open.
    std::os::unix::fs::symlink("me@host.1:1", folder.0.join(".#a.md")).unwrap();
    std::os::unix::fs::symlink("nowhere", folder.0.join("README")).unwrap();
    let pipe = folder.0.join("p.md").display().to_string();
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let told = prompt(&["check", &format!("{root}/*.md"), "--deny-warnings"]);
    assert_eq!((told.code, told.out), (0, format!("{file}: sound\n")));
    std::fs::remove_file(folder.0.join("README")).unwrap();
    let told = prompt(&["check", &root]);
    assert_eq!((told.code, told.out), (0, format!("{file}: sound\n")));
    std::os::unix::fs::symlink("nowhere", folder.0.join("b.txt")).unwrap();
    folder.file(".md", "####### x");
    for meant in [
        root.clone(),
        format!("{root}/*.md"),
        format!("{root}/**/*.md"),
    ] {
        let told = prompt(&["check", &meant]);
        assert_eq!(
            (told.code, told.out),
            (0, format!("{file}: sound\n")),
            "{meant}"
        );
    }
    std::os::unix::fs::symlink("nowhere", folder.0.join("c.md")).unwrap();
    assert_eq!(prompt(&["check", &root]).code, 2);
}

/// It is an error of the prompt, and none of the command.
#[test]
fn a_prompt_that_a_provider_does_not_take_is_an_error() {
    let tree = r#"{"sections": [{"key": "s", "role": "system", "body": "Hi."},
        {"key": "u", "role": "user", "body": "q"}, {"key": "t", "role": "system", "body": "x"}]}"#;
    let told = prompt_of(tree, &["render", "-", "--request", "anthropic"]);
    assert_eq!((told.code, told.out.as_str()), (1, ""));
    assert!(
        told.err.starts_with("error[unsupported]: anthropic: ")
            && told.err.contains(" --> (stdin)\n"),
        "{}",
        told.err
    );
    assert_eq!(
        prompt_of(tree, &["render", "-", "--request", "openai_chat"]).code,
        0
    );
}

#[test]
fn a_form_that_no_text_uses_has_its_own_place() {
    for (kind, text, place) in [
        (
            "toml",
            "body = \"{a}\"\n\n[vars.a]\ntrim = true\n\n[vars.b]\ntrim = true\n",
            (6, 7),
        ),
        (
            "json",
            "{\"body\": \"{a}\", \"vars\": {\"a\": {\"trim\": true},\n \"b\": {\"trim\": true}}}",
            (2, 2),
        ),
    ] {
        let told = prompt_of(
            text,
            &[
                "check", "-", "--as", kind, "--set", "a=1", "--set", "b=1", "--format", "json",
            ],
        );
        let list: Vec<serde_json::Value> = serde_json::from_str(&told.out).unwrap();
        let found = list
            .iter()
            .find(|it| it["code"] == "unused_variable")
            .unwrap();
        assert_eq!(
            (&found["line"], &found["column"]),
            (&place.0.into(), &place.1.into()),
            "{text}"
        );
    }
}

#[test]
fn annotations_and_pages_are_safe() {
    let folder = Folder::new("safe");
    let file = folder.file("a.md", "{\u{1b}[31mname} {{x}}");
    let told = prompt(&["check", &file, "--set", "x=1", "--format", "github"]);
    assert!(!told.out.contains('\u{1b}'), "{:?}", told.out);
    let told = prompt(&["preview", &file, "--set", "x=1", "--html", "-"]);
    assert!(
        told.code == 2 && told.err.contains("give it a name"),
        "{told:?}"
    );
}

#[test]
fn a_preview_names_what_is_switched_off() {
    let tree = r#"{"body": "Top.", "sections": [{"key": "a", "sections": [{"key": "b", "when": "x", "body": "B"}]},
        {"key": "c", "body": "C"}]}"#;
    let told = prompt_of(tree, &["preview", "-", "--set", "x="]);
    let off = "not there: a.b, switched off: its condition does not hold\n";
    assert!(told.code == 0 && told.out.contains(off), "{told:?}");
    let told = prompt_of(tree, &["preview", "-", "--set", "x=1"]);
    assert!(!told.out.contains("not there"), "{told:?}");
}

/// Lines that differ look different.
#[test]
fn diff_shows_blanks_that_are_no_spaces() {
    let folder = Folder::new("blanks");
    let old = folder.file("old.md", "a b c");
    let new = folder.file("new.md", "a\u{a0}b\tc");
    let told = prompt(&["diff", &old, &new]);
    assert!(
        told.out
            .contains("    - a b c\n    + a\u{237d}b\u{2409}c\n"),
        "{}",
        told.out
    );
}
