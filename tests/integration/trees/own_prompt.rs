//! The command for a program's own prompt: `examples/prompts.rs`, as a user runs it.

use std::path::PathBuf;
use std::process::Command;

/// The code, and what it said on both outputs.
fn prompts(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_prompts"));
    let done = command.args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        done.status.code().unwrap(),
        text(done.stdout),
        text(done.stderr),
    )
}

const WORDINGS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../examples/data/wordings.toml"
);

struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let name = format!("own-prompt-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        std::fs::remove_file(&self.0).ok();
    }
}

#[test]
fn the_page_has_what_the_help_has() {
    let page = include_str!("../../../prompt-core/review/src/guide/command.md");
    let (code, help, _) = prompts(&["check", "--help"]);
    assert_eq!(code, 0);
    for option in [
        "--complete",
        "--deny-warnings",
        "--format",
        "--style",
        "--budget",
    ] {
        assert!(help.contains(option) && page.contains(option), "{option}");
    }
    let (_, help, _) = prompts(&["--help"]);
    assert!(help.contains("Exit codes:\n  0  no error"), "{help}");
    for command in ["check", "skeleton", "preview", "render", "diff"] {
        let is_there = help.contains(&format!("\n  {command} ")) && page.contains(command);
        assert!(is_there, "{command}\n{help}");
    }
}

#[test]
fn a_file_of_wordings_is_checked_against_the_type() {
    let (code, out, err) = prompts(&["check", WORDINGS]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.starts_with(&format!("{WORDINGS}: sound, ")) && out.ends_with(" as they are\n"),
        "{out}"
    );

    let wrong = "[a]\ntext = \"For {teem}.\"\n\n[a.texts]\n\"services.item\" = \"Page {page}.\"\n\"led\" = \"x\"\n";
    let wrong = File::new("wrong.toml", wrong);
    let (code, out, err) = prompts(&["check", wrong.path(), WORDINGS]);
    assert_eq!(code, 1);
    assert!(out.starts_with(&format!("{WORDINGS}: sound, ")), "{out}");
    let place = |line: &str| format!("--> {}:{line}\n", wrong.path());
    for fault in ["unknown_variable", "missing_default", "unknown_path"] {
        assert!(err.contains(&format!("error[{fault}]")), "{err}");
    }
    assert!(
        err.contains(&place("2:13"))
            && err.contains("help: a field with a similar name exists: `team`")
    );
    assert!(err.contains("\n2 | text = \"For {teem}.\"\n"), "{err}");

    // What is only left out is a warning.
    let short = File::new("short.toml", "[a]\ntext = \"You help.\"\n");
    let (code, out, err) = prompts(&["check", short.path()]);
    assert_eq!(code, 0);
    let sound = format!("{}: sound, 1 warning, ", short.path());
    assert!(out.starts_with(&sound), "{out}");
    assert!(
        err.contains("warning[wording_drops]") && err.contains("`{team}`"),
        "{err}"
    );
    assert_eq!(prompts(&["check", "--deny-warnings", short.path()]).0, 1);

    // The prompt itself.
    let own = prompts(&["check"]);
    assert_eq!(own, (0, "the prompt: sound\n".to_owned(), String::new()));
}

/// A translation leaves no text as it is; a test of two wordings may.
#[test]
fn a_check_says_which_texts_stay_as_they_are() {
    let (_, skeleton, _) = prompts(&["skeleton", "all"]);
    let whole = File::new("whole.toml", &skeleton);
    let (code, out, err) = prompts(&["check", "--complete", whole.path()]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    // Nobody touched it.
    let texts = skeleton.lines().filter(|line| line.contains(" = ")).count();
    let unchanged = format!(": sound, complete, {texts} are those of the type\n");
    assert!(out.ends_with(&unchanged), "{out}");

    let line = skeleton
        .lines()
        .find(|line| line.contains(":title\" = "))
        .unwrap();
    let less = File::new("less.toml", &skeleton.replace(line, ""));
    let (code, out, _) = prompts(&["check", less.path()]);
    assert!(
        code == 0 && out.contains(": sound, 1 text stays as it is, "),
        "{out}"
    );
    let (code, out, err) = prompts(&["check", "--complete", less.path()]);
    assert!(out.contains(": incomplete, 1 text stays as it is"), "{out}");
    let path = line.split('"').nth(1).unwrap();
    assert_eq!(code, 1);
    assert!(
        err.starts_with(&format!(
            "error[incomplete_wording]: the wording `all` has no `{path}`\n --> {}\n",
            less.path()
        )),
        "{err}"
    );
    // An introduction that the type does not have is no text of what stands there.
    let lead = "\"lead\" = \"Ask {name} first.\"";
    let moved = skeleton.replace(lead, "\"lead:introduction\" = \"First:\"");
    assert!(moved.contains("\"lead:introduction\" = "), "{moved}");
    let moved = File::new("moved.toml", &moved);
    let (code, _, err) = prompts(&["check", "--complete", moved.path()]);
    assert!(
        code == 1 && err.contains("has no `lead`\n") && !err.contains("services"),
        "{err}"
    );
    let empty = File::new("empty.toml", "[de]\n");
    assert_eq!(prompts(&["check", "--complete", empty.path()]).0, 1);
}

#[test]
fn the_skeleton_has_every_text_and_changes_nothing() {
    let (code, out, err) = prompts(&["skeleton", "mine"]);
    assert_eq!((code, err.as_str()), (0, ""));
    for line in [
        "text = \"You are on call for {team}.\"",
        "\"severity.Major\" = \"Customers cannot pay.\"",
        "\"services.item:title\" = \"Service {name}\"",
        "\"lead:title\" = \"Lead\"",
    ] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    let file = File::new("skeleton.toml", &out);
    assert_eq!(prompts(&["check", file.path()]).0, 0);
    let (code, out, _) = prompts(&["diff", file.path()]);
    assert!(code == 0 && out.starts_with("nothing changed\n"), "{out}");
}

#[test]
fn the_prompt_is_printed_in_any_wording() {
    let (_, own, _) = prompts(&["render"]);
    assert!(
        own.starts_with("You are on call for payments.\n\n# Severity\n\n"),
        "{own}"
    );
    let (code, plain, _) = prompts(&["render", WORDINGS, "plain"]);
    assert_eq!(code, 0);
    assert!(
        plain.starts_with("You help the people of payments.\n\n# How bad it is\n\n"),
        "{plain}"
    );
    for name in [vec![WORDINGS], vec![WORDINGS, "long"]] {
        let (code, _, err) = prompts(&[vec!["render"], name].concat());
        assert!(
            code == 2 && err.contains("name one of its wordings: plain, short"),
            "{err}"
        );
    }
    let (_, request, _) = prompts(&["render", "--request", "anthropic"]);
    assert!(
        request.contains("\"text\": \"(what the user says)\""),
        "{request}"
    );

    let (code, diff, _) = prompts(&["diff", WORDINGS, "short"]);
    assert_eq!(code, 1);
    assert!(
        diff.contains("    - Ask Ada first.\n    + Lead: Ada.\n"),
        "{diff}"
    );
    assert_eq!(prompts(&["diff", WORDINGS]).0, 2);
    let page = File::new("page.html", "");
    for arguments in [
        vec!["preview", "--html", page.path()],
        vec!["diff", WORDINGS, "plain", "--html", page.path()],
    ] {
        assert!(prompts(&arguments).2.is_empty());
        let html = std::fs::read_to_string(&page.0).unwrap();
        assert!(html.starts_with("<!DOCTYPE html>"));
    }
    assert!(prompts(&["preview"]).1.contains("severity \"Severity\""));
    let (_, help, _) = prompts(&["--help"]);
    assert!(
        help.contains("Usage: prompts [OPTIONS] <COMMAND>"),
        "{help}"
    );
}

/// A folder or a pattern, as for prompt files.
#[test]
fn files_of_wordings_are_those_of_a_folder_too() {
    let folder = std::env::temp_dir().join(format!("own-prompt-{}-folder", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let root = folder.display().to_string();
    for (name, text) in [
        ("a.toml", "[a]\ntext = \"For {team}.\"\n"),
        ("b.toml", "[b]\ntext = \"For {teem}.\"\n"),
        ("readme.md", "What they are for."),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let (code, out, err) = prompts(&["check", &root]);
    assert_eq!(code, 1);
    assert!(out.starts_with(&format!("{root}/a.toml: sound")), "{out}");
    assert!(
        err.contains(&format!(" --> {root}/b.toml:2:13\n"))
            && err.contains("/readme.md: no file of wordings, not looked at\n"),
        "{err}"
    );
    assert_eq!(prompts(&["check", &format!("{root}/a*")]).0, 0);
    let (code, _, err) = prompts(&["check", &format!("{root}/readme.md")]);
    assert!(code == 2 && err.contains("ends in .toml or .json"), "{err}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Two paths may lead to one text.
#[test]
fn a_text_is_said_once() {
    let twice = "[a.texts]\n\"services\" = \"One:\"\n\"services:introduction\" = \"Two:\"\n";
    let twice = File::new("twice.toml", twice);
    let (code, _, err) = prompts(&["check", twice.path()]);
    assert_eq!(code, 1);
    assert!(
        err.contains("error[duplicate_attribute]: `services:introduction` is given twice\n")
            && err.contains(&format!(" --> {}:3:1\n", twice.path())),
        "{err}"
    );
}
