//! What to say of a block that does not end: which lanes spin, on what, which wait meanwhile, and which policies would do better.

use crate::config::GpuConfig;
use crate::engine::Launch;
use crate::engine::ResidentWarp;
use crate::engine::{self, State, Turn};
use crate::engine::{Budget, Spent};
use crate::error::{LaunchError, Livelock, LivelockProof, Reading, SourcePlace, Spin};
use crate::for_each_policy;
use crate::gpu::Kernel;
use crate::gpu::diagnose::fault;
use crate::gpu::dispatch::Erased;
use crate::lanes::Registers;
use crate::memory::Memory;
use crate::observe::{Observer, WarpId};
use crate::plan::{Plan, slot};
use crate::policy::checked::Checks;
use crate::policy::{Policy, WarpPolicy};
use simt_core::code::{Code, Inst, LowerOptions, Pc};
use simt_core::program::{self, ParamKind};
use simt_core::{Constant, LaneMask};
use std::collections::BTreeMap;

/// Most elements that are shown of what a warp reads.
const READS: usize = 4;

/// How many instructions of a warp that is given up are looked at, to see what it does.
pub(crate) const WINDOW: u64 = 1 << 10;

/// A warp of a block that does not end.
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
    /// The error for a launch that has spent what it may. Its warps run on for a little, to see what they do.
    #[cold]
    pub(crate) fn given_up<P: WarpPolicy, O: Observer>(
        &self,
        spent: Spent,
        block: usize,
        warps: &mut [CyclingWarp<'_, P>],
        memory: &mut Memory<'_>,
        observer: &mut O,
    ) -> LaunchError {
        let (work, barriers) = match spent {
            Spent::WithoutProgress { work, barriers } => (work, barriers),
            Spent::Work(_) | Spent::Time(_) => return self.out_of_budget(spent, block, warps),
        };
        let mut circles: Vec<Circle> = warps.iter().map(|_| Circle::new()).collect();
        for (warp, circle) in warps.iter_mut().zip(&mut circles) {
            self.window(warp, memory, observer, circle);
        }
        self.livelock(block, warps, &circles, LivelockProof::GivenUp { work, barriers }, memory)
    }

    /// The error for a launch that has done more than it may, or has taken longer.
    pub(crate) fn out_of_budget<P: WarpPolicy>(
        &self,
        spent: Spent,
        block: usize,
        warps: &[CyclingWarp<'_, P>],
    ) -> LaunchError {
        let left = warps.iter().find(|warp| !warp.state.live.is_empty());
        let splits = left.map_or(Vec::new(), |warp| warp.state.splits());
        let warp = WarpId { block, warp: left.map_or(0, |warp| warp.number) };
        match spent {
            Spent::Time(limit) => LaunchError::TimeLimit(self.not_ended(limit, warp, &splits)),
            Spent::Work(limit) | Spent::WithoutProgress { work: limit, .. } => {
                LaunchError::WorkLimit(self.not_ended(limit, warp, &splits))
            }
        }
    }

    /// The error for a block whose warps go round in circles.
    #[cold]
    pub(crate) fn livelock<P: WarpPolicy>(
        &self,
        block: usize,
        warps: &mut [CyclingWarp<'_, P>],
        circles: &[Circle],
        proof: LivelockProof,
        memory: &mut Memory<'_>,
    ) -> LaunchError {
        let code = &self.plan.code;
        let (mut spins, mut waits) = (Vec::new(), Vec::new());
        for (CyclingWarp { number, registers, state }, circle) in warps.iter_mut().zip(circles) {
            let lanes = circle.values().fold(LaneMask::EMPTY, |all, &mask| all | mask);
            if let Some((&first, _)) = circle.first_key_value() {
                self.select(*number, memory);
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
            policy: self.policy,
            proof,
            block: self.grid.blocks().point(block),
            thread: self.thread(WarpId { block, warp }, lane),
            spins,
            waits,
            ends_under: Vec::new(),
            prints: Vec::new(),
            warp_width: self.config.warp_width,
        }))
    }

    /// A warp runs from here on: warps that run one after the other share their local arrays.
    fn select(&self, warp: usize, memory: &mut Memory<'_>) {
        if self.plan.is_cooperative() { memory.select_warp(warp) } else { memory.name_warp(warp) }
    }

    /// Some instructions of a warp, segment by segment.
    fn window<P: WarpPolicy, O: Observer>(
        &self,
        warp: &mut CyclingWarp<'_, P>,
        memory: &mut Memory<'_>,
        observer: &mut O,
        circle: &mut Circle,
    ) {
        let CyclingWarp { number, registers, state } = warp;
        self.select(*number, memory);
        let end = state.steps() + WINDOW;
        while state.steps() <= end && state.waits_at().is_none() {
            let Some(split) = state.current() else { return };
            *circle.entry(split.pc).or_insert(LaneMask::EMPTY) |= split.mask;
            if !matches!(engine::run::<P, O>(self.warp(registers, memory, 0), state, observer), Ok(Turn::Paused)) {
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

/// The policies under which the launch ends, as far as each shows it within the limit of the config.
pub(crate) fn ends_under(kernel: &Kernel, launch: &Launch<'_>, memory: &mut Memory<'_>) -> Vec<&'static str> {
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
        let ends = kernel.plan(options, P::stops().into(), false).is_ok_and(|plan| {
            let launch = &Launch { plan, policy: P::name(), config, budget: Budget::new(config), ..*launch };
            P::visit(Erased { launch, memory, observer: &mut () }).is_ok()
        });
        if ends {
            names.push(P::name());
        }
    });
    names
}

/// Which share of what another policy may do it may do without progress.
const SHARE: u64 = 4;
