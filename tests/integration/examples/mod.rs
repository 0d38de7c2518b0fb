//! The examples do what they show.

mod agent_prompt;
mod trees;
