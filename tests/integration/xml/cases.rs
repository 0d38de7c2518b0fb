//! The cases of `xml.json` that need the renderer: rendering, guarding, budgets.

use prompt_core::budget::{Outcome, Policy};
use prompt_core::{Budget, Overrides, PromptError, PromptNode, Style};
use prompt_tests::lenient::{Tag, tags};
use prompt_tests::{group, run_all, same, xml_tree::xml_tree};
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};

fn trimmed(text: &str) -> &str {
    text.trim_end_matches('\n')
}

#[test]
fn render() {
    run_all(&group("xml.json", "render"), |case| {
        let tree = xml_tree(&case["input"]).map_err(|error| error.to_string())?;
        let prompt = tree.node.prompt().style(Style::Xml);
        let text = prompt.render().map_err(|error| error.to_string())?;
        // The cases leave the ends of the text open; we do not.
        let is_clean = |text: &str| {
            let lines_end = text.lines().all(|line| line.trim_end() == line);
            text.is_empty() || (lines_end && text.ends_with('\n') && !text.ends_with("\n\n"))
        };
        if !is_clean(text.as_str()) {
            return Err(format!("blanks at an end: {:?}", text.as_str()));
        }
        let expected = case["expected"].as_str().unwrap();
        let accept = case["accept"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        if accept
            .chain([expected])
            .any(|good| trimmed(good) == trimmed(text.as_str()))
        {
            return Ok(());
        }
        same("text", text.as_str(), expected)
    });
}

#[test]
fn guard() {
    run_all(&group("xml.json", "guard"), |case| {
        let tree = xml_tree(&case["input"]).map_err(|error| error.to_string())?;
        let text = tree
            .node
            .prompt()
            .style(Style::Xml)
            .render()
            .map_err(|error| error.to_string())?;
        for piece in case["checks"]["must_contain"].as_array().unwrap() {
            let piece = piece.as_str().unwrap();
            if !text.as_str().contains(piece) {
                return Err(format!("{piece:?} is not in {text}"));
            }
        }
        let names: Vec<&str> = tree.names.values().map(String::as_str).collect();
        same(
            "tags",
            &sequence(text.as_str(), &names),
            &strings(&case["checks"]["structural_sequence"]),
        )
    });
}

/// The tags; `.` is one that ends itself.
fn sequence(text: &str, names: &[&str]) -> Vec<String> {
    let sign = |tag: &Tag<'_>| match (tag.is_end, tag.is_empty) {
        (false, true) => format!(".{}", tag.name),
        _ => tag.signed(),
    };
    tags(text, names).iter().map(sign).collect()
}

fn strings(list: &Value) -> Vec<String> {
    list.as_array()
        .unwrap()
        .iter()
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn lint() {
    run_all(&group("xml.json", "lint"), |case| {
        let tree = xml_tree(&case["input"]).map_err(|error| error.to_string())?;
        let lints = tree.node.prompt().style(Style::Xml).lint();
        let expected = case["expected_warnings"].as_array().unwrap();
        let found: Vec<_> = lints
            .iter()
            .map(|lint| (lint.code.as_str(), tree.names[&lint.path].as_str()))
            .collect();
        let wanted: Vec<_> = expected
            .iter()
            .map(|lint| {
                (
                    lint["kind"].as_str().unwrap(),
                    lint["tag"].as_str().unwrap(),
                )
            })
            .collect();
        same("lints", &found, &wanted)?;
        for (lint, wanted) in lints.iter().zip(expected) {
            if let Some(better) = wanted["suggest"].as_str() {
                same(
                    "help",
                    lint.help.as_str(),
                    format!("write `{better}`").as_str(),
                )?;
            }
            if let Some(depth) = wanted["depth"].as_u64() {
                same("depth", &(lint.path.split('.').count() as u64), &depth)?;
            }
        }
        Ok(())
    });
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn count(counter: &str, text: &str) -> usize {
    match counter {
        "words" => words(text),
        "ceil_chars_div_4" => text.chars().count().div_ceil(4),
        "words_plus_newlines" => words(text) + text.matches('\n').count(),
        other => panic!("unknown counter {other}"),
    }
}

#[test]
fn budget() {
    run_all(&group("xml.json", "budget"), |case| {
        let tree = xml_tree(&case["input"]).map_err(|error| error.to_string())?;
        let kind = case["counter"].as_str().unwrap().to_owned();
        let calls = AtomicUsize::new(0);
        let counter = |text: &str| {
            calls.fetch_add(1, Ordering::Relaxed);
            count(&kind, text)
        };
        let policy = match case["policy"].as_str().unwrap() {
            "cutoff" => Policy::Cutoff,
            "prefix" => Policy::Prefix,
            "greedy" => Policy::Greedy,
            other => panic!("unknown policy {other}"),
        };
        let number = |key: &str| usize::try_from(case[key].as_u64().unwrap_or_default()).unwrap();
        let budget = Budget::tokens(number("limit"))
            .reserve(number("reserve"))
            .counter(&counter)
            .policy(policy);
        let style = match case["style"].as_str() {
            Some("markdown") => Style::Markdown,
            _ => Style::Xml,
        };
        let mut overrides = Overrides::default();
        for path in case["open"].as_array().into_iter().flatten() {
            overrides.open(path.as_str().unwrap());
        }
        let prompt = tree.node.prompt().style(style).overrides(&overrides);
        let rendered = prompt.budget(budget).render();
        let expected = &case["expected"];
        let prompt = match rendered {
            Ok(prompt) => prompt,
            Err(PromptError::Budget {
                code,
                needed,
                limit,
                ..
            }) => {
                same(
                    "error",
                    code.as_str(),
                    expected["error"].as_str().unwrap_or("none"),
                )?;
                return same(
                    "needed, limit",
                    &[needed, limit],
                    &["needed", "limit"]
                        .map(|key| usize::try_from(expected[key].as_u64().unwrap()).unwrap()),
                );
            }
            Err(error) => return Err(error.to_string()),
        };
        same(
            "output",
            trimmed(prompt.as_str()),
            trimmed(expected["output"].as_str().unwrap_or("(an error)")),
        )?;
        let report = prompt.budget_report().unwrap();
        same(
            "tokens",
            &(report.used as u64),
            &expected["tokens"].as_u64().unwrap(),
        )?;
        if let Some(cutoff) = expected.get("cutoff_optional") {
            same("cutoff", &report.cutoff.map(i64::from), &cutoff.as_i64())?;
        }
        let names = |outcome| {
            report
                .paths(outcome)
                .map(|path| tree.names[path].clone())
                .collect::<Vec<_>>()
        };
        same("kept", &names(Outcome::Kept), &strings(&expected["kept"]))?;
        let summarised = expected.get("summarised").map(strings);
        same(
            "summarised",
            &names(Outcome::Summarised),
            &summarised.unwrap_or_default(),
        )?;
        same(
            "dropped",
            &names(Outcome::Dropped),
            &strings(&expected["dropped"]),
        )?;
        let most = number("max_counter_calls");
        let calls = calls.load(Ordering::Relaxed);
        if calls > most {
            Err(format!("{calls} counter calls, at most {most}"))
        } else {
            Ok(())
        }
    });
}
