//! Struct literals that name only what differs from their base.

use super::text::variant;
use crate::model::form::Text;
use proc_macro2::{Ident, Span, TokenStream};
use prompt_syntax::Str;
use quote::{ToTokens, quote};
use std::fmt::Debug;

/// The fields of a struct literal that differ from its base.
#[derive(Default)]
pub(crate) struct Fields {
    written: TokenStream,
    count: usize,
}

impl Fields {
    /// Whether nothing differs.
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The literal of a type that has so many fields.
    pub(crate) fn literal(&self, ty: &str, all: usize, base: &str) -> TokenStream {
        let [ty, base] = [ty, base].map(|name| Ident::new(name, Span::call_site()));
        let written = &self.written;
        // Where each of them is there, a base would say nothing, which lints of the user's crate mind.
        let base = (self.count < all).then(|| quote!(..#base));
        quote!(#ty { #written #base })
    }

    /// A field, if it has a value of its own.
    pub(crate) fn set(&mut self, name: &str, value: Option<impl ToTokens>) {
        if let Some(value) = value {
            let name = Ident::new(name, Span::call_site());
            self.written.extend(quote!(#name: #value,));
            self.count += 1;
        }
    }

    /// The same for an optional field.
    pub(crate) fn some(&mut self, name: &str, value: Option<impl ToTokens>) {
        self.set(name, value.map(|value| quote!(Some(#value))));
    }

    /// The same for optional words.
    pub(crate) fn words(&mut self, name: &str, words: Option<&Str>) {
        self.some(name, words.map(|words| quote!(str(#words))));
    }

    /// The same for a value that is called in the runtime as it is here.
    pub(crate) fn variant(&mut self, name: &str, ty: &str, value: Option<impl Debug>) {
        self.some(name, value.map(|value| variant(ty, &value)));
    }

    /// A string that is empty by default.
    pub(crate) fn str(&mut self, name: &str, value: &str) {
        self.set(name, (!value.is_empty()).then(|| quote!(str(#value))));
    }

    /// A text that is empty by default.
    pub(crate) fn text(&mut self, name: &str, text: &prompt_syntax::Text) {
        self.set(name, (!text.is_empty()).then(|| Text(text.clone())));
    }

    /// A text that may be absent.
    pub(crate) fn some_text(&mut self, name: &str, text: Option<&prompt_syntax::Text>) {
        self.some(name, text.cloned().map(Text));
    }

    /// A flag that is off by default.
    pub(crate) fn flag(&mut self, name: &str, on: bool) {
        self.set(name, on.then_some(on));
    }

    /// A list that is empty by default.
    pub(crate) fn list(
        &mut self,
        name: &str,
        entries: impl ExactSizeIterator<Item = impl ToTokens>,
    ) {
        if entries.len() > 0 {
            self.set(name, Some(quote!(list(const { &[#(#entries),*] }))));
        }
    }

    /// A part that is a struct of its own: `heading: Heading { tight: true, ..HEADING }`.
    pub(crate) fn part(&mut self, ty: &str, fields: &Self) {
        if !fields.is_empty() {
            let part = fields.literal(ty, usize::MAX, &ty.to_uppercase());
            self.set(&ty.to_lowercase(), Some(part));
        }
    }
}
