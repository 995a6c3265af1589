//! The trait of every level of the hierarchy: it takes requests, lets time pass and answers each request once.

use super::figures::HierarchyFigures;

/// A cycle of the cores' clock, counted from the beginning of a launch.
pub(crate) type Cycle = u64;

/// No cycle: that of an event that never comes.
pub(super) const NEVER: Cycle = Cycle::MAX;

/// The kind of access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AccessKind {
    /// Reads them.
    Load,
    /// Writes them.
    Store,
    /// Reads and writes them in one step, at the second level or, without one, at the memory controller.
    Atomic,
}

/// Which caches a request may use: the cache operators of PTX (Habermaier 2011, sections 2.3.3 and 4.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CacheOperator {
    /// The default, `.ca` of loads and `.wb` of stores: all levels, each by its policy.
    #[default]
    Cached,
    /// `.cg`: past the first level. Lines of local memory stay there, but are the first to go.
    SecondLevel,
    /// `.cs`: at all levels, and the first to go.
    Streaming,
    /// `.lu`: as `.cs`; a line of local memory is dropped after the read, without being written back.
    LastUse,
    /// `.cv` and `volatile`: past the first level, every time anew.
    Volatile,
    /// `.wt`: a store goes through all caches to memory.
    WriteThrough,
}

/// One transaction: bytes of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    /// An identifier that comes back with the reply. The level does not interpret it.
    pub(crate) id: u64,
    /// The core that asks.
    pub(crate) core: u16,
    /// The first byte.
    pub(crate) address: u64,
    /// How many bytes, 1 or more, all in one line of the level.
    pub(crate) bytes: u32,
    /// The kind of access.
    pub(crate) kind: AccessKind,
    /// Which caches it may use.
    pub(crate) operator: CacheOperator,
    /// Whether the bytes belong to one thread only: such lines are written back by the first level (Habermaier 2011,
    /// section 4.5.2).
    pub(crate) local: bool,
}

/// The answer to a request: for a load and an atomic, that its bytes are there; for a store, that it has been done at the
/// level that keeps it, so that all can see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reply {
    /// The request's.
    pub(crate) id: u64,
    /// The cycle in which it comes.
    pub(crate) at: Cycle,
    /// The level that had the bytes.
    pub(crate) served: Served,
}

/// The level that had the bytes of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// The first level of caches.
    FirstLevel,
    /// The second level of caches.
    SecondLevel,
    /// Memory.
    Dram,
}

/// A refusal: the level has no room for the request now. Nothing has changed; room can appear when something happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the level has no room for the request in this cycle")]
pub(crate) struct Full;

/// A level of the memory hierarchy. Levels nest by generics: a cache is generic over what is behind it.
///
/// The laws, which `tests/contract.rs` holds all levels to:
///
/// 1. Time is the caller's: cycles never fall, and [`Level::offer`] in a cycle comes after [`Level::advance`] to it.
/// 2. Each accepted request is answered exactly once, in a later cycle than it was offered; a refused one leaves no trace.
/// 3. [`Level::next_event`] lies after the cycle advanced to. While requests are outstanding there is one, and there is no
///    other end to waiting: a caller that was refused tries again at the next event.
/// 4. Nothing happens between events: a caller that jumps from one to the next sees the same replies as one that goes cycle
///    by cycle.
/// 5. The same calls give the same replies.
pub(crate) trait Level {
    /// A request, in the cycle to which the level has advanced.
    ///
    /// # Errors
    /// There is no room.
    fn offer(&mut self, now: Cycle, request: Request) -> Result<(), Full>;

    /// Returns false only if a request of this core would be refused now, whatever it asks.
    fn may_have_room(&self, core: u16) -> bool {
        let _ = core;
        true
    }

    /// The next cycle in which something happens without an offer; none if the level is idle.
    fn next_event(&self) -> Option<Cycle>;

    /// Lets time pass up to and with `now`, and appends the replies of that time in the order of their cycles.
    fn advance(&mut self, now: Cycle, done: &mut Vec<Reply>);

    /// Empties caches and row buffers, and begins at cycle 0 again: the step between launches. Dirty lines count as written
    /// back. Only when nothing is outstanding. Figures are kept.
    fn flush(&mut self);

    /// How many requests have been accepted and not yet answered, write-backs of the level's own included.
    fn outstanding(&self) -> usize;

    /// Adds what the level and those behind it have counted.
    fn count(&self, sum: &mut HierarchyFigures);
}

/// Converts `due` to an event.
pub(super) fn event(due: Cycle) -> Option<Cycle> {
    (due != NEVER).then_some(due)
}
