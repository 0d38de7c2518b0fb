//! `#[prompt(..)]` on a struct, an enum or a variant.

use super::{
    keys::Keys,
    value::{Expression, Level, Named, Numbering, PathValue, Rules, Switch, Words},
};
use darling::FromMeta;
use proc_macro2::Ident;
use syn::Fields;

/// The keys of `#[prompt(..)]`. On an enum they hold for every variant that does not say otherwise.
#[derive(Clone, Debug, Default, FromMeta)]
#[darling(default)]
pub(crate) struct Container {
    /// `key = ".."`: the name towards the outside, as in MCP; the type's name in snake case without it.
    pub(crate) key: Option<Words>,
    /// `title = ".."`: the heading where this node is embedded without a title of its own; a template.
    pub(crate) title: Option<Words>,
    /// `description = ".."`: what the prompt is for; never printed.
    pub(crate) description: Option<Words>,
    /// `tag = ".."`: a tag around the node.
    pub(crate) tag: Option<Words>,
    /// `attr(name = expr, title)`: attributes of that tag.
    pub(crate) attr: Named,
    /// `inline`: tag and text on one line.
    pub(crate) inline: Option<Switch>,
    /// `template = ".."`: the node's own text, instead of the doc comment.
    pub(crate) template: Option<Words>,
    /// `file = "prompts/x.md"`: the node's own text, from a file relative to the folder of `Cargo.toml`.
    pub(crate) file: Option<Words>,
    /// `level = 2`: where sections without a slot stand.
    pub(crate) level: Option<Level>,
    /// `heading = "==== {title}"`: another form for the generated headings of its sections.
    pub(crate) heading: Option<Words>,
    /// `numbering`, `numbering = "decimal"`, `numbering = "none"`: numbers before the generated headings of the tree.
    pub(crate) numbering: Option<Numbering>,
    /// `append = false`: a section without a slot is an error.
    pub(crate) append: Option<Switch>,
    /// `tight`: the generated headings of its sections stand directly above their body.
    pub(crate) tight: Option<Switch>,
    /// `end = "\n"`: appended after everything.
    pub(crate) end: Option<Words>,
    /// `vars(name = expr, ..)`: more variables.
    pub(crate) vars: Named,
    /// `tools = expr`: the tools of this node.
    pub(crate) tools: Option<Expression>,
    /// `summary_suffix = ".."`: the wording under a summary; `{key}` and `{subsections}` are its own variables.
    pub(crate) summary_suffix: Option<Words>,
    /// `allow(rule, ..)`: rules that its texts may break.
    pub(crate) allow: Rules,
    /// `deny(rule, ..)`: lints that stop the build.
    pub(crate) deny: Rules,
    /// `crate = path`: the path of `prompt_core`, where it was renamed.
    #[darling(rename = "crate")]
    pub(crate) krate: Option<PathValue>,
}

impl Keys for Container {
    const ATTRIBUTE: &'static str = "prompt";
    const KEYS: &'static [&'static str] = &[
        "key",
        "title",
        "description",
        "tag",
        "attr",
        "inline",
        "template",
        "file",
        "level",
        "heading",
        "numbering",
        "append",
        "tight",
        "end",
        "vars",
        "tools",
        "summary_suffix",
        "allow",
        "deny",
        "crate",
    ];
    const EXCLUSIVE: &'static [(&'static [&'static str], &'static [&'static str])] =
        &[(&["template"], &["file"])];
}

impl Container {
    /// The keys of a variant, with those of its enum where it has none. Texts are not inherited, and `fields` of the
    /// variant hide entries of `vars`.
    pub(crate) fn inherit(self, outer: &Self, fields: &Fields) -> Self {
        let outer = outer.clone();
        let list = |own: Named, outer: Named| if own.0.is_empty() { outer } else { own };
        let own: Vec<Ident> = self.vars.0.iter().map(|(name, _)| name.clone()).collect();
        let is_hidden = |name: &Ident| {
            own.contains(name)
                || fields
                    .iter()
                    .any(|field| field.ident.as_ref() == Some(name))
        };
        let inherited = outer
            .vars
            .0
            .into_iter()
            .filter(|(name, _)| !is_hidden(name));
        let vars = Named(self.vars.0.into_iter().chain(inherited).collect());
        Self {
            key: self.key.or(outer.key),
            title: self.title.or(outer.title),
            description: self.description.or(outer.description),
            tag: self.tag.or(outer.tag),
            attr: list(self.attr, outer.attr),
            inline: self.inline.or(outer.inline),
            template: self.template,
            file: self.file,
            level: self.level.or(outer.level),
            heading: self.heading.or(outer.heading),
            numbering: self.numbering.or(outer.numbering),
            append: self.append.or(outer.append),
            tight: self.tight.or(outer.tight),
            end: self.end.or(outer.end),
            vars,
            tools: self.tools.or(outer.tools),
            summary_suffix: self.summary_suffix.or(outer.summary_suffix),
            allow: Rules(self.allow.0.into_iter().chain(outer.allow.0).collect()),
            deny: Rules(self.deny.0.into_iter().chain(outer.deny.0).collect()),
            krate: outer.krate,
        }
    }
}
