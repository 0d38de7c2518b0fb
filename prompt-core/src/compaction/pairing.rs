//! Which tool messages of a batch may go: a call and all its results go together or stay together, and so do all
//! messages that parallel calls or shared messages tie to them.

use super::Kind;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Where the ids of tool calls are used: those that are still in the view. Ids that went are forgotten, so that the
/// same decisions are made on a compacted list as on the log. (The maps are only asked, never listed: their order
/// cannot show.)
#[derive(Clone, Debug, Default)]
pub(super) struct Pairing {
    uses: HashMap<String, Use>,
}

/// How one id is used.
#[derive(Clone, Copy, Debug)]
struct Use {
    call: Option<usize>,
    result: Option<usize>,
    /// At most one call and one result, the call first.
    sound: bool,
}

/// A tool message of a batch.
#[derive(Debug)]
pub(super) struct ToolMessage<'b> {
    pub(super) position: usize,
    pub(super) kind: &'b Kind,
    /// Its type wants it to stay.
    pub(super) wanted: bool,
}

impl Pairing {
    /// Takes note of the message at `position`, which is later than all noted before.
    pub(super) fn note(&mut self, position: usize, kind: &Kind) {
        for id in kind.calls() {
            let fresh = Use {
                call: Some(position),
                result: None,
                sound: true,
            };
            self.uses
                .entry(id.clone())
                .and_modify(|used| used.sound = false)
                .or_insert(fresh);
        }
        for id in kind.results() {
            let orphan = Use {
                call: None,
                result: Some(position),
                sound: false,
            };
            self.uses
                .entry(id.clone())
                .and_modify(|used| used.answer(position))
                .or_insert(orphan);
        }
    }

    /// Forgets the ids of a message that went.
    pub(super) fn forget(&mut self, kind: &Kind) {
        for id in kind.ids() {
            self.uses.remove(id);
        }
    }

    /// Positions of the tool messages in `batch` that stay: those with an id that is not settled within the batch, and
    /// all that are tied to them.
    pub(super) fn staying(
        &self,
        batch: &Range<usize>,
        messages: &[ToolMessage<'_>],
    ) -> HashSet<usize> {
        let mut users = users_by_id(messages);
        let stays = |message: &&ToolMessage<'_>| {
            message.wanted || !message.kind.ids().all(|id| self.settled(id, batch))
        };
        let mut open: Vec<&ToolMessage<'_>> = messages.iter().filter(stays).collect();
        let mut staying: HashSet<usize> = open.iter().map(|message| message.position).collect();
        while let Some(message) = open.pop() {
            for id in message.kind.ids() {
                let tied = users.remove(id).unwrap_or_default();
                open.extend(
                    tied.into_iter()
                        .filter(|other| staying.insert(other.position)),
                );
            }
        }
        staying
    }

    /// Whether the call stands in the batch, used once, and its result, if there is one, does too.
    fn settled(&self, id: &str, batch: &Range<usize>) -> bool {
        let within = |position: usize| batch.contains(&position);
        self.uses.get(id).is_some_and(|used| {
            used.sound && used.call.is_some_and(within) && used.result.is_none_or(within)
        })
    }
}

impl Use {
    fn answer(&mut self, position: usize) {
        self.sound &= self.result.is_none();
        self.result = Some(position);
    }
}

fn users_by_id<'m, 'b>(
    messages: &'m [ToolMessage<'b>],
) -> HashMap<&'b str, Vec<&'m ToolMessage<'b>>> {
    let mut users: HashMap<&str, Vec<&ToolMessage<'_>>> = HashMap::new();
    for message in messages {
        for id in message.kind.ids() {
            users.entry(id).or_default().push(message);
        }
    }
    users
}
