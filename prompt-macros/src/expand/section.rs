//! Sections: an entry of the description, and the arm that hands one out.

use super::{
    access::Access,
    fields::Fields,
    runtime,
    text::{plain, variant},
};
use crate::{
    input::{
        groups::{HeadingKeys, TagKeys},
        section::{MarkupKeys, SectionKeys},
        value::{Expression, Priority, Visibility},
    },
    model::{
        Attribute,
        form::{Operand, Text},
        kind::may_have_text,
        section::{Content, Section, Title},
        value::on,
    },
};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;

/// How many fields `SectionKeys` has.
const KEYS: usize = 8;
/// How many fields `SectionInfo` has.
const INFO: usize = 7;

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
impl ToTokens for Section<'_> {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut fields = Fields::default();
        fields.str("key", &self.key.value());
        fields.str("field", &self.slot);
        fields.set("title", Some(&self.title));
        fields.text("intro", &self.intro);
        fields.set("said", self.said());
        if let Some(lead) = self.lead() {
            fields.str("lead", &lead);
        }
        let line = plain(self.field.span.start().line);
        fields.set("location", Some(quote!(location(__p::file!(), #line))));
        // Where each of them is there, a base would say nothing, which lints of the user's crate mind.
        let base = (fields.len() < INFO).then(|| quote!(..SECTION));
        tokens.extend(quote!(SectionInfo { #fields #base }));
    }
}

impl Section<'_> {
    /// Title and introduction in one, of a section that is nothing else: of the type `()`, without keys.
    fn lead(&self) -> Option<String> {
        let Title::Fallback(title) = &self.title else {
            return None;
        };
        let is_unit = matches!(&self.field.ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty());
        let is_asked = !self.keys.computed(TokenStream::new()).is_empty();
        if !is_unit || is_asked || self.said().is_some() || !matches!(self.content, Content::Node) {
            return None;
        }
        match self.intro.0.only_piece() {
            Some(prompt_syntax::Inline::Literal(words)) => Some(format!("{title}\n\n{words}")),
            _ => None,
        }
    }

    /// `__p::when(self.strict, || __p::embed(&self.rules))`. Where the condition fails
    /// nothing else is asked.
    pub(crate) fn arm(&self, access: Access) -> TokenStream {
        let operand = Operand::field(self.field);
        let value = access.borrow(&operand);
        let section = match &self.content {
            Content::Node => quote!(__p::embed(#value)),
            Content::Messages => quote!(__p::Section::messages(#value)),
            Content::Items(_) => quote!(__p::Section::items(__p::is_empty(#value))),
        };
        self.keys.computed(section)
    }

    /// `__p::Type::<Rules>::OF`: the type in it, whose texts can be reworded.
    pub(super) fn type_of(&self) -> Option<TokenStream> {
        let ty = &self.field.ty;
        let may_be_known = matches!(self.content, Content::Node) && may_have_text(ty);
        may_be_known.then(|| quote_spanned!(runtime::at(ty.span())=> __p::Type::<#ty>::OF))
    }

    /// `Said::Static(const { &SectionKeys { .., ..KEYS } })`, where something is said of it.
    fn said(&self) -> Option<TokenStream> {
        let keys = self.fields();
        let base = (keys.len() < KEYS).then(|| quote!(..KEYS));
        let keys_are_said = !keys.is_empty();
        keys_are_said.then(|| quote!(Said::Static(const { &SectionKeys { #keys #base } })))
    }

    /// What differs from `KEYS`.
    fn fields(&self) -> Fields {
        let heading = heading(self.heading.as_ref(), &self.keys.heading);
        let markup = markup(&self.keys.tag, &self.attributes, &self.keys.markup);
        let mut fields = Fields::default();
        fields.part("Heading", &heading);
        fields.some("summary", self.summary.as_ref());
        let summary = self.summary_span();
        let summary = summary.map(|_| quote!(Visibility::Summary));
        fields.set("visibility", summary);
        fields.some("empty", self.empty.as_ref());
        fields.flag("placed", self.placed);
        fields.part("Markup", &markup);
        fields.part("Policy", &self.policy());
        fields.part("Items", &self.items());
        fields
    }

    /// What differs from `POLICY`.
    fn policy(&self) -> Fields {
        let keys = &self.keys.policy;
        let mut fields = Fields::default();
        fields.some("priority", keys.priority.as_ref().and_then(constant));
        fields.variant("role", "Role", keys.role);
        fields.some("cache", keys.cache.map(|seconds| plain(seconds.0)));
        fields.flag("volatile", on(keys.volatile));
        fields.flag("has_tools", keys.tools.is_some());
        fields
    }

    /// What differs from `ITEMS`.
    fn items(&self) -> Fields {
        let (each, items) = (&self.keys.each, &self.keys.items);
        let mut fields = Fields::default();
        fields.some("list", self.list.map(plain));
        if let Content::Items(text) = &self.content {
            fields.some("text", Some(text));
        }
        fields.some("title", self.item_title.as_ref());
        fields.flag("untitled", on(each.untitled_items));
        fields.some("key", self.item_key.map(plain));
        fields.words("tag", each.item_tag.as_ref());
        fields.words("join", items.join.as_ref());
        fields.words("last", items.last.as_ref());
        fields.flag("whole", self.is_whole());
        fields
    }
}

/// What differs from `HEADING`.
pub(super) fn heading(form: Option<&Text>, keys: &HeadingKeys) -> Fields {
    let mut fields = Fields::default();
    fields.some("form", form);
    fields.some("level", keys.level.map(|level| plain(level.0)));
    fields.flag("tight", on(keys.tight));
    fields.some("gap", keys.gap.map(|gap| plain(gap.0)));
    fields
}

/// What differs from `MARKUP`.
pub(super) fn markup(tag: &TagKeys, attributes: &[Attribute], keys: &MarkupKeys) -> Fields {
    let mut fields = Fields::default();
    fields.words("tag", tag.tag.as_ref());
    fields.list("attributes", attributes.iter());
    fields.flag("inline", on(tag.inline));
    fields.some("indent", keys.indent.map(|columns| plain(columns.0)));
    fields.set(
        "guarding",
        keys.guard.map(|guard| variant("Guarding", &guard)),
    );
    fields.flag("untrusted", on(keys.untrusted));
    fields
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
        let name = self.name.value();
        tokens.extend(if let Some(variable) = self.variable {
            let variable = plain(variable);
            quote!(attribute_of(#name, #variable))
        } else {
            quote!(attribute_of_title(#name))
        });
    }
}

impl SectionKeys {
    /// A section, with what is computed for it.
    pub(super) fn computed(&self, mut section: TokenStream) -> TokenStream {
        if let Some(Visibility::Computed(expr)) = &self.own.visibility {
            section.extend(quote!(.visibility(#expr)));
        }
        if let Some(Priority::Computed(expr)) = &self.policy.priority {
            section.extend(quote!(.priority(#expr)));
        }
        match &self.own.when {
            Some(Expression(when)) => quote!(__p::when(#when, || #section)),
            None => section,
        }
    }
}

fn constant(priority: &Priority) -> Option<TokenStream> {
    match priority {
        Priority::Required => Some(quote!(Priority::Required)),
        Priority::Level(level) => {
            let level = Literal::i64_unsuffixed(*level);
            Some(quote!(Priority::Level(#level)))
        }
        Priority::Computed(_) => None,
    }
}
