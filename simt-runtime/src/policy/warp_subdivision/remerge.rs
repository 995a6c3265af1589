//! Where splits meet.

#[cfg(doc)]
use super::WarpSubdivision;

/// Where the splits of [`WarpSubdivision`] meet: [`AtPostDominators`], [`BranchLimited`] or [`ByPc`].
pub trait Remerge: Copy + PartialEq + std::fmt::Debug + 'static {
    /// Name of the policy in reports.
    const NAME: &'static str;
    /// Whether splits that wait for the same post-dominator merge when they come to one address.
    const BY_PC: bool;
    /// Whether the parts of a split that was divided at a load meet before the next branch or call.
    const AT_BRANCHES: bool;
}

/// Splits meet at the immediate post-dominator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AtPostDominators;

/// Splits that will meet at the same post-dominator merge before it, if they come to the same address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByPc;

/// As at post-dominators; but the parts of a split that was divided at a load meet before the next branch or call, if that
/// comes first. So what parts execute alone is straight code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BranchLimited;

impl Remerge for AtPostDominators {
    const NAME: &'static str = "WarpSubdivision";
    const BY_PC: bool = false;
    const AT_BRANCHES: bool = false;
}

impl Remerge for BranchLimited {
    const NAME: &'static str = "WarpSubdivision<BranchLimited>";
    const BY_PC: bool = false;
    const AT_BRANCHES: bool = true;
}

impl Remerge for ByPc {
    const NAME: &'static str = "WarpSubdivision<ByPc>";
    const BY_PC: bool = true;
    const AT_BRANCHES: bool = false;
}
