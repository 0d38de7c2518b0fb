//! Random texts with tags of the author's, and values that try to leave them: behind marker lines and blank lines, indented, in
//! lists, quotations, tables and titles, beside code of every kind, with attributes of every kind, in templates and sections.

use super::{Source, check};
use crate::lenient::{Tag, tags};
use prompt_core::{Budget, DynamicNode, Overrides, PromptNode, Style, Visibility, xml};
use serde_json::{Map, Value, json};

/// The names of the author's tags, and of a heading with a value in XML.
const NAMES: [&str; 9] = [
    "b", "i", "file", "bin", "jar", "task", "sec", "row", "section",
];

/// Each name opens and closes here, so that it is one of the text's, wherever else it stands.
const ALL: &str =
    "\n\n<b></b><i></i><file></file><bin></bin><jar></jar><task></task><sec></sec><row></row>";

const LINES: &[&str] = &[
    "",
    "",
    "words",
    "{v}",
    "{v}{p}",
    "{v}\n{p}",
    "it`s {v}",
    "`<b>` {p}",
    "`{v}` <b>{p}</b> `{v}`",
    "``{v}` <i>{p}</i>``",
    "<file>{v}</file>",
    "<file cut>{v}</file> {p}",
    "<file path=\"{p}\">{v}</file>",
    "<file path='{p}' x=\"{v}{p}\" cut>{p}</file>",
    "<file path=\"a/{p}/b\" of='{?t}{v}{else}{p}{/t}'>{v}</file>",
    "<file{?t} path=\"{p}\"{/t}>{v}</file>",
    "<file of=\"{*xs}{item} {/xs}\">{v}</file>",
    "<bin\n  from=\"{p}\"\n  to='{v}'>{v}</bin>",
    "<bin from=\"{p}\"/> {v}",
    "<task 7 of {p}>{v}</task>",
    "<task={v}>{p}</task>",
    "<i>{?t}<b>{v}</b>{else}{p}{/t}</i>",
    "{*xs as y}<i x=\"{y}\">{y}</i>{/xs}",
    "{?u}<i>{v}</i>",
    "<{v} and </{p}",
    "</{v}b> {p}<",
    "{v}b> and {p}/i>",
    "- {v}",
    "1. <b>{v}</b>",
    "> {v}",
    "> <i>{p}</i>",
    "| <row a=\"{p}\">{v}</row> | {p} |",
    "# <b>{v}</b>",
    "## {p}",
    "<!-- {v} --> <b>{p}</b>",
    "<![CDATA[ {v} ]]> <i>{p}</i>",
    "<?x {v}?><b>{p}</b>",
    "{some} {list}",
    "<jar>{list}</jar>",
    "<file path=\"{some}\">{list}</file>",
    "\\<b>{v}",
    "&lt;b>{v}",
    "<b {v}>{p}</b>",
    "<code>{v}</code>",
    "<B>{v}</b> <FILE path={p}>{v}</File>",
    "{v}/b> {p}/file> {v}/ i >",
    "</{v} {p}> <{v}{p}>",
    "{?t}<b{/t} x='{v}'>{p}</b>",
    "<b\n{v}>{p}</b>",
    "\t<file>{v}</file>",
    "-\t<b>{v}</b>\n\n\t<i>{p}</i>",
];

const TAGS: &[&str] = &[
    "<b>",
    "<bin from=\"{p}\">",
    "<jar\n  of='{v}'>",
    "<jar whole>",
    "<task {p}>",
    "<i>",
    "<row x=\"{?t}{v}{/t}\">",
];

const CODE: &[&str] = &[
    "",
    "<b>{v}",
    "</file>{p}",
    "{v}",
    "{v}{p}",
    "<code>{v}</code>",
    "<file path=\"{p}\">",
    "{?t}x{v}",
    "    {p}",
    "`{v}`",
];

/// What values are made of.
const PIECES: &[&str] = &[
    "<",
    "</",
    ">",
    "/>",
    "/",
    " ",
    "\n",
    "\n\n    ",
    "\n\n",
    "\t",
    "\r\n",
    "b",
    "B",
    "file",
    "FI",
    "le",
    "bin",
    "jar",
    "task",
    "sec",
    "row",
    "i",
    "\"",
    "'",
    "=",
    " x=\"",
    "```",
    "\n```\n",
    "\n~~~\n",
    "````",
    "`",
    "``",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "?>",
    "- ",
    "> ",
    "# ",
    "| ",
    "</b>",
    "<b>",
    "</file>",
    "<file path=\"",
    "< / jar >",
    "</\nbin",
    "</i",
    "<i",
    "&lt;",
    "&",
    "{v}",
    "é",
    "\u{200b}",
    "\u{a0}",
    "word",
    "\">",
    "'>",
    "\\",
    "<x",
    "</sec>",
    "</row>",
    "</section>",
];

struct Writer<'s, 'b> {
    source: &'s mut Source<'b>,
    text: String,
    /// Conditions and loops of a name that is open would be closed by the first end.
    open: [bool; 3],
}

impl Writer<'_, '_> {
    fn indent(&mut self) -> String {
        let columns = match self.source.below(6) {
            0..3 => 0,
            3 => 1 + self.source.below(3),
            _ => 4 + self.source.below(5),
        };
        " ".repeat(columns)
    }

    fn push(&mut self, prefix: &str, lines: &str) {
        for line in lines.split('\n') {
            let line = format!("{prefix}{line}");
            self.text += line.trim_end();
            self.text += "\n";
        }
    }

    fn blocks(&mut self, prefix: &str, depth: usize) {
        for _ in 0..1 + self.source.below(4) {
            self.block(prefix, depth);
        }
    }

    fn block(&mut self, prefix: &str, depth: usize) {
        let inner = prefix.to_owned() + &self.indent();
        if depth == 0 || self.source.chance(40) {
            let line = self.source.pick(LINES);
            return self.push(&inner, line);
        }
        match self.source.below(8) {
            0 | 1 => {
                let tag = self.source.pick(TAGS);
                self.push(&inner, tag);
                self.blocks(prefix, depth - 1);
                let name = tag[1..].split([' ', '>', '\n']).next().unwrap_or_default();
                self.push(&inner, &format!("</{name}>"));
            }
            2 => self.marked(0, ["{?t}", "{/t}"], prefix, depth),
            3 => self.marked(1, ["{?u}", "{/u}"], prefix, depth),
            4 => self.marked(2, ["{*xs as x}", "{/xs}"], prefix, depth),
            5 => {
                let marker = self
                    .source
                    .pick(&["- item", "1. item", "- <b>{v}</b>", "* [ ] {p}"]);
                self.push(prefix, marker);
                self.blocks(&format!("{prefix}   "), depth - 1);
            }
            6 => self.blocks(&format!("{prefix}> "), depth - 1),
            _ => self.code(&inner),
        }
    }

    /// Lines between markers; within items and quotations, and where one of the name is open, without them.
    fn marked(&mut self, which: usize, [begin, end]: [&str; 2], prefix: &str, depth: usize) {
        if !prefix.is_empty() || self.open[which] {
            return self.blocks(prefix, depth - 1);
        }
        self.open[which] = true;
        self.push("", begin);
        self.blocks(prefix, depth - 1);
        if self.source.chance(30) {
            self.push("", "{else}");
            self.blocks(prefix, depth - 1);
        }
        self.push("", end);
        self.open[which] = false;
    }

    fn code(&mut self, prefix: &str) {
        let marks = self.source.pick(&["```", "````", "~~~", "~~~~~"]);
        let info = self.source.pick(&["", "xml", " x {p}"]);
        // A value in the words behind backticks could hold one.
        let info = if marks.starts_with('`') && info.contains('{') {
            ""
        } else {
            info
        };
        self.push(prefix, &format!("{marks}{info}"));
        for _ in 0..self.source.below(4) {
            let line = self.source.pick(CODE);
            self.push(prefix, line);
        }
        self.push(prefix, marks);
    }
}

/// Something that is more than blanks.
fn value(source: &mut Source<'_>) -> String {
    let count = 1 + source.below(6);
    let text: String = (0..count).map(|_| source.pick(PIECES)).collect();
    let is_blank = |c: char| c.is_whitespace() || c == '\u{200b}';
    if text.chars().all(is_blank) {
        text + "w"
    } else {
        text
    }
}

/// A text in the section of a tree, and what its values are printed with.
fn tree(source: &mut Source<'_>) -> (String, Value) {
    let mut writer = Writer {
        source,
        text: String::new(),
        open: [false; 3],
    };
    writer.blocks("", 4);
    let body = writer.text + ALL;
    let mut section = Map::from_iter([
        ("key".to_owned(), json!("sec")),
        ("body".to_owned(), json!(body)),
    ]);
    let mut set = |key: &str, value: Value| drop(section.insert(key.to_owned(), value));
    if source.chance(40) {
        set("tag", json!("sec"));
        set("attr", json!({ "of": "{p}", "by": "a {v}" }));
    }
    if source.chance(20) {
        set("untrusted", json!(true));
    }
    if source.chance(10) {
        set("guard", json!("escaped"));
    }
    if source.chance(20) {
        set("title", json!("<b>{v}</b> {p}"));
    }
    if source.chance(15) {
        set("heading", json!("<i>{title}</i> <row x='{v}'>{p}</row>"));
    }
    if source.chance(15) {
        set(
            "summary",
            json!("<file path=\"{p}\">{v}</file>\n\n    <i>{v}{p}</i>"),
        );
        set("visibility", json!("summary"));
    }
    let root = json!({
        "key": "root",
        "body": "Top ⟦{v}⟧.",
        "allow": ["skipped_level", "heading_above_top", "setext_heading", "unclosed_fence"],
        "vars": {
            "some": { "some": "<i>{}</i>" },
            "list": { "item": "<row x=\"{item}\">{item}</row>", "join": "<b></b>" },
        },
        "sections": [section],
    });
    (body, root)
}

/// No value closes a tag of the author's, or leaves its attribute: the tags are those with harmless values.
pub(super) fn guards(source: &mut Source<'_>) -> Result<(), String> {
    let (body, tree) = tree(source);
    let (t, u) = (source.chance(60), source.chance(40));
    let lists = [source.below(3), source.below(3)];
    let mut values = |is_evil: bool| {
        let mut text = || {
            if is_evil {
                value(source)
            } else {
                "zz".to_owned()
            }
        };
        let mut list = |count: usize| (0..count).map(|_| text()).collect::<Vec<_>>();
        let (xs, items) = (list(lists[0]), list(lists[1]));
        json!({ "v": text(), "p": text(), "some": text(), "t": t, "u": u, "xs": xs, "list": items })
    };
    let (evil, harmless) = (values(true), values(false));
    let build = |values: &Value| {
        let node = DynamicNode::from_json_with(&tree.to_string(), values);
        node.map_err(|faults| format!("{faults}\n{body}"))
    };
    // A few texts have faults, such as a condition in inline code of several lines.
    let Ok(plain) = build(&harmless) else {
        return Ok(());
    };
    let nodes = [build(&evil)?, plain];
    for style in [Style::Markdown, Style::Xml] {
        let print = |node: &DynamicNode| {
            let prompt = node.prompt().style(style);
            prompt.text().map_err(|error| error.to_string())
        };
        let (text, expected) = (print(&nodes[0])?, print(&nodes[1])?);
        let context =
            || format!("{style:?} {tree}\n{evil}\n===== text\n{text}\n===== harmless\n{expected}");
        same_tags(&text, &expected).map_err(|fact| format!("{fact}\n{}", context()))?;
        same_in_all_forms(&nodes[0], style, &text)
            .map_err(|fact| format!("{fact}\n{}", context()))?;
    }
    Ok(())
}

/// What a value prints is the same whatever is shown beside it: in full, in short, and where a budget drops it.
fn same_in_all_forms(node: &DynamicNode, style: Style, text: &str) -> Result<(), String> {
    let value = |text: &str| {
        let (_, behind) = text.split_once('⟦').unwrap_or_default();
        behind.split('⟧').next().unwrap_or_default().to_owned()
    };
    let own = value(text);
    let same = |how: &str, text: &str| {
        let other = value(text);
        check(other == own, || format!("{own:?} is {other:?} {how}"))
    };
    let forms = [Visibility::Full, Visibility::Summary];
    for form in forms {
        let mut overrides = Overrides::default();
        overrides.set("sec", form);
        let prompt = node.prompt().style(style).overrides(&overrides);
        // Not every section has a summary.
        if let Ok(other) = prompt.text() {
            same(&format!("with {form:?}"), &other)?;
        }
    }
    let budget = Budget::tokens(20 + text.len() / 16);
    let cut = node.prompt().style(style).budget(budget).text();
    match cut {
        Ok(cut) => same("with a budget", &cut),
        Err(_) => Ok(()),
    }
}

fn same_tags(text: &str, expected: &str) -> Result<(), String> {
    // A heading with a value is `section`, in XML alone.
    let is_printed = |name: &&str| *name != "section" || expected.contains("<section");
    let names: Vec<&str> = NAMES.into_iter().filter(is_printed).collect();
    // What is in the words of a tag without quotes is no attribute.
    let shape = |tag: &Tag<'_>| match &*tag.name {
        "task" | "b" => tag.signed(),
        _ => format!("{} {}", tag.signed(), tag.attributes.join(" ")),
    };
    let shapes = |text| tags(text, &names).iter().map(shape).collect::<Vec<_>>();
    let (found, meant) = (shapes(text), shapes(expected));
    check(found == meant, || {
        let first = found.iter().zip(&meant).find(|(one, other)| one != other);
        format!("{} and {} tags, first {first:?}", found.len(), meant.len())
    })?;
    if xml::validate_known(expected, &names).is_ok() {
        xml::validate_known(text, &names).map_err(|error| error.to_string())?;
    }
    Ok(())
}
