//! `{COLLECTED_CONTEXT}`: what has been collected so far, printed by the deepest node of the chain above it that has the slot.

use super::{Page, Style, value::Text};
use crate::document::{Document, SectionId, Treatment};
use crate::errors::PromptError;
use crate::node::{Collected, ContextForm, Guarding, NodeInfo, has_slot};
use crate::select::{View, is_in_focus};
use prompt_syntax::Target;

/// A text that was collected, and the sections whose titles stand above it.
struct Collection {
    titles: Vec<SectionId>,
    text: String,
    is_value: bool,
}

/// What is printed by each node that has the slot.
#[derive(Default)]
pub(crate) struct Contexts {
    by_owner: Vec<Vec<Collection>>,
}

fn place(owner: Option<SectionId>) -> usize {
    owner.map_or(0, |id| id as usize + 1)
}

impl Contexts {
    /// # Errors
    /// A path that is not in the tree.
    pub(crate) fn of(
        document: &Document<'_>,
        collected: &Collected,
        view: &View<'_>,
    ) -> Result<Self, PromptError> {
        let index = document.index();
        let mut found: Vec<(SectionId, &str, &str)> = Vec::with_capacity(collected.len());
        for (path, text) in collected.iter() {
            let id = index.find(path).ok_or_else(|| PromptError::UnknownPath {
                path: path.to_owned(),
                nearest: document.nearest(path),
            })?;
            found.push((id, path, text));
        }
        found.sort_unstable_by_key(|(id, ..)| *id);
        let owners = owners(document, view.focus.as_deref());
        let mut by_owner = Vec::new();
        by_owner.resize_with(owners.len(), Vec::new);
        let is_value = view.context_form == ContextForm::Value;
        for (id, path, text) in found {
            let Some(owner) = owners[place(document.section(id).parent)] else {
                continue;
            };
            let chain = std::iter::once(id).chain(document.around(id));
            let mut titles: Vec<SectionId> = chain.take_while(|id| Some(*id) != owner).collect();
            titles.reverse();
            let text = match view.context_form {
                ContextForm::Value => text.to_owned(),
                ContextForm::Reference => format!("{{{path}}}"),
            };
            by_owner[place(owner)].push(Collection {
                titles,
                text,
                is_value,
            });
        }
        Ok(Self { by_owner })
    }

    /// Whether something is printed by the node in a section, or by the root.
    pub(super) fn has(&self, owner: Option<SectionId>) -> bool {
        self.by_owner
            .get(place(owner))
            .is_some_and(|own| !own.is_empty())
    }
}

/// By which node what is collected below a section is printed, if by any.
fn owners(document: &Document<'_>, focus: Option<&str>) -> Vec<Option<Option<SectionId>>> {
    let has_own = |info: &NodeInfo| has_slot(&info.text, Target::Collected);
    let mut owners = Vec::with_capacity(document.sections.len() + 1);
    let root = document.node.is_some_and(|root| has_own(root.info()));
    owners.push(root.then_some(None));
    let paths = focus.map(|_| document.paths());
    for (id, section) in document.iter() {
        let leads = match (&paths, focus) {
            (Some(paths), Some(focus)) => {
                let path = &paths[id as usize];
                is_in_focus(path, Some(focus)) && focus.len() >= path.len()
            }
            _ => true,
        };
        let own = leads && section.child().is_some_and(has_own);
        let inherited = owners[place(section.parent)];
        owners.push(if own { Some(Some(id)) } else { inherited });
    }
    owners
}

impl<'a> Page<'_, 'a> {
    pub(super) fn collected(&mut self, level: i32, indent: u16) {
        let Some(contexts) = self.printing.contexts else {
            return self.vanish();
        };
        let Some(own) = contexts
            .by_owner
            .get(place(self.at))
            .filter(|own| !own.is_empty())
        else {
            return self.vanish();
        };
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
                    self.close_tag(tag);
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
            self.close_tag(tag);
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
        self.hashes(level);
        self.put(Text::value(&title, self.collected_treatment()));
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
            return self.put(Text::words(&collection.text));
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
        self.put(Text::value(
            crate::node::without_blank_ends(&text),
            treatment,
        ));
    }
}

fn number(depth: usize) -> i32 {
    i32::try_from(depth).unwrap_or(i32::MAX)
}
