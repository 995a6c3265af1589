//! The parts of a [`Report`](crate::Report).

#[doc(inline)]
pub use simt_runtime::{LineReport, PolicyFigure, Redacted, figures};
