//! Bounds of the implementation: what sections and variables whose types have parameters need.

use crate::model::{
    Model, Node,
    form::{Asked, Base, Loop, Operand, Print},
    kind::{Seen, inner, item},
    section::Content,
};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Generics, Type, WherePredicate, parse_quote};

/// The generics of the implementation: with the bounds that the user gives, or else those that follow from what is used.
pub(crate) fn bounded(model: &Model<'_>) -> Generics {
    let mut generics = model.input.generics.clone();
    let names: Vec<Ident> = generics
        .type_params()
        .map(|parameter| parameter.ident.clone())
        .collect();
    let predicates = match &model.input.container.keys.bound {
        Some(bound) => bound.clone(),
        None if names.is_empty() => return generics,
        None => Bounds::of(model, &names).list,
    };
    generics.make_where_clause().predicates.extend(predicates);
    generics
}

/// Bounds as they are found, each once.
struct Bounds<'a> {
    model: &'a Model<'a>,
    /// The type parameters.
    names: &'a [Ident],
    list: Vec<WherePredicate>,
}

impl<'a> Bounds<'a> {
    fn of(model: &'a Model<'a>, names: &'a [Ident]) -> Self {
        let mut bounds = Self {
            model,
            names,
            list: Vec::new(),
        };
        for node in &model.nodes {
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
        if !is_open || mentions(&tokens, std::slice::from_ref(&self.model.input.ident)) {
            return;
        }
        let predicate: WherePredicate = parse_quote!(#ty: #bound);
        let words = |it: &WherePredicate| it.to_token_stream().to_string();
        if self.list.iter().all(|it| words(it) != words(&predicate)) {
            self.list.push(predicate);
        }
    }

    fn sections(&mut self, node: &Node<'_>) {
        for section in &node.sections {
            if matches!(section.content, Content::Node) {
                self.need(&section.field.ty, &quote!(__p::PromptNode));
                if let Some(Seen::Entry(key, _)) = item(&section.field.ty) {
                    self.need(key, &quote!(__p::Display));
                }
            }
        }
    }

    fn values(&mut self, node: &Node<'_>) {
        for (_, variable) in node.uses.printed() {
            let Some(ty) = node.type_of(&variable.operand, &node.uses.loops) else {
                continue;
            };
            match &variable.print {
                Print::Display => self.need(ty, &quote!(__p::Display)),
                Print::Spec(spec, _) => self.need(ty, &spec_trait(spec)),
                Print::Json(_) => self.need(ty, &quote!(__p::Json)),
                Print::With(..) | Print::Attribute => {}
            }
        }
    }

    fn conditions(&mut self, node: &Node<'_>) {
        for condition in &node.uses.conditions {
            if let Asked::Value(operand) = &condition.asked
                && let Some(ty) = node.type_of(operand, &node.uses.loops)
                && std::ptr::eq(inner(ty), crate::model::kind::pointee(ty))
            {
                self.need(ty, &quote!(__p::Condition));
            }
        }
    }
}

impl Node<'_> {
    /// The type of a field, where the operand is one; of the item of a loop that of its list.
    pub(super) fn type_of<'n>(&'n self, operand: &Operand, loops: &'n [Loop]) -> Option<&'n Type> {
        if !operand.path.is_empty() {
            return None;
        }
        match &operand.base {
            Base::Field(member) => {
                let mut fields = self.body.fields.iter();
                fields.find(|it| it.member == *member).map(|it| &it.ty)
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
