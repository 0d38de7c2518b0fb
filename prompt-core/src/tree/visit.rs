//! Goes through every section that is present, in declaration order, whatever its visibility; with a stack of its own.

use super::{Step, child, is_empty, is_node_list, is_present, join_key, written};
use crate::error::PromptError;
use crate::node::Embedded;
use crate::node::NodeInfo;
use crate::node::Priority;
use crate::node::PromptNode;
use crate::node::SectionInfo;
use crate::visibility::Visibility;

/// A section, or an item of a list of nodes.
pub(crate) struct Visit<'v, 'a> {
    /// Dotted path.
    pub(crate) path: &'v str,
    pub(crate) steps: &'v [Step],
    /// The node that has the section.
    pub(crate) host: &'a dyn PromptNode,
    pub(crate) info: &'a SectionInfo,
    pub(crate) content: &'v Embedded<'a>,
    /// Its key in a map.
    pub(crate) name: Option<&'v str>,
    /// Declared visibility of this value.
    pub(crate) visibility: Visibility,
    pub(crate) priority: Option<Priority>,
}

impl Visit<'_, '_> {
    /// The item (from 0), if it is one.
    pub(crate) fn item(&self) -> Option<usize> {
        match self.steps.last() {
            Some(Step::Item(index)) => Some(*index),
            _ => None,
        }
    }

    /// Whether its items are visited after it.
    pub(crate) fn is_list(&self) -> bool {
        is_node_list(self.content)
    }

    /// Whether `open_sections` may name it.
    pub(crate) fn is_openable(&self) -> bool {
        self.info.summary.is_some() && !self.is_list() && !is_empty(self.content)
    }

    /// Whether nothing is visited below it.
    pub(crate) fn is_leaf(&self) -> bool {
        !self.is_list() && !super::has_sections(self.content)
    }

    pub(crate) fn title(&self) -> Result<String, PromptError> {
        match (self.name, &self.info.item.title) {
            (Some(name), None) => Ok(name.to_owned()),
            _ => {
                super::title(self.host, self.info, child(self.content), self.item()).map(Into::into)
            }
        }
    }
}

/// Whether to go on below a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    Into,
    Past,
    Stop,
}

enum Frame<'a> {
    Sections {
        host: &'a dyn PromptNode,
        info: &'a NodeInfo,
        next: usize,
    },
    Items {
        host: &'a dyn PromptNode,
        info: &'a SectionInfo,
        content: Embedded<'a>,
        visibility: Visibility,
        next: usize,
    },
}

/// Calls `see` for each section and each item of a list of nodes, parents before children.
pub(crate) fn visit<'a>(
    root: &'a dyn PromptNode,
    mut see: impl FnMut(&Visit<'_, 'a>) -> Result<Flow, PromptError>,
) -> Result<(), PromptError> {
    let Some(node) = child(&root.embedded()) else {
        return Ok(());
    };
    let mut path = String::new();
    let mut steps: Vec<Step> = Vec::new();
    let mut frames = vec![(
        Frame::Sections {
            host: node,
            info: node.info(),
            next: 0,
        },
        0,
    )];
    while let Some((mut frame, length)) = frames.pop() {
        path.truncate(length);
        steps.truncate(frames.len());
        let next = frame.next(&mut path)?;
        if matches!(next, Next::End) {
            continue;
        }
        frames.push((frame, length));
        let Next::Found(found) = next else { continue };
        steps.push(found.step);
        let flow = see(&Visit {
            path: &path,
            steps: &steps,
            host: found.host,
            info: found.info,
            content: &found.content,
            name: found.name.as_deref(),
            visibility: found.visibility,
            priority: found.priority,
        })?;
        match flow {
            Flow::Stop => return Ok(()),
            Flow::Past => {}
            Flow::Into => frames.extend(Frame::below(found).map(|frame| (frame, path.len()))),
        }
    }
    Ok(())
}

/// What stands at a position.
enum Next<'a> {
    End,
    Absent,
    Found(Found<'a>),
}

struct Found<'a> {
    host: &'a dyn PromptNode,
    info: &'a SectionInfo,
    step: Step,
    content: Embedded<'a>,
    name: Option<String>,
    visibility: Visibility,
    priority: Option<Priority>,
}

impl<'a> Frame<'a> {
    /// Goes to the next position.
    fn next(&mut self, path: &mut String) -> Result<Next<'a>, PromptError> {
        match self {
            Self::Sections { host, info, next } => {
                let (host, index) = (*host, *next);
                *next += 1;
                let Some(info) = info.sections.get(index) else {
                    return Ok(Next::End);
                };
                let section = host.section(index);
                if !is_present(info, &section) {
                    return Ok(Next::Absent);
                }
                join_key(path, &info.key);
                let visibility = section.visibility.unwrap_or(info.visibility);
                let priority = section.priority.or(info.priority);
                let (step, content) = (Step::Section(index), section.content);
                Ok(Next::Found(Found {
                    host,
                    info,
                    step,
                    content,
                    name: None,
                    visibility,
                    priority,
                }))
            }
            Self::Items {
                host,
                info,
                content,
                visibility,
                next,
            } => {
                let index = *next;
                *next += 1;
                let (name, content) = match content {
                    Embedded::List(list) if index < list.len() => (None, list.item(index)),
                    Embedded::Items(items) => match items.get(index) {
                        Some((name, item)) => (name.clone(), item.clone()),
                        None => return Ok(Next::End),
                    },
                    _ => return Ok(Next::End),
                };
                if is_empty(&content) {
                    return Ok(Next::Absent);
                }
                match info.item.key {
                    Some(variable) => join_key(path, &written(*host, variable, index)?),
                    None => join_key(path, &index.to_string()),
                }
                let (host, visibility, step) = (*host, *visibility, Step::Item(index));
                Ok(Next::Found(Found {
                    host,
                    info,
                    step,
                    content,
                    name,
                    visibility,
                    priority: None,
                }))
            }
        }
    }

    fn below(found: Found<'a>) -> Option<Self> {
        if let Some(node) = child(&found.content) {
            return Some(Self::Sections {
                host: node,
                info: node.info(),
                next: 0,
            });
        }
        if !is_node_list(&found.content) {
            return None;
        }
        let Found {
            host,
            info,
            content,
            visibility,
            ..
        } = found;
        Some(Self::Items {
            host,
            info,
            content,
            visibility,
            next: 0,
        })
    }
}
