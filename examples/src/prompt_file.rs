//! A prompt that lives in a file: a tree in JSON or TOML, or one text in Markdown. With values it is rendered; with
//! faults, all of them are told.

use prompt_core::Diagnostics;
use prompt_core::DynamicNode;
use prompt_core::PromptError;
use prompt_core::PromptNode;
use prompt_core::diagnostics::Diagnostic;
use serde_json::{Map, Value};
use std::{fmt, fs, io, path::Path};

/// Names and values of a prompt's variables.
pub type Values = Map<String, Value>;

/// Why there is no prompt. Its `Display` is the report for the author of the file.
#[derive(Debug)]
pub enum Failure {
    /// A file that cannot be read.
    Unreadable(String, io::Error),
    /// A file, or an argument, of no kind that is known here.
    Unsupported(String),
    /// The faults of this file.
    Faults(String, Diagnostics),
    /// A sound tree that cannot be rendered as asked.
    Prompt(String, PromptError),
}

impl std::error::Error for Failure {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(file, error) => write!(f, "{file}: {error}"),
            Self::Unsupported(fact) => f.write_str(fact),
            Self::Prompt(file, error) => write!(f, "{file}: {error} [{}]", error.code()),
            Self::Faults(file, faults) => {
                for fault in faults {
                    write_fault(file, fault, f)?;
                }
                write!(
                    f,
                    "{file}: {} fault{}",
                    faults.len(),
                    if faults.len() == 1 { "" } else { "s" }
                )
            }
        }
    }
}

/// `file:line: section `path`, body, line 2, column 5: what is wrong [code]`, and the remedy below it. The line is that of
/// the file, where the format tells it; line and column of a text count within that text.
fn write_fault(file: &str, fault: &Diagnostic, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let is_tree = !has_extension(file, "md");
    let in_part = is_tree && !fault.part.is_empty();
    write!(f, "{file}")?;
    match (fault.line, fault.place) {
        (_, Some((line, column))) if !in_part => write!(f, ":{line}:{column}")?,
        (Some(line), _) => write!(f, ":{line}")?,
        _ => {}
    }
    f.write_str(": ")?;
    match fault.path.as_str() {
        "" if in_part => f.write_str("root, ")?,
        "" => {}
        path if in_part => write!(f, "section `{path}`, ")?,
        path => write!(f, "section `{path}`: ")?,
    }
    if in_part {
        write!(f, "{}", fault.part)?;
        if let Some((line, column)) = fault.place {
            write!(f, ", line {line}, column {column}")?;
        }
        f.write_str(": ")?;
    }
    writeln!(f, "{} [{}]", fault.message, fault.code)?;
    if fault.help.is_empty() {
        Ok(())
    } else {
        writeln!(f, "    help: {}", fault.help)
    }
}

/// Renders the prompt in a file with these values.
///
/// # Errors
/// Every fault of the file and every variable without a value.
pub fn render(path: &Path, values: &Values) -> Result<String, Failure> {
    let file = path.display().to_string();
    let node = load(path, values)?;
    let rendered = node
        .prompt()
        .render()
        .map_err(|error| Failure::Prompt(file, error))?;
    Ok(rendered.into_string())
}

fn load(path: &Path, values: &Values) -> Result<DynamicNode, Failure> {
    let file = path.display().to_string();
    let text = read(path)?;
    let node = if has_extension(&file, "json") {
        DynamicNode::from_json_with(&text, values)
    } else if has_extension(&file, "toml") {
        DynamicNode::from_toml_with(&text, values)
    } else if has_extension(&file, "md") {
        DynamicNode::builder("prompt").body(text).build_with(values)
    } else {
        return Err(Failure::Unsupported(format!(
            "{file}: a prompt file ends in .json, .toml or .md"
        )));
    };
    node.map_err(|faults| Failure::Faults(file, faults))
}

/// Reads names and values from a JSON or TOML file.
///
/// # Errors
/// When it cannot be read or is no map.
pub fn read_values(path: &Path) -> Result<Values, Failure> {
    let file = path.display().to_string();
    let text = read(path)?;
    let wrong = |error: &dyn fmt::Display| Failure::Unsupported(format!("{file}: {error}"));
    if has_extension(&file, "toml") {
        return toml::from_str(&text).map_err(|error| wrong(&error));
    }
    serde_json::from_str(&text).map_err(|error| wrong(&error))
}

/// Takes `name=value` from the command line: a list, a map, `true`, `false` and `null` as in JSON, everything else as
/// text, so that `01` and `1.10` stay as they are.
///
/// # Errors
/// Without `=`.
pub fn set(assignment: &str, values: &mut Values) -> Result<(), Failure> {
    let Some((name, value)) = assignment.split_once('=') else {
        return Err(Failure::Unsupported(format!(
            "--set takes name=value, not `{assignment}`"
        )));
    };
    let json = serde_json::from_str(value)
        .ok()
        .filter(|json: &Value| !json.is_number() && !json.is_string());
    values.insert(
        name.to_owned(),
        json.unwrap_or_else(|| Value::String(value.to_owned())),
    );
    Ok(())
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::Unreadable(path.display().to_string(), error))
}

fn has_extension(file: &str, extension: &str) -> bool {
    Path::new(file)
        .extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(extension))
}
