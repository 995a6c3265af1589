//! The source by line: the figures of each run, for the page's script, which sorts and compares them.

use super::PAGE_LIMIT;
use super::findings::idle;
use crate::Run;
use maud::{Markup, html};
use serde::Serialize;
use simt_runtime::LineReport;
use simt_runtime::Report;
use simt_runtime::figures::FigureName;
use simt_runtime::{LineClock, Stall};
use std::borrow::Cow;
use std::collections::HashMap;

/// The longest text of a line that is shown.
const TEXT: usize = 200;
/// The text of what stands on no line.
const NO_LINE: &str = "(on no line of this file)";
/// The bytes that a row takes besides its text, and for each run.
const ROW: (usize, usize) = (60, 110);

/// What the page's script knows of the source.
#[derive(Serialize)]
pub(super) struct Source {
    /// Files, which rows name by number.
    files: Vec<String>,
    columns: Vec<Column>,
    /// Number of the file, of the line, and the text.
    rows: Vec<(usize, u32, String)>,
    /// For each run, for each column, for each row its value, if it has one.
    values: Vec<Vec<Vec<Option<f64>>>>,
    /// For each run and row why warps waited there.
    why: Vec<Vec<String>>,
    /// How many rows were left out.
    pub(super) left_out: usize,
}

/// A column of figures.
#[derive(Serialize)]
struct Column {
    id: &'static str,
    name: &'static str,
    help: String,
    /// How values are shown: `count`, `part` or `ratio`.
    form: &'static str,
    /// Whether more is worse: heat.
    hot: bool,
    #[serde(skip)]
    value: fn(&Line<'_>) -> Option<f64>,
}

/// The figures of a line of a report.
struct Line<'l> {
    counted: &'l LineReport,
    timed: Option<&'l LineClock>,
    /// Its idle lane slots, and those of all lines; not known of a launch that has failed.
    idle: Option<(u64, u64)>,
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    // Five digits tell values apart that are shown with three.
    (whole > 0).then(|| (1e5 * part as f64 / whole as f64).round() / 1e5)
}

fn timed(line: &Line<'_>, of: impl FnOnce(&LineClock) -> u64) -> Option<f64> {
    line.timed.map(|timed| of(timed) as f64)
}

fn columns() -> Vec<Column> {
    let help = |text: &str, figure: &str| {
        let counter = FigureName::named(figure).and_then(|figure| figure.nvidia);
        match counter {
            Some(counter) => format!("{text} (Nsight Compute: {counter})"),
            None => format!("{text} (Nsight Compute: none)"),
        }
    };
    let column = |id, name, help, form, hot, value| Column { id, name, help, form, hot, value };
    vec![
        column("issues", "issues", help("instructions issued", "lines.issues"), "count", true, |line| {
            Some(line.counted.issues as f64)
        }),
        column("lanes", "lanes", help("mean active lanes", "lines.thread_instructions"), "ratio", false, |line| {
            ratio(line.counted.thread_instructions, line.counted.issues)
        }),
        column("idle", "idle", help("share of all idle lanes", ""), "part", true, |line| {
            line.idle.and_then(|(here, all)| ratio(here, all))
        }),
        column(
            "diverged",
            "diverged",
            help("branches that diverged, of all", "lines.divergences"),
            "part",
            true,
            |line| ratio(line.counted.divergences, line.counted.branches),
        ),
        column("markers", "markers", help("markers issued", "lines.marker_issues"), "count", true, |line| {
            (line.counted.marker_issues > 0).then_some(line.counted.marker_issues as f64)
        }),
        column(
            "cycles",
            "cycles",
            help("cycles that pipelines were busy", "clock.lines.issue_cycles"),
            "count",
            true,
            |line| timed(line, |line| line.issue_cycles),
        ),
        column(
            "waits",
            "waits",
            help("cycles that warps waited before it", "clock.lines.waits"),
            "count",
            true,
            |line| timed(line, |line| line.waits.total()),
        ),
        column("requests", "accesses", help("accesses to memory", "clock.lines.requests"), "count", true, |line| {
            timed(line, |line| line.requests).filter(|&count| count > 0.0)
        }),
        column(
            "transactions",
            "transactions",
            help("transactions per access", "clock.lines.transactions"),
            "ratio",
            true,
            |line| line.timed.and_then(|line| ratio(line.transactions, line.requests)),
        ),
        column(
            "banks",
            "passes",
            help("passes per access to shared memory: above 1, banks conflict", "clock.lines.shared_passes"),
            "ratio",
            true,
            |line| line.timed.and_then(|line| ratio(line.shared_passes, line.shared_requests)),
        ),
    ]
}

/// Why warps waited before a line: the two reasons with most cycles.
fn why(line: &LineClock) -> String {
    let all = line.waits.total();
    let mut stalls: Vec<_> =
        Stall::ALL.iter().map(|&stall| (line.waits.of(stall), stall)).filter(|(cycles, _)| *cycles > 0).collect();
    stalls.sort_by_key(|&(cycles, _)| std::cmp::Reverse(cycles));
    let part =
        |&(cycles, stall): &(u64, Stall)| format!("{} {:.0} %", stall.name(), 100.0 * cycles as f64 / all as f64);
    stalls.iter().take(2).map(part).collect::<Vec<_>>().join(", ")
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= TEXT { text.to_string() } else { text.chars().take(TEXT - 1).chain(['…']).collect() }
}

/// A row: the file and the text, the first line that has them, and how much was issued there.
struct Row<'l> {
    file: &'l str,
    text: &'l str,
    line: u32,
    issues: u64,
}

/// The rows of all runs, in the order in which the runs have them, and of each run for each line its row. What makes a row is
/// the file, the text, and how many lines with that text stand before it in the file. Lines that have only moved, as in another
/// version of a kernel, are one row.
fn rows_of<'l>(runs: &'l [Cow<'_, [LineReport]>]) -> (Vec<Row<'l>>, Vec<Vec<usize>>) {
    /// The rows with a text, and how many of them a run has come to.
    #[derive(Default)]
    struct Alike {
        rows: Vec<usize>,
        run: usize,
        seen: usize,
    }
    let (mut rows, mut alike) = (Vec::new(), HashMap::<(&str, &str), Alike>::new());
    let mut row = |run: usize, line: &'l LineReport| {
        let LineReport { file, text, line: number, issues, marker_issues, .. } = line;
        let alike = alike.entry((file, text)).or_default();
        if alike.run != run {
            (alike.run, alike.seen) = (run, 0);
        }
        if alike.seen == alike.rows.len() {
            alike.rows.push(rows.len());
            rows.push(Row { file, text, line: *number, issues: 0 });
        }
        let row = alike.rows[alike.seen];
        alike.seen += 1;
        rows[row].issues += issues + marker_issues;
        row
    };
    let of_runs =
        runs.iter().enumerate().map(|(run, lines)| lines.iter().map(|line| row(run, line)).collect()).collect();
    (rows, of_runs)
}

/// The source of all runs.
pub(super) fn source(runs: &[Run]) -> Source {
    let lines: Vec<Cow<'_, [LineReport]>> = runs.iter().map(Run::lines).collect();
    let (rows, rows_of_runs) = rows_of(&lines);
    let mut kept: Vec<usize> = (0..rows.len()).collect();
    kept.sort_by_key(|&row| std::cmp::Reverse(rows[row].issues));
    // Half of the page is for the source.
    let mut room = PAGE_LIMIT / 2;
    let fits = |&row: &usize| {
        let bytes = ROW.0 + ROW.1 * runs.len() + rows[row].text.len().min(4 * TEXT);
        let fits = bytes <= room;
        room = room.saturating_sub(bytes);
        fits
    };
    let count = kept
        .iter()
        .take_while({
            let mut fits = fits;
            move |row| fits(row)
        })
        .count();
    let left_out = kept.len() - count;
    kept.truncate(count);
    // The kernel's file is the first.
    let main = runs.iter().find_map(Run::report).map(Report::file);
    let main = main.filter(|file| rows.iter().any(|row| row.file == *file));
    let mut files: Vec<String> = main.map(str::to_string).into_iter().collect();
    let mut file = |name: &str| {
        files.iter().position(|file| file == name).unwrap_or_else(|| {
            files.push(name.to_string());
            files.len() - 1
        })
    };
    let mut listed: Vec<(usize, u32, usize)> =
        kept.iter().map(|&row| (file(rows[row].file), rows[row].line, row)).collect();
    listed.sort_unstable();
    let place: HashMap<usize, usize> = listed.iter().enumerate().map(|(place, &(_, _, row))| (row, place)).collect();
    let mut columns = columns();
    let mut values = vec![vec![vec![None; listed.len()]; columns.len()]; runs.len()];
    let mut reasons = vec![vec![String::new(); listed.len()]; runs.len()];
    for (number, (run, lines)) in runs.iter().zip(&lines).enumerate() {
        let clock: HashMap<_, _> = run
            .report()
            .and_then(Report::clock)
            .map(|clock| clock.lines())
            .unwrap_or_default()
            .iter()
            .map(|line| ((line.line, &*line.file), line))
            .collect();
        let idle = |line| run.report().map(|report| idle(report.lanes_per_issue(), line));
        let all_idle: Option<u64> = lines.iter().map(idle).sum();
        for (counted, row) in lines.iter().zip(&rows_of_runs[number]) {
            let Some(&place) = place.get(row) else { continue };
            let timed = clock.get(&(counted.line, &*counted.file)).copied();
            let line = Line { counted, timed, idle: idle(counted).zip(all_idle) };
            for (column, value) in columns.iter().zip(&mut values[number]) {
                value[place] = (column.value)(&line);
            }
            reasons[number][place] = line.timed.map(why).unwrap_or_default();
        }
    }
    // Columns that no line has are not shown.
    let has: Vec<bool> =
        (0..columns.len()).map(|column| values.iter().any(|run| run[column].iter().any(Option::is_some))).collect();
    let retain = |list: &mut Vec<Vec<Option<f64>>>| {
        let mut kept = has.iter();
        list.retain(|_| kept.next() == Some(&true));
    };
    values.iter_mut().for_each(retain);
    let mut kept = has.iter();
    columns.retain(|_| kept.next() == Some(&true));
    if reasons.iter().flatten().all(String::is_empty) {
        reasons.clear();
    }
    let text = |line, row: usize| if line == 0 { NO_LINE.to_string() } else { shortened(rows[row].text) };
    let rows = listed.iter().map(|&(file, line, row)| (file, line, text(line, row))).collect();
    Source { files, columns, rows, values, why: reasons, left_out }
}

/// What stands on the page: the script fills the table.
pub(super) fn section(runs: &[Run], source: &Source) -> Markup {
    html! {
        div.controls {
            label { "Run " select #run { @for (number, run) in runs.iter().enumerate() { option value=(number) { (run.name) } } } }
            @if runs.len() > 1 {
                label { "compared with " select #other { option value="" { "nothing" } @for (number, run) in runs.iter().enumerate() { option value=(number) { (run.name) } } } }
            }
            label { "heat " select #heat { @for column in &source.columns { option value=(column.id) selected[column.id == "idle"] { (column.name) } } } }
            label { "find " input #find type="search" placeholder="text in a line"; }
        }
        @if let Some((first, others)) = source.files.split_first() {
            p.soft { "Lines of " code { (first) } @if !others.is_empty() { "; those of other files have their file’s name" } "." }
        }
        @if source.left_out > 0 {
            p.note { (source.left_out) " lines that were issued least often are left out." }
        }
        div.scroll.lines #lines tabindex="0" role="group" aria-label="Source lines with their figures" {
            table #table {
                caption { "A line’s colour says how much of the chosen figure is its. Press a column’s name to sort." }
                thead {}
                tbody {}
            }
        }
        p.soft #status role="status" {}
    }
}
