//! Which known name a misspelt one was meant to be.

use alloc::vec::Vec;

/// The closest of `known` to `name` by edit distance; `None` if nothing is close. Of equals, the first wins.
///
/// Close means that at most a third of the letters differ, so that a suggestion is never a guess.
///
/// ```
/// assert_eq!(prompt_syntax::nearest("categroy", ["name", "category"]), Some("category"));
/// assert_eq!(prompt_syntax::nearest("weather", ["name", "category"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = name.chars().collect();
    known
        .into_iter()
        .filter_map(|candidate| {
            let target: Vec<char> = candidate.chars().collect();
            let limit = (letters.len().max(target.len()) / 3).max(1);
            // The difference in length is a lower bound, so a huge name costs nothing.
            if letters.len().abs_diff(target.len()) > limit {
                return None;
            }
            let distance = distance(&letters, &target);
            (distance <= limit).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be inserted, deleted or replaced to turn `from` into `to`.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, letter) in from.iter().enumerate() {
        let mut diagonal = above;
        let mut left = above + 1;
        let mut next = Vec::with_capacity(row.len());
        next.push(left);
        for (target, &up) in to.iter().zip(row.iter().skip(1)) {
            left = (diagonal + usize::from(letter != target)).min(up + 1).min(left + 1);
            diagonal = up;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let count = |a: &str, b: &str| distance(&a.chars().collect::<Vec<_>>(), &b.chars().collect::<Vec<_>>());
        assert_eq!(count("", ""), 0);
        assert_eq!(count("", "abc"), 3);
        assert_eq!(count("abc", ""), 3);
        assert_eq!(count("kitten", "sitting"), 3);
        assert_eq!(count("flaw", "lawn"), 2);
        assert_eq!(count("früh", "fruh"), 1);
    }

    #[test]
    fn the_closest_name_or_none() {
        let known = ["parsing", "generation", "rubric_crust", "rubric_crumb"];
        assert_eq!(nearest("parsin", known), Some("parsing"));
        assert_eq!(nearest("rubric_crumbs", known), Some("rubric_crumb"));
        assert_eq!(nearest("weather", known), None);
        assert_eq!(nearest("", known), None);
    }
}
