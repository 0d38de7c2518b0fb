//! The types that stand beside the derived one in its file. The compiler shows a derive no other type, and what it says
//! itself of a field that does not exist (E0609) names neither a near one nor the text: so the file is looked at. Only what
//! cannot be mistaken counts: a `struct` with named fields in the same list of items as the derived type, which hides
//! anything that is imported under its name.

use proc_macro2::Ident;
use std::cell::OnceCell;

/// The file of a type, read when somebody asks.
pub(crate) struct Beside<'a> {
    ident: &'a Ident,
    file: OnceCell<Option<Scope>>,
}

impl<'a> Beside<'a> {
    pub(crate) fn new(ident: &'a Ident) -> Self {
        Self {
            ident,
            file: OnceCell::new(),
        }
    }

    /// The name of the type.
    pub(crate) fn ident(&self) -> &Ident {
        self.ident
    }

    /// The names of the fields of a struct beside the type.
    pub(crate) fn fields(&self, name: &str) -> Option<Vec<String>> {
        self.scope()?.fields(name)
    }

    /// Whether this is another name for an `Option` beside the type.
    pub(crate) fn is_option(&self, name: &str) -> bool {
        self.scope().is_some_and(|scope| scope.is_option(name))
    }

    fn scope(&self) -> Option<&Scope> {
        let read = || Scope::around(&source(self.ident)?, &self.ident.to_string());
        self.file.get_or_init(read).as_ref()
    }
}

/// The text of the file that a name stands in; none in tests, and where the name was made by a macro.
fn source(ident: &Ident) -> Option<String> {
    if !proc_macro::is_available() {
        return None;
    }
    let path = ident.span().unwrap().local_file()?;
    std::fs::read_to_string(path).ok()
}

/// The items of one list: of a file, a module or a block.
struct Scope {
    tokens: Vec<Token>,
    /// The brace around each token, by its number; that of the file is 0.
    around: Vec<usize>,
    /// The brace around the items.
    brace: usize,
}

/// A piece of source.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Sign(char),
}

impl Token {
    fn is(&self, word: &str) -> bool {
        matches!(self, Self::Word(own) if own == word)
    }
}

/// What declares a type.
const TYPES: &[&str] = &["struct", "enum", "union", "type", "trait"];

/// Attributes that leave the fields of a struct as they are. Any other may be a macro that adds some.
const INERT: &[&str] = &[
    "allow",
    "automatically_derived",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "forbid",
    "must_use",
    "non_exhaustive",
    "prompt",
    "repr",
    "schemars",
    "serde",
    "warn",
];

impl Scope {
    /// The items around a type, if it is declared once in a text.
    fn around(text: &str, name: &str) -> Option<Self> {
        let tokens = tokens(text);
        let mut open = vec![0];
        let mut around = Vec::with_capacity(tokens.len());
        for (at, token) in tokens.iter().enumerate() {
            if *token == Token::Sign('}') && open.len() > 1 {
                open.pop();
            }
            around.push(open.last().copied().unwrap_or(0));
            if *token == Token::Sign('{') {
                open.push(at + 1);
            }
        }
        let mut scope = Self {
            tokens,
            around,
            brace: 0,
        };
        let mut all = scope.declared(name);
        let (at, None) = (all.next()?, all.next()) else {
            return None;
        };
        drop(all);
        scope.brace = scope.around[at];
        // What a macro makes of its input is not known.
        let before = scope.brace.saturating_sub(3)..scope.brace;
        let is_macro = scope.tokens[before].contains(&Token::Sign('!'));
        (!is_macro).then_some(scope)
    }

    /// Where types of a name are declared: the places of `struct` and the like.
    fn declared(&self, name: &str) -> impl Iterator<Item = usize> {
        let pairs = self.tokens.windows(2).enumerate();
        pairs.filter_map(move |(at, pair)| {
            let is_type = TYPES.iter().any(|word| pair[0].is(word));
            (is_type && pair[1].is(name)).then_some(at)
        })
    }

    /// Where a type of the scope is declared, if it is there once.
    fn find(&self, name: &str) -> Option<usize> {
        let mut all = self.declared(name);
        let mut all = all.by_ref().filter(|at| self.around[*at] == self.brace);
        let (at, None) = (all.next()?, all.next()) else {
            return None;
        };
        self.is_plain(at).then_some(at)
    }

    /// Whether nothing but inert attributes stand on a declaration.
    fn is_plain(&self, at: usize) -> bool {
        let mut rest = &self.tokens[..at];
        loop {
            match rest {
                [before @ .., Token::Word(word)] if word == "pub" => rest = before,
                [before @ .., Token::Sign(')')] => {
                    let open = before.iter().rposition(|token| *token == Token::Sign('('));
                    rest = open.map_or(&[][..], |open| &before[..open]);
                }
                [before @ .., Token::Sign(']')] => {
                    let Some(open) = opening(before) else {
                        return false;
                    };
                    let (outer, attribute) = before.split_at(open);
                    let is_inert = INERT
                        .iter()
                        .any(|name| attribute[1..].first().is_some_and(|word| word.is(name)));
                    let [outer @ .., Token::Sign('#')] = outer else {
                        return false;
                    };
                    if !is_inert {
                        return false;
                    }
                    rest = outer;
                }
                _ => return true,
            }
        }
    }

    /// The named fields of a struct. One that gives those of another through `Deref` has more.
    fn fields(&self, name: &str) -> Option<Vec<String>> {
        let at = self.find(name).filter(|at| self.tokens[*at].is("struct"))?;
        let derefs =
            |three: &[Token]| three[0].is("Deref") && three[1].is("for") && three[2].is(name);
        if self.tokens.windows(3).any(derefs) {
            return None;
        }
        // `struct Rule<T> where T: Fn(u8) { .. }`; `struct Rule(u8);` and `struct Rule;` have no names.
        let rest = &self.tokens[at + 2..];
        let is_end = |token: &Token| matches!(token, Token::Sign('{' | ';'));
        let end = rest.iter().position(is_end)?;
        if rest[end] == Token::Sign(';') || rest.first() == Some(&Token::Sign('(')) {
            return None;
        }
        let fields = fields_in(&rest[end + 1..]);
        (!fields.is_empty()).then_some(fields)
    }

    fn is_option(&self, name: &str) -> bool {
        let Some(at) = self.find(name).filter(|at| self.tokens[*at].is("type")) else {
            return false;
        };
        let rest = &self.tokens[at..];
        let is_end = |token: &Token| *token == Token::Sign(';');
        let end = rest.iter().position(is_end).unwrap_or(rest.len());
        let target = rest[..end]
            .iter()
            .skip_while(|token| **token != Token::Sign('='));
        // `= Option<..>`, `= std::option::Option<..>`: the first word that is no beginning of a path.
        let mut words = target.filter_map(|token| match token {
            Token::Word(word) => Some(word.as_str()),
            Token::Sign(_) => None,
        });
        words.find(|word| !["std", "core", "option"].contains(word)) == Some("Option")
    }
}

/// The place of the bracket that the last one closes, which has been taken away.
fn opening(tokens: &[Token]) -> Option<usize> {
    let mut depth = 1;
    tokens.iter().rposition(|token| {
        match token {
            Token::Sign(']') => depth += 1,
            Token::Sign('[') => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// The names before the colons of a list of fields, up to the brace that ends it.
fn fields_in(tokens: &[Token]) -> Vec<String> {
    let mut names = Vec::new();
    let (mut depth, mut is_type) = (0_usize, false);
    for (at, token) in tokens.iter().enumerate() {
        let is_arrow = at > 0 && tokens[at - 1] == Token::Sign('-');
        match token {
            Token::Sign('}') if depth == 0 => break,
            Token::Sign('(' | '[' | '{' | '<') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            Token::Sign('>') if !is_arrow => depth = depth.saturating_sub(1),
            Token::Sign(',') if depth == 0 => is_type = false,
            Token::Sign(':') if depth == 0 && !is_type => {
                is_type = true;
                if let Some(Token::Word(name)) = at.checked_sub(1).map(|before| &tokens[before]) {
                    names.push(name.clone());
                }
            }
            _ => {}
        }
    }
    names
}

/// The words and signs of a source. Comments, texts, characters and lifetimes say nothing here.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
        let word = rest.find(|sign| !is_word(sign)).unwrap_or(rest.len());
        rest = if first.is_whitespace() {
            rest.trim_start()
        } else if rest.starts_with("//") {
            rest.find('\n').map_or("", |end| &rest[end..])
        } else if rest.starts_with("/*") {
            after_comment(rest)
        } else if first == '"' {
            after_text(&rest[1..])
        } else if first == '\'' {
            after_quote(&rest[1..])
        } else if let Some(after) = after_raw(rest, word) {
            after
        } else if rest[..word] == *"r" && rest[word..].starts_with('#') {
            // `r#type`
            &rest[word + 1..]
        } else if word > 0 {
            tokens.push(Token::Word(rest[..word].to_owned()));
            &rest[word..]
        } else {
            tokens.push(Token::Sign(first));
            &rest[first.len_utf8()..]
        };
    }
    tokens
}

/// Comments stand in one another.
fn after_comment(text: &str) -> &str {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(next) = text[at..].find(['/', '*']).map(|next| at + next) {
        let step = match &text.as_bytes()[next..] {
            [b'/', b'*', ..] => {
                depth += 1;
                2
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at = next + step;
        if depth == 0 {
            return &text[at..];
        }
    }
    ""
}

/// What stands behind the quote that ends a text.
fn after_text(text: &str) -> &str {
    let mut at = 0;
    while let Some(next) = text[at..].find(['"', '\\']).map(|next| at + next) {
        if text.as_bytes()[next] == b'"' {
            return &text[next + 1..];
        }
        let escaped = text[next + 1..].chars().next().map_or(0, char::len_utf8);
        at = next + 1 + escaped;
    }
    ""
}

/// Behind a single quote: a character, or the name of a lifetime.
fn after_quote(text: &str) -> &str {
    let mut signs = text.char_indices();
    match (signs.next(), signs.next()) {
        (Some((_, '\\')), Some((at, escaped))) => {
            let text = &text[at + escaped.len_utf8()..];
            text.find('\'').map_or("", |end| &text[end + 1..])
        }
        (_, Some((at, '\''))) => &text[at + 1..],
        _ => text.trim_start_matches(|sign: char| sign.is_alphanumeric() || sign == '_'),
    }
}

/// Behind a raw text, if one begins here: `r"..", r#".."#, br".."`.
fn after_raw(text: &str, word: usize) -> Option<&str> {
    let marks = text[word..].find(|sign| sign != '#').unwrap_or(0);
    let is_raw = ["r", "br", "cr"].contains(&&text[..word]);
    let inner = text[word + marks..].strip_prefix('"').filter(|_| is_raw)?;
    let end = format!("\"{}", "#".repeat(marks));
    Some(inner.find(&end).map_or("", |at| &inner[at + end.len()..]))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::Scope;

    fn fields(text: &str, name: &str) -> Option<Vec<String>> {
        Scope::around(text, "Own")?.fields(name)
    }

    #[test]
    fn fields_of_structs_beside_the_type() {
        let text = "
            /* struct Rule { /* x */ } */ const A: &str = r#\"struct Rule { \"# ;
            const B: char = '{'; const C: (&'static str, char) = (\"\\\"{\", '\\'');
            #[derive(Debug)] #[serde(rename_all = \"x\")]
            pub(crate) struct Rule<'a, T: Fn(u8) -> u8> where T: Fn(u8) {
                /// Its: name.
                pub name: Vec<(u8, &'a T)>, #[serde(rename = \"a: b\")] pub(crate) r#type: fn(u8) -> Option<u8>,
                size: [u8; 2],
            }
            struct Own { rules: Vec<Rule> }";
        let names = fields(text, "Rule").unwrap();
        assert_eq!(names, ["name", "type", "size"]);
    }

    #[test]
    fn what_could_be_mistaken_is_not_looked_at() {
        let own = "struct Own { rules: Vec<Rule> }";
        for other in [
            "mod a { struct Rule { name: u8 } }",
            "struct Rule(u8);",
            "struct Rule;",
            "enum Rule { A { name: u8 } }",
            "#[adds_fields] struct Rule { name: u8 }",
            "#[cfg(test)] struct Rule { name: u8 } ",
            "struct Rule { name: u8 } impl std::ops::Deref for Rule { }",
            "struct Rule { name: u8 } mod b { struct Own; }",
        ] {
            assert_eq!(fields(&format!("{own} {other}"), "Rule"), None, "{other}");
        }
        assert_eq!(
            fields(
                &format!("made! {{ struct Rule {{ name: u8 }} {own} }}"),
                "Rule"
            ),
            None
        );
        let text =
            format!("mod a {{ struct Rule {{ name: u8 }} {own} }} struct Rule {{ other: u8 }}");
        assert_eq!(fields(&text, "Rule").unwrap(), ["name"]);
    }

    #[test]
    fn other_names_of_options() {
        let text =
            "type Maybe<T> = core::option::Option<T>; type No<T> = Vec<Option<T>>; struct Own;";
        let scope = Scope::around(text, "Own").unwrap();
        assert!(scope.is_option("Maybe") && !scope.is_option("No") && !scope.is_option("Own"));
    }

    #[test]
    fn any_text_is_read() {
        for text in [
            "",
            "'",
            "'\\",
            "\"\\",
            "/*",
            "/*/",
            "r#",
            "br##\"",
            "struct",
            "struct Own {",
            "}}} struct Own",
            "'é'",
            "b'\\''",
        ] {
            let _ = fields(text, "Own");
        }
    }
}
