//! Random inputs with a structure, for everything that reads or writes text.
//!
//! A target makes its input from bytes: each decision takes the next one, and 0 when they are at an end. So a run is known
//! by its seed, a failing input is a short list of bytes, and making the list smaller makes the input simpler.

mod answers;
mod derive;
mod doors;
pub mod fences;
mod guards;
mod layout;
mod mended;
mod pages;
mod promises;
mod servers;
mod states;
mod targets;
mod texts;
mod verbatim;

pub use targets::TARGETS;
pub use texts::{Data, Shelf, compare, data, node, text};

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// Something to be fuzzed.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name on the command line and in the names of regression files.
    pub name: &'static str,
    /// Builds an input, and tells which law it breaks.
    pub run: fn(&mut Source<'_>) -> Result<(), String>,
}

/// An input that takes longer than this is a failure, whatever comes out.
const SLOW: Duration = Duration::from_secs(5);

/// Decisions, drawn from bytes.
pub struct Source<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Source<'b> {
    /// All decisions of an input.
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// The next byte; 0 at the end.
    pub fn byte(&mut self) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte
    }

    /// A number below `end`, which is at most 256.
    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) * end / 256
    }

    /// True in `percent` of the cases; false when the bytes are at an end.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) + percent >= 100
    }

    /// One of these.
    pub fn pick<'t, T: ?Sized>(&mut self, of: &[&'t T]) -> &'t T {
        of[self.below(of.len())]
    }

    /// At most `most` of these, one after the other.
    pub fn text(&mut self, pieces: &[&str], most: usize) -> String {
        let count = self.below(most + 1);
        (0..count).map(|_| self.pick(pieces)).collect()
    }
}

fn check(law: bool, words: impl FnOnce() -> String) -> Result<(), String> {
    if law { Ok(()) } else { Err(words()) }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, left: &T, right: &T) -> Result<(), String> {
    check(left == right, || format!("{what}\n  {left:?}\n  {right:?}"))
}

/// The bytes of a seed: xorshift64*, and a length that is mostly small.
pub fn bytes_of(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32
    };
    next();
    let room = 1_usize << (5 + next() % 6);
    let length = room + (next() as usize) % room;
    (0..length).map(|_| next() as u8).collect()
}

/// Runs a target on an input; a panic and a very slow run are failures too.
///
/// # Errors
///
/// What went wrong.
pub fn run(target: &Target, bytes: &[u8]) -> Result<(), String> {
    let start = Instant::now();
    let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&mut Source::new(bytes))));
    let outcome = outcome.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panic: {}", text.unwrap_or("of unknown reason")))
    });
    match start.elapsed() {
        time if time > SLOW && outcome.is_ok() => Err(format!("took {time:?}")),
        _ => outcome,
    }
}

/// A shorter input that still fails: halves, then pieces, are taken away while it does.
pub fn shrink(target: &Target, mut bytes: Vec<u8>) -> Vec<u8> {
    let end = Instant::now() + Duration::from_secs(10);
    let mut piece = bytes.len() / 2;
    while piece > 0 && Instant::now() < end {
        let mut at = 0;
        while at < bytes.len() && Instant::now() < end {
            let mut shorter = bytes.clone();
            shorter.drain(at..(at + piece).min(bytes.len()));
            if run(target, &shorter).is_err() {
                bytes = shorter;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    bytes
}

/// An input as a text file holds it: two digits a byte.
pub fn to_hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (at, byte) in bytes.iter().enumerate() {
        let end = if at % 32 == 31 { "\n" } else { "" };
        _ = write!(text, "{byte:02x}{end}");
    }
    text
}

/// Reads what [`to_hex`] wrote.
///
/// # Errors
///
/// The digits that are none.
pub fn from_hex(text: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let byte = |pair: &[char]| {
        let pair: String = pair.iter().collect();
        u8::from_str_radix(&pair, 16).map_err(|_| format!("`{pair}` is no byte"))
    };
    digits.chunks(2).map(byte).collect()
}
