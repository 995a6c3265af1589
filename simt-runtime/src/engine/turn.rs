//! What becomes of a turn.

use super::Units;

/// How a unit came back from its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// All its threads have ended.
    Ended,
    /// Warps of it have arrived at barriers.
    Arrived,
    /// All its threads wait, and only a barrier that opens, or the policy itself, lets some go on.
    Stuck,
    /// It has run for long enough: others may run.
    Paused,
}

/// What happened in a turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turned {
    pub(crate) turn: Turn,
    /// Instructions that were issued.
    pub(crate) issued: u64,
    /// What was done lane by lane besides, in units of work.
    pub(crate) serial: u64,
    /// Whether threads have ended.
    pub(crate) ended: bool,
    /// Whether barriers have opened.
    pub(crate) opened: bool,
}

impl Turned {
    /// Another turn of the same unit comes behind it: both together.
    pub(super) fn add(&mut self, later: Self) {
        self.turn = later.turn;
        self.issued += later.issued;
        self.serial += later.serial;
        self.ended |= later.ended;
        self.opened |= later.opened;
    }

    /// Whether the unit can have its next turn at once, with no other between.
    pub(super) fn goes_on<U: Units>(self) -> bool {
        self.turn == Turn::Paused || U::REGROUPS && self.turn == Turn::Arrived
    }
}
