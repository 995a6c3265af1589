//! Threads that run ahead of their issue.
//!
//! A policy that regroups threads issues some lanes of many warps together, and soon after others of the same warps at the
//! same address. Lanes take as long as one lane, so it pays to run all that stand there at once, when the first of them
//! issue. Segments for which no other thread can tell read and write their threads' own registers only, and cannot fault: threads may
//! run such a segment any time before they issue it. What is issued, counted and observed does not change, nor does the
//! order of what others see: memory, collectives and ends of threads are in other segments.
//!
//! A thread can be several segments ahead, but has run each of them at most once more than it has issued it. For each
//! segment there is one set, then, of those that have run and not issued it, and one of those among them that take the
//! branch at its end.
//!
//! PERF: with dynamic warp formation an issue has threads of five warps where threads diverge, and this saves most of the
//! runs (`benches/speed.rs`, table of the policies).

use crate::plan::{Control, Plan, Segment};
use crate::policy::{ThreadMask, WarpPart};
use simt_core::LaneMask;
use simt_core::code::Pc;

/// The threads of a block that have run ahead, and those that may.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    /// By the number of the segment. Number 0 is of all those that do not run ahead, and means nothing.
    segments: Vec<Progress>,
    /// Those that run now, and those of them that take the branch.
    running: ThreadMask,
    taken: ThreadMask,
    /// Whether no thread runs ahead any more.
    is_held: bool,
}

#[derive(Clone, Debug)]
struct Progress {
    /// Threads that are to run it next. Those that were woken or have returned here may be missing: they run when they issue.
    waiting: ThreadMask,
    /// Threads that have run and not issued it.
    ran: ThreadMask,
    /// Of those, the ones that take the branch at its end.
    takes: ThreadMask,
}

impl PartialEq for Ahead {
    /// Which threads could run ahead does not change what will happen; those that have, have other registers.
    fn eq(&self, other: &Self) -> bool {
        let takes = |progress: &Progress| {
            let mut takes = progress.takes.clone();
            takes &= &progress.ran;
            takes
        };
        let is_as = |(one, other): (&Progress, &Progress)| one.ran == other.ran && takes(one) == takes(other);
        self.segments.iter().zip(&other.segments).skip(1).all(is_as)
    }
}

impl Ahead {
    /// For a block that begins; `none` is none of its threads.
    pub(crate) fn new(plan: &Plan, none: &ThreadMask) -> Self {
        let none = || none.clone();
        let progress = Progress { waiting: none(), ran: none(), takes: none() };
        let segments = vec![progress; plan.aheads.len() + 1];
        Self { segments, running: none(), taken: none(), is_held: false }
    }

    /// From now on threads run when they issue. A thread that issues all that it has run is not ahead then.
    pub(crate) fn hold(&mut self) {
        self.is_held = true;
    }

    /// None of the block's threads.
    pub(super) fn without_threads(&self) -> ThreadMask {
        self.running.without_threads()
    }

    /// Threads issue a segment that may run ahead. Those that are to run it now, none if all have, do so by warps: `run` returns for
    /// which of a warp's lanes the predicate of the branch at the end, if there is one, has its value.
    #[inline(always)]
    pub(super) fn run(
        &mut self,
        plan: &Plan,
        segment: &Segment,
        issuing: &ThreadMask,
        mut run: impl FnMut(WarpPart, Option<(u16, bool)>) -> LaneMask,
    ) {
        let Self { segments, running, taken, is_held } = self;
        let Progress { waiting, ran, takes } = &mut segments[segment.ahead as usize];
        running.set_to_difference(issuing, ran);
        if running.is_empty() {
            return;
        }
        if !*is_held {
            *running |= waiting;
            *running -= ran;
        }
        *waiting -= running;
        *ran |= running;
        let branch = match segment.control {
            Control::Branch { predicate, when, .. } => Some((predicate, when)),
            _ => None,
        };
        taken.clear();
        for part in running.parts() {
            taken.insert(WarpPart { lanes: part.lanes & run(part, branch), ..part });
        }
        match segment.control {
            Control::Next(next) | Control::Jump { target: next, .. } => come(segments, plan, next, running),
            Control::Branch { target, next, .. } => {
                *takes -= running;
                *takes |= taken;
                *running -= taken;
                come(segments, plan, target, taken);
                come(segments, plan, next, running);
            }
            _ => {}
        }
    }

    /// Threads that have run a segment issue it: `taken` are then those that take the branch at its end.
    #[inline(always)]
    pub(super) fn issue(&mut self, number: u32, threads: &ThreadMask, taken: &mut ThreadMask) {
        let Progress { ran, takes, .. } = &mut self.segments[number as usize];
        taken.set_to_both(threads, takes);
        *ran -= threads;
    }

    /// Threads have issued a segment that does not run ahead, and come to an address.
    #[inline(always)]
    pub(super) fn come(&mut self, plan: &Plan, next: Pc, threads: &ThreadMask) {
        come(&mut self.segments, plan, next, threads);
    }
}

#[inline(always)]
fn come(segments: &mut [Progress], plan: &Plan, next: Pc, threads: &ThreadMask) {
    segments[plan.segments[next.index()].ahead as usize].waiting |= threads;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Runs;
    use simt_core::code::Code;

    /// A loop of two segments, at 1 with a branch that leaves it, and at 3.
    fn plan() -> Plan {
        let text = "kernel twice()
            .reg u32 %n, bool %p
            mov.u32 %n, 0
            LOOP: eq.u32 %p, %n, 9
            @%p bra OUT
            add.u32 %n, %n, 1
            bra LOOP
            OUT: exit";
        let plan =
            Plan::new(Code::parse(text).expect("valid").into_inner(), Runs::ToTargets, false).expect("few registers");
        assert_eq!(plan.aheads, [Pc(0), Pc(1), Pc(3)]);
        plan
    }

    fn threads(parts: &[(usize, u64)]) -> ThreadMask {
        let mut threads = ThreadMask::empty(3, 4);
        parts.iter().for_each(|&(warp, lanes)| threads.insert(WarpPart { warp, lanes: LaneMask(lanes) }));
        threads
    }

    /// Threads issue the segment at an address. Returns the threads that run it now, of which `take` take the branch, and
    /// those that take it of those that issue.
    fn issue(ahead: &mut Ahead, plan: &Plan, pc: u32, issuing: &ThreadMask, take: u64) -> (ThreadMask, ThreadMask) {
        let segment = &plan.segments[pc as usize];
        let mut running = ahead.without_threads();
        ahead.run(plan, segment, issuing, |part, branch| {
            running.insert(part);
            branch.map_or(LaneMask::EMPTY, |(_, when)| LaneMask(if when { take } else { !take }))
        });
        let mut taken = ahead.without_threads();
        ahead.issue(segment.ahead, issuing, &mut taken);
        (running, taken)
    }

    #[test]
    fn all_that_stand_at_a_segment_run_it_when_the_first_issue() {
        let plan = plan();
        let mut ahead = Ahead::new(&plan, &threads(&[]));
        let all = threads(&[(0, 0b1111), (2, 0b0110)]);
        ahead.come(&plan, Pc(1), &all);
        let none = threads(&[]);
        // Lane 1 leaves the loop.
        let some = threads(&[(0, 0b0011)]);
        assert_eq!(issue(&mut ahead, &plan, 1, &some, 0b0010), (all, threads(&[(0, 0b0010)])));
        let others = threads(&[(0, 0b1000), (2, 0b0010)]);
        assert_eq!(issue(&mut ahead, &plan, 1, &others, 0), (none.clone(), threads(&[(2, 0b0010)])));
        // Those that go on are at 3, whether they have issued what is before it or not.
        let behind = threads(&[(0, 0b1101), (2, 0b0100)]);
        assert_eq!(issue(&mut ahead, &plan, 3, &threads(&[(0, 0b0001)]), 0), (behind, none.clone()));
        // They have come round: those that have not issued what they have run do not run it again.
        let again = threads(&[(0, 0b1001)]);
        assert_eq!(issue(&mut ahead, &plan, 1, &threads(&[(0, 0b0001)]), 0), (again, none.clone()));
        let late = threads(&[(0, 0b0100), (2, 0b0100)]);
        assert_eq!(issue(&mut ahead, &plan, 1, &late, 0b1111), (none.clone(), none.clone()));
        assert_eq!(issue(&mut ahead, &plan, 3, &late, 0), (none.clone(), none));
        assert_eq!(issue(&mut ahead, &plan, 1, &late, 0b1111), (late.clone(), late));
    }

    #[test]
    fn those_which_are_held_run_when_they_issue() {
        let plan = plan();
        let mut ahead = Ahead::new(&plan, &threads(&[]));
        let (first, second) = (threads(&[(0, 0b0001)]), threads(&[(0, 0b0010)]));
        ahead.come(&plan, Pc(1), &threads(&[(0, 0b0011)]));
        ahead.hold();
        assert_eq!(issue(&mut ahead, &plan, 1, &first, 0).0, first);
        assert_eq!(issue(&mut ahead, &plan, 1, &second, 0).0, second);
    }

    #[test]
    fn what_was_woken_runs_when_it_issues() {
        let plan = plan();
        let mut ahead = Ahead::new(&plan, &threads(&[]));
        let woken = threads(&[(1, 0b0100)]);
        assert_eq!(issue(&mut ahead, &plan, 1, &woken, 0b0100), (woken.clone(), woken));
    }

    #[test]
    fn what_has_run_ahead_is_not_as_what_has_not() {
        let plan = plan();
        let mut ahead = Ahead::new(&plan, &threads(&[]));
        let (first, second) = (threads(&[(0, 0b0001)]), threads(&[(0, 0b0010)]));
        let begin = ahead.clone();
        ahead.come(&plan, Pc(1), &first);
        ahead.come(&plan, Pc(1), &second);
        assert_eq!(ahead, begin, "which may run ahead is in the policy");
        issue(&mut ahead, &plan, 1, &first, 0b0010);
        assert_ne!(ahead, begin);
        let mut other = begin.clone();
        other.come(&plan, Pc(1), &first);
        other.come(&plan, Pc(1), &second);
        issue(&mut other, &plan, 1, &first, 0b0001);
        assert_ne!(ahead, other, "they take different branches");
        issue(&mut ahead, &plan, 1, &second, 0);
        issue(&mut other, &plan, 1, &second, 0);
        assert_eq!(ahead, other);
    }
}
