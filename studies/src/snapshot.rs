//! The quick study's numbers as a file: what a change of engine or model moves, it has to say.

use std::fmt::Write;

use crate::programs::PROGRAMS;
use crate::runner::Results;

/// A line for each point: the program, its machine, cycles, issues and instructions of threads. They are the same on every
/// host.
pub(crate) fn text(results: &Results) -> String {
    let mut text = String::new();
    for (point, measured) in &results.points {
        let setup = &point.setup;
        // A `write!` to a string cannot fail.
        let _ = writeln!(
            text,
            "{} {:?} {:?} warp {} threads {} {:?}{}: {} cycles, {} issues, {} instructions",
            PROGRAMS[point.program].name,
            setup.mechanism,
            setup.formation,
            setup.warp,
            setup.threads,
            setup.change,
            if setup.sample.is_some() { " sampled" } else { "" },
            measured.cycles,
            measured.issues,
            measured.thread_instructions
        );
    }
    for (number, limits) in results.limits.iter().enumerate() {
        let name = PROGRAMS.get(number).map_or("Contrived", |program| program.name);
        let _ = writeln!(
            text,
            "{name} limits: NREC {}, PDOM {}, ORACLE {} issues",
            limits.nrec, limits.pdom, limits.oracle
        );
    }
    text
}

/// The lines that differ: `-` what was expected, `+` what was found. A line of one side that the other lacks is among them, but
/// for points that have not been run, where only a part of the study was.
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
        // `c` has not been run.
        assert_eq!(differences(expected, found, true), ["- b: 2", "+ b: 3", "+ d: 5"]);
    }
}
