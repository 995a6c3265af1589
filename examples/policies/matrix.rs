//! The measurements, and their table.

use comfy_table::{CellAlignment, Table, presets};

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
    /// A line for each policy in each kernel's part: all policies beside each other would be too wide.
    pub(crate) fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN).set_header(["kernel", "policy", "efficiency", "issues", "ends"]);
        for Row { kernel, cells } in &self.rows {
            let mut kernel = *kernel;
            for (policy, cell) in self.policies.iter().zip(cells) {
                let [efficiency, issues, ends] = match cell {
                    Ok(cell) => [format!("{:.1} %", 100.0 * cell.efficiency), cell.issues.to_string(), "yes".into()],
                    Err(how) => ["".into(), "".into(), (*how).into()],
                };
                table.add_row([kernel, policy, &efficiency, &issues, &ends]);
                kernel = "";
            }
        }
        for number in [2, 3] {
            if let Some(column) = table.column_mut(number) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table
    }
}
