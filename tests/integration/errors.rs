//! Every error has a code of the one list, and says something that is no code.

use prompt_agent::answer::AnswerError;
use prompt_agent::conversation::ConversationError;
use prompt_agent::wire::{Provider, WireError};
use prompt_core::assembly::AssemblyError;
use prompt_core::compaction::CompactionError;
use prompt_core::disclosure::{DisclosureError, ToolError, ToolFault};
use prompt_core::tool::ToolSpecError;
use prompt_core::{Code, PromptError, Role, SkillError};

/// The codes that `errors` give, where each is told apart from its neighbours and says a sentence of its own.
fn codes<E: std::fmt::Display>(errors: &[E], code: impl Fn(&E) -> Code) -> Vec<Code> {
    let said = |error: &E| {
        let text = error.to_string();
        let code = code(error);
        assert!(text.contains(' '), "{code}: {text}");
        assert!(!text.contains(&format!("[{code}]")), "{text}");
        code
    };
    errors.iter().map(said).collect()
}

#[test]
fn every_code_of_calls_is_given_by_an_error() {
    let s = || "x".to_owned();
    let (message, id, format) = (3, "c1".to_owned(), "gemini");
    let faults = [
        ToolFault::MissingArgument {
            argument: "reason",
            expected: "a string",
        },
        ToolFault::UnexpectedArgument { argument: s() },
        ToolFault::WrongType {
            argument: "reason",
            expected: "a string",
            found: s(),
        },
        ToolFault::ReasonTooLong { length: 300 },
        ToolFault::NoKeys,
        ToolFault::UnknownKey {
            key: s(),
            nearest: Vec::new(),
        },
        ToolFault::AlreadyExpanded { key: s() },
        ToolFault::Hidden {
            key: s(),
            parent: s(),
        },
        ToolFault::OverBudget {
            sections: vec![s()],
            missing: 1,
        },
        ToolFault::OverOpened {
            sections: vec![s()],
            missing: 2,
        },
        ToolFault::RoundsUsedUp { rounds: 1 },
    ];
    let disclosure = [
        DisclosureError::MaxRounds { rounds: 1 },
        DisclosureError::AskedAgain {
            sections: vec![s()],
            rounds: 1,
        },
        DisclosureError::OpenedTokens {
            sections: vec![s()],
            needed: 2,
            limit: 1,
        },
        DisclosureError::Results { id: s() },
        DisclosureError::Prompt(PromptError::UnknownPath {
            path: s(),
            nearest: None,
        }),
    ];
    let compaction = [
        CompactionError::ZeroBatchSize,
        CompactionError::ClearingWithoutMark,
        CompactionError::Watermarks { high: 1, low: 1 },
        CompactionError::Marker(s()),
        CompactionError::ZeroLines,
        CompactionError::Pointer(s()),
        CompactionError::Variable {
            name: "X",
            value: s(),
            expected: "a count",
        },
    ];
    let wire = [
        WireError::Unsupported {
            message,
            format,
            what: s(),
        },
        WireError::Misplaced {
            message,
            piece: "an image",
            role: Role::Tool,
        },
        WireError::Empty { message },
        WireError::UnknownCall {
            message,
            id: id.clone(),
        },
        WireError::AnsweredTwice {
            message,
            id: id.clone(),
        },
        WireError::UnansweredCall {
            message,
            id: id.clone(),
        },
        WireError::Arguments {
            message,
            id,
            reason: s(),
        },
        WireError::DuplicateTool { name: s() },
        WireError::NoTurn { format },
        WireError::Setting {
            format,
            what: "a seed",
        },
        WireError::Schema {
            tool: s(),
            format,
            path: s(),
            reason: s(),
        },
        WireError::Api {
            status: Some(429),
            code: Some(s()),
            message: s(),
            retry_after: None,
        },
        WireError::Unfinished,
        WireError::NoReply {
            status: None,
            text: s(),
            retry_after: None,
        },
        WireError::Shape {
            message,
            path: s(),
            expected: "a list",
        },
    ];
    let answers = [
        AnswerError::TooManyTries {
            tries: 2,
            faults: vec![],
        },
        AnswerError::PendingCalls { names: vec![s()] },
        AnswerError::Filtered { text: s() },
        AnswerError::Paused,
        AnswerError::Example { faults: vec![] },
    ];
    let tools = [
        ToolSpecError::InvalidName(s()),
        ToolSpecError::Duplicate(s()),
        ToolSpecError::Schema {
            path: s(),
            reason: s(),
        },
    ];
    let (key, line) = ("name", 2);
    let skills = [
        SkillError::NoFrontMatter,
        SkillError::Unclosed,
        SkillError::Yaml { line, reason: s() },
        SkillError::Missing { key },
        SkillError::NotText { key, line },
        SkillError::Empty { key, line },
        SkillError::InvalidName { name: s(), line },
    ];
    let task = "task";
    let assembly = [
        AssemblyError::DuplicateEntry { name: s() },
        AssemblyError::InvalidConfig {
            format: "JSON",
            message: s(),
        },
        AssemblyError::UnknownInterface {
            interface: s(),
            nearest: None,
            known: vec![],
        },
        AssemblyError::Adapter {
            interface: s(),
            task,
            index: 0,
            source: Box::new(AssemblyError::failed("a b")),
        },
        AssemblyError::failed("a b"),
    ];
    let mut given = codes(&faults, ToolFault::code);
    given.extend(codes(&disclosure, DisclosureError::code));
    given.extend(codes(&compaction, CompactionError::code));
    given.extend(codes(&wire, WireError::code));
    given.extend(codes(&answers, AnswerError::code));
    given.extend(codes(&tools, ToolSpecError::code));
    given.extend(codes(&skills, SkillError::code));
    given.extend(codes(&assembly, AssemblyError::code));
    given.extend(codes(
        &[ToolError::OtherTool { name: s() }],
        ToolError::code,
    ));
    given.extend(codes(
        &[ConversationError::NotOpen { id: s() }],
        ConversationError::code,
    ));
    given.push("robot".parse::<Role>().unwrap_err().code());
    given.push("robot".parse::<Provider>().unwrap_err().code());
    // Those whose errors a program cannot make itself: `disclosure/calls.rs` and `assembly/joining.rs` meet them.
    given.extend([
        Code::ExpansionRequired,
        Code::UnknownTask,
        Code::UnknownEntry,
    ]);

    let first = Code::ALL
        .iter()
        .position(|code| *code == Code::MissingArgument);
    let (texts, calls) = Code::ALL.split_at(first.unwrap());
    let missing = |code: &&Code| !given.contains(code);
    assert_eq!(
        calls.iter().filter(missing).collect::<Vec<_>>(),
        [&Code::MaxRounds; 0]
    );
    let shared = [
        Code::MaxRounds,
        Code::DuplicateTool,
        Code::UnknownPath,
        Code::InvalidKey,
    ];
    let of_texts = given.iter().filter(|code| texts.contains(code));
    assert!(of_texts.copied().all(|code| shared.contains(&code)));
}

#[test]
fn an_error_of_a_provider_says_what_is_known_of_it() {
    let api = |status, code: Option<&str>| WireError::Api {
        status,
        code: code.map(str::to_owned),
        message: "Slow down".into(),
        retry_after: None,
    };
    assert_eq!(
        api(Some(429), Some("busy")).to_string(),
        "the provider answered with an error 429 `busy`: Slow down"
    );
    assert_eq!(
        api(None, None).to_string(),
        "the provider answered with an error: Slow down"
    );
    let shape = WireError::Shape {
        message: 4,
        path: "/a".into(),
        expected: "a list",
    };
    assert_eq!(shape.to_string(), "message 4: expected a list at `/a`");
}

/// `fn main() -> Result<(), E>` prints the `Debug` of an error.
#[test]
fn what_main_returns_is_printed_in_words() {
    fn check(error: &(impl std::error::Error + ?Sized)) {
        assert_eq!(format!("{error:?}"), error.to_string());
        assert_eq!(format!("{error:#?}"), error.to_string());
    }
    let prompt = PromptError::MaxRounds {
        rounds: 3,
        sections: Vec::new(),
    };
    check(&prompt);
    check(&DisclosureError::Prompt(prompt));
    check(&ToolFault::NoKeys);
    check(&ToolError::OtherTool { name: "x".into() });
    check(&prompt_core::DynamicNode::from_json("{").unwrap_err());
    check(&"nobody".parse::<Role>().unwrap_err());
}
