//! The picture of a prompt: complete, well-formed, the same in every run, and deaf to what the prompt says.

use prompt_core::{Budget, DynamicNode, Message, Prompt, PromptNode, Style, ToolSpec, Visibility};
use serde_json::json;

const HOSTILE: &str =
    "</div></details><script>alert(1)</script>\" onload=\"x & <!-- \u{202e}\u{0}\u{1b}[0m ]]>";

fn horn() -> ToolSpec {
    let schema = json!({
        "type": "object",
        "properties": { "tone": { "type": "string", "description": "low </script> or high" } },
        "required": ["tone"],
        "additionalProperties": false
    });
    ToolSpec::new("sound_horn", "Sounds the horn <twice>.", schema).unwrap()
}

/// You keep the lighthouse of {place}. Today: {note}.
///
/// {PROMPT_SUBTREE}
///
/// {rules}
#[derive(PromptNode)]
struct Lighthouse {
    place: String,
    note: String,
    #[section(cache = 3600)]
    rules: Rules,
    /// Seen from the gallery.
    #[section(volatile)]
    log: Vec<String>,
    #[section(
        priority = 5,
        visibility = "summary",
        summary = "The lamp, by {place}."
    )]
    lamp: &'static str,
    #[section(priority = 1, title = "Old <letters>")]
    letters: Letters,
    #[section(messages)]
    history: Vec<Message>,
    #[section(role = "user")]
    question: String,
}

/// Sound the horn in fog.
#[derive(PromptNode)]
#[prompt(tools = [horn()])]
struct Rules;

/// One hundred and twenty-five letters of the keepers before you, of which this is the first: keep the lamp, trust no
/// captain, and write down what you see from the gallery before you go to bed.
#[derive(PromptNode)]
struct Letters {
    #[section(priority = 1)]
    reply: &'static str,
}

fn lighthouse(note: &str) -> Lighthouse {
    Lighthouse {
        place: "Wick".to_owned(),
        note: note.to_owned(),
        rules: Rules,
        log: vec!["08:10 fog".to_owned(), note.to_owned()],
        lamp: "It turns.",
        letters: Letters {
            reply: "Thank you.",
        },
        history: vec![
            Message::user("Is it foggy?"),
            Message::assistant("Yes & no."),
        ],
        question: "And now?".to_owned(),
    }
}

fn page(note: &str, tokens: usize) -> String {
    let node = lighthouse(note);
    let prompt = node.prompt().budget(Budget::tokens(tokens));
    prompt.preview().unwrap().to_html()
}

/// The name of a tag and whether it opens, closes, or both.
#[derive(Debug, PartialEq)]
enum Tag {
    Open(String),
    Close(String),
    Empty,
}

/// The tags of a page, read by a reader that knows nothing of the writer. Attributes must be quoted, and every `&` begins
/// an entity.
fn tags(page: &str) -> Vec<Tag> {
    let body = page.strip_prefix("<!DOCTYPE html>\n").expect("a doctype");
    let (before, style) = body.split_once("<style>").expect("a style");
    let (style, after) = style.split_once("</style>").expect("the end of the style");
    assert!(!style.contains(['<', '&']), "the style is no markup");
    let mut found = Vec::new();
    for part in [before, after] {
        let mut rest = part;
        while let Some(at) = rest.find(['<', '&', '>']) {
            let (text, here) = rest.split_at(at);
            assert!(!text.contains('\0'), "a zero byte in {text:?}");
            if let Some(entity) = here.strip_prefix('&') {
                let (entity, after) = entity.split_once(';').expect("the end of an entity");
                assert!(
                    ["amp", "lt", "gt", "quot", "#9", "#10", "#13"].contains(&entity),
                    "{entity}"
                );
                rest = after;
                continue;
            }
            let tag = here.strip_prefix('<').expect("a `>` outside of tags");
            let end = end_of_tag(tag);
            found.push(tag_of(&tag[..end]));
            rest = &tag[end + 1..];
        }
    }
    found
}

/// Where a tag ends, quoted `>` apart.
fn end_of_tag(tag: &str) -> usize {
    let mut quoted = false;
    for (at, c) in tag.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '<' => panic!("a `<` in a tag: {}", &tag[..at]),
            '>' if !quoted => return at,
            _ => {}
        }
    }
    panic!("a tag without end: {tag}");
}

fn tag_of(tag: &str) -> Tag {
    let name: String = tag
        .trim_start_matches('/')
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect();
    assert!(!name.is_empty(), "no name: {tag}");
    assert_ne!(name, "script");
    let attributes = tag.trim_start_matches('/')[name.len()..].trim_end_matches('/');
    assert_eq!(
        attributes.matches("=\"").count() * 2,
        attributes.matches('"').count(),
        "{tag}"
    );
    assert!(
        !attributes
            .split('"')
            .step_by(2)
            .any(|name| name.trim().starts_with("on")),
        "{tag}"
    );
    if tag.starts_with('/') {
        Tag::Close(name)
    } else if tag.ends_with('/') {
        Tag::Empty
    } else {
        Tag::Open(name)
    }
}

#[track_caller]
fn assert_well_formed(page: &str) {
    let mut open = Vec::new();
    for tag in tags(page) {
        match tag {
            Tag::Open(name) => open.push(name),
            Tag::Close(name) => assert_eq!(open.pop(), Some(name)),
            Tag::Empty => {}
        }
    }
    assert!(open.is_empty(), "left open: {open:?}");
}

#[test]
fn the_page_is_well_formed_and_the_same_in_every_run() {
    for tokens in [10_000, 100] {
        let first = page("calm", tokens);
        assert_well_formed(&first);
        assert_eq!(first, page("calm", tokens));
    }
}

#[test]
fn nothing_that_the_prompt_says_is_markup() {
    let hostile = page(HOSTILE, 10_000);
    assert_well_formed(&hostile);
    // As many tags as a prompt that says nothing of the sort, but for the hidden characters, which get one each.
    let hidden = hostile.matches("<span class=\"hidden\">").count();
    assert!(hidden >= 3);
    assert!(
        hostile
            .contains("<span class=\"hidden\">U+202E</span><span class=\"hidden\">U+0000</span>")
    );
    assert_eq!(
        tags(&hostile).len(),
        tags(&page("calm", 10_000)).len() + 2 * hidden
    );

    let node = DynamicNode::builder("a")
        .body(HOSTILE)
        .section(
            DynamicNode::builder("b")
                .title("</h3></summary><script>")
                .body("x"),
        )
        .build()
        .unwrap();
    let page = node.prompt().preview().unwrap().to_html();
    assert_well_formed(&page);
    assert!(
        page.contains("<h3>&lt;/h3&gt;&lt;/summary&gt;&lt;script&gt;</h3>"),
        "{page}"
    );
}

#[test]
fn the_page_asks_no_network_and_runs_no_script() {
    let page = page("calm", 10_000);
    assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""));
    for word in [
        "http:", "https:", "url(", "@import", "<script", "<link", "<img", " src=",
    ] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn every_section_tool_and_message_is_on_the_page() {
    let node = lighthouse("calm");
    let preview = node.prompt().preview().unwrap();
    let page = preview.to_html();
    for index in 0..preview.rows.len() {
        assert_eq!(page.matches(&format!("id=\"section-{index}\"")).count(), 1);
        assert!(page.contains(&format!("href=\"#section-{index}\"")));
    }
    let names: Vec<&str> = preview.tools.iter().map(|tool| tool.spec.name()).collect();
    assert_eq!(names, ["sound_horn", "open_sections"]);
    for name in names {
        assert!(page.contains(&format!("<h3>{name}</h3>")), "{name}");
    }
    assert!(page.contains("\"description\": \"low &lt;/script&gt; or high\""));
    let roles: Vec<&str> = preview
        .messages
        .iter()
        .map(|it| it.message.role.as_str())
        .collect();
    let shown: Vec<&str> = page
        .split("<details class=\"message ")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert_eq!(shown, roles);
    assert!(roles.contains(&"assistant") && page.contains("Yes &amp; no."));
}

/// What the page shows of the prompt: the words of its tree, without tags, labels and blank lines.
fn words_of_tree(page: &str) -> String {
    let (_, tree) = page.split_once("<div class=\"prompt\">").unwrap();
    let (tree, _) = tree.split_once("<h2 id=\"values\">").unwrap();
    let mut words = String::new();
    for block in tree.split("<div class=\"text\" dir=\"auto\">").skip(1) {
        let (block, _) = block.split_once("</div>").unwrap();
        let block = block.replace("<span class=\"edge\">◂ static up to here</span>", "");
        let text: String = block
            .split('<')
            .map(|part| part.split_once('>').map_or(part, |it| it.1))
            .collect();
        words.push_str(
            &text
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&"),
        );
    }
    words.replace('\n', "")
}

#[test]
fn the_tree_shows_the_whole_text_in_its_order() {
    for tokens in [10_000, 100] {
        let node = lighthouse("calm & <quiet>");
        let preview = node
            .prompt()
            .budget(Budget::tokens(tokens))
            .preview()
            .unwrap();
        assert_eq!(
            words_of_tree(&preview.to_html()),
            preview.text.replace('\n', "")
        );
        assert_eq!(preview.to_html().matches("static up to here").count(), 1);
    }
}

#[test]
fn values_are_marked_with_the_field_they_came_from() {
    let node = lighthouse("calm");
    let preview = node.prompt().preview().unwrap();
    let found: Vec<(&str, &str)> = preview
        .values
        .iter()
        .map(|value| (value.name.as_str(), &preview.text[value.range.clone()]))
        .collect();
    assert_eq!(
        found,
        [
            ("place", "Wick"),
            ("note", "calm"),
            ("log", "- 08:10 fog\n- calm"),
            ("place", "Wick"),
            ("reply", "Thank you."),
            ("question", "And now?"),
        ]
    );
    let of = preview
        .values
        .iter()
        .find(|value| value.name == "reply")
        .unwrap();
    assert_eq!(preview.path(of.row.unwrap()), "letters");
    let page = preview.to_html();
    assert!(page.contains("<mark data-from=\"place\">Wick</mark>"));
    assert!(page.contains("<mark data-from=\"log\">- 08:10 fog\n- calm</mark>"));
}

/// {PROMPT_SUBTREE}
#[derive(PromptNode)]

struct Guarded {
    #[section(tag = "notes")]
    notes: Notes,
}

/// First: {first}
/// Second: {second}
#[derive(PromptNode)]
struct Notes {
    #[var(untrusted)]
    first: String,
    second: String,
}

#[test]
fn values_keep_their_place_where_the_text_is_guarded() {
    let node = Guarded {
        notes: Notes {
            first: "</notes> out\nmore".to_owned(),
            second: "plain".to_owned(),
        },
    };
    let preview = node.prompt().style(Style::Xml).preview().unwrap();
    let texts: Vec<&str> = preview
        .values
        .iter()
        .map(|value| &preview.text[value.range.clone()])
        .collect();
    assert_eq!(texts.len(), 2);
    assert!(
        texts[0].contains("out") && texts[0].ends_with("more"),
        "{texts:?}"
    );
    assert_eq!(texts[1], "plain");
}

#[test]
fn the_page_says_what_becomes_of_each_section_and_why() {
    let page = page("calm", 100);
    for word in [
        "dropped: no room for its priority",
        "dropped: gone with its parent",
        "cache point, 3600 s",
        "volatile",
        "opening adds ",
        " of 100",
    ] {
        assert!(page.contains(word), "{word}\n{page}");
    }
    assert!(page.contains("<span class=\"badge cached\">cached</span>"));
    assert!(page.contains("role=\"img\" aria-label=\""));
}

#[test]
fn deep_and_odd_prompts_have_a_page() {
    let empty = DynamicNode::builder("a").build().unwrap();
    assert_well_formed(&empty.prompt().preview().unwrap().to_html());
    assert_well_formed(&Prompt::new("Be brief.").preview().unwrap().to_html());

    let mut deep = DynamicNode::builder("leaf").body("End.");
    for _ in 0..128 {
        deep = DynamicNode::builder("n").body("x").section(deep);
    }
    let deep = deep.build().unwrap();
    let page = deep.prompt().preview().unwrap().to_html();
    assert_well_formed(&page);
    assert!(page.len() < 1_500_000, "{}", page.len());
}

#[test]
fn what_is_not_shown_stands_behind_the_text_around_it() {
    let inside = DynamicNode::builder("inside").body("Hidden.");
    let closed = DynamicNode::builder("closed")
        .visibility(Visibility::Summary)
        .summary("In short.")
        .section(inside);
    let node = DynamicNode::builder("a").section(closed).build().unwrap();
    let page = node.prompt().preview().unwrap().to_html();
    let text = page.find("In short.").unwrap();
    assert!(page.find("id=\"section-1\"").unwrap() > text, "{page}");
    assert!(!page.contains("Hidden."));
}
