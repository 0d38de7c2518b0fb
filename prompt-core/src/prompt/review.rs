//! Looking at a prompt before it is sent: advice, and a preview.

use super::{
    builder::{Prompt, PromptNode},
    rendered::{Options, RenderedPrompt},
};
use crate::asked::{Asked, fragments};
use crate::error::PromptError;
use crate::lint::{Found, Lint, Whole};
use crate::message::Message;
use crate::outline::{Index, Outline, RowId};
use crate::preview::{Preview, PreviewForm, PreviewMessage, PreviewRow, PreviewTool, PreviewValue};
use crate::print::{self, Contexts, Job, Memo, PrintedText, Sourced};
use crate::show::{Form, Shown};
use crate::tokens::{self, EstimatedTokens, TokenCounter};
use crate::tool::ToolSpec;
use crate::turns::cache_point;
use crate::visibility::{Overrides, Visibility};
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
        let outline = match Outline::of(self.root.embedded(), false) {
            Ok(outline) => outline,
            Err(error) => return vec![Lint::from(&error)],
        };
        let mut found = Found::of(&outline);
        match print_whole(&outline, &self.options, None) {
            Ok((text, printed)) => {
                let (fragments, own) = fragments(&printed.spans, &outline, &text);
                found.add_printed(&Whole {
                    style: self.options.view.look.style,
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
        let mut asked = Asked::of(self.root.embedded(), &self.options.view)?;
        asked.with_sources = true;
        let rendered = asked.render_kept(&self.options)?;
        let options = &self.options;
        let count = |text: &str| match (&options.budget, options.counter) {
            (Some(budget), _) => budget.count(text),
            (None, Some(counter)) => counter.count(text),
            (None, None) => EstimatedTokens::default().count(text),
        };
        let (fragments, own) = rendered.fragments();
        let rows = rows(&asked, &rendered, &fragments, &self.options, &count)?;
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
        let outline = Outline::of(node.embedded(), false).ok();
        let index = outline.as_ref().map(Index::of);
        let has_effect = |path: &str, visibility: Visibility| {
            let (outline, id) = (outline.as_ref()?, index.as_ref()?.find(path)?);
            let row = outline.row(id)?;
            let can_show = visibility == Visibility::Full || row.summary(id).is_some();
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

/// Prints a tree with everything in it shown in full.
fn print_whole<'a>(
    outline: &Outline<'a>,
    options: &Options<'_>,
    memo: Option<&Memo>,
) -> Result<(String, PrintedText<'a>), PromptError> {
    let look = print::Look {
        indent_text: false,
        ..options.view.look.clone()
    };
    let shown = Shown {
        forms: vec![Form::Full; outline.len() as usize],
        focus: None,
        opened: Vec::new(),
    };
    let mut text = String::new();
    let job = Job {
        outline,
        shown: &shown,
        look: &look,
        collected: &Contexts::default(),
        memo,
        reduced: false,
        with_spans: true,
        with_sources: false,
        with_summaries: false,
    };
    let printed = print::print(job, &mut text)?;
    Ok((text, printed))
}

fn rows(
    asked: &Asked<'_>,
    rendered: &RenderedPrompt,
    fragments: &[Cow<'_, str>],
    options: &Options<'_>,
    count: &dyn Fn(&str) -> usize,
) -> Result<Vec<PreviewRow>, PromptError> {
    let outline = &asked.outline;
    let mut shown: Vec<Option<(Form, usize)>> = vec![None; outline.len() as usize];
    let mut ranges: Vec<Option<Range<usize>>> = vec![None; outline.len() as usize];
    for (span, text) in rendered.table.spans().iter().zip(fragments) {
        if let Some(range) = ranges.get_mut(span.row as usize) {
            *range = Some(span.start..span.end);
        }
        if let Some(place) = shown.get_mut(span.row as usize) {
            *place = Some((span.form, count(text)));
        }
    }
    let tokens = |shown: &Option<(Form, usize)>| shown.map_or(0, |(_, tokens)| tokens);
    let now = sums(outline, shown.iter().map(tokens).collect());
    let is_reduced = shown
        .iter()
        .any(|shown| !matches!(shown, Some((Form::Full, _))));
    let whole = if is_reduced {
        whole(asked, options, count)
    } else {
        None
    };
    let mut rows = Vec::with_capacity(shown.len());
    for (id, row) in outline.iter() {
        let at = id as usize;
        let form = shown.get(at).copied().flatten();
        let fate = rendered.budget_report().and_then(|report| report.of(id));
        let form = match form {
            Some((Form::Summary, _)) => PreviewForm::Summary,
            Some(_) => PreviewForm::Full,
            None => PreviewForm::absent(fate.map(|fate| fate.outcome)),
        };
        let is_less = matches!(form, PreviewForm::Summary | PreviewForm::Dropped);
        let opening = whole
            .as_ref()
            .filter(|_| is_less)
            .and_then(|whole| whole.get(at));
        let job = asked.job(&options.view, &asked.shown);
        let memo = Some(&asked.memo);
        let title = print::title(Job { memo, ..job }, id)?;
        rows.push(PreviewRow {
            key: row.key.to_string(),
            parent: row.parent.map(|parent| parent as usize),
            depth: row.depth as usize,
            title: title.text.into_owned(),
            form,
            priority: row.priority,
            tokens: shown.get(at).map_or(0, tokens),
            opening: opening.map(|whole| whole.saturating_sub(now.get(at).copied().unwrap_or(0))),
            reason: fate.filter(|_| is_less).map(|fate| fate.reason),
            range: ranges.get_mut(at).and_then(Option::take),
            role: row.info.policy.role,
            cache: row.info.policy.cache.map(cache_point),
            volatile: row.info.policy.volatile,
        });
    }
    Ok(rows)
}

/// Tokens of each section with all that is inside it, everything opened; `None` where that cannot be printed.
fn whole(
    asked: &Asked<'_>,
    options: &Options<'_>,
    count: &dyn Fn(&str) -> usize,
) -> Option<Vec<usize>> {
    let outline = &asked.outline;
    let (text, printed) = print_whole(outline, options, Some(&asked.memo)).ok()?;
    let (fragments, _) = fragments(&printed.spans, outline, &text);
    let mut own = vec![0; outline.len() as usize];
    for (span, text) in printed.spans.iter().zip(&fragments) {
        if let Some(tokens) = own.get_mut(span.row as usize) {
            *tokens = count(text);
        }
    }
    Some(sums(outline, own))
}

/// Adds what is inside each section to it. Children come after their parents, so one pass from the end does it.
fn sums(outline: &Outline<'_>, mut tokens: Vec<usize>) -> Vec<usize> {
    for id in (0..outline.len()).rev() {
        let parent = |id: RowId| outline.row(id)?.parent;
        let own = tokens.get(id as usize).copied().unwrap_or_default();
        if let Some(around) = parent(id).and_then(|parent| tokens.get_mut(parent as usize)) {
            *around = around.saturating_add(own);
        }
    }
    tokens
}
