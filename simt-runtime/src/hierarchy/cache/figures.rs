//! What caches count.

use super::super::figures::{Amount, Shown, counters, ratio};
use super::super::level::{AccessKind, CacheOperator, Request};

counters! {
    /// What caches of a level count.
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
        /// Accesses that the cache does not keep to itself: stores under write-through, atomics at the caches of the
        /// cores, loads past it.
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

impl CacheFigures {
    /// A request has been looked up that touches these sectors, of which so many were not there.
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

impl CacheFigures {
    /// Returns what a report shows of them; none if there is nothing to show.
    pub(in super::super) fn shown(&self) -> Option<Shown> {
        (self.accesses > 0).then(|| Shown {
            what: "misses",
            amount: Amount::Part(self.miss_rate()),
            note: format!("{:.1}% without pending hits", 100.0 * self.miss_rate_without_pending_hits()),
        })
    }
}
