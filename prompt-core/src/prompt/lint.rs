//! Advice on a whole prompt: what renders, but reads worse, costs more or goes earlier than its author may think.
//!
//! The rules about the declared tree read its rows, those about what is printed its spans and tags.

use crate::document::{Document, Index, Section, SectionId};
use crate::errors::PromptError;
use crate::messages::tool::ToolSpec;
use crate::node::{Heading, Markdown, ends_in_fence};
use crate::node::{NodeRef, Overrides, Priority, Text, has_words};
use crate::page::{Printed, Span, Style};
use prompt_syntax::{Code, Element, Inline, Options, Place, front_matter, tag_lints};
use serde::Serialize;
use std::{
    borrow::Borrow,
    collections::BTreeSet,
    fmt,
    ops::{Deref, DerefMut},
};

/// Levels of tags without the lint [`Code::OverNesting`].
const MAX_NESTING: usize = 4;

/// A piece of advice about a prompt.
///
/// `Display` gives path, message, code and help in the form of all diagnostics; serde gives the fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Lint {
    /// The stable name of the rule.
    #[serde(serialize_with = "crate::errors::spelling::serialize")]
    pub code: Code,
    /// Section path; empty for the root.
    pub path: String,
    /// The text of the section that it is about, such as `body`; empty where it is about none, or about what is printed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub part: String,
    /// The line of that text, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The fact.
    pub message: String,
    /// The remedy; may be empty.
    pub help: String,
}

impl Lint {
    /// The first of so many of its rule.
    fn write(&self, f: &mut fmt::Formatter<'_>, count: usize) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "section `{}`: ", self.path)?;
        }
        write!(f, "{} [{}]", self.message, self.code)?;
        if count > 1 {
            write!(f, ", and {} more", count - 1)?;
        }
        if self.help.is_empty() {
            Ok(())
        } else {
            write!(f, "\n  help: {}", self.help)
        }
    }
}

impl fmt::Display for Lint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 1)
    }
}

impl From<&PromptError> for Lint {
    fn from(error: &PromptError) -> Self {
        Self {
            code: error.code(),
            path: String::new(),
            part: String::new(),
            line: None,
            message: error.to_string(),
            help: String::new(),
        }
    }
}

/// The advice about a prompt, in the order of its sections. A list of [`Lint`]s, also for serde.
///
/// `Display` tells of each rule once: its first lint, and how many more there are.
///
/// ```
/// use prompt_core::{DynamicNode, PromptNode, Style};
///
/// let part = |key: &str, tag: &str| DynamicNode::builder(key).tag(tag).body("Knock.");
/// let page = DynamicNode::builder("page").section(part("day", "Day")).section(part("night", "Night")).build()?;
/// let lints = page.prompt().style(Style::Xml).lint();
/// assert_eq!(lints.len(), 2);
/// assert_eq!(lints.by_code().map(|(_, count)| count).collect::<Vec<_>>(), [2]);
/// assert_eq!(
///     lints.to_string(),
///     "section `day`: the tag `Day` is not in snake case, or starts with `xml` [naming], and 1 more\n  help: write `day`",
/// );
/// # Ok::<(), prompt_core::Diagnostics>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Lints(Vec<Lint>);

impl Lints {
    /// The first lint of each rule, and how many of that rule there are.
    pub fn by_code(&self) -> impl Iterator<Item = (&Lint, usize)> {
        let mut kinds: Vec<(&Lint, usize)> = Vec::new();
        for lint in &self.0 {
            match kinds.iter_mut().find(|(first, _)| first.code == lint.code) {
                Some((_, count)) => *count += 1,
                None => kinds.push((lint, 1)),
            }
        }
        kinds.into_iter()
    }
}

impl fmt::Display for Lints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (lint, count)) in self.by_code().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            lint.write(f, count)?;
        }
        Ok(())
    }
}

impl Deref for Lints {
    type Target = Vec<Lint>;

    fn deref(&self) -> &Vec<Lint> {
        &self.0
    }
}

impl DerefMut for Lints {
    fn deref_mut(&mut self) -> &mut Vec<Lint> {
        &mut self.0
    }
}

impl Borrow<[Lint]> for Lints {
    fn borrow(&self) -> &[Lint] {
        &self.0
    }
}

impl PartialEq<Vec<Lint>> for Lints {
    fn eq(&self, other: &Vec<Lint>) -> bool {
        self.0 == *other
    }
}

impl FromIterator<Lint> for Lints {
    fn from_iter<I: IntoIterator<Item = Lint>>(lints: I) -> Self {
        Self(lints.into_iter().collect())
    }
}

impl IntoIterator for Lints {
    type Item = Lint;
    type IntoIter = std::vec::IntoIter<Lint>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'l> IntoIterator for &'l Lints {
    type Item = &'l Lint;
    type IntoIter = std::slice::Iter<'l, Lint>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<const N: usize> PartialEq<[Lint; N]> for Lints {
    fn eq(&self, other: &[Lint; N]) -> bool {
        self.0 == other
    }
}

/// What the whole tree printed, with every summary opened.
pub(crate) struct Whole<'p> {
    pub(crate) style: Style,
    pub(crate) text: &'p str,
    pub(crate) printed: &'p Printed<'p>,
}

/// Whether a path is in the tree, or in what a type of it declares: a section that is switched off may come again.
fn is_declared(rows: &Document<'_>, index: &Index<'_>, path: &str) -> bool {
    let (mut at, mut node) = (None, rows.node);
    for key in path.split('.') {
        let Some(id) = index.child(at, key) else {
            let declared = node.map(|node| node.info().sections.iter());
            return declared.is_some_and(|mut declared| declared.any(|info| info.key == key));
        };
        (at, node) = (Some(id), rows.section(id).node());
    }
    true
}

/// What was found.
pub(crate) struct Found<'o, 'a> {
    rows: &'o Document<'a>,
    /// By section, in the order of the tree, the root first.
    lints: Vec<Vec<Lint>>,
}

impl<'o, 'a> Found<'o, 'a> {
    /// Advice about the tree as it is declared.
    pub(crate) fn of(rows: &'o Document<'a>) -> Self {
        let mut found = Self {
            rows,
            lints: vec![Vec::new(); rows.len() as usize + 1],
        };
        if let Some(root) = rows.node {
            found.node(None, root);
        }
        for (id, row) in rows.iter() {
            found.priority(id, row);
            found.inline(
                Some(id),
                row.info.markup.inline && !row.is_item(),
                &row.info.intro,
            );
            found.attributes(id, row);
            if let Some(markdown) = row.markdown() {
                found.markdown(id, markdown);
            }
            if let Some(node) = row.node() {
                found.node(Some(id), node);
            }
        }
        for (row, tool) in &rows.tools {
            found.tool(*row, tool);
        }
        found
    }

    /// Adds advice about what was printed.
    pub(crate) fn add_printed(&mut self, whole: &Whole<'_>) {
        self.tags(whole);
        self.caches(whole);
        self.front_matter_of_values(whole);
        if whole.style == Style::Markdown {
            self.headings_of_values(whole.printed, whole.text);
            self.fences_of_values(whole);
            self.touching(whole);
        }
    }

    /// A prompt that cannot be printed is reported with the words of its error.
    pub(crate) fn add_error(&mut self, error: &PromptError) {
        self.put(None, Lint::from(error));
    }

    /// Overrides of sections that are not in the tree, and are not declared in it: they have no effect.
    pub(crate) fn add_overrides(&mut self, overrides: &Overrides) {
        let (rows, index) = (self.rows, self.rows.index());
        for (path, _) in overrides
            .iter()
            .filter(|(path, _)| !is_declared(rows, &index, path))
        {
            let help = rows.nearest(path);
            self.put(
                None,
                Lint {
                    code: Code::UnknownPath,
                    path: path.to_owned(),
                    part: String::new(),
                    line: None,
                    message: "an override names a section that is not in this prompt".to_owned(),
                    help: help.map_or_else(String::new, |near| format!("write `{near}`")),
                },
            );
        }
    }

    /// The advice, in the order of the tree.
    pub(crate) fn into_lints(self) -> Lints {
        self.lints.into_iter().flatten().collect()
    }

    /// The same, for the root and then for each row.
    pub(crate) fn into_rows(self) -> Vec<Vec<Lint>> {
        self.lints
    }

    fn add(
        &mut self,
        row: Option<SectionId>,
        code: Code,
        message: String,
        help: impl Into<String>,
    ) {
        self.add_at(row, ("", "", None), code, message, help);
    }

    /// The same, of a line of a text: that of a section of the node in this row, if there is a key.
    fn add_at(
        &mut self,
        row: Option<SectionId>,
        (key, part, line): (&str, &str, Option<usize>),
        code: Code,
        message: String,
        help: impl Into<String>,
    ) {
        if self.is_allowed(row, code) {
            return;
        }
        let mut path = self.rows.path(row);
        if !key.is_empty() {
            let dot = if path.is_empty() { "" } else { "." };
            path = format!("{path}{dot}{key}");
        }
        let found = Lint {
            code,
            path,
            part: part.to_owned(),
            line,
            message,
            help: help.into(),
        };
        self.put(row, found);
    }

    fn put(&mut self, row: Option<SectionId>, lint: Lint) {
        let place = row.map_or(0, |id| id as usize + 1);
        self.lints[place].push(lint);
    }

    /// A tag with `inline` stands on one line with its text, if that has one.
    fn inline(&mut self, row: Option<SectionId>, is_inline: bool, text: &Text) {
        let breaks =
            |piece: &Inline| matches!(piece, Inline::Literal(words) if words.contains('\n'));
        let has_lines = match &*text.elements {
            [Element::Text { text, .. }] => text.iter().any(breaks),
            elements => elements.len() > 1,
        };
        if is_inline && has_lines {
            let message = "the text has several lines, so `inline` does nothing".to_owned();
            self.add(
                row,
                Code::InlineLines,
                message,
                "remove `inline`, or write one line",
            );
        }
    }

    /// A node's own text.
    fn node(&mut self, row: Option<SectionId>, node: NodeRef<'_>) {
        self.beside_messages(row, node);
        let info = node.info();
        let of_section = row.is_some_and(|id| self.rows.section(id).info.markup.inline);
        self.inline(row, info.container.markup.inline || of_section, &info.text);
        for hint in node.info().hints.iter() {
            let place = match (hint.part.as_ref(), hint.line) {
                ("", _) => String::new(),
                (part, 0) => format!("{part}: "),
                (part, line) => format!("{part}, line {line}: "),
            };
            let message = format!("{place}{}", hint.message);
            let line = usize::try_from(hint.line).ok().filter(|line| *line > 0);
            let place = (&*hint.section, &*hint.part, line);
            self.add_at(row, place, hint.code, message, &*hint.help);
        }
    }

    /// A tool that is offered without a word on what it does. One that a file only names has neither words nor parameters before
    /// it is bound.
    fn tool(&mut self, row: Option<SectionId>, tool: &ToolSpec) {
        let parameters = tool.parameters()["properties"].as_object();
        if tool.description().trim().is_empty() && parameters.is_some_and(|all| !all.is_empty()) {
            let message = format!("the tool `{}` has no description", tool.name());
            let help = "say what it does: by the doc comment of its type, or as the second argument of `ToolSpec::new`";
            self.add(row, Code::ToolUndescribed, message, help);
        }
    }

    /// A section is never kept longer than the one around it, whatever it asks for.
    fn priority(&mut self, id: SectionId, row: &Section<'a>) {
        let around = row
            .parent
            .and_then(|parent| self.rows.section(parent).priority);
        let Some(around) = around else { return };
        let own = match row.own_priority {
            Some(Priority::Level(own)) if own > around => own.to_string(),
            Some(Priority::Required) => "\"required\"".to_owned(),
            _ => return,
        };
        let message = format!(
            "its priority {own} is above the {around} of the section around it, with which it is dropped"
        );
        let help =
            format!("write {around} or less, or raise the priority of the section around it");
        self.add(Some(id), Code::PriorityInversion, message, help);
    }

    /// An attribute stands once in a tag: the section's.
    fn attributes(&mut self, id: SectionId, row: &Section<'a>) {
        let (false, Some(node)) = (row.is_item(), row.node()) else {
            return;
        };
        let own = &row.info.markup.attributes;
        for attribute in node.info().container.markup.attributes.iter() {
            if own.iter().any(|other| other.name == attribute.name) {
                let name = &attribute.name;
                let message = format!(
                    "the section and its type both give the attribute `{name}`: that of the section is printed"
                );
                self.add(
                    Some(id),
                    Code::DuplicateAttribute,
                    message,
                    "keep one of them",
                );
            }
        }
    }

    /// A title that came out without words.
    pub(crate) fn empty_title(&mut self, id: SectionId) {
        let row = self.rows.section(id);
        let (info, node) = (row.info, row.node().map(NodeRef::info));
        let own = node.and_then(|node| node.container.markup.tag.as_ref());
        let has_tag = info.markup.tag.is_some() || own.is_some();
        if info.is_untitled() || has_tag || info.policy.role.is_some() {
            return;
        }
        let message = "its title prints nothing, so it has no heading".to_owned();
        let help = "give the title words that are always there, or write `untitled`";
        self.add(Some(id), Code::EmptyTitle, message, help);
    }

    /// What the short form of a section takes, and the full one, which prints nothing where there is no short one beside it.
    pub(crate) fn summary(&mut self, id: SectionId, short: Option<usize>, full: usize) {
        let section = self.rows.section(id);
        let message = match short {
            None => "in full it prints nothing: opening it shows nothing".to_owned(),
            Some(short) if short < full => return,
            Some(short) => format!(
                "its summary takes {short} tokens and the full text {full}: showing it short saves nothing"
            ),
        };
        let help = if self.rows.is_cataloguable(section) {
            "show it in full, or say less in its line"
        } else {
            "show it in full, or shorten `summary` and `summary_suffix`"
        };
        self.add(Some(id), Code::SummarySavesNothing, message, help);
    }

    /// Headings that values begin: one that is no deeper than the heading above it ends the section it stands in.
    fn headings_of_values(&mut self, printed: &Printed<'_>, text: &str) {
        let headings = headings(text);
        let mut said: BTreeSet<(Option<SectionId>, &str)> = BTreeSet::new();
        // Those of a `Markdown` value move to the level of their place.
        for source in printed.sources.iter().filter(|source| !source.is_aligned) {
            let from = headings.partition_point(|(at, _)| *at < source.range.start);
            let Some((_, above)) = from.checked_sub(1).map(|before| headings[before]) else {
                continue;
            };
            let inside = headings[from..].iter();
            let mut inside = inside.take_while(|(at, _)| *at < source.range.end);
            let Some((_, level)) = inside.find(|(_, level)| *level <= above) else {
                continue;
            };
            if !said.insert((source.section, &source.name)) {
                continue;
            }
            let message = format!(
                "`{}` begins a heading of level {level}, and the one above it has level {above}",
                source.name
            );
            let help = "make it a section of type `Markdown`, whose headings move to their level, or `untrusted`";
            self.add(source.section, Code::HeadingInValue, message, help);
        }
    }

    /// A section's heading directly below another line: the text around it has no blank line there, or lost it with what is
    /// absent. Where `gap`, `tight`, or `join` between items is given, somebody wants it so; in a tag there is no blank line.
    fn touching(&mut self, whole: &Whole<'_>) {
        let mut begins: Vec<Option<usize>> = vec![None; self.rows.len() as usize];
        for span in &whole.printed.spans {
            begins[span.section as usize] = Some(span.start);
        }
        for span in &whole.printed.spans {
            let above = &whole.text[..span.start];
            let line = above
                .strip_suffix('\n')
                .and_then(|above| above.rsplit('\n').next());
            // A line of blanks is a blank line.
            let line = line.filter(|line| !line.trim().is_empty());
            let Some(line) = line.filter(|_| whole.text[span.start..].starts_with('#')) else {
                continue;
            };
            let row = self.rows.section(span.section);
            let outer = row.parent.map(|parent| self.rows.section(parent));
            let node = outer.map_or(self.rows.node, Section::node);
            let around = outer.map(|outer| &outer.info.heading);
            let around = around
                .into_iter()
                .chain(node.map(|node| &node.info().container.heading));
            let is_wanted = |heading: &Heading| heading.gap.is_some() || heading.tight;
            let is_joined = |(id, row): (SectionId, &Section<'_>)| {
                let begins = begins[id as usize] == Some(span.start);
                begins && row.is_item() && row.info.items.join.is_some()
            };
            let is_tag = line.starts_with('<') && line.ends_with('>');
            if row.info.heading.gap.is_some()
                || around.into_iter().any(is_wanted)
                || is_tag
                || self.around(Some(span.section)).any(is_joined)
            {
                continue;
            }
            let line: String = line.chars().take(60).collect();
            let message = format!("its heading stands directly below `{line}`");
            let help = format!(
                "write a blank line before `{{{}}}` in the text around it",
                row.info.field
            );
            self.add(Some(span.section), Code::TouchingHeading, message, help);
        }
    }

    /// The grammar's rules about headings, in a Markdown value. Those of run-time texts are among their hints; a derived
    /// type breaks them only where it was told to.
    fn markdown(&mut self, row: SectionId, markdown: &Markdown) {
        for problem in markdown.problems() {
            let help = match problem.code {
                Code::SkippedLevel | Code::HeadingAboveTop => format!(
                    "move the heading, or `allow` the rule `{}` on a type or file around it",
                    problem.code
                ),
                Code::SetextHeading => {
                    "write a heading with `#`, or a blank line between the two".to_owned()
                }
                _ => continue,
            };
            let message = format!("line {}: {}", problem.line, problem.message);
            self.add(Some(row), problem.code, message, help);
        }
    }

    /// Values that open a fence which is still open in the line behind them: what is printed there stands in it. (`max` may have
    /// cut it.)
    fn fences_of_values(&mut self, whole: &Whole<'_>) {
        let text = whole.text;
        let mut said: BTreeSet<(Option<SectionId>, &str)> = BTreeSet::new();
        for source in &whole.printed.sources {
            let range = &source.range;
            let value = &text[range.clone()];
            if !value.contains("```") && !value.contains("~~~")
                || ends_in_fence(&text[..range.start])
            {
                continue;
            }
            // To the end of its last line, and of the next that says something.
            let rest = &text[range.end..];
            let behind = rest.find('\n').map_or(rest, |end| &rest[end..]);
            let words = behind.len() - behind.trim_start().len();
            let line = behind[words..].find('\n').unwrap_or(behind.len() - words);
            let end = text.len() - behind.len() + words + line;
            if ends_in_fence(&text[..end]) && said.insert((source.section, &source.name)) {
                let message = format!(
                    "`{}` opens a fence that does not close: what is printed behind it stands in it",
                    source.name
                );
                let help = "give a value that closes its fences (`max` may cut one, and words behind it on its last line spoil one), or `untrusted`";
                self.add(source.section, Code::UnclosedFence, message, help);
            }
        }
    }

    /// Values that begin with front matter, at the start of a line. `Markdown` prints none. Of a node's own text a hint tells.
    fn front_matter_of_values(&mut self, whole: &Whole<'_>) {
        let is_first = |at: usize| at == 0 || whole.text[..at].ends_with('\n');
        let mut said: BTreeSet<(Option<SectionId>, &str)> = BTreeSet::new();
        for source in &whole.printed.sources {
            let value = &whole.text[source.range.clone()];
            if is_first(source.range.start)
                && front_matter(value).is_some()
                && said.insert((source.section, &source.name))
            {
                self.front_matter(source.section, &format!("`{}`", source.name));
            }
        }
        let is_node = self.rows.node.is_some();
        if !is_node && said.is_empty() && front_matter(whole.text).is_some() {
            self.front_matter(None, "the text");
        }
    }

    fn front_matter(&mut self, row: Option<SectionId>, what: &str) {
        let message = format!("{what} begins with front matter, which is printed with it");
        let help =
            "make it `Markdown`, which prints its body alone, or read it with `Skill::parse`";
        self.add(row, Code::FrontMatter, message, help);
    }

    /// A node whose sections all are messages says nothing besides: its doc comment would go to the model.
    fn beside_messages(&mut self, row: Option<SectionId>, node: NodeRef<'_>) {
        let info = node.info();
        let declared = &info.sections;
        let plain = declared
            .iter()
            .filter(|info| info.policy.role.is_none())
            .count();
        let is_history = |(_, row): &(SectionId, &Section<'_>)| {
            row.info.policy.role.is_none() && row.messages().is_some()
        };
        let histories = self.rows.children(row).filter(is_history).count();
        if declared.is_empty() || plain > histories {
            return;
        }
        if has_words(&info.text) {
            let message =
                "all its sections are messages, and it has a text of its own besides".to_owned();
            let help = "make the text a section with `role = \"system\"`, or a comment (in a prompt file its `description`)";
            self.add(row, Code::TextBesideMessages, message, help);
        }
    }

    /// The tags that are printed, and headings of the author's inside them that do not become tags. Each name is judged once, and so is nesting: at the first tag
    /// that is too deep.
    fn tags(&mut self, whole: &Whole<'_>) {
        let tags = &whole.printed.tags;
        let mut names = BTreeSet::new();
        for tag in tags.iter().filter(|tag| names.insert(tag.name.as_ref())) {
            for (code, help) in tag_lints(&tag.name) {
                self.tag(tag.section, code, &tag.name, help);
            }
        }
        if let Some(tag) = tags.iter().find(|tag| tag.depth >= MAX_NESTING) {
            let help = "make the innermost tags text or attributes of the tag around them";
            self.tag(tag.section, Code::OverNesting, &tag.name, help);
        }
        if whole.style != Style::Xml {
            return;
        }
        let around = self.names_around(whole);
        let outside = tags.iter().find(|tag| tag.section.is_none());
        let outside = outside.map(|tag| tag.name.as_ref());
        let found: BTreeSet<_> = framed_headings(whole).collect();
        for row in found {
            let name = match row {
                Some(row) => around.get(row as usize).copied().flatten(),
                None => outside,
            };
            if let Some(name) = name {
                let help = "make it the heading of a section: those in `start` and `end` stay what they are";
                self.tag(row, Code::MixedStyle, name, help);
            }
        }
    }

    /// For each section the tag around its text: its own, or the nearest one outside.
    fn names_around<'w>(&self, whole: &Whole<'w>) -> Vec<Option<&'w str>> {
        let mut names: Vec<Option<&str>> = vec![None; self.rows.len() as usize];
        let mut root = None;
        for tag in &whole.printed.tags {
            let place = match tag.section {
                Some(row) => names.get_mut(row as usize),
                None => Some(&mut root),
            };
            if let Some(name) = place {
                name.get_or_insert(tag.name.as_ref());
            }
        }
        for (id, row) in self.rows.iter() {
            let outside = match row.parent {
                Some(parent) => names.get(parent as usize).copied().flatten(),
                None => root,
            };
            if let Some(name) = names.get_mut(id as usize) {
                *name = name.or(outside);
            }
        }
        names
    }

    fn tag(&mut self, row: Option<SectionId>, code: Code, name: &str, help: impl Into<String>) {
        let fact = match code {
            Code::Naming => "is not in snake case, or starts with `xml`",
            Code::GenericName => "does not say what it holds",
            Code::LongName => "has a long name",
            Code::OverNesting => "is nested over 4 levels deep",
            _ => "holds Markdown headings",
        };
        self.add(row, code, format!("the tag `{name}` {fact}"), help);
    }

    /// What changes from call to call comes after the last cache point, or that point is never reached.
    fn caches(&mut self, whole: &Whole<'_>) {
        let (places, is_turn) = self.places(whole);
        let place = |id: SectionId| places.get(id as usize).copied().flatten();
        let with = |wanted: fn(&Section<'_>) -> bool| {
            let rows = self.rows.iter().filter(move |(_, row)| wanted(row));
            rows.filter_map(|(id, _)| Some((place(id)?, id)))
        };
        let mut points: Vec<(Position, SectionId)> =
            with(|row| row.info.policy.cache.is_some()).collect();
        points.sort_unstable();
        let volatile: Vec<(Position, SectionId)> = with(|row| row.info.policy.volatile).collect();
        for (place, id) in volatile {
            let next = points.partition_point(|(point, _)| *point < place);
            let Some((_, point)) = points.get(next) else {
                continue;
            };
            let cached = self.rows.path(Some(*point));
            let message = format!(
                "it changes from call to call and stands before the cache point after `{cached}`"
            );
            let help = format!("move it behind `{cached}`, or the cache point in front of it");
            self.add(Some(id), Code::VolatileBeforeCache, message, help);
        }
        let spans = whole.printed.spans.iter();
        let is_cached = |span: &&Span| {
            let row = self.rows.section(span.section);
            row.info.policy.cache.is_some()
        };
        let cached: Vec<&Span> = spans.filter(is_cached).collect();
        let mut said: BTreeSet<(Option<SectionId>, &str)> = BTreeSet::new();
        for source in &whole.printed.sources {
            let row = source.section;
            let is_turn = row.and_then(|id| is_turn.get(id as usize).copied());
            let place = (is_turn.unwrap_or(false), source.range.start);
            let next = points.partition_point(|(point, _)| *point <= place);
            let (Some((_, point)), false) = (points.get(next), source.range.is_empty()) else {
                continue;
            };
            // What is cached itself is meant to stay.
            let is_around =
                |span: &&Span| span.start <= source.range.start && source.range.end <= span.end;
            // Of a list it is told once.
            let outside = |(id, row): (SectionId, &Section<'_>)| (!row.is_item()).then_some(id);
            let list = self.around(row).find_map(outside);
            if cached.iter().any(is_around) || !said.insert((list, &source.name)) {
                continue;
            }
            let (name, point) = (&source.name, self.rows.path(Some(*point)));
            let message = format!(
                "the value `{name}` stands before the cache point after `{point}`: where it changes, nothing is read from the cache"
            );
            let help = format!(
                "move it behind `{point}`, or, where it is the same from call to call, allow the rule `{}`",
                Code::ValueBeforeCache
            );
            self.add(row, Code::ValueBeforeCache, message, help);
        }
    }

    /// Whether a node around this section, or the root, has switched a rule off.
    fn is_allowed(&self, row: Option<SectionId>, code: Code) -> bool {
        let allows = |node: NodeRef<'_>| node.info().container.allow.contains(&code);
        let mut nodes = self.around(row).filter_map(|(_, row)| row.node());
        nodes.any(allows) || self.rows.node.is_some_and(allows)
    }

    /// A section and those around it.
    fn around(&self, row: Option<SectionId>) -> impl Iterator<Item = (SectionId, &Section<'a>)> {
        let section = |id| (id, self.rows.section(id));
        std::iter::successors(row.map(section), move |(_, row)| row.parent.map(section))
    }

    /// Where the end of each section stands in the messages: the system text comes first, then the sections with a role; and
    /// which these are.
    fn places(&self, whole: &Whole<'_>) -> (Vec<Option<Position>>, Vec<bool>) {
        let mut is_turn: Vec<bool> = Vec::with_capacity(self.rows.len() as usize);
        for (_, row) in self.rows.iter() {
            let outside = row
                .parent
                .and_then(|parent| is_turn.get(parent as usize).copied());
            is_turn.push(row.info.policy.role.is_some() || outside.unwrap_or(false));
        }
        let mut places = vec![None; is_turn.len()];
        for span in &whole.printed.spans {
            let at = span.section as usize;
            if let (Some(place), Some(is_turn)) = (places.get_mut(at), is_turn.get(at)) {
                *place = Some((*is_turn, span.end));
            }
        }
        (places, is_turn)
    }
}

/// The sections whose `start` or `end` prints a heading; none for the root.
fn framed_headings(whole: &Whole<'_>) -> impl Iterator<Item = Option<SectionId>> {
    let frames = whole.printed.frames.iter();
    let frames = frames.filter(|frame| {
        let words = &whole.text[frame.range.clone()];
        words.contains('#') && !headings(words).is_empty()
    });
    frames.map(|frame| {
        let is_around =
            |span: &&Span| span.start <= frame.range.start && frame.range.end <= span.end;
        let span = whole.printed.spans.iter().rfind(is_around);
        span.map(|span| span.section)
    })
}

/// Where the headings of a printed text begin, and their levels.
fn headings(text: &str) -> Vec<(usize, u8)> {
    let options = Options {
        keep_notes: true,
        ..Options::new(Place::Introduction)
    };
    let elements = prompt_syntax::parse(text, &options).elements;
    let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
    let lines: Vec<usize> = std::iter::once(0).chain(breaks).collect();
    let heading = |element: &Element| match element {
        Element::Title {
            level, metadata, ..
        } => {
            let line = (metadata.line as usize).checked_sub(1)?;
            Some((*lines.get(line)?, *level))
        }
        _ => None,
    };
    elements.all().filter_map(heading).collect()
}

/// Whether it is part of a message other than the system text, and where it ends.
type Position = (bool, usize);
