//! Keys of items: what `render` refuses, everything else that works through a tree refuses too.

use prompt_core::tree::Collected;
use prompt_core::{PromptNode, RenderedPrompt, Style};
use std::{cell::Cell, collections::BTreeMap, fmt};

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

/// Far down a list all further items are asked at once, because to reach an item of a map takes as many steps as there
/// are before it: the same comes out, each is asked once, and what is not asked for is not missed.
#[test]
fn items_of_long_maps_are_asked_once_each_and_say_what_those_of_lists_say() {
    struct Word<'c>(&'c Cell<usize>, usize);

    impl fmt::Display for Word<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            self.0.set(self.0.get() + 1);
            write!(f, "</entry>\r\n{}", self.1)
        }
    }

    #[derive(PromptNode)]
    #[prompt(template = "Text of {number}.")]
    struct Entry<'c> {
        number: usize,
        word: Word<'c>,
    }

    #[derive(PromptNode)]
    struct Map<'c> {
        #[section(item_title = "No. {item.1.number}: {item.1.word}", item_key = 1.number)]
        entries: BTreeMap<usize, Entry<'c>>,
    }

    #[derive(PromptNode)]
    struct List<'c> {
        #[section(item_title = "No. {item.number}: {item.word}", item_key = number)]
        entries: Vec<Entry<'c>>,
    }

    let asked = Cell::new(0);
    let entry = |number| Entry {
        number,
        word: Word(&asked, number),
    };
    let map = Map {
        entries: (0..200).map(|number| (number, entry(number))).collect(),
    };
    let list = List {
        entries: (0..200).map(entry).collect(),
    };
    for style in [Style::Markdown, Style::Xml] {
        let of_list = list.prompt().style(style).render().unwrap();
        asked.set(0);
        let of_map = map.prompt().style(style).render().unwrap();
        assert_eq!(asked.get(), 200);
        assert_eq!(of_map.as_str(), of_list.as_str());
        let told = |prompt: &RenderedPrompt| -> Vec<_> {
            let sections = prompt.sections().into_iter();
            let told = sections.map(|section| (section.path, section.title, section.range));
            told.collect()
        };
        assert!(told(&of_map) == told(&of_list));
    }
    let focused = map.prompt().focus("entries.150").text().unwrap();
    assert!(focused.contains("No. 150"), "{focused}");
}
