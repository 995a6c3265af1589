//! Races: accesses of threads of one block that nothing orders, found while the launch runs.
//!
//! * `clocks`: what happens before what;
//! * `cells`: which threads have accessed each element.
//!
//! The plan of a launch that looks for races has an operation before each access of memory that others see, which tells of
//! it. Other launches have other plans, and none of this.

mod cells;
mod clocks;

pub(crate) use cells::Event;

use cells::Cells;
use clocks::Clocks;
use simt_core::LaneMask;
use simt_core::code::Pc;
use simt_core::program::AtomicOrder;

/// Where a launch looks for races: for the threads of a block that access an element, one of which writes it, with nothing
/// between them that orders the two.
///
/// In particular that finds kernels that rely on *implicit warp synchrony*: on the lanes of a warp running in step, so that
/// what one has stored another can read in the next line. They give what was meant where lanes do run in step, under
/// [`Ipdom`](crate::Ipdom) for instance; under policies that run lanes apart or with those of other warps they give
/// something else ([`Mimd`](crate::Mimd), [`Dwf`](crate::Dwf)), as on GPUs since Volta. The launch ends with
/// [`FaultKind::Race`](crate::FaultKind::Race), which names both accesses and what belongs between them.
///
/// What counts is whether something orders two accesses, not in which order they came: a race is found under policies under
/// which it does no harm. As far as the kernel's branches depend on the order, another schedule may have other races. An
/// element that is read before any thread has written it is [`FaultKind::Unwritten`](crate::FaultKind::Unwritten) first.
///
/// | what | orders | as |
/// |---|---|---|
/// | `sync_warp()`, `sync_warp_mask(m)` | the lanes that meet there | CUDA C++ Programming Guide, `__syncwarp` |
/// | votes, shuffles, `active_mask()` | nothing | the same, warp vote and shuffle functions: they imply no memory barrier |
/// | `sync_threads()`, `sync_barrier(i, n)`, their reductions | the threads that meet there | the same, `__syncthreads`; PTX ISA, `bar` |
/// | `arrive_barrier(i, n)` | what comes before a fence (or a barrier, or `sync_warp()`) before it, and the threads that wait there | CUDA report, section 5.3.2: no implied memory barrier |
/// | atomics | by their `Ordering`; two atomics never race | Rust. A `compare_exchange` that fails counts as one that succeeds, so that a race may be missed |
/// | the end of a thread | nothing, though barriers do not wait for threads that have ended: read what it wrote behind a barrier at which it was | |
/// | `fence_block()`, `fence_device()` | with atomics before or behind them, as Rust's `fence` | Rust |
/// | `volatile`, cache operators | nothing | Rust |
///
/// Threads that write the same value do not race. Lanes that write different values at once do: which one stays is not
/// theirs to say, though here it is the highest of those that issue together.
///
/// The words are those of NVIDIA's Compute Sanitizer, whose tool `racecheck` looks at shared memory. Threads of different
/// blocks are not compared. The check takes time at each access, and memory for each element that a block accesses: its last
/// read and its last write by each thread; and for each atomic that is released 4 bytes times the threads of the block. A
/// launch without it has none of its operations.
///
/// ```
/// use simt::prelude::*;
/// use simt::{FaultKind, RaceCheck};
///
/// /// Lane 3 adds up all elements; each grows by that factor.
/// #[kernel]
/// fn grow(x: &mut [u32], synchronised: bool) {
///     #[shared]
///     let mut factor: [u32; 1];
///     factor[0] = 1;
///     sync_warp();
///     if lane_id() == 3 {
///         let mut sum = 0;
///         for i in 0..4 {
///             sum += x[i];
///         }
///         factor[0] = sum;
///     }
///     if synchronised {
///         sync_warp();
///     }
///     x[lane_id()] *= factor[0];
/// }
///
/// let (grid, input, grown) = (Grid::new(1, 4), [2, 3, 4, 5], [28, 42, 56, 70]);
/// // In step it works, as the other lanes wait for lane 3.
/// let mut x = input;
/// Gpu::<Ipdom>::default().launch(grid, grow(&mut x, false))?;
/// assert_eq!(x, grown);
/// // Where no lane waits for another it does not.
/// let mut x = input;
/// Gpu::<Mimd>::default().launch(grid, grow(&mut x, false))?;
/// assert_ne!(x, grown);
///
/// // The check finds it under either policy.
/// let mut x = input;
/// let gpu = Gpu::<Ipdom>::default().with_race_check(RaceCheck::Shared);
/// let error = gpu.launch(grid, grow(&mut x, false)).unwrap_err();
/// assert!(error.to_string().contains("with no `sync_warp()` between the two"));
/// let LaunchError::Fault(fault) = error else { panic!("{error}") };
/// let FaultKind::Race(race) = fault.kind else { panic!("{:?}", fault.kind) };
/// assert!(race.same_warp && race.name == "factor");
///
/// gpu.launch(grid, grow(&mut x, true))?;
/// assert_eq!(x, grown);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum RaceCheck {
    /// Nowhere.
    #[default]
    Off,
    /// In the `#[shared]` arrays of blocks.
    Shared,
    /// There, and in slices that threads may write.
    Everywhere,
}

/// A race.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) index: usize,
    pub(crate) now: Event,
    pub(crate) earlier: Event,
    /// Whether the thread of the earlier access has since come to a barrier at which it did not wait.
    pub(crate) arrived: bool,
}

/// What is known of the block that runs.
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
    /// For blocks of so many threads, in warps of so many lanes; none if nothing is to be found.
    pub(crate) fn new(check: RaceCheck, width: usize, threads: usize) -> Option<Box<Self>> {
        let everywhere = match check {
            RaceCheck::Off => return None,
            RaceCheck::Shared => false,
            RaceCheck::Everywhere => true,
        };
        Some(Self::of_block(everywhere, width, threads))
    }

    /// The same of a block that begins, while others run.
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
        let earlier = self.cells.access(&self.clocks, (slot, index as u32), now);
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
        self.clocks.atomic(self.warp * self.width + lane, (slot, index as u32), order, reads, writes);
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
