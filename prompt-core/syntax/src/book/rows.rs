//! The rows of the book.

use super::{
    Group, Holder,
    Holder::{FileRoot, FileSection, FileVar, Prompt, Section, TaskEnum, TaskVariant, Var},
    Key, Takes,
};

const fn key(
    name: &'static str,
    group: Group,
    on: &'static [Holder],
    takes: Takes,
    about: &'static str,
) -> Key {
    Key {
        name,
        group,
        on,
        takes,
        excludes: &[],
        shown: &[],
        about,
    }
}

impl Key {
    const fn shown(self, shown: &'static [&'static str]) -> Self {
        Self { shown, ..self }
    }

    const fn without(self, excludes: &'static [&'static str]) -> Self {
        Self { excludes, ..self }
    }
}

/// All keys. One that means another thing elsewhere has a row for each meaning.
#[rustfmt::skip]
pub static KEYS: &[Key] = &[
    key("key", Group::Node, &[Prompt], Takes::Text,
        "the name towards the outside, as in MCP"),
    key("title", Group::Node, &[Prompt, FileRoot], Takes::Text,
        "the heading where the node is embedded and the section gives none; a template. A root's title is not printed"),
    key("summary", Group::Node, &[Prompt, FileRoot], Takes::Text,
        "the short form where the section gives none; over the node's own variables"),
    key("description", Group::Node, &[Prompt, FileRoot, FileSection], Takes::Text,
        "what the prompt is for; never printed"),
    key("template", Group::Text, &[Prompt], Takes::Text,
        "the text, instead of the doc comment, without the indentation that its lines share. It keeps the text out of rustdoc, and blanks at the end of its last line")
        .without(&["file"]),
    key("file", Group::Text, &[Prompt], Takes::Text,
        "the text, from a file relative to the folder of `Cargo.toml`; the build reruns when it changes")
        .shown(&["file = \"prompts/x.md\""]),
    key("body", Group::Text, &[FileRoot, FileSection], Takes::Text,
        "the text, with headings, variables, conditions and slots; common indentation goes"),
    key("vars", Group::Node, &[Prompt], Takes::List,
        "more variables: expressions, constants by their own name, structs of constants. Keys of `#[var(..)]` follow in braces: `vars(names = &self.tools, { item = \"{item.name}\", join = \", \" })`")
        .shown(&["vars(name = expr, PATH, ..)"]),
    key("level", Group::Heading, &[Prompt, FileRoot], Takes::Level,
        "the level of sections without a slot")
        .shown(&["level = 2"]),
    key("append", Group::Node, &[Prompt], Takes::Switch,
        "a section without a slot is `unplaced_section`")
        .shown(&["append = false"]),
    key("append", Group::Node, &[FileRoot, FileSection], Takes::Switch,
        "`false`: a section without a place is a fault")
        .shown(&["append"]),
    key("heading", Group::Heading, &[Prompt, FileRoot], Takes::Text,
        "another form of the generated headings of its sections")
        .shown(&["heading = \"== {title}\""]),
    key("numbering", Group::Node, &[Prompt], Takes::OneOfOrNothing(&["decimal", "none"]),
        "decimal numbers before the generated headings of the tree")
        .shown(&["numbering", "numbering = \"none\""]),
    key("numbering", Group::Node, &[FileRoot, FileSection], Takes::OneOf(&["decimal", "none"]),
        "numbers before the headings below it")
        .shown(&["numbering = \"decimal\""]),
    key("tight", Group::Heading, &[Prompt, FileRoot], Takes::Switch,
        "the generated headings of its sections stand directly above their body"),
    key("gap", Group::Heading, &[Prompt, FileRoot], Takes::Gap,
        "blank lines between its sections: 0 to 9")
        .shown(&["gap = 0"]),
    key("start", Group::Node, &[Prompt, FileRoot, FileSection], Takes::Text,
        "put before everything; words in it also in messages, whose ends have no blank lines")
        .shown(&["start = \"\\n\""]),
    key("end", Group::Node, &[Prompt, FileRoot, FileSection], Takes::Text,
        "appended after everything, like `start`")
        .shown(&["end = \"\\n\""]),
    key("tag", Group::Tag, &[Prompt, FileRoot], Takes::Text,
        "a tag around the node"),
    key("attr", Group::Tag, &[Prompt], Takes::List,
        "attributes of the tag: `bool`, numbers, text, `Option` of these; `title` alone prints the title")
        .shown(&["attr(name = expr, title)"]),
    key("attr", Group::Tag, &[FileRoot, FileSection], Takes::Map,
        "attributes of the tag: text, a number, `true`; `null` and `false` are left out")
        .shown(&["attr"]),
    key("inline", Group::Tag, &[Prompt, FileRoot], Takes::Switch,
        "tag and text on one line"),
    key("indent", Group::Tag, &[Prompt, FileRoot], Takes::Columns,
        "columns by which tags in its tag stand further right than it; where it is a section, that may say another number")
        .shown(&["indent = 2"]),
    key("tools", Group::Node, &[Prompt], Takes::Expression,
        "the tools of the node: a [`ToolSpec`](crate::ToolSpec), or a list or `Option` of them"),
    key("tools", Group::Policy, &[FileRoot, FileSection], Takes::Texts,
        "names of tools, offered while it is shown in full")
        .shown(&["tools"]),
    key("summary_suffix", Group::Node, &[Prompt, FileRoot, FileSection], Takes::Text,
        "the wording under its summaries, with `{key}` and `{subsections}`"),
    key("bound", Group::Node, &[Prompt], Takes::Bounds,
        "the bounds of the implementation for a generic type, instead of those that follow from what is printed and embedded")
        .shown(&["bound = \"T: Display\""]),
    key("allow", Group::Node, &[Prompt], Takes::List,
        "switches rules off: `skipped_level`, `heading_above_top`, `setext_heading`, `front_matter`, `unclosed_fence`, `doctest_fence`, `spaced_variable`, `unclosed_brace`, `doubled_braces`, `tuple_field`, `hidden_name`, `nothing_in_code`, `foreign_template`; and lints of what it and all below it print: `naming`, `generic_name`, `long_name`, `over_nesting`, `mixed_style`, `heading_in_value`, `touching_heading`, `empty_title`, `duplicate_attribute`, `summary_saves_nothing`, `tool_undescribed`, `inline_lines`, `priority_inversion`, `volatile_before_cache`, `value_before_cache`, `text_beside_messages`")
        .shown(&["allow(rule, ..)"]),
    key("deny", Group::Node, &[Prompt], Takes::List,
        "makes lints errors of the compiler: `naming`, `generic_name`, `long_name`, `volatile_before_cache`, `setext_heading`, `front_matter`, `doubled_braces`, `hidden_name`, `nothing_in_code`, `unused_variable`. The others are seen by `prompt.lint()` only")
        .shown(&["deny(rule, ..)"]),
    key("allow", Group::Node, &[FileRoot], Takes::Texts,
        "rules that are switched off in the whole tree: `skipped_level`, `setext_heading`, ..")
        .shown(&["allow = [\"..\"]"]),
    key("deny", Group::Node, &[FileRoot], Takes::Texts,
        "hints that are faults in the whole tree: `doubled_braces`, `unused_variable`, ..")
        .shown(&["deny = [\"..\"]"]),
    key("crate", Group::Node, &[Prompt], Takes::Path,
        "the path of `prompt_core`, where it was renamed"),
    key("vars", Group::Node, &[FileRoot], Takes::Map,
        "how values print in the whole tree: a map from their names to the keys of `#[var(..)]`")
        .shown(&["vars"]),
    key("description", Group::Node, &[FileVar], Takes::Text,
        "what the value is; never printed"),
    key("of", Group::Node, &[FileVar], Takes::ValueName,
        "the value that it is a form of, where that has another name or is a part of one: `\"crew.names\"`")
        .shown(&["of = \"..\""]),
    key("default", Group::Print, &[Var, FileVar], Takes::Text,
        "for an absent `Option`, or an empty list")
        .without(&["yes", "no", "with"]),
    key("some", Group::Print, &[Var, FileVar], Takes::Text,
        "how a present `Option`, or a list with items, prints; an absent or empty one prints nothing")
        .shown(&["some = \" ({})\""])
        .without(&["yes", "no", "with"]),
    key("yes", Group::Print, &[Var, FileVar], Takes::Text,
        "how a true `bool` prints")
        .without(&["item", "join", "last", "json", "debug", "with"]),
    key("no", Group::Print, &[Var, FileVar], Takes::Text,
        "how a false `bool` prints")
        .without(&["item", "join", "last", "json", "debug", "with"]),
    key("item", Group::Items, &[Var, FileVar], Takes::Text,
        "how an item of a list or map prints: `{item}`, `{item.field}`, `{item.0}`, `{index}` from 1, `{index0}` from 0, and the variables of the node")
        .shown(&["item = \"- {item.name}\""])
        .without(&["json", "debug", "with"]),
    key("join", Group::Items, &[Var, FileVar], Takes::Text,
        "between two items that print something; a line break without it")
        .shown(&["join = \", \""])
        .without(&["json", "debug", "with"]),
    key("last", Group::Items, &[Var, FileVar], Takes::Text,
        "between the last two items")
        .shown(&["last = \" or \""])
        .without(&["json", "debug", "with"]),
    key("hang", Group::Print, &[Var, FileVar], Takes::Hang,
        "continuation lines take the column of the first, or this one")
        .shown(&["hang", "hang = 4"]),
    key("debug", Group::Print, &[Var], Takes::Switch,
        "printed with `Debug`")
        .without(&["json", "with"]),
    key("json", Group::Print, &[Var, FileVar], Takes::Json,
        "printed as JSON: on one line, indented by two, by this many")
        .shown(&["json", "json = \"pretty\"", "json = 4"])
        .without(&["with"]),
    key("with", Group::Print, &[Var], Takes::Path,
        "printed as what this function makes of `&field`, which has `Display`; of a `PathBuf` `std::path::Path::display`"),
    key("trim", Group::Print, &[Var, FileVar], Takes::Switch,
        "without white space at its ends; of a list each value of its items")
        .without(&["yes", "no"]),
    key("max", Group::Print, &[Var, FileVar], Takes::Characters,
        "at most so many characters; of a list each value of its items. A fence that it cuts stays open: the lint `unclosed_fence` tells")
        .shown(&["max = 300"])
        .without(&["yes", "no"]),
    key("more", Group::Print, &[Var, FileVar], Takes::Text,
        "with `max`: stands where characters went")
        .shown(&["more = \" ..\""]),
    key("raw", Group::Print, &[Var, FileVar], Takes::Switch,
        "not guarded against tags of the document")
        .without(&["untrusted"]),
    key("untrusted", Group::Print, &[Var, FileVar], Takes::Switch,
        "guarded, and headings, fences and chat tokens in it are defused"),
    key("key", Group::Section, &[Section], Takes::Text,
        "last part of its path; without it the field's name"),
    key("key", Group::Section, &[FileRoot, FileSection], Takes::Text,
        "last part of the path: small letters, digits, `_` and `-`"),
    key("title", Group::Section, &[Section, FileSection], Takes::Text,
        "its heading, a template; without it the child's title, else the field's name (in a file the key) in title case")
        .without(&["untitled"]),
    key("untitled", Group::Section, &[Section, FileSection], Takes::Switch,
        "no heading: introduction and child stand on the section's own level")
        .without(&["heading", "tight"]),
    key("template", Group::Text, &[Section], Takes::Text,
        "the introduction, instead of the doc comment")
        .without(&["file"]),
    key("file", Group::Text, &[Section], Takes::Text,
        "the introduction, from a file as above")
        .shown(&["file = \"prompts/x.md\""]),
    key("level", Group::Heading, &[Section, FileSection], Takes::Level,
        "the level of its heading, wherever it stands; where it is `untitled`, of the headings in it")
        .shown(&["level = 2"]),
    key("heading", Group::Heading, &[Section, FileSection], Takes::Text,
        "another form of its heading")
        .shown(&["heading = \"== {title}\""]),
    key("tight", Group::Heading, &[Section, FileSection], Takes::Switch,
        "its heading stands directly above its body"),
    key("gap", Group::Heading, &[Section, FileSection], Takes::Gap,
        "blank lines before it: 0 to 9")
        .shown(&["gap = 0"]),
    key("when", Group::Section, &[Section], Takes::Expression,
        "false: no trace of it"),
    key("when", Group::Section, &[FileSection], Takes::Decision,
        "`false`: no trace of it; or a value decides: `\"fog\"`, `\"!fog\"`, `\"ship.is_late\"`")
        .shown(&["when"]),
    key("empty", Group::Section, &[Section, FileSection], Takes::Text,
        "printed instead of an empty value"),
    key("visibility", Group::Section, &[Section, FileSection], Takes::OneOfOrExpression(&["full", "summary"]),
        "only the summary is shown; `\"full\"`, or an expression that gives a [`Visibility`](crate::Visibility)")
        .shown(&["visibility = \"summary\""]),
    key("summary", Group::Section, &[Section, FileSection], Takes::Text,
        "the short form, a template; of a list of nodes, or with `item_key`, that of each item, and it sees `{item}`"),
    key("value", Group::Section, &[FileSection], Takes::ValueName,
        "the section embeds this value (`\"log\"`, `\"ship.log\"`): a text as it is, a list as bullets; the body is its introduction")
        .shown(&["value = \"..\""]),
    key("item", Group::Items, &[Section, FileSection], Takes::Text,
        "how an item of a list prints, as for variables. A list of text has bullets without it, also between `join` and `last`: `item = \"{item}\", join = \", \"` for a sentence"),
    key("join", Group::Items, &[Section, FileSection], Takes::Text,
        "between two items"),
    key("last", Group::Items, &[Section, FileSection], Takes::Text,
        "between the last two items that print something"),
    key("item_title", Group::Each, &[Section, FileSection], Takes::Text,
        "the heading of each item")
        .shown(&["item_title = \"{item.name}\""]),
    key("item_key", Group::Each, &[Section, FileSection], Takes::ItemField,
        "the field of the item that is the last part of its path"),
    key("item_tag", Group::Each, &[Section, FileSection], Takes::Text,
        "a tag around each item"),
    key("untitled_items", Group::Each, &[Section, FileSection], Takes::Switch,
        "the list has its heading, its items, which are nodes, have none")
        .without(&["item_title"]),
    key("tag", Group::Tag, &[Section, FileSection], Takes::Text,
        "a tag; in Markdown style it takes the place of the heading"),
    key("attr", Group::Tag, &[Section], Takes::List,
        "attributes of the tag, which in XML style every section has")
        .shown(&["attr(name = expr, title)"]),
    key("inline", Group::Tag, &[Section, FileSection], Takes::Switch,
        "tag and text on one line"),
    key("indent", Group::Tag, &[Section, FileSection], Takes::Columns,
        "columns by which tags in its tag stand further right than it")
        .shown(&["indent = 2"]),
    key("guard", Group::Markup, &[Section, FileSection], Takes::OneOf(&["escaped", "strict"]),
        "what happens to tags in values: `\"escaped\"` or `\"strict\"`")
        .shown(&["guard = \"escaped\""]),
    key("raw", Group::Markup, &[Section, FileSection], Takes::Switch,
        "its values are not guarded against tags of the document: texts of your own, such as few-shots")
        .without(&["guard", "untrusted"]),
    key("untrusted", Group::Markup, &[Section, FileSection], Takes::Switch,
        "headings, fences and chat tokens in its values are defused"),
    key("priority", Group::Policy, &[Section, FileSection], Takes::Priority,
        "how long a budget keeps it: a number, an expression, or `\"required\"`. Without it as long as its parent; at the top always")
        .shown(&["priority = 50"]),
    key("role", Group::Policy, &[Section, FileSection], Takes::OneOf(&["system", "user", "assistant"]),
        "it becomes a message of this role; `\"system\"`, `\"assistant\"`")
        .shown(&["role = \"user\""]),
    key("messages", Group::Policy, &[Section], Takes::Switch,
        "the field is a history, `Vec<Message>`, which is spliced in")
        .without(&["item", "join", "last", "item_title", "item_key", "item_tag", "untitled_items", "title", "heading", "tag", "visibility", "summary", "empty", "inline", "indent", "role", "untrusted"]),
    key("cache", Group::Policy, &[Section, FileSection], Takes::Seconds,
        "a cache point after it, with seconds to live")
        .shown(&["cache", "cache = 3600"]),
    key("volatile", Group::Policy, &[Section, FileSection], Takes::Switch,
        "it changes from call to call; see the lint `volatile_before_cache`"),
    key("tools", Group::Policy, &[Section], Takes::Expression,
        "its own tools, offered while it is shown in full"),
    key("sections", Group::Node, &[FileRoot, FileSection], Takes::Sections,
        "the nodes below; `{key}`, `{PROMPT_SUBTREE}` or the end of the body is their place")
        .shown(&["sections"]),
    key("category", Group::Task, &[TaskVariant], Takes::Text,
        "on a variant: the category whose entry in a config the task falls back to"),
    key("name", Group::Task, &[TaskVariant], Takes::Text,
        "on a variant: its name, where it is not the variant in snake case"),
    key("categories", Group::Task, &[TaskEnum], Takes::Texts,
        "on the enum: the categories there are; any other on a variant is an error")
        .shown(&["categories = [\"..\", ..]"]),
    key("crate", Group::Task, &[TaskEnum], Takes::Path,
        "on the enum: the path of `prompt_core`, also in quotes"),
];
