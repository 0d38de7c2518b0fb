//! `#[var(..)]` and `#[section(..)]` on a field.

use super::{
    keys::Keys,
    value::{
        Columns, Expression, Guarding, ItemField, Json, Level, Named, PathValue, Priority, Role,
        Seconds, Switch, Visibility, Words,
    },
};
use darling::FromMeta;

/// The keys of `#[var(..)]`: how a field is printed.
#[derive(Clone, Debug, Default, FromMeta)]
#[darling(default)]
pub(crate) struct VarKeys {
    /// `default = ".."`: for an absent `Option`, or an empty list.
    pub(crate) default: Option<Words>,
    /// `some = " ({})"`: how a present `Option` prints; an absent one prints nothing.
    pub(crate) some: Option<Words>,
    /// `yes = ".."`: what a true `bool` prints.
    pub(crate) yes: Option<Words>,
    /// `no = ".."`: what a false `bool` prints.
    pub(crate) no: Option<Words>,
    /// `item = "- {item.name}"`: how an item of a list prints; `{index}` counts from 1.
    pub(crate) item: Option<Words>,
    /// `join = ", "`: between two items.
    pub(crate) join: Option<Words>,
    /// `last = " or "`: between the last two items.
    pub(crate) last: Option<Words>,
    /// `hang`: continuation lines of the value take the column of the first.
    pub(crate) hang: Option<Switch>,
    /// `debug`: printed with `Debug`.
    pub(crate) debug: Option<Switch>,
    /// `json`, `json = "pretty"`: printed as JSON.
    pub(crate) json: Option<Json>,
    /// `with = path`: printed as what this function makes of a reference to the field.
    pub(crate) with: Option<PathValue>,
    /// `raw`: not guarded against tags of the document.
    pub(crate) raw: Option<Switch>,
    /// `untrusted`: headings, fences and chat tokens in the value are defused.
    pub(crate) untrusted: Option<Switch>,
}

impl Keys for VarKeys {
    const ATTRIBUTE: &'static str = "var";
    const KEYS: &'static [&'static str] = &[
        "default",
        "some",
        "yes",
        "no",
        "item",
        "join",
        "last",
        "hang",
        "debug",
        "json",
        "with",
        "raw",
        "untrusted",
    ];
    const EXCLUSIVE: &'static [(&'static [&'static str], &'static [&'static str])] = &[
        (
            &["with"],
            &[
                "default", "some", "yes", "no", "item", "join", "last", "json", "debug",
            ],
        ),
        (
            &["yes", "no"],
            &["default", "some", "item", "join", "last", "json", "debug"],
        ),
        (&["item", "join", "last"], &["some", "json", "debug"]),
        (&["json"], &["debug"]),
    ];
}

/// The keys of `#[section(..)]`: how a child stands in the prompt.
#[derive(Clone, Debug, Default, FromMeta)]
#[darling(default)]
pub(crate) struct SectionKeys {
    /// `key = ".."`: the last part of its path; the field's name without it.
    pub(crate) key: Option<Words>,
    /// `title = ".."`: its heading, a template; without it the child's title, else the field's name in title case.
    pub(crate) title: Option<Words>,
    /// `untitled`: no heading.
    pub(crate) untitled: Option<Switch>,
    /// `template = ".."`: the introduction, instead of the doc comment.
    pub(crate) template: Option<Words>,
    /// `file = "prompts/x.md"`: the introduction, from a file.
    pub(crate) file: Option<Words>,
    /// `visibility = "summary"` or an expression: whether only the summary is shown.
    pub(crate) visibility: Option<Visibility>,
    /// `summary = ".."`: the short form, a template.
    pub(crate) summary: Option<Words>,
    /// `when = expr`: whether it is there.
    pub(crate) when: Option<Expression>,
    /// `empty = ".."`: printed instead of an empty value, a template.
    pub(crate) empty: Option<Words>,
    /// `item = ".."`: how an item of a list prints, a template.
    pub(crate) item: Option<Words>,
    /// `join = ".."`: between two items.
    pub(crate) join: Option<Words>,
    /// `last = ".."`: between the last two items.
    pub(crate) last: Option<Words>,
    /// `item_title = "{item.name}"`: the heading of an item, a template.
    pub(crate) item_title: Option<Words>,
    /// `item_key = name`: the field of an item that is the last part of its path.
    pub(crate) item_key: Option<ItemField>,
    /// `item_tag = ".."`: a tag around each item.
    pub(crate) item_tag: Option<Words>,
    /// `tag = ".."`: a tag instead of a heading.
    pub(crate) tag: Option<Words>,
    /// `attr(name = expr, title)`: attributes of the tag.
    pub(crate) attr: Named,
    /// `inline`: tag and text on one line.
    pub(crate) inline: Option<Switch>,
    /// `indent = 2`: columns by which tags inside it are indented.
    pub(crate) indent: Option<Columns>,
    /// `guard = "escaped"`, `"cdata"`, `"strict"`: what happens to tags in values.
    pub(crate) guard: Option<Guarding>,
    /// `priority = 50`, `"required"` or an expression: how long a budget keeps it.
    pub(crate) priority: Option<Priority>,
    /// `role = "user"`: it becomes a message of this role.
    pub(crate) role: Option<Role>,
    /// `messages`: the field is a history, which is spliced in.
    pub(crate) messages: Option<Switch>,
    /// `cache`, `cache = 3600`: a cache point after it.
    pub(crate) cache: Option<Seconds>,
    /// `volatile`: it changes from call to call.
    pub(crate) volatile: Option<Switch>,
    /// `tools = expr`: its own tools.
    pub(crate) tools: Option<Expression>,
    /// `heading = "==== {title}"`: another form for its heading.
    pub(crate) heading: Option<Words>,
    /// `level = 3`: where it stands if it has no slot.
    pub(crate) level: Option<Level>,
    /// `tight`: its heading stands directly above its body.
    pub(crate) tight: Option<Switch>,
    /// `untrusted`: headings, fences and chat tokens in its values are defused.
    pub(crate) untrusted: Option<Switch>,
}

impl Keys for SectionKeys {
    const ATTRIBUTE: &'static str = "section";
    const KEYS: &'static [&'static str] = &[
        "key",
        "title",
        "untitled",
        "template",
        "file",
        "visibility",
        "summary",
        "when",
        "empty",
        "item",
        "join",
        "last",
        "item_title",
        "item_key",
        "item_tag",
        "tag",
        "attr",
        "inline",
        "indent",
        "guard",
        "priority",
        "role",
        "messages",
        "cache",
        "volatile",
        "tools",
        "heading",
        "level",
        "tight",
        "untrusted",
    ];
    const EXCLUSIVE: &'static [(&'static [&'static str], &'static [&'static str])] = &[
        (&["template"], &["file"]),
        (&["untitled"], &["title", "heading", "tight"]),
        (
            &["messages"],
            &[
                "item",
                "join",
                "last",
                "item_title",
                "item_key",
                "item_tag",
                "title",
                "heading",
                "tag",
            ],
        ),
        (
            &["messages"],
            &[
                "visibility",
                "summary",
                "empty",
                "inline",
                "indent",
                "role",
                "untrusted",
            ],
        ),
    ];
}
