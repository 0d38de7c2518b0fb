//! The invariants of compaction, each on random histories: parallel tool calls, mixed messages, missing, late and
//! stray results, results several exchanges late, ids numbered anew in every reply, ids used twice, calls of
//! `open_sections`, several system messages, missing recaps, empty messages, images; both recap forms and both triggers.

use prompt_agent::wire::{LateSystem, Provider, RequestOptions};
use prompt_core::Content;
use prompt_core::History;
use prompt_core::Message;
use prompt_core::Role;
use prompt_core::compaction::Compact;
use prompt_core::compaction::Compacted;
use prompt_core::compaction::CompactionConfig;
use prompt_core::compaction::Compactor;
use prompt_core::compaction::Extractor;
use prompt_core::compaction::Item;
use prompt_core::compaction::Kind;
use prompt_core::compaction::RecapForm;
use prompt_core::compaction::Trigger;
use prompt_core::message::ImageSource;
use prompt_examples::savings::{CostModel, HistoryPolicy, simulate};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;
use std::collections::{BTreeSet, VecDeque};

// ---- random histories

#[derive(Clone, Debug)]
struct Turn {
    reminder: bool,
    questions: usize,
    rounds: Vec<Round>,
    answer: Answer,
    fault: Fault,
}

/// One round of tool calls.
#[derive(Clone, Debug)]
struct Round {
    calls: usize,
    spoken: bool,
    /// The first call is one of `open_sections`, and its result says so, carries a text, or refuses.
    opens: Option<Opened>,
    /// Its ids start from 0 again, as in every other round of this sort.
    anew: bool,
    results: Results,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Opened {
    Shown,
    Text,
    Refused,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Results {
    /// One tool message per result.
    Single,
    /// All in one message of the user, with text beside them.
    Mixed,
    /// The last one is missing.
    Missing,
    /// The last one comes after the answer.
    Late,
    /// The last one comes two answers later, if there are so many.
    VeryLate,
}

#[derive(Clone, Copy, Debug)]
enum Answer {
    WithRecap(usize),
    Plain(usize),
    Empty,
    Nothing,
    Image,
    Parts,
    /// After a thought with a signature.
    Thinking(usize),
    /// Ends in white space.
    Trailing,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    No,
    StrayResult,
    SecondResult,
    /// A round trip under an id that the whole history shares.
    SharedId,
    ToolWithoutContent,
    NoAnswer,
    TwoAnswers,
}

fn turns(clean: bool) -> impl Strategy<Value = Vec<Turn>> {
    let results = if clean {
        prop_oneof![3 => Just(Results::Single), 2 => Just(Results::Mixed), 1 => Just(Results::Missing)].boxed()
    } else {
        prop_oneof![
            Just(Results::Single),
            Just(Results::Mixed),
            Just(Results::Missing),
            Just(Results::Late),
            Just(Results::VeryLate)
        ]
        .boxed()
    };
    let flags = (
        any::<bool>(),
        prop::option::weighted(
            0.2,
            prop_oneof![
                Just(Opened::Shown),
                Just(Opened::Text),
                Just(Opened::Refused)
            ],
        ),
        prop::bool::weighted(0.3),
    );
    let round =
        (1..4_usize, flags, results).prop_map(|(calls, (spoken, opens, anew), results)| Round {
            calls,
            spoken,
            opens,
            anew,
            results,
        });
    let answer = prop_oneof![
        4 => (0..60_usize).prop_map(Answer::WithRecap),
        2 => (0..60_usize).prop_map(Answer::Plain),
        1 => Just(Answer::Empty),
        1 => Just(Answer::Nothing),
        1 => Just(Answer::Image),
        1 => Just(Answer::Parts),
        2 => (0..60_usize).prop_map(Answer::Thinking),
        1 => Just(Answer::Trailing),
    ];
    let fault = if clean {
        Just(Fault::No).boxed()
    } else {
        prop_oneof![
            6 => Just(Fault::No),
            1 => Just(Fault::StrayResult),
            1 => Just(Fault::SecondResult),
            1 => Just(Fault::SharedId),
            1 => Just(Fault::ToolWithoutContent),
            1 => Just(Fault::NoAnswer),
            1 => Just(Fault::TwoAnswers),
        ]
        .boxed()
    };
    let questions = if clean {
        (1..2_usize).boxed()
    } else {
        (0..3_usize).boxed()
    };
    let turn = (
        prop::bool::weighted(0.1),
        questions,
        vec(round, 0..3),
        answer,
        fault,
    );
    let turn = turn.prop_map(|(reminder, questions, rounds, answer, fault)| Turn {
        reminder,
        questions,
        rounds,
        answer,
        fault,
    });
    vec(turn, 0..14)
}

/// Any history, from clean to broken.
fn any_log() -> impl Strategy<Value = Vec<Message>> {
    (0..3_usize, turns(false), any::<bool>())
        .prop_map(|(systems, turns, pending)| build(systems, &turns, pending))
}

/// A history whose roles alternate and whose only fault are missing results.
fn clean_log() -> impl Strategy<Value = Vec<Message>> {
    (0..3_usize, turns(true), any::<bool>())
        .prop_map(|(systems, turns, pending)| build(systems, &turns, pending))
}

fn build(systems: usize, turns: &[Turn], pending: bool) -> Vec<Message> {
    let mut log = Vec::new();
    for part in 0..systems {
        log.push(Message::system(format!("System part {part}.")));
    }
    let mut very_late: VecDeque<(usize, Message)> = VecDeque::new();
    for (number, turn) in turns.iter().enumerate() {
        while let Some(result) = pop_due(&mut very_late, number) {
            log.push(result);
        }
        let late = turn.write(number, &mut log);
        very_late.extend(late.into_iter().map(|message| (number + 2, message)));
    }
    if pending {
        log.push(Message::user("And what now?"));
    }
    log
}

fn pop_due(waiting: &mut VecDeque<(usize, Message)>, number: usize) -> Option<Message> {
    waiting.front().filter(|(due, _)| *due <= number)?;
    waiting.pop_front().map(|(_, message)| message)
}

impl Turn {
    /// Writes the turn; gives back what comes two turns later.
    fn write(&self, number: usize, log: &mut Vec<Message>) -> Vec<Message> {
        for part in 0..self.questions {
            log.push(Message::user(format!(
                "Question {number}.{part}: how does it stand?"
            )));
        }
        if self.reminder {
            log.push(Message::system(format!("Reminder {number}.")));
        }
        let (mut late, mut very_late) = (Vec::new(), Vec::new());
        for (place, round) in self.rounds.iter().enumerate() {
            let prefix = if round.anew {
                "call".to_owned()
            } else {
                format!("call_{number}_{place}")
            };
            let missing = round.write(&prefix, log);
            if round.results == Results::VeryLate {
                very_late.extend(missing);
            } else {
                late.extend(missing);
            }
        }
        self.fault.write(number, log);
        if self.fault != Fault::NoAnswer {
            log.push(self.answer.message(number));
        }
        if self.fault == Fault::TwoAnswers {
            log.push(Answer::WithRecap(5).message(number));
        }
        log.extend(late);
        very_late
    }
}

impl Round {
    /// Writes the round; gives back what comes late.
    fn write(&self, prefix: &str, log: &mut Vec<Message>) -> Option<Message> {
        let ids: Vec<String> = (0..self.calls)
            .map(|call| format!("{prefix}_{call}"))
            .collect();
        let mut content: Vec<Content> = ids.iter().map(|id| call(id)).collect();
        if let (Some(_), Some(Content::ToolCall { name, .. })) = (self.opens, content.first_mut()) {
            *name = "open_sections".into();
        }
        let result = |id: &str| match (self.opens, id.ends_with("_0")) {
            (Some(opened), true) => opened.result(id),
            _ => result(id),
        };
        if self.spoken {
            content.insert(0, Content::text("Let me look."));
        }
        log.push(Message {
            role: Role::Assistant,
            content,
            cache: None,
        });
        let mut results: Vec<Message> = ids.iter().map(|id| tool(vec![result(id)])).collect();
        match self.results {
            Results::Single => log.extend(results),
            Results::Mixed => {
                let mut content: Vec<Content> = ids.iter().map(|id| result(id)).collect();
                content.push(Content::text("These are the results."));
                log.push(Message {
                    role: Role::User,
                    content,
                    cache: None,
                });
            }
            Results::Missing => {
                results.pop();
                log.extend(results);
            }
            Results::Late | Results::VeryLate => {
                let late = results.pop();
                log.extend(results);
                return late;
            }
        }
        None
    }
}

impl Opened {
    fn result(self, id: &str) -> Content {
        let content = match self {
            Self::Shown => "Now shown in full in the prompt: 'tides'.",
            Self::Text => "# Tides\n\nHigh water at six.",
            Self::Refused => "Nothing was opened: section 'tide' does not exist in this prompt.",
        };
        Content::ToolResult {
            id: id.into(),
            content: content.into(),
            is_error: self == Self::Refused,
        }
    }
}

impl Fault {
    fn write(self, number: usize, log: &mut Vec<Message>) {
        match self {
            Self::StrayResult => log.push(tool(vec![result(&format!("stray_{number}"))])),
            Self::SecondResult => {
                let id = format!("twice_{number}");
                log.push(Message {
                    role: Role::Assistant,
                    content: vec![call(&id)],
                    cache: None,
                });
                log.push(tool(vec![result(&id), result(&id)]));
            }
            Self::SharedId => {
                log.push(Message {
                    role: Role::Assistant,
                    content: vec![call("shared")],
                    cache: None,
                });
                log.push(tool(vec![result("shared")]));
            }
            Self::ToolWithoutContent => log.push(tool(vec![])),
            Self::No | Self::NoAnswer | Self::TwoAnswers => {}
        }
    }
}

impl Answer {
    fn message(self, number: usize) -> Message {
        let words = |count: usize| vec!["so"; count].join(" ");
        match self {
            Self::WithRecap(count) => Message::assistant(format!(
                "Answer {number} {}\n  recap - answer {number}\r\nend",
                words(count)
            )),
            Self::Plain(count) => Message::assistant(format!("Answer {number} {}", words(count))),
            Self::Trailing => Message::assistant(format!("Answer {number} ends in a blank. ")),
            Self::Thinking(count) => {
                let recap = if count % 3 == 0 {
                    ""
                } else {
                    "\nrecap - thought"
                };
                let text = format!("Answer {number} {}{recap}", words(count));
                let mut message = Message::assistant(text);
                let thought = Content::Thought { text: "Hm.".into() };
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
            }
            Self::Empty => Message::assistant(""),
            Self::Nothing => Message {
                role: Role::Assistant,
                content: vec![],
                cache: None,
            },
            Self::Image => {
                let image = Content::Image {
                    mime: "image/png".into(),
                    source: ImageSource::Data("AAAA".into()),
                };
                Message {
                    role: Role::Assistant,
                    content: vec![image],
                    cache: None,
                }
            }
            Self::Parts => {
                let parts = [
                    format!("Part one of {number}"),
                    format!("recap - two parts {number}"),
                ];
                Message {
                    role: Role::Assistant,
                    content: parts.map(Content::from).to_vec(),
                    cache: None,
                }
            }
        }
    }
}

fn call(id: &str) -> Content {
    Content::ToolCall {
        id: id.into(),
        name: "look".into(),
        arguments: json!({ "at": id }),
    }
}

fn result(id: &str) -> Content {
    Content::ToolResult {
        id: id.into(),
        content: format!("seen: {id}"),
        is_error: false,
    }
}

fn tool(content: Vec<Content>) -> Message {
    Message {
        role: Role::Tool,
        content,
        cache: None,
    }
}

// ---- random configurations

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn compactors() -> impl Strategy<Value = Compactor> {
    compactors_with(any_form().boxed(), any_trigger().boxed())
}

fn compactors_with(
    form: BoxedStrategy<RecapForm>,
    trigger: BoxedStrategy<(Trigger, usize)>,
) -> impl Strategy<Value = Compactor> {
    (0..4_usize, form, trigger, any_extractor()).prop_map(
        |(preserved, form, (trigger, batch), extractor)| {
            let config = CompactionConfig::builder()
                .min_preserved(preserved)
                .batch_size(batch)
                .recap_form(form);
            Compactor::new(
                config
                    .trigger(trigger)
                    .extractor(extractor)
                    .build()
                    .unwrap(),
            )
            .counter(words)
        },
    )
}

fn any_form() -> impl Strategy<Value = RecapForm> {
    prop_oneof![Just(RecapForm::Exchange), Just(RecapForm::Assistant)]
}

fn any_trigger() -> impl Strategy<Value = (Trigger, usize)> {
    let tokens = (0..150_usize, 1..80_usize).prop_map(|(low, gap)| {
        (
            Trigger::Tokens {
                high: low + gap,
                low,
            },
            1,
        )
    });
    prop_oneof![by_answers(), tokens]
}

fn by_answers() -> BoxedStrategy<(Trigger, usize)> {
    (1..5_usize)
        .prop_map(|batch| (Trigger::Answers, batch))
        .boxed()
}

fn any_extractor() -> impl Strategy<Value = Extractor> {
    prop_oneof![
        4 => Just(Extractor::RecapLine),
        1 => Just(Extractor::Marker("Answer".into())),
        1 => Just(Extractor::FirstLines(2)),
        1 => Just(Extractor::field("/a")),
    ]
}

// ---- what the tests look at

/// Positions of the messages that stand in the view as they are.
fn kept(view: &Compacted<'_, Message>) -> Vec<usize> {
    let position = |kept: &Message| {
        view.log()
            .iter()
            .position(|message| std::ptr::eq(message, kept))
    };
    view.items()
        .filter_map(|item| {
            if let Item::Full(message) = item {
                position(message)
            } else {
                None
            }
        })
        .collect()
}

fn answers(log: &[Message]) -> Vec<usize> {
    (0..log.len())
        .filter(|&position| log[position].kind() == Kind::Answer)
        .collect()
}

fn bytes(messages: &[Message]) -> usize {
    messages.iter().filter_map(Compact::bytes).sum()
}

/// Positions of calls and of the results that answer them, by neighbourhood: a result belongs to the newest call of its
/// id that waits. Written down by itself, one id at a time.
fn pairs(log: &[Message]) -> Vec<(usize, Option<usize>)> {
    let ids: BTreeSet<String> = log
        .iter()
        .flat_map(|message| message.kind().calls().to_vec())
        .collect();
    let mut pairs = Vec::new();
    for id in ids {
        let mut open: Vec<usize> = Vec::new();
        for (position, message) in log.iter().enumerate() {
            let kind = message.kind();
            for _ in kind.results().iter().filter(|other| **other == id) {
                pairs.extend(open.pop().map(|call| (call, Some(position))));
            }
            open.extend(
                kind.calls()
                    .iter()
                    .filter(|other| **other == id)
                    .map(|_| position),
            );
        }
        pairs.extend(open.into_iter().map(|call| (call, None)));
    }
    pairs
}

/// Calls without a result before the last question or answer, and results without a call.
pub(super) fn faults(log: &[Message]) -> usize {
    let is_turn = |message: &Message| matches!(message.kind(), Kind::Question | Kind::Answer);
    let last = log.iter().rposition(is_turn).unwrap_or(0);
    let pairs = pairs(log);
    let lost = pairs
        .iter()
        .filter(|(call, result)| result.is_none() && *call < last);
    let answered = pairs.iter().filter(|(_, result)| result.is_some());
    let results = log.iter().map(|message| message.kind().results().len());
    lost.count() + results.sum::<usize>() - answered.count()
}

/// How many answers stand before a position.
fn exchange(log: &[Message], position: usize) -> usize {
    answers(&log[..position]).len()
}

fn late_results(log: &[Message]) -> bool {
    pairs(log)
        .into_iter()
        .any(|(call, result)| result.is_none_or(|at| exchange(log, at) != exchange(log, call)))
}

/// User and tool messages on one side, the model on the other; a run of tool messages is one.
fn alternates(messages: &[Message]) -> bool {
    let mut sides: Vec<(bool, bool)> = Vec::new();
    for message in messages
        .iter()
        .filter(|message| message.role != Role::System)
    {
        let side = (message.role == Role::Assistant, message.role == Role::Tool);
        if !(side.1 && sides.last() == Some(&side)) {
            sides.push(side);
        }
    }
    sides.first().is_none_or(|first| *first == (false, false))
        && sides.windows(2).all(|pair| pair[0].0 != pair[1].0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(256), failure_persistence: None, ..ProptestConfig::default() })]

    /// 1, and the order of time: messages keep their order, and nothing is invented but the stubs and the recaps. Between
    /// two neighbours that stay there is what stands for the answers between them, and nothing else.
    #[test]
    fn kinds_keep_their_order_and_nothing_is_invented(log in any_log(), compactor in compactors()) {
        let view = compactor.compact(&log);
        let kept = kept(&view);
        prop_assert!(kept.is_sorted_by(|one, next| one < next));
        let extractor = compactor.config().extractor();
        let said = |answer: &usize| {
            let text = log[*answer].text();
            extractor.extract(&text).unwrap_or_else(|| text.trim_end().to_owned())
        };
        let exchange = compactor.config().recap_form() == RecapForm::Exchange;
        let (mut from, mut stubs, mut texts) = (0, 0, Vec::<String>::new());
        let mut items: Vec<Option<Item<'_, Message>>> = view.items().map(Some).collect();
        items.push(None);
        for item in items {
            let to = match item {
                Some(Item::Stub(_)) => { stubs += 1; continue }
                Some(Item::Recap(text)) => { texts.push(text.into_owned()); continue }
                Some(Item::Full(message) | Item::Cleared { original: message, .. }) => log.iter().position(|other| std::ptr::eq(other, message)).unwrap(),
                None => log.len(),
            };
            let gone = answers(&log).into_iter().filter(|answer| (from..to).contains(answer));
            let expected: Vec<String> = gone.map(|answer| said(&answer)).filter(|text| !text.trim().is_empty()).collect();
            let in_order = |texts: &[String]| {
                let mut lines: Vec<String> = texts.join("\n").lines().map(str::to_owned).collect();
                // What goes late stands behind what has gone before it.
                if exchange && late_results(&log) { lines.sort(); }
                lines
            };
            prop_assert_eq!(in_order(&texts), in_order(&expected), "{}..{}", from, to);
            prop_assert_eq!(stubs, usize::from(exchange && !texts.is_empty()));
            (from, stubs) = (to + 1, 0);
            texts.clear();
        }
    }

    /// 2
    #[test]
    fn system_messages_survive(log in any_log(), compactor in compactors()) {
        let kept = kept(&compactor.compact(&log));
        for (position, message) in log.iter().enumerate() {
            prop_assert!(message.kind() != Kind::Other || kept.contains(&position));
        }
    }

    /// 3: whole messages go, so it is enough to look at the positions of each pair.
    #[test]
    fn calls_and_results_go_together(log in any_log(), compactor in compactors()) {
        for end in 0..=log.len() {
            let log = &log[..end];
            let kept = kept(&compactor.compact(log));
            for (call, result) in pairs(log) {
                let stays = kept.contains(&call);
                prop_assert!(result.map_or(stays, |result| stays == kept.contains(&result)), "{call} {result:?}");
            }
        }
    }

    /// 3: where a call has no result before the frontier, its exchange stays, question and answer included; all that is
    /// kept there is in the report, and nothing else.
    #[test]
    fn what_waits_keeps_its_exchange_and_is_found(log in any_log(), compactor in compactors()) {
        let view = compactor.compact(&log);
        let kept = kept(&view);
        let found = view.report(&words).kept;
        let answers = answers(&log);
        for (call, result) in pairs(&log) {
            if call < view.frontier() && result.is_none_or(|result| result >= view.frontier()) {
                let number = exchange(&log, call);
                let start = number.checked_sub(1).map_or(0, |last| answers[last] + 1);
                prop_assert!((start..=answers[number]).all(|position| kept.contains(&position)));
                prop_assert!(found.contains(&answers[number]));
            }
        }
        for position in kept.iter().filter(|position| **position < view.frontier()) {
            let kind = log[*position].kind();
            let answer = answers[exchange(&log, *position)];
            let recap_missing = kind == Kind::Answer && compactor.config().recap_form() == RecapForm::Assistant;
            prop_assert!(kind == Kind::Other || recap_missing || found.contains(&answer), "{position}");
        }
    }

    /// 3: what stays is no more broken than the log.
    #[test]
    fn faults_are_never_made_worse(log in any_log(), compactor in compactors()) {
        let view = compactor.compact(&log);
        prop_assert!(faults(&view.messages()) <= faults(&log));
    }

    /// 4: also around exchanges that stay. Those of the log that do not alternate by themselves are not mended.
    #[test]
    fn exchange_form_alternates(
        log in prop_oneof![any_log(), clean_log()],
        compactor in compactors_with(Just(RecapForm::Exchange).boxed(), any_trigger().boxed()),
    ) {
        let view = compactor.compact(&log);
        let messages = view.messages();
        let mut start = 0;
        let mut sound = alternates(view.tail());
        for answer in answers(&log[..view.frontier()]) {
            let exchange: Vec<Message> = kept(&view).into_iter()
                .filter(|position| (start..=answer).contains(position))
                .map(|position| log[position].clone()).collect();
            sound &= alternates(&exchange);
            sound &= exchange.iter().all(|message| message.role == Role::System)
                || exchange.last().is_some_and(|last| last.role == Role::Assistant);
            start = answer + 1;
        }
        prop_assert!(!sound || alternates(&messages), "{:#?}", messages);
    }

    /// 5
    #[test]
    fn what_is_after_the_frontier_is_identical(log in any_log(), compactor in compactors()) {
        let view = compactor.compact(&log);
        let messages = view.messages();
        prop_assert!(messages.ends_with(&log[view.frontier()..]));
        let kept = kept(&view);
        for answer in answers(&log).iter().rev().take(compactor.config().min_preserved()) {
            prop_assert!(*answer >= view.frontier() && kept.contains(answer));
        }
    }

    /// 6 and 7; and the history agrees with the compactor at every step.
    #[test]
    fn between_batches_the_old_view_is_a_prefix(log in any_log(), compactor in compactors()) {
        let mut history = History::new(compactor.config().clone()).counter(words);
        let (mut old, mut frontier) = (Vec::new(), 0);
        for (position, message) in log.iter().enumerate() {
            history.push(message.clone());
            let new = history.view().messages();
            prop_assert_eq!(&new, &compactor.compact(&log[..=position]).messages());
            prop_assert!(history.frontier() >= frontier);
            if history.frontier() == frontier {
                prop_assert!(new.starts_with(&old));
            }
            (old, frontier) = (new, history.frontier());
        }
        prop_assert_eq!(history.log(), &log[..]);
    }

    /// 6: blocks that were sent stay as they are, and in their order.
    #[test]
    fn recap_blocks_are_not_changed(
        log in any_log(),
        compactor in compactors_with(Just(RecapForm::Exchange).boxed(), any_trigger().boxed()),
    ) {
        let mut old: Vec<String> = Vec::new();
        for end in 0..=log.len() {
            let view = compactor.compact(&log[..end]);
            let new: Vec<String> = view.items().filter_map(|item| match item {
                Item::Recap(text) => Some(text.into_owned()),
                _ => None,
            }).collect();
            let mut rest = new.iter();
            prop_assert!(old.iter().all(|block| rest.any(|other| other == block)));
            old = new;
        }
    }

    /// A log that a provider takes gives a view that it takes; and one that alternates a view that alternates.
    #[test]
    fn providers_take_the_view_of_a_log_that_they_take(log in any_log(), compactor in compactors()) {
        let view = compactor.compact(&log).messages();
        let options = RequestOptions::new("a-model").late_system(LateSystem::User);
        for provider in Provider::ALL {
            let log = log.iter().cloned().map(Message::without_reasoning).collect::<Vec<_>>();
            let view = view.iter().cloned().map(Message::without_reasoning).collect::<Vec<_>>();
            if provider.request(&log, &[], &options).is_ok() {
                let body = provider.request(&view, &[], &options);
                prop_assert!(body.is_ok(), "{}: {:?}", provider, body);
            }
        }
        if compactor.config().recap_form() == RecapForm::Exchange && alternates(&log) {
            prop_assert!(alternates(&view), "{:#?}", view);
        }
    }

    /// 7
    #[test]
    fn what_is_compacted_never_comes_back(log in any_log(), compactor in compactors()) {
        let mut gone: Vec<usize> = Vec::new();
        for end in 0..=log.len() {
            let kept = kept(&compactor.compact(&log[..end]));
            prop_assert!(gone.iter().all(|position| !kept.contains(position)));
            gone = (0..end).filter(|position| !kept.contains(position)).collect();
        }
    }

    /// 8
    #[test]
    fn the_view_never_grows(log in any_log(), compactor in compactors()) {
        prop_assert!(bytes(&compactor.compact(&log).messages()) <= bytes(&log));
    }

    /// 9
    #[test]
    fn same_input_same_bytes(log in any_log(), compactor in compactors()) {
        let before = log.clone();
        let one = serde_json::to_string(&compactor.compact(&log).messages()).unwrap();
        let other = serde_json::to_string(&compactor.clone().compact(&before).messages()).unwrap();
        prop_assert_eq!(one, other);
        prop_assert_eq!(log, before);
    }

    /// 10
    #[test]
    fn compacting_twice_changes_nothing(log in any_log(), compactor in compactors()) {
        let once = compactor.compact(&log).messages();
        prop_assert_eq!(&compactor.compact(&once).messages(), &once);
    }

    /// 11
    #[test]
    fn switched_off_or_short_is_identity(log in any_log(), compactor in compactors()) {
        let off = Compactor::new(CompactionConfig::disabled()).compact(&log).messages();
        prop_assert_eq!(&off, &log);
        let config = compactor.config();
        let needed = config.min_preserved() + config.batch_size();
        if config.trigger() == Trigger::Answers && answers(&log).len() < needed {
            prop_assert_eq!(&compactor.compact(&log).messages(), &log);
        }
        prop_assert!(compactor.compact::<Message>(&[]).is_empty());
    }

    /// The rule itself.
    #[test]
    fn frontier_follows_the_formula(
        log in any_log(),
        compactor in compactors_with(any_form().boxed(), by_answers()),
    ) {
        let (preserved, batch) = (compactor.config().min_preserved(), compactor.config().batch_size());
        let answers = answers(&log);
        let k = if answers.len() < preserved + batch { 0 } else { batch * ((answers.len() - preserved) / batch) };
        let expected = k.checked_sub(1).map_or(0, |last| answers[last] + 1);
        prop_assert_eq!(compactor.compact(&log).frontier(), expected);
    }

    /// The other trigger: high is the bound, low is where a move stops.
    #[test]
    fn tokens_stay_between_the_marks(log in any_log(), compactor in compactors()) {
        let Trigger::Tokens { high, low } = compactor.config().trigger() else { return Ok(()) };
        let mut history = History::new(compactor.config().clone()).counter(words);
        for message in &log {
            let before = history.frontier();
            history.push(message.clone());
            let view = history.view();
            let left = answers(view.tail()).len();
            let tokens = view.tokens(&words);
            prop_assert!(tokens <= high || left <= compactor.config().min_preserved());
            if view.frontier() > before {
                prop_assert!(tokens < low || left == compactor.config().min_preserved());
            }
        }
    }

    /// 13
    #[test]
    fn nothing_goes_uncounted(log in any_log(), compactor in compactors()) {
        let view = compactor.compact(&log);
        let report = view.report(&words);
        let messages = view.messages();
        let tokens = |messages: &[Message]| messages.iter().map(|message| message.tokens(&words)).sum::<usize>();
        prop_assert_eq!((report.messages_before, report.tokens_before), (log.len(), tokens(&log)));
        prop_assert_eq!((report.messages_after, report.tokens_after), (messages.len(), tokens(&messages)));
        prop_assert_eq!(report.frontier, view.frontier());
        let extractor = compactor.config().extractor();
        for position in &report.recaps_missing {
            prop_assert_eq!(extractor.extract(&log[*position].text()), None);
        }
    }

    /// A stored history goes on with identical bytes, wherever it is stored.
    #[test]
    fn a_stored_history_goes_on(log in any_log(), compactor in compactors(), cut in any::<prop::sample::Index>()) {
        let mut history = History::new(compactor.config().clone()).counter(words);
        let cut = cut.index(log.len() + 1);
        history.extend(log[..cut].iter().cloned());
        let stored = serde_json::to_string(&history).unwrap();
        let mut restored: History = serde_json::from_str::<History>(&stored).unwrap().counter(words);
        prop_assert_eq!(serde_json::to_string(&restored).unwrap(), stored);
        for message in &log[cut..] {
            history.push(message.clone());
            restored.push(message.clone());
            prop_assert_eq!(history.view().messages(), restored.view().messages());
        }
    }

    /// Cache points stand after messages of the view: the system part, the frontier, the end.
    #[test]
    fn cache_points_stand_in_the_view(log in any_log(), compactor in compactors()) {
        let view = compactor.compact(&log);
        let points = view.cache_points();
        prop_assert!(points.len() <= 3 && points.is_sorted_by(|one, next| one < next));
        prop_assert_eq!(points.last().copied(), view.len().checked_sub(1));
        if view.frontier() > 0 {
            let tail_start = view.len() - view.tail().len();
            prop_assert!(tail_start == 0 || points.contains(&(tail_start - 1)));
        }
    }

    /// A replay is the requests written down one by one, and their parts compared.
    #[test]
    fn a_replay_counts_what_is_sent(log in any_log(), compactor in compactors(), window in 0..4_usize) {
        let model = CostModel::anthropic().counter(words);
        let config = compactor.config().clone();
        for (policy, window) in [(config.into(), None), (HistoryPolicy::Window(window), Some(window))] {
            let sum = simulate(&log, policy, &model);
            let mut last: Option<Vec<(String, u64)>> = None;
            let (mut input, mut cached, mut breaks) = (0, 0, 0);
            for request in sent(&log, &compactor, window) {
                let tokens = |parts: &[(String, u64)]| parts.iter().map(|(_, tokens)| tokens).sum::<u64>();
                input += tokens(&request);
                if let Some(last) = last {
                    let same = last.iter().zip(&request).take_while(|(one, other)| one.0 == other.0).count();
                    cached += tokens(&request[..same]);
                    breaks += usize::from(same < last.len());
                }
                last = Some(request);
            }
            prop_assert_eq!((sum.input_tokens, sum.cached_tokens, sum.prefix_breaks), (input, cached, breaks));
        }
    }
}

/// The parts of each request, with their origin and their tokens.
fn sent(log: &[Message], compactor: &Compactor, window: Option<usize>) -> Vec<Vec<(String, u64)>> {
    let lead = log
        .iter()
        .take_while(|message| message.role == Role::System)
        .count();
    let tokens = |text: &str| words(text) as u64;
    let of = |message: &Message| {
        let position = log.iter().position(|other| std::ptr::eq(other, message));
        (
            format!("message {position:?}"),
            message.tokens(&words) as u64,
        )
    };
    let replies = (0..log.len()).filter(|&position| {
        let kind = log[position].kind();
        position > lead && (kind == Kind::Answer || !kind.calls().is_empty())
    });
    let request = |position: usize| {
        let before = &log[..position];
        if let Some(window) = window {
            let answers = answers(before);
            let out = answers
                .len()
                .checked_sub(window + 1)
                .map(|out| answers[out] + 1);
            let lead = &before[..lead.min(out.unwrap_or(0))];
            return lead
                .iter()
                .chain(&before[out.unwrap_or(0)..])
                .map(of)
                .collect();
        }
        let view = compactor.compact(before);
        let mut recaps = 0;
        view.items()
            .map(|item| match item {
                Item::Full(message)
                | Item::Cleared {
                    original: message, ..
                } => of(message),
                Item::Stub(text) => ("stub".into(), tokens(text)),
                Item::Recap(text) => {
                    recaps += 1;
                    (format!("recap {recaps} {text}"), tokens(&text))
                }
            })
            .collect()
    };
    replies.map(request).collect()
}
