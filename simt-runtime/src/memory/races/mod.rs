//! Races: accesses of threads of one block that nothing orders, found while the launch runs.
//!
//! * `clocks`: what happens before what;
//! * `cells`: which threads have accessed each element.
//!
//! The plan of a launch that looks for races has an operation before each access of memory that other threads see, which
//! reports it. Other launches have other plans, without such operations.

mod cells;
mod clocks;

pub(crate) use cells::Event;

use crate::config::RaceCheck;
use cells::Cells;
use clocks::Clocks;
use simt_core::LaneMask;
use simt_core::code::Pc;
use simt_core::program::AtomicOrder;

/// The slot that stands for memory by address: of a code's own there are fewer.
const BY_ADDRESS: u16 = u16::MAX;

/// A race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) index: usize,
    pub(crate) now: Event,
    pub(crate) earlier: Event,
    /// Whether the thread of the earlier access has since come to a barrier at which it did not wait.
    pub(crate) arrived: bool,
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
    found: Option<Found>,
}

impl Races {
    /// The state for blocks of so many threads, in warps of so many lanes; `None` if no races are looked for.
    pub(crate) fn new(check: RaceCheck, width: usize, threads: usize) -> Option<Box<Self>> {
        let everywhere = match check {
            RaceCheck::Off => return None,
            RaceCheck::Shared => false,
            RaceCheck::Everywhere => true,
        };
        Some(Self::of_block(everywhere, width, threads))
    }

    /// A fresh state for a block that begins, while others run.
    pub(crate) fn of_another_block(&self) -> Box<Self> {
        Self::of_block(self.everywhere, self.width, self.threads)
    }

    fn of_block(everywhere: bool, width: usize, threads: usize) -> Box<Self> {
        let (clocks, cells) = (Clocks::new(threads, threads.div_ceil(width)), Cells::default());
        Box::new(Self { everywhere, width, threads, warp: 0, clocks, cells, issues: 0, found: None })
    }

    pub(crate) fn begin_block(&mut self) {
        self.clocks.begin_block();
        self.cells.clear();
    }

    pub(crate) fn select_warp(&mut self, warp: usize) {
        self.warp = warp;
    }

    /// The race that ended the launch.
    pub(crate) fn found(&mut self) -> Option<Found> {
        self.found.take()
    }

    /// Threads of the block by lanes of a warp.
    fn threads(&self, warp: usize, lanes: LaneMask) -> impl Iterator<Item = usize> + Clone + use<> {
        let (first, threads) = (warp * self.width, self.threads);
        (0..64).filter(move |&lane| lanes.contains(lane)).map(move |lane| first + lane).filter(move |&at| at < threads)
    }

    /// The warp does something.
    fn runs(&mut self, warp: usize) {
        let threads = self.threads(warp, LaneMask::first(self.width));
        self.clocks.wakes(warp, threads);
    }

    /// The warp that runs issues an instruction that accesses memory.
    pub(crate) fn issue(&mut self) {
        self.issues += 1;
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
        let thread = self.warp * self.width + lane;
        let then = self.clocks.now(thread);
        let now = Event { thread, then, issue: self.issues, pc, write, value };
        let earlier = self.cells.access(&self.clocks, (slot, index as u64), now);
        let arrived = |earlier: &Event| self.clocks.has_arrived_since(earlier.thread, earlier.then);
        self.found = earlier.map(|earlier| Found { index, now, earlier, arrived: arrived(&earlier) });
        earlier.is_none()
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
        self.clocks.atomic(self.warp * self.width + lane, (slot, index as u64), order, reads, writes);
    }

    /// As [`access`](Self::access), of one byte by its generic address.
    pub(crate) fn access_at(&mut self, address: u64, lane: usize, pc: Pc, write: bool, value: Option<u64>) -> bool {
        self.access((BY_ADDRESS, address as usize), lane, pc, write, value)
    }

    /// As [`atomic`](Self::atomic), by the generic address.
    pub(crate) fn atomic_at(&mut self, address: u64, lane: usize, order: AtomicOrder, reads: bool, writes: bool) {
        self.atomic((BY_ADDRESS, address as usize), lane, order, reads, writes);
    }

    /// A lane executes a fence.
    pub(crate) fn fence(&mut self, lane: usize) {
        self.clocks.fence(self.warp * self.width + lane);
    }

    /// Lanes of the warp that runs have met.
    pub(crate) fn meet(&mut self, lanes: LaneMask) {
        self.runs(self.warp);
        self.clocks.meet(self.threads(self.warp, lanes));
    }

    /// A warp comes to a barrier; `first` if no warp is there, `waits` unless it goes on at once.
    pub(crate) fn arrive(&mut self, warp: usize, lanes: LaneMask, barrier: u32, first: bool, waits: bool) {
        self.runs(warp);
        self.clocks.arrive(warp, self.threads(warp, lanes), barrier, first, waits);
    }
}
