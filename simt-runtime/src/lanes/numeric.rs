//! Numeric methods that have no loop of their own, and all operations on 16-bit floats.
//!
//! Their meaning for one lane is a function of the tables of `simt_core::ops`, chosen when the plan is made. One loop calls
//! them all, so that a hundred methods on ten types cost the crate's users no time to compile. What is common and cheap
//! (`min`, `max`, `abs`, `sqrt`) is in the lanes' own table instead.

use super::CHUNK;
use super::row::{Registers, each_lane};
use crate::plan::Place;
use crate::plan::{Function, Numeric};
use simt_core::Constant;
use simt_core::ops::NumericOp;

impl Numeric {
    /// The method, and its operands in one lane.
    pub(crate) fn operands(&self, registers: &Registers, lane: usize) -> (NumericOp, Vec<Constant>) {
        let slots = self.op.args().iter().map(|slot| slot.of(self.ty));
        let operand = |(place, ty)| registers.value(place, ty, lane);
        (self.op, self.function.args.into_iter().flatten().zip(slots).map(operand).collect())
    }

    /// Runs it for the active lanes; returns the lowest lane that faulted.
    pub(crate) fn run(&self, registers: &mut Registers) -> Option<usize> {
        self.function.run(registers)
    }
}

impl Function {
    /// Runs it for the active lanes; returns the lowest lane that faulted.
    pub(crate) fn run(&self, registers: &mut Registers) -> Option<usize> {
        for part in 0..registers.chunks {
            let active = (registers.mask.bits >> (part * CHUNK)) as u8;
            if active == 0 {
                continue;
            }
            // A destination may be an operand's row too, so the operands are read first. PERF: not by `map` of the array, whose
            // parts are compiled apart.
            let [a, b, c] = self.args;
            let (a, b, c) = (chunk(registers, a, part), chunk(registers, b, part), chunk(registers, c, part));
            let mut results = [0; CHUNK];
            for lane in (0..CHUNK).filter(|lane| active >> lane & 1 == 1) {
                let Some(bits) = (self.meaning)([a[lane], b[lane], c[lane]]) else {
                    return Some(part * CHUNK + lane);
                };
                results[lane] = bits;
            }
            self.write(registers, part, active, &results);
        }
        None
    }

    /// Writes the results of the active ones of eight lanes.
    fn write(&self, registers: &mut Registers, part: usize, active: u8, results: &[u64; CHUNK]) {
        let is_active = |lane: &usize| active >> lane & 1 == 1;
        match self.dst {
            Place::Word(row) => {
                let words = &mut registers.words[row as usize * registers.chunks + part].0;
                for lane in (0..CHUNK).filter(is_active) {
                    words[lane] = (((results[lane] as u32) << self.signs) as i32 >> self.signs) as u32;
                }
            }
            Place::Wide(row) => {
                let wides = &mut registers.wides[row as usize * registers.chunks + part].0;
                for lane in (0..CHUNK).filter(is_active) {
                    wides[lane] = results[lane];
                }
            }
            Place::Predicate(row) => {
                let bits = results.iter().rev().fold(0, |bits, result| bits << 1 | (result & 1));
                let active = u64::from(active) << (part * CHUNK);
                let predicate = &mut registers.predicates[row as usize];
                *predicate = (*predicate & !active) | (bits << (part * CHUNK) & active);
            }
        }
    }
}

/// The values of eight lanes.
#[inline(always)]
fn chunk(registers: &Registers, place: Option<Place>, part: usize) -> [u64; CHUNK] {
    match place {
        Some(Place::Word(row)) => {
            let words = registers.words[row as usize * registers.chunks + part].0;
            each_lane(|lane| words[lane].into())
        }
        Some(Place::Wide(row)) => registers.wides[row as usize * registers.chunks + part].0,
        Some(Place::Predicate(row)) => {
            let bits = registers.predicates[row as usize] >> (part * CHUNK);
            each_lane(|lane| bits >> lane & 1)
        }
        None => [0; CHUNK],
    }
}
