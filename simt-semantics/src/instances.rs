//! Generic code, compiled for the semantics of this crate.
//!
//! PERF: rustc shares generic code only of crates at `opt-level` 1 or less, as this one is when tests run. Without these calls
//! tests would compile it themselves, unoptimised: those of Theorem 1 take 44 s of processor time with them, 63 without (Intel
//! Xeon, 2026-11-30).

use crate::choice::Choice;
use crate::coverage::Coverage;
use crate::explore::{GroupSystem, System, ThreadSystem, WarpSystem, explore, explore_all};
use crate::memory::Memory;
use crate::rules::{Esop12, WarpRules};
use crate::setting::Setting;
use crate::theorem::Simulation;
use crate::warp::Warp;

/// Never called. Public, as rustc compiles only what can be reached.
#[doc(hidden)]
pub fn compile_instances(setting: &Setting<'_>, memory: &Memory, rules: &dyn WarpRules, choice: &mut dyn Choice) {
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
