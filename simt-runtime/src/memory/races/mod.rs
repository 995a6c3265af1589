//! Races: accesses of threads of one block, or of several, that nothing orders, found while the launch runs.
//!
//! * `clocks`: what happens before what;
//! * `groups`: accesses of an element by several threads;
//! * `accesses`: those of a page's elements;
//! * `pages`: memory in pages;
//! * `cells`: all pages, and whether an access races with those before it;
//! * `by_address`: the same of memory by address;
//! * `known`: what a thread knows of others;
//! * `grid`: accesses of threads of several blocks;
//! * `among_blocks`: which are compared with those, and how a race is noted.
//!
//! The plan of a launch that looks for races has an operation before each access of memory that other threads see, which
//! reports it. Other launches have other plans, without such operations.

mod accesses;
mod among_blocks;
mod by_address;
mod cells;
mod clocks;
mod grid;
mod groups;
mod known;
mod pages;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use by_address::{SLOTS, Strength};
pub(crate) use cells::Event;

use crate::config::RaceCheck;
use accesses::Joint;
use by_address::Unit;
use cells::Cells;
use clocks::{Clocks, WarpThreads};
use grid::Grid;
use groups::Group;
use pages::pages;
use simt_core::LaneMask;
use simt_core::code::Pc;
use simt_core::program::{AtomicOrder, FenceScope};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// The slot that stands for atomics of memory by address: of a code's own there are fewer.
const BY_ADDRESS: u16 = u16::MAX;

/// A race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) index: usize,
    pub(crate) now: Event,
    pub(crate) earlier: Event,
    /// The block of the earlier one, if that is another.
    pub(crate) other_block: Option<usize>,
    /// Whether the thread of the earlier access has since come to a barrier at which it did not wait.
    pub(crate) arrived: bool,
    /// Whether the thread of the access now was at a barrier of all threads, last, at which the other was not: that had ended.
    pub(crate) unawaited: bool,
    /// Whether the other thread, of another block, has handed on what it did.
    pub(crate) released: bool,
}

/// The state of the block that runs.
#[derive(Debug)]
pub(crate) struct Races {
    everywhere: bool,
    /// Lanes of a warp, and threads of a block.
    width: usize,
    threads: usize,
    /// The warp that runs.
    warp: usize,
    clocks: Clocks,
    cells: Cells,
    issues: u64,
    /// How many barriers of all threads the block has come to, and which was each thread's last.
    barriers: u64,
    last_barrier: Vec<u64>,
    found: Option<Found>,
    /// What all blocks have done, if their threads are compared.
    grid: Option<Rc<RefCell<Grid>>>,
    /// Whether what the issue accesses is compared with what other blocks access. PERF: looked at for each lane.
    compared: bool,
}

impl Races {
    /// The state for blocks of so many threads, in warps of so many lanes; `None` if no races are looked for.
    pub(crate) fn new(check: RaceCheck, width: usize, threads: usize) -> Option<Box<Self>> {
        let (everywhere, grid) = match check {
            RaceCheck::Off => return None,
            RaceCheck::Shared => (false, None),
            RaceCheck::Everywhere => (true, None),
            RaceCheck::Grid => (true, Some(Rc::default())),
        };
        Some(Self::of_block(everywhere, width, threads, grid))
    }

    /// A fresh state for a block that begins, while others run.
    pub(crate) fn of_another_block(&self) -> Box<Self> {
        Self::of_block(self.everywhere, self.width, self.threads, self.grid.clone())
    }

    fn of_block(everywhere: bool, width: usize, threads: usize, grid: Option<Rc<RefCell<Grid>>>) -> Box<Self> {
        let (clocks, cells) = (Clocks::new(threads, threads.div_ceil(width)), Cells::default());
        let last_barrier = vec![0; threads];
        Box::new(Self {
            everywhere,
            width,
            threads,
            warp: 0,
            clocks,
            cells,
            issues: 0,
            barriers: 0,
            last_barrier,
            found: None,
            grid,
            compared: false,
        })
    }

    pub(crate) fn begin_block(&mut self, block: usize) {
        match &self.grid {
            Some(grid) => self.clocks.begin_among_others(block as u32, Rc::clone(&grid.borrow().accesses)),
            None => self.clocks.restart(),
        }
        self.cells.clear();
        self.last_barrier.fill(0);
    }

    pub(crate) fn select_warp(&mut self, warp: usize) {
        self.warp = warp;
    }

    /// The race that ended the launch.
    pub(crate) fn found(&mut self) -> Option<Found> {
        self.found.take()
    }

    /// Threads of the block by lanes of a warp.
    fn threads(&self, warp: usize, lanes: LaneMask) -> WarpThreads {
        let first = warp * self.width;
        let there = LaneMask::first(self.width.min(self.threads.saturating_sub(first)));
        WarpThreads { first, lanes: lanes & there }
    }

    /// The warp does something.
    fn runs(&mut self, warp: usize) {
        let threads = self.threads(warp, LaneMask(!0));
        self.clocks.wakes(warp, threads);
    }

    /// The warp that runs issues an instruction that accesses memory, by its index the block's `own`.
    pub(crate) fn issue(&mut self, own: bool) {
        self.issues += 1;
        self.compared = self.grid.is_some() && !own;
        self.runs(self.warp);
    }

    /// Whether accesses of a slot count.
    pub(crate) fn looks_at(&self, shared: bool) -> bool {
        shared || self.everywhere
    }

    /// A lane is about to access an element: what it writes, or finds there. Returns whether it may.
    pub(crate) fn access(
        &mut self,
        (slot, index): (u16, usize),
        lane: usize,
        pc: Pc,
        write: bool,
        value: Option<u64>,
    ) -> bool {
        if self.compared {
            return self.access_among_blocks((slot, index), lane, pc, write, value);
        }
        let now = self.event(lane, pc, write, value);
        let earlier = self.cells.access(&self.clocks, (slot, index as u64), now);
        earlier.is_none_or(|earlier| self.report(by_address::index_of((slot, index), &now, &earlier), now, earlier))
    }

    /// An access by a lane now.
    #[inline(always)]
    fn event(&self, lane: usize, pc: Pc, write: bool, value: Option<u64>) -> Event {
        let thread = self.warp * self.width + lane;
        Event { thread: thread as u32, then: self.clocks.now(thread), issue: self.issues, pc, write, value }
    }

    /// Notes a race. Returns that the access may not be.
    #[cold]
    fn report(&mut self, index: usize, now: Event, earlier: Event) -> bool {
        let arrived = self.clocks.has_arrived_since(earlier.thread, earlier.then);
        let [last, of_earlier] = [now, earlier].map(|event| self.last_barrier[event.thread as usize]);
        let unawaited = of_earlier < last;
        self.found = Some(Found { index, now, earlier, other_block: None, arrived, unawaited, released: false });
        false
    }

    /// As [`access`](Self::access), of one element that consecutive lanes read. Returns the first lane that may not.
    pub(crate) fn read(
        &mut self,
        (slot, index): (u16, usize),
        mut lanes: Range<usize>,
        pc: Pc,
        value: Option<u64>,
    ) -> Option<usize> {
        let thread = self.warp * self.width + lanes.start;
        let times = &self.clocks.times()[thread..][..lanes.len()];
        let (then, issue) = (times[0], self.issues);
        if times.iter().any(|&time| time != then) {
            return lanes.find(|&lane| !self.access((slot, index), lane, pc, false, value));
        }
        let event = Event { thread: thread as u32, then, issue, pc, write: false, value };
        let group = Group::new(event, lanes.len());
        let Some((thread, earlier)) = self.cells.read(&self.clocks, (slot, index as u64), group) else {
            return if self.compared { self.read_among_blocks((slot, index), lanes, event) } else { None };
        };
        let now = Event { thread, ..event };
        self.report(by_address::index_of((slot, index), &now, &earlier), now, earlier);
        Some(thread as usize - self.warp * self.width)
    }

    /// As [`access`](Self::access), of consecutive elements by as many lanes, from the first one on. Returns the first lane that
    /// may not.
    pub(crate) fn access_all(
        &mut self,
        (slot, first): (u16, usize),
        lanes: Range<usize>,
        pc: Pc,
        write: bool,
        values: Option<&[u64]>,
    ) -> Option<usize> {
        let (first, thread) = (first as u64, self.warp * self.width + lanes.start);
        for part in pages(first..first + lanes.len() as u64) {
            let range = (part.start - first) as usize..(part.end - first) as usize;
            let values = values.map(|values| &values[range.clone()]);
            let own = thread + range.start;
            let then = &self.clocks.times()[own..][..range.len()];
            let joint = Joint { then, issue: self.issues, pc, write, values };
            if self.cells.access_own((slot, part.start), own as u32, &joint) {
                let own = lanes.start + range.start..lanes.start + range.end;
                if self.compared
                    && let Some(lane) = self.own_among_blocks((slot, part.start as usize), own, (pc, write), values)
                {
                    return Some(lane);
                }
                continue;
            }
            for (at, index) in part.enumerate() {
                let lane = lanes.start + range.start + at;
                if !self.access((slot, index as usize), lane, pc, write, values.map(|values| values[at])) {
                    return Some(lane);
                }
            }
        }
        None
    }

    /// A lane is about to execute an atomic operation.
    pub(crate) fn atomic(
        &mut self,
        (slot, index): (u16, usize),
        lane: usize,
        order: AtomicOrder,
        reads: bool,
        writes: bool,
    ) {
        self.hand_on((slot, index), lane, order, (reads, writes), self.compared);
    }

    /// As [`atomic`](Self::atomic), to and from other blocks, too, if it is `far`.
    fn hand_on(
        &mut self,
        (slot, index): (u16, usize),
        lane: usize,
        order: AtomicOrder,
        (reads, writes): (bool, bool),
        far: bool,
    ) {
        let (thread, element) = (self.warp * self.width + lane, (slot, index as u64));
        let is_own = || slot == BY_ADDRESS && by_address::is_of_block(index as u64 * Unit::Word.bytes() as u64);
        let mut grid = self.grid.as_ref().filter(|_| far && !is_own()).map(|grid| grid.borrow_mut());
        self.clocks.atomic(thread, element, order, (reads, writes), grid.as_deref_mut().map(|grid| &mut grid.handed));
    }

    /// The time of a lane's next access.
    pub(crate) fn now(&self, lane: usize) -> u32 {
        self.clocks.now(self.warp * self.width + lane)
    }

    /// The slot whose elements are the words of memory by address, if the block accesses that in no other way than by plain
    /// accesses of words, as it does now.
    pub(crate) fn plain_words(&mut self) -> Option<u16> {
        self.cells.by_address.plain_words()
    }

    /// As [`access`](Self::access), of so many bytes from a generic address on, at a time. That of an atomic is the one before it was
    /// told: what it acquires is before it, and it is before what it releases.
    pub(crate) fn access_at(
        &mut self,
        (address, count): (u64, usize),
        (lane, then): (usize, u32),
        pc: Pc,
        write: bool,
        value: Option<u64>,
        strength: Strength,
    ) -> bool {
        let thread = (self.warp * self.width + lane) as u32;
        let unit = Unit::of(count);
        (0..count as u64).step_by(unit.bytes()).all(|at| {
            // That of an atomic is its issue, so that reads of several issues are no group.
            let of_unit = || value.map(|value| unit.part(value, at));
            let value = if strength.is_atomic() { Some(self.issues) } else { of_unit() };
            let now = Event { thread, then, issue: self.issues, pc, write, value };
            if let Some((earlier, byte)) =
                self.cells.access_at(&self.clocks, (address + at, unit), now, strength, self.width)
            {
                return self.report(byte as usize, now, earlier);
            }
            let Some(grid) = &self.grid else { return true };
            let found = grid.borrow_mut().access_at(&self.clocks, (address + at, unit), now, strength);
            self.report_among_blocks(now, found)
        })
    }

    /// As [`atomic`](Self::atomic), of so many bytes from a generic address on: of each word that has some of them.
    pub(crate) fn atomic_at(
        &mut self,
        (address, count): (u64, usize),
        lane: usize,
        (order, scope): (AtomicOrder, FenceScope),
        reads: bool,
        writes: bool,
    ) {
        let word = Unit::Word.bytes();
        let first = address as usize / word;
        let far = self.compared && scope == FenceScope::Device;
        for place in first..first + count.div_ceil(word) {
            self.hand_on((BY_ADDRESS, place), lane, order, (reads, writes), far);
        }
    }

    /// A lane executes a fence.
    pub(crate) fn fence(&mut self, lane: usize, scope: FenceScope) {
        self.clocks.fence(self.warp * self.width + lane, scope);
    }

    /// Lanes of the warp that runs have met.
    pub(crate) fn meet(&mut self, lanes: LaneMask) {
        self.runs(self.warp);
        if self.clocks.meet(self.threads(self.warp, lanes)) {
            self.cells.forget();
        }
    }

    /// A warp comes to a barrier, or to one of `all` threads that have not ended; `first` if no warp is there, `waits` unless it goes
    /// on at once.
    pub(crate) fn arrive(
        &mut self,
        warp: usize,
        lanes: LaneMask,
        (barrier, all): (u32, bool),
        first: bool,
        waits: bool,
    ) {
        self.runs(warp);
        if all && waits {
            self.barriers += u64::from(first);
            self.threads(warp, lanes).iter().for_each(|thread| self.last_barrier[thread] = self.barriers);
        }
        let threads = self.threads(warp, lanes);
        if self.clocks.arrive(warp, threads, barrier, first, waits) {
            self.cells.forget();
        }
        if let Some(grid) = self.grid.as_ref().filter(|_| barrier == clocks::GRID) {
            self.clocks.arrive_far(warp, threads, &mut grid.borrow_mut().handed);
        }
    }
}
