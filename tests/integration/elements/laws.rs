//! Laws of templates, over random texts.

use prompt_core::Template;
use prompt_core::elements;
use proptest::prelude::*;

/// How lines start.
const STARTS: &[&str] = &[
    "",
    "",
    "# ",
    "## ",
    "### ",
    "   #### ",
    "    # ",
    "- ",
    "  ",
    "\t",
    "1. ",
    "> ",
    "{?name}",
    "{?name}{?!item}",
    "- {?!name}",
    "```",
    "  ```",
    "~~~",
    "~~~~",
    "```",
    "- ```",
    "<!--",
    "<!--# ",
    "===",
    "---",
    "  # ",
];

/// What stands in them.
const PIECES: &[&str] = &[
    "word",
    "two words",
    " ",
    "{name}",
    "{größe}",
    "{item.0.x}",
    "{name:>8}",
    "{name::>3}",
    "{item.x:.2}",
    "{unknown}",
    "{name",
    "{ name }",
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
    "`",
    "``",
    "`{name}`",
    "`{x}`",
    "`{{name}}`",
    "```",
    "#",
    " #",
    " ##",
    "\\",
    "\t",
    "é",
    "日本",
    "\u{3000}",
    "{PROMPT_SUBTREE}",
    "{{PROMPT_SUBTREE}}",
    "{rules}",
    "<!--",
    "-->",
    "{?name}",
    "{?nope}",
    "\r",
];

/// Whole lines.
const LINES: &[&str] = &[
    "",
    "",
    "",
    "  ",
    "{PROMPT_SUBTREE}",
    "  {COLLECTED_CONTEXT}",
    "\t{rules}",
    "{style_guide}",
    "{name}",
    "{name}",
    "```",
    "```",
    "~~~",
    "  ```",
    "# T {name}",
    "###### Six",
    "## Two ##",
    "``` {name} ",
    "```rust",
    "{?name}",
    "<!--# n -->",
];

fn texts() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..5);
    let line = (prop::sample::select(STARTS), pieces)
        .prop_map(|(start, rest)| format!("{start}{}", rest.concat()));
    let whole = prop::sample::select(LINES).prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![line, whole], 0..14).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(2_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_template_has_the_elements_of_its_text(text in texts()) {
        match (Template::parse(&text), elements::parse(&text)) {
            (Ok(template), Ok(list)) => {
                prop_assert_eq!(template.names(), list.names());
                prop_assert_eq!(template.elements(), list);
            }
            (Err(left), Err(right)) => prop_assert_eq!(left, right),
            (left, right) => prop_assert!(false, "{left:?} {right:?}"),
        }
    }
}
