//! Assignments in two halves: evaluating everything, and writing.
//!
//! The paper's threads execute `x = e;` in two transitions, (assign rd) and (assign wr), because a warp's threads all
//! evaluate *e* before any of them writes (ESOP'12, section 4.1). Stores, atomics and printed lines are assignments too;
//! an atomic operation reads and writes its element in the second half. All faults are found in the first.

use crate::fault::{Fault, FaultKind};
use crate::memory::Memory;
use crate::setting::{CALL_DEPTH, Setting, StmtId};
use simt_core::ops::{AtomicOp, canonical, evaluate_atomic};
use simt_core::program::{
    ArraySpace, Builtin, Environment, ExprId, LoadFault, Memory as Slice, ParamId, ParamKind, StmtKind, VarId, evaluate,
};
use simt_core::{Constant, ScalarType};

/// What an assignment does once its expressions have values: the paper's `x = v;`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Write {
    /// Nothing, as `e;` does.
    Nothing,
    /// Sets a variable.
    Variable(VarId, Constant),
    /// Sets an element of a slice or array.
    Element(Slice, u32, Constant),
    /// One indivisible read-modify-write.
    Atomic {
        /// What is done.
        op: AtomicOp,
        /// The element.
        target: (Slice, u32),
        /// The values that it takes.
        operands: Vec<Constant>,
        /// The variable that gets the old value.
        result: Option<VarId>,
    },
    /// Prints a line.
    Line(String),
}

/// A thread's view of the memory, in which its expressions are evaluated.
pub(crate) struct View<'a, 'p> {
    pub(crate) setting: &'a Setting<'p>,
    pub(crate) memory: &'a Memory,
    pub(crate) thread: usize,
}

impl Environment for View<'_, '_> {
    fn variable(&self, var: VarId) -> Constant {
        let value = self.memory.variable(self.setting, self.thread, var);
        // Validated: it is assigned before it is used. Where a test breaks a rule of the semantics, it may not be.
        value.unwrap_or(Constant { ty: self.setting.program().variable(var).ty, bits: 0 })
    }

    fn parameter(&self, param: ParamId) -> Constant {
        let ty = match self.setting.program().param(param).kind {
            ParamKind::Scalar(ty) => ty,
            slice => slice.element().unwrap_or(ScalarType::U64),
        };
        Constant { ty, bits: self.memory.slices[param.0 as usize].first().copied().unwrap_or(0) }
    }

    fn builtin(&self, builtin: Builtin) -> u32 {
        self.setting.place().builtin(self.thread, builtin)
    }

    fn length(&self, slice: Slice) -> u32 {
        match slice {
            Slice::Param(param) => self.memory.slices[param.0 as usize].len() as u32,
            Slice::Array(array) => self.setting.program().array(array).length,
        }
    }

    fn load(&self, slice: Slice, index: u32) -> Result<Constant, LoadFault> {
        let element = self.memory.element(self.setting, self.thread, slice, index);
        let bits = element.ok_or(LoadFault::OutOfBounds)?.ok_or(LoadFault::Unwritten)?;
        let ty = self.setting.program().element(slice).unwrap_or(ScalarType::U64);
        Ok(Constant { ty, bits })
    }
}

impl View<'_, '_> {
    fn fault(&self, kind: FaultKind) -> Fault {
        Fault { thread: self.thread, kind }
    }

    /// `E⟦e⟧ η(θ) μ`.
    pub(crate) fn value(&self, id: ExprId) -> Result<Constant, Fault> {
        evaluate(self.setting.program(), id, self).map_err(|fault| self.fault(FaultKind::Evaluate(fault)))
    }

    pub(crate) fn values(&self, ids: &[ExprId]) -> Result<Vec<Constant>, Fault> {
        ids.iter().map(|&id| self.value(id)).collect()
    }

    pub(crate) fn holds(&self, cond: ExprId) -> Result<bool, Fault> {
        Ok(self.value(cond)?.bits != 0)
    }

    /// Arguments of a call, if it may be made.
    pub(crate) fn arguments(&self, args: &[ExprId]) -> Result<Vec<Constant>, Fault> {
        let args = self.values(args)?;
        // The kernel is no call.
        if self.memory.depth(self.thread) > CALL_DEPTH {
            return Err(self.fault(FaultKind::CallDepth));
        }
        Ok(args)
    }

    /// The first half of an assignment.
    pub(crate) fn read(&self, id: StmtId) -> Result<Write, Fault> {
        let program = self.setting.program();
        Ok(match self.setting.kind(id) {
            StmtKind::Assign { var, value } => Write::Variable(*var, self.value(*value)?),
            StmtKind::Store { slice, index, value, .. } => {
                let (index, value) = (self.value(*index)?.bits as u32, canonical(self.value(*value)?));
                self.check(*slice, index, false)?;
                Write::Element(*slice, index, value)
            }
            StmtKind::Evaluate { value } => {
                self.value(*value)?;
                Write::Nothing
            }
            StmtKind::Atomic { op, target, index, operands, result, .. } => {
                let (index, operands) = (self.value(*index)?.bits as u32, self.values(operands)?);
                self.check(*target, index, *op != AtomicOp::Store)?;
                Write::Atomic { op: *op, target: (*target, index), operands, result: *result }
            }
            StmtKind::Print { message, args } => Write::Line(program.message(*message).render(&self.values(args)?)),
            StmtKind::Panic { message, args } => {
                let text = program.message(*message).render(&self.values(args)?);
                return Err(self.fault(FaultKind::Panic(text)));
            }
            _ => return Err(self.fault(FaultKind::Stuck)),
        })
    }

    /// The first half of `x = r;` behind a call: takes the result of the function that ended last.
    pub(crate) fn read_result(&self, call: StmtId) -> Result<Write, Fault> {
        let StmtKind::Call { result: Some(var), .. } = *self.setting.kind(call) else {
            return Err(self.fault(FaultKind::Stuck));
        };
        // Validated: a function's result is assigned where it returns.
        let zero = Constant { ty: self.setting.program().variable(var).ty, bits: 0 };
        Ok(Write::Variable(var, self.memory.threads[self.thread].result.unwrap_or(zero)))
    }

    /// A fault unless the element can be written, and if needed read first.
    fn check(&self, slice: Slice, index: u32, reads: bool) -> Result<(), Fault> {
        match self.memory.element(self.setting, self.thread, slice, index) {
            None => Err(self.fault(FaultKind::OutOfBounds { slice, index, length: self.length(slice) })),
            Some(None) if reads => Err(self.fault(FaultKind::Unwritten { slice, index })),
            _ => match slice {
                Slice::Array(id)
                    if self.setting.program().array(id).space == ArraySpace::Local
                        && !self.memory.has_array(self.thread, id) =>
                {
                    Err(self.fault(FaultKind::NotActive(id)))
                }
                _ => Ok(()),
            },
        }
    }
}

impl Write {
    /// The second half of an assignment.
    pub(crate) fn perform(self, setting: &Setting<'_>, memory: &mut Memory, thread: usize) {
        match self {
            Self::Nothing => {}
            Self::Variable(var, value) => memory.assign(setting, thread, var, value),
            Self::Element(slice, index, value) => memory.write(setting, thread, slice, index, value.bits),
            Self::Atomic { op, target: (slice, index), operands, result } => {
                let ty = setting.program().element(slice).unwrap_or(ScalarType::U64);
                // A store needs nothing to be there, and what is read once is never unwritten again.
                let bits = memory.element(setting, thread, slice, index).flatten().unwrap_or(0);
                let old = Constant { ty, bits };
                memory.write(setting, thread, slice, index, evaluate_atomic(op, old, &operands).bits);
                if let Some(var) = result {
                    memory.assign(setting, thread, var, old);
                }
            }
            Self::Line(line) => memory.threads[thread].lines.push(line),
        }
    }
}
