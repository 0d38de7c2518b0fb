//! Positions in a text are 32 bits wide: longer texts are refused at every door, and plain values have any length.

use prompt_core::{Code, Markdown, PromptNode, Template, elements};
use prompt_syntax::MAX_TEXT;

/// Nobody writes to the bytes, so they cost no memory.
fn too_long() -> String {
    String::from_utf8(vec![0; MAX_TEXT + 1]).unwrap()
}

#[derive(PromptNode)]
struct Page {
    #[section]
    notes: Markdown,
}

#[test]
#[cfg(target_pointer_width = "64")]
fn texts_beyond_the_limit_are_refused() {
    let text = too_long();
    let error = elements::parse(&text).unwrap_err();
    assert_eq!(error.code(), Code::TextTooLong);
    let said = "the text has 2147483648 bytes, and 2147483647 is the most";
    assert!(error.to_string().contains(said), "{error}");
    let error = Template::try_from(text).unwrap_err();
    assert_eq!(error.code(), Code::TextTooLong);
}

#[test]
#[cfg(target_pointer_width = "64")]
fn markdown_beyond_the_limit_does_not_print() {
    let page = Page {
        notes: Markdown::from(too_long()),
    };
    let error = page.prompt().render().unwrap_err();
    assert_eq!(error.code(), Code::TextTooLong);
    assert!(error.to_string().contains("section `notes`"), "{error}");
}
