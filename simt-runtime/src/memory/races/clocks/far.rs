//! What threads hand on to other blocks: by atomics, with fences of the device, and at the barrier of the grid.

use super::{Clocks, Element, WarpThreads, release_to};
use crate::memory::races::known::{Heard, Knowledge};
use foldhash::fast::FixedState;
use simt_core::program::AtomicOrder;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// What is brought to the barrier of the grid; once that has opened, how many accesses there had been.
type Meeting = Rc<RefCell<(Heard, Option<u64>)>>;

/// How many accesses of blocks there have been.
pub(in super::super) type Accesses = Rc<Cell<u64>>;

/// What blocks have handed on to each other.
#[derive(Debug, Default)]
pub(in super::super) struct Handed {
    /// By element, by atomics.
    released: HashMap<Element, Heard, FixedState>,
    /// By element, the block that stored to it last, by an atomic that did not read it, and the number of that store.
    stores: HashMap<Element, (u32, usize), FixedState>,
    /// How often threads have come to the barrier of the grid until its last meeting, and that.
    meeting: (usize, Meeting),
}

/// Of a block, what its clocks do not say, which start anew whenever all of its threads meet.
#[derive(Debug)]
pub(super) struct Far {
    block: u32,
    /// How often all of its threads have met.
    era: u32,
    /// What each thread knew at its last fence of the device.
    fenced: Vec<Heard>,
    /// What relaxed loads of each thread have found: its own behind its next fence of the device.
    found: Vec<Heard>,
    /// By element, the number of the last store of another block that the block has come upon.
    overwritten: HashMap<Element, usize, FixedState>,
    /// How often each warp has come to the barrier of the grid.
    comings: Vec<usize>,
    /// Where each warp waits that waits there.
    waits: Vec<Option<Meeting>>,
    /// How many accesses there had been, for each warp, when it was last let go on from there.
    met: Vec<u64>,
    accesses: Accesses,
}

impl Handed {
    /// Whether an atomic holds the knowledge of what a thread of a block did at a time of its own clock.
    pub(in super::super) fn know(&self, block: u32, era: u32, when: (u32, u32)) -> bool {
        self.released.values().any(|heard| heard.knows(block, era, when))
    }
}

impl Far {
    fn new(block: u32, threads: usize, warps: usize, accesses: Accesses) -> Self {
        let [fenced, found] = [(); 2].map(|()| vec![Heard::default(); threads]);
        Self {
            block,
            overwritten: HashMap::default(),
            era: 0,
            fenced,
            found,
            comings: vec![0; warps],
            waits: vec![None; warps],
            met: vec![0; warps],
            accesses,
        }
    }

    pub(super) fn all_met(&mut self) {
        self.era += 1;
    }

    /// What one tells other blocks that knows this.
    fn tell(&self, known: &Knowledge) -> Heard {
        let mut told = known.heard.clone();
        told.add(self.block, self.era, &known.own);
        told
    }
}

impl Clocks {
    /// A block begins whose threads are compared with those of others, which have made so many accesses.
    pub(in super::super) fn begin_among_others(&mut self, block: u32, accesses: Accesses) {
        self.far = None;
        self.restart();
        self.far = Some(Box::new(Far::new(block, self.threads.len(), self.waits.len(), accesses)));
    }

    /// The block, if it is compared with others, and how often all of its threads have met.
    pub(in super::super) fn block(&self) -> (u32, u32) {
        self.far.as_ref().map_or((0, 0), |far| (far.block, far.era))
    }

    /// How many accesses of blocks there had been when the barrier of the grid last opened for a warp.
    pub(in super::super) fn met_far(&self, warp: usize) -> u64 {
        self.far.as_ref().map_or(0, |far| far.met[warp])
    }

    /// What a thread knows.
    pub(in super::super) fn known(&self, thread: u32) -> &Knowledge {
        &self.threads[thread as usize].known
    }

    /// Whether two threads know the same.
    pub(in super::super) fn know_the_same(&self, one: usize, other: usize) -> bool {
        self.threads[one].known.is(&self.threads[other].known)
    }

    /// What all threads together have heard of other blocks.
    pub(super) fn heard(&self) -> Heard {
        let mut all = Heard::default();
        self.threads.iter().for_each(|thread| all.join(&thread.known.heard));
        all
    }

    /// Whether another block has stored to an element, by an atomic that did not read it, since the block came to it: what threads of
    /// the block released before that is no longer there. A store of the block's own, of an atomic to come, is noted.
    pub(super) fn is_overwritten(&mut self, element: Element, stores: bool, handed: &mut Handed) -> bool {
        let Some(far) = &mut self.far else { return false };
        let last = handed.stores.get(&element).filter(|&&(block, _)| block != far.block);
        let is_new = last.is_some_and(|&(_, number)| far.overwritten.insert(element, number) != Some(number));
        if stores {
            let number = handed.stores.get(&element).map_or(0, |&(_, number)| number + 1);
            handed.stores.insert(element, (far.block, number));
        }
        is_new
    }

    /// A thread reads an element by an atomic: what other blocks have released to it.
    pub(super) fn acquire_far(&mut self, thread: usize, element: Element, order: AtomicOrder, handed: &Handed) {
        use AtomicOrder::{AcqRel, Acquire, SeqCst};
        if let (Some(far), Some(there)) = (&mut self.far, handed.released.get(&element)) {
            let heard = match order {
                Acquire | AcqRel | SeqCst => &mut self.threads[thread].known.heard,
                _ => &mut far.found[thread],
            };
            heard.join(there);
            self.started = true;
            self.hear_of_own(thread);
        }
    }

    /// What a thread has heard of its own block by way of another is known to it, too.
    fn hear_of_own(&mut self, thread: usize) {
        let (block, era) = self.block();
        let Knowledge { own, heard } = &mut self.threads[thread].known;
        heard.tell_own((block, era), own);
    }

    /// A thread writes an element by an atomic: `given` is what it so makes known, if not what it knew at its last fence.
    pub(super) fn release_far(
        &mut self,
        thread: usize,
        element: Element,
        given: Option<&Knowledge>,
        reads: bool,
        handed: &mut Handed,
    ) {
        let Some(far) = &self.far else { return };
        let fenced = || Some(&far.fenced[thread]).filter(|fenced| !fenced.is_nothing()).cloned();
        let told = given.map(|given| far.tell(given)).or_else(fenced);
        release_to(&mut handed.released, element, told, reads, Heard::join);
    }

    /// A thread's fence of the device, which knows this then.
    pub(super) fn fence_far(&mut self, thread: usize) {
        let Some(far) = &mut self.far else { return };
        let found = std::mem::take(&mut far.found[thread]);
        if !found.is_nothing() {
            self.started = true;
            self.threads[thread].known.heard.join(&found);
            self.hear_of_own(thread);
        }
        let known = self.release(thread);
        self.far.iter_mut().for_each(|far| far.fenced[thread] = far.tell(&known));
    }

    /// A warp of these threads comes to the barrier of the grid.
    pub(in super::super) fn arrive_far(&mut self, warp: usize, threads: WarpThreads, handed: &mut Handed) {
        let Some(brought) = self.bring(threads) else { return };
        let Some(far) = &mut self.far else { return };
        far.comings[warp] += 1;
        if handed.meeting.0 < far.comings[warp] {
            handed.meeting = (far.comings[warp], Meeting::default());
        }
        let meeting = Rc::clone(&handed.meeting.1);
        meeting.borrow_mut().0.join(&far.tell(&brought));
        far.waits[warp] = Some(meeting);
    }

    /// A warp does something: if it waited at the barrier of the grid, that has opened.
    pub(super) fn wakes_far(&mut self, warp: usize, threads: WarpThreads) {
        let Some(far) = &mut self.far else { return };
        let Some(meeting) = far.waits[warp].take() else { return };
        let (heard, opened) = &mut *meeting.borrow_mut();
        // Until one goes on, no thread of the grid accesses anything.
        far.met[warp] = *opened.get_or_insert_with(|| far.accesses.get());
        self.started = true;
        // It has brought what it knew.
        threads.iter().for_each(|thread| self.threads[thread].known.heard = heard.clone());
    }
}
