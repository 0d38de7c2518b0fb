//! What a condition asks of an `Option`: the same in a type and in a file.

use prompt_core::{DynamicNode, PromptNode};
use serde::Serialize;
use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

/// A type and a file with one text, and the same values in both.
macro_rules! both {
    ($text:literal, { $($(#[$key:meta])? $field:ident: $type:ty = $value:expr),+ $(,)? }, $printed:expr) => {{
        #[derive(PromptNode, Serialize)]
        #[prompt(template = $text)]
        struct Both { $($(#[$key])? $field: $type),+ }
        let both = Both { $($field: $value),+ };
        assert_eq!(both.prompt().text().unwrap(), $printed, "the type, {}", $text);
        let file = DynamicNode::builder("x").body($text).build_with(&both).unwrap();
        assert_eq!(file.prompt().text().unwrap(), $printed, "the file, {}", $text);
    }};
}

/// Whether a field of a type holds.
macro_rules! asks {
    ($($type:ty: $value:expr => $holds:literal),+ $(,)?) => {
        $(both!("{?a}yes{else}no{/a}", { a: $type = $value }, $holds);)+
    };
}

#[derive(Serialize)]
struct Ship {
    name: &'static str,
    note: Option<&'static str>,
    mate: Option<Box<Ship>>,
}

fn ship(note: Option<&'static str>, mate: Option<Ship>) -> Ship {
    let mate = mate.map(Box::new);
    Ship {
        name: "Tern",
        note,
        mate,
    }
}

static NOTHING: Option<String> = Some(String::new());

#[test]
fn a_some_is_asked_like_what_is_in_it() {
    asks!(
        Option<String>: Some(String::new()) => "no",
        Option<String>: Some(" ".into()) => "yes",
        Option<&'static str>: Some("") => "no",
        Option<Cow<'static, str>>: Some("".into()) => "no",
        Option<Box<str>>: Some("".into()) => "no",
        Option<Arc<str>>: Some("x".into()) => "yes",
        Option<Vec<u8>>: Some(vec![]) => "no",
        Option<Vec<u8>>: Some(vec![0]) => "yes",
        Option<[u8; 0]>: Some([]) => "no",
        Option<BTreeMap<String, u8>>: Some(BTreeMap::new()) => "no",
        Option<bool>: Some(false) => "no",
        Option<bool>: Some(true) => "yes",
        Option<Option<String>>: Some(None) => "no",
        Option<Option<String>>: Some(Some(String::new())) => "no",
        Option<Option<String>>: Some(Some("x".into())) => "yes",
        Option<Box<Option<bool>>>: Some(Box::new(Some(false))) => "no",
        Box<Option<String>>: Box::new(Some(String::new())) => "no",
        &'static Option<String>: &NOTHING => "no",
    );
}

#[test]
fn a_some_of_what_cannot_be_asked_alone_holds() {
    asks!(
        Option<u8>: Some(0) => "yes",
        Option<u8>: None => "no",
        Option<f32>: Some(0.0) => "yes",
        Option<char>: Some('x') => "yes",
        Option<Ship>: Some(ship(None, None)) => "yes",
        Option<Ship>: None => "no",
        Option<Box<Ship>>: Some(Box::new(ship(None, None))) => "yes",
        Box<Option<Ship>>: Box::new(None) => "no",
        Option<Option<u8>>: Some(None) => "no",
        Option<Option<u8>>: Some(Some(0)) => "yes",
        Option<Option<Ship>>: Some(None) => "no",
    );
}

#[test]
fn paths_loops_and_templates_ask_alike() {
    both!("{?ship.note}Note: {ship.note}{else}-{/ship.note}", { ship: Ship = ship(Some(""), None) }, "-");
    both!(
        "{?ship.mate}{?ship.mate.note}Note: {ship.mate.note}{else}-{/ship.mate.note}{/ship.mate}",
        { ship: Ship = ship(None, Some(ship(Some(""), None))) },
        "-"
    );
    both!(
        "{?ship.mate}{ship.mate.name}{/ship.mate}",
        { ship: Ship = ship(None, Some(ship(None, None))) },
        "Tern"
    );
    both!(
        "{*ships}\n- {item.name}{?item.note} ({item.note}){/item.note}\n{/ships}",
        { ships: Vec<Ship> = vec![ship(Some(""), None), ship(Some("old"), None)] },
        "- Tern\n- Tern (old)"
    );
    both!(
        "{*notes}{?item}{item}{else}-{/item}{?!last} {/last}{/notes}",
        { notes: Vec<Option<&'static str>> = vec![Some(""), Some("a"), None] },
        "- a -"
    );
    both!("A\n{?note}Note: {note}\n{?!note}None.", { note: Option<String> = Some(String::new()) }, "A\nNone.");
    both!("A\n\n{?tags}\n## Tags\n\n{*tags}- {item}\n{/tags}", { tags: Option<Vec<u8>> = Some(vec![]) }, "A");
}

/// {list}
#[derive(PromptNode)]
struct Templates {
    #[var(
        item = "{item.name}{?item.note} ({item.note}){/item.note}",
        join = ", "
    )]
    list: Vec<Ship>,
    #[section(title = "Notes{?note}: {note}{/note}", when = !self.list.is_empty())]
    rules: &'static str,
    note: Option<&'static str>,
}

#[test]
fn titles_and_items_ask_alike() {
    let list = vec![ship(Some(""), None), ship(Some("old"), None)];
    let note = Some("");
    let node = Templates {
        list,
        rules: "x",
        note,
    };
    assert_eq!(
        node.prompt().text().unwrap(),
        "Tern, Tern (old)\n\n# Notes\n\nx"
    );
}
