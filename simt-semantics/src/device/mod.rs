//! The device of the CUDA report, executable: A. Habermaier, *The Model of Computation of CUDA and its Formal Semantics*
//! (2011), sections 5.6 to 5.8, over an abstract memory environment (chapter 4).
//!
//! | the report | here |
//! |---|---|
//! | γ, grids and their states (5.6) | [`GridState`], [`BlockState`] |
//! | (exec) of grids: a block makes a step (5.6) | [`DeviceRules::rule_grid_exec`] |
//! | (compl) of grids (5.6) | [`DeviceRules::rule_grid_compl`] |
//! | ζ, contexts, with *vms* and the program map (5.7) | [`ContextState`] |
//! | *issueBlocks* (5.7.1), (issue) (5.7.3) | [`DeviceRules::issue_blocks`], [`DeviceRules::rule_issue`] |
//! | *scheduleGrids*, *scheduleWarps* (5.7.1) | any block of any grid: [`DeviceSystem::moves`] |
//! | *cin*, *cout* (5.7.2) | [`ContextInput`], [`ContextOutput`] |
//! | (compl), (start), (abort) of contexts (5.7.3) | [`DeviceRules::rule_context_compl`], [`rule_start`](DeviceRules::rule_start), [`rule_abort`](DeviceRules::rule_abort) |
//! | ∆, devices (5.8) | [`DeviceState`] |
//! | *memOp* and the macro step of memory (5.8.1, 4.6) | [`MemoryManager::issue`], [`DeviceRules::rule_perform`] |
//! | *din*, *dout* (5.8.2) | [`DeviceInput`], [`DeviceOutput`] |
//! | (create), (destroy), (load), *newVM* (5.8.3) | [`DeviceRules::rule_create`], [`rule_destroy`](DeviceRules::rule_destroy), [`rule_load`](DeviceRules::rule_load), [`new_vm`](DeviceRules::new_vm) |
//! | (in), (out), (cin), (cout) (5.7.3, 5.8.3) | messages are passed on at once: [`DeviceSystem::step`] |
//! | the flush between dependent grids (4.6, 2.3.2) | [`DeviceRules::flush`] |
//! | streams and events, which are the host's | [`HostProgram`], [`HostState`]: ours |
//! | a grid that fails | [`DeviceRules::rule_fail`]: ours |
//!
//! [`HostProgram::random`] makes programs; [`HostProgram::result`] is what all runs of one without races give.
//!
//! # What it abstracts from
//!
//! A grid is a list of blocks, and a block a list of [`Action`]s on global memory: what its threads do in between, warps and
//! their schedules are left out. Memory are bytes, an L1 cache a map from addresses to bytes, and L2 is one with global
//! memory. A load and an atomic end before the block goes on, as the registers that they block would have it; a store is in
//! flight until it is performed. In (exec) all that are scheduled make a step at once, here one block after the other: they
//! share nothing but memory. That a message stays in a queue for a while is the same as that it is sent later.
//!
//! # Holes
//!
//! | hole | the report | decided |
//! |---|---|---|
//! | H3 | nothing says when a flush comes (4.6) | when a grid starts, all L1 caches lose their lines |
//! | H11 | a grid is completed while operations of it are in flight (5.6, 5.7.3) | (compl) of contexts waits for them, as the host could read early |
//! | H12 | (compl), (issue) and I/O may fire (5.7.3) | as soon as they can, in [`DeviceSystem::explore`]; what starts, and where, is open |
//! | H13 | contexts are not preempted (2.3.1), and any may make a step (5.8.3) | a grid starts when no other context has grids |
//! | H17 | no rule has the limit of concurrent grids (2.3.1) | (start) waits for a place |
//! | H18 | a message `started` does not say which `start` it answers (5.7.2) | both have a [`Ticket`] of the host's |
//! | H19 | undefined is undefined: nothing is said of the grids beside one that fails | its context is lost: its grids are aborted; bytes that it has written, and no other grid has changed since, are what they were |
//!
//! ```
//! use simt_semantics::device::{Action, Command, CudaReport, DeviceLimits, DeviceProgram, DeviceSystem, HostProgram, HostStream};
//!
//! // Two grids of one block in one stream: the second reads what the first has written.
//! let write = vec![vec![Action::Store { to: 0, plus: 7 }]];
//! let copy = vec![vec![Action::Load(0), Action::Store { to: 1, plus: 0 }]];
//! let program = DeviceProgram { initial: vec![], entries: vec![write, copy] };
//! let commands = [0, 1].map(|entry| Command::Launch { program: 0, entry }).to_vec();
//! let host = HostProgram {
//!     programs: vec![program],
//!     streams: vec![HostStream { context: 0, commands }],
//!     ..HostProgram::of_contexts(1)
//! };
//! let system = DeviceSystem::new(DeviceLimits::small(), &host, &CudaReport);
//! let outcomes = system.explore(10_000).expect("it is small");
//! assert_eq!(outcomes.iter().map(|outcome| &outcome.memories[0][..2]).collect::<Vec<_>>(), [[7, 7]]);
//! ```

mod host;
mod memory;
mod random;
mod reference;
mod rules;
mod runs;
mod state;
mod system;

pub use host::{Command, Fate, HostProgram, HostState, HostStream, Ticket};
pub use memory::{MemoryManager, Operation, Written};
pub use rules::{CudaReport, DeviceRules};
pub use runs::Outcome;
pub use state::{
    Action, BlockState, ContextInput, ContextOutput, ContextState, DeviceInput, DeviceLimits, DeviceOutput,
    DeviceProgram, DeviceState, GridState, LoadedProgram,
};
pub use system::{DeviceMove, DeviceRun, DeviceSystem};
