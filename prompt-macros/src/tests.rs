//! What the derives write, as a person reads it, and that odd types make them no trouble. Random types are put through them
//! by the target `derive` of the fuzz command.
//!
//! One type per file in `tests/expansion`, its expansion beside it; `UPDATE_EXPECT=1 cargo test -p prompt-macros` writes
//! them anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::format_push_string
)]

mod pages;

use crate::{derive, task};
use proc_macro2::TokenStream;
use std::{fs, path::PathBuf};

/// Bytes of an expansion of ten documented variables, without layout.
const LARGEST: usize = 1900;
/// Bytes that a section adds, its own words included.
const LARGEST_SECTION: usize = 275;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/expansion")
        .join(name)
}

fn expand(source: &str) -> String {
    let tokens = derive::prompt_node(source.parse::<TokenStream>().unwrap());
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

/// The bytes that a compiler reads: no indentation, no line breaks, blanks only between words.
fn size(source: &str) -> usize {
    let text = derive::prompt_node(source.parse::<TokenStream>().unwrap()).to_string();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let chars: Vec<char> = text.chars().collect();
    let needless = |at: usize| {
        let around = [at.checked_sub(1), Some(at + 1)]
            .map(|at| at.and_then(|at| chars.get(at)).is_some_and(|c| word(*c)));
        chars[at] == ' ' && around != [true, true]
    };
    (0..chars.len())
        .filter(|at| !needless(*at))
        .map(|at| chars[at].len_utf8())
        .sum()
}

#[test]
fn expansions() {
    for name in [
        "quickstart",
        "ten_variables",
        "prints",
        "lists",
        "conditions",
        "loops",
        "expressions",
        "workflow",
        "generic",
        "file",
        "wrong",
    ] {
        let source = fs::read_to_string(fixture(&format!("{name}.rs"))).unwrap();
        expect_test::expect_file![fixture(&format!("{name}.expanded.rs"))]
            .assert_eq(&expand(&source));
    }
}

#[test]
fn ten_variables_are_small() {
    let source = fs::read_to_string(fixture("ten_variables.rs")).unwrap();
    let size = size(&source);
    assert!(size <= LARGEST, "{size} bytes");
}

#[test]
fn a_section_is_small() {
    let one = "struct Root { #[section] rules: Rules }";
    let two = "struct Root { #[section] rules: Rules, #[section] more_rules: MoreRules }";
    let added = size(two) - size(one);
    assert!(added <= LARGEST_SECTION, "{added} bytes");
}

#[test]
fn only_the_renamed_crate_is_named() {
    let source = fs::read_to_string(fixture("generic.rs")).unwrap();
    assert!(!expand(&source).contains("prompt_core"));
}

/// Ten lists whose templates name three others each: each template stands in the expansion once.
#[test]
fn templates_that_name_each_other_do_not_blow_up() {
    let field = |index: usize| {
        let others = [1, 2, 3].map(|step| format!("{{list_{}}}", index + step));
        let item = if index < 10 {
            others.concat()
        } else {
            "{item}".to_owned()
        };
        format!("#[var(item = \"{item}\")] list_{index}: Vec<String>,")
    };
    let fields: String = (0..13).map(field).collect();
    let source = format!("#[doc = \"{{list_0}}\"] struct Root {{ {fields} }}");
    assert!(size(&source) < 6000, "{}", size(&source));
}

/// A literal is repeated for the first few names in it that are not known, and not for each.
#[test]
fn what_is_said_of_a_literal_grows_as_it_does() {
    let size = |count: usize| {
        let names = (0..count).map(|number| format!("{{b{number}}} "));
        let text = names.collect::<Vec<_>>().concat();
        let source = format!("#[prompt(template = \"{text}\")] struct Root {{ a: u8 }}");
        size(&source)
    };
    let (small, large) = (size(100), size(400));
    assert!(large < 5 * small, "{small} and {large} bytes");
}

/// What comes out is Rust, and every complaint has a code.
fn is_sound(source: &str) {
    let Ok(tokens) = source.parse::<TokenStream>() else {
        return;
    };
    for output in [derive::prompt_node(tokens.clone()), task::derive(tokens)] {
        let text = output.to_string();
        let file: syn::File = syn::parse2(output)
            .unwrap_or_else(|error| panic!("no Rust: {error}\n{source}\n{text}"));
        for item in &file.items {
            let syn::Item::Macro(complaint) = item else {
                continue;
            };
            let message: syn::LitStr = complaint.mac.parse_body().unwrap();
            let message = message.value();
            let has_code = prompt_syntax::Code::ALL
                .iter()
                .any(|code| message.contains(&format!("[{code}]")));
            assert!(has_code, "no code: {message}\n{source}");
        }
    }
}

#[test]
fn nothing_panics_on_odd_types() {
    let types = [
        "#[prompt(file = \"\")] struct A;",
        "struct A;",
        "struct A();",
        "struct A {}",
        "enum A {}",
        "union A { a: u8 }",
        "struct A(#[section] B);",
        "#[prompt] struct A;",
        "#[prompt()] struct A;",
        "#[prompt(,)] struct A;",
        "#[prompt(3)] struct A;",
        "#[prompt(a::b = 1)] struct A;",
        "#[prompt(title = )] struct A;",
        "#[doc] struct A;",
        "#[doc = 3] struct A;",
        "#[doc = \"{self} {crate} {Self} {_} {é} {a.0.1} {a.99999999999999999999}\"] struct A { a: u8 }",
        "#[doc = \"\\u{feff}{\\u{200b}}\"] struct A;",
        "struct A { #[section(item_key = a.b.0)] r#fn: B }",
        "#[prompt(vars(r#fn = 1, self = 2))] struct A;",
        "#[prompt(vars(self, crate, Self, super, a::b, {}))] struct A;",
        "#[prompt(vars({ join = \", \" }))] struct A;",
        "#[prompt(vars(a = 1, { join = 3 b }))] struct A;",
        "#[prompt(vars(a: 1))] struct A;",
        "#[prompt(tag = \"a\", attr(data-source = \"a\"))] struct A;",
        "#[prompt(tag = \"a\", attr(a = 1 b = 2))] struct A;",
        "#[prompt(template = \"{a.self} {a.crate} {a._}\")] struct A { a: u8 }",
        "fn a() {}",
        "",
        "struct A<'a, T: 'a + ?Sized, const N: usize = 3>(&'a T) where T: Sized;",
        "#[prompt(level = 99999999999999999999)] struct A;",
        "struct A { #[section(priority = 99999999999)] a: B }",
        "#[doc = \"{a}\"] struct A { #[var(item = \"{a}\")] a: Vec<u8> }",
        "#[doc = \"{a}\"] struct A { #[var(item = \"{b}\")] a: Vec<u8>, #[var(some = \"{}{a}\")] b: Option<u8> }",
        "struct A { #[var(some = \"{}{}\")] a: Option<u8>, #[var(some = \"\")] b: Option<u8> }",
        "#[prompt(bound = \"T: \")] struct A<T>(T);",
        "#[task(categories = [\"a\", 3], name = 1)] enum A { #[task(category)] B(u8) }",
        "#[prompt(template = \"Hi { name } {nmae}.\")] struct A { name: String }",
        "struct A { name: String, #[section(title = \"{ name }: {nmae}\")] s: String }",
        "#[prompt(template = \"Hi {{ { x } }} {nmae}.\")] struct A { name: String }",
        "#[prompt(template = \"{r#fn} {nmae}\")] struct A { r#fn: String }",
    ];
    types.into_iter().for_each(is_sound);
}
