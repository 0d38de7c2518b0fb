//! Configuration in code, by serde and from the environment; stored histories.

use prompt_core::History;
use prompt_core::Message;
use prompt_core::compaction::CompactionConfig;
use prompt_core::compaction::CompactionError;
use prompt_core::compaction::Extractor;
use prompt_core::compaction::RecapForm;
use prompt_core::compaction::Trigger;
use serde_json::json;
use std::ffi::OsString;

const ENABLED: &str = "LLM_COMPACTION_ENABLED";
const MIN_PRESERVED: &str = "LLM_COMPACTION_MIN_PRESERVED_ASSISTANT_MESSAGES";
const BATCH_SIZE: &str = "LLM_COMPACTION_BATCH_SIZE";

fn from_variable(name: &str, value: &str) -> Result<CompactionConfig, CompactionError> {
    let lookup = |asked: &str| (asked == name).then(|| OsString::from(value));
    CompactionConfig::builder().variables(lookup)?.build()
}

#[test]
fn missing_keys_are_defaults() {
    let config: CompactionConfig = serde_json::from_value(json!({})).unwrap();
    assert_eq!(config, CompactionConfig::default());
    assert_eq!(
        (
            config.enabled(),
            config.min_preserved(),
            config.batch_size()
        ),
        (true, 3, 4)
    );
    assert_eq!(
        (config.recap_form(), config.trigger()),
        (RecapForm::Exchange, Trigger::Answers)
    );
    assert_eq!(config.extractor(), &Extractor::RecapLine);
}

#[test]
fn every_setting_survives_serde() {
    for extractor in [
        Extractor::RecapLine,
        Extractor::Marker("Summary:".into()),
        Extractor::FirstLines(2),
        Extractor::field("/hypothesis"),
    ] {
        for trigger in [Trigger::Answers, Trigger::Tokens { high: 9, low: 4 }] {
            let builder = CompactionConfig::builder()
                .enabled(false)
                .min_preserved(0)
                .batch_size(7);
            let builder = builder
                .recap_form(RecapForm::Assistant)
                .extractor(extractor.clone())
                .trigger(trigger);
            let config = builder.build().unwrap();
            let stored = serde_json::to_string(&config).unwrap();
            assert_eq!(
                serde_json::from_str::<CompactionConfig>(&stored).unwrap(),
                config
            );
        }
    }
    let text = json!({ "extractor": { "marker": "Summary:" }, "trigger": { "tokens": { "high": 2, "low": 1 } } });
    let by_hand = CompactionConfig::builder()
        .extractor(Extractor::Marker("Summary:".into()))
        .trigger(Trigger::Tokens { high: 2, low: 1 });
    assert_eq!(
        serde_json::from_value::<CompactionConfig>(text).unwrap(),
        by_hand.build().unwrap()
    );
}

#[test]
fn bad_settings_are_errors_in_code_and_in_serde() {
    let builder = CompactionConfig::builder;
    let marker = |text: &str| {
        builder()
            .extractor(Extractor::Marker(text.into()))
            .build()
            .unwrap_err()
            .code()
            .as_str()
    };
    assert_eq!(
        builder().batch_size(0).build(),
        Err(CompactionError::ZeroBatchSize)
    );
    assert_eq!(
        builder()
            .trigger(Trigger::Tokens { high: 5, low: 5 })
            .build(),
        Err(CompactionError::Watermarks { high: 5, low: 5 })
    );
    assert_eq!([marker(""), marker(" x")], ["recap_marker_blank"; 2]);
    assert_eq!(
        builder().extractor(Extractor::FirstLines(0)).build(),
        Err(CompactionError::ZeroLines)
    );
    for (stored, named) in [
        (json!({ "batch_size": 0 }), "`batch_size` is 0"),
        (json!({ "batch_size": -1 }), "-1"),
        (json!({ "min_preserved": "three" }), "three"),
        (json!({ "min_preserve": 3 }), "min_preserve"),
        (
            json!({ "trigger": { "tokens": { "high": 1, "low": 2 } } }),
            "`low` (2 tokens) must be below `high` (1 tokens)",
        ),
        (json!({ "extractor": { "first_lines": 0 } }), "first_lines"),
    ] {
        let error = serde_json::from_value::<CompactionConfig>(stored)
            .unwrap_err()
            .to_string();
        assert!(error.contains(named), "{error}");
    }
}

#[test]
fn a_configuration_can_be_changed_through_its_builder() {
    let eight = CompactionConfig::builder()
        .batch_size(8)
        .min_preserved(1)
        .build()
        .unwrap();
    let changed = prompt_core::compaction::CompactionConfigBuilder::from(eight)
        .batch_size(2)
        .build()
        .unwrap();
    assert_eq!((changed.batch_size(), changed.min_preserved()), (2, 1));
}

#[test]
fn variables_set_what_they_name() {
    for yes in ["true", "TRUE", "1", "yes", "Yes"] {
        assert!(from_variable(ENABLED, yes).unwrap().enabled());
    }
    for no in ["false", "False", "0", "no", "NO"] {
        assert!(!from_variable(ENABLED, no).unwrap().enabled());
    }
    assert_eq!(
        from_variable(MIN_PRESERVED, "0").unwrap().min_preserved(),
        0
    );
    assert_eq!(from_variable(BATCH_SIZE, "16").unwrap().batch_size(), 16);
    assert_eq!(
        from_variable("LLM_SOMETHING_ELSE", "16").unwrap(),
        CompactionConfig::default()
    );
}

#[test]
fn unreadable_variables_are_errors_that_name_them() {
    for (name, value) in [
        (ENABLED, ""),
        (ENABLED, "on"),
        (ENABLED, " true"),
        (MIN_PRESERVED, "-1"),
        (MIN_PRESERVED, "3.0"),
        (MIN_PRESERVED, "three"),
        (MIN_PRESERVED, "99999999999999999999999"),
        (BATCH_SIZE, "0"),
        (BATCH_SIZE, ""),
    ] {
        let error = from_variable(name, value).unwrap_err();
        assert!(
            matches!(&error, CompactionError::Variable { name: named, .. } if *named == name),
            "{error}"
        );
        assert!(
            error.to_string().contains(name) && error.to_string().contains(&format!("{value:?}")),
            "{error}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_not_unicode_is_an_error() {
    use std::os::unix::ffi::OsStringExt;
    let lookup = |asked: &str| (asked == ENABLED).then(|| OsString::from_vec(vec![0xff]));
    let error = CompactionConfig::builder().variables(lookup).unwrap_err();
    assert_eq!(error.code().as_str(), "unreadable_variable");
}

#[test]
fn without_variables_the_environment_gives_the_defaults() {
    for name in [ENABLED, MIN_PRESERVED, BATCH_SIZE] {
        assert!(
            std::env::var_os(name).is_none(),
            "the test needs {name} unset"
        );
    }
    assert_eq!(
        CompactionConfig::from_env().unwrap(),
        CompactionConfig::default()
    );
}

#[test]
fn the_extractor_that_was_set_is_the_one() {
    let extractor = Extractor::FirstLines(2);
    let config = CompactionConfig::builder().extractor(extractor.clone());
    assert_eq!(config.build().unwrap().extractor(), &extractor);
}

/// The test runs itself with a variable set: no program can set one of its own without `unsafe`.
#[test]
fn the_environment_is_read() {
    if std::env::var_os(BATCH_SIZE).is_some() {
        assert_eq!(CompactionConfig::from_env().unwrap().batch_size(), 9);
        return;
    }
    let program = std::env::current_exe().unwrap();
    let name = concat!(module_path!(), "::the_environment_is_read");
    let (_, name) = name.split_once("::").unwrap();
    let run = std::process::Command::new(program)
        .args(["--exact", name])
        .env(BATCH_SIZE, "9")
        .output()
        .unwrap();
    let out = String::from_utf8(run.stdout).unwrap();
    assert!(run.status.success() && out.contains("1 passed"), "{out}");
}

// ---- extractors

#[test]
fn closures_work_but_cannot_be_stored() {
    let extractor = Extractor::custom(|text| text.lines().last().map(str::to_owned));
    assert_eq!(extractor.extract("a\nb"), Some("b".into()));
    assert_eq!(extractor, extractor.clone());
    assert_ne!(extractor, Extractor::custom(|_| None));
    assert_eq!(Extractor::custom(|_| Some(" \n".into())).extract("a"), None);
    let config = CompactionConfig::builder()
        .extractor(extractor)
        .build()
        .unwrap();
    assert!(serde_json::to_string(&config).is_err());
}

#[test]
fn first_lines_are_of_the_trimmed_text() {
    let text = "\n\n  One.\r\nTwo.  \n\nThree.";
    assert_eq!(
        Extractor::FirstLines(2).extract(text),
        Some("One.\nTwo.".into())
    );
    assert_eq!(
        Extractor::FirstLines(9).extract("One."),
        Some("One.".into())
    );
    assert_eq!(Extractor::FirstLines(9).extract(" \n "), None);
}

#[test]
fn a_recap_can_be_taken_out_of_what_people_see() {
    let split = |extractor: &Extractor, text: &str| extractor.split(text);
    let line = Extractor::RecapLine;
    let parts = |shown: &str, recap: Option<&str>| (shown.to_owned(), recap.map(str::to_owned));
    for (text, shown, recap) in [
        ("A.\n  recap - a  \nB.", "A.\nB.", Some("recap - a")),
        ("A.\r\nrecap - a\r\nB.", "A.\r\nB.", Some("recap - a")),
        ("A.\r\nrecap - a", "A.", Some("recap - a")),
        ("A.\nrecap - a\n", "A.", Some("recap - a")),
        ("recap - a\nB.\n", "B.\n", Some("recap - a")),
        ("recap - a", "", Some("recap - a")),
        ("recap - a\nrecap - b", "recap - a", Some("recap - b")),
        (
            "recap - a\n```\nrecap - b\n```",
            "```\nrecap - b\n```",
            Some("recap - a"),
        ),
        (
            "recap - a\nB.\nrecap - a",
            "recap - a\nB.",
            Some("recap - a"),
        ),
        ("A.\n~~~\nrecap - b", "A.\n~~~\nrecap - b", None),
        (
            "A `recap - b`.\nrecap - a",
            "A `recap - b`.",
            Some("recap - a"),
        ),
        (
            "recap - a\nrecap - \nrecap -",
            "recap - \nrecap -",
            Some("recap - a"),
        ),
        ("A.\nrecap -", "A.\nrecap -", None),
        (" A. \n\n", " A. \n\n", None),
        ("", "", None),
    ] {
        assert_eq!(split(&line, text), parts(shown, recap), "{text:?}");
    }
    let marker = Extractor::Marker("Sum:".into());
    assert_eq!(split(&marker, "A.\nSum: a"), parts("A.", Some("Sum: a")));
    assert_eq!(
        split(&Extractor::FirstLines(1), "A.\nB."),
        parts("A.\nB.", Some("A."))
    );
    let last = Extractor::custom(|text| text.lines().last().map(str::to_owned));
    assert_eq!(split(&last, "A.\nB."), parts("A.", Some("B.")));
    let made = Extractor::custom(|_| Some("made up".into()));
    assert_eq!(split(&made, "A."), parts("A.", Some("made up")));
}

#[test]
fn an_instruction_asks_for_what_is_found() {
    assert!(Extractor::RecapLine.instruction().contains("`recap -`"));
    let marker = Extractor::Marker("Sum:".into());
    assert!(marker.instruction().contains("`Sum:`"));
    assert!(Extractor::FirstLines(3).instruction().contains("3 lines"));
    assert_eq!(Extractor::custom(|_| None).instruction(), "");
}

// ---- stored histories

fn history() -> History {
    let config = CompactionConfig::builder()
        .min_preserved(1)
        .batch_size(1)
        .build()
        .unwrap();
    let turn = [
        Message::user("How high is the water at the north gauge, and is it rising?"),
        Message::assistant(
            "Two metres and ten, and falling slowly since noon.\nrecap - north gauge 2.1 m",
        ),
    ];
    History::from_log(config, [turn.clone(), turn.clone(), turn].concat())
}

#[test]
fn a_history_keeps_its_log() {
    let history = history();
    assert_eq!(
        (history.len(), history.is_empty(), history.frontier()),
        (6, false, 4)
    );
    assert_eq!(history.log()[0], history.log()[2]);
    assert!(!history.is_empty() && !history.view().is_empty());
    assert_eq!(history.into_log().len(), 6);
    assert!(History::<Message>::default().is_empty());
}

#[test]
fn stored_recaps_are_not_decided_again() {
    let mut stored = serde_json::to_value(history()).unwrap();
    stored["frontier"]["recaps"][0][2] = json!("recap - as it was sent");
    let restored: History = serde_json::from_value(stored).unwrap();
    assert_eq!(
        restored.view().messages()[1].content[0],
        "recap - as it was sent".into()
    );
}

#[test]
fn a_stored_frontier_that_does_not_fit_is_an_error() {
    let good = serde_json::to_value(history()).unwrap();
    for (key, value) in [
        ("frontier", json!(7)),
        ("frontier", json!(0)),
        ("lead", json!(5)),
        ("full", json!([4])),
        ("recaps", json!([[4, 1, "late"]])),
        ("recaps", json!([[1, 9, "of no move"]])),
        ("recaps", json!([[3, 1, "one"], [1, 1, "before it"]])),
        ("recaps_missing", json!([9])),
    ] {
        let mut stored = good.clone();
        stored["frontier"][key] = value.clone();
        let error = serde_json::from_value::<History>(stored)
            .unwrap_err()
            .to_string();
        assert!(error.contains("does not fit"), "{key} = {value}: {error}");
    }
}

#[test]
fn types_can_be_sent_and_shared() {
    fn sendable<T: Send + Sync>() {}
    sendable::<History>();
    sendable::<prompt_core::compaction::Compactor>();
    sendable::<prompt_core::compaction::Compacted<'static, Message>>();
}
