//! The page of a prompt: a preview as one file of HTML. It holds all that it needs and asks no network. Everything on it
//! can be read and folded without its script, which filters, copies, and folds all at once; the content policy lets run
//! this script and nothing else. The page is as long as what it shows.

use super::html::{Html, name};
use super::{
    AbsentReason, Preview, PreviewAbsent, PreviewForm, PreviewMessage, PreviewRow, PreviewText,
    PreviewTool,
};
use crate::budget::Reason;
use crate::message::{CachePoint, Content, ImageSource};
use serde_json::Value;
use std::ops::Range;

impl Preview {
    /// A page that shows the prompt to a person: the text as the model gets it, in sections that fold, with what each
    /// costs beside it, as bars that add up; the full text of what is summarised, dropped or switched off, and why; what
    /// is static, cached and volatile; which field each value came from; what [`Prompt::lint`](crate::Prompt::lint) says,
    /// at its section; the messages by role, with their cache points; the tools with their schemas.
    ///
    /// The page is one file: no network, light or dark as the reader's system is. Its script filters by text and copies
    /// the text or a section; without it everything can be read all the same. The same preview gives the same bytes.
    /// Whatever the prompt says is shown as text; characters that have no picture, or change the direction of writing,
    /// are shown by their number. Blank lines between sections are not shown among the sections; the plain text below
    /// them and the messages show every byte.
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
        page.html.push("<div class=\"columns\">\n");
        page.prompt();
        page.costs();
        page.html.push("</div>\n");
        page.messages();
        page.tools();
        page.values();
        page.html
            .push_all(["</main>\n<script>", SCRIPT, "</script>\n</body>\n</html>\n"]);
        page.html.out
    }
}

/// The page under construction.
struct Page<'p> {
    preview: &'p Preview,
    html: Html,
    /// Tokens of each row with all that is inside it.
    sums: Vec<usize>,
    /// The rows in each row with their places, in the order of the text; at the end those of the root.
    inner: Vec<Vec<(usize, usize)>>,
    /// The sections that are not there, by the row around them; at the end those of the root.
    absent: Vec<Vec<&'p PreviewAbsent>>,
    /// The lints of each row, by their place in the list; at the end those of the root.
    lints: Vec<Vec<usize>>,
    /// Up to where the provider is told to cache the text: the end of the last section with a cache point.
    cached: usize,
    /// Whether anything may be left out by a budget.
    has_priorities: bool,
    /// Bytes of the text that are shown so far.
    at: usize,
    /// The next value to be marked.
    value: usize,
    /// The section in which each value stands.
    value_rows: Vec<Option<usize>>,
    /// Whether the end of the static prefix has been shown.
    edge_is_shown: bool,
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
        for (place, lint) in preview.lints.iter().enumerate() {
            lints[lint.row.unwrap_or(rows.len())].push(place);
        }
        Self {
            preview,
            html: Html {
                out: String::with_capacity(preview.text.len() * 4 + 16_384),
            },
            sums: sums(rows),
            inner: inner(rows),
            absent,
            lints,
            cached: rows.iter().filter_map(end).max().unwrap_or_default(),
            has_priorities: rows.iter().any(|row| row.priority.is_some()),
            at: 0,
            value: 0,
            value_rows: vec![None; preview.values.len()],
            edge_is_shown: false,
        }
    }

    // ---- head and numbers

    fn head(&mut self) {
        let preview = self.preview;
        let policy = format!("; script-src 'sha256-{SCRIPT_HASH}'");
        self.html.head(&policy, &format!("Prompt {}", preview.name));
        self.html.push("<header>\n<h1>Prompt <code>");
        self.html.text(&preview.name);
        self.html
            .push("</code></h1>\n<nav aria-label=\"Parts of this page\">\n<ul>\n");
        for (id, title) in PARTS {
            self.html
                .push_all(["<li><a href=\"#", id, "\">", title, "</a></li>\n"]);
        }
        self.html.push("</ul>\n</nav>\n");
        self.facts();
        self.html.push(TOOLBAR);
        self.html.push("</header>\n<main>\n");
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
        let mut sections: Vec<String> = Vec::new();
        for form in FORMS {
            let count = preview.rows.iter().filter(|row| row.form == form).count();
            if count > 0 {
                sections.push(format!("{count} {}", words(form)));
            }
        }
        if !preview.absent.is_empty() {
            sections.push(format!("{} not there", preview.absent.len()));
        }
        if sections.is_empty() {
            sections.push("none".to_owned());
        }
        self.html.facts([
            ("Tokens", tokens),
            ("Static from the start", prefix),
            ("Sections", sections.join(", ")),
            ("Messages", preview.messages.len().to_string()),
            ("Tools", preview.tools.len().to_string()),
            ("Hints", preview.lints.len().to_string()),
        ]);
    }

    /// The table of all sections with what they cost. Rows stand in preorder, so what is inside a section follows it,
    /// and bars that begin where the last one ended add up to the whole.
    fn costs(&mut self) {
        let preview = self.preview;
        self.html.part(PARTS[1]);
        self.html.push(concat!(
            "<table class=\"costs\">\n<caption>Tokens of each section's own text. Each bar begins where the last one ",
            "ends; light is what is inside the section.</caption>\n<thead><tr><th scope=\"col\">Section</th>",
            "<th scope=\"col\" class=\"number\">Tokens</th><th scope=\"col\">Share</th></tr></thead>\n<tbody>\n",
        ));
        let own = preview.own.unwrap_or_default();
        let all = own + preview.rows.iter().map(|row| row.tokens).sum::<usize>();
        let scale = all
            .max(preview.tokens)
            .max(preview.limit.unwrap_or_default());
        let mut before = 0;
        if preview.own.is_some() {
            self.html.push("<tr><th scope=\"row\">(own text)</th>");
            self.cost([before, own, own], scale);
            before += own;
        }
        for (index, row) in preview.rows.iter().enumerate() {
            let depth = row.depth.clamp(1, 6).to_string();
            let number = index.to_string();
            self.html.push_all([
                "<tr data-row=\"section-",
                &number,
                "\"><th scope=\"row\" class=\"depth-",
                &depth,
            ]);
            self.html
                .push_all(["\"><a href=\"#section-", &number, "\">"]);
            self.html.text(title(row));
            self.html.push("</a> ");
            if row.form != PreviewForm::Full {
                self.html.badge(class(row.form), words(row.form));
            }
            match self.lints[index].len() {
                0 => {}
                1 => self.html.badge("volatile", "1 hint"),
                many => self.html.badge("volatile", &format!("{many} hints")),
            }
            self.html.push("</th>");
            self.cost([before, row.tokens, self.sums[index]], scale);
            before += row.tokens;
        }
        self.html.push("</tbody>\n<tfoot>\n");
        if all != preview.tokens {
            // Whole and parts are counted apart: tokens may begin in one part and end in the next.
            let rest = if preview.tokens > all {
                format!("+{}", preview.tokens - all)
            } else {
                format!("−{}", all - preview.tokens)
            };
            let words = if preview.limit.is_some() && preview.tokens > all {
                "all else that the budget counts"
            } else {
                "counted as one text"
            };
            self.html.push_all([
                "<tr><th scope=\"row\">",
                words,
                "</th><td class=\"number\">",
                &rest,
                "</td><td></td></tr>\n",
            ]);
        }
        self.html
            .push("<tr class=\"sum\"><th scope=\"row\">Together</th>");
        self.cost([0, preview.tokens, preview.tokens], scale);
        if let Some(limit) = preview.limit {
            let free = limit.saturating_sub(preview.tokens);
            let (limit, free) = (limit.to_string(), free.to_string());
            self.html.push_all([
                "<tr><th scope=\"row\">Budget</th><td class=\"number\">",
                &limit,
                "</td><td>",
                &free,
                " free</td></tr>\n",
            ]);
        }
        self.html.push("</tfoot>\n</table>\n</section>\n");
    }

    /// Tokens, and a bar from where the last one ended: eyes see where it stands in the whole, ears hear the share.
    fn cost(&mut self, [before, own, sum]: [usize; 3], scale: usize) {
        let per_mille = |tokens: usize| {
            let tenths = tokens
                .saturating_mul(1000)
                .checked_div(scale)
                .unwrap_or_default();
            format!("{}.{}", tenths / 10, tenths % 10)
        };
        let share = percent(own, scale).to_string();
        let label = if own == sum {
            format!("{share} %")
        } else {
            format!(
                "{share} %, with what is inside it {} %",
                percent(sum, scale)
            )
        };
        self.html.push_all([
            "<td class=\"number\">",
            &own.to_string(),
            "</td><td class=\"share\"><span class=\"bar\" role=\"img\" aria-label=\"",
            &label,
            "\">",
        ]);
        for (class, tokens) in [("sum", sum), ("own", own)] {
            let (from, width) = (per_mille(before), per_mille(tokens));
            self.html.push_all([
                "<span class=\"",
                class,
                "\" style=\"left:",
                &from,
                "%;width:",
                &width,
                "%\"></span>",
            ]);
        }
        self.html.push_all([
            "</span><span aria-hidden=\"true\">",
            &share,
            " %</span></td></tr>\n",
        ]);
    }

    /// How a section is shown and why, and what is known of its change from call to call.
    fn state(&mut self, row: &PreviewRow) {
        // Where a budget reduced nothing, its reason is one to keep the section as it is.
        let reduces =
            |reason: &Reason| !matches!(reason, Reason::Required | Reason::Opened | Reason::Fits);
        let reason = row
            .reason
            .filter(reduces)
            .map(|reason| format!(": {reason}"));
        let form = [words(row.form), reason.as_deref().unwrap_or_default()].concat();
        self.html.badge(class(row.form), &form);
        if row.range.is_some() {
            self.html.badge("plain", &format!("{} tokens", row.tokens));
        }
        // Where nothing has a priority, that all is required says nothing.
        match row.priority {
            Some(priority) => self.html.badge("plain", &format!("priority {priority}")),
            None if self.has_priorities => self.html.badge("plain", "required"),
            None => {}
        }
        if let Some(tokens) = row.opening {
            self.html.badge("plain", &format!("opening adds {tokens}"));
        }
        if let Some(role) = row.role {
            self.html.badge("role", role.as_str());
        }
        if let Some(range) = row.range.as_ref().filter(|range| !range.is_empty()) {
            if range.end <= self.preview.static_prefix {
                self.html.badge("static", "static");
            }
            if range.end <= self.cached {
                self.html.badge("cached", "cached");
            }
        }
        if let Some(point) = row.cache {
            self.html.badge("cached", &cache_words(point));
        }
        if row.volatile {
            self.html.badge("volatile", "volatile");
        }
    }

    // ---- the text

    /// The text in sections that fold. Rows are gone through with a stack of their own; what stands between two edges
    /// belongs to the innermost section that is open, so that each byte is met once.
    fn prompt(&mut self) {
        self.html.part(PARTS[0]);
        self.html.push(concat!(
            "<p class=\"legend\">As the model gets it. <mark>Marked</mark> is what comes from values, with the field ",
            "that it came from; dashed is what is not sent in full.</p>\n<div class=\"prompt\">\n",
        ));
        let rows = &self.preview.rows;
        self.hints(rows.len());
        let mut open = vec![(rows.len(), 0)];
        while let Some((row, next)) = open.last_mut() {
            let Some((place, child)) = self.inner[*row].get(*next).copied() else {
                let row = *row;
                open.pop();
                self.close(row);
                continue;
            };
            *next += 1;
            let row = *row;
            self.show_to(place, row);
            self.open(child);
            open.push((child, 0));
        }
        if self.preview.text.is_empty() {
            self.html.push("<p>The text is empty.</p>\n");
        }
        self.html.push("</div>\n<details id=\"plain\"><summary>The text alone, to the byte</summary>\n<pre dir=\"auto\">\n");
        self.html.text(&self.preview.text);
        self.html.push("</pre>\n</details>\n</section>\n");
    }

    fn open(&mut self, index: usize) {
        let row = &self.preview.rows[index];
        let (class, open) = match row.form {
            PreviewForm::Full => ("part", " open=\"open\""),
            PreviewForm::Summary => ("part reduced", " open=\"open\""),
            PreviewForm::Dropped | PreviewForm::NotShown => ("part gone", ""),
        };
        let id = index.to_string();
        self.html.push_all([
            "<details class=\"",
            class,
            "\" id=\"section-",
            &id,
            "\"",
            open,
            "><summary>",
        ]);
        let level = heading_level(row.depth);
        self.html.push_all(["<h", level, ">"]);
        self.title(row);
        self.html.push_all(["</h", level, "> <code>"]);
        self.html.text(&self.preview.path(index));
        self.html.push("</code> ");
        self.state(row);
        self.html.push("</summary>\n<div class=\"inside\">\n");
        self.hints(index);
        match (row.form, &row.in_full, &row.in_short) {
            (PreviewForm::Summary, Some(full), _) => self.other("full", "In full", full),
            (PreviewForm::Dropped | PreviewForm::NotShown, full, _) => {
                self.html.push("<p class=\"why\">Not sent: ");
                self.why(index);
                if let Some(full) = full.as_ref().filter(|full| !full.text.is_empty()) {
                    self.html.push_all([
                        " It would say, in ",
                        &full.tokens.to_string(),
                        " tokens:</p>\n",
                    ]);
                    self.html.block(&full.text, &full.values);
                    self.html.push(COPY_BLOCK);
                } else {
                    self.html.push("</p>\n");
                }
            }
            (_, _, Some(short)) => self.other("short", "As its summary", short),
            _ => {}
        }
    }

    /// Why a section is not sent.
    fn why(&mut self, index: usize) {
        let rows = &self.preview.rows;
        let row = &rows[index];
        if let Some(reason) = row.reason {
            self.html
                .push_all(["the budget left it out (", &reason.to_string(), ")."]);
            return;
        }
        let mut around = row.parent;
        while let Some(at) = around.filter(|at| rows[*at].form == PreviewForm::NotShown) {
            around = rows[at].parent;
        }
        match around.map(|at| (at, rows[at].form)) {
            Some((at, PreviewForm::Summary)) => {
                self.html.push("it stands inside the summary of <code>");
                self.html.text(&self.preview.path(at));
                self.html.push("</code>.");
            }
            Some((at, PreviewForm::Dropped)) => {
                self.html.push("it is gone with <code>");
                self.html.text(&self.preview.path(at));
                self.html.push("</code>.");
            }
            _ => self.html.push("it is outside of the focus."),
        }
    }

    /// The other form of a section, which takes the place of the one that is sent when it is opened.
    fn other(&mut self, class: &str, words: &str, text: &PreviewText) {
        let tokens = text.tokens.to_string();
        self.html.push_all([
            "<details class=\"other ",
            class,
            "\"><summary>",
            words,
            ": ",
            &tokens,
            " tokens</summary>\n",
        ]);
        if text.text.is_empty() {
            self.html.push("<p>Nothing but the sections in it.</p>\n");
        } else {
            self.html.block(&text.text, &text.values);
            self.html.push(COPY_BLOCK);
        }
        self.html.push("</details>\n");
    }

    fn title(&mut self, row: &PreviewRow) {
        if row.title.trim().is_empty() {
            self.html.text(&row.key);
            return;
        }
        let mut at = 0;
        for Range { start, end } in row
            .title_values
            .iter()
            .filter(|it| it.start < it.end)
            .cloned()
        {
            self.html.text(&row.title[at..start]);
            self.html.push("<mark>");
            self.html.text(&row.title[start..end]);
            self.html.push("</mark>");
            at = end;
        }
        self.html.text(&row.title[at..]);
    }

    fn hints(&mut self, of: usize) {
        if self.lints[of].is_empty() {
            return;
        }
        self.html.push("<ul class=\"hints\">\n");
        for place in &self.lints[of] {
            let lint = &self.preview.lints[*place].lint;
            self.html.push("<li>");
            self.html.badge("volatile", lint.code.as_str());
            self.html.text(&lint.message);
            if !lint.help.is_empty() {
                self.html.push(" <em>Help:</em> ");
                self.html.text(&lint.help);
            }
            self.html.push("</li>\n");
        }
        self.html.push("</ul>\n");
    }

    fn close(&mut self, index: usize) {
        let rows = &self.preview.rows;
        let row = rows.get(index);
        let end = match row {
            Some(row) => row.range.as_ref().map_or(0, |range| range.end),
            None => self.preview.text.len(),
        };
        self.show_to(end, index);
        for absent in std::mem::take(&mut self.absent[index]) {
            self.absent(absent, row.map_or(1, |row| row.depth + 1));
        }
        let Some(row) = row else { return };
        if let Some(Range { start, end }) = row.range.clone().filter(|range| !range.is_empty()) {
            let (start, end) = (start.to_string(), end.to_string());
            self.html.push_all([
                "<p class=\"acts\" hidden=\"hidden\"><button type=\"button\" data-from=\"",
                &start,
                "\" data-to=\"",
                &end,
            ]);
            self.html
                .push_all(["\">Copy <code>", &row.key, "</code></button></p>\n"]);
        }
        self.html.push("</div></details>\n");
    }

    /// A section that is declared and not there.
    fn absent(&mut self, absent: &PreviewAbsent, depth: usize) {
        let level = heading_level(depth);
        self.html
            .push_all(["<details class=\"part gone\"><summary><h", level, ">"]);
        let is_untitled = absent.title.trim().is_empty();
        self.html.text(if is_untitled {
            &absent.key
        } else {
            &absent.title
        });
        self.html.push_all(["</h", level, "> <code>"]);
        let around = absent.parent.map(|parent| self.preview.path(parent));
        let path: Vec<&str> = around
            .as_deref()
            .into_iter()
            .chain([absent.key.as_str()])
            .collect();
        self.html.text(&path.join("."));
        self.html.push("</code> ");
        self.html.badge(
            "gone",
            match absent.reason {
                AbsentReason::SwitchedOff => "switched off",
                AbsentReason::Empty => "empty",
                AbsentReason::NotReached => "not reached",
            },
        );
        let reason = absent.reason.to_string();
        self.html.push_all([
            "</summary>\n<div class=\"inside\">\n<p class=\"why\">Not there in this call: ",
            &reason,
            ".",
        ]);
        if absent.source.is_empty() {
            self.html.push("</p>\n");
        } else {
            self.html
                .push(" As written, with variables in braces:</p>\n");
            self.html.block(&absent.source, &[]);
            self.html.push(COPY_BLOCK);
        }
        self.html.push("</div></details>\n");
    }

    /// Shows the text up to there, without the line breaks at its ends. It belongs to `owner`.
    fn show_to(&mut self, to: usize, owner: usize) {
        let (from, to) = (self.at, to.min(self.preview.text.len()));
        self.at = from.max(to);
        let text = self.preview.text.get(from..to).unwrap_or_default();
        let start = from + text.len() - text.trim_start_matches('\n').len();
        let text = text.trim_matches('\n');
        if text.is_empty() {
            return;
        }
        self.html.push("<div class=\"text\" dir=\"auto\">");
        self.marked(start..start + text.len(), owner);
        self.html.push("</div>\n");
    }

    /// A stretch of the text in pieces that are, or are not, one value's, and stand before or behind the end of the
    /// static prefix. Values are sorted, so one cursor finds them all.
    fn marked(&mut self, stretch: Range<usize>, owner: usize) {
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
                self.html
                    .push("<span class=\"edge\">◂ static up to here</span>");
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
            let piece = &text[at..next];
            match inside {
                Some(value) => {
                    self.value_rows[self.value] =
                        Some(owner).filter(|row| *row < self.preview.rows.len());
                    self.html.mark(name(value), piece);
                }
                None => self.html.text(piece),
            }
            at = next;
        }
    }

    // ---- messages, tools, values

    fn messages(&mut self) {
        self.html.part(PARTS[2]);
        if self.preview.messages.is_empty() {
            self.html.push("<p>None.</p>\n");
        }
        for message in &self.preview.messages {
            self.message(message);
        }
        self.html.push("</section>\n");
    }

    fn message(&mut self, PreviewMessage { message, tokens }: &PreviewMessage) {
        let role = message.role.as_str();
        self.html.push_all([
            "<details class=\"message ",
            role,
            "\"><summary><h3>",
            role,
            "</h3> ",
        ]);
        self.html.badge("plain", &format!("{tokens} tokens"));
        if let Some(point) = message.cache {
            self.html.badge("cached", &cache_words(point));
        }
        self.html.push("<span class=\"beginning\" dir=\"auto\">");
        let text = message.text();
        let line = text.lines().next().unwrap_or_default();
        let beginning = beginning(line);
        self.html.text(beginning);
        if beginning.len() < text.len() {
            self.html.push(" …");
        }
        self.html
            .push("</span></summary>\n<div class=\"inside\">\n");
        for content in &message.content {
            self.content(content);
        }
        self.html.push("</div></details>\n");
    }

    fn content(&mut self, content: &Content) {
        match content {
            Content::Text { text } => self.html.block(text, &[]),
            Content::Image { mime, source } => {
                let source = match source {
                    ImageSource::Url(url) => url.clone(),
                    ImageSource::Data(data) => format!("{} characters of base64", data.len()),
                };
                self.fact("image", &format!("{mime}, {source}"));
            }
            Content::Resource { uri, text, .. } => {
                self.fact("resource", uri);
                self.html.block(text, &[]);
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
                let what = if *is_error {
                    "tool failed"
                } else {
                    "tool result"
                };
                self.fact(what, id);
                self.html.block(content, &[]);
            }
            Content::Thought { text } => {
                self.fact("thought", "");
                self.html.block(text, &[]);
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
        self.html.push("<p>");
        self.html.badge("plain", what);
        self.html.text(detail);
        self.html.push("</p>\n");
    }

    fn json(&mut self, value: &Value) {
        self.html.block(&format!("{value:#}"), &[]);
    }

    fn tools(&mut self) {
        self.html.part(PARTS[3]);
        if self.preview.tools.is_empty() {
            self.html.push("<p>None.</p>\n");
        }
        for tool in &self.preview.tools {
            self.tool(tool);
        }
        self.html.push("</section>\n");
    }

    fn tool(&mut self, PreviewTool { spec, tokens }: &PreviewTool) {
        self.html.push("<details class=\"tool\"><summary><h3>");
        self.html.text(spec.name());
        self.html.push("</h3> ");
        self.html.badge("plain", &format!("{tokens} tokens"));
        let strict = if spec.is_strict() {
            "strict"
        } else {
            "not strict"
        };
        self.html.badge("plain", strict);
        if let Some(priority) = spec.listing().priority {
            self.html.badge("plain", &format!("priority {priority}"));
        }
        self.html.push("</summary>\n<div class=\"inside\">\n");
        self.html.block(spec.description(), &[]);
        for (name, fact) in [
            ("when to use", spec.listing().when_to_use.as_deref()),
            ("category", spec.listing().category.as_deref()),
        ] {
            if let Some(fact) = fact {
                self.fact(name, fact);
            }
        }
        self.json(spec.parameters());
        self.html.push("</div></details>\n");
    }

    fn values(&mut self) {
        self.html.part(PARTS[4]);
        let preview = self.preview;
        if preview.values.is_empty() {
            self.html.push("<p>None: the text is the same in every call, or a value as a whole.</p>\n</section>\n");
            return;
        }
        self.html.push(concat!(
            "<table class=\"values\">\n<caption>Which field each value came from, in the order of the text.</caption>\n",
            "<thead><tr><th scope=\"col\">Field</th><th scope=\"col\">Stands in</th><th scope=\"col\">What it says</th>",
            "</tr></thead>\n<tbody>\n",
        ));
        for (place, value) in preview.values.iter().enumerate() {
            self.html.push("<tr><th scope=\"row\"><code>");
            self.html.text(name(value));
            self.html.push("</code></th><td>");
            match self.value_rows[place] {
                Some(row) => {
                    self.html
                        .push_all(["<a href=\"#section-", &row.to_string(), "\">"]);
                    self.html.text(title(&preview.rows[row]));
                    self.html.push("</a>");
                }
                None => self.html.text(&preview.name),
            }
            self.html
                .push("</td><td><span class=\"text\" dir=\"auto\">");
            self.html.text(&preview.text[value.range.clone()]);
            self.html.push("</span></td></tr>\n");
        }
        self.html.push("</tbody>\n</table>\n</section>\n");
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

const FORMS: [PreviewForm; 4] = [
    PreviewForm::Full,
    PreviewForm::Summary,
    PreviewForm::Dropped,
    PreviewForm::NotShown,
];

/// What the script works: hidden until it runs.
const TOOLBAR: &str = concat!(
    "<search id=\"bar\" hidden=\"hidden\">\n<label for=\"filter\">Filter by text</label>\n",
    "<input id=\"filter\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\" />\n",
    "<button type=\"button\" data-act=\"unfold\">Unfold all</button>\n",
    "<button type=\"button\" data-act=\"fold\">Fold all</button>\n",
    "<button type=\"button\" data-act=\"swap\" aria-pressed=\"false\">Full texts</button>\n",
    "<button type=\"button\" data-act=\"copy\">Copy the text</button>\n",
    "<p id=\"said\" role=\"status\"></p>\n</search>\n",
);

const COPY_BLOCK: &str =
    "<p class=\"acts\" hidden=\"hidden\"><button type=\"button\">Copy this text</button></p>\n";

/// What runs on the page, and its SHA-256 as the content policy writes it: a test computes it.
const SCRIPT: &str = include_str!("page.js");
const SCRIPT_HASH: &str = "VPtkdtyYBiYMyPuflvZ/vz7SF4dnMqpEM3QpslSZ2BQ=";

pub(super) fn words(form: PreviewForm) -> &'static str {
    match form {
        PreviewForm::Full => "full",
        PreviewForm::Summary => "summary",
        PreviewForm::Dropped => "dropped",
        PreviewForm::NotShown => "not shown",
    }
}

fn class(form: PreviewForm) -> &'static str {
    match form {
        PreviewForm::Full => "full",
        PreviewForm::Summary => "summary",
        PreviewForm::Dropped | PreviewForm::NotShown => "gone",
    }
}

fn heading_level(depth: usize) -> &'static str {
    match depth {
        0 | 1 => "3",
        2 => "4",
        3 => "5",
        _ => "6",
    }
}

fn cache_words(point: CachePoint) -> String {
    match point.ttl {
        Some(seconds) => format!("cache point, {seconds} s"),
        None => "cache point".to_owned(),
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
    &text[..end.map_or(text.len(), |(at, _)| at)]
}

/// Tokens of each row with what is inside it. Children come after their parents, so one pass from the end does it.
fn sums(rows: &[PreviewRow]) -> Vec<usize> {
    let mut sums: Vec<usize> = rows.iter().map(|row| row.tokens).collect();
    for (index, row) in rows.iter().enumerate().rev() {
        if let Some(parent) = row.parent {
            sums[parent] = sums[parent].saturating_add(sums[index]);
        }
    }
    sums
}

/// The rows in each row, and at the end those of the root, with the byte where each stands, in the order of the text.
/// What is not shown stands behind the one declared before it, or else at the end of what it would be in.
fn inner(rows: &[PreviewRow]) -> Vec<Vec<(usize, usize)>> {
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
