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
        Body, Field,
        container::Container,
        docs::Source,
        file,
        groups::{HeadingKeys, TagKeys},
        named::Named,
        section::SectionKeys,
        value::{Guarding, Level, Priority, Role, Visibility, Words},
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
    container: &'a Container,
    pub(crate) sections: Vec<(&'a Field, &'a SectionKeys)>,
    /// The files that texts come from: of the node, then of its sections.
    pub(crate) files: Vec<Option<LitStr>>,
    spots: Vec<Spot>,
    pub(crate) errors: &'t mut Errors,
}

impl<'t, 'a> Lowering<'t, 'a> {
    pub(crate) fn new(body: &'a Body, texts: Texts<'a>, errors: &'t mut Errors) -> Self {
        Self {
            texts,
            container: &body.container,
            sections: body.sections().collect(),
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
    pub(crate) fn spec(&mut self, body: &'a Body) -> spec::Node<At> {
        let container = self.container;
        let own = &container.own;
        let is = |key| container.inherits(key);
        let (text, file) = file::text(&container.text, &body.docs, self.errors);
        self.files.push(file);
        spec::Node {
            name: body.ident.unraw().to_string(),
            text: text.map(|source| self.source(source)),
            key: self.words(own.key.as_ref(), is("key")),
            title: self.words(own.title.as_ref(), is("title")),
            description: own.description.as_ref().map(Words::value),
            summary: self.words(own.summary.as_ref(), is("summary")),
            summary_suffix: self.words(own.summary_suffix.as_ref(), is("summary_suffix")),
            tag: self.tag(&container.tag, &container.attributes),
            heading: self.heading(&container.heading, is("heading")),
            numbered: own.numbering.map(|numbering| numbering.0),
            places_all: own.append.is_some_and(|append| !append.on),
            start: self.words(own.start.as_ref(), is("start")),
            end: self.words(own.end.as_ref(), is("end")),
            has_tools: own.tools.is_some(),
            sections: (0..self.sections.len())
                .map(|index| self.section(index))
                .collect(),
        }
    }

    fn section(&mut self, index: usize) -> spec::Section<At> {
        let (field, keys) = self.sections[index];
        let (own, policy) = (&keys.own, &keys.policy);
        let (intro, file) = file::text(&keys.text, &field.docs, self.errors);
        self.files.push(file);
        let slot = field.slot(keys);
        let key = self.words(own.key.as_ref(), false);
        let made = prompt_syntax::key_case(&slot);
        let is_node = keys.items.item.is_none() && !on(policy.messages);
        let inner = Kind::of(kind::inner(&field.ty));
        let is_value = matches!(inner, Kind::Text | Kind::Scalar | Kind::Unit);
        let is_unit = matches!(&field.ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty());
        let is_computed = own.when.is_some()
            || matches!(own.visibility, Some(Visibility::Computed(_)))
            || matches!(policy.priority, Some(Priority::Computed(_)));
        spec::Section {
            at: self.key(field.span),
            key: Some(key.unwrap_or_else(|| spec::Words {
                text: made,
                at: self.key(field.span),
            })),
            slot,
            location: None,
            intro: intro.map(|source| self.source(source)),
            title: self.words(own.title.as_ref(), false),
            untitled: on(own.untitled),
            heading: self.heading(&keys.heading, false),
            summarised: match own.visibility {
                Some(Visibility::Summary(span)) => Some(self.key(span)),
                _ => None,
            },
            summary: self.words(own.summary.as_ref(), false),
            empty: self.words(own.empty.as_ref(), false),
            tag: self.tag(&keys.tag, &keys.attributes),
            guarding: match keys.markup.guard {
                None if on(keys.markup.raw) => Guard::Raw,
                None => Guard::Default,
                Some(Guarding::Escaped) => Guard::Escaped,
                Some(Guarding::Strict) => Guard::Strict,
            },
            untrusted: on(keys.markup.untrusted),
            priority: match policy.priority {
                Some(Priority::Required) => Some(info::Priority::Required),
                Some(Priority::Level(level)) => Some(info::Priority::Level(number(level))),
                _ => None,
            },
            role: policy.role.map(|role| match role {
                Role::System => info::Role::System,
                Role::User => info::Role::User,
                Role::Assistant => info::Role::Assistant,
            }),
            cache: policy.cache.map(|seconds| number(seconds.0)),
            volatile: on(policy.volatile).then(|| self.key(field.span)),
            has_tools: policy.tools.is_some(),
            items: spec::Items {
                item: self.words(keys.items.item.as_ref(), false),
                join: self.words(keys.items.join.as_ref(), false),
                last: self.words(keys.items.last.as_ref(), false),
                title: self.words(keys.each.item_title.as_ref(), false),
                has_key: keys.each.item_key.is_some(),
                tag: self.words(keys.each.item_tag.as_ref(), false),
                untitled: on(keys.each.untitled_items),
            },
            facts: spec::SectionFacts {
                has_nodes: matches!(Kind::of_list(&field.ty), Kind::List { of_text: false }),
                is_fixed: is_unit && is_node && !is_computed,
                // Whether a type has a summary of its own is asked by the compiler.
                lacks_summary: !keys.said.faulty && (!is_node || is_value),
                messages: on(policy.messages),
            },
        }
    }

    fn heading(&mut self, keys: &HeadingKeys, inherited: bool) -> spec::Heading<At> {
        spec::Heading {
            form: self.words(keys.heading.as_ref(), inherited),
            level: keys.level.map(Level::get),
            tight: on(keys.tight),
            gap: keys.gap.map(|gap| number(gap.0)),
        }
    }

    fn tag(&mut self, keys: &TagKeys, attributes: &[Named]) -> spec::Tag<At> {
        let attribute = |named: &Named| spec::Attribute {
            name: spec::Words {
                text: named.name.unraw().to_string(),
                at: self.key(named.name.span()),
            },
            is_title: named.expr.is_none(),
        };
        let inline = keys.inline.filter(|inline| inline.on);
        spec::Tag {
            attributes: attributes.iter().map(attribute).collect(),
            tag: self.words(keys.tag.as_ref(), false),
            inline: inline.map(|inline| self.key(inline.span)),
            indent: keys.indent.map(|columns| number(columns.0)),
        }
    }
}

/// A number that was read within its bounds.
fn number<N: TryFrom<i64> + Default>(value: i64) -> N {
    value.try_into().unwrap_or_default()
}

impl Door for Lowering<'_, '_> {
    type Place = At;

    fn deny(&self) -> &[Code] {
        self.texts.deny()
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
            None => &self.container.attributes[index],
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
        let Some(key) = &keys.each.item_key else {
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
        self.texts.known_list(section)
    }
}
