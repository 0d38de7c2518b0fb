//! The events of compaction, as a subscriber sees them.

use prompt_core::compaction::{CompactionConfig, Compactor};
use prompt_core::{Content, History, Message, Role};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber, span};

#[derive(Clone, Debug)]
struct Seen {
    level: Level,
    fields: BTreeMap<&'static str, String>,
}

impl Visit for Seen {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.fields.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name(), value.to_owned());
    }
}

impl Seen {
    fn says(&self, field: &str) -> &str {
        self.fields.get(field).map_or("", String::as_str)
    }
}

#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Seen>>>);

impl Subscriber for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "prompt_core::compaction"
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut seen = Seen {
            level: *event.metadata().level(),
            fields: BTreeMap::new(),
        };
        event.record(&mut seen);
        self.0.lock().unwrap().push(seen);
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

fn events(run: impl FnOnce()) -> Vec<Seen> {
    let collector = Collector::default();
    // With a single dispatcher, a span that another thread meets first is asked of that thread alone, and switched off.
    let _second = tracing::Dispatch::new(Collector::default());
    tracing::subscriber::with_default(collector.clone(), run);
    let seen = collector.0.lock().unwrap();
    seen.clone()
}

fn config() -> CompactionConfig {
    let config = CompactionConfig::builder().min_preserved(0).batch_size(1);
    config.build().unwrap()
}

fn log() -> Vec<Message> {
    let call = Content::ToolCall {
        id: "lost".into(),
        name: "look".into(),
        arguments: json!({}),
    };
    vec![
        Message::user("How many boats came in since the morning, and under which flags?"),
        Message::assistant("Three, all of them under sail.\nrecap - three boats"),
        Message::user("And out?"),
        Message {
            role: Role::Assistant,
            content: vec![call],
            cache: None,
        },
        Message::assistant("None that I could see."),
    ]
}

#[test]
fn a_view_that_is_made_anew_is_an_event() {
    let compacted = events(|| drop(Compactor::new(config()).compact(&log())));
    assert_eq!(compacted.len(), 1);
    let event = &compacted[0];
    assert_eq!(event.level, Level::DEBUG);
    assert_eq!(event.says("message"), "history compacted");
    assert_eq!(
        ["messages_before", "messages_after", "frontier"].map(|field| event.says(field)),
        ["5", "5", "5"]
    );
    // A history tells of each move of its frontier, and of nothing else.
    let mut history = History::new(config());
    let pushed = events(|| history.extend(log()));
    let frontiers: Vec<&str> = pushed.iter().map(|event| event.says("frontier")).collect();
    assert_eq!(frontiers, ["2", "5"]);
}

/// A log that is read again was told of when it was said.
#[test]
fn a_history_from_a_log_tells_of_no_batch_of_the_past() {
    let mut history = None;
    let seen = events(|| history = Some(History::from_log(config(), log())));
    assert!(seen.is_empty(), "{seen:?}");
    let mut history = history.unwrap();
    let seen = events(|| history.extend(log()));
    assert_eq!(seen.len(), 2);
}

#[test]
fn a_report_is_an_event() {
    let log = log();
    let view = Compactor::new(config()).compact(&log);
    let seen = events(|| drop(view.report(&|text: &str| text.split_whitespace().count())));
    assert_eq!((seen.len(), seen[0].level), (1, Level::INFO));
    assert_eq!(
        ["tokens_before", "tokens_after", "kept"].map(|field| seen[0].says(field)),
        ["31", "18", "1"]
    );
}
