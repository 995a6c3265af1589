//! Rules with a planted bug: random runs must find each.

use crate::watch::check;
use simt_semantics::device::{
    ContextState, CudaReport, DeviceLimits, DeviceRules, DeviceState, GridState, HostProgram, HostState, MemoryManager,
};

fn limits() -> DeviceLimits {
    DeviceLimits { processors: 2, resident_blocks: 2, concurrent_grids: 2, memory: 64 }
}

/// What is found in random runs of random programs, with the seed of the first.
fn found(rules: &impl DeviceRules, seeds: u64) -> Option<(u64, &'static str)> {
    (0..seeds).find_map(|seed| {
        let program = HostProgram::random(seed, &limits());
        check(&program, limits(), rules, seed).err().map(|found| (seed, found))
    })
}

/// Runs of how many programs find a bug.
const SEEDS: u64 = 400;

#[test]
fn golden_cuda_device_random_runs_keep_the_rules() {
    assert_eq!(found(&CudaReport, SEEDS), None);
    let programs = || (0..SEEDS).map(|seed| HostProgram::random(seed, &limits()));
    let (free, of_two) = (
        programs().filter(|program| program.result(&limits()).is_some()).count(),
        programs().filter(|program| program.contexts == 2).count(),
    );
    assert!(free > 100 && of_two > 100, "{free} programs have one result, {of_two} two contexts");
}

macro_rules! mutants {
    ($($(#[$doc:meta])* $name:ident finds $found:literal { $($body:tt)* })*) => {$(
        #[test]
        $(#[$doc])*
        fn $name() {
            struct Mutant;
            impl DeviceRules for Mutant { $($body)* }
            let (seed, what) = found(&Mutant, SEEDS).expect("the bug is found");
            assert_eq!(what, $found, "seed {seed}");
        }
    )*};
}

mutants! {
    golden_cuda_device_a_flush_that_is_left_out_is_found finds "a program without races has another result" {
        fn flush(&self, _: &mut MemoryManager) {}
    }
    golden_cuda_device_an_event_that_is_ignored_is_found finds "a grid runs before one that is before it has ended" {
        fn has_happened(&self, _: &HostState, _: usize) -> bool { true }
    }
    golden_cuda_device_a_stream_without_order_is_found finds "a grid runs before one that is before it has ended" {
        fn may_launch(&self, _: &HostState, _: usize) -> bool { true }
    }
    golden_cuda_device_too_many_concurrent_grids_are_found finds "too many grids run" {
        fn has_place(&self, _: &DeviceLimits, _: &ContextState) -> bool { true }
    }
    golden_cuda_device_an_abort_that_leaves_a_grid_running_is_found finds "a grid runs that has ended" {
        fn rule_abort(&self, device: &mut DeviceState, grid: u32) -> bool { device.find(grid).is_some() }
        fn rule_fail(&self, device: &mut DeviceState, grid: u32) { CudaReport.rule_fail(device, grid) }
    }
    golden_cuda_device_a_completion_that_does_not_wait_for_stores_is_found finds "a grid is completed before it is done" {
        fn is_drained(&self, _: &MemoryManager, _: u32) -> bool { true }
    }
    golden_cuda_device_a_completion_before_all_blocks_is_found finds "a grid is completed before it is done" {
        fn rule_grid_compl(&self, grid: &mut GridState) -> bool {
            grid.completed = true;
            true
        }
    }
    golden_cuda_device_two_contexts_at_a_time_are_found finds "grids of two contexts run" {
        fn has_device(&self, _: &DeviceState, _: usize) -> bool { true }
    }
    golden_cuda_device_contexts_that_share_memory_are_found finds "two contexts have one byte" {
        fn new_vm(&self, _: &DeviceLimits, _: usize) -> usize { 0 }
    }
    golden_cuda_device_a_context_that_outlives_its_grid_is_found finds "a grid of a lost context runs" {
        fn rule_fail(&self, device: &mut DeviceState, grid: u32) {
            if let Some((context, place)) = device.find(grid) {
                let state = &mut device.contexts[context];
                state.lost = true;
                let gone = state.grids.remove(place);
                state.outputs.push(simt_semantics::device::ContextOutput::Failed(gone.index));
            }
        }
    }
    golden_cuda_device_blocks_beyond_the_room_are_found finds "a multiprocessor has too many blocks" {
        fn issue_blocks(&self, limits: &DeviceLimits, device: &DeviceState) -> Vec<(u32, usize, usize)> {
            CudaReport.issue_blocks(&DeviceLimits { resident_blocks: 9, ..*limits }, device)
        }
    }
}
