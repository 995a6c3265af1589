//! Launches that never end: a lock's threads may wait for others that their machine does not run.

use simt::prelude::*;

/// Instructions that a warp may issue: many times what any kernel here needs, and a second or so of those that spin.
const STEP_LIMIT: u64 = 1 << 20;

/// How a launch runs without end, if that is why it failed.
///
/// A launch that is only too long ends at the step limit, too: [`STEP_LIMIT`] says why that does not happen here.
pub(crate) fn unending(error: &LaunchError) -> Option<&'static str> {
    match error {
        LaunchError::Livelock(livelock) if livelock.proof.is_proved() => Some("livelock"),
        LaunchError::Livelock(_) => Some("no progress"),
        LaunchError::Deadlock(_) => Some("deadlock"),
        LaunchError::StepLimit(_) => Some("step limit"),
        LaunchError::CycleLimit { .. } => Some("cycle limit"),
        _ => None,
    }
}

/// The limit under a policy: where lanes issue alone, a kernel takes as many times longer.
pub(crate) fn step_limit<P: Policy>() -> u64 {
    STEP_LIMIT * P::lanes_per_issue().map_or(1, |lanes| 32 / lanes as u64)
}
