//! Methods of iterators with a number, `.enumerate()` and `.rev()`.

use super::{FromBack, Iterated, Lengthed, Remaining};
use crate::build::arena::Operand;
use crate::build::{Builder, IntoValue, Let, Opened};
use crate::ops::{Args, BinaryOp, CompareOp, NumericOp};
use crate::program::{Block, VarId};
use crate::scalar::ScalarType;
use crate::source::Span;

/// Iterators that count by a variable.
macro_rules! counting {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name<I> {
            inner: I,
            count: VarId,
        }

        impl<I: Iterated> $name<I> {
            fn new(k: &Builder, span: Span, inner: I, count: Operand) -> Self {
                Self { inner, count: k.state_of(span, ScalarType::Usize, count) }
            }

            fn copied(self, k: &Builder, span: Span) -> Self {
                Self::new(k, span, self.inner.duplicate(k, span), Operand::var(self.count))
            }

            fn restored(self, k: &Builder, span: Span, from: Self) {
                k.set(span, self.count, ScalarType::Usize, Operand::var(from.count));
                self.inner.restore(k, span, from.inner);
            }
        }
    )*};
}
counting! {
    /// `.enumerate()`
    Numbered;
    /// `.take(n)`
    Taken;
    /// `.skip(n)`
    Skipped;
}

macro_rules! state_of_both {
    () => {
        fn duplicate(self, k: &Builder, span: Span) -> Self {
            self.copied(k, span)
        }

        fn restore(self, k: &Builder, span: Span, from: Self) {
            self.restored(k, span, from);
        }
    };
}

fn one() -> Operand {
    Operand::constant(1_usize)
}

fn zero() -> Operand {
    Operand::constant(0_usize)
}

impl<I: Iterated> Iterated for Numbered<I> {
    type Item = (Let<usize>, I::Item);

    fn step(self, k: &Builder, span: Span, leave: u32) -> Self::Item {
        let item = self.inner.step(k, span, leave);
        let number = k.position(span, Operand::var(self.count));
        k.moved_by(span, self.count, BinaryOp::Add, one());
        (number, item)
    }

    state_of_both!();
}

impl<I: FromBack + Lengthed> FromBack for Numbered<I> {
    fn step_back(self, k: &Builder, span: Span, leave: u32) -> Self::Item {
        let item = self.inner.step_back(k, span, leave);
        let Remaining(others) = self.inner.left(k, span);
        let number = k.binary(span, BinaryOp::Add, ScalarType::Usize, Operand::var(self.count), others);
        (k.position(span, number), item)
    }
}

impl<I: Lengthed> Lengthed for Numbered<I> {
    fn left(self, k: &Builder, span: Span) -> Remaining {
        self.inner.left(k, span)
    }
}

impl<I: Iterated> Iterated for Taken<I> {
    type Item = I::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        let is_last = k.comparison(span, CompareOp::Eq, ScalarType::Usize, Operand::var(self.count), zero());
        k.leave_if(span, is_last, leave);
        k.moved_by(span, self.count, BinaryOp::Sub, one());
        self.inner.step(k, span, leave)
    }

    state_of_both!();
}

impl<I: Lengthed> Lengthed for Taken<I> {
    fn left(self, k: &Builder, span: Span) -> Remaining {
        let Remaining(inner) = self.inner.left(k, span);
        let args = Args::Two([inner, Operand::var(self.count)]);
        Remaining(k.numeric(span, NumericOp::Min, ScalarType::Usize, args))
    }
}

impl<I: Iterated> Skipped<I> {
    /// Passes over the items that are skipped.
    fn pass(self, k: &Builder, span: Span, leave: u32) {
        let is_more = k.comparison(span, CompareOp::Ne, ScalarType::Usize, Operand::var(self.count), zero());
        k.open(Opened::Loop { cond: is_more, span, step: Block::new() });
        k.moved_by(span, self.count, BinaryOp::Sub, one());
        self.inner.step(k, span, leave + 1);
        k.end_loop();
    }
}

impl<I: Iterated> Iterated for Skipped<I> {
    type Item = I::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        self.pass(k, span, leave);
        self.inner.step(k, span, leave)
    }

    state_of_both!();
}

impl<I: Lengthed> Lengthed for Skipped<I> {
    fn left(self, k: &Builder, span: Span) -> Remaining {
        let Remaining(inner) = self.inner.left(k, span);
        let args = Args::Two([inner, Operand::var(self.count)]);
        Remaining(k.numeric(span, NumericOp::SaturatingSub, ScalarType::Usize, args))
    }
}

/// `.step_by(n)`
#[derive(Clone, Copy, Debug)]
pub struct Stepped<I> {
    /// Passes over those between two items.
    skipped: Skipped<I>,
    between: Let<usize>,
}

impl<I: Iterated> Iterated for Stepped<I> {
    type Item = I::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        self.skipped.pass(k, span, leave);
        k.set(span, self.skipped.count, ScalarType::Usize, self.between.operand(k));
        self.skipped.inner.step(k, span, leave)
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        Self { skipped: self.skipped.copied(k, span), ..self }
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        self.skipped.restored(k, span, from.skipped);
    }
}

/// `.rev()`
#[derive(Clone, Copy, Debug)]
pub struct Reversed<I>(I);

impl<I: FromBack> Iterated for Reversed<I> {
    type Item = I::Item;

    fn step(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        self.0.step_back(k, span, leave)
    }

    fn duplicate(self, k: &Builder, span: Span) -> Self {
        Self(self.0.duplicate(k, span))
    }

    fn restore(self, k: &Builder, span: Span, from: Self) {
        self.0.restore(k, span, from.0);
    }
}

impl<I: FromBack> FromBack for Reversed<I> {
    fn step_back(self, k: &Builder, span: Span, leave: u32) -> I::Item {
        self.0.step(k, span, leave)
    }
}

impl<I: FromBack + Lengthed> Lengthed for Reversed<I> {
    fn left(self, k: &Builder, span: Span) -> Remaining {
        self.0.left(k, span)
    }
}

impl Builder {
    /// `.enumerate()`
    #[inline(never)]
    pub fn numbered<I: Iterated>(&self, at: u32, inner: I) -> Numbered<I> {
        Numbered::new(self, self.span(at), inner, zero())
    }

    /// `.take(n)`
    #[inline(never)]
    pub fn taken<I: Iterated>(&self, at: u32, inner: I, number: impl IntoValue<usize>) -> Taken<I> {
        let number = self.keep::<usize>(at, number).operand(self);
        Taken::new(self, self.span(at), inner, number)
    }

    /// `.skip(n)`
    #[inline(never)]
    pub fn skipped<I: Iterated>(&self, at: u32, inner: I, number: impl IntoValue<usize>) -> Skipped<I> {
        let number = self.keep::<usize>(at, number).operand(self);
        Skipped::new(self, self.span(at), inner, number)
    }

    /// `.step_by(n)`
    #[inline(never)]
    pub fn stepped<I: Iterated>(&self, at: u32, inner: I, step: impl IntoValue<usize>) -> Stepped<I> {
        let (span, step) = (self.span(at), self.keep::<usize>(at, step).operand(self));
        self.require_step(span, step);
        let between = self.binary(span, BinaryOp::Sub, ScalarType::Usize, step, one());
        let between = self.position(span, between);
        Stepped { skipped: Skipped::new(self, span, inner, zero()), between }
    }

    /// `.rev()`
    #[inline(never)]
    pub fn reversed<I: FromBack>(&self, _at: u32, inner: I) -> Reversed<I> {
        Reversed(inner)
    }
}
