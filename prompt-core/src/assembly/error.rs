//! Errors of an assembly, of a config and of a registry, each with its place.

use crate::errors::diagnostics::UnknownName;
use prompt_syntax::Code;
use std::{error::Error, fmt};

/// Why an assembly, or one of the things it is made from, failed.
#[derive()]
#[non_exhaustive]
pub enum AssemblyError {
    /// A text names no task.
    UnknownTask(UnknownName),
    /// A config has entries that are no task and no category; all of them, in the order of the config.
    UnknownEntries(Vec<UnknownName>),
    /// A config has two entries of one name.
    DuplicateEntry {
        /// The name.
        name: String,
    },
    /// A config cannot be read: broken JSON or TOML, or a value that is not a text.
    InvalidConfig {
        /// `JSON` or `TOML`.
        format: &'static str,
        /// What is wrong, with line and column.
        message: String,
    },
    /// An adapter's factory failed during an assembly.
    Adapter {
        /// The interface it is registered for.
        interface: String,
        /// The task it is registered for.
        task: &'static str,
        /// Its place among the factories of this pair, in registration order, from 0.
        index: usize,
        /// What the factory reported.
        source: Box<AssemblyError>,
    },
    /// A factory is registered for an interface that the registry does not have.
    UnknownInterface {
        /// The name.
        interface: String,
        /// The declared name that comes closest.
        nearest: Option<String>,
        /// All declared names.
        known: Vec<String>,
    },
    /// What a factory reports of its own.
    Failed(Box<dyn Error + Send + Sync>),
}

impl AssemblyError {
    /// The error of a factory that cannot do its work.
    ///
    /// ```
    /// use prompt_core::assembly::AdapterContext;
    /// use prompt_core::assembly::AdapterInstruction;
    /// use prompt_core::assembly::AssemblyError;
    ///
    /// fn factory(context: &AdapterContext) -> Result<AdapterInstruction, AssemblyError> {
    ///     let Some(schema) = &context.json_schema else {
    ///         return Err(AssemblyError::failed("this adapter needs a JSON schema"));
    ///     };
    ///     Ok(AdapterInstruction { system: String::new(), user: format!("Schema: {schema}") })
    /// }
    /// assert!(factory(&AdapterContext::default()).is_err());
    /// ```
    pub fn failed(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::Failed(reason.into())
    }

    /// The stable name of the error.
    pub fn code(&self) -> Code {
        match self {
            Self::UnknownTask(unknown) => unknown.code(),
            Self::UnknownEntries(_) => Code::UnknownEntry,
            Self::DuplicateEntry { .. } => Code::DuplicateEntry,
            Self::InvalidConfig { .. } => Code::InvalidConfig,
            Self::Adapter { .. } => Code::AdapterFailed,
            Self::UnknownInterface { .. } => Code::UnknownInterface,
            Self::Failed(_) => Code::FactoryFailed,
        }
    }
}

impl fmt::Display for AssemblyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTask(unknown) => unknown.fmt(f),
            Self::UnknownEntries(entries) => {
                let entries: Vec<String> = entries.iter().map(ToString::to_string).collect();
                f.write_str(&entries.join("\n"))
            }
            Self::DuplicateEntry { name } => {
                write!(f, "the prompt config has two entries `{name}`; keep one")
            }
            Self::InvalidConfig { format, message } => {
                write!(f, "the prompt config is not usable {format}: {message}")
            }
            Self::Adapter {
                interface,
                task,
                index,
                source,
            } => write!(
                f,
                "instruction {index} of the adapter `{interface}` for the task `{task}` failed: {source}"
            ),
            Self::UnknownInterface {
                interface,
                nearest,
                known,
            } => {
                write!(f, "`{interface}` is no interface of this registry")?;
                match nearest {
                    Some(nearest) => write!(f, ": did you mean `{nearest}`?"),
                    None => write!(f, ", which has: {}", known.join(", ")),
                }
            }
            Self::Failed(reason) => reason.fmt(f),
        }
    }
}

impl Error for AssemblyError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            // `Display` already prints the reason, so the chain goes on below it.
            Self::Adapter { source, .. } => source.source(),
            Self::Failed(reason) => reason.source(),
            _ => None,
        }
    }
}

/// From a text that names no task.
impl From<UnknownName> for AssemblyError {
    fn from(unknown: UnknownName) -> Self {
        Self::UnknownTask(unknown)
    }
}

impl From<serde_json::Error> for AssemblyError {
    fn from(error: serde_json::Error) -> Self {
        Self::failed(error)
    }
}

crate::errors::debug_as_display!(AssemblyError);
