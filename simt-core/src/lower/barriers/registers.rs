//! Numbers for barriers, and what is saved where there are too few.
//!
//! A barrier's register is its own from the `bssy` to the `bsync`. If there are not enough, barriers without a `break` give
//! their participants to a register of the threads right behind the `bssy` and take them back before the `bsync` (Hanoi,
//! section VI-A and Figure 5); all of these pass through one barrier register, the last. Around a call of a function that
//! may be active already, or that needs more than is left, all barriers are saved.

use super::place::Barriers;
use super::ways::Ways;
use super::{Barrier, Point};

use crate::code::{BarrierReg, Code, Inst, Reg, Register, RegisterRole};
use crate::program::FunctionId;
use crate::scalar::ScalarType;

/// Saved around a call: the call's block, the barrier, and the register.
pub(super) type SavedAtCall = (usize, usize, Reg);

impl Barrier {
    /// Whether a barrier holds its register at the end of a block.
    pub(super) fn holds(&self, block: usize) -> bool {
        self.region[block] || self.point == Point::Tail(block)
    }
}

/// The function of each barrier's point: 0 for the kernel, 1 for the first function.
fn part_of(code: &Code, graph: &Ways, block: usize) -> usize {
    code.function_at(graph.cfg.starts[block]).map_or(0, |(FunctionId(number), _)| number as usize + 1)
}

/// Whether two barriers need registers of their own; with the blocks of the right one's region, most of which are small.
fn clash(left: &Barrier, right: &Barrier, blocks: &[usize]) -> bool {
    let both = blocks.iter().any(|&block| left.region[block]);
    let stands = |above: &Barrier, below: &Barrier| above.holds(below.point.block()) || above.point == below.point;
    both || stands(left, right) || stands(right, left)
}

/// Assigns registers to barriers, and notes what to save around calls.
pub(super) fn assign(code: &mut Code, graph: &Ways, limit: u8, barriers: &mut Barriers) {
    let parts = code.functions.len() + 1;
    let mut own = vec![0u8; parts];
    // Outer ones first.
    let mut place = vec![0; graph.successors.len()];
    graph.order.iter().enumerate().for_each(|(number, &block)| place[block] = number);
    barriers.list.sort_by_key(|b| {
        let size = b.region.iter().filter(|&&inside| inside).count();
        (place[b.point.block()], matches!(b.point, Point::Tail(_)), std::cmp::Reverse(size), !b.breaks.is_empty())
    });
    for (part, own) in own.iter_mut().enumerate() {
        *own = number(code, graph, limit, &mut barriers.list, part);
    }
    let calls = Calls::new(code, graph, &own);
    calls.finish(code, graph, limit, barriers);
}

/// Numbers the barriers of a kernel or function from 0; returns how many registers they need.
fn number(code: &mut Code, graph: &Ways, limit: u8, list: &mut Vec<Barrier>, part: usize) -> u8 {
    let mine = |code: &Code, b: &Barrier| part_of(code, graph, b.point.block()) == part;
    let mut free = limit;
    loop {
        let mut numbers: Vec<Option<u8>> = vec![None; list.len()];
        let mut needed = 0;
        for index in 0..list.len() {
            if !mine(code, &list[index]) || list[index].spilled.is_some() {
                continue;
            }
            let region = list[index].region.iter().enumerate();
            let blocks: Vec<usize> = region.filter_map(|(block, &inside)| inside.then_some(block)).collect();
            let others =
                |number| (0..index).any(|o| numbers[o] == Some(number) && clash(&list[o], &list[index], &blocks));
            let number = (0..u8::MAX).find(|&number| !others(number)).unwrap_or(u8::MAX);
            numbers[index] = Some(number);
            needed = needed.max(number.saturating_add(1));
        }
        if needed <= free {
            for (barrier, number) in list.iter_mut().zip(numbers) {
                barrier.register = number.unwrap_or(barrier.register);
            }
            let saves = list.iter().any(|b| mine(code, b) && b.spilled.is_some());
            return if saves { limit } else { needed };
        }
        // One register is for those that are saved to pass through.
        free = limit.saturating_sub(1);
        // The innermost of those for which there is none: outer ones have their numbers first.
        let fits =
            |&index: &usize| mine(code, &list[index]) && list[index].spilled.is_none() && list[index].breaks.is_empty();
        let over = |index: &usize| numbers[*index].is_some_and(|number| number >= free);
        let inner = || (0..list.len()).rev().filter(fits);
        let innermost = inner().find(over).or_else(|| inner().next());
        match innermost {
            Some(index) => {
                list[index].register = limit.saturating_sub(1);
                list[index].spilled = Some(register(code, part));
            }
            // Those that are left have a `break` and cannot be saved: the innermost is given up.
            None => {
                let innermost = (0..list.len()).rev().find(|&i| mine(code, &list[i]) && list[i].spilled.is_none());
                list.remove(innermost.unwrap_or(0));
            }
        }
    }
}

/// A register for participants.
fn register(code: &mut Code, part: usize) -> Reg {
    let function = part.checked_sub(1).map(|number| FunctionId(number as u32));
    let (ty, role) = (ScalarType::U64, RegisterRole::Frame);
    code.registers.push(Register {
        name: None,
        ty,
        written_once: false,
        untyped: false,
        zeroed: false,
        function,
        role,
    });
    Reg(code.registers.len() as u32 - 1)
}

/// Which function calls which.
struct Calls {
    /// For each call its block, the caller and the callee.
    sites: Vec<(usize, usize, usize)>,
    /// By caller: the functions that it reaches by calls.
    reaches: Vec<Vec<bool>>,
    /// By function: how many registers it needs, with those of its callees that do not save.
    needs: Vec<u8>,
}

impl Calls {
    fn new(code: &Code, graph: &Ways, own: &[u8]) -> Self {
        let mut sites = Vec::new();
        for &block in &graph.order {
            if let Inst::Call { function: FunctionId(callee), .. } = *code.inst(super::last(graph, block)) {
                sites.push((block, part_of(code, graph, block), callee as usize + 1));
            }
        }
        let mut reaches = vec![vec![false; own.len()]; own.len()];
        for _ in 0..own.len() {
            for &(_, caller, callee) in &sites {
                let further = reaches[callee].clone();
                reaches[caller].iter_mut().zip(further).for_each(|(known, more)| *known |= more);
                reaches[caller][callee] = true;
            }
        }
        Self { sites, reaches, needs: own.to_vec() }
    }

    fn is_recursive(&self, caller: usize, callee: usize) -> bool {
        self.reaches[callee][caller]
    }

    /// Registers above the caller's own that the barriers hold at a call.
    fn held(list: &[Barrier], block: usize) -> u8 {
        list.iter().filter(|b| b.spilled.is_none() && b.holds(block)).map(|b| b.register + 1).max().unwrap_or(0)
    }

    fn finish(mut self, code: &mut Code, graph: &Ways, limit: u8, barriers: &mut Barriers) {
        // Needs grow from callees to callers; what would be too much is saved.
        for _ in 0..self.needs.len() {
            for &(block, caller, callee) in &self.sites {
                let with_callee = Self::held(&barriers.list, block).saturating_add(self.needs[callee]);
                if !self.is_recursive(caller, callee) && with_callee <= limit {
                    self.needs[caller] = self.needs[caller].max(with_callee);
                }
            }
        }
        let mut base = vec![0u8; self.needs.len()];
        let fits = |base: &[u8], &(block, caller, callee): &(usize, usize, usize)| {
            let top = base[caller].saturating_add(Self::held(&barriers.list, block));
            (!self.is_recursive(caller, callee) && top.saturating_add(self.needs[callee]) <= limit).then_some(top)
        };
        for _ in 0..self.needs.len() {
            for site @ &(_, caller, callee) in &self.sites {
                // Functions that call each other in a circle begin with the same register.
                let top = if self.is_recursive(caller, callee) { Some(base[caller]) } else { fits(&base, site) };
                if let Some(top) = top.filter(|&top| top.saturating_add(self.needs[callee]) <= limit) {
                    base[callee] = base[callee].max(top);
                }
            }
        }
        let saves: Vec<usize> = self
            .sites
            .iter()
            .filter(|site| fits(&base, site).is_none_or(|top| base[site.2] < top))
            .map(|s| s.0)
            .collect();
        for block in saves {
            for index in 0..barriers.list.len() {
                if barriers.list[index].spilled.is_none() && barriers.list[index].holds(block) {
                    let saved = register(code, part_of(code, graph, block));
                    barriers.saved_at_calls.push((block, index, saved));
                }
            }
        }
        for barrier in &mut barriers.list {
            if barrier.spilled.is_none() {
                barrier.register += base[part_of(code, graph, barrier.point.block())];
            }
        }
    }
}

/// The register of a barrier in the text.
pub(super) fn of(barrier: &Barrier) -> BarrierReg {
    BarrierReg(barrier.register)
}
