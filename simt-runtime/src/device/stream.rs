//! Streams, events, and the grids that were launched.

use super::error::DeviceError;
use super::state::{GridState, Item, Stage, Work};
use super::view::GridMemory;
use super::{Shared, with};
use crate::gpu::KernelCall;
use crate::grid::Grid;
use crate::report::Report;
use std::cell::Cell;
use std::fmt;
use std::rc::Rc;

/// A stream of a [`Context`](super::Context): grids that run one after the other. Those of other streams run at any time.
#[derive(Clone)]
pub struct Stream<'a> {
    pub(super) shared: Shared<'a>,
    pub(super) context: usize,
    pub(super) number: usize,
}

/// A point in a stream that others wait for.
#[derive(Clone)]
pub struct Event<'a> {
    pub(super) shared: Shared<'a>,
    pub(super) context: usize,
    /// The point that it recorded last.
    pub(super) point: Rc<Cell<Option<usize>>>,
}

/// A grid that was launched in a stream.
#[derive(Clone)]
pub struct LaunchedGrid<'a> {
    shared: Shared<'a>,
    number: usize,
}

/// How far a grid has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GridStatus {
    /// It has not started.
    Queued,
    /// It runs.
    Active,
    /// All its blocks have ended.
    Completed,
    /// It was aborted.
    Aborted,
    /// It has failed.
    Failed,
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({} of context {})", self.number, self.context)
    }
}

impl fmt::Debug for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event(of context {}, point {:?})", self.context, self.point.get())
    }
}

impl fmt::Debug for LaunchedGrid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LaunchedGrid({})", self.number)
    }
}

impl<'a> Stream<'a> {
    /// Launches a grid: it runs when all before it in the stream has ended, once something waits for it.
    ///
    /// `make` makes the call of its kernel from the memory of the context, and is called once for each turn of the grid; each
    /// time it must make the same call. What it captures lives as long as the device.
    ///
    /// # Errors
    /// If no machine can run the grid, or the context is lost.
    pub fn launch(
        &self,
        grid: Grid,
        make: impl for<'m> FnMut(&mut GridMemory<'m>) -> KernelCall<'m> + 'a,
    ) -> Result<LaunchedGrid<'a>, DeviceError> {
        grid.validate().map_err(DeviceError::Grid)?;
        let work: Work<'a> = Box::new(make);
        let number = with(&self.shared, |state| {
            state.usable(self.context)?;
            state.grids.push(GridState {
                context: self.context,
                stream: self.number,
                grid,
                stage: Stage::Queued,
                work: Some(work),
                tally: Default::default(),
                changes: Default::default(),
            });
            let number = state.grids.len() - 1;
            state.streams[self.number].items.push_back(Item::Grid(number));
            Ok::<_, DeviceError>(number)
        })??;
        Ok(LaunchedGrid { shared: Rc::clone(&self.shared), number })
    }

    /// Lets an event record: it happens when all that is in the stream now has ended. What it recorded before is forgotten.
    ///
    /// # Errors
    /// If the event is of another context, or the context is lost.
    pub fn record(&self, event: &Event<'_>) -> Result<(), DeviceError> {
        self.own(event)?;
        with(&self.shared, |state| {
            state.usable(self.context)?;
            state.points.push(false);
            let point = state.points.len() - 1;
            state.streams[self.number].items.push_back(Item::Record(point));
            event.point.set(Some(point));
            Ok(())
        })?
    }

    /// Lets what is launched in the stream from here on wait for what an event has recorded; if it has recorded nothing, for
    /// nothing.
    ///
    /// # Errors
    /// If the event is of another context, or the context is lost.
    pub fn wait(&self, event: &Event<'_>) -> Result<(), DeviceError> {
        self.own(event)?;
        with(&self.shared, |state| {
            state.usable(self.context)?;
            state.streams[self.number].items.extend(event.point.get().map(Item::Wait));
            Ok(())
        })?
    }

    fn own(&self, event: &Event<'_>) -> Result<(), DeviceError> {
        // Of another device, too: addresses are compared, as their lifetimes may differ.
        let is_own =
            event.context == self.context && Rc::as_ptr(&self.shared).addr() == Rc::as_ptr(&event.shared).addr();
        if is_own { Ok(()) } else { Err(DeviceError::OtherContext { what: "event" }) }
    }

    /// Waits for all that was launched in the stream.
    ///
    /// # Errors
    /// The error of the grid by which the context was lost.
    pub fn synchronize(&self) -> Result<(), DeviceError> {
        with(&self.shared, |state| {
            state.run_until(|state| state.is_idle(self.number));
            state.usable(self.context)
        })?
    }
}

impl Event<'_> {
    /// Waits until what the event has recorded happens.
    ///
    /// # Errors
    /// The error of the grid by which the context was lost.
    pub fn synchronize(&self) -> Result<(), DeviceError> {
        let point = self.point.get();
        with(&self.shared, |state| {
            state.run_until(|state| point.is_none_or(|point| state.points[point]));
            state.usable(self.context)
        })?
    }

    /// Whether what the event has recorded has happened, or it has recorded nothing. Nothing runs for it.
    ///
    /// # Errors
    /// That the device runs a grid just now.
    pub fn has_happened(&self) -> Result<bool, DeviceError> {
        let point = self.point.get();
        with(&self.shared, |state| point.is_none_or(|point| state.points[point]))
    }
}

impl LaunchedGrid<'_> {
    /// The number of the grid on its device: that of [`DeviceStep`](super::DeviceStep).
    pub fn number(&self) -> usize {
        self.number
    }

    /// How far the grid has come. Nothing runs for it.
    ///
    /// # Errors
    /// That the device runs a grid just now.
    pub fn status(&self) -> Result<GridStatus, DeviceError> {
        with(&self.shared, |state| match &state.grids[self.number].stage {
            Stage::Queued => GridStatus::Queued,
            Stage::Active => GridStatus::Active,
            Stage::Ended(ended) => match &**ended {
                Ok(_) => GridStatus::Completed,
                Err(DeviceError::Aborted) => GridStatus::Aborted,
                Err(_) => GridStatus::Failed,
            },
        })
    }

    /// Waits for the grid, and returns its report.
    ///
    /// # Errors
    /// The error of the grid, or that it was aborted.
    pub fn report(&self) -> Result<Report, DeviceError> {
        with(&self.shared, |state| {
            state.run_until(|state| matches!(state.grids[self.number].stage, Stage::Ended(_)));
            match &state.grids[self.number].stage {
                Stage::Ended(ended) => (**ended).clone(),
                // No point that it waits for can be one behind it.
                Stage::Queued | Stage::Active => Err(DeviceError::Busy),
            }
        })?
    }

    /// Aborts the grid, if it has not ended: blocks that have not run never do, and what the others have written stays. Its
    /// stream goes on behind it.
    ///
    /// # Errors
    /// That the device runs a grid just now.
    pub fn abort(&self) -> Result<(), DeviceError> {
        with(&self.shared, |state| state.abort(self.number))
    }
}
