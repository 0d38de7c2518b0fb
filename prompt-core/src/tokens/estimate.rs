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

    /// To the nearest whole number, but no text is free.
    fn tokens(self, units: u64) -> usize {
        let one = UNITS * STEPS;
        let tokens = units.saturating_mul(self.steps).saturating_add(one / 2) / one;
        usize::try_from(tokens.max(1)).unwrap_or(usize::MAX)
    }

    /// The estimate of a text in pieces, and of what it grows by in each of so many parts, to which the pieces belong.
    pub(crate) fn estimate_parts<'t>(
        pieces: impl Iterator<Item = (usize, &'t str)>,
        count: usize,
    ) -> (usize, Vec<usize>) {
        let mut runs = Runs::default();
        let mut units: Vec<Option<u64>> = vec![None; count];
        let mut last = None;
        for (part, text) in pieces {
            let before = runs.units;
            runs.text(text);
            let grown = units[part].get_or_insert_default();
            *grown = (*grown + runs.units).saturating_sub(before);
            last = Some(part);
        }
        let before = runs.units;
        runs.end_key();
        if let Some(grown) = last.and_then(|part| units[part].as_mut()) {
            *grown = (*grown + runs.units).saturating_sub(before);
        }
        let tokens = |units: &Option<u64>| units.map_or(0, |units| Self::default().tokens(units));
        let whole = last.map(|_| runs.units);
        (tokens(&whole), units.iter().map(tokens).collect())
    }

    /// The most tokens that a text of so many bytes is estimated at.
    pub(crate) fn most(bytes: usize) -> usize {
        bytes.saturating_mul(2)
    }
}

impl TokenCounter for EstimatedTokens {
    fn count(&self, text: &str) -> usize {
        let mut runs = Runs::default();
        runs.text(text);
        runs.end_key();
        if text.is_empty() {
            return 0;
        }
        self.tokens(runs.units)
    }
}

/// What a run is made of.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Line,
    Blank,
    Small,
    Capital,
    Digit,
    Mark,
    /// Letters of other scripts.
    Letter,
    Symbol,
    /// A byte that is a mark of keys.
    KeyMark,
    /// A byte that is a mark, or a part of a word.
    Apostrophe,
    /// A byte of a character of several bytes.
    Wide,
}

/// The kinds of all bytes.
static KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Wide; 256];
    let mut byte = 0_u8;
    while byte.is_ascii() {
        kinds[byte as usize] = match byte {
            b'a'..=b'z' => Kind::Small,
            b'A'..=b'Z' => Kind::Capital,
            b'0'..=b'9' => Kind::Digit,
            b'\n' | b'\r' => Kind::Line,
            b' ' | b'\t' | b'\x0b' | b'\x0c' => Kind::Blank,
            b'+' | b'/' | b'=' | b'_' | b'-' => Kind::KeyMark,
            b'\'' => Kind::Apostrophe,
            _ => Kind::Mark,
        };
        byte += 1;
    }
    kinds
};

/// A text up to some place: what it costs so far, and the run at its end. A run is charged as it grows.
#[derive(Default)]
struct Runs {
    units: u64,
    kind: Kind,
    /// Units of each letter of another script.
    cost: u64,
    length: u64,
    /// Whether the run is one mark that a word behind it takes along.
    joins: bool,
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
    fn text(&mut self, text: &str) {
        let mut rest = text.as_bytes();
        while let Some((first, behind)) = rest.split_first() {
            let kind = KINDS[usize::from(*first)];
            let is_other = |byte: &u8| KINDS[usize::from(*byte)] != kind;
            let more = behind.iter().position(is_other).unwrap_or(behind.len());
            let from = text.len() - rest.len();
            rest = &behind[more..];
            match kind {
                Kind::Wide => {
                    self.end_key();
                    let to = text.len() - rest.len();
                    let characters = text.get(from..to).unwrap_or_default().chars();
                    characters.for_each(|character| self.wide(character));
                }
                kind => self.push(kind, more as u64 + 1),
            }
        }
    }

    /// So many bytes of a kind follow.
    #[inline]
    fn push(&mut self, kind: Kind, count: u64) {
        match kind {
            Kind::Small => {
                self.grow_key(Kind::Small, count);
                self.letters(Kind::Small, count);
            }
            Kind::Capital => {
                self.grow_key(Kind::Capital, count);
                self.letters(Kind::Capital, count);
            }
            Kind::Digit => {
                self.grow_key(Kind::Digit, count);
                let from = self.grow(Kind::Digit, count);
                self.units += UNITS * ((from + count).div_ceil(3) - from.div_ceil(3));
            }
            Kind::Blank => {
                self.end_key();
                let from = self.grow(Kind::Blank, count);
                // The last of some blanks belongs to what follows.
                self.units += UNITS * u64::from(from < 2 && from + count > 1);
            }
            Kind::Line => {
                self.end_key();
                // White space up to a line break is one token, and marks take the break along.
                let is_free = match self.kind {
                    Kind::Line => self.length > 0,
                    Kind::Blank => self.length > 1,
                    kind => kind == Kind::Mark,
                };
                self.units += UNITS * u64::from(!is_free);
                self.grow(Kind::Line, count);
            }
            // A contraction, `don't`, is one word.
            Kind::Apostrophe if self.kind == Kind::Small => {
                self.end_key();
                self.letters(Kind::Small, count);
            }
            kind => {
                if kind == Kind::KeyMark {
                    self.grow_key(kind, count);
                } else {
                    self.end_key();
                }
                self.joins = self.kind != Kind::Blank;
                let from = self.grow(Kind::Mark, count);
                self.units += marks(from + count) - marks(from);
            }
        }
    }

    /// A character that is not of ASCII.
    fn wide(&mut self, character: char) {
        let (kind, cost) = kind_of(character);
        if matches!(kind, Kind::Small | Kind::Capital) {
            self.letters(kind, 1);
            self.units += cost;
            return;
        }
        let is_other = std::mem::replace(&mut self.cost, cost) != cost;
        let from = self.grow(kind, 1);
        self.units += if kind == Kind::Symbol {
            cost
        } else if from == 0 || is_other {
            self.length = 1;
            UNITS
        } else {
            (cost * (from + 1)).saturating_sub(UNITS).min(cost)
        };
    }

    /// So many characters of a kind follow; gives how long the run was.
    #[inline]
    fn grow(&mut self, kind: Kind, count: u64) -> u64 {
        let from = if self.kind == kind { self.length } else { 0 };
        (self.kind, self.length) = (kind, from + count);
        from
    }

    /// The first few letters of a word cost nothing more. A capital behind a small letter begins another word.
    #[inline]
    fn letters(&mut self, kind: Kind, count: u64) {
        let goes_on = self.kind == kind || (self.kind == Kind::Capital && kind == Kind::Small);
        let from = if goes_on { self.length } else { 0 };
        if !goes_on {
            // A word takes the blank or the one mark before it along.
            let is_marked = self.kind == Kind::Mark && self.joins && self.length == 1;
            self.units += UNITS * u64::from(!is_marked);
            self.word = match kind {
                _ if is_marked => (4, 16),
                Kind::Capital => (4, 11),
                _ => (7, 10),
            };
        }
        (self.kind, self.length) = (kind, from + count);
        let (free, further) = self.word;
        if self.length > free {
            self.units += further * (self.length - from.max(free));
        }
    }

    /// So many letters, digits or marks of a key follow.
    #[inline]
    fn grow_key(&mut self, kind: Kind, count: u64) {
        if self.key.length == 0 {
            self.key = Key {
                before: self.units,
                ..Key::default()
            };
        } else if kind != self.kind && kind != Kind::KeyMark && self.kind != Kind::Mark {
            self.key.changes += 1;
        }
        self.key.length += count;
        match kind {
            Kind::Small => self.key.small += count,
            Kind::Capital => self.key.capital += count,
            _ => {}
        }
    }

    /// What was a key is charged as one, if it was random: by its characters. Random letters and digits are cut at capitals
    /// into pieces of two or three, for which the vocabulary has no words. Random bytes in Base64 change their kind at 57 of
    /// 100 places, names like `parseHttpReply` at 40 or fewer.
    #[inline]
    fn end_key(&mut self) {
        let key = &self.key;
        if key.length >= 16 {
            let is_mixed = key.small.min(key.capital) * 4 >= key.length;
            if is_mixed && key.changes * 100 >= key.length * 43 {
                self.units = key.before + 69 * key.length;
            }
        }
        self.key.length = 0;
    }
}

/// What so many marks cost side by side.
#[inline]
fn marks(count: u64) -> u64 {
    match count {
        0 => 0,
        1 => UNITS,
        2 => 106,
        3.. => 120 + 40 * (count - 3),
    }
}

/// What a character is, and its units: by Unicode blocks, as far as they cost alike. An accent costs nearly a token.
fn kind_of(character: char) -> (Kind, u64) {
    match character {
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
        | '\u{1f3fb}'..='\u{1f3ff}' => (Kind::Symbol, 105),
        // Latin.
        '\u{aa}'..='\u{24f}' | '\u{300}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}'
            if character.is_uppercase() =>
        {
            (Kind::Capital, 95)
        }
        '\u{aa}'..='\u{24f}' | '\u{300}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}' => (Kind::Small, 95),
        // Greek and Cyrillic; Hebrew and Arabic; the scripts of India, Thai and their neighbours.
        '\u{370}'..='\u{52f}' => (Kind::Letter, 31),
        '\u{590}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefe}' => (Kind::Letter, 41),
        // Korean; Japanese syllables; Han.
        '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7a3}' => (Kind::Letter, 70),
        '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => (Kind::Letter, 64),
        '\u{3005}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' => (Kind::Letter, 84),
        // Emoji, and what is rare.
        _ => (Kind::Symbol, 210),
    }
}
