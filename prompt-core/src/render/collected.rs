//! Prints what has been collected: the titles between the printing node and the collected section, each once, then the
//! text.

use super::{
    section::one_line,
    walk::{Scope, Walk},
    writer::Treatment,
};
use crate::error::PromptError;
use crate::tree::Step;

impl<'a> Walk<'_, 'a> {
    pub(super) fn print_collected(
        &mut self,
        scope: &Scope<'a>,
        columns: usize,
    ) -> Result<(), PromptError> {
        let collected = self.collected;
        let start = self.writer.len();
        let indent = self.writer.indent();
        self.writer.set_indent(indent + columns);
        self.writer.depends();
        let mut shown: Vec<Step> = Vec::new();
        for context in collected {
            if !context
                .owner
                .iter()
                .eq(self.trail.iter().map(|(step, _)| step))
            {
                continue;
            }
            let steps: Vec<Step> = context.titles.iter().map(|(step, _)| *step).collect();
            let shared = shown.iter().zip(&steps).take_while(|(a, b)| a == b).count();
            for ((_, title), depth) in context.titles.iter().zip(0_i32..).skip(shared) {
                self.separate(start);
                self.writer
                    .hashes(self.options.overflow.level(scope.level + depth)?);
                self.writer.literal(" ");
                let treatment = Treatment {
                    untrusted: scope.untrusted,
                    ..Treatment::default()
                };
                self.words(Some(treatment), &one_line(title))?;
            }
            self.separate(start);
            if context.is_value {
                let treatment = Treatment {
                    block: true,
                    guarding: scope.guarding,
                    ..Treatment::default()
                };
                self.value(
                    Treatment {
                        untrusted: scope.untrusted,
                        ..treatment
                    },
                    &context.text,
                )?;
            } else {
                self.writer.literal(&context.text);
            }
            shown = steps;
        }
        self.writer.set_indent(indent);
        Ok(())
    }

    fn separate(&mut self, start: usize) {
        if self.writer.len() > start {
            self.writer.owe("\n\n");
        }
    }
}
