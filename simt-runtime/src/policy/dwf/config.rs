//! The sizes and rules of dynamic warp formation.

/// The sizes of the hardware of dynamic warp formation: a field of [`GpuConfig`](crate::GpuConfig).
///
/// The default forms warps without limits, lane aware. [`DwfConfig::fung2009`] is the hardware that the paper sizes.
///
/// With a clock ([`GpuConfig::clock`](crate::GpuConfig::clock)) what is limited also takes time. While it is busy no warp of
/// the block issues: see [`Stall::Formation`](crate::Stall::Formation).
///
/// * **Heap** (section 4.4). Threads that come to the majority's address join it; others are an update of the heap. An
///   update, and each swap that it needs, is made after those before it. No new majority is chosen before all are made, and
///   no warp issues while more updates wait than the queue has room for. Warps at the majority's address go on meanwhile.
/// * **Table and pool** (sections 4.2 and 7). In each cycle they take as many threads as their ports allow; others come in
///   later cycles, and meanwhile no thread meets them.
/// * **Memory** (section 4.5). A spilled warp comes back when there is room, but not before the time that a read of memory
///   takes. **Assumed**: the paper leaves this as future work. It delays no other access, and none delays it.
///
/// **Assumed**: the scheduler's own cycle, which is as long as a warp issues, is the last one of each instruction's latency.
/// Work that is done in it costs nothing.
///
/// ```
/// use simt::prelude::*;
/// use simt::policy::{DwfConfig, HomeLanes};
///
/// let dwf = DwfConfig { lanes: HomeLanes::Free, ..DwfConfig::default() };
/// let gpu = Gpu::<Dwf<Majority>>::new(GpuConfig { dwf, ..GpuConfig::functional() });
/// assert!(gpu.config().validate().is_ok());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct DwfConfig {
    /// Whether a thread must issue in the SIMD lane that holds its registers (TACO'09, section 4.1).
    pub lanes: HomeLanes,
    /// Thread swizzling: in every other warp, threads of even and odd lanes change places when they begin (section 4.1).
    pub swizzle: bool,
    /// The PC-warp table, which knows the warp that is being formed at an address; `None` is a table that knows all, at
    /// once.
    pub table: Option<DwfTable>,
    /// How many warps the warp pool has room for; others are spilled to memory (section 4.5), and with a clock it takes one
    /// thread of each SIMD lane a cycle (section 7). `None` is a pool without a limit.
    pub pool: Option<usize>,
    /// The heap that finds the majority (section 4.4); with `None` it is found at once. For [`Majority`](crate::Majority)
    /// only.
    pub heap: Option<DwfHeap>,
}

/// In which SIMD lanes a thread may issue under dynamic warp formation (TACO'09, section 4.1 and Fig. 9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum HomeLanes {
    /// In its home lane only: a warp has at most one thread of each.
    #[default]
    Aware,
    /// In any: every lane reaches all registers.
    Free,
    /// In any, but threads of one home lane read their registers one after the other: each such conflict costs an issue
    /// slot, which the report counts, and with a clock the time of one.
    Conflicts,
}

/// The PC-warp table: a small set-associative memory indexed by the low bits of the address (TACO'09, section 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DwfTable {
    /// Entries of the table.
    pub entries: usize,
    /// Entries of a set.
    pub ways: usize,
    /// With a clock, the number of updates that it takes in a cycle: threads on the way to one address are one update.
    pub ports: usize,
}

/// The heap of addresses by the number of threads there (TACO'09, section 4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DwfHeap {
    /// Addresses that it has room for; others are spilled.
    pub entries: usize,
    /// Swaps of two entries that it makes while a warp issues. A swap takes as long as two updates.
    pub swaps: usize,
    /// Updates that may wait while it is put in order; when more come, no warp issues.
    pub queue: usize,
}

/// Most entries of the PC-warp table: more than a block can have warps.
const MOST_ENTRIES: usize = 1 << 16;

impl Default for DwfConfig {
    fn default() -> Self {
        Self::UNLIMITED
    }
}

impl DwfConfig {
    /// Warps are formed without limits, lane aware.
    pub const UNLIMITED: Self = Self { lanes: HomeLanes::Aware, swizzle: false, table: None, pool: None, heap: None };

    /// The hardware of TACO'09: lane aware with swizzling (section 4.1), a PC-warp table of 64 entries in sets of 4, a pool
    /// of 128 warps and a heap of 64 entries (Table V). A swap reads and writes two entries; two read and two write ports,
    /// four times in a scheduler's cycle, make four swaps (section 4.4.3), with a queue of four updates. Table and pool have
    /// two write ports, and a bank for each lane (section 7). It is what the paper's main results are for (Fig. 13).
    ///
    /// The ideal that the paper compares it with, in sections 6.1 to 6.4, is the default, with [`HomeLanes::Free`].
    pub fn fung2009() -> Self {
        Self {
            lanes: HomeLanes::Aware,
            swizzle: true,
            table: Some(DwfTable { entries: 64, ways: 4, ports: 2 }),
            pool: Some(128),
            heap: Some(DwfHeap { entries: 64, swaps: 4, queue: 4 }),
        }
    }

    /// Bytes of a warp in memory: a number of 10 bits for each thread, and an address of 24 (Table V).
    pub(crate) fn spilled_bytes(warp_width: usize) -> u32 {
        (10 * warp_width as u32 + 24).div_ceil(8)
    }

    /// The first field that cannot work, with the value and what it must be.
    pub(crate) fn problem(&self) -> Option<(&'static str, usize, &'static str)> {
        if let Some(DwfTable { entries, ways, ports }) = self.table {
            if ports == 0 {
                return Some(("dwf.table.ports", ports, "at least 1"));
            }
            if ways == 0 {
                return Some(("dwf.table.ways", ways, "at least 1"));
            }
            if entries > MOST_ENTRIES {
                return Some(("dwf.table.entries", entries, "at most 65536"));
            }
            if entries == 0 || !entries.is_multiple_of(ways) {
                return Some(("dwf.table.entries", entries, "a multiple of `dwf.table.ways`, and at least that"));
            }
        }
        if self.pool == Some(0) {
            return Some(("dwf.pool", 0, "at least 1"));
        }
        let heap = self.heap?;
        let fields =
            [("dwf.heap.entries", heap.entries), ("dwf.heap.swaps", heap.swaps), ("dwf.heap.queue", heap.queue)];
        fields.into_iter().find(|&(_, value)| value == 0).map(|(field, value)| (field, value, "at least 1"))
    }
}
