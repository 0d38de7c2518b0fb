//! Names: from a variant, and what is a legal one.

/// The longest name of a task or category, in characters.
const LONGEST: usize = 64;

/// A variant's name in snake case. A run of capitals is one word: `LLMCheck` gives `llm_check`.
pub(super) fn snake_case(variant: &str) -> String {
    let mut name = String::with_capacity(variant.len() + 8);
    let mut letters = variant.chars().peekable();
    let mut previous: Option<char> = None;
    while let Some(letter) = letters.next() {
        let after_word =
            previous.is_some_and(|previous| previous.is_lowercase() || previous.is_numeric());
        let ends_run = previous.is_some_and(char::is_uppercase)
            && letters.peek().is_some_and(|next| next.is_lowercase());
        if letter.is_uppercase() && (after_word || ends_run) {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
        previous = Some(letter);
    }
    name
}

/// The rule of every key: `^[a-z0-9][a-z0-9_-]{0,63}$`.
pub(super) fn is_key(name: &str) -> bool {
    let word = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
    name.len() <= LONGEST
        && name.starts_with(word)
        && name
            .chars()
            .all(|letter| word(letter) || "_-".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_variant() {
        for (variant, name) in [
            ("Parsing", "parsing"),
            ("RubricLlmTraitBatch", "rubric_llm_trait_batch"),
            ("RubricLLMTrait", "rubric_llm_trait"),
            ("LLM", "llm"),
            ("Gpt4Check", "gpt4_check"),
            ("already_snake", "already_snake"),
            ("Half_Snake", "half_snake"),
            ("A", "a"),
            ("ATest", "a_test"),
        ] {
            assert_eq!(snake_case(variant), name);
        }
    }

    #[test]
    fn legal_names() {
        assert!(is_key("parsing") && is_key("4th-try") && is_key(&"a".repeat(64)));
        for bad in [
            "",
            "_x",
            "-x",
            "Parsing",
            "a b",
            "a.b",
            "früh",
            &"a".repeat(65),
        ] {
            assert!(!is_key(bad), "{bad}");
        }
    }
}
