//! The control-flow graph of code: basic blocks and their successors.

use super::{Code, Pc};

/// Basic blocks in address order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cfg {
    /// Address of each block's first instruction.
    pub starts: Vec<Pc>,
    /// Address behind each block's last instruction.
    pub ends: Vec<Pc>,
    /// For each instruction the block it is in.
    pub block_of: Vec<usize>,
    /// For each block the blocks that may come next; none if it ends the thread.
    pub successors: Vec<Vec<usize>>,
}

impl Cfg {
    /// The control-flow graph of code. A block ends behind a control instruction and before a target.
    pub fn new(code: &Code) -> Self {
        let len = code.insts.len();
        let mut leader = vec![false; len + 1];
        leader[0] = true;
        for (index, inst) in code.insts.iter().enumerate() {
            for target in inst.target().into_iter().chain(code.indirect_targets(inst)) {
                leader[target.index()] = true;
            }
            if inst.is_control() {
                leader[index + 1] = true;
            }
        }
        let starts: Vec<Pc> = (0..len).filter(|&i| leader[i]).map(|i| Pc(i as u32)).collect();
        let ends: Vec<Pc> = starts.iter().skip(1).copied().chain([Pc(len as u32)]).collect();
        let mut block_of = vec![0; len];
        for (block, (start, end)) in starts.iter().zip(&ends).enumerate() {
            block_of[start.index()..end.index()].fill(block);
        }
        let successors = ends
            .iter()
            .map(|end| code.successors(Pc(end.0 - 1)).iter().map(|next| block_of[next.index()]).collect())
            .collect();
        Self { starts, ends, block_of, successors }
    }

    /// For each block the blocks that may come before it, in ascending order.
    pub fn predecessors(&self) -> Vec<Vec<usize>> {
        let mut predecessors = vec![Vec::new(); self.starts.len()];
        for (block, successors) in self.successors.iter().enumerate() {
            for &successor in successors {
                predecessors[successor].push(block);
            }
        }
        predecessors
    }
}
