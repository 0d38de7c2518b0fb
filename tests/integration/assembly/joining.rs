//! Registry, config, context and errors of the assembly, rule by rule.

use prompt_core::Assembler;
use prompt_core::Message;
use prompt_core::PromptTask;
use prompt_core::Role;
use prompt_core::assembly::AdapterContext;
use prompt_core::assembly::AdapterInstruction;
use prompt_core::assembly::AssemblyError;
use prompt_core::assembly::Capabilities;
use prompt_core::assembly::PromptConfig;
use prompt_core::assembly::Registry;
use prompt_core::message::CachePoint;
use serde_json::json;
use std::error::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PromptTask)]
enum Task {
    Tasting,
    #[task(category = "rubric_check")]
    RubricCrust,
    #[task(category = "rubric_check", name = "rubric-crumb")]
    RubricCrumb,
}

/// Another enum that uses one of the names.
#[derive(Clone, Copy, PromptTask)]
enum OtherTask {
    Tasting,
}

fn says(
    system: &'static str,
) -> impl Fn(&AdapterContext) -> Result<AdapterInstruction, AssemblyError> + Clone {
    move |_| {
        Ok(AdapterInstruction {
            system: system.to_owned(),
            user: String::new(),
        })
    }
}

fn system_texts(registry: &Registry, interface: &str, task: &impl PromptTask) -> Vec<String> {
    let added = registry
        .instructions(interface, task, &AdapterContext::default())
        .unwrap();
    added.into_iter().map(|added| added.system).collect()
}

#[test]
fn names() {
    assert_eq!(
        Task::ALL,
        [Task::Tasting, Task::RubricCrust, Task::RubricCrumb]
    );
    assert_eq!(
        Task::ALL.map(|task| task.to_string()),
        ["tasting", "rubric_crust", "rubric-crumb"]
    );
    assert_eq!(
        Task::ALL.map(|task| task.to_string().parse()),
        Task::ALL.map(Ok)
    );
    assert_eq!(
        Task::ALL.map(|task| task.category()),
        [None, Some("rubric_check"), Some("rubric_check")]
    );
    assert_eq!(<Task as PromptTask>::ALL, Task::ALL);
    assert_eq!(Task::CATEGORIES, ["rubric_check"]);
    assert_eq!(format!("{:<9}|", Task::Tasting), "tasting  |");
}

#[test]
fn an_unknown_task_names_the_nearest() {
    let error = "rubric_crusts".parse::<Task>().unwrap_err();
    assert_eq!(
        (error.name(), error.nearest()),
        ("rubric_crusts", Some("rubric_crust"))
    );
    assert_eq!(
        error.to_string(),
        "unknown task `rubric_crusts`; did you mean `rubric_crust`?"
    );
    assert_eq!(error.code().as_str(), "unknown_task");
    assert_eq!(AssemblyError::from(error).code().as_str(), "unknown_task");
    let error = "bake".parse::<Task>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown task `bake`; known are: tasting, rubric_crust, rubric-crumb"
    );
    assert!("Tasting".parse::<Task>().is_err() && "".parse::<Task>().is_err());
    // A category is no task.
    assert!("rubric_check".parse::<Task>().is_err());
}

#[test]
fn a_registry_goes_by_the_exact_pair() {
    let registry = Registry::builder()
        .register("api", Task::Tasting, says("a"))
        .register("api", Task::RubricCrust, says("b"))
        .register("api", Task::Tasting, says("c"))
        .register("api", OtherTask::Tasting, says("d"))
        .build();
    assert_eq!(system_texts(&registry, "api", &Task::Tasting), ["a", "c"]);
    assert_eq!(system_texts(&registry, "api", &Task::RubricCrust), ["b"]);
    assert_eq!(system_texts(&registry, "api", &OtherTask::Tasting), ["d"]);
    for (interface, task) in [
        ("api", Task::RubricCrumb),
        ("API", Task::Tasting),
        ("", Task::Tasting),
        ("ap", Task::Tasting),
    ] {
        assert!(registry.get(interface, &task).is_empty());
    }
}

#[test]
fn a_failing_factory_fails_the_assembly_and_says_where() {
    let registry = Registry::builder()
        .register("api", Task::Tasting, says("fine"))
        .register("api", Task::Tasting, |_: &AdapterContext| {
            Err(AssemblyError::failed("no oven"))
        })
        .build();
    let error = Assembler::new(Task::Tasting, "api")
        .registry(&registry)
        .assemble("s", "u")
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "instruction 1 of the adapter `api` for the task `tasting` failed: no oven"
    );
    assert!(error.source().is_none());
    let AssemblyError::Adapter {
        interface,
        task,
        index,
        source,
    } = error
    else {
        panic!("{error:?}")
    };
    assert_eq!((interface.as_str(), task, index), ("api", "tasting", 1));
    assert!(matches!(*source, AssemblyError::Failed(_)));
    assert!(
        Assembler::new(Task::Tasting, "api")
            .registry(&registry)
            .assemble_text("s", "u")
            .is_err()
    );
}

#[test]
fn everything_is_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Registry>();
    shared::<AdapterContext>();
    shared::<AssemblyError>();
    shared::<PromptConfig<Task>>();
    shared::<Assembler<'_, Task>>();
    shared::<prompt_core::assembly::Assembled>();
}

#[test]
fn a_builder_that_is_cleared_leaves_built_registries_alone() {
    let builder = Registry::builder().register("api", Task::Tasting, says("a"));
    let built = builder.clone().build();
    let cleared = builder.clear();
    assert!(
        cleared
            .clone()
            .build()
            .get("api", &Task::Tasting)
            .is_empty()
    );
    let again = cleared.register("api", Task::Tasting, says("b")).build();
    assert_eq!(system_texts(&again, "api", &Task::Tasting), ["b"]);
    assert_eq!(system_texts(&built, "api", &Task::Tasting), ["a"]);
}

#[test]
fn an_own_entry_stops_the_fallback_even_when_empty() {
    let config: PromptConfig<Task> = PromptConfig::new()
        .entry("rubric_check", "mild")
        .unwrap()
        .task(&Task::RubricCrumb, "");
    assert_eq!(config.resolve("rubric_crust"), Some("mild"));
    assert_eq!(config.resolve("rubric-crumb"), Some(""));
    assert_eq!(config.resolve("rubric_check"), Some("mild"));
    assert_eq!(config.resolve("tasting"), None);
    assert_eq!(config.resolve("nothing"), None);
    for task in &Task::ALL {
        assert_eq!(config.resolve_task(task), config.resolve(task.as_str()));
    }
}

#[test]
fn unknown_entries_come_out_together_with_the_nearest() {
    let error = PromptConfig::<Task>::from_json(
        r#"{ "tastin": "x", "tasting": "y", "rubric_chek": "z", "zzz": "" }"#,
    );
    let error = error.unwrap_err();
    let AssemblyError::UnknownEntries(entries) = &error else {
        panic!("{error:?}")
    };
    let found: Vec<_> = entries
        .iter()
        .map(|entry| (entry.name(), entry.nearest()))
        .collect();
    assert_eq!(
        found,
        [
            ("tastin", Some("tasting")),
            ("rubric_chek", Some("rubric_check")),
            ("zzz", None)
        ]
    );
    assert_eq!(
        error.to_string(),
        "the prompt config entry `tastin` is no task and no category; did you mean `tasting`?\n\
         the prompt config entry `rubric_chek` is no task and no category; did you mean `rubric_check`?\n\
         the prompt config entry `zzz` is no task and no category; known are: tasting, rubric_crust, rubric-crumb, rubric_check"
    );
    assert!(
        PromptConfig::<Task>::from_toml("tastin = 'x'")
            .unwrap_err()
            .to_string()
            .contains("`tasting`")
    );
    assert!(PromptConfig::<Task>::new().entry("tastin", "x").is_err());
}

#[test]
fn a_broken_config_says_where() {
    let message = |error: AssemblyError| match error {
        AssemblyError::InvalidConfig { format, message } => format!("{format}: {message}"),
        other => panic!("{other:?}"),
    };
    for (json, part) in [
        ("{ \"tasting\": 3 }", "invalid type: integer `3`"),
        ("{ \"tasting\": \"x\"", "line 1 column 16"),
        (
            "[\"tasting\"]",
            "an object with a text per task or category",
        ),
        ("", "line 1 column 0"),
    ] {
        let message = message(PromptConfig::<Task>::from_json(json).unwrap_err());
        assert!(
            message.starts_with("JSON: ") && message.contains(part),
            "{message}"
        );
    }
    let toml = message(PromptConfig::<Task>::from_toml("tasting = 3").unwrap_err());
    assert!(
        toml.starts_with("TOML: ") && toml.contains("line 1"),
        "{toml}"
    );
    let twice =
        PromptConfig::<Task>::from_json(r#"{ "tasting": "a", "tasting": "b" }"#).unwrap_err();
    assert!(matches!(twice, AssemblyError::DuplicateEntry { name } if name == "tasting"));
}

#[test]
fn null_in_a_config_is_no_entry() {
    let json = r#"{ "tasting": null, "rubric_crust": null, "rubric_check": "mild" }"#;
    let config = PromptConfig::<Task>::from_json(json).unwrap();
    assert_eq!(config.resolve("tasting"), None);
    assert_eq!(config.resolve("rubric_crust"), Some("mild"));
    let inner: (PromptConfig<Task>,) = serde_json::from_str(&format!("[{json}]")).unwrap();
    assert_eq!(inner.0, config);
    assert_eq!(
        serde_json::to_value(&config).unwrap(),
        json!({ "rubric_check": "mild" })
    );
}

#[test]
fn a_context_is_one_flat_object() {
    let data = json!({ "json_schema": { "type": "object" }, "parsing_notes": "mind", "unit": "metres", "deep": [1] });
    let context: AdapterContext = serde_json::from_value(data.clone()).unwrap();
    assert_eq!(context.json_schema, Some(json!({ "type": "object" })));
    assert_eq!(
        (context.text("parsing_notes"), context.text("unit")),
        (Some("mind"), Some("metres"))
    );
    assert_eq!(
        (context.text("deep"), context.get("deep")),
        (None, Some(&json!([1])))
    );
    assert_eq!(
        (context.get("parsing_notes"), context.text("example_json")),
        (None, None)
    );
    assert_eq!(serde_json::to_value(&context).unwrap(), data);
    let built = data
        .as_object()
        .unwrap()
        .iter()
        .fold(AdapterContext::default(), |context, (key, value)| {
            context.value(key, value.clone())
        });
    assert_eq!(built, context);
    let nulls = json!({ "json_schema": null, "example_json": null, "unit": null });
    let context: AdapterContext = serde_json::from_value(nulls).unwrap();
    assert!(
        context.json_schema.is_none()
            && context.text("unit").is_none()
            && context.get("unit").is_none()
    );
}

#[test]
fn capabilities_take_their_defaults() {
    let capabilities: Capabilities = serde_json::from_str("{}").unwrap();
    assert_eq!(capabilities, Capabilities::default());
    assert!(capabilities.system_prompt && !capabilities.structured_output);
}

#[test]
fn a_cache_point_stays_after_the_system_part() {
    let point = CachePoint { ttl: Some(300) };
    let prompt = vec![Message::system("s").cached(point)];
    let instructed = Assembler::new(Task::Tasting, "api").user_instructions("i");
    let assembled = instructed.assemble(prompt.clone(), "u").unwrap();
    assert_eq!(
        assembled.messages(),
        [Message::system("s\n\ni").cached(point), Message::user("u")]
    );
    let plain = instructed.capabilities(Capabilities::default().system_prompt(false));
    let assembled = plain.assemble(prompt, "u").unwrap();
    assert_eq!(
        assembled.messages(),
        [
            Message::user("s\n\ni\n\n").cached(point),
            Message::user("u")
        ]
    );
}

#[test]
fn without_system_support_no_system_message_is_left() {
    let prompt = vec![
        Message::system("block"),
        Message::system("s"),
        Message::user("q"),
        Message::assistant("a"),
        Message::system("reminder"),
    ];
    let plain = Capabilities::default().system_prompt(false);
    let assembled = Assembler::new(Task::Tasting, "api")
        .capabilities(plain)
        .assemble(prompt, "u")
        .unwrap();
    let texts: Vec<_> = assembled
        .messages()
        .iter()
        .map(|message| (message.role, message.text()))
        .collect();
    let expected = [
        (Role::User, "block"),
        (Role::User, "s"),
        (Role::User, "q"),
        (Role::Assistant, "a"),
        (Role::User, "reminder"),
        (Role::User, "u"),
    ];
    assert_eq!(texts, expected.map(|(role, text)| (role, text.to_owned())));
}

#[test]
fn a_context_reaches_every_factory_by_value_or_reference() {
    let registry = Registry::builder()
        .register("api", Task::Tasting, |context: &AdapterContext| {
            Ok(AdapterInstruction {
                system: String::new(),
                user: context.text("unit").unwrap_or("none").to_owned(),
            })
        })
        .build();
    let context = AdapterContext::default().value("unit", "grams");
    let assembler = Assembler::new(Task::Tasting, "api").registry(&registry);
    assert_eq!(assembler.assemble_text("", "").unwrap().1, "none");
    assert_eq!(
        assembler
            .clone()
            .context(&context)
            .assemble_text("", "")
            .unwrap()
            .1,
        "grams"
    );
    assert_eq!(
        assembler.context(context).assemble_text("", "").unwrap().1,
        "grams"
    );
}

#[test]
fn every_error_has_a_code() {
    let read = |json: &str| PromptConfig::<Task>::from_json(json).unwrap_err();
    assert_eq!(read("{").code().as_str(), "invalid_config");
    let duplicate = read(r#"{ "tasting": "a", "tasting": "b" }"#);
    assert_eq!(duplicate.code().as_str(), "duplicate_entry");
    let unknown = read(r#"{ "tastin": "a" }"#);
    assert_eq!(unknown.code().as_str(), "unknown_entry");
    let AssemblyError::UnknownEntries(entries) = unknown else {
        panic!("an unknown entry");
    };
    assert_eq!(entries[0].code().as_str(), "unknown_entry");
    let registry = Registry::builder()
        .register("api", Task::Tasting, |_: &AdapterContext| {
            Err(AssemblyError::failed("out of flour"))
        })
        .build();
    let failed = Assembler::new(Task::Tasting, "api")
        .registry(&registry)
        .assemble("", "Loaf 7")
        .unwrap_err();
    assert_eq!(failed.code().as_str(), "adapter_failed");
    let AssemblyError::Adapter { source, .. } = failed else {
        panic!("a factory failed");
    };
    assert_eq!(source.code().as_str(), "factory_failed");
}
