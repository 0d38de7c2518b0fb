//! Which section stands in which.

use prompt_core::prompt::{Preview, PreviewRow};
use std::iter;
use std::ops::Range;

/// The rows in each row, and at the end those of the root, with the byte where each stands, in the order of the text.
/// What is not shown stands behind the one declared before it, or else at the end of what it would be in.
pub(crate) fn inner(rows: &[PreviewRow]) -> Vec<Vec<(usize, usize)>> {
    let mut inner: Vec<Vec<(usize, usize)>> = vec![Vec::new(); rows.len() + 1];
    for (index, row) in rows.iter().enumerate() {
        let end = row.parent.map_or(usize::MAX, |around| {
            rows[around].range.as_ref().map_or(0, |range| range.end)
        });
        let siblings = &mut inner[row.parent.unwrap_or(rows.len())];
        let before = siblings.last().map_or(end, |(place, _)| *place);
        let place = row.range.as_ref().map_or(before, |range| range.start);
        siblings.push((place, index));
    }
    for siblings in &mut inner {
        siblings.sort_unstable();
    }
    inner
}

/// The bytes of each row without what is inside it, and at the end those of the root.
pub(crate) fn own_parts(preview: &Preview) -> Vec<Vec<Range<usize>>> {
    let rows = &preview.rows;
    let ranges = rows.iter().map(|row| row.range.clone().unwrap_or_default());
    let ranges = ranges.chain(iter::once(0..preview.text.len()));
    let own = |(range, inner): (Range<usize>, Vec<(usize, usize)>)| {
        let (mut parts, mut at) = (Vec::new(), range.start);
        let inner = inner
            .iter()
            .filter_map(|(_, row)| rows[*row].range.as_ref());
        for range in inner.chain(iter::once(&(range.end..range.end))) {
            if at < range.start {
                parts.push(at..range.start);
            }
            at = range.end;
        }
        parts
    };
    ranges.zip(inner(rows)).map(own).collect()
}
