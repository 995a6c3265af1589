//! What patterns need: tests against constants, and a check by rustc.

use super::arena::{Leaf, Operand};
use super::layout::HasLayout;
use super::tuple::Leaves;
use super::{Builder, Composite, Let, Mutable, Place, Value};
use crate::ops::{CompareOp, UnaryOp, evaluate_cast};
use crate::program::VarId;
use crate::scalar::{Constant, ScalarType};

/// A constant in a pattern. Whether it is of the value's type is checked by [`Builder::exhaustive`], and only there, so that
/// a mistake is reported once.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no constant of the kernel language",
    label = "neither a number nor a `bool`",
    note = "patterns are numbers, `true`, `false`, constants of these, ranges, `|`, names, `_` and tuples of them"
)]
pub trait PatternConstant {
    /// The constant, as one of the value's type.
    fn constant(self, k: &Builder, at: u32, ty: ScalarType) -> Constant;
}

macro_rules! impl_pattern_constant {
    ($($host:ty)*) => {$(
        impl PatternConstant for $host {
            fn constant(self, k: &Builder, at: u32, ty: ScalarType) -> Constant {
                // Says so if the device cannot hold it.
                let _ = k.constant(k.span(at), self);
                let constant = Constant::of(self);
                // A float without a suffix is an `f64` here, whatever the value is.
                if constant.ty.is_float() && ty.is_float() { evaluate_cast(constant, ty) } else { constant }
            }
        }
    )*};
}
impl_pattern_constant!(u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 bool usize isize);

/// An integer without a suffix, which fits the value's type.
impl PatternConstant for i128 {
    fn constant(self, _: &Builder, _: u32, ty: ScalarType) -> Constant {
        let bits = if ty.bits() == 64 { self as u64 } else { self as u64 & ((1 << ty.bits()) - 1) };
        Constant { ty, bits }
    }
}

/// Each row is a comparison of a value with a constant.
macro_rules! tests {
    ($($name:ident = $op:ident, $text:literal;)*) => {
        impl Builder {$(
            #[doc = concat!("Whether the value ", $text, " the constant of a pattern.")]
            #[inline(never)]
            pub fn $name<T: Composite>(&self, at: u32, value: Let<T>, constant: impl PatternConstant) -> Value<bool> {
                self.test(at, CompareOp::$op, value, constant)
            }
        )*}
    };
}
tests! {
    is = Eq, "is";
    is_from = Ge, "is at least";
    is_below = Lt, "is below";
    is_up_to = Le, "is at most";
}

impl Builder {
    /// Whether the value is the `bool` of a pattern.
    #[inline(never)]
    pub fn is_bool<T: Composite>(&self, at: u32, value: Let<T>, flag: bool) -> Value<bool> {
        let operand = self.leaves(T::LAYOUT, value.operand(self)).first().copied().unwrap_or(Operand::Never);
        Value::new(if flag { operand } else { self.unary(self.span(at), UnaryOp::Not, ScalarType::Bool, operand) })
    }

    fn test<T: Composite>(&self, at: u32, op: CompareOp, value: Let<T>, constant: impl PatternConstant) -> Value<bool> {
        // A unit struct: what is of its type is it.
        if T::COUNT == 0 {
            return Value::new(Operand::constant(true));
        }
        let ty = T::LAYOUT.types().first().copied().unwrap_or(ScalarType::Bool);
        let operand = self.leaves(T::LAYOUT, value.operand(self)).first().copied().unwrap_or(Operand::Never);
        let constant = Operand::Leaf(Leaf::Const(constant.constant(self, at, ty)));
        Value::new(self.comparison(self.span(at), op, ty, operand, constant))
    }

    /// What a name is that alternatives of a pattern give a value each: that of the first if it matches. Emits an `if`.
    #[inline(never)]
    pub fn either<T: Composite>(&self, at: u32, matches: Let<bool>, first: Let<T>, other: Let<T>) -> Let<T> {
        let (span, matches) = (self.span(at), matches.operand(self));
        let (first, other) = (self.leaves(T::LAYOUT, first.operand(self)), self.leaves(T::LAYOUT, other.operand(self)));
        let scalars = first.into_iter().zip(other).zip(T::LAYOUT.types());
        let chosen: Leaves = scalars.map(|((first, other), ty)| self.choose(span, ty, matches, first, other)).collect();
        Let::new(self, self.whole(&chosen))
    }

    /// A variable whose parts patterns name.
    #[inline(never)]
    pub fn exposed<T: Composite>(&self, _at: u32, place: impl Place<T>) -> Let<T> {
        Let::new(self, self.variables(place.var(), T::COUNT))
    }

    /// A part of a variable, as a variable.
    #[inline(never)]
    pub fn part_place<W: Composite, T: Composite>(&self, at: u32, whole: Let<W>, part: Let<T>) -> Mutable<T> {
        let variable = |leaf: &Operand| match leaf {
            Operand::Leaf(Leaf::Var(var)) => Some(*var),
            _ => None,
        };
        let whole: Vec<_> = self.leaves(W::LAYOUT, whole.operand(self)).iter().filter_map(variable).collect();
        let part: Vec<_> = self.leaves(T::LAYOUT, part.operand(self)).iter().filter_map(variable).collect();
        if part.len() != T::COUNT as usize || !part.iter().all(|var| whole.contains(var)) {
            let message = "a name for what is behind a `&mut` stands in one pattern: write an arm for each alternative";
            self.problem(self.span(at), message.to_owned());
        }
        Mutable::new(part.first().copied().unwrap_or(VarId(0)), T::COUNT)
    }

    /// A closure that is never called, with the patterns of a `match` on a value of that type: so rustc checks that they
    /// are of the type, and that they are all that is needed.
    #[inline(never)]
    pub fn exhaustive<T: Composite>(&self, _: Let<T>, _: impl FnOnce(T)) {}
}
