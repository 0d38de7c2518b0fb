//! Texts: elements become events. Conditions are decided, loops unrolled, values written. Only what asks whether a section
//! is shown stays open.

use super::{
    ABSENT, Document, Event, Lists, Marks, Piece, Range, SectionId, SectionIf, Slot, Treatment,
    Value,
    lines::{Assembly, Between, Written, close_titles, trim_ends},
    number,
};
use crate::errors::PromptError;
use crate::node::{
    At, Cut, Hang, Mark, MarkPlace, NodeInfo, Output, Scope, ValueTreatment, spec::Spec,
};
use prompt_syntax::{
    Each, Element, Form, If, Inline, LoopName, Margins, Metadata, Part, Special, TagPlace, Target,
    Text,
};

/// Of a heading that is words of a line.
const HASHES: &str = "######";

/// Where a text stands: who answers it, and the sections that its slots hold.
#[derive(Clone, Copy)]
pub(super) struct Env<'s, 'a> {
    pub(super) scope: &'s dyn Scope,
    pub(super) info: &'a NodeInfo,
    pub(super) treatment: Treatment,
    /// The smallest level of the text.
    pub(super) base: u8,
    /// The section in which it stands, for the paths of errors.
    pub(super) at: Option<SectionId>,
    /// The section in which the node stands that answers it.
    pub(super) owner: Option<SectionId>,
    /// The place of the node's sections in the order of sections.
    pub(super) sections: usize,
    /// Those without a place of their own.
    pub(super) rest: Range,
    /// Conditions that were asked before.
    pub(super) answers: &'s [(u16, bool)],
    /// The innermost loop around.
    pub(super) place: Option<&'s Place<'s>>,
}

/// Where an item stands, and the loop around.
pub(super) struct Place<'s> {
    /// Its loop.
    pub(super) number: u16,
    pub(super) at: At,
    pub(super) around: Option<&'s Place<'s>>,
}

impl Env<'_, '_> {
    fn ask(&self, index: u16) -> bool {
        let condition = self.info.conditions.get(usize::from(index));
        if let Some(condition) = condition
            && let Some(name) = condition.place
        {
            return self.place(condition.item_of).is_some_and(|at| match name {
                LoopName::First => at.is_first(),
                LoopName::Last => at.is_last(),
                LoopName::Index0 => at.index() > 0,
                LoopName::Item | LoopName::Index => true,
            });
        }
        let known = self.answers.iter().find(|(known, _)| *known == index);
        known.map_or_else(|| self.scope.ask(usize::from(index)), |(_, holds)| *holds)
    }

    /// Where the item of a loop stands.
    fn place(&self, of: Option<u16>) -> Option<At> {
        let of = of?;
        let mut place = self.place?;
        while place.number != of {
            place = place.around?;
        }
        Some(place.at)
    }

    /// The section that a condition asks about.
    fn asked_section(&self, index: u16) -> Option<u16> {
        self.info.conditions.get(usize::from(index))?.section
    }
}

/// How many levels one stands below the first of a text.
pub(super) fn below(level: u8, base: u8) -> i8 {
    i8::try_from(i16::from(level) - i16::from(base)).unwrap_or(i8::MAX)
}

/// The text of a piece that is its only one.
#[inline]
pub(super) fn literal(text: &Text) -> Option<&str> {
    match text.only_piece() {
        Some(Inline::Literal(words)) => Some(words),
        _ => None,
    }
}

/// A text that is being read.
pub(super) struct Lines<'d, 'a> {
    document: &'d mut Document<'a>,
    assembly: Assembly,
    /// Whether it is printed: conditions on sections stay open.
    is_printed: bool,
    has_varied: bool,
    /// In a fence of its own, which values cannot close.
    is_code: bool,
    /// In a fence of a list item or quotation.
    in_fence: bool,
    /// In a heading, or in what is read as words of a line: what values are worded as is that too.
    is_flat: bool,
    /// In what a value is worded as in code: a quotation is none there.
    is_unquoted: bool,
    /// Of what is read as words of a value: where that stands in the tags around.
    tag: TagPlace,
}

impl<'a> Document<'a> {
    /// Reads a text, whose events stand behind those that are there.
    pub(super) fn read(&mut self, env: &Env<'_, 'a>, text: &'a [Element]) {
        if let [Element::Text { text, .. }] = text
            && let [Inline::Literal(words)] = text.iter().as_slice()
        {
            self.line_of(Piece::Words(words));
            return;
        }
        let events = self.lists.events.len();
        Lines::new(self, true).read(env, text);
        self.end_text(events);
    }

    /// A text ends whose events stand from a place on.
    pub(super) fn end_text(&mut self, events: usize) {
        trim_ends(Written(&self.written), &mut self.lists, events);
        if self.is_open {
            close_titles(&mut self.lists.events[events..]);
        }
    }

    /// Reads a text of which only the pieces are wanted: what it asks about sections is answered by whether they are there.
    pub(super) fn read_pieces(&mut self, env: &Env<'_, 'a>, text: &'a [Element]) -> Range {
        let (pieces, events) = (self.lists.pieces.len(), self.lists.events.len());
        Lines::new(self, false).read(env, text);
        self.end_text(events);
        self.join_lines(events, pieces);
        Range::new(pieces, self.lists.pieces.len())
    }

    /// What was read since then becomes pieces of one line, with breaks between its lines.
    fn join_lines(&mut self, events: usize, from: usize) {
        let pieces = &mut self.lists.pieces;
        if let [Event::Line(only)] = self.lists.events[events..]
            && only.usize() == (from..pieces.len())
        {
            self.lists.events.truncate(events);
            return;
        }
        // The joined pieces stand behind those that they are made of, and then in their place.
        let read = pieces.len();
        let (mut space, mut is_first, mut is_gone) = (Vec::new(), true, false);
        for event in self.lists.events.drain(events..) {
            match event {
                Event::Line(line) | Event::Asked { pieces: line, .. } => {
                    if !std::mem::take(&mut is_first) {
                        pieces.push(Piece::Words("\n"));
                    }
                    pieces.append(&mut space);
                    pieces.extend_from_within(line.usize());
                    is_gone = false;
                }
                Event::Gone => is_gone = true,
                Event::End if is_gone => space.clear(),
                Event::Blank(_) | Event::Blanks(_) => {
                    if std::mem::take(&mut is_gone) {
                        space.clear();
                    }
                    match event {
                        Event::Blanks(lines) => space.push(Piece::Words(lines)),
                        Event::Blank(count) => {
                            space.extend(std::iter::repeat_n(Piece::Words("\n"), count as usize));
                        }
                        _ => {}
                    }
                }
                Event::Varies => pieces.push(Piece::Varies),
                _ => {}
            }
        }
        pieces.drain(from..read);
    }

    /// A line of one piece.
    pub(super) fn line_of(&mut self, piece: Piece<'a>) {
        let at = self.lists.pieces.len();
        self.lists.pieces.push(piece);
        self.lists.events.push(Event::Line(Range::new(at, at + 1)));
    }

    /// Asks for a value. Nothing, where it printed nothing.
    pub(super) fn ask_value(
        &mut self,
        env: &Env<'_, 'a>,
        index: u16,
        (quote, tag): (&'a str, TagPlace),
        is_code: bool,
    ) -> Option<Piece<'a>> {
        let (from, marks) = (self.written.len(), self.marks.len());
        let variable = env.info.variables.get(usize::from(index));
        let own = variable.map_or(ValueTreatment::USUAL, |variable| variable.treatment);
        let is_untrusted = env.treatment.is_untrusted || own.untrusted;
        let mut output = Output::tracking(&mut self.written, &mut self.marks);
        output.set_untrusted(is_untrusted);
        output.collect_tags(&mut self.phrase_tags);
        let written = match variable.and_then(|variable| Some((variable, variable.place?))) {
            Some((variable, name)) => {
                let at = env.place(variable.item_of);
                at.map_or(Err(std::fmt::Error), |at| {
                    write_place(at, name, &variable.source, &mut output)
                })
            }
            None => env.scope.value(usize::from(index), &mut output),
        };
        let is_whole = output.end();
        if written.is_err() {
            self.written.truncate(from);
            self.marks.truncate(marks);
            let error = crate::node::failed(env.info, usize::from(index));
            let path = self.path(env.at);
            return Some(self.failed(error.at(|| path)));
        }
        if let Some(variable) = variable.filter(|variable| !variable.cut.is_none()) {
            if is_whole {
                let range = from..self.written.len();
                let place = MarkPlace::default();
                self.marks.push(Mark { range, place });
            }
            self.cut(from, marks, &variable.cut);
        }
        if self.written.len() == from {
            self.marks.truncate(marks);
            return None;
        }
        let name = variable.map_or("", |variable| &variable.source);
        Some(self.value(Value {
            text: Range::new(from, self.written.len()),
            marks: if is_whole && self.marks.len() == marks {
                Marks::All
            } else {
                Marks::Of(Range::new(marks, self.marks.len()))
            },
            name,
            treatment: Treatment {
                is_untrusted,
                ..env.treatment
            },
            hang: own.hang,
            is_raw: own.raw,
            is_code,
            quote,
            tag,
            owner: env.owner,
        }))
    }

    /// Keeps of what a value wrote what its keys say.
    fn cut(&mut self, from: usize, marks: usize, cut: &Cut) {
        let text = &self.written[from..];
        let mut kept = text;
        if cut.trim {
            kept = kept.trim_start();
        }
        let start = text.len() - kept.len();
        if cut.trim {
            kept = kept.trim_end();
        }
        let past = cut.max.and_then(|max| kept.char_indices().nth(max));
        if let Some((end, _)) = past {
            kept = kept[..end].trim_end();
        }
        let (start, end) = (from + start, from + start + kept.len());
        let moved = |place: usize| place.clamp(start, end) - start + from;
        let whole = self.marks.split_off(marks).into_iter();
        let kept = whole.filter_map(|Mark { range, place }| {
            let range = moved(range.start)..moved(range.end);
            (!range.is_empty()).then_some(Mark { range, place })
        });
        self.marks.extend(kept);
        self.written.truncate(end);
        self.written.replace_range(from..start, "");
        if past.is_some() {
            self.written.push_str(&cut.more);
        }
    }

    /// A value is kept. The marks of one that is a value from end to end are known by that.
    pub(super) fn value(&mut self, mut value: Value<'a>) -> Piece<'a> {
        if let Marks::Of(marks) = value.marks
            && let [mark] = &self.marks[marks.usize()]
            && mark.place == MarkPlace::default()
            && mark.range == value.text.usize()
        {
            self.marks.pop();
            value.marks = Marks::All;
        }
        let text = value.text;
        self.values.push(value);
        Piece::Value {
            value: number(self.values.len() - 1),
            text,
        }
    }

    /// What could not be printed is an error where it is printed.
    pub(super) fn failed(&mut self, error: PromptError) -> Piece<'a> {
        self.faults.push(error);
        Piece::Failed(number(self.faults.len() - 1))
    }
}

impl<'d, 'a> Lines<'d, 'a> {
    fn new(document: &'d mut Document<'a>, is_printed: bool) -> Self {
        Self {
            assembly: Assembly::begin(&document.lists),
            document,
            is_printed,
            has_varied: false,
            is_code: false,
            in_fence: false,
            is_flat: !is_printed,
            is_unquoted: false,
            tag: TagPlace::Outside,
        }
    }

    fn read(mut self, env: &Env<'_, 'a>, text: &'a [Element]) {
        self.blocks(env, text);
        self.end_line();
    }

    #[inline]
    fn piece(&mut self, piece: Piece<'a>) {
        self.assembly.piece(piece, &mut self.document.lists);
    }

    fn event(&mut self, event: Event<'a>) {
        self.document.lists.events.push(event);
    }

    fn end_line(&mut self) {
        self.assembly.end_line(self.document);
    }

    fn blank(&mut self, lines: &'a str) {
        if !lines.is_empty() {
            let is_code = self.is_code || self.in_fence;
            let lists = &mut self.document.lists;
            self.assembly.blank_lines(lines, is_code, lists);
        }
    }

    fn gap(&mut self, before: &'a Metadata) {
        if !before.blanks.is_empty() {
            self.blank(&before.blanks);
        } else if before.blank_lines > 0 {
            self.event(Event::Blank(before.blank_lines));
        }
    }

    /// What follows depends on a value, as a part of the line that is open or as lines of its own.
    fn varies(&mut self, is_in_line: bool) {
        if !std::mem::replace(&mut self.has_varied, true) {
            if is_in_line {
                self.document.lists.pieces.push(Piece::Varies);
            } else {
                self.event(Event::Varies);
            }
        }
    }

    // Blocks.

    fn blocks(&mut self, env: &Env<'_, 'a>, elements: &'a [Element]) {
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.end_line();
                self.gap(element.metadata());
            }
            match element {
                Element::Text { text, .. } => self.inline(env, text.iter().as_slice()),
                Element::Title { .. } => self.title(env, element),
                Element::Code { .. } => self.code(env, element),
                Element::Slot {
                    target,
                    level,
                    indent,
                    ..
                } => self.slot(env, *target, below(*level, env.base), *indent),
                Element::If { branches, .. } => self.condition(env, branches),
                Element::Each { branches, .. } => self.repeat(env, branches),
            }
        }
    }

    fn title(&mut self, env: &Env<'_, 'a>, element: &'a Element) {
        let Element::Title {
            level,
            text,
            margins,
            metadata,
        } = element
        else {
            return;
        };
        let is_fixed = |piece: &Inline| matches!(piece, Inline::Literal(_) | Inline::Escaped(_));
        let is_computed = !text.iter().all(is_fixed);
        self.document.is_open |= metadata.optional;
        if is_computed {
            self.varies(false);
        }
        if self.is_flat || !self.assembly.begin_title(self.document) {
            let hashes = &HASHES[HASHES.len().saturating_sub((*level).into())..];
            let head = [&*margins.before, hashes, &*margins.behind];
            self.assembly.head(&head, self.document);
            self.inline(env, text.iter().as_slice());
            if !margins.close.is_empty() {
                self.piece(Piece::Words(&margins.close));
            }
            return;
        }
        self.is_flat = true;
        self.inline(env, text.iter().as_slice());
        self.is_flat = false;
        self.assembly.end_title(
            below(*level, env.base),
            Some(margins).filter(|margins| **margins != Margins::USUAL),
            is_computed,
            metadata.optional,
            self.document,
        );
    }

    fn slot(&mut self, env: &Env<'_, 'a>, target: Target, level: i8, indent: u16) {
        let sections = match target {
            Target::Collected => {
                self.varies(false);
                return self.event(Event::Collected { level, indent });
            }
            Target::Subtree => env.rest,
            Target::Section(index) => {
                let at = env.sections + usize::from(index);
                Range::new(at, at + 1)
            }
        };
        self.event(Event::Slot(Slot {
            sections,
            level,
            indent,
            is_rest: false,
        }));
    }

    fn code(&mut self, env: &Env<'_, 'a>, element: &'a Element) {
        let Element::Code {
            fence,
            info,
            after_info,
            text,
            close,
            ..
        } = element
        else {
            return;
        };
        let outer = std::mem::replace(&mut self.is_code, true);
        let pieces = self.document.lists.pieces.len();
        let fences = self.document.fences.len();
        let has_values = has_value(info.iter().as_slice()) || has_value(text.iter().as_slice());
        self.fence(env, fence, has_values);
        self.inline(env, info.iter().as_slice());
        if !after_info.is_empty() {
            self.piece(Piece::Words(after_info));
        }
        self.end_line();
        self.inline(env, text.iter().as_slice());
        self.end_line();
        if !close.is_empty() {
            self.fence(env, close, has_values);
            self.end_line();
        }
        self.is_code = outer;
        if self.document.fences.len() > fences {
            let longest = self.document.longest_run(fence, pieces);
            for (_, marks) in &mut self.document.fences[fences..] {
                *marks = longest;
            }
        }
    }

    /// A fence, which grows if untrusted values in it hold one.
    fn fence(&mut self, env: &Env<'_, 'a>, words: &'a str, has_values: bool) {
        let variables = env.info.variables.iter();
        let mut variables = variables.map(|variable| variable.treatment.untrusted);
        let is_untrusted = env.treatment.is_untrusted || variables.any(|untrusted| untrusted);
        if !has_values || !is_untrusted {
            return self.piece(Piece::Words(words));
        }
        self.document.fences.push((words, 0));
        let number = number(self.document.fences.len() - 1);
        self.piece(Piece::Fence(number));
    }

    // Conditions and loops, over blocks and over pieces of lines.

    fn condition<T: Run>(&mut self, env: &Env<'_, 'a>, branches: &'a If<T>) {
        let form = branches.form;
        self.varies(form == Form::Inline);
        self.assembly.open(&mut self.document.lists);
        match env.asked_section(branches.index) {
            Some(section) if self.is_printed => self.ask_section(env, section, branches),
            Some(section) => {
                let place = env.sections + usize::from(section);
                let is_there = self
                    .document
                    .order
                    .get(place)
                    .is_some_and(|id| *id != ABSENT);
                self.branch(env, branches, is_there);
            }
            None => self.branch(env, branches, env.ask(branches.index)),
        }
        self.assembly.end_group(form, &mut self.document.lists);
    }

    fn branch<T: Run>(&mut self, env: &Env<'_, 'a>, branches: &'a If<T>, holds: bool) {
        let form = branches.form;
        if holds != branches.negated {
            self.part(env, &branches.then, form);
        } else if let Some(otherwise) = &branches.otherwise {
            self.part(env, otherwise, form);
        }
    }

    /// Both branches, of which one is taken once it is known whether the section is shown.
    fn ask_section<T: Run>(&mut self, env: &Env<'_, 'a>, section: u16, branches: &'a If<T>) {
        self.document.is_open = true;
        // Before the loops of a line the line is not begun.
        let is_unbegun = branches.form == Form::Line && !self.assembly.is_line_open();
        let is_line = !self.is_flat && is_unbegun;
        let is_block = is_line || !self.is_flat && branches.form == Form::Block;
        let count = |lists: &Lists<'_>| {
            if is_block {
                lists.events.len()
            } else {
                lists.pieces.len()
            }
        };
        let mut condition = SectionIf {
            section: number(env.sections + usize::from(section)),
            negated: branches.negated,
            then: 0,
            otherwise: 0,
        };
        let at = count(&self.document.lists);
        if is_block {
            self.event(Event::If(condition));
        } else {
            self.piece(Piece::If(condition));
        }
        let parts = [Some(&branches.then), branches.otherwise.as_ref()];
        let [middle, end] = parts.map(|part| {
            match part {
                Some(part) if is_block => self.part(env, part, branches.form),
                Some(part) => self.flat(|lines| lines.part(env, part, branches.form)),
                None => {}
            }
            if is_line {
                self.end_line();
            }
            count(&self.document.lists)
        });
        condition.then = number(middle - at - 1);
        condition.otherwise = number(end - middle);
        let lists = &mut self.document.lists;
        if is_block {
            lists.events[at] = Event::If(condition);
        } else {
            lists.pieces[at] = Piece::If(condition);
        }
    }

    fn part<T: Run>(&mut self, env: &Env<'_, 'a>, part: &'a Part<T>, form: Form) {
        if form != Form::Block {
            return T::run(self, env, &part.list);
        }
        self.blank(&part.lead);
        if part.list.is_empty() {
            return self.blank_part(part);
        }
        T::run(self, env, &part.list);
        self.assembly.end_block(self.document);
        self.blank(&part.trail);
    }

    /// A branch, or a body, of nothing but blank lines prints them.
    fn blank_part<T: Run>(&mut self, part: &Part<T>) {
        if !part.lead.is_empty() {
            self.event(Event::There);
        }
    }

    fn repeat<T: Run>(&mut self, env: &Env<'_, 'a>, branches: &'a Each<T>) {
        let (form, body) = (branches.form, &branches.body);
        self.varies(form == Form::Inline);
        self.assembly.open(&mut self.document.lists);
        let mut is_empty = true;
        let each = &mut |scope: &dyn Scope, at: At| {
            is_empty = false;
            let is_code = self.is_code || self.in_fence;
            let between = Between {
                words: &body.trail,
                last: branches.last.as_deref(),
            };
            self.assembly
                .begin_item(form, (between, &body.lead), is_code, self.document);
            let place = Place {
                number: branches.index,
                at,
                around: env.place,
            };
            let env = Env {
                scope,
                place: Some(&place),
                ..*env
            };
            T::run(self, &env, &body.list);
            if body.list.is_empty() {
                self.blank_part(body);
            }
            self.assembly.end_item(form, self.document);
            Ok(())
        };
        if env.scope.each(usize::from(branches.index), each).is_err() {
            let error = PromptError::FailedValue {
                path: self.document.path(env.at),
                name: body.marker.to_string(),
            };
            let failed = self.document.failed(error);
            self.piece(failed);
        }
        if let Some(last) = &branches.last {
            self.assembly.join_last(last, &mut self.document.lists);
        }
        match &branches.otherwise {
            Some(otherwise) if is_empty => self.part(env, otherwise, form),
            _ if form == Form::Block => self.assembly.end_block(self.document),
            _ => {}
        }
        self.assembly.end_group(form, &mut self.document.lists);
    }

    // Lines.

    fn inline(&mut self, env: &Env<'_, 'a>, pieces: &'a [Inline]) {
        let mut is_behind_block = false;
        let mut begins_line = true;
        for piece in pieces {
            let after_block = std::mem::replace(&mut is_behind_block, false);
            // A line that a value begins may be there only if that prints something.
            let is_first = std::mem::replace(&mut begins_line, matches!(piece, Inline::Break(_)));
            if is_first && matches!(piece, Inline::Value { .. }) {
                self.varies(false);
            }
            match piece {
                Inline::Literal(words) | Inline::Escaped(words) => {
                    self.read_on_in_tag(words);
                    // The break of a line that a fence or heading has ended.
                    let ended = after_block.then(|| words.strip_prefix('\n')).flatten();
                    self.piece(Piece::Words(ended.unwrap_or(words)));
                }
                Inline::Value {
                    index, quote, tag, ..
                } => {
                    self.value(env, *index, quote, *tag);
                    is_behind_block = !self.assembly.is_line_open();
                }
                Inline::Fence { is_open } => {
                    self.in_fence = *is_open;
                    is_behind_block = after_block;
                }
                Inline::Break(text) => {
                    // A marker line has no break of its own.
                    if !after_block {
                        self.end_line();
                    }
                    self.blank(behind_break(text));
                }
                Inline::Line { head } => {
                    self.varies(false);
                    self.assembly.head(&[head], self.document);
                }
                Inline::Nothing => self.piece(Piece::Nothing),
                Inline::Blocks(list) => self.blocks(env, list),
                Inline::Special(special) => self.special(*special),
                Inline::If(branches) => {
                    self.condition(env, branches);
                    is_behind_block = branches.form == Form::Block;
                }
                Inline::Each(branches) => {
                    self.repeat(env, branches);
                    is_behind_block = branches.form == Form::Block;
                }
            }
        }
    }

    /// What a value is worded as, on the line that it stands on whatever it prints.
    fn worded(&mut self, env: &Env<'_, 'a>, list: &'a [Inline], head: (&'a str, Hang)) {
        let events = self.document.lists.events.len();
        let was_continued = self.assembly.begin_text(&self.document.lists);
        let is_code = self.is_code || self.in_fence;
        let has_head = head != ("", Hang::None);
        if has_head {
            self.document.heads.push(head);
            self.piece(Piece::Head(number(self.document.heads.len() - 1)));
        }
        if has_head || is_code || self.is_flat {
            let outer = std::mem::replace(&mut self.is_unquoted, is_code);
            self.flat(|lines| lines.inline(env, list));
            self.is_unquoted = outer;
        } else {
            self.inline(env, list);
        }
        if has_head {
            self.piece(Piece::Tail);
        }
        let lists = &mut self.document.lists;
        self.assembly.end_text(events, was_continued, lists);
    }

    /// Reads what are words of the line that is open, in lines of their own.
    fn flat(&mut self, read: impl FnOnce(&mut Self)) {
        let lists = &self.document.lists;
        let (events, from) = (lists.events.len(), lists.pieces.len());
        let inner = self.assembly.begin_inside(lists);
        let outer = std::mem::replace(&mut self.assembly, inner);
        let (is_flat, in_fence) = (std::mem::replace(&mut self.is_flat, true), self.in_fence);
        read(self);
        self.end_line();
        (self.assembly, self.is_flat, self.in_fence) = (outer, is_flat, in_fence);
        self.document.join_lines(events, from);
    }

    /// Words in what a value behind the name of a tag is worded as may open and close quotes, or end the tag.
    fn read_on_in_tag(&mut self, words: &str) {
        if let TagPlace::Attribute { rest, .. } = &mut self.tag
            && rest.read(words, 0..words.len()).is_some()
        {
            self.tag = TagPlace::Outside;
        }
    }

    fn special(&mut self, special: Special) {
        self.piece(match special {
            Special::Title => Piece::Title,
            Special::Key => Piece::Key,
            _ => Piece::Subsections,
        });
    }

    fn value(&mut self, env: &Env<'_, 'a>, index: u16, quote: &'a str, tag: TagPlace) {
        let tag = match self.tag {
            TagPlace::Outside => tag,
            around => around,
        };
        if let Some(variable) = env.info.variables.get(usize::from(index))
            && !variable.worded.is_empty()
        {
            let outer = std::mem::replace(&mut self.tag, tag);
            self.worded(env, &variable.worded, (quote, variable.treatment.hang));
            self.tag = outer;
            return;
        }
        let is_quoted = !self.is_unquoted && !self.assembly.is_continued();
        let quote = if is_quoted { quote } else { "" };
        if let Some(piece) = (self.document).ask_value(env, index, (quote, tag), self.is_code) {
            self.piece(piece);
        } else {
            self.varies(true);
            self.assembly.open_line();
        }
    }
}

/// Writes the number of an item.
fn write_place(at: At, name: LoopName, source: &str, output: &mut Output<'_>) -> std::fmt::Result {
    let number = match name {
        LoopName::Index0 => at.index(),
        _ => at.number(),
    };
    let spec = source.split_once(':').map_or("", |(_, spec)| spec);
    Spec::read(spec).pad(&number.to_string(), true, output)
}

/// Whether a value stands among some pieces, or under their conditions and loops.
fn has_value(pieces: &[Inline]) -> bool {
    pieces.iter().any(|piece| {
        matches!(piece, Inline::Value { .. }) || piece.parts().any(|part| has_value(&part.list))
    })
}

/// The blank lines behind a break.
fn behind_break(text: &str) -> &str {
    text.split_once('\n').map_or("", |(_, blank)| blank)
}

/// What stands between two markers: elements, or pieces of a line.
trait Run: Clone + Sized + 'static {
    fn run<'a>(lines: &mut Lines<'_, 'a>, env: &Env<'_, 'a>, list: &'a [Self]);
}

impl Run for Element {
    fn run<'a>(lines: &mut Lines<'_, 'a>, env: &Env<'_, 'a>, list: &'a [Self]) {
        lines.blocks(env, list);
    }
}

impl Run for Inline {
    fn run<'a>(lines: &mut Lines<'_, 'a>, env: &Env<'_, 'a>, list: &'a [Self]) {
        lines.inline(env, list);
    }
}
