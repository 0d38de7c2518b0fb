//! The loop around a prompt whose sections the model opens: both deliveries, limits, saving and restoring, telemetry.

use prompt_core::Budget;
use prompt_core::Code;
use prompt_core::Disclosure;
use prompt_core::DynamicNode;
use prompt_core::Overrides;
use prompt_core::PromptError;
use prompt_core::PromptNode;
use prompt_core::RenderedPrompt;
use prompt_core::Style;
use prompt_core::ToolCall;
use prompt_core::ToolResult;
use prompt_core::Visibility;
use prompt_core::disclosure::Delivery;
use prompt_core::disclosure::DisclosureError;
use prompt_core::disclosure::DisclosureState;
use prompt_core::disclosure::ToolInvoked;
use prompt_core::disclosure::ToolOutcome;
use prompt_core::prompt::Numbering;
use serde_json::{Value, json};
use std::sync::Mutex;

/// `p` (closed, with the tool `t_p`) holds `c` (closed, with `t_c`); `a` is closed, `f` is not and has `t_f`.
fn tree() -> DynamicNode {
    let tree = json!({ "key": "root", "body": "Answer.", "sections": [
        { "key": "p", "body": "full p", "summary": "short p", "visibility": "summary", "tools": ["t_p"], "sections": [
            { "key": "c", "body": "full c", "summary": "short c", "visibility": "summary", "tools": ["t_c"] },
            { "key": "d", "body": "full d" },
        ] },
        { "key": "a", "body": "full a", "summary": "short a", "visibility": "summary" },
        { "key": "f", "body": "full f", "tools": ["t_f"] },
    ] });
    DynamicNode::from_json(&tree.to_string()).unwrap()
}

fn call(id: &str, name: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: id.into(),
        name: name.into(),
        arguments,
    }
}

fn open(keys: &[&str]) -> ToolCall {
    call(
        "open",
        "open_sections",
        json!({ "section_keys": keys, "reason": "R" }),
    )
}

fn tools(prompt: &RenderedPrompt) -> Vec<&str> {
    prompt.tools().iter().map(|tool| tool.name()).collect()
}

fn ran(call: &ToolCall) -> ToolResult {
    ToolResult::ok(call, "ran")
}

fn is_send_and_sync<T: Send + Sync>(_: &T) {}

#[test]
fn rerender_shows_what_was_opened() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node);
    is_send_and_sync(&disclosure);
    assert_eq!(
        tools(&disclosure.render().unwrap()),
        ["t_f", "open_sections"]
    );
    let results = disclosure.handle(&[open(&["p"])]).unwrap();
    assert_eq!(results.len(), 1);
    assert_eq!(
        (results[0].id.as_str(), results[0].is_error),
        ("open", false)
    );
    assert_eq!(results[0].content, "Now shown in full in the prompt: 'p'.");
    let mut overrides = Overrides::default();
    overrides.open("p");
    let expected = node.prompt().overrides(&overrides).render().unwrap();
    assert_eq!(disclosure.render().unwrap().as_str(), expected.as_str());
    disclosure.handle(&[open(&["p.c", "a"])]).unwrap();
    let prompt = disclosure.render().unwrap();
    assert!(!prompt.as_str().contains("summarized"), "{prompt}");
    assert_eq!(
        tools(&prompt),
        ["t_p", "t_c", "t_f", "open_sections"],
        "the tool stays when all is open"
    );
    assert_eq!(disclosure.state().rounds, 2);
}

#[test]
fn a_fault_is_answered_and_opens_nothing() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node);
    let before = disclosure.render().unwrap();
    let results = disclosure.handle(&[open(&["a", "aa"])]).unwrap();
    assert!(
        results[0].is_error && results[0].content.contains("'aa' does not exist"),
        "{results:?}"
    );
    assert_eq!(disclosure.render().unwrap().as_str(), before.as_str());
    assert!(disclosure.state().opened.is_empty());
}

#[test]
fn declared_caller_model_in_this_order() {
    let node = tree();
    let overrides: Overrides = [("a", Visibility::Full), ("p", Visibility::Summary)]
        .into_iter()
        .collect();
    let mut disclosure = Disclosure::new(&node).overrides(overrides);
    assert!(disclosure.render().unwrap().as_str().contains("full a"));
    disclosure.handle(&[open(&["p"])]).unwrap();
    assert!(disclosure.render().unwrap().as_str().contains("full p"));
    disclosure.close("p");
    assert!(disclosure.render().unwrap().as_str().contains("short p"));
}

#[test]
fn options_of_the_prompt_are_kept_in_every_rendering() {
    let node = tree();
    let overrides: Overrides = [("a", Visibility::Full)].into_iter().collect();
    let mut disclosure = Disclosure::new(&node)
        .configure(|prompt| prompt.style(Style::Xml).base_level(2).keep_tool(false))
        .configure(|prompt| prompt.overrides(&overrides));
    let text = disclosure.render().unwrap().to_string();
    assert!(text.contains("<p>\n") && text.contains("full a"), "{text}");
    disclosure.handle(&[open(&["p", "p.c"])]).unwrap();
    let prompt = disclosure.render().unwrap();
    assert!(prompt.as_str().contains("<c>") && prompt.as_str().contains("full a"));
    assert_eq!(tools(&prompt), ["t_p", "t_c", "t_f"]);
}

#[test]
fn append_changes_neither_text_nor_tools() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node)
        .delivery(Delivery::Append)
        .configure(|prompt| prompt.base_level(2));
    let first = disclosure.render().unwrap();
    assert_eq!(tools(&first), ["t_p", "t_c", "t_f", "open_sections"]);
    let suffix = "[This section is summarized. To view full content, call `open_sections` with key \"p.c\".]";
    let results = disclosure.handle(&[open(&["p"])]).unwrap();
    assert_eq!(
        results[0].content,
        format!("## P\n\nfull p\n\n### C\n\nshort c\n\n---\n{suffix}\n\n### D\n\nfull d")
    );
    let results = disclosure.handle(&[open(&["a", "p.c"])]).unwrap();
    assert_eq!(
        results[0].content, "## P\n\n### C\n\nfull c\n\n## A\n\nfull a",
        "several stand under the headings that lead to them"
    );
    let last = disclosure.render().unwrap();
    assert_eq!(
        (last.as_str(), last.tools()),
        (first.as_str(), first.tools())
    );
    let results = disclosure.handle(&[open(&["a"])]).unwrap();
    assert!(
        results[0].content.contains("'a' is already expanded"),
        "{results:?}"
    );
}

#[test]
fn append_gives_a_nested_section_once() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node).delivery(Delivery::Append);
    let results = disclosure.handle(&[open(&["p.c", "p"])]).unwrap();
    assert_eq!(
        results[0].content,
        "# P\n\nfull p\n\n## C\n\nfull c\n\n## D\n\nfull d"
    );
}

#[test]
fn append_judges_calls_by_what_the_model_has_seen() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node).delivery(Delivery::Append);
    disclosure.handle(&[open(&["p"])]).unwrap();
    let sent = disclosure.render().unwrap();
    assert_eq!(sent.visibility().get("p"), Some(&Visibility::Full));
    let calls = [open(&["p.c"])];
    assert!(
        sent.split(&calls).expansion().is_some(),
        "a subsection of what was opened"
    );
}

#[test]
fn the_rounds_are_limited() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node).max_rounds(2);
    disclosure.handle(&[open(&["nope"])]).unwrap();
    disclosure.handle(&[open(&["a"])]).unwrap();
    let results = disclosure.handle(&[open(&["p"])]).unwrap();
    assert!(
        results[0].is_error && results[0].content.contains("nothing more can be opened"),
        "{results:?}"
    );
    assert!(!disclosure.render().unwrap().as_str().contains("full p"));
    let error = disclosure.handle(&[open(&["p"])]).unwrap_err();
    assert_eq!(error, DisclosureError::MaxRounds { rounds: 2 });
    let state = disclosure.state().clone();
    let error = disclosure.handle(&[open(&["f", "a"])]).unwrap_err();
    assert_eq!(
        error,
        DisclosureError::AskedAgain {
            sections: vec!["f".into(), "a".into()],
            rounds: 2
        }
    );
    assert_eq!(disclosure.state(), &state);
    let rounds = 1;
    let error = DisclosureError::MaxRounds { rounds }.to_string();
    assert!(error.contains("more than 1 round, and"), "{error}");
    let mut closed = Disclosure::new(&node).max_rounds(0);
    assert!(closed.handle(&[open(&["p"])]).unwrap()[0].is_error);
    assert_eq!(
        closed.handle(&[open(&["p"])]),
        Err(DisclosureError::MaxRounds { rounds: 0 })
    );
    // The user speaks: what is open stays open, and the rounds begin anew.
    disclosure.begin_turn();
    assert!(!disclosure.handle(&[open(&["p"])]).unwrap()[0].is_error);
    assert!(disclosure.render().unwrap().as_str().contains("full a"));
    assert_eq!(disclosure.state().rounds, 1);
}

#[test]
fn asking_again_for_what_is_open_ends() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node);
    let mut turns = 0;
    let error = loop {
        match disclosure.handle(&[open(&["a"])]) {
            Ok(_) => turns += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(
        turns, 11,
        "ten rounds, and the answer that nothing more can be opened"
    );
    assert!(matches!(error, DisclosureError::AskedAgain { .. }));
}

#[test]
fn turns_that_have_nothing_to_do_with_the_prompt_end_too() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node).max_rounds(2);
    let results = disclosure
        .handle(&[call("x", "unicorn", json!({}))])
        .unwrap();
    assert_eq!(
        (results[0].content.as_str(), results[0].is_error),
        ("There is no tool 'unicorn'.", true)
    );
    let slips = [
        call("x", "open_section", json!({})),
        call("y", "t_ff", json!({})),
    ];
    let results = disclosure.handle(&slips).unwrap();
    let told: Vec<&str> = results
        .iter()
        .map(|result| result.content.as_str())
        .collect();
    assert_eq!(
        told,
        [
            "There is no tool 'open_section'. Did you mean 'open_sections'?",
            "There is no tool 't_ff'. Did you mean 't_f'?"
        ]
    );
    for _ in 0..20 {
        assert_eq!(disclosure.handle(&[]).unwrap(), [], "no call is no round");
    }
    assert!(disclosure.handle(&slips).is_ok());
    assert_eq!(
        disclosure.handle(&slips).unwrap_err(),
        DisclosureError::MaxRounds { rounds: 2 }
    );
    let own: Vec<ToolCall> = vec![call("x", "t_f", json!({}))];
    for _ in 0..20 {
        assert_eq!(
            disclosure.handle(&own).unwrap(),
            [],
            "an agent's own work is not counted"
        );
    }
}

#[test]
fn the_opened_tokens_are_limited() {
    let node = tree();
    let words = |text: &str| text.split_whitespace().count();
    let mut disclosure = Disclosure::new(&node).max_opened_tokens(9).counter(&words);
    disclosure.handle(&[open(&["a"])]).unwrap();
    assert_eq!(
        disclosure.state().opened_tokens,
        "# A full a".split(' ').count()
    );
    let needed = 4 + "# P full p ## C full c ## D full d".split(' ').count();
    // The model is told first, by how much it is too much; that is a round.
    let answers = disclosure.handle(&[open(&["p", "p.c"])]).unwrap();
    let missing = format!("by {} tokens", needed - 9);
    assert!(
        answers[0].is_error && answers[0].content.contains(&missing),
        "{answers:?}"
    );
    assert_eq!(
        (disclosure.state().opened_tokens, disclosure.state().rounds),
        (4, 2)
    );
    let before = disclosure.state().clone();
    assert_eq!(
        serde_json::from_value::<DisclosureState>(json!(before)).unwrap(),
        before
    );
    let error = disclosure.handle(&[open(&["p", "p.c"])]).unwrap_err();
    let sections = vec!["p".into(), "p.c".into()];
    assert_eq!(
        error,
        DisclosureError::OpenedTokens {
            sections,
            needed,
            limit: 9
        }
    );
    assert_eq!(disclosure.state(), &before);
    // In the next turn it may try again.
    disclosure.begin_turn();
    assert!(disclosure.handle(&[open(&["p", "p.c"])]).unwrap()[0].is_error);
}

/// A program that catches the panic of a tool goes on as if the turn had not been.
#[test]
fn a_panicking_tool_leaves_nothing_open() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node);
    let before = disclosure.state().clone();
    let calls = [call("1", "t_f", json!({})), open(&["a"])];
    let handle = || disclosure.handle_all(&calls, |_| panic!("the tool fell over"));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(handle)).is_err());
    assert_eq!(disclosure.state(), &before);
    let answers = disclosure
        .handle_all(&calls, |call| ToolResult::ok(call, "done"))
        .unwrap();
    assert!(answers.iter().all(|answer| !answer.is_error));
}

/// A section without a summary that the caller closes is a fault at once, not when the model opens what is around it.
#[test]
fn closing_what_has_no_summary_is_a_fault_at_the_first_render() {
    let tree = json!({ "key": "root", "sections": [{
        "key": "p", "body": "full p", "summary": "short p", "visibility": "summary",
        "sections": [{ "key": "f", "body": "full f" }],
    }] });
    let node = DynamicNode::from_json(&tree.to_string()).unwrap();
    let mut overrides = Overrides::default();
    overrides.close("p.f");
    let missing = PromptError::SummaryMissing { path: "p.f".into() };
    let plain = node.prompt().overrides(&overrides);
    assert_eq!(plain.render().unwrap_err(), missing);
    assert_eq!(plain.text().unwrap_err(), missing);
    let within = plain.budget(Budget::tokens(1_000));
    assert_eq!(within.render().unwrap_err(), missing);
    let mut disclosure = Disclosure::new(&node).overrides(overrides);
    assert_eq!(disclosure.render().unwrap_err(), missing);
    assert_eq!(
        disclosure.handle(&[open(&["p"])]).unwrap_err(),
        missing.into()
    );
}

/// The same of one that closes itself, in a section that is shown in short.
#[test]
fn what_closes_itself_without_a_summary_is_a_fault_at_the_first_render() {
    /// Full leaf.
    #[derive(PromptNode)]
    struct Leaf;
    /// Full part.
    #[derive(PromptNode)]
    struct Part {
        #[section(visibility = self.visibility)]
        leaf: Leaf,
        visibility: Visibility,
    }
    /// You read.
    #[derive(PromptNode)]
    struct Reader {
        #[section(visibility = "summary", summary = "short")]
        part: Part,
    }
    let reader = |visibility| Reader {
        part: Part {
            leaf: Leaf,
            visibility,
        },
    };
    let path = "part.leaf".into();
    let missing = PromptError::SummaryMissing { path };
    let node = reader(Visibility::Summary);
    assert_eq!(node.prompt().text().unwrap_err(), missing);
    assert_eq!(node.prompt().render().unwrap_err(), missing);
    let within = node.prompt().budget(Budget::tokens(1_000));
    assert_eq!(within.render().unwrap_err(), missing);
    assert_eq!(Disclosure::new(&node).render().unwrap_err(), missing);
    assert!(reader(Visibility::Full).prompt().text().is_ok());
}

#[test]
fn a_turn_runs_the_tools_before_and_leaves_the_later_ones() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node);
    let calls = [
        call("1", "t_f", json!({})),
        open(&["a"]),
        call("3", "t_f", json!({})),
        call("4", "unicorn", json!({})),
    ];
    let mut order = Vec::new();
    let results = disclosure.handle_all(&calls, |call| {
        order.push(call.id.clone());
        ran(call)
    });
    let results = results.unwrap();
    assert_eq!(order, ["1"]);
    assert_eq!(
        results
            .iter()
            .map(|result| result.id.as_str())
            .collect::<Vec<_>>(),
        ["1", "open", "3", "4"]
    );
    assert!(results[2].is_error && results[2].content.starts_with("Not run"));
    assert!(results[3].is_error);

    let results = disclosure
        .handle(&[
            call("1", "t_f", json!({})),
            open(&["p"]),
            call("3", "t_f", json!({})),
        ])
        .unwrap();
    assert_eq!(
        results
            .iter()
            .map(|result| result.id.as_str())
            .collect::<Vec<_>>(),
        ["open", "3"]
    );
    let results = disclosure
        .handle_all(&[open(&["p"]), call("3", "t_f", json!({}))], ran)
        .unwrap();
    assert_eq!(
        (results[0].is_error, results[1].content.as_str()),
        (true, "ran"),
        "a refused request changes nothing"
    );
    let results = disclosure
        .handle_all(&[call("3", "t_f", json!({}))], ran)
        .unwrap();
    assert_eq!(results[0].content, "ran");
}

#[test]
fn nothing_is_run_when_the_rounds_are_used_up() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node).max_rounds(0);
    let calls = [call("1", "t_f", json!({})), open(&["a"])];
    let results = disclosure.handle_all(&calls, ran).unwrap();
    assert_eq!((results[0].is_error, results[1].is_error), (false, true));
    assert!(disclosure.handle_all(&calls, |_| panic!("run")).is_err());
}

#[test]
fn a_restored_conversation_renders_the_same_bytes() {
    let node = tree();
    for delivery in [Delivery::Rerender, Delivery::Append] {
        let configured =
            || Disclosure::new(&node).configure(|prompt| prompt.numbering(Numbering::Decimal));
        let mut disclosure = configured()
            .delivery(delivery)
            .overrides([("f", Visibility::Full)].into_iter().collect());
        disclosure.handle(&[open(&["p"])]).unwrap();
        let saved = serde_json::to_string(disclosure.state()).unwrap();
        let state: DisclosureState = serde_json::from_str(&saved).unwrap();
        let mut restored = configured().restore(state);
        assert_eq!(restored.state(), disclosure.state());
        let (left, right) = (restored.render().unwrap(), disclosure.render().unwrap());
        assert_eq!(
            (left.as_str(), left.tools()),
            (right.as_str(), right.tools())
        );
        let calls = [open(&["a", "p.c"])];
        assert_eq!(
            restored.handle(&calls).unwrap(),
            disclosure.handle(&calls).unwrap()
        );
    }
}

/// {steps}
#[derive(PromptNode)]
struct Skill {
    slug: &'static str,
    teaser: &'static str,
    steps: &'static str,
}

#[derive(PromptNode)]
struct Workshop {
    #[section(item_key = slug, item_title = "{item.slug}", visibility = "summary", summary = "{item.teaser}")]
    skills: Vec<Skill>,
}

#[test]
fn items_of_a_list_are_opened_one_by_one() {
    let skill = |slug, teaser, steps| Skill {
        slug,
        teaser,
        steps,
    };
    let workshop = Workshop {
        skills: vec![
            skill("dial", "Dust.", "Soft brush."),
            skill("wheel-1", "Teeth.", "Count."),
        ],
    };
    let mut disclosure = Disclosure::new(&workshop);
    let shown = disclosure.render().unwrap();
    let paths: Vec<String> = shown.openable().collect();
    assert_eq!(paths, ["skills.dial", "skills.wheel-1"]);
    let results = disclosure.handle(&[open(&["dial"])]).unwrap();
    assert!(
        results[0].content.contains("did you mean 'skills.dial'?"),
        "{results:?}"
    );
    let listed = &disclosure.handle(&[open(&["skills"])]).unwrap()[0];
    assert!(!listed.is_error);
    assert_eq!(
        listed.content,
        "Items are opened one by one: the keys of 'skills' are 'skills.dial', 'skills.wheel-1'."
    );
    disclosure.handle(&[open(&["skills.wheel-1"])]).unwrap();
    let shown = disclosure.render().unwrap();
    assert!(
        shown.as_str().contains("Count.") && !shown.as_str().contains("Soft brush."),
        "{shown}"
    );
}

/// `big` and `small` have summaries; a budget of 12 words shows them both as such.
fn budgeted() -> DynamicNode {
    let tree = json!({ "key": "root", "sections": [
        { "key": "task", "body": "one two three four" },
        { "key": "big", "body": "x ".repeat(200), "summary": "big", "priority": 5, "tools": ["t_big"] },
        { "key": "small", "body": "y y y", "summary": "small", "priority": 1 },
    ] });
    DynamicNode::from_json(&tree.to_string()).unwrap()
}

#[test]
fn a_budget_does_not_close_what_was_opened_and_append_judges_by_it() {
    let node = budgeted();
    let words = |text: &str| text.split_whitespace().count();
    for (delivery, limit) in [(Delivery::Rerender, 300), (Delivery::Append, 60)] {
        let budget = Budget::tokens(60).counter(&words);
        let mut disclosure = Disclosure::new(&node)
            .delivery(delivery)
            .configure(|prompt| prompt.budget(budget));
        let first = disclosure.render().unwrap();
        assert_eq!(
            first.visibility().get("big"),
            Some(&Visibility::Summary),
            "{delivery:?}: {first}"
        );
        assert_eq!(first.tools().last().unwrap().name(), "open_sections");
        if delivery == Delivery::Rerender {
            let results = disclosure.handle(&[open(&["big"])]).unwrap();
            assert_eq!(
                results[0].content,
                "Nothing was opened: section 'big' does not fit in the budget: 148 tokens are missing."
            );
            assert_eq!(disclosure.render().unwrap().as_str(), first.as_str());
            let budget = Budget::tokens(limit).counter(&words);
            disclosure = disclosure.configure(|prompt| prompt.budget(budget));
        }
        let results = disclosure.handle(&[open(&["big"])]);
        if delivery == Delivery::Append {
            assert!(results.unwrap()[0].content.starts_with("# Big\n\nx x"));
            let last = disclosure.render().unwrap();
            assert_eq!(
                (last.as_str(), last.tools()),
                (first.as_str(), first.tools())
            );
            assert_eq!(
                last.tools()[0].name(),
                "t_big",
                "tools of what can be opened are there from the start"
            );
            assert!(
                disclosure.handle(&[open(&["big"])]).unwrap()[0]
                    .content
                    .contains("already expanded")
            );
        }
    }
}

#[test]
fn what_a_budget_dropped_can_be_opened() {
    let node = budgeted();
    let words = |text: &str| text.split_whitespace().count();
    let budget = || Budget::tokens(8).counter(&words);
    let mut disclosure = Disclosure::new(&node)
        .delivery(Delivery::Append)
        .configure(|prompt| prompt.budget(budget()));
    let first = disclosure.render().unwrap();
    assert_eq!(first.as_str(), "# Task\n\none two three four");
    assert_eq!(
        tools(&first),
        ["t_big", "open_sections"],
        "the tool stays though nothing is summarised"
    );
    let results = disclosure.handle(&[open(&["small"])]).unwrap();
    assert_eq!(results[0].content, "# Small\n\ny y y");
    assert_eq!(disclosure.render().unwrap().as_str(), first.as_str());
}

#[test]
fn each_request_is_told_with_its_tokens() {
    let node = tree();
    let events: Mutex<Vec<ToolInvoked>> = Mutex::default();
    let mut disclosure = Disclosure::new(&node)
        .max_rounds(2)
        .on_tool(|event| events.lock().unwrap().push(event.clone()));
    is_send_and_sync(&disclosure);
    disclosure.handle(&[open(&["a"])]).unwrap();
    disclosure.handle(&[open(&["nope"])]).unwrap();
    disclosure.handle(&[open(&["p"])]).unwrap();
    disclosure.handle(&[open(&["p"])]).unwrap_err();
    drop(disclosure);
    let mut events = events.into_inner().unwrap();
    assert_eq!(events.len(), 4);
    assert!(matches!(
        events.remove(2).outcome,
        ToolOutcome::Refused {
            code: Code::RoundsUsedUp,
            ..
        }
    ));
    assert_eq!(
        events[0].outcome,
        ToolOutcome::Expanded {
            sections: vec!["a".into()]
        }
    );
    assert!(events[0].tokens_opened.is_some_and(|tokens| tokens > 0));
    assert_eq!(events[0].visibility["a"], Visibility::Summary);
    assert_eq!(
        (events[1].visibility["a"], events[1].tokens_opened),
        (Visibility::Full, Some(0))
    );
    assert!(matches!(
        &events[2].outcome,
        ToolOutcome::Failed {
            code: Code::MaxRounds,
            ..
        }
    ));
    let saved = serde_json::to_value(&events[0]).unwrap();
    assert_eq!(
        saved["outcome"],
        json!({ "expanded": { "sections": ["a"] } })
    );
}

fn is_send<T: Send>(_: &T) {}

#[test]
fn a_plan_answers_every_call_exactly_once() {
    let node = tree();
    let calls = [
        call("1", "t_f", json!({})),
        open(&["a"]),
        call("3", "t_f", json!({})),
        call("open_2", "open_sections", json!({ "section_keys": "p" })),
    ];
    for delivery in [Delivery::Rerender, Delivery::Append] {
        let mut disclosure = Disclosure::new(&node).delivery(delivery);
        let plan = disclosure.plan(&calls).unwrap();
        is_send(&plan);
        assert_eq!(plan.expansion().unwrap().section_keys, ["a", "p"]);
        assert_eq!(
            disclosure.state().opened,
            plan.expansion().unwrap().requested_overrides
        );
        is_send(&disclosure);
        is_send(&node.prompt());
        let run: Vec<&str> = plan.run().map(|call| call.id.as_str()).collect();
        let is_appended = delivery == Delivery::Append;
        assert_eq!(
            run,
            if is_appended {
                vec!["1", "3"]
            } else {
                vec!["1"]
            }
        );
        // As they come in.
        let results = plan.run().map(ran).rev_collect();
        let answers = plan.clone().finish(results.clone()).unwrap();
        let ids: Vec<&str> = answers.iter().map(|answer| answer.id.as_str()).collect();
        assert_eq!(ids, ["1", "open", "3", "open_2"]);
        assert_eq!(answers[2].content == "ran", is_appended);
        assert!(!answers[1].is_error && !answers[3].is_error);
        let error = plan.clone().finish(Vec::new()).unwrap_err();
        assert_eq!(error, DisclosureError::Results { id: "1".into() });
        let twice = results.iter().chain(&results).cloned().collect();
        assert_eq!(plan.finish(twice).unwrap_err().code().as_str(), "results");
    }
}

/// Collects from the last to the first.
trait RevCollect<T> {
    fn rev_collect(self) -> Vec<T>;
}

impl<T, I: Iterator<Item = T>> RevCollect<T> for I {
    fn rev_collect(self) -> Vec<T> {
        let mut all: Vec<T> = self.collect();
        all.reverse();
        all
    }
}

#[test]
fn a_prompt_for_append_runs_the_later_tools_too() {
    let node = tree();
    let prompt = Disclosure::new(&node)
        .delivery(Delivery::Append)
        .render()
        .unwrap();
    let calls = [open(&["a"]), call("2", "t_f", json!({}))];
    let plan = prompt.split(&calls);
    assert_eq!((plan.run().count(), plan.skipped().count()), (1, 0));
    let error = prompt.call_all(&calls, ran).unwrap_err();
    let results = error.into_expansion().unwrap().results(&calls);
    assert_eq!(results[1].content, "ran");
}

#[test]
fn counters_saturate() {
    let node = tree();
    let mut state = DisclosureState::default();
    state.opened_tokens = usize::MAX;
    let mut disclosure = Disclosure::new(&node).restore(state.clone());
    disclosure.handle(&[open(&["a"])]).unwrap();
    assert_eq!(disclosure.state().opened_tokens, usize::MAX);
    let mut limited = Disclosure::new(&node).max_opened_tokens(9).restore(state);
    assert!(limited.handle(&[open(&["a"])]).unwrap()[0].is_error);
    let error = limited.handle(&[open(&["a"])]).unwrap_err();
    assert_eq!(error.code().as_str(), "opened_tokens");
}

#[test]
fn arguments_that_are_no_json_are_answered() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node);
    let broken = call("1", "open_sections", json!("{\"section_keys\": [\"a\""));
    let answers = disclosure.handle(&[broken]).unwrap();
    assert!(
        answers[0].is_error
            && answers[0]
                .content
                .contains("arguments must be a JSON object"),
        "{answers:?}"
    );
    let text = call(
        "2",
        "open_sections",
        json!("{\"section_keys\": \"a\", \"reason\": null}"),
    );
    assert!(!disclosure.handle(&[text]).unwrap()[0].is_error);
    assert!(disclosure.render().unwrap().as_str().contains("full a"));
}

#[test]
fn what_a_budget_took_something_of_is_not_said_to_be_expanded() {
    let tree = json!({ "key": "root", "sections": [
        { "key": "guide", "body": "g g g", "summary": "A guide, with stops and more that is of use.", "priority": 50, "sections": [
            { "key": "stops", "body": "s ".repeat(20), "priority": 20 },
        ] },
        { "key": "maps", "body": "m ".repeat(30), "priority": 10 },
    ] });
    let node = DynamicNode::from_json(&tree.to_string()).unwrap();
    let words = |text: &str| text.split_whitespace().count();
    for delivery in [Delivery::Rerender, Delivery::Append] {
        let mut disclosure = Disclosure::new(&node)
            .delivery(delivery)
            .configure(|prompt| prompt.budget(Budget::tokens(30).counter(&words).degrade(false)));
        let mut tight = disclosure
            .clone()
            .configure(|prompt| prompt.budget(Budget::tokens(10).counter(&words).degrade(false)));
        assert_eq!(tight.render().unwrap().as_str(), "# Guide\n\ng g g");
        let answers = tight.handle(&[open(&["guide"])]).unwrap();
        assert!(
            !answers[0].content.contains("already expanded"),
            "{answers:?}"
        );
        assert_eq!(
            answers[0].content.contains("17 tokens are missing"),
            delivery == Delivery::Rerender
        );
        assert_eq!(
            answers[0].content.contains("s s s"),
            delivery == Delivery::Append
        );
        // Shown with all that is in it.
        let answers = disclosure.handle(&[open(&["guide"])]).unwrap();
        assert!(
            answers[0].content.contains("already expanded"),
            "{answers:?}"
        );
    }
}

#[test]
fn an_appended_tag_stands_in_the_tags_around_it() {
    let node = tree();
    let mut disclosure = Disclosure::new(&node)
        .delivery(Delivery::Append)
        .configure(|prompt| prompt.style(Style::Xml));
    disclosure.handle(&[open(&["p"])]).unwrap();
    let answers = disclosure.handle(&[open(&["p.c", "a"])]).unwrap();
    assert_eq!(
        answers[0].content,
        "<p>\n  <c>\nfull c\n  </c>\n</p>\n<a>\nfull a\n</a>"
    );
}

#[test]
fn many_sections_are_opened_one_by_one_in_linear_turns() {
    let sections: Vec<Value> = (0..2_000)
        .map(|n| json!({ "key": format!("s{n}"), "body": "full", "summary": "short", "visibility": "summary" }))
        .collect();
    let node = json!({ "key": "root", "sections": sections });
    let node = DynamicNode::from_json(&node.to_string()).unwrap();
    let mut disclosure = Disclosure::new(&node).delivery(Delivery::Append);
    let keys: Vec<String> = (0..2_000).map(|n| format!("s{n}")).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let answers = disclosure.handle(&[open(&keys)]).unwrap();
    assert!(!answers[0].is_error);
    let answers = disclosure.handle(&[open(&keys)]).unwrap();
    assert!(
        answers[0].content.matches('\'').count() <= 80,
        "{answers:?}"
    );
}
