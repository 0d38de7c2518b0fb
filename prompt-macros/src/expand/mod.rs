//! The model as Rust: data and calls. Nothing is decided here.

mod access;
mod depth;
pub(crate) mod fallback;
mod fields;
mod generics;
mod info;
mod node;
mod runtime;
mod section;
mod text;
mod value;

use crate::{
    input::Input,
    model::{Model, Node, form::Read},
};
use access::{Access, pattern};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use runtime::implementation;
use syn::{GenericParam, Lifetime, parse_quote};
use text::plain;
use value::Scope;

/// ```text
/// const _: () = {
///     use ::prompt_core::__private as __p;
///     #[automatically_derived]
///     impl __p::PromptNode for Reviewer { .. }
///     #[automatically_derived]
///     impl __p::Node for Reviewer { fn info .. fn section .. }
///     #[automatically_derived]
///     impl __p::Scope for Reviewer { fn value .. fn ask .. fn each .. }
///     #[automatically_derived]
///     impl __p::StaticDepth for Reviewer { const DEPTH: u8 = 2; }
/// };
/// ```
impl ToTokens for Model<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let alias = runtime::alias(self.input.krate());
        let traits = self.traits();
        let files = self.nodes.iter().flat_map(|node| &node.files);
        let files = files.map(runtime::watch);
        let bounded = generics::bounded(self);
        let implement = |(name, body)| implementation(name, &self.input.ident, &bounded, &body);
        let traits_of_values = [
            ("PromptNode", self.embedded()),
            ("Node", self.node()),
            ("Scope", self.scope()),
            ("StaticType", self.static_type()),
        ];
        let traits_of_values = traits_of_values.map(implement);
        let marker = |name, is_one: bool| is_one.then(|| implement((name, TokenStream::new())));
        let phrase = marker("Phrase", self.is_phrase());
        let depth = self.depth();
        let mut nodes = self.nodes.iter();
        let has_summary = nodes.all(|node| node.info.container.summary.is_some());
        let summarised = marker("Summarised", has_summary);
        tokens.extend(quote! {
            const _: () = {
                #alias
                #traits
                #(#files)*
                #(#traits_of_values)*
                #phrase
                #depth
                #summarised
            };
        });
    }
}

impl<'a> Model<'a> {
    /// Whether some struct or variant is so.
    fn any(&self, is_so: impl Fn(&Node<'a>) -> bool) -> bool {
        self.nodes.iter().any(is_so)
    }

    /// The traits that stand in where a value has no way of its own. Whether one is needed depends on types, which only
    /// the compiler knows: hence the `allow`.
    fn traits(&self) -> TokenStream {
        let has_values = self.any(|node| !node.uses.variables.is_empty());
        let traits = [
            ("Displayed", has_values),
            ("Otherwise", has_values),
            ("Present", self.any(|node| node.reads(Read::Asked))),
            ("Certain", self.any(|node| node.reads(Read::Unasked))),
            ("UnknownDepth", self.any(Node::has_open_depth)),
            ("UnknownType", self.any(Node::has_open_types)),
        ];
        let used = traits.iter().filter(|(_, is_used)| *is_used);
        let used = used.map(|(name, _)| Ident::new(name, Span::call_site()));
        let used: Vec<Ident> = used.collect();
        if used.is_empty() {
            return TokenStream::new();
        }
        quote! {
            #[allow(unused_imports)]
            use __p::fallbacks::{#(#used as _),*};
        }
    }

    fn embedded(&self) -> TokenStream {
        // A value decides which text it has where there is more than one variant.
        let varying = (self.nodes.len() > 1).then(|| quote!(.varying()));
        let unused = self.unused();
        let sections = self.nodes.iter().flat_map(|node| &node.sections);
        let summarised = sections.filter(|section| section.leaves_summary());
        let summarised = summarised.map(|section| {
            let (ty, at) = (&section.field.ty, runtime::at(section.field.span));
            quote_spanned!(at=> __p::has_summary::<#ty>();)
        });
        quote! {
            fn embedded(&self) -> __p::Embedded<'_> {
                #unused
                #(#summarised)*
                __p::Embedded::described(self)#varying
            }
        }
    }

    /// `let _ = || { let total = &self.total(); };`: what no text uses is checked and found unused by the compiler's own
    /// lint. Names in capitals would be read as constants in a pattern.
    fn unused(&self) -> TokenStream {
        let nodes = self.nodes.iter().filter(|_| !self.input.is_enum);
        let lets = nodes.flat_map(|node| &node.unused).map(|(name, operand)| {
            let value = Access::Fields.borrow(operand);
            let text = name.value();
            let is_small = !text.contains(char::is_uppercase);
            let local = syn::parse_str::<Ident>(&text);
            if let Some(mut local) = local.ok().filter(|_| is_small) {
                local.set_span(name.span());
                quote!(let #local = #value;)
            } else {
                quote!(let _ = #value;)
            }
        });
        let lets: TokenStream = lets.collect();
        if lets.is_empty() {
            return lets;
        }
        quote!(let _ = || { #lets };)
    }

    /// The methods of `Node`.
    fn node(&self) -> TokenStream {
        let entry = runtime::local("entry");
        let mut numbers = 0..self.nodes.len();
        let info = self.each(|_, _| {
            let number = numbers.next().map(plain);
            quote!(__p::info::<Self>(#number))
        });
        let mut methods = method(&quote!(fn info(&self) -> &__p::NodeInfo), &info, self);
        if self.any(|node| !node.sections.is_empty()) {
            let body = self.each(Node::section);
            let signature = quote!(fn section(&self, #entry: usize) -> __p::Section<'_>);
            methods.extend(method(&signature, &body, self));
        }
        if self.any(Node::has_tools) {
            let body = self.each(|node, _| {
                let arms = node.tool_arms();
                quote!(match #entry { #arms _ => __p::Vec::new(), })
            });
            let signature =
                quote!(fn tools(&self, #entry: __p::Option<usize>) -> __p::Vec<__p::ToolSpec>);
            methods.extend(method(&signature, &body, self));
        }
        methods
    }

    /// The methods of `Scope`.
    fn scope(&self) -> TokenStream {
        let [entry, list, around, body, out] =
            ["entry", "list", "around", "body", "out"].map(runtime::local);
        let mut methods = TokenStream::new();
        if self.any(|node| !node.uses.variables.is_empty()) {
            let arms =
                self.each(|node, access| Scope::new(&node.uses, access).value(&node.alike()));
            let output = quote!(#out: &mut __p::Output<'_>);
            let signature = quote!(fn value(&self, #entry: usize, #output) -> __p::Result);
            methods.extend(method(&signature, &arms, self));
        }
        if self.any(|node| !node.uses.conditions.is_empty()) {
            let arms = self.each(|node, access| Scope::new(&node.uses, access).ask());
            let signature = quote!(fn ask(&self, #entry: usize) -> bool);
            methods.extend(method(&signature, &arms, self));
        }
        if self.any(|node| !node.uses.loops.is_empty()) {
            let arms = self.each(|node, access| Scope::new(&node.uses, access).each());
            let signature =
                quote!(fn each(&self, #list: usize, #body: &mut __p::Body<'_>) -> __p::Result);
            let arms = quote! {
                let #around: &dyn __p::Scope = self;
                #arms
            };
            methods.extend(method(&signature, &arms, self));
        }
        methods
    }

    /// The body for the struct, or a `match` over the variants.
    fn each(&self, mut body: impl FnMut(&Node<'a>, Access) -> TokenStream) -> TokenStream {
        let nodes = self.nodes.iter();
        match nodes.len() {
            0 => quote!(match *self {}),
            _ if self.input.is_enum => {
                let arms = nodes.map(|node| {
                    let (pattern, body) = (pattern(node.body), body(node, Access::Bindings));
                    quote!(#pattern => { #body })
                });
                quote!(match self { #(#arms)* })
            }
            _ => nodes.map(|node| body(node, Access::Fields)).collect(),
        }
    }

    /// The function of `StaticType`.
    fn static_type(&self) -> TokenStream {
        let variants = self.nodes.iter().map(Node::variant);
        let kind = if self.input.is_enum {
            "of_enum"
        } else {
            "of_struct"
        };
        let kind = Ident::new(kind, Span::call_site());
        quote! {
            fn static_type() -> __p::TypeInfo {
                __p::#kind(const { &[#(#variants),*] })
            }
        }
    }

    /// The implementation of `StaticDepth`, and the constant that asks for it.
    fn depth(&self) -> TokenStream {
        if self.nodes.iter().all(Node::is_flat) {
            return TokenStream::new();
        }
        let depths = self.nodes.iter().map(Node::depth);
        let depth = if self.input.is_enum {
            quote!(__p::depth(1, &[#(#depths),*]))
        } else {
            depths.collect()
        };
        let depth = quote!(const DEPTH: u8 = #depth;);
        let Input {
            ident, generics, ..
        } = self.input;
        let mut implementation = implementation("StaticDepth", ident, generics, &depth);
        if self.any(Node::has_open_depth) {
            implementation.extend(self.proof());
        }
        implementation
    }

    /// `const _: u8 = <Reviewer as __p::StaticDepth>::DEPTH;`, where the type has no parameters to fill in.
    fn proof(&self) -> TokenStream {
        let lifetime: Lifetime = parse_quote!('static);
        let mut parameters = self.input.generics.params.iter();
        if !parameters.all(|parameter| matches!(parameter, GenericParam::Lifetime(_))) {
            return TokenStream::new();
        }
        let ident = &self.input.ident;
        let lifetimes = self.input.generics.lifetimes().map(|_| &lifetime);
        quote!(const _: u8 = <#ident<#(#lifetimes),*> as __p::StaticDepth>::DEPTH;)
    }
}

/// A method. In an enum it binds all fields of a variant, whether an expression uses them or not.
fn method(signature: &TokenStream, body: &TokenStream, model: &Model<'_>) -> TokenStream {
    let allow = model
        .input
        .is_enum
        .then(|| quote!(#[allow(unused_variables)]));
    quote!(#allow #signature { #body })
}
