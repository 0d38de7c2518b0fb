//! Closed items of a list: a line each, under a sentence of how to open them.

use prompt_core::budget::Policy;
use prompt_core::disclosure::{Delivery, ToolError, ToolFault};
use prompt_core::prompt::Wording;
use prompt_core::tokens::{EstimatedTokens, TokenCounter};
use prompt_core::{
    Budget, Disclosure, DynamicNode, Overrides, PromptNode, Style, ToolCall, ToolResult,
};
use proptest::prelude::*;
use serde_json::{Value, json};

const SENTENCE: &str =
    "[Call `open_sections` with the keys of those that you need, to read them in full.]";

/// {steps}
#[derive(Clone, Debug, PromptNode)]
struct Skill {
    slug: String,
    name: String,
    teaser: String,
    steps: String,
}

/// You repair clocks.
#[derive(PromptNode)]
struct Workshop {
    /// Ask before you open a clock.
    #[section(
        item_key = slug, item_title = "{item.name}", priority = 10,
        visibility = "summary", summary = "{item.teaser}"
    )]
    skills: Vec<Skill>,
}

fn skill(slug: &str, name: &str, teaser: &str, steps: &str) -> Skill {
    Skill {
        slug: slug.into(),
        name: name.into(),
        teaser: teaser.into(),
        steps: steps.into(),
    }
}

fn workshop() -> Workshop {
    Workshop {
        skills: vec![
            skill(
                "dial",
                "Cleaning a dial",
                "Dust and old oil.",
                "Soft brush.",
            ),
            skill(
                "wheel-1",
                "Cutting a wheel",
                "Teeth by hand.",
                "Count the teeth twice.",
            ),
            skill("glass", "Setting a glass", "", "Warm the rim."),
        ],
    }
}

fn open(keys: &[&str]) -> ToolCall {
    ToolCall::new(
        "call_1",
        "open_sections",
        json!({ "section_keys": keys, "reason": "asked" }),
    )
}

fn opened(keys: &[&str]) -> Overrides {
    let mut overrides = Overrides::default();
    for key in keys {
        overrides.open(*key);
    }
    overrides
}

fn lines(lines: &[&str]) -> String {
    lines.join("\n")
}

#[test]
fn closed_items_are_a_line_each_and_open_ones_stand_behind_them() {
    let workshop = workshop();
    let head = [
        "You repair clocks.",
        "",
        "# Skills",
        "",
        "Ask before you open a clock.",
        "",
        SENTENCE,
        "",
    ];
    let closed = [
        &head[..],
        &[
            "- skills.dial: Dust and old oil.",
            "- skills.wheel-1: Teeth by hand.",
            "- skills.glass",
        ],
    ];
    assert_eq!(workshop.prompt().text().unwrap(), lines(&closed.concat()));
    let one = [
        &head[..],
        &[
            "- skills.wheel-1: Teeth by hand.",
            "- skills.glass",
            "",
            "## Cleaning a dial",
            "",
            "Soft brush.",
        ],
    ];
    let prompt = workshop.prompt();
    let text = prompt.overrides(&opened(&["skills.dial"])).text().unwrap();
    assert_eq!(text, lines(&one.concat()));
    let all = opened(&["skills.dial", "skills.wheel-1", "skills.glass"]);
    let text = workshop.prompt().overrides(&all).text().unwrap();
    let whole = [
        &head[..6],
        &[
            "## Cleaning a dial",
            "",
            "Soft brush.",
            "",
            "## Cutting a wheel",
            "",
            "Count the teeth twice.",
            "",
        ],
        &["## Setting a glass", "", "Warm the rim."],
    ];
    assert_eq!(text, lines(&whole.concat()));
}

#[test]
fn in_xml_a_closed_item_is_a_tag_with_its_key() {
    let workshop = workshop();
    let prompt = workshop.prompt().style(Style::Xml);
    let text = prompt.overrides(&opened(&["skills.dial"])).text().unwrap();
    let expected = [
        "You repair clocks.",
        "",
        "<skills>",
        "Ask before you open a clock.",
        "",
        SENTENCE,
        "  <item key=\"skills.wheel-1\">Teeth by hand.</item>",
        "  <item key=\"skills.glass\"/>",
        "  <item title=\"Cleaning a dial\">",
        "Soft brush.",
        "  </item>",
        "</skills>",
        "",
    ];
    assert_eq!(text, lines(&expected));
}

#[test]
fn a_tag_of_its_own_is_kept_and_summaries_may_have_several_lines() {
    #[derive(PromptNode)]
    struct Tagged {
        #[section(item_key = slug, item_tag = "skill", visibility = "summary", summary = "{item.teaser}")]
        skills: Vec<Skill>,
    }
    let skills = vec![
        skill("dial", "", "Dust.", "s"),
        skill("wheel", "", "Teeth,\nby hand.", "s"),
    ];
    let text = Tagged {
        skills: skills.clone(),
    }
    .prompt()
    .text()
    .unwrap();
    let expected = [
        "# Skills",
        "",
        SENTENCE,
        "",
        "<skill key=\"skills.dial\">Dust.</skill>",
        "<skill key=\"skills.wheel\">",
        "Teeth,",
        "by hand.",
        "</skill>",
    ];
    assert_eq!(text, lines(&expected));
    let text = Workshop { skills }.prompt().text().unwrap();
    assert!(
        text.ends_with("- skills.dial: Dust.\n- skills.wheel: Teeth,\n  by hand."),
        "{text}"
    );
}

#[test]
fn another_wording_of_the_suffix_is_kept() {
    #[derive(PromptNode)]
    #[prompt(summary_suffix = "({key})")]
    struct Own {
        #[section(item_key = slug, item_title = "{item.name}", visibility = "summary", summary = "{item.teaser}")]
        skills: Vec<Skill>,
    }
    let skills = vec![skill("dial", "Cleaning", "Dust.", "s")];
    let text = Own { skills }.prompt().text().unwrap();
    assert_eq!(text, "# Skills\n\n## Cleaning\n\nDust.\n\n(skills.dial)");
}

#[test]
fn the_sentences_may_be_said_in_another_language() {
    let mut danish = Wording::default();
    danish.items = "[Kald `open_sections` med nøglerne.]".into();
    danish.more_items = "[{count} til: `{key}`.]".into();
    let words = |text: &str| text.split_whitespace().count();
    let workshop = workshop();
    let text = workshop
        .prompt()
        .wording(danish)
        .budget(Budget::tokens(24).counter(&words));
    let text = text.text().unwrap();
    assert!(
        text.contains("\n\n[Kald `open_sections` med nøglerne.]\n\n- skills.dial"),
        "{text}"
    );
    assert!(text.ends_with(" til: `skills`.]"), "{text}");
}

#[test]
fn both_doors_print_one_text() {
    let workshop = workshop();
    let tree = json!({ "body": "You repair clocks.", "sections": [{
        "key": "skills", "body": "Ask before you open a clock.", "item": "{item.steps}", "item_title": "{item.name}",
        "item_key": "slug", "summary": "{item.teaser}", "visibility": "summary", "priority": 10
    }] });
    let items = workshop.skills.iter();
    let items = items.map(|skill| json!({ "slug": skill.slug, "name": skill.name, "teaser": skill.teaser, "steps": skill.steps }));
    let values = json!({ "skills": items.collect::<Vec<Value>>() });
    let node = DynamicNode::from_json_with(&tree.to_string(), values).unwrap();
    let words = |text: &str| text.split_whitespace().count();
    for overrides in [opened(&[]), opened(&["skills.glass"])] {
        for limit in [20, 30, 40, 1000] {
            let text = |node: &dyn PromptNode| {
                let budget = Budget::tokens(limit).counter(&words);
                let prompt = prompt_core::Prompt::new(node).overrides(&overrides);
                prompt
                    .budget(budget)
                    .text()
                    .map_err(|error| error.to_string())
            };
            assert_eq!(text(&workshop), text(&node), "{limit}");
        }
    }
}

#[test]
fn the_key_of_a_list_lists_its_keys() {
    let workshop = workshop();
    let keys = "the keys of 'skills' are 'skills.dial', 'skills.wheel-1', 'skills.glass'.";
    for delivery in [Delivery::Rerender, Delivery::Append] {
        let mut disclosure = Disclosure::new(&workshop).delivery(delivery);
        let before = disclosure.render().unwrap();
        let listed = disclosure.handle(&[open(&["skills"])]).unwrap();
        assert_eq!(
            listed[0].content,
            format!("Items are opened one by one: {keys}")
        );
        assert!(!listed[0].is_error);
        assert_eq!(disclosure.render().unwrap().as_str(), before.as_str());
        // Beside others they are told too; a list of which everything is open still has keys.
        let both = disclosure
            .handle(&[open(&["skills.dial", "skills"])])
            .unwrap();
        assert!(
            !both[0].is_error
                && both[0]
                    .content
                    .ends_with(&format!("\n\nItems are opened one by one: {keys}")),
            "{both:?}"
        );
        disclosure
            .handle(&[open(&["skills.wheel-1", "skills.glass"])])
            .unwrap();
        let again = disclosure.handle(&[open(&["skills"])]).unwrap();
        assert_eq!(again, listed);
        let wrong = disclosure.handle(&[open(&["skills", "dail"])]).unwrap();
        assert!(
            wrong[0].is_error && wrong[0].content.contains("'dail' does not exist"),
            "{wrong:?}"
        );
    }
    let prompt = workshop.prompt().render().unwrap();
    let Err(ToolError::Validation(error)) = prompt.call(&open(&["skills"])) else {
        panic!()
    };
    assert!(
        matches!(error.kind(), ToolFault::List { key, items, unnamed: 0, .. } if key == "skills" && items.len() == 3)
    );
    let answers: Vec<ToolResult> = prompt
        .split(&[open(&["skills"])])
        .finish(Vec::new())
        .unwrap();
    assert_eq!(answers[0].content, error.to_string());
    assert!(!answers[0].is_error);
}

#[test]
fn a_list_in_a_closed_section_is_hidden_like_what_is_in_it() {
    #[derive(PromptNode)]
    struct House {
        #[section(visibility = "summary", summary = "The workshop.")]
        workshop: Workshop,
    }
    let house = House {
        workshop: workshop(),
    };
    let mut disclosure = Disclosure::new(&house);
    for key in ["workshop.skills", "workshop.skills.dial"] {
        let answer = &disclosure.handle(&[open(&[key])]).unwrap()[0];
        assert!(
            answer.is_error && answer.content.contains("open 'workshop' first"),
            "{answer:?}"
        );
    }
    disclosure.handle(&[open(&["workshop"])]).unwrap();
    let text = disclosure.render().unwrap().into_string();
    assert!(
        text.contains("- workshop.skills.dial: Dust and old oil."),
        "{text}"
    );
    assert!(!disclosure.handle(&[open(&["workshop.skills"])]).unwrap()[0].is_error);
}

#[test]
fn an_unknown_key_is_answered_with_the_nearest_ones() {
    let skills = ["hang_a_door", "hang_a_shelf", "hang_a_shelf_2", "paint"];
    let workshop = Workshop {
        skills: skills.map(|slug| skill(slug, "N", "t", "s")).into(),
    };
    let prompt = workshop.prompt().render().unwrap();
    let nearest = |key: &str| match prompt.call(&open(&[key])) {
        Err(ToolError::Validation(error)) => match error.kind() {
            ToolFault::UnknownKey { nearest, .. } => nearest.join(" "),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    assert_eq!(
        nearest("skills.hang_a_shelv"),
        "skills.hang_a_shelf skills.hang_a_shelf_2"
    );
    assert_eq!(nearest("hang_a_door"), "skills.hang_a_door");
    assert_eq!(nearest("piant"), "skills.paint");
    assert_eq!(nearest("zzz"), "");
    assert_eq!(nearest("skill"), "skills");
    // What is open is meant all the same.
    let overrides = opened(&["skills.paint"]);
    let prompt = workshop.prompt().overrides(&overrides).render().unwrap();
    let Err(ToolError::Validation(error)) = prompt.call(&open(&["skills.pain"])) else {
        panic!()
    };
    assert!(
        error.to_string().contains("did you mean 'skills.paint'?"),
        "{error}"
    );
}

#[test]
fn what_a_budget_leaves_out_is_counted_and_can_be_opened() {
    let skills = (0..1500).map(|n| {
        skill(
            &format!("skill_{n:04}"),
            "Name",
            "One line of words.",
            "Do it.",
        )
    });
    let workshop = Workshop {
        skills: skills.collect(),
    };
    for delivery in [Delivery::Rerender, Delivery::Append] {
        let disclosure = Disclosure::new(&workshop).delivery(delivery);
        let disclosure = disclosure.configure(|prompt| prompt.budget(Budget::request(1_000)));
        let prompt = disclosure.render().unwrap();
        let shown = prompt.as_str().matches("\n- skills.").count();
        let more = format!(
            "\n\n[And {} more: call `open_sections` with key \"skills\" to list all keys.]",
            1500 - shown
        );
        assert!(shown > 10 && prompt.as_str().ends_with(&more), "{prompt}");
        assert!(prompt.budget_report().unwrap().used <= 1_000);
        // The keys come as far as a quarter of the budget has room, and a beginning lists the rest.
        let mut keys = Vec::new();
        let mut asked = vec!["skills".to_owned()];
        while let Some(key) = asked.pop() {
            let Err(ToolError::Validation(error)) = prompt.call(&open(&[&key])) else {
                panic!("{key}")
            };
            let ToolFault::List {
                items,
                unnamed,
                narrower,
                ..
            } = error.kind()
            else {
                panic!("{error}")
            };
            let tokens = EstimatedTokens::default().count(&error.to_string());
            assert!(tokens <= 300, "{tokens} {error}");
            keys.extend(items.clone());
            assert_eq!(*unnamed > 0, narrower.is_some());
            if let Some(beginning) = narrower.as_deref().map(|key| key.trim_end_matches('*')) {
                let other = beginning[..beginning.len() - 1].to_owned();
                asked.extend(('0'..='9').map(|digit| format!("{other}{digit}*")));
                asked.retain(|key| {
                    prompt
                        .call(&open(&[key]))
                        .err()
                        .is_some_and(|error| !error.to_string().contains("does not exist"))
                });
            }
        }
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 1500);
        for key in keys.iter().step_by(500) {
            let mut fresh = Disclosure::new(&workshop).delivery(delivery);
            fresh = fresh.configure(|prompt| prompt.budget(Budget::request(1_000)));
            let answer = fresh.handle(&[open(&[key])]).unwrap();
            assert!(!answer[0].is_error, "{answer:?}");
            let shown = [
                answer[0].content.clone(),
                fresh.render().unwrap().into_string(),
            ]
            .concat();
            assert!(shown.contains("## Name\n\nDo it."), "{key} {shown}");
        }
    }
    // Where only the text is bounded, all keys are named.
    let prompt = workshop
        .prompt()
        .budget(Budget::tokens(1_000))
        .render()
        .unwrap();
    let Err(ToolError::Validation(error)) = prompt.call(&open(&["skills"])) else {
        panic!()
    };
    assert_eq!(error.to_string().matches("'skills.skill_").count(), 1500);
    // Under a focus what stands beside it is not left out by a budget.
    let prompt = workshop
        .prompt()
        .focus("skills.skill_0003")
        .budget(Budget::tokens(1_000));
    let text = prompt.text().unwrap();
    assert!(text.ends_with("## Name\n\nDo it."), "{text}");
    // Where nothing of a list has room, the tool still names it.
    let prompt = workshop
        .prompt()
        .budget(Budget::tokens(8))
        .keep_tool(true)
        .render()
        .unwrap();
    assert_eq!(prompt.as_str(), "You repair clocks.");
    let tool = prompt.tools()[0].parameters().to_string();
    assert!(
        tool.contains("where the text does not show them: 'skills'."),
        "{tool}"
    );
}

#[test]
fn a_schema_names_only_keys_that_the_text_may_not_show() {
    #[derive(PromptNode)]
    #[prompt(summary_suffix = "")]
    struct Silent {
        /// a
        #[section(visibility = "summary", summary = "On a.")]
        a: (),
        /// b
        #[section(visibility = "summary", summary = "On b.", priority = 10)]
        b: (),
    }
    #[derive(PromptNode)]
    struct Told {
        /// a
        #[section(visibility = "summary", summary = "On a.")]
        a: (),
        /// b
        #[section(visibility = "summary", summary = "On b.", priority = 10)]
        b: (),
    }
    let listed = |prompt: prompt_core::Prompt<'_, _>| {
        let prompt = prompt.render().unwrap();
        let keys = prompt.tools()[0].parameters()["properties"]["section_keys"].clone();
        (
            keys["items"]["enum"].clone(),
            keys["description"].as_str().unwrap().to_owned(),
        )
    };
    let (silent, told) = (Silent { a: (), b: () }, Told { a: (), b: () });
    assert_eq!(listed(Prompt::of(&silent)).0, json!(["a", "b"]));
    assert_eq!(listed(Prompt::of(&told)).0, Value::Null);
    // A budget may leave `b` out. The schema is the same whatever is open, so it does not wait for that.
    assert_eq!(
        listed(Prompt::of(&told).budget(Budget::tokens(1_000))).0,
        json!(["a", "b"])
    );
    let key = |n: usize| json!({ "key": format!("s{n}"), "body": "b", "summary": "s", "visibility": "summary", "priority": 1 });
    let wide = |count: usize| {
        let sections: Vec<Value> = (0..count).map(key).collect();
        DynamicNode::from_json(&json!({ "key": "root", "sections": sections }).to_string()).unwrap()
    };
    let budget = || Budget::tokens(1 << 20);
    let (few, many) = (wide(32), wide(33));
    let count = |keys: &Value| keys.as_array().map(Vec::len);
    assert_eq!(
        count(&listed(Prompt::of(&few).budget(budget())).0),
        Some(32)
    );
    assert_eq!(count(&listed(Prompt::of(&many).budget(budget())).0), None);
}

/// `PromptNode::prompt` for types that differ.
struct Prompt;

impl Prompt {
    fn of<'a>(node: &'a dyn PromptNode) -> prompt_core::Prompt<'a, dyn PromptNode + 'a> {
        prompt_core::Prompt::new(node)
    }
}

fn words() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,8}( [a-z]{1,8}){0,6}",
        Just(String::new()),
        "[a-z]{1,6}\n[a-z]{1,6}",
        Just("# h".to_owned()),
        Just("- l\n- l".to_owned()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: prompt_tests::random_cases(256), failure_persistence: None, ..ProptestConfig::default() })]

    /// Every closed item is named once, as a call names it, and no open one; what is open is printed as if nothing were closed.
    #[test]
    fn each_key_stands_once(
        items in prop::collection::vec((words(), words(), any::<bool>()), 0..12),
        is_xml in any::<bool>(),
    ) {
        let skills = items.iter().enumerate().map(|(n, (teaser, steps, _))| skill(&format!("k{n}x"), &format!("Title {n}."), teaser, &format!("{steps} body {n}.")));
        let workshop = Workshop { skills: skills.collect() };
        let style = if is_xml { Style::Xml } else { Style::Markdown };
        let keys = items.iter().enumerate().map(|(n, item)| (format!("skills.k{n}x"), item.2));
        let keys: Vec<(String, bool)> = keys.collect();
        let shown: Vec<&str> = keys.iter().filter(|key| key.1).map(|key| key.0.as_str()).collect();
        let rendered = workshop.prompt().style(style).overrides(&opened(&shown)).render().unwrap();
        let text = rendered.as_str();
        prop_assert_eq!(text.matches(SENTENCE).count(), usize::from(shown.len() < keys.len()));
        for (n, (key, is_open)) in keys.iter().enumerate() {
            prop_assert_eq!(text.matches(key.as_str()).count(), usize::from(!is_open), "{}", text);
            prop_assert_eq!(text.contains(&format!("Title {n}.")), *is_open);
            prop_assert_eq!(text.contains(&format!(" body {n}.")), *is_open);
        }
        let first_title = text.find("Title ").unwrap_or(text.len());
        prop_assert!(text.find(SENTENCE).is_none_or(|closed| closed < first_title));
        // What a call names opens, and nothing else moves.
        if let Some((key, _)) = keys.iter().find(|key| !key.1) {
            let Err(ToolError::Expansion(expansion)) = rendered.call(&open(&[key])) else { panic!() };
            prop_assert_eq!(expansion.paths().collect::<Vec<_>>(), [key.as_str()]);
        }
        // Spans say what each prints.
        for section in rendered.sections().iter().filter(|section| section.path.contains('.')) {
            let own = &text[section.range.clone()];
            prop_assert_eq!(own.contains(section.path.as_str()), section.visibility == prompt_core::Visibility::Summary);
        }
    }
}

/// A line that costs more than the skill behind it is told while it is closed, and so is what has nothing to open.
#[test]
fn a_line_that_saves_nothing_is_told_while_it_is_closed() {
    let skills = vec![
        skill(
            "ring",
            "",
            "When nobody sits at the desk and the door is locked.",
            "Ring.",
        ),
        skill("none", "", "Nothing.", ""),
        skill("dial", "", "Dust.", &"Soft brush. ".repeat(20)),
    ];
    let workshop = Workshop { skills };
    let told = |overrides: &Overrides| {
        let lints = workshop.prompt().overrides(overrides).lint();
        let told = lints
            .iter()
            .filter(|lint| lint.code.as_str() == "summary_saves_nothing");
        told.map(|lint| lint.path.clone()).collect::<Vec<_>>()
    };
    assert_eq!(told(&opened(&[])), ["skills.ring", "skills.none"]);
    assert_eq!(told(&opened(&["skills.ring"])), ["skills.none"]);
}

/// Where a line says that more can be opened, the tool is there, and counted.
#[test]
fn the_tool_comes_with_the_line_that_counts_what_is_left_out() {
    let words = |text: &str| text.split_whitespace().count();
    let long = "word ".repeat(30);
    let skills = ["a", "b", "c", "d"].map(|slug| skill(slug, "", &long, "t"));
    let workshop = Workshop {
        skills: skills.into(),
    };
    let overrides = opened(&["skills.a"]);
    let bounded = |budget: Budget<'static>| {
        workshop
            .prompt()
            .overrides(&overrides)
            .budget(budget)
            .render()
            .unwrap()
    };
    let prompt = bounded(Budget::tokens(40).counter(&WORDS));
    assert!(prompt.as_str().contains("[And 3 more: "), "{prompt}");
    assert_eq!(prompt.tools().len(), 1);
    // One that has no room is left out itself, and no item goes for nothing.
    let prompt = bounded(Budget::tokens(14).counter(&WORDS));
    assert!(
        prompt.as_str().ends_with("\n\nt") && prompt.tools().is_empty(),
        "{prompt}"
    );
    for limit in 30..140 {
        let Ok(prompt) = workshop
            .prompt()
            .overrides(&overrides)
            .budget(Budget::request(limit).counter(&words))
            .render()
        else {
            continue;
        };
        let used = prompt_core::tokens::request(&prompt.messages(), prompt.tools(), &words);
        assert_eq!(used, prompt.budget_report().unwrap().used);
        assert_eq!(
            prompt.tools().is_empty(),
            !prompt.as_str().contains("open_sections"),
            "{prompt}"
        );
    }
}

static WORDS: fn(&str) -> usize = |text| text.split_whitespace().count();

/// More room never shows fewer lines, and what fits is not left out for the sake of the line that counts the rest.
#[test]
fn lists_are_cut_by_what_their_items_take() {
    let item = |key: &str, words: usize| json!({ "k": key, "t": "t", "s": "word ".repeat(words).trim_end() });
    let list = |key: &str, value: &str| {
        json!({
            "key": key, "value": value, "item": "{item.t}", "item_key": "k", "summary": "{item.s}",
            "visibility": "summary", "priority": 20
        })
    };
    let tree = json!({ "body": "Root.", "sections": [list("l", "l"), list("m", "m")] });
    let values = json!({ "l": [item("a", 1), item("b", 1)], "m": [item("c", 300)] });
    let node = DynamicNode::from_json_with(&tree.to_string(), values).unwrap();
    for limit in [42, 48, 54] {
        let text = node.prompt().budget(Budget::tokens(limit)).text().unwrap();
        assert!(text.ends_with("- l.a: word\n- l.b: word"), "{limit} {text}");
    }
    // The key of a list of which nothing is shown lists its keys, and a focus leaves the others out.
    let prompt = node
        .prompt()
        .budget(Budget::tokens(5))
        .keep_tool(true)
        .render()
        .unwrap();
    assert_eq!(prompt.as_str(), "Root.");
    let answer = |prompt: &prompt_core::RenderedPrompt| match prompt.call(&open(&["l"])) {
        Err(error) => error.to_string(),
        Ok(never) => match never {},
    };
    assert!(
        answer(&prompt).contains("are 'l.a', 'l.b'."),
        "{}",
        answer(&prompt)
    );
    let prompt = node.prompt().focus("l.a").render().unwrap();
    assert!(
        answer(&prompt).contains("are 'l.a'."),
        "{}",
        answer(&prompt)
    );
    // By other policies, too, and whatever is open.
    let open_one = opened(&["l.a"]);
    for policy in [Policy::Cutoff, Policy::Prefix, Policy::Greedy] {
        for limit in 0..60 {
            let budget = Budget::tokens(limit).counter(&WORDS).policy(policy);
            _ = node.prompt().overrides(&open_one).budget(budget).text();
        }
    }
}
