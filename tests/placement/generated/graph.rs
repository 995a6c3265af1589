//! The graph of machine code as code of ours, and what barriers stand in it: those of the machine code, or ours.
//!
//! The text is that of `Function.graph` in `generate.py`. Blocks keep their numbers; each ends with a branch, a jump or an exit,
//! by which it is known again.

use simt::core::code::{Code, Inst, Marker, Markers, Pc};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The block with the `bsync`, the blocks at whose beginning the barrier is in force, and those with a `break` of it.
pub(crate) type Stands = (usize, BTreeSet<usize>, Vec<usize>);

#[derive(Debug, Default)]
pub(crate) struct Graph {
    blocks: Vec<(char, String)>,
    /// How many instructions a block has.
    sizes: Vec<usize>,
    /// The number of the comparison before the branch at a block's end.
    names: Vec<Option<u32>>,
    pub(crate) barriers: Vec<Stands>,
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

impl Graph {
    pub(crate) fn read(text: &str) -> Self {
        let mut graph = Self::default();
        for word in text.split_whitespace() {
            if word.starts_with("yields=") {
                continue;
            }
            if let Some((sync, rest)) = word.split_once('[') {
                let (region, breaks) = rest.split_once(']').unwrap_or_else(|| panic!("{word}"));
                let region = region.split('.').filter(|block| !block.is_empty()).map(number).collect();
                let breaks = breaks.split('b').filter(|block| !block.is_empty()).map(number).collect();
                graph.barriers.push((number(sync), region, breaks));
            } else {
                let parts: Vec<&str> = word.split(':').collect();
                graph.blocks.push((parts[1].chars().next().unwrap_or('n'), parts[2].to_owned()));
                graph.sizes.push(parts[1].get(1..).and_then(|size| size.parse().ok()).unwrap_or(1));
                graph.names.push(parts.get(3).map(|name| number(name) as u32));
            }
        }
        graph.barriers.sort();
        graph
    }

    /// The blocks that a block's end leads to, exits left out.
    fn next(&self, block: usize) -> Vec<usize> {
        self.blocks[block].1[1..].split('.').filter(|next| !next.is_empty() && *next != "x").map(number).collect()
    }

    /// The code with our barriers.
    pub(crate) fn code(&self) -> Code {
        // The head of the loop that a block leads back to.
        let back = |block: usize, next: usize| {
            let next = if next > block && self.blocks[next].1.starts_with('j') { self.next(next)[0] } else { next };
            (next <= block).then_some(next)
        };
        let is_latch = |block: usize| self.next(block).into_iter().find_map(|next| back(block, next));
        let heads: BTreeSet<usize> = (0..self.blocks.len())
            .filter(|&block| self.blocks[block].1.starts_with('f'))
            .filter_map(is_latch)
            .collect();
        let mut text = "kernel k(p: &mut [i32], u: &[i32], n: usize)\n.reg usize %i, i32 %v, bool %q\n".to_owned();
        for head in &heads {
            let _ = writeln!(text, ".reg usize %k{head}");
        }
        let _ = writeln!(text, "mov.usize %i, global_id()");
        for (number, (work, end)) in self.blocks.iter().enumerate() {
            let _ = match work {
                's' => writeln!(text, "L{number}: st.i32.volatile p[%i], {number}"),
                'p' => writeln!(text, "L{number}: st.i32 p[%i], {number}"),
                _ => write!(text, "L{number}: "),
            };
            // The comparison before a branch is there below.
            for _ in 3..self.sizes[number] {
                text += "st.i32 p[%i], 0\n";
            }
            // Counters begin before their loops.
            for head in heads.iter().filter(|head| **head > number && self.next(number).contains(head)) {
                let _ = writeln!(text, "mov.usize %k{head}, 0");
            }
            let targets: Vec<&str> = end[1..].split('.').collect();
            let label = |target: &str| format!("L{target}");
            match end.as_bytes()[0] {
                b'x' => text += "exit\n",
                b'X' => text += "jmp END\n",
                b'j' => {
                    let _ = writeln!(text, "jmp {}", label(targets[0]));
                }
                kind => {
                    let _ = match (kind, is_latch(number)) {
                        (b'd', _) => writeln!(text, "ld.i32 %v, p[%i]\ngt.i32 %q, %v, 3"),
                        (b'f', Some(head)) => {
                            writeln!(text, "add.usize %k{head}, %k{head}, 1\nlt.usize %q, %k{head}, n")
                        }
                        (b'f', None) => writeln!(text, "lt.usize %q, 0, n"),
                        _ => writeln!(text, "ld.i32 %v, u[0]\ngt.i32 %q, %v, 3"),
                    };
                    // The second is the block behind, which comes first in the order of blocks; a predicated exit is one beside
                    // the branch.
                    let _ = match targets[1] {
                        "x" => writeln!(text, "@%q bra {}\nexit", label(targets[0])),
                        next => writeln!(text, "@!%q bra {}\njmp {}", label(next), label(targets[0])),
                    };
                }
            }
        }
        text += "END: exit\n";
        Code::parse(&text)
            .unwrap_or_else(|error| panic!("{error}\n{text}"))
            .for_markers(Markers::PtxasBarriers)
            .into_inner()
    }

    /// Past a block that only jumps on, and that only one leads to.
    pub(crate) fn canonical(&self, block: usize) -> usize {
        let before = (0..self.blocks.len()).filter(|&from| self.next(from).contains(&block)).count();
        match self.blocks.get(block) {
            Some(('n', end)) if end.starts_with('j') && before < 2 => self.canonical(self.next(block)[0]),
            _ => block,
        }
    }

    /// Of a region the blocks that end with a branch or an exit.
    pub(crate) fn own(&self, region: &BTreeSet<usize>) -> Vec<usize> {
        region.iter().copied().filter(|&block| !self.blocks[block].1.starts_with('j')).collect()
    }

    /// Where the lanes meet of each branch with a name, by its innermost barrier.
    pub(crate) fn meets(&self, name: u32, barriers: &[Stands]) -> Vec<Option<usize>> {
        // The block with the `bssy` is not in the region, only what comes behind it.
        let holds = |region: &BTreeSet<usize>, block: usize| {
            region.contains(&block) || self.next(block).iter().any(|next| region.contains(next))
        };
        let innermost = |block: usize| {
            let around = barriers.iter().filter(|(_, region, _)| holds(region, block));
            around.min_by_key(|(_, region, _)| region.len()).map(|(sync, ..)| self.canonical(*sync))
        };
        (0..self.blocks.len()).filter(|&block| self.names[block] == Some(name)).map(innermost).collect()
    }

    /// The barriers that our rules put there.
    pub(crate) fn ours(&self) -> Vec<Stands> {
        let marked = self.code();
        // By instruction: the block at whose end it is. Jumps that were added come behind.
        let is_end = |inst: &Inst| matches!(inst, Inst::Branch { .. } | Inst::Jump { .. } | Inst::Exit);
        let mut begins = vec![None; self.blocks.len()];
        let mut block = 0;
        let mut branched = false;
        let mut of = vec![None; marked.insts.len()];
        for (index, inst) in marked.insts.iter().enumerate() {
            of[index] = (block < self.blocks.len()).then_some(block);
            if block < self.blocks.len() && !inst.is_marker() {
                begins[block].get_or_insert(index);
            }
            if is_end(inst) && block < self.blocks.len() {
                branched = !branched && self.blocks[block].1.contains('.');
                block += usize::from(!branched);
            }
        }
        let mut found = Vec::new();
        let mut behind = vec![Vec::new(); marked.insts.len()];
        let mut before = vec![Vec::new(); marked.insts.len()];
        for pc in (0..marked.insts.len() as u32).map(Pc) {
            for next in marked.successors(pc) {
                behind[pc.index()].push(next);
                before[next.index()].push(pc);
            }
        }
        let mut regions = Vec::new();
        for (index, inst) in marked.insts.iter().enumerate() {
            if let Inst::Marker(Marker::BarrierSet { target, barrier }) = *inst {
                let (set, sync) = (Pc(index as u32), Pc(target.0 - 1));
                let inside = super::facts::walk(&behind, set.next(), sync);
                let reaching = super::facts::walk(&before, sync, set);
                let region: Vec<bool> = inside.iter().zip(reaching).map(|(&inside, other)| inside && other).collect();
                // The block that the `bsync` leads into.
                let mut join = target;
                while marked.inst(join).is_marker() {
                    join = join.next();
                }
                let join = match *marked.inst(join) {
                    Inst::Jump { target, .. } if of[join.index()].is_none() => {
                        let mut join = target;
                        while marked.inst(join).is_marker() {
                            join = join.next();
                        }
                        of[join.index()]
                    }
                    _ => of[join.index()],
                };
                let inside = |&block: &usize| Some(block) != join && begins[block].is_some_and(|at| region[at]);
                let blocks: BTreeSet<usize> = (0..self.blocks.len()).filter(inside).collect();
                regions.push((barrier, region, found.len()));
                found.push((join.unwrap_or(usize::MAX), blocks, Vec::new()));
            }
        }
        for (index, inst) in marked.insts.iter().enumerate() {
            if let Inst::Marker(Marker::BarrierBreak { barrier, .. }) = *inst {
                let size = |region: &[bool]| region.iter().filter(|&&inside| inside).count();
                let around = regions.iter().filter(|(register, region, _)| *register == barrier && region[index]);
                if let Some((_, _, number)) = around.min_by_key(|(_, region, _)| size(region)) {
                    found[*number].2.push(of[index].unwrap_or(usize::MAX));
                }
            }
        }
        found.iter_mut().for_each(|barrier| barrier.2.sort_unstable());
        found.sort();
        found
    }
}
