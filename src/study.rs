//! The limit study: how full the lanes could be if threads met at the best points that there are.

#[doc(inline)]
pub use simt_runtime::{LimitStudy, Oracle, ReconvergencePoint, StudyError};
