//! Where turns end in code without markers.

/// Where, in code without markers, a turn ends besides at branches, calls and collectives: the addresses at which a policy is
/// asked again which threads issue.
///
/// Only there can threads that wait be met by others, and only there can another split have its turn. With a clock, and on
/// modelled memory, turns are shorter: one instruction, or one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stops {
    /// Before whatever a jump leads to. A policy that chooses by address needs to be asked there.
    AtTargets,
    /// Where paths of a branch may meet: before immediate post-dominators, before what code leads to from two places before
    /// it, or from two behind, and before what threads are sent to by a branch while others pass by. So no thread stands where
    /// others pass. Not before a loop that all fall into, and that is repeated from one place by a jump.
    AtJoins,
}
