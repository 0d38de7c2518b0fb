//! What the disclosure example shows of this repository.

use prompt_examples::documentation::chapters;
use std::collections::BTreeSet;

#[test]
fn a_module_of_a_file_and_a_folder_is_one_chapter() {
    let chapters = chapters().unwrap();
    let keys: BTreeSet<&str> = chapters
        .iter()
        .map(|chapter| chapter.key.as_str())
        .collect();
    assert_eq!(keys.len(), chapters.len(), "{keys:?}");
    assert!(
        keys.contains("guide") && keys.contains("select"),
        "{keys:?}"
    );
}
