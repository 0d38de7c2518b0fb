//! `#[var(..)]` and `#[section(..)]` on a field.

use super::{
    groups::{HeadingKeys, ItemKeys, TagKeys, TextKeys},
    keys::{Book, Entries, Group, keys},
    value::{
        Columns, Expression, Guarding, Hang, ItemField, Json, PathValue, Priority, Role, Seconds,
        Switch, Visibility, Words,
    },
};
use crate::diagnostic::Errors;
use proc_macro2::Span;

/// How a value is printed: `#[var(..)]`, or the braces behind an entry of `vars`.
#[derive(Clone, Default)]
pub(crate) struct VarKeys {
    /// `item`, `join`, `last`.
    pub(crate) items: ItemKeys,
    /// All others.
    pub(crate) own: PrintKeys,
    /// Whether something in it is wrong: nothing is missed then.
    pub(crate) faulty: bool,
}

keys! {
    /// The keys that only `#[var(..)]` has.
    pub(crate) struct PrintKeys {
        /// `default = ".."`: for an absent `Option`, or an empty list.
        default: Words,
        /// `some = " ({})"`: how a present `Option`, or a list with items, prints; an absent one prints nothing.
        some: Words,
        /// `yes = ".."`: what a true `bool` prints.
        yes: Words,
        /// `no = ".."`: what a false `bool` prints.
        no: Words,
        /// `hang`, `hang = 4`: continuation lines of the value take the column of the first, or this one.
        hang: Hang,
        /// `debug`: printed with `Debug`.
        debug: Switch,
        /// `json`, `json = "pretty"`, `json = 4`: printed as JSON; a number is the indentation.
        json: Json,
        /// `with = path`: printed as what this function makes of a reference to the value.
        with: PathValue,
        /// `raw`: not guarded against tags of the document.
        raw: Switch,
        /// `untrusted`: headings, fences and chat tokens in the value are defused.
        untrusted: Switch,
    }
}

/// The keys of `#[var(..)]`.
pub(crate) static VAR: Book = Book {
    attribute: "var",
    groups: &[ItemKeys::KEYS, PrintKeys::KEYS],
    exclusive: &[
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
        (&["item", "join", "last"], &["json", "debug"]),
        (&["json"], &["debug"]),
    ],
    others: &[&SECTION, &super::container::PROMPT],
};

impl VarKeys {
    /// Reads the entries of an attribute, or of braces. `before` is the number of errors before they were gathered.
    pub(crate) fn of(entries: &Entries, before: usize, errors: &mut Errors) -> Self {
        Self {
            items: ItemKeys::read(entries, errors),
            own: PrintKeys::read(entries, errors),
            faulty: errors.count() > before,
        }
    }

    /// Whether anything says how the value is printed.
    pub(crate) fn is_silent(&self) -> bool {
        let PrintKeys {
            default,
            some,
            yes,
            no,
            debug,
            json,
            with,
            ..
        } = &self.own;
        let words = [default, some, yes, no].into_iter().flatten().count();
        words == 0 && debug.is_none() && json.is_none() && with.is_none() && self.items.is_silent()
    }

    /// The key that leaves nothing to a format spec.
    pub(crate) fn without_spec(&self) -> Option<&'static str> {
        let own = &self.own;
        let keys = [
            (
                own.with.is_none() && (own.yes.is_some() || own.no.is_some()),
                "yes",
            ),
            (own.json.is_some(), "json"),
            (own.debug.is_some_and(|debug| debug.on), "debug"),
            (self.items.item.is_some(), "item"),
        ];
        keys.into_iter()
            .find(|(is_set, _)| *is_set)
            .map(|(_, key)| key)
    }
}

/// How a child stands in the prompt: `#[section(..)]`.
#[derive(Clone, Default)]
pub(crate) struct SectionKeys {
    /// `template`, `file`.
    pub(crate) text: TextKeys,
    /// Its names, its condition, its forms.
    pub(crate) own: OwnKeys,
    /// `heading`, `level`, `tight`, `gap`.
    pub(crate) heading: HeadingKeys,
    /// `tag`, `attr`, `inline`.
    pub(crate) tag: TagKeys,
    /// `indent`, `guard`, `untrusted`.
    pub(crate) markup: MarkupKeys,
    /// What becomes of it outside of the text.
    pub(crate) policy: PolicyKeys,
    /// `item`, `join`, `last`.
    pub(crate) items: ItemKeys,
    /// `item_title`, `item_key`, `item_tag`, `untitled_items`.
    pub(crate) each: EachKeys,
    /// Whether something in it is wrong: nothing is missed then.
    pub(crate) faulty: bool,
}

keys! {
    /// The names of a section, whether it is there, and its short forms.
    pub(crate) struct OwnKeys {
        /// `key = ".."`: the last part of its path; the field's name without it.
        key: Words,
        /// `title = ".."`: its heading, a template; without it the child's title, else the field's name in title case.
        title: Words,
        /// `untitled`: no heading.
        untitled: Switch,
        /// `visibility = "summary"` or an expression: whether only the summary is shown.
        visibility: Visibility,
        /// `summary = ".."`: the short form, a template.
        summary: Words,
        /// `when = expr`: whether it is there.
        when: Expression,
        /// `empty = ".."`: printed instead of an empty value, a template.
        empty: Words,
    }
}

keys! {
    /// What happens in the tag of a section.
    pub(crate) struct MarkupKeys {
        /// `indent = 2`: columns by which tags inside it are indented.
        indent: Columns,
        /// `guard = "escaped"`, `"cdata"`, `"strict"`: what happens to tags in values.
        guard: Guarding,
        /// `untrusted`: headings, fences and chat tokens in its values are defused.
        untrusted: Switch,
    }
}

keys! {
    /// What becomes of a section outside of its own text.
    pub(crate) struct PolicyKeys {
        /// `priority = 50`, `"required"` or an expression: how long a budget keeps it; without it as long as what is
        /// around it, and at the top always.
        priority: Priority,
        /// `role = "user"`: it becomes a message of this role.
        role: Role,
        /// `messages`: the field is a history, which is spliced in.
        messages: Switch,
        /// `cache`, `cache = 3600`: a cache point after it.
        cache: Seconds,
        /// `volatile`: it changes from call to call.
        volatile: Switch,
        /// `tools = expr`: its own tools.
        tools: Expression,
    }
}

keys! {
    /// What each item of a list section has of its own.
    pub(crate) struct EachKeys {
        /// `item_title = "{item.name}"`: the heading of an item, a template.
        item_title: Words,
        /// `item_key = name`: the field of an item that is the last part of its path.
        item_key: ItemField,
        /// `item_tag = ".."`: a tag around each item.
        item_tag: Words,
        /// `untitled_items`: the list has its heading, the items have none.
        untitled_items: Switch,
    }
}

impl EachKeys {
    /// What is said, with where it stands.
    pub(crate) fn said(&self) -> impl Iterator<Item = (&'static str, Span)> {
        let words = |words: &Option<Words>| words.as_ref().map(Words::span);
        let all = [
            ("item_title", words(&self.item_title)),
            ("item_key", self.item_key.as_ref().map(|field| field.span)),
            ("item_tag", words(&self.item_tag)),
            (
                "untitled_items",
                self.untitled_items
                    .filter(|switch| switch.on)
                    .map(|switch| switch.span),
            ),
        ];
        all.into_iter().filter_map(|(key, span)| Some((key, span?)))
    }

    /// Whether each item has something of its own.
    pub(crate) fn names_items(&self) -> bool {
        self.item_key.is_some() || self.item_title.is_some() || self.item_tag.is_some()
    }
}

/// The keys of `#[section(..)]`.
pub(crate) static SECTION: Book = Book {
    attribute: "section",
    groups: &[
        OwnKeys::KEYS,
        TextKeys::KEYS,
        ItemKeys::KEYS,
        EachKeys::KEYS,
        TagKeys::KEYS,
        MarkupKeys::KEYS,
        HeadingKeys::KEYS,
        PolicyKeys::KEYS,
    ],
    exclusive: &[
        (&["template"], &["file"]),
        (&["untitled"], &["title", "heading", "tight"]),
        (&["untitled_items"], &["item_title"]),
        (
            &["messages"],
            &[
                "item",
                "join",
                "last",
                "item_title",
                "item_key",
                "item_tag",
                "untitled_items",
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
    ],
    others: &[&VAR, &super::container::PROMPT],
};

impl SectionKeys {
    /// Reads the entries of an attribute. `before` is the number of errors before they were gathered.
    pub(crate) fn of(entries: &Entries, before: usize, errors: &mut Errors) -> Self {
        Self {
            text: TextKeys::read(entries, errors),
            own: OwnKeys::read(entries, errors),
            heading: HeadingKeys::read(entries, errors),
            tag: TagKeys::read(entries, errors),
            markup: MarkupKeys::read(entries, errors),
            policy: PolicyKeys::read(entries, errors),
            items: ItemKeys::read(entries, errors),
            each: EachKeys::read(entries, errors),
            faulty: errors.count() > before,
        }
    }
}
