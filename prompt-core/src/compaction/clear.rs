//! Results of tools that are cleared while the question they were asked for is not answered yet: the rule.

use crate::messages::tool::OPEN_SECTIONS;
use serde::{Deserialize, Serialize};

/// Which results of tools are cleared where whole exchanges do not go: an agent makes hundreds of calls under one question.
///
/// Where the view exceeds [`Trigger::Tokens::high`](super::Trigger::Tokens), and moving the frontier does not help, all results
/// behind it but the last few are replaced at once, each by a line that says of which tool it was and that the tool can be
/// called again. The calls stay, with their ids, and so does the log. What the model has not replied to yet stays, too, and
/// so do sections that it opened, and what it was told of its typed answers (which counts as no result).
///
/// | key | default | |
/// |---|---|---|
/// | `keep` | 3 | results that stay, the last ones; with one stay all of its message |
/// | `exclude_tools` | none | tools whose results always stay |
/// | `clear_at_least` | 0 | tokens that a step must gain, or it waits: each step costs the cached prefix once |
///
/// The names are those of Anthropic's context editing, `clear_tool_uses`
/// (<https://docs.anthropic.com/en/docs/build-with-claude/context-editing>), which does the same on its side.
///
/// ```
/// use prompt_core::compaction::{ClearToolResults, CompactionConfig, Trigger};
/// use prompt_core::{History, Message, ToolCall, ToolResult};
///
/// # fn main() -> Result<(), prompt_core::compaction::CompactionError> {
/// let config = CompactionConfig::builder()
///     .trigger(Trigger::Tokens { high: 500, low: 200 })
///     .clear_tool_results(ClearToolResults::default().keep(1).exclude_tools(["plan"]))
///     .build()?;
/// let mut history = History::new(config);
/// history.push(Message::user("Why does the build fail?"));
/// for id in ["1", "2", "3"] {
///     let call = ToolCall::new(id, "read_file", serde_json::json!({ "path": "main.rs" }));
///     history.push(Message::calls([call.clone()]));
///     history.push(Message::tool([ToolResult::ok(&call, "let x = 1;\n".repeat(60))]));
/// }
/// let sent = history.view().messages();
/// assert_eq!(
///     sent[2].tool_results()[0].content,
///     "[Cleared to save room: the result of `read_file`, 660 bytes. Call the tool again if you need it.]"
/// );
/// assert_eq!(sent[6], history.log()[6]);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ClearToolResults {
    /// Results that stay in full: the last ones.
    pub keep: usize,
    /// Tools whose results always stay.
    pub exclude_tools: Vec<String>,
    /// Tokens that a step must gain.
    pub clear_at_least: usize,
}

impl Default for ClearToolResults {
    fn default() -> Self {
        Self {
            keep: 3,
            exclude_tools: Vec::new(),
            clear_at_least: 0,
        }
    }
}

/// How the line in place of a result begins.
const CLEARED: &str = "[Cleared to save room: ";
/// How it ends.
const AGAIN: &str = ". Call the tool again if you need it.]";

/// Whether a result is such a line; a long one is none, whatever it begins with.
fn is_line(content: &str) -> bool {
    const MOST: usize = 256;
    content.len() < MOST && content.starts_with(CLEARED) && content.ends_with(AGAIN)
}

impl ClearToolResults {
    /// So many results stay in full, the last ones; those to which the model has not replied yet stay in any case.
    #[must_use]
    pub fn keep(mut self, results: usize) -> Self {
        self.keep = results;
        self
    }

    /// The results of these tools always stay.
    #[must_use]
    pub fn exclude_tools<T: Into<String>>(mut self, tools: impl IntoIterator<Item = T>) -> Self {
        self.exclude_tools = tools.into_iter().map(Into::into).collect();
        self
    }

    /// A step waits until it gains so many tokens.
    #[must_use]
    pub fn clear_at_least(mut self, tokens: usize) -> Self {
        self.clear_at_least = tokens;
        self
    }

    /// The line in place of a result of `tool` (an empty name where it is not known) with so many images; `None` where the
    /// result stays: the tool is excluded, the line would not be shorter, or it is one already.
    ///
    /// ```
    /// use prompt_core::compaction::ClearToolResults;
    ///
    /// let rule = ClearToolResults::default().exclude_tools(["plan"]);
    /// assert_eq!(rule.line("look", "", 1).as_deref(), Some(
    ///     "[Cleared to save room: the result of `look`, 1 image. Call the tool again if you need it.]"
    /// ));
    /// assert_eq!(rule.line("plan", &"1. Look\n".repeat(50), 0), None);
    /// assert_eq!(rule.line("look", "Nothing to be seen.", 0), None);
    /// ```
    pub fn line(&self, tool: &str, content: &str, images: usize) -> Option<String> {
        let is_excluded = self.exclude_tools.iter().any(|excluded| excluded == tool);
        if is_excluded || tool == OPEN_SECTIONS || is_line(content) {
            return None;
        }
        let bytes = (!content.is_empty()).then(|| format!("{} bytes", content.len()));
        let images = match images {
            0 => None,
            1 => Some("1 image".to_owned()),
            _ => Some(format!("{images} images")),
        };
        let size: Vec<&str> = bytes.iter().chain(&images).map(String::as_str).collect();
        let size = size.join(" and ");
        let whose = if tool.is_empty() {
            "a result".to_owned()
        } else {
            format!("the result of `{tool}`")
        };
        let line = format!("{CLEARED}{whose}, {size}{AGAIN}");
        (images.is_some() || line.len() < content.len()).then_some(line)
    }
}
