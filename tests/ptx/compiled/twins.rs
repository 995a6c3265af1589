//! Kernels that the gallery has in Rust, on the same input, under `Ipdom`.
//!
//! Results are those of plain Rust on both sides. SIMD efficiency differs where compilers have merged branches, and because
//! addresses take instructions: so warps issue more or fewer of which all lanes are part. What is left out then is equal: how
//! often branches diverge, and the efficiency of what a part of the lanes issues.

use super::{COMPILERS, Run, calls, graphs, kernels, locks, matrices, peers, sorts, sums, texts};
use crate::gallery;
use crate::machine::Machine;
use simt::{Gpu, LaunchError, Report, policy};

/// The efficiency of issues of which a part of the lanes is part.
fn partly(report: &Report) -> f64 {
    let (mut issues, mut lanes) = (0, 0);
    for (count, &times) in report.lane_histogram().iter().enumerate().take(32) {
        issues += times;
        lanes += times * count as u64;
    }
    lanes as f64 / (32 * issues) as f64
}

/// What of the branches compilers leave.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Branches {
    /// The same, with as many instructions between them as to within so much of the efficiency of what a part of the lanes issues.
    Same(f64),
    /// Fewer: choices have become `selp`, `min` and `max`.
    Fewer,
    /// As many or more, at other places where lanes meet: earlier, so that more of them are together.
    Other,
}
use Branches::{Fewer, Other, Same};

/// Kernels of CUDA with what becomes of their branches by each compiler, and their twin.
struct Twin {
    source: &'static str,
    names: &'static [&'static str],
    ours: fn(&Run) -> Report,
    branches: [Branches; 3],
    theirs: fn(&dyn Machine) -> Result<Report, LaunchError>,
}

const TWINS: [Twin; 15] = [
    Twin {
        source: "peers",
        names: &["saxpy"],
        ours: |run| peers::saxpy(run, 1000),
        branches: [Same(0.0); 3],
        theirs: gallery::saxpy::run,
    },
    Twin {
        source: "matrices",
        names: &["matrix_product"],
        ours: matrices::matrix_product,
        branches: [Same(0.0); 3],
        theirs: gallery::matrix_product::run,
    },
    // What one or two lanes do at the end is a hundred issues, which weigh by the instructions of an atomic. By clang the other 31
    // lanes have an instruction of their own, which jumps over what the first does.
    Twin {
        source: "sums",
        names: &["total"],
        ours: sums::total,
        branches: [Same(0.02), Same(0.02), Same(0.08)],
        theirs: gallery::reduction::run,
    },
    Twin {
        source: "sums",
        names: &["scan_tiles", "add_sums"],
        ours: sums::scan,
        branches: [Same(0.01); 3],
        theirs: gallery::scan::run,
    },
    Twin {
        source: "histogram",
        names: &["histogram"],
        ours: sums::histogram,
        branches: [Same(0.0); 3],
        theirs: gallery::histogram::run,
    },
    Twin {
        source: "sorts",
        names: &["sort_words", "sort_floats"],
        ours: sorts::tiles,
        branches: [Same(0.01); 3],
        theirs: gallery::bitonic_sort::run,
    },
    // By clang the attacks of the first two queens are chosen by `selp`.
    Twin {
        source: "calls",
        names: &["queens_by_recursion", "queens_by_stack"],
        ours: calls::queens,
        branches: [Same(0.01), Same(0.01), Fewer],
        theirs: gallery::n_queens::run,
    },
    // Threads of which there are one or two a warp: the pieces of the atomics' branch are longer than those of the loop.
    Twin {
        source: "graphs",
        names: &["expand"],
        ours: graphs::search,
        branches: [Same(0.04); 3],
        theirs: gallery::bfs::run,
    },
    Twin {
        source: "matrices",
        names: &["sparse_product"],
        ours: matrices::sparse_product,
        branches: [Same(0.012); 3],
        theirs: gallery::spmv::run,
    },
    // Clang lets the lanes meet at the end of each place, as if the search ended there by a flag.
    Twin {
        source: "texts",
        names: &["find"],
        ours: texts::find,
        branches: [Same(0.01), Same(0.01), Other],
        theirs: gallery::string_search::run,
    },
    // Scores are the highest of four, which are three branches in Rust.
    Twin {
        source: "texts",
        names: &["align"],
        ours: texts::align,
        branches: [Fewer; 3],
        theirs: gallery::smith_waterman::run,
    },
    // In Rust lanes that halt leave the loop from the middle, and so no lane waits for another in it; so they do by nvcc, whose
    // tests of the operation are a tree. Clang has one way back to the loop's head and out of it, where lanes meet.
    Twin {
        source: "texts",
        names: &["interpret"],
        ours: texts::interpret,
        branches: [Fewer, Fewer, Other],
        theirs: gallery::interpreter::run,
    },
    // A turn of the loop has few instructions, so that each counts. By clang a lane that is done leaves from its side of the branch.
    Twin {
        source: "locks",
        names: &["careful"],
        ours: |run| locks::careful(run).unwrap(),
        branches: [Same(0.02), Same(0.02), Fewer],
        theirs: gallery::spin_lock::run,
    },
    Twin {
        source: "locks",
        names: &["tickets"],
        ours: |run| locks::tickets(run).unwrap(),
        branches: [Same(0.02); 3],
        theirs: gallery::ticket_lock::run,
    },
    Twin {
        source: "locks",
        names: &["a_lane_a_warp"],
        ours: |run| locks::a_lane_a_warp(run).unwrap(),
        branches: [Same(0.0); 3],
        theirs: gallery::warp_lock::run,
    },
];

#[test]
fn efficiency_differs_from_the_twins_by_what_is_explained() {
    let gpu = Gpu::<policy::Ipdom>::default();
    for Twin { source, names, ours, branches, theirs } in TWINS {
        let theirs = theirs(&gpu).unwrap();
        for (compiler, branches) in COMPILERS.into_iter().zip(branches) {
            let kernels = kernels(source, compiler, names);
            let file = format!("{source}.{compiler}.ptx");
            let ours = ours(&Run { gpu: &gpu, kernels: &kernels, file: &file });
            let diverged = (ours.diverged_branches(), theirs.diverged_branches());
            let efficiencies = (partly(&ours), partly(&theirs));
            let shown = format!("{} of {file}: {diverged:?}, {efficiencies:?}", names[0]);
            match branches {
                Same(most) => {
                    assert_eq!(diverged.0, diverged.1, "{shown}");
                    assert!((efficiencies.0 - efficiencies.1).abs() <= most + 1e-9, "{shown}");
                }
                Fewer => assert!(diverged.0 < diverged.1 && efficiencies.0 >= efficiencies.1 - 0.06, "{shown}"),
                Other => assert!(efficiencies.0 >= efficiencies.1, "{shown}"),
            }
        }
    }
}
