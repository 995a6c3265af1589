//! The seven workloads counted as GPGPU-Sim counts them: by instruction of PTX, with its stack of post-dominators.
//!
//! Its figures are those of version 4.2, functional. The PTX is that of `sm_75`, whose dialect is the one that GPGPU-Sim reads.

use super::peers::{Graph, bfs, bitonic, collatz, mandel, reduce, saxpy, search};
use super::{Run, kernels};
use simt::ptx::Module;
use simt::{Gpu, Report, policy};
use std::collections::BTreeMap;

/// What a workload of `peers.cu` reports on the functional machine.
fn report(kernel: &str, workload: impl Fn(&Run) -> Report) -> Report {
    let kernels = kernels("peers", "sm_75", &[kernel]);
    workload(&Run { gpu: &Gpu::<policy::Ipdom>::default(), kernels: &kernels, file: "peers.sm_75.ptx" })
}

/// An efficiency within 1 % of another.
#[track_caller]
fn within(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() <= 0.01, "{found} instead of {expected}");
}

#[test]
fn efficiencies_are_those_of_gpgpu_sim() {
    within(report("saxpy", |run| saxpy(run, 1 << 14)).simd_efficiency(), 1.0);
    within(report("mandel", |run| mandel(run, 128)).simd_efficiency(), 0.513);
    within(report("collatz", |run| collatz(run, 4096)).simd_efficiency(), 0.484);
    within(report("bitonic", |run| bitonic(run, 4)).simd_efficiency(), 0.666);
    within(report("search", |run| search(run, 1 << 14, 1 << 16)).simd_efficiency(), 0.958);
    within(report("reduce", |run| reduce(run, 1 << 16)).simd_efficiency(), 0.949);
}

/// What warps issue, and with how many lanes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Count {
    issues: u64,
    threads: u64,
}

impl Count {
    /// As many instructions in a row, by as many lanes of a warp.
    fn issue(&mut self, instructions: u64, lanes: usize) {
        if lanes > 0 {
            self.issues += instructions;
            self.threads += instructions * lanes as u64;
        }
    }

    fn efficiency(self) -> f64 {
        self.threads as f64 / (32 * self.issues) as f64
    }
}

/// How many instructions a text of the search has where nodes are looked at; where it goes along edges, both have as many.
#[derive(Clone, Copy)]
struct Text {
    /// In front of the branch behind the last thread, that included.
    start: u64,
    /// From there to the branch of nodes that are not of the level.
    level: u64,
    /// From there to where edges are taken.
    edges: u64,
}

/// `peers.sm_75.ptx`, by NVVM of CUDA 13.5.
const NEW: Text = Text { start: 15, level: 6, edges: 15 };
/// `older/bfs.ptx`, by NVVM of CUDA 11.8: without `cvt.u64.u32 %rd4, %r1` in front of the second branch, and without `add.s32`,
/// `mul.wide.u32`, `add.s64` and `shl.b64` behind it, as `first[i + 1]` is 4 bytes behind `first[i]`.
const OLD: Text = Text { start: 15, level: 5, edges: 11 };

/// A level of a search, counted from a text and the graph alone: the numbers are how many instructions each basic block has.
fn counted(graph: &Graph, text: Text) -> Count {
    let mut count = Count::default();
    let nodes: Vec<usize> = (0..graph.levels.len()).collect();
    for warp in nodes.chunks(32) {
        count.issue(text.start + text.level, warp.len());
        let edges = |node: usize| &graph.edges[graph.first[node] as usize..graph.first[node + 1] as usize];
        let found: Vec<&[u32]> =
            warp.iter().filter(|&&node| graph.levels[node] == 0).map(|&node| edges(node)).collect();
        // Where its edges begin and end, and how many are left over if four are taken at a time.
        count.issue(text.edges, found.len());
        let over: Vec<&[u32]> =
            found.iter().map(|edges| &edges[..edges.len() % 4]).filter(|over| !over.is_empty()).collect();
        count.issue(1, over.len());
        let mut edge = |turn: usize, all: &[&[u32]], before: u64, behind: u64| {
            let now: Vec<u32> = all.iter().filter_map(|edges| edges.get(turn).copied()).collect();
            count.issue(before, now.len());
            count.issue(4, now.iter().filter(|&&to| graph.levels[to as usize] == u32::MAX).count());
            count.issue(behind, now.len());
        };
        for turn in 0..3 {
            edge(turn, &over, 9, 4);
        }
        let fours: Vec<&[u32]> = found.iter().map(|edges| &edges[edges.len() % 4..]).collect();
        let most = fours.iter().map(|edges| edges.len()).max().unwrap_or(0);
        for turn in 0..most {
            let (before, behind) = [(9, 0), (10, 0), (10, 0), (10, 3)][turn % 4];
            edge(turn, &fours, before, behind);
        }
        count.issue(4, found.len());
        count.issue(1, warp.len());
    }
    count
}

/// GPGPU-Sim 4.2 reads what compilers of CUDA 11 make, and its figure is .107. That of our text is .110: it has an instruction more
/// where all lanes are active, of 21, and four more where a few are. Of the text that CUDA 11.8 makes of the same code our count
/// is theirs, to the last digit.
#[test]
fn the_efficiency_of_a_search_is_explained_by_its_instructions() {
    let graph = Graph::new(1 << 16);
    let older = Module::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ptx/cuda/older/bfs.ptx"))
        .and_then(|module| module.kernel("bfs"))
        .unwrap_or_else(|error| panic!("{error}"));
    let run = Run {
        gpu: &Gpu::<policy::Ipdom>::default(),
        kernels: &BTreeMap::from([("bfs", older)]),
        file: "older/bfs.ptx",
    };
    for (report, text, figure) in
        [(report("bfs", |run| bfs(run, 1 << 16)), NEW, 0.110), (bfs(&run, 1 << 16), OLD, 0.107)]
    {
        let ours = counted(&graph, text);
        assert_eq!(ours, Count { issues: report.issues(), threads: report.thread_instructions() });
        assert!((ours.efficiency() - figure).abs() < 0.0005, "{} instead of {figure}", ours.efficiency());
    }
}
