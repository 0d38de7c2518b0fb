//! What becomes of the messages of one batch, decided from that batch alone.

use super::pairing::{Pairing, ToolMessage};
use super::shape::Entry;
use super::{Compact, CompactForm, Extractor, Kind, RecapForm};
use std::ops::Range;

/// The messages of one batch, each with its fate.
pub(super) struct Batch<'a, M> {
    members: Vec<Member<'a, M>>,
}

struct Member<'a, M> {
    position: usize,
    message: &'a M,
    kind: Kind,
    form: CompactForm,
}

/// A batch in its compact form.
pub(super) struct CompactBatch {
    /// What stands in place of the messages, in order.
    pub(super) entries: Vec<Entry>,
    /// The text block with the recaps (`Exchange`); empty if there is nothing to say.
    pub(super) block: String,
    /// Answers that stand in full.
    pub(super) recaps_missing: Vec<usize>,
}

impl<'a, M: Compact> Batch<'a, M> {
    /// Asks each message of `range` for its compact form and keeps tool messages together.
    pub(super) fn read(
        log: &'a [M],
        range: Range<usize>,
        pairing: &Pairing,
        extractor: &Extractor,
    ) -> Self {
        let positions = log.iter().enumerate().take(range.end).skip(range.start);
        let members = positions
            .map(|(position, message)| Member::read(position, message, extractor))
            .collect();
        let mut batch = Self { members };
        batch.keep_together(&range, pairing);
        batch
    }

    fn keep_together(&mut self, range: &Range<usize>, pairing: &Pairing) {
        let traffic: Vec<ToolMessage<'_>> = self
            .members
            .iter()
            .filter_map(Member::tool_message)
            .collect();
        let staying = pairing.staying(range, &traffic);
        for member in self
            .members
            .iter_mut()
            .filter(|member| staying.contains(&member.position))
        {
            member.form = CompactForm::Full;
        }
    }

    /// The compact form, or `None` if the batch stays full because that is not shorter or cannot be said in text.
    /// `block_costs` are the bytes that a block takes besides its text: the stub, or the line break before it.
    pub(super) fn compact(&self, form: RecapForm, block_costs: usize) -> Option<CompactBatch> {
        let compacted = match form {
            RecapForm::Exchange => self.exchange()?,
            RecapForm::Assistant => self.in_place(),
        };
        let shorter = self
            .leaving_bytes(form)
            .is_none_or(|leaving| compacted.bytes(block_costs) < leaving);
        shorter.then_some(compacted)
    }

    /// Bytes of the messages that do not stay as they are; `None` if one of them does not know.
    fn leaving_bytes(&self, form: RecapForm) -> Option<usize> {
        self.members
            .iter()
            .filter(|member| !member.stays(form))
            .map(|member| member.message.bytes())
            .sum()
    }

    /// The tool messages that go with `compacted`.
    pub(super) fn gone_traffic(&self) -> impl Iterator<Item = &Kind> {
        self.members
            .iter()
            .filter(|member| member.kind.is_tool_traffic() && member.form != CompactForm::Full)
            .map(|member| &member.kind)
    }

    fn in_place(&self) -> CompactBatch {
        let entries = self.members.iter().filter_map(|member| match &member.form {
            CompactForm::Full => Some(Entry::Full(member.position)),
            CompactForm::Recap(text) => Some(Entry::Recap(text.clone())),
            CompactForm::Drop => None,
        });
        CompactBatch {
            entries: entries.collect(),
            block: String::new(),
            recaps_missing: self.recaps_missing(),
        }
    }

    /// `None` if an answer without a recap is more than text, so that no block can hold it.
    fn exchange(&self) -> Option<CompactBatch> {
        let mut entries = Vec::new();
        let mut recaps = Vec::new();
        for member in &self.members {
            match (&member.form, &member.kind) {
                (CompactForm::Full, Kind::Answer) => recaps.push(member.message.plain_text()?),
                (CompactForm::Full, _) => entries.push(Entry::Full(member.position)),
                (CompactForm::Recap(text), _) => recaps.push(text.into()),
                (CompactForm::Drop, _) => {}
            }
        }
        recaps.retain(|recap| !recap.trim().is_empty());
        Some(CompactBatch {
            entries,
            block: recaps.join("\n"),
            recaps_missing: self.recaps_missing(),
        })
    }

    fn recaps_missing(&self) -> Vec<usize> {
        let missing = |member: &&Member<'_, M>| {
            member.kind == Kind::Answer && member.form == CompactForm::Full
        };
        self.members
            .iter()
            .filter(missing)
            .map(|member| member.position)
            .collect()
    }
}

impl<'a, M: Compact> Member<'a, M> {
    fn read(position: usize, message: &'a M, extractor: &Extractor) -> Self {
        let kind = message.kind();
        let form = match message.compact(extractor) {
            CompactForm::Recap(text) if !is_recap_of(&text, message) => CompactForm::Full,
            form => form,
        };
        Self {
            position,
            message,
            kind,
            form,
        }
    }

    fn tool_message(&self) -> Option<ToolMessage<'_>> {
        let wanted = self.form == CompactForm::Full;
        let message = ToolMessage {
            position: self.position,
            kind: &self.kind,
            wanted,
        };
        self.kind.is_tool_traffic().then_some(message)
    }

    fn stays(&self, form: RecapForm) -> bool {
        self.form == CompactForm::Full
            && (form == RecapForm::Assistant || self.kind != Kind::Answer)
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
        let block = if self.block.is_empty() {
            0
        } else {
            self.block.len() + block_costs
        };
        let recaps = self.entries.iter().map(|entry| {
            if let Entry::Recap(text) = entry {
                text.len()
            } else {
                0
            }
        });
        block + recaps.sum::<usize>()
    }
}
