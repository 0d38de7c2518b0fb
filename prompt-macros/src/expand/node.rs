//! A node: its static description, and what its methods do.

use super::{
    access::Access,
    fields::Fields,
    info::{condition, container, loop_over, variable},
    runtime,
    text::{plain, variant},
};
use crate::{
    input::value::Expression,
    model::{
        Node,
        form::{Base, Operand, Print},
        kind::known_type,
        section::Section,
        value::borrowable,
    },
};
use proc_macro2::{Ident, Span, TokenStream};
use prompt_syntax::{Code, info::Hint};
use quote::{ToTokens, quote, quote_spanned};
use std::collections::BTreeMap;
use syn::spanned::Spanned;

/// So many fields of a type have an arm each: sharing one costs more than it saves.
const FEW: usize = 2;

/// How many fields `NodeInfo` has.
const INFO: usize = 9;

/// The description of a node, which names what is there.
///
/// ```text
/// NodeInfo {
///     name: str("Reviewer"),
///     text: text(const { &[..] }),
///     variables: list(const { &[variable("language", "Programming language.")] }),
///     ..NODE
/// }
/// ```
impl ToTokens for Node<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut fields = Fields::default();
        fields.str("name", &self.info.name);
        fields.text("text", &self.text.0);
        fields.list("variables", self.info.variables.iter().map(variable));
        fields.list("conditions", self.info.conditions.iter().map(condition));
        fields.list("loops", self.info.loops.iter().map(loop_over));
        fields.list("sections", self.sections.iter());
        fields.part("Container", &container(&self.info.container));
        fields.list("tags", self.info.tags.iter().map(|name| quote!(str(#name))));
        fields.list("hints", self.info.hints.iter().map(hint));
        tokens.extend(fields.literal("NodeInfo", INFO, "NODE"));
    }
}

impl Node<'_> {
    /// What is known of it without a value. What a reader finds in its description by their short names is imported there
    /// alone, where no type or expression of the user's is.
    ///
    /// ```text
    /// __p::variant({
    ///     use __p::*;
    ///     NodeInfo { .. }
    /// })
    /// .types(const { &[__p::Type::<Rules>::OF] })
    /// ```
    pub(crate) fn variant(&self) -> TokenStream {
        let types = self.sections.iter().map(Section::type_of);
        let types = self.has_open_types().then(|| {
            let types = types.map(|ty| ty.unwrap_or_else(|| quote!(__p::TypeOf::NoNode)));
            quote!(.types(const { &[#(#types),*] }))
        });
        let codes = |call: &str, codes: &[Code]| {
            let call = Ident::new(call, Span::call_site());
            let names = codes.iter().map(|code| variant("Code", code));
            (!codes.is_empty()).then(|| quote!(.#call(&[#(__p::#names),*])))
        };
        let (allow, deny) = (
            codes("allow", &self.info.container.allow),
            codes("deny", &self.deny),
        );
        quote! {
            __p::variant({
                use __p::*;
                #self
            })
            #types #allow #deny
        }
    }

    /// The body of `section`: `match entry { 0 => __p::embed(&self.rules), _ => __p::Section::hidden() }`.
    pub(crate) fn section(&self, access: Access) -> TokenStream {
        let entry = runtime::local("entry");
        let sections = self.sections.iter().enumerate().map(|(number, section)| {
            let (number, arm) = (plain(number), section.arm(access));
            quote!(#number => { #arm })
        });
        quote!(match #entry { #(#sections)* _ => __p::Section::hidden(), })
    }

    /// The arms that gather its tools: `__p::None` for its own, `__p::Some(0)` for a section's.
    pub(crate) fn tool_arms(&self) -> TokenStream {
        let own = self.body.container.keys.tools.iter();
        let own = own.map(|tools| tool_arm(&quote!(__p::None), tools));
        let sections = self.sections.iter().enumerate();
        let sections = sections.filter_map(|(index, section)| {
            let index = plain(index);
            let tools = section.keys.tools.as_ref();
            tools.map(|tools| tool_arm(&quote!(__p::Some(#index)), tools))
        });
        own.chain(sections).collect()
    }

    /// Its variables that are fields of one known type and print as they are, with their numbers, of each type for which
    /// there are several.
    pub(crate) fn alike(&self) -> Vec<Vec<(usize, &Operand)>> {
        let mut known: BTreeMap<String, Vec<(usize, &Operand)>> = BTreeMap::new();
        for (number, variable) in self.uses.printed() {
            let operand = &variable.operand;
            let is_bare = matches!(variable.print, Print::Display);
            let is_field = matches!(operand.base, Base::Field(_));
            let ty = self.type_of(operand, &self.uses.loops);
            if let Some(ty) = ty.filter(|_| is_bare && is_field).and_then(known_type) {
                known.entry(ty).or_default().push((number, operand));
            }
        }
        let groups = known.into_values();
        groups.filter(|fields| fields.len() > FEW).collect()
    }

    /// Whether types may be in its sections whose texts can be reworded.
    pub(crate) fn has_open_types(&self) -> bool {
        let mut types = self.sections.iter().map(Section::type_of);
        types.any(|ty| ty.is_some())
    }

    /// Whether it or one of its sections has tools.
    pub(crate) fn has_tools(&self) -> bool {
        let mut sections = self.sections.iter();
        let own = &self.body.container.keys.tools;
        own.is_some() || sections.any(|section| section.keys.tools.is_some())
    }
}

/// `hint(Code::DoubledBraces, "text", 1, "..", "..")`.
fn hint(hint: &Hint) -> TokenStream {
    let Hint {
        code,
        part,
        line,
        message,
        help,
        ..
    } = hint;
    let (code, line) = (variant("Code", code), plain(*line));
    quote!(hint(#code, #part, #line, #message, #help))
}

fn tool_arm(pattern: &TokenStream, tools: &Expression) -> TokenStream {
    let tools = borrowable(&tools.0);
    let span = runtime::at(tools.span());
    quote_spanned!(span=> #pattern => __p::tools(&#tools),)
}
