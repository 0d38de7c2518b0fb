//! `prompt.lint()`: each rule once broken and once kept.

use prompt_core::Budget;
use prompt_core::Code;
use prompt_core::DynamicNode;
use prompt_core::Markdown;
use prompt_core::PromptNode;
use prompt_core::Role;
use prompt_core::Style;
use prompt_core::Visibility;
use prompt_core::dynamic::DynamicNodeBuilder;
use prompt_core::lint::{Lint, Lints};

fn section(key: &str) -> DynamicNodeBuilder {
    DynamicNode::builder(key).body("text")
}

fn found(lints: &[Lint]) -> Vec<(Code, &str)> {
    lints
        .iter()
        .map(|lint| (lint.code, lint.path.as_str()))
        .collect()
}

#[test]
fn a_clean_prompt_has_no_lints() {
    /// ## How to work
    ///
    /// {PROMPT_SUBTREE}
    #[derive(PromptNode)]
    struct Clean {
        #[section(priority = 50, cache)]
        rules: Vec<String>,
        #[section(priority = 20, volatile)]
        today: String,
    }
    let clean = Clean {
        rules: vec!["One.".into()],
        today: "Monday".into(),
    };
    for style in [Style::Markdown, Style::Xml] {
        assert_eq!(clean.prompt().style(style).lint(), []);
    }
}

#[test]
fn each_lint_of_a_tag_says_what_is_wrong() {
    let long = "a".repeat(33);
    for (tag, said, help) in [
        (
            "twoParts",
            "is not in snake case, or starts with `xml`",
            "write `two_parts`",
        ),
        (
            "section_3",
            "does not say what it holds",
            "say what is in it",
        ),
        (
            long.as_str(),
            "has a long name",
            "use at most 32 characters",
        ),
    ] {
        let node = section("agent")
            .section(section("a").tag(tag))
            .build()
            .unwrap();
        let lints = node.prompt().lint();
        assert_eq!(lints[0].message, format!("the tag `{tag}` {said}"));
        assert_eq!(lints[0].help, help);
    }
}

#[test]
fn a_name_and_nesting_are_told_once() {
    let six = ["one", "two", "three", "four", "five", "six"];
    let deep = six
        .into_iter()
        .rev()
        .fold(None, |inner: Option<DynamicNodeBuilder>, key| {
            let node = section(key).tag("BadName");
            Some(match inner {
                Some(inner) => node.section(inner),
                None => node,
            })
        });
    let node = section("agent").section(deep.unwrap()).build().unwrap();
    let lints = node.prompt().style(Style::Xml).lint();
    assert_eq!(
        found(&lints),
        [
            (Code::Naming, "one"),
            (Code::OverNesting, "one.two.three.four.five")
        ]
    );
    assert_eq!(
        lints[1].message,
        "the tag `BadName` is nested over 4 levels deep"
    );
}

#[test]
fn tags_are_linted_in_the_style_that_prints_them() {
    let node = section("agent")
        .section(section("two-parts"))
        .section(section("rules").tag("Rules"))
        .build()
        .unwrap();
    let lints = node.prompt().lint();
    assert_eq!(found(&lints), [(Code::Naming, "rules")]);
    assert_eq!(lints[0].help, "write `rules`");
    let lints = node.prompt().style(Style::Xml).lint();
    assert_eq!(
        found(&lints),
        [(Code::Naming, "two-parts"), (Code::Naming, "rules")]
    );
}

#[test]
fn nesting_counts_the_tags_that_headings_become() {
    /// # One
    ///
    /// ## Two
    ///
    /// ### Three
    ///
    /// {PROMPT_SUBTREE}
    #[derive(PromptNode)]
    struct Deep {
        #[section]
        four: Four,
    }
    /// Text.
    #[derive(PromptNode)]
    struct Four {
        #[section]
        five: String,
    }
    let deep = Deep {
        four: Four { five: "x".into() },
    };
    assert_eq!(
        found(&deep.prompt().style(Style::Xml).lint()),
        [(Code::OverNesting, "four.five")]
    );
}

/// In XML: those of `start` and `end`. What values hold is their own, and those of their templates become tags.
#[test]
fn headings_of_the_author_that_do_not_become_tags() {
    #[derive(PromptNode)]
    struct Mixed {
        #[section]
        notes: Markdown,
        #[section]
        text: String,
        #[section]
        list: Vec<String>,
        /// ## A tag
        ///
        /// {words}
        #[section(summary = "In short:\n{words}")]
        own: (),
        /// {names}
        #[section]
        of_template: (),
        #[section]
        framed: Framed,
        words: &'static str,
        #[var(item = "## {item}\n\nA name.")]
        names: Vec<&'static str>,
    }
    /// Text.
    #[derive(PromptNode)]
    #[prompt(start = "# Begin\n")]
    struct Framed;
    let mixed = Mixed {
        notes: "# Steam\n\nLast of all.".into(),
        text: "# Heat\n\nFirst.".into(),
        list: vec!["# no heading".into()],
        own: (),
        of_template: (),
        framed: Framed,
        words: "# Cold",
        names: vec!["Ida", "# Bo"],
    };
    let lints = mixed.prompt().style(Style::Xml).lint();
    assert_eq!(found(&lints), [(Code::MixedStyle, "framed")]);
    assert_eq!(lints[0].message, "the tag `framed` holds Markdown headings");
    let text = mixed.prompt().style(Style::Xml).text().unwrap();
    assert!(
        text.contains("<ida>") || text.contains("title=\"Ida\""),
        "{text}"
    );
}

/// A `Markdown` value moves its headings to the level of its place, whatever stands above it.
#[test]
fn headings_of_markdown_values_end_no_section() {
    #[derive(PromptNode)]
    struct Skills {
        #[section(untitled_items)]
        skills: Vec<Skill>,
        #[section(untitled)]
        tail: Markdown,
    }
    #[derive(PromptNode)]
    struct Skill {
        #[section(untitled)]
        body: Markdown,
    }
    #[derive(PromptNode)]
    struct Words {
        #[section(untitled)]
        one: &'static str,
        #[section(untitled)]
        two: &'static str,
    }
    let body = "# Before you start\n\nLook.\n\n# Then\n\nGo.";
    let skill = || Skill { body: body.into() };
    let skills = Skills {
        skills: vec![skill(), skill()],
        tail: body.into(),
    };
    assert_eq!(found(&skills.prompt().lint()), []);
    let words = Words {
        one: body,
        two: body,
    };
    assert_eq!(found(&words.prompt().lint()), [(Code::HeadingInValue, "")]);
}

/// Each rule stands there once, with its first place.
#[test]
fn a_list_of_lints_prints_one_line_for_each_rule() {
    let tagged = |key: &str, tag: &str| section(key).tag(tag);
    let node = section("agent")
        .section(tagged("a", "twoParts"))
        .section(tagged("b", "section_3"))
        .section(tagged("c", "threeParts"))
        .section(tagged("d", "fourParts"));
    let lints = node.build().unwrap().prompt().lint();
    assert_eq!(lints.len(), 4);
    assert_eq!(
        lints.to_string(),
        "section `a`: the tag `twoParts` is not in snake case, or starts with `xml` [naming], and 2 more\n  \
         help: write `two_parts`\n\
         section `b`: the tag `section_3` does not say what it holds [generic_name]\n  \
         help: say what is in it"
    );
    let counts: Vec<usize> = lints.by_code().map(|(_, count)| count).collect();
    assert_eq!(counts, [3, 1]);
    assert_eq!(Lints::default().to_string(), "");
    let json = serde_json::to_value(&lints).unwrap();
    assert_eq!(json.as_array().map(Vec::len), Some(4));
}

#[test]
fn summaries_are_opened() {
    let inner = section("inner").tag("INNER");
    let hidden = section("hidden")
        .summary("short")
        .visibility(Visibility::Summary)
        .section(inner);
    let node = section("agent").section(hidden).build().unwrap();
    let budget = Budget::tokens(0);
    assert_eq!(
        found(&node.prompt().budget(budget).lint()),
        [
            (Code::SummarySavesNothing, "hidden"),
            (Code::Naming, "hidden.inner")
        ]
    );
}

#[test]
fn priorities_above_the_parent() {
    let node = section("agent")
        .section(
            section("low")
                .priority(10)
                .section(
                    section("high")
                        .priority(90)
                        .section(section("deep").priority(10)),
                )
                .section(section("same").priority(10))
                .section(section("required").priority(prompt_core::budget::Priority::Required)),
        )
        .section(section("top").priority(90))
        .build()
        .unwrap();
    let lints = node.prompt().lint();
    assert_eq!(
        found(&lints),
        [
            (Code::PriorityInversion, "low.high"),
            (Code::PriorityInversion, "low.required")
        ]
    );
    assert_eq!(
        lints[0].to_string(),
        "section `low.high`: its priority 90 is above the 10 of the section around it, with which it is dropped \
         [priority_inversion]\n  help: write 10 or less, or raise the priority of the section around it"
    );
}

#[test]
fn values_before_a_cache_point() {
    /// You answer for {shop}.
    ///
    /// {PROMPT_SUBTREE}
    #[derive(PromptNode)]
    struct Desk {
        shop: &'static str,
        /// By {shop}.
        #[section(cache)]
        manual: &'static str,
        #[section]
        today: &'static str,
    }
    /// It is {time}, at {time}.
    #[derive(PromptNode)]
    struct Clock {
        time: &'static str,
    }
    /// You answer for {shop}.
    ///
    /// {PROMPT_SUBTREE}
    #[derive(PromptNode)]
    #[prompt(allow(value_before_cache))]
    struct Constant {
        shop: &'static str,
        #[section]
        clock: Clock,
        #[section(cache)]
        manual: &'static str,
    }
    let desk = Desk {
        shop: "Nut & Bolt",
        manual: "Long.",
        today: "Monday.",
    };
    let lints = desk.prompt().lint();
    assert_eq!(found(&lints), [(Code::ValueBeforeCache, "")]);
    assert_eq!(
        lints[0].message,
        "the value `shop` stands before the cache point after `manual`: where it changes, nothing is read from the cache"
    );
    assert!(
        lints[0]
            .help
            .ends_with("allow the rule `value_before_cache`")
    );
    let constant = Constant {
        shop: "Nut & Bolt",
        clock: Clock { time: "noon" },
        manual: "Long.",
    };
    assert_eq!(constant.prompt().lint(), []);
    let file = |allow: &str| {
        let text = format!(
            r#"{{ {allow} "key": "page", "body": "For {{shop}}.", "sections": [{{ "key": "manual", "body": "Long.", "cache": true }}] }}"#
        );
        DynamicNode::from_json_with(&text, serde_json::json!({ "shop": "N" })).unwrap()
    };
    assert_eq!(file("").prompt().lint().len(), 1);
    assert_eq!(
        file(r#""allow": ["value_before_cache"],"#).prompt().lint(),
        []
    );
}

#[test]
fn advice_is_switched_off_where_it_is_allowed() {
    #[derive(PromptNode)]
    #[prompt(template = "")]
    struct Page {
        #[section(tag = "Data")]
        inner: Inner,
        #[section(tag = "Text", priority = 90)]
        outside: &'static str,
    }
    #[derive(PromptNode)]
    #[prompt(template = "", allow(naming, generic_name))]
    struct Inner {
        #[section(tag = "Info")]
        deep: &'static str,
    }
    #[derive(PromptNode)]
    #[prompt(template = "", allow(naming, generic_name))]
    struct All {
        #[section(untitled)]
        page: Page,
    }
    let page = || Page {
        inner: Inner { deep: "a" },
        outside: "b",
    };
    let codes = |lints: Lints| {
        lints
            .into_iter()
            .map(|lint| (lint.code, lint.path))
            .collect::<Vec<_>>()
    };
    let told = |path: &str| (Code::Naming, path.to_owned());
    assert_eq!(codes(page().prompt().lint()), [told("outside")]);
    assert_eq!(codes(All { page: page() }.prompt().lint()), []);
    let file = |allow: &str| {
        let text = format!(
            r#"{{ {allow} "key": "page", "sections": [{{ "key": "a", "tag": "Rules", "body": "x" }}] }}"#
        );
        DynamicNode::from_json(&text).unwrap().prompt().lint().len()
    };
    assert_eq!((file(""), file(r#""allow": ["naming"],"#)), (1, 0));
}

/// What a Markdown value has, the grammar's rules see.
#[test]
fn headings_of_markdown_values() {
    #[derive(PromptNode)]
    #[prompt(template = "")]
    struct Page {
        #[section]
        notes: Markdown,
    }
    let lints = |notes: &str| {
        let notes = notes.into();
        Page { notes }
            .prompt()
            .lint()
            .iter()
            .map(|lint| lint.code)
            .collect::<Vec<_>>()
    };
    assert_eq!(lints("Title\n=====\n\nWords."), [Code::SetextHeading]);
    assert_eq!(lints("Words.\n\n---\n\nMore."), []);
    assert_eq!(lints("Run:\n```sh\nmake\n"), [Code::UnclosedFence]);
    assert_eq!(lints("Run:\n```sh\nmake\n```"), []);
}

/// A value that opens a fence which does not close takes what stands behind it, wherever it is printed: also where `max` has cut
/// it, or words behind it spoil its end.
#[test]
fn fences_that_values_leave_open() {
    /// Log:
    ///
    /// {log}
    ///
    /// Text {text} and more.
    #[derive(PromptNode)]
    struct Page {
        #[var(max = 20, more = " ..")]
        log: &'static str,
        text: &'static str,
    }
    #[derive(PromptNode)]
    #[prompt(template = "", allow(unclosed_fence))]
    struct Prefill {
        #[section]
        page: Page,
    }
    let page = |log, text| Page { log, text };
    let lints = |log, text| {
        let lints = page(log, text).prompt().lint();
        let name = |lint: &Lint| {
            (
                lint.code,
                lint.message.split('`').nth(1).unwrap().to_owned(),
            )
        };
        lints.iter().map(name).collect::<Vec<_>>()
    };
    let told = |name: &str| (Code::UnclosedFence, name.to_owned());
    let long = "Run\n```sh\nmake all && make test\n```\nDone.";
    assert_eq!(lints(long, "a"), [told("log")]);
    assert_eq!(lints("```\nshort\n```", "a"), []);
    assert_eq!(lints("", "a\n```\nb\n```"), [told("text")]);
    assert_eq!(lints("", "a\n```\nb\n```\n"), []);
    assert_eq!(lints("> ```\n> a", "a"), []);
    assert_eq!(lints("a ```b", "c"), []);
    assert_eq!(
        Prefill {
            page: page(long, "a")
        }
        .prompt()
        .lint(),
        []
    );
    let file = r#"{ "key": "k", "body": "Log:\n\n{log}\n\nEnd." }"#;
    let log = "a\n```\nb";
    let node = DynamicNode::from_json_with(file, serde_json::json!({ "log": log })).unwrap();
    assert_eq!(node.prompt().lint()[0].code, Code::UnclosedFence);
    let file = r#"{ "key": "k", "vars": { "log": { "untrusted": true } }, "body": "Log:\n\n{log}\n\nEnd." }"#;
    let node = DynamicNode::from_json_with(file, serde_json::json!({ "log": log })).unwrap();
    assert_eq!(node.prompt().lint(), []);
}

/// Where `join` says what stands between items, and in a tag, nobody misses a blank line.
#[test]
fn headings_that_touch_by_request() {
    #[derive(PromptNode)]
    #[prompt(template = "")]
    struct Skill {
        #[section(title = "How")]
        body: &'static str,
    }
    #[derive(PromptNode)]
    #[prompt(template = "", tag = "skills")]
    struct Joined {
        #[section(untitled_items, join = "\n")]
        skills: Vec<Skill>,
    }
    let skills = || vec![Skill { body: "Knock." }, Skill { body: "Wait." }];
    let node = Joined { skills: skills() };
    let text = node.prompt().text().unwrap();
    assert!(
        text.starts_with("<skills>\n# Skills") && text.contains("Knock.\n## How"),
        "{text}"
    );
    assert_eq!(node.prompt().lint(), []);
    /// Do it.
    /// {body}
    #[derive(PromptNode)]
    struct Touching {
        #[section]
        body: &'static str,
    }
    let lints = Touching { body: "Knock." }.prompt().lint();
    assert_eq!(found(&lints), [(Code::TouchingHeading, "body")]);
}

#[test]
fn volatile_sections_before_a_cache_point() {
    let node = section("agent")
        .section(section("today").volatile())
        .section(section("rules").cache(0))
        .section(section("now").volatile())
        .build()
        .unwrap();
    let lints = node.prompt().lint();
    assert_eq!(found(&lints), [(Code::VolatileBeforeCache, "today")]);
    assert!(lints[0].help.contains("`rules`"), "{}", lints[0]);
}

#[test]
fn turns_come_after_the_system_text() {
    let node = section("agent")
        .section(section("question").role(Role::User).volatile())
        .section(section("rules").cache(0))
        .build()
        .unwrap();
    assert_eq!(node.prompt().lint(), []);
}

#[test]
fn heading_levels_of_run_time_texts() {
    let body = "## Top\n\n#### Deep\n\n# Above";
    let node = DynamicNode::builder("agent")
        .section(DynamicNode::builder("text").body(body))
        .build()
        .unwrap();
    let lints = node.prompt().lint();
    assert_eq!(
        found(&lints),
        [
            (Code::SkippedLevel, "text"),
            (Code::HeadingAboveTop, "text")
        ]
    );
    assert_eq!(
        lints[0].message,
        "body, line 3: a heading of level 4 follows one of level 2"
    );
    assert!(
        lints[0].help.starts_with("write it with 3 hashes, or "),
        "{}",
        lints[0].help
    );
}

#[test]
fn a_prompt_that_cannot_be_rendered_says_why() {
    let node = DynamicNode::builder("agent")
        .body("Hello {name}.")
        .build()
        .unwrap();
    let lints = node.prompt().lint();
    assert_eq!(found(&lints), [(Code::MissingValue, "")]);
}

#[test]
fn lints_serialise() {
    let node = section("agent")
        .section(section("a").tag("section_3"))
        .build()
        .unwrap();
    let json = serde_json::to_value(node.prompt().lint()).unwrap();
    assert_eq!(json[0]["code"], "generic_name");
    assert_eq!(json[0]["path"], "a");
}

#[test]
fn a_heading_directly_below_a_line_is_told_but_where_a_gap_is_given() {
    /// It is **SEV1** now.
    /// {on_call}
    ///
    /// # Top
    ///
    /// {absent}
    /// {services}
    #[derive(PromptNode)]
    struct Desk {
        #[section]
        on_call: &'static str,
        #[section]
        absent: Option<&'static str>,
        #[section]
        services: &'static str,
    }
    let desk = Desk {
        on_call: "Ines.",
        absent: None,
        services: "api",
    };
    assert_eq!(
        desk.prompt().text().unwrap(),
        "It is **SEV1** now.\n# On Call\n\nInes.\n\n# Top\n## Services\n\napi"
    );
    let lints = desk.prompt().lint();
    let touching = Code::TouchingHeading;
    assert_eq!(
        found(&lints),
        [(touching, "on_call"), (touching, "services")]
    );
    assert!(lints[0].message.ends_with("`It is **SEV1** now.`"));
    assert!(lints[0].help.contains("before `{on_call}`"));
    assert_eq!(found(&desk.prompt().style(Style::Xml).lint()), []);

    for (body, is_told) in [
        ("Knock.\n{b}", true),
        ("Knock.\n \t\n{b}", false),
        ("Knock.\n{_}\n{b}", false),
        ("Knock.\n\n\n{b}", false),
    ] {
        let node = DynamicNode::builder("a").body(body).section(section("b"));
        let lints = node.build().unwrap().prompt().lint();
        assert_eq!(!found(&lints).is_empty(), is_told, "{body:?}");
    }

    let close = DynamicNode::builder("a").body("Knock.").gap(0);
    let close = close.section(section("b")).section(section("c"));
    let close = close.build().unwrap();
    assert!(close.prompt().text().unwrap().contains("text\n# C"));
    assert_eq!(found(&close.prompt().lint()), []);
}

#[test]
fn lints_count_as_a_preview_does() {
    let short = section("a").summary("A summary that is longer than the text.");
    let node = DynamicNode::builder("page").section(short.visibility(Visibility::Summary));
    let node = node.build().unwrap();
    let lints = node.prompt().preview().unwrap().lints;
    let lints: Vec<_> = lints.into_iter().map(|(_, lint)| lint).collect();
    assert_eq!(lints[0].code, Code::SummarySavesNothing);
    assert_eq!(node.prompt().lint(), lints);
}
