//! Launches that have atomics in common take turns.
//!
//! A launch works on a copy of the caller's atomics, so of two concurrent launches one would overwrite the writes of the
//! other, and no way to join both is right: a `compare_exchange` of the one has not seen the other's writes. So a launch
//! reserves the addresses of all its atomics, all at once, before it reads their values, until it has given them back. As it
//! waits for all or for none, launches of different threads do not block each other halfway. Only a thread that launches
//! while it is in a launch (an observer or a policy can) holds atomics that others wait for; it gets an error if they would
//! wait in a circle.

use super::{Argument, Problem, Refused};
use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

static CLAIMS: Mutex<Claims> = Mutex::new(Claims { list: Vec::new(), next: 0 });
static RELEASED: Condvar = Condvar::new();

thread_local! {
    /// The thread whose launch this one helps with: that waits for this one.
    static HELPED: Cell<Option<ThreadId>> = const { Cell::new(None) };
}

/// The thread that has launched what this one runs; this one if nothing runs.
pub(crate) fn launcher() -> ThreadId {
    HELPED.get().unwrap_or_else(|| thread::current().id())
}

/// A guard: until it is dropped, this thread helps with a launch of another one, for which it counts as that.
pub(crate) struct Helps(Option<ThreadId>);

impl Helps {
    pub(crate) fn with(launcher: ThreadId) -> Self {
        Self(HELPED.replace(Some(launcher)))
    }
}

impl Drop for Helps {
    fn drop(&mut self) {
        HELPED.set(self.0);
    }
}

/// A guard: the addresses of a launch's atomics are its own until this is dropped.
#[derive(Debug)]
pub(crate) struct Reserved {
    claim: Option<u64>,
}

#[derive(Debug)]
struct Claims {
    list: Vec<Claim>,
    next: u64,
}

/// The addresses that a launch has reserved, or waits to reserve.
#[derive(Debug)]
struct Claim {
    number: u64,
    kernel: Cow<'static, str>,
    thread: ThreadId,
    /// The addresses of each parameter's atomics.
    addresses: Vec<(usize, Range<usize>)>,
    reserved: bool,
}

impl Claim {
    /// The parameter whose atomics another claim has reserved, if there is one.
    fn waits_for(&self, other: &Self) -> Option<usize> {
        let overlaps = |mine: &Range<usize>| {
            other.addresses.iter().any(|(_, theirs)| mine.start < theirs.end && theirs.start < mine.end)
        };
        let mut addresses = self.addresses.iter();
        addresses.find(|(_, mine)| other.reserved && overlaps(mine)).map(|&(slot, _)| slot)
    }
}

impl Claims {
    /// A claim by its number.
    fn find(&self, number: u64) -> Option<&Claim> {
        self.list.iter().find(|claim| claim.number == number)
    }

    fn remove(&mut self, number: u64) {
        self.list.retain(|claim| claim.number != number);
    }

    /// The cause of a claim's wait: the parameter, and the other claim.
    fn before<'c>(&'c self, claim: &'c Claim) -> impl Iterator<Item = (usize, &'c Claim)> {
        let others = self.list.iter().filter(|other| other.number != claim.number);
        others.filter_map(|other| Some((claim.waits_for(other)?, other)))
    }

    /// Why waiting would never end: a claim that it waits for is of its own thread, or of one that waits, over any number of
    /// others, for its thread.
    fn circle(&self, claim: &Claim) -> Option<Refused> {
        self.before(claim).find_map(|(slot, first)| {
            let (mut threads, mut next) = (vec![first.thread], 0);
            while let Some(&thread) = threads.get(next) {
                if thread == claim.thread {
                    let elsewhere = first.thread != claim.thread;
                    return Some(Refused { slot, problem: Problem::InUse { by: first.kernel.clone(), elsewhere } });
                }
                let waiting = self.list.iter().filter(|other| other.thread == thread && !other.reserved);
                for (_, other) in waiting.flat_map(|waiting| self.before(waiting)) {
                    if !threads.contains(&other.thread) {
                        threads.push(other.thread);
                    }
                }
                next += 1;
            }
            None
        })
    }
}

fn claims() -> MutexGuard<'static, Claims> {
    // No panic can leave the list in an intermediate state.
    CLAIMS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Reserved {
    /// Waits until no other launch has atomics of these arguments.
    pub(crate) fn wait(kernel: Cow<'static, str>, arguments: &[Argument<'_>]) -> Result<Self, Refused> {
        let addresses = arguments.iter().enumerate();
        let addresses = addresses.filter_map(|(number, argument)| Some((number, argument.slot.addresses()?)));
        Self::of(kernel, addresses.filter(|(_, addresses)| !addresses.is_empty()).collect())
    }

    fn of(kernel: Cow<'static, str>, addresses: Vec<(usize, Range<usize>)>) -> Result<Self, Refused> {
        if addresses.is_empty() {
            return Ok(Self { claim: None });
        }
        let mut claims = claims();
        let number = claims.next;
        claims.next += 1;
        let thread = launcher();
        claims.list.push(Claim { number, kernel, thread, addresses, reserved: false });
        loop {
            let Some(claim) = claims.find(number) else { return Ok(Self { claim: None }) };
            if claims.before(claim).next().is_none() {
                break;
            }
            if let Some(refused) = claims.circle(claim) {
                claims.remove(number);
                return Err(refused);
            }
            claims = RELEASED.wait(claims).unwrap_or_else(PoisonError::into_inner);
        }
        claims.list.iter_mut().filter(|claim| claim.number == number).for_each(|claim| claim.reserved = true);
        Ok(Self { claim: Some(number) })
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        if let Some(number) = self.claim {
            claims().remove(number);
            RELEASED.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_helps_with_a_launch_does_not_wait_for_it() {
        // No atomics of other tests lie there.
        let atomics = |first: usize| Reserved::of("k".into(), vec![(0, first..first + 8)]);
        let first = atomics(0x100).expect("no launch has them");
        let owner = launcher();
        thread::scope(|scope| {
            scope.spawn(|| {
                let _helps = Helps::with(owner);
                let refused = atomics(0x104).expect_err("it would wait for itself");
                assert!(matches!(refused.problem, Problem::InUse { elsewhere: false, .. }), "{refused:?}");
                atomics(0x200).expect("others");
            });
        });
        drop(first);
        assert_eq!(launcher(), thread::current().id());
    }
}
