//! The derive macros of `prompt-core`. Use them through that crate, which re-exports them.
#![forbid(unsafe_code)]

mod check;
mod derive;
mod diagnostic;
mod expand;
mod input;
mod model;
mod task;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Makes a struct or an enum a prompt: its doc comment is the text, its fields are variables and sections.
///
/// ```ignore
/// use prompt_core::PromptNode;
///
/// /// You review {language} code for {team}.
/// ///
/// /// ## How to work
/// ///
/// /// {PROMPT_SUBTREE}
/// #[derive(PromptNode)]
/// struct Reviewer {
///     language: String,
///     team: String,
///
///     /// Read the diff twice before the first comment.
///     #[section]
///     method: (),
///
///     #[section(tag = "critical_rules", priority = "required")]
///     rules: Vec<String>,
/// }
/// ```
///
/// A field is a **variable**, printed by `{name}` in any text of the type, or with `#[section]` a **section**: a child
/// under a heading of its own, placed by `{name}` alone on a line, by `{PROMPT_SUBTREE}`, or at the end. In an enum
/// every variant is a node with its own text; the active one is printed. `{?name}` asks whether there is something to
/// print: before the rest of a line, around a few words (`{?name}..{else}..{/name}`), or alone on a line around several.
///
/// Texts and templates are string literals; `item_key`, `with` and `crate` are bare names or paths; every other value is
/// a literal or an expression in which `self` is the node, or in a variant its fields by name, borrowed. Tuple fields
/// have no names: they are sections with a `key`, or variables through `vars(name = self.0)` (in a variant `_0`).
/// Every template sees the variables and conditions of the node.
///
/// A list that a text prints says how its items are joined: `#[var(join = ", ")]`. An `Option` says what an absent one
/// prints: `#[var(default = "..")]`, `#[var(some = "..{}..")]` for nothing, or it stands behind its condition. A derived
/// type without headings, slots and sections can stand in a sentence: `{mode}`.
///
/// # `#[prompt(..)]` on a struct, an enum or a variant
///
/// What an enum says holds for every variant that does not say otherwise; its doc comment is documentation only.
///
/// | key | meaning |
/// |---|---|
/// | `key = ".."` | name towards the outside, as in MCP |
/// | `title = ".."` | heading where the node is embedded without a title of its own; a template |
/// | `summary = ".."` | short form where a section that embeds the node gives none; a template |
/// | `description = ".."` | what the prompt is for; never printed |
/// | `template = ".."` | the text, instead of the doc comment |
/// | `file = "prompts/x.md"` | the text, from a file relative to the folder of `Cargo.toml`; the build reruns when it changes |
/// | `vars(name = expr, PATH, ..)` | more variables; of a path the last word is the name. An entry takes the keys of `#[var]` in braces: `vars(names = &self.tools, { join = ", " })` |
/// | `level = 2` | where sections without a slot stand |
/// | `append = false` | a section without a slot is an error |
/// | `heading = "== {title}"` | another form of the generated headings of its sections |
/// | `numbering`, `numbering = "none"` | decimal numbers before the generated headings of the tree |
/// | `tight` | generated headings stand directly above their body |
/// | `gap = 0` | blank lines between its sections |
/// | `start = "\n"`, `end = "\n"` | put before, and after, everything |
/// | `tag = ".."` | a tag around the node |
/// | `attr(name = expr, title)` | attributes of the tag: `bool`, numbers, text, `Option` of these |
/// | `inline` | tag and text on one line |
/// | `tools = expr` | the tools of the node: a `ToolSpec`, or a list or `Option` of them |
/// | `summary_suffix = ".."` | the wording under summaries, with `{key}` and `{subsections}` |
/// | `bound = "T: Display"` | the bounds of the implementation, instead of those that follow from what is printed and embedded |
/// | `allow(rule, ..)` | switches rules off: `skipped_level`, `heading_above_top`, `setext_heading`, `unclosed_fence`, `doctest_fence`, `spaced_variable`, `unclosed_brace`, `doubled_braces` |
/// | `deny(rule, ..)` | makes lints errors: `naming`, `generic_name`, `long_name`, `volatile_before_cache`, `setext_heading`, `doubled_braces`, `unused_variable`; the others are seen by `prompt.lint()` only |
/// | `crate = path` | the path of `prompt_core`, where it was renamed |
///
/// # `#[var(..)]` on a field
///
/// | key | meaning |
/// |---|---|
/// | `default = ".."` | for an absent `Option`, or an empty list |
/// | `some = " ({})"` | how a present `Option`, or a list with items, prints; otherwise nothing |
/// | `yes = "..", no = ".."` | how a `bool` prints |
/// | `item = "- {item.name}"` | how an item of a list or map prints: `{item}`, `{item.field}`, `{item.0}`, `{index}` from 1, `{index0}`, and the variables of the node |
/// | `join = ", "`, `last = " or "` | between items (a line break without it), between the last two; a list needs `join` or `item` |
/// | `hang`, `hang = 4` | continuation lines take the column of the first, or this one |
/// | `debug`, `json`, `json = "pretty"`, `json = 4` | printed with `Debug`, as JSON; a number is the indentation |
/// | `with = path` | printed as what this function makes of `&field`, which has `Display` |
/// | `raw` | not guarded against tags of the document |
/// | `untrusted` | headings, fences and chat tokens in it are defused |
///
/// # `#[section(..)]` on a field
///
/// | key | meaning |
/// |---|---|
/// | `key = ".."` | last part of its path; the field's name without it |
/// | `title = ".."` | its heading; without it the child's title, else the field's name in title case |
/// | `untitled` | no heading |
/// | `template`, `file` | the introduction, instead of the doc comment |
/// | `visibility = "summary"` or an expression | whether only the summary is shown |
/// | `summary = ".."` | the short form; of a list of nodes, or with `item_key`, `item_title` or `item_tag`, that of each item, and it sees `{item}` |
/// | `when = expr` | whether it is there |
/// | `empty = ".."` | printed instead of an empty value |
/// | `item`, `join`, `last` | lists, as for variables |
/// | `item_title = ".."`, `item_key = field`, `item_tag = ".."` | heading, last part of the path, and tag of each item |
/// | `untitled_items` | the list has its heading, its items have none |
/// | `tag`, `attr(..)`, `inline`, `indent = 2` | a tag instead of a heading |
/// | `guard = "escaped"`, `"cdata"`, `"strict"` | what happens to tags in values |
/// | `untrusted` | headings, fences and chat tokens in its values are defused |
/// | `priority = 50`, `"required"` or an expression | how long a budget keeps it, higher is longer; without it as long as the section around it, and at the top it is required |
/// | `role = "user"`, `"system"`, `"assistant"` | it becomes a message of this role |
/// | `messages` | the field is a history, `Vec<Message>`, which is spliced in |
/// | `cache`, `cache = 3600`, `volatile` | a cache point after it; it changes from call to call |
/// | `tools = expr` | its own tools |
/// | `level = 2` | the level of its heading in the node's own text, wherever it stands |
/// | `gap = 0` | blank lines between it and its neighbours |
/// | `heading`, `tight` | as for the node |
///
/// # Errors
///
/// All mistakes of a type come out together, each at the doc line, key or value that it is about, with its stable code
/// and what to write instead.
#[proc_macro_derive(PromptNode, attributes(prompt, var, section))]
pub fn derive_prompt_node(input: TokenStream) -> TokenStream {
    derive::prompt_node(input.into()).into()
}

/// Derives the trait `prompt_core::PromptTask` for an enum without fields.
///
/// On a variant:
///
/// - `#[task(category = "..")]`: the category whose entry in a config the task falls back to;
/// - `#[task(name = "..")]`: the name, where it is not the variant in snake case.
///
/// On the enum:
///
/// - `#[task(categories = ["..", ..])]`: the categories there are; any other on a variant is then an error;
/// - `#[task(crate = path)]` or `#[prompt(crate = path)]`: where `prompt_core` is, if it is not `::prompt_core`.
///
/// Besides the trait it implements `FromStr` and `Display`, and gives `ALL` and `as_str` as inherent items.
#[proc_macro_derive(PromptTask, attributes(task, prompt))]
pub fn derive_prompt_task(input: TokenStream) -> TokenStream {
    task::derive(input.into()).into()
}
