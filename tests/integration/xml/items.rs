//! Items of lists in tags: what `item_title` says is an attribute of the tag, and no heading stands in XML.

use prompt_core::{Code, DynamicNode, PromptNode, Style};
use serde_json::json;

struct Horse {
    name: &'static str,
    height: u16,
}

/// Height {height} cm.
#[derive(PromptNode)]
struct Mare {
    name: &'static str,
    height: u16,
    /// Not today.
    #[section]
    care: (),
}

const IDA: &str = "<item title=\"Horse Ida\">Height 170 cm.</item>";
const MAX: &str = "<item title=\"Horse Max &amp; co\">Height 150 cm.</item>";

fn horses() -> Vec<Horse> {
    vec![
        Horse {
            name: "Ida",
            height: 170,
        },
        Horse {
            name: "Max & co",
            height: 150,
        },
    ]
}

fn xml(node: &impl PromptNode) -> String {
    let text = node.prompt().style(Style::Xml).text().unwrap();
    assert!(!text.contains('#'), "{text}");
    text
}

#[test]
fn items_that_are_data_have_their_title_in_their_tag() {
    #[derive(PromptNode)]
    struct Stable {
        #[section(item_title = "Horse {item.name}", item = "Height {item.height} cm.")]
        horses: Vec<Horse>,
        #[section(
            item_title = "Horse {item.name}",
            item = "Height {item.height} cm.",
            untitled
        )]
        more: Vec<Horse>,
        #[section(
            item_title = "Horse {item.name}",
            item = "Height {item.height} cm.",
            item_tag = "horse"
        )]
        tagged: Vec<Horse>,
    }
    let stable = Stable {
        horses: horses(),
        more: horses(),
        tagged: horses(),
    };
    let tagged = [IDA, MAX].map(|item| item.replace("item", "horse"));
    let [ida, max] = &tagged;
    assert_eq!(
        xml(&stable),
        format!(
            "<horses>\n  {IDA}\n  {MAX}\n</horses>\n\n{IDA}\n\n{MAX}\n\n<tagged>\n  {ida}\n  {max}\n</tagged>\n"
        )
    );
    // A tag of the author's has the title in Markdown too, where else it would be lost.
    let markdown = stable.prompt().text().unwrap();
    assert!(
        markdown.ends_with(&format!("\n# Tagged\n\n{ida}\n\n{max}")),
        "{markdown}"
    );
    assert!(
        markdown.starts_with("# Horses\n\n## Horse Ida\n\nHeight 170 cm.\n\n## Horse Max & co\n"),
        "{markdown}"
    );
}

#[test]
fn so_have_texts_and_nodes() {
    #[derive(PromptNode)]
    struct Stable {
        #[section(item_title = "Rule {index}")]
        rules: Vec<String>,
        #[section(item_title = "Rule {index}", untitled)]
        more: Vec<String>,
        #[section(item_title = "Mare {item.name}")]
        mares: Vec<Mare>,
        #[section(item_title = "Mare {item.name}", untitled)]
        others: Vec<Mare>,
    }
    let mares = || {
        vec![Mare {
            name: "Ida",
            height: 170,
            care: (),
        }]
    };
    let stable = Stable {
        rules: vec!["Hay first.".into(), "Then\nwater.".into()],
        more: vec!["Doors shut.".into()],
        mares: mares(),
        others: mares(),
    };
    let care = |indent: &str| format!("{indent}<care>\nNot today.\n{indent}</care>");
    let expected = [
        "<rules>",
        "  <item title=\"Rule 1\">Hay first.</item>",
        "  <item title=\"Rule 2\">",
        "Then",
        "water.",
        "  </item>",
        "</rules>",
        "",
        "<item title=\"Rule 1\">Doors shut.</item>",
        "",
        "<mares>",
        "  <item title=\"Mare Ida\">",
        "Height 170 cm.",
        &care("    "),
        "  </item>",
        "</mares>",
        "",
        "<item title=\"Mare Ida\">",
        "Height 170 cm.",
        &care("  "),
        "</item>",
        "",
    ];
    assert_eq!(xml(&stable), expected.join("\n"));
}

#[test]
fn a_closed_item_is_a_tag_with_its_key() {
    #[derive(PromptNode)]
    struct Stable {
        #[section(
            item_key = name,
            item_title = "Horse {item.name}",
            item = "Height {item.height} cm.",
            visibility = "summary",
            summary = "About {item.name}."
        )]
        horses: Vec<Horse>,
    }
    let stable = Stable {
        horses: vec![
            Horse {
                name: "ida",
                height: 170,
            },
            Horse {
                name: "max",
                height: 150,
            },
        ],
    };
    assert_eq!(
        xml(&stable),
        [
            "<horses>",
            "[Call `open_sections` with the keys of those that you need, to read them in full.]",
            "  <item key=\"horses.ida\">About ida.</item>",
            "  <item key=\"horses.max\">About max.</item>",
            "</horses>",
            "",
        ]
        .join("\n")
    );
}

/// Of a type with a tag, or with a title of its own, that is said of the list goes before.
#[test]
fn the_title_of_the_list_goes_before_that_of_the_type() {
    /// Free.
    #[derive(PromptNode)]
    #[prompt(tag = "berth", title = "Own {number}", attr(number = self.number, title))]
    struct Berth {
        number: u8,
    }
    #[derive(PromptNode)]
    struct Port {
        #[section(item_title = "Berth {item.number}")]
        berths: Vec<Berth>,
        #[section]
        others: Vec<Berth>,
    }
    let port = Port {
        berths: vec![Berth { number: 7 }],
        others: vec![Berth { number: 8 }],
    };
    assert_eq!(
        xml(&port),
        "<berths>\n  <berth title=\"Berth 7\" number=\"7\">\nFree.\n  </berth>\n</berths>\n\n<others>\n  <berth number=\"8\" title=\"Own 8\">\nFree.\n  </berth>\n</others>\n"
    );
}

#[test]
fn so_it_is_at_run_time_and_no_lint_sees_a_heading() {
    let section = json!({
        "key": "horses", "value": "horses", "item": "{item.height}", "item_title": "Horse {item.name}",
    });
    let root = json!({ "key": "root", "sections": [section] });
    let node = DynamicNode::from_json(&root.to_string()).unwrap();
    let horse = |name: &str| json!({ "name": name, "height": 1 });
    let node = node
        .bind(json!({ "horses": [horse("a\nb"), horse("</horses>"), horse("")] }))
        .unwrap();
    assert_eq!(
        xml(&node),
        "<horses>\n  <item title=\"Horse a b\">1</item>\n  <item title=\"Horse &lt;/horses&gt;\">1</item>\n  <item title=\"Horse \">1</item>\n</horses>\n"
    );
    let lints = node.prompt().style(Style::Xml).lint();
    assert!(
        lints.iter().all(|lint| lint.code != Code::MixedStyle),
        "{lints:?}"
    );
}
