//! Shared parts of the example programs.
#![forbid(unsafe_code)]

pub mod agent_prompt;
pub mod arguments;
pub mod bulletin;
pub mod chart;
#[cfg(any(
    feature = "client-async-openai",
    feature = "client-genai",
    feature = "client-reqwest",
    feature = "client-rig",
    feature = "client-rmcp"
))]
pub mod clients;
pub mod disk;
pub mod documentation;
pub mod from_file;
pub mod history_file;
#[cfg(feature = "live")]
pub mod live;
pub mod report;
#[cfg(feature = "sqlite")]
pub mod saved_agent;
pub mod savings;
pub mod shop;
pub mod verification;
