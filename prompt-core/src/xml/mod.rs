//! Tags in prompt text: names, escaping, guarding, validation, lints.
//!
//! Everything here works on finished text of any origin, so it is of use without a derived prompt too: [`validate`] checks
//! the tags of a text, [`wrap`] puts an existing prompt into one tag, [`guard_text`] keeps user text from opening or closing
//! the tags around it. The renderer applies the same rules by itself.
//!
//! Guarding keeps *structure*, not obedience: a value cannot leave its section, but a model may still follow what it says.

mod code_span;
mod escape;
mod fence;
mod guard;
mod heading;
mod lint;
mod name;
mod scan;
mod tag_error;
mod untrusted;
mod validate;
mod walk;
mod wrap;

pub use escape::{escape_attribute, escape_text};
pub use guard::{guard_text, guard_values};
pub use lint::{MAX_NAME_LENGTH, MAX_NESTING, TagLint, TagLinter, lint_name};
pub use name::{InvalidTag, is_valid_name};
pub use tag_error::{TagError, TagErrorKind, TagErrors};
pub use untrusted::neutralize;
pub use validate::{validate, validate_known};
pub use wrap::wrap;

pub(crate) use escape::cdata;
pub(crate) use guard::{first_violation, guard};
pub(crate) use name::Names;
pub(crate) use untrusted::{longest_fence_run, untrusted};
