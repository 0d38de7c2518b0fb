//! Tools with their functions: every call is answered, and what went wrong is said to the model.

use prompt_agent::Tools;
use prompt_core::tool::ToolSpecError;
use prompt_core::{ToolCall, ToolResult, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::future::{Future, ready};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

#[derive(Deserialize)]
struct Look {
    at: String,
    depth: Option<u8>,
}

fn spec(name: &str) -> ToolSpec {
    let properties =
        json!({ "at": { "type": "string" }, "depth": { "type": ["integer", "null"] } });
    let schema = json!({ "type": "object", "properties": properties, "required": ["at", "depth"], "additionalProperties": false });
    ToolSpec::new(name, "Looks.", schema).unwrap()
}

fn call(name: &str, arguments: Value) -> ToolCall {
    ToolCall::new("call_7", name, arguments)
}

fn tools() -> Tools {
    Tools::new()
        .add(spec("look"), |look: Look| {
            format!("{} {:?}", look.at, look.depth)
        })
        .unwrap()
        .add(spec("fail"), |look: Look| {
            Err::<String, _>(format!("no {}", look.at))
        })
        .unwrap()
        .add(
            ToolSpec::closed("now", "").unwrap(),
            |_: Value| json!({ "hour": 6 }),
        )
        .unwrap()
}

#[test]
fn a_call_reaches_its_function_with_its_arguments() {
    let tools = tools();
    let answer = tools.run(&call("look", json!({ "at": "sea", "depth": 2 })));
    assert_eq!(
        answer,
        ToolResult::ok(&call("look", Value::Null), "sea Some(2)")
    );
    assert_eq!(
        (answer.id.as_str(), answer.name.as_str()),
        ("call_7", "look")
    );
    // All of them written as a text, once more.
    let twice = json!(json!({ "at": "sea", "depth": 2 }).to_string()).to_string();
    let answer = tools.run(&call("look", json!(twice)));
    assert_eq!(answer.content, "sea Some(2)");
    let answer = tools.run(&call("now", json!({})));
    assert_eq!(
        (answer.content.as_str(), answer.is_error),
        ("{\"hour\":6}", false)
    );
    let names: Vec<&str> = tools.specs().iter().map(ToolSpec::name).collect();
    assert_eq!(names, ["look", "fail", "now"]);
}

#[test]
fn a_function_that_fails_says_so_to_the_model() {
    let answer = tools().run(&call("fail", json!({ "at": "sea" })));
    assert_eq!((answer.content.as_str(), answer.is_error), ("no sea", true));
}

#[test]
fn wrong_arguments_are_answered_in_words() {
    let tools = tools();
    for (arguments, words) in [
        (json!({}), "\n- /at: missing (string)."),
        (
            json!({ "at": [1] }),
            "\n- /at: [1] is not of the type string.",
        ),
        (json!({ "at": "sea", "depth": 300 }), "300"),
        (
            json!({ "att": "sea", "depth": 3 }),
            "\n- /att: there is no such field. Did you mean \"at\"?",
        ),
        (json!("{\"at\":"), "EOF while parsing"),
        (
            json!("[1]"),
            "\n- the whole: [1] is not of the type object.",
        ),
    ] {
        let answer = tools.run(&call("look", arguments));
        assert!(
            answer.is_error && answer.content.contains("`look`"),
            "{}",
            answer.content
        );
        assert!(answer.content.contains(words), "{}", answer.content);
    }
}

#[test]
fn an_unknown_name_is_answered_with_the_names_there_are() {
    let answer = tools().run(&call("lok", json!({})));
    assert!(answer.is_error);
    assert_eq!(
        answer.content,
        "There is no tool `lok`. Did you mean `look`? The tools are: `look`, `fail`, `now`."
    );
    assert!(Tools::new().run(&call("x", json!({}))).is_error);
}

/// A turn may hold many calls of tools that are not there: each is compared with the first 200 names only.
#[test]
fn an_unknown_name_is_compared_with_the_first_tools() {
    let tools = (0..250).try_fold(Tools::new(), |tools, i| {
        let spec = ToolSpec::closed(format!("tool_number_{i}"), "").unwrap();
        tools.add(spec, |_: Value| "")
    });
    let tools = tools.unwrap();
    let said = |name: &str| tools.run(&call(name, json!({}))).content;
    assert!(said("tol_number_199").contains("Did you mean `tool_number_199`?"));
    assert!(!said("wholly_other").contains("Did you mean"));
    let far = said("tool_nubmer_249");
    assert!(!far.contains("`tool_number_249`"), "{far}");
}

#[derive(Serialize)]
struct Depth {
    metres: f32,
    at: &'static str,
}

/// In a `Result` a text is itself, and all else is JSON in the order of the type.
#[test]
fn what_can_be_serialised_is_a_result() {
    type Never = std::convert::Infallible;
    let depth = |_: Value| {
        Ok::<_, Never>(Depth {
            metres: 4.5,
            at: "sea",
        })
    };
    let closed = |name| ToolSpec::closed(name, "").unwrap();
    let tools = Tools::new()
        .add(closed("depth"), depth)
        .and_then(|tools| tools.add(closed("text"), |_: Value| Ok::<_, Never>("\"4\" m")))
        .and_then(|tools| tools.add(closed("none"), |_: Value| Ok::<Option<u8>, Never>(None)))
        .and_then(|tools| tools.add(closed("done"), |_: Value| Ok::<(), Never>(())))
        .and_then(|tools| {
            let map = BTreeMap::from([((1, 2), 3)]);
            tools.add(closed("map"), move |_: Value| Ok::<_, Never>(map.clone()))
        })
        .and_then(|tools| {
            tools.add_async(closed("later"), move |_: Value| ready(depth(Value::Null)))
        })
        .unwrap();
    let said = |name: &str| block_on(tools.run_async(&call(name, json!({}))));
    assert_eq!(said("depth").content, r#"{"metres":4.5,"at":"sea"}"#);
    assert_eq!(said("later").content, r#"{"metres":4.5,"at":"sea"}"#);
    assert_eq!(said("text").content, "\"4\" m");
    assert_eq!(said("none").content, "null");
    assert_eq!(said("done").content, "");
    // What is no JSON is a failure of the tool, not of the program.
    assert!(said("map").is_error);
}

/// The model learns that the tool failed, the program why; the other calls are answered.
#[test]
fn a_panic_is_a_failed_tool() {
    let told: Arc<Mutex<Vec<String>>> = Arc::default();
    let notes = Arc::clone(&told);
    let tools = tools()
        .add(spec("crash"), |look: Look| -> String {
            panic!("no chart of {}", look.at)
        })
        .and_then(|tools| tools.add_async(spec("sink"), |_: Look| async { panic!("deep") as &str }))
        .and_then(|tools| {
            tools.add_async(spec("stall"), |_: Look| async {
                pause().await;
                std::panic::panic_any(7);
                #[expect(unreachable_code, reason = "the type of the output")]
                ""
            })
        })
        .unwrap()
        .on_panic(move |call, words| {
            let note = format!("{}: {words}", call.name);
            notes.lock().unwrap().push(note);
        });
    let sea = json!({ "at": "sea" });
    for name in ["crash", "sink", "stall"] {
        let answer = block_on(tools.run_async(&call(name, sea.clone())));
        let wanted = format!("The tool `{name}` failed.");
        assert_eq!((answer.content, answer.is_error), (wanted, true));
    }
    assert_eq!(
        *told.lock().unwrap(),
        [
            "crash: no chart of sea",
            "sink: deep",
            "stall: a panic without words"
        ]
    );
    assert!(!block_on(tools.run_async(&call("look", sea))).is_error);
}

#[test]
fn a_second_tool_of_a_name_is_refused() {
    let twice = tools().add(spec("fail"), |_: Value| "");
    assert_eq!(twice.err(), Some(ToolSpecError::Duplicate("fail".into())));
    let twice = tools().add_async(spec("look"), |_: Value| async { "" });
    assert_eq!(twice.err(), Some(ToolSpecError::Duplicate("look".into())));
}

/// Any executor will do; this one asks again until the work is done.
fn block_on<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(done) = work.as_mut().poll(&mut context) {
            return done;
        }
    }
}

/// Gives way once.
async fn pause() {
    let mut paused = false;
    std::future::poll_fn(move |_| {
        if std::mem::replace(&mut paused, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

#[test]
fn asynchronous_functions_run_on_any_executor() {
    let tools = tools()
        .add_async(spec("wait"), |look: Look| async move {
            pause().await;
            format!("waited at {}", look.at)
        })
        .unwrap();
    let answer = block_on(tools.run_async(&call("wait", json!({ "at": "sea" }))));
    assert_eq!(
        (answer.content.as_str(), answer.is_error),
        ("waited at sea", false)
    );
    let answer = block_on(tools.run_async(&call("wait", json!({}))));
    assert!(answer.is_error && answer.content.contains("/at: missing (string)"));
    // The others stand beside them.
    let answer = block_on(tools.run_async(&call("look", json!({ "at": "sea" }))));
    assert_eq!(answer.content, "sea None");
    fn is_sendable<T: Send + Sync>(_: &T) {}
    is_sendable(&tools);
}

#[test]
fn all_calls_of_a_turn_are_answered_in_order() {
    let calls = [
        call("look", json!({ "at": "a" })),
        call("nope", json!({})),
        call("fail", json!({ "at": "b" })),
    ];
    let answers = tools().run_all(&calls);
    let errors: Vec<bool> = answers.iter().map(|answer| answer.is_error).collect();
    assert_eq!(errors, [false, true, true]);
}

/// An error that cannot print itself is a failed call like any other, and the calls beside it are answered.
#[test]
fn an_error_whose_display_fails_is_answered() {
    struct Broken;
    impl std::fmt::Display for Broken {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            Err(std::fmt::Error)
        }
    }
    let tools = Tools::new()
        .add(spec("broken"), |_: Value| Err::<(), _>(Broken))
        .unwrap()
        .add(spec("sound"), |_: Value| "fine")
        .unwrap();
    let calls = ["sound", "broken", "sound"].map(|name| call(name, json!({ "a": 1 })));
    let answers = tools.run_all(&calls);
    let errors: Vec<bool> = answers.iter().map(|answer| answer.is_error).collect();
    assert_eq!(errors, [false, true, false]);
    assert!(answers[1].content.contains("cannot be printed"));
}

/// What is bought.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Order {
    /// The number on the shelf.
    #[schemars(regex(pattern = "^[A-Z]{2}-[0-9]+$"))]
    sku: String,
    #[schemars(range(min = 1, max = 99))]
    quantity: u32,
    #[serde(default)]
    #[schemars(length(max = 3))]
    notes: Vec<String>,
    kind: Option<Kind>,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Nail,
    WoodScrew,
}

fn shop() -> Tools {
    let order = |order: Order| {
        let kind = match order.kind {
            Some(Kind::WoodScrew) => " screws",
            Some(Kind::Nail) => " nails",
            None => "",
        };
        format!(
            "{} of {}{kind}, {} notes",
            order.quantity,
            order.sku,
            order.notes.len()
        )
    };
    Tools::new()
        .add(ToolSpec::of::<Order>("order").unwrap(), order)
        .unwrap()
}

#[test]
fn arguments_are_held_to_all_that_the_type_says() {
    let refused = |arguments: Value| {
        let result = shop().run(&call("order", arguments));
        assert!(result.is_error, "{}", result.content);
        result.content
    };
    // Strict mode takes limits out of what is sent: they are held here.
    assert!(
        !shop().specs()[0]
            .parameters()
            .to_string()
            .contains("\"minimum\":")
    );
    assert_eq!(
        refused(json!({ "sku": "HX-1", "quantity": 0 })),
        "The arguments of `order` do not fit its parameters:\n- /quantity: 0 is out of bounds: 1 to 99.\n\
         Correct them and call it again with one JSON object."
    );
    // All faults at once, in the order of the text, with the nearest names.
    let words = refused(json!({
        "sku": "hx", "quantty": 3, "notes": ["a", "b", "c", "d"], "kind": "bolt"
    }));
    let faults: Vec<&str> = words
        .lines()
        .filter(|line| line.starts_with("- "))
        .collect();
    assert_eq!(
        faults,
        [
            "- /sku: \"hx\" is out of bounds: like `^[A-Z]{2}-[0-9]+$`.",
            "- /quantty: there is no such field. Did you mean \"quantity\"?",
            "- /notes: [\"a\", \"b\", \"c\", \"d\"] is out of bounds: at most 3 entries.",
            "- /kind: \"bolt\" is none of \"nail\", \"wood_screw\".",
        ],
        "{words}"
    );
}

#[test]
fn arguments_are_repaired_as_answers_are() {
    let told = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let log = std::sync::Arc::clone(&told);
    let tools = shop().on_repair(move |call, repairs| {
        let repairs = repairs.iter().map(ToString::to_string);
        log.lock().unwrap().push(format!(
            "{} {}",
            call.id,
            repairs.collect::<Vec<_>>().join(" ")
        ));
    });
    let ran = |arguments: Value| {
        let result = tools.run(&call("order", arguments));
        assert!(!result.is_error, "{}", result.content);
        result.content
    };
    assert_eq!(
        ran(json!({ "sku": "HX-1", "quantity": 2 })),
        "2 of HX-1, 0 notes"
    );
    assert_eq!(
        ran(json!({ "sku": "HX-1", "quantity": "2", "notes": "one", "kind": "Wood Screw" })),
        "2 of HX-1 screws, 1 notes"
    );
    // Arguments that are no JSON, as some servers hand them on.
    assert_eq!(
        ran(json!("{'sku': 'HX-1', quantity: 2,}")),
        "2 of HX-1, 0 notes"
    );
    assert_eq!(
        *told.lock().unwrap(),
        [
            "call_7 coerced:/quantity coerced:/notes coerced:/kind",
            "call_7 trailing_comma single_quotes unquoted_key",
        ]
    );
}

#[test]
fn a_tool_gives_back_images_and_says_whom_it_trusts() {
    use prompt_agent::tools::ToolContent;
    use prompt_core::message::{Content, ImageSource};
    let image = || Content::Image {
        mime: "image/png".into(),
        source: ImageSource::Data("iVBORw0KGgo=".into()),
    };
    let shown = image();
    let tools = Tools::new()
        .add(ToolSpec::closed("look", "").unwrap(), move |_: Value| {
            ToolContent::text("See:").with(shown.clone())
        })
        .unwrap()
        .add(ToolSpec::closed("try", "").unwrap(), |_: Value| {
            Err::<ToolContent, _>("no light")
        })
        .unwrap()
        .add(
            ToolSpec::closed("fetch", "").unwrap().untrusted(),
            |_: Value| "# A page",
        )
        .unwrap();
    let looked = tools.run(&call("look", json!({})));
    assert_eq!(
        (looked.content.as_str(), looked.attachments.as_slice()),
        ("See:", &[image()][..])
    );
    assert!(!looked.untrusted && tools.run(&call("try", json!({}))).is_error);
    assert!(tools.run(&call("fetch", json!({}))).untrusted);
    // Through a conversation, saved in between, to a provider that takes images there; another says so before it sends.
    let mut talk = prompt_agent::Conversation::default();
    talk.begin("Look.");
    talk.push(prompt_core::Message::calls([
        call("look", json!({})),
        ToolCall::new("call_8", "fetch", json!({})),
    ]));
    while let Some(call) = talk.next_call() {
        talk.push_results([tools.run(&call)]).unwrap();
        let saved = serde_json::to_string(&talk).unwrap();
        talk = serde_json::from_str(&saved).unwrap();
    }
    let replayed = prompt_agent::Conversation::replay(talk.history().log().to_vec());
    for talk in [talk, replayed] {
        let sent = talk.prompt("You look.").render().unwrap().messages();
        let results = sent[3].tool_results();
        assert_eq!(results[0].attachments, [image()]);
        assert_eq!(results[1].content, "\\# A page");
        let options = prompt_agent::wire::RequestOptions::new("m").max_tokens(9);
        let body = prompt_agent::wire::Provider::Anthropic
            .request(&sent, &[], &options)
            .unwrap();
        assert!(body.to_string().contains("iVBORw0KGgo="));
        let refused = prompt_agent::wire::Provider::OpenAiChat.request(&sent, &[], &options);
        assert!(refused.unwrap_err().to_string().contains("an image"));
    }
}
