//! Values, and what scopes answer: a node, or an item of one of its loops.

use super::{access::Access, runtime, text::plain};
use crate::{
    input::value::Json,
    model::form::{Asked, Condition, Loop, Operand, Print, Uses, Variable},
};
use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

impl Access {
    /// The call that writes an operand: `__p::Value(&self.name).put(out)`.
    pub(crate) fn put(self, operand: &Operand, print: &Print) -> TokenStream {
        self.read(operand, &quote!(__p::Ok(())), |value| {
            put_borrowed(value, print, operand.span)
        })
    }
}

fn put_borrowed(value: &TokenStream, print: &Print, span: Span) -> TokenStream {
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
        Print::With(path, plain) => put_borrowed(&quote_spanned!(at=> &#path(#value)), plain, span),
        Print::Attribute => quote_spanned!(at=> __p::attribute(#value, #out)),
    }
}

/// `__p::json(&self.log, __p::Some(2), out)`.
fn json(value: &TokenStream, form: Json, at: Span) -> TokenStream {
    let out = runtime::local("out");
    let indent = form.0.map(plain);
    let indent = indent.map_or_else(|| quote!(__p::None), |columns| quote!(__p::Some(#columns)));
    quote_spanned!(at=> __p::json(#value, #indent, #out))
}

/// What texts use, and how the fields behind it are reached.
pub(crate) struct Scope<'m> {
    uses: &'m Uses,
    access: Access,
}

impl<'m> Scope<'m> {
    pub(crate) fn new(uses: &'m Uses, access: Access) -> Self {
        Self { uses, access }
    }

    /// `match entry { 0 => .., _ => __p::Ok(()) }`: the body of `value`. Several fields of one known type that print as
    /// they are share an arm, which is cheaper to compile.
    ///
    /// ```text
    /// 0 | 2 | 3 => __p::Value(match entry { 0 => &self.language, 2 => &self.city, _ => &self.lead }).put(out),
    /// 1 => __p::Value(&self.team).put(out),
    /// ```
    pub(crate) fn value(&self, alike: &[Vec<(usize, &Operand)>]) -> TokenStream {
        let [entry, out] = ["entry", "out"].map(runtime::local);
        let shared = alike.iter().filter_map(|fields| {
            let ((_, last), others) = fields.split_last()?;
            let others = others.iter().map(|(number, field)| {
                let (arm, field) = (plain(*number), self.access.borrow(field));
                quote!(#arm => #field,)
            });
            let numbers = fields.iter().map(|(number, _)| plain(*number));
            let last = self.access.borrow(last);
            Some(quote! {
                #(#numbers)|* => __p::Value(match #entry { #(#others)* _ => #last }).put(#out),
            })
        });
        let shared: Vec<TokenStream> = shared.collect();
        let is_shared = |number: usize| {
            let mut all = alike.iter().flatten();
            all.any(|(shared, _)| *shared == number)
        };
        let own = self.value_arms(None, is_shared);
        choose("entry", &[shared, own].concat(), &quote!(__p::Ok(())))
    }

    /// The body of `ask`.
    pub(crate) fn ask(&self) -> TokenStream {
        choose("entry", &self.condition_arms(None), &quote!(false))
    }

    /// The body of `each`.
    pub(crate) fn each(&self) -> TokenStream {
        choose("list", &self.loop_arms(None), &quote!(__p::Ok(())))
    }

    /// An item of a loop as a scope, which asks around it for what is not about it.
    ///
    /// ```text
    /// __p::answers(
    ///     move |entry, out| match entry {
    ///         2 => __p::Value(&ticket.number).put(out),
    ///         _ => around.value(entry, out),
    ///     },
    ///     move |entry| around.ask(entry),
    ///     |_, _, _| __p::Ok(()),
    /// )
    /// ```
    fn answers(&self, of: u16) -> TokenStream {
        let [entry, out, list, around, inner, body] =
            ["entry", "out", "list", "around", "inner", "body"].map(runtime::local);
        let values = self.value_arms(Some(of), |_| false);
        let value = closure(
            &[&entry, &out],
            &values,
            &quote!(#around.value(#entry, #out)),
        );
        let conditions = self.condition_arms(Some(of));
        let ask = closure(&[&entry], &conditions, &quote!(#around.ask(#entry)));
        let loops = self.loop_arms(Some(of));
        let inner: &dyn ToTokens = if loops.is_empty() { &quote!(_) } else { &inner };
        let each = closure(
            &[&list, inner, &body],
            &loops,
            &quote!(#around.each(#list, #body)),
        );
        quote!(__p::answers(move #value, move #ask, move #each))
    }

    fn value_arms(&self, of: Option<u16>, is_left_out: impl Fn(usize) -> bool) -> Vec<TokenStream> {
        let variables = self.uses.printed();
        let variables = variables.filter(|(number, it)| it.item_of == of && !is_left_out(*number));
        let arm = |(number, it): (usize, &Variable)| {
            let (number, call) = (plain(number), self.access.put(&it.operand, &it.print));
            quote!(#number => { #call })
        };
        variables.map(arm).collect()
    }

    fn condition_arms(&self, of: Option<u16>) -> Vec<TokenStream> {
        let conditions = self.uses.conditions.iter().enumerate();
        let conditions = conditions.filter(|(_, condition)| condition.item_of == of);
        let arm = |(number, condition): (usize, &Condition)| {
            let (number, asked) = (plain(number), self.asked(condition)?);
            Some(quote!(#number => { #asked }))
        };
        conditions.filter_map(arm).collect()
    }

    /// What a condition asks; nothing of what the renderer knows.
    fn asked(&self, condition: &Condition) -> Option<TokenStream> {
        Some(match &condition.asked {
            Asked::Value(operand) => self.access.holds(operand, condition.trimmed),
            Asked::Presence(operand, presence) => self.access.is_there(operand, *presence),
            Asked::Known => return None,
        })
    }

    fn loop_arms(&self, outer: Option<u16>) -> Vec<TokenStream> {
        let loops = self.uses.loops.iter().zip(0..);
        let loops = loops.filter(|(it, _)| it.outer == outer);
        // What is around the items of such a loop is the item of this one.
        let [around, inner] = ["around", "inner"].map(runtime::local);
        let around = outer.map(|_| quote!(let #around = #inner;));
        let arm = |(it, number): (&Loop, u16)| {
            let (pattern, call) = (plain(number), self.loop_over(it, number));
            quote!(#pattern => { #around #call })
        };
        loops.map(arm).collect()
    }

    /// `__p::each(&self.tickets, body, |ticket| __p::answers(..))`.
    fn loop_over(&self, it: &Loop, number: u16) -> TokenStream {
        let body = runtime::local("body");
        let at = runtime::at(it.span);
        let answers = self.answers(number);
        let item = self.is_read(number).then(|| runtime::named(&it.alias));
        let item = item.map_or_else(|| quote!(_), ToTokens::into_token_stream);
        self.access.read(
            &it.list,
            &quote!(__p::Ok(())),
            |list| quote_spanned!(at=> __p::each(#list, #body, |#item| #answers)),
        )
    }

    /// Whether anything reads the item of a loop.
    fn is_read(&self, of: u16) -> bool {
        let of = Some(of);
        let mut variables = self.uses.printed().filter(|(_, it)| it.item_of == of);
        let mut conditions = self.uses.conditions.iter().filter(|it| it.item_of == of);
        let mut lists = self.uses.loops.iter().filter(|it| it.item_of == of);
        let is_asked = |it: &Condition| !matches!(it.asked, Asked::Known);
        variables.next().is_some() || conditions.any(is_asked) || lists.next().is_some()
    }
}

/// `|entry, out| match entry { .. }`: without arms what is asked around.
fn closure(names: &[&dyn ToTokens], arms: &[TokenStream], otherwise: &TokenStream) -> TokenStream {
    let first = names[0];
    if arms.is_empty() {
        return quote!(|#(#names),*| #otherwise);
    }
    quote!(|#(#names),*| match #first { #(#arms)* _ => #otherwise })
}

/// `match entry { 0 => .., _ => otherwise }`.
fn choose(entry: &str, arms: &[TokenStream], otherwise: &TokenStream) -> TokenStream {
    let entry = runtime::local(entry);
    quote!(match #entry { #(#arms)* _ => #otherwise })
}
