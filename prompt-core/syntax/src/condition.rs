//! Conditions: which part belongs to which, how far each reaches, and what is wrong with the rest.
//!
//! The parts of conditions are collected while a text is read, each with its place. Whether a part is one at all can
//! depend on what stands behind it, so they are put together afterwards, in one pass with a stack.

use crate::{
    Form, check, inline::Findings, known::Known,
    source::Source,
};
use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::ops::Range;

/// How many open conditions are searched for the one that a wrong end means.
const SEARCHED: usize = 16;

/// A part of a condition.
#[derive(Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: TokenKind,
    /// What it asks; empty for an `{else}`.
    pub(crate) name: &'t str,
    /// The fields of it, each with its dot.
    pub(crate) path: &'t str,
    pub(crate) range: Range<usize>,
    pub(crate) line: Range<usize>,
    /// Where what is opened here can be closed: the text, a heading, a fence, inline code.
    pub(crate) scope: Range<usize>,
    /// Where it must be closed within: its paragraph, heading, or line of code.
    pub(crate) limit: usize,
    pub(crate) standing: Standing,
    pub(crate) is_code: bool,
    /// Whether what it asks is known, if it opens a condition.
    pub(crate) is_known: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TokenKind {
    If { negated: bool },
    Else,
    End,
}

/// How a part stands in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    Alone,
    /// First on its line, after indentation, list marker and other conditions; whether nothing comes behind it.
    Head {
        is_last: bool,
    },
    Inside,
}

impl Token<'_> {
    fn asks_like(&self, other: &Self) -> bool {
        (self.name, self.path) == (other.name, other.path)
    }

    fn written(&self, source: &Source<'_>) -> String {
        source
            .text
            .get(self.range.clone())
            .unwrap_or_default()
            .to_string()
    }
}

/// A condition that has not been closed.
struct Open {
    /// Its part that opened it.
    token: usize,
    form: Form,
    limit: usize,
    scope_end: usize,
    /// Its `{else}`.
    branch: Option<usize>,
    /// It has been reported: what belongs to it is passed over.
    is_broken: bool,
}

/// Puts the parts of conditions together and reports those that do not fit. Gives the form of each part, or `None` for
/// one that is text.
///
/// A `fragment` is a piece of a longer text: block conditions may be opened before it and closed behind it.
pub(crate) fn resolve<'t>(
    source: &'t Source<'t>,
    known: &Known<'_>,
    found: &mut Findings<'t>,
    is_fragment: bool,
) -> Vec<Option<Form>> {
    let mut resolver = Resolver {
        source,
        known,
        is_closed: closed_on_their_line(&found.tokens),
        forms: vec![None; found.tokens.len()],
        open: Vec::new(),
        is_fragment,
        found,
    };
    for index in 0..resolver.forms.len() {
        resolver.read(index);
    }
    resolver.leave(usize::MAX);
    resolver.forms
}

struct Resolver<'r, 'a, 't> {
    source: &'t Source<'t>,
    known: &'r Known<'a>,
    found: &'r mut Findings<'t>,
    is_closed: Vec<bool>,
    forms: Vec<Option<Form>>,
    /// Inner scopes stand behind outer ones. A condition reaches no further than an inline one around it, so that those
    /// that have ended are always the last.
    open: Vec<Open>,
    is_fragment: bool,
}

impl Resolver<'_, '_, '_> {
    fn read(&mut self, index: usize) {
        let Some((start, kind)) = self
            .token(index)
            .map(|token| (token.range.start, token.kind))
        else {
            return;
        };
        self.leave(start);
        match kind {
            TokenKind::If { .. } => self.begin(index),
            TokenKind::Else => self.branch(index),
            TokenKind::End => self.end(index),
        }
    }

    fn token(&self, index: usize) -> Option<&Token<'_>> {
        self.found.tokens.get(index)
    }

    /// Ends the conditions that cannot reach a position.
    fn leave(&mut self, at: usize) {
        while let Some(open) = self
            .open
            .pop_if(|open| open.limit <= at || open.scope_end <= at)
        {
            if open.form != Form::Line {
                self.unclosed(&open);
            }
        }
    }

    fn begin(&mut self, index: usize) {
        let Some(token) = self.found.tokens.get(index) else {
            return;
        };
        let is_closed = self.is_closed.get(index) == Some(&true);
        let (form, limit) = match token.standing {
            Standing::Alone => (Form::Block, token.scope.end),
            Standing::Head { .. } if !is_closed => (Form::Line, token.line.end),
            Standing::Head { .. } | Standing::Inside => (Form::Inline, token.limit),
        };
        let outer = self.innermost(token);
        let open = Open {
            token: index,
            form,
            limit: match outer {
                Some(outer) => limit.min(outer.limit),
                None => limit,
            },
            scope_end: token.scope.end,
            branch: None,
            is_broken: !token.is_known,
        };
        if open.is_broken {
        } else if form == Form::Line
            && token.standing == (Standing::Head { is_last: true })
        {
            self.unclosed(&open);
        } else if let Some(slot) = self.forms.get_mut(index) {
            *slot = Some(form);
        }
        self.open.push(open);
    }

    /// The innermost open condition that a part can belong to.
    fn innermost(&self, token: &Token<'_>) -> Option<&Open> {
        self.open.last().filter(|open| {
            let opener = self.token(open.token);
            opener.is_some_and(|opener| opener.scope == token.scope)
        })
    }

    fn branch(&mut self, index: usize) {
        let Some(token) = self.found.tokens.get(index) else {
            return;
        };
        let is_alone = token.standing == Standing::Alone;
        let span = self.source.span(token.range.clone());
        let is_open = self.innermost(token).is_some();
        let Some(open) = self.open.last_mut().filter(|_| is_open) else {
            if self.is_fragment && is_alone {
                self.set(index, Some(Form::Block));
            } else if !token.is_code {
                self.found.problems.push(check::stray_else(span));
            }
            return;
        };
        let form = match open.form {
            _ if open.is_broken => return,
            Form::Line => {
                open.is_broken = true;
                let (token, form) = (open.token, open.form);
                self.report_unclosed(token, form);
                self.set(token, None);
                return;
            }
            _ if open.branch.is_some() => {
                self.found.problems.push(check::second_else(span));
                return;
            }
            Form::Block if !is_alone => {
                self.found.problems.push(check::else_not_alone(span));
                return;
            }
            Form::Block => Form::Block,
            Form::Inline => Form::Inline,
        };
        open.branch = Some(index);
        self.set(index, Some(form));
    }

    fn end(&mut self, index: usize) {
        let Some(token) = self.found.tokens.get(index) else {
            return;
        };
        let is_alone = token.standing == Standing::Alone;
        let span = self.source.span(token.range.clone());
        let written = token.written(self.source);
        let Some(open) = self.innermost(token) else {
            if self.is_fragment && is_alone {
                self.set(index, Some(Form::Block));
            } else if self.known.is_asked_in_code(token.name) {
                self.found
                    .problems
                    .push(check::end_without_condition(span, &written));
            }
            return;
        };
        let Some(opener) = self.token(open.token) else {
            return;
        };
        if !opener.asks_like(token) {
            let expected = alloc::format!("{{/{}{}}}", opener.name, opener.path);
            let is_broken = open.is_broken;
            let inner = self.open.iter().rev().take(SEARCHED).position(|open| {
                let opener = self.token(open.token);
                opener.is_some_and(|opener| opener.scope == token.scope && opener.asks_like(token))
            });
            if !is_broken {
                self.found
                    .problems
                    .push(check::wrong_end(span, &written, &expected));
            }
            for _ in 0..inner.map_or(0, |inner| inner + 1) {
                self.discard();
            }
            return;
        }
        let form = match open.form {
            Form::Block => Form::Block,
            form => form,
        };
        if open.is_broken {
            self.open.pop();
        } else if matches!(form, Form::Block) && !is_alone {
            let problem = check::end_not_alone(span, &written);
            self.found.problems.push(problem);
            self.discard();
        } else {
            self.open.pop();
            self.set(index, Some(form));
        }
    }

    /// Leaves the innermost condition, which has no end of its own: its parts are text.
    fn discard(&mut self) {
        let Some(open) = self.open.pop() else { return };
        if open.form != Form::Line {
            self.set(open.token, None);
            open.branch
                .into_iter()
                .for_each(|branch| self.set(branch, None));
        }
    }

    fn set(&mut self, index: usize, form: Option<Form>) {
        if let Some(slot) = self.forms.get_mut(index) {
            *slot = form;
        }
    }

    /// Reports a condition without an end, whose parts become text.
    fn unclosed(&mut self, open: &Open) {
        let is_block = matches!(open.form, Form::Block);
        if open.is_broken || (self.is_fragment && is_block) {
            return;
        }
        self.set(open.token, None);
        open.branch
            .into_iter()
            .for_each(|branch| self.set(branch, None));
        self.report_unclosed(open.token, open.form);
    }

    fn report_unclosed(&mut self, index: usize, form: Form) {
        let Some(token) = self.found.tokens.get(index) else {
            return;
        };
        let span = self.source.span(token.range.clone());
        let written = token.written(self.source);
        let end = alloc::format!("{{/{}{}}}", token.name, token.path);
        let problem = check::unclosed_condition(span, &written, &end, form, token.is_code);
        self.found.problems.push(problem);
    }
}

/// For each part whether it opens a condition that is closed behind it on its line.
fn closed_on_their_line(tokens: &[Token<'_>]) -> Vec<bool> {
    let mut is_closed = vec![false; tokens.len()];
    let mut open: Vec<(usize, &Token<'_>)> = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let has_left = |(_, opener): &mut (usize, &Token<'_>)| {
            opener.line.start != token.line.start || opener.scope.end <= token.range.start
        };
        while open.pop_if(has_left).is_some() {}
        match token.kind {
            TokenKind::If { .. } => open.push((index, token)),
            TokenKind::Else => {}
            TokenKind::End => {
                let is_end = |(_, opener): &mut (usize, &Token<'_>)| {
                    opener.scope == token.scope && opener.asks_like(token)
                };
                if let Some((index, _)) = open.pop_if(is_end)
                    && let Some(flag) = is_closed.get_mut(index)
                {
                    *flag = true;
                }
            }
        }
    }
    is_closed
}

/// For each variable whether it stands where a condition says that its value is there: in the branch of `{?x}` that
/// holds, or the other one of `{?!x}`.
pub(crate) fn guarded_variables(
    found: &Findings<'_>,
    forms: &[Option<Form>],
) -> Vec<bool> {
    let mut guards = Guards::default();
    let mut parts = found.tokens.iter().zip(forms).peekable();
    let mut is_guarded = Vec::with_capacity(found.variables.len());
    for variable in &found.variables {
        while let Some((token, form)) =
            parts.next_if(|(token, _)| token.range.start < variable.start)
        {
            guards.read(token, *form);
        }
        guards.leave(variable.start);
        is_guarded.push(guards.holds(variable.reference.name, variable.reference.path));
    }
    is_guarded
}

/// The conditions around a position.
#[derive(Default)]
struct Guards {
    open: Vec<Guard>,
    /// How many of those around hold for a value.
    holding: BTreeMap<String, usize>,
}

struct Guard {
    asks: String,
    holds: bool,
    /// Where it ends by itself.
    end: usize,
}

impl Guards {
    fn read(&mut self, token: &Token<'_>, form: Option<Form>) {
        self.leave(token.range.start);
        let Some(form) = form else { return };
        match token.kind {
            TokenKind::If { negated } => {
                let is_line = form == Form::Line;
                let guard = Guard {
                    asks: [token.name, token.path].concat(),
                    holds: !negated,
                    end: if is_line { token.line.end } else { usize::MAX },
                };
                self.count(&guard, true);
                self.open.push(guard);
            }
            TokenKind::Else => {
                if let Some(mut guard) = self.open.pop() {
                    self.count(&guard, false);
                    guard.holds = !guard.holds;
                    self.count(&guard, true);
                    self.open.push(guard);
                }
            }
            TokenKind::End => {
                if let Some(guard) = self.open.pop() {
                    self.count(&guard, false);
                }
            }
        }
    }

    fn leave(&mut self, at: usize) {
        while let Some(guard) = self.open.pop_if(|guard| guard.end < at) {
            self.count(&guard, false);
        }
    }

    fn count(&mut self, guard: &Guard, enters: bool) {
        if guard.holds {
            let count = self.holding.entry(guard.asks.clone()).or_default();
            *count = if enters {
                *count + 1
            } else {
                count.saturating_sub(1)
            };
        }
    }

    /// Whether a condition on a value, or on what it is a field of, holds.
    fn holds(&self, name: &str, path: &str) -> bool {
        if self.open.is_empty() {
            return false;
        }
        let asked = [name, path].concat();
        let ends = path
            .match_indices('.')
            .map(|(at, _)| name.len() + at)
            .take(SEARCHED);
        ends.chain([asked.len()]).any(|end| {
            let asked = asked.get(..end).unwrap_or_default();
            self.holding.get(asked).is_some_and(|&count| count > 0)
        })
    }
}
