//! Figure 7: reconvergence at the best points that there are.

use crate::page::{Cell, Page, Table};
use crate::plot::Bars;
use crate::programs::{CONTRIVED, PROGRAMS, Scale};
use crate::runner::{Needs, Results, harmonic};

pub(super) fn needs(needs: &mut Needs, _scale: Scale) {
    needs.limits = true;
}

/// Thread instructions per issue of warps of four, with a memory that always hits: NREC, PDOM and the oracle; of the seven
/// programs the harmonic mean, and of the contrived loop.
pub(super) fn rates(results: &Results) -> [[f64; 3]; 2] {
    let of = |number: usize| {
        let limits = results.limits[number];
        [limits.nrec, limits.pdom, limits.oracle].map(|issues| limits.thread_instructions as f64 / issues as f64)
    };
    let all: Vec<[f64; 3]> = (0..PROGRAMS.len()).map(of).collect();
    let mean = [0, 1, 2].map(|which: usize| harmonic(&all.iter().map(|rates| rates[which]).collect::<Vec<_>>()));
    [mean, of(PROGRAMS.len())]
}

pub(super) fn page(results: &Results, _scale: Scale) -> Result<Page, String> {
    let [real, contrived] = rates(results);
    let mut table = Table::new(
        "Thread instructions per issue of warps of 4, of the first 128 threads.",
        &["NREC", "PDOM", "ORACLE", "ORACLE over PDOM"],
        3,
    );
    for (number, program) in PROGRAMS.iter().chain([&CONTRIVED]).enumerate() {
        let limits = results.limits[number];
        let rate = |issues: u64| limits.thread_instructions as f64 / issues as f64;
        let gain = limits.pdom as f64 / limits.oracle as f64;
        let gain = if program.name == CONTRIVED.name { Cell::beside(gain, 1.92) } else { Cell::from(gain) };
        table.row(program.name, [rate(limits.nrec).into(), rate(limits.pdom).into(), rate(limits.oracle).into(), gain]);
    }
    table
        .row("real programs", [real[0].into(), real[1].into(), real[2].into(), Cell::beside(real[2] / real[1], 1.026)]);
    let bars = Bars {
        title: "Optimal reconvergence points, warps of 4",
        unit: "thread instructions per issue",
        groups: vec!["contrived".into(), "real programs".into()],
        series: ["NREC", "PDOM", "ORACLE"]
            .iter()
            .enumerate()
            .map(|(which, label)| (label.to_string(), vec![contrived[which], real[which]]))
            .collect(),
        printed: vec![(0, 2, 1.92 * contrived[1]), (1, 2, 1.026 * real[1])],
    };
    Ok(Page { pictures: vec![("figure-7.svg".into(), bars.svg()?)], tables: vec![table], ..Page::default() })
}
