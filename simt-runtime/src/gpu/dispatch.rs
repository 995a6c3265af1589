//! The engine for all policies: compiled once, it reaches policy and observer through pointers.
//!
//! It runs what is checked, what looks for policies under which a launch ends, and everything in debug builds.

use crate::engine::Launch;
use crate::error::LaunchError;
use crate::memory::Memory;
use crate::observe::{Observer, WarpId};
use crate::policy::checked::{Check, Checked, CheckedBlock, Guard};
use crate::policy::{
    BlockPolicy, BlockStart, BoxedBlockPolicy, BoxedWarpPolicy, PolicyVisitor, WarpPolicy, WarpSplit, WarpStart,
};

/// Runs a launch, with the checks that the config asks for.
pub(crate) struct Erased<'r, 'l, 'a> {
    pub(crate) launch: &'r Launch<'l>,
    pub(crate) memory: &'r mut Memory<'a>,
    pub(crate) observer: &'r mut dyn Observer,
}

impl PolicyVisitor for Erased<'_, '_, '_> {
    type Output = Result<(), LaunchError>;

    fn warp<P: WarpPolicy>(self) -> Self::Output {
        let config = &self.launch.config.policy_config();
        let start = |warp: WarpId, split| {
            BoxedWarpPolicy::of(P::start(WarpStart { split, block: warp.block, warp: warp.warp, config }))
        };
        self.launch.run_erased(&start, P::CHECKING.guard(), self.memory, self.observer)
    }

    fn block<C: BlockPolicy>(self) -> Self::Output {
        self.launch.run_erased_core(
            &|start| BoxedBlockPolicy::of(C::start(start)),
            C::CHECKING.guard(),
            self.memory,
            self.observer,
        )
    }
}

impl Launch<'_> {
    /// Whether the policy is to be checked at each step.
    pub(crate) fn is_checked(&self) -> bool {
        !self.config.checks.without(Check::P).is_empty()
    }

    /// Whether steps of a policy are compared with where its lanes are.
    pub(crate) fn compares(&self, guard: Guard) -> bool {
        guard.is_on() || self.is_checked()
    }

    fn run_erased(
        &self,
        start: &dyn Fn(WarpId, WarpSplit) -> BoxedWarpPolicy,
        guard: Guard,
        memory: &mut Memory<'_>,
        mut observer: &mut dyn Observer,
    ) -> Result<(), LaunchError> {
        if self.compares(guard) {
            let start = |warp, split| Checked::new(start(warp, split), split, self.config.checks, guard);
            if memory.modelled.is_some() {
                self.run_interleaved(&start, memory, &mut observer)
            } else {
                self.run_warps(&start, memory, &mut observer)
            }
        } else if memory.modelled.is_some() {
            self.run_interleaved(&start, memory, &mut observer)
        } else {
            self.run_warps(&start, memory, &mut observer)
        }
    }

    fn run_erased_core(
        &self,
        start: &dyn Fn(BlockStart<'_>) -> BoxedBlockPolicy,
        guard: Guard,
        memory: &mut Memory<'_>,
        mut observer: &mut dyn Observer,
    ) -> Result<(), LaunchError> {
        if self.compares(guard) {
            self.run_regrouped(
                &|begin: BlockStart<'_>| CheckedBlock::new(start(begin), begin, self.config.checks, guard),
                memory,
                &mut observer,
            )
        } else {
            self.run_regrouped(&start, memory, &mut observer)
        }
    }
}
