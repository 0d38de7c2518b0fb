//! Writing a page: escaped text, marks, badges, the frame around all of it.

use super::PreviewValue;
use crate::xml::{escape_attribute, escape_text};
use std::ops::Range;

/// HTML under construction.
#[derive(Default)]
pub(super) struct Html {
    pub(super) out: String,
}

impl Html {
    pub(super) fn push(&mut self, html: &str) {
        self.out.push_str(html);
    }

    pub(super) fn push_all<const N: usize>(&mut self, html: [&str; N]) {
        self.out.extend(html);
    }

    /// The head of a page, up to its body. `script` is the policy's word about scripts: none, or the hash of one.
    pub(super) fn head(&mut self, script: &str, title: &str) {
        self.push_all([
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n",
            "<meta name=\"color-scheme\" content=\"light dark\" />\n",
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'",
            script,
            "\" />\n<title>",
        ]);
        self.text(title);
        self.push_all(["</title>\n<style>\n", STYLE, "</style>\n</head>\n<body>\n"]);
    }

    /// Text of the prompt. What could not be seen is shown by its number.
    pub(super) fn text(&mut self, text: &str) {
        let mut from = 0;
        for (at, c) in text.char_indices().filter(|(_, c)| is_hidden(*c)) {
            self.push(&escape_text(&text[from..at]));
            let number = format!("{:04X}", u32::from(c));
            self.push_all([
                "<span class=\"hidden\" data-c=\"",
                &number,
                "\">U+",
                &number,
                "</span>",
            ]);
            from = at + c.len_utf8();
        }
        self.push(&escape_text(&text[from..]));
    }

    /// A text in which some stretches are marked: those of values, with the names of what they come from.
    pub(super) fn marked(&mut self, text: &str, values: &[PreviewValue]) {
        let mut at = 0;
        for value in values {
            let Range { start, end } = value.range;
            if start < at {
                continue;
            }
            self.text(&text[at..start]);
            self.mark(name(value), &text[start..end]);
            at = end;
        }
        self.text(&text[at..]);
    }

    pub(super) fn mark(&mut self, from: &str, piece: &str) {
        self.push_all(["<mark data-from=\"", &escape_attribute(from), "\">"]);
        self.text(piece);
        self.push("</mark>");
    }

    pub(super) fn block(&mut self, text: &str, values: &[PreviewValue]) {
        self.push("<div class=\"text\" dir=\"auto\">");
        self.marked(text, values);
        self.push("</div>\n");
    }

    pub(super) fn badge(&mut self, class: &str, text: &str) {
        self.push_all(["<span class=\"badge ", class, "\">"]);
        self.text(text);
        self.push("</span> ");
    }

    /// A part of the page, which is left open.
    pub(super) fn part(&mut self, (id, title): (&str, &str)) {
        self.push_all([
            "<section class=\"",
            id,
            "-part\" aria-labelledby=\"",
            id,
            "\">\n",
        ]);
        self.push_all(["<h2 id=\"", id, "\">", title, "</h2>\n"]);
    }

    pub(super) fn facts<const N: usize>(&mut self, facts: [(&str, String); N]) {
        self.push("<dl class=\"facts\">\n");
        for (name, fact) in facts {
            self.push_all(["<div><dt>", name, "</dt><dd>", &fact, "</dd></div>\n"]);
        }
        self.push("</dl>\n");
    }
}

/// The name of what a value comes from.
pub(super) fn name(value: &PreviewValue) -> &str {
    if value.name.is_empty() {
        "value"
    } else {
        &value.name
    }
}

/// Characters that are not to be seen, or that change how others are seen: controls, marks of direction, tags. Joiners
/// belong to scripts and stay.
fn is_hidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(
            c,
            '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{feff}'
        )
        || matches!(c, '\u{2060}'..='\u{206f}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}')
        || matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// How the pages look. Deep sections are not moved further to the right, so that they fit narrow windows.
const STYLE: &str = include_str!("page.css");
