//! What there is on a device, and which move comes next.
//!
//! Nothing here runs a kernel: see `turn`. The rules are those of sections 5.6 to 5.8 of the CUDA report, as
//! `simt_semantics::device` has them; tests hold each run against those.

use super::error::DeviceError;
use super::view::GridMemory;
use crate::environment::{Oracle, Question, ask};
use crate::gpu::{AnyGpu, Kernel, KernelCall, Tally};
use crate::grid::Grid;
use crate::memory::DeviceMemory;
use crate::memory::device::changes::Changes;
use crate::report::Report;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Makes the call of a grid, once for each turn.
pub(super) type Work<'a> = Box<dyn for<'m> FnMut(&mut GridMemory<'m>) -> KernelCall<'m> + 'a>;

/// Something that has happened on a device. Grids are numbered in the order in which they were launched.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceStep {
    /// A grid has started.
    Started(usize),
    /// Blocks of a grid have run.
    Ran(usize, Range<usize>),
    /// A grid is completed.
    Completed(usize),
    /// A grid was aborted.
    Aborted(usize),
    /// A grid has failed.
    Failed(usize),
}

/// What is done in a stream.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Grid(usize),
    /// All before has ended: the point is reached.
    Record(usize),
    /// What follows waits for a point.
    Wait(usize),
}

pub(super) struct StreamState {
    pub(super) context: usize,
    pub(super) items: VecDeque<Item>,
    /// The grid that has started and not ended.
    pub(super) running: Option<usize>,
}

pub(super) struct ContextState {
    /// No other context has it, of this device or of another.
    pub(super) id: u64,
    pub(super) memory: RefCell<DeviceMemory>,
    pub(super) buffers: usize,
    pub(super) kernels: Vec<Kernel>,
    /// Why nothing runs in it any more.
    pub(super) lost: Option<DeviceError>,
}

impl ContextState {
    /// A context in which nothing is.
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Self { id, memory: RefCell::default(), buffers: 0, kernels: Vec::new(), lost: None }
    }
}

/// How far a grid has come.
pub(super) enum Stage {
    Queued,
    Active,
    Ended(Box<Result<Report, DeviceError>>),
}

pub(super) struct GridState<'a> {
    pub(super) context: usize,
    pub(super) stream: usize,
    pub(super) grid: Grid,
    pub(super) stage: Stage,
    /// Absent while it makes a call.
    pub(super) work: Option<Work<'a>>,
    pub(super) tally: Tally,
    /// What its turns have changed, to undo it.
    pub(super) changes: Changes,
}

pub(super) struct State<'a> {
    pub(super) gpu: Box<dyn AnyGpu + 'a>,
    pub(super) oracle: Box<dyn Oracle + 'a>,
    pub(super) contexts: Vec<ContextState>,
    pub(super) streams: Vec<StreamState>,
    pub(super) grids: Vec<GridState<'a>>,
    /// Whether each point has been reached.
    pub(super) points: Vec<bool>,
    pub(super) steps: Vec<DeviceStep>,
    /// The grid that had the last turn.
    pub(super) last: Option<usize>,
}

impl State<'_> {
    /// Makes moves until `done`, or until there are none.
    pub(super) fn run_until(&mut self, done: impl Fn(&Self) -> bool) {
        loop {
            self.reach_points();
            if done(self) || !self.step(true) {
                return;
            }
        }
    }

    /// A move: a grid starts, or has a turn. A turn is one block, or, if `whole`, all that are left of a grid beside which no
    /// other can run. Returns whether there was a move.
    pub(super) fn step(&mut self, whole: bool) -> bool {
        self.reach_points();
        let waiting = self.startable();
        // As soon as it can (H12): nothing is seen of it but that later moves are possible.
        if !waiting.is_empty() {
            let first = ask(&mut *self.oracle, Question::Grid, waiting.len());
            self.start(waiting[first]);
            return true;
        }
        let mut active = self.active();
        // The grid that had the last turn is the first of the options.
        let last = active.iter().position(|&number| Some(number) == self.last);
        active.rotate_left(last.unwrap_or(0));
        if active.is_empty() {
            return false;
        }
        let number = active[ask(&mut *self.oracle, Question::Grid, active.len())];
        self.last = Some(number);
        self.turn(number, if whole && active.len() == 1 { usize::MAX } else { 1 });
        true
    }

    /// The grids that have started and not ended.
    fn active(&self) -> Vec<usize> {
        self.streams.iter().filter_map(|stream| stream.running).collect()
    }

    /// The grids that can start: those that nothing of their stream is before, of the context that has the device (H13), if
    /// that has a place left.
    fn startable(&self) -> Vec<usize> {
        let active = self.active();
        let owner = active.first().map(|&number| self.grids[number].context);
        if active.len() >= self.gpu.config().concurrent_grids.max(1) {
            return Vec::new();
        }
        let can = self
            .streams
            .iter()
            .filter(|stream| stream.running.is_none() && owner.is_none_or(|owner| owner == stream.context));
        let first = can.filter_map(|stream| match stream.items.front() {
            Some(&Item::Grid(number)) => Some(number),
            _ => None,
        });
        first.collect()
    }

    fn start(&mut self, number: usize) {
        let stream = &mut self.streams[self.grids[number].stream];
        stream.items.pop_front();
        stream.running = Some(number);
        self.grids[number].stage = Stage::Active;
        self.steps.push(DeviceStep::Started(number));
    }

    /// Streams go past the points that are reached.
    fn reach_points(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for stream in &mut self.streams {
                match stream.items.front() {
                    Some(&Item::Record(point)) if stream.running.is_none() => self.points[point] = true,
                    Some(&Item::Wait(point)) if self.points[point] => {}
                    _ => continue,
                }
                stream.items.pop_front();
                changed = true;
            }
        }
    }

    /// A grid has ended: its stream goes on.
    pub(super) fn end(&mut self, number: usize, ended: Result<Report, DeviceError>) {
        self.steps.push(match &ended {
            Ok(_) => DeviceStep::Completed(number),
            Err(DeviceError::Aborted) => DeviceStep::Aborted(number),
            Err(_) => DeviceStep::Failed(number),
        });
        let grid = &mut self.grids[number];
        // What made its calls, and what undoes it, is not needed any more.
        (grid.stage, grid.work, grid.changes) = (Stage::Ended(Box::new(ended)), None, Changes::default());
        let stream = &mut self.streams[grid.stream];
        stream.running.take_if(|running| *running == number);
        stream.items.retain(|item| !matches!(item, Item::Grid(queued) if *queued == number));
    }

    /// Aborts a grid: what it has written stays (5.7.3).
    pub(super) fn abort(&mut self, number: usize) {
        if !matches!(self.grids[number].stage, Stage::Ended(_)) {
            self.end(number, Err(DeviceError::Aborted));
        }
    }

    /// Nothing runs in a context any more: its grids are aborted.
    pub(super) fn lose(&mut self, context: usize, why: DeviceError) {
        for number in 0..self.grids.len() {
            if self.grids[number].context == context {
                self.abort(number);
            }
        }
        self.streams.iter_mut().filter(|stream| stream.context == context).for_each(|stream| stream.items.clear());
        self.contexts[context].lost.get_or_insert(why);
    }

    /// Whether nothing is left to do in a stream.
    pub(super) fn is_idle(&self, stream: usize) -> bool {
        let stream = &self.streams[stream];
        stream.items.is_empty() && stream.running.is_none()
    }

    /// Whether nothing is left to do in a context.
    pub(super) fn is_context_idle(&self, context: usize) -> bool {
        (0..self.streams.len()).all(|stream| self.streams[stream].context != context || self.is_idle(stream))
    }

    /// The error of a context that is lost.
    pub(super) fn usable(&self, context: usize) -> Result<(), DeviceError> {
        self.contexts[context].lost.clone().map_or(Ok(()), Err)
    }
}
