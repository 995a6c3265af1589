//! The points that are compared: where the lanes meet that part at a branch, how many `break`s there are, and which loops
//! yield.

use simt::core::analysis::FlowGraph;
use simt::core::code::{Code, Inst, Marker, Operand, Pc};
use std::collections::{BTreeMap, BTreeSet};

/// The label of a place: the numbers that come first behind it, and `x` where threads may end before.
pub(crate) type Next = String;

/// As `Function.facts` of `generate.py` has them of machine code.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) struct Facts {
    /// The label of what comes next behind the `bsync` of each branch's innermost barrier; `-` if there is none.
    pub(crate) branches: BTreeMap<u32, Next>,
    pub(crate) breaks: usize,
    /// The numbers in each loop, and whether it has a `yield` of its own.
    pub(crate) loops: BTreeSet<(String, bool)>,
}

impl Facts {
    pub(crate) fn read(text: &str) -> Self {
        let mut facts = Self::default();
        for word in text.split_whitespace() {
            let (what, value) = word.split_once('=').unwrap_or_else(|| panic!("{word}"));
            let pair = || value.split_once(':').unwrap_or_else(|| panic!("{word}"));
            match what {
                "branch" => facts.branches.extend([(number(pair().0), pair().1.to_owned())]),
                "breaks" => facts.breaks = number(value) as usize,
                "loop" => facts.loops.extend([(pair().0.to_owned(), pair().1 == "yes")]),
                _ => panic!("{word}"),
            }
        }
        facts
    }

    pub(crate) fn of(code: &Code) -> Self {
        let graph = FlowGraph::new(code);
        let paths = Paths::new(code);
        let mut barriers: Vec<(Pc, Vec<bool>)> = Vec::new();
        for (index, inst) in code.insts.iter().enumerate() {
            if let Inst::Marker(Marker::BarrierSet { target, .. }) = *inst {
                let (set, sync) = (Pc(index as u32), Pc(target.0 - 1));
                let inside = walk(&paths.behind, set.next(), sync);
                let reaching = walk(&paths.before, sync, set);
                barriers.push((sync, inside.iter().zip(reaching).map(|(&inside, other)| inside && other).collect()));
            }
        }
        let block = |block: usize| graph.cfg.starts[block].index()..graph.cfg.ends[block].index();
        let tags = |number: usize| code.insts[block(number)].iter().filter_map(|inst| tag(code, inst));
        let mut facts = Self::default();
        for &at in &graph.order {
            let last = block(at).end - 1;
            if let Inst::Branch { cond, .. } = code.insts[last]
                && let Some(name) = compared(code, last, cond)
            {
                let size = |(_, region): &&(Pc, Vec<bool>)| region.iter().filter(|&&inside| inside).count();
                let innermost = barriers.iter().filter(|(_, region)| region[last]).min_by_key(size);
                facts.branches.insert(name, innermost.map_or("-".to_owned(), |(sync, _)| paths.next(code, *sync)));
            }
        }
        let is = |is: fn(&Marker) -> bool| move |&&at: &&usize| matches!(&code.insts[at], Inst::Marker(marker) if is(marker));
        let all: Vec<usize> = (0..code.insts.len()).collect();
        facts.breaks = all.iter().filter(is(|marker| matches!(marker, Marker::BarrierBreak { .. }))).count();
        for l in &graph.loops {
            let inner = |at: usize| {
                graph
                    .loops
                    .iter()
                    .any(|other| l.header != other.header && l.contains[other.header] && other.contains[at])
            };
            let blocks: Vec<usize> = (0..l.contains.len()).filter(|&at| l.contains[at]).collect();
            let own: Vec<usize> = blocks.iter().filter(|&&at| !inner(at)).flat_map(|&at| block(at)).collect();
            let yields = own.iter().any(|at| is(|marker| matches!(marker, Marker::Yield))(&at));
            let found: BTreeSet<u32> = blocks.iter().flat_map(|&at| tags(at)).collect();
            facts.loops.insert((show(found.iter()), yields));
        }
        facts
    }
}

fn number(text: &str) -> u32 {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn show(items: impl Iterator<Item = impl ToString>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(".")
}

/// The number of what an instruction does.
fn tag(code: &Code, inst: &Inst) -> Option<u32> {
    let constants = code.operands(inst).filter_map(|operand| match operand {
        Operand::Const(constant) => Some(constant.bits / 4),
        _ => None,
    });
    constants.filter(|number| (16..1000).contains(number)).map(|number| number as u32).next()
}

/// The number of the comparison that a condition comes from, the last one before an address.
fn compared(code: &Code, before: usize, cond: Operand) -> Option<u32> {
    let Operand::Reg(register) = cond else { return None };
    let at = code.insts[..before].iter().rposition(|inst| inst.destination() == Some(register))?;
    let inst = &code.insts[at];
    match *inst {
        Inst::Move { src, .. } | Inst::Unary { src, .. } => compared(code, at, src),
        _ => tag(code, inst),
    }
}

/// Instructions and those that may follow.
struct Paths {
    behind: Vec<Vec<Pc>>,
    before: Vec<Vec<Pc>>,
}

impl Paths {
    fn new(code: &Code) -> Self {
        let mut paths = Self { behind: Vec::new(), before: vec![Vec::new(); code.insts.len()] };
        for pc in (0..code.insts.len() as u32).map(Pc) {
            let next: Vec<Pc> = code.successors(pc).into_iter().collect();
            next.iter().for_each(|next| paths.before[next.index()].push(pc));
            paths.behind.push(next);
        }
        paths
    }

    fn next(&self, code: &Code, from: Pc) -> Next {
        let (mut found, mut ends) = (BTreeSet::new(), false);
        let (mut seen, mut work) = (vec![false; self.behind.len()], self.behind[from.index()].clone());
        while let Some(at) = work.pop() {
            if !std::mem::replace(&mut seen[at.index()], true) {
                match tag(code, code.inst(at)) {
                    Some(tag) => found.extend([tag]),
                    None => work.extend(&self.behind[at.index()]),
                }
                ends |= matches!(code.inst(at), Inst::Exit);
            }
        }
        show(found.iter().map(ToString::to_string).chain(ends.then(|| "x".to_owned())))
    }
}

pub(crate) fn walk(edges: &[Vec<Pc>], from: Pc, stop: Pc) -> Vec<bool> {
    let (mut seen, mut work) = (vec![false; edges.len()], vec![from]);
    while let Some(pc) = work.pop() {
        if !std::mem::replace(&mut seen[pc.index()], true) && pc != stop {
            work.extend(&edges[pc.index()]);
        }
    }
    seen
}
