//! What the example `long_chat` shows: its chart, and what it understands of its arguments.

use prompt_examples::arguments::Request;
use prompt_examples::chart::{Line, svg};
use std::ffi::OsString;

fn read(given: &[&str]) -> Result<Request, String> {
    Request::read(given.iter().map(OsString::from), 1, &["--svg"])
}

#[test]
fn what_is_not_understood_is_refused() {
    let Ok(Request::Run(arguments)) = read(&["chat.jsonl", "--svg", "chart.svg"]) else {
        panic!("both are understood");
    };
    assert_eq!(arguments.words, ["chat.jsonl"]);
    assert_eq!(
        arguments.option("--svg"),
        Some(&OsString::from("chart.svg"))
    );
    for given in [&["--sgv", "a"][..], &["a", "b"], &["--svg"], &["-v"]] {
        assert!(read(given).unwrap_err().ends_with("; see --help"));
    }
    for given in [&["--help"][..], &["-h"], &["a", "--help"]] {
        assert!(matches!(read(given), Ok(Request::Help)));
    }
}

#[test]
fn a_chart_has_a_line_per_policy_and_the_same_bytes_each_time() {
    let line = |name: &str, values: &[f64]| Line {
        name: name.into(),
        values: values.to_vec(),
    };
    let lines = [line("a < b", &[0.0, 50.0, 100.0]), line("none", &[10.0])];
    let chart = || svg("Costs", "turns", "tokens", &lines);
    assert_eq!(chart(), chart());
    assert_eq!(chart().matches("<polyline").count(), 2);
    assert!(chart().contains("points=\"70.0,380.0 410.0,210.0 750.0,40.0\""));
    assert!(chart().contains(">a &lt; b</text>"));
    assert!(prompt_core::xml::validate(&svg("", "", "", &[])).is_ok());
    assert!(prompt_core::xml::validate(&chart()).is_ok());
}
