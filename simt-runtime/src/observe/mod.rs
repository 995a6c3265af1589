//! Observers: they see the issues and cannot change the machine.
//!
//! `()` observes nothing and costs nothing. [`Statistics`](crate::report) is the observer that reports are made from, and a
//! pair of observers is one.

mod statistics;
pub(crate) use statistics::Statistics;
pub(crate) mod study;

use crate::plan::{Control, Part, Plan, Segment};
use crate::policy::{Figure, ThreadMask, WarpPart};
use simt_core::LaneMask;
use simt_core::code::{Code, Pc};

/// A warp of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WarpId {
    /// Number of the block in the grid, x fastest.
    pub block: usize,
    /// Number of the warp in its block.
    pub warp: usize,
}

/// Watches a launch. No method does anything by default.
///
/// Instructions come in segments: runs of code that one group of lanes executes from beginning to end.
///
/// ```
/// use simt::observe::Observer;
/// use simt::core::{LaneMask, code::Pc};
/// use simt::prelude::*;
///
/// /// Counts the issues of full warps.
/// struct Full(u64);
/// impl Observer for Full {
///     fn issued(&mut self, _at: Pc, instructions: u32, mask: LaneMask) {
///         if mask.count() == 32 {
///             self.0 += u64::from(instructions);
///         }
///     }
/// }
///
/// #[kernel]
/// fn squares(x: &mut [u32]) {
///     let i = global_id();
///     x[i] = (i * i) as u32;
/// }
///
/// let (mut x, mut full) = ([0; 40], Full(0));
/// let report = Gpu::<Ipdom>::default().launch_observed(Grid::new(1, 40), squares(&mut x), &mut full)?;
/// // One of the two warps has all its lanes.
/// assert_eq!(2 * full.0, report.issues());
/// # Ok::<(), LaunchError>(())
/// ```
pub trait Observer {
    /// The launch of `code` begins.
    fn launched(&mut self, _code: &Code) {}

    /// A warp begins: the next issues are its.
    fn warp(&mut self, _warp: WarpId) {}

    /// Threads of several warps issue next, under a policy that regroups them. By default as if they were all of the lowest
    /// of the warps.
    #[inline(always)]
    fn formed(&mut self, block: usize, threads: &ThreadMask) {
        if let Some(part) = threads.parts().next() {
            self.warp(WarpId { block, warp: part.warp });
        }
    }

    /// The lanes of `mask` executed the segment at `at`: so many program instructions from there on, or, if none, the
    /// marker that stands there.
    #[inline(always)]
    fn issued(&mut self, _at: Pc, _instructions: u32, _mask: LaneMask) {}

    /// The branch at `at`, already part of what was issued, was taken by the lanes of `taken` and not by those of `rest`.
    #[inline(always)]
    fn branched(&mut self, _at: Pc, _taken: LaneMask, _rest: LaneMask) {}

    /// A warp has ended, or a block whose threads are regrouped: one figure that its policy has counted.
    #[inline(always)]
    fn counted(&mut self, _figure: Figure) {}

    /// The lanes of `mask` executed a run of code, which jumps may have broken into parts: by default, each is `issued`. If
    /// it ended with a branch, `taken` are the lanes that took it.
    #[doc(hidden)]
    #[inline(always)]
    fn ran(&mut self, run: Ran<'_>, mask: LaneMask, taken: LaneMask) {
        for part in run.parts() {
            self.issued(part.at, part.instructions, mask);
        }
        if let Control::Branch { next, .. } = run.segment.control {
            self.branched(Pc(next.0 - 1), taken, mask - taken);
        }
    }
}

/// A run of code that was executed from beginning to end.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Ran<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) segment: &'p Segment,
}

impl<'p> Ran<'p> {
    /// Its straight parts, in the order of execution.
    pub(crate) fn parts(self) -> &'p [Part] {
        &self.plan.parts[self.segment.parts.0 as usize..self.segment.parts.1 as usize]
    }
}

impl Observer for () {
    #[inline(always)]
    fn formed(&mut self, _block: usize, _threads: &ThreadMask) {}
    #[inline(always)]
    fn ran(&mut self, _run: Ran<'_>, _mask: LaneMask, _taken: LaneMask) {}
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn launched(&mut self, code: &Code) {
        (**self).launched(code);
    }
    fn warp(&mut self, warp: WarpId) {
        (**self).warp(warp);
    }
    fn formed(&mut self, block: usize, threads: &ThreadMask) {
        (**self).formed(block, threads);
    }
    #[inline]
    fn counted(&mut self, figure: Figure) {
        (**self).counted(figure);
    }
    #[inline(always)]
    fn issued(&mut self, at: Pc, instructions: u32, mask: LaneMask) {
        (**self).issued(at, instructions, mask);
    }
    #[inline(always)]
    fn branched(&mut self, at: Pc, taken: LaneMask, rest: LaneMask) {
        (**self).branched(at, taken, rest);
    }
    #[inline(always)]
    fn ran(&mut self, run: Ran<'_>, mask: LaneMask, taken: LaneMask) {
        (**self).ran(run, mask, taken);
    }
}

impl<A: Observer, B: Observer> Observer for (A, B) {
    fn launched(&mut self, code: &Code) {
        self.0.launched(code);
        self.1.launched(code);
    }
    fn warp(&mut self, warp: WarpId) {
        self.0.warp(warp);
        self.1.warp(warp);
    }
    fn formed(&mut self, block: usize, threads: &ThreadMask) {
        self.0.formed(block, threads);
        self.1.formed(block, threads);
    }
    #[inline]
    fn counted(&mut self, figure: Figure) {
        self.0.counted(figure);
        self.1.counted(figure);
    }
    #[inline(always)]
    fn issued(&mut self, at: Pc, instructions: u32, mask: LaneMask) {
        self.0.issued(at, instructions, mask);
        self.1.issued(at, instructions, mask);
    }
    #[inline(always)]
    fn branched(&mut self, at: Pc, taken: LaneMask, rest: LaneMask) {
        self.0.branched(at, taken, rest);
        self.1.branched(at, taken, rest);
    }
    #[inline(always)]
    fn ran(&mut self, run: Ran<'_>, mask: LaneMask, taken: LaneMask) {
        self.0.ran(run, mask, taken);
        self.1.ran(run, mask, taken);
    }
}

/// An instruction issued for the lanes of a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issue {
    /// The warp; of a group that a policy has formed from several, the lowest.
    pub warp: WarpId,
    /// The instruction's address.
    pub pc: Pc,
    /// The lanes that executed it: SIMD lanes, which are those of the warp unless threads are regrouped.
    pub mask: LaneMask,
}

/// Records every issue, markers included: one entry an instruction, up to a limit.
///
/// An entry takes 36 bytes; where the threads that issue are others than before, 8 more, and 16 for each of their warps. The
/// first [`IssueTrace::LIMIT`] issues are kept, or as many as [`with_limit`](Self::with_limit) says; the
/// others are counted ([`dropped`](Self::dropped)), and the text of a trace that was cut ends with dots.
///
/// ```
/// use simt::prelude::*;
/// use simt::observe::{IssueTrace, WarpId};
///
/// #[kernel]
/// fn odd(x: &mut [bool]) {
///     let i = global_id();
///     if i % 2 == 1 {
///         x[i] = true;
///     }
/// }
///
/// let (mut x, mut trace) = ([false; 4], IssueTrace::default());
/// let gpu = Gpu::<Ipdom>::default().with_warp_width(4);
/// gpu.launch_observed(Grid::new(1, 4), odd(&mut x), &mut trace)?;
/// // Address and lanes: `%`, `==`, branch, store, end.
/// let warp = WarpId { block: 0, warp: 0 };
/// assert_eq!(trace.of_warp(warp, 4), "0:1111 1:1111 2:1111 3:0101 4:1111");
/// assert_eq!(trace.issues()[3].mask.count(), 2);
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct IssueTrace {
    warp: Option<WarpId>,
    issues: Vec<Issue>,
    limit: usize,
    dropped: u64,
    /// The threads that issue next, if a policy has regrouped them.
    formed: Vec<WarpPart>,
    /// The number of each issue's run: consecutive issues of the same threads.
    runs: Vec<u32>,
    /// The end of each run's parts.
    ends: Vec<usize>,
    parts: Vec<WarpPart>,
}

impl Default for IssueTrace {
    /// A trace that keeps [`IssueTrace::LIMIT`] issues.
    fn default() -> Self {
        Self::with_limit(Self::LIMIT)
    }
}

impl IssueTrace {
    /// How many issues are kept unless another limit is given: 2^20, some 50 MB.
    pub const LIMIT: usize = 1 << 20;

    /// A trace that keeps so many issues, the first ones; at most 2^32.
    ///
    /// ```
    /// use simt::observe::IssueTrace;
    /// use simt::prelude::*;
    ///
    /// #[kernel]
    /// fn count(n: u32, x: &mut [u32]) {
    ///     for _ in 0..n {
    ///         x[global_id()] += 1;
    ///     }
    /// }
    ///
    /// let (mut x, mut trace) = ([0; 4], IssueTrace::with_limit(100));
    /// let report = Gpu::<Ipdom>::default().launch_observed(Grid::new(1, 4), count(1000, &mut x), &mut trace)?;
    /// assert_eq!(trace.issues().len(), 100);
    /// assert_eq!(trace.dropped(), report.issues() + report.marker_issues() - 100);
    /// # Ok::<(), LaunchError>(())
    /// ```
    pub fn with_limit(issues: usize) -> Self {
        Self {
            warp: None,
            issues: Vec::new(),
            limit: issues.min(u32::MAX as usize),
            dropped: 0,
            formed: Vec::new(),
            runs: Vec::new(),
            ends: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// The issues, in order.
    pub fn issues(&self) -> &[Issue] {
        &self.issues
    }

    /// How many issues came after the last that was kept.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The threads of an issue, by its number, as lanes of the program's warps in its block.
    pub fn parts(&self, issue: usize) -> &[WarpPart] {
        let Some(&run) = self.runs.get(issue) else { return &[] };
        let end = |run: u32| self.ends.get(run as usize).copied();
        let begin = run.checked_sub(1).and_then(end).unwrap_or(0);
        &self.parts[begin..end(run).unwrap_or(begin)]
    }

    /// The trace of one warp as text, `pc:mask` an issue, lane 0 leftmost. If issues were dropped, of whichever warp, it ends
    /// with `...`.
    pub fn of_warp(&self, warp: WarpId, width: usize) -> String {
        let of_warp = self.issues.iter().filter(|issue| issue.warp == warp);
        let issues = of_warp.map(|issue| format!("{}:{}", issue.pc.0, issue.mask.digits(width)));
        issues.chain((self.dropped > 0).then(|| "...".into())).collect::<Vec<_>>().join(" ")
    }
}

impl Observer for IssueTrace {
    fn warp(&mut self, warp: WarpId) {
        self.warp = Some(warp);
        self.formed.clear();
    }

    fn formed(&mut self, block: usize, threads: &ThreadMask) {
        if let Some(part) = threads.parts().next() {
            self.warp(WarpId { block, warp: part.warp });
            self.formed.extend(threads.parts());
        }
    }

    fn issued(&mut self, at: Pc, instructions: u32, mask: LaneMask) {
        let Some(warp) = self.warp else { return };
        let instructions = instructions.max(1) as usize;
        let kept = instructions.min(self.limit - self.issues.len());
        self.dropped += (instructions - kept) as u64;
        if kept == 0 {
            return;
        }
        let whole = [WarpPart { warp: warp.warp, lanes: mask }];
        let parts = if self.formed.is_empty() { &whole[..] } else { &self.formed };
        if self.issues.len().checked_sub(1).is_none_or(|last| self.parts(last) != parts) {
            self.parts.extend_from_slice(parts);
            self.ends.push(self.parts.len());
        }
        self.issues.extend((at.0..).take(kept).map(|pc| Issue { warp, pc: Pc(pc), mask }));
        self.runs.resize(self.issues.len(), self.ends.len() as u32 - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WARP: WarpId = WarpId { block: 0, warp: 3 };

    fn issue(pc: u32, mask: u64) -> Issue {
        Issue { warp: WARP, pc: Pc(pc), mask: LaneMask(mask) }
    }

    #[test]
    fn a_trace_keeps_the_first_issues_and_counts_the_others() {
        let mut trace = IssueTrace::with_limit(4);
        trace.warp(WARP);
        trace.issued(Pc(0), 3, LaneMask(0b11));
        // A marker is an issue, too.
        assert_eq!((trace.dropped(), trace.of_warp(WARP, 2).as_str()), (0, "0:11 1:11 2:11"));
        trace.issued(Pc(5), 6, LaneMask(0b01));
        trace.issued(Pc(7), 0, LaneMask(0b10));
        assert_eq!(trace.issues(), [issue(0, 3), issue(1, 3), issue(2, 3), issue(5, 1)]);
        assert_eq!((trace.dropped(), trace.of_warp(WARP, 2).as_str()), (6, "0:11 1:11 2:11 5:10 ..."));
        let mut none = IssueTrace::with_limit(0);
        none.warp(WARP);
        none.issued(Pc(0), 3, LaneMask(1));
        assert_eq!((none.issues().len(), none.dropped(), none.of_warp(WARP, 2).as_str()), (0, 3, "..."));
    }

    #[test]
    fn each_issue_has_the_parts_of_its_threads() {
        let part = |warp, lanes| WarpPart { warp, lanes: LaneMask(lanes) };
        let mut threads = ThreadMask::empty(4, 4);
        threads.insert(part(1, 0b0011));
        threads.insert(part(2, 0b1100));
        let mut trace = IssueTrace::default();
        trace.formed(0, &threads);
        trace.issued(Pc(0), 2, LaneMask(0b1111));
        trace.issued(Pc(4), 1, LaneMask(0b1111));
        trace.warp(WARP);
        trace.issued(Pc(5), 2, LaneMask(0b0001));
        trace.issued(Pc(8), 1, LaneMask(0b0010));
        let formed = [part(1, 0b0011), part(2, 0b1100)];
        for issue in 0..3 {
            assert_eq!(trace.parts(issue), formed);
        }
        assert_eq!([trace.parts(3), trace.parts(4), trace.parts(5)], [&[part(3, 1)][..], &[part(3, 1)], &[part(3, 2)]]);
        assert!(trace.parts(6).is_empty());
        // Stored once for consecutive issues of the same threads.
        assert_eq!((trace.parts.len(), trace.ends.len()), (4, 3));
    }

    #[test]
    fn an_entry_takes_as_many_bytes_as_the_docs_say() {
        assert_eq!(size_of::<Issue>() + size_of::<u32>(), 36);
        assert_eq!((size_of::<WarpPart>(), size_of::<usize>()), (16, 8));
    }
}
