//! The control-flow traces of a program under several mechanisms, how far they are apart, and what its markers cost.
//!
//! A trace is the sequence of instructions that a warp issues (*Control Flow Management in Modern GPUs*, section IX). The code of
//! a program is the same for every mechanism but for markers, and jumps that stand around them; so an instruction is known
//! by its place among the others, and traces are compared without markers and jumps.

use std::collections::BTreeMap;

use rapidfuzz::distance::levenshtein;
use serde::{Deserialize, Serialize};
use simt::core::LaneMask;
use simt::core::code::{Code, Inst, Marker, Pc};
use simt::observe::{Observer, WarpId};
use simt::prelude::*;

use crate::measured::{Launch, Reported};
use crate::programs::{Program, Scale, Size, limited};

/// The mechanisms whose traces are compared.
pub(crate) const MECHANISMS: [&str; 3] = ["Hanoi", "ConvergenceBarriers", "Ipdom"];
/// Their numbers.
pub(crate) const HANOI: usize = 0;
pub(crate) const BARRIERS: usize = 1;
pub(crate) const STACK: usize = 2;
/// The pairs that are compared: the second is what the distance is divided by.
pub(crate) const PAIRS: [(usize, usize); 3] = [(HANOI, BARRIERS), (STACK, HANOI), (STACK, BARRIERS)];

/// The kinds of markers.
pub(crate) const MARKERS: [&str; 6] = ["BSSY", "BSYNC", "BREAK", "BMOV", "YIELD", "WARPSYNC"];

fn kind(marker: &Marker) -> Option<usize> {
    Some(match marker {
        Marker::BarrierSet { .. } => 0,
        Marker::BarrierSync(_) => 1,
        Marker::BarrierBreak { .. } => 2,
        Marker::BarrierSave { .. } | Marker::BarrierRestore { .. } => 3,
        Marker::Yield => 4,
        Marker::WarpSync(_) => 5,
        _ => return None,
    })
}

/// A program under a mechanism.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Traced {
    /// How it does not end, if it does not.
    pub(crate) unending: Option<String>,
    /// Instructions of warps, without markers.
    pub(crate) issues: u64,
    pub(crate) efficiency: f64,
    /// Markers that were issued, by kind.
    pub(crate) markers: [u64; MARKERS.len()],
    /// What the mechanism has counted.
    pub(crate) counts: Vec<(String, u64)>,
}

impl Traced {
    /// The part of markers in all that was issued.
    pub(crate) fn overhead(&self) -> f64 {
        let markers: u64 = self.markers.iter().sum();
        markers as f64 / (markers + self.issues).max(1) as f64
    }

    /// A count of the mechanism, 0 if it does not count it.
    pub(crate) fn count(&self, name: &str) -> u64 {
        self.counts.iter().find(|(found, _)| found == name).map_or(0, |(_, count)| *count)
    }
}

/// How far the traces under two mechanisms are apart, all warps together.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Distance {
    /// Instructions of the second.
    pub(crate) length: u64,
    /// The Levenshtein distance: instructions that are inserted, deleted or replaced.
    pub(crate) edits: u64,
    /// The same where an instruction of other lanes is another one.
    pub(crate) edits_of_lanes: u64,
    /// Whether the same is issued for the same lanes, in whatever order.
    pub(crate) reordered: bool,
    /// Whether the threads execute equally many instructions: what they see of each other's writes may differ.
    pub(crate) same_work: bool,
}

/// Why traces differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Same,
    /// The same is issued for the same lanes, in another order.
    Order,
    /// Lanes meet elsewhere.
    Meeting,
    /// Threads do other things: each sees what others have written by then.
    Work,
}

impl Distance {
    /// The discrepancy of section IX.
    pub(crate) fn discrepancy(&self) -> f64 {
        self.edits as f64 / self.length.max(1) as f64
    }

    pub(crate) fn why(&self) -> Why {
        match self {
            Self { edits_of_lanes: 0, .. } => Why::Same,
            Self { same_work: false, .. } => Why::Work,
            Self { reordered: true, .. } => Why::Order,
            _ => Why::Meeting,
        }
    }

    pub(crate) fn of_lanes(&self) -> f64 {
        self.edits_of_lanes as f64 / self.length.max(1) as f64
    }
}

/// A program under all of [`MECHANISMS`].
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Traces {
    pub(crate) runs: Vec<Traced>,
    /// By [`PAIRS`]; none where one does not end.
    pub(crate) distances: Vec<Option<Distance>>,
}

/// An instruction of a trace: its place, and the lanes.
type Step = (u32, u64);

/// Writes down what warps issue.
#[derive(Default)]
struct Recorder {
    launches: u32,
    /// By address: the place among instructions, or the kind of a marker.
    places: Vec<Option<u32>>,
    kinds: Vec<Option<usize>>,
    current: Option<WarpId>,
    warps: BTreeMap<(u32, WarpId), Vec<Step>>,
    issues: u64,
    markers: [u64; MARKERS.len()],
}

impl Observer for Recorder {
    fn launched(&mut self, code: &Code) {
        self.launches += 1;
        self.places.clear();
        self.kinds.clear();
        let mut place = 0;
        for inst in &code.insts {
            let is_placed = !inst.is_marker() && !matches!(inst, Inst::Jump { .. });
            self.places.push(is_placed.then_some(place));
            place += u32::from(is_placed);
            self.kinds.push(if let Inst::Marker(marker) = inst { kind(marker) } else { None });
        }
    }

    fn warp(&mut self, warp: WarpId) {
        self.current = Some(warp);
    }

    fn issued(&mut self, at: Pc, instructions: u32, mask: LaneMask) {
        let Some(warp) = self.current else { return };
        if instructions == 0 {
            if let Some(kind) = self.kinds[at.index()] {
                self.markers[kind] += 1;
            }
            return;
        }
        self.issues += u64::from(instructions);
        let places = &self.places[at.index()..at.index() + instructions as usize];
        let steps = places.iter().flatten().map(|&place| (place, mask.0));
        self.warps.entry((self.launches, warp)).or_default().extend(steps);
    }
}

/// Lanes of a warp.
const WIDTH: usize = 32;

/// The traces of a program, on a machine without a clock.
///
/// # Errors
/// What a launch failed with, but for one that does not end.
pub(crate) fn traces(program: &Program, scale: Scale) -> Result<Traces, String> {
    let config = || limited(GpuConfig { checks: Checks::none(), ..GpuConfig::functional() }, 1 << 22);
    let gpus: [Box<dyn Launch>; MECHANISMS.len()] = [
        Box::new(Gpu::<Hanoi>::new(config())),
        Box::new(Gpu::<ConvergenceBarriers>::new(config())),
        Box::new(Gpu::<Ipdom>::new(config())),
    ];
    let size = Size::of_one_block(scale);
    let (mut runs, mut recorders) = (Vec::new(), Vec::new());
    for (gpu, name) in gpus.iter().zip(MECHANISMS) {
        let mut machine = Reported::new(&**gpu, WIDTH, Recorder::default());
        let unending = match program.run(&mut machine, &size) {
            Ok(()) => None,
            Err(error) => {
                let how = program.unending(&error).ok_or_else(|| format!("{} under {name}: {error}", program.name))?;
                Some(how.to_string())
            }
        };
        let Reported { observer: recorder, report, .. } = machine;
        let figures = report.iter().flat_map(|report| report.policy_figures());
        runs.push(Traced {
            unending,
            issues: recorder.issues,
            efficiency: report.as_ref().map_or(0.0, Report::simd_efficiency),
            markers: recorder.markers,
            counts: figures.map(|figure| (figure.name.clone(), figure.value)).collect(),
        });
        recorders.push(recorder);
    }
    let ends = |number: usize| runs[number].unending.is_none();
    let distances = PAIRS.map(|(one, other)| {
        (ends(one) && ends(other)).then(|| distance(&recorders[one].warps, &recorders[other].warps))
    });
    Ok(Traces { distances: distances.to_vec(), runs })
}

/// The distance of the traces of all warps.
fn distance(one: &BTreeMap<(u32, WarpId), Vec<Step>>, other: &BTreeMap<(u32, WarpId), Vec<Step>>) -> Distance {
    let mut all = Distance { reordered: true, ..Distance::default() };
    let work = |warps: &BTreeMap<(u32, WarpId), Vec<Step>>| -> u64 {
        warps.values().flatten().map(|(_, lanes)| u64::from(lanes.count_ones())).sum()
    };
    all.same_work = work(one) == work(other);
    let empty = Vec::new();
    for (warp, reference) in other {
        let trace = one.get(warp).unwrap_or(&empty);
        all.length += reference.len() as u64;
        if trace == reference {
            continue;
        }
        let sorted = |steps: &[Step]| {
            let mut steps = steps.to_vec();
            steps.sort_unstable();
            steps
        };
        all.reordered &= sorted(trace) == sorted(reference);
        let places = |steps: &[Step]| -> Vec<u32> { steps.iter().map(|(place, _)| *place).collect() };
        all.edits += levenshtein::distance(places(trace), places(reference)) as u64;
        // What is the same in both is one number.
        let mut numbers = BTreeMap::new();
        let mut numbered = |steps: &[Step]| -> Vec<u32> {
            let number = |step: &Step| {
                let next = numbers.len() as u32;
                *numbers.entry(*step).or_insert(next)
            };
            steps.iter().map(number).collect()
        };
        let (trace, reference) = (numbered(trace), numbered(reference));
        all.edits_of_lanes += levenshtein::distance(trace, reference) as u64;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::all;

    #[test]
    fn the_distance_counts_what_is_inserted_deleted_and_replaced() {
        let trace = |steps: &[Step]| BTreeMap::from([((1, WarpId { block: 0, warp: 0 }), steps.to_vec())]);
        let reference = trace(&[(0, 3), (1, 1), (2, 3), (3, 3)]);
        let moved = distance(&trace(&[(0, 3), (2, 3), (4, 3), (3, 3)]), &reference);
        assert_eq!((moved.length, moved.edits, moved.edits_of_lanes), (4, 2, 2));
        // The same instructions of other lanes.
        let parted = distance(&trace(&[(0, 3), (1, 2), (2, 3), (3, 3)]), &reference);
        assert_eq!((parted.edits, parted.edits_of_lanes), (0, 1));
        assert_eq!(distance(&BTreeMap::new(), &reference).edits, 4);
    }

    #[test]
    fn regular_code_has_one_trace() {
        let fft = all().iter().find(|program| program.name == "fft").unwrap();
        let traces = traces(fft, Scale::Trace).unwrap();
        assert!(traces.distances.iter().flatten().count() == PAIRS.len(), "{traces:?}");
        assert!(traces.distances.iter().flatten().all(|distance| distance.edits == 0), "{traces:?}");
        assert!(traces.runs[STACK].overhead() == 0.0 && traces.runs[HANOI].issues == traces.runs[STACK].issues);
    }
}
