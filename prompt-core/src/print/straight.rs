//! Trees that can be printed in one go, printed so: see [`Flow`].

use super::look::{HeadingOverflow, Look, Numbering, Style};
use crate::error::PromptError;
use crate::node::{Embedded, Flow, Seen, TAG, holds};
use crate::xml::{self, Finished, ValuePolicy, ValueRange, is_clean, unfinished_tag};
use std::ops::Range;

/// Appends a tree to `buffer`, if it can be printed in one go; `None` where it cannot, and then nothing has been asked.
/// Gives the first byte that depends on a value, and tells its sections where somebody wants to know. On an error the
/// buffer is as it was.
pub(crate) fn print_straight(
    root: &Embedded<'_>,
    look: &Look,
    buffer: &mut String,
    seen: Option<&mut Seen>,
) -> Option<Result<usize, PromptError>> {
    let flows = root.straight?;
    let is_xml = look.style == Style::Xml;
    let extent = flows.extent(is_xml || look.base_level > 1)?;
    if !is_usual(look) || (seen.is_some() && extent.has_tools) {
        return None;
    }
    let before = buffer.len();
    if buffer.capacity() == 0 {
        *buffer = String::with_capacity(extent.bytes);
    } else if buffer.capacity() - before < extent.bytes {
        buffer.reserve(extent.bytes);
    }
    let indent = is_xml.then_some(look.indent);
    let mut flow = Flow::new(buffer, look.base_level.max(1), indent, &extent, seen);
    if root.varies {
        flow.depends();
    }
    if let Err(failed) = flows.flow_into(&mut flow) {
        buffer.truncate(before);
        return Some(Err(failed.into_error()));
    }
    Some(Ok(finish(&mut flow, extent.has_tags)))
}

/// Whether nothing is asked of the look but the style.
fn is_usual(look: &Look) -> bool {
    look.numbering == Numbering::None
        && look.overflow == HeadingOverflow::Clamp
        && !look.indent_text
        && !look.render_empty
}

/// Ends the text, and guards what values wrote in it; gives the first byte that depends on a value.
#[inline]
fn finish(flow: &mut Flow<'_>, has_tags: bool) -> usize {
    if flow.is_xml() && flow.len() > 0 {
        flow.buffer.push('\n');
    }
    let prefix = flow.static_prefix();
    if flow.values.is_empty() || (!has_tags && holds_no_tag(flow)) {
        return prefix;
    }
    guard(flow, prefix)
}

/// Whether values, and what stands around them in their templates, hold no `<`.
fn holds_no_tag(flow: &Flow<'_>) -> bool {
    flow.values.iter().all(|range| {
        let value = flow.buffer.get(range.clone());
        value.is_some_and(|value| !holds(value, b'<'))
    })
}

#[cold]
fn guard(flow: &mut Flow<'_>, prefix: usize) -> usize {
    flow.values.retain(|range| *range != TAG);
    let (before, text) = (flow.before, flow.text());
    let prefix = unfinished_tag(text, prefix);
    // Mostly no `<` is there but those of the tags.
    let tags = 2 * flow.tags();
    if memchr::memchr_iter(b'<', text.as_bytes()).count() == tags {
        return prefix;
    }
    let own = |range: &Range<usize>| range.start - before..range.end - before;
    if is_clean(text, flow.values.iter().map(own)) {
        return prefix;
    }
    escape(flow, prefix)
}

#[cold]
fn escape(flow: &mut Flow<'_>, prefix: usize) -> usize {
    let (before, text) = (flow.before, flow.text());
    let value = |range: &Range<usize>| ValueRange {
        range: range.start - before..range.end - before,
        policy: ValuePolicy::default(),
    };
    let values: Vec<ValueRange> = flow.values.iter().map(value).collect();
    let finished = Finished {
        text,
        values: &values,
        fences: &[],
        written: &flow.names(),
        opens: &[],
        closes: &[],
    };
    // No value is under the strict policy, so nothing is refused.
    let Ok(Some(edits)) = xml::guard(&finished) else {
        return prefix;
    };
    let guarded = edits.apply(text);
    flow.buffer.truncate(before);
    flow.buffer.push_str(&guarded);
    for section in flow.seen.iter_mut().flat_map(|seen| &mut seen.rows) {
        (section.start, section.end) = (edits.moved(section.start), edits.moved(section.end));
        section.body = edits.moved(section.body);
    }
    edits.first().map_or(prefix, |first| prefix.min(first))
}
