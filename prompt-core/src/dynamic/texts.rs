//! What the keys of a tree say, as the description that a derive would have.

use super::{
    bound::ValuePath,
    fault::Spot,
    given::{Data, Entry, Given},
    node::{Decision, DynamicNode},
    parser::{Local, Parser, dedent, names_in_braces},
    scope::{Base, Source, Sources},
};
use crate::node::{AttributeSource, Content, Cut, Guarding, NodeInfo, Priority};
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
    node: &'n DynamicNode,
    /// What no text names and yet stands in the table of values, by its number there.
    reserved: BTreeMap<u16, Source>,
    /// The attributes that print something, of the node and of its sections.
    attributes: BTreeMap<Option<usize>, Vec<&'n Entry>>,
}

impl<'b, 'n> Texts<'b, 'n> {
    pub(super) fn new(parser: &'b mut Parser, node: &'n DynamicNode) -> Self {
        let sections: Vec<&str> = node.sections.iter().map(DynamicNode::key).collect();
        Self {
            parser,
            numbers: Numbers::new(&sections),
            node,
            reserved: BTreeMap::new(),
            attributes: BTreeMap::new(),
        }
    }

    /// What the keys of a node say. Its tag and heading belong to the node around it, if there is one.
    pub(super) fn spec(&mut self) -> spec::Node<Spot<'n>> {
        let (node, keys) = (self.node, &self.node.keys);
        // The body of a section that embeds something is its introduction: the node around it prints it.
        let has_text = node.is_root() || node.typed.is_none() && node.value_name().is_none();
        let sections = node.sections.iter().enumerate();
        let sections = sections.map(|(index, section)| self.section_spec(index, section));
        let of_all = spec::Node {
            text: has_text.then(|| body(node)),
            description: node.keys.text("description").map(str::to_owned),
            summary_suffix: words(node, "summary_suffix"),
            numbered: node.keys.text("numbering").map(|form| form == "decimal"),
            places_all: keys.get("append").and_then(Given::flag) == Some(false),
            start: words(node, "start"),
            end: words(node, "end"),
            sections: sections.collect(),
            ..spec::Node::default()
        };
        if !node.is_root() {
            return of_all;
        }
        spec::Node {
            name: node.key().to_owned(),
            key: words(node, "key").filter(|key| !key.text.is_empty()),
            title: words(node, "title"),
            summary: words(node, "summary"),
            tag: self.tag(None, node),
            heading: heading(node),
            ..of_all
        }
    }

    fn section_spec(&mut self, index: usize, node: &'n DynamicNode) -> spec::Section<Spot<'n>> {
        let keys = &node.keys;
        let content = node.typed.as_ref().map(|typed| typed.embedded().content);
        let child = content.as_ref().and_then(Content::node);
        let has_summary = child.is_some_and(|child| child.info().container.summary.is_some());
        let value = node.value_name();
        let (is_typed, has_value) = (content.is_some(), value.is_some());
        let is_untrusted = value.is_some_and(|name| self.parser.is_untrusted(name));
        spec::Section {
            at: node.spot("key"),
            key: key(node, self.node.spot("sections")),
            slot: node.key().to_owned(),
            location: None,
            intro: (is_typed || has_value).then(|| body(node)),
            title: words(node, "title"),
            untitled: keys.flag("untitled"),
            heading: heading(node),
            summarised: (keys.text("visibility") == Some("summary"))
                .then(|| node.spot("visibility")),
            summary: words(node, "summary"),
            empty: words(node, "empty"),
            tag: self.tag(Some(index), node),
            guarding: match keys.text("guard") {
                Some("escaped") => Guarding::Escaped,
                Some("strict") => Guarding::Strict,
                _ if keys.flag("raw") => Guarding::Raw,
                _ => Guarding::Default,
            },
            untrusted: keys.flag("untrusted") || is_untrusted,
            priority: keys.get("priority").and_then(|given| match given.text() {
                Some(_) => Some(Priority::Required),
                None => given.number().map(Priority::Level),
            }),
            role: match keys.text("role") {
                Some("system") => Some(Role::System),
                Some("user") => Some(Role::User),
                Some("assistant") => Some(Role::Assistant),
                _ => None,
            },
            cache: keys.get("cache").and_then(|given| match given.flag() {
                Some(_) => Some(0),
                None => given.number(),
            }),
            volatile: keys.flag("volatile").then(|| node.spot("volatile")),
            has_tools: !keys.list("tools").is_empty(),
            items: if has_value && !is_typed {
                items(node)
            } else {
                spec::Items::default()
            },
            facts: SectionFacts {
                lacks_summary: !has_summary,
                messages: matches!(content, Some(Content::Messages(_))),
                ..SectionFacts::default()
            },
        }
    }

    fn tag(&mut self, of: Option<usize>, node: &'n DynamicNode) -> spec::Tag<Spot<'n>> {
        let keys = &node.keys;
        let prints = |entry: &&Entry| !matches!(entry.value.data, Data::Null | Data::Bool(false));
        let attributes: Vec<&Entry> = keys.map("attr").iter().filter(prints).collect();
        let attribute = |Entry { name, value, .. }: &&Entry| spec::Attribute {
            name: Words {
                text: name.clone(),
                at: node.spot("attr").at(value.span),
            },
            is_title: value.data == Data::Bool(true) && name == "title",
        };
        let named = attributes.iter().map(attribute).collect();
        self.attributes.insert(of, attributes);
        spec::Tag {
            tag: words(node, "tag"),
            attributes: named,
            inline: keys.flag("inline").then(|| node.spot("inline")),
            indent: keys.number("indent"),
        }
    }

    /// The value that a section embeds.
    pub(super) fn embedded(&mut self, node: &DynamicNode) -> Option<Source> {
        let name = node.value_name().filter(|_| node.typed.is_none())?;
        Some(self.value(name, node.spot("value"), false))
    }

    /// The value that decides whether a section is there.
    pub(super) fn decision(&mut self, node: &DynamicNode) -> Option<Decision> {
        let source = node.keys.text("when")?;
        let negated = source.strip_prefix('!');
        let name = negated.unwrap_or(source);
        self.parser.note_used(&ValuePath::from(name).used());
        Some(Decision {
            source: self.value(name, node.spot("when"), true),
            negated: negated.is_some(),
        })
    }

    /// The value that a key names.
    fn value(&mut self, name: &str, spot: Spot<'_>, may_lack: bool) -> Source {
        let value = ValuePath::from(name);
        let problem = self.parser.names.look_up(&value, may_lack);
        self.parser.report(spot, problem);
        let used = value.used();
        if self.parser.names.values.is_none() {
            // Until it is bound the node cannot be printed.
            self.numbers.tables.value(used.clone());
        }
        self.parser.source(&used)
    }

    /// The path of the value whose items a section holds.
    fn value_of(&self, section: usize) -> ValuePath {
        ValuePath::from(self.node.sections[section].value_name().unwrap_or_default())
    }

    /// Until the tree is bound, what conditions and loops ask is missing as the values are that are printed.
    fn ask_for_values(&mut self) {
        let loops = self.numbers.tables.loops().iter().map(|each| &each.list);
        let asked = self.numbers.tables.conditions().iter().chain(loops);
        let is_value = |used: &&Used| {
            used.origin == Origin::Node && self.numbers.asked_section(used).is_none()
        };
        let asked: Vec<Used> = asked.filter(is_value).cloned().collect();
        for used in asked {
            self.numbers.tables.value(used);
        }
    }

    /// The tables of the node.
    pub(super) fn finish(mut self, info: &mut NodeInfo) -> Sources {
        self.parser.report_worded(self.numbers.tables.faults());
        if let Some(problem) = self.numbers.tables.problem() {
            self.parser.faults.report(self.node.spot(""), problem);
        }
        let is_unbound = self.parser.names.values.is_none();
        if is_unbound {
            self.ask_for_values();
        }
        let tree = Arc::clone(&self.parser.tree);
        self.numbers.describe(info, |used| {
            let own = tree.form(&used.name, &used.path);
            let form = tree.form_for(used);
            ValueFacts {
                treatment: tree.treatment(used),
                cut: form.map_or(Cut::NONE, |it| it.cut.clone()),
                description: own.and_then(|form| form.description.clone()),
                optional: false,
                missing: is_unbound,
            }
        });
        self.parser.sources(&self.numbers.tables, &self.reserved)
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
            Place::Node => self.node.sections.iter().map(DynamicNode::key).collect(),
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
        let value = &self.attributes[&of][index].value;
        let node = of.map_or(self.node, |section| &self.node.sections[section]);
        AttributeSource::Text(if let Data::Text(text) = &value.data {
            let words = Words {
                text: text.clone(),
                at: node.spot("attr").at(value.span),
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
        let node = &self.node.sections[section];
        let field = node.keys.text("item_key").unwrap_or_default();
        let field = field.strip_prefix("item.").unwrap_or(field);
        let path: Vec<String> = field.split('.').map(str::to_owned).collect();
        let problem = self.parser.names.look_in(&self.value_of(section), &path);
        self.parser.report(node.spot("item_key"), problem);
        let number = self.list_of(section);
        let source = Source {
            base: Base::Item(number),
            path,
            ..Source::default()
        };
        // A number among the values, which no text names.
        let number = self.numbers.reserve("item_key", Some(number));
        self.reserved.insert(number, source);
        number
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
fn words<'n>(node: &'n DynamicNode, part: &'static str) -> Option<Words<Spot<'n>>> {
    let text = node.keys.text(part)?.to_owned();
    let at = node.spot(part);
    Some(Words { text, at })
}

/// The text of a node, without the indentation that its lines share.
fn body(node: &DynamicNode) -> Words<Spot<'_>> {
    let (text, indent) = dedent(node.keys.text("body").unwrap_or_default());
    Words {
        text: text.into_owned(),
        at: Spot {
            indent,
            ..node.spot("body")
        },
    }
}

/// The key of a section; where it has none, that is told of the list it stands in.
fn key<'n>(node: &'n DynamicNode, around: Spot<'n>) -> Option<Words<Spot<'n>>> {
    let is_wrong = |key: &Given| key.data == Data::Wrong;
    match words(node, "key") {
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

fn heading(node: &DynamicNode) -> spec::Heading<Spot<'_>> {
    let keys = &node.keys;
    spec::Heading {
        form: words(node, "heading"),
        level: keys.number("level"),
        tight: keys.flag("tight"),
        gap: keys.number("gap"),
    }
}

fn items(node: &DynamicNode) -> spec::Items<Spot<'_>> {
    let keys = &node.keys;
    spec::Items {
        item: words(node, "item"),
        join: words(node, "join"),
        last: words(node, "last"),
        title: words(node, "item_title"),
        has_key: node.keys.text("item_key").is_some(),
        tag: words(node, "item_tag"),
        untitled: keys.flag("untitled_items"),
    }
}
