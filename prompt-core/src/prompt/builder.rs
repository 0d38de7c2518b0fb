//! What a person implements, and the prompt of it: a node and how to print it.

use super::rendered::{Options, RenderedPrompt};
use crate::document::{Asking, Document};
use crate::errors::PromptError;
use crate::messages::message::{CachePoint, Message};
use crate::node::Embedded;
use crate::node::Overrides;
use crate::node::{Collected, ContextForm};
use crate::page::{HeadingOverflow, Numbering, Style, Wording};
use crate::select::Bound;
use crate::select::budget::Budget;
use crate::tokens::TokenCounter;
use std::{borrow::Cow, fmt};

/// A type that can be rendered as a prompt, or embedded in one as a section.
///
/// `#[derive(PromptNode)]` writes the implementation. Text types, `()`, `Markdown`, `Option`, `Box`, `Arc`, references,
/// lists and maps implement it too. By hand it is one method that says what a value is to the prompt around it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a section of a prompt",
    label = "not a prompt node",
    note = "a type of your own becomes one with `#[derive(PromptNode)]`; others are `()`, text, `Markdown`, and `Option`, `Box` or lists of nodes; print numbers and the like as variables: without `#[section]`",
    note = "lists and maps need an order: `Vec`, slices, arrays, `VecDeque`, `BTreeMap`, `BTreeSet`; that of a `HashMap` \
            changes from run to run, and so would the prompt"
)]
pub trait PromptNode {
    /// What this value is to the prompt around it.
    fn embedded(&self) -> Embedded<'_>;

    /// What a list of these is, where it is more than one after the other: a list of tools is grouped by category.
    #[doc(hidden)]
    fn embedded_list(list: &[Self]) -> Option<Embedded<'_>>
    where
        Self: Sized,
    {
        let _ = list;
        None
    }

    /// What it said, if it was asked already.
    #[doc(hidden)]
    fn asked(&self) -> Option<&Document<'_>> {
        None
    }

    /// A prompt of this node: set options on it, then render it. A `&dyn PromptNode` has [`Prompt::new`].
    fn prompt(&self) -> Prompt<'_, Self>
    where
        // The compiler shows this line to who asks a trait object.
        Self: Sized, // for a trait object write `Prompt::new(node)`
    {
        Prompt::new(self)
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
        self.options.view.format.style = style;
        self
    }

    /// The level at which the outermost headings stand: every level grows by `level - 1`. 0 counts as 1.
    pub fn base_level(mut self, level: u8) -> Self {
        self.options.view.format.base_level = level.max(1);
        self
    }

    /// Numbers before generated headings.
    pub fn numbering(mut self, numbering: Numbering) -> Self {
        self.options.view.format.numbering = numbering;
        self
    }

    /// Shows sections otherwise than declared.
    pub fn overrides(mut self, overrides: &'a Overrides) -> Self {
        self.options.view.overrides = Some(overrides);
        self
    }

    /// Keeps the text, or the whole request, within a number of tokens.
    pub fn budget(mut self, budget: Budget<'a>) -> Self {
        self.options.view.bound = Some(Bound {
            most_listed: budget.most_listed(),
        });
        self.options.budget = Some(budget);
        self
    }

    /// Counts the tokens of each section, where no budget does.
    pub fn counter(mut self, counter: &'a dyn TokenCounter) -> Self {
        self.options.counter = Some(counter);
        self
    }

    /// [`Prompt::counter`] under its old name.
    #[deprecated(since = "0.1.0", note = "it is called `counter`")]
    #[doc(hidden)]
    pub fn count(self, counter: &'a dyn TokenCounter) -> Self {
        self.counter(counter)
    }

    /// Shows only what leads to the section at `path`, and that section.
    pub fn focus(mut self, path: impl Into<String>) -> Self {
        self.options.view.focus = Some(path.into());
        self
    }

    /// What `{COLLECTED_CONTEXT}` shows.
    pub fn collected(mut self, collected: &'a Collected) -> Self {
        self.options.view.collected = Some(collected);
        self
    }

    /// Whether collected texts are printed, or references to them.
    pub fn context_form(mut self, form: ContextForm) -> Self {
        self.options.view.context_form = form;
        self
    }

    /// Keeps `open_sections` among the tools when no summary is shown.
    pub fn keep_tool(mut self, keep: bool) -> Self {
        self.options.view.keep_tool = keep;
        self
    }

    /// What happens to a heading past level 6.
    pub fn heading_overflow(mut self, overflow: HeadingOverflow) -> Self {
        self.options.view.format.overflow = overflow;
        self
    }

    /// Columns by which a tag inside a tag is indented (default 2; no text stands further right than column 65,536).
    pub fn indent(mut self, columns: usize) -> Self {
        self.options.view.format.indent = columns;
        self
    }

    /// What the library itself says to the model: the suffix of summaries, the description of `open_sections`.
    pub fn wording(mut self, wording: Wording) -> Self {
        self.options.view.format.wording = Cow::Owned(wording);
        self
    }

    /// Messages behind the prompt's own: [`messages`](RenderedPrompt::messages) ends with them, and a budget counts them.
    ///
    /// ```
    /// use prompt_core::{Message, Prompt};
    ///
    /// let prompt = Prompt::new("Be brief.").history([Message::user("How deep is it?")]);
    /// assert_eq!(prompt.render()?.messages().len(), 2);
    /// # Ok::<(), prompt_core::PromptError>(())
    /// ```
    pub fn history(mut self, messages: impl IntoIterator<Item = Message>) -> Self {
        self.options.history = Some(messages.into_iter().collect());
        self
    }

    /// A cache point after the system text, in [`messages`](RenderedPrompt::messages), where no section has set one.
    ///
    /// ```
    /// use prompt_core::Prompt;
    /// use prompt_core::message::CachePoint;
    ///
    /// let messages = Prompt::new("Be brief.").cached(CachePoint::one_hour()).render()?.messages();
    /// assert_eq!(messages[0].cache, Some(CachePoint::one_hour()));
    /// # Ok::<(), prompt_core::PromptError>(())
    /// ```
    pub fn cached(mut self, point: CachePoint) -> Self {
        self.options.cached = Some(point);
        self
    }

    /// A prompt of another node, with the options of this one: a [document](super::Document), say, of which nothing is asked again.
    pub fn over<'b, M: PromptNode + ?Sized>(&self, node: &'b M) -> Prompt<'b, M>
    where
        'a: 'b,
    {
        let options = self.options.clone();
        Prompt {
            root: node,
            options,
        }
    }

    /// The node.
    pub fn node(&self) -> &'a N {
        self.root
    }

    /// Whether it has a [`budget`](Self::budget).
    pub fn has_budget(&self) -> bool {
        self.options.budget.is_some()
    }

    pub(crate) fn parts(&self) -> (Embedded<'_>, Option<&Document<'_>>) {
        (self.root.embedded(), self.root.asked())
    }

    /// All that the tree says, asked once: it is printed as often as wanted, in other forms and with other options, and is
    /// a node itself. Overrides, focus, budgets and the like are those of the prompt that prints it.
    ///
    /// # Errors
    /// A tree that is too deep, or items with keys that are none.
    pub fn document(&self) -> Result<Document<'a>, PromptError> {
        Document::of(self.root.embedded(), Asking::whole())
    }

    /// Prints the prompt, with its section table, tools and messages.
    ///
    /// # Errors
    /// See [`PromptError`]; nothing is printed then.
    pub fn render(&self) -> Result<RenderedPrompt, PromptError> {
        self.options.render(self.parts())
    }

    /// Appends the text to `buffer`, which keeps what it had. A buffer with room for the text is not allocated anew; the
    /// lists of the document are.
    ///
    /// # Errors
    /// See [`PromptError`]; the buffer is as it was then, also where a value panics.
    pub fn render_into(&self, buffer: &mut String) -> Result<(), PromptError> {
        if self.options.budget.is_some() {
            buffer.push_str(self.render()?.as_str());
            return Ok(());
        }
        let mut restored = Restored::new(buffer);
        let tree = self.options.resolve(self.parts(), false)?;
        tree.print_into(restored.buffer)?;
        restored.length = restored.buffer.len();
        Ok(())
    }

    /// Only the text.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub fn text(&self) -> Result<String, PromptError> {
        let mut text = String::with_capacity(super::USUAL);
        self.render_into(&mut text)?;
        Ok(text)
    }
}

/// A buffer of which this much stays, whatever happens: also where a value panics.
struct Restored<'b> {
    buffer: &'b mut String,
    length: usize,
}

impl<'b> Restored<'b> {
    fn new(buffer: &'b mut String) -> Self {
        let length = buffer.len();
        Self { buffer, length }
    }
}

impl Drop for Restored<'_> {
    fn drop(&mut self) {
        self.buffer.truncate(self.length);
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
            .field("style", &self.options.view.format.style)
            .finish_non_exhaustive()
    }
}
