//! The reference: runs a program one thread after the other, statement by statement, straight from its meaning.
//!
//! It shares with the engine the program and the meanings of operations, and nothing else: no code, no rows, no masks. For a
//! race-free program its result is the only right one.

use super::Arrays;
use crate::grid::Grid;
use simt_core::Constant;
use simt_core::ops::canonical;
use simt_core::program::{
    Builtin, Environment, EvaluateFault, ExprId, ParamId, ParamKind, Program, Stmt, StmtKind, Validated, VarId,
    evaluate,
};

/// A thread faulted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceFault {
    /// The thread's `global_id()`.
    pub thread: usize,
    /// What it did; `None` for a store out of bounds.
    pub fault: Option<EvaluateFault>,
}

/// The memory after a launch, as [`Arrays::to_bits`] gives it.
///
/// # Errors
/// The fault of the first thread that faults.
pub fn reference(program: &Validated<Program>, grid: Grid, arrays: &Arrays) -> Result<Vec<Vec<u64>>, ReferenceFault> {
    let mut memory = arrays.to_bits();
    let threads = grid.threads().volume().unwrap_or(0);
    let blocks = grid.blocks().volume().unwrap_or(0);
    for id in 0..blocks * threads {
        let mut thread = Thread {
            program,
            grid,
            block: id / threads,
            number: id % threads,
            variables: vec![None; program.variables.len()],
            memory: &mut memory,
        };
        thread.block(&program.body).map_err(|fault| ReferenceFault { thread: id, fault })?;
    }
    Ok(memory)
}

/// Where control goes behind a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Fall,
    Break,
    Continue,
    Return,
}

struct Thread<'t> {
    program: &'t Validated<Program>,
    grid: Grid,
    block: usize,
    number: usize,
    variables: Vec<Option<Constant>>,
    memory: &'t mut Vec<Vec<u64>>,
}

impl Environment for Thread<'_> {
    fn variable(&self, var: VarId) -> Constant {
        self.variables[var.0 as usize].unwrap_or_else(|| unreachable!("validated: variables are assigned before use"))
    }

    fn parameter(&self, param: ParamId) -> Constant {
        match self.program.param(param).kind {
            ParamKind::Scalar(ty) | ParamKind::Slice { element: ty, .. } => {
                Constant { ty, bits: self.memory[param.0 as usize][0] }
            }
        }
    }

    fn builtin(&self, builtin: Builtin) -> u32 {
        let (blocks, threads) = (self.grid.blocks(), self.grid.threads());
        let (block, thread) = (blocks.point(self.block), threads.point(self.number));
        let value = match builtin {
            Builtin::GlobalId => self.block * threads.volume().unwrap_or(0) + self.number,
            // The reference has no warps; kernels that ask for them are not compared.
            Builtin::LaneId | Builtin::WarpId => 0,
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

    fn length(&self, slice: ParamId) -> u32 {
        self.memory[slice.0 as usize].len() as u32
    }

    fn load(&self, slice: ParamId, index: u32) -> Option<Constant> {
        let ParamKind::Slice { element, .. } = self.program.param(slice).kind else { return None };
        let bits = *self.memory[slice.0 as usize].get(index as usize)?;
        Some(Constant { ty: element, bits })
    }
}

type Ran = Result<Next, Option<EvaluateFault>>;

impl Thread<'_> {
    fn value(&self, id: ExprId) -> Result<Constant, Option<EvaluateFault>> {
        evaluate(self.program, id, self).map_err(Some)
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
            StmtKind::Skip => {}
            StmtKind::Assign { var, value } => self.variables[var.0 as usize] = Some(self.value(*value)?),
            StmtKind::Store { slice, index, value } => {
                let (index, value) = (self.value(*index)?, canonical(self.value(*value)?));
                let element = self.memory[slice.0 as usize].get_mut(index.bits as usize).ok_or(None)?;
                *element = value.bits;
            }
            StmtKind::Evaluate { value } => {
                self.value(*value)?;
            }
            StmtKind::If { cond, then, otherwise } => {
                let arm = if self.value(*cond)?.bits != 0 { then } else { otherwise };
                return self.block(arm);
            }
            StmtKind::While { cond, body, step } => {
                while self.value(*cond)?.bits != 0 {
                    match self.block(body)? {
                        Next::Break => break,
                        Next::Return => return Ok(Next::Return),
                        Next::Fall | Next::Continue => {}
                    }
                    if self.block(step)? == Next::Return {
                        return Ok(Next::Return);
                    }
                }
            }
            StmtKind::Break => return Ok(Next::Break),
            StmtKind::Continue => return Ok(Next::Continue),
            StmtKind::Return => return Ok(Next::Return),
        }
        Ok(Next::Fall)
    }
}
