//! One thread running a valid program, statement by statement, with the meaning that `evaluate` gives expressions. It is
//! alone in its warp and block, so that collectives and barriers have a meaning too.

use simt_core::ops::{AtomicOp, BinaryOp, evaluate_binary};
use simt_core::program::{
    ArraySpace, BarrierOp, Builtin, CollectiveOp, Environment, EvaluateFault, ExprId, FunctionId, LoadFault, Memory,
    ParamId, ParamKind, Piece, Program, Stmt, StmtKind, Validated, VarId, evaluate,
};
use simt_core::{Constant, ScalarType};

/// The variables of a thread, and slices of [`LENGTH`] elements. A variable has no value before it is assigned.
pub(crate) struct Thread<'a> {
    program: &'a Validated<Program>,
    variables: Vec<Option<Constant>>,
    slices: Vec<Vec<Constant>>,
    arrays: Vec<Vec<Option<Constant>>>,
    fuel: usize,
    calls: usize,
}

/// Number of elements of every slice; the value of every scalar parameter and builtin.
pub(crate) const LENGTH: u32 = 3;

/// How deep calls may nest.
const CALLS: usize = 20;

/// How a statement list ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Normal,
    /// Leaves a loop, so many further out than the innermost.
    Break(u32),
    Continue(u32),
    Return,
    Fault,
    OutOfFuel,
}

impl<'a> Thread<'a> {
    /// Runs the program for at most `fuel` statements.
    ///
    /// # Panics
    /// If validation let through what it promises not to: a variable read too early, a value of a wrong type.
    pub(crate) fn run(program: &'a Validated<Program>, fuel: usize) -> (End, Self) {
        let slices = program.params.iter().map(|param| match param.kind.element() {
            Some(element) => vec![small(element); LENGTH as usize],
            None => vec![],
        });
        let mut thread = Self {
            program,
            variables: vec![None; program.variables.len()],
            slices: slices.collect(),
            arrays: program.arrays.iter().map(|array| vec![None; array.length as usize]).collect(),
            fuel,
            calls: 0,
        };
        (thread.block(&program.body), thread)
    }

    /// The elements of a slice.
    pub(crate) fn slice(&self, param: ParamId) -> &[Constant] {
        &self.slices[param.0 as usize]
    }

    fn block(&mut self, block: &[Stmt]) -> End {
        let ends = block.iter().map(|stmt| self.stmt(&stmt.kind).unwrap_or(End::Fault));
        // A block goes on after a statement that ends normally.
        { ends }.find(|&end| end != End::Normal).unwrap_or(End::Normal)
    }

    fn stmt(&mut self, kind: &StmtKind) -> Result<End, EvaluateFault> {
        let Some(fuel) = self.fuel.checked_sub(1) else { return Ok(End::OutOfFuel) };
        self.fuel = fuel;
        match kind {
            StmtKind::Skip | StmtKind::Fence { .. } => {}
            StmtKind::Assign { var, value } => {
                let value = self.value(*value)?;
                self.assign(*var, value);
            }
            StmtKind::Store { slice, index, value, .. } => {
                let (index, value) = (self.index(*index)?, self.value(*value)?);
                return Ok(if self.write(*slice, index, value) { End::Normal } else { End::Fault });
            }
            StmtKind::Evaluate { value } => drop(self.value(*value)?),
            StmtKind::If { cond, then, otherwise } => {
                let arm = if self.holds(*cond)? { then } else { otherwise };
                return Ok(self.block(arm));
            }
            StmtKind::While { cond, body, step } => return self.repeat(*cond, body, step),
            StmtKind::Break { out } => return Ok(End::Break(*out)),
            StmtKind::Continue { out } => return Ok(End::Continue(*out)),
            StmtKind::Return => return Ok(End::Return),
            StmtKind::Call { function, args, result } => return self.call(*function, args, *result),
            StmtKind::Atomic { op, target, index, operands, result, .. } => {
                let index = self.index(*index)?;
                let operands: Vec<_> = operands.iter().map(|&operand| self.value(operand)).collect::<Result<_, _>>()?;
                let Ok(old) = self.load(*target, index) else { return Ok(End::Fault) };
                assert!(operands.iter().all(|operand| operand.ty == old.ty));
                self.write(*target, index, atomic(*op, old, &operands));
                result.iter().for_each(|&var| self.assign(var, old));
            }
            StmtKind::Collective { op, mask, args, result } => {
                let args: Vec<_> =
                    mask.iter().chain(args).map(|&arg| self.value(arg)).collect::<Result<Vec<_>, _>>()?;
                let args = &args[mask.iter().len()..];
                let value = match op {
                    CollectiveOp::SyncWarp => None,
                    CollectiveOp::ActiveMask | CollectiveOp::MatchAny | CollectiveOp::MatchAll => {
                        Some(Constant::of(1u64))
                    }
                    CollectiveOp::Ballot => Some(Constant::of(args[0].bits)),
                    CollectiveOp::Uniform => Some(Constant::of(true)),
                    _ => Some(args[0]),
                };
                if let Some(var) = result {
                    self.assign(*var, value.expect("validation: a result that is used is one"));
                }
            }
            StmtKind::Barrier { op, index, threads, value, result } => {
                let operands: Vec<_> =
                    index.iter().chain(threads).chain(value).map(|&id| self.value(id)).collect::<Result<_, _>>()?;
                let last = operands.last().copied();
                let reduced =
                    if *op == BarrierOp::Count { last.map(|last| Constant::of(last.bits as u32)) } else { last };
                if let Some(var) = result {
                    self.assign(*var, reduced.expect("validation: a reduction has a value"));
                }
            }
            StmtKind::Print { message, args } | StmtKind::Panic { message, args } => {
                let values: Vec<_> = args.iter().map(|&arg| self.value(arg)).collect::<Result<_, _>>()?;
                for piece in &self.program.message(*message).pieces {
                    let has = |arg: &u32| values.get(*arg as usize).is_some();
                    assert!(!matches!(piece, Piece::Value { arg, .. } if !has(arg)), "a value is missing");
                }
                if matches!(kind, StmtKind::Panic { .. }) {
                    return Ok(End::Fault);
                }
            }
        }
        Ok(End::Normal)
    }

    fn repeat(&mut self, cond: ExprId, body: &[Stmt], step: &[Stmt]) -> Result<End, EvaluateFault> {
        while self.holds(cond)? {
            match self.block(body) {
                End::Break(0) => return Ok(End::Normal),
                End::Normal | End::Continue(0) => {}
                End::Break(out) => return Ok(End::Break(out - 1)),
                End::Continue(out) => return Ok(End::Continue(out - 1)),
                end @ (End::Return | End::Fault | End::OutOfFuel) => return Ok(end),
            }
            let end = self.block(step);
            assert!(!matches!(end, End::Break(_) | End::Continue(_)), "a step leaves no loop");
            if end != End::Normal {
                return Ok(end);
            }
            // An empty loop costs something too.
            let Some(fuel) = self.fuel.checked_sub(1) else { return Ok(End::OutOfFuel) };
            self.fuel = fuel;
        }
        Ok(End::Normal)
    }

    fn call(&mut self, id: FunctionId, args: &[ExprId], result: Option<VarId>) -> Result<End, EvaluateFault> {
        let program = self.program;
        let callee = program.function(id);
        let args: Vec<_> = args.iter().map(|&arg| self.value(arg)).collect::<Result<_, _>>()?;
        if self.calls == CALLS {
            return Ok(End::Fault);
        }
        let kept = std::mem::replace(&mut self.variables, vec![None; program.variables.len()]);
        let arrays = self.arrays.clone();
        for (array, declared) in self.arrays.iter_mut().zip(&program.arrays) {
            if declared.function == Some(id) && declared.space == ArraySpace::Local {
                array.fill(None);
            }
        }
        self.calls += 1;
        assert_eq!(args.len(), callee.params.len());
        callee.params.iter().zip(args).for_each(|(&param, arg)| self.assign(param, arg));
        let end = self.block(&callee.body);
        assert!(!matches!(end, End::Break(_) | End::Continue(_)), "no function leaves a loop of its caller");
        let value = callee.result.and_then(|var| self.variables[var.0 as usize]);
        self.calls -= 1;
        self.variables = kept;
        // Each activation has its local arrays for itself; those of others may have been passed to it.
        for ((array, kept), declared) in self.arrays.iter_mut().zip(arrays).zip(&program.arrays) {
            if declared.function == Some(id) && declared.space == ArraySpace::Local {
                *array = kept;
            }
        }
        if matches!(end, End::Fault | End::OutOfFuel) {
            return Ok(end);
        }
        assert_eq!(value.is_some(), callee.result.is_some(), "a function returns with its result");
        if let (Some(var), Some(value)) = (result, value) {
            self.assign(var, value);
        }
        Ok(End::Normal)
    }

    fn assign(&mut self, var: VarId, value: Constant) {
        assert_eq!(value.ty, self.program.variable(var).ty);
        self.variables[var.0 as usize] = Some(value);
    }

    fn value(&self, id: ExprId) -> Result<Constant, EvaluateFault> {
        evaluate(self.program, id, self)
    }

    fn index(&self, id: ExprId) -> Result<u32, EvaluateFault> {
        let index = self.value(id)?;
        assert_eq!(index.ty, ScalarType::Usize);
        Ok(index.bits as u32)
    }

    fn holds(&self, cond: ExprId) -> Result<bool, EvaluateFault> {
        let value = self.value(cond)?;
        assert_eq!(value.ty, ScalarType::Bool);
        Ok(value.bits == 1)
    }

    /// Whether there is such an element.
    fn write(&mut self, memory: Memory, index: u32, value: Constant) -> bool {
        assert_eq!(Some(value.ty), self.program.element(memory));
        let index = index as usize;
        match memory {
            Memory::Param(param) => {
                let place = self.slices[param.0 as usize].get_mut(index);
                place.map(|place| *place = value).is_some()
            }
            Memory::Array(array) => {
                let place = self.arrays[array.0 as usize].get_mut(index);
                place.map(|place| *place = Some(value)).is_some()
            }
        }
    }
}

fn atomic(op: AtomicOp, old: Constant, operands: &[Constant]) -> Constant {
    let by = |op: BinaryOp| evaluate_binary(op, old, operands[0]).expect("these have no faults");
    match op {
        AtomicOp::Load => old,
        AtomicOp::Store | AtomicOp::Swap => operands[0],
        AtomicOp::CompareExchange => {
            if operands[0] == old {
                operands[1]
            } else {
                old
            }
        }
        AtomicOp::Add => by(BinaryOp::Add),
        AtomicOp::Sub => by(BinaryOp::Sub),
        AtomicOp::And => by(BinaryOp::And),
        AtomicOp::Or => by(BinaryOp::Or),
        AtomicOp::Xor => by(BinaryOp::Xor),
        AtomicOp::Min | AtomicOp::Max | AtomicOp::Inc | AtomicOp::Dec => {
            assert!(old.ty.is_int());
            operands[0]
        }
    }
}

/// A small value of a type; for integers, the length of the slices.
fn small(ty: ScalarType) -> Constant {
    let bits = match ty {
        ScalarType::Bool => 1,
        ScalarType::F32 => u64::from((LENGTH as f32).to_bits()),
        ScalarType::F64 => f64::from(LENGTH).to_bits(),
        _ => u64::from(LENGTH),
    };
    Constant { ty, bits }
}

impl Environment for Thread<'_> {
    fn variable(&self, var: VarId) -> Constant {
        self.variables[var.0 as usize].expect("validation: assigned before it is read")
    }

    fn parameter(&self, param: ParamId) -> Constant {
        match self.program.param(param).kind {
            ParamKind::Scalar(ty) => small(ty),
            _ => panic!("validation: a slice is no value"),
        }
    }

    fn builtin(&self, builtin: Builtin) -> u32 {
        if builtin == Builtin::GlobalId { LENGTH - 1 } else { 0 }
    }

    fn length(&self, slice: Memory) -> u32 {
        match slice {
            Memory::Param(param) => self.slices[param.0 as usize].len() as u32,
            Memory::Array(array) => self.program.array(array).length,
        }
    }

    fn load(&self, slice: Memory, index: u32) -> Result<Constant, LoadFault> {
        match slice {
            Memory::Param(param) => {
                self.slices[param.0 as usize].get(index as usize).copied().ok_or(LoadFault::OutOfBounds)
            }
            Memory::Array(array) => {
                let element = self.arrays[array.0 as usize].get(index as usize).ok_or(LoadFault::OutOfBounds)?;
                element.ok_or(LoadFault::Unwritten)
            }
        }
    }
}
