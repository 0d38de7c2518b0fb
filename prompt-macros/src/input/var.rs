//! How a value is printed: `#[var(..)]` on a field, and the braces behind an entry of `vars`.

use super::{
    keys::{Entries, Said},
    value::{Characters, Hang, Json, PathValue, Switch, Words},
};
use crate::diagnostic::Errors;
use darling::FromMeta;
use prompt_syntax::book::Holder;
use syn::{Attribute, MetaList};

/// How a value is printed: `#[var(..)]`, or the braces behind an entry of `vars`. What each key means says the book of keys.
#[derive(Clone, Default, FromMeta)]
pub(crate) struct VarKeys {
    pub(crate) default: Option<Words>,
    pub(crate) some: Option<Words>,
    pub(crate) yes: Option<Words>,
    pub(crate) no: Option<Words>,
    pub(crate) item: Option<Words>,
    pub(crate) join: Option<Words>,
    pub(crate) last: Option<Words>,
    pub(crate) hang: Option<Hang>,
    pub(crate) debug: Option<Switch>,
    pub(crate) json: Option<Json>,
    pub(crate) with: Option<PathValue>,
    pub(crate) trim: Option<Switch>,
    pub(crate) max: Option<Characters>,
    pub(crate) more: Option<Words>,
    pub(crate) raw: Option<Switch>,
    pub(crate) untrusted: Option<Switch>,
    /// Which keys are there.
    #[darling(skip)]
    pub(crate) said: Said,
}

impl VarKeys {
    /// Reads the attributes of a field; `None` if it has none.
    pub(crate) fn of_field(attributes: &[Attribute], errors: &mut Errors) -> Option<Self> {
        let entries = Entries::of_attributes(Holder::Var, "var", attributes, errors)?;
        Some(Self::of(entries, errors))
    }

    /// Reads the braces behind an entry of `vars`.
    pub(crate) fn of_braces(braces: &MetaList, errors: &mut Errors) -> Self {
        Self::of(Entries::of_list(Holder::Var, braces, errors), errors)
    }

    fn of(mut entries: Entries, errors: &mut Errors) -> Self {
        let keys: Self = entries.read(errors);
        Self {
            said: entries.said(),
            ..keys
        }
    }

    /// Whether nothing says what is printed of the value.
    pub(crate) fn is_silent(&self) -> bool {
        let keys = [&OF_WHOLE[..], &OF_ITEMS, &["debug", "json", "with"]];
        !keys.into_iter().any(|keys| self.said.has(keys))
    }
}

/// The keys that say with words of their own what is printed of a value.
pub(crate) const OF_WHOLE: [&str; 4] = ["default", "some", "yes", "no"];
/// The keys that say how the items of a list print.
pub(crate) const OF_ITEMS: [&str; 3] = ["item", "join", "last"];
