//! The numbers behind names: what the texts of a node use, each once.

use crate::{
    Code, Each, Element, Elements, Form, If, Inline, List, LoopName, Part, Problem, Special, Str,
    TagPlace, Target,
    token::{loop_name, place_of_item},
    wording::{self, ListWording, Wording, Wordings},
    words,
};
use alloc::{
    borrow::{Cow, ToOwned},
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec,
    vec::{IntoIter, Vec},
};
use core::fmt;

/// What the texts of a node use: values, conditions and loops, each once, in order of first use.
///
/// One node has at most 65,536 of each: [`Tables::problem`] tells of more.
///
/// ```
/// use prompt_syntax::{Context, Options, Origin, Place, Tables, parse};
///
/// let options = Options { names: &["team", "rules"], ..Options::new(Place::Node) };
/// let parsed = parse("For {team}:\n- {*rules}{index}. {item.name} ({team})", &options);
/// assert!(parsed.problems.is_empty());
/// let mut tables = Tables::new(&[]);
/// tables.text(parsed.elements, &Context::default());
/// let names: Vec<_> = tables.values().iter().map(|used| (used.name.as_str(), used.origin)).collect();
/// let team = ("team", Origin::Node);
/// assert_eq!(names, [team, ("index", Origin::Index(0)), ("item", Origin::Item(0))]);
/// assert_eq!(tables.loops()[0].list.name, "rules");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tables {
    /// The sections by name, each with its first place.
    sections: BTreeMap<String, u16>,
    values: Table,
    conditions: Table,
    loops: Vec<Loop>,
    worded: Vec<(u16, List<Inline>)>,
    /// The names of the author's tags.
    tags: BTreeSet<String>,
    /// Of each of these: through how many others it prints.
    heights: BTreeMap<u16, usize>,
    faults: Vec<(String, Problem)>,
}

/// A value or condition of the table. Equal ones are one entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Used {
    /// The name before dot and colon, as it was written.
    pub name: String,
    /// The fields after it: `item.name` has one, `item.0` too.
    pub path: Vec<String>,
    /// The format spec after the colon, as `std::fmt` reads it. `{a:}` has an empty one.
    pub spec: Option<String>,
    /// Of a condition: it asks whether a value is there, and not whether it is true. An `Option` is there that is a `Some`,
    /// a list that is not empty.
    pub is_presence: bool,
    /// Of a value that is worded: the value itself, in what it is worded as.
    pub is_inner: bool,
    /// What the name stands for.
    pub origin: Origin,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A name of the node.
    Node,
    /// The item of the loop with this number, however it is called.
    Item(u16),
    /// Its number, from 1.
    Index(u16),
    /// Its number, from 0.
    Index0(u16),
    /// Whether it is the first one.
    First(u16),
    /// Whether it is the last one.
    Last(u16),
}

impl Origin {
    /// What a name stands for in the loop with this number.
    fn of(name: LoopName, number: u16) -> Self {
        match name {
            LoopName::Item => Self::Item(number),
            LoopName::Index => Self::Index(number),
            LoopName::Index0 => Self::Index0(number),
            LoopName::First => Self::First(number),
            LoopName::Last => Self::Last(number),
        }
    }

    /// The loop whose item, or whose place in the list, it is.
    #[doc(hidden)]
    pub fn in_loop(self) -> Option<u16> {
        match self {
            Self::Node => None,
            Self::Item(number)
            | Self::Index(number)
            | Self::Index0(number)
            | Self::First(number)
            | Self::Last(number) => Some(number),
        }
    }

    /// What of the place of an item it is.
    #[doc(hidden)]
    pub fn place(self) -> Option<LoopName> {
        match self {
            Self::Node | Self::Item(_) => None,
            Self::Index(_) => Some(LoopName::Index),
            Self::Index0(_) => Some(LoopName::Index0),
            Self::First(_) => Some(LoopName::First),
            Self::Last(_) => Some(LoopName::Last),
        }
    }
}

/// A loop of the table: each place in a text has one of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// What it goes over.
    pub list: Used,
    /// What `as` calls the item, or `item`.
    pub alias: String,
    /// The loop around it.
    pub outer: Option<u16>,
}

impl fmt::Display for Used {
    /// What stands between the braces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.path
            .iter()
            .try_for_each(|field| write!(f, ".{field}"))?;
        self.spec.iter().try_for_each(|spec| write!(f, ":{spec}"))
    }
}

/// An element list with what the printer wants to know beforehand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The elements.
    pub elements: List<Element>,
    /// The smallest level among titles and slots; 1 without any. Alignment moves this level.
    pub base: u8,
    /// The level of a slot at the end of the text: level of the last heading plus one, or 1.
    pub end: u8,
}

impl Text {
    /// No text. Spelled out: a constant made by a function call could not be overwritten in a struct update inside a
    /// `static`.
    pub const EMPTY: Self = Self {
        elements: Cow::Borrowed(&[]),
        base: 1,
        end: 1,
    };

    /// A text from static elements.
    #[must_use]
    pub const fn new(elements: &'static [Element]) -> Self {
        let (base, end) = levels(elements, (0, 1));
        Self {
            elements: Cow::Borrowed(elements),
            base: if base == 0 { 1 } else { base },
            end,
        }
    }

    /// The piece that is all of the text, if nothing else is in it.
    ///
    /// ```
    /// use prompt_syntax::{Context, Inline, Options, Place, Tables, parse};
    ///
    /// let parsed = parse("{name}", &Options { names: &["name"], ..Options::new(Place::Template) });
    /// let text = Tables::new(&[]).text(parsed.elements, &Context::default());
    /// assert!(matches!(text.only_piece(), Some(Inline::Value { .. })));
    /// ```
    pub fn only_piece(&self) -> Option<&Inline> {
        match &*self.elements {
            [Element::Text { text, .. }] => match text.iter().as_slice() {
                [piece] => Some(piece),
                _ => None,
            },
            _ => None,
        }
    }

    /// Every element, those under conditions and loops included, in the order of the source.
    pub fn all(&self) -> impl Iterator<Item = &Element> {
        crate::elements::all(&self.elements)
    }

    /// Whether it has no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl From<Elements> for Text {
    fn from(elements: Elements) -> Self {
        let (base, end) = levels(&elements.0, (0, 1));
        Self {
            elements: elements.0,
            base: base.max(1),
            end,
        }
    }
}

/// The smallest level (0: none so far) and the level of a slot at the end, after some elements.
const fn levels(elements: &[Element], before: (u8, u8)) -> (u8, u8) {
    let (mut base, mut end) = before;
    let mut at = 0;
    while at < elements.len() {
        let (first, second) = match &elements[at] {
            Element::If { branches, .. } => (Some(&branches.then), &branches.otherwise),
            Element::Each { branches, .. } => (Some(&branches.body), &branches.otherwise),
            _ => (None, &None),
        };
        if let Some(part) = first {
            (base, end) = levels(slice(&part.list), (base, end));
        }
        if let Some(part) = second {
            (base, end) = levels(slice(&part.list), (base, end));
        }
        if let Some(level) = elements[at].level() {
            base = if base == 0 || level < base {
                level
            } else {
                base
            };
        }
        if let Element::Title { level, .. } = &elements[at] {
            end = level.saturating_add(1);
        }
        at += 1;
    }
    (base, end)
}

/// The elements of a list, in a constant.
const fn slice(list: &List<Element>) -> &[Element] {
    match list {
        Cow::Borrowed(list) => list,
        Cow::Owned(list) => list.as_slice(),
    }
}

/// Through so many others a value prints at most.
const DEEPEST: usize = 16;

/// What a text knows besides the names of its node.
#[derive(Clone, Copy, Default)]
pub struct Context<'c> {
    /// Names that the renderer fills in.
    pub specials: &'c [Special],
    /// The loop of whose item the text speaks: the number that [`Tables::list`] gave.
    pub list: Option<u16>,
    /// How values of the node are worded.
    pub wordings: Option<&'c dyn Wordings>,
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut context = f.debug_struct("Context");
        context.field("specials", &self.specials);
        context.field("list", &self.list).finish_non_exhaustive()
    }
}

/// What is used, each once, and the number of each.
#[derive(Clone, Debug, Default)]
struct Table {
    used: Vec<Used>,
    numbers: BTreeMap<Used, u16>,
    is_full: bool,
}

impl Table {
    fn number(&mut self, used: Used) -> u16 {
        if let Some(number) = self.numbers.get(&used) {
            return *number;
        }
        let Ok(number) = u16::try_from(self.used.len()) else {
            self.is_full = true;
            return u16::MAX;
        };
        self.numbers.insert(used.clone(), number);
        self.used.push(used);
        number
    }
}

impl Tables {
    /// No text yet. Slots count through the section fields.
    #[must_use]
    pub fn new(sections: &[&str]) -> Self {
        let mut numbers = BTreeMap::new();
        for (name, index) in sections.iter().zip(0..=u16::MAX) {
            numbers.entry((*name).to_owned()).or_insert(index);
        }
        Self {
            sections: numbers,
            ..Self::default()
        }
    }

    /// The number of the section with this name.
    pub(crate) fn section(&self, name: &str) -> Option<u16> {
        self.sections.get(name).copied()
    }

    /// Numbers a text: every value, condition, loop and slot learns its number, and titles and slots whether they go with
    /// what is embedded. What the keys of a value say how it is worded is numbered too, once.
    pub fn text(&mut self, elements: Elements, context: &Context<'_>) -> Text {
        self.read(elements, context, None)
    }

    /// The number of a loop over a list that no text writes: texts about its items stand in it.
    pub fn list(&mut self, list: Used) -> u16 {
        self.add_loop(list, "item", None)
    }

    fn add_loop(&mut self, list: Used, alias: &str, outer: Option<u16>) -> u16 {
        let number = u16::try_from(self.loops.len()).unwrap_or(u16::MAX);
        self.loops.push(Loop {
            list,
            alias: alias.to_owned(),
            outer,
        });
        number
    }

    /// The names of the tags in the texts, in lower case: those that are tags by themselves. A lone `<path>` in a sentence is a
    /// placeholder.
    ///
    /// ```
    /// use prompt_syntax::{Context, Options, Place, Tables, parse};
    ///
    /// let parsed = parse("<Rules>In <path>.</Rules>", &Options::new(Place::Node));
    /// let mut tables = Tables::new(&[]);
    /// tables.text(parsed.elements, &Context::default());
    /// assert!(tables.tags().eq(["rules"]));
    /// ```
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(String::as_str)
    }

    /// The values that are worded, by number, with the conditions and loops that they are.
    #[must_use]
    pub fn worded(&self) -> &[(u16, List<Inline>)] {
        &self.worded
    }

    /// As [`Self::text`], with numbers that somebody else has chosen: one for each value, condition and loop, in the order
    /// in which they stand.
    ///
    /// ```
    /// use prompt_syntax::{Element, Inline, Options, Place, Tables, parse};
    ///
    /// let options = Options { names: &["team", "day"], ..Options::new(Place::Node) };
    /// let parsed = parse("{team} on {day}", &options);
    /// let text = Tables::new(&[]).text_with(parsed.elements, vec![7, 4]);
    /// let Element::Text { text, .. } = &text.elements[0] else { unreachable!() };
    /// assert!(matches!(text.iter().next(), Some(Inline::Value { index: 7, .. })));
    /// ```
    pub fn text_with(&mut self, elements: Elements, numbers: Vec<u16>) -> Text {
        self.read(elements, &Context::default(), Some(numbers.into_iter()))
    }

    fn read(
        &mut self,
        elements: Elements,
        context: &Context<'_>,
        chosen: Option<IntoIter<u16>>,
    ) -> Text {
        let list = elements.with_optional().0;
        let mut numbering = Numbering {
            tables: self,
            context: *context,
            chosen,
            open: Vec::new(),
            is_template: false,
            worded: Vec::new(),
            height: 0,
        };
        let mut list = numbering.elements(list);
        words::find_in_text(&mut list, &self.worded, &mut self.tags);
        Text::from(Elements(list))
    }

    /// The number of a value that no text names: it is found or added.
    pub fn value(&mut self, used: Used) -> u16 {
        self.values.number(used)
    }

    /// What is wrong with the keys of values that are worded, by their names, each once.
    #[must_use]
    pub fn faults(&self) -> &[(String, Problem)] {
        &self.faults
    }

    fn fault(&mut self, name: &str, problem: Problem) {
        let fault = (name.to_owned(), problem);
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// What is wrong where the texts use more than there are numbers: what has none would print as the last one that has.
    #[must_use]
    pub fn problem(&self) -> Option<Problem> {
        const MOST: usize = u16::MAX as usize + 1;
        let is_full = self.values.is_full || self.conditions.is_full || self.loops.len() > MOST;
        is_full.then(|| {
            Problem::in_text(
                Code::TextTooLong,
                "the texts of one node use more than 65,536 values, conditions or loops",
                "make sections of some of their parts, or a loop of what repeats",
            )
        })
    }

    /// The values so far.
    #[must_use]
    pub fn values(&self) -> &[Used] {
        &self.values.used
    }

    /// What conditions ask so far; no entry has a spec.
    #[must_use]
    pub fn conditions(&self) -> &[Used] {
        &self.conditions.used
    }

    /// The loops so far.
    #[must_use]
    pub fn loops(&self) -> &[Loop] {
        &self.loops
    }
}

/// One text while it gets its numbers.
struct Numbering<'t> {
    tables: &'t mut Tables,
    context: Context<'t>,
    /// Numbers in place of those of the tables.
    chosen: Option<IntoIter<u16>>,
    /// The loops around, outermost first.
    open: Vec<u16>,
    /// Whether it is a text of a value, which knows nothing of where the value stands.
    is_template: bool,
    /// The values whose wordings are numbered, outermost first, and through how many others the last one prints so far.
    worded: Vec<String>,
    height: usize,
}

impl<'t> Numbering<'t> {
    fn number(&mut self, of_table: u16) -> u16 {
        match &mut self.chosen {
            Some(numbers) => numbers.next().unwrap_or(u16::MAX),
            None => of_table,
        }
    }

    fn elements(&mut self, list: List<Element>) -> List<Element> {
        let numbered = list.into_owned().into_iter();
        Cow::Owned(numbered.map(|element| self.element(element)).collect())
    }

    fn element(&mut self, mut element: Element) -> Element {
        match &mut element {
            Element::Slot { name, target, .. } => {
                if let (Target::Section(number), Some(index)) = (target, self.tables.section(name))
                {
                    *number = index;
                }
            }
            Element::If { branches, .. } => self.condition(branches, Self::elements),
            Element::Each { branches, .. } => self.each(branches, Self::elements),
            element => {
                for text in element.inline_texts_mut() {
                    text.0 = self.pieces(core::mem::take(&mut text.0));
                }
            }
        }
        element
    }

    fn pieces(&mut self, list: List<Inline>) -> List<Inline> {
        let numbered = list.into_owned().into_iter();
        Cow::Owned(numbered.map(|piece| self.piece(piece)).collect())
    }

    fn piece(&mut self, mut piece: Inline) -> Inline {
        match &mut piece {
            Inline::Value { source, index, .. } => {
                let is_plain = |special: &&Special| special.name() == *source;
                let mut specials = self.context.specials.iter().filter(|_| !self.is_template);
                if let Some(special) = specials.find(is_plain)
                    && self.loop_origin(special.name(), false).is_none()
                {
                    return Inline::Special(*special);
                }
                let used = self.used(source, false);
                let wording = self.wording(&used);
                let number = self.tables.values.number(used.clone());
                if let Some(wording) = wording {
                    self.word(number, source, used, wording);
                }
                *index = self.number(number);
            }
            Inline::If(branches) => self.condition(branches, Self::pieces),
            Inline::Each(branches) => self.each(branches, Self::pieces),
            Inline::Blocks(list) => *list = self.elements(core::mem::take(list)),
            _ => {}
        }
        piece
    }

    // Values that are worded.

    /// How a value of the node is worded, if it is.
    fn wording(&self, used: &Used) -> Option<&'t Wording> {
        let wordings = self
            .context
            .wordings
            .filter(|_| used.origin == Origin::Node)?;
        wordings.of(used).filter(|wording| !wording.is_plain())
    }

    /// Numbers the conditions and loops that the keys of a value say.
    fn word(&mut self, number: u16, source: &Str, used: Used, wording: &Wording) {
        let mut height = self.tables.heights.get(&number).copied();
        let spec = used.spec.clone();
        let asked = Used { spec: None, ..used };
        let name = asked.to_string();
        if height.is_none() && self.worded.contains(&name) {
            let of = self.worded.last().cloned().unwrap_or_default();
            self.tables.fault(&of, prints_itself(&of, &name));
            height = Some(0);
        }
        if height.is_none() && self.worded.len() <= DEEPEST {
            self.worded.push(name.clone());
            let outside = core::mem::take(&mut self.height);
            let mut list = self.of_keys((source, spec), asked, wording);
            height = Some(core::mem::replace(&mut self.height, outside));
            self.worded.pop();
            let tables = &mut *self.tables;
            words::find_in_pieces(&mut list, &tables.worded, &mut tables.tags);
            tables.worded.push((number, list));
        }
        let height = height.unwrap_or(DEEPEST + 1);
        if height > DEEPEST {
            self.tables.fault(&name, too_deep(&name));
        }
        self.tables.heights.insert(number, height);
        self.height = self.height.max(height + 1);
    }

    fn of_keys(
        &mut self,
        (source, spec): (&Str, Option<String>),
        asked: Used,
        wording: &Wording,
    ) -> List<Inline> {
        if let Some([on, off]) = &wording.flag {
            let (on, off) = (self.template(on), self.template(off));
            return self.condition_on(asked, on, off);
        }
        let inner = if let Some(list) = &wording.list {
            self.list_of(spec.as_deref(), &asked, list)
        } else {
            let inner = Used {
                spec,
                is_inner: true,
                ..asked.clone()
            };
            Inline::Value {
                source: source.clone(),
                index: self.tables.values.number(inner),
                quote: Str::default(),
                tag: TagPlace::Outside,
            }
        };
        let there = match &wording.some {
            Some(some) => wording::filled(self.template(some), &inner),
            None => vec![inner].into(),
        };
        if wording.some.is_none() && wording.default.is_none() {
            return there;
        }
        let default = wording.default.as_ref();
        let default = default.map(|default| self.template(default));
        let asked = Used {
            is_presence: true,
            ..asked
        };
        self.condition_on(asked, there, default.unwrap_or_default())
    }

    fn condition_on(
        &mut self,
        asked: Used,
        then: List<Inline>,
        otherwise: List<Inline>,
    ) -> List<Inline> {
        let condition = If {
            form: Form::Inline,
            then: part(format!("{{?{asked}}}"), then),
            end: Str::default(),
            index: self.tables.conditions.number(asked),
            negated: false,
            otherwise: (!otherwise.is_empty()).then(|| part("{else}".to_owned(), otherwise)),
        };
        vec![Inline::If(condition)].into()
    }

    /// The loop that a list is.
    fn list_of(&mut self, spec: Option<&str>, asked: &Used, list: &ListWording) -> Inline {
        let index = self.tables.list(asked.clone());
        let body = match &list.item {
            Some(item) => wording::pieces(item),
            None => vec![Inline::Value {
                source: spec.map_or("item".into(), |spec| format!("item:{spec}").into()),
                index: 0,
                quote: Str::default(),
                tag: TagPlace::Outside,
            }],
        };
        let body = self.in_template(&[index], body);
        Inline::Each(Each {
            form: Form::Inline,
            index,
            body: Part {
                trail: list.join.clone(),
                ..part(format!("{{*{asked}}}"), body)
            },
            last: list.last.clone(),
            otherwise: None,
            end: Str::default(),
        })
    }

    /// A text of a value, which knows the names of the node alone.
    fn template(&mut self, text: &Elements) -> List<Inline> {
        self.in_template(&[], wording::pieces(text))
    }

    /// Numbers pieces that know nothing of where their value stands but these loops.
    fn in_template(&mut self, loops: &[u16], pieces: Vec<Inline>) -> List<Inline> {
        let open = core::mem::replace(&mut self.open, loops.to_vec());
        let is_template = core::mem::replace(&mut self.is_template, true);
        let numbered = self.pieces(pieces.into());
        self.open = open;
        self.is_template = is_template;
        numbered
    }

    fn condition<T: Clone>(
        &mut self,
        branches: &mut If<T>,
        change: fn(&mut Self, List<T>) -> List<T>,
    ) {
        let used = self.used(asked(&branches.then.marker), true);
        let number = self.tables.conditions.number(used);
        branches.index = self.number(number);
        self.part(&mut branches.then, change);
        if let Some(part) = &mut branches.otherwise {
            self.part(part, change);
        }
    }

    fn each<T: Clone>(
        &mut self,
        branches: &mut Each<T>,
        change: fn(&mut Self, List<T>) -> List<T>,
    ) {
        let (list, alias) = list_and_alias(asked(&branches.body.marker));
        let list = self.used(list, false);
        let outer = self.open.last().copied().or(self.context.list);
        let number = self.tables.add_loop(list, alias, outer);
        branches.index = self.number(number);
        self.open.push(number);
        self.part(&mut branches.body, change);
        self.open.pop();
        if let Some(part) = &mut branches.otherwise {
            self.part(part, change);
        }
    }

    fn part<T: Clone>(&mut self, part: &mut Part<T>, change: fn(&mut Self, List<T>) -> List<T>) {
        let list = core::mem::take(&mut part.list);
        part.list = change(self, list);
    }

    /// What `name.path:spec` stands for here.
    fn used(&self, source: &str, is_asked: bool) -> Used {
        let (path, spec) = match source.split_once(':') {
            Some((path, spec)) => (path, Some(spec.to_owned())),
            None => (source, None),
        };
        let mut fields = path.split('.').map(str::to_owned);
        let name = fields.next().unwrap_or_default();
        let origin = self.loop_origin(&name, is_asked);
        let place = place_of_item(&name, path.get(name.len() + 1..)).filter(|_| !is_asked);
        let (name, path, origin) = match (origin, place) {
            (Some(Origin::Item(of)), Some(place)) => {
                (path.to_owned(), Vec::new(), Origin::of(place, of))
            }
            _ => (name, fields.collect(), origin.unwrap_or(Origin::Node)),
        };
        Used {
            name,
            path,
            spec,
            is_presence: false,
            is_inner: false,
            origin,
        }
    }

    /// What a name stands for in the loops around: the words are those of the innermost one, an alias is that of the
    /// innermost loop that has it.
    fn loop_origin(&self, name: &str, is_asked: bool) -> Option<Origin> {
        let has_alias = |&&number: &&u16| self.tables.loops[usize::from(number)].alias == name;
        if let Some(number) = self.open.iter().rev().find(has_alias) {
            return Some(Origin::Item(*number));
        }
        let of_text = self.context.list.filter(|_| !self.is_template);
        let (of, is_asked) = match (self.open.last(), of_text) {
            // Loops with other names leave the item that the text is about its own.
            (Some(_), Some(of)) if name == "item" => (of, false),
            (Some(&innermost), _) => (innermost, is_asked),
            (None, of) => (of?, false),
        };
        Some(Origin::of(loop_name(name, is_asked)?, of))
    }
}

/// A branch, or a body.
fn part(marker: String, list: List<Inline>) -> Part<Inline> {
    Part {
        marker: marker.into(),
        lead: Str::default(),
        list,
        trail: Str::default(),
    }
}

fn prints_itself(of: &str, name: &str) -> Problem {
    let fact = if of == name {
        format!("`{name}` prints itself")
    } else {
        format!("`{of}` prints `{name}`, which prints it again")
    };
    let help = "an item is `{item}`, and its fields `{item.name}`; the `{}` of `some` is the value";
    Problem::new(Code::InvalidValue, fact, help)
}

fn too_deep(name: &str) -> Problem {
    let fact = format!("`{name}` prints through more than {DEEPEST} other values");
    let help = "write what some of them print where they are named";
    Problem::new(Code::InvalidValue, fact, help)
}

/// What a marker asks: `name.path` of `  {?!name.path}`.
pub(crate) fn asked(marker: &str) -> &str {
    let start = marker.find('{').map_or(0, |at| at + 1);
    let end = marker.rfind('}').unwrap_or(marker.len());
    marker
        .get(start..end)
        .unwrap_or_default()
        .trim_start_matches(['?', '!', '*'])
}

/// `rules as rule` as `rules` and `rule`; without `as` the item is `item`.
pub(crate) fn list_and_alias(source: &str) -> (&str, &str) {
    let mut words = source.split([' ', '\t']).filter(|word| !word.is_empty());
    let list = words.next().unwrap_or_default();
    (list, words.nth(1).unwrap_or("item"))
}
