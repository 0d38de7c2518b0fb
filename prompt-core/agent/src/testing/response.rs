//! What a server would send back: status, headers, bytes.

use std::time::Duration;

/// An answer as it would come over HTTP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    pub(super) status: u16,
    pub(super) retry_after: Option<Duration>,
    pub(super) content_type: &'static str,
    pub(super) body: Vec<u8>,
    pub(super) is_cut: bool,
}

impl Response {
    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The headers, with names in lower case.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        let mut headers = vec![("content-type", self.content_type.to_owned())];
        let wait = self.retry_after.map(|wait| wait.as_secs().to_string());
        headers.extend(wait.map(|seconds| ("retry-after", seconds)));
        headers
    }

    /// How long the client is asked to wait, in whole seconds.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// The bytes that come. Of a connection that is cut these are the first ones only, cut anywhere, also inside a
    /// character.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Whether the connection is cut behind the bytes: an error of the client's transport, not an end.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The bytes in pieces of 1 to 16, as a network might cut them: events, lines and characters come apart. Each seed cuts
    /// elsewhere; one seed always alike.
    pub fn pieces(&self, seed: u64) -> impl Iterator<Item = &[u8]> {
        let (mut rest, mut random) = (self.body.as_slice(), seed | 1);
        std::iter::from_fn(move || {
            // Marsaglia's xorshift, "Xorshift RNGs" (2003): enough to cut.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let length = usize::try_from(random % 16).map_or(1, |length| length + 1);
            let (piece, behind) = rest.split_at(length.min(rest.len()));
            rest = behind;
            (!piece.is_empty()).then_some(piece)
        })
    }
}
