//! The live range of a register's value: from each read backwards to the writes.
//!
//! The flow is that of one thread: lanes of one row do not touch each other's values. Code need not be structured, so a
//! value may be live at addresses below the instruction that writes it, and a loop may be entered anywhere.

use simt_core::code::{Code, Inst, Pc};

/// The instructions that a thread may come from, for each instruction.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    before: Vec<Vec<usize>>,
}

/// First and last point at which a value is there. The point of an instruction's reads is twice its address, that of its
/// write is the next.
pub(super) type Hull = (usize, usize);

impl Flow {
    pub(super) fn of(code: &Code) -> Self {
        let syncs = code.sync_targets();
        let mut before = vec![Vec::new(); code.insts.len()];
        for (index, inst) in code.insts.iter().enumerate() {
            let pc = Pc(index as u32);
            match syncs[index] {
                Some(target) => before[target.index()].push(index),
                None => code.successors(pc).into_iter().for_each(|next| before[next.index()].push(index)),
            }
            // Parameters are written before the call, and read behind the entry.
            if let Inst::Call { target, .. } = inst {
                before[target.index()].push(index);
            }
        }
        Self { before }
    }

    /// The hull of the points where the value of a register is live that `writes` write and `reads` read.
    pub(super) fn hull(&self, writes: &[usize], reads: &[usize]) -> Hull {
        let points = writes.iter().map(|write| 2 * write + 1);
        let (mut first, mut last) = points.fold((usize::MAX, 0), |(first, last), p| (first.min(p), last.max(p)));
        let mut seen = vec![false; self.before.len()];
        let mut work: Vec<usize> = reads.to_vec();
        while let Some(at) = work.pop() {
            // Live before the instruction at this address.
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            (first, last) = (first.min(2 * at), last.max(2 * at));
            work.extend(self.before[at].iter().filter(|before| !writes.contains(before)));
        }
        (first, last)
    }
}
