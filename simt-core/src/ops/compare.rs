//! Comparisons: two values of one type to a `bool`.

use super::{NumericFn, half, with_machine_type};
use crate::scalar::{Constant, Scalar, ScalarType};

/// What a comparison means on values of type `T`.
pub trait CompareMeaning<T> {
    /// The result of the comparison.
    fn apply(left: T, right: T) -> bool;
}

macro_rules! for_each_compare_op {
    ($consume:ident) => {
        $consume! {
            /// `a == b`
            Eq = "eq", "==";
            /// `a != b`
            Ne = "ne", "!=";
            /// `a < b`
            Lt = "lt", "<";
            /// `a <= b`
            Le = "le", "<=";
            /// `a > b`
            Gt = "gt", ">";
            /// `a >= b`
            Ge = "ge", ">=";
        }
    };
}

macro_rules! define_compare_op {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $symbol:tt;)*) => {
        /// A comparison. A comparison with a NaN is false, except `!=`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum CompareOp { $($(#[$doc])* $name,)* }

        impl CompareOp {
            /// Every comparison.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Name in `Code`, to which the operands' type is appended: `lt.f32`.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Symbol in the while-language.
            pub const fn symbol(self) -> &'static str {
                match self { $(Self::$name => $symbol,)* }
            }
        }

        impl CompareOp {
            /// What it means on bits of a 16-bit float, if the type is one.
            pub fn half_meaning(self, ty: ScalarType) -> Option<NumericFn> {
                match self { $(Self::$name => half::meaning::<half::Compare<compare::$name>>(ty),)* }
            }
        }

        /// One unit struct a comparison, to carry its meaning as a type.
        pub mod compare {
            $($(#[$doc])* #[derive(Clone, Copy, Debug)] pub struct $name;)*
        }

        /// The meaning of a comparison on constants of one type.
        pub fn evaluate_compare(op: CompareOp, left: Constant, right: Constant) -> bool {
            if let Some(meaning) = op.half_meaning(left.ty) {
                return meaning([left.bits, right.bits, 0]) == Some(1);
            }
            macro_rules! on {
                ($t:ident) => {
                    match op { $(CompareOp::$name => <compare::$name as CompareMeaning<$t>>::apply(
                        $t::from_bits64(left.bits), $t::from_bits64(right.bits)),)* }
                };
            }
            with_machine_type!(left.ty, int T => on!(T), float => on!(T), bool => on!(T))
        }
    };
}
for_each_compare_op!(define_compare_op);

macro_rules! meanings {
    ($($name:ident: $symbol:tt;)*) => {$(
        impl<T: PartialOrd> CompareMeaning<T> for compare::$name {
            #[inline(always)]
            fn apply(left: T, right: T) -> bool { left $symbol right }
        }
    )*};
}
meanings! { Eq: ==; Ne: !=; Lt: <; Le: <=; Gt: >; Ge: >=; }

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check<T: Scalar>(op: CompareOp, left: T, right: T, expected: bool) {
        assert_eq!(evaluate_compare(op, Constant::of(left), Constant::of(right)), expected);
    }

    #[test]
    fn each_row_on_values_worked_by_hand() {
        check(CompareOp::Eq, 3u64, 3, true);
        check(CompareOp::Ne, true, false, true);
        check(CompareOp::Lt, -1i8, 0, true);
        check(CompareOp::Lt, 0xffu8, 0, false);
        check(CompareOp::Le, 2.0f32, 2.0, true);
        check(CompareOp::Gt, true, false, true);
        check(CompareOp::Ge, 1isize, 2, false);
    }

    #[test]
    fn a_nan_differs_from_everything() {
        for &op in CompareOp::ALL {
            check(op, f64::NAN, f64::NAN, op == CompareOp::Ne);
        }
    }
}
