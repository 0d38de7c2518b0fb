//! The guide: from a rendered prompt to a provider and back. Every program on these pages is compiled and run as a test of
//! this crate. Where one has no `fn main`, it is the body of one: put it into `fn main() -> Result<(), Box<dyn
//! std::error::Error>> { .. Ok(()) }`.
//!
//! | page | for |
//! |---|---|
//! | [`agents`] | a whole agent: one value that is saved, one budget, any provider |
//! | [`providers`] | requests and replies in each provider's format, another try |
//! | [`requests`] | temperature, limits, tool choice, reasoning; images; what it cost; caches |
//! | [`streams`] | replies shown while they come; async |
//! | [`clients`] | a real provider in one program; `reqwest`, `async-openai`, `genai`, `rig`, `rmcp` |
//! | [`answers`] | the model's reply as a Rust type |
//! | [`testing`] | an agent against a model that plays a script |
//!
//! How prompts are written, opened, kept within a budget and tested is in the guide of
//! [`prompt-core`](prompt_core::guide).

macro_rules! pages {
    ($($name:ident: $file:literal,)+) => {$(
        #[doc = include_str!($file)]
        pub mod $name {}
    )+};
}

pages! {
    agents: "guide/agents.md",
    providers: "guide/providers.md",
    requests: "guide/requests.md",
    streams: "guide/streams.md",
    clients: "guide/clients.md",
    answers: "guide/answers.md",
    testing: "guide/testing.md",
}
