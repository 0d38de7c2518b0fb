::core::compile_error! {
    "`note` is an `Option`: nothing says what an absent one prints [missing_default]\nhelp: add `#[var(default = \"..\")]`, or `#[var(some = \"..{}..\")]` to print nothing, or ask first: `{?note}`"
}
const _: () = {
    use ::prompt_core::__private as __p;
    #[automatically_derived]
    impl __p::PromptNode for Conditions {
        #[allow(unused_variables)]
        fn embedded(&self) -> __p::Embedded<'_> {
            __p::Embedded::absent()
        }
    }
};
