//! The sections of two versions, and which of them belong together.

use crate::rows::own_parts;
use prompt_core::Role;
use prompt_core::message::CachePoint;
use prompt_core::prompt::{Preview, PreviewForm, PreviewRow};
use std::collections::{BTreeMap, HashMap, VecDeque};

/// A section of one version that is sent: in the text, or in the result of a call.
pub(super) struct Side {
    pub(super) path: String,
    pub(super) title: String,
    pub(super) form: PreviewForm,
    pub(super) role: Option<Role>,
    pub(super) cache: Option<CachePoint>,
    pub(super) tokens: usize,
    /// Its own text, without its subsections.
    pub(super) text: String,
    /// The byte where that begins; what is not in the text is behind it.
    at: usize,
}

/// A section in both versions, or in one.
pub(super) type Pair<'s> = (Option<&'s Side>, Option<&'s Side>);

impl Side {
    /// The root's own text, then the sections in the order of the text.
    pub(super) fn all(preview: &Preview) -> Vec<Self> {
        let mut parts = own_parts(preview);
        let of_root = parts.pop().unwrap_or_default();
        let root = Self {
            path: String::new(),
            title: preview.name.clone(),
            form: PreviewForm::Full,
            role: None,
            cache: None,
            tokens: preview.own.unwrap_or_default(),
            at: begin(preview, &of_root),
            text: joined(preview, &of_root),
        };
        let rows = preview.rows.iter().enumerate().zip(&parts);
        let sides = rows.filter_map(|((index, row), parts)| {
            let (text, at) = match &row.range {
                Some(range) => (joined(preview, parts), begin(preview, parts).min(range.end)),
                None => (appended(preview, row)?, usize::MAX),
            };
            Some(Self {
                path: preview.path(index),
                title: row.title.clone(),
                form: row.form,
                role: row.role,
                cache: row.cache,
                tokens: row.tokens,
                text,
                at,
            })
        });
        let mut sides: Vec<Self> = sides.collect();
        sides.sort_by_key(|side| side.at);
        std::iter::once(root).chain(sides).collect()
    }

    /// Its role, and its text without its heading or tag, which a new name changes.
    fn looks(&self) -> (Option<&'static str>, String) {
        let mut body: Vec<&str> = self.text.trim().lines().collect();
        let (_, key) = self.parent();
        let tag = [format!("<{key}"), format!("</{key}>")];
        let is_heading = |line: &&str| line.starts_with('#') && line.contains(&self.title);
        if body
            .first()
            .is_some_and(|line| is_heading(line) || line.contains(&tag[0]))
        {
            body.remove(0);
        }
        body.pop_if(|line| line.contains(&tag[1]));
        (
            self.role.map(Role::as_str),
            body.join("\n").trim().to_owned(),
        )
    }

    fn parent(&self) -> (&str, &str) {
        self.path.rsplit_once('.').unwrap_or(("", &self.path))
    }
}

/// What is not sent of each section, by its path: its text in full or its short form, or what its author wrote where it is
/// absent.
pub(super) fn unsent(preview: &Preview) -> BTreeMap<String, Vec<&str>> {
    let mut texts = BTreeMap::new();
    for (index, row) in preview.rows.iter().enumerate() {
        let forms = [&row.in_full, &row.in_short].into_iter().flatten();
        let forms: Vec<&str> = forms.map(|it| it.text.as_str()).collect();
        if !forms.is_empty() {
            texts.insert(preview.path(index), forms);
        }
    }
    for absent in &preview.absent {
        let around = absent.parent.map(|parent| preview.path(parent) + ".");
        let path = around.unwrap_or_default() + &absent.key;
        texts.insert(path, vec![absent.title.as_str(), absent.source.as_str()]);
    }
    texts
}

type Parts = Vec<std::ops::Range<usize>>;

fn joined(preview: &Preview, parts: &Parts) -> String {
    let parts = parts
        .iter()
        .map(|part| preview.text.get(part.clone()).unwrap_or_default());
    parts.collect()
}

/// Where the first part begins that has words, or else where all of it does.
fn begin(preview: &Preview, parts: &Parts) -> usize {
    let has_words = |part: &&std::ops::Range<usize>| {
        let text = preview.text.get((*part).clone()).unwrap_or_default();
        !text.trim().is_empty()
    };
    let first = parts.iter().find(has_words).or(parts.first());
    first.map_or(usize::MAX, |part| part.start)
}

/// What was sent in the result of a call, with all that is in it.
fn appended(preview: &Preview, row: &PreviewRow) -> Option<String> {
    let is_sent = |row: &PreviewRow| row.form == PreviewForm::Appended;
    let is_inside = row
        .parent
        .is_some_and(|parent| is_sent(&preview.rows[parent]));
    let text = row
        .in_full
        .as_ref()
        .filter(|_| is_sent(row) && !is_inside)?;
    Some(text.text.clone())
}

/// The sections of both by their paths, in the new order; then what is gone. One that is gone and one that is new, whose texts
/// are the same but for the title, are one that was renamed, and what is in it goes with it.
pub(super) fn paired<'s>(old: &'s [Side], new: &'s [Side]) -> Vec<Pair<'s>> {
    fn by_path(sides: &[Side]) -> HashMap<&str, &Side> {
        sides
            .iter()
            .map(|side| (side.path.as_str(), side))
            .collect()
    }
    let (before, after) = (by_path(old), by_path(new));
    let is_added = |side: &&Side| !before.contains_key(side.path.as_str());
    let mut by_body: HashMap<(Option<&str>, String), VecDeque<&Side>> = HashMap::new();
    for side in new.iter().filter(is_added) {
        by_body.entry(side.looks()).or_default().push_back(side);
    }
    let mut renamed: HashMap<&str, &Side> = HashMap::new();
    let mut moved: HashMap<&str, &str> = HashMap::new();
    let gone = old
        .iter()
        .filter(|side| !after.contains_key(side.path.as_str()));
    let mut gone: Vec<&Side> = gone.collect();
    // What is around comes before what is in it.
    gone.sort_by_key(|side| side.path.matches('.').count());
    for side in gone {
        let (parent, key) = side.parent();
        let inside = moved.get(parent).map(|around| format!("{around}.{key}"));
        let inside = inside
            .and_then(|path| after.get(path.as_str()).copied())
            .filter(is_added);
        let looks = side.looks();
        let alike = || {
            let alike = by_body.get_mut(&looks).filter(|_| !looks.1.is_empty())?;
            while let Some(side) = alike.pop_front() {
                if !renamed.contains_key(side.path.as_str()) {
                    return Some(side);
                }
            }
            None
        };
        let now = inside.filter(|side| !renamed.contains_key(side.path.as_str()));
        if let Some(now) = now.or_else(alike) {
            renamed.insert(&now.path, side);
            moved.insert(&side.path, &now.path);
        }
    }
    let of_new = new.iter().map(|side| {
        let path = side.path.as_str();
        let old = before.get(path).or_else(|| renamed.get(path));
        (old.copied(), Some(side))
    });
    let gone = old.iter().filter(|side| {
        let path = side.path.as_str();
        !after.contains_key(path) && !moved.contains_key(path)
    });
    of_new.chain(gone.map(|side| (Some(side), None))).collect()
}

/// Whether what both have begins in another order. What has no words of its own is where what is in it is.
pub(super) fn is_reordered(pairs: &[Pair<'_>]) -> bool {
    let both = pairs.iter().filter_map(|(old, new)| old.zip(*new));
    let both = both.filter(|(old, new)| !old.text.trim().is_empty() && !new.text.trim().is_empty());
    let mut places: Vec<(usize, usize)> = both.map(|(old, new)| (new.at, old.at)).collect();
    places.sort_unstable();
    !places.is_sorted_by_key(|(_, old)| *old)
}
