//! The cases of conditions, rendered from the marks.

mod support;

use prompt_syntax::{Options, Place, lower, parse};

#[test]
fn conditions() {
    support::run_all("conditions", |case| {
        let names: Vec<&str> = case["values"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        let options = Options {
            names: &names,
            ..Options::new(Place::Node)
        };
        let parsed = parse(case["template"].as_str().unwrap(), &options);
        let first = parsed.problems.first().map(|problem| problem.code.as_str());
        match (case["expected"]["error"].as_str(), first) {
            (expected, found) if expected != found => {
                return Err(format!("{found:?}, and not {expected:?}"));
            }
            (Some(_), _) => return Ok(()),
            _ => {}
        }
        let rendered = support::render(&lower(&parsed.elements, &[]), &case["values"]);
        let expected = case["expected"].as_str().unwrap();
        if rendered == expected {
            Ok(())
        } else {
            Err(format!("{rendered:?}, and not {expected:?}"))
        }
    });
}
