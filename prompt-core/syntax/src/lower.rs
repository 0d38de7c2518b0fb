//! From what is said of a node to its description: texts get their numbers, the rules of keys are applied, and what is wrong
//! is worded, once for every door.

use crate::{
    Code, Context, Element, ITEM_NAMES, KEY_RULE, List, Loop, Origin, Parsed, Place, Problem,
    Special, Str, TAG_RULE, Tables, Target, Text, Use, Used,
    book::{Holder, rules, twice},
    brace::{SpecKind, spec_kind},
    info::{
        Attribute, AttributeSource, ConditionInfo, Container, Cut, Heading, Items, LoopInfo,
        Markup, NodeInfo, Policy, Said, SectionInfo, SectionKeys, Title, ValueTreatment, Variable,
        Visibility, has_slot,
    },
    is_key, is_tag,
    spec::{self, Words},
    tag_lints, title_case,
    wording::Wordings,
    words::find_in_words,
};
use alloc::{
    borrow::{Cow, ToOwned},
    collections::{BTreeMap, BTreeSet},
    format,
    string::{String, ToString},
    vec::Vec,
};

/// What a text knows besides the names of its node.
#[derive(Clone, Copy, Debug, Default)]
pub struct About {
    /// Names that the renderer fills in.
    pub special: &'static [Special],
    /// The section whose items it is about.
    pub item: Option<usize>,
    /// Why there is no `item` in it, where one might look for it.
    pub no_item: Option<&'static str>,
}

impl About {
    /// Nothing but the names of its node.
    pub const NODE: Self = Self {
        special: &[],
        item: None,
        no_item: None,
    };

    /// A text with names that the renderer fills in.
    const fn filled(special: &'static [Special]) -> Self {
        Self {
            special,
            ..Self::NODE
        }
    }
}

/// What a door does for a lowering.
pub trait Door {
    /// A place of its kind.
    type Place: Copy;

    /// The lints that are mistakes.
    fn deny(&self) -> &[Code];

    /// Reports what is wrong at a place.
    fn report(&mut self, at: Self::Place, problem: Problem);

    /// Reads a text and gives it the numbers of its node.
    fn text(&mut self, words: &Words<Self::Place>, place: Place, about: About) -> Text;

    /// Whether a value of the node has this name.
    fn is_value(&self, name: &str) -> bool;

    /// What the attribute with this index says, of the node or of a section.
    fn attribute(&mut self, of: Option<usize>, index: usize) -> AttributeSource;

    /// The variable that writes the key of an item of a section.
    fn item_key(&mut self, section: usize) -> u16;

    /// The loop over the list of a section.
    fn list_of(&mut self, section: usize) -> u16;

    /// The loop over the list of a section, where some text sees its items.
    fn known_list(&self, section: usize) -> Option<u16>;
}

/// What a `summary` of a whole list says when it looks for an item.
const WHOLE: &str =
    "this summary speaks of the whole list; with `item_key = field` there is one for each item";

/// The description of a node, but for what its texts ask, which only its door knows.
pub fn node<D: Door>(spec: &spec::Node<D::Place>, holder: Holder, door: &mut D) -> NodeInfo {
    let text = spec.text.as_ref();
    let text = text.map(|words| door.text(words, Place::Node, About::NODE));
    let text = text.unwrap_or_default();
    let form = heading(&spec.heading, door);
    let slots = Slots::of(&text);
    let mut sections = Vec::with_capacity(spec.sections.len());
    for (index, section) in spec.sections.iter().enumerate() {
        let placed = slots.sections.contains(&index);
        if spec.places_all && !slots.takes_all && !placed {
            door.report(section.at, rules::unplaced(&section.slot));
        }
        sections.push(lower_section(index, section, placed, door));
    }
    let container = Container {
        key: owned(spec.key.as_ref()),
        title: line(spec.title.as_ref(), About::NODE, door),
        description: spec.description.clone().map(Cow::Owned),
        summary_suffix: line(
            spec.summary_suffix.as_ref(),
            About::filled(&[Special::Key, Special::Subsections]),
            door,
        ),
        summary: blocks(spec.summary.as_ref(), About::NODE, door),
        markup: Markup {
            attributes: attributes(None, &spec.tag, door),
            ..tag(&spec.tag)
        },
        item_tag: None,
        heading: form,
        numbered: spec.numbered,
        start: literal(spec.start.as_ref(), "start", door).unwrap_or_default(),
        end: literal(spec.end.as_ref(), "end", door).unwrap_or_default(),
        has_tools: spec.has_tools,
        allow: Cow::Borrowed(&[]),
    };
    check_node(spec, holder, door);
    NodeInfo {
        name: Cow::Owned(spec.name.clone()),
        text,
        tags: tags_in_words(&container, &sections),
        sections: Cow::Owned(sections),
        container,
        ..NodeInfo::DEFAULT
    }
}

fn lower_section<D: Door>(
    index: usize,
    spec: &spec::Section<D::Place>,
    placed: bool,
    door: &mut D,
) -> SectionInfo {
    // Items have places of their own where they are nodes, or have a key, title or tag each; else a list prints as a whole.
    let each = spec.items.names_items() || (spec.facts.has_nodes && spec.items.item.is_none());
    let of_items = About {
        item: each.then_some(index),
        no_item: (!each).then_some(WHOLE),
        ..About::NODE
    };
    let in_words = || Cow::Owned(title_case(&spec.slot));
    let title = match line(spec.title.as_ref(), About::NODE, door) {
        _ if spec.untitled => Title::Untitled(in_words()),
        Some(title) => Title::Explicit(title),
        None => Title::Fallback(in_words()),
    };
    let item_title = line(spec.items.title.as_ref(), of_items, door);
    let empty = blocks(spec.empty.as_ref(), About::NODE, door);
    let summary = blocks(spec.summary.as_ref(), of_items, door);
    let intro = blocks(spec.intro.as_ref(), About::NODE, door).unwrap_or_default();
    let heading = heading(&spec.heading, door);
    let attributes = attributes(Some(index), &spec.tag, door);
    let items = items(index, &spec.items, item_title, door);
    let keys = SectionKeys {
        heading,
        summary,
        visibility: match spec.summarised {
            Some(_) => Visibility::Summary,
            None => Visibility::Full,
        },
        empty,
        placed,
        markup: Markup {
            attributes,
            guarding: spec.guarding,
            untrusted: spec.untrusted,
            ..tag(&spec.tag)
        },
        policy: Policy {
            priority: spec.priority,
            role: spec.role,
            cache: spec.cache,
            volatile: spec.volatile.is_some(),
            has_tools: spec.has_tools,
            messages: spec.facts.messages,
        },
        items,
    };
    let is_bare = keys == SectionKeys::DEFAULT;
    let lead = match (&title, intro.only_piece()) {
        (Title::Fallback(title), Some(crate::Inline::Literal(words)))
            if is_bare && spec.facts.is_fixed =>
        {
            format!("{title}\n\n{words}")
        }
        _ => String::new(),
    };
    SectionInfo {
        key: owned(spec.key.as_ref()).unwrap_or_default(),
        field: Cow::Owned(spec.slot.clone()),
        title,
        intro,
        said: Said::from(keys),
        location: spec.location,
        lead: Cow::Owned(lead),
    }
}

fn items<D: Door>(
    index: usize,
    spec: &spec::Items<D::Place>,
    title: Option<Text>,
    door: &mut D,
) -> Items {
    let join = literal(spec.join.as_ref(), "join", door);
    let last = literal(spec.last.as_ref(), "last", door);
    let text = spec.item.as_ref().map(|words| {
        door.list_of(index);
        let about = About {
            item: Some(index),
            ..About::NODE
        };
        let text = door.text(words, Place::Template, about);
        let is_title = |element: &Element| matches!(element, Element::Title { .. });
        if spec.names_items() && text.all().any(is_title) {
            door.report(words.at, rules::heading_in_item());
        }
        text
    });
    let key = spec.has_key.then(|| door.item_key(index));
    Items {
        list: door.known_list(index),
        text,
        title,
        untitled: spec.untitled,
        key,
        tag: owned(spec.tag.as_ref()),
        join,
        last,
    }
}

fn heading<D: Door>(spec: &spec::Heading<D::Place>, door: &mut D) -> Heading {
    Heading {
        form: line(spec.form.as_ref(), About::filled(&[Special::Title]), door),
        level: spec.level,
        tight: spec.tight,
        gap: spec.gap,
    }
}

/// A tag, without its attributes.
fn tag<P>(spec: &spec::Tag<P>) -> Markup {
    Markup {
        tag: owned(spec.tag.as_ref()),
        inline: spec.inline.is_some(),
        indent: spec.indent,
        ..Markup::NONE
    }
}

fn attributes<D: Door>(
    of: Option<usize>,
    tag: &spec::Tag<D::Place>,
    door: &mut D,
) -> crate::List<Attribute> {
    let attributes = tag.attributes.iter().enumerate();
    let attributes = attributes.map(|(index, attribute)| Attribute {
        name: Cow::Owned(attribute.name.text.clone()),
        value: if attribute.is_title {
            AttributeSource::Title
        } else {
            door.attribute(of, index)
        },
    });
    attributes.collect()
}

/// A text of one line: a title.
fn line<D: Door>(words: Option<&Words<D::Place>>, about: About, door: &mut D) -> Option<Text> {
    Some(door.text(words?, Place::Inline, about))
}

/// A text with blocks, and without slots.
fn blocks<D: Door>(words: Option<&Words<D::Place>>, about: About, door: &mut D) -> Option<Text> {
    Some(door.text(words?, Place::Introduction, about))
}

fn owned<P>(words: Option<&Words<P>>) -> Option<crate::Str> {
    words.map(|words| Cow::Owned(words.text.clone()))
}

/// What is wrong with words that are printed as they stand: a name of the node in braces would stay there in silence.
pub fn not_literal(text: &str, key: &str, is_value: impl Fn(&str) -> bool) -> Option<Problem> {
    let name = names_in(text).find(|name| is_value(name))?;
    let fact = format!("`{key}` takes no values: `{{{name}}}` would be printed as it stands");
    let help = "write the value in the text, or in the template of an item";
    Some(Problem::new(Code::UnsupportedExpression, fact, help))
}

/// Words that are printed as they stand.
fn literal<D: Door>(
    words: Option<&Words<D::Place>>,
    key: &str,
    door: &mut D,
) -> Option<crate::Str> {
    let words = words?;
    if let Some(problem) = not_literal(&words.text, key, |name| door.is_value(name)) {
        door.report(words.at, problem);
    }
    Some(Cow::Owned(with_line_feeds(&words.text)))
}

/// A text with LF line ends.
pub fn with_line_feeds(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The names of the tags in words that are printed as they stand.
fn tags_in_words(container: &Container, sections: &[SectionInfo]) -> List<Str> {
    let items = sections.iter().map(|section| &section.items);
    let words = items.flat_map(|items| [&items.join, &items.last]).flatten();
    let mut names = BTreeSet::new();
    for words in words.chain([&container.start, &container.end]) {
        find_in_words(words, &mut names);
    }
    names.into_iter().map(Cow::Owned).collect()
}

/// The names that stand in braces, as a text would use them.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split('{').skip(1).filter_map(move |rest| {
        let rest = rest.trim_start_matches(['?', '!', '*', '/']);
        let end = rest.find(|c| !is_part(c))?;
        let is_used = rest[end..].starts_with(['}', '.', ':']);
        (end > 0 && is_used).then(|| &rest[..end])
    })
}

/// The sections that a text places.
#[derive(Clone, Debug)]
pub struct Slots {
    /// Those with a slot of their own.
    pub sections: BTreeSet<usize>,
    /// Whether there is a slot for all others.
    pub takes_all: bool,
}

impl Slots {
    /// Those of a text.
    #[must_use]
    pub fn of(text: &Text) -> Self {
        let section = |element: &Element| match element {
            Element::Slot {
                target: Target::Section(index),
                ..
            } => Some(usize::from(*index)),
            _ => None,
        };
        Self {
            sections: text.all().filter_map(section).collect(),
            takes_all: has_slot(text, Target::Subtree),
        }
    }
}

/// What a node and its sections say by themselves.
fn check_node<D: Door>(spec: &spec::Node<D::Place>, holder: Holder, door: &mut D) {
    if let Some(key) = spec.key.as_ref().filter(|key| !is_key(&key.text)) {
        door.report(key.at, no_key(&key.text, holder));
    }
    check_title(spec.title.as_ref(), holder, door);
    check_tag(&spec.tag, None, door);
    if let Some(at) = spec.tag.inline {
        if spec.tag.tag.is_none() {
            door.report(at, idle_inline());
        } else if !spec.sections.is_empty() {
            door.report(at, inline_with_sections());
        }
    }
    let holder = if holder.is_file() {
        Holder::FileSection
    } else {
        Holder::Section
    };
    for section in &spec.sections {
        check_title(section.title.as_ref(), holder, door);
        check_tag(&section.tag, Some(section), door);
        if let Some(empty) = &section.empty
            && let Some(problem) = blank_empty(&empty.text)
        {
            door.report(empty.at, problem);
        }
        if let Some(at) = section.summarised
            && section.facts.lacks_summary
            && section.summary.is_none()
        {
            let message = format!("`{}` is shown as a summary and has none", section.slot);
            let help = "add `summary = \"..\"`";
            door.report(at, Problem::new(Code::SummaryMissing, message, help));
        }
    }
    check_keys(&spec.sections, holder, door);
    check_cache(&spec.sections, door);
}

fn idle_inline() -> Problem {
    let fact = "`inline` has no effect without `tag`";
    let help = "add `tag = \"..\"`, or remove it";
    Problem::new(Code::InvalidValue, fact, help)
}

/// What has sections is never on one line.
fn inline_with_sections() -> Problem {
    let fact = "`inline` is for a text of one line, and this node has sections";
    let help = "remove it, or write it on the sections";
    Problem::new(Code::InvalidValue, fact, help)
}

/// What is printed instead of an empty section has words.
fn blank_empty(text: &str) -> Option<Problem> {
    let fact = "`empty` prints nothing: white space at the ends of a text goes";
    let help = "write words, or `empty = \"{_}\"` for an empty line, or remove it";
    is_blank(text).then(|| Problem::new(Code::InvalidValue, fact, help))
}

/// What is printed for an absent value has words, or is nothing.
#[must_use]
pub fn blank_default(text: &str) -> Option<Problem> {
    let fact = "`default` is white space, which goes where it stands alone";
    let help = "write words, or `default = \"\"` for nothing; a blank in a sentence stands in a condition: `{?name}{name}{else} {/name}`";
    let is_wrong = is_blank(text) && !text.is_empty();
    is_wrong.then(|| Problem::new(Code::InvalidValue, fact, help))
}

fn is_blank(text: &str) -> bool {
    text.trim_matches([' ', '\t', '\n', '\r']).is_empty()
}

/// A title has words.
fn check_title<D: Door>(title: Option<&Words<D::Place>>, holder: Holder, door: &mut D) {
    if let Some(title) = title.filter(|title| title.text.trim().is_empty()) {
        let help = match holder {
            Holder::Section => "write `untitled` for no heading",
            Holder::FileSection => "write `untitled = true` for no heading",
            _ => "remove it: `untitled` of a section leaves the heading out",
        };
        let problem = Problem::new(Code::InvalidValue, "a title has words", help);
        door.report(title.at, problem);
    }
}

/// Tags and attributes have names, each attribute once, and good ones where lints are denied.
fn check_tag<D: Door>(
    tag: &spec::Tag<D::Place>,
    section: Option<&spec::Section<D::Place>>,
    door: &mut D,
) {
    let item_tag = section.and_then(|section| section.items.tag.as_ref());
    let tags = tag.tag.iter().chain(item_tag);
    let names = tags.clone().map(|tag| (tag, "tag", "a tag"));
    let attributes = tag.attributes.iter();
    let attributes = attributes.map(|it| (&it.name, "name of an attribute", "a name"));
    for (name, what, it) in names
        .chain(attributes)
        .filter(|(name, ..)| !is_tag(&name.text))
    {
        let message = format!("`{}` is no valid {what}", name.text);
        let help = format!("{it} is {TAG_RULE}");
        door.report(name.at, Problem::new(Code::InvalidTag, message, help));
    }
    // A key is a tag in XML.
    let keys = section.and_then(|section| section.key.as_ref());
    let keys = keys.filter(|_| tag.tag.is_none());
    for name in tags.chain(keys) {
        for (code, help) in tag_lints(&name.text) {
            if door.deny().contains(&code) {
                let message = format!("the tag `{}` is not a good name", name.text);
                door.report(name.at, Problem::new(code, message, help));
            }
        }
    }
    let mut seen = BTreeSet::new();
    for attribute in &tag.attributes {
        if !seen.insert(&attribute.name.text) {
            door.report(attribute.name.at, twice(&attribute.name.text));
        }
    }
}

/// Each section has a key, and no two have one.
fn check_keys<D: Door>(sections: &[spec::Section<D::Place>], holder: Holder, door: &mut D) {
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    for (number, section) in (1..).zip(sections) {
        let Some(Words { text: key, at }) = &section.key else {
            continue;
        };
        let at = *at;
        if key.is_empty() && section.slot.is_empty() {
            let message = format!("section {number} has no key");
            let help = match holder {
                Holder::Section => "write `#[section(key = \"..\")]`",
                _ => KEY_RULE,
            };
            door.report(at, Problem::new(Code::InvalidKey, message, help));
        } else if !is_key(key) {
            door.report(at, no_key(key, holder));
        } else if let Some(other) = seen.insert(key, &section.slot) {
            let message = format!("two sections have the key `{key}`");
            let help = match holder {
                Holder::Section => {
                    format!("give this one or `{other}` another: `#[section(key = \"..\")]`")
                }
                _ => "give one of the two another".to_owned(),
            };
            door.report(at, Problem::new(Code::DuplicateKey, message, help));
        }
    }
}

/// What changes from call to call stands behind the last cache point.
fn check_cache<D: Door>(sections: &[spec::Section<D::Place>], door: &mut D) {
    if !door.deny().contains(&Code::VolatileBeforeCache) {
        return;
    }
    let last = sections.iter().rposition(|section| section.cache.is_some());
    for section in &sections[..last.unwrap_or(0)] {
        if let Some(at) = section.volatile {
            let message = format!(
                "`{}` changes from call to call and stands before a cache point",
                section.slot
            );
            let help = "move it behind the section with `cache`";
            let problem = Problem::new(Code::VolatileBeforeCache, message, help);
            door.report(at, problem);
        }
    }
}

fn no_key(key: &str, holder: Holder) -> Problem {
    let how = match holder {
        Holder::Section => ": `#[section(key = \"..\")]`",
        _ => "",
    };
    let message = format!("`{key}` is no valid key");
    let help = format!("a key is {KEY_RULE}{how}");
    Problem::new(Code::InvalidKey, message, help)
}

/// `more` stands where `max` took characters away.
#[must_use]
pub fn idle_more() -> Problem {
    let fact = "`more` has no effect without `max`";
    let help = "add `max = 300`, or remove it";
    Problem::new(Code::InvalidValue, fact, help)
}

/// `some` shows its value once; `holes` is how often it does.
#[must_use]
pub fn some_shows(holes: usize) -> Option<Problem> {
    let fact = "`some` shows the value once, as `{}`";
    let help = "write `some = \" in the {} register\"`; a text that does not show it is a condition: `{?name}..{/name}`";
    (holes != 1).then(|| Problem::new(Code::InvalidValue, fact, help))
}

/// The problem of a format spec that the place of an item cannot have.
#[must_use]
pub fn place_spec(spec: &str) -> Option<Problem> {
    let is_plain = spec.is_empty() || spec_kind(spec) == Some(SpecKind::Plain);
    let message = format!("the number of an item cannot be printed with `:{spec}`");
    let help = "write fill, align and width: `{index:>2}`, or `{index:0>2}` with zeros";
    (!is_plain).then(|| Problem::new(Code::UnsupportedSpec, message, help))
}

/// The texts of a node while they are gathered: what they use, each once, with one number wherever it stands.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// What the texts use.
    pub tables: Tables,
    lists: BTreeMap<usize, u16>,
    /// What no text names, by its number among the values: what it is called, and the loop whose item it is about.
    reserved: BTreeMap<u16, (String, Option<u16>)>,
}

/// What a door knows of a value that a text names.
#[derive(Clone, Debug, Default)]
pub struct ValueFacts {
    /// How it is treated.
    pub treatment: ValueTreatment,
    /// What is left of what it prints.
    pub cut: Cut,
    /// Its documentation.
    pub description: Option<String>,
    /// It may have no value.
    pub optional: bool,
    /// It has no value yet.
    pub missing: bool,
}

impl Numbers {
    /// No text yet, of a node with sections of these names.
    #[must_use]
    pub fn new(sections: &[&str]) -> Self {
        Self {
            tables: Tables::new(sections),
            ..Self::default()
        }
    }

    /// Numbers a text; `list` is what the section holds whose items it is about, and `wordings` how values of the node are
    /// worded.
    pub fn text(
        &mut self,
        parsed: Parsed,
        about: About,
        list: Option<Used>,
        wordings: &dyn Wordings,
    ) -> Text {
        let section = about.item.filter(|_| names_item(&parsed.uses));
        let list = section.zip(list);
        let list = list.map(|(section, list)| self.list(section, || list));
        let context = Context {
            specials: about.special,
            list,
            wordings: Some(wordings),
        };
        self.tables.text(parsed.elements, &context)
    }

    /// The loop over the list of a section, which is found or added.
    pub fn list(&mut self, section: usize, list: impl FnOnce() -> Used) -> u16 {
        let tables = &mut self.tables;
        let number = self.lists.entry(section);
        *number.or_insert_with(|| tables.list(list()))
    }

    /// The loop over the list of a section, where some text sees its items.
    #[must_use]
    pub fn known_list(&self, section: usize) -> Option<u16> {
        self.lists.get(&section).copied()
    }

    /// The section with this name.
    #[must_use]
    pub fn section(&self, name: &str) -> Option<u16> {
        self.tables.section(name)
    }

    /// A number among the values for something that no text names; about the item of a loop, if it is one.
    pub fn reserve(&mut self, name: &str, item_of: Option<u16>) -> u16 {
        let number = self.tables.value(Used {
            // No text can write such a name.
            name: format!(" {}", self.tables.values().len()),
            path: Vec::new(),
            spec: None,
            is_presence: false,
            is_inner: false,
            origin: Origin::Node,
        });
        self.reserved.insert(number, (name.to_owned(), item_of));
        number
    }

    /// The section that a condition asks about.
    #[must_use]
    pub fn asked_section(&self, used: &Used) -> Option<u16> {
        let is_name = used.path.is_empty() && used.origin == Origin::Node && !used.is_presence;
        self.section(&used.name).filter(|_| is_name)
    }

    /// Adds to a description what its texts ask, with what a door knows of each value.
    pub fn describe(&self, info: &mut NodeInfo, facts: impl Fn(&Used) -> ValueFacts) {
        let values = self.tables.values().iter().enumerate();
        let worded: BTreeMap<usize, &crate::List<crate::Inline>> = (self.tables.worded().iter())
            .map(|(number, pieces)| (usize::from(*number), pieces))
            .collect();
        let variable = |(number, used): (usize, &Used)| {
            let reserved = u16::try_from(number).ok();
            if let Some((name, item_of)) = reserved.and_then(|it| self.reserved.get(&it)) {
                return Variable {
                    source: Cow::Owned(name.clone()),
                    item_of: *item_of,
                    ..Variable::DEFAULT
                };
            }
            let own = facts(used);
            let (treatment, cut) = self.treatment(used, &facts);
            let is_of_node = matches!(used.origin, Origin::Node);
            Variable {
                source: Cow::Owned(used.to_string()),
                description: own.description.filter(|_| is_of_node).map(Cow::Owned),
                treatment,
                cut,
                worded: worded.get(&number).copied().cloned().unwrap_or_default(),
                missing: own.missing,
                optional: own.optional && is_of_node,
                item_of: used.origin.in_loop(),
                place: used.origin.place(),
            }
        };
        info.variables = values.map(variable).collect();
        let conditions = self.tables.conditions().iter();
        let condition = |used: &Used| ConditionInfo {
            source: Cow::Owned(used.to_string()),
            section: self.asked_section(used),
            is_presence: used.is_presence,
            item_of: used.origin.in_loop(),
            place: used.origin.place(),
        };
        info.conditions = conditions.map(condition).collect();
        let loops = self.tables.loops().iter();
        let loop_over = |found: &Loop| LoopInfo {
            source: Cow::Owned(found.list.to_string().trim_start().to_owned()),
            item_of: found.list.origin.in_loop(),
        };
        info.loops = loops.map(loop_over).collect();
        let tags = self.tables.tags().map(|name| Cow::Owned(name.to_owned()));
        info.tags.to_mut().extend(tags);
    }

    /// How a value is treated, and what is left of it: of an item of a loop what its list says, whose own values they are.
    fn treatment(
        &self,
        used: &Used,
        facts: &impl Fn(&Used) -> ValueFacts,
    ) -> (ValueTreatment, Cut) {
        match used.origin {
            Origin::Node => {
                let own = facts(used);
                (own.treatment, own.cut)
            }
            Origin::Item(of) => {
                let list = self.tables.loops().get(usize::from(of));
                list.map_or_else(Default::default, |it| self.treatment(&it.list, facts))
            }
            _ => Default::default(),
        }
    }
}

/// Whether a text speaks of the item that it is about.
fn names_item(uses: &[Use]) -> bool {
    let mut outside = uses.iter().filter(|used| used.in_loop.is_none());
    outside.any(|used| ITEM_NAMES.contains(&used.name.as_str()))
}
