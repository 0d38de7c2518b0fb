use serde_json::{Value, json};

/// A version of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Version {
    /// 2025-11-25: a session opens with `initialize`.
    #[default]
    V2025_11_25,
    /// 2026-07-28: no handshake; every request carries `_meta`, every result `resultType`, lists `ttlMs` and
    /// `cacheScope`.
    V2026_07_28,
}

/// The version of the protocol, and what its later version wants to be told.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// The version of the protocol.
    pub version: Version,
    /// Name and version of the client, for the `_meta` of its requests.
    pub client: (String, String),
    /// How long a list stays fresh, in milliseconds.
    pub ttl_ms: u64,
    /// Whether a cached list may be shared between users.
    pub shared: bool,
}

impl Default for Options {
    fn default() -> Self {
        let client = (
            env!("CARGO_PKG_NAME").to_owned(),
            env!("CARGO_PKG_VERSION").to_owned(),
        );
        Self {
            version: Version::default(),
            client,
            ttl_ms: 0,
            shared: false,
        }
    }
}

impl Options {
    /// Options for version 2025-11-25.
    pub fn new() -> Self {
        Self::default()
    }

    /// The version of the protocol.
    #[must_use]
    pub fn version(mut self, version: Version) -> Self {
        self.version = version;
        self
    }

    /// Name and version of the client, for the `_meta` of its requests.
    #[must_use]
    pub fn client(mut self, name: impl Into<String>, version: impl Into<String>) -> Self {
        self.client = (name.into(), version.into());
        self
    }

    /// How long a list stays fresh, in milliseconds; 0 by default.
    #[must_use]
    pub fn ttl_ms(mut self, milliseconds: u64) -> Self {
        self.ttl_ms = milliseconds;
        self
    }

    /// Whether a cached list may be shared between users; it may not by default.
    #[must_use]
    pub fn shared(mut self, shared: bool) -> Self {
        self.shared = shared;
        self
    }

    pub(super) fn is_stateless(&self) -> bool {
        self.version == Version::V2026_07_28
    }

    /// The `_meta` of a request.
    pub(super) fn meta(&self) -> Value {
        json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": self.client.0, "version": self.client.1 },
            "io.modelcontextprotocol/clientCapabilities": {},
        })
    }
}
