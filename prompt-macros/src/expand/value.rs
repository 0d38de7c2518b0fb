//! Values: how one is reached, and the call that writes it.

use super::{
    runtime,
    text::{conditions_of, plain},
};
use crate::{
    input::{Style, value::Json},
    model::{
        Node,
        form::{Marked, Operand, Piece, Print, Template, Value},
    },
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Member, spanned::Spanned};

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
            (Self::Bindings, Operand::Field { member, path, .. }) if path.is_empty() => {
                binding(member).into_token_stream()
            }
            (Self::Bindings, Operand::Field { member, path, .. }) => {
                let name = binding(member);
                quote!(&#name #(.#path)*)
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
            (_, Operand::Index { from }) => {
                let index = runtime::local("index");
                if *from == 0 {
                    quote!(&#index)
                } else {
                    let from = plain(*from);
                    quote!(&(#index + #from))
                }
            }
        }
    }

    /// The call that writes an operand: `__p::Value(&self.name).put(out)`.
    pub(crate) fn put(self, operand: &Operand, print: &Print) -> TokenStream {
        self.put_borrowed(&self.borrow(operand), print, span(operand))
    }

    /// One of several operands of the same type, borrowed: `match entry { 0 => &self.name, _ => &self.city }`.
    pub(crate) fn one_of<'a>(
        self,
        entry: &Ident,
        operands: impl ExactSizeIterator<Item = (usize, &'a Operand)>,
    ) -> TokenStream {
        let last = operands.len().saturating_sub(1);
        let arms = operands.enumerate().map(|(place, (number, operand))| {
            let value = self.borrow(operand);
            let number = plain(number);
            if place == last {
                quote!(_ => #value,)
            } else {
                quote!(#number => #value,)
            }
        });
        quote!(match #entry { #(#arms)* })
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
            Print::Json(form) => json(value, *form, at),
            Print::With(path, plain) => {
                self.put_borrowed(&quote_spanned!(at=> &#path(#value)), plain, span)
            }
            Print::Attribute => quote_spanned!(at=> __p::attribute(#value, #out)),
            Print::Table(entry) => {
                let entry = plain(*entry);
                quote!(__p::Describe::variable(self, #entry, #out))
            }
            Print::Choice { yes, no } => {
                let [yes, no] = [yes, no].map(|template| self.template(template, None));
                quote_spanned!(at=> if __p::is_on(#value) { #yes } else { #no })
            }
            Print::Maybe {
                some,
                default,
                inner,
            } => {
                let found = runtime::local("value");
                let inner = self.put_borrowed(&found.to_token_stream(), inner, span);
                let some = self.around(some.as_ref(), inner);
                let default = self.otherwise(default.as_ref());
                quote_spanned!(at=> match __p::maybe(#value) {
                    __p::Some(#found) => { #some }
                    __p::None => { #default }
                })
            }
            Print::Whole {
                some,
                default,
                inner,
            } => {
                let inner = self.put_borrowed(value, inner, span);
                let some = self.around(some.as_ref(), inner);
                let default = self.otherwise(default.as_ref());
                quote_spanned!(at=> if __p::is_empty(#value) { #default } else { #some })
            }
            Print::Freed(inner) => {
                let found = runtime::local("value");
                let inner = self.put_borrowed(&found.to_token_stream(), inner, span);
                quote_spanned!(at=> match __p::Freed(#value).get() {
                    __p::Some(#found) => #inner,
                    __p::None => __p::Ok(()),
                })
            }
            Print::List { join, last, item } => {
                let write = self.write_item(item);
                quote_spanned!(at=> __p::list(#value, [#join, #last], #out, #write))
            }
            Print::Item(template) => {
                let write = self.write_item(template);
                quote_spanned!(at=> __p::item(#value, #out, #write))
            }
        }
        .into_token_stream()
    }

    /// What is printed around a value that is there.
    fn around(self, some: Option<&Template>, inner: TokenStream) -> TokenStream {
        match some {
            Some(template) => self.template(template, Some(&inner)),
            None => inner,
        }
    }

    fn otherwise(self, default: Option<&Template>) -> TokenStream {
        default.map_or_else(|| quote!(__p::Ok(())), |words| self.template(words, None))
    }

    /// A list whose items are texts of their own: `__p::texts(&self.rules, |item, _, out| ..)`.
    pub(crate) fn texts(self, operand: &Operand, item: &Template) -> TokenStream {
        let value = self.borrow(operand);
        let write = self.write_item(item);
        quote!(__p::texts(#value, #write))
    }

    /// `|item, index, out| { .. }`.
    fn write_item(self, template: &Template) -> TokenStream {
        let used = |name: &str, wanted: fn(&Operand) -> bool| {
            let name = runtime::local(name);
            if uses(template, wanted) {
                quote!(#name)
            } else {
                quote!(_)
            }
        };
        let item = used("item", |operand| matches!(operand, Operand::Item(..)));
        let index = used("index", |operand| matches!(operand, Operand::Index { .. }));
        let out = runtime::local("out");
        let body = self.template(template, None);
        quote!(|#item, #index, #out| { #body })
    }

    /// Statements that write a template, and its result. `hole` is what the `{}` of `some` writes.
    ///
    /// ```text
    /// out.literal(" (");
    /// __p::Value(value).put(out)?;
    /// out.literal(")");
    /// __p::Ok(())
    /// ```
    fn template(self, template: &Template, hole: Option<&TokenStream>) -> TokenStream {
        let out = runtime::local("out");
        let pieces = match template {
            Template::Pieces(pieces) => pieces,
            Template::Marked(marked) => return self.marked(marked, hole),
        };
        let Some((last, others)) = pieces.split_last() else {
            return quote!(__p::Ok(()));
        };
        let others = others.iter().map(|piece| match piece {
            Piece::Literal(text) => quote!(#out.literal(#text);),
            Piece::Value(value) => {
                let value = self.value(value, hole);
                quote!(#value?;)
            }
        });
        let last = match last {
            Piece::Literal(text) => quote!(#out.literal(#text); __p::Ok(())),
            Piece::Value(value) => self.value(value, hole),
        };
        quote!(#(#others)* #last)
    }

    fn value(self, value: &Value, hole: Option<&TokenStream>) -> TokenStream {
        match value {
            Value::Print(operand, print) => self.put(operand, print),
            Value::Hole => hole.cloned().unwrap_or_else(|| quote!(__p::Ok(()))),
        }
    }

    /// A template that the renderer walks: `out.template(&TEXT, &mut |index, out| .., &|index| ..)`.
    fn marked(self, marked: &Marked, hole: Option<&TokenStream>) -> TokenStream {
        let [place, out] = ["place", "out"].map(runtime::local);
        let text = &marked.text;
        let values = marked.values.iter().map(|value| self.value(value, hole));
        let put = choose(&place, values, &quote!(__p::Ok(())));
        let asked = marked.conditions.iter();
        let asked = asked.map(|operand| conditions_of(&self.borrow(operand)));
        let holds = choose(&place, asked, &quote!(false));
        quote! {
            static TEXT: __p::Text = #text;
            #out.template(&TEXT, &mut |#place, #out| #put, &|#place| #holds)
        }
    }
}

/// Whether a template prints or asks such a thing. An entry of the table stands for itself.
fn uses(template: &Template, wanted: fn(&Operand) -> bool) -> bool {
    let printed = template.values().any(|value| match value {
        Value::Print(_, Print::Table(_)) | Value::Hole => false,
        Value::Print(operand, _) => wanted(operand),
    });
    printed || template.conditions().iter().any(wanted)
}

fn json(value: &TokenStream, form: Json, at: Span) -> TokenStream {
    let out = runtime::local("out");
    match form {
        Json::Compact => quote_spanned!(at=> __p::json(#value, #out)),
        Json::Pretty => quote_spanned!(at=> __p::json_pretty(#value, #out)),
        Json::Indented(columns) => {
            let columns = plain(columns);
            quote_spanned!(at=> __p::json_indented(#value, #columns, #out))
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
    let bindings = node.fields.iter().map(|(member, _)| binding(member));
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
        Operand::Index { .. } => Span::call_site(),
    }
}

/// `match index { 0 => .., 1 => .., _ => .. }`, or the last of these alone where there is nothing to choose.
pub(crate) fn choose(
    index: &Ident,
    bodies: impl Iterator<Item = TokenStream>,
    otherwise: &TokenStream,
) -> TokenStream {
    let arms = bodies.enumerate().map(|(number, body)| {
        let number = plain(number);
        quote!(#number => { #body })
    });
    quote!(match #index { #(#arms)* _ => #otherwise })
}
