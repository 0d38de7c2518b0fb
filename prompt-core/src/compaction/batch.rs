//! What becomes of the messages of one batch, decided from that batch alone.

use super::calls::{Calls, Tie};
use super::exchanges::tied;
use super::hidden::Hidden;
use super::{Compact, CompactForm, Extractor, Kind, RecapForm};
use std::collections::HashMap;
use std::ops::Range;

/// Exchanges that go together, each message with its own wish.
pub(super) struct Batch<'a, M> {
    members: Vec<Member<'a, M>>,
    form: RecapForm,
}

struct Member<'a, M> {
    position: usize,
    message: &'a M,
    kind: Kind,
    /// The recap of an answer; for other messages the form that they ask for.
    form: CompactForm,
    /// The exchange of the message stays.
    stays: bool,
}

/// A batch in its compact form.
pub(super) struct CompactBatch {
    /// What becomes of each message, by position, ascending.
    pub(super) fates: Vec<(usize, Fate)>,
    /// Bytes of the messages that do not stay as they are; `None` if one of them does not know.
    pub(super) leaving: Option<usize>,
    /// Answers without a recap.
    pub(super) recaps_missing: Vec<usize>,
    /// An answer goes without a recap or text in its place.
    pub(super) answers_vanish: bool,
}

/// What becomes of a message.
pub(super) enum Fate {
    Full,
    /// A text replaces it: in its place (`Assistant`), or in the block of its batch (`Exchange`).
    Recap(String),
    Gone,
}

impl<'a, M: Compact> Batch<'a, M> {
    /// Asks each message of the exchanges for its compact form and keeps together what must be.
    pub(super) fn read(
        log: &'a [M],
        exchanges: impl Iterator<Item = Range<usize>>,
        hidden: &Hidden,
        extractor: &Extractor,
        form: RecapForm,
    ) -> Self {
        let mut members: Vec<Member<'a, M>> = Vec::new();
        // The members of each exchange.
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for range in exchanges {
            let first = members.len();
            let shown = range.clone().zip(&log[range]);
            let shown = shown.filter(|(position, _)| !hidden.contains(*position));
            members.extend(shown.map(|(position, message)| Member {
                position,
                message,
                kind: message.kind(),
                form: CompactForm::Drop,
                stays: false,
            }));
            ranges.push(first..members.len());
        }
        let forms = forms(&members, extractor);
        for (member, form) in members.iter_mut().zip(forms) {
            member.form = form;
        }
        let exchanges = ranges.iter().map(|range| &members[range.clone()]);
        let wanted: Vec<bool> = exchanges.map(asks_to_stay).collect();
        // A call and its results stay or go together, and so do all exchanges that calls tie to one that stays.
        let stays = if wanted.contains(&true) {
            tied(members.iter().map(|member| &member.kind), &wanted)
        } else {
            wanted
        };
        for (range, stays) in ranges.into_iter().zip(stays) {
            keep(&mut members[range], stays, form);
        }
        Self { members, form }
    }

    /// Whether an exchange of the batch stays whatever is done with the others.
    pub(super) fn keeps_any(&self) -> bool {
        self.members.iter().any(|member| member.stays)
    }

    pub(super) fn compact(&self) -> CompactBatch {
        let mut compacted = CompactBatch {
            fates: Vec::with_capacity(self.members.len()),
            leaving: Some(0),
            recaps_missing: Vec::new(),
            answers_vanish: false,
        };
        for member in &self.members {
            let fate = member.fate(self.form);
            if member.kind == Kind::Answer {
                if !member.stays && member.form == CompactForm::Full {
                    compacted.recaps_missing.push(member.position);
                }
                compacted.answers_vanish |= matches!(fate, Fate::Gone);
            }
            if !matches!(fate, Fate::Full) {
                let bytes = member.message.bytes();
                let sum = |sum: usize| Some(sum.saturating_add(bytes?));
                compacted.leaving = compacted.leaving.and_then(sum);
            }
            compacted.fates.push((member.position, fate));
        }
        compacted
    }
}

impl CompactBatch {
    pub(super) fn recaps(&self) -> impl Iterator<Item = &str> {
        recaps(&self.fates)
    }

    /// Bytes that compacting these messages for themselves saves, the stub not counted; `None` if that is not known, and
    /// nothing for messages of which no word would be left.
    pub(super) fn gain(&self) -> Option<usize> {
        let lines = self.recaps().map(|text| text.len() + "\n".len());
        match lines.fold(0, usize::saturating_add).checked_sub("\n".len()) {
            Some(bytes) => Some(self.leaving?.saturating_sub(bytes)),
            None => Some(0),
        }
    }
}

/// The texts among what becomes of messages.
pub(super) fn recaps(fates: &[(usize, Fate)]) -> impl Iterator<Item = &str> {
    fates.iter().filter_map(|(_, fate)| match fate {
        Fate::Recap(text) => Some(text.as_str()),
        Fate::Full | Fate::Gone => None,
    })
}

impl<M: Compact> Member<'_, M> {
    fn fate(&self, form: RecapForm) -> Fate {
        match &self.form {
            CompactForm::Recap(text) => Fate::Recap(text.clone()),
            CompactForm::Drop => Fate::Gone,
            CompactForm::Full => {
                let stands_in =
                    form == RecapForm::Exchange && self.kind == Kind::Answer && !self.stays;
                match self.message.plain_text().filter(|_| stands_in) {
                    // Providers refuse an empty text, and one of the model that ends in white space.
                    Some(text) if text.trim().is_empty() => Fate::Gone,
                    Some(text) => Fate::Recap(text.trim_end().to_owned()),
                    None => Fate::Full,
                }
            }
        }
    }
}

/// What each message asks for. A message with calls is asked with the results of these calls at hand.
fn forms<M: Compact>(members: &[Member<'_, M>], extractor: &Extractor) -> Vec<CompactForm> {
    let mut calls = Calls::default();
    let mut results: HashMap<(usize, &str), usize> = HashMap::new();
    for (at, member) in members.iter().enumerate() {
        for tie in calls.read(at, &member.kind) {
            if let Tie::Result { id, call } = tie {
                results.insert((call, id), at);
            }
        }
    }
    let form = |(at, member): (usize, &Member<'_, M>)| {
        let result = |id: &str| Some(members[*results.get(&(at, id))?].message);
        match member.message.compact_with(extractor, &result) {
            CompactForm::Recap(text) if !is_recap_of(&text, member.message) => CompactForm::Full,
            form => form,
        }
    };
    members.iter().enumerate().map(form).collect()
}

/// Whether a tool message of the exchange wants to stay.
fn asks_to_stay<M>(exchange: &[Member<'_, M>]) -> bool {
    let wants =
        |member: &Member<'_, M>| member.kind.is_tool_traffic() && member.form == CompactForm::Full;
    exchange.iter().any(wants)
}

/// An exchange with traffic that `stays` does so as a whole. In the form `Exchange` an answer that no text block can hold
/// stays with its question: the last one, where tool traffic that goes separates several, so that roles alternate as
/// before.
fn keep<M: Compact>(exchange: &mut [Member<'_, M>], stays: bool, form: RecapForm) {
    if stays {
        for member in exchange {
            (member.stays, member.form) = (true, CompactForm::Full);
        }
        return;
    }
    let is_unsayable = |member: &Member<'_, M>| {
        let is_full = member.kind == Kind::Answer && member.form == CompactForm::Full;
        is_full && member.message.plain_text().is_none()
    };
    if form != RecapForm::Exchange || !exchange.iter().any(is_unsayable) {
        return;
    }
    let mut is_asked = false;
    for member in exchange.iter_mut().rev() {
        member.stays = true;
        match member.kind {
            Kind::Question => (is_asked, member.form) = (true, CompactForm::Full),
            Kind::Answer => member.form = CompactForm::Full,
            Kind::Other => {}
            _ if is_asked => break,
            _ => {}
        }
    }
}

/// A recap that is blank or longer than its message is none.
fn is_recap_of<M: Compact>(text: &str, message: &M) -> bool {
    let length = message
        .plain_text()
        .map(|text| text.len())
        .or_else(|| message.bytes());
    !text.trim().is_empty() && length.is_none_or(|length| text.len() <= length)
}
