//! What a policy is told of its machine: numbers that others have computed.

use super::DwfConfig;

/// What a policy is told of its machine: the part of a [`GpuConfig`](crate::GpuConfig) that decides what the policy does.
/// [`GpuConfig::policy_config`](crate::GpuConfig::policy_config) makes it; [`WarpStart`](crate::WarpStart) and
/// [`BlockStart`](crate::BlockStart) carry it.
///
/// ```
/// use simt::policy::PolicyConfig;
/// use simt::prelude::*;
///
/// assert_eq!(GpuConfig::functional().policy_config(), PolicyConfig::default());
/// let timing = GpuConfig::fung2009().policy_config().timing.expect("the machine has a clock");
/// // Warps of 32 threads issue down a pipeline of 8 lanes.
/// assert_eq!(timing.issue_cycles, 4);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyConfig {
    /// Lanes of a warp.
    pub warp_width: usize,
    /// What a policy that chooses at random begins with.
    pub seed: u64,
    /// How many tokens of a warp's stack the machine holds: for [`TokenStack`](crate::TokenStack).
    pub token_entries: usize,
    /// How many splits of a warp can issue in turns: for [`WarpSubdivision`](crate::WarpSubdivision).
    pub warp_splits: usize,
    /// What dynamic warp formation is built of: for [`Dwf`](crate::Dwf).
    pub dwf: DwfConfig,
    /// How long things take; `None` on a machine without a clock.
    pub timing: Option<PolicyTiming>,
}

/// How long what a mechanism waits for takes, on a machine with a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyTiming {
    /// Cycles that the pipeline takes to issue a warp.
    pub issue_cycles: u64,
    /// Cycles until a warp that [`Dwf`](crate::Dwf) has spilled to memory can be back: a read, when nothing else is under way.
    pub spill_cycles: u64,
}

impl PolicyConfig {
    /// The numbers of [`GpuConfig::functional`](crate::GpuConfig::functional).
    ///
    /// **Assumed:** a machine with tokens holds 16 a warp, of which the sources say only that it holds some; one that
    /// subdivides warps has room for 16 splits of each.
    pub const FUNCTIONAL: Self =
        Self { warp_width: 32, seed: 0, token_entries: 16, warp_splits: 16, dwf: DwfConfig::UNLIMITED, timing: None };
}

impl Default for PolicyConfig {
    fn default() -> Self {
        Self::FUNCTIONAL
    }
}
