//! Refused tries leave the view of a history once an answer is accepted.

use prompt_agent::answer::{Answer, AnswerMode, Ending, Read};
use prompt_core::compaction::{CompactionConfig, Compactor, Trigger};
use prompt_core::message::Verdict;
use prompt_core::{Content, History, Message, Role};

fn refusal() -> Message {
    Message::user("Again, please.").marked(Verdict::Refused)
}

fn shown(history: &History) -> Vec<String> {
    let view = history.view().messages();
    assert_eq!(view.len(), history.view().len());
    view.iter().map(Message::text).collect()
}

#[test]
fn tries_are_sent_until_one_is_accepted() {
    let mut history = History::default();
    history.push(Message::user("How deep?"));
    history.push(Message::assistant("try one"));
    history.push(refusal());
    assert_eq!(shown(&history), ["How deep?", "try one", "Again, please."]);
    history.push(Message::assistant("try two"));
    // Taken for accepted until it is refused.
    assert_eq!(shown(&history), ["How deep?", "try two"]);
    history.push(refusal());
    let all = [
        "How deep?",
        "try one",
        "Again, please.",
        "try two",
        "Again, please.",
    ];
    assert_eq!(shown(&history), all);
    history.push(Message::assistant("right"));
    assert_eq!(shown(&history), ["How deep?", "right"]);
    history.push(Message::user("Thanks."));
    assert_eq!(shown(&history), ["How deep?", "right", "Thanks."]);
    assert_eq!(history.log().len(), 7);
    let points = history.view().cache_points();
    assert_eq!(points.last(), Some(&2));
}

#[test]
fn tools_between_two_tries_do_not_hide_the_first() {
    let mut history = History::default();
    history.push(Message::user("How deep?"));
    history.push(Message::assistant("try one"));
    history.push(refusal());
    let call = prompt_core::ToolCall::new("c1", "sound", serde_json::json!({}));
    history.push(Message {
        role: Role::Assistant,
        content: vec![Content::ToolCall {
            id: call.id.clone(),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
        }],
        cache: None,
    });
    history.push(Message::tool([prompt_core::ToolResult::ok(&call, "4 m")]));
    assert_eq!(history.view().len(), 5);
    history.push(Message::assistant("right"));
    assert_eq!(history.view().len(), 4);
    assert_eq!(shown(&history).last().unwrap(), "right");
}

#[test]
fn calls_of_the_answer_go_with_their_results() -> Result<(), Box<dyn std::error::Error>> {
    let mut answer =
        Answer::<std::collections::BTreeMap<String, u32>>::new().mode(AnswerMode::Tool);
    let call = |arguments| Message {
        role: Role::Assistant,
        content: vec![Content::ToolCall {
            id: "a".into(),
            name: "answer".into(),
            arguments,
        }],
        cache: None,
    };
    let mut history = History::default();
    history.push(Message::user("How many?"));
    let said = call(serde_json::json!({ "pears": "heaps" }));
    history.push(said.clone());
    let Read::Again(message) = answer.read_message(&said, Ending::Own)? else {
        panic!("it does not fit")
    };
    assert_eq!(message.role, Role::Tool);
    history.push(message);
    assert_eq!(history.view().len(), 3);
    let said = call(serde_json::json!({ "pears": 4 }));
    history.push(said.clone());
    let Read::Accepted(accepted) = answer.read_message(&said, Ending::Own)? else {
        panic!("it fits")
    };
    history.push(accepted.results().unwrap().clone());
    assert_eq!(history.view().len(), 3);
    history.push(Message::user("Thanks."));
    let view = history.view().messages();
    for provider in prompt_agent::wire::Provider::ALL {
        let options = prompt_agent::wire::RequestOptions::new("a-model");
        let body = provider.request(&view, &[], &options)?.to_string();
        assert!(
            !body.contains("prompt_core") && !body.contains("heaps"),
            "{body}"
        );
    }
    Ok(())
}

#[test]
fn compaction_counts_an_exchange_once_and_keeps_no_refused_try() {
    let config = || {
        let config = CompactionConfig::builder().min_preserved(1).batch_size(2);
        config.build().unwrap()
    };
    let mut log = Vec::new();
    let mut plain = Vec::new();
    for turn in 0..12 {
        let question = Message::user(format!(
            "Question {turn}, which is long enough to be worth a recap?"
        ));
        let answer =
            Message::assistant(format!("A long answer to question {turn}.\nrecap - {turn}"));
        log.extend([
            question.clone(),
            Message::assistant(format!("refused {turn}\nrecap - refused")),
            refusal(),
            Message::assistant(format!("refused again {turn}\nrecap - refused")),
            refusal(),
            answer.clone(),
        ]);
        plain.extend([question, answer]);
    }
    for trigger in [None, Some(Trigger::Tokens { high: 120, low: 60 })] {
        let config = match trigger {
            None => config(),
            Some(trigger) => CompactionConfig::builder()
                .min_preserved(1)
                .trigger(trigger)
                .build()
                .unwrap(),
        };
        let compactor = Compactor::new(config.clone());
        let mut history = History::new(config.clone());
        for at in 0..log.len() {
            history.push(log[at].clone());
            let view = compactor.compact(&log[..=at]).messages();
            assert_eq!(history.view().messages(), view, "{at}");
            let stored = serde_json::to_string(&history).unwrap();
            let restored: History = serde_json::from_str(&stored).unwrap();
            assert_eq!(restored.view().messages(), view, "{at}");
        }
        let view = history.view().messages();
        assert!(
            view.iter()
                .all(|message| !message.text().contains("refused")),
            "{view:?}"
        );
        if trigger.is_none() {
            assert_eq!(view, compactor.compact(&plain).messages());
        }
    }
}

#[test]
fn marks_are_stored_and_sent_to_nobody() -> Result<(), Box<dyn std::error::Error>> {
    let message = refusal();
    let stored: Message = serde_json::from_str(&serde_json::to_string(&message)?)?;
    assert_eq!(stored.verdict(), Some(Verdict::Refused));
    assert_eq!(stored.clone().without_reasoning(), stored);
    assert_eq!(stored.text(), "Again, please.");
    for provider in prompt_agent::wire::Provider::ALL {
        let options = prompt_agent::wire::RequestOptions::new("a-model");
        let marked = provider.request(std::slice::from_ref(&message), &[], &options)?;
        let plain = provider.request(&[Message::user("Again, please.")], &[], &options)?;
        assert_eq!(marked, plain);
    }
    Ok(())
}
