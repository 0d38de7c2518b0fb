//! Two prompts side by side, as one page without a script.

use super::diff::Tokens;
use super::html::Html;
use super::page::words;
use super::{Change, LineChange, PreviewDiff, SectionDiff};

impl PreviewDiff {
    /// A page that shows both side by side, by section, with tokens: what is the same is folded. One file, no network,
    /// no script.
    pub fn to_html(&self) -> String {
        let mut html = Html::default();
        html.head("", "What changed in a prompt");
        html.push("<header>\n<h1>What changed</h1>\n");
        let count = |change: Change| {
            let sections = self.sections.iter().filter(|it| it.change == change);
            sections.count().to_string()
        };
        html.facts([
            (
                "Tokens",
                Tokens(self.old_tokens, self.new_tokens)
                    .to_string()
                    .replace("->", "→"),
            ),
            ("Changed", count(Change::Changed)),
            ("New", count(Change::Added)),
            ("Gone", count(Change::Removed)),
            ("The same", count(Change::Same)),
            (
                "Order",
                if self.is_reordered {
                    "changed"
                } else {
                    "the same"
                }
                .to_owned(),
            ),
        ]);
        html.push("</header>\n<main>\n");
        html.part(("sections", "Sections"));
        html.push("<p class=\"legend\">Left the old text, right the new one.</p>\n");
        let scale = self
            .sections
            .iter()
            .map(|it| it.old_tokens.max(it.new_tokens));
        let scale = scale.max().unwrap_or_default();
        for section in &self.sections {
            show(section, scale, &mut html);
        }
        html.push("</section>\n</main>\n</body>\n</html>\n");
        html.out
    }
}

fn show(section: &SectionDiff, scale: usize, html: &mut Html) {
    let (class, word, open) = match section.change {
        Change::Same => ("full", "the same", ""),
        Change::Changed => ("summary", "changed", " open=\"open\""),
        Change::Added => ("static", "new", " open=\"open\""),
        Change::Removed => ("gone", "gone", " open=\"open\""),
    };
    html.push_all(["<details class=\"part\"", open, "><summary><h3>"]);
    let is_untitled = section.title.trim().is_empty();
    html.text(if is_untitled {
        &section.path
    } else {
        &section.title
    });
    html.push("</h3> <code>");
    html.text(if section.path.is_empty() {
        "(own text)"
    } else {
        &section.path
    });
    html.push("</code> ");
    html.badge(class, word);
    if let (Some(old), Some(new)) = (section.old_form, section.new_form)
        && old != new
    {
        html.badge("summary", &format!("{} → {}", words(old), words(new)));
    }
    html.push("</summary>\n<div class=\"inside\">\n<div class=\"sides\">\n");
    let sides = [
        ("old", "Old", section.old_tokens, section.old_form.is_some()),
        ("new", "New", section.new_tokens, section.new_form.is_some()),
    ];
    for (class, name, tokens, is_there) in sides {
        html.push_all(["<div class=\"side ", class, "\">\n<h4>", name, "</h4> "]);
        html.badge("plain", &format!("{tokens} tokens"));
        let width = tokens
            .saturating_mul(100)
            .checked_div(scale)
            .unwrap_or_default()
            .to_string();
        html.push_all([
            "<span class=\"bar\"><span class=\"own\" style=\"left:0;width:",
            &width,
            "%\"></span></span>\n",
        ]);
        if !is_there {
            html.push("<p class=\"why\">It is not there.</p>\n</div>\n");
            continue;
        }
        html.push("<div class=\"text\" dir=\"auto\">");
        for line in &section.lines {
            match (line, class) {
                (LineChange::Kept(line), _) => html.text(line),
                (LineChange::Removed(line), "old") => element("del", line, html),
                (LineChange::Added(line), "new") => element("ins", line, html),
                _ => continue,
            }
            html.push("\n");
        }
        html.push("</div>\n</div>\n");
    }
    html.push("</div>\n</div></details>\n");
}

fn element(name: &str, line: &str, html: &mut Html) {
    html.push_all(["<", name, ">"]);
    html.text(line);
    html.push_all(["</", name, ">"]);
}
