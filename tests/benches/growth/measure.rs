//! One entry at sizes that double: processor time, memory, and instructions where they are asked for.
//!
//! Each entry is measured in a process of its own, so that no heap that another left behind, and no stack that overflows, counts
//! for it. The process keeps what it freed (`MALLOC_*`): else each run would pay anew for the pages of the one before.

use crate::MEMORY;
use cpu_time::ThreadTime;
use prompt_tests::is_full_bench;
use std::any::Any;
use std::hint::black_box;
use std::num::NonZero;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

/// Work on an input that is already made, and what comes out of it.
pub type Work = Box<dyn Fn() -> Box<dyn Any>>;

pub struct Entry {
    pub name: String,
    pub first: usize,
    pub last: usize,
    pub against: Against,
    pub make: Box<dyn Fn(usize) -> Work>,
}

/// What time and memory may grow with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// The size of the input.
    Size,
    /// The bytes that come out.
    Result,
}

/// Shorter times are noise, less memory is that of small parts.
const FLOOR: u64 = 200_000;
const SMALL: usize = 1 << 15;
/// Sizes that an exponent is taken over: four doublings.
const SPAN: usize = 5;
/// Every size runs in turn, so that what disturbs the machine for a while disturbs all of them.
const ROUNDS: std::ops::Range<usize> = 3..15;

/// How long an entry is measured, and when its time looks too steep.
pub struct Effort {
    /// An entry is not made larger once it takes this long.
    enough: Duration,
    /// No round starts after this.
    rounds: Duration,
    /// Above this exponent of the time, instructions are counted.
    pub steep: f64,
}

impl Effort {
    pub fn asked() -> Self {
        let (enough, rounds, steep) = if is_full_bench() {
            (30, 250, crate::STEEPEST)
        } else {
            (5, 40, 1.25)
        };
        Self {
            enough: Duration::from_millis(enough),
            rounds: Duration::from_millis(rounds),
            steep,
        }
    }
}

/// One size: nanoseconds of its fastest run, bytes at its peak, bytes of what came out.
#[derive(Clone, Copy, Default)]
pub struct Size {
    pub n: usize,
    pub nanoseconds: u64,
    pub peak: usize,
    pub result: usize,
}

pub struct Sizes {
    sizes: Vec<Size>,
    against: Against,
}

impl Sizes {
    /// Measures an entry in a process of its own; none if it fails.
    pub fn measured(entry: &Entry) -> Option<Self> {
        let output = child(&[])
            .args(["--sweep", &entry.name])
            .args(is_full_bench().then_some("full"))
            .stderr(Stdio::inherit())
            .output()
            .expect("the bench starts itself");
        let text = String::from_utf8(output.stdout).unwrap();
        output.status.success().then(|| Self {
            sizes: text.lines().map(Size::read).collect(),
            against: entry.against,
        })
    }

    pub fn last(&self) -> Size {
        self.sizes.last().copied().unwrap_or_default()
    }

    /// Keeps the faster time of each size.
    pub fn fastest_of(&mut self, other: &Self) {
        for (size, other) in self.sizes.iter_mut().zip(&other.sizes) {
            size.nanoseconds = size.nanoseconds.min(other.nanoseconds);
        }
    }

    pub fn time_exponent(&self) -> Option<f64> {
        let points = self.fitted().iter();
        slope(points.map(|size| (self.x(size), size.nanoseconds as f64)))
    }

    pub fn memory_exponent(&self) -> Option<f64> {
        let points = self.sizes.iter().filter(|size| size.peak >= SMALL);
        slope(points.map(|size| (self.x(size), size.peak as f64)))
    }

    /// The last sizes, without those that were too short.
    fn fitted(&self) -> &[Size] {
        let long = |size: &Size| size.nanoseconds >= FLOOR;
        let start = self.sizes.iter().position(long);
        let start = start.unwrap_or(self.sizes.len());
        &self.sizes[start.max(self.sizes.len().saturating_sub(SPAN))..]
    }

    fn x(&self, size: &Size) -> f64 {
        match self.against {
            Against::Size => size.n as f64,
            Against::Result => size.result as f64,
        }
    }
}

impl Size {
    fn write(self) {
        let Self {
            n,
            nanoseconds,
            peak,
            result,
        } = self;
        println!("{n} {nanoseconds} {peak} {result}");
    }

    fn read(line: &str) -> Self {
        let numbers: Vec<u64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        let bytes = |index: usize| usize::try_from(numbers[index]).unwrap();
        Self {
            n: bytes(0),
            nanoseconds: numbers[1],
            peak: bytes(2),
            result: bytes(3),
        }
    }
}

/// The slope of the least squares through the logarithms of the last points; three are needed.
fn slope(points: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let mut points: Vec<(f64, f64)> = points.map(|(x, y)| (x.log2(), y.log2())).collect();
    points.drain(..points.len().saturating_sub(SPAN));
    if points.len() < 3 {
        return None;
    }
    let mean =
        |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let along: f64 = points.iter().map(|point| (point.0 - x).powi(2)).sum();
    let both: f64 = points
        .iter()
        .map(|point| (point.0 - x) * (point.1 - y))
        .sum();
    Some(both / along)
}

/// The exponents of the instructions, at the sizes that the times were fitted over; none without valgrind. They do not
/// depend on what else runs, so all processors count at once.
pub fn instructions_exponents(entries: &[(&str, &Sizes)]) -> Vec<Option<f64>> {
    let todo = Mutex::new(entries.iter().enumerate());
    let done = Mutex::new(vec![None; entries.len()]);
    let count = || {
        loop {
            let next = todo.lock().unwrap().next();
            let Some((index, (name, sizes))) = next else {
                break;
            };
            let counted = |size: &Size| Some((sizes.x(size), instructions(name, size.n)?));
            let fitted = sizes.fitted();
            // There is no noise in them: every other size of the same span is enough.
            let step = if fitted.len() == SPAN { 2 } else { 1 };
            let points: Option<Vec<(f64, f64)>> =
                fitted.iter().step_by(step).map(counted).collect();
            let exponent = points.and_then(|points| slope(points.into_iter()));
            done.lock().unwrap()[index] = exponent;
        }
    };
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..processors {
            scope.spawn(count);
        }
    });
    done.into_inner().unwrap()
}

fn instructions(name: &str, n: usize) -> Option<f64> {
    let output = child(&[
        "valgrind",
        "--tool=callgrind",
        "--callgrind-out-file=/dev/null",
        "--toggle-collect=*instructions_of_this*",
    ])
    .args(["--once", name, &n.to_string()])
    .output()
    .ok()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = said.lines().find(|line| line.contains("Collected :"))?;
    line.rsplit(' ').next()?.parse().ok()
}

/// This program again, behind another one where that is asked for.
fn child(before: &[&str]) -> Command {
    let this = std::env::current_exe().expect("the path of the bench");
    let mut command = match before {
        [] => Command::new(&this),
        [program, arguments @ ..] => {
            let mut command = Command::new(program);
            command.args(arguments).arg(&this);
            command
        }
    };
    command
        .env("MALLOC_MMAP_MAX_", "0")
        .env("MALLOC_TRIM_THRESHOLD_", "-1")
        .env("MALLOC_TOP_PAD_", "67108864");
    command
}

/// Does what the process was started for, if another one of this bench started it.
pub fn as_child(words: &[String]) -> bool {
    let entry = |name: &String| {
        let all = crate::entries::all();
        all.into_iter().find(|entry| entry.name == *name).unwrap()
    };
    match words {
        [flag, name] if flag == "--sweep" => sweep(&entry(name)),
        [flag, name, n] if flag == "--once" => {
            instructions_of_this(&(entry(name).make)(n.parse().unwrap()));
        }
        _ => return false,
    }
    true
}

#[inline(never)]
fn instructions_of_this(work: &Work) {
    drop(black_box(work()));
}

/// Doubles the input until it takes long enough, then runs all sizes in turn.
fn sweep(entry: &Entry) {
    let effort = Effort::asked();
    let mut works = Vec::new();
    let mut n = entry.first;
    loop {
        let work = (entry.make)(n);
        let size = first_run(n, &work);
        works.push((size, work));
        // What is slow from the start is doubled a few times all the same.
        let enough = effort.enough * if works.len() < SPAN { 4 } else { 1 };
        if u128::from(size.nanoseconds) >= enough.as_nanos() || n * 2 > entry.last {
            break;
        }
        n *= 2;
    }
    let start = ThreadTime::now();
    for round in 0..ROUNDS.end {
        if round >= ROUNDS.start && start.elapsed() > effort.rounds {
            break;
        }
        for (size, work) in &mut works {
            size.nanoseconds = size.nanoseconds.min(timed(work));
        }
    }
    for (size, _) in works {
        size.write();
    }
}

fn first_run(n: usize, work: &Work) -> Size {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let start = ThreadTime::now();
    let result = black_box(work());
    let nanoseconds = nanoseconds(start);
    let size = Size {
        n,
        nanoseconds,
        peak: MEMORY.peak_usage().saturating_sub(before),
        result: MEMORY.current_usage().saturating_sub(before),
    };
    drop(result);
    size
}

fn timed(work: &Work) -> u64 {
    let start = ThreadTime::now();
    drop(black_box(work()));
    nanoseconds(start)
}

fn nanoseconds(start: ThreadTime) -> u64 {
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
