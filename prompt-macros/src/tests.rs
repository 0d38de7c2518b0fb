//! What the derives write, as a person reads it, and that nothing makes them panic.
//!
//! One type per file in `tests/expansion`, its expansion beside it; `UPDATE_EXPECT=1 cargo test -p prompt-macros` writes
//! them anew.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::format_push_string
)]

use crate::{derive, task};
use proc_macro2::TokenStream;
use std::{fs, path::PathBuf};

/// Bytes of an expansion of ten documented variables, without layout.
const LARGEST: usize = 2000;
/// Bytes that a section adds, its own words included.
const LARGEST_SECTION: usize = 275;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/expansion")
        .join(name)
}

fn expand(source: &str) -> String {
    let tokens = derive::prompt_node(source.parse::<TokenStream>().unwrap());
    prettyplease::unparse(&syn::parse2(tokens).unwrap())
}

/// The bytes that a compiler reads: no indentation, no line breaks, blanks only between words.
fn size(source: &str) -> usize {
    let text = derive::prompt_node(source.parse::<TokenStream>().unwrap()).to_string();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let chars: Vec<char> = text.chars().collect();
    let needless = |at: usize| {
        let around = [at.checked_sub(1), Some(at + 1)]
            .map(|at| at.and_then(|at| chars.get(at)).is_some_and(|c| word(*c)));
        chars[at] == ' ' && around != [true, true]
    };
    (0..chars.len())
        .filter(|at| !needless(*at))
        .map(|at| chars[at].len_utf8())
        .sum()
}

#[test]
fn expansions() {
    for name in [
        "quickstart",
        "ten_variables",
        "prints",
        "lists",
        "conditions",
        "loops",
        "expressions",
        "workflow",
        "generic",
        "file",
        "wrong",
    ] {
        let source = fs::read_to_string(fixture(&format!("{name}.rs"))).unwrap();
        expect_test::expect_file![fixture(&format!("{name}.expanded.rs"))]
            .assert_eq(&expand(&source));
    }
}

#[test]
fn ten_variables_are_small() {
    let source = fs::read_to_string(fixture("ten_variables.rs")).unwrap();
    let size = size(&source);
    assert!(size <= LARGEST, "{size} bytes");
}

#[test]
fn a_section_is_small() {
    let one = "struct Root { #[section] rules: Rules }";
    let two = "struct Root { #[section] rules: Rules, #[section] more_rules: MoreRules }";
    let added = size(two) - size(one);
    assert!(added <= LARGEST_SECTION, "{added} bytes");
}

#[test]
fn only_the_renamed_crate_is_named() {
    let source = fs::read_to_string(fixture("generic.rs")).unwrap();
    assert!(!expand(&source).contains("prompt_core"));
}

/// Ten lists whose templates name three others each: each template stands in the expansion once.
#[test]
fn templates_that_name_each_other_do_not_blow_up() {
    let field = |index: usize| {
        let others = [1, 2, 3].map(|step| format!("{{list_{}}}", index + step));
        let item = if index < 10 {
            others.concat()
        } else {
            "{item}".to_owned()
        };
        format!("#[var(item = \"{item}\")] list_{index}: Vec<String>,")
    };
    let fields: String = (0..13).map(field).collect();
    let source = format!("#[doc = \"{{list_0}}\"] struct Root {{ {fields} }}");
    assert!(size(&source) < 6000, "{}", size(&source));
}

/// What comes out is Rust, and every complaint has a code.
fn is_sound(source: &str) {
    let Ok(tokens) = source.parse::<TokenStream>() else {
        return;
    };
    for output in [derive::prompt_node(tokens.clone()), task::derive(tokens)] {
        let text = output.to_string();
        let file: syn::File = syn::parse2(output)
            .unwrap_or_else(|error| panic!("no Rust: {error}\n{source}\n{text}"));
        for item in &file.items {
            let syn::Item::Macro(complaint) = item else {
                continue;
            };
            let message: syn::LitStr = complaint.mac.parse_body().unwrap();
            let message = message.value();
            let has_code = prompt_syntax::Code::ALL
                .iter()
                .any(|code| message.contains(&format!("[{code}]")));
            assert!(has_code, "no code: {message}\n{source}");
        }
    }
}

#[test]
fn nothing_panics_on_odd_types() {
    let types = [
        "#[prompt(file = \"\")] struct A;",
        "struct A;",
        "struct A();",
        "struct A {}",
        "enum A {}",
        "union A { a: u8 }",
        "struct A(#[section] B);",
        "#[prompt] struct A;",
        "#[prompt()] struct A;",
        "#[prompt(,)] struct A;",
        "#[prompt(3)] struct A;",
        "#[prompt(a::b = 1)] struct A;",
        "#[prompt(title = )] struct A;",
        "#[doc] struct A;",
        "#[doc = 3] struct A;",
        "#[doc = \"{self} {crate} {Self} {_} {é} {a.0.1} {a.99999999999999999999}\"] struct A { a: u8 }",
        "#[doc = \"\\u{feff}{\\u{200b}}\"] struct A;",
        "struct A { #[section(item_key = a.b.0)] r#fn: B }",
        "#[prompt(vars(r#fn = 1, self = 2))] struct A;",
        "#[prompt(vars(self, crate, Self, super, a::b, {}))] struct A;",
        "#[prompt(vars({ join = \", \" }))] struct A;",
        "#[prompt(vars(a = 1, { join = 3 b }))] struct A;",
        "#[prompt(vars(a: 1))] struct A;",
        "#[prompt(tag = \"a\", attr(data-source = \"a\"))] struct A;",
        "#[prompt(tag = \"a\", attr(a = 1 b = 2))] struct A;",
        "#[prompt(template = \"{a.self} {a.crate} {a._}\")] struct A { a: u8 }",
        "fn a() {}",
        "",
        "struct A<'a, T: 'a + ?Sized, const N: usize = 3>(&'a T) where T: Sized;",
        "#[prompt(level = 99999999999999999999)] struct A;",
        "struct A { #[section(priority = 99999999999)] a: B }",
        "#[doc = \"{a}\"] struct A { #[var(item = \"{a}\")] a: Vec<u8> }",
        "#[doc = \"{a}\"] struct A { #[var(item = \"{b}\")] a: Vec<u8>, #[var(some = \"{}{a}\")] b: Option<u8> }",
        "struct A { #[var(some = \"{}{}\")] a: Option<u8>, #[var(some = \"\")] b: Option<u8> }",
        "#[prompt(bound = \"T: \")] struct A<T>(T);",
        "#[task(categories = [\"a\", 3], name = 1)] enum A { #[task(category)] B(u8) }",
    ];
    types.into_iter().for_each(is_sound);
}

/// Attributes put together from pieces, by a small generator with a fixed seed.
#[test]
fn nothing_panics_on_any_attributes() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    for _ in 0..2500 {
        is_sound(&random.item());
    }
}

/// An xorshift generator: the same inputs on every run.
struct Random(u64);

const KEYS: &[&str] = &[
    "key",
    "title",
    "summary",
    "tag",
    "attr",
    "inline",
    "template",
    "file",
    "level",
    "heading",
    "numbering",
    "append",
    "tight",
    "gap",
    "start",
    "end",
    "vars",
    "tools",
    "summary_suffix",
    "bound",
    "allow",
    "deny",
    "crate",
    "default",
    "some",
    "yes",
    "no",
    "item",
    "join",
    "last",
    "hang",
    "debug",
    "json",
    "with",
    "raw",
    "untrusted",
    "untitled",
    "visibility",
    "when",
    "empty",
    "item_title",
    "item_key",
    "item_tag",
    "untitled_items",
    "indent",
    "guard",
    "priority",
    "role",
    "messages",
    "cache",
    "volatile",
    "category",
    "name",
    "categories",
    "titel",
    "a::b",
    "r#fn",
    "self",
    "3",
];
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
];

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % below as u64).unwrap()
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.next(from.len())]
    }

    fn item(&mut self) -> String {
        let (outer, generics) = (
            self.attributes("prompt"),
            self.pick(&["", "<T>", "<'a, T: 'a>"]),
        );
        match self.next(5) {
            0 => {
                let variants: String = (0..self.next(4)).map(|at| self.variant(at)).collect();
                format!("{outer} enum A{generics} {{ {variants} }}")
            }
            1 => {
                let fields: String = (0..self.next(3)).map(|_| self.field("")).collect();
                format!("{outer} struct A{generics}({fields});")
            }
            _ => format!("{outer} struct A{generics} {}", self.fields()),
        }
    }

    fn variant(&mut self, at: usize) -> String {
        let attributes = if self.next(3) == 0 {
            self.attributes("task")
        } else {
            self.attributes("prompt")
        };
        let fields = if self.next(2) == 0 {
            self.fields()
        } else {
            String::new()
        };
        format!("{attributes} V{at} {fields}, ")
    }

    fn fields(&mut self) -> String {
        let names = ["a", "b", "item", "r#fn", "x_1"];
        let count = self.next(names.len());
        let fields: String = names[..count].iter().map(|name| self.field(name)).collect();
        format!("{{ {fields} }}")
    }

    fn field(&mut self, name: &str) -> String {
        let attribute = self.pick(&["var", "section", "section", "var", "prompt"]);
        let attributes = self.attributes(attribute);
        let colon = if name.is_empty() { "" } else { ":" };
        format!("{attributes} {name}{colon} {}, ", self.pick(TYPES))
    }

    fn attributes(&mut self, name: &str) -> String {
        let mut attributes = String::new();
        for _ in 0..self.next(4) {
            attributes += &format!("#[doc = {:?}] ", self.pick(TEXTS));
        }
        if self.next(3) > 0 {
            let entries = self.entries(0);
            attributes += &format!("#[{name}({entries})] ");
        }
        attributes
    }

    fn entries(&mut self, depth: usize) -> String {
        let mut entries = String::new();
        for _ in 0..self.next(5) {
            let key = self.pick(KEYS);
            entries += key;
            match self.next(6) {
                0 => {}
                1 | 2 if depth < 2 => entries += &format!("({})", self.entries(depth + 1)),
                3 if depth > 0 => entries += &format!(" = 1, {{ {} }}", self.entries(2)),
                _ => entries += &format!(" = {}", self.pick(VALUES)),
            }
            entries += self.pick(&[", ", ", ", ", ", " ", "; ", ": "]);
        }
        entries
    }
}
