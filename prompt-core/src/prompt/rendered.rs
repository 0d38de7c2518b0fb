//! What is rendered: text, table of sections, tools. It owns everything that it shows.

use crate::document::{Document, Section, SectionId};
use crate::errors::PromptError;
use crate::messages::message::{CachePoint, Message};
use crate::messages::tool::ToolSpec;
use crate::node::{Embedded, Location};
use crate::node::{Form, Visibility};
use crate::page::{Frame, Sourced, Span, Wording, fragments};
use crate::select::budget::{self, Budget, BudgetReport, Decision};
use crate::select::opening::Listener;
use crate::select::{Forms, Offers, Resolved, Table, Text, View, check_tools};
use crate::tokens::TokenCounter;
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::{
    borrow::Cow,
    fmt,
    ops::Range,
    sync::{Arc, OnceLock},
};

/// A tree, and what it said if it was asked already.
pub(crate) type Root<'d> = (Embedded<'d>, Option<&'d Document<'d>>);

/// Everything that can be set on a prompt.
#[derive(Clone, Default)]
pub(crate) struct Options<'a> {
    pub(crate) view: View<'a>,
    pub(crate) budget: Option<Budget<'a>>,
    pub(crate) counter: Option<&'a dyn TokenCounter>,
    /// Messages behind the prompt's own.
    pub(crate) history: Option<Arc<[Message]>>,
    /// The cache point after the system text.
    pub(crate) cached: Option<CachePoint>,
}

impl<'o> Options<'o> {
    /// The budget, with the messages behind the prompt's own in it.
    pub(crate) fn whole_budget(&self) -> Option<Cow<'_, Budget<'o>>> {
        let budget = self.budget.as_ref()?;
        Some(match &self.history {
            Some(history) => Cow::Owned(budget.behind(history)),
            None => Cow::Borrowed(budget),
        })
    }

    /// The tree, asked for what these options want of it: all of it where other forms are chosen afterwards.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub(crate) fn resolve<'d>(
        &'d self,
        (root, asked): Root<'d>,
        with_tools: bool,
    ) -> Result<Resolved<'d>, PromptError> {
        let is_whole =
            self.budget.is_some() || self.view.collecting().is_some() || self.view.is_appended;
        Resolved::of(root, asked, &self.view, is_whole, with_tools)
    }

    /// # Errors
    /// See [`PromptError`].
    pub(crate) fn render(&self, root: Root<'_>) -> Result<RenderedPrompt, PromptError> {
        let tree = self.resolve(root, true)?;
        self.render_tree(&tree, &tree.forms(), false)
    }

    /// The same of a tree that was asked, in these forms.
    pub(crate) fn render_tree(
        &self,
        tree: &Resolved<'_>,
        meant: &Forms,
        with_sources: bool,
    ) -> Result<RenderedPrompt, PromptError> {
        check_tools(tree)?;
        let Some(budget) = self.whole_budget() else {
            let text = tree.print(crate::page::Printing {
                with_sources,
                ..tree.printing(&meant.forms)
            })?;
            return Ok(self.rendered(tree, &meant.forms, &meant.forms, text));
        };
        let fitted = budget::fit(tree, meant, &self.view, &budget, with_sources)?;
        let mut rendered = self.rendered(tree, &fitted.forms, &meant.forms, fitted.page);
        rendered.decision = Some(fitted.decision);
        Ok(rendered)
    }

    /// What was printed, with what is remembered of its sections: in these forms, of which some are less than was meant.
    fn rendered(
        &self,
        tree: &Resolved<'_>,
        forms: &[Form],
        meant: &[Form],
        text: Text<'_>,
    ) -> RenderedPrompt {
        let Text { text, printed } = text;
        let offers = Offers::of(tree, &self.view, forms);
        let tokens = self
            .counter
            .filter(|_| self.budget.is_none())
            .map(|counter| {
                let is_below = |inner: SectionId, outer: SectionId| tree.is_below(inner, outer);
                let (fragments, _) = fragments(&printed.spans, is_below, &text);
                let count = |fragment: &Cow<'_, str>| counter.count(fragment);
                fragments.iter().map(count).collect()
            });
        let spliced =
            |(id, section): (SectionId, &Section<'_>)| Some((id, section.messages()?.to_vec()));
        RenderedPrompt {
            user_tools: offers.tools(tree).cloned().collect(),
            rows: Table::of(tree, &self.view, forms, meant),
            spans: printed.spans,
            titles: printed.titles,
            frames: printed.frames,
            static_prefix: printed.static_prefix,
            sources: printed.sources,
            runs_later: self.view.is_appended,
            root: tree
                .node
                .map_or(Cow::Borrowed(""), |root| root.info().name.clone()),
            messages: if tree.has_messages {
                tree.iter().filter_map(spliced).collect()
            } else {
                Vec::new()
            },
            history: self.history.clone(),
            cached: self.cached,
            offers_tool: self.view.keep_tool || printed.is_summarised,
            wording: self.view.format.wording.clone(),
            tools: OnceLock::new(),
            text,
            decision: None,
            report: OnceLock::new(),
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
    pub(crate) rows: Table,
    /// Where they were printed, in the order of the text.
    pub(crate) spans: Vec<Span>,
    /// The titles of the sections, one behind the other.
    pub(crate) titles: String,
    /// What nodes have in front of their text and behind it, in the order of the text.
    pub(crate) frames: Vec<Frame>,
    pub(crate) static_prefix: usize,
    /// Where values stand, where that was wanted.
    pub(crate) sources: Vec<Sourced>,
    /// Name of the root's type.
    pub(crate) root: Cow<'static, str>,
    pub(crate) messages: Vec<(SectionId, Vec<Message>)>,
    /// Messages behind its own.
    pub(crate) history: Option<Arc<[Message]>>,
    pub(crate) cached: Option<CachePoint>,
    /// The tools of all sections that are shown in full.
    pub(crate) user_tools: Vec<ToolSpec>,
    /// Whether `open_sections` is offered, if anything can be opened.
    pub(crate) offers_tool: bool,
    pub(crate) wording: Cow<'static, Wording>,
    /// All tools, once somebody has asked for them.
    pub(crate) tools: OnceLock<Vec<ToolSpec>>,
    /// What a budget did, and the report of it, once somebody has asked for it.
    pub(crate) decision: Option<Decision>,
    pub(crate) report: OnceLock<BudgetReport>,
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
    /// Tokens of its own text, without subsections, when a budget or [`Prompt::counter`](crate::Prompt::counter) counted
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
        let paths = self.rows.paths();
        let section = |(index, span): (usize, &Span)| RenderedSection {
            path: paths[span.section as usize].clone(),
            title: self.titles[span.title.clone()].to_owned(),
            level: span.level,
            visibility: span.form.visibility(),
            range: span.start..span.end,
            location: self.rows.row(span.section).location,
            tokens: self.tokens_of(index, span.section),
        };
        self.spans.iter().enumerate().map(section).collect()
    }

    /// What the model may call: the tools of all sections shown in full, then `open_sections` if a summary is shown.
    pub fn tools(&self) -> &[ToolSpec] {
        self.tools.get_or_init(|| {
            let mut tools = self.user_tools.clone();
            if self.offers_tool && self.rows.rows.iter().any(|row| row.is_openable) {
                let keys = self.rows.tool_keys(&self.wording);
                tools.push(self.wording.open_sections(keys));
            }
            tools
        })
    }

    /// The first byte whose presence or content depends on a value: everything before is the same in every call, whatever
    /// values of the same names say. Where a budget left something out, other values may leave out other sections: then it
    /// ends before the first section at the latest.
    pub fn static_prefix(&self) -> usize {
        self.static_prefix
    }

    /// The bytes with which this text and another one begin, 0 where their tools differ: they stand before the text in a
    /// provider's cache. Of two calls as a deployment makes them it is what both share there, so a test says how long that
    /// must be, whatever [`static_prefix`](Self::static_prefix) has to leave open.
    ///
    /// ```
    /// use prompt_core::PromptNode;
    ///
    /// /// You are the assistant of {shop}. It is {day}.
    /// #[derive(PromptNode)]
    /// struct Assistant {
    ///     shop: &'static str,
    ///     day: &'static str,
    /// }
    ///
    /// let on = |day| Assistant { shop: "Tern Tools", day }.prompt().render();
    /// let (monday, tuesday) = (on("Monday")?, on("Tuesday")?);
    /// assert_eq!(&monday.as_str()[..monday.shared_prefix(&tuesday)], "You are the assistant of Tern Tools. It is ");
    /// # Ok::<(), prompt_core::PromptError>(())
    /// ```
    pub fn shared_prefix(&self, other: &Self) -> usize {
        if self.tools() != other.tools() {
            return 0;
        }
        let same = self.text.chars().zip(other.text.chars());
        let same = same.take_while(|(one, other)| one == other);
        same.map(|(one, _)| one.len_utf8()).sum()
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
        let decision = self.decision.as_ref()?;
        Some(self.report.get_or_init(|| {
            let is_below = |inner: SectionId, outer: SectionId| self.rows.is_below(inner, outer);
            decision.report(&self.rows.paths(), &self.text, &self.spans, is_below)
        }))
    }

    /// The paths that a call of `open_sections` may name, open or closed, in declaration order.
    pub fn openable(&self) -> impl Iterator<Item = String> {
        let paths = self.rows.paths().into_iter().zip(&self.rows.rows);
        paths.filter_map(|(path, row)| row.is_openable.then_some(path))
    }

    fn tokens_of(&self, span: usize, row: SectionId) -> Option<usize> {
        match self.budget_report() {
            Some(report) => report.tokens_of(row),
            None => self.tokens.as_ref()?.get(span).copied(),
        }
    }

    /// The text of each span without its subsections, and that of the root.
    pub(crate) fn fragments(&self) -> (Vec<Cow<'_, str>>, Cow<'_, str>) {
        let is_below = |inner: SectionId, outer: SectionId| self.rows.is_below(inner, outer);
        fragments(&self.spans, is_below, &self.text)
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
        fields.serialize_field("budget", &self.budget_report())?;
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
