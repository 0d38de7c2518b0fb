//! The bytes of a body on their way to JSON. In come bytes cut anywhere, out come lines; and what stands in lines that are no
//! server-sent events, as one value of JSON after the other.

use super::halves::Halves;
use serde_json::Value;

/// Bytes on their way to lines, which end in LF, CR or CRLF.
#[derive(Default)]
pub(super) struct Lines {
    /// The line so far.
    bytes: Vec<u8>,
    /// Whether the last line ended in a CR: a LF behind it is part of that end.
    after_cr: bool,
    /// Whether a line was seen: a byte order mark stands only in front of the first.
    begun: bool,
}

impl Lines {
    /// The lines that end with these bytes. A character cut in two is whole again once its line is.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for &byte in bytes {
            let after_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => lines.push(self.end()),
                byte => self.bytes.push(byte),
            }
        }
        lines
    }

    /// The bytes of the line so far.
    pub(super) fn so_far(&self) -> &[u8] {
        &self.bytes
    }

    /// The line so far, ended here.
    pub(super) fn end(&mut self) -> String {
        let bytes = std::mem::take(&mut self.bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A line without its end, and the first without a byte order mark.
    pub(super) fn bare<'l>(&mut self, line: &'l str) -> &'l str {
        let line = line.trim_end_matches(['\n', '\r']);
        let is_first = !std::mem::replace(&mut self.begun, true);
        let unmarked = line.strip_prefix('\u{feff}').filter(|_| is_first);
        unmarked.unwrap_or(line)
    }
}

/// What stands outside of server-sent events: JSON, each value in a line of its own or printed over many; or a page.
#[derive(Default)]
pub(super) struct PlainJson {
    /// The value so far, or the page.
    text: String,
    /// Brackets that are open, as far as the bytes were looked at: each once.
    depth: usize,
    in_text: bool,
    escaped: bool,
    /// How much of the line that has not ended yet was looked at.
    seen: usize,
    is_page: bool,
}

impl PlainJson {
    /// Whether a value has begun and goes on in the next line.
    pub(super) fn goes_on(&self) -> bool {
        self.depth > 0 && !self.is_page
    }

    /// Whether the line so far closes the last bracket: an answer in one piece often has no end of its last line.
    pub(super) fn closes_with(&mut self, line: &[u8]) -> bool {
        let is_value = match line.first() {
            Some(b'{' | b'[') => true,
            // Server-sent data, whatever stands before it.
            Some(b'd') | None => false,
            _ => self.goes_on(),
        };
        if is_value {
            self.look_at(line);
        }
        // A page may close its brackets, too: only a value ends its line before the line does.
        is_value && self.depth == 0 && !self.is_page && {
            let whole = [self.text.as_bytes(), line].concat();
            serde_json::from_slice::<serde::de::IgnoredAny>(&whole).is_ok()
        }
    }

    /// Takes a line; gives the value that ends with it, behind one that was held for it.
    pub(super) fn line(
        &mut self,
        line: &str,
        halves: &mut Halves,
        is_last: impl Fn(&Value) -> bool,
    ) -> Vec<Value> {
        self.look_at(line.as_bytes());
        // A text of JSON does not go over the end of a line.
        (self.seen, self.in_text, self.escaped) = (0, false, false);
        self.text.extend([line, "\n"]);
        if self.is_page || self.depth > 0 {
            return Vec::new();
        }
        match halves.read(&self.text, is_last) {
            Ok(values) if self.text.trim_start().starts_with(['{', '[']) => {
                self.text.clear();
                values
            }
            _ => {
                self.is_page = true;
                Vec::new()
            }
        }
    }

    fn look_at(&mut self, line: &[u8]) {
        for byte in line.get(self.seen..).unwrap_or_default() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = self.in_text,
                b'"' => self.in_text = !self.in_text,
                b'{' | b'[' if !self.in_text => self.depth += 1,
                b'}' | b']' if !self.in_text => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.seen = line.len();
    }

    /// What came and is no value: a page, or one that breaks off.
    pub(super) fn rest(&self) -> &str {
        self.text.trim_end()
    }

    /// Whether nothing but the beginning of a value is left; of nothing at all, too.
    pub(super) fn breaks_off(&self) -> bool {
        let read = serde_json::from_str::<serde::de::IgnoredAny>(self.rest());
        read.is_err_and(|fault| fault.is_eof())
    }
}
