//! Which memory a launch runs on.

use super::cache::Geometry;

/// The memory that kernels see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MemoryModel {
    /// Every access is seen at once by all threads.
    #[default]
    Ideal,
    /// The memory environment of the CUDA report, section 4: L1 caches that are not coherent, stores that are seen later,
    /// blocks and warps in any order. The same launch with another seed may come to another result.
    Environment(EnvironmentConfig),
}

/// The memory environment of a launch. Its default has the sizes of a GTX 480 (CUDA report, Fig. 3.2).
///
/// ```
/// use simt_runtime::environment::{EnvironmentConfig, Geometry, MemoryModel};
///
/// let config = EnvironmentConfig { l1: Geometry { sets: 1, ways: 2 }, ..EnvironmentConfig::seeded(7) };
/// assert_eq!(config.problem(), None);
/// assert_eq!(MemoryModel::default(), MemoryModel::Ideal);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct EnvironmentConfig {
    /// The seed of all free choices: which warp runs next, which memory operation makes a step, which line is evicted.
    pub seed: u64,
    /// Multiprocessors: 1 to 1024.
    pub processors: usize,
    /// How many blocks a multiprocessor runs at a time: 1 to 64.
    pub resident_blocks: usize,
    /// Most instructions that a warp issues before another may run. A warp stops behind each access of memory that other
    /// threads see, too.
    /// see, too.
    pub turn: usize,
    /// Bytes of a cache line: 8, 16, 32, 64 or 128.
    pub line_bytes: usize,
    /// The L1 cache of each multiprocessor.
    pub l1: Geometry,
    /// The L2 cache.
    pub l2: Geometry,
    /// Banks of shared memory.
    pub banks: usize,
    /// Whether a thread's accesses of the same bytes keep their order. The report promises no such order, though tests saw
    /// one (section 4.6); without it a thread may fail to read what it has just written.
    pub own_order: bool,
    /// Whether a load between the steps of a store can bring the old line back to L1, as in listing 4.1 (section 4.7). Then
    /// even what a barrier of the block has ordered may be stale, as soon as two warps write to one line.
    pub refill_race: bool,
    /// Most instructions that a warp issues, if that is less than the machine's `step_limit`: here nothing proves that a
    /// warp spins without end, and instructions take longer.
    pub step_limit: u64,
}

impl Default for EnvironmentConfig {
    /// 15 multiprocessors of up to 8 blocks, L1 of 16 KB, L2 of 768 KB, lines of 128 bytes, 32 banks.
    ///
    /// **Assumed:** L1 has 4 ways and L2 16, turns are of at most 16 instructions, and a warp issues at most 2^20.
    fn default() -> Self {
        Self {
            seed: 0,
            processors: 15,
            resident_blocks: 8,
            turn: 16,
            line_bytes: 128,
            l1: Geometry { sets: 32, ways: 4 },
            l2: Geometry { sets: 384, ways: 16 },
            banks: 32,
            own_order: true,
            refill_race: false,
            step_limit: 1 << 20,
        }
    }
}

impl EnvironmentConfig {
    /// The default with other choices.
    pub fn seeded(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// The first field that cannot work, its value, and what it must be.
    pub fn problem(&self) -> Option<(&'static str, usize, &'static str)> {
        const LINES: &str = "at least 1, and at most 65536 lines together";
        let bad = |geometry: Geometry, most: usize| {
            geometry.sets == 0
                || geometry.ways == 0
                || geometry.sets.checked_mul(geometry.ways).is_none_or(|lines| lines > most)
        };
        let within = |value: usize, most: usize| (1..=most).contains(&value);
        [
            ("processors", self.processors, "1 to 1024", within(self.processors, 1024)),
            ("resident_blocks", self.resident_blocks, "1 to 64", within(self.resident_blocks, 64)),
            ("turn", self.turn, "at least 1", self.turn > 0),
            (
                "line_bytes",
                self.line_bytes,
                "8, 16, 32, 64 or 128",
                self.line_bytes.is_power_of_two() && (8..=128).contains(&self.line_bytes),
            ),
            ("l1.sets", self.l1.sets, LINES, self.l1.sets != 0),
            ("l1.ways", self.l1.ways, LINES, !bad(self.l1, 1 << 16)),
            (
                "l1.ways",
                self.l1.ways,
                "few enough that the L1 caches of all processors have at most 1048576 lines together",
                self.l1.sets.saturating_mul(self.l1.ways).saturating_mul(self.processors) <= 1 << 20,
            ),
            ("l2.sets", self.l2.sets, LINES, self.l2.sets != 0),
            ("l2.ways", self.l2.ways, LINES, !bad(self.l2, 1 << 16)),
            ("banks", self.banks, "1 to 1024", within(self.banks, 1024)),
            ("step_limit", self.step_limit as usize, "at least 1", self.step_limit > 0),
        ]
        .into_iter()
        .find_map(|(field, value, must, works)| (!works).then_some((field, value, must)))
    }
}
