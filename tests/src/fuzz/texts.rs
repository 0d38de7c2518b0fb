//! Random texts of every construct beside every other, against the oracle of the language page.

use super::Source;
use crate::oracle;
use prompt_core::{DynamicNode, PromptNode, Style};
use serde::Serialize;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What the texts print.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Data {
    /// Two conditions.
    pub a: bool,
    /// The other one.
    pub b: bool,
    /// Two texts.
    pub v: String,
    /// The other one.
    pub w: String,
    /// A text that may be absent.
    pub o: Option<String>,
    /// Two lists of texts.
    pub l: Vec<String>,
    /// The other one.
    pub m: Vec<String>,
    /// A list of things.
    pub fs: Vec<Shelf>,
    /// A thing.
    pub ship: Shelf,
    /// A text without white space at its ends.
    pub t: String,
    /// A text of three characters at most.
    pub x: String,
    /// A list in a sentence.
    pub j: Vec<String>,
    /// A list of bullets.
    pub k: Vec<String>,
    /// What stands for it where it is absent.
    pub d: Option<String>,
    /// What stands around it where it is present.
    pub s: Option<String>,
    /// Words for both answers.
    pub y: bool,
    /// A text whose other lines stand below its first.
    pub h: String,
}

/// The keys of those, as a file has them; [`typed_texts`](crate::typed_texts) says the same.
pub fn keys() -> Value {
    json!({
        "t": { "trim": true },
        "x": { "max": 3, "more": ".." },
        "j": { "join": ", ", "last": " and ", "some": "({})", "default": "none" },
        "k": { "item": "- {item}{?a} ({index}){/a}", "join": "\n" },
        "d": { "default": "{w}.." },
        "s": { "some": "[{}]{?b}!{/b}" },
        "y": { "yes": "on {v}", "no": "" },
        "h": { "hang": true },
    })
}

/// A file with a text.
///
/// # Errors
///
/// The faults of the text, and the text.
pub fn node(text: &str, data: &Data) -> Result<DynamicNode, String> {
    let rules = [
        "skipped_level",
        "heading_above_top",
        "setext_heading",
        "unclosed_fence",
    ];
    let tree = json!({ "key": "page", "body": text, "vars": keys(), "allow": rules });
    let node = DynamicNode::from_json_with(&tree.to_string(), data);
    node.map_err(|faults| format!("{faults}\n{text}"))
}

/// A thing with a list in it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Shelf {
    /// Its name.
    pub n: String,
    /// A condition.
    pub on: bool,
    /// A text that may be absent.
    pub o: Option<String>,
    /// Texts.
    pub ts: Vec<String>,
}

const VALUES: &[&str] = &["", "V", "", "A\nB", "w x", "A\n\nB", "\nA\n\n", " ", "\n"];

fn value(source: &mut Source<'_>) -> String {
    source.pick(VALUES).to_owned()
}

fn values(source: &mut Source<'_>) -> Vec<String> {
    (0..source.below(4)).map(|_| value(source)).collect()
}

fn maybe(source: &mut Source<'_>) -> Option<String> {
    source.chance(67).then(|| value(source))
}

fn shelf(source: &mut Source<'_>) -> Shelf {
    Shelf {
        n: value(source),
        on: source.chance(50),
        o: maybe(source),
        ts: values(source),
    }
}

/// Random values.
pub fn data(source: &mut Source<'_>) -> Data {
    Data {
        a: source.chance(50),
        b: source.chance(50),
        v: value(source),
        w: value(source),
        o: maybe(source),
        l: values(source),
        m: values(source),
        fs: (0..source.below(4)).map(|_| shelf(source)).collect(),
        ship: shelf(source),
        t: source.pick(&["", " \n", " V ", "\nA\nB  ", "w"]).to_owned(),
        x: source
            .pick(&["", "abcd", "ab cd", "A\n\nB", "w"])
            .to_owned(),
        j: values(source),
        k: values(source),
        d: maybe(source),
        s: maybe(source),
        y: source.chance(50),
        // Which column a value hangs from whose first line is blank is not the question here.
        h: value(source).trim_start_matches('\n').to_owned(),
    }
}

/// A random text without a fault.
pub fn text(source: &mut Source<'_>) -> String {
    let mut writer = Writer {
        source,
        scope: Scope::of_node(),
        lines: Vec::new(),
        is_titled: true,
        other_fence: "",
    };
    for _ in 0..3 {
        writer.blocks("", 3, Place::Text);
    }
    if writer.source.chance(4) {
        writer.push("", "~~~ sh");
        writer.other_fence = "```";
        writer.blocks("", 1, Place::Code);
    }
    let text = writer.lines.join("\n");
    if source.chance(25) {
        indented(source, &text)
    } else {
        text
    }
}

/// Paragraphs of a text without titles and notes.
pub(super) fn paragraphs(source: &mut Source<'_>) -> String {
    let mut writer = Writer {
        source,
        scope: Scope::of_node(),
        lines: Vec::new(),
        is_titled: false,
        other_fence: "",
    };
    writer.blocks("", 2, Place::Text);
    writer.lines.join("\n")
}

/// All lines further in, as a text in the code of a program; blank lines may have fewer columns, or more.
fn indented(source: &mut Source<'_>, text: &str) -> String {
    let columns = 1 + source.below(6);
    let line = |line: &str| {
        let columns = match source.below(5) {
            _ if !line.is_empty() => columns,
            0 => columns,
            1 => columns + 2,
            2 => return " ".repeat(columns) + "\t",
            _ => 0,
        };
        " ".repeat(columns) + line
    };
    let lines: Vec<String> = text.split('\n').map(line).collect();
    format!("\n{}\n  \n", lines.join("\n"))
}

/// What a place sees.
#[derive(Clone)]
struct Scope {
    asked: Vec<String>,
    texts: Vec<String>,
    maybe: Vec<String>,
    lists: Vec<String>,
    shelves: Vec<String>,
    /// A loop is open whose item has no name of its own.
    has_item: bool,
    depth: usize,
}

impl Scope {
    fn of_node() -> Self {
        let mut scope = Self {
            asked: [
                "a", "b", "v", "w", "o", "l", "m", "fs", "t", "x", "j", "d", "s", "y", "h",
            ]
            .map(str::to_owned)
            .to_vec(),
            texts: ["v", "w", "v", "w", "t", "x", "j", "k", "d", "s", "y", "h"]
                .map(str::to_owned)
                .to_vec(),
            maybe: vec!["o".into()],
            lists: ["l", "m"].map(str::to_owned).to_vec(),
            shelves: vec!["fs".into()],
            has_item: false,
            depth: 0,
        };
        scope.add_shelf("ship");
        scope
    }

    fn add_shelf(&mut self, name: &str) {
        let path = |field| format!("{name}.{field}");
        self.asked.extend(["n", "on", "o", "ts"].map(path));
        self.texts.push(path("n"));
        self.maybe.push(path("o"));
        self.lists.push(path("ts"));
    }

    /// What the body of a loop sees.
    fn of_item(&self, is_shelf: bool, alias: Option<&str>) -> Self {
        let mut scope = self.clone();
        let item = if alias.is_some() && self.has_item {
            None
        } else {
            Some("item")
        };
        let is_outer = |name: &String| item.is_none() || name.split('.').next() != Some("item");
        for names in [
            &mut scope.asked,
            &mut scope.texts,
            &mut scope.maybe,
            &mut scope.lists,
        ] {
            names.retain(is_outer);
        }
        scope.has_item |= alias.is_none();
        scope.texts.retain(|name| name != "index");
        for name in item.into_iter().chain(alias) {
            if is_shelf {
                scope.add_shelf(name);
            } else {
                scope.texts.push(name.to_owned());
                scope.asked.push(name.to_owned());
            }
        }
        scope.texts.push("index".into());
        scope
            .texts
            .extend(alias.map(|alias| format!("{alias}.index")));
        scope.asked.retain(|name| name != "first" && name != "last");
        scope.asked.extend(["first".to_owned(), "last".to_owned()]);
        scope.depth += 1;
        scope
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Text,
    Code,
}

/// A loop's list as it is written, and what its body sees.
struct Loop {
    marker: String,
    end: String,
    scope: Scope,
}

struct Writer<'s, 'b> {
    source: &'s mut Source<'b>,
    scope: Scope,
    lines: Vec<String>,
    /// Titles and notes may stand in it.
    is_titled: bool,
    /// In code, marks that do not end it.
    other_fence: &'static str,
}

impl Writer<'_, '_> {
    fn one_of(&mut self, of: &[String]) -> String {
        of[self.source.below(of.len())].clone()
    }

    fn condition(&mut self) -> (String, String) {
        let asked = self.scope.asked.clone();
        let name = self.one_of(&asked);
        let negated = if self.source.chance(25) { "!" } else { "" };
        (format!("{{?{negated}{name}}}"), format!("{{/{name}}}"))
    }

    fn each(&mut self) -> Loop {
        let is_shelf = self.source.chance(40);
        let lists = if is_shelf {
            &self.scope.shelves
        } else {
            &self.scope.lists
        };
        let list = self.one_of(&lists.clone());
        let alias = self
            .source
            .chance(50)
            .then(|| format!("x{}", self.scope.depth));
        let scope = self.scope.of_item(is_shelf, alias.as_deref());
        let as_alias = alias.map_or_else(String::new, |alias| format!(" as {alias}"));
        Loop {
            marker: format!("{{*{list}{as_alias}}}"),
            end: format!("{{/{list}}}"),
            scope,
        }
    }

    // Pieces of a line.

    fn word(&mut self) -> String {
        self.source.pick(&["ab", "cd.", "ef, gh", "(i)"]).to_owned()
    }

    fn value(&mut self) -> String {
        if self.source.chance(20) {
            let maybe = self.scope.maybe.clone();
            let name = self.one_of(&maybe);
            return format!("{{?{name}}}{{{name}}}{{/{name}}}");
        }
        let texts = self.scope.texts.clone();
        format!("{{{}}}", self.one_of(&texts))
    }

    fn pieces(&mut self, most: usize, depth: usize, place: Place) -> String {
        let count = self.source.below(most + 1);
        (0..count).map(|_| self.piece(depth, place)).collect()
    }

    fn piece(&mut self, depth: usize, place: Place) -> String {
        match self.source.below(10) {
            0..3 => self.word(),
            3..6 => self.value(),
            6 => " ".to_owned(),
            7 if place == Place::Text && self.source.chance(30) => "{_}".to_owned(),
            7 | 8 if depth > 0 => self.phrase(depth - 1, place),
            _ if depth > 0 => self.repeated_phrase(depth - 1, place),
            _ => self.value(),
        }
    }

    fn phrase(&mut self, depth: usize, place: Place) -> String {
        let (marker, end) = self.condition();
        let mut text = marker + &self.pieces(2, depth, place);
        if self.source.chance(25) {
            text += "{else}";
            text += &self.pieces(2, depth, place);
        }
        text + &end
    }

    fn repeated_phrase(&mut self, depth: usize, place: Place) -> String {
        let Loop { marker, end, scope } = self.each();
        let outer = std::mem::replace(&mut self.scope, scope);
        let mut text = marker + &self.pieces(2, depth, place);
        self.scope = outer;
        if self.source.chance(15) {
            text += "{else}";
            text += &self.pieces(1, depth, place);
        }
        text + &end
    }

    /// The rest of a line behind its head: with conditions and loops that reach to its end, or without.
    fn rest(&mut self, place: Place) -> String {
        let outer = self.scope.clone();
        let mut openers = String::new();
        let mut ends = Vec::new();
        while ends.len() < 3 && self.source.chance(25) {
            let (marker, end) = if self.source.chance(50) {
                self.condition()
            } else {
                let Loop { marker, end, scope } = self.each();
                self.scope = scope;
                (marker, end)
            };
            openers += &marker;
            ends.push(end);
        }
        let mut rest = self.pieces(4, 2, place);
        // Nothing may close on the line what reaches to its end, and something stands on it.
        if ends.iter().any(|end| rest.contains(end)) || (!ends.is_empty() && rest.trim().is_empty())
        {
            rest = self.word();
        }
        self.scope = outer;
        openers + &rest
    }

    // Lines.

    fn push(&mut self, prefix: &str, line: &str) {
        self.lines.push(format!("{prefix}{line}"));
    }

    fn blank_lines(&mut self, prefix: &str, most: usize) {
        let blank = if prefix.contains('>') {
            prefix.trim_end()
        } else {
            ""
        };
        for _ in 0..self.source.below(most + 1) {
            self.push("", blank);
        }
    }

    fn blocks(&mut self, prefix: &str, depth: usize, place: Place) {
        for _ in 0..self.source.below(5) {
            if self.source.chance(35) {
                self.blank_lines(prefix, 2);
            }
            self.block(prefix, depth, place);
        }
        if self.source.chance(25) {
            self.blank_lines(prefix, 2);
        }
    }

    fn block(&mut self, prefix: &str, depth: usize, place: Place) {
        match self.source.below(15) {
            0..4 => self.line(prefix, place),
            4 => {
                let line = self.value();
                self.push(prefix, &line);
            }
            5 | 6 if depth > 0 => self.condition_block(prefix, depth - 1, place),
            7 | 8 if depth > 0 => self.loop_block(prefix, depth - 1, place),
            9 if depth > 0 && place == Place::Text => self.fence(prefix, depth - 1),
            10 if place == Place::Text && prefix.is_empty() && self.is_titled => self.title(),
            11 if place == Place::Text && prefix.is_empty() && self.is_titled => self.rare(),
            12 if place == Place::Text && depth > 0 => self.nested(prefix, depth - 1),
            13 if place == Place::Text => {
                let cells = [self.pieces(2, 1, place), self.pieces(2, 1, place)];
                let row = format!("| {} | {} |", cells[0], cells[1]);
                self.push(prefix, &row);
            }
            13 if place == Place::Code => self.push(prefix, self.other_fence),
            _ => {
                let word = self.word();
                self.push(prefix, &word);
            }
        }
    }

    fn line(&mut self, prefix: &str, place: Place) {
        let heads: &[&str] = match place {
            Place::Text if prefix.is_empty() => {
                &["", "", "- ", "1. ", "> ", "  ", "  - ", "- [ ] ", "> - "]
            }
            _ => &["", "", "- ", "  ", "  - "],
        };
        let head = self.source.pick(heads);
        let rest = self.rest(place);
        let line = format!("{head}{rest}");
        // A line of blanks is a blank line, and what follows a box needs no blank.
        if rest.trim().is_empty() {
            let word = self.word();
            return self.push(prefix, &word);
        }
        self.push(prefix, &line);
    }

    /// Lines in a quotation or in an item of a list.
    fn nested(&mut self, prefix: &str, depth: usize) {
        let inner = match self.source.below(4) {
            0 => prefix.to_owned() + "> > ",
            1 if !prefix.contains('>') => {
                let word = self.word();
                self.push(prefix, &format!("- {word}"));
                prefix.to_owned() + "  "
            }
            _ => prefix.to_owned() + "> ",
        };
        self.blocks(&inner, depth, Place::Text);
    }

    fn condition_block(&mut self, prefix: &str, depth: usize, place: Place) {
        let (marker, end) = self.condition();
        self.push(prefix, &marker);
        self.blocks(prefix, depth, place);
        if self.source.chance(40) {
            self.push(prefix, "{else}");
            self.blocks(prefix, depth, place);
        }
        self.push(prefix, &end);
    }

    fn loop_block(&mut self, prefix: &str, depth: usize, place: Place) {
        let Loop { marker, end, scope } = self.each();
        let outer = std::mem::replace(&mut self.scope, scope);
        self.push(prefix, &marker);
        self.blocks(prefix, depth, place);
        self.scope = outer;
        if self.source.chance(25) {
            self.push(prefix, "{else}");
            self.blocks(prefix, depth, place);
        }
        self.push(prefix, &end);
    }

    fn fence(&mut self, prefix: &str, depth: usize) {
        let marks = self.source.pick(&["```", "````", "~~~"]);
        let info = self.source.pick(&["", "text", " sh x", "y{?a}z{/a}"]);
        let place = if prefix.is_empty() {
            self.source.below(9)
        } else {
            0
        };
        let (first, inside) = match place {
            1 => (" ", " "),
            2 => ("   ", "   "),
            3 => ("- ", "  "),
            4 => ("> ", "> "),
            6 => ("1. ", "   "),
            7 => ("> > ", "> > "),
            8 => ("> - ", ">   "),
            5 => {
                let word = self.word();
                self.push("1. ", &word);
                ("   ", "   ")
            }
            _ => ("", ""),
        };
        self.push(prefix, &format!("{first}{marks}{info}"));
        let inner = format!("{prefix}{inside}");
        self.other_fence = match marks {
            "````" => "```",
            "```" => "~~~",
            _ => "```",
        };
        self.blocks(&inner, depth, Place::Code);
        let more = if self.source.chance(15) {
            &marks[..1]
        } else {
            ""
        };
        self.push(&inner, &format!("{marks}{more}"));
    }

    fn title(&mut self) {
        let hashes = self
            .source
            .pick(&["# ", "## ", "###### ", " ## ", " #\t ", "##  "]);
        let close = self.source.pick(&["", "", "", " ", " #", "  ### ", "#"]);
        let words = match self.source.below(4) {
            0 => self.word(),
            1 => self.value(),
            2 => self.word() + &self.phrase(1, Place::Text),
            _ => self.phrase(1, Place::Text),
        };
        let (marker, end) = self.condition();
        let line = match self.source.below(4) {
            0 if !words.contains(&end) => format!("{marker}{hashes}{words}{close}"),
            1 if !words.contains(&end) => format!("{marker}{hashes}{words}{close}{end}"),
            _ => format!("{hashes}{words}{close}"),
        };
        self.push("", &line);
    }

    /// Notes, and phrases over several lines.
    fn rare(&mut self) {
        match self.source.below(3) {
            0 => {
                let notes = ["<!--# why -->", "<!--# why\nand how -->", "  <!--# why -->"];
                let note = self.source.pick(&notes);
                self.push("", note);
            }
            1 => {
                let (marker, end) = self.condition();
                let line = format!("ab {marker}cd\nef{end} gh");
                self.push("", &line);
            }
            _ => {
                let Loop { marker, end, .. } = self.each();
                let line = format!("ab {marker}cd\n{end}ef");
                self.push("", &line);
            }
        }
    }
}

/// A text prints what the oracle says, whatever the values are and wherever its headings stand.
pub(super) fn texts(source: &mut Source<'_>) -> Result<(), String> {
    let data = data(source);
    let text = text(source);
    let values = serde_json::to_value(&data).expect("data is JSON");
    let line_end = source.pick(&["\n", "\n", "\r\n", "\r"]);
    let node = node(&text.replace('\n', line_end), &data)?;
    compare(&text, &data, &values, |style, level| {
        let prompt = || node.prompt().style(style).base_level(level);
        let rendered = prompt().render().map_err(|error| error.to_string())?;
        let printed = prompt().text().map_err(|error| error.to_string())?;
        if rendered.as_str() == printed {
            Ok(printed)
        } else {
            Err(format!("{printed:?} and {rendered:?}"))
        }
    })
}

/// Compares what a text prints, in both styles and at two levels, with what the oracle says.
///
/// # Errors
///
/// The text, its values and what differs.
pub fn compare(
    text: &str,
    data: &Data,
    values: &serde_json::Value,
    print: impl Fn(Style, u8) -> Result<String, String>,
) -> Result<(), String> {
    for (style, level) in [(Style::Markdown, 1), (Style::Markdown, 2), (Style::Xml, 1)] {
        let mut expected = match style {
            Style::Xml => oracle::printed_in_xml(text, values, &keys()),
            _ => oracle::printed_with(text, values, &keys(), usize::from(level) - 1),
        };
        if style == Style::Xml && !expected.is_empty() {
            expected.push('\n');
        }
        let found = print(style, level);
        if found.as_ref() != Ok(&expected) {
            let mut words = format!("{style:?}, level {level}\n{text}\n");
            _ = write!(
                words,
                "--- of {data:?}\nfound    {found:?}\nexpected {expected:?}\n{text:?}"
            );
            return Err(words);
        }
    }
    Ok(())
}
