//! A lint of programs: loops that may hang under some policies.

use crate::policy::Policy;
use simt_core::analysis::ScheduleDependence;
use simt_core::program::Program;
use std::fmt;

/// A loop or recursion that may hang, and under which policies.
///
/// ```
/// use simt::prelude::*;
/// use std::sync::atomic::{AtomicU32, Ordering::{Acquire, Release}};
///
/// #[kernel]
/// fn wait(flag: &[AtomicU32]) {
///     if global_id() == 0 {
///         flag[0].store(1, Release);
///     }
///     while flag[0].load(Acquire) == 0 {}
/// }
///
/// let lints = simt::termination::schedule_lints(wait::program());
/// assert_eq!(lints[0].dependence.value, "flag");
/// assert!(lints[0].may_hang_under.contains(&"Ipdom"));
/// assert!(!lints[0].may_hang_under.contains(&"Dwf<TimeStamp>"));
/// println!("warning: {}", lints[0]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleLint {
    /// The loop or recursion, and the shared value that may keep it going.
    pub dependence: ScheduleDependence,
    /// The policies that are not fair. Whether it hangs there depends on the rest of the kernel: a launch proves it.
    pub may_hang_under: Vec<&'static str>,
}

impl fmt::Display for ScheduleLint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (not fair: {})", self.dependence, self.may_hang_under.join(", "))
    }
}

/// The loops and recursions of a program that may depend on the order in which threads run, with the policies under which
/// they may hang. If there is none, the kernel is certified: it ends under every policy, or under none.
///
/// Source: ESOP'12, Lemma 6.
pub fn schedule_lints(program: &Program) -> Vec<ScheduleLint> {
    let mut may_hang_under = Vec::new();
    for_each_policy!(P => if !P::is_fair() {
        may_hang_under.push(P::name());
    });
    let lint = |dependence| ScheduleLint { dependence, may_hang_under: may_hang_under.clone() };
    program.schedule_dependences().into_iter().map(lint).collect()
}
