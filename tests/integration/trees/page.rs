//! The page of a prompt: complete, well-formed, the same in every run, and deaf to what the prompt says.

use prompt_core::disclosure::{Delivery, Disclosure};
use prompt_core::lint::Lints;
use prompt_core::prompt::{AbsentReason, Numbering, Preview, PreviewForm, PreviewRow};
use prompt_core::{
    Budget, DynamicNode, Message, Overrides, Prompt, PromptNode, Style, ToolCall, ToolSpec,
    Visibility,
};
use prompt_review::diff;
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
    prompt_review::page(&prompt.preview().unwrap())
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
    let (after, last) = after.split_once("<script>").expect("a script");
    let (script, last) = last.split_once("</script>").expect("the end of the script");
    assert!(
        !script.contains("</") && !script.contains("<!--"),
        "the script is no markup"
    );
    let mut found = Vec::new();
    for part in [before, after, last] {
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
    } else if ["meta", "input"].contains(&name.as_str()) {
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
    let hidden = hostile.matches("<span class=\"hidden\"").count();
    assert!(hidden >= 3);
    assert!(
        hostile
            .contains("<span class=\"hidden\" data-c=\"202E\">U+202E</span><span class=\"hidden\" data-c=\"0000\">U+0000</span>")
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
    let page = prompt_review::page(&node.prompt().preview().unwrap());
    assert_well_formed(&page);
    assert!(
        page.contains("<h3>&lt;/h3&gt;&lt;/summary&gt;&lt;script&gt;</h3>"),
        "{page}"
    );
}

#[test]
fn the_page_asks_no_network_and_runs_its_own_script_only() {
    let page = page(HOSTILE, 10_000);
    assert_eq!(page.matches("<script").count(), 1);
    let (_, script) = page.split_once("<script>").unwrap();
    let (script, _) = script.split_once("</script>").unwrap();
    let policy = format!(
        "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'\"",
        base64(&sha256(script.as_bytes()))
    );
    assert!(page.contains(&policy), "write {policy} into the page");
    for word in [
        "http:",
        "https:",
        "url(",
        "@import",
        "<link",
        "<img",
        " src=",
        "fetch(",
        "innerHTML",
    ] {
        assert!(!page.contains(word), "{word}");
    }
}

/// FIPS 180-4, 6.2: the constants are the first 32 bits of the fractional parts of the roots of the first primes.
fn sha256(bytes: &[u8]) -> Vec<u8> {
    let primes = (2_u32..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0));
    let primes: Vec<u128> = primes.take(64).map(u128::from).collect();
    // The root of `n`, times 2^32, by bisection: whole numbers only.
    let root = |n: u128, power: u32| {
        let wanted = n << (32 * power);
        let (mut low, mut high) = (0_u128, 1_u128 << 37);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if middle.pow(power) <= wanted {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low & 0xffff_ffff) as u32
    };
    let rounds: Vec<u32> = primes.iter().map(|n| root(*n, 3)).collect();
    let mut state: Vec<u32> = primes.iter().take(8).map(|n| root(*n, 2)).collect();
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in message.chunks(64) {
        let mut words: Vec<u32> = block
            .chunks(4)
            .map(|word| u32::from_be_bytes(word.try_into().unwrap()))
            .collect();
        for at in 16..64 {
            let (a, b) = (words[at - 15], words[at - 2]);
            let small = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
            let large = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
            let sum = words[at - 16]
                .wrapping_add(small)
                .wrapping_add(words[at - 7]);
            words.push(sum.wrapping_add(large));
        }
        let mut s = state.clone();
        for (word, round) in words.iter().zip(&rounds) {
            let one = s[4].rotate_right(6) ^ s[4].rotate_right(11) ^ s[4].rotate_right(25);
            let choice = (s[4] & s[5]) ^ (!s[4] & s[6]);
            let first = [one, choice, *word, *round]
                .into_iter()
                .fold(s[7], u32::wrapping_add);
            let two = s[0].rotate_right(2) ^ s[0].rotate_right(13) ^ s[0].rotate_right(22);
            let most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
            s.rotate_right(1);
            s[4] = s[4].wrapping_add(first);
            s[0] = first.wrapping_add(two).wrapping_add(most);
        }
        for (state, s) in state.iter_mut().zip(s) {
            *state = state.wrapping_add(s);
        }
    }
    state.into_iter().flat_map(u32::to_be_bytes).collect()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let at = |index: usize| u32::from(three.get(index).copied().unwrap_or_default());
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() {
                letter as char
            } else {
                '='
            });
        }
    }
    text
}

#[test]
fn every_section_tool_and_message_is_on_the_page() {
    let node = lighthouse("calm");
    let preview = node.prompt().preview().unwrap();
    let page = prompt_review::page(&preview);
    for index in 0..preview.rows.len() {
        assert_eq!(page.matches(&format!("id=\"section-{index}\"")).count(), 1);
        assert!(page.contains(&format!("href=\"#section-{index}\"")));
    }
    let names: Vec<&str> = preview.tools.iter().map(|(tool, _)| tool.name()).collect();
    assert_eq!(names, ["sound_horn", "open_sections"]);
    for name in names {
        assert!(page.contains(&format!("<h3>{name}</h3>")), "{name}");
    }
    assert!(page.contains("&quot;description&quot;: &quot;low &lt;/script&gt; or high&quot;"));
    let roles: Vec<&str> = preview
        .messages
        .iter()
        .map(|(message, _)| message.role.as_str())
        .collect();
    let shown: Vec<&str> = page
        .split("<details class=\"message ")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    assert_eq!(shown, roles);
    assert!(roles.contains(&"assistant") && page.contains("Yes &amp; no."));
}

/// What the page shows of the prompt: the words of its tree, without tags, labels, blank lines, and without what is not
/// sent.
fn words_of_tree(page: &str) -> String {
    let (_, tree) = page.split_once("<div class=\"prompt\">").unwrap();
    let (tree, _) = tree.split_once("<details id=\"plain\">").unwrap();
    let mut words = String::new();
    let mut blocks = tree.split("<div class=\"text\" dir=\"auto\">");
    let mut before = blocks.next().unwrap();
    for whole in blocks {
        let is_unsent = before.ends_with(" tokens</summary>") || before.ends_with(":</p>");
        before = whole;
        if is_unsent {
            continue;
        }
        let (block, _) = whole.split_once("</div>").unwrap();
        let block = block.replace("<span class=\"edge\">◂ static up to here</span>", "");
        let text: String = block
            .split('<')
            .map(|part| part.split_once('>').map_or(part, |it| it.1))
            .collect();
        words.push_str(
            &text
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
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
            words_of_tree(&prompt_review::page(&preview)),
            preview.text.replace('\n', "")
        );
        assert_eq!(
            prompt_review::page(&preview)
                .matches("static up to here")
                .count(),
            1
        );
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
    let page = prompt_review::page(&preview);
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
    assert_well_formed(&prompt_review::page(&empty.prompt().preview().unwrap()));
    assert_well_formed(&prompt_review::page(
        &Prompt::new("Be brief.").preview().unwrap(),
    ));

    let mut deep = DynamicNode::builder("leaf").body("End.");
    for _ in 0..128 {
        deep = DynamicNode::builder("n").body("x").section(deep);
    }
    let deep = deep.build().unwrap();
    let page = prompt_review::page(&deep.prompt().preview().unwrap());
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
    let page = prompt_review::page(&node.prompt().preview().unwrap());
    let text = page.find("In short.").unwrap();
    assert!(page.find("id=\"section-1\"").unwrap() > text, "{page}");
    assert!(page.contains("it stands inside the summary of <code>closed</code>."));
}

fn preview(node: &impl PromptNode) -> Preview {
    node.prompt().preview().unwrap()
}

/// A keeper of {place}.
///
/// {?storm}
/// {shutters}
/// {/storm}
#[derive(PromptNode)]
struct Keeper {
    place: &'static str,
    storm: bool,
    /// Close the shutters of {place}.
    #[section]
    shutters: (),
    /// Only at night, in {place}.
    #[section(when = self.storm, title = "Night in {place}")]
    night: &'static str,
    /// What was found:
    #[section]
    finds: Vec<String>,
    #[section(
        visibility = "summary",
        summary = "The {place} signals, in short.",
        title = "Signals of {place}"
    )]
    signals: Signals,
    #[section(summary = "A log of {place}.")]
    log: &'static str,
}

/// Two blasts.
#[derive(PromptNode)]
struct Signals {
    /// In fog.
    #[section]
    fog: (),
}

fn keeper() -> Keeper {
    Keeper {
        place: "Wick",
        storm: false,
        shutters: (),
        night: "Sleep.",
        finds: Vec::new(),
        signals: Signals { fog: () },
        log: "08:10 fog",
    }
}

#[test]
fn what_is_not_sent_stands_on_the_page_in_full_with_the_reason() {
    let preview = preview(&keeper());
    let row = |key: &str| preview.rows.iter().find(|row| row.key == key).unwrap();
    let signals = row("signals");
    assert_eq!(signals.form, PreviewForm::Summary);
    let full = signals.in_full.as_ref().unwrap();
    assert_eq!(full.text, "# Signals of Wick\n\nTwo blasts.");
    assert!(full.tokens > 0 && signals.in_short.is_none());
    // Its title has a value, which is marked wherever it stands.
    assert_eq!(&full.text[full.values[0].range.clone()], "Wick");
    assert_eq!(signals.title_values, vec![11..15; 1]);
    assert!(
        preview
            .values
            .iter()
            .any(|value| { value.name == "title" && preview.text[value.range.clone()] == *"Wick" })
    );
    // What stands inside a summary, too.
    let fog = row("fog");
    assert_eq!(fog.form, PreviewForm::NotShown);
    assert_eq!(fog.in_full.as_ref().unwrap().text, "## Fog\n\nIn fog.");
    // And the short form of what is shown in full.
    let log = row("log");
    let short = log.in_short.as_ref().unwrap();
    assert!(
        short.text.starts_with("# Log\n\nA log of Wick.\n"),
        "{short:?}"
    );
    assert_eq!(&short.text[short.values[0].range.clone()], "Wick");
    assert!(log.in_full.is_none());

    let absent: Vec<_> = preview
        .absent
        .iter()
        .map(|it| {
            (
                it.key.as_str(),
                it.reason,
                it.title.as_str(),
                it.source.as_str(),
            )
        })
        .collect();
    assert_eq!(
        absent,
        [
            (
                "shutters",
                AbsentReason::NotReached,
                "Shutters",
                "Close the shutters of {place}."
            ),
            (
                "night",
                AbsentReason::SwitchedOff,
                "Night in {place}",
                "Only at night, in {place}."
            ),
            ("finds", AbsentReason::Empty, "Finds", "What was found:"),
        ]
    );
    let page = prompt_review::page(&preview);
    assert_well_formed(&page);
    for words in [
        "<h3>Signals of <mark>Wick</mark></h3> <code>signals</code>",
        "<details class=\"other full\"><summary>In full: ",
        "<details class=\"other short\"><summary>As its summary: ",
        "<code>signals.fog</code>",
        "it stands inside the summary of <code>signals</code>.",
        "Not there in this call: switched off: its condition does not hold. As written",
        "Not there in this call: empty: it has no value. As written",
        "Not there in this call: not reached: its place is in a branch that is not taken. As written",
        "3 not there",
    ] {
        assert!(page.contains(words), "{words}\n{page}");
    }
}

#[test]
fn a_section_of_a_file_that_is_switched_off_is_shown_as_written() {
    let file = r#"{ "body": "x {name}", "sections": [
        { "key": "fog", "when": "foggy", "body": "Two blasts, {name}." }
    ] }"#;
    let values = json!({ "foggy": false, "name": "Ada" });
    let node = DynamicNode::from_json_with(file, values).unwrap();
    let preview = preview(&node);
    assert_eq!(preview.absent.len(), 1);
    assert_eq!(preview.absent[0].source, "Two blasts, {name}.");
    assert_eq!(preview.absent[0].reason, AbsentReason::SwitchedOff);
}

#[test]
fn a_dropped_section_has_its_full_text_and_a_focus_says_so() {
    let node = lighthouse("calm");
    let dropped = node.prompt().budget(Budget::tokens(100)).preview().unwrap();
    let lamp = dropped
        .rows
        .iter()
        .find(|row| row.form == PreviewForm::Dropped);
    let lamp = lamp.unwrap();
    assert!(!lamp.in_full.as_ref().unwrap().text.is_empty());
    assert!(prompt_review::page(&dropped).contains(
        "Not sent: the budget left it out (no room for its priority). It would say, in "
    ));
    let page = prompt_review::page(&node.prompt().focus("rules").preview().unwrap());
    assert!(page.contains("Not sent: it is outside of the focus."));
}

#[test]
fn values_in_attributes_of_tags_are_marked() {
    let tagged = DynamicNode::builder("ship")
        .tag("ship")
        .attr("name", "{name}")
        .body("She sails.");
    let node = DynamicNode::builder("a").section(tagged);
    let node = node.build_with(json!({ "name": "Heron <3" })).unwrap();
    let preview = preview(&node);
    let found: Vec<&str> = preview
        .values
        .iter()
        .map(|value| &preview.text[value.range.clone()])
        .collect();
    assert_eq!(found, ["Heron &lt;3"]);
}

#[test]
fn the_bars_add_up_to_the_whole() {
    for tokens in [10_000, 100] {
        let node = lighthouse("calm");
        let preview = node
            .prompt()
            .budget(Budget::tokens(tokens))
            .preview()
            .unwrap();
        let page = prompt_review::page(&preview);
        let (_, costs) = page
            .split_once("<table class=\"costs\" role=\"table\">")
            .unwrap();
        let (costs, _) = costs.split_once("</table>").unwrap();
        let (rows, sums) = costs.split_once("<tfoot role=\"rowgroup\">").unwrap();
        let numbers = |part: &str| -> Vec<i64> {
            let cells = part.split("<td class=\"number\" role=\"cell\">").skip(1);
            let cells = cells.map(|cell| cell.split('<').next().unwrap().replace("−", "-"));
            cells.map(|cell| cell.parse().unwrap()).collect()
        };
        let (parts, sums) = (numbers(rows), numbers(sums));
        let (rest, together) = match sums.as_slice() {
            [rest, together, _] => (*rest, *together),
            other => (0, other[0]),
        };
        assert_eq!(parts.iter().sum::<i64>() + rest, together);
        assert_eq!(together, preview.tokens as i64);
        // Each bar begins where the last one ended.
        let places: Vec<(f64, f64)> = rows
            .split("<span class=\"own\" style=\"left:")
            .skip(1)
            .map(|bar| {
                let (left, rest) = bar.split_once("%;width:").unwrap();
                (
                    left.parse().unwrap(),
                    rest.split('%').next().unwrap().parse().unwrap(),
                )
            })
            .collect();
        for pair in places.windows(2) {
            assert!(
                (pair[0].0 + pair[0].1 - pair[1].0).abs() < 0.25,
                "{places:?}"
            );
        }
    }
}

#[test]
fn hints_and_lints_stand_at_their_section() {
    let inner = DynamicNode::builder("rules")
        .tag("CriticalRules")
        .body("Ask {{nmae}} first.");
    let node = DynamicNode::builder("a").body("{name}").section(inner);
    let node = node.build_with(json!({ "name": "Ada" })).unwrap();
    let prompt = node.prompt().style(Style::Xml);
    let preview = prompt.preview().unwrap();
    let lints: Lints = preview.lints.iter().map(|(_, lint)| lint.clone()).collect();
    assert_eq!(lints, prompt.lint());
    assert!(lints.len() >= 2, "{lints:?}");
    assert!(preview.lints.iter().all(|(row, _)| *row == Some(0)));
    let page = prompt_review::page(&preview);
    let (_, section) = page.split_once("id=\"section-0\"").unwrap();
    let (_, hints) = section.split_once("<ul class=\"hints\">").unwrap();
    let (hints, _) = hints.split_once("</ul>").unwrap();
    for lint in &lints {
        assert!(hints.contains(lint.code.as_str()), "{hints}");
    }
    assert!(page.contains(&format!("{} hints</span>", lints.len())));
}

#[test]
fn values_and_messages_are_shown_uncut() {
    let long = "word ".repeat(400);
    let node = lighthouse(long.trim());
    let page = prompt_review::page(&preview(&node));
    let (_, values) = page
        .split_once("<table class=\"values\" role=\"table\">")
        .unwrap();
    assert!(values.contains(long.trim()));
}

// ---- two of them side by side

#[test]
fn a_diff_tells_what_changed_by_section_and_line() {
    let old = preview(&keeper());
    let mut changed = keeper();
    changed.storm = true;
    changed.log = "08:10 fog\n09:00 calm";
    let mut overrides = Overrides::default();
    overrides.open("signals");
    let new = changed.prompt().overrides(&overrides).preview().unwrap();
    let diff = diff(&old, &new);
    assert!(!diff.is_empty() && prompt_review::diff(&old, &old).is_empty());
    let told = diff.to_string();
    for line in [
        "+ shutters: ",
        "+ night: ",
        "~ signals: ",
        "+ signals.fog: ",
        "~ log: ",
        "    + 09:00 calm\n",
        "    - The Wick signals, in short.\n",
        "total: ",
    ] {
        assert!(told.contains(line), "{line}\n{told}");
    }
    assert!(!told.contains("    - 08:10 fog"), "{told}");
    assert!(
        prompt_review::diff(&old, &old)
            .to_string()
            .starts_with("nothing changed\ntotal: ")
    );
    let back = prompt_review::diff(&new, &old).to_string();
    assert!(
        back.contains("- night: ") && back.contains("- signals.fog: "),
        "{back}"
    );

    assert_eq!(diff.page(), diff.page());
}

#[test]
fn the_page_of_a_diff_shows_what_changed_first_and_marks_the_words() {
    let tree = |rules: &str, last: &str| {
        let section = |key: &str, body: &str| DynamicNode::builder(key).body(body);
        let node = DynamicNode::builder("r")
            .section(section("first", "Same.\nAs before."))
            .section(section("rules", rules))
            .section(section(last, &format!("Said of {last}.")));
        preview(&node.build().unwrap())
    };
    let rules = |tone: &str| format!("{}{tone}\n{}End.", "kept\n".repeat(9), "more\n".repeat(9));
    let old = tree(&rules("Answer every letter kindly & soon."), "gone");
    let new = tree(&rules("Answer every letter briefly and well."), "new");
    let page = diff(&old, &new).page();
    assert!(page.starts_with("<!DOCTYPE html>\n") && !page.contains("<script"));
    let place = |words: &str| {
        page.find(words)
            .unwrap_or_else(|| panic!("{words}\n{page}"))
    };
    // The list has a link to each section that changed, which stands above the others.
    for (name, word) in [("Rules", "changed"), ("New", "new"), ("Gone", "gone")] {
        let link = place(&format!("\">{name}</a> <span class=\"badge"));
        let (_, target) = page[..link].rsplit_once("href=\"#").unwrap();
        assert!(page[link..].contains(&format!(">{word}</span>")));
        assert!(link < place(&format!(" id=\"{target}\" open><summary>")));
    }
    assert!(place("1 section the same") > place("<h3>Gone</h3>"));
    // Words that differ are marked, and lines in which nothing does are folded but for those beside the change.
    assert!(
        page.contains("every letter <del>kindly &amp; soon.</del></div>"),
        "{page}"
    );
    assert!(
        page.contains("every letter <ins>briefly and well.</ins></div>"),
        "{page}"
    );
    assert!(
        page.contains("<summary>9 lines the same</summary>"),
        "{page}"
    );
    assert_eq!(page.matches("As before.").count(), 1);

    // Lines that have nothing in common are marked as a whole.
    let page = diff(
        &tree("Up and away.", "x"),
        &tree("Down is the way to go.", "x"),
    )
    .page();
    assert!(
        page.contains("<del>Up and away.</del>")
            && page.contains("<ins>Down is the way to go.</ins>")
    );
    let same = diff(&old, &old).page();
    assert!(
        same.contains("The text of no section changed.") && same.contains("3 sections the same")
    );
    let hostile = diff(
        &preview(&lighthouse("calm")),
        &preview(&lighthouse(HOSTILE)),
    )
    .page();
    assert!(hostile.contains("&lt;script&gt;") && !hostile.contains("<script"));
}

#[test]
fn a_diff_keeps_what_both_have_between_changes() {
    let text = |lines: &[&str]| {
        DynamicNode::builder("a")
            .body(lines.join("\n"))
            .build()
            .unwrap()
    };
    let old = text(&["one", "two", "three", "four", "five", "six"]);
    let new = text(&["zero", "two", "three", "4", "five", "six", "seven"]);
    let told = diff(&preview(&old), &preview(&new)).to_string();
    let lines: Vec<&str> = told.lines().skip(1).take(5).collect();
    assert_eq!(
        lines,
        [
            "    - one",
            "    + zero",
            "    - four",
            "    + 4",
            "    + seven"
        ]
    );
    let moved = text(&["two", "three", "one", "four", "five", "six"]);
    let told = diff(&preview(&old), &preview(&moved)).to_string();
    let lines: Vec<&str> = told.lines().skip(1).take(2).collect();
    assert_eq!(lines, ["    - one", "    + one"]);
}

/// Of trees of few words, so that many print the same.
#[test]
fn a_diff_is_empty_exactly_if_the_same_is_sent() {
    let mut state = 20_261_129_u64;
    let mut pick = |count: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % count
    };
    let mut previews = Vec::new();
    while previews.len() < 200 {
        let mut sections = Vec::new();
        for keys in [["a", "d"], ["b", "e"], ["c", "f"]] {
            let key = keys[usize::from(pick(4) == 0)];
            let body = ["A", "B", "", "A\n\nB"][pick(4)];
            let mut section = json!({ "key": key, "body": body });
            let keys = [
                ("title", json!("T")),
                ("role", ["user", "assistant"][pick(2)].into()),
                ("cache", json!(true)),
                ("end", json!(" ")),
                ("gap", json!(2)),
                ("tag", json!("t")),
                ("untitled", json!(true)),
            ];
            let (name, value) = keys[pick(keys.len())].clone();
            if pick(2) == 0 {
                section[name] = value;
            }
            if pick(5) == 0 {
                section["visibility"] = json!("summary");
                section["summary"] = json!("A");
            }
            if pick(3) > 0 {
                sections.push(section);
            }
        }
        if pick(2) == 0 {
            sections.reverse();
        }
        let mut body = ["", "Top.\n\n", "Top.\n\n\n"][pick(3)].to_owned();
        if pick(2) == 0 {
            for section in &sections {
                let key = section["key"].as_str().unwrap();
                body += &format!("{{{key}}}\n\n");
            }
        }
        body += ["", "Top.", "End."][pick(3)];
        let tools = [json!(["x", "y"]), json!(["y", "x"])][usize::from(pick(4) == 0)].clone();
        let tree = json!({ "key": "root", "body": body, "tools": tools, "sections": sections });
        if let Ok(node) = DynamicNode::from_json(&tree.to_string()) {
            previews.extend(node.prompt().preview().map(|preview| (tree, preview)));
        }
    }
    let messages = |preview: &Preview| -> Vec<Message> {
        preview
            .messages
            .iter()
            .map(|(message, _)| message.clone())
            .collect()
    };
    let (mut same, mut others) = (0, 0);
    for (old, before) in &previews {
        for (new, after) in &previews {
            let is_same = before.text == after.text
                && messages(before) == messages(after)
                && before.tools == after.tools;
            let diff = diff(before, after);
            assert_eq!(diff.is_empty(), is_same, "{old}\n{new}\n{diff}");
            let told = diff.to_string();
            let says_same =
                told.contains("nothing changed\n") || told.contains("the same is sent\n");
            assert_eq!(is_same, says_same, "{old}\n{new}\n{diff}");
            assert!(told.lines().count() > 1, "{diff}");
            (same, others) = (same + usize::from(is_same), others + usize::from(!is_same));
        }
    }
    assert!(same > previews.len() && others > 1_000, "{same} {others}");
}

#[test]
fn a_diff_tells_of_another_order() {
    let section = |key: &str| DynamicNode::builder(key).body("x");
    let tree = |keys: [&str; 2]| {
        let [a, b] = keys.map(section);
        DynamicNode::builder("r")
            .section(a)
            .section(b)
            .build()
            .unwrap()
    };
    let (old, new) = (preview(&tree(["a", "b"])), preview(&tree(["b", "a"])));
    let diff = diff(&old, &new);
    assert!(diff.is_reordered && !diff.is_empty());
    assert!(
        diff.to_string()
            .starts_with("the order of the text changed\n")
    );
}

/// The short forms that a preview shows were tried at their place, and leave no trace in the numbers.
#[test]
fn short_forms_that_are_shown_beside_take_no_numbers() {
    let part = |key: &str| {
        json!({ "key": key, "body": "Long.", "summary": "Short.", "sections": [
            { "key": "inner", "body": "Inner.", "summary": "In short." },
        ] })
    };
    let tree = json!({ "key": "root", "numbering": "decimal", "body": "Head.", "sections": [part("first"), part("second")] });
    let node = DynamicNode::from_json(&tree.to_string()).unwrap();
    let text = node.prompt().text().unwrap();
    assert!(
        text.contains("# 2. Second") && text.contains("## 2.1. Inner"),
        "{text}"
    );
    let preview = node.prompt().preview().unwrap();
    assert_eq!(preview.text, text);
    let short = preview
        .rows
        .iter()
        .map(|row| row.in_short.as_ref().unwrap());
    let headings = [
        "# 1. First\n\nShort.",
        "## 1.1. Inner\n\nIn short.",
        "# 2. Second\n\nShort.",
        "## 2.1. Inner\n\nIn short.",
    ];
    for (short, heading) in short.zip(headings) {
        assert!(short.text.starts_with(heading), "{}", short.text);
    }
}

/// What a section would be in another form is printed in its place and taken back, its number with it.
#[test]
fn a_form_that_is_not_sent_has_the_number_of_the_one_that_is() {
    let part = |key: &str| json!({ "key": key, "body": format!("{key}."), "summary": format!("On {key}."), "summary_suffix": "" });
    let tree = json!({ "key": "root", "sections": [part("a"), part("b"), part("c")] });
    let node = DynamicNode::from_json(&tree.to_string()).unwrap();
    let mut overrides = Overrides::default();
    overrides.close("b");
    let prompt = node
        .prompt()
        .numbering(Numbering::Decimal)
        .overrides(&overrides);
    let preview = prompt.preview().unwrap();
    let other = |row: &PreviewRow| {
        let other = row.in_full.as_ref().or(row.in_short.as_ref());
        let text = &other.unwrap().text;
        text.split("\n\n---").next().unwrap().to_owned()
    };
    let texts: Vec<String> = preview.rows.iter().map(other).collect();
    assert_eq!(
        texts,
        ["# 1. A\n\nOn a.", "# 2. B\n\nb.", "# 3. C\n\nOn c."]
    );
}

/// You repair clocks.
#[derive(PromptNode)]
struct Workshop {
    #[section(item_key = slug, untitled_items, visibility = "summary", summary = "Use it.")]
    skills: Vec<Skill>,
    #[section(visibility = "summary", summary = "What it costs.")]
    prices: Prices,
}

#[derive(PromptNode)]
struct Skill {
    slug: &'static str,
    #[section]
    steps: &'static str,
}

#[derive(PromptNode)]
struct Prices {
    /// A dial is 40 francs, a wheel 90, and who brings both pays 110.
    #[section]
    parts: (),
}

/// What was opened and sent in the result of a call is no text that was not sent; an item without a printed title has its key.
#[test]
fn what_was_appended_is_shown_as_sent() {
    let skill = |slug, steps| Skill { slug, steps };
    let workshop = Workshop {
        skills: vec![skill("dial", "Soft brush."), skill("wheel", "Count twice.")],
        prices: Prices { parts: () },
    };
    let mut disclosure = Disclosure::new(&workshop).delivery(Delivery::Append);
    let arguments = json!({ "section_keys": ["skills.dial", "prices"], "reason": "asked" });
    let call = ToolCall::new("call", "open_sections", arguments);
    let results = disclosure.handle(&[call]).unwrap();
    let preview = disclosure.preview().unwrap();
    let form = |path: &str| {
        let mut rows = preview.rows.iter().enumerate();
        let row = rows.find(|(at, _)| preview.path(*at) == path).unwrap().1;
        if row.form == PreviewForm::Appended {
            let full = row.in_full.as_ref().unwrap();
            assert!(results[0].content.contains(&full.text), "{path}");
        }
        (row.title.clone(), row.form)
    };
    assert_eq!(form("skills.dial"), ("dial".into(), PreviewForm::Appended));
    assert_eq!(form("skills.dial.steps").1, PreviewForm::Appended);
    assert_eq!(form("skills.wheel"), ("wheel".into(), PreviewForm::Summary));
    assert_eq!(form("skills.wheel.steps").1, PreviewForm::NotShown);
    assert_eq!(form("prices.parts").1, PreviewForm::Appended);
    assert!(preview.to_string().contains("dial \"dial\"  "), "{preview}");
    assert_eq!(
        preview.to_string().matches("  appended").count(),
        4,
        "{preview}"
    );
    let page = prompt_review::page(&preview);
    assert_well_formed(&page);
    assert_eq!(
        page.matches("Sent in the result of the call that opened it.")
            .count(),
        4
    );
    assert!(page.contains("no words of its own; what it says stands in the sections in it"));
    assert!(!page.contains("Nothing but the sections"));
}

/// A share is one of the text, whatever room a budget leaves.
#[test]
fn shares_are_of_the_text() {
    let node = DynamicNode::builder("page").section(DynamicNode::builder("a").body("Knock twice."));
    let node = node.build().unwrap();
    let preview = |budget| node.prompt().budget(budget).preview().unwrap();
    for preview in [
        preview(Budget::tokens(10_000)),
        preview(Budget::request(10_000)),
    ] {
        let row = &preview.rows[0];
        assert_eq!(preview.share(row.tokens), 100, "{preview}");
        assert!(prompt_review::page(&preview).contains(">100 %<"));
    }
}
