//! Cuts a text into runs of one character class, the way the o200k vocabulary cuts it before it merges bytes: a word takes
//! one blank or mark in front of it along, a capital inside a word begins a new run, marks take line breaks behind them.

/// A run of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) class: Class,
    /// Characters, without what was taken along.
    pub(super) length: usize,
    /// Letters of a word that are not ASCII, without umlauts.
    pub(super) accents: usize,
    /// `ä`, `ö`, `ü` and `ß` of a word.
    pub(super) umlauts: usize,
    /// One past the last byte.
    pub(super) end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Latin letters.
    Word(Lead, Case),
    Digits,
    /// Blanks that no word takes along.
    Blanks,
    /// White space with a line break at its end.
    Lines,
    /// ASCII punctuation: one mark, repeated or alone.
    Rule,
    /// ASCII punctuation of several kinds.
    Marks,
    /// Base64 and keys: letters of both cases and digits without a pattern.
    Random,
    /// Everything beyond Latin.
    Other(Script),
}

/// What a word takes along in front of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lead {
    Blank,
    Mark,
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Case {
    Lower,
    Capital,
    Upper,
}

/// Groups of scripts and symbols that cost alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Script {
    Han,
    Kana,
    Hangul,
    /// Cyrillic and Greek.
    Cyrillic,
    /// Hebrew and Arabic.
    Arabic,
    /// The scripts of India.
    Indic,
    /// Thai, Lao, Khmer, Burmese, Tibetan.
    Thai,
    /// Quotation marks, dashes, arrows, punctuation of all scripts.
    Symbol,
    Emoji,
    /// What joins and colours emoji.
    Joiner,
    /// All else.
    Rare,
}

/// What is done with runs.
pub(super) trait Visit {
    fn run(&mut self, run: Run);
}

impl<F: FnMut(Run)> Visit for F {
    fn run(&mut self, run: Run) {
        self(run);
    }
}

/// Visits every run of the text, in order; one pass, no allocation.
///
/// A run is handed out where its class is known, so that what an inlined visit does is worked out for that class.
pub(super) fn each_run(text: &str, visit: &mut impl Visit) {
    let mut cutter = Cutter {
        text,
        bytes: text.as_bytes(),
        at: 0,
        looked: 0,
        visit,
    };
    while cutter.at < text.len() {
        cutter.run_here();
    }
}

/// Classes of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Lower,
    Upper,
    Digit,
    Blank,
    Line,
    Mark,
    /// The first byte of a character beyond ASCII.
    Beyond,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Beyond; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        kinds[byte as usize] = match byte {
            b'a'..=b'z' => Kind::Lower,
            b'A'..=b'Z' => Kind::Upper,
            b'0'..=b'9' => Kind::Digit,
            b'\n' | b'\r' => Kind::Line,
            b' ' | b'\t' | 0x0b | 0x0c => Kind::Blank,
            _ => Kind::Mark,
        };
        byte += 1;
    }
    kinds
};

/// Bytes of Base64, and of keys.
pub(super) const ALPHABET: [bool; 256] = {
    let mut alphabet = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        alphabet[byte as usize] =
            byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'-');
        byte += 1;
    }
    alphabet
};

/// Bytes that end a word, and belong to no random text: no letter beyond ASCII, and no contraction.
const ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        ends[byte as usize] = !ALPHABET[byte as usize] && byte != b'\'';
        byte += 1;
    }
    ends
};

pub(super) fn kind(byte: u8) -> Kind {
    KINDS[usize::from(byte)]
}

/// Eight bytes are looked at together: in each of these numbers a byte stands for one of the text, the first the lowest.
const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * ONES;

/// The high bit of each byte that is no small letter. The sums are of numbers below 128, so none reaches into the next byte.
const fn no_small_letters(bytes: u64) -> u64 {
    let low = bytes & !HIGH;
    let from_a = low + (0x80 - b'a' as u64) * ONES;
    let behind_z = low + (0x7f - b'z' as u64) * ONES;
    !(from_a & !behind_z & !bytes) & HIGH
}

struct Cutter<'t, 'v, V> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// What begins before this byte is no random text.
    looked: usize,
    visit: &'v mut V,
}

/// Shorter text is not called random: what looks like it may be a name.
pub(super) const RANDOM: usize = 16;

impl<V: Visit> Cutter<'_, '_, V> {
    /// Passes the run that begins here, or a blank that what follows takes along.
    #[inline]
    fn run_here(&mut self) {
        match kind(self.bytes[self.at]) {
            Kind::Blank => self.blanks(),
            Kind::Line => self.lines(),
            _ if self.is_random() => {}
            Kind::Lower | Kind::Upper => self.word(Lead::Nothing),
            Kind::Mark if self.latin_follows(1) => {
                self.at += 1;
                self.word(Lead::Mark);
            }
            Kind::Mark => self.marks(),
            Kind::Digit => self.digits(),
            Kind::Beyond => match self.char_at(self.at) {
                Some(letter) if is_latin(letter) => self.accented_word(Lead::Nothing),
                Some(first) => self.beyond(first),
                None => self.at = self.bytes.len(),
            },
        }
    }

    /// Passes random text here, as one run. Words are cut at capitals, so it falls into pieces of two or three letters, for
    /// which the vocabulary has no words: by their length alone they would seem to cost half of what they do. Random
    /// bytes in base64 change between small letters, capitals and digits at 57 of 100 places, names like `parseHttpReply`
    /// at 40 or fewer; both cases are about 41 of 100 letters and digits.
    #[inline]
    fn is_random(&mut self) -> bool {
        self.at >= self.looked && self.look_for_random()
    }

    fn look_for_random(&mut self) -> bool {
        let Some(window) = self.bytes[self.at..].first_chunk::<RANDOM>() else {
            self.looked = self.bytes.len();
            return false;
        };
        // From the end: what begins before the last byte of another kind is too short as well.
        let is_other = |&byte: &u8| !ALPHABET[usize::from(byte)];
        if let Some(other) = window.iter().rposition(is_other) {
            self.looked = self.at + other + 1;
            return false;
        }
        self.looked = self.end_of(self.at, |byte| ALPHABET[usize::from(byte)]);
        let is_random = looks_random(&self.bytes[self.at..self.looked]);
        if is_random {
            let length = self.looked - self.at;
            self.at = self.looked;
            self.emit(Class::Random, length);
        }
        is_random
    }

    /// One past the last of the bytes from `at` on that all are such ones.
    #[inline]
    fn end_of(&self, mut at: usize, is_one: impl Fn(u8) -> bool) -> usize {
        while at < self.bytes.len() && is_one(self.bytes[at]) {
            at += 1;
        }
        at
    }

    #[inline]
    fn end_of_kind(&self, at: usize, of: Kind) -> usize {
        self.end_of(at, |byte| kind(byte) == of)
    }

    #[inline]
    fn end_of_small_letters(&self, mut at: usize) -> usize {
        while let Some(bytes) = self.bytes[at..].first_chunk() {
            let others = no_small_letters(u64::from_le_bytes(*bytes));
            if others != 0 {
                return at + others.trailing_zeros() as usize / 8;
            }
            at += bytes.len();
        }
        self.end_of_kind(at, Kind::Lower)
    }

    #[inline]
    fn kind_at(&self, at: usize) -> Option<Kind> {
        self.bytes.get(at).map(|&byte| kind(byte))
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    #[inline]
    fn latin_follows(&self, offset: usize) -> bool {
        let at = self.at + offset;
        match self.kind_at(at) {
            Some(Kind::Lower | Kind::Upper) => true,
            Some(Kind::Beyond) => self.char_at(at).is_some_and(is_latin),
            _ => false,
        }
    }

    /// Hands out a run that ends here.
    #[inline]
    fn emit(&mut self, class: Class, length: usize) {
        self.visit.run(Run {
            class,
            length,
            accents: 0,
            umlauts: 0,
            end: self.at,
        });
    }

    /// Letters up to the next capital after a small letter, and a contraction (`'s`).
    fn word(&mut self, lead: Lead) {
        let small = self.end_of_kind(self.at, Kind::Upper);
        let end = self.end_of_small_letters(small);
        if self.kind_at(end) == Some(Kind::Beyond) {
            return self.accented_word(lead);
        }
        let (capitals, small) = (small - self.at, end - small);
        self.at = end + self.contraction(end);
        let length = capitals + small;
        self.emit(Class::Word(lead, case_of(capitals, small)), length);
    }

    /// Letters with some beyond ASCII among them.
    fn accented_word(&mut self, lead: Lead) {
        let (mut capitals, mut small) = (0, 0);
        let (mut accents, mut umlauts) = (0, 0);
        let letters = self.text[self.at..].chars();
        for letter in letters.take_while(|&letter| is_latin(letter)) {
            if !letter.is_uppercase() {
                small += 1;
            } else if small > 0 {
                break;
            } else {
                capitals += 1;
            }
            match letter {
                'ä' | 'ö' | 'ü' | 'ß' | 'Ä' | 'Ö' | 'Ü' => umlauts += 1,
                _ => accents += usize::from(!letter.is_ascii()),
            }
            self.at += letter.len_utf8();
        }
        self.at += self.contraction(self.at);
        self.visit.run(Run {
            class: Class::Word(lead, case_of(capitals, small)),
            length: capitals + small,
            accents,
            umlauts,
            end: self.at,
        });
    }

    /// Bytes of `'s`, `'t`, `'m`, `'d`, `'re`, `'ve`, `'ll` there.
    #[inline]
    fn contraction(&self, at: usize) -> usize {
        if self.bytes.get(at) != Some(&b'\'') {
            return 0;
        }
        match (self.bytes.get(at + 1), self.bytes.get(at + 2)) {
            (Some(b's' | b't' | b'm' | b'd'), _) => 2,
            (Some(b'r' | b'v'), Some(b'e')) | (Some(b'l'), Some(b'l')) => 3,
            _ => 0,
        }
    }

    /// Blanks: a word or a mark takes the last one along, a line break all.
    #[inline]
    fn blanks(&mut self) {
        while let Some(end) = self.end_of_small_word() {
            let length = end - self.at - 1;
            self.at = end;
            self.emit(Class::Word(Lead::Blank, Case::Lower), length);
            if self.bytes[end] != b' ' {
                return;
            }
        }
        let start = self.at;
        self.at = self.end_of_kind(start, Kind::Blank);
        let count = self.at - start;
        let next = match self.kind_at(self.at) {
            None => return self.emit(Class::Blanks, count),
            Some(Kind::Line) => return,
            Some(next) => next,
        };
        if count > 1 {
            self.at -= 1;
            return self.emit(Class::Blanks, count - 1);
        }
        if self.is_random() {
            return;
        }
        match next {
            Kind::Digit => self.emit(Class::Blanks, 1),
            Kind::Mark => self.marks(),
            _ if self.latin_follows(0) => self.word(Lead::Blank),
            _ => {}
        }
    }

    /// Behind the blank here and a short word of small letters, of which most texts are made; any other word is for
    /// [`word`](Self::word). No random text begins here: the byte behind the word belongs to none.
    #[inline]
    fn end_of_small_word(&self) -> Option<usize> {
        let start = self.at + 1;
        let bytes = self.bytes[start..].first_chunk::<8>()?;
        let others = no_small_letters(u64::from_le_bytes(*bytes));
        let length = others.trailing_zeros() as usize / 8;
        let is_whole = length > 0 && length < 8 && ENDS_WORD[usize::from(bytes[length])];
        is_whole.then_some(start + length)
    }

    /// White space up to its last line break.
    fn lines(&mut self) {
        let start = self.at;
        let mut at = start;
        while let Some(kind @ (Kind::Line | Kind::Blank)) = self.kind_at(at) {
            at += 1;
            if kind == Kind::Line {
                self.at = at;
            }
        }
        self.emit(Class::Lines, self.at - start);
    }

    fn digits(&mut self) {
        let start = self.at;
        self.at = self.end_of_kind(start, Kind::Digit);
        self.emit(Class::Digits, self.at - start);
    }

    /// Punctuation, and the line breaks right behind it.
    fn marks(&mut self) {
        let start = self.at;
        let first = self.bytes[start];
        let mut end = self.end_of(start + 1, |byte| byte == first);
        let mut class = Class::Rule;
        if self.kind_at(end) == Some(Kind::Mark) {
            class = Class::Marks;
            end = self.end_of_kind(end, Kind::Mark);
        }
        self.at = self.end_of_kind(end, Kind::Line);
        self.emit(class, end - start);
    }

    /// Characters of one script, the first of which is `first`.
    fn beyond(&mut self, first: char) {
        let script = script_of(first);
        let mut length = 0;
        let rest = self.text[self.at..].chars();
        for character in rest
            .take_while(|&next| !next.is_ascii() && script_of(next) == script && !is_latin(next))
        {
            length += 1;
            self.at += character.len_utf8();
        }
        self.emit(Class::Other(script), length);
    }
}

/// Whether kinds of letters and digits change in a text as they do in base64 and keys.
fn looks_random(text: &[u8]) -> bool {
    let (mut lower, mut upper, mut changes) = (0, 0, 0);
    let mut last = None;
    for &byte in text {
        let kind = kind(byte);
        lower += usize::from(kind == Kind::Lower);
        upper += usize::from(kind == Kind::Upper);
        changes += usize::from(kind != Kind::Mark && last.is_some_and(|last| last != kind));
        last = (kind != Kind::Mark).then_some(kind);
    }
    let length = text.len();
    changes * 100 >= length * 43 && upper * 4 >= length && lower * 4 >= length
}

pub(super) fn case_of(capitals: usize, small: usize) -> Case {
    match (capitals, small) {
        (0, _) => Case::Lower,
        (2.., 0) => Case::Upper,
        _ => Case::Capital,
    }
}

pub(super) fn is_latin(character: char) -> bool {
    matches!(character,
        'a'..='z' | 'A'..='Z' | '\u{aa}' | '\u{b5}' | '\u{ba}' | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}'
        | '\u{f8}'..='\u{24f}' | '\u{300}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}')
}

/// Unicode blocks, as far as they cost alike.
pub(super) fn script_of(character: char) -> Script {
    match character {
        '\u{4e00}'..='\u{9fff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{f900}'..='\u{faff}'
        | '\u{3005}' => Script::Han,
        '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => Script::Kana,
        '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' => Script::Hangul,
        '\u{370}'..='\u{52f}' => Script::Cyrillic,
        '\u{590}'..='\u{7ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' => Script::Arabic,
        '\u{900}'..='\u{dff}' => Script::Indic,
        '\u{e00}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => Script::Thai,
        '\u{200d}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{20e3}' => Script::Joiner,
        '\u{80}'..='\u{bf}'
        | '\u{d7}'
        | '\u{f7}'
        | '\u{2000}'..='\u{25ff}'
        | '\u{3000}'..='\u{303f}'
        | '\u{ff00}'..='\u{ff65}' => Script::Symbol,
        '\u{2600}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' => {
            Script::Emoji
        }
        _ => Script::Rare,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        let mut start = 0;
        let mut pieces = Vec::new();
        each_run(text, &mut |run: Run| {
            pieces.push(&text[start..run.end]);
            start = run.end;
        });
        assert_eq!(
            start,
            text.trim_end_matches(' ').len().max(start),
            "{text:?}"
        );
        pieces
    }

    #[test]
    fn runs_are_cut_as_the_vocabulary_cuts() {
        assert_eq!(
            cut("It's parseHTTPRequest(x)"),
            ["It's", " parse", "HTTPRequest", "(x", ")"]
        );
        assert_eq!(
            cut("let  a_b = 12345;\n\n  x"),
            [
                "let", " ", " a", "_b", " =", " ", "12345", ";\n\n", " ", " x"
            ]
        );
        assert_eq!(cut("a  \n \n\tb"), ["a", "  \n \n", "\tb"]);
        assert_eq!(
            cut("größe \"日本語カナ\""),
            ["größe", " \"", "日本語", "カナ", "\""]
        );
        assert_eq!(cut("👍🏽 é"), ["👍", "🏽", " é"]);
        assert_eq!(cut("a  "), ["a", "  "]);
        assert_eq!(
            cut("key: dGhlIHF1aWNrIGJyb3duIGZveA\n"),
            ["key", ":", " dGhlIHF1aWNrIGJyb3duIGZveA", "\n"]
        );
        assert_eq!(
            cut("parseHttpReplyOfServer"),
            ["parse", "Http", "Reply", "Of", "Server"]
        );
        assert_eq!(
            cut("f(\"a\",  \"b\", &c)"),
            [
                "f", "(\"", "a", "\",", " ", " \"", "b", "\",", " &", "c", ")"
            ]
        );
    }

    #[test]
    fn runs_know_their_class() {
        let class = |text: &str| {
            let mut found = None;
            each_run(text, &mut |run: Run| {
                found = Some((run.class, run.length, run.accents + run.umlauts));
            });
            found
        };
        assert_eq!(
            class(" word"),
            Some((Class::Word(Lead::Blank, Case::Lower), 4, 0))
        );
        assert_eq!(
            class("_ID"),
            Some((Class::Word(Lead::Mark, Case::Upper), 2, 0))
        );
        assert_eq!(
            class("Größe"),
            Some((Class::Word(Lead::Nothing, Case::Capital), 5, 2))
        );
        assert_eq!(
            class("I"),
            Some((Class::Word(Lead::Nothing, Case::Capital), 1, 0))
        );
        assert_eq!(class("----\n"), Some((Class::Rule, 4, 0)));
        assert_eq!(class("},{"), Some((Class::Marks, 3, 0)));
        assert_eq!(
            class("привет"),
            Some((Class::Other(Script::Cyrillic), 6, 0))
        );
    }
}
