//! Keys of items: what `render` refuses, everything else that works through a tree refuses too.

use prompt_core::PromptNode;
use prompt_core::tree::Collected;

#[derive(PromptNode)]
struct Root {
    #[section(item_key = name)]
    parts: Vec<Part>,
}

/// Text of {name}.
#[derive(PromptNode)]
struct Part {
    name: &'static str,
}

fn root(names: &[&'static str]) -> Root {
    let part = |name: &&'static str| Part { name };
    Root {
        parts: names.iter().map(part).collect(),
    }
}

#[test]
fn two_items_of_a_key_and_keys_with_dots_fail_everywhere_alike() {
    for (names, code) in [(["a", "a"], "duplicate_key"), (["a", "b.c"], "invalid_key")] {
        let root = root(&names);
        let errors = [
            root.prompt().render().unwrap_err(),
            root.prompt().walk().unwrap_err(),
            root.prompt().next(&Collected::default()).unwrap_err(),
            root.prompt().focus("parts.a").text().unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.code().to_string(), code, "{error}");
        }
    }
}
