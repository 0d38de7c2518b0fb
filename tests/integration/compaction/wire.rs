//! Compacted views as requests: every wire format takes them, the first turn is the user's, roles alternate, calls and
//! results stay paired; and the cache points of a view go through a plan.

use prompt_agent::wire::RequestOptions;
use prompt_agent::wire::anthropic;
use prompt_agent::wire::gemini;
use prompt_agent::wire::ollama;
use prompt_agent::wire::openai_chat;
use prompt_agent::wire::openai_responses;
use prompt_core::History;
use prompt_core::Message;
use prompt_core::compaction::CompactionConfig;
use prompt_core::compaction::RecapForm;
use prompt_core::message::CachePlan;
use prompt_core::message::CachePoint;
use serde_json::Value;
use std::collections::BTreeSet;

/// The shipped chat, seen after each of its questions.
fn views(form: RecapForm, mut see: impl FnMut(&History)) {
    let mut history = History::new(
        CompactionConfig::builder()
            .batch_size(8)
            .recap_form(form)
            .build()
            .unwrap(),
    );
    for line in include_str!("../../../examples/data/long_chat.jsonl").lines() {
        let message: Message = serde_json::from_str(line).unwrap();
        let question = message.role == prompt_core::Role::User;
        history.push(message);
        if question {
            see(&history);
        }
    }
    assert!(history.frontier() > 1_000);
}

/// All values under `key`, at any depth.
fn values<'v>(json: &'v Value, key: &str, found: &mut Vec<&'v str>) {
    match json {
        Value::Object(map) => {
            found.extend(map.get(key).and_then(Value::as_str));
            map.values().for_each(|value| values(value, key, found));
        }
        Value::Array(list) => list.iter().for_each(|value| values(value, key, found)),
        _ => {}
    }
}

fn roles(body: &Value, list: &str) -> Vec<String> {
    let turns = body[list].as_array().unwrap();
    turns
        .iter()
        .map(|turn| turn["role"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn anthropic_gets_alternating_turns_and_pairs() {
    views(RecapForm::Exchange, |history| {
        let body = anthropic::request(
            &history.view().messages(),
            &[],
            &RequestOptions::new("m").max_tokens(1_000),
        )
        .unwrap();
        let roles = roles(&body, "messages");
        assert_eq!(roles[0], "user");
        assert!(roles.windows(2).all(|pair| pair[0] != pair[1]), "{roles:?}");
        let (mut calls, mut results) = (Vec::new(), Vec::new());
        values(&body, "id", &mut calls);
        values(&body, "tool_use_id", &mut results);
        assert_eq!(
            calls.iter().collect::<BTreeSet<_>>(),
            results.iter().collect::<BTreeSet<_>>()
        );
    });
}

#[test]
fn gemini_gets_alternating_turns() {
    views(RecapForm::Exchange, |history| {
        let body =
            gemini::request(&history.view().messages(), &[], &RequestOptions::default()).unwrap();
        let roles = roles(&body, "contents");
        assert_eq!(roles[0], "user");
        assert!(roles.windows(2).all(|pair| pair[0] != pair[1]), "{roles:?}");
    });
}

#[test]
fn the_others_take_both_forms() {
    for form in [RecapForm::Exchange, RecapForm::Assistant] {
        views(form, |history| {
            let messages = history.view().messages();
            let chat = openai_chat::request(&messages, &[], &RequestOptions::new("m")).unwrap();
            let (mut calls, mut results) = (Vec::new(), Vec::new());
            values(&chat, "id", &mut calls);
            values(&chat, "tool_call_id", &mut results);
            assert_eq!(
                calls.iter().collect::<BTreeSet<_>>(),
                results.iter().collect::<BTreeSet<_>>()
            );
            assert!(openai_responses::request(&messages, &[], &RequestOptions::new("m")).is_ok());
            assert!(ollama::request(&messages, &[], &RequestOptions::new("m")).is_ok());
            assert!(
                anthropic::request(&messages, &[], &RequestOptions::new("m").max_tokens(1_000))
                    .is_ok()
            );
            assert!(gemini::request(&messages, &[], &RequestOptions::default()).is_ok());
        });
    }
}

#[test]
fn cache_points_of_a_view_go_through_a_plan() {
    views(RecapForm::Exchange, |history| {
        let view = history.view();
        let points = view.cache_points();
        let plan = points.iter().fold(CachePlan::explicit(), |plan, &at| {
            plan.after(at, CachePoint::default())
        });
        let mut messages = view.messages();
        let _ = plan.apply(&mut messages);
        let marked: Vec<usize> = (0..messages.len())
            .filter(|&at| messages[at].cache.is_some())
            .collect();
        assert_eq!(marked, points);
        let body = anthropic::request(&messages, &[], &RequestOptions::new("m").max_tokens(1_000))
            .unwrap();
        assert_eq!(
            body.to_string().matches("cache_control").count(),
            points.len()
        );
    });
}
