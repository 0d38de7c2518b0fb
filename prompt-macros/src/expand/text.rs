//! Texts as lists of elements: `text(const { &[paragraph(1, const { &[words("Hello.")] })] })`. They stand in a
//! block that imports these names: no expression of the user is there.
//!
//! A list is a constant of its own: what it holds could be dropped, and the compiler borrows such values for ever only
//! there.

use crate::model::form::Text;
use proc_macro2::{Literal, TokenStream};
use prompt_syntax::{
    Each, Element, If, Inline, InlineText, Margins, Metadata, Part, TagPlace, TagRest, Target,
};
use quote::{ToTokens, format_ident, quote};
use std::fmt::Debug;

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
    let Metadata {
        line,
        blank_lines,
        blanks,
        optional,
    } = element.metadata();
    let (line, lines) = (plain(*line), plain(*blank_lines));
    let metadata = quote!(Metadata::at(#line, #lines));
    let tokens = match element {
        Element::Title {
            level,
            text,
            margins,
            ..
        } => {
            let (level, text) = (plain(*level), pieces(text));
            if *margins == Margins::USUAL {
                quote!(title(#line, #level, #text))
            } else {
                let Margins {
                    before,
                    behind,
                    close,
                } = margins;
                quote!(spaced_title(#line, #level, [#before, #behind, #close], #text))
            }
        }
        Element::Text { text, .. } => {
            let text = pieces(text);
            quote!(paragraph(#line, #text))
        }
        Element::Slot {
            name,
            target,
            level,
            indent,
            ..
        } => {
            let (level, target) = (plain(*level), slot(*target));
            let slot = quote!(slot(#line, #name, #target, #level));
            let columns = plain(*indent);
            if *indent == 0 {
                slot
            } else {
                quote!(indented(#columns, #slot))
            }
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
        Element::If { branches, .. } => {
            let branches = condition(branches, self::element);
            quote!(Element::If { branches: #branches, metadata: #metadata })
        }
        Element::Each { branches, .. } => {
            let branches = each(branches, self::element);
            quote!(Element::Each { branches: #branches, metadata: #metadata })
        }
    };
    let is_slot = matches!(element, Element::Slot { .. });
    let has_lines = !is_slot && !matches!(element, Element::Title { .. } | Element::Text { .. });
    let tokens = match blank_lines {
        _ if !blanks.is_empty() => quote!(below(#lines, #blanks, #tokens)),
        1 => tokens,
        _ if has_lines => tokens,
        0 => quote!(directly_below(#tokens)),
        _ => quote!(below(#lines, "", #tokens)),
    };
    if *optional && !is_slot {
        quote!(optional(#tokens))
    } else {
        tokens
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
            tag,
        } => {
            let index = plain(*index);
            let value = if quote.is_empty() {
                quote!(value(#source, #index))
            } else {
                quote!(quoted_value(#source, #index, #quote))
            };
            in_tag(value, *tag)
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

/// `in_tag(value("path", 0), quoted(b'"', false))`: a value in a tag of the words around it.
fn in_tag(value: TokenStream, place: TagPlace) -> TokenStream {
    let place = match place {
        TagPlace::Outside => return value,
        TagPlace::Attribute {
            rest,
            is_last,
            is_open,
        } => {
            let TagRest {
                quote,
                after_equals,
                is_plain,
            } = rest;
            let quoted = quote.map(|quote| {
                let quote = Literal::byte_character(quote);
                quote!(quoted(#quote, #is_open))
            });
            quoted.unwrap_or_else(|| quote!(unquoted(#after_equals, #is_plain, #is_last)))
        }
        place => variant("TagPlace", &place),
    };
    quote!(in_tag(#value, #place))
}

fn condition<T: Clone>(branches: &If<T>, entry: fn(&T) -> TokenStream) -> TokenStream {
    let form = variant("Form", &branches.form);
    let (index, end) = (plain(branches.index), &branches.end);
    let (negated, then) = (branches.negated, part(&branches.then, entry));
    let otherwise = option(branches.otherwise.as_ref(), |it| part(it, entry));
    quote!(condition_on(#form, #index, #negated, #then, #otherwise, #end))
}

fn each<T: Clone>(branches: &Each<T>, entry: fn(&T) -> TokenStream) -> TokenStream {
    let form = variant("Form", &branches.form);
    let (index, end) = (plain(branches.index), &branches.end);
    let body = part(&branches.body, entry);
    let otherwise = option(branches.otherwise.as_ref(), |it| part(it, entry));
    let last = option(branches.last.as_ref(), |last| quote!(str(#last)));
    quote!(each_of(#form, #index, #body, #otherwise, #last, #end))
}

/// `None` or `Some(..)`.
fn option<T>(value: Option<T>, tokens: impl Fn(T) -> TokenStream) -> TokenStream {
    let inner = value.map(tokens);
    inner.map_or_else(|| quote!(None), |inner| quote!(Some(#inner)))
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
