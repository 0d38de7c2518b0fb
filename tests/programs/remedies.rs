//! Reads the programs of `ui/` and the remedies of `ui/remedies.txt`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub fn ui() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui")
}

/// The programs of `ui/pass` or `ui/fail`, in order, named `theme/file`.
pub fn programs(folder: &str) -> BTreeMap<String, PathBuf> {
    let mut programs = BTreeMap::new();
    for theme in fs::read_dir(ui().join(folder)).unwrap() {
        let theme = theme.unwrap();
        for file in fs::read_dir(theme.path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|end| end == "rs") {
                let theme = theme.file_name();
                let stem = path.file_stem().unwrap();
                let name = format!("{}/{}", theme.to_string_lossy(), stem.to_string_lossy());
                programs.insert(name, path);
            }
        }
    }
    programs
}

/// What the helps of a program that does not compile say to do.
pub struct Remedy {
    /// What is to be replaced by what.
    edits: Vec<(String, String)>,
    /// The helps name stand-ins.
    pub has_stand_ins: bool,
}

impl Remedy {
    /// The mended text, and what was not there to be replaced.
    pub fn applied(&self, wrong: &str) -> (String, Vec<&str>) {
        let mut text = wrong.to_owned();
        let mut missing = Vec::new();
        for (gone, new) in &self.edits {
            if !text.contains(gone) {
                missing.push(gone.as_str());
            }
            text = text.replacen(gone, new, 1);
        }
        (text, missing)
    }
}

pub fn remedies() -> BTreeMap<String, Remedy> {
    let text = fs::read_to_string(ui().join("remedies.txt")).unwrap();
    let (_, text) = text.split_once("\n\n").unwrap();
    let mut remedies: BTreeMap<String, Remedy> = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines() {
        let of_edit = |sign| {
            let rest = line.strip_prefix(sign)?;
            Some(rest.strip_prefix(' ').unwrap_or(rest).replace("\\n", "\n"))
        };
        if let Some(gone) = of_edit('-') {
            let remedy = remedies.get_mut(&name).unwrap();
            remedy.edits.push((gone, String::new()));
        } else if let Some(new) = of_edit('+') {
            let remedy = remedies.get_mut(&name).unwrap();
            remedy.edits.last_mut().unwrap().1 = new;
        } else {
            let (own, stand_ins) = line.split_once(' ').unwrap_or((line, ""));
            own.clone_into(&mut name);
            let remedy = Remedy {
                edits: Vec::new(),
                has_stand_ins: stand_ins == "~",
            };
            assert!(
                remedies.insert(name.clone(), remedy).is_none(),
                "{name} twice"
            );
        }
    }
    remedies
}
