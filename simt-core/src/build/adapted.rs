//! Methods of what a `for` goes over: `.enumerate()`, `.zip(other)`, `.skip(n)` and the like, of a sequence or of an iterator.
//!
//! Of a sequence they are one, so that the loop counts. Where a user's iterator is among what they are called of, they are
//! iterators, too; which it is, rustc finds out.

use super::arena::Operand;
use super::iterators::{Begun, Both, Iterated, Numbered, Skipped, Stepped, Taken};
use super::sequence::Way;
use super::{Builder, Enumerated, IntoIndex, Let, Moved, Sequence, Zipped};
use crate::ops::{BinaryOp, CompareOp, NumericOp};
use crate::scalar::ScalarType;

/// What has these methods.
#[diagnostic::on_unimplemented(
    message = "this is no iterator in a kernel",
    label = "not an iterator",
    note = "slices and arrays have `.iter()`; a struct has `#[device] impl Iterator`"
)]
pub trait Sequenced {
    /// `.enumerate()`
    type Enumerated;
    /// `.skip(n)`
    type Skipped;
    /// `.take(n)`
    type Taken;
    /// `.step_by(n)`
    type Stepped;

    /// Numbers the items.
    fn enumerated(self, k: &Builder, at: u32) -> Self::Enumerated;
    /// The items behind the first ones.
    fn skipped(self, k: &Builder, at: u32, number: Let<usize>) -> Self::Skipped;
    /// The first items.
    fn taken(self, k: &Builder, at: u32, number: Let<usize>) -> Self::Taken;
    /// The first item and each that is so many behind the one before.
    fn stepped(self, k: &Builder, at: u32, step: Let<usize>) -> Self::Stepped;
}

impl<I> Sequenced for Sequence<I> {
    type Enumerated = Sequence<Enumerated<I>>;
    type Skipped = Sequence<Moved<I>>;
    type Taken = Self;
    type Stepped = Sequence<Moved<I>>;

    fn enumerated(self, _: &Builder, _: u32) -> Self::Enumerated {
        Sequence { length: self.length, items: Enumerated(self.items) }
    }

    fn skipped(self, k: &Builder, at: u32, by: Let<usize>) -> Self::Skipped {
        let length = k.of_lengths(at, NumericOp::SaturatingSub, self.length, by);
        Sequence { length, items: Moved { items: self.items, way: Way::Skip, by } }
    }

    fn taken(self, k: &Builder, at: u32, number: Let<usize>) -> Self {
        Self { length: k.of_lengths(at, NumericOp::Min, self.length, number), items: self.items }
    }

    fn stepped(self, k: &Builder, at: u32, by: Let<usize>) -> Self::Stepped {
        let (span, ty) = (k.span(at), ScalarType::Usize);
        k.require_step(span, by.operand(k));
        let whole = |op| k.binary(span, op, ty, self.length.operand(k), by.operand(k));
        let rest = k.comparison(span, CompareOp::Ne, ty, whole(BinaryOp::Rem), Operand::constant(0_usize));
        let rest = k.conversion(span, ScalarType::Bool, ty, rest);
        let length = k.binary(span, BinaryOp::Add, ty, whole(BinaryOp::Div), rest);
        let length = k.position(span, length);
        Sequence { length, items: Moved { items: self.items, way: Way::Step, by } }
    }
}

impl<I: Iterated> Sequenced for I {
    type Enumerated = Numbered<I>;
    type Skipped = Skipped<I>;
    type Taken = Taken<I>;
    type Stepped = Stepped<I>;

    fn enumerated(self, k: &Builder, at: u32) -> Numbered<I> {
        k.numbered(at, self)
    }

    fn skipped(self, k: &Builder, at: u32, number: Let<usize>) -> Skipped<I> {
        Builder::skipped(k, at, self, number)
    }

    fn taken(self, k: &Builder, at: u32, number: Let<usize>) -> Taken<I> {
        Builder::taken(k, at, self, number)
    }

    fn stepped(self, k: &Builder, at: u32, step: Let<usize>) -> Stepped<I> {
        Builder::stepped(k, at, self, step)
    }
}

/// Can be gone over together with another.
#[diagnostic::on_unimplemented(
    message = "`.zip(..)` of what is no iterator in a kernel",
    label = "not an iterator",
    note = "slices and arrays have `.iter()`; a struct has `#[device] impl Iterator`"
)]
pub trait Zips<Other> {
    /// The two as one.
    type Both;
    /// Makes it.
    fn zipped(self, k: &Builder, at: u32, other: Other) -> Self::Both;
}

impl<A, B> Zips<Sequence<B>> for Sequence<A> {
    type Both = Sequence<Zipped<A, B>>;

    fn zipped(self, k: &Builder, at: u32, other: Sequence<B>) -> Self::Both {
        let length = k.of_lengths(at, NumericOp::Min, self.length, other.length);
        Sequence { length, items: Zipped(self.items, other.items) }
    }
}

impl<A, B: Iterated> Zips<B> for Sequence<A>
where
    Self: Begun,
{
    type Both = Both<<Self as Begun>::Iterator, B>;

    fn zipped(self, k: &Builder, at: u32, other: B) -> Self::Both {
        k.both(at, k.begun(at, self), other)
    }
}

impl<A: Iterated, B: Begun> Zips<B> for A {
    type Both = Both<A, B::Iterator>;

    fn zipped(self, k: &Builder, at: u32, other: B) -> Self::Both {
        k.both(at, self, k.begun(at, other))
    }
}

impl Builder {
    /// `.enumerate()`
    #[inline(never)]
    pub fn enumerate<S: Sequenced>(&self, at: u32, sequence: S) -> S::Enumerated {
        sequence.enumerated(self, at)
    }

    /// `a.zip(b)`
    #[inline(never)]
    pub fn zip<A: Zips<B>, B>(&self, at: u32, a: A, b: B) -> A::Both {
        a.zipped(self, at, b)
    }

    /// `.skip(number)`
    #[inline(never)]
    pub fn skip<S: Sequenced>(&self, at: u32, sequence: S, number: impl IntoIndex) -> S::Skipped {
        let number = self.keep::<usize>(at, number);
        sequence.skipped(self, at, number)
    }

    /// `.take(number)`
    #[inline(never)]
    pub fn take<S: Sequenced>(&self, at: u32, sequence: S, number: impl IntoIndex) -> S::Taken {
        let number = self.keep::<usize>(at, number);
        sequence.taken(self, at, number)
    }

    /// `.step_by(step)`
    #[inline(never)]
    pub fn step_by<S: Sequenced>(&self, at: u32, sequence: S, step: impl IntoIndex) -> S::Stepped {
        let step = self.keep::<usize>(at, step);
        sequence.stepped(self, at, step)
    }
}
