//! From a file to a tree: each key by itself, so that one fault hides no other.

use super::{
    MAX_FILE_DEPTH,
    bound::Values,
    build,
    fault::{Faults, Spot},
    file::{File, Format, Unreadable},
    given::{Data, Given},
    json,
    keys::Keys,
    node::{DynamicNode, join, step, too_deep},
};
use crate::errors::diagnostics::Diagnostics;
use prompt_syntax::{Code, book::Holder};
use std::{collections::HashMap, sync::Arc};

/// The values in a file, and the file.
///
/// # Errors
/// Everything that is not written in the format.
pub(super) fn file(text: &str, format: Format) -> Result<(Given, File), Diagnostics> {
    // A byte-order mark is no part of a text.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let read = match format {
        Format::Json => json::read(text),
        #[cfg(feature = "toml")]
        Format::Toml => super::toml::read(text),
    };
    let file = File::new(text);
    match read {
        Ok(given) => Ok((given, file)),
        Err(Unreadable::Malformed(found)) => Err(file.malformed(found)),
        #[cfg(feature = "toml")]
        Err(Unreadable::TooDeep(at)) => {
            let mut faults = Faults::default();
            let spot = Spot::new("", "sections", super::given::Span::at(at));
            faults.push(spot, too_deep("", MAX_FILE_DEPTH));
            Err(faults.located(Some(&file)))
        }
    }
}

/// The tree that some values are.
///
/// # Errors
/// Every fault of the tree and, with values, every variable without one.
pub(super) fn tree(
    given: Given,
    file: Option<File>,
    values: Option<Arc<Values>>,
) -> Result<DynamicNode, Diagnostics> {
    let mut faults = Faults::default();
    let tree = section(given, "", 0, &mut faults);
    let file = file.map(Arc::new);
    build::build(tree, faults, file, values, HashMap::new())
}

/// A node that is so many levels below the root. At most [`MAX_FILE_DEPTH`] of them are read, so recursion ends.
fn section(given: Given, path: &str, depth: usize, faults: &mut Faults) -> DynamicNode {
    let mut node = DynamicNode {
        span: given.span,
        ..DynamicNode::default()
    };
    let spot = Spot::new(path, "", given.span);
    let Data::Map(entries) = given.data else {
        let message = "a section is a map of its keys";
        let help = "write `{ \"key\": \"..\", \"body\": \"..\" }`";
        faults.add(spot, Code::InvalidInput, message, help);
        // Nothing more is said of it.
        node.keys.set("key", Given::from(Data::Wrong));
        return node;
    };
    let holder = match depth {
        0 => Holder::FileRoot,
        _ => Holder::FileSection,
    };
    node.keys = Keys::read(entries, holder, spot, faults);
    let Some(list) = node.keys.take("sections") else {
        return node;
    };
    let spot = Spot::new(path, "sections", list.span);
    match list.data {
        Data::List(_) | Data::Deep if depth == MAX_FILE_DEPTH => {
            faults.push(spot, too_deep(path, MAX_FILE_DEPTH));
        }
        Data::List(items) => {
            for (index, item) in items.into_iter().enumerate() {
                let path = join(path, &step(key_of(&item), index));
                node.sections.push(section(item, &path, depth + 1, faults));
            }
        }
        // The check of the keys refuses it.
        _ => node.keys.set("sections", list),
    }
    node
}

fn key_of(given: &Given) -> &str {
    let key = given.map().iter().find(|entry| entry.name == "key");
    key.and_then(|entry| entry.value.text()).unwrap_or_default()
}
