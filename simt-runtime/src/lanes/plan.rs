//! From code to lane operations over numbered rows.
//!
//! A plan splits code into segments: runs that one group of threads executes from beginning to end before a policy may act.
//! Everything inside one is counted, and optimised, as a whole. What a program instruction is stays as in the code: a plan
//! changes how an instruction is carried out, never how many are counted.
//!
//! A segment starts wherever a policy may send threads. It ends with a branch, an `exit` or a marker, or before an address
//! where threads may meet others: any target of a jump if the code has no markers, where only the policy knows who waits;
//! a post-dominator if it has those; with tokens only a marker. Other jumps are followed, so that what lies behind them may
//! be in several segments.

mod rows;
mod select;
mod translate;

use super::LaneOp;
use rows::RowMap;
use simt_core::code::{Code, Inst, JumpKind, Marker, Markers, Operand, Pc};
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

/// A straight-line piece of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its first instruction.
    pub(crate) at: Pc,
    /// Program instructions from there on; 0 for a marker.
    pub(crate) instructions: u32,
}

/// A run of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Where it starts.
    pub(crate) at: Pc,
    /// Its parts, from and to.
    pub(crate) parts: (u32, u32),
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
    pub(crate) parts: Vec<Part>,
    /// By address; where none starts, one that runs nothing and ends the threads.
    pub(crate) segments: Vec<Segment>,
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
        let leaders = leaders(&code);
        let stops = stops(&code, &leaders);
        let rows = RowMap::new(&code, &block_starts(&leaders))?;
        let mut translator = Translator::new(&code, rows);
        let mut parts = Vec::new();
        let mut segments = Vec::with_capacity(code.insts.len());
        for (index, &leader) in leaders.iter().enumerate().take(code.insts.len()) {
            let at = Pc(index as u32);
            let (start, first) = (translator.micros.len() as u32, parts.len() as u32);
            let mut segment =
                Segment { at, parts: (first, first), start, end: start, instructions: 0, control: Control::Exit };
            if leader {
                segment.control = trace(&code, &stops, at, &mut translator, &mut parts)?;
            }
            segment.end = translator.micros.len() as u32;
            segment.parts.1 = parts.len() as u32;
            segment.instructions = parts[first as usize..].iter().map(|part| part.instructions).sum();
            segments.push(segment);
        }
        let Translator { micros, origins, rows, .. } = translator;
        let (uniforms, [words, wides, predicates]) = rows.finish();
        Ok(Self { micros, origins, parts, segments, uniforms, words, wides, predicates, code })
    }
}

/// Most parts that a segment follows jumps to: enough for the glue between statements, and an end to copying.
const MAX_PARTS: usize = 8;

/// Lays down the segment that starts at an address, and says how it ends.
fn trace(
    code: &Code,
    stops: &[bool],
    start: Pc,
    translator: &mut Translator<'_>,
    parts: &mut Vec<Part>,
) -> Result<Control, PlanError> {
    let first = parts.len();
    let mut at = start;
    let mut jumps = 0;
    loop {
        let mut pc = at;
        let control = loop {
            translator.instruction(pc)?;
            let control = control(code, pc, translator)?;
            if let Control::Next(next) = control
                && !stops[next.index()]
            {
                pc = next;
            } else {
                break control;
            }
        };
        // Only the last instruction of a part can be one that does not count: a marker, which is a leader and so a part of
        // its own, or a join.
        let instructions = pc.0 - at.0 + u32::from(code.inst(pc).is_counted());
        if instructions > 0 || code.inst(pc).is_marker() {
            parts.push(Part { at, instructions });
        }
        jumps += 1;
        let seen = |pc: Pc| parts[first..].iter().any(|part| pc >= part.at && pc.0 < part.at.0 + part.instructions);
        if let Control::Jump { target, kind } = control
            && (matches!(kind, JumpKind::Plain | JumpKind::Join) || code.markers != Markers::Tokens)
            && !stops[target.index()]
            && !seen(target)
            && jumps < MAX_PARTS
        {
            at = target;
        } else {
            return Ok(control);
        }
    }
}

/// The addresses that a run must end before.
fn stops(code: &Code, leaders: &[bool]) -> Vec<bool> {
    match code.markers {
        Markers::None => leaders.to_vec(),
        Markers::Tokens => code.insts.iter().map(Inst::is_marker).collect(),
        Markers::PostDominators => {
            let mut stops = vec![false; code.insts.len()];
            code.reconvergence.iter().flatten().for_each(|meet| stops[meet.index()] = true);
            stops
        }
    }
}

/// The addresses where a policy may send threads.
fn leaders(code: &Code) -> Vec<bool> {
    let mut leader = vec![false; code.insts.len() + 1];
    leader[0] = true;
    for (index, inst) in code.insts.iter().enumerate() {
        leader[index] |= inst.is_marker();
        leader[index + 1] |= inst.is_control();
        for target in inst.target().into_iter().chain(code.reconvergence[index]) {
            leader[target.index()] = true;
        }
    }
    leader
}

/// For each instruction the nearest address before it where threads may come from elsewhere: what lies between is always
/// executed in one go.
fn block_starts(leaders: &[bool]) -> Vec<Pc> {
    let mut start = Pc(0);
    leaders
        .iter()
        .enumerate()
        .map(|(index, &leader)| {
            if leader {
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
        Inst::Move { .. }
        | Inst::Unary { .. }
        | Inst::Binary { .. }
        | Inst::MulAdd { .. }
        | Inst::Compare { .. }
        | Inst::Cast { .. }
        | Inst::Load { .. }
        | Inst::Store { .. } => Control::Next(last.next()),
    })
}
