//! The span of a call, as a subscriber sees it.

use prompt_agent::Conversation;
use prompt_core::Disclosure;
use prompt_core::DynamicNode;
use prompt_core::Message;
use prompt_core::PromptNode;
use prompt_core::ToolCall;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex},
};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

/// A span: its name, its fields, and whether it was left.
#[derive(Clone, Debug, Default)]
struct Seen {
    name: &'static str,
    fields: BTreeMap<&'static str, String>,
    entered: bool,
    left: bool,
}

impl Visit for Seen {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.fields.insert(field.name(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.fields.insert(field.name(), value.to_owned());
    }
}

#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<Seen>>>);

impl Collector {
    fn with(&self, id: &span::Id, change: impl FnOnce(&mut Seen)) {
        let mut spans = self.0.lock().unwrap();
        let index = usize::try_from(id.into_u64()).unwrap() - 1;
        change(&mut spans[index]);
    }
}

impl Subscriber for Collector {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        ["prompt_core::", "prompt_agent::"]
            .iter()
            .any(|own| metadata.target().starts_with(own))
    }

    fn new_span(&self, attributes: &span::Attributes<'_>) -> span::Id {
        let mut seen = Seen {
            name: attributes.metadata().name(),
            ..Seen::default()
        };
        attributes.record(&mut seen);
        let mut spans = self.0.lock().unwrap();
        spans.push(seen);
        span::Id::from_u64(spans.len() as u64)
    }

    fn record(&self, id: &span::Id, values: &span::Record<'_>) {
        self.with(id, |seen| values.record(seen));
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    /// Events are kept as spans that nobody enters, with their level for a name.
    fn event(&self, event: &Event<'_>) {
        let mut seen = Seen {
            name: event.metadata().level().as_str(),
            ..Seen::default()
        };
        event.record(&mut seen);
        self.0.lock().unwrap().push(seen);
    }

    fn enter(&self, id: &span::Id) {
        self.with(id, |seen| seen.entered = true);
    }

    fn exit(&self, id: &span::Id) {
        self.with(id, |seen| seen.left = true);
    }
}

fn spans(run: impl FnOnce()) -> Vec<Seen> {
    let collector = Collector::default();
    // With a single dispatcher, a span that another thread meets first is asked of that thread alone, and switched off.
    let _second = tracing::Dispatch::new(Collector::default());
    tracing::subscriber::with_default(collector.clone(), run);
    let spans = collector.0.lock().unwrap();
    spans.clone()
}

fn tree() -> DynamicNode {
    let tree = json!({ "key": "root", "sections": [
        { "key": "a", "body": "full a", "summary": "short a", "visibility": "summary" },
    ] });
    DynamicNode::from_json(&tree.to_string()).unwrap()
}

fn open(key: &str) -> ToolCall {
    let arguments = json!({ "section_keys": [key], "reason": "R" });
    ToolCall {
        id: "call_7".into(),
        name: "open_sections".into(),
        arguments,
    }
}

#[test]
fn a_call_is_a_span_with_the_names_of_the_conventions() {
    let node = tree();
    let seen = spans(|| drop(Disclosure::new(&node).handle(&[open("a")]).unwrap()));
    assert_eq!(seen.len(), 2);
    // How every section was shown is much, and told at DEBUG only.
    assert_eq!(
        (seen[1].name, seen[1].fields["visibility"].as_str()),
        ("DEBUG", r#"{"a":"summary"}"#)
    );
    let Seen {
        name,
        fields,
        entered,
        left,
    } = &seen[0];
    assert_eq!(
        (*name, *entered, *left),
        ("execute_tool open_sections", true, true)
    );
    let expected = [
        ("gen_ai.operation.name", "execute_tool"),
        ("gen_ai.tool.name", "open_sections"),
        ("gen_ai.tool.type", "function"),
        (
            "gen_ai.tool.description",
            "Expand summarized sections to view their full content.",
        ),
        ("gen_ai.tool.call.id", "call_7"),
        (
            "gen_ai.tool.call.arguments",
            r#"{"section_keys":["a"],"reason":"R"}"#,
        ),
        ("prompt_core.disclosure.opened", r#"["a"]"#),
    ];
    for (field, value) in expected {
        assert_eq!(
            fields.get(field).map(String::as_str),
            Some(value),
            "{field}"
        );
    }
    let tokens: usize = fields["prompt_core.disclosure.tokens_opened"]
        .parse()
        .unwrap();
    assert!(tokens > 0);
    assert_eq!(fields.get("error.type"), None);
}

#[test]
fn a_refusal_and_a_failure_have_an_error_type() {
    let node = tree();
    let seen = spans(|| {
        node.prompt()
            .render()
            .unwrap()
            .call(&open("b"))
            .unwrap_err();
        let mut disclosure = Disclosure::new(&node).max_rounds(0);
        disclosure.handle(&[open("a")]).unwrap();
        disclosure.handle(&[open("a")]).unwrap_err();
    });
    let seen: Vec<Seen> = seen.into_iter().filter(|seen| seen.entered).collect();
    let types: Vec<&str> = seen
        .iter()
        .map(|span| span.fields["error.type"].as_str())
        .collect();
    assert_eq!(types, ["unknown_key", "rounds_used_up", "max_rounds"]);
    assert!(seen.iter().all(|span| {
        let tokens = span.fields.get("prompt_core.disclosure.tokens_opened");
        tokens.is_none_or(|tokens| tokens == "0") && span.left
    }));
    let arguments: Value =
        serde_json::from_str(&seen[0].fields["gen_ai.tool.call.arguments"]).unwrap();
    assert_eq!(arguments["section_keys"], json!(["b"]));
}

/// What happens in a conversation that has a name stands in a span that says it.
#[test]
fn spans_of_a_conversation_name_it() {
    let node = tree();
    let seen = spans(|| {
        let mut conversation = Conversation::default().named("harbour-7");
        conversation.begin("What of a?");
        let content = vec![open("a").into()];
        conversation.push(Message {
            content,
            ..Message::assistant("")
        });
        conversation.prompt(&node).render().unwrap();
    });
    let names: Vec<&str> = seen.iter().map(|seen| seen.name).collect();
    let call = names
        .iter()
        .position(|name| name.starts_with("execute_tool"))
        .unwrap();
    let around = seen[..call]
        .iter()
        .rfind(|seen| seen.name == "conversation")
        .unwrap();
    assert_eq!(around.fields["gen_ai.conversation.id"], "harbour-7");
    let unnamed = spans(|| drop(Conversation::default().prompt(&node).render()));
    assert!(unnamed.is_empty());
}

#[test]
fn another_tool_is_no_span_of_ours() {
    let node = tree();
    let own = ToolCall {
        id: "1".into(),
        name: "find".into(),
        arguments: json!({}),
    };
    let seen = spans(|| {
        node.prompt().render().unwrap().call(&own).unwrap_err();
    });
    assert!(seen.is_empty());
}
