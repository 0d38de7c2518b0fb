//! `#[prompt(..)]` on a struct, an enum or a variant.

use super::{
    field::{SECTION, VAR},
    groups::{HeadingKeys, TagKeys, TextKeys},
    keys::{Book, Group, keys},
    named::{Named, rules, vars},
    value::{Bound, Entries, Expression, Numbering, PathValue, Switch, Words},
};
use crate::diagnostic::Errors;
use proc_macro2::Ident;
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

keys! {
    /// The keys that only `#[prompt(..)]` has.
    pub(crate) struct OwnKeys {
        /// `key = ".."`: the name towards the outside, as in MCP.
        key: Words,
        /// `title = ".."`: the heading where this node is embedded without a title of its own; a template.
        title: Words,
        /// `summary = ".."`: the short form where a section that embeds it gives none; a template.
        summary: Words,
        /// `description = ".."`: what the prompt is for; never printed.
        description: Words,
        /// `numbering`, `numbering = "decimal"`, `numbering = "none"`: numbers before the generated headings of the tree.
        numbering: Numbering,
        /// `append = false`: a section without a slot is an error.
        append: Switch,
        /// `start = "\n"`: put before everything.
        start: Words,
        /// `end = "\n"`: appended after everything.
        end: Words,
        /// `vars(name = expr, ..)`: more variables.
        vars: Entries,
        /// `tools = expr`: the tools of this node.
        tools: Expression,
        /// `summary_suffix = ".."`: the wording under a summary; `{key}` and `{subsections}` are its own variables.
        summary_suffix: Words,
        /// `bound = "T: Display"`: the bounds of the implementation, instead of those that follow from the fields.
        bound: Bound,
        /// `allow(rule, ..)`.
        allow: Entries,
        /// `deny(rule, ..)`.
        deny: Entries,
        /// `crate = path`: the path of `prompt_core`, where it was renamed.
        krate = "crate": PathValue,
    }
}

/// The keys of `#[prompt(..)]`.
pub(crate) static PROMPT: Book = Book {
    attribute: "prompt",
    groups: &[
        OwnKeys::KEYS,
        TextKeys::KEYS,
        TagKeys::KEYS,
        HeadingKeys::KEYS,
    ],
    exclusive: &[(&["template"], &["file"])],
    others: &[&SECTION, &VAR],
};

impl Container {
    /// Reads all attributes of a type or variant.
    pub(crate) fn read(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let Some(entries) = PROMPT.read(attributes, errors) else {
            return Self::default();
        };
        let own = OwnKeys::read(&entries, errors);
        let tag = TagKeys::read(&entries, errors);
        Self {
            text: TextKeys::read(&entries, errors),
            heading: HeadingKeys::read(&entries, errors),
            attributes: tag.attributes(errors),
            vars: own
                .vars
                .as_ref()
                .map(|list| vars(list, errors))
                .unwrap_or_default(),
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
