//! Methods of slices and arrays that have no element in particular: `x.len()`, `x.fill(v)`, where the macro cannot tell
//! whether `x` is a struct.

use super::super::arena::Operand;
use super::super::layout::{HasLayout, HasStorage};
use super::super::{Composite, IntoIndex, IntoValue, KernelData, MemoryElement, RefArgument, Value};
use super::elements::ElementsArgument;
use super::slice::{contains, copy_from_slice, fill, is_empty, len, rotate_left, rotate_right, swap};
use super::{StdCall, Subject};
use crate::ops::CompareOp;
use crate::scalar::{Scalar, ScalarType};

impl<T: MemoryElement> StdCall<'_, len, [T]> {
    /// `slice.len()`
    #[inline(never)]
    pub fn __rest(self) -> Value<usize> {
        Value::new(self.length())
    }
}

impl<T: MemoryElement> StdCall<'_, is_empty, [T]> {
    /// `slice.is_empty()`
    #[inline(never)]
    pub fn __rest(self) -> Value<bool> {
        let (k, span) = (self.call.k, self.call.span);
        let length = self.length();
        Value::new(k.comparison(span, CompareOp::Eq, ScalarType::Usize, length, Operand::constant(0_usize)))
    }
}

impl<N, T: MemoryElement> StdCall<'_, N, [T]> {
    /// How many elements there are; nothing else is evaluated.
    fn length(self) -> Operand {
        let (k, span, subject) = self.parts();
        match subject {
            Subject::Value(value) if !k.is_reference(value) => {
                Operand::constant(k.leaves(T::Data::LAYOUT, value).len() / T::Data::COUNT.max(1) as usize)
            }
            subject => match k.subject_region(T::Data::STORAGE, span, subject) {
                Some(region) => k.length_of(T::Data::STORAGE, span, region),
                None => {
                    let region = k.copied_subject(T::Data::STORAGE, span, subject);
                    k.length_of(T::Data::STORAGE, span, region)
                }
            },
        }
    }
}

impl<T: Scalar> StdCall<'_, contains, [T]> {
    /// `slice.contains(&value)`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self, value: impl RefArgument<T>) -> Value<bool> {
        let (k, span, subject) = self.parts();
        let value = k.pin(span, T::TYPE, value.value(k).operand);
        let region = k.subject_memory(T::STORAGE, span, subject);
        k.region_contains::<T>(span, region, value)
    }
}

impl<T: KernelData> StdCall<'_, fill, [T]> {
    /// `slice.fill(value)`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self, value: impl IntoValue<T>) -> Value<()> {
        let (k, span, subject) = self.parts();
        let value = k.whole(&k.pinned_leaves::<T>(span, value));
        k.change_memory(T::STORAGE, span, subject, |region| k.fill_region(T::STORAGE, span, region, value));
        k.unit()
    }
}

impl<T: KernelData> StdCall<'_, copy_from_slice, [T]> {
    /// `slice.copy_from_slice(&from)`. Emits a loop.
    #[inline(never)]
    pub fn __rest(self, from: impl ElementsArgument<T>) -> Value<()> {
        let (k, span, subject) = self.parts();
        let from = from.elements(k, span);
        k.change_memory(T::STORAGE, span, subject, |region| k.copy_region(T::STORAGE, span, region, from));
        k.unit()
    }
}

impl<T: KernelData> StdCall<'_, swap, [T]> {
    /// `slice.swap(a, b)`
    #[inline(never)]
    pub fn __rest(self, a: impl IntoIndex, b: impl IntoIndex) -> Value<()> {
        let (k, span, subject) = self.parts();
        let [a, b] = [k.operand(span, a), k.operand(span, b)].map(|index| k.pinned_index(span, index));
        k.change_memory(T::STORAGE, span, subject, |region| {
            let [a, b] = [a, b].map(|index| k.located(span, region, index));
            k.exchange_elements(T::STORAGE, span, region.memory, a, b);
        });
        k.unit()
    }
}

macro_rules! rotations {
    ($($name:ident $right:literal;)*) => {$(
        impl<T: KernelData> StdCall<'_, $name, [T]> {
            #[doc = concat!("`slice.", stringify!($name), "(n)`. Emits loops.")]
            #[inline(never)]
            pub fn __rest(self, by: impl IntoIndex) -> Value<()> {
                let (k, span, subject) = self.parts();
                let by = k.operand(span, by);
                let by = k.pinned_index(span, by);
                k.change_memory(T::STORAGE, span, subject, |region| k.rotate_region(T::STORAGE, span, region, $right, by));
                k.unit()
            }
        }
    )*};
}
rotations! {
    rotate_left false; rotate_right true;
}
