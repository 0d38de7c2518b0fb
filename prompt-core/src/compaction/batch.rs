//! What becomes of the messages of one batch, decided from that batch alone.

use super::exchanges::tied;
use super::{Compact, CompactForm, Extractor, Kept, Kind, RecapForm};
use std::collections::BTreeSet;
use std::ops::Range;

/// Exchanges that go together, each message with its own wish.
pub(super) struct Batch<'a, M> {
    members: Vec<Member<'a, M>>,
}

struct Member<'a, M> {
    position: usize,
    message: &'a M,
    kind: Kind,
    /// For answers, what they say in short; for others, what they ask for themselves.
    form: CompactForm,
    /// The exchange of the message stays because of this.
    kept: Option<Kept>,
}

/// A batch in its compact form.
#[derive(Default)]
pub(super) struct CompactBatch {
    /// What stands in the place of each message.
    pub(super) fates: Vec<(usize, Fate)>,
    /// The text block with the recaps (`Exchange`); empty if there is nothing to say.
    pub(super) block: String,
    /// Answers that stand in full.
    pub(super) recaps_missing: Vec<usize>,
    /// Answers of exchanges that stay, and why.
    pub(super) kept: Vec<(usize, Kept)>,
    /// Answers go without standing in a block or in their place.
    pub(super) answers_vanish: bool,
}

/// What becomes of a message.
pub(super) enum Fate {
    Full,
    /// Its recap stands in its place (`Assistant`).
    Recap(String),
    /// It goes, or its recap stands in a block.
    Gone,
}

impl<'a, M: Compact> Batch<'a, M> {
    /// Asks each message of the exchanges for its compact form and keeps together what must be.
    pub(super) fn read(
        log: &'a [M],
        exchanges: impl Iterator<Item = Range<usize>>,
        hidden: &BTreeSet<usize>,
        extractor: &Extractor,
        form: RecapForm,
    ) -> Self {
        let mut members: Vec<Member<'a, M>> = Vec::new();
        let mut ends = Vec::new();
        for range in exchanges {
            let messages = log.get(range.clone()).unwrap_or_default();
            let read = |(position, message)| Member::read(position, message, extractor);
            let shown = range.zip(messages);
            members.extend(
                shown
                    .filter(|(position, _)| !hidden.contains(position))
                    .map(read),
            );
            ends.push(members.len());
        }
        keep_tied(&mut members);
        let mut start = 0;
        for end in ends {
            if let Some(exchange) = members.get_mut(start..end) {
                keep_around(exchange, form);
            }
            start = end;
        }
        Self { members }
    }

    /// The compact form, or `None` if that is not shorter. `block_costs` are the bytes that a block takes besides its
    /// text: the stub, or the line break before it.
    pub(super) fn compact(&self, form: RecapForm, block_costs: usize) -> Option<CompactBatch> {
        let compacted = match form {
            RecapForm::Exchange => self.in_block(),
            RecapForm::Assistant => self.in_place(),
        };
        let leaving = compacted.leaving_bytes(&self.members);
        let shorter = leaving.is_none_or(|leaving| compacted.bytes(block_costs) < leaving);
        shorter.then_some(compacted)
    }

    /// Bytes that compacting these messages for themselves saves, the stub not counted; `None` if that is not known, and
    /// nothing for messages of which no word would be left.
    pub(super) fn gain(&self) -> Option<usize> {
        let compacted = self.in_block();
        if compacted.block.is_empty() {
            return Some(0);
        }
        let leaving = compacted.leaving_bytes(&self.members)?;
        Some(leaving.saturating_sub(compacted.bytes(0)))
    }

    /// Whether an exchange of the batch stays whatever is done with the others.
    pub(super) fn keeps_any(&self) -> bool {
        self.members.iter().any(|member| member.kept.is_some())
    }

    fn in_place(&self) -> CompactBatch {
        let fate = |member: &Member<'_, M>| match &member.form {
            CompactForm::Full => Fate::Full,
            CompactForm::Recap(text) => Fate::Recap(text.clone()),
            CompactForm::Drop => Fate::Gone,
        };
        let mut compacted = self.noted(|_| true);
        compacted.fates = self
            .members
            .iter()
            .map(|member| (member.position, fate(member)))
            .collect();
        compacted
    }

    fn in_block(&self) -> CompactBatch {
        let mut compacted = self.noted(|member| member.kept.is_none());
        let mut recaps = Vec::new();
        for member in &self.members {
            let fate = match (&member.form, &member.kind) {
                (CompactForm::Full, Kind::Answer) if member.kept.is_none() => {
                    recaps.extend(member.message.plain_text());
                    Fate::Gone
                }
                (CompactForm::Full, _) => Fate::Full,
                (CompactForm::Recap(text), _) => {
                    recaps.push(text.into());
                    Fate::Gone
                }
                (CompactForm::Drop, _) => Fate::Gone,
            };
            compacted.fates.push((member.position, fate));
        }
        recaps.retain(|recap| !recap.trim().is_empty());
        compacted.block = recaps.join("\n");
        let is_answer = |member: &&Member<'_, M>| member.kind == Kind::Answer;
        let answers = self.members.iter().filter(is_answer).count();
        compacted.answers_vanish = answers > recaps.len() + compacted.kept.len();
        compacted
    }

    /// Answers of exchanges that stay, and those without a recap of the ones that are `asked` for it.
    fn noted(&self, asked: impl Fn(&Member<'_, M>) -> bool) -> CompactBatch {
        let answers = || {
            self.members
                .iter()
                .filter(|member| member.kind == Kind::Answer)
        };
        let kept = answers().filter_map(|member| Some((member.position, member.kept?)));
        let missing = answers().filter(|member| asked(member) && member.form == CompactForm::Full);
        CompactBatch {
            recaps_missing: missing.map(|member| member.position).collect(),
            kept: kept.collect(),
            ..CompactBatch::default()
        }
    }
}

/// A call and all its results stay or go together, and so do all messages that parallel calls or shared messages tie to
/// them: where the type of one wants it to stay, all stay.
fn keep_tied<M>(members: &mut [Member<'_, M>]) {
    let is_traffic = |member: &&Member<'_, M>| member.kind.is_tool_traffic();
    let traffic = || members.iter().filter(is_traffic);
    let wanted: Vec<bool> = traffic()
        .map(|member| member.form == CompactForm::Full)
        .collect();
    if !wanted.contains(&true) {
        return;
    }
    let kinds: Vec<&Kind> = traffic().map(|member| &member.kind).collect();
    let stays = tied(&kinds, &wanted);
    let traffic = members
        .iter_mut()
        .filter(|member| member.kind.is_tool_traffic());
    for (member, _) in traffic.zip(stays).filter(|(_, stays)| *stays) {
        member.form = CompactForm::Full;
    }
}

/// In the form `Exchange` what stays of an exchange stands behind the recaps. Its question stays before it and its answer
/// behind it, so that roles alternate there, too. An answer that no text block can hold stays with its question.
fn keep_around<M: Compact>(exchange: &mut [Member<'_, M>], form: RecapForm) {
    let in_block = form == RecapForm::Exchange;
    let full = |member: &Member<'_, M>| member.form == CompactForm::Full;
    let is_unsayable = |member: &Member<'_, M>| {
        member.kind == Kind::Answer && full(member) && member.message.plain_text().is_none()
    };
    let kept = if exchange
        .iter()
        .any(|member| member.kind.is_tool_traffic() && full(member))
    {
        Kept::Wanted
    } else if in_block && exchange.iter().any(is_unsayable) {
        Kept::NotText
    } else {
        return;
    };
    for member in exchange {
        member.kept = Some(kept);
        if in_block && !member.kind.is_tool_traffic() {
            member.form = CompactForm::Full;
        }
    }
}

impl<'a, M: Compact> Member<'a, M> {
    fn read(position: usize, message: &'a M, extractor: &Extractor) -> Self {
        let form = match message.compact(extractor) {
            CompactForm::Recap(text) if !is_recap_of(&text, message) => CompactForm::Full,
            form => form,
        };
        Self {
            position,
            message,
            kind: message.kind(),
            form,
            kept: None,
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

impl CompactBatch {
    /// Bytes of text that the compact form brings in.
    fn bytes(&self, block_costs: usize) -> usize {
        let recaps = self.fates.iter().map(|(_, fate)| match fate {
            Fate::Recap(text) => text.len(),
            Fate::Full | Fate::Gone => 0,
        });
        let block = if self.block.is_empty() {
            0
        } else {
            self.block.len().saturating_add(block_costs)
        };
        recaps.fold(block, usize::saturating_add)
    }

    /// Bytes of the messages that do not stay as they are; `None` if one of them does not know.
    fn leaving_bytes<M: Compact>(&self, members: &[Member<'_, M>]) -> Option<usize> {
        let leaving = members
            .iter()
            .zip(&self.fates)
            .filter(|(_, (_, fate))| !matches!(fate, Fate::Full));
        leaving
            .map(|(member, _)| member.message.bytes())
            .try_fold(0, |sum: usize, bytes| Some(sum.saturating_add(bytes?)))
    }
}
