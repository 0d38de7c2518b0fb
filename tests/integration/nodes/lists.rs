//! Lists and maps as sections.

use super::prints;
use prompt_core::PromptError;
use prompt_core::PromptNode;
use prompt_core::Style;
use prompt_core::Visibility;
use std::collections::BTreeMap;

/// {name} is {role}.
#[derive(Clone, PromptNode)]
struct Member {
    name: &'static str,
    role: &'static str,
}

fn members() -> Vec<Member> {
    vec![
        Member {
            name: "ada",
            role: "head",
        },
        Member {
            name: "bo",
            role: "cook",
        },
    ]
}

#[test]
fn texts_are_bullets() {
    #[derive(PromptNode)]
    struct Texts {
        /// These:
        #[section]
        rules: Vec<String>,
        #[section(join = "\n\n")]
        wide: [&'static str; 2],
    }
    let texts = Texts {
        rules: vec!["one\ntwo\n\nthree".into(), " ".into(), "four".into()],
        wide: ["a", "b"],
    };
    prints(
        &texts,
        &[
            "# Rules", "", "These:", "", "- one", "  two", "", "  three", "- four", "", "# Wide",
            "", "- a", "", "- b",
        ],
    );
}

#[test]
fn item_says_how_an_item_prints() {
    #[derive(PromptNode)]
    struct Items {
        #[section(
            item = "{index}) {item.name}: {item.role}",
            join = ";\n",
            last = "; and\n"
        )]
        members: Vec<Member>,
        #[section(item = "* {item}", when = true)]
        numbers: Vec<u8>,
        #[section(item = "{item.0} -> {item.1.role}")]
        map: BTreeMap<&'static str, Member>,
    }
    let map = members()
        .into_iter()
        .map(|member| (member.name, member))
        .collect();
    let items = Items {
        members: [members(), members()].concat(),
        numbers: vec![3, 2],
        map,
    };
    prints(
        &items,
        &[
            "# Members",
            "",
            "1) ada: head;",
            "2) bo: cook;",
            "3) ada: head; and",
            "4) bo: cook",
            "",
            "# Numbers",
            "",
            "* 3",
            "* 2",
            "",
            "# Map",
            "",
            "ada -> head",
            "bo -> cook",
        ],
    );
}

#[test]
fn nodes_are_titled_subsections() {
    #[derive(PromptNode)]
    struct Teams {
        #[section(item_title = "{index}: {item.name}")]
        given: Vec<Member>,
        #[section]
        own: Vec<Titled>,
        #[section(title = "Member")]
        counted: Vec<Member>,
        #[section]
        map: BTreeMap<&'static str, Member>,
    }
    #[derive(PromptNode)]
    #[prompt(title = "Own {n}")]
    struct Titled {
        n: u8,
    }
    let map = members()
        .into_iter()
        .map(|member| (member.name, member))
        .collect();
    let teams = Teams {
        given: members(),
        own: vec![Titled { n: 4 }],
        counted: members(),
        map,
    };
    let rendered = teams.prompt().render().unwrap();
    let headings: Vec<&str> = rendered
        .as_str()
        .lines()
        .filter(|line| line.starts_with('#'))
        .collect();
    assert_eq!(
        headings,
        [
            "# Given",
            "## 1: ada",
            "## 2: bo",
            "# Own",
            "## Own 4",
            "# Member",
            "## Member 1",
            "## Member 2",
            "# Map",
            "## ada",
            "## bo"
        ]
    );
    let paths: Vec<String> = rendered
        .sections()
        .into_iter()
        .map(|section| section.path)
        .collect();
    assert_eq!(paths[..5], ["given", "given.0", "given.1", "own", "own.0"]);
    assert!(
        rendered.as_str().starts_with(
            "# Given\n\n## 1: ada\n\nada is head.\n\n## 2: bo\n\nbo is cook.\n\n# Own"
        )
    );
}

#[test]
fn untitled_items_follow_each_other() {
    /// Before
    /// {tight}
    /// After
    #[derive(PromptNode)]
    struct Untitled {
        #[section(untitled, join = "\n")]
        tight: Vec<Member>,
        #[section(untitled)]
        loose: Vec<Member>,
        #[section(untitled, join = ", ", last = " and ")]
        sentence: Vec<Member>,
    }
    let three = [members(), members()[..1].to_vec()].concat();
    prints(
        &Untitled {
            tight: members(),
            loose: members(),
            sentence: three,
        },
        &[
            "Before",
            "ada is head.",
            "bo is cook.",
            "After",
            "",
            "ada is head.",
            "",
            "bo is cook.",
            "",
            "ada is head., bo is cook. and ada is head.",
        ],
    );
}

#[derive(PromptNode)]
struct Keyed {
    #[section(item_key = name, item_title = "{item.name}")]
    team: Vec<Member>,
}

fn keyed(names: &[&'static str]) -> Result<Vec<String>, PromptError> {
    let team = names
        .iter()
        .map(|name| Member { name, role: "x" })
        .collect();
    let rendered = Keyed { team }.prompt().render()?;
    Ok(rendered
        .sections()
        .into_iter()
        .map(|section| section.path)
        .collect())
}

#[test]
fn item_key_names_the_path() {
    assert_eq!(
        keyed(&["ada", "bo-2"]).unwrap(),
        ["team", "team.ada", "team.bo-2"]
    );
}

#[test]
fn item_keys_are_checked_at_run_time() {
    for bad in ["Ada", "", "a b", "a.b", "_a"] {
        let error = keyed(&["bo", bad]).unwrap_err();
        assert_eq!(
            error,
            PromptError::InvalidKey {
                path: "team".into(),
                key: bad.into()
            }
        );
        assert_eq!(error.code().as_str(), "invalid_key");
    }
    let error = keyed(&["bo", "ada", "bo"]).unwrap_err();
    assert_eq!(
        error,
        PromptError::DuplicateKey {
            path: "team".into(),
            key: "bo".into()
        }
    );
    assert_eq!(error.code().as_str(), "duplicate_key");
}

#[test]
fn item_tag_is_a_tag_around_each_item() {
    #[derive(PromptNode)]
    struct Tagged {
        #[section(tag = "rules", item_tag = "rule")]
        rules: Vec<&'static str>,
        #[section(item_tag = "member")]
        members: Vec<Member>,
    }
    prints(
        &Tagged {
            rules: vec!["a", "b"],
            members: members(),
        },
        &[
            "<rules>",
            "  <rule>a</rule>",
            "  <rule>b</rule>",
            "</rules>",
            "",
            "# Members",
            "",
            "<member>",
            "ada is head.",
            "</member>",
            "",
            "<member>",
            "bo is cook.",
            "</member>",
        ],
    );
}

#[test]
fn summaries_of_items() {
    #[derive(PromptNode)]
    struct Summaries {
        #[section(visibility = "summary", summary = "{item.name}, {index}", item_key = name, item_title = "{item.name}")]
        team: Vec<Member>,
    }
    let rendered = Summaries { team: members() }.prompt().render().unwrap();
    assert!(
        rendered
            .as_str()
            .ends_with("\n\n- team.ada: ada, 1\n- team.bo: bo, 2"),
        "{rendered}"
    );
    assert!(!rendered.as_str().contains("is head"));
    let shown: Vec<_> = rendered
        .sections()
        .into_iter()
        .map(|section| (section.path, section.visibility))
        .collect();
    let expected = [
        ("team", Visibility::Full),
        ("team.ada", Visibility::Summary),
        ("team.bo", Visibility::Summary),
    ];
    assert_eq!(
        shown,
        expected.map(|(path, visibility)| (path.to_owned(), visibility))
    );
}

#[test]
fn absent_items_leave_no_trace() {
    #[derive(PromptNode)]
    struct Options {
        #[section(untitled)]
        list: Vec<Option<Member>>,
        #[section]
        gone: Vec<Option<Member>>,
    }
    let [ada, bo]: [Member; 2] = members().try_into().ok().unwrap();
    let list = vec![None, Some(ada), None, Some(bo), None];
    prints(
        &Options {
            list,
            gone: vec![None, None],
        },
        &["ada is head.", "", "bo is cook."],
    );
}

#[test]
fn nested_lists_hang() {
    #[derive(PromptNode)]
    struct Nested {
        #[section(untitled, join = "\n")]
        steps: Vec<Step>,
    }
    #[derive(PromptNode)]
    #[prompt(template = "{number}. {words}\n    {parts}")]
    struct Step {
        number: u8,
        #[var(hang)]
        words: &'static str,
        #[section(untitled, join = "\n")]
        parts: Vec<Step>,
    }
    let leaf = |number, words| Step {
        number,
        words,
        parts: vec![],
    };
    let inner = Step {
        number: 1,
        words: "b\nc",
        parts: vec![leaf(7, "d")],
    };
    let steps = vec![
        Step {
            number: 1,
            words: "a",
            parts: vec![inner, leaf(2, "e")],
        },
        leaf(2, "f"),
    ];
    prints(
        &Nested { steps },
        &[
            "1. a",
            "    1. b",
            "       c",
            "        7. d",
            "    2. e",
            "2. f",
        ],
    );
}

#[test]
fn a_fence_per_file_with_its_info_string() {
    #[derive(PromptNode)]
    struct Files {
        #[section(item = "```{item.language}\n{item.text}\n```", join = "\n\n")]
        files: Vec<File>,
        #[section(item_title = "{item.language}")]
        nodes: Vec<File>,
    }
    #[derive(Clone, PromptNode)]
    #[prompt(template = "```{language} title=\"{language}\"\n{text}\n```")]
    struct File {
        language: &'static str,
        text: &'static str,
    }
    let files = vec![
        File {
            language: "rust",
            text: "# not a title",
        },
        File {
            language: "sh",
            text: "ls {x}",
        },
    ];
    prints(
        &Files {
            files: files.clone(),
            nodes: files,
        },
        &[
            "# Files",
            "",
            "```rust",
            "# not a title",
            "```",
            "",
            "```sh",
            "ls {x}",
            "```",
            "",
            "# Nodes",
            "",
            "## rust",
            "",
            "```rust title=\"rust\"",
            "# not a title",
            "```",
            "",
            "## sh",
            "",
            "```sh title=\"sh\"",
            "ls {x}",
            "```",
        ],
    );
}

#[test]
fn lists_in_xml() {
    #[derive(PromptNode)]
    struct Team {
        #[section]
        team: Vec<Member>,
    }
    let xml = Team { team: members() }
        .prompt()
        .style(Style::Xml)
        .text()
        .unwrap();
    assert_eq!(
        xml,
        "<team>\n  <item>\nada is head.\n  </item>\n  <item>\nbo is cook.\n  </item>\n</team>\n"
    );
}
