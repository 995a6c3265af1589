//! The row of each register.
//!
//! * A register that is written once and read only later in the same segment gets a *local* row: no policy can come
//!   between, so the write need not preserve inactive lanes.
//! * Another register that is written once has a live range, the addresses between the first and the last at which its
//!   value is live (see `live`); registers whose ranges do not overlap share a row.
//! * A variable that is written again and again has a row of its own.
//!
//! Rows of the first kind are never shared with the others: splits of the warp that wait elsewhere have values there.

use super::live::Flow;
use super::{Place, PlanError, Uniform};
use simt_core::ScalarType;
use simt_core::code::{Code, Operand, Pc, Reg, RegisterRole};
use simt_core::program::FunctionId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Word,
    Wide,
    Predicate,
}

/// Registers that may share a row: of one class and one function.
type Kind = (Class, Option<FunctionId>);

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

/// Whether a place is one of a class.
fn is_of(place: Place, class: Class) -> bool {
    matches!(
        (place, class),
        (Place::Word(_), Class::Word) | (Place::Wide(_), Class::Wide) | (Place::Predicate(_), Class::Predicate)
    )
}

/// The row of each register, and of each other operand as it comes up.
#[derive(Clone, Debug)]
pub(super) struct RowMap {
    registers: Vec<Place>,
    local: Vec<bool>,
    uniforms: Vec<Uniform>,
    sizes: [usize; CLASSES],
}

/// The places where a register is written and read.
#[derive(Clone, Debug, Default)]
struct Range {
    writes: Vec<usize>,
    reads: Vec<usize>,
}

impl RowMap {
    pub(super) fn new(code: &Code, segment_of: &[Pc]) -> Result<Self, PlanError> {
        let mut ranges = vec![Range::default(); code.registers.len()];
        for (pc, inst) in code.insts.iter().enumerate() {
            for operand in code.reads(Pc(pc as u32)) {
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
            sizes: [0; CLASSES],
        };
        let flow = Flow::of(code);
        let mut shared: Vec<(usize, usize, usize)> = Vec::new();
        let mut local: Vec<(usize, usize, usize)> = Vec::new();
        for (reg, range) in ranges.iter().enumerate() {
            let &[write] = &range.writes[..] else {
                map.registers[reg] = map.fresh(code.registers[reg].ty)?;
                continue;
            };
            // A register that passes between functions is written by one and read by another, in whatever order of
            // addresses.
            if code.registers[reg].role == RegisterRole::Passing || code.registers[reg].zeroed {
                map.registers[reg] = map.fresh(code.registers[reg].ty)?;
                continue;
            }
            let last = range.reads.iter().copied().max().unwrap_or(write);
            let within = |read: usize| read > write && segment_of[read] == segment_of[write];
            if range.reads.iter().all(|&read| within(read)) {
                map.local[reg] = true;
                local.push((2 * write + 1, 2 * last, reg));
            } else {
                let (first, last) = flow.hull(&range.writes, &range.reads);
                shared.push((first, last, reg));
            }
        }
        map.scan(code, local)?;
        map.scan(code, shared)?;
        Ok(map)
    }

    /// Linear scan: ranges in the order of their beginnings, each on a free row if there is one.
    fn scan(&mut self, code: &Code, mut ranges: Vec<(usize, usize, usize)>) -> Result<(), PlanError> {
        ranges.sort_unstable();
        // A function's rows are its own: its callers' values live on while it runs.
        let mut live: Vec<(usize, Kind, Place)> = Vec::new();
        let mut free: Vec<(Kind, Place)> = Vec::new();
        for (first, last, reg) in ranges {
            live.retain(|&(end, kind, place)| {
                // A row whose last read is the instruction that writes the next may serve both.
                let alive = end >= first;
                if !alive {
                    free.push((kind, place));
                }
                alive
            });
            let kind = (class(code.registers[reg].ty), code.registers[reg].function);
            let place = match free.iter().position(|&(k, _)| k == kind) {
                Some(index) => free.swap_remove(index).1,
                None => self.fresh(code.registers[reg].ty)?,
            };
            self.registers[reg] = place;
            live.push((last, kind, place));
        }
        Ok(())
    }

    /// A row that is shared with no other register.
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
        // An address of 32 bits is a word, and the same address of 64 bits is another row.
        let alike = |known: &&Uniform| known.operand == operand && is_of(known.place, class(ty));
        if let Some(known) = self.uniforms.iter().find(alike) {
            return Ok(known.place);
        }
        let place = self.fresh(ty)?;
        self.uniforms.push(Uniform { operand, place });
        Ok(place)
    }

    /// The rows of registers that are zero where a thread begins.
    pub(super) fn zeroed(&self, code: &Code) -> Vec<Place> {
        let registers = code.registers.iter().zip(&self.registers);
        registers.filter(|(register, _)| register.zeroed).map(|(_, &place)| place).collect()
    }

    pub(super) fn finish(self) -> (Vec<Uniform>, [usize; CLASSES]) {
        (self.uniforms, self.sizes)
    }
}
