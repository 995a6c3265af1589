//! Operations that GPUs have in one instruction and std's numbers do not: bit fields, permuted bytes, carries, clamped shifts.
//!
//! Each row of the table has its types in its name, `mul_hi.u32`. What it computes is what the PTX ISA says of the instruction
//! of that name, to the last bit.

mod bits;
mod exact;
mod floats;
mod table;
#[cfg(test)]
mod tests;

use super::{NumericFn, Real};
use crate::scalar::{Scalar, ScalarType};
use bits::{
    BACKWARD, CLAMPED_LEFT, CLAMPED_RIGHT, FORWARD, REPEATED_BYTE, REPEATED_HALF, distance, distances, dot_of_bytes,
    dot_of_halves, extended, extracted, funnel_left, funnel_right, highest, inserted, looked_up, mask_of, nth_set,
    permuted, product_of_24, selector,
};
use exact::{
    BRAIN, DOUBLE, Directed, Direction, HALF, SINGLE, fused, half_finite, half_rectified, half_saturated, narrowed,
    of_integer, product, quotient, root, sum,
};
use floats::{flushed, reciprocal_root, saturated, saturated_double};
use std::cmp::Ordering;
use table::{for_each_machine_op_from_bits, for_each_machine_op_from_floats, for_each_machine_op_from_rounded};

macro_rules! define_machine_ops {
    ($($(#[$doc:meta])* $op:ident = $name:literal ($($arg:ident: $ty:ident),+) -> $result:ident { $meaning:expr })*) => {
        /// An operation of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum MachineOp { $($(#[$doc])* $op,)* }

        impl MachineOp {
            /// Every operation.
            pub const ALL: &[Self] = &[$(Self::$op,)*];

            /// How it is written in code, with its type.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$op => $name,)* }
            }

            /// The types of its operands, of which there are one to three.
            pub const fn args(self) -> &'static [ScalarType] {
                match self { $(Self::$op => const { &[$(<$ty as Scalar>::TYPE),+] },)* }
            }

            /// The type of its result.
            pub const fn result(self) -> ScalarType {
                match self { $(Self::$op => <$result as Scalar>::TYPE,)* }
            }

            /// Its meaning, on the bits of its operands. It never fails.
            pub fn meaning(self) -> NumericFn {
                match self {
                    $(Self::$op => |args: [u64; 3]| {
                        let mut args = args.into_iter();
                        $(let $arg = <$ty as Scalar>::from_bits64(args.next().unwrap_or_default());)+
                        let result: $result = $meaning;
                        Some(result.to_bits64())
                    },)*
                }
            }
        }
    };
}
for_each_machine_op_from_bits!(define_machine_ops);
