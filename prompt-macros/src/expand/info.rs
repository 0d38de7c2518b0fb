//! The parts of a description, as struct literals that name only what differs from their bases.

use super::{
    fields::Fields,
    text::{plain, variant, worded},
};
use crate::model::form::Text;
use proc_macro2::{Literal, TokenStream};
use prompt_syntax::LoopName;
use prompt_syntax::info::{
    Attribute, AttributeSource, ConditionInfo, Container, Cut, Guarding, Hang, Heading, Items,
    LoopInfo, Markup, Policy, Priority, Said, SectionKeys, Title, Variable, Visibility,
};
use quote::quote;

/// How many fields `SectionKeys` has.
const KEYS: usize = 8;

/// What differs from `CONTAINER`.
pub(super) fn container(container: &Container) -> Fields {
    let mut fields = Fields::default();
    fields.words("key", container.key.as_ref());
    fields.some_text("title", container.title.as_ref());
    fields.words("description", container.description.as_ref());
    fields.some_text("summary", container.summary.as_ref());
    fields.some_text("summary_suffix", container.summary_suffix.as_ref());
    fields.part("Markup", &markup(&container.markup));
    fields.part("Heading", &heading(&container.heading));
    fields.some("numbered", container.numbered);
    fields.str("start", &container.start);
    fields.str("end", &container.end);
    fields.flag("has_tools", container.has_tools);
    let allow = container.allow.iter();
    fields.list("allow", allow.map(|code| variant("Code", code)));
    fields
}

/// `Said::Static(const { &SectionKeys { .., ..KEYS } })`, where something is said.
pub(super) fn said(said: &Said) -> Option<TokenStream> {
    let keys = keys(said);
    let is_said = !keys.is_empty();
    is_said.then(|| {
        let keys = keys.literal("SectionKeys", KEYS, "KEYS");
        quote!(Said::Static(const { &#keys }))
    })
}

fn keys(keys: &SectionKeys) -> Fields {
    let mut fields = Fields::default();
    fields.part("Heading", &heading(&keys.heading));
    fields.some_text("summary", keys.summary.as_ref());
    let is_summarised = keys.visibility == Visibility::Summary;
    fields.set(
        "visibility",
        is_summarised.then(|| quote!(Visibility::Summary)),
    );
    fields.some_text("empty", keys.empty.as_ref());
    fields.flag("placed", keys.placed);
    fields.part("Markup", &markup(&keys.markup));
    fields.part("Policy", &policy(&keys.policy));
    fields.part("Items", &items(&keys.items));
    fields
}

fn policy(policy: &Policy) -> Fields {
    let mut fields = Fields::default();
    fields.some("priority", policy.priority.map(priority));
    fields.variant("role", "Role", policy.role);
    fields.some("cache", policy.cache.map(plain));
    fields.flag("volatile", policy.volatile);
    fields.flag("has_tools", policy.has_tools);
    fields.flag("messages", policy.messages);
    fields
}

fn priority(priority: Priority) -> TokenStream {
    match priority {
        Priority::Required => quote!(Priority::Required),
        Priority::Level(level) => {
            let level = Literal::i32_unsuffixed(level);
            quote!(Priority::Level(#level))
        }
    }
}

fn items(items: &Items) -> Fields {
    let mut fields = Fields::default();
    fields.some("list", items.list.map(plain));
    fields.some_text("text", items.text.as_ref());
    fields.some_text("title", items.title.as_ref());
    fields.flag("untitled", items.untitled);
    fields.some("key", items.key.map(plain));
    fields.words("tag", items.tag.as_ref());
    fields.words("join", items.join.as_ref());
    fields.words("last", items.last.as_ref());
    fields
}

fn heading(heading: &Heading) -> Fields {
    let mut fields = Fields::default();
    fields.some_text("form", heading.form.as_ref());
    fields.some("level", heading.level.map(plain));
    fields.flag("tight", heading.tight);
    fields.some("gap", heading.gap.map(plain));
    fields
}

fn markup(markup: &Markup) -> Fields {
    let mut fields = Fields::default();
    fields.words("tag", markup.tag.as_ref());
    fields.list("attributes", markup.attributes.iter().map(attribute));
    fields.flag("inline", markup.inline);
    fields.some("indent", markup.indent.map(plain));
    let guarding = (markup.guarding != Guarding::Default).then_some(markup.guarding);
    fields.set("guarding", guarding.map(|it| variant("Guarding", &it)));
    fields.flag("untrusted", markup.untrusted);
    fields
}

pub(super) fn title(title: &Title) -> TokenStream {
    match title {
        Title::Explicit(text) => {
            let text = Text(text.clone());
            quote!(Title::Explicit(#text))
        }
        Title::Fallback(title) => quote!(Title::Fallback(str(#title))),
        Title::Untitled(title) => quote!(Title::Untitled(str(#title))),
    }
}

fn attribute(attribute: &Attribute) -> TokenStream {
    let name = &attribute.name;
    match &attribute.value {
        AttributeSource::Variable(variable) => {
            let variable = plain(*variable);
            quote!(attribute_of(#name, #variable))
        }
        // Only files have texts there.
        AttributeSource::Title | AttributeSource::Text(_) => quote!(attribute_of_title(#name)),
    }
}

/// An entry of the table: `variable("language", "Programming language.")`.
pub(super) fn variable(variable: &Variable) -> TokenStream {
    let (source, treatment) = (&variable.source, variable.treatment);
    let description = variable.description.as_deref().unwrap_or_default();
    let hang = match treatment.hang {
        Hang::None => None,
        Hang::First => Some(quote!(.hang(Hang::First))),
        Hang::Column(column) => {
            let column = plain(column);
            Some(quote!(.hang(Hang::Column(#column))))
        }
    };
    let calls = [
        variable.optional.then(|| quote!(.optional())),
        treatment.raw.then(|| quote!(.raw())),
        treatment.untrusted.then(|| quote!(.untrusted())),
        hang,
        cut(&variable.cut),
        item_of(variable.item_of),
        variable.place.map(place),
    ];
    let calls = calls.into_iter().flatten();
    if variable.worded.is_empty() {
        return quote!(variable(#source, #description) #(#calls)*);
    }
    let pieces = worded(&variable.worded);
    quote!(worded(#source, #description, #pieces) #(#calls)*)
}

/// `.cut(true, Some(300), " ..")`: what is left of a value.
fn cut(cut: &Cut) -> Option<TokenStream> {
    let Cut { trim, max, more } = cut;
    let max = max.map(plain);
    let max = max.map_or_else(|| quote!(None), |max| quote!(Some(#max)));
    (!cut.is_none()).then(|| quote!(.cut(#trim, #max, #more)))
}

/// An entry of the table: `condition("note")`.
pub(super) fn condition(condition: &ConditionInfo) -> TokenStream {
    let (source, of) = (&condition.source, item_of(condition.item_of));
    let section = condition.section.map(|index| {
        let index = plain(index);
        quote!(.section(#index))
    });
    let presence = condition.is_presence.then(|| quote!(.presence()));
    let place = condition.place.map(place);
    quote!(condition(#source) #presence #section #of #place)
}

/// An entry of the table: `loop_over("tickets")`.
pub(super) fn loop_over(info: &LoopInfo) -> TokenStream {
    let (source, of) = (&info.source, item_of(info.item_of));
    quote!(loop_over(#source) #of)
}

/// `.place(LoopName::Index)`: where the item stands.
fn place(place: LoopName) -> TokenStream {
    let place = variant("LoopName", &place);
    quote!(.place(#place))
}

/// `.item_of(0)`: what it is about is the item of this loop, or a part of it.
fn item_of(of: Option<u16>) -> Option<TokenStream> {
    of.map(|of| {
        let of = plain(of);
        quote!(.item_of(#of))
    })
}
