//! The flow: which segment runs next, for which lanes.
//!
//! Generic over the policy and knowing no values, it asks the policy for the current split, lets the lanes run a segment,
//! and tells the policy how the segment ended.
//!
//! PERF: the dispatch on the instruction set stands around the whole loop, and each clone calls the lanes' function for its
//! own set directly.

use crate::lanes;
use crate::lanes::{Control, LaneFault, Plan, Registers};
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
    Fault {
        micro: u32,
        lane: u32,
        mask: LaneMask,
    },
    StepLimit {
        splits: Vec<WarpSplit>,
    },
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
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt+lzcnt"), dispatcher = "direct")]
pub(crate) fn run<P: ReconvergencePolicy, O: Observer>(warp: Warp<'_, '_>, observer: &mut O) -> Result<(), WarpStop> {
    let Warp { plan, registers, memory, threads, step_limit } = warp;
    let mut policy = P::start(WarpSplit { pc: Pc(0), mask: threads });
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
                "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt" => {
                    if registers.are_few { lanes::run_32_avx2(ops, registers, memory) } else { lanes::run_any_avx2(ops, registers, memory) }
                },
                _ => lanes::run_any_portable(ops, registers, memory),
            };
            if let Some(LaneFault { place, lane }) = fault {
                return Err(WarpStop::Fault { micro: segment.start + place, lane, mask });
            }
        }
        steps += u64::from(segment.instructions.max(1));
        let ran = Ran { plan, segment };
        match segment.control {
            Control::Next(next) => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                policy.advance(next);
            }
            Control::Jump { target, kind } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                policy.jump(kind, target);
            }
            Control::Branch { predicate, when, target, next, meet, leaves } => {
                let holds = registers.predicates[predicate as usize];
                let taken = mask & LaneMask(if when { holds } else { !holds });
                observer.ran(ran, mask, taken);
                policy.branch(Branch { taken, target, next, meet, leaves });
            }
            Control::Exit => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                policy.exit();
            }
            Control::Marker { marker, next } => {
                observer.ran(ran, mask, LaneMask::EMPTY);
                policy.marker(marker, next);
            }
        }
        if steps > step_limit && policy.current().is_some() {
            return Err(WarpStop::StepLimit { splits: policy.splits() });
        }
    }
    Ok(())
}
