//! The judgement of the calls of a turn: which sections they open, or what is wrong with them. It reads the rows of a
//! prompt with the forms they are shown in; nothing is asked, printed or changed.

use super::{
    event::{ToolInvoked, ToolOutcome},
    fault::{
        LONGEST_REASON, MOST_NAMED, ToolFault, ToolValidationError, VisibilityExpansionRequired,
    },
};
use crate::document::{Index, SectionId, nearest_of};
use crate::messages::tool::{LISTED, OPEN_SECTIONS, OPENED_TOGETHER, ToolCall, ToolResult};
use crate::node::{Form, Visibility};
use crate::select::{Row, Table};
use crate::tokens::{EstimatedTokens, TokenCounter};
use prompt_syntax::Code;
use serde_json::{Map, Value};
use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

/// What becomes of the calls of a turn.
#[derive(Clone, Debug)]
pub(crate) enum Verdict {
    /// Sections are to be opened.
    Open(Box<VisibilityExpansionRequired>),
    /// Sections were asked for, and nothing is opened.
    Refused(Box<Refusal>),
    /// No sections were asked for.
    NotMine,
}

/// Why the request of a turn is refused.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// All that is wrong with it.
    pub(crate) error: ToolValidationError,
    /// What is wrong with each of its calls, if there are several that differ.
    of_calls: Vec<Option<ToolValidationError>>,
}

impl From<ToolValidationError> for Refusal {
    fn from(error: ToolValidationError) -> Self {
        Self {
            error,
            of_calls: Vec::new(),
        }
    }
}

impl Refusal {
    /// From the calls of the request, and what is wrong with the keys in them.
    fn of(requests: &[Request], of_keys: &[ToolFault], board: &Board<'_>) -> Self {
        let faults = |request: &Request| -> Vec<ToolFault> {
            let keys = &request.section_keys;
            let is_of_it = |fault: &&ToolFault| fault.key().is_some_and(|key| keys.contains(key));
            let of_keys = of_keys.iter().filter(is_of_it);
            request.faults.iter().chain(of_keys).cloned().collect()
        };
        let error = |faults: Vec<ToolFault>| ToolValidationError::of(faults, &board.closed());
        let own = |request: &Request| Some(faults(request)).filter(|own| !own.is_empty());
        let all = requests.iter().flat_map(|request| &request.faults);
        Self {
            error: error(all.chain(of_keys).cloned().collect()),
            of_calls: match requests {
                [_] => Vec::new(),
                _ => requests.iter().map(|one| own(one).map(error)).collect(),
            },
        }
    }

    /// The answers to all calls of a turn: a place for each, empty for the calls of other tools.
    pub(crate) fn answers(&self, calls: &[ToolCall]) -> Vec<Option<ToolResult>> {
        let mut of_calls = self.of_calls.iter();
        let answer = |call: &ToolCall| {
            if call.name != OPEN_SECTIONS {
                return None;
            }
            let own = match of_calls.next() {
                Some(Some(own)) => own,
                Some(None) => {
                    let text = format!("{BY_ANOTHER} {}", self.error);
                    return Some(ToolResult::failed(call, text));
                }
                None => &self.error,
            };
            Some(if own.is_answer() {
                ToolResult::ok(call, own.to_string())
            } else {
                ToolResult::failed(call, own.to_string())
            })
        };
        calls.iter().map(answer).collect()
    }
}

/// A turn that was judged.
pub(crate) struct Judged<'r> {
    /// What is handed out of it still needs its visibility.
    pub(crate) verdict: Verdict,
    /// The rows to open, in the order of the request.
    pub(crate) opened: Vec<SectionId>,
    pub(crate) section_keys: Vec<String>,
    /// The keys of the lists that were asked for beside what is opened, in words.
    pub(crate) listed: String,
    reason: String,
    board: Board<'r>,
}

impl<'r> Judged<'r> {
    /// Judges the `open_sections` calls of a turn as one request.
    pub(crate) fn of(rows: &'r Table, calls: &[&ToolCall]) -> Self {
        let requests: Vec<Request> = calls.iter().map(|call| Request::of(call)).collect();
        let board = Board::new(rows);
        let keys = requests.iter().flat_map(|request| &request.section_keys);
        let section_keys: Vec<String> = keys.cloned().collect();
        let reason = joined(requests.iter().map(|request| request.reason.as_str()));
        let mut listed = String::new();
        let (verdict, opened) = match board.judge(&requests) {
            Ok(Checked { opened, lists }) => {
                let lists = lists.iter().map(|list| format!("\n\n{LISTED}{list}."));
                listed = lists.collect();
                let paths = opened.iter().map(|id| (board.path(*id), Visibility::Full));
                let expansion = VisibilityExpansionRequired {
                    requested_overrides: paths.collect(),
                    reason: reason.clone(),
                    section_keys: section_keys.clone(),
                    visibility: BTreeMap::new(),
                    completed: Vec::new(),
                };
                (Verdict::Open(Box::new(expansion)), opened)
            }
            Err(refusal) => (Verdict::Refused(refusal), Vec::new()),
        };
        Self {
            verdict,
            opened,
            section_keys,
            listed,
            reason,
            board,
        }
    }

    /// How every section was shown when the calls came.
    pub(crate) fn visibility(&self) -> BTreeMap<String, Visibility> {
        self.board.visibility()
    }

    /// What is told of the request, which has the id of its first call.
    pub(crate) fn event(&self, calls: &[&ToolCall]) -> ToolInvoked {
        ToolInvoked {
            id: calls
                .first()
                .map_or_else(String::new, |call| call.id.clone()),
            tool: OPEN_SECTIONS,
            section_keys: self.section_keys.clone(),
            reason: self.reason.clone(),
            visibility: self.visibility(),
            outcome: ToolOutcome::of(&self.verdict),
            tokens_opened: None,
        }
    }

    /// Whether it was refused because what was asked for is open already.
    pub(crate) fn asks_again(&self) -> bool {
        let is_open = |fault: &ToolFault| {
            fault.code() == Code::AlreadyExpanded && !matches!(fault, ToolFault::List { .. })
        };
        matches!(&self.verdict, Verdict::Refused(refusal) if is_open(refusal.error.kind()))
    }
}

const KEYS: &str = "section_keys";
const REASON: &str = "reason";

/// The request of one call: what could be read, and what is wrong with it.
#[derive(Default)]
struct Request {
    section_keys: Vec<String>,
    reason: String,
    faults: Vec<ToolFault>,
}

impl Request {
    fn of(call: &ToolCall) -> Self {
        let mut request = Self::default();
        match &call.arguments {
            Value::Object(arguments) => request.read(arguments),
            // Arguments that were no JSON are kept as text; some clients hand all of them on like that.
            Value::String(text) => match serde_json::from_str(text) {
                Ok(Value::Object(arguments)) => request.read(&arguments),
                Ok(other) => request.wrong_type("arguments", "a JSON object", kind(&other)),
                Err(_) => {
                    let found = "text that is no complete JSON";
                    request.wrong_type("arguments", "a JSON object", found);
                }
            },
            other => request.wrong_type("arguments", "a JSON object", kind(other)),
        }
        request
    }

    /// Liberal where the meaning is plain: one string stands for a list of one, a list written as a string for that list, and
    /// no reason is an empty one.
    fn read(&mut self, arguments: &Map<String, Value>) {
        const LIST: &str = "an array of strings";
        let written = arguments.get(KEYS).and_then(Value::as_str);
        let written = written.filter(|text| text.trim_start().starts_with('['));
        let written = written.and_then(|text| serde_json::from_str(text).ok());
        match written.as_ref().or(arguments.get(KEYS)) {
            None => self.faults.push(ToolFault::MissingArgument {
                argument: KEYS,
                expected: LIST,
            }),
            Some(Value::String(key)) => self.section_keys.push(key.clone()),
            Some(Value::Array(keys)) if keys.is_empty() => self.faults.push(ToolFault::NoKeys),
            Some(Value::Array(keys)) => {
                let texts = keys.iter().filter_map(Value::as_str);
                self.section_keys.extend(texts.map(str::to_owned));
                if let Some(other) = keys.iter().find(|key| !key.is_string()) {
                    self.wrong_type(KEYS, LIST, &format!("an array with {} in it", kind(other)));
                }
            }
            Some(other) => self.wrong_type(KEYS, LIST, kind(other)),
        }
        match arguments.get(REASON) {
            None | Some(Value::Null) => {}
            Some(Value::String(reason)) => {
                let length = reason.chars().count();
                if length > LONGEST_REASON {
                    self.faults.push(ToolFault::ReasonTooLong { length });
                }
                reason.clone_into(&mut self.reason);
            }
            Some(other) => self.wrong_type(REASON, "a string", kind(other)),
        }
        let extra = arguments
            .keys()
            .filter(|name| ![KEYS, REASON].contains(&name.as_str()));
        self.faults
            .extend(extra.map(|name| ToolFault::UnexpectedArgument {
                argument: name.clone(),
            }));
    }

    fn wrong_type(&mut self, argument: &'static str, expected: &'static str, found: &str) {
        self.faults.push(ToolFault::WrongType {
            argument,
            expected,
            found: found.to_owned(),
        });
    }
}

/// The reasons of several calls as one, each once.
fn joined<'r>(reasons: impl Iterator<Item = &'r str>) -> String {
    let mut met = BTreeSet::new();
    let reasons = reasons.filter(|reason| !reason.is_empty() && met.insert(*reason));
    reasons.collect::<Vec<_>>().join("; ")
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// What a sound request asks for.
struct Checked {
    /// The rows that it opens, in its order, each once.
    opened: Vec<SectionId>,
    /// Lists whose keys it asks for.
    lists: Vec<ToolFault>,
}

/// How a section stands towards a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Closed,
    /// Inside this section, which is closed and not asked for.
    Hidden(SectionId),
    Unknown,
}

/// All rows of a prompt, with what follows from the rows around and inside each.
pub(crate) struct Board<'r> {
    table: &'r Table,
    rows: &'r [Row],
    /// Of all rows, once they are asked for.
    paths: OnceCell<Vec<String>>,
    facts: Vec<Facts>,
    index: Index<'r>,
}

#[derive(Clone, Copy)]
struct Facts {
    /// Whether the model sees it, in full or as a summary.
    is_shown: bool,
    /// Whether the model sees it in full.
    is_open: bool,
    /// Whether it can be opened, or a section around it can.
    is_within: bool,
    /// Whether it is, or stands in, a section that is shown as a summary.
    is_closed: bool,
    /// Whether a budget took something of it.
    is_cut: bool,
}

impl<'r> Board<'r> {
    pub(crate) fn new(table: &'r Table) -> Self {
        let rows = &table.rows;
        let mut facts: Vec<Facts> = Vec::with_capacity(rows.len());
        for row in rows {
            let around = row.parent.map(|id| facts[id as usize]);
            let is_reached = row.is_delivered || around.is_none_or(|around| around.is_open);
            let is_hidden = !row.is_delivered && around.is_some_and(|around| around.is_closed);
            let is_shown = is_reached && row.form != Form::Gone;
            facts.push(Facts {
                is_shown,
                is_open: is_shown && row.form == Form::Full,
                is_within: row.is_openable || around.is_some_and(|around| around.is_within),
                is_closed: is_hidden || row.form == Form::Summary,
                is_cut: row.is_cut,
            });
        }
        for (index, row) in rows.iter().enumerate().rev() {
            if let Some(around) = row.parent {
                facts[around as usize].is_cut |= facts[index].is_cut;
            }
        }
        Self {
            table,
            rows,
            paths: OnceCell::new(),
            facts,
            index: table.keys().collect(),
        }
    }

    fn path(&self, id: SectionId) -> String {
        self.table.path(id)
    }

    fn paths(&self) -> &[String] {
        self.paths.get_or_init(|| self.table.paths())
    }

    /// How every section that is shown is shown.
    pub(crate) fn visibility(&self) -> BTreeMap<String, Visibility> {
        let rows = self.rows.iter().zip(&self.facts).zip(self.paths());
        let mut shown = BTreeMap::new();
        for ((row, _), path) in rows.filter(|((_, facts), _)| facts.is_shown) {
            shown.insert(path.clone(), row.form.visibility());
        }
        shown
    }

    /// The rows that the calls of a turn open, as one request. The keys of a call whose arguments are wrong are not
    /// looked at.
    fn judge(&self, requests: &[Request]) -> Result<Checked, Box<Refusal>> {
        let sound = requests.iter().filter(|request| request.faults.is_empty());
        let is_sound = sound.clone().count() == requests.len();
        let keys: Vec<String> = sound
            .flat_map(|request| request.section_keys.clone())
            .collect();
        match self.check(&keys) {
            Ok(checked) if is_sound => Ok(checked),
            checked => {
                let of_keys = checked.err().unwrap_or_default();
                Err(Box::new(Refusal::of(requests, &of_keys, self)))
            }
        }
    }

    /// What the keys of a request ask for.
    ///
    /// # Errors
    /// Every key that does not exist or is hidden; if nothing is left to open, those that are open already, and the keys of
    /// lists.
    fn check(&self, keys: &[String]) -> Result<Checked, Vec<ToolFault>> {
        let found: Vec<Option<SectionId>> = keys.iter().map(|key| self.index.find(key)).collect();
        let mut wanted: Vec<SectionId> = found.iter().copied().flatten().collect();
        wanted.sort_unstable();
        let mut met: BTreeSet<&str> = BTreeSet::new();
        let (mut closed, mut open, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        let mut lists = Vec::new();
        for (key, id) in keys.iter().zip(found) {
            if !met.insert(key) {
                continue;
            }
            let key = key.clone();
            match (id, id.map_or(State::Unknown, |id| self.state(id, &wanted))) {
                (Some(id), State::Open | State::Closed) if self.rows[id as usize].is_catalogue => {
                    let items = self.keys_of(id, |_| true);
                    lists.push(self.list(key, &items));
                }
                (Some(id), State::Closed) => closed.push(id),
                (Some(id), State::Open) => open.push(if self.has_closed_within(id) {
                    ToolFault::OpenButWithin { key }
                } else {
                    ToolFault::AlreadyExpanded { key }
                }),
                (_, State::Hidden(around)) => faults.push(ToolFault::Hidden {
                    key,
                    parent: self.path(around),
                }),
                _ => {
                    let items = self.beginning_with(&key);
                    if !items.is_empty() {
                        lists.push(self.list(key, &items));
                        continue;
                    }
                    let nearest = self.nearest(&key);
                    faults.push(ToolFault::UnknownKey { key, nearest });
                }
            }
            if faults.len() == MOST_NAMED {
                return Err(faults);
            }
        }
        match (faults.is_empty(), closed.is_empty()) {
            (false, _) => Err(faults),
            (true, true) => Err([open, lists].concat()),
            (true, false) => Ok(Checked {
                opened: closed,
                lists,
            }),
        }
    }

    /// The keys that a model may have meant, also of what is open, and of lists: the nearest one first.
    fn nearest(&self, key: &str) -> Vec<String> {
        let rows = self.rows.iter().zip(self.paths());
        let known = rows.filter(|(row, _)| row.is_openable || row.is_catalogue);
        let mut known: Vec<&str> = known.map(|(_, path)| path.as_str()).collect();
        let mut nearest = Vec::new();
        while nearest.len() < MOST_MEANT {
            let Some(meant) = nearest_of(key, known.iter().copied()) else {
                break;
            };
            known.retain(|known| *known != meant);
            nearest.push(meant.to_owned());
        }
        nearest
    }

    /// The keys of the items of a list that are meant.
    fn keys_of(&self, list: SectionId, is_meant: impl Fn(&str) -> bool) -> Vec<&str> {
        let rows = self.rows.iter().zip(self.paths());
        let is_item =
            |row: &Row| row.parent == Some(list) && row.is_cataloguable && row.is_in_focus;
        let items = rows.filter(|(row, _)| is_item(row));
        let keys = items.map(|(_, path)| path.as_str());
        keys.filter(|key| is_meant(key)).collect()
    }

    /// The keys of the items that `words*` stands for: those of a list that may be asked for, and begin so.
    fn beginning_with(&self, words: &str) -> Vec<&str> {
        let words = words.strip_suffix('*').unwrap_or_default();
        let list = words.rsplit_once('.');
        let list = list.and_then(|(list, _)| self.index.find(list));
        let list = list.filter(|list| self.rows[*list as usize].is_catalogue);
        let is_there =
            |list: &SectionId| matches!(self.state(*list, &[]), State::Open | State::Closed);
        list.filter(is_there).map_or_else(Vec::new, |list| {
            self.keys_of(list, |key| key.starts_with(words))
        })
    }

    /// The answer to a key that stands for some of a list: as many as have room.
    fn list(&self, key: String, items: &[&str]) -> ToolFault {
        let mut left = self.table.most_listed;
        let has_room = |key: &&&str| {
            // A key, its quotes, and the comma.
            let rest = left.checked_sub(EstimatedTokens::default().count(key) + 2);
            left = rest.unwrap_or_default();
            rest.is_some()
        };
        let named = items.iter().take_while(has_room).count();
        let (named, unnamed) = items.split_at(named);
        ToolFault::List {
            key,
            items: named.iter().copied().map(str::to_owned).collect(),
            unnamed: unnamed.len(),
            narrower: unnamed.first().map(|first| narrower(first, unnamed)),
        }
    }

    /// Whether a section in this one, which is open, can be opened.
    fn has_closed_within(&self, id: SectionId) -> bool {
        let rows = self.rows.iter().zip(&self.facts).skip(id as usize + 1);
        let mut inside = rows.take_while(|(row, _)| row.parent.is_some_and(|parent| parent >= id));
        inside.any(|(row, facts)| row.is_openable && facts.is_shown && !facts.is_open)
    }

    /// How a row stands in a request for these rows, which are sorted.
    fn state(&self, id: SectionId, wanted: &[SectionId]) -> State {
        let (row, facts) = (&self.rows[id as usize], self.facts[id as usize]);
        if !row.is_in_focus || !(facts.is_shown || facts.is_within || row.is_catalogue) {
            return State::Unknown;
        }
        if facts.is_shown {
            return if facts.is_open && !facts.is_cut {
                State::Open
            } else {
                State::Closed
            };
        }
        // Nothing of it is shown: it is inside a summary, or a budget dropped it.
        let mut hidden = None;
        let mut around = row.parent;
        while let Some(outer) = around {
            let row = &self.rows[outer as usize];
            // A closed section that a budget dropped hides nothing: opening opens it, too.
            if row.form == Form::Summary && wanted.binary_search(&outer).is_err() {
                hidden = Some(outer);
            }
            around = row.parent.filter(|_| !row.is_delivered);
        }
        hidden.map_or(State::Closed, State::Hidden)
    }

    /// The keys that can be opened now, in declaration order.
    fn closed(&self) -> Vec<&str> {
        self.openable(&|id| {
            let around = self.rows[id as usize].parent;
            around.is_none_or(|around| !self.facts[around as usize].is_closed)
        })
    }

    /// The keys of sections that may be named and are not open, in declaration order.
    fn openable(&self, is_meant: &dyn Fn(SectionId) -> bool) -> Vec<&str> {
        let mut keys = Vec::new();
        for ((id, row), facts) in (0..).zip(self.rows).zip(&self.facts) {
            let is_open = facts.is_open && !facts.is_cut;
            if row.is_openable && !is_open && is_meant(id) {
                keys.push(self.paths()[id as usize].as_str());
            }
        }
        keys
    }
}

impl ToolOutcome {
    pub(crate) fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Open(expansion) => Self::Expanded {
                sections: expansion.paths().map(str::to_owned).collect(),
            },
            Verdict::Refused(refusal) => Self::refused(&refusal.error),
            Verdict::NotMine => Self::Expanded {
                sections: Vec::new(),
            },
        }
    }
}

impl VisibilityExpansionRequired {
    /// A result for every call of the turn, in its order, for a provider that wants each call answered: what has been
    /// completed, which sections are open now, and that the calls after `open_sections` were not run.
    pub fn results(&self, calls: &[ToolCall]) -> Vec<ToolResult> {
        let is_other = |call: &&ToolCall| call.name != OPEN_SECTIONS;
        let runs_later = self.completed.len() == calls.iter().filter(is_other).count();
        let mut completed = self.completed.iter().cloned();
        let answers = opened(calls, &self.opened(), runs_later).into_iter();
        answers
            .filter_map(|answer| answer.or_else(|| completed.next()))
            .collect()
    }
}

/// The `open_sections` calls among these.
pub(crate) fn opening_calls(calls: &[ToolCall]) -> Vec<&ToolCall> {
    calls
        .iter()
        .filter(|call| call.name == OPEN_SECTIONS)
        .collect()
}

/// How many calls of a turn are run before sections are opened: those before the first `open_sections`, or all.
fn reach(calls: &[ToolCall], runs_later: bool) -> usize {
    let first = calls.iter().position(|call| call.name == OPEN_SECTIONS);
    first.filter(|_| !runs_later).unwrap_or(calls.len())
}

/// What is answered at once in a turn in which sections are opened: a place for each call, empty where it is to be run.
pub(crate) fn opened(calls: &[ToolCall], text: &str, runs_later: bool) -> Vec<Option<ToolResult>> {
    let (reach, mut text) = (reach(calls, runs_later), Some(text));
    let answer = |(place, call): (usize, &ToolCall)| {
        if call.name == OPEN_SECTIONS {
            Some(ToolResult::ok(call, text.take().unwrap_or(OPENED_TOGETHER)))
        } else {
            (place >= reach).then(|| ToolResult::failed(call, NOT_RUN))
        }
    };
    calls.iter().enumerate().map(answer).collect()
}

/// What these keys begin with, and a letter more of the first, as a call asks for them.
fn narrower(first: &str, keys: &[&str]) -> String {
    let shared = |key: &&str| {
        let same = first.chars().zip(key.chars());
        same.take_while(|(one, other)| one == other).count()
    };
    let shared = keys.iter().map(shared).min().unwrap_or_default();
    let beginning: String = first.chars().take(shared + 1).collect();
    beginning + "*"
}

/// At most so many keys are named in the place of an unknown one.
const MOST_MEANT: usize = 3;
const BY_ANOTHER: &str = "This call is sound; it was not carried out because of another call of this tool in the same message.";
const NOT_RUN: &str = "Not run: sections were opened first. Call it again if it is still needed.";
