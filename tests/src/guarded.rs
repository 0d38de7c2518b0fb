//! Texts in which values stand, printed as trees: what becomes of the values, and of the tags that they have a part in.

use prompt_core::{DynamicNode, PromptError, PromptNode};
use serde_json::{Map, Value, json};

/// A piece of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'p> {
    /// The author's.
    Words(&'p str),
    Value(&'p str),
    /// A value that is not to be trusted.
    Untrusted(&'p str),
}

/// What happens to tags in the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guard {
    #[default]
    Usual,
    Raw,
    Strict,
}

/// Lines of words around the text, at whose ends nothing goes.
const AROUND: [&str; 2] = ["x\n", "\nx"];

/// The text as it is printed in a document that has tags with these names. Nothing, where it cannot be a text of a tree or
/// another one is printed of it: where a line goes, a fence grows, braces are slips.
pub fn guarded(
    pieces: &[Piece<'_>],
    names: &[&str],
    guard: Guard,
) -> Option<Result<String, PromptError>> {
    let mut whole = String::new();
    for Piece::Words(text) | Piece::Value(text) | Piece::Untrusted(text) in pieces {
        whole.push_str(text);
    }
    let raw = printed(pieces, &[], Guard::Raw)?.ok()?;
    let own = pieces
        .iter()
        .all(|piece| !matches!(piece, Piece::Untrusted(_)));
    if own && raw != whole {
        return None;
    }
    printed(pieces, names, guard)
}

fn printed(
    pieces: &[Piece<'_>],
    names: &[&str],
    guard: Guard,
) -> Option<Result<String, PromptError>> {
    let [before, behind] = AROUND;
    let mut body = before.to_owned();
    let (mut values, mut forms) = (Map::new(), Map::new());
    for (number, piece) in pieces.iter().enumerate() {
        let name = format!("v{number}");
        let text = match piece {
            Piece::Words(words) => {
                body.push_str(&words.replace('{', "{{").replace('}', "}}"));
                continue;
            }
            Piece::Value(text) => text,
            Piece::Untrusted(text) => {
                forms.insert(name.clone(), json!({ "untrusted": true }));
                text
            }
        };
        body.push_str(&format!("{{{name}}}"));
        values.insert(name, json!(text));
    }
    body.push_str(behind);
    let mut section = json!({ "key": "text", "untitled": true, "body": body });
    match guard {
        Guard::Usual => {}
        Guard::Raw => section["raw"] = json!(true),
        Guard::Strict => section["guard"] = json!("strict"),
    }
    let tags: String = names.iter().map(|name| format!("<{name}/>")).collect();
    let mut tree = json!({ "sections": [section] });
    if !forms.is_empty() {
        tree["vars"] = Value::Object(forms);
    }
    if !tags.is_empty() {
        tree["end"] = json!(format!("\n{tags}"));
    }
    let tree = DynamicNode::from_json_with(&tree.to_string(), Value::Object(values)).ok()?;
    let end = format!("{behind}\n{tags}");
    let end = if tags.is_empty() { behind } else { &end };
    match tree.prompt().text() {
        Ok(text) => Some(Ok(text.strip_prefix(before)?.strip_suffix(end)?.to_owned())),
        Err(error) => Some(Err(error)),
    }
}
