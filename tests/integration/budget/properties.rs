//! Budgets against brute force: every tree is cut by hand in every way there is, and the budget must choose the best.
//!
//! `CASES_PERCENT=10000 cargo test --release -p prompt-tests --test integration budget::properties` tries more trees.

use prompt_core::Budget;
use prompt_core::Disclosure;
use prompt_core::DynamicNode;
use prompt_core::Overrides;
use prompt_core::PromptError;
use prompt_core::PromptNode;
use prompt_core::RenderedPrompt;
use prompt_core::Style;
use prompt_core::ToolCall;
use prompt_core::Visibility;
use prompt_core::budget::Priority;
use prompt_core::budget::{Outcome, Policy, Reason};
use prompt_core::dynamic::DynamicNodeBuilder;
use prompt_core::tokens::{EstimatedTokens, TokenCounter};
use proptest::prelude::*;
use serde_json::json;
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
};

/// A section to be. Texts are nothing, one word or sixty: a summary is either much longer than the text, or much shorter.
#[derive(Clone, Debug)]
struct Plant {
    words: usize,
    summary: bool,
    priority: Option<Priority>,
    /// Whether it is there for its `end`, too.
    end: bool,
    children: Vec<Plant>,
}

fn plants() -> impl Strategy<Value = Vec<Plant>> {
    let priority = prop_oneof![
        2 => Just(None),
        1 => Just(Some(Priority::Required)),
        6 => (-2..4_i32).prop_map(|level| Some(Priority::Level(level * 10))),
    ];
    let plant = move |children: BoxedStrategy<Vec<Plant>>| {
        let words = prop_oneof![1 => Just(0_usize), 2 => Just(1), 3 => Just(60)];
        let end = prop::bool::weighted(0.2);
        (words, any::<bool>(), priority.clone(), end, children).prop_map(
            |(words, summary, priority, end, children)| Plant {
                words: words.max(usize::from(children.is_empty())),
                summary,
                priority,
                end,
                children,
            },
        )
    };
    let leaf = plant(Just(Vec::new()).boxed()).boxed();
    let tree = leaf.prop_recursive(3, 12, 3, move |inner| {
        plant(proptest::collection::vec(inner, 0..3).boxed()).boxed()
    });
    proptest::collection::vec(tree, 1..5)
}

/// What is known of a section without rendering anything.
#[derive(Clone, Debug)]
struct Known {
    path: String,
    parent: Option<usize>,
    /// Effective priority.
    level: Option<i32>,
    summary: bool,
    /// Without a text of its own.
    is_wrapper: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Full,
    Summary,
    Gone,
}

fn survey(plants: &[Plant], parent: Option<(usize, String, Option<i32>)>, known: &mut Vec<Known>) {
    for (index, plant) in plants.iter().enumerate() {
        let around = parent.as_ref().and_then(|(_, _, level)| *level);
        let level = match (plant.priority, around) {
            (Some(Priority::Level(own)), Some(around)) => Some(own.min(around)),
            (Some(Priority::Level(own)), None) => Some(own),
            (_, around) => around,
        };
        let path = parent.as_ref().map_or_else(
            || format!("s{index}"),
            |(_, path, _)| format!("{path}.s{index}"),
        );
        let at = known.len();
        known.push(Known {
            path: path.clone(),
            parent: parent.as_ref().map(|(at, _, _)| *at),
            level,
            summary: plant.summary,
            is_wrapper: plant.words == 0 && !plant.end,
        });
        survey(&plant.children, Some((at, path, level)), known);
    }
}

/// The tree in which each section has one form. Half of the trees begin with a section.
fn grow(plants: &[Plant], forms: &BTreeMap<String, Form>) -> DynamicNode {
    let mut root = DynamicNode::builder("root");
    if plants.len().is_multiple_of(2) {
        root = root.body("Root text.");
    }
    for (index, plant) in plants.iter().enumerate() {
        root = root.section(build(plant, format!("s{index}"), forms));
    }
    root.build().unwrap()
}

fn build(plant: &Plant, path: String, forms: &BTreeMap<String, Form>) -> DynamicNodeBuilder {
    let key = path.rsplit('.').next().unwrap().to_owned();
    let word = path.replace('.', "x");
    let mut node = DynamicNode::builder(key);
    if plant.words > 0 {
        node = node.body(vec![word.as_str(); plant.words].join(" "));
    }
    if plant.summary {
        node = node.summary(format!("short {word}"));
    }
    if plant.end {
        node = node.end("\nE");
    }
    if let Some(priority) = plant.priority {
        node = node.priority(priority);
    }
    match forms.get(&path) {
        Some(Form::Gone) => node = node.when(false),
        Some(Form::Summary) => node = node.visibility(Visibility::Summary),
        _ => {}
    }
    for (index, child) in plant.children.iter().enumerate() {
        node = node.section(build(child, format!("{path}.s{index}"), forms));
    }
    node
}

fn additive(text: &str) -> usize {
    text.len()
}

fn subadditive(text: &str) -> usize {
    text.len().div_ceil(7)
}

fn superadditive(text: &str) -> usize {
    text.len() + text.len() * text.len() / 500
}

const COUNTERS: [fn(&str) -> usize; 3] = [additive, subadditive, superadditive];
const POLICIES: [Policy; 3] = [Policy::Cutoff, Policy::Prefix, Policy::Greedy];

struct Trial {
    plants: Vec<Plant>,
    known: Vec<Known>,
    counter: fn(&str) -> usize,
    style: Style,
}

impl Trial {
    fn new(plants: Vec<Plant>, counter: fn(&str) -> usize, style: Style) -> Self {
        let mut known = Vec::new();
        survey(&plants, None, &mut known);
        Self {
            plants,
            known,
            counter,
            style,
        }
    }

    /// What stands in a section that is not shown in full has no form of its own, and a wrapper of which nothing is left
    /// goes.
    fn settled(&self, mut forms: Vec<Form>) -> Vec<Form> {
        for index in 0..forms.len() {
            if self.known[index]
                .parent
                .is_some_and(|parent| forms[parent] != Form::Full)
            {
                forms[index] = Form::Gone;
            }
        }
        for index in (0..forms.len()).rev() {
            let is_filled = (0..forms.len())
                .any(|child| self.known[child].parent == Some(index) && forms[child] != Form::Gone);
            if self.known[index].is_wrapper && forms[index] == Form::Full && !is_filled {
                forms[index] = Form::Gone;
            }
        }
        forms
    }

    fn text(&self, forms: &[Form]) -> String {
        let around = |index: usize| {
            self.known[index]
                .parent
                .is_none_or(|parent| forms[parent] == Form::Full)
        };
        let named = self
            .known
            .iter()
            .enumerate()
            .filter(|(index, _)| around(*index));
        let forms = named
            .map(|(index, known)| (known.path.clone(), forms[index]))
            .collect();
        grow(&self.plants, &forms)
            .prompt()
            .style(self.style)
            .render()
            .unwrap()
            .into_string()
    }

    fn cost(&self, forms: &[Form]) -> usize {
        (self.counter)(&self.text(&self.settled(forms.to_vec())))
    }

    fn levels(&self) -> Vec<i32> {
        let mut levels: Vec<i32> = self.known.iter().filter_map(|known| known.level).collect();
        levels.sort_by_key(|level| std::cmp::Reverse(*level));
        levels.dedup();
        levels
    }

    /// Everything of the first `kept` levels, and nothing else.
    fn above(&self, kept: usize) -> Vec<Form> {
        let levels = self.levels();
        let is_kept = |level: i32| levels[..kept].contains(&level);
        let form = |known: &Known| match known.level {
            Some(level) if !is_kept(level) => Form::Gone,
            _ => Form::Full,
        };
        self.known.iter().map(form).collect()
    }

    /// Whether the short form is cheaper than everything in the section.
    fn is_cheaper(&self, index: usize) -> bool {
        let mut forms = vec![Form::Full; self.known.len()];
        let full = self.cost(&forms);
        forms[index] = Form::Summary;
        self.known[index].summary && self.cost(&forms) < full
    }

    /// The rule of the cutoff, word by word.
    fn cutoff(&self, limit: usize) -> Option<(Vec<Form>, Option<i32>)> {
        let levels = self.levels();
        let kept = (0..=levels.len())
            .rev()
            .find(|kept| self.cost(&self.above(*kept)) <= limit)?;
        let mut forms = self.above(kept);
        let mut is_lost = false;
        for level in &levels[kept..] {
            let rows: Vec<usize> = (0..self.known.len())
                .filter(|index| self.known[*index].level == Some(*level))
                .collect();
            let with = |wish: &dyn Fn(usize) -> Form| {
                let mut forms = forms.clone();
                rows.iter().for_each(|index| forms[*index] = wish(*index));
                forms
            };
            let left = |index: usize| match self.known[index].is_wrapper {
                true => Form::Full,
                false => Form::Gone,
            };
            let short = |index: usize| match self.is_cheaper(index) {
                true => Form::Summary,
                false => left(index),
            };
            let full = with(&|_| Form::Full);
            let reduced = with(&short);
            forms = if !is_lost && self.cost(&full) <= limit {
                full
            } else if self.cost(&reduced) <= limit {
                reduced
            } else {
                with(&left)
            };
            let around = |index: usize| {
                self.known[index]
                    .parent
                    .is_none_or(|at| forms[at] == Form::Full)
            };
            let is_reached = |index: usize| {
                let mut at = Some(index);
                while let Some(index) = at {
                    if !around(index) {
                        return false;
                    }
                    at = self.known[index].parent;
                }
                true
            };
            is_lost |= rows
                .iter()
                .any(|index| forms[*index] == Form::Gone && is_reached(*index));
        }
        Some((
            self.settled(forms),
            kept.checked_sub(1).map(|last| levels[last]),
        ))
    }

    /// Optional sections by priority, then in document order.
    fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.known.len())
            .filter(|index| self.known[*index].level.is_some())
            .collect();
        order.sort_by_key(|index| std::cmp::Reverse(self.known[*index].level));
        order
    }

    fn prefix(&self, limit: usize) -> Option<Vec<Form>> {
        let order = self.order();
        let kept = |count: usize| {
            let mut forms = self.above(0);
            order[..count]
                .iter()
                .for_each(|index| forms[*index] = Form::Full);
            forms
        };
        let fits = (0..=order.len())
            .rev()
            .map(kept)
            .find(|forms| self.cost(forms) <= limit);
        fits.map(|forms| self.settled(forms))
    }

    fn greedy(&self, limit: usize) -> Option<Vec<Form>> {
        let mut forms = self.above(0);
        if self.cost(&forms) > limit {
            return None;
        }
        for index in self.order() {
            if self.known[index]
                .parent
                .is_some_and(|parent| forms[parent] != Form::Full)
            {
                continue;
            }
            forms[index] = Form::Full;
            if self.cost(&forms) > limit {
                forms[index] = Form::Gone;
            }
        }
        Some(self.settled(forms))
    }

    /// Forms and cutoff.
    fn brute_force(&self, policy: Policy, limit: usize) -> Option<(Vec<Form>, Option<i32>)> {
        let forms = match policy {
            Policy::Cutoff => return self.cutoff(limit),
            Policy::Prefix => self.prefix(limit)?,
            _ => self.greedy(limit)?,
        };
        let kept = self
            .known
            .iter()
            .zip(&forms)
            .filter(|(_, form)| **form == Form::Full);
        let lowest = kept.filter_map(|(known, _)| known.level).min();
        Some((forms, lowest))
    }

    /// Limits from nothing to more than everything.
    fn limit(&self, percent: usize) -> usize {
        (self.counter)(&self.text(&vec![Form::Full; self.known.len()])) * percent / 100
    }
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: prompt_tests::random_cases(150),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn style() -> impl Strategy<Value = Style> {
    prop_oneof![Just(Style::Markdown), Just(Style::Xml)]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn by_an_additive_counter_the_budget_equals_brute_force(
        plants in plants(), policy in 0..3_usize, percent in 0..115_usize, style in style(),
    ) {
        let trial = Trial::new(plants, additive, style);
        let (policy, limit) = (POLICIES[policy], trial.limit(percent));
        let node = grow(&trial.plants, &BTreeMap::new());
        let budget = Budget::tokens(limit + 9).reserve(9).counter(&trial.counter).policy(policy);
        let rendered = node.prompt().style(style).budget(budget).render();
        let Some((forms, cutoff)) = trial.brute_force(policy, limit) else {
            let needed = trial.cost(&trial.above(0));
            match rendered {
                Err(PromptError::Budget { needed: found, limit: given, .. }) => {
                    prop_assert_eq!((found, given), (needed, limit));
                }
                other => prop_assert!(false, "{other:?}"),
            }
            return Ok(());
        };
        let rendered = rendered.unwrap();
        prop_assert_eq!(rendered.as_str(), trial.text(&forms));
        let report = rendered.budget_report().unwrap();
        prop_assert_eq!(report.used, additive(rendered.as_str()));
        let outcome = |form: &Form| match form {
            Form::Full => Outcome::Kept,
            Form::Summary => Outcome::Summarised,
            Form::Gone => Outcome::Dropped,
        };
        let found: Vec<_> = report.sections.iter().map(|section| (section.path.as_str(), section.outcome)).collect();
        let wanted: Vec<_> =
            trial.known.iter().zip(&forms).map(|(known, form)| (known.path.as_str(), outcome(form))).collect();
        prop_assert_eq!(found, wanted);
        prop_assert_eq!(report.cutoff, cutoff);
    }

    #[test]
    fn the_limit_holds_with_any_counter(
        plants in plants(), counter in 0..3_usize, policy in 0..3_usize, percent in 0..115_usize, style in style(),
    ) {
        let trial = Trial::new(plants, COUNTERS[counter], style);
        let limit = trial.limit(percent);
        let node = grow(&trial.plants, &BTreeMap::new());
        let budget = Budget::tokens(limit).counter(&trial.counter).policy(POLICIES[policy]);
        match node.prompt().style(style).budget(budget).render() {
            Ok(rendered) => {
                let report = rendered.budget_report().unwrap();
                prop_assert_eq!(report.used, (trial.counter)(rendered.as_str()));
                prop_assert!(report.used <= limit);
                prop_assert!(trial.cost(&trial.above(0)) <= limit);
            }
            Err(PromptError::Budget { needed, .. }) => {
                prop_assert_eq!(needed, trial.cost(&trial.above(0)));
                prop_assert!(needed > limit);
            }
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    /// An estimate goes through the text once, piece by piece: it comes to what the text is estimated at.
    #[test]
    fn by_the_estimate_the_limit_holds(
        plants in plants(), policy in 0..3_usize, percent in 0..115_usize, style in style(),
    ) {
        let estimate = |text: &str| EstimatedTokens::default().count(text);
        let trial = Trial::new(plants, additive, style);
        let node = grow(&trial.plants, &BTreeMap::new());
        let whole = node.prompt().style(style).text().unwrap();
        let limit = estimate(&whole) * percent / 100;
        let budget = Budget::tokens(limit).policy(POLICIES[policy]);
        match node.prompt().style(style).budget(budget).render() {
            Ok(rendered) => {
                let report = rendered.budget_report().unwrap();
                prop_assert_eq!(report.used, estimate(rendered.as_str()));
                prop_assert!(report.used <= limit);
                prop_assert!(percent < 100 || rendered.as_str() == whole);
            }
            Err(PromptError::Budget { needed, .. }) => {
                prop_assert_eq!(needed, estimate(&trial.text(&trial.settled(trial.above(0)))));
                prop_assert!(needed > limit);
            }
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    #[test]
    fn few_counter_calls(plants in plants(), counter in 0..3_usize, policy in 0..3_usize, percent in 0..115_usize) {
        let trial = Trial::new(plants, COUNTERS[counter], Style::Markdown);
        let node = grow(&trial.plants, &BTreeMap::new());
        let calls = AtomicUsize::new(0);
        let counter = |text: &str| {
            calls.fetch_add(1, Ordering::Relaxed);
            (trial.counter)(text)
        };
        let budget = Budget::tokens(trial.limit(percent)).counter(&counter).policy(POLICIES[policy]);
        let first = node.prompt().budget(budget.clone()).render().map(RenderedPrompt::into_string);
        let used = calls.swap(0, Ordering::Relaxed);
        let sections = trial.known.len();
        let log = |count: usize| count.max(1).next_power_of_two().trailing_zeros() as usize;
        let summaries = trial.known.iter().filter(|known| known.summary).count();
        let most = match POLICIES[policy] {
            Policy::Cutoff => sections + summaries + 4 * log(trial.levels().len()) + 8,
            Policy::Prefix => sections + 4 * log(sections) + 8,
            _ => 2 * sections + 8,
        };
        prop_assert!(used <= most, "{used} calls, {most} allowed");
        // The clone shares the counted fragments, and the bytes are the same.
        prop_assert_eq!(first, node.prompt().budget(budget).render().map(RenderedPrompt::into_string));
        prop_assert!(calls.load(Ordering::Relaxed) <= used);
    }

    #[test]
    fn what_was_opened_is_never_degraded(
        plants in plants(), opened in any::<prop::sample::Index>(), counter in 0..3_usize, percent in 0..115_usize,
    ) {
        let trial = Trial::new(plants, COUNTERS[counter], Style::Markdown);
        let node = grow(&trial.plants, &BTreeMap::new());
        let path = trial.known[opened.index(trial.known.len())].path.as_str();
        let mut overrides = Overrides::default();
        overrides.open(path);
        for policy in POLICIES {
            let budget = Budget::tokens(trial.limit(percent)).counter(&trial.counter).policy(policy);
            match node.prompt().overrides(&overrides).budget(budget).render() {
                Ok(rendered) => {
                    // With its whole subtree.
                    for section in &rendered.budget_report().unwrap().sections {
                        let is_inside = section.path == path || section.path.starts_with(&format!("{path}."));
                        prop_assert!(!is_inside || section.outcome == Outcome::Kept, "{section:?}");
                    }
                }
                Err(PromptError::Budget { path: named, needed, limit, .. }) => {
                    prop_assert!(needed > limit);
                    let optional = trial.known.iter().any(|known| known.path == path && known.level.is_some());
                    prop_assert!(!optional || named.as_deref() == Some(path), "{named:?}");
                }
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
    }

    #[test]
    fn a_focused_section_stays(plants in plants(), focus in any::<prop::sample::Index>(), percent in 0..115_usize) {
        let trial = Trial::new(plants, additive, Style::Markdown);
        let node = grow(&trial.plants, &BTreeMap::new());
        let path = trial.known[focus.index(trial.known.len())].path.as_str();
        let prompt = node.prompt().focus(path);
        let full = additive(prompt.render().unwrap().as_str());
        let budget = Budget::tokens(full * percent / 100).counter(&trial.counter);
        match prompt.budget(budget).render() {
            Ok(rendered) => {
                let report = rendered.budget_report().unwrap();
                prop_assert!(report.used <= report.limit);
                for section in &report.sections {
                    let leads = path == section.path || path.starts_with(&format!("{}.", section.path));
                    let is_there = section.outcome == Outcome::Kept || section.reason == Reason::Emptied;
                    prop_assert!(!leads || is_there, "{section:?}");
                    prop_assert!(leads || section.path.starts_with(path), "{section:?} is out of focus");
                }
            }
            Err(PromptError::Budget { needed, limit, .. }) => prop_assert!(needed > limit),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

#[test]
fn numbers_keep_their_gaps() {
    let section = |key: &str, priority: i32| {
        DynamicNode::builder(key)
            .body("one two three")
            .priority(priority)
    };
    let node = DynamicNode::builder("root")
        .numbering(prompt_core::prompt::Numbering::Decimal)
        .section(section("first", 30))
        .section(section("second", 10))
        .section(section("third", 20))
        .build()
        .unwrap();
    let rendered = node
        .prompt()
        .budget(Budget::tokens(12).counter(&words))
        .render()
        .unwrap();
    assert_eq!(
        rendered.as_str(),
        "# 1. First\n\none two three\n\n# 3. Third\n\none two three"
    );
}

#[test]
fn declared_summaries_may_go_and_opened_ones_may_not() {
    let section = |key: &str| {
        DynamicNode::builder(key)
            .body(vec!["long"; 40].join(" "))
            .summary("In short.")
            .visibility(Visibility::Summary)
            .priority(10)
    };
    let node = DynamicNode::builder("root")
        .section(section("a"))
        .section(section("b"))
        .build()
        .unwrap();
    let full = words(&node.prompt().text().unwrap());
    let outcomes = |limit: usize, overrides: &Overrides| {
        let rendered = node
            .prompt()
            .overrides(overrides)
            .budget(Budget::tokens(limit).counter(&words))
            .render()?;
        let tools = rendered.tools().len();
        let report = rendered.budget_report().unwrap();
        Ok::<_, PromptError>((
            report
                .sections
                .iter()
                .map(|section| section.outcome)
                .collect::<Vec<_>>(),
            tools,
        ))
    };
    let declared = Overrides::default();
    assert_eq!(
        outcomes(full, &declared).unwrap(),
        (vec![Outcome::Kept; 2], 1)
    );
    assert_eq!(
        outcomes(full - 1, &declared).unwrap(),
        (vec![Outcome::Dropped; 2], 0)
    );
    let mut opened = Overrides::default();
    opened.open("b");
    assert_eq!(
        outcomes(42, &opened).unwrap(),
        (vec![Outcome::Dropped, Outcome::Kept], 0)
    );
    let error = outcomes(41, &opened).unwrap_err();
    assert!(error.to_string().contains("opened section `b`"), "{error}");
}

#[test]
fn the_model_opens_what_the_budget_reduced() {
    let section = |key: &str, priority: i32| {
        DynamicNode::builder(key)
            .body(vec!["long"; 60].join(" "))
            .summary("In short.")
            .priority(priority)
    };
    let node = DynamicNode::builder("root")
        .section(section("a", 20))
        .section(section("b", 10))
        .build()
        .unwrap();
    let begin = || {
        Disclosure::new(&node).configure(|prompt| prompt.budget(Budget::tokens(90).counter(&words)))
    };
    let outcomes = |disclosure: &Disclosure<'_, DynamicNode>| {
        let rendered = disclosure.render().unwrap();
        rendered
            .budget_report()
            .unwrap()
            .sections
            .iter()
            .map(|section| section.outcome)
            .collect::<Vec<_>>()
    };
    let mut disclosure = begin();
    assert_eq!(outcomes(&disclosure), [Outcome::Kept, Outcome::Summarised]);
    let arguments = json!({ "section_keys": ["b"], "reason": "R" });
    let call = ToolCall {
        id: "1".into(),
        name: "open_sections".into(),
        arguments,
    };
    let results = disclosure.handle(&[call]).unwrap();
    assert!(!results[0].is_error, "{results:?}");
    // What was opened stays; what the model did not ask for makes room.
    assert_eq!(outcomes(&disclosure), [Outcome::Summarised, Outcome::Kept]);
    let saved = serde_json::to_string(disclosure.state()).unwrap();
    let restored = begin().restore(serde_json::from_str(&saved).unwrap());
    assert_eq!(
        restored.render().unwrap().as_str(),
        disclosure.render().unwrap().as_str()
    );
}

#[test]
fn the_reserve_is_not_for_the_prompt() {
    let node = DynamicNode::builder("root")
        .body("one two three")
        .build()
        .unwrap();
    let render = |limit, reserve| {
        node.prompt()
            .budget(Budget::tokens(limit).reserve(reserve).counter(&words))
            .render()
    };
    assert_eq!(render(10, 7).unwrap().budget_report().unwrap().limit, 3);
    assert!(matches!(
        render(10, 8),
        Err(PromptError::Budget {
            needed: 3,
            limit: 2,
            ..
        })
    ));
    assert!(matches!(
        render(1, 8),
        Err(PromptError::Budget {
            needed: 3,
            limit: 0,
            ..
        })
    ));
}

/// `p01` of the cases, at a tenth of the size: 1,000 sections on 100 levels.
#[test]
fn many_sections() {
    let (count, levels) = (1_000, 100);
    let mut root = DynamicNode::builder("root");
    for index in 0..count {
        let text: Vec<String> = (0..20)
            .map(|word| format!("w{}", index * 31 + word))
            .collect();
        let section = DynamicNode::builder(format!("s{index}"))
            .tag("item")
            .body(text.join(" "));
        root = root.section(section.priority(i32::try_from(index % levels).unwrap()));
    }
    let node = root.build().unwrap();
    let total = words(&node.prompt().style(Style::Xml).text().unwrap());
    let calls = AtomicUsize::new(0);
    let counter = |text: &str| {
        calls.fetch_add(1, Ordering::Relaxed);
        words(text)
    };
    let render = || {
        let budget = Budget::tokens(total / 2).counter(&counter);
        node.prompt()
            .style(Style::Xml)
            .budget(budget)
            .render()
            .unwrap()
    };
    let first = render();
    let calls = calls.load(Ordering::Relaxed);
    // The whole, the root, each section, what stands between two; and what is sent: the sums are right, so nothing else is tried.
    assert!(calls <= 3 + count + 1, "{calls} calls");
    for _ in 0..9 {
        assert_eq!(render().as_str(), first.as_str());
    }
    // Each section costs the same, so the best cutoff can be said at once: as many levels as fit.
    let of_level = total / levels;
    let kept = total / 2 / of_level;
    let report = first.budget_report().unwrap();
    assert_eq!(report.cutoff, Some(i32::try_from(levels - kept).unwrap()));
    assert_eq!(report.paths(Outcome::Kept).count(), kept * count / levels);
}

/// `p03` of the cases, as deep as trees are: a chain of 120 sections, each with a priority one lower than the one around it.
#[test]
fn a_deep_chain() {
    let depth = 120_usize;
    let mut node = DynamicNode::builder("last").body("word").priority(0);
    for level in 1..depth {
        let priority = i32::try_from(level).unwrap();
        node = DynamicNode::builder("next")
            .body("word")
            .priority(priority)
            .section(node);
    }
    let node = DynamicNode::builder("root").section(node).build().unwrap();
    // An open tag, a word and a close tag for each.
    let rendered = node
        .prompt()
        .style(Style::Xml)
        .budget(Budget::tokens(3 * 70 + 2).counter(&words))
        .render()
        .unwrap();
    let report = rendered.budget_report().unwrap();
    assert_eq!(
        (report.used, report.cutoff),
        (3 * 70, Some(i32::try_from(depth - 70).unwrap()))
    );
    assert_eq!(report.paths(Outcome::Kept).count(), 70);
    assert_eq!(node.prompt().style(Style::Xml).lint().len(), 1);
}

mod lists {
    use prompt_core::Budget;
    use prompt_core::PromptNode;
    use prompt_core::RenderedPrompt;
    use prompt_core::budget::{Outcome, Reason};
    use proptest::prelude::*;

    /// You repair clocks.
    #[derive(PromptNode)]
    struct Workshop {
        #[section(priority = 10, item_key = slug, item_title = "{item.slug}", summary = "{item.slug} in short.")]
        skills: Vec<Skill>,
    }

    /// {steps}
    #[derive(PromptNode)]
    struct Skill {
        slug: String,
        steps: String,
    }

    fn words(text: &str) -> usize {
        text.split_whitespace().count()
    }

    #[test]
    fn the_items_of_a_list_are_reduced_before_it_is_dropped() {
        let skill = |slug: &str| Skill {
            slug: slug.into(),
            steps: "step ".repeat(60),
        };
        let workshop = Workshop {
            skills: vec![skill("dial"), skill("wheel")],
        };
        let render = |limit| {
            workshop
                .prompt()
                .budget(Budget::tokens(limit).counter(&words))
                .render()
        };
        let full = render(1000).unwrap();
        assert!(full.tools().is_empty());
        let reduced = render(60).unwrap();
        assert!(
            reduced.as_str().contains("dial in short.") && reduced.as_str().contains("# Skills"),
            "{reduced}"
        );
        assert_eq!(reduced.tools().len(), 1);
        let report = reduced.budget_report().unwrap();
        assert_eq!(report.cutoff, None);
        assert_eq!(
            report.paths(Outcome::Summarised).collect::<Vec<_>>(),
            ["skills.dial", "skills.wheel"]
        );
        assert_eq!(render(5).unwrap().as_str(), "You repair clocks.");
    }

    /// You keep a library.
    #[derive(PromptNode)]
    struct Library {
        #[section(priority = 30)]
        rules: Option<String>,
        #[section(priority = 20)]
        notes: Option<String>,
        #[section(
            priority = 20, item_key = slug, item_title = "{item.slug}", item = "{item.text}",
            visibility = "summary", summary = "{item.short}"
        )]
        books: Vec<Book>,
        #[section(priority = 10)]
        hours: Option<String>,
    }

    #[derive(Clone, Debug)]
    struct Book {
        slug: String,
        text: String,
        short: String,
    }

    fn bytes(text: &str) -> usize {
        text.len()
    }

    impl Library {
        fn of(lengths: &[usize]) -> Self {
            let words = |count: usize| Some("word ".repeat(count).trim_end().to_owned());
            let book = |(index, length): (usize, &usize)| Book {
                slug: format!("b{index}"),
                text: "page ".repeat(60),
                short: "s".repeat(*length),
            };
            Self {
                rules: words(8),
                notes: words(12),
                books: lengths.iter().enumerate().map(book).collect(),
                hours: words(3),
            }
        }

        /// What is left of it, and what that takes. Where books are left out, their list may count them.
        fn with(&self, kept: [bool; 3], books: &[Book], counts: bool) -> (String, usize) {
            let [rules, notes, hours] = kept;
            let left = Self {
                rules: self.rules.clone().filter(|_| rules),
                notes: self.notes.clone().filter(|_| notes),
                books: books.to_vec(),
                hours: self.hours.clone().filter(|_| hours),
            };
            let mut text = left.prompt().text().unwrap();
            let gone = self.books.len() - books.len();
            if counts && !books.is_empty() && gone > 0 {
                assert!(!hours, "the list is the last thing");
                text += &format!(
                    "\n\n[And {gone} more: call `open_sections` with key \"books\" to list all keys.]"
                );
            }
            let cost = bytes(&text);
            (text, cost)
        }

        /// The rule of the cutoff, with the books cut one by one.
        fn cutoff(&self, limit: usize) -> Option<String> {
            let fits = |kept: [bool; 3], books: &[Book]| {
                let (text, cost) = self.with(kept, books, false);
                (cost <= limit).then_some(text)
            };
            let levels = [
                ([true; 3], &self.books[..]),
                ([true, true, false], &self.books),
            ];
            for (kept, books) in levels {
                if let Some(text) = fits(kept, books) {
                    return Some(text);
                }
            }
            let rules = fits([true, false, false], &[]).is_some();
            let mut best = fits([rules, false, false], &[])?;
            let mut kept: Vec<Book> = Vec::new();
            for book in &self.books {
                kept.push(book.clone());
                match fits([rules, false, false], &kept) {
                    Some(text) => best = text,
                    None => drop(kept.pop()),
                }
            }
            // Where there is room for it, or fewer books make some, the list says how many are left out.
            if kept.len() < self.books.len() {
                for count in (1..=kept.len()).rev() {
                    let (text, cost) = self.with([rules, false, false], &kept[..count], true);
                    if cost <= limit {
                        return Some(text);
                    }
                }
            }
            Some(best)
        }
    }

    proptest! {
        #![proptest_config(super::config())]

        #[test]
        fn a_list_of_summaries_is_cut_item_by_item(
            lengths in proptest::collection::vec(1..40_usize, 0..6), limit in 0..420_usize,
        ) {
            let library = Library::of(&lengths);
            let budget = Budget::tokens(limit).counter(&bytes);
            let rendered = library.prompt().budget(budget).render().ok();
            let text = rendered.map(RenderedPrompt::into_string);
            prop_assert_eq!(text, library.cutoff(limit));
        }
    }

    #[test]
    fn the_report_says_which_items_had_no_room() {
        let library = Library::of(&[10, 130, 10]);
        let (wanted, limit) = library.with(
            [true, false, false],
            &[library.books[0].clone(), library.books[2].clone()],
            true,
        );
        let rendered = library
            .prompt()
            .budget(Budget::tokens(limit).counter(&bytes))
            .render();
        let rendered = rendered.unwrap();
        assert_eq!(rendered.as_str(), wanted);
        let report = rendered.budget_report().unwrap();
        assert_eq!(report.cutoff, Some(30));
        let outcomes: Vec<_> = report
            .sections
            .iter()
            .map(|section| (section.path.as_str(), section.outcome, section.reason))
            .collect();
        assert_eq!(
            outcomes,
            [
                ("rules", Outcome::Kept, Reason::Fits),
                ("notes", Outcome::Dropped, Reason::Priority),
                ("books", Outcome::Kept, Reason::Fits),
                ("books.b0", Outcome::Kept, Reason::Fits),
                ("books.b1", Outcome::Dropped, Reason::Priority),
                ("books.b2", Outcome::Kept, Reason::Fits),
                ("hours", Outcome::Dropped, Reason::Priority),
            ]
        );
    }

    #[test]
    fn twenty_closed_items_are_as_many_as_fit() {
        let library = Library::of(&[20; 20]);
        let (_, limit) = library.with([true, false, false], &library.books[..7], true);
        let render = |counter: &dyn prompt_core::tokens::TokenCounter, limit| {
            let budget = Budget::tokens(limit).counter(counter);
            let rendered = library.prompt().budget(budget).render().unwrap();
            let report = rendered.budget_report().unwrap();
            let kept = report.paths(Outcome::Kept);
            (
                kept.filter(|path| path.starts_with("books.")).count(),
                report.used,
            )
        };
        assert_eq!(render(&bytes, limit + 3).0, 7);
        // By a counter whose sums are too low the last items go again, with few counts.
        let calls = super::AtomicUsize::new(0);
        let counter = CountsMore(&calls);
        let (kept, used) = render(&counter, 700);
        assert!(kept > 0 && used <= 700, "{kept} items, {used} tokens");
        let calls = calls.into_inner();
        assert!(calls <= 24 + 20 + 4 * 2 + 12, "{calls} calls");
    }

    /// More for long texts than for their parts.
    struct CountsMore<'c>(&'c super::AtomicUsize);

    impl prompt_core::tokens::TokenCounter for CountsMore<'_> {
        fn count(&self, text: &str) -> usize {
            self.0.fetch_add(1, super::Ordering::Relaxed);
            text.len() + text.len() * text.len() / 500
        }
    }
}
