//! The order of events of the threads of a block: a vector clock for each thread.
//!
//! A thread counts its releases: how often it has made its accesses known to others. Of each other thread it knows the last
//! release that it has heard of. Threads that have met know the same, and share one vector. Where all threads of the block
//! meet, all that was is before all that comes: clocks start anew.

mod far;
#[cfg(test)]
mod tests;

use super::known::{Knowledge, join_to};
use far::Far;
pub(super) use far::{Accesses, Handed};
use foldhash::fast::FixedState;
use simt_core::LaneMask;
use simt_core::program::{AtomicOrder, FenceScope};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Barriers of a block, and that of the grid, at which its threads meet, too.
const BARRIERS: usize = 17;

/// That of the grid.
pub(super) const GRID: u32 = BARRIERS as u32 - 1;

/// The knowledge that threads bring to a barrier, and that the threads waiting there get.
type Meeting = Rc<RefCell<Knowledge>>;

/// Threads of a warp.
#[derive(Clone, Copy, Debug)]
pub(super) struct WarpThreads {
    /// The thread of lane 0.
    pub(super) first: usize,
    pub(super) lanes: LaneMask,
}

impl WarpThreads {
    pub(super) fn iter(self) -> impl Iterator<Item = usize> {
        self.lanes.lanes().map(move |lane| self.first + lane)
    }
}

/// A warp that waits at a barrier to which its knowledge has not been brought.
#[derive(Clone, Copy, Debug)]
struct Postponed {
    warp: usize,
    threads: WarpThreads,
    /// Whether no warp was there.
    first: bool,
}

/// An element of memory: slot and index.
pub(super) type Element = (u16, u64);

#[derive(Debug)]
struct Thread {
    known: Knowledge,
    /// The thread's knowledge at its last fence: a store behind that, of whatever order, makes it known.
    fenced: Option<Knowledge>,
    /// The knowledge that relaxed loads have found: the thread's own behind the next fence.
    found: Option<Knowledge>,
    /// The time, by its own clock, when it last came to a barrier at which it did not wait; 0 if it has not.
    arrived: u32,
}

/// How a warp waits.
#[derive(Clone, Debug)]
enum Wait {
    /// Not at all, as far as is known.
    No,
    /// At a barrier, among those that are postponed.
    Postponed,
    /// When it goes on it gets the knowledge collected there.
    At(Meeting),
}

/// The clocks of a block.
#[derive(Debug)]
pub(super) struct Clocks {
    threads: Vec<Thread>,
    /// The number of each thread's next release. PERF: apart from `threads`, so that those of a warp are copied at once.
    next: Vec<u32>,
    /// Whether a thread has made something known: if not, there is nothing to clear.
    started: bool,
    /// The warps that wait at `barrier`, by when they came. PERF: if all of the block come, none need bring anything.
    postponed: Vec<Postponed>,
    barrier: u32,
    /// How each warp waits.
    waits: Vec<Wait>,
    /// The knowledge collected at each barrier, by number.
    barriers: [Option<Meeting>; BARRIERS],
    /// The knowledge that atomics have released, by element.
    released: HashMap<Element, Knowledge, FixedState>,
    /// What threads hand on to other blocks, if such are compared.
    far: Option<Box<Far>>,
}

impl Clocks {
    /// Clocks for a block of so many threads in so many warps, none of which has done anything.
    pub(super) fn new(threads: usize, warps: usize) -> Self {
        Self::that_know(&Knowledge::nothing(threads), warps)
    }

    /// As [`new`](Self::new), for threads that know this.
    fn that_know(known: &Knowledge, warps: usize) -> Self {
        let threads = known.own.len();
        let thread = |_| Thread { known: known.clone(), fenced: None, found: None, arrived: 0 };
        Self {
            threads: (0..threads).map(thread).collect(),
            next: vec![1; threads],
            started: false,
            postponed: Vec::new(),
            barrier: 0,
            waits: vec![Wait::No; warps],
            barriers: [const { None }; BARRIERS],
            released: HashMap::default(),
            far: None,
        }
    }

    /// Another block of the same size begins, or all threads have met: what was until now is not compared with what comes.
    pub(super) fn restart(&mut self) {
        if self.started {
            let (threads, warps) = (self.threads.len(), self.waits.len());
            *self = match self.far.take() {
                None => Self::new(threads, warps),
                Some(far) => {
                    let known = Knowledge { heard: self.heard(), ..Knowledge::nothing(threads) };
                    let started = !known.heard.is_nothing();
                    Self { far: Some(far), started, ..Self::that_know(&known, warps) }
                }
            };
        }
        self.far.iter_mut().for_each(|far| far.all_met());
        self.postponed.drain(..).for_each(|waiting| self.waits[waiting.warp] = Wait::No);
    }

    /// The time of a thread's next access, by its own clock.
    pub(super) fn now(&self, thread: usize) -> u32 {
        self.next[thread]
    }

    /// As [`now`](Self::now), of all threads.
    pub(super) fn times(&self) -> &[u32] {
        &self.next
    }

    /// Whether an access of another thread, at a time of its own clock, happened before the thread's accesses now.
    pub(super) fn is_before(&self, other: u32, then: u32, thread: u32) -> bool {
        other == thread || self.threads[thread as usize].known.own[other as usize] >= then
    }

    /// A warp of these threads does something: if it waited at a barrier, that has opened.
    pub(super) fn wakes(&mut self, warp: usize, threads: WarpThreads) {
        if matches!(self.waits[warp], Wait::No) {
            if self.far.is_some() {
                self.wakes_far(warp, threads);
            }
            return;
        }
        self.settle();
        if let Wait::At(meeting) = std::mem::replace(&mut self.waits[warp], Wait::No) {
            threads.iter().for_each(|thread| self.threads[thread].known = meeting.borrow().clone());
        }
        self.wakes_far(warp, threads);
    }

    /// The joint knowledge of threads, themselves included. For each that is a release.
    fn bring(&mut self, threads: WarpThreads) -> Option<Knowledge> {
        let first = threads.iter().next()?;
        self.started = true;
        let mut last = self.threads[first].known.clone();
        let mut all = last.clone();
        for thread in threads.iter() {
            let known = &self.threads[thread].known;
            if !known.is(&last) {
                all.join(known);
                last = known.clone();
            }
        }
        let mine = Rc::make_mut(&mut all.own);
        for thread in threads.iter() {
            let next = &mut self.next[thread];
            mine[thread] = *next;
            *next += 1;
        }
        Some(all)
    }

    /// Threads wait for each other, and go on. Returns whether all of the block do.
    #[must_use]
    pub(super) fn meet(&mut self, threads: WarpThreads) -> bool {
        if threads.lanes.count() == self.threads.len() {
            self.restart();
            return true;
        }
        if let Some(all) = self.bring(threads) {
            threads.iter().for_each(|thread| self.threads[thread].known = all.clone());
        }
        false
    }

    /// The joint knowledge of threads, of themselves up to their last fences: they come to a barrier and go on.
    fn bring_fenced(&mut self, threads: WarpThreads) -> Option<Knowledge> {
        let mut all = None;
        self.started = true;
        for thread in threads.iter() {
            let Thread { known, fenced, arrived, .. } = &mut self.threads[thread];
            let next = &mut self.next[thread];
            join_to(&mut all, known.clone());
            fenced.iter().for_each(|fenced| join_to(&mut all, fenced.clone()));
            *arrived = *next;
            *next += 1;
        }
        all
    }

    /// Whether a thread has come to a barrier, and gone on, since an access at a time of its own clock.
    pub(super) fn has_arrived_since(&self, thread: u32, then: u32) -> bool {
        self.threads[thread as usize].arrived >= then
    }

    /// A warp comes to a barrier; `first` if no warp is there, `waits` unless it goes on at once. A warp that goes on brings
    /// the knowledge of its last fence: the CUDA report, section 5.3.2. Returns whether all threads of the block wait there.
    #[must_use]
    pub(super) fn arrive(&mut self, warp: usize, threads: WarpThreads, barrier: u32, first: bool, waits: bool) -> bool {
        if first || !waits || barrier != self.barrier {
            self.settle();
        }
        let coming = Postponed { warp, threads, first };
        if !waits {
            let brought = self.bring_fenced(threads);
            self.bring_to(barrier, coming, brought);
            return false;
        }
        self.barrier = barrier;
        self.postponed.push(coming);
        self.waits[warp] = Wait::Postponed;
        let waiting: usize = self.postponed.iter().map(|waiting| waiting.threads.lanes.count()).sum();
        let all = waiting == self.threads.len();
        if all {
            self.restart();
        }
        all
    }

    /// Warps that wait bring their knowledge.
    fn settle(&mut self) {
        let (mut postponed, barrier) = (std::mem::take(&mut self.postponed), self.barrier);
        for waiting in postponed.drain(..) {
            let brought = self.bring(waiting.threads);
            if let Some(meeting) = self.bring_to(barrier, waiting, brought) {
                self.waits[waiting.warp] = Wait::At(meeting);
            }
        }
        self.postponed = postponed;
    }

    /// A warp brings knowledge to a barrier. Returns the knowledge that is collected there.
    fn bring_to(&mut self, barrier: u32, warp: Postponed, brought: Option<Knowledge>) -> Option<Meeting> {
        let (brought, place) = (brought?, self.barriers.get_mut(barrier as usize)?);
        let meeting = match place {
            Some(meeting) if !warp.first => meeting,
            // Warps that waited at the one before keep it.
            _ => place.insert(Rc::new(RefCell::new(brought.clone()))),
        };
        meeting.borrow_mut().join(&brought);
        Some(Rc::clone(meeting))
    }

    /// The knowledge of a thread, itself included. That is a release.
    fn release(&mut self, thread: usize) -> Knowledge {
        self.bring(WarpThreads { first: thread, lanes: LaneMask(1) }).unwrap_or_default()
    }

    /// An atomic operation, before it is executed. A comparison that fails counts as one that succeeds. `handed` is what blocks hand
    /// on to each other, if they see the element.
    pub(super) fn atomic(
        &mut self,
        thread: usize,
        element: Element,
        order: AtomicOrder,
        (reads, writes): (bool, bool),
        mut handed: Option<&mut Handed>,
    ) {
        use AtomicOrder::{AcqRel, Acquire, Release, SeqCst};
        if let Some(handed) = handed.as_deref_mut()
            && self.is_overwritten(element, writes && !reads, handed)
        {
            self.released.remove(&element);
        }
        if reads && let Some(there) = self.released.get(&element) {
            let Thread { known, found, .. } = &mut self.threads[thread];
            match order {
                Acquire | AcqRel | SeqCst => known.join(there),
                _ => join_to(found, there.clone()),
            }
        }
        if let Some(handed) = handed.as_deref_mut().filter(|_| reads) {
            self.acquire_far(thread, element, order, handed);
        }
        if !writes {
            return;
        }
        let is_release = matches!(order, Release | AcqRel | SeqCst);
        let given = if is_release { Some(self.release(thread)) } else { self.threads[thread].fenced.clone() };
        if let Some(handed) = handed {
            self.release_far(thread, element, given.as_ref().filter(|_| is_release), reads, handed);
        }
        release_to(&mut self.released, element, given, reads, Knowledge::join);
    }

    /// A fence, of the block or of the device.
    pub(super) fn fence(&mut self, thread: usize, scope: FenceScope) {
        if let Some(found) = self.threads[thread].found.take() {
            self.threads[thread].known.join(&found);
        }
        if scope == FenceScope::Device {
            self.fence_far(thread);
        }
        self.threads[thread].fenced = Some(self.release(thread));
    }
}

/// Releases to an element what is given, if anything is, by an operation that writes it.
fn release_to<K>(
    released: &mut HashMap<Element, K, FixedState>,
    element: Element,
    given: Option<K>,
    reads: bool,
    join: impl Fn(&mut K, &K),
) {
    match (given, released.get_mut(&element)) {
        // A release lasts behind an operation that reads its element, whatever the order of that operation.
        (Some(given), Some(there)) if reads => join(there, &given),
        (None, Some(_)) if reads => {}
        (Some(given), _) => drop(released.insert(element, given)),
        (None, _) => drop(released.remove(&element)),
    }
}
