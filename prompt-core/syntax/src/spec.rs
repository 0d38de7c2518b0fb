//! What is said of a node: one typed value, whichever door it comes in by. The derive fills it from attributes, files and
//! builders from their keys, each with places of its own kind; [`lower`](crate::lower) makes the description of it.

use crate::info::{Guarding, Location, Priority, Role};
use alloc::{string::String, vec::Vec};

/// Words that were written, and their place.
#[derive(Clone, Debug)]
pub struct Words<P> {
    /// The words.
    pub text: String,
    /// Where they stand.
    pub at: P,
}

/// A struct, a variant, or the root or a section of a tree.
#[derive(Clone, Debug, Default)]
pub struct Node<P> {
    /// Name of the type, or of the variant, as written.
    pub name: String,
    /// The node's own text.
    pub text: Option<Words<P>>,
    /// `key`: the name towards the outside.
    pub key: Option<Words<P>>,
    /// `title`: where it is embedded and its section gives none.
    pub title: Option<Words<P>>,
    /// `description`: what it is for; never printed.
    pub description: Option<String>,
    /// `summary`: the short form where its section gives none.
    pub summary: Option<Words<P>>,
    /// `summary_suffix`: the wording under its summaries.
    pub summary_suffix: Option<Words<P>>,
    /// `tag`, `attr`, `inline`, `indent`.
    pub tag: Tag<P>,
    /// `heading`, `level`, `tight`, `gap`, of its sections.
    pub heading: Heading<P>,
    /// `numbering`: whether the generated headings of the tree are numbered.
    pub numbered: Option<bool>,
    /// `append = false`: every section has a place in the text.
    pub places_all: bool,
    /// `start`: put before everything.
    pub start: Option<Words<P>>,
    /// `end`: appended after everything.
    pub end: Option<Words<P>>,
    /// `tools`: whether it has some.
    pub has_tools: bool,
    /// Its sections.
    pub sections: Vec<Section<P>>,
}

/// A section of a node.
#[derive(Clone, Debug)]
pub struct Section<P> {
    /// Where it stands.
    pub at: P,
    /// `key`: the last part of its path; empty where it has none, and nothing where what is said is no key at all.
    pub key: Option<Words<P>>,
    /// Its name in the text around.
    pub slot: String,
    /// Where it was declared.
    pub location: Option<Location>,
    /// The introduction.
    pub intro: Option<Words<P>>,
    /// `title`.
    pub title: Option<Words<P>>,
    /// `untitled`: no heading.
    pub untitled: bool,
    /// `heading`, `level`, `tight`, `gap`.
    pub heading: Heading<P>,
    /// `visibility = "summary"`: where that is said.
    pub summarised: Option<P>,
    /// `summary`: the short form.
    pub summary: Option<Words<P>>,
    /// `empty`: printed instead of nothing.
    pub empty: Option<Words<P>>,
    /// `tag`, `attr`, `inline`, `indent`.
    pub tag: Tag<P>,
    /// `guard`: what happens to tags in values.
    pub guarding: Guarding,
    /// `untrusted`: values are defused.
    pub untrusted: bool,
    /// `priority`: how long a budget keeps it.
    pub priority: Option<Priority>,
    /// `role`: the message that it becomes.
    pub role: Option<Role>,
    /// `cache`: seconds, or 0 for the provider's default.
    pub cache: Option<u32>,
    /// `volatile`: it changes from call to call; where that is to be blamed.
    pub volatile: Option<P>,
    /// `tools`: whether it has some.
    pub has_tools: bool,
    /// `item`, `join`, `last`, `item_title`, `item_key`, `item_tag`, `untitled_items`.
    pub items: Items<P>,
    /// What is known of what it embeds.
    pub facts: SectionFacts,
}

/// What a door knows of what a section embeds.
#[derive(Clone, Copy, Debug, Default)]
pub struct SectionFacts {
    /// Its items are nodes, with places of their own.
    pub has_nodes: bool,
    /// Nothing but its title and its introduction is ever printed of it.
    pub is_fixed: bool,
    /// It has no short form but one of its own.
    pub lacks_summary: bool,
    /// It is a history.
    pub messages: bool,
}

/// `tag`, `attr`, `inline`, `indent`.
#[derive(Clone, Debug, Default)]
pub struct Tag<P> {
    /// The name of a tag instead of a heading.
    pub tag: Option<Words<P>>,
    /// Its attributes.
    pub attributes: Vec<Attribute<P>>,
    /// Tag and text on one line; where that is said.
    pub inline: Option<P>,
    /// Columns for the tags inside.
    pub indent: Option<u8>,
}

/// An attribute of a tag.
#[derive(Clone, Debug)]
pub struct Attribute<P> {
    /// Its name.
    pub name: Words<P>,
    /// Whether it prints the title; something that the door has reserved otherwise.
    pub is_title: bool,
}

/// How headings stand.
#[derive(Clone, Debug, Default)]
pub struct Heading<P> {
    /// Another form than hashes.
    pub form: Option<Words<P>>,
    /// The level.
    pub level: Option<u8>,
    /// Directly above the body.
    pub tight: bool,
    /// Blank lines around.
    pub gap: Option<u8>,
}

/// How the items of a list stand.
#[derive(Clone, Debug, Default)]
pub struct Items<P> {
    /// `item`: what each prints.
    pub item: Option<Words<P>>,
    /// `join`: between two items.
    pub join: Option<Words<P>>,
    /// `last`: between the last two.
    pub last: Option<Words<P>>,
    /// `item_title`: the heading of each.
    pub title: Option<Words<P>>,
    /// `item_key`: whether a field of each is its key.
    pub has_key: bool,
    /// `item_tag`: the tag around each.
    pub tag: Option<Words<P>>,
    /// `untitled_items`: they have no headings.
    pub untitled: bool,
}

impl<P> Items<P> {
    /// Whether each item has a title, a key or a tag of its own.
    pub fn names_items(&self) -> bool {
        self.title.is_some() || self.has_key || self.tag.is_some()
    }
}
