//! Speed of the clock: warp instructions per second of launches that are timed, beside the same launches without a clock.
//!
//! The machine is `fung2009()` with its whole hierarchy of memory. Alone: `cargo bench --bench clock`.

#[allow(dead_code, unused_imports, unused_macros, reason = "other benches measure more of them")]
mod workloads;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use simt::prelude::*;
use std::hint::black_box;
use std::io::{self, Write};
use std::time::{Duration, Instant};
use workloads::{CollatzU32, Mandel, Saxpy, Search, Workload, verified};

const HEADERS: [&str; 7] = ["algorithm", "items", "policy", "M cycles", "M warp i/s", "target", "vs no clock"];

fn main() -> io::Result<()> {
    let full = workloads::measures();
    let items = |items: usize| if full { items } else { 1 << 10 };
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')));
    table.set_header(HEADERS);
    for column in [1, 3, 4, 5, 6] {
        table.column_mut(column).expect("a header each").set_cell_alignment(CellAlignment::Right);
    }
    let mut add = |row: [String; HEADERS.len()]| {
        table.add_row(row);
    };
    add(figure::<Mandel, Ipdom>(items(1 << 14), Some(2e6)));
    add(figure::<CollatzU32, Ipdom>(items(1 << 14), Some(2e6)));
    add(figure::<Saxpy, Ipdom>(items(1 << 18), Some(500e3)));
    add(figure::<Search, Ipdom>(items(1 << 16), None));
    add(figure::<CollatzU32, Dwf<Majority>>(items(1 << 13), None));
    add(figure::<CollatzU32, Mimd>(items(1 << 12), None));
    add(figure::<CollatzU32, BlockCompaction>(items(1 << 13), None));
    writeln!(
        io::stdout().lock(),
        "{}\n\nThe machine of TACO'09 with caches, crossbar and DRAM; the simulator runs on one core. `i/s`: program \
         instructions per second.\n`vs no clock`: time as a multiple of the same launch without a clock.",
        table.trim_fmt()
    )
}

/// One row: an algorithm under a policy, with the clock and without, in turns.
fn figure<W: Workload, P: Policy>(items: usize, target: Option<f64>) -> [String; HEADERS.len()] {
    let mut workload = W::new(items);
    let timed = Gpu::<P>::new(GpuConfig::fung2009()).with_checks(Checks::none());
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
    [
        W::NAME.to_string(),
        items.to_string(),
        P::name().to_string(),
        format!("{:.2}", report.cycles().unwrap_or(0) as f64 / 1e6),
        format!("{:.2}", report.issues() as f64 / clock / 1e6),
        target.map_or_else(String::new, |target| format!("{:.1}", target / 1e6)),
        format!("{:.0}", clock / without),
    ]
}
