//! What a conversation would have cost under a policy: the requests of a log, replayed and added up.

use super::frontier::Frontier;
use super::head::{Entry, RECAP_STUB};
use super::report::ratio;
use super::{Compact, CompactionConfig, Compactor, CostModel, Kind, Trigger};
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
/// The replay costs what the log costs (n log n): a request is not looked at again, only what changed since the one
/// before. Counts of more than 4,294,967,295 tokens per message are taken as that many, and sums saturate.
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
    let mut sum = Simulation::default();
    for request in Replay::new(log, policy.into(), model) {
        sum.requests += 1;
        sum.input_tokens = sum.input_tokens.saturating_add(request.input_tokens);
        sum.cached_tokens = sum.cached_tokens.saturating_add(request.cached_tokens);
        sum.peak_tokens = sum.peak_tokens.max(request.input_tokens);
        sum.prefix_breaks += usize::from(request.prefix_broken);
    }
    sum.cost = model.cost(sum.input_tokens, sum.cached_tokens);
    sum
}

/// The same requests one by one, for a chart of what each turn costs.
pub fn requests<M: Compact>(
    log: &[M],
    policy: impl Into<HistoryPolicy>,
    model: &CostModel,
) -> Vec<RequestCost> {
    Replay::new(log, policy.into(), model).collect()
}

/// One request of a replayed conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RequestCost {
    /// Position of the reply in the log.
    pub message: usize,
    /// Input tokens.
    pub input_tokens: u64,
    /// Input tokens read from the cache.
    pub cached_tokens: u64,
    /// Whether the request before it is not a prefix of it.
    pub prefix_broken: bool,
    /// Price of the input, in units of one plain input token.
    pub cost: f64,
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

/// What policies save on one log: the rows of a table. Printed, it is that table; costs are relative to the first row.
///
/// ```
/// use prompt_core::Message;
/// use prompt_core::compaction::{CompactionConfig, CostModel, HistoryPolicy, Savings};
/// # fn main() -> Result<(), prompt_core::compaction::CompactionError> {
/// let log = [Message::user("How high is the water?"), Message::assistant("Two metres.")];
/// let policies = [HistoryPolicy::None, HistoryPolicy::from(CompactionConfig::default())];
/// let savings = Savings::of(&log, policies, &CostModel::anthropic());
/// assert_eq!(
///     savings.to_string(),
///     "| policy  | input tokens | peak | hit rate | cost | of none | prefix breaks |\n\
///      |---------|-------------:|-----:|---------:|-----:|--------:|--------------:|\n\
///      | none    |            6 |    6 |    0.0 % |    8 |   1.00x |             0 |\n\
///      | batch 4 |            6 |    6 |    0.0 % |    8 |   1.00x |             0 |\n"
/// );
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Savings {
    /// Each policy, and what the requests come to under it.
    pub rows: Vec<(HistoryPolicy, Simulation)>,
}

impl Savings {
    /// Replays the log under each policy.
    pub fn of<M: Compact>(
        log: &[M],
        policies: impl IntoIterator<Item = HistoryPolicy>,
        model: &CostModel,
    ) -> Self {
        let row = |policy: HistoryPolicy| (policy.clone(), simulate(log, policy, model));
        Self {
            rows: policies.into_iter().map(row).collect(),
        }
    }
}

impl fmt::Display for Savings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, base)) = self.rows.first() else {
            return Ok(());
        };
        let heads = [
            "policy".to_owned(),
            "input tokens".to_owned(),
            "peak".to_owned(),
            "hit rate".to_owned(),
            "cost".to_owned(),
            format!("of {first}"),
            "prefix breaks".to_owned(),
        ];
        let cells = |(policy, row): &(HistoryPolicy, Simulation)| {
            [
                policy.to_string(),
                row.input_tokens.to_string(),
                row.peak_tokens.to_string(),
                format!("{:.1} %", 100.0 * row.hit_rate()),
                format!("{:.0}", row.cost),
                format!("{:.2}x", row.cost_relative_to(base)),
                row.prefix_breaks.to_string(),
            ]
        };
        let rows: Vec<[String; 7]> = self.rows.iter().map(cells).collect();
        let widths: [usize; 7] = std::array::from_fn(|column| {
            let cells = rows.iter().chain([&heads]);
            cells.map(|row| row[column].len()).max().unwrap_or_default()
        });
        let line = |f: &mut fmt::Formatter<'_>, row: &[String; 7]| {
            write!(f, "| {:<1$} |", row[0], widths[0])?;
            for (cell, width) in row.iter().zip(widths).skip(1) {
                write!(f, " {cell:>width$} |")?;
            }
            writeln!(f)
        };
        line(f, &heads)?;
        write!(f, "|{:-<1$}|", "", widths[0] + 2)?;
        for width in &widths[1..] {
            write!(f, "{:-<1$}:|", "", width + 1)?;
        }
        writeln!(f)?;
        rows.iter().try_for_each(|row| line(f, row))
    }
}

// ---- the replay

/// A log being replayed: an iterator over its requests.
///
/// A request is the lead, the stub and the blocks, and what the view shows of each later position. It is never built:
/// `shown` holds the tokens at each position, so that any part of a request is a difference of two sums. Between two
/// requests the view only grows, but for the positions that a move of the frontier (or window) changed: the first of them
/// is where the cached prefix ends.
struct Replay<'a, M> {
    log: &'a [M],
    model: &'a CostModel,
    compactor: Compactor,
    frontier: Frontier,
    /// The next message to be read.
    at: usize,
    shown: Sums,
    /// Tokens of stub and blocks, and how many blocks are counted.
    front: (u64, usize),
    window: Option<Window>,
    /// The request before.
    last: Option<Sent>,
}

/// The last exchanges of a window policy.
struct Window {
    exchanges: usize,
    /// Positions of the answers.
    answers: Vec<usize>,
    /// The position after the newest answer that is out of the window.
    start: usize,
}

/// What has to be known of a request when the next one is sent.
#[derive(Clone, Copy)]
struct Sent {
    /// Its front, and whether messages followed that.
    front: u64,
    goes_on: bool,
    /// The messages before this position have not changed since; at first the end of the request.
    unchanged: usize,
    end: usize,
}

impl<'a, M: Compact> Replay<'a, M> {
    fn new(log: &'a [M], policy: HistoryPolicy, model: &'a CostModel) -> Self {
        let (window, config) = match policy {
            HistoryPolicy::None => (None, CompactionConfig::disabled()),
            HistoryPolicy::Window(exchanges) => (Some(exchanges), CompactionConfig::disabled()),
            HistoryPolicy::Compaction(config) => (None, config),
        };
        Self {
            log,
            model,
            compactor: Compactor::new(config).with_counter(model.shared_counter()),
            frontier: Frontier::default(),
            at: 0,
            shown: Sums::new(log.len()),
            front: (0, 0),
            window: window.map(|exchanges| Window {
                exchanges,
                answers: Vec::new(),
                start: 0,
            }),
            last: None,
        }
    }

    /// The message at `position` has been said.
    fn read(&mut self, position: usize, message: &M) {
        let tokens = bounded(message.tokens(self.model.counter()));
        self.shown.set(position, Some(tokens));
        let read = self.log.get(..=position).unwrap_or(self.log);
        self.frontier.observe(read, &self.compactor);
        for &position in self.frontier.changed() {
            let tokens = match self.frontier.head().entries.get(&position) {
                Some(Entry::Recap(text)) => Some(self.tokens_of(text)),
                Some(Entry::Full) | None => None,
            };
            self.shown.set(position, tokens);
            forget_from(&mut self.last, position);
        }
        let counted = self.front.1;
        for block in self.frontier.head().blocks.iter().skip(counted) {
            if self.front.1 == 0 {
                self.front.0 += self.tokens_of(RECAP_STUB);
            }
            self.front.0 += self.tokens_of(block);
            self.front.1 += 1;
        }
        if message.kind() == Kind::Answer {
            self.slide(position);
        }
    }

    fn tokens_of(&self, text: &str) -> u64 {
        bounded(self.model.counter().count(text))
    }

    /// An answer moves the window.
    fn slide(&mut self, answer: usize) {
        let lead = self.frontier.head().lead;
        let Some(window) = &mut self.window else {
            return;
        };
        window.answers.push(answer);
        let out = window
            .answers
            .len()
            .checked_sub(window.exchanges.saturating_add(1));
        let newest_out = out.and_then(|out| window.answers.get(out));
        let end = newest_out.map_or(0, |position| position + 1);
        for position in window.start.max(lead)..end {
            self.shown.set(position, None);
            forget_from(&mut self.last, position);
        }
        window.start = window.start.max(end);
    }

    /// What is sent to get the message at `position`.
    fn send(&mut self, position: usize) -> RequestCost {
        let (lead, front) = (self.frontier.head().lead, self.front.0);
        let input_tokens = front.saturating_add(self.shown.before(position).tokens);
        let (cached_tokens, prefix_broken) = match self.last {
            None => (0, false),
            Some(last) if last.front != front => {
                (last.front + self.shown.before(lead).tokens, last.goes_on)
            }
            Some(last) => (
                front.saturating_add(self.shown.before(last.unchanged).tokens),
                last.unchanged < last.end,
            ),
        };
        let parts = self.shown.before(position).parts - self.shown.before(lead.min(position)).parts;
        self.last = Some(Sent {
            front,
            goes_on: parts > 0,
            unchanged: position,
            end: position,
        });
        RequestCost {
            message: position,
            input_tokens,
            cached_tokens,
            prefix_broken,
            cost: self.model.cost(input_tokens, cached_tokens),
        }
    }
}

impl<M: Compact> Iterator for Replay<'_, M> {
    type Item = RequestCost;

    fn next(&mut self) -> Option<RequestCost> {
        loop {
            let (position, message) = (self.at, self.log.get(self.at)?);
            self.at += 1;
            // A greeting right after the system part replies to nothing.
            let replies = position > self.frontier.head().lead && message.kind().is_reply();
            let request = replies.then(|| self.send(position));
            self.read(position, message);
            if request.is_some() {
                return request;
            }
        }
    }
}

fn forget_from(last: &mut Option<Sent>, position: usize) {
    if let Some(last) = last {
        last.unchanged = last.unchanged.min(position);
    }
}

/// A count that can be added up a few billion times.
fn bounded(tokens: usize) -> u64 {
    u64::from(u32::try_from(tokens).unwrap_or(u32::MAX))
}

/// Tokens at each position, with the sums before any position in log n steps: a Fenwick tree.
struct Sums {
    tree: Vec<Sum>,
    /// `None` where nothing is shown.
    at: Vec<Option<u64>>,
}

#[derive(Clone, Copy, Default)]
struct Sum {
    tokens: u64,
    parts: u64,
}

impl Sums {
    fn new(len: usize) -> Self {
        Self {
            tree: vec![Sum::default(); len + 1],
            at: vec![None; len],
        }
    }

    fn set(&mut self, position: usize, tokens: Option<u64>) {
        let Some(at) = self.at.get_mut(position) else {
            return;
        };
        let before = std::mem::replace(at, tokens);
        let mut node = position + 1;
        while let Some(sum) = self.tree.get_mut(node) {
            sum.tokens = sum.tokens - before.unwrap_or_default() + tokens.unwrap_or_default();
            sum.parts = sum.parts - u64::from(before.is_some()) + u64::from(tokens.is_some());
            node += node & node.wrapping_neg();
        }
    }

    /// Of all positions before this one.
    fn before(&self, position: usize) -> Sum {
        let mut sum = Sum::default();
        let mut node = position.min(self.at.len());
        while node > 0 {
            let part = self.tree.get(node).copied().unwrap_or_default();
            sum.tokens += part.tokens;
            sum.parts += part.parts;
            node &= node - 1;
        }
        sum
    }
}
