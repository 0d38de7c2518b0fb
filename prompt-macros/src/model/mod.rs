//! What the user's input means: nodes with texts, variables and sections, ready to be checked and written out.

pub(crate) mod beside;
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
    diagnostic::{Diagnostic, Errors},
    input::{
        Body, Field, FieldRole, Input, Shape, Style,
        container::Container,
        field::SectionKeys,
        file,
        groups::TagKeys,
        named::Named,
        value::{Guarding, Words},
    },
};
use beside::Beside;
use form::{Asked, Condition, Loop, Operand, Print, Read, Text};
use proc_macro2::{Ident, Span};
use prompt_syntax::{Code, Place, Special, Target};
use section::{Content, Position, Section};
use syn::{Expr, Generics, LitStr, Member, Path, Type, WherePredicate, ext::IdentExt};
use text::{Local, Tags, Texts};
use value::{Variable, on};

/// A type with `#[derive(PromptNode)]`.
pub(crate) struct Model {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of `prompt_core`, where it was renamed.
    pub(crate) krate: Option<Path>,
    /// The bounds of the implementation, instead of those that follow from the fields.
    pub(crate) bound: Option<Vec<WherePredicate>>,
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
    /// The fields in declaration order.
    pub(crate) fields: Vec<(Member, Type)>,
    pub(crate) key: Option<Name>,
    pub(crate) title: Option<Text>,
    pub(crate) summary: Option<Text>,
    pub(crate) summary_suffix: Option<Text>,
    pub(crate) description: Option<String>,
    pub(crate) text: Text,
    pub(crate) variables: Vec<Variable>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) loops: Vec<Loop>,
    pub(crate) sections: Vec<Section>,
    pub(crate) markup: Markup,
    pub(crate) heading: Heading,
    pub(crate) numbered: Option<bool>,
    /// Whether sections without a slot are appended.
    pub(crate) append: bool,
    pub(crate) start: String,
    pub(crate) end: String,
    pub(crate) tools: Option<Expr>,
    /// Tags in its texts.
    pub(crate) tags: Tags,
    /// Lints that stop the build.
    pub(crate) deny: Vec<Code>,
    /// The file of its text.
    pub(crate) file: Option<LitStr>,
    /// Entries of `vars` that no text uses, with what they stand for.
    pub(crate) unused: Vec<(Name, Operand)>,
}

/// How headings stand: of one section, or of all sections of a node.
#[derive(Clone)]
pub(crate) struct Heading {
    pub(crate) form: Option<Text>,
    pub(crate) level: Option<u8>,
    pub(crate) tight: bool,
    pub(crate) gap: Option<u8>,
}

/// The tag around a node or section, and what happens to values in it.
#[derive(Clone)]
pub(crate) struct Markup {
    pub(crate) tag: Option<Name>,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) inline: bool,
    pub(crate) indent: Option<u8>,
    pub(crate) guarding: Option<Guarding>,
    pub(crate) untrusted: bool,
}

/// An attribute of a tag.
#[derive(Clone)]
pub(crate) struct Attribute {
    pub(crate) name: Name,
    /// The variable that writes it; `None` for the title.
    pub(crate) variable: Option<u16>,
}

impl Markup {
    /// Reads a tag. Each attribute has a variable of its own.
    pub(crate) fn of(keys: &TagKeys, attributes: &[Named], texts: &mut Texts<'_>) -> Self {
        let attribute = |named: &Named| Attribute {
            name: Name {
                text: named.name.unraw().to_string(),
                span: named.name.span(),
            },
            variable: named.expr.as_ref().map(|expr| {
                let operand = Operand::expression(expr);
                let source = named.name.to_string();
                let span = named.name.span();
                texts.add(Variable::new(source, operand, Print::Attribute, span))
            }),
        };
        Self {
            attributes: attributes.iter().map(attribute).collect(),
            tag: keys.tag.as_ref().map(Name::written),
            inline: on(keys.inline),
            indent: None,
            guarding: None,
            untrusted: false,
        }
    }
}

/// A name for the outside: a key, a tag.
#[derive(Clone)]
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
        let beside = Beside::new(&input.ident);
        let nodes = match &input.shape {
            Shape::Struct(body) => Nodes::Struct(Box::new(Node::new(body, &beside, false, errors))),
            Shape::Enum(variants) => {
                texts_of_enum(&input.container, errors);
                let variants = variants.iter();
                let node = |body| Node::new(body, &beside, true, errors);
                Nodes::Enum(variants.map(node).collect())
            }
        };
        let own = &input.container.own;
        Self {
            ident: input.ident.clone(),
            generics: input.generics.clone(),
            krate: own.krate.as_ref().map(|path| path.0.clone()),
            bound: own.bound.as_ref().map(|bound| bound.0.clone()),
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

    /// Whether it can stand in a sentence: it has words, and neither headings nor slots nor sections.
    pub(crate) fn is_phrase(&self) -> bool {
        let is_flat = |node: &Node| node.text.is_flat() && node.sections.is_empty();
        self.nodes().all(is_flat) && self.nodes().any(|node| !node.text.is_empty())
    }
}

impl Node {
    fn new(body: &Body, beside: &Beside<'_>, in_variant: bool, errors: &mut Errors) -> Self {
        let container = &body.container;
        let fields = sections(body);
        let slots: Vec<String> = fields
            .iter()
            .map(|(field, keys)| slot(field, keys))
            .collect();
        let rules = [
            codes(&container.allow, Code::can_allow, "allow", errors),
            codes(&container.deny, Code::can_deny, "deny", errors),
        ];
        let deny = rules[1].clone();
        let mut texts = Texts::new((body, beside), slots.clone(), rules, in_variant);
        texts.check_cycles(errors);
        let (source, file) = file::text(&container.text, &body.docs, errors);
        let text = source
            .map(|source| texts.text(&source, Place::Node, Local::default(), errors))
            .unwrap_or_default();
        let heading = Heading::of(
            &container.heading,
            container.inherited.heading,
            &mut texts,
            errors,
        );
        let appended_at = text
            .slot(Target::Subtree)
            .or(heading.level)
            .unwrap_or(text.0.end);
        let fields = fields.into_iter().zip(slots).enumerate();
        let sections = fields.map(|(index, ((field, keys), slot))| {
            let own = u16::try_from(index).ok();
            let own = own.and_then(|index| text.slot(Target::Section(index)));
            let position = Position {
                index,
                slot,
                placed: own.is_some(),
                level: own.unwrap_or(appended_at),
            };
            Section::new(field, keys, position, &mut texts, errors)
        });
        let sections = sections.collect();
        let own = &container.own;
        let mut line = |words: &Option<Words>, special: &[Special], inherited| {
            let local = Local {
                special,
                inherited,
                ..Local::default()
            };
            let words = words.as_ref();
            words.map(|words| texts.line(words, local, errors))
        };
        let inherited = container.inherited;
        let title = line(&own.title, &[], inherited.title);
        let summary_suffix = line(
            &own.summary_suffix,
            &[Special::Key, Special::Subsections],
            inherited.summary_suffix,
        );
        let local = Local {
            inherited: inherited.summary,
            ..Local::default()
        };
        let summary = own.summary.as_ref();
        let summary = summary.map(|words| texts.summary(words, local, errors));
        let markup = Markup::of(&container.tag, &container.attributes, &mut texts);
        let mut literal = |words: &Option<Words>, key| {
            let words = words.as_ref();
            words.map_or_else(String::new, |words| texts.literal(words, key, errors))
        };
        let (start, end) = (literal(&own.start, "start"), literal(&own.end, "end"));
        let uses = texts.finish(errors);
        Self {
            ident: body.ident.clone(),
            style: body.style,
            fields: body
                .fields
                .iter()
                .map(|field| (field.member.clone(), field.ty.clone()))
                .collect(),
            key: own.key.as_ref().map(Name::written),
            title,
            summary,
            summary_suffix,
            description: own.description.as_ref().map(Words::value),
            text,
            sections,
            markup,
            heading,
            numbered: own.numbering.map(|numbering| numbering.0),
            append: own.append.is_none_or(|append| append.on),
            start,
            end,
            tools: own.tools.as_ref().map(|tools| value::borrowable(&tools.0)),
            deny,
            file,
            unused: uses.unused,
            variables: uses.variables,
            conditions: uses.conditions,
            loops: uses.loops,
            tags: uses.tags,
        }
    }

    /// Whether some operand of it is read this way.
    pub(crate) fn reads(&self, how: Read) -> bool {
        let variables = self
            .variables
            .iter()
            .any(|variable| variable.operand.reads.contains(&how) || variable.print.reads(how));
        let conditions = self
            .conditions
            .iter()
            .any(|condition| match &condition.asked {
                Asked::Value(operand) | Asked::Item { item: operand, .. } => {
                    operand.reads.contains(&how)
                }
                Asked::Section(_) | Asked::Place(_) => false,
            });
        let loops = self.loops.iter().any(|it| it.list.reads.contains(&how));
        let texts = self.sections.iter().any(|section| match &section.content {
            Content::Texts(template) => template.reads(how),
            _ => false,
        });
        variables || conditions || loops || texts
    }

    /// The files its texts come from.
    pub(crate) fn files(&self) -> impl Iterator<Item = &LitStr> {
        let sections = self.sections.iter();
        let sections = sections.filter_map(|section| section.file.as_ref());
        self.file.iter().chain(sections)
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
    let key = || keys.own.key.as_ref().map(Words::value).unwrap_or_default();
    field.name.clone().unwrap_or_else(key)
}

/// The rules of `allow(..)` or `deny(..)`.
fn codes(rules: &[Ident], is_meant: fn(Code) -> bool, key: &str, errors: &mut Errors) -> Vec<Code> {
    let find = |name: &Ident| {
        let written = name.to_string();
        let found = written.parse().ok().filter(|code| is_meant(*code));
        if found.is_none() {
            errors.push(unknown_rule(&written, name.span(), is_meant, key));
        }
        found
    };
    rules.iter().filter_map(find).collect()
}

fn unknown_rule(name: &str, span: Span, is_meant: fn(Code) -> bool, key: &str) -> Diagnostic {
    let known = Code::ALL.iter().filter(|code| is_meant(**code));
    let names: Vec<&str> = known.map(|code| code.as_str()).collect();
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
    let text = &container.text;
    for words in [&text.template, &text.file].into_iter().flatten() {
        let help = "write the text on each variant";
        let fact = "an enum has no text of its own: the active variant is printed";
        errors.add(Code::ConflictingAttributes, words.span(), fact, help);
    }
}
