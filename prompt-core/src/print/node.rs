//! Nodes: their own text, and the sections that have no place in it.

use super::{
    MAX_DEPTH,
    frame::Frame,
    place::{Context, Done, Place, literal, path},
    reach::asks_sections,
    reading::{Env, Fill, Host, Reading},
    walk::Walk,
};
use crate::errors::PromptError;
use crate::layout::Style;
use crate::node::{NodeInfo, NodeRef};

impl<'a> Walk<'_, '_, 'a> {
    // A level of the tree is a few calls deep: `sections`, `section`, `unit`, `content`, `node`, and those that run a text
    // where a slot stands. They hold next to nothing, so that 128 levels fit into half a megabyte of stack; what is done
    // before and behind them has functions of its own.

    /// A node whose text moves by `shift` levels.
    pub(super) fn node(
        &mut self,
        node: NodeRef<'a>,
        place: Option<&Place<'_>>,
        context: &Context<'a>,
        shift: i32,
    ) -> Done {
        let mut frame = Frame::new(node, place, context);
        self.begin_node(&mut frame, shift);
        let container = &frame.info.container;
        let is_bare = container.start.is_empty() && container.end.is_empty();
        if self.hidden > 0 {
            self.hidden_node(&mut frame)?;
        } else if is_bare && (frame.info.text.is_empty() || literal(&frame.info.text).is_some()) {
            self.plain_node(&mut frame)?;
        } else {
            let outer = self.page.begin_text(&container.start);
            if !frame.info.text.is_empty() {
                self.own_text(&mut frame)?;
            }
            if let Some(level) = frame.level_of_rest() {
                let from = self.page.end_own_words();
                self.sections(&mut frame, level, from)?;
            }
            self.page.end_text(outer, &container.end);
        }
        if let Some(reach) = frame.reach {
            self.keep_reach(node, reach);
        }
        Ok(())
    }

    /// A node whose text is a run of words, or empty: nothing is opened that would have to be closed.
    fn plain_node(&mut self, frame: &mut Frame<'_, 'a>) -> Done {
        let from = self.page.len();
        if let Some(words) = literal(&frame.info.text) {
            self.page.note_open_angles(frame.info.text.angles);
            self.page.words(words);
        }
        match frame.level_of_rest() {
            Some(level) => self.sections(frame, level, from),
            None => Ok(()),
        }
    }

    /// A node of which nothing is printed: only its sections, and what leads to them, matter.
    fn hidden_node(&mut self, frame: &mut Frame<'_, 'a>) -> Done {
        if frame.info.sections.is_empty() {
            return Ok(());
        }
        self.own_text(frame)?;
        match frame.level_of_rest() {
            Some(level) => self.sections(frame, level, 0),
            None => Ok(()),
        }
    }

    fn begin_node(&mut self, frame: &mut Frame<'_, 'a>, shift: i32) {
        let info = frame.info;
        if self.again.is_none() && self.missing.is_none() {
            self.check_values(info, frame.place);
        }
        frame.shift = shift;
        let context = &mut frame.context;
        let container = &info.container;
        context.heading = container.heading.form.as_ref();
        context.is_tight = container.heading.tight;
        if container.summary_suffix.is_some() {
            context.suffix = container.summary_suffix.as_ref();
        }
        context.is_numbered = container.numbered.unwrap_or(context.is_numbered);
        if !info.sections.is_empty() {
            self.begin_sections(frame);
        }
    }

    fn begin_sections(&mut self, frame: &mut Frame<'_, 'a>) {
        let info = frame.info;
        if self.notes {
            self.rows.reserve(info.sections.len());
            self.page.reserve(info.sections.len());
        }
        if asks_sections(info) {
            frame.reach = Some(self.reach_of(frame.node, frame.place));
            self.asks_sections = true;
        }
        let is_declared = self.hidden == 0 && !self.asks_paths;
        let context = &frame.context;
        let is_markdown = self.page.style() == Style::Markdown;
        frame.is_plain =
            is_declared && is_markdown && context.heading.is_none() && !context.is_numbered;
        let is_plain = if is_markdown {
            frame.is_plain && !context.is_tight
        } else {
            is_declared && !self.page.look().indent_text
        };
        // Where trees end, each section is told so.
        frame.has_literals = is_plain && frame.place.is_none_or(|place| place.depth < MAX_DEPTH);
        frame.is_noted =
            self.notes || self.again.is_some() || self.titles.is_some() || self.is_reduced;
    }

    fn own_text(&mut self, frame: &mut Frame<'_, 'a>) -> Done {
        let node = frame.node;
        let env = Env {
            scope: node.scope(),
            shift: frame.shift,
            depth: frame.context.depth,
            indent: frame.context.indent,
        };
        let text = &frame.info.text;
        let mut reading = Reading {
            info: frame.info,
            guarding: frame.context.guarding,
            is_untrusted: frame.context.is_untrusted,
            place: frame.place,
            row: frame.row(),
            host: Host::Frame(frame),
            fill: Fill::Nothing,
        };
        if self.hidden > 0 {
            return self.hidden_blocks(&mut reading, &env, &text.elements);
        }
        self.run(&mut reading, &env, text)
    }

    /// A variable without a value is a fault of the tree, whatever of it is shown: what the model opens is never in vain.
    fn check_values(&mut self, info: &NodeInfo, place: Option<&Place<'_>>) {
        let missing = info.variables.iter().find(|variable| variable.missing);
        if let Some(variable) = missing {
            self.missing = Some(PromptError::MissingValue {
                path: path(place),
                name: variable.source.to_string(),
            });
        }
    }

    /// The sections of a node that have no place of their own, in a run that began at `from`.
    pub(super) fn sections(&mut self, frame: &mut Frame<'_, 'a>, level: i32, from: usize) -> Done {
        for index in 0..frame.info.sections.len() {
            if !frame.info.sections[index].placed {
                self.section(frame, index, level, from)?;
            }
        }
        Ok(())
    }
}
