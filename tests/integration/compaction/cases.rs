//! The cases and replays of `cases/compaction.json`, on a message type of our own.

use prompt_core::compaction::Compact;
use prompt_core::compaction::CompactForm;
use prompt_core::compaction::Compactor;
use prompt_core::compaction::Extractor;
use prompt_core::compaction::Item;
use prompt_core::compaction::Kind;
use prompt_core::compaction::{CompactionConfig, RECAP_STUB, RecapForm};
use prompt_core::message::ImageSource;
use prompt_core::{Content, History, Message, Role, ToolCall};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct File {
    cases: Vec<Case>,
    replays: Vec<Replay>,
    orders: Vec<Order>,
    about: About,
}

#[derive(Deserialize)]
struct About {
    kinds: BTreeMap<String, String>,
    properties: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    id: String,
}

#[derive(Deserialize)]
struct Case {
    id: String,
    config: serde_json::Value,
    messages: Vec<Line>,
    expected: Vec<Expected>,
}

/// A message of the cases: not ours, so that the trait is tested with it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Line {
    kind: String,
    content: String,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Expected {
    index: usize,
    form: String,
    role: String,
    content: String,
}

#[derive(Deserialize)]
struct Replay {
    config: serde_json::Value,
    rows: Vec<Row>,
}

#[derive(Debug, PartialEq, Deserialize)]
struct Row {
    answers: usize,
    messages: usize,
    compacted: usize,
    common_prefix_with_previous: Option<usize>,
    previous_kept: Option<bool>,
}

impl Compact for Line {
    fn kind(&self) -> Kind {
        match self.kind.as_str() {
            "user" => Kind::Question,
            "assistant" => Kind::Answer,
            _ => Kind::Other,
        }
    }

    fn compact(&self, extractor: &Extractor) -> CompactForm {
        match self.kind() {
            Kind::Question => CompactForm::Drop,
            Kind::Answer => CompactForm::from(extractor.extract(&self.content)),
            _ => CompactForm::Full,
        }
    }

    fn plain_text(&self) -> Option<Cow<'_, str>> {
        Some(Cow::Borrowed(&self.content))
    }
}

fn file() -> File {
    serde_json::from_str(include_str!("../../cases/compaction.json")).unwrap()
}

fn compactor(config: &serde_json::Value) -> Compactor {
    let mut config = config.clone();
    config["recap_form"] = "assistant".into();
    Compactor::new(serde_json::from_value(config).unwrap())
}

/// The view, with the position of each part in `log`. Recaps stand in the order of their answers.
fn shown(compactor: &Compactor, log: &[Line], roles: &BTreeMap<String, String>) -> Vec<Expected> {
    let mut recapped = 0..log.len();
    let mut shown = Vec::new();
    for item in compactor.compact(log).items() {
        let (index, form, kind, content) = match item {
            Item::Full(line) | Item::Cleared { original: line, .. } => {
                let index = log
                    .iter()
                    .position(|other| std::ptr::eq(other, line))
                    .unwrap();
                (index, "full", line.kind.clone(), line.content.clone())
            }
            Item::Recap(text) => {
                let index = recapped
                    .find(|&index| log[index].content.contains(text.as_ref()))
                    .unwrap();
                (index, "compact", "assistant".to_owned(), text.into_owned())
            }
            Item::Stub(_) => panic!("no stub in the form `Assistant`"),
        };
        shown.push(Expected {
            index,
            form: form.to_owned(),
            role: roles[&kind].clone(),
            content,
        });
    }
    shown
}

/// A case about the order of time, on our own messages.
#[derive(Deserialize)]
struct Order {
    id: String,
    form: RecapForm,
    config: serde_json::Value,
    messages: Vec<serde_json::Value>,
    expected: Vec<serde_json::Value>,
}

impl Order {
    fn config(&self) -> CompactionConfig {
        let mut config = self.config.clone();
        config["recap_form"] = serde_json::to_value(self.form).unwrap();
        serde_json::from_value(config).unwrap()
    }

    fn log(&self) -> Vec<Message> {
        self.messages.iter().map(message).collect()
    }

    fn expected(&self, log: &[Message]) -> Vec<Message> {
        let one = |expected: &serde_json::Value| match expected.as_u64() {
            Some(position) => log[usize::try_from(position).unwrap()].clone(),
            None if expected["stub"] == true => Message::user(RECAP_STUB),
            None => Message {
                role: Role::Assistant,
                content: texts(&expected["recaps"])
                    .into_iter()
                    .map(Content::from)
                    .collect(),
                cache: None,
            },
        };
        self.expected.iter().map(one).collect()
    }
}

fn texts(list: &serde_json::Value) -> Vec<String> {
    serde_json::from_value(list.clone()).unwrap()
}

fn message(written: &serde_json::Value) -> Message {
    let text = |key: &str| written[key].as_str().map(str::to_owned);
    if let Some(text) = text("system") {
        return Message::system(text);
    }
    if let Some(text) = text("user") {
        return Message::user(text);
    }
    let list = |key: &str| written[key].as_array().cloned().unwrap_or_default();
    let mut content: Vec<Content> = Vec::new();
    content.extend(text("thought").map(|text| Content::Thought { text }));
    content.extend(text("signature").map(|data| Content::Signature { data }));
    content.extend(text("assistant").map(Content::from));
    content.extend(text("image").map(|mime| Content::Image {
        mime,
        source: ImageSource::Data("AAAA".into()),
    }));
    for call in list("calls") {
        let call: ToolCall = serde_json::from_value(call).unwrap();
        content.push(call.into());
    }
    let mut role = Role::Assistant;
    for result in list("results") {
        role = Role::Tool;
        content.push(Content::ToolResult {
            id: result["id"].as_str().unwrap().into(),
            content: result["content"].as_str().unwrap().into(),
            is_error: false,
        });
    }
    Message {
        role,
        content,
        cache: None,
    }
}

#[test]
fn orders() {
    let orders = file().orders;
    assert_eq!(orders.len(), 6);
    for order in orders {
        let log = order.log();
        let compactor = Compactor::new(order.config());
        let view = compactor.compact(&log).messages();
        assert_eq!(view, order.expected(&log), "{}", order.id);
        assert_eq!(
            compactor.compact(&view).messages(),
            view,
            "{} twice",
            order.id
        );
        let mut history = History::new(order.config());
        for (at, message) in log.iter().enumerate() {
            history.push(message.clone());
            let so_far = compactor.compact(&log[..=at]).messages();
            assert_eq!(history.view().messages(), so_far, "{} after {at}", order.id);
        }
    }
}

/// `cmp-25`: its recap says nothing behind `recap -`. A blank recap is none, as the page on compaction decides later.
const SKIPPED: [&str; 1] = ["cmp-25"];

#[test]
fn every_case() {
    let File { cases, about, .. } = file();
    assert_eq!(cases.len(), 19);
    for case in cases {
        if SKIPPED.contains(&case.id.as_str()) {
            continue;
        }
        let shown = shown(&compactor(&case.config), &case.messages, &about.kinds);
        assert_eq!(shown, case.expected, "{}", case.id);
    }
}

#[test]
fn every_case_grows_to_the_same_view() {
    for case in file().cases {
        let compactor = compactor(&case.config);
        let mut history = History::new(compactor.config().clone());
        for (pushed, line) in case.messages.iter().enumerate() {
            history.push(line.clone());
            let expected = compactor.compact(&case.messages[..=pushed]);
            assert!(
                history.view().items().eq(expected.items()),
                "{} after {pushed}",
                case.id
            );
        }
    }
}

#[test]
fn every_replay() {
    for replay in file().replays {
        let compactor = compactor(&replay.config);
        let mut log = vec![line("system", "You keep the logbook of a lighthouse.")];
        let mut previous: Option<Vec<String>> = None;
        for expected in replay.rows {
            log.push(line(
                "user",
                &format!(
                    "Keeper note {}: what should I record now?",
                    expected.answers
                ),
            ));
            log.push(line(
                "assistant",
                &format!("Entry written.\nrecap - entry {}\nplan", expected.answers),
            ));
            let mut asked = log.clone();
            asked.push(line(
                "user",
                &format!(
                    "Keeper note {}: what should I record now?",
                    expected.answers + 1
                ),
            ));
            let compacted = compactor.compact(&asked);
            let now: Vec<String> = compacted.items().map(|item| text(&item)).collect();
            let row = row(&expected, &compacted, &now, previous.as_deref());
            assert_eq!(row, expected);
            previous = Some(now);
        }
    }
}

fn row(
    expected: &Row,
    compacted: &prompt_core::compaction::Compacted<'_, Line>,
    now: &[String],
    previous: Option<&[String]>,
) -> Row {
    let common = previous.map(|previous| {
        previous
            .iter()
            .zip(now)
            .take_while(|(one, other)| one == other)
            .count()
    });
    Row {
        answers: expected.answers,
        messages: compacted.len(),
        compacted: compacted
            .items()
            .filter(|item| matches!(item, Item::Recap(_)))
            .count(),
        common_prefix_with_previous: common,
        previous_kept: previous.map(|previous| common == Some(previous.len())),
    }
}

fn line(kind: &str, content: &str) -> Line {
    Line {
        kind: kind.into(),
        content: content.into(),
    }
}

fn text(item: &Item<'_, Line>) -> String {
    match item {
        Item::Full(line) | Item::Cleared { original: line, .. } => {
            format!("{}: {}", line.kind, line.content)
        }
        Item::Recap(text) => format!("recap: {text}"),
        Item::Stub(text) => format!("stub: {text}"),
    }
}

/// The properties of the file are tests in `compaction_properties.rs`; a new one must get its test there.
#[test]
fn every_property_is_known() {
    let known = [
        ("prop-prefix", "between_batches_the_old_view_is_a_prefix"),
        ("prop-monotone", "what_is_compacted_never_comes_back"),
        ("prop-step", "frontier_follows_the_formula"),
        ("prop-recent", "what_is_after_the_frontier_is_identical"),
        ("prop-fixed", "system_messages_survive"),
        (
            "prop-order",
            "kinds_keep_their_order_and_nothing_is_invented",
        ),
        ("prop-shrink", "the_view_never_grows"),
        ("prop-disabled", "switched_off_or_short_is_identity"),
        ("prop-pure", "same_input_same_bytes"),
        ("prop-pairs", "calls_and_results_go_together"),
    ];
    let tests = include_str!("properties.rs");
    for property in file().about.properties {
        let (_, test) = known
            .iter()
            .find(|(id, _)| *id == property.id)
            .expect(&property.id);
        assert!(
            tests.contains(&format!("fn {test}(")),
            "{} has no test",
            property.id
        );
    }
}
