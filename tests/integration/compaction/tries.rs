//! Answers that are refused and given anew: they go from the view when another answer stands, and come back if that is
//! refused as well.

use prompt_core::compaction::{CompactionConfig, Compactor, Trigger};
use prompt_core::message::Verdict;
use prompt_core::{History, Message, Role, ToolCall};
use std::time::{Duration, Instant};

fn refusal(n: usize) -> Message {
    Message::user(format!("No {n}.")).marked(Verdict::Refused)
}

fn answer(n: usize) -> Message {
    Message::assistant(format!(
        "A long answer, number {n}, to be thought about.\nrecap - {n}"
    ))
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// What is to be seen where nothing is compacted: no try behind which another answer stands.
fn shown(log: &[Message]) -> Vec<Message> {
    let is_refusal = |at: usize| log.get(at).and_then(Message::verdict) == Some(Verdict::Refused);
    let mut hidden = vec![false; log.len()];
    for at in (1..log.len()).filter(|at| is_refusal(*at)) {
        // The last try of this run, and whether an answer is behind it that stands.
        let mut last = at;
        while is_refusal(last + 2) {
            last += 2;
        }
        if last + 1 < log.len() {
            (hidden[at - 1], hidden[at]) = (true, true);
        }
    }
    let shown = log.iter().zip(hidden).filter(|(_, hidden)| !hidden);
    shown.map(|(message, _)| message.clone()).collect()
}

#[test]
fn tries_come_and_go_with_each_answer() {
    let trigger = Trigger::Tokens { high: 60, low: 30 };
    let tokens = CompactionConfig::builder()
        .min_preserved(1)
        .trigger(trigger);
    let tokens = tokens.build().unwrap();
    let whole = CompactionConfig::builder().enabled(false).build().unwrap();
    let mut state = 7_u64;
    let mut below = |end: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % end
    };
    for _ in 0..40 {
        let mut live: History = History::new(tokens.clone()).counter(words);
        let mut plain: History = History::new(whole.clone());
        let mut saved: History = History::new(tokens.clone()).counter(words);
        for n in 0..40 {
            let last = plain.log().last();
            let is_answered = last.is_some_and(|last| last.role == Role::Assistant);
            let message = match below(3) {
                _ if !is_answered => answer(n),
                0 => Message::user(format!("Question {n}?")),
                _ => refusal(n),
            };
            for history in [&mut live, &mut plain, &mut saved] {
                history.push(message.clone());
            }
            // Counted from scratch after each message.
            let stored = serde_json::to_string(&saved).unwrap();
            saved = serde_json::from_str::<History>(&stored)
                .unwrap()
                .counter(words);
            assert_eq!(saved.view().messages(), live.view().messages());
            assert_eq!(plain.view().messages(), shown(plain.log()));
            assert_eq!(plain.view().len(), plain.view().messages().len());
        }
        let compactor = Compactor::new(tokens.clone()).counter(words);
        let compacted = compactor.compact(live.log()).messages();
        assert_eq!(compacted, live.view().messages());
    }
}

#[test]
fn many_tries_are_taken_in_linear_time() {
    let mut history = History::default();
    let start = Instant::now();
    history.push(Message::user("Well?"));
    for n in 0..20_000 {
        history.push(answer(n));
        history.push(refusal(n));
    }
    history.push(answer(0));
    assert_eq!(history.view().messages().len(), 2);
    let elapsed = start.elapsed();
    assert!(elapsed < Duration::from_secs(5), "{elapsed:?}");
}

/// Where nothing is preserved an answer may be compacted before it is refused; what is saved then is read back.
#[test]
fn an_answer_that_is_refused_late_is_saved_as_it_is() {
    let trigger = Trigger::Tokens { high: 66, low: 0 };
    let builder = CompactionConfig::builder().min_preserved(0);
    let config = builder.trigger(trigger).build().unwrap();
    let call = ToolCall::new("c11", "read", serde_json::json!({}));
    let log = [
        Message::user("a"),
        Message::assistant("x".repeat(66)),
        Message::user("Y").marked(Verdict::Refused),
        Message::calls([call]),
        Message::assistant("<"),
        Message::user("And?"),
        Message::assistant("y".repeat(80)),
    ];
    let mut history = History::new(config).counter(str::len);
    for message in log {
        history.push(message);
        let saved = serde_json::to_string(&history).unwrap();
        let restored: History = serde_json::from_str(&saved).unwrap();
        assert_eq!(restored.view().messages(), history.view().messages());
        assert_eq!(serde_json::to_string(&restored).unwrap(), saved);
    }
}
