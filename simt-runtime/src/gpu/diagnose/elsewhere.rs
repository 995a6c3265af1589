//! The policies under which a launch ends that does not end under its own.

use crate::config::GpuConfig;
use crate::engine::{Budget, Launch};
use crate::gpu::dispatch::Boxed;
use crate::gpu::kernel::Kernel;
use crate::memory::Memory;
use crate::policy::Policy;
use crate::policy::checked::Checks;
use simt_core::lower::LowerOptions;
use std::cell::Cell;

/// The other policies under which the launch ends, as far as each shows it within the limit of the config. Its own may end it
/// here, where there is no clock and blocks run one after the other: that is no advice.
pub(super) fn ends_under(kernel: &Kernel, launch: &Launch<'_>, memory: &mut Memory<'_>) -> Vec<&'static str> {
    let mut names = Vec::new();
    let limit = launch.config.ends_under_limit;
    if limit == 0 {
        return names;
    }
    let config = &GpuConfig {
        progress_limit: launch.config.progress_limit.min(limit / SHARE).max(1),
        work_limit: Some(limit),
        checks: Checks::none(),
        // They are tried by the engine without a clock; a mechanism told of one would wait for it.
        clock: None,
        ..launch.config.clone()
    };
    memory.resize(&launch.plan.code.arrays, launch.config.warp_width, launch.warps());
    for_each_policy!(P => {
        let options = LowerOptions { markers: P::markers(), if_conversion: launch.config.if_conversion };
        memory.restart();
        let ends = P::name() != launch.policy && kernel.plan(options, P::stops().into(), false).is_ok_and(|plan| {
            let plan = &*plan.with_shared_memory(launch.grid.shared_memory());
            let (part, budget, spare) = (launch.part.clone(), Budget::new(config), Cell::default());
            let launch = &Launch { plan, policy: P::name(), config, part, budget, spare, ..*launch };
            P::visit(Boxed { launch, memory, observer: &mut () }).is_ok()
        });
        if ends {
            names.push(P::name());
        }
    });
    names
}

/// Which share of what another policy may do it may do without progress.
const SHARE: u64 = 4;
