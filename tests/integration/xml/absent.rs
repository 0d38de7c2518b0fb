//! What is absent takes its own white space along, never that of the tag it would have stood in.

use prompt_core::{Budget, DynamicNode, PromptNode, Style};
use serde_json::json;

/// You mind the harbour.
///
/// {note}
///
/// # What is known
///
/// {watch}
///
/// {alarms}
///
/// Touch no valve.
///
/// ## What was done
///
/// {acts}
/// {log}
///
/// # What to do
///
/// {PROMPT_SUBTREE}
#[derive(PromptNode)]
struct Desk {
    note: &'static str,
    #[section(priority = 50)]
    watch: Option<String>,
    #[section(priority = 40)]
    alarms: Vec<String>,
    #[section(priority = 30, summary = "The acts.")]
    acts: Option<Part>,
    #[section(priority = 20)]
    log: Option<String>,
    #[section(priority = 45, tag = "calls", inline)]
    calls: Option<String>,
    #[section(priority = 35)]
    boats: Vec<Boat>,
    #[section(priority = 15, untitled)]
    rest: Option<Part>,
}

/// {first}
///
/// {second}
#[derive(PromptNode)]
struct Part {
    #[section]
    first: Option<String>,
    #[section]
    second: Option<String>,
}

/// {mate}
///
/// A boat.
#[derive(PromptNode)]
struct Boat {
    #[section]
    mate: Option<String>,
}

fn desk(mask: u32) -> Desk {
    let is = |bit: u32| mask & (1 << bit) != 0;
    let some = |bit: u32, words: &str| is(bit).then(|| words.to_owned());
    let part = |bit: u32| Part {
        first: some(bit, "One."),
        second: some(bit + 1, "Two."),
    };
    Desk {
        note: if is(0) { "It is night." } else { "" },
        watch: some(1, "Ines watches."),
        alarms: some(2, "Gate three").into_iter().collect(),
        acts: is(3).then(|| part(4)),
        log: some(5, "Nothing else."),
        calls: some(6, "Call the mate."),
        boats: is(7)
            .then(|| Boat {
                mate: some(1, "Max."),
            })
            .into_iter()
            .collect(),
        rest: is(8).then(|| part(2)),
    }
}

/// Each tag of the library's stands alone on its line, or around one line of text; no line is empty twice, or ends in blanks.
fn check(text: &str, context: &str) {
    for line in text.lines() {
        let trimmed = line.trim_start();
        let is_alone = trimmed.starts_with('<') && trimmed.find('>') == Some(trimmed.len() - 1);
        let is_around = trimmed.starts_with("<calls>") && trimmed.ends_with("</calls>");
        let is_tag = is_alone || is_around;
        assert!(
            is_tag || !trimmed.contains('<'),
            "{context}: {line:?} in\n{text}"
        );
        assert_eq!(line.trim_end(), line, "{context}: {text}");
    }
    assert!(!text.contains("\n\n\n"), "{context}: {text}");
    let names = text.split('<').filter_map(|rest| rest.split('>').next());
    let names = names.map(|name| name.trim_start_matches('/'));
    let names = names.filter(|name| prompt_core::xml::wrap(name, "").is_ok());
    prompt_core::xml::validate_known(text, names).unwrap();
}

#[test]
fn tags_stand_on_lines_of_their_own_whatever_is_absent() {
    for mask in 0..512 {
        let desk = desk(mask);
        let print = || desk.prompt().style(Style::Xml);
        let text = print().text().unwrap();
        check(&text, &format!("{mask:09b}"));
        assert_eq!(print().render().unwrap().as_str(), text);
        let roomy = print().budget(Budget::tokens(10_000)).render().unwrap();
        assert_eq!(roomy.as_str(), text);
        for limit in [90, 60, 45, 30] {
            if let Ok(cut) = print().budget(Budget::tokens(limit)).render() {
                check(cut.as_str(), &format!("{mask:09b} at {limit}"));
            }
        }
    }
}

#[test]
fn what_stands_first_in_a_tag_may_be_absent() {
    let print = |body: &str| {
        let c = json!({ "key": "c", "body": "{a}\n\nC.", "sections": [{ "key": "a", "when": "on", "body": "A." }] });
        let mut node = json!({
            "key": "root",
            "body": body,
            "sections": [{ "key": "a", "when": "on", "body": "A." }, { "key": "b", "body": "B." }],
        });
        if body.contains("{c}") {
            node["sections"].as_array_mut().unwrap().push(c);
        }
        let node = DynamicNode::from_json(&node.to_string()).unwrap();
        let node = node.bind(json!({ "on": false, "w": "W" })).unwrap();
        let text = |style| node.prompt().style(style).text().unwrap();
        (text(Style::Xml), text(Style::Markdown))
    };
    for (body, xml, markdown) in [
        (
            "# Top\n\n{a}\n\n{b}",
            "<top>\n  <b>\nB.\n  </b>\n</top>\n",
            "# Top\n\n## B\n\nB.",
        ),
        (
            "# Top\n\n{a}\n\nText {w}.\n\n{b}",
            "<top>\nText W.\n\n  <b>\nB.\n  </b>\n</top>\n",
            "# Top\n\nText W.\n\n## B\n\nB.",
        ),
        (
            "# Top\n{a}\nText {w}.\n\n{b}",
            "<top>\nText W.\n\n  <b>\nB.\n  </b>\n</top>\n",
            "# Top\nText W.\n\n## B\n\nB.",
        ),
        (
            "# Top\n\n{a}\n{b}",
            "<top>\n  <b>\nB.\n  </b>\n</top>\n",
            "# Top\n## B\n\nB.",
        ),
        (
            "{c}\n\n{b}",
            "<c>\nC.\n</c>\n\n<b>\nB.\n</b>\n",
            "# C\n\nC.\n\n# B\n\nB.",
        ),
    ] {
        let (in_xml, in_markdown) = print(body);
        assert_eq!(in_xml, xml, "{body}");
        assert_eq!(in_markdown, markdown, "{body}");
    }
}

#[test]
fn a_section_that_is_hidden_or_dropped_leaves_the_tag_its_line() {
    /// # Top
    ///
    /// {a}
    ///
    /// {b}
    #[derive(PromptNode)]
    struct Two {
        #[section(priority = 1, when = self.is_on)]
        a: &'static str,
        #[section]
        b: &'static str,
        is_on: bool,
    }
    let expected = "<top>\n  <b>\nB.\n  </b>\n</top>\n";
    let two = |is_on| Two {
        a: "Some words of A that are many.",
        b: "B.",
        is_on,
    };
    assert_eq!(
        two(false).prompt().style(Style::Xml).text().unwrap(),
        expected
    );
    let two = two(true);
    let print = || two.prompt().style(Style::Xml);
    let cut = print().budget(Budget::tokens(16)).render().unwrap();
    assert_eq!(cut.as_str(), expected);
}
