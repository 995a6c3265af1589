//! The published semantics, executable: Habermaier and Knapp, *On the Correctness of the SIMT Execution Model of GPUs*
//! (ESOP 2012, with the proofs in the technical report 2012-01 of the University of Augsburg).
//!
//! The rules are here as the paper has them, one function each, over configurations as the paper has them. Nothing is
//! optimised, and nothing uses the flat code: this is what the machine is compared with. What differs from the
//! paper stands beside its rules at [`StmtKind`](simt_core::program::StmtKind), and in `docs/deviations/semantics.md`.
//!
//! | the paper | here |
//! |---|---|
//! | φ, η, left of ▷ (3.2) | [`Setting`], [`Place`] |
//! | warp configuration W, Θ, Δ, μ (3.2) | [`Warp`], [`Memory`] |
//! | ⇒ʷ, Table 2 | [`WarpRules`], which [`Esop12`] implements as it is |
//! | *act*, *awaits*, *enable* (3.3), *actToken* (4.2) | [`act`], [`awaits`], [`enable`], [`act_token`] |
//! | Lemmas 1 and 2 | [`lemma_1`], [`lemma_2`] |
//! | ⇒ᵗ, Table 4 | [`step_thread`] |
//! | interleaved configuration ς, μ and ⇒ⁱ (4.1) | [`Interleaved`], with a [`Schedule`] |
//! | π, Table 5; γ, Fig. 2 | [`project`]; [`Interleaved::of`] |
//! | Theorem 1 with Lemmas 3 to 5 | [`Simulation`] |
//! | stack-less ⇒ with *schedule* (5.2) | [`Interleaved::step_group`], with a [`Grouping`] |
//! | the order of conflicting writes (3.3) | [`Choice`] |
//! | all of them, and which terminate under fair schedules (5.1) | [`explore`], [`Termination`] |
//!
//! ```
//! use simt_core::build::{Builder, Builtin};
//! use simt_semantics::{Esop12, LaneOrder, Memory, Place, Progress, Setting, Simulation};
//!
//! // fn count(x: &mut [u32]) { let i = lane_id(); while x[i] != 0 { x[i] -= 1; } }
//! let k = Builder::new("count", "count.rs", 1, "", "");
//! let x = k.slice_mut::<u32>(0, "x");
//! let i = k.bind(0, "i", k.builtin(0, Builtin::LaneId));
//! k.begin_while();
//! k.while_(0, k.ne(0, k.load(0, x, i), 0));
//! k.sub_at(0, x, 1, i);
//! k.end_loop();
//! let program = k.finish().validate()?;
//!
//! let setting = Setting::new(&program, Place::alone(2))?;
//! let memory = Memory::initial(&setting, vec![vec![3, 1]])?;
//! let mut simulation = Simulation::new(&setting, &Esop12, memory)?;
//! assert_eq!(simulation.run(&mut LaneOrder, 100)?, Some(Progress::Finished));
//! assert_eq!(simulation.warp().memory.slices, [[0, 0]]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The module [`device`] has the levels above warps and threads, of the CUDA report: grids, contexts, the device.
//!
//! # All runs of a small program
//!
//! One run shows one schedule. [`explore`] goes through all of them, up to a bound of configurations, and says which final
//! memories, faults and deadlocks there are, each with a schedule that leads there ([`Ending`]), and whether every weakly fair
//! run ends ([`Termination`]).
//!
//! | what is left open | the system |
//! |---|---|
//! | which thread goes next | [`ThreadSystem`] |
//! | which group of threads goes next, without a stack, and in which order its threads write | [`GroupSystem`] |
//! | in which order the threads of a warp write | [`WarpSystem`] |
//!
//! [`try_seeds`] tries random schedules of what is too big. [`shrink`] makes a schedule that fails simpler, and [`replay`]
//! runs it again, move by move; it is a line of text that can be kept in a test.
//!
//! ```
//! use simt_core::build::Builder;
//! use simt_semantics::{
//!     Ending, Memory, Place, Setting, ThreadSystem, Witness, explore, random_run, replay, shrink, try_seeds,
//! };
//!
//! // fn count(x: &mut [u32]) { x[0] += 1; }
//! let k = Builder::new("count", "count.rs", 1, "", "");
//! let x = k.slice_mut::<u32>(0, "x");
//! k.add_at(0, x, 1, 0);
//! let program = k.finish().validate()?;
//! let setting = Setting::new(&program, Place::alone(2))?;
//! let system = ThreadSystem::new(&setting, Memory::initial(&setting, vec![vec![0]])?);
//!
//! // Two threads count to 2, or to 1 if both read before either writes.
//! let found = explore(&system, 10_000);
//! assert!(found.always_finishes());
//! assert_eq!(found.results().count(), 2);
//! let lost = |ending: &Ending| ending.memory.slices[0][0] == 1;
//! let ending = found.find(lost).expect("an update is lost");
//!
//! // What a bigger program would need: the seed of a run that fails, from which it runs again.
//! let failure = try_seeds(&system, 0..100, 1_000, lost).expect("one of a hundred fails");
//! assert_eq!(random_run(&system, failure.seed, 1_000), failure.ending);
//!
//! // A schedule that is easy to read, and that runs again.
//! let shrunk = shrink(&system, &failure.ending, lost);
//! assert_eq!(shrunk.witness.to_string(), "thread 0, thread 1 x3, thread 0 x2");
//! let kept: Witness = "thread 0, thread 1 x3, thread 0 x2".parse()?;
//! assert!(lost(&replay(&system, &kept)?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choice;
mod collective;
mod coverage;
pub mod device;
mod effect;
mod enable;
mod explore;
mod fault;
mod instances;
mod interleaved;
mod lemmas;
mod memory;
mod place;
mod projection;
mod rules;
mod run;
mod setting;
mod stackless;
mod theorem;
mod thread;
mod warp;

pub use choice::{Choice, LaneOrder, SeededOrder};
pub use coverage::{Coverage, Rule, ThreadRule};
pub use effect::Write;
pub use enable::{act, act_token, awaits, enable};
pub use explore::{
    Ending, Exploration, Failure, GroupSystem, Lasso, Move, NotPossible, Replay, Successor, System, Termination,
    ThreadSystem, WarpSystem, Witness, WitnessError, explore, explore_all, random_run, replay, shrink, try_seeds,
};
pub use fault::{Fault, FaultKind};
#[doc(hidden)]
pub use instances::compile_instances;
pub use interleaved::{End, Interleaved, LowestFirst, RoundRobin, Schedule};
pub use lemmas::{Broken, lemma_1, lemma_2};
pub use memory::{Activation, Memory, MemoryError, Private};
pub use place::Place;
pub use projection::{project, project_stack};
pub use rules::{Esop12, Step, WarpRules};
pub use setting::{CALL_DEPTH, Setting, SettingError, StmtId};
pub use stackless::{Grouping, LowestPlace, OldestGroup, group_of};
pub use theorem::{Progress, Simulation, Violation, ViolationKind};
pub use thread::{Context, ThreadItem, ThreadStack, step_thread};
pub use warp::{DisableState, Item, Token, TokenKind, Warp};
