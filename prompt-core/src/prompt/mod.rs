//! A prompt that is about to be rendered: a node and how to print it; and what comes out.

mod impls;
mod leaves;
mod listed_tool;
mod messages;
mod node;
mod rendered;
mod review;

pub use crate::node::Location;
pub use crate::preview::Preview;
pub use crate::print::{HeadingOverflow, Numbering, Wording};
pub use leaves::Leaf;
pub(crate) use messages::own_messages;
pub use node::PromptNode;
pub(crate) use rendered::{Asked, Standing, fragments, visibility};
pub use rendered::{RenderedPrompt, RenderedSection};

use crate::budget::Budget;
use crate::collected::{Collected, ContextForm};
use crate::error::PromptError;
use crate::print::{Look, Style, print_at_once};
use crate::tokens::TokenCounter;
use crate::visibility::Overrides;
use std::{borrow::Cow, fmt};

/// Everything that can be set on a prompt.
#[derive(Clone)]
pub(crate) struct Options<'a> {
    pub(crate) look: Look,
    pub(crate) overrides: Option<&'a Overrides>,
    pub(crate) budget: Option<Budget<'a>>,
    pub(crate) focus: Option<String>,
    pub(crate) collected: Option<&'a Collected>,
    pub(crate) context_form: ContextForm,
    pub(crate) keep_tool: bool,
    /// Whether opened sections travel in the results of calls: text and tools never change.
    pub(crate) is_appended: bool,
    pub(crate) counter: Option<&'a dyn TokenCounter>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        let look = Look {
            style: Style::Markdown,
            base_level: 1,
            numbering: Numbering::None,
            overflow: HeadingOverflow::Clamp,
            indent: 2,
            indent_text: false,
            render_empty: false,
            wording: Cow::Owned(Wording::ENGLISH),
        };
        Self {
            look,
            overrides: None,
            budget: None,
            focus: None,
            collected: None,
            context_form: ContextForm::Value,
            keep_tool: false,
            is_appended: false,
            counter: None,
        }
    }
}

impl Options<'_> {
    /// Whether the text of a node without sections is what is wanted, as it stands.
    fn is_plain(&self) -> bool {
        self.look.style == Style::Markdown
            && self.look.base_level <= 1
            && self.focus.is_none()
            && self.collected.is_none_or(Collected::is_empty)
    }
}

/// A prompt that is about to be rendered: a node and how to print it. It is `Send` where the node is `Sync`.
///
/// ```
/// use prompt_core::Prompt;
///
/// assert_eq!(Prompt::new("Be brief.").text()?, "Be brief.");
/// # Ok::<(), prompt_core::PromptError>(())
/// ```
#[must_use = "a prompt is printed by `render`, `render_into` or `text`"]
pub struct Prompt<'a, N: PromptNode + ?Sized> {
    pub(crate) root: &'a N,
    pub(crate) options: Options<'a>,
}

impl<'a, N: PromptNode + ?Sized> Prompt<'a, N> {
    /// A prompt of this node, with every option at its default. A `&dyn PromptNode` will do.
    pub fn new(root: &'a N) -> Self {
        let options = Options::default();
        Self { root, options }
    }

    /// Headings or tags.
    pub fn style(mut self, style: Style) -> Self {
        self.options.look.style = style;
        self
    }

    /// The level at which the outermost headings stand: every level grows by `level - 1`. 0 counts as 1.
    pub fn base_level(mut self, level: u8) -> Self {
        self.options.look.base_level = level.max(1);
        self
    }

    /// Numbers before generated headings.
    pub fn numbering(mut self, numbering: Numbering) -> Self {
        self.options.look.numbering = numbering;
        self
    }

    /// Shows sections otherwise than declared.
    pub fn overrides(mut self, overrides: &'a Overrides) -> Self {
        self.options.overrides = Some(overrides);
        self
    }

    /// Keeps the text, or the whole request, within a number of tokens.
    pub fn budget(mut self, budget: Budget<'a>) -> Self {
        self.options.budget = Some(budget);
        self
    }

    /// Counts the tokens of each section, where no budget does.
    pub fn count(mut self, counter: &'a dyn TokenCounter) -> Self {
        self.options.counter = Some(counter);
        self
    }

    /// Shows only what leads to the section at `path`, and that section.
    pub fn focus(mut self, path: impl Into<String>) -> Self {
        self.options.focus = Some(path.into());
        self
    }

    /// What `{COLLECTED_CONTEXT}` shows.
    pub fn collected(mut self, collected: &'a Collected) -> Self {
        self.options.collected = Some(collected);
        self
    }

    /// Whether collected texts are printed, or references to them.
    pub fn context_form(mut self, form: ContextForm) -> Self {
        self.options.context_form = form;
        self
    }

    /// Keeps `open_sections` among the tools when no summary is shown.
    pub fn keep_tool(mut self, keep: bool) -> Self {
        self.options.keep_tool = keep;
        self
    }

    /// What happens to a heading past level 6.
    pub fn heading_overflow(mut self, overflow: HeadingOverflow) -> Self {
        self.options.look.overflow = overflow;
        self
    }

    /// Columns by which a tag inside a tag is indented (default 2; no text stands further right than column 65,536).
    pub fn indent(mut self, columns: usize) -> Self {
        self.options.look.indent = columns;
        self
    }

    /// Indents the text inside tags as well; code in it moves along.
    pub fn indent_text(mut self, indent: bool) -> Self {
        self.options.look.indent_text = indent;
        self
    }

    /// Prints tags without content as self-closing instead of leaving them out.
    pub fn render_empty(mut self, render: bool) -> Self {
        self.options.look.render_empty = render;
        self
    }

    /// What the library itself says to the model: the suffix of summaries, the description of `open_sections`.
    pub fn wording(mut self, wording: Wording) -> Self {
        self.options.look.wording = Cow::Owned(wording);
        self
    }

    /// Prints the prompt, with its section table, tools and messages.
    ///
    /// # Errors
    /// See [`PromptError`]; nothing is printed then.
    pub fn render(&self) -> Result<RenderedPrompt, PromptError> {
        Asked::of(self.root.embedded(), &self.options)?.render(&self.options)
    }

    /// Appends the text to `buffer`, which keeps what it had. Nothing is allocated for a node without sections if the
    /// buffer has room.
    ///
    /// # Errors
    /// See [`PromptError`]; the buffer is as it was then.
    pub fn render_into(&self, buffer: &mut String) -> Result<(), PromptError> {
        if self.options.budget.is_some() {
            buffer.push_str(self.render()?.as_str());
            return Ok(());
        }
        let root = self.root.embedded();
        if self.options.is_plain()
            && let Some(printed) = print_at_once(&root, buffer)
        {
            return printed;
        }
        Asked::without_tools(root, &self.options)?.print_into(&self.options, buffer)
    }

    /// Only the text.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub fn text(&self) -> Result<String, PromptError> {
        let mut text = String::new();
        self.render_into(&mut text)?;
        Ok(text)
    }
}

impl<N: PromptNode + ?Sized> Clone for Prompt<'_, N> {
    fn clone(&self) -> Self {
        Self {
            root: self.root,
            options: self.options.clone(),
        }
    }
}

impl<N: PromptNode + ?Sized> fmt::Debug for Prompt<'_, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompt")
            .field("style", &self.options.look.style)
            .finish_non_exhaustive()
    }
}
