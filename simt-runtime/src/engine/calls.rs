//! Where each lane returns to, and what a call keeps for the caller.

use crate::lanes::Registers;
use crate::memory::Memory;
use crate::plan::{Frame, Plan};
use simt_core::LaneMask;
use simt_core::code::{Inst, Pc};

/// The calls that each lane is in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Calls {
    /// By lane.
    lanes: Vec<LaneCalls>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct LaneCalls {
    /// For each call the address behind it, innermost last.
    back: Vec<Pc>,
    /// The frames of callers that may be active again.
    kept: Vec<u64>,
}

/// How many calls a lane may be in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallLimits {
    pub(crate) depth: usize,
    /// Bytes of what is kept for callers.
    pub(crate) memory: usize,
}

/// A lane that is in too many calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TooManyCalls {
    Depth,
    Memory,
}

impl LaneCalls {
    fn bytes(&self) -> usize {
        size_of_val(&self.back[..]) + size_of_val(&self.kept[..])
    }
}

/// The frame that a call at an address keeps: that of the function it stands in.
fn frame(plan: &Plan, call: Pc) -> Option<&Frame> {
    plan.code.function_at(call).map(|(function, _)| &plan.frames[function.0 as usize])
}

/// The arrays that a call at an address keeps: those of the function that is called, which gets new ones. The caller's may
/// have been passed, so that the function writes them.
fn arrays(plan: &Plan, call: Pc) -> &[u16] {
    called(plan, call).map_or(&[], |frame| &frame.arrays)
}

/// The frame of the function that is called.
fn called(plan: &Plan, call: Pc) -> Option<&Frame> {
    match plan.code.insts[call.0 as usize] {
        Inst::Call { function, .. } => Some(&plan.frames[function.0 as usize]),
        _ => None,
    }
}

/// Where a lane returns to.
fn back_of(calls: &LaneCalls) -> Option<Pc> {
    calls.back.last().copied()
}

impl Calls {
    /// No lane is in a call any more.
    pub(crate) fn clear(&mut self) {
        self.lanes.clear();
    }

    /// The lanes call a function. Returns the lowest lane that is in too many calls.
    pub(super) fn call(
        &mut self,
        plan: &Plan,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
        mask: LaneMask,
        back: Pc,
        limits: &CallLimits,
    ) -> Option<(u32, TooManyCalls)> {
        if self.lanes.is_empty() {
            self.lanes.resize_with(64, LaneCalls::default);
        }
        let too_deep = mask.lanes().find(|&lane| self.lanes[lane].back.len() >= limits.depth);
        if let Some(lane) = too_deep {
            return Some((lane as u32, TooManyCalls::Depth));
        }
        let (frame, arrays) = (frame(plan, Pc(back.0 - 1)), arrays(plan, Pc(back.0 - 1)));
        for lane in mask.lanes() {
            let calls = &mut self.lanes[lane];
            calls.back.push(back);
            arrays.iter().for_each(|&array| memory.save_local(array, lane, &mut calls.kept));
            let Some(frame) = frame else { continue };
            calls.kept.extend(frame.words.iter().map(|&row| u64::from(*registers.word(row, lane))));
            calls.kept.extend(frame.wides.iter().map(|&row| *registers.wide(row, lane)));
            calls.kept.extend(frame.predicates.iter().map(|&row| registers.predicates[row as usize] >> lane & 1));
        }
        let unset = called(plan, Pc(back.0 - 1)).map_or(&[][..], |frame| &frame.unset);
        unset.iter().for_each(|&array| memory.forget_local(array, mask));
        let too_much = mask.lanes().find(|&lane| self.lanes[lane].bytes() > limits.memory);
        too_much.map(|lane| (lane as u32, TooManyCalls::Memory))
    }

    /// Where the lowest lane returns to.
    pub(super) fn back(&self, mask: LaneMask) -> Pc {
        let back = mask.lanes().find_map(|lane| self.lanes.get(lane).and_then(back_of));
        back.unwrap_or_else(|| unreachable!("validated: `ret` stands in functions"))
    }

    /// Lanes return to an address; returns those whose last call was from there. Their callers get back what was kept.
    pub(super) fn ret(
        &mut self,
        plan: &Plan,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
        mask: LaneMask,
        back: Pc,
    ) -> LaneMask {
        let (frame, arrays) = (frame(plan, Pc(back.0 - 1)), arrays(plan, Pc(back.0 - 1)));
        let mut returning = LaneMask::EMPTY;
        for lane in mask.lanes() {
            let calls = &mut self.lanes[lane];
            if back_of(calls) != Some(back) {
                continue;
            }
            returning |= LaneMask::lane(lane);
            calls.back.pop();
            if let Some(frame) = frame {
                for &row in frame.predicates.iter().rev() {
                    let bit = calls.kept.pop().unwrap_or(0) << lane;
                    let predicate = &mut registers.predicates[row as usize];
                    *predicate = *predicate & !(1 << lane) | bit;
                }
                for &row in frame.wides.iter().rev() {
                    *registers.wide(row, lane) = calls.kept.pop().unwrap_or(0);
                }
                for &row in frame.words.iter().rev() {
                    *registers.word(row, lane) = calls.kept.pop().unwrap_or(0) as u32;
                }
            }
            for &array in arrays.iter().rev() {
                memory.restore_local(array, lane, &mut calls.kept);
            }
        }
        returning
    }

    /// The addresses of the calls that a lane is in, innermost last.
    pub(crate) fn of(&self, lane: usize) -> Vec<Pc> {
        let calls = self.lanes.get(lane).map(|calls| calls.back.as_slice()).unwrap_or_default();
        calls.iter().map(|back| Pc(back.0 - 1)).collect()
    }
}
