//! Prints the error of the token estimate on every text that it was fitted on and, apart from them, judged on; then the
//! speed of both counters.
#![allow(missing_docs)]

use prompt_core::tokens::EstimatedTokens;
use prompt_core::tokens::O200k;
use prompt_core::tokens::TokenCounter;
use std::{fs, hint::black_box, io, path::Path, time::Instant};

fn main() -> io::Result<()> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tokens");
    for folder in ["fit", "judge"] {
        println!("| {folder} | bytes | tokens | estimate | error |\n|---|--:|--:|--:|--:|");
        for (name, text) in texts(&fixtures.join(folder))? {
            let (exact, estimate) = (O200k.count(&text), EstimatedTokens::default().count(&text));
            println!(
                "| {name} | {} | {exact} | {estimate} | {:+.1} % |",
                text.len(),
                error(estimate, exact)
            );
        }
        println!();
    }
    println!("| speed, MB/s | estimate | exact |\n|---|--:|--:|");
    for (name, text) in texts(&fixtures.join("judge"))? {
        let text = text.repeat((4 << 20) / text.len());
        println!(
            "| {name} | {:.0} | {:.0} |",
            speed(&EstimatedTokens::default(), &text),
            speed(&O200k, &text)
        );
    }
    Ok(())
}

/// Names and contents of the files of a folder, sorted.
fn texts(folder: &Path) -> io::Result<Vec<(String, String)>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let name = name.split('.').next().unwrap_or_default().to_owned();
        texts.push((name, fs::read_to_string(path)?));
    }
    texts.sort();
    Ok(texts)
}

#[allow(clippy::cast_precision_loss, reason = "counts of a few thousand")]
fn error(estimate: usize, exact: usize) -> f64 {
    (estimate as f64 / exact as f64 - 1.0) * 100.0
}

/// The best of five runs, in megabytes per second.
#[allow(clippy::cast_precision_loss, reason = "a few megabytes")]
fn speed(counter: &dyn TokenCounter, text: &str) -> f64 {
    let run = || {
        let start = Instant::now();
        black_box(counter.count(black_box(text)));
        text.len() as f64 / start.elapsed().as_secs_f64() / 1e6
    };
    (0..5).map(|_| run()).fold(0.0, f64::max)
}
