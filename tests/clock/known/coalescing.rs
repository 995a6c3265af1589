//! What the accesses of a warp become: sweeps of strides and of misalignments, and a first level that shows its size.

use crate::machine::{Levels, first_level, kernel, machines, memory, remembering, timed};
use simt::hierarchy::{Coalescing, HierarchyConfig, Replacement};
use simt::host::{Argument, Kernel};
use simt::{GpuConfig, Grid};

const LANES: u64 = 32;
const BYTES: u64 = 4;

/// Lane *i* loads element `stride * i + offset`, so often.
fn sweep(stride: u64, offset: u64, loads: usize) -> Kernel {
    let load = "ld.u32 %v, x[%at]\n".repeat(loads);
    kernel(&format!(
        "kernel sweep(x: &[u32], out: &mut [u32])\n.reg usize %at, u32 %v\n\
         mad.usize %at, global_id(), {stride}, {offset}\n{load}st.u32 out[0], %v\nexit"
    ))
}

/// Transactions of one such load.
fn transactions(config: &GpuConfig, stride: u64, offset: u64) -> u64 {
    let x = vec![0u32; (LANES * stride + offset) as usize + 1];
    let [one, three] = [1, 3].map(|loads| {
        let mut out = [0u32];
        let arguments = vec![Argument::slice(&x), Argument::slice_mut(&mut out)];
        let report = timed(config, Grid::new(1, LANES as usize), &sweep(stride, offset, loads), arguments);
        (report.requests(), report.transactions())
    });
    assert_eq!(three.0 - one.0, 2);
    assert_eq!((three.1 - one.1) % 2, 0);
    (three.1 - one.1) / 2
}

/// Units of so many bytes that `lanes` lanes from `first` on touch, if the slice begins with a unit: those from that of the
/// first lane to that of the last, as long as no lane steps over one; else one a lane.
fn units(unit: u64, first: u64, lanes: u64, stride: u64, offset: u64) -> u64 {
    let of = |lane: u64| (stride * lane + offset) * BYTES / unit;
    if stride * BYTES <= unit { of(first + lanes - 1) - of(first) + 1 } else { lanes }
}

fn expected(rule: Coalescing, stride: u64, offset: u64) -> u64 {
    match rule {
        Coalescing::PerThread => LANES,
        Coalescing::Lines { line } => units(u64::from(line), 0, LANES, stride, offset),
        // Each half of a warp has segments of its own.
        Coalescing::Segments => units(128, 0, 16, stride, offset) + units(128, 16, 16, stride, offset),
        // Sectors of a line that lie side by side go together: no sector is stepped over, or each lane has its own, of which
        // no two are neighbours.
        Coalescing::Sectors { sector, line } => {
            assert!(stride * BYTES <= u64::from(sector) || stride * BYTES >= 2 * u64::from(sector));
            if stride * BYTES <= u64::from(sector) { units(u64::from(line), 0, LANES, stride, offset) } else { LANES }
        }
    }
}

#[test]
fn strides_and_misalignments_by_rule() {
    for (name, config) in machines() {
        let line = memory(&config).l1().line;
        let mut rules = vec![
            memory(&config).coalescing,
            Coalescing::PerThread,
            Coalescing::Lines { line },
            Coalescing::Lines { line: 32 },
            Coalescing::Sectors { sector: 32, line },
        ];
        if line >= 128 {
            rules.push(Coalescing::Segments);
        }
        for rule in rules {
            let config = remembering(config.clone(), |memory| memory.coalescing = rule);
            for stride in [0, 1, 2, 4, 8, 16, 32, 64] {
                for offset in [0, 1, 7, 8, 15, 31, 32, 33] {
                    let found = transactions(&config, stride, offset);
                    let want = expected(rule, stride, offset);
                    assert_eq!(found, want, "{name} {rule:?}: stride {stride}, offset {offset}");
                }
            }
        }
    }
}

/// Rounds of one thread over so many elements so far apart, in bytes; how many of the loads missed in the first level, and
/// how many hit.
fn rounds(config: &GpuConfig, elements: u64, apart: u64, rounds: usize) -> (u64, u64) {
    let load: String = (0..elements).map(|n| format!("ld.u32 %v, x[{}]\n", n * apart / BYTES)).collect();
    let kernel = kernel(&format!(
        "kernel rounds(x: &[u32], out: &mut [u32])\n.reg u32 %v\n{}st.u32 out[0], %v\nexit",
        load.repeat(rounds)
    ));
    let (x, mut out) = (vec![0u32; (elements * apart / BYTES) as usize + 1], [0u32]);
    let report = timed(config, Grid::new(1, 1), &kernel, vec![Argument::slice(&x), Argument::slice_mut(&mut out)]);
    let l1 = first_level(&report);
    (l1.misses, l1.hits)
}

/// A small first level, one load at a time.
fn cache(line: u32, ways: u32, sets: u32) -> GpuConfig {
    let config = GpuConfig::fung2009();
    remembering(config, |memory: &mut HierarchyConfig| {
        (memory.l1_mut().line, memory.l1_mut().sector, memory.l1_mut().ways) = (line, line, ways);
        memory.l1_mut().bytes = u64::from(line * ways * sets);
        memory.l1_mut().replacement = Replacement::Lru;
        memory.coalescing = Coalescing::Lines { line };
        memory.coalescing_past = Coalescing::Lines { line };
    })
}

/// Loads side by side miss once a line; so a sweep of strides shows the line: the misses of *n* loads are
/// *n · min(stride / line, 1)*. The store at the end is one more.
#[test]
fn a_sweep_shows_the_line() {
    for line in [32, 64, 128, 256] {
        for stride in [4, 8, 16, 32, 64, 128, 256] {
            let (misses, _) = rounds(&cache(line, 4, 64), 64, stride, 1);
            assert_eq!(misses, (64 * stride / u64::from(line)).clamp(1, 64) + 1, "line {line}, stride {stride}");
        }
    }
}

/// With LRU, rounds over as many lines as there are hit but for the first; one line more, and its set has nothing left of
/// the round before. Lines that are a set's worth apart all meet in one set, which has as many as there are ways. (The store
/// at the end is the one more miss.)
#[test]
fn a_sweep_shows_capacity_and_ways() {
    for (ways, sets) in [(1, 8), (2, 4), (4, 8), (8, 2), (3, 4)] {
        let config = cache(64, ways, sets);
        let (ways, sets) = (u64::from(ways), u64::from(sets));
        let full = ways * sets;
        let all = |elements, apart| rounds(&config, elements, apart, 4);
        assert_eq!(all(full, 64), (full + 1, 3 * full), "{ways} ways, {sets} sets: all lines");
        // The set of the line too many misses with all of its `ways + 1` lines, the others hit.
        let (misses, hits) = all(full + 1, 64);
        assert_eq!(
            (misses, hits),
            (full + 1 + 3 * (ways + 1) + 1, 3 * (full - ways)),
            "{ways} ways, {sets} sets: one more"
        );
        // One set alone.
        assert_eq!(all(ways, 64 * sets), (ways + 1, 3 * ways), "{ways} ways, {sets} sets: a set");
        assert_eq!(all(ways + 1, 64 * sets), (4 * (ways + 1) + 1, 0), "{ways} ways, {sets} sets: one more of it");
    }
}
