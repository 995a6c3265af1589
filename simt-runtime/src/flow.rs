//! The flow: which segment runs next, for which lanes.
//!
//! Generic over the policy and knowing no values, it asks the policy for the current split, lets the lanes run a segment,
//! and tells the policy how the segment ended.
//!
//! PERF: the dispatch on the instruction set stands around the whole loop, and each clone calls the lanes' function for its
//! own set directly.

use crate::lanes::{COMMON_CHUNKS, Control, LaneFault, Plan, Registers};
use crate::lanes;
use crate::memory::Memory;
use crate::observe::{Observer, Ran};
use crate::policy::{Branch, ReconvergencePolicy, WarpSplit};
use multiversion::multiversion;
use multiversion::target::match_target;
use simt_core::LaneMask;
use simt_core::code::Pc;

/// Why a warp stopped before its end.
#[derive(Clone, Debug)]
pub(crate) enum WarpStop {
    /// A lane could not execute an operation of the plan.
    Fault { micro: u32, lane: u32, mask: LaneMask },
    StepLimit { splits: Vec<WarpSplit> },
}

/// What a warp runs on.
pub(crate) struct Warp<'w, 'a> {
    pub(crate) plan: &'w Plan,
    pub(crate) registers: &'w mut Registers,
    pub(crate) memory: &'w mut Memory<'a>,
    /// The lanes that have a thread.
    pub(crate) threads: LaneMask,
    pub(crate) step_limit: u64,
}

/// Runs a warp from the entry to the end of all its threads.
#[multiversion(
    targets(
        "x86_64+avx512f+avx512bw+avx512vl+avx512dq+avx2+bmi1+bmi2+popcnt+lzcnt",
        "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"
    ),
    dispatcher = "direct"
)]
pub(crate) fn run<P: ReconvergencePolicy, O: Observer>(
    warp: Warp<'_, '_>,
    observer: &mut O,
) -> Result<(), WarpStop> {
    let Warp { plan, registers, memory, threads, step_limit } = warp;
    let mut policy = P::start(WarpSplit { pc: Pc(0), mask: threads });
    let chunks = registers.chunks;
    registers.activate(threads);
    let mut steps = 0u64;
    let (segments, micros) = (&plan.segments[..], &plan.micros[..]);
    while let Some(WarpSplit { pc, mask }) = policy.current() {
        let segment = &segments[pc.index()];
        if mask.0 != registers.mask.bits {
            registers.activate(mask);
        }
        if segment.start != segment.end {
            let ops = &micros[segment.start as usize..segment.end as usize];
            let fault = match_target! {
                "x86_64+avx512f+avx512bw+avx512vl+avx512dq+avx2+bmi1+bmi2+popcnt+lzcnt" => {
                    if chunks == COMMON_CHUNKS { lanes::run_32_avx2(ops, registers, memory) } else { lanes::run_any_avx2(ops, registers, memory) }
                },
                "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt" => {
                    if chunks == COMMON_CHUNKS { lanes::run_32_avx2(ops, registers, memory) } else { lanes::run_any_avx2(ops, registers, memory) }
                },
                _ => lanes::run_any_portable(ops, registers, memory),
            };
            if let Some(LaneFault { place, lane }) = fault {
                return Err(WarpStop::Fault { micro: segment.start + place, lane, mask });
            }
        }
        observer.ran(Ran { plan, segment }, mask);
        steps += u64::from(segment.instructions.max(1));
        match segment.control {
            Control::Next(next) => policy.advance(next),
            Control::Jump { target, kind } => policy.jump(kind, target),
            Control::Branch { predicate, when, target, next, meet, leaves } => {
                let holds = registers.predicates[predicate as usize];
                let taken = mask & LaneMask(if when { holds } else { !holds });
                observer.branched(Pc(next.0 - 1), taken, mask - taken);
                policy.branch(Branch { taken, target, next, meet, leaves });
            }
            Control::Exit => policy.exit(),
            Control::Marker { marker, next } => policy.marker(marker, next),
        }
        if steps > step_limit && policy.current().is_some() {
            return Err(WarpStop::StepLimit { splits: policy.splits() });
        }
    }
    Ok(())
}
