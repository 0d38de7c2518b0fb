//! A conversation that grows: the log, of which nothing is lost, and how much of it is compacted.

use super::frontier::Frontier;
use super::head::Head;
use super::{Compact, Compacted, CompactionConfig, Compactor};
use crate::messages::message::Message;
use crate::messages::saved::Version;
use crate::tokens::TokenCounter;
use serde::de::Error as _;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A log with its frontier. [`push`](Self::push) costs the same on average however long the log is;
/// [`view`](Self::view) costs nothing, and reading it costs what it shows. The view is what
/// [`Compactor::compact`] makes of the log.
///
/// Serialises to a version, configuration, log and frontier; what is unknown or missing there is an error. A restored history goes on with identical bytes, without deciding
/// anything again. The counter is not stored; set it with [`counter`](Self::counter) after loading. An
/// [`Extractor::Custom`](super::Extractor::Custom) cannot be stored: keep the [`log`](Self::log) instead, and bring it
/// back with [`from_log`](Self::from_log).
///
/// ```
/// use prompt_core::History;
/// use prompt_core::Message;
/// # fn main() -> Result<(), serde_json::Error> {
/// let mut history = History::default();
/// history.push(Message::user("Which way to the harbour?"));
/// let stored = serde_json::to_string(&history)?;
/// let restored: History = serde_json::from_str(&stored)?;
/// assert_eq!(restored.view().messages(), history.view().messages());
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct History<M = Message> {
    compactor: Compactor,
    log: Vec<M>,
    frontier: Frontier,
    /// How the frontier is found in the log again, as long as it follows from nothing else.
    again: Option<fn(&[M], &Compactor) -> Frontier>,
}

impl<M> History<M> {
    /// An empty history.
    pub fn new(config: CompactionConfig) -> Self {
        Self {
            compactor: Compactor::new(config),
            log: Vec::new(),
            frontier: Frontier::default(),
            again: None,
        }
    }

    /// Counts tokens with `counter` from now on; only [`Trigger::Tokens`](super::Trigger::Tokens) needs it. The
    /// frontier stays where it is, unless the history was just made [from its log](Self::from_log): then it is found anew, as
    /// if `counter` had counted from the first message on.
    #[must_use]
    pub fn counter(mut self, counter: impl TokenCounter + 'static) -> Self {
        self.compactor = self.compactor.counter(counter);
        match self.again {
            Some(find) => self.frontier = find(&self.log, &self.compactor),
            None => self.frontier.forget_tokens(),
        }
        self
    }

    /// Everything that was pushed and not [taken back](Self::take_back), in order and unchanged.
    pub fn log(&self) -> &[M] {
        &self.log
    }

    /// Gives the log back.
    pub fn into_log(self) -> Vec<M> {
        self.log
    }

    /// Messages in the log.
    pub fn len(&self) -> usize {
        self.log.len()
    }

    /// Whether nothing was pushed yet.
    pub fn is_empty(&self) -> bool {
        self.log.is_empty()
    }

    /// The position in the log before which everything is compacted; 0 if nothing is. It never moves back.
    pub fn frontier(&self) -> usize {
        self.frontier.head().frontier
    }

    /// The configuration.
    pub fn config(&self) -> &CompactionConfig {
        self.compactor.config()
    }

    /// What to send now.
    pub fn view(&self) -> Compacted<'_, M> {
        Compacted::borrowed(&self.log, self.frontier.head(), &self.compactor)
    }
}

impl<M: Compact> History<M> {
    /// A history of these messages. Batches of the past are not traced again. Its own counter, if it has one, is
    /// set next: see [`counter`](Self::counter).
    pub fn from_log(config: CompactionConfig, log: impl IntoIterator<Item = M>) -> Self {
        let compactor = Compactor::new(config);
        let log: Vec<M> = log.into_iter().collect();
        Self {
            frontier: Frontier::of(&log, &compactor),
            compactor,
            log,
            again: Some(Frontier::of),
        }
    }

    /// Takes back all messages from this position on, as if they had not been pushed; they are given back. The frontier is where
    /// the counter of now puts it.
    ///
    /// ```
    /// use prompt_core::{History, Message};
    ///
    /// let mut history = History::default();
    /// history.push(Message::user("Which way to the harbour?"));
    /// let taken = history.take_back(0);
    /// assert_eq!((history.len(), taken[0].text()), (0, "Which way to the harbour?".to_owned()));
    /// ```
    pub fn take_back(&mut self, from: usize) -> Vec<M> {
        let taken = self.log.split_off(from.min(self.log.len()));
        if !taken.is_empty() {
            self.frontier = Frontier::of(&self.log, &self.compactor);
        }
        taken
    }

    /// Appends a message, and moves the frontier or [clears results](super::ClearToolResults) if it is due.
    pub fn push(&mut self, message: M) {
        self.again = None;
        let before = self.frontier.changes();
        self.log.push(message);
        self.frontier.observe(&self.log, &self.compactor);
        if self.frontier.changes() > before {
            self.view().trace();
        }
    }
}

impl<M> Default for History<M> {
    fn default() -> Self {
        Self::new(CompactionConfig::default())
    }
}

impl<M: Compact> Extend<M> for History<M> {
    fn extend<I: IntoIterator<Item = M>>(&mut self, messages: I) {
        for message in messages {
            self.push(message);
        }
    }
}

impl<M: Serialize> Serialize for History<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut stored = serializer.serialize_struct("History", 4)?;
        stored.serialize_field("version", &Version)?;
        stored.serialize_field("config", self.config())?;
        stored.serialize_field("log", &self.log)?;
        stored.serialize_field("frontier", self.frontier.head())?;
        stored.end()
    }
}

/// A stored history, not checked yet.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a history")]
struct Stored<M> {
    #[serde(rename = "version")]
    _version: Version,
    config: CompactionConfig,
    log: Vec<M>,
    frontier: Head,
}

impl<'de, M: Compact + Deserialize<'de>> Deserialize<'de> for History<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Stored {
            config,
            log,
            frontier,
            ..
        } = Stored::<M>::deserialize(deserializer)?;
        let compactor = Compactor::new(config);
        let frontier = Frontier::resume(frontier, &log, &compactor).map_err(|fault| {
            D::Error::custom(format_args!(
                "history: the stored frontier does not fit: {fault}"
            ))
        })?;
        Ok(Self {
            compactor,
            log,
            frontier,
            again: None,
        })
    }
}
