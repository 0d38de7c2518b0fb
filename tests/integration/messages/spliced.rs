//! A rendered prompt as messages: roles, few-shot pairs, histories, late reminders, prefill, cache points; and a node as
//! an MCP prompt.

use prompt_agent::wire::RequestOptions;
use prompt_agent::wire::anthropic;
use prompt_agent::wire::mcp::McpPrompt;
use prompt_core::DynamicNode;
use prompt_core::Message;
use prompt_core::PromptNode;
use prompt_core::Role;
use prompt_core::message::CachePoint;
use serde_json::json;

/// You sort the letters of {office}.
///
/// ## Examples
/// {examples}
/// ## Rules
/// Answer with one word.
#[derive(PromptNode)]
#[prompt(
    key = "sorter",
    title = "Letter sorter",
    description = "Sorts letters."
)]
struct Sorter {
    /// Name of the office.
    office: String,
    #[section(untitled)]
    examples: Vec<Example>,
    #[section(messages)]
    history: Vec<Message>,
    #[section(role = "user")]
    letter: String,
    /// Remember: one word.
    #[section(role = "system")]
    reminder: (),
    /// Kind:
    #[section(role = "assistant")]
    prefill: (),
}

#[derive(PromptNode)]
struct Example {
    #[section(role = "user")]
    letter: String,
    #[section(role = "assistant")]
    kind: String,
}

fn sorter() -> Sorter {
    let example = |letter: &str, kind: &str| Example {
        letter: letter.into(),
        kind: kind.into(),
    };
    Sorter {
        office: "the ferry".into(),
        examples: vec![
            example("My bag is lost.", "loss"),
            example("# Six boats?\n\nOr seven?", "timetable"),
        ],
        history: vec![Message::user("Hello."), Message::assistant("Hello!")],
        letter: "Where is my umbrella?".into(),
        reminder: (),
        prefill: (),
    }
}

#[test]
fn roles_become_messages_at_their_place() {
    let sorter = sorter();
    let prompt = sorter.prompt().render().unwrap();
    let expected = [
        Message::system(
            "You sort the letters of the ferry.\n\n## Examples\n\n## Rules\nAnswer with one word.",
        ),
        Message::user("My bag is lost."),
        Message::assistant("loss"),
        Message::user("# Six boats?\n\nOr seven?"),
        Message::assistant("timetable"),
        Message::user("Hello."),
        Message::assistant("Hello!"),
        Message::user("Where is my umbrella?"),
        Message::system("Remember: one word."),
        Message::assistant("Kind:"),
    ];
    assert_eq!(prompt.messages(), expected);
    // Sections with a role are part of the text all the same.
    assert!(prompt.as_str().contains("My bag is lost.") && prompt.as_str().ends_with("Kind:"));
}

#[test]
fn without_roles_there_is_one_system_message() {
    assert_eq!(
        prompt_core::Prompt::new(&"Be brief.")
            .render()
            .unwrap()
            .messages(),
        [Message::system("Be brief.")]
    );
    assert_eq!(
        prompt_core::Prompt::new(&"").render().unwrap().messages(),
        []
    );
}

/// You keep the log.
#[derive(PromptNode)]
struct Log {
    /// Never guess.
    #[section(cache)]
    rules: (),
    /// Today: {today}
    #[section(volatile)]
    state: (),
    #[section(role = "user", cache)]
    question: String,
    today: String,
}

#[test]
fn cache_points_end_blocks() {
    let log = Log {
        rules: (),
        state: (),
        question: "How high?".into(),
        today: "Monday".into(),
    };
    let prompt = log.prompt().render().unwrap();
    let point = CachePoint::default();
    let expected = [
        Message::system("You keep the log.\n\n# Rules\n\nNever guess.").cached(point),
        Message::system("# State\n\nToday: Monday"),
        Message::user("How high?").cached(point),
    ];
    assert_eq!(prompt.messages(), expected);
    let body = anthropic::request(
        &prompt.messages(),
        &[],
        &RequestOptions::new("m").max_tokens(10),
    )
    .unwrap();
    assert_eq!(body.to_string().matches("cache_control").count(), 2);
}

/// You keep the log of {ship}.
///
/// {notes}
#[derive(PromptNode)]
struct Ship {
    ship: String,
    notes: String,
}

#[test]
fn the_plan_knows_the_static_prefix() {
    let ship = Ship {
        ship: "Heron".into(),
        notes: "Calm.".into(),
    };
    let prompt = ship.prompt().render().unwrap();
    assert_eq!(prompt.static_prefix(), "You keep the log of ".len());
    let mut messages = prompt.messages();
    messages.push(Message::user("Go on."));
    assert!(prompt.cache_plan().apply(&mut messages).is_empty());
    assert_eq!(messages.last().unwrap().cache, Some(CachePoint::default()));
}

#[test]
fn a_node_is_an_mcp_prompt() {
    let prompt = McpPrompt::of(&sorter());
    assert_eq!(prompt.name, "sorter");
    assert_eq!(prompt.title.as_deref(), Some("Letter sorter"));
    assert_eq!(prompt.description.as_deref(), Some("Sorts letters."));
    assert_eq!(prompt.arguments.len(), 1);
    assert_eq!(prompt.arguments[0].name, "office");
    assert_eq!(
        prompt.arguments[0].description.as_deref(),
        Some("Name of the office.")
    );
    assert_eq!(
        McpPrompt::of(&Ship {
            ship: String::new(),
            notes: String::new()
        })
        .name,
        "ship"
    );
}

/// You write for {reader}, who likes {taste}.
///
/// {?place}It happens in {place}.
#[derive(PromptNode)]
struct Story {
    reader: String,
    /// What they like.
    #[var(default = "surprises")]
    taste: Option<String>,
    #[var(raw, default = "nowhere")]
    place: Option<&'static str>,
}

#[test]
fn an_option_is_an_argument_that_may_be_left_out() {
    let story = Story {
        reader: String::new(),
        taste: None,
        place: None,
    };
    let prompt = McpPrompt::of(&story);
    let arguments: Vec<(&str, bool)> = prompt
        .arguments
        .iter()
        .map(|argument| (argument.name.as_str(), argument.required))
        .collect();
    assert_eq!(
        arguments,
        [("reader", true), ("taste", false), ("place", false)]
    );
    assert_eq!(
        prompt.arguments[1].description.as_deref(),
        Some("What they like.")
    );
}

#[test]
fn the_roles_are_those_of_messages() {
    let roles: Vec<Role> = sorter()
        .prompt()
        .render()
        .unwrap()
        .messages()
        .iter()
        .map(|message| message.role)
        .collect();
    assert_eq!(
        roles.iter().filter(|role| **role == Role::System).count(),
        2
    );
}

/// A message is a text of its own: its headings begin at the first level of the page, however deep the section stands.
#[test]
fn headings_in_a_message_begin_at_the_first_level() {
    let tree = json!({ "key": "root", "body": "Head.", "sections": [{
        "key": "talk", "body": "Of old:", "sections": [{
            "key": "first", "body": "Words.", "sections": [{
                "key": "letter", "role": "user", "body": "Hello.", "sections": [{ "key": "part", "body": "A part." }],
            }],
        }],
    }] });
    let node = DynamicNode::from_json(&tree.to_string()).unwrap();
    for (base, mark) in [(1, "#"), (2, "##")] {
        let rendered = node.prompt().base_level(base).render().unwrap();
        assert_eq!(
            rendered.messages()[1],
            Message::user(format!("Hello.\n\n{mark} Part\n\nA part."))
        );
    }
}
