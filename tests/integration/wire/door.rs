//! One door to all formats: providers as values, shared options, tools checked for the provider they go to, and models
//! without a system role.

use prompt_agent::answer::Answer;
use prompt_agent::wire::{
    Provider, RequestOptions, SystemRole, ToolChoice, WireError, anthropic, gemini, ollama,
    openai_chat, openai_responses,
};
use prompt_core::message::CachePoint;
use prompt_core::{Message, ToolCall, ToolResult, ToolSpec};
use serde_json::{Value, json};

fn user() -> [Message; 1] {
    [Message::user("x")]
}

#[test]
fn providers_are_values() {
    assert_eq!(Provider::ALL.len(), 5);
    for provider in Provider::ALL {
        assert_eq!(provider.to_string().parse(), Ok(*provider));
        let stored = serde_json::to_value(provider).unwrap();
        assert_eq!(stored, provider.as_str());
        assert_eq!(
            serde_json::from_value::<Provider>(stored).unwrap(),
            *provider
        );
    }
    let error = "gopher".parse::<Provider>().unwrap_err().to_string();
    assert!(
        error.contains("gopher") && error.contains("openai_chat"),
        "{error}"
    );
}

#[test]
fn the_door_gives_what_the_modules_give() {
    fn ask(provider: Provider, options: &RequestOptions) -> Value {
        provider.request(&user(), &[], options).unwrap()
    }
    let shared = RequestOptions::new("m")
        .max_tokens(7)
        .stream(true)
        .set("seed", 1);
    for (provider, body) in [
        (
            Provider::OpenAiChat,
            openai_chat::request(&user(), &[], &shared.clone()),
        ),
        (
            Provider::OpenAiResponses,
            openai_responses::request(&user(), &[], &shared.clone()),
        ),
        (
            Provider::Anthropic,
            anthropic::request(&user(), &[], &shared.clone()),
        ),
        (
            Provider::Gemini,
            gemini::request(&user(), &[], &shared.clone()),
        ),
        (
            Provider::Ollama,
            ollama::request(&user(), &[], &shared.clone()),
        ),
    ] {
        let body = body.unwrap();
        assert_eq!(ask(provider, &shared), body, "{provider}");
        assert_eq!(body["seed"], 1, "{provider}");
        let result = ToolResult::ok(&ToolCall::new("a", "look", json!({})), "seen");
        assert_eq!(provider.tool_results(&[result]).len(), 1, "{provider}");
    }
    // Anthropic demands a limit; where nothing is said it has one.
    let body = ask(Provider::Anthropic, &RequestOptions::new("m"));
    assert_eq!(body["max_tokens"], 4096);
}

#[test]
fn options_are_stored_as_json_and_null_takes_a_field_out() {
    let options = RequestOptions::new("m")
        .store(true)
        .breakpoints(true)
        .max_tokens(9)
        .tool_choice(ToolChoice::Tool("now".into()))
        .system_role(SystemRole::Developer);
    let stored = serde_json::to_value(&options).unwrap();
    assert_eq!(
        (&stored["store"], &stored["breakpoints"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(
        serde_json::from_value::<RequestOptions>(stored).unwrap(),
        options
    );
    let few: RequestOptions =
        serde_json::from_str(r#"{ "model": "m", "cache_tools": {} }"#).unwrap();
    assert_eq!(
        few,
        RequestOptions::new("m").cache_tools(CachePoint::default())
    );

    let options = RequestOptions::new("m").stream(true);
    let body = openai_chat::request(&user(), &[], &options).unwrap();
    assert_eq!(body["stream_options"]["include_usage"], true);
    let body =
        openai_chat::request(&user(), &[], &options.set("stream_options", Value::Null)).unwrap();
    assert!(body.get("stream_options").is_none());
}

fn loose() -> ToolSpec {
    let schema =
        json!({ "type": "object", "properties": { "depth": { "type": "integer", "minimum": 1 } } });
    ToolSpec::loose("walk", "Walks.", schema).unwrap()
}

#[test]
fn loose_tools_travel_without_strict_mode() {
    let options = RequestOptions::new("m");
    let tools = [loose(), ToolSpec::closed("now", "The time.").unwrap()];
    let body = |provider: Provider| provider.request(&user(), &tools, &options).unwrap();
    let chat = body(Provider::OpenAiChat);
    assert!(chat["tools"][0]["function"].get("strict").is_none());
    assert_eq!(chat["tools"][1]["function"]["strict"], true);
    let claude = body(Provider::Anthropic);
    assert!(claude["tools"][0].get("strict").is_none());
    assert_eq!(claude["tools"][1]["strict"], true);
    // Unsaid, the API would try strict mode.
    let responses = body(Provider::OpenAiResponses);
    assert_eq!(
        (
            &responses["tools"][0]["strict"],
            &responses["tools"][1]["strict"]
        ),
        (&json!(false), &json!(true))
    );
    let declared = &body(Provider::Gemini)["tools"][0]["functionDeclarations"];
    assert_eq!(declared[0]["parametersJsonSchema"], *tools[0].parameters());
    for (at, key) in [
        (&chat["tools"][0]["function"]["parameters"], "chat"),
        (&claude["tools"][0]["input_schema"], "claude"),
    ] {
        assert_eq!(*at, *tools[0].parameters(), "{key}");
    }
    assert_eq!(
        body(Provider::Ollama)["tools"][0]["function"]["parameters"],
        *tools[0].parameters()
    );
}

#[test]
fn a_schema_is_checked_for_the_provider_it_goes_to() {
    let with = |schema: Value| {
        let schema = json!({ "type": "object", "properties": { "a": schema }, "required": ["a"], "additionalProperties": false });
        ToolSpec::new("look", "", schema).unwrap()
    };
    for (schema, place) in [
        (
            json!({ "type": "integer", "enum": [1, 2] }),
            "/properties/a/enum",
        ),
        (
            json!({ "type": "boolean", "const": true }),
            "/properties/a/const",
        ),
        (json!({ "enum": ["a", "b"] }), "/properties/a/enum"),
        (json!({ "const": "a" }), "/properties/a/const"),
        (
            json!({ "type": "array", "items": { "enum": ["a"] } }),
            "/properties/a/items/enum",
        ),
        (
            json!({ "anyOf": [{ "type": "null" }, { "type": "number", "enum": [1] }] }),
            "/properties/a/anyOf/1/enum",
        ),
    ] {
        let tool = [with(schema)];
        let error = gemini::request(&user(), &tool, &RequestOptions::default()).unwrap_err();
        match &error {
            WireError::Schema {
                tool, format, path, ..
            } => {
                assert_eq!(
                    (tool.as_str(), *format, path.as_str()),
                    ("look", "gemini", place)
                );
            }
            other => panic!("{other:?}"),
        }
        assert!(error.to_string().contains("look") && error.to_string().contains(place));
        // Real JSON Schema knows them, and so do the others.
        assert!(
            gemini::request(&user(), &tool, &RequestOptions::default().json_schema(true)).is_ok()
        );
        assert!(
            Provider::OpenAiChat
                .request(&user(), &tool, &RequestOptions::new("m"))
                .is_ok()
        );
    }
    let fine = with(json!({ "type": ["string", "null"], "enum": ["a", null] }));
    assert!(gemini::request(&user(), &[fine], &RequestOptions::default()).is_ok());

    let named = json!({ "type": "object", "properties": { "an odd name": { "type": "string" } } });
    let named = [ToolSpec::loose("look", "", named).unwrap()];
    let error = Provider::Anthropic
        .request(&user(), &named, &RequestOptions::new("m"))
        .unwrap_err();
    assert!(matches!(error, WireError::Schema { path, .. } if path == "/properties/an odd name"));
    assert!(
        Provider::OpenAiChat
            .request(&user(), &named, &RequestOptions::new("m"))
            .is_ok()
    );
}

#[test]
fn what_a_format_cannot_be_told_is_an_error() {
    let tools = [ToolSpec::closed("now", "").unwrap()];
    let options = |choice| RequestOptions::new("m").tool_choice(choice);
    for choice in [ToolChoice::Required, ToolChoice::Tool("now".into())] {
        let error = Provider::Ollama
            .request(&user(), &tools, &options(choice))
            .unwrap_err();
        assert!(matches!(
            error,
            WireError::Setting {
                format: "ollama",
                ..
            }
        ));
    }
    let body = Provider::Ollama
        .request(&user(), &tools, &options(ToolChoice::None))
        .unwrap();
    assert!(body.get("tools").is_none());
}

#[test]
fn system_messages_alone_are_no_request() {
    let system = [Message::system("s")];
    let options = RequestOptions::new("m");
    for provider in Provider::ALL {
        let nothing = provider.request(&[], &[], &options);
        assert!(
            matches!(nothing, Err(WireError::NoTurn { .. })),
            "{provider}"
        );
        let folded = options.clone().system_role(SystemRole::User);
        let alone = provider.request(&system, &[], &folded);
        assert!(matches!(alone, Err(WireError::NoTurn { .. })), "{provider}");
        // These two answer to a system text; the others want something said to them.
        let takes = matches!(provider, Provider::OpenAiChat | Provider::Ollama);
        assert_eq!(
            provider.request(&system, &[], &options).is_ok(),
            takes,
            "{provider}"
        );
    }
    let follow = RequestOptions::new("m").previous_response_id("resp_1");
    assert!(openai_responses::request(&system, &[], &follow).is_ok());
}

#[test]
fn without_a_system_role_its_text_opens_the_first_user_message() {
    let messages = [
        Message::system("s1"),
        Message::system("s2"),
        Message::user("u"),
        Message::assistant("a"),
        Message::system("late"),
        Message::user("v"),
    ];
    let options = RequestOptions::new("m").system_role(SystemRole::User);
    let body = |provider: Provider, messages: &[Message]| {
        provider.request(messages, &[], &options).unwrap()
    };
    let opening = "s1\n\ns2\n\nu";
    let chat = body(Provider::OpenAiChat, &messages);
    assert_eq!(
        chat["messages"][0],
        json!({ "role": "user", "content": opening })
    );
    assert_eq!(
        chat["messages"][2],
        json!({ "role": "user", "content": "late" })
    );
    let responses = body(Provider::OpenAiResponses, &messages);
    assert_eq!(responses["input"][0]["content"][0]["text"], opening);
    assert!(responses.get("instructions").is_none());
    let claude = body(Provider::Anthropic, &messages);
    assert_eq!(
        claude["messages"][0]["content"],
        json!([{ "type": "text", "text": opening }])
    );
    assert!(claude.get("system").is_none());
    let google = body(Provider::Gemini, &messages);
    assert_eq!(google["contents"][0]["parts"], json!([{ "text": opening }]));
    assert!(google.get("systemInstruction").is_none());
    assert_eq!(
        body(Provider::Ollama, &messages)["messages"][0]["content"],
        opening
    );

    // An empty text leaves the other alone.
    for (system, spoken, whole) in [("", "u", "u"), ("s", "", "s")] {
        let pair = [Message::system(system), Message::user(spoken)];
        assert_eq!(
            body(Provider::OpenAiChat, &pair)["messages"][0]["content"],
            whole
        );
    }
    // Where the model speaks first, the system text is what the user says.
    let model_first = [Message::system("s"), Message::assistant("a")];
    assert_eq!(
        body(Provider::Anthropic, &model_first)["messages"][0]["content"][0]["text"],
        "s"
    );
}

#[test]
fn a_cache_point_after_the_system_text_stays_there() {
    let messages = [
        Message::system("s").cached(CachePoint::default()),
        Message::user("u"),
    ];
    let options = RequestOptions::new("m")
        .max_tokens(9)
        .system_role(SystemRole::User);
    let body = anthropic::request(&messages, &[], &options).unwrap();
    let expected = json!([
        { "type": "text", "text": "s", "cache_control": { "type": "ephemeral" } },
        { "type": "text", "text": "\n\nu" },
    ]);
    assert_eq!(body["messages"][0]["content"], expected);
    let options = RequestOptions::new("m")
        .system_role(SystemRole::User)
        .breakpoints(true);
    let body = openai_chat::request(&messages, &[], &options).unwrap();
    assert_eq!(
        body["messages"][0]["content"][0]["prompt_cache_breakpoint"]["mode"],
        "explicit"
    );
    assert_eq!(body["messages"][0]["content"][1]["text"], "\n\nu");
}

#[test]
fn an_empty_message_is_not_merged_in_as_an_empty_part() {
    let messages = [Message::user("a"), Message::user(""), Message::user("b")];
    let strict = RequestOptions::new("m").alternation(prompt_agent::wire::Alternation::Strict);
    let body = openai_chat::request(&messages, &[], &strict).unwrap();
    assert_eq!(body["messages"][0]["content"].as_array().unwrap().len(), 2);
    let body = openai_chat::request(&messages[..2], &[], &strict).unwrap();
    assert_eq!(
        body["messages"],
        json!([{ "role": "user", "content": "a" }])
    );
    let body = openai_chat::request(&messages[1..], &[], &strict).unwrap();
    assert_eq!(
        body["messages"],
        json!([{ "role": "user", "content": "b" }])
    );
    // Formats with one system string join what is said.
    let systems = [
        Message::system("s"),
        Message::system(""),
        Message::system("t"),
        Message::user("u"),
    ];
    let body = Provider::OpenAiResponses
        .request(&systems, &[], &RequestOptions::new("m"))
        .unwrap();
    assert_eq!(body["instructions"], "s\n\nt");
}

#[test]
fn arguments_stand_as_the_model_wrote_them() {
    let call = ToolCall::new(
        "c",
        "look",
        json!({ "b": "q\"", "a": [{ "y": "2", "x": "1" }], "c": {} }),
    );
    let said = Message {
        content: vec![call.clone().into()],
        ..Message::assistant("")
    };
    let log = [
        Message::user("?"),
        said,
        Message::tool([ToolResult::ok(&call, "")]),
    ];
    let expected = r#"{"b":"q\"","a":[{"y":"2","x":"1"}],"c":{}}"#;
    let body = Provider::OpenAiChat
        .request(&log, &[], &RequestOptions::new("m"))
        .unwrap();
    assert_eq!(
        body["messages"][1]["tool_calls"][0]["function"]["arguments"],
        expected
    );
    let body = Provider::OpenAiResponses
        .request(&log, &[], &RequestOptions::new("m"))
        .unwrap();
    assert_eq!(body["input"][1]["arguments"], expected);
}

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Verdict {
    reason: String,
    #[schemars(extend("maximum" = 6))]
    grade: Zeal,
    #[serde(skip_serializing_if = "Option::is_none")]
    doubt: Option<Asset>,
    pass: bool,
}

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Zeal {
    points: u8,
    of: u8,
}

#[derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema)]
struct Asset {
    name: String,
    at: u8,
}

/// Models read the properties one after the other, and most fill them in so.
#[test]
fn properties_and_definitions_stand_as_declared_in_all_formats() {
    let strict = ToolSpec::of::<Verdict>("judge").unwrap();
    let loose = ToolSpec::loose_of::<Verdict>("judge").unwrap();
    let saved = serde_json::to_string(&loose).unwrap();
    assert_eq!(
        serde_json::to_string(&serde_json::from_str::<ToolSpec>(&saved).unwrap()).unwrap(),
        saved
    );
    let inline = [
        "reason", "grade", "points", "of", "doubt", "name", "at", "pass",
    ];
    let apart = [
        "reason", "grade", "doubt", "pass", "$defs", "Zeal", "points", "of", "Asset", "name", "at",
    ];
    for provider in Provider::ALL {
        let write = |tool: &[ToolSpec], options: RequestOptions| {
            provider
                .request(&user(), tool, &options)
                .unwrap()
                .to_string()
        };
        let options = RequestOptions::new("m");
        let answer = options.clone().answer(&Answer::<Verdict>::new());
        for (text, names) in [
            (
                write(std::slice::from_ref(&strict), options.clone()),
                &inline[..],
            ),
            (write(&[], answer), &inline[..]),
            (write(std::slice::from_ref(&loose), options), &apart[..]),
        ] {
            let declared = text.split_once("\"properties\":").unwrap().1;
            let places: Vec<_> = names
                .iter()
                .map(|name| declared.find(&format!("{name:?}:{{")))
                .collect();
            assert!(
                places.is_sorted() && places[0].is_some(),
                "{provider}: {text}"
            );
        }
    }
    // What is taken out leaves the others where they are.
    assert_eq!(
        strict.parameters()["properties"]["grade"].to_string(),
        concat!(
            r#"{"type":"object","properties":{"points":{"type":"integer"},"of":{"type":"integer"}},"#,
            r#""required":["points","of"],"description":"(maximum: 6)","additionalProperties":false}"#
        )
    );
}
