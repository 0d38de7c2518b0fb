//! Which of its sources a text comes from, and prompt files.

use super::{
    docs::{Docs, Source},
    value::Words,
};
use crate::diagnostic::{Diagnostic, Errors};
use proc_macro2::Span;
use prompt_syntax::Code;
use std::path::Path;
use syn::LitStr;

/// The text of a node or section: `template`, else `file`, else the doc comment; and the literal that names the file.
pub(crate) fn text(
    [template, file]: [&Option<Words>; 2],
    docs: &Docs,
    errors: &mut Errors,
) -> (Option<Source>, Option<LitStr>) {
    match (template, file, docs.hidden) {
        (Some(template), ..) => (Some(Source::literal(&template.0)), None),
        (None, Some(file), _) => match read(&file.0) {
            Ok(source) => (Some(source), Some(file.0.clone())),
            Err(problem) => {
                errors.push(problem);
                (None, None)
            }
        },
        (None, None, Some(span)) => {
            errors.push(hidden(span));
            (None, None)
        }
        (None, None, None) => (docs.source.clone(), None),
    }
}

fn hidden(span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::UnsupportedInput,
        span,
        "a derive cannot see text that a macro makes",
        "write it as `template = \"..\"`, or name its file: `file = \"prompts/name.md\"`, relative to the folder of `Cargo.toml`",
    )
}

fn read(literal: &LitStr) -> Result<Source, Diagnostic> {
    let name = literal.value();
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let content = std::fs::read_to_string(Path::new(&folder).join(&name));
    content
        .map(|content| Source::file(name.clone(), &content, literal))
        .map_err(|error| {
            let fact = format!("the file `{name}` cannot be read: {error}");
            let help = "paths are relative to the folder of `Cargo.toml`";
            Diagnostic::new(Code::UnreadableFile, literal.span(), fact, help)
        })
}
