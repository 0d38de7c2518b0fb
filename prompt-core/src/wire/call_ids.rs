//! Ids for the calls of formats that match results by name: calls are numbered as they come, and a result belongs to
//! the oldest open call of its name.

use std::collections::{BTreeMap, VecDeque};

#[derive(Default)]
pub(super) struct CallIds {
    calls: usize,
    /// Open calls by name, oldest first.
    open: BTreeMap<String, VecDeque<String>>,
}

impl CallIds {
    /// The id of the next call: its own, or `call_1`, `call_2`, ...
    pub(super) fn of_call(&mut self, name: &str, given: Option<&str>) -> String {
        self.calls += 1;
        let id = given.map_or_else(|| format!("call_{}", self.calls), str::to_owned);
        self.open
            .entry(name.to_owned())
            .or_default()
            .push_back(id.clone());
        id
    }

    /// The id of the call that a result answers. A result read without its call gets the id that the call would have
    /// had at its place.
    pub(super) fn of_result(&mut self, name: &str, given: Option<&str>) -> String {
        let open = self.open.entry(name.to_owned()).or_default();
        match given {
            Some(id) => {
                open.retain(|waiting| waiting != id);
                id.to_owned()
            }
            None => open.pop_front().unwrap_or_else(|| {
                self.calls += 1;
                format!("call_{}", self.calls)
            }),
        }
    }
}
