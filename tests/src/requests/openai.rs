//! What both formats of `OpenAI` share.

use super::{Cursor, Fault};
use prompt_core::message::CachePoint;

const HALF_HOUR: u32 = 1_800;
const HALF_DAY: u32 = 43_200;

/// The breakpoint on a content part, if there is one.
pub(super) fn read(part: &Cursor<'_>) -> Result<Option<CachePoint>, Fault> {
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

/// The text of a tool result, which is a string or a list of text parts, and the breakpoint on it.
pub(super) fn read_result(result: &Cursor<'_>) -> Result<(String, Option<CachePoint>), Fault> {
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
