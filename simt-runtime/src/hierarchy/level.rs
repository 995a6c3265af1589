//! The trait of every level of the hierarchy: it takes requests, lets time pass and answers each request once.

use super::figures::HierarchyFigures;

/// A cycle of the cores' clock, counted from the beginning of a launch.
pub type Cycle = u64;

/// No cycle: that of an event that never comes.
pub(super) const NEVER: Cycle = Cycle::MAX;

/// The kind of access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Reads them.
    Load,
    /// Writes them.
    Store,
    /// Reads and writes them in one step, at the first cache that all cores share or, without one, at the memory
    /// controller.
    Atomic,
}

/// Which caches a request may use: the cache operators of PTX (Habermaier 2011, sections 2.3.3 and 4.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheOperator {
    /// The default, `.ca` of loads and `.wb` of stores: all levels, each by its policy.
    #[default]
    Cached,
    /// `.cg`: past the caches of the cores, to those that all cores share. Lines of local memory stay in the caches of the
    /// cores, but are the first to go.
    Global,
    /// `.cs`: at all levels, and the first to go.
    Streaming,
    /// `.lu`: as `.cs`; a line of local memory is dropped after the read, without being written back.
    LastUse,
    /// `.cv` and `volatile`: past the caches of the cores, every time anew.
    Volatile,
    /// `.wt`: a store goes through all caches to memory.
    WriteThrough,
}

/// One transaction: bytes of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Comes back with the reply. The level does not look at it.
    pub id: u64,
    /// The core that asks.
    pub core: u16,
    /// The first byte.
    pub address: u64,
    /// How many bytes, 1 or more, all in one line of the level.
    pub bytes: u32,
    /// What it does.
    pub kind: AccessKind,
    /// Which caches it may use.
    pub operator: CacheOperator,
    /// Whether the bytes belong to one thread only: such lines are written back by the caches of the cores (Habermaier
    /// 2011, section 4.5.2).
    pub local: bool,
}

/// The answer to a request: for a load and an atomic, that its bytes are there; for a store, that it has been done at the
/// level that keeps it, so that all can see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The request's.
    pub id: u64,
    /// The cycle in which it comes.
    pub at: Cycle,
    /// The level that had the bytes: its index in [`HierarchyConfig::levels`](super::HierarchyConfig::levels).
    pub served: usize,
}

/// A refusal: the level has no room for the request now. Nothing has changed; room can appear when something happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the level has no room for the request in this cycle")]
pub struct Full;

/// A level of a memory hierarchy, together with those behind it: a cache, for example, sends its misses to the level that
/// it was made with.
///
/// The laws, which all levels of the crate are held to (with the feature `testing`, `testing::hold_level_to_contract` holds
/// any other level to them):
///
/// 1. Time is the caller's: cycles never fall, and [`Level::offer`] in a cycle comes after [`Level::advance`] to it.
/// 2. Each accepted request is answered exactly once, in a later cycle than it was offered; a refused one leaves no trace.
/// 3. [`Level::next_event`] lies after the cycle advanced to. While requests are outstanding there is one, and there is no
///    other end to waiting: a caller that was refused tries again at the next event.
/// 4. Nothing happens between events: a caller that jumps from one to the next sees the same replies as one that goes cycle
///    by cycle.
/// 5. The same calls give the same replies, and after [`Level::flush`] the level is as new.
pub trait Level {
    /// Takes a request, in the cycle to which the level has advanced.
    ///
    /// # Errors
    /// There is no room.
    fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full>;

    /// The cores, as a mask, whose requests would be refused now whatever they ask. Those of others may find room.
    fn full(&self) -> u128 {
        0
    }

    /// Whether a request of this core may find room now: false only if it would be refused whatever it asks.
    fn may_have_room(&self, core: u16) -> bool {
        self.full() >> core & 1 == 0
    }

    /// Returns the next cycle in which something happens without an offer; none if the level is idle.
    fn next_event(&self) -> Option<Cycle>;

    /// Lets time pass up to and with `now`, and appends the replies of that time in the order of their cycles.
    fn advance(&mut self, now: Cycle, done: &mut Vec<Reply>);

    /// Forgets what caches and row buffers hold, and begins at cycle 0 again: what happens between launches. What is dirty
    /// counts as written back. Called only when nothing is outstanding. Figures go on.
    fn flush(&mut self);

    /// Returns how many requests have been accepted and not yet answered, write-backs of the level's own included.
    fn outstanding(&self) -> usize;

    /// Adds what the level and those behind it have counted, from top to bottom.
    fn count(&self, sum: &mut HierarchyFigures);

    /// Whether this level itself would answer a load without asking the next, in the cycle to which it has advanced.
    fn holds(&self, load: &Request) -> bool {
        let _ = load;
        false
    }

    /// Puts the line of an address into the cache that has this index in
    /// [`HierarchyConfig::levels`](super::HierarchyConfig::levels), as if it had been fetched; what goes for it is not written
    /// back. A level passes it on to the next, unless it is that cache.
    fn fill(&mut self, level: usize, address: u64) {
        let _ = (level, address);
    }
}

impl<L: Level + ?Sized> Level for Box<L> {
    #[inline]
    fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full> {
        (**self).offer(now, request)
    }

    #[inline]
    fn full(&self) -> u128 {
        (**self).full()
    }

    #[inline]
    fn may_have_room(&self, core: u16) -> bool {
        (**self).may_have_room(core)
    }

    #[inline]
    fn next_event(&self) -> Option<Cycle> {
        (**self).next_event()
    }

    fn advance(&mut self, now: Cycle, done: &mut Vec<Reply>) {
        (**self).advance(now, done);
    }

    fn flush(&mut self) {
        (**self).flush();
    }

    fn outstanding(&self) -> usize {
        (**self).outstanding()
    }

    fn count(&self, sum: &mut HierarchyFigures) {
        (**self).count(sum);
    }

    fn holds(&self, load: &Request) -> bool {
        (**self).holds(load)
    }

    fn fill(&mut self, level: usize, address: u64) {
        (**self).fill(level, address);
    }
}

/// Converts `due` to an event.
pub(super) fn event(due: Cycle) -> Option<Cycle> {
    (due != NEVER).then_some(due)
}
