//! Arguments of the examples: what is not understood is refused, and `--help` says what is.

use std::env;
use std::ffi::OsString;

/// What the user asks for.
#[derive(Debug)]
pub enum Request {
    /// To run with these arguments.
    Run(Arguments),
    /// To see the usage.
    Help,
}

/// The arguments of a program.
#[derive(Debug, Default)]
pub struct Arguments {
    /// Those that are no options, in order.
    pub words: Vec<OsString>,
    /// The value of each option given, in order.
    options: Vec<(&'static str, OsString)>,
    /// The flags given.
    flags: Vec<&'static str>,
}

impl Request {
    /// Reads the arguments of the process: at most `words` words, and the named options, each followed by a value.
    ///
    /// # Errors
    ///
    /// A sentence about the first argument that is not understood.
    pub fn from_env(words: usize, options: &[&'static str]) -> Result<Self, String> {
        Self::read(env::args_os().skip(1), words, options)
    }

    /// Reads these arguments, as [`from_env`](Request::from_env) reads those of the process.
    ///
    /// # Errors
    ///
    /// As [`Request::from_env`].
    pub fn read(
        given: impl IntoIterator<Item = OsString>,
        words: usize,
        options: &[&'static str],
    ) -> Result<Self, String> {
        Self::read_with_flags(given, words, options, &[])
    }

    /// Reads arguments: at most `words` words, the named options, each followed by a value, and flags, which take none.
    /// `-` alone is a word.
    ///
    /// # Errors
    ///
    /// A sentence about the first argument that is not understood.
    pub fn read_with_flags(
        given: impl IntoIterator<Item = OsString>,
        words: usize,
        options: &[&'static str],
        flags: &[&'static str],
    ) -> Result<Self, String> {
        let mut arguments = Arguments::default();
        let mut given = given.into_iter();
        while let Some(argument) = given.next() {
            let text = argument.to_string_lossy();
            if text == "--help" || text == "-h" {
                return Ok(Self::Help);
            }
            if let Some(option) = options.iter().copied().find(|option| *option == text) {
                let value = given
                    .next()
                    .ok_or_else(|| format!("`{option}` needs a value; see --help"))?;
                arguments.options.push((option, value));
            } else if let Some(flag) = flags.iter().copied().find(|flag| *flag == text) {
                arguments.flags.push(flag);
            } else if text.starts_with('-') && text != "-" || arguments.words.len() == words {
                return Err(format!("`{text}` is not understood; see --help"));
            } else {
                arguments.words.push(argument);
            }
        }
        Ok(Self::Run(arguments))
    }
}

impl Arguments {
    /// The value of an option, the last one given.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&OsString> {
        self.all(name).last()
    }

    /// All values of an option, in order.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &OsString> {
        let given = self.options.iter();
        given
            .filter(move |(option, _)| *option == name)
            .map(|(_, value)| value)
    }

    /// Whether a flag is given.
    #[must_use]
    pub fn has(&self, flag: &str) -> bool {
        self.flags.contains(&flag)
    }
}
