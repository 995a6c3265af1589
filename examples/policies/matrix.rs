//! What was measured: kernels under policies.

use simt_view::{Picture, PictureError};

use crate::heat_map::heat_map;

/// A launch that ended, or how it does not end.
pub(crate) type Outcome = Result<Cell, &'static str>;

/// A kernel under a policy.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    /// SIMD efficiency, from 0 to 1.
    pub(crate) efficiency: f64,
    /// Program instructions issued.
    pub(crate) issues: u64,
}

/// A kernel under each policy.
pub(crate) struct Row {
    pub(crate) kernel: &'static str,
    /// In the order of the matrix's policies.
    pub(crate) cells: Vec<Outcome>,
}

/// Every kernel under every policy.
pub(crate) struct Matrix {
    pub(crate) policies: Vec<&'static str>,
    pub(crate) rows: Vec<Row>,
}

impl Matrix {
    /// The efficiencies as a picture.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub(crate) fn heat_map(&self) -> Result<Picture, PictureError> {
        let efficiency = |cell: &Outcome| cell.map(|cell| cell.efficiency);
        heat_map(&self.policies, self.rows.iter().map(|row| (row.kernel, row.cells.iter().map(efficiency).collect())))
    }
}
