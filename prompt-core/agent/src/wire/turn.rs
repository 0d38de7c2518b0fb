//! Messages on their way to a provider. In come messages and the rules of a format; out go turns, which its writer only has
//! to spell: checked, every tool result right after its call, neighbours merged where the format wants it, and at most four
//! cache points.

use super::WireError;
use super::names::{plain, plain_name};
use super::options::{Alternation, LateSystem, OPENING, RequestOptions, SystemRole};
use super::piece::{Called, Piece, pieces};
use prompt_core::message::{CachePlan, Content, Message, Role};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

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
    /// The longest id of a call, where ids are letters, digits, `_` and `-`.
    pub(super) longest_id: Option<usize>,
}

impl Rules {
    /// The rules of a format that takes everything, with what the caller asked for.
    pub(super) fn new(format: &'static str, options: &RequestOptions) -> Self {
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
            longest_id: None,
        }
    }

    /// The rules of a format whose turns alternate, whose results open the user's turn, and which has no system
    /// messages after the start unless `late` says so.
    pub(super) fn alternating(
        format: &'static str,
        options: &RequestOptions,
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

    /// That the format cannot say a piece.
    pub(super) fn refuse(&self, piece: &Piece<'_>) -> WireError {
        let remedy = match &*piece.content {
            Content::Resource { .. } => "; send its content as text",
            Content::Native { .. } => " of another provider; see `Message::without_reasoning`",
            _ => " here",
        };
        self.unsupported(piece.message, format!("{}{remedy}", name(&piece.content)))
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

    /// Whether a piece is sent: it is not blank, or something hangs on it. A text without a visible character is refused
    /// whatever stands beside it.
    fn is_sent(&self, piece: &Piece<'_>) -> bool {
        let hangs = piece.extra.is_some() && self.blank == Blank::Empty;
        hangs || piece.signature.is_some() || !self.is_blank(&piece.content)
    }

    /// Whether a piece is nothing that can be sent.
    pub(super) fn is_blank(&self, piece: &Content) -> bool {
        match (self.blank, piece) {
            (Blank::Empty, Content::Text { text }) => text.is_empty(),
            (Blank::White, Content::Text { text }) => text.trim().is_empty(),
            // Fields of the message are no piece of it.
            (Blank::White, Content::Native { value, .. }) => value.get("type").is_none(),
            _ => false,
        }
    }
}

/// Gives calls and their results names and ids that the format takes, the same on both sides, and each call an id of its
/// own. What an id becomes hangs on earlier ones alone, so that a prefix stays a prefix. Each result stands behind the turn of
/// its call.
fn rename(turns: &mut [Turn<'_>], longest_id: Option<usize>) {
    let mut ids = Ids::new(longest_id);
    // What the calls of an id became that have no result yet.
    let mut waiting: BTreeMap<String, VecDeque<String>> = BTreeMap::new();
    for turn in turns {
        if turn.role == Role::Assistant {
            waiting.clear();
        }
        for piece in &mut turn.pieces {
            let (id, new_id, name) = match &*piece.content {
                Content::ToolCall { id, name, .. } => {
                    let new = ids.of_call(id);
                    let calls = waiting.entry(id.clone()).or_default();
                    calls.push_back(new.clone());
                    (id, new, Some(name))
                }
                Content::ToolResult { id, .. } => {
                    let call = waiting.get_mut(id).and_then(VecDeque::pop_front);
                    (id, call.unwrap_or_else(|| ids.plain(id)), None)
                }
                _ => continue,
            };
            let new_name = match name.map(|name| plain_name(name)) {
                Some(Cow::Owned(name)) => Some(name),
                _ if new_id == *id => continue,
                _ => None,
            };
            match piece.content.to_mut() {
                Content::ToolCall { id, name, .. } => {
                    *id = new_id;
                    *name = new_name.unwrap_or_else(|| std::mem::take(name));
                }
                Content::ToolResult { id, .. } => *id = new_id,
                _ => {}
            }
        }
    }
}

/// The ids of the calls of a request.
struct Ids {
    longest: Option<usize>,
    taken: BTreeSet<String>,
    /// By what all of them begin with: how many were tried.
    tries: BTreeMap<String, usize>,
}

impl Ids {
    fn new(longest: Option<usize>) -> Self {
        Self {
            longest,
            taken: BTreeSet::new(),
            tries: BTreeMap::new(),
        }
    }

    /// The id in letters that the format takes.
    fn plain(&self, id: &str) -> String {
        match self.longest {
            Some(longest) => plain(id, longest, "call"),
            None => id.to_owned(),
        }
    }

    /// The id of the next call, which no other call has.
    fn of_call(&mut self, id: &str) -> String {
        const SUFFIX: usize = 8;
        let mut new = self.plain(id);
        let stem = match self.longest {
            Some(longest) => plain(id, longest - SUFFIX, "call"),
            None => id.to_owned(),
        };
        let count = self.tries.entry(stem.clone()).or_insert(1);
        while !self.taken.insert(new.clone()) {
            *count += 1;
            new = format!("{stem}_{count}");
        }
        new
    }
}

/// What a piece is called.
fn name(piece: &Content) -> &'static str {
    match piece {
        Content::Text { .. } => "a text",
        Content::Image { .. } => "an image",
        Content::Resource { .. } => "a resource",
        Content::ToolCall { .. } => "a tool call",
        Content::ToolResult { .. } => "a tool result",
        Content::Thought { .. } => "a thought",
        Content::Signature { .. } => "a signature",
        _ => "a native piece",
    }
}

/// Pieces that one side says without interruption.
pub(super) struct Turn<'a> {
    pub(super) role: Role,
    pub(super) pieces: Vec<Piece<'a>>,
}

impl Turn<'_> {
    /// What is written of the turn: its pieces but for those that are nothing the format can send.
    pub(super) fn write(
        &self,
        rules: &Rules,
        mut write: impl FnMut(&Piece<'_>) -> Result<Value, WireError>,
    ) -> Result<Vec<Value>, WireError> {
        let sent = self.pieces.iter().filter(|piece| rules.is_sent(piece));
        let written: Vec<Value> = sent.map(&mut write).collect::<Result<_, _>>()?;
        match self.pieces.first() {
            Some(&Piece { message, .. }) if written.is_empty() => Err(WireError::Empty { message }),
            _ => Ok(written),
        }
    }

    /// A text of the user that no message says.
    fn of_user(text: &str) -> Self {
        let pieces = vec![Piece {
            content: Cow::Owned(Content::text(text)),
            message: 0,
            cache: None,
            call: None,
            signature: None,
            extra: None,
            images: Vec::new(),
        }];
        Self {
            role: Role::User,
            pieces,
        }
    }
}

/// The texts of turns as the one string of formats that have no blocks, joined by a blank line. Empty ones add none.
pub(super) fn joined(turns: &[Turn<'_>]) -> String {
    let pieces = turns.iter().flat_map(|turn| &turn.pieces);
    let texts: Vec<&str> = pieces
        .filter_map(|piece| piece.content.as_text())
        .filter(|text| !text.is_empty())
        .collect();
    texts.join("\n\n")
}

/// Checks messages and brings them into the order and grouping of a format. One that alternates starts with the user: a text
/// is put in front of a conversation that the model would open.
pub(super) fn conversation<'a>(
    messages: &'a [Message],
    rules: &Rules,
) -> Result<Vec<Turn<'a>>, WireError> {
    let mut turns = Vec::with_capacity(messages.len());
    for (index, message) in messages.iter().enumerate() {
        flatten(index, message, rules, &mut turns)?;
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
    let mut turns = merge_neighbours(without_silent(turns, rules), rules);
    if rules.fold_system {
        fold_system(&mut turns);
    }
    rename(&mut turns, rules.longest_id);
    let first = leading_system(&turns);
    let begins_with_user = rules.results_in_user_turn || rules.alternation == Alternation::Strict;
    let is_model = |turn: &Turn<'_>| turn.role == Role::Assistant;
    if begins_with_user && turns.get(first).is_some_and(is_model) {
        turns.insert(first, Turn::of_user(OPENING));
    }
    Ok(turns)
}

/// Turns one message into one turn, or two where a user message opens with tool results. One of which nothing is for
/// this provider is none.
fn flatten<'a>(
    index: usize,
    message: &'a Message,
    rules: &Rules,
    turns: &mut Vec<Turn<'a>>,
) -> Result<(), WireError> {
    if message.content.is_empty() && message.role != Role::Assistant {
        return Err(WireError::Empty { message: index });
    }
    let mut pieces = pieces(index, message, rules.format, &mut Vec::new());
    for piece in &pieces {
        check_piece(index, message.role, &piece.content, rules.format)?;
        if matches!(&*piece.content, Content::Native { format, .. } if format != rules.format) {
            return Err(rules.refuse(piece));
        }
    }
    let before = turns.last_mut().and_then(|turn| turn.pieces.last_mut());
    if let Some(last) = pieces.last_mut().or(before) {
        last.cache = message.cache.or(last.cache);
    }
    let is_result = |piece: &Piece<'_>| matches!(&*piece.content, Content::ToolResult { .. });
    let (results, others): (Vec<_>, Vec<_>) =
        without_empty(pieces).into_iter().partition(is_result);
    if !results.is_empty() {
        let (role, pieces) = (Role::Tool, results);
        turns.push(Turn { role, pieces });
    }
    if !others.is_empty() || message.content.is_empty() {
        let (role, pieces) = (message.role, others);
        turns.push(Turn { role, pieces });
    }
    Ok(())
}

/// Leaves out empty texts, which say nothing beside other pieces unless something hangs on them. Of nothing but empty
/// texts one stays. A cache point goes to the piece before.
fn without_empty(pieces: Vec<Piece<'_>>) -> Vec<Piece<'_>> {
    let mut kept: Vec<Piece<'_>> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match kept.last_mut() {
            Some(last) if piece.is_empty() => last.cache = piece.cache.or(last.cache),
            Some(last) if last.is_empty() => *last = piece,
            _ => kept.push(piece),
        }
    }
    kept
}

/// Every role says only what it can say, and calls are well formed.
fn check_piece(
    message: usize,
    role: Role,
    content: &Content,
    format: &str,
) -> Result<(), WireError> {
    let roles: &[Role] = match content {
        Content::Text { .. } => &[Role::System, Role::User, Role::Assistant],
        Content::Image { .. } | Content::Native { .. } | Content::Extra { .. } => {
            &[Role::User, Role::Assistant]
        }
        Content::Resource { .. } if format == "mcp" => &[Role::User, Role::Assistant],
        Content::Resource { .. } => &[Role::User],
        Content::ToolResult { .. } => &[Role::Tool, Role::User],
        _ => &[Role::Assistant],
    };
    if !roles.contains(&role) {
        let piece = name(content);
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
            let (id, reason) = (id.clone(), format!("found `{arguments}`"));
            Err(WireError::Arguments {
                message,
                id,
                reason,
            })
        }
        _ => Ok(()),
    }
}

/// What a result says where a format has no field for a failure.
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
                    "a system message after the start; see `RequestOptions::late_system`",
                ));
            }
        }
    }
    Ok(())
}

/// The calls of one id in the newest turn that has any, each with its message.
struct Waiting<'a> {
    turn: usize,
    calls: VecDeque<(usize, Called<'a>)>,
}

/// Moves every result behind the turn with its call; a later message may have carried it.
fn place_results<'a>(turns: Vec<Turn<'a>>, rules: &Rules) -> Result<Vec<Turn<'a>>, WireError> {
    let last_said = turns.iter().rposition(|turn| turn.role != Role::Tool);
    let mut pairing = Pairing::default();
    for (at, turn) in turns.iter().enumerate() {
        for piece in &turn.pieces {
            if let Content::ToolResult { id, .. } = &*piece.content {
                pairing.result(at, piece, id, rules)?;
            } else if let Some(call) = piece.call {
                pairing.call(at, piece.message, call);
            }
        }
    }
    let mut answers = pairing.finish(last_said)?;
    let mut placed = Vec::with_capacity(turns.len());
    for (at, turn) in turns.into_iter().enumerate() {
        if turn.role != Role::Tool {
            placed.push(turn);
        }
        if let Some(pieces) = answers.remove(&at) {
            let role = Role::Tool;
            placed.push(Turn { role, pieces });
        }
    }
    Ok(placed)
}

/// Pairs calls and results in one pass.
///
/// A result answers the oldest call of its id that still waits in the newest turn with that id, so an id may come again
/// once its turn is over. A call is left without a result if a newer turn takes its id, or if it still waits at the end;
/// only the last turn may do that, because it is the one that is being worked on.
#[derive(Default)]
struct Pairing<'a> {
    waiting: BTreeMap<&'a str, Waiting<'a>>,
    /// The results behind each turn.
    answers: BTreeMap<usize, Vec<Piece<'a>>>,
    unanswered: Vec<(usize, Called<'a>)>,
}

impl<'a> Pairing<'a> {
    fn result(
        &mut self,
        at: usize,
        piece: &Piece<'a>,
        id: &str,
        rules: &Rules,
    ) -> Result<(), WireError> {
        let (message, id_of) = (piece.message, || id.to_owned());
        let (turn, call) = match self.waiting.get_mut(id) {
            Some(open) => {
                let Some((_, call)) = open.calls.pop_front() else {
                    let id = id_of();
                    return Err(WireError::AnsweredTwice { message, id });
                };
                (open.turn, Some(call))
            }
            None if rules.remembered_calls => (at, None),
            None => {
                let id = id_of();
                return Err(WireError::UnknownCall { message, id });
            }
        };
        let piece = Piece {
            call,
            ..piece.clone()
        };
        self.answers.entry(turn).or_default().push(piece);
        Ok(())
    }

    fn call(&mut self, at: usize, message: usize, call: Called<'a>) {
        let open = self.waiting.entry(call.id).or_insert_with(|| Waiting {
            turn: at,
            calls: VecDeque::new(),
        });
        if open.turn != at {
            open.turn = at;
            self.unanswered.extend(open.calls.drain(..));
        }
        open.calls.push_back((message, call));
    }

    /// The results by the turn that they stand behind, if every call has one that must.
    fn finish(
        mut self,
        last_said: Option<usize>,
    ) -> Result<BTreeMap<usize, Vec<Piece<'a>>>, WireError> {
        let open = self.waiting.into_values();
        let late = open.filter(|open| Some(open.turn) != last_said);
        self.unanswered.extend(late.flat_map(|open| open.calls));
        let unanswered = self.unanswered.into_iter();
        match unanswered.min_by_key(|(message, call)| (*message, call.id)) {
            Some((message, call)) => {
                let id = call.id.to_owned();
                Err(WireError::UnansweredCall { message, id })
            }
            None => Ok(self.answers),
        }
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
        let mut pieces = turn.pieces.iter();
        let silent = turn.role == Role::Assistant && pieces.all(|piece| !rules.is_sent(piece));
        let point = turn.pieces.iter().rev().find_map(|piece| piece.cache);
        if !silent {
            kept.push(turn);
        } else if let Some(before) = kept.last_mut().and_then(|turn| turn.pieces.last_mut()) {
            before.cache = point.or(before.cache);
        }
    }
    kept
}

fn merge_neighbours<'a>(turns: Vec<Turn<'a>>, rules: &Rules) -> Vec<Turn<'a>> {
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
        let pieces = &mut merged[at].pieces;
        *pieces = without_empty(std::mem::take(pieces));
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
        let (role, pieces) = (Role::User, Vec::new());
        turns.insert(0, Turn { role, pieces });
    }
    let first = &mut turns[0];
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
    let others = turns.iter().position(|turn| turn.role != Role::System);
    others.unwrap_or(turns.len())
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
    for (at, place) in CachePlan::left_out(&places).iter().flatten() {
        turns[*at].pieces[*place].cache = None;
    }
}

/// Moves the point of one piece to where it can stand; `None` where there is none or no place for it.
fn settle_point(
    turn: &mut Turn<'_>,
    index: usize,
    bears: &impl Fn(Role, &Content) -> bool,
) -> Option<usize> {
    let piece = &mut turn.pieces[index];
    let (point, message) = (piece.cache.take()?, piece.message);
    let own = turn.pieces[..=index].iter();
    let place = own
        .enumerate()
        .rev()
        .take_while(|(_, piece)| piece.message == message)
        .find(|(_, piece)| bears(turn.role, &piece.content));
    let (place, _) = place?;
    turn.pieces[place].cache = Some(point);
    Some(place)
}
