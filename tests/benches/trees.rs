//! Working through trees: what a focused prompt, a walk, and depth cost, at sizes that double.
//! `cargo bench -p prompt-tests --bench trees [-- full]`; in full, more runs for each figure.
#![allow(clippy::unwrap_used, clippy::cast_precision_loss, missing_docs)]

use prompt_core::DynamicNode;
use prompt_core::PromptNode;
use prompt_core::dynamic::DynamicNodeBuilder;
use prompt_core::tree::Collected;
use prompt_core::tree::ContextForm;
use prompt_tests::is_full_bench;
use std::{
    hint::black_box,
    time::{Duration, Instant},
};

fn main() {
    chains();
    walks();
    contexts();
    depths();
}

/// A chain of sections, each with two siblings beside it, rendered with focus on the innermost.
fn chains() {
    println!("a chain rendered with focus, two siblings off the chain at each level");
    println!("(depth 50: 21 ms in the Python library this one follows)\n");
    println!("| depth | bytes | time | per level |");
    println!("|---:|---:|---:|---:|");
    for depth in [25, 50, 100, 200, 400] {
        let node = chain(depth, 2).build().unwrap();
        let path = vec!["inner"; depth].join(".");
        let bytes = node.prompt().focus(&path).text().unwrap().len();
        let time = best(|| _ = black_box(node.prompt().focus(path.as_str()).render()));
        println!(
            "| {depth} | {bytes} | {} | {} |",
            micros(time),
            nanos(time, depth)
        );
    }
    println!();
}

fn chain(depth: usize, siblings: usize) -> DynamicNodeBuilder {
    let level = |number: usize| {
        let body =
            format!("Level {number} of the chain says what it is about.\n\n{{PROMPT_SUBTREE}}");
        DynamicNode::builder("inner").body(if number == depth {
            "The leaf."
        } else {
            body.as_str()
        })
    };
    (0..depth).rev().fold(level(depth), |inner, number| {
        let beside = (0..siblings)
            .map(|index| DynamicNode::builder(format!("beside_{index}")).body("Not shown."));
        beside
            .fold(level(number), DynamicNodeBuilder::section)
            .section(inner)
    })
}

/// Every leaf of a tree, three levels deep, with ten nodes in each of the upper ones.
fn walks() {
    println!(
        "all leaves of a tree of three levels: `walk` alone, a focused render of each, and `next` before each"
    );
    println!("(1000 nodes: 20.6 s in the Python library)\n");
    println!(
        "| nodes | leaves | walk | per node | walk, focused render | per leaf | next, collect, focused render | per leaf |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|---:|");
    for nodes in [500, 1_000, 2_000] {
        let node = wide(nodes);
        let leaves = node.prompt().walk().unwrap().len();
        let walk = best(|| _ = black_box(node.prompt().walk()));
        let rendered = best(|| render_all(&node));
        let with_next = best(|| work_through(&node));
        println!(
            "| {nodes} | {leaves} | {} | {} | {} | {} | {} | {} |",
            micros(walk),
            nanos(walk, nodes),
            micros(rendered),
            nanos(rendered, leaves),
            micros(with_next),
            nanos(with_next, leaves)
        );
    }
    println!();
}

fn wide(nodes: usize) -> DynamicNode {
    let mut root =
        DynamicNode::builder("report").body("Write it.\n\n{COLLECTED_CONTEXT}\n\n{PROMPT_SUBTREE}");
    let leaves = nodes.saturating_sub(110) / 100;
    for chapter in 0..10 {
        let mut upper = DynamicNode::builder(format!("chapter_{chapter}")).body("A chapter.");
        for part in 0..10 {
            let mut middle =
                DynamicNode::builder(format!("part_{part}")).body("A part.\n\n{PROMPT_SUBTREE}");
            for leaf in 0..leaves {
                middle = middle
                    .section(DynamicNode::builder(format!("leaf_{leaf}")).body("One paragraph."));
            }
            upper = upper.section(middle);
        }
        root = root.section(upper);
    }
    root.build().unwrap()
}

fn render_all(node: &DynamicNode) {
    for leaf in node.prompt().walk().unwrap() {
        _ = black_box(node.prompt().focus(leaf).render());
    }
}

fn work_through(node: &DynamicNode) {
    let mut collected = Collected::default();
    while let Some(leaf) = node.prompt().next(&collected).unwrap() {
        _ = black_box(node.prompt().focus(&leaf).render());
        collected.insert(leaf, "A text.");
    }
}

/// One focused render with so many collected texts before it.
fn contexts() {
    println!("one focused render with everything else collected, as references\n");
    println!("| collected | bytes | time | per text |");
    println!("|---:|---:|---:|---:|");
    for nodes in [510, 1_010, 2_010, 4_010] {
        let node = wide(nodes);
        let leaves = node.prompt().walk().unwrap();
        let collected: Collected = leaves
            .iter()
            .skip(1)
            .map(|leaf| (leaf.path.as_str(), "A text."))
            .collect();
        let first = leaves.first().unwrap();
        let prompt = || {
            node.prompt()
                .collected(&collected)
                .context_form(ContextForm::Reference)
                .focus(first)
        };
        let bytes = prompt().text().unwrap().len();
        let time = best(|| _ = black_box(prompt().render()));
        println!(
            "| {} | {bytes} | {} | {} |",
            collected.len(),
            micros(time),
            nanos(time, collected.len())
        );
    }
    println!();
}

/// A chain without siblings, down to the depth that is promised and beyond.
fn depths() {
    println!("depth; paths grow with it, so what lists all of them grows with its square\n");
    println!("| depth | build | render | focused | walk | preview | copy, compare, drop |");
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for depth in [500, 1_000, 2_000, 4_000] {
        let node = chain(depth, 0).build().unwrap();
        let path = vec!["inner"; depth].join(".");
        let build = best(|| _ = black_box(chain(depth, 0).build()));
        let render = best(|| _ = black_box(node.prompt().text().unwrap()));
        let focused = best(|| _ = black_box(node.prompt().focus(path.as_str()).text().unwrap()));
        let walk = best(|| _ = black_box(node.prompt().walk()));
        let preview = best(|| _ = black_box(node.prompt().preview()));
        let copy = best(|| _ = black_box(node.clone() == node));
        println!(
            "| {depth} | {} | {} | {} | {} | {} | {} |",
            micros(build),
            micros(render),
            micros(focused),
            micros(walk),
            micros(preview),
            micros(copy)
        );
    }
}

/// The shortest of several runs that take a twentieth of a second together, or a sixth in full; three at least.
fn best(mut run: impl FnMut()) -> Duration {
    let mut shortest = Duration::MAX;
    let all_take = Duration::from_millis(if is_full_bench() { 160 } else { 50 });
    let start = Instant::now();
    for count in 0..1_000 {
        if count >= 3 && start.elapsed() > all_take {
            break;
        }
        let start = Instant::now();
        run();
        shortest = shortest.min(start.elapsed());
    }
    shortest
}

fn micros(time: Duration) -> String {
    format!("{:.1} µs", time.as_secs_f64() * 1e6)
}

fn nanos(time: Duration, count: usize) -> String {
    format!("{:.0} ns", time.as_secs_f64() * 1e9 / count.max(1) as f64)
}
