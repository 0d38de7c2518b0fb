//! The law: whatever an answer calls shown stands, in full, in what is sent next. At every door: both deliveries, budgets,
//! roles, slots in any order, restarts, conversations with a history that is compacted.
//!
//! The model of it is written down by itself: a tree of marked texts, and the keys that were asked for in calls that were not
//! refused. The long run is `CASES_PERCENT=10000 cargo test --release -p prompt-tests --test integration disclosure::law`: a
//! minute and a half of a processor, once it is built.

use prompt_agent::Conversation;
use prompt_core::compaction::CompactionConfig;
use prompt_core::disclosure::{Delivery, DisclosureError};
use prompt_core::{
    Budget, Content, Disclosure, DynamicNode, Message, Prompt, PromptError, RenderedPrompt, Style,
    ToolCall, ToolResult, Visibility,
};
use prompt_tests::fuzz::{TARGETS, bytes_of, run};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Marsaglia's xorshift: the same trees in every run.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = Self((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            random.below(2);
        }
        random
    }

    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap() % count.max(1)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

// ---- the model

#[derive(Debug)]
struct Section {
    key: String,
    path: String,
    /// A word that stands nowhere but in its own text.
    mark: String,
    is_closed: bool,
    has_summary: bool,
    priority: Option<usize>,
    is_spoken: bool,
    /// Its slot stands in a branch that is not taken.
    is_away: bool,
    /// Whether its slots come in another order than the sections.
    is_placed: bool,
    sections: Vec<Section>,
}

fn sections(random: &mut Random, around: &str, depth: usize, branches: bool) -> Vec<Section> {
    let count = if depth == 0 {
        1 + random.below(4)
    } else {
        random.below(3)
    };
    let one = |number: usize, random: &mut Random| {
        let key = format!("{}{number}", ["s", "t", "u"][depth]);
        let path = if around.is_empty() {
            key.clone()
        } else {
            format!("{around}.{key}")
        };
        let has_summary = !random.one_in(3);
        Section {
            mark: format!("mark-{}", path.replace('.', "-")),
            is_closed: has_summary && !random.one_in(3),
            has_summary,
            priority: random.one_in(2).then(|| random.below(4)),
            is_spoken: depth > 0 && random.one_in(8),
            is_away: branches && depth == 0 && random.one_in(4),
            is_placed: random.one_in(3),
            sections: if depth < 2 {
                sections(random, &path, depth + 1, branches)
            } else {
                Vec::new()
            },
            key,
            path,
        }
    };
    (0..count).map(|number| one(number, random)).collect()
}

impl Section {
    fn json(&self) -> Value {
        let padding = "word ".repeat(self.mark.len() % 7);
        let mut body = format!("{} {padding}end.", self.mark);
        // Last declared, first in the text.
        if self.is_placed {
            for section in self.sections.iter().rev() {
                body += &format!("\n\n{{{}}}", section.key);
            }
        }
        let mut json = json!({ "key": self.key, "body": body, "sections": list(&self.sections) });
        if self.has_summary {
            json["summary"] = format!("On {}.", self.key).into();
            json["visibility"] = if self.is_closed { "summary" } else { "full" }.into();
        }
        if let Some(priority) = self.priority {
            json["priority"] = priority.into();
        }
        if self.is_spoken {
            json["role"] = "user".into();
        }
        json
    }

    /// The marks that stand there when it is shown in full.
    fn marks<'s>(&'s self, opened: &BTreeSet<String>, marks: &mut Vec<&'s str>) {
        marks.push(&self.mark);
        for section in self.sections.iter().filter(|section| !section.is_away) {
            if !section.is_closed || opened.contains(&section.path) {
                section.marks(opened, marks);
            }
        }
    }

    fn all<'s>(&'s self, found: &mut Vec<&'s Section>) {
        found.push(self);
        self.sections.iter().for_each(|section| section.all(found));
    }
}

fn list(sections: &[Section]) -> Vec<Value> {
    sections.iter().map(Section::json).collect()
}

struct World {
    roots: Vec<Section>,
    node: DynamicNode,
    /// The keys of the calls that were not refused.
    opened: BTreeSet<String>,
    seed: u64,
}

impl World {
    fn new(seed: u64, random: &mut Random, branches: bool) -> Self {
        let roots = sections(random, "", 0, branches);
        let mut body = "You keep the harbour.".to_owned();
        for section in roots
            .iter()
            .rev()
            .filter(|section| section.is_away || section.is_placed)
        {
            body += &match section.is_away {
                true => format!("\n\n{{?flag}}\n{{{}}}\n{{/flag}}", section.key),
                false => format!("\n\n{{{}}}", section.key),
            };
        }
        let tree = json!({ "key": "root", "body": body, "sections": list(&roots) });
        let node = DynamicNode::from_json(&tree.to_string()).unwrap();
        let values = if roots.iter().any(|root| root.is_away) {
            json!({ "flag": false })
        } else {
            json!({})
        };
        let node = node
            .bind(values)
            .unwrap_or_else(|error| panic!("{seed}: {error}\n{tree:#}"));
        Self {
            roots,
            node,
            opened: BTreeSet::new(),
            seed,
        }
    }

    fn all(&self) -> Vec<&Section> {
        let mut found = Vec::new();
        self.roots.iter().for_each(|root| root.all(&mut found));
        found
    }

    fn find(&self, path: &str) -> Option<&Section> {
        self.all().into_iter().find(|section| section.path == path)
    }

    /// A few keys, mostly such as can be opened.
    fn keys(&self, random: &mut Random) -> Vec<String> {
        let all = self.all();
        let count = 1 + random.below(3);
        let key = |random: &mut Random| match random.one_in(12) {
            true => "nonsense".to_owned(),
            false => all[random.below(all.len())].path.clone(),
        };
        (0..count).map(|_| key(random)).collect()
    }

    /// Every mark of this section stands in what is sent.
    fn stands(&self, path: &str, sent: &str, why: &str) {
        let section = self
            .find(path)
            .unwrap_or_else(|| panic!("{}: {why} '{path}', which is not there", self.seed));
        let mut marks = Vec::new();
        section.marks(&self.opened, &mut marks);
        for mark in marks {
            let stands = sent
                .split(|at: char| at.is_whitespace())
                .any(|word| word == mark);
            assert!(
                stands,
                "{}: {why} '{path}', and {mark} does not stand in\n{sent}",
                self.seed
            );
        }
    }

    /// What the answers to these keys call shown.
    fn check(&mut self, keys: &[String], answers: &[ToolResult], sent: &str) {
        if answers.iter().any(|answer| !answer.is_error) {
            // By rendering anew the answer names what it calls shown: a key that was open by itself, and passed over, may go to
            // make room. With Append the texts come with it.
            let named = answers.iter().find_map(|answer| {
                let (_, named) = answer
                    .content
                    .split_once("Now shown in full in the prompt: ")?;
                let named = named
                    .split_once('.')
                    .map_or(named, |_| named.split(". ").next().unwrap_or(named));
                Some(
                    named
                        .split('\'')
                        .skip(1)
                        .step_by(2)
                        .map(str::to_owned)
                        .collect::<Vec<_>>(),
                )
            });
            let shown = named.unwrap_or_else(|| keys.to_vec());
            self.opened.extend(shown.iter().cloned());
            for key in &shown {
                self.stands(key, sent, "the answer opens");
            }
        }
        for answer in answers {
            for part in answer.content.split("section '").skip(1) {
                let Some((path, rest)) = part.split_once('\'') else {
                    continue;
                };
                if rest.starts_with(" is already expanded") {
                    self.stands(path, sent, "already expanded is");
                }
            }
        }
    }

    /// What the prompt itself calls shown in full.
    fn check_visibility(&self, rendered: &RenderedPrompt, sent: &str) {
        for (path, visibility) in rendered.visibility() {
            let section = self.find(&path).unwrap();
            assert!(
                !section.is_away,
                "{}: '{path}' is in a branch not taken",
                self.seed
            );
            if visibility == Visibility::Full {
                let stands = sent
                    .split(char::is_whitespace)
                    .any(|word| word == section.mark);
                assert!(
                    stands,
                    "{}: visible is '{path}', and does not stand in\n{sent}",
                    self.seed
                );
            }
        }
        let away = self.all().into_iter().filter(|section| section.is_away);
        for section in away {
            assert!(!sent.contains(&section.mark));
        }
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn sent(messages: &[Message], results: &[ToolResult]) -> String {
    let mut sent = String::new();
    for piece in messages.iter().flat_map(|message| &message.content) {
        match piece {
            Content::Text { text } => sent += text,
            Content::ToolResult { content, .. } => sent += content,
            _ => {}
        }
        sent.push('\n');
    }
    for result in results {
        sent += &result.content;
        sent.push('\n');
    }
    sent
}

/// How it is printed, the same throughout a talk.
#[derive(Clone, Copy)]
struct Look {
    style: Style,
    budget: Option<usize>,
    request: bool,
}

impl Look {
    fn new(random: &mut Random) -> Self {
        let style = if random.one_in(3) {
            Style::Xml
        } else {
            Style::Markdown
        };
        let budget = random.one_in(2).then(|| 20 + random.below(200));
        Self {
            style,
            budget,
            request: random.one_in(2),
        }
    }

    fn of<'a, N: prompt_core::PromptNode + ?Sized>(self, prompt: Prompt<'a, N>) -> Prompt<'a, N> {
        let prompt = prompt.style(self.style);
        match self.budget {
            Some(limit) if self.request => {
                prompt.budget(Budget::request(limit + 150).counter(&words))
            }
            Some(limit) => prompt.budget(Budget::tokens(limit).counter(&words)),
            None => prompt,
        }
    }
}

fn calls(random: &mut Random, keys: &[String]) -> Vec<ToolCall> {
    let cut = random.below(keys.len());
    let (one, other) = keys.split_at(cut);
    let call = |(number, keys): (usize, &[String])| {
        let arguments = json!({ "section_keys": keys, "reason": "asked" });
        ToolCall::new(format!("call-{number}"), "open_sections", arguments)
    };
    let parts = [one, other].into_iter().filter(|keys| !keys.is_empty());
    parts.enumerate().map(call).collect()
}

/// A talk through `Disclosure`.
fn disclosure_talk(seed: u64, branches: bool) -> usize {
    let mut random = Random::new(seed);
    let mut world = World::new(seed, &mut random, branches);
    let look = Look::new(&mut random);
    let delivery = if random.one_in(2) {
        Delivery::Append
    } else {
        Delivery::Rerender
    };
    let node = world.node.clone();
    let start = || {
        Disclosure::new(&node)
            .delivery(delivery)
            .configure(|prompt| look.of(prompt))
    };
    let mut disclosure = start();
    let (mut results, mut opened) = (Vec::new(), 0);
    match disclosure.render() {
        Ok(rendered) => world.check_visibility(&rendered, &sent(&rendered.messages(), &[])),
        Err(PromptError::Budget { .. }) => return 0,
        Err(error) => panic!("{seed}: {error}"),
    }
    for _ in 0..1 + random.below(6) {
        match random.below(8) {
            0 => disclosure.begin_turn(),
            1 => {
                let saved = serde_json::to_string(disclosure.state()).unwrap();
                disclosure = start().restore(serde_json::from_str(&saved).unwrap());
            }
            2 if delivery == Delivery::Rerender => {
                let path = world.keys(&mut random).remove(0);
                disclosure.close(&path);
                world.opened.remove(&path);
                // What had to stay may be more than fits then.
                if disclosure.render().is_err() {
                    return opened;
                }
            }
            _ => {
                let keys = world.keys(&mut random);
                let answers = match disclosure.handle(&calls(&mut random, &keys)) {
                    Ok(answers) => answers,
                    Err(DisclosureError::Prompt(error)) => panic!("{seed}: {error}"),
                    Err(_) => return opened,
                };
                results.extend(answers.iter().cloned());
                opened += usize::from(answers.iter().any(|answer| !answer.is_error));
                let rendered = disclosure
                    .render()
                    .unwrap_or_else(|error| panic!("{seed}: {error}"));
                let delivered = if delivery == Delivery::Append {
                    &results[..]
                } else {
                    &[]
                };
                let sent = sent(&rendered.messages(), delivered);
                world.check(&keys, &answers, &sent);
                world.check_visibility(&rendered, &sent);
            }
        }
    }
    opened
}

/// The same through `Conversation`, saved after every step, with a history that is compacted at every answer.
fn conversation_talk(seed: u64, branches: bool) -> usize {
    let mut random = Random::new(seed ^ 0x00c0_ffee);
    let mut world = World::new(seed, &mut random, branches);
    let look = Look::new(&mut random);
    let delivery = if random.one_in(2) {
        Delivery::Append
    } else {
        Delivery::Rerender
    };
    let config = CompactionConfig::builder()
        .min_preserved(0)
        .batch_size(1)
        .build()
        .unwrap();
    let mut conversation = Conversation::new(config.clone()).delivery(delivery);
    let node = world.node.clone();
    let mut opened = 0;
    for turn in 0..1 + random.below(4) {
        conversation.begin(format!("Question {turn}, which is to be answered well?"));
        for _ in 0..random.below(4) {
            // What does not fit before anything was asked is no matter of the law.
            if conversation
                .prompt(&node)
                .configure(|prompt| look.of(prompt))
                .render()
                .is_err()
            {
                return opened;
            }
            let keys = world.keys(&mut random);
            let content = calls(&mut random, &keys)
                .into_iter()
                .map(Content::from)
                .collect();
            conversation.push(Message {
                content,
                ..Message::assistant("")
            });
            let Ok(rendered) = conversation
                .prompt(&node)
                .configure(|prompt| look.of(prompt))
                .render()
            else {
                return opened;
            };
            let messages = rendered.messages();
            let sent = sent(&messages, &[]);
            let mut answers = messages.last().unwrap().tool_results();
            for answer in &mut answers {
                answer.name = "open_sections".into();
            }
            assert!(!answers.is_empty());
            opened += usize::from(answers.iter().any(|answer| !answer.is_error));
            // A key that was open by itself, and passed over, may go for the budget when the answer comes to the history.
            let opens = answers.iter().any(|answer| !answer.is_error);
            let state = conversation.disclosure();
            let named = keys
                .iter()
                .filter(|key| !opens || state.opened.get(key).is_some());
            let named: Vec<String> = named.cloned().collect();
            world.check(&named, &answers, &sent);
            world.check_visibility(&rendered, &sent);
            let saved = serde_json::to_string(&conversation).unwrap();
            conversation = serde_json::from_str(&saved).unwrap();
        }
        conversation.push(Message::assistant(format!(
            "Answer {turn}.\nrecap - {turn}"
        )));
        // What is open is open still, however old its exchange.
        let Ok(rendered) = conversation
            .prompt(&node)
            .configure(|prompt| look.of(prompt))
            .render()
        else {
            return opened;
        };
        let sent = sent(&rendered.messages(), &[]);
        // (A key that was open by itself, and passed over, may go for a budget.)
        for (path, _) in conversation.disclosure().opened.iter() {
            world.stands(path, &sent, "open is");
        }
        let log = conversation.history().log().to_vec();
        let replayed = Conversation::replay_with(config.clone(), log).delivery(delivery);
        let (live, again) = (conversation.disclosure(), replayed.disclosure());
        assert_eq!(
            (&again.opened, again.rounds),
            (&live.opened, live.rounds),
            "{seed}"
        );
        let again = replayed.prompt(&node).configure(|prompt| look.of(prompt));
        let again = again.render().unwrap();
        assert_eq!(again.messages(), rendered.messages(), "{seed}");
        assert_eq!(again.visibility(), rendered.visibility(), "{seed}");
    }
    opened
}

fn cases() -> std::ops::Range<u64> {
    0..prompt_tests::random_cases(500).into()
}

#[test]
fn what_an_answer_calls_shown_is_sent() {
    let opened: usize = cases().map(|seed| disclosure_talk(seed, false)).sum();
    assert!(opened > cases().count() / 5, "{opened} were opened");
}

#[test]
fn what_an_answer_calls_shown_is_sent_in_a_conversation() {
    let opened: usize = cases().map(|seed| conversation_talk(seed, false)).sum();
    assert!(opened > cases().count() / 5, "{opened} were opened");
}

/// Under a budget the answer may push out what it speaks of, and without it the section is there again: of such answers that
/// take turns the one stays that calls nothing shown. These talks come to that.
#[test]
fn of_answers_that_take_turns_the_one_stays_that_is_true() {
    for seed in [991, 1759, 2231, 2437, 3048] {
        conversation_talk(seed, false);
    }
}

/// Text, buffer, preview, a budget that cuts nothing, both deliveries, a conversation and a focus print the same bytes, and what
/// a text says of a section is so: trees whose texts ask about their sections at any depth, in Markdown and XML.
#[test]
fn every_door_prints_the_same_bytes() {
    let doors = TARGETS
        .iter()
        .find(|target| target.name == "doors")
        .unwrap();
    for seed in cases() {
        if let Err(fact) = run(doors, &bytes_of(seed)) {
            panic!("{seed}: {fact}");
        }
    }
}

/// The same with slots in branches that are not taken.
#[test]
fn what_no_text_reaches_is_not_there() {
    for seed in cases() {
        disclosure_talk(seed, true);
        conversation_talk(seed, true);
    }
}
