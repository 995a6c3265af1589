//! The sizes and rules of dynamic warp formation.

/// What a machine with dynamic warp formation is built of: a field of [`GpuConfig`](crate::GpuConfig).
///
/// The default forms warps without limits, lane aware. [`DwfConfig::fung2009`] is the hardware that the paper sizes.
///
/// ```
/// use simt::prelude::*;
/// use simt::{DwfConfig, HomeLanes};
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
    /// The PC-warp table, which knows the warp that is being formed at an address; without, one that knows all.
    pub table: Option<DwfTable>,
    /// How many warps the warp pool has room for; others are spilled to memory (section 4.5). Without, as many as come.
    pub pool: Option<usize>,
    /// The heap that finds the majority (section 4.4); without, it is found at once. For [`Majority`](crate::Majority) only.
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
    /// slot, which the report counts.
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
}

/// The heap of addresses by the number of threads there (TACO'09, section 4.4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DwfHeap {
    /// Addresses that it has room for; others are spilled.
    pub entries: usize,
    /// Swaps of two entries that it makes while a warp issues.
    pub swaps: usize,
    /// Updates that wait while it is put in order; when more come the scheduler stalls.
    pub queue: usize,
}

/// Most entries of the PC-warp table: more than a block can have warps.
const MOST_ENTRIES: usize = 1 << 16;

impl Default for DwfConfig {
    fn default() -> Self {
        Self { lanes: HomeLanes::Aware, swizzle: false, table: None, pool: None, heap: None }
    }
}

impl DwfConfig {
    /// The hardware of TACO'09: lane aware with swizzling (section 4.1), a PC-warp table of 64 entries in sets of 4, a pool
    /// of 128 warps and a heap of 64 entries (Table V). A swap reads and writes two entries; two read and two write ports,
    /// four times in a scheduler's cycle, make four swaps (section 4.4.3), with a queue of four updates.
    pub fn fung2009() -> Self {
        Self {
            lanes: HomeLanes::Aware,
            swizzle: true,
            table: Some(DwfTable { entries: 64, ways: 4 }),
            pool: Some(128),
            heap: Some(DwfHeap { entries: 64, swaps: 4, queue: 4 }),
        }
    }

    /// The first field that cannot work, with the value and what it must be.
    pub(crate) fn problem(&self) -> Option<(&'static str, usize, &'static str)> {
        if let Some(DwfTable { entries, ways }) = self.table {
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
