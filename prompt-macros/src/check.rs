//! The rules that a model must keep, one function each. Rules about prompt text are in `prompt_syntax`, rules about the
//! values of attribute keys in `input`.

use crate::{
    diagnostic::{Diagnostic, Errors},
    input::value::Visibility,
    model::{Model, Name, Node, kind::Kind, section::Section},
};
use proc_macro2::Span;
use prompt_syntax::{Code, Target};

/// Checks all rules.
pub(crate) fn check(model: &Model, errors: &mut Errors) {
    for node in model.nodes() {
        names(node, errors);
        options(node, errors);
        lists(node, errors);
        keys(node, errors);
        unique_keys(node, errors);
        tags(node, errors);
        summaries(node, errors);
        places(node, errors);
        levels(node, errors);
        denied_names(node, errors);
        volatile_before_cache(node, errors);
    }
}

/// A name is a field or an entry of `vars`, not both.
fn names(node: &Node, errors: &mut Errors) {
    for (index, (name, span)) in node.names.iter().enumerate() {
        if node
            .names
            .iter()
            .take(index)
            .any(|(other, _)| other == name)
        {
            let fact = format_args!("`{name}` is a field already");
            complain(
                errors,
                Code::ConflictingAttributes,
                *span,
                fact,
                "choose another name in `vars`",
            );
        }
    }
}

/// An `Option` that a text prints says what it prints when it is absent.
fn options(node: &Node, errors: &mut Errors) {
    for (name, span) in bare(node, |kind| kind == Kind::Option) {
        let fact = format_args!("`{name}` is an `Option`: nothing says what an absent one prints");
        let help =
            "add `#[var(default = \"..\")]`, or `#[var(some = \"..{}..\")]` to print nothing";
        complain(errors, Code::MissingDefault, span, fact, help);
    }
}

/// A list that a text prints says how its items are joined.
fn lists(node: &Node, errors: &mut Errors) {
    for (name, span) in bare(node, |kind| matches!(kind, Kind::List { .. })) {
        let fact = format_args!("`{name}` is a list: nothing says how its items are joined");
        let help = "add `#[var(join = \", \")]`, or `#[var(item = \"- {item}\")]` for one per line";
        complain(errors, Code::MissingJoin, span, fact, help);
    }
}

/// The fields of a kind that a text prints without saying how, each once.
fn bare(node: &Node, wanted: impl Fn(Kind) -> bool) -> Vec<(&str, Span)> {
    let mut found: Vec<(&str, Span)> = Vec::new();
    for variable in node
        .variables
        .iter()
        .filter(|variable| variable.bare.is_some_and(&wanted))
    {
        let name = variable.source.split(':').next().unwrap_or_default();
        if !found.iter().any(|(other, _)| *other == name) {
            found.push((name, variable.span));
        }
    }
    found
}

/// A key is `^[a-z0-9][a-z0-9_-]{0,63}$`.
fn keys(node: &Node, errors: &mut Errors) {
    let sections = node.sections.iter().map(|section| &section.key);
    for key in node
        .key
        .iter()
        .chain(sections)
        .filter(|key| !prompt_syntax::is_key(&key.text))
    {
        let help = "keys have lower-case letters, digits, `_` and `-`, at most 64: `#[section(key = \"..\")]`";
        match key.text.as_str() {
            "" => {
                let fact = "a section of a tuple has no name to make its key of";
                complain(
                    errors,
                    Code::InvalidKey,
                    key.span,
                    fact,
                    "write `#[section(key = \"..\")]`",
                );
            }
            text => complain(
                errors,
                Code::InvalidKey,
                key.span,
                format_args!("`{text}` is no valid key"),
                help,
            ),
        }
    }
}

/// Siblings have different keys.
fn unique_keys(node: &Node, errors: &mut Errors) {
    for (index, section) in node.sections.iter().enumerate() {
        let key = &section.key;
        let mut earlier = node.sections.iter().take(index);
        if let Some(other) =
            earlier.find(|other| other.key.text == key.text && !key.text.is_empty())
        {
            let fact = format_args!("two sections have the key `{}`", key.text);
            let help = format_args!(
                "give this one or `{}` another: `#[section(key = \"..\")]`",
                other.field
            );
            complain(errors, Code::DuplicateKey, key.span, fact, help);
        }
    }
}

/// A tag is `[A-Za-z_][A-Za-z0-9_.-]*`, and so is an attribute.
fn tags(node: &Node, errors: &mut Errors) {
    for tag in all_tags(node).filter(|tag| !prompt_syntax::is_tag(&tag.text)) {
        let fact = format_args!("`{}` is no valid tag", tag.text);
        let help = "tags begin with a letter or `_` and have letters, digits, `_`, `.` and `-`";
        complain(errors, Code::InvalidTag, tag.span, fact, help);
    }
    let sections = node.sections.iter().flat_map(|section| &section.attributes);
    for attribute in node.attributes.iter().chain(sections) {
        let name = attribute.name.to_string();
        if !prompt_syntax::is_tag(name.trim_start_matches("r#")) {
            let fact = format_args!("`{name}` is no valid attribute of a tag");
            let help = "use letters, digits and `_`";
            complain(errors, Code::InvalidTag, attribute.name.span(), fact, help);
        }
    }
}

fn all_tags(node: &Node) -> impl Iterator<Item = &Name> {
    let sections = node
        .sections
        .iter()
        .flat_map(|section| section.tag.iter().chain(&section.item.tag));
    node.tag.iter().chain(sections)
}

/// What is shown as a summary has one.
fn summaries(node: &Node, errors: &mut Errors) {
    let wants = |section: &&Section| {
        matches!(section.visibility, Visibility::Summary) && section.summary.is_none()
    };
    for section in node.sections.iter().filter(wants) {
        let fact = format_args!("`{}` is shown as a summary and has none", section.field);
        complain(
            errors,
            Code::SummaryMissing,
            section.span,
            fact,
            "add `summary = \"..\"`",
        );
    }
}

/// With `append = false` every section has a place.
fn places(node: &Node, errors: &mut Errors) {
    if node.append || node.text.slot(Target::Subtree).is_some() {
        return;
    }
    for section in node.sections.iter().filter(|section| !section.placed) {
        let fact = format_args!("`{}` has no place in the text", section.field);
        let help = format_args!(
            "write `{{{}}}` or `{{PROMPT_SUBTREE}}` on a line of its own, or remove `append = false`",
            section.field
        );
        complain(errors, Code::UnplacedSection, section.span, fact, help);
    }
}

/// The headings of this type end at level six; those of its sections' types are looked at by the compiler.
fn levels(node: &Node, errors: &mut Errors) {
    for section in node.sections.iter().filter(|section| section.reached() > 6) {
        let fact = format_args!(
            "section `{}` reaches heading level {}, and level 6 is the last one",
            section.key.text,
            section.reached()
        );
        complain(
            errors,
            Code::HeadingLevel,
            section.span,
            fact,
            "use fewer levels above it, or `untitled`",
        );
    }
}

/// `deny(naming, generic_name, long_name)`: tags that are written out, and keys, which are tags in XML.
fn denied_names(node: &Node, errors: &mut Errors) {
    let keys = node
        .sections
        .iter()
        .filter(|section| section.tag.is_none())
        .map(|section| &section.key);
    for name in all_tags(node).chain(keys) {
        for (code, help) in prompt_syntax::tag_lints(&name.text) {
            if node.deny.contains(&code) {
                complain(
                    errors,
                    code,
                    name.span,
                    format_args!("the tag `{}` is not a good name", name.text),
                    help,
                );
            }
        }
    }
}

/// `deny(volatile_before_cache)`: what changes from call to call spoils every cache point after it.
fn volatile_before_cache(node: &Node, errors: &mut Errors) {
    if !node.deny.contains(&Code::VolatileBeforeCache) {
        return;
    }
    let last_cache = node
        .sections
        .iter()
        .rposition(|section| section.cache.is_some())
        .unwrap_or(0);
    for section in node
        .sections
        .iter()
        .take(last_cache)
        .filter(|section| section.volatile)
    {
        let fact = format_args!(
            "`{}` changes from call to call and stands before a cache point",
            section.field
        );
        complain(
            errors,
            Code::VolatileBeforeCache,
            section.span,
            fact,
            "move it behind the section with `cache`",
        );
    }
}

fn complain(
    errors: &mut Errors,
    code: Code,
    span: Span,
    fact: impl std::fmt::Display,
    help: impl std::fmt::Display,
) {
    errors.push(Diagnostic::new(code, span, fact, help).into());
}
