//! Compaction: what a growing history costs per message, and the 200-turn table of the design.
//! `cargo bench -p prompt-tests --bench compaction`
#![allow(clippy::unwrap_used, clippy::cast_precision_loss, missing_docs)]

use prompt_core::History;
use prompt_core::Message;
use prompt_core::Role;
use prompt_core::compaction::CompactionConfig;
use prompt_core::compaction::Compactor;
use prompt_core::compaction::Extractor;
use prompt_core::compaction::Item;
use prompt_core::compaction::RecapForm;
use prompt_core::compaction::Trigger;
use prompt_examples::savings::{CostModel, HistoryPolicy, simulate};
use std::hint::black_box;
use std::time::{Duration, Instant};

const LENGTHS: [usize; 4] = [100, 1_000, 10_000, 100_000];

fn main() {
    history_table("trigger answers, batch 8", Trigger::Answers);
    history_table(
        "trigger tokens 20000..10000",
        Trigger::Tokens {
            high: 20_000,
            low: 10_000,
        },
    );
    cost_table();
}

// ---- a growing history

/// Nanoseconds per message, or per item shown.
struct Times {
    /// A `Vec` that grows, and an extractor that reads every answer: what any compaction has to do.
    floor: f64,
    push: f64,
    compact: f64,
    view: f64,
    items: usize,
}

fn history_table(name: &str, trigger: Trigger) {
    println!(
        "{name}: nanoseconds per message, and in units of the floor (a Vec that grows, recaps extracted)\n"
    );
    println!(
        "| messages | floor | push | of floor | compact at once | of floor | view, per item | items |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for length in LENGTHS {
        let Times {
            floor,
            push,
            compact,
            view,
            items,
        } = measure(length, trigger);
        let (pushed, compacted) = (push / floor, compact / floor);
        println!(
            "| {length} | {floor:.0} | {push:.0} | {pushed:.2}x | {compact:.0} | {compacted:.2}x | {view:.1} | {items} |"
        );
    }
    println!();
}

fn measure(length: usize, trigger: Trigger) -> Times {
    let config = CompactionConfig::builder()
        .batch_size(8)
        .trigger(trigger)
        .build()
        .unwrap();
    let log = conversation(length);
    let history = History::from_log(config.clone(), log.clone());
    let compactor = Compactor::new(config.clone());
    let items = history.view().items().count();
    let per = |count: usize, time: Duration| time.as_secs_f64() * 1e9 / count as f64;
    Times {
        floor: per(length, best(length, || grow(&log))),
        push: per(length, best(length, || push(&log, &config))),
        compact: per(
            length,
            best(length, || timed(|| _ = black_box(compactor.compact(&log)))),
        ),
        view: per(
            items,
            best(length, || timed(|| _ = black_box(shown_bytes(&history)))),
        ),
        items,
    }
}

fn grow(log: &[Message]) -> Duration {
    let messages = log.to_vec();
    let mut grown = Vec::new();
    timed(|| {
        for message in messages {
            if message.role == Role::Assistant {
                black_box(Extractor::RecapLine.extract(&message.text()));
            }
            grown.push(message);
        }
        black_box(&grown);
    })
}

fn push(log: &[Message], config: &CompactionConfig) -> Duration {
    let messages = log.to_vec();
    let mut history = History::new(config.clone());
    timed(|| {
        history.extend(messages);
        black_box(&history);
    })
}

/// Looks at every item of the view.
fn shown_bytes(history: &History) -> usize {
    let bytes = |item: Item<'_, Message>| match item {
        Item::Full(message)
        | Item::Cleared {
            original: message, ..
        } => message.content.len(),
        Item::Stub(text) => text.len(),
        Item::Recap(text) => text.len(),
    };
    history
        .view()
        .items()
        .map(|item| black_box(bytes(item)))
        .sum()
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

/// The shortest of as many runs as make 200,000 messages, five at least.
fn best(length: usize, mut run: impl FnMut() -> Duration) -> Duration {
    let runs = (200_000 / length).clamp(5, 1_000);
    (0..runs).map(|_| run()).min().unwrap_or_default()
}

fn conversation(length: usize) -> Vec<Message> {
    let mut log = vec![Message::system("You keep the logbook of a lighthouse.")];
    for number in 0.. {
        if log.len() + 2 > length {
            break;
        }
        log.push(Message::user(format!(
            "Entry {number}: {}",
            "what should I record now? ".repeat(4)
        )));
        log.push(Message::assistant(format!(
            "{}\nrecap - entry {number}",
            "The lamp was lit at dusk. ".repeat(8)
        )));
    }
    log.resize_with(length, || Message::user("And now?"));
    log
}

// ---- the 200-turn table

fn cost_table() {
    let words = |text: &str| text.split_whitespace().count();
    let log = synthetic();
    let model = CostModel::anthropic().counter(words);
    let all = simulate(&log, HistoryPolicy::None, &model);
    println!(
        "200 turns: system 2000 tokens, question 300, answer 500, recap 30, 3 answers preserved\n"
    );
    println!(
        "| policy | input tokens | peak | hit rate | cost | of no compaction | prefix breaks |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for policy in policies() {
        let row = simulate(&log, policy.clone(), &model);
        println!(
            "| {policy} | {} | {} | {:.1} % | {:.0} | {:.2}x | {} |",
            row.input_tokens,
            row.peak_tokens,
            100.0 * row.hit_rate(),
            row.cost,
            row.cost_relative_to(&all),
            row.prefix_breaks
        );
    }
}

fn policies() -> Vec<HistoryPolicy> {
    let batch = |size| {
        CompactionConfig::builder()
            .batch_size(size)
            .recap_form(RecapForm::Assistant)
            .build()
            .unwrap()
    };
    let mut policies = vec![HistoryPolicy::None];
    policies.extend([3, 10, 20].map(HistoryPolicy::Window));
    policies.extend([1, 4, 8, 16].map(|size| HistoryPolicy::from(batch(size))));
    policies
}

fn synthetic() -> Vec<Message> {
    let text = |words: usize| vec!["word"; words].join(" ");
    let mut log = vec![Message::system(text(2_000))];
    for _ in 0..200 {
        log.push(Message::user(text(300)));
        log.push(Message::assistant(format!(
            "{}\nrecap - {}",
            text(470),
            text(28)
        )));
    }
    log
}
