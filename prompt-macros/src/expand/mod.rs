//! The model as Rust: data and calls. Nothing is decided here.

mod depth;
pub(crate) mod fallback;
mod generics;
mod node;
mod runtime;
mod section;
mod text;
mod variable;

use crate::model::{Model, Node, Nodes};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{GenericParam, Lifetime, parse_quote};
use variable::{Access, pattern};

/// ```text
/// const _: () = {
///     use ::prompt_core::__private as __p;
///     #[automatically_derived]
///     impl __p::PromptNode for Reviewer { .. }
///     #[automatically_derived]
///     impl __p::StaticDepth for Reviewer { const DEPTH: u8 = 2; }
/// };
/// ```
impl ToTokens for Model {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let alias = runtime::alias(self.krate.as_ref());
        let traits = self.traits();
        let files = self.nodes().flat_map(Node::files).map(runtime::watch);
        let bounded = generics::bounded(self);
        let (parameters, _, bounds) = bounded.split_for_impl();
        let (_, arguments, _) = self.generics.split_for_impl();
        let ident = &self.ident;
        let (methods, depth) = (self.methods(), self.depth());
        tokens.extend(quote! {
            const _: () = {
                #alias
                #traits
                #(#files)*
                #[automatically_derived]
                impl #parameters __p::PromptNode for #ident #arguments #bounds { #methods }
                #depth
            };
        });
    }
}

impl Model {
    /// The traits that stand in where a value has no way of its own. Whether one is needed depends on types, which only
    /// the compiler knows: hence the `allow`.
    fn traits(&self) -> TokenStream {
        let values = self.nodes().any(|node| !node.variables.is_empty());
        let depths = self.nodes().any(Node::has_open_depth);
        let values = values.then(|| {
            quote!(
                #[allow(unused_imports)]
                use __p::Displayed as _;
            )
        });
        let depths = depths.then(|| {
            quote!(
                #[allow(unused_imports)]
                use __p::UnknownDepth as _;
            )
        });
        quote!(#values #depths)
    }

    fn methods(&self) -> TokenStream {
        let mut methods = quote! {
            fn embedded(&self) -> __p::Embedded<'_> {
                __p::Embedded::Node(self)
            }
        };
        if self.varies() {
            methods.extend(quote!(
                fn varies(&self) -> bool {
                    true
                }
            ));
        }
        let info = self.each(|node, _| node.info());
        methods.extend(method(
            &quote!(fn info(&self) -> &__p::NodeInfo),
            &info,
            self,
        ));
        if self.nodes().any(|node| !node.variables.is_empty()) {
            methods.extend(self.variables());
        }
        if self.nodes().any(|node| !node.guards.is_empty()) {
            methods.extend(self.guards());
        }
        if self.nodes().any(|node| !node.sections.is_empty()) {
            methods.extend(self.sections());
        }
        if self.nodes().any(Node::has_tools) {
            methods.extend(self.tools());
        }
        methods
    }

    /// Whether a value decides which text it has: there is more than one variant.
    fn varies(&self) -> bool {
        matches!(&self.nodes, Nodes::Enum(variants) if variants.len() > 1)
    }

    fn variables(&self) -> TokenStream {
        let [index, out] = ["index", "out"].map(runtime::local);
        let body = self.each(|node, access| {
            let arms = node.variable_arms(access);
            quote!(match #index { #arms _ => __p::Ok(()), })
        });
        method(
            &quote!(fn variable(&self, #index: usize, #out: &mut __p::Output<'_>) -> __p::Result),
            &body,
            self,
        )
    }

    fn guards(&self) -> TokenStream {
        let index = runtime::local("index");
        let body = self.each(|node, access| {
            let arms = node.guard_arms(access);
            quote!(match #index { #arms _ => false, })
        });
        method(&quote!(fn guard(&self, #index: usize) -> bool), &body, self)
    }

    fn sections(&self) -> TokenStream {
        let index = runtime::local("index");
        let body = self.each(|node, access| {
            let arms = node.section_arms(access);
            quote!(match #index { #arms _ => __p::absent(), })
        });
        method(
            &quote!(fn section(&self, #index: usize) -> __p::Section<'_>),
            &body,
            self,
        )
    }

    fn tools(&self) -> TokenStream {
        let section = runtime::local("section");
        let body = self.each(|node, _| {
            let arms = node.tool_arms();
            quote!(match #section { #arms _ => __p::Vec::new(), })
        });
        let signature =
            quote!(fn tools(&self, #section: __p::Option<usize>) -> __p::Vec<__p::ToolSpec>);
        method(&signature, &body, self)
    }

    /// The body for the struct, or a `match` over the variants.
    fn each(&self, body: impl Fn(&Node, Access) -> TokenStream) -> TokenStream {
        match &self.nodes {
            Nodes::Struct(node) => body(node, Access::Fields),
            Nodes::Enum(nodes) if nodes.is_empty() => quote!(match *self {}),
            Nodes::Enum(nodes) => {
                let arms = nodes.iter().map(|node| {
                    let (pattern, body) = (pattern(node), body(node, Access::Bindings));
                    quote!(#pattern => { #body })
                });
                quote!(match self { #(#arms)* })
            }
        }
    }

    /// The implementation of `StaticDepth`, and the constant that asks for it.
    fn depth(&self) -> TokenStream {
        if self.nodes().all(Node::is_flat) {
            return TokenStream::new();
        }
        let (parameters, arguments, bounds) = self.generics.split_for_impl();
        let ident = &self.ident;
        let depth = match &self.nodes {
            Nodes::Struct(node) => node.depth(),
            Nodes::Enum(nodes) => {
                let depths = nodes.iter().map(Node::depth);
                quote!(__p::depth(1, &[#(#depths),*]))
            }
        };
        let proof = self.nodes().any(Node::has_open_depth).then(|| self.proof());
        quote! {
            #[automatically_derived]
            impl #parameters __p::StaticDepth for #ident #arguments #bounds { const DEPTH: u8 = #depth; }
            #proof
        }
    }

    /// `const _: u8 = <Reviewer as __p::StaticDepth>::DEPTH;`, where the type has no parameters to fill in.
    fn proof(&self) -> TokenStream {
        let lifetime: Lifetime = parse_quote!('static);
        let mut parameters = self.generics.params.iter();
        if !parameters.all(|parameter| matches!(parameter, GenericParam::Lifetime(_))) {
            return TokenStream::new();
        }
        let ident = &self.ident;
        let lifetimes = self.generics.lifetimes().map(|_| &lifetime);
        quote!(const _: u8 = <#ident<#(#lifetimes),*> as __p::StaticDepth>::DEPTH;)
    }
}

/// A method. In an enum it binds all fields of a variant, whether an expression uses them or not.
fn method(signature: &TokenStream, body: &TokenStream, model: &Model) -> TokenStream {
    let allow = matches!(model.nodes, Nodes::Enum(_)).then(|| quote!(#[allow(unused_variables)]));
    quote!(#allow #signature { #body })
}
