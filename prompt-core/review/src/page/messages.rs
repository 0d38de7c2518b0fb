//! What goes to the provider beside the text: the messages by role, and the tools with their schemas.

use super::{PARTS, Page, cache_words};
use crate::html::{Text, badge, block, part};
use maud::{Markup, html};
use prompt_core::message::{Content, ImageSource};
use prompt_core::{Message, ToolSpec};
use serde_json::Value;

impl Page<'_> {
    pub(super) fn messages(&self) -> Markup {
        let messages = &self.preview.messages;
        let content = html! {
            @if messages.is_empty() { p { "None." } }
            @for (it, sent) in messages.iter().zip(&self.sent) { (message(it, *sent)) }
        };
        part(PARTS[2], &content)
    }

    pub(super) fn tools(&self) -> Markup {
        let tools = &self.preview.tools;
        let content = html! {
            @if tools.is_empty() { p { "None." } }
            @for it in tools { (tool(it)) }
        };
        part(PARTS[3], &content)
    }
}

fn message((message, tokens): &(Message, usize), sent: usize) -> Markup {
    let (role, text) = (message.role.as_str(), message.text());
    let beginning = beginning(&text);
    html! {
        details class={ "message " (role) } {
            summary {
                h3 { (role) } " "
                (badge("plain", &format!("{tokens} tokens")))
                @if let Some(point) = message.cache {
                    (badge("cached", &format!("{}: {sent} tokens up to here", cache_words(point))))
                }
                span.beginning dir="auto" {
                    (Text(beginning))
                    @if beginning.len() < text.len() { " …" }
                }
            }
            div.inside {
                @for piece in &message.content { (content(piece)) }
            }
        }
        "\n"
    }
}

fn content(content: &Content) -> Markup {
    let (what, detail, body) = match content {
        Content::Text { text } => return block(Text(text)),
        Content::Image { mime, source } => {
            let source = match source {
                ImageSource::Url(url) => url.clone(),
                ImageSource::Data(data) => format!("{} characters of base64", data.len()),
                _ => "elsewhere".into(),
            };
            ("image", format!("{mime}, {source}"), None)
        }
        Content::Resource { uri, text, .. } => ("resource", uri.clone(), Some(text.clone())),
        Content::ToolCall {
            name, arguments, ..
        } => ("tool call", name.clone(), Some(json(arguments))),
        Content::ToolResult {
            id,
            content,
            is_error,
        } => {
            let what = if *is_error {
                "tool failed"
            } else {
                "tool result"
            };
            (what, id.clone(), Some(content.clone()))
        }
        Content::Thought { text } => ("thought", String::new(), Some(text.clone())),
        Content::Signature { data } => ("signature", format!("{} characters", data.len()), None),
        Content::Native { format, value } | Content::Extra { format, value } => {
            ("piece of one provider", format.clone(), Some(json(value)))
        }
        _ => ("something else", String::new(), None),
    };
    html! {
        (fact(what, &detail))
        @if let Some(body) = body { (block(Text(&body))) }
    }
}

fn fact(what: &str, detail: &str) -> Markup {
    html! { p { (badge("plain", what)) (Text(detail)) } }
}

fn tool((spec, tokens): &(ToolSpec, usize)) -> Markup {
    let listing = spec.listing();
    let facts = [
        ("when to use", &listing.when_to_use),
        ("category", &listing.category),
    ];
    html! {
        details.tool {
            summary {
                h3 { (Text(spec.name())) } " "
                (badge("plain", &format!("{tokens} tokens")))
                (badge("plain", if spec.is_strict() { "strict" } else { "not strict" }))
                @if let Some(priority) = listing.priority { (badge("plain", &format!("priority {priority}"))) }
            }
            div.inside {
                (block(Text(spec.description())))
                @for (name, words) in facts {
                    @if let Some(words) = words { (fact(name, words)) }
                }
                (block(Text(&json(spec.parameters()))))
            }
        }
        "\n"
    }
}

fn json(value: &Value) -> String {
    format!("{value:#}")
}

/// The first line, or 120 characters of it.
fn beginning(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    let end = line.char_indices().nth(120);
    &line[..end.map_or(line.len(), |(at, _)| at)]
}
