//! Tools that run: a call is looked up by its name, its arguments are read into the type that the tool takes, and
//! whatever goes wrong is said to the model, so that it can do better.

use crate::answer::Repair;
use crate::answer::arguments::Parameters;
use prompt_core::message::Content;
use prompt_core::tool::{ToolCall, ToolResult, ToolSpec, ToolSpecError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::future::{Future, poll_fn, ready};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::Poll;

type Later = Pin<Box<dyn Future<Output = Said> + Send>>;
type Said = Result<ToolContent, String>;
/// What a function said, or its panic.
type Caught = Result<Said, Box<dyn Any + Send>>;

/// What a tool does with the arguments of a call.
enum Action {
    Now(Box<dyn Fn(&ToolCall) -> Said + Send + Sync>),
    Later(Box<dyn Fn(&ToolCall) -> Later + Send + Sync>),
}

/// Tools with the functions that they call.
///
/// A call is run by [`run`](Tools::run), and has a result in every case: an unknown name, arguments that do not fit, and the
/// error of a function become a result with `is_error` whose text tells the model what to do. So does a panic, where panics
/// unwind: the model is told that the tool failed, [`on_panic`](Tools::on_panic) what it said. With a function that is
/// asynchronous ([`add_async`](Tools::add_async)) the type is `Tools<true>`, which only has
/// [`run_async`](Tools::run_async); any executor can drive it.
///
/// ```
/// use prompt_agent::Tools;
/// use prompt_core::{ToolCall, ToolSpec};
/// use serde_json::json;
///
/// #[derive(serde::Deserialize)]
/// struct Sum {
///     a: u32,
///     b: u32,
/// }
///
/// let number = json!({ "type": "integer" });
/// let spec = ToolSpec::new("sum", "Adds two numbers.", json!({
///     "type": "object",
///     "properties": { "a": number, "b": number },
///     "required": ["a", "b"],
///     "additionalProperties": false
/// }))?;
/// let tools = Tools::new().add(spec, |sum: Sum| (sum.a + sum.b).to_string())?;
///
/// let result = tools.run(&ToolCall::new("call_1", "sum", json!({ "a": 1, "b": 2 })));
/// assert_eq!(result.content, "3");
/// let result = tools.run(&ToolCall::new("call_2", "sum", json!({ "a": 1 })));
/// assert!(result.is_error && result.content.contains("/b: missing (integer)"));
/// # Ok::<(), prompt_core::tool::ToolSpecError>(())
/// ```
pub struct Tools<const ASYNC: bool = false> {
    specs: Vec<ToolSpec>,
    /// By name, each with the place of its description.
    actions: BTreeMap<String, (usize, Action)>,
    on_panic: Option<Box<OnPanic>>,
    repaired: Repaired,
}

type OnRepair = dyn Fn(&ToolCall, &[Repair]) + Send + Sync;

/// Tells the program of repairs, once it has said how.
#[derive(Clone, Default)]
struct Repaired(Arc<OnceLock<Box<OnRepair>>>);

impl Repaired {
    fn tell(&self, call: &ToolCall, repairs: &[Repair]) {
        if let Some(tell) = self.0.get().filter(|_| !repairs.is_empty()) {
            tell(call, repairs);
        }
    }
}

type OnPanic = dyn Fn(&ToolCall, &str) + Send + Sync;

/// What a tool gives back: a text, and images behind it.
///
/// ```
/// use prompt_agent::Tools;
/// use prompt_agent::tools::ToolContent;
/// use prompt_core::message::{Content, ImageSource};
/// use prompt_core::{ToolCall, ToolSpec};
///
/// let look = |_: serde_json::Value| {
///     let source = ImageSource::Data("iVBORw0KGgo=".into());
///     ToolContent::text("The harbour:").with(Content::Image { mime: "image/png".into(), source })
/// };
/// let tools = Tools::new().add(ToolSpec::closed("look", "Takes a picture.")?, look)?;
/// let result = tools.run(&ToolCall::new("call_1", "look", serde_json::json!({})));
/// assert_eq!((result.content.as_str(), result.attachments.len()), ("The harbour:", 1));
/// # Ok::<(), prompt_core::tool::ToolSpecError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolContent {
    text: String,
    attachments: Vec<Content>,
}

impl ToolContent {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            attachments: Vec::new(),
        }
    }

    /// The same with something behind it: see [`ToolResult::with`].
    #[must_use]
    pub fn with(mut self, attachment: Content) -> Self {
        self.attachments.push(attachment);
        self
    }
}

/// What a tool's function may give back: a text, JSON, or a `Result` whose error is said to the model through its `Display`.
///
/// In a `Result` it is any value that can be serialised: a text is itself, `()` is empty, all else is written as JSON, its
/// fields in the order of the type.
///
/// ```
/// use prompt_agent::Tools;
/// use prompt_core::{ToolCall, ToolSpec};
///
/// #[derive(serde::Serialize)]
/// struct Depth {
///     metres: f32,
///     at: &'static str,
/// }
///
/// let spec = ToolSpec::closed("sound", "Measures how deep it is.")?;
/// let sound = |_: serde_json::Value| Ok::<_, String>(Depth { metres: 4.5, at: "mole" });
/// let tools = Tools::new().add(spec, sound)?;
/// let call = ToolCall::new("call_1", "sound", serde_json::json!({}));
/// assert_eq!(tools.run(&call).content, r#"{"metres":4.5,"at":"mole"}"#);
/// # Ok::<(), prompt_core::tool::ToolSpecError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no output of a tool",
    note = "give back a text, a `serde_json::Value`, `()`, or a `Result` of anything that is `Serialize`, such as `Ok::<_, String>(value)`, whose error is `Display`"
)]
pub trait ToolOutput {
    /// What the model gets, or what went wrong.
    #[doc(hidden)]
    fn said(self) -> Result<ToolContent, String>;
}

impl ToolOutput for ToolContent {
    fn said(self) -> Said {
        Ok(self)
    }
}

impl<E: fmt::Display> ToolOutput for Result<ToolContent, E> {
    fn said(self) -> Said {
        self.map_err(|error| words(&error))
    }
}

impl ToolOutput for String {
    fn said(self) -> Said {
        Ok(ToolContent::text(self))
    }
}

impl ToolOutput for &str {
    fn said(self) -> Said {
        Ok(ToolContent::text(self))
    }
}

impl ToolOutput for Value {
    fn said(self) -> Said {
        Ok(ToolContent::text(self.to_string()))
    }
}

impl ToolOutput for () {
    fn said(self) -> Said {
        Ok(ToolContent::default())
    }
}

impl<A: Serialize, E: fmt::Display> ToolOutput for Result<A, E> {
    fn said(self) -> Said {
        let json = serde_json::to_string(&self.map_err(|error| words(&error))?);
        let json = json.map_err(|error| words(&error))?;
        Ok(ToolContent::text(match json.as_bytes() {
            [b'"', ..] => serde_json::from_str(&json).unwrap_or(json),
            // `()`, and what is like it.
            b"null" if size_of::<A>() == 0 => String::new(),
            _ => json,
        }))
    }
}

/// What an error says. `to_string` would panic where its `Display` fails.
fn words(error: &impl fmt::Display) -> String {
    let mut words = String::new();
    if write!(words, "{error}").is_err() {
        words.push_str("The tool failed, and its error cannot be printed.");
    }
    words
}

impl Tools {
    /// No tools yet.
    pub fn new() -> Self {
        Self {
            specs: Vec::new(),
            actions: BTreeMap::new(),
            on_panic: None,
            repaired: Repaired::default(),
        }
    }

    /// Runs a call: its result.
    pub fn run(&self, call: &ToolCall) -> ToolResult {
        let said = match self.actions.get(&call.name).map(|(_, action)| action) {
            Some(Action::Now(action)) => caught(|| action(call)),
            // Only `Tools<true>` holds such a tool, and it has no `run`.
            Some(Action::Later(_)) => Ok(Err(format!("The tool `{}` is not ready.", call.name))),
            None => Ok(Err(self.unknown(&call.name))),
        };
        self.result(call, said)
    }

    /// Runs the calls of a turn: their results, in order.
    pub fn run_all<'c>(&self, calls: impl IntoIterator<Item = &'c ToolCall>) -> Vec<ToolResult> {
        calls.into_iter().map(|call| self.run(call)).collect()
    }
}

impl Default for Tools {
    fn default() -> Self {
        Self::new()
    }
}

impl<const ASYNC: bool> Tools<ASYNC> {
    /// Adds a tool with its function.
    ///
    /// # Errors
    ///
    /// [`ToolSpecError::Duplicate`] if a tool of that name is there.
    pub fn add<T, A>(
        self,
        spec: ToolSpec,
        function: impl Fn(T) -> A + Send + Sync + 'static,
    ) -> Result<Self, ToolSpecError>
    where
        T: DeserializeOwned,
        A: ToolOutput,
    {
        self.add_with_call(spec, move |_, arguments| function(arguments))
    }

    /// Adds a tool whose function is also given the call itself, with its id.
    ///
    /// ```
    /// # use prompt_agent::Tools;
    /// # use prompt_core::tool::ToolSpecError;
    /// # use prompt_core::{ToolCall, ToolSpec};
    /// #[derive(serde::Deserialize)]
    /// struct Nothing {}
    ///
    /// let spec = ToolSpec::closed("log", "Writes it down.")?;
    /// let tools = Tools::new().add_with_call(spec, |call: &ToolCall, _: Nothing| call.id.clone())?;
    /// let call = ToolCall::new("call_7", "log", serde_json::json!({}));
    /// assert_eq!(tools.run(&call).content, "call_7");
    /// # Ok::<(), ToolSpecError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ToolSpecError::Duplicate`] if a tool of that name is there.
    pub fn add_with_call<T, A>(
        mut self,
        spec: ToolSpec,
        function: impl Fn(&ToolCall, T) -> A + Send + Sync + 'static,
    ) -> Result<Self, ToolSpecError>
    where
        T: DeserializeOwned,
        A: ToolOutput,
    {
        let parameters = Parameters::of(spec.full_parameters());
        let repaired = self.repaired.clone();
        let action = move |call: &ToolCall| {
            let (arguments, repairs) = parameters.read::<T>(&call.name, &call.arguments)?;
            repaired.tell(call, &repairs);
            function(call, arguments).said()
        };
        self.insert(spec, Action::Now(Box::new(action)))?;
        Ok(self)
    }

    /// Adds a tool with an asynchronous function.
    ///
    /// ```
    /// # use prompt_agent::Tools;
    /// # use prompt_core::tool::ToolSpecError;
    /// # use prompt_core::ToolSpec;
    /// #[derive(serde::Deserialize)]
    /// struct Nothing {}
    ///
    /// let spec = ToolSpec::closed("now", "The time.")?;
    /// let tools = Tools::new().add_async(spec, |_: Nothing| async { "noon" })?;
    /// # let _: Tools<true> = tools;
    /// # Ok::<(), ToolSpecError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ToolSpecError::Duplicate`] if a tool of that name is there.
    pub fn add_async<T, A, F>(
        mut self,
        spec: ToolSpec,
        function: impl Fn(T) -> F + Send + Sync + 'static,
    ) -> Result<Tools<true>, ToolSpecError>
    where
        T: DeserializeOwned,
        F: Future<Output = A> + Send + 'static,
        A: ToolOutput,
    {
        let parameters = Parameters::of(spec.full_parameters());
        let repaired = self.repaired.clone();
        let action = move |call: &ToolCall| -> Later {
            match parameters.read::<T>(&call.name, &call.arguments) {
                Ok((arguments, repairs)) => {
                    repaired.tell(call, &repairs);
                    let work = function(arguments);
                    Box::pin(async move { work.await.said() })
                }
                Err(fault) => Box::pin(ready(Err(fault))),
            }
        };
        self.insert(spec, Action::Later(Box::new(action)))?;
        Ok(Tools {
            specs: self.specs,
            actions: self.actions,
            on_panic: self.on_panic,
            repaired: self.repaired,
        })
    }

    /// Tells the program of a function that has panicked, and what the panic says; the model is only told that the tool failed.
    ///
    /// ```
    /// # use prompt_agent::Tools;
    /// # use prompt_core::tool::ToolSpecError;
    /// # use prompt_core::{ToolCall, ToolSpec};
    /// # use serde_json::{Value, json};
    /// let charts: Vec<String> = Vec::new();
    /// let tools = Tools::new()
    ///     .add(ToolSpec::closed("chart", "The newest chart.")?, move |_: Value| charts[0].clone())?
    ///     .on_panic(|call, words| eprintln!("{}: {words}", call.name));
    /// let result = tools.run(&ToolCall::new("call_1", "chart", json!({})));
    /// assert!(result.is_error);
    /// assert_eq!(result.content, "The tool `chart` failed.");
    /// # Ok::<(), ToolSpecError>(())
    /// ```
    #[must_use]
    pub fn on_panic(mut self, tell: impl Fn(&ToolCall, &str) + Send + Sync + 'static) -> Self {
        self.on_panic = Some(Box::new(tell));
        self
    }

    /// Tells the program what was repaired in the arguments of a call before its tool took them, as
    /// [`Accepted::repairs`](crate::answer::Accepted::repairs) does for answers. The first callback stays.
    ///
    /// ```
    /// # use prompt_agent::Tools;
    /// # use prompt_core::{ToolCall, ToolSpec};
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Depth {
    ///     metres: u32,
    /// }
    ///
    /// let tools = Tools::new()
    ///     .add(ToolSpec::of::<Depth>("dig")?, |depth: Depth| format!("{} m", depth.metres))?
    ///     .on_repair(|call, repairs| eprintln!("{}: {repairs:?}", call.name));
    /// let result = tools.run(&ToolCall::new("call_1", "dig", serde_json::json!({ "metres": "4" })));
    /// assert_eq!(result.content, "4 m");
    /// # Ok::<(), prompt_core::tool::ToolSpecError>(())
    /// ```
    #[must_use]
    pub fn on_repair(self, tell: impl Fn(&ToolCall, &[Repair]) + Send + Sync + 'static) -> Self {
        // A second one is not asked.
        let _ = self.repaired.0.set(Box::new(tell));
        self
    }

    /// The tools in the order they were added, for a request.
    pub fn specs(&self) -> &[ToolSpec] {
        &self.specs
    }

    /// Runs a call: its result. Calls are independent of each other: the futures of several may run at the same time.
    pub async fn run_async(&self, call: &ToolCall) -> ToolResult {
        let said = match self.actions.get(&call.name).map(|(_, action)| action) {
            Some(Action::Now(action)) => caught(|| action(call)),
            Some(Action::Later(action)) => match caught(|| action(call)) {
                Ok(work) => caught_later(work).await,
                Err(panic) => Err(panic),
            },
            None => Ok(Err(self.unknown(&call.name))),
        };
        self.result(call, said)
    }

    fn result(&self, call: &ToolCall, said: Caught) -> ToolResult {
        match said {
            Ok(Ok(ToolContent { text, attachments })) => {
                let result = ToolResult::ok(call, text);
                self.trusted(attachments.into_iter().fold(result, ToolResult::with))
            }
            Ok(Err(fault)) => self.trusted(ToolResult::failed(call, fault)),
            Err(panic) => {
                if let Some(tell) = &self.on_panic {
                    let text = panic.downcast_ref::<String>().map(String::as_str);
                    let words = text.or_else(|| panic.downcast_ref::<&str>().copied());
                    tell(call, words.unwrap_or("a panic without words"));
                }
                ToolResult::failed(call, format!("The tool `{}` failed.", call.name))
            }
        }
    }

    /// A result as far as its tool is trusted.
    fn trusted(&self, result: ToolResult) -> ToolResult {
        match self.actions.get(&result.name) {
            Some((place, _)) if self.specs[*place].is_untrusted() => result.untrusted(),
            _ => result,
        }
    }

    fn insert(&mut self, spec: ToolSpec, action: Action) -> Result<(), ToolSpecError> {
        let name = spec.name().to_owned();
        if self.actions.contains_key(&name) {
            return Err(ToolSpecError::Duplicate(name));
        }
        self.actions.insert(name, (self.specs.len(), action));
        self.specs.push(spec);
        Ok(())
    }

    /// What the model is told of a tool that is not there.
    fn unknown(&self, name: &str) -> String {
        const MOST: usize = 20;
        // A turn of many such calls must not take the product of both.
        const COMPARED: usize = 200;
        let all = || self.specs.iter().map(ToolSpec::name);
        let near = prompt_core::diagnostics::nearest(name, all().take(COMPARED));
        let near = near.map_or_else(String::new, |near| format!(" Did you mean `{near}`?"));
        let listed: Vec<String> = all().take(MOST).map(|name| format!("`{name}`")).collect();
        let listed = match listed.as_slice() {
            [] => "There are no tools".to_owned(),
            listed => format!("The tools are: {}", listed.join(", ")),
        };
        format!("There is no tool `{name}`.{near} {listed}.")
    }
}

impl<const ASYNC: bool> fmt::Debug for Tools<ASYNC> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.specs.iter().map(ToolSpec::name))
            .finish()
    }
}

/// Runs a function, which may panic. It is `Fn` and `Sync`: what it has left half done when it unwinds is what any other thread
/// might have seen of it in that moment, and a lock says so itself.
fn caught<T>(run: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    catch_unwind(AssertUnwindSafe(run))
}

/// The same for a future, which is not polled again once it has panicked.
async fn caught_later(mut work: Later) -> Caught {
    let polled = poll_fn(
        move |context| match caught(|| work.as_mut().poll(context)) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => Poll::Ready(Err(panic)),
        },
    );
    polled.await
}
