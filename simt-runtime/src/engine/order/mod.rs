//! In which order blocks and warps run.

mod in_order;
mod multiprocessors;
mod regrouped;
mod turns;

pub(crate) use in_order::*;
pub(crate) use regrouped::*;
pub(crate) use turns::*;
