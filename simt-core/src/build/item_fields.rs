//! Fields of an item: `p.name`, where `p` may be a reference to an element or a value, which only rustc knows.

use super::iterators::OwnedItem;
use super::named::Behind;
use super::record::First;
use super::sequence::ItemParts;
use super::{Builder, IteratedMut, IteratedRef, KernelData, Let, Part};
use crate::source::Span;

/// An item that has fields.
#[diagnostic::on_unimplemented(
    message = "this has no fields in a kernel",
    label = "neither a value nor a reference to one"
)]
pub trait ItemFields {
    /// The item's type.
    type Whole: KernelData;
    /// What a field of it is: as the item, a reference or a value.
    type Field<U>;
    /// The field.
    fn field<U: KernelData>(self, k: &Builder, path: fn(Part<Self::Whole>) -> Part<U>) -> Self::Field<U>;
}

macro_rules! fields_of_elements {
    ($($name:ident)*) => {$(
        impl<T: KernelData> ItemFields for $name<T> {
            type Whole = T;
            type Field<U> = $name<U>;

            fn field<U: KernelData>(self, k: &Builder, path: fn(Part<T>) -> Part<U>) -> $name<U> {
                let (memory, index) = self.parts(k);
                $name::new(memory.column(super::fields::part(path).column), index)
            }
        }
    )*};
}
fields_of_elements!(IteratedRef IteratedMut);

/// A pattern of a tuple takes a reference apart: each part is one.
macro_rules! parts_of_elements {
    ($(($($part:ident $index:tt)*))*) => {$(
        parts_of_elements!(@of IteratedRef $($part $index)*);
        parts_of_elements!(@of IteratedMut $($part $index)*);
    )*};
    (@of $name:ident $($part:ident $index:tt)*) => {
        impl<$($part: KernelData),*> ItemParts for $name<($($part,)*)> {
            type Parts = ($($name<$part>,)*);

            fn parts(self, k: &Builder) -> Self::Parts {
                let (memory, index) = Behind::parts(self, k);
                let parts = Part::<($($part,)*)>::next(&mut First::default());
                ($($name::new(memory.column(parts.$index.first.column), index),)*)
            }
        }
    };
}
parts_of_elements! {
    (A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3) (A 0 B 1 C 2 D 3 E 4) (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6) (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
}

impl<T: KernelData> ItemFields for Let<T> {
    type Whole = T;
    type Field<U> = Let<U>;

    fn field<U: KernelData>(self, k: &Builder, path: fn(Part<T>) -> Part<U>) -> Let<U> {
        k.part_of(self, path)
    }
}

/// An item of `.enumerate()` or `.zip(..)` that is not taken apart.
impl<A, B> ItemFields for (A, B)
where
    Self: OwnedItem<Owned: KernelData>,
{
    type Whole = <Self as OwnedItem>::Owned;
    type Field<U> = Let<U>;

    fn field<U: KernelData>(self, k: &Builder, path: fn(Part<Self::Whole>) -> Part<U>) -> Let<U> {
        k.part_of(self.owned(k, Span::default()), path)
    }
}

impl Builder {
    /// `item.name`
    #[inline(never)]
    pub fn item_field<I: ItemFields, U: KernelData>(
        &self,
        item: I,
        path: fn(Part<I::Whole>) -> Part<U>,
    ) -> I::Field<U> {
        item.field(self, path)
    }
}
