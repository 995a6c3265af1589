//! Figures of schedules and of the hardware that forms warps: 14, 15, 17.

use super::performance::{Mark, of_programs};
use super::{SCHEDULES, names, printed, with_mean};
use crate::page::{Cell, Page, Table};
use crate::plot::Stacks;
use crate::programs::{PROGRAMS, Scale};
use crate::runner::{Needs, Results};
use crate::setup::{Board, Formation, Mechanism, Setup};

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
    let title = "IPC by schedule, lane conflicts ignored (black: printed, over our PDOM)";
    page(results, ("figure-14.svg", title), &setups, &[("DMaj", printed::IDEAL_OVER_PDOM)], &[])
}

/// A table of IPC and of speed over PDOM, with the printed mean of some, and in the picture with the printed IPC of others.
fn page(
    results: &Results,
    (file, title): (&str, &str),
    setups: &[(&str, Setup)],
    means: &[(&'static str, f64)],
    ipcs: &[Mark],
) -> Result<Page, String> {
    let pdom = with_mean(results.ipcs(Setup::PDOM));
    let marks = means.iter().map(|&(label, printed)| ("HM", label, printed * results.mean(Setup::PDOM)));
    let marks: Vec<Mark> = marks.chain(ipcs.iter().copied()).collect();
    let mut page = of_programs(results, file, title, setups, &marks)?;
    let mut over = Table::new("Speed over PDOM [printed] ratio.", &names(), 2);
    for (label, setup) in setups {
        let ipcs = with_mean(results.ipcs(*setup));
        let mut cells: Vec<Cell> = ipcs.iter().zip(&pdom).map(|(ipc, pdom)| Cell::from(ipc / pdom)).collect();
        if let (Some((_, printed)), Some(mean)) = (means.iter().find(|(name, _)| name == label), cells.last_mut()) {
            mean.printed = Some(*printed);
        }
        over.row(label, cells);
    }
    page.tables.push(over);
    Ok(page)
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
pub(super) fn lanes(results: &Results, scale: Scale) -> Result<Page, String> {
    let means = [
        ("DMaj with LAS", printed::DWF_OVER_PDOM),
        ("DMaj with LAS, unbounded", printed::UNBOUNDED_OVER_PDOM),
        ("DMaj no LC", printed::IDEAL_OVER_PDOM),
        ("DPdPri with LAS", printed::PRIORITY_OVER_PDOM),
    ];
    let cores = Board::Fung2009.cores(scale) as f64;
    let ipcs = printed::IPCS.map(|(program, label, ipc)| (program, label, ipc * cores / 16.0));
    let title = "IPC by lanes and hardware of the scheduler (black: printed; means over our PDOM)";
    page(results, ("figure-17.svg", title), &LANES, &means, &ipcs)
}
