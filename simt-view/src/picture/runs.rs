//! What the reports of runs say: how many lanes, where the cycles and issue slots went.

use super::{Colours, Panel, Picture, PictureError, Stacks, bars};
use crate::Run;
use simt_runtime::{Occupancy, Stall, Stalls};

impl Picture {
    /// The histogram of active lanes: shares of issues by how many lanes were active, in eight classes, with a column in each for
    /// each run. Of more than six runs it is a column for each run, and in it its classes.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn histogram(runs: &[Run]) -> Result<Self, PictureError> {
        let lanes = runs.iter().filter_map(Run::report).map(|report| report.warp_width()).max().unwrap_or(1);
        let class = lanes.div_ceil(8).max(1);
        let classes: Vec<String> = (0..lanes.div_ceil(class))
            .map(|number| (number * class + 1, ((number + 1) * class).min(lanes)))
            .map(|(low, high)| if low == high { low.to_string() } else { format!("{low}–{high}") })
            .collect();
        let series = runs.iter().filter_map(|run| {
            let report = run.report()?;
            let counts = report.lane_histogram().get(1..).unwrap_or_default();
            let all = counts.iter().sum::<u64>().max(1) as f64;
            let mut shares: Vec<f64> =
                counts.chunks(class).map(|chunk| chunk.iter().sum::<u64>() as f64 / all).collect();
            shares.resize(classes.len(), 0.0);
            Some((run.name.clone(), shares))
        });
        let (title, unit) = ("Issues by active lanes", "share of issues");
        let series: Vec<(String, Vec<f64>)> = series.collect();
        // More columns side by side cannot be told apart.
        if series.len() <= 6 {
            return bars::beside(title, unit, &classes, &series);
        }
        // A lane that issues alone is all that there is: it is not few of many.
        let alone = runs.iter().filter_map(Run::report).map(|report| lanes > 1 && report.lanes_per_issue() == 1);
        let share = |((name, shares), alone)| (name, if alone { Err("alone".to_string()) } else { Ok(shares) });
        let (columns, shares) = series.into_iter().zip(alone).map(share).unzip();
        one((title, unit), columns, (classes, Colours::Ordered), shares)
    }

    /// Where the cycles of warps went: shares by reason, one above the other, a column for each run on a machine with a clock.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn cycles(runs: &[Run]) -> Result<Self, PictureError> {
        let timed: Vec<_> = runs.iter().filter_map(|run| Some((&run.name, run.report()?.stalls()?))).collect();
        let parts = Stall::ALL.iter().copied().filter(|&stall| stall != Stall::NoBlock);
        let parts: Vec<Stall> = parts.filter(|&stall| timed.iter().any(|(_, stalls)| stalls.of(stall) > 0)).collect();
        let shares = |stalls: &Stalls| parts.iter().map(|&stall| stalls.share(stall)).collect();
        let names = parts.iter().map(|stall| stall.name().to_string()).collect();
        let columns = timed.iter().map(|(name, _)| name.to_string()).collect();
        let all = timed.iter().map(|(_, stalls)| Ok(shares(stalls))).collect();
        one(("Cycles of warps on cores", "share of cycles"), columns, (names, Colours::Apart), all)
    }

    /// Issue slots of all pipelines: nothing issued, few or many threads, a column for each run on a machine with a clock, as
    /// in TACO'09, Figure 15.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn issue_slots(runs: &[Run]) -> Result<Self, PictureError> {
        let timed: Vec<_> =
            runs.iter().filter_map(|run| Some((&run.name, run.report()?.clock()?.occupancy()))).collect();
        let classes = slot_classes(timed.iter().map(|(_, slots)| *slots));
        let columns = timed.iter().map(|(name, _)| name.to_string()).collect();
        let all = timed.iter().map(|(_, slots)| Ok(slot_shares(slots, &classes))).collect();
        one(("Issue slots", "share of issue slots"), columns, (classes, Colours::Slots), all)
    }
}

/// The names of the classes of issue slots: those of the widest pipelines.
pub(super) fn slot_classes<'o>(all: impl Iterator<Item = &'o Occupancy>) -> Vec<String> {
    let classes = all.map(Occupancy::classes).max_by_key(Vec::len).unwrap_or_default();
    classes.into_iter().map(|(class, _)| class).collect()
}

/// The shares of classes of issue slots.
pub(super) fn slot_shares(slots: &Occupancy, classes: &[String]) -> Vec<f64> {
    let (counts, total) = (slots.classes(), slots.total().max(1) as f64);
    let count = |class: &String| counts.iter().find(|(name, _)| name == class).map_or(0, |&(_, count)| count);
    classes.iter().map(|class| count(class) as f64 / total).collect()
}

/// One panel of shares.
fn one(
    (title, unit): (&str, &str),
    columns: Vec<String>,
    (parts, colours): (Vec<String>, Colours),
    values: Vec<Result<Vec<f64>, String>>,
) -> Result<Picture, PictureError> {
    let (title, unit, panels) = (title.to_string(), unit.to_string(), vec![Panel { name: String::new(), values }]);
    Picture::stacks(&Stacks { title, unit, top: Some(1.0), columns, parts, colours, panels })
}
