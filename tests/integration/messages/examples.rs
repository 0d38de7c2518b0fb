//! Few-shot lists: turns of a conversation that leave nothing behind in the system text.

use prompt_core::Message;
use prompt_core::PromptNode;
use prompt_core::Style;
use prompt_core::message::CachePoint;

#[derive(PromptNode)]
struct Example {
    #[section(role = "user")]
    letter: &'static str,
    #[section(role = "assistant")]
    kind: &'static str,
}

fn examples() -> Vec<Example> {
    let example = |letter, kind| Example { letter, kind };
    vec![
        example("My bag is lost.", "loss"),
        example("Which boat?", "timetable"),
    ]
}

const TURNS: [(&str, &str); 2] = [("My bag is lost.", "loss"), ("Which boat?", "timetable")];

fn turns() -> Vec<Message> {
    let pair = |(letter, kind)| [Message::user(letter), Message::assistant(kind)];
    TURNS.into_iter().flat_map(pair).collect()
}

fn with_point(mut message: Message) -> Message {
    message.cache = Some(CachePoint::default());
    message
}

/// You sort letters.
#[derive(PromptNode)]
struct Sorter {
    #[section]
    examples: Vec<Example>,
    /// One word.
    #[section]
    rules: (),
}

#[test]
fn a_list_of_messages_leaves_no_heading_and_no_tag() {
    let sorter = Sorter {
        examples: examples(),
        rules: (),
    };
    for (style, rules) in [
        (Style::Markdown, "# Rules\n\nOne word."),
        (Style::Xml, "<rules>\nOne word.\n</rules>"),
    ] {
        let prompt = sorter.prompt().style(style).render().unwrap();
        let mut expected = vec![Message::system(format!("You sort letters.\n\n{rules}"))];
        expected.extend(turns());
        assert_eq!(prompt.messages(), expected, "{prompt}");
    }
}

#[test]
fn a_list_that_is_more_than_messages_keeps_its_heading() {
    /// Case {name}.
    #[derive(PromptNode)]
    struct Named {
        name: &'static str,
        #[section(role = "user")]
        letter: &'static str,
    }
    #[derive(PromptNode)]
    struct Root {
        #[section]
        cases: Vec<Named>,
    }
    let root = Root {
        cases: vec![Named {
            name: "a",
            letter: "Hello?",
        }],
    };
    let prompt = root.prompt().render().unwrap();
    assert_eq!(
        prompt.messages(),
        [
            Message::system("# Cases\n\n## Cases 1\n\nCase a."),
            Message::user("Hello?")
        ]
    );
}

#[test]
fn a_list_whose_items_place_their_messages_is_one_of_messages_too() {
    #[derive(PromptNode)]
    #[prompt(template = "{letter}\n\n{kind}")]
    struct Placed {
        #[section(role = "user")]
        letter: &'static str,
        #[section(role = "assistant")]
        kind: &'static str,
    }
    #[derive(PromptNode)]
    struct Root {
        #[section(title = "Past letters")]
        past: Vec<Placed>,
    }
    let past = TURNS.map(|(letter, kind)| Placed { letter, kind }).into();
    let messages = Root { past }.prompt().render().unwrap().messages();
    assert_eq!(messages, turns());
}

#[test]
fn a_cache_point_of_a_list_of_messages_goes_to_the_last_of_them() {
    /// You sort letters.
    #[derive(PromptNode)]
    struct Cached {
        #[section(untitled, cache)]
        examples: Vec<Example>,
        #[section(role = "user")]
        letter: &'static str,
    }
    let cached = Cached {
        examples: examples(),
        letter: "Where?",
    };
    let mut expected = vec![Message::system("You sort letters.")];
    expected.extend(turns());
    let last = expected.pop().unwrap();
    expected.extend([with_point(last), Message::user("Where?")]);
    assert_eq!(cached.prompt().render().unwrap().messages(), expected);
}

#[test]
fn cache_points_inside_each_other_all_count() {
    /// Head.
    #[derive(PromptNode)]
    struct Outer {
        #[section(untitled, cache)]
        inner: Inner,
        /// Tail.
        #[section(untitled)]
        tail: (),
    }
    #[derive(PromptNode)]
    struct Inner {
        /// First.
        #[section(untitled, cache = 3600)]
        first: (),
        /// Second.
        #[section(untitled)]
        second: (),
    }
    let outer = Outer {
        inner: Inner {
            first: (),
            second: (),
        },
        tail: (),
    };
    let mut first = Message::system("Head.\n\nFirst.");
    first.cache = Some(CachePoint::one_hour());
    let expected = [
        first,
        with_point(Message::system("Second.")),
        Message::system("Tail."),
    ];
    assert_eq!(outer.prompt().render().unwrap().messages(), expected);
}

#[test]
fn a_tag_wraps_the_message_of_a_section_or_of_its_child() {
    #[derive(PromptNode)]
    #[prompt(tag = "letter", template = "{text}")]
    struct Letter {
        text: &'static str,
    }
    #[derive(PromptNode)]
    struct Root {
        #[section(role = "user", tag = "question")]
        first: &'static str,
        #[section(role = "user")]
        second: Letter,
    }
    let root = Root {
        first: "Where?",
        second: Letter {
            text: "Dear </letter>.",
        },
    };
    for style in [Style::Markdown, Style::Xml] {
        let prompt = root.prompt().style(style).render().unwrap();
        let expected = [
            Message::user("<question>\nWhere?\n</question>"),
            Message::user("<letter>\nDear &lt;/letter>.\n</letter>"),
        ];
        assert_eq!(prompt.messages(), expected, "{prompt}");
    }
}

#[test]
fn a_cache_point_of_a_history_goes_to_its_last_message() {
    /// You sort letters.
    #[derive(PromptNode)]
    struct Chat {
        #[section(messages, cache)]
        history: Vec<Message>,
        #[section(role = "user")]
        letter: &'static str,
    }
    let history = vec![Message::user("Hello."), Message::assistant("Hello!")];
    let chat = Chat {
        history,
        letter: "Where?",
    };
    let expected = [
        Message::system("You sort letters."),
        Message::user("Hello."),
        with_point(Message::assistant("Hello!")),
        Message::user("Where?"),
    ];
    assert_eq!(chat.prompt().render().unwrap().messages(), expected);
}
