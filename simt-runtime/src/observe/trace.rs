//! Every issue of a launch, one entry an instruction.

use super::{Observer, WarpId};
use crate::policy::{ThreadMask, WarpPart};
use simt_core::LaneMask;
use simt_core::code::Pc;

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
