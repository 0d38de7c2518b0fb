//! The requests that a conversation made under a policy, part by part, and what a prefix cache saved of them.

use super::frontier::Frontier;
use super::shape::{Entry, RECAP_STUB};
use super::{Compact, CompactionConfig, Compactor, CostModel, HistoryPolicy, Kind, Simulation};

/// One part of a request.
#[derive(Clone, Copy)]
pub(super) struct Part {
    origin: Origin,
    tokens: u64,
}

/// Where a part comes from: parts of one origin are equal, because a view's compacted part only grows.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    Message(usize),
    Stub,
    Block(usize),
    Recap(usize),
}

/// A log being replayed.
pub(super) struct Replay<'a, M> {
    log: &'a [M],
    /// Tokens of each message.
    tokens: Vec<u64>,
    window: Option<usize>,
    /// Positions of the answers so far.
    answers: Vec<usize>,
    compactor: Compactor,
    frontier: Frontier,
    /// The parts before the frontier.
    head: Vec<Part>,
}

impl<'a, M: Compact> Replay<'a, M> {
    pub(super) fn new(log: &'a [M], policy: HistoryPolicy, model: &CostModel) -> Self {
        let (window, config) = match policy {
            HistoryPolicy::None => (None, CompactionConfig::disabled()),
            HistoryPolicy::Window(exchanges) => (Some(exchanges), CompactionConfig::disabled()),
            HistoryPolicy::Compaction(config) => (None, config),
        };
        Self {
            log,
            tokens: log
                .iter()
                .map(|message| message.tokens(model.counter()) as u64)
                .collect(),
            window,
            answers: Vec::new(),
            compactor: Compactor::new(config).with_counter(model.shared_counter()),
            frontier: Frontier::default(),
            head: Vec::new(),
        }
    }

    /// Whether the message at `position` is the model's reply to a request.
    pub(super) fn is_reply(&self, message: &M, position: usize) -> bool {
        position > self.frontier.shape().lead && message.kind().is_reply()
    }

    /// The message at `position` has been said.
    pub(super) fn read(&mut self, position: usize) {
        let before = self.frontier.shape().frontier;
        self.frontier.observe(
            self.log.get(..=position).unwrap_or(self.log),
            &self.compactor,
        );
        if self.frontier.shape().frontier > before {
            self.head = self.compacted_parts();
        }
        if self
            .log
            .get(position)
            .is_some_and(|message| message.kind() == Kind::Answer)
        {
            self.answers.push(position);
        }
    }

    /// What is sent to get the message at `position`.
    pub(super) fn request(&self, position: usize) -> Vec<Part> {
        let shape = self.frontier.shape();
        let start = self.window_start();
        let lead = if start > 0 { shape.lead } else { 0 };
        let tail = self.messages(shape.frontier.max(start), position);
        self.messages(0, lead)
            .chain(self.head.iter().copied())
            .chain(tail)
            .collect()
    }

    /// The position after the last answer that is out of the window; 0 if none is.
    fn window_start(&self) -> usize {
        let newest_out = self
            .window
            .and_then(|exchanges| self.answers.iter().rev().nth(exchanges));
        newest_out.map_or(0, |position| position + 1)
    }

    fn messages(&self, start: usize, end: usize) -> impl Iterator<Item = Part> {
        let tokens = self
            .tokens
            .iter()
            .copied()
            .enumerate()
            .take(end)
            .skip(start);
        tokens.map(|(position, tokens)| Part {
            origin: Origin::Message(position),
            tokens,
        })
    }

    fn compacted_parts(&self) -> Vec<Part> {
        let shape = self.frontier.shape();
        let text = |origin, text: &str| Part {
            origin,
            tokens: self.compactor.counter().count(text) as u64,
        };
        let mut parts: Vec<Part> = self.messages(0, shape.lead).collect();
        if !shape.blocks.is_empty() {
            parts.push(text(Origin::Stub, RECAP_STUB));
        }
        parts.extend(
            shape
                .blocks
                .iter()
                .enumerate()
                .map(|(place, block)| text(Origin::Block(place), block)),
        );
        for (place, entry) in shape.entries.iter().enumerate() {
            match entry {
                Entry::Full(position) => parts.extend(self.messages(*position, position + 1)),
                Entry::Recap(recap) => parts.push(text(Origin::Recap(place), recap)),
            }
        }
        parts
    }
}

/// Adds up requests.
#[derive(Default)]
pub(super) struct Meter {
    last: Vec<Part>,
    sum: Simulation,
}

impl Meter {
    /// A request goes out.
    pub(super) fn send(&mut self, request: Vec<Part>) {
        let tokens = request.iter().map(|part| part.tokens).sum();
        let shared = self
            .last
            .iter()
            .zip(&request)
            .take_while(|(last, part)| last.origin == part.origin);
        let (mut parts, mut cached) = (0, 0);
        for (_, part) in shared {
            parts += 1;
            cached += part.tokens;
        }
        self.sum.requests += 1;
        self.sum.input_tokens += tokens;
        self.sum.cached_tokens += cached;
        self.sum.peak_tokens = self.sum.peak_tokens.max(tokens);
        self.sum.prefix_breaks += usize::from(parts < self.last.len());
        self.last = request;
    }

    /// The sums, priced.
    pub(super) fn total(self, model: &CostModel) -> Simulation {
        let cost = model.cost(self.sum.input_tokens, self.sum.cached_tokens);
        Simulation { cost, ..self.sum }
    }
}
