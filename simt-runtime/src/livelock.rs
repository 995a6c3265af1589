//! What to say of a block that repeats itself: who spins, on what, who waits meanwhile, and which policies would do better.

use crate::block::{ResidentWarp, TURN};
use crate::checks::Checks;
use crate::config::GpuConfig;
use crate::erased::Erased;
use crate::error::{LaunchError, Livelock, Reading, SourcePlace, Spin};
use crate::fault;
use crate::flow::{self, State, Turn};
use crate::for_each_policy;
use crate::kernel::Kernel;
use crate::lanes::{Plan, Registers, slot};
use crate::launch::Launch;
use crate::memory::Memory;
use crate::observe::{Observer, WarpId};
use crate::policy::{Policy, ReconvergencePolicy};
use simt_core::code::{Code, Inst, LowerOptions, Pc};
use simt_core::program::{self, ParamKind};
use simt_core::{Constant, LaneMask};
use std::collections::BTreeMap;

/// Most elements that are shown of what a warp reads.
const READS: usize = 4;

/// A warp of a block that repeats itself.
pub(crate) struct CyclingWarp<'w, P> {
    pub(crate) number: usize,
    pub(crate) registers: &'w mut Registers,
    pub(crate) state: &'w mut State<P>,
}

impl<'w, P> CyclingWarp<'w, P> {
    pub(crate) fn of((number, warp): (usize, &'w mut ResidentWarp<P>)) -> Self {
        let ResidentWarp { registers, state } = warp;
        Self { number, registers, state }
    }
}

/// The segments that a warp ran, by address, and the lanes that ran them.
pub(crate) type Circle = BTreeMap<Pc, LaneMask>;

impl Launch<'_> {
    /// The error for a block that is again as it was so many rounds ago. The block goes round once more, to see what it does.
    #[cold]
    pub(crate) fn livelock<P: ReconvergencePolicy, O: Observer>(
        &self,
        block: usize,
        rounds: u64,
        warps: &mut [CyclingWarp<'_, P>],
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> LaunchError {
        let mut circles: Vec<Circle> = warps.iter().map(|_| Circle::new()).collect();
        for _ in 0..rounds {
            for (warp, circle) in warps.iter_mut().zip(&mut circles) {
                self.turn(warp, memory, observer, circle);
            }
        }
        self.circling(block, warps, &circles, memory)
    }

    /// The error for a block whose warps go round in circles.
    pub(crate) fn circling<P: ReconvergencePolicy>(
        &self,
        block: usize,
        warps: &mut [CyclingWarp<'_, P>],
        circles: &[Circle],
        memory: &mut Memory<'_>,
    ) -> LaunchError {
        let code = &self.plan.code;
        let (mut spins, mut waits) = (Vec::new(), Vec::new());
        for (CyclingWarp { number, registers, state }, circle) in warps.iter_mut().zip(circles) {
            let lanes = circle.values().fold(LaneMask::EMPTY, |all, &mask| all | mask);
            if let Some((&first, _)) = circle.first_key_value() {
                memory.select_warp(*number);
                let reads = self.reads(circle, registers, memory);
                spins.push(Spin { warp: *number, lanes, place: SourcePlace::at(code, first), reads });
            }
            let others = state.splits().into_iter().map(|split| (split.mask - lanes, split.pc));
            let others = others.filter(|(mask, _)| !mask.is_empty());
            waits.extend(others.map(|(mask, pc)| (*number, mask, SourcePlace::at(code, pc))));
        }
        let lowest = spins.first().map(|spin| (spin.warp, spin.lanes.lanes().next().unwrap_or(0)));
        let (warp, lane) = lowest.unwrap_or_default();
        LaunchError::Livelock(Box::new(Livelock {
            kernel: code.name.clone(),
            policy: P::name(),
            block: self.grid.blocks().point(block),
            thread: self.thread(WarpId { block, warp }, lane),
            spins,
            waits,
            ends_under: Vec::new(),
            prints: Vec::new(),
            warp_width: self.config.warp_width,
        }))
    }

    /// A turn of a warp, segment by segment.
    fn turn<P: ReconvergencePolicy, O: Observer>(
        &self,
        warp: &mut CyclingWarp<'_, P>,
        memory: &mut Memory<'_>,
        observer: &mut O,
        circle: &mut Circle,
    ) {
        let CyclingWarp { number, registers, state } = warp;
        memory.select_warp(*number);
        let end = state.steps() + TURN;
        while state.steps() <= end && state.waits_at().is_none() {
            let Some(split) = state.current() else { return };
            *circle.entry(split.pc).or_insert(LaneMask::EMPTY) |= split.mask;
            if !matches!(flow::run::<P, O>(self.warp(registers, memory, 0), state, observer), Ok(Turn::Paused)) {
                return;
            }
        }
    }

    /// The elements that the lanes read and that threads can change.
    fn reads(&self, circle: &Circle, registers: &Registers, memory: &Memory<'_>) -> Vec<Reading> {
        let Plan { code, segments, origins, .. } = self.plan;
        let mut reads = Vec::new();
        for (pc, mask) in circle {
            let segment = &segments[pc.index()];
            for number in segment.start..segment.end {
                let reads_memory =
                    matches!(code.inst(origins[number as usize]), Inst::Load { .. } | Inst::Atomic { .. });
                let Some((accessed, place)) = fault::accessed(self.plan, number).filter(|_| reads_memory) else {
                    continue;
                };
                let (Some(lane), Some(ty)) = (mask.lanes().next(), changeable(code, accessed)) else { continue };
                let index = registers.get(place, lane) as usize;
                let Some(bits) = memory.bits(slot(code, accessed), index, lane) else { continue };
                let reading = Reading { name: fault::name(code, accessed), index, value: Constant { ty, bits } };
                if reads.len() < READS && !reads.contains(&reading) {
                    reads.push(reading);
                }
            }
        }
        reads
    }
}

/// The type of the elements, if another thread can change them.
fn changeable(code: &Code, memory: program::Memory) -> Option<simt_core::ScalarType> {
    match memory {
        program::Memory::Param(param) => {
            let kind = code.params[param.0 as usize].kind;
            let is_read_only = matches!(kind, ParamKind::Slice { writable: false, .. } | ParamKind::Constant { .. });
            kind.element().filter(|_| !is_read_only)
        }
        program::Memory::Array(array) => {
            let array = &code.arrays[array.0 as usize];
            (array.space == program::ArraySpace::Shared).then_some(array.element)
        }
    }
}

/// How many instructions a warp may issue to show that the launch ends: what takes longer is not named.
const ENOUGH: u64 = 1 << 22;

/// The policies under which the launch ends.
pub(crate) fn ends_under(kernel: &Kernel, launch: &Launch<'_>, memory: &mut Memory<'_>) -> Vec<&'static str> {
    let mut names = Vec::new();
    let step_limit = launch.config.step_limit.min(ENOUGH);
    let config = &GpuConfig { step_limit, checks: Checks::none(), ..launch.config.clone() };
    memory.resize(&launch.plan.code.arrays, launch.config.warp_width, launch.warps());
    for_each_policy!(P => {
        let options = LowerOptions { markers: P::markers(), if_conversion: launch.config.if_conversion };
        memory.restart();
        let ends = kernel.plan(options, P::stops().into(), false).is_ok_and(|plan| {
            let launch = &Launch { plan, policy: P::name(), config, ..*launch };
            P::visit(Erased { launch, memory, observer: &mut () }).is_ok()
        });
        if ends {
            names.push(P::name());
        }
    });
    names
}
