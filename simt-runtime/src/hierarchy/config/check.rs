//! The conditions that a hierarchy's config must meet.

use super::super::coalescing::Coalescing;
use super::{CacheConfig, HierarchyConfig};

/// A field, its value and what it must be.
type Problem = (&'static str, usize, &'static str);

/// The limit on entries of queues and trackers: a larger number would be a mistake.
const MOST: u32 = 1 << 14;
/// Most cycles of a timing.
const LONGEST: u32 = 1 << 20;
/// Most bytes of a cache.
const LARGEST: u64 = 1 << 32;

/// The names of the fields of a cache, by the level.
macro_rules! cache_fields {
    ($level:literal) => {
        CacheFields {
            bytes: concat!($level, ".bytes"),
            ways: concat!($level, ".ways"),
            line: concat!($level, ".line"),
            sector: concat!($level, ".sector"),
            hit_latency: concat!($level, ".hit_latency"),
            miss_latency: concat!($level, ".miss_latency"),
            ports: concat!($level, ".ports"),
            atomic_cycles: concat!($level, ".atomic_cycles"),
            mshrs: concat!($level, ".mshrs"),
            merges: concat!($level, ".merges"),
            passes: concat!($level, ".passes"),
            queue: concat!($level, ".queue"),
            miss_queue: concat!($level, ".miss_queue"),
        }
    };
}

struct CacheFields {
    bytes: &'static str,
    ways: &'static str,
    line: &'static str,
    sector: &'static str,
    hit_latency: &'static str,
    miss_latency: &'static str,
    ports: &'static str,
    atomic_cycles: &'static str,
    mshrs: &'static str,
    merges: &'static str,
    passes: &'static str,
    queue: &'static str,
    miss_queue: &'static str,
}

impl HierarchyConfig {
    /// Lines of all caches, on a machine of so many cores whose first levels have so many bytes each.
    pub(crate) fn lines(&self, cores: usize, first: u64) -> u64 {
        let lines = |cache: &CacheConfig, bytes: u64| bytes / u64::from(cache.line.max(1));
        let second = lines(&self.l2, self.l2.bytes) * u64::from(self.partitions);
        lines(&self.l1, first).saturating_mul(cores as u64).saturating_add(second)
    }

    /// The first field that cannot work, with the value and what it must be. Names are those of the fields, with dots.
    pub fn problem(&self) -> Option<Problem> {
        let Self { coalescing, coalescing_past, l1, crossbar, partitions, interleave, l2, dram, copied: _ } = self;
        if !(1..=128).contains(partitions) {
            return Some(("partitions", *partitions as usize, "1 to 128"));
        }
        if *interleave == 0 {
            return Some(("interleave", 0, "at least 1"));
        }
        if let Some(problem) = cache(l1, &cache_fields!("l1")).or_else(|| cache(l2, &cache_fields!("l2"))) {
            return Some(problem);
        }
        for (there, line) in [(l1.is_there(), l1.line), (l2.is_there(), l2.line)] {
            if there && !interleave.is_multiple_of(line) {
                return Some(("interleave", *interleave as usize, "a multiple of `l1.line` and `l2.line`"));
            }
        }
        if l1.is_there() && l2.is_there() && l1.line > l2.line {
            return Some(("l1.line", l1.line as usize, "at most `l2.line`: a line comes from one line"));
        }
        // The level that comes first takes the transactions.
        let line = if l1.is_there() {
            l1.line
        } else if l2.is_there() {
            l2.line
        } else {
            *interleave
        };
        for (field, of) in [("coalescing", coalescing), ("coalescing_past", coalescing_past)] {
            if let Some(problem) = rule(*of, line, field) {
                return Some(problem);
            }
        }
        let sizes = [
            ("crossbar.flit", crossbar.flit),
            ("crossbar.header", crossbar.header),
            ("crossbar.queue", crossbar.queue),
            ("crossbar.output_queue", crossbar.output_queue),
            ("crossbar.replies", crossbar.replies),
            ("dram.queue", dram.queue),
            ("dram.bus", dram.bus),
            ("dram.clock", dram.clock),
            ("dram.core_clock", dram.core_clock),
        ];
        let times = [
            ("dram.t_cl", dram.t_cl),
            ("dram.t_rp", dram.t_rp),
            ("dram.t_rc", dram.t_rc),
            ("dram.t_ras", dram.t_ras),
            ("dram.t_rcd", dram.t_rcd),
            ("dram.t_rrd", dram.t_rrd),
            ("dram.t_wl", dram.t_wl),
            ("dram.t_wr", dram.t_wr),
            ("dram.t_wtr", dram.t_wtr),
            ("dram.t_rtp", dram.t_rtp),
            ("dram.turnaround", dram.turnaround),
            ("dram.latency", dram.latency),
        ];
        if !(1..=LONGEST).contains(&crossbar.latency) {
            return Some(("crossbar.latency", crossbar.latency as usize, "1 to 1048576"));
        }
        if let Some(problem) = between(&sizes, 1, MOST, "1 to 16384") {
            return Some(problem);
        }
        if let Some(problem) = between(&times, 0, LONGEST, "at most 1048576") {
            return Some(problem);
        }
        if !(1..=64).contains(&dram.banks) {
            return Some(("dram.banks", dram.banks as usize, "1 to 64"));
        }
        let row = dram.row;
        if !row.is_power_of_two() {
            return Some(("dram.row", row as usize, "a power of two"));
        }
        let line = if l2.is_there() { l2.line } else { l1.line };
        (row < line).then_some(("dram.row", row as usize, "at least a line"))
    }
}

/// The problem of a rule for a level that takes at most a `line` at once.
fn rule(rule: Coalescing, line: u32, field: &'static str) -> Option<Problem> {
    let (unit, whole) = match rule {
        Coalescing::PerThread => {
            return (line < 16).then_some((field, 16, "a rule whose transactions fit into a line"));
        }
        Coalescing::Segments => (32, 128),
        Coalescing::Lines { line } => (line, line),
        Coalescing::Sectors { sector, line } => (sector, line),
    };
    if !unit.is_power_of_two() || !whole.is_power_of_two() || unit > whole {
        return Some((field, unit as usize, "a rule whose sizes are powers of two, a sector at most a line"));
    }
    (whole > line).then_some((field, whole as usize, "a rule whose transactions fit into a line"))
}

fn between(fields: &[(&'static str, u32)], least: u32, most: u32, must: &'static str) -> Option<Problem> {
    let bad = fields.iter().find(|(_, value)| !(least..=most).contains(value));
    bad.map(|&(field, value)| (field, value as usize, must))
}

fn cache(cache: &CacheConfig, names: &CacheFields) -> Option<Problem> {
    let CacheConfig {
        bytes,
        ways,
        line,
        sector,
        replacement: _,
        write: _,
        hit_latency,
        miss_latency,
        ports,
        atomic_cycles,
        mshrs,
        merges,
        passes,
        queue,
        miss_queue,
    } = *cache;
    if bytes == 0 {
        return None;
    }
    if !line.is_power_of_two() || line > MOST {
        return Some((names.line, line as usize, "a power of two, at most 16384"));
    }
    if !sector.is_power_of_two() || sector > line {
        return Some((names.sector, sector as usize, "a power of two, and no larger than the line"));
    }
    if line / sector > 32 {
        return Some((names.sector, sector as usize, "large enough that a line has at most 32 sectors"));
    }
    if ways == 0 {
        return Some((names.ways, 0, "at least 1"));
    }
    if bytes > LARGEST || !bytes.is_multiple_of(u64::from(line) * u64::from(ways)) {
        return Some((names.bytes, bytes as usize, "a multiple of line * ways, and at most 4 GiB"));
    }
    let sizes = [
        (names.ports, ports),
        (names.mshrs, mshrs),
        (names.merges, merges),
        (names.passes, passes),
        (names.queue, queue),
    ];
    let times =
        [(names.hit_latency, hit_latency), (names.miss_latency, miss_latency), (names.atomic_cycles, atomic_cycles)];
    between(&sizes, 1, MOST, "1 to 16384")
        .or_else(|| between(&times, 1, LONGEST, "1 to 1048576"))
        .or_else(|| between(&[(names.miss_queue, miss_queue)], 2, MOST, "2 to 16384"))
}
