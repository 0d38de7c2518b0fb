//! An author's words are printed byte for byte: texts of lines as Markdown has them, without markers, print themselves,
//! wherever such a text may stand. Nothing of the library's grammar is used here.

use super::{Source, check};
use prompt_core::dynamic::with_text;
use prompt_core::{DynamicNode, Markdown, PromptNode, Template};
use serde_json::{Value, json};

/// Words.
#[derive(PromptNode)]
struct Plain;

/// A text, by every road on which an author's words are printed.
pub(super) fn verbatim(source: &mut Source<'_>) -> Result<(), String> {
    let text = text(source);
    let values = json!({ "t": true, "f": false, "one": [1], "v": text });
    let wrap = |before: &str, after: &str| format!("{before}\n{text}\n{after}");
    let around = format!("Above.\n{text}\nBelow.");
    let conditions = [
        wrap("{?t}", "{/t}"),
        wrap("{?f}\nx\n{else}", "{/f}"),
        wrap("{?!f}", "{/f}"),
        wrap("{*one}", "{/one}"),
        wrap("{?t}\n{*one}\n{?first}", "{/first}\n{/one}\n{/t}"),
    ];
    for (given, expected) in [
        (text.clone(), &text),
        (text.replace('\n', "\r\n"), &text),
        (wrap("Above.", "Below."), &around),
        ("Above.\n{v}\nBelow.".to_owned(), &around),
    ]
    .into_iter()
    .chain(conditions.into_iter().map(|given| (given, &text)))
    {
        if let Some(printed) = of_file(&given, &values, false)? {
            same(&given, &printed, expected)?;
        }
    }
    if let Ok(template) = Template::parse(&text) {
        same("its elements", &template.elements().to_markdown(), &text)?;
    }
    if let Ok(node) = with_text(Plain, &text) {
        let printed = node.prompt().text().map_err(|error| error.to_string())?;
        same("a wording", &printed, &text)?;
    }
    if let Some(moved) = of_file(&text, &values, true)? {
        same_but_for_hashes("a section", &moved, &text)?;
    }
    let markdown = Markdown::from(&*text).prompt().base_level(3).text();
    let markdown = markdown.map_err(|error| error.to_string())?;
    same_but_for_hashes("a Markdown value", &markdown, &text)
}

/// What a file prints with this text, as that of the root or of an untitled section; nothing, where it is refused for what is
/// wrong with its headings or fences, which no text of an author's may have.
fn of_file(text: &str, values: &Value, in_section: bool) -> Result<Option<String>, String> {
    let allow = [
        "skipped_level",
        "heading_above_top",
        "unclosed_fence",
        "setext_heading",
    ];
    let file = if in_section {
        json!({ "key": "page", "allow": allow, "body": "# Top\n\n{PROMPT_SUBTREE}", "sections": [
            { "key": "part", "untitled": true, "body": text },
        ] })
    } else {
        json!({ "key": "page", "body": text, "allow": allow })
    };
    let values = values.as_object().cloned().unwrap_or_default();
    match DynamicNode::from_json_with(&file.to_string(), values) {
        Ok(node) => {
            let printed = node.prompt().text().map_err(|error| error.to_string())?;
            Ok(Some(match printed.strip_prefix("# Top\n\n") {
                Some(part) if in_section => part.to_owned(),
                _ => printed,
            }))
        }
        Err(faults) => {
            let refused = [
                "heading_level",
                "empty_heading",
                "unclosed_condition",
                "unclosed_loop",
            ];
            let code = faults.code().as_str();
            check(refused.contains(&code), || {
                format!("refused: {faults}\n{text:?}")
            })
            .map(|()| None)
        }
    }
}

fn same(what: &str, found: &str, expected: &str) -> Result<(), String> {
    check(found == expected, || {
        format!("{what}\n  found    {found:?}\n  expected {expected:?}")
    })
}

/// The same lines, but for the number of hashes of a heading.
fn same_but_for_hashes(what: &str, found: &str, expected: &str) -> Result<(), String> {
    let without = |line: &str| {
        let hashes = line.trim_start_matches([' ', '\t']).trim_start_matches('#');
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        [&line[..blanks], hashes].concat()
    };
    let lines = |text: &str| text.split('\n').map(without).collect::<Vec<_>>();
    check(lines(found) == lines(expected), || {
        format!("{what}\n  found    {found:?}\n  expected {expected:?}")
    })
}

// Texts.

const WORDS: &[&str] = &[
    "ab",
    "Read it.",
    "a  b",
    "`x`",
    "``a ` b``",
    "C#",
    "#tag",
    "1 < 2 & 3",
    "<b>x</b>",
    "**x**",
    "[a](b#c)",
    "\\# x",
    "\u{a0}",
    "\u{2028}",
    "é ü",
    "{\"a\": 1}",
    "{}",
    "fn f() { x }",
    "${1}",
    "}",
    "|",
    "---",
    "a\tb",
    "# x",
    "```",
    "~~~",
    "// x",
    "/* x */",
    "-->",
    "{0}",
    "%}",
    "x #",
    "&lt;",
    "...",
    "$x$",
    "日本",
];

/// Blanks that editors leave, and hard breaks.
const ENDS: &[&str] = &["", "", "", "", " ", "  ", "\t", " \t ", "\\"];

fn text(source: &mut Source<'_>) -> String {
    let mut lines = vec![words(source)];
    for _ in 0..source.below(14) {
        block(source, "", 3, &mut lines);
    }
    let blank = |line: &String| line.trim_matches([' ', '\t']).is_empty();
    while lines.last().is_some_and(blank) {
        lines.pop();
    }
    let text = lines.join("\n");
    if text.trim_matches([' ', '\t', '\n']).is_empty() {
        return "x".to_owned();
    }
    text
}

fn words(source: &mut Source<'_>) -> String {
    let more = source.below(3);
    let words: Vec<&str> = (0..=more).map(|_| source.pick(WORDS)).collect();
    // The first line of a text is at its margin, and no note of the author's begins anywhere.
    words.join(" ").replace("<!--#", "<!-- #")
}

fn block(source: &mut Source<'_>, prefix: &str, depth: usize, lines: &mut Vec<String>) {
    let mut push = |source: &mut Source<'_>, line: String| {
        let end = source.pick(ENDS);
        lines.push(format!("{prefix}{line}{end}"));
    };
    match source.below(18) {
        0..3 => {
            let line = words(source);
            push(source, line);
        }
        3 | 4 => {
            for _ in 0..=source.below(3) {
                push(source, String::new());
            }
        }
        5..8 => {
            let line = heading(source);
            push(source, line);
        }
        8 => {
            let line = source.pick(&[
                "===",
                "---",
                "-",
                "=",
                "***",
                "* * *",
                "___",
                "--- ---",
                "|---|:-:|",
            ]);
            push(source, line.to_owned());
        }
        9 => {
            let line = format!("| {} | {} |", words(source), words(source));
            push(source, line);
        }
        10 => {
            let indent = source.pick(&["    ", "\t", "     ", "  "]);
            let line = [indent, &*words(source)].concat();
            push(source, line);
        }
        11 => {
            let line = source.pick(&[
                "<div>",
                "</div>",
                "<!-- a comment -->",
                "<!--",
                "-->",
                "<br/>",
                "<a href=\"x#y\">",
                "<pre>",
                "</pre>",
                "<?x",
                "<![CDATA[",
                "]]>",
            ]);
            push(source, line.to_owned());
        }
        12 if depth > 0 => {
            let marker = source.pick(&["- ", "* ", "+ ", "1. ", "10) ", "-   ", "- [ ] ", "-\t"]);
            let line = [marker, &*words(source)].concat();
            push(source, line);
            let inner = [prefix, &" ".repeat(marker.len())].concat();
            for _ in 0..source.below(4) {
                block(source, &inner, depth - 1, lines);
            }
        }
        13 if depth > 0 => {
            let inner = [prefix, source.pick(&["> ", ">", ">  ", "  > "])].concat();
            for _ in 0..source.below(4) {
                block(source, &inner, depth - 1, lines);
            }
        }
        14..18 if depth > 0 => fence(source, prefix, depth - 1, lines),
        _ => push(source, String::new()),
    }
}

fn heading(source: &mut Source<'_>) -> String {
    let before = source.pick(&["", "", "", " ", "  ", "   "]);
    let hashes = &"######"[source.below(6)..];
    let behind = source.pick(&[" ", " ", " ", "  ", "\t", " \t "]);
    let close = source.pick(&[
        "", "", "", " #", " ##", "  ###", " # #", "#", " \\#", "\t##",
    ]);
    [before, hashes, behind, &*words(source), close].concat()
}

/// A fence with anything in it: headings, lists, other fences.
fn fence(source: &mut Source<'_>, prefix: &str, depth: usize, lines: &mut Vec<String>) {
    let marks = source.pick(&["```", "~~~", "````", "~~~~~"]);
    let indent = source.pick(&["", "", "", " ", "   "]);
    let info = source.pick(&["", "", "text", "sh", " rust ", "a b", "  c"]);
    lines.push(format!("{prefix}{indent}{marks}{info}"));
    for _ in 0..source.below(6) {
        block(source, prefix, depth, lines);
    }
    if !source.chance(5) {
        let end = source.pick(&["", "", " ", "\t"]);
        lines.push(format!("{prefix}{indent}{marks}{end}"));
    }
}
