//! The rows: a name, operands and result with their types, and the meaning.
//!
//! Each file has a macro that hands its rows to the next one, the last all of them to what consumes them.

mod bits;
mod floats;
mod rounded;

pub(super) use bits::for_each_machine_op_from_bits;
pub(super) use floats::for_each_machine_op_from_floats;
pub(super) use rounded::for_each_machine_op_from_rounded;
