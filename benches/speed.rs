//! Speed of the engine: warp and thread instructions per second, beside plain scalar Rust in the same run.
//!
//! First criterion times every algorithm as scalar Rust and under every policy; its throughput is warp instructions per
//! second. Then a table has the figures that have targets, each from runs that alternate between scalar Rust, the engine
//! with statistics, and the engine without, so that other load of the machine affects all three alike. A table's ratio is
//! the median of the rounds' ratios; its rates are those of the fastest round. A second table has the time of each policy as
//! a multiple of that of [`Ipdom`], a third one the gain from several threads of the host, a fourth the cost of a look for races;
//! all else is measured on one thread.
//! Alone: `cargo bench --bench speed -- summary`. `cargo bench --bench speed -- readme` writes README's paragraph on speed.

mod readme;
mod rounds;
mod workloads;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use criterion::{Criterion, SamplingMode, Throughput};
use readme::Measured;
use rounds::median;
use simt::prelude::*;
use simt::{for_each_block_policy, for_each_warp_policy};
#[cfg(feature = "pages")]
use simt_view::benches::BenchReports;
use std::hint::black_box;
use std::io::{self, Write};
use std::iter;
use std::num::NonZero;
use std::time::{Duration, Instant};
use workloads::{
    Bfs, Bitonic, CollatzU32, CollatzU64, Mandel, Reduce, Saxpy, Search, Workload, benched, for_each_workload, verified,
};

fn main() -> io::Result<()> {
    let mut criterion = Criterion::default()
        .without_plots()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_millis(800))
        .configure_from_args();
    for_each_workload!(W => bench::<W>(&mut criterion)?);
    criterion.final_summary();
    page()?;
    if wants_summary() {
        summary()?;
        policies()?;
        threads()?;
        races()?;
    }
    if workloads::measures() && first_word() == "readme" {
        readme::write(&[
            measured::<Mandel>("Mandelbrot"),
            measured::<Search>("binary search"),
            measured::<CollatzU32>("Collatz on `u32`"),
            measured::<CollatzU64>("Collatz on `u64`"),
            measured::<Bfs>("breadth-first search"),
            measured::<Bitonic>("bitonic sort"),
            measured::<Saxpy>("saxpy"),
        ])?;
    }
    Ok(())
}

fn bench<W: Workload>(criterion: &mut Criterion) -> io::Result<()> {
    let mut group = criterion.benchmark_group(W::NAME);
    group.sampling_mode(SamplingMode::Flat);
    let mut workload = W::new(benched::<W>());
    group.bench_function("scalar Rust", |bencher| bencher.iter(|| black_box(&mut workload).scalar()));
    for_each_policy!(P => {
        let gpu = one_thread::<P>();
        // An element is a warp instruction.
        let report = verified(&mut workload, &gpu);
        group.throughput(Throughput::Elements(report.issues()));
        let mut is_selected = false;
        group.bench_function(P::name(), |bencher| {
            is_selected = true;
            bencher.iter(|| black_box(&mut workload).launch(&gpu));
        });
        if is_selected {
            leave(&[W::NAME, P::name()], &report)?;
        }
    });
    group.finish();
    Ok(())
}

/// Leaves a report beside what criterion keeps of the bench. Only with the feature `pages`, whose crate, simt-view, would else be
/// built for every test.
#[cfg_attr(not(feature = "pages"), expect(unused_variables, reason = "without the feature nothing is left"))]
fn leave(id: &[&str], report: &Report) -> io::Result<()> {
    #[cfg(feature = "pages")]
    BenchReports::from_args().leave(id, report).map_err(io::Error::other)?;
    Ok(())
}

/// Writes the page of all benches, `criterion/simt.html` in the target folder, with the feature.
fn page() -> io::Result<()> {
    #[cfg(feature = "pages")]
    BenchReports::from_args().write_page().map_err(io::Error::other)?;
    Ok(())
}

/// True unless a filter asks for something else. Cargo puts its own flags behind the user's words, so a filter comes first.
fn wants_summary() -> bool {
    let first = first_word();
    workloads::measures() && (first.starts_with('-') || "summary".contains(&first))
}

fn first_word() -> String {
    std::env::args().nth(1).unwrap_or_default()
}

/// The machine that is measured. The feature `testing` is on here, and would check every step.
fn one_thread<P: Policy>() -> Gpu<P> {
    Gpu::default().with_checks(Checks::none()).with_threads(1)
}

/// The target of a figure.
#[derive(Clone, Copy, Default)]
struct Target {
    /// At most so many times the time of scalar Rust.
    ratio: Option<f64>,
    /// At least so many warp instructions per second.
    warp_rate: Option<f64>,
}

impl Target {
    const NONE: Self = Self { ratio: None, warp_rate: None };
    /// What every kernel is to reach.
    const RATE: Self = Self { ratio: None, warp_rate: Some(150e6) };

    const fn ratio(ratio: f64) -> Self {
        Self { ratio: Some(ratio), ..Self::RATE }
    }
}

/// The most that statistics may cost.
const STATISTICS: f64 = 0.05;

const HEADERS: [&str; 9] =
    ["algorithm", "items", "policy", "M warp i/s", "M thread i/s", "SIMD eff.", "vs scalar", "target", "statistics"];

/// A table with some columns of numbers.
fn table(headers: &[&str], numbers: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')));
    table.set_header(headers);
    for &column in numbers {
        table.column_mut(column).expect("a header each").set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Measures the figures with targets, and the policies beside each other, and prints them.
fn summary() -> io::Result<()> {
    let mandel = Target { warp_rate: Some(350e6), ..Target::ratio(0.6) };
    let mut table = table(&HEADERS, &[1, 3, 4, 5, 6, 8]);
    let mut add = |row: [String; HEADERS.len()]| {
        table.add_row(row);
    };
    add(figure::<Mandel, Ipdom>(Mandel::FULL, mandel));
    add(figure::<CollatzU32, Ipdom>(CollatzU32::FULL, Target::ratio(2.5)));
    add(figure::<CollatzU64, Ipdom>(CollatzU64::FULL, Target::ratio(3.0)));
    add(figure::<Search, Ipdom>(Search::FULL, Target::ratio(0.7)));
    add(figure::<Saxpy, Ipdom>(Saxpy::FULL, Target::ratio(4.0)));
    add(figure::<Bitonic, Ipdom>(Bitonic::FULL, Target::ratio(8.0)));
    add(figure::<Bfs, Ipdom>(Bfs::FULL, Target::ratio(6.0)));
    add(figure::<Reduce, Ipdom>(Reduce::FULL, Target::RATE));
    add([const { String::new() }; HEADERS.len()]);
    for_each_policy!(P => add(figure::<Mandel, P>(Mandel::BENCHED, Target::NONE)));
    for_each_policy!(P => add(figure::<CollatzU32, P>(CollatzU32::BENCHED, Target::NONE)));
    for_each_policy!(P => add(figure::<CollatzU64, P>(CollatzU64::BENCHED, Target::NONE)));
    let mut out = io::stdout().lock();
    writeln!(out, "{}\n", table.trim_fmt())?;
    writeln!(
        out,
        "Warps of 32, one core. `i/s`: program instructions per second, markers apart. `vs scalar`: time as a multiple of\n\
         scalar Rust's. `statistics`: what counting costs, at most {:.0} %. Every result equals the scalar one.",
        100.0 * STATISTICS
    )
}

/// An algorithm of full size, for README.
fn measured<W: Workload>(name: &'static str) -> Measured {
    let Figure { ratio, warp_rate, .. } = measure::<W, Ipdom>(W::FULL);
    Measured { name, ratio, warp_rate }
}

/// An algorithm under a policy, scalar Rust beside it.
struct Figure {
    report: Report,
    /// Seconds of the fastest round.
    seconds: f64,
    warp_rate: f64,
    /// The time, as a multiple of scalar Rust's.
    ratio: f64,
    /// What statistics cost, as a share of the time without.
    statistics: f64,
}

fn measure<W: Workload, P: Policy>(items: usize) -> Figure {
    let mut workload = W::new(items);
    let gpu = one_thread::<P>();
    let silent = gpu.clone().with_statistics(false);
    let report = verified(&mut workload, &gpu);
    let rounds = alternate(
        [
            &mut |workload: &mut W| workload.scalar(),
            &mut |workload: &mut W| drop(black_box(workload.launch(&gpu))),
            &mut |workload: &mut W| drop(black_box(workload.launch(&silent))),
        ],
        &mut workload,
    );
    let ratio = median(rounds.iter().map(|[scalar, engine, _]| engine / scalar));
    let statistics = median(rounds.iter().map(|[_, engine, silent]| engine / silent)) - 1.0;
    let seconds = rounds.iter().map(|[_, engine, _]| *engine).fold(f64::INFINITY, f64::min);
    Figure { warp_rate: report.issues() as f64 / seconds, report, seconds, ratio, statistics }
}

/// One row.
fn figure<W: Workload, P: Policy>(items: usize, target: Target) -> [String; HEADERS.len()] {
    let Figure { report, seconds, warp_rate, ratio, statistics } = measure::<W, P>(items);
    let too_dear = target.ratio.is_some() && statistics > STATISTICS;
    let targets = [
        target.ratio.map(|most| format!("≤ {most} {}", verdict(ratio <= most))),
        target.warp_rate.map(|least| format!("≥ {:.0} M {}", least / 1e6, verdict(warp_rate >= least))),
    ];
    [
        W::NAME.to_owned(),
        items.to_string(),
        P::name().to_owned(),
        format!("{:.0}", warp_rate / 1e6),
        format!("{:.0}", report.thread_instructions() as f64 / seconds / 1e6),
        format!("{:.1} %", 100.0 * report.simd_efficiency()),
        format!("{ratio:.2}"),
        targets.into_iter().flatten().collect::<Vec<_>>().join(", "),
        format!("{:+.1} %{}", 100.0 * statistics, if too_dear { " MISSED" } else { "" }),
    ]
}

const fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}

/// The most time per issue that a policy that keeps warps together may take, as a multiple of [`Ipdom`]'s, and one that
/// regroups.
const WITHIN_WARPS: f64 = 1.25;
const ACROSS_WARPS: f64 = 3.0;

/// Measures each policy beside [`Ipdom`], and prints it.
fn policies() -> io::Result<()> {
    let mut table =
        table(&["policy", Mandel::NAME, "issues", "", CollatzU32::NAME, "issues", "", "target"], &[1, 2, 4, 5]);
    for_each_warp_policy!(P => { table.add_row(beside::<P>(WITHIN_WARPS)); });
    for_each_block_policy!(P => { table.add_row(beside::<P>(ACROSS_WARPS)); });
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "\n{}\n\nTime, and instructions issued, as multiples of those under `Ipdom`; the target is of time per instruction\n\
         issued. Warps of 32, one core.",
        table.trim_fmt()
    )
}

/// One row: a policy, `Ipdom` beside it.
fn beside<P: Policy>(most: f64) -> [String; 8] {
    let cells = |Multiple { time, issues }| {
        [format!("{time:.2}"), format!("{issues:.2}"), verdict(time / issues <= most).to_owned()]
    };
    let [mandel, mandel_issues, mandel_verdict] = cells(multiple::<Mandel, P>(Mandel::BENCHED));
    let [collatz, collatz_issues, collatz_verdict] = cells(multiple::<CollatzU32, P>(CollatzU32::BENCHED));
    let target = format!("≤ {most}");
    [P::name().to_owned(), mandel, mandel_issues, mandel_verdict, collatz, collatz_issues, collatz_verdict, target]
}

/// The time of a policy, divided by that of [`Ipdom`].
struct Multiple {
    time: f64,
    issues: f64,
}

fn multiple<W: Workload, P: Policy>(items: usize) -> Multiple {
    let mut workload = W::new(items);
    let stack = one_thread::<Ipdom>();
    let gpu = one_thread::<P>();
    let issues = [verified(&mut workload, &stack), verified(&mut workload, &gpu)].map(|report| report.issues() as f64);
    Multiple { time: times(&mut workload, &stack, &gpu), issues: issues[1] / issues[0] }
}

/// How many times as long as a launch on one GPU that on another one takes.
fn times<W: Workload, P: Policy, Q: Policy>(workload: &mut W, one: &Gpu<P>, other: &Gpu<Q>) -> f64 {
    let rounds = alternate(
        [&mut |workload: &mut W| drop(black_box(workload.launch(one))), &mut |workload: &mut W| {
            drop(black_box(workload.launch(other)));
        }],
        workload,
    );
    median(rounds.iter().map(|[one, other]| other / one))
}

/// The least share of a thread of the host that is gained by another one.
const GAIN: f64 = 0.85;
/// So many threads are measured whatever processors there are: what more threads than processors cost.
const MANY: usize = 16;

/// Measures launches on several threads of the host beside the same ones on one, and prints it.
fn threads() -> io::Result<()> {
    let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
    let powers = (1..).map(|power| 1 << power).take_while(|&threads| threads <= processors);
    let counts: Vec<usize> = powers.chain((processors < MANY).then_some(MANY)).collect();
    let headers: Vec<String> = counts.iter().map(|threads| format!("{threads} threads")).collect();
    let headers: Vec<&str> = iter::once("algorithm").chain(headers.iter().map(String::as_str)).collect();
    let mut table = table(&headers, &[]);
    table.add_row(gains::<Mandel>(&counts, processors));
    table.add_row(gains::<CollatzU32>(&counts, processors));
    table.add_row(gains::<Search>(&counts, processors));
    table.add_row(gains::<Bitonic>(&counts, processors));
    table.add_row(gains::<Saxpy>(&counts, 0));
    table.add_row(gains::<Bfs>(&counts, 0));
    table.add_row(gains::<Reduce>(&counts, 0));
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "\n{}\n\nHow many times as fast as on one thread of the host, which has {processors} processors; the target is {GAIN} a\n\
         thread, as far as there are processors.",
        table.trim_fmt()
    )
}

/// One row: an algorithm on several threads, with a verdict on so many at most.
fn gains<W: Workload>(counts: &[usize], verdict_up_to: usize) -> Vec<String> {
    let mut workload = W::new(W::FULL);
    let one = one_thread::<Ipdom>();
    let gains = counts.iter().map(|&threads| {
        let many = one.clone().with_threads(threads);
        verified(&mut workload, &many);
        let gain = times(&mut workload, &many, &one);
        let verdict = if threads <= verdict_up_to { verdict(gain >= GAIN * threads as f64) } else { "" };
        format!("{gain:.2} {verdict}")
    });
    iter::once(W::NAME.to_owned()).chain(gains).collect()
}

/// The most time that a launch may take that looks for races, as a multiple of one that does not.
const RACES: f64 = 4.0;

/// Measures launches that look for races in all memory beside those that do not, and prints it.
fn races() -> io::Result<()> {
    let mut table = table(&["algorithm", "RaceCheck::Everywhere", ""], &[1]);
    table.add_row(looking_for_races::<Mandel>());
    table.add_row(looking_for_races::<CollatzU32>());
    table.add_row(looking_for_races::<Search>());
    table.add_row(looking_for_races::<Bitonic>());
    table.add_row(looking_for_races::<Saxpy>());
    table.add_row(looking_for_races::<Reduce>());
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "\n{}\n\nTime as a multiple of that of a launch without the check; the target is at most {RACES}.",
        table.trim_fmt()
    )
}

/// One row: an algorithm, with the check.
fn looking_for_races<W: Workload>() -> [String; 3] {
    let (mut workload, one) = (W::new(W::BENCHED), one_thread::<Ipdom>());
    let checked = one.clone().with_race_check(RaceCheck::Everywhere);
    verified(&mut workload, &checked);
    let multiple = times(&mut workload, &one, &checked);
    [W::NAME.to_owned(), format!("{multiple:.2}"), verdict(multiple <= RACES).to_owned()]
}

/// The least time of a part of a round; faster parts are repeated.
const PART: Duration = Duration::from_millis(5);
/// How long the rounds of a row take, unless they are few.
const ROW: Duration = Duration::from_millis(1500);
const ROUNDS: std::ops::RangeInclusive<usize> = 7..=41;

/// Seconds of a run of each part, by round. In every other round the parts run in the opposite order.
fn alternate<W, const PARTS: usize>(mut parts: [&mut dyn FnMut(&mut W); PARTS], workload: &mut W) -> Vec<[f64; PARTS]> {
    let time = |run: &mut dyn FnMut(&mut W), workload: &mut W, repeats: u32| {
        let start = Instant::now();
        (0..repeats).for_each(|_| run(black_box(workload)));
        start.elapsed() / repeats
    };
    let repeats = parts.each_mut().map(|run| {
        let once = time(*run, workload, 1).max(Duration::from_nanos(1));
        PART.div_duration_f64(once).ceil() as u32
    });
    let begin = Instant::now();
    let mut rounds = Vec::new();
    while rounds.len() < *ROUNDS.start() || rounds.len() < *ROUNDS.end() && begin.elapsed() < ROW {
        let mut round = [0.0; PARTS];
        for step in 0..PARTS {
            let part = if rounds.len() % 2 == 0 { step } else { PARTS - 1 - step };
            round[part] = time(parts[part], workload, repeats[part]).as_secs_f64();
        }
        rounds.push(round);
    }
    rounds
}
