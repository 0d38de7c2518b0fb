//! The guide: page by page, from a first prompt on. Every program on these pages is compiled and run as a
//! test of this crate. Where one has no `fn main`, it is the body of one: put it into `fn main() -> Result<(), Box<dyn
//! std::error::Error>> { .. Ok(()) }`.
//!
//! | page | for |
//! |---|---|
//! | [`first_prompt`] | a type, its variables and sections, three ways to print |
//! | [`real_prompts`] | lists, conditions, enums, what comes and goes |
//! | [`composing`] | trees of prompts, headings, Markdown from elsewhere, one leaf at a time |
//! | [`disclosure`] | summaries, and a model that opens what it needs |
//! | [`skills`] | a folder of skills: a line each, the text on demand |
//! | [`user_text`] | tags, and text that you do not trust |
//! | [`security`] | what is protected, what is not, files of strangers |
//! | [`budgets`] | what a prompt costs, a limit of tokens, and what goes first |
//! | [`messages`] | roles, tools, caches, instructions from several sources |
//! | [`conversations`] | long histories that stay cheap |
//! | [`run_time`] | prompts from files |
//! | [`wordings`] | other texts for a type, by path: checked, for people who do not write Rust |
//! | [`testing`] | snapshots, the page for reviewers, lints in tests |
//! | [`migrating`] | from `format!`, Jinja, askama, handlebars, `str.format`, template literals; to the byte |
//! | [`lints`] | settings for rustc, clippy, rustfmt and rustdoc |
//! | [`compared`] | what other libraries do |
//! | [`faq`] | why a section is not printed, errors of the compiler, editors, .. |
//!
//! Requests, replies, typed answers and whole agents have a guide of their own in `prompt-agent`, pages for reviewers and the
//! command `prompt` in `prompt-review`.
//!
//! For looking up: [`index`] has every key by what you want to do, [`language`] every construct of prompt text with input
//! and output, [`attributes`] every key of the derives, [`codes`] every diagnostic with a wrong and a right example.
//!
//! # Words
//!
//! | word | meaning |
//! |---|---|
//! | node | a type (or a run-time tree) that implements [`PromptNode`](crate::PromptNode) |
//! | element | one piece of a node's own text: title, text, code, slot, condition, loop |
//! | document | a tree that was asked once, and can be printed in many forms |
//! | variable | `{name}`: a field printed with `Display` |
//! | slot | `{PROMPT_SUBTREE}`, `{COLLECTED_CONTEXT}` or `{section_field}` alone on its line: where other content is embedded |
//! | section | a child node under a key, with title, visibility, priority, condition |
//! | section path | keys joined by dots: `style_guide.naming` |
//! | visibility | full or summary |
//! | level | heading level 1 to 6 |
//! | condition | `{?name}`: keeps or drops its line, or what stands up to `{/name}` |
//! | guarding | keeping values from opening or closing tags |
//! | rendered prompt | the result: text, sections with byte ranges, tools, messages |
//! | assembly | joining task, adapter and user instructions into messages |
//! | answer | the model's final reply as a Rust type, with the faults of one that does not fit |
//! | compaction | shrinking older history to recaps, in whole batches |

macro_rules! pages {
    ($($name:ident: $file:literal,)+) => {$(
        #[doc = include_str!($file)]
        pub mod $name {}
    )+};
}

pages! {
    first_prompt: "first_prompt.md",
    real_prompts: "real_prompts.md",
    composing: "composing.md",
    disclosure: "disclosure.md",
    skills: "skills.md",
    user_text: "user_text.md",
    security: "security.md",
    budgets: "budgets.md",
    messages: "messages.md",
    conversations: "conversations.md",
    run_time: "run_time.md",
    wordings: "wordings.md",
    testing: "testing.md",
    migrating: "migrating.md",
    lints: "lints.md",
    compared: "compared.md",
    faq: "faq.md",
    index: "index.md",
    language: "language.md",
    attributes: "attributes.md",
    codes: "codes.md",
}
