//! What the keys of a tree say, as the description that a derive would have.

use super::{
    bound::ValuePath,
    fault::Spot,
    given::{Data, Entry, Given},
    node::{Decision, DynamicNode, Located},
    parser::{Local, Parser, dedent, names_in_braces},
    scope::{Base, Source, Sources},
};
use crate::node::{AttributeSource, Content, Cut, Guarding, NodeInfo, Priority, ValueTreatment};
use prompt_syntax::{
    Code, Elements, ITEM_NAMES, InlineText, Origin, Place, Problem, Text, Used,
    info::Role,
    lower::{About, Door, Numbers, ValueFacts},
    spec::{self, SectionFacts, Words},
};
use std::{collections::BTreeMap, sync::Arc};

/// The texts of a node while they get their numbers.
pub(super) struct Texts<'b, 'n> {
    pub(super) parser: &'b mut Parser,
    numbers: Numbers,
    at: Located<'n>,
    /// The sections, with their paths.
    sections: &'n [Located<'n>],
    /// What no text names and yet stands in the table of values, by its number there.
    reserved: BTreeMap<u16, Source>,
    /// The attributes that print something, by section and number.
    attributes: BTreeMap<(Option<usize>, usize), &'n Entry>,
}

impl<'b, 'n> Texts<'b, 'n> {
    pub(super) fn new(
        parser: &'b mut Parser,
        at: Located<'n>,
        sections: &'n [Located<'n>],
        fields: &[&str],
    ) -> Self {
        Self {
            parser,
            numbers: Numbers::new(fields),
            at,
            sections,
            reserved: BTreeMap::new(),
            attributes: BTreeMap::new(),
        }
    }

    /// What the keys of a node say. Its tag and heading belong to the node around it, if there is one.
    pub(super) fn spec(&mut self, is_root: bool) -> spec::Node<Spot<'n>> {
        let at = self.at;
        let (node, keys) = (at.node, &at.node.keys);
        // The body of a section that embeds something is its introduction: the node around it prints it.
        let has_text = is_root || node.typed.is_none() && node.value_name().is_none();
        let sections = self.sections.iter().enumerate();
        let sections = sections.map(|(index, at)| self.section_spec(index, *at));
        let of_all = spec::Node {
            text: has_text.then(|| body(at)),
            description: at.text("description").map(str::to_owned),
            summary_suffix: words(at, "summary_suffix"),
            numbered: at.text("numbering").map(|form| form == "decimal"),
            places_all: keys.get("append").and_then(Given::flag) == Some(false),
            start: words(at, "start"),
            end: words(at, "end"),
            sections: sections.collect(),
            ..spec::Node::default()
        };
        if !is_root {
            return of_all;
        }
        spec::Node {
            name: node.key().to_owned(),
            key: words(at, "key").filter(|key| !key.text.is_empty()),
            title: words(at, "title"),
            summary: words(at, "summary"),
            tag: self.tag(None, at),
            heading: heading(at),
            ..of_all
        }
    }

    fn section_spec(&mut self, index: usize, at: Located<'n>) -> spec::Section<Spot<'n>> {
        let (node, keys) = (at.node, &at.node.keys);
        let embeds = node.typed.is_some() || node.value_name().is_some();
        let is_list = node.typed.is_none() && node.value_name().is_some();
        let has_summary = node.typed.as_ref().is_some_and(|typed| {
            let node = typed.embedded().content.node();
            node.is_some_and(|node| node.info().container.summary.is_some())
        });
        let is_history = node
            .typed
            .as_ref()
            .is_some_and(|typed| matches!(typed.embedded().content, Content::Messages(_)));
        spec::Section {
            at: at.spot("key"),
            key: key(at, self.at.spot("sections")),
            slot: node.key().to_owned(),
            location: None,
            intro: embeds.then(|| body(at)),
            title: words(at, "title"),
            untitled: keys.flag("untitled"),
            heading: heading(at),
            summarised: (at.text("visibility") == Some("summary")).then(|| at.spot("visibility")),
            summary: words(at, "summary"),
            empty: words(at, "empty"),
            tag: self.tag(Some(index), at),
            guarding: match at.text("guard") {
                Some("escaped") => Guarding::Escaped,
                Some("strict") => Guarding::Strict,
                _ if keys.flag("raw") => Guarding::Raw,
                _ => Guarding::Default,
            },
            untrusted: keys.flag("untrusted"),
            priority: keys.get("priority").and_then(|given| match given.text() {
                Some(_) => Some(Priority::Required),
                None => given.number().map(Priority::Level),
            }),
            role: at.text("role").and_then(|role| match role {
                "system" => Some(Role::System),
                "user" => Some(Role::User),
                "assistant" => Some(Role::Assistant),
                _ => None,
            }),
            cache: keys.get("cache").and_then(|given| match given.flag() {
                Some(_) => Some(0),
                None => given.number(),
            }),
            volatile: keys.flag("volatile").then(|| at.spot("volatile")),
            has_tools: !keys.list("tools").is_empty(),
            items: if is_list {
                items(at)
            } else {
                spec::Items::default()
            },
            facts: SectionFacts {
                has_nodes: false,
                is_fixed: false,
                lacks_summary: !has_summary,
                messages: is_history,
            },
        }
    }

    fn tag(&mut self, of: Option<usize>, at: Located<'n>) -> spec::Tag<Spot<'n>> {
        let keys = &at.node.keys;
        let mut attributes = Vec::new();
        for entry in keys.map("attr") {
            let Entry { name, value, .. } = entry;
            if matches!(value.data, Data::Null | Data::Bool(false)) {
                continue;
            }
            let is_title = value.data == Data::Bool(true) && name == "title";
            if !is_title {
                self.attributes.insert((of, attributes.len()), entry);
            }
            attributes.push(spec::Attribute {
                name: Words {
                    text: name.clone(),
                    at: at.spot("attr").at(value.span),
                },
                is_title,
            });
        }
        spec::Tag {
            tag: words(at, "tag"),
            attributes,
            inline: keys.flag("inline").then(|| at.spot("inline")),
            indent: keys.number("indent"),
        }
    }

    /// The value that a section embeds.
    pub(super) fn embedded(&mut self, at: Located<'_>) -> Option<Source> {
        if at.node.typed.is_some() {
            return None;
        }
        let value = at.node.value_name().map(ValuePath::from)?;
        let problem = self.parser.names.look_up(&value, false);
        self.parser.report(at.spot("value"), problem);
        if self.parser.names.values.is_none() {
            // Until it is bound the node cannot be printed.
            self.numbers.tables.value(value.used());
        }
        Some(self.parser.source(&value.used()))
    }

    /// A number in the table of values for something that no text names.
    fn reserve(&mut self, name: &str, item_of: Option<u16>, source: Source) -> u16 {
        let number = self.numbers.reserve(name, item_of);
        self.reserved.insert(number, source);
        number
    }

    /// The path of the value whose items a section holds.
    fn value_of(&self, section: usize) -> ValuePath {
        ValuePath::from(self.sections[section].node.value_name().unwrap_or_default())
    }

    /// The value that decides whether a section is there.
    pub(super) fn decision(&mut self, at: Located<'_>) -> Option<Decision> {
        let source = at.text("when")?;
        let name = source.strip_prefix('!');
        let value = ValuePath::from(name.unwrap_or(source));
        let problem = self.parser.names.look_up(&value, true);
        self.parser.report(at.spot("when"), problem);
        let used = value.used();
        if self.parser.names.values.is_none() {
            // Until it is bound the node cannot be printed.
            self.numbers.tables.value(used.clone());
        }
        Some(Decision {
            source: self.parser.source(&used),
            negated: name.is_some(),
        })
    }

    /// Until the tree is bound, what conditions and loops ask is missing as the values are that are printed.
    fn ask_for_values(&mut self) {
        let loops = self.numbers.tables.loops().iter().map(|each| &each.list);
        let asked = self.numbers.tables.conditions().iter().chain(loops);
        let is_value = |used: &&Used| {
            let is_section = used.path.is_empty() && self.numbers.section(&used.name).is_some();
            used.origin == Origin::Node && !is_section
        };
        let asked: Vec<Used> = asked.filter(is_value).cloned().collect();
        for used in asked {
            self.numbers.tables.value(used);
        }
    }

    /// The tables of the node.
    pub(super) fn finish(mut self, at: Located<'_>, info: &mut NodeInfo) -> Sources {
        self.parser.report_worded(self.numbers.tables.faults());
        if let Some(problem) = self.numbers.tables.problem() {
            self.parser.faults.report(at.spot(""), problem);
        }
        let is_unbound = self.parser.names.values.is_none();
        if is_unbound {
            self.ask_for_values();
        }
        let Self {
            parser,
            numbers,
            reserved,
            ..
        } = self;
        numbers.describe(info, |used| {
            let form = parser.form_for(used);
            ValueFacts {
                treatment: (form.as_ref()).map_or(ValueTreatment::USUAL, |it| it.treatment),
                cut: form.map_or(Cut::NONE, |it| it.cut.clone()),
                description: parser.description_of(used),
                optional: false,
                missing: is_unbound,
            }
        });
        parser.sources(&numbers.tables, &reserved)
    }
}

impl<'n> Door for Texts<'_, 'n> {
    type Place = Spot<'n>;

    fn deny(&self) -> &[Code] {
        &self.parser.deny
    }

    fn report(&mut self, at: Spot<'n>, problem: Problem) {
        self.parser.faults.report(at, problem);
    }

    fn text(&mut self, words: &Words<Spot<'n>>, place: Place, about: About) -> Text {
        let list = about.item.map(|section| self.value_of(section));
        let mut names: Vec<&str> = about.special.iter().map(|special| special.name()).collect();
        if list.is_some() {
            names.extend(ITEM_NAMES);
        }
        let local = Local {
            names: &names,
            list: list.as_ref(),
        };
        let (source, at) = (words.text.as_str(), words.at);
        // What stands in braces may ask about a section; the node's own text places all of them.
        let is_asked = |name: &&str| self.numbers.section(name).is_some();
        let sections: Vec<&str> = match place {
            Place::Node => self.sections.iter().map(|at| at.node.key()).collect(),
            _ => names_in_braces(source)
                .into_iter()
                .filter(is_asked)
                .collect(),
        };
        let parsed = self.parser.parse(source, place, &sections, local, at);
        let list = list.as_ref().map(ValuePath::used);
        let tree = Arc::clone(&self.parser.tree);
        self.numbers.text(parsed, about, list, &*tree)
    }

    fn is_value(&self, name: &str) -> bool {
        let values = self.parser.names.values.as_ref();
        let is_formed = self.parser.tree.forms.contains_key(name);
        is_formed || values.is_some_and(|values| values.get(name).is_some())
    }

    fn attribute(&mut self, of: Option<usize>, index: usize) -> AttributeSource {
        let Some(Entry { value, .. }) = self.attributes.get(&(of, index)).copied() else {
            return AttributeSource::Title;
        };
        let at = of.map_or(self.at, |section| self.sections[section]);
        AttributeSource::Text(if let Data::Text(text) = &value.data {
            let words = Words {
                text: text.clone(),
                at: at.spot("attr").at(value.span),
            };
            self.text(&words, Place::Inline, About::NODE)
        } else {
            // Numbers and `true` are written as in JSON.
            let words = serde_json::to_string(value).unwrap_or_default();
            let words = prompt_syntax::Element::text(InlineText::from(words));
            Text::from(Elements::from_iter([words]))
        })
    }

    fn item_key(&mut self, section: usize) -> u16 {
        let at = self.sections[section];
        let field = at.text("item_key").unwrap_or_default();
        let field = field.strip_prefix("item.").unwrap_or(field);
        let path: Vec<String> = field.split('.').map(str::to_owned).collect();
        let problem = self.parser.names.look_in(&self.value_of(section), &path);
        self.parser.report(at.spot("item_key"), problem);
        let number = self.list_of(section);
        let source = Source {
            path,
            ..Source::new(Base::Item(number))
        };
        self.reserve("item_key", Some(number), source)
    }

    fn list_of(&mut self, section: usize) -> u16 {
        let value = self.value_of(section);
        self.numbers.list(section, || value.used())
    }

    fn known_list(&self, section: usize) -> Option<u16> {
        self.numbers.known_list(section)
    }
}

/// The words under a key.
fn words<'n>(at: Located<'n>, part: &'static str) -> Option<Words<Spot<'n>>> {
    let text = at.text(part)?.to_owned();
    let at = at.spot(part);
    Some(Words { text, at })
}

/// The text of a node, without the indentation that its lines share.
fn body(at: Located<'_>) -> Words<Spot<'_>> {
    let (text, indent) = dedent(at.text("body").unwrap_or_default());
    Words {
        text: text.into_owned(),
        at: Spot {
            indent,
            ..at.spot("body")
        },
    }
}

/// The key of a section; where it has none, that is told of the list it stands in.
fn key<'n>(at: Located<'n>, around: Spot<'n>) -> Option<Words<Spot<'n>>> {
    let node: &DynamicNode = at.node;
    let is_wrong = |key: &Given| key.data == Data::Wrong;
    match words(at, "key") {
        Some(key) => Some(key),
        None if node.keys.get("key").is_some_and(is_wrong) => None,
        None => Some(Words {
            text: String::new(),
            at: Spot {
                order: node.order,
                ..around.at(node.span)
            },
        }),
    }
}

fn heading(at: Located<'_>) -> spec::Heading<Spot<'_>> {
    let keys = &at.node.keys;
    spec::Heading {
        form: words(at, "heading"),
        level: keys.number("level"),
        tight: keys.flag("tight"),
        gap: keys.number("gap"),
    }
}

fn items(at: Located<'_>) -> spec::Items<Spot<'_>> {
    let keys = &at.node.keys;
    spec::Items {
        item: words(at, "item"),
        join: words(at, "join"),
        last: words(at, "last"),
        title: words(at, "item_title"),
        has_key: at.text("item_key").is_some(),
        tag: words(at, "item_tag"),
        untitled: keys.flag("untitled_items"),
    }
}
