//! Post-dominators that threads have passed (TACO'09, section 4.3).

use super::pool::Fewest;
use crate::policy::ThreadMask;
use simt_core::code::Pc;

/// For each thread, how many post-dominators it has passed, and which addresses are post-dominators.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Passed {
    meets: Vec<bool>,
    /// The lowest bits of all threads' counts, then the second lowest, and so on; empty until a thread passes one.
    ///
    /// PERF: in this form, incrementing the counts of many threads, and finding the least, takes a few instructions a bit.
    bits: Vec<ThreadMask>,
}

/// Bits of a count. A count saturates.
const BITS: usize = u32::BITS as usize;

impl Passed {
    /// Adds the reconvergence point of a branch that was executed.
    #[inline(always)]
    pub(super) fn learn(&mut self, meet: Option<Pc>) {
        if let Some(meet) = meet {
            if self.meets.len() <= meet.index() {
                self.meets.resize(meet.index() + 1, false);
            }
            self.meets[meet.index()] = true;
        }
    }

    /// Threads come to an address; `before` are the post-dominators that they have passed, if those are known.
    #[inline(always)]
    pub(super) fn at(&mut self, pc: Pc, threads: &ThreadMask, before: Option<Fewest>) -> Fewest {
        let passes = self.meets.get(pc.index()).is_some_and(|&meets| meets);
        if passes {
            self.count(threads);
        }
        let passed = match before {
            // PERF: most threads come in the same company as before.
            Some(before) if before.is_exact => before.passed.saturating_add(u32::from(passes)),
            _ => self.fewest(threads),
        };
        Fewest { passed, is_exact: true }
    }

    /// The counts of threads grow by one.
    #[inline(always)]
    fn count(&mut self, threads: &ThreadMask) {
        let (mut carry, mut next) = (threads.clone(), threads.without_threads());
        for bit in &mut self.bits {
            next.set_to_both(&carry, bit);
            bit.flip(&carry);
            std::mem::swap(&mut carry, &mut next);
            if carry.is_empty() {
                return;
            }
        }
        if self.bits.len() < BITS {
            self.bits.push(carry);
        } else {
            self.bits.iter_mut().for_each(|bit| *bit |= &carry);
        }
    }

    /// The least count of some threads.
    #[inline(always)]
    fn fewest(&self, threads: &ThreadMask) -> u32 {
        let (mut least, mut without) = (threads.clone(), threads.without_threads());
        let mut fewest = 0;
        for (number, bit) in self.bits.iter().enumerate().rev() {
            without.set_to_difference(&least, bit);
            // PERF: no branch, because no processor can predict it.
            let some = u64::from(!without.is_empty()).wrapping_neg();
            least.choose(&without, some);
            fewest |= !some as u32 & 1 << number;
        }
        fewest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::WarpPart;
    use simt_core::LaneMask;

    fn threads(lanes: u64) -> ThreadMask {
        let mut threads = ThreadMask::empty(1, 4);
        threads.insert(WarpPart { warp: 0, lanes: LaneMask(lanes) });
        threads
    }

    fn exact(passed: u32) -> Fewest {
        Fewest { passed, is_exact: true }
    }

    #[test]
    fn what_comes_where_paths_meet_has_passed_one_more() {
        let mut passed = Passed::default();
        assert_eq!(passed.at(Pc(7), &threads(0b1111), None), exact(0));
        passed.learn(Some(Pc(7)));
        passed.learn(None);
        for count in 1..=5 {
            assert_eq!(passed.at(Pc(7), &threads(0b0011), None), exact(count));
            assert_eq!(passed.at(Pc(6), &threads(0b0011), None), exact(count));
        }
        assert_eq!(passed.at(Pc(7), &threads(0b0110), None), exact(1));
        // Lanes 0 to 3: 5, 6, 1, 0.
        let of = |lanes| passed.clone().at(Pc(6), &threads(lanes), None).passed;
        assert_eq!([0b0001, 0b0010, 0b0100, 0b1000, 0b0011, 0b0111, 0b1111].map(of), [5, 6, 1, 0, 5, 1, 0]);
    }

    #[test]
    fn what_keeps_its_company_is_not_looked_at_again() {
        let mut passed = Passed::default();
        passed.learn(Some(Pc(7)));
        assert_eq!(passed.at(Pc(7), &threads(0b1), Some(exact(8))), exact(9));
        assert_eq!(passed.at(Pc(6), &threads(0b1), Some(exact(8))), exact(8));
        // An inexact count is computed anew: some of its threads have gone elsewhere.
        let inexact = Fewest { passed: 0, is_exact: false };
        assert_eq!(passed.at(Pc(7), &threads(0b1), Some(inexact)), exact(2));
    }

    #[test]
    fn a_full_count_stays_full() {
        let mut passed = Passed { meets: vec![true], bits: vec![threads(0b1); BITS] };
        assert_eq!(passed.at(Pc(0), &threads(0b11), None), exact(1));
        assert_eq!(passed.at(Pc(1), &threads(0b01), None), exact(u32::MAX));
    }
}
