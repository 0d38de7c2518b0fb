//! From elements to one literal text and a table of marks.

use crate::{
    Condition, ConditionForm, Element, Elements, Inline, InlineText, Lowered, LoweredText, Mark,
    MarkKind, Metadata, Special, Target, Variable, gaps,
    known::TREE_SLOTS,
    lines::{is_blank, without_indentation, without_trail},
    scan::run,
    tags::TagNames,
};
use alloc::{
    borrow::ToOwned,
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};

/// Turns the elements of one text into the form that a derive emits and a renderer walks. For the texts of a whole node
/// see [`Lowering`]. `sections` are the section fields of the node, in declaration order: slots count through them.
///
/// ```
/// use prompt_syntax::{MarkKind, Options, Place, lower, parse};
///
/// let options = Options { names: &["team"], ..Options::new(Place::Node) };
/// let lowered = lower(&parse("## Rules of {team}\n\n{PROMPT_SUBTREE}", &options).elements, &[]);
/// assert_eq!(lowered.literal, "## Rules of \n\n");
/// assert_eq!(lowered.variables[0].name, "team");
/// assert!(matches!(lowered.marks[0].kind, MarkKind::Title { level: 2, optional: true, len: 12, marks: 1, .. }));
/// assert!(matches!((lowered.marks[1].at, lowered.marks[1].kind), (12, MarkKind::Variable(0))));
/// assert!(matches!((lowered.marks[2].at, lowered.marks[2].kind), (12, MarkKind::Gap { len: 2, ends_line: true })));
/// assert!(matches!((lowered.marks[3].at, lowered.marks[3].kind), (14, MarkKind::Slot { level: 3, .. })));
/// ```
#[must_use]
pub fn lower(elements: &Elements, sections: &[&str]) -> Lowered {
    let mut lowering = Lowering::new(sections);
    let LoweredText {
        literal,
        marks,
        base,
        end,
    } = lowering.text(elements);
    Lowered {
        literal,
        marks,
        base,
        end,
        opens: lowering.opens().map(str::to_owned).collect(),
        closes: lowering.closes().map(str::to_owned).collect(),
        values_in_tags: lowering.values_in_tags(),
        variables: lowering.variables,
        conditions: lowering.conditions,
    }
}

/// Lowers the texts of a node one after the other. The marks of all of them count through the same tables: of
/// variables, conditions and the names of tags.
///
/// One node has at most 65,536 different variables and as many conditions: further ones are printed as they are
/// written.
///
/// ```
/// use prompt_syntax::{Lowering, MarkKind, Options, Place, Special, parse};
///
/// let options = Options { names: &["team", "title"], ..Options::new(Place::Inline) };
/// let mut lowering = Lowering::new(&[]);
/// lowering.text(&parse("Rules of {team}", &options).elements);
/// let heading = lowering.template(&parse("== {title} of {team}", &options).elements, &[Special::Title]);
/// assert_eq!(lowering.variables().len(), 1);
/// assert_eq!(heading.marks[1].kind, MarkKind::Special(Special::Title));
/// assert_eq!(heading.marks[2].kind, MarkKind::Variable(0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lowering {
    /// The sections by name, each with its first place.
    sections: BTreeMap<String, usize>,
    section_names: Vec<String>,
    variables: Vec<Variable>,
    /// The index of each by its source text.
    variable_indices: BTreeMap<String, usize>,
    conditions: Vec<Condition>,
    condition_indices: BTreeMap<String, usize>,
    tags: TagNames,
    /// The source text of the variable or condition that is looked for; kept for its memory.
    source: String,
}

impl Lowering {
    /// No text yet. Slots count through the section fields.
    pub fn new(sections: &[&str]) -> Self {
        let mut indices = BTreeMap::new();
        for (index, name) in sections.iter().enumerate() {
            indices.entry((*name).to_owned()).or_insert(index);
        }
        Self {
            sections: indices,
            section_names: sections.iter().copied().map(str::to_owned).collect(),
            ..Self::default()
        }
    }

    /// Lowers a text.
    pub fn text(&mut self, elements: &Elements) -> LoweredText {
        self.template(elements, &[])
    }

    /// Lowers a text in which some names stand for what only the renderer knows.
    pub fn template(&mut self, elements: &Elements, specials: &[Special]) -> LoweredText {
        self.tags.read(elements);
        let (bytes, marks) = size(elements);
        let mut text = Text {
            tables: self,
            specials,
            literal: String::with_capacity(bytes),
            marks: Vec::with_capacity(marks),
            open: Vec::new(),
            swallows_break: false,
        };
        let optional = elements.optional();
        for (index, (element, is_optional)) in elements.iter().zip(optional).enumerate() {
            if index > 0 {
                text.print_break(element.metadata());
            }
            text.push(element, is_optional);
        }
        text.close_all();
        // No text that was read is so long. Elements made by hand then print without their values, not at wrong places.
        let marks = if text.literal.len() > MAX_TEXT {
            Vec::new()
        } else {
            gaps::complete(&text.literal, text.marks)
        };
        let last = elements.titles().last().map(|(level, _)| level);
        LoweredText {
            literal: text.literal,
            marks,
            base: elements.top(),
            end: last.map_or(1, |level| level.saturating_add(1)),
        }
    }

    /// The variables so far, in order of first use, each source text once.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// What conditions ask so far, each once, in order of first use.
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// The names of tags that the literal texts open outside of code, each once, in order. Self-closing tags do not.
    pub fn opens(&self) -> impl Iterator<Item = &str> {
        self.tags.opens.iter()
    }

    /// The names of tags that they close.
    pub fn closes(&self) -> impl Iterator<Item = &str> {
        self.tags.closes.iter()
    }

    /// Whether some variable stands inside a tag of the author, as in `<file path="{path}">`.
    pub fn values_in_tags(&self) -> bool {
        self.tags.hold_values
    }

    /// The index of a variable, which is new or has been used before.
    fn variable(&mut self, name: &str, path: &str, spec: Option<&str>) -> Option<u16> {
        let colon = spec.map_or("", |_| ":");
        self.source.clear();
        self.source
            .extend([name, ".", path, colon, spec.unwrap_or("")]);
        let variable = || Variable {
            name: name.to_owned(),
            path: fields(path),
            spec: spec.map(str::to_owned),
        };
        let indices = &mut self.variable_indices;
        index(indices, &mut self.variables, &self.source, variable)
    }

    fn condition(&mut self, name: &str, path: &str) -> Option<u16> {
        self.source.clear();
        self.source.extend([name, ".", path]);
        let condition = || Condition {
            name: name.to_owned(),
            path: fields(path),
        };
        let indices = &mut self.condition_indices;
        index(indices, &mut self.conditions, &self.source, condition)
    }

    pub(crate) fn section_name(&self, index: u16) -> Option<&str> {
        self.section_names
            .get(usize::from(index))
            .map(String::as_str)
    }

    fn target(&self, slot: &str) -> Target {
        match TREE_SLOTS.iter().position(|&name| name == slot) {
            Some(0) => Target::Subtree,
            Some(_) => Target::Collected,
            None => {
                let index = self.sections.get(slot);
                Target::Section(
                    index.map_or(u16::MAX, |&index| index.try_into().unwrap_or(u16::MAX)),
                )
            }
        }
    }
}

fn fields(path: &str) -> Vec<String> {
    if path.is_empty() {
        Vec::new()
    } else {
        path.split('.').map(str::to_owned).collect()
    }
}

/// The index of what is written as `source`, which is added where it is new.
fn index<T>(
    indices: &mut BTreeMap<String, usize>,
    all: &mut Vec<T>,
    source: &str,
    one: impl FnOnce() -> T,
) -> Option<u16> {
    if let Some(&index) = indices.get(source) {
        return index.try_into().ok();
    }
    let index = all.len().try_into().ok()?;
    indices.insert(source.to_owned(), all.len());
    all.push(one());
    Some(index)
}

/// About how many bytes and marks the elements lower to, before lines are looked at.
fn size(elements: &Elements) -> (usize, usize) {
    // Hashes or fences, and line breaks.
    let (mut bytes, mut marks) = (12 * elements.len(), elements.len());
    for element in elements {
        marks += usize::from(matches!(element, Element::Code { .. }));
        for piece in element.pieces() {
            match piece {
                Inline::Literal(text) => bytes += text.len(),
                Inline::Escaped(text) => (bytes, marks) = (bytes + text.len(), marks + 1),
                _ => marks += 1,
            }
        }
    }
    (bytes, marks)
}

/// One text while it is lowered.
struct Text<'l> {
    tables: &'l mut Lowering,
    specials: &'l [Special],
    literal: String,
    marks: Vec<Mark>,
    /// The forms of the conditions that are open.
    open: Vec<ConditionForm>,
    /// A marker line has just gone: its line break goes too.
    swallows_break: bool,
}

impl Text<'_> {
    fn push(&mut self, element: &Element, optional: bool) {
        let line = element.metadata().line;
        match element {
            Element::Title {
                level,
                conditions,
                text,
                ..
            } => {
                self.swallows_break = false;
                let level = (*level).clamp(1, 6);
                let start = self.literal.len();
                self.mark(MarkKind::Title {
                    line,
                    level,
                    optional,
                    len: 0,
                    marks: 0,
                });
                let index = self.marks.len();
                self.pieces(conditions);
                self.literal
                    .extend(core::iter::repeat_n('#', usize::from(level)));
                self.literal.push(' ');
                self.pieces(text);
                self.close_lines();
                let length = narrow(self.literal.len() - start);
                let count = u16::try_from(self.marks.len() - index).unwrap_or(u16::MAX);
                if let Some(MarkKind::Title { len, marks, .. }) =
                    self.marks.get_mut(index - 1).map(|mark| &mut mark.kind)
                {
                    (*len, *marks) = (length, count);
                }
            }
            Element::Text { text, .. } => {
                self.mark(MarkKind::Text { line });
                self.pieces(text);
                self.close_lines();
            }
            Element::Code {
                fence,
                info,
                after_info,
                text,
                close,
                ..
            } => {
                self.swallows_break = false;
                let marks = without_trail(without_indentation(fence)).len();
                let indent = run(fence, b' ');
                self.mark(MarkKind::Code {
                    line,
                    indent: u8::try_from(indent).unwrap_or(u8::MAX),
                    fence: narrow(marks),
                });
                self.print(fence);
                self.pieces(info);
                self.print(after_info);
                self.close_lines();
                if !text.is_empty() {
                    self.print("\n");
                    self.pieces(text);
                    self.close_lines();
                }
                if !close.is_empty() {
                    self.print("\n");
                }
                self.mark(MarkKind::CodeEnd {
                    len: narrow(close.len()),
                });
                self.print(close);
            }
            Element::Slot {
                name,
                level,
                indent,
                ..
            } => {
                self.swallows_break = false;
                let target = self.tables.target(name);
                self.mark(MarkKind::Slot {
                    target,
                    line,
                    level: *level,
                    indent: *indent,
                });
            }
        }
    }

    fn pieces(&mut self, text: &InlineText) {
        for piece in text {
            self.piece(piece);
        }
    }

    fn piece(&mut self, piece: &Inline) {
        match piece {
            Inline::Literal(text) => self.print(text),
            Inline::Escaped(text) => {
                self.mark(MarkKind::Escape {
                    len: narrow(text.len()),
                });
                self.print(text);
            }
            Inline::Variable { name, path, spec } => {
                let is_plain = path.is_empty() && spec.is_none();
                let mut specials = self.specials.iter().filter(|_| is_plain);
                let kind = match specials.find(|special| special.name() == name) {
                    Some(special) => Some(MarkKind::Special(*special)),
                    None => self
                        .tables
                        .variable(name, path, spec.as_deref())
                        .map(MarkKind::Variable),
                };
                self.mark_or_print(kind, piece);
            }
            Inline::If {
                name,
                path,
                negated,
                form,
            } => {
                let index = self.tables.condition(name, path);
                self.open.extend(index.map(|_| *form));
                let kind = index.map(|condition| MarkKind::If {
                    condition,
                    negated: *negated,
                    form: *form,
                    end: 0,
                });
                self.mark_or_print(kind, piece);
            }
            Inline::Else { form } => {
                let is_open = self.open.last().is_some_and(|open| is_alike(*open, *form));
                let kind = is_open.then_some(MarkKind::Else {
                    form: *form,
                    end: 0,
                });
                self.mark_or_print(kind, piece);
            }
            Inline::End { form, .. } => {
                let is_open = self.open.pop_if(|open| is_alike(*open, *form)).is_some();
                let kind = is_open.then_some(MarkKind::End { form: *form });
                self.mark_or_print(kind, piece);
            }
        }
    }

    /// Marks a piece; one that cannot be is printed as it is written.
    fn mark_or_print(&mut self, kind: Option<MarkKind>, piece: &Inline) {
        match kind {
            Some(kind) => {
                self.mark(kind);
                self.swallows_break = piece.is_marker_line();
            }
            None => self.print(&piece.to_string()),
        }
    }

    /// Adds to the literal.
    fn print(&mut self, text: &str) {
        if self.swallows_break || !self.open.is_empty() {
            self.print_in_condition(text);
        } else {
            self.literal.push_str(text);
        }
    }

    /// Conditions over a line end before its break.
    fn print_in_condition(&mut self, text: &str) {
        let mut text = text;
        if core::mem::take(&mut self.swallows_break) {
            match text.strip_prefix('\n') {
                Some(rest) => text = rest,
                None => self.swallows_break = text.is_empty(),
            }
        }
        if self.open.last() == Some(&ConditionForm::Line)
            && let Some(end) = text.find('\n')
        {
            let (line, rest) = text.split_at(end);
            self.literal.push_str(line);
            self.close_lines();
            text = rest;
        }
        self.literal.push_str(text);
    }

    /// Prints the line break before an element, and the blank lines.
    fn print_break(&mut self, metadata: &Metadata) {
        self.print("\n");
        if metadata.blanks.is_empty() {
            (0..metadata.blank_lines).for_each(|_| self.print("\n"));
        } else {
            self.print(&metadata.blanks);
        }
    }

    /// Ends the conditions over the line.
    fn close_lines(&mut self) {
        while self
            .open
            .pop_if(|form| *form == ConditionForm::Line)
            .is_some()
        {
            let form = ConditionForm::Line;
            self.mark(MarkKind::End { form });
        }
    }

    /// Ends all conditions: a list of elements that was not parsed may leave some open.
    fn close_all(&mut self) {
        while let Some(form) = self.open.pop() {
            self.mark(MarkKind::End { form });
        }
    }

    fn mark(&mut self, kind: MarkKind) {
        self.marks.push(Mark {
            at: narrow(self.literal.len()),
            kind,
        });
    }
}

/// Whether two forms are the same but for their indentation.
fn is_alike(left: ConditionForm, right: ConditionForm) -> bool {
    core::mem::discriminant(&left) == core::mem::discriminant(&right)
}

/// Whether a text is nothing but blanks.
pub(crate) fn is_all_blank(text: &str) -> bool {
    text.bytes().all(is_blank)
}

/// The longest text that can be read, in bytes. Positions are 32 bits wide; half of what they reach leaves no sum of two
/// of them, and nothing that a lowered text has besides, without room.
pub const MAX_TEXT: usize = i32::MAX as usize;

/// A position or length in a text, which is not longer than [`MAX_TEXT`].
pub(crate) fn narrow(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
