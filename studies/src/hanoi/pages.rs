//! The pages.

use super::{SETUPS, distances, gains, is_benchmark, mean, of_benchmarks, stack_storage, storage};
use crate::page::{Page, Table};
use crate::plot::Bars;
use crate::programs::{Scale, all};
use crate::runner::Results;
use crate::traces::{BARRIERS, Distance, HANOI, MARKERS, MECHANISMS, PAIRS, STACK, Traced, Why};

pub(super) const SPLITS: &str = "deepest split stack (entries)";
pub(super) const RECONVERGENCE: &str = "deepest reconvergence stack (entries)";
pub(super) const REGISTERS: &str = "most barrier registers in use";
pub(super) const SAVED: &str = "barrier registers saved";
pub(super) const ENTRIES: &str = "deepest stack (entries)";

fn origins(results: &Results) -> String {
    let count = |origin: &str| results.traces.keys().filter(|&&program| all()[program].origin() == origin).count();
    format!(
        "{} programs: {} of TACO'09 (with the contrived loop), {} of the gallery, {} twins of CUDA kernels (`tests/placement`).",
        results.traces.len(),
        count("TACO'09"),
        count("gallery"),
        count("placement")
    )
}

/// Figure 9.
pub(super) fn traces(results: &Results, _scale: Scale) -> Result<Page, String> {
    let names = PAIRS.map(|(one, other)| format!("{} against {}", MECHANISMS[one], MECHANISMS[other]));
    let columns: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut means = Table::new("Discrepancy in %.", &columns, 2);
    let pairs = PAIRS.map(|pair| distances(results, pair));
    let of_benchmarks = PAIRS.map(|pair| of_benchmarks(results, pair));
    means.row(
        "mean over the benchmarks, those of TACO'09 and of the gallery",
        of_benchmarks.each_ref().map(|all| 100.0 * mean(all.iter().map(|distance| distance.discrepancy()))),
    );
    means.row(
        "mean over all programs",
        pairs.each_ref().map(|all| 100.0 * mean(all.iter().map(|(_, distance)| distance.discrepancy()))),
    );
    let by_lanes = pairs.each_ref().map(|all| 100.0 * mean(all.iter().map(|(_, distance)| distance.of_lanes())));
    means.row("the same, an instruction of other lanes being another one", by_lanes);
    let highest =
        pairs.each_ref().map(|all| 100.0 * all.iter().map(|(_, distance)| distance.discrepancy()).fold(0.0, f64::max));
    means.row("highest", highest);
    let same = |distance: &Distance| distance.edits == 0;
    let mut counts = Table::new("Programs.", &columns, 0);
    counts.row("benchmarks compared, as both end", of_benchmarks.each_ref().map(|all| all.len() as f64));
    counts.row(
        "benchmarks with no discrepancy",
        of_benchmarks.each_ref().map(|all| all.iter().filter(|distance| same(distance)).count() as f64),
    );
    counts.row("programs compared", pairs.each_ref().map(|all| all.len() as f64));
    counts.row(
        "programs with no discrepancy",
        pairs.each_ref().map(|all| all.iter().filter(|(_, distance)| same(distance)).count() as f64),
    );
    let differing: Vec<usize> = results
        .traces
        .keys()
        .copied()
        .filter(|program| {
            pairs.iter().any(|all| all.iter().any(|(other, distance)| other == program && distance.edits > 0))
        })
        .collect();
    let of = |pair: usize, program: usize| {
        let found = pairs[pair].iter().find(|(other, _)| *other == program);
        found.map_or(f64::NAN, |(_, distance)| 100.0 * distance.discrepancy())
    };
    let mut table =
        Table::new("Discrepancy in %, of the programs in which one is not 0 (`NaN`: one does not end).", &columns, 2);
    for &program in &differing {
        table.row(all()[program].name, [0, 1, 2].map(|pair| of(pair, program)));
    }
    let shown: Vec<usize> = differing.iter().copied().filter(|&program| of(0, program) > 0.0).collect();
    let bars = Bars {
        title: "Discrepancy of control-flow traces, Hanoi against ConvergenceBarriers, where it is not 0",
        unit: "%",
        groups: shown.iter().map(|&program| all()[program].name.to_string()).collect(),
        series: vec![("Hanoi".into(), shown.iter().map(|&program| of(0, program)).collect())],
        printed: Vec::new(),
    };
    let text = format!(
        "{} The discrepancy is that of section IX: the Levenshtein distance of the sequences of instructions that each warp issues, \
         over the length of the second's. The paper compares Hanoi with Turing and has 1.03 % on average, 0 in 46 of 59 runs. \
         Here no hardware is compared with: `ConvergenceBarriers` has barriers where `ptxas` places them for it. Markers and \
         jumps, which differ in the code for each mechanism, are left out.",
        origins(results)
    );
    Ok(Page { text, pictures: vec![("figure-9.svg".into(), bars.svg()?)], tables: vec![means, counts, table] })
}

/// Which programs differ, and why.
pub(super) fn reasons(results: &Results, _scale: Scale) -> Result<Page, String> {
    let mut text = String::from(
        "A difference is one of *order*: the same is issued for the same lanes; of *meeting*: lanes meet elsewhere, so that some \
         instructions are issued for others together; or of *work*: threads do other things, because what each sees of the \
         others' writes depends on the order.\n",
    );
    for pair in PAIRS {
        let all_distances = distances(results, pair);
        text += &format!("\n**{} against {}**\n\n", MECHANISMS[pair.0], MECHANISMS[pair.1]);
        for (why, what) in [(Why::Same, "same"), (Why::Order, "order"), (Why::Meeting, "meeting"), (Why::Work, "work")]
        {
            let names: Vec<String> = all_distances
                .iter()
                .filter(|(_, distance)| distance.why() == why)
                .map(|(program, _)| {
                    let yields = results.traces(*program).runs[pair.0].markers[4] > 0;
                    format!("{}{}", all()[*program].name, if yields && why != Why::Same { " (yields)" } else { "" })
                })
                .collect();
            text += &match why {
                Why::Same => format!("* {what}: {} programs\n", names.len()),
                _ => format!("* {what}: {}: {}\n", names.len(), names.join(", ")),
            };
        }
    }
    text += "\n**Which do not end**\n\n";
    for (number, mechanism) in MECHANISMS.iter().enumerate() {
        let names = results.traces.iter().filter_map(|(&program, traces)| {
            Some(format!("{} ({})", all()[program].name, traces.runs[number].unending.as_ref()?))
        });
        let names: Vec<String> = names.collect();
        text += &format!("* {mechanism}: {}\n", if names.is_empty() { "all end".into() } else { names.join(", ") });
    }
    Ok(Page { text, ..Page::default() })
}

/// What markers cost.
pub(super) fn overhead(results: &Results, _scale: Scale) -> Result<Page, String> {
    let mut columns = vec!["all"];
    columns.extend(MARKERS);
    let mut tables = Vec::new();
    for mechanism in [HANOI, BARRIERS] {
        let mut table = Table::new(
            &format!("{}: markers in % of all that is issued; programs without are left out.", MECHANISMS[mechanism]),
            &columns,
            2,
        );
        let runs = || results.traces.iter().map(|(&program, traces)| (program, &traces.runs[mechanism]));
        let ended: Vec<_> = runs().filter(|(_, run)| run.unending.is_none()).collect();
        let shares = |run: &Traced| {
            let all = (run.issues + run.markers.iter().sum::<u64>()).max(1) as f64;
            let mut shares = vec![100.0 * run.overhead()];
            shares.extend(run.markers.iter().map(|&count| 100.0 * count as f64 / all));
            shares
        };
        for (name, benchmarks) in [("mean of the benchmarks", true), ("mean of all", false)] {
            let runs: Vec<_> = ended.iter().filter(|(program, _)| !benchmarks || is_benchmark(*program)).collect();
            let column = |number: usize| mean(runs.iter().map(|(_, run)| shares(run)[number]));
            table.row(name, (0..columns.len()).map(column));
        }
        for (program, run) in ended.iter().filter(|(_, run)| run.overhead() > 0.0) {
            table.row(all()[*program].name, shares(run));
        }
        tables.push(table);
    }
    let text = "What the compiler adds for the mechanism, issued by warps. The paper prints no number for it.".into();
    Ok(Page { text, tables, ..Page::default() })
}

/// Section IX-A.
pub(super) fn stacks(results: &Results, _scale: Scale) -> Result<Page, String> {
    let columns = ["WS", "REC", "Bx in use", "Bx saved", "bytes", "SIMT stack", "bytes of it"];
    let mut table = Table::new("Entries at most, and the storage for as many (8 registers).", &columns, 0);
    let runs = || results.traces.iter().map(|(&program, traces)| (program, &traces.runs[HANOI], &traces.runs[STACK]));
    let row = |hanoi: &Traced, stack: &Traced| {
        let (splits, reconvergence) = (hanoi.count(SPLITS), hanoi.count(RECONVERGENCE));
        let entries = stack.count(ENTRIES);
        [
            splits,
            reconvergence,
            hanoi.count(REGISTERS),
            hanoi.count(SAVED),
            storage(splits, reconvergence),
            entries,
            stack_storage(entries),
        ]
    };
    let mut highest = [0; 7];
    for (_, hanoi, stack) in runs() {
        highest.iter_mut().zip(row(hanoi, stack)).for_each(|(most, value)| *most = value.max(*most));
    }
    table.row("highest", highest.map(|value| value as f64));
    for (program, hanoi, stack) in
        runs().filter(|(_, hanoi, stack)| hanoi.count(SPLITS) > 1 || stack.count(ENTRIES) > 1)
    {
        table.row(all()[program].name, row(hanoi, stack).map(|value| value as f64));
    }
    let text = "Of programs that do not end, what they had come to is not counted. `Bx saved` is how often a BMOV has moved \
                participants to a register of threads.";
    Ok(Page { text: text.into(), tables: vec![table], ..Page::default() })
}

/// Figure 10.
pub(super) fn ipc(results: &Results, _scale: Scale) -> Result<Page, String> {
    let (against, stack) = (gains(results, HANOI, BARRIERS), gains(results, HANOI, STACK));
    let mut table = Table::new(
        "Instructions of threads per cycle, markers not counted, on the machine `turing`; by how much Hanoi's is higher, in %.",
        &["Hanoi", "ConvergenceBarriers", "Ipdom", "over ConvergenceBarriers", "over Ipdom"],
        2,
    );
    for ((program, gain), (_, over)) in against.iter().zip(&stack) {
        let [hanoi, barriers, ipdom] = SETUPS.map(|setup| results.of(*program, setup).ipc);
        table.row(all()[*program].name, [hanoi, barriers, ipdom, 100.0 * gain, 100.0 * over]);
    }
    let shown: Vec<_> = against.iter().filter(|(_, gain)| gain.abs() > 0.001).collect();
    let bars = Bars {
        title: "IPC of Hanoi against ConvergenceBarriers, where it differs by more than 0.1 %",
        unit: "difference in %, without its sign",
        groups: shown.iter().map(|(program, _)| all()[*program].name.to_string()).collect(),
        series: vec![("Hanoi".into(), shown.iter().map(|(_, gain)| 100.0 * gain.abs()).collect())],
        printed: Vec::new(),
    };
    Ok(Page { pictures: vec![("figure-10.svg".into(), bars.svg()?)], tables: vec![table], ..Page::default() })
}
