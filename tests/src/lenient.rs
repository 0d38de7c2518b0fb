//! Tags as a lenient reader sees them: a `<`, perhaps a slash, a name in any case, blanks and line breaks anywhere, ended or
//! not. It knows nothing of code.

/// A tag with a known name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag<'t> {
    /// Whether it ends something.
    pub is_end: bool,
    /// Whether it ends itself.
    pub is_empty: bool,
    /// The name, in small letters.
    pub name: String,
    /// The names of its attributes.
    pub attributes: Vec<&'t str>,
}

impl Tag<'_> {
    /// `+name` or `-name`.
    pub fn signed(&self) -> String {
        let sign = if self.is_end { '-' } else { '+' };
        format!("{sign}{}", self.name)
    }
}

/// The tags of these names.
pub fn tags<'t>(text: &'t str, names: &[&str]) -> Vec<Tag<'t>> {
    let tag = |(at, _): (usize, &str)| {
        let rest = text[at + 1..].trim_start();
        let (is_end, rest) = rest
            .strip_prefix('/')
            .map_or((false, rest), |rest| (true, rest.trim_start()));
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && !"_.-".contains(c))
            .unwrap_or(rest.len());
        let (name, rest) = rest.split_at(end);
        let is_known = names.iter().any(|known| known.eq_ignore_ascii_case(name));
        is_known.then(|| Tag {
            is_end,
            is_empty: rest.split('>').next().is_some_and(|tag| tag.ends_with('/')),
            name: name.to_ascii_lowercase(),
            attributes: attributes(rest),
        })
    };
    text.match_indices('<').filter_map(tag).collect()
}

/// The tags as `+name` and `-name`.
pub fn signed(text: &str, names: &[&str]) -> Vec<String> {
    tags(text, names).iter().map(Tag::signed).collect()
}

/// The names of attributes up to the `>`.
fn attributes(mut rest: &str) -> Vec<&str> {
    let mut names = Vec::new();
    loop {
        rest = rest.trim_start();
        let end = rest.find(|c: char| c.is_whitespace() || "=/>".contains(c));
        let (name, behind) = rest.split_at(end.unwrap_or(rest.len()));
        if name.is_empty() {
            return names;
        }
        names.push(name);
        rest = behind;
        let quoted = rest.strip_prefix('=').and_then(|value| {
            let quote = value
                .chars()
                .next()
                .filter(|quote| "\"'".contains(*quote))?;
            value[1..].split_once(quote)
        });
        rest = quoted.map_or(rest, |(_, behind)| behind);
    }
}
