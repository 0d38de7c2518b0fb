//! Conditions and loops: which marker belongs to which, how far each reaches, and what is wrong with the rest.
//!
//! Markers are put together while the text is read, in one pass with a stack: what a name stands for depends on the loops
//! that are open where it stands. Whether an opening marker is one at all can depend on what stands behind it, so its
//! form is taken back where its end does not come; lists are made when all forms are known.

use crate::{
    Code, Form, LoopName, Specs,
    brace::{Inside, TokenKind, inside},
    check::{self, InLoops},
    findings::Findings,
    known::Names,
    nearest::nearest,
    scan::run,
    token::{FOREIGN, ITEM_NAMES, OpenBranch, Scoped, Standing, Token, loop_name},
};
use alloc::{string::String, vec::Vec};
use core::ops::Range;

/// How many open conditions are searched for the one that a wrong end means.
const SEARCHED: usize = 16;

/// How deep conditions and loops can be nested in one text. Lists are walked by recursion.
const DEEPEST: usize = 128;

impl<'t> Findings<'t> {
    /// Reads the marker that was found last.
    pub(crate) fn read_token(&mut self, known: &Names<'_>) {
        let index = self.tokens.len() - 1;
        self.resolver.forms.push(None);
        self.leave(self.tokens[index].range.start);
        if self.resolver.is_too_deep {
            return;
        }
        match self.tokens[index].kind {
            TokenKind::Else if self.tokens[index].naming.is_slip => self.slipped_else(index),
            TokenKind::End if self.tokens[index].naming.is_slip => self.slipped_end(index),
            TokenKind::Else => self.branch(index),
            TokenKind::End => self.end(index, known),
            _ => self.begin(index),
        }
    }

    /// Ends the conditions and loops that cannot reach a position.
    pub(crate) fn leave(&mut self, at: usize) {
        while let Some(open) = self
            .resolver
            .open
            .pop_if(|open| open.limit <= at || open.scope_end <= at)
        {
            if open.form != Form::Line {
                self.unclosed(&open);
            } else if !open.is_broken {
                self.resolver.ended = Some(open.token);
                self.resolver.behind_ended.clear();
            }
        }
    }

    /// The marker of the loop that ended with its line last, if a name is one that only the loop gave.
    pub(crate) fn ended_loop(&mut self, name: &str, at: usize) -> Option<[String; 2]> {
        let token = &self.tokens[self.resolver.ended?];
        let TokenKind::Each { alias } = token.kind else {
            return None;
        };
        let is_of_loop = ITEM_NAMES.contains(&name) || alias == Some(name);
        let written = [self.written(token).into(), token.end_marker()];
        is_of_loop.then(|| {
            let at = self.source.span(at..at).start;
            // The first one says why; the others have the same reason.
            if !self.resolver.behind_ended.is_empty() {
                self.resolver.explained.insert(at);
            }
            self.resolver.behind_ended.push(at);
            written
        })
    }

    /// What a name stands for in the loops that are open.
    pub(crate) fn scoped(&self, name: &str, is_asked: bool) -> Option<Scoped> {
        let bodies = || {
            let open = self.resolver.open.iter().rev();
            open.filter_map(|open| {
                let alias = open.alias.filter(|_| open.branch.is_none())?;
                Some((open.token, alias))
            })
        };
        let (innermost, _) = bodies().next()?;
        let (token, name) = match bodies().find(|(_, alias)| *alias == name) {
            Some((token, _)) => (token, LoopName::Item),
            // Loops with other names leave the item that the text is about its own.
            None if name == "item" && self.is_of_item => return None,
            None => (innermost, loop_name(name, is_asked)?),
        };
        Some(Scoped { token, name })
    }

    /// What the loops around say of a name that is none.
    pub(crate) fn in_loops(&self, name: &str) -> InLoops<'t> {
        let open = self.resolver.open.iter();
        let innermost = open.clone().rev().find(|open| open.alias.is_some());
        let unnamed = innermost.filter(|open| open.alias == Some("item"));
        InLoops {
            near: nearest(name, open.filter_map(|open| open.alias)),
            list: unnamed.map(|open| self.tokens[open.token].name),
        }
    }

    /// What the loop goes over whose item a name is.
    pub(crate) fn list_of_item(&self, name: &str) -> Option<&'t str> {
        let scoped = self.scoped(name, false)?;
        let list = &self.tokens[scoped.token];
        let is_field = list.naming.in_loop.is_none() && list.path.is_empty();
        Some(if is_field { list.name } else { "" })
    }

    /// The marker of the outermost loop that is open.
    pub(crate) fn outermost_loop(&self) -> Option<usize> {
        let mut open = self.resolver.open.iter();
        open.find_map(|open| open.alias.map(|_| open.token))
    }

    /// The marker of a condition that is open and asks something else than that this section is there, and whether it asks
    /// about a section itself; the outermost that does, if there is one.
    pub(crate) fn condition_around(
        &self,
        section: &str,
        is_section: &dyn Fn(&str) -> bool,
    ) -> Option<(usize, bool)> {
        let mut around = None;
        for open in &self.resolver.open {
            let token = &self.tokens[open.token];
            let TokenKind::If { negated } = token.kind else {
                continue;
            };
            if token.asks_section(section) && negated == open.branch.is_some() {
                continue;
            }
            if is_section(token.name) && token.asks_section(token.name) {
                return Some((open.token, true));
            }
            around = around.or(Some((open.token, false)));
        }
        around
    }

    /// Whether the text asks if this section is there.
    fn asks_section(&self, section: &str) -> bool {
        let mut tokens = self.tokens.iter().zip(&self.resolver.forms);
        tokens.any(|(token, form)| form.is_some() && token.asks_section(section))
    }

    /// What is asked may stand behind the slot: so this is said at the end.
    pub(crate) fn report_conditional_slots(&mut self) {
        for (token, range, section, asks) in core::mem::take(&mut self.conditional_slots) {
            if self.resolver.forms[token].is_some() && (asks || self.asks_section(section)) {
                let written = self.written(&self.tokens[token]);
                self.report(range, check::conditional_slot(section, written, asks));
            }
        }
    }

    /// Whether a condition or loop is open.
    pub(crate) fn is_in_branch(&self) -> bool {
        !self.resolver.open.is_empty()
    }

    /// Whether what is open is a block of another template language.
    pub(crate) fn is_in_foreign(&self) -> bool {
        let open = self.resolver.open.last();
        open.is_some_and(|open| matches!(self.tokens[open.token].kind, TokenKind::Foreign { .. }))
    }

    /// Whether what is open in a scope has been reported, or a part of it: what belongs to it is the same mistake.
    pub(crate) fn is_told(&self, scope: &Range<usize>) -> bool {
        let is_slip = |branch: usize| self.tokens[branch].naming.is_slip;
        let open = self.innermost(scope);
        open.is_some_and(|open| open.is_broken || open.branch.is_some_and(is_slip))
    }

    /// Whether a name is one that a block of another template language gives.
    pub(crate) fn is_of_foreign(&self, name: &str) -> bool {
        let scoped = self.scoped(name, true);
        scoped.is_some_and(|scoped| {
            matches!(self.tokens[scoped.token].kind, TokenKind::Foreign { .. })
        })
    }

    /// The marker that would end what is open in a scope.
    pub(crate) fn expected_end(&self, scope: &Range<usize>) -> Option<String> {
        let open = self.innermost(scope)?;
        Some(self.tokens[open.token].end_marker())
    }

    fn begin(&mut self, index: usize) {
        let token = &self.tokens[index];
        let (form, limit) = match token.standing {
            _ if matches!(token.kind, TokenKind::Foreign { .. }) => (Form::Block, token.scope.end),
            Standing::Alone => (Form::Block, token.scope.end),
            Standing::Head { .. } if !self.is_closed_on_its_line(token) => {
                (Form::Line, token.line.end)
            }
            Standing::Head { .. } | Standing::Inside => (Form::Inline, token.limit),
        };
        let outer = self.innermost(&token.scope);
        let is_text = token.is_code && !token.naming.is_known;
        let open = OpenBranch {
            token: index,
            form,
            limit: match outer {
                Some(outer) => limit.min(outer.limit),
                None => limit,
            },
            scope_end: token.scope.end,
            branch: None,
            is_broken: !token.naming.is_known,
            alias: match token.kind {
                TokenKind::Each { alias } if !is_text => Some(alias.unwrap_or("item")),
                TokenKind::Foreign { alias, .. } => Some(alias),
                _ => None,
            },
        };
        if self.resolver.open.len() >= DEEPEST {
            let range = token.range.clone();
            self.report(range, check::nested_too_deep(DEEPEST));
            self.resolver.is_too_deep = true;
            return;
        }
        self.resolver.has_blocks |= !is_text;
        if open.is_broken {
        } else if form == Form::Line && token.standing == (Standing::Head { is_last: true }) {
            self.unclosed(&open);
        } else {
            self.set(index, Some(form));
        }
        self.resolver.open.push(open);
    }

    /// The innermost open condition or loop that a marker can belong to.
    fn innermost(&self, scope: &Range<usize>) -> Option<&OpenBranch<'t>> {
        let open = self.resolver.open.last();
        open.filter(|open| self.tokens[open.token].scope == *scope)
    }

    fn branch(&mut self, index: usize) {
        let token = &self.tokens[index];
        let is_alone = token.standing == Standing::Alone;
        let (range, is_code) = (token.range.clone(), token.is_code);
        let is_open = self.innermost(&token.scope).is_some();
        let is_told = self.is_told(&token.scope);
        let Some(open) = self.resolver.open.last_mut().filter(|_| is_open) else {
            if !is_code {
                self.report(range, check::stray_else());
            }
            return;
        };
        match open.form {
            _ if is_told => {}
            Form::Line => {
                open.is_broken = true;
                let token = open.token;
                self.report_unclosed(token, Form::Line);
                self.set(token, None);
            }
            _ if open.branch.is_some() => self.report(range, check::second_else()),
            Form::Block if !is_alone => self.report(range, check::else_not_alone()),
            form => {
                open.branch = Some(index);
                self.set(index, Some(form));
            }
        }
    }

    fn end(&mut self, index: usize, known: &Names<'_>) {
        let token = &self.tokens[index];
        let (range, written) = (token.range.clone(), self.written(token));
        let open = self.innermost(&token.scope);
        let is_own = open.is_some_and(|open| self.tokens[open.token].is_ended_by(token));
        let is_known = token.naming.in_loop.is_some() || known.is_asked_in_code(token.name);
        let Some(open) = open.filter(|_| is_own) else {
            let expected = open.map(|open| self.tokens[open.token].end_marker());
            let is_foreign = !is_known && FOREIGN.contains(&token.name);
            // What names nothing is text in code, as its beginning is.
            let is_text = token.is_code && !is_known && known.near_miss(token.name).is_none();
            let is_text = is_text || is_foreign && known.allows(Code::ForeignTemplate);
            if is_text || self.explain_end(index) {
            } else if let Some(expected) = expected {
                self.wrong_end(index, &expected);
            } else if self.ends_in_fence(index, known) {
            } else if is_known {
                self.report(range, check::end_without_condition(written, None));
            }
            return;
        };
        let (form, is_broken) = (open.form, open.is_broken);
        let opener = self.written(&self.tokens[open.token]);
        let is_alone = token.standing == Standing::Alone;
        if form == Form::Line && !is_broken {
            // It stands where an end was not looked for, and the line ends by itself.
            return self.report(range, check::end_without_condition(written, Some(opener)));
        }
        let Some(open) = self.resolver.open.pop() else {
            return;
        };
        if is_broken {
        } else if form == Form::Block && !is_alone {
            self.report(range, check::end_not_alone(written));
            self.make_text(&open);
        } else {
            self.set(index, Some(form));
        }
    }

    /// Explains an end that nothing waits for, where it belongs to what has ended with its line before, or to a phrase that
    /// could not reach as far: that is the mistake then, and the only one. Gives whether it does.
    fn explain_end(&mut self, index: usize) -> bool {
        let token = &self.tokens[index];
        let (range, written) = (token.range.clone(), self.written(token));
        let is_its = |opener: usize| self.tokens[opener].is_ended_by(token);
        let is_alone = token.standing == Standing::Alone;
        let open = self.resolver.open.iter().rev().take(SEARCHED);
        if open.into_iter().any(|open| is_its(open.token)) {
            return false;
        }
        let unclosed = self.resolver.unclosed.filter(|_| is_alone);
        if let Some((opener, problem)) = unclosed.filter(|(opener, _)| is_its(*opener)) {
            let opener = self.written(&self.tokens[opener]);
            self.problems[problem].help = check::end_alone(opener, written);
            self.resolver.unclosed = None;
            return true;
        }
        let Some(opener) = self.resolver.ended.filter(|opener| is_its(*opener)) else {
            return false;
        };
        let explained = core::mem::take(&mut self.resolver.behind_ended);
        self.resolver.explained.extend(explained);
        // What was opened on that line was to be closed on this one.
        let line = self.source.span(self.tokens[opener].line.clone());
        let problems = self.problems.iter().rev().take(SEARCHED);
        let places = problems.map(|problem| problem.span.start);
        let places = places.filter(|at| (line.start..line.end).contains(at));
        self.resolver.explained.extend(places);
        let opener = self.written(&self.tokens[opener]);
        self.report(range, check::end_without_condition(written, Some(opener)));
        true
    }

    /// Whether an end closes what was opened before the fence around it, which never closes: that is the only mistake. Where
    /// an open fence is a hint, what was opened is told with it.
    fn ends_in_fence(&mut self, index: usize, known: &Names<'_>) -> bool {
        let token = &self.tokens[index];
        let mut open = self.resolver.open.iter().rev().take(SEARCHED);
        let is_its = |open: &&OpenBranch<'_>| self.tokens[open.token].is_ended_by(token);
        let opener = open.find(is_its).filter(|_| self.resolver.is_in_open_fence);
        let Some(opener) = opener.map(|open| open.token) else {
            return false;
        };
        if known.options.specs == Specs::Runtime {
            self.resolver.ended_in_fence.insert(opener);
        } else {
            let start = self.source.span(self.tokens[opener].range.clone()).start;
            self.resolver.explained.insert(start);
        }
        true
    }

    /// What was to be an `{else}`, and is text.
    fn slipped_else(&mut self, index: usize) {
        let is_open = self.innermost(&self.tokens[index].scope).is_some();
        if let Some(open) = self.resolver.open.last_mut().filter(|_| is_open) {
            open.branch.get_or_insert(index);
            if open.form == Form::Line {
                open.is_broken = true;
                let opener = open.token;
                self.set(opener, None);
            }
        }
    }

    /// What was to be an end, and is text: what it names is not open any more; without a name, the innermost.
    fn slipped_end(&mut self, index: usize) {
        let token = &self.tokens[index];
        let is_its = |open: &OpenBranch<'_>| {
            let opener = &self.tokens[open.token];
            opener.scope == token.scope && (token.name.is_empty() || opener.is_ended_by(token))
        };
        let mut open = self.resolver.open.iter().rev().take(SEARCHED);
        let Some(inner) = open.position(is_its) else {
            return;
        };
        let ended = self.resolver.open.len() - (inner + 1);
        for open in self.resolver.open.split_off(ended) {
            self.make_text(&open);
            // An `{else}` without this end had it reported.
            let opener = &self.tokens[open.token];
            if open.is_broken && open.form == Form::Line && opener.naming.is_known {
                let start = self.source.span(opener.range.clone()).start;
                self.resolver.explained.insert(start);
            }
        }
    }

    /// Another end than that of the innermost condition or loop, which is expected.
    fn wrong_end(&mut self, index: usize, expected: &str) {
        let token = &self.tokens[index];
        let (range, written) = (token.range.clone(), self.written(token));
        let mut open = self.resolver.open.iter().rev().take(SEARCHED);
        let inner = open.position(|open| {
            let opener = &self.tokens[open.token];
            opener.scope == token.scope && opener.is_ended_by(token)
        });
        // What is crossed ends later, if at all, and then too late.
        let crossed = self.resolver.open.len() - inner.map_or(1, |inner| inner + 1);
        let crossed = self.resolver.open.split_off(crossed);
        // One mistake is one message: what is left open by it goes on as if it had been closed.
        if crossed.last().is_some_and(|open| !open.is_broken) {
            self.report(range, check::wrong_end(written, expected, inner.is_some()));
        }
        for (at, open) in crossed.into_iter().enumerate() {
            if inner.is_none() || open.form != Form::Line {
                self.make_text(&open);
            }
            if inner.is_none() || at > 0 {
                let is_broken = true;
                self.resolver.open.push(OpenBranch { is_broken, ..open });
            }
        }
    }

    /// The markers of what has no end of its own are text.
    fn make_text(&mut self, open: &OpenBranch<'_>) {
        for token in [open.token].into_iter().chain(open.branch) {
            self.set(token, None);
        }
    }

    fn set(&mut self, index: usize, form: Option<Form>) {
        self.resolver.forms[index] = form;
    }

    /// Reports what has no end.
    fn unclosed(&mut self, open: &OpenBranch<'_>) {
        self.make_text(open);
        if !open.is_broken && !self.resolver.is_too_deep {
            self.report_unclosed(open.token, open.form);
        }
    }

    fn report_unclosed(&mut self, index: usize, form: Form) {
        let token = &self.tokens[index];
        let code = match token.kind {
            TokenKind::Each { .. } => Code::UnclosedLoop,
            _ => Code::UnclosedCondition,
        };
        let (written, end) = (self.written(token), token.end_marker());
        let mut problem = check::unclosed(code, written, &end, form, token.is_code);
        if self.resolver.ended_in_fence.contains(&index) {
            problem.help = check::end_in_fence(&end);
        }
        if form == Form::Inline {
            self.resolver.unclosed = Some((index, self.problems.len()));
        }
        self.report(token.range.clone(), problem);
    }

    fn written(&self, token: &Token<'_>) -> &'t str {
        self.slice(token.range.clone())
    }

    /// Whether an opener's end stands behind it on its line. An end closes what was opened last under its name. At most
    /// [`DEEPEST`] openers of a line ask.
    fn is_closed_on_its_line(&self, token: &Token<'_>) -> bool {
        let behind = self.slice(token.range.end..token.line.end.max(token.range.end));
        if !behind.contains("{/") {
            return false;
        }
        let mut open = 0_usize;
        let mut at = 0;
        while let Some(brace) = behind[at..].find('{') {
            let start = at + brace;
            let braces = run(&behind[start..], b'{');
            at = start + braces;
            let (inside, length) = inside(&behind[at..]);
            // Of doubled braces an odd number leaves one for the marker.
            let closing = run(behind[at..].get(length..).unwrap_or_default(), b'}');
            let Inside::Marker {
                kind,
                asks: Some(asks),
            } = inside
            else {
                continue;
            };
            if (asks.name, asks.path) != (token.name, token.path)
                || braces.min(closing).is_multiple_of(2)
            {
                continue;
            }
            match (kind.opens(), open.checked_sub(1)) {
                (true, _) => open += 1,
                (false, Some(outer)) => open = outer,
                (false, None) => return true,
            }
        }
        false
    }
}

/// The conditions around a position, which tell whether a value is known to be there: in the branch of `{?x}` that holds,
/// or the other one of `{?!x}`. No more than [`DEEPEST`] are open, so each of them can be asked.
#[derive(Default)]
pub(crate) struct Guards {
    open: Vec<Guard>,
}

struct Guard {
    in_loop: Option<Scoped>,
    /// Name and path.
    asks: String,
    holds: bool,
    /// Where it ends by itself.
    end: usize,
}

impl Guards {
    pub(crate) fn read(&mut self, token: &Token<'_>, form: Form) {
        match token.kind {
            TokenKind::Foreign { .. } => {}
            TokenKind::If { .. } | TokenKind::Each { .. } => self.open.push(Guard {
                in_loop: token.naming.in_loop,
                asks: [token.name, token.path].concat(),
                holds: token.kind == TokenKind::If { negated: false },
                end: if form == Form::Line {
                    token.line.end
                } else {
                    usize::MAX
                },
            }),
            TokenKind::Else => {
                if let Some(guard) = self.open.last_mut() {
                    guard.holds = !guard.holds;
                }
            }
            TokenKind::End => {
                self.open.pop();
            }
        }
    }

    pub(crate) fn leave(&mut self, at: usize) {
        while self.open.pop_if(|guard| guard.end < at).is_some() {}
    }

    /// Whether a condition on a value, on what it is a field of, or on another field of that, holds: it asks each step.
    pub(crate) fn holds(&self, in_loop: Option<Scoped>, name: &str, path: &str) -> bool {
        let asked = [name, path].concat();
        self.open.iter().any(|guard| {
            let rest = asked.strip_prefix(&*guard.asks);
            let is_there = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                || guard
                    .asks
                    .strip_prefix(name)
                    .is_some_and(|fields| fields.starts_with('.'));
            guard.holds && guard.in_loop == in_loop && is_there
        })
    }
}
