//! The parts that both formats of `OpenAI` write alike: cache breakpoints on content parts, images, the choice among tools,
//! and the arguments of calls as strings.

use super::WireError;
use super::options::{RequestOptions, ToolChoice};
use super::piece::Picture;
use super::reply::present;
use super::turn::{Rules, Turn, conversation, settle_cache};
use prompt_core::message::{CachePoint, Content, Message, Role};
use serde_json::{Value, json};

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
    let mut turns = conversation(messages, &rules)?;
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

/// The arguments of a call as the string they travel in: what the model wrote, where that was no object; else the object.
pub(super) fn arguments(arguments: &Value) -> String {
    match arguments {
        Value::String(written) => written.clone(),
        object => object.to_string(),
    }
}
