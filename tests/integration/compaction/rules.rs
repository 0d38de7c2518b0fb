//! The rules of compaction, one by one.

use super::properties::faults;
use prompt_agent::wire::{RequestOptions, openai_chat, openai_responses};
use prompt_core::Content;
use prompt_core::History;
use prompt_core::Message;
use prompt_core::Role;
use prompt_core::compaction::Compact;
use prompt_core::compaction::CompactForm;
use prompt_core::compaction::CompactionConfig;
use prompt_core::compaction::Compactor;
use prompt_core::compaction::Extractor;
use prompt_core::compaction::Item;
use prompt_core::compaction::Kind;
use prompt_core::compaction::RECAP_STUB;
use prompt_core::compaction::RecapForm;
use prompt_core::compaction::Trigger;
use prompt_core::message::CachePoint;
use prompt_core::message::ImageSource;
use prompt_core::{ToolCall, ToolResult};
use serde_json::json;

fn compactor(preserved: usize, batch: usize, form: RecapForm) -> Compactor {
    let config = CompactionConfig::builder()
        .min_preserved(preserved)
        .batch_size(batch)
        .recap_form(form);
    Compactor::new(config.build().unwrap())
}

fn calls(ids: &[&str]) -> Message {
    let call = |id: &&str| Content::ToolCall {
        id: (*id).into(),
        name: "read_gauge".into(),
        arguments: json!({}),
    };
    Message {
        role: Role::Assistant,
        content: ids.iter().map(call).collect(),
        cache: None,
    }
}

fn results(ids: &[&str]) -> Message {
    let result = |id: &&str| Content::ToolResult {
        id: (*id).into(),
        content: "two metres and ten".into(),
        is_error: false,
    };
    Message {
        role: Role::Tool,
        content: ids.iter().map(result).collect(),
        cache: None,
    }
}

fn question() -> Message {
    Message::user("How high is the water at the north gauge this morning?")
}

fn answer(recap: &str) -> Message {
    Message::assistant(format!(
        "The gauge has been read and the reading is normal for the season.\nrecap - {recap}"
    ))
}

fn both(log: &[Message]) -> [Vec<Message>; 2] {
    [RecapForm::Exchange, RecapForm::Assistant]
        .map(|form| compactor(0, 1, form).compact(log).messages())
}

// ---- recap forms

#[test]
fn exchange_form_has_one_stub_and_one_block_per_batch() {
    let mut log = vec![
        Message::system("You watch the river."),
        Message::system("Be brief."),
    ];
    for number in 0..7 {
        log.extend([question(), answer(&number.to_string())]);
    }
    let compactor = compactor(1, 2, RecapForm::Exchange);
    let view = compactor.compact(&log);
    let recaps = Message {
        role: Role::Assistant,
        content: vec![
            "recap - 0\nrecap - 1".into(),
            "recap - 2\nrecap - 3".into(),
            "recap - 4\nrecap - 5".into(),
        ],
        cache: None,
    };
    let mut expected = log[..2].to_vec();
    expected.extend([Message::user(RECAP_STUB), recaps]);
    expected.extend_from_slice(&log[14..]);
    assert_eq!(view.messages(), expected);
    assert_eq!(view.len(), 6);
    assert_eq!(view.cache_points(), [1, 3, 5]);
    assert!(matches!(view.items().nth(2), Some(Item::Stub(RECAP_STUB))));
}

#[test]
fn reminders_of_the_compacted_part_keep_their_place() {
    let log = [
        Message::system("a"),
        question(),
        Message::system("late"),
        answer("x"),
        question(),
    ];
    let view = compactor(0, 1, RecapForm::Exchange)
        .compact(&log)
        .messages();
    let texts: Vec<String> = view.iter().map(Message::text).collect();
    assert_eq!(
        texts,
        ["a", "late", RECAP_STUB, "recap - x", &question().text()]
    );
}

#[test]
fn an_answer_without_recap_stands_in_full() {
    let log = [
        question(),
        Message::assistant("Two metres.\nThat is all."),
        question(),
        answer("b"),
    ];
    let [exchange, in_place] = both(&log);
    assert_eq!(exchange[1].content[0], "Two metres.\nThat is all.".into());
    assert_eq!(in_place[0], log[1]);
}

#[test]
fn an_answer_that_no_block_can_hold_keeps_its_exchange() {
    let image = Content::Image {
        mime: "image/png".into(),
        source: ImageSource::Data("AAAA".into()),
    };
    let log = [
        question(),
        Message {
            role: Role::Assistant,
            content: vec![image],
            cache: None,
        },
        question(),
    ];
    let [exchange, in_place] = both(&log);
    assert_eq!(exchange, log);
    assert_eq!(in_place, log[1..]);
}

#[test]
fn empty_answers_leave_no_empty_block() {
    let asked = Message::user(
        "A question that is longer than the stub: how high is the water, and is it rising?",
    );
    let log = [
        asked.clone(),
        Message::assistant(""),
        asked.clone(),
        answer("b"),
        asked,
    ];
    let view = compactor(0, 1, RecapForm::Exchange)
        .compact(&log[..3])
        .messages();
    // Nothing would be left of it, and a request needs a turn.
    assert_eq!(view, log[..3]);
    let view = compactor(0, 1, RecapForm::Exchange)
        .compact(&log)
        .messages();
    assert_eq!(view[..2], log[..2]);
    assert_eq!(view[3].content, ["recap - b".into()]);
    // Behind a recap it takes no room.
    let log = [&log[2..4], &log[..2], &log[4..]].concat();
    let view = compactor(0, 1, RecapForm::Exchange).compact(&log);
    let view = view.messages();
    assert_eq!(view[1].content, ["recap - b".into()]);
    assert_eq!(view[2..], log[4..]);
}

// ---- batches that are not shorter

#[test]
fn a_batch_that_is_not_shorter_stays_full_for_good() {
    let short = [Message::user(""), Message::assistant("recap - a")];
    let mut log = short.to_vec();
    let compactor = compactor(0, 1, RecapForm::Assistant);
    assert_eq!(compactor.compact(&log).messages(), log);
    log.extend([question(), answer("b")]);
    let view = compactor.compact(&log);
    assert_eq!(
        view.messages(),
        [
            short[0].clone(),
            short[1].clone(),
            Message::assistant("recap - b")
        ]
    );
    assert_eq!(view.frontier(), 4);
}

#[test]
fn the_stub_counts_to_the_batch_that_brings_it() {
    let turn = |length: usize| {
        [
            Message::user("q".repeat(length)),
            Message::assistant("recap - a"),
        ]
    };
    let compactor = compactor(0, 1, RecapForm::Exchange);
    let shrinks = |log: &[Message]| {
        compactor.compact(log).len() < log.len() + 2 && compactor.compact(log).messages() != log
    };
    assert!(!shrinks(&turn(RECAP_STUB.len())));
    assert!(shrinks(&turn(RECAP_STUB.len() + 1)));
    // The second batch has the stub already.
    let log = [turn(RECAP_STUB.len() + 1), turn(1)].concat();
    assert_eq!(compactor.compact(&log).messages().len(), 2);
    // A first batch that stays full does not pay for the second.
    let log = [turn(1), turn(RECAP_STUB.len())].concat();
    assert_eq!(compactor.compact(&log).messages(), log);
}

#[test]
fn a_recap_longer_than_its_answer_is_none() {
    let config = CompactionConfig::builder()
        .min_preserved(0)
        .batch_size(1)
        .recap_form(RecapForm::Assistant)
        .extractor(Extractor::custom(|text| Some(format!("In short: {text}"))));
    let log = [question(), Message::assistant("Two metres.")];
    let compactor = Compactor::new(config.build().unwrap());
    assert_eq!(compactor.compact(&log).messages(), log[1..]);
}

// ---- tool traffic

#[test]
fn tool_traffic_goes_with_its_exchange() {
    let text_beside = {
        let mut message = results(&["c"]);
        message.role = Role::User;
        message.content.push(Content::text("Go on."));
        message
    };
    let log = [
        question(),
        calls(&["a", "b"]),
        results(&["b"]),
        results(&["a"]),
        calls(&["c"]),
        text_beside,
        answer("x"),
    ];
    let [exchange, in_place] = both(&log);
    assert_eq!(exchange.len(), 2);
    assert_eq!(in_place, [Message::assistant("recap - x")]);
}

#[test]
fn a_result_without_a_call_goes_with_its_exchange() {
    let log = [
        question(),
        calls(&["a", "b"]),
        results(&["a", "stray"]),
        results(&["b", "b"]),
        results(&[]),
        answer("x"),
    ];
    let [exchange, in_place] = both(&log);
    assert_eq!(exchange[1], Message::assistant("recap - x"));
    assert_eq!(in_place, [Message::assistant("recap - x")]);
}

#[test]
fn ids_numbered_anew_in_every_reply_belong_to_the_newest_call() {
    let turn = [
        question(),
        calls(&["call_0", "call_1"]),
        results(&["call_1", "call_0"]),
        calls(&["call_0"]),
        results(&["call_0"]),
        answer("x"),
    ];
    let log = [turn.clone(), turn].concat();
    let view = compactor(1, 1, RecapForm::Assistant)
        .compact(&log)
        .messages();
    assert_eq!(view[0], Message::assistant("recap - x"));
    assert_eq!(view[1..], log[6..]);
    assert_eq!(faults(&log), 0);
}

#[test]
fn a_call_without_a_result_keeps_its_exchange() {
    for traffic in [
        vec![calls(&["a"])],
        vec![calls(&["a", "b"]), results(&["b"])],
        vec![calls(&["a"]), calls(&["a"]), results(&["a"])],
        vec![calls(&["a", "a"]), results(&["a"])],
        vec![results(&["a"]), calls(&["a"])],
    ] {
        let kept = [vec![question()], traffic, vec![answer("kept")]].concat();
        let log = [kept.clone(), vec![question(), answer("x")]].concat();
        let [exchange, in_place] = both(&log);
        let recaps = [Message::user(RECAP_STUB), Message::assistant("recap - x")];
        assert_eq!(exchange, [&kept[..], &recaps].concat());
        let recap = Message::assistant("recap - x");
        assert_eq!(in_place, [kept.clone(), vec![recap]].concat());
        let report = compactor(0, 1, RecapForm::Assistant)
            .compact(&log)
            .report(&|text: &str| text.len());
        assert_eq!(report.kept, [kept.len() - 1]);
    }
}

/// Calls and results across answers: the first exchange stays whole until the second result is before the frontier.
fn late() -> Vec<Message> {
    vec![
        question(),
        calls(&["a", "b"]),
        results(&["b"]),
        answer("0"),
        question(),
        answer("1"),
        results(&["a"]),
        answer("2"),
        question(),
        answer("3"),
        question(),
    ]
}

#[test]
fn a_late_result_keeps_its_exchange_until_it_goes_as_a_whole() {
    let log = late();
    let recap = |number: usize| Message::assistant(format!("recap - {number}"));
    let form = compactor(1, 1, RecapForm::Assistant);
    let view = form.compact(&log[..9]).messages();
    assert_eq!(
        view,
        [log[..4].to_vec(), vec![recap(1)], log[6..9].to_vec()].concat()
    );
    let view = form.compact(&log);
    assert_eq!(
        view.messages(),
        [vec![recap(0), recap(1), recap(2)], log[8..].to_vec()].concat()
    );
    assert!(view.report(&|text: &str| text.len()).kept.is_empty());
}

#[test]
fn what_goes_late_stands_in_the_block_of_that_move() {
    let log = late();
    let form = compactor(1, 1, RecapForm::Exchange);
    let before = form.compact(&log[..9]).messages();
    assert_eq!(before[..4], log[..4]);
    assert_eq!(before[5].content, ["recap - 1".into()]);
    let after = form.compact(&log).messages();
    let blocks: Vec<Content> = ["recap - 1", "recap - 0\nrecap - 2"]
        .map(Content::from)
        .to_vec();
    assert_eq!(after[1].content, blocks);
    assert_eq!(after[2..], log[8..]);
}

#[test]
fn exchanges_that_share_a_call_wait_for_each_other() {
    // The result of `a` is in the second exchange, whose own call is answered in the fourth only.
    let log = [
        question(),
        calls(&["a"]),
        answer("0"),
        results(&["a"]),
        calls(&["b"]),
        answer("1"),
        question(),
        answer("2"),
        results(&["b"]),
        answer("3"),
    ];
    let form = compactor(0, 1, RecapForm::Assistant);
    let view = form.compact(&log[..8]).messages();
    assert_eq!(
        view,
        [log[..6].to_vec(), vec![Message::assistant("recap - 2")]].concat()
    );
    assert_eq!(form.compact(&log).len(), 4);
}

/// A call of `open_sections`, with another one beside it, a second round that has nothing to do with them, and their
/// results.
fn opening() -> Vec<Message> {
    let mut opening = calls(&["open", "beside"]);
    if let Content::ToolCall { name, .. } = &mut opening.content[0] {
        *name = "open_sections".into();
    }
    vec![
        question(),
        opening,
        results(&["open", "beside"]),
        calls(&["other"]),
        results(&["other"]),
        answer("opened"),
    ]
}

#[test]
fn what_the_model_opened_stays_and_roles_alternate_around_it() {
    let log = [
        vec![question(), answer("first")],
        opening(),
        vec![question(), answer("last"), question()],
    ]
    .concat();
    let [exchange, in_place] = both(&log);
    let recap = |text: &str| Message::assistant(format!("recap - {text}"));
    let pair = |text: &str| vec![Message::user(RECAP_STUB), recap(text)];
    let expected = [
        pair("first"),
        log[2..8].to_vec(),
        pair("last"),
        vec![question()],
    ];
    assert_eq!(exchange, expected.concat());
    let expected = [
        vec![recap("first")],
        log[2..8].to_vec(),
        vec![recap("last"), question()],
    ];
    assert_eq!(in_place, expected.concat());
    for form in [RecapForm::Exchange, RecapForm::Assistant] {
        let view = compactor(0, 1, form).compact(&log);
        assert_eq!(view.report(&|text: &str| text.len()).kept, [7]);
        let messages = view.messages();
        assert_eq!(
            compactor(0, 1, form).compact(&messages).messages(),
            messages
        );
    }
}

/// Where the sections stand in the prompt, or nothing was opened, the result carries nothing that must be kept.
#[test]
fn a_call_that_opened_nothing_in_the_log_is_traffic_like_any_other() {
    let opening = |id: &str| {
        let arguments = json!({ "section_keys": ["tides"], "reason": "" });
        ToolCall::new(id, "open_sections", arguments)
    };
    let both_calls = Message {
        content: vec![opening("1").into(), opening("2").into()],
        ..Message::assistant("")
    };
    let shown = ToolResult::ok(&opening("1"), "Now shown in full in the prompt: 'tides'.");
    let again = "Opened together with the first call of this turn.";
    let refused = "Nothing was opened: section 'x' does not exist in this prompt.";
    let (again, refused) = (
        ToolResult::ok(&opening("2"), again),
        ToolResult::failed(&opening("2"), refused),
    );
    for second in [again, refused] {
        let results = Message::tool([shown.clone(), second.clone()]);
        let log = [
            question(),
            both_calls.clone(),
            results,
            answer("read"),
            question(),
        ];
        let [exchange, in_place] = both(&log);
        assert_eq!(
            exchange[1..],
            [Message::assistant("recap - read"), question()]
        );
        assert_eq!(in_place, exchange[1..]);
        // With a text in one of them all of it stays.
        let mut text = shown.clone();
        text.content = "# Tides\n\nAt six.".into();
        let mut log = log.to_vec();
        log[2] = Message::tool([text, second]);
        assert_eq!(both(&log), [log.clone(), log]);
    }
}

#[test]
fn calls_of_custom_tools_are_calls() {
    let custom = [
        json!({ "type": "custom", "id": "cu1", "custom": { "name": "sql", "input": "select 1" } }),
        json!({ "type": "custom_tool_call", "call_id": "cu1", "name": "sql", "input": "select 1" }),
    ];
    for (value, format) in custom.into_iter().zip(["openai_chat", "openai_responses"]) {
        let format = format.to_owned();
        let call = Message {
            content: vec![Content::Native { format, value }],
            ..Message::assistant("")
        };
        assert_eq!(call.kind(), Kind::ToolCall(vec!["cu1".into()]));
        let log = [
            question(),
            call,
            results(&["cu1"]),
            answer("a"),
            question(),
            answer("b"),
            question(),
        ];
        assert_eq!(faults(&log), 0);
        for (preserved, batch) in [(1, 1), (0, 1), (0, 2), (1, 3)] {
            for form in [RecapForm::Exchange, RecapForm::Assistant] {
                let view = compactor(preserved, batch, form).compact(&log).messages();
                assert_eq!(faults(&view), 0);
                openai_chat::request(&view, &[], &RequestOptions::new("m"))
                    .or_else(|_| openai_responses::request(&view, &[], &RequestOptions::new("m")))
                    .unwrap();
            }
        }
    }
}

#[test]
fn thoughts_and_signatures_do_not_make_an_answer_stay() {
    let thinking = |text: &str| {
        let mut message = Message::assistant(text);
        let thought = Content::Thought {
            text: "Let me see.".into(),
        };
        message.content.splice(
            0..0,
            [
                thought,
                Content::Signature {
                    data: "c2ln".into(),
                },
            ],
        );
        message
    };
    let log = [
        question(),
        thinking("Two metres. \n"),
        question(),
        thinking("Three.\nrecap - 3 m"),
        question(),
    ];
    let view = compactor(0, 2, RecapForm::Exchange)
        .compact(&log)
        .messages();
    assert_eq!(view[1].content, ["Two metres.\nrecap - 3 m".into()]);
    // What says nothing but in a provider's own words is more than text.
    let drawn = Message {
        content: vec![Content::Native {
            format: "openai_responses".into(),
            value: json!({ "type": "image_generation_call" }),
        }],
        ..Message::assistant("")
    };
    let log = [question(), drawn, question()];
    assert_eq!(
        compactor(0, 1, RecapForm::Exchange)
            .compact(&log)
            .messages(),
        log
    );
}

/// Of several questions with traffic between them the last one stays with an answer that no block can hold: the others
/// would stand side by side.
#[test]
fn the_question_of_an_image_stays_alone() {
    let image = Message {
        content: vec![Content::Image {
            mime: "image/png".into(),
            source: ImageSource::Data("AAAA".into()),
        }],
        ..Message::assistant("")
    };
    let log = [
        Message::user("One?"),
        calls(&["a"]),
        results(&["a"]),
        question(),
        image,
        question(),
    ];
    assert_eq!(
        compactor(0, 1, RecapForm::Exchange)
            .compact(&log)
            .messages(),
        log[3..]
    );
}

/// Two runs of recaps become one when what stood between them goes.
#[test]
fn runs_of_recaps_are_joined() {
    let log = [vec![question(), answer("before")], late()].concat();
    let form = compactor(1, 1, RecapForm::Exchange);
    let roles = |messages: &[Message]| {
        messages
            .iter()
            .filter(|one| one.text() == RECAP_STUB)
            .count()
    };
    let apart = form.compact(&log[..11]).messages();
    assert_eq!(roles(&apart), 2);
    let joined = form.compact(&log).messages();
    assert_eq!(roles(&joined), 1);
    let blocks = ["recap - before", "recap - 1", "recap - 0\nrecap - 2"].map(Content::from);
    assert_eq!(joined[1].content, blocks);
    assert_eq!(form.compact(&joined).messages(), joined);
}

#[test]
fn tool_parts_of_a_system_message_change_nothing() {
    let mut system = Message::system("Example call:");
    system.content.extend(calls(&["a"]).content);
    let log = [system.clone(), question(), results(&["a"]), answer("x")];
    let [_, in_place] = both(&log);
    assert_eq!(in_place, [system, Message::assistant("recap - x")]);
}

// ---- resuming

#[test]
fn a_log_that_starts_with_a_view_is_continued_behind_it() {
    let compactor = compactor(0, 2, RecapForm::Exchange);
    let mut log = vec![
        Message::system("s"),
        question(),
        answer("a"),
        question(),
        answer("b"),
        question(),
    ];
    let view = compactor.compact(&log).messages();
    log = view.clone();
    log.extend([answer("c"), question(), answer("d"), question()]);
    let continued = compactor.compact(&log).messages();
    assert_eq!(continued[..3], view[..3]);
    assert_eq!(continued[4].text(), "recap - c\nrecap - d");
    assert_eq!(continued.len(), 6);
}

#[test]
fn a_question_like_the_stub_is_a_question_if_no_answer_follows() {
    let log = [
        Message::user(RECAP_STUB),
        question(),
        answer("a"),
        question(),
    ];
    assert_eq!(
        compactor(0, 1, RecapForm::Exchange)
            .compact(&log)
            .messages()[1]
            .text(),
        "recap - a"
    );
}

// ---- triggers

#[test]
fn tokens_move_the_frontier_down_to_the_low_mark() {
    let trigger = Trigger::Tokens { high: 100, low: 50 };
    let config = CompactionConfig::builder()
        .min_preserved(0)
        .trigger(trigger)
        .recap_form(RecapForm::Assistant);
    let words = |text: &str| text.split_whitespace().count();
    let mut history = History::new(config.build().unwrap()).counter(words);
    let turn = [
        Message::user("q ".repeat(10)),
        Message::assistant(format!("{}\nrecap - a", "a ".repeat(7))),
    ];
    for _ in 0..5 {
        history.extend(turn.clone());
    }
    assert_eq!(
        (history.frontier(), history.view().tokens(&words)),
        (0, 100)
    );
    history.push(turn[0].clone());
    // 110 - 3 x 17 = 59 is not yet below 50, one more is.
    assert_eq!((history.frontier(), history.view().tokens(&words)), (8, 42));
}

#[test]
fn the_exchanges_of_one_move_share_a_block_and_the_stub() {
    let config = CompactionConfig::builder()
        .min_preserved(0)
        .trigger(Trigger::Tokens { high: 70, low: 10 });
    let compactor = Compactor::new(config.build().unwrap())
        .counter(|text: &str| text.split_whitespace().count());
    // The second exchange saves less than the stub costs, but the stub is there already.
    let log = [
        Message::user("q ".repeat(60)),
        Message::assistant("recap - a"),
        Message::user("short"),
        Message::assistant("recap - b"),
        Message::user("q ".repeat(20)),
    ];
    let view = compactor.compact(&log).messages();
    assert_eq!(view.len(), 3);
    assert_eq!(view[1].text(), "recap - a\nrecap - b");
}

/// A counter may see less in a joined block than in its lines: the block is counted, and so the frontier moves exactly when
/// the view is over the mark.
#[test]
fn a_joined_block_is_counted_as_it_stands() {
    let high = 200;
    let counter = |text: &str| 10 + text.split_whitespace().count();
    let config = CompactionConfig::builder()
        .min_preserved(0)
        .trigger(Trigger::Tokens { high, low: 60 });
    let mut history = History::new(config.build().unwrap()).counter(counter);
    let mut moves = 0;
    for number in 0..24 {
        let said = [
            Message::user("Where".repeat(16)),
            Message::assistant(format!("{}.\nrecap - {number}", "Here ".repeat(number % 4))),
        ];
        for message in said {
            let is_due = history.view().tokens(&counter) + message.tokens(&counter) > high;
            let before = history.frontier();
            history.push(message);
            let moved = history.frontier() > before;
            assert_eq!(moved, is_due, "{number}");
            moves += usize::from(moved);
        }
    }
    assert!(moves > 1, "{moves}");
}

#[test]
fn the_counter_sees_each_message_once() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    let seen = Arc::new(AtomicUsize::new(0));
    let counter = {
        let seen = Arc::clone(&seen);
        move |text: &str| {
            seen.fetch_add(usize::from(text.starts_with("message")), Ordering::Relaxed);
            text.len()
        }
    };
    let trigger = Trigger::Tokens {
        high: 2000,
        low: 1000,
    };
    let config = CompactionConfig::builder()
        .trigger(trigger)
        .build()
        .unwrap();
    let mut history = History::new(config).counter(counter);
    for number in 0..500 {
        history.push(Message::user(format!(
            "message {number}: a question of some length, to be seen once"
        )));
        history.push(Message::assistant(format!(
            "message {number}: the answer to it\nrecap - {number}"
        )));
    }
    assert!(history.frontier() > 900);
    assert_eq!(seen.load(Ordering::Relaxed), 1000);
}

// ---- views and reports

#[test]
fn what_stays_keeps_its_cache_point_and_what_is_made_has_none() {
    let log = [
        question(),
        answer("a").cached(CachePoint::default()),
        question().cached(CachePoint::default()),
    ];
    let [exchange, _] = both(&log);
    let cached: Vec<bool> = exchange
        .iter()
        .map(|message| message.cache.is_some())
        .collect();
    assert_eq!(cached, [false, false, true]);
}

#[test]
fn cache_points_of_small_views() {
    let points = |log: &[Message]| {
        compactor(3, 4, RecapForm::Exchange)
            .compact(log)
            .cache_points()
    };
    assert_eq!(points(&[]), Vec::<usize>::new());
    assert_eq!(points(&[Message::system("s")]), [0]);
    assert_eq!(points(&[question()]), [0]);
    assert_eq!(points(&[Message::system("s"), question()]), [0, 1]);
}

/// With short questions nothing shrinks: the report says so, once.
#[test]
fn what_would_not_be_shorter_is_counted() {
    let exchange = |_| [Message::user("High?"), Message::assistant("No.")];
    let log: Vec<Message> = (0..3).flat_map(exchange).collect();
    let report = compactor(0, 1, RecapForm::Exchange)
        .compact(&log)
        .report(&|text: &str| text.len());
    assert_eq!(report.kept, [1, 3, 5]);
    assert!(report.to_string().ends_with("; 3 exchanges stay in full"));
}

/// The field of the last object that has it, whatever stands around; what is no text is JSON.
#[test]
fn a_field_of_a_typed_answer_is_its_recap() {
    let field = Extractor::field("/hypothesis/short");
    for (answer, recap) in [
        (r#"{"hypothesis": {"short": "Stuck."}}"#, Some("Stuck.")),
        (
            "<think>{\"hypothesis\": {\"short\": \"Tide.\"}}</think>\n```json\n{\"hypothesis\": {\"short\": \"Stuck.\"}}\n```",
            Some("Stuck."),
        ),
        (
            r#"[{"hypothesis": {"short": ["a", 1]}}]"#,
            Some(r#"["a",1]"#),
        ),
        (
            r#"Of {x}: {"hypothesis": {"short": "Stuck."}}, {"note": {"short": "No."}}"#,
            Some("Stuck."),
        ),
        (r#"{"hypothesis": {"short": "Stu"#, None),
        (r#"{"hypothesis": {"short": null}}"#, None),
        (r#"{"hypothesis": {"short": "  "}}"#, None),
        ("Stuck.\nrecap - stuck", Some("recap - stuck")),
        ("{{{{", None),
    ] {
        assert_eq!(field.extract(answer).as_deref(), recap, "{answer}");
    }
    let answer = r#"{"hypothesis": {"short": "Stuck."}}"#;
    assert_eq!(
        field.split(answer),
        (answer.to_owned(), Some("Stuck.".to_owned()))
    );
    assert_eq!(field.instruction(), "");
    let open = "{\"a\":\n".repeat(100_000);
    let start = std::time::Instant::now();
    assert_eq!(field.extract(&open), None);
    assert!(start.elapsed() < std::time::Duration::from_secs(4));
    let config = CompactionConfig::builder().extractor(Extractor::field("hypothesis"));
    assert_eq!(
        config.build().unwrap_err().to_string(),
        "`extractor`: the field \"hypothesis\" is no JSON pointer; write it as `/hypothesis`"
    );
}

#[test]
fn the_report_counts() {
    let log = [
        question(),
        Message::assistant("No recap here."),
        question(),
        answer("b"),
        question(),
    ];
    let words = |text: &str| text.split_whitespace().count();
    let report = compactor(0, 2, RecapForm::Assistant)
        .compact(&log)
        .report(&words);
    assert_eq!((report.messages_before, report.messages_after), (5, 3));
    assert_eq!(
        (report.tokens_before, report.tokens_after),
        (11 * 3 + 3 + 16, 11 + 3 + 3)
    );
    assert_eq!(
        (report.frontier, report.recaps_missing.as_slice()),
        (4, &[1][..])
    );
    assert!((report.ratio() - 17.0 / 52.0).abs() < 1e-9);
    let text =
        "3 of 5 messages and 17 of 52 tokens (33 %), frontier at 4; 1 answers without a recap";
    assert_eq!(report.to_string(), text);
    assert!(
        (compactor(0, 1, RecapForm::Assistant)
            .compact::<Message>(&[])
            .report(&words)
            .ratio()
            - 1.0)
            .abs()
            < 1e-9
    );
}

#[test]
fn images_count() {
    let image = Content::Image {
        mime: "image/png".into(),
        source: ImageSource::Url("https://example.org/a".into()),
    };
    let message = Message {
        role: Role::User,
        content: vec![image],
        cache: None,
    };
    assert_eq!(
        (message.tokens(&|text: &str| text.len()), message.bytes()),
        (1600, Some(21))
    );
}

#[test]
fn a_message_is_what_it_carries() {
    let kinds = [
        question(),
        answer("a"),
        calls(&["1"]),
        calls(&["1", "2"]),
        results(&["1"]),
    ];
    let kinds = kinds.iter().map(Compact::kind).collect::<Vec<_>>();
    let ids = |ids: &[&str]| ids.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        kinds,
        [
            Kind::Question,
            Kind::Answer,
            Kind::ToolCall(ids(&["1"])),
            Kind::ToolCall(ids(&["1", "2"])),
            Kind::ToolResult("1".into()),
        ]
    );
    let both = Kind::ToolTraffic {
        calls: vec![],
        results: ids(&["1", "2"]),
    };
    assert_eq!(results(&["1", "2"]).kind(), both);
}

// ---- other message types

/// A type with no more than it needs.
#[derive(Debug, PartialEq)]
enum Note {
    Asked(u32),
    Told(u32),
    Pinned,
}

impl Compact for Note {
    fn kind(&self) -> Kind {
        match self {
            Self::Asked(_) => Kind::Question,
            Self::Told(_) => Kind::Answer,
            Self::Pinned => Kind::Other,
        }
    }

    fn compact(&self, _: &Extractor) -> CompactForm {
        match self {
            Self::Asked(_) => CompactForm::Drop,
            Self::Told(number) => CompactForm::Recap(format!("told {number}")),
            Self::Pinned => CompactForm::Full,
        }
    }
}

#[test]
fn a_type_with_two_methods_is_enough() {
    let log = [Note::Asked(1), Note::Pinned, Note::Told(1), Note::Asked(2)];
    let compactor = compactor(0, 1, RecapForm::Exchange);
    let view = compactor.compact(&log);
    let items: Vec<Item<'_, Note>> = view.items().collect();
    assert_eq!(
        items,
        [
            Item::Full(&Note::Pinned),
            Item::Stub(RECAP_STUB),
            Item::Recap("told 1".into()),
            Item::Full(&Note::Asked(2)),
        ]
    );
}

/// A type that says its text, and nothing else of its own.
struct Told(&'static str);

impl Compact for Told {
    fn kind(&self) -> Kind {
        Kind::Answer
    }

    fn compact(&self, _: &Extractor) -> CompactForm {
        CompactForm::Full
    }

    fn plain_text(&self) -> Option<std::borrow::Cow<'_, str>> {
        Some(self.0.into())
    }
}

#[test]
fn what_says_its_text_is_measured_by_it() {
    let words = |text: &str| text.split_whitespace().count();
    let told = Told("half past ten");
    assert_eq!((told.bytes(), told.tokens(&words)), (Some(13), 3));
    let pinned = Note::Pinned;
    assert_eq!((pinned.bytes(), pinned.tokens(&words)), (None, 0));
}
