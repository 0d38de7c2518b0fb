//! What the user's input says of a node, as the typed description that files fill too; and what the lowering of it asks.

use super::{
    form::{Operand, Print, Variable},
    kind::{self, Kind},
    paths::no_field,
    text::Texts,
    value::on,
};
use crate::{
    diagnostic::Errors,
    input::{
        Field,
        docs::Source,
        file,
        named::Named,
        section::SectionKeys,
        value::{Guarding, Priority, Role, Switch, Visibility, Words},
    },
};
use proc_macro2::Span;
use prompt_syntax::{
    Code, Place, Problem,
    info::{self, AttributeSource, Guarding as Guard},
    lower::{About, Door},
    spec,
};
use syn::{LitStr, Member, ext::IdentExt};

/// The number of a place: of a key or its value, or of a text.
pub(crate) type At = usize;

/// Where something was said.
enum Spot {
    Key(Span),
    Text(Source),
}

/// A node while it is lowered.
pub(crate) struct Lowering<'t, 'a> {
    pub(crate) texts: Texts<'a>,
    pub(crate) sections: Vec<(&'a Field, &'a SectionKeys)>,
    /// The files that texts come from: of the node, then of its sections.
    pub(crate) files: Vec<Option<LitStr>>,
    spots: Vec<Spot>,
    pub(crate) errors: &'t mut Errors,
}

impl<'t, 'a> Lowering<'t, 'a> {
    pub(crate) fn new(texts: Texts<'a>, errors: &'t mut Errors) -> Self {
        Self {
            sections: texts.body.sections().collect(),
            texts,
            files: Vec::new(),
            spots: Vec::new(),
            errors,
        }
    }

    fn at(&mut self, spot: Spot) -> At {
        self.spots.push(spot);
        self.spots.len() - 1
    }

    fn key(&mut self, span: Span) -> At {
        self.at(Spot::Key(span))
    }

    fn words(&mut self, words: Option<&Words>, inherited: bool) -> Option<spec::Words<At>> {
        let mut source = Source::verbatim(&words?.0);
        source.inherited = inherited;
        Some(self.source(source))
    }

    fn source(&mut self, source: Source) -> spec::Words<At> {
        let text = source.text.clone();
        let at = self.at(Spot::Text(source));
        spec::Words { text, at }
    }

    /// What is said of the node.
    pub(crate) fn spec(&mut self) -> spec::Node<At> {
        let body = self.texts.body;
        let (container, keys) = (&body.container, &body.container.keys);
        let is = |key| container.inherits(key);
        let (text, file) = file::text([&keys.template, &keys.file], &body.docs, self.errors);
        self.files.push(file);
        spec::Node {
            name: body.ident.unraw().to_string(),
            text: text.map(|source| self.source(source)),
            key: self.words(keys.key.as_ref(), is("key")),
            title: self.words(keys.title.as_ref(), is("title")),
            description: keys.description.as_ref().map(Words::value),
            summary: self.words(keys.summary.as_ref(), is("summary")),
            summary_suffix: self.words(keys.summary_suffix.as_ref(), is("summary_suffix")),
            tag: spec::Tag {
                attributes: self.attributes(&container.attributes),
                tag: self.words(keys.tag.as_ref(), false),
                inline: self.switch(keys.inline),
                indent: keys.indent.map(|columns| columns.0),
            },
            heading: spec::Heading {
                form: self.words(keys.heading.as_ref(), is("heading")),
                level: keys.level.map(|level| level.0),
                tight: on(keys.tight),
                gap: keys.gap.map(|gap| gap.0),
            },
            numbered: keys.numbering.map(|numbering| numbering.0),
            places_all: keys.append.is_some_and(|append| !append.on),
            start: self.words(keys.start.as_ref(), is("start")),
            end: self.words(keys.end.as_ref(), is("end")),
            has_tools: keys.tools.is_some(),
            sections: (0..self.sections.len())
                .map(|index| self.section(index))
                .collect(),
        }
    }

    fn section(&mut self, index: usize) -> spec::Section<At> {
        let (field, keys) = self.sections[index];
        let (intro, file) = file::text([&keys.template, &keys.file], &field.docs, self.errors);
        self.files.push(file);
        let slot = field.slot(keys);
        let key = self.words(keys.key.as_ref(), false);
        let made = prompt_syntax::key_case(&slot);
        let is_node = keys.item.is_none() && !on(keys.messages);
        let inner = Kind::of(kind::inner(&field.ty));
        let is_value = matches!(inner, Kind::Text | Kind::Scalar | Kind::Unit);
        let is_unit = matches!(&field.ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty());
        let is_computed = keys.when.is_some()
            || matches!(keys.visibility, Some(Visibility::Computed(_)))
            || matches!(keys.priority, Some(Priority::Computed(_)));
        spec::Section {
            at: self.key(field.span),
            key: Some(key.unwrap_or_else(|| spec::Words {
                text: made,
                at: self.key(field.span),
            })),
            slot,
            location: None,
            intro: intro.map(|source| self.source(source)),
            title: self.words(keys.title.as_ref(), false),
            untitled: on(keys.untitled),
            heading: spec::Heading {
                form: self.words(keys.heading.as_ref(), false),
                level: keys.level.map(|level| level.0),
                tight: on(keys.tight),
                gap: keys.gap.map(|gap| gap.0),
            },
            summarised: match keys.visibility {
                Some(Visibility::Summary(span)) => Some(self.key(span)),
                _ => None,
            },
            summary: self.words(keys.summary.as_ref(), false),
            empty: self.words(keys.empty.as_ref(), false),
            tag: spec::Tag {
                attributes: self.attributes(&keys.attributes),
                tag: self.words(keys.tag.as_ref(), false),
                inline: self.switch(keys.inline),
                indent: keys.indent.map(|columns| columns.0),
            },
            guarding: match keys.guard {
                None if on(keys.raw) => Guard::Raw,
                None => Guard::Default,
                Some(Guarding::Escaped) => Guard::Escaped,
                Some(Guarding::Strict) => Guard::Strict,
            },
            untrusted: on(keys.untrusted),
            priority: match keys.priority {
                Some(Priority::Known(priority)) => Some(priority),
                _ => None,
            },
            role: keys.role.map(|role| match role {
                Role::System => info::Role::System,
                Role::User => info::Role::User,
                Role::Assistant => info::Role::Assistant,
            }),
            cache: keys.cache.map(|seconds| seconds.0),
            volatile: on(keys.volatile).then(|| self.key(field.span)),
            has_tools: keys.tools.is_some(),
            items: spec::Items {
                item: self.words(keys.item.as_ref(), false),
                join: self.words(keys.join.as_ref(), false),
                last: self.words(keys.last.as_ref(), false),
                title: self.words(keys.item_title.as_ref(), false),
                has_key: keys.item_key.is_some(),
                tag: self.words(keys.item_tag.as_ref(), false),
                untitled: on(keys.untitled_items),
            },
            facts: spec::SectionFacts {
                has_nodes: matches!(Kind::of_list(&field.ty), Kind::List { of_text: false }),
                is_fixed: is_unit && is_node && !is_computed,
                // Whether a type has a summary of its own is asked by the compiler.
                lacks_summary: !keys.said.faulty && (!is_node || is_value),
                messages: on(keys.messages),
            },
        }
    }

    fn attributes(&mut self, attributes: &[Named]) -> Vec<spec::Attribute<At>> {
        let attribute = |named: &Named| spec::Attribute {
            name: spec::Words {
                text: named.name.unraw().to_string(),
                at: self.key(named.name.span()),
            },
            is_title: named.expr.is_none(),
        };
        attributes.iter().map(attribute).collect()
    }

    /// Where a switch is, if it is on.
    fn switch(&mut self, switch: Option<Switch>) -> Option<At> {
        let switch = switch.filter(|switch| switch.on)?;
        Some(self.key(switch.span))
    }
}

impl Door for Lowering<'_, '_> {
    type Place = At;

    fn deny(&self) -> &[Code] {
        &self.texts.deny
    }

    fn report(&mut self, at: At, problem: Problem) {
        let span = match &self.spots[at] {
            Spot::Key(span) => *span,
            Spot::Text(source) => match &source.literal {
                Some(literal) => literal.span(),
                None => source.locate(0, 0).span,
            },
        };
        self.errors.report(span, problem);
    }

    fn text(&mut self, words: &spec::Words<At>, place: Place, about: About) -> prompt_syntax::Text {
        let Spot::Text(source) = &self.spots[words.at] else {
            return prompt_syntax::Text::EMPTY;
        };
        self.texts.text(source, place, about, self.errors).0
    }

    fn is_value(&self, name: &str) -> bool {
        self.texts.names.get(name).is_some()
    }

    fn attribute(&mut self, of: Option<usize>, index: usize) -> AttributeSource {
        let named = match of {
            None => &self.texts.body.container.attributes[index],
            Some(section) => &self.sections[section].1.attributes[index],
        };
        let Some(expr) = &named.expr else {
            return AttributeSource::Title;
        };
        let operand = Operand::expression(expr);
        let variable = Variable::new(operand, Print::Attribute, named.name.span());
        AttributeSource::Variable(self.texts.add(&named.name.to_string(), variable))
    }

    fn item_key(&mut self, section: usize) -> u16 {
        let (field, keys) = self.sections[section];
        let Some(key) = &keys.item_key else {
            return u16::MAX;
        };
        let first = key.path.first();
        if matches!(first, Some(Member::Named(name)) if name == "self") {
            let fact = "`item_key` names a field of the item, without `self`";
            let help = "write the name of the field: `item_key = name`";
            self.errors.add(Code::InvalidValue, key.span, fact, help);
        } else if let (Some(Member::Named(name)), Some(fields)) =
            (first, self.texts.item_fields(&field.ty))
        {
            let name = name.unraw().to_string();
            if !fields.contains(&name) {
                self.errors
                    .push(no_field("an item", &name, &fields, key.span));
            }
        }
        let list = self.texts.list_of(section);
        let item = Operand::item(list, key.path.clone(), key.span);
        let variable = Variable {
            item_of: Some(list),
            ..Variable::new(item, Print::Display, key.span)
        };
        self.texts.add("item_key", variable)
    }

    fn list_of(&mut self, section: usize) -> u16 {
        self.texts.list_of(section)
    }

    fn known_list(&self, section: usize) -> Option<u16> {
        self.texts.numbers.known_list(section)
    }
}
