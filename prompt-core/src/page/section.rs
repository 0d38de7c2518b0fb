//! Sections: what stands between them, heading or tag, body or summary.

use super::{
    format::Numbering,
    printed::{Short, Span},
    sheet::{HASHES, Page, Printing, heading_level},
};
use crate::document::{ABSENT, Between, Event, Piece, Section, SectionId, Slot};
use crate::node::{Attribute, AttributeSource, DEEPEST_COLUMN, Form, Title};

impl<'a> Page<'_, 'a> {
    /// The sections of a slot, of which those without a level of their own stand at this one.
    pub(super) fn slot(&mut self, slot: Slot, level: i32, text_level: i32) {
        let document = self.document;
        let begin = self.len();
        let from = if slot.is_rest { self.own_from } else { begin };
        let outer = self.indent;
        self.indent = (outer + usize::from(slot.indent)).min(DEEPEST_COLUMN);
        let order = &document.order[slot.sections.usize()];
        let mut from = from;
        let is_list = document.are_items(order);
        if is_list && self.catalogue(order, level) {
            from = self.len();
        }
        let mut last = order.iter().rev();
        let is_printed = |page: &Self, id| page.is_shown(id) && !page.is_catalogued(id);
        let last = last.find(|id| **id != ABSENT && is_printed(self, **id));
        for id in order {
            if *id == ABSENT {
                self.depends();
                continue;
            }
            let section = document.section(*id);
            let form = self.form(*id);
            if self.printing.meant.is_some() || (form != Form::Gone && section.varies) {
                self.depends();
            }
            if is_list && self.is_catalogued(*id) {
                continue;
            }
            let own = section.level(document.shared(section));
            let base = i32::from(self.printing.format.base_level);
            let level = own.map_or(level, |own| (text_level + i32::from(own)).max(base));
            if self.is_shown(*id) {
                self.section_behind((*id, last == Some(id)), section, level, from);
            } else if form != Form::Gone {
                if Self::could_print(section) {
                    self.depends();
                }
                if section.is_bare {
                    self.bare(*id, section, level);
                }
            }
        }
        self.indent = outer;
        if self.len() == begin && !slot.is_rest {
            self.space.clear();
            self.space.is_gone = true;
        }
    }

    /// A section, and what stands between it and what was printed since.
    fn section_behind(
        &mut self,
        (id, is_last): (SectionId, bool),
        section: &Section<'a>,
        level: i32,
        from: usize,
    ) {
        if section.is_bare {
            let begin = self.len();
            if begin > from {
                self.space.set(1);
                self.space.is_started = true;
            }
            self.bare(id, section, level);
            if begin > from && self.len() == begin {
                self.space.clear();
                self.space.is_started = true;
            }
            return;
        }
        let tag = section.tag_in(self.is_xml());
        let is_written = || tag.is_some() && Self::has_computed_attributes(section);
        if self.prefix.end.is_none() && (is_written() || self.may_lose_title(section)) {
            self.depends();
        }
        if self.len() > from {
            match section.between(self.document.shared(section)) {
                Between::Join(join) => {
                    self.push(join.before(is_last));
                    self.gap_from = self.len();
                    self.space.go_on();
                    return self.section(id, section, level);
                }
                Between::Gap { lines, is_joined } => {
                    let is_tag = tag.is_some() || (is_joined && !section.is_titled);
                    let is_inside = self.depth > 0 && (is_tag || self.is_xml());
                    let lines = lines.map_or(usize::from(!is_inside), usize::from);
                    self.space.set(u32::try_from(lines).unwrap_or(1));
                    self.space.is_started = true;
                }
            }
        }
        self.gap_from = self.len();
        self.line_break();
        self.section(id, section, level);
    }

    /// Whether other values could leave nothing of the title, and so no heading.
    fn may_lose_title(&self, section: &Section<'a>) -> bool {
        let mut sure = self.document.lists.pieces[section.title.usize()]
            .iter()
            .take_while(|piece| !matches!(piece, Piece::Varies));
        // A marker alone, as of a list, goes with the value behind it.
        let has_letter = |words: &str| words.contains(char::is_alphabetic);
        section.is_title_computed
            && !sure.any(|piece| matches!(piece, Piece::Words(words) if has_letter(words)))
    }

    /// Whether an attribute depends on a value, also one that is left out.
    fn has_computed_attributes(section: &Section<'a>) -> bool {
        if section.is_item() && !section.attributes.is_empty() {
            return true;
        }
        let is_title = |value: &_| *value == AttributeSource::Title && !section.is_title_computed;
        let is_computed = |attribute: &Attribute| !is_title(&attribute.value);
        let own = &section.info.markup.attributes;
        let of_type = section
            .child()
            .map(|child| &child.container.markup.attributes);
        !section.is_item() && own.iter().any(is_computed)
            || of_type.is_some_and(|of_type| of_type.iter().any(is_computed))
    }

    /// Whether it could print something if values were others.
    fn could_print(section: &Section<'a>) -> bool {
        !section.body.is_empty() || Self::has_computed_attributes(section)
    }

    /// Whether values decide if a slot among these events prints something.
    pub(super) fn may_differ(&self, events: &[Event<'a>]) -> bool {
        let order = &self.document.order;
        events.iter().any(|event| match event {
            Event::Slot(slot) => order[slot.sections.usize()].iter().any(|id| {
                let section = self.document.sections.get(*id as usize);
                section.is_none_or(|section| {
                    let is_beside = self.form(*id) == Form::Gone;
                    self.printing.meant.is_some()
                        || (!is_beside && (section.varies || Self::could_print(section)))
                })
            }),
            Event::Collected { .. } | Event::Varies => true,
            _ => false,
        })
    }

    /// What prints nothing itself: messages, and what holds nothing else.
    fn bare(&mut self, id: SectionId, section: &Section<'a>, level: i32) {
        let span = self.begin_span(id, level);
        let outer = self.at.replace(id);
        self.text(section.body, level);
        self.at = outer;
        self.end_span(span);
    }

    fn section(&mut self, id: SectionId, section: &Section<'a>, level: i32) {
        if self.printing.with_shorts && self.short.is_none() {
            self.print_short(id, section, level);
        }
        if section.is_literal && self.form(id) == Form::Full {
            return self.literal(id, section, level);
        }
        if self.is_catalogued(id) {
            return self.catalogue_item(id, section, level);
        }
        let is_turn = section.policy().role.is_some();
        let level = if is_turn {
            i32::from(self.printing.format.base_level)
        } else {
            level
        };
        let outer = self.at.replace(id);
        let span = self.begin_span(id, level);
        self.space.begin("");
        let before = self.gap_from;
        match section.tag_in(self.is_xml()) {
            Some(tag) => {
                let open = self.section_tag(id, tag, before);
                self.end_heading(span);
                self.inside(id, section, level);
                self.close_tag(&open);
            }
            None if section.is_titled => {
                let is_numbered = self.heading(section, level);
                if section.may_vanish() || section.heading(self.document.shared(section)).is_some()
                {
                    self.prefix.inside(before);
                }
                if section.may_vanish() {
                    self.prefix.tentative(before, self.out.len());
                }
                self.end_heading(span);
                self.inside(id, section, level + 1);
                if is_numbered {
                    self.numbers.pop();
                }
            }
            None => {
                self.prefix.tentative(before, self.out.len());
                self.inside(id, section, level);
            }
        }
        self.space.go_on();
        self.at = outer;
        self.end_span(span);
    }

    /// Whether a section is printed in full.
    pub(super) fn is_full(&self, id: SectionId) -> bool {
        self.form(id) != Form::Summary || self.document.section(id).summary.is_none()
    }

    /// The body, or the short form with its suffix.
    fn inside(&mut self, id: SectionId, section: &Section<'a>, level: i32) {
        self.printed.is_summarised |= self.form(id) == Form::Summary;
        match section.summary {
            Some(summary) if !self.is_full(id) => {
                let from = self.len();
                self.text(summary, level);
                if self.len() > from {
                    self.space.set(1);
                }
                self.suffix(id, section, level);
            }
            _ => self.text(section.body, level),
        }
    }

    /// Whether the heading took a number.
    fn heading(&mut self, section: &Section<'a>, level: i32) -> bool {
        let is_numbered = self.is_numbered(section) && section.number.place > 0;
        if is_numbered {
            self.count(section);
        }
        let from = self.len();
        let shared = self.document.shared(section);
        match section.heading(shared) {
            None => {
                self.begin_heading(level);
                self.title_of(section);
            }
            Some(form) => self.text(form, level),
        }
        let is_printed = self.len() > from;
        self.space.begin(match section.is_tight(shared) {
            _ if !is_printed => "",
            true => "\n",
            false => "\n\n",
        });
        is_numbered
    }

    /// The number of a section is part of those in it.
    fn count(&mut self, section: &Section<'a>) {
        if section.number.varies {
            self.depends();
        }
        let are_all = self.printing.format.numbering == Numbering::Decimal;
        self.numbers.push(section.number.printed(are_all));
    }

    /// Whether headings are numbered where a section stands.
    fn is_numbered(&self, section: &Section<'a>) -> bool {
        let is_decimal = self.printing.format.numbering == Numbering::Decimal;
        let shared = self.document.shared(section);
        shared.numbered.unwrap_or(is_decimal)
    }

    /// The hashes of a heading that is made here.
    pub(super) fn begin_heading(&mut self, level: i32) {
        self.indent_line();
        let hashes = self.hashes(level);
        self.out.push_str(&HASHES[hashes..]);
    }

    /// Number and words of a title.
    fn title_of(&mut self, section: &Section<'a>) {
        if self.is_numbered(section) && section.number.place > 0 {
            self.number();
        }
        if section.is_title_computed {
            self.depends();
        }
        self.pieces(&self.document.lists.pieces[section.title.usize()]);
    }

    /// `{title}` of a heading form.
    pub(super) fn own_title(&mut self) {
        if let Some(id) = self.at {
            self.title_of(self.document.section(id));
        }
    }

    fn number(&mut self) {
        let mut digits = itoa::Buffer::new();
        for number in &self.numbers {
            self.out.push_str(digits.format(*number));
            self.out.push('.');
        }
        self.out.push(' ');
    }

    /// A title and fixed words.
    fn literal(&mut self, id: SectionId, section: &Section<'a>, level: i32) {
        let span = self.begin_span(id, level);
        let key: &'a str = &section.info.key;
        let lead: &'a str = &section.info.lead;
        let Title::Fallback(title) = &section.info.title else {
            return;
        };
        let words = lead.get(title.len() + 2..).unwrap_or_default();
        if self.is_xml() {
            self.space.begin("");
            let outer = self.at.replace(id);
            let open = self.section_tag(id, key, self.gap_from);
            self.end_heading(span);
            self.line_break();
            self.push(words);
            self.close_tag(&open);
            self.at = outer;
        } else {
            self.begin_heading(level);
            if self.is_numbered(section) {
                self.count(section);
                self.number();
                self.numbers.pop();
            }
            let body = self.len() + title.len();
            self.push(lead);
            if let Some(span) = span {
                self.printed.spans[span].body = body - self.start;
            }
        }
        self.space.go_on();
        self.end_span(span);
    }

    // Short forms.

    /// How the model asks for the rest.
    fn suffix(&mut self, id: SectionId, section: &Section<'a>, level: i32) {
        if section
            .child()
            .is_some_and(|child| !child.sections.is_empty())
        {
            self.depends();
        }
        if let Some(suffix) = self.document.shared(section).suffix {
            return self.text_behind(suffix, level);
        }
        self.line_break();
        if section.tag_in(self.is_xml()).is_none() {
            self.push("---\n");
        }
        let document = self.document;
        let keys = self.keys_below(id);
        let path = |out: &mut String| document.write_path(id, out);
        let wording = &self.printing.format.wording;
        let from = self.len();
        wording.write_suffix(&path, &keys, &mut self.out);
        if self.indent > 0 {
            let words = self.out.split_off(from);
            self.push(&words);
        }
    }

    /// A text in the space of the one before it.
    fn text_behind(&mut self, events: crate::document::Range, level: i32) {
        let titles = self.titles.len();
        self.run(events.usize(), level, titles);
        self.close_titles(titles);
    }

    /// The keys of what is directly inside a section and there.
    fn keys_below(&self, id: SectionId) -> Vec<&'a str> {
        let children = self.document.children(Some(id));
        children.map(|(_, section)| &*section.info.key).collect()
    }

    /// `{key}` of a suffix.
    pub(super) fn own_path(&mut self) {
        let path = self.document.path(self.at);
        self.push(&path);
    }

    /// `{subsections}` of a suffix.
    pub(super) fn subsections(&mut self) {
        if let Some(id) = self.at {
            let keys = self.keys_below(id).join(", ");
            self.push(&keys);
        }
    }

    /// The short form of a section that is shown in full, aside.
    fn print_short(&mut self, id: SectionId, section: &Section<'a>, level: i32) {
        if self.form(id) != Form::Full || section.summary.is_none() {
            return;
        }
        let printing = Printing {
            with_spans: false,
            with_shorts: false,
            ..self.printing
        };
        // What stands before a section is its own.
        let before = &self.out[self.out.trim_end_matches('\n').len()..];
        let before = if self.document.is_cataloguable(section) {
            "\n"
        } else {
            before
        };
        let mut aside = Page {
            out: before.to_owned(),
            shown: std::mem::take(&mut self.shown),
            level: self.level,
            at: self.at,
            depth: self.depth,
            margin: self.margin,
            columns: self.columns,
            indent: self.indent,
            numbers: self.numbers.clone(),
            short: Some(id),
            ..Page::blank(self.document, printing, String::new())
        };
        aside.space.go_on();
        aside.section(id, section, level);
        self.shown = std::mem::take(&mut aside.shown);
        self.fault = self.fault.take().or(aside.fault.take());
        aside.printed.sort_sources();
        let (text, sources) = (aside.out, aside.printed.sources);
        self.printed.shorts.push(Short {
            section: id,
            text,
            sources,
        });
    }

    // Spans.

    #[inline]
    pub(super) fn begin_span(&mut self, id: SectionId, level: i32) -> Option<usize> {
        let is_noted = self.printing.with_spans;
        is_noted.then(|| self.note_span(id, level))
    }

    fn note_span(&mut self, id: SectionId, level: i32) -> usize {
        let from = self.printed.titles.len();
        let section = self.document.section(id);
        self.document
            .write_title(section.title, &mut self.printed.titles);
        let start = self.len() - self.start;
        self.printed.spans.push(Span {
            section: id,
            title: from..self.printed.titles.len(),
            level: heading_level(level),
            form: self.form(id),
            start,
            end: start,
            body: start,
            is_wrapper: section.may_vanish() && self.is_full(id) && section.is_wrapper(),
        });
        self.printed.spans.len() - 1
    }

    pub(super) fn end_heading(&mut self, span: Option<usize>) {
        if let Some(span) = span {
            self.printed.spans[span].body = self.len() - self.start;
        }
    }

    pub(super) fn end_span(&mut self, span: Option<usize>) {
        if let Some(span) = span {
            self.printed.spans[span].end = self.len() - self.start;
        }
    }
}
