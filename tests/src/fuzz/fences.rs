//! Every construct in every kind of fence, with what it prints: written down, not computed.

use super::{Data, Shelf};

/// Lines of code, and what they print. A value that is empty prints `_`, so that its indentation can stand in front of it.
const CONSTRUCTS: &[(&[&str], &[&str])] = &[
    (&["run", "{w}"], &["run", "W"]),
    (&["run", "{v}"], &["run", "_"]),
    (&["{v}"], &["_"]),
    (&["{v}{v}"], &["_"]),
    (&["{?b}x", "{v}"], &["_"]),
    (&["x{?b}y{/b}", "{?b}x{/b}{v}"], &["x", "_"]),
    (&["{?a}b"], &["b"]),
    (&["x", "{?b}b"], &["x"]),
    (&["x", "  - {?b}b"], &["x"]),
    (&["x", "{?b}b{/b}"], &["x"]),
    (&["{?b}b"], &[]),
    (&["{*l}run {item}"], &["run p", "run q"]),
    (&["- {*l}{item}"], &["- p", "- q"]),
    (&["x", "{*ship.ts}{item}"], &["x"]),
    (&["{*l}{item}{?!last}, {/last}{/l}"], &["p, q"]),
    (&["  {*l}{v}{/l}{w}"], &["  W"]),
    (&["{?a}", "b", "{/a}"], &["b"]),
    (&["{?b}", "b", "{/b}"], &[]),
    (&["x", "{?b}", "b", "{/b}"], &["x"]),
    (&["x", "{?b}", "b", "{else}", "c", "{/b}"], &["x", "c"]),
    (&["x", "{?a}", "b", "{else}", "c", "{/a}"], &["x", "b"]),
    (&["{*l}", "run {item}", "{/l}"], &["run p", "run q"]),
    (&["{*l}", "{item}", "{v}", "{/l}"], &["p", "_", "q", "_"]),
    (&["{*m}", "{item}", "{/m}"], &["p", "_", "r"]),
    (&["{*ship.ts}", "x", "{/ship.ts}"], &[]),
    (&["{*ship.ts}", "x", "{else}", "no", "{/ship.ts}"], &["no"]),
    (&["{?a}", "{*l}", "{item}", "{/l}", "{/a}"], &["p", "q"]),
    (&["{*l}", "{?last}", "end", "{/last}", "{/l}"], &["end"]),
    (
        &["{*l}", "{item}", "{?b}", "x", "{/b}", "{/l}"],
        &["p", "q"],
    ),
    (&["{v}", "{?a}", "b", "{/a}", "y"], &["_", "b", "y"]),
    (&["{?a}", "x", "{/a}", "{v}"], &["x", "_"]),
];

/// The same with blank lines, which a quotation has none of.
const WITH_BLANK_LINES: &[(&[&str], &[&str])] = &[
    (&["", "run", ""], &["", "run", ""]),
    (&["", "{?a}", "b", "{/a}", ""], &["", "b", ""]),
    (&["{?b}", "b", "{/b}", ""], &[""]),
    (&["x", "", "{?b}", "b", "{/b}"], &["x", ""]),
    (
        &["x", "", "{?b}", "b", "{/b}", "", "", "y"],
        &["x", "", "", "", "y"],
    ),
    (&["x", "", "{?b}b"], &["x", ""]),
    (&["x", "", "{?b}b", "y"], &["x", "", "y"]),
    (&["x", "", "{*ship.ts}{item}"], &["x", ""]),
    (&["x", "{?b}", "y", "{else}", "", "{/b}"], &["x", ""]),
    (
        &["x", "{?b}", "y", "{else}", "", "{/b}", "z"],
        &["x", "", "z"],
    ),
    (&["x", "{?a}", "", "", "{/a}", "z"], &["x", "", "", "z"]),
    (&["x", "{?b}", "", "", "{/b}", "z"], &["x", "z"]),
    (&["{?a}", "", "{/a}"], &[""]),
    (&["{*l}", "{item}", "", "{/l}"], &["p", "", "q"]),
    (
        &["{*l}", "", "{item}", "", "{/l}", "y"],
        &["", "p", "", "", "q", "y"],
    ),
    (
        &["{*l}", "{item}", "{?!last}", "", "{/last}", "{/l}"],
        &["p", "", "q"],
    ),
    (
        &["{*l}", "{item}", "", "{?b}", "x", "{/b}", "{/l}"],
        &["p", "", "q", ""],
    ),
    (&["{*ship.ts}", "x", "{else}", "", "{/ship.ts}"], &[""]),
];

/// What stands before code, in front of each of its lines, and behind it; and the marker of a block around all of it.
const FENCES: &[(&str, &str, &str, &str)] = &[
    ("```\n", "", "```", ""),
    ("Run:\n```sh\n", "", "```\nEnd.", ""),
    ("~~~~ text\n", "", "~~~~~", ""),
    ("Run:\n  ```\n", "  ", "  ```", ""),
    ("- ```\n", "  ", "  ```", ""),
    ("- Run:\n\n  ~~~ sh\n", "  ", "  ~~~\n- End.", ""),
    ("1. Run:\n   ```\n", "   ", "   ```\n\nEnd.", ""),
    ("> ```\n", "> ", "> ```", ""),
    ("> - Run:\n>   ```\n", ">   ", ">   ```\n\nEnd.", ""),
    ("```\n", "", "```", "{*l}"),
    ("- ```\n", "  ", "  ```", "{?a}"),
    ("Run:\n\n```\n", "", "```\n\nEnd.", "{?a}"),
];

/// The values.
pub fn data() -> Data {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Data {
        a: true,
        b: false,
        v: String::new(),
        w: "W".into(),
        o: None,
        l: texts(&["p", "q"]),
        m: texts(&["p", "", "r"]),
        fs: Vec::new(),
        ship: Shelf {
            n: String::new(),
            on: false,
            o: None,
            ts: Vec::new(),
        },
        ..Data::default()
    }
}

/// All texts, and what each prints.
pub fn table() -> Vec<(String, String)> {
    let mut table = Vec::new();
    for (open, prefix, close, around) in FENCES {
        let blank: &[_] = if prefix.contains('>') {
            &[]
        } else {
            WITH_BLANK_LINES
        };
        for (source, printed) in CONSTRUCTS.iter().chain(blank) {
            let put = |lines: &[&str]| -> String {
                let line = |line: &&str| match *line {
                    "" => "\n".to_owned(),
                    "_" => format!("{prefix}\n"),
                    line => format!("{prefix}{line}\n"),
                };
                let lines: String = lines.iter().map(line).collect();
                format!("{open}{lines}{close}")
            };
            let (text, expected) = (put(source), put(printed));
            table.push(match *around {
                "" => (text, expected),
                "{*l}" => (
                    format!("{{*l}}\n{text}\n{{/l}}"),
                    [&*expected, &expected].join("\n"),
                ),
                marker => (
                    format!("{marker}\n{text}\n{}", marker.replace('?', "/")),
                    expected,
                ),
            });
        }
    }
    table
}
