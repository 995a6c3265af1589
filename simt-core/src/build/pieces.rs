//! `for` over subslices: `.chunks(n)`, `.chunks_exact(n)`, `.windows(n)`, and their `_mut` forms.

use super::arena::Operand;
use super::guard::text;
use super::{Builder, IntoIndex, Items, Let, Region, Sequence, Sliced, SlicedMut};
use crate::ops::{Args, BinaryOp, CompareOp, NumericOp};
use crate::scalar::ScalarType;
use crate::source::Span;

/// Subslices, each a number of elements behind the one before.
#[derive(Debug)]
pub struct Pieces<S> {
    region: Region,
    /// The elements of the slice.
    total: Operand,
    /// The elements of a subslice.
    size: Operand,
    stride: Operand,
    /// Whether the last may have less.
    rest: bool,
    make: fn(Region) -> S,
}

// Not derived: that would ask it of the subslice.
impl<S> Clone for Pieces<S> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<S> Copy for Pieces<S> {}

impl<S> Items for Pieces<S> {
    type Item = S;

    fn item(self, k: &Builder, span: Span, position: Let<usize>) -> S {
        let ty = ScalarType::Usize;
        let start = k.binary(span, BinaryOp::Mul, ty, position.operand(k), self.stride);
        let start = k.pin(span, ty, start);
        let size = match self.rest {
            true => {
                let left = k.binary(span, BinaryOp::Sub, ty, self.total, start);
                k.numeric(span, NumericOp::Min, ty, Args::Two([left, self.size]))
            }
            false => self.size,
        };
        (self.make)(k.bounded(span, self.region, start, size))
    }
}

impl<S> Pieces<S> {
    /// What is behind the last of those that have all elements.
    pub(super) fn remainder(self, k: &Builder, span: Span) -> S {
        let ty = ScalarType::Usize;
        let rest = k.binary(span, BinaryOp::Rem, ty, self.total, self.size);
        let rest = k.pin(span, ty, rest);
        let start = k.binary(span, BinaryOp::Sub, ty, self.total, rest);
        (self.make)(k.bounded(span, self.region, start, rest))
    }
}

/// How a slice is cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cut {
    /// `.chunks(size)`, of which the last may have less.
    Chunks,
    /// `.chunks_exact(size)`
    Exact,
    /// `.windows(size)`, which begin one element behind the one before.
    Windows,
}

impl Builder {
    /// `x.chunks(size)` and the like.
    #[inline(never)]
    pub fn pieces<S: Sliced>(
        &self,
        at: u32,
        slice: S,
        cut: Cut,
        size: impl IntoIndex,
    ) -> Sequence<Pieces<S::Subslice>> {
        self.cut(at, slice, cut, size, S::subslice)
    }

    /// `x.chunks_mut(size)` and the like.
    #[inline(never)]
    pub fn pieces_mut<S: SlicedMut>(
        &self,
        at: u32,
        slice: S,
        cut: Cut,
        size: impl IntoIndex,
    ) -> Sequence<Pieces<S::SubsliceMut>> {
        self.cut(at, slice, cut, size, S::subslice_mut)
    }

    fn cut<S: Sliced, P>(
        &self,
        at: u32,
        slice: S,
        cut: Cut,
        size: impl IntoIndex,
        make: fn(Region) -> P,
    ) -> Sequence<Pieces<P>> {
        let (span, ty, region) = (self.span(at), ScalarType::Usize, slice.region());
        let size = self.keep::<usize>(at, size).operand(self);
        let total = self.pinned_length(span, region, S::per_element());
        self.require_size(span, cut, size);
        let one = Operand::constant(1_usize);
        let (count, stride) = match cut {
            Cut::Exact => (self.binary(span, BinaryOp::Div, ty, total, size), size),
            Cut::Chunks => {
                let whole = self.binary(span, BinaryOp::Div, ty, total, size);
                let rest = self.binary(span, BinaryOp::Rem, ty, total, size);
                let rest = self.comparison(span, CompareOp::Ne, ty, rest, Operand::constant(0_usize));
                let rest = self.conversion(span, ScalarType::Bool, ty, rest);
                (self.binary(span, BinaryOp::Add, ty, whole, rest), size)
            }
            Cut::Windows => {
                let others = self.binary(span, BinaryOp::Sub, ty, size, one);
                (self.numeric(span, NumericOp::SaturatingSub, ty, Args::Two([total, others])), one)
            }
        };
        let length = self.position(span, count);
        Sequence { length, items: Pieces { region, total, size, stride, rest: cut == Cut::Chunks, make } }
    }

    /// Panics where the size is 0, as std does.
    fn require_size(&self, span: Span, cut: Cut, size: Operand) {
        let message = if cut == Cut::Windows { "window size must be non-zero" } else { "chunk size must be non-zero" };
        let is_zero = self.comparison(span, CompareOp::Eq, ScalarType::Usize, size, Operand::constant(0_usize));
        self.panic_if(span, is_zero, |_| (vec![text(message)], Vec::new()));
    }
}
