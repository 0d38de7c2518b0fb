//! The nearest name: what somebody who misspelt one most likely meant.

use alloc::{borrow::ToOwned, collections::BTreeSet, string::String, vec::Vec};

/// Longer names are not compared: nobody mistypes them by two letters.
const LONGEST: usize = 64;

/// The candidate that a misspelt name most likely means, if one is near enough.
///
/// Near is an edit distance (insertions, deletions, substitutions, transpositions of neighbours) of at most a third of
/// the name's characters, and never more than three. Upper and lower case count as alike, so `prompt_subtree` finds
/// `PROMPT_SUBTREE`. Of several candidates at the same distance the first wins.
///
/// ```
/// use prompt_syntax::nearest;
///
/// assert_eq!(nearest("langage", ["team", "language"]), Some("language"));
/// assert_eq!(nearest("colour", ["team", "language"]), None);
/// ```
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().take(LONGEST + 1).count();
    let name = lower(name);
    // The next candidate must be as near as this.
    let mut limit = (length.max(2) / 3).clamp(1, 3);
    let mut meant = None;
    for candidate in candidates {
        let found = distance(&name, &lower(candidate), limit);
        if let Some(found) = found.filter(|&found| found < length || found == 0) {
            meant = Some(candidate);
            if found == 0 {
                break;
            }
            limit = found - 1;
        }
    }
    meant
}

/// In small letters, as far as it is compared.
fn lower(name: &str) -> String {
    let compared = name.chars().take(LONGEST + 1);
    compared.flat_map(char::to_lowercase).collect()
}

/// The edit distance with transpositions, if it is at most `bound`.
fn distance(left: &str, right: &str, bound: usize) -> Option<usize> {
    if left.len().abs_diff(right.len()) > 4 * bound {
        return None;
    }
    let left: Vec<char> = left.chars().take(LONGEST + 1).collect();
    let right: Vec<char> = right.chars().take(LONGEST + 1).collect();
    if left.len().abs_diff(right.len()) > bound || left.len().max(right.len()) > LONGEST {
        return None;
    }
    // The distance of each two beginnings.
    let mut rows = Vec::from([(0..=right.len()).collect::<Vec<_>>()]);
    for (row, from) in left.iter().enumerate() {
        let mut cells = Vec::from([row + 1]);
        for (column, to) in right.iter().enumerate() {
            let replaced = rows[row][column] + usize::from(from != to);
            let shifted = rows[row][column + 1].min(cells[column]) + 1;
            let is_swapped =
                row > 0 && column > 0 && left[row - 1] == *to && right[column - 1] == *from;
            let swapped = is_swapped.then(|| rows[row - 1][column - 1] + 1);
            let best = replaced.min(shifted);
            cells.push(swapped.map_or(best, |swapped| best.min(swapped)));
        }
        rows.push(cells);
    }
    Some(rows[left.len()][right.len()]).filter(|distance| *distance <= bound)
}

/// Names that can be asked for those at an edit distance of 1 in time that does not depend on their number.
///
/// Two words are one edit (or one transposition) apart only if they have a common form among themselves and the words
/// made by leaving out one of their characters. So each name is filed under its forms, and what shares a form with the
/// word in question is compared with it.
#[derive(Debug)]
pub(crate) struct Slips<'a> {
    forms: BTreeSet<(String, &'a str)>,
}

/// Shorter words are too near to anything.
const SHORTEST: usize = 4;

/// As many names of one form are compared: more are made by a machine.
const ALIKE: usize = 16;

impl<'a> Slips<'a> {
    pub(crate) fn new(names: &[&'a str]) -> Self {
        let filed = |name: &&'a str| {
            let name = *name;
            forms(name).map(move |form| (form, name))
        };
        Self {
            forms: names.iter().flat_map(filed).collect(),
        }
    }

    /// The first name, in their order, that is one edit away from a word of some length.
    pub(crate) fn of(&self, word: &str) -> Option<&'a str> {
        word.chars().nth(SHORTEST - 1)?;
        let alike = forms(word).flat_map(|form| {
            let filed = self.forms.range((form.clone(), "")..).take(ALIKE);
            filed.take_while(move |(other, _)| *other == form)
        });
        let names = alike.map(|(_, name)| *name);
        names
            .filter(|name| distance(word, name, 1) == Some(1))
            .min()
    }
}

/// A word, and what is left of it without one of its characters; nothing of one that is not compared.
fn forms(word: &str) -> impl Iterator<Item = String> {
    let is_compared = word.chars().nth(LONGEST).is_none();
    let shorter = word.char_indices().map(|(at, left_out)| {
        let behind = at + left_out.len_utf8();
        [&word[..at], &word[behind..]].concat()
    });
    let all = core::iter::once(word.to_owned()).chain(shorter);
    all.filter(move |_| is_compared)
}
