//! Rule 10: every register is written before it is read.
//!
//! A forward data-flow over instructions, each with the set of registers that every path to it has written; where paths meet,
//! the intersection. A function begins with what all its calls have written, and its call gives what all its `ret`s have,
//! but that a recursive function's caller gets its own registers back as they were.

use super::{Check, Mistake};
use crate::code::{Address, Code, Inst, Operand, Pc, Reg, RegisterRole};
use crate::program::FunctionId;
use std::collections::BTreeSet;

/// What a register needs before it is read.
const WRITTEN: &str = "a write of it without a guard on every path to here, or a register that is `zeroed`";

/// A set of registers, one bit each.
type Set = Vec<u64>;

struct Flow<'c> {
    code: &'c Code,
    pops: &'c [Option<Pc>],
    /// Registers that are written on every path to an instruction; none until a path is found.
    before: Vec<Option<Set>>,
    /// For each function, what every path to a `ret` has written; none until a path is found.
    returned: Vec<Option<Set>>,
    /// For each function the calls of it.
    calls: Vec<Vec<Pc>>,
    /// For each register the owner whose frame it is in, unless it passes values.
    frames: Vec<Option<Option<FunctionId>>>,
}

/// The flow of a code, followed to its end.
fn flow<'c>(code: &'c Code, pops: &'c [Option<Pc>]) -> Flow<'c> {
    let frame = |register: &crate::code::Register| (register.role == RegisterRole::Frame).then_some(register.function);
    let mut calls = vec![Vec::new(); code.functions.len()];
    for (index, inst) in code.insts.iter().enumerate() {
        if let Inst::Call { function, .. } = inst {
            calls[function.0 as usize].push(Pc(index as u32));
        }
    }
    let mut flow = Flow {
        code,
        pops,
        before: vec![None; code.insts.len()],
        returned: vec![None; code.functions.len()],
        calls,
        frames: code.registers.iter().map(frame).collect(),
    };
    flow.run();
    flow
}

/// Whether an operand is a register that is not in a set.
fn unwritten(set: &Set, operand: Operand) -> bool {
    matches!(operand, Operand::Reg(reg) if !contains(set, reg.0 as usize))
}

/// The registers that are read where not every path has written them.
pub(super) fn missing(code: &Code, pops: &[Option<Pc>]) -> BTreeSet<Reg> {
    let flow = flow(code, pops);
    let mut missing = BTreeSet::new();
    for (index, before) in flow.before.iter().enumerate() {
        let (Some(before), pc) = (before, Pc(index as u32)) else { continue };
        let guard = code.guard(pc).map(|guard| Operand::Reg(guard.reg));
        let read = code.operands(code.inst(pc)).chain(guard).filter(|&operand| unwritten(before, operand));
        missing.extend(read.filter_map(|operand| if let Operand::Reg(reg) = operand { Some(reg) } else { None }));
    }
    missing
}

/// Checks all instructions that a path leads to.
pub(super) fn check(code: &Code, pops: &[Option<Pc>]) -> Check {
    let flow = flow(code, pops);
    for (index, before) in flow.before.iter().enumerate() {
        let (Some(before), pc) = (before, Pc(index as u32)) else { continue };
        let inst = code.inst(pc);
        let guard = code.guard(pc);
        if guard.is_some_and(|guard| unwritten(before, Operand::Reg(guard.reg))) {
            return Err(Mistake::at(pc, "the guard may be read before it is written", WRITTEN));
        }
        if code.operands(inst).any(|operand| unwritten(before, operand)) {
            let slot = code.slots(inst).iter().position(|slot| match *slot {
                crate::code::shape::Slot::Read(operand, _)
                | crate::code::shape::Slot::Shown(operand, _)
                | crate::code::shape::Slot::Element(_, operand, ..)
                | crate::code::shape::Slot::Address(Address { base: operand, .. }) => unwritten(before, operand),
                _ => false,
            });
            let what = "a register may be read before it is written";
            return Err(Mistake::slot(pc, slot.unwrap_or(0), what, WRITTEN));
        }
    }
    Ok(())
}

fn contains(set: &Set, register: usize) -> bool {
    set[register / 64] >> (register % 64) & 1 == 1
}

impl Flow<'_> {
    fn run(&mut self) {
        let mut work = BTreeSet::new();
        let nothing = vec![0; self.code.registers.len().div_ceil(64)];
        let mut first = nothing;
        let zeroed = self.code.registers.iter().enumerate().filter(|(_, register)| register.zeroed);
        for (index, _) in zeroed {
            first[index / 64] |= 1 << (index % 64);
        }
        self.arrive(Pc(0), &first, &mut work);
        // Lowest address first: nearly the order of the flow.
        while let Some(pc) = work.pop_first() {
            let Some(mut set) = self.before[pc.index()].clone() else { continue };
            let inst = self.code.inst(pc);
            if let Some(dst) = inst.destination()
                && self.code.guard(pc).is_none()
            {
                set[dst.0 as usize / 64] |= 1 << (dst.0 % 64);
            }
            match *inst {
                Inst::Call { function, target } => {
                    self.arrive(target, &set, &mut work);
                    if let Some(after) = self.after_call(pc, function, &set) {
                        self.arrive(pc.next(), &after, &mut work);
                    }
                }
                Inst::Return => self.leave(pc, &set, &mut work),
                // The launch ends.
                Inst::Panic { .. } => {}
                _ => match self.pops[pc.index()] {
                    Some(target) => self.arrive(target, &set, &mut work),
                    None => {
                        for next in self.code.successors(pc) {
                            self.arrive(next, &set, &mut work);
                        }
                    }
                },
            }
        }
    }

    /// A path comes to an instruction with a set.
    fn arrive(&mut self, pc: Pc, set: &Set, work: &mut BTreeSet<Pc>) {
        if meet(&mut self.before[pc.index()], set) {
            work.insert(pc);
        }
    }

    fn leave(&mut self, pc: Pc, set: &Set, work: &mut BTreeSet<Pc>) {
        if let Some((id, _)) = self.code.function_at(pc) {
            let index = id.0 as usize;
            if meet(&mut self.returned[index], set) {
                work.extend(self.calls[index].iter().filter(|call| self.before[call.index()].is_some()));
            }
        }
    }

    /// What is written behind a call: none while no path returns from it.
    fn after_call(&self, pc: Pc, function: FunctionId, before: &Set) -> Option<Set> {
        let callee = function.0 as usize;
        let returned = self.returned[callee].as_ref()?;
        let mut after = before.clone();
        let here = self.code.function_at(pc).map(|(id, _)| id);
        for (register, frame) in self.frames.iter().enumerate() {
            let kept = self.code.functions[callee].recursive && *frame == Some(here);
            if !kept && contains(returned, register) {
                after[register / 64] |= 1 << (register % 64);
            }
        }
        Some(after)
    }
}

/// Intersects; whether that changed anything.
fn meet(known: &mut Option<Set>, set: &Set) -> bool {
    match known {
        None => {
            *known = Some(set.clone());
            true
        }
        Some(known) => {
            let mut changed = false;
            for (word, other) in known.iter_mut().zip(set) {
                changed |= *word & !other != 0;
                *word &= other;
            }
            changed
        }
    }
}
