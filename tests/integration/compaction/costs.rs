//! The 200-turn table of the design, and what else a replay counts.

use super::properties::faults;
use prompt_core::Content;
use prompt_core::History;
use prompt_core::Message;
use prompt_core::Role;
use prompt_core::compaction::{
    ClearToolResults, Compact, CompactionConfig, CompactionConfigBuilder, Kind, RecapForm, Trigger,
};
use prompt_core::{ToolCall, ToolResult};
use prompt_examples::savings::{CostModel, HistoryPolicy, Simulation, requests, simulate};
use serde_json::json;

/// A text of so many words: one word is one token to `words`.
fn text(words: usize) -> String {
    vec!["word"; words].join(" ")
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// 200 turns: system 2000 tokens, question 300, answer 500 with a recap of 30.
fn log() -> Vec<Message> {
    let mut log = vec![Message::system(text(2000))];
    for _ in 0..200 {
        log.push(Message::user(text(300)));
        log.push(Message::assistant(format!(
            "{}\nrecap - {}",
            text(470),
            text(28)
        )));
    }
    log
}

fn batch(size: usize, form: RecapForm) -> HistoryPolicy {
    CompactionConfig::builder()
        .min_preserved(3)
        .batch_size(size)
        .recap_form(form)
        .build()
        .unwrap()
        .into()
}

fn run(policy: HistoryPolicy) -> Simulation {
    simulate(&log(), policy, &CostModel::anthropic().counter(words))
}

#[test]
fn the_table() {
    let rows = [
        (HistoryPolicy::None, 1_823_725.0, 0),
        (HistoryPolicy::Window(3), 707_505.0, 196),
        (HistoryPolicy::Window(10), 2_017_450.0, 189),
        (HistoryPolicy::Window(20), 3_725_600.0, 179),
        (batch(1, RecapForm::Assistant), 772_185.0, 196),
        (batch(4, RecapForm::Assistant), 473_628.0, 49),
        (batch(8, RecapForm::Assistant), 448_741.0, 24),
        (batch(16, RecapForm::Assistant), 481_657.0, 12),
    ];
    for (policy, cost, breaks) in rows {
        let row = run(policy.clone());
        assert!(
            (row.cost - cost).abs() < 0.51,
            "{policy}: {} instead of {cost}",
            row.cost
        );
        assert_eq!((row.requests, row.prefix_breaks), (200, breaks), "{policy}");
    }
}

#[test]
fn batches_of_eight_in_both_forms() {
    let all = run(HistoryPolicy::None);
    assert_eq!((all.input_tokens, all.peak_tokens), (16_380_000, 161_500));
    for form in [RecapForm::Assistant, RecapForm::Exchange] {
        let eight = run(batch(8, form));
        assert!(eight.hit_rate() >= 0.89, "{}", eight.hit_rate());
        assert!(
            eight.cost_relative_to(&all) <= 0.25,
            "{}",
            eight.cost_relative_to(&all)
        );
        assert_eq!(eight.prefix_breaks, 24);
    }
}

#[test]
fn openai_charges_nothing_extra_for_writes() {
    let row = simulate(
        &log(),
        HistoryPolicy::Window(3),
        &CostModel::openai().counter(words),
    );
    // 935,200 tokens, 401,300 of them read from the cache.
    assert_eq!((row.input_tokens, row.cached_tokens), (935_200, 401_300));
    assert!((row.cost - (533_900.0 + 40_130.0)).abs() < 1e-6);
}

#[test]
fn every_call_and_answer_is_a_request() {
    let call = Content::ToolCall {
        id: "a".into(),
        name: "look".into(),
        arguments: json!({}),
    };
    let result = Content::ToolResult {
        id: "a".into(),
        content: "two three".into(),
        is_error: false,
    };
    let log = [
        Message::system("one"),
        Message::assistant("a greeting replies to nothing"),
        Message::user("one two"),
        Message {
            role: Role::Assistant,
            content: vec![call],
            cache: None,
        },
        Message {
            role: Role::Tool,
            content: vec![result],
            cache: None,
        },
        Message::assistant("done"),
        Message::user("not answered yet"),
    ];
    let sum = simulate(
        &log,
        HistoryPolicy::None,
        &CostModel::new(0.0, 1.0).counter(words),
    );
    // First: 1 + 5 + 2 words. Second: those, the call (its name and `{}`), and the result.
    assert_eq!(
        (sum.requests, sum.input_tokens, sum.cached_tokens),
        (2, 8 + 12, 8)
    );
    assert_eq!(sum.peak_tokens, 12);
    assert!((sum.cost - 12.0).abs() < 1e-9);
}

#[test]
fn nothing_costs_nothing() {
    let sum = simulate::<Message>(&[], HistoryPolicy::Window(0), &CostModel::anthropic());
    assert_eq!(sum, Simulation::default());
    assert_eq!((sum.hit_rate(), sum.cost_relative_to(&sum)), (0.0, 1.0));
}

/// The chat that the example `long_chat` replays: 200 turns, sound tool traffic, views that a provider takes.
#[test]
fn the_shipped_chat_is_sound_and_stays_so() {
    let lines = include_str!("../../../examples/data/long_chat.jsonl").lines();
    let chat: Vec<Message> = lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let answers = chat
        .iter()
        .filter(|message| message.kind() == Kind::Answer)
        .count();
    assert_eq!((answers, faults(&chat)), (200, 0));
    let mut history = History::new(CompactionConfig::builder().batch_size(8).build().unwrap());
    for message in chat {
        history.push(message);
        let view = history.view().messages();
        assert_eq!(faults(&view), 0);
        let first = view.iter().find(|message| message.role != Role::System);
        assert!(first.is_none_or(|first| first.role == Role::User));
    }
    let view = history.view();
    assert_eq!(
        (history.frontier(), view.report(&words).recaps_missing.len()),
        (1129, 11)
    );
}

/// One question with 200 calls, each result 800 tokens: what `long_chat` shows of an agent.
#[test]
fn an_agent_that_clears_results_pays_less_than_half() {
    let mut log = vec![Message::system(text(2_000)), Message::user(text(300))];
    for number in 0..200 {
        let call = ToolCall::new(number.to_string(), "read_file", json!({ "path": text(20) }));
        log.push(Message::calls([call.clone()]));
        log.push(Message::tool([ToolResult::ok(&call, text(800))]));
    }
    let model = CostModel::anthropic().counter(words);
    let trigger = Trigger::Tokens {
        high: 60_000,
        low: 30_000,
    };
    let run = |rule: Option<ClearToolResults>| {
        let builder = CompactionConfig::builder().trigger(trigger);
        let builder = rule
            .into_iter()
            .fold(builder, CompactionConfigBuilder::clear_tool_results);
        simulate(&log, builder.build().unwrap(), &model)
    };
    let (all, cleared) = (run(None), run(Some(ClearToolResults::default())));
    assert!(all.peak_tokens > 160_000 && cleared.peak_tokens <= 60_000);
    assert_eq!((all.prefix_breaks, cleared.prefix_breaks), (0, 3));
    assert!(cleared.cost_relative_to(&all) < 0.5);
}

#[test]
fn requests_add_up_to_the_simulation() {
    let model = CostModel::anthropic().counter(words);
    for policy in [
        HistoryPolicy::None,
        HistoryPolicy::Window(3),
        batch(8, RecapForm::Exchange),
    ] {
        let each = requests(&log(), policy.clone(), &model);
        let sum = simulate(&log(), policy, &model);
        assert_eq!(each.len(), sum.requests);
        let input: u64 = each.iter().map(|request| request.input_tokens).sum();
        let cost: f64 = each.iter().map(|request| request.cost).sum();
        let breaks = each.iter().filter(|request| request.prefix_broken).count();
        assert_eq!((input, breaks), (sum.input_tokens, sum.prefix_breaks));
        assert!((cost - sum.cost).abs() < 1e-3);
        assert_eq!(
            each[1],
            requests(&log()[..5], HistoryPolicy::None, &model)[1]
        );
        assert_eq!(each[1].message, 4);
    }
}

#[test]
fn policies_have_short_names() {
    let disabled = HistoryPolicy::from(CompactionConfig::disabled());
    for (policy, name) in [
        (HistoryPolicy::None, "none"),
        (HistoryPolicy::Window(10), "window 10"),
        (batch(8, RecapForm::Exchange), "batch 8"),
        (disabled, "disabled"),
    ] {
        assert_eq!(policy.to_string(), name);
    }
}

#[test]
fn huge_counts_saturate() {
    let trigger = prompt_core::compaction::Trigger::Tokens {
        high: usize::MAX - 1,
        low: 0,
    };
    let config = CompactionConfig::builder()
        .min_preserved(usize::MAX)
        .batch_size(usize::MAX)
        .build()
        .unwrap();
    assert_eq!(
        History::from_log(config.clone(), log()).view().messages(),
        log()
    );
    let config = prompt_core::compaction::CompactionConfigBuilder::from(config)
        .min_preserved(1)
        .trigger(trigger)
        .build()
        .unwrap();
    let mut history = History::new(config).counter(|_: &str| usize::MAX);
    history.extend(log());
    let report = history.view().report(&|_: &str| usize::MAX);
    assert_eq!(report.tokens_before, usize::MAX);
}
