//! Fields before the point of a method: `p.name.method()`, `p.0.method()`, which are places if the whole is one.
//!
//! The whole is a variable, a value, or an item of an iterator as a closure sees it: an element, or a tuple of items.

use super::record::Part;
use super::{
    Builder, ElementOf, Field, Handle, IteratedMut, IteratedRef, KernelData, Let, Mutable, NamedReceiver, ReadSlice,
    SliceMut, SliceRef, Value,
};

/// Has fields, and is a place if its fields are.
#[diagnostic::on_unimplemented(message = "this has no fields in a kernel", label = "not a value of a struct")]
pub trait Parts {
    /// Its type.
    type Whole: KernelData;
    /// What a field of it is.
    type Part<U: KernelData>: Handle<Of = U>;
    /// The field.
    fn part<U: KernelData>(self, k: &Builder, at: u32, path: fn(Part<Self::Whole>) -> Part<U>) -> Self::Part<U>;
}

impl<T: KernelData> Parts for Let<T> {
    type Whole = T;
    type Part<U: KernelData> = Value<U>;

    fn part<U: KernelData>(self, k: &Builder, at: u32, path: fn(Part<T>) -> Part<U>) -> Value<U> {
        k.get(at, self, path)
    }
}

impl<T: KernelData> Parts for Mutable<T> {
    type Whole = T;
    type Part<U: KernelData> = Mutable<U>;

    fn part<U: KernelData>(self, k: &Builder, _: u32, path: fn(Part<T>) -> Part<U>) -> Mutable<U> {
        k.get_place(self, path)
    }
}

impl<T: KernelData> Parts for Value<T> {
    type Whole = T;
    type Part<U: KernelData> = Value<U>;

    fn part<U: KernelData>(self, k: &Builder, at: u32, path: fn(Part<T>) -> Part<U>) -> Value<U> {
        k.get(at, self, path)
    }
}

/// The field of an element is where the element is.
impl<T: KernelData, S: ReadSlice<T>> Parts for ElementOf<S, T> {
    type Whole = T;
    type Part<U: KernelData> = ElementOf<S::Column<U>, U>;

    fn part<U: KernelData>(self, k: &Builder, _: u32, path: fn(Part<T>) -> Part<U>) -> Self::Part<U> {
        self.of(|slice| k.column(slice, path))
    }
}

/// Has a part `.0` and the like, which is a place if the whole is one.
#[diagnostic::on_unimplemented(
    message = "this has no field `.{INDEX}` in a kernel",
    label = "no field `.{INDEX}`",
    note = "tuples have fields `.0`, `.1`, and so on"
)]
pub trait NumberedPart<const INDEX: usize> {
    /// The part.
    type Part;
    /// Finds it.
    fn part(self, k: &Builder, at: u32) -> Self::Part;
}

macro_rules! numbered_values {
    ($($handle:ident)*) => {$(
        impl<T: Field<INDEX>, const INDEX: usize> NumberedPart<INDEX> for $handle<T> {
            type Part = Value<T::Type>;

            fn part(self, k: &Builder, at: u32) -> Value<T::Type> {
                k.field::<INDEX, T>(at, self)
            }
        }
    )*};
}
numbered_values!(Let Value);

impl<T: Field<INDEX>, const INDEX: usize> NumberedPart<INDEX> for Mutable<T> {
    type Part = Mutable<T::Type>;

    fn part(self, k: &Builder, _: u32) -> Mutable<T::Type> {
        k.field_place::<INDEX, T>(self)
    }
}

impl<T, S, const INDEX: usize> NumberedPart<INDEX> for ElementOf<S, T>
where
    T: KernelData + Field<INDEX, Type: KernelData>,
    S: ReadSlice<T>,
{
    type Part = ElementOf<S::Column<T::Type>, T::Type>;

    fn part(self, _: &Builder, _: u32) -> Self::Part {
        self.of(|slice| S::column(slice.region().column(column_of_leaf::<T>(T::FIRST))))
    }
}

/// The number of the column where a leaf is.
fn column_of_leaf<T: KernelData>(leaf: u32) -> u32 {
    let (mut number, mut found) = (0, 0);
    T::cells(0, &mut |column, _| {
        if number == leaf {
            found = column;
        }
        number += 1;
    });
    found
}

/// References to elements have the parts that the elements have.
macro_rules! parts_of_references {
    ($($name:ident: $slice:ident;)*) => {$(
        impl<T: KernelData> Parts for $name<T> {
            type Whole = T;
            type Part<U: KernelData> = ElementOf<$slice<U>, U>;

            fn part<U: KernelData>(self, k: &Builder, at: u32, path: fn(Part<T>) -> Part<U>) -> Self::Part<U> {
                self.receiver(k).part(k, at, path)
            }
        }
    )*};
}
parts_of_references! {
    IteratedRef: SliceRef;
    IteratedMut: SliceMut;
}

/// Parts of an item of `.enumerate()` or `.zip(..)`, each of which is an item.
macro_rules! parts_of_items {
    ($($part:ident $index:tt;)*) => {$(
        impl<A: NamedReceiver, B: NamedReceiver> NumberedPart<$index> for (A, B) {
            type Part = $part::Receiver;

            fn part(self, k: &Builder, _: u32) -> Self::Part {
                self.$index.receiver(k)
            }
        }
    )*};
}
parts_of_items! {
    A 0;
    B 1;
}

impl Builder {
    /// `variable.0`, before a point.
    #[inline(never)]
    pub fn receiver_numbered<const INDEX: usize, P: NumberedPart<INDEX>>(&self, at: u32, variable: P) -> P::Part {
        variable.part(self, at)
    }

    /// `variable.name`, before a point.
    #[inline(never)]
    pub fn receiver_part<P: Parts, U: KernelData>(
        &self,
        at: u32,
        variable: P,
        path: fn(Part<P::Whole>) -> Part<U>,
    ) -> P::Part<U> {
        variable.part(self, at, path)
    }
}
