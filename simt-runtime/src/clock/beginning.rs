//! What the memory of a machine is when a launch begins: how large the caches of its cores are, and what is in those that
//! they share.

use super::program::copied;
use crate::config::{ClockConfig, MemoryTiming};
use crate::hierarchy::{Hierarchy, HierarchyConfig};
use crate::memory;
use crate::plan::Plan;
use std::borrow::Cow;

/// The memory hierarchy for a launch of a plan, whose slices lie at these places, with so many blocks on a core at a time;
/// `None` if memory is ideal.
pub(super) fn hierarchy(
    clock: &ClockConfig,
    plan: &Plan,
    places: &[memory::Place],
    residents: usize,
) -> Option<Hierarchy> {
    let MemoryTiming::Hierarchy(config) = &clock.memory else { return None };
    let config = with_front(clock, config, residents * plan.shared_bytes());
    let mut hierarchy = Hierarchy::new(&config, clock.cores);
    if config.copied {
        hierarchy.copy(&copied(&plan.code, places));
    }
    Some(hierarchy)
}

/// The hierarchy with caches next to the cores that have what shared memory leaves of the array of both, if so many bytes are needed.
fn with_front<'a>(clock: &ClockConfig, config: &'a HierarchyConfig, needed: usize) -> Cow<'a, HierarchyConfig> {
    let Some(unified) = &clock.unified else { return Cow::Borrowed(config) };
    let shared = unified.shared.iter().copied().find(|&shared| shared >= needed).unwrap_or(clock.shared_memory);
    let mut config = config.clone();
    if let Some(front) = config.front_mut() {
        let way = front.bytes / u64::from(front.ways);
        front.ways = ((unified.bytes.saturating_sub(shared)) as u64 / way) as u32;
        front.bytes = way * u64::from(front.ways);
    }
    Cow::Owned(config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::GpuConfig;

    #[test]
    fn the_first_level_has_what_shared_memory_leaves() {
        let clock = GpuConfig::volta().clock.expect("the machine has a clock");
        let MemoryTiming::Hierarchy(config) = &clock.memory else { panic!("its memory is no hierarchy") };
        let bytes = |config: &HierarchyConfig| config.front().expect("it has caches").bytes;
        let left = |needed: usize| bytes(&with_front(&clock, config, needed << 10)) >> 10;
        // The CUDA programming guide, 7.x: 0, 8, 16, 32, 64 or 96 of 128 KB.
        assert_eq!([0, 1, 8, 9, 33, 96].map(left), [128, 120, 120, 112, 64, 32]);
        let fixed = ClockConfig { unified: None, ..clock.clone() };
        assert_eq!(with_front(&fixed, config, 96 << 10).as_ref(), config);
    }
}
