//! The proof that the headings of a tree fit: `__p::depth(1, &[2, __p::fits("rules", 2, __p::Depth::<Rules>::LEVELS)])`.

use super::{runtime, text::plain};
use crate::model::{Node, section::Section};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

impl Node<'_> {
    /// The levels that this node needs below the place where it is embedded.
    pub(crate) fn depth(&self) -> TokenStream {
        let sections: Vec<TokenStream> = self.sections.iter().filter_map(Section::depth).collect();
        if sections.is_empty() {
            let depth = plain(self.own_depth());
            return quote!(#depth);
        }
        let [base, own] = [self.text.0.base, self.reached()].map(plain);
        quote!(__p::depth(#base, &[#own, #(#sections),*]))
    }

    /// Whether its depth depends on other types.
    pub(crate) fn has_open_depth(&self) -> bool {
        self.sections.iter().any(Section::has_open_depth)
    }

    /// Whether it is known to need no levels: as good as not known.
    pub(crate) fn is_flat(&self) -> bool {
        !self.has_open_depth() && self.own_depth() == 0
    }

    /// The levels of what is written in this type.
    fn own_depth(&self) -> u8 {
        (self.reached() + 1).saturating_sub(self.text.0.base)
    }

    /// The deepest level that is written in this type.
    fn reached(&self) -> u8 {
        let sections = self.sections.iter().map(Section::reached);
        sections.chain([self.text.deepest()]).max().unwrap_or(0)
    }
}

impl Section<'_> {
    /// `__p::fits("rules", 2, __p::Depth::<Rules>::LEVELS)`, blamed on the field's type.
    fn depth(&self) -> Option<TokenStream> {
        let (key, ty) = (&self.info.key, &self.field.ty);
        let level = plain(self.content_below());
        let span = runtime::at(ty.span());
        let fits = if self.has_heading() {
            "fits"
        } else {
            "fits_untitled"
        };
        let fits = Ident::new(fits, span);
        let call = || quote_spanned!(span=> __p::#fits(#key, #level, __p::Depth::<#ty>::LEVELS));
        self.has_open_depth().then(call)
    }
}
