//! Which of its sources a text comes from, and prompt files.

use super::{docs::Source, value::Words};
use crate::diagnostic::{Diagnostic, Errors};
use prompt_syntax::Code;
use std::path::Path;
use syn::LitStr;

/// The text of a node or section: `template`, else `file`, else the doc comment; and the literal that names the file.
pub(crate) fn text(
    template: Option<&Words>,
    file: Option<&Words>,
    docs: Option<&Source>,
    errors: &mut Errors,
) -> (Option<Source>, Option<LitStr>) {
    match (template, file) {
        (Some(template), _) => (Some(Source::literal(&template.0)), None),
        (None, Some(file)) => match read(&file.0) {
            Ok(source) => (Some(source), Some(file.0.clone())),
            Err(problem) => {
                errors.push(problem.into());
                (None, None)
            }
        },
        (None, None) => (docs.cloned(), None),
    }
}

fn read(literal: &LitStr) -> Result<Source, Diagnostic> {
    let name = literal.value();
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let content = std::fs::read_to_string(Path::new(&folder).join(&name));
    content
        .map(|content| Source::file(name.clone(), &content, literal))
        .map_err(|error| {
            let fact = format_args!("the file `{name}` cannot be read: {error}");
            let help = "paths are relative to the folder of `Cargo.toml`";
            Diagnostic::new(Code::UnreadableFile, literal.span(), fact, help)
        })
}
