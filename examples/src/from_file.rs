//! A prompt file, rendered.

use prompt_core::{Diagnostics, DynamicNode, PromptError, PromptNode};
use serde_json::{Map, Value};
use std::error::Error;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// Names and values of a prompt's variables.
pub type Values = Map<String, Value>;

/// Why there is no prompt.
#[derive(Debug)]
pub enum Failure {
    /// A file that cannot be read.
    Unreadable(PathBuf, io::Error),
    /// A file that ends in none of the three ways.
    Unknown(PathBuf),
    /// All that is wrong with this file, or with the values given to it.
    Faults(PathBuf, Diagnostics),
    /// A sound file that cannot be rendered.
    Prompt(PathBuf, PromptError),
}

impl Error for Failure {}

impl fmt::Display for Failure {
    /// Each fault in a line of its own behind the name of the file, as editors look for them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(file, error) => write!(f, "{}: {error}", file.display()),
            Self::Unknown(file) => {
                let file = file.display();
                write!(f, "{file}: a prompt file ends in .json, .toml or .md")
            }
            Self::Prompt(file, error) => write!(f, "{}: {error}", file.display()),
            Self::Faults(file, faults) => {
                for fault in faults {
                    writeln!(f, "{}: {fault}", file.display())?;
                }
                write!(f, "{}: faults: {}", file.display(), faults.len())
            }
        }
    }
}

/// Renders the prompt in a file with these values.
///
/// # Errors
/// Every fault of the file and every variable without a value.
pub fn render(path: &Path, values: &Values) -> Result<String, Failure> {
    let node = node(&read(path)?, path, values)?;
    let text = node.prompt().text();
    text.map_err(|error| Failure::Prompt(path.to_owned(), error))
}

fn node(text: &str, path: &Path, values: &Values) -> Result<DynamicNode, Failure> {
    let node = match path.extension().and_then(OsStr::to_str) {
        Some("json") => DynamicNode::from_json_with(text, values),
        Some("toml") => DynamicNode::from_toml_with(text, values),
        Some("md") => DynamicNode::builder("prompt").body(text).build_with(values),
        _ => return Err(Failure::Unknown(path.to_owned())),
    };
    node.map_err(|faults| Failure::Faults(path.to_owned(), faults))
}

/// Reads names and values from a TOML file.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn read_values(path: &Path) -> Result<Values, Box<dyn Error>> {
    let values = toml::from_str(&read(path)?);
    values.map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Takes `name=value`: a list, a map, `true`, `false` and `null` as in JSON, everything else as text, so that `01` stays as
/// it is.
///
/// # Errors
/// Without `=`.
pub fn set(assignment: &str, values: &mut Values) -> Result<(), String> {
    let (name, value) = assignment
        .split_once('=')
        .ok_or_else(|| format!("`{assignment}` is not name=value"))?;
    let json = serde_json::from_str(value).ok();
    let json = json.filter(|json: &Value| !json.is_number() && !json.is_string());
    let value = json.unwrap_or_else(|| value.into());
    values.insert(name.to_owned(), value);
    Ok(())
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::Unreadable(path.to_owned(), error))
}
