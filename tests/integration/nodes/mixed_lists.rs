//! Lists in which texts and nodes stand side by side.

use super::prints;
use prompt_core::DynamicNode;
use prompt_core::Embedded;
use prompt_core::Markdown;
use prompt_core::PromptNode;
use prompt_core::Style;
use proptest::prelude::*;

#[derive(PromptNode)]
struct Listed<T: PromptNode> {
    #[section]
    notes: Vec<T>,
}

fn text_and(node: impl PromptNode + 'static) -> Vec<Box<dyn PromptNode>> {
    vec![Box::new("text"), Box::new(node)]
}

#[test]
fn a_node_behind_a_text_is_printed() {
    let dynamic = DynamicNode::builder("d").body("node").build().unwrap();
    prints(
        &text_and(Markdown::from("markdown")),
        &["- text", "", "# Item 2", "", "markdown"],
    );
    prints(&text_and(dynamic), &["- text", "", "# Item 2", "", "node"]);
    prints(
        &text_and(vec!["a", "b"]),
        &["- text", "", "# Item 2", "", "- a", "- b"],
    );
    let notes = text_and(Markdown::from("markdown"));
    prints(
        &Listed { notes },
        &["# Notes", "", "- text", "", "## Notes 2", "", "markdown"],
    );
}

#[test]
fn texts_among_nodes_have_a_blank_line_around_them() {
    let markdown = || Box::new(Markdown::from("more"));
    let notes: Vec<Box<dyn PromptNode>> = vec![
        markdown(),
        Box::new("a"),
        Box::new(""),
        Box::new("b"),
        markdown(),
        Box::new("c"),
    ];
    prints(
        &notes,
        &[
            "# Item 1", "", "more", "", "- a", "- b", "", "# Item 5", "", "more", "", "- c",
        ],
    );
    let xml = Listed { notes }.prompt().style(Style::Xml).text().unwrap();
    let lines = [
        "<notes>",
        "  <item>",
        "more",
        "  </item>",
        "- a",
        "- b",
        "  <item>",
        "more",
        "  </item>",
        "- c",
        "</notes>",
        "",
    ];
    assert_eq!(xml, lines.join("\n"));
}

// ---- nothing is lost

#[derive(Clone, Copy, Debug)]
enum Form {
    Text,
    Markdown,
    Node,
    List,
    Empty,
}

/// Prints one word in one of the forms.
struct Note {
    name: String,
    form: Form,
    markdown: Markdown,
    node: Word,
}

/// {word}
#[derive(PromptNode)]
struct Word {
    word: String,
}

impl PromptNode for Note {
    fn embedded(&self) -> Embedded<'_> {
        match self.form {
            Form::Text => Embedded::text(self.node.word.as_str()),
            Form::Markdown => self.markdown.embedded(),
            Form::Node => self.node.embedded(),
            Form::List => Embedded::list([Embedded::text(self.node.word.as_str())]),
            Form::Empty => Embedded::text(""),
        }
    }
}

fn notes(forms: &[Form]) -> Vec<Note> {
    let note = |(index, form): (usize, &Form)| Note {
        name: format!("n{index}"),
        form: *form,
        markdown: Markdown::from(format!("word-{index}.")),
        node: Word {
            word: format!("word-{index}."),
        },
    };
    forms.iter().enumerate().map(note).collect()
}

#[derive(PromptNode)]
struct Keyed {
    #[section(item_key = name)]
    notes: Vec<Note>,
}

#[derive(PromptNode)]
struct Named {
    #[section(item_title = "Note {item.name}")]
    notes: Vec<Note>,
}

#[derive(PromptNode)]
struct Untitled {
    #[section(untitled)]
    notes: Vec<Note>,
}

#[derive(PromptNode)]
struct Tagged {
    #[section(tag = "notes", item_tag = "note")]
    notes: Vec<Note>,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(prompt_tests::random_cases(256)))]

    #[test]
    fn no_item_of_a_list_is_lost(
        forms in prop::collection::vec(
            prop::sample::select(vec![Form::Text, Form::Markdown, Form::Node, Form::List, Form::Empty]),
            0..6,
        ),
    ) {
        let notes = || notes(&forms);
        let is_there = |(_, form): &(usize, &Form)| !matches!(form, Form::Empty);
        let expected: Vec<String> = forms.iter().enumerate().filter(is_there).map(|(index, _)| format!("word-{index}.")).collect();
        let prompts: [Box<dyn PromptNode>; 6] = [
            Box::new(notes()),
            Box::new(Listed { notes: notes() }),
            Box::new(Keyed { notes: notes() }),
            Box::new(Named { notes: notes() }),
            Box::new(Untitled { notes: notes() }),
            Box::new(Tagged { notes: notes() }),
        ];
        for node in prompts {
            for style in [Style::Markdown, Style::Xml] {
                let text = node.prompt().style(style).text().unwrap();
                let words: Vec<&str> = text.split(|c: char| " \n<>".contains(c)).filter(|word| word.starts_with("word-")).collect();
                prop_assert_eq!(&words, &expected, "{}", text);
                prop_assert!(!text.contains("\n\n\n"), "{}", text);
            }
        }
    }
}
