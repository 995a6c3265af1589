//! What can go wrong on a device.

use crate::error::LaunchError;
use crate::grid::GridError;
use crate::memory::DeviceMemoryError;
use std::fmt;
use std::sync::Arc;

/// Why a request to a device cannot be met, or has come to nothing.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// A grid has failed, and its context is lost.
    #[error(
        "{0}\nthe context is lost: its other grids were aborted, and no more can be launched; make another with `device.context()`"
    )]
    Failed(Arc<LaunchError>),
    /// The grid was aborted.
    #[error(
        "the grid was aborted before its end, by `abort()` or as another grid of its context failed: it has no report"
    )]
    Aborted,
    /// The context was destroyed.
    #[error("the context was destroyed: make another with `device.context()`")]
    Destroyed,
    /// No machine can run the grid. Nothing was launched.
    #[error("{0}")]
    Grid(GridError),
    /// What was asked of the context's memory cannot be.
    #[error(transparent)]
    Memory(#[from] DeviceMemoryError),
    /// Something of one context was used in another, or is no longer there.
    #[error("the {what} belongs to another context, or was freed: contexts share nothing, so make one in this context")]
    OtherContext {
        /// The kind of thing.
        what: &'static str,
    },
    /// A launch wants a buffer twice, and writes it.
    #[error("the launch takes a buffer twice, once to write it: no slice may overlap with one that is written")]
    Twice,
    /// The device was used while it runs a grid.
    #[error(
        "the device runs a grid: it cannot be used by what is called meanwhile, as the closure that makes the call"
    )]
    Busy,
    /// Code of the caller panicked while a grid ran.
    #[error("code of the caller panicked in a launch, and the context is lost: make another with `device.context()`")]
    Panicked,
}

impl fmt::Debug for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
