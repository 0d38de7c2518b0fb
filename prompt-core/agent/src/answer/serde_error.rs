//! What serde refuses, as faults: its error and the faults that the schema explains come in, one list goes out.

use super::fault::{Fault, FaultKind};
use super::json;

/// serde's own fault comes with the others where none of them stands in its place or below it, and none says that what
/// stands around it is of another type.
pub(super) fn join(mut faults: Vec<Fault>, own: Fault) -> Vec<Fault> {
    let is_within = |inner: &str, outer: &str| {
        let below = inner.strip_prefix(outer);
        below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
    };
    let explained = faults.iter().any(|fault| {
        is_within(&fault.path, &own.path)
            || (fault.kind == FaultKind::Type && is_within(&own.path, &fault.path))
    });
    if !explained {
        faults.push(own);
    }
    faults
}

/// The error of serde as a fault, with its path.
pub(super) fn fault_of(error: &serde_path_to_error::Error<serde_json::Error>) -> Fault {
    use serde_path_to_error::Segment;
    let mut path = String::new();
    for segment in error.path() {
        match segment {
            Segment::Seq { index } => json::push_step(&mut path, &index.to_string()),
            Segment::Map { key } => json::push_step(&mut path, key),
            Segment::Enum { variant } => json::push_step(&mut path, variant),
            Segment::Unknown => {}
        }
    }
    let said = without_place(&error.inner().to_string());
    // The words of serde's own errors; those of other types are custom.
    let named = |prefix: &str| {
        let name = said.strip_prefix(prefix)?.strip_prefix(" `")?;
        name.split('`').next().map(str::to_owned)
    };
    if error.inner().is_syntax() || error.inner().is_eof() {
        return Fault::new(FaultKind::Syntax, &path, said);
    }
    for (prefix, kind) in [
        ("missing field", FaultKind::Missing),
        ("unknown field", FaultKind::UnknownField),
        ("duplicate field", FaultKind::DuplicateField),
    ] {
        if let Some(name) = named(prefix) {
            if path.rsplit('/').next() != Some(name.as_str()) {
                json::push_step(&mut path, &name);
            }
            return Fault::new(kind, &path, "");
        }
    }
    Fault::new(FaultKind::Custom, &path, said)
}

/// The error without line and column: they are those of a text that nobody sees.
pub(super) fn without_place(said: &str) -> String {
    said.rsplit_once(" at line ")
        .map_or(said, |(said, _)| said)
        .to_owned()
}
