//! The quick study's numbers as a file: what a change of engine or model moves, it has to say.

use std::fmt::Write;

use crate::endings::Ending;
use crate::fnv::fnv;
use crate::measured::Measured;
use crate::programs::{all, waiting};
use crate::runner::Results;
use crate::setup::Board;
use crate::traces::{MARKERS, MECHANISMS, PAIRS};

/// A line for each point: the program, its machine, and all that was measured; for each limit study; and for each program's
/// traces; above them what study it is. They are the same on every host.
pub(crate) fn text(study: &str, results: &Results) -> String {
    let mut text = format!("{study}\n");
    // A `write!` to a string cannot fail.
    for (point, measured) in &results.points {
        let setup = &point.setup;
        let _ = write!(
            text,
            "{} {:?} {:?} warp {} threads {} {:?}{}{}{}: ",
            all()[point.program].name,
            setup.mechanism,
            setup.formation,
            setup.warp,
            setup.threads,
            setup.change,
            if setup.sample.is_some() { " sampled" } else { "" },
            if setup.input == 0 { String::new() } else { format!(" input {}", setup.input) },
            if setup.board == Board::Fung2009 { String::new() } else { format!(" {:?}", setup.board) },
        );
        let _ = match &measured.unending {
            Some(how) => writeln!(text, "{how}"),
            None => writeln!(text, "{}", numbers(measured)),
        };
    }
    for (number, limits) in results.limits.iter().enumerate() {
        let _ = writeln!(
            text,
            "{} limits: NREC {}, PDOM {}, ORACLE {} issues",
            all()[number].name,
            limits.nrec,
            limits.pdom,
            limits.oracle
        );
    }
    for ((program, place), endings) in &results.endings {
        for Ending { policy, outcome, witness, .. } in endings {
            let (name, place) = (waiting()[*program].name, place.name());
            let _ = writeln!(text, "{name} under {policy} on {place}: {}. {witness}", outcome.name());
        }
    }
    for (&program, traces) in &results.traces {
        let name = all()[program].name;
        for (mechanism, run) in MECHANISMS.iter().zip(&traces.runs) {
            let counts = run.counts.iter().map(|(count, value)| format!("{value} {count}"));
            let markers = MARKERS.iter().zip(run.markers).filter(|(_, count)| *count > 0);
            let markers = markers.map(|(marker, count)| format!("{count} {marker}"));
            let all: Vec<String> = markers.chain(counts).collect();
            let ends = run.unending.as_deref().unwrap_or("ends");
            let _ =
                writeln!(text, "{name} traced under {mechanism}: {ends}, {} issues, {}", run.issues, all.join(", "));
        }
        for (&(one, other), distance) in PAIRS.iter().zip(&traces.distances) {
            let Some(distance) = distance else { continue };
            let _ = writeln!(
                text,
                "{name} traces of {} and {}: {} edits of {}, {} with lanes",
                MECHANISMS[one], MECHANISMS[other], distance.edits, distance.length, distance.edits_of_lanes
            );
        }
    }
    text
}

/// All that a point's pages and claims are made of.
fn numbers(measured: &Measured) -> String {
    let Measured { cycles, issues, thread_instructions, efficiency, bandwidth, misses, .. } = measured;
    let without = measured.misses_without_pending;
    let slots: Vec<String> = measured.slots.iter().map(|(_, cycles)| cycles.to_string()).collect();
    let mut text = format!(
        "{cycles} cycles, {issues} issues, {thread_instructions} instructions, lanes {efficiency:.6}, bandwidth {bandwidth:.6}, \
         misses {misses:.6} {without:.6}, slots {}",
        slots.join("/")
    );
    for (name, count) in &measured.counts {
        text += &format!(", {name} {count}");
    }
    if !measured.moments.is_empty() {
        let moments = serde_json::to_string(&measured.moments).unwrap_or_default();
        text += &format!(", {} samples {}", measured.moments.len(), fnv(moments.as_bytes()));
    }
    text
}

/// The lines that differ: `-` what was expected, `+` what was found. A line of one side that the other lacks is among them, but
/// for points that have not been run, where only a part of the study was. The first line of either side is the study's name.
pub(crate) fn differences(expected: &str, found: &str, is_part: bool) -> Vec<String> {
    let point = |line: &str| line.split(':').next().unwrap_or_default().to_string();
    let run: std::collections::BTreeSet<String> = found.lines().map(point).collect();
    let expected: Vec<&str> = expected.lines().filter(|line| !is_part || run.contains(&point(line))).collect();
    let expected = &*expected.join("\n");
    let only = |of: &str, other: &str, sign: char| -> Vec<String> {
        let known: std::collections::BTreeSet<&str> = other.lines().collect();
        of.lines().filter(|line| !known.contains(line)).map(|line| format!("{sign} {line}")).collect()
    };
    let mut all = only(expected, found, '-');
    all.extend(only(found, expected, '+'));
    // What was and what is of a point stand together.
    all.sort_by(|left, right| {
        left[2..].split(':').next().cmp(&right[2..].split(':').next()).then(right[..1].cmp(&left[..1]))
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_moved_is_listed() {
        assert!(differences("a: 1\nb: 2\n", "a: 1\nb: 2\n", false).is_empty());
        let (expected, found) = ("a: 1\nb: 2\nc: 4\n", "a: 1\nb: 3\nd: 5\n");
        assert_eq!(differences(expected, found, false), ["- b: 2", "+ b: 3", "- c: 4", "+ d: 5"]);
        let study = |lines: &str| format!("study, Quick\n{lines}");
        assert_eq!(differences(&study(expected), &study("a: 1\n"), true), [""; 0]);
        // `c` has not been run.
        assert_eq!(differences(expected, found, true), ["- b: 2", "+ b: 3", "+ d: 5"]);
    }
}
