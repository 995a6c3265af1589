//! What the levels count.

/// The figures of a memory hierarchy since it was made, summed over caches, ports and modules of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HierarchyFigures {
    /// The first level of caches, one a core.
    pub l1: CacheFigures,
    /// The second level, one slice a partition.
    pub l2: CacheFigures,
    /// The crossbar between them.
    pub crossbar: CrossbarFigures,
    /// The memory modules behind their controllers.
    pub dram: DramFigures,
}

impl HierarchyFigures {
    /// Adds what another launch has counted.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.l1.add(&other.l1);
        self.l2.add(&other.l2);
        self.crossbar.requests += other.crossbar.requests;
        self.crossbar.request_flits += other.crossbar.request_flits;
        self.crossbar.replies += other.crossbar.replies;
        self.crossbar.reply_flits += other.crossbar.reply_flits;
        self.dram.add(&other.dram);
    }
}

/// What caches of a level count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CacheFigures {
    /// Requests looked up, those included that pass by: `hits + pending_hits + misses + passed`.
    pub accesses: u64,
    /// Accesses that found all they needed.
    pub hits: u64,
    /// Accesses that missed, but joined a request that was already underway (TACO'09, footnote 13).
    pub pending_hits: u64,
    /// Accesses that missed and asked the next level, or made a new line without asking because they overwrite all of it.
    pub misses: u64,
    /// Accesses that the cache does not keep: stores under write-through, atomics at the first level, loads past it.
    pub passed: u64,
    /// Accesses that had to wait at the head of the queue, by the first thing they lacked: an MSHR,
    pub stalls_mshr: u64,
    /// room to join the request that is underway,
    pub stalls_merge: u64,
    /// a line of the set that is not waiting for its bytes, or the line itself,
    pub stalls_line: u64,
    /// room in the queue to the next level.
    pub stalls_queue: u64,
    /// Cycles that accesses waited at the head of the queue for one of these.
    pub stall_cycles: u64,
    /// Lines that went for another, or for an access that passes by.
    pub evictions: u64,
    /// Dirty lines that were written to the next level.
    pub write_backs: u64,
}

impl CacheFigures {
    /// Misses of all accesses that the cache keeps, pending hits counted as misses (TACO'09, Table III); 0 without any.
    pub fn miss_rate(&self) -> f64 {
        ratio(self.misses + self.pending_hits, self.accesses - self.passed)
    }

    /// Misses of all accesses that the cache keeps, pending hits not counted as misses (TACO'09, Table IV); 0 without any.
    pub fn miss_rate_without_pending_hits(&self) -> f64 {
        ratio(self.misses, self.accesses - self.passed)
    }

    pub(super) fn add(&mut self, other: &Self) {
        let Self {
            accesses,
            hits,
            pending_hits,
            misses,
            passed,
            stalls_mshr,
            stalls_merge,
            stalls_line,
            stalls_queue,
            stall_cycles,
            evictions,
            write_backs,
        } = other;
        self.accesses += accesses;
        self.hits += hits;
        self.pending_hits += pending_hits;
        self.misses += misses;
        self.passed += passed;
        self.stalls_mshr += stalls_mshr;
        self.stalls_merge += stalls_merge;
        self.stalls_line += stalls_line;
        self.stalls_queue += stalls_queue;
        self.stall_cycles += stall_cycles;
        self.evictions += evictions;
        self.write_backs += write_backs;
    }
}

/// What the crossbar counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CrossbarFigures {
    /// Requests carried from cores to partitions.
    pub requests: u64,
    /// Their flits.
    pub request_flits: u64,
    /// Replies carried from partitions to cores.
    pub replies: u64,
    /// Their flits.
    pub reply_flits: u64,
}

/// What memory modules count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DramFigures {
    /// Read commands.
    pub reads: u64,
    /// Write commands.
    pub writes: u64,
    /// Reads and writes for which no row was activated: it was open.
    pub row_hits: u64,
    /// Reads and writes for which their row was activated.
    pub row_misses: u64,
    /// Activate commands.
    pub activates: u64,
    /// Precharge commands.
    pub precharges: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// Cycles of the memory's clock in which a data bus carried bytes, summed over modules.
    pub busy_cycles: u64,
}

impl DramFigures {
    /// Reads and writes that found their row open, of all; 0 without any.
    pub fn row_hit_rate(&self) -> f64 {
        ratio(self.row_hits, self.row_hits + self.row_misses)
    }

    pub(super) fn add(&mut self, other: &Self) {
        let Self { reads, writes, row_hits, row_misses, activates, precharges, bytes, busy_cycles } = other;
        self.reads += reads;
        self.writes += writes;
        self.row_hits += row_hits;
        self.row_misses += row_misses;
        self.activates += activates;
        self.precharges += precharges;
        self.bytes += bytes;
        self.busy_cycles += busy_cycles;
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
