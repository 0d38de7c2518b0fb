::core::compile_error! {
    "unknown variable `index` [unknown_variable]\nhelp: the variables are `boat`, `harbour`, `tickets`; to print the braces, write `{{index}}`"
}
::core::compile_error! {
    "unknown variable `ticket` [unknown_variable]\nhelp: a field with a similar name exists: `tickets`"
}
::core::compile_error! {
    "unknown variable `last` [unknown_variable]\nhelp: the variables are `boat`, `harbour`, `tickets`; to print the braces, write `{{?!last}}` and `{{/last}}`"
}
::core::compile_error! {
    "unknown variable `item` [unknown_variable]\nhelp: the variables are `boat`, `harbour`, `tickets`; to print the braces, write `{{item}}`"
}
::core::compile_error! {
    "unknown variable `item` [unknown_variable]\nhelp: the variables are `boat`, `harbour`, `tickets`; to print the braces, write `{{?item.1}}` and `{{/item.1}}`"
}
::core::compile_error! {
    "unknown variable `item` [unknown_variable]\nhelp: the variables are `boat`, `harbour`, `tickets`; to print the braces, write `{{item}}`"
}
::core::compile_error! {
    "`{else}` stands outside of every condition [stray_else]\nhelp: put it between `{?name}` and `{/name}`; to print the braces, write `{{else}}`"
}
::core::compile_error! {
    "`{/tickets}` ends a condition that is not open [mismatched_condition]\nhelp: a condition that is first on its line ends with the line, unless it is closed on it; one that stands alone on a line ends with a line"
}
::core::compile_error! {
    "`boat` is an `Option`: `boat.berth` is there only where `boat` is [missing_default]\nhelp: ask first, and write it there: `{?boat}..{boat.berth}..{/boat}`; what an absent one prints stands behind `{else}`"
}
::core::compile_error! {
    "`boat` is an `Option`: `boat.mate.name` is there only where `boat` is [missing_default]\nhelp: ask first, and write it there: `{?boat}..{boat.mate.name}..{/boat}`; what an absent one prints stands behind `{else}`"
}
const _: () = {
    use ::prompt_core::__private as __p;
    #[automatically_derived]
    impl __p::PromptNode for Planner {
        #[allow(unused_variables)]
        fn embedded(&self) -> __p::Embedded<'_> {
            __p::Embedded::absent()
        }
    }
};
