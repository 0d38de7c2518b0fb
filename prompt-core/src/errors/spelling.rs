//! How codes are serialised: every serialised diagnostic, lint and event writes them with this. The grammar that they come
//! from is built without serde.

use prompt_syntax::Code;
use serde::Serializer;

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(crate) fn serialize<S: Serializer>(code: &Code, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(code.as_str())
}
