//! A section: a field that is embedded.

use super::{
    Attribute,
    form::{Operand, Print, Text, Variable},
    kind::{self, Kind},
    paths::no_field,
    text::{Item, Local, Texts},
    value::on,
};
use crate::{
    diagnostic::Errors,
    input::{
        Field,
        docs::Source,
        file,
        section::SectionKeys,
        value::{Level, Visibility, Words},
    },
};
use prompt_syntax::{Code, Place, book::rules};
use syn::{LitStr, Member, ext::IdentExt};

/// A field that is embedded.
pub(crate) struct Section<'a> {
    pub(crate) field: &'a Field,
    pub(crate) keys: &'a SectionKeys,
    pub(crate) key: Words,
    /// Name of its slot.
    pub(crate) slot: String,
    pub(crate) title: Title,
    /// The form of its heading.
    pub(crate) heading: Option<Text>,
    pub(crate) intro: Text,
    pub(crate) summary: Option<Text>,
    pub(crate) empty: Option<Text>,
    /// Whether it has a slot of its own.
    pub(crate) placed: bool,
    /// The level of its heading, as the node's text is written.
    pub(crate) stands_at: u8,
    pub(crate) attributes: Vec<Attribute>,
    /// The title of each item of a list.
    pub(crate) item_title: Option<Text>,
    /// The variable that prints the key of each item.
    pub(crate) item_key: Option<u16>,
    /// The loop over its list, where some text sees the items.
    pub(crate) list: Option<u16>,
    pub(crate) content: Content,
    /// The file of the introduction.
    pub(crate) file: Option<LitStr>,
    /// Whether it is of the type that is being derived, whose depth is not known then.
    is_recursive: bool,
}

/// The heading of a section.
pub(crate) enum Title {
    /// Written by the user.
    Explicit(Text),
    /// The child's, or else this one.
    Fallback(String),
    /// None; this stands for it in reports.
    Untitled(String),
}

/// What a section hands out.
pub(crate) enum Content {
    /// The field, as a node.
    Node,
    /// A list whose items print by this template.
    Items(Text),
    /// A history.
    Messages,
}

/// Where a section stands among those of its node.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    /// Its index.
    pub(crate) index: usize,
    /// Whether it has a slot of its own.
    pub(crate) placed: bool,
    /// The level there, or where sections without a slot stand.
    pub(crate) level: u8,
}

/// What a `summary` of a whole list says when it looks for an item.
const WHOLE: &str =
    "this summary speaks of the whole list; with `item_key = field` there is one for each item";

impl<'a> Section<'a> {
    /// Reads a section.
    pub(crate) fn new(
        field: &'a Field,
        keys: &'a SectionKeys,
        position: Position,
        texts: &mut Texts<'_>,
        errors: &mut Errors,
    ) -> Self {
        let (intro, file) = file::text(&keys.text, &field.docs, errors);
        let node = Local::default();
        let items = of_items(field, keys, position.index);
        let slot = field.slot(keys);
        let in_words = prompt_syntax::title_case(&slot);
        let title = match texts.line(keys.own.title.as_ref(), node, errors) {
            _ if on(keys.own.untitled) => Title::Untitled(in_words),
            Some(title) => Title::Explicit(title),
            None => Title::Fallback(in_words),
        };
        let item_title = texts.line(keys.each.item_title.as_ref(), items, errors);
        let empty = texts.short(keys.own.empty.as_ref(), node, errors);
        let summary = texts.short(keys.own.summary.as_ref(), items, errors);
        let intro = intro.map(|source| texts.text(&source, Place::Introduction, node, errors));
        let heading = texts.heading(&keys.heading, false, errors);
        let made = || Words::made(&prompt_syntax::key_case(&slot), field.span);
        Self {
            key: keys.own.key.clone().unwrap_or_else(made),
            title,
            stands_at: keys.heading.level.map_or(position.level, Level::get),
            heading,
            intro: intro.unwrap_or_default(),
            summary,
            empty,
            placed: position.placed,
            attributes: Attribute::all(&keys.attributes, texts),
            content: content(field, keys, position.index, texts, errors),
            item_title,
            item_key: item_key(field, keys, position.index, texts, errors),
            list: texts.known_list(position.index),
            slot,
            file,
            is_recursive: texts.is_own(kind::in_option(&field.ty)),
            field,
            keys,
        }
    }

    /// Whether it is always shown by the short form of its type.
    pub(crate) fn leaves_summary(&self) -> bool {
        self.summary_span().is_some() && self.summary.is_none()
    }

    /// Where it is said that it is always shown in short.
    pub(crate) fn summary_span(&self) -> Option<proc_macro2::Span> {
        match self.keys.own.visibility {
            Some(Visibility::Summary(span)) => Some(span),
            _ => None,
        }
    }

    /// Whether the list prints as a text and has no items of its own.
    pub(crate) fn is_whole(&self) -> bool {
        self.keys.items.item.is_some() && !self.keys.names_items()
    }

    /// Whether the depth of its type matters and may be known.
    pub(crate) fn has_open_depth(&self) -> bool {
        let embedded = matches!(self.content, Content::Node) && self.keys.policy.role.is_none();
        embedded && !self.is_recursive && kind::may_have_depth(&self.field.ty)
    }

    /// Whether a heading stands above it: a tag takes its place.
    pub(crate) fn has_heading(&self) -> bool {
        !matches!(self.title, Title::Untitled(_)) && self.keys.tag.tag.is_none()
    }

    /// The level above its content: that of the heading, or one less where there is none.
    pub(crate) fn content_below(&self) -> u8 {
        let missing = u8::from(!self.has_heading());
        self.stands_at.saturating_sub(missing)
    }

    /// The deepest level of its heading and introduction.
    pub(crate) fn reached(&self) -> u8 {
        let titles = (self.intro.deepest() + 1).saturating_sub(self.intro.0.base);
        if self.keys.policy.role.is_some() {
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
    let each = keys.names_items() || (of_nodes && keys.items.item.is_none());
    Local {
        item: each.then_some(Item::OfSection(index, field)),
        no_item: (!each).then_some(WHOLE),
        ..Local::default()
    }
}

/// The variable that prints the key of each item.
fn item_key(
    field: &Field,
    keys: &SectionKeys,
    index: usize,
    texts: &mut Texts<'_>,
    errors: &mut Errors,
) -> Option<u16> {
    let key = keys.each.item_key.as_ref()?;
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
    let list = texts.list_of(index, field);
    let item = Operand::item(list, key.path.clone(), key.span);
    let variable = Variable::new("item_key".to_owned(), item, Print::Display, key.span);
    Some(texts.add(Variable {
        item_of: Some(list),
        ..variable
    }))
}

fn content(
    field: &Field,
    keys: &SectionKeys,
    index: usize,
    texts: &mut Texts<'_>,
    errors: &mut Errors,
) -> Content {
    if on(keys.policy.messages) {
        return Content::Messages;
    }
    texts.joins(&keys.items, errors);
    let Some(words) = &keys.items.item else {
        return Content::Node;
    };
    texts.list_of(index, field);
    let local = Local {
        item: Some(Item::OfSection(index, field)),
        ..Local::default()
    };
    let source = Source::verbatim(&words.0);
    let item = texts.text(&source, Place::Template, local, errors);
    if keys.names_items() && item.deepest() > 0 {
        errors.report(words.span(), rules::heading_in_item());
    }
    Content::Items(item)
}
