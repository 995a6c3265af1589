//! Where splits meet.

#[cfg(doc)]
use super::WarpSubdivision;

/// Where the splits of [`WarpSubdivision`] meet: [`AtPostDominators`] or [`ByPc`].
pub trait Remerge: Copy + PartialEq + std::fmt::Debug + 'static {
    /// Name of the policy in reports.
    const NAME: &'static str;
    /// Whether splits that wait for the same post-dominator merge when they come to one address.
    const BY_PC: bool;
}

/// Splits meet at the immediate post-dominator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtPostDominators;

/// Splits that will meet at the same post-dominator merge before it, if they come to the same address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByPc;

impl Remerge for AtPostDominators {
    const NAME: &'static str = "WarpSubdivision";
    const BY_PC: bool = false;
}

impl Remerge for ByPc {
    const NAME: &'static str = "WarpSubdivision<ByPc>";
    const BY_PC: bool = true;
}
