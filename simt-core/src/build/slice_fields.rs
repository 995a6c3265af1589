//! Fields of variables that are references to slices: their elements are those of the memory.

use super::layout::{HasLayout, HasStorage};
use super::spill::{FieldElements, FieldMemory};
use super::{Builder, Composite, KernelData, MemoryElement, Mutable, Region, Value};
use crate::program::{LoadAccess, StoreAccess};
use crate::scalar::ScalarType;
use crate::source::Span;

macro_rules! slices {
    ($($reference:ty: $handle:ident;)*) => {$(
        impl<T: MemoryElement + 'static> FieldMemory for $reference
        where
            T::Slice: Copy,
            T::SliceMut: Copy,
        {
            type Memory = T::$handle;
            type MemoryMut = T::$handle;
            type Held = Region;

            fn memory(k: &Builder, span: Span, value: Value<Self>) -> T::$handle {
                k.slice_of(T::Data::STORAGE, span, &k.leaves(Self::LAYOUT, value.operand)).into()
            }

            fn held(k: &Builder, span: Span, place: Mutable<Self>) -> Region {
                k.slice_of(T::Data::STORAGE, span, &k.leaves(Self::LAYOUT, k.variables(place.var, Self::COUNT)))
            }

            fn memory_mut(held: Region) -> T::$handle {
                held.into()
            }

            fn lasting(k: &Builder, span: Span, place: Mutable<Self>) -> T::$handle {
                Self::held(k, span, place).into()
            }

            fn restore(_: &Builder, _: Span, _: Region) {}

            fn length(k: &Builder, _: Span, value: impl FnOnce() -> Value<Self>) -> Value<usize> {
                Value::new(k.leaves(Self::LAYOUT, value().operand)[2])
            }
        }

        impl<T: KernelData> FieldElements for $reference {
            type Element = T;

            fn element(k: &Builder, span: Span, value: Value<Self>, index: Value<usize>) -> Value<T> {
                let region = k.slice_of(T::STORAGE, span, &k.leaves(Self::LAYOUT, value.operand));
                let index = k.located(span, region, index.operand);
                Value::new(k.load_all(T::STORAGE, span, LoadAccess::Plain, region.memory, index))
            }

            fn change(
                k: &Builder,
                span: Span,
                place: Mutable<Self>,
                index: Value<usize>,
                new: impl FnOnce(Value<T>) -> Value<T>,
            ) {
                let region = <Self as FieldMemory>::held(k, span, place);
                let index = k.located(span, region, index.operand);
                let index = k.pin(span, ScalarType::Usize, index);
                let value = new(Value::new(k.load_all(T::STORAGE, span, LoadAccess::Plain, region.memory, index)));
                k.store_all(T::STORAGE, span, StoreAccess::Plain, region.memory, index, value.operand);
            }
        }
    )*};
}
slices! {
    &'static [T]: Slice;
    &'static mut [T]: SliceMut;
}
