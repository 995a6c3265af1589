//! From code to lane operations over numbered rows.
//!
//! A plan splits code into segments: straight-line runs that end with a control instruction or before an address where
//! threads may arrive from elsewhere. Policies act only between segments, so that everything inside one may be counted, and
//! optimised, as a whole. What a program instruction is stays as in the code: a plan changes how an instruction is carried
//! out, never how many are counted.

mod rows;
mod translate;

use super::LaneOp;
use rows::RowMap;
use simt_core::code::{Code, Inst, JumpKind, Marker, Operand, Pc};
use translate::Translator;

/// One operation on rows. Which kind of row each number means follows from the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Micro {
    pub(crate) op: LaneOp,
    /// Whether the destination dies inside this segment, so that inactive lanes may be overwritten.
    pub(crate) local: bool,
    /// Destination; of a store, the value.
    pub(crate) dst: u16,
    /// First operand; of a load or store, the index.
    pub(crate) a: u16,
    /// Second operand; of a load or store, the parameter.
    pub(crate) b: u16,
}

/// Where a value lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    Word(u16),
    Wide(u16),
    Predicate(u16),
}

/// An operand that is not a register: a row that is filled before the warp starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Uniform {
    pub(crate) operand: Operand,
    pub(crate) place: Place,
}

/// A straight-line run of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// First lane operation.
    pub(crate) start: u32,
    /// Behind the last lane operation.
    pub(crate) end: u32,
    /// Program instructions, the control instruction included.
    pub(crate) instructions: u32,
    /// How the segment ends.
    pub(crate) control: Control,
}

/// How a segment ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// It runs into the next segment.
    Next(Pc),
    /// A conditional branch.
    Branch {
        /// Number of the predicate.
        predicate: u16,
        /// Value of the predicate that takes the branch.
        when: bool,
        /// Taken path.
        target: Pc,
        /// Other path.
        next: Pc,
        /// Where they meet, if known.
        meet: Option<Pc>,
        /// Whether the taken path leaves a loop.
        leaves: bool,
    },
    /// An unconditional jump.
    Jump {
        /// Where.
        target: Pc,
        /// By which statement.
        kind: JumpKind,
    },
    /// The end of the threads.
    Exit,
    /// A marker.
    Marker {
        /// Which.
        marker: Marker,
        /// The address behind it.
        next: Pc,
    },
}

/// Code, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The code it was made from.
    pub(crate) code: Code,
    pub(crate) micros: Vec<Micro>,
    /// For each lane operation the instruction that it is part of.
    pub(crate) origins: Vec<Pc>,
    /// By address; only those of segment starts mean anything.
    pub(crate) segments: Vec<Segment>,
    /// The segment that each instruction is in.
    pub(crate) segment_of: Vec<Pc>,
    pub(crate) uniforms: Vec<Uniform>,
    pub(crate) words: usize,
    pub(crate) wides: usize,
    pub(crate) predicates: usize,
}

/// Code that cannot be planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PlanError {
    /// More values are alive than rows can be numbered.
    #[error("the kernel needs more than 65535 registers of one kind")]
    TooManyRegisters,
}

impl Plan {
    /// Plans code.
    ///
    /// # Errors
    /// If the code needs more registers than can be numbered.
    pub(crate) fn new(code: Code) -> Result<Self, PlanError> {
        let segment_of = segment_starts(&code);
        let rows = RowMap::new(&code, &segment_of)?;
        let mut translator = Translator::new(&code, rows);
        let len = code.insts.len();
        let blank = Segment { start: 0, end: 0, instructions: 0, control: Control::Exit };
        let mut segments = vec![blank; len];
        let mut first = 0;
        while first < len {
            let last = (first + 1..=len).find(|&pc| pc == len || segment_of[pc].index() == pc).unwrap_or(len) - 1;
            let start = translator.micros.len() as u32;
            let mut instructions = 0;
            for pc in first..=last {
                instructions += u32::from(!code.insts[pc].is_marker());
                translator.instruction(Pc(pc as u32))?;
            }
            let control = control(&code, Pc(last as u32), &mut translator)?;
            segments[first] = Segment { start, end: translator.micros.len() as u32, instructions, control };
            first = last + 1;
        }
        let Translator { micros, origins, rows, .. } = translator;
        let (uniforms, [words, wides, predicates]) = rows.finish();
        Ok(Self { micros, origins, segments, segment_of, uniforms, words, wides, predicates, code })
    }
}

/// For each instruction the address at which its segment starts.
fn segment_starts(code: &Code) -> Vec<Pc> {
    let mut leader = vec![false; code.insts.len() + 1];
    leader[0] = true;
    for (index, inst) in code.insts.iter().enumerate() {
        leader[index + 1] |= inst.is_control();
        for target in inst.target().into_iter().chain(code.reconvergence[index]) {
            leader[target.index()] = true;
        }
    }
    let mut start = Pc(0);
    (0..code.insts.len())
        .map(|index| {
            if leader[index] {
                start = Pc(index as u32);
            }
            start
        })
        .collect()
}

fn control(code: &Code, last: Pc, translator: &mut Translator<'_>) -> Result<Control, PlanError> {
    Ok(match *code.inst(last) {
        Inst::Branch { cond, when, target, leaves } => Control::Branch {
            predicate: translator.predicate(cond)?,
            when,
            target,
            next: last.next(),
            meet: code.reconvergence[last.index()],
            leaves,
        },
        Inst::Jump { target, kind } => Control::Jump { target, kind },
        Inst::Exit => Control::Exit,
        Inst::Marker(marker) => Control::Marker { marker, next: last.next() },
        Inst::Move { .. } | Inst::Unary { .. } | Inst::Binary { .. } | Inst::Compare { .. } | Inst::Cast { .. }
        | Inst::Load { .. } | Inst::Store { .. } => Control::Next(last.next()),
    })
}
