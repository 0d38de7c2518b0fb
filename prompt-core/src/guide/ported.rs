// What the programs of the migrating page run with. They include this file; it is no module of the crate.

use serde::de::DeserializeOwned;
use std::fs;

/// The two data sets of a template in `ported`, each with what its engine printed.
pub fn ported<T: DeserializeOwned>(name: &str) -> [(T, String); 2] {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/guide/ported");
    let read = |file: String| fs::read_to_string(format!("{folder}/{name}.{file}")).expect("it is in the folder");
    let data: [T; 2] = serde_json::from_str(&read("json".into())).expect("it is of the type");
    let mut number = 0..;
    data.map(|data| (data, read(format!("{}.md", number.next().unwrap_or_default()))))
}
