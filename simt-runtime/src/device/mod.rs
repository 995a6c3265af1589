//! A device: contexts, streams and events, several grids at a time.
//!
//! * `state`: what there is, and which move comes next; `turn`: a turn of a grid;
//! * `context`, `stream`: the handles; `view`: what a launch sees of its context;
//! * `error`: what can go wrong.

mod context;
mod error;
mod state;
mod stream;
mod turn;
mod view;

pub use context::Context;
pub use error::DeviceError;
pub use state::DeviceStep;
pub use stream::{Event, GridStatus, LaunchedGrid, Stream};
pub use view::{Buffer, GridMemory, Loaded};

use crate::environment::{Oracle, Question, Seeded};
use crate::gpu::Gpu;
use crate::policy::Policy;
use state::State;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

/// What the handles of a device share.
type Shared<'a> = Rc<RefCell<State<'a>>>;

/// Does something with a device, unless it runs a grid.
fn with<'a, R>(shared: &Shared<'a>, something: impl FnOnce(&mut State<'a>) -> R) -> Result<R, DeviceError> {
    shared.try_borrow_mut().map(|mut state| something(&mut state)).map_err(|_| DeviceError::Busy)
}

/// A device: a machine with contexts, in whose streams grids are launched, as in CUDA.
///
/// ```
/// use simt::device::Device;
/// use simt::prelude::*;
///
/// #[kernel]
/// fn double(x: &mut [u32]) {
///     let i = global_id();
///     if i < x.len() {
///         x[i] *= 2;
///     }
/// }
///
/// #[kernel]
/// fn add(x: &[u32], y: &[u32], sums: &mut [u32]) {
///     let i = global_id();
///     if i < sums.len() {
///         sums[i] = x[i] + y[i];
///     }
/// }
///
/// let device = Device::new(Gpu::<Ipdom>::default());
/// let context = device.context()?;
/// let (x, y) = (context.upload(&[1u32, 2, 3, 4])?, context.upload(&[10u32, 20, 30, 40])?);
/// let sums = context.zeroed::<u32>(4)?;
///
/// // Two streams; an event lets the one wait for the other.
/// let (first, second) = (context.stream()?, context.stream()?);
/// let grid = Grid::new(2, 2);
/// first.launch(grid, move |memory| double(memory.slice_mut(x)))?;
/// second.launch(grid, move |memory| double(memory.slice_mut(y)))?;
/// let doubled = context.event();
/// second.record(&doubled)?;
/// first.wait(&doubled)?;
/// let last = first.launch(grid, move |memory| add(memory.slice(x), memory.slice(y), memory.slice_mut(sums)))?;
///
/// device.synchronize()?;
/// assert_eq!(context.read(sums)?, [22, 44, 66, 88]);
/// assert_eq!(last.report()?.kernel(), "add");
/// # Ok::<(), simt::device::DeviceError>(())
/// ```
///
/// # What runs when
///
/// Launches, records and waits only go into a stream. Grids run when something waits for them: `synchronize` of the device,
/// a context, a stream or an event, a [report](LaunchedGrid::report), or the host's access of memory. Up to
/// [`concurrent_grids`](crate::GpuConfig::concurrent_grids) grids run at a time, all of one context: another has the device
/// when none of them is left (CUDA report, section 2.3.1). They take turns of one block; which is next follows from the seed.
/// So what a program gives is the same every time, and if it is the same for all seeds, its streams have no race.
///
/// The blocks of a grid run in the order of their numbers, as in [`Gpu::launch`]. A grid is one turn if its blocks run at
/// the same time: on a machine with a clock, on the memory environment, or if it has `sync_grid()`; or if the machine limits
/// the work or the time of a launch. On the memory environment each grid starts with empty caches, and what it has in flight
/// ends with it: that is the flush between dependent grids.
///
/// # Looking for races between streams
///
/// ```
/// use simt::device::Device;
/// use simt::environment::every_way;
/// use simt::prelude::*;
/// use std::collections::BTreeSet;
///
/// #[kernel]
/// fn set(x: &mut [u32], to: u32) {
///     x[0] = to;
/// }
///
/// let run = |device: Device<'_>| {
///     let context = device.context()?;
///     let x = context.zeroed::<u32>(1)?;
///     for to in [1, 2] {
///         context.stream()?.launch(Grid::new(1, 1), move |memory| set(memory.slice_mut(x), to))?;
///     }
///     Ok::<u32, simt::device::DeviceError>(context.read(x)?[0])
/// };
/// let gpu = Gpu::<Ipdom>::default();
/// // With many seeds, or, of a small program, in every way.
/// let seeds: BTreeSet<_> = (0..50).filter_map(|seed| run(Device::new(gpu.clone()).with_seed(seed)).ok()).collect();
/// let all: BTreeSet<_> =
///     every_way(|oracle| run(Device::new(gpu.clone()).with_oracle(oracle)).ok()).into_iter().flatten().collect();
/// assert_eq!((seeds, all), ([1, 2].into(), [1, 2].into()));
/// ```
///
/// # What CUDA calls them
///
/// | CUDA | here |
/// |---|---|
/// | `cuCtxCreate`, `cuCtxDestroy` | [`Device::context`], [`Context::destroy`] |
/// | `cuModuleLoad`, `cuModuleGetFunction` | [`Context::load`], of a kernel that was written as code, as those of PTX are |
/// | `cudaMalloc`, `cudaMemset`, `cudaMemcpy`, `cudaFree` | [`Context::upload`], [`Context::zeroed`], [`Context::read`], [`Context::write`], [`Context::free`]; [`Context::memory`] by address |
/// | `cudaStreamCreate`, `cudaEventCreate` | [`Context::stream`], [`Context::event`] |
/// | `f<<<blocks, threads, 0, stream>>>(x)` | [`Stream::launch`] |
/// | `cuLaunchKernel` | [`Stream::launch`] with [`GridMemory::call`], and addresses of buffers as arguments |
/// | `cudaEventRecord`, `cudaStreamWaitEvent` | [`Stream::record`], [`Stream::wait`] |
/// | `cudaDeviceSynchronize`, `cudaStreamSynchronize`, `cudaEventSynchronize` | [`Device::synchronize`], [`Stream::synchronize`], [`Event::synchronize`] |
/// | `cudaEventQuery` | [`Event::has_happened`] |
///
/// # Grids that fail
///
/// A grid that fails takes its context with it, as in CUDA: the other grids of the context are aborted, and no more can be
/// launched in it. Other contexts are not affected. What the grid has written is undone, but for bytes that another grid has
/// changed since; so the memory of the context, which can still be read, is what it was before the grid, and what others
/// have made of it.
pub struct Device<'a>(Shared<'a>);

impl fmt::Debug for Device<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Device").finish_non_exhaustive()
    }
}

/// Random moves, the same for the same seed. Under one seed in four all grids mix; under the others one mostly goes on that has
/// had a turn, so that long runs of one grid come up, too.
struct Sticky {
    drawn: Seeded,
    /// Of four turns so many are of the grid that had the last one.
    stays: usize,
}

impl Oracle for Sticky {
    fn pick(&mut self, question: Question, options: usize) -> usize {
        let stays = self.drawn.pick(question, 4) < self.stays;
        let drawn = self.drawn.pick(question, options);
        if stays { 0 } else { drawn }
    }
}

impl<'a> Device<'a> {
    /// A device that is such a machine, whose moves follow from the seed of its config.
    pub fn new<P: Policy + 'a>(gpu: Gpu<P>) -> Self {
        let seed = gpu.config().seed;
        let oracle = Box::new(crate::environment::First);
        let state = State {
            gpu: Box::new(gpu),
            oracle,
            contexts: Vec::new(),
            streams: Vec::new(),
            grids: Vec::new(),
            points: Vec::new(),
            steps: Vec::new(),
            last: None,
        };
        Self(Rc::new(RefCell::new(state))).with_seed(seed)
    }

    /// The same device, whose moves follow from a seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        let mut drawn = Seeded::new(seed);
        let stays = drawn.pick(Question::Grid, 4);
        self.with_oracle(Sticky { drawn, stays })
    }

    /// The same device, whose moves an oracle picks, as that of [`every_way`](crate::environment::every_way). Of grids that
    /// can have a turn the first is that which had the last.
    #[must_use]
    pub fn with_oracle(self, oracle: impl Oracle + 'a) -> Self {
        // No handle of it is in use.
        let _ = with(&self.0, |state| state.oracle = Box::new(oracle));
        self
    }

    /// A new context, whose memory is its own.
    ///
    /// # Errors
    /// That the device runs a grid just now.
    pub fn context(&self) -> Result<Context<'a>, DeviceError> {
        Context::new(&self.0)
    }

    /// Waits for all that was launched.
    ///
    /// # Errors
    /// The error of the first context that is lost, and was not destroyed.
    pub fn synchronize(&self) -> Result<(), DeviceError> {
        with(&self.0, |state| {
            state.run_until(|_| false);
            let mut lost = state.contexts.iter().filter_map(|context| context.lost.as_ref());
            lost.find(|lost| !matches!(lost, DeviceError::Destroyed)).cloned().map_or(Ok(()), Err)
        })?
    }

    /// Makes one move: a grid starts, or a block of one runs. Returns whether there was one to make.
    ///
    /// # Errors
    /// That the device runs a grid just now.
    pub fn step(&self) -> Result<bool, DeviceError> {
        with(&self.0, |state| state.step(false))
    }

    /// What has happened so far, in order.
    ///
    /// # Errors
    /// That the device runs a grid just now.
    pub fn steps(&self) -> Result<Vec<DeviceStep>, DeviceError> {
        with(&self.0, |state| state.steps.clone())
    }
}
