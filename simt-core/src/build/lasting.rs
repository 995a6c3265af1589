//! Fields of variables, as memory to which references stay: `&mut m.s[i]`, `m.s[..2].reverse()`.

use super::record::Part;
use super::spill::FieldMemory;
use super::{Builder, KernelData, Let, Mutable, Value};

/// Has fields that are memory: of what may be written, memory that may be.
pub trait LastingFields {
    /// Its type.
    type Whole: KernelData;
    /// The memory.
    type Memory<F: FieldMemory>;
    /// Finds it.
    fn lasting<F: FieldMemory>(self, k: &Builder, at: u32, path: fn(Part<Self::Whole>) -> Part<F>) -> Self::Memory<F>;
}

impl<T: KernelData> LastingFields for Mutable<T> {
    type Whole = T;
    type Memory<F: FieldMemory> = F::MemoryMut;

    fn lasting<F: FieldMemory>(self, k: &Builder, at: u32, path: fn(Part<T>) -> Part<F>) -> F::MemoryMut {
        F::lasting(k, k.span(at), k.get_place(self, path))
    }
}

macro_rules! of_values {
    ($($handle:ident)*) => {$(
        /// What does not change is copied.
        impl<T: KernelData> LastingFields for $handle<T> {
            type Whole = T;
            type Memory<F: FieldMemory> = F::Memory;

            fn lasting<F: FieldMemory>(self, k: &Builder, at: u32, path: fn(Part<T>) -> Part<F>) -> F::Memory {
                k.spill(at, self, path)
            }
        }
    )*};
}
of_values!(Let Value);

impl Builder {
    /// `variable.name` as memory to which references stay.
    #[inline(never)]
    pub fn lasting<L: LastingFields, F: FieldMemory>(
        &self,
        at: u32,
        variable: L,
        path: fn(Part<L::Whole>) -> Part<F>,
    ) -> L::Memory<F> {
        variable.lasting(self, at, path)
    }
}
