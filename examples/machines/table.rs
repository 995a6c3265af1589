//! The tables: the figures of each kernel under each policy, and their means.

use comfy_table::{CellAlignment, Table, presets};

use crate::means::{Means, harmonic};
use crate::runs::{Results, same_work};

fn new(header: Vec<String>) -> Table {
    let mut table = Table::new();
    let columns = header.len();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    for number in 1..columns {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Thread instructions per cycle: a line for each policy, a column for each kernel, and the harmonic mean.
pub(crate) fn of_kernels(results: &Results) -> String {
    // The words of a name under each other: there are many columns.
    let kernels = results.rows.iter().map(|row| row.kernel.replace('_', "\n"));
    let header = std::iter::once("IPC".to_string()).chain(kernels).chain(["harmonic\nmean".to_string()]);
    let mut table = new(header.collect());
    for (number, policy) in results.policies.iter().enumerate() {
        let cells = results.rows.iter().map(|row| match &row.runs[number] {
            Ok(run) => format!("{:.2}", run.ipc),
            Err(how) => how.replace(' ', "\n"),
        });
        let mean = harmonic(results.common().filter_map(|row| row.runs[number].as_ref().ok()).map(|run| run.ipc));
        let mean = mean.map_or(String::new(), |mean| format!("{mean:.2}"));
        table.add_row(std::iter::once(policy.to_string()).chain(cells).chain([mean]));
    }
    table.to_string()
}

/// A line for each policy: means over the kernels that end under all of them.
pub(crate) fn of_policies(results: &Results) -> String {
    let all: Vec<Means> = (0..results.policies.len()).map(|policy| Means::of(results, policy)).collect();
    let Some(first) = all.first() else { return String::new() };
    let mut header: Vec<String> = ["means", "IPC", "SIMD\nefficiency"].map(String::from).into();
    header.extend(first.stalls.iter().map(|(stall, _)| stall.replace(' ', "\n")));
    header.extend(["DRAM\nbusy", "row\nhits"].map(String::from));
    for level in ["L1", "L2"] {
        header.extend([format!("{level}\nmisses"), "without\npending".to_string()]);
    }
    let mut table = new(header);
    let percent = |share: Option<f64>| share.map_or("-".to_string(), |share| format!("{:.1} %", 100.0 * share));
    for (policy, means) in results.policies.iter().zip(&all) {
        let ipc = means.ipc.map_or("-".to_string(), |ipc| format!("{ipc:.2}"));
        let mut row = vec![policy.to_string(), ipc, percent(means.efficiency)];
        row.extend(means.stalls.iter().map(|&(_, share)| percent(share)));
        row.extend([percent(means.bandwidth), percent(means.row_hits)]);
        row.extend(means.misses.iter().flatten().map(|&rate| percent(rate)));
        table.add_row(row);
    }
    let out: Vec<&str> = results.rows.iter().filter(|row| !same_work(&row.runs)).map(|row| row.kernel).collect();
    let out = match out.is_empty() {
        true => String::new(),
        false => format!("; not {}, whose work depends on the policy", out.join(", ")),
    };
    format!(
        "{table}\nMeans over {} kernels{out}. Stalls are parts of the cycles that warps were on a core; `without pending`: \
         a request\nthat joins one under way is no miss.\n",
        results.common().count()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::example;

    #[test]
    fn every_kernel_and_every_policy_is_there() {
        let results =
            example(&["A", "Dwf<B>"], &[("two_words", &[1.0, 4.0]), ("b", &[3.0, 4.0]), ("lock", &[0.0, 9.0])]);
        let text = of_kernels(&results);
        let line = |start: &str| {
            let line = text.lines().find(|line| line.trim_start_matches("| ").starts_with(start)).expect("a line");
            line.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
        };
        assert_eq!(line("IPC"), ["IPC", "two", "b", "lock", "harmonic"]);
        assert_eq!(line("A "), ["A", "1.00", "3.00", "cycle", "1.50"]);
        assert_eq!(line("Dwf<B>"), ["Dwf<B>", "4.00", "4.00", "9.00", "4.00"]);
        let text = of_policies(&results);
        assert!(text.contains("Means over 2 kernels; not lock, whose work depends on the policy."), "{text}");
        assert!(text.contains("50.0 %") && text.contains("25.0 %"), "{text}");
    }
}
