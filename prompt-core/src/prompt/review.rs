//! Looking at a prompt before it is sent: advice, and a preview.

use super::lint::{Found, Lint, Lints, Whole};
use super::{
    builder::{Prompt, PromptNode},
    rendered::{Options, RenderedPrompt},
};
use crate::document::{Absence, Document, Marks, Piece, Section, SectionId};
use crate::errors::PromptError;
use crate::messages::message::Message;
use crate::messages::tool::ToolSpec;
use crate::node::elements::Elements;
use crate::node::{Form, Overrides, Visibility};
use crate::node::{NodeRef, SectionInfo, Text, Title};
use crate::page::turns::cache_point;
use crate::page::{Printing, Sourced, fragments, pieces};
use crate::prompt::preview::{
    AbsentReason, Preview, PreviewAbsent, PreviewForm, PreviewRow, PreviewText, PreviewValue,
};
use crate::select::{Forms, Resolved, Text as Printed, View, check_tools};
use crate::tokens::{self, EstimatedTokens, TokenCounter};
use std::{borrow::Cow, collections::HashSet, ops::Range};

impl<N: PromptNode + ?Sized> Prompt<'_, N> {
    /// Advice on this prompt, in the order of its sections. An empty list is a clean prompt; `Display` tells of each rule once.
    ///
    /// The whole tree is looked at, with every summary opened and without budget and focus, in the
    /// [`Style`](crate::Style) that is set:
    ///
    /// - names and nesting of the tags it prints: `naming`, `generic_name`, `long_name`, `over_nesting`;
    /// - `mixed_style`: Markdown headings of the author's inside tags, in [`Style::Xml`](crate::Style::Xml), where the
    ///   headings of a node's own text become tags but those of `start`, `end` and templates of values do not. What a value
    ///   itself holds is no matter of style;
    /// - `heading_in_value`: a value with a heading that is no deeper than the one above it, so that it ends its section. The
    ///   headings of a `Markdown` value move to their place;
    /// - `touching_heading`: a section whose heading stands directly below another line;
    /// - `empty_title`: a title that prints nothing, so that the section has no heading;
    /// - `duplicate_attribute`: an attribute that a section and its type both give;
    /// - `summary_saves_nothing`: a section that is shown
    ///   short, and whose short form takes as many as the full one;
    /// - `tool_undescribed`: a tool without a word on what it does;
    /// - `inline_lines`: a text of several lines in a tag with `inline`;
    /// - `priority_inversion`: a section that asks to be kept longer than the one around it;
    /// - `volatile_before_cache`: a section that changes from call to call, in front of a cache point;
    /// - `value_before_cache`: a value in front of one; `allow` it where it is the same from call to call;
    /// - `text_beside_messages`: a text of its own in a node whose sections all are messages;
    /// - `unknown_path`: an override of a section that no type of the tree declares;
    /// - `skipped_level` and `heading_above_top`: headings of texts and Markdown values. A derived type breaks these
    ///   only where it was told to with `allow(..)`;
    /// - in texts `doubled_braces`, `setext_heading`, `hidden_name` and `nothing_in_code`; in trees that were made at run time also `unused_variable`, of which the
    ///   compiler tells the author of a derived type.
    ///
    /// Each is switched off by `allow(..)` of the type in whose part of the tree it would be told, of one around it, or of a file.
    /// Each name of a tag is reported once, and so is nesting. A prompt that cannot be rendered is reported with the code
    /// and the words of its [`PromptError`].
    ///
    /// ```
    /// use prompt_core::Code;
    /// use prompt_core::DynamicNode;
    /// use prompt_core::PromptNode;
    /// use prompt_core::Style;
    ///
    /// let node = DynamicNode::builder("agent")
    ///     .section(DynamicNode::builder("rules").tag("CriticalRules").body("Ask first."))
    ///     .build()?;
    /// let lints = node.prompt().style(Style::Xml).lint();
    /// assert_eq!((lints[0].code, lints[0].path.as_str()), (Code::Naming, "rules"));
    /// assert_eq!(lints[0].help, "write `critical_rules`");
    /// # Ok::<(), prompt_core::Diagnostics>(())
    /// ```
    pub fn lint(&self) -> Lints {
        let view = View {
            format: self.options.view.format.clone(),
            ..View::default()
        };
        let tree = match whole(self.root, &view) {
            Ok(tree) => tree,
            Err(error) => return Lints::from_iter([Lint::from(&error)]),
        };
        let whole = match check_tools(&tree) {
            Ok(()) => print_whole(&tree),
            Err(error) => Err(error),
        };
        let counter = self.options.count();
        let count = |text: &str| estimated(counter.as_ref(), text);
        found(&tree, &whole, &self.options, &count).into_lints()
    }

    /// The tree of this prompt: for each section key, title, visibility, priority, tokens of its own text and their share
    /// of the whole, what opening it would cost, and what a budget dropped and why. `Display` prints it, and its fields
    /// are the data. Tokens are counted by the budget's counter if there is one, or that of [`counter`](Self::counter), and
    /// estimated otherwise.
    ///
    /// ```
    /// use prompt_core::DynamicNode;
    /// use prompt_core::PromptNode;
    ///
    /// let node = DynamicNode::builder("memo").body("Write.").section(DynamicNode::builder("tone").body("Be kind.")).build()?;
    /// let preview = node.prompt().preview()?;
    /// assert_eq!(preview.rows[0].title, "Tone");
    /// assert!(preview.to_string().contains("tone \"Tone\""));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Prompt::render`].
    pub fn preview(&self) -> Result<Preview, PromptError> {
        let tree = whole(self.root, &self.options.view)?;
        let rendered = self.options.render_tree(&tree, &tree.forms(), true)?;
        let counter = self.options.count();
        let count = |text: &str| estimated(counter.as_ref(), text);
        let (fragments, own) = rendered.fragments();
        let whole = print_whole(&tree);
        let lints = found(&tree, &whole, &self.options, &count).into_rows();
        let rows = rows(&tree, &rendered, &fragments, whole.ok(), &count);
        let report = rendered.budget_report();
        let name = if rendered.root.is_empty() {
            "prompt"
        } else {
            &rendered.root
        };
        let tokens = report.map_or_else(|| count(&rendered.text), |report| report.used);
        let mut preview = Preview {
            name: name.to_owned(),
            tokens,
            text: rendered.text.clone(),
            limit: report.map(|report| report.limit),
            own: (!own.trim().is_empty()).then(|| count(&own)),
            rows,
            tools: tools(&rendered, &count),
            static_prefix: rendered.static_prefix(),
            values: rendered.sources.iter().map(value).collect(),
            messages: priced(rendered.messages(), &count),
            absent: absent(&tree),
            lints: lints.into_iter().enumerate().flat_map(placed).collect(),
            of_text: report.map_or(tokens, |report| report.text),
            tree: String::new(),
        };
        preview.tree = preview.print();
        Ok(preview)
    }
}

impl Overrides {
    /// The overrides that cannot be kept on this prompt, in their order: paths that are not in the tree, summaries of
    /// sections that have none (rendering refuses these), and lists, which are always shown (their items can be
    /// overridden). All of them where the tree itself is at fault: rendering says how.
    pub fn check(&self, node: &(impl PromptNode + ?Sized)) -> Vec<&str> {
        let view = View::default();
        let tree = whole(node, &view).ok();
        let index = tree.as_ref().map(|tree| tree.index());
        let has_effect = |path: &str, visibility: Visibility| {
            let row = tree.as_ref()?.section(index.as_ref()?.find(path)?);
            let can_show = visibility == Visibility::Full || row.short_text().is_some();
            Some(!row.is_list && can_show)
        };
        self.iter()
            .filter(|(path, visibility)| has_effect(path, *visibility) != Some(true))
            .map(|(path, _)| path)
            .collect()
    }
}

fn value(source: &Sourced) -> PreviewValue {
    PreviewValue {
        range: source.range.clone(),
        name: source.name.clone(),
        row: source.section.map(|id| id as usize),
    }
}

fn tools(rendered: &RenderedPrompt, counter: &dyn TokenCounter) -> Vec<(ToolSpec, usize)> {
    let tool = |spec: &ToolSpec| {
        let tokens = tokens::request(&[], std::slice::from_ref(spec), counter);
        (spec.clone(), tokens)
    };
    rendered.tools().iter().map(tool).collect()
}

fn priced(messages: Vec<Message>, counter: &dyn TokenCounter) -> Vec<(Message, usize)> {
    let priced = |message: Message| {
        let tokens = tokens::request(std::slice::from_ref(&message), &[], counter);
        (message, tokens)
    };
    messages.into_iter().map(priced).collect()
}

impl Options<'_> {
    /// What counts tokens: the budget's counter, or that of `count`.
    fn count(&self) -> Option<impl Fn(&str) -> usize> {
        let is_given = self.budget.is_some() || self.counter.is_some();
        is_given.then_some(|text: &str| match (&self.budget, self.counter) {
            (Some(budget), _) => budget.count(text),
            (None, Some(counter)) => counter.count(text),
            (None, None) => 0,
        })
    }
}

/// Tokens as a counter says, or estimated.
fn estimated(counter: Option<&impl Fn(&str) -> usize>, text: &str) -> usize {
    counter.map_or_else(
        || EstimatedTokens::default().count(text),
        |count| count(text),
    )
}

/// All of a tree.
fn whole<'d, N: PromptNode + ?Sized>(
    root: &'d N,
    view: &'d View<'d>,
) -> Result<Resolved<'d>, PromptError> {
    Resolved::of(root.embedded(), root.asked(), view, true, true)
}

/// All of a tree in full, and the short forms of its sections.
fn print_whole<'a>(tree: &Resolved<'a>) -> Result<Printed<'a>, PromptError> {
    let forms = vec![Form::Full; tree.sections.len()];
    tree.print(Printing {
        with_shorts: true,
        with_sources: true,
        ..tree.printing(&forms)
    })
}

/// Advice about a tree, and about what it prints with everything in it shown in full.
fn found<'o, 'a>(
    tree: &'o Resolved<'a>,
    whole: &Result<Printed<'a>, PromptError>,
    options: &Options<'_>,
    count: &impl Fn(&str) -> usize,
) -> Found<'o, 'a> {
    let rows = &**tree;
    let mut found = Found::of(rows);
    if let Some(overrides) = options.view.overrides {
        found.add_overrides(overrides);
    }
    for (id, section) in rows.iter() {
        let title = &rows.lists.pieces[section.title.usize()];
        if !section.is_bare && rows.is_blank(title) {
            found.empty_title(id);
        }
    }
    match whole {
        Ok(Printed { text, printed }) => {
            let is_below = |inner: SectionId, outer: SectionId| rows.is_below(inner, outer);
            let (fragments, _) = fragments(&printed.spans, is_below, text);
            let mut full = vec![0; rows.len() as usize];
            for (span, text) in printed.spans.iter().zip(&fragments) {
                full[span.section as usize] = count(text);
            }
            let full = rows.sums(full);
            let forms = Forms::with(rows, options.view.overrides.as_slice(), None);
            let mut shorts: Vec<Option<usize>> = vec![None; full.len()];
            for short in &printed.shorts {
                shorts[short.section as usize] = Some(count(&short.text));
            }
            let closed = rows
                .iter()
                .filter(|(id, _)| forms.form(*id) == Form::Summary);
            for (id, _) in closed.filter(|(_, section)| section.is_openable() && !section.is_bare) {
                found.summary(id, shorts[id as usize], full[id as usize]);
            }
            found.add_printed(&Whole {
                style: options.view.format.style,
                text,
                printed,
            });
        }
        Err(error) => found.add_error(error),
    }
    found
}

/// The lints of the root, or of a row.
fn placed((place, lints): (usize, Vec<Lint>)) -> impl Iterator<Item = (Option<usize>, Lint)> {
    let lint = move |lint| (place.checked_sub(1), lint);
    lints.into_iter().map(lint)
}

/// The sections that are declared and not there: those that were asked for, and those whose place was never reached.
fn absent(tree: &Resolved<'_>) -> Vec<PreviewAbsent> {
    let rows = &**tree;
    let mut met: HashSet<(Option<SectionId>, &str)> = HashSet::new();
    let mut absent = Vec::new();
    let mut add = |parent: Option<SectionId>, info: &SectionInfo, node, reason| {
        let title = match &info.title {
            Title::Explicit(title) => written(title),
            Title::Fallback(title) | Title::Untitled(title) => title.to_string(),
        };
        let own: Option<NodeRef<'_>> = node;
        let own = own.map(|node| written(&node.info().text));
        let parts = [Some(written(&info.intro)), own];
        let parts: Vec<String> = parts
            .into_iter()
            .flatten()
            .filter(|it| !it.is_empty())
            .collect();
        absent.push(PreviewAbsent {
            parent: parent.map(|parent| parent as usize),
            key: info.key.to_string(),
            title,
            reason,
            source: parts.join("\n\n"),
        });
    };
    for (_, row) in rows.iter() {
        met.insert((row.parent, row.info.key.as_ref()));
    }
    for it in &rows.absent {
        if met.insert((it.parent, it.info.key.as_ref())) {
            let reason = match it.reason {
                Absence::Off => AbsentReason::SwitchedOff,
                Absence::Empty => AbsentReason::Empty,
                Absence::NotReached => AbsentReason::NotReached,
            };
            add(it.parent, it.info, it.node, reason);
        }
    }
    absent
}

/// A text as its author wrote it.
fn written(text: &Text) -> String {
    let elements: Elements = text.elements.iter().cloned().collect();
    elements.to_markdown()
}

fn rows(
    tree: &Resolved<'_>,
    rendered: &RenderedPrompt,
    fragments: &[Cow<'_, str>],
    whole: Option<Printed<'_>>,
    count: &dyn Fn(&str) -> usize,
) -> Vec<PreviewRow> {
    let rows = &**tree;
    let mut shown: Vec<Option<(Form, usize, Range<usize>)>> = vec![None; rows.len() as usize];
    for (span, text) in rendered.spans.iter().zip(fragments) {
        shown[span.section as usize] = Some((span.form, count(text), span.start..span.end));
    }
    let tokens = |shown: &Option<(Form, usize, Range<usize>)>| {
        shown.as_ref().map_or(0, |(_, tokens, _)| *tokens)
    };
    let mut unsent = Unsent::of(rows, whole, count);
    let preview = |(id, row): (SectionId, &Section<'_>)| {
        let at = id as usize;
        let fate = rendered.budget_report().and_then(|report| report.of(id));
        let form = match &shown[at] {
            Some((Form::Summary, ..)) => PreviewForm::Summary,
            Some(_) => PreviewForm::Full,
            None => PreviewForm::absent(fate.map(|fate| fate.outcome)),
        };
        let range = shown[at].as_ref().map(|(.., range)| range.clone());
        let is_less = matches!(form, PreviewForm::Summary | PreviewForm::Dropped);
        let opening = unsent.opened.as_ref().filter(|_| is_less);
        let opening = opening.map(|opened| match (&range, opened[at]) {
            // A line goes with its break, whatever stands before it.
            (Some(range), Some((_, behind))) if rows.is_cataloguable(row) => {
                behind.saturating_sub(count(&format!("\n{}", &rendered.text[range.clone()])))
            }
            // What stands before it is there in both forms.
            (Some(range), Some((alone, _))) => {
                alone.saturating_sub(count(&rendered.text[range.clone()]))
            }
            (_, opened) => opened.map_or(0, |(_, behind)| behind),
        });
        PreviewRow {
            key: row.key.to_string(),
            parent: row.parent.map(|parent| parent as usize),
            depth: row.depth as usize,
            title: if is_named_by_key(row) {
                row.key.to_string()
            } else {
                rows.title(row.title).into_owned()
            },
            title_values: title_values(rows, row),
            form,
            priority: row.priority,
            tokens: tokens(&shown[at]),
            opening,
            reason: fate.filter(|_| is_less).map(|fate| fate.reason),
            range,
            role: row.info.policy.role.map(Into::into),
            cache: row.info.policy.cache.map(cache_point),
            volatile: row.info.policy.volatile,
            in_full: unsent.full[at].take().filter(|_| form != PreviewForm::Full),
            in_short: unsent.short[at]
                .take()
                .filter(|_| form == PreviewForm::Full),
        }
    };
    rows.iter().map(preview).collect()
}

/// Whether an item has nothing but its key for a name: its title, which says its place, is not printed.
fn is_named_by_key(section: &Section<'_>) -> bool {
    section.is_item() && !section.is_titled && section.info.items.key.is_some()
}

/// Which bytes of a title are values.
fn title_values(document: &Document<'_>, section: &Section<'_>) -> Vec<Range<usize>> {
    let mut values = Vec::new();
    let mut at = 0;
    if is_named_by_key(section) {
        return values;
    }
    for piece in &document.lists.pieces[section.title.usize()] {
        match piece {
            Piece::Words(words) => at += words.len(),
            Piece::Value { value, text } => {
                let range = text.usize();
                match document.values[*value as usize].marks {
                    Marks::All => values.push(at..at + range.len()),
                    Marks::Of(marks) => {
                        let marks = document.marks[marks.usize()].iter();
                        let moved =
                            |place: usize| place.clamp(range.start, range.end) - range.start + at;
                        values.extend(
                            marks.map(|mark| moved(mark.range.start)..moved(mark.range.end)),
                        );
                    }
                }
                at += range.len();
            }
            _ => {}
        }
    }
    values
}

/// What each section says in either form, whether it is sent or not.
struct Unsent {
    full: Vec<Option<PreviewText>>,
    short: Vec<Option<PreviewText>>,
    /// Tokens of each section with all that is inside it, everything opened: alone, and with what stands before its parts.
    /// `None` where that cannot be printed.
    opened: Option<Vec<Option<(usize, usize)>>>,
}

impl Unsent {
    fn of(rows: &Document<'_>, whole: Option<Printed<'_>>, count: &dyn Fn(&str) -> usize) -> Self {
        let len = rows.len() as usize;
        let mut unsent = Self {
            full: vec![None; len],
            short: vec![None; len],
            opened: None,
        };
        let Some(whole) = whole else { return unsent };
        let is_below = |inner: SectionId, outer: SectionId| rows.is_below(inner, outer);
        let pieces = pieces(&whole.printed.spans, is_below, &whole.text);
        let mut own = vec![0; len];
        // Pieces and values both stand in the order of the text.
        let mut values = whole.printed.sources.iter().peekable();
        let mut sides: Vec<PreviewText> = vec![PreviewText::default(); len];
        for (span, range) in pieces {
            while values
                .next_if(|value| value.range.end <= range.start)
                .is_some()
            {}
            let Some(span) = span else { continue };
            let side = &mut sides[whole.printed.spans[span].section as usize];
            let from = side.text.len();
            side.text.push_str(&whole.text[range.clone()]);
            while let Some(found) = values.next_if(|value| value.range.end <= range.end) {
                let start = found.range.start.max(range.start) - range.start + from;
                side.values.push(PreviewValue {
                    range: start..found.range.end - range.start + from,
                    ..value(found)
                });
            }
        }
        for span in &whole.printed.spans {
            let at = span.section as usize;
            let side = std::mem::take(&mut sides[at]);
            own[at] = count(&side.text);
            let tokens = own[at];
            unsent.full[at] = Some(PreviewText { tokens, ..side }.trimmed());
        }
        let sums = rows.sums(own);
        let mut opened = vec![None; len];
        for span in &whole.printed.spans {
            let at = span.section as usize;
            let alone = count(&whole.text[span.start..span.end]);
            opened[at] = Some((alone, sums[at]));
        }
        unsent.opened = Some(opened);
        for short in whole.printed.shorts {
            let tokens = count(&short.text);
            let text = PreviewText {
                text: short.text,
                tokens,
                values: short.sources.iter().map(value).collect(),
            };
            unsent.short[short.section as usize] = Some(text.trimmed());
        }
        unsent
    }
}
