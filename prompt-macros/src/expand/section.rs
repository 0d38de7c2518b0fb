//! Sections: an entry of the description, and the arm that hands one out.

use super::{text::plain, variable::Access};
use crate::{
    input::value::{Guarding, Priority, Role, Visibility},
    model::section::{Attribute, Content, Item, Section, Title},
};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

/// The fields of a struct literal that differ from its base.
#[derive(Default)]
pub(crate) struct Fields(TokenStream);

impl Fields {
    /// Whether nothing differs.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A field, if it has a value of its own.
    pub(crate) fn set(&mut self, name: &str, value: Option<impl ToTokens>) {
        if let Some(value) = value {
            let name = proc_macro2::Ident::new(name, proc_macro2::Span::call_site());
            self.0.extend(quote!(#name: #value,));
        }
    }

    /// The same for an optional field.
    pub(crate) fn some(&mut self, name: &str, value: Option<impl ToTokens>) {
        self.set(name, value.map(|value| quote!(__p::Some(#value))));
    }

    /// The same for an optional string.
    pub(crate) fn some_str(&mut self, name: &str, value: Option<&str>) {
        self.some(name, value.map(|value| quote!(__p::s(#value))));
    }

    /// A flag that is off by default.
    pub(crate) fn flag(&mut self, name: &str, on: bool) {
        self.set(name, on.then_some(on));
    }

    /// A list that is empty by default.
    pub(crate) fn list(
        &mut self,
        name: &str,
        entries: impl ExactSizeIterator<Item = impl ToTokens>,
    ) {
        if entries.len() > 0 {
            self.set(name, Some(quote!(__p::all(const { &[#(#entries),*] }))));
        }
    }
}

impl ToTokens for Fields {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.clone());
    }
}

/// `__p::section(["rules", "rules", "Rules"], intro, file!(), 12)`, or with keys of its own
/// `__p::SectionInfo { key: __p::s("rules"), .., ..__p::SECTION }`.
impl ToTokens for Section {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut fields = Fields::default();
        self.texts(&mut fields);
        self.placement(&mut fields);
        self.markup(&mut fields);
        self.policy(&mut fields);
        let (key, field, intro, line) = (
            &self.key.text,
            &self.field,
            &self.intro,
            plain(self.span.start().line),
        );
        tokens.extend(match &self.title {
            Title::Fallback(title) if fields.is_empty() => {
                quote!(__p::section([#key, #field, #title], #intro, __p::file!(), #line))
            }
            title => {
                let names =
                    quote!(key: __p::s(#key), field: __p::s(#field), title: #title, intro: #intro);
                quote!(__p::SectionInfo {
                    #names, #fields location: __p::location(__p::file!(), #line), ..__p::SECTION
                })
            }
        });
    }
}

impl Section {
    fn texts(&self, fields: &mut Fields) {
        fields.some("summary", self.summary.as_ref());
        fields.some("empty", self.empty.as_ref());
        fields.some("heading", self.heading.as_ref());
    }

    fn placement(&self, fields: &mut Fields) {
        fields.flag("untitled", self.untitled);
        fields.flag("placed", self.placed);
        fields.flag("tight", self.tight);
        fields.some("level", self.level.map(plain));
        let summary = matches!(self.visibility, Visibility::Summary);
        fields.set(
            "visibility",
            summary.then(|| quote!(__p::Visibility::Summary)),
        );
        fields.set("item", Some(&self.item).filter(|item| !item.is_plain()));
    }

    fn markup(&self, fields: &mut Fields) {
        fields.some_str("tag", self.tag.as_ref().map(|tag| tag.text.as_str()));
        fields.list("attributes", self.attributes.iter());
        fields.flag("inline", self.inline);
        fields.some("indent", self.indent.map(plain));
        fields.set("guarding", self.guarding);
        fields.flag("untrusted", self.untrusted);
    }

    fn policy(&self, fields: &mut Fields) {
        fields.some("priority", self.priority.as_ref().and_then(constant));
        fields.some("role", self.role);
        fields.some("cache", self.cache.map(plain));
        fields.flag("volatile", self.volatile);
        fields.flag("has_tools", self.tools.is_some());
    }

    /// `__p::Section::of(&self.rules).when(self.strict)`.
    pub(crate) fn arm(&self, access: Access) -> TokenStream {
        let value = access.borrow(&self.operand);
        let mut section = match &self.content {
            Content::Node => quote!(__p::Section::of(#value)),
            Content::Messages => quote!(__p::messages(#value)),
            Content::Written(variable) => {
                let variable = plain(*variable);
                quote!(__p::Section::written(#variable, __p::is_empty(#value)))
            }
            Content::Texts(print) => {
                let texts = access.texts(&self.operand, print);
                quote!(__p::Section::new(#texts))
            }
        };
        if let Some(when) = &self.when {
            section.extend(quote!(.when(#when)));
        }
        if let Visibility::Computed(expr) = &self.visibility {
            section.extend(quote!(.visibility(#expr)));
        }
        if let Some(Priority::Computed(expr)) = &self.priority {
            section.extend(quote!(.priority(#expr)));
        }
        section
    }
}

impl ToTokens for Title {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Explicit(text) => quote!(__p::Title::Explicit(#text)),
            Self::Fallback(title) => quote!(__p::fallback(#title)),
        });
    }
}

impl ToTokens for Attribute {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let name = syn::ext::IdentExt::unraw(&self.name).to_string();
        let variable = plain(self.variable);
        tokens.extend(quote!(__p::attr(#name, #variable)));
    }
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut fields = Fields::default();
        fields.some("title", self.title.as_ref());
        fields.some("key", self.key.map(plain));
        fields.some_str("tag", self.tag.as_ref().map(|tag| tag.text.as_str()));
        fields.some_str("join", self.join.as_deref());
        fields.some_str("last", self.last.as_deref());
        fields.flag("summarised", self.summarised);
        tokens.extend(quote!(__p::ItemInfo { #fields ..__p::ITEM }));
    }
}

impl Item {
    fn is_plain(&self) -> bool {
        let names = self.tag.is_none() && self.join.is_none() && self.last.is_none();
        self.title.is_none() && self.key.is_none() && names && !self.summarised
    }
}

fn constant(priority: &Priority) -> Option<TokenStream> {
    match priority {
        Priority::Required => Some(quote!(__p::Priority::Required)),
        Priority::Level(level) => {
            let level = proc_macro2::Literal::i32_unsuffixed(*level);
            Some(quote!(__p::Priority::Level(#level)))
        }
        Priority::Computed(_) => None,
    }
}

impl ToTokens for Role {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::System => quote!(__p::Role::System),
            Self::User => quote!(__p::Role::User),
            Self::Assistant => quote!(__p::Role::Assistant),
        });
    }
}

impl ToTokens for Guarding {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Escaped => quote!(__p::Guarding::Escaped),
            Self::Cdata => quote!(__p::Guarding::Cdata),
            Self::Strict => quote!(__p::Guarding::Strict),
        });
    }
}
