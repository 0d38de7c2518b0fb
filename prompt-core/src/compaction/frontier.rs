//! The state machine behind [`Compactor`] and [`History`](super::History): it sees every message once, in order, and
//! moves the frontier when the trigger says so. What it decides about an exchange, it decides once.

use super::batch::{Batch, CompactBatch, Fate};
use super::exchanges::Exchanges;
use super::head::{Entry, Head, RECAP_STUB, is_stub};
use super::{Compact, Compacted, Compactor, Kept, Kind, RecapForm, Trigger};
use crate::message::Verdict;
use crate::tokens::TokenCounter;
use std::ops::Range;

/// Where a conversation stands.
#[derive(Clone, Debug, Default)]
pub(super) struct Frontier {
    head: Head,
    /// Messages seen so far.
    seen: usize,
    opening: Opening,
    exchanges: Exchanges,
    /// The first exchange after the frontier.
    next: usize,
    /// Tokens of the view; counted when first needed.
    tally: Option<Tally>,
    /// Positions at which the view has changed at the last message.
    changed: Vec<usize>,
    /// Answers of the open exchange that were refused, and the messages that refuse them.
    refused: Vec<usize>,
    /// Those that went from the view with the last message. Should it be refused, too, they come back.
    forgotten: Vec<usize>,
}

/// How far the start of a log is read that nothing touches: messages of other kinds, and what an earlier compaction in
/// the form `Exchange` left there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Opening {
    /// All messages so far belong to it.
    #[default]
    Lead,
    /// The last message may be a stub: it is one if an answer follows.
    Stub,
    /// All messages so far belong to it, and recaps are among them.
    Recaps,
    /// An exchange behind recaps.
    BehindRecaps,
    /// The conversation has begun.
    Over,
}

impl Frontier {
    /// What stands before the frontier now.
    pub(super) fn head(&self) -> &Head {
        &self.head
    }

    /// The same, without the rest of the state.
    pub(super) fn into_head(self) -> Head {
        self.head
    }

    /// Positions whose message went from the view, or became its recap, at the last message seen.
    pub(super) fn changed(&self) -> &[usize] {
        &self.changed
    }

    /// Another counter counts from now on.
    pub(super) fn forget_tokens(&mut self) {
        self.tally = None;
    }

    /// Reads the messages of `log` that it has not seen, one by one.
    pub(super) fn observe<M: Compact>(&mut self, log: &[M], rules: &Compactor) {
        for (position, message) in log.iter().enumerate().skip(self.seen) {
            let log = log.get(..=position).unwrap_or(log);
            self.changed.clear();
            self.note(log, position, message, rules);
            self.advance(log, message, rules);
        }
        self.seen = log.len();
    }

    /// Goes on where a stored conversation stood: what is before the frontier is not decided again.
    pub(super) fn resume<M: Compact>(
        head: Head,
        log: &[M],
        rules: &Compactor,
    ) -> Result<Self, &'static str> {
        if let Some(fault) = head.fault(log.len()) {
            return Err(fault);
        }
        let mut resumed = Self {
            seen: log.len(),
            ..Self::default()
        };
        if head.frontier > 0 {
            resumed.opening = Opening::Over;
        }
        for (position, message) in log.iter().enumerate() {
            if position < head.lead && head.frontier > 0 {
                resumed.note_lead(position, &message.kind());
            } else {
                resumed.note(log, position, message, rules);
            }
            if position + 1 == head.frontier {
                resumed.next = resumed.exchanges.open();
            }
        }
        if head.frontier > 0 {
            let last = resumed.next.checked_sub(1);
            if last.map(|last| resumed.exchanges.range(last).end) != Some(head.frontier) {
                return Err("the frontier is not behind an answer");
            }
            let hidden = std::mem::take(&mut resumed.head.hidden);
            resumed.head = Head { hidden, ..head };
        }
        Ok(resumed)
    }

    /// `log` ends with `message`, or goes on behind it.
    fn note<M: Compact>(&mut self, log: &[M], position: usize, message: &M, rules: &Compactor) {
        let kind = message.kind();
        if self.opening == Opening::Over {
            self.note_verdict(log, position, message, &kind);
            self.exchanges.read(position, &kind);
            return;
        }
        let belongs = match (self.opening, &kind) {
            (Opening::Lead | Opening::Recaps, Kind::Other) => true,
            (Opening::Stub, Kind::Answer) => {
                self.opening = Opening::Recaps;
                true
            }
            (Opening::Lead | Opening::Recaps, Kind::Question) if is_stub(message) => {
                self.opening = Opening::Stub;
                false
            }
            (Opening::Recaps | Opening::BehindRecaps, Kind::Answer) => {
                let belongs = self.is_of_old_view(log, position, rules);
                self.opening = if belongs {
                    Opening::Recaps
                } else {
                    Opening::Over
                };
                belongs
            }
            (Opening::Recaps | Opening::BehindRecaps, _) => {
                self.opening = Opening::BehindRecaps;
                false
            }
            (Opening::Lead | Opening::Stub | Opening::Over, _) => {
                self.opening = Opening::Over;
                false
            }
        };
        if belongs {
            self.note_lead(position, &kind);
            self.head.lead = position + 1;
        } else {
            self.exchanges.read(position, &kind);
        }
    }

    /// A typed answer that is refused does not end its exchange, and goes from the view, with the message that refuses it,
    /// as soon as another answer comes. Should that be refused, too, the next request needs all of them: they come back.
    /// What the frontier has passed is not decided again.
    fn note_verdict<M: Compact>(&mut self, log: &[M], position: usize, message: &M, kind: &Kind) {
        let forgotten = std::mem::take(&mut self.forgotten);
        match message.verdict() {
            Some(Verdict::Refused) => {
                let last = position
                    .checked_sub(1)
                    .and_then(|last| Some((last, log.get(last)?)));
                let Some((last, said)) = last.map(|(last, said)| (last, said.kind())) else {
                    return;
                };
                if said == Kind::Answer {
                    if self.next >= self.exchanges.open() {
                        return;
                    }
                    self.exchanges.reopen();
                } else if !said.is_reply() {
                    return;
                }
                for &shown in &forgotten {
                    self.head.hidden.remove(&shown);
                    if let Some(tally) = &mut self.tally {
                        tally.show(shown);
                    }
                }
                self.changed.extend(&forgotten);
                self.refused.splice(..0, forgotten);
                self.refused.extend([last, position]);
            }
            None if *kind != Kind::Answer => {}
            Some(Verdict::Accepted) | None => {
                self.forgotten = std::mem::take(&mut self.refused);
                self.head.hidden.extend(&self.forgotten);
                self.changed.extend(&self.forgotten);
                if let Some(tally) = &mut self.tally {
                    self.forgotten.iter().for_each(|&hidden| tally.hide(hidden));
                }
            }
        }
    }

    /// A message of the lead: all of it stays, and what is tied to it.
    fn note_lead(&mut self, position: usize, kind: &Kind) {
        if *kind == Kind::Other {
            self.exchanges.skip(position);
            return;
        }
        let open = self.exchanges.open();
        self.exchanges.read(position, kind);
        if *kind == Kind::Answer {
            self.exchanges.pin(open);
            self.next = open + 1;
        }
    }

    /// Whether the exchange that ends with the answer at `position` looks like one that the compaction before left in
    /// full: then it stays, or compacting twice would differ from compacting once. (An exchange of a batch that was not
    /// shorter saves little more than the stub and the line breaks of the batch.) So the first exchange that is worth
    /// compacting, and all behind it, stood after the old frontier, where less than a batch was waiting.
    fn is_of_old_view<M: Compact>(
        &mut self,
        log: &[M],
        position: usize,
        rules: &Compactor,
    ) -> bool {
        let config = rules.config();
        if config.recap_form() != RecapForm::Exchange {
            return false;
        }
        let open = self.exchanges.open();
        let range = self.exchanges.range(open).start..position + 1;
        let exchange = Batch::read(
            log,
            [range].into_iter(),
            &self.head.hidden,
            config.extractor(),
            config.recap_form(),
        );
        let line_breaks = config.batch_size().saturating_mul(8);
        let little = RECAP_STUB.len().saturating_add(line_breaks);
        self.exchanges.is_waiting(open)
            || exchange.keeps_any()
            || exchange.gain().is_some_and(|gain| gain <= little)
    }

    /// `log` ends with `message`, which has just been noted.
    fn advance<M: Compact>(&mut self, log: &[M], message: &M, rules: &Compactor) {
        let config = rules.config();
        match config.trigger() {
            _ if !config.enabled() => {}
            Trigger::Answers => self.advance_by_answers(log, rules),
            Trigger::Tokens { high, low } => {
                let mut tally = self.tally_with(log, message, rules.counter());
                while tally.view > high && self.answers() > config.min_preserved() {
                    self.move_below(low, log, &mut tally, rules);
                }
                self.tally = Some(tally);
            }
        }
    }

    /// Answers after the frontier.
    fn answers(&self) -> usize {
        self.exchanges.open() - self.next
    }

    fn advance_by_answers<M: Compact>(&mut self, log: &[M], rules: &Compactor) {
        let config = rules.config();
        let due = config.min_preserved().saturating_add(config.batch_size());
        while self.answers() >= due {
            let batch = self.pass(config.batch_size(), "", log, rules);
            self.push_block(batch.block);
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
            None => Tally::of(log, &self.head, counter),
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
        let mut line_tokens = 0_usize;
        while tally.view >= low && self.answers() > rules.config().min_preserved() {
            let CompactBatch {
                fates, block: line, ..
            } = self.pass(1, &block, log, rules);
            tally.settle(&fates, counter);
            if line.is_empty() {
                continue;
            }
            if self.head.blocks.is_empty() && block.is_empty() {
                tally.add(counter.count(RECAP_STUB));
            }
            let tokens = counter.count(&line);
            tally.add(tokens);
            line_tokens = line_tokens.saturating_add(tokens);
            if !block.is_empty() {
                block.push('\n');
            }
            block.push_str(&line);
        }
        // A counter may see more, or less, in the joined block than in its lines.
        tally.remove(line_tokens);
        tally.add(counter.count(&block));
        self.push_block(block);
    }

    /// Moves the frontier past `count` answers. Exchanges that may not go yet stay, and those that waited for this move go
    /// with it. What becomes of the messages goes into the head, but for the text that comes to the `block` of this move,
    /// which is returned.
    fn pass<M: Compact>(
        &mut self,
        count: usize,
        block: &str,
        log: &[M],
        rules: &Compactor,
    ) -> CompactBatch {
        let config = rules.config();
        let passed = self.next..self.next.saturating_add(count);
        self.next = passed.end;
        let released = self.exchanges.released(passed.clone());
        for number in passed.filter(|number| released.binary_search(number).is_err()) {
            self.keep(number, Kept::Waiting);
        }
        self.head.frontier = self.exchanges.range(self.next.saturating_sub(1)).end;
        let ranges = released.iter().map(|&number| self.exchanges.range(number));
        let (extractor, form) = (config.extractor(), config.recap_form());
        let batch = Batch::read(log, ranges, &self.head.hidden, extractor, form);
        let compacted = batch.compact(config.recap_form(), self.block_costs(block));
        if let Some(compacted) = compacted.filter(|batch| self.leaves_a_trace(batch, block)) {
            for &number in &released {
                self.head.kept.remove(&last(self.exchanges.range(number)));
            }
            self.settle(&compacted);
            return compacted;
        }
        for number in released {
            self.keep(number, Kept::NotShorter);
        }
        CompactBatch::default()
    }

    /// The exchange stays in full.
    fn keep(&mut self, number: usize, kept: Kept) {
        let range = self.exchanges.range(number);
        self.head.kept.insert(last(range.clone()), kept);
        let shown = range.filter(|position| !self.head.hidden.contains(position));
        let shown: Vec<usize> = shown.collect();
        let entries = shown.into_iter().map(|position| (position, Entry::Full));
        self.head.entries.extend(entries);
    }

    fn settle(&mut self, compacted: &CompactBatch) {
        let Head {
            entries,
            recaps_missing,
            kept,
            ..
        } = &mut self.head;
        for (position, fate) in &compacted.fates {
            let entry = match fate {
                Fate::Full => Some(Entry::Full),
                Fate::Recap(text) => Some(Entry::Recap(text.clone())),
                Fate::Gone => None,
            };
            if !matches!(fate, Fate::Full) {
                self.changed.push(*position);
            }
            match entry {
                Some(entry) => drop(entries.insert(*position, entry)),
                None => drop(entries.remove(position)),
            }
        }
        recaps_missing.extend(&compacted.recaps_missing);
        kept.extend(compacted.kept.iter().copied());
    }

    fn push_block(&mut self, block: String) {
        if !block.is_empty() {
            self.head.blocks.push(block);
        }
    }

    /// Bytes that text brings along when it comes to the `block` of this move: a line break, or the stub as long as there
    /// is none.
    fn block_costs(&self, block: &str) -> usize {
        if !block.is_empty() {
            "\n".len()
        } else if self.head.blocks.is_empty() {
            RECAP_STUB.len()
        } else {
            0
        }
    }

    /// Where exchanges stay, but there is no stub to tell that the view has been compacted, answers without a word to say
    /// stay, too: the next compaction would count the answers that are left, and cut batches elsewhere.
    fn leaves_a_trace(&self, batch: &CompactBatch, block: &str) -> bool {
        let stays = !self.head.kept.is_empty() || !batch.kept.is_empty();
        let stub = !self.head.blocks.is_empty() || !block.is_empty() || !batch.block.is_empty();
        stub || !stays || !batch.answers_vanish
    }
}

impl Compactor {
    /// The view of `messages`, which it borrows.
    pub fn compact<'a, M: Compact>(&self, messages: &'a [M]) -> Compacted<'a, M> {
        let mut frontier = Frontier::default();
        frontier.observe(messages, self);
        let compacted = Compacted::owned(messages, frontier.into_head());
        compacted.trace();
        compacted
    }
}

/// The position of the answer.
fn last(exchange: Range<usize>) -> usize {
    exchange.end.saturating_sub(1)
}

/// The tokens of a view, kept up to date while messages come and the frontier moves: each message is counted once.
#[derive(Clone, Debug, Default)]
struct Tally {
    /// Tokens of the message at each position of the log, as far as the view shows it.
    messages: Vec<usize>,
    /// Tokens of the whole view.
    view: usize,
}

impl Tally {
    /// Counts a view from scratch.
    fn of<M: Compact>(log: &[M], head: &Head, counter: &dyn TokenCounter) -> Self {
        let mut tally = Self {
            messages: vec![0; head.frontier],
            view: 0,
        };
        let view = Compacted::borrowed(log, head);
        for part in view.head().parts() {
            let tokens = part.item.tokens(counter);
            if let Some(counted) = part.position.and_then(|at| tally.messages.get_mut(at)) {
                *counted = tokens;
            }
            tally.add(tokens);
        }
        for message in view.tail() {
            tally.push(message.tokens(counter));
        }
        for &hidden in head.hidden.range(head.frontier..) {
            tally.hide(hidden);
        }
        tally
    }

    /// A message came to the end of the view.
    fn push(&mut self, tokens: usize) {
        self.messages.push(tokens);
        self.add(tokens);
    }

    /// A message goes from the view, and may come back.
    fn hide(&mut self, position: usize) {
        let tokens = self.messages.get(position).copied().unwrap_or_default();
        self.remove(tokens);
    }

    fn show(&mut self, position: usize) {
        let tokens = self.messages.get(position).copied().unwrap_or_default();
        self.add(tokens);
    }

    fn add(&mut self, tokens: usize) {
        self.view = self.view.saturating_add(tokens);
    }

    fn remove(&mut self, tokens: usize) {
        self.view = self.view.saturating_sub(tokens);
    }

    fn settle(&mut self, fates: &[(usize, Fate)], counter: &dyn TokenCounter) {
        for (position, fate) in fates {
            let tokens = self.messages.get(*position).copied().unwrap_or_default();
            match fate {
                Fate::Full => {}
                Fate::Recap(text) => {
                    self.remove(tokens);
                    self.add(counter.count(text));
                }
                Fate::Gone => self.remove(tokens),
            }
        }
    }
}
