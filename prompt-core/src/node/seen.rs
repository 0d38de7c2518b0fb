//! The sections that were printed in one go. On the way they are noted by their place in the list that declares them,
//! because the list of a derived type is read only where somebody asks for it.

use super::{NodeInfo, Own, SectionInfo, coded::Coded};
use std::sync::Arc;

/// Where the sections of a node are declared.
#[derive(Clone, Copy)]
pub enum Declared {
    /// In a description that is read at its first use.
    Coded(&'static Coded),
    /// In any other of a derived type.
    Static(&'static NodeInfo),
    /// In one made at run time, which is kept under this number.
    Built(u32),
}

impl From<&'static Coded> for Declared {
    fn from(coded: &'static Coded) -> Self {
        Self::Coded(coded)
    }
}

impl From<&'static NodeInfo> for Declared {
    fn from(info: &'static NodeInfo) -> Self {
        Self::Static(info)
    }
}

/// A section by its place in the list that declares it.
#[derive(Clone, Copy)]
pub(crate) struct Listed {
    pub(crate) declared: Declared,
    pub(crate) index: u32,
}

impl Listed {
    /// Its description, if it is that of a derived type.
    pub(super) fn info(self) -> &'static SectionInfo {
        let info = match self.declared {
            Declared::Coded(coded) => coded.info(),
            Declared::Static(info) => info,
            Declared::Built(_) => NodeInfo::EMPTY,
        };
        at(info, self.index)
    }
}

/// The section with this index.
fn at(info: &NodeInfo, index: u32) -> &SectionInfo {
    let section = info.sections.get(index as usize);
    section.unwrap_or(SectionInfo::EMPTY)
}

/// Sections that were printed, in the order of the text.
#[derive(Clone, Default)]
pub(crate) struct Seen {
    pub(crate) rows: Vec<SeenSection>,
    built: Vec<Arc<NodeInfo>>,
}

/// One of them.
#[derive(Clone, Copy)]
pub(crate) struct SeenSection {
    pub(super) listed: Listed,
    /// What it embeds says of itself.
    pub(crate) own: &'static Own,
    /// Position of the section around it, [`u32::MAX`] for none.
    pub(crate) parent: u32,
    /// One past the last section inside it.
    pub(crate) after: u32,
    /// Level of its heading, or of the place where its text stands.
    pub(crate) level: u8,
    /// Bytes of the text, heading or tag included.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Where its heading, or its open tag, ends.
    pub(crate) body: usize,
}

impl Seen {
    /// Keeps a description that was made at run time; gives its number.
    pub(super) fn keep(&mut self, info: &Arc<NodeInfo>) -> Declared {
        let number = u32::try_from(self.built.len()).unwrap_or(u32::MAX);
        self.built.push(Arc::clone(info));
        Declared::Built(number)
    }

    /// The description of a section.
    pub(crate) fn info(&self, section: &SeenSection) -> &SectionInfo {
        let listed = section.listed;
        let Declared::Built(number) = listed.declared else {
            return listed.info();
        };
        let info = self.built.get(number as usize);
        at(info.map_or(NodeInfo::EMPTY, |info| info), listed.index)
    }
}
