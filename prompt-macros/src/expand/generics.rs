//! Bounds on type parameters: what sections and variables of a bare parameter need.

use crate::model::{
    Model,
    variable::{Operand, Print},
};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Generics, parse_quote};

/// The generics of the implementation.
pub(crate) fn bounded(model: &Model) -> Generics {
    let mut generics = model.generics.clone();
    let parameters: Vec<Ident> = generics
        .type_params()
        .map(|parameter| parameter.ident.clone())
        .collect();
    for parameter in &parameters {
        let sections = model.nodes().flat_map(|node| &node.sections);
        let embedded = sections.map(|section| section.ty.to_token_stream());
        if embedded.into_iter().any(|ty| mentions(ty, parameter)) {
            generics
                .make_where_clause()
                .predicates
                .push(parse_quote!(#parameter: __p::PromptNode));
        }
        if is_printed(model, parameter) {
            generics
                .make_where_clause()
                .predicates
                .push(parse_quote!(#parameter: __p::Display));
        }
    }
    generics
}

/// Whether a variable prints a field of this type with its `Display`.
fn is_printed(model: &Model, parameter: &Ident) -> bool {
    let variables = model.nodes().flat_map(|node| &node.variables);
    variables.into_iter().any(|variable| {
        let displayed = matches!(
            variable.print,
            Print::Display | Print::Option { .. } | Print::List { .. }
        );
        let whole = matches!(&variable.operand, Operand::Field { path, .. } if path.is_empty());
        displayed
            && whole
            && variable
                .ty
                .as_ref()
                .is_some_and(|ty| crate::model::kind::is_or_holds(ty, parameter))
    })
}

fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}
