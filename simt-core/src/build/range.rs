//! `for` over ranges that run backwards or in steps, with the meaning of `std::iter` at the ends of a type.

use super::arena::{Leaf, Operand};
use super::guard::text;
use super::{Builder, IntoIndex, IntoValue, Let, Opened};
use crate::ops::Int;
use crate::ops::{Args, BinaryOp, CompareOp, NumericOp};
use crate::program::{Expr, VarId, Variable};
use crate::scalar::{Constant, ScalarType};
use crate::source::Span;

/// How a `for` with `.step_by(k)` walks through its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// `(a..b).step_by(k)`
    Up,
    /// `(a..b).rev().step_by(k)`: down from the last number.
    Down,
    /// `(a..b).step_by(k).rev()`: down from the last number that the steps from `a` meet.
    Back,
}

/// A range: its bounds, pinned, and whether it has its end.
#[derive(Clone, Copy)]
struct Bounds {
    from: Operand,
    to: Operand,
    inclusive: bool,
}

impl Builder {
    /// `for name in (from..to).rev()`; opens the body.
    #[inline(never)]
    pub fn for_rev<T: Int>(
        &self,
        at: u32,
        name: Option<&'static str>,
        from: impl IntoValue<T>,
        to: impl IntoValue<T>,
    ) -> Let<T> {
        let span = self.span(at);
        let (counter, from, to) = self.counter(span, name, from, to);
        let from = self.pin(span, T::TYPE, from);
        self.walk_down::<T>(span, counter, Bounds { from, to, inclusive: false })
    }

    /// `for name in (from..=to).rev()`; opens the body.
    #[inline(never)]
    pub fn for_rev_inclusive<T: Int>(
        &self,
        at: u32,
        name: Option<&'static str>,
        from: impl IntoValue<T>,
        to: impl IntoValue<T>,
    ) -> Let<T> {
        let span = self.span(at);
        let (counter, from, to) = self.counter(span, name, from, to);
        let from = self.pin(span, T::TYPE, from);
        self.walk_down::<T>(span, counter, Bounds { from, to, inclusive: true })
    }

    /// `for name in (from..to).step_by(step)`; opens the body.
    #[expect(clippy::too_many_arguments, reason = "a range with a method has as many parts")]
    #[inline(never)]
    pub fn for_step<T: Int>(
        &self,
        at: u32,
        name: Option<&'static str>,
        from: impl IntoValue<T>,
        to: impl IntoValue<T>,
        inclusive: bool,
        walk: Walk,
        step: impl IntoIndex,
    ) -> Let<T> {
        let span = self.span(at);
        let (counter, from, to) = self.counter(span, name, from, to);
        let step = self.operand(span, step);
        let (from, to) = (self.pin(span, T::TYPE, from), self.pin(span, T::TYPE, to));
        let step = self.pin(span, ScalarType::Usize, step);
        self.require_step(span, step);
        let bounds = Bounds { from, to, inclusive };
        let is_one = step.as_constant().is_some_and(|step| step.bits == 1);
        match walk {
            Walk::Up if is_one && !inclusive => self.walk_up::<T>(span, counter, bounds, step),
            Walk::Up if !inclusive && !T::TYPE.is_signed_int() && T::TYPE.bits() >= 32 => {
                self.walk_up::<T>(span, counter, bounds, step)
            }
            Walk::Down | Walk::Back if is_one => self.walk_down::<T>(span, counter, bounds),
            _ => self.walk_counted::<T>(span, counter, bounds, walk, step),
        }
    }

    /// `if (step == 0) { panic!(..) }`, unless the step is known.
    pub(super) fn require_step(&self, span: Span, step: Operand) {
        let is_zero = self.comparison(span, CompareOp::Eq, ScalarType::Usize, step, Operand::constant(0usize));
        self.panic_if(span, is_zero, |_| (vec![text("assertion failed: step != 0")], Vec::new()));
    }

    /// `i = from; while (i < to) S step i = i.saturating_add(k)`: the largest number of a type is below no bound.
    fn walk_up<T: Int>(&self, span: Span, counter: VarId, bounds: Bounds, step: Operand) -> Let<T> {
        self.set(span, counter, T::TYPE, bounds.from);
        let is_one = step.as_constant().is_some_and(|step| step.bits == 1);
        let step = self.conversion(span, ScalarType::Usize, T::TYPE, step);
        let step = self.pin(span, T::TYPE, step);
        let cond = self.comparison(span, CompareOp::Lt, T::TYPE, Operand::var(counter), bounds.to);
        let step = self.block(|| {
            if is_one {
                return self.increment::<T>(span, counter);
            }
            let args = [Operand::var(counter), step].map(|operand| self.node(span, T::TYPE, operand));
            let sum = Expr::Numeric { op: NumericOp::SaturatingAdd, args: Args::from(args) };
            self.set(span, counter, T::TYPE, self.load_node(span, T::TYPE, sum));
        });
        self.open(Opened::Loop { cond, span, step });
        Let::new(self, Operand::var(counter))
    }

    /// `i = to; while (from < i) { i = i - 1; S }`, and of an inclusive range
    /// `i = to; more = from <= i; while (more) S step { more = i != from; i = i - 1; }`.
    fn walk_down<T: Int>(&self, span: Span, counter: VarId, bounds: Bounds) -> Let<T> {
        let Bounds { from, to, inclusive } = bounds;
        self.set(span, counter, T::TYPE, to);
        let one = Operand::Leaf(Leaf::Const(Constant { ty: T::TYPE, bits: 1 }));
        let decrement = || {
            let next = self.binary(span, BinaryOp::Sub, T::TYPE, Operand::var(counter), one);
            self.set(span, counter, T::TYPE, next);
        };
        let below = |op| self.comparison(span, op, T::TYPE, from, Operand::var(counter));
        if !inclusive {
            let cond = below(CompareOp::Lt);
            self.open(Opened::Loop { cond, span, step: Vec::new() });
            decrement();
            return Let::new(self, Operand::var(counter));
        }
        let more = self.flag();
        self.set(span, more, ScalarType::Bool, below(CompareOp::Le));
        let step = self.block(|| {
            self.set(span, more, ScalarType::Bool, below(CompareOp::Ne));
            decrement();
        });
        self.open(Opened::Loop { cond: Operand::var(more), span, step });
        Let::new(self, Operand::var(counter))
    }

    /// Counts the steps before the loop: `rest` is how many come behind the current one.
    ///
    /// `more = from < to; rest = (to - from - 1) / k; i = ..; while (more) S step { more = rest != 0; rest = rest - 1; i = i + k; }`
    fn walk_counted<T: Int>(&self, span: Span, counter: VarId, bounds: Bounds, walk: Walk, step: Operand) -> Let<T> {
        let Bounds { from, to, inclusive } = bounds;
        // The distance of two numbers of a type is an unsigned number of its width.
        let wide = if T::TYPE.bits() == 64 { ScalarType::U64 } else { ScalarType::U32 };
        let op = if inclusive { CompareOp::Le } else { CompareOp::Lt };
        let constant = |ty, bits| Operand::Leaf(Leaf::Const(Constant { ty, bits }));
        let more = self.flag();
        self.set(span, more, ScalarType::Bool, self.comparison(span, op, T::TYPE, from, to));

        let last = if inclusive { to } else { self.binary(span, BinaryOp::Sub, T::TYPE, to, constant(T::TYPE, 1)) };
        let last = self.pin(span, T::TYPE, last);
        let distance = self.binary(span, BinaryOp::Sub, T::TYPE, last, from);
        let distance = self.conversion(span, T::TYPE, T::TYPE.unsigned(), distance);
        let distance = self.conversion(span, T::TYPE.unsigned(), wide, distance);
        let wide_step = self.conversion(span, ScalarType::Usize, wide, step);
        let rest = self.variable(Variable { name: None, ty: wide, mutable: true }, false);
        self.set(span, rest, wide, self.binary(span, BinaryOp::Div, wide, distance, wide_step));

        let step = self.conversion(span, ScalarType::Usize, T::TYPE, step);
        let step = self.pin(span, T::TYPE, step);
        let start = match walk {
            Walk::Up => from,
            Walk::Down => last,
            Walk::Back => {
                let steps = self.conversion(span, wide, T::TYPE, Operand::var(rest));
                let way = self.binary(span, BinaryOp::Mul, T::TYPE, steps, step);
                self.binary(span, BinaryOp::Add, T::TYPE, from, way)
            }
        };
        self.set(span, counter, T::TYPE, start);
        let step = self.block(|| {
            let any = self.comparison(span, CompareOp::Ne, wide, Operand::var(rest), constant(wide, 0));
            self.set(span, more, ScalarType::Bool, any);
            let fewer = self.binary(span, BinaryOp::Sub, wide, Operand::var(rest), constant(wide, 1));
            self.set(span, rest, wide, fewer);
            let op = if walk == Walk::Up { BinaryOp::Add } else { BinaryOp::Sub };
            let next = self.binary(span, op, T::TYPE, Operand::var(counter), step);
            self.set(span, counter, T::TYPE, next);
        });
        self.open(Opened::Loop { cond: Operand::var(more), span, step });
        Let::new(self, Operand::var(counter))
    }

    fn flag(&self) -> VarId {
        self.variable(Variable { name: None, ty: ScalarType::Bool, mutable: true }, false)
    }
}
