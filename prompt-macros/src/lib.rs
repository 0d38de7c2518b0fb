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

/// Makes a type a prompt. Its text is in the [language of prompts](../prompt_core/guide/language/index.html).
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
/// The doc comment of a struct, of a variant and of a `#[section]` field is **prompt text**. That of an enum, of a variable
/// field, and of anything with `template` or `file`, is documentation and never printed as a prompt.
///
/// A field is a **variable**, printed by `{name}` in any text of the type, or with `#[section]` a **section**: a child
/// under a heading of its own, placed by `{name}` alone on a line, by `{PROMPT_SUBTREE}`, or at the end. In an enum
/// every variant is a node with its own text; the active one is printed. `{?name}` asks whether there is something to
/// print: before the rest of a line, around a few words (`{?name}..{else}..{/name}`), or alone on a line around several.
/// `{*list}` prints what it holds once for each item, in the same three sizes; inside stand `{item}` and its fields.
///
/// Tuple fields have no names: they are sections with a `key`, or variables through `vars(name = self.0)` (in a variant
/// `_0`).
///
/// A list that a text prints says how its items are joined: `#[var(join = ", ")]`. An `Option` says what an absent one
/// prints: `#[var(default = "..")]`, `#[var(some = "..{}..")]` for nothing, or it stands behind its condition. A derived
/// type without headings, slots and sections can stand in a sentence: `{mode}`.
///
/// # Attributes
///
/// All keys, with their values and what they do, stand on the
/// [page of attributes](../prompt_core/guide/attributes/index.html).
///
/// | attribute | on | keys |
/// |---|---|---|
/// | `#[prompt(..)]` | struct, enum, variant | `key`, `title`, `summary`, `description`, `template`, `file`, `vars`, `level`, `append`, `heading`, `numbering`, `tight`, `gap`, `start`, `end`, `tag`, `attr`, `inline`, `indent`, `tools`, `summary_suffix`, `bound`, `allow`, `deny`, `crate` |
/// | `#[var(..)]` | field | `default`, `some`, `yes`, `no`, `item`, `join`, `last`, `hang`, `debug`, `json`, `with`, `trim`, `max`, `more`, `raw`, `untrusted` |
/// | `#[section(..)]` | field | `key`, `title`, `untitled`, `template`, `file`, `level`, `heading`, `tight`, `gap`, `when`, `empty`, `visibility`, `summary`, `item`, `join`, `last`, `item_title`, `item_key`, `item_tag`, `untitled_items`, `tag`, `attr`, `inline`, `indent`, `guard`, `raw`, `untrusted`, `priority`, `role`, `messages`, `cache`, `volatile`, `tools` |
///
/// # Errors
///
/// All mistakes of a type come out together, each at the doc line, key or value that it is about, with its stable code and
/// what to write instead. The [page of codes](../prompt_core/guide/codes/index.html) has a wrong and a right example of each.
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
