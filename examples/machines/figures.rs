//! The two figures of bars: IPC (TACO'09, Figure 14) and how many threads issued together (Figure 15).

use crate::bars::{Bar, Figure, Panel};
use crate::means::harmonic;
use crate::runs::{Outcome, Results, Run};
use crate::svg::colour;

fn bars(results: &Results, runs: &[Outcome], parts: impl Fn(&Run) -> Vec<f64>) -> Vec<Bar> {
    let bar =
        |(&name, run): (&&'static str, &Outcome)| Bar { name, parts: run.as_ref().map(&parts).map_err(|how| *how) };
    results.policies.iter().zip(runs).map(bar).collect()
}

/// Thread instructions per cycle of each kernel under each policy, and their harmonic means.
pub(crate) fn ipc(results: &Results) -> String {
    let panel = |title: &str, bars: Vec<Bar>| {
        let of = |bar: &Bar| bar.parts.as_ref().map_or(0.0, |parts| parts[0]);
        let full = bars.iter().map(of).fold(0.0, f64::max);
        Panel { title: title.into(), full, scale: format!("{full:.1}"), bars }
    };
    let mut panels: Vec<Panel> =
        results.rows.iter().map(|row| panel(row.kernel, bars(results, &row.runs, |run| vec![run.ipc]))).collect();
    let mean =
        |policy: usize| harmonic(results.common().filter_map(|row| row.runs[policy].as_ref().ok()).map(|run| run.ipc));
    let means = results.policies.iter().enumerate();
    let means = means.map(|(policy, name)| Bar { name, parts: mean(policy).map(|mean| vec![mean]).ok_or("none") });
    panels.push(panel("harmonic mean", means.collect()));
    let machine = &results.machine;
    let title = format!("{}: thread instructions per cycle, of {} at most", machine.name, machine.lanes);
    Figure { title, parts: vec![("IPC".into(), "#2c5f8a".into())], panels }.svg()
}

/// The classes of issue slots, as parts of a whole.
pub(crate) fn shares(run: &Run) -> Vec<f64> {
    let whole = run.occupancy.total().max(1) as f64;
    run.occupancy.classes().iter().map(|&(_, cycles)| cycles as f64 / whole).collect()
}

/// How many threads issued together, in parts of all issue slots.
pub(crate) fn occupancy(results: &Results) -> String {
    let first = results.rows.iter().flat_map(|row| &row.runs).find_map(|run| run.as_ref().ok());
    let classes = first.map_or(Vec::new(), |run| run.occupancy.classes());
    let count = classes.len();
    let parts = classes.into_iter().enumerate().map(|(class, (name, _))| (name, colour(class, count))).collect();
    let panels = results.rows.iter().map(|row| Panel {
        title: row.kernel.into(),
        full: 1.0,
        scale: "100 %".into(),
        bars: bars(results, &row.runs, shares),
    });
    let title = format!("{}: issue slots by how many threads issued", results.machine.name);
    Figure { title, parts, panels: panels.collect() }.svg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::example;
    use crate::svg::is_well_formed;

    #[test]
    fn every_kernel_has_a_bar_for_each_policy() {
        let results = example(&["A", "Dwf<B>"], &[("one", &[1.0, 4.0]), ("lock", &[0.0, 2.0])]);
        let svg = ipc(&results);
        assert!(is_well_formed(&svg), "{svg}");
        for title in
            ["one under A: IPC 1.000", "one under Dwf&lt;B&gt;: IPC 4.000", "lock under Dwf&lt;B&gt;: IPC 2.000"]
        {
            assert!(svg.contains(title), "{title}: {svg}");
        }
        assert!(svg.contains("harmonic mean under A: IPC 1.000") && svg.contains(">cycle limit<"), "{svg}");
    }

    #[test]
    fn the_parts_of_a_bar_are_the_whole() {
        let results = example(&["A"], &[("one", &[1.0])]);
        let run = results.rows[0].runs[0].as_ref().unwrap();
        assert_eq!(shares(run).len(), 11);
        assert!((shares(run).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let svg = occupancy(&results);
        assert!(is_well_formed(&svg), "{svg}");
        for class in ["W0-Mem", "W0-Idle", "W1-4", "W29-32", "Stall"] {
            assert!(svg.contains(&format!("one under A: {class} ")), "{class}: {svg}");
        }
    }
}
