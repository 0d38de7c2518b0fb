//! What the user's input means: nodes with texts, variables and sections, ready to be checked and written out.

pub(crate) mod form;
pub(crate) mod kind;
pub(crate) mod paths;
mod places;
mod print;
pub(crate) mod section;
pub(crate) mod seen;
mod spec;
pub(crate) mod text;
pub(crate) mod uses;
pub(crate) mod value;
mod worded;

use crate::{
    diagnostic::Errors,
    input::{Body, Input, value::Words},
};
use form::{Operand, Read, Text, Uses};
use proc_macro2::Ident;
use prompt_syntax::{
    Code, Target,
    book::{self, Holder},
    info::NodeInfo,
    lower,
};
use section::{Content, Section};
use spec::Lowering;
use syn::LitStr;
use text::Texts;

/// A type with `#[derive(PromptNode)]`.
pub(crate) struct Model<'a> {
    pub(crate) input: &'a Input,
    /// The struct, or the variants of the enum.
    pub(crate) nodes: Vec<Node<'a>>,
}

/// A struct or a variant.
pub(crate) struct Node<'a> {
    pub(crate) body: &'a Body,
    pub(crate) text: Text,
    /// Its description, but for its text and its sections.
    pub(crate) info: NodeInfo,
    /// What its texts use.
    pub(crate) uses: Uses,
    pub(crate) sections: Vec<Section<'a>>,
    /// Lints that stop the build.
    pub(crate) deny: Vec<Code>,
    /// The files that its texts come from.
    pub(crate) files: Vec<LitStr>,
    /// Entries of `vars` that no text uses, with what they stand for.
    pub(crate) unused: Vec<(Words, Operand)>,
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
        self.nodes.iter().all(is_flat) && self.nodes.iter().any(|node| !node.text.0.is_empty())
    }
}

impl<'a> Node<'a> {
    fn new(body: &'a Body, input: &'a Input, errors: &mut Errors) -> Self {
        let container = &body.container;
        let allow = codes(&container.allow, Code::can_allow, "allow", errors);
        let deny = codes(&container.deny, Code::can_deny, "deny", errors);
        let mut texts = Texts::new(body, [allow.clone(), deny.clone()], input.is_enum);
        texts.read_wordings(errors);
        let mut lowering = Lowering::new(texts, errors);
        let spec = lowering.spec();
        let mut info = lower::node(&spec, Holder::Prompt, &mut lowering);
        info.container.allow = allow.into();
        let text = Text(std::mem::take(&mut info.text));
        let Lowering {
            texts,
            sections,
            files,
            errors,
            ..
        } = lowering;
        let level = container.keys.level.map(|level| level.0);
        let appended_at = text.slot(Target::Subtree).or(level).unwrap_or(text.0.end);
        let infos = std::mem::take(&mut info.sections).into_owned();
        let found = sections.into_iter().zip(infos).zip(0..);
        let found = found.map(|(((field, keys), info), index)| Section {
            stands_at: keys.level.map_or_else(
                || text.slot(Target::Section(index)).unwrap_or(appended_at),
                |level| level.0,
            ),
            content: match &keys.item {
                _ if value::on(keys.messages) => Content::Messages,
                Some(_) => Content::Items,
                None => Content::Node,
            },
            is_recursive: kind::is_named(kind::in_option(&field.ty), &input.ident),
            field,
            keys,
            info,
        });
        let sections = found.collect();
        let (uses, unused) = texts.finish(&mut info, errors);
        info.hints = std::mem::take(&mut errors.hints).into();
        Self {
            body,
            text,
            info,
            uses,
            sections,
            deny,
            files: files.into_iter().flatten().collect(),
            unused,
        }
    }

    /// Whether some operand of it is read this way.
    pub(crate) fn reads(&self, how: Read) -> bool {
        let mut all = self.uses.operands();
        all.any(|operand| operand.reads.contains(&how))
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
