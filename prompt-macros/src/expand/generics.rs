//! Bounds of the implementation: what sections and variables whose types have parameters need.

use crate::model::{
    Model, Node,
    form::{Asked, Base, Loop, Operand, Print, Template, Value},
    kind::{inner, map_key},
    section::Content,
};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Generics, Member, Type, WherePredicate, parse_quote};

/// The generics of the implementation: with the bounds that the user gives, or else those that follow from what is used.
pub(crate) fn bounded(model: &Model) -> Generics {
    let mut generics = model.generics.clone();
    let names: Vec<Ident> = generics
        .type_params()
        .map(|parameter| parameter.ident.clone())
        .collect();
    let predicates = match &model.bound {
        Some(bound) => bound.clone(),
        None if names.is_empty() => return generics,
        None => Bounds::of(model, &names).list,
    };
    generics.make_where_clause().predicates.extend(predicates);
    generics
}

/// Bounds as they are found, each once.
struct Bounds<'a> {
    model: &'a Model,
    /// The type parameters.
    names: &'a [Ident],
    list: Vec<WherePredicate>,
    seen: Vec<String>,
}

impl<'a> Bounds<'a> {
    fn of(model: &'a Model, names: &'a [Ident]) -> Self {
        let mut bounds = Self {
            model,
            names,
            list: Vec::new(),
            seen: Vec::new(),
        };
        for node in model.nodes() {
            bounds.sections(node);
            bounds.values(node);
            bounds.conditions(node);
        }
        bounds
    }

    /// A type that has a parameter in it needs this; of options, lists and pointers what is in them. A type that has
    /// itself in it would ask without end.
    fn need(&mut self, ty: &Type, bound: &TokenStream) {
        let ty = inner(ty);
        let tokens = ty.to_token_stream();
        let is_open = mentions(&tokens, self.names);
        if !is_open || mentions(&tokens, std::slice::from_ref(&self.model.ident)) {
            return;
        }
        let predicate: WherePredicate = parse_quote!(#ty: #bound);
        let words = predicate.to_token_stream().to_string();
        if !self.seen.contains(&words) {
            self.seen.push(words);
            self.list.push(predicate);
        }
    }

    fn sections(&mut self, node: &Node) {
        for section in &node.sections {
            if matches!(section.content, Content::Node) {
                self.need(&section.ty, &quote!(__p::PromptNode));
                if let Some(key) = map_key(&section.ty) {
                    self.need(key, &quote!(__p::Display));
                }
            }
            if let Content::Texts(template) = &section.content {
                self.template(node, Some(&section.ty), template);
            }
        }
    }

    fn values(&mut self, node: &Node) {
        for variable in &node.variables {
            let place = (None, node.loops.as_slice());
            self.printed(node, &variable.operand, place, &variable.print);
        }
    }

    fn conditions(&mut self, node: &Node) {
        for condition in &node.conditions {
            if let Asked::Value(operand) = &condition.asked
                && let Some(ty) = node.type_of(operand, &node.loops)
                && std::ptr::eq(inner(ty), crate::model::kind::pointee(ty))
            {
                self.need(ty, &quote!(__p::Condition));
            }
        }
    }

    /// What a value needs that prints like this. Beside it stand the type of the list that an item is of, and the loops
    /// around.
    fn printed(
        &mut self,
        node: &Node,
        operand: &Operand,
        (list, loops): (Option<&Type>, &[Loop]),
        print: &Print,
    ) {
        let ty = match operand.base {
            Base::Item if operand.path.is_empty() => list,
            _ => node.type_of(operand, loops),
        };
        match print {
            Print::Display => self.needs(ty, &quote!(__p::Display)),
            Print::Spec(spec, _) => self.needs(ty, &spec_trait(spec)),
            Print::Json(_) => self.needs(ty, &quote!(__p::Json)),
            Print::Choice { yes, no } => {
                self.template(node, None, yes);
                self.template(node, None, no);
            }
            Print::Maybe {
                some,
                default,
                inner,
            }
            | Print::Whole {
                some,
                default,
                inner,
            } => {
                for template in some.iter().chain(default) {
                    self.template(node, None, template);
                }
                self.printed(node, operand, (list, loops), inner);
            }
            Print::Clipped(_, inner) => self.printed(node, operand, (list, loops), inner),
            Print::List { item, .. } => self.template(node, ty, item),
            Print::Item(item) => self.template(node, ty, item),
            Print::With(..) | Print::Attribute | Print::Table(_) => {}
        }
    }

    fn needs(&mut self, ty: Option<&Type>, bound: &TokenStream) {
        if let Some(ty) = ty {
            self.need(ty, bound);
        }
    }

    fn template(&mut self, node: &Node, list: Option<&Type>, template: &Template) {
        let loops = template.loops();
        for value in template.values() {
            if let Value::Print(operand, print) = value {
                self.printed(node, operand, (list, loops), print);
            }
        }
    }
}

impl Node {
    /// The type of a field, where the operand is one; of the item of a loop that of its list.
    pub(super) fn type_of<'n>(&'n self, operand: &Operand, loops: &'n [Loop]) -> Option<&'n Type> {
        if !operand.path.is_empty() {
            return None;
        }
        match &operand.base {
            Base::Field(member) => {
                let is_it = |(other, _): &&(Member, Type)| other == member;
                self.fields.iter().find(is_it).map(|(_, ty)| ty)
            }
            Base::LoopItem { of, .. } => self.type_of(&loops[usize::from(*of)].list, loops),
            _ => None,
        }
    }
}

/// The trait that formats a value with this spec.
fn spec_trait(spec: &str) -> TokenStream {
    let kind = spec
        .trim_start_matches(|c: char| !matches!(c, '?' | 'x' | 'X' | 'o' | 'b' | 'e' | 'E' | 'p'));
    match kind {
        "?" | "x?" | "X?" => quote!(__p::fmt::Debug),
        "x" => quote!(__p::fmt::LowerHex),
        "X" => quote!(__p::fmt::UpperHex),
        "o" => quote!(__p::fmt::Octal),
        "b" => quote!(__p::fmt::Binary),
        "e" => quote!(__p::fmt::LowerExp),
        "E" => quote!(__p::fmt::UpperExp),
        "p" => quote!(__p::fmt::Pointer),
        _ => quote!(__p::Display),
    }
}

/// Whether one of these names stands in a type.
fn mentions(tokens: &TokenStream, names: &[Ident]) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => names.contains(&ident),
        TokenTree::Group(group) => mentions(&group.stream(), names),
        _ => false,
    })
}
