//! What is generic, compiled for the semantics of this crate.
//!
//! PERF: else it would be compiled where it is used: in tests, which are not optimised. A crate whose own generic code others may
//! link to is one of at most `opt-level = 1`. The tests of Theorem 1 take two thirds of the time.

use crate::explore::{GroupSystem, ThreadSystem, WarpSystem, explore, explore_all};
use crate::{Choice, Coverage, Esop12, Memory, Setting, Simulation, System, Warp, WarpRules};

/// Makes rustc compile it. Nothing calls it.
#[doc(hidden)]
pub fn instances(setting: &Setting<'_>, memory: &Memory, rules: &dyn WarpRules, choice: &mut dyn Choice) {
    explored(&ThreadSystem::new(setting, memory.clone()));
    explored(&GroupSystem::new(setting, memory.clone()));
    explored(&WarpSystem::new(setting, &Esop12, memory.clone()));
    simulated(setting, &Esop12, memory, choice);
    simulated(setting, rules, memory, choice);
}

fn explored(system: &impl System) {
    let _ = (explore(system, 0), explore_all(system, 0));
}

fn simulated(setting: &Setting<'_>, rules: &(impl WarpRules + ?Sized), memory: &Memory, choice: &mut dyn Choice) {
    let simulation = Simulation::new(setting, rules, memory.clone());
    let _ = simulation.and_then(|mut simulation| simulation.run(choice, 0));
    Warp::initial(setting, memory.clone()).run(setting, rules, choice, 0, &mut Coverage::default());
}
