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
        form::Print,
        kind::known_type,
        section::Section,
        text::{Asked, Condition, Tags},
        value::{Treatment, Variable},
    },
};
use proc_macro2::{Ident, Span, TokenStream};
use prompt_syntax::MarkKind;
use quote::{ToTokens, quote, quote_spanned};
use std::collections::BTreeMap;
use syn::{Expr, ext::IdentExt, spanned::Spanned};

/// So many fields of a type have an arm each: sharing one costs more than it saves.
const FEW: usize = 2;

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
        let text = if self.has_text_constant() {
            self.text.with(&quote!(__TEXT))
        } else {
            self.text.to_token_stream()
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

    /// `__p::coded(["Reviewer", __TEXT, "0-1 11+0", "language\0Programming language."])`, if that says
    /// everything.
    fn coded(&self) -> Option<TokenStream> {
        if !self.is_usual_node() {
            return None;
        }
        let (marks, variables) = (self.text.coded()?, coded_variables(&self.variables)?);
        let name = self.ident.unraw().to_string();
        let literal = &self.text.literal;
        let text = if self.has_text_constant() {
            quote!(__TEXT)
        } else {
            quote!(#literal)
        };
        let sections = if self.sections.is_empty() {
            TokenStream::new()
        } else {
            self.coded_sections()?
        };
        Some(quote!(__p::coded([#name, #text, #marks, #variables]) #sections))
    }

    /// `.sections("rules\0rules\0Rules\0Follow them.\00-1\012", __p::file!())`, and what is said of them.
    fn coded_sections(&self) -> Option<TokenStream> {
        let words: Option<Vec<String>> = self.sections.iter().map(Section::coded).collect();
        let words = words?.join("\0");
        let said = self.sections.iter().enumerate();
        let said: Vec<TokenStream> = said
            .filter_map(|(number, section)| {
                let (number, keys) = (plain(number), section.said()?);
                Some(quote!((#number, #keys)))
            })
            .collect();
        let said = (!said.is_empty()).then(
            || quote!(.said({ const SAID: &[(usize, __p::SectionKeys)] = &[#(#said),*]; SAID })),
        );
        Some(quote!(.sections(#words, __p::file!()) #said))
    }

    /// Whether nothing is said of it, and nothing happens in its texts, but what most nodes have.
    fn is_usual_node(&self) -> bool {
        self.conditions.is_empty()
            && self.tags.is_empty()
            && self.container_fields().is_empty()
            && self.text.coded().is_some()
            && coded_variables(&self.variables).is_some()
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

    /// The body of `info`.
    ///
    /// ```text
    /// static INFO: __p::Coded = __p::coded(["Reviewer", __TEXT, "0-1 11+0", "language\0Its name."]);
    /// INFO.info()
    /// ```
    pub(crate) fn info(&self, access: Access) -> TokenStream {
        let (ty, value) = self.description();
        let (constants, name) = match access {
            Access::Fields if self.has_info_constant() => (None, "__INFO"),
            // Those of a struct stand where its other methods can see them too.
            Access::Fields => (None, "INFO"),
            Access::Bindings => (self.text_constant(), "INFO"),
        };
        let name = Ident::new(name, Span::call_site());
        let local = (name == "INFO").then(|| quote!(static INFO: __p::#ty = #value;));
        let read = if ty == "Coded" {
            quote!(#name.info())
        } else {
            quote!(&#name)
        };
        quote!(#constants #local #read)
    }

    /// Its description, and the type of that: words that cost the compiler nothing and are read at run time, or where
    /// something is said that most nodes do not say
    ///
    /// ```text
    /// {
    ///     const VARIABLES: &[__p::Variable] = &__p::variables([("language", "Programming language.")]);
    ///     __p::NodeInfo { .. }
    /// }
    /// ```
    ///
    /// Lists are constants of their own: the marks of a text inside them are borrowed for ever, which the compiler grants
    /// in the body of a `const` or `static` only.
    fn description(&self) -> (Ident, TokenStream) {
        let ty = |name| Ident::new(name, Span::call_site());
        if let Some(coded) = self.coded() {
            return (ty("Coded"), coded);
        }
        let variables = (!self.variables.is_empty()).then(|| {
            let list = variables(&self.variables);
            quote!(const VARIABLES: &[__p::Variable] = &#list;)
        });
        let sections = (!self.sections.is_empty()).then(|| {
            let sections = &self.sections;
            quote!(const SECTIONS: &[__p::SectionInfo] = &[#(#sections),*];)
        });
        (ty("NodeInfo"), quote!({ #variables #sections #self }))
    }

    /// Its text and its description, where more than one method needs them.
    ///
    /// ```text
    /// const __TEXT: &str = "You review  code.";
    /// static __INFO: __p::Coded = __p::coded(..);
    /// ```
    pub(crate) fn constants(&self) -> TokenStream {
        let text = self.text_constant();
        let info = self.has_info_constant().then(|| {
            let (ty, value) = self.description();
            quote!(static __INFO: __p::#ty = #value;)
        });
        quote!(#text #info)
    }

    fn text_constant(&self) -> Option<TokenStream> {
        let literal = &self.text.literal;
        self.has_text_constant()
            .then(|| quote!(const __TEXT: &str = #literal;))
    }

    /// Whether what prints in one go needs its description: it tells which sections it prints.
    fn has_info_constant(&self) -> bool {
        self.is_straight() && !self.sections.is_empty()
    }

    /// Whether more than its description needs its text.
    fn has_text_constant(&self) -> bool {
        self.uses().is_some() || (self.text.is_inert() && !self.text.literal.is_empty())
    }

    /// The body of `print`: `out.text(self, __TEXT, 3).put2([11, 0, 21, 1]).put(25, 2).end()`.
    pub(crate) fn print(&self) -> Option<TokenStream> {
        let out = runtime::local("out");
        let uses = self.uses()?;
        let count = plain(uses.len());
        let puts = puts(&uses);
        Some(quote!(#out.text(self, __TEXT, #count) #puts .end()))
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

    /// `match entry { .. }` that writes its variables. Three or more fields of the same known type, which prints whatever
    /// it holds, share an arm: that is cheaper to compile. All others have their own, where they are blamed.
    ///
    /// ```text
    /// 0 | 2 | 3 => __p::Value(match entry { 0 => &self.language, 2 => &self.city, _ => &self.lead }).put(out),
    /// 1 => __p::Value(&self.team).put(out),
    /// ```
    pub(crate) fn write_variable(&self, access: Access) -> TokenStream {
        let [entry, out] = ["entry", "out"].map(runtime::local);
        let arms = self.alike().into_iter().map(|variables| {
            let numbers = variables.iter().map(|(number, _)| plain(*number));
            let body = match variables.as_slice() {
                [(_, only)] => access.put(&only.operand, &only.print),
                several => {
                    let several = several.iter();
                    let several = several.map(|(number, it)| (*number, &it.operand));
                    let value = access.one_of(&entry, several);
                    quote!(__p::Value(#value).put(#out))
                }
            };
            quote!(#(#numbers)|* => { #body })
        });
        quote!(match #entry { #(#arms)* _ => __p::Ok(()) })
    }

    /// Its variables with their numbers: many fields of the same known type that print as they are together, every other
    /// by itself.
    fn alike(&self) -> Vec<Vec<(usize, &Variable)>> {
        let mut known: BTreeMap<String, Vec<(usize, &Variable)>> = BTreeMap::new();
        let mut groups = Vec::new();
        for (number, variable) in self.variables.iter().enumerate() {
            let is_bare = matches!(variable.print, Print::Display);
            let ty = self.type_of(&variable.operand).filter(|_| is_bare);
            match ty.and_then(known_type) {
                Some(ty) => known.entry(ty).or_default().push((number, variable)),
                None => groups.push(vec![(number, variable)]),
            }
        }
        let (many, few): (Vec<_>, Vec<_>) =
            known.into_values().partition(|group| group.len() > FEW);
        groups.extend(few.into_iter().flatten().map(|variable| vec![variable]));
        groups.extend(many);
        groups.sort_by_key(|group| group.first().map(|(number, _)| *number));
        groups
    }

    /// `match index { .. }` that answers its conditions.
    pub(crate) fn ask_condition(&self, access: Access) -> TokenStream {
        let conditions = self.conditions.iter();
        let arms = conditions.map(|condition| condition.arm(access));
        choose(&runtime::local("entry"), arms, &quote!(false))
    }

    /// `match entry { .. }` that hands out its sections. Three or more of type `String` of which nothing is
    /// computed share an arm.
    pub(crate) fn hand_out(&self, access: Access) -> TokenStream {
        let entry = runtime::local("entry");
        let is_text = |(_, section): &(usize, &Section)| section.is_bare_string();
        let sections = self.sections.iter().enumerate();
        let (mut texts, mut others): (Vec<_>, Vec<_>) = sections.partition(is_text);
        if texts.len() <= FEW {
            others.append(&mut texts);
            others.sort_by_key(|(number, _)| *number);
        }
        let texts = (!texts.is_empty()).then(|| {
            let numbers = texts.iter().map(|(number, _)| plain(*number));
            let operands = texts.iter().map(|(number, it)| (*number, &it.operand));
            let text = access.one_of(&entry, operands);
            quote!(#(#numbers)|* => __p::embed(#text),)
        });
        let others = others.iter().map(|(number, section)| {
            let (number, arm) = (plain(*number), section.arm(access));
            quote!(#number => { #arm })
        });
        quote!(match #entry { #texts #(#others)* _ => __p::Section::hidden(), })
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

/// The calls that print variables: as few as there are calls for.
fn puts(uses: &[(u32, u16)]) -> TokenStream {
    let mut calls = TokenStream::new();
    let mut rest = uses;
    for (name, count) in [("put4", 4), ("put2", 2)] {
        while let Some((some, others)) = rest.split_at_checked(count) {
            let name = Ident::new(name, Span::call_site());
            let places = some.iter();
            let numbers = places.flat_map(|(at, index)| [plain(*at), plain(*index)]);
            calls.extend(quote!(.#name([#(#numbers),*])));
            rest = others;
        }
    }
    for (at, index) in rest {
        let (at, index) = (plain(*at), plain(*index));
        calls.extend(quote!(.put(#at, #index)));
    }
    calls
}

/// `"language\0Programming language.\0team\0"`, where all have the usual treatment.
fn coded_variables(list: &[Variable]) -> Option<String> {
    let words = list.iter().map(|variable| {
        let description = variable.description.as_deref().unwrap_or_default();
        let words = [variable.source.as_str(), description];
        let is_plain = variable.treatment == Treatment::USUAL
            && !variable.optional
            && words.iter().all(|word| !word.contains('\0'));
        is_plain.then(|| words.join("\0"))
    });
    let words: Option<Vec<String>> = words.collect();
    Some(words?.join("\0"))
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
