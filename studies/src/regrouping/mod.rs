//! Mechanisms that regroup or subdivide warps, against stacks: W. W. L. Fung and T. M. Aamodt, *Thread Block Compaction*
//! (HPCA 2011), J. Meng, D. Tarjan and K. Skadron, *Dynamic Warp Subdivision* (ISCA 2010), A. ElTantawy et al., *A Scalable
//! Multi-Path Microarchitecture* (HPCA 2014), all on the machine of TACO'09.
//!
//! What is printed is from the papers' abstracts; their programs and machines are others.

mod claims;

use crate::page::{Page, Table};
use crate::plot::Bars;
use crate::programs::{CONTRIVED, PROGRAMS, Scale, all};
use crate::runner::{Needs, Results, harmonic};
use crate::setup::{Mechanism, Setup};
use crate::study::{Figure, Study};

pub(crate) const STUDY: Study =
    Study { name: "regrouping", title: "Regrouping and subdividing warps", figures: &FIGURES, claims: claims::claims };

const FIGURES: [Figure; 4] = [
    Figure {
        name: "programs",
        title: "The programs of TACO'09",
        needs: |needs, _| of(needs, benchmarks(), ALL_THREADS),
        page: |results, _| page(results, &benchmarks(), ALL_THREADS, Some("programs.svg")),
    },
    Figure {
        name: "few",
        title: "The programs of TACO'09 with 128 threads a core",
        needs: |needs, _| of(needs, benchmarks(), FEW_THREADS),
        page: |results, _| page(results, &benchmarks(), FEW_THREADS, Some("few.svg")),
    },
    Figure {
        name: "gallery",
        title: "The gallery's kernels",
        needs: |needs, _| of(needs, from("gallery"), ALL_THREADS),
        page: |results, _| page(results, &from("gallery"), ALL_THREADS, Some("gallery.svg")),
    },
    Figure {
        name: "twins",
        title: "Twins of CUDA kernels",
        needs: |needs: &mut Needs, _: Scale| of(needs, from("placement"), ALL_THREADS),
        page: |results, _| page(results, &from("placement"), ALL_THREADS, None),
    },
];

/// Threads of a core: all, and as many as four warps have.
const ALL_THREADS: usize = 768;
const FEW_THREADS: usize = 128;

/// The mechanisms, the stack first.
const MECHANISMS: [(&str, Mechanism); 10] = [
    ("PDOM", Mechanism::Pdom),
    ("likely points", Mechanism::LikelyConvergence),
    ("multi-path", Mechanism::MultiPath),
    ("DWS", Mechanism::Subdivision),
    ("DWS, loads", Mechanism::SubdivisionAtLoads),
    ("DWS, loads, branch-limited", Mechanism::SubdivisionLimited),
    ("DWS, loads, by pc", Mechanism::SubdivisionByPc),
    ("DWF", Mechanism::Majority),
    ("compaction", Mechanism::Compaction),
    ("MIMD", Mechanism::Mimd),
];

/// A mechanism with so many threads a core.
const fn setup(mechanism: Mechanism, threads: usize) -> Setup {
    Setup::new(mechanism).with_threads(threads)
}

/// The seven, and the contrived loop.
fn benchmarks() -> Vec<usize> {
    (0..=PROGRAMS.len()).collect()
}

fn from(origin: &str) -> Vec<usize> {
    (0..all().len()).filter(|&program| all()[program].origin() == origin).collect()
}

fn of(needs: &mut Needs, programs: Vec<usize>, threads: usize) {
    for program in programs {
        MECHANISMS.iter().for_each(|&(_, mechanism)| needs.one(program, setup(mechanism, threads)));
    }
}

/// The speed of a program over that under the stack; none if it does not end under one of the two.
fn speed(results: &Results, program: usize, mechanism: Mechanism, base: Mechanism, threads: usize) -> Option<f64> {
    let [ours, base] = [mechanism, base].map(|mechanism| results.of(program, setup(mechanism, threads)));
    (ours.unending.is_none() && base.unending.is_none()).then(|| ours.ipc / base.ipc)
}

/// The harmonic mean of the speeds of programs.
fn mean_speed(results: &Results, programs: &[usize], mechanism: Mechanism, base: Mechanism, threads: usize) -> f64 {
    let speeds = programs.iter().filter_map(|&program| speed(results, program, mechanism, base, threads));
    harmonic(&speeds.collect::<Vec<f64>>())
}

/// Programs that suffer from divergence: that have less than three quarters of their lanes at work under the stack.
fn divergent(results: &Results, programs: &[usize], threads: usize) -> Vec<usize> {
    let suffers = |&program: &usize| {
        let stack = results.of(program, setup(Mechanism::Pdom, threads));
        stack.unending.is_none() && stack.efficiency < 0.75
    };
    programs.iter().copied().filter(suffers).collect()
}

/// The seven programs, their contrived companion left out.
fn real() -> Vec<usize> {
    benchmarks().into_iter().filter(|&program| all()[program].name != CONTRIVED.name).collect()
}

fn page(results: &Results, programs: &[usize], threads: usize, picture: Option<&str>) -> Result<Page, String> {
    let columns: Vec<&str> = MECHANISMS.iter().map(|(name, _)| *name).collect();
    let mut table = Table::new(
        "Speed over PDOM; `NaN`: the program does not end under the mechanism or under PDOM, and counts in no mean. The means are \
         harmonic ones of the programs' speeds, each program alike. Last, lanes that work under PDOM, in %.",
        &[&*columns, &["efficiency"]].concat(),
        2,
    );
    let over =
        |program: usize, mechanism| speed(results, program, mechanism, Mechanism::Pdom, threads).unwrap_or(f64::NAN);
    for &program in programs {
        let efficiency = 100.0 * results.of(program, setup(Mechanism::Pdom, threads)).efficiency;
        let speeds = MECHANISMS.iter().map(|&(_, mechanism)| over(program, mechanism));
        table.row(all()[program].name, speeds.chain([efficiency]));
    }
    let mean = |programs: &[usize]| -> Vec<f64> {
        let of =
            |&(_, mechanism): &(&str, Mechanism)| mean_speed(results, programs, mechanism, Mechanism::Pdom, threads);
        MECHANISMS.iter().map(of).collect()
    };
    let suffering = divergent(results, programs, threads);
    table.row("harmonic mean", mean(programs));
    table.row(&format!("that of {} divergent ones", suffering.len()), mean(&suffering));
    let mut issues =
        Table::new("Warp instructions, markers left out, over those of PDOM.", &columns[..columns.len() - 1], 2);
    let of_warps = &MECHANISMS[..MECHANISMS.len() - 1];
    for &program in programs {
        let count = |mechanism| {
            let measured = results.of(program, setup(mechanism, threads));
            if measured.unending.is_some() { f64::NAN } else { measured.issues as f64 }
        };
        issues
            .row(all()[program].name, of_warps.iter().map(|&(_, mechanism)| count(mechanism) / count(Mechanism::Pdom)));
    }
    let mut pictures = Vec::new();
    if let Some(file) = picture {
        let bars = Bars {
            title: "Speed over PDOM",
            unit: "IPC / IPC of PDOM",
            groups: programs.iter().map(|&program| all()[program].name.to_string()).collect(),
            series: MECHANISMS[1..]
                .iter()
                .map(|&(name, mechanism)| {
                    let speeds = programs.iter().map(|&program| over(program, mechanism));
                    (name.to_string(), speeds.map(|speed| if speed.is_nan() { 0.0 } else { speed }).collect())
                })
                .collect(),
            printed: Vec::new(),
        };
        pictures.push((file.to_string(), bars.svg()?));
    }
    Ok(Page { pictures, tables: vec![table, issues], ..Page::default() })
}
