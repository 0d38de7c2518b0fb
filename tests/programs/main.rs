//! Programs that must compile, each a module of this one: `build.rs` writes them. Those of `ui/pass` run too, and those of
//! `ui/fail` are there after what every help says was done to the letter: `ui/remedies.txt` says what that is. If one does not
//! compile, the compiler names its file.
include!(concat!(env!("OUT_DIR"), "/programs.rs"));

fn main() {
    for (name, run) in PROGRAMS {
        println!("{name}");
        run();
    }
}

#[cfg(test)]
mod remedies;

#[cfg(test)]
mod tests {
    use crate::remedies::{programs, remedies};
    use std::fs;

    #[test]
    fn programs_that_compile_run() {
        assert!(crate::PROGRAMS.len() > 10);
        crate::main();
    }

    #[test]
    fn remedies_are_what_the_helps_say() {
        let mut remedies = remedies();
        let mut failures = Vec::new();
        for (name, path) in programs("fail") {
            let wrong = fs::read_to_string(&path).unwrap();
            let messages = fs::read_to_string(path.with_extension("stderr")).unwrap();
            let helps = helps(&messages);
            let Some(remedy) = remedies.remove(&name) else {
                if !helps.is_empty() && !NONE.contains(&name.as_str()) {
                    failures.push(format!("{name}: no remedy"));
                }
                continue;
            };
            let (mended, missing) = remedy.applied(&wrong);
            let missing = missing.iter();
            failures.extend(missing.map(|gone| format!("{name}: there is no {gone:?}")));
            for help in helps.iter().filter(|_| !remedy.has_stand_ins) {
                let code = code(help);
                let is_removal = ["remove", "keep one", "drop one"]
                    .iter()
                    .any(|word| help.contains(word))
                    && mended.len() < wrong.len();
                let is_done = code.iter().any(|code| is_new(code, &mended, &wrong));
                if !code.is_empty() && !is_done && !is_removal {
                    failures.push(format!("{name}: not to the letter: {help}"));
                }
            }
        }
        let unknown = remedies.keys();
        failures.extend(unknown.map(|name| format!("{name}: there is no such program")));
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }

    /// The helps of the derive's own errors: those with a code.
    fn helps(messages: &str) -> Vec<&str> {
        let mut helps = Vec::new();
        let mut lines = messages.lines();
        while let Some(line) = lines.next() {
            if line.starts_with("error") && line.ends_with(']') {
                helps.extend(
                    lines
                        .next()
                        .and_then(|line| line.trim().strip_prefix("help: ")),
                );
            }
        }
        helps
    }

    /// The code in a help: what stands in backticks, or in quotes besides.
    fn code(help: &str) -> Vec<&str> {
        if let Some(fence) = ["```text", "```"]
            .into_iter()
            .find(|fence| help.contains(fence))
        {
            return vec![fence];
        }
        let mark = if help.contains('`') { '`' } else { '"' };
        help.split(mark).skip(1).step_by(2).collect()
    }

    /// Whether some code, in which `..` stands for anything, is in a text oftener than in another.
    fn is_new(code: &str, mended: &str, wrong: &str) -> bool {
        let count = |text: &str| {
            let (first, last) = code.split_once("..").unwrap_or((code, ""));
            let last = last.rsplit("..").next().unwrap_or(last);
            let places = text.match_indices(first);
            places
                .filter(|(at, _)| text[at + first.len()..].contains(last))
                .count()
        };
        count(mended) > count(wrong)
    }

    /// What no change of the program alone mends.
    const NONE: &[&str] = &[
        // The file is to be written.
        "container/unreadable_file",
        // A type in a file beside the program.
        "loops/item_of_other_file",
        // Levels of two types.
        "headings/tree_too_deep",
        "headings/untitled_tree_too_deep",
    ];
}
