//! What a conversation would have cost under a policy: the requests of a log, replayed and added up.

use super::replay::{Meter, Replay};
use super::report::ratio;
use super::{Compact, CompactionConfig, CostModel, Trigger};
use serde::Serialize;
use std::fmt;

/// What is sent of a conversation.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum HistoryPolicy {
    /// All of it.
    None,
    /// The system part, and the last exchanges, that many, with what came after them.
    Window(usize),
    /// The compacted view.
    Compaction(CompactionConfig),
}

/// What the requests of a conversation come to under a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Simulation {
    /// Requests, one per message that the model wrote.
    pub requests: usize,
    /// Input tokens of all requests.
    pub input_tokens: u64,
    /// Input tokens of the largest request.
    pub peak_tokens: u64,
    /// Input tokens read from the cache.
    pub cached_tokens: u64,
    /// Requests whose predecessor is not a prefix of them.
    pub prefix_breaks: usize,
    /// Price of all input, in units of one plain input token.
    pub cost: f64,
}

/// Replays the requests of a log under a policy; a [`CompactionConfig`] is one, too.
///
/// # The accounting
///
/// - Every message that the model wrote, answer or tool call, is the reply to one request. The request is what the
///   policy shows of the messages before it. (A greeting right after the system part replies to nothing.)
/// - The cached part of a request is the longest run of whole parts at its start with which the request before it
///   started, too; the first request has none. Parts are messages, and the text blocks of the recap message; they are
///   compared by where they come from.
/// - cost = price of a cached read x cached tokens + price of a cache write x all other input tokens. Output costs the
///   same under every policy and is left out, as are times to live and minimal lengths.
/// - A prefix break is a request whose predecessor is not a prefix of it.
///
/// A system message of 2,000 tokens and 200 turns (question 300, answer 500, recap 30; three answers preserved,
/// recap form `Assistant`, read 0.1, write 1.25) cost 1,823,725 in full; 707,505, 2,017,450 and 3,725,600 with windows
/// of 3, 10 and 20 exchanges; 772,185, 473,628, 448,741 and 481,657 with batches of 1, 4, 8 and 16 answers.
///
/// The replay costs what the requests show: it is quadratic for [`HistoryPolicy::None`].
///
/// ```
/// use prompt_core::compaction::CompactionConfig;
/// use prompt_core::compaction::CostModel;
/// use prompt_core::Message;
/// use prompt_core::compaction::HistoryPolicy;
/// use prompt_core::compaction::simulate;
/// # fn main() -> Result<(), prompt_core::compaction::CompactionError> {
/// let mut log = vec![Message::system("You answer questions about tides.")];
/// for day in 0..60 {
///     log.push(Message::user(format!("When is high water on day {day}, and how high does it come at the quay?")));
///     log.push(Message::assistant(format!("At noon, four metres, with the wind behind it.\nrecap - day {day}: 4 m")));
/// }
/// let model = CostModel::anthropic();
/// let all = simulate(&log, HistoryPolicy::None, &model);
/// let batches = simulate(&log, CompactionConfig::builder().batch_size(8).build()?, &model);
/// assert_eq!(all.prefix_breaks, 0);
/// assert!(batches.cost_relative_to(&all) < 1.0);
/// # Ok(()) }
/// ```
pub fn simulate<M: Compact>(
    log: &[M],
    policy: impl Into<HistoryPolicy>,
    model: &CostModel,
) -> Simulation {
    let mut replay = Replay::new(log, policy.into(), model);
    let mut meter = Meter::default();
    for (position, message) in log.iter().enumerate() {
        if replay.is_reply(message, position) {
            meter.send(replay.request(position));
        }
        replay.read(position);
    }
    meter.total(model)
}

impl Simulation {
    /// The share of the input that was read from the cache, from 0 to 1.
    pub fn hit_rate(&self) -> f64 {
        if self.input_tokens == 0 {
            0.0
        } else {
            ratio(self.cached_tokens, self.input_tokens)
        }
    }

    /// The cost in costs of `other`: 1.0 if both cost the same.
    pub fn cost_relative_to(&self, other: &Self) -> f64 {
        if other.cost > 0.0 {
            self.cost / other.cost
        } else {
            1.0
        }
    }
}

impl From<CompactionConfig> for HistoryPolicy {
    fn from(config: CompactionConfig) -> Self {
        Self::Compaction(config)
    }
}

impl fmt::Display for HistoryPolicy {
    /// A short name: `none`, `window 10`, `batch 8`, `tokens 60000..30000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Window(exchanges) => f.pad(&format!("window {exchanges}")),
            Self::Compaction(config) if !config.enabled() => f.pad("disabled"),
            Self::Compaction(config) => match config.trigger() {
                Trigger::Answers => f.pad(&format!("batch {}", config.batch_size())),
                Trigger::Tokens { high, low } => f.pad(&format!("tokens {high}..{low}")),
            },
        }
    }
}
