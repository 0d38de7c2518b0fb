//! What is written when the input is wrong: every error, and an implementation that keeps uses of the type from adding
//! errors of their own. The expressions that are sound stand in it, so that an editor completes and explains them.

use super::runtime;
use crate::{
    diagnostic::Diagnostic,
    input::{
        Body, FieldRole, Input, Shape, Style,
        field::SectionKeys,
        named::Named,
        value::{Priority, Visibility},
    },
    model::value::borrowable,
};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, Member};

/// Errors and a stub.
pub(crate) fn fallback(input: &Input, errors: &[Diagnostic]) -> TokenStream {
    let errors = errors.iter().map(Diagnostic::to_tokens);
    let krate = input.container.own.krate.as_ref().map(|path| &path.0);
    let alias = runtime::alias(krate);
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
        };
    }
}

/// The expressions of the attributes as they would be used, in a closure that nobody calls.
fn expressions(input: &Input) -> TokenStream {
    let body = match &input.shape {
        Shape::Struct(body) => statements(body),
        Shape::Enum(variants) => {
            let arms = variants.iter().filter_map(|variant| {
                let statements = statements(variant);
                (!statements.is_empty()).then(|| {
                    let pattern = pattern(variant);
                    quote!(#pattern => { #statements })
                })
            });
            let arms: TokenStream = arms.collect();
            if arms.is_empty() {
                arms
            } else {
                quote!(match self { #arms #[allow(unreachable_patterns)] _ => {} })
            }
        }
    };
    if body.is_empty() {
        return body;
    }
    quote!(let _ = || { #body };)
}

fn statements(body: &Body) -> TokenStream {
    let container = &body.container;
    let named = container.vars.iter().chain(&container.attributes);
    let mut statements: TokenStream = named.filter_map(value).collect();
    if let Some(tools) = &container.own.tools {
        let tools = borrowable(&tools.0);
        statements.extend(quote!(let _ = __p::tools(&#tools);));
    }
    for field in &body.fields {
        statements.extend(field.attributes.iter().filter_map(value));
        if let FieldRole::Section(keys) = &field.role {
            statements.extend(section(keys));
        }
    }
    statements
}

fn value(named: &Named) -> Option<TokenStream> {
    let expr = borrowable(named.expr.as_ref()?);
    Some(quote!(let _ = &#expr;))
}

fn section(keys: &SectionKeys) -> TokenStream {
    let mut section = quote!(__p::Section::hidden());
    let plain = section.to_string();
    if let Some(Visibility::Computed(expr)) = &keys.own.visibility {
        section.extend(quote!(.visibility(#expr)));
    }
    if let Some(Priority::Computed(expr)) = &keys.policy.priority {
        section.extend(quote!(.priority(#expr)));
    }
    if let Some(when) = &keys.own.when {
        let when = &when.0;
        section = quote!(__p::when(#when, || #section));
    }
    let mut statements = TokenStream::new();
    if section.to_string() != plain {
        statements.extend(quote!(let _ = #section;));
    }
    if let Some(tools) = &keys.policy.tools {
        let tools = borrowable(&tools.0);
        statements.extend(quote!(let _ = __p::tools(&#tools);));
    }
    statements
}

fn pattern(body: &Body) -> TokenStream {
    let ident: &Ident = &body.ident;
    let bindings = body.fields.iter().map(|field| match &field.member {
        Member::Named(name) => name.to_token_stream(),
        Member::Unnamed(index) => format_ident!("_{}", index.index).into_token_stream(),
    });
    match body.style {
        Style::Named => quote!(Self::#ident { #(#bindings),* }),
        Style::Tuple => quote!(Self::#ident(#(#bindings),*)),
        Style::Unit => quote!(Self::#ident),
    }
}
