//! `{COLLECTED_CONTEXT}`: what has been collected so far, below the titles around it.

use super::{contexts::Collection, format::Style, sheet::Page, value::Text};
use crate::document::{SectionId, Treatment};
use crate::node::Guarding;

impl Page<'_, '_> {
    pub(super) fn collected(&mut self, level: i32, indent: u16) {
        let Some(contexts) = self.printing.contexts else {
            return self.vanish();
        };
        let own = contexts.own(self.at);
        if own.is_empty() {
            return self.vanish();
        }
        let outer = self.indent;
        self.indent += usize::from(indent);
        let is_xml = self.is_xml();
        let from = self.len();
        let mut shown: &[SectionId] = &[];
        let mut tags = Vec::new();
        for collection in own {
            let shared = shown.iter().zip(&collection.titles);
            let shared = shared.take_while(|(a, b)| a == b).count();
            while tags.len() > shared {
                if let Some(tag) = tags.pop() {
                    self.close_tag(&tag);
                }
            }
            for (depth, id) in collection.titles.iter().enumerate().skip(shared) {
                self.collected_break(from, u32::from(!is_xml || self.depth == 0));
                if is_xml {
                    let key = self.document.section(*id).key.to_string();
                    tags.push(self.plain_tag(key));
                } else {
                    self.collected_title(*id, level.saturating_add(number(depth)));
                }
            }
            self.collected_break(from, u32::from(!is_xml));
            self.collected_text(collection, level);
            shown = &collection.titles;
        }
        while let Some(tag) = tags.pop() {
            self.close_tag(&tag);
        }
        self.indent = outer;
    }

    /// What is collected stands apart from what stands before it in the slot.
    fn collected_break(&mut self, from: usize, blank: u32) {
        if self.len() > from && self.space.is_started {
            self.space.set(blank);
        }
        self.line_break();
    }

    fn vanish(&mut self) {
        self.space.clear();
        self.space.is_gone = true;
    }

    fn collected_title(&mut self, id: SectionId, level: i32) {
        let section = self.document.section(id);
        let title = self.document.title(section.title);
        self.begin_heading(level);
        self.put_alone(Text::value(&title, self.collected_treatment()));
    }

    /// What holds for the values of the section that prints them.
    fn collected_treatment(&self) -> Treatment {
        let mut treatment = Treatment::default();
        let Some(id) = self.at else { return treatment };
        let document = self.document;
        let chain = std::iter::once(id).chain(document.around(id));
        for id in chain {
            let markup = &document.section(id).info.markup;
            if treatment.guarding == Guarding::Default {
                treatment.guarding = markup.guarding;
            }
            treatment.is_untrusted |= markup.untrusted;
        }
        treatment
    }

    fn collected_text(&mut self, collection: &Collection, level: i32) {
        if !collection.is_value {
            return self.put_alone(Text::words(&collection.text));
        }
        // The keys of the section that it was collected for hold for it too.
        let document = self.document;
        let is_untrusted = |id: &SectionId| document.section(*id).info.markup.untrusted;
        let mut treatment = self.collected_treatment();
        treatment.is_untrusted |= collection.titles.iter().any(is_untrusted);
        let aligns = self.printing.format.style == Style::Markdown
            && !treatment.is_untrusted
            && !treatment.escapes();
        let depth = number(collection.titles.len());
        let text = if aligns {
            crate::node::aligned(&collection.text, level.saturating_add(depth))
        } else {
            collection.text.clone()
        };
        self.put_alone(Text::value(
            crate::node::without_blank_ends(&text),
            treatment,
        ));
    }
}

fn number(depth: usize) -> i32 {
    i32::try_from(depth).unwrap_or(i32::MAX)
}
