//! The figures that the levels count.

use super::level::{AccessKind, CacheOperator, Request};

/// A struct of counters that can be added and taken from each other, of one list of fields.
macro_rules! counters {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name {
            $($(#[$field_doc])* pub $field: u64,)*
        }

        impl $name {
            pub(super) fn add(&mut self, other: &Self) {
                $(self.$field += other.$field;)*
            }

            /// The difference to the `earlier` figures.
            pub fn since(&self, earlier: &Self) -> Self {
                Self { $($field: self.$field.saturating_sub(earlier.$field),)* }
            }
        }
    };
}

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

counters! {
    /// The figures of the caches of a level.
    CacheFigures {
        /// Requests looked up, those included that pass by: `hits + pending_hits + misses + passed`.
        accesses,
        /// Accesses that found all they needed.
        hits,
        /// Accesses that missed, but joined a request that was already underway (TACO'09, footnote 13).
        pending_hits,
        /// Accesses that missed and asked the next level, or made a new line without asking because they overwrite sectors
        /// as a whole.
        misses,
        /// Accesses that the cache does not keep to itself: stores under write-through, atomics at the first level, loads
        /// that bypass it.
        passed,
        /// Sectors that loads touch: of a cache without sectors, lines.
        load_sectors,
        /// Of those, the ones that were neither here nor on their way.
        load_sector_misses,
        /// Sectors that stores touch.
        store_sectors,
        /// Of those, the ones that were neither here nor on their way.
        store_sector_misses,
        /// Sectors that loads and stores touch that are `volatile` or `.cv`; they are in none of the other figures by kind.
        volatile_sectors,
        /// Sectors that atomics touch.
        atomic_sectors,
        /// Sectors that were asked of the next level, for lines here or past them.
        sectors_read,
        /// Sectors that went to the next level: stores, and lines that are written back.
        sectors_written,
        /// Accesses that waited at the head of the queue for want of an MSHR, or of a place among those that pass by.
        stalls_mshr,
        /// Accesses that waited for room to join a request that was underway.
        stalls_merge,
        /// Accesses that waited for a line: all of the set, or the line itself, were underway.
        stalls_line,
        /// Accesses that waited for room in the queue to the next level.
        stalls_queue,
        /// Cycles that accesses waited for one of these.
        stall_cycles,
        /// Lines that went for another, or for an access that passes by.
        evictions,
        /// Dirty lines that were written to the next level. Those that are dirty when a launch ends are among them: they are
        /// written back between launches (TACO'09, section 2.1), which takes no time and counts nowhere else, neither as
        /// [`CacheFigures::sectors_written`] or [`CacheFigures::evictions`] nor at the levels behind.
        write_backs,
    }
}

counters! {
    /// The figures of the crossbar.
    CrossbarFigures {
        /// Requests carried from cores to partitions.
        requests,
        /// Their flits.
        request_flits,
        /// Replies carried from partitions to cores.
        replies,
        /// Their flits.
        reply_flits,
    }
}

counters! {
    /// The figures of the memory modules.
    DramFigures {
        /// Read commands.
        reads,
        /// Write commands.
        writes,
        /// Reads and writes for which no row was activated: it was open.
        row_hits,
        /// Reads and writes for which their row was activated.
        row_misses,
        /// Activate commands.
        activates,
        /// Precharge commands.
        precharges,
        /// Bytes moved.
        bytes,
        /// Cycles of the memory's clock in which a data bus carried bytes, summed over modules.
        busy_cycles,
    }
}

impl HierarchyFigures {
    /// Adds the figures of another launch.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.l1.add(&other.l1);
        self.l2.add(&other.l2);
        self.crossbar.add(&other.crossbar);
        self.dram.add(&other.dram);
    }

    /// The difference to the `earlier` figures: those of one launch, or of one interval of it.
    pub fn since(&self, earlier: &Self) -> Self {
        Self {
            l1: self.l1.since(&earlier.l1),
            l2: self.l2.since(&earlier.l2),
            crossbar: self.crossbar.since(&earlier.crossbar),
            dram: self.dram.since(&earlier.dram),
        }
    }
}

impl CacheFigures {
    /// Counts the lookup of a request that touches these sectors, `missing` of which were not there.
    pub(super) fn looked_up(&mut self, request: &Request, touched: u32, missed: u32) {
        let (touched, missed) = (u64::from(touched.count_ones()), u64::from(missed.count_ones()));
        match request.kind {
            AccessKind::Atomic => self.atomic_sectors += touched,
            _ if request.operator == CacheOperator::Volatile => self.volatile_sectors += touched,
            AccessKind::Load => {
                self.load_sectors += touched;
                self.load_sector_misses += missed;
            }
            AccessKind::Store => {
                self.store_sectors += touched;
                self.store_sector_misses += missed;
            }
        }
    }

    /// Misses of all accesses that the cache keeps, pending hits counted as misses (TACO'09, Table III); 0 without any.
    pub fn miss_rate(&self) -> f64 {
        ratio(self.misses + self.pending_hits, self.accesses - self.passed)
    }

    /// Misses of all accesses that the cache keeps, pending hits not counted as misses (TACO'09, Table IV); 0 without any.
    pub fn miss_rate_without_pending_hits(&self) -> f64 {
        ratio(self.misses, self.accesses - self.passed)
    }
}

impl DramFigures {
    /// Reads and writes that found their row open, of all; 0 without any.
    pub fn row_hit_rate(&self) -> f64 {
        ratio(self.row_hits, self.row_hits + self.row_misses)
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
