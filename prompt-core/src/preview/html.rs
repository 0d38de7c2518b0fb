//! The picture of a prompt: a preview as one page of HTML. It holds all that it needs, asks no network and runs no
//! script (its content policy forbids both), folds with `<details>`, and is as long as what it shows.

use super::{Preview, PreviewForm, PreviewMessage, PreviewRow, PreviewTool, PreviewValue};
use crate::message::{CachePoint, Content, ImageSource};
use crate::xml::{escape_attribute, escape_text};
use serde_json::Value;
use std::ops::Range;

impl Preview {
    /// A page that shows the prompt to a person: the text as the model gets it, in sections that fold; what each costs,
    /// as bars; what is static, cached, volatile, summarised and dropped, and why; which field each value came from; the
    /// messages by role; the tools with their schemas.
    ///
    /// The page is complete in itself: no network, no script, light or dark as the reader's system is. The same preview
    /// gives the same bytes. Whatever the prompt says is shown as text; characters that have no picture, or change the
    /// direction of writing, are shown by their number. Blank lines between sections are not shown in the tree; the
    /// messages show every byte.
    ///
    /// ```
    /// use prompt_core::{DynamicNode, PromptNode};
    ///
    /// let node = DynamicNode::builder("memo").body("Write <b>.").section(DynamicNode::builder("tone").body("Be kind.")).build()?;
    /// let page = node.prompt().preview()?.to_html();
    /// assert!(page.starts_with("<!DOCTYPE html>") && page.contains("Write &lt;b&gt;."));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_html(&self) -> String {
        let mut page = Page::of(self);
        page.head();
        page.facts();
        page.costs();
        page.prompt();
        page.values();
        page.messages();
        page.tools();
        page.push("</main>\n</body>\n</html>\n");
        page.out
    }
}

/// The page under construction.
struct Page<'p> {
    preview: &'p Preview,
    out: String,
    /// Tokens of each row with all that is inside it.
    sums: Vec<usize>,
    /// The rows in each row with their places, in the order of the text; at the end those of the root.
    inner: Vec<Vec<(usize, usize)>>,
    /// Up to where the provider is told to cache the text: the end of the last section with a cache point.
    cached: usize,
    /// Whether anything may be left out by a budget.
    has_priorities: bool,
    /// Bytes of the text that are shown so far.
    at: usize,
    /// The next value to be marked.
    value: usize,
    /// Whether the end of the static prefix has been shown.
    edge_is_shown: bool,
}

impl<'p> Page<'p> {
    fn of(preview: &'p Preview) -> Self {
        let rows = &preview.rows;
        let end = |row: &PreviewRow| Some(row.range.as_ref().filter(|_| row.cache.is_some())?.end);
        Self {
            preview,
            out: String::with_capacity(preview.text.len() * 3 + STYLE.len()),
            sums: sums(rows),
            inner: inner(rows),
            cached: rows.iter().filter_map(end).max().unwrap_or_default(),
            has_priorities: rows.iter().any(|row| row.priority.is_some()),
            at: 0,
            value: 0,
            edge_is_shown: false,
        }
    }

    fn push(&mut self, html: &str) {
        self.out.push_str(html);
    }

    fn push_all<const N: usize>(&mut self, html: [&str; N]) {
        self.out.extend(html);
    }

    /// Text of the prompt. What could not be seen is shown by its number.
    fn text(&mut self, text: &str) {
        let mut from = 0;
        for (at, c) in text.char_indices().filter(|(_, c)| is_hidden(*c)) {
            self.push(&escape_text(text.get(from..at).unwrap_or_default()));
            let number = format!("U+{:04X}", u32::from(c));
            self.push_all(["<span class=\"hidden\">", &number, "</span>"]);
            from = at + c.len_utf8();
        }
        self.push(&escape_text(text.get(from..).unwrap_or_default()));
    }

    fn block(&mut self, text: &str) {
        self.push("<div class=\"text\" dir=\"auto\">");
        self.text(text);
        self.push("</div>\n");
    }

    fn badge(&mut self, class: &str, text: &str) {
        self.push_all(["<span class=\"badge ", class, "\">", text, "</span> "]);
    }

    // ---- head and numbers

    fn head(&mut self) {
        let name = &self.preview.name;
        self.push(concat!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n",
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n",
            "<meta name=\"color-scheme\" content=\"light dark\" />\n",
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\" />\n",
        ));
        self.push("<title>Prompt ");
        self.text(name);
        self.push_all(["</title>\n<style>\n", STYLE, "</style>\n</head>\n<body>\n"]);
        self.push("<header>\n<h1>Prompt <code>");
        self.text(name);
        self.push("</code></h1>\n<nav aria-label=\"Parts of this page\">\n<ul>\n");
        for (id, title) in PARTS {
            self.push_all(["<li><a href=\"#", id, "\">", title, "</a></li>\n"]);
        }
        self.push("</ul>\n</nav>\n</header>\n<main>\n");
    }

    fn part(&mut self, (id, title): (&str, &str)) {
        self.push_all(["<section aria-labelledby=\"", id, "\">\n"]);
        self.push_all(["<h2 id=\"", id, "\">", title, "</h2>\n"]);
    }

    fn facts(&mut self) {
        let preview = self.preview;
        let tokens = match preview.limit {
            Some(limit) => format!("{} of {limit}", preview.tokens),
            None => preview.tokens.to_string(),
        };
        let bytes = preview.text.len();
        let share = percent(preview.static_prefix, bytes);
        let prefix = format!("{} of {bytes} bytes, {share} %", preview.static_prefix);
        let mut sections = String::new();
        for form in FORMS {
            let count = preview.rows.iter().filter(|row| row.form == form).count();
            if count > 0 {
                let comma = if sections.is_empty() { "" } else { ", " };
                sections.extend([comma, &count.to_string(), " ", words(form)]);
            }
        }
        if sections.is_empty() {
            sections.push_str("none");
        }
        self.push("<dl class=\"facts\">\n");
        for (name, fact) in [
            ("Tokens", tokens),
            ("Static from the start", prefix),
            ("Sections", sections),
            ("Values", preview.values.len().to_string()),
            ("Messages", preview.messages.len().to_string()),
            ("Tools", preview.tools.len().to_string()),
        ] {
            self.push_all(["<div><dt>", name, "</dt><dd>", &fact, "</dd></div>\n"]);
        }
        self.push("</dl>\n");
    }

    /// The table of all sections with what they cost.
    fn costs(&mut self) {
        self.part(PARTS[0]);
        self.push(concat!(
            "<table class=\"costs\">\n<caption>Tokens of each section and its share of the whole: dark its own text, ",
            "light what is inside it.</caption>\n<thead><tr><th scope=\"col\">Section</th><th scope=\"col\">State</th>",
            "<th scope=\"col\" class=\"number\">Tokens</th><th scope=\"col\">Share</th></tr></thead>\n<tbody>\n",
        ));
        if let Some(own) = self.preview.own {
            self.push("<tr><th scope=\"row\">(own text)</th><td></td>");
            self.cost(own, own);
        }
        for (index, row) in self.preview.rows.iter().enumerate() {
            let depth = row.depth.clamp(1, 6).to_string();
            self.push_all(["<tr><th scope=\"row\" class=\"depth-", &depth, "\">"]);
            self.push_all(["<a href=\"#section-", &index.to_string(), "\">"]);
            self.text(title(row));
            self.push("</a></th><td>");
            self.state(row);
            self.push("</td>");
            self.cost(row.tokens, self.sum(index));
        }
        self.push("</tbody>\n</table>\n</section>\n");
    }

    fn cost(&mut self, own: usize, sum: usize) {
        let tokens = own.to_string();
        self.push_all(["<td class=\"number\">", &tokens, "</td><td>"]);
        self.bar(own, sum);
        self.push("</td></tr>\n");
    }

    /// The share of a section, of its own text and with what is inside it. Eyes see two bars, ears hear one sentence.
    fn bar(&mut self, own: usize, sum: usize) {
        let share = |tokens| self.preview.share(tokens).min(100).to_string();
        let (own, sum) = (share(own), share(sum));
        let label = if own == sum {
            format!("{own} %")
        } else {
            format!("{own} %, with what is inside it {sum} %")
        };
        self.push_all([
            "<span class=\"share\"><span class=\"bar\" role=\"img\" aria-label=\"",
            &label,
        ]);
        self.push_all(["\"><span class=\"sum\" style=\"width:", &sum, "%\"></span>"]);
        self.push_all([
            "<span class=\"own\" style=\"width:",
            &own,
            "%\"></span></span>",
        ]);
        self.push_all(["<span aria-hidden=\"true\">", &own, " %</span></span>"]);
    }

    fn sum(&self, row: usize) -> usize {
        self.sums.get(row).copied().unwrap_or_default()
    }

    /// How a section is shown and why, and what is known of its change from call to call.
    fn state(&mut self, row: &PreviewRow) {
        let class = match row.form {
            PreviewForm::Full => "full",
            PreviewForm::Summary => "summary",
            PreviewForm::Dropped | PreviewForm::NotShown => "gone",
        };
        let reason = row.reason.map(|reason| format!(": {reason}"));
        let form = [words(row.form), reason.as_deref().unwrap_or_default()].concat();
        self.badge(class, &form);
        // Where nothing has a priority, that all is required says nothing.
        match row.priority {
            Some(priority) => self.badge("plain", &format!("priority {priority}")),
            None if self.has_priorities => self.badge("plain", "required"),
            None => {}
        }
        if let Some(tokens) = row.opening {
            self.badge("plain", &format!("opening adds {tokens}"));
        }
        if let Some(role) = row.role {
            self.badge("role", role.as_str());
        }
        if let Some(range) = row.range.as_ref().filter(|range| !range.is_empty()) {
            if range.end <= self.preview.static_prefix {
                self.badge("static", "static");
            }
            if range.end <= self.cached {
                self.badge("cached", "cached");
            }
        }
        if let Some(point) = row.cache {
            self.badge("cached", &cache_words(point));
        }
        if row.volatile {
            self.badge("volatile", "volatile");
        }
    }

    // ---- the text

    /// The text in sections that fold. Rows are gone through with a stack of their own; what stands between two edges
    /// belongs to the innermost section that is open, so that each byte is met once.
    fn prompt(&mut self) {
        self.part(PARTS[1]);
        self.push(concat!(
            "<p class=\"legend\">As the model gets it. <mark>Marked</mark> is what comes from values, with the field ",
            "that it came from.</p>\n<div class=\"prompt\">\n",
        ));
        let rows = &self.preview.rows;
        let mut open = vec![(rows.len(), 0)];
        while let Some((row, next)) = open.last_mut() {
            let child = self.inner.get(*row).and_then(|inner| inner.get(*next));
            let Some((place, child)) = child.copied() else {
                let row = *row;
                open.pop();
                self.close(row);
                continue;
            };
            *next += 1;
            self.show_to(place);
            self.open(child);
            open.push((child, 0));
        }
        self.show_to(self.preview.text.len());
        if self.preview.text.is_empty() {
            self.push("<p>The text is empty.</p>\n");
        }
        self.push("</div>\n</section>\n");
    }

    fn open(&mut self, index: usize) {
        let Some(row) = self.preview.rows.get(index) else {
            return;
        };
        let (class, open) = match row.form {
            PreviewForm::Full => ("part", " open=\"open\""),
            PreviewForm::Summary => ("part reduced", " open=\"open\""),
            PreviewForm::Dropped | PreviewForm::NotShown => ("part gone", ""),
        };
        let id = index.to_string();
        self.push_all([
            "<",
            self.element(index),
            " class=\"",
            class,
            "\" id=\"section-",
            &id,
            "\"",
        ]);
        if self.folds(index) {
            self.push_all([open, "><summary"]);
        }
        self.push(">");
        let level = (row.depth + 2).clamp(3, 6).to_string();
        self.push_all(["<h", &level, ">"]);
        self.text(title(row));
        self.push_all(["</h", &level, "> <code>"]);
        self.text(&row.key);
        self.push("</code> ");
        self.state(row);
        if row.range.is_some() {
            let sum = self.sum(index);
            self.badge("plain", &format!("{} tokens", row.tokens));
            self.bar(row.tokens, sum);
        }
        self.push(if self.folds(index) {
            "</summary>\n<div class=\"inside\">\n"
        } else {
            "\n"
        });
    }

    fn close(&mut self, index: usize) {
        let Some(row) = self.preview.rows.get(index) else {
            return;
        };
        if let Some(range) = &row.range {
            self.show_to(range.end);
        }
        if self.folds(index) {
            self.push("</div>");
        }
        self.push_all(["</", self.element(index), ">\n"]);
    }

    /// Whether there is something in a section to be folded.
    fn folds(&self, index: usize) -> bool {
        let is_shown = self
            .preview
            .rows
            .get(index)
            .is_some_and(|row| row.range.is_some());
        is_shown || self.inner.get(index).is_some_and(|inner| !inner.is_empty())
    }

    fn element(&self, index: usize) -> &'static str {
        if self.folds(index) { "details" } else { "div" }
    }

    /// Shows the text up to there, without the line breaks at its ends.
    fn show_to(&mut self, to: usize) {
        let (from, to) = (self.at, to.min(self.preview.text.len()));
        self.at = from.max(to);
        let text = self.preview.text.get(from..to).unwrap_or_default();
        let start = from + text.len() - text.trim_start_matches('\n').len();
        let text = text.trim_matches('\n');
        if text.is_empty() {
            return;
        }
        self.push("<div class=\"text\" dir=\"auto\">");
        self.marked(start..start + text.len());
        self.push("</div>\n");
    }

    /// A stretch of the text in pieces that are, or are not, one value's, and stand before or behind the end of the
    /// static prefix. Values are sorted, so one cursor finds them all.
    fn marked(&mut self, stretch: Range<usize>) {
        let Preview {
            text,
            values,
            static_prefix: edge,
            ..
        } = self.preview;
        let mut at = stretch.start;
        while at < stretch.end {
            if at >= *edge && !self.edge_is_shown {
                self.edge_is_shown = true;
                self.push("<span class=\"edge\">◂ static up to here</span>");
            }
            while values
                .get(self.value)
                .is_some_and(|value| value.range.end <= at)
            {
                self.value += 1;
            }
            let value = values.get(self.value);
            let inside = value.filter(|value| value.range.start <= at);
            let stops = [
                value.map(|value| value.range.start),
                inside.map(|value| value.range.end),
                Some(*edge),
            ];
            let next = stops.into_iter().flatten().filter(|stop| *stop > at);
            let next = next.fold(stretch.end, usize::min);
            let piece = text.get(at..next).unwrap_or_default();
            match inside {
                Some(value) => self.mark(value, piece),
                None => self.text(piece),
            }
            at = next;
        }
    }

    fn mark(&mut self, value: &PreviewValue, piece: &str) {
        self.push_all(["<mark data-from=\"", &escape_attribute(name(value)), "\">"]);
        self.text(piece);
        self.push("</mark>");
    }

    // ---- values, messages, tools

    fn values(&mut self) {
        self.part(PARTS[2]);
        let preview = self.preview;
        if preview.values.is_empty() {
            self.push("<p>None: the text is the same in every call, or a value as a whole.</p>\n</section>\n");
            return;
        }
        self.push(concat!(
            "<table class=\"values\">\n<caption>Which field each value came from, in the order of the text.</caption>\n",
            "<thead><tr><th scope=\"col\">Field</th><th scope=\"col\">Of</th><th scope=\"col\">What it says</th></tr>",
            "</thead>\n<tbody>\n",
        ));
        for value in &preview.values {
            self.push("<tr><th scope=\"row\"><code>");
            self.text(name(value));
            self.push("</code></th><td>");
            match value
                .row
                .and_then(|row| Some((row, preview.rows.get(row)?)))
            {
                Some((index, row)) => {
                    self.push_all(["<a href=\"#section-", &index.to_string(), "\">"]);
                    self.text(title(row));
                    self.push("</a>");
                }
                None => self.text(&preview.name),
            }
            self.push("</td><td><span class=\"text\" dir=\"auto\">");
            let text = preview.text.get(value.range.clone()).unwrap_or_default();
            self.text(beginning(text));
            self.push("</span></td></tr>\n");
        }
        self.push("</tbody>\n</table>\n</section>\n");
    }

    fn messages(&mut self) {
        self.part(PARTS[3]);
        if self.preview.messages.is_empty() {
            self.push("<p>None.</p>\n");
        }
        for message in &self.preview.messages {
            self.message(message);
        }
        self.push("</section>\n");
    }

    fn message(&mut self, PreviewMessage { message, tokens }: &PreviewMessage) {
        let role = message.role.as_str();
        self.push_all([
            "<details class=\"message ",
            role,
            "\"><summary><h3>",
            role,
            "</h3> ",
        ]);
        self.badge("plain", &format!("{tokens} tokens"));
        if let Some(point) = message.cache {
            self.badge("cached", &cache_words(point));
        }
        self.push("<span class=\"beginning\" dir=\"auto\">");
        self.text(
            beginning(&message.text())
                .lines()
                .next()
                .unwrap_or_default(),
        );
        self.push("</span></summary>\n<div class=\"inside\">\n");
        for content in &message.content {
            self.content(content);
        }
        self.push("</div></details>\n");
    }

    fn content(&mut self, content: &Content) {
        match content {
            Content::Text { text } => self.block(text),
            Content::Image { mime, source } => {
                let source = match source {
                    ImageSource::Url(url) => url.clone(),
                    ImageSource::Data(data) => format!("{} characters of base64", data.len()),
                };
                self.fact("image", &format!("{mime}, {source}"));
            }
            Content::Resource { uri, text, .. } => {
                self.fact("resource", uri);
                self.block(text);
            }
            Content::ToolCall {
                name, arguments, ..
            } => {
                self.fact("tool call", name);
                self.json(arguments);
            }
            Content::ToolResult {
                id,
                content,
                is_error,
            } => {
                self.fact(
                    if *is_error {
                        "tool failed"
                    } else {
                        "tool result"
                    },
                    id,
                );
                self.block(content);
            }
            Content::Thought { text } => {
                self.fact("thought", "");
                self.block(text);
            }
            Content::Signature { data } => {
                self.fact("signature", &format!("{} characters", data.len()));
            }
            Content::Native { format, value } | Content::Extra { format, value } => {
                self.fact("piece of one provider", format);
                self.json(value);
            }
        }
    }

    fn fact(&mut self, what: &str, detail: &str) {
        self.push("<p>");
        self.badge("plain", what);
        self.text(detail);
        self.push("</p>\n");
    }

    fn json(&mut self, value: &Value) {
        self.block(&format!("{value:#}"));
    }

    fn tools(&mut self) {
        self.part(PARTS[4]);
        if self.preview.tools.is_empty() {
            self.push("<p>None.</p>\n");
        }
        for tool in &self.preview.tools {
            self.tool(tool);
        }
        self.push("</section>\n");
    }

    fn tool(&mut self, PreviewTool { spec, tokens }: &PreviewTool) {
        self.push("<details class=\"tool\"><summary><h3>");
        self.text(spec.name());
        self.push("</h3> ");
        self.badge("plain", &format!("{tokens} tokens"));
        self.badge(
            "plain",
            if spec.is_strict() {
                "strict"
            } else {
                "not strict"
            },
        );
        if let Some(priority) = spec.listing().priority {
            self.badge("plain", &format!("priority {priority}"));
        }
        self.push("</summary>\n<div class=\"inside\">\n");
        self.block(spec.description());
        for (name, fact) in [
            ("when to use", spec.listing().when_to_use.as_deref()),
            ("category", spec.listing().category.as_deref()),
        ] {
            if let Some(fact) = fact {
                self.fact(name, fact);
            }
        }
        self.json(spec.parameters());
        self.push("</div></details>\n");
    }
}

/// The parts of the page, by id and heading.
const PARTS: [(&str, &str); 5] = [
    ("costs", "Sections and costs"),
    ("prompt", "The prompt"),
    ("values", "Values"),
    ("messages", "Messages"),
    ("tools", "Tools"),
];

const FORMS: [PreviewForm; 4] = [
    PreviewForm::Full,
    PreviewForm::Summary,
    PreviewForm::Dropped,
    PreviewForm::NotShown,
];

fn words(form: PreviewForm) -> &'static str {
    match form {
        PreviewForm::Full => "full",
        PreviewForm::Summary => "summary",
        PreviewForm::Dropped => "dropped",
        PreviewForm::NotShown => "not shown",
    }
}

fn cache_words(point: CachePoint) -> String {
    match point.ttl {
        Some(seconds) => format!("cache point, {seconds} s"),
        None => "cache point".to_owned(),
    }
}

fn name(value: &PreviewValue) -> &str {
    if value.name.is_empty() {
        "value"
    } else {
        &value.name
    }
}

fn title(row: &PreviewRow) -> &str {
    if row.title.trim().is_empty() {
        &row.key
    } else {
        &row.title
    }
}

fn percent(part: usize, whole: usize) -> usize {
    let part = part.saturating_mul(100).saturating_add(whole / 2);
    part.checked_div(whole).unwrap_or(100)
}

/// The first 120 characters.
fn beginning(text: &str) -> &str {
    let end = text.char_indices().nth(120);
    text.get(..end.map_or(text.len(), |(at, _)| at))
        .unwrap_or_default()
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

/// Tokens of each row with what is inside it. Children come after their parents, so one pass from the end does it.
fn sums(rows: &[PreviewRow]) -> Vec<usize> {
    let mut sums: Vec<usize> = rows.iter().map(|row| row.tokens).collect();
    for (index, row) in rows.iter().enumerate().rev() {
        let own = sums.get(index).copied().unwrap_or_default();
        if let Some(around) = row.parent.and_then(|parent| sums.get_mut(parent)) {
            *around = around.saturating_add(own);
        }
    }
    sums
}

/// The rows in each row, and at the end those of the root, with the byte where each stands, in the order of the text.
/// What is not shown stands behind the one declared before it, or else at the end of what it would be in.
fn inner(rows: &[PreviewRow]) -> Vec<Vec<(usize, usize)>> {
    let mut inner: Vec<Vec<(usize, usize)>> = vec![Vec::new(); rows.len() + 1];
    for (index, row) in rows.iter().enumerate() {
        let around = row.parent.and_then(|parent| rows.get(parent));
        let end = around.map_or(usize::MAX, |row| {
            row.range.as_ref().map_or(0, |range| range.end)
        });
        let Some(siblings) = inner.get_mut(row.parent.unwrap_or(rows.len())) else {
            continue;
        };
        let before = siblings.last().map_or(end, |(place, _)| *place);
        let place = row.range.as_ref().map_or(before, |range| range.start);
        siblings.push((place, index));
    }
    for siblings in &mut inner {
        siblings.sort_unstable();
    }
    inner
}

/// How the page looks. Deep sections are not moved further to the right, so that they fit narrow windows.
const STYLE: &str = include_str!("page.css");
