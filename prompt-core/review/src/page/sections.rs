//! The text in sections that fold, each with what is known of it, and what is not sent.

use super::{PARTS, Page, Stretches, cache_words, class};
use crate::html::{Text, badge, block, marked, or, part, with_values, words};
use maud::{Markup, html};
use prompt_core::budget::Reason;
use prompt_core::prompt::{AbsentReason, PreviewAbsent, PreviewForm, PreviewRow, PreviewText};

impl Page<'_> {
    pub(super) fn prompt(&self, stretches: &mut Stretches<'_>) -> Markup {
        let text = &self.preview.text;
        let content = html! {
            p.legend {
                "As the model gets it. " mark { "Marked" }
                " is what comes from values, with the field that it came from; dashed is what is not sent in full."
            }
            div.prompt {
                (self.hints(self.preview.rows.len()))
                (self.inside(None, stretches))
                @if text.is_empty() {
                    p { "The text is empty." }
                }
            }
            details #plain {
                summary { "The text alone, to the byte" }
                // A line break that a reader of HTML takes away, so that none of the text's is.
                pre dir="auto" { "\n" (Text(text)) }
            }
        };
        part(PARTS[0], &content)
    }

    /// What is inside a section, or inside the root: as deep as the tree, at most. What stands between two edges belongs to
    /// the innermost section that is open, so that each byte is shown once.
    fn inside(&self, owner: Option<usize>, stretches: &mut Stretches<'_>) -> Markup {
        let rows = &self.preview.rows;
        let index = owner.unwrap_or(rows.len());
        let row = owner.map(|owner| &rows[owner]);
        let end = match row {
            Some(row) => row.range.as_ref().map_or(0, |range| range.end),
            None => self.preview.text.len(),
        };
        let depth = row.map_or(1, |row| row.depth + 1);
        html! {
            @for (place, child) in &self.inner[index] {
                (stretches.up_to(*place, owner))
                (self.section(*child, stretches))
            }
            (stretches.up_to(end, owner))
            @for absent in &self.absent[index] {
                (self.absent(absent, depth))
            }
        }
    }

    fn section(&self, index: usize, stretches: &mut Stretches<'_>) -> Markup {
        let row = &self.preview.rows[index];
        let (class, is_open) = match row.form {
            PreviewForm::Full => ("part", true),
            PreviewForm::Summary | PreviewForm::Appended => ("part reduced", true),
            _ => ("part gone", false),
        };
        let values = row.title_values.iter().filter(|range| !range.is_empty());
        let values = values.cloned().map(|range| (range, None));
        let title = marked(or(&row.title, &row.key), values);
        html! {
            details class=(class) id={ "section-" (index) } open[is_open] {
                summary {
                    (heading(row.depth, &title)) " "
                    code { (Text(&self.preview.path(index))) } " "
                    (self.state(row))
                }
                div.inside {
                    (self.hints(index))
                    (self.other_form(index))
                    (self.inside(Some(index), stretches))
                    @if let Some(range) = row.range.as_ref().filter(|range| !range.is_empty()) {
                        p.acts hidden="hidden" {
                            button type="button" data-from=(range.start) data-to=(range.end) {
                                "Copy " code { (row.key) }
                            }
                        }
                    }
                }
            }
            "\n"
        }
    }

    /// The text of a section in the form in which it is not sent.
    fn other_form(&self, index: usize) -> Markup {
        let row = &self.preview.rows[index];
        let inside = !self.inner[index].is_empty();
        match (row.form, &row.in_full, &row.in_short) {
            (PreviewForm::Summary, Some(full), _) => other("full", "In full", full, inside),
            (PreviewForm::Appended, full, _) => html! {
                p.why { "Sent in the result of the call that opened it." }
                @if let Some(full) = full { (other("full", "As it was sent", full, inside)) }
            },
            (PreviewForm::Dropped | PreviewForm::NotShown, full, _) => {
                let full = full.as_ref().filter(|full| !full.text.is_empty());
                html! {
                    p.why {
                        "Not sent: " (self.why(index))
                        @if let Some(full) = full { " It would say, in " (full.tokens) " tokens:" }
                    }
                    @if let Some(full) = full { (with_button(full)) }
                }
            }
            (_, _, Some(short)) => other("short", "As its summary", short, false),
            _ => html! {},
        }
    }

    /// How a section is shown and why, and what is known of its change from call to call.
    fn state(&self, row: &PreviewRow) -> Markup {
        // Where a budget reduced nothing, its reason is one to keep the section as it is.
        let reduces =
            |reason: &Reason| !matches!(reason, Reason::Required | Reason::Opened | Reason::Fits);
        let form = words(row.form);
        let form = match row.reason.filter(reduces) {
            Some(reason) => format!("{form}: {reason}"),
            None => form.to_owned(),
        };
        // Where nothing has a priority, that all is required says nothing.
        let priority = match row.priority {
            Some(priority) => Some(format!("priority {priority}")),
            None => self.has_priorities.then(|| "required".to_owned()),
        };
        let range = row.range.as_ref().filter(|range| !range.is_empty());
        let ends_before = |end: usize| range.is_some_and(|range| range.end <= end);
        let plain = |words: Option<String>| words.map(|words| ("plain", words));
        let badges = [
            Some((class(row.form), form)),
            plain(row.range.as_ref().map(|_| format!("{} tokens", row.tokens))),
            plain(priority),
            plain(row.opening.map(|tokens| format!("opening adds {tokens}"))),
            row.role.map(|role| ("role", role.as_str().to_owned())),
            ends_before(self.preview.static_prefix).then(|| ("static", "static".to_owned())),
            ends_before(self.cached).then(|| ("cached", "cached".to_owned())),
            row.cache.map(|point| ("cached", cache_words(point))),
            row.volatile.then(|| ("volatile", "volatile".to_owned())),
        ];
        html! { @for (class, words) in badges.into_iter().flatten() { (badge(class, &words)) } }
    }

    /// Why a section is not sent.
    fn why(&self, index: usize) -> Markup {
        let rows = &self.preview.rows;
        let row = &rows[index];
        if let Some(reason) = row.reason {
            return html! { "the budget left it out (" (reason.to_string()) ")." };
        }
        let mut around = row.parent;
        while let Some(at) = around.filter(|at| rows[*at].form == PreviewForm::NotShown) {
            around = rows[at].parent;
        }
        let words = match around.map(|at| rows[at].form) {
            Some(PreviewForm::Summary) => "it stands inside the summary of",
            Some(PreviewForm::Dropped) => "it is gone with",
            _ => return html! { "it is outside of the focus." },
        };
        let path = around.map_or_else(String::new, |at| self.preview.path(at));
        html! { (words) " " code { (Text(&path)) } "." }
    }

    fn hints(&self, of: usize) -> Markup {
        html! {
            @if !self.lints[of].is_empty() {
                ul.hints {
                    @for lint in &self.lints[of] {
                        li {
                            (badge("volatile", lint.code.as_str()))
                            (Text(&lint.message))
                            @if !lint.help.is_empty() { " " em { "Help:" } " " (Text(&lint.help)) }
                        }
                    }
                }
            }
        }
    }

    /// A section that is declared and not there.
    fn absent(&self, absent: &PreviewAbsent, depth: usize) -> Markup {
        let around = absent.parent.map(|parent| self.preview.path(parent) + ".");
        let path = around.unwrap_or_default() + &absent.key;
        let reason = match absent.reason {
            AbsentReason::SwitchedOff => "switched off",
            AbsentReason::Empty => "empty",
            _ => "not reached",
        };
        html! {
            details.part.gone {
                summary {
                    (heading(depth, &html! { (Text(or(&absent.title, &absent.key))) })) " "
                    code { (Text(&path)) } " "
                    (badge("gone", reason))
                }
                div.inside {
                    p.why {
                        "Not there in this call: " (absent.reason.to_string()) "."
                        @if !absent.source.is_empty() { " As written, with variables in braces:" }
                    }
                    @if !absent.source.is_empty() {
                        (block(Text(&absent.source)))
                        (copy_button())
                    }
                }
            }
            "\n"
        }
    }
}

/// The other form of a section, which takes the place of the one that is sent when it is opened. One without words of its own
/// may have sections inside.
fn other(class: &str, words: &str, text: &PreviewText, has_inside: bool) -> Markup {
    html! {
        @if !text.text.is_empty() {
            details class={ "other " (class) } {
                summary { (words) ": " (text.tokens) " tokens" }
                (with_button(text))
            }
        } @else if has_inside {
            p.why { (words) ": no words of its own; what it says stands in the sections in it." }
        } @else {
            p.why { (words) ": it prints nothing." }
        }
        "\n"
    }
}

/// A text and a button that copies it.
fn with_button(text: &PreviewText) -> Markup {
    html! {
        (block(with_values(&text.text, &text.values)))
        (copy_button())
    }
}

fn copy_button() -> Markup {
    html! { p.acts hidden="hidden" { button type="button" { "Copy this text" } } }
}

/// The heading of a section. Those above it are the page's and its parts'.
fn heading(depth: usize, title: &Markup) -> Markup {
    match depth {
        0 | 1 => html! { h3 { (title) } },
        2 => html! { h4 { (title) } },
        3 => html! { h5 { (title) } },
        _ => html! { h6 { (title) } },
    }
}
