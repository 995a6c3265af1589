//! The ends of segments.

use super::rows::RowMap;
use super::translate::Translator;
use super::{Place, PlanError};
use simt_core::ScalarType;
use simt_core::code::{BarrierReg, Code, Inst, JumpKind, Marker, Operand, Pc, Reg, RegisterRole};
use simt_core::ops::{AtomicMeaning, atomic_meaning};
use simt_core::program::{Array, ArraySpace, BarrierOp, CollectiveOp, FunctionId};

/// The end of a segment.
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
        /// The address where the paths meet, if it is known.
        meet: Option<Pc>,
        /// Whether the taken path leaves a loop.
        leaves: bool,
    },
    /// An unconditional jump.
    Jump {
        /// The target.
        target: Pc,
        /// The kind of statement that it came from.
        kind: JumpKind,
    },
    /// A branch by a table.
    Indirect {
        /// Row of the index.
        index: u16,
        /// Number of the table.
        table: u32,
        /// Its own address.
        at: Pc,
        /// The address where the paths meet, if it is known.
        meet: Option<Pc>,
    },
    /// A call.
    Call {
        /// The function.
        target: Pc,
        /// The address behind the call.
        back: Pc,
    },
    /// The end of a function.
    Return {
        /// Its own address.
        at: Pc,
    },
    /// An operation of lanes together, by its number.
    Collective {
        /// Its number in the plan.
        number: u32,
        /// The address behind it.
        next: Pc,
    },
    /// A barrier of the block, by its number.
    Barrier {
        /// Its number in the plan.
        number: u32,
        /// The address behind it.
        next: Pc,
    },
    /// The end of the threads.
    Exit,
    /// A marker of tokens.
    Marker {
        /// The marker.
        marker: Marker,
        /// The address behind it; of a `sync` of tokens, the address where it leads.
        next: Pc,
    },
    /// A marker of convergence barriers.
    Converge {
        /// The marker's action.
        op: Converge,
        /// The address behind it.
        next: Pc,
    },
}

/// A marker of convergence barriers, its operand by rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Converge {
    Set {
        barrier: BarrierReg,
        target: Pc,
    },
    Sync(BarrierReg),
    Break {
        barrier: BarrierReg,
        /// A predicate; `None` is all current lanes.
        cond: Option<u16>,
        when: bool,
    },
    /// A mask to a row of wide words.
    Save {
        barrier: BarrierReg,
        row: u16,
    },
    /// A mask from a row of wide words.
    Restore {
        barrier: BarrierReg,
        row: u16,
    },
    Yield,
    /// The lanes of a mask, a row of wide words.
    WarpSync(u16),
}

/// An operation of lanes together, its operands by rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Collective {
    pub(crate) op: CollectiveOp,
    pub(crate) dst: Option<Place>,
    /// The named lanes, a row of wide words.
    pub(crate) mask: Option<u16>,
    pub(crate) value: Option<Place>,
    /// A row of words.
    pub(crate) lane: Option<u16>,
    /// How a reduction joins two values.
    pub(crate) reduction: Option<AtomicMeaning>,
}

/// A barrier, its operands by rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BarrierUse {
    pub(crate) op: BarrierOp,
    pub(crate) dst: Option<Place>,
    pub(crate) index: Option<u16>,
    pub(crate) threads: Option<u16>,
    /// A predicate.
    pub(crate) value: Option<u16>,
}

/// The rows and arrays that a call of a function that may be active already keeps for its caller.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) words: Vec<u16>,
    pub(crate) wides: Vec<u16>,
    pub(crate) predicates: Vec<u16>,
    /// Numbers of the arrays that each activation has for itself.
    pub(crate) arrays: Vec<u16>,
    /// Those of any function whose elements have no values at first.
    pub(crate) unset: Vec<u16>,
}

impl Frame {
    /// Whether it has rows to keep.
    pub(crate) fn keeps(&self) -> bool {
        !(self.words.is_empty() && self.wides.is_empty() && self.predicates.is_empty())
    }
}

/// The collectives and barriers found so far.
#[derive(Debug, Default)]
pub(super) struct Waits {
    pub(super) collectives: Vec<Collective>,
    pub(super) barriers: Vec<BarrierUse>,
}

pub(super) fn control(
    code: &Code,
    last: Pc,
    translator: &mut Translator<'_>,
    waits: &mut Waits,
) -> Result<Control, PlanError> {
    let next = last.next();
    let meet = code.reconvergence[last.index()];
    Ok(match *code.inst(last) {
        Inst::Branch { cond, when, target, leaves } => {
            Control::Branch { predicate: translator.predicate(cond)?, when, target, next, meet, leaves }
        }
        Inst::Jump { target, kind } => Control::Jump { target, kind },
        Inst::Indirect { index, table } => {
            let index = number(translator.place(index, ScalarType::U32)?);
            Control::Indirect { index, table: table.0, at: last, meet }
        }
        Inst::Call { target, .. } => Control::Call { target, back: next },
        Inst::Return => Control::Return { at: last },
        Inst::Collective { op, ty, dst, mask, value, lane } => {
            let dst = dst.map(|reg| translator.rows.register(reg).0);
            let mask = row(translator, mask, ScalarType::U64)?;
            let reduction = op.reduction().map(|op| atomic_meaning(op, ty));
            let ty = if op.is_typed() { ty } else { ScalarType::Bool };
            let value = value.map(|value| translator.place(value, ty)).transpose()?;
            let lane = row(translator, lane, ScalarType::U32)?;
            waits.collectives.push(Collective { op, dst, mask, value, lane, reduction });
            Control::Collective { number: waits.collectives.len() as u32 - 1, next }
        }
        Inst::Barrier { op, dst, index, threads, value } => {
            let dst = dst.map(|reg| translator.rows.register(reg).0);
            let index = row(translator, index, ScalarType::U32)?;
            let threads = row(translator, threads, ScalarType::U32)?;
            let value = row(translator, value, ScalarType::Bool)?;
            waits.barriers.push(BarrierUse { op, dst, index, threads, value });
            Control::Barrier { number: waits.barriers.len() as u32 - 1, next }
        }
        Inst::Exit => Control::Exit,
        Inst::Marker(marker) => {
            converge(marker, translator)?.map_or(Control::Marker { marker, next }, |op| Control::Converge { op, next })
        }
        _ => Control::Next(next),
    })
}

/// A marker of convergence barriers; none if it is one of tokens.
fn converge(marker: Marker, translator: &mut Translator<'_>) -> Result<Option<Converge>, PlanError> {
    let mut row = |operand, ty| translator.place(operand, ty).map(number);
    Ok(Some(match marker {
        Marker::BarrierSet { barrier, target } => Converge::Set { barrier, target },
        Marker::BarrierSync(barrier) => Converge::Sync(barrier),
        Marker::BarrierBreak { barrier, cond, when } => {
            Converge::Break { barrier, cond: cond.map(|cond| row(cond, ScalarType::Bool)).transpose()?, when }
        }
        Marker::BarrierSave { dst, barrier } => Converge::Save { barrier, row: row(dst.into(), ScalarType::U64)? },
        Marker::BarrierRestore { barrier, src } => Converge::Restore { barrier, row: row(src, ScalarType::U64)? },
        Marker::Yield => Converge::Yield,
        Marker::WarpSync(mask) => Converge::WarpSync(row(mask, ScalarType::U64)?),
        Marker::PushSync(_) | Marker::PushBreak(_) | Marker::PushContinue(_) | Marker::PushCall(_) | Marker::Pop => {
            return Ok(None);
        }
    }))
}

fn number(place: Place) -> u16 {
    match place {
        Place::Word(row) | Place::Wide(row) | Place::Predicate(row) => row,
    }
}

fn row(translator: &mut Translator<'_>, operand: Option<Operand>, ty: ScalarType) -> Result<Option<u16>, PlanError> {
    operand.map(|operand| translator.place(operand, ty).map(number)).transpose()
}

/// The rows and arrays of each function's frame; empty if the function is never active twice.
pub(super) fn frames(code: &Code, rows: &RowMap) -> Vec<Frame> {
    let functions = code.functions.iter().zip(0..);
    functions
        .map(|(function, id)| {
            let id = FunctionId(id);
            let frame = if function.recursive { frame(code, rows, id) } else { Frame::default() };
            Frame { unset: arrays(code, id, |array| array.unset), ..frame }
        })
        .collect()
}

/// The slots of those of a function's own arrays.
fn arrays(code: &Code, function: FunctionId, wanted: impl Fn(&Array) -> bool) -> Vec<u16> {
    let arrays = code.arrays.iter().zip(0..);
    let own = arrays
        .filter(|(array, _)| array.space == ArraySpace::Local && array.function == Some(function) && wanted(array));
    // Parameters come first.
    own.map(|(_, number)| code.params.len() as u16 + number).collect()
}

fn frame(code: &Code, rows: &RowMap, function: FunctionId) -> Frame {
    let mut frame = Frame::default();
    for (register, number) in code.registers.iter().zip(0..) {
        if register.function != Some(function) || register.role == RegisterRole::Passing {
            continue;
        }
        // A register that dies inside a segment is dead at a call.
        let (place, local) = rows.register(Reg(number));
        let (list, row) = match place {
            _ if local => continue,
            Place::Word(row) => (&mut frame.words, row),
            Place::Wide(row) => (&mut frame.wides, row),
            Place::Predicate(row) => (&mut frame.predicates, row),
        };
        if !list.contains(&row) {
            list.push(row);
        }
    }
    frame.arrays = arrays(code, function, |_| true);
    frame
}
