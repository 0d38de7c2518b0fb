//! Colours on a terminal.

/// Whether a text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    /// Letters only.
    Plain,
    /// With the escape sequences of a terminal.
    Coloured,
}

impl Paint {
    /// Colours for a terminal, unless the user has set `NO_COLOR` to anything (<https://no-color.org>).
    pub(super) fn for_terminal(is_terminal: bool) -> Self {
        let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if is_terminal && !is_unwanted {
            Self::Coloured
        } else {
            Self::Plain
        }
    }

    /// A text in one of these colours.
    pub(super) fn with(self, colour: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("\u{1b}[{colour}m{text}\u{1b}[0m"),
        }
    }
}

/// For what is wrong, or gone.
pub(super) const RED: &str = "1;31";
/// For what is new.
pub(super) const GREEN: &str = "32";
/// For what deserves a look.
pub(super) const YELLOW: &str = "1;33";
/// For the frame around it.
pub(super) const BLUE: &str = "1;34";
