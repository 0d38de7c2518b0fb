//! The cutter as it was first written, byte by byte, which the fast one is compared with.

use super::runs::{
    self, ALPHABET, Class, Kind, Lead, RANDOM, Run, case_of, is_latin, kind, script_of,
};
use proptest::{collection::vec, prelude::*, sample::select};

fn both(text: &str) -> (Vec<Run>, Vec<Run>) {
    let (mut fast, mut plain) = (Vec::new(), Vec::new());
    runs::each_run(text, &mut |run| fast.push(run));
    each_run(text, |run| plain.push(run));
    (fast, plain)
}

/// Pieces of which every rule has some.
const PIECES: [&str; 44] = [
    "a",
    "b",
    "word",
    "The",
    " ",
    " ",
    "  ",
    "\t",
    "\n",
    "\r\n",
    "'",
    "'s",
    "'ll",
    "'ve",
    "é",
    "ü",
    "ß",
    "É",
    "\u{301}",
    "日本",
    "カナ",
    "я",
    "👍",
    "🏽",
    "—",
    "-",
    "=",
    "/",
    "+",
    "_",
    "123",
    "4",
    "A",
    "HTTP",
    "\"",
    "(",
    ".",
    ",\n",
    "dGhlIHF1aWNrIGJy",
    "q9Z",
    "longlonglettersword",
    "\0",
    "~",
    " short",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn the_cutters_agree_on_pieces(pieces in vec(select(&PIECES[..]), 0..40)) {
        let text = pieces.concat();
        let (fast, plain) = both(&text);
        prop_assert_eq!(fast, plain);
    }

    #[test]
    fn the_cutters_agree_on_any_text(text in any::<String>()) {
        let (fast, plain) = both(&text);
        prop_assert_eq!(fast, plain);
    }
}

#[test]
fn the_cutters_agree_on_real_texts() {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/fixtures/tokens/judge"
    );
    let mut read = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let (fast, plain) = both(&text);
        assert_eq!(fast, plain);
        read += 1;
    }
    assert!(read > 10);
}

/// Calls `visit` for every run of the text, in order; one pass, no allocation.
fn each_run(text: &str, mut visit: impl FnMut(Run)) {
    let mut cutter = Cutter {
        text,
        bytes: text.as_bytes(),
        at: 0,
        looked: 0,
    };
    while cutter.at < text.len() {
        if let Some(run) = cutter.run_here() {
            visit(run);
        }
    }
}

struct Cutter<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    /// What stands before this byte was looked at for random text.
    looked: usize,
}

impl Cutter<'_> {
    /// The run that begins here; `None` for a blank that what follows takes along.
    #[inline]
    fn run_here(&mut self) -> Option<Run> {
        if let Some(random) = self.random() {
            return Some(random);
        }
        Some(match self.kind_at(self.at)? {
            Kind::Lower | Kind::Upper => self.word(Lead::Nothing),
            Kind::Blank => return self.blanks(),
            Kind::Line => self.lines(),
            Kind::Digit => self.digits(),
            Kind::Mark if self.latin_follows(1) => {
                self.at += 1;
                self.word(Lead::Mark)
            }
            Kind::Mark => self.marks(),
            Kind::Beyond => match self.char_at(self.at) {
                Some(letter) if is_latin(letter) => self.accented_word(Lead::Nothing),
                Some(first) => self.beyond(first),
                None => {
                    self.at = self.bytes.len();
                    return None;
                }
            },
        })
    }

    /// Random text here, taken as one run. Words are cut at capitals, so it falls into pieces of two or three letters, for
    /// which the vocabulary has no words: by their length alone they would seem to cost half of what they do. Random
    /// bytes in base64 change between small letters, capitals and digits at 57 of 100 places, names like `parseHttpReply`
    /// at 40 or fewer; both cases are about 41 of 100 letters and digits.
    #[inline]
    fn random(&mut self) -> Option<Run> {
        if self.at < self.looked {
            return None;
        }
        let Some(window) = self.bytes.get(self.at..self.at + RANDOM) else {
            self.looked = self.bytes.len();
            return None;
        };
        // From the end: what stands before the last byte of another kind is too short as well.
        let other = window
            .iter()
            .rposition(|&byte| !ALPHABET[usize::from(byte)]);
        if let Some(other) = other {
            self.looked = self.at + other + 1;
            return None;
        }
        self.random_from_here()
    }

    /// The same, where enough bytes stand that it may be made of.
    fn random_from_here(&mut self) -> Option<Run> {
        self.looked = self.end_of(self.at, |byte| ALPHABET[usize::from(byte)]);
        let length = self.looked - self.at;
        let (mut lower, mut upper, mut changes) = (0, 0, 0);
        let mut last = None;
        let bytes = self.bytes.get(self.at..).unwrap_or_default();
        for &byte in bytes.iter().take(length) {
            let kind = kind(byte);
            lower += usize::from(kind == Kind::Lower);
            upper += usize::from(kind == Kind::Upper);
            changes += usize::from(kind != Kind::Mark && last.is_some_and(|last| last != kind));
            last = (kind != Kind::Mark).then_some(kind);
        }
        let random = changes * 100 >= length * 43 && upper * 4 >= length && lower * 4 >= length;
        random.then(|| {
            self.at += length;
            self.run(Class::Random, length)
        })
    }

    /// One past the last of the bytes from `at` on that all are such ones.
    #[inline]
    fn end_of(&self, at: usize, is_one: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let length = rest.iter().position(|&byte| !is_one(byte));
        at + length.unwrap_or(rest.len())
    }

    #[inline]
    fn end_of_kind(&self, at: usize, of: Kind) -> usize {
        self.end_of(at, |byte| kind(byte) == of)
    }

    #[inline]
    fn kind_at(&self, at: usize) -> Option<Kind> {
        self.bytes.get(at).map(|&byte| kind(byte))
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.text.get(at..)?.chars().next()
    }

    fn latin_follows(&self, offset: usize) -> bool {
        let at = self.at + offset;
        match self.kind_at(at) {
            Some(Kind::Lower | Kind::Upper) => true,
            Some(Kind::Beyond) => self.char_at(at).is_some_and(is_latin),
            _ => false,
        }
    }

    fn run(&self, class: Class, length: usize) -> Run {
        Run {
            class,
            length,
            accents: 0,
            umlauts: 0,
            end: self.at,
        }
    }

    /// Letters up to the next capital after a small letter, and a contraction (`'s`).
    fn word(&mut self, lead: Lead) -> Run {
        let small = self.end_of_kind(self.at, Kind::Upper);
        let end = self.end_of_kind(small, Kind::Lower);
        if self.kind_at(end) == Some(Kind::Beyond) {
            return self.accented_word(lead);
        }
        let (capitals, small) = (small - self.at, end - small);
        self.at = end + self.contraction(end);
        self.run(
            Class::Word(lead, case_of(capitals, small)),
            capitals + small,
        )
    }

    /// The same with letters beyond ASCII.
    fn accented_word(&mut self, lead: Lead) -> Run {
        let (mut capitals, mut small) = (0, 0);
        let (mut accents, mut umlauts) = (0, 0);
        for letter in self
            .text
            .get(self.at..)
            .unwrap_or_default()
            .chars()
            .take_while(|&letter| is_latin(letter))
        {
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
        Run {
            accents,
            umlauts,
            ..self.run(
                Class::Word(lead, case_of(capitals, small)),
                capitals + small,
            )
        }
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
    fn blanks(&mut self) -> Option<Run> {
        let start = self.at;
        self.at = self.end_of_kind(start, Kind::Blank);
        let count = self.at - start;
        let next = match self.kind_at(self.at) {
            None => return Some(self.run(Class::Blanks, count)),
            Some(Kind::Line) => return None,
            Some(next) => next,
        };
        if count > 1 {
            self.at -= 1;
            return Some(self.run(Class::Blanks, count - 1));
        }
        if let Some(random) = self.random() {
            return Some(random);
        }
        match next {
            Kind::Digit => Some(self.run(Class::Blanks, 1)),
            Kind::Mark => Some(self.marks()),
            _ if self.latin_follows(0) => Some(self.word(Lead::Blank)),
            _ => None,
        }
    }

    /// White space up to its last line break.
    fn lines(&mut self) -> Run {
        let start = self.at;
        let mut at = start;
        while let Some(kind @ (Kind::Line | Kind::Blank)) = self.kind_at(at) {
            at += 1;
            if kind == Kind::Line {
                self.at = at;
            }
        }
        self.run(Class::Lines, self.at - start)
    }

    fn digits(&mut self) -> Run {
        let start = self.at;
        self.at = self.end_of_kind(start, Kind::Digit);
        self.run(Class::Digits, self.at - start)
    }

    /// Punctuation, and the line breaks right behind it.
    fn marks(&mut self) -> Run {
        let start = self.at;
        let first = self.bytes.get(start);
        let mut uniform = true;
        while self.kind_at(self.at) == Some(Kind::Mark) {
            uniform &= self.bytes.get(self.at) == first;
            self.at += 1;
        }
        let length = self.at - start;
        self.at = self.end_of_kind(self.at, Kind::Line);
        self.run(if uniform { Class::Rule } else { Class::Marks }, length)
    }

    /// Characters of one script, the first of which is `first`.
    fn beyond(&mut self, first: char) -> Run {
        let script = script_of(first);
        let rest = self.text.get(self.at..).unwrap_or_default().chars();
        let mut length = 0;
        for character in rest
            .take_while(|&next| !next.is_ascii() && script_of(next) == script && !is_latin(next))
        {
            length += 1;
            self.at += character.len_utf8();
        }
        self.run(Class::Other(script), length)
    }
}
