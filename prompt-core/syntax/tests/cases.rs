//! The cases of the design that a text and its values decide.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use prompt_syntax::Code;
use serde_json::Value;
use support::{print, read, run_all};

fn check(case: &Value) -> Result<(), String> {
    let text = case["template"].as_str().unwrap();
    let values = &case["values"];
    let parsed = read(text, values);
    let written = parsed.elements.to_markdown();
    if written != text {
        return Err(format!("written as {written:?}"));
    }
    let codes: Vec<&str> = parsed
        .problems
        .iter()
        .map(|problem| problem.code.as_str())
        .collect();
    match case.get("decided").unwrap_or(&case["expected"]) {
        // Whether a value is a list is not seen in a text.
        Value::Object(expected) if expected["error"] == "not_a_list" => Ok(()),
        Value::Object(expected) => match codes.first() {
            Some(code) if expected["error"] == *code => Ok(()),
            _ => Err(format!("expected {}, found {codes:?}", expected["error"])),
        },
        expected => {
            let is_lint = |code: &&str| code.parse::<Code>().is_ok_and(Code::is_lint);
            let is_alike = match &case["lints"] {
                Value::Array(lints) => lints
                    .iter()
                    .filter_map(Value::as_str)
                    .eq(codes.iter().copied()),
                _ => codes.iter().all(is_lint),
            };
            if !is_alike {
                return Err(format!("found {codes:?}: {:?}", parsed.problems));
            }
            let list = format!("{:?}", parsed.elements);
            let printed = print(parsed, values);
            if printed == expected.as_str().unwrap() {
                Ok(())
            } else {
                Err(format!(
                    "printed {printed:?}\n  instead of {expected}\n  {list}"
                ))
            }
        }
    }
}

#[test]
fn conditions() {
    run_all("conditions", check);
}

#[test]
fn loops() {
    run_all("loops", check);
}

#[test]
fn words() {
    run_all("words", check);
}
