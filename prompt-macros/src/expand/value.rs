//! Values, and what scopes answer: a node, a template with a text of its own, or an item of one of their loops. A template
//! is a scope whose values may have templates again, so both stand here.

use super::{
    access::Access,
    runtime,
    text::{constant, plain},
};
use crate::{
    input::value::Json,
    model::{
        Node,
        form::{
            Asked, Base, Clip, Condition, Loop, Operand, Piece, Print, ScopedValue, Template,
            TextTemplate, Value,
        },
        value::Variable,
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
        let constant = constant("TEXT", "Text", text);
        quote!(#constant #out.template(&TEXT, &#answers))
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

/// Values, conditions and loops, each with its number.
pub(crate) struct Scope<'m> {
    values: Values<'m>,
    conditions: &'m [Condition],
    loops: &'m [Loop],
    access: Access,
}

/// The values of a scope.
enum Values<'m> {
    Node(&'m [Variable]),
    /// Those of a template, and what the `{}` of `some` writes.
    Template(&'m [ScopedValue], Option<&'m TokenStream>),
}

/// A value of a scope: the loop whose item it is about, and what it prints.
type Scoped<'m> = (Option<u16>, Option<(&'m Operand, &'m Print)>);

impl<'m> Scope<'m> {
    pub(crate) fn of_node(node: &'m Node, access: Access) -> Self {
        Self {
            values: Values::Node(&node.variables),
            conditions: &node.conditions,
            loops: &node.loops,
            access,
        }
    }

    /// A template; `hole` is what the `{}` of `some` writes.
    pub(crate) fn of_template(
        template: &'m TextTemplate,
        access: Access,
        hole: Option<&'m TokenStream>,
    ) -> Self {
        Self {
            values: Values::Template(&template.values, hole),
            conditions: &template.conditions,
            loops: &template.loops,
            access,
        }
    }

    /// Its values, those of templates without what is only known to them.
    fn values(&self) -> Vec<Scoped<'m>> {
        match &self.values {
            Values::Node(list) => {
                let list = list.iter();
                list.map(|it| (it.item_of, Some((&it.operand, &it.print))))
                    .collect()
            }
            Values::Template(list, _) => {
                let list = list.iter();
                list.map(|it| match &it.value {
                    Value::Print(operand, print) => (it.item_of, Some((operand, print))),
                    Value::Hole => (it.item_of, None),
                })
                .collect()
            }
        }
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

    /// Whether a loop goes over a part of an item of a list section.
    fn loops_in_items(&self) -> bool {
        self.loops.iter().any(|it| it.section.is_some())
    }

    /// `__p::answers(|entry, out| .., |entry, _| .., |list, _, around, body| ..)`: a template as a scope.
    pub(crate) fn answers(&self) -> TokenStream {
        let [entry, out, list, around, body] =
            ["entry", "out", "list", "around", "body"].map(runtime::local);
        let values = self.value_arms(None, |_| false);
        let value = if values.is_empty() {
            quote!(|_, _| __p::Ok(()))
        } else {
            let value = choose("entry", &values, &quote!(__p::Ok(())));
            quote!(|#entry, #out| #value)
        };
        let conditions = self.condition_arms(None);
        let ask = if conditions.is_empty() {
            quote!(|_, _| false)
        } else {
            let ask = choose("entry", &conditions, &quote!(false));
            quote!(|#entry, _| #ask)
        };
        let loops = self.loop_arms(None);
        let each = if loops.is_empty() {
            quote!(|_, _, _, _| __p::Ok(()))
        } else {
            let each = choose("list", &loops, &quote!(__p::Ok(())));
            quote!(|#list, _, #around, #body| #each)
        };
        quote!(__p::answers(#value, #ask, #each))
    }

    /// An item of a loop as a scope: what is not about it is asked around it.
    ///
    /// ```text
    /// __p::answers(
    ///     move |entry, out| match entry {
    ///         2 => __p::Value(&ticket.number).put(out),
    ///         _ => around.value(entry, out),
    ///     },
    ///     move |entry, index| around.ask(entry, index),
    ///     |_, _, _, _| __p::Ok(()),
    /// )
    /// ```
    fn item(&self, of: u16) -> TokenStream {
        let [entry, out, list, index, around, body] =
            ["entry", "out", "list", "index", "around", "body"].map(runtime::local);
        let values = self.value_arms(Some(of), |_| false);
        let value = if values.is_empty() {
            quote!(#around.value(#entry, #out))
        } else {
            choose("entry", &values, &quote!(#around.value(#entry, #out)))
        };
        let conditions = self.condition_arms(Some(of));
        let ask = if conditions.is_empty() {
            quote!(#around.ask(#entry, #index))
        } else {
            choose("entry", &conditions, &quote!(#around.ask(#entry, #index)))
        };
        let loops = self.loop_arms(Some(of));
        let each = if loops.is_empty() {
            quote!(|_, _, _, _| __p::Ok(()))
        } else {
            let each = choose("list", &loops, &quote!(__p::Ok(())));
            let index = if self.loops_in_items() {
                quote!(#index)
            } else {
                quote!(_)
            };
            quote!(move |#list, #index, #around, #body| #each)
        };
        quote! {
            __p::answers(
                move |#entry, #out| #value,
                move |#entry, #index| #ask,
                #each,
            )
        }
    }

    fn value_arms(&self, of: Option<u16>, is_left_out: impl Fn(usize) -> bool) -> Vec<TokenStream> {
        let hole = if let Values::Template(_, Some(hole)) = self.values {
            hole.clone()
        } else {
            quote!(__p::Ok(()))
        };
        let values = self.values().into_iter().enumerate();
        let values =
            values.filter(|(number, (item_of, _))| *item_of == of && !is_left_out(*number));
        let arm = |(number, (_, value)): (usize, Scoped<'_>)| {
            let number = plain(number);
            let call = value.map(|(operand, print)| self.access.put(operand, print));
            let call = call.as_ref().unwrap_or(&hole);
            quote!(#number => { #call })
        };
        values.map(arm).collect()
    }

    fn condition_arms(&self, of: Option<u16>) -> Vec<TokenStream> {
        let conditions = self.conditions.iter().enumerate();
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
            Asked::Value(operand) => self.access.holds(operand),
            Asked::Section(_) => return None,
            Asked::Place(method) => {
                let at = runtime::local("at");
                let method = Ident::new(method, proc_macro2::Span::call_site());
                quote!(#at.#method())
            }
            Asked::Item { list, item } => {
                let [name, index] = ["item", "index"].map(runtime::local);
                let (list, asked) = (self.access.borrow(list), self.access.holds(item));
                quote!(__p::holds_item(#list, #index, |#name| #asked))
            }
        })
    }

    fn loop_arms(&self, outer: Option<u16>) -> Vec<TokenStream> {
        let loops = self.loops.iter().zip(0..);
        let loops = loops.filter(|(it, _)| it.outer == outer);
        let arm = |(it, number): (&Loop, u16)| {
            let (pattern, call) = (plain(number), self.loop_over(it, number));
            quote!(#pattern => { #call })
        };
        loops.map(arm).collect()
    }

    /// `__p::each(&self.tickets, body, |ticket, at| __p::answers(..))`.
    fn loop_over(&self, it: &Loop, number: u16) -> TokenStream {
        let [body, name, index] = ["body", "item", "index"].map(runtime::local);
        let at = runtime::at(it.span);
        let answers = self.item(number);
        let item = if self.is_read(number, |base| matches!(base, Base::LoopItem { .. })) {
            let item = runtime::named(&it.alias);
            quote!(#item)
        } else {
            quote!(_)
        };
        let place = if self.is_read(number, |base| matches!(base, Base::LoopIndex { .. })) {
            let place = runtime::local("at");
            quote!(#place)
        } else {
            quote!(_)
        };
        let each = self.access.read(
            &it.list,
            &quote!(__p::Ok(())),
            |list| quote_spanned!(at=> __p::each(#list, #body, |#item, #place| #answers)),
        );
        match &it.section {
            Some(section) => {
                let section = self.access.borrow(section);
                quote!(__p::each_in_item(#section, #index, |#name| #each))
            }
            None => each,
        }
    }

    /// Whether anything reads the item of a loop, or its place.
    fn is_read(&self, of: u16, wanted: fn(&Base) -> bool) -> bool {
        let of = Some(of);
        let values = self.values().into_iter();
        let values = values.filter(|(item_of, _)| *item_of == of);
        let values = values.filter_map(|(_, value)| match value? {
            (_, Print::Table(_)) => None,
            (operand, _) => Some(&operand.base),
        });
        let conditions = self.conditions.iter();
        let conditions = conditions.filter(|condition| condition.item_of == of);
        let conditions = conditions.map(|condition| match &condition.asked {
            Asked::Value(operand) => &operand.base,
            _ => &Base::LoopIndex { from: 0 },
        });
        let lists = self.loops.iter().filter(|it| it.item_of == of);
        let lists = lists.map(|it| &it.list.base);
        values.chain(conditions).chain(lists).any(wanted)
    }
}

/// `match entry { 0 => .., _ => otherwise }`.
fn choose(entry: &str, arms: &[TokenStream], otherwise: &TokenStream) -> TokenStream {
    let entry = runtime::local(entry);
    quote!(match #entry { #(#arms)* _ => #otherwise })
}
