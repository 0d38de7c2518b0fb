//! Values, and what scopes answer: a node, a template with a text of its own, or an item of one of their loops. A template
//! is a scope whose values may have templates again, so both stand here.

use super::{
    access::Access,
    runtime,
    text::{constant, plain},
};
use crate::{
    input::value::Json,
    model::form::{
        Asked, Base, Clip, Condition, Loop, Operand, Piece, Print, Template, Uses, Variable,
    },
};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

impl Access {
    /// The call that writes an operand: `__p::Value(&self.name).put(out)`.
    pub(crate) fn put(self, operand: &Operand, print: &Print) -> TokenStream {
        self.read(operand, &quote!(__p::Ok(())), |value| {
            self.put_borrowed(value, print, operand.span)
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
                let [yes, no] = [yes, no].map(|template| self.template(template));
                quote_spanned!(at=> if __p::is_on(#value) { #yes } else { #no })
            }
            Print::Maybe { some, default } => {
                let found = runtime::local("value");
                let (some, default) = (self.template(some), self.otherwise(default.as_ref()));
                quote_spanned!(at=> match __p::maybe(#value) {
                    __p::Some(#found) => { #some }
                    __p::None => { #default }
                })
            }
            Print::Whole { some, default } => {
                let (some, default) = (self.template(some), self.otherwise(default.as_ref()));
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
            Print::Clipped(clip, inner) => {
                let inner = self.put_borrowed(value, inner, span);
                clipped(clip, &inner)
            }
        }
        .into_token_stream()
    }

    fn otherwise(self, default: Option<&Template>) -> TokenStream {
        default.map_or_else(|| quote!(__p::Ok(())), |words| self.template(words))
    }

    /// `|item, index, out| { .. }`.
    fn write_item(self, template: &Template, clip: Option<&Clip>) -> TokenStream {
        let operands = template.operands();
        let used = |name: &str, wanted: fn(&Base) -> bool| {
            let is_used = operands.iter().any(|operand| wanted(&operand.base));
            local_if(is_used, name)
        };
        let item = used("item", |base| matches!(base, Base::Item));
        let index = used("index", |base| matches!(base, Base::Index { .. }));
        let out = runtime::local("out");
        let body = self.template(template);
        let body = match clip {
            Some(clip) => clipped(clip, &quote!({ #body })),
            None => body,
        };
        quote!(|#item, #index, #out| { #body })
    }

    /// Statements that write a template, and its result; one with conditions or loops is a scope of its own:
    /// `__p::template(&TEXT, &__p::answers(..), out)`.
    ///
    /// ```text
    /// out.literal(" (");
    /// __p::Value(value).put(out)?;
    /// out.literal(")");
    /// __p::Ok(())
    /// ```
    fn template(self, template: &Template) -> TokenStream {
        let out = runtime::local("out");
        let pieces = match template {
            Template::Pieces(pieces) => pieces,
            Template::Text(template) => {
                let answers = Scope::new(&template.uses, self).answers(None);
                let constant = constant("TEXT", "Text", &template.text);
                return quote!(#constant __p::template(&TEXT, &#answers, #out));
            }
        };
        let piece = |piece: &Piece| match piece {
            Piece::Literal(text) => (quote!(#out.literal(#text);), None),
            Piece::Value(operand, print) => {
                let value = self.put(operand, print);
                (quote!(#value?;), Some(value))
            }
        };
        let mut pieces: Vec<_> = pieces.iter().map(piece).collect();
        let last = pieces.pop_if(|(_, value)| value.is_some());
        let last = last.and_then(|(_, value)| value);
        let last = last.unwrap_or_else(|| quote!(__p::Ok(())));
        let others = pieces.into_iter().map(|(statement, _)| statement);
        quote!(#(#others)* #last)
    }
}

/// A local of generated code, if it is used.
fn local_if(is_used: bool, name: &str) -> TokenStream {
    if is_used {
        runtime::local(name).into_token_stream()
    } else {
        quote!(_)
    }
}

/// `__p::clip(__p::Clip { trim: false, max: __p::Some(300), more: ".." }, out, |out| ..)`.
fn clipped(clip: &Clip, inner: &TokenStream) -> TokenStream {
    let out = runtime::local("out");
    let Clip { trim, max, more } = clip;
    let max = max.map(plain);
    let max = max.map_or_else(|| quote!(__p::None), |max| quote!(__p::Some(#max)));
    quote!(__p::clip(__p::Clip { trim: #trim, max: #max, more: #more }, #out, |#out| #inner))
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

    /// A template as a scope, or an item of a loop, which asks around it for what is not about it.
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
    fn answers(&self, of: Option<u16>) -> TokenStream {
        let [entry, out, list, around, body] =
            ["entry", "out", "list", "around", "body"].map(runtime::local);
        let is_item = of.is_some();
        let around_it = |call: TokenStream| is_item.then(|| quote!(#around.#call));
        let values = self.value_arms(of, |_| false);
        let value = around_it(quote!(value(#entry, #out)));
        let value = closure(&[&entry, &out], &values, value, &quote!(__p::Ok(())));
        let conditions = self.condition_arms(of);
        let ask = around_it(quote!(ask(#entry)));
        let ask = closure(&[&entry], &conditions, ask, &quote!(false));
        let loops = self.loop_arms(of);
        let each = closure(&[&list, &around, &body], &loops, None, &quote!(__p::Ok(())));
        let [move_value, move_each] =
            [true, !loops.is_empty()].map(|is_moved| (is_item && is_moved).then(|| quote!(move)));
        quote!(__p::answers(#move_value #value, #move_value #ask, #move_each #each))
    }

    fn value_arms(&self, of: Option<u16>, is_left_out: impl Fn(usize) -> bool) -> Vec<TokenStream> {
        let variables = self.uses.variables.iter().enumerate();
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

    /// What a condition asks; nothing of a section, whose print only the renderer knows.
    fn asked(&self, condition: &Condition) -> Option<TokenStream> {
        Some(match &condition.asked {
            Asked::Value(operand) => self.access.holds(operand, condition.trimmed),
            Asked::Section => return None,
            Asked::Place(method) => {
                let at = runtime::local("at");
                let method = Ident::new(method, proc_macro2::Span::call_site());
                quote!(#at.#method())
            }
        })
    }

    fn loop_arms(&self, outer: Option<u16>) -> Vec<TokenStream> {
        let loops = self.uses.loops.iter().zip(0..);
        let loops = loops.filter(|(it, _)| it.outer == outer);
        let arm = |(it, number): (&Loop, u16)| {
            let (pattern, call) = (plain(number), self.loop_over(it, number));
            quote!(#pattern => { #call })
        };
        loops.map(arm).collect()
    }

    /// `__p::each(&self.tickets, body, |ticket, at| __p::answers(..))`.
    fn loop_over(&self, it: &Loop, number: u16) -> TokenStream {
        let body = runtime::local("body");
        let at = runtime::at(it.span);
        let answers = self.answers(Some(number));
        let is_item = |base: &Base| matches!(base, Base::LoopItem { .. });
        let item = self
            .is_read(number, is_item)
            .then(|| runtime::named(&it.alias));
        let item = item.map_or_else(|| quote!(_), ToTokens::into_token_stream);
        let is_place = |base: &Base| matches!(base, Base::LoopIndex { .. });
        let place = local_if(self.is_read(number, is_place), "at");
        self.access.read(
            &it.list,
            &quote!(__p::Ok(())),
            |list| quote_spanned!(at=> __p::each(#list, #body, |#item, #place| #answers)),
        )
    }

    /// Whether anything reads the item of a loop, or its place.
    fn is_read(&self, of: u16, wanted: fn(&Base) -> bool) -> bool {
        let of = Some(of);
        let variables = self.uses.variables.iter();
        let variables = variables.filter(|it| it.item_of == of);
        let variables = variables.map(|it| &it.operand.base);
        let conditions = self.uses.conditions.iter();
        let conditions = conditions.filter(|condition| condition.item_of == of);
        let conditions = conditions.map(|condition| match &condition.asked {
            Asked::Value(operand) => &operand.base,
            _ => &Base::LoopIndex { from: 0 },
        });
        let lists = self.uses.loops.iter().filter(|it| it.item_of == of);
        let lists = lists.map(|it| &it.list.base);
        variables.chain(conditions).chain(lists).any(wanted)
    }
}

/// `|entry, out| match entry { .. }`: without arms what is asked around, or else nothing.
fn closure(
    names: &[&dyn ToTokens],
    arms: &[TokenStream],
    around: Option<TokenStream>,
    nothing: &TokenStream,
) -> TokenStream {
    let first = names[0];
    match (arms, around) {
        ([], None) => {
            let names = names.iter().map(|_| quote!(_));
            quote!(|#(#names),*| #nothing)
        }
        ([], Some(around)) => quote!(|#(#names),*| #around),
        (arms, around) => {
            let otherwise = around.as_ref().unwrap_or(nothing);
            quote!(|#(#names),*| match #first { #(#arms)* _ => #otherwise })
        }
    }
}

/// `match entry { 0 => .., _ => otherwise }`.
fn choose(entry: &str, arms: &[TokenStream], otherwise: &TokenStream) -> TokenStream {
    let entry = runtime::local(entry);
    quote!(match #entry { #(#arms)* _ => #otherwise })
}
