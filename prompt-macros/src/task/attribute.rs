//! `#[task(..)]` on an enum and on its variants.

use crate::{
    diagnostic::Errors,
    input::{
        container::OwnKeys,
        keys::{Entries, Receiver, ungrouped},
        value::{PathValue, Texts, Words},
    },
};
use darling::{FromMeta, Result};
use prompt_syntax::book::{Group, Holder};
use syn::{Attribute, Expr, Path};

/// The keys on the enum.
#[derive(Default, FromMeta)]
pub(super) struct EnumKeys {
    pub(super) categories: Option<Texts>,
    #[darling(rename = "crate")]
    pub(super) krate: Option<CratePath>,
}

/// The keys on a variant.
#[derive(Default, FromMeta)]
pub(super) struct VariantKeys {
    pub(super) category: Option<Words>,
    pub(super) name: Option<Words>,
}

impl Receiver for EnumKeys {
    const GROUP: Group = Group::Task;
}

impl Receiver for VariantKeys {
    const GROUP: Group = Group::Task;
}

/// `crate = path`, with or without quotes.
pub(super) struct CratePath(pub(super) Path);

impl FromMeta for CratePath {
    fn from_expr(expr: &Expr) -> Result<Self> {
        match ungrouped(expr) {
            Expr::Lit(text) => Path::from_value(&text.lit).map(Self),
            expr => PathValue::from_expr(expr).map(|path| Self(path.0)),
        }
    }
}

/// The keys of `#[task(..)]`.
pub(super) fn read<R: Receiver>(
    holder: Holder,
    attributes: &[Attribute],
    errors: &mut Errors,
) -> R {
    let entries = Entries::of_attributes(holder, "task", attributes, errors);
    entries
        .map(|mut entries| entries.read(errors))
        .unwrap_or_default()
}

/// The path under `crate` of the `#[prompt(..)]` attributes, which another derive reads as a whole: what is wrong in
/// there is for that one to say.
pub(super) fn crate_of_prompt(attributes: &[Attribute]) -> Option<Path> {
    let mut unheard = Errors::default();
    let mut entries = Entries::of_attributes(Holder::Prompt, "prompt", attributes, &mut unheard)?;
    let keys: OwnKeys = entries.read(&mut unheard);
    keys.krate.map(|path| path.0)
}
