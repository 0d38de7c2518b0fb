//! Texts as lists of elements: `text(const { &[paragraph(1, const { &[words("Hello.")] })] })`. They stand in the body of a
//! `static`, which imports these names: no expression of the user is there.
//!
//! A list is a constant of its own: what it holds could be dropped, and the compiler borrows such values for ever only
//! there.

use crate::model::form::Text;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use prompt_syntax::{Each, Element, If, Inline, InlineText, Margins, Metadata, Part, Target};
use quote::{ToTokens, format_ident, quote};
use std::fmt::Debug;

/// A `static`, and what a reader finds in it by their short names.
///
/// ```text
/// static TEXT: __p::Text = {
///     use __p::*;
///     text(const { &[..] })
/// };
/// ```
pub(crate) fn constant(name: &str, ty: &str, value: &impl ToTokens) -> TokenStream {
    let [name, ty] = [name, ty].map(|name| Ident::new(name, Span::call_site()));
    quote! {
        static #name: __p::#ty = {
            use __p::*;
            #value
        };
    }
}

impl ToTokens for Text {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let elements = list(&self.0.elements, element);
        tokens.extend(quote!(text(#elements)));
    }
}

/// A number without its type, as a person would write it.
pub(crate) fn plain(number: impl TryInto<u64>) -> Literal {
    Literal::u64_unsuffixed(number.try_into().unwrap_or(u64::MAX))
}

/// `Form::Line`: a value without fields that is called in the runtime as it is here.
pub(crate) fn variant(ty: &str, value: &impl Debug) -> TokenStream {
    let (ty, name) = (format_ident!("{ty}"), format_ident!("{value:?}"));
    quote!(#ty::#name)
}

/// `const { &[..] }`.
fn list<T>(entries: &[T], entry: impl Fn(&T) -> TokenStream) -> TokenStream {
    if entries.is_empty() {
        return quote!(&[]);
    }
    let entries = entries.iter().map(entry);
    quote!(const { &[#(#entries),*] })
}

fn element(element: &Element) -> TokenStream {
    let (metadata, tokens) = match element {
        Element::Title {
            level,
            text,
            margins,
            metadata,
        } => {
            let (line, level, text) = (plain(metadata.line), plain(*level), pieces(text));
            let title = if *margins == Margins::USUAL {
                quote!(title(#line, #level, #text))
            } else {
                let Margins {
                    before,
                    behind,
                    close,
                } = margins;
                quote!(spaced_title(#line, #level, [#before, #behind, #close], #text))
            };
            (metadata, title)
        }
        Element::Text { text, metadata } => {
            let (line, text) = (plain(metadata.line), pieces(text));
            (metadata, quote!(paragraph(#line, #text)))
        }
        Element::Slot {
            name,
            target,
            level,
            indent: 0,
            metadata,
        } => {
            let (line, level, target) = (plain(metadata.line), plain(*level), slot(*target));
            (metadata, quote!(slot(#line, #name, #target, #level)))
        }
        element => return element_in_full(element),
    };
    let usual = Metadata::at(0, 1);
    let is_slot = matches!(element, Element::Slot { .. });
    let tokens = match metadata {
        metadata if *metadata == usual => tokens,
        metadata if metadata.blank_lines == 0 && metadata.blanks.is_empty() => {
            quote!(directly_below(#tokens))
        }
        _ => return element_in_full(element),
    };
    if metadata.optional && !is_slot {
        quote!(optional(#tokens))
    } else {
        tokens
    }
}

/// An element with all that is to be said of it.
fn element_in_full(full: &Element) -> TokenStream {
    let metadata = metadata(full.metadata());
    match full {
        Element::Title {
            level,
            text,
            margins,
            ..
        } => {
            let (level, text) = (plain(*level), inline(text));
            let Margins {
                before,
                behind,
                close,
            } = margins;
            quote! {
                Element::Title {
                    level: #level,
                    text: #text,
                    margins: Margins {
                        before: str(#before),
                        behind: str(#behind),
                        close: str(#close),
                    },
                    metadata: #metadata,
                }
            }
        }
        Element::Text { text, .. } => {
            let text = inline(text);
            quote!(Element::Text { text: #text, metadata: #metadata })
        }
        Element::Code {
            fence,
            info,
            after_info,
            text,
            close,
            ..
        } => {
            let (info, text) = (inline(info), inline(text));
            quote! {
                Element::Code {
                    fence: str(#fence),
                    info: #info,
                    after_info: str(#after_info),
                    text: #text,
                    close: str(#close),
                    metadata: #metadata,
                }
            }
        }
        Element::Slot {
            name,
            target,
            level,
            indent,
            ..
        } => {
            let (target, level, indent) = (slot(*target), plain(*level), plain(*indent));
            quote! {
                Element::Slot {
                    name: str(#name),
                    target: #target,
                    level: #level,
                    indent: #indent,
                    metadata: #metadata,
                }
            }
        }
        Element::If { branches, .. } => {
            let branches = condition(branches, element);
            quote!(Element::If { branches: #branches, metadata: #metadata })
        }
        Element::Each { branches, .. } => {
            let branches = each(branches, element);
            quote!(Element::Each { branches: #branches, metadata: #metadata })
        }
    }
}

fn metadata(metadata: &Metadata) -> TokenStream {
    let Metadata {
        line,
        blank_lines,
        blanks,
        optional,
    } = metadata;
    let (line, blank_lines) = (plain(*line), plain(*blank_lines));
    if blanks.is_empty() && !optional {
        return quote!(Metadata::at(#line, #blank_lines));
    }
    quote! {
        Metadata {
            line: #line,
            blank_lines: #blank_lines,
            blanks: str(#blanks),
            optional: #optional,
        }
    }
}

/// The pieces of a text.
fn pieces(text: &InlineText) -> TokenStream {
    list(text.iter().as_slice(), piece)
}

fn inline(text: &InlineText) -> TokenStream {
    let pieces = pieces(text);
    quote!(InlineText::new(#pieces))
}

fn piece(inline: &Inline) -> TokenStream {
    match inline {
        Inline::Literal(text) => quote!(words(#text)),
        Inline::Escaped(text) => quote!(escaped(#text)),
        Inline::Nothing => quote!(Inline::Nothing),
        Inline::Value {
            source,
            index,
            quote,
        } => {
            let index = plain(*index);
            if quote.is_empty() {
                quote!(value(#source, #index))
            } else {
                quote!(quoted_value(#source, #index, #quote))
            }
        }
        Inline::Blocks(blocks) => {
            let blocks = list(blocks, element);
            quote!(blocks(#blocks))
        }
        Inline::Fence { is_open } => quote!(fence(#is_open)),
        Inline::Special(special) => {
            let special = variant("Special", special);
            quote!(Inline::Special(#special))
        }
        Inline::Line { head } => quote!(line(#head)),
        Inline::Break(text) => quote!(line_break(#text)),
        Inline::If(branches) => {
            let branches = condition(branches, piece);
            quote!(Inline::If(#branches))
        }
        Inline::Each(branches) => {
            let branches = each(branches, piece);
            quote!(Inline::Each(#branches))
        }
    }
}

fn condition<T: Clone>(branches: &If<T>, entry: fn(&T) -> TokenStream) -> TokenStream {
    let (form, index, end) = (
        variant("Form", &branches.form),
        plain(branches.index),
        &branches.end,
    );
    let (negated, then) = (branches.negated, part(&branches.then, entry));
    let otherwise = otherwise(branches.otherwise.as_ref(), entry);
    quote!(condition_on(#form, #index, #negated, #then, #otherwise, #end))
}

fn each<T: Clone>(branches: &Each<T>, entry: fn(&T) -> TokenStream) -> TokenStream {
    let (form, index, end) = (
        variant("Form", &branches.form),
        plain(branches.index),
        &branches.end,
    );
    let body = part(&branches.body, entry);
    let otherwise = otherwise(branches.otherwise.as_ref(), entry);
    let last = branches.last.as_ref();
    let last = last.map_or_else(|| quote!(None), |last| quote!(Some(str(#last))));
    quote!(each_of(#form, #index, #body, #otherwise, #last, #end))
}

fn otherwise<T: Clone>(branch: Option<&Part<T>>, entry: fn(&T) -> TokenStream) -> TokenStream {
    branch.map_or_else(
        || quote!(None),
        |branch| {
            let part = part(branch, entry);
            quote!(Some(#part))
        },
    )
}

fn part<T: Clone>(part: &Part<T>, entry: fn(&T) -> TokenStream) -> TokenStream {
    let Part {
        marker,
        lead,
        list: entries,
        trail,
    } = part;
    let entries = list(entries, entry);
    if lead.is_empty() && trail.is_empty() {
        return quote!(part(#marker, #entries));
    }
    quote!(spaced_part(#marker, #lead, #entries, #trail))
}

/// What a value is worded as.
pub(super) fn worded(worded: &[Inline]) -> TokenStream {
    list(worded, piece)
}

fn slot(target: Target) -> TokenStream {
    match target {
        Target::Subtree => quote!(Target::Subtree),
        Target::Collected => quote!(Target::Collected),
        Target::Section(index) => {
            let index = plain(index);
            quote!(Target::Section(#index))
        }
    }
}
