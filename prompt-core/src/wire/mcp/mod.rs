//! The Model Context Protocol: a server that offers prompts and tools to a client, which talks to the model.
//!
//! There is no request with messages here. A server answers `prompts/list` with [`prompts_list`], `prompts/get` with
//! [`prompts_get`], `tools/list` with [`tools_list`] and `tools/call` with [`tool_results`]; it reads what was asked
//! with [`prompt_arguments`] and [`tool_calls`]. [`call`] and [`reply`] put the JSON-RPC envelope around.
//!
//! - Messages have only the roles user and assistant, and one block each: system text travels as a user message, and a
//!   message of several pieces becomes several messages.
//! - The arguments of a prompt are strings.
//! - The shape is that of version 2025-11-25; [`Options::version`] gives that of 2026-07-28.
//!
//! ```
//! use prompt_core::Message;
//! use prompt_core::wire::mcp;
//!
//! let options = mcp::Options::new();
//! let result = mcp::prompts_get("Reviews code.", &[Message::system("You review code.")], &options)?;
//! assert_eq!(result["messages"][0]["role"], "user");
//! # Ok::<(), prompt_core::wire::WireError>(())
//! ```

mod decode;
mod encode;
mod options;
mod parts;

pub use decode::{messages, prompt_arguments, tool_calls};
pub use encode::{call, prompts_get, prompts_list, reply, tool_results, tools_list};
pub use options::{Options, Version};
pub use parts::{McpArgument, McpPrompt, McpTool};

const FORMAT: &str = "mcp";
