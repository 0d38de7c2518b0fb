#![no_implicit_prelude]
#![deny(warnings)]

/// You review {language} code for {team}{register}.
/// - {?strict}Be strict.
/// Names: {names}, limit {limit:.1}, {config}, {done}.
#[derive(::prompt_core::PromptNode)]
#[prompt(tag = "reviewer", attr(id = self.team), vars(count = self.names.len()))]
pub struct Reviewer<'a> {
    language: ::std::string::String,
    team: &'a str,
    #[var(some = " in the {} register")]
    register: ::std::option::Option<::std::string::String>,
    strict: bool,
    #[var(item = "{index}. {item}", join = "\n", last = " or ")]
    names: ::std::vec::Vec<::std::string::String>,
    limit: f64,
    #[var(json)]
    config: [u8; 2],
    #[var(yes = "done", no = "open")]
    done: bool,

    /// {count} rules.
    #[section(when = self.strict, priority = 3, visibility = "summary", summary = "For {team}.")]
    rules: ::std::vec::Vec<Rule>,
    #[section(item = "- {item}")]
    texts: ::std::vec::Vec<::std::string::String>,
    #[section]
    unit: (),
    #[section]
    kind: Kind,
}

/// {text}
#[derive(::prompt_core::PromptNode)]
pub struct Rule {
    text: ::std::string::String,
}

#[derive(::prompt_core::PromptNode)]
pub enum Kind {
    /// At most {limit}.
    Plan { limit: u8 },
    /// Nothing.
    Unit,
    Tuple(#[section(key = "text")] ::std::string::String),
}

fn main() {}
