//! A turn of a grid: its next blocks run.

use super::error::DeviceError;
use super::state::{ContextState, DeviceStep, State, Work};
use super::view::{GridMemory, Staged};
use crate::gpu::{AnyGpu, Tally};
use crate::grid::Grid;
use crate::report::Report;
use std::sync::Arc;

impl State<'_> {
    /// The next blocks of a grid run, at most so many.
    pub(super) fn turn(&mut self, number: usize, most: usize) {
        let Self { gpu, contexts, grids, steps, .. } = self;
        let grid = &mut grids[number];
        let first = grid.tally.done;
        let context = &mut contexts[grid.context];
        // If code of the caller panics, it is not put back.
        let Some(mut work) = grid.work.take() else { return self.fail(number, DeviceError::Panicked) };
        context.memory.get_mut().begin_turn();
        let ran = context.run(&mut work, &**gpu, grid.grid, most, &mut grid.tally);
        context.memory.get_mut().end_turn(&mut grid.changes);
        grid.work = Some(work);
        match ran {
            Err(error) => self.fail(number, error),
            Ok(report) => {
                steps.push(DeviceStep::Ran(number, first..grid.tally.done));
                if grid.tally.is_complete {
                    self.end(number, Ok(report));
                }
            }
        }
    }

    /// A grid has failed: its context is lost, and its own changes are undone.
    fn fail(&mut self, number: usize, error: DeviceError) {
        let grid = &mut self.grids[number];
        let (context, changes) = (grid.context, std::mem::take(&mut grid.changes));
        self.contexts[context].memory.get_mut().undo(changes);
        self.end(number, Err(error.clone()));
        self.lose(context, error);
    }
}

impl ContextState {
    /// The next blocks of a grid run in the context.
    fn run(
        &mut self,
        work: &mut Work<'_>,
        gpu: &dyn AnyGpu,
        grid: Grid,
        most: usize,
        tally: &mut Tally,
    ) -> Result<Report, DeviceError> {
        let mut stages: Vec<Option<Staged>> = (0..self.buffers).map(|_| None).collect();
        let mut view = GridMemory::new(self.id, &self.memory, &self.kernels, &mut stages);
        let call = work(&mut view);
        if let Some(problem) = view.into_problem() {
            return Err(problem);
        }
        let mut memory = self.memory.borrow_mut();
        let ran = gpu.run(grid, call.with_memory(&mut memory), most, tally);
        let report = ran.map_err(|error| DeviceError::Failed(Arc::new(error)))?;
        stages.iter().flatten().for_each(|stage| stage.store(&mut memory));
        Ok(report)
    }
}
