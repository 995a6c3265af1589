//! What is explored: configurations and the transitions between them.

use super::Move;
use crate::fault::Fault;
use crate::memory::Memory;
use simt_core::LaneMask;
use std::hash::Hash;

/// A semantics with its free choices open.
pub trait System {
    /// Its configurations.
    type Config: Clone + Eq + Hash;

    /// The first one.
    fn initial(&self) -> Self::Config;

    /// What has not ended: threads, or of a semantics that moves as a whole, as a warp does, lane 0. Empty at the end.
    fn live(&self, config: &Self::Config) -> LaneMask;

    /// The memory.
    fn memory<'c>(&self, config: &'c Self::Config) -> &'c Memory;

    /// Every transition from a configuration, in the order of the threads; `None` if there are more than `limit`.
    fn successors(&self, config: &Self::Config, limit: usize) -> Option<Vec<Successor<Self::Config>>>;

    /// The transition that these threads make; none if they make none.
    fn step(&self, config: &Self::Config, by: &Move) -> Option<Result<Self::Config, Fault>>;
}

/// A transition.
#[derive(Clone, Debug)]
pub struct Successor<C> {
    /// The threads that make it, as schedules name them.
    pub by: Move,
    /// Whose transition it is, of those that [`System::live`] names: to these, fairness owes it.
    pub agents: LaneMask,
    /// Whether it may be explored alone, instead of all transitions from here, as long as it leads to a configuration that is
    /// new: see [`explore`](super::explore()).
    pub alone: bool,
    /// The configuration behind it, or what the thread did wrong.
    pub after: Result<C, Fault>,
}
