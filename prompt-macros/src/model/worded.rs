//! How values are worded: their keys `item`, `join`, `last`, `some`, `yes`, `no`, `default`, with the templates read.

use super::{
    form::{Presence, Worded},
    kind::{self, Kind},
    paths::optional_item,
    places::Places,
    text::Texts,
    value::{Known, on},
};
use crate::{
    diagnostic::Errors,
    input::{docs::Source, value::Words, var::OF_ITEMS},
};
use prompt_syntax::{
    ITEM_NAMES, Place, lower,
    wording::{ListWording, Wording},
};

impl Known<'_> {
    /// Whether its keys ask whether it is there.
    pub(super) fn asks_presence(&self) -> bool {
        self.keys.with.is_none() && self.keys.said.has(&["some", "default"])
    }

    /// How it can be absent.
    pub(super) fn presence(&self) -> Presence {
        let is_list = matches!(self.kind, Kind::List { .. }) || self.keys.said.has(&OF_ITEMS);
        if is_list {
            Presence::Items
        } else {
            Presence::Some
        }
    }
}

impl Texts<'_> {
    /// Reads what the keys of all names say, used or not, for their mistakes.
    pub(crate) fn read_wordings(&mut self, errors: &mut Errors) {
        let mut worded = Worded::default();
        for known in self.names.iter() {
            let wording = self.wording(known, &mut worded.places, errors);
            worded.by_name.insert(known.name.clone(), wording);
        }
        self.worded = worded;
    }

    fn wording(&self, known: &Known<'_>, places: &mut Vec<Places>, errors: &mut Errors) -> Wording {
        let keys = known.keys;
        let mut template = |words: Option<&Words>, others: &[&str]| {
            let source = Source::verbatim(&words?.0);
            let parsed = self.parse(&source, Place::Template, others, None, errors);
            places.push(Places::new(&source, parsed.uses));
            Some(parsed.elements)
        };
        let [some, default, yes, no] = [&keys.some, &keys.default, &keys.yes, &keys.no]
            .map(|words| template(words.as_ref(), &[]));
        let item = template(keys.item.as_ref(), &ITEM_NAMES);
        let joints = [("join", &keys.join), ("last", &keys.last)].map(|(key, words)| {
            let words = words.as_ref()?;
            let is_value = |name: &str| self.names.get(name).is_some();
            if let Some(problem) = lower::not_literal(&words.value(), key, is_value) {
                errors.report(words.span(), problem);
            }
            Some(words.value())
        });
        if let Some(words) = &keys.some
            && let Some(problem) = lower::some_shows(words.value().matches("{}").count())
        {
            errors.report(words.span(), problem);
        }
        if keys.with.is_some() {
            return Wording::default();
        }
        let [join, last] = joints;
        let is_whole = keys.json.is_some() || on(keys.debug);
        let is_list = known.keys.said.has(&OF_ITEMS) && !is_whole;
        if is_list && item.is_none() && known.ty.is_some_and(kind::has_optional_items) {
            errors.push(optional_item(known.span));
        }
        Wording {
            flag: (yes.is_some() || no.is_some()).then(|| [yes, no].map(Option::unwrap_or_default)),
            some,
            default,
            list: is_list.then(|| ListWording {
                item,
                join: join.unwrap_or_else(|| "\n".to_owned()).into(),
                last: last.map(Into::into),
            }),
        }
    }

    /// Reports what is wrong with wordings where texts use them.
    pub(super) fn check_worded(&self, errors: &mut Errors) {
        for (name, problem) in self.numbers.tables.faults() {
            let Some(known) = self.names.get(name) else {
                continue;
            };
            let mut templates = known.templates();
            // The template that prints the name of which the message speaks.
            let is_it = |words: &&Words| {
                let text = words.value();
                let mut names = problem.message.split('`').skip(1).step_by(2);
                names.any(|name| text.contains(&format!("{{{name}")))
            };
            let span = templates.find(is_it).map_or(known.span, Words::span);
            errors.report(span, problem.clone());
        }
    }
}
