//! The examples do what they show.

mod agent_prompt;
mod arguments;
mod documentation;
mod faults;
mod shop;
mod trees;
