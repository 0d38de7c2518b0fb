//! What the user's input means: nodes with texts, variables and sections, ready to be checked and written out.

pub(crate) mod kind;
pub(crate) mod section;
pub(crate) mod text;
pub(crate) mod variable;

use crate::{
    diagnostic::{Diagnostic, Errors},
    input::{
        Body, Field, FieldRole, Input, Shape, Style,
        container::Container,
        docs::Source,
        field::SectionKeys,
        file,
        value::{Rules, Words},
    },
};
use proc_macro2::{Ident, Span};
use prompt_syntax::{Code, Place, Target};
use section::{Attribute, Section, attributes, on};
use syn::{Expr, Generics, LitStr, Member, Path};
use text::{Guard, Local, Text, Texts, special};
use variable::Variable;

/// A type with `#[derive(PromptNode)]`.
pub(crate) struct Model {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of `prompt_core`, where it was renamed.
    pub(crate) krate: Option<Path>,
    pub(crate) nodes: Nodes,
}

/// One node, or one per variant.
pub(crate) enum Nodes {
    Struct(Box<Node>),
    Enum(Vec<Node>),
}

/// A struct or a variant.
pub(crate) struct Node {
    pub(crate) ident: Ident,
    pub(crate) style: Style,
    pub(crate) members: Vec<Member>,
    pub(crate) key: Option<Name>,
    pub(crate) title: Option<Text>,
    pub(crate) description: Option<String>,
    pub(crate) text: Text,
    pub(crate) variables: Vec<Variable>,
    pub(crate) guards: Vec<Guard>,
    pub(crate) sections: Vec<Section>,
    pub(crate) tag: Option<Name>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) inline: bool,
    pub(crate) level: Option<u8>,
    pub(crate) heading: Option<Text>,
    pub(crate) numbered: Option<bool>,
    /// Whether sections without a slot are appended.
    pub(crate) append: bool,
    pub(crate) tight: bool,
    pub(crate) end: String,
    pub(crate) tools: Option<Expr>,
    pub(crate) summary_suffix: Option<Text>,
    /// Tags in its texts.
    pub(crate) tags: Vec<String>,
    /// Lints that stop the build.
    pub(crate) deny: Vec<Code>,
    /// Names of variables, and of `vars`.
    pub(crate) names: Vec<(String, Span)>,
    /// The file of its text.
    pub(crate) file: Option<LitStr>,
}

/// A name for the outside: a key, a tag.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Name {
    /// As the user wrote it.
    pub(crate) fn written(words: &Words) -> Self {
        Self {
            text: words.value(),
            span: words.span(),
        }
    }

    /// As the user wrote it, or made from a field's name.
    pub(crate) fn of(words: Option<&Words>, made: impl FnOnce() -> String, span: Span) -> Self {
        words.map_or_else(|| Self { text: made(), span }, Self::written)
    }
}

impl Model {
    /// Understands the input.
    pub(crate) fn new(input: &Input, errors: &mut Errors) -> Self {
        let nodes = match &input.shape {
            Shape::Struct(body) => Nodes::Struct(Box::new(Node::new(body, errors))),
            Shape::Enum(variants) => {
                texts_of_enum(&input.container, errors);
                Nodes::Enum(
                    variants
                        .iter()
                        .map(|body| Node::new(body, errors))
                        .collect(),
                )
            }
        };
        Self {
            ident: input.ident.clone(),
            generics: input.generics.clone(),
            krate: input.container.krate.as_ref().map(|path| path.0.clone()),
            nodes,
        }
    }

    /// All nodes.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Node> {
        let (one, many) = match &self.nodes {
            Nodes::Struct(node) => (Some(&**node), [].as_slice()),
            Nodes::Enum(nodes) => (None, nodes.as_slice()),
        };
        one.into_iter().chain(many)
    }
}

impl Node {
    fn new(body: &Body, errors: &mut Errors) -> Self {
        let container = &body.container;
        let fields = sections(body);
        let slots: Vec<String> = fields
            .iter()
            .map(|(field, keys)| slot(field, keys))
            .collect();
        let allow = codes(&container.allow, ALLOWED, "allow", errors);
        let mut texts = Texts::new(body, slots.clone(), allow);
        let (source, file) = file::text(
            container.template.as_ref(),
            container.file.as_ref(),
            body.docs.as_ref(),
            errors,
        );
        let text = source
            .map(|source| texts.text(&source, Place::Node, Local::default(), errors))
            .unwrap_or_default();
        let level = container.level.map(|level| level.0);
        let appended_at = text.slot(Target::Subtree).or(level).unwrap_or(text.end);
        let mut list = Vec::with_capacity(fields.len());
        for (index, ((field, keys), slot)) in fields.into_iter().zip(slots).enumerate() {
            let own = u16::try_from(index)
                .ok()
                .and_then(|index| text.slot(Target::Section(index)));
            let place = (own.is_some(), own.unwrap_or(appended_at));
            list.push(Section::new(
                field,
                keys,
                (index, slot),
                place,
                &mut texts,
                errors,
            ));
        }
        let mut node = Self {
            ident: body.ident.clone(),
            style: body.style,
            members: body
                .fields
                .iter()
                .map(|field| field.member.clone())
                .collect(),
            key: container.key.as_ref().map(Name::written),
            title: None,
            description: container.description.as_ref().map(Words::value),
            text,
            variables: Vec::new(),
            guards: Vec::new(),
            sections: list,
            tag: container.tag.as_ref().map(Name::written),
            attributes: attributes(&container.attr, &mut texts),
            inline: on(container.inline),
            level,
            heading: None,
            numbered: container.numbering.map(|numbering| numbering.0),
            append: container.append.is_none_or(|append| append.on),
            tight: on(container.tight),
            end: container.end.as_ref().map(Words::value).unwrap_or_default(),
            tools: container
                .tools
                .as_ref()
                .map(|tools| variable::borrowable(&tools.0)),
            summary_suffix: None,
            tags: Vec::new(),
            deny: codes(&container.deny, DENIED, "deny", errors),
            names: names(body),
            file,
        };
        node.templates(container, &mut texts, errors);
        Self {
            variables: texts.variables,
            guards: texts.guards,
            tags: texts.tags,
            ..node
        }
    }

    /// The files its texts come from.
    pub(crate) fn files(&self) -> impl Iterator<Item = &LitStr> {
        self.file.iter().chain(
            self.sections
                .iter()
                .filter_map(|section| section.file.as_ref()),
        )
    }

    /// The templates of the container.
    fn templates(&mut self, container: &Container, texts: &mut Texts<'_>, errors: &mut Errors) {
        let mut template = |words: &Option<Words>, special: &[(&'static str, u16)]| {
            let local = Local {
                special,
                item: None,
            };
            words
                .as_ref()
                .map(|words| texts.text(&Source::verbatim(&words.0), Place::Inline, local, errors))
        };
        self.title = template(&container.title, &[]);
        self.heading = template(&container.heading, &[special::TITLE]);
        self.summary_suffix = template(
            &container.summary_suffix,
            &[special::KEY, special::SUBSECTIONS],
        );
    }
}

fn sections(body: &Body) -> Vec<(&Field, &SectionKeys)> {
    let sections = body.fields.iter().filter_map(|field| match &field.role {
        FieldRole::Section(keys) => Some((field, &**keys)),
        FieldRole::Variable(_) => None,
    });
    sections.collect()
}

/// The name of a section's slot: the field, or the key of a field without a name.
fn slot(field: &Field, keys: &SectionKeys) -> String {
    let key = || keys.key.as_ref().map(Words::value).unwrap_or_default();
    field.name.clone().unwrap_or_else(key)
}

fn names(body: &Body) -> Vec<(String, Span)> {
    let fields = body
        .fields
        .iter()
        .filter_map(|field| Some((field.name.clone()?, field.span)));
    let vars = body
        .container
        .vars
        .0
        .iter()
        .map(|(name, _)| (name.to_string(), name.span()));
    fields.chain(vars).collect()
}

/// Rules of a text that `allow` switches off.
const ALLOWED: &[Code] = &[
    Code::SkippedLevel,
    Code::HeadingAboveTop,
    Code::SetextHeading,
    Code::UnclosedFence,
    Code::DoctestFence,
    Code::SpacedVariable,
    Code::UnclosedBrace,
];

/// Lints that `deny` makes errors.
const DENIED: &[Code] = &[
    Code::Naming,
    Code::GenericName,
    Code::LongName,
    Code::OverNesting,
    Code::MixedStyle,
    Code::PriorityInversion,
    Code::VolatileBeforeCache,
];

/// The rules of `allow(..)` or `deny(..)`.
fn codes(rules: &Rules, known: &[Code], key: &str, errors: &mut Errors) -> Vec<Code> {
    let find = |(name, span): &(Ident, Span)| {
        let written = name.to_string();
        let found = known.iter().copied().find(|code| code.as_str() == written);
        if found.is_none() {
            errors.push(unknown_rule(&written, *span, known, key).into());
        }
        found
    };
    rules.0.iter().filter_map(find).collect()
}

fn unknown_rule(name: &str, span: Span, known: &[Code], key: &str) -> Diagnostic {
    let names: Vec<&str> = known.iter().map(|code| code.as_str()).collect();
    let help = match prompt_syntax::nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it takes {}", crate::diagnostic::alternatives(&names)),
    };
    Diagnostic::new(
        Code::InvalidValue,
        span,
        format_args!("`{key}` has no rule `{name}`"),
        help,
    )
}

/// An enum has no text of its own.
fn texts_of_enum(container: &Container, errors: &mut Errors) {
    for words in [&container.template, &container.file].into_iter().flatten() {
        let help = "write the text on each variant";
        let fact = "an enum has no text of its own: the active variant is printed";
        errors.push(Diagnostic::new(Code::ConflictingAttributes, words.span(), fact, help).into());
    }
}
