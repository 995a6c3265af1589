//! What a clock asks of a policy. A launch without a clock calls none of it.
//!
//! Each policy has a constant, `TIMING`, with the methods that it offers; by default none.

use super::{BlockPolicy, WarpPolicy};
use simt_core::LaneMask;

/// What a [`WarpPolicy`] offers to a machine with a clock, and to the report: its constant
/// [`TIMING`](WarpPolicy::TIMING).
///
/// ```
/// use simt::policy::WarpTiming;
/// # use simt::policy::{Branch, WarpSplit, WarpStart};
/// # use simt::core::LaneMask;
/// # use simt::core::code::{Markers, Pc};
/// # use simt::prelude::*;
///
/// /// Two splits at most; either can issue while the other one waits for memory.
/// #[derive(Clone, Debug, PartialEq)]
/// struct Pair([Option<WarpSplit>; 2]);
///
/// impl Pair {
///     fn select(&mut self, free: LaneMask) -> bool {
///         let can_issue = |split: &Option<WarpSplit>| split.is_some_and(|split| split.mask.is_subset(free));
///         if !can_issue(&self.0[0]) && can_issue(&self.0[1]) {
///             self.0.swap(0, 1);
///         }
///         can_issue(&self.0[0])
///     }
/// }
///
/// impl WarpPolicy for Pair {
///     const TIMING: WarpTiming<Self> = WarpTiming { select: Some(Self::select), ..WarpTiming::DEFAULT };
///     // ...
/// #   const NAME: &'static str = "Pair";
/// #   const MARKERS: Markers = Markers::None;
/// #   fn start(start: WarpStart<'_>) -> Self { Self([Some(start.split), None]) }
/// #   fn current(&self) -> Option<WarpSplit> { self.0[0] }
/// #   fn advance(&mut self, next: Pc) { if let Some(split) = &mut self.0[0] { split.pc = next; } }
/// #   fn branch(&mut self, _branch: Branch) {}
/// #   fn exit(&mut self) { self.0 = [self.0[1], None]; }
/// #   fn splits(&self) -> Vec<WarpSplit> { self.0.into_iter().flatten().collect() }
/// }
/// # Gpu::<Pair>::new(GpuConfig::fung2009()).launch(Grid::new(1, 32), nothing())?;
/// # #[kernel]
/// # fn nothing() {}
/// # Ok::<(), LaunchError>(())
/// ```
#[derive(Debug)]
pub struct WarpTiming<P> {
    /// Lets a split issue while another one of its warp is under way. Of the lanes, those of the mask have nothing under
    /// way. Makes a split current all of whose lanes are free, if there is one and the mechanism can choose; returns whether
    /// the current split is such a one. Without this method, a warp waits until its current split is free.
    pub select: Option<fn(&mut P, LaneMask) -> bool>,

    /// Divides a split at a load. Of lanes that have loaded, those of the mask wait longer than others. May make two splits
    /// of one, so that the others need not wait; returns whether it has. All lanes stay where they are.
    pub divide: Option<fn(&mut P, LaneMask) -> bool>,

    /// Holds the current split back before a branch or call. Returns whether it has; then it is no longer current. Called when
    /// the split could issue that instruction, if the machine divides splits at loads: what has been divided can meet there.
    pub hold: Option<fn(&mut P) -> bool>,

    /// How many lanes the pipeline has that an issue goes down, if it is not as many as the warp: see
    /// [`Report::lanes_per_issue`](crate::Report::lanes_per_issue).
    pub lanes_per_issue: Option<usize>,
}

/// By the lanes that are free, by warp, and the cycle: when the mechanism can choose.
type Ready<P> = fn(&mut P, &[LaneMask], u64) -> u64;

/// What a [`BlockPolicy`] offers to a machine with a clock: its constant [`TIMING`](BlockPolicy::TIMING).
#[derive(Debug)]
pub struct BlockTiming<P> {
    /// Says when the mechanism can choose; called before each `select`, in the cycle that is the last argument. Of the
    /// threads, those of the masks, by warp, have nothing under way. If the cycle that it returns is later, no warp of the
    /// block issues until then, which is [`Stall::Formation`](crate::Stall::Formation); it is asked again then, or when
    /// threads become free. Without this method the mechanism can always choose.
    pub ready: Option<Ready<P>>,

    /// Makes threads current that are all free, if there are some and the mechanism can choose; returns whether the current
    /// ones are. The masks are those of `ready`. Without this method, a block waits until its current threads are free.
    pub select: Option<fn(&mut P, &[LaneMask]) -> bool>,
}

impl<P> WarpTiming<P> {
    /// A policy that knows no clock.
    pub const DEFAULT: Self = Self { select: None, divide: None, hold: None, lanes_per_issue: None };
}

impl<P> BlockTiming<P> {
    /// A policy that knows no clock.
    pub const DEFAULT: Self = Self { ready: None, select: None };
}

impl<P: WarpPolicy> WarpTiming<P> {
    /// Calls `select`, or does what holds without it.
    #[inline]
    pub fn selects(self, policy: &mut P, free: LaneMask) -> bool {
        match self.select {
            Some(select) => select(policy, free),
            None => policy.current().is_some_and(|split| split.mask.is_subset(free)),
        }
    }

    /// Calls `divide`, if there is such a method.
    #[inline]
    pub fn divides(self, policy: &mut P, late: LaneMask) -> bool {
        self.divide.is_some_and(|divide| divide(policy, late))
    }

    /// Calls `hold`, if there is such a method.
    #[inline]
    pub fn holds(self, policy: &mut P) -> bool {
        self.hold.is_some_and(|hold| hold(policy))
    }
}

impl<P: BlockPolicy> BlockTiming<P> {
    /// Calls `ready`, or does what holds without it.
    #[inline]
    pub fn ready_at(self, policy: &mut P, free: &[LaneMask], now: u64) -> u64 {
        self.ready.map_or(now, |ready| ready(policy, free, now))
    }

    /// Calls `select`, or does what holds without it.
    #[inline]
    pub fn selects(self, policy: &mut P, free: &[LaneMask]) -> bool {
        match self.select {
            Some(select) => select(policy, free),
            None => policy.current().is_some_and(|split| split.threads.parts().all(|part| part.is_of(free))),
        }
    }
}

// By hand: a copy of a table of methods needs no copy of the policy.
impl<P> Copy for WarpTiming<P> {}
impl<P> Clone for WarpTiming<P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for BlockTiming<P> {}
impl<P> Clone for BlockTiming<P> {
    fn clone(&self) -> Self {
        *self
    }
}
