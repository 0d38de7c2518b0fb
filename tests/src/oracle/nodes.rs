//! Nodes with sections: where they stand, at which level, and with which number.

use super::page::{Event, Section, is_there, put_together, trim_ends};
use super::source::{Line, heading, source_lines};
use super::{Oracle, Scope, is_blank};
use serde_json::Value;

/// A node of a file.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Its key.
    pub key: String,
    /// Its title, a template; `None`: it is untitled.
    pub title: Option<String>,
    /// Its text.
    pub text: String,
    /// Whether it is there.
    pub is_there: bool,
    /// Its sections.
    pub sections: Vec<Node>,
}

impl Node {
    /// A node of a text.
    pub fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            is_there: true,
            ..Self::default()
        }
    }
}

/// How a tree is printed.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether sections and titles are tags.
    pub is_xml: bool,
    /// The level of the root's first heading, if that is 1 in its text.
    pub level: usize,
    /// Whether headings of sections have numbers.
    pub is_numbered: bool,
}

/// What a tree prints.
pub fn printed_node(root: &Node, values: &Value, keys: &Value, look: Look) -> String {
    let scope: Scope = values
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let tree = Tree { scope, keys, look };
    let shift = look.level.cast_signed() - 1;
    put_together(
        &tree.node(root, shift, &mut Numbers::default()),
        look.is_xml,
    )
}

struct Tree<'t> {
    scope: Scope,
    keys: &'t Value,
    look: Look,
}

/// The numbers of the headings around, and of the last heading below them. "A number follows from what is declared and from
/// which items there are, never from what is printed."
#[derive(Clone, Default)]
struct Numbers {
    around: String,
    last: usize,
}

impl Tree<'_> {
    fn oracle(&self, text: &str, shift: isize) -> Oracle {
        let loops = text
            .split("{*")
            .skip(1)
            .filter_map(|rest| rest.split('}').next());
        let aliases = loops.filter_map(|name| Some(name.split_once(" as ")?.1.to_owned()));
        let given = ["item", "index", "index0", "first", "last"].map(str::to_owned);
        let own = self.scope.iter().map(|(name, _)| name.clone());
        Oracle {
            names: own.chain(given).chain(aliases).collect(),
            keys: self.keys.clone(),
            is_xml: self.look.is_xml,
            shift,
            slots: Vec::new(),
        }
    }

    fn node(&self, node: &Node, shift: isize, numbers: &mut Numbers) -> Vec<Event> {
        let lines = source_lines(&node.text);
        let (levels, rest) = levels(&lines, node);
        let mut oracle = self.oracle(&node.text, shift);
        let (mut unplaced, mut shown) = (Vec::new(), Vec::new());
        for child in &node.sections {
            let slot = levels.iter().find(|(key, _)| *key == child.key);
            let level = slot.map_or(rest, |(_, level)| *level);
            let event = self.section(child, level.cast_signed() + shift, numbers);
            shown.push((child.key.clone(), is_printed(&event)));
            match slot {
                Some(_) => oracle.slots.push((child.key.clone(), event)),
                None if matches!(event, Event::GoneSlot) => {}
                None => unplaced.extend([Event::Join, event]),
            }
        }
        // A condition on a section asks whether that prints something.
        let mut scope = self.scope.clone();
        for (child, is_shown) in shown {
            oracle.names.push(child.clone());
            scope.push((child, is_shown.into()));
        }
        let mut events = Vec::new();
        oracle.blocks(&lines, &scope, &mut events);
        trim_ends(&mut events);
        events.append(&mut unplaced);
        events
    }

    fn section(&self, node: &Node, level: isize, numbers: &mut Numbers) -> Event {
        let lines = source_lines(&node.text);
        let titles = lines
            .iter()
            .filter(|line| !line.is_code)
            .filter_map(|line| Some(heading(&line.text)?.0));
        let slots = levels(&lines, node).0.into_iter().map(|(_, level)| level);
        let top = titles.chain(slots).min().unwrap_or(1).cast_signed();
        let Some(title) = &node.title else {
            // Of a section that is not there nobody knows what it would have counted.
            if !node.is_there {
                return Event::GoneSlot;
            }
            let events = self.node(node, level - top, numbers);
            return Event::Section(Section {
                key: None,
                heading: None,
                events,
            });
        };
        numbers.last += 1;
        let number = format!("{}{}.", numbers.around, numbers.last);
        let mut below = Numbers {
            around: number.clone(),
            last: 0,
        };
        let oracle = self.oracle(title, level - 1);
        let words = oracle.template(title, &self.scope, "");
        let words = without_blank_lines(&words).replace('\n', " ");
        let number = if self.look.is_numbered {
            number + " "
        } else {
            String::new()
        };
        let heading = (!is_blank(&words)).then(|| format!("{} {number}{words}", oracle.hashes(1)));
        // A title that prints nothing leaves no heading: its body stands where that of a section without one does.
        let is_titled = isize::from(heading.is_some());
        let events = self.node(node, level + is_titled - top, &mut below);
        if !node.is_there {
            return Event::GoneSlot;
        }
        Event::Section(Section {
            key: Some(node.key.clone()),
            heading,
            events,
        })
    }
}

/// Whether something is printed of a section: its heading, or a line in it.
fn is_printed(event: &Event) -> bool {
    match event {
        Event::Section(section) => {
            section.heading.is_some() || section.events.iter().any(is_printed)
        }
        event => is_there(event),
    }
}

/// A text without the blank lines at its ends.
fn without_blank_lines(text: &str) -> &str {
    let words = text.trim();
    let Some(at) = text.find(words).filter(|_| !words.is_empty()) else {
        return "";
    };
    let (before, behind) = (&text[..at], &text[at + words.len()..]);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let end = text.len() - behind.len() + behind.find('\n').unwrap_or(behind.len());
    &text[start..end]
}

/// The level of each slot, and of what has none: that of the heading above, and one more; without one 1.
fn levels(lines: &[Line], node: &Node) -> (Vec<(String, usize)>, usize) {
    let (mut slots, mut level) = (Vec::new(), 0);
    for line in lines.iter().filter(|line| !line.is_code) {
        if let Some((above, _)) = heading(&line.text) {
            level = above;
        }
        let is_slot = |child: &&Node| line.text.trim() == format!("{{{}}}", child.key);
        let slot = node.sections.iter().find(is_slot);
        slots.extend(slot.map(|child| (child.key.clone(), level + 1)));
    }
    (slots, level + 1)
}
