//! What changed, as one page without a script: first what did, in the order of the prompt, then the rest, folded.

use super::{Change, Diff, LineChange, SectionDiff, Tokens};
use crate::html::{Text, badge, block, facts, frame, or, part, words};
use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};

impl Diff {
    /// A page that shows what changed, by section: the old text beside the new one, or above it where the page is narrow, the
    /// words marked that differ, with tokens. What is the same is folded. One file, no network, no script.
    #[must_use]
    pub fn page(&self) -> String {
        let sections = self.sections.iter().enumerate();
        let (changed, same): (Vec<_>, Vec<_>) =
            sections.partition(|(_, it)| it.change != Change::Same);
        // A root without a text of its own is no section that is the same.
        let same: Vec<_> = same
            .into_iter()
            .filter(|(_, it)| !it.lines.is_empty())
            .collect();
        let plural = if same.len() == 1 { "" } else { "s" };
        let body = html! {
            header {
                h1 { "What changed" }
                p { "From " code { (Text(&self.old_name)) } " to " code { (Text(&self.new_name)) } "." }
                (self.facts())
                @for fact in self.facts_beside() { p { (Text(&fact)) } }
                @if !changed.is_empty() { (list(&changed)) }
            }
            main {
                (part(("sections", "Sections"), &html! {
                    @if changed.is_empty() {
                        p { "The text of no section changed." }
                    } @else {
                        p.legend {
                            del { "Old" } " stands " span.wide { "left of " } span.narrow { "above " } ins { "new" }
                            "; what differs is marked."
                        }
                    }
                    @for (index, section) in changed { (row(index, section)) }
                    @if !same.is_empty() {
                        details.part {
                            summary { h3 { (same.len()) " section" (plural) " the same" } }
                            div.inside { @for (index, section) in same { (row(index, section)) } }
                        }
                    }
                }))
            }
        };
        let title = format!("What changed: {} → {}", self.old_name, self.new_name);
        frame(&title, None, &body)
    }

    fn facts(&self) -> Markup {
        let count = |change: Change| {
            let sections = self.sections.iter().filter(|it| it.change == change);
            sections.count().to_string()
        };
        let order = if self.is_reordered {
            "changed"
        } else {
            "the same"
        };
        facts([
            ("Together", tokens(self.old_tokens, self.new_tokens)),
            ("Changed", count(Change::Changed)),
            ("Renamed", count(Change::Renamed)),
            ("New", count(Change::Added)),
            ("Gone", count(Change::Removed)),
            ("The same", count(Change::Same)),
            ("Order", order.to_owned()),
        ])
    }
}

/// The list of what changed, with links.
fn list(changed: &[(usize, &SectionDiff)]) -> Markup {
    html! {
        nav aria-label="What changed" {
            ul {
                @for (index, section) in changed {
                    li {
                        a href={ "#section-" (index) } { (Text(name(section))) } " "
                        (change_badge(section.change))
                    }
                }
            }
        }
    }
}

/// A section, unfolded if it changed.
fn row(index: usize, section: &SectionDiff) -> Markup {
    let is_changed = section.change != Change::Same;
    let forms = section.old_form.zip(section.new_form);
    html! {
        details.part id={ "section-" (index) } open[is_changed] {
            summary {
                h3 { (Text(name(section))) } " "
                @if let Some(old) = &section.old_path { code { (Text(old)) } " → " }
                code { (Text(or(&section.path, "(own text)"))) } " "
                (change_badge(section.change))
                @if let Some((old, new)) = forms.filter(|(old, new)| old != new) {
                    (badge("summary", &format!("{} → {}", words(old), words(new))))
                }
                (badge("plain", &match section.change {
                    Change::Added => format!("{} tokens", section.new_tokens),
                    Change::Removed => format!("{} tokens", section.old_tokens),
                    _ => tokens(section.old_tokens, section.new_tokens),
                }))
            }
            div.inside {
                @for fact in section.facts() { p { (Text(&fact)) } }
                @if is_changed {
                    @for (index, stretch) in Stretch::all(&section.lines).iter().enumerate() {
                        (stretch.show(index == 0))
                    }
                } @else {
                    @for stretch in Stretch::all(&section.lines) { (block(Text(lines(&stretch.kept)))) }
                }
            }
        }
        "\n"
    }
}

fn name(section: &SectionDiff) -> &str {
    or(or(&section.title, &section.path), "(own text)")
}

fn change_badge(change: Change) -> Markup {
    match change {
        Change::Same => html! {},
        Change::Changed => badge("summary", "changed"),
        Change::Renamed => badge("summary", "renamed"),
        Change::Added => badge("static", "new"),
        Change::Removed => badge("gone", "gone"),
    }
}

fn tokens(old: usize, new: usize) -> String {
    if old == new {
        return format!("{new} tokens");
    }
    Tokens(old, new).to_string().replace("->", "→")
}

/// Lines that are the same, and those behind them that took the place of others.
#[derive(Default)]
struct Stretch {
    kept: String,
    old: String,
    new: String,
}

impl Stretch {
    fn all(lines: &[LineChange]) -> Vec<Self> {
        let mut all = vec![Self::default()];
        for line in lines {
            let is_changed = |it: &mut Self| !it.old.is_empty() || !it.new.is_empty();
            if matches!(line, LineChange::Kept(_)) && all.last_mut().is_some_and(is_changed) {
                all.push(Self::default());
            }
            let Some(last) = all.last_mut() else { break };
            let (text, line) = match line {
                LineChange::Kept(line) => (&mut last.kept, line),
                LineChange::Removed(line) => (&mut last.old, line),
                LineChange::Added(line) => (&mut last.new, line),
            };
            text.push_str(line);
            text.push('\n');
        }
        all
    }

    fn show(&self, is_first: bool) -> Markup {
        let is_last = self.old.is_empty() && self.new.is_empty();
        html! {
            (kept(&self.kept, if is_first { 0 } else { AROUND }, if is_last { 0 } else { AROUND }))
            @match (self.old.is_empty(), self.new.is_empty()) {
                (true, true) => {},
                (true, false) => div.new.whole { (spoken("new")) (block(html! { ins { (Text(lines(&self.new))) } })) },
                (false, true) => div.old.whole { (spoken("old")) (block(html! { del { (Text(lines(&self.old))) } })) },
                (false, false) => (sides(lines(&self.old), lines(&self.new))),
            }
        }
    }
}

/// Lines that are the same: some behind the change before them and some before the next one, and those between them folded.
fn kept(text: &str, before: usize, behind: usize) -> Markup {
    let all: Vec<&str> = text.split_inclusive('\n').collect();
    let folded = all.len().saturating_sub(before + behind);
    let (head, tail) = match folded {
        0..FEW => (text.to_owned(), String::new()),
        _ => (all[..before].concat(), all[before + folded..].concat()),
    };
    html! {
        @if !head.is_empty() { (block(Text(lines(&head)))) }
        @if folded >= FEW {
            details.same {
                summary { (folded) " lines the same" }
                (block(Text(lines(&all[before..before + folded].concat()))))
            }
        }
        @if !tail.is_empty() { (block(Text(lines(&tail)))) }
    }
}

/// Lines without the break behind the last one.
fn lines(text: &str) -> &str {
    text.strip_suffix('\n').unwrap_or(text)
}

/// Lines shown around what changed.
const AROUND: usize = 2;

/// Fewer lines than these are not worth a fold.
const FEW: usize = 4;

/// The old lines beside the new ones, or above them where the page is narrow.
fn sides(old: &str, new: &str) -> Markup {
    let diff = TextDiff::from_words(old, new);
    let changes: Vec<(ChangeTag, &str)> = diff
        .iter_all_changes()
        .map(|change| (change.tag(), change.value()))
        .collect();
    // Where next to nothing is the same, what is the same is chance.
    let kept = changes.iter().filter(|(tag, _)| *tag == ChangeTag::Equal);
    let kept: usize = kept.map(|(_, word)| word.trim().len()).sum();
    let is_other = kept * 4 < old.len().min(new.len());
    html! {
        div.sides {
            div.old.whole[is_other] {
                (spoken("old"))
                @if is_other { (block(html! { del { (Text(old)) } })) }
                @else { (block(side(ChangeTag::Delete, &changes))) }
            }
            div.new.whole[is_other] {
                (spoken("new"))
                @if is_other { (block(html! { ins { (Text(new)) } })) }
                @else { (block(side(ChangeTag::Insert, &changes))) }
            }
        }
    }
}

/// What colours say, for those who hear the page.
fn spoken(word: &str) -> Markup {
    html! { span.spoken { (word) ": " } }
}

/// One side of two texts, by words.
fn side(own: ChangeTag, changes: &[(ChangeTag, &str)]) -> Markup {
    let mut runs: Vec<(bool, String)> = Vec::new();
    for (tag, word) in changes {
        let is_marked = *tag == own;
        if !is_marked && *tag != ChangeTag::Equal {
            continue;
        }
        match runs.as_mut_slice() {
            // A blank between two words that changed changed with them.
            [.., (true, before), (false, blank)]
                if is_marked && blank.trim().is_empty() && !blank.contains('\n') =>
            {
                *before += &(std::mem::take(blank) + word);
                runs.pop();
            }
            [.., (last, before)] if *last == is_marked => *before += word,
            _ => runs.push((is_marked, (*word).to_owned())),
        }
    }
    html! {
        @for (is_marked, text) in &runs {
            @match (is_marked, own) {
                (false, _) => (Text(text)),
                (true, ChangeTag::Delete) => del { (Text(text)) },
                (true, _) => ins { (Text(text)) },
            }
        }
    }
}
