//! Which mechanism suits which kernel: the one with the fewest issues.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::matrix::{Matrix, Row};

/// The policies with the fewest issues for a kernel, all of them if several have the same, and the number.
fn best<'m>(matrix: &'m Matrix, row: &Row) -> Option<(Vec<&'m str>, u64)> {
    let issues = || row.cells.iter().map(|cell| cell.as_ref().ok().map(|cell| cell.issues));
    let least = issues().flatten().min()?;
    let best = matrix.policies.iter().zip(issues()).filter(|(_, issues)| *issues == Some(least));
    Some((best.map(|(policy, _)| *policy).collect(), least))
}

/// A line a kernel, and how often each policy is the best.
pub(crate) fn which_suits(matrix: &Matrix) -> String {
    let mut text = "Which mechanism suits which kernel? The fewest issues have\n".to_string();
    let mut wins: BTreeMap<&str, usize> = BTreeMap::new();
    let width = matrix.rows.iter().map(|row| row.kernel.len()).max().unwrap_or(0);
    for row in &matrix.rows {
        let of_all = row.cells.len();
        let names = match best(matrix, row) {
            None => "none: it ends under no policy".to_string(),
            Some((policies, least)) if policies.len() == of_all => format!("all of them, {least}"),
            Some((policies, least)) => {
                policies.iter().for_each(|policy| *wins.entry(policy).or_default() += 1);
                format!("{}, {least}", policies.join(" = "))
            }
        };
        // A `write!` to a string cannot fail.
        let _ = writeln!(text, "  {:width$}  {names}", row.kernel);
    }
    let mut wins: Vec<_> = wins.into_iter().collect();
    wins.sort_by_key(|&(policy, wins)| (std::cmp::Reverse(wins), policy));
    let wins: Vec<_> = wins.into_iter().map(|(policy, wins)| format!("{policy} {wins}")).collect();
    let _ = writeln!(text, "Best or among the best, where it matters: {}.", wins.join(", "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::Cell;

    fn cell(issues: u64) -> Result<Cell, &'static str> {
        Ok(Cell { efficiency: 0.5, issues })
    }

    #[test]
    fn ties_are_named_and_what_does_not_end_is_not_best() {
        let rows = vec![
            Row { kernel: "tie", cells: vec![cell(5), cell(3), cell(3)] },
            Row { kernel: "lock", cells: vec![Err("livelock"), cell(9), Err("deadlock")] },
            Row { kernel: "same", cells: vec![cell(7); 3] },
            Row { kernel: "hangs", cells: vec![Err("step limit"); 3] },
        ];
        let text = which_suits(&Matrix { policies: vec!["A", "B", "C"], rows });
        let lines: Vec<_> = text.lines().skip(1).map(str::trim).collect();
        let expected = [
            "tie    B = C, 3",
            "lock   B, 9",
            "same   all of them, 7",
            "hangs  none: it ends under no policy",
            "Best or among the best, where it matters: B 2, C 1.",
        ];
        assert_eq!(lines, expected);
    }
}
