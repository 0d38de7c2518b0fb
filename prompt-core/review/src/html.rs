//! What all pages are made of: the frame, text of a prompt, marks, badges.

use maud::{DOCTYPE, Markup, PreEscaped, Render, html};
use prompt_core::prompt::{PreviewForm, PreviewValue};
use std::borrow::Cow;
use std::ops::Range;

/// What a page says of who wrote it.
const GENERATOR: &str = "prompt-review";

/// A whole page. `script` runs on it, and nothing else does: the policy names it by its hash.
pub(crate) fn frame(title: &str, script: Option<(&str, &str)>, body: &Markup) -> String {
    let run = script.map(|(_, hash)| format!("; script-src 'sha256-{hash}'"));
    let run = run.unwrap_or_default();
    let page = html! {
        (DOCTYPE) "\n"
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content=(GENERATOR);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy"
                    content={ "default-src 'none'; style-src 'unsafe-inline'" (run) };
                title { (visible(title)) }
                style { (PreEscaped(include_str!("page.css"))) }
            }
            body {
                (body)
                @if let Some((script, _)) = script {
                    script { (PreEscaped(script)) }
                }
            }
        }
    };
    page.into_string()
}

/// Whether a file begins as the pages do.
#[cfg(feature = "command")]
pub(crate) fn is_page(file: &[u8]) -> bool {
    let mark = html! { meta name="generator" content=(GENERATOR); }.into_string();
    let head = &file[..file.len().min(1000)];
    let mut parts = head.windows(mark.len());
    file.starts_with(DOCTYPE.0.as_bytes()) && parts.any(|part| part == mark.as_bytes())
}

/// Text of a prompt. What could not be seen is shown by its number.
pub(crate) struct Text<'t>(pub(crate) &'t str);

impl Render for Text<'_> {
    fn render_to(&self, page: &mut String) {
        let (text, mut from) = (self.0, 0);
        for (at, c) in text.char_indices().filter(|(_, c)| is_hidden(*c)) {
            text[from..at].render_to(page);
            let number = format!("{:04X}", u32::from(c));
            html! { span.hidden data-c=(number) { "U+" (number) } }.render_to(page);
            from = at + c.len_utf8();
        }
        text[from..].render_to(page);
    }
}

/// Text of a prompt in a block of its own, which runs in its own direction.
pub(crate) fn block(text: impl Render) -> Markup {
    html! { div.text dir="auto" { (text) } "\n" }
}

/// A text with the values in it marked.
pub(crate) fn with_values(text: &str, values: &[PreviewValue]) -> Markup {
    let values = values.iter();
    marked(text, values.map(|it| (it.range.clone(), Some(name(it)))))
}

/// A text in which stretches are marked, with the names of what they come from where these are known.
pub(crate) fn marked<'n>(
    text: &str,
    stretches: impl Iterator<Item = (Range<usize>, Option<&'n str>)>,
) -> Markup {
    let mut at = 0;
    html! {
        @for (Range { start, end }, from) in stretches {
            @if at <= start {
                (Text(&text[at..start]))
                (mark(from, &text[start..end]))
                ({ at = end; "" })
            }
        }
        (Text(&text[at..]))
    }
}

/// What comes from a value.
pub(crate) fn mark(from: Option<&str>, piece: &str) -> Markup {
    html! { mark data-from=[from] { (Text(piece)) } }
}

/// A word about a section.
pub(crate) fn badge(class: &str, words: &str) -> Markup {
    html! { span class={ "badge " (class) } { (Text(words)) } " " }
}

/// A part of a page: its id and its heading.
pub(crate) fn part((id, title): (&str, &str), content: &Markup) -> Markup {
    html! {
        section class={ (id) "-part" } aria-labelledby=(id) {
            h2 #(id) { (title) }
            (content)
        }
    }
}

/// Names and facts in a row.
pub(crate) fn facts<const N: usize>(facts: [(&str, String); N]) -> Markup {
    html! {
        dl.facts {
            @for (name, fact) in facts {
                div { dt { (name) } " " dd { (fact) } } " "
            }
        }
    }
}

/// The name of what a value comes from.
pub(crate) fn name(value: &PreviewValue) -> &str {
    or(&value.name, "value")
}

/// A text, or another one where it is blank.
pub(crate) fn or<'t>(text: &'t str, other: &'t str) -> &'t str {
    if text.trim().is_empty() { other } else { text }
}

/// How a section is shown, in words.
pub(crate) fn words(form: PreviewForm) -> &'static str {
    match form {
        PreviewForm::Full => "full",
        PreviewForm::Summary => "summary",
        PreviewForm::Appended => "appended",
        PreviewForm::Dropped => "dropped",
        _ => "not shown",
    }
}

/// A text in which each character that could not be seen, or would work on a terminal, stands as its picture, or as U+FFFD
/// where it has none. Each stays one character; line breaks and tabs stay.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let picture = |c: char| match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        _ => '\u{fffd}',
    };
    let seen = text.chars();
    let seen = seen.map(|c| if is_hidden(c) { picture(c) } else { c });
    Cow::Owned(seen.collect())
}

/// The same of a name, which is one line.
#[cfg(feature = "command")]
pub(crate) fn visible_name(name: &str) -> String {
    visible(name).replace('\n', "\u{240a}")
}

/// Characters that are not to be seen, or that change how others are seen: controls, marks of direction, tags. Joiners
/// belong to scripts and stay.
fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'
                ..='\u{202e}' | '\u{feff}'
        )
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}')
        || matches!(c, '\u{e0000}'..='\u{e007f}')
}
