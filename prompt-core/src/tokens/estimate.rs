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

    /// The estimate of a text in pieces, and of what it grows by in each of so many parts, to which the pieces belong. Each
    /// piece ends where the next one begins.
    pub(crate) fn estimate_parts(
        text: &str,
        pieces: impl Iterator<Item = (usize, usize)>,
        count: usize,
    ) -> (usize, Vec<usize>) {
        let mut runs = Runs::of(text);
        let mut units: Vec<Option<u64>> = vec![None; count];
        let mut last = None;
        for (part, end) in pieces {
            let before = runs.units;
            runs.run_to(end);
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
        if text.is_empty() {
            return 0;
        }
        let mut runs = Runs::of(text);
        runs.run_to(text.len());
        runs.end_key();
        self.tokens(runs.units)
    }
}

/// What a run is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
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
struct Runs<'t> {
    text: &'t str,
    /// So many bytes of it are charged.
    at: usize,
    units: u64,
    kind: Kind,
    /// Units of each letter of another script.
    cost: u64,
    length: u64,
    /// Whether the run is one mark that a word behind it takes along.
    joins: bool,
    /// Of a word, how many letters cost nothing, and what each further one costs.
    word: (u64, u64),
    /// A run of letters, digits and `+/=_-`, which may be random (a key, Base64): where it began, and the units before it.
    key: Option<(usize, u64)>,
}

/// A word behind a blank: letters that cost nothing, and what each further one costs.
const WORD: (u64, u64) = (7, 10);

impl<'t> Runs<'t> {
    fn of(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            units: 0,
            kind: Kind::Line,
            cost: 0,
            length: 0,
            joins: false,
            word: WORD,
            key: None,
        }
    }

    fn run_to(&mut self, end: usize) {
        let bytes = &self.text.as_bytes()[..end];
        while let Some(first) = bytes.get(self.at) {
            let kind = KINDS[usize::from(*first)];
            if kind == Kind::Blank && self.kind != Kind::Blank && self.words(bytes) {
                continue;
            }
            let count = end_of(bytes, self.at + 1, kind) - self.at;
            if kind == Kind::Wide {
                self.end_key();
                let characters = self.text.get(self.at..self.at + count).unwrap_or_default();
                characters.chars().for_each(|it| self.wide(it));
            } else {
                self.push(kind, count as u64);
            }
            self.at += count;
        }
    }

    /// Words of small letters and numbers, each behind one blank, are most of a text: they are charged without looking at
    /// what is between them. Gives whether there are any.
    fn words(&mut self, bytes: &[u8]) -> bool {
        let is_blank = bytes.get(self.at) == Some(&b' ');
        let first = bytes.get(self.at + 1);
        if !is_blank || !first.is_some_and(|first| is_small_or_digit(*first)) {
            return false;
        }
        self.end_key();
        let last = last_of_words(bytes, self.at, self.units);
        (self.at, self.units) = (last.end, last.units);
        self.key = Some((last.from, last.before));
        (self.kind, self.length, self.word) = if last.end > last.digits {
            (Kind::Digit, (last.end - last.digits) as u64, WORD)
        } else {
            (Kind::Small, (last.end - last.from) as u64, WORD)
        };
        true
    }

    /// So many bytes of a kind follow.
    #[inline]
    fn push(&mut self, kind: Kind, count: u64) {
        match kind {
            Kind::Small => {
                self.grow_key();
                self.letters(Kind::Small, count);
            }
            Kind::Capital => {
                self.grow_key();
                self.letters(Kind::Capital, count);
            }
            Kind::Digit => {
                self.grow_key();
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
                    self.grow_key();
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
                _ => WORD,
            };
        }
        (self.kind, self.length) = (kind, from + count);
        let (free, further) = self.word;
        if self.length > free {
            self.units += further * (self.length - from.max(free));
        }
    }

    /// Letters, digits or marks of a key follow.
    #[inline]
    fn grow_key(&mut self) {
        if self.key.is_none() {
            self.key = Some((self.at, self.units));
        }
    }

    /// What was a key is charged as one, if it was random: by its characters. Random letters and digits are cut at capitals
    /// into pieces of two or three, for which the vocabulary has no words. Random bytes in Base64 change their kind at 57 of
    /// 100 places, names like `parseHttpReply` at 40 or fewer.
    #[inline]
    fn end_key(&mut self) {
        if let Some((from, before)) = self.key.take()
            && self.at - from >= 16
            && is_random(&self.text.as_bytes()[from..self.at])
        {
            self.units = before + 69 * (self.at - from) as u64;
        }
    }
}

/// The last of some words, and the units up to it and with it.
struct LastWord {
    from: usize,
    digits: usize,
    end: usize,
    before: u64,
    units: u64,
}

/// Charges words of small letters and digits, each behind one blank, of which the first stands there.
#[inline(never)]
fn last_of_words(bytes: &[u8], blank: usize, mut units: u64) -> LastWord {
    let mut from = blank + 1;
    loop {
        let (digits, end) = word_at(bytes, from);
        let before = units;
        if digits > from {
            let (free, further) = WORD;
            units += UNITS + further * ((digits - from) as u64).saturating_sub(free);
        }
        if end > digits {
            units += UNITS * ((end - digits + 2) as u64 / 3);
        }
        match bytes.get(end..) {
            Some([b' ', next, ..]) if is_small_or_digit(*next) => from = end + 1,
            _ => {
                return LastWord {
                    from,
                    digits,
                    end,
                    before,
                    units,
                };
            }
        }
    }
}

#[inline]
fn is_small_or_digit(byte: u8) -> bool {
    matches!(KINDS[usize::from(byte)], Kind::Small | Kind::Digit)
}

/// Where the small letters end that begin there, and the digits behind them.
#[inline]
fn word_at(bytes: &[u8], from: usize) -> (usize, usize) {
    if let Some(eight) = bytes.get(from..).and_then(<[u8]>::first_chunk) {
        let eight = u64::from_le_bytes(*eight);
        // In bits: so many letters, and digits behind them.
        let letters = outside(eight, [b'a', b'z']).trailing_zeros() & !7;
        if letters < 64 {
            let end = from + letters as usize / 8;
            let behind = eight >> letters;
            if !behind.to_le_bytes()[0].is_ascii_digit() {
                return (end, end);
            }
            let digits = outside(behind, [b'0', b'9']).trailing_zeros() & !7;
            if letters + digits < 64 {
                return (end, end + digits as usize / 8);
            }
        }
    }
    let digits = end_of(bytes, from, Kind::Small);
    (digits, end_of(bytes, digits, Kind::Digit))
}

/// Of eight bytes the highest bit of each that does not lie in a range of ASCII: in a sum it says whether the byte is at least
/// the first of the range, or past the last.
#[inline]
fn outside(eight: u64, [first, last]: [u8; 2]) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = 0x80 * ONES;
    let low = eight & !HIGH;
    let begun = low + u64::from(0x80 - first) * ONES;
    let past = low + u64::from(0x7f - last) * ONES;
    (!begun | past | eight) & HIGH
}

/// Where a run of bytes of a kind ends that begins there.
#[inline]
fn end_of(bytes: &[u8], from: usize, kind: Kind) -> usize {
    let is_other = |byte: &u8| KINDS[usize::from(*byte)] != kind;
    let behind = bytes[from..].iter().position(is_other);
    behind.map_or(bytes.len(), |length| from + length)
}

/// Whether small letters, capitals and digits stand in a key without order.
fn is_random(key: &[u8]) -> bool {
    let of = |kind: Kind| {
        key.iter()
            .filter(|byte| KINDS[usize::from(**byte)] == kind)
            .count()
    };
    let changes = key.windows(2).filter(|pair| {
        let [first, second] = [pair[0], pair[1]].map(|byte| KINDS[usize::from(byte)]);
        first != second && first != Kind::KeyMark && second != Kind::KeyMark
    });
    let mixed = of(Kind::Small).min(of(Kind::Capital));
    mixed * 4 >= key.len() && changes.count() * 100 >= key.len() * 43
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
