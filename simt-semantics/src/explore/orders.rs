//! The orders of conflicting writes that make a difference.
//!
//! Of stores to one element the last one counts, so there are as many orders as values. Of atomic operations on one element
//! every order may have another outcome. Threads that write different elements do not conflict.

use super::Move;
use crate::choice::Choice;
use crate::effect::Write;
use crate::setting::Setting;
use simt_core::LaneMask;
use simt_core::program::{ArraySpace, Memory as Slice};
use std::collections::{BTreeMap, BTreeSet};

/// An order of threads for each way in which their writes can come out, that of the lanes first; `None` if there are more
/// than `limit`.
pub(super) fn orders(setting: &Setting<'_>, writes: &[(usize, Write)], limit: usize) -> Option<Vec<Vec<usize>>> {
    let mut conflicts: BTreeMap<(Slice, u32), Vec<&(usize, Write)>> = BTreeMap::new();
    let mut others = Vec::new();
    for write in writes {
        match write.1 {
            Write::Element(slice, index, _) | Write::Atomic { target: (slice, index), .. }
                if is_shared(setting, slice) =>
            {
                conflicts.entry((slice, index)).or_default().push(write);
            }
            _ => others.push(write.0),
        }
    }
    let mut orders = vec![others];
    for writers in conflicts.values() {
        let ways = ways(writers, limit)?;
        let joined = |order: &Vec<usize>| ways.iter().map(|way| [&order[..], way].concat()).collect::<Vec<_>>();
        if orders.len().saturating_mul(ways.len()) > limit {
            return None;
        }
        orders = orders.iter().flat_map(joined).collect();
    }
    // The first is made of the first ways, which are that of the lanes.
    orders[0].sort_unstable();
    Some(orders)
}

fn is_shared(setting: &Setting<'_>, slice: Slice) -> bool {
    !matches!(slice, Slice::Array(id) if setting.program().array(id).space == ArraySpace::Local)
}

/// The orders of writers of one element, in the order of the lanes.
fn ways(writers: &[&(usize, Write)], limit: usize) -> Option<Vec<Vec<usize>>> {
    let threads: Vec<usize> = writers.iter().map(|write| write.0).collect();
    if writers.iter().any(|write| matches!(write.1, Write::Atomic { .. })) {
        return permutations(&threads, limit);
    }
    let mut values = BTreeSet::new();
    let last = writers.iter().rev().filter(|write| values.insert(&write.1)).map(|write| write.0);
    let way = |last: usize| threads.iter().copied().filter(|&thread| thread != last).chain([last]).collect();
    Some(last.map(way).collect())
}

/// All orders, that given first; `None` if there are more than `limit`.
fn permutations(threads: &[usize], limit: usize) -> Option<Vec<Vec<usize>>> {
    let mut orders = vec![Vec::new()];
    for _ in threads {
        if orders.len() > limit {
            return None;
        }
        let longer = |order: &Vec<usize>| {
            let rest = threads.iter().filter(|thread| !order.contains(thread));
            rest.map(|&thread| [&order[..], &[thread]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    (orders.len() <= limit).then_some(orders)
}

/// The order of a move; that of the lanes if it has others.
pub(super) struct Given<'a>(pub(super) &'a Move);

impl Choice for Given<'_> {
    fn order(&mut self, threads: LaneMask) -> Vec<usize> {
        if self.0.mask() == threads { self.0.order().to_vec() } else { threads.lanes().collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutations_are_all_and_no_more_than_asked_for() {
        let all = permutations(&[3, 5, 6], 6).expect("there are six");
        assert_eq!(all[0], [3, 5, 6]);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 6);
        assert_eq!(permutations(&[3, 5, 6], 5), None);
        let many: Vec<usize> = (0..64).collect();
        assert_eq!(permutations(&many, 1000), None);
    }
}
