//! Prompts of other engines, ported as the page `migrating` advises: each prints what its engine prints.
//!
//! `tests/migrating` holds the prompts, their values and the texts of the engines. At the two ends of a text the renderer prints no
//! blank lines, and a line break at the very end only with `end = "\n"`: there, and nowhere else, line breaks are left out on both sides.

use prompt_core::{DynamicNode, PromptNode};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::fs;

fn read(name: &str, file: &str) -> String {
    let path = format!("{}/migrating/{name}/{file}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Each set of values of a prompt, with what its engine printed.
fn sets(name: &str) -> Vec<(Value, String)> {
    let sets: Vec<Value> = serde_json::from_str(&read(name, "values.json")).unwrap();
    let texts = (1..).map(|number| read(name, &format!("{number}.txt")));
    sets.into_iter().zip(texts).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn items(value: &mut Value) -> &mut Vec<Value> {
    value.as_array_mut().unwrap()
}

/// What was printed for each set, in one text, without the line breaks at the two ends of each.
fn joined(texts: impl IntoIterator<Item = String>) -> String {
    let ends = |text: String| text.trim_matches('\n').to_owned();
    let texts = texts.into_iter().map(ends);
    texts.collect::<Vec<_>>().join("\n======\n")
}

/// The derived type prints for each set of values what the engine printed.
fn derived<T: PromptNode + DeserializeOwned>(name: &str) {
    let (values, printed): (Vec<_>, Vec<_>) = sets(name).into_iter().unzip();
    let texts = values.into_iter().map(|values| {
        let node: T = serde_json::from_value(values).unwrap();
        node.prompt().text().unwrap()
    });
    assert_eq!(joined(texts), joined(printed), "{name}");
}

/// The file prints the same. `more` adds what is an expression in the old prompt: in a file it is a value of its own.
fn file(name: &str, more: impl Fn(&mut Map<String, Value>)) {
    let node = DynamicNode::from_toml(&read(name, "port.toml")).unwrap();
    let (values, printed): (Vec<_>, Vec<_>) = sets(name).into_iter().unzip();
    let texts = values.into_iter().map(|mut values| {
        more(values.as_object_mut().unwrap());
        node.bind(values).unwrap().prompt().text().unwrap()
    });
    assert_eq!(joined(texts), joined(printed), "{name}");
}

/// # Support desk #
///
/// You sort letters for {team}.{?urgent} The queue is **red** today.{/urgent}
/// {_}
/// {?channels}
///
/// ## Channels ##
/// {*channels}
///
/// - {item}{?last}.{else};{/last}
/// {_}
/// {/channels}
///
/// {else}
///
/// No channel is open.
/// {/channels}
///
///
/// ## Tone
/// {?is_formal}
///
/// Write whole sentences.
/// {else}
/// {?is_brief}
///
/// One line for each answer.
/// {else}
///
/// Write as you like.
/// {/is_brief}
/// {/is_formal}
///
///
/// ### Words to avoid   {_}
/// {banned}{_}
///
/// Close with: {closing}
/// {?footer}
///
/// ---
/// {footer}{_}
/// {/footer}
///
/// End of the rules.
#[derive(PromptNode, Deserialize)]
#[prompt(vars(is_formal = self.tone == "formal", is_brief = self.tone == "brief"))]
struct Triage {
    #[var(with = upper)]
    team: String,
    urgent: bool,
    channels: Vec<String>,
    tone: String,
    #[var(join = ", ")]
    banned: Vec<String>,
    #[var(trim)]
    closing: String,
    footer: String,
}

#[test]
fn the_type_triage() {
    derived::<Triage>("triage");
}

#[test]
fn the_file_triage() {
    file("triage", |values| {
        let tone = text(&values["tone"]);
        values.insert("is_formal".into(), (tone == "formal").into());
        values.insert("is_brief".into(), (tone == "brief").into());
        values["team"] = upper(&text(&values["team"])).into();
    });
}

/// You review a change of {count} file{?many}s{/many} in `{repo}`.
/// {?guidelines}
///
/// <guidelines>
/// {*guidelines}
/// {index}. {item}
/// {/guidelines}
/// </guidelines>
/// {/guidelines}
/// {_}
/// {*files as file}
/// ## {file.path} ({index} of {count})
///
/// ```{file.language}
/// {?file.license}
/// // {file.license}
///
/// {/file.license}
/// {file.code}
/// {?file.cut}
///
///
/// // the rest is left out
/// {/file.cut}
/// ```
/// {*file.notes as note}
/// - line {note.line}: {note.text}
/// {/file.notes}
/// {_}
/// {/files}
/// {?strict}Reject{else}Comment{/strict} when a test is missing.
#[derive(PromptNode, Deserialize)]
#[prompt(vars(count = self.files.len(), many = self.files.len() != 1))]
struct CodeReview {
    repo: String,
    guidelines: Vec<String>,
    strict: bool,
    files: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    path: String,
    language: String,
    license: String,
    code: String,
    cut: bool,
    notes: Vec<Note>,
}

#[derive(Deserialize)]
struct Note {
    line: u32,
    text: String,
}

#[test]
fn the_type_code_review() {
    derived::<CodeReview>("code_review");
}

#[test]
fn the_file_code_review() {
    file("code_review", |values| {
        let count = values["files"].as_array().unwrap().len();
        values.insert("count".into(), count.into());
        values.insert("many".into(), (count != 1).into());
    });
}

/// You answer questions from the documents below.
/// {?!docs}
/// There are none: say so.
/// {/docs}
/// {?preface}
/// {preface}
/// {/preface}
/// {_}
/// {*docs as doc}
/// <document index="{index}">
/// <title>{doc.title}</title>
/// {doc.body}{_}
/// </document>
/// {_}
/// {/docs}
///
/// | fact | value |
/// |------|-------|
/// {*facts as fact}
/// | {fact.name} | {fact.value} |
/// {/facts}
///
/// Reply with this object and nothing else:
/// {"answer": "..", "sources": [{*docs}{index}{?!last}, {/last}{/docs}], "context": {context}}
/// {_}
/// {?question}
/// Question: {question}
/// {/question}
/// {?hints}
///
/// Hints:
/// {*hints}
///   * {item}
/// {/hints}
/// {/hints}
/// {*closing}
/// {item}
/// {/closing}
/// End.
#[derive(PromptNode, Deserialize)]
struct Documents {
    docs: Vec<Doc>,
    preface: String,
    facts: Vec<Fact>,
    context: ToJson,
    question: String,
    hints: Vec<String>,
    closing: Vec<String>,
}

#[derive(Deserialize)]
struct Doc {
    title: Title,
    body: Trimmed,
}

#[derive(Deserialize)]
struct Fact {
    name: String,
    value: ToJson,
}

/// Of the fields of an item no filter can be asked: a type with a `Display` of its own takes the place of one.
#[derive(Deserialize)]
struct Title(String);

impl Display for Title {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&truncated(&self.0, 30))
    }
}

#[derive(Deserialize)]
struct Trimmed(String);

impl Display for Trimmed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.0.trim())
    }
}

#[derive(Deserialize)]
struct ToJson(Value);

impl Display for ToJson {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&tojson(&self.0))
    }
}

#[test]
fn the_type_documents() {
    derived::<Documents>("documents");
}

#[test]
fn the_file_documents() {
    file("documents", |values| {
        for doc in items(&mut values["docs"]) {
            doc["title"] = truncated(&text(&doc["title"]), 30).into();
            doc["body"] = text(&doc["body"]).trim().into();
        }
        for fact in items(&mut values["facts"]) {
            fact["value"] = tojson(&fact["value"]).into();
        }
        values["context"] = tojson(&values["context"]).into();
    });
}

/// ### You are {name}, a tutor ###
/// {?subject}Your subject is {subject}{?level} at level {level}{/level}.{else}You teach anything.{/subject}
/// {_}
/// {?rules}
/// Rules:
/// {*rules}
/// {index0}) {item}
/// {/rules}
///
/// {/rules}
/// <pupils>
/// {*pupils as pupil}
/// <pupil name="{pupil.name}">
/// {?pupil.weak}
///   Weak in: {*pupil.weak}{item}{?!last}, {/last}{/pupil.weak}
/// {else}
///   No weak side known.
/// {/pupil.weak}
/// {pupil.notes}{_}
/// </pupil>
/// {/pupils}
/// </pupils>
///
/// Example of a good answer:
///
/// ```json
/// {"steps": [
/// {*steps}
///   {"n": {index0}, "say": "{item}"}{?!last},{/last}
/// {/steps}
///
/// ]}
/// ```
/// {_}
/// {?!exam}
/// You may give hints.
///
/// {/exam}
/// The pupil writes:
/// {letter}
#[derive(PromptNode, Deserialize)]
struct Tutor {
    name: String,
    subject: String,
    level: String,
    rules: Vec<String>,
    pupils: Vec<Pupil>,
    steps: Vec<String>,
    exam: bool,
    letter: String,
}

#[derive(Deserialize)]
struct Pupil {
    name: String,
    weak: Vec<String>,
    notes: String,
}

#[test]
fn the_type_tutor() {
    derived::<Tutor>("tutor");
}

#[test]
fn the_file_tutor() {
    file("tutor", |_| {});
}

/// You write release notes for **{product}** {version}.
///
/// | Change | Kind | Issue |
/// |:-------|:----:|------:|
/// {*changes}
/// | {item.title} | {?item.breaking}**breaking**{else}{item.kind}{/item.breaking} | {?item.issue}#{item.issue}{/item.issue} |
/// {else}
/// | nothing | | |
/// {/changes}
/// {_}
/// {*groups as group}
/// ## {group.heading} ##
/// {*group.entries as entry}
/// {index0}. {entry.text}{?entry.author} (by {entry.author}){/entry.author}
/// {/group.entries}
/// {_}
/// {/groups}
/// # Style   {_}
/// - Present tense.
/// - {?audience}Write for {audience}.{else}Write for everybody.{/audience}
/// {?forbid}
/// - Never say: {*forbid}"{item}"{?!last}, {/last}{/forbid}
/// {/forbid}
/// - At most {limit} words.
///
/// ~~~diff
/// {diff}
/// {?more}
///
/// ({more} more lines)
/// {/more}
/// ~~~
#[derive(PromptNode, Deserialize)]
#[prompt(allow(heading_above_top))]
struct ReleaseNotes {
    product: Html,
    version: String,
    changes: Vec<Change>,
    groups: Vec<Group>,
    audience: String,
    forbid: Vec<String>,
    limit: u32,
    diff: String,
    more: Option<u32>,
}

#[derive(Deserialize)]
struct Change {
    title: Html,
    breaking: bool,
    kind: String,
    issue: Option<u32>,
}

#[derive(Deserialize)]
struct Group {
    heading: String,
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    text: String,
    author: String,
}

#[derive(Deserialize)]
struct Html(String);

impl Display for Html {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&html(&self.0))
    }
}

#[test]
fn the_type_release_notes() {
    derived::<ReleaseNotes>("release_notes");
}

#[test]
fn the_file_release_notes() {
    file("release_notes", |values| {
        values["product"] = html(&text(&values["product"])).into();
        for change in items(&mut values["changes"]) {
            change["title"] = html(&text(&change["title"])).into();
        }
    });
}

/// # Task
/// Judge the answer on a scale from {low} to {high}. The pass mark is {mark:.2}.
///
/// # Question
/// {question}{_}
///
/// # Reference #
/// {reference}{_}
/// # Answer
/// <answer author="{author}">
/// {answer}{_}
/// </answer>
///
/// # Form
/// Reply with one JSON object:
///
/// {
///   "score": {low},
///   "passed": false,
///   "why": "{hint}",
///   "parts": [{"name": "style", "score": {low}}],
///   "empty": {}
/// }
///
/// ```python
/// def weight(score):
///
///     return {"score": score / {high}}
/// ```
///
/// {extra}{_}
/// Nothing behind the object.
#[derive(PromptNode, Deserialize)]
struct Judge {
    low: u32,
    high: u32,
    mark: f64,
    question: String,
    reference: String,
    #[var(raw)]
    author: String,
    answer: String,
    hint: String,
    extra: String,
}

#[test]
fn the_type_judge() {
    derived::<Judge>("judge");
}

#[test]
fn the_file_judge() {
    // `{mark:.2}` of a whole number prints `5`, where Python's `.2f` prints `5.00`.
    file("judge", |values| {
        values["mark"] = values["mark"].as_f64().into()
    });
}

/// You write SQL for {dialect_name}. Today is {today}.
///
/// Tables:
/// {*schema as table}
/// {index:>2}. {table.name} ({*table.columns}{item}{?!last}, {/last}{/table.columns})
/// {else}
/// {_}
/// {/schema}
///
/// {?is_limited}Rows are limited to {limit}.{/is_limited}{_}
/// Column      Rows
/// ----------  ------
/// {*schema as table}
/// {table.name:<10}  {table.rows:>6}
/// {else}
/// {_}
/// {/schema}
///
/// ## Examples ##
/// {*examples as example}
/// Q: {example.question}
/// A: `{example.sql}`
/// {_}
/// {/examples}
/// ## Rules
/// - Read only{?strict} (strictly){/strict}.
/// - {?cte}Use a CTE.{else}Do not use a CTE.{/cte}
/// - Share of empty answers so far: {share}
///
/// ```sql
/// -- {dialect}
/// {setup}
///
/// {?strict}
/// -- read only
/// {/strict}
///
/// SELECT {columns} FROM {table};
/// ```
///
/// Question: {question}
#[derive(PromptNode, Deserialize)]
#[prompt(vars(dialect_name = self.dialect.to_uppercase(), is_limited = self.limit > 0))]
struct SqlAgent {
    dialect: String,
    today: String,
    // In the fence `{table}` would be taken for a slip of `{tables}`.
    #[serde(rename = "tables")]
    schema: Vec<Table>,
    limit: u32,
    examples: Vec<Example>,
    strict: bool,
    cte: bool,
    #[var(with = percent)]
    share: f64,
    setup: String,
    #[var(with = repr)]
    question: String,
}

#[derive(Deserialize)]
struct Table {
    name: String,
    columns: Vec<String>,
    rows: Thousands,
}

#[derive(Deserialize)]
struct Example {
    question: String,
    sql: String,
}

#[derive(Deserialize)]
struct Thousands(u64);

impl Display for Thousands {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(&thousands(&self.0))
    }
}

#[test]
fn the_type_sql_agent() {
    derived::<SqlAgent>("sql_agent");
}

#[test]
fn the_file_sql_agent() {
    file("sql_agent", |values| {
        values.insert(
            "dialect_name".into(),
            upper(&text(&values["dialect"])).into(),
        );
        values.insert("is_limited".into(), (values["limit"] != 0).into());
        values["share"] = percent(&values["share"].as_f64().unwrap()).into();
        values["question"] = repr(&text(&values["question"])).into();
        for table in items(&mut values["tables"]) {
            table["rows"] = thousands(&table["rows"].as_u64().unwrap()).into();
        }
        let tables = values.shift_remove("tables").unwrap();
        values.insert("schema".into(), tables);
    });
}

/// Summary of week {week:02}   {_}
/// ==================
///
/// <sources>
/// {sources}{_}
/// </sources>
/// <audience>{audience}</audience>
///
/// ### 1. {first.title} ###
/// {first.text}{_}
///
///
/// ### 2. {second.title}
/// {second.text}{_}
/// Total: {total} letters, {mean:.1} a day | {name:<8}| {name:>8} |
///
/// * * *
/// {notes}{_}
///
/// Answer in this form:
/// <report week="{week:02}">
///   <line>{{text}}</line>
///   {{{name}}}
/// </report>
/// {closing}
#[derive(PromptNode, Deserialize)]
struct Report {
    week: u32,
    sources: String,
    audience: String,
    first: Part,
    second: Part,
    #[var(with = thousands)]
    total: u64,
    mean: f64,
    name: String,
    notes: String,
    closing: String,
}

#[derive(Deserialize)]
struct Part {
    title: String,
    text: String,
}

#[test]
fn the_type_report() {
    derived::<Report>("report");
}

#[test]
fn the_file_report() {
    file("report", |values| {
        values["total"] = thousands(&values["total"].as_u64().unwrap()).into();
        values["mean"] = values["mean"].as_f64().into();
    });
}

/// You write commit messages for {?repo}{repo}{else}this repository{/repo}.
/// {*rules}
/// - {item}
/// {else}
/// {_}
/// {/rules}
///
/// {?is_conventional}Begin with one of: {kinds}.{else}Begin with a verb.{/is_conventional}
///
/// # Diff #
///
/// ```diff
/// {diff}
/// ```
/// {?issue}
///
/// ## Issue
///
/// #{issue.id}: {issue.title}
/// {?issue.labels}Labels: {*issue.labels}{item}{?!last} / {/last}{/issue.labels}{else}No labels.{/issue.labels}
/// {/issue}
///
/// Reply as JSON: {"title":"..","body":null,"files":{files}}
/// {_}
/// {*examples as example}
/// <example n="{index}">
/// {example}{_}
/// </example>
///
/// {else}
/// {_}
/// {/examples}
///
/// The title has at most {limit} characters{?!emoji}, no emoji{/emoji}.
#[derive(PromptNode, Deserialize)]
#[prompt(vars(is_conventional = self.style == "conventional"))]
struct Commit {
    repo: String,
    rules: Vec<String>,
    style: String,
    #[var(join = ", ")]
    kinds: Vec<String>,
    #[var(trim)]
    diff: String,
    issue: Option<Issue>,
    #[var(json)]
    files: Vec<String>,
    examples: Vec<String>,
    limit: u32,
    emoji: bool,
}

#[derive(Deserialize)]
struct Issue {
    id: u32,
    title: String,
    labels: Vec<String>,
}

#[test]
fn the_type_commit() {
    derived::<Commit>("commit");
}

#[test]
fn the_file_commit() {
    file("commit", |values| {
        let is_conventional = values["style"] == "conventional";
        values.insert("is_conventional".into(), is_conventional.into());
    });
}

/// ## You are the game master of "{title}"
/// {intro}{_}
/// {_}
/// {?players}
/// ## Players
/// {*players as player}
/// {index}. **{player.name}** ({player.kind})
/// {*player.items as thing}
///    - {thing.name}{?thing.count} x{thing.count}{/thing.count}
/// {/player.items}
/// {/players}
/// {else}
/// Nobody has joined yet.
/// {/players}
///
/// ## State   {_}
///
/// <state turn="{turn}">
/// {state}
/// </state>
/// {_}
/// {?secret}
/// {_}> Secret: {secret}
/// {/secret}
///
/// | Dice | Meaning |
/// | --- | --- |
/// {*dice}
/// | {item.0} | {item.1} |
/// {else}
/// {_}
/// {/dice}
///
/// Tone: {voices}. Speak {language}.
/// {last}{_}
/// What happens next?
#[derive(PromptNode, Deserialize)]
#[prompt(vars(voices = self.tones.iter().map(|tone| upper(tone)).collect::<Vec<_>>(), { join = " + ", default = "plain" }))]
struct GameMaster {
    title: String,
    intro: String,
    players: Vec<Player>,
    turn: u32,
    #[var(json = "pretty")]
    state: State,
    secret: String,
    dice: Vec<(String, String)>,
    tones: Vec<String>,
    #[var(default = "English")]
    language: Option<String>,
    #[var(with = sliced)]
    last: String,
}

#[derive(Deserialize)]
struct Player {
    name: String,
    kind: String,
    items: Vec<Thing>,
}

#[derive(Deserialize)]
struct Thing {
    name: String,
    #[serde(deserialize_with = "above_one")]
    count: Option<u32>,
}

fn above_one<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    let count = u32::deserialize(from)?;
    Ok((count > 1).then_some(count))
}

/// JSON of a map has its keys in order; `JSON.stringify` leaves them as they are, and so does a struct.
#[derive(Deserialize, serde::Serialize)]
struct State {
    #[serde(skip_serializing_if = "Option::is_none")]
    fog: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    boats: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    crew: Option<Map<String, Value>>,
}

#[test]
fn the_type_game_master() {
    derived::<GameMaster>("game_master");
}

#[test]
fn the_file_game_master() {
    file("game_master", |values| {
        for player in items(&mut values["players"]) {
            for thing in items(&mut player["items"]) {
                thing["many"] = (thing["count"].as_u64() > Some(1)).into();
            }
        }
        for tone in items(&mut values["tones"]) {
            *tone = upper(&text(tone)).into();
        }
        let state: State = serde_json::from_value(values["state"].clone()).unwrap();
        values["state"] = serde_json::to_string_pretty(&state).unwrap().into();
        values["last"] = sliced(&text(&values["last"])).into();
    });
}

// What a filter of the engine does and no key of ours.

/// `upper` of jinja2 and of Python, `toUpperCase` of JavaScript.
fn upper(text: &str) -> String {
    text.to_uppercase()
}

/// `${text.slice(0, 20)}${text.length > 20 ? "..." : ""}`.
fn sliced(text: &str) -> String {
    match text.char_indices().nth(20) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// `truncate` of jinja2: a text that is at most five characters too long stays; a longer one is cut at a word, `...` counted.
fn truncated(text: &str, length: usize) -> String {
    if text.chars().count() <= length + 5 {
        return text.to_owned();
    }
    let cut: String = text.chars().take(length - 3).collect();
    let word = cut
        .rsplit_once(' ')
        .map_or(cut.as_str(), |(words, _)| words);
    format!("{word}...")
}

/// `tojson` of jinja2: keys in order, blanks behind `:` and `,`, and no sign in it that HTML knows.
fn tojson(value: &Value) -> String {
    let list = |them: Vec<String>| them.join(", ");
    let text = match value {
        Value::Array(items) => format!("[{}]", list(items.iter().map(tojson).collect())),
        Value::Object(map) => {
            let entry =
                |(key, value): (&String, &Value)| format!("{}: {}", json!(key), tojson(value));
            let in_order: BTreeMap<_, _> = map.iter().collect();
            format!("{{{}}}", list(in_order.into_iter().map(entry).collect()))
        }
        other => other.to_string(),
    };
    let signs = [
        ('<', "\\u003c"),
        ('>', "\\u003e"),
        ('&', "\\u0026"),
        ('\'', "\\u0027"),
    ];
    signs
        .iter()
        .fold(text, |text, (sign, escape)| text.replace(*sign, escape))
}

/// `{{x}}` of handlebars.
fn html(text: &str) -> String {
    let signs = [
        ('&', "&amp;"),
        ('<', "&lt;"),
        ('>', "&gt;"),
        ('"', "&quot;"),
        ('\'', "&#x27;"),
        ('`', "&#x60;"),
        ('=', "&#x3D;"),
    ];
    signs.iter().fold(text.to_owned(), |text, (sign, escape)| {
        text.replace(*sign, escape)
    })
}

/// `{x:,}` of Python.
fn thousands(number: &u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `{x:.1%}` of Python.
fn percent(share: &f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// `{x!r}` of Python, of a text without line breaks.
fn repr(text: &str) -> String {
    let quote = if text.contains('\'') { '"' } else { '\'' };
    format!("{quote}{text}{quote}")
}
