//! Views that are compacted again, and where a move stops.

use prompt_core::compaction::{CompactionConfig, Compactor, Extractor, RECAP_STUB, Trigger};
use prompt_core::{History, Message, Role, ToolCall, ToolResult};
use serde_json::json;

/// An exchange that stayed, because its batch would have stood in two places with a stub for each, saves more than one that
/// stayed for a batch in one place: the recaps behind it tell that it was left by the compaction before.
#[test]
fn what_stayed_between_recaps_stays_when_the_view_is_compacted() {
    let call = |id: &str| Message::calls([ToolCall::new(id, "look", json!({}))]);
    let result = |id: &str| {
        let call = ToolCall::new(id, "look", json!({}));
        Message::tool([ToolResult::ok(&call, "Seen.")])
    };
    let answer =
        |number: usize| Message::assistant(format!("Answer {number}\nwith some more words."));
    let log = [
        Message::assistant("It has no line of a recap, not one."),
        call("a"),
        answer(1),
        Message::user("Question 2: how does it stand, then?"),
        answer(2),
        result("a"),
        answer(3),
        answer(4),
        call("b"),
        answer(5),
        answer(6),
        answer(7),
        answer(8),
    ];
    let config = CompactionConfig::builder()
        .min_preserved(0)
        .batch_size(3)
        .extractor(Extractor::Marker("Answer".into()));
    let compactor = Compactor::new(config.build().unwrap());
    let once = compactor.compact(&log).messages();
    let texts: Vec<String> = once.iter().map(Message::text).collect();
    let stays = [
        "It has no line of a recap, not one.",
        RECAP_STUB,
        "Answer 1",
        "Question 2: how does it stand, then?",
        "Answer 2\nwith some more words.",
        RECAP_STUB,
        "Answer 3\nAnswer 4",
        "",
        "Answer 5\nwith some more words.",
        RECAP_STUB,
        "Answer 6\nAnswer 7\nAnswer 8",
    ];
    assert_eq!(texts, stays);
    assert_eq!(compactor.compact(&once).messages(), once);
}

/// Whatever the mark is, also where a view comes out at it to the token.
#[test]
fn a_move_ends_below_the_low_mark_and_not_on_it() {
    let mut on_the_mark = 0;
    for low in 1..60 {
        let config = CompactionConfig::builder()
            .min_preserved(1)
            .batch_size(1)
            .trigger(Trigger::Tokens { high: 60, low });
        let mut history = History::new(config.build().unwrap()).counter(words);
        for number in 0..20 {
            let answer = Message::assistant(format!("It stands well and dry.\nrecap - {number}"));
            for message in [Message::user("How does it stand now?"), answer] {
                let before = history.frontier();
                history.push(message);
                let view = history.view();
                let tokens = view.tokens(&words);
                let is_answer = |message: &&Message| message.role == Role::Assistant;
                if view.frontier() > before {
                    let left = view.tail().iter().filter(is_answer).count();
                    assert!(tokens < low || left == 1, "{low}: {tokens}");
                }
                on_the_mark += usize::from(tokens == low);
            }
        }
    }
    assert!(on_the_mark > 0);
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}
