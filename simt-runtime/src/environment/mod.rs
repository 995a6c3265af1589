//! The memory semantics of the CUDA report (Habermaier 2011, chapter 4): caches that hold values and may be stale.
//!
//! Nothing here knows of kernels. A memory operation is a small program that moves a value between registers, caches and
//! memory; it runs in *micro steps*, between which other operations run, lines are evicted and written back, and L1 caches
//! are flushed. What comes out depends on the order, and the order is an [`Oracle`]'s.
//!
//! | part | the report |
//! |---|---|
//! | [`Line`], [`Cache`]: reserve, read, write, update, evict, discard, classify | section 4.2 |
//! | [`State`]: memories, L2, and of each multiprocessor shared memory, L1 and registers | section 4.3 |
//! | [`Program`]: the language of memory programs, with its text | sections 4.1 and 4.4 |
//! | [`programs`]: listings 4.1 to 4.6, and ours for what is missing | sections 4.1 and 4.5 |
//! | [`Operation`], [`Shape`], [`Piece`]: a program with its implicit state | section 4.4.1 |
//! | [`micro_step`]: one micro step | sections 4.4.2 to 4.4.4 |
//! | [`Environment`]: operations in flight, their priorities, the silent rules | section 4.6 |
//! | [`Oracle`], [`Seeded`], [`outcomes`]: one order, or all of them | section 4.6 |
//!
//! What the report writes as ⊥ is an error of type [`Stuck`].
//!
//! ```
//! use simt_runtime::environment::*;
//!
//! // Multiprocessor 1 has a line in its L1 cache; multiprocessor 0 stores to it.
//! let mut device = Environment::new(State::new(&Sizes::small(2, 2)), Holes::default());
//! let programs = Programs::default();
//! let load = || {
//!     let word = Piece::Loaded { register: 0, part: 0, offset: 0, size: 4 };
//!     let shape = Shape::load(StateSpace::Global, 0, 8);
//!     Operation::new(1, programs.get(ProgramName::LdCa), shape).with_results(vec![word])
//! };
//! let store = Shape::store(StateSpace::Global, 0, vec![5, 0, 0, 0]);
//! for operation in [load(), Operation::new(0, programs.get(ProgramName::StGlobalWb), store), load()] {
//!     let number = device.issue(operation)?;
//!     device.run_alone(number, &mut First)?;
//! }
//! // The store is done, and the load behind it still gets the old value.
//! assert_eq!(device.state.processors()[1].registers.get(0).map(|register| register.value), Some(0));
//! # Ok::<(), Stuck>(())
//! ```
//!
//! # Holes
//!
//! What the report leaves open or contradicts, how it is decided here, and the test that shows it. Those that are not about
//! memory are decided elsewhere in the project; they stand here so that the list is whole.
//!
//! | hole | the report | decided | test |
//! |---|---|---|---|
//! | H1 | listing 4.4 uses caches and `atomOp`, and no state has both (4.4.1) | atomics on global memory have the operations and queries of caches; the line on its way to L2 is part of their state | `golden_cuda_memory_h1_global_atomics_use_caches` |
//! | H2 | a deferred `reserve` is tried again though another operation may have reserved the line, and is stuck then (4.2.2, 4.4.4) | an operation that defers at the head of a path of an `if` goes back to the condition; [`Retry::Operation`] is the letter | `golden_cuda_memory_h2_a_reservation_that_waited_looks_again` |
//! | H3 | a flush takes pinned lines, too, and nothing says when one comes (4.6) | not while an operation waits for a line of it, [`Holes::flush_takes_pinned`] is the letter; forced at the end of a launch, and so between dependent grids | `golden_cuda_memory_h3_a_flush_spares_what_is_waited_for` |
//! | H4 | lines are found by exact address, writes replace all of a line, and wbL2 writes back the largest request (4.2.2, 4.6) | a line has a base, and knows which bytes are there and which are dirty; loads fetch whole lines. A line that stores have written in part and no operation fills does not count as cached, and `reserve` pins it | `golden_cuda_memory_h4_stores_leave_their_neighbours_alone` |
//! | H5 | each thread of a call with several targets pushes a frame each time (5.4.1) | no such calls: an indirect branch to one call each does it | `golden_cuda_d6` |
//! | H6 | a load between the micro steps of listing 4.1 brings the old value back to L1 (4.7) | the program is there as printed; launches use [`ProgramName::StGlobalInOrder`], which has not the race, unless [`EnvironmentConfig::refill_race`] asks for it: with lines of many words no barrier would help | `golden_cuda_memory_the_race_of_4_1_is_there_and_ours_has_none`, `golden_cuda_memory_h6_the_race_breaks_barriers` |
//! | H7 | `bar.sync` and `bar.arrive` of one block step contradict each other (5.5.1) | warps come one after the other, and an arrival adds to those that wait | `some_arrive_and_others_wait` |
//! | H8 | the operator of `bar.red` is optional in the grammar, and every rule needs it (5.1.1) | each reduction has its own name | `barriers_reduce_over_the_block` |
//! | H9 | a warp waits for the fences of active threads (5.7.1), or of any (6.3.2) | of those that execute the fence | `a_fence_waits_for_the_lanes_that_execute_it` |
//! | H10 | operations are found by a thread index that is unique in a block only (5.8.1) | an operation's number is never used again, and it names its warp by a number unique in the launch | `golden_cuda_memory_h10_blocks_have_operations_of_their_own` |
//! | H11 | nothing waits for operations in flight when a block or grid ends (5.5, 5.6) | shared memory is given away when the block's operations on it have ended; a launch, or a grid of a device, ends when all have, and everything is written back | `golden_cuda_memory_h11_draining_ends_everything`, `golden_cuda_device_h11_completion_waits_for_stores` |
//! | H12 | the rules that complete barriers and issue blocks are optional (5.5, 5.7) | they are applied as soon as they can be | `barriers_reduce_over_the_block` |
//! | H13 | contexts are not preempted (2.3.1), and any may make a step (5.8.3) | on a [`Device`](crate::device::Device) a grid starts when no other context has grids that run | `golden_cuda_device_h13_contexts_take_turns` |
//! | H14 | of atomics of a warp at one address all are done (2.3.2), or some (5.8.1) | all, in any order | `golden_cuda_memory_h14_all_atomics_of_a_warp_are_done` |
//! | H15 | with a cache full of dirty lines loads wait for silent rules, which nothing forces (4.6) | when no operation can go on, those that wait have dirty lines written back | `golden_cuda_memory_h15_loads_do_not_starve` |
//! | H16 | the liveness formula holds of a loop on an empty stack (6.5) | a livelock is a configuration that comes again, whatever the stack | `livelocks` |
//!
//! # Launches
//!
//! [`MemoryModel::Environment`] runs a kernel on it: its accesses of slices that threads write, of atomics, of shared arrays,
//! and by address of global and shared memory become operations. A load, and an atomic whose result is used, ends before its warp goes on; stores stay in flight.
//! A fence waits for what its threads have in flight, and so do a barrier that waits and `sync_warp()`; `arrive_barrier` does
//! not. To load from a shared array, or by address, what no store has come to is a fault. An atomic that releases is a fence
//! before it; one that acquires empties the L1 cache behind it, and `sync_grid()` all of them. The report has no such orders: a fence does not make L1
//! caches coherent, and only `volatile`, `cv` and `cg` loads, and atomics, do not ask them. Arrays of threads are always
//! up to date.
//!
//! Priorities are abstract in the report, and its formula asks that an operation's be at least as high as all others. Those
//! of different threads are not comparable, so it is read as: none in flight is higher.

mod cache;
mod config;
mod explore;
mod interpreter;
mod invariants;
mod language;
mod line;
mod operate;
mod operation;
mod oracle;
pub mod programs;
mod schedule;
mod space;
mod state;
mod stuck;
mod system;

pub use cache::{Attempt, Cache, Geometry, Outcome};
pub use config::{EnvironmentConfig, MemoryModel};
pub use explore::{ExploreError, outcomes};
pub use interpreter::{Retry, YieldAction, micro_step};
pub use invariants::BrokenInvariant;
pub use language::{Block, Condition, Level, Op, Program, Stm, SyntaxError};
pub use line::{EvictionClass, Line, LineState, OperationId};
pub use operation::{Continuation, Operation, Piece, Priority, Shape};
pub use oracle::{First, Oracle, Question, Seeded, ask, every_way};
pub use programs::{ProgramName, Programs};
pub use space::{Bytes, Register, RegisterFile, SharedMemory, StateSpace};
pub use state::{Processor, Sizes, State};
pub use stuck::Stuck;
pub use system::{Environment, Holes, SilentRule};
