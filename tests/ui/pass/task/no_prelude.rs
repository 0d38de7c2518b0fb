#![no_implicit_prelude]
#![deny(warnings, missing_docs)]
//! Nothing of the prelude, and names of it that mean something else.

#[allow(non_camel_case_types, dead_code)]
struct str;
#[allow(dead_code)]
struct Option;
#[allow(dead_code)]
struct Result;

/// Tasks.
#[derive(::prompt_core::PromptTask)]
pub enum Task {
    /// A keyword.
    r#Self_,
    /// With a category.
    #[task(category = "rubric")]
    Some,
    /// Named as what a match needs.
    None,
    /// As well.
    Ok,
    /// As well.
    Err,
    /// Named as the list of all.
    ALL,
}

fn main() {
    ::std::assert_eq!(Task::None.as_str(), "none");
    ::std::assert!(::std::matches!(::std::primitive::str::parse::<Task>("some"), ::std::result::Result::Ok(Task::Some)));
}
