//! What the user's input means: nodes with texts, variables and sections, ready to be checked and written out.

pub(crate) mod cycle;
pub(crate) mod form;
pub(crate) mod kind;
pub(crate) mod paths;
mod places;
mod print;
pub(crate) mod section;
pub(crate) mod seen;
pub(crate) mod template;
pub(crate) mod text;
pub(crate) mod uses;
pub(crate) mod value;

use crate::{
    diagnostic::{Errors, Hint},
    input::{
        Body, Input, file,
        groups::HeadingKeys,
        named::Named,
        value::{Level, Words},
    },
};
use form::{Operand, Print, Read, Text, Uses, Variable};
use proc_macro2::Ident;
use prompt_syntax::{Code, Place, Special, Target, book};
use section::{Content, Position, Section};
use syn::{LitStr, ext::IdentExt};
use text::{Local, Texts};

/// A type with `#[derive(PromptNode)]`.
pub(crate) struct Model<'a> {
    pub(crate) input: &'a Input,
    /// The struct, or the variants of the enum.
    pub(crate) nodes: Vec<Node<'a>>,
}

/// A struct or a variant.
pub(crate) struct Node<'a> {
    pub(crate) body: &'a Body,
    pub(crate) title: Option<Text>,
    pub(crate) summary: Option<Text>,
    pub(crate) summary_suffix: Option<Text>,
    pub(crate) text: Text,
    /// What its texts use.
    pub(crate) uses: Uses,
    pub(crate) sections: Vec<Section<'a>>,
    /// The form of the headings of its sections.
    pub(crate) heading: Option<Text>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) start: String,
    pub(crate) end: String,
    /// Rules that its texts need not follow.
    pub(crate) allow: Vec<Code>,
    /// Lints that stop the build.
    pub(crate) deny: Vec<Code>,
    /// The file of its text.
    pub(crate) file: Option<LitStr>,
    /// Entries of `vars` that no text uses, with what they stand for.
    pub(crate) unused: Vec<(Words, Operand)>,
    /// What looks like a slip in its texts, for `lint()`.
    pub(crate) hints: Vec<Hint>,
}

/// An attribute of a tag.
pub(crate) struct Attribute {
    pub(crate) name: Words,
    /// The variable that writes it; `None` for the title.
    pub(crate) variable: Option<u16>,
}

impl Attribute {
    /// Reads the attributes of a tag. Each has a variable of its own.
    fn all(attributes: &[Named], texts: &mut Texts<'_>) -> Vec<Self> {
        let attribute = |named: &Named| {
            let (name, span) = (&named.name, named.name.span());
            let variable = named.expr.as_ref().map(|expr| {
                let operand = Operand::expression(expr);
                let print = Print::Attribute;
                texts.add(Variable::new(name.to_string(), operand, print, span))
            });
            Self {
                name: Words::made(&name.unraw().to_string(), span),
                variable,
            }
        };
        attributes.iter().map(attribute).collect()
    }
}

impl<'a> Model<'a> {
    /// Understands the input.
    pub(crate) fn new(input: &'a Input, errors: &mut Errors) -> Self {
        let bodies = input.bodies.iter();
        let node = |body| Node::new(body, input, errors);
        Self {
            input,
            nodes: bodies.map(node).collect(),
        }
    }

    /// Whether it can stand in a sentence: it has words, and neither headings nor slots nor sections.
    pub(crate) fn is_phrase(&self) -> bool {
        let is_flat = |node: &Node<'_>| node.text.is_flat() && node.sections.is_empty();
        self.nodes.iter().all(is_flat) && self.nodes.iter().any(|node| !node.text.is_empty())
    }
}

impl<'a> Node<'a> {
    fn new(body: &'a Body, input: &'a Input, errors: &mut Errors) -> Self {
        let container = &body.container;
        let own = &container.own;
        let allow = codes(&container.allow, Code::can_allow, "allow", errors);
        let deny = codes(&container.deny, Code::can_deny, "deny", errors);
        let mut texts = Texts::new(
            (body, &input.ident),
            [allow.clone(), deny.clone()],
            input.is_enum,
        );
        texts.check_cycles(errors);
        let (source, file) = file::text(&container.text, &body.docs, errors);
        let text = source
            .map(|source| texts.text(&source, Place::Node, Local::default(), errors))
            .unwrap_or_default();
        let inherits = |key| container.inherits(key);
        let heading = texts.heading(&container.heading, inherits("heading"), errors);
        let level = container.heading.level.map(Level::get);
        let sections = sections(body, &text, level, &mut texts, errors);
        let of_node = |key, special| Local {
            special,
            inherited: inherits(key),
            ..Local::default()
        };
        let title = texts.line(own.title.as_ref(), of_node("title", &[]), errors);
        let local = of_node("summary_suffix", &[Special::Key, Special::Subsections]);
        let summary_suffix = texts.line(own.summary_suffix.as_ref(), local, errors);
        let summary = texts.short(own.summary.as_ref(), of_node("summary", &[]), errors);
        let attributes = Attribute::all(&container.attributes, &mut texts);
        let mut literal = |words: Option<&Words>, key| {
            words.map_or_else(String::new, |words| texts.literal(words, key, errors))
        };
        let (start, end) = (
            literal(own.start.as_ref(), "start"),
            literal(own.end.as_ref(), "end"),
        );
        let (uses, unused) = texts.finish(errors);
        Self {
            body,
            title,
            summary,
            summary_suffix,
            text,
            uses,
            sections,
            heading,
            attributes,
            start,
            end,
            allow,
            deny,
            file,
            unused,
            hints: std::mem::take(&mut errors.hints),
        }
    }

    /// Whether some operand of it is read this way.
    pub(crate) fn reads(&self, how: Read) -> bool {
        let texts = self.sections.iter().filter_map(|it| match &it.content {
            Content::Texts(template) => Some(template.operands()),
            _ => None,
        });
        let mut all = texts.flatten().chain(self.uses.operands());
        all.any(|operand| operand.reads.contains(&how))
    }

    /// The files its texts come from.
    pub(crate) fn files(&self) -> impl Iterator<Item = &LitStr> {
        let sections = self.sections.iter();
        let sections = sections.filter_map(|section| section.file.as_ref());
        self.file.iter().chain(sections)
    }
}

/// The sections of a node, each with the place that its text has for it; without one they stand where all others do, or
/// at its end.
fn sections<'a>(
    body: &'a Body,
    text: &Text,
    level: Option<u8>,
    texts: &mut Texts<'_>,
    errors: &mut Errors,
) -> Vec<Section<'a>> {
    let appended_at = text.slot(Target::Subtree).or(level).unwrap_or(text.0.end);
    let sections = body.sections().enumerate();
    let sections = sections.map(|(index, (field, keys))| {
        let own = u16::try_from(index).ok();
        let own = own.and_then(|index| text.slot(Target::Section(index)));
        let position = Position {
            index,
            placed: own.is_some(),
            level: own.unwrap_or(appended_at),
        };
        Section::new(field, keys, position, texts, errors)
    });
    sections.collect()
}

impl Texts<'_> {
    /// The form of headings: of one section, or of all sections of a node.
    pub(crate) fn heading(
        &mut self,
        keys: &HeadingKeys,
        inherited: bool,
        errors: &mut Errors,
    ) -> Option<Text> {
        let local = Local {
            special: &[Special::Title],
            inherited,
            ..Local::default()
        };
        self.line(keys.heading.as_ref(), local, errors)
    }
}

/// The rules of `allow(..)` or `deny(..)`.
fn codes(rules: &[Ident], is_meant: fn(Code) -> bool, key: &str, errors: &mut Errors) -> Vec<Code> {
    let find = |name: &Ident| {
        let found = book::rule(key, &name.to_string(), is_meant);
        found
            .map_err(|problem| errors.report(name.span(), problem))
            .ok()
    };
    rules.iter().filter_map(find).collect()
}
