//! Exchanges: what a log falls into at its answers, and which of them hang together because a call of one is answered
//! in another. This is all that compaction knows of tool ids; above it only whole exchanges stay or go.

use super::Kind;
use super::calls::{Calls, Tie};
use std::ops::Range;

/// The exchanges of a log, by number. The last one is still open: it has no answer yet.
///
/// A union-find (disjoint sets): exchanges that share a tool call are one group, and each group has a head that carries what
/// is known of all of it. The invariant, after every message: `head(a) == head(b)` if and only if calls and results tie `a`
/// to `b`; the head's `waiting` counts the calls of the group without a result, and its `newest` is the largest number in
/// it.
///
/// A group may go when none of its calls waits and all of it is before the frontier; until then all of it stays. A call
/// stops waiting only through a result, and the exchange with that result joins the group as its newest member. So the
/// frontier looks at a group once, when it passes its newest member; no group becomes free at any other time. With path
/// halving and the smaller list moving, n messages cost O(n log n) at most.
#[derive(Clone, Debug)]
pub(super) struct Exchanges {
    list: Vec<Exchange>,
    /// By exchange.
    calls: Calls,
}

#[derive(Clone, Debug)]
struct Exchange {
    /// Position of the first message.
    start: usize,
    /// Another member of the group, nearer to its head; the head of a group names itself.
    towards_head: usize,
    /// Of the head only: the other members.
    others: Vec<usize>,
    /// Of the head only: the newest member.
    newest: usize,
    /// Of the head only: calls of the group that wait for a result, and pins.
    waiting: usize,
}

impl Default for Exchanges {
    fn default() -> Self {
        Self {
            list: vec![Exchange::new(0, 0)],
            calls: Calls::default(),
        }
    }
}

impl Exchange {
    fn new(number: usize, start: usize) -> Self {
        Self {
            start,
            towards_head: number,
            others: Vec::new(),
            newest: number,
            waiting: 0,
        }
    }
}

impl Exchanges {
    /// The exchange without an answer; also, how many have one.
    pub(super) fn open(&self) -> usize {
        self.list.len() - 1
    }

    /// The messages of an exchange that has its answer, which is the last of them.
    pub(super) fn range(&self, number: usize) -> Range<usize> {
        self.start(number)..self.start(number + 1)
    }

    /// The first message of an exchange.
    pub(super) fn start(&self, number: usize) -> usize {
        self.list[number].start
    }

    /// The message at `position` is before the open exchange, and no part of it.
    pub(super) fn skip(&mut self, position: usize) {
        let open = self.open();
        self.list[open].start = position + 1;
    }

    /// Reads the message at `position`, which comes after all read before.
    pub(super) fn read(&mut self, position: usize, kind: &Kind) {
        let open = self.open();
        for tie in self.calls.read(open, kind) {
            match tie {
                Tie::Call => self.add_waiting(open),
                Tie::Result { call, .. } => {
                    let head = self.join(call, open);
                    self.list[head].waiting -= 1;
                }
            }
        }
        if *kind == Kind::Answer {
            self.list.push(Exchange::new(open + 1, position + 1));
        }
    }

    /// The message that comes next refuses the answer before it: the exchange that ended with it goes on.
    pub(super) fn reopen(&mut self) {
        if self.list.len() > 1 {
            self.list.pop();
        }
    }

    /// Keeps an exchange, and all that is tied to it now or later, for good.
    pub(super) fn pin(&mut self, number: usize) {
        self.add_waiting(number);
    }

    /// Whether a call of the group of this exchange waits for a result.
    pub(super) fn is_waiting(&mut self, number: usize) -> bool {
        let head = self.head(number);
        self.list[head].waiting > 0
    }

    /// Whether the group of this exchange waits for a result, or reaches past these exchanges.
    pub(super) fn is_open_to(&mut self, number: usize, end: usize) -> bool {
        let head = self.head(number);
        self.list[head].waiting > 0 || self.list[head].newest >= end
    }

    /// Whether a call ties this exchange to another.
    pub(super) fn is_tied(&mut self, number: usize) -> bool {
        let head = self.head(number);
        head != number || !self.list[head].others.is_empty()
    }

    /// The frontier passes `passed`: which exchanges may go now, in order. Some may have been passed before.
    pub(super) fn released(&mut self, passed: Range<usize>) -> Vec<usize> {
        let mut released = Vec::new();
        for number in passed {
            let at = self.head(number);
            let head = &self.list[at];
            if head.waiting == 0 && head.newest == number {
                released.push(at);
                released.extend(&head.others);
            }
        }
        released.sort_unstable();
        released
    }

    fn add_waiting(&mut self, number: usize) {
        let head = self.head(number);
        self.list[head].waiting += 1;
    }

    /// The head of the group; shortens the way there, by half at every step (path halving, Tarjan and van Leeuwen 1984).
    fn head(&mut self, number: usize) -> usize {
        let mut at = number;
        while self.list[at].towards_head != at {
            let above = self.list[self.list[at].towards_head].towards_head;
            self.list[at].towards_head = above;
            at = above;
        }
        at
    }

    /// Makes one group of two, and gives its head. The smaller list moves, so each member moves log n times at most.
    fn join(&mut self, one: usize, other: usize) -> usize {
        let (one, other) = (self.head(one), self.head(other));
        if one == other {
            return one;
        }
        let size = |head: usize| self.list[head].others.len();
        let (head, joins) = if size(one) >= size(other) {
            (one, other)
        } else {
            (other, one)
        };
        let joining = &mut self.list[joins];
        joining.towards_head = head;
        let members = std::mem::take(&mut joining.others);
        let (newest, waiting) = (joining.newest, joining.waiting);
        let group = &mut self.list[head];
        group.others.push(joins);
        group.others.extend(members);
        group.newest = group.newest.max(newest);
        group.waiting += waiting;
        head
    }
}

/// Which exchanges are tied to the `wanted` ones by calls and results, through any number of others. The kinds are those of
/// all their messages, in order; each exchange ends with its answer.
pub(super) fn tied<'k>(kinds: impl Iterator<Item = &'k Kind>, wanted: &[bool]) -> Vec<bool> {
    let mut exchanges = Exchanges::default();
    for (position, kind) in kinds.enumerate() {
        exchanges.read(position, kind);
    }
    let heads: Vec<usize> = (0..wanted.len())
        .map(|number| exchanges.head(number))
        .collect();
    let mut stays = vec![false; wanted.len()];
    for (head, _) in heads.iter().zip(wanted).filter(|(_, wanted)| **wanted) {
        stays[*head] = true;
    }
    heads.iter().map(|head| stays[*head]).collect()
}
