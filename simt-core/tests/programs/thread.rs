//! One thread running a valid program, statement by statement, with the meaning that `evaluate` gives expressions.

use simt_core::program::{Builtin, Environment, EvaluateFault, ParamId, ParamKind, Program, Stmt, StmtKind};
use simt_core::program::{Validated, VarId, evaluate};
use simt_core::{Constant, ScalarType};

/// The variables of a thread, and slices of [`LENGTH`] elements. A variable has no value before it is assigned.
pub(crate) struct Thread<'a> {
    program: &'a Validated<Program>,
    variables: Vec<Option<Constant>>,
    slices: Vec<Vec<Constant>>,
    fuel: usize,
}

/// Number of elements of every slice; the value of every scalar parameter and builtin.
pub(crate) const LENGTH: u32 = 3;

/// How a statement list ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Normal,
    Break,
    Continue,
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
        let slices = program.params.iter().map(|param| match param.kind {
            ParamKind::Slice { element, .. } => vec![small(element); LENGTH as usize],
            ParamKind::Scalar(_) => vec![],
        });
        let variables = vec![None; program.variables.len()];
        let mut thread = Self { program, variables, slices: slices.collect(), fuel };
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
        let program = self.program;
        match kind {
            StmtKind::Skip => {}
            StmtKind::Assign { var, value } => {
                let value = evaluate(program, *value, self)?;
                assert_eq!(value.ty, program.variable(*var).ty);
                self.variables[var.0 as usize] = Some(value);
            }
            StmtKind::Store { slice, index, value } => {
                let (index, value) = (evaluate(program, *index, self)?, evaluate(program, *value, self)?);
                assert_eq!(index.ty, ScalarType::Usize);
                let Some(place) = self.slices[slice.0 as usize].get_mut(index.bits as usize) else {
                    return Ok(End::Fault);
                };
                assert_eq!(value.ty, place.ty);
                *place = value;
            }
            StmtKind::Evaluate { value } => drop(evaluate(program, *value, self)?),
            StmtKind::If { cond, then, otherwise } => {
                let arm = if self.holds(*cond)? { then } else { otherwise };
                return Ok(self.block(arm));
            }
            StmtKind::While { cond, body, step } => {
                while self.holds(*cond)? {
                    let end = self.block(body);
                    match end {
                        End::Break => return Ok(End::Normal),
                        End::Normal | End::Continue => {}
                        End::Return | End::Fault | End::OutOfFuel => return Ok(end),
                    }
                    let end = self.block(step);
                    assert!(!matches!(end, End::Break | End::Continue), "a step leaves no loop");
                    if end != End::Normal {
                        return Ok(end);
                    }
                    // An empty loop costs something too.
                    let Some(fuel) = self.fuel.checked_sub(1) else { return Ok(End::OutOfFuel) };
                    self.fuel = fuel;
                }
            }
            StmtKind::Break => return Ok(End::Break),
            StmtKind::Continue => return Ok(End::Continue),
            StmtKind::Return => return Ok(End::Return),
        }
        Ok(End::Normal)
    }

    fn holds(&self, cond: simt_core::program::ExprId) -> Result<bool, EvaluateFault> {
        let value = evaluate(self.program, cond, self)?;
        assert_eq!(value.ty, ScalarType::Bool);
        Ok(value.bits == 1)
    }
}

/// A small value of a type; for integers, the length of the slices.
fn small(ty: ScalarType) -> Constant {
    let bits = match ty {
        ScalarType::Bool => 1,
        ScalarType::F32 => u64::from((LENGTH as f32).to_bits()),
        ScalarType::F64 => f64::from(LENGTH).to_bits(),
        ScalarType::U8
        | ScalarType::U16
        | ScalarType::U32
        | ScalarType::U64
        | ScalarType::I8
        | ScalarType::I16
        | ScalarType::I32
        | ScalarType::I64
        | ScalarType::Usize
        | ScalarType::Isize => u64::from(LENGTH),
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
            ParamKind::Slice { .. } => panic!("validation: a slice is no value"),
        }
    }

    fn builtin(&self, builtin: Builtin) -> u32 {
        if builtin == Builtin::GlobalId { LENGTH - 1 } else { 0 }
    }

    fn length(&self, slice: ParamId) -> u32 {
        self.slices[slice.0 as usize].len() as u32
    }

    fn load(&self, slice: ParamId, index: u32) -> Option<Constant> {
        self.slices[slice.0 as usize].get(index as usize).copied()
    }
}
