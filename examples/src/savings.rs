//! What a conversation would have cost under a policy: its requests, replayed one by one and added up. This is how the
//! figures of the library's documentation were made; copy it to measure your own logs.
//!
//! - Every message that the model wrote, answer or tool call, is the reply to one request. The request is what the policy
//!   shows of the messages before it. (A greeting right after the system part replies to nothing.)
//! - The cached part of a request is the longest run of whole parts at its start with which the request before it started,
//!   too; the first request has none. Parts are messages, and the text blocks of recaps; they are compared by where they
//!   come from.
//! - cost = price of a cached read x cached tokens + price of a cache write x all other input tokens. Output costs the same
//!   under every policy and is left out, as are times to live and minimal lengths.
//! - A prefix break is a request whose predecessor is not a prefix of it.
//!
//! A system message of 2,000 tokens and 200 turns (question 300, answer 500, recap 30; three answers preserved, recap form
//! `Assistant`, read 0.1, write 1.25) cost 1,823,725 in full; 707,505, 2,017,450 and 3,725,600 with windows of 3, 10 and 20
//! exchanges; 772,185, 473,628, 448,741 and 481,657 with batches of 1, 4, 8 and 16 answers.

use prompt_core::History;
use prompt_core::compaction::{Compact, CompactionConfig, Item, Kind, Trigger};
use prompt_core::tokens::{EstimatedTokens, TokenCounter};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What is sent of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum HistoryPolicy {
    /// All of it.
    None,
    /// The system part, and the last exchanges, that many, with what came after them.
    Window(usize),
    /// The compacted view.
    Compaction(CompactionConfig),
}

/// Prices of input tokens, relative to the plain price: what is read from the cache, and what is written to it. Every
/// token that is not read is taken to be written.
#[derive(Clone)]
pub struct CostModel {
    cached_read: f64,
    cache_write: f64,
    counter: Arc<dyn TokenCounter>,
}

/// What the requests of a conversation come to under a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
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

/// One request of a replayed conversation.
#[derive(Clone, Copy, Debug, PartialEq)]
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

impl CostModel {
    /// These factors of the plain input price; tokens are estimated.
    pub fn new(cached_read: f64, cache_write: f64) -> Self {
        Self {
            cached_read,
            cache_write,
            counter: Arc::new(EstimatedTokens::default()),
        }
    }

    /// Anthropic, five-minute cache: reads 0.1, writes 1.25.
    /// Source: Anthropic's pricing table, "Prompt caching"
    /// (<https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching>). The one-hour cache writes at 2.0.
    pub fn anthropic() -> Self {
        Self::new(0.1, 1.25)
    }

    /// GPT-5 family of `OpenAI`: cached input 0.1 (0.125 of 1.25 dollars per million tokens), writes at the plain price.
    /// Source: its pricing table, "Cached input" (<https://openai.com/api/pricing/>). Older models give less: 0.25
    /// for GPT-4.1, 0.5 for GPT-4o; use [`CostModel::new`] for them.
    pub fn openai() -> Self {
        Self::new(0.1, 1.0)
    }

    /// Counts tokens with `counter`.
    #[must_use]
    pub fn counter(mut self, counter: impl TokenCounter + 'static) -> Self {
        self.counter = Arc::new(counter);
        self
    }

    fn cost(&self, tokens: u64, cached: u64) -> f64 {
        self.cached_read * number(cached) + self.cache_write * number(tokens - cached)
    }
}

/// The sum of all requests of a log under a policy.
pub fn simulate<M: Compact + Clone>(
    log: &[M],
    policy: impl Into<HistoryPolicy>,
    model: &CostModel,
) -> Simulation {
    let mut sum = Simulation::default();
    for request in requests(log, policy, model) {
        sum.requests += 1;
        sum.input_tokens += request.input_tokens;
        sum.cached_tokens += request.cached_tokens;
        sum.peak_tokens = sum.peak_tokens.max(request.input_tokens);
        sum.prefix_breaks += usize::from(request.prefix_broken);
    }
    sum.cost = model.cost(sum.input_tokens, sum.cached_tokens);
    sum
}

/// Where a part of a request comes from: a message of the log, in full or with its results cleared, or the text that stands for
/// some.
#[derive(Clone, PartialEq)]
enum Origin {
    Message(usize),
    Cleared(usize),
    Made(String),
}

/// The requests of a log, one by one.
pub fn requests<M: Compact + Clone>(
    log: &[M],
    policy: impl Into<HistoryPolicy>,
    model: &CostModel,
) -> Vec<RequestCost> {
    let (config, window) = match policy.into() {
        HistoryPolicy::None => (CompactionConfig::disabled(), None),
        HistoryPolicy::Window(exchanges) => (CompactionConfig::disabled(), Some(exchanges)),
        HistoryPolicy::Compaction(config) => (config, None),
    };
    let counter = Arc::clone(&model.counter);
    let counts = move |text: &str| counter.count(text);
    let mut history = History::new(config).counter(counts);
    let tokens: Vec<u64> = log
        .iter()
        .map(|message| message.tokens(&*model.counter) as u64)
        .collect();
    let is_lead = |message: &&M| message.kind() == Kind::Other;
    let lead = log.iter().take_while(is_lead).count();
    let mut answers = Vec::new();
    let mut last: Option<Vec<Origin>> = None;
    let mut requests = Vec::new();
    for (at, message) in log.iter().enumerate() {
        let kind = message.kind();
        if at > lead && (kind == Kind::Answer || !kind.calls().is_empty()) {
            let out = window.and_then(|exchanges| answers.len().checked_sub(exchanges + 1));
            let out = out
                .and_then(|out| answers.get(out))
                .map_or(0, |at: &usize| at + 1);
            let parts = parts(&history, lead.min(out)..out, &tokens, &*model.counter);
            let (request, origins) = request(at, parts, last.as_deref(), model);
            requests.push(request);
            last = Some(origins);
        }
        if kind == Kind::Answer {
            answers.push(at);
        }
        history.push(message.clone());
    }
    requests
}

/// What is shown of a history but for the messages at `out`: each part with its tokens.
fn parts<M: Compact>(
    history: &History<M>,
    out: Range<usize>,
    tokens: &[u64],
    counter: &dyn TokenCounter,
) -> Vec<(Origin, u64)> {
    let log = history.log();
    // The messages that stay are in the order of the log.
    let mut next = 0;
    let mut position = |message: &M| {
        let rest = log.get(next..).unwrap_or_default();
        let found = rest.iter().position(|other| std::ptr::eq(other, message));
        next += found.unwrap_or_default() + 1;
        next - 1
    };
    let part = |item| match item {
        Item::Full(message) => {
            let at = position(message);
            let tokens = tokens.get(at).copied().unwrap_or_default();
            (Origin::Message(at), tokens)
        }
        Item::Cleared { original, shown } => {
            let tokens = shown.tokens(counter) as u64;
            (Origin::Cleared(position(original)), tokens)
        }
        Item::Stub(text) => (Origin::Made(text.to_owned()), counter.count(text) as u64),
        Item::Recap(text) => {
            let tokens = counter.count(&text) as u64;
            (Origin::Made(text.into_owned()), tokens)
        }
    };
    let is_in = |(origin, _): &(Origin, u64)| match origin {
        Origin::Message(at) | Origin::Cleared(at) => !out.contains(at),
        Origin::Made(_) => true,
    };
    history.view().items().map(part).filter(is_in).collect()
}

fn request(
    message: usize,
    parts: Vec<(Origin, u64)>,
    last: Option<&[Origin]>,
    model: &CostModel,
) -> (RequestCost, Vec<Origin>) {
    let of_last = last.unwrap_or_default();
    let pairs = of_last.iter().zip(&parts);
    let same = pairs.take_while(|(one, (other, _))| *one == other).count();
    let input_tokens = parts.iter().map(|(_, tokens)| tokens).sum();
    let cached_tokens = parts.iter().take(same).map(|(_, tokens)| tokens).sum();
    let request = RequestCost {
        message,
        input_tokens,
        cached_tokens,
        prefix_broken: same < of_last.len(),
        cost: model.cost(input_tokens, cached_tokens),
    };
    (
        request,
        parts.into_iter().map(|(origin, _)| origin).collect(),
    )
}

impl Simulation {
    /// The share of the input that was read from the cache, from 0 to 1.
    pub fn hit_rate(&self) -> f64 {
        number(self.cached_tokens) / number(self.input_tokens.max(1))
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

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of tokens are far below 2^53"
)]
fn number(count: u64) -> f64 {
    count as f64
}

impl From<CompactionConfig> for HistoryPolicy {
    fn from(config: CompactionConfig) -> Self {
        Self::Compaction(config)
    }
}

impl fmt::Display for HistoryPolicy {
    /// A short name: `none`, `window 10`, `batch 8`, `tokens 60000..30000`, and behind it `keep 3` (and `gain 5000`) where results
    /// of tools are cleared.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.pad("none"),
            Self::Window(exchanges) => f.pad(&format!("window {exchanges}")),
            Self::Compaction(config) if !config.enabled() => f.pad("disabled"),
            Self::Compaction(config) => match config.trigger() {
                Trigger::Tokens { high, low } => {
                    let keep = config
                        .clear_tool_results()
                        .map(|rule| match rule.clear_at_least {
                            0 => format!(" keep {}", rule.keep),
                            gain => format!(" keep {} gain {gain}", rule.keep),
                        });
                    f.pad(&format!("tokens {high}..{low}{}", keep.unwrap_or_default()))
                }
                _ => f.pad(&format!("batch {}", config.batch_size())),
            },
        }
    }
}
