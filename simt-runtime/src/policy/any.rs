//! The two kinds of policy behind one type parameter.

use super::{BlockPolicy, Ends, Stops, WarpPolicy};
use simt_core::code::Markers;

/// A policy of either kind: what `P` of [`Gpu<P>`](crate::Gpu) must be.
///
/// Every [`WarpPolicy`], which keeps the threads of a warp together, is one. A [`BlockPolicy`], which regroups the
/// threads of several warps, becomes one by two lines:
///
/// ```
/// # use simt::core::code::{Markers, Pc};
/// # use simt::policy::{BlockBranch, BlockPolicy, BlockSplit, BlockStart, WarpPart, Policy, PolicyVisitor};
/// # #[derive(Clone, Debug, PartialEq)]
/// # struct Mine;
/// # impl BlockPolicy for Mine {
/// #     const NAME: &'static str = "Mine";
/// #     const MARKERS: Markers = Markers::None;
/// #     fn start(_: BlockStart<'_>) -> Self { Self }
/// #     fn current(&self) -> Option<BlockSplit<'_>> { None }
/// #     fn advance(&mut self, _: Pc) {}
/// #     fn branch(&mut self, _: BlockBranch<'_>) {}
/// #     fn exit(&mut self) {}
/// #     fn park(&mut self) {}
/// #     fn wake(&mut self, _: WarpPart, _: Pc) {}
/// #     fn splits(&self) -> Vec<(Pc, WarpPart)> { Vec::new() }
/// # }
/// impl Policy for Mine {
///     fn visit<V: PolicyVisitor>(visitor: V) -> V::Output {
///         visitor.block::<Self>()
///     }
/// }
/// assert_eq!(Mine::name(), "Mine");
/// ```
pub trait Policy: Sized {
    /// Calls the visitor's method for the kind of this policy.
    fn visit<V: PolicyVisitor>(visitor: V) -> V::Output;

    /// Name in reports.
    fn name() -> &'static str {
        Self::visit(Constants).name
    }

    /// The markers that the code must carry.
    fn markers() -> Markers {
        Self::visit(Constants).markers
    }

    /// Where turns end in code without markers.
    fn stops() -> Stops {
        Self::visit(Constants).stops
    }

    /// Whether every thread that can go on does so after finitely many issues: weak fairness.
    fn is_fair() -> bool {
        Self::visit(Constants).fair
    }

    /// Which programs of the page on termination end, if that is known.
    fn ends() -> Option<Ends> {
        Self::visit(Constants).ends
    }

    /// How many lanes the pipeline has down which an issue goes, if they are not as many as those of the warp.
    fn lanes_per_issue() -> Option<usize> {
        Self::visit(Constants).lanes_per_issue
    }
}

/// An action on a policy, with a method for each kind.
pub trait PolicyVisitor {
    /// The result.
    type Output;

    /// Called with a policy that keeps the threads of a warp together.
    fn warp<P: WarpPolicy>(self) -> Self::Output;

    /// With one that regroups the threads of several warps.
    fn block<P: BlockPolicy>(self) -> Self::Output;
}

impl<P: WarpPolicy> Policy for P {
    fn visit<V: PolicyVisitor>(visitor: V) -> V::Output {
        visitor.warp::<P>()
    }
}

/// The visitor that reads what both kinds of policy say of themselves.
struct Constants;

struct ConstantsOf {
    name: &'static str,
    markers: Markers,
    stops: Stops,
    fair: bool,
    ends: Option<Ends>,
    lanes_per_issue: Option<usize>,
}

impl PolicyVisitor for Constants {
    type Output = ConstantsOf;

    fn warp<P: WarpPolicy>(self) -> ConstantsOf {
        ConstantsOf {
            name: P::NAME,
            markers: P::MARKERS,
            stops: P::STOPS,
            fair: P::FAIR,
            ends: P::ENDS,
            lanes_per_issue: P::TIMING.lanes_per_issue,
        }
    }

    fn block<P: BlockPolicy>(self) -> ConstantsOf {
        ConstantsOf {
            name: P::NAME,
            markers: P::MARKERS,
            stops: P::STOPS,
            fair: P::FAIR,
            ends: P::ENDS,
            lanes_per_issue: None,
        }
    }
}
