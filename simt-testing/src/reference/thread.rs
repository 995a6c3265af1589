//! One thread.

use super::{Outcome, Refusal};
use simt_core::Constant;
use simt_core::ops::{canonical, evaluate_atomic};
use simt_core::program::{
    ArraySpace, Builtin, Environment, ExprId, FunctionId, LoadFault, Memory, ParamId, Program, Stmt, StmtKind,
    Validated, VarId, evaluate,
};
use simt_runtime::Grid;

/// How deep calls may nest: each takes the reference some kilobytes of its own stack.
const CALL_DEPTH: usize = 64;

/// The elements of each array of a program; `None` where no thread has written.
pub(super) type ArrayElements = Vec<Vec<Option<u64>>>;

/// Arrays that no thread has written.
pub(super) fn arrays(program: &Program) -> ArrayElements {
    program.arrays.iter().map(|array| vec![None; array.length as usize]).collect()
}

/// The place where control goes behind a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Fall,
    /// Behind a loop, so many levels further out than the innermost.
    Break(u32),
    /// To such a loop's step.
    Continue(u32),
    Return,
}

type Ran = Result<Next, Refusal>;

/// A thread; its variables are those of the innermost activation.
pub(super) struct Thread<'t> {
    program: &'t Validated<Program>,
    grid: Grid,
    block: usize,
    number: usize,
    outcome: &'t mut Outcome,
    shared: &'t mut ArrayElements,
    /// The thread's arrays, of each that of the newest activation of the function that declares it.
    local: ArrayElements,
    variables: Vec<Option<Constant>>,
    depth: usize,
}

impl Environment for Thread<'_> {
    fn variable(&self, var: VarId) -> Constant {
        self.variables[var.0 as usize].unwrap_or_else(|| unreachable!("validated: variables are assigned before use"))
    }

    fn parameter(&self, param: ParamId) -> Constant {
        let simt_core::program::ParamKind::Scalar(ty) = self.program.param(param).kind else {
            unreachable!("validated: a slice is no value")
        };
        Constant { ty, bits: self.outcome.memory[param.0 as usize][0] }
    }

    fn builtin(&self, builtin: Builtin) -> u32 {
        let (blocks, threads) = (self.grid.blocks(), self.grid.threads());
        let (block, thread) = (blocks.point(self.block), threads.point(self.number));
        let value = match builtin {
            Builtin::GlobalId => self.block * threads.volume().unwrap_or(0) + self.number,
            // The reference has no warps; kernels that ask for them are not compared.
            Builtin::LaneId | Builtin::WarpId | Builtin::WarpWidth => 0,
            Builtin::ThreadIdxX => thread.x,
            Builtin::ThreadIdxY => thread.y,
            Builtin::ThreadIdxZ => thread.z,
            Builtin::BlockIdxX => block.x,
            Builtin::BlockIdxY => block.y,
            Builtin::BlockIdxZ => block.z,
            Builtin::BlockDimX => threads.x,
            Builtin::BlockDimY => threads.y,
            Builtin::BlockDimZ => threads.z,
            Builtin::GridDimX => blocks.x,
            Builtin::GridDimY => blocks.y,
            Builtin::GridDimZ => blocks.z,
        };
        value as u32
    }

    fn length(&self, slice: Memory) -> u32 {
        match slice {
            Memory::Param(param) => self.outcome.memory[param.0 as usize].len() as u32,
            Memory::Array(array) => self.program.array(array).length,
        }
    }

    fn load(&self, slice: Memory, index: u32) -> Result<Constant, LoadFault> {
        let ty = self.program.element(slice).unwrap_or_else(|| unreachable!("validated: a value is no slice"));
        let index = index as usize;
        let bits = match slice {
            Memory::Param(param) => self.outcome.memory[param.0 as usize].get(index).copied().map(Some),
            Memory::Array(id) => match self.program.array(id).space {
                ArraySpace::Shared => self.shared[id.0 as usize].get(index).copied(),
                ArraySpace::Local => self.local[id.0 as usize].get(index).copied(),
            },
        };
        let bits = bits.ok_or(LoadFault::OutOfBounds)?.ok_or(LoadFault::Unwritten)?;
        Ok(Constant { ty, bits })
    }
}

impl<'t> Thread<'t> {
    /// A thread, by the numbers of its block and of itself in the block, before its first statement.
    pub(super) fn new(
        program: &'t Validated<Program>,
        grid: Grid,
        (block, number): (usize, usize),
        outcome: &'t mut Outcome,
        shared: &'t mut ArrayElements,
    ) -> Self {
        let (local, variables) = (arrays(program), vec![None; program.variables.len()]);
        Self { program, grid, block, number, outcome, shared, local, variables, depth: 0 }
    }

    /// Runs the kernel to its end.
    pub(super) fn run(&mut self) -> Result<(), Refusal> {
        self.block(&self.program.body).map(drop)
    }

    fn value(&self, id: ExprId) -> Result<Constant, Refusal> {
        evaluate(self.program, id, self).map_err(Refusal::Evaluate)
    }

    fn values(&self, ids: &[ExprId]) -> Result<Vec<Constant>, Refusal> {
        ids.iter().map(|&id| self.value(id)).collect()
    }

    fn holds(&self, cond: ExprId) -> Result<bool, Refusal> {
        Ok(self.value(cond)?.bits != 0)
    }

    fn assign(&mut self, var: VarId, value: Constant) {
        self.variables[var.0 as usize] = Some(value);
    }

    fn write(&mut self, memory: Memory, index: u32, bits: u64) -> Result<(), Refusal> {
        let index = index as usize;
        match memory {
            Memory::Param(param) => {
                let element = self.outcome.memory[param.0 as usize].get_mut(index);
                *element.ok_or(Refusal::OutOfBounds)? = bits;
            }
            Memory::Array(id) => {
                let shared = self.program.array(id).space == ArraySpace::Shared;
                let arrays = if shared { &mut *self.shared } else { &mut self.local };
                *arrays[id.0 as usize].get_mut(index).ok_or(Refusal::OutOfBounds)? = Some(bits);
            }
        }
        Ok(())
    }

    fn block(&mut self, block: &[Stmt]) -> Ran {
        for stmt in block {
            let next = self.stmt(stmt)?;
            if next != Next::Fall {
                return Ok(next);
            }
        }
        Ok(Next::Fall)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Ran {
        match &stmt.kind {
            // There is no other thread that could see another order.
            StmtKind::Skip | StmtKind::Fence { .. } => {}
            StmtKind::Assign { var, value } => {
                let value = self.value(*value)?;
                self.assign(*var, value);
            }
            StmtKind::Store { slice, index, value, .. } => {
                let (index, value) = (self.value(*index)?, canonical(self.value(*value)?));
                self.write(*slice, index.bits as u32, value.bits)?;
            }
            StmtKind::Evaluate { value } => {
                self.value(*value)?;
            }
            StmtKind::If { cond, then, otherwise } => {
                let (mut cond, mut then, mut otherwise) = (cond, then, otherwise);
                // A loop, because chains can be long.
                while !self.holds(*cond)? {
                    match simt_core::program::else_if(otherwise).map(|stmt| &stmt.kind) {
                        Some(StmtKind::If { cond: c, then: t, otherwise: o }) => (cond, then, otherwise) = (c, t, o),
                        _ => return self.block(otherwise),
                    }
                }
                return self.block(then);
            }
            StmtKind::While { cond, body, step } => return self.repeat(*cond, body, step),
            StmtKind::Break { out } => return Ok(Next::Break(*out)),
            StmtKind::Continue { out } => return Ok(Next::Continue(*out)),
            StmtKind::Return => return Ok(Next::Return),
            StmtKind::Call { function, args, result } => {
                let args = self.values(args)?;
                let value = self.call(*function, args)?;
                if let (Some(var), Some(value)) = (result, value) {
                    self.assign(*var, value);
                }
            }
            StmtKind::Atomic { op, target, index, operands, result, .. } => {
                let (index, operands) = (self.value(*index)?.bits as u32, self.values(operands)?);
                let stores = *op == simt_core::ops::AtomicOp::Store;
                let old = match self.load(*target, index) {
                    Ok(old) => old,
                    // A store needs no old value.
                    Err(LoadFault::Unwritten) if stores => operands[0],
                    Err(_) => return Err(Refusal::OutOfBounds),
                };
                self.write(*target, index, evaluate_atomic(*op, old, &operands).bits)?;
                if let Some(var) = result {
                    self.assign(*var, old);
                }
            }
            StmtKind::Collective { .. } | StmtKind::Barrier { .. } => return Err(Refusal::Waits),
            StmtKind::Print { message, args } => {
                let values = self.values(args)?;
                self.outcome.prints.push(self.program.message(*message).render(&values));
            }
            StmtKind::Panic { message, args } => {
                let values = self.values(args)?;
                return Err(Refusal::Panic(self.program.message(*message).render(&values)));
            }
        }
        Ok(Next::Fall)
    }

    fn repeat(&mut self, cond: ExprId, body: &[Stmt], step: &[Stmt]) -> Ran {
        while self.holds(cond)? {
            match self.block(body)? {
                Next::Fall | Next::Continue(0) => {}
                Next::Break(0) => break,
                Next::Break(out) => return Ok(Next::Break(out - 1)),
                Next::Continue(out) => return Ok(Next::Continue(out - 1)),
                Next::Return => return Ok(Next::Return),
            }
            if self.block(step)? == Next::Return {
                return Ok(Next::Return);
            }
        }
        Ok(Next::Fall)
    }

    /// The result of a function, if it has one.
    fn call(&mut self, id: FunctionId, args: Vec<Constant>) -> Result<Option<Constant>, Refusal> {
        if self.depth == CALL_DEPTH {
            return Err(Refusal::CallDepth);
        }
        let program = self.program;
        let callee = program.function(id);
        // An activation has its arrays for itself; those of others may have been passed to it.
        let own: Vec<usize> =
            (0..program.arrays.len()).filter(|&number| program.arrays[number].function == Some(id)).collect();
        let mut fresh = arrays(program);
        own.iter().for_each(|&number| std::mem::swap(&mut self.local[number], &mut fresh[number]));
        let variables = std::mem::replace(&mut self.variables, vec![None; program.variables.len()]);
        self.depth += 1;
        for (&param, arg) in callee.params.iter().zip(args) {
            self.assign(param, arg);
        }
        self.block(&callee.body)?;
        let result = callee.result.and_then(|var| self.variables[var.0 as usize]);
        self.depth -= 1;
        self.variables = variables;
        own.iter().for_each(|&number| std::mem::swap(&mut self.local[number], &mut fresh[number]));
        Ok(result)
    }
}
