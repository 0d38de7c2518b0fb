//! What all formats share on the way out: messages are checked and flattened into turns, every tool result is placed
//! right after its call, neighbours are merged where a format wants it, and at most four cache points stay.

use super::WireError;
use super::options::{Alternation, LateSystem, Options, SystemRole};
use crate::message::cache::dropped;
use crate::message::{CachePoint, Content, Message, Role};
use crate::tool::is_legal_name;
use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};

/// Which texts a format has no place for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Blank {
    /// None: an empty string is a message.
    Taken,
    /// Empty ones.
    Empty,
    /// Those without a visible character.
    White,
}

/// What a format asks of a conversation.
#[derive(Clone, Copy)]
pub(super) struct Rules {
    pub(super) format: &'static str,
    pub(super) alternation: Alternation,
    /// Tool results travel inside a user turn.
    pub(super) results_in_user_turn: bool,
    /// Neighbouring system messages are blocks of one.
    pub(super) merge_system: bool,
    /// What becomes of system messages after the start.
    pub(super) late_system: LateSystem,
    /// The system text opens the first user message.
    pub(super) fold_system: bool,
    /// Calls may lie in an earlier request that the provider remembers.
    pub(super) remembered_calls: bool,
    /// System messages alone are no request.
    pub(super) needs_turn: bool,
    /// Texts that cannot be sent. An answer of the model that says nothing else is left out.
    pub(super) blank: Blank,
}

impl Rules {
    /// The rules of a format that takes everything, with what the caller asked for.
    pub(super) fn new<S>(format: &'static str, options: &Options<S>) -> Self {
        let fold_system = options.system_role == Some(SystemRole::User);
        Self {
            format,
            alternation: options.alternation.unwrap_or(Alternation::AsIs),
            results_in_user_turn: false,
            merge_system: false,
            late_system: match options.late_system {
                _ if fold_system => LateSystem::User,
                late => late.unwrap_or(LateSystem::System),
            },
            fold_system,
            remembered_calls: false,
            needs_turn: fold_system,
            blank: Blank::Taken,
        }
    }

    /// The rules of a format whose turns alternate, whose results open the user's turn, and which has no system
    /// messages after the start unless `late` says so.
    #[cfg(any(feature = "anthropic", feature = "gemini"))]
    pub(super) fn alternating<S>(
        format: &'static str,
        options: &Options<S>,
        late: LateSystem,
        blank: Blank,
    ) -> Self {
        let rules = Self::new(format, options);
        Self {
            alternation: options.alternation.unwrap_or(Alternation::Strict),
            results_in_user_turn: true,
            late_system: if rules.fold_system {
                LateSystem::User
            } else {
                late
            },
            needs_turn: true,
            blank,
            ..rules
        }
    }

    pub(super) fn unsupported(&self, message: usize, what: impl Into<String>) -> WireError {
        WireError::Unsupported {
            message,
            format: self.format,
            what: what.into(),
        }
    }

    fn merges(&self, before: Role, after: Role) -> bool {
        let side = |role| {
            if self.results_in_user_turn && role == Role::Tool {
                Role::User
            } else {
                role
            }
        };
        match (before, after) {
            (Role::System, Role::System) => {
                self.merge_system || self.alternation == Alternation::Strict
            }
            // Formats with a message per result have nothing to merge here.
            (Role::Tool, Role::Tool) if !self.results_in_user_turn => false,
            _ => self.alternation == Alternation::Strict && side(before) == side(after),
        }
    }

    /// Whether a piece is a text that cannot be sent.
    pub(super) fn is_blank(&self, piece: &Content) -> bool {
        piece.as_text().is_some_and(|text| match self.blank {
            Blank::Taken => false,
            Blank::Empty => text.is_empty(),
            Blank::White => text.trim().is_empty(),
        })
    }
}

/// One piece of a message, with what surrounds it.
#[derive(Clone)]
pub(super) struct Piece<'a> {
    pub(super) content: Cow<'a, Content>,
    /// Index of the message it comes from.
    pub(super) message: usize,
    /// A cache point after it.
    pub(super) cache: Option<CachePoint>,
    /// For a tool result, the call that is answered, where it is known.
    pub(super) call: Option<Called<'a>>,
}

impl Piece<'_> {
    /// The name of the tool that a result answers, where it is known.
    pub(super) fn tool(&self) -> &str {
        self.call.map_or("", |call| call.name)
    }
}

/// What is called, and whether it is a call that only one provider has a word for.
#[derive(Clone, Copy)]
pub(super) struct Called<'a> {
    id: &'a str,
    pub(super) name: &'a str,
    pub(super) native: bool,
}

/// The call in a piece: one of ours, or one of `OpenAI`'s custom tools, which are answered in the same way.
fn call_in(piece: &Content) -> Option<Called<'_>> {
    match piece {
        Content::ToolCall { id, name, .. } => Some(Called {
            id,
            name,
            native: false,
        }),
        Content::Native { value, .. } => {
            let (id, name) = match value.get("type")?.as_str()? {
                "custom" => (value.get("id")?, value.pointer("/custom/name")?),
                "custom_tool_call" => (value.get("call_id")?, value.get("name")?),
                _ => return None,
            };
            Some(Called {
                id: id.as_str()?,
                name: name.as_str()?,
                native: true,
            })
        }
        _ => None,
    }
}

/// Pieces that one side says without interruption.
pub(super) struct Turn<'a> {
    pub(super) role: Role,
    pub(super) pieces: Vec<Piece<'a>>,
}

impl Turn<'_> {
    /// The texts as the one string of formats that have no blocks: joined by a blank line.
    pub(super) fn joined_text(&self) -> String {
        joined(std::slice::from_ref(self))
    }

    /// Whether the piece after `index` is a signature, and its token.
    pub(super) fn signature_after(&self, index: usize) -> Option<&str> {
        match &*self.pieces.get(index + 1)?.content {
            Content::Signature { data } => Some(data),
            _ => None,
        }
    }
}

/// The texts of turns, joined by a blank line. Empty ones add none.
pub(super) fn joined(turns: &[Turn<'_>]) -> String {
    let pieces = turns.iter().flat_map(|turn| &turn.pieces);
    let texts: Vec<&str> = pieces
        .filter_map(|piece| piece.content.as_text())
        .filter(|text| !text.is_empty())
        .collect();
    texts.join("\n\n")
}

/// Checks messages and brings them into the order and grouping of a format.
pub(super) fn conversation<'a>(
    messages: &'a [Message],
    rules: &Rules,
) -> Result<Vec<Turn<'a>>, WireError> {
    let mut turns = Vec::with_capacity(messages.len());
    for (index, message) in messages.iter().enumerate() {
        flatten(index, message, &mut turns)?;
    }
    let leading = leading_system(&turns);
    let has_turn = leading < turns.len() || (leading > 0 && !rules.needs_turn);
    if !has_turn && !rules.remembered_calls {
        return Err(WireError::NoTurn {
            format: rules.format,
        });
    }
    place_late_system(&mut turns, leading, rules)?;
    let turns = place_results(turns, rules)?;
    let mut turns = merge(without_silent(turns, rules), rules);
    if rules.fold_system {
        fold_system(&mut turns);
    }
    Ok(turns)
}

/// Turns one message into one turn, or two where a user message opens with tool results.
fn flatten<'a>(
    index: usize,
    message: &'a Message,
    turns: &mut Vec<Turn<'a>>,
) -> Result<(), WireError> {
    if message.content.is_empty() && message.role != Role::Assistant {
        return Err(WireError::Empty { message: index });
    }
    let mut pieces = Vec::with_capacity(message.content.len());
    for content in message.content.iter().filter(|piece| !piece.is_mark()) {
        check_piece(index, message.role, content)?;
        pieces.push(Piece {
            content: Cow::Borrowed(content),
            message: index,
            cache: None,
            call: None,
        });
    }
    if let Some(last) = pieces.last_mut() {
        last.cache = message.cache;
    }
    let is_result = |piece: &Piece<'_>| matches!(&*piece.content, Content::ToolResult { .. });
    let (results, others): (Vec<_>, Vec<_>) =
        without_empty(pieces).into_iter().partition(is_result);
    if !results.is_empty() {
        turns.push(Turn {
            role: Role::Tool,
            pieces: results,
        });
    }
    if !others.is_empty() || message.content.is_empty() {
        turns.push(Turn {
            role: message.role,
            pieces: others,
        });
    }
    Ok(())
}

/// Leaves out empty texts, which say nothing beside other pieces unless a signature hangs on them. Of nothing but empty
/// texts one stays. A cache point goes to the piece before.
fn without_empty(pieces: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    let mut kept: Vec<Piece<'_>> = Vec::with_capacity(pieces.len());
    let mut pieces = pieces.into_iter().peekable();
    while let Some(piece) = pieces.next() {
        let signed = pieces
            .peek()
            .is_some_and(|next| matches!(&*next.content, Content::Signature { .. }));
        let is_empty = |piece: &Piece<'_>| piece.content.as_text() == Some("");
        match kept.last_mut() {
            Some(last) if is_empty(&piece) && !signed => last.cache = piece.cache.or(last.cache),
            Some(last) if is_empty(last) && kept_alone(&piece) => *last = piece,
            _ => kept.push(piece),
        }
    }
    kept
}

/// Whether a piece can take the place of an empty text before it: a signature hangs on that text.
fn kept_alone(piece: &Piece<'_>) -> bool {
    !matches!(&*piece.content, Content::Signature { .. })
}

/// Every role says only what it can say, and calls are well formed.
fn check_piece(message: usize, role: Role, content: &Content) -> Result<(), WireError> {
    let (piece, roles): (_, &[Role]) = match content {
        Content::Text { .. } => ("a text", &[Role::System, Role::User, Role::Assistant]),
        Content::Image { .. } => ("an image", &[Role::User, Role::Assistant]),
        Content::Resource { .. } => ("a resource", &[Role::User]),
        Content::ToolCall { .. } => ("a tool call", &[Role::Assistant]),
        Content::ToolResult { .. } => ("a tool result", &[Role::Tool, Role::User]),
        Content::Thought { .. } => ("a thought", &[Role::Assistant]),
        Content::Signature { .. } => ("a signature", &[Role::Assistant]),
        Content::Native { .. } => ("a native piece", &[Role::User, Role::Assistant]),
    };
    if !roles.contains(&role) {
        return Err(WireError::Misplaced {
            message,
            piece,
            role,
        });
    }
    match content {
        Content::ToolCall { id, arguments, .. }
            if !arguments.is_object() && !arguments.is_string() =>
        {
            Err(WireError::Arguments {
                message,
                id: id.clone(),
                reason: format!("found `{arguments}`"),
            })
        }
        Content::ToolCall { name, .. } if !is_legal_name(name) => Err(WireError::ToolName {
            message,
            name: name.clone(),
        }),
        _ => Ok(()),
    }
}

/// The arguments of a call as an object. A text that the model wrote instead of one has no place in formats that take
/// objects only; the result of the call tells the model what was wrong.
#[cfg(any(feature = "anthropic", feature = "gemini", feature = "ollama"))]
pub(super) fn object_arguments(arguments: &serde_json::Value) -> serde_json::Value {
    if arguments.is_object() {
        arguments.clone()
    } else {
        serde_json::Value::Object(serde_json::Map::new())
    }
}

/// What a result says where a format has no field for a failure.
#[cfg(any(feature = "openai", feature = "ollama"))]
pub(super) fn result_text(content: &str, is_error: bool) -> Cow<'_, str> {
    const MARK: &str = "Error: ";
    if is_error && !content.starts_with(MARK) {
        Cow::Owned(format!("{MARK}{content}"))
    } else {
        Cow::Borrowed(content)
    }
}

/// Decides on system messages after the start.
fn place_late_system(
    turns: &mut [Turn<'_>],
    leading: usize,
    rules: &Rules,
) -> Result<(), WireError> {
    let late = turns.iter_mut().skip(leading);
    for turn in late.filter(|turn| turn.role == Role::System) {
        match (rules.late_system, turn.pieces.first()) {
            (LateSystem::System, _) => {}
            (LateSystem::User, _) => turn.role = Role::User,
            (LateSystem::Refuse, piece) => {
                let message = piece.map_or(0, |piece| piece.message);
                return Err(rules.unsupported(
                    message,
                    "a system message after the start; see `Options::late_system`",
                ));
            }
        }
    }
    Ok(())
}

/// The calls of one id in the newest turn that has any.
struct Waiting<'a> {
    turn: usize,
    calls: VecDeque<(usize, Called<'a>)>,
}

/// Moves every result behind the turn with its call; a later message may have carried it.
///
/// One pass pairs them: a result answers the oldest call of its id that still waits in the newest turn with that id, so
/// an id may come again once its turn is over. A call is left without a result if a newer turn takes its id, or if it
/// still waits at the end; only the last turn may do that, because it is the one that is being worked on.
fn place_results<'a>(turns: Vec<Turn<'a>>, rules: &Rules) -> Result<Vec<Turn<'a>>, WireError> {
    let mut waiting: BTreeMap<&str, Waiting<'_>> = BTreeMap::new();
    let mut answers: BTreeMap<usize, Vec<Piece<'a>>> = BTreeMap::new();
    let mut unanswered: Vec<(usize, &str)> = Vec::new();
    let last_said = turns.iter().rposition(|turn| turn.role != Role::Tool);
    let pieces = turns.iter().enumerate();
    for (at, piece) in
        pieces.flat_map(|(at, turn)| turn.pieces.iter().map(move |piece| (at, piece)))
    {
        let Cow::Borrowed(content) = piece.content else {
            continue;
        };
        if let Content::ToolResult { id, .. } = content {
            let (turn, call) =
                answered(waiting.get_mut(id.as_str()), piece.message, id, rules, at)?;
            let piece = Piece {
                call,
                ..piece.clone()
            };
            answers.entry(turn).or_default().push(piece);
        } else if let Some(call) = call_in(content) {
            let open = waiting.entry(call.id).or_insert_with(|| Waiting {
                turn: at,
                calls: VecDeque::new(),
            });
            if open.turn != at {
                open.turn = at;
                let left = open.calls.drain(..);
                unanswered.extend(left.map(|(message, call)| (message, call.id)));
            }
            open.calls.push_back((piece.message, call));
        }
    }
    for open in waiting.values().filter(|open| Some(open.turn) != last_said) {
        unanswered.extend(open.calls.iter().map(|(message, call)| (*message, call.id)));
    }
    if let Some((message, id)) = unanswered.into_iter().min() {
        return Err(WireError::UnansweredCall {
            message,
            id: id.to_owned(),
        });
    }
    let mut placed = Vec::with_capacity(turns.len());
    for (at, turn) in turns.into_iter().enumerate() {
        if turn.role != Role::Tool {
            placed.push(turn);
        }
        if let Some(pieces) = answers.remove(&at) {
            placed.push(Turn {
                role: Role::Tool,
                pieces,
            });
        }
    }
    Ok(placed)
}

/// Takes the call that a result answers: the turn to answer behind, and the call.
fn answered<'a>(
    open: Option<&mut Waiting<'a>>,
    message: usize,
    id: &str,
    rules: &Rules,
    at: usize,
) -> Result<(usize, Option<Called<'a>>), WireError> {
    match open {
        Some(open) => match open.calls.pop_front() {
            Some((_, call)) => Ok((open.turn, Some(call))),
            None => Err(WireError::AnsweredTwice {
                message,
                id: id.to_owned(),
            }),
        },
        None if rules.remembered_calls => Ok((at, None)),
        None => Err(WireError::UnknownCall {
            message,
            id: id.to_owned(),
        }),
    }
}

/// Leaves out answers of the model that say nothing, where a format has no empty messages; their cache points go to
/// what stands before.
fn without_silent<'a>(turns: Vec<Turn<'a>>, rules: &Rules) -> Vec<Turn<'a>> {
    if rules.blank == Blank::Taken {
        return turns;
    }
    let mut kept: Vec<Turn<'a>> = Vec::with_capacity(turns.len());
    for turn in turns {
        let silent = turn.role == Role::Assistant
            && turn
                .pieces
                .iter()
                .all(|piece| rules.is_blank(&piece.content));
        let point = turn.pieces.iter().rev().find_map(|piece| piece.cache);
        if !silent {
            kept.push(turn);
        } else if let Some(before) = kept.last_mut().and_then(|turn| turn.pieces.last_mut()) {
            before.cache = point.or(before.cache);
        }
    }
    kept
}

fn merge<'a>(turns: Vec<Turn<'a>>, rules: &Rules) -> Vec<Turn<'a>> {
    let mut merged: Vec<Turn<'a>> = Vec::with_capacity(turns.len());
    let mut grown = Vec::new();
    for turn in turns {
        match merged.last_mut() {
            Some(last) if rules.merges(last.role, turn.role) => {
                last.pieces.extend(turn.pieces);
                if turn.role == Role::User {
                    last.role = Role::User;
                }
                grown.push(merged.len() - 1);
            }
            _ => merged.push(turn),
        }
    }
    grown.dedup();
    for at in grown {
        if let Some(turn) = merged.get_mut(at) {
            turn.pieces = without_empty(std::mem::take(&mut turn.pieces));
        }
    }
    merged
}

/// Puts the system text in front of the first user text, as `system + "\n\n" + user`. A piece ends at a cache point;
/// the next one opens with the blank line then, so that the bytes are the same with and without it.
fn fold_system(turns: &mut Vec<Turn<'_>>) {
    let system: Vec<Turn<'_>> = turns.drain(..leading_system(turns)).collect();
    let mut pieces = system.into_iter().flat_map(|turn| turn.pieces).peekable();
    if pieces.peek().is_none() {
        return;
    }
    if turns.first().is_none_or(|turn| turn.role != Role::User) {
        turns.insert(
            0,
            Turn {
                role: Role::User,
                pieces: Vec::new(),
            },
        );
    }
    let Some(first) = turns.first_mut() else {
        return;
    };
    let mut spoken = std::mem::take(&mut first.pieces).into_iter().peekable();
    let opening = spoken.next_if(|piece| piece.content.as_text().is_some());
    for piece in pieces.chain(opening) {
        let text = piece.content.as_text().unwrap_or_default();
        match first.pieces.last_mut() {
            Some(last) if text.is_empty() => last.cache = piece.cache.or(last.cache),
            Some(last) if last.cache.is_none() => {
                if let Content::Text { text: whole } = last.content.to_mut() {
                    // An empty text leaves the other alone.
                    if !whole.is_empty() {
                        whole.push_str("\n\n");
                    }
                    whole.push_str(text);
                }
                last.cache = piece.cache;
                last.message = piece.message;
            }
            Some(_) => first.pieces.push(Piece {
                content: Cow::Owned(Content::text(format!("\n\n{text}"))),
                ..piece
            }),
            None => first.pieces.push(piece),
        }
    }
    first.pieces.extend(spoken);
}

/// How many turns at the start are the system's.
pub(super) fn leading_system(turns: &[Turn<'_>]) -> usize {
    turns
        .iter()
        .take_while(|turn| turn.role == Role::System)
        .count()
}

/// Whether a user message must be put in front, because a format that alternates starts with the user.
pub(super) fn lacks_opening(turns: &[Turn<'_>], rules: &Rules) -> bool {
    (rules.results_in_user_turn || rules.alternation == Alternation::Strict)
        && turns
            .iter()
            .find(|turn| turn.role != Role::System)
            .is_some_and(|turn| turn.role == Role::Assistant)
}

/// Keeps the cache points a format can carry, at most four with the one after the tools: a point moves back to the
/// nearest piece of its message that can bear it, and of too many the first and the last three stay. The point after
/// the tools is the first of all, so it always stays.
pub(super) fn settle_cache(
    turns: &mut [Turn<'_>],
    after_tools: bool,
    bears: impl Fn(Role, &Content) -> bool,
) {
    let mut places = if after_tools { vec![None] } else { Vec::new() };
    for (at, turn) in turns.iter_mut().enumerate() {
        for index in 0..turn.pieces.len() {
            if let Some(place) = settle_point(turn, index, &bears) {
                places.push(Some((at, place)));
            }
        }
    }
    for place in dropped(&places).iter().flatten() {
        if let Some(piece) = turns
            .get_mut(place.0)
            .and_then(|turn| turn.pieces.get_mut(place.1))
        {
            piece.cache = None;
        }
    }
}

/// Moves the point of one piece to where it can stand; `None` where there is none or no place for it.
fn settle_point(
    turn: &mut Turn<'_>,
    index: usize,
    bears: &impl Fn(Role, &Content) -> bool,
) -> Option<usize> {
    let piece = turn.pieces.get_mut(index)?;
    let (point, message) = (piece.cache.take()?, piece.message);
    let own = turn.pieces.get(..=index)?.iter().enumerate().rev();
    let (place, _) = own
        .take_while(|(_, piece)| piece.message == message)
        .find(|(_, piece)| bears(turn.role, &piece.content))?;
    turn.pieces.get_mut(place)?.cache = Some(point);
    Some(place)
}
