//! A tree printed in one go: how much that is, and the calls that do it.

use super::{runtime, text::plain, value::Access};
use crate::{
    input::value::Visibility,
    model::{
        Heading, Markup, Node,
        form::Text,
        section::{Content, Section, Title},
    },
};
use proc_macro2::TokenStream;
use prompt_syntax::MarkKind;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

/// Bytes that a value is expected to have.
const VALUE: usize = 24;
/// White space and markers around a section.
const SECTION: usize = 16;

impl Node {
    /// The items of `Straight`, if it can be printed in one go as far as its own words go.
    ///
    /// ```text
    /// const TREE: __p::Tree = __p::extent([120, 48], false, &[__p::Part::<Rules>::EXTENT]);
    /// fn flow(&self, out: &mut __p::Flow<'_>) -> __p::Flowed {
    ///     __p::own(self, 11, out)?;
    ///     __p::Part(&self.rules).usual(&("###### Rules\n\n", "rules>\n", 1), &__INFO, 0, out)?;
    ///     __p::Ok(())
    /// }
    /// ```
    pub(crate) fn straight(&self) -> Option<TokenStream> {
        if !self.is_straight() {
            return None;
        }
        let (extent, own, flow) = (self.extent(), self.own(), self.flow());
        // Headings of its own would move where it is embedded.
        let part = (self.text.end > 1).then(|| {
            quote!(
                const PART: __p::Tree = __p::None;
            )
        });
        Some(quote!(#extent #part #own #flow))
    }

    /// Whether it can be printed in one go as far as its own words go.
    pub(super) fn is_straight(&self) -> bool {
        (self.uses().is_some() || self.text.is_inert())
            && self.starts_with_words()
            && self.title.as_ref().is_none_or(Text::is_title)
            && self.markup.is_usual()
            && self.heading.form.is_none()
            && self.numbered.is_none()
            && self.start.is_empty()
            && self.end.is_empty()
            && self.tags.is_empty()
            && self.sections.iter().all(Section::is_usual)
    }

    fn extent(&self) -> TokenStream {
        let uses = self.uses().map_or(0, |uses| uses.len());
        let own: usize = self.sections.iter().map(Section::words).sum();
        let [words, around] = [self.text.literal.len(), uses * VALUE + own].map(plain);
        let has_tools = self.has_tools();
        let parts = self.sections.iter().map(|section| {
            let ty = &section.ty;
            let span = runtime::at(ty.span());
            quote_spanned!(span=> __p::Part::<#ty>::EXTENT)
        });
        let tree = if self.sections.is_empty() && !has_tools {
            quote!(__p::leaf(#words, #around))
        } else {
            quote!(__p::extent([#words, #around], #has_tools, &[#(#parts),*]))
        };
        if self.has_tags() {
            quote!(const TREE: __p::Tree = __p::tagged(#tree);)
        } else {
            quote!(const TREE: __p::Tree = #tree;)
        }
    }

    /// Whether a `<` stands in its words, or in those of its sections.
    fn has_tags(&self) -> bool {
        let intros = self.sections.iter().map(|section| &section.intro);
        intros
            .chain([&self.text])
            .any(|text| text.literal.contains('<'))
    }

    /// What it says of itself where it is embedded.
    fn own(&self) -> Option<TokenStream> {
        if self.title.is_none() && self.summary.is_none() {
            return None;
        }
        let title = self.title.as_ref().map(|title| &title.literal);
        let title = title.map_or_else(|| quote!(__p::None), |title| quote!(__p::Some(#title)));
        let has_summary = self.summary.is_some();
        Some(quote! {
            const OWN: __p::Own = __p::Own { title: #title, has_summary: #has_summary };
        })
    }

    fn flow(&self) -> TokenStream {
        let out = runtime::local("out");
        let text = match self.first_value() {
            _ if self.text.literal.is_empty() => None,
            Some(first) => {
                let first = plain(first);
                Some(quote!(__p::own(self, #first, #out)))
            }
            None => Some(quote!(#out.words(__TEXT))),
        };
        if self.sections.is_empty() {
            let text = text.unwrap_or_else(|| quote!(__p::Ok(())));
            return quote!(fn flow(&self, #out: &mut __p::Flow<'_>) -> __p::Flowed { #text });
        }
        let text = text.map(|text| quote!(#text?;));
        let heading = &self.heading;
        let level = heading.level.unwrap_or(self.text.end);
        let is_usual = level == 1 && !heading.tight && heading.gap.is_none();
        let headings = (!is_usual).then(|| {
            let (level, tight) = (plain(level), heading.tight);
            let gap = heading.gap.map(plain);
            let gap = gap.map_or_else(|| quote!(__p::None), |gap| quote!(__p::Some(#gap)));
            quote!(#out.headings(#level, #tight, #gap);)
        });
        let sections = self.sections.iter().enumerate().map(|(index, section)| {
            let (index, operand) = (plain(index), Access::Fields.borrow(&section.operand));
            let place = quote!(&__INFO, #index, #out);
            let call = match section.head(heading, level) {
                Some(head) if section.intro.literal.is_empty() => quote!(usual(&#head, #place)),
                Some(head) => quote!(introduced(&#head, #place)),
                None => quote!(section(#place)),
            };
            let call = quote!(__p::Part(#operand).#call?;);
            match &section.when {
                Some(when) => quote!(#out.depends(); if __p::When(#when).holds() { #call }),
                None => call,
            }
        });
        quote! {
            fn flow(&self, #out: &mut __p::Flow<'_>) -> __p::Flowed {
                #text
                #headings
                #(#sections)*
                __p::Ok(())
            }
        }
    }

    /// Where the first value of its text stands.
    fn first_value(&self) -> Option<u32> {
        let is_value = |kind: &MarkKind| matches!(kind, MarkKind::Variable(_));
        let first = self.text.marks.iter().find(|mark| is_value(&mark.kind));
        first.map(|mark| mark.at)
    }

    /// Whether something is printed before its first value, if it has a text.
    fn starts_with_words(&self) -> bool {
        self.first_value().is_none_or(|first| first > 0)
    }
}

impl Section {
    /// Whether it is what a heading, or a tag, and its content are.
    fn is_usual(&self) -> bool {
        let has_title = match &self.title {
            Title::Explicit(title) => title.is_title(),
            Title::Fallback(_) | Title::Untitled(_) => true,
        };
        has_title
            && self.intro.is_inert()
            && self.intro.end == 1
            && self.empty.is_none()
            && !self.placed
            && self.heading.form.is_none()
            && self.markup.is_usual()
            && self.policy.role.is_none()
            && matches!(self.visibility, Visibility::Full)
            && self.items.fields().is_empty()
            && matches!(self.content, Content::Node)
    }

    /// Its heading, if nothing is said of it but its title and an introduction: `("###### Rules\n\n", "rules>\n", 1)`.
    fn head(&self, around: &Heading, level: u8) -> Option<TokenStream> {
        let title = match &self.title {
            Title::Explicit(title) => &title.literal,
            Title::Fallback(title) => title,
            Title::Untitled(_) => return None,
        };
        let gap = self.heading.gap.or(around.gap);
        let is_tight = around.tight || self.heading.tight;
        let words = format!("###### {title}{}", if is_tight { "\n" } else { "\n\n" });
        let tag = format!("{}>\n", self.key.text);
        let level = plain(self.heading.level.unwrap_or(level));
        gap.is_none().then(|| quote!((#words, #tag, #level)))
    }

    /// Bytes of what is written of it here.
    fn words(&self) -> usize {
        let title = match &self.title {
            Title::Explicit(title) => title.literal.len(),
            Title::Fallback(title) | Title::Untitled(title) => title.len(),
        };
        self.intro.literal.len() + title.max(2 * self.key.text.len()) + SECTION
    }
}

impl Markup {
    /// Whether nothing is said of a tag or of values.
    fn is_usual(&self) -> bool {
        self.tag.is_none()
            && self.attributes.is_empty()
            && !self.inline
            && self.indent.is_none()
            && self.guarding.is_none()
            && !self.untrusted
    }
}

impl Text {
    /// Whether it is printed as it stands.
    pub(super) fn is_inert(&self) -> bool {
        self.marks.iter().all(|mark| match mark.kind {
            MarkKind::Text { .. } | MarkKind::Escape { .. } => true,
            MarkKind::Title {
                optional, marks, ..
            } => !optional && marks == 0,
            _ => false,
        })
    }

    /// Whether it can stand as a heading as it is.
    fn is_title(&self) -> bool {
        self.is_inert() && !self.literal.contains('\n')
    }
}
