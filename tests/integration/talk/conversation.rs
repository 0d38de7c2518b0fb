//! A conversation saved after every step: killed anywhere it goes on, and nothing is lost or done twice.

use prompt_agent::Conversation;
use prompt_agent::answer::{ANSWER_TOOL, Answer, AnswerMode, Ending, Read};
use prompt_agent::conversation::ConversationError;
use prompt_agent::testing::Script;
use prompt_agent::wire::{Provider, RequestOptions};
use prompt_core::disclosure::Delivery;
use prompt_core::{
    Budget, Code, Content, Message, PromptNode, Role, ToolCall, ToolResult, ToolSpec,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// You run the harbour.
#[derive(PromptNode)]
#[prompt(tools = self.tools())]
struct Harbour {
    /// High water at six.
    #[section(visibility = "summary", summary = "On tides.")]
    tides: (),

    /// Light them at dusk.
    #[section(visibility = "summary", summary = "On lamps.")]
    lamps: (),
}

const HARBOUR: Harbour = Harbour {
    tides: (),
    lamps: (),
};

impl Harbour {
    fn tools(&self) -> Vec<ToolSpec> {
        vec![ToolSpec::closed("ring", "Rings the bell.").unwrap()]
    }
}

/// Everything that a model does, in one talk of three turns.
fn script() -> Script {
    let ring = || json!({});
    Script::new()
        .opens(["tides"])
        .calls("ring", ring())
        .and_calls("ring", ring())
        .says("Rung twice.\nrecap - bell rung twice")
        .says("Let me see.")
        .and_calls("ring", ring())
        .and_opens(["lamps"])
        .and_calls("ring", ring())
        .opens(["nonsense"])
        .calls("no_such_tool", json!({}))
        .says("At dusk.\nrecap - lamps at dusk")
        .says("Goodbye.\nrecap - over")
}

const QUESTIONS: [&str; 3] = ["Ring twice.", "When are the lamps lit?", "Thanks."];

/// A program that may be killed: what survives is what it saved, what the tools did, and how far the model is.
struct World {
    saved: String,
    asked: usize,
    rung: usize,
    script: Script,
    /// So many saves are left before it is killed.
    left: usize,
    requests: Vec<String>,
}

struct Killed;

impl World {
    fn save(&mut self, conversation: &Conversation) -> Result<(), Killed> {
        self.saved = serde_json::to_string(conversation).unwrap();
        self.left = self.left.checked_sub(1).ok_or(Killed)?;
        Ok(())
    }

    /// The program: the same from the first start on.
    fn run(&mut self, providers: &[Provider]) -> Result<Conversation, Killed> {
        let mut conversation: Conversation = serde_json::from_str(&self.saved).unwrap();
        loop {
            if conversation.is_answered() {
                let questions = conversation.history().log().iter();
                let asked = questions
                    .filter(|message| message.role == Role::User)
                    .count();
                let Some(question) = QUESTIONS.get(asked) else {
                    return Ok(conversation);
                };
                self.asked += 1;
                conversation.begin(*question);
                self.save(&conversation)?;
            } else if let Some(call) = conversation.next_call() {
                // One tool at a time, so that it can be killed between two of them.
                self.rung += usize::from(call.name == "ring");
                let result = match call.name.as_str() {
                    "ring" => ToolResult::ok(&call, "Rung."),
                    _ => ToolResult::failed(&call, "There is no such tool."),
                };
                conversation.push_results([result]).unwrap();
                self.save(&conversation)?;
            } else {
                let step = self.script.requests().len();
                let provider = providers[step % providers.len()];
                let prompt = conversation.prompt(&HARBOUR).budget(Budget::request(4_000));
                let prompt = prompt.render().unwrap();
                let options = RequestOptions::new("a-model");
                let messages = prompt.messages();
                let body = provider
                    .request(&messages, prompt.tools(), &options)
                    .unwrap();
                self.requests
                    .push(serde_json::to_string(&messages).unwrap());
                conversation.push(provider.reply(&self.script.reply(provider, &body)).unwrap());
                self.save(&conversation)?;
            }
        }
    }
}

/// Runs the talk and kills the program at each of these saves; gives what was sent, and how often the bell rang.
fn talk(
    kills: &[usize],
    delivery: Delivery,
    providers: &[Provider],
) -> (Vec<String>, usize, Conversation) {
    let start = Conversation::default().delivery(delivery);
    let mut world = World {
        saved: serde_json::to_string(&start).unwrap(),
        asked: 0,
        rung: 0,
        script: script(),
        left: 0,
        requests: Vec::new(),
    };
    let mut kills = kills.iter();
    loop {
        world.left = kills.next().copied().unwrap_or(usize::MAX);
        if let Ok(conversation) = world.run(providers) {
            assert_eq!((world.asked, world.script.left()), (3, 0));
            return (world.requests, world.rung, conversation);
        }
    }
}

#[test]
fn killed_at_any_point_it_goes_on() {
    let providers = [Provider::Anthropic, Provider::OpenAiChat];
    for delivery in [Delivery::Rerender, Delivery::Append] {
        let (requests, rung, whole) = talk(&[], delivery, &providers);
        assert_eq!(requests.len(), 8);
        // With Append the prompt does not change, so that the call behind `open_sections` is run as well.
        assert_eq!(rung, if delivery == Delivery::Append { 4 } else { 3 });
        let saves = 3 + 8 + rung + 1;
        for kill in 0..saves {
            let (again, rung_again, other) = talk(&[kill], delivery, &providers);
            assert_eq!(
                (again, rung_again),
                (requests.clone(), rung),
                "killed at {kill}"
            );
            assert_eq!(other.history().log(), whole.history().log());
        }
        // Killed after every single step.
        let (again, rung_again, other) = talk(&vec![0; saves], delivery, &providers);
        assert_eq!((again, rung_again), (requests, rung));
        assert_eq!(other.disclosure(), whole.disclosure());
        // And found again from the log alone.
        let replayed = Conversation::replay(whole.history().log().to_vec());
        assert_eq!(replayed.disclosure().delivery, delivery);
        let text = |conversation: &Conversation| conversation.prompt(&HARBOUR).text().unwrap();
        assert_eq!(text(&replayed), text(&whole));
        assert_eq!(
            replayed.history().view().messages(),
            whole.history().view().messages()
        );
    }
}

/// A log that is cut anywhere is a conversation that goes on: calls without a result are open again.
#[test]
fn a_log_that_is_cut_anywhere_is_replayed() {
    let (_, _, whole) = talk(&[], Delivery::Rerender, &[Provider::Anthropic]);
    let log = whole.history().log();
    for end in 0..=log.len() {
        let replayed = Conversation::replay(log[..end].to_vec());
        let last = log[..end].last();
        let calls: Vec<ToolCall> = last
            .map(|last| last.tool_calls().collect())
            .unwrap_or_default();
        let own = calls
            .iter()
            .take_while(|call| call.name != "open_sections")
            .count();
        assert_eq!(replayed.open_calls(), calls[..own], "{end}");
        assert_eq!(
            replayed.is_answered(),
            last.is_none_or(|last| last.role == Role::Assistant && calls.is_empty())
        );
    }
    // Half of the results of a message are answers so far.
    let half = log
        .iter()
        .position(|message| message.content.len() == 2)
        .unwrap();
    let mut cut = log[..half + 2].to_vec();
    cut[half + 1].content.truncate(1);
    let replayed = Conversation::replay(cut);
    let calls: Vec<ToolCall> = log[half].tool_calls().collect();
    assert_eq!(replayed.open_calls(), calls[1..]);
}

#[test]
fn only_open_calls_are_answered_and_each_once() {
    let mut conversation = Conversation::default();
    conversation.begin("Ring.");
    let calls = [
        ToolCall::new("1", "ring", json!({})),
        ToolCall::new("2", "ring", json!({})),
    ];
    let message = Message {
        content: calls.iter().cloned().map(Content::from).collect(),
        ..Message::assistant("")
    };
    conversation.push(message);
    let results = || calls.iter().map(|call| ToolResult::ok(call, "Rung."));
    let foreign = ToolResult::ok(&ToolCall::new("3", "ring", json!({})), "Rung.");
    let refused = conversation.push_results(results().chain([foreign]));
    let error = ConversationError::NotOpen { id: "3".into() };
    assert_eq!((refused, error.code()), (Err(error), Code::CallNotOpen));
    assert_eq!(conversation.open_calls(), calls, "nothing was taken");
    conversation.push_results(results().rev()).unwrap();
    assert_eq!(
        conversation.history().log()[2],
        Message::tool(results()),
        "in the order of the calls"
    );
    assert!(conversation.push_results(results()).is_err());
    assert!(!conversation.is_answered());
}

/// Whatever a program leaves open, the next request is one that a provider takes.
#[test]
fn what_was_left_open_is_answered_when_the_talk_goes_on() {
    for opens in [false, true] {
        let mut conversation = Conversation::default();
        conversation.begin("Ring.");
        let name = if opens { "open_sections" } else { "ring" };
        let arguments = if opens {
            json!({ "section_keys": ["tides"], "reason": "" })
        } else {
            json!({})
        };
        let call = ToolCall::new("1", name, arguments);
        conversation.push(Message {
            content: vec![call.into()],
            ..Message::assistant("")
        });
        conversation.begin("Never mind.");
        let prompt = conversation.prompt(&HARBOUR).render().unwrap();
        assert!(
            !prompt.as_str().contains("High water"),
            "nothing was opened"
        );
        for provider in Provider::ALL {
            let options = RequestOptions::new("a-model");
            provider
                .request(&prompt.messages(), prompt.tools(), &options)
                .unwrap();
        }
    }
}

#[test]
fn one_budget_is_over_prompt_history_and_answer() {
    let words = |text: &str| text.split_whitespace().count();
    let mut conversation = Conversation::default();
    conversation.begin("When is high water, please?");
    let used = |conversation: &Conversation| {
        let prompt = conversation
            .prompt(&HARBOUR)
            .budget(Budget::request(4_000).counter(&words));
        prompt.render().unwrap().budget_report().unwrap().used
    };
    let before = used(&conversation);
    let arguments = json!({ "section_keys": ["tides"], "reason": "" });
    let call = ToolCall::new("1", "open_sections", arguments);
    conversation.push(Message {
        content: vec![call.into()],
        ..Message::assistant("")
    });
    let saved = serde_json::to_string(&conversation).unwrap();
    let needed = used(&conversation);
    assert_ne!(needed, before);
    // Everything but the opened section may go for it; what cannot be is said, and the talk goes on.
    for limit in 0..needed + 5 {
        let conversation: Conversation = serde_json::from_str(&saved).unwrap();
        let prompt = conversation
            .prompt(&HARBOUR)
            .budget(Budget::request(limit).counter(&words));
        let Ok(rendered) = prompt.render() else {
            assert!(limit < needed.max(before), "{limit} of {needed}, {before}");
            continue;
        };
        assert!(rendered.budget_report().unwrap().used <= limit);
        let messages = rendered.messages();
        let Some(Content::ToolResult {
            content, is_error, ..
        }) = messages.last().unwrap().content.first()
        else {
            panic!("{messages:?}");
        };
        assert_eq!(
            content.starts_with("Now shown"),
            rendered.as_str().contains("High water"),
            "{content}"
        );
        assert_eq!(*is_error, !content.starts_with("Now shown"));
        if limit >= needed.max(before) {
            assert!(!is_error, "{limit} of {needed}: {content}");
        }
        // The answer stands, whatever is rendered afterwards.
        let again = conversation.prompt(&HARBOUR).render().unwrap();
        assert_eq!(again.messages().last(), messages.last());
        let saved = serde_json::to_string(&conversation).unwrap();
        let restored: Conversation = serde_json::from_str(&saved).unwrap();
        assert_eq!(
            restored.prompt(&HARBOUR).render().unwrap().messages(),
            again.messages()
        );
    }
}

#[test]
fn asking_for_sections_for_ever_is_an_error() {
    let mut conversation = Conversation::default().max_rounds(2);
    conversation.begin("Lamps?");
    let mut answers = Vec::new();
    for round in 0.. {
        match conversation.prompt(&HARBOUR).render() {
            Ok(prompt) => answers.extend(prompt.messages().last().cloned()),
            Err(error) => {
                assert_eq!((error.code(), round), (Code::MaxRounds, 4));
                break;
            }
        }
        let call = ToolCall::new(
            round.to_string(),
            "open_sections",
            json!({ "section_keys": ["tides"], "reason": "" }),
        );
        conversation.push(Message {
            content: vec![call.into()],
            ..Message::assistant("")
        });
    }
    let told = serde_json::to_string(&answers).unwrap();
    assert!(told.contains("already expanded") && told.contains("nothing more can be opened"));
    // With the user's next message it goes on.
    conversation.begin("Well?");
    assert!(conversation.prompt(&HARBOUR).render().is_ok());
}

#[test]
fn tries_are_counted_and_saved() {
    let mut conversation = Conversation::default();
    conversation.begin("How many boats?");
    conversation.push(Message::assistant("Three, I think."));
    conversation.retry("Only the number, please.");
    let saved = serde_json::to_string(&conversation).unwrap();
    let mut conversation: Conversation = serde_json::from_str(&saved).unwrap();
    assert_eq!(
        (conversation.tries(), conversation.is_answered()),
        (1, false)
    );
    conversation.push(Message::assistant("3"));
    conversation.begin("And ships?");
    assert_eq!(conversation.tries(), 0);
}

#[test]
fn it_can_be_sent_and_shared() {
    fn sendable<T: Send + Sync>(_: T) {}
    let conversation = Conversation::default();
    sendable(conversation.prompt(&HARBOUR));
    sendable(conversation.clone());
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Tide {
    metres: f64,
}

/// A typed answer is refused, the program is started again after every step, and counts on.
#[test]
fn tries_of_a_typed_answer_are_saved_with_the_conversation() {
    let said = Script::new()
        .opens(["tides"])
        .says("High.")
        .says(r#"{"metres": 4.5}"#);
    let called = Script::new()
        .opens(["tides"])
        .calls(ANSWER_TOOL, json!({ "metres": "high" }))
        .calls(ANSWER_TOOL, json!({ "metres": 4.5 }));
    for (mode, mut script) in [(AnswerMode::Prompt, said), (AnswerMode::Tool, called)] {
        let mut conversation = Conversation::default();
        conversation.begin("How high is the water?");
        let answer = Answer::<Tide>::new().mode(mode);
        let mut tries = Vec::new();
        let tide = loop {
            let saved = serde_json::to_string(&conversation).unwrap();
            conversation = serde_json::from_str(&saved).unwrap();
            let prompt = conversation.prompt(&HARBOUR).render().unwrap();
            let options = RequestOptions::new("a-model").answer(&answer);
            let provider = Provider::Anthropic;
            let body = provider
                .request(&prompt.messages(), prompt.tools(), &options)
                .unwrap();
            let reply = provider.reply(&script.reply(provider, &body)).unwrap();
            // Where no try is left, the conversation is as it was.
            let mut last = conversation.clone();
            let is_refused = last
                .read(&answer.clone().max_tries(0), reply.clone())
                .is_err();
            let is_same = last.history().len() == conversation.history().len();
            assert_eq!(is_refused, is_same, "{mode:?}");
            if let Some(accepted) = conversation.read(&answer, reply).unwrap() {
                break accepted.into_value();
            }
            tries.push((conversation.tries(), is_refused));
            assert!(!conversation.is_answered(), "{mode:?}");
        };
        // The calls come first and are no try.
        assert_eq!(tries, [(0, false), (1, true)], "{mode:?}");
        assert_eq!(tide, Tide { metres: 4.5 });
        assert!(conversation.is_answered(), "{mode:?}");
        let (log, view) = (conversation.history().log(), conversation.history().view());
        assert_eq!(log.len() - view.len(), 2, "{mode:?}: what was refused goes");
        assert!(
            log.iter()
                .all(|message| !message.text().contains("No result"))
        );
    }
}

/// A server begins its ids anew with each reply: what is said of a typed answer stands behind its call, however it is pushed.
#[test]
fn a_refusal_answers_the_call_that_was_given_another_id() {
    let calls = |metres: Value| {
        Message::calls([
            ToolCall::new("1", ANSWER_TOOL, json!({ "metres": metres })),
            ToolCall::new("1", "look", json!({})),
        ])
    };
    let mut conversation = Conversation::default();
    conversation.begin("How high is the water?");
    let mut answer = Answer::<Tide>::new().mode(AnswerMode::Tool).max_tries(9);
    for round in 0..3 {
        let reply = calls(json!("high"));
        let Read::Again(why) = answer.read_message(&reply, Ending::Own).unwrap() else {
            panic!("it does not fit");
        };
        conversation.push(reply);
        let saved = serde_json::to_string(&conversation).unwrap();
        conversation = serde_json::from_str(&saved).unwrap();
        conversation.retry_with(why);
        let log = conversation.history().log();
        let [.., called, said] = log else { panic!() };
        let ids: Vec<String> = called.tool_calls().map(|call| call.id).collect();
        let said: Vec<String> = said
            .tool_results()
            .into_iter()
            .map(|said| said.id)
            .collect();
        assert_eq!(ids, said, "{round}");
        let mut distinct = log
            .iter()
            .flat_map(Message::tool_calls)
            .map(|call| call.id)
            .collect::<Vec<_>>();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), 2 * (round + 1));
    }
}

/// The same with an answer that is accepted, question after question.
#[test]
fn an_accepted_call_is_answered_by_its_id() {
    for &provider in Provider::ALL {
        if provider == Provider::Ollama {
            continue;
        }
        let answer = Answer::<Tide>::new().mode(AnswerMode::Tool);
        let options = RequestOptions::new("a-model").answer(&answer);
        let mut talk = Conversation::default();
        for question in ["How deep?", "And now?", "And tomorrow?", "And then?"] {
            // Its ids begin anew.
            let mut model = Script::new().calls(ANSWER_TOOL, json!({ "metres": 2 }));
            talk.begin(question);
            let prompt = talk.prompt("Be brief.").render().unwrap();
            let body = provider
                .request(&prompt.messages(), prompt.tools(), &options)
                .unwrap();
            let reply = provider.reply(&model.reply(provider, &body)).unwrap();
            assert!(talk.read(&answer, reply).unwrap().is_some(), "{provider}");
            let [.., called, said] = talk.history().log() else {
                panic!()
            };
            let call = called.tool_calls().next().unwrap();
            assert_eq!(said.tool_results()[0].id, call.id, "{provider}");
        }
    }
}

/// The last word counts, also of calls.
#[test]
fn of_several_answers_the_last_call_is_read() {
    let call =
        |id: &str, metres: Value| ToolCall::new(id, ANSWER_TOOL, json!({ "metres": metres }));
    let mut answer = Answer::<Tide>::new().mode(AnswerMode::Tool);
    let two = Message::calls([call("1", json!("high")), call("2", json!(2))]);
    let Read::Accepted(accepted) = answer.read_message(&two, Ending::Own).unwrap() else {
        panic!("the last fits");
    };
    assert_eq!(accepted.json(), &json!({ "metres": 2 }));
    let said = accepted.results().unwrap().tool_results();
    assert_eq!((said[0].is_error, said[1].is_error), (true, false));
    let two = Message::calls([call("1", json!(2)), call("2", json!("high"))]);
    let read = answer.read_message(&two, Ending::Own).unwrap();
    assert!(matches!(read, Read::Again(_)));
}

/// Whatever was going on goes on.
#[test]
fn a_question_that_is_taken_back_leaves_nothing() {
    let answer = Answer::<Tide>::new();
    let says = |text: &str| {
        let message = json!({ "role": "assistant", "content": text });
        let body = json!({ "choices": [{ "message": message, "finish_reason": "stop" }] });
        Provider::OpenAiChat.reply(&body).unwrap()
    };
    let mut talk = Conversation::default();
    talk.begin("How high is the water?");
    assert!(talk.read(&answer, says("High.")).unwrap().is_none());
    talk.push(Message::calls([ToolCall::new(
        "1",
        "open_sections",
        json!({ "section_keys": ["tides"] }),
    )]));
    talk.prompt(&HARBOUR).render().unwrap();
    talk.push(Message::calls(
        ["a", "b"].map(|id| ToolCall::new(id, "look", json!({}))),
    ));
    let open = talk.open_calls();
    talk.push_results([ToolResult::ok(&open[0], "seen")])
        .unwrap();
    let before = serde_json::to_value(&talk).unwrap();
    assert_eq!(
        (
            before["tries"].clone(),
            before["disclosure"]["rounds"].clone()
        ),
        (json!(1), json!(1))
    );
    for question in ["And now?", "And then?"] {
        talk.begin(question);
    }
    assert_eq!(talk.take_back(), Some(Message::user("And then?")));
    assert_eq!(talk.take_back(), Some(Message::user("And now?")));
    assert_eq!(serde_json::to_value(&talk).unwrap(), before);
    assert_eq!(talk.open_calls(), open[1..]);
    talk.push_results([ToolResult::ok(&open[1], "seen")])
        .unwrap();
    assert_eq!(talk.history().log().last().unwrap().tool_results().len(), 2);
}

#[test]
fn a_turn_that_opens_asks_the_tree_once() {
    /// You keep the light.
    #[derive(PromptNode)]
    struct Keeper {
        asked: std::cell::Cell<u32>,

        /// Sound the horn.
        #[section(when = self.foggy())]
        fog: (),

        /// Trim the wick, then the lens.
        #[section(visibility = "summary", summary = "Care of the lamp.")]
        lamp: (),
    }
    impl Keeper {
        fn foggy(&self) -> bool {
            self.asked.set(self.asked.get() + 1);
            true
        }
    }
    let node = Keeper {
        asked: std::cell::Cell::new(0),
        fog: (),
        lamp: (),
    };
    let mut conversation = Conversation::default();
    conversation.begin("How is the lamp?");
    conversation.prompt(&node).render().unwrap();
    let arguments = serde_json::json!({ "section_keys": ["lamp"], "reason": "to answer" });
    let call = ToolCall::new("1", "open_sections", arguments);
    conversation.push(Message {
        content: vec![call.into()],
        ..Message::assistant("")
    });
    node.asked.set(0);
    let rendered = conversation.prompt(&node).render().unwrap();
    assert!(rendered.as_str().contains("Trim the wick"));
    assert_eq!(node.asked.get(), 1);
}

#[test]
fn the_page_of_a_turn_says_in_numbers_which_of_it_is_cached() {
    /// You keep the desk.
    #[derive(PromptNode)]
    struct Desk {
        #[section(cache = 3600)]
        rules: &'static str,
        #[section(visibility = "summary", summary = "The almanac of the year.")]
        almanac: &'static str,
    }
    let desk = Desk {
        rules: "Be brief.",
        almanac: "Rain on Monday.",
    };
    let mut conversation = Conversation::default();
    conversation.begin("Rain?");
    let opened = json!({"section_keys": ["almanac"], "reason": ""});
    conversation.push(Message::calls([ToolCall::new(
        "a",
        "open_sections",
        opened,
    )]));
    let rendered = conversation.prompt(&desk).render().unwrap();
    let preview = conversation.prompt(&desk).preview().unwrap();
    assert!(preview.text.contains("Rain on Monday."));
    assert_eq!(preview.text, rendered.as_str());
    let messages = preview.messages.iter().map(|(message, _)| message.clone());
    assert_eq!(messages.collect::<Vec<_>>(), rendered.messages());

    let tools: usize = preview.tools.iter().map(|(_, tokens)| tokens).sum();
    let up_to = |last: usize| {
        let messages = preview.messages[..=last].iter();
        tools + messages.map(|(_, tokens)| tokens).sum::<usize>()
    };
    let last = preview.messages.len() - 1;
    let (first, all) = (up_to(0), up_to(last));
    let page = prompt_review::page(&preview);
    let point = format!("cache point, 3600 s: {first} tokens up to here");
    assert!(page.contains(&point), "{page}");
    // All that is said so far is marked, too.
    assert!(page.contains(&format!("<dd>{all} of {all} tokens, 100 %")));
    let conversation = conversation.uncached();
    let preview = conversation.prompt(&desk).preview().unwrap();
    let page = prompt_review::page(&preview);
    assert!(page.contains(&point) && page.contains(&format!("<dd>{first} of {all} tokens, ")));
}

/// Each request of a conversation reads from the cache what the last one wrote: all of it, marks apart, is its beginning, and at
/// most four points are sent.
#[test]
fn what_the_next_request_begins_with_is_marked() {
    let rules = "Be brief, be kind, and say so where you do not know.";
    let mut talk = Conversation::default();
    let mut before: Vec<serde_json::Value> = Vec::new();
    for turn in 0..20 {
        talk.begin(format!("What is {turn}?"));
        let prompt = talk.prompt(rules).render().unwrap();
        let options = RequestOptions::new("m").max_tokens(9);
        let body = Provider::Anthropic
            .request(&prompt.messages(), prompt.tools(), &options)
            .unwrap();
        let mut blocks: Vec<serde_json::Value> = body["system"].as_array().unwrap().clone();
        for message in body["messages"].as_array().unwrap() {
            blocks.extend(message["content"].as_array().unwrap().iter().cloned());
        }
        let is_marked = |block: &serde_json::Value| block.get("cache_control").is_some();
        let marks: Vec<usize> = (0..blocks.len())
            .filter(|at| is_marked(&blocks[*at]))
            .collect();
        assert!(
            marks.len() <= 4
                && marks.first() == Some(&0)
                && marks.last() == Some(&(blocks.len() - 1)),
            "{marks:?}"
        );
        for block in &mut blocks {
            block.as_object_mut().unwrap().shift_remove("cache_control");
        }
        if talk.history().frontier() == 0 {
            assert!(blocks.starts_with(&before));
        } else {
            assert!(marks.len() > 2, "the compacted part is marked: {marks:?}");
        }
        // Other providers are sent no marks.
        for provider in Provider::ALL
            .iter()
            .filter(|provider| **provider != Provider::Anthropic)
        {
            let body = provider
                .request(&prompt.messages(), prompt.tools(), &options)
                .unwrap();
            assert!(!body.to_string().contains("cache"), "{body}");
        }
        before = blocks;
        talk.push(Message::assistant(format!("It is {turn}.")));
    }
    assert!(talk.history().frontier() > 0);
}

#[test]
fn a_default_conversation_keeps_its_answers_whole() {
    let mut talk = Conversation::default();
    let answer = "The file says so, and that is all of what it says.\nrecap - what a file says";
    for _ in 0..9 {
        talk.begin("What does the file say?");
        talk.push(Message::assistant(answer));
    }
    assert!(talk.history().frontier() > 0);
    let view = talk.history().view().messages();
    let answers = view
        .iter()
        .map(|message| message.text().matches(answer).count());
    assert_eq!(answers.sum::<usize>(), 9);
}

#[test]
fn a_question_that_is_too_long_is_taken_back() {
    let mut talk = Conversation::default();
    talk.begin("How deep is it?");
    talk.push(Message::assistant("Four metres."));
    let before = serde_json::to_string(&talk).unwrap();
    talk.begin("A letter. ".repeat(900));
    let render = |talk: &Conversation| {
        let prompt = talk
            .prompt("You answer.")
            .budget(prompt_core::Budget::request(500));
        prompt.render().map(|prompt| prompt.messages())
    };
    let error = render(&talk).unwrap_err();
    assert!(error.to_string().contains("its message 3 alone"), "{error}");
    // Saved and restored it is as long as it was, and goes back all the same.
    let mut talk: Conversation =
        serde_json::from_str(&serde_json::to_string(&talk).unwrap()).unwrap();
    let letter = talk.take_back().unwrap();
    assert_eq!(letter.text().len(), 9000);
    assert_eq!(talk.history().len(), 2);
    talk.begin("And now?");
    let sent = render(&talk).unwrap();
    assert_eq!(sent.len(), 4);
    talk.take_back().unwrap();
    let mut again: Conversation = serde_json::from_str(&before).unwrap();
    again.begin("x");
    again.take_back().unwrap();
    assert_eq!(
        serde_json::to_string(&talk).unwrap(),
        serde_json::to_string(&again).unwrap()
    );
    assert_eq!(
        talk.take_back().map(|question| question.text()),
        Some("How deep is it?".into())
    );
    assert!(talk.history().is_empty() && talk.take_back().is_none() && talk.is_answered());
}

#[test]
fn what_a_taken_back_question_opened_is_closed_again() {
    let node = prompt_core::DynamicNode::from_json(
        r#"{ "key": "root", "sections": [
            { "key": "a", "body": "A.", "summary": "On a.", "visibility": "summary" },
            { "key": "b", "body": "B.", "summary": "On b.", "visibility": "summary" }
        ] }"#,
    )
    .unwrap();
    let open = |id: &str, key: &str| {
        let arguments = json!({ "section_keys": [key], "reason": "r" });
        Message::calls([ToolCall::new(id, "open_sections", arguments)])
    };
    for delivery in [Delivery::Rerender, Delivery::Append] {
        for pushes in [false, true] {
            let mut talk = Conversation::default().delivery(delivery);
            talk.begin("a?");
            talk.push(open("1", "a"));
            talk.prompt(&node).render().unwrap();
            talk.push(Message::assistant("A."));
            talk.begin("b?");
            talk.push(open("2", "b"));
            talk.prompt(&node).render().unwrap();
            if pushes {
                talk.push(Message::assistant("B."));
            }
            assert_eq!(
                talk.take_back().map(|question| question.text()),
                Some("b?".into())
            );
            let opened: Vec<&str> = talk
                .disclosure()
                .opened
                .iter()
                .map(|(path, _)| path)
                .collect();
            assert_eq!(opened, ["a"], "{delivery:?} {pushes}");
            assert_eq!(talk.history().len(), 4);
            talk.begin("b, please?");
            talk.push(open("3", "b"));
            talk.prompt(&node).render().unwrap();
            assert!(talk.disclosure().opened.get("b").is_some());
        }
    }
}

#[test]
fn taken_back_is_as_if_it_had_not_been_asked() {
    // Words that a program adds are no question.
    let mut talk = Conversation::default();
    talk.begin("First");
    talk.retry("again");
    talk.begin("Second");
    assert_eq!(talk.take_back().unwrap().text(), "Second");
    assert_eq!(talk.take_back().unwrap().text(), "First");
    assert!(talk.history().is_empty());

    // What was compacted because of it is whole again.
    let config = prompt_core::compaction::CompactionConfig::builder();
    let config = config.min_preserved(1).batch_size(1).build().unwrap();
    let mut talk = Conversation::new(config);
    talk.begin("A question that is long enough to be worth a recap, with many more words in it.");
    talk.push(Message::assistant("A.\nrecap - done"));
    let before = talk.history().view().messages();
    talk.begin("Another question");
    talk.push(Message::assistant("B."));
    assert!(talk.history().frontier() > 0);
    talk.take_back().unwrap();
    assert_eq!(talk.history().view().messages(), before);

    // What may be opened is not used up by it.
    let node = prompt_core::DynamicNode::from_json(
        r#"{ "key": "root", "sections": [
            { "key": "b", "body": "Eight words are in here, more or less, I think.", "summary": "On b.", "visibility": "summary" }
        ] }"#,
    )
    .unwrap();
    let mut talk = Conversation::default().max_opened_tokens(20);
    for at in 0..5 {
        talk.begin("b?");
        let arguments = json!({ "section_keys": ["b"], "reason": "r" });
        talk.push(Message::calls([ToolCall::new(
            at.to_string(),
            "open_sections",
            arguments,
        )]));
        talk.prompt(&node).render().unwrap();
        talk.push(Message::assistant("B."));
        assert!(talk.disclosure().opened.get("b").is_some(), "{at}");
        talk.take_back().unwrap();
        assert_eq!(talk.disclosure().opened_tokens, 0);
    }
}

#[test]
fn a_conversation_whose_refused_tries_were_compacted_is_read_again() {
    let config = prompt_core::compaction::CompactionConfig::builder();
    let config = config.min_preserved(0).batch_size(1).build().unwrap();
    let answer = Answer::<Vec<u8>>::new()
        .mode(AnswerMode::Prompt)
        .max_tries(9);
    for replies in [vec!["no", "[1]"], vec!["no", "no", "[1]"]] {
        let mut talk = Conversation::new(config.clone());
        talk.begin("Q");
        let call = ToolCall::new("1", "f", json!({}));
        talk.push(Message::calls([call.clone()]));
        talk.push_results([ToolResult::ok(&call, "r")]).unwrap();
        for reply in replies {
            let body = Script::new()
                .says(reply)
                .reply(Provider::Anthropic, &json!({}));
            talk.read(&answer, Provider::Anthropic.reply(&body).unwrap())
                .unwrap();
            let saved = serde_json::to_string(&talk).unwrap();
            let back: Conversation = serde_json::from_str(&saved).unwrap();
            assert_eq!(serde_json::to_string(&back).unwrap(), saved);
            assert_eq!(
                back.history().view().messages(),
                talk.history().view().messages()
            );
        }
    }
}
