//! Micro steps: statements up to the next yield (CUDA report, section 4.4.4).

use super::language::{Condition, Stm};
use super::operate::operate;
use super::operation::{Operation, Shape};
use super::oracle::Oracle;
use super::space::StateSpace;
use super::state::State;
use super::stuck::Stuck;

/// The retry of a deferred operation at the head of a path of an `if` (hole H2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Retry {
    /// The condition is evaluated anew: another operation may have done what this one was to do.
    #[default]
    Condition,
    /// The operation alone is tried again, as the report has it: `reserve` is stuck if another has reserved the line.
    Operation,
}

/// How a micro step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum YieldAction {
    /// It yielded (`yield;`).
    Yield,
    /// An operation deferred; it is tried again.
    Deferred,
    /// It ended (`end;`): the operation is done.
    End,
}

/// Runs a micro step.
///
/// # Errors
/// Where the program is stuck. The state may have changed.
pub fn micro_step(
    state: &mut State,
    operation: &mut Operation,
    retry: Retry,
    oracle: &mut dyn Oracle,
) -> Result<YieldAction, Stuck> {
    loop {
        let Some((block, next)) = operation.program.0.last_mut() else { return Err(Stuck::NoEnd) };
        let Some(statement) = block.get(*next) else {
            operation.program.0.pop();
            continue;
        };
        *next += 1;
        match statement.clone() {
            Stm::Skip => {}
            Stm::Yield => return Ok(YieldAction::Yield),
            Stm::End => {
                operation.program.0.clear();
                return Ok(YieldAction::End);
            }
            Stm::If { cond, then, otherwise } => {
                let path = if holds(state, operation, &cond)? { then } else { otherwise };
                operation.program.0.push((path, 0));
            }
            Stm::Op(op) => {
                if !operate(state, operation, op, oracle)? {
                    step_back(operation, retry);
                    return Ok(YieldAction::Deferred);
                }
            }
        }
    }
}

/// Sets the operation that has just deferred to be tried again.
fn step_back(operation: &mut Operation, retry: Retry) {
    let frames = &mut operation.program.0;
    if let Some((_, next)) = frames.last_mut() {
        *next -= 1;
    }
    while retry == Retry::Condition
        && frames.len() > 1
        && let Some((_, 0)) = frames.last()
    {
        frames.pop();
        if let Some((_, next)) = frames.last_mut() {
            *next -= 1;
        }
    }
}

/// The value of a condition (CUDA report, section 4.4.2). Both sides of `and` and `or` must have one.
fn holds(state: &State, operation: &Operation, cond: &Condition) -> Result<bool, Stuck> {
    Ok(match cond {
        Condition::Constant(value) => *value,
        Condition::Not(inner) => !holds(state, operation, inner)?,
        Condition::And(left, right) => holds(state, operation, left)? & holds(state, operation, right)?,
        Condition::Or(left, right) => holds(state, operation, left)? | holds(state, operation, right)?,
        Condition::IsCached(level) => match operation.shape {
            // H1: atomics on global memory are cached, too.
            Shape::Device { address, cached: true, .. } | Shape::Atomic { address, space: StateSpace::Global, .. } => {
                state.cache(*level, operation.processor)?.is_cached(address)
            }
            Shape::Device { .. } | Shape::Shared { .. } | Shape::Atomic { .. } | Shape::Register => {
                return Err(Stuck::NoCacheOperator { shape: operation.shape.name() });
            }
        },
    })
}
