//! The assembler: three sources in, messages out; what the interface can do, and the task's own part.

use super::assembled::Joined;
use super::{
    AdapterContext, Assembled, AssemblyError, PromptConfig, PromptTask, Registry, TextSource,
};
use crate::messages::message::{CachePoint, Content, Message, Role};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Joins the texts of one kind of call: the task's own, the adapter's for the interface, the user's.
///
/// Each part is optional: without a registry no adapter adds anything, without a config no user does. One assembler
/// serves any number of calls.
///
/// ```
/// use prompt_core::Assembler;
/// use prompt_core::Message;
/// use prompt_core::assembly::PromptConfig;
/// use prompt_core::PromptTask;
///
/// #[derive(Clone, Copy, PromptTask)]
/// enum Task {
///     Grade,
/// }
///
/// let config = PromptConfig::<Task>::from_json(r#"{ "grade": "Be mild." }"#)?;
/// let assembled = Assembler::new(Task::Grade, "chat_api").config(&config).assemble("You grade bread.", "Loaf 7")?;
/// assert_eq!(assembled.messages(), [Message::system("You grade bread.\n\nBe mild."), Message::user("Loaf 7")]);
/// # Ok::<(), prompt_core::assembly::AssemblyError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Assembler<'a, T> {
    task: T,
    interface: String,
    capabilities: Capabilities,
    registry: Option<&'a Registry>,
    config: Option<&'a PromptConfig<T>>,
    context: Cow<'a, AdapterContext>,
    user_instructions: Option<String>,
}

impl<'a, T: PromptTask> Assembler<'a, T> {
    /// An assembler for a task over an interface, such as the name of a client library.
    pub fn new(task: T, interface: impl Into<String>) -> Self {
        Self {
            task,
            interface: interface.into(),
            capabilities: Capabilities::default(),
            registry: None,
            config: None,
            context: Cow::Owned(AdapterContext::default()),
            user_instructions: None,
        }
    }

    /// What the interface can do.
    pub fn capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// Where the adapter's instructions come from.
    pub fn registry(mut self, registry: &'a Registry) -> Self {
        self.registry = Some(registry);
        self
    }

    /// Where the user's instructions come from.
    pub fn config(mut self, config: &'a PromptConfig<T>) -> Self {
        self.config = Some(config);
        self
    }

    /// The context for the factories of the adapter; owned or by reference.
    pub fn context(mut self, context: impl Into<Cow<'a, AdapterContext>>) -> Self {
        self.context = context.into();
        self
    }

    /// The user's instructions for this call, instead of the config's. An empty text adds nothing.
    pub fn user_instructions(mut self, text: impl Into<String>) -> Self {
        self.user_instructions = Some(text.into());
        self
    }

    /// Joins the sources into messages: a system message if the system text is not empty, then always a user message.
    ///
    /// Without support for a system message there is one user message, the system text, a blank line and the user text.
    /// A cache point of the system text keeps its place: where a user text follows, the message is cut in two right after
    /// the blank line, and the wire formats put the halves together again. Where `system` brings messages between system
    /// and user text, the system text is a user message of its own before them, and their system messages become user
    /// messages.
    ///
    /// # Errors
    ///
    /// [`AssemblyError::Adapter`] if a factory fails.
    pub fn assemble(
        &self,
        system: impl Into<TaskText>,
        user: impl Into<String>,
    ) -> Result<Assembled, AssemblyError> {
        let TaskText {
            text,
            cache,
            before,
            after,
        } = system.into();
        let (mut system, user) = self.join(text, user.into())?;
        let has_system = self.capabilities.system_prompt;
        let role = if has_system { Role::System } else { Role::User };
        let cache = cache.filter(|_| !system.is_empty());

        let mut assembled = Assembled::empty();
        assembled.whole(before, role);
        if role == Role::User && after.is_empty() && (cache.is_none() || user.is_empty()) {
            // The user text alone where there is no system text.
            if !system.is_empty() {
                system.separate();
            }
            system.extend(&user);
            assembled.joined(system, role, cache);
            return Ok(assembled);
        }
        if !system.is_empty() {
            // The user text follows at once, in the same role: the two are the halves of one message.
            if role == Role::User && after.is_empty() {
                system.separate();
            }
            assembled.joined(system, role, cache);
        }
        assembled.whole(after, role);
        assembled.joined(user, Role::User, None);
        Ok(assembled)
    }

    /// Joins the sources into the two texts, system and user, whatever the interface can do.
    ///
    /// # Errors
    ///
    /// As [`Assembler::assemble`].
    pub fn assemble_text(
        &self,
        system: impl Into<String>,
        user: impl Into<String>,
    ) -> Result<(String, String), AssemblyError> {
        let (system, user) = self.join(system.into(), user.into())?;
        Ok((system.into_text(), user.into_text()))
    }

    /// The user's instructions are those of this call, else the config's for the task, else for its category.
    fn join(&self, system: String, user: String) -> Result<(Joined, Joined), AssemblyError> {
        let mut system = Joined::new(system, TextSource::Task);
        let mut user = Joined::new(user, TextSource::Task);
        let added = match self.registry {
            Some(registry) => registry.instructions(&self.interface, &self.task, &self.context)?,
            None => Vec::new(),
        };
        for (index, instruction) in added.iter().enumerate() {
            system.append(&instruction.system, TextSource::Adapter(index));
            user.append(&instruction.user, TextSource::Adapter(index));
        }
        let configured = || self.config?.resolve_task(&self.task);
        let instructions = self.user_instructions.as_deref().or_else(configured);
        system.append(instructions.unwrap_or_default(), TextSource::User);
        Ok((system, user))
    }
}

// ---- the interface

/// What an interface can do, as far as an assembly cares. Missing keys take their default.
///
/// ```
/// use prompt_core::assembly::Capabilities;
/// let plain = Capabilities::default().system_prompt(false);
/// assert!(!plain.system_prompt && !plain.structured_output);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Capabilities {
    /// Whether it takes a system message; `true` by default. Without, the system text opens the user message.
    pub system_prompt: bool,
    /// Whether it enforces a JSON schema by itself; `false` by default. Does not change an assembly: it is there for
    /// the program that picks the factories.
    pub structured_output: bool,
}

impl Default for Capabilities {
    fn default() -> Self {
        Self {
            system_prompt: true,
            structured_output: false,
        }
    }
}

impl Capabilities {
    /// The same with or without a system message.
    #[must_use]
    pub const fn system_prompt(mut self, supported: bool) -> Self {
        self.system_prompt = supported;
        self
    }

    /// The same with or without enforced JSON schemas.
    #[must_use]
    pub const fn structured_output(mut self, supported: bool) -> Self {
        self.structured_output = supported;
        self
    }
}

// ---- the task's own part

/// The task's own part of an assembly: a system text, or the messages of a rendered prompt.
///
/// Of a list of messages, the last system message of those that open the list is the system text that adapter and user
/// instructions are appended to. System messages before it stay as they are (blocks with cache points of their own);
/// everything after it, such as examples, stays in order between the system text and the user message.
///
/// ```
/// use prompt_core::message::CachePoint;
/// use prompt_core::Message;
/// use prompt_core::assembly::TaskText;
/// let plain: TaskText = "You grade bread.".into();
/// let cached = plain.cached(CachePoint::default());
/// assert_eq!(cached, vec![Message::system("You grade bread.").cached(CachePoint::default())].into());
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskText {
    text: String,
    cache: Option<CachePoint>,
    before: Vec<Message>,
    after: Vec<Message>,
}

impl TaskText {
    /// The same with a cache point after the system part.
    #[must_use]
    pub fn cached(mut self, point: CachePoint) -> Self {
        self.cache = Some(point);
        self
    }
}

impl From<String> for TaskText {
    fn from(text: String) -> Self {
        Self {
            text,
            ..Self::default()
        }
    }
}

impl From<&str> for TaskText {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&String> for TaskText {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<Vec<Message>> for TaskText {
    fn from(mut messages: Vec<Message>) -> Self {
        let is_other = |message: &Message| message.role != Role::System;
        let opening = messages.iter().position(is_other).unwrap_or(messages.len());
        let after = messages.split_off(opening);
        let is_text = |message: &mut Message| matches!(message.content[..], [Content::Text { .. }]);
        let base = messages.pop_if(is_text);
        Self {
            text: base.as_ref().map(Message::text).unwrap_or_default(),
            cache: base.and_then(|base| base.cache),
            before: messages,
            after,
        }
    }
}

impl From<&[Message]> for TaskText {
    fn from(messages: &[Message]) -> Self {
        messages.to_vec().into()
    }
}

impl From<Message> for TaskText {
    fn from(message: Message) -> Self {
        vec![message].into()
    }
}
