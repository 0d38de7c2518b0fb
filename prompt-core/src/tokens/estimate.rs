//! The default counter.

use super::TokenCounter;

/// Steps of a scale factor.
const STEPS: u64 = 1000;

/// Units of a token: costs are whole numbers, so that a count is the same on every machine.
const UNITS: u64 = 100;

/// An estimate of the tokens of a text, made in one pass over its runs of letters, digits, blanks, marks and other scripts,
/// without a vocabulary and without allocating. This is the default counter of a budget.
///
/// Runs are cut as the vocabulary o200k cuts a text before it merges bytes. A word costs a token, and something more for each
/// letter past a usual length; marks, accents, other scripts and random text have a cost for each character. These numbers
/// were fitted on one set of texts and judged on another, against exact counts. Error of the estimate on the judged texts:
///
/// | text | tokens | estimate | error |
/// |---|--:|--:|--:|
/// | English | 2012 | 2034 | +1.1 % |
/// | Rust | 3563 | 3583 | +0.6 % |
/// | Markdown | 2828 | 2773 | -1.9 % |
/// | JSON | 5210 | 5105 | -2.0 % |
/// | Base64 | 2738 | 2784 | +1.7 % |
/// | hex | 706 | 682 | -3.4 % |
/// | UUIDs | 953 | 928 | -2.6 % |
/// | German | 638 | 608 | -4.7 % |
/// | French | 256 | 256 | +0.0 % |
/// | Chinese, simplified | 509 | 551 | +8.3 % |
/// | Chinese, traditional | 294 | 274 | -6.8 % |
/// | Japanese | 658 | 640 | -2.7 % |
/// | Korean | 188 | 182 | -3.2 % |
/// | chat with emoji | 434 | 431 | -0.7 % |
///
/// Tests demand at most 5 % of English, code, Markdown, JSON, Base64, hex and UUIDs, and at most 15 % of the others. Random
/// text of fewer than 16 characters is estimated as words, and too low. Where it must not be, count exactly with `O200k`
/// (feature `tiktoken`). The table is printed by `cargo bench -p prompt-tests --bench tokens --features tiktoken`.
///
/// Models with another vocabulary need more or fewer tokens for the same text; [`scaled`](Self::scaled) takes that into
/// account.
///
/// ```
/// use prompt_core::tokens::EstimatedTokens;
/// use prompt_core::tokens::TokenCounter;
///
/// let counter = EstimatedTokens::default();
/// assert_eq!(counter.count("You review Rust code for the platform team."), 9);
/// assert_eq!(counter.count(""), 0);
/// assert_eq!(EstimatedTokens::scaled(1.2).count("You review Rust code for the platform team."), 11);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EstimatedTokens {
    /// The factor in steps.
    steps: u64,
}

impl Default for EstimatedTokens {
    fn default() -> Self {
        Self { steps: STEPS }
    }
}

impl EstimatedTokens {
    /// The estimate for a model that needs `factor` times the tokens of o200k, to a thousandth. A factor that is no
    /// positive number counts as the smallest.
    ///
    /// Measure the factor on your own texts: tokens reported by the model, divided by the estimate.
    // A cast from a float saturates, and `NaN` becomes 0, which is what is wanted.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss
    )]
    #[must_use]
    pub fn scaled(factor: f64) -> Self {
        Self {
            steps: ((factor * STEPS as f64).round() as u64).max(1),
        }
    }

    /// The most tokens that a text of so many bytes is estimated at.
    pub(crate) fn most(bytes: usize) -> usize {
        bytes.saturating_mul(2)
    }
}

impl TokenCounter for EstimatedTokens {
    fn count(&self, text: &str) -> usize {
        let mut runs = Runs::default();
        text.chars().for_each(|character| runs.push(character));
        runs.end_key();
        // To the nearest whole number, but no text is free.
        let one = UNITS * STEPS;
        let tokens = runs
            .units
            .saturating_mul(self.steps)
            .saturating_add(one / 2)
            / one;
        usize::try_from(tokens.max(u64::from(!text.is_empty()))).unwrap_or(usize::MAX)
    }
}

/// What a run is made of. Letters of another script and symbols come with their units.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Line,
    Blank,
    Small,
    Capital,
    Digit,
    Mark,
    Letter(u64),
    Symbol(u64),
}

/// A text up to some place: what it costs so far, and the run at its end. A run is charged as it grows.
#[derive(Default)]
struct Runs {
    units: u64,
    kind: Kind,
    length: u64,
    /// Whether a blank stands before the run.
    spaced: bool,
    /// Of a word, how many letters cost nothing, and what each further one costs.
    word: (u64, u64),
    key: Key,
}

/// A run of letters, digits and `+/=_-`, which may be random: a key, Base64.
#[derive(Default)]
struct Key {
    /// Units of the text before it.
    before: u64,
    length: u64,
    small: u64,
    capital: u64,
    /// Places where a letter or digit is followed by one of another kind.
    changes: u64,
}

impl Runs {
    fn push(&mut self, character: char) {
        let kind = match character {
            // A contraction, `don't`, is one word.
            '\'' if self.kind == Kind::Small => Kind::Small,
            _ => kind_of(character),
        };
        self.grow_key(character, kind);
        let before = (self.kind, self.length);
        // A word takes the blank or the one mark before it along.
        let marked = before == (Kind::Mark, 1) && !self.spaced;
        if kind == self.kind || (self.kind, kind) == (Kind::Capital, Kind::Small) {
            self.length += 1;
        } else {
            (self.length, self.spaced) = (1, self.kind == Kind::Blank);
        }
        self.kind = kind;
        self.units += match (kind, self.length) {
            // White space up to a line break is one token, and marks take the break along.
            (Kind::Line, 1) if !matches!(before, (Kind::Mark, _) | (Kind::Blank, 2..)) => UNITS,
            // The last of some blanks belongs to what follows.
            (Kind::Line, _) | (Kind::Blank, 1 | 3..) => 0,
            (Kind::Small | Kind::Capital, length) => self.letter(character, length, marked),
            (Kind::Digit, length) if length % 3 != 1 => 0,
            (Kind::Mark, 2) => 6,
            (Kind::Mark, 3) => 14,
            (Kind::Mark, 4..) => 40,
            (Kind::Letter(cost), 2..) => (cost * self.length).saturating_sub(UNITS).min(cost),
            (Kind::Symbol(cost), _) => cost,
            _ => UNITS,
        };
    }

    /// A letter of a word, of which the first few cost nothing more. A capital behind a small letter begins another word.
    fn letter(&mut self, letter: char, length: u64, marked: bool) -> u64 {
        if length == 1 {
            self.word = match self.kind {
                _ if marked => (4, 16),
                Kind::Capital => (4, 11),
                _ => (7, 10),
            };
        }
        let (free, further) = self.word;
        let accent = if letter.is_ascii() { 0 } else { 95 };
        match length {
            1 if marked => accent,
            1 => accent + UNITS,
            _ if length > free => accent + further,
            _ => accent,
        }
    }

    /// Random letters and digits are cut at capitals into pieces of two or three, for which the vocabulary has no words. Random
    /// bytes in Base64 change their kind at 57 of 100 places, names like `parseHttpReply` at 40 or fewer.
    fn grow_key(&mut self, character: char, kind: Kind) {
        let is_alphanumeric = character.is_ascii_alphanumeric();
        if !is_alphanumeric && !matches!(character, '+' | '/' | '=' | '_' | '-') {
            return self.end_key();
        }
        if self.key.length == 0 {
            self.key.before = self.units;
        }
        let key = &mut self.key;
        let changes =
            is_alphanumeric && kind != self.kind && self.kind != Kind::Mark && key.length > 0;
        key.changes += u64::from(changes);
        key.length += 1;
        key.small += u64::from(kind == Kind::Small);
        key.capital += u64::from(kind == Kind::Capital);
    }

    /// What was a key is charged as one, if it was random: by its characters.
    fn end_key(&mut self) {
        let key = std::mem::take(&mut self.key);
        let is_mixed = key.small.min(key.capital) * 4 >= key.length;
        if key.length >= 16 && is_mixed && key.changes * 100 >= key.length * 43 {
            self.units = key.before + 69 * key.length;
        }
    }
}

/// By ASCII and Unicode blocks, as far as they cost alike.
fn kind_of(character: char) -> Kind {
    match character {
        'a'..='z' => Kind::Small,
        'A'..='Z' => Kind::Capital,
        '0'..='9' => Kind::Digit,
        '\n' | '\r' => Kind::Line,
        ' ' | '\t' | '\x0b' | '\x0c' => Kind::Blank,
        '\0'..='\x7f' => Kind::Mark,
        // Symbols and punctuation of all scripts, and what joins and colours emoji.
        '\u{80}'..='\u{a9}'
        | '\u{ab}'..='\u{b4}'
        | '\u{b6}'..='\u{b9}'
        | '\u{bb}'..='\u{bf}'
        | '\u{d7}'
        | '\u{f7}'
        | '\u{2000}'..='\u{25ff}'
        | '\u{3000}'..='\u{3004}'
        | '\u{3006}'..='\u{3040}'
        | '\u{fe0f}'
        | '\u{ff00}'..='\u{ff65}'
        | '\u{1f3fb}'..='\u{1f3ff}' => Kind::Symbol(105),
        // Latin.
        '\u{aa}'..='\u{24f}' | '\u{300}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}'
            if character.is_uppercase() =>
        {
            Kind::Capital
        }
        '\u{aa}'..='\u{24f}' | '\u{300}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}' => Kind::Small,
        // Greek and Cyrillic; Hebrew and Arabic; the scripts of India, Thai and their neighbours.
        '\u{370}'..='\u{52f}' => Kind::Letter(31),
        '\u{590}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefe}' => Kind::Letter(41),
        // Korean; Japanese syllables; Han.
        '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}' => Kind::Letter(70),
        '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => Kind::Letter(64),
        '\u{3005}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => Kind::Letter(84),
        // Emoji, and what is rare.
        _ => Kind::Symbol(210),
    }
}
