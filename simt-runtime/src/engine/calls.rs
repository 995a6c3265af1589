//! The calls that each lane is in, and what they keep for the callers.

mod backs;

use crate::lanes::{MAX_LANES, Registers};
use crate::memory::Memory;
use crate::plan::{Frame, Plan};
use backs::Backs;
use simt_core::LaneMask;
use simt_core::code::{Inst, Pc};

/// The calls that each lane is in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Calls {
    backs: Backs,
    /// By lane, the frames of callers that may be active again; empty if none has been kept.
    kept: Vec<Vec<u64>>,
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

impl Calls {
    /// No lane is in a call any more.
    pub(crate) fn clear(&mut self) {
        self.backs.clear();
        self.kept.iter_mut().for_each(Vec::clear);
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
        if let Some(lane) = self.backs.in_so_many(limits.depth, mask).lanes().next() {
            return Some((lane as u32, TooManyCalls::Depth));
        }
        let (frame, arrays) = (frame(plan, Pc(back.0 - 1)), arrays(plan, Pc(back.0 - 1)));
        if !arrays.is_empty() || frame.is_some_and(Frame::keeps) {
            self.kept.resize_with(MAX_LANES, Vec::new);
            for lane in mask.lanes() {
                let kept = &mut self.kept[lane];
                arrays.iter().for_each(|&array| memory.save_local(array, lane, kept));
                let Some(frame) = frame else { continue };
                kept.extend(frame.words.iter().map(|&row| u64::from(*registers.word(row, lane))));
                kept.extend(frame.wides.iter().map(|&row| *registers.wide(row, lane)));
                kept.extend(frame.predicates.iter().map(|&row| registers.predicates[row as usize] >> lane & 1));
            }
        }
        let unset = called(plan, Pc(back.0 - 1)).map_or(&[][..], |frame| &frame.unset);
        unset.iter().for_each(|&array| memory.forget_local(array, mask));
        self.backs.push(mask, back);
        if self.kept.is_empty() && self.backs.most_bytes() <= limits.memory {
            return None;
        }
        let too_much = mask.lanes().find(|&lane| self.bytes(lane) > limits.memory);
        too_much.map(|lane| (lane as u32, TooManyCalls::Memory))
    }

    /// What is kept for the callers of a lane.
    fn bytes(&self, lane: usize) -> usize {
        self.backs.bytes(lane) + self.kept.get(lane).map_or(0, |kept| size_of_val(&kept[..]))
    }

    /// Where the lowest lane returns to.
    pub(super) fn back(&self, mask: LaneMask) -> Pc {
        let back = mask.lanes().next().and_then(|lane| self.backs.last(lane));
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
        let returning = self.backs.pop(mask, back);
        let (frame, arrays) = (frame(plan, Pc(back.0 - 1)), arrays(plan, Pc(back.0 - 1)));
        if arrays.is_empty() && !frame.is_some_and(Frame::keeps) {
            return returning;
        }
        for lane in returning.lanes() {
            let kept = &mut self.kept[lane];
            if let Some(frame) = frame {
                for &row in frame.predicates.iter().rev() {
                    let bit = kept.pop().unwrap_or(0) << lane;
                    let predicate = &mut registers.predicates[row as usize];
                    *predicate = *predicate & !(1 << lane) | bit;
                }
                for &row in frame.wides.iter().rev() {
                    *registers.wide(row, lane) = kept.pop().unwrap_or(0);
                }
                for &row in frame.words.iter().rev() {
                    *registers.word(row, lane) = kept.pop().unwrap_or(0) as u32;
                }
            }
            for &array in arrays.iter().rev() {
                memory.restore_local(array, lane, kept);
            }
        }
        returning
    }

    /// The addresses of the calls that a lane is in, innermost last.
    pub(crate) fn of(&self, lane: usize) -> Vec<Pc> {
        self.backs.of(lane).map(|back| Pc(back.0 - 1)).collect()
    }
}
