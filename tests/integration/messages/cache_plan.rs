//! Where cache points go, and which four stay.

use prompt_agent::wire::RequestOptions;
use prompt_agent::wire::anthropic;
use prompt_agent::wire::openai_chat;
use prompt_core::Message;
use prompt_core::ToolSpec;
use prompt_core::message::CachePlan;
use prompt_core::message::CachePoint;
use serde_json::Value;

fn marked(messages: &[Message]) -> Vec<usize> {
    (0..messages.len())
        .filter(|&at| messages[at].cache.is_some())
        .collect()
}

fn conversation(turns: usize) -> Vec<Message> {
    let mut messages = vec![Message::system("Rules.\n\nMore rules.\n\nToday.")];
    for turn in 0..turns {
        messages.push(Message::user(format!("question {turn}")));
        messages.push(Message::assistant(format!("answer {turn}")));
    }
    messages
}

#[test]
fn the_automatic_plan_marks_prefix_frontier_and_end() {
    let mut messages = conversation(4);
    let prefix = "Rules.\n\nMore rules.\n\n".len();
    let left_out = CachePlan::auto()
        .static_prefix(prefix)
        .frontier(5)
        .apply(&mut messages);
    assert!(left_out.is_empty());
    assert_eq!(messages[0].text(), "Rules.\n\nMore rules.");
    assert_eq!(messages[1].text(), "Today.");
    // The cut moved everything after the system text by one.
    assert_eq!(marked(&messages), [0, 5, 9]);
}

#[test]
fn the_cut_is_at_a_blank_line_of_the_prefix_and_loses_nothing() {
    let text = "Rules.\n\nMore rules.\n\nToday.";
    for bytes in 0..=text.len() + 2 {
        let mut messages = vec![Message::system(text), Message::user("Go.")];
        let _ = CachePlan::auto().static_prefix(bytes).apply(&mut messages);
        let system: Vec<String> = messages[..messages.len() - 1]
            .iter()
            .map(Message::text)
            .collect();
        assert_eq!(system.join("\n\n"), text);
        let expected = match bytes {
            0..=5 => None,
            6..=18 => Some("Rules."),
            19..=26 => Some("Rules.\n\nMore rules."),
            _ => Some(text),
        };
        let cached = messages[0].cache.map(|_| system[0].as_str());
        assert_eq!(cached, expected, "{bytes}");
    }
}

#[test]
fn the_automatic_plan_marks_the_system_text_without_being_told_its_prefix() {
    let mut messages = conversation(4);
    messages.insert(1, Message::system("Late rules."));
    let plan = CachePlan::auto()
        .frontier(4)
        .prefix_point(CachePoint::one_hour());
    assert!(plan.apply(&mut messages).is_empty());
    assert_eq!(marked(&messages), [1, 3, 9]);
    assert_eq!(messages[1].cache, Some(CachePoint::one_hour()));
    // Nothing but system text: one point, as the prompt asks for it.
    let mut alone = vec![Message::system("Rules.")];
    assert!(plan.apply(&mut alone).is_empty());
    assert_eq!(alone[0].cache, Some(CachePoint::one_hour()));
}

#[test]
fn points_of_the_prompt_are_added_to_the_automatic_ones() {
    let mut messages = conversation(3);
    messages[1].cache = Some(CachePoint::one_hour());
    let plan = CachePlan::auto().frontier(4);
    assert!(plan.apply(&mut messages).is_empty());
    assert_eq!(marked(&messages), [0, 1, 3, 6]);
    // A place that has a point keeps it.
    assert_eq!(messages[1].cache, Some(CachePoint::one_hour()));
    let mut messages = conversation(3);
    messages[2].cache = Some(CachePoint::one_hour());
    let left_out = plan.after(1, CachePoint::default()).apply(&mut messages);
    assert_eq!((marked(&messages), left_out), (vec![0, 2, 3, 6], vec![1]));
}

#[test]
fn of_too_many_points_the_first_and_the_last_three_stay() {
    let mut messages = conversation(4);
    let plan = (0..20).fold(CachePlan::explicit(), |plan, at| {
        plan.after(at, CachePoint::default())
    });
    let left_out = plan.apply(&mut messages);
    assert_eq!(marked(&messages), [0, 6, 7, 8]);
    // Nothing goes silently, nor does a point after a message that is not there.
    let rest = (1..6).chain(9..20).collect::<Vec<_>>();
    assert_eq!(left_out, rest);
    for few in 0..=4 {
        let mut messages = conversation(4);
        let plan = (0..few).fold(CachePlan::explicit(), |plan, at| {
            plan.after(at, CachePoint::default())
        });
        assert!(plan.apply(&mut messages).is_empty());
        assert_eq!(marked(&messages).len(), few);
    }
}

#[test]
fn a_plan_on_nothing_does_nothing() {
    let mut messages = Vec::new();
    for plan in [CachePlan::auto(), CachePlan::auto().static_prefix(9)] {
        assert!(plan.frontier(9).apply(&mut messages).is_empty());
        assert!(messages.is_empty());
    }
}

/// The places of cache markers in a body: the JSON pointers of what carries one.
fn markers(value: &Value, key: &str, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            if map.contains_key(key) {
                found.push(path.to_owned());
            }
            map.iter()
                .for_each(|(name, inner)| markers(inner, key, &format!("{path}/{name}"), found));
        }
        Value::Array(list) => {
            list.iter()
                .enumerate()
                .for_each(|(at, inner)| markers(inner, key, &format!("{path}/{at}"), found));
        }
        _ => {}
    }
}

#[test]
fn providers_get_at_most_four_markers_the_right_ones() {
    let messages: Vec<Message> = conversation(4)
        .into_iter()
        .map(|message| message.cached(CachePoint::default()))
        .collect();
    let mut found = Vec::new();
    let options = RequestOptions::new("m")
        .max_tokens(1)
        .cache_tools(CachePoint::default());
    let tools = [
        ToolSpec::closed("a", "").unwrap(),
        ToolSpec::closed("b", "").unwrap(),
    ];
    let body = anthropic::request(&messages, &tools, &options).unwrap();
    markers(&body, "cache_control", "", &mut found);
    // In the order of the cached prefix: tools, system, messages.
    let place = |path: &String| {
        ["/tools", "/system", "/messages"]
            .iter()
            .position(|start| path.starts_with(start))
    };
    found.sort_by_key(place);
    let last_three = [
        "/messages/5/content/0",
        "/messages/6/content/0",
        "/messages/7/content/0",
    ];
    assert_eq!(found[0], "/tools/1");
    assert_eq!(found[1..], last_three);

    found.clear();
    let body = anthropic::request(&messages, &[], &options).unwrap();
    markers(&body, "cache_control", "", &mut found);
    found.sort_by_key(place);
    assert_eq!(found[0], "/system/0");
    assert_eq!(found[1..], last_three);

    found.clear();
    let body = openai_chat::request(
        &messages,
        &tools,
        &RequestOptions::new("m").breakpoints(true),
    )
    .unwrap();
    markers(&body, "prompt_cache_breakpoint", "", &mut found);
    assert_eq!(found[0], "/messages/0/content/0");
    assert_eq!(found.len(), 4);
}

#[test]
fn an_hour_never_follows_five_minutes() {
    let messages = [
        Message::system("a").cached(CachePoint::one_hour()),
        Message::system("b").cached(CachePoint { ttl: Some(300) }),
        Message::user("c").cached(CachePoint::one_hour()),
    ];
    let body = anthropic::request(&messages, &[], &RequestOptions::new("m").max_tokens(1)).unwrap();
    assert_eq!(body["system"][0]["cache_control"]["ttl"], "1h");
    assert_eq!(body["system"][1]["cache_control"]["ttl"], "5m");
    assert_eq!(
        body["messages"][0]["content"][0]["cache_control"]["ttl"],
        "5m"
    );
}
