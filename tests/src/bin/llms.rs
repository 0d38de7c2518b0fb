//! Writes README and the guides as one file for models, `llms.txt`: `cargo run -p prompt-tests --bin llms [-- --write]`.
//! Without `--write` it fails if the file is another one.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The guides: the module that names the pages, and what a page is called.
const GUIDES: [(&str, &str); 3] = [
    ("prompt-core/src/guide/mod.rs", "prompt_core::guide"),
    ("prompt-core/agent/src/guide.rs", "prompt_agent::guide"),
    ("prompt-core/review/src/guide.rs", "prompt_review::guide"),
];

const HEAD: &str = "# prompt-core

> Prompts of language models as Rust types: a struct with doc comments is the prompt, and the compiler checks it. This file has README and \
all pages of the guides, for models; `cargo run -p prompt-tests --bin llms -- --write` writes it.
";

fn top(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(top(path)).map_err(|error| format!("{path}: {error}"))
}

/// A page with its headings further down, without the hidden lines of its programs and without the targets of links into
/// this documentation.
fn page(text: &str) -> String {
    let mut out = String::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let marks = &line[..line.len() - line.trim_start_matches('`').len()];
        let is_fence = marks.len() >= 3;
        match fence {
            Some(open) if line == open => fence = None,
            None if is_fence => fence = Some(marks),
            Some(_) if is_hidden(line) && is_program(&out) => continue,
            None if line.starts_with('#') => out.push('#'),
            _ => {}
        }
        if fence.is_some() || is_fence {
            out.push_str(line);
        } else {
            out.push_str(&without_targets(line));
        }
        out.push('\n');
    }
    out
}

fn is_hidden(line: &str) -> bool {
    line == "#" || line.starts_with("# ")
}

/// Whether the fence that is open is a program.
fn is_program(out: &str) -> bool {
    let open = out.lines().rev().find(|line| line.starts_with("```"));
    open.is_some_and(|line| line.trim_start_matches('`').starts_with("rust"))
}

fn without_targets(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((text, target)) = rest.split_once("](") {
        let (Some(open), Some((link, behind))) = (text.rfind('['), target.split_once(')')) else {
            break;
        };
        out.push_str(&text[..open]);
        if link.starts_with("http") {
            out.push_str(&format!("[{}]({link})", &text[open + 1..]));
        } else {
            out.push_str(&text[open + 1..]);
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

fn whole() -> Result<String, Box<dyn Error>> {
    let mut out = format!("{HEAD}\n# README\n\n");
    let readme = read("README.md")?;
    let (_, readme) = readme.split_once("\n\n").ok_or("README has no text")?;
    out.push_str(&page(readme));
    for (module, name) in GUIDES {
        let folder = module.trim_end_matches("/mod.rs").trim_end_matches(".rs");
        let module_text = read(module)?;
        let mut pages: Vec<&str> = Vec::new();
        for named in module_text
            .lines()
            .filter(|line| line.starts_with("//! "))
            .flat_map(|line| line.split("[`").skip(1))
        {
            let title = named.split('`').next().unwrap_or_default();
            let file = format!("{folder}/{title}.md");
            if top(&file).exists() && !pages.contains(&title) {
                out.push_str(&format!("\n# {name}::{title}\n\n{}", page(&read(&file)?)));
                pages.push(title);
            }
        }
        let files =
            fs::read_dir(top(folder))?.filter_map(|file| file.ok()?.file_name().into_string().ok());
        let count = files.filter(|file| file.ends_with(".md")).count();
        if pages.len() != count {
            return Err(format!("{module} names {} of {count} pages", pages.len()).into());
        }
    }
    Ok(out)
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let (file, text) = (top("llms.txt"), whole()?);
    if std::env::args().skip(1).any(|word| word == "--write") {
        fs::write(&file, &text)?;
    } else if fs::read_to_string(&file).unwrap_or_default() != text {
        eprintln!(
            "llms.txt is not README and the guides: `cargo run -p prompt-tests --bin llms -- --write` writes it"
        );
        return Ok(ExitCode::FAILURE);
    }
    println!("llms.txt: {} words", text.split_whitespace().count());
    Ok(ExitCode::SUCCESS)
}
