//! The page of a prompt: a preview as one file of HTML. It holds all that it needs and asks no network. Everything on it
//! can be read and folded without its script, which filters, copies, and folds all at once. The page is as long as what it
//! shows.

mod costs;
mod messages;
mod sections;
mod stretches;

use crate::html::{Text, facts, frame, name, or, part, words};
use crate::rows::inner;
use maud::{Markup, html};
use prompt_core::lint::Lint;
use prompt_core::message::CachePoint;
use prompt_core::prompt::{Preview, PreviewAbsent, PreviewForm, PreviewRow};
use stretches::Stretches;

/// A page that shows the prompt to a person: the text as the model gets it, in sections that fold, with what each costs
/// beside it, as bars that add up; the full text of what is summarised, dropped or switched off, and why; what is static,
/// cached and volatile; which field each value came from; what [`Prompt::lint`](prompt_core::Prompt::lint) says, at its
/// section; the messages by role, with how much of the request stands before each cache point; the tools with their schemas.
///
/// The page is one file: no network, light or dark as the reader's system is. Its script filters by text and copies the text
/// or a section; without it everything can be read all the same. The same preview gives the same bytes. Whatever the prompt
/// says is shown as text; characters that have no picture, or change the direction of writing, are shown by their number.
/// Blank lines between sections are not shown among the sections; the plain text below them and the messages show every
/// byte.
///
/// ```
/// use prompt_core::{DynamicNode, PromptNode};
///
/// let node = DynamicNode::builder("memo").body("Write <b>.").section(DynamicNode::builder("tone").body("Be kind.")).build()?;
/// let page = prompt_review::page(&node.prompt().preview()?);
/// assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Write &lt;b&gt;."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn page(preview: &Preview) -> String {
    let page = Page::of(preview);
    let mut stretches = Stretches::of(preview);
    let body = html! {
        (page.header())
        main {
            div.columns {
                (page.prompt(&mut stretches))
                (page.costs())
            }
            (page.messages())
            (page.tools())
            (page.values(stretches.value_rows()))
        }
    };
    let title = format!("Prompt {}", preview.name);
    frame(&title, Some((SCRIPT, SCRIPT_HASH)), &body)
}

/// What the parts of the page need to know of the prompt.
struct Page<'p> {
    preview: &'p Preview,
    /// Tokens of each row with all that is inside it.
    sums: Vec<usize>,
    /// The rows in each row with their places, in the order of the text; at the end those of the root.
    inner: Vec<Vec<(usize, usize)>>,
    /// The sections that are not there, by the row around them; at the end those of the root.
    absent: Vec<Vec<&'p PreviewAbsent>>,
    /// The lints of each row; at the end those of the root.
    lints: Vec<Vec<&'p Lint>>,
    /// Up to where the provider is told to cache the text: the end of the last section with a cache point.
    cached: usize,
    /// Tokens of the request up to the end of each message: providers cache the tools first, then the messages.
    sent: Vec<usize>,
    /// Whether anything may be left out by a budget.
    has_priorities: bool,
}

impl<'p> Page<'p> {
    fn of(preview: &'p Preview) -> Self {
        let rows = &preview.rows;
        let end = |row: &PreviewRow| Some(row.range.as_ref().filter(|_| row.cache.is_some())?.end);
        let mut absent = vec![Vec::new(); rows.len() + 1];
        for it in &preview.absent {
            absent[it.parent.unwrap_or(rows.len())].push(it);
        }
        let mut lints = vec![Vec::new(); rows.len() + 1];
        for (row, lint) in &preview.lints {
            lints[row.unwrap_or(rows.len())].push(lint);
        }
        let mut sent = preview.tools.iter().map(|(_, tokens)| tokens).sum();
        let up_to = |(_, tokens): &(_, usize)| {
            sent += tokens;
            sent
        };
        Self {
            preview,
            sent: preview.messages.iter().map(up_to).collect(),
            sums: sums(rows),
            inner: inner(rows),
            absent,
            lints,
            cached: rows.iter().filter_map(end).max().unwrap_or_default(),
            has_priorities: rows.iter().any(|row| row.priority.is_some()),
        }
    }

    fn header(&self) -> Markup {
        html! {
            header {
                h1 { "Prompt " code { (Text(&self.preview.name)) } }
                nav aria-label="Parts of this page" {
                    ul {
                        @for (id, title) in PARTS {
                            li { a href={ "#" (id) } { (title) } }
                        }
                    }
                }
                (self.facts())
                search #bar hidden="hidden" {
                    label for="filter" { "Filter by text" } " "
                    input #filter type="search" autocomplete="off" spellcheck="false"; " "
                    button type="button" data-act="unfold" { "Unfold all" } " "
                    button type="button" data-act="fold" { "Fold all" } " "
                    button type="button" data-act="swap" aria-pressed="false" { "Full texts" } " "
                    button type="button" data-act="copy" { "Copy the text" }
                    p #said role="status" {}
                }
            }
        }
    }

    fn facts(&self) -> Markup {
        let preview = self.preview;
        let tokens = match preview.limit {
            Some(limit) => format!("{} of {limit}", preview.tokens),
            None => preview.tokens.to_string(),
        };
        let bytes = preview.text.len();
        let share = percent(preview.static_prefix, bytes);
        let prefix = format!("{} of {bytes} bytes, {share} %", preview.static_prefix);
        let count = |form| preview.rows.iter().filter(|row| row.form == form).count();
        let counts = FORMS.map(|form| (count(form), words(form)));
        let absent = (preview.absent.len(), "not there");
        let sections: Vec<String> = counts
            .into_iter()
            .chain([absent])
            .filter(|(count, _)| *count > 0)
            .map(|(count, words)| format!("{count} {words}"))
            .collect();
        let marked = preview.messages.iter().zip(&self.sent);
        let mut marked = marked.filter(|((message, _), _)| message.cache.is_some());
        let cached = match (marked.next_back(), self.sent.last()) {
            (Some((_, cached)), Some(all)) => {
                format!("{cached} of {all} tokens, {} %", percent(*cached, *all))
            }
            _ => "no cache point".to_owned(),
        };
        facts([
            ("Tokens", tokens),
            ("Static from the start", prefix),
            ("Cached of the request", cached),
            ("Sections", or(&sections.join(", "), "none").to_owned()),
            ("Messages", preview.messages.len().to_string()),
            ("Tools", preview.tools.len().to_string()),
            ("Hints", preview.lints.len().to_string()),
        ])
    }

    fn values(&self, rows: &[Option<usize>]) -> Markup {
        let preview = self.preview;
        if preview.values.is_empty() {
            let none = "None: the text is the same in every call, or a value as a whole.";
            return part(PARTS[4], &html! { p { (none) } });
        }
        let table = html! {
            table.values role="table" {
                caption { "Which field each value came from, in the order of the text." }
                thead role="rowgroup" {
                    tr role="row" { th role="columnheader" scope="col" { "Field" } th role="columnheader" scope="col" { "Stands in" } th role="columnheader" scope="col" { "What it says" } }
                }
                tbody role="rowgroup" {
                    @for (value, row) in preview.values.iter().zip(rows) {
                        tr role="row" {
                            th role="rowheader" scope="row" { code { (Text(name(value))) } }
                            td role="cell" {
                                @match row.map(|index| (index, &preview.rows[index])) {
                                    Some((index, row)) => (link(index, row)),
                                    None => (Text(&preview.name)),
                                }
                            }
                            td role="cell" { span.text dir="auto" { (Text(&preview.text[value.range.clone()])) } }
                        }
                    }
                }
            }
        };
        part(PARTS[4], &table)
    }
}

/// The parts of the page, by id and heading.
const PARTS: [(&str, &str); 5] = [
    ("prompt", "The prompt"),
    ("costs", "What it costs"),
    ("messages", "Messages"),
    ("tools", "Tools"),
    ("values", "Values"),
];

const FORMS: [PreviewForm; 5] = [
    PreviewForm::Full,
    PreviewForm::Summary,
    PreviewForm::Appended,
    PreviewForm::Dropped,
    PreviewForm::NotShown,
];

/// What runs on the page, and its SHA-256 as the content policy writes it: a test computes it.
const SCRIPT: &str = include_str!("page.js");
const SCRIPT_HASH: &str = "VPtkdtyYBiYMyPuflvZ/vz7SF4dnMqpEM3QpslSZ2BQ=";

/// The class of how a section is shown.
fn class(form: PreviewForm) -> &'static str {
    match form {
        PreviewForm::Full => "full",
        PreviewForm::Summary | PreviewForm::Appended => "summary",
        _ => "gone",
    }
}

/// A link to a section.
fn link(index: usize, row: &PreviewRow) -> Markup {
    html! { a href={ "#section-" (index) } { (Text(or(&row.title, &row.key))) } }
}

fn cache_words(point: CachePoint) -> String {
    match point.ttl {
        Some(seconds) => format!("cache point, {seconds} s"),
        None => "cache point".to_owned(),
    }
}

/// A part of the whole in percent, rounded; of nothing, all.
fn percent(part: usize, whole: usize) -> usize {
    let part = part.saturating_mul(100).saturating_add(whole / 2);
    part.checked_div(whole).unwrap_or(100)
}

/// The tokens of each row with all that is inside it: rows stand behind the one around them.
fn sums(rows: &[PreviewRow]) -> Vec<usize> {
    let mut sums: Vec<usize> = rows.iter().map(|row| row.tokens).collect();
    for (at, row) in rows.iter().enumerate().rev() {
        if let Some(around) = row.parent {
            sums[around] = sums[around].saturating_add(sums[at]);
        }
    }
    sums
}
