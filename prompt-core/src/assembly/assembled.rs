//! The result of an assembly: messages, and who wrote which bytes of them. The assembler makes it.

use crate::messages::message::{CachePoint, Message, Role};
use serde::Serialize;
use std::ops::Range;

/// The finished messages of one call, with the origin of every byte of text in them.
///
/// It cannot be assembled again: the sources would be joined twice.
///
/// ```compile_fail
/// # use prompt_core::Assembler;
/// # use prompt_core::PromptTask;
/// # #[derive(Clone, Copy, PromptTask)]
/// # enum Task { Grade }
/// let assembler = Assembler::new(Task::Grade, "chat_api");
/// let assembled = assembler.assemble("You grade bread.", "Loaf 7").unwrap();
/// assembler.assemble(assembled, "Loaf 8");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[must_use]
pub struct Assembled {
    messages: Vec<Message>,
    provenance: Vec<Provenance>,
}

/// Who wrote a range of bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Provenance {
    /// The message, from 0.
    pub message: usize,
    /// The text in the content of the message, from 0.
    pub content: usize,
    /// The bytes of that text.
    pub range: Range<usize>,
    /// Who wrote them.
    pub source: TextSource,
}

/// The sources of an assembly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum TextSource {
    /// The task: the texts of this call.
    Task,
    /// The adapter's factory at this place of its list, from 0.
    Adapter(usize),
    /// The user's instructions.
    User,
    /// The blank line that joins two sources.
    Separator,
}

impl Assembled {
    /// The messages: the system message if there is a system text, then the user message. Where the interface has no
    /// system message, the system text opens the user message.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The messages, without the record of their origin.
    pub fn into_messages(self) -> Vec<Message> {
        self.messages
    }

    /// Who wrote what: for every text of every message its ranges in order, without gap or overlap, none empty.
    pub fn provenance(&self) -> &[Provenance] {
        &self.provenance
    }

    /// The bytes of a piece; empty for a piece of another assembly that does not fit.
    pub fn text_of(&self, piece: &Provenance) -> &str {
        let text = || {
            let message = self.messages.get(piece.message)?;
            let text = message.content.get(piece.content)?.as_text()?;
            text.get(piece.range.clone())
        };
        text().unwrap_or_default()
    }

    /// What one source wrote, in order.
    ///
    /// ```
    /// # use prompt_core::Assembler;
    /// # use prompt_core::assembly::PromptConfig;
    /// # use prompt_core::PromptTask;
    /// # use prompt_core::assembly::TextSource;
    /// # #[derive(Clone, Copy, PromptTask)]
    /// # enum Task { Grade }
    /// let config = PromptConfig::new().task(&Task::Grade, "Be mild.");
    /// let assembled = Assembler::new(Task::Grade, "chat_api").config(&config).assemble("You grade bread.", "Loaf 7")?;
    /// assert_eq!(assembled.written_by(TextSource::User).collect::<Vec<_>>(), ["Be mild."]);
    /// assert_eq!(assembled.written_by(TextSource::Task).collect::<Vec<_>>(), ["You grade bread.", "Loaf 7"]);
    /// # Ok::<(), prompt_core::assembly::AssemblyError>(())
    /// ```
    pub fn written_by(&self, source: TextSource) -> impl Iterator<Item = &str> {
        let pieces = self.provenance.iter();
        let pieces = pieces.filter(move |piece| piece.source == source);
        pieces.map(|piece| self.text_of(piece))
    }
}

impl Assembled {
    pub(super) fn empty() -> Self {
        Self {
            messages: Vec::new(),
            provenance: Vec::new(),
        }
    }

    /// A message of one joined text.
    pub(super) fn joined(&mut self, text: Joined, role: Role, cache: Option<CachePoint>) {
        let message = self.messages.len();
        let piece = |(range, source)| Provenance {
            message,
            content: 0,
            range,
            source,
        };
        self.provenance.extend(text.pieces.into_iter().map(piece));
        self.messages.push(Message {
            cache,
            ..Message::new(role, text.text)
        });
    }

    /// Messages that are the task's as a whole; system messages take the role that the interface has for them.
    pub(super) fn whole(&mut self, messages: Vec<Message>, system: Role) {
        for mut message in messages {
            if message.role == Role::System {
                message.role = system;
            }
            let index = self.messages.len();
            for (content, text) in message.content.iter().enumerate() {
                let length = text.as_text().map_or(0, str::len);
                if length > 0 {
                    self.provenance.push(Provenance {
                        message: index,
                        content,
                        range: 0..length,
                        source: TextSource::Task,
                    });
                }
            }
            self.messages.push(message);
        }
    }
}

// ---- one text of several sources

/// Separates two texts of different origin.
const SEPARATOR: &str = "\n\n";

/// A text and the sources of its bytes: ranges without gap or overlap, none empty.
#[derive(Debug, Default)]
pub(super) struct Joined {
    text: String,
    pieces: Vec<(Range<usize>, TextSource)>,
}

impl Joined {
    pub(super) fn new(text: String, source: TextSource) -> Self {
        let piece = (0..text.len(), source);
        let pieces = Vec::from_iter((!text.is_empty()).then_some(piece));
        Self { text, pieces }
    }

    /// `base + "\n\n" + extra`; whichever of the two is empty leaves the other alone. Nothing is trimmed.
    pub(super) fn append(&mut self, extra: &str, source: TextSource) {
        if extra.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.push(SEPARATOR, TextSource::Separator);
        }
        self.push(extra, source);
    }

    /// Adds the separator whatever follows.
    pub(super) fn separate(&mut self) {
        self.push(SEPARATOR, TextSource::Separator);
    }

    /// Adds another text as it is.
    pub(super) fn extend(&mut self, other: &Self) {
        let offset = self.text.len();
        self.text.push_str(&other.text);
        let moved = |(range, source): &(Range<usize>, TextSource)| {
            (range.start + offset..range.end + offset, *source)
        };
        self.pieces.extend(other.pieces.iter().map(moved));
    }

    fn push(&mut self, text: &str, source: TextSource) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push((start..self.text.len(), source));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}
