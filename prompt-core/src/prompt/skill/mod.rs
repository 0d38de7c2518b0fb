//! Skills: a name, a line that says when to use it, and the text that is read then. A file with front matter is read as one
//! (`yaml`), and a skill is a node.

mod error;
#[cfg(feature = "yaml")]
mod yaml;

pub use error::SkillError;

use super::builder::PromptNode;
use crate::node::{
    Container, Embedded, HasType, Markdown, Markup, Node, NodeInfo, Output, Scope, Section,
    SectionInfo, Title, summarised::Summarised,
};
use prompt_syntax::info::make::{attribute_of, list, paragraph, str, text, value, variable};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;

const NAME: usize = 0;
const DESCRIPTION: usize = 1;
const BODY: usize = 0;

/// How to do something: a `SKILL.md` file, whose body the model reads when it needs it.
///
/// It is a node: its name is the title, its description the summary, and its body stands below, with headings that move to
/// their level. So a list of skills, shown as summaries, is opened one by one.
///
/// ```
/// use prompt_core::{Overrides, PromptNode, Skill};
///
/// /// You help in the shop.
/// #[derive(PromptNode)]
/// struct Assistant {
///     #[section(item_key = name, visibility = "summary")]
///     skills: Vec<Skill>,
/// }
///
/// let fit = Skill::new("fit_a_lock", "Use when a lock is to be fitted.", "# Steps\n\n1. Measure twice.");
/// let assistant = Assistant { skills: vec![fit] };
/// let closed = assistant.prompt().text()?;
/// assert!(closed.contains("Use when a lock is to be fitted.") && !closed.contains("Measure"));
///
/// let mut open = Overrides::default();
/// open.open("skills.fit_a_lock");
/// assert_eq!(
///     assistant.prompt().overrides(&open).text()?,
///     "You help in the shop.\n\n# Skills\n\n## fit_a_lock\n\n### Steps\n\n1. Measure twice."
/// );
/// # Ok::<(), prompt_core::PromptError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Skill {
    /// The key under which it is opened: `^[a-z0-9][a-z0-9_-]{0,63}$`.
    pub name: String,
    /// What it is for, and when to use it.
    pub description: String,
    /// Every further key of its front matter, in the order of the file.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metadata: Map<String, Value>,
    /// The text below the front matter.
    #[serde(default)]
    pub body: Markdown,
}

#[cfg(feature = "yaml")]
impl Markdown {
    /// The keys of its [front matter](Self::front_matter) as data, in the order of the file; none where there is no front matter. TOML
    /// needs the feature `toml`, too.
    ///
    /// ```
    /// use prompt_core::Markdown;
    ///
    /// let file = Markdown::from("---\ntitle: Steam\nallow: [naming]\n---\n\nLast of all.");
    /// let metadata = file.metadata()?;
    /// assert_eq!(metadata["title"], "Steam");
    /// assert_eq!(metadata["allow"][0], "naming");
    /// # Ok::<(), prompt_core::SkillError>(())
    /// ```
    ///
    /// # Errors
    /// What is no YAML or no TOML, with its line; see [`Skill::parse`].
    pub fn metadata(&self) -> Result<Map<String, Value>, SkillError> {
        let Some(data) = self.front_matter() else {
            return Ok(Map::new());
        };
        let first = self.as_str().trim_start_matches('\u{feff}');
        if first.starts_with("+++") {
            return toml_entries(data);
        }
        let entries = yaml::entries(data)?.into_iter();
        Ok(entries.map(|entry| (entry.key, entry.value)).collect())
    }
}

/// The keys of front matter in TOML.
#[cfg(all(feature = "yaml", feature = "toml"))]
fn toml_entries(data: &str) -> Result<Map<String, Value>, SkillError> {
    toml::from_str(data).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start).min(data.len());
        let (line, _) = prompt_syntax::LineCounter::new(data).line_and_column(at);
        SkillError::Yaml {
            line: line + 1,
            reason: error.message().to_owned(),
        }
    })
}

#[cfg(all(feature = "yaml", not(feature = "toml")))]
fn toml_entries(_: &str) -> Result<Map<String, Value>, SkillError> {
    Err(SkillError::Yaml {
        line: 1,
        reason: "TOML needs the feature `toml`".to_owned(),
    })
}

impl Skill {
    /// A skill without further keys. A name that is no key is refused when a list with `item_key = name` is rendered.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        body: impl Into<Markdown>,
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            metadata: Map::new(),
            body: body.into(),
        }
    }

    /// Reads the text of a `SKILL.md` file: front matter in YAML 1.2 between `---` and `---`, and a body, which may be empty.
    ///
    /// `name` and `description` must be there. A number or a word such as `true` counts as the text that is written, and a
    /// description loses the white space at its end. Every other key is data, in [`metadata`](Self::metadata): a date is text, a number that
    /// JSON does not hold is text, a key that is a number is text, tags other than `!!str` mean nothing.
    ///
    /// One thing is read that is no YAML, since many files have it and other readers take it: a colon and a blank inside a
    /// text without quotes on the line of its key, as in `description: Use when: a lock is to be fitted`.
    ///
    /// ```
    /// # #[cfg(feature = "yaml")] {
    /// use prompt_core::Skill;
    ///
    /// let file = "---\nname: fit_a_lock\ndescription: >-\n  Use when a lock\n  is to be fitted.\nlicense: MIT\n---\n\n# Steps\n";
    /// let skill = Skill::parse(file)?;
    /// assert_eq!(skill.description, "Use when a lock is to be fitted.");
    /// assert_eq!(skill.metadata["license"], "MIT");
    /// assert_eq!(skill.body.as_str(), "# Steps\n");
    ///
    /// let error = Skill::parse("---\nname: fit_a_lock\ndescription:\n---\n").unwrap_err();
    /// assert_eq!(error.to_string(), "line 3: `description` is empty: say what the skill is for, and when to use it");
    /// # }
    /// # Ok::<(), prompt_core::SkillError>(())
    /// ```
    ///
    /// # Errors
    /// The first fault of the file, with its line: no front matter, or one that does not end; what is no YAML, has a key
    /// twice, is nested more than 64 levels deep, or that aliases make larger than a megabyte; a name or description that is missing, empty
    /// or no text; a name that is no key.
    #[cfg(feature = "yaml")]
    pub fn parse(text: &str) -> Result<Self, SkillError> {
        use prompt_syntax::{FrontMatter, NoFrontMatter};
        let found = FrontMatter::of_yaml(text).map_err(|missing| match missing {
            NoFrontMatter::NoEnd => SkillError::Unclosed,
            _ => SkillError::NoFrontMatter,
        })?;
        let mut entries = yaml::entries(found.data)?;
        let (name, line) = yaml::take(&mut entries, "name")?;
        if !prompt_syntax::is_key(&name) {
            return Err(SkillError::InvalidName { name, line });
        }
        let (mut description, _) = yaml::take(&mut entries, "description")?;
        description.truncate(description.trim_end().len());
        let metadata = entries.into_iter().map(|entry| (entry.key, entry.value));
        Ok(Self {
            metadata: metadata.collect(),
            ..Self::new(name, description, found.body)
        })
    }

    /// Reads the text of a `SKILL.md` file; there with the feature `yaml`.
    ///
    /// # Errors
    /// It never returns.
    #[cfg(not(feature = "yaml"))]
    #[expect(clippy::needless_pass_by_value, reason = "nothing can be passed")]
    pub fn parse(text: impl crate::errors::feature::NeedsYaml) -> Result<Self, SkillError> {
        text.never()
    }
}

static SKILL: NodeInfo = NodeInfo {
    name: str("Skill"),
    variables: list(const { &[variable("name", ""), variable("description", "")] }),
    sections: list(
        const {
            &[SectionInfo {
                key: str("body"),
                field: str("body"),
                title: Title::Untitled(str("Body")),
                ..SectionInfo::DEFAULT
            }]
        },
    ),
    container: Container {
        title: Some(text(
            const { &[paragraph(1, const { &[value("name", 0)] })] },
        )),
        summary: Some(text(
            const { &[paragraph(1, const { &[value("description", 1)] })] },
        )),
        item_tag: Some(str("skill")),
        markup: Markup {
            attributes: list(const { &[attribute_of("name", 0)] }),
            ..Markup::NONE
        },
        ..Container::DEFAULT
    },
    ..NodeInfo::DEFAULT
};

impl PromptNode for Skill {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::described(self)
    }
}

impl Summarised for Skill {}

impl HasType for Skill {}

impl Scope for Skill {
    fn value(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        match index {
            NAME => output.push_str(&self.name),
            DESCRIPTION => output.push_str(&self.description),
            _ => {}
        }
        Ok(())
    }
}

impl Node for Skill {
    fn info(&self) -> &NodeInfo {
        &SKILL
    }

    fn section(&self, index: usize) -> Section<'_> {
        Section::new(match index {
            BODY => self.body.embedded(),
            _ => Embedded::absent(),
        })
    }
}
