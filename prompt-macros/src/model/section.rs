//! A section: a field that is embedded.

use super::{
    Name,
    kind::{self, Kind},
    text::{Local, Text, Texts, special},
    variable::{self, ListKeys, Operand, Print, Variable},
};
use crate::{
    diagnostic::Errors,
    input::{
        Field,
        docs::Source,
        field::SectionKeys,
        file,
        value::{Guarding, Named, Priority, Role, Switch, Visibility, Words},
    },
};
use proc_macro2::Span;
use prompt_syntax::Place;
use syn::{Expr, Ident, LitStr, Type};

/// A field that is embedded.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a key of the attribute, and none excludes another"
)]
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) key: Name,
    /// Name of its slot.
    pub(crate) field: String,
    pub(crate) ty: Type,
    pub(crate) span: Span,
    pub(crate) operand: Operand,
    pub(crate) title: Title,
    pub(crate) untitled: bool,
    pub(crate) intro: Text,
    pub(crate) summary: Option<Text>,
    pub(crate) visibility: Visibility,
    pub(crate) when: Option<Expr>,
    pub(crate) empty: Option<Text>,
    /// Whether it has a slot of its own.
    pub(crate) placed: bool,
    /// The level of its heading, as the node's text is written.
    pub(crate) stands_at: u8,
    pub(crate) level: Option<u8>,
    pub(crate) heading: Option<Text>,
    pub(crate) tight: bool,
    pub(crate) tag: Option<Name>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) inline: bool,
    pub(crate) indent: Option<u8>,
    pub(crate) guarding: Option<Guarding>,
    pub(crate) untrusted: bool,
    pub(crate) priority: Option<Priority>,
    pub(crate) role: Option<Role>,
    pub(crate) cache: Option<u32>,
    pub(crate) volatile: bool,
    pub(crate) tools: Option<Expr>,
    pub(crate) item: Item,
    pub(crate) content: Content,
    /// The file of the introduction.
    pub(crate) file: Option<LitStr>,
}

/// The heading of a section.
#[derive(Clone, Debug)]
pub(crate) enum Title {
    /// Written by the user.
    Explicit(Text),
    /// The child's, or else this one.
    Fallback(String),
}

/// How the items of a list stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Item {
    pub(crate) title: Option<Text>,
    pub(crate) key: Option<u16>,
    pub(crate) tag: Option<Name>,
    pub(crate) join: Option<String>,
    pub(crate) last: Option<String>,
    pub(crate) summarised: bool,
}

/// What a section hands out.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// The field, as a node.
    Node,
    /// A variable that prints a list.
    Written(u16),
    /// A list whose items are texts with a tag, a title or a key each.
    Texts(Print),
    /// A history.
    Messages,
}

/// An attribute of a tag.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: Ident,
    /// The variable that writes it, or the title.
    pub(crate) variable: u16,
}

impl Section {
    /// Reads a section.
    pub(crate) fn new(
        field: &Field,
        keys: &SectionKeys,
        (index, slot): (usize, String),
        (placed, stands_at): (bool, u8),
        texts: &mut Texts<'_>,
        errors: &mut Errors,
    ) -> Self {
        let (intro_source, file) = file::text(
            keys.template.as_ref(),
            keys.file.as_ref(),
            field.docs.as_ref(),
            errors,
        );
        let node = Local::default();
        let kind = Kind::of_list(&field.ty);
        let is_list = matches!(kind, Kind::List { .. })
            || keys.item_key.is_some()
            || keys.item_title.is_some();
        let items = Local {
            item: is_list.then_some((index, field)),
            ..node
        };
        let mut template = |words: &Option<Words>, local: Local<'_>| {
            words
                .as_ref()
                .map(|words| texts.text(&Source::verbatim(&words.0), Place::Inline, local, errors))
        };
        let title = match template(&keys.title, node) {
            Some(title) => Title::Explicit(title),
            None => Title::Fallback(prompt_syntax::title_case(&slot)),
        };
        let summary = template(&keys.summary, items);
        let empty = template(&keys.empty, node);
        let heading = template(
            &keys.heading,
            Local {
                special: &[special::TITLE],
                ..node
            },
        );
        let item_title = template(&keys.item_title, items);
        let intro =
            intro_source.map(|source| texts.text(&source, Place::Introduction, node, errors));
        let level = keys.level.map(|level| level.0);
        Self {
            key: Name::of(
                keys.key.as_ref(),
                || prompt_syntax::key_case(&slot),
                field.span,
            ),
            ty: field.ty.clone(),
            span: field.span,
            operand: Operand::field(field),
            title,
            untitled: on(keys.untitled),
            intro: intro.unwrap_or_default(),
            summary,
            visibility: keys.visibility.clone().unwrap_or(Visibility::Full),
            when: keys.when.as_ref().map(|when| when.0.clone()),
            empty,
            placed,
            stands_at: if placed {
                stands_at
            } else {
                level.unwrap_or(stands_at)
            },
            level,
            heading,
            tight: on(keys.tight),
            tag: keys.tag.as_ref().map(Name::written),
            attributes: attributes(&keys.attr, texts),
            inline: on(keys.inline),
            indent: keys.indent.map(|columns| columns.0),
            guarding: keys.guard,
            untrusted: on(keys.untrusted),
            priority: keys.priority.clone(),
            role: keys.role,
            cache: keys.cache.map(|seconds| seconds.0),
            volatile: on(keys.volatile),
            tools: keys
                .tools
                .as_ref()
                .map(|tools| variable::borrowable(&tools.0)),
            item: item(field, keys, item_title, kind, (index, texts)),
            content: content(field, keys, &slot, texts, errors),
            field: slot,
            file,
        }
    }

    /// Whether the depth of its type matters and may be known.
    pub(crate) fn has_open_depth(&self) -> bool {
        let embedded = matches!(self.content, Content::Node) && self.role.is_none();
        embedded && kind::may_have_depth(&self.ty)
    }

    /// The level above its content: that of the heading, or one less where there is none.
    pub(crate) fn content_below(&self) -> u8 {
        if self.untitled || self.tag.is_some() {
            self.stands_at.saturating_sub(1)
        } else {
            self.stands_at
        }
    }

    /// The deepest level of its heading and introduction.
    pub(crate) fn reached(&self) -> u8 {
        let titles = (self.intro.deepest() + 1).saturating_sub(self.intro.base);
        if self.role.is_some() {
            titles
        } else {
            self.content_below() + titles
        }
    }
}

/// Whether a switch is on.
pub(crate) fn on(switch: Option<Switch>) -> bool {
    switch.is_some_and(|switch| switch.on)
}

/// The attributes of a tag, each with a variable of its own.
pub(crate) fn attributes(named: &Named, texts: &mut Texts<'_>) -> Vec<Attribute> {
    let entries = named.0.iter().map(|(name, expr)| {
        let variable = expr.as_ref().map_or(special::TITLE.1, |expr| {
            let operand = Operand::expression(expr, Vec::new());
            texts.add(Variable::new(
                name.to_string(),
                operand,
                Print::Attribute,
                name.span(),
            ))
        });
        Attribute {
            name: name.clone(),
            variable,
        }
    });
    entries.collect()
}

fn item(
    field: &Field,
    keys: &SectionKeys,
    title: Option<Text>,
    kind: Kind,
    (index, texts): (usize, &mut Texts<'_>),
) -> Item {
    let key = keys.item_key.as_ref().map(|key| {
        let operand = Operand::Item(key.path.clone(), key.span);
        let print = Print::Item(vec![variable::Piece::Value(operand, Print::Display)]);
        let variable = Variable::new(
            "item_key".to_owned(),
            Operand::field(field),
            print,
            key.span,
        );
        texts.add(Variable {
            scope: index + 1,
            ..variable
        })
    });
    let of_nodes = matches!(kind, Kind::List { of_text: false });
    let summary = keys.summary.is_some() || keys.visibility.is_some();
    Item {
        summarised: summary && (key.is_some() || of_nodes),
        title,
        key,
        tag: keys.item_tag.as_ref().map(Name::written),
        join: keys.join.as_ref().map(Words::value),
        last: keys.last.as_ref().map(Words::value),
    }
}

fn content(
    field: &Field,
    keys: &SectionKeys,
    slot: &str,
    texts: &mut Texts<'_>,
    errors: &mut Errors,
) -> Content {
    if on(keys.messages) {
        return Content::Messages;
    }
    if keys.item.is_none() {
        return Content::Node;
    }
    let list = ListKeys {
        item: keys.item.as_ref(),
        join: keys.join.as_ref(),
        last: keys.last.as_ref(),
        empty: None,
    };
    let print = variable::list(list, (Print::Display, field.span), texts, errors);
    if keys.item_tag.is_some()
        || keys.item_title.is_some()
        || keys.item_key.is_some()
        || keys.summary.is_some()
    {
        return Content::Texts(print);
    }
    let variable = Variable::new(slot.to_owned(), Operand::field(field), print, field.span);
    Content::Written(texts.add(Variable {
        untrusted: on(keys.untrusted),
        ..variable
    }))
}
