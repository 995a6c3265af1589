//! Which row each register has.
//!
//! * A register that is written once and read only later in the same segment gets a *local* row: no policy can come
//!   between, so the write need not preserve inactive lanes.
//! * Another register that is written once has a live range in address order, from its write to its last read, or to the
//!   end of a loop that it enters; registers whose ranges do not overlap share a row.
//! * A variable that is written again and again has a row of its own.
//!
//! Rows of the first kind are never shared with the others: splits of the warp that wait elsewhere have values there.

use super::{Place, PlanError, Uniform};
use simt_core::ScalarType;
use simt_core::code::{Code, Inst, Operand, Pc, Reg};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Word,
    Wide,
    Predicate,
}

const CLASSES: usize = 3;

fn class(ty: ScalarType) -> Class {
    match ty.bits() {
        1 => Class::Predicate,
        64 => Class::Wide,
        _ => Class::Word,
    }
}

fn place(class: Class, row: u16) -> Place {
    match class {
        Class::Word => Place::Word(row),
        Class::Wide => Place::Wide(row),
        Class::Predicate => Place::Predicate(row),
    }
}

/// The row of each register, and of each other operand as it comes up.
#[derive(Clone, Debug)]
pub(super) struct RowMap {
    registers: Vec<Place>,
    local: Vec<bool>,
    uniforms: Vec<Uniform>,
    sizes: [usize; CLASSES],
}

/// Where a register is written and read.
#[derive(Clone, Debug, Default)]
struct Range {
    writes: Vec<usize>,
    reads: Vec<usize>,
}

impl RowMap {
    pub(super) fn new(code: &Code, segment_of: &[Pc]) -> Result<Self, PlanError> {
        let mut ranges = vec![Range::default(); code.registers.len()];
        for (pc, inst) in code.insts.iter().enumerate() {
            for operand in inst.operands() {
                if let Operand::Reg(reg) = operand {
                    ranges[reg.0 as usize].reads.push(pc);
                }
            }
            if let Some(reg) = inst.destination() {
                ranges[reg.0 as usize].writes.push(pc);
            }
        }
        let mut map = Self {
            registers: vec![Place::Word(0); ranges.len()],
            local: vec![false; ranges.len()],
            uniforms: Vec::new(),
            // The first row of words is the active mask's.
            sizes: [1, 0, 0],
        };
        let loops = loops(code);
        let mut shared: Vec<(usize, usize, usize)> = Vec::new();
        let mut local: Vec<(usize, usize, usize)> = Vec::new();
        for (reg, range) in ranges.iter().enumerate() {
            let &[write] = &range.writes[..] else {
                map.registers[reg] = map.fresh(code.registers[reg].ty)?;
                continue;
            };
            let last = range.reads.iter().copied().max().unwrap_or(write);
            let within = |read: usize| read > write && segment_of[read] == segment_of[write];
            if range.reads.iter().all(|&read| within(read)) {
                map.local[reg] = true;
                local.push((write, last, reg));
            } else if range.reads.iter().all(|&read| read > write) {
                shared.push((write, extend(write, last, &range.reads, &loops), reg));
            } else {
                map.registers[reg] = map.fresh(code.registers[reg].ty)?;
            }
        }
        map.scan(code, local)?;
        map.scan(code, shared)?;
        Ok(map)
    }

    /// Linear scan: ranges in the order of their writes, each on a free row if there is one.
    fn scan(&mut self, code: &Code, mut ranges: Vec<(usize, usize, usize)>) -> Result<(), PlanError> {
        ranges.sort_unstable();
        let mut live: Vec<(usize, Class, Place)> = Vec::new();
        let mut free: Vec<(Class, Place)> = Vec::new();
        for (write, last, reg) in ranges {
            live.retain(|&(end, class, place)| {
                // A row whose last read is the instruction that writes the next may serve both.
                let alive = end > write;
                if !alive {
                    free.push((class, place));
                }
                alive
            });
            let class = class(code.registers[reg].ty);
            let place = match free.iter().position(|&(c, _)| c == class) {
                Some(index) => free.swap_remove(index).1,
                None => self.fresh(code.registers[reg].ty)?,
            };
            self.registers[reg] = place;
            live.push((last, class, place));
        }
        Ok(())
    }

    /// A row that nothing else uses.
    pub(super) fn fresh(&mut self, ty: ScalarType) -> Result<Place, PlanError> {
        let class = class(ty);
        let size = &mut self.sizes[class as usize];
        let row = u16::try_from(*size).map_err(|_| PlanError::TooManyRegisters)?;
        *size += 1;
        Ok(place(class, row))
    }

    pub(super) fn register(&self, reg: Reg) -> (Place, bool) {
        (self.registers[reg.0 as usize], self.local[reg.0 as usize])
    }

    /// The row of an operand of a type.
    pub(super) fn operand(&mut self, operand: Operand, ty: ScalarType) -> Result<Place, PlanError> {
        if let Operand::Reg(reg) = operand {
            return Ok(self.register(reg).0);
        }
        if let Some(known) = self.uniforms.iter().find(|known| known.operand == operand) {
            return Ok(known.place);
        }
        let place = self.fresh(ty)?;
        self.uniforms.push(Uniform { operand, place });
        Ok(place)
    }

    pub(super) fn finish(self) -> (Vec<Uniform>, [usize; CLASSES]) {
        (self.uniforms, self.sizes)
    }
}

/// Back edges as address ranges, first to last instruction.
fn loops(code: &Code) -> Vec<(usize, usize)> {
    let back = |(pc, inst): (usize, &Inst)| {
        let target = inst.target()?.index();
        (target <= pc && !inst.is_marker()).then_some((target, pc))
    };
    code.insts.iter().enumerate().filter_map(back).collect()
}

/// The end of a live range: a value read inside a loop that it was written before is read in every iteration.
fn extend(write: usize, last: usize, reads: &[usize], loops: &[(usize, usize)]) -> usize {
    let mut end = last;
    loop {
        let further = loops
            .iter()
            .filter(|&&(first, back)| first > write && reads.iter().any(|&read| read >= first && read <= back))
            .map(|&(_, back)| back)
            .chain(loops.iter().filter(|&&(first, back)| first > write && first <= end && end < back).map(|l| l.1))
            .fold(end, usize::max);
        if further == end {
            return end;
        }
        end = further;
    }
}
