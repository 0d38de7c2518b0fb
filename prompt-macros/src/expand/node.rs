//! A node: its static description, and what its methods do.

use super::{
    fields::Fields,
    runtime,
    text::{conditions_of, plain},
    value::{Access, choose},
};
use crate::{
    input::value::Hang,
    model::{
        Node,
        text::{Asked, Condition, Tags},
        value::{Treatment, Variable},
    },
};
use proc_macro2::TokenStream;
use prompt_syntax::MarkKind;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Expr, ext::IdentExt, spanned::Spanned};

/// `__p::node("Reviewer", text, VARIABLES, __p::NO_SECTIONS)`, or with keys of its own
/// `__p::NodeInfo { name: __p::s("Reviewer"), .., ..__p::NODE }`.
impl ToTokens for Node {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let mut fields = Fields::default();
        fields.list("conditions", self.conditions.iter());
        fields.set("tags", self.tags.tokens());
        fields.part(
            "container",
            ["Container", "CONTAINER"],
            &self.container_fields(),
        );
        let name = self.ident.unraw().to_string();
        let text = match self.text_constant() {
            Some(_) => self.text.with(&quote!(__TEXT)),
            None => self.text.to_token_stream(),
        };
        let (variables, sections) = (self.variable_list(), self.section_list());
        tokens.extend(if fields.is_empty() {
            quote!(__p::node(#name, #text, #variables, #sections))
        } else {
            let lists = quote!(variables: __p::all(#variables), sections: __p::all(#sections));
            // Where each of the three is there, a base would say nothing, which lints of the user's crate mind.
            let base = (fields.len() < 3).then(|| quote!(..__p::NODE));
            quote!(__p::NodeInfo { name: __p::s(#name), text: #text, #lists, #fields #base })
        });
    }
}

impl Node {
    fn container_fields(&self) -> Fields {
        let mut fields = Fields::default();
        fields.some_str("key", self.key.as_ref().map(|key| key.text.as_str()));
        fields.some("title", self.title.as_ref());
        fields.some_str("description", self.description.as_deref());
        fields.some("summary", self.summary.as_ref());
        fields.some("summary_suffix", self.summary_suffix.as_ref());
        fields.part("markup", ["Markup", "MARKUP"], &self.markup.fields());
        fields.part("heading", ["Heading", "HEADING"], &self.heading.fields());
        fields.some("numbered", self.numbered);
        fields.str("start", &self.start);
        fields.str("end", &self.end);
        fields.flag("has_tools", self.tools.is_some());
        fields
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
            quote!(__SECTIONS)
        }
    }

    /// The body of `info`. Lists are constants of their own: the marks of a text inside them are borrowed for ever, which
    /// the compiler grants in the body of a `const` or `static` only.
    ///
    /// ```text
    /// const VARIABLES: &[__p::Variable] = &__p::variables([("language", "Programming language.")]);
    /// static INFO: __p::NodeInfo = __p::node("Reviewer", .., VARIABLES, __SECTIONS);
    /// &INFO
    /// ```
    pub(crate) fn info(&self, access: Access) -> TokenStream {
        // Those of a struct stand where its other methods can see them too.
        let constants = match access {
            Access::Fields => None,
            Access::Bindings => Some(self.constants()),
        };
        let variables = (!self.variables.is_empty()).then(|| {
            let list = variables(&self.variables);
            quote!(const VARIABLES: &[__p::Variable] = &#list;)
        });
        quote! {
            #constants
            #variables
            static INFO: __p::NodeInfo = #self;
            &INFO
        }
    }

    /// Its text and sections as constants, where more than the description needs them.
    ///
    /// ```text
    /// const __TEXT: &str = "You review  code.";
    /// const __SECTIONS: &[__p::SectionInfo] = &[..];
    /// ```
    pub(crate) fn constants(&self) -> TokenStream {
        let (text, sections) = (self.text_constant(), &self.sections);
        let sections = (!sections.is_empty())
            .then(|| quote!(const __SECTIONS: &[__p::SectionInfo] = &[#(#sections),*];));
        quote!(#text #sections)
    }

    fn text_constant(&self) -> Option<TokenStream> {
        let literal = &self.text.literal;
        let is_printed_at_once =
            self.uses().is_some() || (self.text.is_inert() && !literal.is_empty());
        is_printed_at_once.then(|| quote!(const __TEXT: &str = #literal;))
    }

    /// The body of `print`: `out.text(self, __TEXT, 2).put(11, 0).put(21, 1).end()`.
    pub(crate) fn print(&self) -> Option<TokenStream> {
        let out = runtime::local("out");
        let uses = self.uses()?;
        let count = plain(uses.len());
        let puts = uses.iter().map(|(at, index)| {
            let (at, index) = (plain(*at), plain(*index));
            quote!(.put(#at, #index))
        });
        Some(quote!(#out.text(self, __TEXT, #count) #(#puts)* .end()))
    }

    /// The places and indexes of its variables, if it has any, and nothing but literal text, fixed headings and plain
    /// variables stand in its text.
    pub(super) fn uses(&self) -> Option<Vec<(u32, u16)>> {
        let mut uses = Vec::new();
        for mark in &self.text.marks {
            match mark.kind {
                MarkKind::Text { .. } | MarkKind::Escape { .. } => {}
                MarkKind::Title { optional, .. } if !optional => {}
                MarkKind::Variable(index) if self.is_usual(index) => uses.push((mark.at, index)),
                _ => return None,
            }
        }
        (!uses.is_empty()).then_some(uses)
    }

    fn is_usual(&self, index: u16) -> bool {
        let variable = self.variables.get(usize::from(index));
        variable.is_some_and(|variable| variable.treatment == Treatment::USUAL)
    }

    /// `match index { .. }` that writes its variables.
    pub(crate) fn write_variable(&self, access: Access) -> TokenStream {
        let variables = self.variables.iter();
        let arms = variables.map(|variable| access.put(&variable.operand, &variable.print));
        choose(&runtime::local("entry"), arms, &quote!(__p::Ok(())))
    }

    /// `match index { .. }` that answers its conditions.
    pub(crate) fn ask_condition(&self, access: Access) -> TokenStream {
        let conditions = self.conditions.iter();
        let arms = conditions.map(|condition| condition.arm(access));
        choose(&runtime::local("entry"), arms, &quote!(false))
    }

    /// `match index { .. }` that hands out its sections.
    pub(crate) fn hand_out(&self, access: Access) -> TokenStream {
        let arms = self.sections.iter().map(|section| section.arm(access));
        let hidden = quote!(__p::Section::hidden());
        choose(&runtime::local("entry"), arms, &hidden)
    }

    /// The arms that gather its tools: `__p::None` for its own, `__p::Some(0)` for a section's.
    pub(crate) fn tool_arms(&self) -> TokenStream {
        let own = self.tools.iter();
        let own = own.map(|tools| tool_arm(&quote!(__p::None), tools));
        let sections = self.sections.iter().enumerate();
        let sections = sections.filter_map(|(index, section)| {
            let index = plain(index);
            let tools = section.policy.tools.as_ref();
            tools.map(|tools| tool_arm(&quote!(__p::Some(#index)), tools))
        });
        own.chain(sections).collect()
    }

    /// Whether it or one of its sections has tools.
    pub(crate) fn has_tools(&self) -> bool {
        let mut sections = self.sections.iter();
        self.tools.is_some() || sections.any(|section| section.policy.tools.is_some())
    }
}

/// `__p::variables([("language", "Programming language."), ("team", "")])`; where one has a treatment of its own
/// `[__p::usual("language", ""), __p::usual("note", "").optional(), __p::treated(..)]`.
fn variables(list: &[Variable]) -> TokenStream {
    let is_usual =
        |variable: &Variable| variable.treatment == Treatment::USUAL && !variable.optional;
    let words = |variable: &Variable| {
        let source = &variable.source;
        let description = variable.description.as_deref().unwrap_or_default();
        quote!(#source, #description)
    };
    if list.iter().all(is_usual) {
        let entries = list.iter().map(words);
        return quote!(__p::variables([#((#entries)),*]));
    }
    let entries = list.iter().map(|variable| {
        let words = words(variable);
        let optional = variable.optional.then(|| quote!(.optional()));
        if variable.treatment == Treatment::USUAL {
            return quote!(__p::usual(#words) #optional);
        }
        let treatment = &variable.treatment;
        quote!(__p::treated(#words, #treatment) #optional)
    });
    quote!([#(#entries),*])
}

/// `__p::treatment(true, false, __p::Hang::None)`.
impl ToTokens for Treatment {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (raw, untrusted) = (self.raw, self.untrusted);
        let hang = match self.hang {
            Hang::Off => quote!(__p::Hang::None),
            Hang::First => quote!(__p::Hang::First),
            Hang::Column(column) => {
                let column = plain(column);
                quote!(__p::Hang::Column(#column))
            }
        };
        tokens.extend(quote!(__p::treatment(#raw, #untrusted, #hang)));
    }
}

/// An entry of the table: `__p::asks("note")`.
impl ToTokens for Condition {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let source = &self.source;
        tokens.extend(match self.asked {
            Asked::Section(index) => {
                let index = plain(index);
                quote!(__p::asks_section(#source, #index))
            }
            Asked::Value(_) | Asked::Item { .. } => quote!(__p::asks(#source)),
        });
    }
}

impl Condition {
    fn arm(&self, access: Access) -> TokenStream {
        match &self.asked {
            Asked::Value(operand) => conditions_of(&access.borrow(operand)),
            // The renderer knows what a section prints.
            Asked::Section(_) => quote!(false),
            Asked::Item { list, item } => {
                let [name, index] = ["item", "index"].map(runtime::local);
                let (list, asked) = (access.borrow(list), conditions_of(&access.borrow(item)));
                quote!(__p::holds_item(#list, #index, |#name| #asked))
            }
        }
    }
}

impl Tags {
    /// `__p::tags(&[__p::s("doc")], &[__p::s("doc")], false)`, if there are any.
    fn tokens(&self) -> Option<TokenStream> {
        if self.is_empty() {
            return None;
        }
        let (opens, closes, values) = (&self.opens, &self.closes, self.values);
        Some(
            quote!(__p::tags(const { &[#(__p::s(#opens)),*] }, const { &[#(__p::s(#closes)),*] }, #values)),
        )
    }
}

fn tool_arm(pattern: &TokenStream, tools: &Expr) -> TokenStream {
    let span = runtime::at(tools.span());
    quote_spanned!(span=> #pattern => __p::tools(&#tools),)
}
