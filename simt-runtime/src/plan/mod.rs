//! The translation of code to lane operations over numbered rows.
//!
//! A plan splits code into segments: runs that one group of threads executes from beginning to end before a policy may act.
//! Everything inside one is counted, and optimised, as a whole. A plan changes how an instruction is carried out, never what
//! counts as an instruction nor how many are counted.
//!
//! A segment starts wherever a policy may send threads. It ends with a branch, an `exit` or a marker, or before an address
//! where threads may meet others or some may stay. In code without markers, where only the policy knows which threads wait,
//! threads may meet at any target of a jump, or at any join; with post-dominators, at one of those; with tokens or convergence
//! barriers, only behind a marker. Other jumps are followed, so that an instruction behind them may be in several segments; but
//! not one back in a loop without a branch: a policy that counts jumps and branches is told something in each turn.

mod access;
mod ahead;
mod apart;
mod by_address;
mod control;
mod divide;
mod functions;
mod lines;
mod live;
mod op;
mod operands;
mod rows;
mod select;
mod stops;
mod trace;
mod translate;

pub(crate) use control::{BarrierUse, Collective, Control, Converge, Frame};
pub(crate) use lines::SourceLine;
pub(crate) use op::{LaneOp, for_each_lane_op};
pub(crate) use operands::{
    Access, AddressAccess, AddressKind, AtomicAccess, Extended, Function, Guarded, ModelledAccess, ModelledAddress,
    ModelledKind, Numeric, Target, Text, WatchedAccess, WatchedAddress, WatchedKind,
};

use crate::memory::races::SLOTS;
use crate::memory::spaces::symbol_bytes;
use access::is_modelled;
use control::{Waits, frames};
use lines::SourceLines;
use rows::RowMap;
use simt_core::analysis::reconvergence_points;
use simt_core::code::{AddressSpace, Code, CodeError, Inst, Marker, Markers, Operand, Pc};
use simt_core::ops::AtomicOp;
use simt_core::program::{ArraySpace, BarrierOp, LoadAccess, Memory};
use std::borrow::Cow;
use std::sync::OnceLock;
use stops::{block_starts, counted, leaders, stops};
use trace::trace;
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

impl Micro {
    /// The number of an extended operation.
    pub(crate) fn extended(self) -> usize {
        usize::from(self.a) | usize::from(self.b) << 16
    }
}

/// What a lane operation is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The instruction.
    pub(crate) pc: Pc,
    /// Of an access, or what tells of one, where its indices are.
    pub(crate) index: Option<Place>,
}

/// The place of a value.
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
    /// Its number among those that threads may come to, counted from one; 0 at other addresses.
    pub(crate) number: u32,
    /// The range of its parts.
    pub(crate) parts: (u32, u32),
    /// First lane operation.
    pub(crate) start: u32,
    /// The number behind its last lane operation.
    pub(crate) end: u32,
    /// Program instructions, the control instruction included.
    pub(crate) instructions: u32,
    /// Those and markers; at least one.
    pub(crate) steps: u32,
    /// How the segment ends.
    pub(crate) control: Control,
    /// The segment's number among those that may run ahead of their issue, counted from one; 0 if it may not.
    pub(crate) ahead: u32,
}

/// The number of a slice or array among the memory's slots: parameters first, then arrays.
pub(crate) fn slot(code: &Code, memory: Memory) -> u16 {
    match memory {
        Memory::Param(param) => param.0 as u16,
        Memory::Array(array) => (code.params.len() as u32 + array.0) as u16,
    }
}

/// How long segments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// As much as possible; in code without markers, up to every target of a jump.
    ToTargets,
    /// As much as possible; in code without markers, up to where paths of a branch may meet.
    ToJoins,
    /// One instruction: a clock times each.
    OfOne,
    /// Memory is modelled: each access of memory that other threads see begins a segment, so that others can run between
    /// them.
    Modelled,
}

impl Runs {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::ToTargets, Self::ToJoins, Self::OfOne, Self::Modelled];
}

/// Code, ready to run.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The code it was made from.
    pub(crate) code: Code,
    pub(crate) micros: Vec<Micro>,
    /// For each lane operation what it is part of.
    pub(crate) origins: Vec<Origin>,
    pub(crate) parts: Vec<Part>,
    pub(crate) extended: Vec<Extended>,
    pub(crate) collectives: Vec<Collective>,
    pub(crate) barriers: Vec<BarrierUse>,
    /// The frame of each function.
    pub(crate) frames: Vec<Frame>,
    /// The segment at each address; where none starts, one that runs nothing and ends the threads.
    pub(crate) segments: Vec<Segment>,
    pub(crate) uniforms: Vec<Uniform>,
    /// The rows that are zero where a warp begins.
    pub(crate) zeroed: Vec<Place>,
    /// The instructions of guarded operations, by their numbers.
    pub(crate) guards: Vec<Pc>,
    pub(crate) words: usize,
    pub(crate) wides: usize,
    pub(crate) predicates: usize,
    /// The segments that may run ahead of their issue, by their numbers less one.
    pub(crate) aheads: Vec<Pc>,
    /// Bytes of shared memory that the launch gives to the array whose length it says.
    pub(crate) shared_memory: usize,
    lines: OnceLock<SourceLines>,
    leads_astray: OnceLock<Option<CodeError>>,
}

/// Code that cannot be planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PlanError {
    /// More values are alive than rows can be numbered.
    #[error("the kernel needs more than 65535 registers of one kind")]
    TooManyRegisters,
    /// More parameters and arrays than can be numbered.
    #[error("the kernel has more than 65535 parameters and arrays")]
    TooManyArrays,
}

impl Plan {
    /// The plan for a launch with so many bytes of shared memory for the array whose length it says.
    pub(crate) fn with_shared_memory(&self, bytes: usize) -> Cow<'_, Self> {
        if bytes == 0 {
            return Cow::Borrowed(self);
        }
        let mut plan = self.clone();
        plan.code = plan.code.with_shared_memory(bytes);
        plan.shared_memory = bytes;
        Cow::Owned(plan)
    }

    /// Whether threads at an address have nothing left to do but to end. It is said of instructions, not of operations: a fence is
    /// one in some plans only.
    #[cold]
    pub(crate) fn only_ends(&self, pc: Pc) -> bool {
        let mut at = pc;
        // Of jumps no more are followed than there are segments: they may go round.
        for _ in 0..self.segments.len() {
            let Some(segment) = self.segments.get(at.index()).filter(|segment| segment.number > 0) else {
                return false;
            };
            at = match (segment.control, segment.instructions) {
                (Control::Exit, 1) => return true,
                (Control::Jump { target: next, .. }, 1) | (Control::Next(next) | Control::Marker { next, .. }, 0) => {
                    next
                }
                _ => return false,
            };
        }
        false
    }

    /// Bytes of shared memory that a block has.
    pub(crate) fn shared_bytes(&self) -> usize {
        let arrays = self.code.arrays.iter().filter(|array| array.space == ArraySpace::Shared && !array.dynamic);
        let declared = arrays.map(|array| array.length as usize * array.element.bits().div_ceil(8) as usize);
        let symbols = symbol_bytes(&self.code.symbols, AddressSpace::Shared) as usize;
        declared.sum::<usize>().saturating_add(symbols).saturating_add(self.shared_memory)
    }

    /// Plans code; `watched` for launches that look for races.
    ///
    /// # Errors
    /// If the code needs more registers, or has more arrays, than can be numbered.
    pub(crate) fn new(code: Code, runs: Runs, watched: bool) -> Result<Self, PlanError> {
        // Behind them are those that stand for memory by address where races are looked for.
        if code.params.len() + code.arrays.len() > usize::from(u16::MAX) - SLOTS {
            return Err(PlanError::TooManyArrays);
        }
        let modelled = runs == Runs::Modelled;
        let apart =
            code.insts.iter().map(|inst| modelled && is_modelled(&code, inst) || takes_what_is_free(&code, inst));
        let apart: Vec<bool> = apart.collect();
        let meets = if code.markers == Markers::None { reconvergence_points(&code) } else { Vec::new() };
        let (leaders, stops) = if runs == Runs::OfOne {
            (vec![true; code.insts.len() + 1], vec![true; code.insts.len()])
        } else {
            let leaders = leaders(&code, &apart);
            let stops = stops(&code, &leaders, &apart, runs, &meets);
            (leaders, stops)
        };
        let rows = RowMap::new(&code, &block_starts(&leaders))?;
        let frames = frames(&code, &rows);
        let mut translator = Translator::new(&code, rows, modelled, watched);
        let mut waits = Waits::default();
        let mut parts = Vec::new();
        let mut segments = Vec::with_capacity(code.insts.len());
        let mut number = 0;
        for (index, &leader) in leaders.iter().enumerate().take(code.insts.len()) {
            let at = Pc(index as u32);
            let (start, first) = (translator.micros.len() as u32, parts.len() as u32);
            let mut segment = Segment {
                number: 0,
                parts: (first, first),
                start,
                end: start,
                instructions: 0,
                steps: 1,
                control: Control::Exit,
                ahead: 0,
            };
            if leader {
                number += 1;
                segment.number = number;
                segment.control = trace(&code, &stops, at, &mut translator, &mut parts, &mut waits)?;
            }
            segment.end = translator.micros.len() as u32;
            segment.parts.1 = parts.len() as u32;
            let parts = &parts[first as usize..];
            segment.instructions = parts.iter().map(|part| counted(&code, part)).sum();
            let markers = parts.iter().filter(|part| part.instructions == 0).count() as u32;
            segment.steps = (segment.instructions + markers).max(1);
            segments.push(segment);
        }
        if code.markers == Markers::None {
            say_where_branches_meet(&meets, &mut segments);
        }
        let syncs = code.sync_targets();
        for Segment { control, .. } in &mut segments {
            if let Control::Marker { marker: Marker::Pop, next } = control
                && let Some(target) = syncs[next.index() - 1]
            {
                *next = target;
            }
        }
        let Translator { micros, origins, rows, extended, guards, .. } = translator;
        let aheads = if matches!(runs, Runs::ToTargets | Runs::ToJoins) {
            ahead::number(&code, &mut segments, &micros, &origins, &extended)
        } else {
            Vec::new()
        };
        let Waits { collectives, barriers } = waits;
        let zeroed = rows.zeroed(&code);
        let (uniforms, [words, wides, predicates]) = rows.finish();
        Ok(Self {
            micros,
            origins,
            parts,
            extended,
            collectives,
            barriers,
            frames,
            segments,
            uniforms,
            zeroed,
            guards,
            words,
            wides,
            predicates,
            aheads,
            shared_memory: 0,
            lines: OnceLock::new(),
            leads_astray: OnceLock::new(),
            code,
        })
    }

    /// The source lines, and which of them each instruction comes from.
    pub(crate) fn lines(&self) -> &SourceLines {
        self.lines.get_or_init(|| SourceLines::of(&self.code))
    }

    /// The first address that the code names and that no instruction of its function has: see [`Code::check_addresses`].
    pub(crate) fn leads_astray(&self) -> Option<&CodeError> {
        self.leads_astray.get_or_init(|| self.code.check_addresses().err()).as_ref()
    }

    /// Whether the threads of all blocks wait for each other, so that the blocks run together.
    pub(crate) fn meets_as_grid(&self) -> bool {
        self.barriers.iter().any(|barrier| barrier.op == BarrierOp::Grid)
    }

    /// Whether warps of a block may wait for each other: they must then take turns.
    pub(crate) fn is_cooperative(&self) -> bool {
        self.code.insts.iter().any(|inst| match inst {
            Inst::Barrier { .. } | Inst::Atomic { .. } | Inst::AtomicAt { .. } => true,
            Inst::Load { access, .. } | Inst::LoadAt { access, .. } => {
                matches!(access, LoadAccess::Volatile | LoadAccess::Cv)
            }
            _ => false,
        })
    }
}

/// Whether an instruction may be one by which a thread takes what others wait for, such as a lock: an atomic whose result is
/// used. It begins a segment, so that a warp's turn can end before it: a loop that gives a lock back and takes it again
/// within one segment would never let another warp have it. In code without markers the heads of loops begin segments
/// anyway, and the policy says where else.
fn takes_what_is_free(code: &Code, inst: &Inst) -> bool {
    let takes = |inst: &Inst| match inst {
        Inst::Atomic { op, dst: Some(_), .. } | Inst::AtomicAt { op, dst: Some(_), .. } => *op != AtomicOp::Load,
        _ => false,
    };
    code.markers != Markers::None && takes(inst)
}

/// Code without markers does not say where the paths of a branch meet; some policies count such points nevertheless.
fn say_where_branches_meet(meets: &[Option<Pc>], segments: &mut [Segment]) {
    for segment in segments {
        match &mut segment.control {
            Control::Branch { next, meet, .. } => *meet = meets[next.index() - 1],
            Control::Indirect { at, meet, .. } => *meet = meets[at.index()],
            _ => {}
        }
    }
}
