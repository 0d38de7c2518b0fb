//! Each kind of text that models send in the place of JSON: what is read of it, or in what words it is refused. Never is
//! something else read than what was meant.

use prompt_agent::answer::{Answer, Ending, Read};
use prompt_core::Message;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

#[derive(Debug, Deserialize, JsonSchema)]
#[allow(dead_code, reason = "printed")]
struct Ship {
    ship: String,
    note: Option<String>,
    n: Option<i32>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Post {
    Billing,
    LateDelivery,
    No,
}

/// What is accepted, and behind it what was done; or the sentences that the model is told.
pub(super) fn read<T: DeserializeOwned + JsonSchema + Debug>(text: &str, ending: Ending) -> String {
    let mut answer = Answer::<T>::new();
    match answer.read_message(&Message::assistant(text), ending) {
        Ok(Read::Accepted(accepted)) => {
            let repairs: Vec<String> = accepted.repairs().iter().map(ToString::to_string).collect();
            let value = format!("{:?}", accepted.value());
            // `Ship { ship: "Gull", note: Some("x"), n: None }` as `"Gull" "x" -`.
            let short = [
                ("Ship { ship: ", ""),
                (", note: ", " "),
                (", n: ", " "),
                (" }", ""),
                ("None", "-"),
            ];
            let short = short
                .iter()
                .fold(value, |text, (from, to)| text.replace(from, to));
            let short = short.replace("Some(", "").replace(')', "");
            match repairs.as_slice() {
                [] => short,
                repairs => format!("{short} [{}]", repairs.join(" ")),
            }
        }
        Ok(Read::Again(message)) => {
            let text = message.text();
            let lines = text.lines().filter_map(|line| line.strip_prefix("- "));
            lines.collect::<Vec<_>>().join(" & ")
        }
        Ok(Read::CutOff(message)) => {
            let text = message.text();
            let place = text.trim_start_matches("Your answer stopped in the middle, in ");
            format!("cut off: {}", place.split('.').next().unwrap_or_default())
        }
        Err(error) => error.to_string(),
    }
}

pub(super) fn compare<T: DeserializeOwned + JsonSchema + Debug>(
    ending: Ending,
    table: &[(&str, &str)],
) {
    let differs = |(text, wanted): &(&str, &str)| {
        let found = read::<T>(text, ending);
        (found != *wanted).then(|| format!("{text:?}\n  is     {found}\n  wanted {wanted}"))
    };
    let wrong: Vec<String> = table.iter().filter_map(differs).collect();
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn reasoning_is_never_the_answer() {
    compare::<Ship>(
        Ending::Own,
        &[
            (
                r#"<think>{"ship": "Tern"}</think>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"<think>{"ship": "Tern"}</think>  {"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                "<THINK>\n{\"ship\": \"Tern\"}\n</THINK>\n{\"ship\": \"Gull\"}",
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"<thought>{"ship": "Tern"}</thought>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"<Thinking>{"ship": "Tern"}</thinking>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"<reasoning>{"ship": "Tern"}</reasoning>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"<scratchpad>{"ship": "Tern"}</scratchpad>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"<seed:think>{"ship": "Tern"}</seed:think>I cannot say."#,
                "the value: no answer follows the reasoning.",
            ),
            (
                r#"<thoughts>{"ship": "Tern"}</Thoughts>I cannot say."#,
                "the value: no answer follows the reasoning.",
            ),
            (
                r#"<|START_THINKING|>{"ship": "Tern"}<|END_THINKING|>I cannot say."#,
                "the value: no answer follows the reasoning.",
            ),
            (
                r#"<|begin_of_thought|>{"ship": "Tern"}<|end_of_thought|>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"<|thinking|>{"ship": "Tern"}<|/thinking|>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"<|channel|>analysis<|message|>{"ship": "Tern"}<|end|><|start|>assistant<|channel|>final<|message|>No."#,
                "the value: no answer follows the reasoning.",
            ),
            (
                r#"[THINK]{"ship": "Tern"}[/THINK]{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"It may be {"ship": "Tern"}</think>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"{"ship": "Tern"}</think>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                "```json\n{\"ship\": \"Tern\"}\n</think>\n{\"ship\": \"Gull\"}",
                r#""Gull" - - [prose]"#,
            ),
            // A draft that breaks off in the reasoning hides nothing.
            (
                r#"<think>{"ship": "Tern", </think>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"{"ship": "Tern, </think>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"{"ship": [{"ship": 1 </think>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                "<think>one</think><think>{\"ship\": \"Tern\"}</think>\n```\n{\"ship\": \"Gull\"}\n```",
                r#""Gull" - - [fence]"#,
            ),
            // In a text of the answer it is one.
            (
                r#"{"ship": "Gull", "note": "ends with </think>"}"#,
                r#""Gull" "ends with </think>" -"#,
            ),
            (
                r#"<think>Hm.</think>{"ship": "Gull", "note": "<think> and </think>"}"#,
                r#""Gull" "<think> and </think>" - [prose]"#,
            ),
            (
                r#"Here: {"ship": "Gull", "note": "</think>"}."#,
                r#""Gull" "</think>" - [prose]"#,
            ),
            // Other tags are prose.
            (
                r#"<answer>{"ship": "Gull"}</answer>"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"{"ship": "Gull"} <think>Was that right?</think>"#,
                "the value: no answer follows the reasoning.",
            ),
            (
                r#"<think>{"ship": "Tern"}</think>I cannot say."#,
                "the value: no answer follows the reasoning.",
            ),
            (
                r#"<think>{"ship": "Tern"} or"#,
                "the value: the reasoning does not end, and no answer follows.",
            ),
            (
                "<think>{\"ship\": \"Tern\"}\n\n{\"ship\": \"Gull\"}",
                "the value: the reasoning does not end, and no answer follows.",
            ),
        ],
    );
    compare::<Ship>(
        Ending::Length,
        &[
            (r#"<think>maybe {"ship": "Tern"} or"#, "cut off: the value"),
            (r#"<think>{"ship": "Tern"}</think>"#, "cut off: the value"),
            (
                r#"<think>{"ship": "Tern"}</think>{"ship": "Gu"#,
                "cut off: /ship",
            ),
            (
                r#"{"ship": "Tern"}[THINK]or {"ship": "Gull"}"#,
                "cut off: the value",
            ),
            (
                r#"<think>{"ship": "Tern"}</think>{"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
        ],
    );
    compare::<u32>(
        Ending::Own,
        &[
            ("<think>[4] or 5</think>6", "6 [prose]"),
            ("4</think>\n\n5\n", "5 [prose]"),
        ],
    );
}

#[test]
fn the_last_word_counts() {
    compare::<Ship>(
        Ending::Own,
        &[
            (
                r#"First {"ship": "Tern"}. No, wait: {"ship": "Gull"}"#,
                r#""Gull" - - [prose several]"#,
            ),
            (
                "```json\n{\"ship\": \"Tern\"}\n```\nor rather\n```json\n{\"ship\": \"Gull\"}\n```",
                r#""Gull" - - [fence several]"#,
            ),
            (
                "```json\n{\"ship\": \"Tern\"}\n```\nNo: {\"ship\": \"Gull\"}",
                r#""Gull" - - [prose several]"#,
            ),
            (
                "Of the form {\"ship\": \"string\"}\nAnswer: {\"ship\": \"Gull\"}",
                r#""Gull" - - [prose several]"#,
            ),
            (
                r#"{"ship": "Gull"} {"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"{"ship": "Tern"}{"ship": "Gull"}"#,
                r#""Gull" - - [prose several]"#,
            ),
            (
                "{\"ship\": \"Tern\"}\n{\"ship\": \"Gull\"}\n",
                r#""Gull" - - [prose several]"#,
            ),
            (
                r#"{"ship": "Tern"}, {"ship": "Gull"}"#,
                r#""Gull" - - [prose several]"#,
            ),
            // What does not fit, and is no try at the whole, is passed over; a try that fails is not.
            (
                r#"{"ship": "Gull"}, as {"n": 1} was asked for."#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"{"n": 1} is the form: {"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"{"ship": "Tern"}. No: {"ship": ["Gull"]}"#,
                r#"/ship: ["Gull"] is not of the type string."#,
            ),
            (
                r#"{"ship": "Tern"}. No: {"ship": "Gull" "n": 4}"#,
                "the value: it is no JSON: `\"` stands where a comma or a closing bracket is expected, in /ship.",
            ),
            (
                r#"{"ship": "Tern"}. No: {"ship": "Gu"#,
                "the value: it stops in the middle, in /ship.",
            ),
            // What is broken ends where its bracket is closed, whatever its strings hold.
            (
                r#"{"ship": 1 2, "note": "\"}{"} {"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            // Brackets of prose are none.
            (
                r#"{"ship": "Gull"} (see [1] and {x})"#,
                r#""Gull" - - [prose]"#,
            ),
        ],
    );
    compare::<Ship>(
        Ending::Length,
        &[
            (
                r#"I draft {"ship": "Tern"}, and now: {"ship": "Gu"#,
                "cut off: /ship",
            ),
            (
                "```json\n{\"ship\": \"Tern\"}\n```\n```json\n{\"ship\": \"Gull\", \"n\": ",
                "cut off: /n",
            ),
            (
                r#"I draft {"ship": "Tern"}, and now: {"ship": "Gull""#,
                "cut off: /ship",
            ),
            (r#"{"ship": "Gull"} is what I th"#, r#""Gull" - - [prose]"#),
            // It stopped where the fence of the answer was opened.
            (
                "```json\n{\"ship\": \"Tern\"}\n```\nbetter:\n```json\n",
                "cut off: the value",
            ),
            (
                "```\n{\"ship\": \"Tern\"}\n```\nbetter:\n```",
                "cut off: the value",
            ),
            (
                "```json\n{\"ship\": \"Gull\"}\n```\n",
                r#""Gull" - - [fence]"#,
            ),
        ],
    );
    let even = |ship: &Ship| {
        if ship.n == Some(2) {
            Ok(())
        } else {
            Err("an odd one".to_owned())
        }
    };
    let mut answer = Answer::<Ship>::new().check(even);
    let text = r#"{"ship": "Tern", "n": 2}. No: {"ship": "Gull", "n": 3}"#;
    let read = answer.read_message(&Message::assistant(text), Ending::Own);
    assert!(matches!(read, Ok(Read::Again(_))), "{read:?}");
}

#[test]
fn no_repair_rests_on_another() {
    compare::<Ship>(
        Ending::Own,
        &[
            (
                r#"{"ship": "Gull"}, "note": "late", "n": 4}"#,
                "the value: it is no JSON: `}` closes the value before `note`.",
            ),
            (
                r#"{"ship": "Gull"} "note": "late"}"#,
                "the value: it is no JSON: `}` closes the value before `note`.",
            ),
            (
                r#"{ship: "Gull"}, note: "late", n: 4}"#,
                "the value: it is no JSON: `}` closes the value before `note`.",
            ),
            (
                "```json\n{\"ship\": \"Gull\"},\n\"note\": {\"ship\": \"Tern\"}}\n```",
                "the value: it is no JSON: `}` closes the value before `note`.",
            ),
            (
                r#"{"ship": "Gull"}, n = 4}"#,
                "the value: it is no JSON: `}` closes the value before `n`.",
            ),
            (
                r#"{"ship": "Gull"}; "n": 4}"#,
                "the value: it is no JSON: `}` closes the value before `n`.",
            ),
            (
                r#"const ship = {"ship": "Gull"}; n = 4;"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"{"ship": "Gull"}, as far as I know."#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"{"ship": "Gull"}, note: the mole is far."#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"{"ship": "Gull"}, note: 5 ships"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"{"ship": "Gull"}, "note" "late"}"#,
                "the value: it is no JSON: `}` closes the value before `note`.",
            ),
            (
                r#"{"ship": "Gull"}, "no"#,
                "the value: it is no JSON: `}` closes the value before `no`.",
            ),
            // What stands in something broken is no answer.
            (
                r#"{"note": "a" b } c", "inner": {"ship": "Tern"}}"#,
                "the value: it is no JSON: `b` stands where a comma or a closing bracket is expected, in /note.",
            ),
            (
                r#"{"note": "a" b } c", "list": [{"ship": "Tern"}, {"ship": "Gull"}]}"#,
                "the value: it is no JSON: `b` stands where a comma or a closing bracket is expected, in /note.",
            ),
            (
                r#""ship": "Gull", "inner": {"ship": "Tern"}}"#,
                "the value: it is no JSON: `}` closes what nothing opens.",
            ),
            (
                r#"Wrong: {"ship": "Tern" x}. The "right": {"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (
                r#"The "right" one: {"ship": "Gull"}"#,
                r#""Gull" - - [prose]"#,
            ),
            (r#"{"ship": "Gull"}}"#, r#""Gull" - - [prose]"#),
            // The whole value behind it counts.
            (
                r#"{"ship": "Gull"}, "n": 4} I mean {"ship": "Gull", "n": 4}"#,
                r#""Gull" - 4 [prose]"#,
            ),
            (
                r#"{"ship": "Gull" // the ship, "note": "late", "n": 4 }"#,
                "the value: it stops in the middle, in /ship, where `// the ship, \"note\":..` runs to the end.",
            ),
            (
                r#"{"ship": "Gull" # the ship }"#,
                "the value: it stops in the middle, in /ship, where `# the ship }` runs to the end.",
            ),
            (
                r#"{"ship": "Gull" /* the ship }"#,
                "the value: it stops in the middle, in /ship, where `/* the ship }` runs to the end.",
            ),
            (
                "{\"ship\": \"Gull\" // the ship\n",
                r#""Gull" - - [comment missing_closer]"#,
            ),
            (
                "{\"ship\": \"Gull\" // the ship\n}",
                r#""Gull" - - [comment]"#,
            ),
            (
                r#"{"ship": "Gull"} // , "n": 4 }"#,
                r#""Gull" - - [comment]"#,
            ),
        ],
    );
    compare::<Vec<i64>>(
        Ending::Own,
        &[
            (
                "[1, 2], 3]",
                "the value: it is no JSON: `]` closes the value before `3`.",
            ),
            ("They are [1, 2], 3 of them new.", "[1, 2] [prose]"),
        ],
    );
    compare::<Ship>(
        Ending::Length,
        &[(r#"{"ship": "Gull" // the ship"#, "cut off: /ship")],
    );
}

#[test]
fn what_is_no_json_is_told_with_its_place() {
    compare::<Ship>(
        Ending::Own,
        &[
            (
                "{foo: bar}",
                "the value: it is no JSON: `bar` is no value of JSON, in /foo.",
            ),
            (
                "{ship: Gull}",
                "the value: it is no JSON: `Gull` is no value of JSON, in /ship.",
            ),
            (
                "{“ship”: “Gull”}",
                "the value: it is no JSON: `“` begins no key.",
            ),
            ("{2: 2}", "the value: it is no JSON: `2` begins no key."),
            (
                r#"{,"ship": "Gull"}"#,
                "the value: it is no JSON: `,` begins no key.",
            ),
            (
                r#"{"ship": "Gull", ...}"#,
                "the value: it is no JSON: `...` begins no key.",
            ),
            (
                r#"{"ship": "the "Gull" sails"}"#,
                "the value: it is no JSON: `Gull` stands where a comma or a closing bracket is expected, in /ship.",
            ),
            (
                r#"{"ship": "Gull", "n": 1_000}"#,
                "the value: it is no JSON: `1_000` is no number of JSON, in /n.",
            ),
            (
                r#"{"ship": "Gull", "n": 12,111}"#,
                "the value: it is no JSON: `111` begins no key.",
            ),
            (
                r#"{"ship": "Gull", "n": .5}"#,
                "the value: it is no JSON: `.5` begins no value, in /n.",
            ),
            (
                r#"{"ship": "Gull", "n": +1}"#,
                "the value: it is no JSON: `+1` begins no value, in /n.",
            ),
            (
                r#"{"ship": "Gull", "n": 0x1F}"#,
                "the value: it is no JSON: `0x1F` is no number of JSON, in /n.",
            ),
            (
                r#"{"ship": "Gull", "n": NaN}"#,
                "the value: it is no JSON: `NaN` is no value of JSON, in /n.",
            ),
            (
                r#"{"ship": "Gull", "n": -Infinity}"#,
                "the value: it is no JSON: `-Infinity` is no number of JSON, in /n.",
            ),
            (
                r#"{"ship": "Gull", "n": undefined}"#,
                "the value: it is no JSON: `undefined` is no value of JSON, in /n.",
            ),
            (
                r#"{"ship" "Gull"}"#,
                "the value: it is no JSON: `\"` stands where a colon is expected.",
            ),
            (
                r#"{\"ship\": \"Gull\"}"#,
                "the value: it is no JSON: `\\` begins no key.",
            ),
            // An object that was written as a text.
            (r#""{\"ship\": \"Gull\"}""#, r#""Gull" - - [coerced:]"#),
            (
                "{&quot;ship&quot;: &quot;Gull&quot;}",
                "the value: it is no JSON: `&` begins no key.",
            ),
            (
                r#"{"ship": 'it's the Gull'}"#,
                "the value: it is no JSON: `s` stands where a comma or a closing bracket is expected, in /ship.",
            ),
            (
                r#"{"ship": """Gull"""}"#,
                "the value: it is no JSON: `\"` stands where a comma or a closing bracket is expected, in /ship.",
            ),
            (
                r#"{"ship": `Gull`}"#,
                "the value: it is no JSON: ``` begins no value, in /ship.",
            ),
            (
                r#"{"ship": "Gull", "ship": "Tern"}"#,
                "/ship: stands there twice, with different values.",
            ),
            (
                r#"{"ship": "Gull", "n": "1,000"}"#,
                r#"/n: "1,000" is not of the type integer."#,
            ),
            ("- ship: Gull\n- n: 4", "there is no JSON value in it."),
            ("", "there is no JSON value in it."),
            (
                "I cannot say {yet}.",
                "the value: no answer begins at `{yet}.`: `}` stands where a colon is expected.",
            ),
            (
                "As [1] says, none.",
                "the value: no answer begins at `[1] says, none.`: it is a list.",
            ),
        ],
    );
    compare::<Vec<i64>>(
        Ending::Own,
        &[
            (
                "They are [1, 2, 3",
                "the value: it stops in the middle, in /2.",
            ),
            (
                "[1, 2, ...]",
                "the value: it is no JSON: `...` begins no value, in /2.",
            ),
            (
                "[1 2 3]",
                "the value: it is no JSON: `2` stands where a comma or a closing bracket is expected, in /0.",
            ),
            ("1, 2, 3", "there is no JSON value in it."),
        ],
    );
    // Whether or not a list is wanted.
    let lists = [
        (
            "[1, foo, 4]",
            "the value: it is no JSON: `foo` is no value of JSON, in /1.",
        ),
        ("[1, 2, 3", "the value: it stops in the middle, in /2."),
    ];
    compare::<Ship>(Ending::Own, &lists);
    compare::<Vec<i64>>(Ending::Own, &lists);
}

#[test]
fn what_is_meant_for_sure_is_read() {
    compare::<Ship>(
        Ending::Own,
        &[
            ("{\"ship\":\u{a0}\"Gull\"}", r#""Gull" - - [blank]"#),
            (
                "\u{feff}\u{2003}{\"ship\": \"Gull\",\u{2028}\u{feff}\"n\": 4}\u{a0}",
                r#""Gull" - 4 [blank]"#,
            ),
            (
                "\u{a0}{\"ship\": \"the\u{a0}Gull\"}\u{2003}",
                r#""the\u{a0}Gull" - -"#,
            ),
            (
                "Here:\u{a0}{\"ship\": \"Gull\"\u{c}}",
                r#""Gull" - - [prose blank]"#,
            ),
            (
                "```JSON\n{\"ship\": \"Gull\", \"note\": \"```x```\"}\n```",
                r#""Gull" "```x```" - [fence]"#,
            ),
            ("`{\"ship\": \"Gull\"}`", r#""Gull" - - [prose]"#),
            ("<pre>{\"ship\": \"Gull\"}</pre>", r#""Gull" - - [prose]"#),
            ("callback({\"ship\": \"Gull\"});", r#""Gull" - - [prose]"#),
            (
                "const x = {ship: 'Gull', n: 4,};",
                r#""Gull" - 4 [prose trailing_comma single_quotes unquoted_key]"#,
            ),
            (
                "{'ship': 'Gull', 'note': None, 'n': 4}",
                r#""Gull" - 4 [single_quotes python_literal]"#,
            ),
            (
                "{\"ship\": \"Gull\", \"n\": -0}",
                r#""Gull" - 0 [coerced:/n]"#,
            ),
            (
                "{\"ship\": \"Gull\", \"n\": \"4\"}",
                r#""Gull" - 4 [coerced:/n]"#,
            ),
            (
                "{\"ship\": \"Gull\", \"ship\": \"Gull\"}",
                r#""Gull" - - [duplicate_key]"#,
            ),
            (
                "{\"ship\": \"the\tGull\nand\"",
                "\"the\\tGull\\nand\" - - [raw_newline missing_closer]",
            ),
            (
                r#"{"ship": "\u0047ull", "note": "\"so\" {\"n\": 1}"}"#,
                r#""Gull" "\"so\" {\"n\": 1}" -"#,
            ),
        ],
    );
}

#[test]
fn a_word_is_a_variant() {
    compare::<Post>(
        Ending::Own,
        &[
            ("billing", "Billing [word]"),
            ("**BILLING**", "Billing [word]"),
            ("\"Late Delivery\".", "LateDelivery [word]"),
            (" `late-delivery`\n", "LateDelivery [word]"),
            ("“No”", "No [word]"),
            ("```\nNo.\n```", "No [fence word]"),
            ("<think>Billing?</think>No.", "No [prose word]"),
            ("\"billing\"", "Billing"),
            (
                "The answer is BILLING",
                r#"the value: "The answer is BILLING" is none of "billing", "late_delivery", "no"."#,
            ),
            (
                "bilings",
                r#"the value: "bilings" is none of "billing", "late_delivery", "no". Did you mean "billing"?"#,
            ),
            (
                "{\"post\": \"billing\"}",
                r#"the value: {"post": "billing"} is not of the type "billing" | "late_delivery" | "no"."#,
            ),
        ],
    );
    compare::<Option<Post>>(Ending::Own, &[("No", "No [word]"), ("null", "-")]);
    let mut strict = Answer::<Post>::new().strict();
    let read = strict.read_message(&Message::assistant("No."), Ending::Own);
    assert!(matches!(read, Ok(Read::Again(_))), "{read:?}");
}
