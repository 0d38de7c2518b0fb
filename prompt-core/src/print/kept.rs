//! Answers that are kept: what a tree said when it was asked. They are themselves a node, and whoever asks a second time is
//! told what was said the first time; so a budget, or a turn of the model, can walk over a tree as often as it likes, and
//! the tree is asked each question once.

use super::ahead::Ahead;
use crate::messages::tool::ToolSpec;
use crate::node::{
    At, Body, Content, Embedded, Entry, HasType, Headings, Node, NodeInfo, NodeRef, Output, Scope,
    Section, TypeInfo,
};
use std::{
    borrow::Cow,
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
    fmt,
    ops::Range,
    rc::Rc,
};

/// A node whose answers are kept: it is asked each question once, however often it is rendered.
///
/// ```
/// use prompt_core::prompt::{Kept, Prompt};
/// use prompt_core::PromptNode;
/// use std::cell::Cell;
///
/// /// Letter {number}.
/// #[derive(PromptNode)]
/// #[prompt(vars(number = self.next()))]
/// struct Letter {
///     last: Cell<u32>,
/// }
///
/// impl Letter {
///     fn next(&self) -> u32 {
///         self.last.set(self.last.get() + 1);
///         self.last.get()
///     }
/// }
///
/// let letter = Letter { last: Cell::new(0) };
/// let kept = Kept::of(&letter);
/// assert_eq!(Prompt::new(&kept).text()?, "Letter 1.");
/// assert_eq!(Prompt::new(&kept).text()?, "Letter 1.");
/// # Ok::<(), prompt_core::PromptError>(())
/// ```
pub struct Kept<'a> {
    content: KeptContent<'a>,
    varies: bool,
    /// What variables say of items far down their lists.
    pub(super) ahead: Rc<Ahead>,
}

impl<'a> Kept<'a> {
    pub(crate) fn embedding(root: Embedded<'a>) -> Self {
        Self {
            content: KeptContent::of(root.content),
            varies: root.varies,
            ahead: Rc::default(),
        }
    }

    /// What it is to the prompt around it.
    pub(crate) fn embedded(&self) -> Embedded<'_> {
        Embedded {
            content: self.content.content(),
            varies: self.varies,
        }
    }
}

/// What a section embeds, its nodes as nodes of which answers are kept.
enum KeptContent<'a> {
    Node(Box<KeptNode<'a>>),
    List(Vec<(Option<Cow<'a, str>>, Self)>),
    Other(Content<'a>),
}

impl<'a> KeptContent<'a> {
    fn of(content: Content<'a>) -> Self {
        match content {
            Content::Node(node) if answers_something(node.info()) => {
                Self::Node(Box::new(KeptNode::of(node)))
            }
            Content::List(entries) => {
                let entry = |entry: Entry<'a>| (entry.name, Self::of(entry.content));
                Self::List(entries.into_iter().map(entry).collect())
            }
            content => Self::Other(content),
        }
    }

    #[inline]
    fn content(&self) -> Content<'_> {
        match self {
            Self::Node(node) => Content::Node(NodeRef::new(&**node)),
            Self::List(entries) => {
                let mut kept = Vec::with_capacity(entries.len());
                for (name, content) in entries {
                    kept.push(Entry {
                        name: name.as_deref().map(Cow::Borrowed),
                        content: content.content(),
                    });
                }
                Content::List(kept)
            }
            Self::Other(Content::Text(text)) => Content::Text(Cow::Borrowed(text)),
            Self::Other(content) => content.clone(),
        }
    }
}

/// Whether a node is asked for anything besides its description.
fn answers_something(info: &NodeInfo) -> bool {
    !info.variables.is_empty()
        || !info.sections.is_empty()
        || !info.conditions.is_empty()
        || !info.loops.is_empty()
        || info.container.has_tools
}

/// A node of which answers are kept.
struct KeptNode<'a> {
    node: NodeRef<'a>,
    sections: Box<[OnceCell<KeptSection<'a>>]>,
    tools: RefCell<BTreeMap<Option<usize>, Vec<ToolSpec>>>,
    answers: OnceCell<Box<Answers>>,
}

/// A section as its node handed it out, but for what it embeds.
struct KeptSection<'a> {
    content: KeptContent<'a>,
    /// The rest of it.
    frame: Section<'static>,
}

impl<'a> KeptNode<'a> {
    fn of(node: NodeRef<'a>) -> Self {
        let sections = node.info().sections.iter();
        Self {
            node,
            sections: sections.map(|_| OnceCell::new()).collect(),
            tools: RefCell::default(),
            answers: OnceCell::new(),
        }
    }
}

impl KeptNode<'_> {
    fn answers(&self) -> &Answers {
        self.answers.get_or_init(Box::default)
    }
}

impl<'a> KeptSection<'a> {
    #[inline]
    fn of(section: Section<'a>) -> Self {
        Self {
            frame: section.around(Content::Absent),
            content: KeptContent::of(section.content),
        }
    }

    #[inline]
    fn section(&self) -> Section<'_> {
        self.frame.around(self.content.content())
    }
}

impl Scope for KeptNode<'_> {
    fn value(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        self.answers().value(Some(self.node.scope()), index, output)
    }

    fn ask(&self, index: usize, item: usize) -> bool {
        self.answers().ask(Some(self.node.scope()), index, item)
    }

    fn each(&self, index: usize, item: usize, body: &mut Body<'_>) -> fmt::Result {
        self.answers()
            .each(Some(self.node.scope()), index, item, body)
    }
}

impl HasType for KeptNode<'_> {
    fn type_info(&self) -> Option<&'static TypeInfo> {
        let (node, texts) = self.node.parts();
        node.type_info().filter(|_| texts.is_none())
    }
}

impl Node for KeptNode<'_> {
    fn info(&self) -> &NodeInfo {
        self.node.info()
    }

    fn section(&self, index: usize) -> Section<'_> {
        match self.sections.get(index) {
            Some(kept) => kept
                .get_or_init(|| KeptSection::of(self.node.section(index)))
                .section(),
            None => Section::hidden(),
        }
    }

    fn tools(&self, section: Option<usize>) -> Vec<ToolSpec> {
        let mut tools = self.tools.borrow_mut();
        let kept = tools
            .entry(section)
            .or_insert_with(|| self.node.tools(section));
        kept.clone()
    }
}

/// What a scope answered so far: of a node, or of one item of a loop.
#[derive(Default)]
struct Answers {
    kept: RefCell<Written>,
    asked: RefCell<BTreeMap<(usize, usize), bool>>,
    loops: RefCell<BTreeMap<(usize, usize), Items>>,
}

/// The items of a loop.
type Items = Rc<[Rc<Answers>]>;

/// What values wrote, one behind the other.
#[derive(Default)]
struct Written {
    text: String,
    /// Bytes of the text that values wrote.
    values: Vec<Range<usize>>,
    by_value: BTreeMap<Question, Answer>,
}

/// Value, item, and where the headings of a template stand.
type Question = (usize, usize, (bool, i32));

#[derive(Clone)]
struct Answer {
    text: Range<usize>,
    values: Range<usize>,
    is_omitted: bool,
    has_failed: bool,
}

impl Answers {
    /// Writes what a value wrote, and asks for that at most once. Whom nobody can ask any more has nothing to say.
    fn value(
        &self,
        scope: Option<&(impl Scope + ?Sized)>,
        index: usize,
        output: &mut Output<'_>,
    ) -> fmt::Result {
        if let (Some(scope), true) = (scope, output.wants_all()) {
            return scope.value(index, output);
        }
        let headings = match output.headings() {
            Headings::Moved(levels) => (false, levels),
            Headings::From(level) => (true, level),
        };
        let question = (index, output.item(), headings);
        let mut kept = self.kept.borrow_mut();
        let known = kept.by_value.get(&question).cloned();
        let answer = match (known, scope) {
            (Some(known), _) => known,
            (None, Some(scope)) => kept.ask(question, scope, output),
            (None, None) => return Err(fmt::Error),
        };
        kept.write(&answer, output)
    }

    fn ask(&self, scope: Option<&(impl Scope + ?Sized)>, index: usize, item: usize) -> bool {
        let known = self.asked.borrow().get(&(index, item)).copied();
        known.unwrap_or_else(|| {
            let holds = scope.is_some_and(|scope| scope.ask(index, item));
            self.asked.borrow_mut().insert((index, item), holds);
            holds
        })
    }

    fn each(
        &self,
        scope: Option<&(impl Scope + ?Sized)>,
        index: usize,
        item: usize,
        body: &mut Body<'_>,
    ) -> fmt::Result {
        let known = self.loops.borrow().get(&(index, item)).cloned();
        if let Some(items) = known {
            for (index, answers) in items.iter().enumerate() {
                let scope = None;
                let at = At::new(index, index + 1 == items.len());
                body(&Item { scope, answers }, at)?;
            }
            return Ok(());
        }
        let Some(scope) = scope else {
            return Err(fmt::Error);
        };
        let mut items: Vec<Rc<Self>> = Vec::new();
        scope.each(index, item, &mut |scope, at| {
            let answers = Rc::<Self>::default();
            items.push(Rc::clone(&answers));
            let item = Item {
                scope: Some(scope),
                answers: &answers,
            };
            body(&item, at)
        })?;
        let items = Items::from(items);
        self.loops.borrow_mut().insert((index, item), items);
        Ok(())
    }
}

impl Written {
    fn ask(
        &mut self,
        question: Question,
        scope: &(impl Scope + ?Sized),
        output: &Output<'_>,
    ) -> Answer {
        // What stands between two answers belongs to none: ranges of values never meet.
        self.text.push('\n');
        let (text, values) = (self.text.len(), self.values.len());
        let mut own = Output::tracking(&mut self.text, &mut self.values);
        own.set_place(output.item(), output.headings());
        let has_failed = scope.value(question.0, &mut own).is_err();
        let answer = Answer {
            is_omitted: own.is_omitted(),
            has_failed,
            text: text..self.text.len(),
            values: values..self.values.len(),
        };
        self.by_value.insert(question, answer.clone());
        answer
    }

    fn write(&self, answer: &Answer, output: &mut Output<'_>) -> fmt::Result {
        if answer.is_omitted {
            output.omit();
        }
        if answer.has_failed {
            return Err(fmt::Error);
        }
        let start = answer.text.start;
        let values = &self.values[answer.values.clone()];
        let own = values
            .iter()
            .map(|value| value.start - start..value.end - start);
        output.ranges(&self.text[answer.text.clone()], own);
        Ok(())
    }
}

/// An item of a loop of which answers are kept; who can be asked for more only while the loop is run for the first time.
struct Item<'s> {
    scope: Option<&'s dyn Scope>,
    answers: &'s Answers,
}

impl Scope for Item<'_> {
    fn value(&self, index: usize, output: &mut Output<'_>) -> fmt::Result {
        self.answers.value(self.scope, index, output)
    }

    fn ask(&self, index: usize, item: usize) -> bool {
        self.answers.ask(self.scope, index, item)
    }

    fn each(&self, index: usize, item: usize, body: &mut Body<'_>) -> fmt::Result {
        self.answers.each(self.scope, index, item, body)
    }
}
