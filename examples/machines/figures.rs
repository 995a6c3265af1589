//! The two figures of bars: IPC (TACO'09, Figure 14) and how many threads issued together (Figure 15).

use simt_view::picture::{Colours, Panel, Stacks};
use simt_view::{Picture, PictureError};

use crate::means::harmonic;
use crate::runs::{Outcome, Results, Row, Run};

/// A panel for each kernel.
fn panels(results: &Results, parts: impl Fn(&Run) -> Vec<f64>) -> Vec<Panel> {
    let of = |run: &Outcome| run.as_ref().map(&parts).map_err(|how| how.to_string());
    let panel = |row: &Row| Panel { name: row.kernel.to_string(), values: row.runs.iter().map(of).collect() };
    results.rows.iter().map(panel).collect()
}

fn policies(results: &Results) -> Vec<String> {
    results.policies.iter().map(|policy| policy.to_string()).collect()
}

/// Thread instructions per cycle of each kernel under each policy, and their harmonic means.
///
/// # Errors
/// If it cannot be drawn.
pub(crate) fn ipc(results: &Results) -> Result<Picture, PictureError> {
    let mean =
        |policy: usize| harmonic(results.common().filter_map(|row| row.runs[policy].as_ref().ok()).map(|run| run.ipc));
    let means = (0..results.policies.len()).map(|policy| mean(policy).map(|mean| vec![mean]).ok_or("none".to_string()));
    let mut panels = panels(results, |run| vec![run.ipc]);
    panels.push(Panel { name: "harmonic mean".to_string(), values: means.collect() });
    let machine = &results.machine;
    Picture::stacks(&Stacks {
        title: format!("{}: thread instructions per cycle, of {} at most", machine.name, machine.lanes),
        unit: "IPC".to_string(),
        top: None,
        columns: policies(results),
        parts: vec!["IPC".to_string()],
        colours: Colours::Apart,
        panels,
    })
}

/// The classes of issue slots, as parts of a whole.
fn shares(run: &Run) -> Vec<f64> {
    let whole = run.occupancy.total().max(1) as f64;
    run.occupancy.classes().iter().map(|&(_, cycles)| cycles as f64 / whole).collect()
}

/// How many threads issued together, in parts of all issue slots.
///
/// # Errors
/// If it cannot be drawn.
pub(crate) fn occupancy(results: &Results) -> Result<Picture, PictureError> {
    let first = results.rows.iter().flat_map(|row| &row.runs).find_map(|run| run.as_ref().ok());
    let classes = first.map_or(Vec::new(), |run| run.occupancy.classes());
    Picture::stacks(&Stacks {
        title: format!("{}: issue slots by how many threads issued", results.machine.name),
        unit: "share of issue slots".to_string(),
        top: Some(1.0),
        columns: policies(results),
        parts: classes.into_iter().map(|(class, _)| class).collect(),
        colours: Colours::Slots,
        panels: panels(results, shares),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::example;

    #[test]
    fn every_kernel_has_a_bar_for_each_policy() {
        let results = example(&["A", "Dwf<B>"], &[("one", &[1.0, 4.0]), ("lock", &[0.0, 2.0])]);
        let expected = [
            "panel,part,A,Dwf<B>",
            "one,IPC,1.0000,4.0000",
            "lock,IPC,cycle limit,2.0000",
            "harmonic mean,IPC,1.0000,4.0000",
        ];
        assert_eq!(ipc(&results).unwrap().csv().lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_parts_of_a_bar_are_the_whole() {
        let results = example(&["A"], &[("one", &[1.0])]);
        let run = results.rows[0].runs[0].as_ref().unwrap();
        assert_eq!(shares(run).len(), 11);
        assert!((shares(run).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let rows = occupancy(&results).unwrap().rows;
        let classes: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
        for class in ["W0-Mem", "W0-Idle", "W1-4", "W29-32", "Stall"] {
            assert!(classes.contains(&class), "{class}: {classes:?}");
        }
    }
}
