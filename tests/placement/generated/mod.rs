//! Random structured kernels, held against what ptxas made of their CUDA twins.
//!
//! `sample.txt` has a part of those that `generate.py` made (its head says how); the figure in the book's page on evidence is of
//! 500. To make it again, run the script and name its file by `PLACEMENT_FACTS`. `rules.txt` has for each rule about exits of
//! loops kernels that it was found by (`generate.py --texts`).

mod facts;
mod graph;
mod twin;

use facts::Facts;
use graph::{Graph, Stands};
use simt::core::code::Markers;
use std::collections::BTreeMap;

/// The known differences in the sample: points of the twins, and barriers of ptxas' own graphs that are not ours.
const KNOWN: (usize, usize) = (16, 15);

/// How kernels and their graphs agree.
#[derive(Default)]
struct Tally {
    kernels: usize,
    wholly: usize,
    points: usize,
    /// The number of differences, by class.
    wrong: BTreeMap<&'static str, usize>,
    /// Those of them at which our rules agree in ptxas' own graph: the compiler has made another graph of the source.
    restructured: usize,
    barriers: usize,
    missing: usize,
}

impl Tally {
    fn wrong(&self) -> usize {
        self.wrong.values().sum()
    }

    /// The twin of a kernel.
    fn twin(&mut self, text: &str, theirs: &Facts, graph: &Graph) {
        let placed = graph.ours();
        let breaks = |barriers: &[Stands]| barriers.iter().map(|barrier| barrier.2.len()).sum::<usize>();
        let ours = Facts::of(&twin::program("twin", text).code(Markers::PtxasBarriers));
        let before = self.wrong();
        let mut differ = |class| *self.wrong.entry(class).or_default() += 1;
        for (number, theirs) in &theirs.branches {
            // A branch that is none in the machine code, or the other way round, is no point.
            let Some(ours) = ours.branches.get(number) else { continue };
            self.points += 1;
            if ours != theirs {
                let agrees = graph.meets(*number, &placed) == graph.meets(*number, &graph.barriers);
                self.restructured += usize::from(agrees);
                differ(match (ours.as_str(), theirs.as_str()) {
                    ("-", _) => "a branch has no barrier here",
                    (_, "-") => "a branch has a barrier here alone",
                    _ => "lanes meet elsewhere",
                });
            }
        }
        self.points += 1;
        if ours.breaks != theirs.breaks {
            self.restructured += usize::from(breaks(&placed) == breaks(&graph.barriers));
            differ("number of breaks");
        }
        for (number, yields) in &theirs.loops {
            let same = |known: &&(String, bool)| known.0 == *number;
            let Some(_) = ours.loops.iter().find(same) else { continue };
            self.points += 1;
            if !ours.loops.contains(&(number.clone(), *yields)) {
                differ("yield");
            }
        }
        self.kernels += 1;
        self.wholly += usize::from(self.wrong() == before);
    }

    /// Our barriers in the graph of the machine code.
    fn graph(&mut self, graph: &Graph) {
        let ours = graph.ours();
        let place = |(sync, region, _): &Stands| (graph.canonical(*sync), graph.own(region));
        self.barriers += graph.barriers.len();
        let has = |theirs: &Stands| ours.iter().any(|ours| place(ours) == place(theirs));
        self.missing += graph.barriers.iter().filter(|theirs| !has(theirs)).count();
    }
}

fn tally(text: &str) -> Tally {
    let (mut tally, mut kernel, mut twin) = (Tally::default(), "", "");
    for line in text.lines() {
        match line.trim().split_once(' ') {
            Some(("twin", rest)) if rest.starts_with("75 ") => twin = &rest[3..],
            Some(("graph", rest)) if rest.starts_with("75 ") => {
                let graph = Graph::read(&rest[3..]);
                tally.twin(kernel, &Facts::read(twin), &graph);
                tally.graph(&graph);
            }
            Some((_, rest)) if !line.starts_with(' ') => kernel = rest,
            _ => {}
        }
    }
    tally
}

#[test]
fn generated_kernels_meet_where_ptxas_lets_them() {
    let file = std::env::var("PLACEMENT_FACTS").ok();
    let text =
        file.as_ref().map(|file| std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}")));
    let tally = tally(text.as_deref().unwrap_or(include_str!("sample.txt")));
    let (wrong, share) = (tally.wrong(), |wrong: usize, all: usize| 100.0 - wrong as f64 * 100.0 / all as f64);
    let message = format!(
        "{} kernels, {} wholly; {} points, {wrong} differ ({:.1} % agree): {:?}, of which {} where the \
         compiler made another graph; {} barriers of ptxas in its own graphs, \
         {} not ours ({:.1} % agree)",
        tally.kernels,
        tally.wholly,
        tally.points,
        share(wrong, tally.points),
        tally.wrong,
        tally.restructured,
        tally.barriers,
        tally.missing,
        share(tally.missing, tally.barriers),
    );
    if file.is_some() {
        return eprintln!("{message}");
    }
    assert_eq!((wrong, tally.missing), KNOWN, "{message}");
}

/// Each rule about exits of loops by itself.
#[test]
fn exits_of_loops_are_where_ptxas_puts_them() {
    let text = include_str!("rules.txt");
    let rules: Vec<&str> = text.split("# ").skip(1).collect();
    assert_eq!(rules.len(), 5);
    for rule in rules {
        let (title, kernels) = rule.split_once('\n').unwrap_or_else(|| panic!("{rule}"));
        let tally = tally(kernels);
        assert!(tally.kernels > 1 && tally.points > tally.kernels, "{title}: {} kernels", tally.kernels);
        assert_eq!(tally.wrong, BTreeMap::new(), "{title}");
    }
}
