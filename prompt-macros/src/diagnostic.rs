//! One form for every complaint: the fact, its place where the span cannot say it, the stable code, and what to write
//! instead.

use proc_macro2::{Ident, Span, TokenStream};
use prompt_syntax::{Code, Problem, info::Hint};
use quote::quote_spanned;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::{self, Display},
    rc::Rc,
};
use syn::LitStr;

/// All complaints about one type, in the order in which they were found.
#[derive(Default)]
pub(crate) struct Errors {
    all: Vec<Diagnostic>,
    /// What looks like a slip in the texts of the node that is being read, and stops no build.
    pub(crate) hints: Vec<Hint>,
}

/// A mistake of the user.
#[derive(Clone)]
pub(crate) struct Diagnostic {
    pub(crate) code: Code,
    span: Span,
    fact: String,
    place: Option<String>,
    /// The variants in which a text of their enum is wrong.
    variants: Vec<String>,
    help: String,
    /// The name in a literal that it is about, where the compiler can find it there.
    inside: Option<Box<Inside>>,
}

/// A name in a literal.
#[derive(Clone)]
struct Inside {
    literal: Rc<FormatString>,
    name: Ident,
}

/// A literal of the user that is also a format string, all of whose braces are around names: no expander can underline a
/// part of a literal, but `format_args!` can. Each complaint repeats the literal, so only so many are told in this way.
pub(crate) struct FormatString {
    literal: LitStr,
    names: BTreeMap<String, Ident>,
}

impl FormatString {
    /// How many complaints about a literal underline a name in it; the others say line and column.
    pub(crate) const UNDERLINED: usize = 8;
}

impl Errors {
    /// Adds a complaint.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.all.push(diagnostic);
    }

    /// Adds a mistake at `span`: a fact in plain words, and what to write instead.
    pub(crate) fn add(&mut self, code: Code, span: Span, fact: impl Display, help: impl Display) {
        self.push(Diagnostic::new(code, span, fact, help));
    }

    /// Adds what is wrong with a key.
    pub(crate) fn report(&mut self, span: Span, problem: Problem) {
        self.add(problem.code, span, problem.message, problem.help);
    }

    /// Whether a marker of a condition is wrong, so that nobody knows what is asked.
    pub(crate) fn has_broken_condition(&self) -> bool {
        let mut codes = self.all.iter().map(|error| error.code);
        codes.any(|code| {
            matches!(
                code,
                Code::UnclosedCondition
                    | Code::MismatchedCondition
                    | Code::StrayElse
                    | Code::SpacedVariable
                    | Code::UnclosedFence
                    | Code::ForeignTemplate
            )
        })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.all.len()
    }

    /// All of them from the top of the file to its bottom, each once: one in a text that variants have from their enum names
    /// those that it is wrong in. `None` without any.
    pub(crate) fn in_order(mut self) -> Option<Vec<Diagnostic>> {
        self.all.sort_by_key(|error| {
            let start = error.span.start();
            (start.line, start.column)
        });
        let mut kept: Vec<Diagnostic> = Vec::new();
        let mut seen = HashMap::new();
        for error in self.all {
            let (start, end) = (error.span.start(), error.span.end());
            let place = (start.line, start.column, end.line, end.column);
            let mistake = (place, error.code, error.fact.clone(), error.place.clone());
            let first = *seen.entry(mistake).or_insert(kept.len());
            match kept.get_mut(first) {
                Some(first) => first.variants.extend(error.variants),
                None => kept.push(error),
            }
        }
        (!kept.is_empty()).then_some(kept)
    }
}

impl Diagnostic {
    /// A mistake at `span`: a fact in plain words, and what to write instead.
    pub(crate) fn new(code: Code, span: Span, fact: impl Display, help: impl Display) -> Self {
        Self {
            code,
            span,
            fact: fact.to_string(),
            place: None,
            variants: Vec::new(),
            help: help.to_string(),
            inside: None,
        }
    }

    /// Blames a name in a literal, if it stands there; the place in words is not needed then.
    pub(crate) fn inside(mut self, literal: &Rc<FormatString>, name: &str) -> Self {
        let is_free = |name: &&Ident| OWN.iter().all(|own| name != own);
        if let Some(name) = literal.names.get(name).filter(is_free).cloned() {
            self.place = None;
            let literal = Rc::clone(literal);
            self.inside = Some(Box::new(Inside { literal, name }));
        }
        self
    }

    /// Says where in the span it is, for spans that cannot be underlined in part.
    pub(crate) fn at(mut self, place: Option<String>) -> Self {
        self.place = place;
        self
    }

    /// Says that it is about a text of the enum, as this variant has it.
    pub(crate) fn in_variant(mut self, variant: Option<&Ident>) -> Self {
        self.variants.extend(variant.map(Ident::to_string));
        self
    }

    /// `::core::compile_error! { ".." }` at the place.
    pub(crate) fn to_tokens(&self) -> TokenStream {
        match &self.inside {
            Some(inside) => inside.complaint(&self.to_string()),
            None => syn::Error::new(self.span, self).into_compile_error(),
        }
    }
}

impl FormatString {
    /// The names between the braces of a literal, if nothing else stands there. A name with blanks around it is none: the
    /// compiler would take it for one that it does not know.
    pub(crate) fn of(literal: &LitStr) -> Option<Rc<Self>> {
        let text = literal.value();
        let mut written = BTreeSet::new();
        let mut rest = text.as_str();
        while let Some(at) = rest.find(['{', '}']) {
            let (_, tail) = rest.split_at(at);
            let doubled = tail.strip_prefix("{{").or_else(|| tail.strip_prefix("}}"));
            rest = if let Some(tail) = doubled {
                tail
            } else {
                let (found, tail) = tail.strip_prefix('{')?.split_once('}')?;
                written.insert(found);
                tail
            };
        }
        let mut names = BTreeMap::new();
        for found in written {
            let mut ident: Ident = syn::parse_str(found).ok().filter(|ident| ident == found)?;
            ident.set_span(literal.span());
            names.insert(found.to_owned(), ident);
        }
        let literal = literal.clone();
        Some(Rc::new(Self { literal, names }))
    }
}

impl Inside {
    /// The literal as a format string in which one name stands for a value that cannot be printed, with the complaint as
    /// the reason.
    ///
    /// ```text
    /// const _: () = {
    ///     #[diagnostic::on_unimplemented(message = "unknown variable `langauge` ..")]
    ///     trait Known {}
    ///     struct langauge {}
    ///     impl<T: Known> Display for Value<T> { .. }
    ///     fn text() { let langauge = Value(langauge {}); let team = ""; format_args!("Of {langauge} for {team}."); }
    /// };
    /// ```
    fn complaint(&self, message: &str) -> TokenStream {
        let (literal, name) = (&self.literal.literal, &self.name);
        let others = self.literal.names.values().filter(|other| *other != name);
        let span = literal.span();
        // The attribute takes a format string.
        let message = message.replace('{', "{{").replace('}', "}}");
        quote_spanned! {span=>
            const _: () = {
                #[diagnostic::on_unimplemented(message = #message, label = "here")]
                trait Known {}
                #[allow(non_camel_case_types)]
                struct #name {}
                struct KnownName {}
                impl Known for KnownName {}
                struct Value<T>(T);
                impl<T: Known> ::core::fmt::Display for Value<T> {
                    fn fmt(&self, _: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                        ::core::result::Result::Ok(())
                    }
                }
                #[allow(dead_code, clippy::all)]
                fn text() {
                    #(let #others = "";)*
                    let #name = Value(#name {});
                    let _ = ::core::format_args!(#literal);
                }
            };
        }
    }
}

/// What the complaint about a name in a literal declares besides.
const OWN: [&str; 4] = ["Known", "KnownName", "Value", "T"];

impl Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.fact)?;
        let variants = match self.variants.as_slice() {
            [] => None,
            [one] => Some(format!("in variant `{one}`")),
            [first, others @ ..] => Some(format!("in variant `{first}` and {} more", others.len())),
        };
        let notes: Vec<String> = self.place.iter().cloned().chain(variants).collect();
        if !notes.is_empty() {
            write!(f, " ({})", notes.join(", "))?;
        }
        write!(f, " [{}]", self.code)?;
        if !self.help.is_empty() {
            write!(f, "\nhelp: {}", self.help)?;
        }
        Ok(())
    }
}
