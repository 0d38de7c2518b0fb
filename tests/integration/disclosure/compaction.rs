//! What the model opened survives compaction, in both deliveries.

use prompt_agent::wire::RequestOptions;
use prompt_agent::wire::anthropic;
use prompt_agent::wire::openai_chat;
use prompt_core::Content;
use prompt_core::Disclosure;
use prompt_core::Message;
use prompt_core::PromptNode;
use prompt_core::Role;
use prompt_core::ToolCall;
use prompt_core::compaction::CompactionConfig;
use prompt_core::compaction::Compactor;
use prompt_core::compaction::RecapForm;
use prompt_core::disclosure::Delivery;
use serde_json::json;

/// You watch the river.
#[derive(PromptNode)]
struct Watch {
    #[section(visibility = "summary", summary = "How to warn people.")]
    warning: Warning,
}

/// Call the mill first, then the camp site.
#[derive(PromptNode)]
struct Warning {}

const OPENED: &str = "Call the mill first";

/// A conversation in which the model opens the section, and then talks on.
fn conversation(disclosure: &mut Disclosure<'_, Watch>) -> Vec<Message> {
    let arguments = json!({ "section_keys": ["warning"], "reason": "the level rises" });
    let call = ToolCall {
        id: "call_1".into(),
        name: "open_sections".into(),
        arguments,
    };
    let results = disclosure.handle(std::slice::from_ref(&call)).unwrap();
    let mut messages = vec![Message::user("Is it high?")];
    messages.push(Message {
        role: Role::Assistant,
        content: vec![Content::from(call)],
        cache: None,
    });
    messages.push(Message::tool(results));
    for turn in 0..12 {
        messages.push(Message::assistant(format!(
            "Level report number {turn}, with many words.\nrecap - turn {turn}"
        )));
        messages.push(Message::user(format!(
            "Report again, for the {turn}th time."
        )));
    }
    messages
}

#[test]
fn opened_sections_survive_compaction() {
    for form in [RecapForm::Exchange, RecapForm::Assistant] {
        for delivery in [Delivery::Rerender, Delivery::Append] {
            let watch = Watch {
                warning: Warning {},
            };
            let mut disclosure = Disclosure::new(&watch).delivery(delivery);
            let log = conversation(&mut disclosure);
            let config = CompactionConfig::builder()
                .min_preserved(1)
                .batch_size(4)
                .recap_form(form)
                .build()
                .unwrap();
            let compacted = Compactor::new(config).compact(&log).messages();
            assert!(compacted.len() < log.len());
            let mut request = disclosure.render().unwrap().messages();
            request.extend(compacted);
            let text = serde_json::to_string(&request).unwrap();
            assert_eq!(text.matches(OPENED).count(), 1, "{form:?} {delivery:?}");
            let tools = disclosure.render().unwrap().tools().to_vec();
            openai_chat::request(&request, &tools, &RequestOptions::new("m")).unwrap();
            anthropic::request(&request, &tools, &RequestOptions::new("m").max_tokens(100))
                .unwrap();
        }
    }
}
