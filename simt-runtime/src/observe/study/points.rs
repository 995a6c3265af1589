//! The points where the threads of an alignment part and meet again.

use super::align::Column;
use simt_core::LaneMask;
use simt_core::analysis::reconvergence_points;
use simt_core::code::{Code, Inst, Pc};
use std::collections::BTreeMap;

/// Where threads that a branch parted meet again in the oracle's alignment: all of them for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReconvergencePoint {
    /// The branch.
    pub branch: Pc,
    /// Where they meet; `None` if one of them ends before.
    pub meet: Option<Pc>,
    /// The branch's immediate post-dominator, unless it is the end of the kernel.
    pub post_dominator: Option<Pc>,
    /// Whether one of them had passed the immediate post-dominator before they met: the oracle let it get ahead.
    pub beyond: bool,
    /// The number of times.
    pub times: u64,
}

/// Branch, meeting point, and whether a thread had passed the post-dominator.
type Key = (Pc, Option<Pc>, bool);

/// The points of the warps of a launch, counted.
pub(super) struct Points<'c> {
    code: &'c Code,
    post_dominators: Vec<Option<Pc>>,
    times: BTreeMap<Key, u64>,
}

impl<'c> Points<'c> {
    pub(super) fn new(code: &'c Code) -> Self {
        Self { code, post_dominators: reconvergence_points(code), times: BTreeMap::new() }
    }

    /// Adds those of a warp.
    pub(super) fn count(&mut self, columns: &[Column]) {
        // For each lane its next issue.
        let mut next: [Option<usize>; 64] = [None; 64];
        for (number, column) in columns.iter().enumerate().rev() {
            if matches!(self.code.inst(column.pc), Inst::Branch { .. } | Inst::Indirect { .. }) {
                let mut targets = column.mask.lanes().filter_map(|lane| Some(columns[next[lane]?].pc));
                let first = targets.next();
                if targets.any(|target| Some(target) != first) {
                    let (meet, beyond) = self.meet(columns, number);
                    *self.times.entry((column.pc, meet, beyond)).or_default() += 1;
                }
            }
            column.mask.lanes().for_each(|lane| next[lane] = Some(number));
        }
    }

    /// Where the threads of a column that part there meet, and whether one had passed the post-dominator.
    fn meet(&self, columns: &[Column], number: usize) -> (Option<Pc>, bool) {
        let Column { pc, mask } = columns[number];
        let post_dominator = self.post_dominators[pc.index()];
        let mut beyond = false;
        for column in &columns[number + 1..] {
            if mask.is_subset(column.mask) {
                return (Some(column.pc), beyond);
            }
            let here = column.mask & mask;
            if here != LaneMask::EMPTY {
                beyond |= Some(column.pc) == post_dominator;
                if matches!(self.code.inst(column.pc), Inst::Exit) {
                    break;
                }
            }
        }
        (None, beyond)
    }

    /// The points, by address of the branch.
    pub(super) fn into_points(self) -> Vec<ReconvergencePoint> {
        let point = |((branch, meet, beyond), times): (Key, u64)| ReconvergencePoint {
            branch,
            meet,
            post_dominator: self.post_dominators[branch.index()],
            beyond,
            times,
        };
        self.times.into_iter().map(point).collect()
    }
}
