//! A node that was built or loaded at run time.

use super::{
    MAX_FILE_DEPTH,
    bound::{Value, Values, joined},
    fault::Spot,
    file::File,
    given::{Given, Span},
    keys::Keys,
    scope::{Form, Forms, Source, Sources, TextScope},
};
use crate::errors::diagnostics::Diagnostic;
use crate::messages::tool::ToolSpec;
use crate::node::{
    Body, Embedded, HasType, Node, NodeInfo, Output, Scope, Section, ValueTreatment,
    summarised::Summarised,
};
use crate::prompt::PromptNode;
use prompt_syntax::{
    Code, Used,
    book::Holder,
    wording::{Wording, Wordings},
};
use serde::{Serialize, Serializer, ser::SerializeMap};
use std::{borrow::Cow, collections::HashMap, fmt, sync::Arc};

/// A prompt built or loaded at run time, with the checks, codes and output of a derived type.
///
/// As JSON or TOML a node is a map. All keys but `key` may be left out, and the root needs not even that one:
///
/// | key | meaning |
/// |---|---|
/// | `key` | last part of the path: small letters, digits, `_` and `-` |
/// | `body` | the text, with headings, variables, conditions, loops and slots; common indentation goes |
/// | `sections` | the nodes below; `{key}`, `{PROMPT_SUBTREE}` or the end of the body is their place |
/// | `append` | `false`: a section without a place is a fault |
/// | `title`, `untitled`, `heading`, `level`, `tight`, `gap` | heading: its text (a template; else from the key), none, its form (with `{title}`), 1 to 6 where no slot says so, directly above the body, blank lines around it |
/// | `visibility`, `summary`, `summary_suffix` | `"full"` or `"summary"`, the short text, the wording of the suffix (with `{key}` and `{subsections}`) |
/// | `when` | `false`: no trace of it; or a value decides: `"fog"`, `"!fog"`, `"ship.is_late"` |
/// | `value` | the section embeds this value (`"log"`, `"ship.log"`): a text as it is, a list as bullets; the body is its introduction |
/// | `item`, `join`, `last`, `item_title`, `untitled_items`, `item_key`, `item_tag` | how the items of a list stand, as in the derive; without `value` the list is that of the section's key |
/// | `empty` | printed instead of nothing |
/// | `tag`, `attr`, `inline`, `indent`, `guard`, `raw`, `untrusted` | a tag instead of a heading, a map of its attributes (templates, numbers, `true`; `title = true` prints the title), on one line, columns, `"escaped"` or `"strict"`, values as they are, defused values |
/// | `priority` | a number, or `"required"` |
/// | `role`, `cache`, `volatile`, `tools` | message of its own, cache point (`true` or seconds), changes from call to call, names of tools |
/// | `description`, `numbering`, `start`, `end` | what it is for (never printed), `"decimal"`, what is put before and after |
/// | `vars` | on the root: a map from names of values, or paths into them, to how they print in the whole tree: `of`, `default`, `some`, `yes`, `no`, `item`, `join`, `last`, `json`, `trim`, `max`, `more`, `hang`, `raw`, `untrusted`, as in `#[var(..)]`; with `of` the name is one for that value, or for a part of it |
/// | `allow`, `deny` | on the root: rules that are switched off in the whole tree, and hints that are faults in it |
///
/// On the root `heading`, `level`, `tight` and `gap` speak of its sections, as they do on a derived type, and keys that
/// only a section can have are faults.
///
/// Values come from [`bind`](Self::bind) as anything that serialises to a map, and print as in a derived type: text as it
/// is, numbers as Rust prints them (`1`, `0.1`, `NaN`), `null` as nothing, dates as they are written, and lists and maps
/// as JSON where `vars` says nothing else. `{name.field}` and `{name.0}` reach into them: a field that is not there is a
/// fault, and so is an `{item.field}` that no item of the list has; one that some have prints nothing for the others. What
/// a condition asks for, and what stands behind it, may be missing, unless a field with a name so near is there that it
/// must have been meant. Specs are fill, align, width and precision. A condition holds for `true`, numbers, and text,
/// lists and maps that are not empty; `{?key}` asks whether that section is there and shown. A loop goes over the items of
/// a list or the entries of a map, and `null` has none. Until its variables have values a node can be listed, walked
/// through and saved, but not rendered. It is saved as written: bound values and typed nodes are not part of it.
///
/// Trees have at most 128 levels of sections, JSON and TOML 60.
///
/// ```
/// use prompt_core::DynamicNode;
/// use prompt_core::PromptNode;
///
/// let node = DynamicNode::from_json(r#"{
///     "key": "memo",
///     "body": "Write to {reader}.",
///     "sections": [{ "key": "tone", "body": "Be kind." }]
/// }"#)?;
/// let node = node.bind([("reader", "Ada")].into_iter().collect::<std::collections::BTreeMap<_, _>>())?;
/// assert_eq!(node.prompt().text().unwrap(), "Write to Ada.\n\n# Tone\n\nBe kind.");
/// # Ok::<(), prompt_core::Diagnostics>(())
/// ```
#[derive(Clone, Default)]
pub struct DynamicNode {
    pub(super) keys: Keys,
    /// What it embeds instead of a text of its own.
    pub(super) typed: Option<Typed>,
    pub(super) sections: Vec<DynamicNode>,
    /// Where it stands in the file.
    pub(super) span: Span,
    /// Its path in the tree, as faults tell it.
    pub(super) path: String,
    /// Its place in the tree, in preorder: that of the root is 0.
    pub(super) order: usize,
    /// A section with this key would have been too deep.
    pub(super) cut: Option<String>,
    /// What it prints; none while it is in the hands of its builder.
    pub(super) built: Option<Arc<Built>>,
}

/// A typed node that stands in a tree.
pub(super) type Typed = Arc<dyn PromptNode + Send + Sync>;

/// The description of a node, and where its parts find their values.
pub(super) struct Built {
    pub(super) info: NodeInfo,
    pub(super) sources: Sources,
    /// The values that sections embed, by section.
    pub(super) lists: Vec<Option<Source>>,
    /// What decides whether sections are there, by section.
    pub(super) whens: Vec<Option<Decision>>,
    pub(super) tools: Vec<ToolSpec>,
    pub(super) tree: Arc<Tree>,
}

/// What a whole tree has in common.
#[derive(Default)]
pub(super) struct Tree {
    pub(super) values: Option<Arc<Values>>,
    pub(super) forms: Forms,
    /// The file that it was read from.
    pub(super) file: Option<Arc<File>>,
    /// The tools that were given for names.
    pub(super) tools: HashMap<String, ToolSpec>,
}

impl Tree {
    /// The form of a value, or of a part of one.
    pub(super) fn form(&self, name: &str, path: &[String]) -> Option<&Form> {
        match path {
            _ if self.forms.is_empty() => None,
            [] => self.forms.get(name),
            path => self.forms.get(&joined(name, path)),
        }
    }

    /// The form of a value, or that of the whole: a part without a form of its own is treated as that.
    pub(super) fn form_for(&self, used: &Used) -> Option<&Form> {
        let own = self.form(&used.name, &used.path);
        own.or_else(|| self.form(&used.name, &[]))
    }

    /// How a value is treated. A part of one that is not to be trusted is not, either.
    pub(super) fn treatment(&self, used: &Used) -> ValueTreatment {
        let form = self.form_for(used);
        let mut treatment = form.map_or(ValueTreatment::USUAL, |form| form.treatment);
        let of = form.and_then(|form| form.of.as_ref());
        let of = of.and_then(|of| self.form_for(&of.used()));
        treatment.untrusted |= of.is_some_and(|form| form.treatment.untrusted);
        treatment
    }
}

impl Wordings for Tree {
    fn of(&self, used: &Used) -> Option<&Wording> {
        let form = self.form(&used.name, &used.path);
        form.map(|form| &form.wording)
    }
}

/// Whether a section is there: what a value says, or the contrary.
pub(super) struct Decision {
    pub(super) source: Source,
    pub(super) negated: bool,
}

impl DynamicNode {
    /// Its key.
    pub fn key(&self) -> &str {
        self.keys.text("key").unwrap_or_default()
    }

    /// Its sections, in order.
    pub fn sections(&self) -> &[DynamicNode] {
        &self.sections
    }

    /// A key of which something is said.
    pub(super) fn spot(&self, part: &'static str) -> Spot<'_> {
        let spot = Spot {
            order: self.order,
            ..Spot::new(&self.path, part, self.span)
        };
        self.keys.spot(part, spot)
    }

    /// Which of the book's keys it has.
    pub(super) fn holder(&self) -> Holder {
        if self.is_root() {
            Holder::FileRoot
        } else {
            Holder::FileSection
        }
    }

    pub(super) fn is_root(&self) -> bool {
        self.order == 0
    }

    #[allow(clippy::expect_used, reason = "an invariant of this module")]
    pub(super) fn built(&self) -> &Built {
        let built = self.built.as_ref();
        built.expect("only a builder holds a node that is not built")
    }

    /// What `Debug` shows of something that holds it.
    pub(super) fn write_keys(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<&str> = self.sections.iter().map(Self::key).collect();
        f.debug_struct(name)
            .field("key", &self.key())
            .field("sections", &keys)
            .finish_non_exhaustive()
    }

    /// Levels of sections below it.
    pub(super) fn depth(&self) -> usize {
        let below = self.sections.iter().map(|section| section.depth() + 1);
        below.max().unwrap_or(0)
    }

    fn scope(&self) -> TextScope<'_> {
        let built = self.built();
        TextScope {
            values: built.tree.values.as_deref(),
            sources: &built.sources,
            frame: None,
        }
    }

    /// What a section embeds that embeds a value.
    fn embedded_value<'a>(&'a self, index: usize, list: &'a Source) -> Section<'a> {
        let value = match self.scope().find(list) {
            Some(Cow::Borrowed(value)) if *value != Value::Null => value,
            _ => return Section::new(Embedded::absent()),
        };
        if !value.is_list() {
            return Section::new(Embedded::text(value.text()));
        }
        if self.info().sections[index].items.text.is_some() {
            return Section::items(value.len() == 0);
        }
        let text = |value: &'a Value| Embedded::text(value.text());
        Section::new(match value {
            Value::Map(map) => Embedded::map(map.iter().map(|(key, value)| (key, text(value)))),
            _ => Embedded::list(value.items().map(|item| text(item.value))),
        })
    }

    /// Whether both are written alike, with the same typed nodes.
    fn is_like(&self, other: &Self) -> bool {
        let is_same = match (&self.typed, &other.typed) {
            (Some(left), Some(right)) => Arc::ptr_eq(left, right),
            (left, right) => left.is_none() && right.is_none(),
        };
        let mut sections = self.sections.iter().zip(&other.sections);
        is_same
            && self.keys == other.keys
            && self.sections.len() == other.sections.len()
            && sections.all(|(left, right)| left.is_like(right))
    }
}

impl Summarised for DynamicNode {}

impl PromptNode for DynamicNode {
    fn embedded(&self) -> Embedded<'_> {
        Embedded::described(self)
    }
}

impl Scope for DynamicNode {
    fn value(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        self.scope().value(index, output)
    }

    fn ask(&self, index: usize) -> bool {
        self.scope().ask(index)
    }

    fn each(&self, index: usize, body: &mut Body<'_>) -> fmt::Result {
        self.scope().each(index, body)
    }
}

impl HasType for DynamicNode {}

impl Node for DynamicNode {
    fn info(&self) -> &NodeInfo {
        &self.built().info
    }

    fn section(&self, index: usize) -> Section<'_> {
        let (built, child) = (self.built(), &self.sections[index]);
        let when = child.keys.get("when");
        if when.and_then(Given::flag) == Some(false) {
            return Section::off(Embedded::described(child));
        }
        let decision = built.whens[index].as_ref();
        // Until a value is bound a section is there, so that it can be walked through.
        if let Some(Decision { source, negated }) = decision
            && built.tree.values.is_some()
        {
            let value = self.scope().find(source);
            if value.is_some_and(|value| value.holds()) == *negated {
                return Section::off(Embedded::described(child));
            }
        }
        let section = match (&built.lists[index], &child.typed) {
            (Some(list), _) => self.embedded_value(index, list),
            (None, Some(typed)) => Section::new(typed.embedded()),
            (None, None) => Section::new(Embedded::described(child)),
        };
        match decision {
            Some(_) => section.conditional(),
            None => section,
        }
    }

    fn tools(&self, section: Option<usize>) -> Vec<ToolSpec> {
        let owner = section.map_or(self, |index| &self.sections[index]);
        owner.built().tools.clone()
    }
}

impl Serialize for DynamicNode {
    /// The tree as written, without values and typed nodes.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.depth() > MAX_FILE_DEPTH {
            return Err(serde::ser::Error::custom(too_deep("", MAX_FILE_DEPTH)));
        }
        AsWritten(self).serialize(serializer)
    }
}

/// A node as a map of its keys.
struct AsWritten<'n>(&'n DynamicNode);

impl Serialize for AsWritten<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (key, given) in self.0.keys.iter() {
            map.serialize_entry(key, given)?;
        }
        if !self.0.sections.is_empty() {
            let sections: Vec<_> = self.0.sections.iter().map(AsWritten).collect();
            map.serialize_entry("sections", &sections)?;
        }
        map.end()
    }
}

impl PartialEq for DynamicNode {
    /// Equal as written and with equal values; typed nodes are equal if they are one.
    fn eq(&self, other: &Self) -> bool {
        let (left, right) = (&self.built().tree.values, &other.built().tree.values);
        let is_one = match (left, right) {
            (Some(left), Some(right)) => Arc::ptr_eq(left, right),
            _ => false,
        };
        self.is_like(other) && (is_one || left == right)
    }
}

impl fmt::Debug for DynamicNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_keys("DynamicNode", f)
    }
}

/// The path of a section below another.
pub(super) fn join(around: &str, key: &str) -> String {
    if around.is_empty() {
        key.to_owned()
    } else {
        format!("{around}.{key}")
    }
}

/// The last part of the path of a section in faults: where it has no key, its place among its siblings.
pub(super) fn step(key: &str, index: usize) -> Cow<'_, str> {
    if key.is_empty() {
        Cow::Owned(format!("#{}", index + 1))
    } else {
        Cow::Borrowed(key)
    }
}

/// The fault of a tree that has more levels than that.
pub(super) fn too_deep(path: &str, most: usize) -> Diagnostic {
    let message = format!("the tree is nested more than {most} levels deep");
    let help = "make a section of some levels a tree of its own, and embed it";
    Diagnostic::new(Code::TooDeep, path, "", message, help)
}
