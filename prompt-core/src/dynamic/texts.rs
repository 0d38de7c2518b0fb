//! The texts of a node while they get their numbers, and the description that is made with them.

use super::{
    bound::ValuePath,
    fault::Spot,
    given::{Data, Entry},
    keys::Keys,
    node::{Decision, Located},
    parser::{Local, Parser, dedent, names_in_braces},
    scope::{Base, Form, List, ListForm, Of, Source, Sources, Template},
};
use crate::node::Visibility;
use crate::node::{
    Attribute, AttributeSource, ConditionInfo, Container, Guarding, Heading, Items, LoopInfo,
    Markup, NodeInfo, Policy, Priority, SectionInfo, SectionKeys, Title, Variable,
};
use prompt_syntax::{
    Element, Elements, ITEM_NAMES, InlineText, LoopName, Origin, Place, Special, Tables, Text,
    Used, book::rules,
};
use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

/// The keys that give each item of a list a place of its own.
const PLACES: [&str; 3] = ["item_title", "item_key", "item_tag"];

/// A list that a section embeds: the section, and the value.
type Embeds<'l> = Option<(usize, &'l ValuePath)>;

pub(super) struct Texts<'b> {
    pub(super) parser: &'b mut Parser,
    tables: Tables,
    /// The sections by key, each with its first place.
    sections: BTreeMap<String, usize>,
    /// What no text names and yet stands in the table of values, by its number there.
    reserved: BTreeMap<u16, Source>,
}

impl<'b> Texts<'b> {
    pub(super) fn new(parser: &'b mut Parser, fields: &[&str]) -> Self {
        let mut sections = BTreeMap::new();
        for (index, key) in fields.iter().enumerate() {
            sections.entry((*key).to_owned()).or_insert(index);
        }
        Self {
            parser,
            tables: Tables::new(fields),
            sections,
            reserved: BTreeMap::new(),
        }
    }

    pub(super) fn body(&mut self, at: Located<'_>, place: Place, sections: &[&str]) -> Text {
        let (source, indent) = dedent(at.text("body").unwrap_or_default());
        let spot = Spot {
            indent,
            ..at.spot("body")
        };
        let parser = &mut *self.parser;
        let parsed = parser.parse(&source, place, sections, Local::NONE, spot);
        self.tables.text(parsed.elements, &[], 0)
    }

    /// A template in which some names stand for what only the renderer knows, and `item` for an item of the list.
    fn template(
        &mut self,
        source: &str,
        spot: Spot<'_>,
        specials: &[Special],
        list: Embeds<'_>,
    ) -> Text {
        // What stands in the place of a section has blocks; the others are one run of text.
        let place = match spot.part {
            "summary" | "empty" => Place::Introduction,
            "item" => Place::Template,
            _ => Place::Inline,
        };
        let mut names: Vec<&str> = specials.iter().map(|special| special.name()).collect();
        if list.is_some() {
            names.extend(ITEM_NAMES);
        }
        let local = Local {
            names: &names,
            list: list.map(|(_, list)| list),
        };
        let used = names_in_braces(source).into_iter();
        let used = used.filter(|name| self.sections.contains_key(*name));
        let sections: Vec<&str> = used.collect();
        let parsed = self.parser.parse(source, place, &sections, local, spot);
        let item = list.map_or(0, |(index, _)| index + 1);
        self.tables.text(parsed.elements, specials, item)
    }

    /// The template under a key of a node.
    fn key(
        &mut self,
        at: Located<'_>,
        part: &'static str,
        specials: &[Special],
        list: Embeds<'_>,
    ) -> Option<Text> {
        let source = at.text(part)?;
        Some(self.template(source, at.spot(part), specials, list))
    }

    /// A number in the table of values for something that no text names.
    fn reserve(&mut self, source: Source) -> u16 {
        // No text can write such a name.
        let name = format!(" {}", self.reserved.len());
        let number = self.tables.value(ValuePath::from(name.as_str()).used());
        self.reserved.insert(number, source);
        number
    }

    /// What a node says of itself. Its tag and heading belong to the node around it, if there is one.
    pub(super) fn container(&mut self, at: Located<'_>, is_root: bool) -> Container {
        let suffix = [Special::Key, Special::Subsections];
        let of_all = Container {
            start: at.owned("start").unwrap_or_default(),
            end: at.owned("end").unwrap_or_default(),
            numbered: at.text("numbering").map(|form| form == "decimal"),
            description: at.owned("description"),
            summary_suffix: self.key(at, "summary_suffix", &suffix, None),
            ..Container::DEFAULT
        };
        if !is_root {
            return of_all;
        }
        Container {
            key: at.owned("key"),
            title: self.key(at, "title", &[], None),
            summary: self.key(at, "summary", &[], None),
            markup: self.markup(at),
            heading: self.heading(at),
            ..of_all
        }
    }

    /// The description of a section, and the list or value that it embeds.
    pub(super) fn section(
        &mut self,
        index: usize,
        at: Located<'_>,
        placed: bool,
    ) -> (SectionInfo, Option<List>) {
        let (node, keys) = (at.node, &at.node.keys);
        let value = node.value_name().map(ValuePath::from);
        let value = value.filter(|_| node.typed.is_none());
        let list = value.as_ref().map(|value| (index, value));
        let words = || Cow::Owned(prompt_syntax::title_case(node.key()));
        let title = match self.key(at, "title", &[], None) {
            Some(title) => Title::Explicit(title),
            None if keys.flag("untitled") => Title::Untitled(words()),
            None => Title::Fallback(words()),
        };
        let embedded = list.map(|list| self.list(at, list));
        let heading = self.heading(at);
        let intro = if node.typed.is_some() || list.is_some() {
            self.body(at, Place::Introduction, &[])
        } else {
            Text::EMPTY
        };
        // A list whose items have no places of their own has one short form, which knows none of them.
        let has_places = keys.has_any(&PLACES);
        let said = SectionKeys {
            heading,
            summary: self.key(at, "summary", &[], list.filter(|_| has_places)),
            visibility: match at.text("visibility") {
                Some("summary") => Visibility::Summary,
                _ => Visibility::Full,
            },
            empty: self.key(at, "empty", &[], None),
            placed,
            markup: self.markup(at),
            policy: policy(keys),
            items: list.map_or(Items::DEFAULT, |list| self.items(at, list)),
        };
        let info = SectionInfo {
            key: Cow::Owned(node.key().to_owned()),
            field: Cow::Owned(node.key().to_owned()),
            title,
            intro,
            said: said.into(),
            location: None,
            lead: Cow::Borrowed(""),
        };
        (info, embedded)
    }

    /// The value that a section embeds, and how it prints if it is a list.
    fn list(&mut self, at: Located<'_>, (index, value): (usize, &ValuePath)) -> List {
        let problem = self.parser.names.look_up(value, false);
        self.parser.report(at.spot("value"), problem);
        let item = self.key(at, "item", &[], Some((index, value)));
        let is_title = |element: &Element| matches!(element, Element::Title { .. });
        let has_title = item.as_ref().is_some_and(|text| text.all().any(is_title));
        if has_title && at.node.keys.has_any(&PLACES) {
            let problem = rules::heading_in_item();
            self.parser.faults.report(at.spot("item"), problem);
        }
        let form = ListForm {
            item: item.map(|text| Template {
                text,
                sources: None,
            }),
            join: at.text("join").unwrap_or("\n").to_owned(),
            last: at.text("last").map(str::to_owned),
        };
        let form = Arc::new(Form {
            list: Some(form),
            ..Form::default()
        });
        let source = Source {
            form: Some(Arc::clone(&form)),
            ..self.parser.source(&value.used())
        };
        List {
            number: self.reserve(source.clone()),
            source,
            form,
        }
    }

    fn literal(&mut self, words: String) -> Text {
        let elements = Elements::from_iter([Element::text(InlineText::from(words))]);
        self.tables.text(elements, &[], 0)
    }

    fn items(&mut self, at: Located<'_>, (index, list): (usize, &ValuePath)) -> Items {
        let keys = &at.node.keys;
        let title = self.key(at, "item_title", &[], Some((index, list)));
        let key = at.text("item_key").map(|field| {
            let field = field.strip_prefix("item.").unwrap_or(field);
            let path: Vec<String> = field.split('.').map(str::to_owned).collect();
            let problem = self.parser.names.look_in(list, &path);
            self.parser.report(at.spot("item_key"), problem);
            self.reserve(Source {
                path,
                ..Source::new(Base::Loop(Of::List(index), LoopName::Item))
            })
        });
        let is_named = title.is_some() || key.is_some() || keys.has("item_tag");
        Items {
            whole: keys.has("item") && !is_named,
            title,
            key,
            untitled: keys.flag("untitled_items"),
            tag: at.owned("item_tag"),
            join: at.owned("join"),
            last: at.owned("last"),
        }
    }

    fn heading(&mut self, at: Located<'_>) -> Heading {
        let keys = &at.node.keys;
        Heading {
            form: self.key(at, "heading", &[Special::Title], None),
            level: keys.number("level"),
            tight: keys.flag("tight"),
            gap: keys.number("gap"),
        }
    }

    fn markup(&mut self, at: Located<'_>) -> Markup {
        let keys = &at.node.keys;
        let mut attributes = Vec::new();
        for Entry { name, value, .. } in keys.map("attr") {
            let source = match &value.data {
                Data::Bool(true) if name == "title" => AttributeSource::Title,
                Data::Null | Data::Bool(false) => continue,
                data => {
                    let text = match data {
                        Data::Text(source) => {
                            let spot = at.spot("attr").at(value.span);
                            self.template(source, spot, &[], None)
                        }
                        // Numbers and `true` are written as in JSON.
                        _ => self.literal(serde_json::to_string(value).unwrap_or_default()),
                    };
                    AttributeSource::Variable(self.reserve(Source::new(Base::Text(text))))
                }
            };
            attributes.push(Attribute {
                name: Cow::Owned(name.clone()),
                value: source,
            });
        }
        Markup {
            tag: at.owned("tag"),
            attributes: Cow::Owned(attributes),
            inline: keys.flag("inline"),
            indent: keys.number("indent"),
            guarding: match at.text("guard") {
                Some("escaped") => Guarding::Escaped,
                Some("strict") => Guarding::Strict,
                _ => Guarding::Default,
            },
            untrusted: keys.flag("untrusted"),
        }
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
            self.tables.value(used.clone());
        }
        Some(Decision {
            source: self.parser.source(&used),
            negated: name.is_some(),
        })
    }

    /// Until the tree is bound, what conditions and loops ask is missing as the values are that are printed.
    fn ask_for_values(&mut self) {
        let loops = self.tables.loops().iter().map(|each| &each.list);
        let asked = self.tables.conditions().iter().chain(loops);
        let is_value = |used: &&Used| {
            let is_section = used.path.is_empty() && self.sections.contains_key(&used.name);
            used.origin == Origin::Node { item: 0 } && !is_section
        };
        let asked: Vec<Used> = asked.filter(is_value).cloned().collect();
        for used in asked {
            self.tables.value(used);
        }
    }

    /// The tables of the node.
    pub(super) fn finish(mut self, at: Located<'_>, info: &mut NodeInfo) -> Sources {
        if let Some(problem) = self.tables.problem() {
            self.parser.faults.report(at.spot(""), problem);
        }
        let is_unbound = self.parser.names.values.is_none();
        if is_unbound {
            self.ask_for_values();
        }
        let Self {
            parser,
            tables,
            sections,
            reserved,
            ..
        } = self;
        let sources = parser.sources(&tables, &reserved);
        let variable = |(used, source): (&Used, &Source)| {
            let is_text = matches!(source.base, Base::Text(_));
            let form = source.form.as_ref();
            let description = form.and_then(|form| form.description.clone());
            Variable {
                source: Cow::Owned(used.to_string()),
                description: description.map(Cow::Owned),
                treatment: parser.treatment(used, tables.loops()),
                missing: is_unbound && !is_text,
                optional: false,
                item_of: used.origin.in_loop(),
            }
        };
        let condition = |used: &Used| {
            let is_name = used.path.is_empty() && used.origin == Origin::Node { item: 0 };
            let section = sections.get(&used.name).filter(|_| is_name);
            ConditionInfo {
                source: Cow::Owned(used.to_string()),
                section: section.and_then(|index| u16::try_from(*index).ok()),
                item_of: used.origin.in_loop(),
            }
        };
        let each = |each: &prompt_syntax::Loop| LoopInfo {
            source: Cow::Owned(each.list.to_string()),
            item_of: each.list.origin.in_loop(),
        };
        let values = tables.values().iter().zip(&sources.values);
        info.variables = values.map(variable).collect();
        info.conditions = tables.conditions().iter().map(condition).collect();
        info.loops = tables.loops().iter().map(each).collect();
        sources
    }
}

fn policy(keys: &Keys) -> Policy {
    let priority = keys.get("priority").and_then(|given| match given.text() {
        Some(_) => Some(Priority::Required),
        None => given.number().map(Priority::Level),
    });
    let cache = keys.get("cache").and_then(|given| match given.flag() {
        Some(_) => Some(0),
        None => given.number(),
    });
    Policy {
        priority,
        role: keys.text("role").and_then(|role| role.parse().ok()),
        cache,
        volatile: keys.flag("volatile"),
        has_tools: !keys.list("tools").is_empty(),
        ..Policy::DEFAULT
    }
}
