//! Compaction: older history shrinks to recaps, in whole batches, so that a provider's cache stays warm.
//!
//! A conversation comes in as a list of messages, [`Message`](crate::message::Message) or any type with [`Compact`]; a
//! [`Compacted`] view goes out. [`Compactor`] looks at a finished list; [`History`] keeps a list that grows. Both run
//! the same state machine over the messages, one by one, and so agree byte for byte.
//!
//! # The rule
//!
//! An *answer* is an assistant message without tool calls; the question and the tool traffic before it are its
//! *exchange*. With `n` answers, `p` = [`min_preserved`](CompactionConfigBuilder::min_preserved) and `b` =
//! [`batch_size`](CompactionConfigBuilder::batch_size), the `k` oldest answers are compacted:
//!
//! ```text
//! k = 0 if n < p + b, else b * floor((n - p) / b)
//! ```
//!
//! The *frontier* is the position after the k-th answer. Before it, questions and tool traffic go and answers become
//! their recaps; everything else stays. After it nothing changes by a byte. Because `k` moves in steps of `b`, the
//! view between two steps only grows at its end, which is what a prefix cache needs.
//!
//! ```
//! use prompt_core::compaction::CompactionConfig;
//! use prompt_core::History;
//! use prompt_core::Message;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let config = CompactionConfig::builder().min_preserved(1).batch_size(2).build()?;
//! let mut history = History::new(config);
//! history.push(Message::system("You keep the logbook of a lighthouse."));
//! for (question, answer) in [
//!     ("Lamp?", "Lit at dusk, burning well, wick trimmed, spare oil filled.\nrecap - lamp lit"),
//!     ("Fog?", "None so far; the horizon is clear in all directions.\nrecap - no fog"),
//!     ("Wind?", "South-west, four.\nrecap - wind SW 4"),
//! ] {
//!     history.push(Message::user(question));
//!     history.push(Message::assistant(answer));
//! }
//! let sent = history.view().messages();
//! assert_eq!(sent[1], Message::user(prompt_core::compaction::RECAP_STUB));
//! assert_eq!(sent[2].text(), "recap - lamp lit\nrecap - no fog");
//! assert_eq!(sent[3].text(), "Wind?");
//! assert_eq!(history.log().len(), 7); // nothing is lost
//! # Ok(()) }
//! ```
//!
//! # Tool calls
//!
//! A call and all its results stay or go together. Ids may be numbered anew in every reply: a result belongs to the
//! newest call of its id that still waits. A call without a result keeps its exchange in full, and so does a
//! result after the frontier; once it is before it, all of it goes. Results that answer nothing go with their
//! exchange. Which exchanges stay is listed in [`CompactionReport::kept`].
//!
//! A call of `open_sections` is traffic like any other, unless its result carries the text of a section
//! ([`Delivery::Append`](crate::disclosure::Delivery::Append)): then its exchange stays. A result that begins with `Now shown
//! in full in the prompt`, and one that is an error, carry none.
//!
//! Where nothing of this helps, since one question makes hundreds of calls, a [rule](ClearToolResults) clears the results of old
//! ones behind the frontier: [`clear_tool_results`](CompactionConfigBuilder::clear_tool_results).
//!
//! # Order of time
//!
//! What stays before the frontier (late results, images, opened texts, late system messages) keeps its place: the recaps of
//! older exchanges come before it, those of newer ones behind it. In the form `Exchange` there are several pairs of stub and
//! recaps then, so that roles alternate. What was sent is not changed: an exchange that goes late gets its recap at the end
//! of the block of the move with which it goes, between the two messages that stay around it.
//!
//! # Where the design leaves room
//!
//! - Messages before the first question, answer or tool message (for [`Message`](crate::message::Message): system messages) are
//!   never touched. So is the view that an earlier compaction left at the start of a log: stubs with their recaps, and
//!   exchanges before, between and behind them that would stay or save next to nothing. Compacting twice changes
//!   nothing, and a log that starts with an old view is continued behind it.
//! - An empty answer leaves nothing in an `Exchange` block, since providers refuse empty text. Where nothing at all would be
//!   left of the log, its batch stays.
//! - An answer without a recap is in the block as its text, without thoughts and signatures; if it is more than text (an
//!   image), it stays with its question. In the form `Assistant` it stays in its place.
//! - The stub counts to the batch that brings it in.
//!
//! The idea, batches and recap lines, comes from a design text of the public project *playbooks*.

mod batch;
mod calls;
mod clear;
mod clearable;
mod compact;
mod compactor;
mod config;
mod exchanges;
mod extractor;
mod frontier;
mod head;
mod hidden;
mod history;
mod report;
mod view;

pub use clear::ClearToolResults;
pub use compact::{Compact, CompactForm, Kind};
pub use compactor::Compactor;
pub use config::{CompactionConfig, CompactionConfigBuilder, CompactionError, RecapForm, Trigger};
pub use extractor::Extractor;
pub use head::RECAP_STUB;
pub use history::History;
pub use report::CompactionReport;
pub use view::{Compacted, Item};
