//! Results of tools that are cleared while their question is open: by example, and as laws over random runs of an agent, which
//! read nothing but what was said and what is sent.

use prompt_agent::Conversation;
use prompt_core::compaction::{
    ClearToolResults, Compact, CompactionConfig, CompactionError, Compactor, Trigger,
};
use prompt_core::message::{CachePoint, ImageSource, Verdict};
use prompt_core::{Budget, Code, Content, History, Message, Role, ToolCall, ToolResult};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use std::time::{Duration, Instant};

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn config(high: usize, rule: ClearToolResults) -> CompactionConfig {
    let low = high / 2;
    let builder = CompactionConfig::builder().trigger(Trigger::Tokens { high, low });
    builder.clear_tool_results(rule).build().unwrap()
}

/// A call of a tool with its result of so many words.
fn step(log: &mut Vec<Message>, tool: &str, length: usize) {
    let call = ToolCall::new(format!("call_{}", log.len()), tool, json!({}));
    log.push(Message::calls([call.clone()]));
    log.push(Message::tool([ToolResult::ok(
        &call,
        "word ".repeat(length),
    )]));
}

fn asked() -> Vec<Message> {
    vec![
        Message::system("You mend."),
        Message::user("Why does it fail?"),
    ]
}

fn pushed(log: &[Message], config: &CompactionConfig) -> History {
    let mut history = History::new(config.clone()).counter(words);
    history.extend(log.iter().cloned());
    history
}

fn contents(messages: &[Message]) -> Vec<String> {
    let results = messages.iter().flat_map(Message::tool_results);
    results.map(|result| result.content).collect()
}

const LINE: &str =
    "[Cleared to save room: the result of `read`, 500 bytes. Call the tool again if you need it.]";

// ---- by example

#[test]
fn one_question_with_forty_calls_stays_under_the_mark() {
    let mut log = asked();
    for _ in 0..40 {
        step(&mut log, "read", 100);
    }
    let history = pushed(&log, &config(1_500, ClearToolResults::default()));
    let view = history.view();
    assert!(view.tokens(&words) <= 1_500);
    assert_eq!(view.len(), log.len());
    let contents = contents(&view.messages());
    assert_eq!(contents[0], LINE);
    assert_eq!(contents[39], "word ".repeat(100));
    let report = view.report(&words);
    assert_eq!(report.results_cleared[..2], [3, 5]);
    assert!(report.to_string().ends_with("messages are cleared"));
    assert_eq!(history.log(), log);
}

#[test]
fn without_the_rule_nothing_is_cleared() {
    let mut log = asked();
    for _ in 0..40 {
        step(&mut log, "read", 100);
    }
    let trigger = Trigger::Tokens { high: 500, low: 1 };
    let config = CompactionConfig::builder()
        .trigger(trigger)
        .build()
        .unwrap();
    assert_eq!(pushed(&log, &config).view().messages(), log);
}

#[test]
fn what_is_excluded_short_new_or_opened_stays() {
    let mut log = asked();
    step(&mut log, "plan", 100);
    step(&mut log, "open_sections", 100);
    step(&mut log, "read", 3);
    step(&mut log, "read", 100);
    step(&mut log, "read", 100);
    let rule = ClearToolResults::default().keep(0).exclude_tools(["plan"]);
    let history = pushed(&log, &config(10, rule));
    let mut sent = contents(&log);
    sent[3] = LINE.into();
    assert_eq!(contents(&history.view().messages()), sent);
}

#[test]
fn results_of_one_reply_in_messages_of_their_own_are_new_together() {
    let calls = ["a", "b", "c"].map(|id| ToolCall::new(id, "read", json!({})));
    let mut log = asked();
    log.push(Message::calls(calls.clone()));
    for call in &calls {
        log.push(Message::tool([ToolResult::ok(call, "word ".repeat(100))]));
    }
    let config = config(10, ClearToolResults::default().keep(1));
    assert_eq!(pushed(&log, &config).view().messages(), log);
    log.push(Message::calls([ToolCall::new("d", "read", json!({}))]));
    let sent = contents(&pushed(&log, &config).view().messages());
    assert_eq!(sent, [LINE, LINE, &"word ".repeat(100)]);
}

#[test]
fn what_is_beside_a_result_stays_but_its_images() {
    let image = || Content::Image {
        mime: "image/png".into(),
        source: ImageSource::Data("AAAA".into()),
    };
    let calls = [("a", "look"), ("b", "read"), ("c", "plan")];
    let calls = calls.map(|(id, tool)| ToolCall::new(id, tool, json!({ "of": id })));
    let [look, read, plan] = &calls;
    let results = Message::tool([
        ToolResult::ok(look, "").with(image()).with(image()),
        ToolResult::failed(read, "word ".repeat(100)).untrusted(),
        ToolResult::ok(plan, "word ".repeat(100)).with(image()),
    ]);
    let mut log = asked();
    log.push(Message::calls(calls.clone()));
    log.push(results.cached(CachePoint::default()));
    log.push(Message {
        role: Role::User,
        content: vec![
            Content::ToolResult {
                id: "x".into(),
                content: "word ".repeat(100),
                is_error: false,
            },
            image(),
            Content::text("What of this?"),
        ],
        cache: None,
    });
    step(&mut log, "read", 100);
    let rule = ClearToolResults::default().keep(1).exclude_tools(["plan"]);
    let sent = pushed(&log, &config(10, rule)).view().messages();
    let found = sent[3].tool_results();
    assert_eq!(
        found[0].content,
        "[Cleared to save room: the result of `look`, 2 images. Call the tool again if you need it.]"
    );
    assert!(found[0].attachments.is_empty());
    assert_eq!(
        (&*found[1].content, found[1].is_error, found[1].untrusted),
        (LINE, true, true)
    );
    assert_eq!(
        (found[2].content.len(), found[2].attachments.len()),
        (500, 1)
    );
    assert_eq!(sent[3].cache, Some(CachePoint::default()));
    assert_eq!(
        sent[4].text(),
        "What of this?",
        "a result of an unknown call is cleared, and nothing beside it"
    );
    assert_eq!(sent[4].content.len(), 3);
    assert!(
        sent[4].tool_results()[0]
            .content
            .contains("a result, 500 bytes")
    );
}

#[test]
fn a_typed_answer_is_told_in_full() {
    let mut log = asked();
    step(&mut log, "answer", 100);
    let refusal = log.pop().unwrap();
    log.push(refusal.marked(Verdict::Refused));
    step(&mut log, "read", 100);
    step(&mut log, "read", 100);
    let history = pushed(&log, &config(10, ClearToolResults::default().keep(1)));
    assert_eq!(history.view().report(&words).results_cleared, [5]);
}

#[test]
fn what_is_said_of_typed_answers_counts_as_no_result() {
    let mut log = asked();
    for _ in 0..4 {
        step(&mut log, "read", 100);
    }
    for _ in 0..3 {
        step(&mut log, "answer", 1);
        let refusal = log.pop().unwrap();
        log.push(refusal.marked(Verdict::Refused));
    }
    step(&mut log, "answer", 1);
    let accepted = log.pop().unwrap();
    log.push(accepted.marked(Verdict::Accepted));
    let history = pushed(&log, &config(10, ClearToolResults::default()));
    assert_eq!(history.view().report(&words).results_cleared, [3]);
}

#[test]
fn a_result_belongs_to_the_newest_call_of_its_id_that_waits() {
    let long = "word ".repeat(100);
    let calls = ["plan", "read"].map(|tool| ToolCall::new("0", tool, json!({})));
    let mut log = asked();
    log.extend(calls.clone().map(|call| Message::calls([call])));
    log.push(Message::tool([ToolResult::ok(&calls[1], "short")]));
    log.push(Message::tool([ToolResult::ok(&calls[0], long.as_str())]));
    step(&mut log, "read", 100);
    let rule = ClearToolResults::default().keep(0).exclude_tools(["plan"]);
    let sent = pushed(&log, &config(10, rule)).view().messages();
    assert_eq!(contents(&sent), ["short", &long, &long]);
}

#[test]
fn what_begins_like_a_line_is_none() {
    let rule = ClearToolResults::default();
    let page = format!("[Cleared to save room: {}", "x".repeat(1_000));
    assert!(rule.line("fetch", &page, 0).is_some());
    assert_eq!(rule.line("read", LINE, 0), None);
}

/// Calls far from their results, and results without a call, are found at once.
#[test]
fn clearing_takes_time_in_proportion() {
    let took = |pairs: usize| {
        let mut log = asked();
        let call = |number: usize| ToolCall::new(number.to_string(), "read", json!({}));
        log.extend((0..pairs).map(|number| Message::calls([call(number)])));
        let long = "word ".repeat(30);
        log.extend(
            (0..pairs).map(|number| Message::tool([ToolResult::ok(&call(number), long.as_str())])),
        );
        log.push(Message::calls([call(pairs)]));
        let start = Instant::now();
        let sent = pushed(&log, &config(10, ClearToolResults::default()))
            .view()
            .messages();
        assert!(contents(&sent)[0].starts_with("[Cleared"));
        start.elapsed()
    };
    took(100);
    assert!(took(20_000) < Duration::from_secs(20));
}

#[test]
fn a_step_waits_until_it_gains_enough() {
    let mut log = asked();
    let rule = ClearToolResults::default().keep(1).clear_at_least(200);
    let config = config(10, rule);
    let mut cleared = Vec::new();
    for _ in 0..8 {
        step(&mut log, "read", 100);
        let history = pushed(&log, &config);
        cleared.push(history.view().report(&words).results_cleared.len());
    }
    // A line takes 18 words: three are needed.
    assert_eq!(cleared, [0, 0, 0, 3, 3, 3, 6, 6]);
}

#[test]
fn an_answer_takes_what_was_cleared_with_it() {
    let mut log = asked();
    for _ in 0..6 {
        step(&mut log, "read", 100);
    }
    let builder = CompactionConfig::builder().min_preserved(0);
    let config = builder.trigger(Trigger::Tokens { high: 400, low: 10 });
    let config = config
        .clear_tool_results(ClearToolResults::default())
        .build()
        .unwrap();
    log.push(Message::assistant("It rusts.\nrecap - rust"));
    let history = pushed(&log, &config);
    assert!(!history.view().report(&words).results_cleared.is_empty());
    for _ in 0..4 {
        log.push(Message::user("And now? ".repeat(100)));
        log.push(Message::assistant("Mended.\nrecap - mended"));
    }
    let history = pushed(&log, &config);
    assert!(history.frontier() > 0);
    assert!(history.view().report(&words).results_cleared.is_empty());
}

#[test]
fn the_rule_needs_a_mark() {
    let builder = CompactionConfig::builder().clear_tool_results(ClearToolResults::default());
    let error = builder.build().unwrap_err();
    assert_eq!(error, CompactionError::ClearingWithoutMark);
    assert_eq!(error.code(), Code::ClearingWithoutMark);
    assert_eq!(
        error.to_string(),
        "`clear_tool_results` needs `trigger` to be `Tokens`: results are cleared above its `high`"
    );
    let config = config(10, ClearToolResults::default().exclude_tools(["plan"]));
    let saved = serde_json::to_value(&config).unwrap();
    assert_eq!(
        saved["clear_tool_results"],
        json!({ "keep": 3, "exclude_tools": ["plan"], "clear_at_least": 0 })
    );
    assert_eq!(
        serde_json::from_value::<CompactionConfig>(saved).unwrap(),
        config
    );
    let misspelt = json!({
        "trigger": { "tokens": { "high": 2, "low": 1 } }, "clear_tool_results": { "kept": 1 }
    });
    assert!(serde_json::from_value::<CompactionConfig>(misspelt).is_err());
}

#[test]
fn a_saved_history_says_which_results_are_cleared() {
    let mut log = asked();
    for _ in 0..6 {
        step(&mut log, "read", 100);
    }
    let history = pushed(&log, &config(300, ClearToolResults::default()));
    let saved = serde_json::to_value(&history).unwrap();
    assert_eq!(saved["frontier"]["cleared"], json!([3, 5, 7]));
    for wrong in [json!([2]), json!([99]), json!([1, 3])] {
        let mut damaged = saved.clone();
        damaged["frontier"]["cleared"] = wrong;
        let error = serde_json::from_value::<History>(damaged).unwrap_err();
        assert!(error.to_string().contains("results are cleared"), "{error}");
    }
    for (key, wrong) in [
        ("refused_late", json!([u64::MAX])),
        ("lead", json!(u64::MAX)),
    ] {
        let mut damaged = saved.clone();
        damaged["frontier"][key] = wrong;
        assert!(serde_json::from_value::<History>(damaged).is_err(), "{key}");
    }
}

#[test]
fn a_conversation_goes_on_where_it_would_not_fit() {
    let prompt = |conversation: &Conversation| {
        let prompt = conversation.prompt("You mend.");
        let budget = Budget::request(2_000).counter(&words);
        prompt
            .budget(budget)
            .render()
            .map(|prompt| prompt.messages())
    };
    let run = |config: CompactionConfig| {
        let mut conversation = Conversation::new(config).counter(words);
        conversation.begin("Why does it fail?");
        for number in 0..40 {
            let call = ToolCall::new(number.to_string(), "read", json!({}));
            conversation.push(Message::calls([call.clone()]));
            let result = ToolResult::ok(&call, "word ".repeat(100));
            conversation.push_results([result]).unwrap();
            prompt(&conversation)?;
        }
        prompt(&conversation)
    };
    let error = run(CompactionConfig::without_recaps()).unwrap_err();
    assert_eq!(error.code(), Code::BaseTooLarge);
    assert!(
        error.to_string().contains("`clear_tool_results`"),
        "{error}"
    );
    let sent = run(config(1_800, ClearToolResults::default())).unwrap();
    assert_eq!(sent.len(), 82);
    // The last message whose results are cleared is where the cache ends, if the next step comes.
    let marked = sent
        .iter()
        .rposition(|message| message.cache.is_some() && message != sent.last().unwrap());
    assert!(contents(&sent[marked.unwrap()..=marked.unwrap()])[0].starts_with("[Cleared"));
}

// ---- laws

#[derive(Clone, Debug)]
enum Event {
    /// The system speaks, late.
    Told,
    /// A reply that calls tools, with the length of each result; and whether they come in one message.
    Calls(Vec<(bool, usize)>, bool),
    Answer(usize),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let calls = vec((prop::bool::weighted(0.2), 0..80_usize), 1..4);
    let event = prop_oneof![
        8 => (calls, any::<bool>()).prop_map(|(calls, joined)| Event::Calls(calls, joined)),
        1 => (0..40_usize).prop_map(Event::Answer),
        1 => Just(Event::Told),
    ];
    vec(event, 0..40)
}

fn written(events: &[Event], anew: bool) -> Vec<Message> {
    let mut log = asked();
    for (number, event) in events.iter().enumerate() {
        match event {
            Event::Calls(lengths, joined) => {
                let call = |(at, (excluded, _)): (usize, &(bool, usize))| {
                    let id = if anew {
                        format!("{at}")
                    } else {
                        format!("{number}_{at}")
                    };
                    ToolCall::new(id, if *excluded { "plan" } else { "read" }, json!({}))
                };
                let calls: Vec<ToolCall> = lengths.iter().enumerate().map(call).collect();
                log.push(Message::calls(calls.clone()));
                let result = |(call, (_, length)): (&ToolCall, &(bool, usize))| {
                    ToolResult::ok(call, format!("{number} {}", "word ".repeat(*length)))
                };
                let results = calls.iter().zip(lengths).map(result);
                if *joined {
                    log.push(Message::tool(results));
                } else {
                    log.extend(results.map(|result| Message::tool([result])));
                }
            }
            Event::Told => log.push(Message::system("Mind the tide.")),
            Event::Answer(length) => {
                let text = format!(
                    "Answer {number} {}\nrecap - {number}",
                    "word ".repeat(*length)
                );
                log.push(Message::assistant(text));
                log.push(Message::user(format!("Question {number}?")));
            }
        }
    }
    log
}

fn rules() -> impl Strategy<Value = (CompactionConfig, ClearToolResults, usize)> {
    (
        0..400_usize,
        1..200_usize,
        0..4_usize,
        0..5_usize,
        0..150_usize,
    )
        .prop_map(|(low, gap, preserved, keep, at_least)| {
            let high = low + gap;
            let rule = ClearToolResults::default()
                .keep(keep)
                .exclude_tools(["plan"])
                .clear_at_least(at_least);
            let builder = CompactionConfig::builder().trigger(Trigger::Tokens { high, low });
            let builder = builder
                .min_preserved(preserved)
                .clear_tool_results(rule.clone());
            (builder.build().unwrap(), rule, high)
        })
}

/// The results of a log in order, each with its tool, and whether the model wrote something behind it.
fn results(log: &[Message]) -> Vec<(String, ToolResult, bool)> {
    let last = log
        .iter()
        .rposition(|message| message.role == Role::Assistant);
    let mut found = Vec::new();
    let mut calls: Vec<ToolCall> = Vec::new();
    for (at, message) in log.iter().enumerate() {
        calls.extend(message.tool_calls());
        for result in message.tool_results() {
            let call = calls
                .iter()
                .rev()
                .find(|call| call.id == result.id)
                .unwrap();
            found.push((
                call.name.clone(),
                result,
                last.is_some_and(|last| at < last),
            ));
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(256), failure_persistence: None, ..ProptestConfig::default() })]

    /// What is not compacted is what was said, but for results; each of these is as it came, or its line.
    #[test]
    fn only_old_results_that_may_go_are_cleared(events in events(), anew: bool, (config, rule, high) in rules()) {
        let log = written(&events, anew);
        let view = Compactor::new(config).counter(words).compact(&log);
        let sent = view.messages();
        let tail = &log[view.frontier()..];
        let shown = &sent[sent.len() - tail.len()..];
        let (said, shown_results) = (results(tail), results(shown));
        prop_assert_eq!(said.len(), shown_results.len());
        let mut gain = 0;
        for (number, ((tool, said, replied), (_, shown, _))) in said.iter().zip(&shown_results).enumerate() {
            prop_assert_eq!(&said.id, &shown.id);
            let stays = tool == "plan" || !replied || number + rule.keep >= shown_results.len();
            prop_assert!(!stays || said == shown);
            if said == shown {
                let line = format!("[Cleared to save room: the result of `read`, {} bytes. Call the tool again if you need it.]", said.content.len());
                if !stays && line.len() < said.content.len() {
                    gain += words(&said.content).saturating_sub(words(&line));
                }
            } else {
                prop_assert!(shown.content.starts_with("[Cleared to save room: the result of `read`"));
                prop_assert!(shown.content.len() < said.content.len());
            }
        }
        // Where it does not fit all the same, nothing is left that would be worth a step: results of one message stay together.
        let joined = events.iter().any(|event| matches!(event, Event::Calls(calls, true) if calls.len() > 1));
        if view.tokens(&words) > high && !joined {
            prop_assert!(gain == 0 || gain < rule.clear_at_least, "{} {:?}", gain, sent);
        }
        for (said, shown) in tail.iter().zip(shown) {
            prop_assert_eq!(said.role, shown.role);
            if said.tool_results().is_empty() {
                prop_assert_eq!(said, shown);
            }
        }
    }

    /// What was sent is a prefix of what is sent next, until results are cleared or the frontier moves; a step gains what it
    /// must, and nothing comes back.
    #[test]
    fn between_steps_the_old_view_is_a_prefix(events in events(), anew: bool, (config, rule, high) in rules()) {
        let log = written(&events, anew);
        let compactor = Compactor::new(config.clone()).counter(words);
        let mut history = History::new(config).counter(words);
        let (mut old, mut frontier, mut cleared) = (Vec::new(), 0, Vec::new());
        for (at, message) in log.iter().enumerate() {
            let before = history.view().tokens(&words) + message.tokens(&words);
            history.push(message.clone());
            let new = history.view().messages();
            prop_assert_eq!(&new, &compactor.compact(&log[..=at]).messages());
            let report = history.view().report(&words);
            let now: Vec<usize> = report.results_cleared;
            if history.frontier() == frontier {
                prop_assert!(cleared.iter().all(|at| now.contains(at)));
                if now == cleared {
                    prop_assert!(new.starts_with(&old));
                } else {
                    prop_assert!(before > high);
                    prop_assert!(before - report.tokens_after >= rule.clear_at_least.max(1));
                    let first = now.iter().find(|at| !cleared.contains(at)).unwrap();
                    prop_assert!(cleared.iter().all(|at| at < first), "a step is behind the last one");
                }
            }
            (old, frontier, cleared) = (new, history.frontier(), now);
        }
        prop_assert_eq!(history.log(), log);
    }

    /// A history that was saved goes on with the same bytes, and a view is not cleared again.
    #[test]
    fn a_saved_one_goes_on(events in events(), anew: bool, (config, ..) in rules(), cut: prop::sample::Index) {
        let log = written(&events, anew);
        let cut = cut.index(log.len() + 1);
        let mut history = History::new(config.clone()).counter(words);
        history.extend(log[..cut].iter().cloned());
        let saved = serde_json::to_string(&history).unwrap();
        let mut restored: History = serde_json::from_str::<History>(&saved).unwrap().counter(words);
        prop_assert_eq!(serde_json::to_string(&restored).unwrap(), saved);
        for message in &log[cut..] {
            history.push(message.clone());
            restored.push(message.clone());
            prop_assert_eq!(history.view().messages(), restored.view().messages());
            prop_assert_eq!(serde_json::to_value(&history).unwrap(), serde_json::to_value(&restored).unwrap());
        }
        let once = history.view().messages();
        let compactor = Compactor::new(config.clone()).counter(words);
        prop_assert_eq!(&compactor.compact(&once).messages(), &once);
        let taken = history.take_back(cut);
        prop_assert_eq!(taken.len(), log.len() - cut);
        prop_assert_eq!(history.view().messages(), compactor.compact(&log[..cut]).messages());
    }
}
