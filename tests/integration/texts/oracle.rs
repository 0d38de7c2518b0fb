//! The oracle itself: it says of the cases what they expect.

use prompt_tests::{fuzz, group, oracle::printed, run_all};

#[test]
fn the_oracle_says_what_the_cases_say() {
    let cases = ["conditions", "loops", "words"].map(|family| group("elements.json", family));
    let mut cases = cases.concat();
    // Escapes, words of other languages, fences in fences and unknown names are beyond it.
    let beyond = |text: &str| {
        ["{{", "{%", "{#if", "{else if", "{*unknown}", "```mermaid"]
            .iter()
            .any(|words| text.contains(words))
    };
    cases
        .retain(|case| case["expected"].is_string() && !beyond(case["template"].as_str().unwrap()));
    assert!(cases.len() > 80);
    run_all(&cases, |case| {
        let found = printed(case["template"].as_str().unwrap(), &case["values"], 0);
        prompt_tests::same("printed", &*found, case["expected"].as_str().unwrap())
    });
}

/// `cargo run --release -p prompt-tests --bin fuzz -- --target texts --count 20000` tries more; so for `pages`.
#[test]
fn random_texts_and_trees_print_what_the_oracle_says() {
    for (name, count) in [("texts", 600), ("pages", 400)] {
        let target = fuzz::TARGETS
            .iter()
            .find(|target| target.name == name)
            .unwrap();
        for seed in 1..=u64::from(prompt_tests::random_cases(count)) {
            if let Err(fact) = fuzz::run(target, &fuzz::bytes_of(seed)) {
                panic!("{name}, seed {seed}: {fact}");
            }
        }
    }
}
