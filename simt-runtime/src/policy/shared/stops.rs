//! Where turns end in code without markers.

/// Where, in code without markers, a turn ends besides at branches, calls and collectives: the addresses at which a policy
/// is asked again which lanes issue.
///
/// Only there can threads that wait be met by others, and only there can another split have its turn. With a clock, and on
/// modelled memory, turns are shorter: one instruction, or one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stops {
    /// Before every target of a jump. A policy that chooses by address needs to be asked there.
    AtTargets,
    /// Where paths of a branch may meet: before immediate post-dominators; before an address that is reached from two places
    /// before it, or from two behind it; and before an address that a branch sends threads to while others pass by. So no
    /// thread stands where others pass. Not before a loop that all threads enter by falling through, and that one jump
    /// repeats.
    AtJoins,
}
