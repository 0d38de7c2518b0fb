//! What of a tree is shown: forms, budgets, the calls with which a model asks for more.

pub mod budget;
mod forms;
pub(crate) mod opening;
mod table;
pub(crate) mod telemetry;

pub(crate) use forms::{Bound, Forms, Offers, Resolved, Text, View, check_tools, openable};
pub(crate) use table::{Row, Table, open_tool};
