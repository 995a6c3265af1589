//! The number of blocks that a core holds, and the resource that limits it.

use crate::config::ClockConfig;
use crate::config::ConfigError;
use crate::plan::Plan;

/// Registers of 32 bits that a thread needs: a word for each row that is not the same for all threads of the launch.
pub(crate) fn registers(plan: &Plan) -> usize {
    let values = plan.code.registers.len();
    let rows = plan.words.saturating_sub(1) + 2 * plan.wides;
    // Constants and parameters are in constant memory.
    rows.saturating_sub(plan.uniforms.len()).min(2 * values).max(1)
}

/// Blocks of so many warps that a core holds.
///
/// # Errors
/// The resource of which one block needs more than there is.
pub(crate) fn limit(clock: &ClockConfig, plan: &Plan, warps: usize, width: usize) -> Result<usize, ConfigError> {
    let needs = [
        ("threads", "clock.threads", warps * width, clock.threads),
        ("registers", "clock.registers", registers(plan) * warps * width, clock.registers),
        ("bytes of shared memory", "clock.shared_memory", plan.shared_bytes(), clock.shared_memory),
    ];
    if let Some(&(resource, field, needed, there)) = needs.iter().find(|(_, _, needed, there)| needed > there) {
        return Err(ConfigError::BlockTooLarge { resource, field, needed, there });
    }
    let fits = |(_, _, needed, there): (_, _, usize, usize)| there.checked_div(needed).unwrap_or(usize::MAX);
    Ok(needs.into_iter().map(fits).fold(clock.blocks, usize::min))
}
