//! A node: its static description, and what its methods do.

use super::{
    runtime,
    section::Fields,
    text::plain,
    variable::{Access, arms},
};
use crate::model::Node;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, spanned::Spanned};

/// `__p::node("Reviewer", text, VARIABLES, __p::NO_SECTIONS)`, or with keys of its own
/// `__p::NodeInfo { name: __p::s("Reviewer"), .., ..__p::NODE }`.
impl ToTokens for Node {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut fields = Fields::default();
        self.texts(&mut fields);
        self.names(&mut fields);
        self.markup(&mut fields);
        let name = syn::ext::IdentExt::unraw(&self.ident).to_string();
        let (text, variables, sections) = (&self.text, self.variable_list(), self.section_list());
        tokens.extend(if fields.is_empty() {
            quote!(__p::node(#name, #text, #variables, #sections))
        } else {
            let lists = quote!(variables: __p::all(#variables), sections: __p::all(#sections));
            quote!(__p::NodeInfo { name: __p::s(#name), text: #text, #lists, #fields ..__p::NODE })
        });
    }
}

impl Node {
    fn texts(&self, fields: &mut Fields) {
        fields.some_str("key", self.key.as_ref().map(|key| key.text.as_str()));
        fields.some("title", self.title.as_ref());
        fields.some_str("description", self.description.as_deref());
        fields.some("heading", self.heading.as_ref());
        fields.some("summary_suffix", self.summary_suffix.as_ref());
        let end = &self.end;
        fields.set("end", (!end.is_empty()).then(|| quote!(__p::s(#end))));
    }

    fn names(&self, fields: &mut Fields) {
        fields.list(
            "guards",
            self.guards.iter().map(|guard| static_str(&guard.name)),
        );
        fields.list("tags", self.tags.iter().map(|tag| static_str(tag)));
    }

    fn variable_list(&self) -> TokenStream {
        if self.variables.is_empty() {
            quote!(__p::NO_VARIABLES)
        } else {
            quote!(VARIABLES)
        }
    }

    fn section_list(&self) -> TokenStream {
        if self.sections.is_empty() {
            quote!(__p::NO_SECTIONS)
        } else {
            quote!(SECTIONS)
        }
    }

    fn markup(&self, fields: &mut Fields) {
        fields.some_str("tag", self.tag.as_ref().map(|tag| tag.text.as_str()));
        fields.list("attributes", self.attributes.iter());
        fields.flag("inline", self.inline);
        fields.some("level", self.level.map(plain));
        fields.some("numbered", self.numbered);
        fields.flag("tight", self.tight);
        fields.flag("has_tools", self.tools.is_some());
    }

    /// The body of `info`. Lists are constants of their own: the marks of a text inside them are borrowed for ever, which
    /// the compiler grants in the body of a `const` or `static` only.
    ///
    /// ```text
    /// const SECTIONS: &[__p::SectionInfo] = &[..];
    /// static INFO: __p::NodeInfo = __p::NodeInfo { sections: __p::all(SECTIONS), .. };
    /// &INFO
    /// ```
    pub(crate) fn info(&self) -> TokenStream {
        let (variables, sections) = (&self.variables, &self.sections);
        let variables = (!variables.is_empty())
            .then(|| quote!(const VARIABLES: &[__p::Variable] = &[#(#variables),*];));
        let sections = (!sections.is_empty())
            .then(|| quote!(const SECTIONS: &[__p::SectionInfo] = &[#(#sections),*];));
        quote! {
            #variables
            #sections
            static INFO: __p::NodeInfo = #self;
            &INFO
        }
    }

    /// The arms that write its variables.
    pub(crate) fn variable_arms(&self, access: Access) -> TokenStream {
        arms(
            self.variables
                .iter()
                .map(|variable| access.put(&variable.operand, &variable.print)),
        )
    }

    /// The arms that ask its guards.
    pub(crate) fn guard_arms(&self, access: Access) -> TokenStream {
        arms(self.guards.iter().map(|guard| {
            let value = access.borrow(&guard.operand);
            quote!(__p::holds(#value))
        }))
    }

    /// The arms that hand out its sections.
    pub(crate) fn section_arms(&self, access: Access) -> TokenStream {
        arms(self.sections.iter().map(|section| section.arm(access)))
    }

    /// The arms that gather its tools: `__p::None` for its own, `__p::Some(0)` for a section's.
    pub(crate) fn tool_arms(&self) -> TokenStream {
        let own = self
            .tools
            .as_ref()
            .map(|tools| tool_arm(&quote!(__p::None), tools));
        let sections = self
            .sections
            .iter()
            .enumerate()
            .filter_map(|(index, section)| {
                let index = plain(index);
                section
                    .tools
                    .as_ref()
                    .map(|tools| tool_arm(&quote!(__p::Some(#index)), tools))
            });
        own.into_iter().chain(sections).collect()
    }

    /// Whether it or one of its sections has tools.
    pub(crate) fn has_tools(&self) -> bool {
        self.tools.is_some() || self.sections.iter().any(|section| section.tools.is_some())
    }
}

fn static_str(text: &str) -> TokenStream {
    quote!(__p::s(#text))
}

fn tool_arm(pattern: &TokenStream, tools: &Expr) -> TokenStream {
    let span = runtime::at(tools.span());
    quote_spanned!(span=> #pattern => __p::tools(&#tools),)
}
