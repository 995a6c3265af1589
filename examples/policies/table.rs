//! The matrix as a table.

use comfy_table::{CellAlignment, Table, presets};

use crate::matrix::{Matrix, Row};

/// A line for each policy in each kernel's part: all policies beside each other would be too wide.
pub(crate) fn table(matrix: &Matrix) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(["kernel", "policy", "efficiency", "issues", "ends"]);
    for Row { kernel, cells } in &matrix.rows {
        let mut kernel = *kernel;
        for (policy, cell) in matrix.policies.iter().zip(cells) {
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
