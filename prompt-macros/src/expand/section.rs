//! Sections: an entry of the description, and the arm that hands one out.

use super::{
    access::Access,
    fields::Fields,
    info::{said, title},
    runtime,
    text::plain,
};
use crate::{
    input::{
        section::SectionKeys,
        value::{Expression, Priority, Visibility},
    },
    model::{
        form::Operand,
        kind::may_have_text,
        section::{Content, Section},
    },
};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

/// How many fields `SectionInfo` has.
const INFO: usize = 7;

/// An entry of the list of sections, which names what is not usual.
///
/// ```text
/// SectionInfo {
///     key: str("rules"),
///     field: str("rules"),
///     title: Title::Fallback(str("Rules")),
///     location: location(__p::file!(), 12),
///     ..SECTION
/// }
/// ```
impl ToTokens for Section<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let info = &self.info;
        let mut fields = Fields::default();
        fields.str("key", &info.key);
        fields.str("field", &info.field);
        fields.set("title", Some(title(&info.title)));
        fields.text("intro", &info.intro);
        fields.set("said", said(&info.said));
        fields.str("lead", &info.lead);
        let line = plain(self.field.span.start().line);
        fields.set("location", Some(quote!(location(__p::file!(), #line))));
        tokens.extend(fields.literal("SectionInfo", INFO, "SECTION"));
    }
}

impl Section<'_> {
    /// `__p::when(self.strict, || __p::embed(&self.rules))`. Where the condition fails
    /// nothing else is asked.
    pub(crate) fn arm(&self, access: Access) -> TokenStream {
        let operand = Operand::field(self.field);
        let value = access.borrow(&operand);
        let section = match &self.content {
            Content::Node => quote!(__p::embed(#value)),
            Content::Messages => quote!(__p::Section::messages(#value)),
            Content::Items => quote!(__p::Section::items(__p::is_empty(#value))),
        };
        self.keys.computed(section)
    }

    /// `__p::Type::<Rules>::OF`: the type in it, whose texts can be reworded.
    pub(super) fn type_of(&self) -> Option<TokenStream> {
        let ty = &self.field.ty;
        let may_be_known = matches!(self.content, Content::Node) && may_have_text(ty);
        may_be_known.then(|| quote_spanned!(runtime::at(ty.span())=> __p::Type::<#ty>::OF))
    }
}

impl SectionKeys {
    /// A section, with what is computed for it.
    pub(super) fn computed(&self, mut section: TokenStream) -> TokenStream {
        if let Some(Visibility::Computed(expr)) = &self.visibility {
            section.extend(quote!(.visibility(#expr)));
        }
        if let Some(Priority::Computed(expr)) = &self.priority {
            section.extend(quote!(.priority(#expr)));
        }
        match &self.when {
            Some(Expression(when)) => quote!(__p::when(#when, || #section)),
            None => section,
        }
    }
}
