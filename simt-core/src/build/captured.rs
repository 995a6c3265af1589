//! What a `move` closure has of a variable: its value where the closure stands.

use super::layout::{HasLayout, HasStorage};
use super::{
    ArrayMut, ArrayRef, AtomicRef, AtomicRows, AtomicSlice, Builder, Composite, IteratedMut, IteratedRef, KernelData,
    Let, Mutable, SliceMut, SliceRef,
};
use crate::program::{ArraySpace, Memory};

/// Can be captured by value.
pub trait Captured: Sized {
    /// The name that the closure has.
    fn captured(self, k: &Builder, at: u32) -> Self;
}

impl<T: Composite> Captured for Mutable<T> {
    fn captured(self, k: &Builder, at: u32) -> Self {
        let (span, first) = (k.span(at), k.new_variables(T::LAYOUT, None, true, false));
        k.set_all(T::LAYOUT, span, first, k.variables(self.var, self.count));
        Self::new(first, self.count)
    }
}

/// A thread's own; that of a block is one for all.
impl<T: KernelData, const N: usize> Captured for ArrayMut<T, N> {
    fn captured(self, k: &Builder, at: u32) -> Self {
        let Memory::Array(array) = self.region.memory else { return self };
        if k.state.borrow().program.array(array).space == ArraySpace::Shared {
            return self;
        }
        let span = k.span(at);
        let copy = k.declare_arrays(T::STORAGE, span, "copy", N, ArraySpace::Local, false);
        k.put_array::<T, N>(span, copy.into(), k.array_value::<T, N>(span, self.region).operand);
        Self::new(copy)
    }
}

macro_rules! captured_as_they_are {
    ($($handle:ident)*) => {$(
        impl<T> Captured for $handle<T> {
            fn captured(self, _: &Builder, _: u32) -> Self {
                self
            }
        }
    )*};
}
captured_as_they_are!(Let SliceRef SliceMut AtomicSlice AtomicRows AtomicRef IteratedRef IteratedMut);

impl<T, const N: usize> Captured for ArrayRef<T, N> {
    fn captured(self, _: &Builder, _: u32) -> Self {
        self
    }
}

impl Builder {
    /// A variable as a `move` closure has it.
    #[inline(never)]
    pub fn captured<C: Captured>(&self, at: u32, name: C) -> C {
        name.captured(self, at)
    }
}
