//! What happened with a call of `open_sections`, told to a callback.

use super::fault::ToolValidationError;
use crate::node::Visibility;
use prompt_syntax::Code;
use serde::Serialize;
use std::{collections::BTreeMap, fmt, sync::Arc};

/// A call of `open_sections` was answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ToolInvoked {
    /// Identifies the call within the conversation. Several calls of one turn are one request: the id of the first.
    pub id: String,
    /// The tool: `open_sections`.
    pub tool: &'static str,
    /// The keys as the model gave them.
    pub section_keys: Vec<String>,
    /// Why, in the model's words.
    pub reason: String,
    /// How every section of the prompt was shown when the call came.
    pub visibility: BTreeMap<String, Visibility>,
    /// What came of it.
    pub outcome: ToolOutcome,
    /// Tokens of the sections that were opened; `None` where they are not rendered yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_opened: Option<usize>,
}

/// What came of a call of `open_sections`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolOutcome {
    /// These sections are to be shown in full.
    Expanded {
        /// Their paths, in the order of the request.
        sections: Vec<String>,
    },
    /// The call was refused with an answer for the model.
    Refused {
        /// Stable name of the fault, such as `unknown_key`.
        #[serde(serialize_with = "crate::errors::spelling::serialize")]
        code: Code,
        /// The answer.
        message: String,
    },
    /// The conversation cannot go on.
    Failed {
        /// Stable name of the error, such as `max_rounds`.
        #[serde(serialize_with = "crate::errors::spelling::serialize")]
        code: Code,
        /// The error's message.
        message: String,
    },
}

impl ToolOutcome {
    pub(crate) fn refused(error: &ToolValidationError) -> Self {
        Self::Refused {
            code: error.code(),
            message: error.to_string(),
        }
    }
}

/// What a program does with an event.
type Callback<'a> = dyn Fn(&ToolInvoked) + Send + Sync + 'a;

/// Who wants to know.
#[derive(Clone, Default)]
pub(crate) struct Listener<'a>(Option<Arc<Callback<'a>>>);

impl<'a> Listener<'a> {
    pub(crate) fn new(callback: impl Fn(&ToolInvoked) + Send + Sync + 'a) -> Self {
        Self(Some(Arc::new(callback)))
    }

    pub(crate) fn is_there(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn tell(&self, event: &ToolInvoked) {
        if let Some(callback) = &self.0 {
            callback(event);
        }
    }
}

impl fmt::Debug for Listener<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() {
            "Listener(..)"
        } else {
            "Listener"
        })
    }
}
