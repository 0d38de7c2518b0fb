//! Reading the texts of a tree: what a name in one stands for, and what is wrong with it.

use super::{
    bound::{Layout, ValuePath, Values},
    fault::{Faults, Spot},
    names::{Lists, Lookup},
    node::Tree,
    scope::{Base, Forms, Source, Sources, alias},
};
use crate::node::Hint;
use prompt_syntax::{
    Code, Options, Origin, Parsed, Place, Problem, Specs, Tables, Use, UseKind, Used,
    book::{Holder, rules},
    is_identifier,
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

#[derive(Default)]
pub(super) struct Parser {
    pub(super) names: Lookup,
    pub(super) tree: Arc<Tree>,
    pub(super) faults: Faults,
    /// What is no fault, of the node that is being built.
    pub(super) hints: Vec<Hint>,
    /// The forms that some text uses.
    pub(super) used: BTreeSet<String>,
    /// What has been reported of forms where texts use them.
    pub(super) worded: BTreeSet<(String, String)>,
    /// The tools that some node offers.
    pub(super) offered: BTreeSet<String>,
    pub(super) allow: Vec<Code>,
    pub(super) deny: Vec<Code>,
}

/// What only one text knows: its names, and the list whose items it is about.
#[derive(Clone, Copy, Default)]
pub(super) struct Local<'l> {
    pub(super) names: &'l [&'l str],
    pub(super) list: Option<&'l ValuePath>,
}

impl Parser {
    pub(super) fn sources(&mut self, tables: &Tables, reserved: &BTreeMap<u16, Source>) -> Sources {
        let loops = tables.loops().iter().map(|each| &each.list);
        let all = tables.values().iter().chain(tables.conditions());
        all.chain(loops).for_each(|used| self.note_used(used));
        let all = |used: &[Used]| used.iter().map(|used| self.source(used)).collect();
        let mut values: Vec<Source> = all(tables.values());
        for (number, source) in reserved {
            values[usize::from(*number)] = source.clone();
        }
        Sources {
            values,
            conditions: all(tables.conditions()),
            loops: (tables.loops().iter())
                .map(|each| self.source(&each.list))
                .collect(),
        }
    }

    /// A text uses the forms of a value. That a section embeds it is no use of them.
    pub(super) fn note_used(&mut self, used: &Used) {
        let forms = [
            self.tree.form(&used.name, &used.path),
            self.tree.form(&used.name, &[]),
        ];
        let names = forms.into_iter().flatten().map(|form| form.name.clone());
        self.used
            .extend(names.filter(|_| used.origin == Origin::Node));
    }

    /// Whether the form of a value says that it is not to be trusted: that holds for a section that embeds it, too.
    pub(super) fn is_untrusted(&mut self, name: &str) -> bool {
        let used = ValuePath::from(name).used();
        let is_untrusted = self.tree.treatment(&used).untrusted;
        if is_untrusted {
            self.note_used(&used);
        }
        is_untrusted
    }

    /// Where a value of a table is found.
    pub(super) fn source(&self, used: &Used) -> Source {
        let tree = Arc::clone(&self.tree);
        let form = |path| {
            let form = tree.form(&used.name, path);
            form.filter(|_| used.origin == Origin::Node)
        };
        let (own, whole) = (form(&used.path), form(&[]));
        let of = whole.and_then(|form| form.of.as_ref());
        let (name, around) = of.map_or((&used.name, &[][..]), |of| (&of.name, &of.path));
        let base = match used.origin {
            Origin::Node => {
                let values = self.names.values.as_deref();
                let position = values.and_then(|values| values.position(name));
                position.map_or(Base::Missing, Base::Value)
            }
            Origin::Item(number) => Base::Item(number),
            // The renderer knows them.
            Origin::Index(_) | Origin::Index0(_) | Origin::First(_) | Origin::Last(_) => {
                Base::Missing
            }
        };
        let is_json = used.spec.as_deref() == Some("json");
        let json = is_json.then_some(Layout::Line);
        Source {
            base,
            path: [around, &used.path].concat(),
            spec: used.spec.clone().unwrap_or_default(),
            json: own.and_then(|form| form.json).or(json),
            trims: own.is_some_and(|form| form.cut.trim),
            is_presence: used.is_presence,
        }
    }

    /// Reports what is wrong with a key, if something is.
    pub(super) fn report(&mut self, spot: Spot<'_>, problem: Option<Problem>) {
        if let Some(problem) = problem {
            self.faults.report(spot, problem);
        }
    }

    /// Reports a fault, or notes what is none unless it is denied.
    pub(super) fn tell(&mut self, spot: Spot<'_>, problem: Problem, is_lint: bool) {
        if is_lint && !self.deny.contains(&problem.code) {
            self.hints.push(Hint {
                section: spot.path.to_owned().into(),
                ..Hint::from(&spot.problem(problem))
            });
        } else {
            self.faults.report(spot, problem);
        }
    }

    /// Reads a text.
    pub(super) fn parse(
        &mut self,
        source: &str,
        place: Place,
        sections: &[&str],
        local: Local<'_>,
        spot: Spot<'_>,
    ) -> Parsed {
        let (values, tree) = (self.names.values.clone(), Arc::clone(&self.tree));
        let values = values.as_deref();
        let names = self.names_for(source, values, &tree.forms, sections, local.names);
        let options = |names, place| Options {
            names,
            sections,
            specs: Specs::Runtime,
            allow: &self.allow,
            is_read_again: values.is_none(),
            ..Options::new(place)
        };
        let parsed = match (values, place) {
            (None, Place::Node) => {
                // What `vars` says how to print is meant in code too.
                let formed: Vec<&str> = tree.forms.keys().map(String::as_str).collect();
                prompt_syntax::parse_free(source, &options(&formed, Place::Free))
            }
            _ => prompt_syntax::parse(source, &options(&names, place)),
        };
        for problem in self.names.odd_in(source) {
            self.faults.report(spot, problem);
        }
        for problem in &parsed.problems {
            let problem = self.names.explained(source, problem.clone());
            let is_lint = problem.code.is_lint();
            self.tell(spot, problem, is_lint);
        }
        let lists = Lists {
            of_text: local.list,
            uses: &parsed.uses,
            forms: &tree.forms,
        };
        for used in &parsed.uses {
            let is_local = used.in_loop.is_none() && local.names.contains(&used.name.as_str());
            let is_looked_up = !is_local || used.name == "item" && local.list.is_some();
            let path = is_looked_up.then(|| self.names.look(used, lists));
            let spec = (used.in_loop.is_none() && !is_local).then(|| self.check_spec(used));
            for problem in path.flatten().into_iter().chain(spec.flatten()) {
                let (line, column) = (used.line, used.column);
                let placed = Problem {
                    line,
                    column,
                    ..problem
                };
                self.faults.report(spot, placed);
            }
        }
        parsed
    }

    /// A format spec says something of what the value's form prints.
    fn check_spec(&self, used: &Use) -> Option<Problem> {
        let UseKind::Variable { spec, .. } = &used.kind else {
            return None;
        };
        let spec = spec.as_ref().filter(|spec| !spec.is_empty())?;
        let key = self.tree.form(&used.name, &used.path)?.without_spec?;
        Some(rules::idle_spec(spec, key, Holder::FileVar))
    }

    /// The names that a text may use. Only those that stand in its braces can matter, so that a tree with many values and
    /// many texts stays linear; where one of them is unknown, all names are given, for the nearest.
    fn names_for<'n>(
        &mut self,
        source: &'n str,
        values: Option<&'n Values>,
        forms: &'n Forms,
        sections: &[&str],
        local: &[&'n str],
    ) -> Vec<&'n str> {
        let Some(values) = values else {
            // A brace that never closes makes no name known, nor does the end of what is not open.
            let used = names_behind(source, |inside, rest| {
                rest.starts_with('}') && !inside.trim_start().starts_with('/')
            });
            return used.into_iter().chain(local.iter().copied()).collect();
        };
        let used = names_in_braces(source);
        let is_value = |name: &str| values.get(name).is_some() || alias(forms, name).is_some();
        let sections: BTreeSet<&str> = sections.iter().copied().collect();
        let is_known =
            |name: &str| is_value(name) || local.contains(&name) || sections.contains(name);
        if used.iter().all(|name| is_known(name)) || !self.names.compares(values.len()) {
            let of_values = used.into_iter().filter(|name| is_value(name));
            return of_values.chain(local.iter().copied()).collect();
        }
        let aliases = forms.values().filter(|form| form.of.is_some());
        let aliases = aliases.map(|form| form.name.as_str());
        let all = values
            .keys()
            .filter(|name| is_identifier(name))
            .chain(aliases);
        all.chain(local.iter().copied()).collect()
    }
}

/// The identifiers that stand behind opening braces and `<%`, up to the brace that closes or the end of the line; each once.
pub(super) fn names_in_braces(source: &str) -> BTreeSet<&str> {
    names_behind(source, |_, _| true)
}

/// The same of braces that do not end something.
pub(super) fn names_that_begin(source: &str) -> BTreeSet<&str> {
    names_behind(source, |inside, _| !inside.starts_with('/'))
}

/// Those of the braces that are wanted by what stands in them and what comes behind that.
fn names_behind(source: &str, is_wanted: impl Fn(&str, &str) -> bool) -> BTreeSet<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let inside = |rest: &'_ str| rest.find(['}', '\n']).unwrap_or(rest.len());
    let texts = source.split('{').skip(1);
    let texts = texts.chain(source.split("<%").skip(1));
    let texts = texts.map(|rest| rest.split_at(inside(rest)));
    let texts = texts
        .filter(|(inside, rest)| is_wanted(inside, rest))
        .map(|(text, _)| text);
    let words = texts.flat_map(|text| text.split(|c| !is_part(c)));
    words
        .filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
        .collect()
}

/// The common indentation of non-blank lines goes; gives how much that was.
pub(super) fn dedent(text: &str) -> (Cow<'_, str>, usize) {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let lines = || text.split_inclusive(['\n', '\r']);
    let filled = lines().filter(|line| !line.trim_matches([' ', '\t', '\n', '\r']).is_empty());
    let common = filled.map(blanks).min().unwrap_or(0);
    if common == 0 {
        return (Cow::Borrowed(text), 0);
    }
    let lines = lines().map(|line| &line[common.min(blanks(line))..]);
    (Cow::Owned(lines.collect()), common)
}
