//! Counting tokens: the counters fit everywhere, and the estimate keeps its band on texts it was not fitted on.
// That references and values are taken alike is what is tested.
#![allow(clippy::needless_borrow, clippy::needless_borrows_for_generic_args)]

use prompt_core::message::ImageSource;
use prompt_core::tokens::{self, EstimatedTokens, TokenCounter};
use prompt_core::{Content, Message, Role, ToolSpec};
use proptest::prelude::*;
use serde_json::json;
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
    #![proptest_config(ProptestConfig::with_cases(prompt_tests::random_cases(256)))]

    #[test]
    fn any_text_can_be_estimated(text in any::<String>(), more in "[ a-zA-Z0-9\\n.,;'\"äéß日カ👍-]{0,60}") {
        let estimate = |text: &str| EstimatedTokens::default().count(text);
        for text in [&text, &more] {
            prop_assert_eq!(estimate(text) == 0, text.is_empty());
            // A budget counts nothing where this many tokens fit.
            prop_assert!(estimate(text) <= text.len() * 2);
        }
        // A whole costs about what its parts cost: each part rounds up, and a run may be cut at the seam.
        let whole = estimate(&format!("{more}\n{more}"));
        prop_assert!(whole <= 2 * estimate(&more) + 2);
    }
}

// ---- requests

fn png(width: u32, height: u32) -> Content {
    // The signature, the length and name of the first chunk, and the size: 24 bytes in base64.
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec();
    bytes.extend(width.to_be_bytes());
    bytes.extend(height.to_be_bytes());
    image(ImageSource::Data(base64(&bytes)))
}

fn image(source: ImageSource) -> Content {
    Content::Image {
        mime: "image/png".into(),
        source,
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = bytes.chunks_exact(3).flat_map(|three| {
        let bits = three
            .iter()
            .fold(0, |bits, &byte| bits << 8 | usize::from(byte));
        [18, 12, 6, 0].map(|shift| char::from(DIGITS[bits >> shift & 63]))
    });
    digits.collect()
}

fn message(role: Role, content: Vec<Content>) -> Message {
    Message {
        role,
        content,
        cache: None,
    }
}

#[test]
fn a_request_is_text_and_calls_and_tools_and_images() {
    let schema = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
    let tool = ToolSpec::new("now", "Tells the time.", schema).unwrap();
    let call = Content::ToolCall {
        id: "call_1".into(),
        name: "now".into(),
        arguments: json!({}),
    };
    let result = Content::ToolResult {
        id: "call_1".into(),
        content: "half past ten".into(),
        is_error: false,
    };
    let messages = [
        Message::system("You keep the clock."),
        message(Role::User, vec!["What is it".into(), png(1000, 1000)]),
        message(Role::Assistant, vec![call]),
        message(Role::Tool, vec![result]),
    ];
    let tools = [tool];
    assert_eq!(tokens::request(&messages, &tools, &words), 7 + 5 + 3 + 1334);
    assert_eq!(tokens::request(&[], &[], &words), 0);
    let most = |_: &str| usize::MAX;
    assert_eq!(tokens::request(&messages, &tools, &most), usize::MAX);
}

/// Tokens of a message with one image.
fn image_tokens(content: Content) -> usize {
    tokens::request(&[message(Role::User, vec![content])], &[], &words)
}

#[test]
fn images_cost_what_the_guide_says() {
    for ((width, height), tokens) in [
        ((200, 200), 54),
        ((1000, 1000), 1334),
        ((1092, 1092), 1590),
        ((8000, 8000), 1600),
        ((0, 0), 1),
        ((u32::MAX, u32::MAX), 1600),
        ((u32::MAX, 1), 1),
        ((0, u32::MAX), 1),
    ] {
        assert_eq!(
            image_tokens(png(width, height)),
            tokens,
            "{width} x {height}"
        );
    }
}

#[test]
fn an_image_whose_size_is_not_known_costs_the_most() {
    let data = |bytes: &[u8]| image(ImageSource::Data(base64(bytes)));
    let gif = [b"GIF89a".as_slice(), &[0x80, 0x02, 0xe0, 0x01], &[0; 14]].concat();
    assert_eq!(image_tokens(data(&gif)), (640 * 480_usize).div_ceil(750));
    assert_eq!(image_tokens(data(&[0; 24])), 1600);
    for data in [
        "",
        "AAAA",
        "not base64 at all, and longer than a head is",
        &"é".repeat(40),
    ] {
        assert_eq!(image_tokens(image(ImageSource::Data(data.into()))), 1600);
    }
    let address = ImageSource::Url("https://example.org/a.png".into());
    assert_eq!(image_tokens(image(address)), 1600);
}

#[test]
fn long_texts_of_any_sort_are_counted_in_one_pass() {
    for piece in [
        "a", "A", "aB3", "=", " ", "\n", "é", "日", "👍", "</", "'s", "a-",
    ] {
        let text = piece.repeat((1 << 20) / piece.len());
        assert!(EstimatedTokens::default().count(&text) > 0, "{piece:?}");
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
    fn english_code_markdown_json_and_random_text_are_within_5_percent() {
        for text in [
            include_str!("../../fixtures/tokens/judge/english.txt"),
            include_str!("../../fixtures/tokens/judge/rust.rs.txt"),
            include_str!("../../fixtures/tokens/judge/markdown.md"),
            include_str!("../../fixtures/tokens/judge/data.json.txt"),
            include_str!("../../fixtures/tokens/judge/base64.txt"),
            include_str!("../../fixtures/tokens/judge/hex.txt"),
            include_str!("../../fixtures/tokens/judge/uuid.txt"),
        ] {
            assert!(error(text).abs() <= 5, "{} % on {:.40}", error(text), text);
        }
    }

    #[test]
    fn other_languages_are_within_15_percent() {
        for text in [
            include_str!("../../fixtures/tokens/judge/german.txt"),
            include_str!("../../fixtures/tokens/judge/french.txt"),
            include_str!("../../fixtures/tokens/judge/japanese.txt"),
            include_str!("../../fixtures/tokens/judge/korean.txt"),
            include_str!("../../fixtures/tokens/judge/chinese.txt"),
            include_str!("../../fixtures/tokens/judge/chinese_traditional.txt"),
            include_str!("../../fixtures/tokens/judge/emoji.txt"),
        ] {
            assert!(error(text).abs() <= 15, "{} % on {:.40}", error(text), text);
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
