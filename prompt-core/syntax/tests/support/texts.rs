//! Random texts of what the grammar knows and stumbles over.

use prompt_syntax::{Options, Place};
use proptest::prelude::*;

pub(crate) const NAMES: &[&str] = &["name", "größe", "item", "type"];
pub(crate) const SECTIONS: &[&str] = &["rules", "style_guide"];

/// What Markdown, templates and this grammar stumble over.
const FRAGMENTS: &[&str] = &[
    "word",
    "two words",
    "{name}",
    "{größe}",
    "{item.0.x}",
    "{name:>8}",
    "{name:.2}",
    "{nam}",
    "{unknown}",
    "{ name }",
    "{name",
    "{{name}}",
    "{{{name}}}",
    "{{x}}",
    "{{x_{name}}}",
    "${name}",
    "${{name}}",
    "{}",
    "{0}",
    "{\"a\": 1}",
    "{",
    "}",
    "{{",
    "}}",
    "{?name}",
    "{?!name}",
    "{?nope}",
    "{/name}",
    "{/nope}",
    "{?item.x}",
    "{/item.x}",
    "{else}",
    "{{/x}}",
    "{{{{name}}}}",
    "{name:}",
    "{{name.len()}}",
    "{`name`}",
    "{!name}",
    "{? name}",
    "{ else }",
    "{/ name}",
    "{/?name}",
    "{/}",
    "{* item}",
    "{*item as}",
    "{if name}",
    "{/if}",
    "\n{:else}\n",
    "\n{#each item}\n",
    "\n{/each}\n",
    "\n{?name}\n",
    "\n  {?!item}\n",
    "\n{else}\n",
    "\n{/name}\n",
    "\n{/item}\n",
    "\n```\n{?name}\n{/name}\n```",
    "\n```\n\n{?name}\nx\n{else}\n\n{/name}\n\n```\n",
    "{{?name}}",
    "{_}",
    "{*name}",
    "{*item as name}",
    "{*item.x as it}",
    "{it.y}",
    "{index}",
    "{?last}",
    "{/last}",
    "{*nope}",
    "{#if name}",
    "{% if name %}",
    "{else if name}",
    "{{ name }}",
    "{{#if name}}",
    "{{#each item}}",
    "{{else}}",
    "{{/if}}",
    "{% else %}",
    "\n{% endif %}\n",
    "<% name %>",
    "{unknown[0]}",
    "{unknown:.2f}",
    "- [ ] ",
    "\n> {?name}\n",
    "\n> {/name}\n",
    "\n{*name}\n",
    "\n  {*item as it}\n",
    "\n{*name}# ",
    "\n{?name}{*item}# ",
    "\n```\n{*name}\n\n{item}\n\n{/name}\n```",
    "\n- ```\n  {?name}\n  a\n  {/name}\n  ```\n",
    "{PROMPT_SUBTREE}",
    "{COLLECTED_CONTEXT}",
    "{rules}",
    "{style_guide}",
    "{{PROMPT_SUBTREE}}",
    "#",
    "# ",
    "## ",
    "###### ",
    "####### ",
    " #",
    " ##",
    "\\#",
    "\\",
    "`",
    "``",
    "```",
    "````",
    "~~~",
    "~~~~",
    "```text",
    "```rust",
    "```ignore",
    "``` {name} ",
    "    ",
    "  ",
    " ",
    "\t",
    "- ",
    "* ",
    "+ ",
    "1. ",
    "2) ",
    "10. ",
    "> ",
    "---",
    "===",
    "***",
    "<!--",
    "-->",
    "<!--# ",
    "<!--# note -->",
    "<!-- x -->",
    "<tag>",
    "</tag>",
    "<a b=\"{name}\">",
    "Vec<T>",
    "<",
    "|",
    "é",
    "日本",
    "\u{3000}",
    "\u{a0}",
    "\u{2028}",
    "\n",
    "\n",
    "\n",
    "\n\n",
    "\n\n\n",
    "\n  ",
    "\n    ",
    "\n# ",
    "\n{PROMPT_SUBTREE}\n",
    "\n- ",
    "\n> ",
];

/// How lines start.
const STARTS: &[&str] = &[
    "",
    "",
    "",
    "# ",
    "## ",
    "### ",
    " # ",
    "   ### ",
    "    # ",
    "- ",
    "- - ",
    "  ",
    "    ",
    "\t",
    "      ",
    "1. ",
    "2. ",
    "> ",
    "> - ",
    "{?name}",
    "- {?!name}",
    "{?name}## ",
    "{?name}{?item}## ",
    "{?name}x{/name}",
    "{?name}{item}{else}y{/name}",
    "- {name}{item}",
    "```",
    "  ```",
    "```",
    "~~~",
    "    ```",
    "- ```",
    "<!--",
    "<!--# ",
    "{PROMPT_SUBTREE}",
    "  {rules}",
    "---",
    "-",
];

/// Texts without order, and texts made of lines.
fn texts() -> impl Strategy<Value = String> {
    let fragment = || prop::sample::select(FRAGMENTS);
    let line = (
        prop::sample::select(STARTS),
        prop::collection::vec(fragment(), 0..4),
    )
        .prop_map(|(start, rest)| format!("{start}{}", rest.concat()));
    let line = prop_oneof![3 => line, 1 => Just(String::new())];
    prop_oneof![
        prop::collection::vec(fragment(), 0..40).prop_map(|parts| parts.concat()),
        prop::collection::vec(line, 0..20).prop_map(|lines| lines.join("\n")),
    ]
}

pub(crate) fn places() -> impl Strategy<Value = Place> {
    prop::sample::select(&[Place::Node, Place::Introduction, Place::Inline, Place::Free][..])
}

pub(crate) fn options(place: Place) -> Options<'static> {
    Options {
        names: NAMES,
        sections: SECTIONS,
        ..Options::new(place)
    }
}

/// Lines that are conditions over blocks, well nested, with anything between them.
fn nested() -> impl Strategy<Value = String> {
    let line = (
        prop::sample::select(STARTS),
        prop::sample::select(FRAGMENTS),
    );
    let leaf = line.prop_map(|(start, rest)| format!("{start}{rest}\n"));
    leaf.prop_recursive(4, 40, 4, |inner| {
        let parts = prop::collection::vec(inner, 1..4).prop_map(|parts| parts.concat());
        (
            parts.clone(),
            prop::option::of(parts),
            prop::sample::select(&["", "!"][..]),
            prop::sample::select(&["", "\n"][..]),
        )
            .prop_map(|(yes, no, not, blank)| {
                let no = no.map_or(String::new(), |no| format!("{{else}}\n{no}"));
                format!("{blank}{{?{not}name}}\n{yes}{no}{{/name}}\n{blank}")
            })
    })
}

pub(crate) fn all_texts() -> impl Strategy<Value = String> {
    prop_oneof![2 => texts(), 1 => nested()]
}
