//! The order of events of the threads of a block: a vector clock for each thread.
//!
//! A thread counts its releases: how often it has made its accesses known to others. Of each other thread it knows the last
//! release that it has heard of. Threads that have met know the same, and share one vector.

use simt_core::program::AtomicOrder;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Barriers of a block, and that of the grid, at which its threads meet, too.
const BARRIERS: usize = 17;

/// The number of known releases of each thread of the block.
type Knowledge = Rc<Vec<u32>>;

/// The knowledge that threads bring to a barrier, and that the threads waiting there get.
type Meeting = Rc<RefCell<Knowledge>>;

/// An element of memory: slot and index.
pub(super) type Element = (u16, u64);

#[derive(Debug)]
struct Thread {
    /// The number of its next release.
    next: u32,
    known: Knowledge,
    /// The thread's knowledge at its last fence: a store behind that, of whatever order, makes it known.
    fenced: Option<Knowledge>,
    /// The knowledge that relaxed loads have found: the thread's own behind the next fence.
    found: Option<Knowledge>,
    /// The time, by its own clock, when it last came to a barrier at which it did not wait; 0 if it has not.
    arrived: u32,
}

/// The clocks of a block.
#[derive(Debug)]
pub(super) struct Clocks {
    threads: Vec<Thread>,
    /// The barrier that each warp waits at. When it goes on it gets the knowledge collected there.
    waits: Vec<Option<Meeting>>,
    /// The knowledge collected at each barrier, by number.
    barriers: [Option<Meeting>; BARRIERS],
    /// The knowledge that atomics have released, by element.
    released: HashMap<Element, Knowledge>,
}

/// Adds the knowledge of another.
fn join(known: &mut Knowledge, other: &Knowledge) {
    if !Rc::ptr_eq(known, other) {
        let known = Rc::make_mut(known);
        known.iter_mut().zip(other.iter()).for_each(|(known, &other)| *known = other.max(*known));
    }
}

/// As `join`, where there may be none yet.
fn join_to(known: &mut Option<Knowledge>, other: Knowledge) {
    match known {
        Some(known) => join(known, &other),
        None => *known = Some(other),
    }
}

impl Clocks {
    /// Clocks for a block of so many threads in so many warps, none of which has done anything.
    pub(super) fn new(threads: usize, warps: usize) -> Self {
        let nothing = Rc::new(vec![0; threads]);
        let thread = |_| Thread { next: 1, known: Rc::clone(&nothing), fenced: None, found: None, arrived: 0 };
        Self {
            threads: (0..threads).map(thread).collect(),
            waits: vec![None; warps],
            barriers: [const { None }; BARRIERS],
            released: HashMap::new(),
        }
    }

    /// Another block of the same size begins.
    pub(super) fn begin_block(&mut self) {
        *self = Self::new(self.threads.len(), self.waits.len());
    }

    /// The time of a thread's next access, by its own clock.
    pub(super) fn now(&self, thread: usize) -> u32 {
        self.threads[thread].next
    }

    /// Whether an access of another thread, at a time of its own clock, happened before the thread's accesses now.
    pub(super) fn is_before(&self, other: usize, then: u32, thread: usize) -> bool {
        other == thread || self.threads[thread].known[other] >= then
    }

    /// A warp of these threads does something: if it waited at a barrier, that has opened.
    pub(super) fn wakes(&mut self, warp: usize, threads: impl Iterator<Item = usize>) {
        if let Some(meeting) = self.waits.get_mut(warp).and_then(Option::take) {
            threads.for_each(|thread| self.threads[thread].known = Rc::clone(&meeting.borrow()));
        }
    }

    /// The joint knowledge of threads, themselves included. For each that is a release.
    fn bring(&mut self, threads: impl Iterator<Item = usize> + Clone) -> Option<Knowledge> {
        let first = threads.clone().next()?;
        let mut last = Rc::clone(&self.threads[first].known);
        let mut all = Rc::clone(&last);
        for thread in threads.clone() {
            let known = &self.threads[thread].known;
            if !Rc::ptr_eq(known, &last) {
                join(&mut all, known);
                last = Rc::clone(known);
            }
        }
        let mine = Rc::make_mut(&mut all);
        for thread in threads {
            let Thread { next, .. } = &mut self.threads[thread];
            mine[thread] = *next;
            *next += 1;
        }
        Some(all)
    }

    /// Threads wait for each other, and go on.
    pub(super) fn meet(&mut self, threads: impl Iterator<Item = usize> + Clone) {
        if let Some(all) = self.bring(threads.clone()) {
            threads.for_each(|thread| self.threads[thread].known = Rc::clone(&all));
        }
    }

    /// The joint knowledge of threads, of themselves up to their last fences: they come to a barrier and go on.
    fn bring_fenced(&mut self, threads: impl Iterator<Item = usize>) -> Option<Knowledge> {
        let mut all = None;
        for thread in threads {
            let Thread { next, known, fenced, arrived, .. } = &mut self.threads[thread];
            join_to(&mut all, Rc::clone(known));
            fenced.iter().for_each(|fenced| join_to(&mut all, Rc::clone(fenced)));
            *arrived = *next;
            *next += 1;
        }
        all
    }

    /// Whether a thread has come to a barrier, and gone on, since an access at a time of its own clock.
    pub(super) fn has_arrived_since(&self, thread: usize, then: u32) -> bool {
        self.threads[thread].arrived >= then
    }

    /// A warp comes to a barrier; `first` if no warp is there, `waits` unless it goes on at once. A warp that goes on brings
    /// the knowledge of its last fence: the CUDA report, section 5.3.2.
    pub(super) fn arrive(
        &mut self,
        warp: usize,
        threads: impl Iterator<Item = usize> + Clone,
        barrier: u32,
        first: bool,
        waits: bool,
    ) {
        let brought = if waits { self.bring(threads) } else { self.bring_fenced(threads) };
        let Some(brought) = brought else { return };
        let Some(place) = self.barriers.get_mut(barrier as usize) else { return };
        let meeting = match place {
            Some(meeting) if !first => meeting,
            // Warps that waited at the one before keep it.
            _ => place.insert(Rc::new(RefCell::new(Rc::clone(&brought)))),
        };
        join(&mut meeting.borrow_mut(), &brought);
        if waits && let Some(place) = self.waits.get_mut(warp) {
            *place = Some(Rc::clone(meeting));
        }
    }

    /// The knowledge of a thread, itself included. That is a release.
    fn release(&mut self, thread: usize) -> Knowledge {
        self.bring(std::iter::once(thread)).unwrap_or_default()
    }

    /// An atomic operation, before it is executed. A comparison that fails counts as one that succeeds.
    pub(super) fn atomic(&mut self, thread: usize, element: Element, order: AtomicOrder, reads: bool, writes: bool) {
        use AtomicOrder::{AcqRel, Acquire, Release, SeqCst};
        if reads && let Some(there) = self.released.get(&element) {
            let Thread { known, found, .. } = &mut self.threads[thread];
            match order {
                Acquire | AcqRel | SeqCst => join(known, there),
                _ => join_to(found, Rc::clone(there)),
            }
        }
        if !writes {
            return;
        }
        let given = match order {
            Release | AcqRel | SeqCst => Some(self.release(thread)),
            _ => self.threads[thread].fenced.clone(),
        };
        match (given, self.released.get_mut(&element)) {
            // A release lasts behind an operation that reads its element, whatever the order of that operation.
            (Some(given), Some(there)) if reads => join(there, &given),
            (None, Some(_)) if reads => {}
            (Some(given), _) => drop(self.released.insert(element, given)),
            (None, _) => drop(self.released.remove(&element)),
        }
    }

    /// A fence.
    pub(super) fn fence(&mut self, thread: usize) {
        if let Some(found) = self.threads[thread].found.take() {
            join(&mut self.threads[thread].known, &found);
        }
        self.threads[thread].fenced = Some(self.release(thread));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use AtomicOrder::{AcqRel, Acquire, Relaxed, Release};

    const X: Element = (0, 0);
    const Y: Element = (0, 1);

    /// Whether the second thread hears of the first one's accesses until now, once `then` has happened.
    fn hears(clocks: &mut Clocks, (from, to): (usize, usize), then: impl FnOnce(&mut Clocks)) -> bool {
        let now = clocks.now(from);
        assert!(!clocks.is_before(from, now, to));
        then(clocks);
        clocks.is_before(from, now, to)
    }

    #[test]
    fn those_which_meet_hear_of_each_other_and_none_else() {
        let mut clocks = Clocks::new(8, 2);
        assert!(hears(&mut clocks, (0, 1), |clocks| clocks.meet(0..4)));
        assert!(!hears(&mut clocks, (0, 4), |clocks| clocks.meet(0..4)));
        assert!(!hears(&mut clocks, (0, 1), |clocks| clocks.meet(1..4)));
        // Through a third: 0 and 1 meet, then 1 and 5.
        assert!(hears(&mut clocks, (0, 5), |clocks| {
            clocks.meet(0..2);
            clocks.meet([1, 5].into_iter());
        }));
        // The other way round it is too early.
        assert!(!hears(&mut clocks, (0, 5), |clocks| {
            clocks.meet([1, 5].into_iter());
            clocks.meet(0..2);
        }));
        clocks.begin_block();
        assert!(!hears(&mut clocks, (0, 1), |_| {}));
    }

    #[test]
    fn warps_that_wait_at_a_barrier_hear_of_those_that_come_later() {
        let mut clocks = Clocks::new(8, 2);
        let open = |clocks: &mut Clocks, waits: [bool; 2]| {
            clocks.arrive(0, 0..4, 3, true, waits[0]);
            clocks.arrive(1, 4..8, 3, false, waits[1]);
            clocks.wakes(0, 0..4);
            clocks.wakes(1, 4..8);
        };
        assert!(hears(&mut clocks, (4, 0), |clocks| open(clocks, [true; 2])));
        assert!(hears(&mut clocks, (0, 4), |clocks| open(clocks, [true; 2])));
        assert!(!hears(&mut clocks, (0, 4), |clocks| open(clocks, [true, false])));
        // A warp that goes on brings what it has fenced, or known to others otherwise.
        assert!(!hears(&mut clocks, (4, 0), |clocks| open(clocks, [true, false])));
        assert!(hears(&mut clocks, (4, 0), |clocks| {
            clocks.fence(4);
            open(clocks, [true, false]);
        }));
        assert!(hears(&mut clocks, (4, 0), |clocks| {
            clocks.meet(4..8);
            open(clocks, [true, false]);
        }));
        assert!(hears(&mut clocks, (4, 0), |clocks| {
            clocks.arrive(1, 4..8, 2, true, true);
            clocks.wakes(1, 4..8);
            open(clocks, [true, false]);
        }));
        // The next barrier of that number is another one.
        assert!(!hears(&mut clocks, (4, 0), |clocks| {
            clocks.fence(4);
            clocks.arrive(0, 0..4, 3, true, true);
            clocks.arrive(1, 4..8, 3, true, false);
            clocks.wakes(0, 0..4);
        }));
    }

    #[test]
    fn atomics_order_as_in_rust() {
        let mut clocks = Clocks::new(4, 1);
        let mut message = |store: AtomicOrder, load: AtomicOrder, fences: [bool; 2]| {
            clocks.begin_block();
            hears(&mut clocks, (0, 1), |clocks| {
                if fences[0] {
                    clocks.fence(0);
                }
                clocks.atomic(0, X, store, false, true);
                clocks.atomic(1, X, load, true, false);
                if fences[1] {
                    clocks.fence(1);
                }
            })
        };
        assert!(message(Release, Acquire, [false; 2]));
        assert!(!message(Relaxed, Acquire, [false; 2]) && !message(Release, Relaxed, [false; 2]));
        assert!(message(Relaxed, Acquire, [true, false]) && message(Release, Relaxed, [false, true]));
        assert!(message(Relaxed, Relaxed, [true; 2]) && !message(Relaxed, Relaxed, [true, false]));
    }

    #[test]
    fn operations_that_read_hand_on_what_was_released_and_stores_do_not() {
        for (reads, heard) in [(true, true), (false, false)] {
            let mut clocks = Clocks::new(4, 1);
            let then = |clocks: &mut Clocks| {
                clocks.atomic(0, X, Release, false, true);
                clocks.atomic(2, X, Relaxed, reads, true);
                clocks.atomic(1, X, Acquire, true, false);
            };
            assert_eq!(hears(&mut clocks, (0, 1), then), heard);
        }
        // A lock: a thread that takes it hears of all threads that had it, but not of those that had another lock.
        let mut clocks = Clocks::new(4, 1);
        assert!(hears(&mut clocks, (0, 2), |clocks| (0..3).for_each(|thread| {
            clocks.atomic(thread, X, AcqRel, true, true);
        })));
        assert!(!hears(&mut clocks, (0, 2), |clocks| {
            clocks.atomic(0, X, AcqRel, true, true);
            clocks.atomic(2, Y, AcqRel, true, true);
        }));
    }
}
