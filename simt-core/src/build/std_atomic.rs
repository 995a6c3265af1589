//! The atomic types that a kernel's memory can be made of: those of `std`, and the floats that it lacks.

use super::float_atomic::{AtomicF32, AtomicF64};
use super::{AtomicAccess, AtomicSlice, MemoryElement};
use crate::scalar::Scalar;
use std::sync::atomic::{
    AtomicBool, AtomicI32, AtomicI64, AtomicIsize, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed,
};

mod sealed {
    /// Only the types of the list are atomics of the language.
    pub trait Sealed {}
}

/// A type of `std::sync::atomic`, [`AtomicF32`] or [`AtomicF64`], that threads of a kernel can work on together.
///
/// ```
/// use simt_core::Atomic;
/// use std::sync::atomic::AtomicU32;
///
/// let total = AtomicU32::new(7);
/// Atomic::set(&total, Atomic::get(&total) + 1);
/// assert_eq!(total.into_inner(), 8);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an atomic type of the kernel language",
    label = "not usable as an atomic in a kernel",
    note = "kernels have AtomicU32 AtomicI32 AtomicU64 AtomicI64 AtomicUsize AtomicIsize AtomicBool of `std::sync::atomic`, AtomicF32 and AtomicF64 of simt"
)]
pub trait Atomic:
    sealed::Sealed
    + Sync
    + MemoryElement<
        Data = <Self as Atomic>::Value,
        Slice = AtomicSlice<Self>,
        SliceMut = AtomicSlice<Self>,
        Access = AtomicAccess,
    > + 'static
{
    /// The type of the value inside.
    type Value: Scalar;

    /// The value now.
    fn get(&self) -> Self::Value;

    /// Replaces the value.
    fn set(&self, value: Self::Value);
}

macro_rules! atomics {
    ($($atomic:ident: $value:ident;)*) => {$(
        impl sealed::Sealed for $atomic {}
        impl Atomic for $atomic {
            type Value = $value;
            #[inline]
            fn get(&self) -> $value {
                self.load(Relaxed)
            }
            #[inline]
            fn set(&self, value: $value) {
                self.store(value, Relaxed);
            }
        }
    )*};
}
atomics! {
    AtomicU32: u32;
    AtomicI32: i32;
    AtomicU64: u64;
    AtomicI64: i64;
    AtomicUsize: usize;
    AtomicIsize: isize;
    AtomicBool: bool;
    AtomicF32: f32;
    AtomicF64: f64;
}
