//! What is rendered: text, section table, tools. It owns everything it shows, and the owned half of the outline, in which
//! every question about sections is a look-up.

use super::table::Table;
use crate::asked::{self, Asked, View};
use crate::budget::{self, Budget, BudgetReport};
use crate::error::PromptError;
use crate::message::Message;
use crate::node::{Embedded, Location, Seen};
use crate::opening::Listener;
use crate::outline::{RowId, SectionPath};
use crate::print::{self, Job, PrintedText, Sourced, Span, Wording, print_straight};
use crate::show::Shown;
use crate::tokens::TokenCounter;
use crate::tool::ToolSpec;
use crate::visibility::Visibility;
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::{
    borrow::Cow,
    fmt,
    ops::Range,
    sync::{Arc, OnceLock},
};

/// Everything that can be set on a prompt.
#[derive(Clone, Default)]
pub(crate) struct Options<'a> {
    pub(crate) view: View<'a>,
    pub(crate) budget: Option<Budget<'a>>,
    pub(crate) counter: Option<&'a dyn TokenCounter>,
    /// Messages behind the prompt's own.
    pub(crate) history: Option<Arc<[Message]>>,
    /// The conversation that renders it.
    pub(crate) talk: Option<&'a (dyn Talk + Sync)>,
}

/// A conversation that a prompt belongs to: it settles what the model asked for, and then renders.
pub(crate) trait Talk {
    fn render<'n>(
        &self,
        root: &dyn Fn() -> Embedded<'n>,
        options: &Options<'_>,
    ) -> Result<RenderedPrompt, PromptError>;
}

impl<'a> Options<'a> {
    /// The budget, with the messages behind the prompt's own in it.
    pub(crate) fn whole_budget(&self) -> Option<Cow<'_, Budget<'a>>> {
        let budget = self.budget.as_ref()?;
        Some(match &self.history {
            Some(history) => Cow::Owned(budget.behind(history)),
            None => Cow::Borrowed(budget),
        })
    }

    /// Renders the tree of `root` in one go, if it can be.
    pub(crate) fn render_straight(
        &self,
        root: &Embedded<'_>,
    ) -> Option<Result<RenderedPrompt, PromptError>> {
        let is_whole = self.view.is_whole() && !self.view.is_appended;
        if !is_whole || self.budget.is_some() || self.counter.is_some() {
            return None;
        }
        let (mut text, mut seen) = (String::new(), Seen::default());
        let printed = print_straight(root, &self.view.look, &mut text, Some(&mut seen))?;
        let node = root.content.node();
        Some(printed.map(|static_prefix| RenderedPrompt {
            text,
            table: Table::of_seen(seen),
            static_prefix,
            sources: Vec::new(),
            root: node.map_or(Cow::Borrowed(""), |node| node.info().name.clone()),
            messages: Vec::new(),
            history: self.history.clone(),
            user_tools: Vec::new(),
            offers_tool: self.view.keep_tool,
            wording: self.view.look.wording.clone(),
            tools: OnceLock::new(),
            report: None,
            tokens: None,
            listener: Listener::default(),
            runs_later: false,
        }))
    }
}

impl<'a> Asked<'a> {
    /// Renders the tree as it is to be shown, within its budget if there is one.
    pub(crate) fn render(&self, options: &Options<'_>) -> Result<RenderedPrompt, PromptError> {
        if let Some(budget) = options.whole_budget() {
            let fitted = budget::fit(self, &options.view, &budget)?;
            let report = Some(fitted.report);
            return Ok(self.rendered(options, &fitted.shown, fitted.text, fitted.printed, report));
        }
        self.render_job(options, self.job(&options.view, &self.shown))
    }

    /// The same, with the answers of values kept for what is printed of the tree afterwards.
    pub(crate) fn render_kept(&self, options: &Options<'_>) -> Result<RenderedPrompt, PromptError> {
        if options.budget.is_some() {
            return self.render(options);
        }
        let job = self.job(&options.view, &self.shown);
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
        printed: PrintedText<'_>,
        report: Option<BudgetReport>,
    ) -> RenderedPrompt {
        let outline = &self.outline;
        let offers = self.offers(&options.view, shown);
        let offered =
            |(row, tool): &(Option<RowId>, ToolSpec)| offers.are_of(*row).then(|| tool.clone());
        let tokens = options.counter.filter(|_| report.is_none()).map(|counter| {
            let fragments = asked::fragments(&printed.spans, outline, &text);
            let count = |fragment: &Cow<'_, str>| counter.count(fragment);
            fragments.0.iter().map(count).collect()
        });
        RenderedPrompt {
            user_tools: outline.tools.iter().filter_map(offered).collect(),
            table: Table::new(self.standing(shown), printed.spans),
            static_prefix: printed.static_prefix,
            sources: printed.sources,
            runs_later: options.view.is_appended,
            root: outline
                .host(None)
                .map_or(Cow::Borrowed(""), |host| host.info.name.clone()),
            messages: asked::spliced(outline),
            history: options.history.clone(),
            offers_tool: options.view.keep_tool || printed.is_summarised,
            wording: options.view.look.wording.clone(),
            tools: OnceLock::new(),
            text,
            report,
            tokens,
            listener: Listener::default(),
        }
    }
}

/// The result of rendering: text, section table, tools, messages. It owns everything it shows, and is serialisable.
#[derive(Clone, Debug)]
pub struct RenderedPrompt {
    pub(crate) text: String,
    /// All sections of the tree, shown or not.
    pub(crate) table: Table,
    pub(crate) static_prefix: usize,
    /// Where values stand, where that was wanted.
    pub(crate) sources: Vec<Sourced>,
    /// Name of the root's type.
    pub(crate) root: Cow<'static, str>,
    pub(crate) messages: Vec<(RowId, Vec<Message>)>,
    /// Messages behind its own.
    pub(crate) history: Option<Arc<[Message]>>,
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
            let row = self.table.rows().get(span.row as usize);
            RenderedSection {
                path: paths.get(span.row as usize).cloned().unwrap_or_default(),
                title: span.title.text.to_string(),
                level: span.level,
                visibility: span.form.visibility(),
                range: span.start..span.end,
                location: row.and_then(|row| row.location),
                tokens: self.tokens_of(index, span.row),
            }
        };
        self.table.spans().iter().enumerate().map(section).collect()
    }

    /// What the model may call: the tools of all sections shown in full, then `open_sections` if a summary is shown.
    pub fn tools(&self) -> &[ToolSpec] {
        self.tools.get_or_init(|| {
            let mut tools = self.user_tools.clone();
            if self.offers_tool && self.table.rows().iter().any(|row| row.is_openable) {
                tools.push(self.wording.open_sections(&mut self.openable()));
            }
            tools
        })
    }

    /// The first byte whose presence or content depends on a value: everything before is the same in every call.
    pub fn static_prefix(&self) -> usize {
        self.static_prefix
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
        let rows = (0..)
            .zip(self.table.rows())
            .filter(|(_, row)| row.is_openable);
        rows.map(|(id, _)| self.path(id).into())
    }

    /// The dotted path of a row.
    pub(crate) fn path(&self, id: RowId) -> SectionPath {
        let mut at = Some(id);
        SectionPath::from_inside_out(std::iter::from_fn(|| {
            let row = self.table.rows().get(at? as usize)?;
            at = row.parent;
            Some(row.key.as_ref())
        }))
    }

    /// The dotted paths of all rows, each made from its parent's.
    pub(crate) fn paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = Vec::with_capacity(self.table.rows().len());
        for row in self.table.rows() {
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
    pub(crate) fn fragments(&self) -> (Vec<Cow<'_, str>>, Cow<'_, str>) {
        let rows = self.table.rows();
        let end = |id: RowId| rows.get(id as usize).map_or(id, |row| row.end);
        let is_below = |inner: RowId, outer: RowId| outer < inner && inner < end(outer);
        asked::split(self.table.spans(), is_below, &self.text)
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
