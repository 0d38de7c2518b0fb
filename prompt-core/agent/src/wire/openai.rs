//! The parts that both formats of `OpenAI` write alike: cache breakpoints on content parts, images, the choice among tools,
//! and the arguments of calls as strings with the keys in the order of the tool's schema.

use super::WireError;
use super::options::{RequestOptions, ToolChoice};
use super::piece::Picture;
use super::reply::present;
use super::turn::{Rules, Turn, conversation, settle_cache};
use prompt_core::message::{CachePoint, Content, Message, Role};
use prompt_core::tool::ToolSpec;
use prompt_core::tool::schema::properties;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// `OpenAI`'s minimum lifetime of a breakpoint, in seconds.
const HALF_HOUR: u32 = 1_800;
const HOUR: u32 = 3_600;

/// The turns of a request with the breakpoints that stay, and whether there are any.
pub(super) fn marked<'a>(
    messages: &'a [Message],
    rules: &Rules,
    options: &RequestOptions,
    bears: fn(Role, &Content) -> bool,
) -> Result<(Vec<Turn<'a>>, bool), WireError> {
    let rules = Rules {
        merge_system: options.breakpoints,
        ..*rules
    };
    let mut turns = conversation(messages, &rules, &options.opening)?;
    settle_cache(&mut turns, false, |role, piece| {
        options.breakpoints && bears(role, piece)
    });
    let mut pieces = turns.iter().flat_map(|turn| &turn.pieces);
    let explicit = pieces.any(|piece| piece.cache.is_some());
    Ok((turns, explicit))
}

/// Puts a breakpoint on a content part. The lifetime is named only where the provider's default (30 minutes or longer)
/// does not do.
pub(super) fn mark(part: &mut Value, point: Option<CachePoint>) {
    if let (Some(map), Some(point)) = (part.as_object_mut(), point) {
        let ttl = match point.ttl {
            Some(HALF_HOUR) => Some("30m"),
            Some(seconds) if seconds > HOUR => Some("12h"),
            _ => None,
        };
        let breakpoint = present(json!({ "mode": "explicit", "ttl": ttl }));
        map.insert("prompt_cache_breakpoint".into(), breakpoint);
    }
}

/// What a request with breakpoints says about them.
pub(super) fn cache_options(explicit: bool) -> Option<Value> {
    explicit.then(|| json!({ "mode": "explicit", "ttl": "30m" }))
}

/// The address of an image; bytes become a `data:` address.
pub(super) fn image_url(mime: &str, source: Picture<'_>) -> String {
    match source {
        Picture::Bytes(data) => format!("data:{mime};base64,{data}"),
        Picture::Address(url) => url.to_owned(),
    }
}

/// The choice among tools; `one` says how a single one is named.
pub(super) fn tool_choice(choice: &ToolChoice, one: impl Fn(&str) -> Value) -> Value {
    match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Required => "required".into(),
        ToolChoice::Tool(name) => one(name),
    }
}

/// The schemas of a request's tools by name.
pub(super) struct Schemas<'a>(BTreeMap<&'a str, &'a Value>);

impl<'a> Schemas<'a> {
    pub(super) fn of(tools: &'a [ToolSpec]) -> Self {
        let tools = tools.iter().map(|tool| (tool.name(), tool.parameters()));
        Self(tools.collect())
    }

    /// The arguments of a call as the string they travel in: what the model wrote, where that was no object; else the
    /// object, its keys in the order in which the tool declares them, others behind. So the bytes of a call are the same
    /// in every request, whatever features `serde_json` is built with.
    pub(super) fn arguments(&self, tool: &str, arguments: &Value) -> String {
        if let Value::String(written) = arguments {
            return written.clone();
        }
        let mut text = String::new();
        let schema = self.0.get(tool).copied().unwrap_or(&Value::Null);
        write_ordered(arguments, schema, &mut text);
        text
    }
}

/// Writes JSON with the keys of objects in the order of their schema.
fn write_ordered(value: &Value, schema: &Value, text: &mut String) {
    match value {
        Value::Object(map) => {
            let declared = schema.as_object().map(properties).unwrap_or_default();
            let known: BTreeSet<&str> = declared.iter().map(|(name, _)| *name).collect();
            let first = declared
                .iter()
                .filter_map(|(name, schema)| Some((*name, map.get(*name)?, *schema)));
            let others = map
                .iter()
                .filter(|(name, _)| !known.contains(name.as_str()));
            let others = others.map(|(name, value)| (name.as_str(), value, &Value::Null));
            text.push('{');
            for (at, (name, value, schema)) in first.chain(others).enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                text.push_str(&Value::from(name).to_string());
                text.push(':');
                write_ordered(value, schema, text);
            }
            text.push('}');
        }
        Value::Array(list) => {
            let items = schema.get("items").unwrap_or(&Value::Null);
            text.push('[');
            for (at, value) in list.iter().enumerate() {
                text.push_str(if at > 0 { "," } else { "" });
                write_ordered(value, items, text);
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}
