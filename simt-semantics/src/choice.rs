//! The order of conflicting writes, which rule (assign) leaves open.

use simt_core::LaneMask;

/// Picks an order of threads wherever the semantics leaves it open: "for some arbitrary order of threads" (ESOP'12,
/// section 3.3).
pub trait Choice {
    /// The threads of the mask, each once, in the order in which they write.
    fn order(&mut self, threads: LaneMask) -> Vec<usize>;
}

/// The order of their numbers, as the machine has it: the highest writes last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LaneOrder;

impl Choice for LaneOrder {
    fn order(&mut self, threads: LaneMask) -> Vec<usize> {
        threads.lanes().collect()
    }
}

/// A random order each time, the same for the same seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeededOrder(u64);

impl SeededOrder {
    /// The orders of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `bound`, which is at least 1. SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound.max(1) as u64) as usize
    }
}

impl Choice for SeededOrder {
    fn order(&mut self, threads: LaneMask) -> Vec<usize> {
        let mut order: Vec<usize> = threads.lanes().collect();
        for place in (1..order.len()).rev() {
            order.swap(place, self.below(place + 1));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_comes_up_and_has_each_thread_once() {
        let mut choice = SeededOrder::new(7);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..1000 {
            let order = choice.order(LaneMask(0b1101_0000));
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [4, 6, 7]);
            seen.insert(order);
        }
        assert_eq!(seen.len(), 6);
    }
}
