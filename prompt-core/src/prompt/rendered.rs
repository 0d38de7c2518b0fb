//! A tree that has been asked, and what is rendered of it. A rendered prompt owns everything it shows: the text, and the
//! owned half of the outline, in which every question about sections is a look-up.

use super::Options;
use crate::budget::{self, BudgetReport};
use crate::disclosure::{Listener, OPEN_SECTIONS, open_sections};
use crate::error::PromptError;
use crate::message::Message;
use crate::node::{Content, Embedded, Location, Policy};
use crate::outline::{Host, Outline, Row, RowId, SectionPath};
use crate::print::{self, Contexts, Job, Memo, PrintedText, Span, Wording};
use crate::show::{Form, Shown};
use crate::tool::ToolSpec;
use crate::visibility::{Overrides, Visibility};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::{borrow::Cow, collections::HashSet, fmt, ops::Range, sync::OnceLock};

/// A tree that has been asked, with what is to be shown of it. It can be printed in any form without asking again.
pub(crate) struct Asked<'a> {
    pub(crate) outline: Outline<'a>,
    pub(crate) shown: Shown,
    pub(crate) collected: Contexts,
    /// The answers of values, kept from one printing to the next.
    pub(crate) memo: Memo,
}

impl<'a> Asked<'a> {
    /// Asks a tree once.
    ///
    /// # Errors
    /// What is wrong with the tree itself: keys of items, tools, values without a binding, the focus, collected paths.
    pub(crate) fn of(root: Embedded<'a>, options: &Options<'_>) -> Result<Self, PromptError> {
        let asked = Self::new(root, options, true)?;
        check_bindings(&asked.outline)?;
        check_tools(&asked.outline)?;
        Ok(asked)
    }

    /// The same where only the text is wanted.
    pub(crate) fn without_tools(
        root: Embedded<'a>,
        options: &Options<'_>,
    ) -> Result<Self, PromptError> {
        let asked = Self::new(root, options, false)?;
        check_bindings(&asked.outline)?;
        Ok(asked)
    }

    /// The same where nothing is printed but titles: variables may be without a value.
    pub(crate) fn to_walk(root: Embedded<'a>) -> Result<Self, PromptError> {
        Self::new(root, &Options::default(), false)
    }

    fn new(
        root: Embedded<'a>,
        options: &Options<'_>,
        with_tools: bool,
    ) -> Result<Self, PromptError> {
        let outline = Outline::of(root, with_tools)?;
        let overrides = options.overrides.as_slice();
        let shown = Shown::of(&outline, overrides, options.focus.as_deref())?;
        let collected = match options.collected {
            Some(collected) if !collected.is_empty() => {
                Contexts::of(&outline, collected, options.context_form, shown.focus)?
            }
            _ => Contexts::default(),
        };
        Ok(Self {
            outline,
            shown,
            collected,
            memo: Memo::default(),
        })
    }

    /// What the printer needs to print the tree in these forms, once.
    pub(crate) fn job<'p>(&'p self, options: &'p Options<'_>, shown: &'p Shown) -> Job<'p, 'a> {
        Job {
            outline: &self.outline,
            shown,
            look: &options.look,
            collected: &self.collected,
            memo: None,
            reduced: false,
            with_spans: true,
            with_summaries: false,
        }
    }

    /// Appends the text alone.
    pub(crate) fn print_into(
        &self,
        options: &Options<'_>,
        buffer: &mut String,
    ) -> Result<(), PromptError> {
        let job = Job {
            with_spans: false,
            ..self.job(options, &self.shown)
        };
        print::print(job, buffer).map(drop)
    }

    /// Renders the tree as it is to be shown, within its budget if there is one.
    pub(crate) fn render(&self, options: &Options<'_>) -> Result<RenderedPrompt, PromptError> {
        if let Some(budget) = &options.budget {
            let fitted = budget::fit(self, options, budget)?;
            let report = Some(fitted.report);
            return Ok(self.rendered(options, &fitted.shown, fitted.text, fitted.printed, report));
        }
        self.render_job(options, self.job(options, &self.shown))
    }

    /// The same, with the answers of values kept for what is printed of the tree afterwards.
    pub(crate) fn render_kept(&self, options: &Options<'_>) -> Result<RenderedPrompt, PromptError> {
        if options.budget.is_some() {
            return self.render(options);
        }
        let job = self.job(options, &self.shown);
        let memo = Some(&self.memo);
        self.render_job(options, Job { memo, ..job })
    }

    fn render_job(
        &self,
        options: &Options<'_>,
        job: Job<'_, 'a>,
    ) -> Result<RenderedPrompt, PromptError> {
        let mut text = String::new();
        let printed = print::print(job, &mut text)?;
        Ok(self.rendered(options, &self.shown, text, printed, None))
    }

    /// What was printed, with the owned half of the outline.
    pub(crate) fn rendered(
        &self,
        options: &Options<'_>,
        shown: &Shown,
        text: String,
        printed: PrintedText,
        report: Option<BudgetReport>,
    ) -> RenderedPrompt {
        let outline = &self.outline;
        let offered = |(row, tool): &(Option<RowId>, ToolSpec)| {
            self.offers(options, shown, *row).then(|| tool.clone())
        };
        let tokens = options.counter.filter(|_| report.is_none()).map(|counter| {
            let fragments = fragments(&printed.spans, outline, &text);
            let count = |fragment: &String| counter.count(fragment);
            fragments.0.iter().map(count).collect()
        });
        RenderedPrompt {
            user_tools: outline.tools.iter().filter_map(offered).collect(),
            rows: self.standing(shown),
            runs_later: options.is_appended,
            root: outline
                .host(None)
                .map_or(Cow::Borrowed(""), |host| host.info.name.clone()),
            messages: spliced(outline),
            offers_tool: options.keep_tool || printed.is_summarised,
            wording: options.look.wording.clone(),
            tools: OnceLock::new(),
            text,
            printed,
            report,
            tokens,
            listener: Listener::default(),
        }
    }
}

impl Asked<'_> {
    /// Whether the tools of a row are offered: it is shown in full, or, where opened sections travel in the results of
    /// calls, may be opened.
    pub(crate) fn offers(&self, options: &Options<'_>, shown: &Shown, row: Option<RowId>) -> bool {
        let (outline, is_appended) = (&self.outline, options.is_appended);
        row.is_none_or(|id| {
            let mut leads = outline.around(id).chain([id]);
            let is_open = shown.form(id) == Form::Full && shown.is_shown(outline, id);
            is_open || (is_appended && leads.any(|id| self.is_openable(shown, id)))
        })
    }

    /// Whether `open_sections` may name a row.
    fn is_openable(&self, shown: &Shown, id: RowId) -> bool {
        let is_openable = self.outline.row(id).is_some_and(|row| row.is_openable(id));
        is_openable && shown.is_in_focus(&self.outline, id)
    }

    /// `open_sections`, if anything can be opened.
    pub(crate) fn open_tool(&self, options: &Options<'_>) -> Option<ToolSpec> {
        let rows = 0..self.outline.len();
        let mut paths = rows
            .filter(|id| self.is_openable(&self.shown, *id))
            .map(|id| self.outline.path(id).into())
            .peekable();
        paths.peek()?;
        Some(open_sections(paths, &options.look.wording))
    }

    /// The owned half of the outline.
    pub(crate) fn standing(&self, shown: &Shown) -> Vec<Standing> {
        let standing = |(id, row): (RowId, &Row<'_>)| Standing {
            parent: row.parent,
            end: row.end,
            key: if row.is_item() {
                Cow::Owned(row.key.to_string())
            } else {
                row.info.key.clone()
            },
            form: shown.form(id),
            is_openable: self.is_openable(shown, id),
            is_in_focus: shown.is_in_focus(&self.outline, id),
            is_cut: shown.form(id) != self.shown.form(id),
            is_delivered: false,
            is_list: row.is_list,
            priority: row.priority,
            policy: row.policy(),
            location: row.info.location,
        };
        self.outline.iter().map(standing).collect()
    }
}

/// Two tools of one name, or one of the name that is reserved, are a fault of the tree, whatever of it is shown.
fn check_tools(outline: &Outline<'_>) -> Result<(), PromptError> {
    let mut names = HashSet::new();
    for (row, tool) in &outline.tools {
        let path = || row.map_or_else(String::new, |id| outline.path(id).into());
        if tool.name() == OPEN_SECTIONS {
            return Err(PromptError::ReservedToolName { path: path() });
        }
        if !names.insert(tool.name()) {
            return Err(PromptError::DuplicateTool {
                name: tool.name().to_owned(),
                path: path(),
            });
        }
    }
    Ok(())
}

/// A variable without a value is a fault of the tree, whatever of it is shown: what the model opens is never in vain.
fn check_bindings(outline: &Outline<'_>) -> Result<(), PromptError> {
    let missing = |host: Host<'_>| {
        let mut variables = host.info.variables.iter();
        let name = variables.find(|variable| variable.missing)?;
        Some(PromptError::MissingValue {
            path: host
                .row
                .map_or_else(String::new, |id| outline.path(id).into()),
            name: name.source.to_string(),
        })
    };
    let rows = outline.iter().filter_map(|(id, row)| row.child(id));
    match outline.host(None).into_iter().chain(rows).find_map(missing) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The owned half of a row.
#[derive(Clone, Debug)]
pub(crate) struct Standing {
    pub(crate) parent: Option<RowId>,
    /// One past the last row inside it.
    pub(crate) end: RowId,
    pub(crate) key: Cow<'static, str>,
    /// How it is shown; what stands inside a row that is not shown in full is not shown.
    pub(crate) form: Form,
    /// Whether `open_sections` may name it.
    pub(crate) is_openable: bool,
    /// Whether it can be shown under the focus.
    pub(crate) is_in_focus: bool,
    /// Whether a budget reduced or dropped it.
    pub(crate) is_cut: bool,
    /// Whether the model was given it in the result of a call.
    pub(crate) is_delivered: bool,
    pub(crate) is_list: bool,
    /// How long it is kept: `None` is required.
    pub(crate) priority: Option<i32>,
    pub(crate) policy: Policy,
    pub(crate) location: Option<Location>,
}

/// The histories that are spliced in, by row.
fn spliced(outline: &Outline<'_>) -> Vec<(RowId, Vec<Message>)> {
    let messages = |(id, row): (RowId, &crate::outline::Row<'_>)| match row.content {
        Content::Messages(messages) => Some((id, messages.to_vec())),
        _ => None,
    };
    outline.iter().filter_map(messages).collect()
}

/// The text of each section without its subsections, by span, and that of the root. Together they are the whole text.
/// Blank lines before a section are part of its text: they come and go with it.
///
/// Spans are nested and sorted by where they begin, so one pass with a stack hands each stretch to the innermost span
/// around it.
pub(crate) fn fragments(
    spans: &[Span],
    outline: &Outline<'_>,
    text: &str,
) -> (Vec<String>, String) {
    let is_below = |inner: RowId, outer: RowId| outline.is_below(inner, outer);
    split(spans, is_below, text)
}

fn split(
    spans: &[Span],
    is_below: impl Fn(RowId, RowId) -> bool,
    text: &str,
) -> (Vec<String>, String) {
    let mut fragments = vec![String::new(); spans.len()];
    let (mut base, mut at) = (String::new(), 0);
    let mut open: Vec<usize> = Vec::new();
    let mut take = |owner: Option<&usize>, to: usize| {
        let piece = text.get(at..to).unwrap_or_default();
        at = at.max(to);
        match owner.and_then(|owner| fragments.get_mut(*owner)) {
            Some(fragment) => fragment.push_str(piece),
            None => base.push_str(piece),
        }
    };
    for (index, span) in spans.iter().enumerate() {
        while let Some(outer) = open.last().and_then(|outer| spans.get(*outer)) {
            if is_below(span.row, outer.row) {
                break;
            }
            take(open.last(), outer.end);
            open.pop();
        }
        if span.end > span.start {
            let before = text.get(..span.start).unwrap_or_default();
            let last = open.last().and_then(|outer| spans.get(*outer));
            let floor = last.map_or(0, |outer| outer.body);
            take(open.last(), before.trim_end().len().max(floor));
        } else {
            take(open.last(), span.start);
        }
        open.push(index);
    }
    while let Some(index) = open.pop() {
        let end = spans.get(index).map_or(0, |span| span.end);
        take(Some(&index), end);
    }
    take(None, text.len());
    (fragments, base)
}

/// The result of rendering: text, section table, tools, messages. It owns everything it shows, and is serialisable.
#[derive(Clone, Debug)]
pub struct RenderedPrompt {
    pub(crate) text: String,
    pub(crate) printed: PrintedText,
    /// All sections of the tree, shown or not.
    pub(crate) rows: Vec<Standing>,
    /// Name of the root's type.
    pub(crate) root: Cow<'static, str>,
    pub(crate) messages: Vec<(RowId, Vec<Message>)>,
    /// The tools of all sections that are shown in full.
    pub(crate) user_tools: Vec<ToolSpec>,
    /// Whether `open_sections` is offered, if anything can be opened.
    pub(crate) offers_tool: bool,
    pub(crate) wording: Cow<'static, Wording>,
    /// All tools, once somebody has asked for them.
    pub(crate) tools: OnceLock<Vec<ToolSpec>>,
    pub(crate) report: Option<BudgetReport>,
    /// Tokens of each span's own text, where a counter was given.
    pub(crate) tokens: Option<Vec<usize>>,
    pub(crate) listener: Listener<'static>,
    /// Whether tools called after `open_sections` are run all the same: the prompt does not change when sections open.
    pub(crate) runs_later: bool,
}

/// A section of a rendered prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RenderedSection {
    /// Dotted path.
    pub path: String,
    /// Its title, printed or not.
    pub title: String,
    /// Level of its heading, 1 to 6, or of the place where its text stands.
    pub level: u8,
    /// How it is shown.
    pub visibility: Visibility,
    /// Its bytes in the text, heading or tag included; empty where nothing of it is printed.
    pub range: Range<usize>,
    /// Where it was declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    /// Tokens of its own text, without subsections, when a budget or [`Prompt::count`](crate::Prompt::count) counted
    /// them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<usize>,
}

impl RenderedPrompt {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text, without the rest.
    pub fn into_string(self) -> String {
        self.text
    }

    /// The sections in the order of the text, parents before children.
    pub fn sections(&self) -> Vec<RenderedSection> {
        let paths = self.paths();
        let section = |(index, span): (usize, &Span)| {
            let row = self.rows.get(span.row as usize);
            RenderedSection {
                path: paths.get(span.row as usize).cloned().unwrap_or_default(),
                title: span.title.text.to_string(),
                level: span.level,
                visibility: visibility(span.form),
                range: span.start..span.end,
                location: row.and_then(|row| row.location),
                tokens: self.tokens_of(index, span.row),
            }
        };
        self.printed.spans.iter().enumerate().map(section).collect()
    }

    /// What the model may call: the tools of all sections shown in full, then `open_sections` if a summary is shown.
    pub fn tools(&self) -> &[ToolSpec] {
        self.tools.get_or_init(|| {
            let mut tools = self.user_tools.clone();
            if self.offers_tool && self.rows.iter().any(|row| row.is_openable) {
                tools.push(open_sections(self.openable(), &self.wording));
            }
            tools
        })
    }

    /// The first byte whose presence or content depends on a value: everything before is the same in every call.
    pub fn static_prefix(&self) -> usize {
        self.printed.static_prefix
    }

    /// FNV-1a, 64 bits, of the text: stable across processes, machines and versions.
    /// Source: <http://www.isthe.com/chongo/tech/comp/fnv/>.
    pub fn hash(&self) -> u64 {
        self.text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
        })
    }

    /// What a budget kept, reduced and dropped; `None` without a budget.
    pub fn budget_report(&self) -> Option<&BudgetReport> {
        self.report.as_ref()
    }

    /// The paths that `open_sections` may name, in declaration order.
    pub(crate) fn openable(&self) -> impl Iterator<Item = String> {
        let rows = (0..).zip(&self.rows).filter(|(_, row)| row.is_openable);
        rows.map(|(id, _)| self.path(id).into())
    }

    /// The dotted path of a row.
    pub(crate) fn path(&self, id: RowId) -> SectionPath {
        let mut at = Some(id);
        SectionPath::from_inside_out(std::iter::from_fn(|| {
            let row = self.rows.get(at? as usize)?;
            at = row.parent;
            Some(row.key.as_ref())
        }))
    }

    /// The dotted paths of all rows, each made from its parent's.
    pub(crate) fn paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let parent = row.parent.and_then(|parent| paths.get(parent as usize));
            let path = match parent {
                Some(parent) => [parent, ".", row.key.as_ref()].concat(),
                None => row.key.to_string(),
            };
            paths.push(path);
        }
        paths
    }

    fn tokens_of(&self, span: usize, row: RowId) -> Option<usize> {
        let reported = self
            .report
            .as_ref()
            .and_then(|report| report.tokens_of(row));
        reported.or_else(|| self.tokens.as_ref()?.get(span).copied())
    }

    /// The text of each span without its subsections, and that of the root.
    pub(crate) fn fragments(&self) -> (Vec<String>, String) {
        let end = |id: RowId| self.rows.get(id as usize).map_or(id, |row| row.end);
        let is_below = |inner: RowId, outer: RowId| outer < inner && inner < end(outer);
        split(&self.printed.spans, is_below, &self.text)
    }
}

pub(crate) fn visibility(form: Form) -> Visibility {
    match form {
        Form::Summary => Visibility::Summary,
        Form::Full | Form::Gone => Visibility::Full,
    }
}

impl Overrides {
    /// The overrides that have no effect on this prompt, in their order: paths that are not in the tree, summaries of
    /// sections that have none, and lists, which are always shown (their items can be overridden). All of them where
    /// the tree itself is at fault: rendering says how.
    pub fn check(&self, node: &(impl super::PromptNode + ?Sized)) -> Vec<&str> {
        let outline = Outline::of(node.embedded(), false).ok();
        let index = outline.as_ref().map(crate::outline::Index::of);
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

impl Serialize for RenderedPrompt {
    /// An object with `text`, `sections`, `tools`, `messages`, `static_prefix`, and the budget's report, if there is one.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("RenderedPrompt", 6)?;
        fields.serialize_field("text", &self.text)?;
        fields.serialize_field("sections", &self.sections())?;
        fields.serialize_field("tools", &self.tools())?;
        fields.serialize_field("messages", &self.messages())?;
        fields.serialize_field("static_prefix", &self.static_prefix())?;
        fields.serialize_field("budget", &self.report)?;
        fields.end()
    }
}

impl fmt::Display for RenderedPrompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl AsRef<str> for RenderedPrompt {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

impl From<RenderedPrompt> for String {
    fn from(prompt: RenderedPrompt) -> Self {
        prompt.text
    }
}
