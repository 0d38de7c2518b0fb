//! What `#[derive(PromptNode)]` writes, as a person reads it: one type per file in `fixtures/expansion`, its expansion
//! beside it. `UPDATE_EXPECT=1 cargo test -p prompt-tests --test expansion` writes them anew.
//!
//! A procedural macro cannot be called from outside, so the modules of the macro crate are part of this test.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../../prompt-macros/src/check.rs"]
mod check;
#[path = "../../prompt-macros/src/derive.rs"]
mod derive;
#[path = "../../prompt-macros/src/diagnostic.rs"]
mod diagnostic;
#[path = "../../prompt-macros/src/expand/mod.rs"]
mod expand;
#[path = "../../prompt-macros/src/input/mod.rs"]
mod input;
#[path = "../../prompt-macros/src/model/mod.rs"]
mod model;

use proc_macro2::TokenStream;
use std::{fs, path::PathBuf};

/// Bytes of an expansion of ten documented variables, without layout and without the user's own text.
const LARGEST: usize = 2048;
/// Bytes that a section adds, without its texts.
const LARGEST_SECTION: usize = 300;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/expansion")
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

#[test]
fn nothing_panics() {
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
        "#[prompt(template = \"{a.self} {a.crate} {a._}\")] struct A { a: u8 }",
        "fn a() {}",
        "",
        "struct A<'a, T: 'a + ?Sized, const N: usize = 3>(&'a T) where T: Sized;",
        "#[prompt(level = 99999999999999999999)] struct A;",
        "struct A { #[section(priority = 99999999999)] a: B }",
    ];
    for source in types {
        let _ = derive::prompt_node(source.parse::<TokenStream>().unwrap());
    }
}

/// Every key of the tables is one that the receiver knows, whatever it says to the value.
#[test]
fn keys_are_those_of_the_receivers() {
    fn unknown<K: input::keys::Keys>() -> Vec<&'static str> {
        let is_unknown = |key: &&str| {
            let item: darling::ast::NestedMeta = syn::parse_str(key).unwrap();
            K::from_list(&[item])
                .err()
                .is_some_and(|error| error.to_string().contains("Unknown field"))
        };
        K::KEYS.iter().copied().filter(is_unknown).collect()
    }
    assert_eq!(unknown::<input::container::Container>(), [""; 0]);
    assert_eq!(unknown::<input::field::VarKeys>(), [""; 0]);
    assert_eq!(unknown::<input::field::SectionKeys>(), [""; 0]);
}
