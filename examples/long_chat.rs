//! What compaction saves: three long conversations replayed under several policies.
//!
//! The first is a coding chat of 200 turns with tool calls, `data/long_chat.jsonl`; the second one question of an agent with 200
//! calls, where only results of tools can be cleared; the third the synthetic one of the library's documentation. Costs are relative to
//! sending everything, under the prices of two providers.
//!
//! With `--svg` it also draws what each turn costs under each policy.
//!
//! `cargo run --release --example long_chat [-- file.jsonl] [--svg chart.svg]`

use prompt_core::compaction::{
    ClearToolResults, Compact, CompactionConfig, CompactionError, Compactor, Kind, RecapForm,
    Trigger,
};
use prompt_core::tokens::{EstimatedTokens, TokenCounter};
use prompt_core::{History, Message, Role, ToolCall, ToolResult};
use prompt_examples::arguments::Request;
use prompt_examples::chart::{Line, svg};
use prompt_examples::savings::{CostModel, HistoryPolicy, Simulation, requests, simulate};
use serde_json::json;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

const USAGE: &str = "\
usage: long_chat [FILE] [--svg CHART]

FILE is a conversation, one message per line as JSON; without it the shipped one is replayed.
CHART is written: what each turn costs under each policy (Anthropic).";

/// A policy, and what it comes to with each provider.
struct Row {
    policy: HistoryPolicy,
    anthropic: Simulation,
    openai: Simulation,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = match Request::from_env(1, &["--svg"])? {
        Request::Run(arguments) => arguments,
        Request::Help => {
            println!("{USAGE}");
            return Ok(());
        }
    };
    let path = arguments
        .words
        .pop()
        .map_or_else(shipped_chat, PathBuf::from);
    let chat = read(&path)?;
    println!("{}\n", describe(&chat));
    let rows = replay(&chat, &policies(RecapForm::Exchange)?, estimate);
    print_table(&rows);
    print_report(&chat)?;
    if let Some(path) = arguments.option("--svg") {
        fs::write(path, chart(&chat)?)?;
    }

    println!("\nagent: one question, 200 calls, each result 800 tokens\n");
    print_table(&replay(&agent(), &clearing_policies()?, words));

    println!("\nsynthetic: 200 turns, system 2000 tokens, question 300, answer 500, recap 30\n");
    print_table(&replay(
        &synthetic(),
        &policies(RecapForm::Assistant)?,
        words,
    ));

    println!(
        "\nrecommended: {}",
        recommend(&rows).ok_or("no policy to recommend")?
    );
    Ok(())
}

fn shipped_chat() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/data/long_chat.jsonl"))
}

fn read(path: &PathBuf) -> Result<Vec<Message>, Box<dyn Error>> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let message = |(number, line)| {
        serde_json::from_str(line)
            .map_err(|error| format!("{}, line {}: {error}", path.display(), number + 1).into())
    };
    text.lines().enumerate().map(message).collect()
}

/// What the library estimates without a tokenizer.
fn estimate(text: &str) -> usize {
    EstimatedTokens::default().count(text)
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

// ---- the conversations

fn describe(chat: &[Message]) -> String {
    let of_role = |role| chat.iter().filter(|message| message.role == role).count();
    let calls: usize = chat
        .iter()
        .map(|message| message.kind().calls().len())
        .sum();
    let tokens: usize = chat.iter().map(|message| message.tokens(&estimate)).sum();
    let questions = of_role(Role::User);
    format!(
        "coding chat: {questions} questions, {calls} tool calls, {} messages, about {tokens} tokens",
        chat.len()
    )
}

/// One question of a coding agent that is not answered yet: 200 calls, each with the part of a file that it reads.
fn agent() -> Vec<Message> {
    let text = |words: usize| vec!["word"; words].join(" ");
    let mut log = vec![Message::system(text(2_000)), Message::user(text(300))];
    for number in 0..200 {
        let call = ToolCall::new(
            format!("call_{number}"),
            "read_file",
            json!({ "path": text(20) }),
        );
        log.push(Message::calls([call.clone()]));
        log.push(Message::tool([ToolResult::ok(&call, text(800))]));
    }
    log
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

// ---- the policies

fn policies(form: RecapForm) -> Result<Vec<HistoryPolicy>, CompactionError> {
    let mut policies = vec![HistoryPolicy::None];
    policies.extend([3, 10, 20].map(HistoryPolicy::Window));
    for size in [1, 4, 8, 16] {
        policies.push(
            CompactionConfig::builder()
                .batch_size(size)
                .recap_form(form)
                .build()?
                .into(),
        );
    }
    Ok(policies)
}

/// A mark of 60,000 tokens: without a rule, which does nothing inside a question, and with several.
fn clearing_policies() -> Result<Vec<HistoryPolicy>, CompactionError> {
    let trigger = Trigger::Tokens {
        high: 60_000,
        low: 30_000,
    };
    let builder = || CompactionConfig::builder().trigger(trigger);
    let mut policies = vec![HistoryPolicy::None, builder().build()?.into()];
    for (keep, gain) in [(3, 0), (20, 0), (20, 20_000)] {
        let rule = ClearToolResults::default().keep(keep).clear_at_least(gain);
        policies.push(builder().clear_tool_results(rule).build()?.into());
    }
    Ok(policies)
}

fn replay(log: &[Message], policies: &[HistoryPolicy], counter: fn(&str) -> usize) -> Vec<Row> {
    let run = |policy: &HistoryPolicy, model: CostModel| {
        simulate(log, policy.clone(), &model.counter(counter))
    };
    let row = |policy: &HistoryPolicy| Row {
        policy: policy.clone(),
        anthropic: run(policy, CostModel::anthropic()),
        openai: run(policy, CostModel::openai()),
    };
    policies.iter().map(row).collect()
}

fn print_table(rows: &[Row]) {
    let Some(all) = rows.first() else { return };
    let names = rows.iter().map(|row| row.policy.to_string().len());
    let width = names.max().unwrap_or_default().max("policy".len());
    println!(
        "| {:<width$} | input tokens |    peak | hit rate | Anthropic | OpenAI | prefix breaks |",
        "policy"
    );
    println!(
        "|-{:-<width$}-|-------------:|--------:|---------:|----------:|-------:|--------------:|",
        ""
    );
    for Row {
        policy,
        anthropic,
        openai,
    } in rows
    {
        println!(
            "| {policy:<width$} | {:>12} | {:>7} | {:>6.1} % | {:>8.2}x | {:>5.2}x | {:>13} |",
            anthropic.input_tokens,
            anthropic.peak_tokens,
            100.0 * anthropic.hit_rate(),
            anthropic.cost_relative_to(&all.anthropic),
            openai.cost_relative_to(&all.openai),
            anthropic.prefix_breaks,
        );
    }
}

/// What the view of the whole chat looks like in the end, by the default settings.
fn print_report(chat: &[Message]) -> Result<(), CompactionError> {
    let config = CompactionConfig::builder().batch_size(8).build()?;
    let compactor = Compactor::new(config.clone());
    println!(
        "\nbatch 8 at the end: {}",
        compactor.compact(chat).report(&estimate)
    );
    let history = History::from_log(config, chat.iter().cloned());
    println!(
        "cache points after messages {:?} of the view",
        history.view().cache_points()
    );
    Ok(())
}

/// What each turn costs: the sum over its requests, tool calls included.
fn chart(chat: &[Message]) -> Result<String, CompactionError> {
    let mut lines = Vec::new();
    for policy in policies(RecapForm::Exchange)? {
        let mut values = vec![0.0];
        for request in requests(
            chat,
            policy.clone(),
            &CostModel::anthropic().counter(estimate),
        ) {
            if let Some(turn) = values.last_mut() {
                *turn += request.cost;
            }
            if chat
                .get(request.message)
                .is_some_and(|reply| reply.kind() == Kind::Answer)
            {
                values.push(0.0);
            }
        }
        values.pop();
        let name = policy.to_string();
        lines.push(Line { name, values });
    }
    Ok(svg(
        "What each turn of the chat costs",
        "turns",
        "in plain input tokens",
        &lines,
    ))
}

// ---- the recommendation

/// Of the policies that forget nothing for good, the one that costs least with both providers taken together. Windows
/// may be cheap, but the model no longer knows what was before them; a recap is kept of everything compacted.
fn recommend(rows: &[Row]) -> Option<String> {
    let all = rows.first()?;
    let cost = |row: &Row| {
        row.anthropic.cost_relative_to(&all.anthropic) + row.openai.cost_relative_to(&all.openai)
    };
    let keeps_recaps = |row: &&Row| !matches!(row.policy, HistoryPolicy::Window(_));
    let best = rows
        .iter()
        .filter(keeps_recaps)
        .min_by(|one, other| cost(one).total_cmp(&cost(other)))?;
    Some(format!(
        "{} ({:.0} % of the input cost of no compaction with Anthropic, {:.0} % with OpenAI)",
        setting(&best.policy),
        100.0 * best.anthropic.cost_relative_to(&all.anthropic),
        100.0 * best.openai.cost_relative_to(&all.openai),
    ))
}

/// The policy as code.
fn setting(policy: &HistoryPolicy) -> String {
    match policy {
        HistoryPolicy::Compaction(config) => format!(
            "CompactionConfig::builder().min_preserved({}).batch_size({})",
            config.min_preserved(),
            config.batch_size()
        ),
        other => other.to_string(),
    }
}
