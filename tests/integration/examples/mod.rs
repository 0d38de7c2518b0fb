//! The examples do what they show.

mod agent_prompt;
mod arguments;
mod documentation;
mod prompt_command;
mod trees;
