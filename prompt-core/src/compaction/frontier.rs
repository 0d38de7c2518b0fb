//! The state machine behind [`Compactor`] and [`History`](super::History): it reads every message once, in order, and
//! moves the frontier when the trigger is due.
//!
//! Invariants, after every message:
//!
//! - `head.frontier` is 0, or the position behind the answer of exchange `next - 1`; it never moves back.
//! - Every message from `head.lead` to the frontier has exactly one fate: it is in `head.full`, a text in `head.recaps` is
//!   filed under its position or that of another message of its gap, it is hidden, or it went without a word.
//! - An exchange is decided once, by [`Frontier::pass`]: when the frontier passes it or, if its group waited, when the
//!   frontier passes the newest member of the group. A batch that was kept is never looked at again.
//! - A move changes `head` behind the last text that was sent of each gap only: between moves the view grows at its end,
//!   and a move breaks the prefix once. So does a step that clears results, behind those that were cleared before.

use super::batch::{Batch, CompactBatch, Fate, recaps};
use super::clearable::{Answered, Clearable, Results, cleared};
use super::exchanges::Exchanges;
use super::head::{Gap, Head, Opening, RECAP_STUB, ViewPart, is_stub};
use super::hidden::Hidden;
use super::{Compact, Compacted, Compactor, Kind, RecapForm, Trigger};
use crate::messages::message::Verdict;
use std::collections::BTreeMap;
use std::ops::Range;

/// How far a conversation is compacted.
#[derive(Clone, Debug, Default)]
pub(super) struct Frontier {
    head: Head,
    /// Messages seen so far.
    seen: usize,
    exchanges: Exchanges,
    /// The first exchange after the frontier.
    next: usize,
    /// Exchanges at the start that are the lead's for good.
    pinned: usize,
    /// Tokens of the view; counted when first needed.
    tally: Option<Tally>,
    /// Steps so far that have cleared results.
    clearings: usize,
}

impl Frontier {
    /// The state after these messages.
    pub(super) fn of<M: Compact>(log: &[M], rules: &Compactor) -> Self {
        let mut frontier = Self::default();
        frontier.observe(log, rules);
        frontier
    }

    /// What replaces the messages before the frontier.
    pub(super) fn head(&self) -> &Head {
        &self.head
    }

    /// The same, without the rest of the state.
    pub(super) fn into_head(self) -> Head {
        self.head
    }

    /// What grows when the view is more than the last one with a message behind it.
    pub(super) fn changes(&self) -> (usize, usize) {
        (self.head.frontier, self.clearings)
    }

    /// Another counter counts from now on.
    pub(super) fn forget_tokens(&mut self) {
        self.tally = None;
    }

    /// Reads the messages of `log` that it has not seen, one by one.
    pub(super) fn observe<M: Compact>(&mut self, log: &[M], rules: &Compactor) {
        for (position, message) in log.iter().enumerate().skip(self.seen) {
            let log = &log[..=position];
            self.note(log, position, message, rules);
            self.advance(log, message, rules);
        }
        self.seen = log.len();
    }

    /// Continues a stored conversation: what is before its frontier is not decided again.
    pub(super) fn resume<M: Compact>(
        head: Head,
        log: &[M],
        rules: &Compactor,
    ) -> Result<Self, &'static str> {
        if let Some(fault) = head.fault(log.len()) {
            return Err(fault);
        }
        let in_blocks = rules.config().recap_form() == RecapForm::Exchange;
        let is_of_form = |(_, number): &(usize, usize)| (*number > 0) == in_blocks;
        if !head.recaps.keys().all(is_of_form) {
            return Err("its recaps are not of the form in the configuration");
        }
        let mut head = head;
        if !head.cleared.is_empty() {
            let mut answered = Answered::default();
            for (at, message) in log.iter().enumerate() {
                let calls = answered.read(at, &message.kind());
                head.cleared.entry(at).and_modify(|known| *known = calls);
            }
        }
        let rule = rules.config().clear_tool_results();
        let mut results = head.cleared.iter();
        if !results
            .all(|(at, calls)| rule.is_some_and(|rule| cleared(log, *at, calls, rule).is_some()))
        {
            return Err("results are cleared that stay by the configuration");
        }
        let mut resumed = Self {
            seen: log.len(),
            ..Self::default()
        };
        resumed.head.refused_late.clone_from(&head.refused_late);
        let is_compacted = head.frontier > 0 || !head.cleared.is_empty();
        if is_compacted {
            resumed.head.opening = Opening::Over;
        }
        for (position, message) in log.iter().enumerate() {
            if position < head.lead && is_compacted {
                resumed.note_lead(position, &message.kind());
            } else {
                resumed.note(log, position, message, rules);
            }
            if position + 1 == head.frontier {
                resumed.next = resumed.exchanges.open();
            }
            let open = resumed.exchanges.open();
            if position + 1 == head.lead && resumed.exchanges.start(open) != head.lead {
                return Err("the system part ends within an exchange");
            }
        }
        if head.frontier > 0 {
            let last = resumed.next.checked_sub(1);
            if last.map(|last| resumed.exchanges.range(last).end) != Some(head.frontier) {
                return Err("the frontier is not behind an answer");
            }
            if let Some(fault) = resumed.fault_of(&head) {
                return Err(fault);
            }
        }
        if is_compacted {
            let hidden = std::mem::take(&mut resumed.head.hidden);
            resumed.head = Head { hidden, ..head };
            resumed.head.count_stubs();
        }
        Ok(resumed)
    }

    /// Why a stored head cannot belong to the exchanges of its log, if it cannot: recaps are missing of answers, and an
    /// exchange that waits for a result stays.
    fn fault_of(&mut self, head: &Head) -> Option<&'static str> {
        let passed = self.pinned..self.next;
        let answer = |number: usize| last(self.exchanges.range(number));
        let answers: Vec<usize> = passed.clone().map(answer).collect();
        let hidden = &self.head.hidden;
        // One that was refused ends no exchange once another was accepted.
        let is_answer = |at: &usize| answers.binary_search(at).is_ok() || hidden.contains(*at);
        if !head.recaps_missing.iter().all(is_answer) {
            return Some("the messages without a recap are not answers");
        }
        let has_gone = |at: usize| !head.full.contains(&at) && !hidden.contains(at);
        for number in passed {
            if self.exchanges.is_open_to(number, self.next)
                && self.exchanges.range(number).any(has_gone)
            {
                return Some("an exchange that waits for a result does not stay");
            }
        }
        None
    }

    /// `log` ends with `message`, or goes on behind it.
    ///
    /// A log may begin with an old view: the system part, runs of blocks behind their stubs, and between and before them
    /// exchanges that stayed. All of it up to the last run is left alone, or compacting twice would differ from compacting
    /// once; and so are the exchanges behind it that look as if they had stayed. (An exchange that stayed, because its batch
    /// would have had many places with a stub for each, may not look so: the recaps behind it show it.)
    fn note<M: Compact>(&mut self, log: &[M], position: usize, message: &M, rules: &Compactor) {
        let kind = message.kind();
        self.note_verdict(log, position, message, &kind);
        self.head.opening = match (self.head.opening, &kind) {
            (Opening::Over, _) => {
                self.exchanges.read(position, &kind);
                return;
            }
            (Opening::Begun, _) if !self.is_whole() => Opening::Over,
            (Opening::Between, Kind::Other) if self.head.lead == position => {
                self.note_lead(position, &kind);
                self.lead_to(position + 1);
                return;
            }
            (Opening::Between, Kind::Other) => Opening::Between,
            (Opening::Between | Opening::Begun, Kind::Question) if is_stub(message) => {
                Opening::Stub
            }
            (Opening::Begun, _) => Opening::Begun,
            (Opening::Stub, Kind::Answer) if self.is_whole() => {
                self.exchanges.read(position, &kind);
                self.freeze(position + 1);
                self.head.opening = Opening::Between;
                return;
            }
            (_, Kind::Answer) if self.is_of_old_view(log, position, rules) => {
                let is_behind_recaps = self.pinned > 0 && self.pinned == self.exchanges.open();
                self.exchanges.read(position, &kind);
                if is_behind_recaps {
                    self.freeze(position + 1);
                }
                self.head.opening = Opening::Between;
                return;
            }
            (_, Kind::Answer) => Opening::Begun,
            _ => Opening::Within,
        };
        self.exchanges.read(position, &kind);
    }

    /// A typed answer that is refused does not end its exchange, and goes from the view, with the message that refuses it,
    /// as soon as another answer comes. Should that be refused, too, the next request needs all of them: they come back.
    /// What the frontier has passed is not decided again.
    fn note_verdict<M: Compact>(&mut self, log: &[M], position: usize, message: &M, kind: &Kind) {
        match message.verdict() {
            Some(Verdict::Refused) => {
                let said = position.checked_sub(1).map(|last| (last, log[last].kind()));
                let is_late = self.next >= self.exchanges.open();
                if is_late && matches!(said, Some((_, Kind::Answer))) {
                    self.head.refused_late.insert(position);
                }
                let is_late = self.head.refused_late.contains(&position);
                let reply = said.filter(|(_, said)| match said {
                    Kind::Answer => !is_late,
                    said => said.is_reply(),
                });
                let Some((answer, said)) = reply else {
                    return self.confirm_tries();
                };
                if said == Kind::Answer {
                    self.exchanges.reopen();
                }
                let hidden = &mut self.head.hidden;
                let tokens = self.tally.as_mut().map(|tally| tally.of_tries(hidden));
                if hidden.refuse(answer, position)
                    && let Some(tally) = &mut self.tally
                {
                    tally.add(tokens.unwrap_or_default());
                }
            }
            None if *kind != Kind::Answer => self.confirm_tries(),
            Some(Verdict::Accepted) | None => {
                self.confirm_tries();
                let hidden = &mut self.head.hidden;
                if hidden.set_aside()
                    && let Some(tally) = &mut self.tally
                {
                    let tokens = tally.of_tries(hidden);
                    tally.remove(tokens);
                }
            }
        }
    }

    /// No refusal followed the last answer: the tries before it do not come back.
    fn confirm_tries(&mut self) {
        if self.head.hidden.confirm()
            && let Some(tally) = &mut self.tally
        {
            tally.tries = (0, 0);
        }
    }

    /// A message of the lead: all of it stays, and what is tied to it.
    fn note_lead(&mut self, position: usize, kind: &Kind) {
        if *kind == Kind::Other {
            self.exchanges.skip(position);
            return;
        }
        self.exchanges.read(position, kind);
        if *kind == Kind::Answer {
            self.pin();
        }
    }

    /// Everything before `end`, where an exchange has just ended, belongs to the lead: nothing of it was changed.
    fn freeze(&mut self, end: usize) {
        self.pin();
        self.head.full.clear();
        self.lead_to(end);
    }

    /// Keeps all exchanges that have ended, and all that is tied to them now or later, for good.
    fn pin(&mut self) {
        let ended = self.exchanges.open();
        for number in self.pinned..ended {
            self.exchanges.pin(number);
        }
        (self.pinned, self.next) = (ended, ended);
    }

    fn lead_to(&mut self, end: usize) {
        self.head.lead = end;
        if self.head.frontier > 0 {
            self.head.frontier = end;
        }
    }

    /// Whether the view is the log so far, word for word.
    fn is_whole(&self) -> bool {
        let compacted = self.head.frontier.saturating_sub(self.head.lead);
        self.head.recaps.is_empty() && self.head.full.len() == compacted
    }

    /// Whether the exchange that ends with the answer at `position` looks like one that the compaction before left in
    /// full. (An exchange of a batch that was not shorter saves little more than the stub and the line breaks of the
    /// batch. In an old view no answer is refused and given anew.) The first exchange that is worth compacting, and all
    /// behind it, was after the old frontier, where less
    /// than a batch was waiting.
    fn is_of_old_view<M: Compact>(
        &mut self,
        log: &[M],
        position: usize,
        rules: &Compactor,
    ) -> bool {
        let config = rules.config();
        if config.recap_form() != RecapForm::Exchange || !self.head.hidden.is_empty() {
            return false;
        }
        let open = self.exchanges.open();
        let range = self.exchanges.start(open)..position + 1;
        let (extractor, form) = (config.extractor(), config.recap_form());
        let hidden = &self.head.hidden;
        let exchange = Batch::read(log, [range].into_iter(), hidden, extractor, form);
        let line_breaks = config.batch_size().saturating_mul(8);
        let little = RECAP_STUB.len().saturating_add(line_breaks);
        self.exchanges.is_waiting(open)
            || self.exchanges.is_tied(open)
            || exchange.keeps_any()
            || exchange.compact().gain().is_some_and(|gain| gain <= little)
    }

    /// `log` ends with `message`, which has just been noted.
    fn advance<M: Compact>(&mut self, log: &[M], message: &M, rules: &Compactor) {
        let config = rules.config();
        match config.trigger() {
            _ if !config.enabled() => {}
            Trigger::Answers => {
                let due = config.min_preserved().saturating_add(config.batch_size());
                while self.answers() >= due {
                    self.head.moves += 1;
                    self.pass(config.batch_size(), log, rules);
                }
            }
            Trigger::Tokens { high, low } => {
                let mut tally = self.tally_with(log, message, rules);
                while tally.view > high && self.answers() > config.min_preserved() {
                    self.move_below(low, log, &mut tally, rules);
                }
                if tally.view > high {
                    self.clear(&mut tally, rules);
                }
                self.tally = Some(tally);
            }
        }
    }

    /// Answers after the frontier.
    fn answers(&self) -> usize {
        self.exchanges.open() - self.next
    }

    fn tally_with<M: Compact>(&mut self, log: &[M], message: &M, rules: &Compactor) -> Tally {
        match self.tally.take() {
            Some(mut tally) => {
                tally.push(message.tokens(rules.token_counter()));
                tally.note_results(log, log.len() - 1, true, rules);
                tally
            }
            None => Tally::of(log, &self.head, rules),
        }
    }

    /// Clears the results that are due, all at once, if that gains enough.
    fn clear(&mut self, tally: &mut Tally, rules: &Compactor) {
        let Some(rule) = rules.config().clear_tool_results() else {
            return;
        };
        let untouched = self.head.lead.max(self.head.frontier);
        tally.results.release(tally.replied, rule.keep);
        tally.results.forget(untouched);
        let due = tally.results.take(rule.clear_at_least);
        if !due.is_empty() {
            self.clearings += 1;
            self.head.opening = Opening::Over;
        }
        for Results {
            at, calls, gain, ..
        } in due
        {
            self.head.cleared.insert(at, calls);
            tally.messages[at] = tally.messages[at].saturating_sub(gain);
            tally.remove(gain);
        }
    }

    /// One move of the token trigger: exchange by exchange, each decided for itself, their recaps in the blocks of this
    /// move.
    fn move_below<M: Compact>(
        &mut self,
        low: usize,
        log: &[M],
        tally: &mut Tally,
        rules: &Compactor,
    ) {
        let counter = rules.token_counter();
        self.head.moves += 1;
        // Tokens of the lines of each block of this move.
        let mut lines: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        while tally.view >= low && self.answers() > rules.config().min_preserved() {
            let stubs = self.head.stubs;
            let passed = self.pass(1, log, rules);
            tally.apply(&passed.fates);
            let stub = counter.count(RECAP_STUB);
            tally.remove(stub.saturating_mul(stubs));
            tally.add(stub.saturating_mul(self.head.stubs));
            for (key, text) in passed.recaps() {
                let tokens = counter.count(text);
                tally.add(tokens);
                let sum = lines.entry(key).or_default();
                *sum = sum.saturating_add(tokens);
            }
        }
        // A counter may see more, or less, in a joined block than in its lines.
        for (key, sum) in lines {
            tally.remove(sum);
            tally.add(counter.count(&self.head.recaps[&key]));
        }
    }

    /// Moves the frontier past `count` answers. Exchanges that may not go yet stay, and those that waited for this move go
    /// with it.
    fn pass<M: Compact>(&mut self, count: usize, log: &[M], rules: &Compactor) -> Passed {
        let config = rules.config();
        let passed = self.next..self.next.saturating_add(count);
        self.next = passed.end;
        let released = self.exchanges.released(passed.clone());
        for number in passed.filter(|number| released.binary_search(number).is_err()) {
            self.keep(number);
        }
        self.head.frontier = self.exchanges.start(self.next);
        let ranges = released.iter().map(|&number| self.exchanges.range(number));
        let (extractor, form) = (config.extractor(), config.recap_form());
        let batch = Batch::read(log, ranges, &self.head.hidden, extractor, form).compact();
        let costs = self.costs(&batch, form);
        if batch.leaving.is_none_or(|leaving| costs < leaving) && self.leaves_a_trace(&batch) {
            return self.apply(batch, form);
        }
        for number in released {
            self.keep(number);
        }
        Passed::default()
    }

    /// The exchange stays in full.
    fn keep(&mut self, number: usize) {
        let range = self.exchanges.range(number);
        let hidden = &self.head.hidden;
        let shown = range.filter(|position| !hidden.contains(*position));
        self.head.full.extend(shown);
    }

    /// Puts the texts of a batch where its messages were.
    fn apply(&mut self, batch: CompactBatch, form: RecapForm) -> Passed {
        let mut passed = Passed::default();
        for (position, fate) in &batch.fates {
            if matches!(fate, Fate::Full) {
                self.head.full.insert(*position);
            } else {
                self.head.remove(*position);
            }
        }
        for (position, fate) in &batch.fates {
            let Fate::Recap(text) = fate else { continue };
            let key = if form == RecapForm::Exchange {
                self.head.insert(*position, text)
            } else {
                self.head.recaps.insert((*position, 0), text.clone());
                (*position, 0)
            };
            passed.keys.push(key);
        }
        self.head.recaps_missing.extend(batch.recaps_missing);
        passed.fates = batch.fates;
        passed
    }

    /// Bytes of the texts of a batch, with what they bring along: a line break in a block that is there, and a stub where
    /// there is none in the gap. (Two runs of blocks that become one save a stub, which is not looked at.)
    fn costs(&self, batch: &CompactBatch, form: RecapForm) -> usize {
        let texts = batch.recaps().map(str::len);
        let mut costs = texts.fold(0, usize::saturating_add);
        if form != RecapForm::Exchange {
            return costs;
        }
        let mut before = None;
        for gap in self.gaps(&batch.fates) {
            let brings = match self.head.last_in(gap) {
                _ if before == Some(gap) => "\n".len(),
                Some((_, number)) if number == self.head.moves => "\n".len(),
                Some(_) => 0,
                None => RECAP_STUB.len(),
            };
            costs = costs.saturating_add(brings);
            before = Some(gap);
        }
        costs
    }

    /// The gap of each text of a batch, once its other messages have gone: nothing is changed yet, so what goes must be
    /// looked past. Between two neighbours of the batch only what is not of the batch can stay.
    fn gaps(&self, fates: &[(usize, Fate)]) -> Vec<Gap> {
        let full = &self.head.full;
        let stays = |(at, fate): &(usize, Fate)| matches!(fate, Fate::Full).then_some(*at);
        let (mut gaps, mut behind, mut from) = (Vec::new(), None, 0);
        for entry in fates {
            behind = full.range(from..entry.0).next_back().copied().or(behind);
            let before = None;
            gaps.push(Gap { behind, before });
            behind = stays(entry).or(behind);
            from = entry.0 + 1;
        }
        let (mut before, mut to) = (None, usize::MAX);
        for (gap, entry) in gaps.iter_mut().zip(fates).rev() {
            before = full.range(entry.0 + 1..to).next().copied().or(before);
            gap.before = before;
            before = stays(entry).or(before);
            to = entry.0;
        }
        let of_text =
            |(gap, (_, fate)): (Gap, &(usize, Fate))| matches!(fate, Fate::Recap(_)).then_some(gap);
        gaps.into_iter().zip(fates).filter_map(of_text).collect()
    }

    /// Where no stub shows that the view has been compacted, answers without a word stay: the next
    /// compaction would count the answers that are left and cut batches elsewhere, and nothing at all might be left.
    fn leaves_a_trace(&self, batch: &CompactBatch) -> bool {
        let has_text = !self.head.recaps.is_empty() || batch.recaps().next().is_some();
        has_text || !batch.answers_vanish
    }
}

/// What a move over some exchanges has done.
#[derive(Default)]
struct Passed {
    fates: Vec<(usize, Fate)>,
    /// The block of each text, in their order.
    keys: Vec<(usize, usize)>,
}

impl Passed {
    fn recaps(&self) -> impl Iterator<Item = ((usize, usize), &str)> {
        self.keys.iter().copied().zip(recaps(&self.fates))
    }
}

impl Compactor {
    /// The view of `messages`, which it borrows.
    pub fn compact<'a, M: Compact>(&self, messages: &'a [M]) -> Compacted<'a, M> {
        let head = Frontier::of(messages, self).into_head();
        let compacted = Compacted::owned(messages, head, self);
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
    /// So many tries of the open exchange are counted, and their tokens.
    tries: (usize, usize),
    /// Results of tools behind the frontier, as far as they are shown in full.
    results: Clearable,
    answered: Answered,
    /// The last message that the model wrote.
    replied: usize,
}

impl Tally {
    /// Counts a view from scratch.
    fn of<M: Compact>(log: &[M], head: &Head, rules: &Compactor) -> Self {
        let counter = rules.token_counter();
        let mut tally = Self {
            messages: vec![0; log.len()],
            ..Self::default()
        };
        let view = Compacted::borrowed(log, head, rules);
        for shown in view.shown() {
            let tokens = view.item(shown).tokens(counter);
            if let ViewPart::Full(at) | ViewPart::Recap(Some(at), _) = shown {
                tally.messages[at] = tokens;
            }
            tally.add(tokens);
        }
        for hidden in head.hidden.behind(head.frontier) {
            tally.messages[hidden] = log[hidden].tokens(counter);
        }
        for at in 0..log.len() {
            let is_full = at >= head.frontier && !head.cleared.contains_key(&at);
            tally.note_results(log, at, is_full, rules);
        }
        tally
    }

    /// Results came with the message at `at`, or the model has replied to those before.
    fn note_results<M: Compact>(&mut self, log: &[M], at: usize, is_full: bool, rules: &Compactor) {
        let Some(rule) = rules.config().clear_tool_results() else {
            return;
        };
        let kind = log[at].kind();
        if kind.is_reply() {
            self.replied = at;
        }
        let calls = self.answered.read(at, &kind);
        if is_full && !calls.is_empty() && log[at].verdict().is_none() {
            let shorter = cleared(log, at, &calls, rule);
            let shorter = shorter.map(|shorter| shorter.tokens(rules.token_counter()));
            let gain = shorter.map_or(0, |tokens| self.messages[at].saturating_sub(tokens));
            self.results.push(Results { at, calls, gain });
        }
    }

    /// A message came to the end of the view.
    fn push(&mut self, tokens: usize) {
        self.messages.push(tokens);
        self.add(tokens);
    }

    /// A message goes from the view, and may come back.
    fn hide(&mut self, position: usize) {
        self.remove(self.messages[position]);
    }

    /// Tokens of the tries of the open exchange.
    fn of_tries(&mut self, hidden: &Hidden) -> usize {
        let (count, tokens) = &mut self.tries;
        for &position in hidden.tries().iter().skip(*count) {
            *tokens = tokens.saturating_add(self.messages[position]);
            *count += 1;
        }
        *tokens
    }

    fn add(&mut self, tokens: usize) {
        self.view = self.view.saturating_add(tokens);
    }

    fn remove(&mut self, tokens: usize) {
        self.view = self.view.saturating_sub(tokens);
    }

    /// What does not stay is no longer counted.
    fn apply(&mut self, fates: &[(usize, Fate)]) {
        for (position, fate) in fates {
            if !matches!(fate, Fate::Full) {
                self.hide(*position);
            }
        }
    }
}
