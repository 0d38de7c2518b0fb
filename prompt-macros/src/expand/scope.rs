//! What a scope answers: a node, a template with a text of its own, or an item of one of their loops.

use super::{runtime, text::plain, value::Access};
use crate::model::{
    Node,
    form::{Asked, Base, Condition, Loop, Operand, Print, ScopedValue, TextTemplate, Value},
    value::Variable,
};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

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
