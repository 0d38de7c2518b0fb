//! In which form each section is shown, and what follows from it: what can be opened, which tools are offered.

use crate::document::{Asking, Document, Section, SectionId, form, is_in_focus};
use crate::errors::PromptError;
use crate::messages::tool::{OPEN_SECTIONS, ToolSpec};
use crate::node::{Collected, ContextForm, Embedded, Form, Overrides};
use crate::page::{self, Contexts, Format, Numbering, Printed, Printing};
use std::{collections::BTreeSet, ops::Deref};

/// What is shown of a tree, and how.
#[derive(Clone, Default)]
pub(crate) struct View<'a> {
    pub(crate) format: Format,
    pub(crate) overrides: Option<&'a Overrides>,
    pub(crate) focus: Option<String>,
    pub(crate) collected: Option<&'a Collected>,
    pub(crate) context_form: ContextForm,
    /// Whether `open_sections` is offered even where nothing is closed.
    pub(crate) keep_tool: bool,
    /// Whether what the model opens is appended to the conversation, and the prompt stays as it is.
    pub(crate) is_appended: bool,
    /// What a budget says of what is shown.
    pub(crate) bound: Option<Bound>,
}

/// A budget, which may leave sections out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    /// Tokens of keys that an answer may name.
    pub(crate) most_listed: usize,
}

impl View<'_> {
    /// Whether a budget may leave a section out.
    pub(crate) fn may_drop(&self, section: &Section<'_>) -> bool {
        self.bound.is_some() && section.priority.is_some()
    }

    /// The overrides, if they say anything.
    fn overriding(&self) -> Option<&Overrides> {
        self.overrides.filter(|overrides| !overrides.is_empty())
    }

    /// What has been collected, if it is anything.
    pub(crate) fn collecting(&self) -> Option<&Collected> {
        self.collected.filter(|collected| !collected.is_empty())
    }
}

/// The form of each section.
#[derive(Clone, Default)]
pub(crate) struct Forms {
    pub(crate) forms: Vec<Form>,
    /// Which of them an override shows in full; none where it is empty.
    opened: Vec<bool>,
}

impl Forms {
    /// Those that a view asks for.
    pub(crate) fn of(document: &Document<'_>, view: &View<'_>) -> Self {
        Self::with(document, view.overrides.as_slice(), view.focus.as_deref())
    }

    /// Those that these overrides ask for, of which the last word stands.
    pub(crate) fn with(
        document: &Document<'_>,
        overrides: &[&Overrides],
        focus: Option<&str>,
    ) -> Self {
        let mut forms = Self::default();
        if overrides.iter().all(|overrides| overrides.is_empty()) && focus.is_none() {
            forms.forms.extend(document.sections.iter().map(|section| {
                if section.is_whole() {
                    Form::Full
                } else {
                    section.declared.into()
                }
            }));
            return forms;
        }
        document.each_path(|section, path| {
            let (form, is_opened) =
                form(path, section.is_whole(), section.declared, overrides, focus);
            forms.forms.push(form);
            forms.opened.push(is_opened);
        });
        forms
    }

    pub(crate) fn form(&self, id: SectionId) -> Form {
        self.forms[id as usize]
    }

    pub(crate) fn is_opened(&self, id: SectionId) -> bool {
        self.opened.get(id as usize) == Some(&true)
    }
}

/// A text, and what is known of it.
pub(crate) struct Text<'a> {
    pub(crate) text: String,
    pub(crate) printed: Printed<'a>,
}

/// A document that is there already, or one that is asked now.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one of them at a time, and a box would be a list more"
)]
enum Held<'d> {
    Kept(&'d Document<'d>),
    Own(Document<'d>),
}

/// A tree that was asked for a view, printed as often as wanted.
pub(crate) struct Resolved<'d> {
    document: Held<'d>,
    pub(crate) view: &'d View<'d>,
    contexts: Option<Contexts>,
}

impl<'d> Resolved<'d> {
    /// # Errors
    /// What cannot be asked, or is not in the tree and should be.
    pub(crate) fn of(
        root: Embedded<'d>,
        asked: Option<&'d Document<'d>>,
        view: &'d View<'d>,
        is_whole: bool,
        with_tools: bool,
    ) -> Result<Self, PromptError> {
        let focus = view.focus.as_deref();
        let document = if let Some(document) = asked {
            document.check_focus(focus)?;
            Held::Kept(document)
        } else {
            let asking = Asking {
                overrides: view.overriding(),
                focus,
                is_whole,
                with_tools,
                is_numbered: view.format.numbering == Numbering::Decimal,
                is_untrusted: false,
            };
            Held::Own(Document::of(root, asking)?)
        };
        let mut resolved = Self {
            document,
            view,
            contexts: None,
        };
        if let Some(collected) = view.collecting() {
            let contexts = Contexts::of(&resolved, collected, view.context_form, focus)?;
            resolved.contexts = Some(contexts);
        }
        Ok(resolved)
    }

    /// The form of each section, as the view asks for it.
    pub(crate) fn forms(&self) -> Forms {
        match &self.document {
            Held::Kept(document) => Forms::of(document, self.view),
            Held::Own(document) => {
                let forms = document.forms();
                let sections = document.sections.iter();
                let opened = match self.view.overriding() {
                    None => Vec::new(),
                    Some(_) => sections.map(|section| section.is_opened).collect(),
                };
                Forms { forms, opened }
            }
        }
    }

    pub(crate) fn printing<'p>(&'p self, forms: &'p [Form]) -> Printing<'p> {
        Printing {
            forms: Some(forms),
            ..self.as_asked()
        }
    }

    /// In the forms with which it was asked.
    fn as_asked(&self) -> Printing<'_> {
        Printing {
            contexts: self.contexts.as_ref(),
            ..Printing::new(&self.view.format)
        }
    }

    /// Prints it in the forms that the view asks for, without noting where its sections stand.
    ///
    /// # Errors
    /// What is printed and could not be asked, or is not allowed. The buffer is as it was then.
    pub(crate) fn print_into(&self, buffer: &mut String) -> Result<(), PromptError> {
        let forms = match &self.document {
            Held::Kept(document) => Some(Forms::of(document, self.view)),
            Held::Own(_) => None,
        };
        let printing = Printing {
            forms: forms.as_ref().map(|forms| &*forms.forms),
            with_spans: false,
            ..self.as_asked()
        };
        page::print(self, printing, buffer)?;
        Ok(())
    }

    /// # Errors
    /// What is printed and could not be asked, or is not allowed.
    pub(crate) fn print(&self, printing: Printing<'_>) -> Result<Text<'d>, PromptError> {
        let mut text = String::new();
        let printed = page::print(self, printing, &mut text)?;
        Ok(Text { text, printed })
    }
}

impl<'d> Deref for Resolved<'d> {
    type Target = Document<'d>;

    fn deref(&self) -> &Document<'d> {
        match &self.document {
            Held::Kept(document) => document,
            Held::Own(document) => document,
        }
    }
}

/// The sections that the model could ask for, open or closed.
pub(crate) fn openable(document: &Document<'_>, view: &View<'_>) -> Vec<bool> {
    let focus = view.focus.as_deref();
    if focus.is_none() {
        let sections = document.sections.iter();
        return sections.map(Section::is_openable).collect();
    }
    let mut openable = Vec::with_capacity(document.sections.len());
    document.each_path(|section, path| {
        openable.push(section.is_openable() && is_in_focus(path, focus));
    });
    openable
}

/// Whose tools are offered: those of what is open; where what is opened is appended, also those of what may be opened.
#[derive(Default)]
pub(crate) struct Offers {
    sections: Vec<bool>,
}

impl Offers {
    pub(crate) fn of(document: &Document<'_>, view: &View<'_>, forms: &[Form]) -> Self {
        if document.tools.is_empty() {
            return Self::default();
        }
        let may_open = openable(document, view);
        let (mut open, mut offered): (Vec<bool>, Vec<bool>) = (Vec::new(), Vec::new());
        let mut inside: Vec<bool> = Vec::new();
        for (id, section) in document.iter() {
            let at = id as usize;
            let around = section.parent.map(|parent| parent as usize);
            let is_open = forms[at] == Form::Full && around.is_none_or(|around| open[around]);
            let is_inside =
                view.is_appended && (may_open[at] || around.is_some_and(|around| inside[around]));
            open.push(is_open);
            inside.push(is_inside);
            offered.push(is_open || is_inside);
        }
        Self { sections: offered }
    }

    pub(crate) fn are_of(&self, section: Option<SectionId>) -> bool {
        section.is_none_or(|id| self.sections[id as usize])
    }

    /// The tools that are offered.
    pub(crate) fn tools<'t>(
        &'t self,
        document: &'t Document<'_>,
    ) -> impl Iterator<Item = &'t ToolSpec> + Clone {
        let tools = document
            .tools
            .iter()
            .filter(|(section, _)| self.are_of(*section));
        tools.map(|(_, tool)| tool)
    }
}

/// Tools have names of their own.
///
/// # Errors
/// A name that stands twice, or is reserved.
pub(crate) fn check_tools(document: &Document<'_>) -> Result<(), PromptError> {
    let mut names = BTreeSet::new();
    for (section, tool) in &document.tools {
        let path = || document.path(*section);
        if tool.name() == OPEN_SECTIONS {
            return Err(PromptError::ReservedToolName { path: path() });
        }
        if !names.insert(tool.name()) {
            return Err(PromptError::DuplicateTool {
                name: tool.name().to_owned(),
                path: path(),
            });
        }
    }
    Ok(())
}
