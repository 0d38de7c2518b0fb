//! What a response of HTTP says beside its body: the status, and when to come again. In come numbers and pairs of names and
//! values, so that no HTTP crate is needed; errors get from it what they say about another try.

use super::WireError;
use std::time::Duration;

/// What is known of a response beside its body.
#[derive(Clone, Copy, Default)]
pub(super) struct Head {
    status: Option<u16>,
    retry_after: Option<Duration>,
}

impl Head {
    pub(super) fn of<K: AsRef<str>, V: AsRef<[u8]>>(
        status: u16,
        headers: impl IntoIterator<Item = (K, V)>,
    ) -> Self {
        Self {
            status: Some(status),
            retry_after: retry_after(headers),
        }
    }

    /// Whether the status says that the body is no answer.
    pub(super) fn refuses(&self) -> bool {
        self.status
            .is_some_and(|status| !(200..300).contains(&status))
    }

    /// An error with what is known of the response. Some servers send errors with the status 200, and the real one in the
    /// body.
    pub(super) fn complete(&self, error: WireError) -> WireError {
        match error {
            WireError::Api {
                status,
                code,
                message,
                retry_after,
            } => WireError::Api {
                status: self.status.filter(|_| self.refuses()).or(status),
                code,
                message,
                retry_after: self.retry_after.or(retry_after),
            },
            WireError::NoReply { text, .. } => WireError::NoReply {
                status: self.status,
                text,
                retry_after: self.retry_after,
            },
            other => other,
        }
    }
}

/// How long the headers `retry-after-ms` and `retry-after` ask to wait; a date is taken relative to the header `date`.
fn retry_after<K: AsRef<str>, V: AsRef<[u8]>>(
    headers: impl IntoIterator<Item = (K, V)>,
) -> Option<Duration> {
    let (mut after, mut exact, mut now) = (None, None, None);
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_ref()).trim().to_owned();
        match name.as_ref().to_ascii_lowercase().as_str() {
            "retry-after" => after = Some(value),
            "retry-after-ms" => exact = value.parse::<f64>().ok(),
            "date" => now = seconds_of_date(&value),
            _ => {}
        }
    }
    let until = |text: &str| u32::try_from(seconds_of_date(text)?.saturating_sub(now?)).ok();
    let seconds = after.and_then(|text| text.parse().ok().or_else(|| until(&text).map(f64::from)));
    let wait = exact.map(|exact| exact / 1_000.0).or(seconds)?;
    Duration::try_from_secs_f64(wait).ok()
}

/// The seconds of a date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7), counted from some day long
/// ago.
fn seconds_of_date(date: &str) -> Option<u64> {
    const MONTHS: &str = "JanFebMarAprMayJunJulAugSepOctNovDec";
    let words: Vec<&str> = date.split([' ', ':']).collect();
    let number = |at: usize| Some(u64::from(words.get(at)?.parse::<u16>().ok()?));
    let month = MONTHS.find(words.get(2)?)? as u64 / 3;
    let (day, year) = (number(1)?, number(3)?);
    let time = number(4)? * 3_600 + number(5)? * 60 + number(6)?;
    // Years begin with March, so that a leap day is the last: 153 days in every five months.
    let (year, month) = if month < 2 {
        (year.checked_sub(1)?, month + 10)
    } else {
        (year, month - 2)
    };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
    Some(days * 86_400 + time)
}
