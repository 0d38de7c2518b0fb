//! A derived type with another text: an A/B test of wording keeps its types.

use super::build::{names_behind_braces, placed, text};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::node::{Describe, Embedded, NodeInfo, Output, Said, Section, SectionKeys, Tags};
use crate::prompt::PromptNode;
use crate::tool::ToolSpec;
use prompt_syntax::{
    Code, ConditionForm, Element, Elements, Inline, InlineText, Lowering, Options, Place, Specs,
};
use std::{borrow::Cow, collections::BTreeSet, fmt};

/// A node with another text of its own. Its variables, sections, tools and everything else are those of the node. See
/// [`with_text`].
#[derive(Clone)]
pub struct Reworded<N> {
    node: N,
    info: NodeInfo,
}

/// The same node with another text, as it may stand in a file that somebody else edits. It has the checks of the
/// derive: every variable and condition must be one that the type's own texts use (in the same form: a `{price:.2}` is
/// no `{price}`), every slot a section.
///
/// `node` is taken as it is: where an enum decides, the text is that of its active variant. Take a reference to go on
/// using it.
///
/// ```
/// use prompt_core::{PromptNode, dynamic::with_text};
///
/// /// You review {language} code.
/// #[derive(PromptNode)]
/// struct Reviewer {
///     language: &'static str,
/// }
///
/// let reviewer = Reviewer { language: "Rust" };
/// let b = with_text(&reviewer, "Review this {language} code like a colleague.")?;
/// assert_eq!(b.prompt().text().unwrap(), "Review this Rust code like a colleague.");
///
/// let faults = with_text(&reviewer, "Review {langauge} code.").unwrap_err();
/// assert_eq!(faults.code(), Some(prompt_core::Code::UnknownVariable));
/// # Ok::<(), prompt_core::Diagnostics>(())
/// ```
///
/// # Errors
/// Every fault of the text at once, with line and column; a node that has no text of its own, such as a list.
pub fn with_text<N: PromptNode>(node: N, source: &str) -> Result<Reworded<N>, Diagnostics> {
    let Some(described) = node
        .embedded()
        .content
        .node()
        .map(|node| reword(node.info(), source))
    else {
        let message = "it is no node with a text of its own".to_owned();
        let help = "reword the items of a list, or the content of an `Option`";
        return Err(Diagnostic::new(Code::InvalidInput, "", "", message, help).into());
    };
    let info = described?;
    Ok(Reworded { node, info })
}

fn reword(info: &NodeInfo, source: &str) -> Result<NodeInfo, Diagnostics> {
    let fields: Vec<&str> = info
        .sections
        .iter()
        .map(|section| section.field.as_ref())
        .collect();
    let sources = info
        .variables
        .iter()
        .map(|variable| variable.source.as_ref());
    let conditions = info
        .conditions
        .iter()
        .map(|condition| condition.source.as_ref());
    let name = |source: &'_ str| -> usize { source.find(['.', ':']).unwrap_or(source.len()) };
    let names: BTreeSet<&str> = sources
        .clone()
        .chain(conditions.clone())
        .filter_map(|source| source.get(..name(source)))
        .collect();
    let names: Vec<&str> = names.into_iter().collect();
    let options = Options {
        names: &names,
        sections: &fields,
        specs: Specs::Compiled,
        ..Options::new(Place::Node)
    };
    let parsed = prompt_syntax::parse(source, &options);
    let mut faults = Diagnostics::default();
    for problem in parsed.problems {
        if !problem.code.is_lint() {
            faults.push(Diagnostic::of_text(problem, "", ""));
        }
    }
    // The tables of the type come first, so that what the new text uses has the same index.
    let mut lowering = Lowering::new(&fields);
    lowering.text(&all_of(sources, conditions));
    let known = (lowering.variables().len(), lowering.conditions().len());
    let lowered = lowering.text(&parsed.elements);
    for used in lowering.variables().iter().skip(known.0) {
        let mut message = format!("no text of the type prints `{}", used.name);
        used.path
            .iter()
            .for_each(|field| message.extend([".", field]));
        used.spec
            .iter()
            .for_each(|spec| message.extend([":", spec]));
        message.push('`');
        let help = format!("print it as {}", forms(info, &used.name));
        faults.push(Diagnostic::new(
            Code::UnknownVariable,
            "",
            "",
            message,
            help,
        ));
    }
    for asked in lowering.conditions().iter().skip(known.1) {
        let is_section = asked.path.is_empty() && fields.contains(&asked.name.as_str());
        let message = if is_section {
            format!(
                "no text of the type asks whether the section `{}` prints",
                asked.name
            )
        } else {
            format!("no text of the type asks `{{?{}}}`", asked.name)
        };
        let help = "use a condition that the type's own texts use";
        faults.push(Diagnostic::new(
            Code::UnknownVariable,
            "",
            "",
            message,
            help,
        ));
    }
    let text = text(lowered);
    let placed = placed(&text);
    let mut sections = info.sections.clone().into_owned();
    for (index, section) in sections.iter_mut().enumerate() {
        section.said = Said::from(SectionKeys {
            placed: placed.binary_search(&index).is_ok(),
            ..SectionKeys::clone(section)
        });
    }
    let names =
        |of_type: &[Cow<'static, str>], own: Vec<&str>| -> Cow<'static, [Cow<'static, str>]> {
            let own = own.into_iter().map(|name| Cow::Owned(name.to_owned()));
            of_type.iter().cloned().chain(own).collect()
        };
    faults.or(NodeInfo {
        text,
        sections: Cow::Owned(sections),
        tags: Tags {
            opens: names(&info.tags.opens, lowering.opens().collect()),
            closes: names(&info.tags.closes, lowering.closes().collect()),
            values: info.tags.values || lowering.values_in_tags(),
        },
        ..info.clone()
    })
}

/// A text that uses all variables and conditions of a type, in their order.
fn all_of<'s>(
    variables: impl Iterator<Item = &'s str>,
    conditions: impl Iterator<Item = &'s str>,
) -> Elements {
    let mut pieces: Vec<Inline> = variables
        .map(|source| Inline::variable_of(&Cow::Owned(source.to_owned())))
        .collect();
    for source in conditions {
        let (name, path) = source.split_once('.').unwrap_or((source, ""));
        let (name, path): (Cow<'static, str>, Cow<'static, str>) =
            (Cow::Owned(name.to_owned()), Cow::Owned(path.to_owned()));
        let form = ConditionForm::Inline;
        pieces.push(Inline::If {
            name: name.clone(),
            path: path.clone(),
            negated: false,
            form,
        });
        pieces.push(Inline::End { name, path, form });
    }
    Elements::from_iter([Element::text(InlineText::from_iter(pieces))])
}

/// The forms in which a type prints a name.
fn forms(info: &NodeInfo, name: &str) -> String {
    let of_name = |source: &&str| names_behind_braces(&format!("{{{source}")).contains(name);
    let sources = info
        .variables
        .iter()
        .map(|variable| variable.source.as_ref());
    let forms: Vec<String> = sources
        .filter(of_name)
        .map(|source| format!("`{{{source}}}`"))
        .collect();
    if forms.is_empty() {
        "another one: it is only asked".to_owned()
    } else {
        forms.join(" or ")
    }
}

impl<N: PromptNode> Reworded<N> {
    /// The node with its own text.
    pub fn node(&self) -> &N {
        &self.node
    }

    fn described(&self) -> Option<&dyn Describe> {
        self.node.embedded().content.node()
    }
}

impl<N: PromptNode> PromptNode for Reworded<N> {
    fn embedded(&self) -> Embedded<'_> {
        let embedded = Embedded::described(self);
        if self.node.embedded().varies {
            return embedded.varying();
        }
        embedded
    }
}

impl<N: PromptNode> Describe for Reworded<N> {
    fn info(&self) -> &NodeInfo {
        &self.info
    }

    fn variable(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        match self.described() {
            Some(node) => node.variable(index, output),
            None => Err(fmt::Error),
        }
    }

    fn condition(&self, index: usize, item: usize) -> bool {
        self.described()
            .is_some_and(|node| node.condition(index, item))
    }

    fn section(&self, index: usize) -> Section<'_> {
        match self.described() {
            Some(node) => node.section(index),
            None => Section::hidden(),
        }
    }

    fn hints(&self) -> &[Diagnostic] {
        self.described().map(Describe::hints).unwrap_or_default()
    }

    fn tools(&self, section: Option<usize>) -> Vec<ToolSpec> {
        self.described()
            .map(|node| node.tools(section))
            .unwrap_or_default()
    }
}

impl<N> fmt::Debug for Reworded<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reworded")
            .field("name", &self.info.name)
            .field("text", &self.info.text.literal)
            .finish_non_exhaustive()
    }
}
