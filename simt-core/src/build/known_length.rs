//! Slices whose length the text says: a kernel's parameters `&[T; N]`.

use super::arena::Operand;
use super::region::Bounds;
use super::{ArrayMut, ArrayRef, AtomicRows, AtomicSlice, Builder, SliceMut, SliceRef};

/// A slice of which the number of elements is known.
pub trait OfLength {
    /// The array.
    type Array<const N: usize>;
    /// Says that it has so many.
    fn of_length<const N: usize>(self, k: &Builder) -> Self::Array<N>;
}

macro_rules! of_length {
    ($([$($generics:tt)*] $handle:ty: $array:ty;)*) => {$(
        impl<$($generics)*> OfLength for $handle {
            type Array<const N: usize> = $array;

            fn of_length<const N: usize>(self, k: &Builder) -> $array {
                let (start, length) = (Operand::constant(0_usize), Operand::constant(N));
                <$array>::new(k.with_bounds(self.region.memory, Bounds { start, length }))
            }
        }
    )*};
}
of_length! {
    [T] SliceRef<T>: ArrayRef<T, N>;
    [T] SliceMut<T>: ArrayMut<T, N>;
    [T] AtomicSlice<T>: AtomicSlice<T>;
    [T] AtomicRows<T>: AtomicRows<T>;
}

impl Builder {
    /// A parameter `&[T; N]`.
    #[inline(never)]
    pub fn sized<const N: usize, S: OfLength>(&self, _at: u32, slice: S) -> S::Array<N> {
        slice.of_length(self)
    }
}
