//! What is written when the input is wrong: every error, and an implementation that keeps uses of the type from adding
//! errors of their own. The expressions that are sound stand in it, so that an editor completes and explains them.

use super::{access::pattern, runtime};
use crate::{
    diagnostic::Diagnostic,
    input::{Body, Input, named::Named, value::Expression},
    model::value::borrowable,
};
use proc_macro2::TokenStream;
use quote::quote;

/// Errors and a stub: a section with a summary, and a phrase in a sentence, whatever its users ask for.
pub(crate) fn fallback(input: &Input, errors: &[Diagnostic]) -> TokenStream {
    let errors = errors.iter().map(Diagnostic::to_tokens);
    let alias = runtime::alias(input.krate());
    let (parameters, arguments, bounds) = input.generics.split_for_impl();
    let ident = &input.ident;
    let expressions = expressions(input);
    quote! {
        #(#errors)*
        const _: () = {
            #alias
            #[automatically_derived]
            impl #parameters __p::PromptNode for #ident #arguments #bounds {
                #[allow(unused_variables)]
                fn embedded(&self) -> __p::Embedded<'_> {
                    #expressions
                    __p::Embedded::absent()
                }
            }
            #[automatically_derived]
            impl #parameters __p::Summarised for #ident #arguments #bounds {}
            #[automatically_derived]
            impl #parameters __p::Phrase for #ident #arguments #bounds {}
        };
    }
}

/// The expressions of the attributes as they would be used, in a closure that nobody calls.
fn expressions(input: &Input) -> TokenStream {
    let bodies = input.bodies.iter().map(|body| (body, statements(body)));
    let mut bodies = bodies
        .filter(|(_, statements)| !statements.is_empty())
        .peekable();
    if bodies.peek().is_none() {
        return TokenStream::new();
    }
    let body: TokenStream = if input.is_enum {
        let arms = bodies.map(|(body, statements)| {
            let pattern = pattern(body);
            quote!(#pattern => { #statements })
        });
        quote!(match self { #(#arms)* #[allow(unreachable_patterns)] _ => {} })
    } else {
        bodies.map(|(_, statements)| statements).collect()
    };
    quote!(let _ = || { #body };)
}

fn statements(body: &Body) -> TokenStream {
    let container = &body.container;
    let value = |named: &Named| {
        let expr = borrowable(named.expr.as_ref()?);
        Some(quote!(let _ = &#expr;))
    };
    let tools = |tools: &Expression| {
        let tools = borrowable(&tools.0);
        quote!(let _ = __p::tools(&#tools);)
    };
    let named = container.vars.iter().chain(&container.attributes);
    let mut statements: TokenStream = named.filter_map(value).collect();
    statements.extend(container.keys.tools.as_ref().map(tools));
    for (_, keys) in body.sections() {
        statements.extend(keys.attributes.iter().filter_map(value));
        if keys.said.has(&["visibility", "priority", "when"]) {
            let section = keys.computed(quote!(__p::Section::hidden()));
            statements.extend(quote!(let _ = #section;));
        }
        statements.extend(keys.tools.as_ref().map(tools));
    }
    statements
}
