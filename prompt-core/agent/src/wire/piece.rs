//! A message as one provider gets it: its pieces, each with what belongs to it, without what only another provider
//! understands.

use super::names::plain_name;
use prompt_core::message::{CachePoint, Call, Content, ImageSource, Message, Role};
use serde_json::{Value, json};
use std::borrow::Cow;

/// One piece of a message, with what belongs to it.
#[derive(Clone)]
pub(crate) struct Piece<'a> {
    pub(crate) content: Cow<'a, Content>,
    /// Index of the message it comes from.
    pub(crate) message: usize,
    /// A cache point after it.
    pub(crate) cache: Option<CachePoint>,
    /// For a call, itself; for a tool result, the call that is answered, where it is known.
    pub(crate) call: Option<Called<'a>>,
    /// The token that the provider put on it.
    pub(crate) signature: Option<&'a str>,
    /// The provider's fields beside it.
    pub(crate) extra: Option<&'a Value>,
    /// The images of a tool result.
    pub(crate) images: Vec<&'a Content>,
}

/// Where the bytes of an image are, as the formats know it.
#[derive(Clone, Copy)]
pub(crate) enum Picture<'p> {
    /// In base64.
    Bytes(&'p str),
    Address(&'p str),
}

impl<'p> Picture<'p> {
    fn of(source: &'p ImageSource) -> Option<Self> {
        match source {
            ImageSource::Data(data) => Some(Self::Bytes(data)),
            ImageSource::Url(url) => Some(Self::Address(url)),
            _ => None,
        }
    }
}

/// What a piece says.
pub(crate) enum Says<'p> {
    Text(&'p str),
    /// Media type, source.
    Image(&'p str, Picture<'p>),
    /// Address, media type, text.
    Resource(&'p str, Option<&'p str>, &'p str),
    /// Id, name, arguments.
    Call(&'p str, &'p str, &'p Value),
    /// Id, text, whether the tool failed.
    Result(&'p str, &'p str, bool),
    Thought(&'p str),
    Native(&'p Value),
    /// A signature with nothing before it.
    Nothing,
}

impl Piece<'_> {
    pub(crate) fn says(&self) -> Says<'_> {
        match &*self.content {
            Content::Text { text } => Says::Text(text),
            Content::Image { mime, source } => {
                Picture::of(source).map_or(Says::Nothing, |picture| Says::Image(mime, picture))
            }
            Content::Resource { uri, mime, text } => Says::Resource(uri, mime.as_deref(), text),
            Content::ToolCall {
                id,
                name,
                arguments,
            } => Says::Call(id, name, arguments),
            Content::ToolResult {
                id,
                content,
                is_error,
            } => Says::Result(id, content, *is_error),
            Content::Thought { text } => Says::Thought(text),
            Content::Native { value, .. } => Says::Native(value),
            // A signature, fields that stand beside nothing.
            _ => Says::Nothing,
        }
    }

    /// What the images of a tool result become.
    pub(crate) fn images<T>(&self, write: impl Fn(&str, Picture<'_>) -> T) -> Vec<T> {
        let write = |piece: &&Content| match piece {
            Content::Image { mime, source } => {
                Picture::of(source).map(|picture| write(mime, picture))
            }
            _ => None,
        };
        self.images.iter().filter_map(write).collect()
    }

    /// Whether the call that is answered came with something at this place of its fields.
    pub(crate) fn call_has(&self, pointer: &str) -> bool {
        let extra = self.call.and_then(|call| call.extra);
        extra.is_some_and(|extra| extra.pointer(pointer).is_some())
    }

    /// The name of the tool that a result answers, where it is known.
    pub(crate) fn tool(&self) -> Cow<'_, str> {
        self.call
            .map_or(Cow::Borrowed(""), |call| plain_name(call.name))
    }

    /// What stands at this place of the provider's fields beside the piece.
    pub(crate) fn beside(&self, pointer: &str) -> Option<&Value> {
        self.extra?.pointer(pointer)
    }

    /// The piece as it was written, with the provider's fields beside it.
    pub(crate) fn complete(&self, mut written: Value) -> Value {
        if let Some(extra) = self.extra {
            merge(&mut written, extra);
        }
        written
    }

    /// An empty text with nothing hanging on it.
    pub(crate) fn is_empty(&self) -> bool {
        self.content.as_text() == Some("") && self.signature.is_none() && self.extra.is_none()
    }
}

/// Puts fields into an object, those of inner objects too.
pub(crate) fn merge(into: &mut Value, fields: &Value) {
    match (into, fields) {
        (Value::Object(into), Value::Object(fields)) => {
            for (key, field) in fields {
                merge(into.entry(key).or_insert(Value::Null), field);
            }
        }
        (into, field) => *into = field.clone(),
    }
}

/// What is called; a native call is one that only this format has a word for.
#[derive(Clone, Copy)]
pub(crate) struct Called<'a> {
    pub(crate) id: &'a str,
    name: &'a str,
    /// The item of a native one.
    pub(crate) item: Option<&'a Value>,
    /// The provider's fields beside the call.
    extra: Option<&'a Value>,
}

/// What a request to a provider leaves out, because only another one understands it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct LeftOut {
    /// Index of the message.
    pub message: usize,
    /// Index of the piece within its content.
    pub piece: usize,
    /// What it is, such as `a thought`.
    pub what: &'static str,
}

/// What a request in a format leaves out of the messages.
pub(crate) fn left_out(messages: &[Message], format: &str) -> Vec<LeftOut> {
    let mut left = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        pieces(index, message, format, &mut left);
    }
    left
}

/// The pieces of a message that a format can be asked to say, each with its signature and the fields beside it. What
/// only another provider understands is left out: its native pieces (a call is sent as one of ours),
/// its fields, its thoughts and signatures. A mark of this library is no piece.
pub(crate) fn pieces<'a>(
    index: usize,
    message: &'a Message,
    format: &str,
    left: &mut Vec<LeftOut>,
) -> Vec<Piece<'a>> {
    let mut own: Vec<Piece<'a>> = Vec::with_capacity(message.content.len());
    let mut leave = |piece, what| {
        left.push(LeftOut {
            message: index,
            piece,
            what,
        });
    };
    let marked = message.content.iter().enumerate();
    let mut contents = marked.filter(|(_, piece)| !piece.is_mark()).peekable();
    while let Some((at, content)) = contents.next() {
        let mut beside = Beside::default();
        while let Some((at, more)) = contents.next_if(|(_, piece)| Beside::is_one(piece)) {
            match more {
                Content::Extra { format: of, value } => {
                    beside.origin = Some(of);
                    if of == format && value.is_object() {
                        beside.extra = Some(value);
                    } else {
                        leave(at, FIELDS);
                    }
                }
                Content::Signature { data } => beside.signature = Some((at, data)),
                _ => {}
            }
        }
        let takes_signature = beside.takes_signature(content, format);
        if let Some((at, _)) = beside.signature.filter(|_| !takes_signature) {
            leave(at, SIGNATURE);
        }
        if let Some(what) = beside.foreign(content, format) {
            leave(at, what);
            continue;
        }
        if let (Content::Image { .. }, Role::Tool, Some(result)) =
            (content, message.role, own.last_mut())
        {
            result.images.push(content);
            continue;
        }
        let (sent, call) = sent(content, format, beside.extra);
        own.push(Piece {
            content: sent,
            message: index,
            cache: None,
            call,
            signature: beside
                .signature
                .map(|(_, data)| data)
                .filter(|_| takes_signature),
            extra: beside.extra,
            images: Vec::new(),
        });
    }
    own
}

const FIELDS: &str = "fields of another provider";
const SIGNATURE: &str = "a signature";

/// What stands behind a piece and belongs to it.
#[derive(Default)]
struct Beside<'a> {
    /// The token of a provider, and its place in the message.
    signature: Option<(usize, &'a str)>,
    /// Fields of the format that is written.
    extra: Option<&'a Value>,
    /// The format of the fields, whichever it is.
    origin: Option<&'a str>,
}

impl Beside<'_> {
    fn is_one(piece: &Content) -> bool {
        matches!(piece, Content::Signature { .. } | Content::Extra { .. })
    }

    /// Nothing says where a thought comes from unless there are fields beside it. Anthropic signs all thoughts; Gemini signs
    /// other parts, and its `reply` puts its name beside a thought that it does sign; Ollama signs none.
    fn takes_signature(&self, content: &Content, format: &str) -> bool {
        let is_thought = matches!(content, Content::Thought { .. });
        let is_own = self.origin.is_none_or(|of| of == format);
        match format {
            "anthropic" => is_own && is_thought,
            "gemini" => is_own && (!is_thought || self.origin.is_some()),
            _ => false,
        }
    }

    fn takes_thought(&self, thought: &Content, format: &str) -> bool {
        let is_own = self.origin.is_none_or(|of| of == format);
        let (is_signed, takes_signature) = (
            self.signature.is_some(),
            self.takes_signature(thought, format),
        );
        match format {
            "anthropic" => takes_signature && is_signed,
            "gemini" => is_own && (takes_signature || !is_signed),
            "ollama" => is_own && !is_signed,
            _ => false,
        }
    }

    /// What a piece is that the format has no form for.
    fn foreign(&self, content: &Content, format: &str) -> Option<&'static str> {
        match content {
            Content::Thought { .. } if !self.takes_thought(content, format) => Some("a thought"),
            Content::Signature { .. } if format != "gemini" => Some(SIGNATURE),
            Content::Extra { .. } => Some(FIELDS),
            Content::Native { format: of, .. } if is_foreign(of, format) => content
                .call()
                .is_none()
                .then_some("a piece of another provider"),
            _ => None,
        }
    }
}

/// Whether a native piece is another format's. MCP is no model: what it brings is the user's.
fn is_foreign(of: &str, format: &str) -> bool {
    of != format && of != "mcp"
}

/// A piece as it is sent, and the call in it: another provider's native call is sent as a call of ours.
fn sent<'a>(
    content: &'a Content,
    format: &str,
    extra: Option<&'a Value>,
) -> (Cow<'a, Content>, Option<Called<'a>>) {
    let Some(call) = content.call() else {
        return (Cow::Borrowed(content), None);
    };
    let Call { id, name, item, .. } = call;
    let is_foreign =
        matches!(content, Content::Native { format: of, .. } if is_foreign(of, format));
    let called = Called {
        id,
        name,
        item: item.filter(|_| !is_foreign),
        extra,
    };
    let sent = match call.input().filter(|_| is_foreign) {
        Some(input) => Cow::Owned(Content::ToolCall {
            id: id.to_owned(),
            name: name.to_owned(),
            arguments: if input.is_object() {
                input
            } else {
                json!({ "input": input })
            },
        }),
        None => Cow::Borrowed(content),
    };
    (sent, Some(called))
}
