//! Counting tokens: the counters fit everywhere, and the estimate keeps its band on texts it was not fitted on.
// That references and values are taken alike is what is tested.

use prompt_core::tokens::EstimatedTokens;
use prompt_core::tokens::TokenCounter;
use proptest::prelude::*;
use std::sync::Arc;

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// As an API would take a counter.
fn counted(counter: &impl TokenCounter, text: &str) -> usize {
    let counter: &dyn TokenCounter = counter;
    counter.count(text)
}

fn counted_by_value(counter: impl TokenCounter, text: &str) -> usize {
    counter.count(text)
}

struct Bytes;

impl TokenCounter for Bytes {
    fn count(&self, text: &str) -> usize {
        text.len()
    }
}

#[test]
fn counters_come_in_many_shapes() {
    let divisor = 4;
    let closure = move |text: &str| text.chars().count().div_ceil(divisor);
    let shared: Arc<dyn TokenCounter> = Arc::new(words);
    let boxed: Box<dyn TokenCounter> = Box::new(Bytes);
    let borrowed: &dyn TokenCounter = &Bytes;
    let text = "one two three";
    assert_eq!(
        [
            counted(&words, text),
            counted(&closure, text),
            counted(&Bytes, text)
        ],
        [3, 4, 13]
    );
    assert_eq!(
        [
            counted(&shared, text),
            counted(&boxed, text),
            counted(&borrowed, text)
        ],
        [3, 13, 13]
    );
    assert_eq!(
        [
            counted_by_value(words, text),
            counted_by_value(&closure, text),
            counted_by_value(Bytes, text)
        ],
        [3, 4, 13]
    );
    assert_eq!(
        [
            counted_by_value(shared, text),
            counted_by_value(borrowed, text),
            counted_by_value(Arc::new(Bytes), text)
        ],
        [3, 13, 13]
    );
    assert_eq!(counted_by_value(boxed, text), 13);
    assert_eq!(counted_by_value(&EstimatedTokens::default(), text), 3);
}

#[test]
fn a_factor_scales_the_count() {
    let text = "one two three four five";
    let scaled = |factor| EstimatedTokens::scaled(factor).count(text);
    assert_eq!(
        [scaled(1.0), scaled(2.0), scaled(1.2), scaled(0.5)],
        [5, 10, 6, 3]
    );
    assert_eq!([scaled(0.0), scaled(-3.0), scaled(f64::NAN)], [1, 1, 1]);
    assert_eq!(EstimatedTokens::scaled(f64::INFINITY).count(""), 0);
    assert_eq!(EstimatedTokens::scaled(1.0), EstimatedTokens::default());
}

proptest! {
    #[test]
    fn any_text_can_be_estimated(text in any::<String>(), more in "[ a-zA-Z0-9\\n.,;'\"äéß日カ👍-]{0,60}") {
        let estimate = |text: &str| EstimatedTokens::default().count(text);
        for text in [&text, &more] {
            prop_assert_eq!(estimate(text) == 0, text.is_empty());
            prop_assert!(estimate(text) <= text.len() * 3);
        }
        // A whole costs about what its parts cost: each part rounds up, and a run may be cut at the seam.
        let whole = estimate(&format!("{more}\n{more}"));
        prop_assert!(whole <= 2 * estimate(&more) + 2);
    }
}

#[cfg(feature = "tiktoken")]
mod judged {
    use super::*;
    use prompt_core::tokens::O200k;

    /// Error of the estimate in percent.
    fn error(text: &str) -> i64 {
        let [estimate, exact] = [EstimatedTokens::default().count(text), O200k.count(text)]
            .map(|count| i64::try_from(count).unwrap());
        (estimate - exact) * 100 / exact
    }

    #[test]
    fn english_code_json_and_random_text_are_within_15_percent() {
        for text in [
            include_str!("../../fixtures/tokens/judge/english.txt"),
            include_str!("../../fixtures/tokens/judge/rust.rs.txt"),
            include_str!("../../fixtures/tokens/judge/markdown.md"),
            include_str!("../../fixtures/tokens/judge/data.json.txt"),
            include_str!("../../fixtures/tokens/judge/base64.txt"),
            include_str!("../../fixtures/tokens/judge/hex.txt"),
            include_str!("../../fixtures/tokens/judge/uuid.txt"),
        ] {
            assert!(error(text).abs() <= 15, "{} % on {:.40}", error(text), text);
        }
    }

    #[test]
    fn other_languages_are_not_below_20_percent() {
        for text in [
            include_str!("../../fixtures/tokens/judge/german.txt"),
            include_str!("../../fixtures/tokens/judge/french.txt"),
            include_str!("../../fixtures/tokens/judge/japanese.txt"),
            include_str!("../../fixtures/tokens/judge/korean.txt"),
            include_str!("../../fixtures/tokens/judge/chinese.txt"),
            include_str!("../../fixtures/tokens/judge/chinese_traditional.txt"),
            include_str!("../../fixtures/tokens/judge/emoji.txt"),
        ] {
            assert!(
                (-20..=30).contains(&error(text)),
                "{} % on {:.40}",
                error(text),
                text
            );
        }
    }

    #[test]
    fn exact_counts_are_those_of_the_vocabulary() {
        assert_eq!(
            [
                O200k.count(""),
                O200k.count("hello world"),
                O200k.count("<|endoftext|>")
            ],
            [0, 2, 7]
        );
        assert_eq!(counted_by_value(&O200k, "hello world"), 2);
    }
}
