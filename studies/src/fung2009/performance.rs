//! Figures of instructions per cycle: 1, 5, 13, 18, 19, 20.

use super::{MECHANISMS, names, printed, with_mean};
use crate::page::{Cell, Page, Table};
use crate::plot::{Bars, Lines};
use crate::programs::{PROGRAMS, Scale, number};
use crate::runner::{Needs, Results, harmonic};
use crate::setup::{Board, Change, Setup};

/// Widths of warps.
pub(super) const WIDTHS: [usize; 3] = [8, 16, 32];

pub(super) fn order_needs(needs: &mut Needs, _scale: Scale) {
    MECHANISMS.iter().for_each(|(_, setup)| needs.all(*setup));
}

/// Figure 1: harmonic means.
pub(super) fn order(results: &Results, _scale: Scale) -> Result<Page, String> {
    let means: Vec<f64> = MECHANISMS.iter().map(|(_, setup)| results.mean(*setup)).collect();
    let labels: Vec<&str> = MECHANISMS.iter().map(|(name, _)| *name).collect();
    let mut table = Table::new("Harmonic mean of the IPC [printed] ratio.", &labels, 2);
    table.row("IPC", means.iter().copied());
    table.row(
        "over NREC",
        means.iter().zip(printed::ORDER).map(|(mean, printed)| Cell::beside(mean / means[0], printed)),
    );
    let over = means.iter().map(|mean| mean / means[0]).collect();
    let bars = Bars {
        title: "Harmonic mean of IPC, over NREC (black: printed)",
        unit: "IPC / IPC of NREC",
        groups: labels.iter().map(|label| label.to_string()).collect(),
        series: vec![("ours".into(), over)],
        printed: printed::ORDER.iter().enumerate().map(|(group, &value)| (group, 0, value)).collect(),
    };
    Ok(Page { pictures: vec![("figure-1.svg".into(), bars.svg()?)], tables: vec![table], ..Page::default() })
}

/// A printed number of a program, or of the mean, under a mechanism: what the IPC would be here.
pub(super) type Mark = (&'static str, &'static str, f64);

/// A table and bars of the programs on some machines.
pub(super) fn of_programs(
    results: &Results,
    file: &str,
    title: &str,
    setups: &[(&str, Setup)],
    marks: &[Mark],
) -> Result<Page, String> {
    let mut table = Table::new("Instructions of threads per cycle, of the whole machine.", &names(), 2);
    let mut series = Vec::new();
    for (label, setup) in setups {
        let ipcs = with_mean(results.ipcs(*setup));
        table.row(label, ipcs.iter().copied());
        series.push((label.to_string(), ipcs));
    }
    let place = |&(program, label, value): &Mark| {
        let group = names().iter().position(|name| *name == program)?;
        Some((group, setups.iter().position(|(name, _)| *name == label)?, value))
    };
    let groups = names().iter().map(|name| name.to_string()).collect();
    let bars = Bars { title, unit: "IPC", groups, series, printed: marks.iter().filter_map(place).collect() };
    Ok(Page { pictures: vec![(file.into(), bars.svg()?)], tables: vec![table], ..Page::default() })
}

/// Figure 13.
pub(super) fn programs(results: &Results, _scale: Scale) -> Result<Page, String> {
    let nrec = results.mean(Setup::NREC);
    let over = |name| results.of(number(name), Setup::PDOM).ipc;
    let marks = [
        ("HM", "PDOM", nrec * printed::ORDER[1]),
        ("HM", "DWF", nrec * printed::ORDER[2]),
        ("HM", "MIMD", nrec * printed::ORDER[3]),
        ("Black", "DWF", over("Black") * printed::BLACK),
        ("HMMer", "DWF", over("HMMer") * printed::HMMER),
    ];
    let title = "IPC by program (black: printed, over our NREC or PDOM)";
    let mut page = of_programs(results, "figure-13.svg", title, &MECHANISMS, &marks)?;
    let mut work = Table::new("What was executed, in millions of instructions.", &names()[..7], 2);
    for (label, setup) in [("warp instructions under PDOM", Setup::PDOM), ("thread instructions", Setup::MIMD)] {
        let count = |program| match label {
            "thread instructions" => results.of(program, setup).thread_instructions,
            _ => results.of(program, setup).issues,
        };
        work.row(label, (0..7).map(|program| count(program) as f64 / 1e6));
    }
    let mut efficiency =
        Table::new("SIMD efficiency: lanes that worked, of warps that issued, in %.", &names()[..7], 1);
    for (label, setup) in &MECHANISMS[..3] {
        efficiency.row(label, (0..7).map(|program| 100.0 * results.of(program, *setup).efficiency));
    }
    page.tables.extend([means(results), work, efficiency]);
    Ok(page)
}

/// What a mechanism gains over that before it, by other means than the paper's, and without the program that has most weight.
fn means(results: &Results) -> Table {
    let columns = ["ratio of harmonic means", "the same without HMMer", "harmonic mean", "geometric mean"];
    let mut table = Table::new(
        "Speed of a mechanism over another by several means: the ratio of the harmonic means of the IPC, as in the paper, and \
         means of the programs' speeds.",
        &columns,
        2,
    );
    for (label, setup, base) in [
        ("PDOM over NREC", Setup::PDOM, Setup::NREC),
        ("DWF over PDOM", Setup::DWF, Setup::PDOM),
        ("MIMD over DWF", Setup::MIMD, Setup::DWF),
    ] {
        let [ours, base] = [setup, base].map(|setup| results.ipcs(setup));
        let without = |ipcs: &[f64]| {
            let others = PROGRAMS.iter().zip(ipcs).filter(|(program, _)| program.name != "HMMer");
            harmonic(&others.map(|(_, ipc)| *ipc).collect::<Vec<_>>())
        };
        let speeds: Vec<f64> = ours.iter().zip(&base).map(|(ours, base)| ours / base).collect();
        let geometric = (speeds.iter().map(|speed| speed.ln()).sum::<f64>() / speeds.len() as f64).exp();
        let ratio = harmonic(&ours) / harmonic(&base);
        table.row(label, [ratio, without(&ours) / without(&base), harmonic(&speeds), geometric]);
    }
    table
}

pub(super) fn utilisation_needs(needs: &mut Needs, _scale: Scale) {
    needs.all(Setup::MIMD);
    WIDTHS.iter().for_each(|&width| needs.all(Setup::PDOM.with_warp(width)));
}

/// Utilisation in parts of a hundred: of MIMD, and of PDOM with warps of 8, 16 and 32.
pub(super) fn utilisations(results: &Results, scale: Scale) -> [f64; 4] {
    let lanes = 8.0 * Board::Fung2009.cores(scale) as f64;
    let [narrow, middle, wide] = WIDTHS.map(|width| results.mean(Setup::PDOM.with_warp(width)));
    [results.mean(Setup::MIMD), narrow, middle, wide].map(|ipc| 100.0 * ipc / lanes)
}

/// Figure 5.
pub(super) fn utilisation(results: &Results, scale: Scale) -> Result<Page, String> {
    let labels = ["MIMD", "PDOM 8", "PDOM 16", "PDOM 32"];
    let ours = utilisations(results, scale);
    let mut table =
        Table::new("Utilisation of the lanes in %, by the harmonic mean of the IPC [printed] ratio.", &labels, 1);
    let cells = |values: [f64; 4]| -> Vec<Cell> {
        values.iter().zip(printed::UTILISATION).map(|(ours, printed)| Cell::beside(*ours, printed)).collect()
    };
    table.row("utilisation", cells(ours));
    let over = ours.iter().zip(printed::UTILISATION);
    table.row(
        "over MIMD",
        over.map(|(value, printed)| Cell::beside(value / ours[0], printed / printed::UTILISATION[0])),
    );
    let bars = Bars {
        title: "Utilisation of the lanes (black: printed)",
        unit: "%",
        groups: labels.iter().map(|label| label.to_string()).collect(),
        series: vec![("ours".into(), ours.to_vec())],
        printed: printed::UTILISATION.iter().enumerate().map(|(group, &value)| (group, 0, value)).collect(),
    };
    Ok(Page { pictures: vec![("figure-5.svg".into(), bars.svg()?)], tables: vec![table], ..Page::default() })
}

/// Mechanisms with a cache whose banks conflict, and without.
pub(super) const BANKS: [(&str, Setup); 6] = [
    ("PDOM", Setup::PDOM),
    ("PDOM no$Bk", Setup::PDOM.but(Change::NoBankConflicts)),
    ("DWF", Setup::DWF),
    ("DWF no$Bk", Setup::DWF.but(Change::NoBankConflicts)),
    ("MIMD", Setup::MIMD),
    ("MIMD no$Bk", Setup::MIMD.but(Change::NoBankConflicts)),
];

pub(super) fn banks_needs(needs: &mut Needs, _scale: Scale) {
    BANKS.iter().for_each(|(_, setup)| needs.all(*setup));
}

/// Figure 18.
pub(super) fn banks(results: &Results, _scale: Scale) -> Result<Page, String> {
    let mut page = of_programs(results, "figure-18.svg", "IPC with and without conflicts of cache banks", &BANKS, &[])?;
    let mut table = Table::new("Gain without conflicts, in %.", &names(), 1);
    for pair in BANKS.chunks(2) {
        let (with, without) = (with_mean(results.ipcs(pair[0].1)), with_mean(results.ipcs(pair[1].1)));
        table.row(pair[0].0, with.iter().zip(without).map(|(with, without)| 100.0 * (without / with - 1.0)));
    }
    page.tables.push(table);
    Ok(page)
}

pub(super) fn widths_needs(needs: &mut Needs, scale: Scale) {
    utilisation_needs(needs, scale);
    WIDTHS.iter().for_each(|&width| needs.all(Setup::DWF.with_warp(width)));
}

/// Figure 19.
pub(super) fn widths(results: &Results, _scale: Scale) -> Result<Page, String> {
    let setups: Vec<(String, Setup)> = [("PDOM", Setup::PDOM), ("DWF", Setup::DWF)]
        .iter()
        .flat_map(|(label, setup)| WIDTHS.map(|width| (format!("{label} {width}"), setup.with_warp(width))))
        .chain([("MIMD".to_string(), Setup::MIMD)])
        .collect();
    let setups: Vec<(&str, Setup)> = setups.iter().map(|(label, setup)| (&**label, *setup)).collect();
    let narrow = |setup: Setup| results.mean(setup.with_warp(8));
    let marks = [
        ("HM", "PDOM 32", narrow(Setup::PDOM) * printed::PDOM_WIDER),
        ("HM", "DWF 32", narrow(Setup::DWF) * printed::DWF_WIDER),
    ];
    let title = "IPC by the width of warps (black: printed, over ours with warps of 8)";
    of_programs(results, "figure-19.svg", title, &setups, &marks)
}

/// The numbers of threads that are tried: at the quick scale fewer.
pub(super) fn thread_counts(scale: Scale) -> Vec<(usize, f64)> {
    let all = printed::BY_THREADS.into_iter();
    all.filter(|(threads, _)| scale == Scale::Full || matches!(threads, 128 | 256 | 512 | 768)).collect()
}

pub(super) fn threads_needs(needs: &mut Needs, scale: Scale) {
    for (threads, _) in thread_counts(scale) {
        [Setup::PDOM, Setup::DWF, Setup::MIMD].iter().for_each(|setup| needs.all(setup.with_threads(threads)));
    }
}

/// Figure 20.
pub(super) fn threads(results: &Results, scale: Scale) -> Result<Page, String> {
    let counts = thread_counts(scale);
    let labels: Vec<String> = counts.iter().map(|(threads, _)| threads.to_string()).collect();
    let mut table = Table::new(
        "Speed over PDOM, by threads of a core [printed] ratio.",
        &labels.iter().map(|label| &**label).collect::<Vec<_>>(),
        2,
    );
    let over = |setup: Setup, threads| {
        results.mean(setup.with_threads(threads)) / results.mean(Setup::PDOM.with_threads(threads))
    };
    table.row("DWF", counts.iter().map(|&(threads, printed)| Cell::beside(over(Setup::DWF, threads), printed)));
    table.row("MIMD", counts.iter().map(|&(threads, _)| over(Setup::MIMD, threads)));
    let mut by_program = Table::new("DWF over PDOM, program by program.", &names()[..7], 2);
    for &(threads, _) in &counts {
        let (dwf, pdom) = (Setup::DWF.with_threads(threads), Setup::PDOM.with_threads(threads));
        by_program.row(
            &threads.to_string(),
            (0..7).map(|program| results.of(program, dwf).ipc / results.of(program, pdom).ipc),
        );
    }
    let line = |value: &dyn Fn(usize, f64) -> f64| {
        counts.iter().map(|&(threads, printed)| (threads as f64, value(threads, printed))).collect()
    };
    let lines = Lines {
        title: "Speed over PDOM by threads of a core",
        across: "threads of a core",
        up: "IPC / IPC of PDOM",
        series: vec![
            ("DWF".into(), line(&|threads, _| over(Setup::DWF, threads))),
            ("MIMD".into(), line(&|threads, _| over(Setup::MIMD, threads))),
            ("DWF, printed".into(), line(&|_, printed| printed)),
        ],
    };
    Ok(Page {
        pictures: vec![("figure-20.svg".into(), lines.svg()?)],
        tables: vec![table, by_program],
        ..Page::default()
    })
}
