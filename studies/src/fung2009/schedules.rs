//! Figures of schedules and of the hardware that forms warps: 14, 15, 17.

use super::{SCHEDULES, names, with_mean};
use crate::page::{Cell, Page, Table};
use crate::plot::{Bars, Stacks};
use crate::programs::{PROGRAMS, Scale};
use crate::runner::{Needs, Results};
use crate::setup::{Formation, Mechanism, Setup};

pub(super) fn ideal_needs(needs: &mut Needs, _scale: Scale) {
    needs.all(Setup::PDOM);
    needs.all(Setup::MIMD);
    SCHEDULES.iter().for_each(|(_, mechanism)| needs.all(Setup::ideal(*mechanism)));
}

/// Figure 14.
pub(super) fn ideal(results: &Results, _scale: Scale) -> Result<Page, String> {
    let schedules = SCHEDULES.map(|(label, mechanism)| (label, Setup::ideal(mechanism)));
    let setups: Vec<(&str, Setup)> =
        [("PDOM", Setup::PDOM)].into_iter().chain(schedules).chain([("MIMD", Setup::MIMD)]).collect();
    page(results, "figure-14.svg", "IPC by schedule, lane conflicts ignored", &setups, &[("DMaj", 1.66)])
}

/// A table of IPC and of speed over PDOM, with the printed mean of some.
fn page(
    results: &Results,
    file: &str,
    title: &str,
    setups: &[(&str, Setup)],
    means: &[(&str, f64)],
) -> Result<Page, String> {
    let mut ipc = Table::new("Instructions of threads per cycle, of the whole machine.", &names(), 2);
    let mut over = Table::new("Speed over PDOM [printed] ratio.", &names(), 2);
    let pdom = with_mean(results, Setup::PDOM);
    let mut series = Vec::new();
    for (label, setup) in setups {
        let ipcs = with_mean(results, *setup);
        ipc.row(label, ipcs.iter().copied());
        let mut cells: Vec<Cell> = ipcs.iter().zip(&pdom).map(|(ipc, pdom)| Cell::from(ipc / pdom)).collect();
        if let (Some((_, printed)), Some(mean)) = (means.iter().find(|(name, _)| name == label), cells.last_mut()) {
            mean.printed = Some(*printed);
        }
        over.row(label, cells);
        series.push((label.to_string(), ipcs));
    }
    let groups = names().iter().map(|name| name.to_string()).collect();
    let bars = Bars { title, unit: "IPC", groups, series, printed: Vec::new() };
    Ok(Page { pictures: vec![(file.into(), bars.svg()?)], tables: vec![ipc, over], ..Page::default() })
}

/// Figure 15.
pub(super) fn occupancy(results: &Results, _scale: Scale) -> Result<Page, String> {
    let setups = || {
        let schedules = SCHEDULES.iter().map(|(label, mechanism)| (*label, Setup::ideal(*mechanism)));
        [("PDOM", Setup::PDOM)].into_iter().chain(schedules)
    };
    let mut columns = Vec::new();
    let classes: Vec<String> = results.of(0, Setup::PDOM).slots.iter().map(|(class, _)| class.clone()).collect();
    let mut parts: Vec<(String, Vec<f64>)> = classes.iter().map(|class| (class.clone(), Vec::new())).collect();
    let labels: Vec<&str> = classes.iter().map(|class| &**class).collect();
    let mut table = Table::new("Shares of issue slots, in %.", &labels, 1);
    for (number, program) in PROGRAMS.iter().enumerate() {
        for (label, setup) in setups() {
            let measured = results.of(number, setup);
            let shares: Vec<f64> = classes.iter().map(|class| measured.slot_share(class)).collect();
            parts.iter_mut().zip(&shares).for_each(|((_, all), share)| all.push(*share));
            columns.push(format!("{} {label}", program.name));
            table.row(&format!("{} {label}", program.name), shares.iter().map(|share| 100.0 * share));
        }
    }
    let stacks = Stacks { title: "Issue slots by how many threads issued", columns, parts };
    Ok(Page { pictures: vec![("figure-15.svg".into(), stacks.svg()?)], tables: vec![table], ..Page::default() })
}

/// The hardware of Figure 17 and sections 6.3 and 6.4.
pub(super) const LANES: [(&str, Setup); 6] = [
    ("PDOM", Setup::PDOM),
    ("DMaj without LAS", Setup::DWF.of_formation(Formation::Conflicts)),
    ("DMaj with LAS", Setup::DWF),
    ("DMaj with LAS, unbounded", Setup::DWF.of_formation(Formation::Unbounded)),
    ("DMaj no LC", Setup::ideal(Mechanism::Majority)),
    ("DPdPri with LAS", Setup::new(Mechanism::PdomPriority)),
];

pub(super) fn lanes_needs(needs: &mut Needs, _scale: Scale) {
    LANES.iter().for_each(|(_, setup)| needs.all(*setup));
}

/// Figure 17.
pub(super) fn lanes(results: &Results, _scale: Scale) -> Result<Page, String> {
    let means =
        [("DMaj with LAS", 1.47), ("DMaj with LAS, unbounded", 1.563), ("DMaj no LC", 1.66), ("DPdPri with LAS", 1.31)];
    page(results, "figure-17.svg", "IPC by lanes and hardware of the scheduler", &LANES, &means)
}
