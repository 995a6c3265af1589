//! Kernels in PTX beside the same kernels in Rust: time per warp instruction; and how fast PTX is read.
//!
//! `cargo bench --features ptx --bench ptx`. A row's ratio is the median of rounds that alternate between the two, on one
//! thread of the host. What a launch of either costs in memory that it may have to put back is in the time.

mod rounds;
#[allow(dead_code, unused_imports, unused_macros, reason = "kernels that are here in PTX are some of them")]
mod workloads;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use rounds::median;
use simt::core::Scalar;
use simt::host::{Argument, DeviceMemory, Kernel, call};
use simt::prelude::*;
use simt::ptx::Module;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use workloads::{Bitonic, CollatzU64, Mandel, Reduce, Saxpy, Search, Workload, benched, verified};

/// The seven workloads, by nvcc.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ptx/cuda/peers.sm_75.ptx");
/// The most time per warp instruction, as a multiple of that of the kernel in Rust.
const MOST: f64 = 1.5;
/// The least megabytes of text that are read, checked and lowered in a second.
const LEAST: f64 = 2.0;
/// How long a row takes, and in how many rounds at least.
const ROW: Duration = Duration::from_millis(1500);
const ROUNDS: usize = 7;

/// The arguments of a launch, again and again.
type Arguments = Box<dyn Fn() -> Vec<Argument<'static>>>;

macro_rules! arguments {
    ($($value:expr),*) => {
        Box::new(move || vec![$(Argument::scalar($value)),*])
    };
}

fn main() -> io::Result<()> {
    let text = std::fs::read_to_string(FILE)?;
    let module = Module::parse(text.clone()).unwrap_or_else(|error| panic!("{error}"));
    let kernel = |name| module.kernel(name).unwrap_or_else(|error| panic!("{error}"));
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')));
    table.set_header([
        "kernel",
        "PTX, M warp i/s",
        "Rust, M warp i/s",
        "time per warp i",
        "target",
        "time of a launch",
    ]);
    for column in [1, 2, 3, 5] {
        table.column_mut(column).expect("a header each").set_cell_alignment(CellAlignment::Right);
    }
    let numbers = |count: usize| -> Vec<u32> { (0..count as u32).map(workloads::hash).collect() };
    table.add_row(row::<Saxpy>(&kernel("saxpy"), 128, |memory, items| {
        let (x, y) = (upload(memory, &vec![1.0f32; items]), upload(memory, &vec![2.0f32; items]));
        arguments![items as u32, 2.5f32, x, y]
    }));
    table.add_row(row::<Mandel>(&kernel("mandel"), 256, |memory, items| {
        let side = items.isqrt() as u32;
        let out = upload(memory, &vec![0u32; items]);
        arguments![side, 256u32, 3.0 / side as f32, out]
    }));
    table.add_row(row::<CollatzU64>(&kernel("collatz"), 256, |memory, items| {
        let out = upload(memory, &vec![0u32; items]);
        arguments![items as u32, out]
    }));
    table.add_row(row::<Search>(&kernel("search"), 256, |memory, items| {
        let mut sorted = numbers(1 << 16);
        sorted.sort_unstable();
        let (sorted, queries) = (upload(memory, &sorted), upload(memory, &numbers(items)));
        let out = upload(memory, &vec![0u32; items]);
        arguments![items as u32, 1u32 << 16, sorted, queries, out]
    }));
    table.add_row(row::<Reduce>(&kernel("reduce"), 256, |memory, items| {
        let (all, sums) = (upload(memory, &numbers(items)), upload(memory, &vec![0u32; items.div_ceil(256)]));
        arguments![items as u32, all, sums]
    }));
    table.add_row(row::<Bitonic>(&kernel("bitonic"), 1024, |memory, items| {
        let numbers = upload(memory, &numbers(items));
        arguments![numbers]
    }));

    let names: Vec<&str> = module.kernels().collect();
    let read = || {
        let module = Module::parse(text.clone()).unwrap_or_else(|error| panic!("{error}"));
        for name in &names {
            drop(black_box(module.kernel(name)));
        }
    };
    let seconds = median((0..if workloads::measures() { 41 } else { 1 }).map(|_| seconds(read)));
    let rate = text.len() as f64 / seconds / 1e6;
    let mut out = io::stdout().lock();
    writeln!(out, "{}\n\nWarps of 32, `Ipdom`, one thread of the host.", table.trim_fmt())?;
    writeln!(
        out,
        "Reading, checking and lowering: {rate:.1} MB/s, at least {LEAST} {}",
        if rate >= LEAST { "met" } else { "MISSED" }
    )
}

fn upload<T: Scalar>(memory: &mut DeviceMemory, values: &[T]) -> u64 {
    memory.upload(values).unwrap_or_else(|error| panic!("{error}"))
}

/// A kernel in PTX, its twin beside it.
fn row<W: Workload>(
    kernel: &Kernel,
    block: usize,
    bound: impl FnOnce(&mut DeviceMemory, usize) -> Arguments,
) -> [String; 6] {
    let items = benched::<W>();
    let gpu = Gpu::<Ipdom>::default().with_checks(Checks::none()).with_threads(1);
    let mut twin = W::new(items);
    let theirs = verified(&mut twin, &gpu).issues() as f64;
    let mut memory = DeviceMemory::new();
    let arguments = bound(&mut memory, items);
    let mut launch = || {
        let launched = gpu.launch(Grid::covering(items, block), call(kernel, arguments()).with_memory(&mut memory));
        launched.unwrap_or_else(|error| panic!("{}: {error}", W::NAME)).issues() as f64
    };
    let ours = launch();
    let begin = Instant::now();
    let mut rounds = Vec::new();
    while rounds.len() < ROUNDS || begin.elapsed() < ROW {
        let ptx = seconds(|| _ = black_box(launch())) / ours;
        let rust = seconds(|| drop(black_box(twin.launch(&gpu)))) / theirs;
        rounds.push((ptx, rust));
        if !workloads::measures() {
            break;
        }
    }
    let ratio = median(rounds.iter().map(|(ptx, rust)| ptx / rust));
    [
        W::NAME.to_owned(),
        format!("{:.0}", 1e-6 / median(rounds.iter().map(|(ptx, _)| *ptx))),
        format!("{:.0}", 1e-6 / median(rounds.iter().map(|(_, rust)| *rust))),
        format!("{ratio:.2}"),
        format!("≤ {MOST} {}", if ratio <= MOST { "met" } else { "MISSED" }),
        // A compiler's code has fewer instructions, and of them more that cost something.
        format!("{:.2}", ratio * ours / theirs),
    ]
}

fn seconds(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}
