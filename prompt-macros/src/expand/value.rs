//! Values: how one is reached, and the call that writes it.

use super::{runtime, scope::Scope, text::plain};
use crate::{
    input::{Style, value::Json},
    model::{
        Node,
        form::{Base, Clip, Operand, Piece, Print, Read, Template, TextTemplate, Value},
    },
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
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
                Read::Certain | Read::Plain => {}
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
            (Base::Item, _) => {
                let item = runtime::local("item");
                place(quote_spanned!(at=> #item), "item".to_owned())
            }
            (Base::LoopItem { alias, .. }, _) => {
                let item = runtime::named(alias);
                place(quote_spanned!(at=> #item), alias.clone())
            }
            (Base::Index { from: 0 }, _) => {
                place(runtime::local("index").into_token_stream(), usual)
            }
            (Base::Index { from }, _) => {
                let (index, from) = (runtime::local("index"), plain(*from));
                place(quote!((#index + #from)), usual)
            }
            (Base::LoopIndex { from }, _) => {
                let at = runtime::local("at");
                let method = if *from == 0 { "index" } else { "number" };
                let method = Ident::new(method, Span::call_site());
                place(quote!(#at.#method()), usual)
            }
        }
    }

    /// The call that writes an operand: `__p::Value(&self.name).put(out)`.
    pub(crate) fn put(self, operand: &Operand, print: &Print) -> TokenStream {
        self.read(operand, &quote!(__p::Ok(())), |value| {
            self.put_borrowed(value, print, operand.span)
        })
    }

    /// Whether an operand holds: `__p::holds(&self.note)`.
    pub(crate) fn holds(self, operand: &Operand) -> TokenStream {
        self.read(operand, &quote!(false), |value| {
            let at = runtime::at(operand.span);
            quote_spanned!(at=> __p::holds(#value))
        })
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
                quote!(__p::Scope::value(self, #entry, #out))
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
            Print::List {
                join,
                last,
                item,
                clip,
            } => {
                let write = self.write_item(item, clip.as_ref());
                quote_spanned!(at=> __p::print_list(#value, [#join, #last], #out, #write))
            }
            Print::Item(template) => {
                let write = self.write_item(template, None);
                quote_spanned!(at=> __p::print_item(#value, #out, #write))
            }
            Print::Clipped(clip, inner) => {
                let inner = self.put_borrowed(value, inner, span);
                clipped(clip, &inner)
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

    /// A list whose items are texts of their own: `__p::items_as_texts(&self.rules, |item, _, out| ..)`.
    pub(crate) fn texts(self, operand: &Operand, item: &Template) -> TokenStream {
        let value = self.borrow(operand);
        let write = self.write_item(item, None);
        quote!(__p::items_as_texts(#value, #write))
    }

    /// `|item, index, out| { .. }`.
    fn write_item(self, template: &Template, clip: Option<&Clip>) -> TokenStream {
        let used = |name: &str, wanted: fn(&Base) -> bool| {
            let name = runtime::local(name);
            if uses(template, wanted) {
                quote!(#name)
            } else {
                quote!(_)
            }
        };
        let item = used("item", |base| matches!(base, Base::Item));
        let index = used("index", |base| matches!(base, Base::Index { .. }));
        let out = runtime::local("out");
        let body = self.template(template, None);
        let body = match clip {
            Some(clip) => clipped(clip, &quote!({ #body })),
            None => body,
        };
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
            Template::Text(text) => return self.text(text, hole),
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

    pub(crate) fn value(self, value: &Value, hole: Option<&TokenStream>) -> TokenStream {
        match value {
            Value::Print(operand, print) => self.put(operand, print),
            Value::Hole => hole.cloned().unwrap_or_else(|| quote!(__p::Ok(()))),
        }
    }

    /// A template with conditions or loops: `out.template(&TEXT, &__p::answers(..))`.
    fn text(self, template: &TextTemplate, hole: Option<&TokenStream>) -> TokenStream {
        let out = runtime::local("out");
        let text = &template.text;
        let answers = Scope::of_template(template, self, hole).answers();
        quote! {
            static TEXT: __p::Text = #text;
            #out.template(&TEXT, &#answers)
        }
    }
}

/// Whether a template prints or asks such a thing. An entry of the table stands for itself.
fn uses(template: &Template, wanted: fn(&Base) -> bool) -> bool {
    let printed = template.values().any(|value| match value {
        Value::Print(_, Print::Table(_)) | Value::Hole => false,
        Value::Print(operand, _) => wanted(&operand.base),
    });
    printed || template.asked().any(|operand| wanted(&operand.base))
}

/// `__p::clip(__p::Clip { trim: false, max: __p::Some(300), more: ".." }, out, |out| ..)`.
fn clipped(clip: &Clip, inner: &TokenStream) -> TokenStream {
    let out = runtime::local("out");
    let Clip { trim, max, more } = clip;
    let max = max.map(plain);
    let max = max.map_or_else(|| quote!(__p::None), |max| quote!(__p::Some(#max)));
    quote!(__p::clip(__p::Clip { trim: #trim, max: #max, more: #more }, #out, |#out| #inner))
}

/// The name of a field, or a word for one that has none.
fn name_of(member: &Member) -> String {
    match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(_) => "found".to_owned(),
    }
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
