//! What both formats of `OpenAI` share: images, tool results, and the cache breakpoints on content parts.

use super::WireError;
use super::reader::Cursor;
use crate::message::CachePoint;
use crate::message::ImageSource;
use serde_json::{Map, Value, json};

/// `OpenAI`'s minimum lifetime of a breakpoint, in seconds.
const HALF_HOUR: u32 = 1_800;
const HOUR: u32 = 3_600;
const HALF_DAY: u32 = 43_200;

/// A breakpoint. The lifetime is named only where the provider's default (30 minutes or longer) does not do.
fn breakpoint(point: CachePoint) -> Value {
    match point.ttl {
        Some(HALF_HOUR) => json!({ "mode": "explicit", "ttl": "30m" }),
        Some(seconds) if seconds > HOUR => json!({ "mode": "explicit", "ttl": "12h" }),
        _ => json!({ "mode": "explicit" }),
    }
}

/// Puts a breakpoint on a content part.
pub(super) fn mark(part: &mut Value, point: Option<CachePoint>) {
    if let (Some(map), Some(point)) = (part.as_object_mut(), point) {
        map.insert("prompt_cache_breakpoint".into(), breakpoint(point));
    }
}

/// The breakpoint on a content part, if there is one.
pub(super) fn read(part: &Cursor<'_>) -> Result<Option<CachePoint>, WireError> {
    let Some(breakpoint) = part.get("prompt_cache_breakpoint") else {
        return Ok(None);
    };
    let ttl = match breakpoint.text_if_any("ttl")? {
        Some("30m") => Some(HALF_HOUR),
        Some("12h") => Some(HALF_DAY),
        _ => None,
    };
    Ok(Some(CachePoint { ttl }))
}

/// The fields of a request that has breakpoints, or at least a key.
pub(super) fn add_fields(body: &mut Map<String, Value>, key: Option<&str>, explicit: bool) {
    if let Some(key) = key {
        body.insert("prompt_cache_key".into(), key.into());
    }
    if explicit {
        body.insert(
            "prompt_cache_options".into(),
            json!({ "mode": "explicit", "ttl": "30m" }),
        );
    }
}

/// The address of an image; bytes become a `data:` address.
pub(super) fn image_url(mime: &str, source: &ImageSource) -> String {
    match source {
        ImageSource::Data(data) => format!("data:{mime};base64,{data}"),
        ImageSource::Url(url) => url.clone(),
    }
}

/// The text of a tool result, which is a string or a list of text parts, and the breakpoint on it.
pub(super) fn read_result(result: &Cursor<'_>) -> Result<(String, Option<CachePoint>), WireError> {
    if let Some(whole) = result.value.as_str() {
        return Ok((whole.to_owned(), None));
    }
    let (mut text, mut point) = (String::new(), None);
    for part in result.items()? {
        text.push_str(part.text("text")?);
        point = read(&part)?.or(point);
    }
    Ok((text, point))
}
