//! `#[prompt(..)]` on a struct, an enum or a variant.

use super::{
    groups::{HeadingKeys, TagKeys, TextKeys},
    keys::{Entries, Receiver},
    named::{Named, rules, vars},
    value::{Bound, Expression, List, Numbering, PathValue, Switch, Words},
};
use crate::diagnostic::Errors;
use darling::FromMeta;
use proc_macro2::Ident;
use prompt_syntax::book::{Group, Holder};
use syn::{Attribute, Fields};

/// What `#[prompt(..)]` says. On an enum it holds for every variant that does not say otherwise.
#[derive(Clone, Default)]
pub(crate) struct Container {
    /// `template`, `file`.
    pub(crate) text: TextKeys,
    /// `heading`, `level`, `tight`, `gap`, of the sections.
    pub(crate) heading: HeadingKeys,
    /// `tag`, `attr`, `inline`.
    pub(crate) tag: TagKeys,
    /// All others.
    pub(crate) own: OwnKeys,
    /// The entries of `attr(..)`.
    pub(crate) attributes: Vec<Named>,
    /// The entries of `vars(..)`.
    pub(crate) vars: Vec<Named>,
    /// `allow(rule, ..)`: rules that its texts may break.
    pub(crate) allow: Vec<Ident>,
    /// `deny(rule, ..)`: lints that stop the build.
    pub(crate) deny: Vec<Ident>,
    /// Which of its templates are those of the enum.
    pub(crate) inherited: Inherited,
}

/// Templates that a variant has from its enum.
#[derive(Clone, Copy, Default)]
pub(crate) struct Inherited {
    pub(crate) title: bool,
    pub(crate) summary: bool,
    pub(crate) heading: bool,
    pub(crate) summary_suffix: bool,
}

/// The keys that only `#[prompt(..)]` has.
#[derive(Clone, Default, FromMeta)]
pub(crate) struct OwnKeys {
    pub(crate) key: Option<Words>,
    pub(crate) title: Option<Words>,
    pub(crate) summary: Option<Words>,
    pub(crate) description: Option<Words>,
    pub(crate) numbering: Option<Numbering>,
    pub(crate) append: Option<Switch>,
    pub(crate) start: Option<Words>,
    pub(crate) end: Option<Words>,
    pub(crate) vars: Option<List>,
    pub(crate) tools: Option<Expression>,
    pub(crate) summary_suffix: Option<Words>,
    pub(crate) bound: Option<Bound>,
    pub(crate) allow: Option<List>,
    pub(crate) deny: Option<List>,
    #[darling(rename = "crate")]
    pub(crate) krate: Option<PathValue>,
}

impl Receiver for OwnKeys {
    const GROUP: Group = Group::Node;
}

impl Container {
    /// Reads all attributes of a type or variant.
    pub(crate) fn read(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let entries = Entries::of_attributes(Holder::Prompt, "prompt", attributes, errors);
        let Some(mut entries) = entries else {
            return Self::default();
        };
        let own: OwnKeys = entries.read(errors);
        let tag: TagKeys = entries.read(errors);
        Self {
            text: entries.read(errors),
            heading: entries.read(errors),
            attributes: tag.attributes(errors),
            vars: vars(own.vars.as_ref(), errors),
            allow: rules(own.allow.as_ref(), errors),
            deny: rules(own.deny.as_ref(), errors),
            inherited: Inherited::default(),
            tag,
            own,
        }
    }

    /// The keys of a variant, with those of its enum where it has none. Texts are not inherited, and `fields` of the
    /// variant hide entries of `vars`.
    pub(crate) fn inherit(self, outer: &Self, fields: &Fields) -> Self {
        let outer = outer.clone();
        let own_names: Vec<Ident> = self.vars.iter().map(|named| named.name.clone()).collect();
        let is_hidden = |name: &Ident| {
            let is_field = |field: &syn::Field| field.ident.as_ref() == Some(name);
            own_names.contains(name) || fields.iter().any(is_field)
        };
        let vars = outer.vars.into_iter();
        let vars = vars.filter(|named| !is_hidden(&named.name));
        let either = |own: Vec<Named>, outer| if own.is_empty() { outer } else { own };
        Self {
            text: self.text,
            inherited: Inherited {
                title: self.own.title.is_none(),
                summary: self.own.summary.is_none(),
                heading: self.heading.heading.is_none(),
                summary_suffix: self.own.summary_suffix.is_none(),
            },
            heading: self.heading.inherit(outer.heading),
            tag: self.tag.inherit(outer.tag),
            own: self.own.inherit(outer.own),
            attributes: either(self.attributes, outer.attributes),
            vars: self.vars.into_iter().chain(vars).collect(),
            allow: self.allow.into_iter().chain(outer.allow).collect(),
            deny: self.deny.into_iter().chain(outer.deny).collect(),
        }
    }
}

impl OwnKeys {
    fn inherit(self, outer: Self) -> Self {
        Self {
            key: self.key.or(outer.key),
            title: self.title.or(outer.title),
            summary: self.summary.or(outer.summary),
            description: self.description.or(outer.description),
            numbering: self.numbering.or(outer.numbering),
            append: self.append.or(outer.append),
            start: self.start.or(outer.start),
            end: self.end.or(outer.end),
            tools: self.tools.or(outer.tools),
            summary_suffix: self.summary_suffix.or(outer.summary_suffix),
            krate: outer.krate,
            ..self
        }
    }
}
