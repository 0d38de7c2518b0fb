//! Budgets on large prompts: processor time and counter calls, for each policy.
//!
//! `cargo bench -p prompt-tests --bench budget`
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use cpu_time::ThreadTime;
use prompt_core::Budget;
use prompt_core::DynamicNode;
use prompt_core::Prompt;
use prompt_core::PromptNode;
use prompt_core::Style;
use prompt_core::budget::Policy;
use prompt_core::tokens::EstimatedTokens;
use prompt_core::tokens::TokenCounter;
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

const SECTIONS: usize = 10_000;
const LEVELS: usize = 1_000;
const DEPTH: usize = 2_000;
const RUNS: usize = 5;
/// Milliseconds for ten thousand sections.
const BAR: u32 = 20;

/// Case `p01`: sections of twenty words, priorities that go round.
fn wide(sections: usize) -> DynamicNode {
    let mut root = DynamicNode::builder("root");
    for index in 0..sections {
        let text: Vec<String> = (0..20)
            .map(|word| format!("w{}", index * 31 + word))
            .collect();
        let section = DynamicNode::builder(format!("s{index}"))
            .tag("item")
            .body(text.join(" "));
        root = root.section(section.priority(i32::try_from(index % LEVELS).unwrap()));
    }
    root.build().unwrap()
}

/// Case `p03`: a chain whose priority falls by one with each level.
fn deep() -> DynamicNode {
    let mut node = DynamicNode::builder("last").body("word").priority(0);
    for level in 1..DEPTH {
        node = DynamicNode::builder("next")
            .body("word")
            .priority(i32::try_from(level).unwrap())
            .section(node);
    }
    DynamicNode::builder("root").section(node).build().unwrap()
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

struct Counted<'c> {
    counter: &'c dyn TokenCounter,
    calls: AtomicUsize,
    bytes: AtomicUsize,
}

impl TokenCounter for Counted<'_> {
    fn count(&self, text: &str) -> usize {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(text.len(), Ordering::Relaxed);
        self.counter.count(text)
    }
}

fn measure(
    what: &str,
    prompt: &Prompt<'_, impl prompt_core::PromptNode>,
    counter: &dyn TokenCounter,
    policy: Policy,
) {
    let text = prompt.text().unwrap();
    let limit = counter.count(&text) / 2;
    let counting = Counted {
        counter,
        calls: AtomicUsize::new(0),
        bytes: AtomicUsize::new(0),
    };
    let mut best = Duration::MAX;
    let mut kept = 0;
    for _ in 0..RUNS {
        counting.calls.store(0, Ordering::Relaxed);
        counting.bytes.store(0, Ordering::Relaxed);
        // A budget of its own for each run: its clones would share what was counting.
        let budget = Budget::tokens(limit).counter(&counting).policy(policy);
        let start = ThreadTime::now();
        let rendered = prompt.clone().budget(budget).render().unwrap();
        best = best.min(start.elapsed());
        kept = rendered.sections().len();
    }
    let calls = counting.calls.load(Ordering::Relaxed);
    let bytes = counting.bytes.load(Ordering::Relaxed);
    let times = bytes * 10 / text.len();
    println!(
        "{what:<42} {:>8.1} ms {calls:>7} calls {:>4}.{} x the text {kept:>6} kept",
        best.as_secs_f64() * 1e3,
        times / 10,
        times % 10
    );
}

fn main() {
    let node = wide(SECTIONS);
    let prompt = node.prompt().style(Style::Xml);
    let log = LEVELS.next_power_of_two().ilog2();
    println!(
        "{SECTIONS} sections on {LEVELS} levels, half of the tokens; bar {BAR} ms; {} calls are allowed",
        SECTIONS + 4 * log as usize + 8
    );
    let start = ThreadTime::now();
    let text = prompt.text().unwrap();
    println!(
        "{:<42} {:>8.1} ms {:>7} bytes",
        "without a budget",
        start.elapsed().as_secs_f64() * 1e3,
        text.len()
    );
    let estimate = EstimatedTokens::default();
    measure("cutoff, words", &prompt, &words, Policy::Cutoff);
    measure(
        "cutoff, estimated tokens",
        &prompt,
        &estimate,
        Policy::Cutoff,
    );
    measure(
        "prefix, estimated tokens",
        &prompt,
        &estimate,
        Policy::Prefix,
    );
    measure(
        "greedy, estimated tokens",
        &prompt,
        &estimate,
        Policy::Greedy,
    );
    let chain = deep();
    measure(
        "cutoff, words, a chain of 2,000 sections",
        &chain.prompt().style(Style::Xml),
        &words,
        Policy::Cutoff,
    );
}
