//! Launches that were given up: a warp that runs without end, and threads that wait for others that never come.

use super::{Called, LivelockProof, SourcePlace, ThreadPlace, element_name};
use crate::grid::Dim3;
use simt_core::{Constant, LaneMask};
use std::borrow::Cow;
use std::fmt;

/// A warp issued more instructions than it may.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn wait(flag: &mut [u32]) {
///     if global_id() == 0 {
///         flag[0] = 1;
///     } else {
///         while flag[0] == 0 {}
///     }
/// }
///
/// // The else path runs first, and lane 0 never gets its turn.
/// let mut flag = [0];
/// let gpu = Gpu::<TokenStack>::default().with_step_limit(1000);
/// let error = gpu.launch(Grid::new(1, 2), wait(&mut flag)).unwrap_err();
/// let LaunchError::StepLimit(stop) = error else { panic!("{error}") };
/// assert_eq!((stop.limit, stop.thread.lane), (1000, 1));
/// assert_eq!(stop.splits.len(), 2);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StepLimit {
    /// The kernel.
    pub kernel: Cow<'static, str>,
    /// How many instructions a warp may issue; of [`LaunchError::CycleLimit`](crate::LaunchError::CycleLimit), how many
    /// cycles the launch may take, of [`LaunchError::WorkLimit`](crate::LaunchError::WorkLimit), how many units of work it
    /// may do, of [`LaunchError::TimeLimit`](crate::LaunchError::TimeLimit), how many milliseconds it may take.
    pub limit: u64,
    /// Index of the block.
    pub block: Dim3,
    /// Number of the warp in its block.
    pub warp: usize,
    /// The thread in the lowest active lane.
    pub thread: ThreadPlace,
    /// The policy that was running.
    pub policy: &'static str,
    /// Where the warp's lanes were, the active ones first.
    pub splits: Vec<(LaneMask, SourcePlace)>,
    pub(crate) called: Called,
    /// The lines that the thread had printed.
    pub prints: Vec<String>,
    pub(crate) warp_width: usize,
}

/// A block does not end. [`proof`](Self::proof) says whether that is proved, and under which assumptions.
///
/// ```
/// use simt::prelude::*;
/// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
///
/// #[kernel]
/// fn lock(lock: &[AtomicU32], sum: &mut [u32]) {
///     while lock[0].swap(1, Relaxed) == 1 {}
///     sum[0] += 1;
///     lock[0].store(0, Relaxed);
/// }
///
/// // Lane 0 has the lock, and waits behind the loop for the others, who spin.
/// let error = Gpu::<Ipdom>::default().launch(Grid::new(1, 8), lock(&[AtomicU32::new(0)], &mut [0])).unwrap_err();
/// let LaunchError::Livelock(livelock) = error else { panic!("{error}") };
/// assert_eq!(livelock.spins[0].lanes.count(), 7);
/// assert_eq!(livelock.spins[0].reads[0].to_string(), "`lock[0]` is 1");
/// assert_eq!(livelock.waits[0].1.count(), 1);
/// assert_eq!(livelock.proof, simt::error::LivelockProof::EverySchedule);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Livelock {
    /// The kernel.
    pub kernel: Cow<'static, str>,
    /// The policy that was running.
    pub policy: &'static str,
    /// How strong the statement is that the launch never ends.
    pub proof: LivelockProof,
    /// Index of the block.
    pub block: Dim3,
    /// The lowest thread that spins.
    pub thread: ThreadPlace,
    /// The warps that spin.
    pub spins: Vec<Spin>,
    /// Where the lanes are that do not, and have not ended: number of the warp, lanes, and the place where they would go on.
    pub waits: Vec<(usize, LaneMask, SourcePlace)>,
    pub(crate) called: Called,
    /// The other policies of [`for_each_policy!`](crate::for_each_policy) under which the launch ends, as far as
    /// [`GpuConfig::ends_under_limit`](crate::GpuConfig::ends_under_limit) lets them show it.
    pub ends_under: Vec<&'static str>,
    /// The lines that the thread had printed.
    pub prints: Vec<String>,
    pub(crate) warp_width: usize,
}

/// Lanes that run in a circle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spin {
    /// Number of the warp in its block.
    pub warp: usize,
    /// The lanes.
    pub lanes: LaneMask,
    /// Where the circle begins.
    pub place: SourcePlace,
    /// The elements that the lanes read and other threads could change.
    pub reads: Vec<Reading>,
}

/// An element that lanes read again and again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reading {
    /// The slice or array.
    pub name: Cow<'static, str>,
    /// Which element, for the lowest of the lanes.
    pub index: usize,
    /// The element's value.
    pub value: Constant,
    /// How many elements an index of the user's has.
    pub(crate) row: usize,
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is {}", element_name(&self.name, self.index, self.row), self.value)
    }
}

/// Threads wait for others that never come.
///
/// ```
/// use simt::prelude::*;
///
/// #[kernel]
/// fn half(x: &mut [u32]) {
///     if global_id() % 2 == 0 {
///         sync_threads();
///     } else {
///         sync_barrier(1, 4);
///     }
///     x[0] = 1;
/// }
///
/// let mut x = [0];
/// let error = Gpu::<Ipdom>::default().with_warp_width(4).launch(Grid::new(1, 4), half(&mut x)).unwrap_err();
/// let LaunchError::Deadlock(deadlock) = error else { panic!("{error}") };
/// assert_eq!((deadlock.waits.len(), deadlock.policy), (2, "Ipdom"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Deadlock {
    /// The kernel.
    pub kernel: Cow<'static, str>,
    /// The policy that was running.
    pub policy: &'static str,
    /// Index of the block.
    pub block: Dim3,
    /// The threads that wait, and the lanes that they wait for.
    pub waits: Vec<Wait>,
    /// Where the other threads of these warps are: number of the warp, lanes, and the place. A place without a line is the
    /// end: those threads have exited.
    pub others: Vec<(usize, LaneMask, SourcePlace)>,
    /// The other policies of [`for_each_policy!`](crate::for_each_policy) under which the launch ends, as far as
    /// [`GpuConfig::ends_under_limit`](crate::GpuConfig::ends_under_limit) lets them show it.
    pub ends_under: Vec<&'static str>,
    pub(crate) called: Called,
    pub(crate) warp_width: usize,
}

/// Threads of a warp that wait.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wait {
    /// Number of the warp in its block.
    pub warp: usize,
    /// Its lanes that wait.
    pub lanes: LaneMask,
    /// The operation at which they wait, as a kernel writes it: `ballot`, `sync_threads`; in PTX `vote.sync`, `bar.sync`.
    pub operation: &'static str,
    /// The place of the operation.
    pub place: SourcePlace,
    /// The lanes that it names, if it names some.
    pub named: Option<LaneMask>,
    /// The number of the barrier, at a barrier of the block.
    pub barrier: Option<u32>,
    /// Whether the barrier was given how many threads must come.
    pub counted: bool,
    /// At a barrier of the block or of the grid, how many threads of the block have come, and how many it waits for.
    pub arrived: Option<(u32, u32)>,
    /// Lanes of the warp that have not come; at a barrier of the block those that it waits for in this warp.
    pub missing: LaneMask,
}

impl Wait {
    pub(crate) fn new(warp: usize, lanes: LaneMask, operation: &'static str, place: SourcePlace) -> Self {
        let (named, barrier, arrived) = (None, None, None);
        Self { warp, lanes, operation, place, named, barrier, counted: false, arrived, missing: LaneMask::EMPTY }
    }
}
