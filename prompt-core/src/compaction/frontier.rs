//! The state machine behind [`Compactor`] and [`History`](super::History): it sees every message once, in order, and
//! moves the frontier when the trigger says so. What it decides about a batch, it decides once.

use super::batch::Batch;
use super::pairing::Pairing;
use super::shape::{Entry, Opening, RECAP_STUB, Shape};
use super::tally::Tally;
use super::{Compact, Compacted, Compactor, Kind, Trigger};
use crate::tokens::TokenCounter;
use std::collections::VecDeque;

/// Where a conversation stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Frontier {
    shape: Shape,
    /// Messages seen so far.
    seen: usize,
    opening: Opening,
    /// Positions of the answers after the frontier.
    answers: VecDeque<usize>,
    pairing: Pairing,
    /// Tokens of the view; counted when first needed.
    tally: Option<Tally>,
}

impl Frontier {
    /// What stands before the frontier now.
    pub(super) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The same, without the rest of the state.
    pub(super) fn into_shape(self) -> Shape {
        self.shape
    }

    /// Another counter counts from now on.
    pub(super) fn forget_tokens(&mut self) {
        self.tally = None;
    }

    /// Reads the messages of `log` that it has not seen, one by one.
    pub(super) fn observe<M: Compact>(&mut self, log: &[M], rules: &Compactor) {
        for (position, message) in log.iter().enumerate().skip(self.seen) {
            self.note(position, message);
            self.advance(log.get(..=position).unwrap_or(log), message, rules);
        }
        self.seen = log.len();
    }

    /// Goes on where a stored conversation stood: what is before the frontier is not decided again.
    pub(super) fn resume<M: Compact>(shape: Shape, log: &[M]) -> Result<Self, &'static str> {
        if let Some(fault) = shape.fault(log.len()) {
            return Err(fault);
        }
        let mut resumed = Self {
            seen: log.len(),
            ..Self::default()
        };
        for position in shape.entries.iter().filter_map(Entry::position) {
            let kind = log.get(position).map_or(Kind::Other, Compact::kind);
            resumed.pairing.note(position, &kind);
        }
        if shape.frontier > 0 {
            resumed.opening = Opening::Over;
        }
        for (position, message) in log.iter().enumerate().skip(shape.frontier) {
            resumed.note(position, message);
        }
        let lead = if shape.frontier > 0 {
            shape.lead
        } else {
            resumed.shape.lead
        };
        resumed.shape = Shape { lead, ..shape };
        Ok(resumed)
    }

    fn note<M: Compact>(&mut self, position: usize, message: &M) {
        let kind = message.kind();
        if self.opening.read(message, &kind) {
            self.shape.lead = position + 1;
        } else if kind == Kind::Answer {
            self.answers.push_back(position);
        }
        self.pairing.note(position, &kind);
    }

    /// `log` ends with `message`, which has just been noted.
    fn advance<M: Compact>(&mut self, log: &[M], message: &M, rules: &Compactor) {
        let config = rules.config();
        match config.trigger() {
            _ if !config.enabled() => {}
            Trigger::Answers => self.advance_by_answers(log, rules),
            Trigger::Tokens { high, low } => {
                let mut tally = self.tally_with(log, message, rules.counter());
                while tally.view() > high && self.answers.len() > config.min_preserved() {
                    self.move_below(low, log, &mut tally, rules);
                }
                self.tally = Some(tally);
            }
        }
    }

    fn advance_by_answers<M: Compact>(&mut self, log: &[M], rules: &Compactor) {
        let config = rules.config();
        while self.answers.len() >= config.min_preserved().saturating_add(config.batch_size()) {
            let Some(end) = self.take_answers(config.batch_size()) else {
                break;
            };
            let block = self.close(end, log, self.stub_bytes(), rules);
            self.push_block(block);
        }
    }

    fn tally_with<M: Compact>(
        &mut self,
        log: &[M],
        message: &M,
        counter: &dyn TokenCounter,
    ) -> Tally {
        match self.tally.take() {
            Some(mut tally) => {
                tally.push(message.tokens(counter));
                tally
            }
            None => Tally::of(&Compacted::borrowed(log, &self.shape), counter),
        }
    }

    /// One move of the token trigger: exchange by exchange, each decided for itself, their recaps in one block.
    fn move_below<M: Compact>(
        &mut self,
        low: usize,
        log: &[M],
        tally: &mut Tally,
        rules: &Compactor,
    ) {
        let counter = rules.counter();
        let mut block = String::new();
        let mut line_tokens = 0;
        while tally.view() >= low && self.answers.len() > rules.config().min_preserved() {
            let Some(end) = self.take_answers(1) else {
                break;
            };
            let (start, entries) = (self.shape.next_start(), self.shape.entries.len());
            let block_costs = if block.is_empty() {
                self.stub_bytes()
            } else {
                "\n".len()
            };
            let recap = self.close(end, log, block_costs, rules);
            tally.settle(
                start..end,
                self.shape.entries.get(entries..).unwrap_or_default(),
                counter,
            );
            if self.shape.blocks.is_empty() && block.is_empty() && !recap.is_empty() {
                tally.add(counter.count(RECAP_STUB));
            }
            let tokens = counter.count(&recap);
            tally.add(tokens);
            line_tokens += tokens;
            join_line(&mut block, &recap);
        }
        // A counter may see more, or less, in the joined block than in its lines.
        tally.remove(line_tokens);
        tally.add(counter.count(&block));
        self.push_block(block);
    }

    /// The position after the `count` oldest answers behind the frontier, which are taken off.
    fn take_answers(&mut self, count: usize) -> Option<usize> {
        let count = count.min(self.answers.len());
        self.answers
            .drain(..count)
            .next_back()
            .map(|position| position + 1)
    }

    /// Moves the frontier to `end`. What becomes of the messages goes into the shape, but for the text of the block,
    /// which is returned.
    fn close<M: Compact>(
        &mut self,
        end: usize,
        log: &[M],
        block_costs: usize,
        rules: &Compactor,
    ) -> String {
        let config = rules.config();
        let range = self.shape.next_start()..end;
        self.shape.frontier = end;
        let batch = Batch::read(log, range.clone(), &self.pairing, config.extractor());
        let Some(compacted) = batch.compact(config.recap_form(), block_costs) else {
            self.shape.entries.extend(range.map(Entry::Full));
            return String::new();
        };
        batch
            .gone_traffic()
            .for_each(|kind| self.pairing.forget(kind));
        self.shape.entries.extend(compacted.entries);
        self.shape.recaps_missing.extend(compacted.recaps_missing);
        compacted.block
    }

    fn push_block(&mut self, block: String) {
        if !block.is_empty() {
            self.shape.blocks.push(block);
        }
    }

    /// Bytes that the next block brings along: the stub, as long as there is none.
    fn stub_bytes(&self) -> usize {
        if self.shape.blocks.is_empty() {
            RECAP_STUB.len()
        } else {
            0
        }
    }
}

fn join_line(block: &mut String, line: &str) {
    if !block.is_empty() && !line.is_empty() {
        block.push('\n');
    }
    block.push_str(line);
}
