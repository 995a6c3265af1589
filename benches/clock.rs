//! Speed of the clock: warp instructions per second of launches that are timed, beside the same launches without a clock.
//!
//! The machines have their whole hierarchies of memory. Alone: `cargo bench --bench clock`; a word selects rows by the names
//! of their algorithm and machine: `cargo bench --bench clock -- mandel turing`.

#[allow(dead_code, unused_imports, unused_macros, reason = "other benches measure more of them")]
mod workloads;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use simt::prelude::*;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use workloads::{Bfs, CollatzU32, Gather, Mandel, Reduce, Saxpy, Search, Workload, verified};

const HEADERS: [&str; 8] =
    ["algorithm", "items", "policy", "machine", "M cycles", "M warp i/s", "target", "vs no clock"];

/// A machine, by its name.
type Machine = (&'static str, fn() -> GpuConfig);

const FUNG2009: Machine = ("fung2009", GpuConfig::fung2009);
const TURING: Machine = ("turing", GpuConfig::turing);

fn main() -> io::Result<()> {
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')));
    table.set_header(HEADERS);
    for column in [1, 4, 5, 6, 7] {
        table.column_mut(column).expect("a header each").set_cell_alignment(CellAlignment::Right);
    }
    let mut add = |row: Option<[String; HEADERS.len()]>| {
        row.into_iter().for_each(|row| {
            table.add_row(row);
        });
    };
    for machine in [FUNG2009, TURING] {
        add(figure::<Mandel, Ipdom>(machine, 1 << 17, Some(8e6)));
        add(figure::<CollatzU32, Ipdom>(machine, 1 << 15, Some(8e6)));
        add(figure::<Saxpy, Ipdom>(machine, 1 << 20, Some(4e6)));
        add(figure::<Reduce, Ipdom>(machine, 1 << 18, Some(4e6)));
        add(figure::<Search, Ipdom>(machine, 1 << 16, Some(1.5e6)));
        add(figure::<Bfs, Ipdom>(machine, 1 << 16, Some(1.5e6)));
        add(figure::<Gather, Ipdom>(machine, 1 << 16, Some(1.5e6)));
    }
    add(figure::<CollatzU32, Dwf<Majority>>(FUNG2009, 1 << 13, None));
    add(figure::<CollatzU32, Mimd>(FUNG2009, 1 << 12, None));
    add(figure::<CollatzU32, BlockCompaction>(FUNG2009, 1 << 13, None));
    writeln!(
        io::stdout().lock(),
        "{}\n\nMachines with caches, crossbar and DRAM; the simulator runs on one core. `i/s`: program instructions per \
         second.\n`vs no clock`: time as a multiple of the same launch without a clock.",
        table.trim_fmt()
    )
}

/// Whether a row is wanted: no word of the command line names other algorithms or other machines only.
fn is_selected(names: [&str; 2]) -> bool {
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with('-'));
    words.all(|word| names.contains(&word.as_str()))
}

/// One row: an algorithm under a policy, with the clock and without, in turns.
fn figure<W: Workload, P: Policy>(
    (name, machine): Machine,
    items: usize,
    target: Option<f64>,
) -> Option<[String; HEADERS.len()]> {
    if !is_selected([W::NAME, name]) {
        return None;
    }
    let items = if workloads::measures() { items } else { 1 << 10 };
    let mut workload = W::new(items);
    let timed = Gpu::<P>::new(machine()).with_checks(Checks::none());
    let functional = Gpu::<P>::default().with_checks(Checks::none());
    let report = verified(&mut workload, &timed);
    let mut rounds: Vec<[Duration; 2]> = (0..3)
        .map(|_| {
            [&timed, &functional].map(|gpu| {
                let begin = Instant::now();
                drop(black_box(workload.launch(gpu)));
                begin.elapsed()
            })
        })
        .collect();
    rounds.sort();
    let [clock, without] = rounds[rounds.len() / 2].map(|time| time.as_secs_f64());
    Some([
        W::NAME.to_string(),
        items.to_string(),
        P::name().to_string(),
        name.to_string(),
        format!("{:.2}", report.cycles().unwrap_or(0) as f64 / 1e6),
        format!("{:.2}", report.issues() as f64 / clock / 1e6),
        target.map_or_else(String::new, |target| format!("{:.1}", target / 1e6)),
        format!("{:.0}", clock / without),
    ])
}
