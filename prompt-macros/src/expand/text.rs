//! Texts as data: `__p::text("You review  code.", &__p::marks([(0, -1), (11, 0)]), 1, 1)`.

use crate::model::form::Text;
use proc_macro2::{Literal, TokenStream};
use prompt_syntax::{ConditionForm, Mark, MarkKind, Special, Target};
use quote::{ToTokens, quote};

impl ToTokens for Text {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.with(&self.literal));
    }
}

impl Text {
    /// The text, where its literal is given by this expression.
    pub(crate) fn with(&self, literal: &impl ToTokens) -> TokenStream {
        if self.marks.is_empty() {
            return quote!(__p::plain(#literal));
        }
        if self.coded().as_deref() == Some("0-1") {
            return quote!(__p::words(#literal));
        }
        let [base, end] = [self.base, self.end].map(Literal::u8_unsuffixed);
        let places: Option<Vec<TokenStream>> = self.marks.iter().map(place).collect();
        if let Some(places) = places {
            return quote!(__p::text(#literal, &__p::marks([#(#places),*]), #base, #end));
        }
        let marks = self.marks.iter().map(mark);
        quote!(__p::text(#literal, &[#(#marks),*], #base, #end))
    }

    /// Its marks as words, `0-1 11+0`, if they are paragraphs and variables in the usual place.
    pub(crate) fn coded(&self) -> Option<String> {
        let words = self.marks.iter().map(|mark| match mark.kind {
            MarkKind::Text { line } => Some(format!("{}-{line}", mark.at)),
            MarkKind::Variable(index) => Some(format!("{}+{index}", mark.at)),
            _ => None,
        });
        let words: Option<Vec<String>> = words.collect();
        Some(words.filter(|_| [self.base, self.end] == [1, 1])?.join(" "))
    }
}

/// A number without its type, as a person would write it.
pub(crate) fn plain(number: impl TryInto<u64>) -> Literal {
    Literal::u64_unsuffixed(number.try_into().unwrap_or(u64::MAX))
}

/// `__p::holds(&self.note)`.
pub(crate) fn conditions_of(value: &TokenStream) -> TokenStream {
    quote!(__p::holds(#value))
}

/// A paragraph or a variable: `(0, -1)` is a paragraph of line 1, `(11, 0)` the first variable.
fn place(mark: &Mark) -> Option<TokenStream> {
    let at = plain(mark.at);
    match mark.kind {
        MarkKind::Text { line } => {
            let line = plain(line);
            Some(quote!((#at, -#line)))
        }
        MarkKind::Variable(index) => {
            let index = plain(index);
            Some(quote!((#at, #index)))
        }
        _ => None,
    }
}

fn mark(mark: &Mark) -> TokenStream {
    let at = plain(mark.at);
    match mark.kind {
        MarkKind::Text { line } => call("paragraph", &[at, plain(line)]),
        MarkKind::Title {
            line,
            level,
            optional,
            len,
            marks,
        } => {
            let [line, level, len, marks] = [line, level.into(), len, marks.into()].map(plain);
            quote!(__p::title(#at, #line, #level, #optional, #len, #marks))
        }
        MarkKind::Code {
            line,
            indent,
            fence,
        } => call("code", &[at, plain(line), plain(indent), plain(fence)]),
        MarkKind::CodeEnd { len } => call("code_end", &[at, plain(len)]),
        MarkKind::Gap { len, ends_line } => {
            let len = plain(len);
            quote!(__p::gap(#at, #len, #ends_line))
        }
        MarkKind::Line { head } => call("line", &[at, plain(head)]),
        MarkKind::Variable(index) => call("variable", &[at, plain(index)]),
        MarkKind::Block(index) => call("block", &[at, plain(index)]),
        MarkKind::Special(special) => {
            let special = special_name(special);
            quote!(__p::special(#at, #special))
        }
        MarkKind::If {
            condition,
            negated,
            form,
            end,
        } => {
            let (condition, form, end) = (plain(condition), form_of(form), plain(end));
            quote!(__p::cond(#at, #condition, #negated, #form, #end))
        }
        MarkKind::Else { form, end } => {
            let (form, end) = (form_of(form), plain(end));
            quote!(__p::otherwise(#at, #form, #end))
        }
        MarkKind::End { form } => {
            let form = form_of(form);
            quote!(__p::end(#at, #form))
        }
        MarkKind::Escape { len } => call("escape", &[at, plain(len)]),
        MarkKind::Slot {
            target,
            line,
            level,
            indent,
        } => {
            let [line, level, indent] = [line, level.into(), indent.into()].map(plain);
            let target = slot(target);
            quote!(__p::slot(#at, #target, #line, #level, #indent))
        }
    }
}

fn call(name: &str, arguments: &[Literal]) -> TokenStream {
    let name = proc_macro2::Ident::new(name, proc_macro2::Span::call_site());
    quote!(__p::#name(#(#arguments),*))
}

fn form_of(form: ConditionForm) -> TokenStream {
    match form {
        ConditionForm::Line => quote!(__p::ConditionForm::Line),
        ConditionForm::Inline => quote!(__p::ConditionForm::Inline),
        ConditionForm::Block { indent } => {
            let indent = plain(indent);
            quote!(__p::ConditionForm::Block { indent: #indent })
        }
    }
}

fn special_name(special: Special) -> TokenStream {
    match special {
        Special::Key => quote!(__p::Special::Key),
        Special::Subsections => quote!(__p::Special::Subsections),
        _ => quote!(__p::Special::Title),
    }
}

fn slot(target: Target) -> TokenStream {
    match target {
        Target::Subtree => quote!(__p::Target::Subtree),
        Target::Collected => quote!(__p::Target::Collected),
        Target::Section(index) => {
            let index = plain(index);
            quote!(__p::Target::Section(#index))
        }
    }
}
