//! Formats of texts that types of other crates read: dates, times, ids. The type decides what it takes; here is only told what
//! it surely does not take, so that all faults of an answer come at once.

/// A format, as a model is told of it.
pub(super) struct Format {
    /// Its name, and an example.
    pub(super) said: &'static str,
    takes: fn(&str) -> bool,
}

impl Format {
    /// Whether a type of this format may take a text: what common crates read, and all that looks like it.
    pub(super) fn takes(&self, text: &str) -> bool {
        (self.takes)(text)
    }
}

/// The format of a name, as a schema has it, if its texts are looked at.
pub(super) fn format(name: &str) -> Option<Format> {
    let (said, takes): (_, fn(&str) -> bool) = match name {
        "date-time" => ("date-time (2026-01-02T03:04:05Z)", is_date_time),
        "partial-date-time" => ("date-time (2026-01-02T03:04:05)", is_partial_date_time),
        "date" => ("date (2026-01-02)", |text| date(text) == Some("")),
        "time" => ("time (03:04:05Z)", |text| time(text).is_some_and(is_offset)),
        "partial-time" => ("time (03:04:05)", |text| time(text) == Some("")),
        "uuid" => ("uuid (a1a2a3a4-b1b2-c1c2-d1d2-e1e2e3e4e5e6)", is_uuid),
        _ => return None,
    };
    Some(Format { said, takes })
}

fn is_date_time(text: &str) -> bool {
    date(text).and_then(separated_time).is_some_and(is_offset)
}

fn is_partial_date_time(text: &str) -> bool {
    date(text).and_then(separated_time) == Some("")
}

/// What follows a number of so many digits, and the number.
fn number(text: &str, digits: usize) -> Option<(u32, &str)> {
    let (number, rest) = text.split_at_checked(digits)?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    Some((number.parse().ok().filter(|_| is_number)?, rest))
}

/// What follows a date: `2026-01-02`, and years of more digits.
fn date(text: &str) -> Option<&str> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (year, rest) = unsigned.split_once('-')?;
    let is_year = (4..=6).contains(&year.len()) && year.bytes().all(|byte| byte.is_ascii_digit());
    let year: u32 = year.parse().ok().filter(|_| is_year)?;
    let (month, rest) = number(rest, 2)?;
    let (day, rest) = number(rest.strip_prefix('-')?, 2)?;
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=days).contains(&day).then_some(rest)
}

fn separated_time(text: &str) -> Option<&str> {
    time(text.strip_prefix(['T', 't', ' ', '_'])?)
}

/// What follows a time: `03:04:05.678`, where seconds may be missing.
fn time(text: &str) -> Option<&str> {
    let (hour, rest) = number(text, 2)?;
    let (minute, mut rest) = number(rest.strip_prefix(':')?, 2)?;
    let mut second = 0;
    if let Some(seconds) = rest.strip_prefix(':') {
        (second, rest) = number(seconds, 2)?;
        if let Some(fraction) = rest.strip_prefix(['.', ',']) {
            rest = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        }
    }
    (hour < 24 && minute < 60 && second <= 60).then_some(rest)
}

/// `Z`, `+01:00`, and the name of a zone in brackets behind it.
fn is_offset(text: &str) -> bool {
    let (offset, zone) = text.split_at(text.find('[').unwrap_or(text.len()));
    let offset = offset.trim();
    let is_utc = ["z", "utc"]
        .iter()
        .any(|utc| offset.eq_ignore_ascii_case(utc));
    let is_hours = offset.strip_prefix(['+', '-']).is_some_and(|hours| {
        let digits = hours.bytes().filter(u8::is_ascii_digit).count();
        let rest = hours.bytes().filter(|byte| *byte != b':').count();
        digits == rest && (2..=6).contains(&digits)
    });
    (is_utc || is_hours) && (zone.is_empty() || zone.ends_with(']'))
}

fn is_uuid(text: &str) -> bool {
    let text = text.strip_prefix("urn:uuid:").unwrap_or(text);
    let inner = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'));
    let text = inner.unwrap_or(text);
    let groups: Vec<usize> = text.split('-').map(str::len).collect();
    let is_hex = text
        .bytes()
        .all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    is_hex && matches!(groups.as_slice(), [32] | [8, 4, 4, 4, 12])
}
