//! Which call a result belongs to: the one rule by which exchanges hang together, and batches ask for forms.

use super::Kind;
use std::collections::HashMap;

/// The calls of a log that wait for a result, each known by the place of its message.
///
/// Where servers number their calls anew in every reply, one id is used many times: a result belongs to the newest call of its
/// id that still waits. So calls and results of one id nest like brackets, and what goes in pairs changes nothing for those
/// that stay. (The map is only asked by id: its order cannot show.)
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    /// By id, the newest last.
    waiting: HashMap<String, Vec<usize>>,
}

/// What a message does with a call.
pub(super) enum Tie<'k> {
    /// Makes it.
    Call,
    /// Has the result of the call of the message at `call`.
    Result { id: &'k str, call: usize },
}

impl Calls {
    /// Reads the message at a place, which comes after all read before. Its results answer earlier calls; those that
    /// do not, its own calls; results that no call waits for are passed over.
    pub(super) fn read<'k>(&mut self, at: usize, kind: &'k Kind) -> Vec<Tie<'k>> {
        let mut ties = Vec::new();
        let mut early: Vec<&str> = Vec::new();
        for id in kind.results() {
            match self.newest(id) {
                Some(call) => ties.push(Tie::Result { id, call }),
                None => early.push(id),
            }
        }
        for id in kind.calls() {
            self.waiting.entry(id.clone()).or_default().push(at);
            ties.push(Tie::Call);
        }
        for id in early {
            let newest = self.newest(id);
            ties.extend(newest.map(|call| Tie::Result { id, call }));
        }
        ties
    }

    fn newest(&mut self, id: &str) -> Option<usize> {
        self.waiting.get_mut(id)?.pop()
    }
}
