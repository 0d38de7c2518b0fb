//! The typed answer in the options of a request, as data: name, schema, and whether its call is forced. Made from an
//! `Answer`, read by `answer`.

use crate::tool::ToolSpec;
use serde::{Deserialize, Serialize};

/// The answer that a request asks for; see `Options::answer`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Output {
    /// The schema of the answer, and the tool that carries it.
    pub tool: ToolSpec,
    /// Why strict mode cannot say the type, if it cannot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Whether the answer is the call of the tool.
    #[serde(default)]
    pub forced: bool,
}
