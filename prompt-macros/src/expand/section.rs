//! Sections: an entry of the description, and the arm that hands one out.

use super::{access::Access, fields::Fields, text::plain};
use crate::{
    input::value::{Guarding, Priority, Role, Visibility},
    model::{
        Attribute, Heading, Markup,
        section::{Content, Items, Policy, Section, Title},
    },
};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};

/// How many fields `SectionKeys` has.
const KEYS: usize = 8;
/// How many fields `SectionInfo` has.
const INFO: usize = 6;

/// An entry of the list of sections, which names what is not usual.
///
/// ```text
/// SectionInfo {
///     key: str("rules"),
///     field: str("rules"),
///     title: Title::Fallback(str("Rules")),
///     location: location(__p::file!(), 12),
///     ..SECTION
/// }
/// ```
impl ToTokens for Section {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut fields = Fields::default();
        fields.str("key", &self.key.text);
        fields.str("field", &self.field);
        fields.set("title", Some(&self.title));
        fields.text("intro", &self.intro);
        fields.set("said", self.said());
        let line = plain(self.span.start().line);
        fields.set("location", Some(quote!(location(__p::file!(), #line))));
        // Where each of them is there, a base would say nothing, which lints of the user's crate mind.
        let base = (fields.len() < INFO).then(|| quote!(..SECTION));
        tokens.extend(quote!(SectionInfo { #fields #base }));
    }
}

impl Section {
    /// `__p::when(self.strict, || __p::embed(&self.rules))`. Where the condition fails
    /// nothing else is asked.
    pub(crate) fn arm(&self, access: Access) -> TokenStream {
        let value = access.borrow(&self.operand);
        let mut section = match &self.content {
            Content::Node => quote!(__p::embed(#value)),
            Content::Messages => quote!(__p::Section::messages(#value)),
            Content::Written(variable) => {
                let variable = plain(*variable);
                quote!(__p::Section::written(#variable, __p::is_empty(#value)))
            }
            Content::Texts(item) => {
                let texts = access.texts(&self.operand, item);
                quote!(__p::Section::new(#texts))
            }
        };
        if let Visibility::Computed(expr) = &self.visibility {
            section.extend(quote!(.visibility(#expr)));
        }
        if let Some(Priority::Computed(expr)) = &self.policy.priority {
            section.extend(quote!(.priority(#expr)));
        }
        match &self.when {
            Some(when) => quote!(__p::when(#when, || #section)),
            None => section,
        }
    }
}

impl Section {
    /// `Said::Static(const { &SectionKeys { .., ..KEYS } })`, where something is said of it.
    fn said(&self) -> Option<TokenStream> {
        let keys = self.keys();
        let base = (keys.len() < KEYS).then(|| quote!(..KEYS));
        let keys_are_said = !keys.is_empty();
        keys_are_said.then(|| quote!(Said::Static(const { &SectionKeys { #keys #base } })))
    }

    /// What differs from `KEYS`.
    fn keys(&self) -> Fields {
        let mut fields = Fields::default();
        fields.part("heading", ["Heading", "HEADING"], &self.heading.fields());
        fields.some("summary", self.summary.as_ref());
        let summary = matches!(self.visibility, Visibility::Summary(_));
        let summary = summary.then(|| quote!(Visibility::Summary));
        fields.set("visibility", summary);
        fields.some("empty", self.empty.as_ref());
        fields.flag("placed", self.placed);
        fields.part("markup", ["Markup", "MARKUP"], &self.markup.fields());
        fields.part("policy", ["Policy", "POLICY"], &self.policy.fields());
        fields.part("items", ["Items", "ITEMS"], &self.items.fields());
        fields
    }
}

impl Heading {
    /// What differs from `HEADING`.
    pub(crate) fn fields(&self) -> Fields {
        let mut fields = Fields::default();
        fields.some("form", self.form.as_ref());
        fields.some("level", self.level.map(plain));
        fields.flag("tight", self.tight);
        fields.some("gap", self.gap.map(plain));
        fields
    }
}

impl Markup {
    /// What differs from `MARKUP`.
    pub(crate) fn fields(&self) -> Fields {
        let mut fields = Fields::default();
        fields.some_str("tag", self.tag.as_ref().map(|tag| tag.text.as_str()));
        fields.list("attributes", self.attributes.iter());
        fields.flag("inline", self.inline);
        fields.some("indent", self.indent.map(plain));
        fields.set("guarding", self.guarding);
        fields.flag("untrusted", self.untrusted);
        fields
    }
}

impl Policy {
    fn fields(&self) -> Fields {
        let mut fields = Fields::default();
        fields.some("priority", self.priority.as_ref().and_then(constant));
        fields.some("role", self.role);
        fields.some("cache", self.cache.map(plain));
        fields.flag("volatile", self.volatile);
        fields.flag("has_tools", self.tools.is_some());
        fields
    }
}

impl Items {
    /// What differs from `ITEMS`.
    pub(super) fn fields(&self) -> Fields {
        let mut fields = Fields::default();
        fields.some("title", self.title.as_ref());
        fields.flag("untitled", self.untitled);
        fields.some("key", self.key.map(plain));
        fields.some_str("tag", self.tag.as_ref().map(|tag| tag.text.as_str()));
        fields.some_str("join", self.join.as_deref());
        fields.some_str("last", self.last.as_deref());
        fields.flag("whole", self.whole);
        fields
    }
}

impl ToTokens for Title {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Explicit(text) => quote!(Title::Explicit(#text)),
            Self::Fallback(title) => quote!(Title::Fallback(str(#title))),
            Self::Untitled(title) => quote!(Title::Untitled(str(#title))),
        });
    }
}

impl ToTokens for Attribute {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let name = &self.name.text;
        tokens.extend(if let Some(variable) = self.variable {
            let variable = plain(variable);
            quote!(attribute_of(#name, #variable))
        } else {
            quote!(attribute_of_title(#name))
        });
    }
}

fn constant(priority: &Priority) -> Option<TokenStream> {
    match priority {
        Priority::Required => Some(quote!(Priority::Required)),
        Priority::Level(level) => {
            let level = Literal::i32_unsuffixed(*level);
            Some(quote!(Priority::Level(#level)))
        }
        Priority::Computed(_) => None,
    }
}

impl ToTokens for Role {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::System => quote!(Role::System),
            Self::User => quote!(Role::User),
            Self::Assistant => quote!(Role::Assistant),
        });
    }
}

impl ToTokens for Guarding {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Self::Escaped => quote!(Guarding::Escaped),
            Self::Cdata => quote!(Guarding::Cdata),
            Self::Strict => quote!(Guarding::Strict),
        });
    }
}
