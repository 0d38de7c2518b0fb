//! `#[prompt(..)]` on a struct, an enum or a variant.

use super::{
    keys::Entries,
    named::{Named, rules, tag_attributes, vars},
    value::{Columns, Expression, Gap, Level, List, Numbering, PathValue, Switch, Words},
};
use crate::diagnostic::Errors;
use darling::FromMeta;
use proc_macro2::Ident;
use prompt_syntax::{Code, book::Holder};
use syn::{Attribute, Fields, WherePredicate};

/// What `#[prompt(..)]` says. On an enum it holds for every variant that does not say otherwise.
#[derive(Clone)]
pub(crate) struct Container {
    /// Its keys.
    pub(crate) keys: PromptKeys,
    /// The entries of `attr(..)`.
    pub(crate) attributes: Vec<Named>,
    /// The entries of `vars(..)`.
    pub(crate) vars: Vec<Named>,
    /// `allow(rule, ..)`: rules that its texts may break.
    pub(crate) allow: Vec<Ident>,
    /// `deny(rule, ..)`: lints that stop the build.
    pub(crate) deny: Vec<Ident>,
    /// The keys that a variant has from its enum.
    pub(crate) inherited: Vec<&'static str>,
    /// What they were read from.
    entries: Entries,
}

/// The keys of `#[prompt(..)]`. What each of them means says the book of keys.
#[derive(Clone, Default, FromMeta)]
pub(crate) struct PromptKeys {
    pub(crate) key: Option<Words>,
    pub(crate) title: Option<Words>,
    pub(crate) summary: Option<Words>,
    pub(crate) description: Option<Words>,
    pub(crate) template: Option<Words>,
    pub(crate) file: Option<Words>,
    pub(crate) vars: Option<List>,
    pub(crate) level: Option<Level>,
    pub(crate) append: Option<Switch>,
    pub(crate) heading: Option<Words>,
    pub(crate) numbering: Option<Numbering>,
    pub(crate) tight: Option<Switch>,
    pub(crate) gap: Option<Gap>,
    pub(crate) start: Option<Words>,
    pub(crate) end: Option<Words>,
    pub(crate) tag: Option<Words>,
    pub(crate) attr: Option<List>,
    pub(crate) inline: Option<Switch>,
    pub(crate) indent: Option<Columns>,
    pub(crate) tools: Option<Expression>,
    pub(crate) summary_suffix: Option<Words>,
    pub(crate) bound: Option<Vec<WherePredicate>>,
    pub(crate) allow: Option<List>,
    pub(crate) deny: Option<List>,
    #[darling(rename = "crate")]
    pub(crate) krate: Option<PathValue>,
}

/// Keys of which an enum says nothing for its variants: each has a text of its own, and lists are put together.
const NOT_INHERITED: &[&str] = &["template", "file", "vars", "allow", "deny"];

impl Container {
    /// Reads all attributes of a type; or of a variant, whose enum speaks where it says nothing. Its fields hide entries of
    /// the `vars` of the enum.
    pub(crate) fn read(
        attributes: &[Attribute],
        outer: Option<(&Self, &Fields)>,
        errors: &mut Errors,
    ) -> Self {
        let entries = Entries::of_attributes(Holder::Prompt, "prompt", attributes, errors);
        let mut entries = entries.unwrap_or_else(|| Entries::none(Holder::Prompt));
        let Some((outer, fields)) = outer else {
            return Self::of(entries, Vec::new(), errors);
        };
        for name in ["crate", "bound"] {
            if let Some(span) = entries.take(name) {
                let fact = format!("`{name}` is for the whole type");
                errors.add(
                    Code::ConflictingAttributes,
                    span,
                    fact,
                    "put it on the enum",
                );
            }
        }
        let inherited = entries.inherit(&outer.entries, NOT_INHERITED);
        let mut own = Self::of(entries, inherited, errors);
        let is_field = |name: &Ident| {
            fields
                .iter()
                .any(|field| field.ident.as_ref() == Some(name))
        };
        for named in &outer.vars {
            let is_own = own.vars.iter().any(|own| own.name == named.name);
            if !is_own && !is_field(&named.name) {
                own.vars.push(named.clone());
            }
        }
        own.allow.extend(outer.allow.iter().cloned());
        own.deny.extend(outer.deny.iter().cloned());
        own
    }

    fn of(mut entries: Entries, inherited: Vec<&'static str>, errors: &mut Errors) -> Self {
        let keys: PromptKeys = entries.read(errors);
        Self {
            attributes: tag_attributes(keys.attr.as_ref(), errors),
            vars: vars(keys.vars.as_ref(), errors),
            allow: rules(keys.allow.as_ref(), errors),
            deny: rules(keys.deny.as_ref(), errors),
            keys,
            inherited,
            entries,
        }
    }

    /// Whether a key is that of the enum around.
    pub(crate) fn inherits(&self, key: &str) -> bool {
        self.inherited.contains(&key)
    }
}
