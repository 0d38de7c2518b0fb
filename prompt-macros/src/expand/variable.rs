//! Variables: an entry of the table, and the call that writes one.

use super::{runtime, text::plain};
use crate::{
    input::Style,
    model::{
        Node,
        kind::Kind,
        variable::{Operand, Piece, Print, Variable},
    },
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Member, spanned::Spanned};

/// An entry of the table: `__p::named("language")`.
impl ToTokens for Variable {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let Self {
            source,
            raw,
            untrusted,
            hang,
            ..
        } = self;
        let usual = !(*raw || *untrusted || *hang);
        let optional = self
            .ty
            .as_ref()
            .is_some_and(|ty| Kind::of(ty) == Kind::Option);
        let mark = optional.then(|| quote!(.optional()));
        tokens.extend(match (&self.description, usual) {
            (None, true) => quote!(__p::named(#source) #mark),
            (Some(text), true) => quote!(__p::described(#source, #text) #mark),
            (description, false) => {
                let description = self::optional(description.as_ref().map(|text| quote!(__p::s(#text))));
                let flags = quote!(raw: #raw, untrusted: #untrusted, hang: #hang, missing: false, optional: #optional);
                quote!(__p::Variable { source: __p::s(#source), description: #description, #flags })
            }
        });
    }
}

/// `__p::Some(..)` or `__p::None`.
pub(crate) fn optional(value: Option<TokenStream>) -> TokenStream {
    value.map_or_else(|| quote!(__p::None), |value| quote!(__p::Some(#value)))
}

/// How the fields of a node are reached: `self.name`, or by their name in an arm of a `match`.
#[derive(Clone, Copy)]
pub(crate) enum Access {
    /// In a struct.
    Fields,
    /// In a variant.
    Bindings,
}

impl Access {
    /// A borrowed operand: `&self.name`, `name`, `&item.name`.
    pub(crate) fn borrow(self, operand: &Operand) -> TokenStream {
        match (self, operand) {
            (Self::Fields, Operand::Field { member, path, span }) => {
                let span = runtime::at(*span);
                quote_spanned!(span=> &self.#member #(.#path)*)
            }
            (Self::Bindings, Operand::Field { member, path, .. }) => {
                let name = binding(member);
                if path.is_empty() {
                    quote!(#name)
                } else {
                    quote!(&#name #(.#path)*)
                }
            }
            (_, Operand::Expression(expr, path)) => {
                let span = runtime::at(expr.span());
                quote_spanned!(span=> &#expr #(.#path)*)
            }
            (_, Operand::Item(path, span)) => {
                let item = runtime::local("item");
                let span = runtime::at(*span);
                quote_spanned!(span=> &#item #(.#path)*)
            }
            (_, Operand::Index) => {
                let number = runtime::local("number");
                quote!(&#number)
            }
        }
    }

    /// The call that writes an operand: `__p::Value(&self.name).put(out)`.
    pub(crate) fn put(self, operand: &Operand, print: &Print) -> TokenStream {
        self.put_borrowed(&self.borrow(operand), print, span(operand))
    }

    fn put_borrowed(self, value: &TokenStream, print: &Print, span: Span) -> TokenStream {
        let at = runtime::at(span);
        let out = runtime::local("out");
        match print {
            Print::Display => quote_spanned!(at=> __p::Value(#value).put(#out)),
            Print::Spec(spec, place) => {
                let mut format = Literal::string(&format!("{{:{spec}}}"));
                format.set_span(runtime::at(*place));
                quote_spanned!(at=> __p::formatted(#out, __p::format_args!(#format, #value)))
            }
            Print::Json { pretty: false } => quote_spanned!(at=> __p::json(#value, #out)),
            Print::Json { pretty: true } => quote_spanned!(at=> __p::json_pretty(#value, #out)),
            Print::With(path) => quote_spanned!(at=> __p::Value(&#path(#value)).put(#out)),
            Print::Choice { yes, no } => quote_spanned!(at=> __p::choice(#value, #yes, #no, #out)),
            Print::Attribute => quote_spanned!(at=> __p::attribute(#value, #out)),
            Print::Option {
                before,
                after,
                default,
                inner,
            } => {
                let item = runtime::local("item");
                let inner = self.put_borrowed(&item.to_token_stream(), inner, span);
                quote_spanned!(at=> __p::option(#value, [#before, #after, #default], #out, |#item, #out| #inner))
            }
            Print::Default { default, inner } => {
                let item = runtime::local("item");
                let inner = self.put_borrowed(&item.to_token_stream(), inner, span);
                quote_spanned!(at=> __p::unless_empty(#value, #default, #out, |#item, #out| #inner))
            }
            Print::List {
                join,
                last,
                empty,
                item,
            } => {
                let write = self.write_item(item);
                quote_spanned!(at=> __p::list(#value, [#join, #last, #empty], #out, #write))
            }
            Print::Item(pieces) => {
                let write = self.write_item(pieces);
                quote_spanned!(at=> __p::item(#value, #out, #write))
            }
        }
    }

    /// A list whose items are texts of their own: `__p::texts(&self.rules, |item, _, out| ..)`.
    pub(crate) fn texts(self, operand: &Operand, print: &Print) -> TokenStream {
        let Print::List { item, .. } = print else {
            return quote!(__p::Embedded::Absent);
        };
        let value = self.borrow(operand);
        let write = self.write_item(item);
        quote!(__p::texts(#value, #write))
    }

    /// `|item, number, out| { .. }`.
    fn write_item(self, pieces: &[Piece]) -> TokenStream {
        let [item, number, out] = ["item", "number", "out"].map(runtime::local);
        let uses = |wanted: fn(&Operand) -> bool| {
            pieces
                .iter()
                .any(|piece| matches!(piece, Piece::Value(operand, _) if wanted(operand)))
        };
        let item = if uses(|operand| matches!(operand, Operand::Item(..))) {
            quote!(#item)
        } else {
            quote!(_)
        };
        let number = if uses(|operand| matches!(operand, Operand::Index)) {
            quote!(#number)
        } else {
            quote!(_)
        };
        let (last, others) = match pieces.split_last() {
            Some((last, others)) => (self.piece(last), others),
            None => (quote!(__p::Ok(())), [].as_slice()),
        };
        let others = others.iter().map(|piece| self.piece(piece));
        quote!(|#item, #number, #out| { #(#others?;)* #last })
    }

    fn piece(self, piece: &Piece) -> TokenStream {
        let out = runtime::local("out");
        match piece {
            Piece::Literal(text) => quote!(__p::Value(#text).put(#out)),
            Piece::Value(operand, print) => self.put(operand, print),
        }
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
pub(crate) fn pattern(node: &Node) -> TokenStream {
    let ident = &node.ident;
    let bindings = node.members.iter().map(binding);
    match node.style {
        Style::Named => quote!(Self::#ident { #(#bindings),* }),
        Style::Tuple => quote!(Self::#ident(#(#bindings),*)),
        Style::Unit => quote!(Self::#ident),
    }
}

fn span(operand: &Operand) -> Span {
    match operand {
        Operand::Field { span, .. } | Operand::Item(_, span) => *span,
        Operand::Expression(expr, _) => expr.span(),
        Operand::Index => Span::call_site(),
    }
}

/// `0 => .., 1 => ..,`.
pub(crate) fn arms(bodies: impl Iterator<Item = TokenStream>) -> TokenStream {
    let arms = bodies.enumerate().map(|(index, body)| {
        let index = plain(index);
        quote!(#index => #body,)
    });
    arms.collect()
}
