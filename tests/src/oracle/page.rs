//! What conditions and loops leave, put together with its blank lines.

/// What conditions and loops leave.
#[derive(Clone)]
pub(super) enum Event {
    /// A line, and what of it stays at an end of its text, if anything does.
    Line {
        text: String,
        kept: Option<std::ops::Range<usize>>,
    },
    /// A title that is a tag.
    Tag(Tag),
    Blank(String),
    /// What would have stood here prints nothing.
    Gone,
    /// A branch of nothing but blank lines prints them.
    There,
    /// A branch, the body for an item, or a fence ends.
    End,
    /// A section.
    Section(Section),
    /// A slot whose section prints nothing.
    GoneSlot,
    /// What has no slot follows.
    Join,
}

impl Event {
    pub(super) fn line(text: String) -> Self {
        let kept = Some(0..text.len());
        Self::Line { text, kept }
    }
}

/// Blank lines that values print at both ends of a text go.
pub(super) fn trim_ends(events: &mut [Event]) {
    for is_end in [false, true] {
        let count = events.len();
        for number in 0..count {
            let at = if is_end { count - 1 - number } else { number };
            let Event::Line { text, kept } = &mut events[at] else {
                if matches!(events[at], Event::Blank(_) | Event::Gone | Event::End) {
                    continue;
                }
                break;
            };
            let Some(range) = kept else {
                events[at] = Event::End;
                continue;
            };
            if is_end {
                text.truncate(range.end);
            } else {
                text.drain(..range.start);
                *range = 0..range.end - range.start;
            }
            break;
        }
    }
}

/// A section that prints something.
#[derive(Clone)]
pub(super) struct Section {
    /// The name of its tag; without a title it has none.
    pub(super) key: Option<String>,
    pub(super) heading: Option<String>,
    pub(super) events: Vec<Event>,
}

/// A title as a tag: it holds what comes up to the next one of its level or above.
#[derive(Clone)]
pub(super) struct Tag {
    pub(super) level: usize,
    pub(super) name: String,
    /// Name and attribute.
    pub(super) open: String,
}

/// What was printed so far.
#[derive(Default)]
struct Printer<'e> {
    is_xml: bool,
    lines: Vec<String>,
    /// The open titles, each with the line behind its tag.
    tags: Vec<(&'e Tag, usize)>,
    /// Tags around all of it.
    depth: usize,
    blank: Vec<String>,
    is_gone: bool,
}

/// What is absent is removed with the blank lines before it, where blank lines or an end follow; a part of a paragraph
/// leaves those before the paragraph. At both ends of the text, and of a tag, there are none.
pub(super) fn put_together(events: &[Event], is_xml: bool) -> String {
    nested(events, is_xml, 0)
}

fn nested(events: &[Event], is_xml: bool, depth: usize) -> String {
    let mut printer = Printer {
        is_xml,
        depth,
        ..Printer::default()
    };
    for event in events {
        printer.event(event);
    }
    printer.close(0);
    printer.lines.join("\n")
}

impl<'e> Printer<'e> {
    fn event(&mut self, event: &'e Event) {
        match event {
            Event::Line { text, .. } => self.line(text.clone()),
            Event::Tag(tag) => self.tag(tag),
            Event::Blank(line) => {
                if std::mem::take(&mut self.is_gone) {
                    self.blank.clear();
                }
                self.blank.push(line.clone());
            }
            Event::Gone => self.is_gone = true,
            Event::End if self.is_gone => self.blank.clear(),
            Event::End | Event::There => {}
            Event::Section(section) => self.section(section),
            Event::GoneSlot => {
                self.blank.clear();
                self.is_gone = true;
            }
            Event::Join => {
                let is_apart = !self.is_xml || self.depth + self.tags.len() == 0;
                self.blank = vec![String::new(); usize::from(is_apart)];
                self.is_gone = false;
            }
        }
    }

    fn line(&mut self, line: String) {
        if self.tags.last().map_or(0, |(_, start)| *start) < self.lines.len() {
            self.lines.append(&mut self.blank);
        }
        self.blank.clear();
        self.lines.push(line);
        self.is_gone = false;
    }

    fn columns(&self) -> String {
        "  ".repeat(self.depth + self.tags.len())
    }

    fn tag(&mut self, tag: &'e Tag) {
        self.close(tag.level);
        // At the top there is a blank line between what stands in tags.
        if self.depth + self.tags.len() == 0 && !self.lines.is_empty() {
            self.lines.push(String::new());
        }
        let open = format!("{}<{}>", self.columns(), tag.open);
        self.lines.push(open);
        self.tags.push((tag, self.lines.len()));
        self.blank.clear();
        self.is_gone = false;
    }

    fn section(&mut self, section: &Section) {
        if let Some(key) = section.key.as_ref().filter(|_| self.is_xml) {
            let inner = nested(&section.events, true, self.depth + self.tags.len() + 1);
            let columns = self.columns();
            return self.line(format!("{columns}<{key}>\n{inner}\n{columns}</{key}>"));
        }
        let inner = nested(&section.events, self.is_xml, self.depth + self.tags.len());
        match &section.heading {
            Some(heading) if inner.is_empty() => self.line(heading.clone()),
            Some(heading) => self.line(format!("{heading}\n\n{inner}")),
            None => self.line(inner),
        }
    }

    /// Closes the tags of this level and below; one that holds nothing ends itself.
    fn close(&mut self, level: usize) {
        while let Some((tag, start)) = self.tags.pop_if(|(tag, _)| tag.level >= level) {
            let end = format!("{}</{}>", self.columns(), tag.name);
            let count = self.lines.len();
            match self.lines.last_mut() {
                Some(last) if start == count => {
                    last.truncate(last.len() - 1);
                    *last += "/>";
                }
                _ => self.lines.push(end),
            }
        }
    }
}

pub(super) fn prints(events: &[Event]) -> bool {
    events.iter().any(is_there)
}

/// Whether it is more than the end of something.
pub(super) fn is_there(event: &Event) -> bool {
    matches!(
        event,
        Event::Line { .. } | Event::Tag(_) | Event::There | Event::Section(_)
    )
}
