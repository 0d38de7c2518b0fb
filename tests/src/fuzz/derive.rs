//! Random types through the whole derive, in process.

use super::Source;
use prompt_derive::{prompt_node, prompt_task};
use prompt_syntax::{Code, book};

/// What comes out is Rust, every complaint has a code, and the same type gives the same text.
pub(super) fn derive(source: &mut Source<'_>) -> Result<(), String> {
    let item = item(source);
    let Ok(tokens) = item.parse::<proc_macro2::TokenStream>() else {
        return Ok(());
    };
    for derive in [prompt_node, prompt_task] {
        let output = derive(tokens.clone());
        let text = output.to_string();
        if derive(tokens.clone()).to_string() != text {
            return Err(format!("another text each time\n{item}"));
        }
        let file: syn::File =
            syn::parse2(output).map_err(|error| format!("no Rust: {error}\n{item}\n{text}"))?;
        for complaint in file.items.iter().filter_map(complaint) {
            let has_code = |code: &Code| complaint.contains(&format!("[{code}]"));
            if !Code::ALL.iter().any(has_code) {
                return Err(format!("no code: {complaint}\n{item}"));
            }
        }
    }
    Ok(())
}

/// The words of an error in an expansion.
fn complaint(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Macro(item) => item
            .mac
            .parse_body::<syn::LitStr>()
            .ok()
            .map(|text| text.value()),
        _ => None,
    }
}

/// What is no key, besides those of the book.
const STRANGE: &[&str] = &["titel", "a::b", "r#fn", "self", "3", "fn"];
const VALUES: &[&str] = &[
    "\"\"",
    "\"x\"",
    "\"{a}\"",
    "\"{?a}{b}{/a}\"",
    "\"{item.x}\\n{index0}\"",
    "\" ({})\"",
    "\"{}{}\"",
    "\"{?a}\\n{b}\\n{else}\\n{/a}\"",
    "\"{a.len()} {{a}} {a:>8}\"",
    "\"full\"",
    "\"summary\"",
    "\"<a>{b}</a>\"",
    "\"{PROMPT_SUBTREE}\"",
    "\"{title}{key}\"",
    "\"Hi { a } {nmae}.\"",
    "\"{{ { a } }} {b}\"",
    "\"{r#fn} {ä}\"",
    "\"{*a}{item}{/a}\"",
    "self.a",
    "self.a > 0",
    "!self.b",
    "&self.a",
    "1",
    "-1",
    "99999999999999999999",
    "true",
    "{ 1 }",
    "|x| x",
    "a.b",
    "a::b::<C>()",
    "[\"a\", 2]",
    "x.0.1",
    "'c'",
    "1.5",
    "",
    "=",
    "= 1",
    "a b",
    "\"T: Clone\"",
    "Some(&self)",
];
const TYPES: &[&str] = &[
    "String",
    "&'static str",
    "u8",
    "()",
    "Option<String>",
    "Vec<String>",
    "Vec<(u8, u8)>",
    "BTreeMap<String, u8>",
    "HashMap<u8, u8>",
    "Vec<A>",
    "Box<A>",
    "T",
    "Option<Vec<T>>",
    "Option",
    "my::Vec<u8>",
    "[u8; 3]",
    "[T]",
    "dyn B",
    "impl C",
    "fn(u8) -> u8",
    "Rc<Option<u8>>",
    "!",
    "_",
];
const TEXTS: &[&str] = &[
    "Hello.",
    "{a}",
    "{b:?}",
    "{?a}{a}{/a}",
    "{?a}",
    "{else}",
    "{/a}",
    "# A",
    "### B",
    "{PROMPT_SUBTREE}",
    "{a.x}",
    "{unknown}",
    "{a",
    "```",
    "- {?!b}x {b}",
    "<t>{a}</t>",
    "{{a}}",
    "",
    "    code",
    "{TOTAL}",
    "{ a }",
    "{*a}{item.x}{/a}",
    "{else}{?b}",
    "{?n > 3}x{/n}",
    "{/b}",
];

fn item(source: &mut Source<'_>) -> String {
    let outer = attributes(source, "prompt");
    let generics = source.pick(&["", "<T>", "<'a, T: 'a>"]);
    match source.below(5) {
        0 => {
            let count = source.below(4);
            let variants: String = (0..count).map(|at| variant(source, at)).collect();
            format!("{outer} enum A{generics} {{ {variants} }}")
        }
        1 => {
            let count = source.below(3);
            let fields: String = (0..count).map(|_| field(source, "")).collect();
            format!("{outer} struct A{generics}({fields});")
        }
        _ => format!("{outer} struct A{generics} {}", fields(source)),
    }
}

fn variant(source: &mut Source<'_>, at: usize) -> String {
    let attribute = source.pick(&["prompt", "prompt", "task"]);
    let attributes = attributes(source, attribute);
    let fields = if source.chance(50) {
        fields(source)
    } else {
        String::new()
    };
    format!("{attributes} V{at} {fields}, ")
}

fn fields(source: &mut Source<'_>) -> String {
    let names = ["a", "b", "item", "r#fn", "x_1"];
    let count = source.below(names.len());
    let fields: String = names
        .iter()
        .take(count)
        .map(|name| field(source, name))
        .collect();
    format!("{{ {fields} }}")
}

fn field(source: &mut Source<'_>, name: &str) -> String {
    let attribute = source.pick(&["var", "section", "section", "var", "prompt"]);
    let attributes = attributes(source, attribute);
    let colon = if name.is_empty() { "" } else { ":" };
    format!("{attributes} {name}{colon} {}, ", source.pick(TYPES))
}

fn attributes(source: &mut Source<'_>, name: &str) -> String {
    let mut attributes = String::new();
    for _ in 0..source.below(4) {
        attributes += &format!("#[doc = {:?}] ", source.pick(TEXTS));
    }
    if source.chance(67) {
        let entries = entries(source, 0);
        attributes += &format!("#[{name}({entries})] ");
    }
    attributes
}

fn entries(source: &mut Source<'_>, depth: usize) -> String {
    let mut entries = String::new();
    for _ in 0..source.below(5) {
        entries += if source.chance(10) {
            source.pick(STRANGE)
        } else {
            book::KEYS[source.below(book::KEYS.len())].name
        };
        match source.below(6) {
            0 => {}
            1 | 2 if depth < 2 => entries += &format!("({})", self::entries(source, depth + 1)),
            3 if depth > 0 => entries += &format!(" = 1, {{ {} }}", self::entries(source, 2)),
            _ => entries += &format!(" = {}", source.pick(VALUES)),
        }
        entries += source.pick(&[", ", ", ", ", ", " ", "; ", ": "]);
    }
    entries
}
