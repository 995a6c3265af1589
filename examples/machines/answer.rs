//! Whether the order of TACO'09 appears: no reconvergence, immediate post-dominators, dynamic warp formation, MIMD.

use std::fmt::Write;

use simt::prelude::*;

use crate::means::harmonic;
use crate::runs::{Results, Row, Run};

/// Under [`Ipdom`], divergent kernels keep fewer of their lanes busy than this.
const DIVERGENT: f64 = 0.9;

/// The IPC of each as a multiple of the one before it, in Figure 13 (section 6).
const PAPER: [f64; 3] = [1.45, 1.47, 1.11];

/// The policies of Figure 13, from the slowest to the fastest.
fn policies() -> [(&'static str, &'static str); 4] {
    [
        ("NREC", NoReconvergence::name()),
        ("PDOM", <Ipdom>::name()),
        ("DWF", Dwf::<Majority>::name()),
        ("MIMD", Mimd::name()),
    ]
}

/// Their harmonic means over the divergent kernels, whether they are in order, and where not.
pub(crate) fn order(results: &Results) -> String {
    let places: Vec<usize> = policies().iter().filter_map(|(_, policy)| results.policy(policy)).collect();
    if places.len() < policies().len() {
        return String::new();
    }
    let runs_of =
        |row: &Row| -> Option<Vec<Run>> { places.iter().map(|&place| row.runs[place].clone().ok()).collect() };
    let kernels: Vec<(&str, Vec<Run>)> = results
        .common()
        .filter_map(|row| Some((row.kernel, runs_of(row)?)))
        .filter(|(_, runs)| runs[1].efficiency < DIVERGENT)
        .collect();
    let means: Option<Vec<f64>> =
        (0..places.len()).map(|policy| harmonic(kernels.iter().map(|(_, runs)| runs[policy].ipc))).collect();
    let Some(means) = means else {
        return "No kernel diverges, so NREC, PDOM, DWF and MIMD say nothing.\n".into();
    };
    let mut text = format!(
        "Over the {} kernels that keep less than {:.0} % of the lanes busy under {}, and do the same work under all \
         policies,\nthe harmonic means of the IPC are\n",
        kernels.len(),
        100.0 * DIVERGENT,
        <Ipdom>::name()
    );
    // A `write!` to a string cannot fail.
    for (number, ((short, policy), mean)) in policies().iter().zip(&means).enumerate() {
        let _ = write!(text, "  {short} {mean:6.2}");
        if let Some(before) = number.checked_sub(1) {
            let (factor, slower) = (mean / means[before], policies()[before].0);
            let _ = write!(text, ", {factor:.2} times {slower} (TACO'09, Figure 13: {:.2})", PAPER[before]);
        }
        let _ = writeln!(text, "  [{policy}]");
    }
    let sentence = match means.is_sorted_by(|slower, faster| slower < faster) {
        true => "So NREC < PDOM < DWF < MIMD, as in the paper. Kernel by kernel:",
        false => "So NREC < PDOM < DWF < MIMD does not hold here. Kernel by kernel:",
    };
    let _ = writeln!(text, "{sentence}");
    let width = kernels.iter().map(|(kernel, _)| kernel.len()).max().unwrap_or(0);
    for (kernel, runs) in &kernels {
        let _ = write!(text, "  {kernel:width$}");
        for (number, ((short, _), run)) in policies().iter().zip(runs).enumerate() {
            let _ = write!(text, "  {short} {:6.2}", run.ipc);
            if let Some(before) = number.checked_sub(1) {
                let _ = write!(text, " ({:5.2} x)", run.ipc / runs[before].ipc);
            }
        }
        let slower: Vec<_> = (1..runs.len()).filter(|&number| runs[number].ipc < runs[number - 1].ipc).collect();
        let slower: Vec<_> =
            slower.iter().map(|&number| format!("{} < {}", policies()[number].0, policies()[number - 1].0)).collect();
        let _ = writeln!(text, "{}{}", if slower.is_empty() { "" } else { "  " }, slower.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::example;

    #[test]
    fn the_order_and_its_factors_are_said() {
        let policies = policies().map(|(_, policy)| policy);
        let good = example(&policies, &[("a", &[1.0, 2.0, 3.0, 4.0]), ("lock", &[1.0, 2.0, 0.0, 4.0])]);
        let text = order(&good);
        assert!(text.starts_with("Over the 1 kernels"), "{text}");
        assert!(text.contains("PDOM   2.00, 2.00 times NREC (TACO'09, Figure 13: 1.45)"), "{text}");
        assert!(text.contains("So NREC < PDOM < DWF < MIMD, as in the paper."), "{text}");
        let bad = example(&policies, &[("a", &[1.0, 2.0, 1.5, 4.0])]);
        let text = order(&bad);
        assert!(text.contains("does not hold") && text.ends_with("DWF < PDOM\n"), "{text}");
        assert_eq!(order(&example(&policies[..3], &[])), "");
    }
}
