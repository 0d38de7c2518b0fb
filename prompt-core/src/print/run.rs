//! The loop: runs the elements of a text against the scope that answers them. There is no other one. Titles, templates,
//! items and the texts of nodes all go through it; where sections stand it goes on with the walk.

use super::{
    frame::Frame,
    place::{Done, path},
    reading::{Env, Fill, Host, Reading, source, treatment},
    walk::Walk,
};
use crate::errors::PromptError;
use crate::layout::{Heading, Treatment, blank_lines};
use crate::node::{At, Headings, NodeInfo, Output, Scope, Text};
use prompt_syntax::{
    Each, Element, Form, If, Inline, InlineText, Metadata, Part, Special, Target, ValuePlace,
};

/// What is between two markers: elements, or pieces of a line.
trait Piece: Clone + Sized + 'static {
    /// Words that stand alone, behind the head of their line: they always print something.
    fn solid(_: &[Self]) -> Option<(Option<&str>, &str)> {
        None
    }

    fn run<'a>(
        walk: &mut Walk<'_, '_, 'a>,
        reading: &mut Reading<'_, '_, 'a>,
        env: &Env<'_>,
        list: &'a [Self],
    ) -> Done;

    /// Asks what they would print.
    fn ask(info: &NodeInfo, env: &Env<'_>, list: &[Self]);
}

impl Piece for Element {
    fn run<'a>(
        walk: &mut Walk<'_, '_, 'a>,
        reading: &mut Reading<'_, '_, 'a>,
        env: &Env<'_>,
        list: &'a [Self],
    ) -> Done {
        walk.blocks(reading, env, list)
    }

    fn ask(info: &NodeInfo, env: &Env<'_>, list: &[Self]) {
        for element in list {
            match element {
                Element::Text { text, .. } | Element::Title { text, .. } => {
                    Inline::ask(info, env, pieces(text));
                }
                Element::Code {
                    info: words, text, ..
                } => {
                    Inline::ask(info, env, pieces(words));
                    Inline::ask(info, env, pieces(text));
                }
                Element::If { branches, .. } => ask_condition(info, env, branches),
                Element::Each { branches, .. } => ask_loop(info, env, branches),
                Element::Slot { .. } => {}
            }
        }
    }
}

impl Piece for Inline {
    #[inline]
    fn solid(list: &[Self]) -> Option<(Option<&str>, &str)> {
        let (head, words) = match list {
            [Inline::Line { head }, Inline::Literal(words)] => (Some(head.as_ref()), words),
            [Inline::Literal(words)] => (None, words),
            _ => return None,
        };
        let first = words.as_bytes().first()?;
        first.is_ascii_graphic().then_some((head, words.as_ref()))
    }

    fn run<'a>(
        walk: &mut Walk<'_, '_, 'a>,
        reading: &mut Reading<'_, '_, 'a>,
        env: &Env<'_>,
        list: &'a [Self],
    ) -> Done {
        walk.inline(reading, env, list)
    }

    fn ask(info: &NodeInfo, env: &Env<'_>, list: &[Self]) {
        for piece in list {
            match piece {
                Inline::Value { index, .. } => {
                    let mut nothing = String::new();
                    let mut output = Output::new(&mut nothing);
                    output.set_headings(Headings::Moved(env.shift));
                    // One that fails is told of where it is printed.
                    let _ = env.scope.value(usize::from(*index), &mut output);
                }
                Inline::If(branches) => ask_condition(info, env, branches),
                Inline::Each(branches) => ask_loop(info, env, branches),
                _ => {}
            }
        }
    }
}

fn ask_condition<T: Piece>(info: &NodeInfo, env: &Env<'_>, branches: &If<T>) {
    let is_taken = |is_first: bool| {
        asked_section(info, branches.index).is_some()
            || is_first == (env.scope.ask(usize::from(branches.index)) != branches.negated)
    };
    if is_taken(true) {
        T::ask(info, env, &branches.then.list);
    }
    if let Some(otherwise) = &branches.otherwise
        && is_taken(false)
    {
        T::ask(info, env, &otherwise.list);
    }
}

fn ask_loop<T: Piece>(info: &NodeInfo, env: &Env<'_>, branches: &Each<T>) {
    let mut is_empty = true;
    let ask = &mut |scope: &dyn Scope, _: At| {
        is_empty = false;
        T::ask(info, &Env { scope, ..*env }, &branches.body.list);
        Ok(())
    };
    // One that fails is told of where it is printed.
    let _ = env.scope.each(usize::from(branches.index), ask);
    if let Some(otherwise) = branches.otherwise.as_ref().filter(|_| is_empty) {
        T::ask(info, env, &otherwise.list);
    }
}

/// The branch that is taken where a condition holds, or does not; and the other one.
fn branches_of<T: Clone>(branches: &If<T>, holds: bool) -> (Option<&Part<T>>, Option<&Part<T>>) {
    let (then, otherwise) = (Some(&branches.then), branches.otherwise.as_ref());
    if holds == branches.negated {
        (otherwise, then)
    } else {
        (then, otherwise)
    }
}

/// The section of which a condition asks whether it prints something.
fn asked_section(info: &NodeInfo, index: u16) -> Option<u16> {
    info.conditions.get(usize::from(index))?.section
}

impl<'a> Walk<'_, '_, 'a> {
    /// Runs a text from its first element to its last.
    pub(super) fn run(
        &mut self,
        reading: &mut Reading<'_, '_, 'a>,
        env: &Env<'_>,
        text: &'a Text,
    ) -> Done {
        self.page.note_open_angles(text.angles);
        self.blocks(reading, env, &text.elements)
    }

    fn blocks(
        &mut self,
        reading: &mut Reading<'_, '_, 'a>,
        env: &Env<'_>,
        elements: &'a [Element],
    ) -> Done {
        let mut ends_line = true;
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.page.gap(element.metadata(), ends_line);
            }
            ends_line = true;
            match element {
                Element::Text { text, .. } => self.inline(reading, env, pieces(text))?,
                Element::Title {
                    level,
                    text,
                    metadata,
                } => self.title(reading, env, *level, text, metadata)?,
                Element::Code { .. } => self.code(reading, env, element)?,
                Element::Slot {
                    target,
                    level,
                    indent,
                    ..
                } => {
                    let level = i32::from(*level) + env.shift;
                    self.slot(reading, *target, level, usize::from(*indent))?;
                }
                Element::If { branches, .. } => {
                    self.condition(reading, env, branches)?;
                    ends_line = branches.form != Form::Block;
                }
                Element::Each { branches, .. } => {
                    self.repeat(reading, env, branches)?;
                    ends_line = branches.form != Form::Block;
                }
            }
        }
        Ok(())
    }

    fn title(
        &mut self,
        reading: &mut Reading<'_, '_, 'a>,
        env: &Env<'_>,
        level: u8,
        text: &'a InlineText,
        metadata: &Metadata,
    ) -> Done {
        let is_fixed = |piece: &Inline| matches!(piece, Inline::Literal(_) | Inline::Escaped(_));
        let title = self.page.title(Heading {
            level,
            printed_level: i32::from(level) + env.shift,
            is_optional: metadata.optional,
            is_computed: !text.iter().all(is_fixed),
            depth: env.depth,
            indent: env.indent,
        });
        self.inline(reading, env, pieces(text))?;
        self.page.end_title(&title);
        Ok(())
    }

    fn code(
        &mut self,
        reading: &mut Reading<'_, '_, 'a>,
        env: &Env<'_>,
        element: &'a Element,
    ) -> Done {
        let Element::Code {
            fence,
            info,
            after_info,
            text,
            close,
            ..
        } = element
        else {
            return Ok(());
        };
        self.page.code(fence);
        self.inline(reading, env, pieces(info))?;
        if !after_info.is_empty() {
            self.page.words(after_info);
        }
        if !text.is_empty() {
            self.page.break_line("\n");
        }
        // At both ends these are blank lines: the line breaks around them are those of the fence.
        let mut lines = pieces(text);
        if let [Inline::Break(blank), rest @ ..] = lines {
            self.page.blank(blank.as_ref());
            lines = rest;
        }
        if let [rest @ .., Inline::Break(blank)] = lines {
            self.inline(reading, env, rest)?;
            self.page.end_block(blank);
        } else {
            self.inline(reading, env, lines)?;
        }
        self.page.end_code(close);
        Ok(())
    }

    /// What a slot embeds.
    fn slot(
        &mut self,
        reading: &mut Reading<'_, '_, 'a>,
        target: Target,
        level: i32,
        columns: usize,
    ) -> Done {
        let Host::Frame(frame) = &mut reading.host else {
            return Ok(());
        };
        if self.hidden > 0 {
            return self.fill_slot(frame, target, level, 0);
        }
        let outer = self.page.indent_by(columns);
        let from = self.page.len();
        self.fill_slot(frame, target, level, from)?;
        self.page.end_slot(outer, from);
        Ok(())
    }

    fn fill_slot(
        &mut self,
        frame: &mut Frame<'_, 'a>,
        target: Target,
        level: i32,
        from: usize,
    ) -> Done {
        match target {
            Target::Collected => {
                self.collected(frame, level);
                Ok(())
            }
            Target::Subtree => {
                frame.has_subtree = true;
                self.sections(frame, level, from)
            }
            Target::Section(index) => self.section(frame, usize::from(index), level, from),
        }
    }

    /// The slots of a text of which nothing is printed.
    pub(super) fn hidden_blocks(
        &mut self,
        reading: &mut Reading<'_, '_, 'a>,
        env: &Env<'_>,
        elements: &'a [Element],
    ) -> Done {
        for element in elements {
            match element {
                Element::Slot { target, level, .. } => {
                    self.slot(reading, *target, i32::from(*level) + env.shift, 0)?;
                }
                Element::If { branches, .. } => {
                    let holds = self.asks(reading, env, branches.index);
                    let (taken, _) = branches_of(branches, holds);
                    if let Some(taken) = taken {
                        self.hidden_blocks(reading, env, &taken.list)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn inline(
        &mut self,
        reading: &mut Reading<'_, '_, 'a>,
        env: &Env<'_>,
        pieces: &'a [Inline],
    ) -> Done {
        let mut is_behind_block = false;
        for piece in pieces {
            let after_block = std::mem::replace(&mut is_behind_block, false);
            match piece {
                Inline::Literal(words) | Inline::Escaped(words) => self.page.words(words),
                Inline::Value { index, place, .. } => self.value(reading, env, *index, place)?,
                // The end of a fence in a list item or quote.
                Inline::Break(text) if text.is_empty() => {
                    self.page.end_block("");
                    is_behind_block = after_block;
                }
                // A marker line has no break of its own.
                Inline::Break(text) if after_block => {
                    self.page.blank(blank_lines(text));
                }
                Inline::Break(text) => self.page.break_line(text),
                Inline::Line { head } => self.page.line(head),
                Inline::Nothing => self.page.words(""),
                Inline::Special(special) => self.special(reading, *special),
                Inline::If(branches) => {
                    self.condition(reading, env, branches)?;
                    is_behind_block = branches.form == Form::Block;
                }
                Inline::Each(branches) => {
                    self.repeat(reading, env, branches)?;
                    is_behind_block = branches.form == Form::Block;
                }
            }
        }
        Ok(())
    }

    fn special(&mut self, reading: &Reading<'_, '_, 'a>, special: Special) {
        match &reading.fill {
            Fill::Nothing => {}
            Fill::Title {
                title,
                is_numbered,
                treatment,
                row,
            } => self.page.title_of(title, *is_numbered, treatment, *row),
            Fill::Suffix { key, subsections } => match special {
                Special::Key => self.page.literal(key),
                Special::Subsections => self.page.literal(subsections),
                _ => {}
            },
        }
    }

    fn value(
        &mut self,
        reading: &Reading<'_, '_, 'a>,
        env: &Env<'_>,
        index: u16,
        at: &'a ValuePlace,
    ) -> Done {
        let own = treatment(reading.info, index);
        let treatment = Treatment {
            block: at.block,
            hang: own.hang,
            raw: own.raw,
            untrusted: own.untrusted || reading.is_untrusted,
            guarding: reading.guarding,
            quote: &at.quote,
        };
        let from = self.page.len();
        let written = self.page.value(&treatment, |output| {
            output.set_headings(Headings::Moved(env.shift));
            env.scope.value(usize::from(index), output)
        });
        if written.is_err() {
            let error = crate::node::failed(reading.info, usize::from(index));
            return Err(error.at(|| path(reading.place)).into());
        }
        if self.page.keeps_sources() {
            let name = source(reading.info, index);
            self.page.comes_from(from, reading.row, name);
        }
        Ok(())
    }

    /// Whether a condition holds.
    fn asks(&mut self, reading: &mut Reading<'_, '_, 'a>, env: &Env<'_>, index: u16) -> bool {
        let place = reading.place;
        if let Some(section) = asked_section(reading.info, index) {
            return self.is_shown(&mut reading.host, place, usize::from(section));
        }
        let index = usize::from(index);
        match &mut reading.host {
            // What an item says is not said of the node.
            Host::Frame(Frame {
                reach: Some(reach), ..
            }) if self.loops == 0 => reach.ask(index),
            _ => env.scope.ask(index),
        }
    }

    fn condition<T: Piece>(
        &mut self,
        reading: &mut Reading<'_, '_, 'a>,
        env: &Env<'_>,
        branches: &'a If<T>,
    ) -> Done {
        self.page.depends();
        let holds = self.asks(reading, env, branches.index);
        let (taken, other) = branches_of(branches, holds);
        // Where a budget takes the section away the answer is another, and the item of a loop is gone by then.
        if (self.records || self.again.is_some())
            && self.loops > 0
            && let Some(other) = other
            && asked_section(reading.info, branches.index).is_some()
        {
            T::ask(reading.info, env, &other.list);
        }
        let Some(taken) = taken else {
            self.page.vanish();
            return Ok(());
        };
        // What always prints something is never taken back.
        if branches.form != Form::Block
            && let Some((head, words)) = T::solid(&taken.list)
        {
            if let Some(head) = head {
                self.page.solid_line(head);
            }
            self.page.words(words);
            return Ok(());
        }
        let group = self.page.group();
        self.part(reading, env, taken, branches.form)?;
        self.page.end_group(group);
        Ok(())
    }

    fn part<T: Piece>(
        &mut self,
        reading: &mut Reading<'_, '_, 'a>,
        env: &Env<'_>,
        part: &'a Part<T>,
        form: Form,
    ) -> Done {
        if form == Form::Block && part.list.is_empty() && !part.lead.is_empty() {
            self.page.blank_branch(&part.lead);
            return Ok(());
        }
        if form == Form::Block {
            self.page.blank(part.lead.as_ref());
        }
        T::run(self, reading, env, &part.list)?;
        if form == Form::Block {
            self.page.end_block(&part.trail);
        }
        Ok(())
    }

    fn repeat<T: Piece>(
        &mut self,
        reading: &mut Reading<'_, '_, 'a>,
        env: &Env<'_>,
        branches: &'a Each<T>,
    ) -> Done {
        let form = branches.form;
        let body = &branches.body;
        let (ends_line, blank) = match form {
            Form::Block => (true, [body.trail.as_ref(), body.lead.as_ref()]),
            form => (form == Form::Line, ["", ""]),
        };
        let group = self.page.group();
        let (mut is_empty, mut fault, mut has_items) = (true, None, false);
        self.loops += 1;
        let each = &mut |scope: &dyn Scope, _: At| {
            is_empty = false;
            let item = self.page.item(has_items, ends_line, blank);
            let printed = T::run(self, reading, &Env { scope, ..*env }, &body.list);
            has_items |= self.page.end_item(item, ends_line);
            printed.map_err(|error| {
                fault = Some(error);
                std::fmt::Error
            })
        };
        let each = env.scope.each(usize::from(branches.index), each);
        self.loops -= 1;
        if let Some(fault) = fault {
            return Err(fault);
        }
        if each.is_err() {
            return Err(PromptError::FailedValue {
                path: path(reading.place),
                name: branches.body.marker.to_string(),
            }
            .into());
        }
        match &branches.otherwise {
            Some(otherwise) if is_empty => self.part(reading, env, otherwise, form)?,
            _ if form == Form::Block => self.page.end_block(""),
            _ => {}
        }
        self.page.end_group(group);
        Ok(())
    }
}

fn pieces(text: &InlineText) -> &[Inline] {
    text.iter().as_slice()
}
