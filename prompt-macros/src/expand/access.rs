//! Operands: how one is reached, and what is asked of it on the way.

use super::runtime;
use crate::{
    input::{Body, Style},
    model::form::{Base, Operand, Presence, Read},
};
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Member, ext::IdentExt};

/// How the fields of a node are reached: `self.name`, or by their name in an arm of a `match`.
#[derive(Clone, Copy)]
pub(crate) enum Access {
    /// In a struct.
    Fields,
    /// In a variant.
    Bindings,
}

impl Access {
    /// Reads an operand: what `read` makes of it, borrowed. What a condition asks on the way is there, or else `absent` is
    /// what comes out.
    ///
    /// ```text
    /// match __p::Asked(&self.boat).get() {
    ///     __p::Some(boat) => __p::Value(&boat.name).put(out),
    ///     __p::None => __p::Ok(()),
    /// }
    /// ```
    pub(crate) fn read(
        self,
        operand: &Operand,
        absent: &TokenStream,
        read: impl FnOnce(&TokenStream) -> TokenStream,
    ) -> TokenStream {
        let at = runtime::at(operand.span);
        let (mut place, mut borrowed, mut name) = self.base(operand);
        let mut asked = Vec::new();
        let fields = operand.path.iter().map(Some).chain([None]);
        for (how, field) in operand.reads.iter().zip(fields) {
            match how {
                Read::Certain | Read::Plain | Read::Maybe => {}
                Read::Asked => {
                    let found = runtime::named(&name);
                    asked.push((borrowed, found.clone()));
                    place = found.to_token_stream();
                    borrowed = place.clone();
                }
                Read::Unasked => place = quote_spanned!(at=> __p::Unasked(#borrowed).get()),
            }
            if let Some(field) = field {
                place = quote_spanned!(at=> #place.#field);
                borrowed = quote_spanned!(at=> &#place);
                name = name_of(field);
            }
        }
        let mut whole = read(&borrowed);
        for (option, found) in asked.into_iter().rev() {
            whole = quote_spanned! {at=>
                match __p::Asked(#option).get() {
                    __p::Some(#found) => #whole,
                    __p::None => #absent,
                }
            };
        }
        whole
    }

    /// A borrowed operand of which nothing is asked: `&self.name`, `name`, `&item.name`.
    pub(crate) fn borrow(self, operand: &Operand) -> TokenStream {
        self.read(operand, &TokenStream::new(), Clone::clone)
    }

    /// Where an operand begins: itself, borrowed, and a name for it.
    fn base(self, operand: &Operand) -> (TokenStream, TokenStream, String) {
        let at = runtime::at(operand.span);
        let usual = "found".to_owned();
        let place = |place: TokenStream, name: String| {
            let borrowed = quote_spanned!(at=> &#place);
            (place, borrowed, name)
        };
        match (&operand.base, self) {
            (Base::Field(member), Self::Fields) => {
                place(quote_spanned!(at=> self.#member), name_of(member))
            }
            (Base::Field(member), Self::Bindings) => {
                let name = binding(member).into_token_stream();
                (name.clone(), name, name_of(member))
            }
            (Base::Expression(expr), _) => place(expr.to_token_stream(), usual),
            (Base::LoopItem { alias, .. }, _) => {
                let item = runtime::named(alias);
                place(quote_spanned!(at=> #item), alias.clone())
            }
            (Base::Entry, _) => place(quote!(self), usual),
        }
    }

    /// Whether an operand is there: `__p::is_some(&self.note)`.
    pub(crate) fn is_there(self, operand: &Operand, presence: Presence) -> TokenStream {
        self.read(operand, &quote!(false), |value| {
            let at = runtime::at(operand.span);
            match presence {
                Presence::Some => quote_spanned!(at=> __p::is_some(#value)),
                Presence::Items => quote_spanned!(at=> !__p::is_empty(#value)),
            }
        })
    }

    /// Whether an operand holds: `__p::ask(&self.note).holds()`.
    pub(crate) fn holds(self, operand: &Operand, trimmed: bool) -> TokenStream {
        let method = if trimmed { "trimmed" } else { "holds" };
        self.read(operand, &quote!(false), |value| {
            let at = runtime::at(operand.span);
            let method = Ident::new(method, at);
            quote_spanned!(at=> __p::ask(#value).#method())
        })
    }
}

/// The name of a field, or a word for one that has none.
fn name_of(member: &Member) -> String {
    match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(_) => "found".to_owned(),
    }
}

/// The name that a field of a variant is bound to.
pub(crate) fn binding(member: &Member) -> Ident {
    match member {
        Member::Named(name) => name.clone(),
        Member::Unnamed(index) => format_ident!("_{}", index.index),
    }
}

/// The pattern that binds all fields of a variant.
pub(crate) fn pattern(body: &Body) -> TokenStream {
    let ident = &body.ident;
    let bindings = body.fields.iter().map(|field| binding(&field.member));
    match body.style {
        Style::Named => quote!(Self::#ident { #(#bindings),* }),
        Style::Tuple => quote!(Self::#ident(#(#bindings),*)),
        Style::Unit => quote!(Self::#ident),
    }
}
