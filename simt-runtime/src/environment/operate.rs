//! The operations of memory programs (CUDA report, section 4.4.3).

use super::cache::{Cache, Outcome};
use super::language::{Level, Op};
use super::line::EvictionClass;
use super::operation::{Operation, Piece, Shape, all_bytes, number, size_of};
use super::oracle::Oracle;
use super::space::StateSpace;
use super::state::State;
use super::stuck::Stuck;
use simt_core::ops::atomic_meaning;

/// Does one operation; false if it defers.
pub(super) fn operate(
    state: &mut State,
    operation: &mut Operation,
    op: Op,
    oracle: &mut dyn Oracle,
) -> Result<bool, Stuck> {
    match op {
        Op::ReadMem => read_memory(state, operation)?,
        Op::WriteMem => write_memory(state, operation)?,
        Op::AtomOp => match &mut operation.shape {
            Shape::Atomic { op, ty, old, first, second, .. } => {
                *first = atomic_meaning(*op, *ty)(*old, *first, *second);
            }
            shape => return Err(Stuck::WrongState { operation: op, shape: shape.name() }),
        },
        Op::WriteToRegs => write_to_registers(state, operation)?,
        Op::ReleaseRegs => {
            let registers = &mut state.processor_mut(operation.processor)?.registers;
            for &register in &operation.registers {
                registers.get_mut(register)?.blocked = false;
            }
        }
        Op::Lock | Op::Unlock => match operation.shape {
            Shape::Atomic { address, space: StateSpace::Shared, ty, .. } => {
                let shared = &mut state.processor_mut(operation.processor)?.shared;
                if op == Op::Lock {
                    return Ok(shared.lock(address, size_of(ty), operation.id));
                }
                shared.unlock(address, size_of(ty));
            }
            ref shape => return Err(Stuck::WrongState { operation: op, shape: shape.name() }),
        },
        Op::Read(level)
        | Op::Write(level)
        | Op::Reserve(level)
        | Op::Update(level)
        | Op::Evict(level)
        | Op::Discard(level)
        | Op::ClassifyFirst(level)
        | Op::ClassifyNormal(level) => return in_cache(state, operation, op, level, oracle),
    }
    Ok(true)
}

/// An operation on a cache; false if it defers. H1: atomics on global memory have them, too.
fn in_cache(
    state: &mut State,
    operation: &mut Operation,
    op: Op,
    level: Level,
    oracle: &mut dyn Oracle,
) -> Result<bool, Stuck> {
    let id = operation.id;
    let cache = state.cache_mut(level, operation.processor)?;
    let shape = &mut operation.shape;
    let address = match shape {
        Shape::Device { address, cached: true, .. } | Shape::Atomic { address, space: StateSpace::Global, .. } => {
            *address
        }
        shape => return Err(Stuck::WrongState { operation: op, shape: shape.name() }),
    };
    let outcome = match op {
        Op::Read(_) => return read_cache(cache, shape, address, id),
        Op::Write(_) => match shape {
            Shape::Device { value, mask, .. } => cache.write(address, value, *mask, oracle)?,
            Shape::Atomic { ty, first, .. } => {
                let bytes = first.to_le_bytes();
                let size = size_of(*ty);
                cache.write(address, &bytes[..size], all_bytes(size), oracle)?
            }
            Shape::Shared { .. } | Shape::Register => Outcome::Done(()),
        },
        Op::Reserve(_) => cache.reserve(address, Some(id), oracle)?,
        Op::Update(_) => {
            match shape {
                Shape::Device { value, mask, .. } => cache.update(address, value, *mask)?,
                Shape::Atomic { line, mask, .. } => cache.update(cache.base(address), line, *mask)?,
                Shape::Shared { .. } | Shape::Register => {}
            }
            Outcome::Done(())
        }
        Op::Evict(_) => cache.evict(address),
        Op::Discard(_) => cache.discard(address),
        Op::ClassifyFirst(_) => Outcome::Done(cache.classify(address, EvictionClass::First)?),
        _ => Outcome::Done(cache.classify(address, EvictionClass::Normal)?),
    };
    Ok(outcome == Outcome::Done(()))
}

fn read_cache(cache: &mut Cache, shape: &mut Shape, address: u64, id: u64) -> Result<bool, Stuck> {
    let size = match shape {
        Shape::Atomic { ty, .. } => size_of(*ty),
        Shape::Device { value, .. } => value.len(),
        Shape::Shared { .. } | Shape::Register => 0,
    };
    let Outcome::Done(bytes) = cache.read(address, size, id)? else { return Ok(false) };
    match shape {
        Shape::Device { value, mask, .. } => (*value, *mask) = (bytes, !cache.valueless(address, size)),
        Shape::Atomic { old, .. } => *old = number(&bytes).unwrap_or_default(),
        Shape::Shared { .. } | Shape::Register => {}
    }
    Ok(true)
}

fn read_memory(state: &State, operation: &mut Operation) -> Result<(), Stuck> {
    let (processor, line_bytes) = (operation.processor, state.line_bytes as u64);
    match &mut operation.shape {
        Shape::Device { address, space, value, mask, .. } => {
            *value = state.read(*space, processor, *address, value.len())?.to_vec();
            *mask = !state.valueless(*space, processor, *address, value.len());
        }
        Shape::Shared { addresses, values, masks } => {
            for ((&address, value), mask) in addresses.iter().zip(values).zip(masks) {
                *value = state.read(StateSpace::Shared, processor, address, value.len())?.to_vec();
                *mask = !state.valueless(StateSpace::Shared, processor, address, value.len());
            }
        }
        Shape::Atomic { address, space, ty, old, line, mask, .. } => {
            let bytes = state.read(*space, processor, *address, size_of(*ty))?;
            *old = number(bytes).unwrap_or_default();
            if *space == StateSpace::Global {
                let base = *address - *address % line_bytes;
                *line = state.read(*space, processor, base, state.line_bytes)?.to_vec();
                *mask = !state.valueless(*space, processor, base, state.line_bytes);
            }
        }
        shape @ Shape::Register => return Err(Stuck::WrongState { operation: Op::ReadMem, shape: shape.name() }),
    }
    Ok(())
}

fn write_memory(state: &mut State, operation: &Operation) -> Result<(), Stuck> {
    let processor = operation.processor;
    match &operation.shape {
        Shape::Device { address, space, value, mask, .. } => state.write(*space, processor, *address, value, *mask),
        Shape::Shared { addresses, values, .. } => addresses
            .iter()
            .zip(values)
            .try_for_each(|(&address, value)| state.write(StateSpace::Shared, processor, address, value, !0)),
        Shape::Atomic { address, space, ty, first, .. } => {
            state.write(*space, processor, *address, &first.to_le_bytes()[..size_of(*ty)], !0)
        }
        shape @ Shape::Register => Err(Stuck::WrongState { operation: Op::WriteMem, shape: shape.name() }),
    }
}

fn write_to_registers(state: &mut State, operation: &Operation) -> Result<(), Stuck> {
    let pieces = operation.decomposition.as_ref().ok_or(Stuck::NoDecomposition)?;
    let registers = &mut state.processor_mut(operation.processor)?.registers;
    for piece in pieces {
        let (register, value) = match *piece {
            Piece::Computed { register, value } => (register, value),
            Piece::Loaded { register, part, offset, size } => {
                (register, operation.loaded(part, offset, size).ok_or(Stuck::NoRegister { register })?)
            }
            Piece::HasValue { register, part, offset, size } => {
                (register, operation.has_value(part, offset, size).into())
            }
        };
        registers.get_mut(register)?.value = value;
    }
    Ok(())
}
