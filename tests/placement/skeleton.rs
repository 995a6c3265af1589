//! The points that are compared: for each branch its innermost barrier, how many `break`s there are, and which loops yield.

use simt::core::analysis::{FlowGraph, reconvergence_points};
use simt::core::code::{Code, Inst, Marker, Pc};

/// Where the lanes that part at a branch meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The branch is in no barrier.
    None,
    /// The innermost barrier's `bsync` is at the branch's immediate post-dominator.
    At,
    /// It is somewhere that not all come by.
    Early,
    /// It is behind the post-dominator: only a barrier further out is there.
    Later,
}

impl Verdict {
    pub(crate) fn read(word: &str) -> Option<Self> {
        match word {
            "-" => None,
            "none" => Some(Self::None),
            "at" => Some(Self::At),
            "early" => Some(Self::Early),
            "later" => Some(Self::Later),
            other => panic!("{other} is no verdict"),
        }
    }
}

pub(crate) struct Skeleton {
    /// In the order of their addresses.
    pub(crate) branches: Vec<Verdict>,
    pub(crate) breaks: usize,
    /// Whether a loop has a `yield` of its own, in the order of their heads.
    pub(crate) yields: Vec<bool>,
    pub(crate) text: String,
}

/// The addresses that threads come to from others without passing one.
fn reach(code: &Code, from: &[Pc], stop: Pc, backwards: bool) -> Vec<bool> {
    let len = code.insts.len();
    let mut edges = vec![Vec::new(); len];
    for pc in (0..len as u32).map(Pc) {
        for next in code.successors(pc) {
            let (from, to) = if backwards { (next, pc) } else { (pc, next) };
            edges[from.index()].push(to);
        }
    }
    let (mut seen, mut work) = (vec![false; len], from.to_vec());
    while let Some(pc) = work.pop() {
        if !std::mem::replace(&mut seen[pc.index()], true) && pc != stop {
            work.extend(&edges[pc.index()]);
        }
    }
    seen
}

/// Whether nothing but markers and jumps stands between two addresses.
fn leads_to(code: &Code, from: Pc, to: Pc) -> bool {
    let mut pc = from;
    for _ in 0..code.insts.len() {
        match code.inst(pc) {
            _ if pc == to => return true,
            inst if inst.is_marker() => pc = pc.next(),
            Inst::Jump { target, .. } => pc = *target,
            _ => return false,
        }
    }
    false
}

impl Skeleton {
    pub(crate) fn of(code: &Code) -> Self {
        let meets = reconvergence_points(code);
        // From each `bssy` to its `bsync`.
        let mut barriers: Vec<(Pc, Vec<bool>)> = Vec::new();
        for (index, inst) in code.insts.iter().enumerate() {
            if let Inst::Marker(Marker::BarrierSet { target, .. }) = *inst {
                let (set, sync) = (Pc(index as u32), Pc(target.0 - 1));
                let inside = reach(code, &[set.next()], sync, false);
                let reaching = reach(code, &[sync], set, true);
                let region = inside.iter().zip(reaching).map(|(&inside, reaching)| inside && reaching);
                barriers.push((sync, region.collect()));
            }
        }
        let verdict = |(index, inst): (usize, &Inst)| {
            if !matches!(inst, Inst::Branch { .. }) {
                return None;
            }
            let size = |region: &Vec<bool>| region.iter().filter(|&&inside| inside).count();
            let around = barriers.iter().filter(|(_, region)| region[index]);
            let Some((sync, _)) = around.min_by_key(|(_, region)| size(region)) else { return Some(Verdict::None) };
            let Some(meet) = meets[index] else { return Some(Verdict::Early) };
            let markers = leads_to(code, meet, *sync);
            let passes = !reach(code, &[Pc(index as u32)], *sync, false)
                .iter()
                .zip(&code.insts)
                .any(|(&reached, inst)| reached && matches!(inst, Inst::Exit | Inst::Return));
            Some(match (markers, passes) {
                (true, _) => Verdict::At,
                (false, true) => Verdict::Later,
                (false, false) => Verdict::Early,
            })
        };
        let is = |is: fn(&Marker) -> bool| {
            code.insts.iter().filter(|inst| matches!(inst, Inst::Marker(marker) if is(marker))).count()
        };
        let graph = FlowGraph::new(code);
        let mut loops: Vec<_> = graph.loops.iter().collect();
        loops.sort_by_key(|l| l.header);
        let has_own = |header: usize, latches: &[usize]| {
            // On the way back: in a latch, or in the block before it.
            latches.iter().any(|&latch| {
                let before = graph.predecessors[latch].iter().copied().filter(|&block| block != header);
                before.chain([latch, header]).any(|block| {
                    let range = graph.cfg.starts[block].index()..graph.cfg.ends[block].index();
                    code.insts[range].iter().any(|inst| matches!(inst, Inst::Marker(Marker::Yield)))
                })
            })
        };
        Self {
            branches: code.insts.iter().enumerate().filter_map(verdict).collect(),
            breaks: is(|marker| matches!(marker, Marker::BarrierBreak { .. })),
            yields: loops.iter().map(|l| has_own(l.header, &l.latches)).collect(),
            text: code.to_string(),
        }
    }
}
