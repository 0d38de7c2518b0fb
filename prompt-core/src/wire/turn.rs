//! What all formats share on the way out: messages are checked and flattened into turns, every tool result is placed
//! right after its call, neighbours are merged where a format wants it, and at most four cache points stay.

use super::WireError;
use crate::message::CachePoint;
use crate::message::Content;
use crate::message::Message;
use crate::message::Role;
use crate::message::cache::dropped;
use crate::tool::is_legal_name;
use std::collections::BTreeMap;

/// Whether turns of one role may follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alternation {
    /// Every message stays by itself.
    #[default]
    AsIs,
    /// Neighbours of one role are merged into one message, piece by piece; nothing is dropped. The first message after
    /// the system text is the user's.
    Strict,
}

/// What becomes of system messages after the first user or assistant message, where a format has no place for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LateSystem {
    /// A [`WireError::Unsupported`].
    #[default]
    Refuse,
    /// They are sent as user text.
    User,
    /// They are sent as system messages: newer models of Anthropic take them. Gemini has none and refuses.
    System,
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
    /// Calls may lie in an earlier request that the provider remembers.
    pub(super) remembered_calls: bool,
}

impl Rules {
    pub(super) fn new(format: &'static str, alternation: Alternation) -> Self {
        Self {
            format,
            alternation,
            results_in_user_turn: false,
            merge_system: false,
            late_system: LateSystem::System,
            remembered_calls: false,
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
}

/// One piece of a message, with what surrounds it.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) content: &'a Content,
    /// Index of the message it comes from.
    pub(super) message: usize,
    /// A cache point after it.
    pub(super) cache: Option<CachePoint>,
    /// For a tool result, the tool that was called, where it is known.
    pub(super) tool: Option<&'a str>,
}

/// Pieces that one side says without interruption.
pub(super) struct Turn<'a> {
    pub(super) role: Role,
    pub(super) pieces: Vec<Piece<'a>>,
}

impl<'a> Turn<'a> {
    /// The texts of the turn, in order.
    pub(super) fn texts(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.pieces
            .iter()
            .filter_map(|piece| piece.content.as_text())
    }

    /// The texts as the one string of formats that have no blocks: joined by a blank line.
    pub(super) fn joined_text(&self) -> String {
        self.texts().collect::<Vec<_>>().join("\n\n")
    }

    /// Whether the piece after `index` is a signature, and its token.
    pub(super) fn signature_after(&self, index: usize) -> Option<&'a str> {
        match self.pieces.get(index + 1)?.content {
            Content::Signature { data } => Some(data),
            _ => None,
        }
    }
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
    place_late_system(&mut turns, rules)?;
    let placed = place_results(turns, rules)?;
    Ok(merge(placed, rules))
}

/// Turns one message into one turn, or two where a user message opens with tool results.
fn flatten<'a>(
    index: usize,
    message: &'a Message,
    turns: &mut Vec<Turn<'a>>,
) -> Result<(), WireError> {
    let mut pieces = Vec::with_capacity(message.content.len());
    for (at, content) in message.content.iter().enumerate() {
        check_piece(index, message.role, content)?;
        // An empty text says nothing beside other pieces, unless a signature hangs on it.
        let bare = matches!(content, Content::Text { text } if text.is_empty())
            && !matches!(message.content.get(at + 1), Some(Content::Signature { .. }))
            && message.content.len() > 1;
        if !bare {
            pieces.push(Piece {
                content,
                message: index,
                cache: None,
                tool: None,
            });
        }
    }
    match (pieces.last_mut(), message.content.first()) {
        (Some(last), _) => last.cache = message.cache,
        (None, Some(content)) => pieces.push(Piece {
            content,
            message: index,
            cache: message.cache,
            tool: None,
        }),
        (None, None) => return Err(WireError::Empty { message: index }),
    }
    let is_result = |piece: &Piece<'_>| matches!(piece.content, Content::ToolResult { .. });
    let (results, others): (Vec<_>, Vec<_>) = pieces.into_iter().partition(is_result);
    let sides = [(Role::Tool, results), (message.role, others)];
    turns.extend(
        sides
            .into_iter()
            .filter(|(_, pieces)| !pieces.is_empty())
            .map(|(role, pieces)| Turn { role, pieces }),
    );
    Ok(())
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
        Content::ToolCall { id, arguments, .. } if !arguments.is_object() => {
            let reason = format!("found `{arguments}`");
            Err(WireError::Arguments {
                message,
                id: id.clone(),
                reason,
            })
        }
        Content::ToolCall { name, .. } if !is_legal_name(name) => Err(WireError::ToolName {
            message,
            name: name.clone(),
        }),
        _ => Ok(()),
    }
}

/// Decides on system messages after the start.
fn place_late_system(turns: &mut [Turn<'_>], rules: &Rules) -> Result<(), WireError> {
    let leading = leading_system(turns);
    for turn in turns
        .iter_mut()
        .skip(leading)
        .filter(|turn| turn.role == Role::System)
    {
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

/// A call that waits for its result.
struct Open<'a> {
    turn: usize,
    message: usize,
    name: &'a str,
    answered: bool,
}

/// Moves every result behind the turn with its call; a later message may have carried it.
fn place_results<'a>(turns: Vec<Turn<'a>>, rules: &Rules) -> Result<Vec<Turn<'a>>, WireError> {
    let mut calls: BTreeMap<&str, Vec<Open<'_>>> = BTreeMap::new();
    let mut answers: BTreeMap<usize, Vec<Piece<'a>>> = BTreeMap::new();
    let mut last_said = None;
    for (at, turn) in turns.iter().enumerate() {
        if turn.role != Role::Tool {
            last_said = Some(at);
        }
        for piece in &turn.pieces {
            match piece.content {
                Content::ToolCall { id, name, .. } => {
                    let open = Open {
                        turn: at,
                        message: piece.message,
                        name,
                        answered: false,
                    };
                    calls.entry(id).or_default().push(open);
                }
                Content::ToolResult { id, .. } => {
                    let (turn, tool) = answer(calls.get_mut(id.as_str()), piece, id, rules, at)?;
                    answers
                        .entry(turn)
                        .or_default()
                        .push(Piece { tool, ..*piece });
                }
                _ => {}
            }
        }
    }
    check_answered(&calls, last_said)?;
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

/// Finds the call with the id that still waits: the turn to answer behind, and the name of the tool.
fn answer<'a>(
    calls: Option<&mut Vec<Open<'a>>>,
    piece: &Piece<'a>,
    id: &str,
    rules: &Rules,
    at: usize,
) -> Result<(usize, Option<&'a str>), WireError> {
    let message = piece.message;
    let Some(calls) = calls else {
        return if rules.remembered_calls {
            Ok((at, None))
        } else {
            Err(WireError::UnknownCall {
                message,
                id: id.to_owned(),
            })
        };
    };
    // The newest turn that calls with this id is at the end; older ones have long been answered.
    let newest = calls.last().map(|call| call.turn);
    let waiting = calls
        .iter_mut()
        .rev()
        .take_while(|call| Some(call.turn) == newest && !call.answered)
        .last();
    match waiting {
        Some(call) => {
            call.answered = true;
            Ok((call.turn, Some(call.name)))
        }
        None => Err(WireError::AnsweredTwice {
            message,
            id: id.to_owned(),
        }),
    }
}

/// Only the last turn may leave calls open: it is the one that is being worked on.
fn check_answered(
    calls: &BTreeMap<&str, Vec<Open<'_>>>,
    last_said: Option<usize>,
) -> Result<(), WireError> {
    let left = calls
        .iter()
        .flat_map(|(id, calls)| calls.iter().map(move |call| (id, call)));
    let first = left
        .filter(|(_, call)| !call.answered && Some(call.turn) != last_said)
        .min_by_key(|(id, call)| (call.message, **id));
    match first {
        Some((id, call)) => Err(WireError::UnansweredCall {
            message: call.message,
            id: (*id).to_owned(),
        }),
        None => Ok(()),
    }
}

fn merge<'a>(turns: Vec<Turn<'a>>, rules: &Rules) -> Vec<Turn<'a>> {
    let mut merged: Vec<Turn<'a>> = Vec::with_capacity(turns.len());
    for turn in turns {
        match merged.last_mut() {
            Some(last) if rules.merges(last.role, turn.role) => {
                last.pieces.extend(turn.pieces);
                if turn.role == Role::User {
                    last.role = Role::User;
                }
            }
            _ => merged.push(turn),
        }
    }
    merged
}

/// How many turns at the start are the system's.
pub(super) fn leading_system(turns: &[Turn<'_>]) -> usize {
    turns
        .iter()
        .take_while(|turn| turn.role == Role::System)
        .count()
}

/// Whether a user message must be put in front, because a format that alternates starts with the user.
pub(super) fn lacks_opening(turns: &[Turn<'_>]) -> bool {
    turns
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
    let earlier = turn.pieces.get(..=index)?;
    let place = earlier
        .iter()
        .rposition(|piece| piece.message == message && bears(turn.role, piece.content))?;
    turn.pieces.get_mut(place)?.cache = Some(point);
    Some(place)
}
