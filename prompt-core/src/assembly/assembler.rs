//! The assembler: three sources in, messages out.

use super::{
    AdapterContext, Assembled, AssemblyError, Capabilities, PromptConfig, PromptTask, Registry,
    TaskText, TextSource, assembled::AssembledBuilder, joined::Joined,
};
use crate::message::Role;
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

    /// What the factories of the adapter are told; owned or by reference.
    pub fn context(mut self, context: impl Into<Cow<'a, AdapterContext>>) -> Self {
        self.context = context.into();
        self
    }

    /// The user's instructions for this call, instead of what the config says. An empty text adds nothing.
    pub fn user_instructions(mut self, text: impl Into<String>) -> Self {
        self.user_instructions = Some(text.into());
        self
    }

    /// Joins the sources into messages: a system message if the system text is not empty, then always a user message.
    ///
    /// Without support for a system message there is one user message, the system text, a blank line and the user text.
    /// A cache point of the system text keeps its place: where a user text follows, the message is cut in two right after
    /// the blank line, and the wire formats put the halves together again. Where `system` brings messages that stand between system and
    /// user text, the system text is a user message of its own before them, and their system messages become user
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
        let role = if self.capabilities.system_prompt {
            Role::System
        } else {
            Role::User
        };
        let cache = cache.filter(|_| !system.is_empty());

        let mut assembled = AssembledBuilder::default();
        assembled.whole(before, role);
        if role == Role::User && after.is_empty() && (cache.is_none() || user.is_empty()) {
            assembled.joined(merge(system, &user), role, cache);
            return Ok(assembled.finish());
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
        Ok(assembled.finish())
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

    /// The user's instructions: those of this call, else the config's for the task, else for its category.
    pub fn resolved_instructions(&self) -> Option<&str> {
        let configured = || {
            self.config
                .and_then(|config| config.resolve_task(&self.task))
        };
        self.user_instructions.as_deref().or_else(configured)
    }

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
        system.append(
            self.resolved_instructions().unwrap_or_default(),
            TextSource::User,
        );
        Ok((system, user))
    }
}

/// The system text, a blank line, the user text; the user text alone where there is no system text.
fn merge(mut system: Joined, user: &Joined) -> Joined {
    if !system.is_empty() {
        system.separate();
    }
    system.extend(user);
    system
}
