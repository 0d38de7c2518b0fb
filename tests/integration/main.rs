//! What the library promises, theme by theme, through its public API.

mod answers;
mod assembly;
mod budget;
mod compaction;
mod disclosure;
mod docs;
mod elements;
mod errors;
mod examples;
mod gate;
mod layers;
mod messages;
mod migrating;
mod nodes;
mod public;
mod regressions;
mod shapes;
mod talk;
mod texts;
mod tools;
mod trees;
mod wire;
mod xml;
