#![deny(
    warnings,
    missing_docs,
    unused,
    unreachable_pub,
    rust_2018_idioms,
    future_incompatible,
    nonstandard_style
)]
#![deny(
    unused_qualifications,
    unused_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    unused_parens,
    unused_braces
)]
#![deny(
    missing_debug_implementations,
    missing_copy_implementations,
    non_ascii_idents,
    let_underscore_drop
)]
#![deny(clippy::all, clippy::pedantic)]
#![forbid(unsafe_code)]
//! Crate.

mod inner {
    use prompt_core::PromptNode;

    /// You review {language}{note}, {limit:>4} {sum}.
    /// - {?strict}Strict.
    /// - {*steps as step}{index}. {step.0}{*step.1}{item}{?!last}, {/last}{/step.1}
    #[derive(PromptNode)]
    #[prompt(vars(sum = (self.limit + 1) * 2))]
    pub(crate) struct Reviewer {
        pub(crate) language: String,
        #[var(some = " ({})")]
        pub(crate) note: Option<String>,
        pub(crate) limit: u8,
        pub(crate) strict: bool,
        pub(crate) steps: Vec<(String, Vec<u8>)>,
        /// Method.
        #[section]
        pub(crate) method: (),
        #[section(when = !self.strict && self.limit > 2)]
        pub(crate) kind: Kind,
    }

    #[derive(PromptNode)]
    pub(crate) enum Kind {
        /// Plan {limit}.
        Plan {
            limit: u8,
            unused: u8,
        },
        Pack(#[section(key = "text")] String),
    }
}

fn main() {
    let kinds = [
        inner::Kind::Plan {
            limit: 1,
            unused: 2,
        },
        inner::Kind::Pack(String::new()),
    ];
    for kind in kinds {
        drop(inner::Reviewer {
            language: String::new(),
            note: None,
            limit: 3,
            strict: true,
            steps: Vec::new(),
            method: (),
            kind,
        });
    }
}
