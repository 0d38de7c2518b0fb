//! Looking at a prompt before it is sent: advice, and a preview.

use super::{
    builder::{Prompt, PromptNode},
    rendered::{Options, RenderedPrompt},
};
use crate::error::PromptError;
use crate::lint::{Found, Lint, Whole};
use crate::message::Message;
use crate::page::{Look, RowId, Sourced, Words};
use crate::preview::{Preview, PreviewForm, PreviewMessage, PreviewRow, PreviewTool, PreviewValue};
use crate::print::{Met, Played, Playing, Shown, Tape, View, Wanted, fragments};
use crate::rows::Row;
use crate::tokens::{self, EstimatedTokens, TokenCounter};
use crate::tool::ToolSpec;
use crate::turns::cache_point;
use crate::visibility::{Form, Overrides, Visibility};
use std::{borrow::Cow, ops::Range};

impl<N: PromptNode + ?Sized> Prompt<'_, N> {
    /// Advice on this prompt, in the order of its sections. An empty list is a clean prompt.
    ///
    /// The whole tree is looked at, with every summary opened and without budget and focus, in the
    /// [`Style`](crate::Style) that is set:
    ///
    /// - names and nesting of the tags it prints: `naming`, `generic_name`, `long_name`, `over_nesting`;
    /// - `mixed_style`: Markdown headings inside tags, in [`Style::Xml`](crate::Style::Xml), where the headings of a
    ///   node's own text become tags but those of a value stay what they are;
    /// - `heading_in_value`: a value with a heading that is no deeper than the one above it, so that it ends its section;
    /// - `empty_title`: a title that prints nothing, so that the section has no heading;
    /// - `duplicate_attribute`: an attribute that a section and its type both give;
    /// - `summary_saves_nothing`, where tokens are counted ([`count`](Self::count) or a budget): a section that is shown
    ///   short, and whose short form takes as many as the full one;
    /// - `priority_inversion`: a section that asks to be kept longer than the one around it;
    /// - `volatile_before_cache`: a section that changes from call to call, in front of a cache point;
    /// - `text_beside_messages`: a text of its own in a node whose sections all are messages;
    /// - `skipped_level` and `heading_above_top`: headings of texts and Markdown values. A derived type breaks these
    ///   only where it was told to with `allow(..)`;
    /// - in trees that were made at run time `doubled_braces`, `setext_heading` and `unused_variable`, of which the
    ///   compiler tells the author of a derived type.
    ///
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
    pub fn lint(&self) -> Vec<Lint> {
        let view = View {
            look: self.options.view.look.clone(),
            ..View::default()
        };
        let wanted = Wanted {
            sources: true,
            ..Wanted::default()
        };
        let tape = match Tape::record(self.root.embedded(), &view, wanted, true) {
            Ok(tape) => tape,
            // What cannot be printed is looked at as far as it can be.
            Err(error) => {
                return match Met::of(self.root.embedded()) {
                    Ok(met) => {
                        let mut found = Found::of(&met.rows);
                        found.add_error(&error);
                        found.into_lints()
                    }
                    Err(error) => vec![Lint::from(&error)],
                };
            }
        };
        let rows = &tape.rows;
        let mut found = Found::of(rows);
        for (id, _) in rows.iter() {
            if tape.title(id).is_some_and(Words::is_blank) {
                found.empty_title(id);
            }
        }
        let count = self.options.count();
        let (look, forms) = (whole_look(&self.options), all_in_full(&tape));
        let playing = Playing {
            with_summaries: count.is_some(),
            with_sources: true,
            ..Playing::new(&look, &forms)
        };
        match tape.play(playing) {
            Ok(Played {
                text,
                printed,
                summaries,
            }) => {
                let is_below = |inner: RowId, outer: RowId| rows.is_below(inner, outer);
                let (fragments, own) = fragments(&printed.spans, is_below, &text);
                if let Some(count) = count {
                    let mut full = vec![0; rows.len() as usize];
                    for (span, text) in printed.spans.iter().zip(&fragments) {
                        full[span.row as usize] = count(text);
                    }
                    let full = rows.sums(full);
                    for (id, summary) in summaries {
                        found.summary(id, count(&summary), full[id as usize]);
                    }
                }
                found.add_printed(&Whole {
                    style: self.options.view.look.style,
                    text: &text,
                    printed: &printed,
                    fragments: &fragments,
                    own: &own,
                });
            }
            Err(error) => found.add_error(&error),
        }
        found.into_lints()
    }

    /// The tree of this prompt: for each section key, title, visibility, priority, tokens of its own text and their share
    /// of the whole, what opening it would cost, and what a budget dropped and why. `Display` prints it, and its fields
    /// are the data. Tokens are counted by the budget's counter if there is one, or that of [`count`](Self::count), and
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
        let wanted = Wanted {
            tools: true,
            sources: true,
        };
        let tape = Tape::record(self.root.embedded(), &self.options.view, wanted, true)?;
        let shown = Shown::met(&tape.rows);
        let rendered = self.options.render_tape(&tape, &shown, true)?;
        let counter = self.options.count();
        let count = |text: &str| match &counter {
            Some(count) => count(text),
            None => EstimatedTokens::default().count(text),
        };
        let (fragments, own) = rendered.fragments();
        let rows = rows(&tape, &rendered, &fragments, &self.options, &count);
        let report = rendered.budget_report();
        let name = if rendered.root.is_empty() {
            "prompt"
        } else {
            &rendered.root
        };
        let tokens = report.map_or_else(|| count(&rendered.text), |report| report.used);
        let preview = Preview {
            limit: report.map(|report| report.limit),
            own: (!own.trim().is_empty()).then(|| count(&own)),
            rows,
            tools: tools(&rendered, &count),
            static_prefix: rendered.static_prefix(),
            values: rendered.sources.iter().map(value).collect(),
            messages: priced(rendered.messages(), &count),
            ..Preview::of(name, rendered.text.clone(), tokens)
        };
        Ok(preview.printed())
    }
}

impl Overrides {
    /// The overrides that have no effect on this prompt, in their order: paths that are not in the tree, summaries of
    /// sections that have none, and lists, which are always shown (their items can be overridden). All of them where
    /// the tree itself is at fault: rendering says how.
    pub fn check(&self, node: &(impl PromptNode + ?Sized)) -> Vec<&str> {
        let met = Met::of(node.embedded()).ok();
        let index = met.as_ref().map(|met| met.rows.index());
        let has_effect = |path: &str, visibility: Visibility| {
            let row = met.as_ref()?.rows.row(index.as_ref()?.find(path)?);
            let can_show = visibility == Visibility::Full || row.summary().is_some();
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
        row: source.row.map(|row| row as usize),
    }
}

fn tools(rendered: &RenderedPrompt, counter: &dyn TokenCounter) -> Vec<PreviewTool> {
    let tool = |spec: &ToolSpec| PreviewTool {
        tokens: tokens::request(&[], std::slice::from_ref(spec), counter),
        spec: spec.clone(),
    };
    rendered.tools().iter().map(tool).collect()
}

fn priced(messages: Vec<Message>, counter: &dyn TokenCounter) -> Vec<PreviewMessage> {
    let priced = |message: Message| PreviewMessage {
        tokens: tokens::request(std::slice::from_ref(&message), &[], counter),
        message,
    };
    messages.into_iter().map(priced).collect()
}

/// How a tree looks with everything in it shown in full.
fn whole_look(options: &Options<'_>) -> Look {
    Look {
        indent_text: false,
        ..options.view.look.clone()
    }
}

fn all_in_full(tape: &Tape<'_>) -> Vec<Form> {
    vec![Form::Full; tape.rows.len() as usize]
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

fn rows(
    tape: &Tape<'_>,
    rendered: &RenderedPrompt,
    fragments: &[Cow<'_, str>],
    options: &Options<'_>,
    count: &dyn Fn(&str) -> usize,
) -> Vec<PreviewRow> {
    let rows = &tape.rows;
    let mut shown: Vec<Option<(Form, usize, Range<usize>)>> = vec![None; rows.len() as usize];
    for (span, text) in rendered.spans.iter().zip(fragments) {
        shown[span.row as usize] = Some((span.form, count(text), span.start..span.end));
    }
    let tokens = |shown: &Option<(Form, usize, Range<usize>)>| {
        shown.as_ref().map_or(0, |(_, tokens, _)| *tokens)
    };
    let now = rows.sums(shown.iter().map(tokens).collect());
    let is_reduced = shown
        .iter()
        .any(|shown| !matches!(shown, Some((Form::Full, ..))));
    let whole = if is_reduced {
        whole(tape, options, count)
    } else {
        None
    };
    let preview = |(id, row): (RowId, &Row<'_>)| {
        let at = id as usize;
        let fate = rendered.budget_report().and_then(|report| report.of(id));
        let form = match &shown[at] {
            Some((Form::Summary, ..)) => PreviewForm::Summary,
            Some(_) => PreviewForm::Full,
            None => PreviewForm::absent(fate.map(|fate| fate.outcome)),
        };
        let is_less = matches!(form, PreviewForm::Summary | PreviewForm::Dropped);
        let opening = whole.as_ref().filter(|_| is_less).map(|whole| whole[at]);
        let range = shown[at].as_ref().map(|(.., range)| range.clone());
        PreviewRow {
            key: row.key.to_string(),
            parent: row.parent.map(|parent| parent as usize),
            depth: row.depth as usize,
            title: tape
                .title(id)
                .map_or_else(String::new, |title| title.text.to_string()),
            form,
            priority: row.priority,
            tokens: tokens(&shown[at]),
            opening: opening.map(|whole| whole.saturating_sub(now[at])),
            reason: fate.filter(|_| is_less).map(|fate| fate.reason),
            range,
            role: row.info.policy.role,
            cache: row.info.policy.cache.map(cache_point),
            volatile: row.info.policy.volatile,
        }
    };
    rows.iter().map(preview).collect()
}

/// Tokens of each section with all that is inside it, everything opened; `None` where that cannot be printed.
fn whole(
    tape: &Tape<'_>,
    options: &Options<'_>,
    count: &dyn Fn(&str) -> usize,
) -> Option<Vec<usize>> {
    let rows = &tape.rows;
    let (look, forms) = (whole_look(options), all_in_full(tape));
    let Played { text, printed, .. } = tape.play(Playing::new(&look, &forms)).ok()?;
    let is_below = |inner: RowId, outer: RowId| rows.is_below(inner, outer);
    let (fragments, _) = fragments(&printed.spans, is_below, &text);
    let mut own = vec![0; rows.len() as usize];
    for (span, text) in printed.spans.iter().zip(&fragments) {
        own[span.row as usize] = count(text);
    }
    Some(rows.sums(own))
}
