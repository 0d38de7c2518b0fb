//! A conversation from its log alone is the live one; and what a saved one may hold.

use prompt_agent::Conversation;
use prompt_core::compaction::{CompactionConfig, Trigger};
use prompt_core::disclosure::Delivery;
use prompt_core::message::Verdict;
use prompt_core::{Budget, DynamicNode, History, Message, Overrides, Role, ToolCall, ToolResult};
use serde_json::{Value, json};

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

/// `a` is open of itself and may go for a budget; `b` and those behind it are closed.
fn desk(closed: usize) -> DynamicNode {
    let long = vec!["word"; 30].join(" ");
    let mut sections = vec![json!({ "key": "a", "body": long, "summary": "Of a.", "priority": 1 })];
    sections.extend((0..closed).map(|n| {
        let key = if n == 0 { "b".to_owned() } else { format!("b{n}") };
        json!({ "key": key, "body": format!("Text {n}."), "summary": "Short.", "visibility": "summary" })
    }));
    DynamicNode::from_json(&json!({ "key": "root", "sections": sections }).to_string()).unwrap()
}

fn open(keys: &[&str]) -> Message {
    let arguments = json!({ "section_keys": keys, "reason": "R" });
    Message::calls([ToolCall::new("1", "open_sections", arguments)])
}

/// A message of the model, and the prompt behind it.
fn said(talk: &mut Conversation, node: &DynamicNode, message: Message) {
    talk.push(message);
    talk.prompt(node).render().unwrap();
}

fn replayed(talk: &Conversation) -> Conversation {
    Conversation::replay(talk.history().log().to_vec())
}

fn opened(talk: &Conversation) -> Vec<String> {
    let opened = talk.disclosure().opened.iter();
    opened.map(|(path, _)| path.to_owned()).collect()
}

#[test]
fn what_is_open_is_what_the_answer_says() {
    let node = desk(1);
    for delivery in [Delivery::Rerender, Delivery::Append] {
        let mut talk = Conversation::default().delivery(delivery);
        talk.begin("Well?");
        // `a` is open already, and skipped.
        said(&mut talk, &node, open(&["a", "b"]));
        said(&mut talk, &node, Message::assistant("So."));
        talk.begin("more");
        let again = replayed(&talk);
        assert_eq!(opened(&talk), ["b"]);
        assert_eq!(again.disclosure().opened, talk.disclosure().opened);
        assert_eq!(again.disclosure().delivery, delivery);
        let fits = |talk: &Conversation| {
            let prompt = talk
                .prompt(&node)
                .budget(Budget::tokens(25).counter(&words));
            let prompt = prompt.render().unwrap();
            (prompt.messages(), prompt.visibility())
        };
        assert_eq!(fits(&again), fits(&talk));
        // The program closes `a` later on: nobody was given it.
        let close = |talk: Conversation| talk.overrides(Overrides::default().close("a").clone());
        let (talk, again) = (close(talk), close(again));
        assert_eq!(fits(&again), fits(&talk));
    }
}

#[test]
fn more_sections_than_an_answer_names_are_open() {
    let node = desk(40);
    let keys: Vec<String> = std::iter::once("a".to_owned())
        .chain((1..40).map(|n| format!("b{n}")))
        .collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let mut talk = Conversation::default();
    talk.begin("Well?");
    said(&mut talk, &node, open(&keys));
    assert_eq!(opened(&talk).len(), 39);
    said(&mut talk, &node, Message::assistant("So."));
    assert_eq!(opened(&replayed(&talk)), opened(&talk));
    // A log that another program kept: the answer says how many more there are.
    let mut log = talk.history().log().to_vec();
    log[2].content.truncate(1);
    let foreign = Conversation::replay(log);
    assert_eq!(opened(&foreign).len(), 39);
}

#[test]
fn what_was_refused_is_not_open() {
    let node = desk(2);
    let mut talk = Conversation::default();
    talk.begin("Well?");
    said(&mut talk, &node, open(&["b", "nonsense"]));
    said(&mut talk, &node, Message::assistant("So."));
    let again = replayed(&talk);
    assert!(opened(&talk).is_empty() && opened(&again).is_empty());
    assert_eq!(again.disclosure().rounds, 1);
}

#[test]
fn rounds_are_those_of_the_turn() {
    let node = desk(3);
    let mut talk = Conversation::default().max_rounds(2);
    let check = |talk: &Conversation, rounds| {
        assert_eq!(talk.disclosure().rounds, rounds);
        assert_eq!(replayed(talk).disclosure().rounds, rounds);
    };
    talk.begin("Well?");
    said(&mut talk, &node, open(&["b"]));
    said(&mut talk, &node, open(&["b1"]));
    said(&mut talk, &node, Message::assistant("So."));
    check(&talk, 2);
    talk.begin("And?");
    check(&talk, 0);
    // A call that nobody has judged yet is no round yet, but when its answer is.
    talk.push(open(&["b2"]));
    check(&talk, 0);
    let again = replayed(&talk).max_rounds(2);
    again.prompt(&node).render().unwrap();
    assert_eq!((again.disclosure().rounds, opened(&again).len()), (1, 3));
    // Gone on without one, it never was.
    talk.begin("Never mind.");
    check(&talk, 0);
}

/// An answer that is refused is of the same turn, and is counted.
#[test]
fn tries_are_those_that_are_marked() {
    let node = desk(2);
    let mut talk = Conversation::default();
    let refusal = || Message::user("That is no JSON.").marked(Verdict::Refused);
    talk.begin("Well?");
    said(&mut talk, &node, open(&["b"]));
    for tries in 1..3 {
        said(&mut talk, &node, Message::assistant("So."));
        talk.retry_with(refusal());
        let again = replayed(&talk);
        assert_eq!((again.tries(), again.disclosure().rounds), (tries, 1));
        assert_eq!(again.tries(), talk.tries());
    }
    said(&mut talk, &node, Message::assistant("{}"));
    talk.begin("And?");
    assert_eq!((replayed(&talk).tries(), talk.tries()), (0, 0));
}

#[test]
fn a_counter_of_its_own_counts_from_the_first_message() {
    let trigger = Trigger::Tokens { high: 60, low: 30 };
    let config = CompactionConfig::builder()
        .trigger(trigger)
        .min_preserved(1);
    let config = config.build().unwrap();
    // Long words: by the estimate they are many more tokens.
    let answer = format!("{} thus.\nrecap - so", "incomprehensibilities ".repeat(8));
    let mut talk = Conversation::new(config.clone()).counter(words);
    for _ in 0..3 {
        talk.begin("What is there to say?");
        talk.push(Message::assistant(answer.clone()));
    }
    let log = || talk.history().log().to_vec();
    assert_eq!(talk.history().frontier(), 0);
    let estimated = Conversation::replay_with(config.clone(), log());
    assert_ne!(estimated.history().frontier(), 0);
    let mut again = estimated.counter(words);
    assert_eq!(again.history().frontier(), 0);
    let history = History::from_log(config, log()).counter(words);
    assert_eq!(history.view().messages(), talk.history().view().messages());
    // From here on it stays where it is.
    again.begin("And now?");
    let mut history = history;
    history.push(Message::user("And now?"));
    history = history.counter(|_: &str| 1_000);
    assert_eq!((history.frontier(), again.history().frontier()), (0, 0));
}

#[test]
fn saved_numbers_out_of_range_are_refused_or_the_last() {
    let config = CompactionConfig::builder().min_preserved(0).batch_size(1);
    let mut talk = Conversation::new(config.build().unwrap());
    let turn = |talk: &mut Conversation| {
        talk.begin("What is there to say, in a few words?");
        talk.push(Message::assistant("A long story.\nrecap - long"));
    };
    turn(&mut talk);
    let saved = serde_json::to_value(&talk).unwrap();
    let with = |pointer: &str, number: Value| {
        let mut saved = saved.clone();
        *saved.pointer_mut(pointer).expect(pointer) = number;
        serde_json::from_value::<Conversation>(saved)
    };
    let most = json!(u64::MAX);
    for key in ["moves", "frontier", "lead"] {
        let error = with(&format!("/history/frontier/{key}"), most.clone()).unwrap_err();
        let error = error.to_string();
        assert!(
            error.contains("the stored frontier does not fit"),
            "{error}"
        );
    }
    let mut tried = with("/tries", most).unwrap();
    tried.retry("Once more.");
    assert_eq!(tried.tries(), usize::MAX);
    turn(&mut talk);
    assert_ne!(talk.history().frontier(), 0);
}

#[test]
fn many_results_of_one_message_are_taken_in_linear_time() {
    let talk = |count: usize, one_by_one: bool| {
        let calls: Vec<ToolCall> = (0..count)
            .map(|n| ToolCall::new(format!("call_{n}"), "look", json!({})))
            .collect();
        let mut talk = Conversation::default();
        talk.begin("Look everywhere.");
        talk.push(Message::calls(calls.clone()));
        let results = calls.iter().map(|call| ToolResult::ok(call, "Seen."));
        let start = std::time::Instant::now();
        if one_by_one {
            for result in results.rev() {
                talk.push_results([result]).unwrap();
            }
        } else {
            talk.push_results(results).unwrap();
        }
        assert_eq!(talk.history().log().last().unwrap().role, Role::Tool);
        start.elapsed()
    };
    for one_by_one in [false, true] {
        let slow = talk(8_000, one_by_one);
        assert!(slow.as_secs_f64() < 2.0, "{one_by_one}: {slow:?}");
    }
}

/// A program that asks for the next call after each result, as the guide's does: with ids that are used twice, in a log that was
/// put together by hand, and results that came out of turn.
#[test]
fn many_calls_of_one_message_are_handed_out_in_linear_time() {
    const COUNT: usize = 8_000;
    let calls: Vec<ToolCall> = (0..COUNT)
        .map(|n| {
            ToolCall::new(
                format!("call_{}", n % (COUNT / 2)),
                "look",
                json!({ "n": n }),
            )
        })
        .collect();
    let log = [
        Message::user("Look everywhere."),
        Message::calls(calls.clone()),
    ];
    let mut talk = Conversation::replay(log);
    assert_eq!(talk.open_calls(), calls);
    assert_eq!(talk.next_call().as_ref(), calls.first());
    // The last of an id is answered with the first result that has it.
    talk.push_results([ToolResult::ok(&calls[COUNT / 2 + 7], "Seen.")])
        .unwrap();
    let start = std::time::Instant::now();
    let mut handed_out = Vec::new();
    while let Some(call) = talk.next_call() {
        talk.push_results([ToolResult::ok(&call, "Seen.")]).unwrap();
        handed_out.push(call);
    }
    let slow = start.elapsed();
    assert!(slow.as_secs_f64() < 2.0, "{slow:?}");
    let mut expected = calls;
    expected.remove(7);
    assert_eq!(handed_out, expected);
    assert_eq!(talk.history().log().last().unwrap().role, Role::Tool);
    assert!(talk.open_calls().is_empty() && talk.next_call().is_none());
}

/// What is handed out is what was before, however the results came: saved in between or not.
#[test]
fn the_next_call_is_the_first_of_the_open_ones() {
    let calls: Vec<ToolCall> = ["a", "b", "a", "c", "b", "a"]
        .iter()
        .enumerate()
        .map(|(n, id)| ToolCall::new(*id, "look", json!({ "n": n })))
        .collect();
    for order in 0..720 {
        let log = [Message::user("Look."), Message::calls(calls.clone())];
        let mut talk = Conversation::replay(log);
        let (mut left, mut order) = (calls.clone(), order);
        let mut ids: Vec<String> = calls.iter().map(|call| call.id.clone()).collect();
        while !ids.is_empty() {
            let id = ids.remove(order % ids.len());
            order /= ids.len() + 1;
            let at = left.iter().position(|call| call.id == id).unwrap();
            talk.push_results([ToolResult::ok(&left.remove(at), "Seen.")])
                .unwrap();
            assert_eq!(talk.open_calls(), left);
            assert_eq!(talk.next_call().as_ref(), left.first());
            let saved = serde_json::to_string(&talk).unwrap();
            let restored: Conversation = serde_json::from_str(&saved).unwrap();
            assert_eq!(restored.open_calls(), left);
        }
    }
}

#[test]
fn a_log_that_ends_among_many_results_is_replayed_in_linear_time() {
    const COUNT: usize = 20_000;
    let calls: Vec<ToolCall> = (0..COUNT)
        .map(|n| ToolCall::new(format!("call_with_a_number_{n}"), "look", json!({})))
        .collect();
    let results = calls.iter().skip(1).rev();
    let results = results.map(|call| Message::tool([ToolResult::ok(call, "Seen.")]));
    let log: Vec<Message> = [Message::user("Look."), Message::calls(calls.clone())]
        .into_iter()
        .chain(results)
        .collect();
    let start = std::time::Instant::now();
    let talk = Conversation::replay(log);
    let slow = start.elapsed();
    assert_eq!(talk.open_calls(), calls[..1]);
    assert!(slow.as_secs_f64() < 2.0, "{slow:?}");
}
