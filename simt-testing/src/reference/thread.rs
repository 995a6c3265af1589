//! One thread.

use super::Refusal;
use super::frame::{Call, Frame, Frames, Loop};
use super::world::{ArrayElements, View, World, arrays};
use simt_core::Constant;
use simt_core::ops::{AtomicOp, canonical, evaluate_atomic};
use simt_core::program::{
    CollectiveOp, Environment, ExprId, FunctionId, LoadFault, Memory, Program, Stmt, StmtKind, Validated, VarId,
    else_if, evaluate,
};

/// How deep calls may nest, as in the machine's default config.
const CALL_DEPTH: usize = 1024;

/// What a thread has for itself.
pub(super) struct Own {
    /// Its `global_id()`.
    pub(super) number: usize,
    pub(super) block: usize,
    /// The variables of the innermost activation.
    pub(super) variables: Vec<Option<Constant>>,
    /// Its arrays, of each that of the newest activation of the function that declares it.
    pub(super) arrays: ArrayElements,
}

/// A statement that a thread executes together with others, for which it waits.
pub(super) struct Arrival<'p> {
    pub(super) stmt: &'p Stmt,
    /// The lanes that it names.
    pub(super) mask: Option<u64>,
    pub(super) args: Vec<Constant>,
}

/// A thread.
pub(super) struct Thread<'p> {
    own: Own,
    frames: Frames<'p>,
    prints: Vec<String>,
    arrival: Option<Arrival<'p>>,
}

impl<'p> Thread<'p> {
    /// A thread, by the numbers of its block and of itself in the grid, before its first statement.
    pub(super) fn new(program: &'p Validated<Program>, block: usize, number: usize) -> Self {
        let (variables, arrays) = (vec![None; program.variables.len()], arrays(program));
        let mut frames = Frames::default();
        frames.begin(&program.body);
        Self { own: Own { number, block, variables, arrays }, frames, prints: Vec::new(), arrival: None }
    }

    pub(super) fn number(&self) -> usize {
        self.own.number
    }

    /// Whether it has not ended.
    pub(super) fn is_live(&self) -> bool {
        self.arrival.is_some() || !self.frames.is_empty()
    }

    /// What it waits for others at.
    pub(super) fn arrival(&self) -> Option<&Arrival<'p>> {
        self.arrival.as_ref()
    }

    /// The lines that it has printed.
    pub(super) fn into_prints(self) -> Vec<String> {
        self.prints
    }

    /// It goes on behind the statement at which it waits.
    pub(super) fn go_on(&mut self, value: Option<Constant>) {
        let Some(Arrival { stmt, .. }) = self.arrival.take() else { return };
        if let (Some(var), Some(value)) = (stmt.kind.assigned(), value) {
            self.assign(var, value);
        }
    }

    /// Runs until it has ended, or waits for others.
    pub(super) fn run(&mut self, world: &mut World<'p>) -> Result<(), Refusal> {
        while self.arrival.is_none() {
            match self.frames.last() {
                None => break,
                Some(Frame::Block(rest)) => match rest.split_first() {
                    Some((stmt, others)) => {
                        *rest = others;
                        self.stmt(stmt, world)?;
                    }
                    None => self.frames.pop(),
                },
                Some(Frame::Loop(Loop { step, at_step: at_step @ true, .. })) => {
                    *at_step = false;
                    let step = *step;
                    self.frames.begin(step);
                }
                Some(Frame::Loop(frame)) => {
                    frame.at_step = true;
                    let Loop { cond, body, .. } = *frame;
                    if self.holds(cond, world)? {
                        self.frames.begin(body);
                    } else {
                        self.frames.pop();
                    }
                }
                Some(Frame::Call(_)) => self.leave_function(world),
            }
        }
        Ok(())
    }

    fn value(&self, id: ExprId, world: &World<'p>) -> Result<Constant, Refusal> {
        evaluate(world.program, id, &View { world, own: &self.own }).map_err(Refusal::Evaluate)
    }

    fn values(&self, ids: &[ExprId], world: &World<'p>) -> Result<Vec<Constant>, Refusal> {
        ids.iter().map(|&id| self.value(id, world)).collect()
    }

    fn holds(&self, cond: ExprId, world: &World<'p>) -> Result<bool, Refusal> {
        Ok(self.value(cond, world)?.bits != 0)
    }

    fn assign(&mut self, var: VarId, value: Constant) {
        self.own.variables[var.0 as usize] = Some(value);
    }

    fn write(&mut self, memory: Memory, index: u32, bits: u64, world: &mut World<'p>) -> Result<(), Refusal> {
        let index = index as usize;
        match memory {
            Memory::Param(param) => {
                *world.memory[param.0 as usize].get_mut(index).ok_or(Refusal::OutOfBounds)? = bits;
            }
            Memory::Array(id) => {
                let shared = world.is_shared(id);
                let arrays = if shared { &mut world.shared[self.own.block] } else { &mut self.own.arrays };
                *arrays[id.0 as usize].get_mut(index).ok_or(Refusal::OutOfBounds)? = Some(bits);
            }
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &'p Stmt, world: &mut World<'p>) -> Result<(), Refusal> {
        match &stmt.kind {
            // A thread sees all that others have done.
            StmtKind::Skip | StmtKind::Fence { .. } => {}
            StmtKind::Assign { var, value } => {
                let value = self.value(*value, world)?;
                self.assign(*var, value);
            }
            StmtKind::Store { slice, index, value, .. } => {
                let (index, value) = (self.value(*index, world)?, canonical(self.value(*value, world)?));
                self.write(*slice, index.bits as u32, value.bits, world)?;
            }
            StmtKind::Evaluate { value } => {
                self.value(*value, world)?;
            }
            StmtKind::If { cond, then, otherwise } => {
                let (mut cond, mut then, mut otherwise) = (cond, then, otherwise);
                // A loop, because chains can be long.
                while !self.holds(*cond, world)? {
                    match else_if(otherwise).map(|stmt| &stmt.kind) {
                        Some(StmtKind::If { cond: c, then: t, otherwise: o }) => (cond, then, otherwise) = (c, t, o),
                        _ => {
                            self.frames.begin(otherwise);
                            return Ok(());
                        }
                    }
                }
                self.frames.begin(then);
            }
            StmtKind::While { cond, body, step } => {
                self.frames.push_loop(Loop { cond: *cond, body, step, at_step: false });
            }
            StmtKind::Break { out } => self.frames.leave_loops(*out, true),
            StmtKind::Continue { out } => self.frames.leave_loops(*out, false),
            StmtKind::Return => self.leave_function(world),
            StmtKind::Call { function, args, result } => {
                let args = self.values(args, world)?;
                self.call(*function, args, *result, world)?;
            }
            StmtKind::Atomic { op, target, index, operands, result, .. } => {
                let (index, operands) = (self.value(*index, world)?.bits as u32, self.values(operands, world)?);
                let old = match (View { world, own: &self.own }).load(*target, index) {
                    Ok(old) => old,
                    // A store needs no old value.
                    Err(LoadFault::Unwritten) if *op == AtomicOp::Store => operands[0],
                    Err(LoadFault::Unwritten) => return Err(Refusal::Unwritten),
                    Err(LoadFault::OutOfBounds) => return Err(Refusal::OutOfBounds),
                };
                self.write(*target, index, evaluate_atomic(*op, old, &operands).bits, world)?;
                if let Some(var) = result {
                    self.assign(*var, old);
                }
            }
            StmtKind::Collective { op: CollectiveOp::ActiveMask, .. } => return Err(Refusal::Open),
            StmtKind::Collective { mask, args, .. } => {
                let mask = mask.map(|mask| self.value(mask, world)).transpose()?.map(|mask| mask.bits);
                self.arrival = Some(Arrival { stmt, mask, args: self.values(args, world)? });
            }
            StmtKind::Barrier { index: None, threads: None, value, .. } => {
                let args = self.values(value.as_slice(), world)?;
                self.arrival = Some(Arrival { stmt, mask: None, args });
            }
            StmtKind::Barrier { .. } => return Err(Refusal::Waits),
            StmtKind::Print { message, args } => {
                let values = self.values(args, world)?;
                self.prints.push(world.program.message(*message).render(&values));
            }
            StmtKind::Panic { message, args } => {
                let values = self.values(args, world)?;
                return Err(Refusal::Panic(world.program.message(*message).render(&values)));
            }
        }
        Ok(())
    }

    fn call(
        &mut self,
        id: FunctionId,
        args: Vec<Constant>,
        result: Option<VarId>,
        world: &World<'p>,
    ) -> Result<(), Refusal> {
        if self.frames.calls() == CALL_DEPTH {
            return Err(Refusal::CallDepth);
        }
        let program = world.program;
        let callee = program.function(id);
        // An activation has its arrays for itself; those of others may have been passed to it.
        let own = (0..program.arrays.len()).filter(|&number| program.arrays[number].function == Some(id));
        let fresh = |number: usize| vec![None; program.arrays[number].length as usize];
        let arrays = own.map(|number| (number, std::mem::replace(&mut self.own.arrays[number], fresh(number))));
        let arrays = arrays.collect();
        let variables = std::mem::replace(&mut self.own.variables, vec![None; program.variables.len()]);
        for (&param, arg) in callee.params.iter().zip(args) {
            self.assign(param, arg);
        }
        self.frames.push_call(Call { function: id, result, variables, arrays });
        self.frames.begin(&callee.body);
        Ok(())
    }

    /// Goes back behind the call of the function that runs, or ends.
    fn leave_function(&mut self, world: &World<'p>) {
        let Some(Call { function, result, variables, arrays }) = self.frames.leave_function() else { return };
        let value = world.program.function(function).result.and_then(|var| self.own.variables[var.0 as usize]);
        self.own.variables = variables;
        arrays.into_iter().for_each(|(number, elements)| self.own.arrays[number] = elements);
        if let (Some(var), Some(value)) = (result, value) {
            self.assign(var, value);
        }
    }
}
