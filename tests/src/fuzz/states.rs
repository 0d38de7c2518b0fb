//! Saved states that somebody has changed: they are refused, or gone on with.

use super::Source;
use prompt_agent::Conversation;
use prompt_agent::answer::{Answer, Ending};
use prompt_agent::wire::Usage;
use prompt_core::compaction::{CompactionConfig, RecapForm, Trigger};
use prompt_core::disclosure::{Delivery, DisclosureState};
use prompt_core::message::{CachePlan, CachePoint};
use prompt_core::tree::Collected;
use prompt_core::{Disclosure, DynamicNode, History, Message, PromptNode, ToolCall, ToolResult};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A node with sections to open.
fn node() -> DynamicNode {
    let tree = json!({
        "key": "root", "body": "Words.",
        "sections": [
            { "key": "a", "body": "A text.", "summary": "A.", "visibility": "summary", "sections": [
                { "key": "b", "body": "B text.", "summary": "B.", "visibility": "summary" },
            ] },
            { "key": "c", "body": "C text.", "summary": "C.", "visibility": "summary" },
            { "key": "d", "body": "D text." },
        ],
    });
    DynamicNode::from_json(&tree.to_string()).expect("the tree is sound")
}

fn config(source: &mut Source<'_>) -> CompactionConfig {
    let config = CompactionConfig::builder()
        .min_preserved(source.below(3))
        .batch_size(1 + source.below(3))
        .recap_form([RecapForm::Exchange, RecapForm::Assistant][source.below(2)])
        .trigger(if source.chance(70) {
            Trigger::default()
        } else {
            Trigger::Tokens { high: 60, low: 30 }
        });
    config.build().unwrap_or_default()
}

fn words(source: &mut Source<'_>) -> String {
    let words = [
        "Yes.",
        "How many boats came in since the morning, and under which flags?",
        "Three, all of them under sail.\nrecap - three boats",
        "Nothing at all came in, and nothing will before the fog is gone.\nrecap - none",
        "a\nb",
        "",
    ];
    source.pick(&words).to_owned()
}

fn calls(source: &mut Source<'_>) -> Vec<ToolCall> {
    let call = |source: &mut Source<'_>| {
        let id = source.pick(&["1", "2", "3"]);
        if source.chance(45) {
            let key = source.pick(&["a", "b", "a.b", "c", "d", "nope"]);
            return ToolCall::new(
                id,
                "open_sections",
                json!({ "section_keys": [key], "reason": "r" }),
            );
        }
        ToolCall::new(id, "look_up", json!({ "x": 1 }))
    };
    (0..1 + source.below(3)).map(|_| call(source)).collect()
}

/// A step of a conversation.
fn step(source: &mut Source<'_>, talk: &mut Conversation, node: &DynamicNode) {
    match source.below(10) {
        0..2 => talk.begin(words(source)),
        2..5 => talk.push(Message::assistant(words(source))),
        5 | 6 => talk.push(Message::calls(calls(source))),
        7 => talk.retry(words(source)),
        8 => {
            let open = talk.open_calls();
            let count = source.below(open.len() + 1);
            let results = open
                .iter()
                .take(count)
                .map(|call| ToolResult::ok(call, "done"));
            _ = talk.push_results(results.collect::<Vec<_>>());
        }
        _ if source.chance(20) => talk.close("a"),
        _ => _ = talk.prompt(node).render(),
    }
}

fn talk(source: &mut Source<'_>, node: &DynamicNode) -> Conversation {
    let mut talk = Conversation::new(config(source));
    if source.chance(50) {
        talk = talk.delivery(Delivery::Append);
    }
    if source.chance(30) {
        talk = talk
            .max_rounds(source.below(3))
            .max_opened_tokens(source.below(30));
    }
    for _ in 0..source.below(30) {
        step(source, &mut talk, node);
    }
    talk
}

/// Numbers, and words, that a state does not have by itself.
fn strange(source: &mut Source<'_>) -> Value {
    [
        json!(u64::MAX),
        json!(usize::MAX - 1),
        json!(i64::MAX),
        json!(0),
        json!(1),
        json!(2),
        json!(7),
        json!(-1),
        json!(1.5),
        json!(""),
        json!("3"),
        json!("full"),
        json!("summary"),
        json!("append"),
        json!(true),
        json!([]),
        json!({}),
        Value::Null,
    ][source.below(18)]
    .clone()
}

/// Changes something in a value, at a random depth.
fn change(source: &mut Source<'_>, value: &mut Value) {
    let count = match value {
        Value::Array(list) => list.len(),
        Value::Object(map) => map.len(),
        _ => 0,
    };
    if count > 0 && source.chance(80) {
        let at = source.below(count);
        let inner = match value {
            Value::Array(list) => list.get_mut(at),
            Value::Object(map) => map.values_mut().nth(at),
            _ => None,
        };
        return inner.into_iter().for_each(|inner| change(source, inner));
    }
    match value {
        Value::Array(list) if count > 0 => {
            let (one, other) = (source.below(count), source.below(count));
            match source.below(3) {
                0 => list.swap(one, other),
                1 => drop(list.remove(one)),
                _ => list.insert(one, list[other].clone()),
            }
        }
        Value::Object(map) if count > 0 => {
            let keys: Vec<String> = map.keys().cloned().collect();
            let (one, other) = (&keys[source.below(count)], &keys[source.below(count)]);
            if source.chance(50) {
                map.shift_remove(one);
            } else {
                let moved = map[other].clone();
                map.insert(one.clone(), moved);
            }
        }
        value => *value = strange(source),
    }
}

/// A state is read, or refused in words; what was read is saved as it was read.
fn read<S: serde::Serialize + serde::de::DeserializeOwned>(
    saved: &Value,
) -> Result<Option<S>, String> {
    let Ok(state) = serde_json::from_value::<S>(saved.clone()) else {
        return Ok(None);
    };
    let again = serde_json::to_value(&state).map_err(|error| format!("{error}: {saved}"))?;
    let twice = serde_json::from_value::<S>(again.clone());
    let twice = twice.map_err(|error| format!("saved and not read: {error}\n{saved}\n{again}"))?;
    let twice = serde_json::to_value(&twice).map_err(|error| error.to_string())?;
    super::same("saved, read and saved", &twice, &again)?;
    Ok(Some(state))
}

/// What a history shows are messages of its log, and texts that stand for some of them.
fn shown(history: &History) -> Result<(), String> {
    let view = history.view();
    let messages = view.messages();
    super::same("the length of a view", &messages.len(), &view.len())?;
    super::check(history.frontier() <= history.len(), || {
        "a frontier beyond the log".into()
    })?;
    super::check(
        view.cache_points().iter().all(|at| *at < messages.len()),
        || format!("{:?} of {} messages", view.cache_points(), messages.len()),
    )?;
    let report = view.report(&|text: &str| text.len());
    super::check(
        report
            .recaps_missing
            .iter()
            .all(|at| *at < history.frontier()),
        || format!("{report:?}"),
    )
}

/// A saved conversation, history or disclosure that was changed is refused, or used: nothing panics, and nothing is lost.
pub(super) fn states(source: &mut Source<'_>) -> Result<(), String> {
    let node = node();
    let talk = talk(source, &node);
    let mut saved = serde_json::to_value(&talk).map_err(|error| error.to_string())?;
    let whole = read::<Conversation>(&saved)?;
    super::check(whole.is_some(), || {
        let error = serde_json::from_value::<Conversation>(saved.clone()).err();
        format!("a state that was not changed is refused: {error:?}\n{saved}")
    })?;
    for _ in 0..source.below(4) {
        change(source, &mut saved);
    }
    let history = saved["history"].clone();
    if let Some(mut history) = read::<History>(&history)? {
        shown(&history)?;
        for _ in 0..source.below(6) {
            let message = if source.chance(50) {
                Message::user(words(source))
            } else {
                Message::assistant(words(source))
            };
            let before = history.frontier();
            history.push(message);
            super::check(history.frontier() >= before, || {
                format!("the frontier goes back: {saved}")
            })?;
            shown(&history)?;
        }
    }
    if let Some(state) = read::<DisclosureState>(&saved["disclosure"])? {
        let mut disclosure = Disclosure::new(&node)
            .restore(state)
            .max_rounds(source.below(4));
        for _ in 0..source.below(4) {
            _ = disclosure.handle_all(&calls(source), |call| ToolResult::ok(call, "ran"));
            _ = disclosure.render();
        }
        read::<DisclosureState>(&json!(disclosure.state()))?;
    }
    others(source, &node)?;
    let Some(mut talk) = read::<Conversation>(&saved)? else {
        return Ok(());
    };
    owned(&talk, &saved)?;
    for _ in 0..1 + source.below(8) {
        let before = talk.history().log().to_vec();
        step(source, &mut talk, &node);
        super::check(talk.history().log().starts_with(&before), || {
            format!("the log is not what it was: {saved}")
        })?;
        shown(talk.history())?;
    }
    let state = serde_json::to_value(&talk).map_err(|error| error.to_string())?;
    super::check(read::<Conversation>(&state)?.is_some(), || {
        let error = serde_json::from_value::<Conversation>(state.clone()).err();
        format!("used, it is refused: {error:?}\n{saved}\n{state}")
    })?;
    let replayed = Conversation::replay(talk.history().log().to_vec());
    shown(replayed.history())
}

/// Results that are kept answer calls of the last message; what is open is shown in full; who stays is shown.
fn owned(talk: &Conversation, saved: &Value) -> Result<(), String> {
    let last = talk.history().log().last();
    let calls: Vec<String> = last
        .into_iter()
        .flat_map(Message::tool_calls)
        .map(|call| call.id)
        .collect();
    let state = serde_json::to_value(talk).map_err(|error| error.to_string())?;
    let results = [&state["results"], &state["settled"]["results"]];
    for result in results.into_iter().filter_map(Value::as_array).flatten() {
        super::check(calls.iter().any(|id| result["id"] == **id), || {
            format!("a result of no call of the last message: {result}\n{saved}")
        })?;
    }
    let opened = [
        &state["disclosure"]["opened"],
        &state["settled"]["state"]["opened"],
    ];
    for (path, form) in opened.into_iter().filter_map(Value::as_object).flatten() {
        super::check(form == "full", || {
            format!("`{path}` was opened, and is not: {saved}")
        })?;
    }
    let frontier = &state["history"]["frontier"];
    let full = frontier["full"].as_array().cloned().unwrap_or_default();
    for (at, _) in frontier["kept"].as_object().into_iter().flatten() {
        super::check(
            full.iter().any(|full| full.as_u64() == at.parse().ok()),
            || format!("{at} stays, and is not shown: {saved}"),
        )?;
    }
    Ok(())
}

/// What else is saved: tries of an answer, a plan of cache points, texts that were collected, tokens that were used.
fn others(source: &mut Source<'_>, node: &DynamicNode) -> Result<(), String> {
    let changed = |source: &mut Source<'_>, mut saved: Value| {
        for _ in 0..1 + source.below(3) {
            change(source, &mut saved);
        }
        saved
    };
    let answer = Answer::<BTreeMap<String, u32>>::new().tried(source.below(4));
    let saved = changed(source, json!(answer));
    if let Some(mut answer) = read::<Answer<BTreeMap<String, u32>>>(&saved)? {
        for text in ["[]", "{\"a\": \"x\"}", "{\"a\": 1}"] {
            _ = answer.read_message(&Message::assistant(text), Ending::Own);
        }
        read::<Answer<BTreeMap<String, u32>>>(&json!(answer))?;
    }
    let plan = CachePlan::auto()
        .static_prefix(3)
        .frontier(1)
        .after(0, CachePoint { ttl: Some(60) });
    let saved = changed(source, json!(plan));
    if let Some(plan) = read::<CachePlan>(&saved)? {
        let mut messages = vec![
            Message::system("Words."),
            Message::user("One."),
            Message::assistant("Two."),
        ];
        let texts = |messages: &[Message]| {
            messages
                .iter()
                .map(|message| message.text())
                .collect::<String>()
        };
        let before = texts(&messages);
        _ = plan.apply(&mut messages);
        super::same("texts under a plan", &texts(&messages), &before)?;
    }
    let collected: Collected = [("a", "One."), ("d", "Two.")].into_iter().collect();
    let saved = changed(source, json!(collected));
    if let Some(collected) = read::<Collected>(&saved)? {
        _ = node.prompt().collected(&collected).render();
        _ = node.prompt().next(&collected);
    }
    let saved = changed(source, json!(Usage::default()));
    if let Some(usage) = read::<Usage>(&saved)? {
        read::<Usage>(&json!(usage + usage))?;
    }
    Ok(())
}
