//! The two kinds of policy behind one type parameter.

use super::{BlockPolicy, Stops, WarpPolicy};
use simt_core::code::Markers;

/// A policy of either kind: what `P` of [`Gpu<P>`](crate::Gpu) must be.
///
/// Every [`WarpPolicy`], which keeps the threads of a warp together, is one. A [`BlockPolicy`], which regroups the
/// threads of several warps, becomes one by two lines:
///
/// ```
/// # use simt::core::code::{Markers, Pc};
/// # use simt::{BlockBranch, BlockPolicy, BlockSplit, BlockStart, WarpPart, Policy, PolicyVisitor};
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
        Self::visit(Name)
    }

    /// The markers that the code must carry.
    fn markers() -> Markers {
        Self::visit(MarkersOf)
    }

    /// Where turns end in code without markers.
    fn stops() -> Stops {
        Self::visit(StopsOf)
    }

    /// Whether every thread that can go on does so after finitely many issues: weak fairness.
    fn is_fair() -> bool {
        Self::visit(IsFair)
    }

    /// How many lanes the pipeline has down which an issue goes, if they are not as many as those of the warp.
    fn lanes_per_issue() -> Option<usize> {
        Self::visit(LanesPerIssue)
    }
}

/// An action on a policy, with a method for each kind.
pub trait PolicyVisitor {
    /// The result.
    type Output;

    /// Called with a policy that keeps the threads of a warp together.
    fn warp<P: WarpPolicy>(self) -> Self::Output;

    /// Called with a policy that regroups the threads of several warps.
    fn block<C: BlockPolicy>(self) -> Self::Output;
}

impl<P: WarpPolicy> Policy for P {
    fn visit<V: PolicyVisitor>(visitor: V) -> V::Output {
        visitor.warp::<P>()
    }
}

struct Name;

impl PolicyVisitor for Name {
    type Output = &'static str;

    fn warp<P: WarpPolicy>(self) -> Self::Output {
        P::NAME
    }

    fn block<C: BlockPolicy>(self) -> Self::Output {
        C::NAME
    }
}

struct LanesPerIssue;

impl PolicyVisitor for LanesPerIssue {
    type Output = Option<usize>;

    fn warp<P: WarpPolicy>(self) -> Self::Output {
        P::LANES_PER_ISSUE
    }

    fn block<C: BlockPolicy>(self) -> Self::Output {
        None
    }
}

struct MarkersOf;

impl PolicyVisitor for MarkersOf {
    type Output = Markers;

    fn warp<P: WarpPolicy>(self) -> Self::Output {
        P::MARKERS
    }

    fn block<C: BlockPolicy>(self) -> Self::Output {
        C::MARKERS
    }
}

struct StopsOf;

impl PolicyVisitor for StopsOf {
    type Output = Stops;

    fn warp<P: WarpPolicy>(self) -> Self::Output {
        P::STOPS
    }

    fn block<C: BlockPolicy>(self) -> Self::Output {
        C::STOPS
    }
}

struct IsFair;

impl PolicyVisitor for IsFair {
    type Output = bool;

    fn warp<P: WarpPolicy>(self) -> Self::Output {
        P::FAIR
    }

    fn block<C: BlockPolicy>(self) -> Self::Output {
        C::FAIR
    }
}
