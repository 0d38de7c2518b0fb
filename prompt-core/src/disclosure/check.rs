//! Overrides that speak of sections that are not there.

use super::request::nearest;
use crate::error::PromptError;
use crate::node::PromptNode;
use crate::tree;
use crate::tree::Flow;
use crate::visibility::Overrides;
use std::collections::BTreeSet;

impl Overrides {
    /// The entries whose paths are not in the tree of `node`, each a [`PromptError::UnknownPath`] with the path that was
    /// probably meant. A section that is switched off by its `when` is not in the tree.
    ///
    /// ```
    /// use prompt_core::DynamicNode;
    /// use prompt_core::Overrides;
    ///
    /// let node = DynamicNode::from_json(r#"{ "key": "root", "sections": [{ "key": "rules", "body": "No glitter." }] }"#)?;
    /// let mut overrides = Overrides::default();
    /// overrides.open("rules").open("ruels");
    /// let unknown = overrides.check(&node);
    /// assert_eq!(unknown.len(), 1);
    /// assert_eq!(unknown[0].to_string(), "there is no section `ruels` in this prompt; did you mean `rules`?");
    /// # Ok::<(), prompt_core::Diagnostics>(())
    /// ```
    pub fn check<N: PromptNode + ?Sized>(&self, node: &N) -> Vec<PromptError> {
        let mut present: Vec<String> = Vec::new();
        let visited = tree::visit(&node, |section| {
            present.push(section.path.to_owned());
            Ok(Flow::Into)
        });
        if let Err(error) = visited {
            return vec![error];
        }
        let paths: Vec<&str> = present.iter().map(String::as_str).collect();
        let known: BTreeSet<&str> = paths.iter().copied().collect();
        let unknown = |path: &str| {
            let nearest = nearest(path, &paths).map(str::to_owned);
            PromptError::UnknownPath {
                path: path.to_owned(),
                nearest,
            }
        };
        self.iter()
            .map(|(path, _)| path)
            .filter(|path| !known.contains(path))
            .map(unknown)
            .collect()
    }
}
