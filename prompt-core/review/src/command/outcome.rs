//! What a command prints, and how the program ends.

use super::finding::Finding;
use super::paint::Paint;
use super::source::Failure;
use crate::html::visible;
use std::io::{self, ErrorKind, Write};

/// What a command prints, and how the program ends.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The exit code: 0, 1 for faults, 2 for wrong usage.
    pub(super) code: u8,
    /// For the standard output.
    pub(super) out: String,
    /// For the standard error output.
    pub(super) err: String,
    /// What was found, where a machine reads it.
    pub(super) findings: Option<Vec<Finding>>,
}

/// What became of an outcome, with the code with which the program ends.
#[derive(Debug, PartialEq)]
pub(super) enum Written {
    /// All of it was taken.
    Whole(u8),
    /// Some of it was not.
    Short(u8),
}

impl Outcome {
    /// What is told about the arguments: help, or what is wrong with them.
    pub(super) fn of_usage(error: &clap::Error) -> Self {
        let text = error.render().to_string();
        let text = visible(&text).into_owned();
        let code = u8::try_from(error.exit_code()).unwrap_or(2);
        let (out, err) = if error.use_stderr() {
            (String::new(), text)
        } else {
            (text, String::new())
        };
        Self {
            code,
            out,
            err,
            findings: None,
        }
    }

    /// Writes both outputs, the sum of it all at the end. A reader that has gone away, such as `head`, is no fault; a disk that is full is one.
    pub(super) fn print(&self) -> Written {
        let told = write(&mut io::stderr(), &self.err);
        let written = write(&mut io::stdout(), &self.out);
        match written.and(told) {
            Ok(()) => Written::Whole(self.code),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Written::Short(self.code),
            Err(error) => {
                // Where this cannot be written either, the code is all that is left.
                let fact = format!("the output was not written: {error}\n");
                _ = write(&mut io::stderr(), &fact);
                Written::Short(2)
            }
        }
    }

    pub(super) fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    pub(super) fn fail(&mut self, failure: &Failure, paint: Paint) {
        if let Some(findings) = &mut self.findings {
            findings.extend(failure.findings());
        } else {
            self.err.push_str(&failure.report(paint));
            self.err.push('\n');
        }
        self.code = self.code.max(if failure.is_usage() { 2 } else { 1 });
    }
}

fn write(to: &mut dyn Write, text: &str) -> io::Result<()> {
    to.write_all(text.as_bytes())?;
    to.flush()
}
