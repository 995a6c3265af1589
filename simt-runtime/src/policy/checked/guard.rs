//! The laws that every policy of a user's is held to, whether checks are asked for or not.
//!
//! The engine does what its policy says: lanes that a policy sends to a wrong address, or forgets, are wrong results. The
//! policies of this library are tested under all checks; of others nothing is known, so each of their steps is compared.
//!
//! Compared are the lanes that a policy lets run, at every step: they must be where their own instructions have led them. It
//! follows that each thread executes the instructions that it would execute alone; and from the list of all splits, which is
//! inspected when no lane runs, that none is left out. [`Checks`] inspect the list at every step, and so find a mistake
//! where it is made.

use super::{Check, Checks};

/// Whether a policy is compared at every step. A constant of its trait that only this library can set to `OFF`: the type
/// has no name outside.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard(bool);

impl Guard {
    pub const ON: Self = Self(true);
    pub(crate) const OFF: Self = Self(false);

    pub(crate) const fn is_on(self) -> bool {
        self.0
    }

    /// The subject of the comparison: everything that must hold of any policy.
    pub(super) const CHECKS: Checks = Checks::none()
        .with(Check::I1)
        .with(Check::I2)
        .with(Check::I3)
        .with(Check::I4)
        .with(Check::I7)
        .with(Check::T1)
        .with(Check::T4)
        .with(Check::T6);
}

impl Check {
    /// The law of [`WarpPolicy`](crate::WarpPolicy) that a policy breaks if this check fails.
    pub(crate) const fn law(self) -> &'static str {
        match self {
            Self::I1 | Self::I2 => "law 3, after each step every lane's address is its own successor",
            Self::I4 => "law 1, `current` is never empty, and is `None` only when all lanes have ended or wait",
            _ => "law 2, `splits` partition the live lanes, `current` first",
        }
    }
}
