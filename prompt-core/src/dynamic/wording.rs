//! Wordings of a type: other texts by path, in a program or in a file with several of them.

use super::{
    answers::TextForm,
    fault::{Faults, Spot},
    file::{File, Format},
    given::{Data, Entry, Given, Span},
    read,
    rewording::{Rewriter, Seen, Wanted},
    skeleton,
    words::Word,
};
use crate::errors::diagnostics::{Diagnostic, Diagnostics};
use crate::node::{Embedded, reworded::Rewording};
use crate::prompt::PromptNode;
use prompt_syntax::{
    Code,
    book::{instead, twice},
    lower,
};
use std::{
    collections::{HashMap, HashSet},
    fmt,
    sync::Arc,
};

/// Wordings of one type, by name: other texts for it, for its sections and for the types in them. Somebody who does not
/// write Rust edits them in a file; an A/B test chooses among them.
///
/// In a file each wording is a table. Its key `text` is the type's own text, and the table `texts` has the others by path:
///
/// | path | text |
/// |---|---|
/// | `policy` | of the type in the section `policy`; its introduction where that has no text of its own |
/// | `policy.returns` | of a section in that type |
/// | `how.Quick` | of a variant, where the section has an enum: each variant is reworded by its name |
/// | `goods.item` | of the items of a list |
/// | `policy:introduction`, `policy:title`, `policy:summary`, `policy:empty` | another text of the section, or of the type |
/// | `days:join`, `days:last`, `days:default`, `days:more` | the words of a key of the value `days`, as they are |
///
/// ```
/// # #[cfg(feature = "toml")] {
/// use prompt_core::{PromptNode, dynamic::Wordings};
///
/// /// You review {language} code.
/// #[derive(PromptNode)]
/// struct Reviewer {
///     language: &'static str,
///     #[section]
///     method: Method,
/// }
///
/// #[derive(PromptNode)]
/// enum Method {
///     /// Read the diff twice.
///     Careful,
///     /// Read the diff.
///     Quick,
/// }
///
/// let wordings = Wordings::from_toml(r#"
/// [friendly]
/// text = "Review this {language} code like a colleague."
///
/// [short.texts]
/// "method.Careful" = "Twice."
/// "method.Quick" = "Once."
/// "method:title" = "How often"
/// "#)?;
/// let reviewer = Reviewer { language: "Rust", method: Method::Quick };
/// wordings.check(&reviewer)?;
/// let short = wordings.put("short", &reviewer)?.expect("it is in the file");
/// assert_eq!(short.prompt().text().unwrap(), "You review Rust code.\n\n# How often\n\nOnce.");
/// # }
/// # Ok::<(), prompt_core::Diagnostics>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Wordings {
    list: Vec<(String, Vec<TextEntry>)>,
    file: Option<Arc<File>>,
}

#[derive(Clone, Debug)]
struct TextEntry {
    /// The path, and behind a colon which text is meant.
    path: String,
    text: String,
    span: Span,
    /// Where the path stands.
    path_at: Span,
}

/// The same node with another text, from wherever it comes. It is checked like the text of a doc comment: every variable,
/// condition and loop must be one that the type's own texts use (in the same form: a `{price:.2}` is no `{price}`), every
/// slot a section. What is only odd is told by `lint`.
///
/// An enum has a text for each variant, and those of sections have paths: there are [`Wordings`] for both.
///
/// ```
/// use prompt_core::{PromptNode, dynamic::with_text};
///
/// /// You review {language} code.
/// #[derive(PromptNode)]
/// struct Reviewer {
///     language: &'static str,
/// }
///
/// let reviewer = Reviewer { language: "Rust" };
/// let b = with_text(&reviewer, "Review this {language} code like a colleague.")?;
/// assert_eq!(b.prompt().text().unwrap(), "Review this Rust code like a colleague.");
///
/// let faults = with_text(&reviewer, "Review {langauge} code.").unwrap_err();
/// assert_eq!(faults.code(), prompt_core::Code::UnknownVariable);
/// # Ok::<(), prompt_core::Diagnostics>(())
/// ```
///
/// # Errors
/// Every fault of the text at once, with line and column; an empty text; an enum; a node that has no text of its own, such
/// as a list.
pub fn with_text<N: PromptNode>(
    node: N,
    source: &str,
) -> Result<impl PromptNode + Clone + fmt::Debug + use<N>, Diagnostics> {
    let entry = TextEntry {
        path: String::new(),
        text: source.to_owned(),
        span: Span::default(),
        path_at: Span::default(),
    };
    reworded(node, &[entry], None)
}

/// A node and the texts that stand in place of its own.
struct Reworded<N> {
    node: Arc<N>,
    texts: Arc<Rewording>,
}

impl<N> Clone for Reworded<N> {
    fn clone(&self) -> Self {
        let (node, texts) = (Arc::clone(&self.node), Arc::clone(&self.texts));
        Self { node, texts }
    }
}

impl<N> fmt::Debug for Reworded<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reworded").finish_non_exhaustive()
    }
}

impl<N: PromptNode> PromptNode for Reworded<N> {
    fn embedded(&self) -> Embedded<'_> {
        let mut embedded = self.node.embedded();
        embedded.content = self.texts.apply(embedded.content);
        embedded
    }
}

fn reworded<N: PromptNode>(
    node: N,
    entries: &[TextEntry],
    file: Option<&File>,
) -> Result<Reworded<N>, Diagnostics> {
    let mut rewriter = Rewriter::default();
    let texts = rewriter.rewording(&node, entries);
    rewriter.faults.located(file).or(Reworded {
        node: Arc::new(node),
        texts: Arc::new(texts),
    })
}

impl Rewriter {
    /// All texts of a wording in their places.
    fn rewording<N: PromptNode + ?Sized>(&mut self, node: &N, entries: &[TextEntry]) -> Rewording {
        self.said.clear();
        let mut texts = Rewording::default();
        let content = node.embedded().content;
        let seen = content.node().and_then(Seen::root);
        if seen.is_none() {
            let message = "it is no node with a text of its own";
            let help = "reword the items of a list, or the content of an `Option`";
            let spot = Spot::new("", "", Span::default());
            self.faults.add(spot, Code::InvalidInput, message, help);
        }
        for entry in entries {
            if let (Some(seen), Some(wanted)) = (&seen, entry.wanted(&mut self.faults)) {
                self.put(seen, &mut texts, &wanted.keys, &wanted);
            }
        }
        texts
    }
}

impl TextEntry {
    /// What a path means.
    fn wanted(&self, faults: &mut Faults) -> Option<Wanted<'_>> {
        let Self {
            path,
            text,
            span,
            path_at,
        } = self;
        let (path, name) = match path.split_once(':') {
            Some((path, name)) => (path, Some(name)),
            None => (path.as_str(), None),
        };
        let named = |name| TextForm::NAMED.into_iter().find(|form| form.name() == name);
        let word = name.and_then(|name| Word::ALL.into_iter().find(|word| word.name() == name));
        let form = match name {
            Some(name) if word.is_none() => named(name),
            _ => Some(TextForm::Text),
        };
        // A text alone is all that there is; in a file it is a part.
        let is_alone = path.is_empty() && *span == Span::default();
        let part = word.map(Word::name).or(form.map(TextForm::name));
        let part = part.filter(|_| !is_alone).unwrap_or_default();
        let spot = Spot::new(path, part, *span);
        let Some(form) = form else {
            let message = format!("`{}` names no text", self.path);
            let known = TextForm::NAMED.map(TextForm::name).into_iter();
            let known: Vec<&str> = known.chain(Word::ALL.map(Word::name)).collect();
            let near = prompt_syntax::nearest(name.unwrap_or_default(), known.iter().copied());
            let help = match near {
                Some(near) => format!("did you mean `{path}:{near}`?"),
                None => format!(
                    "behind a path stands nothing, or one of `:{}`",
                    known.join("`, `:")
                ),
            };
            faults.add(spot.at(*path_at), Code::UnknownPath, message, help);
            return None;
        };
        let keys = path.split('.').filter(|_| !path.is_empty()).collect();
        Some(Wanted {
            keys,
            spot,
            path_at: *path_at,
            form,
            word,
            text,
        })
    }

    /// Reads a wording: the keys `text` and `texts`.
    fn read(given: &Given, faults: &mut Faults) -> Vec<Self> {
        let mut entries: Vec<Self> = Vec::new();
        let mut push = |path: &str, at: usize, value: &Given, faults: &mut Faults| match &value.data
        {
            Data::Text(text) => entries.push(Self {
                path: path.to_owned(),
                text: text.clone(),
                span: value.span,
                path_at: Span::at(at),
            }),
            _ if path.is_empty() => wrong(faults, value.span, "`text` is a text".to_owned()),
            _ => wrong(faults, value.span, format!("`{path}` is no text")),
        };
        if !matches!(given.data, Data::Map(_)) {
            wrong(faults, given.span, "a wording is a table".to_owned());
        }
        check_names(given.map(), faults);
        for Entry { name, value, at } in given.map() {
            match (name.as_str(), &value.data) {
                ("text", _) => push("", *at, value, faults),
                ("texts", Data::Map(entries)) => {
                    check_names(entries, faults);
                    for Entry { name, value, at } in entries {
                        push(name, *at, value, faults);
                    }
                }
                ("texts", _) => {
                    wrong(faults, value.span, "`texts` is a table of texts".to_owned());
                }
                _ => {
                    let help = instead(name, &["text", "texts"], "a wording has the keys");
                    let help = format!("{help}; other texts stand below `[NAME.texts]`");
                    let spot = Spot::new("", "", Span::at(*at));
                    let message = format!("unknown key `{name}`");
                    faults.add(spot, Code::UnknownAttribute, message, help);
                }
            }
        }
        entries
    }
}

/// Each name stands once. (TOML does not read others.)
fn check_names(entries: &[Entry], faults: &mut Faults) {
    let mut seen = HashSet::with_capacity(entries.len());
    for Entry { name, at, .. } in entries {
        if !seen.insert(name) {
            faults.report(Spot::new("", "", Span::at(*at)), twice(name));
        }
    }
}

fn wrong(faults: &mut Faults, span: Span, message: String) {
    let help = "write `[NAME]` and below it `text = \"..\"`, or `[NAME.texts]` and below it `\"path.of.section\" = \"..\"`";
    faults.add(Spot::new("", "", span), Code::InvalidInput, message, help);
}

impl Wordings {
    /// Reads wordings from TOML: a table for each, with the keys `text` and `texts`. Whether they fit a type is told by
    /// [`check`](Self::check).
    ///
    /// # Errors
    /// Everything that is no wording, at once, with line and column.
    #[cfg(feature = "toml")]
    pub fn from_toml(text: &str) -> Result<Self, Diagnostics> {
        Self::from_file(read::file(text, Format::Toml)?)
    }

    /// Reads wordings from JSON.
    ///
    /// # Errors
    /// As for TOML.
    pub fn from_json(text: &str) -> Result<Self, Diagnostics> {
        Self::from_file(read::file(text, Format::Json)?)
    }

    fn from_file((given, file): (Given, File)) -> Result<Self, Diagnostics> {
        let mut faults = Faults::default();
        check_names(given.map(), &mut faults);
        let wording =
            |Entry { name, value, .. }: &Entry| (name.clone(), TextEntry::read(value, &mut faults));
        let list: Vec<_> = given.map().iter().map(wording).collect();
        if list.is_empty() {
            let spot = Spot::new("", "", given.span);
            let help = "write a table for each, with the keys `text` and `texts`";
            faults.add(spot, Code::InvalidInput, "there is no wording", help);
        }
        faults.located(Some(&file)).or(Self {
            list,
            file: Some(Arc::new(file)),
        })
    }

    /// A text of a wording, by its path; that of the type itself is empty. The last one given stands.
    ///
    /// ```
    /// use prompt_core::{PromptNode, dynamic::Wordings};
    ///
    /// #[derive(PromptNode)]
    /// struct Clerk {
    ///     /// Never shout.
    ///     #[section]
    ///     tone: (),
    /// }
    ///
    /// let wordings = Wordings::default().text("b", "tone", "Whisper.").text("b", "tone:title", "How to speak");
    /// let b = wordings.put("b", &Clerk { tone: () })?.expect("it is there");
    /// assert_eq!(b.prompt().text().unwrap(), "# How to speak\n\nWhisper.");
    /// # Ok::<(), prompt_core::Diagnostics>(())
    /// ```
    #[must_use]
    pub fn text(
        mut self,
        wording: impl Into<String>,
        path: impl Into<String>,
        text: impl Into<String>,
    ) -> Self {
        let (name, path) = (wording.into(), path.into());
        let entry = TextEntry {
            path,
            text: text.into(),
            span: Span::default(),
            path_at: Span::default(),
        };
        if let Some((_, entries)) = self.list.iter_mut().find(|(known, _)| *known == name) {
            entries.retain(|known| known.path != entry.path);
            entries.push(entry);
        } else {
            self.list.push((name, vec![entry]));
        }
        self
    }

    /// The file with every text of a node that can be reworded, each with its path, in TOML: one wording of this name. It reads
    /// back, and changes nothing. Of types that are known without a value nothing need be there.
    ///
    /// ```
    /// use prompt_core::{PromptNode, dynamic::Wordings};
    ///
    /// /// You answer letters.
    /// #[derive(PromptNode)]
    /// struct Clerk {
    ///     /// Never shout.
    ///     #[section]
    ///     tone: (),
    /// }
    ///
    /// let file = Wordings::skeleton("plain", &Clerk { tone: () });
    /// assert!(file.ends_with(r#"
    /// [plain]
    /// text = "You answer letters."
    ///
    /// [plain.texts]
    /// "tone:title" = "Tone"
    /// "tone" = "Never shout."
    /// "#));
    /// ```
    pub fn skeleton<N: PromptNode + ?Sized>(name: &str, node: &N) -> String {
        let root = node.embedded().content.node().and_then(Seen::root);
        let texts = root.as_ref().map(skeleton::texts).unwrap_or_default();
        skeleton::file(name, &texts)
    }

    /// What can be told of the texts without their type: paths, braces, conditions, loops, headings. [`check`](Self::check)
    /// tells this too, and everything else.
    ///
    /// # Errors
    /// Every fault, in the order of the file, with line and column of the file.
    pub fn check_syntax(&self) -> Result<Vec<Diagnostic>, Diagnostics> {
        let (mut faults, mut hints) = (Faults::default(), Faults::default());
        for entry in self.list.iter().flat_map(|(_, entries)| entries) {
            let Some(wanted) = entry.wanted(&mut faults) else {
                continue;
            };
            for problem in wanted.syntax() {
                let is_hint = problem.code.is_lint();
                let found = if is_hint { &mut hints } else { &mut faults };
                found.push(wanted.spot, wanted.spot.problem(problem));
            }
        }
        self.outcome(faults, hints)
    }

    fn outcome(&self, faults: Faults, hints: Faults) -> Result<Vec<Diagnostic>, Diagnostics> {
        let hints = hints.located(self.file.as_deref());
        let faults = faults.located(self.file.as_deref());
        faults.or(hints.into_iter().collect())
    }

    /// The texts of a type that wordings do not say anew, each with the name of the wording and its path: nothing is wrong with
    /// that, but a translation has none.
    ///
    /// ```
    /// use prompt_core::{PromptNode, dynamic::Wordings};
    ///
    /// /// You answer letters.
    /// #[derive(PromptNode)]
    /// struct Clerk {
    ///     /// Never shout.
    ///     #[section]
    ///     tone: (),
    /// }
    ///
    /// let danish = Wordings::default().text("da", "", "Du svarer på breve.").text("da", "tone", "Råb aldrig.");
    /// let missing = danish.missing(&Clerk { tone: () });
    /// assert_eq!(missing, [("da".to_owned(), "tone:title".to_owned())]);
    /// ```
    pub fn missing<N: PromptNode + ?Sized>(&self, node: &N) -> Vec<(String, String)> {
        self.texts(node, |entry, _| entry.is_none())
    }

    /// The texts that wordings say as the type does, each with the name of the wording and its path: some have one text in
    /// all languages, but a [`skeleton`](Self::skeleton) that nobody touched has nothing else.
    ///
    /// ```
    /// use prompt_core::{PromptNode, dynamic::Wordings};
    ///
    /// /// You answer letters.
    /// #[derive(PromptNode)]
    /// struct Clerk {
    ///     #[section]
    ///     status: &'static str,
    /// }
    ///
    /// let german = Wordings::default().text("de", "", "Du antwortest auf Briefe.").text("de", "status:title", "Status");
    /// let unchanged = german.unchanged(&Clerk { status: "new" });
    /// assert_eq!(unchanged, [("de".to_owned(), "status:title".to_owned())]);
    /// ```
    pub fn unchanged<N: PromptNode + ?Sized>(&self, node: &N) -> Vec<(String, String)> {
        self.texts(node, |entry, own| {
            entry.is_some_and(|it| lower::with_line_feeds(&it.text) == own)
        })
    }

    /// Those texts of a type that are so in a wording, each with the name of the wording and its path.
    fn texts<N: PromptNode + ?Sized>(
        &self,
        node: &N,
        is_so: impl Fn(Option<&TextEntry>, &str) -> bool,
    ) -> Vec<(String, String)> {
        let root = node.embedded().content.node().and_then(Seen::root);
        let texts = root.as_ref().map(skeleton::texts).unwrap_or_default();
        let mut found = Vec::new();
        for (name, entries) in &self.list {
            let entries: HashMap<&str, &TextEntry> = entries
                .iter()
                .map(|entry| (entry.path.as_str(), entry))
                .collect();
            let said = |path: &str| entries.get(path).copied();
            for text in &texts {
                let alias = text.alias.as_deref();
                let entry = said(&text.path).or_else(|| said(alias?));
                if is_so(entry, &text.source) {
                    found.push((name.clone(), text.path.clone()));
                }
            }
        }
        found
    }

    /// The names, in the order of the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|(name, _)| name.as_str())
    }

    /// The node in a wording; `None` if there is none of this name. It is taken as it is: take a reference to go on using
    /// it. Its variables, sections, tools and everything else are those of the node.
    ///
    /// # Errors
    /// Every fault of all texts at once, with line and column; an empty text; a path that leads nowhere.
    pub fn put<N: PromptNode>(
        &self,
        name: &str,
        node: N,
    ) -> Result<Option<impl PromptNode + Clone + fmt::Debug + use<N>>, Diagnostics> {
        let known = self.list.iter().find(|(known, _)| known == name);
        let put = |(_, entries): &(_, Vec<_>)| reworded(node, entries, self.file.as_deref());
        known.map(put).transpose()
    }

    /// Whether all wordings fit this type: one call, for a test. All variants of enums are looked at, and what is absent in
    /// this value too; of trait objects and nodes written by hand the value must be there. Gives what looks like a slip: a
    /// value that the type's text prints and a wording leaves out, doubled braces.
    ///
    /// # Errors
    /// Every fault of all of them, in the order of the file, with line and column of the file.
    pub fn check<N: PromptNode + ?Sized>(&self, node: &N) -> Result<Vec<Diagnostic>, Diagnostics> {
        let mut rewriter = Rewriter {
            is_check: true,
            ..Rewriter::default()
        };
        for (_, entries) in &self.list {
            rewriter.rewording(node, entries);
        }
        self.outcome(rewriter.faults, rewriter.hints)
    }
}
