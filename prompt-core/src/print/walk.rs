//! The walk over a tree: what it knows, and what it notes on its way.

use super::{
    MAX_DEPTH, View,
    again::{Again, Short},
    frame::Frame,
    frame::Identity,
    place::{Done, Place, path},
    reach::Reach,
    unit::Unit,
};
use crate::errors::PromptError;
use crate::layout::{Look, Notes, Page, RowId, Words};
use crate::messages::tool::ToolSpec;
use crate::node::Form;
use crate::node::NodeRef;
use crate::print::rows::Rows;

/// The walk over a tree: asks it, and prints what it says.
pub(super) struct Walk<'w, 'v, 'a> {
    pub(super) page: Page<'w, 'a>,
    pub(super) view: &'v View<'v>,
    /// The rows of the tree and their forms, where it is not walked for the first time.
    pub(super) again: Option<Again<'v, 'a>>,
    /// Whether paths decide what is shown.
    pub(super) asks_paths: bool,
    /// Whether rows are noted.
    pub(super) notes: bool,
    /// Whether the tree is walked again later, in other forms.
    pub(super) records: bool,
    /// Whether values decide which sections are shown: a budget does.
    pub(super) is_reduced: bool,
    /// Whether a text asks whether a section prints something.
    pub(super) asks_sections: bool,
    /// Which rows were found again, where that is wanted.
    pub(super) found: Vec<bool>,
    /// How many loops are being run.
    pub(super) loops: u32,
    /// How many sections around this place are not shown: nothing is printed.
    pub(super) hidden: u32,
    pub(super) rows: Rows<'a>,
    /// Whether rows were visited in another order than that of their declaration.
    pub(super) is_disordered: bool,
    /// The titles of all rows, where they are wanted.
    pub(super) titles: Option<Vec<Result<Words, PromptError>>>,
    /// The keys of the sections directly below a section that is shown short, and their depth.
    pub(super) keys: Vec<(usize, &'a str)>,
    pub(super) keys_at: u32,
    /// Room for a path.
    pub(super) path: String,
    pub(super) has_visited_focus: bool,
    /// The first variable that has no value.
    pub(super) missing: Option<PromptError>,
    /// What was judged of the node of the section that is being printed.
    pub(super) reach: Option<(Identity, Box<Reach<'a>>)>,
    /// The short forms of sections that are shown in full, where they are wanted.
    pub(super) summaries: Vec<Short>,
    /// Places for sections that are about to be printed: deep trees need little stack, and wide ones do not allocate for
    /// each section.
    spare: Option<Box<Unit<'a>>>,
}

impl<'w, 'v, 'a> Walk<'w, 'v, 'a> {
    pub(super) fn new(
        buffer: &'w mut String,
        look: &'w Look,
        view: &'v View<'v>,
        notes: Notes,
    ) -> Self {
        Self {
            page: Page::new(buffer, look, notes),
            view,
            again: None,
            asks_paths: view.asks_paths(),
            notes: notes.sections,
            records: false,
            is_reduced: false,
            asks_sections: false,
            found: Vec::new(),
            loops: 0,
            hidden: 0,
            rows: Rows::default(),
            is_disordered: false,
            titles: None,
            keys: Vec::new(),
            keys_at: u32::MAX,
            path: String::new(),
            has_visited_focus: false,
            missing: None,
            reach: None,
            summaries: Vec::new(),
            spare: None,
        }
    }

    /// A place for a section, or an item, that is about to be printed.
    pub(super) fn take_unit(&mut self) -> Box<Unit<'a>> {
        match self.spare.take() {
            Some(mut unit) => {
                self.spare = unit.next.take();
                unit
            }
            None => Box::default(),
        }
    }

    pub(super) fn put_back(&mut self, mut unit: Box<Unit<'a>>) {
        unit.next = self.spare.take();
        self.spare = Some(unit);
    }

    /// The tools of a section, or of a node.
    pub(super) fn tools(&mut self, node: NodeRef<'_>, section: Option<usize>, row: Option<RowId>) {
        // Who only looks at a tree does not ask for tools.
        if !self.notes || self.is_looked_at() {
            return;
        }
        let info = node.info();
        let has_tools = match section {
            Some(index) => info.sections[index].policy.has_tools,
            None => info.container.has_tools,
        };
        if has_tools {
            let tools: Vec<ToolSpec> = node.tools(section);
            let tools = tools.into_iter().map(|tool| (row, tool));
            self.rows.tools.extend(tools);
        }
    }

    /// Whether nothing of the tree is printed, now or later, but its titles.
    pub(super) fn is_looked_at(&self) -> bool {
        self.titles.is_some() && !self.records
    }

    /// How a section is shown, and whether somebody opened it. A list is always shown, its items are not.
    #[inline]
    pub(super) fn form(&mut self, place: &Place<'_>, is_list: bool) -> (Form, bool) {
        if self.asks_paths {
            return self.form_at_path(place, is_list);
        }
        let form = if is_list {
            Form::Full
        } else {
            place.declared.into()
        };
        (form, false)
    }

    fn form_at_path(&mut self, place: &Place<'_>, is_list: bool) -> (Form, bool) {
        self.path.clear();
        place.write(&mut self.path);
        if let Some(focus) = self.view.focus.as_deref() {
            self.has_visited_focus |= focus == self.path;
        }
        self.view.form(&self.path, is_list, place.declared)
    }

    /// The row of a section that was visited before.
    pub(super) fn find_again(&mut self, row: RowId) {
        if let Some(found) = self.found.get_mut(row as usize) {
            *found = true;
        }
    }

    /// Whether a budget took the section with this number in a node: nothing more is asked about it.
    #[inline]
    pub(super) fn is_taken(&mut self, frame: &Frame<'_, 'a>, index: usize) -> bool {
        let Some(again) = self.again.as_ref().filter(|_| self.is_reduced) else {
            return false;
        };
        let row = again.row(frame.row(), index);
        let Some(row) = row.filter(|row| again.form(*row) == Form::Gone) else {
            return false;
        };
        if let Some(found) = self.found.get_mut(row as usize) {
            *found = true;
        }
        self.depends_if_reduced();
        true
    }

    /// A section follows that a budget may take away.
    #[inline]
    pub(super) fn depends_if_reduced(&mut self) {
        if self.is_reduced && self.hidden == 0 {
            self.page.depends();
        }
    }

    /// Everything inside a section has been visited.
    #[inline]
    pub(super) fn leave(&mut self, place: &Place<'_>) {
        self.reach = None;
        if self.notes
            && let Some(row) = place.row
        {
            self.rows.close(row);
        }
    }

    #[cold]
    pub(super) fn too_deep(place: &Place<'_>) -> PromptError {
        PromptError::TooDeep {
            path: path(Some(place)),
        }
    }

    /// Trees are this deep at most.
    #[inline]
    pub(super) fn check_depth(place: &Place<'_>) -> Done {
        if place.depth > MAX_DEPTH {
            return Err(Self::too_deep(place).into());
        }
        Ok(())
    }
}

impl View<'_> {
    /// How the section at a place is shown.
    pub(super) fn form_of(&self, place: &Place<'_>) -> Form {
        if self.asks_paths() {
            self.form(&path(Some(place)), false, place.declared).0
        } else {
            place.declared.into()
        }
    }
}
