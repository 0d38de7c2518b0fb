//! The file with all texts of a type, as they are: what somebody starts from who writes a wording.

use super::{
    answers::{Slot, TextForm},
    node::join,
    rewording::{ITEM, Known, Seen},
    words::Word,
};
use crate::node::{NodeInfo, SectionInfo, Title};
use prompt_syntax::Elements;
use std::{collections::BTreeSet, fmt::Write};

/// A text that can be reworded.
pub(super) struct Own {
    pub(super) path: String,
    pub(super) source: String,
    /// Another path that leads there.
    pub(super) alias: Option<String>,
}

/// Every text of a node that can be reworded.
pub(super) fn texts(root: &Seen<'_>) -> Vec<Own> {
    let mut list = Texts::default();
    list.nodes("", root);
    list.found
}

#[derive(Default)]
struct Texts<'a> {
    found: Vec<Own>,
    /// The descriptions of types around: a type may have itself in it, what is built at run time not.
    around: Vec<&'a NodeInfo>,
}

impl<'a> Texts<'a> {
    fn nodes(&mut self, path: &str, seen: &Seen<'a>) {
        let around = self.around.len();
        let types = seen.variants.iter().filter(|known| known.has_type());
        let types = types.map(|known| known.info);
        if types.clone().any(|of| self.around.contains(&of)) {
            return;
        }
        self.around.extend(types);
        for (path, known) in variants(path, seen) {
            self.add(path.clone(), known, None, TextForm::Text);
            self.words(&path, known.info);
            for (index, section) in known.info.sections.iter().enumerate() {
                let path = join(&path, &section.key);
                self.section(&path, known, index, section);
            }
        }
        self.around.truncate(around);
    }

    /// The words of the keys of values.
    fn words(&mut self, path: &str, info: &NodeInfo) {
        let names = info.variables.iter().map(|variable| &*variable.source);
        let names = names.filter_map(|source| source.split(':').next());
        let names = names.chain(info.sections.iter().map(|section| &*section.key));
        let mut seen = BTreeSet::new();
        for name in names.filter(|name| seen.insert(*name)) {
            for word in Word::ALL {
                if let Some(words) = word.of(info, name) {
                    let path = format!("{}:{}", join(path, name), word.name());
                    self.push(path, words);
                }
            }
        }
    }

    fn section(&mut self, path: &str, known: &Known<'a>, index: usize, section: &SectionInfo) {
        let child = known.child(index);
        let named = |form: TextForm| format!("{path}:{}", form.name());
        let is_titled = !child.is_list && child.says(TextForm::Title, section);
        if let Title::Fallback(words) = &section.title
            && !is_titled
        {
            let words = words.replace('{', "{{").replace('}', "}}");
            self.push(named(TextForm::Title), words);
        }
        let is_alone = child.seen.is_none() && !child.is_unknown || child.is_list;
        let introduction = if is_alone {
            path.to_owned()
        } else {
            named(TextForm::Introduction)
        };
        let item = join(path, ITEM);
        let of_section = [
            (named(TextForm::Title), TextForm::Title),
            (introduction, TextForm::Introduction),
            (named(TextForm::Summary), TextForm::Summary),
            (named(TextForm::Empty), TextForm::Empty),
            (format!("{item}:title"), TextForm::ItemTitle),
        ];
        for (path, form) in of_section {
            self.add(path, known, Some(index), form);
        }
        if let Some(own) = self.found.iter_mut().rev().find(|own| own.path == path) {
            own.alias = Some(named(TextForm::Introduction));
        }
        let Some(seen) = &child.seen else { return };
        let path = if child.is_list { item.as_str() } else { path };
        let has_titles = is_titled || child.is_list && section.items.title.is_none();
        for (path, known) in variants(path, seen) {
            if has_titles {
                self.add(format!("{path}:title"), known, None, TextForm::Title);
            }
            if section.summary.is_none() {
                self.add(format!("{path}:summary"), known, None, TextForm::Summary);
            }
        }
        self.nodes(path, seen);
    }

    fn add(&mut self, path: String, known: &Known<'_>, section: Option<usize>, form: TextForm) {
        if let Some(text) = (Slot { section, form }).of(known.info) {
            let elements: Elements = text.elements.iter().cloned().collect();
            self.push(path, elements.to_markdown());
        }
    }

    fn push(&mut self, path: String, source: String) {
        let alias = None;
        self.found.push(Own {
            path,
            source,
            alias,
        });
    }
}

/// Each of the variants, with its path.
fn variants<'s, 'a>(
    path: &str,
    seen: &'s Seen<'a>,
) -> impl Iterator<Item = (String, &'s Known<'a>)> {
    seen.variants.iter().map(move |known| {
        let path = if seen.is_enum {
            join(path, &known.info.name)
        } else {
            path.to_owned()
        };
        (path, known)
    })
}

/// A file with one wording.
pub(super) fn file(name: &str, texts: &[Own]) -> String {
    let mut file = String::from(
        "# Every text that can be reworded, as it is. Change what is to be other words; remove the rest, unless `--complete` is to pass.\n",
    );
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name = match name {
        name if !name.is_empty() && name.chars().all(is_bare) => name.to_owned(),
        name => quoted(&name.replace('\n', " ")),
    };
    let own = texts.iter().find(|own| own.path.is_empty());
    if let Some(own) = own {
        _ = write!(file, "\n[{name}]\ntext = {}\n", quoted(&own.source));
    }
    _ = write!(file, "\n[{name}.texts]\n");
    for Own { path, source, .. } in texts.iter().filter(|own| !own.path.is_empty()) {
        _ = writeln!(file, "{} = {}", quoted(path), quoted(source));
    }
    file
}

/// A string of TOML: of several lines between three quotes.
fn quoted(text: &str) -> String {
    let has_lines = text.contains('\n');
    let mut quoted = String::from(if has_lines { "\"\"\"\n" } else { "\"" });
    for c in text.chars() {
        match c {
            '\n' | '\t' => quoted.push(c),
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_ascii_control() => _ = write!(quoted, "\\u{:04X}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push_str(if has_lines { "\"\"\"" } else { "\"" });
    quoted
}
