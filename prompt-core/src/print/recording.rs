//! A tree whose answers are kept: it is visited once, and then printed in as many forms as are wanted, without asking
//! anybody. Budgets, turns of the model, previews and collected texts do that.

use super::{
    View,
    again::{Again, Places, Playing, Short},
    contexts::Contexts,
    kept::Kept,
    walk::Walk,
};
use crate::errors::PromptError;
use crate::layout::{Notes, Printed, RowId, Words};
use crate::node::{Embedded, Form};
use crate::print::rows::{Row, Rows};
use std::collections::BTreeMap;

/// What a walk notes that is not the last one.
const NOTES: Notes = Notes {
    sections: true,
    sources: false,
};

/// A tree that was visited, and whose answers are kept.
pub(crate) struct Recording<'k> {
    root: Embedded<'k>,
    pub(crate) rows: Rows<'k>,
    places: Places,
    /// The titles of all rows, printed or not.
    titles: Vec<Result<Words, PromptError>>,
    contexts: Contexts,
    asks_sections: bool,
    /// The rows without which a row would not be reached.
    needs: BTreeMap<RowId, Vec<RowId>>,
}

/// A text that was printed.
pub(crate) struct Played<'k> {
    pub(crate) text: String,
    pub(crate) printed: Printed<'k>,
    /// What sections that are shown in full would be in their short form, with the gap before it; where that was wanted.
    pub(crate) summaries: Vec<Short>,
    /// The rows to which no branch leads any more, because other sections are gone.
    pub(crate) unreached: Vec<RowId>,
}

/// A tree of which nothing is printed but titles: variables may be without a value.
pub(crate) struct Visited<'k> {
    pub(crate) rows: Rows<'k>,
    titles: Vec<Result<Words, PromptError>>,
    asks_sections: bool,
}

impl<'k> Visited<'k> {
    /// Visits all sections of a tree.
    ///
    /// # Errors
    /// What is wrong with the tree itself.
    pub(crate) fn of(root: &'k Kept<'_>) -> Result<Self, PromptError> {
        Self::with(root, &View::default(), true, false)
    }

    fn with(
        root: &'k Kept<'_>,
        view: &View<'_>,
        with_titles: bool,
        records: bool,
    ) -> Result<Self, PromptError> {
        let mut nothing = String::new();
        let mut walk = Walk::new(&mut nothing, &view.look, view, NOTES);
        walk.records = records;
        walk.hidden = 1;
        walk.titles = with_titles.then(Vec::new);
        let walked = if records {
            walk.root(root.embedded())
        } else {
            walk.root_unchecked(root.embedded())
        };
        walked.map_err(|fault| *fault)?;
        Ok(Self::of_walk(walk).0)
    }

    /// What was visited, and where each row went if they had to be put into the order of their declaration.
    fn of_walk(walk: Walk<'_, '_, 'k>) -> (Self, Option<Vec<RowId>>) {
        let Walk {
            mut rows,
            titles,
            is_disordered,
            asks_sections,
            ..
        } = walk;
        let mut titles = titles.unwrap_or_default();
        let places = is_disordered.then(|| rows.sort());
        if let Some(places) = &places {
            titles = sorted(titles, places);
        }
        let visited = Self {
            rows,
            titles,
            asks_sections,
        };
        (visited, places)
    }

    /// The rows below which there are no others.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = RowId> {
        let is_leaf = |(id, row): &(RowId, &Row<'_>)| row.end == id + 1;
        self.rows.iter().filter(is_leaf).map(|(id, _)| id)
    }

    /// The title of a row.
    ///
    /// # Errors
    /// Where a value in it cannot be printed.
    pub(crate) fn title(&self, id: RowId) -> Result<&str, PromptError> {
        match &self.titles[id as usize] {
            Ok(title) => Ok(&title.text),
            Err(error) => Err(error.clone()),
        }
    }
}

impl<'k> Recording<'k> {
    /// Visits a tree. Its titles are those of all sections, shown or not, where they are wanted.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub(crate) fn of(
        root: &'k Kept<'_>,
        view: &View<'_>,
        with_titles: bool,
    ) -> Result<Self, PromptError> {
        let with_titles = with_titles || view.collecting().is_some();
        let visited = Visited::with(root, view, with_titles, true)?;
        Self::of_visited(root, visited, view)
    }

    /// Visits a tree for a budget, and prints it on the way as it is to be shown.
    ///
    /// # Errors
    /// See [`PromptError`].
    pub(crate) fn printing(
        root: &'k Kept<'_>,
        view: &View<'_>,
    ) -> Result<(Self, Played<'k>), PromptError> {
        let mut text = String::new();
        let mut walk = Walk::new(&mut text, &view.look, view, NOTES);
        walk.records = true;
        walk.is_reduced = true;
        walk.root(root.embedded()).map_err(|fault| *fault)?;
        let rows = &walk.rows;
        let page = &mut walk.page;
        let mut printed = page.finish(&|row| rows.row(row).parent, &|row| rows.path(row))?;
        let (visited, places) = Visited::of_walk(walk);
        if let Some(places) = places {
            printed.renumber(|row| places[row as usize]);
        }
        let recording = Self::of_visited(root, visited, view)?;
        let played = Played {
            text,
            printed,
            summaries: Vec::new(),
            unreached: Vec::new(),
        };
        Ok((recording, played))
    }

    fn of_visited(
        root: &'k Kept<'_>,
        visited: Visited<'k>,
        view: &View<'_>,
    ) -> Result<Self, PromptError> {
        let Visited {
            rows,
            titles,
            asks_sections,
        } = visited;
        rows.check_tools()?;
        let contexts = match view.collecting() {
            Some(texts) => Contexts::of(&rows, texts, view)?,
            None => Contexts::default(),
        };
        let places = Places::of(&rows);
        Ok(Self {
            root: root.embedded(),
            needs: needs(&rows, &places),
            places,
            rows,
            titles,
            contexts,
            asks_sections,
        })
    }

    /// The title of a row, printed or not.
    pub(crate) fn title(&self, id: RowId) -> Option<&Words> {
        self.titles[id as usize].as_ref().ok()
    }

    /// Prints the tree.
    ///
    /// # Errors
    /// A value that cannot be printed, a heading that is too deep, or a value that is not allowed.
    pub(crate) fn play(&self, playing: Playing<'_>) -> Result<Played<'k>, PromptError> {
        let mut text = String::new();
        let notes = Notes {
            sections: true,
            sources: playing.with_sources,
        };
        let view = View::default();
        let mut walk = Walk::new(&mut text, playing.look, &view, notes);
        walk.notes = false;
        walk.is_reduced = playing.is_reduced;
        if self.asks_sections {
            walk.found = vec![false; playing.forms.len()];
        }
        walk.again = Some(Again {
            rows: &self.rows,
            places: &self.places,
            titles: &self.titles,
            contexts: &self.contexts,
            playing,
        });
        walk.root(self.root.clone()).map_err(|fault| *fault)?;
        let Walk {
            mut page,
            summaries,
            found,
            ..
        } = walk;
        let rows = &self.rows;
        let printed = page.finish(&|row| rows.row(row).parent, &|row| rows.path(row))?;
        Ok(Played {
            text,
            printed,
            summaries,
            unreached: self.unreached(&found, playing.forms),
        })
    }

    /// The rows that were not found although what is around them is shown in full.
    fn unreached(&self, found: &[bool], forms: &[Form]) -> Vec<RowId> {
        let is_shown = |id: RowId| found[id as usize] && forms[id as usize] == Form::Full;
        let is_missed = |id: &RowId| {
            let parent = self.rows.row(*id).parent;
            !found[*id as usize] && parent.is_none_or(is_shown)
        };
        let rows = if found.is_empty() { 0 } else { self.rows.len() };
        (0..rows).filter(is_missed).collect()
    }

    /// The rows without which a row would not be reached.
    pub(crate) fn needs(&self, id: RowId) -> &[RowId] {
        self.needs.get(&id).map_or(&[], Vec::as_slice)
    }
}

/// The rows without which each row would not be reached, from the places of both.
fn needs(rows: &Rows<'_>, places: &Places) -> BTreeMap<RowId, Vec<RowId>> {
    let mut needs: BTreeMap<RowId, Vec<RowId>> = BTreeMap::new();
    for (id, index) in &rows.needs {
        if let Some(needed) = places.row(rows.row(*id).parent, *index as usize) {
            needs.entry(*id).or_default().push(needed);
        }
    }
    needs
}

/// What was gathered row by row, in the order of the declaration.
fn sorted<T>(list: Vec<T>, places: &[RowId]) -> Vec<T> {
    let mut placed: Vec<Option<T>> = list.iter().map(|_| None).collect();
    for (member, place) in list.into_iter().zip(places) {
        placed[*place as usize] = Some(member);
    }
    placed.into_iter().flatten().collect()
}
