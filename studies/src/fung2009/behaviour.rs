//! Figures of what happens inside a core: 16 and 21.

use crate::measured::{Measured, Moment};
use crate::occupancy::LEVELS;
use crate::page::{Page, Table};
use crate::plot::{Lines, Stacks};
use crate::programs::number;
use crate::programs::{PROGRAMS, Scale};
use crate::runner::{Needs, Results};
use crate::setup::{Mechanism, Setup};

/// The schedules that Figure 16 compares, without limits of lanes or hardware (section 6.2), sampled over time.
pub(super) fn sampled() -> [(&'static str, Setup); 2] {
    [("DMaj", Mechanism::Majority), ("DPdPri", Mechanism::PdomPriority)]
        .map(|(label, mechanism)| (label, Setup { sample: Some(500), ..Setup::ideal(mechanism) }))
}

pub(super) fn series_needs(needs: &mut Needs, _scale: Scale) {
    sampled().iter().for_each(|(_, setup)| needs.one(number("Black"), *setup));
}

/// Samples of the first block of the first core: until it has a thread that has not begun.
fn first_block(measured: &Measured) -> &[Moment] {
    let moments = &measured.moments;
    let end = moments.windows(2).position(|pair| pair[1].progress[4] < pair[0].progress[4]);
    &moments[..end.map_or(moments.len(), |end| end + 1)]
}

/// How far the tenth thread of a hundred is behind the ninetieth while the block runs: the mean over time of the difference as
/// a part of what the fastest thread executes in all.
pub(super) fn spread(measured: &Measured) -> f64 {
    let moments = first_block(measured);
    let whole = moments.iter().map(|moment| moment.progress[4]).max().unwrap_or(0).max(1);
    let sum: f64 = moments.iter().map(|moment| f64::from(moment.progress[3] - moment.progress[1])).sum();
    sum / f64::from(whole) / moments.len().max(1) as f64
}

/// Figure 16.
pub(super) fn series(results: &Results, _scale: Scale) -> Result<Page, String> {
    let mut page = Page {
        text: "While the first core runs its first block. IPC, threads and issue slots are those of the whole machine, all of whose \
               cores run a block meanwhile; the paper's are one core's, whose IPC is at most 8. Progress is that of the first \
               block: the slowest thread, the tenth of a hundred, the middle, the ninetieth and the fastest."
            .into(),
        ..Page::default()
    };
    let mut table = Table::new(
        "Mean over time of how far the slower threads are behind the faster ones, in % of all instructions.",
        &["spread"],
        1,
    );
    for (label, setup) in sampled() {
        let measured = results.of(number("Black"), setup);
        let block = first_block(measured);
        let line = |name: &str, value: &dyn Fn(&Moment) -> f64| {
            let points = block.iter().map(|moment| (moment.cycle as f64, value(moment))).collect();
            (name.to_string(), points)
        };
        let across = "cycle";
        let ipc = Lines {
            title: &format!("{label}: IPC"),
            across,
            up: "IPC",
            series: vec![line("IPC", &|moment| moment.ipc)],
        };
        let incomplete = Lines {
            title: &format!("{label}: threads that have not ended"),
            across,
            up: "#Thread",
            series: vec![line("threads", &|moment| moment.incomplete as f64)],
        };
        let parts = measured.slots.iter().enumerate().map(|(class, (name, _))| {
            let share = |moment: &Moment| moment.slots[class] as f64 / moment.slots.iter().sum::<u64>().max(1) as f64;
            (name.clone(), block.iter().map(share).collect())
        });
        let stacks = Stacks {
            title: &format!("{label}: issue slots over time"),
            columns: block.iter().map(|moment| moment.cycle.to_string()).collect(),
            parts: parts.collect(),
        };
        let names = ["slowest", "10 %", "50 %", "90 %", "fastest"];
        let progress = Lines {
            title: &format!("{label}: instructions of threads of the first block"),
            across,
            up: "instructions",
            series: (0..5)
                .map(|which| {
                    let points = block.iter().map(|moment| (moment.cycle as f64, f64::from(moment.progress[which])));
                    (names[which].to_string(), points.collect())
                })
                .collect(),
        };
        for (part, svg) in [
            ("ipc", ipc.svg()?),
            ("threads", incomplete.svg()?),
            ("slots", stacks.svg()?),
            ("progress", progress.svg()?),
        ] {
            page.pictures.push((format!("figure-16-{}-{part}.svg", label.to_lowercase()), svg));
        }
        table.row(label, [100.0 * spread(measured)]);
    }
    page.tables.push(table);
    Ok(page)
}

pub(super) fn pool_needs(needs: &mut Needs, _scale: Scale) {
    needs.all(Setup::DWF);
    needs.all(COUNTED);
}

/// The mechanism of Figure 21, with what it needs for its distribution.
const COUNTED: Setup = Setup::new(Mechanism::MajorityCounted);

/// The parts of all issues at which the pool had at most so many warps.
fn occupancy(results: &Results, program: usize) -> [f64; LEVELS.len()] {
    let measured = results.of(program, COUNTED);
    let issues = measured.count("issues").max(1) as f64;
    LEVELS.map(|(name, _)| measured.count(name) as f64 / issues)
}

/// The mean over the programs of the part of issues at which a pool of so many entries would have overflowed.
pub(super) fn overflows(results: &Results, entries: usize) -> f64 {
    let level = LEVELS.iter().position(|&(_, most)| most == entries).expect("one of the levels");
    (0..PROGRAMS.len()).map(|program| 1.0 - occupancy(results, program)[level]).sum::<f64>() / PROGRAMS.len() as f64
}

/// Figure 21.
pub(super) fn pool(results: &Results, _scale: Scale) -> Result<Page, String> {
    let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
    let mut most = Table::new("Most entries, of the worst case of 768.", &names, 0);
    for (label, count) in [
        ("warp pool", "warp pool entries, most"),
        ("Max-Heap", "heap entries, most"),
        ("warp pool spills", "warp pool spills"),
    ] {
        most.row(label, (0..7).map(|program| results.of(program, Setup::DWF).count(count) as f64));
    }
    let mut share = Table::new("Issues at which the pool had at most so many warps, in %.", &names, 2);
    let mut lines = Vec::new();
    for (program, name) in names.iter().enumerate() {
        let bounded = LEVELS.iter().zip(occupancy(results, program)).filter(|((_, most), _)| *most < usize::MAX);
        lines.push((name.to_string(), bounded.map(|((_, most), share)| (*most as f64, 100.0 * share)).collect()));
    }
    for (level, (_, most)) in LEVELS.iter().enumerate().filter(|(_, (_, most))| *most < usize::MAX) {
        share.row(&most.to_string(), (0..7).map(|program| 100.0 * occupancy(results, program)[level]));
    }
    let distribution =
        Lines { title: "Warp pool occupancy", across: "warps in the pool, at most", up: "issues, %", series: lines };
    Ok(Page {
        text: "The maxima of Figure 21(a), whose numbers are not in the text that we have, and how full the pool is when a warp is \
               chosen, Figure 21(b)."
            .into(),
        tables: vec![most, share],
        pictures: vec![("figure-21-occupancy.svg".into(), distribution.svg()?)],
    })
}
