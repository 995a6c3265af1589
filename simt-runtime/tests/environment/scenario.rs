//! A small device with operations on it.

use simt_core::ScalarType;
use simt_core::ops::AtomicOp;
use simt_runtime::environment::{
    Environment, First, Holes, Operation, OperationId, Piece, Priority, ProgramName, Programs, Shape, Sizes, State,
    StateSpace, Stuck,
};

/// Address 0 of global memory is where most scenarios happen.
pub(crate) const PLACE: u64 = 0;

/// A device with two multiprocessors, whose caches have so many lines of 8 bytes.
pub(crate) fn device(l1: usize, l2: usize) -> Environment {
    with_holes(l1, l2, Holes::default())
}

pub(crate) fn with_holes(l1: usize, l2: usize, holes: Holes) -> Environment {
    Environment::new(State::new(&Sizes::small(l1, l2)), holes)
}

/// A word as memory behind the caches has it.
pub(crate) fn in_memory(environment: &Environment, space: StateSpace, address: u64) -> u32 {
    let bytes = match space {
        StateSpace::Shared => environment.state.processors()[0].shared.bytes().get(address, 4),
        _ => environment.state.device(space).and_then(|bytes| bytes.get(address, 4)),
    };
    u32::from_le_bytes(bytes.expect("there is such a word").try_into().expect("it has four bytes"))
}

/// The host writes a word.
pub(crate) fn set(environment: &mut Environment, space: StateSpace, address: u64, value: u32) {
    let bytes = environment.state.device_mut(space).expect("the host reaches it");
    bytes.set(address, &value.to_le_bytes(), !0).expect("there is such a word");
}

/// A load of a word by listing 4.2 or another program: the line that it is in goes through the caches, and register
/// `register` gets the word.
pub(crate) fn load(name: ProgramName, processor: usize, space: StateSpace, address: u64, register: u32) -> Operation {
    let line = address - address % 8;
    let piece = Piece::Loaded { register, part: 0, offset: (address - line) as usize, size: 4 };
    Operation::new(processor, Programs::default().get(name), Shape::load(space, line, 8)).with_results(vec![piece])
}

/// A store of a word.
pub(crate) fn store(name: ProgramName, processor: usize, space: StateSpace, address: u64, value: u32) -> Operation {
    let shape = Shape::store(space, address, value.to_le_bytes().to_vec());
    Operation::new(processor, Programs::default().get(name), shape)
}

/// An addition to a word; register `register` gets what was there.
pub(crate) fn add(processor: usize, space: StateSpace, address: u64, value: u64, register: u32) -> Operation {
    let name = if space == StateSpace::Shared { ProgramName::AtomShared } else { ProgramName::AtomGlobal };
    let shape = Shape::atomic(space, address, AtomicOp::Add, ScalarType::U32, [value, 0]);
    let piece = Piece::Loaded { register, part: 0, offset: 0, size: 4 };
    Operation::new(processor, Programs::default().get(name), shape).with_results(vec![piece])
}

/// A store of a word to shared memory.
pub(crate) fn store_shared(processor: usize, address: u64, value: u32) -> Operation {
    let shape = Shape::shared(vec![address], vec![value.to_le_bytes().to_vec()]);
    Operation::new(processor, Programs::default().get(ProgramName::StShared), shape)
}

/// The same operation as a volatile one of thread 0, the so-and-so-manieth.
pub(crate) fn volatile(operation: Operation, sequence: u64) -> Operation {
    operation.with_priority(Priority { warp: 0, lanes: 1, sequence, volatile: true, bytes: Vec::new() })
}

/// Issues an operation and runs it to its end, alone; gives how many micro steps it took.
#[track_caller]
pub(crate) fn run(environment: &mut Environment, operation: Operation) -> usize {
    attempt(environment, operation).expect("no program is stuck")
}

pub(crate) fn attempt(environment: &mut Environment, operation: Operation) -> Result<usize, Stuck> {
    let id = environment.issue(operation)?;
    let steps = environment.run_alone(id, &mut First)?;
    environment.check().expect("the invariants hold");
    Ok(steps)
}

/// One micro step of an operation in flight; false if it deferred.
#[track_caller]
pub(crate) fn step(environment: &mut Environment, operation: OperationId) -> bool {
    let place = environment.operations().iter().position(|one| one.id == operation).expect("it is in flight");
    let action = environment.step(place, &mut First).expect("no program is stuck").expect("none goes before it");
    action != simt_runtime::environment::YieldAction::Deferred
}

/// What a register has.
pub(crate) fn register(environment: &Environment, processor: usize, register: u32) -> u64 {
    environment.state.processors()[processor].registers.get(register).expect("there is such a register").value
}

/// The value that a load by listing 4.2 gets now.
#[track_caller]
pub(crate) fn loaded(environment: &mut Environment, processor: usize, address: u64) -> u64 {
    run(environment, load(ProgramName::LdCa, processor, StateSpace::Global, address, 7));
    register(environment, processor, 7)
}
