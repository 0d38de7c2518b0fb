//! A section: a field that is embedded.

use super::{
    Heading, Markup, Name,
    form::{Operand, Print, Template, Text},
    kind::{self, Kind},
    paths::no_field,
    text::{Item, Local, Texts},
    value::{Variable, borrowable, on},
};
use crate::{
    diagnostic::Errors,
    input::{
        Field,
        docs::Source,
        field::SectionKeys,
        file,
        value::{Priority, Role, Visibility, Words},
    },
};
use proc_macro2::Span;
use prompt_syntax::{Code, Place, Special};
use syn::{Expr, LitStr, Member, Type, ext::IdentExt};

/// A field that is embedded.
#[derive(Clone)]
pub(crate) struct Section {
    pub(crate) key: Name,
    /// Name of its slot.
    pub(crate) field: String,
    pub(crate) ty: Type,
    pub(crate) span: Span,
    pub(crate) operand: Operand,
    pub(crate) title: Title,
    pub(crate) heading: Heading,
    pub(crate) intro: Text,
    pub(crate) summary: Option<Text>,
    pub(crate) visibility: Visibility,
    pub(crate) when: Option<Expr>,
    pub(crate) empty: Option<Text>,
    /// Whether it has a slot of its own.
    pub(crate) placed: bool,
    /// The level of its heading, as the node's text is written.
    pub(crate) stands_at: u8,
    pub(crate) markup: Markup,
    pub(crate) policy: Policy,
    pub(crate) items: Items,
    pub(crate) content: Content,
    /// The file of the introduction.
    pub(crate) file: Option<LitStr>,
    /// Whether it is of the type that is being derived, whose depth is not known then.
    is_recursive: bool,
    /// Whether something in its attribute is wrong: nothing is missed then.
    pub(crate) faulty: bool,
}

/// The heading of a section.
#[derive(Clone)]
pub(crate) enum Title {
    /// Written by the user.
    Explicit(Text),
    /// The child's, or else this one.
    Fallback(String),
    /// None; this stands for it in reports.
    Untitled(String),
}

/// What becomes of a section outside of its own text.
#[derive(Clone)]
pub(crate) struct Policy {
    pub(crate) priority: Option<Priority>,
    pub(crate) role: Option<Role>,
    pub(crate) cache: Option<u32>,
    pub(crate) volatile: bool,
    pub(crate) tools: Option<Expr>,
}

/// How the items of a list stand.
#[derive(Clone, Default)]
pub(crate) struct Items {
    pub(crate) title: Option<Text>,
    pub(crate) untitled: bool,
    pub(crate) key: Option<u16>,
    pub(crate) tag: Option<Name>,
    pub(crate) join: Option<String>,
    pub(crate) last: Option<String>,
    /// The list prints as a text and has no items of its own.
    pub(crate) whole: bool,
}

/// What a section hands out.
#[derive(Clone)]
pub(crate) enum Content {
    /// The field, as a node.
    Node,
    /// A variable that prints a list.
    Written(u16),
    /// A list whose items are texts with a tag, a title or a key each.
    Texts(Template),
    /// A history.
    Messages,
}

/// Where a section stands among those of its node.
pub(crate) struct Position {
    /// Its index.
    pub(crate) index: usize,
    /// The name of its slot.
    pub(crate) slot: String,
    /// Whether it has a slot of its own.
    pub(crate) placed: bool,
    /// The level there, or where sections without a slot stand.
    pub(crate) level: u8,
}

/// What a `summary` of a whole list says when it looks for an item.
const WHOLE: &str =
    "this summary speaks of the whole list; with `item_key = field` there is one for each item";

impl Section {
    /// Reads a section.
    pub(crate) fn new(
        field: &Field,
        keys: &SectionKeys,
        position: Position,
        texts: &mut Texts<'_>,
        errors: &mut Errors,
    ) -> Self {
        let (intro, file) = file::text(&keys.text, &field.docs, errors);
        let node = Local::default();
        let items = of_items(field, keys, position.index);
        let mut line = |words: &Option<Words>, local: Local<'_>| {
            let words = words.as_ref();
            words.map(|words| texts.line(words, local, errors))
        };
        let slot = position.slot;
        let title = match line(&keys.own.title, node) {
            _ if on(keys.own.untitled) => Title::Untitled(prompt_syntax::title_case(&slot)),
            Some(title) => Title::Explicit(title),
            None => Title::Fallback(prompt_syntax::title_case(&slot)),
        };
        let item_title = line(&keys.each.item_title, items);
        let empty = keys.own.empty.as_ref();
        let empty = empty.map(|words| texts.summary(words, node, errors));
        let summary = keys.own.summary.as_ref();
        let summary = summary.map(|words| texts.summary(words, items, errors));
        let intro = intro.map(|source| texts.text(&source, Place::Introduction, node, errors));
        let heading = Heading::of(&keys.heading, false, texts, errors);
        let untrusted = on(keys.markup.untrusted);
        Self {
            key: Name::of(
                keys.own.key.as_ref(),
                || prompt_syntax::key_case(&slot),
                field.span,
            ),
            ty: field.ty.clone(),
            span: field.span,
            operand: Operand::field(field),
            title,
            stands_at: heading.level.unwrap_or(position.level),
            heading,
            intro: intro.unwrap_or_default(),
            summary,
            visibility: keys.own.visibility.clone().unwrap_or(Visibility::Full),
            when: keys.own.when.as_ref().map(|when| when.0.clone()),
            empty,
            placed: position.placed,
            markup: Markup {
                indent: keys.markup.indent.map(|columns| columns.0),
                guarding: keys.markup.guard,
                untrusted,
                ..Markup::of(&keys.tag, &field.attributes, texts)
            },
            policy: Policy::of(keys),
            content: content(field, keys, &slot, texts, errors),
            items: Items::of(field, keys, item_title, texts, errors),
            field: slot,
            file,
            is_recursive: texts.is_own(kind::in_option(&field.ty)),
            faulty: keys.faulty,
        }
    }

    /// Whether it is always shown by the short form of its type.
    pub(crate) fn leaves_summary(&self) -> bool {
        matches!(self.visibility, Visibility::Summary(_)) && self.summary.is_none()
    }

    /// Whether the depth of its type matters and may be known.
    pub(crate) fn has_open_depth(&self) -> bool {
        let embedded = matches!(self.content, Content::Node) && self.policy.role.is_none();
        embedded && !self.is_recursive && kind::may_have_depth(&self.ty)
    }

    /// Whether a heading stands above it: a tag takes its place.
    pub(crate) fn has_heading(&self) -> bool {
        !matches!(self.title, Title::Untitled(_)) && self.markup.tag.is_none()
    }

    /// The level above its content: that of the heading, or one less where there is none.
    pub(crate) fn content_below(&self) -> u8 {
        let missing = u8::from(!self.has_heading());
        self.stands_at.saturating_sub(missing)
    }

    /// The deepest level of its heading and introduction.
    pub(crate) fn reached(&self) -> u8 {
        let titles = (self.intro.deepest() + 1).saturating_sub(self.intro.0.base);
        if self.policy.role.is_some() {
            titles
        } else {
            self.content_below() + titles
        }
    }
}

/// What `summary` and `item_title` know of an item. Items have places of their own where they are nodes, or have a key,
/// title or tag each; else a list prints as a whole.
fn of_items<'a>(field: &'a Field, keys: &SectionKeys, index: usize) -> Local<'a> {
    let of_nodes = matches!(Kind::of_list(&field.ty), Kind::List { of_text: false });
    let each = keys.each.names_items() || (of_nodes && keys.items.item.is_none());
    Local {
        item: each.then_some(Item::OfSection(index, field)),
        no_item: (!each).then_some(WHOLE),
        ..Local::default()
    }
}

impl Policy {
    fn of(keys: &SectionKeys) -> Self {
        let policy = &keys.policy;
        Self {
            priority: policy.priority.clone(),
            role: policy.role,
            cache: policy.cache.map(|seconds| seconds.0),
            volatile: on(policy.volatile),
            tools: policy.tools.as_ref().map(|tools| borrowable(&tools.0)),
        }
    }
}

impl Items {
    fn of(
        field: &Field,
        keys: &SectionKeys,
        title: Option<Text>,
        texts: &mut Texts<'_>,
        errors: &mut Errors,
    ) -> Self {
        let key = keys.each.item_key.as_ref().map(|key| {
            if matches!(key.path.first(), Some(Member::Named(name)) if name == "self") {
                let fact = "`item_key` names a field of the item, without `self`";
                let help = "write the name of the field: `item_key = name`";
                errors.add(Code::InvalidValue, key.span, fact, help);
            } else if let (Some(Member::Named(name)), Some(fields)) =
                (key.path.first(), texts.item_fields(&field.ty))
            {
                let name = name.unraw().to_string();
                if !fields.contains(&name) {
                    errors.push(no_field("an item", &name, &fields, key.span));
                }
            }
            let item = Operand::item(key.path.clone(), key.span);
            let print = Print::Item(Box::new(Template::of(item, Print::Display)));
            let list = Operand::field(field);
            texts.add(Variable::new("item_key".to_owned(), list, print, key.span))
        });
        Self {
            title,
            untitled: on(keys.each.untitled_items),
            key,
            tag: keys.each.item_tag.as_ref().map(Name::written),
            join: keys.items.join.as_ref().map(Words::value),
            last: keys.items.last.as_ref().map(Words::value),
            whole: keys.items.item.is_some() && !keys.each.names_items(),
        }
    }
}

fn content(
    field: &Field,
    keys: &SectionKeys,
    slot: &str,
    texts: &mut Texts<'_>,
    errors: &mut Errors,
) -> Content {
    if on(keys.policy.messages) {
        return Content::Messages;
    }
    if keys.items.item.is_none() {
        texts.joins(&keys.items, errors);
        return Content::Node;
    }
    let list = texts.list(
        &keys.items,
        (Some(&field.ty), Print::Display, field.span),
        None,
        errors,
    );
    match list {
        Print::List { item, .. } if keys.each.names_items() => {
            if let (Template::Text(text), Some(words)) = (&item, &keys.items.item)
                && text.text.deepest() > 0
            {
                let fact = "the heading of an item with a place of its own stands in `item_title`";
                let help = "write it there: `item_title = \"{item.name}\"`";
                errors.add(Code::InvalidValue, words.span(), fact, help);
            }
            Content::Texts(item)
        }
        print => {
            let variable = Variable::new(slot.to_owned(), Operand::field(field), print, field.span);
            Content::Written(texts.add(variable.untrusted(on(keys.markup.untrusted))))
        }
    }
}

impl Heading {
    /// Reads what is said of headings.
    pub(crate) fn of(
        keys: &crate::input::groups::HeadingKeys,
        inherited: bool,
        texts: &mut Texts<'_>,
        errors: &mut Errors,
    ) -> Self {
        let local = Local {
            special: &[Special::Title],
            inherited,
            ..Local::default()
        };
        let form = keys.heading.as_ref();
        Self {
            form: form
                .map(|words| texts.text(&Source::verbatim(&words.0), Place::Inline, local, errors)),
            level: keys.level.map(|level| level.0),
            tight: on(keys.tight),
            gap: keys.gap.map(|gap| gap.0),
        }
    }
}
