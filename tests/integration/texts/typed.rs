//! Random texts in derived types against the oracle, and against the same texts at run time.

use super::made::TEXTS;
use prompt_tests::{
    fuzz::{self, Source},
    typed,
};

/// So many types stand in `made.rs`.
const TYPES: u64 = 150;

#[test]
fn types_print_what_the_oracle_says() {
    let sets = prompt_tests::random_cases(40);
    if let Err(facts) = typed::check(TEXTS, sets.into()) {
        panic!("{facts}");
    }
}

/// `UPDATE_EXPECT=1` writes the types anew, after a change of what random texts are made of.
#[test]
fn the_types_are_random_texts() {
    let texts = (1..=TYPES).map(|seed| fuzz::text(&mut Source::new(&fuzz::bytes_of(seed))));
    let texts: Vec<String> = texts.collect();
    let head = "//! Random texts as types: see `typed.rs`, which writes this file.\n\n";
    let made = head.to_owned() + &typed::module(&texts);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/integration/texts/made.rs");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    assert!(
        std::fs::read_to_string(path).unwrap() == made,
        "UPDATE_EXPECT=1 writes {path} anew"
    );
}
