//! Messages in JSON: what is wrong is said with its place.

use prompt_core::{Code, Message, Role};
use serde_json::json;

#[test]
fn a_fault_says_where_it_is() {
    for (content, words) in [
        (
            json!([{ "type": "text", "text": "a" }, { "type": "text" }]),
            "content[1]: missing field `text`",
        ),
        (
            json!([{ "type": "txt", "text": "a" }]),
            "content[0]: unknown variant `txt`",
        ),
        (json!([{ "text": "a" }]), "content[0]: missing field `type`"),
        (json!(["a"]), "content[0]"),
        (json!(7), "a text or a list of pieces"),
    ] {
        let message = json!({ "role": "user", "content": content });
        let error = serde_json::from_value::<Message>(message.clone())
            .unwrap_err()
            .to_string();
        assert!(error.contains(words), "{error}");
        let error = serde_json::from_str::<Message>(&message.to_string()).unwrap_err();
        assert!(
            error.to_string().contains(words) && error.line() == 1,
            "{error}"
        );
    }
}

#[test]
fn a_text_stands_for_one_piece() {
    let message: Message =
        serde_json::from_value(json!({ "role": "user", "content": "Hello" })).unwrap();
    assert_eq!(message, Message::user("Hello"));
}

#[test]
fn roles_are_words() {
    for role in Role::ALL {
        assert_eq!(role.to_string().parse(), Ok(role));
        assert_eq!(serde_json::to_value(role).unwrap(), role.as_str());
    }
    let unknown = "robot".parse::<Role>().unwrap_err();
    assert_eq!(
        (unknown.name(), unknown.code()),
        ("robot", Code::UnknownRole)
    );
}
