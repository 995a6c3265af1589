//! Fields of variables that something goes over, as they are: `for v in b.values`, `b.bits.any(|v| ..)`.

use super::iterators::{Own, OwnIterator};
use super::record::Part;
use super::{
    Builder, ElementOf, FieldMemory, IntoItems, IntoValue, KernelData, MemoryElement, Mutable, NamedMemory, Parts,
    SliceRef, Value,
};

/// A field that something goes over: an array, a reference to memory, or a struct that is an iterator.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no elements in a kernel",
    label = "neither an array nor a slice",
    note = "arrays, and references to slices, have elements; a struct is gone over by `#[device] impl Iterator`"
)]
pub trait GoneField<P: Parts>: KernelData {
    /// What is gone over.
    type Gone;
    /// Finds it. `changes` says whether the loop changes the variable, `is_lent` that an iterator has what is left of its items.
    fn gone(
        k: &Builder,
        at: u32,
        variable: P,
        path: fn(Part<P::Whole>) -> Part<Self>,
        changes: bool,
        is_lent: bool,
    ) -> Self::Gone;
}

macro_rules! memory {
    ($([$($generics:tt)*] $field:ty;)*) => {$(
        impl<P: Parts + IntoValue<P::Whole>, $($generics)*> GoneField<P> for $field
        where
            Self: FieldMemory<Memory: IntoItems>,
        {
            type Gone = <<Self as FieldMemory>::Memory as IntoItems>::Gone;

            fn gone(
                k: &Builder,
                at: u32,
                variable: P,
                path: fn(Part<P::Whole>) -> Part<Self>,
                changes: bool,
                _: bool,
            ) -> Self::Gone {
                k.spill(at, variable, path).into_items(k, at, changes)
            }
        }
    )*};
}
memory! {
    [U: KernelData, const N: usize] [U; N];
    [T: MemoryElement + 'static] &'static [T];
    [T: MemoryElement + 'static] &'static mut [T];
}

/// An iterator itself: what asks for items of one that is lent changes the variable.
impl<P: Parts<Part<T>: OwnPlace<T>>, T: OwnIterator + KernelData> GoneField<P> for T {
    type Gone = Own<T>;

    fn gone(
        k: &Builder,
        at: u32,
        variable: P,
        path: fn(Part<P::Whole>) -> Part<T>,
        changes: bool,
        is_lent: bool,
    ) -> Own<T> {
        let own = variable.part(k, at, path).own(k, at);
        if is_lent { own } else { own.into_items(k, at, changes) }
    }
}

/// Where a struct is that is an iterator.
#[diagnostic::on_unimplemented(
    message = "an iterator that is a part of an element is not changed where it is, in a kernel",
    label = "an iterator of an element that may be written",
    note = "write `let mut it = v.name;`, and `v.name = it;` behind it"
)]
pub trait OwnPlace<T> {
    /// The iterator.
    fn own(self, k: &Builder, at: u32) -> Own<T>;
}

impl<T: OwnIterator> OwnPlace<T> for Mutable<T> {
    fn own(self, k: &Builder, at: u32) -> Own<T> {
        self.named(k, k.span(at))
    }
}

impl<T: OwnIterator> OwnPlace<T> for Value<T> {
    fn own(self, k: &Builder, at: u32) -> Own<T> {
        k.keep::<T>(at, self).named(k, k.span(at))
    }
}

/// What is only read has no place for what it becomes.
impl<T: OwnIterator + KernelData> OwnPlace<T> for ElementOf<SliceRef<T>, T> {
    fn own(self, k: &Builder, at: u32) -> Own<T> {
        self.read(k, at).own(k, at)
    }
}

impl Builder {
    /// What goes over `variable.name`.
    #[inline(never)]
    pub fn gone_field<P: Parts, F: GoneField<P>>(
        &self,
        at: u32,
        variable: P,
        path: fn(Part<P::Whole>) -> Part<F>,
        changes: bool,
        is_lent: bool,
    ) -> F::Gone {
        F::gone(self, at, variable, path, changes, is_lent)
    }
}
